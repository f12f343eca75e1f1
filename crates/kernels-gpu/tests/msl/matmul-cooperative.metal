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
    uint d;
    char _pad2[12];
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

Stored stored(
    Planes p,
    uint i_3,
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 _e6 = codes_2[p.codes + i_3];
    uint _e13 = words[p.scales + (i_3 >> 1u)];
    return Stored {_e6, _e13};
}

Block block_of(
    Stored v,
    uint i_4
) {
    float _e3 = half_of(v.d, i_4);
    return Block {v.w & NIBBLES, (v.w >> metal::uint4(4u)) & NIBBLES, metal::float2(_e3), metal::float2(-8.0 * _e3)};
}

Block weight(
    Planes p_1,
    uint i_5,
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e2 = stored(p_1, i_5, codes_2, words, _buffer_sizes);
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

type_9 weight16_(
    Planes p_2,
    uint i_6,
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_6 >> 1u, codes_2, words, _buffer_sizes);
    bool last = (i_6 & 1u) == 1u;
    metal::uint4 w_1 = last ? _e4.hi : _e4.lo;
    float s_2 = last ? _e4.s.y : _e4.s.x;
    float m_2 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_1.x, s_2, m_2);
    metal::float4 _e25 = four(w_1.y, s_2, m_2);
    metal::float4 _e27 = four(w_1.z, s_2, m_2);
    metal::float4 _e29 = four(w_1.w, s_2, m_2);
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
    return type_12 {{_e25, _e27, _e29, _e31}};
}

type_13 halves32_(
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
    return type_13 {{_e11, _e16, _e21, _e26, _e31, _e36, _e41, _e46}};
}

