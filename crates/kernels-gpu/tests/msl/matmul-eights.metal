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
constant uint BLOCKS = 128u;
constant uint SPLIT = 128u;
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
    device type_5 const& codes_2,
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
    device type_5 const& codes_2,
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
    device type_5 const& codes_2,
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

void put(
    uint i_9,
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
    row = i_9;
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
, constant Params& p_3 [[user(fake0)]]
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
    bool local_2 = {};
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
            uint _e87 = e;
            e = _e87 + size;
        }
        loop_init = false;
        uint _e79 = e;
        if (_e79 < 64u) {
        } else {
            break;
        }
        {
            uint _e83 = e;
            spilled.inner[corner + _e83] = 0.0;
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
    uint x_at = (((t0_ + row_1) * BLOCKS) * 8u) + column;
    uint x_at0_ = x_at + 0u;
    uint x_at1_ = x_at + 16384u;
    uint x_at2_ = x_at + 32768u;
    uint x_at3_ = x_at + 49152u;
    uint w_row = naga_div(me, 2u);
    uint w_column = naga_mod(me, 2u);
    uint to_w = naga_div((w_row * STRIDE) + (w_column * W_EACH), 4u);
    uint w_first = ((((0u + n0_) + w_row) * BLOCKS) * 2u) + w_column;
    uint w_at0_ = w_first + 0u;
    k0_ = begin;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1118 = k0_;
            k0_ = _e1118 + TILE_K;
        }
        loop_init_1 = false;
        uint _e232 = k0_;
        if (_e232 < end) {
        } else {
            break;
        }
        {
            uint _e235 = k0_;
            metal::half4 x0_ = x[x_at0_ + naga_div(_e235, 4u)];
            uint _e242 = k0_;
            metal::half4 x1_ = x[x_at1_ + naga_div(_e242, 4u)];
            uint _e249 = k0_;
            metal::half4 x2_ = x[x_at2_ + naga_div(_e249, 4u)];
            uint _e256 = k0_;
            metal::half4 x3_ = x[x_at3_ + naga_div(_e256, 4u)];
            uint _e262 = k0_;
            uint i0_ = w_at0_ + naga_div(_e262, W_EACH);
            Stored _e268 = stored(planes, naga_div(i0_, 2u), codes_2, _buffer_sizes);
            type_13 _e269 = halves16_(_e268, i0_);
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
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 0u] = _e269.inner[0].x;
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 1u] = _e269.inner[0].y;
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 2u] = _e269.inner[0].z;
            tile_w.inner[(((to_w + 0u) + 0u) * 4u) + 3u] = _e269.inner[0].w;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 0u] = _e269.inner[1].x;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 1u] = _e269.inner[1].y;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 2u] = _e269.inner[1].z;
            tile_w.inner[(((to_w + 0u) + 1u) * 4u) + 3u] = _e269.inner[1].w;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 0u] = _e269.inner[2].x;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 1u] = _e269.inner[2].y;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 2u] = _e269.inner[2].z;
            tile_w.inner[(((to_w + 0u) + 2u) * 4u) + 3u] = _e269.inner[2].w;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 0u] = _e269.inner[3].x;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 1u] = _e269.inner[3].y;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 2u] = _e269.inner[3].z;
            tile_w.inner[(((to_w + 0u) + 3u) * 4u) + 3u] = _e269.inner[3].w;
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
            metal::simdgroup_float8x8 _e702 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e702);
            metal::simdgroup_float8x8 _e704 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e704);
            metal::simdgroup_float8x8 _e706 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e706);
            metal::simdgroup_float8x8 _e708 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e708);
            metal::simdgroup_float8x8 _e710 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e710);
            metal::simdgroup_float8x8 _e712 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e712);
            metal::simdgroup_float8x8 _e714 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e714);
            metal::simdgroup_float8x8 _e716 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e716);
            metal::simdgroup_float8x8 _e718 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e718);
            metal::simdgroup_float8x8 _e720 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e720);
            metal::simdgroup_float8x8 _e722 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e722);
            metal::simdgroup_float8x8 _e724 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e724);
            metal::simdgroup_float8x8 _e726 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e726);
            metal::simdgroup_float8x8 _e728 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e728);
            metal::simdgroup_float8x8 _e730 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e730);
            metal::simdgroup_float8x8 _e732 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e732);
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
            metal::simdgroup_float8x8 _e830 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e830);
            metal::simdgroup_float8x8 _e832 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e832);
            metal::simdgroup_float8x8 _e834 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e834);
            metal::simdgroup_float8x8 _e836 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e836);
            metal::simdgroup_float8x8 _e838 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e838);
            metal::simdgroup_float8x8 _e840 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e840);
            metal::simdgroup_float8x8 _e842 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e842);
            metal::simdgroup_float8x8 _e844 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e844);
            metal::simdgroup_float8x8 _e846 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e846);
            metal::simdgroup_float8x8 _e848 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e848);
            metal::simdgroup_float8x8 _e850 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e850);
            metal::simdgroup_float8x8 _e852 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e852);
            metal::simdgroup_float8x8 _e854 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e854);
            metal::simdgroup_float8x8 _e856 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e856);
            metal::simdgroup_float8x8 _e858 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e858);
            metal::simdgroup_float8x8 _e860 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e860);
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
            metal::simdgroup_float8x8 _e958 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a2_0_, b2_0_, _e958);
            metal::simdgroup_float8x8 _e960 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a2_0_, b2_1_, _e960);
            metal::simdgroup_float8x8 _e962 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a2_0_, b2_2_, _e962);
            metal::simdgroup_float8x8 _e964 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a2_0_, b2_3_, _e964);
            metal::simdgroup_float8x8 _e966 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a2_1_, b2_0_, _e966);
            metal::simdgroup_float8x8 _e968 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a2_1_, b2_1_, _e968);
            metal::simdgroup_float8x8 _e970 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a2_1_, b2_2_, _e970);
            metal::simdgroup_float8x8 _e972 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a2_1_, b2_3_, _e972);
            metal::simdgroup_float8x8 _e974 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a2_2_, b2_0_, _e974);
            metal::simdgroup_float8x8 _e976 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a2_2_, b2_1_, _e976);
            metal::simdgroup_float8x8 _e978 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a2_2_, b2_2_, _e978);
            metal::simdgroup_float8x8 _e980 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a2_2_, b2_3_, _e980);
            metal::simdgroup_float8x8 _e982 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a2_3_, b2_0_, _e982);
            metal::simdgroup_float8x8 _e984 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a2_3_, b2_1_, _e984);
            metal::simdgroup_float8x8 _e986 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a2_3_, b2_2_, _e986);
            metal::simdgroup_float8x8 _e988 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a2_3_, b2_3_, _e988);
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
            metal::simdgroup_float8x8 _e1086 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a3_0_, b3_0_, _e1086);
            metal::simdgroup_float8x8 _e1088 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a3_0_, b3_1_, _e1088);
            metal::simdgroup_float8x8 _e1090 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a3_0_, b3_2_, _e1090);
            metal::simdgroup_float8x8 _e1092 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a3_0_, b3_3_, _e1092);
            metal::simdgroup_float8x8 _e1094 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a3_1_, b3_0_, _e1094);
            metal::simdgroup_float8x8 _e1096 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a3_1_, b3_1_, _e1096);
            metal::simdgroup_float8x8 _e1098 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a3_1_, b3_2_, _e1098);
            metal::simdgroup_float8x8 _e1100 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a3_1_, b3_3_, _e1100);
            metal::simdgroup_float8x8 _e1102 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a3_2_, b3_0_, _e1102);
            metal::simdgroup_float8x8 _e1104 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a3_2_, b3_1_, _e1104);
            metal::simdgroup_float8x8 _e1106 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a3_2_, b3_2_, _e1106);
            metal::simdgroup_float8x8 _e1108 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a3_2_, b3_3_, _e1108);
            metal::simdgroup_float8x8 _e1110 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a3_3_, b3_0_, _e1110);
            metal::simdgroup_float8x8 _e1112 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a3_3_, b3_1_, _e1112);
            metal::simdgroup_float8x8 _e1114 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a3_3_, b3_2_, _e1114);
            metal::simdgroup_float8x8 _e1116 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a3_3_, b3_3_, _e1116);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = naga_mod(width_1, 4u) == 0u;
    } else {
        local_1 = false;
    }
    bool _e1138 = local_1;
    if (_e1138) {
        local_2 = bias_1 == 0u;
    } else {
        local_2 = false;
    }
    bool _e1144 = local_2;
    if (_e1144) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1154 = c0_0_;
        simdgroup_store(_e1154, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1166 = c0_1_;
        simdgroup_store(_e1166, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1178 = c0_2_;
        simdgroup_store(_e1178, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1190 = c0_3_;
        simdgroup_store(_e1190, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1202 = c1_0_;
        simdgroup_store(_e1202, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1214 = c1_1_;
        simdgroup_store(_e1214, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1226 = c1_2_;
        simdgroup_store(_e1226, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1238 = c1_3_;
        simdgroup_store(_e1238, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1250 = c2_0_;
        simdgroup_store(_e1250, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1262 = c2_1_;
        simdgroup_store(_e1262, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1274 = c2_2_;
        simdgroup_store(_e1274, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1286 = c2_3_;
        simdgroup_store(_e1286, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1298 = c3_0_;
        simdgroup_store(_e1298, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1310 = c3_1_;
        simdgroup_store(_e1310, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1322 = c3_2_;
        simdgroup_store(_e1322, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1334 = c3_3_;
        simdgroup_store(_e1334, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float8x8 _e1337 = c0_0_;
    simdgroup_store(_e1337, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1364 = e_1;
            e_1 = _e1364 + size;
        }
        loop_init_2 = false;
        uint _e1342 = e_1;
        if (_e1342 < 64u) {
        } else {
            break;
        }
        {
            uint _e1348 = e_1;
            uint _e1355 = e_1;
            uint _e1360 = e_1;
            float _e1363 = spilled.inner[corner + _e1360];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1348, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1355, SIDE), _e1363, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1366 = c0_1_;
    simdgroup_store(_e1366, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e1393 = e_2;
            e_2 = _e1393 + size;
        }
        loop_init_3 = false;
        uint _e1371 = e_2;
        if (_e1371 < 64u) {
        } else {
            break;
        }
        {
            uint _e1377 = e_2;
            uint _e1384 = e_2;
            uint _e1389 = e_2;
            float _e1392 = spilled.inner[corner + _e1389];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1377, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1384, SIDE), _e1392, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1395 = c0_2_;
    simdgroup_store(_e1395, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1422 = e_3;
            e_3 = _e1422 + size;
        }
        loop_init_4 = false;
        uint _e1400 = e_3;
        if (_e1400 < 64u) {
        } else {
            break;
        }
        {
            uint _e1406 = e_3;
            uint _e1413 = e_3;
            uint _e1418 = e_3;
            float _e1421 = spilled.inner[corner + _e1418];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1406, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1413, SIDE), _e1421, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1424 = c0_3_;
    simdgroup_store(_e1424, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1451 = e_4;
            e_4 = _e1451 + size;
        }
        loop_init_5 = false;
        uint _e1429 = e_4;
        if (_e1429 < 64u) {
        } else {
            break;
        }
        {
            uint _e1435 = e_4;
            uint _e1442 = e_4;
            uint _e1447 = e_4;
            float _e1450 = spilled.inner[corner + _e1447];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1435, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1442, SIDE), _e1450, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1453 = c1_0_;
    simdgroup_store(_e1453, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e1480 = e_5;
            e_5 = _e1480 + size;
        }
        loop_init_6 = false;
        uint _e1458 = e_5;
        if (_e1458 < 64u) {
        } else {
            break;
        }
        {
            uint _e1464 = e_5;
            uint _e1471 = e_5;
            uint _e1476 = e_5;
            float _e1479 = spilled.inner[corner + _e1476];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1464, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1471, SIDE), _e1479, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1482 = c1_1_;
    simdgroup_store(_e1482, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1509 = e_6;
            e_6 = _e1509 + size;
        }
        loop_init_7 = false;
        uint _e1487 = e_6;
        if (_e1487 < 64u) {
        } else {
            break;
        }
        {
            uint _e1493 = e_6;
            uint _e1500 = e_6;
            uint _e1505 = e_6;
            float _e1508 = spilled.inner[corner + _e1505];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1493, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1500, SIDE), _e1508, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1511 = c1_2_;
    simdgroup_store(_e1511, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1538 = e_7;
            e_7 = _e1538 + size;
        }
        loop_init_8 = false;
        uint _e1516 = e_7;
        if (_e1516 < 64u) {
        } else {
            break;
        }
        {
            uint _e1522 = e_7;
            uint _e1529 = e_7;
            uint _e1534 = e_7;
            float _e1537 = spilled.inner[corner + _e1534];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1522, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1529, SIDE), _e1537, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1540 = c1_3_;
    simdgroup_store(_e1540, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1567 = e_8;
            e_8 = _e1567 + size;
        }
        loop_init_9 = false;
        uint _e1545 = e_8;
        if (_e1545 < 64u) {
        } else {
            break;
        }
        {
            uint _e1551 = e_8;
            uint _e1558 = e_8;
            uint _e1563 = e_8;
            float _e1566 = spilled.inner[corner + _e1563];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1551, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1558, SIDE), _e1566, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1569 = c2_0_;
    simdgroup_store(_e1569, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1596 = e_9;
            e_9 = _e1596 + size;
        }
        loop_init_10 = false;
        uint _e1574 = e_9;
        if (_e1574 < 64u) {
        } else {
            break;
        }
        {
            uint _e1580 = e_9;
            uint _e1587 = e_9;
            uint _e1592 = e_9;
            float _e1595 = spilled.inner[corner + _e1592];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1580, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1587, SIDE), _e1595, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1598 = c2_1_;
    simdgroup_store(_e1598, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1625 = e_10;
            e_10 = _e1625 + size;
        }
        loop_init_11 = false;
        uint _e1603 = e_10;
        if (_e1603 < 64u) {
        } else {
            break;
        }
        {
            uint _e1609 = e_10;
            uint _e1616 = e_10;
            uint _e1621 = e_10;
            float _e1624 = spilled.inner[corner + _e1621];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1609, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1616, SIDE), _e1624, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1627 = c2_2_;
    simdgroup_store(_e1627, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1654 = e_11;
            e_11 = _e1654 + size;
        }
        loop_init_12 = false;
        uint _e1632 = e_11;
        if (_e1632 < 64u) {
        } else {
            break;
        }
        {
            uint _e1638 = e_11;
            uint _e1645 = e_11;
            uint _e1650 = e_11;
            float _e1653 = spilled.inner[corner + _e1650];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1638, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1645, SIDE), _e1653, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1656 = c2_3_;
    simdgroup_store(_e1656, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1683 = e_12;
            e_12 = _e1683 + size;
        }
        loop_init_13 = false;
        uint _e1661 = e_12;
        if (_e1661 < 64u) {
        } else {
            break;
        }
        {
            uint _e1667 = e_12;
            uint _e1674 = e_12;
            uint _e1679 = e_12;
            float _e1682 = spilled.inner[corner + _e1679];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1667, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1674, SIDE), _e1682, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1685 = c3_0_;
    simdgroup_store(_e1685, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1712 = e_13;
            e_13 = _e1712 + size;
        }
        loop_init_14 = false;
        uint _e1690 = e_13;
        if (_e1690 < 64u) {
        } else {
            break;
        }
        {
            uint _e1696 = e_13;
            uint _e1703 = e_13;
            uint _e1708 = e_13;
            float _e1711 = spilled.inner[corner + _e1708];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1696, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1703, SIDE), _e1711, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1714 = c3_1_;
    simdgroup_store(_e1714, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1741 = e_14;
            e_14 = _e1741 + size;
        }
        loop_init_15 = false;
        uint _e1719 = e_14;
        if (_e1719 < 64u) {
        } else {
            break;
        }
        {
            uint _e1725 = e_14;
            uint _e1732 = e_14;
            uint _e1737 = e_14;
            float _e1740 = spilled.inner[corner + _e1737];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1725, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1732, SIDE), _e1740, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1743 = c3_2_;
    simdgroup_store(_e1743, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1770 = e_15;
            e_15 = _e1770 + size;
        }
        loop_init_16 = false;
        uint _e1748 = e_15;
        if (_e1748 < 64u) {
        } else {
            break;
        }
        {
            uint _e1754 = e_15;
            uint _e1761 = e_15;
            uint _e1766 = e_15;
            float _e1769 = spilled.inner[corner + _e1766];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1754, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1761, SIDE), _e1769, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1772 = c3_3_;
    simdgroup_store(_e1772, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_16 = lane;
    uint2 loop_bound_18 = uint2(4294967295u);
    bool loop_init_17 = true;
    while(true) {
        if (metal::all(loop_bound_18 == uint2(0u))) { break; }
        loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
        if (!loop_init_17) {
            uint _e1799 = e_16;
            e_16 = _e1799 + size;
        }
        loop_init_17 = false;
        uint _e1777 = e_16;
        if (_e1777 < 64u) {
        } else {
            break;
        }
        {
            uint _e1783 = e_16;
            uint _e1790 = e_16;
            uint _e1795 = e_16;
            float _e1798 = spilled.inner[corner + _e1795];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1783, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1790, SIDE), _e1798, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
