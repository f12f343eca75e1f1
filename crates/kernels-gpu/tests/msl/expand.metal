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
struct type_9 {
    metal::float4 inner[4];
};
struct type_12 {
    metal::half4 inner[4];
};
struct type_13 {
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
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w_2 = codes_2[p.codes + i_3];
    uint _e8 = short_at(p.scales, i_3, words, _buffer_sizes);
    float _e12 = half_at(p.supers, i_3 >> 3u, words, _buffer_sizes);
    float _e13 = signed_(_e8);
    float _e16 = signed_(_e8 >> 8u);
    metal::float2 scales = _e12 * metal::float2(_e13, _e16);
    uint _e27 = words[p.bits + (i_3 * 2u)];
    metal::uint4 _e29 = double_bits(_e27, 4u);
    metal::uint4 lo = (w_2 & NIBBLES) | _e29;
    uint _e44 = words[(p.bits + (i_3 * 2u)) + 1u];
    metal::uint4 _e46 = double_bits(_e44, 4u);
    metal::uint4 hi = ((w_2 >> metal::uint4(4u)) & NIBBLES) | _e46;
    return Block {lo, hi, scales, -32.0 * scales};
}

metal::float4 four(
    uint codes,
    float s,
    float m
) {
    return (static_cast<metal::float4>(int4(as_type<packed_char4>(codes))) * s) + metal::float4(m);
}

type_9 weight16_(
    Planes p_1,
    uint i_4,
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_1, i_4 >> 1u, codes_2, words, _buffer_sizes);
    bool last = (i_4 & 1u) == 1u;
    metal::uint4 w_3 = last ? _e4.hi : _e4.lo;
    float s_2 = last ? _e4.s.y : _e4.s.x;
    float m_2 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_3.x, s_2, m_2);
    metal::float4 _e25 = four(w_3.y, s_2, m_2);
    metal::float4 _e27 = four(w_3.z, s_2, m_2);
    metal::float4 _e29 = four(w_3.w, s_2, m_2);
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

type_12 halves16_(
    Planes p_2,
    uint i_5,
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_5 >> 1u, codes_2, words, _buffer_sizes);
    bool last_1 = (i_5 & 1u) == 1u;
    metal::uint4 w_4 = last_1 ? _e4.hi : _e4.lo;
    half s_3 = static_cast<half>(last_1 ? _e4.s.y : _e4.s.x);
    half m_3 = static_cast<half>(last_1 ? _e4.m.y : _e4.m.x);
    metal::half4 _e25 = half_four(w_4.x, s_3, m_3);
    metal::half4 _e27 = half_four(w_4.y, s_3, m_3);
    metal::half4 _e29 = half_four(w_4.z, s_3, m_3);
    metal::half4 _e31 = half_four(w_4.w, s_3, m_3);
    return type_12 {{_e25, _e27, _e29, _e31}};
}

type_13 halves32_(
    Planes p_3,
    uint i_6,
    device type_5 const& codes_2,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e2 = weight(p_3, i_6, codes_2, words, _buffer_sizes);
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
    return type_13 {{_e11, _e16, _e21, _e26, _e31, _e36, _e41, _e46}};
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
, constant Params& p_4 [[user(fake0)]]
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i_7 = (((group.y * 32768u) + group.x) * WG) + me;
    uint _e12 = p_4.units;
    if (i_7 < _e12) {
        uint _e17 = p_4.planes.x;
        uint _e21 = p_4.planes.y;
        uint _e25 = p_4.planes.z;
        uint _e29 = p_4.planes.w;
        type_12 _e31 = halves16_(Planes {_e17, _e21, _e25, _e29}, i_7, codes_2, words, _buffer_sizes);
        uint _e35 = p_4.first;
        metal::uint2 _e41 = pack_four(_e31.inner[0]);
        metal::uint2 _e43 = pack_four(_e31.inner[1]);
        halves[_e35 + (i_7 * 2u)] = metal::uint4(_e41, _e43);
        uint _e48 = p_4.first;
        metal::uint2 _e56 = pack_four(_e31.inner[2]);
        metal::uint2 _e58 = pack_four(_e31.inner[3]);
        halves[(_e48 + (i_7 * 2u)) + 1u] = metal::uint4(_e56, _e58);
        return;
    } else {
        return;
    }
}
