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
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e762 = k0_;
            k0_ = _e762 + TILE_K;
        }
        loop_init = false;
        uint _e136 = k0_;
        if (_e136 < end) {
        } else {
            break;
        }
        {
            uint u0_ = me + 0u;
            uint _e146 = p_2.blocks;
            uint _e150 = k0_;
            metal::half4 xa0_ = x[naga_div((((t0_ + naga_div(u0_, 4u)) * _e146) * 32u) + _e150, 4u) + (naga_mod(u0_, 4u) * 2u)];
            uint _e167 = p_2.blocks;
            uint _e171 = k0_;
            metal::half4 xb0_ = x[(naga_div((((t0_ + naga_div(u0_, 4u)) * _e167) * 32u) + _e171, 4u) + (naga_mod(u0_, 4u) * 2u)) + 1u];
            uint u1_ = me + 128u;
            uint _e192 = p_2.blocks;
            uint _e196 = k0_;
            metal::half4 xa1_ = x[naga_div((((t0_ + naga_div(u1_, 4u)) * _e192) * 32u) + _e196, 4u) + (naga_mod(u1_, 4u) * 2u)];
            uint _e213 = p_2.blocks;
            uint _e217 = k0_;
            metal::half4 xb1_ = x[(naga_div((((t0_ + naga_div(u1_, 4u)) * _e213) * 32u) + _e217, 4u) + (naga_mod(u1_, 4u) * 2u)) + 1u];
            uint u2_ = me + 256u;
            uint _e238 = p_2.blocks;
            uint _e242 = k0_;
            metal::half4 xa2_ = x[naga_div((((t0_ + naga_div(u2_, 4u)) * _e238) * 32u) + _e242, 4u) + (naga_mod(u2_, 4u) * 2u)];
            uint _e259 = p_2.blocks;
            uint _e263 = k0_;
            metal::half4 xb2_ = x[(naga_div((((t0_ + naga_div(u2_, 4u)) * _e259) * 32u) + _e263, 4u) + (naga_mod(u2_, 4u) * 2u)) + 1u];
            uint u3_ = me + 384u;
            uint _e284 = p_2.blocks;
            uint _e288 = k0_;
            metal::half4 xa3_ = x[naga_div((((t0_ + naga_div(u3_, 4u)) * _e284) * 32u) + _e288, 4u) + (naga_mod(u3_, 4u) * 2u)];
            uint _e305 = p_2.blocks;
            uint _e309 = k0_;
            metal::half4 xb3_ = x[(naga_div((((t0_ + naga_div(u3_, 4u)) * _e305) * 32u) + _e309, 4u) + (naga_mod(u3_, 4u) * 2u)) + 1u];
            uint v0_ = me + 0u;
            uint _e333 = p_2.blocks;
            uint _e337 = k0_;
            type_9 _e344 = weight16_(planes, (((metal::min(n0_ + naga_div(v0_, 2u), part.y - 1u) * _e333) * 2u) + naga_div(_e337, 16u)) + naga_mod(v0_, 2u), codes_1, words, _buffer_sizes);
            uint v1_ = me + 128u;
            uint _e356 = p_2.blocks;
            uint _e360 = k0_;
            type_9 _e367 = weight16_(planes, (((metal::min(n0_ + naga_div(v1_, 2u), part.y - 1u) * _e356) * 2u) + naga_div(_e360, 16u)) + naga_mod(v1_, 2u), codes_1, words, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint to_x0_ = naga_div((naga_div(u0_, 4u) * STRIDE) + (naga_mod(u0_, 4u) * 8u), 4u);
            tile_x.inner[to_x0_] = xa0_;
            tile_x.inner[to_x0_ + 1u] = xb0_;
            uint to_x1_ = naga_div((naga_div(u1_, 4u) * STRIDE) + (naga_mod(u1_, 4u) * 8u), 4u);
            tile_x.inner[to_x1_] = xa1_;
            tile_x.inner[to_x1_ + 1u] = xb1_;
            uint to_x2_ = naga_div((naga_div(u2_, 4u) * STRIDE) + (naga_mod(u2_, 4u) * 8u), 4u);
            tile_x.inner[to_x2_] = xa2_;
            tile_x.inner[to_x2_ + 1u] = xb2_;
            uint to_x3_ = naga_div((naga_div(u3_, 4u) * STRIDE) + (naga_mod(u3_, 4u) * 8u), 4u);
            tile_x.inner[to_x3_] = xa3_;
            tile_x.inner[to_x3_ + 1u] = xb3_;
            uint to_w0_ = naga_div((naga_div(v0_, 2u) * STRIDE) + (naga_mod(v0_, 2u) * 16u), 4u);
            tile_w.inner[to_w0_ + 0u] = static_cast<metal::half4>(_e344.inner[0]);
            tile_w.inner[to_w0_ + 1u] = static_cast<metal::half4>(_e344.inner[1]);
            tile_w.inner[to_w0_ + 2u] = static_cast<metal::half4>(_e344.inner[2]);
            tile_w.inner[to_w0_ + 3u] = static_cast<metal::half4>(_e344.inner[3]);
            uint to_w1_ = naga_div((naga_div(v1_, 2u) * STRIDE) + (naga_mod(v1_, 2u) * 16u), 4u);
            tile_w.inner[to_w1_ + 0u] = static_cast<metal::half4>(_e367.inner[0]);
            tile_w.inner[to_w1_ + 1u] = static_cast<metal::half4>(_e367.inner[1]);
            tile_w.inner[to_w1_ + 2u] = static_cast<metal::half4>(_e367.inner[2]);
            tile_w.inner[to_w1_ + 3u] = static_cast<metal::half4>(_e367.inner[3]);
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
            metal::simdgroup_float16x16 _e602 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e602);
            metal::simdgroup_float16x16 _e604 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e604);
            metal::simdgroup_float16x16 _e606 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e606);
            metal::simdgroup_float16x16 _e608 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e608);
            metal::simdgroup_float16x16 _e610 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e610);
            metal::simdgroup_float16x16 _e612 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e612);
            metal::simdgroup_float16x16 _e614 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e614);
            metal::simdgroup_float16x16 _e616 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e616);
            metal::simdgroup_float16x16 _e618 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e618);
            metal::simdgroup_float16x16 _e620 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e620);
            metal::simdgroup_float16x16 _e622 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e622);
            metal::simdgroup_float16x16 _e624 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e624);
            metal::simdgroup_float16x16 _e626 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e626);
            metal::simdgroup_float16x16 _e628 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e628);
            metal::simdgroup_float16x16 _e630 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e630);
            metal::simdgroup_float16x16 _e632 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e632);
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
            metal::simdgroup_float16x16 _e730 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e730);
            metal::simdgroup_float16x16 _e732 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e732);
            metal::simdgroup_float16x16 _e734 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e734);
            metal::simdgroup_float16x16 _e736 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e736);
            metal::simdgroup_float16x16 _e738 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e738);
            metal::simdgroup_float16x16 _e740 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e740);
            metal::simdgroup_float16x16 _e742 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e742);
            metal::simdgroup_float16x16 _e744 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e744);
            metal::simdgroup_float16x16 _e746 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e746);
            metal::simdgroup_float16x16 _e748 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e748);
            metal::simdgroup_float16x16 _e750 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e750);
            metal::simdgroup_float16x16 _e752 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e752);
            metal::simdgroup_float16x16 _e754 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e754);
            metal::simdgroup_float16x16 _e756 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e756);
            metal::simdgroup_float16x16 _e758 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e758);
            metal::simdgroup_float16x16 _e760 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e760);
        }
    }
    uint width = part.y;
    uint out = part.z + ((group.z * SPLIT_ROWS) * width);
    if ((n0_ + TILE_N) <= width) {
        local_1 = part.w == 0u;
    } else {
        local_1 = false;
    }
    bool _e781 = local_1;
    if (_e781) {
        uint o0_0_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e791 = c0_0_;
        simdgroup_store(_e791, &act[o0_0_], width);
        uint o0_1_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e803 = c0_1_;
        simdgroup_store(_e803, &act[o0_1_], width);
        uint o0_2_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e815 = c0_2_;
        simdgroup_store(_e815, &act[o0_2_], width);
        uint o0_3_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e827 = c0_3_;
        simdgroup_store(_e827, &act[o0_3_], width);
        uint o1_0_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e839 = c1_0_;
        simdgroup_store(_e839, &act[o1_0_], width);
        uint o1_1_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e851 = c1_1_;
        simdgroup_store(_e851, &act[o1_1_], width);
        uint o1_2_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e863 = c1_2_;
        simdgroup_store(_e863, &act[o1_2_], width);
        uint o1_3_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e875 = c1_3_;
        simdgroup_store(_e875, &act[o1_3_], width);
        uint o2_0_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e887 = c2_0_;
        simdgroup_store(_e887, &act[o2_0_], width);
        uint o2_1_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e899 = c2_1_;
        simdgroup_store(_e899, &act[o2_1_], width);
        uint o2_2_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e911 = c2_2_;
        simdgroup_store(_e911, &act[o2_2_], width);
        uint o2_3_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e923 = c2_3_;
        simdgroup_store(_e923, &act[o2_3_], width);
        uint o3_0_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e935 = c3_0_;
        simdgroup_store(_e935, &act[o3_0_], width);
        uint o3_1_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e947 = c3_1_;
        simdgroup_store(_e947, &act[o3_1_], width);
        uint o3_2_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e959 = c3_2_;
        simdgroup_store(_e959, &act[o3_2_], width);
        uint o3_3_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e971 = c3_3_;
        simdgroup_store(_e971, &act[o3_3_], width);
        return;
    } else {
        metal::simdgroup_float16x16 _e974 = c0_0_;
        simdgroup_store(_e974, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e = lane;
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_1 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_1) {
                uint _e1021 = e;
                e = _e1021 + size;
            }
            loop_init_1 = false;
            uint _e979 = e;
            if (_e979 < 256u) {
            } else {
                break;
            }
            {
                uint _e985 = e;
                uint n = ((n0_ + sub_n) + 0u) + naga_mod(_e985, SIDE);
                if (n < width) {
                    uint _e991 = e;
                    float _e994 = spilled.inner[corner + _e991];
                    y = _e994;
                    if (part.w > 0u) {
                        float _e999 = y;
                        float _e1006 = vectors[(part.w - 1u) + n];
                        y = _e999 + _e1006;
                    }
                    uint _e1012 = e;
                    float _e1020 = y;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1012, SIDE)) * width)) + n] = _e1020;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1023 = c0_1_;
        simdgroup_store(_e1023, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_1 = lane;
        uint2 loop_bound_3 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_3 == uint2(0u))) { break; }
            loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e1070 = e_1;
                e_1 = _e1070 + size;
            }
            loop_init_2 = false;
            uint _e1028 = e_1;
            if (_e1028 < 256u) {
            } else {
                break;
            }
            {
                uint _e1034 = e_1;
                uint n_1 = ((n0_ + sub_n) + 16u) + naga_mod(_e1034, SIDE);
                if (n_1 < width) {
                    uint _e1040 = e_1;
                    float _e1043 = spilled.inner[corner + _e1040];
                    y_1 = _e1043;
                    if (part.w > 0u) {
                        float _e1048 = y_1;
                        float _e1055 = vectors[(part.w - 1u) + n_1];
                        y_1 = _e1048 + _e1055;
                    }
                    uint _e1061 = e_1;
                    float _e1069 = y_1;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1061, SIDE)) * width)) + n_1] = _e1069;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1072 = c0_2_;
        simdgroup_store(_e1072, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_2 = lane;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_3 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_3) {
                uint _e1119 = e_2;
                e_2 = _e1119 + size;
            }
            loop_init_3 = false;
            uint _e1077 = e_2;
            if (_e1077 < 256u) {
            } else {
                break;
            }
            {
                uint _e1083 = e_2;
                uint n_2 = ((n0_ + sub_n) + 32u) + naga_mod(_e1083, SIDE);
                if (n_2 < width) {
                    uint _e1089 = e_2;
                    float _e1092 = spilled.inner[corner + _e1089];
                    y_2 = _e1092;
                    if (part.w > 0u) {
                        float _e1097 = y_2;
                        float _e1104 = vectors[(part.w - 1u) + n_2];
                        y_2 = _e1097 + _e1104;
                    }
                    uint _e1110 = e_2;
                    float _e1118 = y_2;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1110, SIDE)) * width)) + n_2] = _e1118;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1121 = c0_3_;
        simdgroup_store(_e1121, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = lane;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e1168 = e_3;
                e_3 = _e1168 + size;
            }
            loop_init_4 = false;
            uint _e1126 = e_3;
            if (_e1126 < 256u) {
            } else {
                break;
            }
            {
                uint _e1132 = e_3;
                uint n_3 = ((n0_ + sub_n) + 48u) + naga_mod(_e1132, SIDE);
                if (n_3 < width) {
                    uint _e1138 = e_3;
                    float _e1141 = spilled.inner[corner + _e1138];
                    y_3 = _e1141;
                    if (part.w > 0u) {
                        float _e1146 = y_3;
                        float _e1153 = vectors[(part.w - 1u) + n_3];
                        y_3 = _e1146 + _e1153;
                    }
                    uint _e1159 = e_3;
                    float _e1167 = y_3;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1159, SIDE)) * width)) + n_3] = _e1167;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1170 = c1_0_;
        simdgroup_store(_e1170, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_4 = lane;
        uint2 loop_bound_6 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_6 == uint2(0u))) { break; }
            loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e1217 = e_4;
                e_4 = _e1217 + size;
            }
            loop_init_5 = false;
            uint _e1175 = e_4;
            if (_e1175 < 256u) {
            } else {
                break;
            }
            {
                uint _e1181 = e_4;
                uint n_4 = ((n0_ + sub_n) + 0u) + naga_mod(_e1181, SIDE);
                if (n_4 < width) {
                    uint _e1187 = e_4;
                    float _e1190 = spilled.inner[corner + _e1187];
                    y_4 = _e1190;
                    if (part.w > 0u) {
                        float _e1195 = y_4;
                        float _e1202 = vectors[(part.w - 1u) + n_4];
                        y_4 = _e1195 + _e1202;
                    }
                    uint _e1208 = e_4;
                    float _e1216 = y_4;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1208, SIDE)) * width)) + n_4] = _e1216;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1219 = c1_1_;
        simdgroup_store(_e1219, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_5 = lane;
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_6 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_6) {
                uint _e1266 = e_5;
                e_5 = _e1266 + size;
            }
            loop_init_6 = false;
            uint _e1224 = e_5;
            if (_e1224 < 256u) {
            } else {
                break;
            }
            {
                uint _e1230 = e_5;
                uint n_5 = ((n0_ + sub_n) + 16u) + naga_mod(_e1230, SIDE);
                if (n_5 < width) {
                    uint _e1236 = e_5;
                    float _e1239 = spilled.inner[corner + _e1236];
                    y_5 = _e1239;
                    if (part.w > 0u) {
                        float _e1244 = y_5;
                        float _e1251 = vectors[(part.w - 1u) + n_5];
                        y_5 = _e1244 + _e1251;
                    }
                    uint _e1257 = e_5;
                    float _e1265 = y_5;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1257, SIDE)) * width)) + n_5] = _e1265;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1268 = c1_2_;
        simdgroup_store(_e1268, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_6 = lane;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e1315 = e_6;
                e_6 = _e1315 + size;
            }
            loop_init_7 = false;
            uint _e1273 = e_6;
            if (_e1273 < 256u) {
            } else {
                break;
            }
            {
                uint _e1279 = e_6;
                uint n_6 = ((n0_ + sub_n) + 32u) + naga_mod(_e1279, SIDE);
                if (n_6 < width) {
                    uint _e1285 = e_6;
                    float _e1288 = spilled.inner[corner + _e1285];
                    y_6 = _e1288;
                    if (part.w > 0u) {
                        float _e1293 = y_6;
                        float _e1300 = vectors[(part.w - 1u) + n_6];
                        y_6 = _e1293 + _e1300;
                    }
                    uint _e1306 = e_6;
                    float _e1314 = y_6;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1306, SIDE)) * width)) + n_6] = _e1314;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1317 = c1_3_;
        simdgroup_store(_e1317, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_7 = lane;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e1364 = e_7;
                e_7 = _e1364 + size;
            }
            loop_init_8 = false;
            uint _e1322 = e_7;
            if (_e1322 < 256u) {
            } else {
                break;
            }
            {
                uint _e1328 = e_7;
                uint n_7 = ((n0_ + sub_n) + 48u) + naga_mod(_e1328, SIDE);
                if (n_7 < width) {
                    uint _e1334 = e_7;
                    float _e1337 = spilled.inner[corner + _e1334];
                    y_7 = _e1337;
                    if (part.w > 0u) {
                        float _e1342 = y_7;
                        float _e1349 = vectors[(part.w - 1u) + n_7];
                        y_7 = _e1342 + _e1349;
                    }
                    uint _e1355 = e_7;
                    float _e1363 = y_7;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1355, SIDE)) * width)) + n_7] = _e1363;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1366 = c2_0_;
        simdgroup_store(_e1366, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_8 = lane;
        uint2 loop_bound_10 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_10 == uint2(0u))) { break; }
            loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e1413 = e_8;
                e_8 = _e1413 + size;
            }
            loop_init_9 = false;
            uint _e1371 = e_8;
            if (_e1371 < 256u) {
            } else {
                break;
            }
            {
                uint _e1377 = e_8;
                uint n_8 = ((n0_ + sub_n) + 0u) + naga_mod(_e1377, SIDE);
                if (n_8 < width) {
                    uint _e1383 = e_8;
                    float _e1386 = spilled.inner[corner + _e1383];
                    y_8 = _e1386;
                    if (part.w > 0u) {
                        float _e1391 = y_8;
                        float _e1398 = vectors[(part.w - 1u) + n_8];
                        y_8 = _e1391 + _e1398;
                    }
                    uint _e1404 = e_8;
                    float _e1412 = y_8;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1404, SIDE)) * width)) + n_8] = _e1412;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1415 = c2_1_;
        simdgroup_store(_e1415, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_9 = lane;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_10 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_10) {
                uint _e1462 = e_9;
                e_9 = _e1462 + size;
            }
            loop_init_10 = false;
            uint _e1420 = e_9;
            if (_e1420 < 256u) {
            } else {
                break;
            }
            {
                uint _e1426 = e_9;
                uint n_9 = ((n0_ + sub_n) + 16u) + naga_mod(_e1426, SIDE);
                if (n_9 < width) {
                    uint _e1432 = e_9;
                    float _e1435 = spilled.inner[corner + _e1432];
                    y_9 = _e1435;
                    if (part.w > 0u) {
                        float _e1440 = y_9;
                        float _e1447 = vectors[(part.w - 1u) + n_9];
                        y_9 = _e1440 + _e1447;
                    }
                    uint _e1453 = e_9;
                    float _e1461 = y_9;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1453, SIDE)) * width)) + n_9] = _e1461;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1464 = c2_2_;
        simdgroup_store(_e1464, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_10 = lane;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1511 = e_10;
                e_10 = _e1511 + size;
            }
            loop_init_11 = false;
            uint _e1469 = e_10;
            if (_e1469 < 256u) {
            } else {
                break;
            }
            {
                uint _e1475 = e_10;
                uint n_10 = ((n0_ + sub_n) + 32u) + naga_mod(_e1475, SIDE);
                if (n_10 < width) {
                    uint _e1481 = e_10;
                    float _e1484 = spilled.inner[corner + _e1481];
                    y_10 = _e1484;
                    if (part.w > 0u) {
                        float _e1489 = y_10;
                        float _e1496 = vectors[(part.w - 1u) + n_10];
                        y_10 = _e1489 + _e1496;
                    }
                    uint _e1502 = e_10;
                    float _e1510 = y_10;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1502, SIDE)) * width)) + n_10] = _e1510;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1513 = c2_3_;
        simdgroup_store(_e1513, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_11 = lane;
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1560 = e_11;
                e_11 = _e1560 + size;
            }
            loop_init_12 = false;
            uint _e1518 = e_11;
            if (_e1518 < 256u) {
            } else {
                break;
            }
            {
                uint _e1524 = e_11;
                uint n_11 = ((n0_ + sub_n) + 48u) + naga_mod(_e1524, SIDE);
                if (n_11 < width) {
                    uint _e1530 = e_11;
                    float _e1533 = spilled.inner[corner + _e1530];
                    y_11 = _e1533;
                    if (part.w > 0u) {
                        float _e1538 = y_11;
                        float _e1545 = vectors[(part.w - 1u) + n_11];
                        y_11 = _e1538 + _e1545;
                    }
                    uint _e1551 = e_11;
                    float _e1559 = y_11;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1551, SIDE)) * width)) + n_11] = _e1559;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1562 = c3_0_;
        simdgroup_store(_e1562, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_12 = lane;
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1609 = e_12;
                e_12 = _e1609 + size;
            }
            loop_init_13 = false;
            uint _e1567 = e_12;
            if (_e1567 < 256u) {
            } else {
                break;
            }
            {
                uint _e1573 = e_12;
                uint n_12 = ((n0_ + sub_n) + 0u) + naga_mod(_e1573, SIDE);
                if (n_12 < width) {
                    uint _e1579 = e_12;
                    float _e1582 = spilled.inner[corner + _e1579];
                    y_12 = _e1582;
                    if (part.w > 0u) {
                        float _e1587 = y_12;
                        float _e1594 = vectors[(part.w - 1u) + n_12];
                        y_12 = _e1587 + _e1594;
                    }
                    uint _e1600 = e_12;
                    float _e1608 = y_12;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1600, SIDE)) * width)) + n_12] = _e1608;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1611 = c3_1_;
        simdgroup_store(_e1611, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_13 = lane;
        uint2 loop_bound_15 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_15 == uint2(0u))) { break; }
            loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1658 = e_13;
                e_13 = _e1658 + size;
            }
            loop_init_14 = false;
            uint _e1616 = e_13;
            if (_e1616 < 256u) {
            } else {
                break;
            }
            {
                uint _e1622 = e_13;
                uint n_13 = ((n0_ + sub_n) + 16u) + naga_mod(_e1622, SIDE);
                if (n_13 < width) {
                    uint _e1628 = e_13;
                    float _e1631 = spilled.inner[corner + _e1628];
                    y_13 = _e1631;
                    if (part.w > 0u) {
                        float _e1636 = y_13;
                        float _e1643 = vectors[(part.w - 1u) + n_13];
                        y_13 = _e1636 + _e1643;
                    }
                    uint _e1649 = e_13;
                    float _e1657 = y_13;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1649, SIDE)) * width)) + n_13] = _e1657;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1660 = c3_2_;
        simdgroup_store(_e1660, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_14 = lane;
        uint2 loop_bound_16 = uint2(4294967295u);
        bool loop_init_15 = true;
        while(true) {
            if (metal::all(loop_bound_16 == uint2(0u))) { break; }
            loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
            if (!loop_init_15) {
                uint _e1707 = e_14;
                e_14 = _e1707 + size;
            }
            loop_init_15 = false;
            uint _e1665 = e_14;
            if (_e1665 < 256u) {
            } else {
                break;
            }
            {
                uint _e1671 = e_14;
                uint n_14 = ((n0_ + sub_n) + 32u) + naga_mod(_e1671, SIDE);
                if (n_14 < width) {
                    uint _e1677 = e_14;
                    float _e1680 = spilled.inner[corner + _e1677];
                    y_14 = _e1680;
                    if (part.w > 0u) {
                        float _e1685 = y_14;
                        float _e1692 = vectors[(part.w - 1u) + n_14];
                        y_14 = _e1685 + _e1692;
                    }
                    uint _e1698 = e_14;
                    float _e1706 = y_14;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1698, SIDE)) * width)) + n_14] = _e1706;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1709 = c3_3_;
        simdgroup_store(_e1709, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_15 = lane;
        uint2 loop_bound_17 = uint2(4294967295u);
        bool loop_init_16 = true;
        while(true) {
            if (metal::all(loop_bound_17 == uint2(0u))) { break; }
            loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
            if (!loop_init_16) {
                uint _e1756 = e_15;
                e_15 = _e1756 + size;
            }
            loop_init_16 = false;
            uint _e1714 = e_15;
            if (_e1714 < 256u) {
            } else {
                break;
            }
            {
                uint _e1720 = e_15;
                uint n_15 = ((n0_ + sub_n) + 48u) + naga_mod(_e1720, SIDE);
                if (n_15 < width) {
                    uint _e1726 = e_15;
                    float _e1729 = spilled.inner[corner + _e1726];
                    y_15 = _e1729;
                    if (part.w > 0u) {
                        float _e1734 = y_15;
                        float _e1741 = vectors[(part.w - 1u) + n_15];
                        y_15 = _e1734 + _e1741;
                    }
                    uint _e1747 = e_15;
                    float _e1755 = y_15;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1747, SIDE)) * width)) + n_15] = _e1755;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    }
}
