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
constant uint WHOLE_TILES = 1u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint STRIDE = 40u;
constant uint ELEMENT = 4u;
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
, device type_16 const& x [[user(fake0)]]
, threadgroup type_17& tile_x
, threadgroup type_17& tile_w
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
            uint _e587 = k0_;
            k0_ = _e587 + TILE_K;
        }
        loop_init = false;
        uint _e179 = k0_;
        if (_e179 < end) {
        } else {
            break;
        }
        {
            uint _e182 = k0_;
            metal::half4 x0_ = x[x_at0_ + naga_div(_e182, 4u)];
            uint _e189 = k0_;
            metal::half4 x1_ = x[x_at1_ + naga_div(_e189, 4u)];
            uint _e196 = k0_;
            metal::half4 x2_ = x[x_at2_ + naga_div(_e196, 4u)];
            uint _e203 = k0_;
            metal::half4 x3_ = x[x_at3_ + naga_div(_e203, 4u)];
            uint _e210 = k0_;
            metal::half4 x4_ = x[x_at4_ + naga_div(_e210, 4u)];
            uint _e217 = k0_;
            metal::half4 x5_ = x[x_at5_ + naga_div(_e217, 4u)];
            uint _e224 = k0_;
            metal::half4 x6_ = x[x_at6_ + naga_div(_e224, 4u)];
            uint _e231 = k0_;
            metal::half4 x7_ = x[x_at7_ + naga_div(_e231, 4u)];
            uint _e237 = k0_;
            uint i0_ = w_at0_ + naga_div(_e237, W_EACH);
            Stored _e241 = stored(planes, i0_, codes_2, words, _buffer_sizes);
            type_13 _e242 = halves32_(_e241, i0_);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            tile_x.inner[to_x + 0u] = x0_;
            tile_x.inner[to_x + 160u] = x1_;
            tile_x.inner[to_x + 320u] = x2_;
            tile_x.inner[to_x + 480u] = x3_;
            tile_x.inner[to_x + 640u] = x4_;
            tile_x.inner[to_x + 800u] = x5_;
            tile_x.inner[to_x + 960u] = x6_;
            tile_x.inner[to_x + 1120u] = x7_;
            tile_w.inner[(to_w + 0u) + 0u] = _e242.inner[0];
            tile_w.inner[(to_w + 0u) + 1u] = _e242.inner[1];
            tile_w.inner[(to_w + 0u) + 2u] = _e242.inner[2];
            tile_w.inner[(to_w + 0u) + 3u] = _e242.inner[3];
            tile_w.inner[(to_w + 0u) + 4u] = _e242.inner[4];
            tile_w.inner[(to_w + 0u) + 5u] = _e242.inner[5];
            tile_w.inner[(to_w + 0u) + 6u] = _e242.inner[6];
            tile_w.inner[(to_w + 0u) + 7u] = _e242.inner[7];
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
            metal::simdgroup_float16x16 _e427 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e427);
            metal::simdgroup_float16x16 _e429 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e429);
            metal::simdgroup_float16x16 _e431 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e431);
            metal::simdgroup_float16x16 _e433 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e433);
            metal::simdgroup_float16x16 _e435 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e435);
            metal::simdgroup_float16x16 _e437 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e437);
            metal::simdgroup_float16x16 _e439 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e439);
            metal::simdgroup_float16x16 _e441 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e441);
            metal::simdgroup_float16x16 _e443 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e443);
            metal::simdgroup_float16x16 _e445 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e445);
            metal::simdgroup_float16x16 _e447 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e447);
            metal::simdgroup_float16x16 _e449 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e449);
            metal::simdgroup_float16x16 _e451 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e451);
            metal::simdgroup_float16x16 _e453 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e453);
            metal::simdgroup_float16x16 _e455 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e455);
            metal::simdgroup_float16x16 _e457 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e457);
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
            metal::simdgroup_float16x16 _e555 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e555);
            metal::simdgroup_float16x16 _e557 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e557);
            metal::simdgroup_float16x16 _e559 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e559);
            metal::simdgroup_float16x16 _e561 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e561);
            metal::simdgroup_float16x16 _e563 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e563);
            metal::simdgroup_float16x16 _e565 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e565);
            metal::simdgroup_float16x16 _e567 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e567);
            metal::simdgroup_float16x16 _e569 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e569);
            metal::simdgroup_float16x16 _e571 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e571);
            metal::simdgroup_float16x16 _e573 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e573);
            metal::simdgroup_float16x16 _e575 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e575);
            metal::simdgroup_float16x16 _e577 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e577);
            metal::simdgroup_float16x16 _e579 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e579);
            metal::simdgroup_float16x16 _e581 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e581);
            metal::simdgroup_float16x16 _e583 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e583);
            metal::simdgroup_float16x16 _e585 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e585);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
    metal::simdgroup_float16x16 _e606 = c0_0_;
    simdgroup_store(_e606, &act[o0_0_], width_1);
    uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
    metal::simdgroup_float16x16 _e618 = c0_1_;
    simdgroup_store(_e618, &act[o0_1_], width_1);
    uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 32u;
    metal::simdgroup_float16x16 _e630 = c0_2_;
    simdgroup_store(_e630, &act[o0_2_], width_1);
    uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 48u;
    metal::simdgroup_float16x16 _e642 = c0_3_;
    simdgroup_store(_e642, &act[o0_3_], width_1);
    uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
    metal::simdgroup_float16x16 _e654 = c1_0_;
    simdgroup_store(_e654, &act[o1_0_], width_1);
    uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
    metal::simdgroup_float16x16 _e666 = c1_1_;
    simdgroup_store(_e666, &act[o1_1_], width_1);
    uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 32u;
    metal::simdgroup_float16x16 _e678 = c1_2_;
    simdgroup_store(_e678, &act[o1_2_], width_1);
    uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 48u;
    metal::simdgroup_float16x16 _e690 = c1_3_;
    simdgroup_store(_e690, &act[o1_3_], width_1);
    uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 0u;
    metal::simdgroup_float16x16 _e702 = c2_0_;
    simdgroup_store(_e702, &act[o2_0_], width_1);
    uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 16u;
    metal::simdgroup_float16x16 _e714 = c2_1_;
    simdgroup_store(_e714, &act[o2_1_], width_1);
    uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 32u;
    metal::simdgroup_float16x16 _e726 = c2_2_;
    simdgroup_store(_e726, &act[o2_2_], width_1);
    uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 48u;
    metal::simdgroup_float16x16 _e738 = c2_3_;
    simdgroup_store(_e738, &act[o2_3_], width_1);
    uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 0u;
    metal::simdgroup_float16x16 _e750 = c3_0_;
    simdgroup_store(_e750, &act[o3_0_], width_1);
    uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 16u;
    metal::simdgroup_float16x16 _e762 = c3_1_;
    simdgroup_store(_e762, &act[o3_1_], width_1);
    uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 32u;
    metal::simdgroup_float16x16 _e774 = c3_2_;
    simdgroup_store(_e774, &act[o3_2_], width_1);
    uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 48u;
    metal::simdgroup_float16x16 _e786 = c3_3_;
    simdgroup_store(_e786, &act[o3_3_], width_1);
    return;
}
