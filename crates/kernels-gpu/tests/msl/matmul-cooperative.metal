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
    metal::half4 inner[8];
};
struct type_14 {
    metal::uint4 inner[12];
};
struct Params {
    uint blocks;
    uint rows;
    uint count;
    uint pad;
    type_14 parts;
};
typedef float type_15[1];
typedef metal::half4 type_16[1];
struct type_17 {
    metal::half4 inner[1280];
};
struct type_18 {
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
constant uint BLOCKS = 128u;
constant uint SPLIT = 128u;
constant uint W_EACH = 32u;
constant uint W_FOURS = 8u;
constant uint WHOLE_BLOCKS = 1u;
constant uint LOADS_X = 8u;
constant uint LOADS_W = 1u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint STRIDE = 40u;
constant uint ELEMENT = 4u;
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

type_13 halves32_(
    Planes p_3,
    uint i_6,
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e2 = weight(p_3, i_6, codes_2, words, _buffer_sizes);
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
    return type_13 {{_e11, _e16, _e21, _e26, _e31, _e36, _e41, _e46}};
}

void put(
    uint i_7,
    uint n,
    float value,
    uint out,
    uint width,
    uint bias,
    device type_15& act,
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
, device type_15& act [[user(fake0)]]
, constant Params& p_4 [[user(fake0)]]
, device type_15 const& vectors [[user(fake0)]]
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
    bool local_1 = {};
    bool local_2 = {};
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
    metal::uint4 at = p_4.parts.inner[(_e42 * 2u) + 1u];
    Planes planes = Planes {at.x, at.y, at.z, at.w};
    uint t0_ = group.x * TILE_T;
    uint n0_ = metal::min((group.y - part.x) * TILE_N, part.y - TILE_N);
    uint bias_1 = part.w;
    uint sub_t = naga_div(subgroup, 2u) * SUB_T;
    uint sub_n = naga_mod(subgroup, 2u) * SUB_N;
    uint corner = subgroup * SPILLED;
    uint begin = (group.z * SPLIT) * 32u;
    uint end = begin + 4096u;
    uint group_row = naga_div(me, 8u);
    uint row_1 = ((naga_div(group_row, 8u) * 8u) + (naga_mod(group_row, 2u) * 4u)) + naga_mod(naga_div(group_row, 2u), 4u);
    uint column = naga_mod(me, 8u);
    uint to_x = (row_1 * 10u) + column;
    uint x_at = (((t0_ + row_1) * BLOCKS) * 8u) + column;
    uint x_at0_ = x_at + 0u;
    uint x_at1_ = x_at + 16384u;
    uint x_at2_ = x_at + 32768u;
    uint x_at3_ = x_at + 49152u;
    uint x_at4_ = x_at + 65536u;
    uint x_at5_ = x_at + 81920u;
    uint x_at6_ = x_at + 98304u;
    uint x_at7_ = x_at + 114688u;
    uint w_row = naga_div(me, 1u);
    uint w_column = naga_mod(me, 1u);
    uint to_w = naga_div((w_row * STRIDE) + (w_column * W_EACH), 4u);
    uint w_first = ((((0u + n0_) + w_row) * BLOCKS) * 1u) + w_column;
    uint w_at0_ = w_first + 0u;
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e588 = k0_;
            k0_ = _e588 + TILE_K;
        }
        loop_init = false;
        uint _e181 = k0_;
        if (_e181 < end) {
        } else {
            break;
        }
        {
            uint _e184 = k0_;
            metal::half4 x0_ = x[x_at0_ + naga_div(_e184, 4u)];
            uint _e191 = k0_;
            metal::half4 x1_ = x[x_at1_ + naga_div(_e191, 4u)];
            uint _e198 = k0_;
            metal::half4 x2_ = x[x_at2_ + naga_div(_e198, 4u)];
            uint _e205 = k0_;
            metal::half4 x3_ = x[x_at3_ + naga_div(_e205, 4u)];
            uint _e212 = k0_;
            metal::half4 x4_ = x[x_at4_ + naga_div(_e212, 4u)];
            uint _e219 = k0_;
            metal::half4 x5_ = x[x_at5_ + naga_div(_e219, 4u)];
            uint _e226 = k0_;
            metal::half4 x6_ = x[x_at6_ + naga_div(_e226, 4u)];
            uint _e233 = k0_;
            metal::half4 x7_ = x[x_at7_ + naga_div(_e233, 4u)];
            uint _e239 = k0_;
            type_13 _e243 = halves32_(planes, w_at0_ + naga_div(_e239, 32u), codes_2, words, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            tile_x.inner[to_x + 0u] = x0_;
            tile_x.inner[to_x + 160u] = x1_;
            tile_x.inner[to_x + 320u] = x2_;
            tile_x.inner[to_x + 480u] = x3_;
            tile_x.inner[to_x + 640u] = x4_;
            tile_x.inner[to_x + 800u] = x5_;
            tile_x.inner[to_x + 960u] = x6_;
            tile_x.inner[to_x + 1120u] = x7_;
            tile_w.inner[(to_w + 0u) + 0u] = _e243.inner[0];
            tile_w.inner[(to_w + 0u) + 1u] = _e243.inner[1];
            tile_w.inner[(to_w + 0u) + 2u] = _e243.inner[2];
            tile_w.inner[(to_w + 0u) + 3u] = _e243.inner[3];
            tile_w.inner[(to_w + 0u) + 4u] = _e243.inner[4];
            tile_w.inner[(to_w + 0u) + 5u] = _e243.inner[5];
            tile_w.inner[(to_w + 0u) + 6u] = _e243.inner[6];
            tile_w.inner[(to_w + 0u) + 7u] = _e243.inner[7];
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint ia0_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 a0_0_ = NagaCooperativeLoad(&tile_x.inner[ia0_0_], 10u, false);
            uint ia0_1_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 a0_1_ = NagaCooperativeLoad(&tile_x.inner[ia0_1_], 10u, false);
            uint ia0_2_ = naga_div((sub_t + 32u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 a0_2_ = NagaCooperativeLoad(&tile_x.inner[ia0_2_], 10u, false);
            uint ia0_3_ = naga_div((sub_t + 48u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 a0_3_ = NagaCooperativeLoad(&tile_x.inner[ia0_3_], 10u, false);
            uint ib0_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 b0_0_ = NagaCooperativeLoad(&tile_w.inner[ib0_0_], 10u, true);
            uint ib0_1_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 b0_1_ = NagaCooperativeLoad(&tile_w.inner[ib0_1_], 10u, true);
            uint ib0_2_ = naga_div((sub_n + 32u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 b0_2_ = NagaCooperativeLoad(&tile_w.inner[ib0_2_], 10u, true);
            uint ib0_3_ = naga_div((sub_n + 48u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 b0_3_ = NagaCooperativeLoad(&tile_w.inner[ib0_3_], 10u, true);
            metal::simdgroup_float16x16 _e428 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e428);
            metal::simdgroup_float16x16 _e430 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e430);
            metal::simdgroup_float16x16 _e432 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e432);
            metal::simdgroup_float16x16 _e434 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e434);
            metal::simdgroup_float16x16 _e436 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e436);
            metal::simdgroup_float16x16 _e438 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e438);
            metal::simdgroup_float16x16 _e440 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e440);
            metal::simdgroup_float16x16 _e442 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e442);
            metal::simdgroup_float16x16 _e444 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e444);
            metal::simdgroup_float16x16 _e446 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e446);
            metal::simdgroup_float16x16 _e448 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e448);
            metal::simdgroup_float16x16 _e450 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e450);
            metal::simdgroup_float16x16 _e452 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e452);
            metal::simdgroup_float16x16 _e454 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e454);
            metal::simdgroup_float16x16 _e456 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e456);
            metal::simdgroup_float16x16 _e458 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e458);
            uint ia1_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 a1_0_ = NagaCooperativeLoad(&tile_x.inner[ia1_0_], 10u, false);
            uint ia1_1_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 a1_1_ = NagaCooperativeLoad(&tile_x.inner[ia1_1_], 10u, false);
            uint ia1_2_ = naga_div((sub_t + 32u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 a1_2_ = NagaCooperativeLoad(&tile_x.inner[ia1_2_], 10u, false);
            uint ia1_3_ = naga_div((sub_t + 48u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 a1_3_ = NagaCooperativeLoad(&tile_x.inner[ia1_3_], 10u, false);
            uint ib1_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 b1_0_ = NagaCooperativeLoad(&tile_w.inner[ib1_0_], 10u, true);
            uint ib1_1_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 b1_1_ = NagaCooperativeLoad(&tile_w.inner[ib1_1_], 10u, true);
            uint ib1_2_ = naga_div((sub_n + 32u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 b1_2_ = NagaCooperativeLoad(&tile_w.inner[ib1_2_], 10u, true);
            uint ib1_3_ = naga_div((sub_n + 48u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 b1_3_ = NagaCooperativeLoad(&tile_w.inner[ib1_3_], 10u, true);
            metal::simdgroup_float16x16 _e556 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e556);
            metal::simdgroup_float16x16 _e558 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e558);
            metal::simdgroup_float16x16 _e560 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e560);
            metal::simdgroup_float16x16 _e562 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e562);
            metal::simdgroup_float16x16 _e564 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e564);
            metal::simdgroup_float16x16 _e566 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e566);
            metal::simdgroup_float16x16 _e568 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e568);
            metal::simdgroup_float16x16 _e570 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e570);
            metal::simdgroup_float16x16 _e572 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e572);
            metal::simdgroup_float16x16 _e574 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e574);
            metal::simdgroup_float16x16 _e576 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e576);
            metal::simdgroup_float16x16 _e578 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e578);
            metal::simdgroup_float16x16 _e580 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e580);
            metal::simdgroup_float16x16 _e582 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e582);
            metal::simdgroup_float16x16 _e584 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e584);
            metal::simdgroup_float16x16 _e586 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e586);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = naga_mod(width_1, 4u) == 0u;
    } else {
        local_1 = false;
    }
    bool _e608 = local_1;
    if (_e608) {
        local_2 = bias_1 == 0u;
    } else {
        local_2 = false;
    }
    bool _e614 = local_2;
    if (_e614) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e624 = c0_0_;
        simdgroup_store(_e624, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e636 = c0_1_;
        simdgroup_store(_e636, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e648 = c0_2_;
        simdgroup_store(_e648, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e660 = c0_3_;
        simdgroup_store(_e660, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e672 = c1_0_;
        simdgroup_store(_e672, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e684 = c1_1_;
        simdgroup_store(_e684, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e696 = c1_2_;
        simdgroup_store(_e696, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e708 = c1_3_;
        simdgroup_store(_e708, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e720 = c2_0_;
        simdgroup_store(_e720, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e732 = c2_1_;
        simdgroup_store(_e732, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e744 = c2_2_;
        simdgroup_store(_e744, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e756 = c2_3_;
        simdgroup_store(_e756, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e768 = c3_0_;
        simdgroup_store(_e768, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e780 = c3_1_;
        simdgroup_store(_e780, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e792 = c3_2_;
        simdgroup_store(_e792, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e804 = c3_3_;
        simdgroup_store(_e804, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float16x16 _e807 = c0_0_;
    simdgroup_store(_e807, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e = lane;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e834 = e;
            e = _e834 + size;
        }
        loop_init_1 = false;
        uint _e812 = e;
        if (_e812 < 256u) {
        } else {
            break;
        }
        {
            uint _e818 = e;
            uint _e825 = e;
            uint _e830 = e;
            float _e833 = spilled.inner[corner + _e830];
            put(((t0_ + sub_t) + 0u) + naga_div(_e818, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e825, SIDE), _e833, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e836 = c0_1_;
    simdgroup_store(_e836, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e863 = e_1;
            e_1 = _e863 + size;
        }
        loop_init_2 = false;
        uint _e841 = e_1;
        if (_e841 < 256u) {
        } else {
            break;
        }
        {
            uint _e847 = e_1;
            uint _e854 = e_1;
            uint _e859 = e_1;
            float _e862 = spilled.inner[corner + _e859];
            put(((t0_ + sub_t) + 0u) + naga_div(_e847, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e854, SIDE), _e862, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e865 = c0_2_;
    simdgroup_store(_e865, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e892 = e_2;
            e_2 = _e892 + size;
        }
        loop_init_3 = false;
        uint _e870 = e_2;
        if (_e870 < 256u) {
        } else {
            break;
        }
        {
            uint _e876 = e_2;
            uint _e883 = e_2;
            uint _e888 = e_2;
            float _e891 = spilled.inner[corner + _e888];
            put(((t0_ + sub_t) + 0u) + naga_div(_e876, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e883, SIDE), _e891, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e894 = c0_3_;
    simdgroup_store(_e894, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e921 = e_3;
            e_3 = _e921 + size;
        }
        loop_init_4 = false;
        uint _e899 = e_3;
        if (_e899 < 256u) {
        } else {
            break;
        }
        {
            uint _e905 = e_3;
            uint _e912 = e_3;
            uint _e917 = e_3;
            float _e920 = spilled.inner[corner + _e917];
            put(((t0_ + sub_t) + 0u) + naga_div(_e905, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e912, SIDE), _e920, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e923 = c1_0_;
    simdgroup_store(_e923, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e950 = e_4;
            e_4 = _e950 + size;
        }
        loop_init_5 = false;
        uint _e928 = e_4;
        if (_e928 < 256u) {
        } else {
            break;
        }
        {
            uint _e934 = e_4;
            uint _e941 = e_4;
            uint _e946 = e_4;
            float _e949 = spilled.inner[corner + _e946];
            put(((t0_ + sub_t) + 16u) + naga_div(_e934, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e941, SIDE), _e949, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e952 = c1_1_;
    simdgroup_store(_e952, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e979 = e_5;
            e_5 = _e979 + size;
        }
        loop_init_6 = false;
        uint _e957 = e_5;
        if (_e957 < 256u) {
        } else {
            break;
        }
        {
            uint _e963 = e_5;
            uint _e970 = e_5;
            uint _e975 = e_5;
            float _e978 = spilled.inner[corner + _e975];
            put(((t0_ + sub_t) + 16u) + naga_div(_e963, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e970, SIDE), _e978, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e981 = c1_2_;
    simdgroup_store(_e981, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1008 = e_6;
            e_6 = _e1008 + size;
        }
        loop_init_7 = false;
        uint _e986 = e_6;
        if (_e986 < 256u) {
        } else {
            break;
        }
        {
            uint _e992 = e_6;
            uint _e999 = e_6;
            uint _e1004 = e_6;
            float _e1007 = spilled.inner[corner + _e1004];
            put(((t0_ + sub_t) + 16u) + naga_div(_e992, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e999, SIDE), _e1007, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1010 = c1_3_;
    simdgroup_store(_e1010, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1037 = e_7;
            e_7 = _e1037 + size;
        }
        loop_init_8 = false;
        uint _e1015 = e_7;
        if (_e1015 < 256u) {
        } else {
            break;
        }
        {
            uint _e1021 = e_7;
            uint _e1028 = e_7;
            uint _e1033 = e_7;
            float _e1036 = spilled.inner[corner + _e1033];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1021, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1028, SIDE), _e1036, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1039 = c2_0_;
    simdgroup_store(_e1039, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1066 = e_8;
            e_8 = _e1066 + size;
        }
        loop_init_9 = false;
        uint _e1044 = e_8;
        if (_e1044 < 256u) {
        } else {
            break;
        }
        {
            uint _e1050 = e_8;
            uint _e1057 = e_8;
            uint _e1062 = e_8;
            float _e1065 = spilled.inner[corner + _e1062];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1050, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1057, SIDE), _e1065, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1068 = c2_1_;
    simdgroup_store(_e1068, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1095 = e_9;
            e_9 = _e1095 + size;
        }
        loop_init_10 = false;
        uint _e1073 = e_9;
        if (_e1073 < 256u) {
        } else {
            break;
        }
        {
            uint _e1079 = e_9;
            uint _e1086 = e_9;
            uint _e1091 = e_9;
            float _e1094 = spilled.inner[corner + _e1091];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1079, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1086, SIDE), _e1094, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1097 = c2_2_;
    simdgroup_store(_e1097, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1124 = e_10;
            e_10 = _e1124 + size;
        }
        loop_init_11 = false;
        uint _e1102 = e_10;
        if (_e1102 < 256u) {
        } else {
            break;
        }
        {
            uint _e1108 = e_10;
            uint _e1115 = e_10;
            uint _e1120 = e_10;
            float _e1123 = spilled.inner[corner + _e1120];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1108, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1115, SIDE), _e1123, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1126 = c2_3_;
    simdgroup_store(_e1126, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1153 = e_11;
            e_11 = _e1153 + size;
        }
        loop_init_12 = false;
        uint _e1131 = e_11;
        if (_e1131 < 256u) {
        } else {
            break;
        }
        {
            uint _e1137 = e_11;
            uint _e1144 = e_11;
            uint _e1149 = e_11;
            float _e1152 = spilled.inner[corner + _e1149];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1137, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1144, SIDE), _e1152, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1155 = c3_0_;
    simdgroup_store(_e1155, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1182 = e_12;
            e_12 = _e1182 + size;
        }
        loop_init_13 = false;
        uint _e1160 = e_12;
        if (_e1160 < 256u) {
        } else {
            break;
        }
        {
            uint _e1166 = e_12;
            uint _e1173 = e_12;
            uint _e1178 = e_12;
            float _e1181 = spilled.inner[corner + _e1178];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1166, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1173, SIDE), _e1181, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1184 = c3_1_;
    simdgroup_store(_e1184, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1211 = e_13;
            e_13 = _e1211 + size;
        }
        loop_init_14 = false;
        uint _e1189 = e_13;
        if (_e1189 < 256u) {
        } else {
            break;
        }
        {
            uint _e1195 = e_13;
            uint _e1202 = e_13;
            uint _e1207 = e_13;
            float _e1210 = spilled.inner[corner + _e1207];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1195, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1202, SIDE), _e1210, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1213 = c3_2_;
    simdgroup_store(_e1213, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1240 = e_14;
            e_14 = _e1240 + size;
        }
        loop_init_15 = false;
        uint _e1218 = e_14;
        if (_e1218 < 256u) {
        } else {
            break;
        }
        {
            uint _e1224 = e_14;
            uint _e1231 = e_14;
            uint _e1236 = e_14;
            float _e1239 = spilled.inner[corner + _e1236];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1224, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1231, SIDE), _e1239, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1242 = c3_3_;
    simdgroup_store(_e1242, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1269 = e_15;
            e_15 = _e1269 + size;
        }
        loop_init_16 = false;
        uint _e1247 = e_15;
        if (_e1247 < 256u) {
        } else {
            break;
        }
        {
            uint _e1253 = e_15;
            uint _e1260 = e_15;
            uint _e1265 = e_15;
            float _e1268 = spilled.inner[corner + _e1265];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1253, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1260, SIDE), _e1268, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
