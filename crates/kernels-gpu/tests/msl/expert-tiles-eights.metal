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
    uint size7;
};

typedef uint type_2[1];
typedef metal::uint4 type_6[1];
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
    metal::uint4 inner[12];
};
struct Params {
    uint blocks;
    uint rows;
    uint count;
    uint depth;
    type_14 parts;
    uint order;
    uint tiles;
    uint weights;
    uint part;
    uint part_len;
    uint pad0_;
    uint pad1_;
    uint pad2_;
};
typedef float type_15[1];
typedef metal::half4 type_16[1];
struct type_17 {
    half inner[2560];
};
struct type_18 {
    float inner[1024];
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
constant uint LOADS_X = 2u;
constant uint LOADS_W = 1u;
constant uint EXPERTS = 1u;
constant uint USED = 8u;
constant bool PAIRED = false;
constant bool SHARED = true;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint STRIDE = 40u;
constant uint UNIT = 1u;
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
    device type_2 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e7 = words[plane + (i >> 1u)];
    metal::float2 pair = float2(as_type<half2>(_e7));
    return ((i & 1u) == 1u) ? pair.y : pair.x;
}

uint short_at(
    uint plane_1,
    uint i_1,
    device type_2 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e7 = words[plane_1 + (i_1 >> 1u)];
    return (_e7 >> ((i_1 & 1u) * 16u)) & 65535u;
}

