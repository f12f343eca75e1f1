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
struct type_9 {
    metal::float4 inner[2];
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
    uint pad;
    type_11 parts;
    uint order;
    uint tiles;
    uint weights;
    uint part;
    uint part_len;
    uint pad0_;
    uint pad1_;
    uint pad2_;
};
typedef float type_12[1];
struct type_13 {
    float inner[2560];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint TILE_T = 64u;
constant uint TILE_N = 64u;
constant uint TILE_K = 32u;
constant uint EXPERTS = 1u;
constant uint USED = 8u;
constant bool PAIRED = true;
constant bool SHARED = false;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
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

type_9 weight8_(
    Planes p,
    uint i_3,
    device type_6 const& codes,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w = codes[p.codes + i_3];
    return type_9 {{metal::float4(float2(as_type<half2>(w.x)), float2(as_type<half2>(w.y))), metal::float4(float2(as_type<half2>(w.z)), float2(as_type<half2>(w.w)))}};
}

type_10 weight16_(
    Planes p_1,
    uint i_4,
    device type_6 const& codes,
    constant _mslBufferSizes& _buffer_sizes
) {
    type_9 _e4 = weight8_(p_1, i_4 * 2u, codes, _buffer_sizes);
    type_9 _e9 = weight8_(p_1, (i_4 * 2u) + 1u, codes, _buffer_sizes);
    return type_10 {{_e4.inner[0], _e4.inner[1], _e9.inner[0], _e9.inner[1]}};
}

uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint row_at(
    uint i_5,
    device type_12 const& act,
    constant Params& p_2,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = p_2.order;
    float _e7 = act[_e4 + i_5];
    uint pair_1 = naga_f2u32(metal::max(_e7, 0.0));
    return PAIRED ? naga_div(pair_1, USED) : pair_1;
}

void put(
    uint i_6,
    uint n,
    float value,
    uint out,
    uint width,
    uint bias,
    device type_12& act,
    constant Params& p_2,
    device type_12 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float y = {};
    uint row = {};
    if (n >= width) {
        return;
    }
    y = value;
    row = i_6;
    uint _e12 = p_2.order;
    float pair_2 = act[_e12 + i_6];
    if (pair_2 < 0.0) {
        return;
    }
    row = naga_f2u32(pair_2);
    uint _e22 = p_2.weights;
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


struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_6 const& codes [[user(fake0)]]
, device type_12& act [[user(fake0)]]
, constant Params& p_2 [[user(fake0)]]
, device type_12 const& vectors [[user(fake0)]]
, threadgroup metal::uint4& expert_of_tile
, device type_6 const& x [[user(fake0)]]
, threadgroup type_13& tile_x
, threadgroup type_13& tile_w
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint part_at = 0u;
    bool local = {};
    float c0_0_ = 0.0;
    float c0_1_ = 0.0;
    float c0_2_ = 0.0;
    float c0_3_ = 0.0;
    float c1_0_ = 0.0;
    float c1_1_ = 0.0;
    float c1_2_ = 0.0;
    float c1_3_ = 0.0;
    float c2_0_ = 0.0;
    float c2_1_ = 0.0;
    float c2_2_ = 0.0;
    float c2_3_ = 0.0;
    float c3_0_ = 0.0;
    float c3_1_ = 0.0;
    float c3_2_ = 0.0;
    float c3_3_ = 0.0;
    uint k0_ = 0u;
    uint u = {};
    uint u_1 = {};
    uint k = {};
    uint2 loop_bound = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        uint _e4 = part_at;
        uint _e9 = p_2.count;
        if ((_e4 + 1u) < _e9) {
            uint _e16 = part_at;
            uint _e23 = p_2.parts.inner[(_e16 + 1u) * 2u].x;
            local = group.y >= _e23;
        } else {
            local = false;
        }
        bool _e26 = local;
        if (_e26) {
        } else {
            break;
        }
        {
            uint _e28 = part_at;
            part_at = _e28 + 1u;
        }
    }
    uint _e32 = part_at;
    metal::uint4 part = p_2.parts.inner[_e32 * 2u];
    uint _e39 = part_at;
    metal::uint4 at = p_2.parts.inner[(_e39 * 2u) + 1u];
    Planes planes = Planes {at.x, at.y, at.z, at.w};
    uint t0_ = group.x * TILE_T;
    uint n0_ = (group.y - part.x) * TILE_N;
    if (me == 0u) {
        uint _e64 = p_2.part;
        uint _e70 = p_2.tiles;
        float _e76 = act[(_e70 + 1u) + group.x];
        uint _e83 = p_2.tiles;
        float _e85 = act[_e83];
        expert_of_tile = metal::uint4((static_cast<float>(group.x) < _e85) ? naga_f2u32(_e76) : (_e64 - 1u));
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::uint4 unnamed = expert_of_tile;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint expert = unnamed.x;
    uint _e94 = p_2.part;
    uint _e98 = p_2.part_len;
    if ((expert - _e94) >= _e98) {
        return;
    }
    uint _e102 = p_2.part;
    uint stack = (expert - _e102) * part.y;
    uint bias_1 = (part.w > 0u) ? (part.w + (expert * part.y)) : 0u;
    uint my_t = naga_div(me, 16u);
    uint my_n = naga_mod(me, 16u);
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e597 = k0_;
            k0_ = _e597 + TILE_K;
        }
        loop_init = false;
        uint _e153 = k0_;
        uint _e156 = p_2.blocks;
        if (_e153 < (_e156 * 32u)) {
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
                    uint _e227 = u;
                    u = _e227 + WG;
                }
                loop_init_1 = false;
                uint _e161 = u;
                if (_e161 < 512u) {
                } else {
                    break;
                }
                {
                    uint _e164 = u;
                    uint r = naga_div(_e164, 8u);
                    uint _e167 = u;
                    uint q = naga_mod(_e167, 8u);
                    uint _e171 = row_at(t0_ + r, act, p_2, _buffer_sizes);
                    uint _e175 = p_2.blocks;
                    uint _e179 = k0_;
                    metal::uint4 _e185 = x[naga_div(((_e171 * _e175) * 32u) + _e179, 4u) + q];
                    metal::float4 v = as_type<metal::float4>(_e185);
                    tile_x.inner[((r * STRIDE) + (q * 4u)) + 0u] = v.x;
                    tile_x.inner[((r * STRIDE) + (q * 4u)) + 1u] = v.y;
                    tile_x.inner[((r * STRIDE) + (q * 4u)) + 2u] = v.z;
                    tile_x.inner[((r * STRIDE) + (q * 4u)) + 3u] = v.w;
                }
            }
            u_1 = me;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e466 = u_1;
                    u_1 = _e466 + WG;
                }
                loop_init_2 = false;
                uint _e231 = u_1;
                if (_e231 < 128u) {
                } else {
                    break;
                }
                {
                    uint _e234 = u_1;
                    uint r_1 = naga_div(_e234, 2u);
                    uint _e237 = u_1;
                    uint q_1 = naga_mod(_e237, 2u);
                    uint _e248 = p_2.blocks;
                    uint _e252 = k0_;
                    type_10 _e257 = weight16_(planes, ((((stack + metal::min(n0_ + r_1, part.y - 1u)) * _e248) * 2u) + naga_div(_e252, 16u)) + q_1, codes, _buffer_sizes);
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 0u] = _e257.inner[0].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 1u] = _e257.inner[0].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 2u] = _e257.inner[0].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 3u] = _e257.inner[0].w;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 0u] = _e257.inner[1].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 1u] = _e257.inner[1].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 2u] = _e257.inner[1].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 3u] = _e257.inner[1].w;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 0u] = _e257.inner[2].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 1u] = _e257.inner[2].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 2u] = _e257.inner[2].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 3u] = _e257.inner[2].w;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 0u] = _e257.inner[3].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 1u] = _e257.inner[3].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 2u] = _e257.inner[3].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 3u] = _e257.inner[3].w;
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            k = 0u;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e595 = k;
                    k = _e595 + 1u;
                }
                loop_init_3 = false;
                uint _e471 = k;
                if (_e471 < TILE_K) {
                } else {
                    break;
                }
                {
                    uint _e479 = k;
                    float a0_ = tile_x.inner[((my_t + 0u) * STRIDE) + _e479];
                    uint _e488 = k;
                    float a1_ = tile_x.inner[((my_t + 16u) * STRIDE) + _e488];
                    uint _e497 = k;
                    float a2_ = tile_x.inner[((my_t + 32u) * STRIDE) + _e497];
                    uint _e506 = k;
                    float a3_ = tile_x.inner[((my_t + 48u) * STRIDE) + _e506];
                    uint _e515 = k;
                    float b0_ = tile_w.inner[((my_n + 0u) * STRIDE) + _e515];
                    uint _e524 = k;
                    float b1_ = tile_w.inner[((my_n + 16u) * STRIDE) + _e524];
                    uint _e533 = k;
                    float b2_ = tile_w.inner[((my_n + 32u) * STRIDE) + _e533];
                    uint _e542 = k;
                    float b3_ = tile_w.inner[((my_n + 48u) * STRIDE) + _e542];
                    float _e546 = c0_0_;
                    c0_0_ = _e546 + (a0_ * b0_);
                    float _e549 = c0_1_;
                    c0_1_ = _e549 + (a0_ * b1_);
                    float _e552 = c0_2_;
                    c0_2_ = _e552 + (a0_ * b2_);
                    float _e555 = c0_3_;
                    c0_3_ = _e555 + (a0_ * b3_);
                    float _e558 = c1_0_;
                    c1_0_ = _e558 + (a1_ * b0_);
                    float _e561 = c1_1_;
                    c1_1_ = _e561 + (a1_ * b1_);
                    float _e564 = c1_2_;
                    c1_2_ = _e564 + (a1_ * b2_);
                    float _e567 = c1_3_;
                    c1_3_ = _e567 + (a1_ * b3_);
                    float _e570 = c2_0_;
                    c2_0_ = _e570 + (a2_ * b0_);
                    float _e573 = c2_1_;
                    c2_1_ = _e573 + (a2_ * b1_);
                    float _e576 = c2_2_;
                    c2_2_ = _e576 + (a2_ * b2_);
                    float _e579 = c2_3_;
                    c2_3_ = _e579 + (a2_ * b3_);
                    float _e582 = c3_0_;
                    c3_0_ = _e582 + (a3_ * b0_);
                    float _e585 = c3_1_;
                    c3_1_ = _e585 + (a3_ * b1_);
                    float _e588 = c3_2_;
                    c3_2_ = _e588 + (a3_ * b2_);
                    float _e591 = c3_3_;
                    c3_3_ = _e591 + (a3_ * b3_);
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    float _e606 = c0_0_;
    put((t0_ + my_t) + 0u, (n0_ + my_n) + 0u, _e606, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e615 = c0_1_;
    put((t0_ + my_t) + 0u, (n0_ + my_n) + 16u, _e615, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e624 = c0_2_;
    put((t0_ + my_t) + 0u, (n0_ + my_n) + 32u, _e624, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e633 = c0_3_;
    put((t0_ + my_t) + 0u, (n0_ + my_n) + 48u, _e633, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e642 = c1_0_;
    put((t0_ + my_t) + 16u, (n0_ + my_n) + 0u, _e642, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e651 = c1_1_;
    put((t0_ + my_t) + 16u, (n0_ + my_n) + 16u, _e651, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e660 = c1_2_;
    put((t0_ + my_t) + 16u, (n0_ + my_n) + 32u, _e660, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e669 = c1_3_;
    put((t0_ + my_t) + 16u, (n0_ + my_n) + 48u, _e669, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e678 = c2_0_;
    put((t0_ + my_t) + 32u, (n0_ + my_n) + 0u, _e678, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e687 = c2_1_;
    put((t0_ + my_t) + 32u, (n0_ + my_n) + 16u, _e687, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e696 = c2_2_;
    put((t0_ + my_t) + 32u, (n0_ + my_n) + 32u, _e696, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e705 = c2_3_;
    put((t0_ + my_t) + 32u, (n0_ + my_n) + 48u, _e705, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e714 = c3_0_;
    put((t0_ + my_t) + 48u, (n0_ + my_n) + 0u, _e714, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e723 = c3_1_;
    put((t0_ + my_t) + 48u, (n0_ + my_n) + 16u, _e723, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e732 = c3_2_;
    put((t0_ + my_t) + 48u, (n0_ + my_n) + 32u, _e732, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    float _e741 = c3_3_;
    put((t0_ + my_t) + 48u, (n0_ + my_n) + 48u, _e741, part.z, part.y, bias_1, act, p_2, vectors, _buffer_sizes);
    return;
}
