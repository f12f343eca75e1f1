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
    uint depth;
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
    bool local_1 = {};
    float y = {};
    bool local_2 = {};
    float y_1 = {};
    bool local_3 = {};
    float y_2 = {};
    bool local_4 = {};
    float y_3 = {};
    bool local_5 = {};
    float y_4 = {};
    bool local_6 = {};
    float y_5 = {};
    bool local_7 = {};
    float y_6 = {};
    bool local_8 = {};
    float y_7 = {};
    bool local_9 = {};
    float y_8 = {};
    bool local_10 = {};
    float y_9 = {};
    bool local_11 = {};
    float y_10 = {};
    bool local_12 = {};
    float y_11 = {};
    bool local_13 = {};
    float y_12 = {};
    bool local_14 = {};
    float y_13 = {};
    bool local_15 = {};
    float y_14 = {};
    bool local_16 = {};
    float y_15 = {};
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
    uint _e62 = p_2.rows;
    uint tokens = step[_e62];
    uint my_t = naga_div(me, 16u);
    uint my_n = naga_mod(me, 16u);
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e548 = k0_;
            k0_ = _e548 + TILE_K;
        }
        loop_init = false;
        uint _e103 = k0_;
        uint _e106 = p_2.blocks;
        if (_e103 < (_e106 * 32u)) {
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
                    uint _e179 = u;
                    u = _e179 + WG;
                }
                loop_init_1 = false;
                uint _e111 = u;
                if (_e111 < 512u) {
                } else {
                    break;
                }
                {
                    uint _e114 = u;
                    uint r = naga_div(_e114, 8u);
                    uint _e117 = u;
                    uint q = naga_mod(_e117, 8u);
                    uint _e127 = p_2.blocks;
                    uint _e131 = k0_;
                    metal::uint4 _e137 = x[naga_div(((metal::min(t0_ + r, tokens - 1u) * _e127) * 32u) + _e131, 4u) + q];
                    metal::float4 v = as_type<metal::float4>(_e137);
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
                    uint _e417 = u_1;
                    u_1 = _e417 + WG;
                }
                loop_init_2 = false;
                uint _e183 = u_1;
                if (_e183 < 128u) {
                } else {
                    break;
                }
                {
                    uint _e186 = u_1;
                    uint r_1 = naga_div(_e186, 2u);
                    uint _e189 = u_1;
                    uint q_1 = naga_mod(_e189, 2u);
                    uint _e199 = p_2.blocks;
                    uint _e203 = k0_;
                    type_9 _e208 = weight16_(planes, (((metal::min(n0_ + r_1, part.y - 1u) * _e199) * 2u) + naga_div(_e203, 16u)) + q_1, codes, _buffer_sizes);
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 0u] = _e208.inner[0].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 1u] = _e208.inner[0].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 2u] = _e208.inner[0].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 0u) + 3u] = _e208.inner[0].w;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 0u] = _e208.inner[1].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 1u] = _e208.inner[1].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 2u] = _e208.inner[1].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 4u) + 3u] = _e208.inner[1].w;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 0u] = _e208.inner[2].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 1u] = _e208.inner[2].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 2u] = _e208.inner[2].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 8u) + 3u] = _e208.inner[2].w;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 0u] = _e208.inner[3].x;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 1u] = _e208.inner[3].y;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 2u] = _e208.inner[3].z;
                    tile_w.inner[(((r_1 * STRIDE) + (q_1 * 16u)) + 12u) + 3u] = _e208.inner[3].w;
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
                    uint _e546 = k;
                    k = _e546 + 1u;
                }
                loop_init_3 = false;
                uint _e422 = k;
                if (_e422 < TILE_K) {
                } else {
                    break;
                }
                {
                    uint _e430 = k;
                    float a0_ = tile_x.inner[((my_t + 0u) * STRIDE) + _e430];
                    uint _e439 = k;
                    float a1_ = tile_x.inner[((my_t + 16u) * STRIDE) + _e439];
                    uint _e448 = k;
                    float a2_ = tile_x.inner[((my_t + 32u) * STRIDE) + _e448];
                    uint _e457 = k;
                    float a3_ = tile_x.inner[((my_t + 48u) * STRIDE) + _e457];
                    uint _e466 = k;
                    float b0_ = tile_w.inner[((my_n + 0u) * STRIDE) + _e466];
                    uint _e475 = k;
                    float b1_ = tile_w.inner[((my_n + 16u) * STRIDE) + _e475];
                    uint _e484 = k;
                    float b2_ = tile_w.inner[((my_n + 32u) * STRIDE) + _e484];
                    uint _e493 = k;
                    float b3_ = tile_w.inner[((my_n + 48u) * STRIDE) + _e493];
                    float _e497 = c0_0_;
                    c0_0_ = _e497 + (a0_ * b0_);
                    float _e500 = c0_1_;
                    c0_1_ = _e500 + (a0_ * b1_);
                    float _e503 = c0_2_;
                    c0_2_ = _e503 + (a0_ * b2_);
                    float _e506 = c0_3_;
                    c0_3_ = _e506 + (a0_ * b3_);
                    float _e509 = c1_0_;
                    c1_0_ = _e509 + (a1_ * b0_);
                    float _e512 = c1_1_;
                    c1_1_ = _e512 + (a1_ * b1_);
                    float _e515 = c1_2_;
                    c1_2_ = _e515 + (a1_ * b2_);
                    float _e518 = c1_3_;
                    c1_3_ = _e518 + (a1_ * b3_);
                    float _e521 = c2_0_;
                    c2_0_ = _e521 + (a2_ * b0_);
                    float _e524 = c2_1_;
                    c2_1_ = _e524 + (a2_ * b1_);
                    float _e527 = c2_2_;
                    c2_2_ = _e527 + (a2_ * b2_);
                    float _e530 = c2_3_;
                    c2_3_ = _e530 + (a2_ * b3_);
                    float _e533 = c3_0_;
                    c3_0_ = _e533 + (a3_ * b0_);
                    float _e536 = c3_1_;
                    c3_1_ = _e536 + (a3_ * b1_);
                    float _e539 = c3_2_;
                    c3_2_ = _e539 + (a3_ * b2_);
                    float _e542 = c3_3_;
                    c3_3_ = _e542 + (a3_ * b3_);
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    if (((t0_ + my_t) + 0u) < tokens) {
        local_1 = ((n0_ + my_n) + 0u) < part.y;
    } else {
        local_1 = false;
    }
    bool _e563 = local_1;
    if (_e563) {
        uint n = (n0_ + my_n) + 0u;
        float _e567 = c0_0_;
        y = _e567;
        if (part.w > 0u) {
            float _e572 = y;
            float _e579 = vectors[(part.w - 1u) + n];
            y = _e572 + _e579;
        }
        float _e591 = y;
        act[(part.z + (((t0_ + my_t) + 0u) * part.y)) + n] = _e591;
    }
    if (((t0_ + my_t) + 0u) < tokens) {
        local_2 = ((n0_ + my_n) + 16u) < part.y;
    } else {
        local_2 = false;
    }
    bool _e604 = local_2;
    if (_e604) {
        uint n_1 = (n0_ + my_n) + 16u;
        float _e608 = c0_1_;
        y_1 = _e608;
        if (part.w > 0u) {
            float _e613 = y_1;
            float _e620 = vectors[(part.w - 1u) + n_1];
            y_1 = _e613 + _e620;
        }
        float _e632 = y_1;
        act[(part.z + (((t0_ + my_t) + 0u) * part.y)) + n_1] = _e632;
    }
    if (((t0_ + my_t) + 0u) < tokens) {
        local_3 = ((n0_ + my_n) + 32u) < part.y;
    } else {
        local_3 = false;
    }
    bool _e645 = local_3;
    if (_e645) {
        uint n_2 = (n0_ + my_n) + 32u;
        float _e649 = c0_2_;
        y_2 = _e649;
        if (part.w > 0u) {
            float _e654 = y_2;
            float _e661 = vectors[(part.w - 1u) + n_2];
            y_2 = _e654 + _e661;
        }
        float _e673 = y_2;
        act[(part.z + (((t0_ + my_t) + 0u) * part.y)) + n_2] = _e673;
    }
    if (((t0_ + my_t) + 0u) < tokens) {
        local_4 = ((n0_ + my_n) + 48u) < part.y;
    } else {
        local_4 = false;
    }
    bool _e686 = local_4;
    if (_e686) {
        uint n_3 = (n0_ + my_n) + 48u;
        float _e690 = c0_3_;
        y_3 = _e690;
        if (part.w > 0u) {
            float _e695 = y_3;
            float _e702 = vectors[(part.w - 1u) + n_3];
            y_3 = _e695 + _e702;
        }
        float _e714 = y_3;
        act[(part.z + (((t0_ + my_t) + 0u) * part.y)) + n_3] = _e714;
    }
    if (((t0_ + my_t) + 16u) < tokens) {
        local_5 = ((n0_ + my_n) + 0u) < part.y;
    } else {
        local_5 = false;
    }
    bool _e727 = local_5;
    if (_e727) {
        uint n_4 = (n0_ + my_n) + 0u;
        float _e731 = c1_0_;
        y_4 = _e731;
        if (part.w > 0u) {
            float _e736 = y_4;
            float _e743 = vectors[(part.w - 1u) + n_4];
            y_4 = _e736 + _e743;
        }
        float _e755 = y_4;
        act[(part.z + (((t0_ + my_t) + 16u) * part.y)) + n_4] = _e755;
    }
    if (((t0_ + my_t) + 16u) < tokens) {
        local_6 = ((n0_ + my_n) + 16u) < part.y;
    } else {
        local_6 = false;
    }
    bool _e768 = local_6;
    if (_e768) {
        uint n_5 = (n0_ + my_n) + 16u;
        float _e772 = c1_1_;
        y_5 = _e772;
        if (part.w > 0u) {
            float _e777 = y_5;
            float _e784 = vectors[(part.w - 1u) + n_5];
            y_5 = _e777 + _e784;
        }
        float _e796 = y_5;
        act[(part.z + (((t0_ + my_t) + 16u) * part.y)) + n_5] = _e796;
    }
    if (((t0_ + my_t) + 16u) < tokens) {
        local_7 = ((n0_ + my_n) + 32u) < part.y;
    } else {
        local_7 = false;
    }
    bool _e809 = local_7;
    if (_e809) {
        uint n_6 = (n0_ + my_n) + 32u;
        float _e813 = c1_2_;
        y_6 = _e813;
        if (part.w > 0u) {
            float _e818 = y_6;
            float _e825 = vectors[(part.w - 1u) + n_6];
            y_6 = _e818 + _e825;
        }
        float _e837 = y_6;
        act[(part.z + (((t0_ + my_t) + 16u) * part.y)) + n_6] = _e837;
    }
    if (((t0_ + my_t) + 16u) < tokens) {
        local_8 = ((n0_ + my_n) + 48u) < part.y;
    } else {
        local_8 = false;
    }
    bool _e850 = local_8;
    if (_e850) {
        uint n_7 = (n0_ + my_n) + 48u;
        float _e854 = c1_3_;
        y_7 = _e854;
        if (part.w > 0u) {
            float _e859 = y_7;
            float _e866 = vectors[(part.w - 1u) + n_7];
            y_7 = _e859 + _e866;
        }
        float _e878 = y_7;
        act[(part.z + (((t0_ + my_t) + 16u) * part.y)) + n_7] = _e878;
    }
    if (((t0_ + my_t) + 32u) < tokens) {
        local_9 = ((n0_ + my_n) + 0u) < part.y;
    } else {
        local_9 = false;
    }
    bool _e891 = local_9;
    if (_e891) {
        uint n_8 = (n0_ + my_n) + 0u;
        float _e895 = c2_0_;
        y_8 = _e895;
        if (part.w > 0u) {
            float _e900 = y_8;
            float _e907 = vectors[(part.w - 1u) + n_8];
            y_8 = _e900 + _e907;
        }
        float _e919 = y_8;
        act[(part.z + (((t0_ + my_t) + 32u) * part.y)) + n_8] = _e919;
    }
    if (((t0_ + my_t) + 32u) < tokens) {
        local_10 = ((n0_ + my_n) + 16u) < part.y;
    } else {
        local_10 = false;
    }
    bool _e932 = local_10;
    if (_e932) {
        uint n_9 = (n0_ + my_n) + 16u;
        float _e936 = c2_1_;
        y_9 = _e936;
        if (part.w > 0u) {
            float _e941 = y_9;
            float _e948 = vectors[(part.w - 1u) + n_9];
            y_9 = _e941 + _e948;
        }
        float _e960 = y_9;
        act[(part.z + (((t0_ + my_t) + 32u) * part.y)) + n_9] = _e960;
    }
    if (((t0_ + my_t) + 32u) < tokens) {
        local_11 = ((n0_ + my_n) + 32u) < part.y;
    } else {
        local_11 = false;
    }
    bool _e973 = local_11;
    if (_e973) {
        uint n_10 = (n0_ + my_n) + 32u;
        float _e977 = c2_2_;
        y_10 = _e977;
        if (part.w > 0u) {
            float _e982 = y_10;
            float _e989 = vectors[(part.w - 1u) + n_10];
            y_10 = _e982 + _e989;
        }
        float _e1001 = y_10;
        act[(part.z + (((t0_ + my_t) + 32u) * part.y)) + n_10] = _e1001;
    }
    if (((t0_ + my_t) + 32u) < tokens) {
        local_12 = ((n0_ + my_n) + 48u) < part.y;
    } else {
        local_12 = false;
    }
    bool _e1014 = local_12;
    if (_e1014) {
        uint n_11 = (n0_ + my_n) + 48u;
        float _e1018 = c2_3_;
        y_11 = _e1018;
        if (part.w > 0u) {
            float _e1023 = y_11;
            float _e1030 = vectors[(part.w - 1u) + n_11];
            y_11 = _e1023 + _e1030;
        }
        float _e1042 = y_11;
        act[(part.z + (((t0_ + my_t) + 32u) * part.y)) + n_11] = _e1042;
    }
    if (((t0_ + my_t) + 48u) < tokens) {
        local_13 = ((n0_ + my_n) + 0u) < part.y;
    } else {
        local_13 = false;
    }
    bool _e1055 = local_13;
    if (_e1055) {
        uint n_12 = (n0_ + my_n) + 0u;
        float _e1059 = c3_0_;
        y_12 = _e1059;
        if (part.w > 0u) {
            float _e1064 = y_12;
            float _e1071 = vectors[(part.w - 1u) + n_12];
            y_12 = _e1064 + _e1071;
        }
        float _e1083 = y_12;
        act[(part.z + (((t0_ + my_t) + 48u) * part.y)) + n_12] = _e1083;
    }
    if (((t0_ + my_t) + 48u) < tokens) {
        local_14 = ((n0_ + my_n) + 16u) < part.y;
    } else {
        local_14 = false;
    }
    bool _e1096 = local_14;
    if (_e1096) {
        uint n_13 = (n0_ + my_n) + 16u;
        float _e1100 = c3_1_;
        y_13 = _e1100;
        if (part.w > 0u) {
            float _e1105 = y_13;
            float _e1112 = vectors[(part.w - 1u) + n_13];
            y_13 = _e1105 + _e1112;
        }
        float _e1124 = y_13;
        act[(part.z + (((t0_ + my_t) + 48u) * part.y)) + n_13] = _e1124;
    }
    if (((t0_ + my_t) + 48u) < tokens) {
        local_15 = ((n0_ + my_n) + 32u) < part.y;
    } else {
        local_15 = false;
    }
    bool _e1137 = local_15;
    if (_e1137) {
        uint n_14 = (n0_ + my_n) + 32u;
        float _e1141 = c3_2_;
        y_14 = _e1141;
        if (part.w > 0u) {
            float _e1146 = y_14;
            float _e1153 = vectors[(part.w - 1u) + n_14];
            y_14 = _e1146 + _e1153;
        }
        float _e1165 = y_14;
        act[(part.z + (((t0_ + my_t) + 48u) * part.y)) + n_14] = _e1165;
    }
    if (((t0_ + my_t) + 48u) < tokens) {
        local_16 = ((n0_ + my_n) + 48u) < part.y;
    } else {
        local_16 = false;
    }
    bool _e1178 = local_16;
    if (_e1178) {
        uint n_15 = (n0_ + my_n) + 48u;
        float _e1182 = c3_3_;
        y_15 = _e1182;
        if (part.w > 0u) {
            float _e1187 = y_15;
            float _e1194 = vectors[(part.w - 1u) + n_15];
            y_15 = _e1187 + _e1194;
        }
        float _e1206 = y_15;
        act[(part.z + (((t0_ + my_t) + 48u) * part.y)) + n_15] = _e1206;
        return;
    } else {
        return;
    }
}
