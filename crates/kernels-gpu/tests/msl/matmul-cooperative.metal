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
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e706 = k0_;
            k0_ = _e706 + TILE_K;
        }
        loop_init = false;
        uint _e302 = k0_;
        if (_e302 < end) {
        } else {
            break;
        }
        {
            uint _e305 = k0_;
            metal::half4 xa0_ = x[x_at0_ + naga_div(_e305, 4u)];
            uint _e312 = k0_;
            metal::half4 xb0_ = x[(x_at0_ + naga_div(_e312, 4u)) + 1u];
            uint _e321 = k0_;
            metal::half4 xa1_ = x[x_at1_ + naga_div(_e321, 4u)];
            uint _e328 = k0_;
            metal::half4 xb1_ = x[(x_at1_ + naga_div(_e328, 4u)) + 1u];
            uint _e337 = k0_;
            metal::half4 xa2_ = x[x_at2_ + naga_div(_e337, 4u)];
            uint _e344 = k0_;
            metal::half4 xb2_ = x[(x_at2_ + naga_div(_e344, 4u)) + 1u];
            uint _e353 = k0_;
            metal::half4 xa3_ = x[x_at3_ + naga_div(_e353, 4u)];
            uint _e360 = k0_;
            metal::half4 xb3_ = x[(x_at3_ + naga_div(_e360, 4u)) + 1u];
            uint _e368 = k0_;
            type_9 _e372 = weight16_(planes, w_at0_ + naga_div(_e368, 16u), codes_1, words, _buffer_sizes);
            metal::half4 w0_0_ = static_cast<metal::half4>(_e372.inner[0]);
            metal::half4 w0_1_ = static_cast<metal::half4>(_e372.inner[1]);
            metal::half4 w0_2_ = static_cast<metal::half4>(_e372.inner[2]);
            metal::half4 w0_3_ = static_cast<metal::half4>(_e372.inner[3]);
            uint _e381 = k0_;
            type_9 _e385 = weight16_(planes, w_at1_ + naga_div(_e381, 16u), codes_1, words, _buffer_sizes);
            metal::half4 w1_0_ = static_cast<metal::half4>(_e385.inner[0]);
            metal::half4 w1_1_ = static_cast<metal::half4>(_e385.inner[1]);
            metal::half4 w1_2_ = static_cast<metal::half4>(_e385.inner[2]);
            metal::half4 w1_3_ = static_cast<metal::half4>(_e385.inner[3]);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            tile_x.inner[to_x0_] = xa0_;
            tile_x.inner[to_x0_ + 1u] = xb0_;
            tile_x.inner[to_x1_] = xa1_;
            tile_x.inner[to_x1_ + 1u] = xb1_;
            tile_x.inner[to_x2_] = xa2_;
            tile_x.inner[to_x2_ + 1u] = xb2_;
            tile_x.inner[to_x3_] = xa3_;
            tile_x.inner[to_x3_ + 1u] = xb3_;
            tile_w.inner[to_w0_ + 0u] = w0_0_;
            tile_w.inner[to_w0_ + 1u] = w0_1_;
            tile_w.inner[to_w0_ + 2u] = w0_2_;
            tile_w.inner[to_w0_ + 3u] = w0_3_;
            tile_w.inner[to_w1_ + 0u] = w1_0_;
            tile_w.inner[to_w1_ + 1u] = w1_1_;
            tile_w.inner[to_w1_ + 2u] = w1_2_;
            tile_w.inner[to_w1_ + 3u] = w1_3_;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
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
            metal::simdgroup_float16x16 _e546 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e546);
            metal::simdgroup_float16x16 _e548 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e548);
            metal::simdgroup_float16x16 _e550 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e550);
            metal::simdgroup_float16x16 _e552 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e552);
            metal::simdgroup_float16x16 _e554 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e554);
            metal::simdgroup_float16x16 _e556 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e556);
            metal::simdgroup_float16x16 _e558 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e558);
            metal::simdgroup_float16x16 _e560 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e560);
            metal::simdgroup_float16x16 _e562 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e562);
            metal::simdgroup_float16x16 _e564 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e564);
            metal::simdgroup_float16x16 _e566 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e566);
            metal::simdgroup_float16x16 _e568 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e568);
            metal::simdgroup_float16x16 _e570 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e570);
            metal::simdgroup_float16x16 _e572 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e572);
            metal::simdgroup_float16x16 _e574 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e574);
            metal::simdgroup_float16x16 _e576 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e576);
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
            metal::simdgroup_float16x16 _e674 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e674);
            metal::simdgroup_float16x16 _e676 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e676);
            metal::simdgroup_float16x16 _e678 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e678);
            metal::simdgroup_float16x16 _e680 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e680);
            metal::simdgroup_float16x16 _e682 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e682);
            metal::simdgroup_float16x16 _e684 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e684);
            metal::simdgroup_float16x16 _e686 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e686);
            metal::simdgroup_float16x16 _e688 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e688);
            metal::simdgroup_float16x16 _e690 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e690);
            metal::simdgroup_float16x16 _e692 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e692);
            metal::simdgroup_float16x16 _e694 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e694);
            metal::simdgroup_float16x16 _e696 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e696);
            metal::simdgroup_float16x16 _e698 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e698);
            metal::simdgroup_float16x16 _e700 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e700);
            metal::simdgroup_float16x16 _e702 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e702);
            metal::simdgroup_float16x16 _e704 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e704);
        }
    }
    uint width = part.y;
    uint out = part.z + ((group.z * SPLIT_ROWS) * width);
    if ((n0_ + TILE_N) <= width) {
        local_1 = part.w == 0u;
    } else {
        local_1 = false;
    }
    bool _e725 = local_1;
    if (_e725) {
        uint o0_0_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e735 = c0_0_;
        simdgroup_store(_e735, &act[o0_0_], width);
        uint o0_1_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e747 = c0_1_;
        simdgroup_store(_e747, &act[o0_1_], width);
        uint o0_2_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e759 = c0_2_;
        simdgroup_store(_e759, &act[o0_2_], width);
        uint o0_3_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e771 = c0_3_;
        simdgroup_store(_e771, &act[o0_3_], width);
        uint o1_0_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e783 = c1_0_;
        simdgroup_store(_e783, &act[o1_0_], width);
        uint o1_1_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e795 = c1_1_;
        simdgroup_store(_e795, &act[o1_1_], width);
        uint o1_2_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e807 = c1_2_;
        simdgroup_store(_e807, &act[o1_2_], width);
        uint o1_3_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e819 = c1_3_;
        simdgroup_store(_e819, &act[o1_3_], width);
        uint o2_0_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e831 = c2_0_;
        simdgroup_store(_e831, &act[o2_0_], width);
        uint o2_1_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e843 = c2_1_;
        simdgroup_store(_e843, &act[o2_1_], width);
        uint o2_2_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e855 = c2_2_;
        simdgroup_store(_e855, &act[o2_2_], width);
        uint o2_3_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e867 = c2_3_;
        simdgroup_store(_e867, &act[o2_3_], width);
        uint o3_0_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e879 = c3_0_;
        simdgroup_store(_e879, &act[o3_0_], width);
        uint o3_1_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e891 = c3_1_;
        simdgroup_store(_e891, &act[o3_1_], width);
        uint o3_2_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e903 = c3_2_;
        simdgroup_store(_e903, &act[o3_2_], width);
        uint o3_3_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e915 = c3_3_;
        simdgroup_store(_e915, &act[o3_3_], width);
        return;
    } else {
        metal::simdgroup_float16x16 _e918 = c0_0_;
        simdgroup_store(_e918, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e = lane;
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_1 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_1) {
                uint _e965 = e;
                e = _e965 + size;
            }
            loop_init_1 = false;
            uint _e923 = e;
            if (_e923 < 256u) {
            } else {
                break;
            }
            {
                uint _e929 = e;
                uint n = ((n0_ + sub_n) + 0u) + naga_mod(_e929, SIDE);
                if (n < width) {
                    uint _e935 = e;
                    float _e938 = spilled.inner[corner + _e935];
                    y = _e938;
                    if (part.w > 0u) {
                        float _e943 = y;
                        float _e950 = vectors[(part.w - 1u) + n];
                        y = _e943 + _e950;
                    }
                    uint _e956 = e;
                    float _e964 = y;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e956, SIDE)) * width)) + n] = _e964;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e967 = c0_1_;
        simdgroup_store(_e967, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_1 = lane;
        uint2 loop_bound_3 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_3 == uint2(0u))) { break; }
            loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e1014 = e_1;
                e_1 = _e1014 + size;
            }
            loop_init_2 = false;
            uint _e972 = e_1;
            if (_e972 < 256u) {
            } else {
                break;
            }
            {
                uint _e978 = e_1;
                uint n_1 = ((n0_ + sub_n) + 16u) + naga_mod(_e978, SIDE);
                if (n_1 < width) {
                    uint _e984 = e_1;
                    float _e987 = spilled.inner[corner + _e984];
                    y_1 = _e987;
                    if (part.w > 0u) {
                        float _e992 = y_1;
                        float _e999 = vectors[(part.w - 1u) + n_1];
                        y_1 = _e992 + _e999;
                    }
                    uint _e1005 = e_1;
                    float _e1013 = y_1;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1005, SIDE)) * width)) + n_1] = _e1013;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1016 = c0_2_;
        simdgroup_store(_e1016, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_2 = lane;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_3 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_3) {
                uint _e1063 = e_2;
                e_2 = _e1063 + size;
            }
            loop_init_3 = false;
            uint _e1021 = e_2;
            if (_e1021 < 256u) {
            } else {
                break;
            }
            {
                uint _e1027 = e_2;
                uint n_2 = ((n0_ + sub_n) + 32u) + naga_mod(_e1027, SIDE);
                if (n_2 < width) {
                    uint _e1033 = e_2;
                    float _e1036 = spilled.inner[corner + _e1033];
                    y_2 = _e1036;
                    if (part.w > 0u) {
                        float _e1041 = y_2;
                        float _e1048 = vectors[(part.w - 1u) + n_2];
                        y_2 = _e1041 + _e1048;
                    }
                    uint _e1054 = e_2;
                    float _e1062 = y_2;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1054, SIDE)) * width)) + n_2] = _e1062;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1065 = c0_3_;
        simdgroup_store(_e1065, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = lane;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e1112 = e_3;
                e_3 = _e1112 + size;
            }
            loop_init_4 = false;
            uint _e1070 = e_3;
            if (_e1070 < 256u) {
            } else {
                break;
            }
            {
                uint _e1076 = e_3;
                uint n_3 = ((n0_ + sub_n) + 48u) + naga_mod(_e1076, SIDE);
                if (n_3 < width) {
                    uint _e1082 = e_3;
                    float _e1085 = spilled.inner[corner + _e1082];
                    y_3 = _e1085;
                    if (part.w > 0u) {
                        float _e1090 = y_3;
                        float _e1097 = vectors[(part.w - 1u) + n_3];
                        y_3 = _e1090 + _e1097;
                    }
                    uint _e1103 = e_3;
                    float _e1111 = y_3;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1103, SIDE)) * width)) + n_3] = _e1111;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1114 = c1_0_;
        simdgroup_store(_e1114, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_4 = lane;
        uint2 loop_bound_6 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_6 == uint2(0u))) { break; }
            loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e1161 = e_4;
                e_4 = _e1161 + size;
            }
            loop_init_5 = false;
            uint _e1119 = e_4;
            if (_e1119 < 256u) {
            } else {
                break;
            }
            {
                uint _e1125 = e_4;
                uint n_4 = ((n0_ + sub_n) + 0u) + naga_mod(_e1125, SIDE);
                if (n_4 < width) {
                    uint _e1131 = e_4;
                    float _e1134 = spilled.inner[corner + _e1131];
                    y_4 = _e1134;
                    if (part.w > 0u) {
                        float _e1139 = y_4;
                        float _e1146 = vectors[(part.w - 1u) + n_4];
                        y_4 = _e1139 + _e1146;
                    }
                    uint _e1152 = e_4;
                    float _e1160 = y_4;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1152, SIDE)) * width)) + n_4] = _e1160;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1163 = c1_1_;
        simdgroup_store(_e1163, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_5 = lane;
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_6 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_6) {
                uint _e1210 = e_5;
                e_5 = _e1210 + size;
            }
            loop_init_6 = false;
            uint _e1168 = e_5;
            if (_e1168 < 256u) {
            } else {
                break;
            }
            {
                uint _e1174 = e_5;
                uint n_5 = ((n0_ + sub_n) + 16u) + naga_mod(_e1174, SIDE);
                if (n_5 < width) {
                    uint _e1180 = e_5;
                    float _e1183 = spilled.inner[corner + _e1180];
                    y_5 = _e1183;
                    if (part.w > 0u) {
                        float _e1188 = y_5;
                        float _e1195 = vectors[(part.w - 1u) + n_5];
                        y_5 = _e1188 + _e1195;
                    }
                    uint _e1201 = e_5;
                    float _e1209 = y_5;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1201, SIDE)) * width)) + n_5] = _e1209;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1212 = c1_2_;
        simdgroup_store(_e1212, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_6 = lane;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e1259 = e_6;
                e_6 = _e1259 + size;
            }
            loop_init_7 = false;
            uint _e1217 = e_6;
            if (_e1217 < 256u) {
            } else {
                break;
            }
            {
                uint _e1223 = e_6;
                uint n_6 = ((n0_ + sub_n) + 32u) + naga_mod(_e1223, SIDE);
                if (n_6 < width) {
                    uint _e1229 = e_6;
                    float _e1232 = spilled.inner[corner + _e1229];
                    y_6 = _e1232;
                    if (part.w > 0u) {
                        float _e1237 = y_6;
                        float _e1244 = vectors[(part.w - 1u) + n_6];
                        y_6 = _e1237 + _e1244;
                    }
                    uint _e1250 = e_6;
                    float _e1258 = y_6;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1250, SIDE)) * width)) + n_6] = _e1258;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1261 = c1_3_;
        simdgroup_store(_e1261, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_7 = lane;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e1308 = e_7;
                e_7 = _e1308 + size;
            }
            loop_init_8 = false;
            uint _e1266 = e_7;
            if (_e1266 < 256u) {
            } else {
                break;
            }
            {
                uint _e1272 = e_7;
                uint n_7 = ((n0_ + sub_n) + 48u) + naga_mod(_e1272, SIDE);
                if (n_7 < width) {
                    uint _e1278 = e_7;
                    float _e1281 = spilled.inner[corner + _e1278];
                    y_7 = _e1281;
                    if (part.w > 0u) {
                        float _e1286 = y_7;
                        float _e1293 = vectors[(part.w - 1u) + n_7];
                        y_7 = _e1286 + _e1293;
                    }
                    uint _e1299 = e_7;
                    float _e1307 = y_7;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1299, SIDE)) * width)) + n_7] = _e1307;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1310 = c2_0_;
        simdgroup_store(_e1310, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_8 = lane;
        uint2 loop_bound_10 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_10 == uint2(0u))) { break; }
            loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e1357 = e_8;
                e_8 = _e1357 + size;
            }
            loop_init_9 = false;
            uint _e1315 = e_8;
            if (_e1315 < 256u) {
            } else {
                break;
            }
            {
                uint _e1321 = e_8;
                uint n_8 = ((n0_ + sub_n) + 0u) + naga_mod(_e1321, SIDE);
                if (n_8 < width) {
                    uint _e1327 = e_8;
                    float _e1330 = spilled.inner[corner + _e1327];
                    y_8 = _e1330;
                    if (part.w > 0u) {
                        float _e1335 = y_8;
                        float _e1342 = vectors[(part.w - 1u) + n_8];
                        y_8 = _e1335 + _e1342;
                    }
                    uint _e1348 = e_8;
                    float _e1356 = y_8;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1348, SIDE)) * width)) + n_8] = _e1356;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1359 = c2_1_;
        simdgroup_store(_e1359, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_9 = lane;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_10 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_10) {
                uint _e1406 = e_9;
                e_9 = _e1406 + size;
            }
            loop_init_10 = false;
            uint _e1364 = e_9;
            if (_e1364 < 256u) {
            } else {
                break;
            }
            {
                uint _e1370 = e_9;
                uint n_9 = ((n0_ + sub_n) + 16u) + naga_mod(_e1370, SIDE);
                if (n_9 < width) {
                    uint _e1376 = e_9;
                    float _e1379 = spilled.inner[corner + _e1376];
                    y_9 = _e1379;
                    if (part.w > 0u) {
                        float _e1384 = y_9;
                        float _e1391 = vectors[(part.w - 1u) + n_9];
                        y_9 = _e1384 + _e1391;
                    }
                    uint _e1397 = e_9;
                    float _e1405 = y_9;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1397, SIDE)) * width)) + n_9] = _e1405;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1408 = c2_2_;
        simdgroup_store(_e1408, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_10 = lane;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1455 = e_10;
                e_10 = _e1455 + size;
            }
            loop_init_11 = false;
            uint _e1413 = e_10;
            if (_e1413 < 256u) {
            } else {
                break;
            }
            {
                uint _e1419 = e_10;
                uint n_10 = ((n0_ + sub_n) + 32u) + naga_mod(_e1419, SIDE);
                if (n_10 < width) {
                    uint _e1425 = e_10;
                    float _e1428 = spilled.inner[corner + _e1425];
                    y_10 = _e1428;
                    if (part.w > 0u) {
                        float _e1433 = y_10;
                        float _e1440 = vectors[(part.w - 1u) + n_10];
                        y_10 = _e1433 + _e1440;
                    }
                    uint _e1446 = e_10;
                    float _e1454 = y_10;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1446, SIDE)) * width)) + n_10] = _e1454;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1457 = c2_3_;
        simdgroup_store(_e1457, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_11 = lane;
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1504 = e_11;
                e_11 = _e1504 + size;
            }
            loop_init_12 = false;
            uint _e1462 = e_11;
            if (_e1462 < 256u) {
            } else {
                break;
            }
            {
                uint _e1468 = e_11;
                uint n_11 = ((n0_ + sub_n) + 48u) + naga_mod(_e1468, SIDE);
                if (n_11 < width) {
                    uint _e1474 = e_11;
                    float _e1477 = spilled.inner[corner + _e1474];
                    y_11 = _e1477;
                    if (part.w > 0u) {
                        float _e1482 = y_11;
                        float _e1489 = vectors[(part.w - 1u) + n_11];
                        y_11 = _e1482 + _e1489;
                    }
                    uint _e1495 = e_11;
                    float _e1503 = y_11;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1495, SIDE)) * width)) + n_11] = _e1503;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1506 = c3_0_;
        simdgroup_store(_e1506, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_12 = lane;
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1553 = e_12;
                e_12 = _e1553 + size;
            }
            loop_init_13 = false;
            uint _e1511 = e_12;
            if (_e1511 < 256u) {
            } else {
                break;
            }
            {
                uint _e1517 = e_12;
                uint n_12 = ((n0_ + sub_n) + 0u) + naga_mod(_e1517, SIDE);
                if (n_12 < width) {
                    uint _e1523 = e_12;
                    float _e1526 = spilled.inner[corner + _e1523];
                    y_12 = _e1526;
                    if (part.w > 0u) {
                        float _e1531 = y_12;
                        float _e1538 = vectors[(part.w - 1u) + n_12];
                        y_12 = _e1531 + _e1538;
                    }
                    uint _e1544 = e_12;
                    float _e1552 = y_12;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1544, SIDE)) * width)) + n_12] = _e1552;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1555 = c3_1_;
        simdgroup_store(_e1555, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_13 = lane;
        uint2 loop_bound_15 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_15 == uint2(0u))) { break; }
            loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1602 = e_13;
                e_13 = _e1602 + size;
            }
            loop_init_14 = false;
            uint _e1560 = e_13;
            if (_e1560 < 256u) {
            } else {
                break;
            }
            {
                uint _e1566 = e_13;
                uint n_13 = ((n0_ + sub_n) + 16u) + naga_mod(_e1566, SIDE);
                if (n_13 < width) {
                    uint _e1572 = e_13;
                    float _e1575 = spilled.inner[corner + _e1572];
                    y_13 = _e1575;
                    if (part.w > 0u) {
                        float _e1580 = y_13;
                        float _e1587 = vectors[(part.w - 1u) + n_13];
                        y_13 = _e1580 + _e1587;
                    }
                    uint _e1593 = e_13;
                    float _e1601 = y_13;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1593, SIDE)) * width)) + n_13] = _e1601;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1604 = c3_2_;
        simdgroup_store(_e1604, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_14 = lane;
        uint2 loop_bound_16 = uint2(4294967295u);
        bool loop_init_15 = true;
        while(true) {
            if (metal::all(loop_bound_16 == uint2(0u))) { break; }
            loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
            if (!loop_init_15) {
                uint _e1651 = e_14;
                e_14 = _e1651 + size;
            }
            loop_init_15 = false;
            uint _e1609 = e_14;
            if (_e1609 < 256u) {
            } else {
                break;
            }
            {
                uint _e1615 = e_14;
                uint n_14 = ((n0_ + sub_n) + 32u) + naga_mod(_e1615, SIDE);
                if (n_14 < width) {
                    uint _e1621 = e_14;
                    float _e1624 = spilled.inner[corner + _e1621];
                    y_14 = _e1624;
                    if (part.w > 0u) {
                        float _e1629 = y_14;
                        float _e1636 = vectors[(part.w - 1u) + n_14];
                        y_14 = _e1629 + _e1636;
                    }
                    uint _e1642 = e_14;
                    float _e1650 = y_14;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1642, SIDE)) * width)) + n_14] = _e1650;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1653 = c3_3_;
        simdgroup_store(_e1653, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_15 = lane;
        uint2 loop_bound_17 = uint2(4294967295u);
        bool loop_init_16 = true;
        while(true) {
            if (metal::all(loop_bound_17 == uint2(0u))) { break; }
            loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
            if (!loop_init_16) {
                uint _e1700 = e_15;
                e_15 = _e1700 + size;
            }
            loop_init_16 = false;
            uint _e1658 = e_15;
            if (_e1658 < 256u) {
            } else {
                break;
            }
            {
                uint _e1664 = e_15;
                uint n_15 = ((n0_ + sub_n) + 48u) + naga_mod(_e1664, SIDE);
                if (n_15 < width) {
                    uint _e1670 = e_15;
                    float _e1673 = spilled.inner[corner + _e1670];
                    y_15 = _e1673;
                    if (part.w > 0u) {
                        float _e1678 = y_15;
                        float _e1685 = vectors[(part.w - 1u) + n_15];
                        y_15 = _e1678 + _e1685;
                    }
                    uint _e1691 = e_15;
                    float _e1699 = y_15;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1691, SIDE)) * width)) + n_15] = _e1699;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    }
}
