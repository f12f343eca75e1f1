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
struct type_8 {
    metal::float4 inner[2];
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
    uint pad;
    type_10 parts;
};
typedef float type_11[1];
struct type_12 {
    float inner[2560];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint TILE_T = 64u;
constant uint TILE_N = 64u;
constant uint TILE_K = 32u;
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

type_8 weight8_(
    Planes p,
    uint i_3,
    device type_5 const& codes,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w = codes[p.codes + i_3];
    return type_8 {{metal::float4(float2(as_type<half2>(w.x)), float2(as_type<half2>(w.y))), metal::float4(float2(as_type<half2>(w.z)), float2(as_type<half2>(w.w)))}};
}

type_9 weight16_(
    Planes p_1,
    uint i_4,
    device type_5 const& codes,
    constant _mslBufferSizes& _buffer_sizes
) {
    type_8 _e4 = weight8_(p_1, i_4 * 2u, codes, _buffer_sizes);
    type_8 _e9 = weight8_(p_1, (i_4 * 2u) + 1u, codes, _buffer_sizes);
    return type_9 {{_e4.inner[0], _e4.inner[1], _e9.inner[0], _e9.inner[1]}};
}

void put(
    uint i_5,
    uint n,
    float value,
    uint out,
    uint width,
    uint bias,
    device type_11& act,
    device type_11 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float y = {};
    uint row = {};
    if (n >= width) {
        return;
    }
    y = value;
    row = i_5;
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


struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5 const& codes [[user(fake0)]]
, device type_11& act [[user(fake0)]]
, constant Params& p_2 [[user(fake0)]]
, device type_11 const& vectors [[user(fake0)]]
, device type_5 const& x [[user(fake0)]]
, threadgroup type_12& tile_x
, threadgroup type_12& tile_w
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
    uint bias_1 = part.w;
    uint _e64 = p_2.rows;
    uint tokens = step[_e64];
    uint my_t = naga_div(me, 16u);
    uint my_n = naga_mod(me, 16u);
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e551 = k0_;
            k0_ = _e551 + TILE_K;
        }
        loop_init = false;
        uint _e105 = k0_;
        uint _e108 = p_2.blocks;
        if (_e105 < (_e108 * 32u)) {
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
                    uint _e181 = u;
                    u = _e181 + WG;
                }
                loop_init_1 = false;
                uint _e113 = u;
                if (_e113 < 512u) {
                } else {
                    break;
                }
                {
                    uint _e116 = u;
                    uint r = naga_div(_e116, 8u);
                    uint _e119 = u;
                    uint q = naga_mod(_e119, 8u);
                    uint row_1 = metal::min(t0_ + r, tokens - 1u);
                    uint _e129 = p_2.blocks;
                    uint _e133 = k0_;
                    metal::uint4 _e139 = x[naga_div(((row_1 * _e129) * 32u) + _e133, 4u) + q];
                    metal::float4 v = as_type<metal::float4>(_e139);
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
                    uint _e420 = u_1;
                    u_1 = _e420 + WG;
                }
                loop_init_2 = false;
                uint _e185 = u_1;
                if (_e185 < 128u) {
                } else {
                    break;
                }
                {
                    uint _e188 = u_1;
                    uint r_1 = naga_div(_e188, 2u);
                    uint _e191 = u_1;
                    uint q_1 = naga_mod(_e191, 2u);
                    uint _e202 = p_2.blocks;
                    uint _e206 = k0_;
                    type_9 _e211 = weight16_(planes, ((((0u + metal::min(n0_ + r_1, part.y - 1u)) * _e202) * 2u) + naga_div(_e206, 16u)) + q_1, codes, _buffer_sizes);
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 0u] = _e211.inner[0].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 1u] = _e211.inner[0].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 2u] = _e211.inner[0].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 3u] = _e211.inner[0].w;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 0u] = _e211.inner[1].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 1u] = _e211.inner[1].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 2u] = _e211.inner[1].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 3u] = _e211.inner[1].w;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 0u] = _e211.inner[2].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 1u] = _e211.inner[2].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 2u] = _e211.inner[2].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 3u] = _e211.inner[2].w;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 0u] = _e211.inner[3].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 1u] = _e211.inner[3].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 2u] = _e211.inner[3].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 3u] = _e211.inner[3].w;
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
                    uint _e549 = k;
                    k = _e549 + 1u;
                }
                loop_init_3 = false;
                uint _e425 = k;
                if (_e425 < TILE_K) {
                } else {
                    break;
                }
                {
                    uint _e433 = k;
                    float a0_ = tile_x.inner[((my_t + 0u) * STRIDE) + _e433];
                    uint _e442 = k;
                    float a1_ = tile_x.inner[((my_t + 16u) * STRIDE) + _e442];
                    uint _e451 = k;
                    float a2_ = tile_x.inner[((my_t + 32u) * STRIDE) + _e451];
                    uint _e460 = k;
                    float a3_ = tile_x.inner[((my_t + 48u) * STRIDE) + _e460];
                    uint _e469 = k;
                    float b0_ = tile_w.inner[((my_n + 0u) * STRIDE) + _e469];
                    uint _e478 = k;
                    float b1_ = tile_w.inner[((my_n + 16u) * STRIDE) + _e478];
                    uint _e487 = k;
                    float b2_ = tile_w.inner[((my_n + 32u) * STRIDE) + _e487];
                    uint _e496 = k;
                    float b3_ = tile_w.inner[((my_n + 48u) * STRIDE) + _e496];
                    float _e500 = c0_0_;
                    c0_0_ = _e500 + (a0_ * b0_);
                    float _e503 = c0_1_;
                    c0_1_ = _e503 + (a0_ * b1_);
                    float _e506 = c0_2_;
                    c0_2_ = _e506 + (a0_ * b2_);
                    float _e509 = c0_3_;
                    c0_3_ = _e509 + (a0_ * b3_);
                    float _e512 = c1_0_;
                    c1_0_ = _e512 + (a1_ * b0_);
                    float _e515 = c1_1_;
                    c1_1_ = _e515 + (a1_ * b1_);
                    float _e518 = c1_2_;
                    c1_2_ = _e518 + (a1_ * b2_);
                    float _e521 = c1_3_;
                    c1_3_ = _e521 + (a1_ * b3_);
                    float _e524 = c2_0_;
                    c2_0_ = _e524 + (a2_ * b0_);
                    float _e527 = c2_1_;
                    c2_1_ = _e527 + (a2_ * b1_);
                    float _e530 = c2_2_;
                    c2_2_ = _e530 + (a2_ * b2_);
                    float _e533 = c2_3_;
                    c2_3_ = _e533 + (a2_ * b3_);
                    float _e536 = c3_0_;
                    c3_0_ = _e536 + (a3_ * b0_);
                    float _e539 = c3_1_;
                    c3_1_ = _e539 + (a3_ * b1_);
                    float _e542 = c3_2_;
                    c3_2_ = _e542 + (a3_ * b2_);
                    float _e545 = c3_3_;
                    c3_3_ = _e545 + (a3_ * b3_);
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    if (((t0_ + my_t) + 0u) >= tokens) {
        return;
    }
    float _e564 = c0_0_;
    put((t0_ + my_t) + 0u, (n0_ + my_n) + 0u, _e564, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e573 = c0_1_;
    put((t0_ + my_t) + 0u, (n0_ + my_n) + 16u, _e573, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e582 = c0_2_;
    put((t0_ + my_t) + 0u, (n0_ + my_n) + 32u, _e582, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e591 = c0_3_;
    put((t0_ + my_t) + 0u, (n0_ + my_n) + 48u, _e591, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    if (((t0_ + my_t) + 16u) >= tokens) {
        return;
    }
    float _e604 = c1_0_;
    put((t0_ + my_t) + 16u, (n0_ + my_n) + 0u, _e604, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e613 = c1_1_;
    put((t0_ + my_t) + 16u, (n0_ + my_n) + 16u, _e613, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e622 = c1_2_;
    put((t0_ + my_t) + 16u, (n0_ + my_n) + 32u, _e622, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e631 = c1_3_;
    put((t0_ + my_t) + 16u, (n0_ + my_n) + 48u, _e631, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    if (((t0_ + my_t) + 32u) >= tokens) {
        return;
    }
    float _e644 = c2_0_;
    put((t0_ + my_t) + 32u, (n0_ + my_n) + 0u, _e644, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e653 = c2_1_;
    put((t0_ + my_t) + 32u, (n0_ + my_n) + 16u, _e653, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e662 = c2_2_;
    put((t0_ + my_t) + 32u, (n0_ + my_n) + 32u, _e662, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e671 = c2_3_;
    put((t0_ + my_t) + 32u, (n0_ + my_n) + 48u, _e671, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    if (((t0_ + my_t) + 48u) >= tokens) {
        return;
    }
    float _e684 = c3_0_;
    put((t0_ + my_t) + 48u, (n0_ + my_n) + 0u, _e684, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e693 = c3_1_;
    put((t0_ + my_t) + 48u, (n0_ + my_n) + 16u, _e693, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e702 = c3_2_;
    put((t0_ + my_t) + 48u, (n0_ + my_n) + 32u, _e702, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    float _e711 = c3_3_;
    put((t0_ + my_t) + 48u, (n0_ + my_n) + 48u, _e711, part.z, part.y, bias_1, act, vectors, _buffer_sizes);
    return;
}
