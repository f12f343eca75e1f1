// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size3;
    uint size5;
    uint size6;
};

typedef uint type_1[1];
typedef metal::uint4 type_5[1];
struct Planes {
    uint codes;
    uint bits;
    uint scales;
    uint supers;
};
struct Block {
    metal::uint4 lo;
    metal::uint4 hi;
    metal::float2 s;
    metal::float2 m;
};
struct type_9 {
    metal::float4 inner[4];
};
struct type_10 {
    metal::uint4 inner[12];
};
struct Params {
    uint blocks;
    uint rows;
    uint count;
    uint depth;
    type_10 parts;
};
typedef float type_11[1];
typedef metal::half4 type_13[1];
struct type_14 {
    metal::half4 inner[1280];
};
struct type_15 {
    float inner[1024];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint TILE_T = 128u;
constant uint TILE_N = 128u;
constant uint TILE_K = 32u;
constant uint SUB_T = 64u;
constant uint SUB_N = 64u;
constant uint SIDE = 16u;
constant uint SQUARES_T = 4u;
constant uint SQUARES_N = 4u;
constant uint DEPTH = 2u;
constant uint SPLIT_ROWS = 0u;
constant uint LOADS_X = 4u;
constant uint LOADS_W = 2u;
constant uint AHEAD = 1u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint STRIDE = 40u;
constant uint UNIT = 4u;

int idot(
    metal::uint4 a,
    metal::uint4 b
) {
    uint _e2 = a.x;
    uint _e3 = b.x;
    packed_char4 reinterpreted_packed_char4_e2 = as_type<packed_char4>(_e2);
    packed_char4 reinterpreted_packed_char4_e3 = as_type<packed_char4>(_e3);
    uint _e5 = a.y;
    uint _e6 = b.y;
    packed_char4 reinterpreted_packed_char4_e5 = as_type<packed_char4>(_e5);
    packed_char4 reinterpreted_packed_char4_e6 = as_type<packed_char4>(_e6);
    uint _e9 = a.z;
    uint _e10 = b.z;
    packed_char4 reinterpreted_packed_char4_e9 = as_type<packed_char4>(_e9);
    packed_char4 reinterpreted_packed_char4_e10 = as_type<packed_char4>(_e10);
    uint _e13 = a.w;
    uint _e14 = b.w;
    packed_char4 reinterpreted_packed_char4_e13 = as_type<packed_char4>(_e13);
    packed_char4 reinterpreted_packed_char4_e14 = as_type<packed_char4>(_e14);
    return as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(( + reinterpreted_packed_char4_e2[0] * reinterpreted_packed_char4_e3[0] + reinterpreted_packed_char4_e2[1] * reinterpreted_packed_char4_e3[1] + reinterpreted_packed_char4_e2[2] * reinterpreted_packed_char4_e3[2] + reinterpreted_packed_char4_e2[3] * reinterpreted_packed_char4_e3[3])) + as_type<uint>(( + reinterpreted_packed_char4_e5[0] * reinterpreted_packed_char4_e6[0] + reinterpreted_packed_char4_e5[1] * reinterpreted_packed_char4_e6[1] + reinterpreted_packed_char4_e5[2] * reinterpreted_packed_char4_e6[2] + reinterpreted_packed_char4_e5[3] * reinterpreted_packed_char4_e6[3])))) + as_type<uint>(( + reinterpreted_packed_char4_e9[0] * reinterpreted_packed_char4_e10[0] + reinterpreted_packed_char4_e9[1] * reinterpreted_packed_char4_e10[1] + reinterpreted_packed_char4_e9[2] * reinterpreted_packed_char4_e10[2] + reinterpreted_packed_char4_e9[3] * reinterpreted_packed_char4_e10[3])))) + as_type<uint>(( + reinterpreted_packed_char4_e13[0] * reinterpreted_packed_char4_e14[0] + reinterpreted_packed_char4_e13[1] * reinterpreted_packed_char4_e14[1] + reinterpreted_packed_char4_e13[2] * reinterpreted_packed_char4_e14[2] + reinterpreted_packed_char4_e13[3] * reinterpreted_packed_char4_e14[3])));
}

float activate(
    float gate,
    float up
) {
    switch(ACTIVATION) {
        case 1u: {
            return ((0.5 * gate) * (1.0 + metal::tanh(metal::clamp(0.7978846 * (gate + (((0.044715 * gate) * gate) * gate)), -15.0, 15.0)))) * up;
        }
        case 2u: {
            float g = metal::min(gate, 7.0);
            return (g / (1.0 + metal::exp(-1.702 * g))) * (metal::clamp(up, -7.0, 7.0) + 1.0);
        }
        case 3u: {
            float limit = as_type<float>(LIMIT);
            return metal::min(gate / (1.0 + metal::exp(-(gate))), limit) * metal::clamp(up, -(limit), limit);
        }
        case 4u: {
            return metal::max(gate, 0.0) * up;
        }
        case 5u: {
            float limit_1 = as_type<float>(LIMIT);
            float g_1 = metal::min(gate, limit_1);
            return (g_1 / (1.0 + metal::exp(-(g_1)))) * metal::clamp(up, -(limit_1), limit_1);
        }
        default: {
            return (gate / (1.0 + metal::exp(-(gate)))) * up;
        }
    }
}

float half_at(
    uint plane,
    uint i,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e7 = words[plane + (i >> 1u)];
    metal::float2 pair = float2(as_type<half2>(_e7));
    return ((i & 1u) == 1u) ? pair.y : pair.x;
}