void put(
    uint i_9,
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
, constant Params& p_3 [[user(fake0)]]
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
    uint n0_ = metal::min((group.y - part.x) * TILE_N, part.y - TILE_N);
    uint bias_1 = part.w;
    uint sub_t = naga_div(subgroup, 2u) * SUB_T;
    uint sub_n = naga_mod(subgroup, 2u) * SUB_N;
    uint corner = subgroup * SPILLED;
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
            uint _e589 = k0_;
            k0_ = _e589 + TILE_K;
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
            uint i0_ = w_at0_ + naga_div(_e239, W_EACH);
            Stored _e243 = stored(planes, i0_, codes_2, words, _buffer_sizes);
            type_13 _e244 = halves32_(_e243, i0_);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            tile_x.inner[to_x + 0u] = x0_;
            tile_x.inner[to_x + 160u] = x1_;
            tile_x.inner[to_x + 320u] = x2_;
            tile_x.inner[to_x + 480u] = x3_;
            tile_x.inner[to_x + 640u] = x4_;
            tile_x.inner[to_x + 800u] = x5_;
            tile_x.inner[to_x + 960u] = x6_;
            tile_x.inner[to_x + 1120u] = x7_;
            tile_w.inner[(to_w + 0u) + 0u] = _e244.inner[0];
            tile_w.inner[(to_w + 0u) + 1u] = _e244.inner[1];
            tile_w.inner[(to_w + 0u) + 2u] = _e244.inner[2];
            tile_w.inner[(to_w + 0u) + 3u] = _e244.inner[3];
            tile_w.inner[(to_w + 0u) + 4u] = _e244.inner[4];
            tile_w.inner[(to_w + 0u) + 5u] = _e244.inner[5];
            tile_w.inner[(to_w + 0u) + 6u] = _e244.inner[6];
            tile_w.inner[(to_w + 0u) + 7u] = _e244.inner[7];
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
            metal::simdgroup_float16x16 _e429 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e429);
            metal::simdgroup_float16x16 _e431 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e431);
            metal::simdgroup_float16x16 _e433 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e433);
            metal::simdgroup_float16x16 _e435 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e435);
            metal::simdgroup_float16x16 _e437 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e437);
            metal::simdgroup_float16x16 _e439 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e439);
            metal::simdgroup_float16x16 _e441 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e441);
            metal::simdgroup_float16x16 _e443 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e443);
            metal::simdgroup_float16x16 _e445 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e445);
            metal::simdgroup_float16x16 _e447 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e447);
            metal::simdgroup_float16x16 _e449 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e449);
            metal::simdgroup_float16x16 _e451 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e451);
            metal::simdgroup_float16x16 _e453 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e453);
            metal::simdgroup_float16x16 _e455 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e455);
            metal::simdgroup_float16x16 _e457 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e457);
            metal::simdgroup_float16x16 _e459 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e459);
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
            metal::simdgroup_float16x16 _e557 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e557);
            metal::simdgroup_float16x16 _e559 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e559);
            metal::simdgroup_float16x16 _e561 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e561);
            metal::simdgroup_float16x16 _e563 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e563);
            metal::simdgroup_float16x16 _e565 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e565);
            metal::simdgroup_float16x16 _e567 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e567);
            metal::simdgroup_float16x16 _e569 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e569);
            metal::simdgroup_float16x16 _e571 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e571);
            metal::simdgroup_float16x16 _e573 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e573);
            metal::simdgroup_float16x16 _e575 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e575);
            metal::simdgroup_float16x16 _e577 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e577);
            metal::simdgroup_float16x16 _e579 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e579);
            metal::simdgroup_float16x16 _e581 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e581);
            metal::simdgroup_float16x16 _e583 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e583);
            metal::simdgroup_float16x16 _e585 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e585);
            metal::simdgroup_float16x16 _e587 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e587);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = naga_mod(width_1, 4u) == 0u;
    } else {
        local_1 = false;
    }
    bool _e609 = local_1;
    if (_e609) {
        local_2 = bias_1 == 0u;
    } else {
        local_2 = false;
    }
    bool _e615 = local_2;
    if (_e615) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e625 = c0_0_;
        simdgroup_store(_e625, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e637 = c0_1_;
        simdgroup_store(_e637, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e649 = c0_2_;
        simdgroup_store(_e649, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e661 = c0_3_;
        simdgroup_store(_e661, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e673 = c1_0_;
        simdgroup_store(_e673, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e685 = c1_1_;
        simdgroup_store(_e685, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e697 = c1_2_;
        simdgroup_store(_e697, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e709 = c1_3_;
        simdgroup_store(_e709, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e721 = c2_0_;
        simdgroup_store(_e721, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e733 = c2_1_;
        simdgroup_store(_e733, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e745 = c2_2_;
        simdgroup_store(_e745, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e757 = c2_3_;
        simdgroup_store(_e757, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e769 = c3_0_;
        simdgroup_store(_e769, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e781 = c3_1_;
        simdgroup_store(_e781, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e793 = c3_2_;
        simdgroup_store(_e793, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e805 = c3_3_;
        simdgroup_store(_e805, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float16x16 _e808 = c0_0_;
    simdgroup_store(_e808, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e = lane;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e835 = e;
            e = _e835 + size;
        }
        loop_init_1 = false;
        uint _e813 = e;
        if (_e813 < 256u) {
        } else {
            break;
        }
        {
            uint _e819 = e;
            uint _e826 = e;
            uint _e831 = e;
            float _e834 = spilled.inner[corner + _e831];
            put(((t0_ + sub_t) + 0u) + naga_div(_e819, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e826, SIDE), _e834, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e837 = c0_1_;
    simdgroup_store(_e837, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e864 = e_1;
            e_1 = _e864 + size;
        }
        loop_init_2 = false;
        uint _e842 = e_1;
        if (_e842 < 256u) {
        } else {
            break;
        }
        {
            uint _e848 = e_1;
            uint _e855 = e_1;
            uint _e860 = e_1;
            float _e863 = spilled.inner[corner + _e860];
            put(((t0_ + sub_t) + 0u) + naga_div(_e848, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e855, SIDE), _e863, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e866 = c0_2_;
    simdgroup_store(_e866, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e893 = e_2;
            e_2 = _e893 + size;
        }
        loop_init_3 = false;
        uint _e871 = e_2;
        if (_e871 < 256u) {
        } else {
            break;
        }
        {
            uint _e877 = e_2;
            uint _e884 = e_2;
            uint _e889 = e_2;
            float _e892 = spilled.inner[corner + _e889];
            put(((t0_ + sub_t) + 0u) + naga_div(_e877, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e884, SIDE), _e892, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e895 = c0_3_;
    simdgroup_store(_e895, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e922 = e_3;
            e_3 = _e922 + size;
        }
        loop_init_4 = false;
        uint _e900 = e_3;
        if (_e900 < 256u) {
        } else {
            break;
        }
        {
            uint _e906 = e_3;
            uint _e913 = e_3;
            uint _e918 = e_3;
            float _e921 = spilled.inner[corner + _e918];
            put(((t0_ + sub_t) + 0u) + naga_div(_e906, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e913, SIDE), _e921, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e924 = c1_0_;
    simdgroup_store(_e924, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e951 = e_4;
            e_4 = _e951 + size;
        }
        loop_init_5 = false;
        uint _e929 = e_4;
        if (_e929 < 256u) {
        } else {
            break;
        }
        {
            uint _e935 = e_4;
            uint _e942 = e_4;
            uint _e947 = e_4;
            float _e950 = spilled.inner[corner + _e947];
            put(((t0_ + sub_t) + 16u) + naga_div(_e935, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e942, SIDE), _e950, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e953 = c1_1_;
    simdgroup_store(_e953, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e980 = e_5;
            e_5 = _e980 + size;
        }
        loop_init_6 = false;
        uint _e958 = e_5;
        if (_e958 < 256u) {
        } else {
            break;
        }
        {
            uint _e964 = e_5;
            uint _e971 = e_5;
            uint _e976 = e_5;
            float _e979 = spilled.inner[corner + _e976];
            put(((t0_ + sub_t) + 16u) + naga_div(_e964, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e971, SIDE), _e979, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e982 = c1_2_;
    simdgroup_store(_e982, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1009 = e_6;
            e_6 = _e1009 + size;
        }
        loop_init_7 = false;
        uint _e987 = e_6;
        if (_e987 < 256u) {
        } else {
            break;
        }
        {
            uint _e993 = e_6;
            uint _e1000 = e_6;
            uint _e1005 = e_6;
            float _e1008 = spilled.inner[corner + _e1005];
            put(((t0_ + sub_t) + 16u) + naga_div(_e993, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1000, SIDE), _e1008, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1011 = c1_3_;
    simdgroup_store(_e1011, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1038 = e_7;
            e_7 = _e1038 + size;
        }
        loop_init_8 = false;
        uint _e1016 = e_7;
        if (_e1016 < 256u) {
        } else {
            break;
        }
        {
            uint _e1022 = e_7;
            uint _e1029 = e_7;
            uint _e1034 = e_7;
            float _e1037 = spilled.inner[corner + _e1034];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1022, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1029, SIDE), _e1037, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1040 = c2_0_;
    simdgroup_store(_e1040, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1067 = e_8;
            e_8 = _e1067 + size;
        }
        loop_init_9 = false;
        uint _e1045 = e_8;
        if (_e1045 < 256u) {
        } else {
            break;
        }
        {
            uint _e1051 = e_8;
            uint _e1058 = e_8;
            uint _e1063 = e_8;
            float _e1066 = spilled.inner[corner + _e1063];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1051, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1058, SIDE), _e1066, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1069 = c2_1_;
    simdgroup_store(_e1069, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1096 = e_9;
            e_9 = _e1096 + size;
        }
        loop_init_10 = false;
        uint _e1074 = e_9;
        if (_e1074 < 256u) {
        } else {
            break;
        }
        {
            uint _e1080 = e_9;
            uint _e1087 = e_9;
            uint _e1092 = e_9;
            float _e1095 = spilled.inner[corner + _e1092];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1080, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1087, SIDE), _e1095, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1098 = c2_2_;
    simdgroup_store(_e1098, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1125 = e_10;
            e_10 = _e1125 + size;
        }
        loop_init_11 = false;
        uint _e1103 = e_10;
        if (_e1103 < 256u) {
        } else {
            break;
        }
        {
            uint _e1109 = e_10;
            uint _e1116 = e_10;
            uint _e1121 = e_10;
            float _e1124 = spilled.inner[corner + _e1121];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1109, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1116, SIDE), _e1124, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1127 = c2_3_;
    simdgroup_store(_e1127, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1154 = e_11;
            e_11 = _e1154 + size;
        }
        loop_init_12 = false;
        uint _e1132 = e_11;
        if (_e1132 < 256u) {
        } else {
            break;
        }
        {
            uint _e1138 = e_11;
            uint _e1145 = e_11;
            uint _e1150 = e_11;
            float _e1153 = spilled.inner[corner + _e1150];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1138, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1145, SIDE), _e1153, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1156 = c3_0_;
    simdgroup_store(_e1156, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1183 = e_12;
            e_12 = _e1183 + size;
        }
        loop_init_13 = false;
        uint _e1161 = e_12;
        if (_e1161 < 256u) {
        } else {
            break;
        }
        {
            uint _e1167 = e_12;
            uint _e1174 = e_12;
            uint _e1179 = e_12;
            float _e1182 = spilled.inner[corner + _e1179];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1167, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1174, SIDE), _e1182, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1185 = c3_1_;
    simdgroup_store(_e1185, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1212 = e_13;
            e_13 = _e1212 + size;
        }
        loop_init_14 = false;
        uint _e1190 = e_13;
        if (_e1190 < 256u) {
        } else {
            break;
        }
        {
            uint _e1196 = e_13;
            uint _e1203 = e_13;
            uint _e1208 = e_13;
            float _e1211 = spilled.inner[corner + _e1208];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1196, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1203, SIDE), _e1211, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1214 = c3_2_;
    simdgroup_store(_e1214, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1241 = e_14;
            e_14 = _e1241 + size;
        }
        loop_init_15 = false;
        uint _e1219 = e_14;
        if (_e1219 < 256u) {
        } else {
            break;
        }
        {
            uint _e1225 = e_14;
            uint _e1232 = e_14;
            uint _e1237 = e_14;
            float _e1240 = spilled.inner[corner + _e1237];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1225, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1232, SIDE), _e1240, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1243 = c3_3_;
    simdgroup_store(_e1243, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1270 = e_15;
            e_15 = _e1270 + size;
        }
        loop_init_16 = false;
        uint _e1248 = e_15;
        if (_e1248 < 256u) {
        } else {
            break;
        }
        {
            uint _e1254 = e_15;
            uint _e1261 = e_15;
            uint _e1266 = e_15;
            float _e1269 = spilled.inner[corner + _e1266];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1254, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1261, SIDE), _e1269, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
