// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size3;
    uint size4;
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
struct type_10 {
    metal::uint4 inner[12];
};
struct Params {
    uint blocks;
    uint rows;
    uint count;
    uint act;
    type_10 parts;
};
typedef float type_11[1];
struct type_13 {
    half inner[5120];
};
struct type_14 {
    float inner[1024];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint TILE_T = 128u;
constant uint TILE_N = 128u;
constant uint TILE_K = 32u;
constant uint SUB_T = 64u;
constant uint SUB_N = 64u;
constant uint SQUARES_T = 4u;
constant uint SQUARES_N = 4u;
constant uint DEPTH = 2u;
constant uint ACTIVATION = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint STRIDE = 40u;

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
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w_1 = codes_1[p.codes + i_3];
    float _e8 = half_at(p.scales, i_3, words, _buffer_sizes);
    return Block {w_1 & NIBBLES, (w_1 >> metal::uint4(4u)) & NIBBLES, metal::float2(_e8), metal::float2(-8.0 * _e8)};
}

type_9 half_block(
    metal::uint4 codes,
    float s,
    float m
) {
    return type_9 {{(static_cast<metal::float4>(int4(as_type<packed_char4>(codes.x))) * s) + metal::float4(m), (static_cast<metal::float4>(int4(as_type<packed_char4>(codes.y))) * s) + metal::float4(m), (static_cast<metal::float4>(int4(as_type<packed_char4>(codes.z))) * s) + metal::float4(m), (static_cast<metal::float4>(int4(as_type<packed_char4>(codes.w))) * s) + metal::float4(m)}};
}