uint short_at(
    uint plane_1,
    uint i_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e7 = words[plane_1 + (i_1 >> 1u)];
    return (_e7 >> ((i_1 & 1u) * 16u)) & 65535u;
}

uint byte_at(
    uint plane_2,
    uint i_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e7 = words[plane_2 + (i_2 >> 2u)];
    return (_e7 >> ((i_2 & 3u) * 8u)) & 255u;
}

float signed_(
    uint byte
) {
    return static_cast<float>(as_type<int>(byte << 24u) >> 24u);
}

metal::uint4 single_bits(
    uint bits,
    uint first,
    uint to
) {
    return ((metal::uint4(bits) >> (metal::uint4(0u, 1u, 2u, 3u) + metal::uint4(first))) & metal::uint4(16843009u)) << metal::uint4(to);
}

metal::uint4 double_bits(
    uint bits_1,
    uint to_1
) {
    return ((metal::uint4(bits_1) >> metal::uint4(0u, 2u, 4u, 6u)) & metal::uint4(50529027u)) << metal::uint4(to_1);
}

Block weight(
    Planes p,
    uint i_3,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w_1 = codes_1[p.codes + i_3];
    float _e8 = half_at(p.scales, i_3, words, _buffer_sizes);
    return Block {w_1 & NIBBLES, (w_1 >> metal::uint4(4u)) & NIBBLES, metal::float2(_e8), metal::float2(-8.0 * _e8)};
}

type_9 half_block(
    metal::uint4 codes,
    float s,
    float m
) {
    return type_9 {{(static_cast<metal::float4>(int4(as_type<packed_char4>(codes.x))) * s) + metal::float4(m), (static_cast<metal::float4>(int4(as_type<packed_char4>(codes.y))) * s) + metal::float4(m), (static_cast<metal::float4>(int4(as_type<packed_char4>(codes.z))) * s) + metal::float4(m), (static_cast<metal::float4>(int4(as_type<packed_char4>(codes.w))) * s) + metal::float4(m)}};
}

type_9 weight16_(
    Planes p_1,
    uint i_4,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_1, i_4 >> 1u, codes_1, words, _buffer_sizes);
    if ((i_4 & 1u) == 0u) {
        type_9 _e14 = half_block(_e4.lo, _e4.s.x, _e4.m.x);
        return _e14;
    }
    type_9 _e20 = half_block(_e4.hi, _e4.s.y, _e4.m.y);
    return _e20;
}

float blocks(
    Block w,
    metal::uint4 xl,
    metal::uint4 xh,
    float low,
    float high
) {
    if (ONE_SCALE) {
        int _e9 = idot(w.lo, xl);
        int _e11 = idot(w.hi, xh);
        float sum = w.s.x * static_cast<float>(as_type<int>(as_type<uint>(_e9) + as_type<uint>(_e11)));
        return HAS_MIN ? (sum + (w.m.x * (low + high))) : sum;
    }
    int _e25 = idot(w.lo, xl);
    int _e31 = idot(w.hi, xh);
    float sum_1 = (w.s.x * static_cast<float>(_e25)) + (w.s.y * static_cast<float>(_e31));
    return HAS_MIN ? ((sum_1 + (w.m.x * low)) + (w.m.y * high)) : sum_1;
}
uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

metal::simdgroup_half16x16 NagaCooperativeLoad(const threadgroup half* ptr, int stride, bool is_row_major) {
    metal::simdgroup_half16x16 m;
    simdgroup_load(m, ptr, stride, 0, is_row_major);
    return m;
}

