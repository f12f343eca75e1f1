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
struct Stored {
    metal::uint4 w;
    metal::uint4 head;
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
    uint pad;
    type_15 parts;
    uint order;
    uint tiles;
    uint weights;
    uint part;
    uint part_len;
    uint pad0_;
    uint pad1_;
    uint pad2_;
};
typedef float type_16[1];
typedef metal::half4 type_17[1];
struct type_18 {
    half inner[2560];
};
struct type_19 {
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
constant uint BLOCKS = 128u;
constant uint SPLIT = 128u;
constant uint SPLIT_ROWS = 0u;
constant uint LOADS_X = 4u;
constant uint LOADS_W = 1u;
constant uint W_EACH = 16u;
constant uint W_FOURS = 4u;
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
constant uint ELEMENT = 1u;
constant uint SPILLED = 256u;
constant uint SPREAD = 8u;

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

float half_of(
    uint word,
    uint i
) {
    metal::float2 pair = float2(as_type<half2>(word));
    return ((i & 1u) == 1u) ? pair.y : pair.x;
}

uint short_of(
    uint word_1,
    uint i_1
) {
    return (word_1 >> ((i_1 & 1u) * 16u)) & 65535u;
}

uint byte_of(
    uint word_2,
    uint i_2
) {
    return (word_2 >> ((i_2 & 3u) * 8u)) & 255u;
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

Stored stored(
    Planes p,
    uint i_3,
    device type_6 const& codes_2,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 _e6 = codes_2[p.codes + i_3];
    metal::uint4 _e13 = codes_2[p.supers + (i_3 >> 3u)];
    return Stored {_e6, _e13};
}

Block block_of(
    Stored v,
    uint i_4
) {
    metal::float2 _e8 = k_scales(v.head, i_4 & 7u);
    metal::float2 d = float2(as_type<half2>(v.head.x)) * _e8;
    return Block {v.w & NIBBLES, (v.w >> metal::uint4(4u)) & NIBBLES, metal::float2(d.x), metal::float2(-(d.y))};
}

Block weight(
    Planes p_1,
    uint i_5,
    device type_6 const& codes_2,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e2 = stored(p_1, i_5, codes_2, _buffer_sizes);
    Block _e3 = block_of(_e2, i_5);
    return _e3;
}

metal::float4 four(
    uint codes,
    float s,
    float m
) {
    return (static_cast<metal::float4>(int4(as_type<packed_char4>(codes))) * s) + metal::float4(m);
}

type_10 weight16_(
    Planes p_2,
    uint i_6,
    device type_6 const& codes_2,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_6 >> 1u, codes_2, _buffer_sizes);
    bool last = (i_6 & 1u) == 1u;
    metal::uint4 w_1 = last ? _e4.hi : _e4.lo;
    float s_2 = last ? _e4.s.y : _e4.s.x;
    float m_2 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_1.x, s_2, m_2);
    metal::float4 _e25 = four(w_1.y, s_2, m_2);
    metal::float4 _e27 = four(w_1.z, s_2, m_2);
    metal::float4 _e29 = four(w_1.w, s_2, m_2);
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
    Stored v_1,
    uint i_7
) {
    Block _e4 = block_of(v_1, i_7 >> 1u);
    bool last_1 = (i_7 & 1u) == 1u;
    metal::uint4 w_2 = last_1 ? _e4.hi : _e4.lo;
    half s_3 = static_cast<half>(last_1 ? _e4.s.y : _e4.s.x);
    half m_3 = static_cast<half>(last_1 ? _e4.m.y : _e4.m.x);
    metal::half4 _e25 = half_four(w_2.x, s_3, m_3);
    metal::half4 _e27 = half_four(w_2.y, s_3, m_3);
    metal::half4 _e29 = half_four(w_2.z, s_3, m_3);
    metal::half4 _e31 = half_four(w_2.w, s_3, m_3);
    return type_13 {{_e25, _e27, _e29, _e31}};
}

