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
    uint _e105 = p_2.depth;
    uint begin = (group.z * _e105) * 32u;
    uint _e111 = p_2.blocks;
    uint _e114 = p_2.blocks;
    uint _e120 = p_2.depth;
    uint _e125 = p_2.depth;
    uint end = ((_e125 > 0u) ? metal::min(_e114, (group.z + 1u) * _e120) : _e111) * 32u;
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e758 = k0_;
            k0_ = _e758 + TILE_K;
        }
        loop_init = false;
        uint _e132 = k0_;
        if (_e132 < end) {
        } else {
            break;
        }
        {
            uint u0_ = me + 0u;
            uint _e142 = p_2.blocks;
            uint _e146 = k0_;
            metal::half4 xa0_ = x[naga_div((((t0_ + naga_div(u0_, 4u)) * _e142) * 32u) + _e146, 4u) + (naga_mod(u0_, 4u) * 2u)];
            uint _e163 = p_2.blocks;
            uint _e167 = k0_;
            metal::half4 xb0_ = x[(naga_div((((t0_ + naga_div(u0_, 4u)) * _e163) * 32u) + _e167, 4u) + (naga_mod(u0_, 4u) * 2u)) + 1u];
            uint u1_ = me + 128u;
            uint _e188 = p_2.blocks;
            uint _e192 = k0_;
            metal::half4 xa1_ = x[naga_div((((t0_ + naga_div(u1_, 4u)) * _e188) * 32u) + _e192, 4u) + (naga_mod(u1_, 4u) * 2u)];
            uint _e209 = p_2.blocks;
            uint _e213 = k0_;
            metal::half4 xb1_ = x[(naga_div((((t0_ + naga_div(u1_, 4u)) * _e209) * 32u) + _e213, 4u) + (naga_mod(u1_, 4u) * 2u)) + 1u];
            uint u2_ = me + 256u;
            uint _e234 = p_2.blocks;
            uint _e238 = k0_;
            metal::half4 xa2_ = x[naga_div((((t0_ + naga_div(u2_, 4u)) * _e234) * 32u) + _e238, 4u) + (naga_mod(u2_, 4u) * 2u)];
            uint _e255 = p_2.blocks;
            uint _e259 = k0_;
            metal::half4 xb2_ = x[(naga_div((((t0_ + naga_div(u2_, 4u)) * _e255) * 32u) + _e259, 4u) + (naga_mod(u2_, 4u) * 2u)) + 1u];
            uint u3_ = me + 384u;
            uint _e280 = p_2.blocks;
            uint _e284 = k0_;
            metal::half4 xa3_ = x[naga_div((((t0_ + naga_div(u3_, 4u)) * _e280) * 32u) + _e284, 4u) + (naga_mod(u3_, 4u) * 2u)];
            uint _e301 = p_2.blocks;
            uint _e305 = k0_;
            metal::half4 xb3_ = x[(naga_div((((t0_ + naga_div(u3_, 4u)) * _e301) * 32u) + _e305, 4u) + (naga_mod(u3_, 4u) * 2u)) + 1u];
            uint v0_ = me + 0u;
            uint _e329 = p_2.blocks;
            uint _e333 = k0_;
            type_9 _e340 = weight16_(planes, (((metal::min(n0_ + naga_div(v0_, 2u), part.y - 1u) * _e329) * 2u) + naga_div(_e333, 16u)) + naga_mod(v0_, 2u), codes_1, words, _buffer_sizes);
            uint v1_ = me + 128u;
            uint _e352 = p_2.blocks;
            uint _e356 = k0_;
            type_9 _e363 = weight16_(planes, (((metal::min(n0_ + naga_div(v1_, 2u), part.y - 1u) * _e352) * 2u) + naga_div(_e356, 16u)) + naga_mod(v1_, 2u), codes_1, words, _buffer_sizes);
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
            tile_w.inner[to_w0_ + 0u] = static_cast<metal::half4>(_e340.inner[0]);
            tile_w.inner[to_w0_ + 1u] = static_cast<metal::half4>(_e340.inner[1]);
            tile_w.inner[to_w0_ + 2u] = static_cast<metal::half4>(_e340.inner[2]);
            tile_w.inner[to_w0_ + 3u] = static_cast<metal::half4>(_e340.inner[3]);
            uint to_w1_ = naga_div((naga_div(v1_, 2u) * STRIDE) + (naga_mod(v1_, 2u) * 16u), 4u);
            tile_w.inner[to_w1_ + 0u] = static_cast<metal::half4>(_e363.inner[0]);
            tile_w.inner[to_w1_ + 1u] = static_cast<metal::half4>(_e363.inner[1]);
            tile_w.inner[to_w1_ + 2u] = static_cast<metal::half4>(_e363.inner[2]);
            tile_w.inner[to_w1_ + 3u] = static_cast<metal::half4>(_e363.inner[3]);
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
            metal::simdgroup_float16x16 _e598 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e598);
            metal::simdgroup_float16x16 _e600 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e600);
            metal::simdgroup_float16x16 _e602 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e602);
            metal::simdgroup_float16x16 _e604 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e604);
            metal::simdgroup_float16x16 _e606 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e606);
            metal::simdgroup_float16x16 _e608 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e608);
            metal::simdgroup_float16x16 _e610 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e610);
            metal::simdgroup_float16x16 _e612 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e612);
            metal::simdgroup_float16x16 _e614 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e614);
            metal::simdgroup_float16x16 _e616 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e616);
            metal::simdgroup_float16x16 _e618 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e618);
            metal::simdgroup_float16x16 _e620 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e620);
            metal::simdgroup_float16x16 _e622 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e622);
            metal::simdgroup_float16x16 _e624 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e624);
            metal::simdgroup_float16x16 _e626 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e626);
            metal::simdgroup_float16x16 _e628 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e628);
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
            metal::simdgroup_float16x16 _e726 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e726);
            metal::simdgroup_float16x16 _e728 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e728);
            metal::simdgroup_float16x16 _e730 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e730);
            metal::simdgroup_float16x16 _e732 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e732);
            metal::simdgroup_float16x16 _e734 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e734);
            metal::simdgroup_float16x16 _e736 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e736);
            metal::simdgroup_float16x16 _e738 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e738);
            metal::simdgroup_float16x16 _e740 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e740);
            metal::simdgroup_float16x16 _e742 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e742);
            metal::simdgroup_float16x16 _e744 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e744);
            metal::simdgroup_float16x16 _e746 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e746);
            metal::simdgroup_float16x16 _e748 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e748);
            metal::simdgroup_float16x16 _e750 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e750);
            metal::simdgroup_float16x16 _e752 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e752);
            metal::simdgroup_float16x16 _e754 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e754);
            metal::simdgroup_float16x16 _e756 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e756);
        }
    }
    uint width = part.y;
    uint out = part.z + ((group.z * SPLIT_ROWS) * width);
    if ((n0_ + TILE_N) <= width) {
        local_1 = part.w == 0u;
    } else {
        local_1 = false;
    }
    bool _e777 = local_1;
    if (_e777) {
        uint o0_0_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e787 = c0_0_;
        simdgroup_store(_e787, &act[o0_0_], width);
        uint o0_1_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e799 = c0_1_;
        simdgroup_store(_e799, &act[o0_1_], width);
        uint o0_2_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e811 = c0_2_;
        simdgroup_store(_e811, &act[o0_2_], width);
        uint o0_3_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e823 = c0_3_;
        simdgroup_store(_e823, &act[o0_3_], width);
        uint o1_0_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e835 = c1_0_;
        simdgroup_store(_e835, &act[o1_0_], width);
        uint o1_1_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e847 = c1_1_;
        simdgroup_store(_e847, &act[o1_1_], width);
        uint o1_2_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e859 = c1_2_;
        simdgroup_store(_e859, &act[o1_2_], width);
        uint o1_3_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e871 = c1_3_;
        simdgroup_store(_e871, &act[o1_3_], width);
        uint o2_0_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e883 = c2_0_;
        simdgroup_store(_e883, &act[o2_0_], width);
        uint o2_1_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e895 = c2_1_;
        simdgroup_store(_e895, &act[o2_1_], width);
        uint o2_2_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e907 = c2_2_;
        simdgroup_store(_e907, &act[o2_2_], width);
        uint o2_3_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e919 = c2_3_;
        simdgroup_store(_e919, &act[o2_3_], width);
        uint o3_0_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e931 = c3_0_;
        simdgroup_store(_e931, &act[o3_0_], width);
        uint o3_1_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e943 = c3_1_;
        simdgroup_store(_e943, &act[o3_1_], width);
        uint o3_2_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e955 = c3_2_;
        simdgroup_store(_e955, &act[o3_2_], width);
        uint o3_3_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e967 = c3_3_;
        simdgroup_store(_e967, &act[o3_3_], width);
        return;
    } else {
        uint corner = subgroup * 256u;
        metal::simdgroup_float16x16 _e972 = c0_0_;
        simdgroup_store(_e972, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e = lane;
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_1 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_1) {
                uint _e1019 = e;
                e = _e1019 + size;
            }
            loop_init_1 = false;
            uint _e977 = e;
            if (_e977 < 256u) {
            } else {
                break;
            }
            {
                uint _e983 = e;
                uint n = ((n0_ + sub_n) + 0u) + naga_mod(_e983, 16u);
                if (n < width) {
                    uint _e989 = e;
                    float _e992 = spilled.inner[corner + _e989];
                    y = _e992;
                    if (part.w > 0u) {
                        float _e997 = y;
                        float _e1004 = vectors[(part.w - 1u) + n];
                        y = _e997 + _e1004;
                    }
                    uint _e1010 = e;
                    float _e1018 = y;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1010, 16u)) * width)) + n] = _e1018;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1021 = c0_1_;
        simdgroup_store(_e1021, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_1 = lane;
        uint2 loop_bound_3 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_3 == uint2(0u))) { break; }
            loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e1068 = e_1;
                e_1 = _e1068 + size;
            }
            loop_init_2 = false;
            uint _e1026 = e_1;
            if (_e1026 < 256u) {
            } else {
                break;
            }
            {
                uint _e1032 = e_1;
                uint n_1 = ((n0_ + sub_n) + 16u) + naga_mod(_e1032, 16u);
                if (n_1 < width) {
                    uint _e1038 = e_1;
                    float _e1041 = spilled.inner[corner + _e1038];
                    y_1 = _e1041;
                    if (part.w > 0u) {
                        float _e1046 = y_1;
                        float _e1053 = vectors[(part.w - 1u) + n_1];
                        y_1 = _e1046 + _e1053;
                    }
                    uint _e1059 = e_1;
                    float _e1067 = y_1;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1059, 16u)) * width)) + n_1] = _e1067;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1070 = c0_2_;
        simdgroup_store(_e1070, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_2 = lane;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_3 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_3) {
                uint _e1117 = e_2;
                e_2 = _e1117 + size;
            }
            loop_init_3 = false;
            uint _e1075 = e_2;
            if (_e1075 < 256u) {
            } else {
                break;
            }
            {
                uint _e1081 = e_2;
                uint n_2 = ((n0_ + sub_n) + 32u) + naga_mod(_e1081, 16u);
                if (n_2 < width) {
                    uint _e1087 = e_2;
                    float _e1090 = spilled.inner[corner + _e1087];
                    y_2 = _e1090;
                    if (part.w > 0u) {
                        float _e1095 = y_2;
                        float _e1102 = vectors[(part.w - 1u) + n_2];
                        y_2 = _e1095 + _e1102;
                    }
                    uint _e1108 = e_2;
                    float _e1116 = y_2;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1108, 16u)) * width)) + n_2] = _e1116;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1119 = c0_3_;
        simdgroup_store(_e1119, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = lane;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e1166 = e_3;
                e_3 = _e1166 + size;
            }
            loop_init_4 = false;
            uint _e1124 = e_3;
            if (_e1124 < 256u) {
            } else {
                break;
            }
            {
                uint _e1130 = e_3;
                uint n_3 = ((n0_ + sub_n) + 48u) + naga_mod(_e1130, 16u);
                if (n_3 < width) {
                    uint _e1136 = e_3;
                    float _e1139 = spilled.inner[corner + _e1136];
                    y_3 = _e1139;
                    if (part.w > 0u) {
                        float _e1144 = y_3;
                        float _e1151 = vectors[(part.w - 1u) + n_3];
                        y_3 = _e1144 + _e1151;
                    }
                    uint _e1157 = e_3;
                    float _e1165 = y_3;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1157, 16u)) * width)) + n_3] = _e1165;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1168 = c1_0_;
        simdgroup_store(_e1168, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_4 = lane;
        uint2 loop_bound_6 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_6 == uint2(0u))) { break; }
            loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e1215 = e_4;
                e_4 = _e1215 + size;
            }
            loop_init_5 = false;
            uint _e1173 = e_4;
            if (_e1173 < 256u) {
            } else {
                break;
            }
            {
                uint _e1179 = e_4;
                uint n_4 = ((n0_ + sub_n) + 0u) + naga_mod(_e1179, 16u);
                if (n_4 < width) {
                    uint _e1185 = e_4;
                    float _e1188 = spilled.inner[corner + _e1185];
                    y_4 = _e1188;
                    if (part.w > 0u) {
                        float _e1193 = y_4;
                        float _e1200 = vectors[(part.w - 1u) + n_4];
                        y_4 = _e1193 + _e1200;
                    }
                    uint _e1206 = e_4;
                    float _e1214 = y_4;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1206, 16u)) * width)) + n_4] = _e1214;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1217 = c1_1_;
        simdgroup_store(_e1217, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_5 = lane;
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_6 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_6) {
                uint _e1264 = e_5;
                e_5 = _e1264 + size;
            }
            loop_init_6 = false;
            uint _e1222 = e_5;
            if (_e1222 < 256u) {
            } else {
                break;
            }
            {
                uint _e1228 = e_5;
                uint n_5 = ((n0_ + sub_n) + 16u) + naga_mod(_e1228, 16u);
                if (n_5 < width) {
                    uint _e1234 = e_5;
                    float _e1237 = spilled.inner[corner + _e1234];
                    y_5 = _e1237;
                    if (part.w > 0u) {
                        float _e1242 = y_5;
                        float _e1249 = vectors[(part.w - 1u) + n_5];
                        y_5 = _e1242 + _e1249;
                    }
                    uint _e1255 = e_5;
                    float _e1263 = y_5;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1255, 16u)) * width)) + n_5] = _e1263;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1266 = c1_2_;
        simdgroup_store(_e1266, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_6 = lane;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e1313 = e_6;
                e_6 = _e1313 + size;
            }
            loop_init_7 = false;
            uint _e1271 = e_6;
            if (_e1271 < 256u) {
            } else {
                break;
            }
            {
                uint _e1277 = e_6;
                uint n_6 = ((n0_ + sub_n) + 32u) + naga_mod(_e1277, 16u);
                if (n_6 < width) {
                    uint _e1283 = e_6;
                    float _e1286 = spilled.inner[corner + _e1283];
                    y_6 = _e1286;
                    if (part.w > 0u) {
                        float _e1291 = y_6;
                        float _e1298 = vectors[(part.w - 1u) + n_6];
                        y_6 = _e1291 + _e1298;
                    }
                    uint _e1304 = e_6;
                    float _e1312 = y_6;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1304, 16u)) * width)) + n_6] = _e1312;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1315 = c1_3_;
        simdgroup_store(_e1315, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_7 = lane;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e1362 = e_7;
                e_7 = _e1362 + size;
            }
            loop_init_8 = false;
            uint _e1320 = e_7;
            if (_e1320 < 256u) {
            } else {
                break;
            }
            {
                uint _e1326 = e_7;
                uint n_7 = ((n0_ + sub_n) + 48u) + naga_mod(_e1326, 16u);
                if (n_7 < width) {
                    uint _e1332 = e_7;
                    float _e1335 = spilled.inner[corner + _e1332];
                    y_7 = _e1335;
                    if (part.w > 0u) {
                        float _e1340 = y_7;
                        float _e1347 = vectors[(part.w - 1u) + n_7];
                        y_7 = _e1340 + _e1347;
                    }
                    uint _e1353 = e_7;
                    float _e1361 = y_7;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1353, 16u)) * width)) + n_7] = _e1361;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1364 = c2_0_;
        simdgroup_store(_e1364, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_8 = lane;
        uint2 loop_bound_10 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_10 == uint2(0u))) { break; }
            loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e1411 = e_8;
                e_8 = _e1411 + size;
            }
            loop_init_9 = false;
            uint _e1369 = e_8;
            if (_e1369 < 256u) {
            } else {
                break;
            }
            {
                uint _e1375 = e_8;
                uint n_8 = ((n0_ + sub_n) + 0u) + naga_mod(_e1375, 16u);
                if (n_8 < width) {
                    uint _e1381 = e_8;
                    float _e1384 = spilled.inner[corner + _e1381];
                    y_8 = _e1384;
                    if (part.w > 0u) {
                        float _e1389 = y_8;
                        float _e1396 = vectors[(part.w - 1u) + n_8];
                        y_8 = _e1389 + _e1396;
                    }
                    uint _e1402 = e_8;
                    float _e1410 = y_8;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1402, 16u)) * width)) + n_8] = _e1410;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1413 = c2_1_;
        simdgroup_store(_e1413, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_9 = lane;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_10 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_10) {
                uint _e1460 = e_9;
                e_9 = _e1460 + size;
            }
            loop_init_10 = false;
            uint _e1418 = e_9;
            if (_e1418 < 256u) {
            } else {
                break;
            }
            {
                uint _e1424 = e_9;
                uint n_9 = ((n0_ + sub_n) + 16u) + naga_mod(_e1424, 16u);
                if (n_9 < width) {
                    uint _e1430 = e_9;
                    float _e1433 = spilled.inner[corner + _e1430];
                    y_9 = _e1433;
                    if (part.w > 0u) {
                        float _e1438 = y_9;
                        float _e1445 = vectors[(part.w - 1u) + n_9];
                        y_9 = _e1438 + _e1445;
                    }
                    uint _e1451 = e_9;
                    float _e1459 = y_9;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1451, 16u)) * width)) + n_9] = _e1459;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1462 = c2_2_;
        simdgroup_store(_e1462, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_10 = lane;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1509 = e_10;
                e_10 = _e1509 + size;
            }
            loop_init_11 = false;
            uint _e1467 = e_10;
            if (_e1467 < 256u) {
            } else {
                break;
            }
            {
                uint _e1473 = e_10;
                uint n_10 = ((n0_ + sub_n) + 32u) + naga_mod(_e1473, 16u);
                if (n_10 < width) {
                    uint _e1479 = e_10;
                    float _e1482 = spilled.inner[corner + _e1479];
                    y_10 = _e1482;
                    if (part.w > 0u) {
                        float _e1487 = y_10;
                        float _e1494 = vectors[(part.w - 1u) + n_10];
                        y_10 = _e1487 + _e1494;
                    }
                    uint _e1500 = e_10;
                    float _e1508 = y_10;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1500, 16u)) * width)) + n_10] = _e1508;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1511 = c2_3_;
        simdgroup_store(_e1511, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_11 = lane;
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1558 = e_11;
                e_11 = _e1558 + size;
            }
            loop_init_12 = false;
            uint _e1516 = e_11;
            if (_e1516 < 256u) {
            } else {
                break;
            }
            {
                uint _e1522 = e_11;
                uint n_11 = ((n0_ + sub_n) + 48u) + naga_mod(_e1522, 16u);
                if (n_11 < width) {
                    uint _e1528 = e_11;
                    float _e1531 = spilled.inner[corner + _e1528];
                    y_11 = _e1531;
                    if (part.w > 0u) {
                        float _e1536 = y_11;
                        float _e1543 = vectors[(part.w - 1u) + n_11];
                        y_11 = _e1536 + _e1543;
                    }
                    uint _e1549 = e_11;
                    float _e1557 = y_11;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1549, 16u)) * width)) + n_11] = _e1557;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1560 = c3_0_;
        simdgroup_store(_e1560, &spilled.inner[corner], 16u);
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
            uint _e1565 = e_12;
            if (_e1565 < 256u) {
            } else {
                break;
            }
            {
                uint _e1571 = e_12;
                uint n_12 = ((n0_ + sub_n) + 0u) + naga_mod(_e1571, 16u);
                if (n_12 < width) {
                    uint _e1577 = e_12;
                    float _e1580 = spilled.inner[corner + _e1577];
                    y_12 = _e1580;
                    if (part.w > 0u) {
                        float _e1585 = y_12;
                        float _e1592 = vectors[(part.w - 1u) + n_12];
                        y_12 = _e1585 + _e1592;
                    }
                    uint _e1598 = e_12;
                    float _e1606 = y_12;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1598, 16u)) * width)) + n_12] = _e1606;
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
                uint _e1656 = e_13;
                e_13 = _e1656 + size;
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
                    uint _e1647 = e_13;
                    float _e1655 = y_13;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1647, 16u)) * width)) + n_13] = _e1655;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1658 = c3_2_;
        simdgroup_store(_e1658, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_14 = lane;
        uint2 loop_bound_16 = uint2(4294967295u);
        bool loop_init_15 = true;
        while(true) {
            if (metal::all(loop_bound_16 == uint2(0u))) { break; }
            loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
            if (!loop_init_15) {
                uint _e1705 = e_14;
                e_14 = _e1705 + size;
            }
            loop_init_15 = false;
            uint _e1663 = e_14;
            if (_e1663 < 256u) {
            } else {
                break;
            }
            {
                uint _e1669 = e_14;
                uint n_14 = ((n0_ + sub_n) + 32u) + naga_mod(_e1669, 16u);
                if (n_14 < width) {
                    uint _e1675 = e_14;
                    float _e1678 = spilled.inner[corner + _e1675];
                    y_14 = _e1678;
                    if (part.w > 0u) {
                        float _e1683 = y_14;
                        float _e1690 = vectors[(part.w - 1u) + n_14];
                        y_14 = _e1683 + _e1690;
                    }
                    uint _e1696 = e_14;
                    float _e1704 = y_14;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1696, 16u)) * width)) + n_14] = _e1704;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1707 = c3_3_;
        simdgroup_store(_e1707, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_15 = lane;
        uint2 loop_bound_17 = uint2(4294967295u);
        bool loop_init_16 = true;
        while(true) {
            if (metal::all(loop_bound_17 == uint2(0u))) { break; }
            loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
            if (!loop_init_16) {
                uint _e1754 = e_15;
                e_15 = _e1754 + size;
            }
            loop_init_16 = false;
            uint _e1712 = e_15;
            if (_e1712 < 256u) {
            } else {
                break;
            }
            {
                uint _e1718 = e_15;
                uint n_15 = ((n0_ + sub_n) + 48u) + naga_mod(_e1718, 16u);
                if (n_15 < width) {
                    uint _e1724 = e_15;
                    float _e1727 = spilled.inner[corner + _e1724];
                    y_15 = _e1727;
                    if (part.w > 0u) {
                        float _e1732 = y_15;
                        float _e1739 = vectors[(part.w - 1u) + n_15];
                        y_15 = _e1732 + _e1739;
                    }
                    uint _e1745 = e_15;
                    float _e1753 = y_15;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1745, 16u)) * width)) + n_15] = _e1753;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    }
}
