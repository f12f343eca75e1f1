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
struct type_12 {
    metal::half4 inner[4];
};
struct type_13 {
    metal::uint4 inner[12];
};
struct Params {
    uint blocks;
    uint rows;
    uint count;
    uint depth;
    type_13 parts;
};
typedef float type_14[1];
typedef metal::half4 type_15[1];
struct type_16 {
    metal::half4 inner[1280];
};
struct type_17 {
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
constant uint SPILLED = 256u;

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
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w_1 = codes_2[p.codes + i_3];
    float _e8 = half_at(p.scales, i_3, words, _buffer_sizes);
    return Block {w_1 & NIBBLES, (w_1 >> metal::uint4(4u)) & NIBBLES, metal::float2(_e8), metal::float2(-8.0 * _e8)};
}

metal::float4 four(
    uint codes,
    float s,
    float m
) {
    return (static_cast<metal::float4>(int4(as_type<packed_char4>(codes))) * s) + metal::float4(m);
}

type_9 weight16_(
    Planes p_1,
    uint i_4,
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_1, i_4 >> 1u, codes_2, words, _buffer_sizes);
    bool last = (i_4 & 1u) == 1u;
    metal::uint4 w_2 = last ? _e4.hi : _e4.lo;
    float s_2 = last ? _e4.s.y : _e4.s.x;
    float m_2 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_2.x, s_2, m_2);
    metal::float4 _e25 = four(w_2.y, s_2, m_2);
    metal::float4 _e27 = four(w_2.z, s_2, m_2);
    metal::float4 _e29 = four(w_2.w, s_2, m_2);
    return type_9 {{_e23, _e25, _e27, _e29}};
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

metal::half4 half_four(
    uint codes_1,
    half s_1,
    half m_1
) {
    metal::half2 even = static_cast<metal::half2>(float2(as_type<half2>(((codes_1 & 16711935u) ^ 1686135936u))));
    metal::half2 odd = static_cast<metal::half2>(float2(as_type<half2>((((codes_1 >> 8u) & 16711935u) ^ 1686135936u))));
    return metal::fma(metal::half4(even.x, odd.x, even.y, odd.y) - metal::half4(1152.0h), metal::half4(s_1), metal::half4(m_1));
}

type_12 halves16_(
    Planes p_2,
    uint i_5,
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_5 >> 1u, codes_2, words, _buffer_sizes);
    bool last_1 = (i_5 & 1u) == 1u;
    metal::uint4 w_3 = last_1 ? _e4.hi : _e4.lo;
    half s_3 = static_cast<half>(last_1 ? _e4.s.y : _e4.s.x);
    half m_3 = static_cast<half>(last_1 ? _e4.m.y : _e4.m.x);
    metal::half4 _e25 = half_four(w_3.x, s_3, m_3);
    metal::half4 _e27 = half_four(w_3.y, s_3, m_3);
    metal::half4 _e29 = half_four(w_3.z, s_3, m_3);
    metal::half4 _e31 = half_four(w_3.w, s_3, m_3);
    return type_12 {{_e25, _e27, _e29, _e31}};
}

