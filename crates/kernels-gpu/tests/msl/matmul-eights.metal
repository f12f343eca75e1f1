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
struct type_10 {
    metal::float4 inner[4];
};
struct type_13 {
    metal::half4 inner[4];
};
struct type_14 {
    metal::half4 inner[8];
};
struct type_15 {
    metal::uint4 inner[12];
};
struct Params {
    uint blocks;
    uint rows;
    uint count;
    uint depth;
    type_15 parts;
};
typedef float type_16[1];
typedef metal::half4 type_17[1];
struct type_18 {
    half inner[2560];
};
struct type_19 {
    float inner[256];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint TILE_T = 64u;
constant uint TILE_N = 64u;
constant uint TILE_K = 32u;
constant uint SUB_T = 32u;
constant uint SUB_N = 32u;
constant uint SIDE = 8u;
constant uint SINGLE = 1u;
constant uint SQUARES_T = 4u;
constant uint SQUARES_N = 4u;
constant uint DEPTH = 4u;
constant uint SPLIT_ROWS = 0u;
constant uint LOADS_X = 4u;
constant uint LOADS_W = 1u;
constant uint W_EACH = 16u;
constant uint W_FOURS = 4u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint STRIDE = 40u;
constant uint ELEMENT = 1u;
constant uint SPILLED = 64u;

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

metal::float2 k_scales(
    metal::uint4 head,
    uint sub
) {
    uint at = (sub & 3u) * 8u;
    metal::uint2 low_1 = metal::uint2(head.y >> at, head.z >> at);
    uint high_1 = head.w >> at;
    metal::uint2 first_1 = low_1 & metal::uint2(63u);
    metal::uint2 second = metal::uint2(high_1 & 15u, (high_1 >> 4u) & 15u) | (((low_1 >> metal::uint2(6u)) & metal::uint2(3u)) << metal::uint2(4u));
    return static_cast<metal::float2>((sub < 4u) ? first_1 : second);
}

Block weight(
    Planes p,
    uint i_3,
    device type_5 const& codes_2,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w_1 = codes_2[p.codes + i_3];
    metal::uint4 head_1 = codes_2[p.supers + (i_3 >> 3u)];
    metal::float2 _e18 = k_scales(head_1, i_3 & 7u);
    metal::float2 d = float2(as_type<half2>(head_1.x)) * _e18;
    return Block {w_1 & NIBBLES, (w_1 >> metal::uint4(4u)) & NIBBLES, metal::float2(d.x), metal::float2(-(d.y))};
}

metal::float4 four(
    uint codes,
    float s,
    float m
) {
    return (static_cast<metal::float4>(int4(as_type<packed_char4>(codes))) * s) + metal::float4(m);
}

type_10 weight16_(
    Planes p_1,
    uint i_4,
    device type_5 const& codes_2,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_1, i_4 >> 1u, codes_2, _buffer_sizes);
    bool last = (i_4 & 1u) == 1u;
    metal::uint4 w_2 = last ? _e4.hi : _e4.lo;
    float s_2 = last ? _e4.s.y : _e4.s.x;
    float m_2 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_2.x, s_2, m_2);
    metal::float4 _e25 = four(w_2.y, s_2, m_2);
    metal::float4 _e27 = four(w_2.z, s_2, m_2);
    metal::float4 _e29 = four(w_2.w, s_2, m_2);
    return type_10 {{_e23, _e25, _e27, _e29}};
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

type_13 halves16_(
    Planes p_2,
    uint i_5,
    device type_5 const& codes_2,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_5 >> 1u, codes_2, _buffer_sizes);
    bool last_1 = (i_5 & 1u) == 1u;
    metal::uint4 w_3 = last_1 ? _e4.hi : _e4.lo;
    half s_3 = static_cast<half>(last_1 ? _e4.s.y : _e4.s.x);
    half m_3 = static_cast<half>(last_1 ? _e4.m.y : _e4.m.x);
    metal::half4 _e25 = half_four(w_3.x, s_3, m_3);
    metal::half4 _e27 = half_four(w_3.y, s_3, m_3);
    metal::half4 _e29 = half_four(w_3.z, s_3, m_3);
    metal::half4 _e31 = half_four(w_3.w, s_3, m_3);
    return type_13 {{_e25, _e27, _e29, _e31}};
}

