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
struct Stored {
    metal::uint4 w;
    metal::uint4 head;
};
struct type_10 {
    metal::float4 inner[4];
};
struct Quantised {
    uint codes;
    char _pad1[4];
    metal::uint2 scale;
};
typedef metal::uint2 type_11[1];
struct Params {
    uint blocks;
    uint pad0_;
    uint pad1_;
    uint stride;
    metal::uint4 gate;
    metal::uint4 up;
};
struct type_12 {
    float inner[32];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint FORMAT = 1u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
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
    float gate_1,
    float up_1
) {
    switch(ACTIVATION) {
        case 1u: {
            return ((0.5 * gate_1) * (1.0 + metal::tanh(metal::clamp(0.7978846 * (gate_1 + (((0.044715 * gate_1) * gate_1) * gate_1)), -15.0, 15.0)))) * up_1;
        }
        case 2u: {
            float g = metal::min(gate_1, 7.0);
            return (g / (1.0 + metal::exp(-1.702 * g))) * (metal::clamp(up_1, -7.0, 7.0) + 1.0);
        }
        case 3u: {
            float limit = as_type<float>(LIMIT);
            return metal::min(gate_1 / (1.0 + metal::exp(-(gate_1))), limit) * metal::clamp(up_1, -(limit), limit);
        }
        case 4u: {
            return metal::max(gate_1, 0.0) * up_1;
        }
        case 5u: {
            float limit_1 = as_type<float>(LIMIT);
            float g_1 = metal::min(gate_1, limit_1);
            return (g_1 / (1.0 + metal::exp(-(g_1)))) * metal::clamp(up_1, -(limit_1), limit_1);
        }
        default: {
            return (gate_1 / (1.0 + metal::exp(-(gate_1)))) * up_1;
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

metal::float2 k_scales(
    metal::uint4 head,
    uint sub
) {
    uint at_1 = (sub & 3u) * 8u;
    metal::uint2 low_2 = metal::uint2(head.y >> at_1, head.z >> at_1);
    uint high_1 = head.w >> at_1;
    metal::uint2 first_1 = low_2 & metal::uint2(63u);
    metal::uint2 second = metal::uint2(high_1 & 15u, (high_1 >> 4u) & 15u) | (((low_2 >> metal::uint2(6u)) & metal::uint2(3u)) << metal::uint2(4u));
    return static_cast<metal::float2>((sub < 4u) ? first_1 : second);
}

Stored stored(
    Planes p,
    uint i_3,
    device type_5 const& codes_1,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 _e6 = codes_1[p.codes + i_3];
    metal::uint4 _e13 = codes_1[p.supers + (i_3 >> 3u)];
    return Stored {_e6, _e13};
}

Block block_of(
    Stored v,
    uint i_4
) {
    metal::float2 _e8 = k_scales(v.head, i_4 & 7u);
    metal::float2 d = float2(as_type<half2>(v.head.x)) * _e8;
    return Block {v.w & NIBBLES, (v.w >> metal::uint4(4u)) & NIBBLES, metal::float2(d.x), metal::float2(-(d.y))};
}

Block weight(
    Planes p_1,
    uint i_5,
    device type_5 const& codes_1,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e2 = stored(p_1, i_5, codes_1, _buffer_sizes);
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
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_6 >> 1u, codes_1, _buffer_sizes);
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
        float sum = w.s.x * static_cast<float>(as_type<int>(as_type<uint>(_e9) + as_type<uint>(_e11)));
        return HAS_MIN ? (sum + (w.m.x * (low + high))) : sum;
    }
    int _e25 = idot(w.lo, xl);
    int _e31 = idot(w.hi, xh);
    float sum_1 = (w.s.x * static_cast<float>(_e25)) + (w.s.y * static_cast<float>(_e31));
    return HAS_MIN ? ((sum_1 + (w.m.x * low)) + (w.m.y * high)) : sum_1;
}

metal::int4 naga_f2i32(metal::float4 value) {
    return static_cast<metal::int4>(metal::clamp(value, -2147483600.0, 2147483500.0));
}

Quantised quantised(
    metal::float4 values
) {
    float largest = {};
    int low_1 = {};
    metal::float4 size_1 = metal::abs(values);
    largest = metal::max(metal::max(size_1.x, size_1.y), metal::max(size_1.z, size_1.w));
    float _e10 = largest;
    float _e11 = largest;
    float unnamed = metal::simd_shuffle_xor(_e11, 1u);
    largest = metal::max(_e10, unnamed);
    float _e15 = largest;
    float _e16 = largest;
    float unnamed_1 = metal::simd_shuffle_xor(_e16, 2u);
    largest = metal::max(_e15, unnamed_1);
    float _e20 = largest;
    float _e21 = largest;
    float unnamed_2 = metal::simd_shuffle_xor(_e21, 4u);
    largest = metal::max(_e20, unnamed_2);
    float _e25 = largest;
    float _e28 = largest;
    float inverse = (_e28 > 0.0) ? (127.0 / _e25) : 0.0;
    metal::int4 q = naga_f2i32(metal::rint(values * inverse));
    low_1 = as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(q.x) + as_type<uint>(q.y))) + as_type<uint>(q.z))) + as_type<uint>(q.w));
    int _e44 = low_1;
    int _e45 = low_1;
    int unnamed_3 = metal::simd_shuffle_xor(_e45, 1u);
    low_1 = as_type<int>(as_type<uint>(_e44) + as_type<uint>(unnamed_3));
    int _e49 = low_1;
    int _e50 = low_1;
    int unnamed_4 = metal::simd_shuffle_xor(_e50, 2u);
    low_1 = as_type<int>(as_type<uint>(_e49) + as_type<uint>(unnamed_4));
    int _e54 = low_1;
    int unnamed_5 = metal::simd_shuffle_xor(_e54, 4u);
    int _e57 = low_1;
    uint sums = (as_type<uint>(_e57) & 65535u) | (as_type<uint>(unnamed_5) << 16u);
    float _e66 = largest;
    return Quantised {as_type<uint>(packed_char4(q)), {}, metal::uint2(as_type<uint>(_e66 / 127.0), sums)};
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

