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
    metal::half4 inner[1280];
};
struct type_19 {
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
constant uint AHEAD = 1u;
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
    metal::half4 x0_ = {};
    metal::half4 x1_ = {};
    metal::half4 x2_ = {};
    metal::half4 x3_ = {};
    metal::half4 x4_ = {};
    metal::half4 x5_ = {};
    metal::half4 x6_ = {};
    metal::half4 x7_ = {};
    Stored stored0_ = {};
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
    metal::uint4 at_1 = p_3.parts.inner[(_e42 * 2u) + 1u];
    Planes planes = Planes {at_1.x, at_1.y, at_1.z, at_1.w};
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
    metal::half4 _e185 = x[x_at0_ + naga_div(begin, 4u)];
    x0_ = _e185;
    metal::half4 _e192 = x[x_at1_ + naga_div(begin, 4u)];
    x1_ = _e192;
    metal::half4 _e199 = x[x_at2_ + naga_div(begin, 4u)];
    x2_ = _e199;
    metal::half4 _e206 = x[x_at3_ + naga_div(begin, 4u)];
    x3_ = _e206;
    metal::half4 _e213 = x[x_at4_ + naga_div(begin, 4u)];
    x4_ = _e213;
    metal::half4 _e220 = x[x_at5_ + naga_div(begin, 4u)];
    x5_ = _e220;
    metal::half4 _e227 = x[x_at6_ + naga_div(begin, 4u)];
    x6_ = _e227;
    metal::half4 _e234 = x[x_at7_ + naga_div(begin, 4u)];
    x7_ = _e234;
    Stored _e243 = stored(planes, naga_div((w_at0_ + naga_div(begin, W_EACH)) * W_EACH, 32u), codes_2, _buffer_sizes);
    stored0_ = _e243;
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e668 = k0_;
            k0_ = _e668 + TILE_K;
        }
        loop_init = false;
        uint _e246 = k0_;
        if (_e246 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            Stored _e248 = stored0_;
            uint _e249 = k0_;
            type_14 _e253 = halves32_(_e248, w_at0_ + naga_div(_e249, 32u));
            metal::half4 _e258 = x0_;
            tile_x.inner[to_x + 0u] = _e258;
            metal::half4 _e263 = x1_;
            tile_x.inner[to_x + 160u] = _e263;
            metal::half4 _e268 = x2_;
            tile_x.inner[to_x + 320u] = _e268;
            metal::half4 _e273 = x3_;
            tile_x.inner[to_x + 480u] = _e273;
            metal::half4 _e278 = x4_;
            tile_x.inner[to_x + 640u] = _e278;
            metal::half4 _e283 = x5_;
            tile_x.inner[to_x + 800u] = _e283;
            metal::half4 _e288 = x6_;
            tile_x.inner[to_x + 960u] = _e288;
            metal::half4 _e293 = x7_;
            tile_x.inner[to_x + 1120u] = _e293;
            tile_w.inner[(to_w + 0u) + 0u] = _e253.inner[0];
            tile_w.inner[(to_w + 0u) + 1u] = _e253.inner[1];
            tile_w.inner[(to_w + 0u) + 2u] = _e253.inner[2];
            tile_w.inner[(to_w + 0u) + 3u] = _e253.inner[3];
            tile_w.inner[(to_w + 0u) + 4u] = _e253.inner[4];
            tile_w.inner[(to_w + 0u) + 5u] = _e253.inner[5];
            tile_w.inner[(to_w + 0u) + 6u] = _e253.inner[6];
            tile_w.inner[(to_w + 0u) + 7u] = _e253.inner[7];
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e350 = k0_;
            uint next = metal::min(_e350 + TILE_K, end - TILE_K);
            metal::half4 _e361 = x[x_at0_ + naga_div(next, 4u)];
            x0_ = _e361;
            metal::half4 _e367 = x[x_at1_ + naga_div(next, 4u)];
            x1_ = _e367;
            metal::half4 _e373 = x[x_at2_ + naga_div(next, 4u)];
            x2_ = _e373;
            metal::half4 _e379 = x[x_at3_ + naga_div(next, 4u)];
            x3_ = _e379;
            metal::half4 _e385 = x[x_at4_ + naga_div(next, 4u)];
            x4_ = _e385;
            metal::half4 _e391 = x[x_at5_ + naga_div(next, 4u)];
            x5_ = _e391;
            metal::half4 _e397 = x[x_at6_ + naga_div(next, 4u)];
            x6_ = _e397;
            metal::half4 _e403 = x[x_at7_ + naga_div(next, 4u)];
            x7_ = _e403;
            Stored _e411 = stored(planes, naga_div((w_at0_ + naga_div(next, W_EACH)) * W_EACH, 32u), codes_2, _buffer_sizes);
            stored0_ = _e411;
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
            metal::simdgroup_float16x16 _e508 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e508);
            metal::simdgroup_float16x16 _e510 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e510);
            metal::simdgroup_float16x16 _e512 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e512);
            metal::simdgroup_float16x16 _e514 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e514);
            metal::simdgroup_float16x16 _e516 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e516);
            metal::simdgroup_float16x16 _e518 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e518);
            metal::simdgroup_float16x16 _e520 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e520);
            metal::simdgroup_float16x16 _e522 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e522);
            metal::simdgroup_float16x16 _e524 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e524);
            metal::simdgroup_float16x16 _e526 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e526);
            metal::simdgroup_float16x16 _e528 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e528);
            metal::simdgroup_float16x16 _e530 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e530);
            metal::simdgroup_float16x16 _e532 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e532);
            metal::simdgroup_float16x16 _e534 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e534);
            metal::simdgroup_float16x16 _e536 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e536);
            metal::simdgroup_float16x16 _e538 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e538);
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
            metal::simdgroup_float16x16 _e636 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e636);
            metal::simdgroup_float16x16 _e638 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e638);
            metal::simdgroup_float16x16 _e640 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e640);
            metal::simdgroup_float16x16 _e642 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e642);
            metal::simdgroup_float16x16 _e644 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e644);
            metal::simdgroup_float16x16 _e646 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e646);
            metal::simdgroup_float16x16 _e648 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e648);
            metal::simdgroup_float16x16 _e650 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e650);
            metal::simdgroup_float16x16 _e652 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e652);
            metal::simdgroup_float16x16 _e654 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e654);
            metal::simdgroup_float16x16 _e656 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e656);
            metal::simdgroup_float16x16 _e658 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e658);
            metal::simdgroup_float16x16 _e660 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e660);
            metal::simdgroup_float16x16 _e662 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e662);
            metal::simdgroup_float16x16 _e664 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e664);
            metal::simdgroup_float16x16 _e666 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e666);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = naga_mod(width_1, 4u) == 0u;
    } else {
        local_1 = false;
    }
    bool _e688 = local_1;
    if (_e688) {
        local_2 = bias_1 == 0u;
    } else {
        local_2 = false;
    }
    bool _e694 = local_2;
    if (_e694) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e704 = c0_0_;
        simdgroup_store(_e704, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e716 = c0_1_;
        simdgroup_store(_e716, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e728 = c0_2_;
        simdgroup_store(_e728, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e740 = c0_3_;
        simdgroup_store(_e740, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e752 = c1_0_;
        simdgroup_store(_e752, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e764 = c1_1_;
        simdgroup_store(_e764, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e776 = c1_2_;
        simdgroup_store(_e776, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e788 = c1_3_;
        simdgroup_store(_e788, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e800 = c2_0_;
        simdgroup_store(_e800, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e812 = c2_1_;
        simdgroup_store(_e812, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e824 = c2_2_;
        simdgroup_store(_e824, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e836 = c2_3_;
        simdgroup_store(_e836, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e848 = c3_0_;
        simdgroup_store(_e848, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e860 = c3_1_;
        simdgroup_store(_e860, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e872 = c3_2_;
        simdgroup_store(_e872, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e884 = c3_3_;
        simdgroup_store(_e884, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float16x16 _e887 = c0_0_;
    simdgroup_store(_e887, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e = lane;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e914 = e;
            e = _e914 + size;
        }
        loop_init_1 = false;
        uint _e892 = e;
        if (_e892 < 256u) {
        } else {
            break;
        }
        {
            uint _e898 = e;
            uint _e905 = e;
            uint _e910 = e;
            float _e913 = spilled.inner[corner + _e910];
            put(((t0_ + sub_t) + 0u) + naga_div(_e898, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e905, SIDE), _e913, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e916 = c0_1_;
    simdgroup_store(_e916, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e943 = e_1;
            e_1 = _e943 + size;
        }
        loop_init_2 = false;
        uint _e921 = e_1;
        if (_e921 < 256u) {
        } else {
            break;
        }
        {
            uint _e927 = e_1;
            uint _e934 = e_1;
            uint _e939 = e_1;
            float _e942 = spilled.inner[corner + _e939];
            put(((t0_ + sub_t) + 0u) + naga_div(_e927, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e934, SIDE), _e942, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e945 = c0_2_;
    simdgroup_store(_e945, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e972 = e_2;
            e_2 = _e972 + size;
        }
        loop_init_3 = false;
        uint _e950 = e_2;
        if (_e950 < 256u) {
        } else {
            break;
        }
        {
            uint _e956 = e_2;
            uint _e963 = e_2;
            uint _e968 = e_2;
            float _e971 = spilled.inner[corner + _e968];
            put(((t0_ + sub_t) + 0u) + naga_div(_e956, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e963, SIDE), _e971, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e974 = c0_3_;
    simdgroup_store(_e974, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1001 = e_3;
            e_3 = _e1001 + size;
        }
        loop_init_4 = false;
        uint _e979 = e_3;
        if (_e979 < 256u) {
        } else {
            break;
        }
        {
            uint _e985 = e_3;
            uint _e992 = e_3;
            uint _e997 = e_3;
            float _e1000 = spilled.inner[corner + _e997];
            put(((t0_ + sub_t) + 0u) + naga_div(_e985, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e992, SIDE), _e1000, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1003 = c1_0_;
    simdgroup_store(_e1003, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1030 = e_4;
            e_4 = _e1030 + size;
        }
        loop_init_5 = false;
        uint _e1008 = e_4;
        if (_e1008 < 256u) {
        } else {
            break;
        }
        {
            uint _e1014 = e_4;
            uint _e1021 = e_4;
            uint _e1026 = e_4;
            float _e1029 = spilled.inner[corner + _e1026];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1014, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1021, SIDE), _e1029, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1032 = c1_1_;
    simdgroup_store(_e1032, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e1059 = e_5;
            e_5 = _e1059 + size;
        }
        loop_init_6 = false;
        uint _e1037 = e_5;
        if (_e1037 < 256u) {
        } else {
            break;
        }
        {
            uint _e1043 = e_5;
            uint _e1050 = e_5;
            uint _e1055 = e_5;
            float _e1058 = spilled.inner[corner + _e1055];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1043, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1050, SIDE), _e1058, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1061 = c1_2_;
    simdgroup_store(_e1061, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1088 = e_6;
            e_6 = _e1088 + size;
        }
        loop_init_7 = false;
        uint _e1066 = e_6;
        if (_e1066 < 256u) {
        } else {
            break;
        }
        {
            uint _e1072 = e_6;
            uint _e1079 = e_6;
            uint _e1084 = e_6;
            float _e1087 = spilled.inner[corner + _e1084];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1072, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1079, SIDE), _e1087, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1090 = c1_3_;
    simdgroup_store(_e1090, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1117 = e_7;
            e_7 = _e1117 + size;
        }
        loop_init_8 = false;
        uint _e1095 = e_7;
        if (_e1095 < 256u) {
        } else {
            break;
        }
        {
            uint _e1101 = e_7;
            uint _e1108 = e_7;
            uint _e1113 = e_7;
            float _e1116 = spilled.inner[corner + _e1113];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1101, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1108, SIDE), _e1116, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1119 = c2_0_;
    simdgroup_store(_e1119, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1146 = e_8;
            e_8 = _e1146 + size;
        }
        loop_init_9 = false;
        uint _e1124 = e_8;
        if (_e1124 < 256u) {
        } else {
            break;
        }
        {
            uint _e1130 = e_8;
            uint _e1137 = e_8;
            uint _e1142 = e_8;
            float _e1145 = spilled.inner[corner + _e1142];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1130, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1137, SIDE), _e1145, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1148 = c2_1_;
    simdgroup_store(_e1148, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1175 = e_9;
            e_9 = _e1175 + size;
        }
        loop_init_10 = false;
        uint _e1153 = e_9;
        if (_e1153 < 256u) {
        } else {
            break;
        }
        {
            uint _e1159 = e_9;
            uint _e1166 = e_9;
            uint _e1171 = e_9;
            float _e1174 = spilled.inner[corner + _e1171];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1159, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1166, SIDE), _e1174, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1177 = c2_2_;
    simdgroup_store(_e1177, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1204 = e_10;
            e_10 = _e1204 + size;
        }
        loop_init_11 = false;
        uint _e1182 = e_10;
        if (_e1182 < 256u) {
        } else {
            break;
        }
        {
            uint _e1188 = e_10;
            uint _e1195 = e_10;
            uint _e1200 = e_10;
            float _e1203 = spilled.inner[corner + _e1200];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1188, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1195, SIDE), _e1203, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1206 = c2_3_;
    simdgroup_store(_e1206, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1233 = e_11;
            e_11 = _e1233 + size;
        }
        loop_init_12 = false;
        uint _e1211 = e_11;
        if (_e1211 < 256u) {
        } else {
            break;
        }
        {
            uint _e1217 = e_11;
            uint _e1224 = e_11;
            uint _e1229 = e_11;
            float _e1232 = spilled.inner[corner + _e1229];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1217, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1224, SIDE), _e1232, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1235 = c3_0_;
    simdgroup_store(_e1235, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1262 = e_12;
            e_12 = _e1262 + size;
        }
        loop_init_13 = false;
        uint _e1240 = e_12;
        if (_e1240 < 256u) {
        } else {
            break;
        }
        {
            uint _e1246 = e_12;
            uint _e1253 = e_12;
            uint _e1258 = e_12;
            float _e1261 = spilled.inner[corner + _e1258];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1246, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1253, SIDE), _e1261, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1264 = c3_1_;
    simdgroup_store(_e1264, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1291 = e_13;
            e_13 = _e1291 + size;
        }
        loop_init_14 = false;
        uint _e1269 = e_13;
        if (_e1269 < 256u) {
        } else {
            break;
        }
        {
            uint _e1275 = e_13;
            uint _e1282 = e_13;
            uint _e1287 = e_13;
            float _e1290 = spilled.inner[corner + _e1287];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1275, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1282, SIDE), _e1290, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1293 = c3_2_;
    simdgroup_store(_e1293, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1320 = e_14;
            e_14 = _e1320 + size;
        }
        loop_init_15 = false;
        uint _e1298 = e_14;
        if (_e1298 < 256u) {
        } else {
            break;
        }
        {
            uint _e1304 = e_14;
            uint _e1311 = e_14;
            uint _e1316 = e_14;
            float _e1319 = spilled.inner[corner + _e1316];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1304, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1311, SIDE), _e1319, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1322 = c3_3_;
    simdgroup_store(_e1322, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1349 = e_15;
            e_15 = _e1349 + size;
        }
        loop_init_16 = false;
        uint _e1327 = e_15;
        if (_e1327 < 256u) {
        } else {
            break;
        }
        {
            uint _e1333 = e_15;
            uint _e1340 = e_15;
            uint _e1345 = e_15;
            float _e1348 = spilled.inner[corner + _e1345];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1333, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1340, SIDE), _e1348, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