type_9 weight16_(
    Planes p_1,
    uint i_4,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_1, i_4 >> 1u, codes_1, words, _buffer_sizes);
    if ((i_4 & 1u) == 0u) {
        type_9 _e14 = half_block(_e4.lo, _e4.s.x, _e4.m.x);
        return _e14;
    }
    type_9 _e20 = half_block(_e4.hi, _e4.s.y, _e4.m.y);
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
, device type_5 const& codes_1 [[user(fake0)]]
, device type_1 const& words [[user(fake0)]]
, device type_11& act [[user(fake0)]]
, device type_5 const& x [[user(fake0)]]
, constant Params& p_2 [[user(fake0)]]
, device type_11 const& vectors [[user(fake0)]]
, threadgroup type_13& tile_x
, threadgroup type_13& tile_w
, threadgroup type_14& spilled
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
    uint k0_ = 0u;
    uint u = {};
    metal::uint4 v = {};
    uint u_1 = {};
    bool local_1 = {};
    uint e = {};
    float y = {};
    uint e_1 = {};
    float y_1 = {};
    uint e_2 = {};
    float y_2 = {};
    uint e_3 = {};
    float y_3 = {};
    uint e_4 = {};
    float y_4 = {};
    uint e_5 = {};
    float y_5 = {};
    uint e_6 = {};
    float y_6 = {};
    uint e_7 = {};
    float y_7 = {};
    uint e_8 = {};
    float y_8 = {};
    uint e_9 = {};
    float y_9 = {};
    uint e_10 = {};
    float y_10 = {};
    uint e_11 = {};
    float y_11 = {};
    uint e_12 = {};
    float y_12 = {};
    uint e_13 = {};
    float y_13 = {};
    uint e_14 = {};
    float y_14 = {};
    uint e_15 = {};
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
    metal::uint4 at = p_2.parts.inner[(_e42 * 2u) + 1u];
    Planes planes = Planes {at.x, at.y, at.z, at.w};
    uint t0_ = group.x * TILE_T;
    uint n0_ = (group.y - part.x) * TILE_N;
    uint sub_t = naga_div(subgroup, 2u) * SUB_T;
    uint sub_n = naga_mod(subgroup, 2u) * SUB_N;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e700 = k0_;
            k0_ = _e700 + TILE_K;
        }
        loop_init = false;
        uint _e104 = k0_;
        uint _e107 = p_2.blocks;
        if (_e104 < (_e107 * 32u)) {
        } else {
            break;
        }
        {
            u = me;
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e212 = u;
                    u = _e212 + WG;
                }
                loop_init_1 = false;
                uint _e112 = u;
                if (_e112 < 512u) {
                } else {
                    break;
                }
                {
                    uint _e115 = u;
                    uint r = naga_div(_e115, 4u);
                    uint _e118 = u;
                    uint q = naga_mod(_e118, 4u);
                    uint o = (r * STRIDE) + (q * 8u);
                    v = metal::uint4(0u);
                    uint _e129 = k0_;
                    uint _e135 = p_2.blocks;
                    if ((_e129 + (q * 8u)) < (_e135 * 32u)) {
                        uint _e143 = p_2.blocks;
                        uint _e147 = k0_;
                        metal::uint4 _e153 = x[naga_div((((t0_ + r) * _e143) * 32u) + _e147, 8u) + q];
                        v = _e153;
                    }
                    uint _e155 = v.x;
                    metal::float2 a_1 = float2(as_type<half2>(_e155));
                    uint _e158 = v.y;
                    metal::float2 b_1 = float2(as_type<half2>(_e158));
                    uint _e161 = v.z;
                    metal::float2 c = float2(as_type<half2>(_e161));
                    uint _e164 = v.w;
                    metal::float2 d = float2(as_type<half2>(_e164));
                    tile_x.inner[o] = static_cast<half>(a_1.x);
                    tile_x.inner[o + 1u] = static_cast<half>(a_1.y);
                    tile_x.inner[o + 2u] = static_cast<half>(b_1.x);
                    tile_x.inner[o + 3u] = static_cast<half>(b_1.y);
                    tile_x.inner[o + 4u] = static_cast<half>(c.x);
                    tile_x.inner[o + 5u] = static_cast<half>(c.y);
                    tile_x.inner[o + 6u] = static_cast<half>(d.x);
                    tile_x.inner[o + 7u] = static_cast<half>(d.y);
                }
            }
            u_1 = me;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e473 = u_1;
                    u_1 = _e473 + WG;
                }
                loop_init_2 = false;
                uint _e216 = u_1;
                if (_e216 < 256u) {
                } else {
                    break;
                }
                {
                    uint _e219 = u_1;
                    uint r_1 = naga_div(_e219, 2u);
                    uint _e222 = u_1;
                    uint q_1 = naga_mod(_e222, 2u);
                    uint o_1 = (r_1 * STRIDE) + (q_1 * 16u);
                    uint _e230 = k0_;
                    uint _e236 = p_2.blocks;
                    if ((_e230 + (q_1 * 16u)) < (_e236 * 32u)) {
                        uint _e247 = p_2.blocks;
                        uint _e251 = k0_;
                        type_9 _e256 = weight16_(planes, (((metal::min(n0_ + r_1, part.y - 1u) * _e247) * 2u) + naga_div(_e251, 16u)) + q_1, codes_1, words, _buffer_sizes);
                        tile_w.inner[o_1 + 0u] = static_cast<half>(_e256.inner[0].x);
                        tile_w.inner[(o_1 + 0u) + 1u] = static_cast<half>(_e256.inner[0].y);
                        tile_w.inner[(o_1 + 0u) + 2u] = static_cast<half>(_e256.inner[0].z);
                        tile_w.inner[(o_1 + 0u) + 3u] = static_cast<half>(_e256.inner[0].w);
                        tile_w.inner[o_1 + 4u] = static_cast<half>(_e256.inner[1].x);
                        tile_w.inner[(o_1 + 4u) + 1u] = static_cast<half>(_e256.inner[1].y);
                        tile_w.inner[(o_1 + 4u) + 2u] = static_cast<half>(_e256.inner[1].z);
                        tile_w.inner[(o_1 + 4u) + 3u] = static_cast<half>(_e256.inner[1].w);
                        tile_w.inner[o_1 + 8u] = static_cast<half>(_e256.inner[2].x);
                        tile_w.inner[(o_1 + 8u) + 1u] = static_cast<half>(_e256.inner[2].y);
                        tile_w.inner[(o_1 + 8u) + 2u] = static_cast<half>(_e256.inner[2].z);
                        tile_w.inner[(o_1 + 8u) + 3u] = static_cast<half>(_e256.inner[2].w);
                        tile_w.inner[o_1 + 12u] = static_cast<half>(_e256.inner[3].x);
                        tile_w.inner[(o_1 + 12u) + 1u] = static_cast<half>(_e256.inner[3].y);
                        tile_w.inner[(o_1 + 12u) + 2u] = static_cast<half>(_e256.inner[3].z);
                        tile_w.inner[(o_1 + 12u) + 3u] = static_cast<half>(_e256.inner[3].w);
                    } else {
                        tile_w.inner[o_1 + 0u] = 0.0h;
                        tile_w.inner[o_1 + 1u] = 0.0h;
                        tile_w.inner[o_1 + 2u] = 0.0h;
                        tile_w.inner[o_1 + 3u] = 0.0h;
                        tile_w.inner[o_1 + 4u] = 0.0h;
                        tile_w.inner[o_1 + 5u] = 0.0h;
                        tile_w.inner[o_1 + 6u] = 0.0h;
                        tile_w.inner[o_1 + 7u] = 0.0h;
                        tile_w.inner[o_1 + 8u] = 0.0h;
                        tile_w.inner[o_1 + 9u] = 0.0h;
                        tile_w.inner[o_1 + 10u] = 0.0h;
                        tile_w.inner[o_1 + 11u] = 0.0h;
                        tile_w.inner[o_1 + 12u] = 0.0h;
                        tile_w.inner[o_1 + 13u] = 0.0h;
                        tile_w.inner[o_1 + 14u] = 0.0h;
                        tile_w.inner[o_1 + 15u] = 0.0h;
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint ia0_0_ = ((sub_t + 0u) * STRIDE) + 0u;
            metal::simdgroup_half16x16 a0_0_ = NagaCooperativeLoad(&tile_x.inner[ia0_0_], STRIDE, false);
            uint ia0_1_ = ((sub_t + 16u) * STRIDE) + 0u;
            metal::simdgroup_half16x16 a0_1_ = NagaCooperativeLoad(&tile_x.inner[ia0_1_], STRIDE, false);
            uint ia0_2_ = ((sub_t + 32u) * STRIDE) + 0u;
            metal::simdgroup_half16x16 a0_2_ = NagaCooperativeLoad(&tile_x.inner[ia0_2_], STRIDE, false);
            uint ia0_3_ = ((sub_t + 48u) * STRIDE) + 0u;
            metal::simdgroup_half16x16 a0_3_ = NagaCooperativeLoad(&tile_x.inner[ia0_3_], STRIDE, false);
            uint ib0_0_ = ((sub_n + 0u) * STRIDE) + 0u;
            metal::simdgroup_half16x16 b0_0_ = NagaCooperativeLoad(&tile_w.inner[ib0_0_], STRIDE, true);
            uint ib0_1_ = ((sub_n + 16u) * STRIDE) + 0u;
            metal::simdgroup_half16x16 b0_1_ = NagaCooperativeLoad(&tile_w.inner[ib0_1_], STRIDE, true);
            uint ib0_2_ = ((sub_n + 32u) * STRIDE) + 0u;
            metal::simdgroup_half16x16 b0_2_ = NagaCooperativeLoad(&tile_w.inner[ib0_2_], STRIDE, true);
            uint ib0_3_ = ((sub_n + 48u) * STRIDE) + 0u;
            metal::simdgroup_half16x16 b0_3_ = NagaCooperativeLoad(&tile_w.inner[ib0_3_], STRIDE, true);
            metal::simdgroup_float16x16 _e556 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e556);
            metal::simdgroup_float16x16 _e558 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e558);
            metal::simdgroup_float16x16 _e560 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e560);
            metal::simdgroup_float16x16 _e562 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e562);
            metal::simdgroup_float16x16 _e564 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e564);
            metal::simdgroup_float16x16 _e566 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e566);
            metal::simdgroup_float16x16 _e568 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e568);
            metal::simdgroup_float16x16 _e570 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e570);
            metal::simdgroup_float16x16 _e572 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e572);
            metal::simdgroup_float16x16 _e574 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e574);
            metal::simdgroup_float16x16 _e576 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e576);
            metal::simdgroup_float16x16 _e578 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e578);
            metal::simdgroup_float16x16 _e580 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e580);
            metal::simdgroup_float16x16 _e582 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e582);
            metal::simdgroup_float16x16 _e584 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e584);
            metal::simdgroup_float16x16 _e586 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e586);
            uint ia1_0_ = ((sub_t + 0u) * STRIDE) + 16u;
            metal::simdgroup_half16x16 a1_0_ = NagaCooperativeLoad(&tile_x.inner[ia1_0_], STRIDE, false);
            uint ia1_1_ = ((sub_t + 16u) * STRIDE) + 16u;
            metal::simdgroup_half16x16 a1_1_ = NagaCooperativeLoad(&tile_x.inner[ia1_1_], STRIDE, false);
            uint ia1_2_ = ((sub_t + 32u) * STRIDE) + 16u;
            metal::simdgroup_half16x16 a1_2_ = NagaCooperativeLoad(&tile_x.inner[ia1_2_], STRIDE, false);
            uint ia1_3_ = ((sub_t + 48u) * STRIDE) + 16u;
            metal::simdgroup_half16x16 a1_3_ = NagaCooperativeLoad(&tile_x.inner[ia1_3_], STRIDE, false);
            uint ib1_0_ = ((sub_n + 0u) * STRIDE) + 16u;
            metal::simdgroup_half16x16 b1_0_ = NagaCooperativeLoad(&tile_w.inner[ib1_0_], STRIDE, true);
            uint ib1_1_ = ((sub_n + 16u) * STRIDE) + 16u;
            metal::simdgroup_half16x16 b1_1_ = NagaCooperativeLoad(&tile_w.inner[ib1_1_], STRIDE, true);
            uint ib1_2_ = ((sub_n + 32u) * STRIDE) + 16u;
            metal::simdgroup_half16x16 b1_2_ = NagaCooperativeLoad(&tile_w.inner[ib1_2_], STRIDE, true);
            uint ib1_3_ = ((sub_n + 48u) * STRIDE) + 16u;
            metal::simdgroup_half16x16 b1_3_ = NagaCooperativeLoad(&tile_w.inner[ib1_3_], STRIDE, true);
            metal::simdgroup_float16x16 _e668 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e668);
            metal::simdgroup_float16x16 _e670 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e670);
            metal::simdgroup_float16x16 _e672 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e672);
            metal::simdgroup_float16x16 _e674 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e674);
            metal::simdgroup_float16x16 _e676 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e676);
            metal::simdgroup_float16x16 _e678 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e678);
            metal::simdgroup_float16x16 _e680 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e680);
            metal::simdgroup_float16x16 _e682 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e682);
            metal::simdgroup_float16x16 _e684 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e684);
            metal::simdgroup_float16x16 _e686 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e686);
            metal::simdgroup_float16x16 _e688 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e688);
            metal::simdgroup_float16x16 _e690 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e690);
            metal::simdgroup_float16x16 _e692 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e692);
            metal::simdgroup_float16x16 _e694 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e694);
            metal::simdgroup_float16x16 _e696 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e696);
            metal::simdgroup_float16x16 _e698 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e698);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint width = part.y;
    if ((n0_ + TILE_N) <= width) {
        local_1 = part.w == 0u;
    } else {
        local_1 = false;
    }
    bool _e713 = local_1;
    if (_e713) {
        uint o0_0_ = (((part.z + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e724 = c0_0_;
        simdgroup_store(_e724, &act[o0_0_], width);
        uint o0_1_ = (((part.z + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e737 = c0_1_;
        simdgroup_store(_e737, &act[o0_1_], width);
        uint o0_2_ = (((part.z + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e750 = c0_2_;
        simdgroup_store(_e750, &act[o0_2_], width);
        uint o0_3_ = (((part.z + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e763 = c0_3_;
        simdgroup_store(_e763, &act[o0_3_], width);
        uint o1_0_ = (((part.z + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e776 = c1_0_;
        simdgroup_store(_e776, &act[o1_0_], width);
        uint o1_1_ = (((part.z + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e789 = c1_1_;
        simdgroup_store(_e789, &act[o1_1_], width);
        uint o1_2_ = (((part.z + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e802 = c1_2_;
        simdgroup_store(_e802, &act[o1_2_], width);
        uint o1_3_ = (((part.z + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e815 = c1_3_;
        simdgroup_store(_e815, &act[o1_3_], width);
        uint o2_0_ = (((part.z + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e828 = c2_0_;
        simdgroup_store(_e828, &act[o2_0_], width);
        uint o2_1_ = (((part.z + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e841 = c2_1_;
        simdgroup_store(_e841, &act[o2_1_], width);
        uint o2_2_ = (((part.z + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e854 = c2_2_;
        simdgroup_store(_e854, &act[o2_2_], width);
        uint o2_3_ = (((part.z + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e867 = c2_3_;
        simdgroup_store(_e867, &act[o2_3_], width);
        uint o3_0_ = (((part.z + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e880 = c3_0_;
        simdgroup_store(_e880, &act[o3_0_], width);
        uint o3_1_ = (((part.z + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e893 = c3_1_;
        simdgroup_store(_e893, &act[o3_1_], width);
        uint o3_2_ = (((part.z + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e906 = c3_2_;
        simdgroup_store(_e906, &act[o3_2_], width);
        uint o3_3_ = (((part.z + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e919 = c3_3_;
        simdgroup_store(_e919, &act[o3_3_], width);
        return;
    } else {
        uint corner = subgroup * 256u;
        metal::simdgroup_float16x16 _e924 = c0_0_;
        simdgroup_store(_e924, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e = lane;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_3 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_3) {
                uint _e972 = e;
                e = _e972 + size;
            }
            loop_init_3 = false;
            uint _e929 = e;
            if (_e929 < 256u) {
            } else {
                break;
            }
            {
                uint _e935 = e;
                uint n = ((n0_ + sub_n) + 0u) + naga_mod(_e935, 16u);
                if (n < width) {
                    uint _e941 = e;
                    float _e944 = spilled.inner[corner + _e941];
                    y = _e944;
                    if (part.w > 0u) {
                        float _e949 = y;
                        float _e956 = vectors[(part.w - 1u) + n];
                        y = _e949 + _e956;
                    }
                    uint _e963 = e;
                    float _e971 = y;
                    act[(part.z + ((((t0_ + sub_t) + 0u) + naga_div(_e963, 16u)) * width)) + n] = _e971;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e974 = c0_1_;
        simdgroup_store(_e974, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_1 = lane;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e1022 = e_1;
                e_1 = _e1022 + size;
            }
            loop_init_4 = false;
            uint _e979 = e_1;
            if (_e979 < 256u) {
            } else {
                break;
            }
            {
                uint _e985 = e_1;
                uint n_1 = ((n0_ + sub_n) + 16u) + naga_mod(_e985, 16u);
                if (n_1 < width) {
                    uint _e991 = e_1;
                    float _e994 = spilled.inner[corner + _e991];
                    y_1 = _e994;
                    if (part.w > 0u) {
                        float _e999 = y_1;
                        float _e1006 = vectors[(part.w - 1u) + n_1];
                        y_1 = _e999 + _e1006;
                    }
                    uint _e1013 = e_1;
                    float _e1021 = y_1;
                    act[(part.z + ((((t0_ + sub_t) + 0u) + naga_div(_e1013, 16u)) * width)) + n_1] = _e1021;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1024 = c0_2_;
        simdgroup_store(_e1024, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_2 = lane;
        uint2 loop_bound_6 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_6 == uint2(0u))) { break; }
            loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e1072 = e_2;
                e_2 = _e1072 + size;
            }
            loop_init_5 = false;
            uint _e1029 = e_2;
            if (_e1029 < 256u) {
            } else {
                break;
            }
            {
                uint _e1035 = e_2;
                uint n_2 = ((n0_ + sub_n) + 32u) + naga_mod(_e1035, 16u);
                if (n_2 < width) {
                    uint _e1041 = e_2;
                    float _e1044 = spilled.inner[corner + _e1041];
                    y_2 = _e1044;
                    if (part.w > 0u) {
                        float _e1049 = y_2;
                        float _e1056 = vectors[(part.w - 1u) + n_2];
                        y_2 = _e1049 + _e1056;
                    }
                    uint _e1063 = e_2;
                    float _e1071 = y_2;
                    act[(part.z + ((((t0_ + sub_t) + 0u) + naga_div(_e1063, 16u)) * width)) + n_2] = _e1071;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1074 = c0_3_;
        simdgroup_store(_e1074, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = lane;
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_6 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_6) {
                uint _e1122 = e_3;
                e_3 = _e1122 + size;
            }
            loop_init_6 = false;
            uint _e1079 = e_3;
            if (_e1079 < 256u) {
            } else {
                break;
            }
            {
                uint _e1085 = e_3;
                uint n_3 = ((n0_ + sub_n) + 48u) + naga_mod(_e1085, 16u);
                if (n_3 < width) {
                    uint _e1091 = e_3;
                    float _e1094 = spilled.inner[corner + _e1091];
                    y_3 = _e1094;
                    if (part.w > 0u) {
                        float _e1099 = y_3;
                        float _e1106 = vectors[(part.w - 1u) + n_3];
                        y_3 = _e1099 + _e1106;
                    }
                    uint _e1113 = e_3;
                    float _e1121 = y_3;
                    act[(part.z + ((((t0_ + sub_t) + 0u) + naga_div(_e1113, 16u)) * width)) + n_3] = _e1121;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1124 = c1_0_;
        simdgroup_store(_e1124, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_4 = lane;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e1172 = e_4;
                e_4 = _e1172 + size;
            }
            loop_init_7 = false;
            uint _e1129 = e_4;
            if (_e1129 < 256u) {
            } else {
                break;
            }
            {
                uint _e1135 = e_4;
                uint n_4 = ((n0_ + sub_n) + 0u) + naga_mod(_e1135, 16u);
                if (n_4 < width) {
                    uint _e1141 = e_4;
                    float _e1144 = spilled.inner[corner + _e1141];
                    y_4 = _e1144;
                    if (part.w > 0u) {
                        float _e1149 = y_4;
                        float _e1156 = vectors[(part.w - 1u) + n_4];
                        y_4 = _e1149 + _e1156;
                    }
                    uint _e1163 = e_4;
                    float _e1171 = y_4;
                    act[(part.z + ((((t0_ + sub_t) + 16u) + naga_div(_e1163, 16u)) * width)) + n_4] = _e1171;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1174 = c1_1_;
        simdgroup_store(_e1174, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_5 = lane;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e1222 = e_5;
                e_5 = _e1222 + size;
            }
            loop_init_8 = false;
            uint _e1179 = e_5;
            if (_e1179 < 256u) {
            } else {
                break;
            }
            {
                uint _e1185 = e_5;
                uint n_5 = ((n0_ + sub_n) + 16u) + naga_mod(_e1185, 16u);
                if (n_5 < width) {
                    uint _e1191 = e_5;
                    float _e1194 = spilled.inner[corner + _e1191];
                    y_5 = _e1194;
                    if (part.w > 0u) {
                        float _e1199 = y_5;
                        float _e1206 = vectors[(part.w - 1u) + n_5];
                        y_5 = _e1199 + _e1206;
                    }
                    uint _e1213 = e_5;
                    float _e1221 = y_5;
                    act[(part.z + ((((t0_ + sub_t) + 16u) + naga_div(_e1213, 16u)) * width)) + n_5] = _e1221;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1224 = c1_2_;
        simdgroup_store(_e1224, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_6 = lane;
        uint2 loop_bound_10 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_10 == uint2(0u))) { break; }
            loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e1272 = e_6;
                e_6 = _e1272 + size;
            }
            loop_init_9 = false;
            uint _e1229 = e_6;
            if (_e1229 < 256u) {
            } else {
                break;
            }
            {
                uint _e1235 = e_6;
                uint n_6 = ((n0_ + sub_n) + 32u) + naga_mod(_e1235, 16u);
                if (n_6 < width) {
                    uint _e1241 = e_6;
                    float _e1244 = spilled.inner[corner + _e1241];
                    y_6 = _e1244;
                    if (part.w > 0u) {
                        float _e1249 = y_6;
                        float _e1256 = vectors[(part.w - 1u) + n_6];
                        y_6 = _e1249 + _e1256;
                    }
                    uint _e1263 = e_6;
                    float _e1271 = y_6;
                    act[(part.z + ((((t0_ + sub_t) + 16u) + naga_div(_e1263, 16u)) * width)) + n_6] = _e1271;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1274 = c1_3_;
        simdgroup_store(_e1274, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_7 = lane;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_10 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_10) {
                uint _e1322 = e_7;
                e_7 = _e1322 + size;
            }
            loop_init_10 = false;
            uint _e1279 = e_7;
            if (_e1279 < 256u) {
            } else {
                break;
            }
            {
                uint _e1285 = e_7;
                uint n_7 = ((n0_ + sub_n) + 48u) + naga_mod(_e1285, 16u);
                if (n_7 < width) {
                    uint _e1291 = e_7;
                    float _e1294 = spilled.inner[corner + _e1291];
                    y_7 = _e1294;
                    if (part.w > 0u) {
                        float _e1299 = y_7;
                        float _e1306 = vectors[(part.w - 1u) + n_7];
                        y_7 = _e1299 + _e1306;
                    }
                    uint _e1313 = e_7;
                    float _e1321 = y_7;
                    act[(part.z + ((((t0_ + sub_t) + 16u) + naga_div(_e1313, 16u)) * width)) + n_7] = _e1321;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1324 = c2_0_;
        simdgroup_store(_e1324, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_8 = lane;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1372 = e_8;
                e_8 = _e1372 + size;
            }
            loop_init_11 = false;
            uint _e1329 = e_8;
            if (_e1329 < 256u) {
            } else {
                break;
            }
            {
                uint _e1335 = e_8;
                uint n_8 = ((n0_ + sub_n) + 0u) + naga_mod(_e1335, 16u);
                if (n_8 < width) {
                    uint _e1341 = e_8;
                    float _e1344 = spilled.inner[corner + _e1341];
                    y_8 = _e1344;
                    if (part.w > 0u) {
                        float _e1349 = y_8;
                        float _e1356 = vectors[(part.w - 1u) + n_8];
                        y_8 = _e1349 + _e1356;
                    }
                    uint _e1363 = e_8;
                    float _e1371 = y_8;
                    act[(part.z + ((((t0_ + sub_t) + 32u) + naga_div(_e1363, 16u)) * width)) + n_8] = _e1371;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1374 = c2_1_;
        simdgroup_store(_e1374, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_9 = lane;
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1422 = e_9;
                e_9 = _e1422 + size;
            }
            loop_init_12 = false;
            uint _e1379 = e_9;
            if (_e1379 < 256u) {
            } else {
                break;
            }
            {
                uint _e1385 = e_9;
                uint n_9 = ((n0_ + sub_n) + 16u) + naga_mod(_e1385, 16u);
                if (n_9 < width) {
                    uint _e1391 = e_9;
                    float _e1394 = spilled.inner[corner + _e1391];
                    y_9 = _e1394;
                    if (part.w > 0u) {
                        float _e1399 = y_9;
                        float _e1406 = vectors[(part.w - 1u) + n_9];
                        y_9 = _e1399 + _e1406;
                    }
                    uint _e1413 = e_9;
                    float _e1421 = y_9;
                    act[(part.z + ((((t0_ + sub_t) + 32u) + naga_div(_e1413, 16u)) * width)) + n_9] = _e1421;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1424 = c2_2_;
        simdgroup_store(_e1424, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_10 = lane;
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1472 = e_10;
                e_10 = _e1472 + size;
            }
            loop_init_13 = false;
            uint _e1429 = e_10;
            if (_e1429 < 256u) {
            } else {
                break;
            }
            {
                uint _e1435 = e_10;
                uint n_10 = ((n0_ + sub_n) + 32u) + naga_mod(_e1435, 16u);
                if (n_10 < width) {
                    uint _e1441 = e_10;
                    float _e1444 = spilled.inner[corner + _e1441];
                    y_10 = _e1444;
                    if (part.w > 0u) {
                        float _e1449 = y_10;
                        float _e1456 = vectors[(part.w - 1u) + n_10];
                        y_10 = _e1449 + _e1456;
                    }
                    uint _e1463 = e_10;
                    float _e1471 = y_10;
                    act[(part.z + ((((t0_ + sub_t) + 32u) + naga_div(_e1463, 16u)) * width)) + n_10] = _e1471;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1474 = c2_3_;
        simdgroup_store(_e1474, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_11 = lane;
        uint2 loop_bound_15 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_15 == uint2(0u))) { break; }
            loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1522 = e_11;
                e_11 = _e1522 + size;
            }
            loop_init_14 = false;
            uint _e1479 = e_11;
            if (_e1479 < 256u) {
            } else {
                break;
            }
            {
                uint _e1485 = e_11;
                uint n_11 = ((n0_ + sub_n) + 48u) + naga_mod(_e1485, 16u);
                if (n_11 < width) {
                    uint _e1491 = e_11;
                    float _e1494 = spilled.inner[corner + _e1491];
                    y_11 = _e1494;
                    if (part.w > 0u) {
                        float _e1499 = y_11;
                        float _e1506 = vectors[(part.w - 1u) + n_11];
                        y_11 = _e1499 + _e1506;
                    }
                    uint _e1513 = e_11;
                    float _e1521 = y_11;
                    act[(part.z + ((((t0_ + sub_t) + 32u) + naga_div(_e1513, 16u)) * width)) + n_11] = _e1521;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1524 = c3_0_;
        simdgroup_store(_e1524, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_12 = lane;
        uint2 loop_bound_16 = uint2(4294967295u);
        bool loop_init_15 = true;
        while(true) {
            if (metal::all(loop_bound_16 == uint2(0u))) { break; }
            loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
            if (!loop_init_15) {
                uint _e1572 = e_12;
                e_12 = _e1572 + size;
            }
            loop_init_15 = false;
            uint _e1529 = e_12;
            if (_e1529 < 256u) {
            } else {
                break;
            }
            {
                uint _e1535 = e_12;
                uint n_12 = ((n0_ + sub_n) + 0u) + naga_mod(_e1535, 16u);
                if (n_12 < width) {
                    uint _e1541 = e_12;
                    float _e1544 = spilled.inner[corner + _e1541];
                    y_12 = _e1544;
                    if (part.w > 0u) {
                        float _e1549 = y_12;
                        float _e1556 = vectors[(part.w - 1u) + n_12];
                        y_12 = _e1549 + _e1556;
                    }
                    uint _e1563 = e_12;
                    float _e1571 = y_12;
                    act[(part.z + ((((t0_ + sub_t) + 48u) + naga_div(_e1563, 16u)) * width)) + n_12] = _e1571;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1574 = c3_1_;
        simdgroup_store(_e1574, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_13 = lane;
        uint2 loop_bound_17 = uint2(4294967295u);
        bool loop_init_16 = true;
        while(true) {
            if (metal::all(loop_bound_17 == uint2(0u))) { break; }
            loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
            if (!loop_init_16) {
                uint _e1622 = e_13;
                e_13 = _e1622 + size;
            }
            loop_init_16 = false;
            uint _e1579 = e_13;
            if (_e1579 < 256u) {
            } else {
                break;
            }
            {
                uint _e1585 = e_13;
                uint n_13 = ((n0_ + sub_n) + 16u) + naga_mod(_e1585, 16u);
                if (n_13 < width) {
                    uint _e1591 = e_13;
                    float _e1594 = spilled.inner[corner + _e1591];
                    y_13 = _e1594;
                    if (part.w > 0u) {
                        float _e1599 = y_13;
                        float _e1606 = vectors[(part.w - 1u) + n_13];
                        y_13 = _e1599 + _e1606;
                    }
                    uint _e1613 = e_13;
                    float _e1621 = y_13;
                    act[(part.z + ((((t0_ + sub_t) + 48u) + naga_div(_e1613, 16u)) * width)) + n_13] = _e1621;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1624 = c3_2_;
        simdgroup_store(_e1624, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_14 = lane;
        uint2 loop_bound_18 = uint2(4294967295u);
        bool loop_init_17 = true;
        while(true) {
            if (metal::all(loop_bound_18 == uint2(0u))) { break; }
            loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
            if (!loop_init_17) {
                uint _e1672 = e_14;
                e_14 = _e1672 + size;
            }
            loop_init_17 = false;
            uint _e1629 = e_14;
            if (_e1629 < 256u) {
            } else {
                break;
            }
            {
                uint _e1635 = e_14;
                uint n_14 = ((n0_ + sub_n) + 32u) + naga_mod(_e1635, 16u);
                if (n_14 < width) {
                    uint _e1641 = e_14;
                    float _e1644 = spilled.inner[corner + _e1641];
                    y_14 = _e1644;
                    if (part.w > 0u) {
                        float _e1649 = y_14;
                        float _e1656 = vectors[(part.w - 1u) + n_14];
                        y_14 = _e1649 + _e1656;
                    }
                    uint _e1663 = e_14;
                    float _e1671 = y_14;
                    act[(part.z + ((((t0_ + sub_t) + 48u) + naga_div(_e1663, 16u)) * width)) + n_14] = _e1671;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1674 = c3_3_;
        simdgroup_store(_e1674, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_15 = lane;
        uint2 loop_bound_19 = uint2(4294967295u);
        bool loop_init_18 = true;
        while(true) {
            if (metal::all(loop_bound_19 == uint2(0u))) { break; }
            loop_bound_19 -= uint2(loop_bound_19.y == 0u, 1u);
            if (!loop_init_18) {
                uint _e1722 = e_15;
                e_15 = _e1722 + size;
            }
            loop_init_18 = false;
            uint _e1679 = e_15;
            if (_e1679 < 256u) {
            } else {
                break;
            }
            {
                uint _e1685 = e_15;
                uint n_15 = ((n0_ + sub_n) + 48u) + naga_mod(_e1685, 16u);
                if (n_15 < width) {
                    uint _e1691 = e_15;
                    float _e1694 = spilled.inner[corner + _e1691];
                    y_15 = _e1694;
                    if (part.w > 0u) {
                        float _e1699 = y_15;
                        float _e1706 = vectors[(part.w - 1u) + n_15];
                        y_15 = _e1699 + _e1706;
                    }
                    uint _e1713 = e_15;
                    float _e1721 = y_15;
                    act[(part.z + ((((t0_ + sub_t) + 48u) + naga_div(_e1713, 16u)) * width)) + n_15] = _e1721;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    }
}
