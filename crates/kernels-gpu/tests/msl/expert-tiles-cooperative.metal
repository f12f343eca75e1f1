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
    metal::half4 inner[1280];
};
struct type_18 {
    float inner[4096];
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
constant uint EXPERTS = 1u;
constant uint USED = 8u;
constant bool PAIRED = true;
constant bool SHARED = false;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint STRIDE = 40u;
constant uint UNIT = 4u;
constant uint SPILLED = 1024u;

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
    uint e = {};
    uint e_1 = {};
    uint e_2 = {};
    uint e_3 = {};
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
    uint _e163 = p_3.depth;
    uint begin = (group.z * _e163) * 32u;
    uint _e169 = p_3.blocks;
    uint _e172 = p_3.blocks;
    uint _e178 = p_3.depth;
    uint _e183 = p_3.depth;
    uint end = ((_e183 > 0u) ? metal::min(_e172, (group.z + 1u) * _e178) : _e169) * 32u;
    uint u0_ = me + 0u;
    uint _e194 = row_at(t0_ + naga_div(u0_, 4u), act, p_3, _buffer_sizes);
    uint _e197 = p_3.blocks;
    uint x_at0_ = ((_e194 * _e197) * 8u) + (naga_mod(u0_, 4u) * 2u);
    uint to_x0_ = naga_div((naga_div(u0_, 4u) * STRIDE) + (naga_mod(u0_, 4u) * 8u), 4u);
    uint u1_ = me + 128u;
    uint _e222 = row_at(t0_ + naga_div(u1_, 4u), act, p_3, _buffer_sizes);
    uint _e225 = p_3.blocks;
    uint x_at1_ = ((_e222 * _e225) * 8u) + (naga_mod(u1_, 4u) * 2u);
    uint to_x1_ = naga_div((naga_div(u1_, 4u) * STRIDE) + (naga_mod(u1_, 4u) * 8u), 4u);
    uint u2_ = me + 256u;
    uint _e250 = row_at(t0_ + naga_div(u2_, 4u), act, p_3, _buffer_sizes);
    uint _e253 = p_3.blocks;
    uint x_at2_ = ((_e250 * _e253) * 8u) + (naga_mod(u2_, 4u) * 2u);
    uint to_x2_ = naga_div((naga_div(u2_, 4u) * STRIDE) + (naga_mod(u2_, 4u) * 8u), 4u);
    uint u3_ = me + 384u;
    uint _e278 = row_at(t0_ + naga_div(u3_, 4u), act, p_3, _buffer_sizes);
    uint _e281 = p_3.blocks;
    uint x_at3_ = ((_e278 * _e281) * 8u) + (naga_mod(u3_, 4u) * 2u);
    uint to_x3_ = naga_div((naga_div(u3_, 4u) * STRIDE) + (naga_mod(u3_, 4u) * 8u), 4u);
    uint v0_ = me + 0u;
    uint _e313 = p_3.blocks;
    uint w_at0_ = (((stack + metal::min(n0_ + naga_div(v0_, 2u), part.y - 1u)) * _e313) * 2u) + naga_mod(v0_, 2u);
    uint to_w0_ = naga_div((naga_div(v0_, 2u) * STRIDE) + (naga_mod(v0_, 2u) * 16u), 4u);
    uint v1_ = me + 128u;
    uint _e343 = p_3.blocks;
    uint w_at1_ = (((stack + metal::min(n0_ + naga_div(v1_, 2u), part.y - 1u)) * _e343) * 2u) + naga_mod(v1_, 2u);
    uint to_w1_ = naga_div((naga_div(v1_, 2u) * STRIDE) + (naga_mod(v1_, 2u) * 16u), 4u);
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
        uint _e362 = k0_;
        if (_e362 < end) {
        } else {
            break;
        }
        {
            uint _e365 = k0_;
            metal::half4 xa0_ = x[x_at0_ + naga_div(_e365, 4u)];
            uint _e372 = k0_;
            metal::half4 xb0_ = x[(x_at0_ + naga_div(_e372, 4u)) + 1u];
            uint _e381 = k0_;
            metal::half4 xa1_ = x[x_at1_ + naga_div(_e381, 4u)];
            uint _e388 = k0_;
            metal::half4 xb1_ = x[(x_at1_ + naga_div(_e388, 4u)) + 1u];
            uint _e397 = k0_;
            metal::half4 xa2_ = x[x_at2_ + naga_div(_e397, 4u)];
            uint _e404 = k0_;
            metal::half4 xb2_ = x[(x_at2_ + naga_div(_e404, 4u)) + 1u];
            uint _e413 = k0_;
            metal::half4 xa3_ = x[x_at3_ + naga_div(_e413, 4u)];
            uint _e420 = k0_;
            metal::half4 xb3_ = x[(x_at3_ + naga_div(_e420, 4u)) + 1u];
            uint _e428 = k0_;
            type_13 _e432 = halves16_(planes, w_at0_ + naga_div(_e428, 16u), codes_2, _buffer_sizes);
            uint _e433 = k0_;
            type_13 _e437 = halves16_(planes, w_at1_ + naga_div(_e433, 16u), codes_2, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            tile_x.inner[to_x0_] = xa0_;
            tile_x.inner[to_x0_ + 1u] = xb0_;
            tile_x.inner[to_x1_] = xa1_;
            tile_x.inner[to_x1_ + 1u] = xb1_;
            tile_x.inner[to_x2_] = xa2_;
            tile_x.inner[to_x2_ + 1u] = xb2_;
            tile_x.inner[to_x3_] = xa3_;
            tile_x.inner[to_x3_ + 1u] = xb3_;
            tile_w.inner[to_w0_ + 0u] = _e432.inner[0];
            tile_w.inner[to_w0_ + 1u] = _e432.inner[1];
            tile_w.inner[to_w0_ + 2u] = _e432.inner[2];
            tile_w.inner[to_w0_ + 3u] = _e432.inner[3];
            tile_w.inner[to_w1_ + 0u] = _e437.inner[0];
            tile_w.inner[to_w1_ + 1u] = _e437.inner[1];
            tile_w.inner[to_w1_ + 2u] = _e437.inner[2];
            tile_w.inner[to_w1_ + 3u] = _e437.inner[3];
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
    uint width_1 = part.y;
    uint s0_0_ = corner + 0u;
    metal::simdgroup_float16x16 _e764 = c0_0_;
    simdgroup_store(_e764, &spilled.inner[s0_0_], SUB_N);
    uint s0_1_ = corner + 16u;
    metal::simdgroup_float16x16 _e770 = c0_1_;
    simdgroup_store(_e770, &spilled.inner[s0_1_], SUB_N);
    uint s0_2_ = corner + 32u;
    metal::simdgroup_float16x16 _e776 = c0_2_;
    simdgroup_store(_e776, &spilled.inner[s0_2_], SUB_N);
    uint s0_3_ = corner + 48u;
    metal::simdgroup_float16x16 _e782 = c0_3_;
    simdgroup_store(_e782, &spilled.inner[s0_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e = lane;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e808 = e;
            e = _e808 + size;
        }
        loop_init_1 = false;
        uint _e787 = e;
        if (_e787 < 1024u) {
        } else {
            break;
        }
        {
            uint _e793 = e;
            uint _e798 = e;
            uint _e803 = e;
            float _e806 = spilled.inner[corner + _e803];
            put(((t0_ + sub_t) + 0u) + naga_div(_e793, SUB_N), (n0_ + sub_n) + naga_mod(_e798, SUB_N), _e806, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s1_0_ = corner + 0u;
    metal::simdgroup_float16x16 _e812 = c1_0_;
    simdgroup_store(_e812, &spilled.inner[s1_0_], SUB_N);
    uint s1_1_ = corner + 16u;
    metal::simdgroup_float16x16 _e818 = c1_1_;
    simdgroup_store(_e818, &spilled.inner[s1_1_], SUB_N);
    uint s1_2_ = corner + 32u;
    metal::simdgroup_float16x16 _e824 = c1_2_;
    simdgroup_store(_e824, &spilled.inner[s1_2_], SUB_N);
    uint s1_3_ = corner + 48u;
    metal::simdgroup_float16x16 _e830 = c1_3_;
    simdgroup_store(_e830, &spilled.inner[s1_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e856 = e_1;
            e_1 = _e856 + size;
        }
        loop_init_2 = false;
        uint _e835 = e_1;
        if (_e835 < 1024u) {
        } else {
            break;
        }
        {
            uint _e841 = e_1;
            uint _e846 = e_1;
            uint _e851 = e_1;
            float _e854 = spilled.inner[corner + _e851];
            put(((t0_ + sub_t) + 16u) + naga_div(_e841, SUB_N), (n0_ + sub_n) + naga_mod(_e846, SUB_N), _e854, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s2_0_ = corner + 0u;
    metal::simdgroup_float16x16 _e860 = c2_0_;
    simdgroup_store(_e860, &spilled.inner[s2_0_], SUB_N);
    uint s2_1_ = corner + 16u;
    metal::simdgroup_float16x16 _e866 = c2_1_;
    simdgroup_store(_e866, &spilled.inner[s2_1_], SUB_N);
    uint s2_2_ = corner + 32u;
    metal::simdgroup_float16x16 _e872 = c2_2_;
    simdgroup_store(_e872, &spilled.inner[s2_2_], SUB_N);
    uint s2_3_ = corner + 48u;
    metal::simdgroup_float16x16 _e878 = c2_3_;
    simdgroup_store(_e878, &spilled.inner[s2_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e904 = e_2;
            e_2 = _e904 + size;
        }
        loop_init_3 = false;
        uint _e883 = e_2;
        if (_e883 < 1024u) {
        } else {
            break;
        }
        {
            uint _e889 = e_2;
            uint _e894 = e_2;
            uint _e899 = e_2;
            float _e902 = spilled.inner[corner + _e899];
            put(((t0_ + sub_t) + 32u) + naga_div(_e889, SUB_N), (n0_ + sub_n) + naga_mod(_e894, SUB_N), _e902, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s3_0_ = corner + 0u;
    metal::simdgroup_float16x16 _e908 = c3_0_;
    simdgroup_store(_e908, &spilled.inner[s3_0_], SUB_N);
    uint s3_1_ = corner + 16u;
    metal::simdgroup_float16x16 _e914 = c3_1_;
    simdgroup_store(_e914, &spilled.inner[s3_1_], SUB_N);
    uint s3_2_ = corner + 32u;
    metal::simdgroup_float16x16 _e920 = c3_2_;
    simdgroup_store(_e920, &spilled.inner[s3_2_], SUB_N);
    uint s3_3_ = corner + 48u;
    metal::simdgroup_float16x16 _e926 = c3_3_;
    simdgroup_store(_e926, &spilled.inner[s3_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e952 = e_3;
            e_3 = _e952 + size;
        }
        loop_init_4 = false;
        uint _e931 = e_3;
        if (_e931 < 1024u) {
        } else {
            break;
        }
        {
            uint _e937 = e_3;
            uint _e942 = e_3;
            uint _e947 = e_3;
            float _e950 = spilled.inner[corner + _e947];
            put(((t0_ + sub_t) + 48u) + naga_div(_e937, SUB_N), (n0_ + sub_n) + naga_mod(_e942, SUB_N), _e950, part.z, width_1, bias_1, act, p_3, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
