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
    metal::uint4 w;
    metal::uint2 bits;
    uint s;
    uint d;
};
struct type_10 {
    metal::float4 inner[4];
};
struct type_13 {
    metal::half4 inner[4];
};
struct type_14 {
    metal::half4 inner[8];
};
struct Params {
    metal::uint4 planes;
    uint units;
    uint first;
    uint pad0_;
    uint pad1_;
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = false;

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

Stored stored(
    Planes p,
    uint i_3,
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 _e6 = codes_2[p.codes + i_3];
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
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e2 = stored(p_1, i_5, codes_2, words, _buffer_sizes);
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
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_6 >> 1u, codes_2, words, _buffer_sizes);
    bool last = (i_6 & 1u) == 1u;
    metal::uint4 w_2 = last ? _e4.hi : _e4.lo;
    float s_2 = last ? _e4.s.y : _e4.s.x;
    float m_2 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_2.x, s_2, m_2);
    metal::float4 _e25 = four(w_2.y, s_2, m_2);
    metal::float4 _e27 = four(w_2.z, s_2, m_2);
    metal::float4 _e29 = four(w_2.w, s_2, m_2);
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

type_13 halves16_(
    Stored v_1,
    uint i_7
) {
    Block _e4 = block_of(v_1, i_7 >> 1u);
    bool last_1 = (i_7 & 1u) == 1u;
    metal::uint4 w_3 = last_1 ? _e4.hi : _e4.lo;
    half s_3 = static_cast<half>(last_1 ? _e4.s.y : _e4.s.x);
    half m_3 = static_cast<half>(last_1 ? _e4.m.y : _e4.m.x);
    metal::half4 _e25 = half_four(w_3.x, s_3, m_3);
    metal::half4 _e27 = half_four(w_3.y, s_3, m_3);
    metal::half4 _e29 = half_four(w_3.z, s_3, m_3);
    metal::half4 _e31 = half_four(w_3.w, s_3, m_3);
    return type_13 {{_e25, _e27, _e29, _e31}};
}

type_14 halves32_(
    Stored v_2,
    uint i_8
) {
    Block _e2 = block_of(v_2, i_8);
    metal::half2 s_4 = static_cast<metal::half2>(_e2.s);
    metal::half2 m_4 = static_cast<metal::half2>(_e2.m);
    metal::half4 _e11 = half_four(_e2.lo.x, s_4.x, m_4.x);
    metal::half4 _e16 = half_four(_e2.lo.y, s_4.x, m_4.x);
    metal::half4 _e21 = half_four(_e2.lo.z, s_4.x, m_4.x);
    metal::half4 _e26 = half_four(_e2.lo.w, s_4.x, m_4.x);
    metal::half4 _e31 = half_four(_e2.hi.x, s_4.y, m_4.y);
    metal::half4 _e36 = half_four(_e2.hi.y, s_4.y, m_4.y);
    metal::half4 _e41 = half_four(_e2.hi.z, s_4.y, m_4.y);
    metal::half4 _e46 = half_four(_e2.hi.w, s_4.y, m_4.y);
    return type_14 {{_e11, _e16, _e21, _e26, _e31, _e36, _e41, _e46}};
}

metal::uint2 pack_four(
    metal::half4 w_1
) {
    return metal::uint2(as_type<uint>(half2(static_cast<metal::float2>(w_1.xy))), as_type<uint>(half2(static_cast<metal::float2>(w_1.zw))));
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_5 const& codes_2 [[user(fake0)]]
, device type_1 const& words [[user(fake0)]]
, device type_5& halves [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i_9 = (((group.y * 32768u) + group.x) * WG) + me;
    uint _e12 = p_3.units;
    if (i_9 < _e12) {
        uint _e17 = p_3.planes.x;
        uint _e21 = p_3.planes.y;
        uint _e25 = p_3.planes.z;
        uint _e29 = p_3.planes.w;
        Planes planes = Planes {_e17, _e21, _e25, _e29};
        Stored _e33 = stored(planes, i_9 >> 1u, codes_2, words, _buffer_sizes);
        type_13 _e34 = halves16_(_e33, i_9);
        uint _e38 = p_3.first;
        metal::uint2 _e44 = pack_four(_e34.inner[0]);
        metal::uint2 _e46 = pack_four(_e34.inner[1]);
        halves[_e38 + (i_9 * 2u)] = metal::uint4(_e44, _e46);
        uint _e51 = p_3.first;
        metal::uint2 _e59 = pack_four(_e34.inner[2]);
        metal::uint2 _e61 = pack_four(_e34.inner[3]);
        halves[(_e51 + (i_9 * 2u)) + 1u] = metal::uint4(_e59, _e61);
        return;
    } else {
        return;
    }
}
