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
    k0_ = begin;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1161 = k0_;
            k0_ = _e1161 + TILE_K;
        }
        loop_init_1 = false;
        uint _e195 = k0_;
        if (_e195 < end) {
        } else {
            break;
        }
        {
            uint u0_ = me + 0u;
            uint _e205 = p_2.blocks;
            uint _e209 = k0_;
            metal::half4 xa0_ = x[naga_div((((t0_ + naga_div(u0_, 4u)) * _e205) * 32u) + _e209, 4u) + (naga_mod(u0_, 4u) * 2u)];
            uint _e226 = p_2.blocks;
            uint _e230 = k0_;
            metal::half4 xb0_ = x[(naga_div((((t0_ + naga_div(u0_, 4u)) * _e226) * 32u) + _e230, 4u) + (naga_mod(u0_, 4u) * 2u)) + 1u];
            uint u1_ = me + 128u;
            uint _e251 = p_2.blocks;
            uint _e255 = k0_;
            metal::half4 xa1_ = x[naga_div((((t0_ + naga_div(u1_, 4u)) * _e251) * 32u) + _e255, 4u) + (naga_mod(u1_, 4u) * 2u)];
            uint _e272 = p_2.blocks;
            uint _e276 = k0_;
            metal::half4 xb1_ = x[(naga_div((((t0_ + naga_div(u1_, 4u)) * _e272) * 32u) + _e276, 4u) + (naga_mod(u1_, 4u) * 2u)) + 1u];
            uint v0_ = me + 0u;
            uint _e300 = p_2.blocks;
            uint _e304 = k0_;
            type_10 _e311 = weight16_(planes, (((metal::min(n0_ + naga_div(v0_, 2u), part.y - 1u) * _e300) * 2u) + naga_div(_e304, 16u)) + naga_mod(v0_, 2u), codes_1, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint to_x0_ = naga_div((naga_div(u0_, 4u) * STRIDE) + (naga_mod(u0_, 4u) * 8u), 4u);
            tile_x.inner[(to_x0_ * 4u) + 0u] = xa0_.x;
            tile_x.inner[((to_x0_ * 4u) + 4u) + 0u] = xb0_.x;
            tile_x.inner[(to_x0_ * 4u) + 1u] = xa0_.y;
            tile_x.inner[((to_x0_ * 4u) + 4u) + 1u] = xb0_.y;
            tile_x.inner[(to_x0_ * 4u) + 2u] = xa0_.z;
            tile_x.inner[((to_x0_ * 4u) + 4u) + 2u] = xb0_.z;
            tile_x.inner[(to_x0_ * 4u) + 3u] = xa0_.w;
            tile_x.inner[((to_x0_ * 4u) + 4u) + 3u] = xb0_.w;
            uint to_x1_ = naga_div((naga_div(u1_, 4u) * STRIDE) + (naga_mod(u1_, 4u) * 8u), 4u);
            tile_x.inner[(to_x1_ * 4u) + 0u] = xa1_.x;
            tile_x.inner[((to_x1_ * 4u) + 4u) + 0u] = xb1_.x;
            tile_x.inner[(to_x1_ * 4u) + 1u] = xa1_.y;
            tile_x.inner[((to_x1_ * 4u) + 4u) + 1u] = xb1_.y;
            tile_x.inner[(to_x1_ * 4u) + 2u] = xa1_.z;
            tile_x.inner[((to_x1_ * 4u) + 4u) + 2u] = xb1_.z;
            tile_x.inner[(to_x1_ * 4u) + 3u] = xa1_.w;
            tile_x.inner[((to_x1_ * 4u) + 4u) + 3u] = xb1_.w;
            uint to_w0_ = naga_div((naga_div(v0_, 2u) * STRIDE) + (naga_mod(v0_, 2u) * 16u), 4u);
            tile_w.inner[((to_w0_ + 0u) * 4u) + 0u] = static_cast<half>(_e311.inner[0].x);
            tile_w.inner[((to_w0_ + 0u) * 4u) + 1u] = static_cast<half>(_e311.inner[0].y);
            tile_w.inner[((to_w0_ + 0u) * 4u) + 2u] = static_cast<half>(_e311.inner[0].z);
            tile_w.inner[((to_w0_ + 0u) * 4u) + 3u] = static_cast<half>(_e311.inner[0].w);
            tile_w.inner[((to_w0_ + 1u) * 4u) + 0u] = static_cast<half>(_e311.inner[1].x);
            tile_w.inner[((to_w0_ + 1u) * 4u) + 1u] = static_cast<half>(_e311.inner[1].y);
            tile_w.inner[((to_w0_ + 1u) * 4u) + 2u] = static_cast<half>(_e311.inner[1].z);
            tile_w.inner[((to_w0_ + 1u) * 4u) + 3u] = static_cast<half>(_e311.inner[1].w);
            tile_w.inner[((to_w0_ + 2u) * 4u) + 0u] = static_cast<half>(_e311.inner[2].x);
            tile_w.inner[((to_w0_ + 2u) * 4u) + 1u] = static_cast<half>(_e311.inner[2].y);
            tile_w.inner[((to_w0_ + 2u) * 4u) + 2u] = static_cast<half>(_e311.inner[2].z);
            tile_w.inner[((to_w0_ + 2u) * 4u) + 3u] = static_cast<half>(_e311.inner[2].w);
            tile_w.inner[((to_w0_ + 3u) * 4u) + 0u] = static_cast<half>(_e311.inner[3].x);
            tile_w.inner[((to_w0_ + 3u) * 4u) + 1u] = static_cast<half>(_e311.inner[3].y);
            tile_w.inner[((to_w0_ + 3u) * 4u) + 2u] = static_cast<half>(_e311.inner[3].z);
            tile_w.inner[((to_w0_ + 3u) * 4u) + 3u] = static_cast<half>(_e311.inner[3].w);
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
            metal::simdgroup_float8x8 _e745 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e745);
            metal::simdgroup_float8x8 _e747 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e747);
            metal::simdgroup_float8x8 _e749 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e749);
            metal::simdgroup_float8x8 _e751 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e751);
            metal::simdgroup_float8x8 _e753 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e753);
            metal::simdgroup_float8x8 _e755 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e755);
            metal::simdgroup_float8x8 _e757 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e757);
            metal::simdgroup_float8x8 _e759 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e759);
            metal::simdgroup_float8x8 _e761 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e761);
            metal::simdgroup_float8x8 _e763 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e763);
            metal::simdgroup_float8x8 _e765 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e765);
            metal::simdgroup_float8x8 _e767 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e767);
            metal::simdgroup_float8x8 _e769 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e769);
            metal::simdgroup_float8x8 _e771 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e771);
            metal::simdgroup_float8x8 _e773 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e773);
            metal::simdgroup_float8x8 _e775 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e775);
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
            metal::simdgroup_float8x8 _e873 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e873);
            metal::simdgroup_float8x8 _e875 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e875);
            metal::simdgroup_float8x8 _e877 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e877);
            metal::simdgroup_float8x8 _e879 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e879);
            metal::simdgroup_float8x8 _e881 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e881);
            metal::simdgroup_float8x8 _e883 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e883);
            metal::simdgroup_float8x8 _e885 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e885);
            metal::simdgroup_float8x8 _e887 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e887);
            metal::simdgroup_float8x8 _e889 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e889);
            metal::simdgroup_float8x8 _e891 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e891);
            metal::simdgroup_float8x8 _e893 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e893);
            metal::simdgroup_float8x8 _e895 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e895);
            metal::simdgroup_float8x8 _e897 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e897);
            metal::simdgroup_float8x8 _e899 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e899);
            metal::simdgroup_float8x8 _e901 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e901);
            metal::simdgroup_float8x8 _e903 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e903);
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
            metal::simdgroup_float8x8 _e1001 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a2_0_, b2_0_, _e1001);
            metal::simdgroup_float8x8 _e1003 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a2_0_, b2_1_, _e1003);
            metal::simdgroup_float8x8 _e1005 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a2_0_, b2_2_, _e1005);
            metal::simdgroup_float8x8 _e1007 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a2_0_, b2_3_, _e1007);
            metal::simdgroup_float8x8 _e1009 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a2_1_, b2_0_, _e1009);
            metal::simdgroup_float8x8 _e1011 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a2_1_, b2_1_, _e1011);
            metal::simdgroup_float8x8 _e1013 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a2_1_, b2_2_, _e1013);
            metal::simdgroup_float8x8 _e1015 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a2_1_, b2_3_, _e1015);
            metal::simdgroup_float8x8 _e1017 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a2_2_, b2_0_, _e1017);
            metal::simdgroup_float8x8 _e1019 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a2_2_, b2_1_, _e1019);
            metal::simdgroup_float8x8 _e1021 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a2_2_, b2_2_, _e1021);
            metal::simdgroup_float8x8 _e1023 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a2_2_, b2_3_, _e1023);
            metal::simdgroup_float8x8 _e1025 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a2_3_, b2_0_, _e1025);
            metal::simdgroup_float8x8 _e1027 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a2_3_, b2_1_, _e1027);
            metal::simdgroup_float8x8 _e1029 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a2_3_, b2_2_, _e1029);
            metal::simdgroup_float8x8 _e1031 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a2_3_, b2_3_, _e1031);
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
            metal::simdgroup_float8x8 _e1129 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a3_0_, b3_0_, _e1129);
            metal::simdgroup_float8x8 _e1131 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a3_0_, b3_1_, _e1131);
            metal::simdgroup_float8x8 _e1133 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a3_0_, b3_2_, _e1133);
            metal::simdgroup_float8x8 _e1135 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a3_0_, b3_3_, _e1135);
            metal::simdgroup_float8x8 _e1137 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a3_1_, b3_0_, _e1137);
            metal::simdgroup_float8x8 _e1139 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a3_1_, b3_1_, _e1139);
            metal::simdgroup_float8x8 _e1141 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a3_1_, b3_2_, _e1141);
            metal::simdgroup_float8x8 _e1143 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a3_1_, b3_3_, _e1143);
            metal::simdgroup_float8x8 _e1145 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a3_2_, b3_0_, _e1145);
            metal::simdgroup_float8x8 _e1147 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a3_2_, b3_1_, _e1147);
            metal::simdgroup_float8x8 _e1149 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a3_2_, b3_2_, _e1149);
            metal::simdgroup_float8x8 _e1151 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a3_2_, b3_3_, _e1151);
            metal::simdgroup_float8x8 _e1153 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a3_3_, b3_0_, _e1153);
            metal::simdgroup_float8x8 _e1155 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a3_3_, b3_1_, _e1155);
            metal::simdgroup_float8x8 _e1157 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a3_3_, b3_2_, _e1157);
            metal::simdgroup_float8x8 _e1159 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a3_3_, b3_3_, _e1159);
        }
    }
    uint width = part.y;
    uint out = part.z + ((group.z * SPLIT_ROWS) * width);
    if ((n0_ + TILE_N) <= width) {
        local_1 = part.w == 0u;
    } else {
        local_1 = false;
    }
    bool _e1180 = local_1;
    if (_e1180) {
        uint o0_0_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1190 = c0_0_;
        simdgroup_store(_e1190, &act[o0_0_], width);
        uint o0_1_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1202 = c0_1_;
        simdgroup_store(_e1202, &act[o0_1_], width);
        uint o0_2_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1214 = c0_2_;
        simdgroup_store(_e1214, &act[o0_2_], width);
        uint o0_3_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1226 = c0_3_;
        simdgroup_store(_e1226, &act[o0_3_], width);
        uint o1_0_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1238 = c1_0_;
        simdgroup_store(_e1238, &act[o1_0_], width);
        uint o1_1_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1250 = c1_1_;
        simdgroup_store(_e1250, &act[o1_1_], width);
        uint o1_2_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1262 = c1_2_;
        simdgroup_store(_e1262, &act[o1_2_], width);
        uint o1_3_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1274 = c1_3_;
        simdgroup_store(_e1274, &act[o1_3_], width);
        uint o2_0_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1286 = c2_0_;
        simdgroup_store(_e1286, &act[o2_0_], width);
        uint o2_1_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1298 = c2_1_;
        simdgroup_store(_e1298, &act[o2_1_], width);
        uint o2_2_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1310 = c2_2_;
        simdgroup_store(_e1310, &act[o2_2_], width);
        uint o2_3_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1322 = c2_3_;
        simdgroup_store(_e1322, &act[o2_3_], width);
        uint o3_0_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1334 = c3_0_;
        simdgroup_store(_e1334, &act[o3_0_], width);
        uint o3_1_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1346 = c3_1_;
        simdgroup_store(_e1346, &act[o3_1_], width);
        uint o3_2_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1358 = c3_2_;
        simdgroup_store(_e1358, &act[o3_2_], width);
        uint o3_3_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1370 = c3_3_;
        simdgroup_store(_e1370, &act[o3_3_], width);
        return;
    } else {
        metal::simdgroup_float8x8 _e1373 = c0_0_;
        simdgroup_store(_e1373, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_1 = lane;
        uint2 loop_bound_3 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_3 == uint2(0u))) { break; }
            loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e1420 = e_1;
                e_1 = _e1420 + size;
            }
            loop_init_2 = false;
            uint _e1378 = e_1;
            if (_e1378 < 64u) {
            } else {
                break;
            }
            {
                uint _e1384 = e_1;
                uint n = ((n0_ + sub_n) + 0u) + naga_mod(_e1384, SIDE);
                if (n < width) {
                    uint _e1390 = e_1;
                    float _e1393 = spilled.inner[corner + _e1390];
                    y = _e1393;
                    if (part.w > 0u) {
                        float _e1398 = y;
                        float _e1405 = vectors[(part.w - 1u) + n];
                        y = _e1398 + _e1405;
                    }
                    uint _e1411 = e_1;
                    float _e1419 = y;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1411, SIDE)) * width)) + n] = _e1419;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1422 = c0_1_;
        simdgroup_store(_e1422, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_2 = lane;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_3 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_3) {
                uint _e1469 = e_2;
                e_2 = _e1469 + size;
            }
            loop_init_3 = false;
            uint _e1427 = e_2;
            if (_e1427 < 64u) {
            } else {
                break;
            }
            {
                uint _e1433 = e_2;
                uint n_1 = ((n0_ + sub_n) + 8u) + naga_mod(_e1433, SIDE);
                if (n_1 < width) {
                    uint _e1439 = e_2;
                    float _e1442 = spilled.inner[corner + _e1439];
                    y_1 = _e1442;
                    if (part.w > 0u) {
                        float _e1447 = y_1;
                        float _e1454 = vectors[(part.w - 1u) + n_1];
                        y_1 = _e1447 + _e1454;
                    }
                    uint _e1460 = e_2;
                    float _e1468 = y_1;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1460, SIDE)) * width)) + n_1] = _e1468;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1471 = c0_2_;
        simdgroup_store(_e1471, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = lane;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e1518 = e_3;
                e_3 = _e1518 + size;
            }
            loop_init_4 = false;
            uint _e1476 = e_3;
            if (_e1476 < 64u) {
            } else {
                break;
            }
            {
                uint _e1482 = e_3;
                uint n_2 = ((n0_ + sub_n) + 16u) + naga_mod(_e1482, SIDE);
                if (n_2 < width) {
                    uint _e1488 = e_3;
                    float _e1491 = spilled.inner[corner + _e1488];
                    y_2 = _e1491;
                    if (part.w > 0u) {
                        float _e1496 = y_2;
                        float _e1503 = vectors[(part.w - 1u) + n_2];
                        y_2 = _e1496 + _e1503;
                    }
                    uint _e1509 = e_3;
                    float _e1517 = y_2;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1509, SIDE)) * width)) + n_2] = _e1517;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1520 = c0_3_;
        simdgroup_store(_e1520, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_4 = lane;
        uint2 loop_bound_6 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_6 == uint2(0u))) { break; }
            loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e1567 = e_4;
                e_4 = _e1567 + size;
            }
            loop_init_5 = false;
            uint _e1525 = e_4;
            if (_e1525 < 64u) {
            } else {
                break;
            }
            {
                uint _e1531 = e_4;
                uint n_3 = ((n0_ + sub_n) + 24u) + naga_mod(_e1531, SIDE);
                if (n_3 < width) {
                    uint _e1537 = e_4;
                    float _e1540 = spilled.inner[corner + _e1537];
                    y_3 = _e1540;
                    if (part.w > 0u) {
                        float _e1545 = y_3;
                        float _e1552 = vectors[(part.w - 1u) + n_3];
                        y_3 = _e1545 + _e1552;
                    }
                    uint _e1558 = e_4;
                    float _e1566 = y_3;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1558, SIDE)) * width)) + n_3] = _e1566;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1569 = c1_0_;
        simdgroup_store(_e1569, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_5 = lane;
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_6 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_6) {
                uint _e1616 = e_5;
                e_5 = _e1616 + size;
            }
            loop_init_6 = false;
            uint _e1574 = e_5;
            if (_e1574 < 64u) {
            } else {
                break;
            }
            {
                uint _e1580 = e_5;
                uint n_4 = ((n0_ + sub_n) + 0u) + naga_mod(_e1580, SIDE);
                if (n_4 < width) {
                    uint _e1586 = e_5;
                    float _e1589 = spilled.inner[corner + _e1586];
                    y_4 = _e1589;
                    if (part.w > 0u) {
                        float _e1594 = y_4;
                        float _e1601 = vectors[(part.w - 1u) + n_4];
                        y_4 = _e1594 + _e1601;
                    }
                    uint _e1607 = e_5;
                    float _e1615 = y_4;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1607, SIDE)) * width)) + n_4] = _e1615;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1618 = c1_1_;
        simdgroup_store(_e1618, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_6 = lane;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e1665 = e_6;
                e_6 = _e1665 + size;
            }
            loop_init_7 = false;
            uint _e1623 = e_6;
            if (_e1623 < 64u) {
            } else {
                break;
            }
            {
                uint _e1629 = e_6;
                uint n_5 = ((n0_ + sub_n) + 8u) + naga_mod(_e1629, SIDE);
                if (n_5 < width) {
                    uint _e1635 = e_6;
                    float _e1638 = spilled.inner[corner + _e1635];
                    y_5 = _e1638;
                    if (part.w > 0u) {
                        float _e1643 = y_5;
                        float _e1650 = vectors[(part.w - 1u) + n_5];
                        y_5 = _e1643 + _e1650;
                    }
                    uint _e1656 = e_6;
                    float _e1664 = y_5;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1656, SIDE)) * width)) + n_5] = _e1664;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1667 = c1_2_;
        simdgroup_store(_e1667, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_7 = lane;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e1714 = e_7;
                e_7 = _e1714 + size;
            }
            loop_init_8 = false;
            uint _e1672 = e_7;
            if (_e1672 < 64u) {
            } else {
                break;
            }
            {
                uint _e1678 = e_7;
                uint n_6 = ((n0_ + sub_n) + 16u) + naga_mod(_e1678, SIDE);
                if (n_6 < width) {
                    uint _e1684 = e_7;
                    float _e1687 = spilled.inner[corner + _e1684];
                    y_6 = _e1687;
                    if (part.w > 0u) {
                        float _e1692 = y_6;
                        float _e1699 = vectors[(part.w - 1u) + n_6];
                        y_6 = _e1692 + _e1699;
                    }
                    uint _e1705 = e_7;
                    float _e1713 = y_6;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1705, SIDE)) * width)) + n_6] = _e1713;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1716 = c1_3_;
        simdgroup_store(_e1716, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_8 = lane;
        uint2 loop_bound_10 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_10 == uint2(0u))) { break; }
            loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e1763 = e_8;
                e_8 = _e1763 + size;
            }
            loop_init_9 = false;
            uint _e1721 = e_8;
            if (_e1721 < 64u) {
            } else {
                break;
            }
            {
                uint _e1727 = e_8;
                uint n_7 = ((n0_ + sub_n) + 24u) + naga_mod(_e1727, SIDE);
                if (n_7 < width) {
                    uint _e1733 = e_8;
                    float _e1736 = spilled.inner[corner + _e1733];
                    y_7 = _e1736;
                    if (part.w > 0u) {
                        float _e1741 = y_7;
                        float _e1748 = vectors[(part.w - 1u) + n_7];
                        y_7 = _e1741 + _e1748;
                    }
                    uint _e1754 = e_8;
                    float _e1762 = y_7;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1754, SIDE)) * width)) + n_7] = _e1762;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1765 = c2_0_;
        simdgroup_store(_e1765, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_9 = lane;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_10 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_10) {
                uint _e1812 = e_9;
                e_9 = _e1812 + size;
            }
            loop_init_10 = false;
            uint _e1770 = e_9;
            if (_e1770 < 64u) {
            } else {
                break;
            }
            {
                uint _e1776 = e_9;
                uint n_8 = ((n0_ + sub_n) + 0u) + naga_mod(_e1776, SIDE);
                if (n_8 < width) {
                    uint _e1782 = e_9;
                    float _e1785 = spilled.inner[corner + _e1782];
                    y_8 = _e1785;
                    if (part.w > 0u) {
                        float _e1790 = y_8;
                        float _e1797 = vectors[(part.w - 1u) + n_8];
                        y_8 = _e1790 + _e1797;
                    }
                    uint _e1803 = e_9;
                    float _e1811 = y_8;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1803, SIDE)) * width)) + n_8] = _e1811;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1814 = c2_1_;
        simdgroup_store(_e1814, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_10 = lane;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1861 = e_10;
                e_10 = _e1861 + size;
            }
            loop_init_11 = false;
            uint _e1819 = e_10;
            if (_e1819 < 64u) {
            } else {
                break;
            }
            {
                uint _e1825 = e_10;
                uint n_9 = ((n0_ + sub_n) + 8u) + naga_mod(_e1825, SIDE);
                if (n_9 < width) {
                    uint _e1831 = e_10;
                    float _e1834 = spilled.inner[corner + _e1831];
                    y_9 = _e1834;
                    if (part.w > 0u) {
                        float _e1839 = y_9;
                        float _e1846 = vectors[(part.w - 1u) + n_9];
                        y_9 = _e1839 + _e1846;
                    }
                    uint _e1852 = e_10;
                    float _e1860 = y_9;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1852, SIDE)) * width)) + n_9] = _e1860;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1863 = c2_2_;
        simdgroup_store(_e1863, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_11 = lane;
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1910 = e_11;
                e_11 = _e1910 + size;
            }
            loop_init_12 = false;
            uint _e1868 = e_11;
            if (_e1868 < 64u) {
            } else {
                break;
            }
            {
                uint _e1874 = e_11;
                uint n_10 = ((n0_ + sub_n) + 16u) + naga_mod(_e1874, SIDE);
                if (n_10 < width) {
                    uint _e1880 = e_11;
                    float _e1883 = spilled.inner[corner + _e1880];
                    y_10 = _e1883;
                    if (part.w > 0u) {
                        float _e1888 = y_10;
                        float _e1895 = vectors[(part.w - 1u) + n_10];
                        y_10 = _e1888 + _e1895;
                    }
                    uint _e1901 = e_11;
                    float _e1909 = y_10;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1901, SIDE)) * width)) + n_10] = _e1909;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1912 = c2_3_;
        simdgroup_store(_e1912, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_12 = lane;
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1959 = e_12;
                e_12 = _e1959 + size;
            }
            loop_init_13 = false;
            uint _e1917 = e_12;
            if (_e1917 < 64u) {
            } else {
                break;
            }
            {
                uint _e1923 = e_12;
                uint n_11 = ((n0_ + sub_n) + 24u) + naga_mod(_e1923, SIDE);
                if (n_11 < width) {
                    uint _e1929 = e_12;
                    float _e1932 = spilled.inner[corner + _e1929];
                    y_11 = _e1932;
                    if (part.w > 0u) {
                        float _e1937 = y_11;
                        float _e1944 = vectors[(part.w - 1u) + n_11];
                        y_11 = _e1937 + _e1944;
                    }
                    uint _e1950 = e_12;
                    float _e1958 = y_11;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1950, SIDE)) * width)) + n_11] = _e1958;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1961 = c3_0_;
        simdgroup_store(_e1961, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_13 = lane;
        uint2 loop_bound_15 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_15 == uint2(0u))) { break; }
            loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e2008 = e_13;
                e_13 = _e2008 + size;
            }
            loop_init_14 = false;
            uint _e1966 = e_13;
            if (_e1966 < 64u) {
            } else {
                break;
            }
            {
                uint _e1972 = e_13;
                uint n_12 = ((n0_ + sub_n) + 0u) + naga_mod(_e1972, SIDE);
                if (n_12 < width) {
                    uint _e1978 = e_13;
                    float _e1981 = spilled.inner[corner + _e1978];
                    y_12 = _e1981;
                    if (part.w > 0u) {
                        float _e1986 = y_12;
                        float _e1993 = vectors[(part.w - 1u) + n_12];
                        y_12 = _e1986 + _e1993;
                    }
                    uint _e1999 = e_13;
                    float _e2007 = y_12;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e1999, SIDE)) * width)) + n_12] = _e2007;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e2010 = c3_1_;
        simdgroup_store(_e2010, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_14 = lane;
        uint2 loop_bound_16 = uint2(4294967295u);
        bool loop_init_15 = true;
        while(true) {
            if (metal::all(loop_bound_16 == uint2(0u))) { break; }
            loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
            if (!loop_init_15) {
                uint _e2057 = e_14;
                e_14 = _e2057 + size;
            }
            loop_init_15 = false;
            uint _e2015 = e_14;
            if (_e2015 < 64u) {
            } else {
                break;
            }
            {
                uint _e2021 = e_14;
                uint n_13 = ((n0_ + sub_n) + 8u) + naga_mod(_e2021, SIDE);
                if (n_13 < width) {
                    uint _e2027 = e_14;
                    float _e2030 = spilled.inner[corner + _e2027];
                    y_13 = _e2030;
                    if (part.w > 0u) {
                        float _e2035 = y_13;
                        float _e2042 = vectors[(part.w - 1u) + n_13];
                        y_13 = _e2035 + _e2042;
                    }
                    uint _e2048 = e_14;
                    float _e2056 = y_13;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e2048, SIDE)) * width)) + n_13] = _e2056;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e2059 = c3_2_;
        simdgroup_store(_e2059, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_15 = lane;
        uint2 loop_bound_17 = uint2(4294967295u);
        bool loop_init_16 = true;
        while(true) {
            if (metal::all(loop_bound_17 == uint2(0u))) { break; }
            loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
            if (!loop_init_16) {
                uint _e2106 = e_15;
                e_15 = _e2106 + size;
            }
            loop_init_16 = false;
            uint _e2064 = e_15;
            if (_e2064 < 64u) {
            } else {
                break;
            }
            {
                uint _e2070 = e_15;
                uint n_14 = ((n0_ + sub_n) + 16u) + naga_mod(_e2070, SIDE);
                if (n_14 < width) {
                    uint _e2076 = e_15;
                    float _e2079 = spilled.inner[corner + _e2076];
                    y_14 = _e2079;
                    if (part.w > 0u) {
                        float _e2084 = y_14;
                        float _e2091 = vectors[(part.w - 1u) + n_14];
                        y_14 = _e2084 + _e2091;
                    }
                    uint _e2097 = e_15;
                    float _e2105 = y_14;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e2097, SIDE)) * width)) + n_14] = _e2105;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e2108 = c3_3_;
        simdgroup_store(_e2108, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_16 = lane;
        uint2 loop_bound_18 = uint2(4294967295u);
        bool loop_init_17 = true;
        while(true) {
            if (metal::all(loop_bound_18 == uint2(0u))) { break; }
            loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
            if (!loop_init_17) {
                uint _e2155 = e_16;
                e_16 = _e2155 + size;
            }
            loop_init_17 = false;
            uint _e2113 = e_16;
            if (_e2113 < 64u) {
            } else {
                break;
            }
            {
                uint _e2119 = e_16;
                uint n_15 = ((n0_ + sub_n) + 24u) + naga_mod(_e2119, SIDE);
                if (n_15 < width) {
                    uint _e2125 = e_16;
                    float _e2128 = spilled.inner[corner + _e2125];
                    y_15 = _e2128;
                    if (part.w > 0u) {
                        float _e2133 = y_15;
                        float _e2140 = vectors[(part.w - 1u) + n_15];
                        y_15 = _e2133 + _e2140;
                    }
                    uint _e2146 = e_16;
                    float _e2154 = y_15;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e2146, SIDE)) * width)) + n_15] = _e2154;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    }
}
