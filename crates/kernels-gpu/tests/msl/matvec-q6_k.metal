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
    uint size5;
    uint size7;
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
    metal::uint2 bits;
    uint s;
    uint d;
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
};
typedef float type_12[1];
typedef metal::uint2 type_13[1];
struct type_14 {
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
constant bool HAS_MIN = true;
constant bool ONE_SCALE = false;
constant uint RESULTS = 2u;

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

Stored stored(
    Planes p,
    uint i_3,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 _e6 = codes_1[p.codes + i_3];
    uint _e13 = words[p.bits + (i_3 * 2u)];
    uint _e22 = words[(p.bits + (i_3 * 2u)) + 1u];
    uint _e30 = words[p.scales + (i_3 >> 1u)];
    uint _e37 = words[p.supers + (i_3 >> 4u)];
    return Stored {_e6, metal::uint2(_e13, _e22), _e30, _e37};
}

Block block_of(
    Stored v,
    uint i_4
) {
    uint _e3 = short_of(v.s, i_4);
    float _e7 = half_of(v.d, i_4 >> 3u);
    float _e8 = signed_(_e3);
    float _e11 = signed_(_e3 >> 8u);
    metal::float2 scales = _e7 * metal::float2(_e8, _e11);
    metal::uint4 _e20 = double_bits(v.bits.x, 4u);
    metal::uint4 lo = (v.w & NIBBLES) | _e20;
    metal::uint4 _e31 = double_bits(v.bits.y, 4u);
    metal::uint4 hi = ((v.w >> metal::uint4(4u)) & NIBBLES) | _e31;
    return Block {lo, hi, scales, -32.0 * scales};
}

Block weight(
    Planes p_1,
    uint i_5,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e2 = stored(p_1, i_5, codes_1, words, _buffer_sizes);
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
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_6 >> 1u, codes_1, words, _buffer_sizes);
    bool last = (i_6 & 1u) == 1u;
    metal::uint4 w_1 = last ? _e4.hi : _e4.lo;
    float s_1 = last ? _e4.s.y : _e4.s.x;
    float m_1 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_1.x, s_1, m_1);
    metal::float4 _e25 = four(w_1.y, s_1, m_1);
    metal::float4 _e27 = four(w_1.z, s_1, m_1);
    metal::float4 _e29 = four(w_1.w, s_1, m_1);
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
        float sum_1 = w.s.x * static_cast<float>(as_type<int>(as_type<uint>(_e9) + as_type<uint>(_e11)));
        return HAS_MIN ? (sum_1 + (w.m.x * (low + high))) : sum_1;
    }
    int _e25 = idot(w.lo, xl);
    int _e31 = idot(w.hi, xh);
    float sum_2 = (w.s.x * static_cast<float>(_e25)) + (w.s.y * static_cast<float>(_e31));
    return HAS_MIN ? ((sum_2 + (w.m.x * low)) + (w.m.y * high)) : sum_2;
}

float sum_of(
    uint value,
    uint subgroups,
    threadgroup type_14& sums
) {
    float sum = 0.0;
    uint i_7 = 0u;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e18 = i_7;
            i_7 = _e18 + 1u;
        }
        loop_init = false;
        uint _e6 = i_7;
        if (_e6 < subgroups) {
        } else {
            break;
        }
        {
            float _e8 = sum;
            uint _e12 = i_7;
            float _e15 = sums.inner[(value * SUBGROUPS) + _e12];
            sum = _e8 + _e15;
        }
    }
    float _e20 = sum;
    return _e20;
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
, device type_5 const& codes_1 [[user(fake0)]]
, device type_1 const& words [[user(fake0)]]
, device type_12& act [[user(fake0)]]
, device type_5 const& x_codes [[user(fake0)]]
, device type_13 const& x_scales [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, device type_12 const& vectors [[user(fake0)]]
, threadgroup type_14& sums
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint k = 0u;
    bool local = {};
    float sum0_0_0_ = 0.0;
    float sum0_1_0_ = 0.0;
    uint b = {};
    bool local_1 = {};
    float y = {};
    float up = 0.0;
    uint _e8 = p_3.rows;
    uint tokens = step[_e8];
    uint t0_ = group.y * NT;
    uint2 loop_bound_1 = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        uint _e16 = k;
        uint _e21 = p_3.count;
        if ((_e16 + 1u) < _e21) {
            uint _e28 = k;
            uint _e35 = p_3.parts.inner[(_e28 + 1u) * 2u].x;
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
    metal::uint4 part = p_3.parts.inner[_e44 * 2u];
    uint first_1 = (group.x - part.x) * ROWS;
    uint units = p_3.blocks;
    uint _e59 = k;
    metal::uint4 at0_ = p_3.parts.inner[((_e59 * 2u) + 1u) + 0u];
    Planes planes0_ = Planes {at0_.x, at0_.y, at0_.z, at0_.w};
    uint row0_ = metal::min(first_1 + 0u, part.y - 1u) * units;
    uint row1_ = metal::min(first_1 + 1u, part.y - 1u) * units;
    uint x0_ = metal::min(t0_ + 0u, tokens - 1u) * units;
    b = me;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e149 = b;
            b = _e149 + WG;
        }
        loop_init_1 = false;
        uint _e98 = b;
        if (_e98 < units) {
        } else {
            break;
        }
        {
            uint _e100 = b;
            Block _e102 = weight(planes0_, row0_ + _e100, codes_1, words, _buffer_sizes);
            uint _e103 = b;
            Block _e105 = weight(planes0_, row1_ + _e103, codes_1, words, _buffer_sizes);
            uint _e107 = b;
            metal::uint4 xl0_ = x_codes[(x0_ + _e107) * 2u];
            uint _e114 = b;
            metal::uint4 xh0_ = x_codes[((x0_ + _e114) * 2u) + 1u];
            uint _e123 = b;
            metal::uint2 xs0_ = x_scales[x0_ + _e123];
            float scale0_ = as_type<float>(xs0_.x);
            float low0_ = static_cast<float>(as_type<int>(xs0_.y << 16u) >> 16u);
            float high0_ = static_cast<float>(as_type<int>(xs0_.y) >> 16u);
            float _e141 = sum0_0_0_;
            float _e142 = blocks(_e102, xl0_, xh0_, low0_, high0_);
            sum0_0_0_ = _e141 + (scale0_ * _e142);
            float _e145 = sum0_1_0_;
            float _e146 = blocks(_e105, xl0_, xh0_, low0_, high0_);
            sum0_1_0_ = _e145 + (scale0_ * _e146);
        }
    }
    float _e152 = sum0_0_0_;
    float unnamed = metal::simd_sum(_e152);
    if (lane == 0u) {
        sums.inner[0u + subgroup] = unnamed;
    }
    float _e160 = sum0_1_0_;
    float unnamed_1 = metal::simd_sum(_e160);
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
        bool _e182 = local_1;
        if (_e182) {
            uint subgroups_1 = naga_div((WG + size) - 1u, size);
            float _e188 = sum_of(me, subgroups_1, sums);
            y = _e188;
            if (false) {
                float _e195 = sum_of(2u + me, subgroups_1, sums);
                up = _e195;
            }
            if (part.w > 0u) {
                float _e199 = y;
                float _e206 = vectors[(part.w - 1u) + row];
                y = _e199 + _e206;
            }
            if (false) {
                float _e209 = y;
                float _e210 = up;
                float _e211 = activate(_e209, _e210);
                y = _e211;
            }
            float _e219 = y;
            act[(part.z + (t * part.y)) + row] = _e219;
            return;
        } else {
            return;
        }
    } else {
        return;
    }
}