void prepare(
    metal::float4 values_1,
    uint me_1,
    uint at,
    uint row,
    uint stride,
    device type_1& x_words,
    device type_11& x_scales,
    constant _mslBufferSizes& _buffer_sizes
) {
    if (true) {
        Quantised _e6 = quantised(values_1);
        if (at < stride) {
            x_words[naga_div((row * stride) + at, 4u)] = _e6.codes;
            if ((me_1 & 7u) == 0u) {
                x_scales[naga_div((row * stride) + at, 32u)] = _e6.scale;
                return;
            } else {
                return;
            }
        } else {
            return;
        }
    } else {
        if (false) {
            if (at < stride) {
                uint to_2 = (row * stride) + at;
                x_words[to_2] = as_type<uint>(values_1.x);
                x_words[to_2 + 1u] = as_type<uint>(values_1.y);
                x_words[to_2 + 2u] = as_type<uint>(values_1.z);
                x_words[to_2 + 3u] = as_type<uint>(values_1.w);
                return;
            } else {
                return;
            }
        } else {
            if (false) {
                if (at < stride) {
                    uint to_3 = naga_div((row * stride) + at, 2u);
                    metal::float4 held = metal::clamp(values_1, metal::float4(-65504.0), metal::float4(65504.0));
                    x_words[to_3] = as_type<uint>(half2(held.xy));
                    x_words[to_3 + 1u] = as_type<uint>(half2(held.zw));
                    return;
                } else {
                    return;
                }
            } else {
                return;
            }
        }
    }
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_5 const& codes_1 [[user(fake0)]]
, device type_1& x_words [[user(fake0)]]
, device type_11& x_scales [[user(fake0)]]
, device type_5 const& from_codes [[user(fake0)]]
, device type_11 const& from_scales [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, threadgroup type_12& results
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint r = {};
    float gate = {};
    float up = {};
    uint b = {};
    uint _e8 = p_3.gate.x;
    uint _e12 = p_3.gate.y;
    uint _e16 = p_3.gate.z;
    uint _e20 = p_3.gate.w;
    Planes gates = Planes {_e8, _e12, _e16, _e20};
    uint _e25 = p_3.up.x;
    uint _e29 = p_3.up.y;
    uint _e33 = p_3.up.z;
    uint _e37 = p_3.up.w;
    Planes ups = Planes {_e25, _e29, _e33, _e37};
    uint blocks_of_row = p_3.blocks;
    r = subgroup;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e117 = r;
            r = _e117 + naga_div(WG, size);
        }
        loop_init = false;
        uint _e43 = r;
        if (_e43 < 32u) {
        } else {
            break;
        }
        {
            uint _e49 = r;
            uint row_1 = ((group.x * 32u) + _e49) * blocks_of_row;
            gate = 0.0;
            up = 0.0;
            b = lane;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e105 = b;
                    b = _e105 + size;
                }
                loop_init_1 = false;
                uint _e57 = b;
                if (_e57 < blocks_of_row) {
                } else {
                    break;
                }
                {
                    uint _e59 = b;
                    Block _e61 = weight(gates, row_1 + _e59, codes_1, _buffer_sizes);
                    uint _e62 = b;
                    Block _e64 = weight(ups, row_1 + _e62, codes_1, _buffer_sizes);
                    uint _e66 = b;
                    metal::uint4 low_3 = from_codes[_e66 * 2u];
                    uint _e72 = b;
                    metal::uint4 high_2 = from_codes[(_e72 * 2u) + 1u];
                    uint _e80 = b;
                    metal::uint2 xs = from_scales[_e80];
                    float scale = as_type<float>(xs.x);
                    float low_sum = static_cast<float>(as_type<int>(xs.y << 16u) >> 16u);
                    float high_sum = static_cast<float>(as_type<int>(xs.y) >> 16u);
                    float _e97 = gate;
                    float _e98 = blocks(_e61, low_3, high_2, low_sum, high_sum);
                    gate = _e97 + (scale * _e98);
                    float _e101 = up;
                    float _e102 = blocks(_e64, low_3, high_2, low_sum, high_sum);
                    up = _e101 + (scale * _e102);
                }
            }
            float _e107 = gate;
            float unnamed_6 = metal::simd_sum(_e107);
            float _e109 = up;
            float unnamed_7 = metal::simd_sum(_e109);
            if (lane == 0u) {
                uint _e114 = r;
                float _e116 = activate(unnamed_6, unnamed_7);
                results.inner[_e114] = _e116;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint i_7 = metal::min(me, 7u) * 4u;
    float _e127 = results.inner[i_7];
    float _e132 = results.inner[i_7 + 1u];
    float _e137 = results.inner[i_7 + 2u];
    float _e142 = results.inner[i_7 + 3u];
    metal::float4 values_2 = metal::float4(_e127, _e132, _e137, _e142);
    uint _e146 = p_3.stride;
    uint _e157 = p_3.stride;
    prepare(values_2, me, (me < 8u) ? ((group.x * 32u) + i_7) : _e146, 0u, _e157, x_words, x_scales, _buffer_sizes);
    return;
}