void put(
    uint i_6,
    uint n,
    float value,
    uint out,
    uint width,
    uint bias,
    device type_14& act,
    device type_14 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float y = {};
    uint row = {};
    if (n >= width) {
        return;
    }
    y = value;
    row = i_6;
    if (bias > 0u) {
        float _e11 = y;
        float _e17 = vectors[(bias - 1u) + n];
        y = _e11 + _e17;
    }
    uint _e20 = row;
    float _e25 = y;
    act[(out + (_e20 * width)) + n] = _e25;
    return;
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
, device type_5 const& codes_2 [[user(fake0)]]
, device type_1 const& words [[user(fake0)]]
, device type_14& act [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, device type_14 const& vectors [[user(fake0)]]
, device type_15 const& x [[user(fake0)]]
, threadgroup type_16& tile_x
, threadgroup type_16& tile_w
, threadgroup type_17& spilled
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
    uint e_1 = {};
    uint e_2 = {};
    uint e_3 = {};
    uint e_4 = {};
    uint e_5 = {};
    uint e_6 = {};
    uint e_7 = {};
    uint e_8 = {};
    uint e_9 = {};
    uint e_10 = {};
    uint e_11 = {};
    uint e_12 = {};
    uint e_13 = {};
    uint e_14 = {};
    uint e_15 = {};
    uint2 loop_bound = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        uint _e7 = part_at;
        uint _e12 = p_3.count;
        if ((_e7 + 1u) < _e12) {
            uint _e19 = part_at;
            uint _e26 = p_3.parts.inner[(_e19 + 1u) * 2u].x;
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
    metal::uint4 part = p_3.parts.inner[_e35 * 2u];
    uint _e42 = part_at;
    metal::uint4 at = p_3.parts.inner[(_e42 * 2u) + 1u];
    Planes planes = Planes {at.x, at.y, at.z, at.w};
    uint t0_ = group.x * TILE_T;
    uint n0_ = (group.y - part.x) * TILE_N;
    uint bias_1 = part.w;
    uint sub_t = naga_div(subgroup, 2u) * SUB_T;
    uint sub_n = naga_mod(subgroup, 2u) * SUB_N;
    uint corner = subgroup * SPILLED;
    uint _e109 = p_3.depth;
    uint begin = (group.z * _e109) * 32u;
    uint _e115 = p_3.blocks;
    uint _e118 = p_3.blocks;
    uint _e124 = p_3.depth;
    uint _e129 = p_3.depth;
    uint end = ((_e129 > 0u) ? metal::min(_e118, (group.z + 1u) * _e124) : _e115) * 32u;
    uint u0_ = me + 0u;
    uint row0_ = t0_ + naga_div(u0_, 4u);
    uint _e142 = p_3.blocks;
    uint x_at0_ = ((row0_ * _e142) * 8u) + (naga_mod(u0_, 4u) * 2u);
    uint to_x0_ = naga_div((naga_div(u0_, 4u) * STRIDE) + (naga_mod(u0_, 4u) * 8u), 4u);
    uint u1_ = me + 128u;
    uint row1_ = t0_ + naga_div(u1_, 4u);
    uint _e169 = p_3.blocks;
    uint x_at1_ = ((row1_ * _e169) * 8u) + (naga_mod(u1_, 4u) * 2u);
    uint to_x1_ = naga_div((naga_div(u1_, 4u) * STRIDE) + (naga_mod(u1_, 4u) * 8u), 4u);
    uint u2_ = me + 256u;
    uint row2_ = t0_ + naga_div(u2_, 4u);
    uint _e196 = p_3.blocks;
    uint x_at2_ = ((row2_ * _e196) * 8u) + (naga_mod(u2_, 4u) * 2u);
    uint to_x2_ = naga_div((naga_div(u2_, 4u) * STRIDE) + (naga_mod(u2_, 4u) * 8u), 4u);
    uint u3_ = me + 384u;
    uint row3_ = t0_ + naga_div(u3_, 4u);
    uint _e223 = p_3.blocks;
    uint x_at3_ = ((row3_ * _e223) * 8u) + (naga_mod(u3_, 4u) * 2u);
    uint to_x3_ = naga_div((naga_div(u3_, 4u) * STRIDE) + (naga_mod(u3_, 4u) * 8u), 4u);
    uint v0_ = me + 0u;
    uint _e255 = p_3.blocks;
    uint w_at0_ = (((0u + metal::min(n0_ + naga_div(v0_, 2u), part.y - 1u)) * _e255) * 2u) + naga_mod(v0_, 2u);
    uint to_w0_ = naga_div((naga_div(v0_, 2u) * STRIDE) + (naga_mod(v0_, 2u) * 16u), 4u);
    uint v1_ = me + 128u;
    uint _e285 = p_3.blocks;
    uint w_at1_ = (((0u + metal::min(n0_ + naga_div(v1_, 2u), part.y - 1u)) * _e285) * 2u) + naga_mod(v1_, 2u);
    uint to_w1_ = naga_div((naga_div(v1_, 2u) * STRIDE) + (naga_mod(v1_, 2u) * 16u), 4u);
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e700 = k0_;
            k0_ = _e700 + TILE_K;
        }
        loop_init = false;
        uint _e304 = k0_;
        if (_e304 < end) {
        } else {
            break;
        }
        {
            uint _e307 = k0_;
            metal::half4 xa0_ = x[x_at0_ + naga_div(_e307, 4u)];
            uint _e314 = k0_;
            metal::half4 xb0_ = x[(x_at0_ + naga_div(_e314, 4u)) + 1u];
            uint _e323 = k0_;
            metal::half4 xa1_ = x[x_at1_ + naga_div(_e323, 4u)];
            uint _e330 = k0_;
            metal::half4 xb1_ = x[(x_at1_ + naga_div(_e330, 4u)) + 1u];
            uint _e339 = k0_;
            metal::half4 xa2_ = x[x_at2_ + naga_div(_e339, 4u)];
            uint _e346 = k0_;
            metal::half4 xb2_ = x[(x_at2_ + naga_div(_e346, 4u)) + 1u];
            uint _e355 = k0_;
            metal::half4 xa3_ = x[x_at3_ + naga_div(_e355, 4u)];
            uint _e362 = k0_;
            metal::half4 xb3_ = x[(x_at3_ + naga_div(_e362, 4u)) + 1u];
            uint _e370 = k0_;
            type_12 _e374 = halves16_(planes, w_at0_ + naga_div(_e370, 16u), codes_2, words, _buffer_sizes);
            uint _e375 = k0_;
            type_12 _e379 = halves16_(planes, w_at1_ + naga_div(_e375, 16u), codes_2, words, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            tile_x.inner[to_x0_] = xa0_;
            tile_x.inner[to_x0_ + 1u] = xb0_;
            tile_x.inner[to_x1_] = xa1_;
            tile_x.inner[to_x1_ + 1u] = xb1_;
            tile_x.inner[to_x2_] = xa2_;
            tile_x.inner[to_x2_ + 1u] = xb2_;
            tile_x.inner[to_x3_] = xa3_;
            tile_x.inner[to_x3_ + 1u] = xb3_;
            tile_w.inner[to_w0_ + 0u] = _e374.inner[0];
            tile_w.inner[to_w0_ + 1u] = _e374.inner[1];
            tile_w.inner[to_w0_ + 2u] = _e374.inner[2];
            tile_w.inner[to_w0_ + 3u] = _e374.inner[3];
            tile_w.inner[to_w1_ + 0u] = _e379.inner[0];
            tile_w.inner[to_w1_ + 1u] = _e379.inner[1];
            tile_w.inner[to_w1_ + 2u] = _e379.inner[2];
            tile_w.inner[to_w1_ + 3u] = _e379.inner[3];
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
            metal::simdgroup_float16x16 _e540 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e540);
            metal::simdgroup_float16x16 _e542 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e542);
            metal::simdgroup_float16x16 _e544 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e544);
            metal::simdgroup_float16x16 _e546 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e546);
            metal::simdgroup_float16x16 _e548 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e548);
            metal::simdgroup_float16x16 _e550 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e550);
            metal::simdgroup_float16x16 _e552 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e552);
            metal::simdgroup_float16x16 _e554 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e554);
            metal::simdgroup_float16x16 _e556 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e556);
            metal::simdgroup_float16x16 _e558 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e558);
            metal::simdgroup_float16x16 _e560 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e560);
            metal::simdgroup_float16x16 _e562 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e562);
            metal::simdgroup_float16x16 _e564 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e564);
            metal::simdgroup_float16x16 _e566 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e566);
            metal::simdgroup_float16x16 _e568 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e568);
            metal::simdgroup_float16x16 _e570 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e570);
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
            metal::simdgroup_float16x16 _e668 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e668);
            metal::simdgroup_float16x16 _e670 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e670);
            metal::simdgroup_float16x16 _e672 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e672);
            metal::simdgroup_float16x16 _e674 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e674);
            metal::simdgroup_float16x16 _e676 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e676);
            metal::simdgroup_float16x16 _e678 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e678);
            metal::simdgroup_float16x16 _e680 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e680);
            metal::simdgroup_float16x16 _e682 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e682);
            metal::simdgroup_float16x16 _e684 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e684);
            metal::simdgroup_float16x16 _e686 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e686);
            metal::simdgroup_float16x16 _e688 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e688);
            metal::simdgroup_float16x16 _e690 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e690);
            metal::simdgroup_float16x16 _e692 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e692);
            metal::simdgroup_float16x16 _e694 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e694);
            metal::simdgroup_float16x16 _e696 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e696);
            metal::simdgroup_float16x16 _e698 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e698);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = bias_1 == 0u;
    } else {
        local_1 = false;
    }
    bool _e718 = local_1;
    if (_e718) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e728 = c0_0_;
        simdgroup_store(_e728, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e740 = c0_1_;
        simdgroup_store(_e740, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e752 = c0_2_;
        simdgroup_store(_e752, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e764 = c0_3_;
        simdgroup_store(_e764, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e776 = c1_0_;
        simdgroup_store(_e776, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e788 = c1_1_;
        simdgroup_store(_e788, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e800 = c1_2_;
        simdgroup_store(_e800, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e812 = c1_3_;
        simdgroup_store(_e812, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e824 = c2_0_;
        simdgroup_store(_e824, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e836 = c2_1_;
        simdgroup_store(_e836, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e848 = c2_2_;
        simdgroup_store(_e848, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e860 = c2_3_;
        simdgroup_store(_e860, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e872 = c3_0_;
        simdgroup_store(_e872, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e884 = c3_1_;
        simdgroup_store(_e884, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e896 = c3_2_;
        simdgroup_store(_e896, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e908 = c3_3_;
        simdgroup_store(_e908, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float16x16 _e911 = c0_0_;
    simdgroup_store(_e911, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e = lane;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e938 = e;
            e = _e938 + size;
        }
        loop_init_1 = false;
        uint _e916 = e;
        if (_e916 < 256u) {
        } else {
            break;
        }
        {
            uint _e922 = e;
            uint _e929 = e;
            uint _e934 = e;
            float _e937 = spilled.inner[corner + _e934];
            put(((t0_ + sub_t) + 0u) + naga_div(_e922, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e929, SIDE), _e937, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e940 = c0_1_;
    simdgroup_store(_e940, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e967 = e_1;
            e_1 = _e967 + size;
        }
        loop_init_2 = false;
        uint _e945 = e_1;
        if (_e945 < 256u) {
        } else {
            break;
        }
        {
            uint _e951 = e_1;
            uint _e958 = e_1;
            uint _e963 = e_1;
            float _e966 = spilled.inner[corner + _e963];
            put(((t0_ + sub_t) + 0u) + naga_div(_e951, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e958, SIDE), _e966, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e969 = c0_2_;
    simdgroup_store(_e969, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e996 = e_2;
            e_2 = _e996 + size;
        }
        loop_init_3 = false;
        uint _e974 = e_2;
        if (_e974 < 256u) {
        } else {
            break;
        }
        {
            uint _e980 = e_2;
            uint _e987 = e_2;
            uint _e992 = e_2;
            float _e995 = spilled.inner[corner + _e992];
            put(((t0_ + sub_t) + 0u) + naga_div(_e980, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e987, SIDE), _e995, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e998 = c0_3_;
    simdgroup_store(_e998, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1025 = e_3;
            e_3 = _e1025 + size;
        }
        loop_init_4 = false;
        uint _e1003 = e_3;
        if (_e1003 < 256u) {
        } else {
            break;
        }
        {
            uint _e1009 = e_3;
            uint _e1016 = e_3;
            uint _e1021 = e_3;
            float _e1024 = spilled.inner[corner + _e1021];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1009, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1016, SIDE), _e1024, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1027 = c1_0_;
    simdgroup_store(_e1027, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1054 = e_4;
            e_4 = _e1054 + size;
        }
        loop_init_5 = false;
        uint _e1032 = e_4;
        if (_e1032 < 256u) {
        } else {
            break;
        }
        {
            uint _e1038 = e_4;
            uint _e1045 = e_4;
            uint _e1050 = e_4;
            float _e1053 = spilled.inner[corner + _e1050];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1038, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1045, SIDE), _e1053, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1056 = c1_1_;
    simdgroup_store(_e1056, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e1083 = e_5;
            e_5 = _e1083 + size;
        }
        loop_init_6 = false;
        uint _e1061 = e_5;
        if (_e1061 < 256u) {
        } else {
            break;
        }
        {
            uint _e1067 = e_5;
            uint _e1074 = e_5;
            uint _e1079 = e_5;
            float _e1082 = spilled.inner[corner + _e1079];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1067, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1074, SIDE), _e1082, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1085 = c1_2_;
    simdgroup_store(_e1085, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1112 = e_6;
            e_6 = _e1112 + size;
        }
        loop_init_7 = false;
        uint _e1090 = e_6;
        if (_e1090 < 256u) {
        } else {
            break;
        }
        {
            uint _e1096 = e_6;
            uint _e1103 = e_6;
            uint _e1108 = e_6;
            float _e1111 = spilled.inner[corner + _e1108];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1096, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1103, SIDE), _e1111, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1114 = c1_3_;
    simdgroup_store(_e1114, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1141 = e_7;
            e_7 = _e1141 + size;
        }
        loop_init_8 = false;
        uint _e1119 = e_7;
        if (_e1119 < 256u) {
        } else {
            break;
        }
        {
            uint _e1125 = e_7;
            uint _e1132 = e_7;
            uint _e1137 = e_7;
            float _e1140 = spilled.inner[corner + _e1137];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1125, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1132, SIDE), _e1140, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1143 = c2_0_;
    simdgroup_store(_e1143, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1170 = e_8;
            e_8 = _e1170 + size;
        }
        loop_init_9 = false;
        uint _e1148 = e_8;
        if (_e1148 < 256u) {
        } else {
            break;
        }
        {
            uint _e1154 = e_8;
            uint _e1161 = e_8;
            uint _e1166 = e_8;
            float _e1169 = spilled.inner[corner + _e1166];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1154, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1161, SIDE), _e1169, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1172 = c2_1_;
    simdgroup_store(_e1172, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1199 = e_9;
            e_9 = _e1199 + size;
        }
        loop_init_10 = false;
        uint _e1177 = e_9;
        if (_e1177 < 256u) {
        } else {
            break;
        }
        {
            uint _e1183 = e_9;
            uint _e1190 = e_9;
            uint _e1195 = e_9;
            float _e1198 = spilled.inner[corner + _e1195];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1183, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1190, SIDE), _e1198, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1201 = c2_2_;
    simdgroup_store(_e1201, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1228 = e_10;
            e_10 = _e1228 + size;
        }
        loop_init_11 = false;
        uint _e1206 = e_10;
        if (_e1206 < 256u) {
        } else {
            break;
        }
        {
            uint _e1212 = e_10;
            uint _e1219 = e_10;
            uint _e1224 = e_10;
            float _e1227 = spilled.inner[corner + _e1224];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1212, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1219, SIDE), _e1227, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1230 = c2_3_;
    simdgroup_store(_e1230, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1257 = e_11;
            e_11 = _e1257 + size;
        }
        loop_init_12 = false;
        uint _e1235 = e_11;
        if (_e1235 < 256u) {
        } else {
            break;
        }
        {
            uint _e1241 = e_11;
            uint _e1248 = e_11;
            uint _e1253 = e_11;
            float _e1256 = spilled.inner[corner + _e1253];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1241, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1248, SIDE), _e1256, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1259 = c3_0_;
    simdgroup_store(_e1259, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1286 = e_12;
            e_12 = _e1286 + size;
        }
        loop_init_13 = false;
        uint _e1264 = e_12;
        if (_e1264 < 256u) {
        } else {
            break;
        }
        {
            uint _e1270 = e_12;
            uint _e1277 = e_12;
            uint _e1282 = e_12;
            float _e1285 = spilled.inner[corner + _e1282];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1270, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1277, SIDE), _e1285, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1288 = c3_1_;
    simdgroup_store(_e1288, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1315 = e_13;
            e_13 = _e1315 + size;
        }
        loop_init_14 = false;
        uint _e1293 = e_13;
        if (_e1293 < 256u) {
        } else {
            break;
        }
        {
            uint _e1299 = e_13;
            uint _e1306 = e_13;
            uint _e1311 = e_13;
            float _e1314 = spilled.inner[corner + _e1311];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1299, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1306, SIDE), _e1314, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1317 = c3_2_;
    simdgroup_store(_e1317, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1344 = e_14;
            e_14 = _e1344 + size;
        }
        loop_init_15 = false;
        uint _e1322 = e_14;
        if (_e1322 < 256u) {
        } else {
            break;
        }
        {
            uint _e1328 = e_14;
            uint _e1335 = e_14;
            uint _e1340 = e_14;
            float _e1343 = spilled.inner[corner + _e1340];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1328, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1335, SIDE), _e1343, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1346 = c3_3_;
    simdgroup_store(_e1346, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1373 = e_15;
            e_15 = _e1373 + size;
        }
        loop_init_16 = false;
        uint _e1351 = e_15;
        if (_e1351 < 256u) {
        } else {
            break;
        }
        {
            uint _e1357 = e_15;
            uint _e1364 = e_15;
            uint _e1369 = e_15;
            float _e1372 = spilled.inner[corner + _e1369];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1357, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1364, SIDE), _e1372, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