metal::simdgroup_float16x16 NagaCooperativeMultiplyAdd(const thread metal::simdgroup_half16x16& a, const thread metal::simdgroup_half16x16& b, const thread metal::simdgroup_float16x16& c) {
    metal::simdgroup_float16x16 d;
    simdgroup_multiply_accumulate(d,a,b,c);
    return d;
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint size [[threads_per_simdgroup]]
, device type_5 const& codes_1 [[user(fake0)]]
, device type_1 const& words [[user(fake0)]]
, device type_11& act [[user(fake0)]]
, constant Params& p_2 [[user(fake0)]]
, device type_11 const& vectors [[user(fake0)]]
, device type_13 const& x [[user(fake0)]]
, threadgroup type_14& tile_x
, threadgroup type_14& tile_w
, threadgroup type_15& spilled
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint part_at = 0u;
    bool local = {};
    metal::simdgroup_float16x16 c0_0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c0_1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c0_2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c0_3_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c1_0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c1_1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c1_2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c1_3_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c2_0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c2_1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c2_2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c2_3_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c3_0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c3_1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c3_2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c3_3_ = metal::simdgroup_float16x16 {};
    metal::half4 xa0_ = {};
    metal::half4 xb0_ = {};
    metal::half4 xa1_ = {};
    metal::half4 xb1_ = {};
    metal::half4 xa2_ = {};
    metal::half4 xb2_ = {};
    metal::half4 xa3_ = {};
    metal::half4 xb3_ = {};
    metal::half4 w0_0_ = {};
    metal::half4 w0_1_ = {};
    metal::half4 w0_2_ = {};
    metal::half4 w0_3_ = {};
    metal::half4 w1_0_ = {};
    metal::half4 w1_1_ = {};
    metal::half4 w1_2_ = {};
    metal::half4 w1_3_ = {};
    uint k0_ = {};
    bool local_1 = {};
    uint e = {};
    float y = {};
    uint e_1 = {};
    float y_1 = {};
    uint e_2 = {};
    float y_2 = {};
    uint e_3 = {};
    float y_3 = {};
    uint e_4 = {};
    float y_4 = {};
    uint e_5 = {};
    float y_5 = {};
    uint e_6 = {};
    float y_6 = {};
    uint e_7 = {};
    float y_7 = {};
    uint e_8 = {};
    float y_8 = {};
    uint e_9 = {};
    float y_9 = {};
    uint e_10 = {};
    float y_10 = {};
    uint e_11 = {};
    float y_11 = {};
    uint e_12 = {};
    float y_12 = {};
    uint e_13 = {};
    float y_13 = {};
    uint e_14 = {};
    float y_14 = {};
    uint e_15 = {};
    float y_15 = {};
    uint2 loop_bound = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        uint _e7 = part_at;
        uint _e12 = p_2.count;
        if ((_e7 + 1u) < _e12) {
            uint _e19 = part_at;
            uint _e26 = p_2.parts.inner[(_e19 + 1u) * 2u].x;
            local = group.y >= _e26;
        } else {
            local = false;
        }
        bool _e29 = local;
        if (_e29) {
        } else {
            break;
        }
        {
            uint _e31 = part_at;
            part_at = _e31 + 1u;
        }
    }
    uint _e35 = part_at;
    metal::uint4 part = p_2.parts.inner[_e35 * 2u];
    uint _e42 = part_at;
    metal::uint4 at = p_2.parts.inner[(_e42 * 2u) + 1u];
    Planes planes = Planes {at.x, at.y, at.z, at.w};
    uint t0_ = group.x * TILE_T;
    uint n0_ = (group.y - part.x) * TILE_N;
    uint sub_t = naga_div(subgroup, 2u) * SUB_T;
    uint sub_n = naga_mod(subgroup, 2u) * SUB_N;
    uint corner = (subgroup * SIDE) * SIDE;
    uint _e109 = p_2.depth;
    uint begin = (group.z * _e109) * 32u;
    uint _e115 = p_2.blocks;
    uint _e118 = p_2.blocks;
    uint _e124 = p_2.depth;
    uint _e129 = p_2.depth;
    uint end = ((_e129 > 0u) ? metal::min(_e118, (group.z + 1u) * _e124) : _e115) * 32u;
    uint u0_ = me + 0u;
    uint _e142 = p_2.blocks;
    uint x_at0_ = (((t0_ + naga_div(u0_, 4u)) * _e142) * 8u) + (naga_mod(u0_, 4u) * 2u);
    uint to_x0_ = naga_div((naga_div(u0_, 4u) * STRIDE) + (naga_mod(u0_, 4u) * 8u), 4u);
    uint u1_ = me + 128u;
    uint _e169 = p_2.blocks;
    uint x_at1_ = (((t0_ + naga_div(u1_, 4u)) * _e169) * 8u) + (naga_mod(u1_, 4u) * 2u);
    uint to_x1_ = naga_div((naga_div(u1_, 4u) * STRIDE) + (naga_mod(u1_, 4u) * 8u), 4u);
    uint u2_ = me + 256u;
    uint _e196 = p_2.blocks;
    uint x_at2_ = (((t0_ + naga_div(u2_, 4u)) * _e196) * 8u) + (naga_mod(u2_, 4u) * 2u);
    uint to_x2_ = naga_div((naga_div(u2_, 4u) * STRIDE) + (naga_mod(u2_, 4u) * 8u), 4u);
    uint u3_ = me + 384u;
    uint _e223 = p_2.blocks;
    uint x_at3_ = (((t0_ + naga_div(u3_, 4u)) * _e223) * 8u) + (naga_mod(u3_, 4u) * 2u);
    uint to_x3_ = naga_div((naga_div(u3_, 4u) * STRIDE) + (naga_mod(u3_, 4u) * 8u), 4u);
    uint v0_ = me + 0u;
    uint _e254 = p_2.blocks;
    uint w_at0_ = ((metal::min(n0_ + naga_div(v0_, 2u), part.y - 1u) * _e254) * 2u) + naga_mod(v0_, 2u);
    uint to_w0_ = naga_div((naga_div(v0_, 2u) * STRIDE) + (naga_mod(v0_, 2u) * 16u), 4u);
    uint v1_ = me + 128u;
    uint _e283 = p_2.blocks;
    uint w_at1_ = ((metal::min(n0_ + naga_div(v1_, 2u), part.y - 1u) * _e283) * 2u) + naga_mod(v1_, 2u);
    uint to_w1_ = naga_div((naga_div(v1_, 2u) * STRIDE) + (naga_mod(v1_, 2u) * 16u), 4u);
    metal::half4 _e306 = x[x_at0_ + naga_div(begin, 4u)];
    xa0_ = _e306;
    metal::half4 _e315 = x[(x_at0_ + naga_div(begin, 4u)) + 1u];
    xb0_ = _e315;
    metal::half4 _e322 = x[x_at1_ + naga_div(begin, 4u)];
    xa1_ = _e322;
    metal::half4 _e331 = x[(x_at1_ + naga_div(begin, 4u)) + 1u];
    xb1_ = _e331;
    metal::half4 _e338 = x[x_at2_ + naga_div(begin, 4u)];
    xa2_ = _e338;
    metal::half4 _e347 = x[(x_at2_ + naga_div(begin, 4u)) + 1u];
    xb2_ = _e347;
    metal::half4 _e354 = x[x_at3_ + naga_div(begin, 4u)];
    xa3_ = _e354;
    metal::half4 _e363 = x[(x_at3_ + naga_div(begin, 4u)) + 1u];
    xb3_ = _e363;
    type_9 _e368 = weight16_(planes, w_at0_ + naga_div(begin, 16u), codes_1, words, _buffer_sizes);
    w0_0_ = static_cast<metal::half4>(_e368.inner[0]);
    w0_1_ = static_cast<metal::half4>(_e368.inner[1]);
    w0_2_ = static_cast<metal::half4>(_e368.inner[2]);
    w0_3_ = static_cast<metal::half4>(_e368.inner[3]);
    type_9 _e384 = weight16_(planes, w_at1_ + naga_div(begin, 16u), codes_1, words, _buffer_sizes);
    w1_0_ = static_cast<metal::half4>(_e384.inner[0]);
    w1_1_ = static_cast<metal::half4>(_e384.inner[1]);
    w1_2_ = static_cast<metal::half4>(_e384.inner[2]);
    w1_3_ = static_cast<metal::half4>(_e384.inner[3]);
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e814 = k0_;
            k0_ = _e814 + TILE_K;
        }
        loop_init = false;
        uint _e398 = k0_;
        if (_e398 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::half4 _e402 = xa0_;
            tile_x.inner[to_x0_] = _e402;
            metal::half4 _e407 = xb0_;
            tile_x.inner[to_x0_ + 1u] = _e407;
            metal::half4 _e410 = xa1_;
            tile_x.inner[to_x1_] = _e410;
            metal::half4 _e415 = xb1_;
            tile_x.inner[to_x1_ + 1u] = _e415;
            metal::half4 _e418 = xa2_;
            tile_x.inner[to_x2_] = _e418;
            metal::half4 _e423 = xb2_;
            tile_x.inner[to_x2_ + 1u] = _e423;
            metal::half4 _e426 = xa3_;
            tile_x.inner[to_x3_] = _e426;
            metal::half4 _e431 = xb3_;
            tile_x.inner[to_x3_ + 1u] = _e431;
            metal::half4 _e436 = w0_0_;
            tile_w.inner[to_w0_ + 0u] = _e436;
            metal::half4 _e441 = w0_1_;
            tile_w.inner[to_w0_ + 1u] = _e441;
            metal::half4 _e446 = w0_2_;
            tile_w.inner[to_w0_ + 2u] = _e446;
            metal::half4 _e451 = w0_3_;
            tile_w.inner[to_w0_ + 3u] = _e451;
            metal::half4 _e456 = w1_0_;
            tile_w.inner[to_w1_ + 0u] = _e456;
            metal::half4 _e461 = w1_1_;
            tile_w.inner[to_w1_ + 1u] = _e461;
            metal::half4 _e466 = w1_2_;
            tile_w.inner[to_w1_ + 2u] = _e466;
            metal::half4 _e471 = w1_3_;
            tile_w.inner[to_w1_ + 3u] = _e471;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e472 = k0_;
            uint next = metal::min(_e472 + TILE_K, end - TILE_K);
            metal::half4 _e483 = x[x_at0_ + naga_div(next, 4u)];
            xa0_ = _e483;
            metal::half4 _e491 = x[(x_at0_ + naga_div(next, 4u)) + 1u];
            xb0_ = _e491;
            metal::half4 _e497 = x[x_at1_ + naga_div(next, 4u)];
            xa1_ = _e497;
            metal::half4 _e505 = x[(x_at1_ + naga_div(next, 4u)) + 1u];
            xb1_ = _e505;
            metal::half4 _e511 = x[x_at2_ + naga_div(next, 4u)];
            xa2_ = _e511;
            metal::half4 _e519 = x[(x_at2_ + naga_div(next, 4u)) + 1u];
            xb2_ = _e519;
            metal::half4 _e525 = x[x_at3_ + naga_div(next, 4u)];
            xa3_ = _e525;
            metal::half4 _e533 = x[(x_at3_ + naga_div(next, 4u)) + 1u];
            xb3_ = _e533;
            type_9 _e537 = weight16_(planes, w_at0_ + naga_div(next, 16u), codes_1, words, _buffer_sizes);
            w0_0_ = static_cast<metal::half4>(_e537.inner[0]);
            w0_1_ = static_cast<metal::half4>(_e537.inner[1]);
            w0_2_ = static_cast<metal::half4>(_e537.inner[2]);
            w0_3_ = static_cast<metal::half4>(_e537.inner[3]);
            type_9 _e549 = weight16_(planes, w_at1_ + naga_div(next, 16u), codes_1, words, _buffer_sizes);
            w1_0_ = static_cast<metal::half4>(_e549.inner[0]);
            w1_1_ = static_cast<metal::half4>(_e549.inner[1]);
            w1_2_ = static_cast<metal::half4>(_e549.inner[2]);
            w1_3_ = static_cast<metal::half4>(_e549.inner[3]);
            uint ia0_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 a0_0_ = NagaCooperativeLoad(&tile_x.inner[ia0_0_], 10u, false);
            uint ia0_1_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 a0_1_ = NagaCooperativeLoad(&tile_x.inner[ia0_1_], 10u, false);
            uint ia0_2_ = naga_div((sub_t + 32u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 a0_2_ = NagaCooperativeLoad(&tile_x.inner[ia0_2_], 10u, false);
            uint ia0_3_ = naga_div((sub_t + 48u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 a0_3_ = NagaCooperativeLoad(&tile_x.inner[ia0_3_], 10u, false);
            uint ib0_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 b0_0_ = NagaCooperativeLoad(&tile_w.inner[ib0_0_], 10u, true);
            uint ib0_1_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 b0_1_ = NagaCooperativeLoad(&tile_w.inner[ib0_1_], 10u, true);
            uint ib0_2_ = naga_div((sub_n + 32u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 b0_2_ = NagaCooperativeLoad(&tile_w.inner[ib0_2_], 10u, true);
            uint ib0_3_ = naga_div((sub_n + 48u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 b0_3_ = NagaCooperativeLoad(&tile_w.inner[ib0_3_], 10u, true);
            metal::simdgroup_float16x16 _e654 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e654);
            metal::simdgroup_float16x16 _e656 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e656);
            metal::simdgroup_float16x16 _e658 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e658);
            metal::simdgroup_float16x16 _e660 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e660);
            metal::simdgroup_float16x16 _e662 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e662);
            metal::simdgroup_float16x16 _e664 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e664);
            metal::simdgroup_float16x16 _e666 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e666);
            metal::simdgroup_float16x16 _e668 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e668);
            metal::simdgroup_float16x16 _e670 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e670);
            metal::simdgroup_float16x16 _e672 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e672);
            metal::simdgroup_float16x16 _e674 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e674);
            metal::simdgroup_float16x16 _e676 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e676);
            metal::simdgroup_float16x16 _e678 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e678);
            metal::simdgroup_float16x16 _e680 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e680);
            metal::simdgroup_float16x16 _e682 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e682);
            metal::simdgroup_float16x16 _e684 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e684);
            uint ia1_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 a1_0_ = NagaCooperativeLoad(&tile_x.inner[ia1_0_], 10u, false);
            uint ia1_1_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 a1_1_ = NagaCooperativeLoad(&tile_x.inner[ia1_1_], 10u, false);
            uint ia1_2_ = naga_div((sub_t + 32u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 a1_2_ = NagaCooperativeLoad(&tile_x.inner[ia1_2_], 10u, false);
            uint ia1_3_ = naga_div((sub_t + 48u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 a1_3_ = NagaCooperativeLoad(&tile_x.inner[ia1_3_], 10u, false);
            uint ib1_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 b1_0_ = NagaCooperativeLoad(&tile_w.inner[ib1_0_], 10u, true);
            uint ib1_1_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 b1_1_ = NagaCooperativeLoad(&tile_w.inner[ib1_1_], 10u, true);
            uint ib1_2_ = naga_div((sub_n + 32u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 b1_2_ = NagaCooperativeLoad(&tile_w.inner[ib1_2_], 10u, true);
            uint ib1_3_ = naga_div((sub_n + 48u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 b1_3_ = NagaCooperativeLoad(&tile_w.inner[ib1_3_], 10u, true);
            metal::simdgroup_float16x16 _e782 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e782);
            metal::simdgroup_float16x16 _e784 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e784);
            metal::simdgroup_float16x16 _e786 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e786);
            metal::simdgroup_float16x16 _e788 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e788);
            metal::simdgroup_float16x16 _e790 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e790);
            metal::simdgroup_float16x16 _e792 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e792);
            metal::simdgroup_float16x16 _e794 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e794);
            metal::simdgroup_float16x16 _e796 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e796);
            metal::simdgroup_float16x16 _e798 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e798);
            metal::simdgroup_float16x16 _e800 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e800);
            metal::simdgroup_float16x16 _e802 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e802);
            metal::simdgroup_float16x16 _e804 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e804);
            metal::simdgroup_float16x16 _e806 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e806);
            metal::simdgroup_float16x16 _e808 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e808);
            metal::simdgroup_float16x16 _e810 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e810);
            metal::simdgroup_float16x16 _e812 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e812);
        }
    }
    uint width = part.y;
    uint out = part.z + ((group.z * SPLIT_ROWS) * width);
    if ((n0_ + TILE_N) <= width) {
        local_1 = part.w == 0u;
    } else {
        local_1 = false;
    }
    bool _e833 = local_1;
    if (_e833) {
        uint o0_0_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e843 = c0_0_;
        simdgroup_store(_e843, &act[o0_0_], width);
        uint o0_1_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e855 = c0_1_;
        simdgroup_store(_e855, &act[o0_1_], width);
        uint o0_2_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e867 = c0_2_;
        simdgroup_store(_e867, &act[o0_2_], width);
        uint o0_3_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e879 = c0_3_;
        simdgroup_store(_e879, &act[o0_3_], width);
        uint o1_0_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e891 = c1_0_;
        simdgroup_store(_e891, &act[o1_0_], width);
        uint o1_1_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e903 = c1_1_;
        simdgroup_store(_e903, &act[o1_1_], width);
        uint o1_2_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e915 = c1_2_;
        simdgroup_store(_e915, &act[o1_2_], width);
        uint o1_3_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e927 = c1_3_;
        simdgroup_store(_e927, &act[o1_3_], width);
        uint o2_0_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e939 = c2_0_;
        simdgroup_store(_e939, &act[o2_0_], width);
        uint o2_1_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e951 = c2_1_;
        simdgroup_store(_e951, &act[o2_1_], width);
        uint o2_2_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e963 = c2_2_;
        simdgroup_store(_e963, &act[o2_2_], width);
        uint o2_3_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e975 = c2_3_;
        simdgroup_store(_e975, &act[o2_3_], width);
        uint o3_0_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e987 = c3_0_;
        simdgroup_store(_e987, &act[o3_0_], width);
        uint o3_1_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e999 = c3_1_;
        simdgroup_store(_e999, &act[o3_1_], width);
        uint o3_2_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1011 = c3_2_;
        simdgroup_store(_e1011, &act[o3_2_], width);
        uint o3_3_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1023 = c3_3_;
        simdgroup_store(_e1023, &act[o3_3_], width);
        return;
    } else {
        metal::simdgroup_float16x16 _e1026 = c0_0_;
        simdgroup_store(_e1026, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e = lane;
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_1 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_1) {
                uint _e1073 = e;
                e = _e1073 + size;
            }
            loop_init_1 = false;
            uint _e1031 = e;
            if (_e1031 < 256u) {
            } else {
                break;
            }
            {
                uint _e1037 = e;
                uint n = ((n0_ + sub_n) + 0u) + naga_mod(_e1037, SIDE);
                if (n < width) {
                    uint _e1043 = e;
                    float _e1046 = spilled.inner[corner + _e1043];
                    y = _e1046;
                    if (part.w > 0u) {
                        float _e1051 = y;
                        float _e1058 = vectors[(part.w - 1u) + n];
                        y = _e1051 + _e1058;
                    }
                    uint _e1064 = e;
                    float _e1072 = y;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1064, SIDE)) * width)) + n] = _e1072;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1075 = c0_1_;
        simdgroup_store(_e1075, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_1 = lane;
        uint2 loop_bound_3 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_3 == uint2(0u))) { break; }
            loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e1122 = e_1;
                e_1 = _e1122 + size;
            }
            loop_init_2 = false;
            uint _e1080 = e_1;
            if (_e1080 < 256u) {
            } else {
                break;
            }
            {
                uint _e1086 = e_1;
                uint n_1 = ((n0_ + sub_n) + 16u) + naga_mod(_e1086, SIDE);
                if (n_1 < width) {
                    uint _e1092 = e_1;
                    float _e1095 = spilled.inner[corner + _e1092];
                    y_1 = _e1095;
                    if (part.w > 0u) {
                        float _e1100 = y_1;
                        float _e1107 = vectors[(part.w - 1u) + n_1];
                        y_1 = _e1100 + _e1107;
                    }
                    uint _e1113 = e_1;
                    float _e1121 = y_1;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1113, SIDE)) * width)) + n_1] = _e1121;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1124 = c0_2_;
        simdgroup_store(_e1124, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_2 = lane;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_3 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_3) {
                uint _e1171 = e_2;
                e_2 = _e1171 + size;
            }
            loop_init_3 = false;
            uint _e1129 = e_2;
            if (_e1129 < 256u) {
            } else {
                break;
            }
            {
                uint _e1135 = e_2;
                uint n_2 = ((n0_ + sub_n) + 32u) + naga_mod(_e1135, SIDE);
                if (n_2 < width) {
                    uint _e1141 = e_2;
                    float _e1144 = spilled.inner[corner + _e1141];
                    y_2 = _e1144;
                    if (part.w > 0u) {
                        float _e1149 = y_2;
                        float _e1156 = vectors[(part.w - 1u) + n_2];
                        y_2 = _e1149 + _e1156;
                    }
                    uint _e1162 = e_2;
                    float _e1170 = y_2;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1162, SIDE)) * width)) + n_2] = _e1170;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1173 = c0_3_;
        simdgroup_store(_e1173, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = lane;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e1220 = e_3;
                e_3 = _e1220 + size;
            }
            loop_init_4 = false;
            uint _e1178 = e_3;
            if (_e1178 < 256u) {
            } else {
                break;
            }
            {
                uint _e1184 = e_3;
                uint n_3 = ((n0_ + sub_n) + 48u) + naga_mod(_e1184, SIDE);
                if (n_3 < width) {
                    uint _e1190 = e_3;
                    float _e1193 = spilled.inner[corner + _e1190];
                    y_3 = _e1193;
                    if (part.w > 0u) {
                        float _e1198 = y_3;
                        float _e1205 = vectors[(part.w - 1u) + n_3];
                        y_3 = _e1198 + _e1205;
                    }
                    uint _e1211 = e_3;
                    float _e1219 = y_3;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1211, SIDE)) * width)) + n_3] = _e1219;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1222 = c1_0_;
        simdgroup_store(_e1222, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_4 = lane;
        uint2 loop_bound_6 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_6 == uint2(0u))) { break; }
            loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e1269 = e_4;
                e_4 = _e1269 + size;
            }
            loop_init_5 = false;
            uint _e1227 = e_4;
            if (_e1227 < 256u) {
            } else {
                break;
            }
            {
                uint _e1233 = e_4;
                uint n_4 = ((n0_ + sub_n) + 0u) + naga_mod(_e1233, SIDE);
                if (n_4 < width) {
                    uint _e1239 = e_4;
                    float _e1242 = spilled.inner[corner + _e1239];
                    y_4 = _e1242;
                    if (part.w > 0u) {
                        float _e1247 = y_4;
                        float _e1254 = vectors[(part.w - 1u) + n_4];
                        y_4 = _e1247 + _e1254;
                    }
                    uint _e1260 = e_4;
                    float _e1268 = y_4;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1260, SIDE)) * width)) + n_4] = _e1268;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1271 = c1_1_;
        simdgroup_store(_e1271, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_5 = lane;
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_6 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_6) {
                uint _e1318 = e_5;
                e_5 = _e1318 + size;
            }
            loop_init_6 = false;
            uint _e1276 = e_5;
            if (_e1276 < 256u) {
            } else {
                break;
            }
            {
                uint _e1282 = e_5;
                uint n_5 = ((n0_ + sub_n) + 16u) + naga_mod(_e1282, SIDE);
                if (n_5 < width) {
                    uint _e1288 = e_5;
                    float _e1291 = spilled.inner[corner + _e1288];
                    y_5 = _e1291;
                    if (part.w > 0u) {
                        float _e1296 = y_5;
                        float _e1303 = vectors[(part.w - 1u) + n_5];
                        y_5 = _e1296 + _e1303;
                    }
                    uint _e1309 = e_5;
                    float _e1317 = y_5;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1309, SIDE)) * width)) + n_5] = _e1317;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1320 = c1_2_;
        simdgroup_store(_e1320, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_6 = lane;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e1367 = e_6;
                e_6 = _e1367 + size;
            }
            loop_init_7 = false;
            uint _e1325 = e_6;
            if (_e1325 < 256u) {
            } else {
                break;
            }
            {
                uint _e1331 = e_6;
                uint n_6 = ((n0_ + sub_n) + 32u) + naga_mod(_e1331, SIDE);
                if (n_6 < width) {
                    uint _e1337 = e_6;
                    float _e1340 = spilled.inner[corner + _e1337];
                    y_6 = _e1340;
                    if (part.w > 0u) {
                        float _e1345 = y_6;
                        float _e1352 = vectors[(part.w - 1u) + n_6];
                        y_6 = _e1345 + _e1352;
                    }
                    uint _e1358 = e_6;
                    float _e1366 = y_6;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1358, SIDE)) * width)) + n_6] = _e1366;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1369 = c1_3_;
        simdgroup_store(_e1369, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_7 = lane;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e1416 = e_7;
                e_7 = _e1416 + size;
            }
            loop_init_8 = false;
            uint _e1374 = e_7;
            if (_e1374 < 256u) {
            } else {
                break;
            }
            {
                uint _e1380 = e_7;
                uint n_7 = ((n0_ + sub_n) + 48u) + naga_mod(_e1380, SIDE);
                if (n_7 < width) {
                    uint _e1386 = e_7;
                    float _e1389 = spilled.inner[corner + _e1386];
                    y_7 = _e1389;
                    if (part.w > 0u) {
                        float _e1394 = y_7;
                        float _e1401 = vectors[(part.w - 1u) + n_7];
                        y_7 = _e1394 + _e1401;
                    }
                    uint _e1407 = e_7;
                    float _e1415 = y_7;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1407, SIDE)) * width)) + n_7] = _e1415;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1418 = c2_0_;
        simdgroup_store(_e1418, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_8 = lane;
        uint2 loop_bound_10 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_10 == uint2(0u))) { break; }
            loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e1465 = e_8;
                e_8 = _e1465 + size;
            }
            loop_init_9 = false;
            uint _e1423 = e_8;
            if (_e1423 < 256u) {
            } else {
                break;
            }
            {
                uint _e1429 = e_8;
                uint n_8 = ((n0_ + sub_n) + 0u) + naga_mod(_e1429, SIDE);
                if (n_8 < width) {
                    uint _e1435 = e_8;
                    float _e1438 = spilled.inner[corner + _e1435];
                    y_8 = _e1438;
                    if (part.w > 0u) {
                        float _e1443 = y_8;
                        float _e1450 = vectors[(part.w - 1u) + n_8];
                        y_8 = _e1443 + _e1450;
                    }
                    uint _e1456 = e_8;
                    float _e1464 = y_8;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1456, SIDE)) * width)) + n_8] = _e1464;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1467 = c2_1_;
        simdgroup_store(_e1467, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_9 = lane;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_10 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_10) {
                uint _e1514 = e_9;
                e_9 = _e1514 + size;
            }
            loop_init_10 = false;
            uint _e1472 = e_9;
            if (_e1472 < 256u) {
            } else {
                break;
            }
            {
                uint _e1478 = e_9;
                uint n_9 = ((n0_ + sub_n) + 16u) + naga_mod(_e1478, SIDE);
                if (n_9 < width) {
                    uint _e1484 = e_9;
                    float _e1487 = spilled.inner[corner + _e1484];
                    y_9 = _e1487;
                    if (part.w > 0u) {
                        float _e1492 = y_9;
                        float _e1499 = vectors[(part.w - 1u) + n_9];
                        y_9 = _e1492 + _e1499;
                    }
                    uint _e1505 = e_9;
                    float _e1513 = y_9;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1505, SIDE)) * width)) + n_9] = _e1513;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1516 = c2_2_;
        simdgroup_store(_e1516, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_10 = lane;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1563 = e_10;
                e_10 = _e1563 + size;
            }
            loop_init_11 = false;
            uint _e1521 = e_10;
            if (_e1521 < 256u) {
            } else {
                break;
            }
            {
                uint _e1527 = e_10;
                uint n_10 = ((n0_ + sub_n) + 32u) + naga_mod(_e1527, SIDE);
                if (n_10 < width) {
                    uint _e1533 = e_10;
                    float _e1536 = spilled.inner[corner + _e1533];
                    y_10 = _e1536;
                    if (part.w > 0u) {
                        float _e1541 = y_10;
                        float _e1548 = vectors[(part.w - 1u) + n_10];
                        y_10 = _e1541 + _e1548;
                    }
                    uint _e1554 = e_10;
                    float _e1562 = y_10;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1554, SIDE)) * width)) + n_10] = _e1562;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1565 = c2_3_;
        simdgroup_store(_e1565, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_11 = lane;
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1612 = e_11;
                e_11 = _e1612 + size;
            }
            loop_init_12 = false;
            uint _e1570 = e_11;
            if (_e1570 < 256u) {
            } else {
                break;
            }
            {
                uint _e1576 = e_11;
                uint n_11 = ((n0_ + sub_n) + 48u) + naga_mod(_e1576, SIDE);
                if (n_11 < width) {
                    uint _e1582 = e_11;
                    float _e1585 = spilled.inner[corner + _e1582];
                    y_11 = _e1585;
                    if (part.w > 0u) {
                        float _e1590 = y_11;
                        float _e1597 = vectors[(part.w - 1u) + n_11];
                        y_11 = _e1590 + _e1597;
                    }
                    uint _e1603 = e_11;
                    float _e1611 = y_11;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1603, SIDE)) * width)) + n_11] = _e1611;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1614 = c3_0_;
        simdgroup_store(_e1614, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_12 = lane;
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1661 = e_12;
                e_12 = _e1661 + size;
            }
            loop_init_13 = false;
            uint _e1619 = e_12;
            if (_e1619 < 256u) {
            } else {
                break;
            }
            {
                uint _e1625 = e_12;
                uint n_12 = ((n0_ + sub_n) + 0u) + naga_mod(_e1625, SIDE);
                if (n_12 < width) {
                    uint _e1631 = e_12;
                    float _e1634 = spilled.inner[corner + _e1631];
                    y_12 = _e1634;
                    if (part.w > 0u) {
                        float _e1639 = y_12;
                        float _e1646 = vectors[(part.w - 1u) + n_12];
                        y_12 = _e1639 + _e1646;
                    }
                    uint _e1652 = e_12;
                    float _e1660 = y_12;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1652, SIDE)) * width)) + n_12] = _e1660;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1663 = c3_1_;
        simdgroup_store(_e1663, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_13 = lane;
        uint2 loop_bound_15 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_15 == uint2(0u))) { break; }
            loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1710 = e_13;
                e_13 = _e1710 + size;
            }
            loop_init_14 = false;
            uint _e1668 = e_13;
            if (_e1668 < 256u) {
            } else {
                break;
            }
            {
                uint _e1674 = e_13;
                uint n_13 = ((n0_ + sub_n) + 16u) + naga_mod(_e1674, SIDE);
                if (n_13 < width) {
                    uint _e1680 = e_13;
                    float _e1683 = spilled.inner[corner + _e1680];
                    y_13 = _e1683;
                    if (part.w > 0u) {
                        float _e1688 = y_13;
                        float _e1695 = vectors[(part.w - 1u) + n_13];
                        y_13 = _e1688 + _e1695;
                    }
                    uint _e1701 = e_13;
                    float _e1709 = y_13;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1701, SIDE)) * width)) + n_13] = _e1709;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1712 = c3_2_;
        simdgroup_store(_e1712, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_14 = lane;
        uint2 loop_bound_16 = uint2(4294967295u);
        bool loop_init_15 = true;
        while(true) {
            if (metal::all(loop_bound_16 == uint2(0u))) { break; }
            loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
            if (!loop_init_15) {
                uint _e1759 = e_14;
                e_14 = _e1759 + size;
            }
            loop_init_15 = false;
            uint _e1717 = e_14;
            if (_e1717 < 256u) {
            } else {
                break;
            }
            {
                uint _e1723 = e_14;
                uint n_14 = ((n0_ + sub_n) + 32u) + naga_mod(_e1723, SIDE);
                if (n_14 < width) {
                    uint _e1729 = e_14;
                    float _e1732 = spilled.inner[corner + _e1729];
                    y_14 = _e1732;
                    if (part.w > 0u) {
                        float _e1737 = y_14;
                        float _e1744 = vectors[(part.w - 1u) + n_14];
                        y_14 = _e1737 + _e1744;
                    }
                    uint _e1750 = e_14;
                    float _e1758 = y_14;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1750, SIDE)) * width)) + n_14] = _e1758;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1761 = c3_3_;
        simdgroup_store(_e1761, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_15 = lane;
        uint2 loop_bound_17 = uint2(4294967295u);
        bool loop_init_16 = true;
        while(true) {
            if (metal::all(loop_bound_17 == uint2(0u))) { break; }
            loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
            if (!loop_init_16) {
                uint _e1808 = e_15;
                e_15 = _e1808 + size;
            }
            loop_init_16 = false;
            uint _e1766 = e_15;
            if (_e1766 < 256u) {
            } else {
                break;
            }
            {
                uint _e1772 = e_15;
                uint n_15 = ((n0_ + sub_n) + 48u) + naga_mod(_e1772, SIDE);
                if (n_15 < width) {
                    uint _e1778 = e_15;
                    float _e1781 = spilled.inner[corner + _e1778];
                    y_15 = _e1781;
                    if (part.w > 0u) {
                        float _e1786 = y_15;
                        float _e1793 = vectors[(part.w - 1u) + n_15];
                        y_15 = _e1786 + _e1793;
                    }
                    uint _e1799 = e_15;
                    float _e1807 = y_15;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1799, SIDE)) * width)) + n_15] = _e1807;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    }
}
