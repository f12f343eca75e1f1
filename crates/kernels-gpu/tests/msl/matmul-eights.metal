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
struct type_11 {
    metal::uint4 inner[12];
};
struct Params {
    uint blocks;
    uint rows;
    uint count;
    uint depth;
    type_11 parts;
};
typedef float type_12[1];
typedef metal::half4 type_15[1];
struct type_16 {
    half inner[2560];
};
struct type_17 {
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
constant uint LOADS_X = 2u;
constant uint LOADS_W = 1u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint STRIDE = 40u;
constant uint UNIT = 1u;

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
    device type_5 const& codes_1,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w_1 = codes_1[p.codes + i_3];
    metal::uint4 head_1 = codes_1[p.supers + (i_3 >> 3u)];
    metal::float2 _e18 = k_scales(head_1, i_3 & 7u);
    metal::float2 d = float2(as_type<half2>(head_1.x)) * _e18;
    return Block {w_1 & NIBBLES, (w_1 >> metal::uint4(4u)) & NIBBLES, metal::float2(d.x), metal::float2(-(d.y))};
}

type_10 half_block(
    metal::uint4 codes,
    float s,
    float m
) {
    return type_10 {{(static_cast<metal::float4>(int4(as_type<packed_char4>(codes.x))) * s) + metal::float4(m), (static_cast<metal::float4>(int4(as_type<packed_char4>(codes.y))) * s) + metal::float4(m), (static_cast<metal::float4>(int4(as_type<packed_char4>(codes.z))) * s) + metal::float4(m), (static_cast<metal::float4>(int4(as_type<packed_char4>(codes.w))) * s) + metal::float4(m)}};
}