uint byte_at(
    uint plane_2,
    uint i_2,
    device type_2 const& words,
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
    device type_6 const& codes_2,
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
    device type_6 const& codes_2,
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
    device type_6 const& codes_2,
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

uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint row_at(
    uint i_6,
    device type_15 const& act,
    constant Params& p_3,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = p_3.order;
    float _e7 = act[_e4 + i_6];
    uint pair_1 = naga_f2u32(metal::max(_e7, 0.0));
    return PAIRED ? naga_div(pair_1, USED) : pair_1;
}

void put(
    uint i_7,
    uint n,
    float value,
    uint out,
    uint width,
    uint bias,
    device type_15& act,
    constant Params& p_3,
    device type_15 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float y = {};
    uint row = {};
    if (n >= width) {
        return;
    }
    y = value;
    row = i_7;
    uint _e12 = p_3.order;
    float pair_2 = act[_e12 + i_7];
    if (pair_2 < 0.0) {
        return;
    }
    row = naga_f2u32(pair_2);
    uint _e22 = p_3.weights;
    uint _e23 = row;
    float _e26 = act[_e22 + _e23];
    float share = SHARED ? _e26 : 1.0;
    float _e30 = y;
    y = _e30 * (PAIRED ? share : 1.0);
    if (bias > 0u) {
        float _e37 = y;
        float _e43 = vectors[(bias - 1u) + n];
        y = _e37 + _e43;
    }
    float _e45 = y;
    y = _e45 * (PAIRED ? 1.0 : share);
    uint _e51 = row;
    float _e56 = y;
    act[(out + (_e51 * width)) + n] = _e56;
    return;
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
, device type_6 const& codes_2 [[user(fake0)]]
, device type_15& act [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, device type_15 const& vectors [[user(fake0)]]
, threadgroup metal::uint4& expert_of_tile
, device type_16 const& x [[user(fake0)]]
, threadgroup type_17& tile_x
, threadgroup type_17& tile_w
, threadgroup type_18& spilled
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
    uint e_1 = {};
    uint e_2 = {};
    uint e_3 = {};
    uint e_4 = {};
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
    metal::uint4 at_1 = p_3.parts.inner[(_e42 * 2u) + 1u];
    Planes planes = Planes {at_1.x, at_1.y, at_1.z, at_1.w};
    uint t0_ = group.x * TILE_T;
    uint n0_ = (group.y - part.x) * TILE_N;
    if (me == 0u) {
        uint _e67 = p_3.part;
        uint _e73 = p_3.tiles;
        float _e79 = act[(_e73 + 1u) + group.x];
        uint _e86 = p_3.tiles;
        float _e88 = act[_e86];
        expert_of_tile = metal::uint4((static_cast<float>(group.x) < _e88) ? naga_f2u32(_e79) : (_e67 - 1u));
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::uint4 unnamed = expert_of_tile;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint expert = unnamed.x;
    uint _e97 = p_3.part;
    uint _e101 = p_3.part_len;
    if ((expert - _e97) >= _e101) {
        return;
    }
    uint _e105 = p_3.part;
    uint stack = (expert - _e105) * part.y;
    uint bias_1 = (part.w > 0u) ? (part.w + (expert * part.y)) : 0u;
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
            uint _e137 = e;
            e = _e137 + size;
        }
        loop_init = false;
        uint _e129 = e;
        if (_e129 < 64u) {
        } else {
            break;
        }
        {
            uint _e133 = e;
            spilled.inner[corner + _e133] = 0.0;
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
    uint _e222 = p_3.depth;
    uint begin = (group.z * _e222) * 32u;
    uint _e228 = p_3.blocks;
    uint _e231 = p_3.blocks;
    uint _e237 = p_3.depth;
    uint _e242 = p_3.depth;
    uint end = ((_e242 > 0u) ? metal::min(_e231, (group.z + 1u) * _e237) : _e228) * 32u;
    uint u0_ = me + 0u;
    uint _e253 = row_at(t0_ + naga_div(u0_, 4u), act, p_3, _buffer_sizes);
    uint _e256 = p_3.blocks;
    uint x_at0_ = ((_e253 * _e256) * 8u) + (naga_mod(u0_, 4u) * 2u);
    uint to_x0_ = naga_div((naga_div(u0_, 4u) * STRIDE) + (naga_mod(u0_, 4u) * 8u), 4u);
    uint u1_ = me + 128u;
    uint _e281 = row_at(t0_ + naga_div(u1_, 4u), act, p_3, _buffer_sizes);
    uint _e284 = p_3.blocks;
    uint x_at1_ = ((_e281 * _e284) * 8u) + (naga_mod(u1_, 4u) * 2u);
    uint to_x1_ = naga_div((naga_div(u1_, 4u) * STRIDE) + (naga_mod(u1_, 4u) * 8u), 4u);
    uint v0_ = me + 0u;
    uint _e316 = p_3.blocks;
    uint w_at0_ = (((stack + metal::min(n0_ + naga_div(v0_, 2u), part.y - 1u)) * _e316) * 2u) + naga_mod(v0_, 2u);
    uint to_w0_ = naga_div((naga_div(v0_, 2u) * STRIDE) + (naga_mod(v0_, 2u) * 16u), 4u);
    k0_ = begin;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1174 = k0_;
            k0_ = _e1174 + TILE_K;
        }
        loop_init_1 = false;
        uint _e335 = k0_;
        if (_e335 < end) {
        } else {
            break;
        }
        {
            uint _e338 = k0_;
            metal::half4 xa0_ = x[x_at0_ + naga_div(_e338, 4u)];
            uint _e345 = k0_;
            metal::half4 xb0_ = x[(x_at0_ + naga_div(_e345, 4u)) + 1u];
            uint _e354 = k0_;
            metal::half4 xa1_ = x[x_at1_ + naga_div(_e354, 4u)];
            uint _e361 = k0_;
            metal::half4 xb1_ = x[(x_at1_ + naga_div(_e361, 4u)) + 1u];
            uint _e369 = k0_;
            type_13 _e373 = halves16_(planes, w_at0_ + naga_div(_e369, 16u), codes_2, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            tile_x.inner[(to_x0_ * 4u) + 0u] = xa0_.x;
            tile_x.inner[((to_x0_ * 4u) + 4u) + 0u] = xb0_.x;
            tile_x.inner[(to_x0_ * 4u) + 1u] = xa0_.y;
            tile_x.inner[((to_x0_ * 4u) + 4u) + 1u] = xb0_.y;
            tile_x.inner[(to_x0_ * 4u) + 2u] = xa0_.z;
            tile_x.inner[((to_x0_ * 4u) + 4u) + 2u] = xb0_.z;
            tile_x.inner[(to_x0_ * 4u) + 3u] = xa0_.w;
            tile_x.inner[((to_x0_ * 4u) + 4u) + 3u] = xb0_.w;
            tile_x.inner[(to_x1_ * 4u) + 0u] = xa1_.x;
            tile_x.inner[((to_x1_ * 4u) + 4u) + 0u] = xb1_.x;
            tile_x.inner[(to_x1_ * 4u) + 1u] = xa1_.y;
            tile_x.inner[((to_x1_ * 4u) + 4u) + 1u] = xb1_.y;
            tile_x.inner[(to_x1_ * 4u) + 2u] = xa1_.z;
            tile_x.inner[((to_x1_ * 4u) + 4u) + 2u] = xb1_.z;
            tile_x.inner[(to_x1_ * 4u) + 3u] = xa1_.w;
            tile_x.inner[((to_x1_ * 4u) + 4u) + 3u] = xb1_.w;
            tile_w.inner[((to_w0_ + 0u) * 4u) + 0u] = _e373.inner[0].x;
            tile_w.inner[((to_w0_ + 0u) * 4u) + 1u] = _e373.inner[0].y;
            tile_w.inner[((to_w0_ + 0u) * 4u) + 2u] = _e373.inner[0].z;
            tile_w.inner[((to_w0_ + 0u) * 4u) + 3u] = _e373.inner[0].w;
            tile_w.inner[((to_w0_ + 1u) * 4u) + 0u] = _e373.inner[1].x;
            tile_w.inner[((to_w0_ + 1u) * 4u) + 1u] = _e373.inner[1].y;
            tile_w.inner[((to_w0_ + 1u) * 4u) + 2u] = _e373.inner[1].z;
            tile_w.inner[((to_w0_ + 1u) * 4u) + 3u] = _e373.inner[1].w;
            tile_w.inner[((to_w0_ + 2u) * 4u) + 0u] = _e373.inner[2].x;
            tile_w.inner[((to_w0_ + 2u) * 4u) + 1u] = _e373.inner[2].y;
            tile_w.inner[((to_w0_ + 2u) * 4u) + 2u] = _e373.inner[2].z;
            tile_w.inner[((to_w0_ + 2u) * 4u) + 3u] = _e373.inner[2].w;
            tile_w.inner[((to_w0_ + 3u) * 4u) + 0u] = _e373.inner[3].x;
            tile_w.inner[((to_w0_ + 3u) * 4u) + 1u] = _e373.inner[3].y;
            tile_w.inner[((to_w0_ + 3u) * 4u) + 2u] = _e373.inner[3].z;
            tile_w.inner[((to_w0_ + 3u) * 4u) + 3u] = _e373.inner[3].w;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint ia0_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 a0_0_ = NagaCooperativeLoad(&tile_x.inner[ia0_0_], 40u, false);
            uint ia0_1_ = naga_div((sub_t + 8u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 a0_1_ = NagaCooperativeLoad(&tile_x.inner[ia0_1_], 40u, false);
            uint ia0_2_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 a0_2_ = NagaCooperativeLoad(&tile_x.inner[ia0_2_], 40u, false);
            uint ia0_3_ = naga_div((sub_t + 24u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 a0_3_ = NagaCooperativeLoad(&tile_x.inner[ia0_3_], 40u, false);
            uint ib0_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 b0_0_ = NagaCooperativeLoad(&tile_w.inner[ib0_0_], 40u, true);
            uint ib0_1_ = naga_div((sub_n + 8u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 b0_1_ = NagaCooperativeLoad(&tile_w.inner[ib0_1_], 40u, true);
            uint ib0_2_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 b0_2_ = NagaCooperativeLoad(&tile_w.inner[ib0_2_], 40u, true);
            uint ib0_3_ = naga_div((sub_n + 24u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 b0_3_ = NagaCooperativeLoad(&tile_w.inner[ib0_3_], 40u, true);
            metal::simdgroup_float8x8 _e758 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e758);
            metal::simdgroup_float8x8 _e760 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e760);
            metal::simdgroup_float8x8 _e762 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e762);
            metal::simdgroup_float8x8 _e764 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e764);
            metal::simdgroup_float8x8 _e766 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e766);
            metal::simdgroup_float8x8 _e768 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e768);
            metal::simdgroup_float8x8 _e770 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e770);
            metal::simdgroup_float8x8 _e772 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e772);
            metal::simdgroup_float8x8 _e774 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e774);
            metal::simdgroup_float8x8 _e776 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e776);
            metal::simdgroup_float8x8 _e778 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e778);
            metal::simdgroup_float8x8 _e780 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e780);
            metal::simdgroup_float8x8 _e782 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e782);
            metal::simdgroup_float8x8 _e784 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e784);
            metal::simdgroup_float8x8 _e786 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e786);
            metal::simdgroup_float8x8 _e788 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e788);
            uint ia1_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 a1_0_ = NagaCooperativeLoad(&tile_x.inner[ia1_0_], 40u, false);
            uint ia1_1_ = naga_div((sub_t + 8u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 a1_1_ = NagaCooperativeLoad(&tile_x.inner[ia1_1_], 40u, false);
            uint ia1_2_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 a1_2_ = NagaCooperativeLoad(&tile_x.inner[ia1_2_], 40u, false);
            uint ia1_3_ = naga_div((sub_t + 24u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 a1_3_ = NagaCooperativeLoad(&tile_x.inner[ia1_3_], 40u, false);
            uint ib1_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 b1_0_ = NagaCooperativeLoad(&tile_w.inner[ib1_0_], 40u, true);
            uint ib1_1_ = naga_div((sub_n + 8u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 b1_1_ = NagaCooperativeLoad(&tile_w.inner[ib1_1_], 40u, true);
            uint ib1_2_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 b1_2_ = NagaCooperativeLoad(&tile_w.inner[ib1_2_], 40u, true);
            uint ib1_3_ = naga_div((sub_n + 24u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 b1_3_ = NagaCooperativeLoad(&tile_w.inner[ib1_3_], 40u, true);
            metal::simdgroup_float8x8 _e886 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e886);
            metal::simdgroup_float8x8 _e888 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e888);
            metal::simdgroup_float8x8 _e890 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e890);
            metal::simdgroup_float8x8 _e892 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e892);
            metal::simdgroup_float8x8 _e894 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e894);
            metal::simdgroup_float8x8 _e896 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e896);
            metal::simdgroup_float8x8 _e898 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e898);
            metal::simdgroup_float8x8 _e900 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e900);
            metal::simdgroup_float8x8 _e902 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e902);
            metal::simdgroup_float8x8 _e904 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e904);
            metal::simdgroup_float8x8 _e906 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e906);
            metal::simdgroup_float8x8 _e908 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e908);
            metal::simdgroup_float8x8 _e910 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e910);
            metal::simdgroup_float8x8 _e912 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e912);
            metal::simdgroup_float8x8 _e914 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e914);
            metal::simdgroup_float8x8 _e916 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e916);
            uint ia2_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 a2_0_ = NagaCooperativeLoad(&tile_x.inner[ia2_0_], 40u, false);
            uint ia2_1_ = naga_div((sub_t + 8u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 a2_1_ = NagaCooperativeLoad(&tile_x.inner[ia2_1_], 40u, false);
            uint ia2_2_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 a2_2_ = NagaCooperativeLoad(&tile_x.inner[ia2_2_], 40u, false);
            uint ia2_3_ = naga_div((sub_t + 24u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 a2_3_ = NagaCooperativeLoad(&tile_x.inner[ia2_3_], 40u, false);
            uint ib2_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 b2_0_ = NagaCooperativeLoad(&tile_w.inner[ib2_0_], 40u, true);
            uint ib2_1_ = naga_div((sub_n + 8u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 b2_1_ = NagaCooperativeLoad(&tile_w.inner[ib2_1_], 40u, true);
            uint ib2_2_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 b2_2_ = NagaCooperativeLoad(&tile_w.inner[ib2_2_], 40u, true);
            uint ib2_3_ = naga_div((sub_n + 24u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 b2_3_ = NagaCooperativeLoad(&tile_w.inner[ib2_3_], 40u, true);
            metal::simdgroup_float8x8 _e1014 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a2_0_, b2_0_, _e1014);
            metal::simdgroup_float8x8 _e1016 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a2_0_, b2_1_, _e1016);
            metal::simdgroup_float8x8 _e1018 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a2_0_, b2_2_, _e1018);
            metal::simdgroup_float8x8 _e1020 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a2_0_, b2_3_, _e1020);
            metal::simdgroup_float8x8 _e1022 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a2_1_, b2_0_, _e1022);
            metal::simdgroup_float8x8 _e1024 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a2_1_, b2_1_, _e1024);
            metal::simdgroup_float8x8 _e1026 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a2_1_, b2_2_, _e1026);
            metal::simdgroup_float8x8 _e1028 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a2_1_, b2_3_, _e1028);
            metal::simdgroup_float8x8 _e1030 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a2_2_, b2_0_, _e1030);
            metal::simdgroup_float8x8 _e1032 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a2_2_, b2_1_, _e1032);
            metal::simdgroup_float8x8 _e1034 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a2_2_, b2_2_, _e1034);
            metal::simdgroup_float8x8 _e1036 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a2_2_, b2_3_, _e1036);
            metal::simdgroup_float8x8 _e1038 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a2_3_, b2_0_, _e1038);
            metal::simdgroup_float8x8 _e1040 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a2_3_, b2_1_, _e1040);
            metal::simdgroup_float8x8 _e1042 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a2_3_, b2_2_, _e1042);
            metal::simdgroup_float8x8 _e1044 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a2_3_, b2_3_, _e1044);
            uint ia3_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 a3_0_ = NagaCooperativeLoad(&tile_x.inner[ia3_0_], 40u, false);
            uint ia3_1_ = naga_div((sub_t + 8u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 a3_1_ = NagaCooperativeLoad(&tile_x.inner[ia3_1_], 40u, false);
            uint ia3_2_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 a3_2_ = NagaCooperativeLoad(&tile_x.inner[ia3_2_], 40u, false);
            uint ia3_3_ = naga_div((sub_t + 24u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 a3_3_ = NagaCooperativeLoad(&tile_x.inner[ia3_3_], 40u, false);
            uint ib3_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 b3_0_ = NagaCooperativeLoad(&tile_w.inner[ib3_0_], 40u, true);
            uint ib3_1_ = naga_div((sub_n + 8u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 b3_1_ = NagaCooperativeLoad(&tile_w.inner[ib3_1_], 40u, true);
            uint ib3_2_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 b3_2_ = NagaCooperativeLoad(&tile_w.inner[ib3_2_], 40u, true);
            uint ib3_3_ = naga_div((sub_n + 24u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 b3_3_ = NagaCooperativeLoad(&tile_w.inner[ib3_3_], 40u, true);
            metal::simdgroup_float8x8 _e1142 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a3_0_, b3_0_, _e1142);
            metal::simdgroup_float8x8 _e1144 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a3_0_, b3_1_, _e1144);
            metal::simdgroup_float8x8 _e1146 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a3_0_, b3_2_, _e1146);
            metal::simdgroup_float8x8 _e1148 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a3_0_, b3_3_, _e1148);
            metal::simdgroup_float8x8 _e1150 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a3_1_, b3_0_, _e1150);
            metal::simdgroup_float8x8 _e1152 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a3_1_, b3_1_, _e1152);
            metal::simdgroup_float8x8 _e1154 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a3_1_, b3_2_, _e1154);
            metal::simdgroup_float8x8 _e1156 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a3_1_, b3_3_, _e1156);
            metal::simdgroup_float8x8 _e1158 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a3_2_, b3_0_, _e1158);
            metal::simdgroup_float8x8 _e1160 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a3_2_, b3_1_, _e1160);
            metal::simdgroup_float8x8 _e1162 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a3_2_, b3_2_, _e1162);
            metal::simdgroup_float8x8 _e1164 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a3_2_, b3_3_, _e1164);
            metal::simdgroup_float8x8 _e1166 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a3_3_, b3_0_, _e1166);
            metal::simdgroup_float8x8 _e1168 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a3_3_, b3_1_, _e1168);
            metal::simdgroup_float8x8 _e1170 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a3_3_, b3_2_, _e1170);
            metal::simdgroup_float8x8 _e1172 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a3_3_, b3_3_, _e1172);
        }
    }
    uint width_1 = part.y;
    uint s0_0_ = corner + 0u;
    metal::simdgroup_float8x8 _e1180 = c0_0_;
    simdgroup_store(_e1180, &spilled.inner[s0_0_], SUB_N);
    uint s0_1_ = corner + 8u;
    metal::simdgroup_float8x8 _e1186 = c0_1_;
    simdgroup_store(_e1186, &spilled.inner[s0_1_], SUB_N);
    uint s0_2_ = corner + 16u;
    metal::simdgroup_float8x8 _e1192 = c0_2_;
    simdgroup_store(_e1192, &spilled.inner[s0_2_], SUB_N);
    uint s0_3_ = corner + 24u;
    metal::simdgroup_float8x8 _e1198 = c0_3_;
    simdgroup_store(_e1198, &spilled.inner[s0_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1224 = e_1;
            e_1 = _e1224 + size;
        }
        loop_init_2 = false;
        uint _e1203 = e_1;
        if (_e1203 < 256u) {
        } else {
            break;
        }
        {
            uint _e1209 = e_1;
            uint _e1214 = e_1;
            uint _e1219 = e_1;
            float _e1222 = spilled.inner[corner + _e1219];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1209, SUB_N), (n0_ + sub_n) + naga_mod(_e1214, SUB_N), _e1222, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s1_0_ = corner + 0u;
    metal::simdgroup_float8x8 _e1228 = c1_0_;
    simdgroup_store(_e1228, &spilled.inner[s1_0_], SUB_N);
    uint s1_1_ = corner + 8u;
    metal::simdgroup_float8x8 _e1234 = c1_1_;
    simdgroup_store(_e1234, &spilled.inner[s1_1_], SUB_N);
    uint s1_2_ = corner + 16u;
    metal::simdgroup_float8x8 _e1240 = c1_2_;
    simdgroup_store(_e1240, &spilled.inner[s1_2_], SUB_N);
    uint s1_3_ = corner + 24u;
    metal::simdgroup_float8x8 _e1246 = c1_3_;
    simdgroup_store(_e1246, &spilled.inner[s1_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e1272 = e_2;
            e_2 = _e1272 + size;
        }
        loop_init_3 = false;
        uint _e1251 = e_2;
        if (_e1251 < 256u) {
        } else {
            break;
        }
        {
            uint _e1257 = e_2;
            uint _e1262 = e_2;
            uint _e1267 = e_2;
            float _e1270 = spilled.inner[corner + _e1267];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1257, SUB_N), (n0_ + sub_n) + naga_mod(_e1262, SUB_N), _e1270, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s2_0_ = corner + 0u;
    metal::simdgroup_float8x8 _e1276 = c2_0_;
    simdgroup_store(_e1276, &spilled.inner[s2_0_], SUB_N);
    uint s2_1_ = corner + 8u;
    metal::simdgroup_float8x8 _e1282 = c2_1_;
    simdgroup_store(_e1282, &spilled.inner[s2_1_], SUB_N);
    uint s2_2_ = corner + 16u;
    metal::simdgroup_float8x8 _e1288 = c2_2_;
    simdgroup_store(_e1288, &spilled.inner[s2_2_], SUB_N);
    uint s2_3_ = corner + 24u;
    metal::simdgroup_float8x8 _e1294 = c2_3_;
    simdgroup_store(_e1294, &spilled.inner[s2_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1320 = e_3;
            e_3 = _e1320 + size;
        }
        loop_init_4 = false;
        uint _e1299 = e_3;
        if (_e1299 < 256u) {
        } else {
            break;
        }
        {
            uint _e1305 = e_3;
            uint _e1310 = e_3;
            uint _e1315 = e_3;
            float _e1318 = spilled.inner[corner + _e1315];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1305, SUB_N), (n0_ + sub_n) + naga_mod(_e1310, SUB_N), _e1318, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s3_0_ = corner + 0u;
    metal::simdgroup_float8x8 _e1324 = c3_0_;
    simdgroup_store(_e1324, &spilled.inner[s3_0_], SUB_N);
    uint s3_1_ = corner + 8u;
    metal::simdgroup_float8x8 _e1330 = c3_1_;
    simdgroup_store(_e1330, &spilled.inner[s3_1_], SUB_N);
    uint s3_2_ = corner + 16u;
    metal::simdgroup_float8x8 _e1336 = c3_2_;
    simdgroup_store(_e1336, &spilled.inner[s3_2_], SUB_N);
    uint s3_3_ = corner + 24u;
    metal::simdgroup_float8x8 _e1342 = c3_3_;
    simdgroup_store(_e1342, &spilled.inner[s3_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1368 = e_4;
            e_4 = _e1368 + size;
        }
        loop_init_5 = false;
        uint _e1347 = e_4;
        if (_e1347 < 256u) {
        } else {
            break;
        }
        {
            uint _e1353 = e_4;
            uint _e1358 = e_4;
            uint _e1363 = e_4;
            float _e1366 = spilled.inner[corner + _e1363];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1353, SUB_N), (n0_ + sub_n) + naga_mod(_e1358, SUB_N), _e1366, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
