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
typedef metal::float4 type_12[1];
struct type_13 {
    float inner[32];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint ROWS = 2u;
constant uint NT = 1u;
constant uint MATRICES = 1u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);

int idot(
    metal::uint4 a,
    metal::uint4 b_1
) {
    uint _e2 = a.x;
    uint _e3 = b_1.x;
    packed_char4 reinterpreted_packed_char4_e2 = as_type<packed_char4>(_e2);
    packed_char4 reinterpreted_packed_char4_e3 = as_type<packed_char4>(_e3);
    uint _e5 = a.y;
    uint _e6 = b_1.y;
    packed_char4 reinterpreted_packed_char4_e5 = as_type<packed_char4>(_e5);
    packed_char4 reinterpreted_packed_char4_e6 = as_type<packed_char4>(_e6);
    uint _e9 = a.z;
    uint _e10 = b_1.z;
    packed_char4 reinterpreted_packed_char4_e9 = as_type<packed_char4>(_e9);
    packed_char4 reinterpreted_packed_char4_e10 = as_type<packed_char4>(_e10);
    uint _e13 = a.w;
    uint _e14 = b_1.w;
    packed_char4 reinterpreted_packed_char4_e13 = as_type<packed_char4>(_e13);
    packed_char4 reinterpreted_packed_char4_e14 = as_type<packed_char4>(_e14);
    return as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(( + reinterpreted_packed_char4_e2[0] * reinterpreted_packed_char4_e3[0] + reinterpreted_packed_char4_e2[1] * reinterpreted_packed_char4_e3[1] + reinterpreted_packed_char4_e2[2] * reinterpreted_packed_char4_e3[2] + reinterpreted_packed_char4_e2[3] * reinterpreted_packed_char4_e3[3])) + as_type<uint>(( + reinterpreted_packed_char4_e5[0] * reinterpreted_packed_char4_e6[0] + reinterpreted_packed_char4_e5[1] * reinterpreted_packed_char4_e6[1] + reinterpreted_packed_char4_e5[2] * reinterpreted_packed_char4_e6[2] + reinterpreted_packed_char4_e5[3] * reinterpreted_packed_char4_e6[3])))) + as_type<uint>(( + reinterpreted_packed_char4_e9[0] * reinterpreted_packed_char4_e10[0] + reinterpreted_packed_char4_e9[1] * reinterpreted_packed_char4_e10[1] + reinterpreted_packed_char4_e9[2] * reinterpreted_packed_char4_e10[2] + reinterpreted_packed_char4_e9[3] * reinterpreted_packed_char4_e10[3])))) + as_type<uint>(( + reinterpreted_packed_char4_e13[0] * reinterpreted_packed_char4_e14[0] + reinterpreted_packed_char4_e13[1] * reinterpreted_packed_char4_e14[1] + reinterpreted_packed_char4_e13[2] * reinterpreted_packed_char4_e14[2] + reinterpreted_packed_char4_e13[3] * reinterpreted_packed_char4_e14[3])));
}

float activate(
    float gate,
    float up_1
) {
    switch(ACTIVATION) {
        case 1u: {
            return ((0.5 * gate) * (1.0 + metal::tanh(metal::clamp(0.7978846 * (gate + (((0.044715 * gate) * gate) * gate)), -15.0, 15.0)))) * up_1;
        }
        case 2u: {
            float g = metal::min(gate, 7.0);
            return (g / (1.0 + metal::exp(-1.702 * g))) * (metal::clamp(up_1, -7.0, 7.0) + 1.0);
        }
        case 3u: {
            float limit = as_type<float>(LIMIT);
            return metal::min(gate / (1.0 + metal::exp(-(gate))), limit) * metal::clamp(up_1, -(limit), limit);
        }
        case 4u: {
            return metal::max(gate, 0.0) * up_1;
        }
        case 5u: {
            float limit_1 = as_type<float>(LIMIT);
            float g_1 = metal::min(gate, limit_1);
            return (g_1 / (1.0 + metal::exp(-(g_1)))) * metal::clamp(up_1, -(limit_1), limit_1);
        }
        default: {
            return (gate / (1.0 + metal::exp(-(gate)))) * up_1;
        }
    }
}

float half_of(
    uint word,
    uint i_2
) {
    metal::float2 pair = float2(as_type<half2>(word));
    return ((i_2 & 1u) == 1u) ? pair.y : pair.x;
}

uint short_of(
    uint word_1,
    uint i_3
) {
    return (word_1 >> ((i_3 & 1u) * 16u)) & 65535u;
}

uint byte_of(
    uint word_2,
    uint i_4
) {
    return (word_2 >> ((i_4 & 3u) * 8u)) & 255u;
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
    uint i_5,
    device type_5 const& codes,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w = codes[p.codes + i_5];
    return type_8 {{metal::float4(float2(as_type<half2>(w.x)), float2(as_type<half2>(w.y))), metal::float4(float2(as_type<half2>(w.z)), float2(as_type<half2>(w.w)))}};
}