type_10 weight16_(
    Planes p_1,
    uint i_4,
    device type_5 const& codes_1,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_1, i_4 >> 1u, codes_1, _buffer_sizes);
    if ((i_4 & 1u) == 0u) {
        type_10 _e14 = half_block(_e4.lo, _e4.s.x, _e4.m.x);
        return _e14;
    }
    type_10 _e20 = half_block(_e4.hi, _e4.s.y, _e4.m.y);
    return _e20;
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
, device type_5 const& codes_1 [[user(fake0)]]
, device type_12& act [[user(fake0)]]
, constant Params& p_2 [[user(fake0)]]
, device type_12 const& vectors [[user(fake0)]]
, device type_15 const& x [[user(fake0)]]
, threadgroup type_16& tile_x
, threadgroup type_16& tile_w
, threadgroup type_17& spilled
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
    float y = {};
    uint e_2 = {};
    float y_1 = {};
    uint e_3 = {};
    float y_2 = {};
    uint e_4 = {};
    float y_3 = {};
    uint e_5 = {};
    float y_4 = {};
    uint e_6 = {};
    float y_5 = {};
    uint e_7 = {};
    float y_6 = {};
    uint e_8 = {};
    float y_7 = {};
    uint e_9 = {};
    float y_8 = {};
    uint e_10 = {};
    float y_9 = {};
    uint e_11 = {};
    float y_10 = {};
    uint e_12 = {};
    float y_11 = {};
    uint e_13 = {};
    float y_12 = {};
    uint e_14 = {};
    float y_13 = {};
    uint e_15 = {};
    float y_14 = {};
    uint e_16 = {};
    float y_15 = {};
    uint2 loop_bound = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        uint _e7 = part_at;
        uint _e12 = p_2.count;
        if ((_e7 + 1u) < _e12) {
            uint _e19 = part_at;
            uint _e26 = p_2.parts.inner[(_e19 + 1u) * 2u].x;
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
    metal::uint4 part = p_2.parts.inner[_e35 * 2u];
    uint _e42 = part_at;
    metal::uint4 at_1 = p_2.parts.inner[(_e42 * 2u) + 1u];
    Planes planes = Planes {at_1.x, at_1.y, at_1.z, at_1.w};
    uint t0_ = group.x * TILE_T;
    uint n0_ = (group.y - part.x) * TILE_N;
    uint sub_t = naga_div(subgroup, 2u) * SUB_T;
    uint sub_n = naga_mod(subgroup, 2u) * SUB_N;
    uint corner = (subgroup * SIDE) * SIDE;
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
    uint _e168 = p_2.depth;
    uint begin = (group.z * _e168) * 32u;
    uint _e174 = p_2.blocks;
    uint _e177 = p_2.blocks;
    uint _e183 = p_2.depth;
    uint _e188 = p_2.depth;
    uint end = ((_e188 > 0u) ? metal::min(_e177, (group.z + 1u) * _e183) : _e174) * 32u;
    uint u0_ = me + 0u;
    uint _e201 = p_2.blocks;
    uint x_at0_ = (((t0_ + naga_div(u0_, 4u)) * _e201) * 8u) + (naga_mod(u0_, 4u) * 2u);
    uint to_x0_ = naga_div((naga_div(u0_, 4u) * STRIDE) + (naga_mod(u0_, 4u) * 8u), 4u);
    uint u1_ = me + 128u;
    uint _e228 = p_2.blocks;
    uint x_at1_ = (((t0_ + naga_div(u1_, 4u)) * _e228) * 8u) + (naga_mod(u1_, 4u) * 2u);
    uint to_x1_ = naga_div((naga_div(u1_, 4u) * STRIDE) + (naga_mod(u1_, 4u) * 8u), 4u);
    uint v0_ = me + 0u;
    uint _e259 = p_2.blocks;
    uint w_at0_ = ((metal::min(n0_ + naga_div(v0_, 2u), part.y - 1u) * _e259) * 2u) + naga_mod(v0_, 2u);
    uint to_w0_ = naga_div((naga_div(v0_, 2u) * STRIDE) + (naga_mod(v0_, 2u) * 16u), 4u);
    k0_ = begin;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1109 = k0_;
            k0_ = _e1109 + TILE_K;
        }
        loop_init_1 = false;
        uint _e278 = k0_;
        if (_e278 < end) {
        } else {
            break;
        }
        {
            uint _e281 = k0_;
            metal::half4 xa0_ = x[x_at0_ + naga_div(_e281, 4u)];
            uint _e288 = k0_;
            metal::half4 xb0_ = x[(x_at0_ + naga_div(_e288, 4u)) + 1u];
            uint _e297 = k0_;
            metal::half4 xa1_ = x[x_at1_ + naga_div(_e297, 4u)];
            uint _e304 = k0_;
            metal::half4 xb1_ = x[(x_at1_ + naga_div(_e304, 4u)) + 1u];
            uint _e312 = k0_;
            type_10 _e316 = weight16_(planes, w_at0_ + naga_div(_e312, 16u), codes_1, _buffer_sizes);
            metal::half4 w0_0_ = static_cast<metal::half4>(_e316.inner[0]);
            metal::half4 w0_1_ = static_cast<metal::half4>(_e316.inner[1]);
            metal::half4 w0_2_ = static_cast<metal::half4>(_e316.inner[2]);
            metal::half4 w0_3_ = static_cast<metal::half4>(_e316.inner[3]);
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
            tile_w.inner[((to_w0_ + 0u) * 4u) + 0u] = w0_0_.x;
            tile_w.inner[((to_w0_ + 0u) * 4u) + 1u] = w0_0_.y;
            tile_w.inner[((to_w0_ + 0u) * 4u) + 2u] = w0_0_.z;
            tile_w.inner[((to_w0_ + 0u) * 4u) + 3u] = w0_0_.w;
            tile_w.inner[((to_w0_ + 1u) * 4u) + 0u] = w0_1_.x;
            tile_w.inner[((to_w0_ + 1u) * 4u) + 1u] = w0_1_.y;
            tile_w.inner[((to_w0_ + 1u) * 4u) + 2u] = w0_1_.z;
            tile_w.inner[((to_w0_ + 1u) * 4u) + 3u] = w0_1_.w;
            tile_w.inner[((to_w0_ + 2u) * 4u) + 0u] = w0_2_.x;
            tile_w.inner[((to_w0_ + 2u) * 4u) + 1u] = w0_2_.y;
            tile_w.inner[((to_w0_ + 2u) * 4u) + 2u] = w0_2_.z;
            tile_w.inner[((to_w0_ + 2u) * 4u) + 3u] = w0_2_.w;
            tile_w.inner[((to_w0_ + 3u) * 4u) + 0u] = w0_3_.x;
            tile_w.inner[((to_w0_ + 3u) * 4u) + 1u] = w0_3_.y;
            tile_w.inner[((to_w0_ + 3u) * 4u) + 2u] = w0_3_.z;
            tile_w.inner[((to_w0_ + 3u) * 4u) + 3u] = w0_3_.w;
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
            metal::simdgroup_float8x8 _e693 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e693);
            metal::simdgroup_float8x8 _e695 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e695);
            metal::simdgroup_float8x8 _e697 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e697);
            metal::simdgroup_float8x8 _e699 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e699);
            metal::simdgroup_float8x8 _e701 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e701);
            metal::simdgroup_float8x8 _e703 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e703);
            metal::simdgroup_float8x8 _e705 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e705);
            metal::simdgroup_float8x8 _e707 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e707);
            metal::simdgroup_float8x8 _e709 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e709);
            metal::simdgroup_float8x8 _e711 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e711);
            metal::simdgroup_float8x8 _e713 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e713);
            metal::simdgroup_float8x8 _e715 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e715);
            metal::simdgroup_float8x8 _e717 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e717);
            metal::simdgroup_float8x8 _e719 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e719);
            metal::simdgroup_float8x8 _e721 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e721);
            metal::simdgroup_float8x8 _e723 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e723);
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
            metal::simdgroup_float8x8 _e821 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e821);
            metal::simdgroup_float8x8 _e823 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e823);
            metal::simdgroup_float8x8 _e825 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e825);
            metal::simdgroup_float8x8 _e827 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e827);
            metal::simdgroup_float8x8 _e829 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e829);
            metal::simdgroup_float8x8 _e831 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e831);
            metal::simdgroup_float8x8 _e833 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e833);
            metal::simdgroup_float8x8 _e835 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e835);
            metal::simdgroup_float8x8 _e837 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e837);
            metal::simdgroup_float8x8 _e839 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e839);
            metal::simdgroup_float8x8 _e841 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e841);
            metal::simdgroup_float8x8 _e843 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e843);
            metal::simdgroup_float8x8 _e845 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e845);
            metal::simdgroup_float8x8 _e847 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e847);
            metal::simdgroup_float8x8 _e849 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e849);
            metal::simdgroup_float8x8 _e851 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e851);
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
            metal::simdgroup_float8x8 _e949 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a2_0_, b2_0_, _e949);
            metal::simdgroup_float8x8 _e951 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a2_0_, b2_1_, _e951);
            metal::simdgroup_float8x8 _e953 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a2_0_, b2_2_, _e953);
            metal::simdgroup_float8x8 _e955 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a2_0_, b2_3_, _e955);
            metal::simdgroup_float8x8 _e957 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a2_1_, b2_0_, _e957);
            metal::simdgroup_float8x8 _e959 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a2_1_, b2_1_, _e959);
            metal::simdgroup_float8x8 _e961 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a2_1_, b2_2_, _e961);
            metal::simdgroup_float8x8 _e963 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a2_1_, b2_3_, _e963);
            metal::simdgroup_float8x8 _e965 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a2_2_, b2_0_, _e965);
            metal::simdgroup_float8x8 _e967 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a2_2_, b2_1_, _e967);
            metal::simdgroup_float8x8 _e969 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a2_2_, b2_2_, _e969);
            metal::simdgroup_float8x8 _e971 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a2_2_, b2_3_, _e971);
            metal::simdgroup_float8x8 _e973 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a2_3_, b2_0_, _e973);
            metal::simdgroup_float8x8 _e975 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a2_3_, b2_1_, _e975);
            metal::simdgroup_float8x8 _e977 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a2_3_, b2_2_, _e977);
            metal::simdgroup_float8x8 _e979 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a2_3_, b2_3_, _e979);
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
            metal::simdgroup_float8x8 _e1077 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a3_0_, b3_0_, _e1077);
            metal::simdgroup_float8x8 _e1079 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a3_0_, b3_1_, _e1079);
            metal::simdgroup_float8x8 _e1081 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a3_0_, b3_2_, _e1081);
            metal::simdgroup_float8x8 _e1083 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a3_0_, b3_3_, _e1083);
            metal::simdgroup_float8x8 _e1085 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a3_1_, b3_0_, _e1085);
            metal::simdgroup_float8x8 _e1087 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a3_1_, b3_1_, _e1087);
            metal::simdgroup_float8x8 _e1089 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a3_1_, b3_2_, _e1089);
            metal::simdgroup_float8x8 _e1091 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a3_1_, b3_3_, _e1091);
            metal::simdgroup_float8x8 _e1093 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a3_2_, b3_0_, _e1093);
            metal::simdgroup_float8x8 _e1095 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a3_2_, b3_1_, _e1095);
            metal::simdgroup_float8x8 _e1097 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a3_2_, b3_2_, _e1097);
            metal::simdgroup_float8x8 _e1099 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a3_2_, b3_3_, _e1099);
            metal::simdgroup_float8x8 _e1101 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a3_3_, b3_0_, _e1101);
            metal::simdgroup_float8x8 _e1103 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a3_3_, b3_1_, _e1103);
            metal::simdgroup_float8x8 _e1105 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a3_3_, b3_2_, _e1105);
            metal::simdgroup_float8x8 _e1107 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a3_3_, b3_3_, _e1107);
        }
    }
    uint width = part.y;
    uint out = part.z + ((group.z * SPLIT_ROWS) * width);
    if ((n0_ + TILE_N) <= width) {
        local_1 = part.w == 0u;
    } else {
        local_1 = false;
    }
    bool _e1128 = local_1;
    if (_e1128) {
        uint o0_0_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1138 = c0_0_;
        simdgroup_store(_e1138, &act[o0_0_], width);
        uint o0_1_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1150 = c0_1_;
        simdgroup_store(_e1150, &act[o0_1_], width);
        uint o0_2_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1162 = c0_2_;
        simdgroup_store(_e1162, &act[o0_2_], width);
        uint o0_3_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1174 = c0_3_;
        simdgroup_store(_e1174, &act[o0_3_], width);
        uint o1_0_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1186 = c1_0_;
        simdgroup_store(_e1186, &act[o1_0_], width);
        uint o1_1_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1198 = c1_1_;
        simdgroup_store(_e1198, &act[o1_1_], width);
        uint o1_2_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1210 = c1_2_;
        simdgroup_store(_e1210, &act[o1_2_], width);
        uint o1_3_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1222 = c1_3_;
        simdgroup_store(_e1222, &act[o1_3_], width);
        uint o2_0_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1234 = c2_0_;
        simdgroup_store(_e1234, &act[o2_0_], width);
        uint o2_1_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1246 = c2_1_;
        simdgroup_store(_e1246, &act[o2_1_], width);
        uint o2_2_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1258 = c2_2_;
        simdgroup_store(_e1258, &act[o2_2_], width);
        uint o2_3_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1270 = c2_3_;
        simdgroup_store(_e1270, &act[o2_3_], width);
        uint o3_0_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1282 = c3_0_;
        simdgroup_store(_e1282, &act[o3_0_], width);
        uint o3_1_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1294 = c3_1_;
        simdgroup_store(_e1294, &act[o3_1_], width);
        uint o3_2_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1306 = c3_2_;
        simdgroup_store(_e1306, &act[o3_2_], width);
        uint o3_3_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1318 = c3_3_;
        simdgroup_store(_e1318, &act[o3_3_], width);
        return;
    } else {
        metal::simdgroup_float8x8 _e1321 = c0_0_;
        simdgroup_store(_e1321, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_1 = lane;
        uint2 loop_bound_3 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_3 == uint2(0u))) { break; }
            loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e1368 = e_1;
                e_1 = _e1368 + size;
            }
            loop_init_2 = false;
            uint _e1326 = e_1;
            if (_e1326 < 64u) {
            } else {
                break;
            }
            {
                uint _e1332 = e_1;
                uint n = ((n0_ + sub_n) + 0u) + naga_mod(_e1332, SIDE);
                if (n < width) {
                    uint _e1338 = e_1;
                    float _e1341 = spilled.inner[corner + _e1338];
                    y = _e1341;
                    if (part.w > 0u) {
                        float _e1346 = y;
                        float _e1353 = vectors[(part.w - 1u) + n];
                        y = _e1346 + _e1353;
                    }
                    uint _e1359 = e_1;
                    float _e1367 = y;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1359, SIDE)) * width)) + n] = _e1367;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1370 = c0_1_;
        simdgroup_store(_e1370, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_2 = lane;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_3 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_3) {
                uint _e1417 = e_2;
                e_2 = _e1417 + size;
            }
            loop_init_3 = false;
            uint _e1375 = e_2;
            if (_e1375 < 64u) {
            } else {
                break;
            }
            {
                uint _e1381 = e_2;
                uint n_1 = ((n0_ + sub_n) + 8u) + naga_mod(_e1381, SIDE);
                if (n_1 < width) {
                    uint _e1387 = e_2;
                    float _e1390 = spilled.inner[corner + _e1387];
                    y_1 = _e1390;
                    if (part.w > 0u) {
                        float _e1395 = y_1;
                        float _e1402 = vectors[(part.w - 1u) + n_1];
                        y_1 = _e1395 + _e1402;
                    }
                    uint _e1408 = e_2;
                    float _e1416 = y_1;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1408, SIDE)) * width)) + n_1] = _e1416;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1419 = c0_2_;
        simdgroup_store(_e1419, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = lane;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e1466 = e_3;
                e_3 = _e1466 + size;
            }
            loop_init_4 = false;
            uint _e1424 = e_3;
            if (_e1424 < 64u) {
            } else {
                break;
            }
            {
                uint _e1430 = e_3;
                uint n_2 = ((n0_ + sub_n) + 16u) + naga_mod(_e1430, SIDE);
                if (n_2 < width) {
                    uint _e1436 = e_3;
                    float _e1439 = spilled.inner[corner + _e1436];
                    y_2 = _e1439;
                    if (part.w > 0u) {
                        float _e1444 = y_2;
                        float _e1451 = vectors[(part.w - 1u) + n_2];
                        y_2 = _e1444 + _e1451;
                    }
                    uint _e1457 = e_3;
                    float _e1465 = y_2;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1457, SIDE)) * width)) + n_2] = _e1465;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1468 = c0_3_;
        simdgroup_store(_e1468, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_4 = lane;
        uint2 loop_bound_6 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_6 == uint2(0u))) { break; }
            loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e1515 = e_4;
                e_4 = _e1515 + size;
            }
            loop_init_5 = false;
            uint _e1473 = e_4;
            if (_e1473 < 64u) {
            } else {
                break;
            }
            {
                uint _e1479 = e_4;
                uint n_3 = ((n0_ + sub_n) + 24u) + naga_mod(_e1479, SIDE);
                if (n_3 < width) {
                    uint _e1485 = e_4;
                    float _e1488 = spilled.inner[corner + _e1485];
                    y_3 = _e1488;
                    if (part.w > 0u) {
                        float _e1493 = y_3;
                        float _e1500 = vectors[(part.w - 1u) + n_3];
                        y_3 = _e1493 + _e1500;
                    }
                    uint _e1506 = e_4;
                    float _e1514 = y_3;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1506, SIDE)) * width)) + n_3] = _e1514;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1517 = c1_0_;
        simdgroup_store(_e1517, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_5 = lane;
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_6 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_6) {
                uint _e1564 = e_5;
                e_5 = _e1564 + size;
            }
            loop_init_6 = false;
            uint _e1522 = e_5;
            if (_e1522 < 64u) {
            } else {
                break;
            }
            {
                uint _e1528 = e_5;
                uint n_4 = ((n0_ + sub_n) + 0u) + naga_mod(_e1528, SIDE);
                if (n_4 < width) {
                    uint _e1534 = e_5;
                    float _e1537 = spilled.inner[corner + _e1534];
                    y_4 = _e1537;
                    if (part.w > 0u) {
                        float _e1542 = y_4;
                        float _e1549 = vectors[(part.w - 1u) + n_4];
                        y_4 = _e1542 + _e1549;
                    }
                    uint _e1555 = e_5;
                    float _e1563 = y_4;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1555, SIDE)) * width)) + n_4] = _e1563;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1566 = c1_1_;
        simdgroup_store(_e1566, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_6 = lane;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e1613 = e_6;
                e_6 = _e1613 + size;
            }
            loop_init_7 = false;
            uint _e1571 = e_6;
            if (_e1571 < 64u) {
            } else {
                break;
            }
            {
                uint _e1577 = e_6;
                uint n_5 = ((n0_ + sub_n) + 8u) + naga_mod(_e1577, SIDE);
                if (n_5 < width) {
                    uint _e1583 = e_6;
                    float _e1586 = spilled.inner[corner + _e1583];
                    y_5 = _e1586;
                    if (part.w > 0u) {
                        float _e1591 = y_5;
                        float _e1598 = vectors[(part.w - 1u) + n_5];
                        y_5 = _e1591 + _e1598;
                    }
                    uint _e1604 = e_6;
                    float _e1612 = y_5;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1604, SIDE)) * width)) + n_5] = _e1612;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1615 = c1_2_;
        simdgroup_store(_e1615, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_7 = lane;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e1662 = e_7;
                e_7 = _e1662 + size;
            }
            loop_init_8 = false;
            uint _e1620 = e_7;
            if (_e1620 < 64u) {
            } else {
                break;
            }
            {
                uint _e1626 = e_7;
                uint n_6 = ((n0_ + sub_n) + 16u) + naga_mod(_e1626, SIDE);
                if (n_6 < width) {
                    uint _e1632 = e_7;
                    float _e1635 = spilled.inner[corner + _e1632];
                    y_6 = _e1635;
                    if (part.w > 0u) {
                        float _e1640 = y_6;
                        float _e1647 = vectors[(part.w - 1u) + n_6];
                        y_6 = _e1640 + _e1647;
                    }
                    uint _e1653 = e_7;
                    float _e1661 = y_6;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1653, SIDE)) * width)) + n_6] = _e1661;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1664 = c1_3_;
        simdgroup_store(_e1664, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_8 = lane;
        uint2 loop_bound_10 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_10 == uint2(0u))) { break; }
            loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e1711 = e_8;
                e_8 = _e1711 + size;
            }
            loop_init_9 = false;
            uint _e1669 = e_8;
            if (_e1669 < 64u) {
            } else {
                break;
            }
            {
                uint _e1675 = e_8;
                uint n_7 = ((n0_ + sub_n) + 24u) + naga_mod(_e1675, SIDE);
                if (n_7 < width) {
                    uint _e1681 = e_8;
                    float _e1684 = spilled.inner[corner + _e1681];
                    y_7 = _e1684;
                    if (part.w > 0u) {
                        float _e1689 = y_7;
                        float _e1696 = vectors[(part.w - 1u) + n_7];
                        y_7 = _e1689 + _e1696;
                    }
                    uint _e1702 = e_8;
                    float _e1710 = y_7;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1702, SIDE)) * width)) + n_7] = _e1710;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1713 = c2_0_;
        simdgroup_store(_e1713, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_9 = lane;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_10 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_10) {
                uint _e1760 = e_9;
                e_9 = _e1760 + size;
            }
            loop_init_10 = false;
            uint _e1718 = e_9;
            if (_e1718 < 64u) {
            } else {
                break;
            }
            {
                uint _e1724 = e_9;
                uint n_8 = ((n0_ + sub_n) + 0u) + naga_mod(_e1724, SIDE);
                if (n_8 < width) {
                    uint _e1730 = e_9;
                    float _e1733 = spilled.inner[corner + _e1730];
                    y_8 = _e1733;
                    if (part.w > 0u) {
                        float _e1738 = y_8;
                        float _e1745 = vectors[(part.w - 1u) + n_8];
                        y_8 = _e1738 + _e1745;
                    }
                    uint _e1751 = e_9;
                    float _e1759 = y_8;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1751, SIDE)) * width)) + n_8] = _e1759;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1762 = c2_1_;
        simdgroup_store(_e1762, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_10 = lane;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1809 = e_10;
                e_10 = _e1809 + size;
            }
            loop_init_11 = false;
            uint _e1767 = e_10;
            if (_e1767 < 64u) {
            } else {
                break;
            }
            {
                uint _e1773 = e_10;
                uint n_9 = ((n0_ + sub_n) + 8u) + naga_mod(_e1773, SIDE);
                if (n_9 < width) {
                    uint _e1779 = e_10;
                    float _e1782 = spilled.inner[corner + _e1779];
                    y_9 = _e1782;
                    if (part.w > 0u) {
                        float _e1787 = y_9;
                        float _e1794 = vectors[(part.w - 1u) + n_9];
                        y_9 = _e1787 + _e1794;
                    }
                    uint _e1800 = e_10;
                    float _e1808 = y_9;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1800, SIDE)) * width)) + n_9] = _e1808;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1811 = c2_2_;
        simdgroup_store(_e1811, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_11 = lane;
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1858 = e_11;
                e_11 = _e1858 + size;
            }
            loop_init_12 = false;
            uint _e1816 = e_11;
            if (_e1816 < 64u) {
            } else {
                break;
            }
            {
                uint _e1822 = e_11;
                uint n_10 = ((n0_ + sub_n) + 16u) + naga_mod(_e1822, SIDE);
                if (n_10 < width) {
                    uint _e1828 = e_11;
                    float _e1831 = spilled.inner[corner + _e1828];
                    y_10 = _e1831;
                    if (part.w > 0u) {
                        float _e1836 = y_10;
                        float _e1843 = vectors[(part.w - 1u) + n_10];
                        y_10 = _e1836 + _e1843;
                    }
                    uint _e1849 = e_11;
                    float _e1857 = y_10;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1849, SIDE)) * width)) + n_10] = _e1857;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1860 = c2_3_;
        simdgroup_store(_e1860, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_12 = lane;
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1907 = e_12;
                e_12 = _e1907 + size;
            }
            loop_init_13 = false;
            uint _e1865 = e_12;
            if (_e1865 < 64u) {
            } else {
                break;
            }
            {
                uint _e1871 = e_12;
                uint n_11 = ((n0_ + sub_n) + 24u) + naga_mod(_e1871, SIDE);
                if (n_11 < width) {
                    uint _e1877 = e_12;
                    float _e1880 = spilled.inner[corner + _e1877];
                    y_11 = _e1880;
                    if (part.w > 0u) {
                        float _e1885 = y_11;
                        float _e1892 = vectors[(part.w - 1u) + n_11];
                        y_11 = _e1885 + _e1892;
                    }
                    uint _e1898 = e_12;
                    float _e1906 = y_11;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1898, SIDE)) * width)) + n_11] = _e1906;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1909 = c3_0_;
        simdgroup_store(_e1909, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_13 = lane;
        uint2 loop_bound_15 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_15 == uint2(0u))) { break; }
            loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1956 = e_13;
                e_13 = _e1956 + size;
            }
            loop_init_14 = false;
            uint _e1914 = e_13;
            if (_e1914 < 64u) {
            } else {
                break;
            }
            {
                uint _e1920 = e_13;
                uint n_12 = ((n0_ + sub_n) + 0u) + naga_mod(_e1920, SIDE);
                if (n_12 < width) {
                    uint _e1926 = e_13;
                    float _e1929 = spilled.inner[corner + _e1926];
                    y_12 = _e1929;
                    if (part.w > 0u) {
                        float _e1934 = y_12;
                        float _e1941 = vectors[(part.w - 1u) + n_12];
                        y_12 = _e1934 + _e1941;
                    }
                    uint _e1947 = e_13;
                    float _e1955 = y_12;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e1947, SIDE)) * width)) + n_12] = _e1955;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1958 = c3_1_;
        simdgroup_store(_e1958, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_14 = lane;
        uint2 loop_bound_16 = uint2(4294967295u);
        bool loop_init_15 = true;
        while(true) {
            if (metal::all(loop_bound_16 == uint2(0u))) { break; }
            loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
            if (!loop_init_15) {
                uint _e2005 = e_14;
                e_14 = _e2005 + size;
            }
            loop_init_15 = false;
            uint _e1963 = e_14;
            if (_e1963 < 64u) {
            } else {
                break;
            }
            {
                uint _e1969 = e_14;
                uint n_13 = ((n0_ + sub_n) + 8u) + naga_mod(_e1969, SIDE);
                if (n_13 < width) {
                    uint _e1975 = e_14;
                    float _e1978 = spilled.inner[corner + _e1975];
                    y_13 = _e1978;
                    if (part.w > 0u) {
                        float _e1983 = y_13;
                        float _e1990 = vectors[(part.w - 1u) + n_13];
                        y_13 = _e1983 + _e1990;
                    }
                    uint _e1996 = e_14;
                    float _e2004 = y_13;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e1996, SIDE)) * width)) + n_13] = _e2004;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e2007 = c3_2_;
        simdgroup_store(_e2007, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_15 = lane;
        uint2 loop_bound_17 = uint2(4294967295u);
        bool loop_init_16 = true;
        while(true) {
            if (metal::all(loop_bound_17 == uint2(0u))) { break; }
            loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
            if (!loop_init_16) {
                uint _e2054 = e_15;
                e_15 = _e2054 + size;
            }
            loop_init_16 = false;
            uint _e2012 = e_15;
            if (_e2012 < 64u) {
            } else {
                break;
            }
            {
                uint _e2018 = e_15;
                uint n_14 = ((n0_ + sub_n) + 16u) + naga_mod(_e2018, SIDE);
                if (n_14 < width) {
                    uint _e2024 = e_15;
                    float _e2027 = spilled.inner[corner + _e2024];
                    y_14 = _e2027;
                    if (part.w > 0u) {
                        float _e2032 = y_14;
                        float _e2039 = vectors[(part.w - 1u) + n_14];
                        y_14 = _e2032 + _e2039;
                    }
                    uint _e2045 = e_15;
                    float _e2053 = y_14;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e2045, SIDE)) * width)) + n_14] = _e2053;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e2056 = c3_3_;
        simdgroup_store(_e2056, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_16 = lane;
        uint2 loop_bound_18 = uint2(4294967295u);
        bool loop_init_17 = true;
        while(true) {
            if (metal::all(loop_bound_18 == uint2(0u))) { break; }
            loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
            if (!loop_init_17) {
                uint _e2103 = e_16;
                e_16 = _e2103 + size;
            }
            loop_init_17 = false;
            uint _e2061 = e_16;
            if (_e2061 < 64u) {
            } else {
                break;
            }
            {
                uint _e2067 = e_16;
                uint n_15 = ((n0_ + sub_n) + 24u) + naga_mod(_e2067, SIDE);
                if (n_15 < width) {
                    uint _e2073 = e_16;
                    float _e2076 = spilled.inner[corner + _e2073];
                    y_15 = _e2076;
                    if (part.w > 0u) {
                        float _e2081 = y_15;
                        float _e2088 = vectors[(part.w - 1u) + n_15];
                        y_15 = _e2081 + _e2088;
                    }
                    uint _e2094 = e_16;
                    float _e2102 = y_15;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e2094, SIDE)) * width)) + n_15] = _e2102;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    }
}
