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
    uint act;
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
constant uint SQUARES_T = 4u;
constant uint SQUARES_N = 4u;
constant uint DEPTH = 2u;
constant uint LOADS_X = 4u;
constant uint LOADS_W = 2u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint STRIDE = 40u;

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
    uint k0_ = 0u;
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
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e735 = k0_;
            k0_ = _e735 + TILE_K;
        }
        loop_init = false;
        uint _e104 = k0_;
        uint _e107 = p_2.blocks;
        if (_e104 < (_e107 * 32u)) {
        } else {
            break;
        }
        {
            uint u0_ = me + 0u;
            uint _e119 = p_2.blocks;
            uint _e123 = k0_;
            metal::half4 xa0_ = x[naga_div((((t0_ + naga_div(u0_, 4u)) * _e119) * 32u) + _e123, 4u) + (naga_mod(u0_, 4u) * 2u)];
            uint _e140 = p_2.blocks;
            uint _e144 = k0_;
            metal::half4 xb0_ = x[(naga_div((((t0_ + naga_div(u0_, 4u)) * _e140) * 32u) + _e144, 4u) + (naga_mod(u0_, 4u) * 2u)) + 1u];
            uint u1_ = me + 128u;
            uint _e165 = p_2.blocks;
            uint _e169 = k0_;
            metal::half4 xa1_ = x[naga_div((((t0_ + naga_div(u1_, 4u)) * _e165) * 32u) + _e169, 4u) + (naga_mod(u1_, 4u) * 2u)];
            uint _e186 = p_2.blocks;
            uint _e190 = k0_;
            metal::half4 xb1_ = x[(naga_div((((t0_ + naga_div(u1_, 4u)) * _e186) * 32u) + _e190, 4u) + (naga_mod(u1_, 4u) * 2u)) + 1u];
            uint u2_ = me + 256u;
            uint _e211 = p_2.blocks;
            uint _e215 = k0_;
            metal::half4 xa2_ = x[naga_div((((t0_ + naga_div(u2_, 4u)) * _e211) * 32u) + _e215, 4u) + (naga_mod(u2_, 4u) * 2u)];
            uint _e232 = p_2.blocks;
            uint _e236 = k0_;
            metal::half4 xb2_ = x[(naga_div((((t0_ + naga_div(u2_, 4u)) * _e232) * 32u) + _e236, 4u) + (naga_mod(u2_, 4u) * 2u)) + 1u];
            uint u3_ = me + 384u;
            uint _e257 = p_2.blocks;
            uint _e261 = k0_;
            metal::half4 xa3_ = x[naga_div((((t0_ + naga_div(u3_, 4u)) * _e257) * 32u) + _e261, 4u) + (naga_mod(u3_, 4u) * 2u)];
            uint _e278 = p_2.blocks;
            uint _e282 = k0_;
            metal::half4 xb3_ = x[(naga_div((((t0_ + naga_div(u3_, 4u)) * _e278) * 32u) + _e282, 4u) + (naga_mod(u3_, 4u) * 2u)) + 1u];
            uint v0_ = me + 0u;
            uint _e306 = p_2.blocks;
            uint _e310 = k0_;
            type_9 _e317 = weight16_(planes, (((metal::min(n0_ + naga_div(v0_, 2u), part.y - 1u) * _e306) * 2u) + naga_div(_e310, 16u)) + naga_mod(v0_, 2u), codes_1, words, _buffer_sizes);
            uint v1_ = me + 128u;
            uint _e329 = p_2.blocks;
            uint _e333 = k0_;
            type_9 _e340 = weight16_(planes, (((metal::min(n0_ + naga_div(v1_, 2u), part.y - 1u) * _e329) * 2u) + naga_div(_e333, 16u)) + naga_mod(v1_, 2u), codes_1, words, _buffer_sizes);
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
            tile_w.inner[to_w0_ + 0u] = static_cast<metal::half4>(_e317.inner[0]);
            tile_w.inner[to_w0_ + 1u] = static_cast<metal::half4>(_e317.inner[1]);
            tile_w.inner[to_w0_ + 2u] = static_cast<metal::half4>(_e317.inner[2]);
            tile_w.inner[to_w0_ + 3u] = static_cast<metal::half4>(_e317.inner[3]);
            uint to_w1_ = naga_div((naga_div(v1_, 2u) * STRIDE) + (naga_mod(v1_, 2u) * 16u), 4u);
            tile_w.inner[to_w1_ + 0u] = static_cast<metal::half4>(_e340.inner[0]);
            tile_w.inner[to_w1_ + 1u] = static_cast<metal::half4>(_e340.inner[1]);
            tile_w.inner[to_w1_ + 2u] = static_cast<metal::half4>(_e340.inner[2]);
            tile_w.inner[to_w1_ + 3u] = static_cast<metal::half4>(_e340.inner[3]);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint ia0_0_ = naga_div((sub_t + 0u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 a0_0_ = NagaCooperativeLoad(&tile_x.inner[ia0_0_], 10u, false);
            uint ia0_1_ = naga_div((sub_t + 16u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 a0_1_ = NagaCooperativeLoad(&tile_x.inner[ia0_1_], 10u, false);
            uint ia0_2_ = naga_div((sub_t + 32u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 a0_2_ = NagaCooperativeLoad(&tile_x.inner[ia0_2_], 10u, false);
            uint ia0_3_ = naga_div((sub_t + 48u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 a0_3_ = NagaCooperativeLoad(&tile_x.inner[ia0_3_], 10u, false);
            uint ib0_0_ = naga_div((sub_n + 0u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 b0_0_ = NagaCooperativeLoad(&tile_w.inner[ib0_0_], 10u, true);
            uint ib0_1_ = naga_div((sub_n + 16u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 b0_1_ = NagaCooperativeLoad(&tile_w.inner[ib0_1_], 10u, true);
            uint ib0_2_ = naga_div((sub_n + 32u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 b0_2_ = NagaCooperativeLoad(&tile_w.inner[ib0_2_], 10u, true);
            uint ib0_3_ = naga_div((sub_n + 48u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 b0_3_ = NagaCooperativeLoad(&tile_w.inner[ib0_3_], 10u, true);
            metal::simdgroup_float16x16 _e575 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e575);
            metal::simdgroup_float16x16 _e577 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e577);
            metal::simdgroup_float16x16 _e579 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e579);
            metal::simdgroup_float16x16 _e581 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e581);
            metal::simdgroup_float16x16 _e583 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e583);
            metal::simdgroup_float16x16 _e585 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e585);
            metal::simdgroup_float16x16 _e587 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e587);
            metal::simdgroup_float16x16 _e589 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e589);
            metal::simdgroup_float16x16 _e591 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e591);
            metal::simdgroup_float16x16 _e593 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e593);
            metal::simdgroup_float16x16 _e595 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e595);
            metal::simdgroup_float16x16 _e597 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e597);
            metal::simdgroup_float16x16 _e599 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e599);
            metal::simdgroup_float16x16 _e601 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e601);
            metal::simdgroup_float16x16 _e603 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e603);
            metal::simdgroup_float16x16 _e605 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e605);
            uint ia1_0_ = naga_div((sub_t + 0u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 a1_0_ = NagaCooperativeLoad(&tile_x.inner[ia1_0_], 10u, false);
            uint ia1_1_ = naga_div((sub_t + 16u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 a1_1_ = NagaCooperativeLoad(&tile_x.inner[ia1_1_], 10u, false);
            uint ia1_2_ = naga_div((sub_t + 32u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 a1_2_ = NagaCooperativeLoad(&tile_x.inner[ia1_2_], 10u, false);
            uint ia1_3_ = naga_div((sub_t + 48u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 a1_3_ = NagaCooperativeLoad(&tile_x.inner[ia1_3_], 10u, false);
            uint ib1_0_ = naga_div((sub_n + 0u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 b1_0_ = NagaCooperativeLoad(&tile_w.inner[ib1_0_], 10u, true);
            uint ib1_1_ = naga_div((sub_n + 16u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 b1_1_ = NagaCooperativeLoad(&tile_w.inner[ib1_1_], 10u, true);
            uint ib1_2_ = naga_div((sub_n + 32u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 b1_2_ = NagaCooperativeLoad(&tile_w.inner[ib1_2_], 10u, true);
            uint ib1_3_ = naga_div((sub_n + 48u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 b1_3_ = NagaCooperativeLoad(&tile_w.inner[ib1_3_], 10u, true);
            metal::simdgroup_float16x16 _e703 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e703);
            metal::simdgroup_float16x16 _e705 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e705);
            metal::simdgroup_float16x16 _e707 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e707);
            metal::simdgroup_float16x16 _e709 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e709);
            metal::simdgroup_float16x16 _e711 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e711);
            metal::simdgroup_float16x16 _e713 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e713);
            metal::simdgroup_float16x16 _e715 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e715);
            metal::simdgroup_float16x16 _e717 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e717);
            metal::simdgroup_float16x16 _e719 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e719);
            metal::simdgroup_float16x16 _e721 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e721);
            metal::simdgroup_float16x16 _e723 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e723);
            metal::simdgroup_float16x16 _e725 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e725);
            metal::simdgroup_float16x16 _e727 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e727);
            metal::simdgroup_float16x16 _e729 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e729);
            metal::simdgroup_float16x16 _e731 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e731);
            metal::simdgroup_float16x16 _e733 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e733);
        }
    }
    uint width = part.y;
    if ((n0_ + TILE_N) <= width) {
        local_1 = part.w == 0u;
    } else {
        local_1 = false;
    }
    bool _e748 = local_1;
    if (_e748) {
        uint o0_0_ = (((part.z + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e759 = c0_0_;
        simdgroup_store(_e759, &act[o0_0_], width);
        uint o0_1_ = (((part.z + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e772 = c0_1_;
        simdgroup_store(_e772, &act[o0_1_], width);
        uint o0_2_ = (((part.z + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e785 = c0_2_;
        simdgroup_store(_e785, &act[o0_2_], width);
        uint o0_3_ = (((part.z + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e798 = c0_3_;
        simdgroup_store(_e798, &act[o0_3_], width);
        uint o1_0_ = (((part.z + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e811 = c1_0_;
        simdgroup_store(_e811, &act[o1_0_], width);
        uint o1_1_ = (((part.z + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e824 = c1_1_;
        simdgroup_store(_e824, &act[o1_1_], width);
        uint o1_2_ = (((part.z + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e837 = c1_2_;
        simdgroup_store(_e837, &act[o1_2_], width);
        uint o1_3_ = (((part.z + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e850 = c1_3_;
        simdgroup_store(_e850, &act[o1_3_], width);
        uint o2_0_ = (((part.z + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e863 = c2_0_;
        simdgroup_store(_e863, &act[o2_0_], width);
        uint o2_1_ = (((part.z + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e876 = c2_1_;
        simdgroup_store(_e876, &act[o2_1_], width);
        uint o2_2_ = (((part.z + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e889 = c2_2_;
        simdgroup_store(_e889, &act[o2_2_], width);
        uint o2_3_ = (((part.z + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e902 = c2_3_;
        simdgroup_store(_e902, &act[o2_3_], width);
        uint o3_0_ = (((part.z + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e915 = c3_0_;
        simdgroup_store(_e915, &act[o3_0_], width);
        uint o3_1_ = (((part.z + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e928 = c3_1_;
        simdgroup_store(_e928, &act[o3_1_], width);
        uint o3_2_ = (((part.z + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e941 = c3_2_;
        simdgroup_store(_e941, &act[o3_2_], width);
        uint o3_3_ = (((part.z + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e954 = c3_3_;
        simdgroup_store(_e954, &act[o3_3_], width);
        return;
    } else {
        uint corner = subgroup * 256u;
        metal::simdgroup_float16x16 _e959 = c0_0_;
        simdgroup_store(_e959, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e = lane;
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_1 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_1) {
                uint _e1007 = e;
                e = _e1007 + size;
            }
            loop_init_1 = false;
            uint _e964 = e;
            if (_e964 < 256u) {
            } else {
                break;
            }
            {
                uint _e970 = e;
                uint n = ((n0_ + sub_n) + 0u) + naga_mod(_e970, 16u);
                if (n < width) {
                    uint _e976 = e;
                    float _e979 = spilled.inner[corner + _e976];
                    y = _e979;
                    if (part.w > 0u) {
                        float _e984 = y;
                        float _e991 = vectors[(part.w - 1u) + n];
                        y = _e984 + _e991;
                    }
                    uint _e998 = e;
                    float _e1006 = y;
                    act[(part.z + ((((t0_ + sub_t) + 0u) + naga_div(_e998, 16u)) * width)) + n] = _e1006;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1009 = c0_1_;
        simdgroup_store(_e1009, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_1 = lane;
        uint2 loop_bound_3 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_3 == uint2(0u))) { break; }
            loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e1057 = e_1;
                e_1 = _e1057 + size;
            }
            loop_init_2 = false;
            uint _e1014 = e_1;
            if (_e1014 < 256u) {
            } else {
                break;
            }
            {
                uint _e1020 = e_1;
                uint n_1 = ((n0_ + sub_n) + 16u) + naga_mod(_e1020, 16u);
                if (n_1 < width) {
                    uint _e1026 = e_1;
                    float _e1029 = spilled.inner[corner + _e1026];
                    y_1 = _e1029;
                    if (part.w > 0u) {
                        float _e1034 = y_1;
                        float _e1041 = vectors[(part.w - 1u) + n_1];
                        y_1 = _e1034 + _e1041;
                    }
                    uint _e1048 = e_1;
                    float _e1056 = y_1;
                    act[(part.z + ((((t0_ + sub_t) + 0u) + naga_div(_e1048, 16u)) * width)) + n_1] = _e1056;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1059 = c0_2_;
        simdgroup_store(_e1059, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_2 = lane;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_3 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_3) {
                uint _e1107 = e_2;
                e_2 = _e1107 + size;
            }
            loop_init_3 = false;
            uint _e1064 = e_2;
            if (_e1064 < 256u) {
            } else {
                break;
            }
            {
                uint _e1070 = e_2;
                uint n_2 = ((n0_ + sub_n) + 32u) + naga_mod(_e1070, 16u);
                if (n_2 < width) {
                    uint _e1076 = e_2;
                    float _e1079 = spilled.inner[corner + _e1076];
                    y_2 = _e1079;
                    if (part.w > 0u) {
                        float _e1084 = y_2;
                        float _e1091 = vectors[(part.w - 1u) + n_2];
                        y_2 = _e1084 + _e1091;
                    }
                    uint _e1098 = e_2;
                    float _e1106 = y_2;
                    act[(part.z + ((((t0_ + sub_t) + 0u) + naga_div(_e1098, 16u)) * width)) + n_2] = _e1106;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1109 = c0_3_;
        simdgroup_store(_e1109, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = lane;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e1157 = e_3;
                e_3 = _e1157 + size;
            }
            loop_init_4 = false;
            uint _e1114 = e_3;
            if (_e1114 < 256u) {
            } else {
                break;
            }
            {
                uint _e1120 = e_3;
                uint n_3 = ((n0_ + sub_n) + 48u) + naga_mod(_e1120, 16u);
                if (n_3 < width) {
                    uint _e1126 = e_3;
                    float _e1129 = spilled.inner[corner + _e1126];
                    y_3 = _e1129;
                    if (part.w > 0u) {
                        float _e1134 = y_3;
                        float _e1141 = vectors[(part.w - 1u) + n_3];
                        y_3 = _e1134 + _e1141;
                    }
                    uint _e1148 = e_3;
                    float _e1156 = y_3;
                    act[(part.z + ((((t0_ + sub_t) + 0u) + naga_div(_e1148, 16u)) * width)) + n_3] = _e1156;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1159 = c1_0_;
        simdgroup_store(_e1159, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_4 = lane;
        uint2 loop_bound_6 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_6 == uint2(0u))) { break; }
            loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e1207 = e_4;
                e_4 = _e1207 + size;
            }
            loop_init_5 = false;
            uint _e1164 = e_4;
            if (_e1164 < 256u) {
            } else {
                break;
            }
            {
                uint _e1170 = e_4;
                uint n_4 = ((n0_ + sub_n) + 0u) + naga_mod(_e1170, 16u);
                if (n_4 < width) {
                    uint _e1176 = e_4;
                    float _e1179 = spilled.inner[corner + _e1176];
                    y_4 = _e1179;
                    if (part.w > 0u) {
                        float _e1184 = y_4;
                        float _e1191 = vectors[(part.w - 1u) + n_4];
                        y_4 = _e1184 + _e1191;
                    }
                    uint _e1198 = e_4;
                    float _e1206 = y_4;
                    act[(part.z + ((((t0_ + sub_t) + 16u) + naga_div(_e1198, 16u)) * width)) + n_4] = _e1206;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1209 = c1_1_;
        simdgroup_store(_e1209, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_5 = lane;
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_6 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_6) {
                uint _e1257 = e_5;
                e_5 = _e1257 + size;
            }
            loop_init_6 = false;
            uint _e1214 = e_5;
            if (_e1214 < 256u) {
            } else {
                break;
            }
            {
                uint _e1220 = e_5;
                uint n_5 = ((n0_ + sub_n) + 16u) + naga_mod(_e1220, 16u);
                if (n_5 < width) {
                    uint _e1226 = e_5;
                    float _e1229 = spilled.inner[corner + _e1226];
                    y_5 = _e1229;
                    if (part.w > 0u) {
                        float _e1234 = y_5;
                        float _e1241 = vectors[(part.w - 1u) + n_5];
                        y_5 = _e1234 + _e1241;
                    }
                    uint _e1248 = e_5;
                    float _e1256 = y_5;
                    act[(part.z + ((((t0_ + sub_t) + 16u) + naga_div(_e1248, 16u)) * width)) + n_5] = _e1256;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1259 = c1_2_;
        simdgroup_store(_e1259, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_6 = lane;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e1307 = e_6;
                e_6 = _e1307 + size;
            }
            loop_init_7 = false;
            uint _e1264 = e_6;
            if (_e1264 < 256u) {
            } else {
                break;
            }
            {
                uint _e1270 = e_6;
                uint n_6 = ((n0_ + sub_n) + 32u) + naga_mod(_e1270, 16u);
                if (n_6 < width) {
                    uint _e1276 = e_6;
                    float _e1279 = spilled.inner[corner + _e1276];
                    y_6 = _e1279;
                    if (part.w > 0u) {
                        float _e1284 = y_6;
                        float _e1291 = vectors[(part.w - 1u) + n_6];
                        y_6 = _e1284 + _e1291;
                    }
                    uint _e1298 = e_6;
                    float _e1306 = y_6;
                    act[(part.z + ((((t0_ + sub_t) + 16u) + naga_div(_e1298, 16u)) * width)) + n_6] = _e1306;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1309 = c1_3_;
        simdgroup_store(_e1309, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_7 = lane;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e1357 = e_7;
                e_7 = _e1357 + size;
            }
            loop_init_8 = false;
            uint _e1314 = e_7;
            if (_e1314 < 256u) {
            } else {
                break;
            }
            {
                uint _e1320 = e_7;
                uint n_7 = ((n0_ + sub_n) + 48u) + naga_mod(_e1320, 16u);
                if (n_7 < width) {
                    uint _e1326 = e_7;
                    float _e1329 = spilled.inner[corner + _e1326];
                    y_7 = _e1329;
                    if (part.w > 0u) {
                        float _e1334 = y_7;
                        float _e1341 = vectors[(part.w - 1u) + n_7];
                        y_7 = _e1334 + _e1341;
                    }
                    uint _e1348 = e_7;
                    float _e1356 = y_7;
                    act[(part.z + ((((t0_ + sub_t) + 16u) + naga_div(_e1348, 16u)) * width)) + n_7] = _e1356;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1359 = c2_0_;
        simdgroup_store(_e1359, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_8 = lane;
        uint2 loop_bound_10 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_10 == uint2(0u))) { break; }
            loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e1407 = e_8;
                e_8 = _e1407 + size;
            }
            loop_init_9 = false;
            uint _e1364 = e_8;
            if (_e1364 < 256u) {
            } else {
                break;
            }
            {
                uint _e1370 = e_8;
                uint n_8 = ((n0_ + sub_n) + 0u) + naga_mod(_e1370, 16u);
                if (n_8 < width) {
                    uint _e1376 = e_8;
                    float _e1379 = spilled.inner[corner + _e1376];
                    y_8 = _e1379;
                    if (part.w > 0u) {
                        float _e1384 = y_8;
                        float _e1391 = vectors[(part.w - 1u) + n_8];
                        y_8 = _e1384 + _e1391;
                    }
                    uint _e1398 = e_8;
                    float _e1406 = y_8;
                    act[(part.z + ((((t0_ + sub_t) + 32u) + naga_div(_e1398, 16u)) * width)) + n_8] = _e1406;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1409 = c2_1_;
        simdgroup_store(_e1409, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_9 = lane;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_10 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_10) {
                uint _e1457 = e_9;
                e_9 = _e1457 + size;
            }
            loop_init_10 = false;
            uint _e1414 = e_9;
            if (_e1414 < 256u) {
            } else {
                break;
            }
            {
                uint _e1420 = e_9;
                uint n_9 = ((n0_ + sub_n) + 16u) + naga_mod(_e1420, 16u);
                if (n_9 < width) {
                    uint _e1426 = e_9;
                    float _e1429 = spilled.inner[corner + _e1426];
                    y_9 = _e1429;
                    if (part.w > 0u) {
                        float _e1434 = y_9;
                        float _e1441 = vectors[(part.w - 1u) + n_9];
                        y_9 = _e1434 + _e1441;
                    }
                    uint _e1448 = e_9;
                    float _e1456 = y_9;
                    act[(part.z + ((((t0_ + sub_t) + 32u) + naga_div(_e1448, 16u)) * width)) + n_9] = _e1456;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1459 = c2_2_;
        simdgroup_store(_e1459, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_10 = lane;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1507 = e_10;
                e_10 = _e1507 + size;
            }
            loop_init_11 = false;
            uint _e1464 = e_10;
            if (_e1464 < 256u) {
            } else {
                break;
            }
            {
                uint _e1470 = e_10;
                uint n_10 = ((n0_ + sub_n) + 32u) + naga_mod(_e1470, 16u);
                if (n_10 < width) {
                    uint _e1476 = e_10;
                    float _e1479 = spilled.inner[corner + _e1476];
                    y_10 = _e1479;
                    if (part.w > 0u) {
                        float _e1484 = y_10;
                        float _e1491 = vectors[(part.w - 1u) + n_10];
                        y_10 = _e1484 + _e1491;
                    }
                    uint _e1498 = e_10;
                    float _e1506 = y_10;
                    act[(part.z + ((((t0_ + sub_t) + 32u) + naga_div(_e1498, 16u)) * width)) + n_10] = _e1506;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1509 = c2_3_;
        simdgroup_store(_e1509, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_11 = lane;
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1557 = e_11;
                e_11 = _e1557 + size;
            }
            loop_init_12 = false;
            uint _e1514 = e_11;
            if (_e1514 < 256u) {
            } else {
                break;
            }
            {
                uint _e1520 = e_11;
                uint n_11 = ((n0_ + sub_n) + 48u) + naga_mod(_e1520, 16u);
                if (n_11 < width) {
                    uint _e1526 = e_11;
                    float _e1529 = spilled.inner[corner + _e1526];
                    y_11 = _e1529;
                    if (part.w > 0u) {
                        float _e1534 = y_11;
                        float _e1541 = vectors[(part.w - 1u) + n_11];
                        y_11 = _e1534 + _e1541;
                    }
                    uint _e1548 = e_11;
                    float _e1556 = y_11;
                    act[(part.z + ((((t0_ + sub_t) + 32u) + naga_div(_e1548, 16u)) * width)) + n_11] = _e1556;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1559 = c3_0_;
        simdgroup_store(_e1559, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_12 = lane;
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1607 = e_12;
                e_12 = _e1607 + size;
            }
            loop_init_13 = false;
            uint _e1564 = e_12;
            if (_e1564 < 256u) {
            } else {
                break;
            }
            {
                uint _e1570 = e_12;
                uint n_12 = ((n0_ + sub_n) + 0u) + naga_mod(_e1570, 16u);
                if (n_12 < width) {
                    uint _e1576 = e_12;
                    float _e1579 = spilled.inner[corner + _e1576];
                    y_12 = _e1579;
                    if (part.w > 0u) {
                        float _e1584 = y_12;
                        float _e1591 = vectors[(part.w - 1u) + n_12];
                        y_12 = _e1584 + _e1591;
                    }
                    uint _e1598 = e_12;
                    float _e1606 = y_12;
                    act[(part.z + ((((t0_ + sub_t) + 48u) + naga_div(_e1598, 16u)) * width)) + n_12] = _e1606;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1609 = c3_1_;
        simdgroup_store(_e1609, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_13 = lane;
        uint2 loop_bound_15 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_15 == uint2(0u))) { break; }
            loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1657 = e_13;
                e_13 = _e1657 + size;
            }
            loop_init_14 = false;
            uint _e1614 = e_13;
            if (_e1614 < 256u) {
            } else {
                break;
            }
            {
                uint _e1620 = e_13;
                uint n_13 = ((n0_ + sub_n) + 16u) + naga_mod(_e1620, 16u);
                if (n_13 < width) {
                    uint _e1626 = e_13;
                    float _e1629 = spilled.inner[corner + _e1626];
                    y_13 = _e1629;
                    if (part.w > 0u) {
                        float _e1634 = y_13;
                        float _e1641 = vectors[(part.w - 1u) + n_13];
                        y_13 = _e1634 + _e1641;
                    }
                    uint _e1648 = e_13;
                    float _e1656 = y_13;
                    act[(part.z + ((((t0_ + sub_t) + 48u) + naga_div(_e1648, 16u)) * width)) + n_13] = _e1656;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1659 = c3_2_;
        simdgroup_store(_e1659, &spilled.inner[corner], 16u);
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
            uint _e1664 = e_14;
            if (_e1664 < 256u) {
            } else {
                break;
            }
            {
                uint _e1670 = e_14;
                uint n_14 = ((n0_ + sub_n) + 32u) + naga_mod(_e1670, 16u);
                if (n_14 < width) {
                    uint _e1676 = e_14;
                    float _e1679 = spilled.inner[corner + _e1676];
                    y_14 = _e1679;
                    if (part.w > 0u) {
                        float _e1684 = y_14;
                        float _e1691 = vectors[(part.w - 1u) + n_14];
                        y_14 = _e1684 + _e1691;
                    }
                    uint _e1698 = e_14;
                    float _e1706 = y_14;
                    act[(part.z + ((((t0_ + sub_t) + 48u) + naga_div(_e1698, 16u)) * width)) + n_14] = _e1706;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1709 = c3_3_;
        simdgroup_store(_e1709, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_15 = lane;
        uint2 loop_bound_17 = uint2(4294967295u);
        bool loop_init_16 = true;
        while(true) {
            if (metal::all(loop_bound_17 == uint2(0u))) { break; }
            loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
            if (!loop_init_16) {
                uint _e1757 = e_15;
                e_15 = _e1757 + size;
            }
            loop_init_16 = false;
            uint _e1714 = e_15;
            if (_e1714 < 256u) {
            } else {
                break;
            }
            {
                uint _e1720 = e_15;
                uint n_15 = ((n0_ + sub_n) + 48u) + naga_mod(_e1720, 16u);
                if (n_15 < width) {
                    uint _e1726 = e_15;
                    float _e1729 = spilled.inner[corner + _e1726];
                    y_15 = _e1729;
                    if (part.w > 0u) {
                        float _e1734 = y_15;
                        float _e1741 = vectors[(part.w - 1u) + n_15];
                        y_15 = _e1734 + _e1741;
                    }
                    uint _e1748 = e_15;
                    float _e1756 = y_15;
                    act[(part.z + ((((t0_ + sub_t) + 48u) + naga_div(_e1748, 16u)) * width)) + n_15] = _e1756;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    }
}
