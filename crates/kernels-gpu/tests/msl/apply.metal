// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size3;
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
    metal::uint4 lo;
    metal::uint4 hi;
    uint d;
    char _pad3[12];
};
struct type_9 {
    metal::float4 inner[4];
};
struct Params {
    metal::uint4 planes;
    uint x;
    uint x_row;
    uint x_item;
    uint cols;
    uint out;
    uint out_row;
    uint out_item;
    uint rows;
};
typedef float type_10[1];
struct type_11 {
    float inner[8];
};
struct type_13 {
    float inner[2];
};
constant uint WG = 32u;
constant uint SUBGROUPS = 4u;
constant uint ROWS = 2u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = false;
constant bool ONE_SCALE = true;

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
    uint i_1
) {
    metal::float2 pair = float2(as_type<half2>(word));
    return ((i_1 & 1u) == 1u) ? pair.y : pair.x;
}

uint short_of(
    uint word_1,
    uint i_2
) {
    return (word_1 >> ((i_2 & 1u) * 16u)) & 65535u;
}

uint byte_of(
    uint word_2,
    uint i_3
) {
    return (word_2 >> ((i_3 & 3u) * 8u)) & 255u;
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
    uint i_4,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 _e8 = codes_1[p.codes + (i_4 * 2u)];
    metal::uint4 _e17 = codes_1[(p.codes + (i_4 * 2u)) + 1u];
    uint _e24 = words[p.scales + (i_4 >> 1u)];
    return Stored {_e8, _e17, _e24};
}

Block block_of(
    Stored v_1,
    uint i_5
) {
    float _e5 = half_of(v_1.d, i_5);
    return Block {v_1.lo, v_1.hi, metal::float2(_e5), metal::float2(0.0)};
}

Block weight(
    Planes p_1,
    uint i_6,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e2 = stored(p_1, i_6, codes_1, words, _buffer_sizes);
    Block _e3 = block_of(_e2, i_6);
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
    uint i_7,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_7 >> 1u, codes_1, words, _buffer_sizes);
    bool last = (i_7 & 1u) == 1u;
    metal::uint4 w_1 = last ? _e4.hi : _e4.lo;
    float s_1 = last ? _e4.s.y : _e4.s.x;
    float m_1 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_1.x, s_1, m_1);
    metal::float4 _e25 = four(w_1.y, s_1, m_1);
    metal::float4 _e27 = four(w_1.z, s_1, m_1);
    metal::float4 _e29 = four(w_1.w, s_1, m_1);
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
        float sum_1 = w.s.x * static_cast<float>(as_type<int>(as_type<uint>(_e9) + as_type<uint>(_e11)));
        return HAS_MIN ? (sum_1 + (w.m.x * (low + high))) : sum_1;
    }
    int _e25 = idot(w.lo, xl);
    int _e31 = idot(w.hi, xh);
    float sum_2 = (w.s.x * static_cast<float>(_e25)) + (w.s.y * static_cast<float>(_e31));
    return HAS_MIN ? ((sum_2 + (w.m.x * low)) + (w.m.y * high)) : sum_2;
}

