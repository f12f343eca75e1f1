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
constant uint AHEAD = 1u;
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
    metal::half4 xa0_ = {};
    metal::half4 xb0_ = {};
    metal::half4 xa1_ = {};
    metal::half4 xb1_ = {};
    metal::half4 xa2_ = {};
    metal::half4 xb2_ = {};
    metal::half4 xa3_ = {};
    metal::half4 xb3_ = {};
    type_12 w0_ = {};
    type_12 w1_ = {};
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
    metal::half4 _e308 = x[x_at0_ + naga_div(begin, 4u)];
    xa0_ = _e308;
    metal::half4 _e317 = x[(x_at0_ + naga_div(begin, 4u)) + 1u];
    xb0_ = _e317;
    metal::half4 _e324 = x[x_at1_ + naga_div(begin, 4u)];
    xa1_ = _e324;
    metal::half4 _e333 = x[(x_at1_ + naga_div(begin, 4u)) + 1u];
    xb1_ = _e333;
    metal::half4 _e340 = x[x_at2_ + naga_div(begin, 4u)];
    xa2_ = _e340;
    metal::half4 _e349 = x[(x_at2_ + naga_div(begin, 4u)) + 1u];
    xb2_ = _e349;
    metal::half4 _e356 = x[x_at3_ + naga_div(begin, 4u)];
    xa3_ = _e356;
    metal::half4 _e365 = x[(x_at3_ + naga_div(begin, 4u)) + 1u];
    xb3_ = _e365;
    type_12 _e370 = halves16_(planes, w_at0_ + naga_div(begin, 16u), codes_2, words, _buffer_sizes);
    w0_ = _e370;
    type_12 _e375 = halves16_(planes, w_at1_ + naga_div(begin, 16u), codes_2, words, _buffer_sizes);
    w1_ = _e375;
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e786 = k0_;
            k0_ = _e786 + TILE_K;
        }
        loop_init = false;
        uint _e378 = k0_;
        if (_e378 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::half4 _e382 = xa0_;
            tile_x.inner[to_x0_] = _e382;
            metal::half4 _e387 = xb0_;
            tile_x.inner[to_x0_ + 1u] = _e387;
            metal::half4 _e390 = xa1_;
            tile_x.inner[to_x1_] = _e390;
            metal::half4 _e395 = xb1_;
            tile_x.inner[to_x1_ + 1u] = _e395;
            metal::half4 _e398 = xa2_;
            tile_x.inner[to_x2_] = _e398;
            metal::half4 _e403 = xb2_;
            tile_x.inner[to_x2_ + 1u] = _e403;
            metal::half4 _e406 = xa3_;
            tile_x.inner[to_x3_] = _e406;
            metal::half4 _e411 = xb3_;
            tile_x.inner[to_x3_ + 1u] = _e411;
            metal::half4 _e417 = w0_.inner[0];
            tile_w.inner[to_w0_ + 0u] = _e417;
            metal::half4 _e423 = w0_.inner[1];
            tile_w.inner[to_w0_ + 1u] = _e423;
            metal::half4 _e429 = w0_.inner[2];
            tile_w.inner[to_w0_ + 2u] = _e429;
            metal::half4 _e435 = w0_.inner[3];
            tile_w.inner[to_w0_ + 3u] = _e435;
            metal::half4 _e441 = w1_.inner[0];
            tile_w.inner[to_w1_ + 0u] = _e441;
            metal::half4 _e447 = w1_.inner[1];
            tile_w.inner[to_w1_ + 1u] = _e447;
            metal::half4 _e453 = w1_.inner[2];
            tile_w.inner[to_w1_ + 2u] = _e453;
            metal::half4 _e459 = w1_.inner[3];
            tile_w.inner[to_w1_ + 3u] = _e459;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e460 = k0_;
            uint next = metal::min(_e460 + TILE_K, end - TILE_K);
            metal::half4 _e471 = x[x_at0_ + naga_div(next, 4u)];
            xa0_ = _e471;
            metal::half4 _e479 = x[(x_at0_ + naga_div(next, 4u)) + 1u];
            xb0_ = _e479;
            metal::half4 _e485 = x[x_at1_ + naga_div(next, 4u)];
            xa1_ = _e485;
            metal::half4 _e493 = x[(x_at1_ + naga_div(next, 4u)) + 1u];
            xb1_ = _e493;
            metal::half4 _e499 = x[x_at2_ + naga_div(next, 4u)];
            xa2_ = _e499;
            metal::half4 _e507 = x[(x_at2_ + naga_div(next, 4u)) + 1u];
            xb2_ = _e507;
            metal::half4 _e513 = x[x_at3_ + naga_div(next, 4u)];
            xa3_ = _e513;
            metal::half4 _e521 = x[(x_at3_ + naga_div(next, 4u)) + 1u];
            xb3_ = _e521;
            type_12 _e525 = halves16_(planes, w_at0_ + naga_div(next, 16u), codes_2, words, _buffer_sizes);
            w0_ = _e525;
            type_12 _e529 = halves16_(planes, w_at1_ + naga_div(next, 16u), codes_2, words, _buffer_sizes);
            w1_ = _e529;
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
            metal::simdgroup_float16x16 _e626 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e626);
            metal::simdgroup_float16x16 _e628 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e628);
            metal::simdgroup_float16x16 _e630 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e630);
            metal::simdgroup_float16x16 _e632 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e632);
            metal::simdgroup_float16x16 _e634 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e634);
            metal::simdgroup_float16x16 _e636 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e636);
            metal::simdgroup_float16x16 _e638 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e638);
            metal::simdgroup_float16x16 _e640 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e640);
            metal::simdgroup_float16x16 _e642 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e642);
            metal::simdgroup_float16x16 _e644 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e644);
            metal::simdgroup_float16x16 _e646 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e646);
            metal::simdgroup_float16x16 _e648 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e648);
            metal::simdgroup_float16x16 _e650 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e650);
            metal::simdgroup_float16x16 _e652 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e652);
            metal::simdgroup_float16x16 _e654 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e654);
            metal::simdgroup_float16x16 _e656 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e656);
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
            metal::simdgroup_float16x16 _e754 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e754);
            metal::simdgroup_float16x16 _e756 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e756);
            metal::simdgroup_float16x16 _e758 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e758);
            metal::simdgroup_float16x16 _e760 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e760);
            metal::simdgroup_float16x16 _e762 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e762);
            metal::simdgroup_float16x16 _e764 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e764);
            metal::simdgroup_float16x16 _e766 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e766);
            metal::simdgroup_float16x16 _e768 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e768);
            metal::simdgroup_float16x16 _e770 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e770);
            metal::simdgroup_float16x16 _e772 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e772);
            metal::simdgroup_float16x16 _e774 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e774);
            metal::simdgroup_float16x16 _e776 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e776);
            metal::simdgroup_float16x16 _e778 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e778);
            metal::simdgroup_float16x16 _e780 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e780);
            metal::simdgroup_float16x16 _e782 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e782);
            metal::simdgroup_float16x16 _e784 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e784);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = bias_1 == 0u;
    } else {
        local_1 = false;
    }
    bool _e804 = local_1;
    if (_e804) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e814 = c0_0_;
        simdgroup_store(_e814, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e826 = c0_1_;
        simdgroup_store(_e826, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e838 = c0_2_;
        simdgroup_store(_e838, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e850 = c0_3_;
        simdgroup_store(_e850, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e862 = c1_0_;
        simdgroup_store(_e862, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e874 = c1_1_;
        simdgroup_store(_e874, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e886 = c1_2_;
        simdgroup_store(_e886, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e898 = c1_3_;
        simdgroup_store(_e898, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e910 = c2_0_;
        simdgroup_store(_e910, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e922 = c2_1_;
        simdgroup_store(_e922, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e934 = c2_2_;
        simdgroup_store(_e934, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e946 = c2_3_;
        simdgroup_store(_e946, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e958 = c3_0_;
        simdgroup_store(_e958, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e970 = c3_1_;
        simdgroup_store(_e970, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e982 = c3_2_;
        simdgroup_store(_e982, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e994 = c3_3_;
        simdgroup_store(_e994, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float16x16 _e997 = c0_0_;
    simdgroup_store(_e997, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e = lane;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1024 = e;
            e = _e1024 + size;
        }
        loop_init_1 = false;
        uint _e1002 = e;
        if (_e1002 < 256u) {
        } else {
            break;
        }
        {
            uint _e1008 = e;
            uint _e1015 = e;
            uint _e1020 = e;
            float _e1023 = spilled.inner[corner + _e1020];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1008, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1015, SIDE), _e1023, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1026 = c0_1_;
    simdgroup_store(_e1026, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1053 = e_1;
            e_1 = _e1053 + size;
        }
        loop_init_2 = false;
        uint _e1031 = e_1;
        if (_e1031 < 256u) {
        } else {
            break;
        }
        {
            uint _e1037 = e_1;
            uint _e1044 = e_1;
            uint _e1049 = e_1;
            float _e1052 = spilled.inner[corner + _e1049];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1037, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1044, SIDE), _e1052, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1055 = c0_2_;
    simdgroup_store(_e1055, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e1082 = e_2;
            e_2 = _e1082 + size;
        }
        loop_init_3 = false;
        uint _e1060 = e_2;
        if (_e1060 < 256u) {
        } else {
            break;
        }
        {
            uint _e1066 = e_2;
            uint _e1073 = e_2;
            uint _e1078 = e_2;
            float _e1081 = spilled.inner[corner + _e1078];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1066, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1073, SIDE), _e1081, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1084 = c0_3_;
    simdgroup_store(_e1084, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1111 = e_3;
            e_3 = _e1111 + size;
        }
        loop_init_4 = false;
        uint _e1089 = e_3;
        if (_e1089 < 256u) {
        } else {
            break;
        }
        {
            uint _e1095 = e_3;
            uint _e1102 = e_3;
            uint _e1107 = e_3;
            float _e1110 = spilled.inner[corner + _e1107];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1095, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1102, SIDE), _e1110, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1113 = c1_0_;
    simdgroup_store(_e1113, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1140 = e_4;
            e_4 = _e1140 + size;
        }
        loop_init_5 = false;
        uint _e1118 = e_4;
        if (_e1118 < 256u) {
        } else {
            break;
        }
        {
            uint _e1124 = e_4;
            uint _e1131 = e_4;
            uint _e1136 = e_4;
            float _e1139 = spilled.inner[corner + _e1136];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1124, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1131, SIDE), _e1139, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1142 = c1_1_;
    simdgroup_store(_e1142, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e1169 = e_5;
            e_5 = _e1169 + size;
        }
        loop_init_6 = false;
        uint _e1147 = e_5;
        if (_e1147 < 256u) {
        } else {
            break;
        }
        {
            uint _e1153 = e_5;
            uint _e1160 = e_5;
            uint _e1165 = e_5;
            float _e1168 = spilled.inner[corner + _e1165];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1153, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1160, SIDE), _e1168, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1171 = c1_2_;
    simdgroup_store(_e1171, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1198 = e_6;
            e_6 = _e1198 + size;
        }
        loop_init_7 = false;
        uint _e1176 = e_6;
        if (_e1176 < 256u) {
        } else {
            break;
        }
        {
            uint _e1182 = e_6;
            uint _e1189 = e_6;
            uint _e1194 = e_6;
            float _e1197 = spilled.inner[corner + _e1194];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1182, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1189, SIDE), _e1197, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1200 = c1_3_;
    simdgroup_store(_e1200, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1227 = e_7;
            e_7 = _e1227 + size;
        }
        loop_init_8 = false;
        uint _e1205 = e_7;
        if (_e1205 < 256u) {
        } else {
            break;
        }
        {
            uint _e1211 = e_7;
            uint _e1218 = e_7;
            uint _e1223 = e_7;
            float _e1226 = spilled.inner[corner + _e1223];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1211, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1218, SIDE), _e1226, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1229 = c2_0_;
    simdgroup_store(_e1229, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1256 = e_8;
            e_8 = _e1256 + size;
        }
        loop_init_9 = false;
        uint _e1234 = e_8;
        if (_e1234 < 256u) {
        } else {
            break;
        }
        {
            uint _e1240 = e_8;
            uint _e1247 = e_8;
            uint _e1252 = e_8;
            float _e1255 = spilled.inner[corner + _e1252];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1240, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1247, SIDE), _e1255, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1258 = c2_1_;
    simdgroup_store(_e1258, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1285 = e_9;
            e_9 = _e1285 + size;
        }
        loop_init_10 = false;
        uint _e1263 = e_9;
        if (_e1263 < 256u) {
        } else {
            break;
        }
        {
            uint _e1269 = e_9;
            uint _e1276 = e_9;
            uint _e1281 = e_9;
            float _e1284 = spilled.inner[corner + _e1281];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1269, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1276, SIDE), _e1284, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1287 = c2_2_;
    simdgroup_store(_e1287, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1314 = e_10;
            e_10 = _e1314 + size;
        }
        loop_init_11 = false;
        uint _e1292 = e_10;
        if (_e1292 < 256u) {
        } else {
            break;
        }
        {
            uint _e1298 = e_10;
            uint _e1305 = e_10;
            uint _e1310 = e_10;
            float _e1313 = spilled.inner[corner + _e1310];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1298, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1305, SIDE), _e1313, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1316 = c2_3_;
    simdgroup_store(_e1316, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1343 = e_11;
            e_11 = _e1343 + size;
        }
        loop_init_12 = false;
        uint _e1321 = e_11;
        if (_e1321 < 256u) {
        } else {
            break;
        }
        {
            uint _e1327 = e_11;
            uint _e1334 = e_11;
            uint _e1339 = e_11;
            float _e1342 = spilled.inner[corner + _e1339];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1327, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1334, SIDE), _e1342, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1345 = c3_0_;
    simdgroup_store(_e1345, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1372 = e_12;
            e_12 = _e1372 + size;
        }
        loop_init_13 = false;
        uint _e1350 = e_12;
        if (_e1350 < 256u) {
        } else {
            break;
        }
        {
            uint _e1356 = e_12;
            uint _e1363 = e_12;
            uint _e1368 = e_12;
            float _e1371 = spilled.inner[corner + _e1368];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1356, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1363, SIDE), _e1371, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1374 = c3_1_;
    simdgroup_store(_e1374, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1401 = e_13;
            e_13 = _e1401 + size;
        }
        loop_init_14 = false;
        uint _e1379 = e_13;
        if (_e1379 < 256u) {
        } else {
            break;
        }
        {
            uint _e1385 = e_13;
            uint _e1392 = e_13;
            uint _e1397 = e_13;
            float _e1400 = spilled.inner[corner + _e1397];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1385, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1392, SIDE), _e1400, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1403 = c3_2_;
    simdgroup_store(_e1403, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1430 = e_14;
            e_14 = _e1430 + size;
        }
        loop_init_15 = false;
        uint _e1408 = e_14;
        if (_e1408 < 256u) {
        } else {
            break;
        }
        {
            uint _e1414 = e_14;
            uint _e1421 = e_14;
            uint _e1426 = e_14;
            float _e1429 = spilled.inner[corner + _e1426];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1414, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1421, SIDE), _e1429, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1432 = c3_3_;
    simdgroup_store(_e1432, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1459 = e_15;
            e_15 = _e1459 + size;
        }
        loop_init_16 = false;
        uint _e1437 = e_15;
        if (_e1437 < 256u) {
        } else {
            break;
        }
        {
            uint _e1443 = e_15;
            uint _e1450 = e_15;
            uint _e1455 = e_15;
            float _e1458 = spilled.inner[corner + _e1455];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1443, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1450, SIDE), _e1458, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