type_9 weight16_(
    Planes p_1,
    uint i_6,
    device type_5 const& codes,
    constant _mslBufferSizes& _buffer_sizes
) {
    type_8 _e4 = weight8_(p_1, i_6 * 2u, codes, _buffer_sizes);
    type_8 _e9 = weight8_(p_1, (i_6 * 2u) + 1u, codes, _buffer_sizes);
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
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5 const& codes [[user(fake0)]]
, device type_11& act [[user(fake0)]]
, device type_12 const& x [[user(fake0)]]
, constant Params& p_2 [[user(fake0)]]
, device type_11 const& vectors [[user(fake0)]]
, threadgroup type_13& sums
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint k = 0u;
    bool local = {};
    float sum0_0_0_ = 0.0;
    float sum0_1_0_ = 0.0;
    uint b = {};
    bool local_1 = {};
    float y = 0.0;
    uint i = 0u;
    float up = 0.0;
    uint i_1 = 0u;
    uint _e8 = p_2.rows;
    uint tokens = step[_e8];
    uint t0_ = group.y * NT;
    uint2 loop_bound = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        uint _e16 = k;
        uint _e21 = p_2.count;
        if ((_e16 + 1u) < _e21) {
            uint _e28 = k;
            uint _e35 = p_2.parts.inner[(_e28 + 1u) * 2u].x;
            local = group.x >= _e35;
        } else {
            local = false;
        }
        bool _e38 = local;
        if (_e38) {
        } else {
            break;
        }
        {
            uint _e40 = k;
            k = _e40 + 1u;
        }
    }
    uint _e44 = k;
    metal::uint4 part = p_2.parts.inner[_e44 * 2u];
    uint first_1 = (group.x - part.x) * ROWS;
    uint _e56 = p_2.blocks;
    uint units = _e56 * 4u;
    uint _e61 = k;
    metal::uint4 at0_ = p_2.parts.inner[((_e61 * 2u) + 1u) + 0u];
    Planes planes0_ = Planes {at0_.x, at0_.y, at0_.z, at0_.w};
    uint row0_ = metal::min(first_1 + 0u, part.y - 1u) * units;
    uint row1_ = metal::min(first_1 + 1u, part.y - 1u) * units;
    uint x0_ = metal::min(t0_ + 0u, tokens - 1u) * units;
    b = me;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e138 = b;
            b = _e138 + WG;
        }
        loop_init = false;
        uint _e100 = b;
        if (_e100 < units) {
        } else {
            break;
        }
        {
            uint _e102 = b;
            type_8 _e104 = weight8_(planes0_, row0_ + _e102, codes, _buffer_sizes);
            uint _e105 = b;
            type_8 _e107 = weight8_(planes0_, row1_ + _e105, codes, _buffer_sizes);
            uint _e109 = b;
            metal::float4 xa0_ = x[(x0_ + _e109) * 2u];
            uint _e116 = b;
            metal::float4 xb0_ = x[((x0_ + _e116) * 2u) + 1u];
            float _e124 = sum0_0_0_;
            sum0_0_0_ = _e124 + (metal::dot(_e104.inner[0], xa0_) + metal::dot(_e104.inner[1], xb0_));
            float _e131 = sum0_1_0_;
            sum0_1_0_ = _e131 + (metal::dot(_e107.inner[0], xa0_) + metal::dot(_e107.inner[1], xb0_));
        }
    }
    float _e141 = sum0_0_0_;
    float unnamed = metal::simd_sum(_e141);
    if (lane == 0u) {
        sums.inner[0u + subgroup] = unnamed;
    }
    float _e149 = sum0_1_0_;
    float unnamed_1 = metal::simd_sum(_e149);
    if (lane == 0u) {
        sums.inner[16u + subgroup] = unnamed_1;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (me < 2u) {
        uint row = first_1 + naga_div(me, NT);
        uint t = t0_ + naga_mod(me, NT);
        if (row < part.y) {
            local_1 = t < tokens;
        } else {
            local_1 = false;
        }
        bool _e171 = local_1;
        if (_e171) {
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e193 = i;
                    i = _e193 + 1u;
                }
                loop_init_1 = false;
                uint _e176 = i;
                if (_e176 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e183 = y;
                    uint _e187 = i;
                    float _e190 = sums.inner[(me * SUBGROUPS) + _e187];
                    y = _e183 + _e190;
                }
            }
            if (part.w > 0u) {
                float _e198 = y;
                float _e205 = vectors[(part.w - 1u) + row];
                y = _e198 + _e205;
            }
            if (false) {
                uint2 loop_bound_3 = uint2(4294967295u);
                bool loop_init_2 = true;
                while(true) {
                    if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                    loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                    if (!loop_init_2) {
                        uint _e231 = i_1;
                        i_1 = _e231 + 1u;
                    }
                    loop_init_2 = false;
                    uint _e212 = i_1;
                    if (_e212 < naga_div((WG + size) - 1u, size)) {
                    } else {
                        break;
                    }
                    {
                        float _e219 = up;
                        uint _e225 = i_1;
                        float _e228 = sums.inner[((2u + me) * SUBGROUPS) + _e225];
                        up = _e219 + _e228;
                    }
                }
                float _e233 = y;
                float _e234 = up;
                float _e235 = activate(_e233, _e234);
                y = _e235;
            }
            float _e243 = y;
            act[(part.z + (t * part.y)) + row] = _e243;
            return;
        } else {
            return;
        }
    } else {
        return;
    }
}