type_14 halves32_(
    Planes p_3,
    uint i_6,
    device type_5 const& codes_2,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e2 = weight(p_3, i_6, codes_2, _buffer_sizes);
    metal::half2 s_4 = static_cast<metal::half2>(_e2.s);
    metal::half2 m_4 = static_cast<metal::half2>(_e2.m);
    metal::half4 _e11 = half_four(_e2.lo.x, s_4.x, m_4.x);
    metal::half4 _e16 = half_four(_e2.lo.y, s_4.x, m_4.x);
    metal::half4 _e21 = half_four(_e2.lo.z, s_4.x, m_4.x);
    metal::half4 _e26 = half_four(_e2.lo.w, s_4.x, m_4.x);
    metal::half4 _e31 = half_four(_e2.hi.x, s_4.y, m_4.y);
    metal::half4 _e36 = half_four(_e2.hi.y, s_4.y, m_4.y);
    metal::half4 _e41 = half_four(_e2.hi.z, s_4.y, m_4.y);
    metal::half4 _e46 = half_four(_e2.hi.w, s_4.y, m_4.y);
    return type_14 {{_e11, _e16, _e21, _e26, _e31, _e36, _e41, _e46}};
}

void put(
    uint i_7,
    uint n,
    float value,
    uint out,
    uint width,
    uint bias,
    device type_16& act,
    device type_16 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float y = {};
    uint row = {};
    if (n >= width) {
        return;
    }
    y = value;
    row = i_7;
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

metal::simdgroup_float8x8 NagaCooperativeLoad(const threadgroup float* ptr, int stride, bool is_row_major) {
    metal::simdgroup_float8x8 m;
    simdgroup_load(m, ptr, stride, 0, is_row_major);
    return m;
}

metal::simdgroup_half8x8 NagaCooperativeLoad(const threadgroup half* ptr, int stride, bool is_row_major) {
    metal::simdgroup_half8x8 m;
    simdgroup_load(m, ptr, stride, 0, is_row_major);
    return m;
}

metal::simdgroup_float8x8 NagaCooperativeMultiplyAdd(const thread metal::simdgroup_half8x8& a, const thread metal::simdgroup_half8x8& b, const thread metal::simdgroup_float8x8& c) {
    metal::simdgroup_float8x8 d;
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
, device type_16& act [[user(fake0)]]
, constant Params& p_4 [[user(fake0)]]
, device type_16 const& vectors [[user(fake0)]]
, device type_17 const& x [[user(fake0)]]
, threadgroup type_18& tile_x
, threadgroup type_18& tile_w
, threadgroup type_19& spilled
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint part_at = 0u;
    bool local = {};
    uint e = {};
    metal::simdgroup_float8x8 c0_0_ = {};
    metal::simdgroup_float8x8 c0_1_ = {};
    metal::simdgroup_float8x8 c0_2_ = {};
    metal::simdgroup_float8x8 c0_3_ = {};
    metal::simdgroup_float8x8 c1_0_ = {};
    metal::simdgroup_float8x8 c1_1_ = {};
    metal::simdgroup_float8x8 c1_2_ = {};
    metal::simdgroup_float8x8 c1_3_ = {};
    metal::simdgroup_float8x8 c2_0_ = {};
    metal::simdgroup_float8x8 c2_1_ = {};
    metal::simdgroup_float8x8 c2_2_ = {};
    metal::simdgroup_float8x8 c2_3_ = {};
    metal::simdgroup_float8x8 c3_0_ = {};
    metal::simdgroup_float8x8 c3_1_ = {};
    metal::simdgroup_float8x8 c3_2_ = {};
    metal::simdgroup_float8x8 c3_3_ = {};
    uint k0_ = {};
    bool local_1 = {};
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
    uint e_16 = {};
    uint2 loop_bound = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        uint _e7 = part_at;
        uint _e12 = p_4.count;
        if ((_e7 + 1u) < _e12) {
            uint _e19 = part_at;
            uint _e26 = p_4.parts.inner[(_e19 + 1u) * 2u].x;
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
    metal::uint4 part = p_4.parts.inner[_e35 * 2u];
    uint _e42 = part_at;
    metal::uint4 at_1 = p_4.parts.inner[(_e42 * 2u) + 1u];
    Planes planes = Planes {at_1.x, at_1.y, at_1.z, at_1.w};
    uint t0_ = group.x * TILE_T;
    uint n0_ = (group.y - part.x) * TILE_N;
    uint bias_1 = part.w;
    uint sub_t = naga_div(subgroup, 2u) * SUB_T;
    uint sub_n = naga_mod(subgroup, 2u) * SUB_N;
    uint corner = subgroup * SPILLED;
    e = lane;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e83 = e;
            e = _e83 + size;
        }
        loop_init = false;
        uint _e75 = e;
        if (_e75 < 64u) {
        } else {
            break;
        }
        {
            uint _e79 = e;
            spilled.inner[corner + _e79] = 0.0;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    c0_0_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c0_1_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c0_2_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c0_3_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c1_0_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c1_1_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c1_2_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c1_3_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c2_0_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c2_1_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c2_2_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c2_3_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c3_0_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c3_1_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c3_2_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c3_3_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    uint _e168 = p_4.depth;
    uint begin = (group.z * _e168) * 32u;
    uint _e174 = p_4.blocks;
    uint _e177 = p_4.blocks;
    uint _e183 = p_4.depth;
    uint _e188 = p_4.depth;
    uint end = ((_e188 > 0u) ? metal::min(_e177, (group.z + 1u) * _e183) : _e174) * 32u;
    uint group_row = naga_div(me, 8u);
    uint row_1 = ((naga_div(group_row, 8u) * 8u) + (naga_mod(group_row, 2u) * 4u)) + naga_mod(naga_div(group_row, 2u), 4u);
    uint column = naga_mod(me, 8u);
    uint to_x = (row_1 * 10u) + column;
    uint _e218 = p_4.blocks;
    uint x_at = (((t0_ + row_1) * _e218) * 8u) + column;
    uint _e226 = p_4.blocks;
    uint x_at0_ = x_at + ((0u * _e226) * 8u);
    uint _e234 = p_4.blocks;
    uint x_at1_ = x_at + ((16u * _e234) * 8u);
    uint _e242 = p_4.blocks;
    uint x_at2_ = x_at + ((32u * _e242) * 8u);
    uint _e250 = p_4.blocks;
    uint x_at3_ = x_at + ((48u * _e250) * 8u);
    uint w_row = naga_div(me, 2u);
    uint w_column = naga_mod(me, 2u);
    uint to_w = naga_div((w_row * STRIDE) + (w_column * W_EACH), 4u);
    uint _e276 = p_4.blocks;
    uint w_at0_ = (((0u + metal::min((n0_ + w_row) + 0u, part.y - 1u)) * _e276) * 2u) + w_column;
    k0_ = begin;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1165 = k0_;
            k0_ = _e1165 + TILE_K;
        }
        loop_init_1 = false;
        uint _e282 = k0_;
        if (_e282 < end) {
        } else {
            break;
        }
        {
            uint _e285 = k0_;
            metal::half4 x0_ = x[x_at0_ + naga_div(_e285, 4u)];
            uint _e292 = k0_;
            metal::half4 x1_ = x[x_at1_ + naga_div(_e292, 4u)];
            uint _e299 = k0_;
            metal::half4 x2_ = x[x_at2_ + naga_div(_e299, 4u)];
            uint _e306 = k0_;
            metal::half4 x3_ = x[x_at3_ + naga_div(_e306, 4u)];
            uint _e312 = k0_;
            type_13 _e316 = halves16_(planes, w_at0_ + naga_div(_e312, 16u), codes_2, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            tile_x.inner[((to_x + 0u) * 4u) + 0u] = x0_.x;
            tile_x.inner[((to_x + 0u) * 4u) + 1u] = x0_.y;
            tile_x.inner[((to_x + 0u) * 4u) + 2u] = x0_.z;
            tile_x.inner[((to_x + 0u) * 4u) + 3u] = x0_.w;
            tile_x.inner[((to_x + 160u) * 4u) + 0u] = x1_.x;
            tile_x.inner[((to_x + 160u) * 4u) + 1u] = x1_.y;
            tile_x.inner[((to_x + 160u) * 4u) + 2u] = x1_.z;
            tile_x.inner[((to_x + 160u) * 4u) + 3u] = x1_.w;
            tile_x.inner[((to_x + 320u) * 4u) + 0u] = x2_.x;
            tile_x.inner[((to_x + 320u) * 4u) + 1u] = x2_.y;
            tile_x.inner[((to_x + 320u) * 4u) + 2u] = x2_.z;
            tile_x.inner[((to_x + 320u) * 4u) + 3u] = x2_.w;
            tile_x.inner[((to_x + 480u) * 4u) + 0u] = x3_.x;
            tile_x.inner[((to_x + 480u) * 4u) + 1u] = x3_.y;
            tile_x.inner[((to_x + 480u) * 4u) + 2u] = x3_.z;
            tile_x.inner[((to_x + 480u) * 4u) + 3u] = x3_.w;
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 0u] = _e316.inner[0].x;
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 1u] = _e316.inner[0].y;
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 2u] = _e316.inner[0].z;
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 3u] = _e316.inner[0].w;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 0u] = _e316.inner[1].x;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 1u] = _e316.inner[1].y;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 2u] = _e316.inner[1].z;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 3u] = _e316.inner[1].w;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 0u] = _e316.inner[2].x;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 1u] = _e316.inner[2].y;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 2u] = _e316.inner[2].z;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 3u] = _e316.inner[2].w;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 0u] = _e316.inner[3].x;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 1u] = _e316.inner[3].y;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 2u] = _e316.inner[3].z;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 3u] = _e316.inner[3].w;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint ia0_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 a0_0_ = NagaCooperativeLoad(&tile_x.inner[ia0_0_], 40u, false);
            uint ia0_1_ = naga_div((sub_t + 8u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 a0_1_ = NagaCooperativeLoad(&tile_x.inner[ia0_1_], 40u, false);
            uint ia0_2_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 a0_2_ = NagaCooperativeLoad(&tile_x.inner[ia0_2_], 40u, false);
            uint ia0_3_ = naga_div((sub_t + 24u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 a0_3_ = NagaCooperativeLoad(&tile_x.inner[ia0_3_], 40u, false);
            uint ib0_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 b0_0_ = NagaCooperativeLoad(&tile_w.inner[ib0_0_], 40u, true);
            uint ib0_1_ = naga_div((sub_n + 8u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 b0_1_ = NagaCooperativeLoad(&tile_w.inner[ib0_1_], 40u, true);
            uint ib0_2_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 b0_2_ = NagaCooperativeLoad(&tile_w.inner[ib0_2_], 40u, true);
            uint ib0_3_ = naga_div((sub_n + 24u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 b0_3_ = NagaCooperativeLoad(&tile_w.inner[ib0_3_], 40u, true);
            metal::simdgroup_float8x8 _e749 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e749);
            metal::simdgroup_float8x8 _e751 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e751);
            metal::simdgroup_float8x8 _e753 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e753);
            metal::simdgroup_float8x8 _e755 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e755);
            metal::simdgroup_float8x8 _e757 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e757);
            metal::simdgroup_float8x8 _e759 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e759);
            metal::simdgroup_float8x8 _e761 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e761);
            metal::simdgroup_float8x8 _e763 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e763);
            metal::simdgroup_float8x8 _e765 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e765);
            metal::simdgroup_float8x8 _e767 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e767);
            metal::simdgroup_float8x8 _e769 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e769);
            metal::simdgroup_float8x8 _e771 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e771);
            metal::simdgroup_float8x8 _e773 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e773);
            metal::simdgroup_float8x8 _e775 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e775);
            metal::simdgroup_float8x8 _e777 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e777);
            metal::simdgroup_float8x8 _e779 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e779);
            uint ia1_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 a1_0_ = NagaCooperativeLoad(&tile_x.inner[ia1_0_], 40u, false);
            uint ia1_1_ = naga_div((sub_t + 8u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 a1_1_ = NagaCooperativeLoad(&tile_x.inner[ia1_1_], 40u, false);
            uint ia1_2_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 a1_2_ = NagaCooperativeLoad(&tile_x.inner[ia1_2_], 40u, false);
            uint ia1_3_ = naga_div((sub_t + 24u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 a1_3_ = NagaCooperativeLoad(&tile_x.inner[ia1_3_], 40u, false);
            uint ib1_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 b1_0_ = NagaCooperativeLoad(&tile_w.inner[ib1_0_], 40u, true);
            uint ib1_1_ = naga_div((sub_n + 8u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 b1_1_ = NagaCooperativeLoad(&tile_w.inner[ib1_1_], 40u, true);
            uint ib1_2_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 b1_2_ = NagaCooperativeLoad(&tile_w.inner[ib1_2_], 40u, true);
            uint ib1_3_ = naga_div((sub_n + 24u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 b1_3_ = NagaCooperativeLoad(&tile_w.inner[ib1_3_], 40u, true);
            metal::simdgroup_float8x8 _e877 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e877);
            metal::simdgroup_float8x8 _e879 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e879);
            metal::simdgroup_float8x8 _e881 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e881);
            metal::simdgroup_float8x8 _e883 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e883);
            metal::simdgroup_float8x8 _e885 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e885);
            metal::simdgroup_float8x8 _e887 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e887);
            metal::simdgroup_float8x8 _e889 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e889);
            metal::simdgroup_float8x8 _e891 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e891);
            metal::simdgroup_float8x8 _e893 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e893);
            metal::simdgroup_float8x8 _e895 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e895);
            metal::simdgroup_float8x8 _e897 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e897);
            metal::simdgroup_float8x8 _e899 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e899);
            metal::simdgroup_float8x8 _e901 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e901);
            metal::simdgroup_float8x8 _e903 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e903);
            metal::simdgroup_float8x8 _e905 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e905);
            metal::simdgroup_float8x8 _e907 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e907);
            uint ia2_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 a2_0_ = NagaCooperativeLoad(&tile_x.inner[ia2_0_], 40u, false);
            uint ia2_1_ = naga_div((sub_t + 8u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 a2_1_ = NagaCooperativeLoad(&tile_x.inner[ia2_1_], 40u, false);
            uint ia2_2_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 a2_2_ = NagaCooperativeLoad(&tile_x.inner[ia2_2_], 40u, false);
            uint ia2_3_ = naga_div((sub_t + 24u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 a2_3_ = NagaCooperativeLoad(&tile_x.inner[ia2_3_], 40u, false);
            uint ib2_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 b2_0_ = NagaCooperativeLoad(&tile_w.inner[ib2_0_], 40u, true);
            uint ib2_1_ = naga_div((sub_n + 8u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 b2_1_ = NagaCooperativeLoad(&tile_w.inner[ib2_1_], 40u, true);
            uint ib2_2_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 b2_2_ = NagaCooperativeLoad(&tile_w.inner[ib2_2_], 40u, true);
            uint ib2_3_ = naga_div((sub_n + 24u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 b2_3_ = NagaCooperativeLoad(&tile_w.inner[ib2_3_], 40u, true);
            metal::simdgroup_float8x8 _e1005 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a2_0_, b2_0_, _e1005);
            metal::simdgroup_float8x8 _e1007 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a2_0_, b2_1_, _e1007);
            metal::simdgroup_float8x8 _e1009 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a2_0_, b2_2_, _e1009);
            metal::simdgroup_float8x8 _e1011 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a2_0_, b2_3_, _e1011);
            metal::simdgroup_float8x8 _e1013 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a2_1_, b2_0_, _e1013);
            metal::simdgroup_float8x8 _e1015 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a2_1_, b2_1_, _e1015);
            metal::simdgroup_float8x8 _e1017 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a2_1_, b2_2_, _e1017);
            metal::simdgroup_float8x8 _e1019 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a2_1_, b2_3_, _e1019);
            metal::simdgroup_float8x8 _e1021 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a2_2_, b2_0_, _e1021);
            metal::simdgroup_float8x8 _e1023 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a2_2_, b2_1_, _e1023);
            metal::simdgroup_float8x8 _e1025 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a2_2_, b2_2_, _e1025);
            metal::simdgroup_float8x8 _e1027 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a2_2_, b2_3_, _e1027);
            metal::simdgroup_float8x8 _e1029 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a2_3_, b2_0_, _e1029);
            metal::simdgroup_float8x8 _e1031 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a2_3_, b2_1_, _e1031);
            metal::simdgroup_float8x8 _e1033 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a2_3_, b2_2_, _e1033);
            metal::simdgroup_float8x8 _e1035 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a2_3_, b2_3_, _e1035);
            uint ia3_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 a3_0_ = NagaCooperativeLoad(&tile_x.inner[ia3_0_], 40u, false);
            uint ia3_1_ = naga_div((sub_t + 8u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 a3_1_ = NagaCooperativeLoad(&tile_x.inner[ia3_1_], 40u, false);
            uint ia3_2_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 a3_2_ = NagaCooperativeLoad(&tile_x.inner[ia3_2_], 40u, false);
            uint ia3_3_ = naga_div((sub_t + 24u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 a3_3_ = NagaCooperativeLoad(&tile_x.inner[ia3_3_], 40u, false);
            uint ib3_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 b3_0_ = NagaCooperativeLoad(&tile_w.inner[ib3_0_], 40u, true);
            uint ib3_1_ = naga_div((sub_n + 8u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 b3_1_ = NagaCooperativeLoad(&tile_w.inner[ib3_1_], 40u, true);
            uint ib3_2_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 b3_2_ = NagaCooperativeLoad(&tile_w.inner[ib3_2_], 40u, true);
            uint ib3_3_ = naga_div((sub_n + 24u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 b3_3_ = NagaCooperativeLoad(&tile_w.inner[ib3_3_], 40u, true);
            metal::simdgroup_float8x8 _e1133 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a3_0_, b3_0_, _e1133);
            metal::simdgroup_float8x8 _e1135 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a3_0_, b3_1_, _e1135);
            metal::simdgroup_float8x8 _e1137 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a3_0_, b3_2_, _e1137);
            metal::simdgroup_float8x8 _e1139 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a3_0_, b3_3_, _e1139);
            metal::simdgroup_float8x8 _e1141 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a3_1_, b3_0_, _e1141);
            metal::simdgroup_float8x8 _e1143 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a3_1_, b3_1_, _e1143);
            metal::simdgroup_float8x8 _e1145 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a3_1_, b3_2_, _e1145);
            metal::simdgroup_float8x8 _e1147 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a3_1_, b3_3_, _e1147);
            metal::simdgroup_float8x8 _e1149 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a3_2_, b3_0_, _e1149);
            metal::simdgroup_float8x8 _e1151 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a3_2_, b3_1_, _e1151);
            metal::simdgroup_float8x8 _e1153 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a3_2_, b3_2_, _e1153);
            metal::simdgroup_float8x8 _e1155 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a3_2_, b3_3_, _e1155);
            metal::simdgroup_float8x8 _e1157 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a3_3_, b3_0_, _e1157);
            metal::simdgroup_float8x8 _e1159 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a3_3_, b3_1_, _e1159);
            metal::simdgroup_float8x8 _e1161 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a3_3_, b3_2_, _e1161);
            metal::simdgroup_float8x8 _e1163 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a3_3_, b3_3_, _e1163);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = bias_1 == 0u;
    } else {
        local_1 = false;
    }
    bool _e1183 = local_1;
    if (_e1183) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1193 = c0_0_;
        simdgroup_store(_e1193, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1205 = c0_1_;
        simdgroup_store(_e1205, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1217 = c0_2_;
        simdgroup_store(_e1217, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1229 = c0_3_;
        simdgroup_store(_e1229, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1241 = c1_0_;
        simdgroup_store(_e1241, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1253 = c1_1_;
        simdgroup_store(_e1253, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1265 = c1_2_;
        simdgroup_store(_e1265, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1277 = c1_3_;
        simdgroup_store(_e1277, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1289 = c2_0_;
        simdgroup_store(_e1289, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1301 = c2_1_;
        simdgroup_store(_e1301, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1313 = c2_2_;
        simdgroup_store(_e1313, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1325 = c2_3_;
        simdgroup_store(_e1325, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1337 = c3_0_;
        simdgroup_store(_e1337, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1349 = c3_1_;
        simdgroup_store(_e1349, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1361 = c3_2_;
        simdgroup_store(_e1361, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1373 = c3_3_;
        simdgroup_store(_e1373, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float8x8 _e1376 = c0_0_;
    simdgroup_store(_e1376, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1403 = e_1;
            e_1 = _e1403 + size;
        }
        loop_init_2 = false;
        uint _e1381 = e_1;
        if (_e1381 < 64u) {
        } else {
            break;
        }
        {
            uint _e1387 = e_1;
            uint _e1394 = e_1;
            uint _e1399 = e_1;
            float _e1402 = spilled.inner[corner + _e1399];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1387, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1394, SIDE), _e1402, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1405 = c0_1_;
    simdgroup_store(_e1405, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e1432 = e_2;
            e_2 = _e1432 + size;
        }
        loop_init_3 = false;
        uint _e1410 = e_2;
        if (_e1410 < 64u) {
        } else {
            break;
        }
        {
            uint _e1416 = e_2;
            uint _e1423 = e_2;
            uint _e1428 = e_2;
            float _e1431 = spilled.inner[corner + _e1428];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1416, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1423, SIDE), _e1431, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1434 = c0_2_;
    simdgroup_store(_e1434, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1461 = e_3;
            e_3 = _e1461 + size;
        }
        loop_init_4 = false;
        uint _e1439 = e_3;
        if (_e1439 < 64u) {
        } else {
            break;
        }
        {
            uint _e1445 = e_3;
            uint _e1452 = e_3;
            uint _e1457 = e_3;
            float _e1460 = spilled.inner[corner + _e1457];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1445, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1452, SIDE), _e1460, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1463 = c0_3_;
    simdgroup_store(_e1463, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1490 = e_4;
            e_4 = _e1490 + size;
        }
        loop_init_5 = false;
        uint _e1468 = e_4;
        if (_e1468 < 64u) {
        } else {
            break;
        }
        {
            uint _e1474 = e_4;
            uint _e1481 = e_4;
            uint _e1486 = e_4;
            float _e1489 = spilled.inner[corner + _e1486];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1474, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1481, SIDE), _e1489, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1492 = c1_0_;
    simdgroup_store(_e1492, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e1519 = e_5;
            e_5 = _e1519 + size;
        }
        loop_init_6 = false;
        uint _e1497 = e_5;
        if (_e1497 < 64u) {
        } else {
            break;
        }
        {
            uint _e1503 = e_5;
            uint _e1510 = e_5;
            uint _e1515 = e_5;
            float _e1518 = spilled.inner[corner + _e1515];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1503, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1510, SIDE), _e1518, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1521 = c1_1_;
    simdgroup_store(_e1521, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1548 = e_6;
            e_6 = _e1548 + size;
        }
        loop_init_7 = false;
        uint _e1526 = e_6;
        if (_e1526 < 64u) {
        } else {
            break;
        }
        {
            uint _e1532 = e_6;
            uint _e1539 = e_6;
            uint _e1544 = e_6;
            float _e1547 = spilled.inner[corner + _e1544];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1532, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1539, SIDE), _e1547, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1550 = c1_2_;
    simdgroup_store(_e1550, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1577 = e_7;
            e_7 = _e1577 + size;
        }
        loop_init_8 = false;
        uint _e1555 = e_7;
        if (_e1555 < 64u) {
        } else {
            break;
        }
        {
            uint _e1561 = e_7;
            uint _e1568 = e_7;
            uint _e1573 = e_7;
            float _e1576 = spilled.inner[corner + _e1573];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1561, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1568, SIDE), _e1576, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1579 = c1_3_;
    simdgroup_store(_e1579, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1606 = e_8;
            e_8 = _e1606 + size;
        }
        loop_init_9 = false;
        uint _e1584 = e_8;
        if (_e1584 < 64u) {
        } else {
            break;
        }
        {
            uint _e1590 = e_8;
            uint _e1597 = e_8;
            uint _e1602 = e_8;
            float _e1605 = spilled.inner[corner + _e1602];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1590, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1597, SIDE), _e1605, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1608 = c2_0_;
    simdgroup_store(_e1608, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1635 = e_9;
            e_9 = _e1635 + size;
        }
        loop_init_10 = false;
        uint _e1613 = e_9;
        if (_e1613 < 64u) {
        } else {
            break;
        }
        {
            uint _e1619 = e_9;
            uint _e1626 = e_9;
            uint _e1631 = e_9;
            float _e1634 = spilled.inner[corner + _e1631];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1619, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1626, SIDE), _e1634, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1637 = c2_1_;
    simdgroup_store(_e1637, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1664 = e_10;
            e_10 = _e1664 + size;
        }
        loop_init_11 = false;
        uint _e1642 = e_10;
        if (_e1642 < 64u) {
        } else {
            break;
        }
        {
            uint _e1648 = e_10;
            uint _e1655 = e_10;
            uint _e1660 = e_10;
            float _e1663 = spilled.inner[corner + _e1660];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1648, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1655, SIDE), _e1663, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1666 = c2_2_;
    simdgroup_store(_e1666, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1693 = e_11;
            e_11 = _e1693 + size;
        }
        loop_init_12 = false;
        uint _e1671 = e_11;
        if (_e1671 < 64u) {
        } else {
            break;
        }
        {
            uint _e1677 = e_11;
            uint _e1684 = e_11;
            uint _e1689 = e_11;
            float _e1692 = spilled.inner[corner + _e1689];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1677, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1684, SIDE), _e1692, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1695 = c2_3_;
    simdgroup_store(_e1695, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1722 = e_12;
            e_12 = _e1722 + size;
        }
        loop_init_13 = false;
        uint _e1700 = e_12;
        if (_e1700 < 64u) {
        } else {
            break;
        }
        {
            uint _e1706 = e_12;
            uint _e1713 = e_12;
            uint _e1718 = e_12;
            float _e1721 = spilled.inner[corner + _e1718];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1706, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1713, SIDE), _e1721, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1724 = c3_0_;
    simdgroup_store(_e1724, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1751 = e_13;
            e_13 = _e1751 + size;
        }
        loop_init_14 = false;
        uint _e1729 = e_13;
        if (_e1729 < 64u) {
        } else {
            break;
        }
        {
            uint _e1735 = e_13;
            uint _e1742 = e_13;
            uint _e1747 = e_13;
            float _e1750 = spilled.inner[corner + _e1747];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1735, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1742, SIDE), _e1750, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1753 = c3_1_;
    simdgroup_store(_e1753, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1780 = e_14;
            e_14 = _e1780 + size;
        }
        loop_init_15 = false;
        uint _e1758 = e_14;
        if (_e1758 < 64u) {
        } else {
            break;
        }
        {
            uint _e1764 = e_14;
            uint _e1771 = e_14;
            uint _e1776 = e_14;
            float _e1779 = spilled.inner[corner + _e1776];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1764, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1771, SIDE), _e1779, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1782 = c3_2_;
    simdgroup_store(_e1782, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1809 = e_15;
            e_15 = _e1809 + size;
        }
        loop_init_16 = false;
        uint _e1787 = e_15;
        if (_e1787 < 64u) {
        } else {
            break;
        }
        {
            uint _e1793 = e_15;
            uint _e1800 = e_15;
            uint _e1805 = e_15;
            float _e1808 = spilled.inner[corner + _e1805];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1793, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1800, SIDE), _e1808, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1811 = c3_3_;
    simdgroup_store(_e1811, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_16 = lane;
    uint2 loop_bound_18 = uint2(4294967295u);
    bool loop_init_17 = true;
    while(true) {
        if (metal::all(loop_bound_18 == uint2(0u))) { break; }
        loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
        if (!loop_init_17) {
            uint _e1838 = e_16;
            e_16 = _e1838 + size;
        }
        loop_init_17 = false;
        uint _e1816 = e_16;
        if (_e1816 < 64u) {
        } else {
            break;
        }
        {
            uint _e1822 = e_16;
            uint _e1829 = e_16;
            uint _e1834 = e_16;
            float _e1837 = spilled.inner[corner + _e1834];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1822, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1829, SIDE), _e1837, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