float value(
    uint at,
    uint i_8,
    device type_10 const& act,
    constant Params& p_3,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e5 = p_3.cols;
    float _e11 = act[at + metal::min(i_8, _e5 - 1u)];
    uint _e14 = p_3.cols;
    return (i_8 < _e14) ? _e11 : 0.0;
}
uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(32)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_5 const& codes_1 [[user(fake0)]]
, device type_1 const& words [[user(fake0)]]
, device type_10& act [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, threadgroup type_11& sums
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    type_13 sum = {};
    uint b = {};
    type_9 v = {};
    uint j = {};
    uint r = {};
    uint r_1 = 0u;
    bool local = {};
    float y = 0.0;
    uint i = 0u;
    uint _e8 = p_3.planes.x;
    uint _e12 = p_3.planes.y;
    uint _e16 = p_3.planes.z;
    uint _e20 = p_3.planes.w;
    Planes planes = Planes {_e8, _e12, _e16, _e20};
    uint first_1 = group.x * ROWS;
    uint _e27 = p_3.x;
    uint _e31 = p_3.x_row;
    uint _e37 = p_3.x_item;
    uint x = (_e27 + (group.z * _e31)) + (group.y * _e37);
    uint _e42 = p_3.cols;
    uint units = naga_div(_e42 + 31u, 32u) * 2u;
    b = me;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e132 = b;
            b = _e132 + WG;
        }
        loop_init = false;
        uint _e51 = b;
        if (_e51 < units) {
        } else {
            break;
        }
        {
            uint _e53 = b;
            uint i_9 = _e53 * 16u;
            v = type_9 {};
            j = 0u;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e81 = j;
                    j = _e81 + 1u;
                }
                loop_init_1 = false;
                uint _e60 = j;
                if (_e60 < 4u) {
                } else {
                    break;
                }
                {
                    uint _e63 = j;
                    uint at_1 = i_9 + (_e63 * 4u);
                    uint _e67 = j;
                    float _e69 = value(x, at_1, act, p_3, _buffer_sizes);
                    float _e72 = value(x, at_1 + 1u, act, p_3, _buffer_sizes);
                    float _e75 = value(x, at_1 + 2u, act, p_3, _buffer_sizes);
                    float _e78 = value(x, at_1 + 3u, act, p_3, _buffer_sizes);
                    v.inner[_e67] = metal::float4(_e69, _e72, _e75, _e78);
                }
            }
            r = 0u;
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e130 = r;
                    r = _e130 + 1u;
                }
                loop_init_2 = false;
                uint _e85 = r;
                if (_e85 < ROWS) {
                } else {
                    break;
                }
                {
                    uint _e91 = p_3.rows;
                    uint _e93 = r;
                    uint _e97 = p_3.rows;
                    uint row = (group.y * _e91) + metal::min(first_1 + _e93, _e97 - 1u);
                    uint _e103 = b;
                    type_9 _e105 = weight16_(planes, (row * units) + _e103, codes_1, words, _buffer_sizes);
                    uint _e106 = r;
                    float _e108 = sum.inner[_e106];
                    metal::float4 _e111 = v.inner[0];
                    metal::float4 _e115 = v.inner[1];
                    metal::float4 _e120 = v.inner[2];
                    metal::float4 _e125 = v.inner[3];
                    sum.inner[_e106] = _e108 + (((metal::dot(_e105.inner[0], _e111) + metal::dot(_e105.inner[1], _e115)) + metal::dot(_e105.inner[2], _e120)) + metal::dot(_e105.inner[3], _e125));
                }
            }
        }
    }
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e153 = r_1;
            r_1 = _e153 + 1u;
        }
        loop_init_3 = false;
        uint _e137 = r_1;
        if (_e137 < ROWS) {
        } else {
            break;
        }
        {
            uint _e140 = r_1;
            float _e142 = sum.inner[_e140];
            float unnamed = metal::simd_sum(_e142);
            if (lane == 0u) {
                uint _e147 = r_1;
                sums.inner[(_e147 * SUBGROUPS) + subgroup] = unnamed;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (me < ROWS) {
        uint _e162 = p_3.rows;
        local = (first_1 + me) < _e162;
    } else {
        local = false;
    }
    bool _e165 = local;
    if (_e165) {
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e187 = i;
                i = _e187 + 1u;
            }
            loop_init_4 = false;
            uint _e170 = i;
            if (_e170 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e177 = y;
                uint _e181 = i;
                float _e184 = sums.inner[(me * SUBGROUPS) + _e181];
                y = _e177 + _e184;
            }
        }
        uint _e192 = p_3.out;
        uint _e196 = p_3.out_row;
        uint _e202 = p_3.out_item;
        float _e208 = y;
        act[(((_e192 + (group.z * _e196)) + (group.y * _e202)) + first_1) + me] = _e208;
        return;
    } else {
        return;
    }
}