type_14 halves32_(
    Stored v_2,
    uint i_8
) {
    Block _e2 = block_of(v_2, i_8);
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

uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint row_at(
    uint i_9,
    device type_16 const& act,
    constant Params& p_3,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = p_3.order;
    float _e7 = act[_e4 + i_9];
    uint pair_1 = naga_f2u32(metal::max(_e7, 0.0));
    return PAIRED ? naga_div(pair_1, USED) : pair_1;
}

void put(
    uint i_10,
    uint n,
    float value,
    uint out,
    uint width,
    uint bias,
    device type_16& act,
    constant Params& p_3,
    device type_16 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float y = {};
    uint row = {};
    if (n >= width) {
        return;
    }
    y = value;
    row = i_10;
    uint _e12 = p_3.order;
    float pair_2 = act[_e12 + i_10];
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
, device type_16& act [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, device type_16 const& vectors [[user(fake0)]]
, threadgroup metal::uint4& expert_of_tile
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
    uint n0_ = metal::min((group.y - part.x) * TILE_N, part.y - TILE_N);
    if (me == 0u) {
        uint _e71 = p_3.part;
        uint _e77 = p_3.tiles;
        float _e83 = act[(_e77 + 1u) + group.x];
        uint _e90 = p_3.tiles;
        float _e92 = act[_e90];
        expert_of_tile = metal::uint4((static_cast<float>(group.x) < _e92) ? naga_f2u32(_e83) : (_e71 - 1u));
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::uint4 unnamed = expert_of_tile;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint expert = unnamed.x;
    uint _e101 = p_3.part;
    uint _e105 = p_3.part_len;
    if ((expert - _e101) >= _e105) {
        return;
    }
    uint _e109 = p_3.part;
    uint stack = (expert - _e109) * part.y;
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
            uint _e141 = e;
            e = _e141 + size;
        }
        loop_init = false;
        uint _e133 = e;
        if (_e133 < 64u) {
        } else {
            break;
        }
        {
            uint _e137 = e;
            spilled.inner[corner + _e137] = 0.0;
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
    uint begin = (group.z * SPLIT) * 32u;
    uint end = begin + 4096u;
    uint group_row = naga_div(me, 8u);
    uint row_1 = ((naga_div(group_row, SPREAD) * SPREAD) + (naga_mod(group_row, 2u) * 4u)) + naga_mod(naga_div(group_row, 2u), 4u);
    uint column = naga_mod(me, 8u);
    uint to_x = (row_1 * 10u) + column;
    uint _e254 = row_at((t0_ + row_1) + 0u, act, p_3, _buffer_sizes);
    uint x_at0_ = ((_e254 * BLOCKS) * 8u) + column;
    uint _e263 = row_at((t0_ + row_1) + 16u, act, p_3, _buffer_sizes);
    uint x_at1_ = ((_e263 * BLOCKS) * 8u) + column;
    uint _e272 = row_at((t0_ + row_1) + 32u, act, p_3, _buffer_sizes);
    uint x_at2_ = ((_e272 * BLOCKS) * 8u) + column;
    uint _e281 = row_at((t0_ + row_1) + 48u, act, p_3, _buffer_sizes);
    uint x_at3_ = ((_e281 * BLOCKS) * 8u) + column;
    uint w_row = naga_div(me, 2u);
    uint w_column = naga_mod(me, 2u);
    uint to_w = naga_div((w_row * STRIDE) + (w_column * W_EACH), 4u);
    uint w_first = ((((stack + n0_) + w_row) * BLOCKS) * 2u) + w_column;
    uint w_at0_ = w_first + 0u;
    k0_ = begin;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1194 = k0_;
            k0_ = _e1194 + TILE_K;
        }
        loop_init_1 = false;
        uint _e308 = k0_;
        if (_e308 < end) {
        } else {
            break;
        }
        {
            uint _e311 = k0_;
            metal::half4 x0_ = x[x_at0_ + naga_div(_e311, 4u)];
            uint _e318 = k0_;
            metal::half4 x1_ = x[x_at1_ + naga_div(_e318, 4u)];
            uint _e325 = k0_;
            metal::half4 x2_ = x[x_at2_ + naga_div(_e325, 4u)];
            uint _e332 = k0_;
            metal::half4 x3_ = x[x_at3_ + naga_div(_e332, 4u)];
            uint _e338 = k0_;
            uint i0_ = w_at0_ + naga_div(_e338, W_EACH);
            Stored _e344 = stored(planes, naga_div(i0_, 2u), codes_2, _buffer_sizes);
            type_13 _e345 = halves16_(_e344, i0_);
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
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 0u] = _e345.inner[0].x;
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 1u] = _e345.inner[0].y;
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 2u] = _e345.inner[0].z;
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 3u] = _e345.inner[0].w;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 0u] = _e345.inner[1].x;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 1u] = _e345.inner[1].y;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 2u] = _e345.inner[1].z;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 3u] = _e345.inner[1].w;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 0u] = _e345.inner[2].x;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 1u] = _e345.inner[2].y;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 2u] = _e345.inner[2].z;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 3u] = _e345.inner[2].w;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 0u] = _e345.inner[3].x;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 1u] = _e345.inner[3].y;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 2u] = _e345.inner[3].z;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 3u] = _e345.inner[3].w;
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
            metal::simdgroup_float8x8 _e778 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e778);
            metal::simdgroup_float8x8 _e780 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e780);
            metal::simdgroup_float8x8 _e782 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e782);
            metal::simdgroup_float8x8 _e784 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e784);
            metal::simdgroup_float8x8 _e786 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e786);
            metal::simdgroup_float8x8 _e788 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e788);
            metal::simdgroup_float8x8 _e790 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e790);
            metal::simdgroup_float8x8 _e792 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e792);
            metal::simdgroup_float8x8 _e794 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e794);
            metal::simdgroup_float8x8 _e796 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e796);
            metal::simdgroup_float8x8 _e798 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e798);
            metal::simdgroup_float8x8 _e800 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e800);
            metal::simdgroup_float8x8 _e802 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e802);
            metal::simdgroup_float8x8 _e804 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e804);
            metal::simdgroup_float8x8 _e806 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e806);
            metal::simdgroup_float8x8 _e808 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e808);
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
            metal::simdgroup_float8x8 _e906 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e906);
            metal::simdgroup_float8x8 _e908 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e908);
            metal::simdgroup_float8x8 _e910 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e910);
            metal::simdgroup_float8x8 _e912 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e912);
            metal::simdgroup_float8x8 _e914 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e914);
            metal::simdgroup_float8x8 _e916 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e916);
            metal::simdgroup_float8x8 _e918 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e918);
            metal::simdgroup_float8x8 _e920 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e920);
            metal::simdgroup_float8x8 _e922 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e922);
            metal::simdgroup_float8x8 _e924 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e924);
            metal::simdgroup_float8x8 _e926 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e926);
            metal::simdgroup_float8x8 _e928 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e928);
            metal::simdgroup_float8x8 _e930 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e930);
            metal::simdgroup_float8x8 _e932 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e932);
            metal::simdgroup_float8x8 _e934 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e934);
            metal::simdgroup_float8x8 _e936 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e936);
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
            metal::simdgroup_float8x8 _e1034 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a2_0_, b2_0_, _e1034);
            metal::simdgroup_float8x8 _e1036 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a2_0_, b2_1_, _e1036);
            metal::simdgroup_float8x8 _e1038 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a2_0_, b2_2_, _e1038);
            metal::simdgroup_float8x8 _e1040 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a2_0_, b2_3_, _e1040);
            metal::simdgroup_float8x8 _e1042 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a2_1_, b2_0_, _e1042);
            metal::simdgroup_float8x8 _e1044 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a2_1_, b2_1_, _e1044);
            metal::simdgroup_float8x8 _e1046 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a2_1_, b2_2_, _e1046);
            metal::simdgroup_float8x8 _e1048 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a2_1_, b2_3_, _e1048);
            metal::simdgroup_float8x8 _e1050 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a2_2_, b2_0_, _e1050);
            metal::simdgroup_float8x8 _e1052 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a2_2_, b2_1_, _e1052);
            metal::simdgroup_float8x8 _e1054 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a2_2_, b2_2_, _e1054);
            metal::simdgroup_float8x8 _e1056 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a2_2_, b2_3_, _e1056);
            metal::simdgroup_float8x8 _e1058 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a2_3_, b2_0_, _e1058);
            metal::simdgroup_float8x8 _e1060 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a2_3_, b2_1_, _e1060);
            metal::simdgroup_float8x8 _e1062 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a2_3_, b2_2_, _e1062);
            metal::simdgroup_float8x8 _e1064 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a2_3_, b2_3_, _e1064);
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
            metal::simdgroup_float8x8 _e1162 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a3_0_, b3_0_, _e1162);
            metal::simdgroup_float8x8 _e1164 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a3_0_, b3_1_, _e1164);
            metal::simdgroup_float8x8 _e1166 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a3_0_, b3_2_, _e1166);
            metal::simdgroup_float8x8 _e1168 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a3_0_, b3_3_, _e1168);
            metal::simdgroup_float8x8 _e1170 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a3_1_, b3_0_, _e1170);
            metal::simdgroup_float8x8 _e1172 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a3_1_, b3_1_, _e1172);
            metal::simdgroup_float8x8 _e1174 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a3_1_, b3_2_, _e1174);
            metal::simdgroup_float8x8 _e1176 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a3_1_, b3_3_, _e1176);
            metal::simdgroup_float8x8 _e1178 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a3_2_, b3_0_, _e1178);
            metal::simdgroup_float8x8 _e1180 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a3_2_, b3_1_, _e1180);
            metal::simdgroup_float8x8 _e1182 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a3_2_, b3_2_, _e1182);
            metal::simdgroup_float8x8 _e1184 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a3_2_, b3_3_, _e1184);
            metal::simdgroup_float8x8 _e1186 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a3_3_, b3_0_, _e1186);
            metal::simdgroup_float8x8 _e1188 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a3_3_, b3_1_, _e1188);
            metal::simdgroup_float8x8 _e1190 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a3_3_, b3_2_, _e1190);
            metal::simdgroup_float8x8 _e1192 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a3_3_, b3_3_, _e1192);
        }
    }
    uint width_1 = part.y;
    uint s0_0_ = corner + 0u;
    metal::simdgroup_float8x8 _e1200 = c0_0_;
    simdgroup_store(_e1200, &spilled.inner[s0_0_], SUB_N);
    uint s0_1_ = corner + 8u;
    metal::simdgroup_float8x8 _e1206 = c0_1_;
    simdgroup_store(_e1206, &spilled.inner[s0_1_], SUB_N);
    uint s0_2_ = corner + 16u;
    metal::simdgroup_float8x8 _e1212 = c0_2_;
    simdgroup_store(_e1212, &spilled.inner[s0_2_], SUB_N);
    uint s0_3_ = corner + 24u;
    metal::simdgroup_float8x8 _e1218 = c0_3_;
    simdgroup_store(_e1218, &spilled.inner[s0_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1244 = e_1;
            e_1 = _e1244 + size;
        }
        loop_init_2 = false;
        uint _e1223 = e_1;
        if (_e1223 < 256u) {
        } else {
            break;
        }
        {
            uint _e1229 = e_1;
            uint _e1234 = e_1;
            uint _e1239 = e_1;
            float _e1242 = spilled.inner[corner + _e1239];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1229, SUB_N), (n0_ + sub_n) + naga_mod(_e1234, SUB_N), _e1242, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s1_0_ = corner + 0u;
    metal::simdgroup_float8x8 _e1248 = c1_0_;
    simdgroup_store(_e1248, &spilled.inner[s1_0_], SUB_N);
    uint s1_1_ = corner + 8u;
    metal::simdgroup_float8x8 _e1254 = c1_1_;
    simdgroup_store(_e1254, &spilled.inner[s1_1_], SUB_N);
    uint s1_2_ = corner + 16u;
    metal::simdgroup_float8x8 _e1260 = c1_2_;
    simdgroup_store(_e1260, &spilled.inner[s1_2_], SUB_N);
    uint s1_3_ = corner + 24u;
    metal::simdgroup_float8x8 _e1266 = c1_3_;
    simdgroup_store(_e1266, &spilled.inner[s1_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e1292 = e_2;
            e_2 = _e1292 + size;
        }
        loop_init_3 = false;
        uint _e1271 = e_2;
        if (_e1271 < 256u) {
        } else {
            break;
        }
        {
            uint _e1277 = e_2;
            uint _e1282 = e_2;
            uint _e1287 = e_2;
            float _e1290 = spilled.inner[corner + _e1287];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1277, SUB_N), (n0_ + sub_n) + naga_mod(_e1282, SUB_N), _e1290, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s2_0_ = corner + 0u;
    metal::simdgroup_float8x8 _e1296 = c2_0_;
    simdgroup_store(_e1296, &spilled.inner[s2_0_], SUB_N);
    uint s2_1_ = corner + 8u;
    metal::simdgroup_float8x8 _e1302 = c2_1_;
    simdgroup_store(_e1302, &spilled.inner[s2_1_], SUB_N);
    uint s2_2_ = corner + 16u;
    metal::simdgroup_float8x8 _e1308 = c2_2_;
    simdgroup_store(_e1308, &spilled.inner[s2_2_], SUB_N);
    uint s2_3_ = corner + 24u;
    metal::simdgroup_float8x8 _e1314 = c2_3_;
    simdgroup_store(_e1314, &spilled.inner[s2_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1340 = e_3;
            e_3 = _e1340 + size;
        }
        loop_init_4 = false;
        uint _e1319 = e_3;
        if (_e1319 < 256u) {
        } else {
            break;
        }
        {
            uint _e1325 = e_3;
            uint _e1330 = e_3;
            uint _e1335 = e_3;
            float _e1338 = spilled.inner[corner + _e1335];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1325, SUB_N), (n0_ + sub_n) + naga_mod(_e1330, SUB_N), _e1338, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s3_0_ = corner + 0u;
    metal::simdgroup_float8x8 _e1344 = c3_0_;
    simdgroup_store(_e1344, &spilled.inner[s3_0_], SUB_N);
    uint s3_1_ = corner + 8u;
    metal::simdgroup_float8x8 _e1350 = c3_1_;
    simdgroup_store(_e1350, &spilled.inner[s3_1_], SUB_N);
    uint s3_2_ = corner + 16u;
    metal::simdgroup_float8x8 _e1356 = c3_2_;
    simdgroup_store(_e1356, &spilled.inner[s3_2_], SUB_N);
    uint s3_3_ = corner + 24u;
    metal::simdgroup_float8x8 _e1362 = c3_3_;
    simdgroup_store(_e1362, &spilled.inner[s3_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1388 = e_4;
            e_4 = _e1388 + size;
        }
        loop_init_5 = false;
        uint _e1367 = e_4;
        if (_e1367 < 256u) {
        } else {
            break;
        }
        {
            uint _e1373 = e_4;
            uint _e1378 = e_4;
            uint _e1383 = e_4;
            float _e1386 = spilled.inner[corner + _e1383];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1373, SUB_N), (n0_ + sub_n) + naga_mod(_e1378, SUB_N), _e1386, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
