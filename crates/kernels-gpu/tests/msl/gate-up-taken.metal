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
struct type_12 {
    float inner[256];
};
typedef metal::float4 type_13[1];
struct type_14 {
    metal::uint4 inner[256];
};
struct type_15 {
    metal::uint2 inner[128];
};
struct Params {
    uint x;
    uint norm;
    uint width;
    uint stride;
    metal::uint4 gate;
    metal::uint4 up;
};
struct type_16 {
    float inner[32];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint FORMAT = 1u;
constant uint TAKEN = 128u;
constant uint FOURS = 4u;
constant uint EPS = 925353388u;
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
    metal::float4 size_4 = metal::abs(values);
    largest = metal::max(metal::max(size_4.x, size_4.y), metal::max(size_4.z, size_4.w));
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

float workgroup_sum(
    float value,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_12& sum_parts
) {
    float total = 0.0;
    uint i_7 = 0u;
    float unnamed_6 = metal::simd_sum(value);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_1 == 0u) {
        sum_parts.inner[subgroup_1] = unnamed_6;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e27 = i_7;
            i_7 = _e27 + 1u;
        }
        loop_init = false;
        uint _e13 = i_7;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total;
            uint _e22 = i_7;
            float _e24 = sum_parts.inner[_e22];
            total = _e20 + _e24;
        }
    }
    float _e29 = total;
    return _e29;
}

float workgroup_max(
    float value_1,
    uint lane_2,
    uint subgroup_2,
    uint size_2,
    threadgroup type_12& sum_parts
) {
    float largest_1 = {};
    uint i_8 = 1u;
    float unnamed_7 = metal::simd_max(value_1);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_2 == 0u) {
        sum_parts.inner[subgroup_2] = unnamed_7;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    float _e11 = sum_parts.inner[0];
    largest_1 = _e11;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e29 = i_8;
            i_8 = _e29 + 1u;
        }
        loop_init_1 = false;
        uint _e15 = i_8;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest_1;
            uint _e24 = i_8;
            float _e26 = sum_parts.inner[_e24];
            largest_1 = metal::max(_e22, _e26);
        }
    }
    float _e31 = largest_1;
    return _e31;
}

void take(
    uint x,
    uint weight_1,
    uint width,
    uint me_2,
    uint lane_3,
    uint subgroup_3,
    uint size_3,
    threadgroup type_12& sum_parts,
    device type_13 const& act,
    device type_13 const& vectors,
    threadgroup type_14& from_codes,
    threadgroup type_15& from_scales,
    constant _mslBufferSizes& _buffer_sizes
) {
    float squares = 0.0;
    uint i0_ = me_2 + 0u;
    bool known0_ = (i0_ * 4u) < width;
    uint at0_ = metal::min(i0_, naga_div(width, 4u) - 1u);
    metal::float4 _e24 = act[naga_div(x, 4u) + at0_];
    metal::float4 v0_ = known0_ ? _e24 : metal::float4(0.0);
    metal::float4 _e33 = vectors[naga_div(weight_1, 4u) + at0_];
    metal::float4 w0_ = known0_ ? _e33 : metal::float4(0.0);
    float _e37 = squares;
    squares = _e37 + metal::dot(v0_, v0_);
    uint i1_ = me_2 + 256u;
    bool known1_ = (i1_ * 4u) < width;
    uint at1_ = metal::min(i1_, naga_div(width, 4u) - 1u);
    metal::float4 _e55 = act[naga_div(x, 4u) + at1_];
    metal::float4 v1_ = known1_ ? _e55 : metal::float4(0.0);
    metal::float4 _e64 = vectors[naga_div(weight_1, 4u) + at1_];
    metal::float4 w1_ = known1_ ? _e64 : metal::float4(0.0);
    float _e68 = squares;
    squares = _e68 + metal::dot(v1_, v1_);
    uint i2_ = me_2 + 512u;
    bool known2_ = (i2_ * 4u) < width;
    uint at2_ = metal::min(i2_, naga_div(width, 4u) - 1u);
    metal::float4 _e86 = act[naga_div(x, 4u) + at2_];
    metal::float4 v2_ = known2_ ? _e86 : metal::float4(0.0);
    metal::float4 _e95 = vectors[naga_div(weight_1, 4u) + at2_];
    metal::float4 w2_ = known2_ ? _e95 : metal::float4(0.0);
    float _e99 = squares;
    squares = _e99 + metal::dot(v2_, v2_);
    uint i3_ = me_2 + 768u;
    bool known3_ = (i3_ * 4u) < width;
    uint at3_ = metal::min(i3_, naga_div(width, 4u) - 1u);
    metal::float4 _e117 = act[naga_div(x, 4u) + at3_];
    metal::float4 v3_ = known3_ ? _e117 : metal::float4(0.0);
    metal::float4 _e126 = vectors[naga_div(weight_1, 4u) + at3_];
    metal::float4 w3_ = known3_ ? _e126 : metal::float4(0.0);
    float _e130 = squares;
    squares = _e130 + metal::dot(v3_, v3_);
    float _e133 = squares;
    float _e134 = workgroup_sum(_e133, lane_3, subgroup_3, size_3, sum_parts);
    float scale = 1.0 / metal::sqrt((_e134 / static_cast<float>(width)) + as_type<float>(EPS));
    metal::float4 y0_ = (v0_ * scale) * w0_;
    Quantised _e145 = quantised(y0_);
    uint unnamed_8 = metal::simd_shuffle_xor(_e145.codes, 1u);
    uint unnamed_9 = metal::simd_shuffle_xor(_e145.codes, 2u);
    uint unnamed_10 = metal::simd_shuffle_xor(_e145.codes, 3u);
    metal::uint4 whole0_ = metal::uint4(_e145.codes, unnamed_8, unnamed_9, unnamed_10);
    if (i0_ < 1024u) {
        if ((me_2 & 3u) == 0u) {
            from_codes.inner[naga_div(i0_, 4u)] = whole0_;
        }
        if ((me_2 & 7u) == 0u) {
            from_scales.inner[naga_div(i0_, 8u)] = _e145.scale;
        }
    }
    metal::float4 y1_ = (v1_ * scale) * w1_;
    Quantised _e178 = quantised(y1_);
    uint unnamed_11 = metal::simd_shuffle_xor(_e178.codes, 1u);
    uint unnamed_12 = metal::simd_shuffle_xor(_e178.codes, 2u);
    uint unnamed_13 = metal::simd_shuffle_xor(_e178.codes, 3u);
    metal::uint4 whole1_ = metal::uint4(_e178.codes, unnamed_11, unnamed_12, unnamed_13);
    if (i1_ < 1024u) {
        if ((me_2 & 3u) == 0u) {
            from_codes.inner[naga_div(i1_, 4u)] = whole1_;
        }
        if ((me_2 & 7u) == 0u) {
            from_scales.inner[naga_div(i1_, 8u)] = _e178.scale;
        }
    }
    metal::float4 y2_ = (v2_ * scale) * w2_;
    Quantised _e211 = quantised(y2_);
    uint unnamed_14 = metal::simd_shuffle_xor(_e211.codes, 1u);
    uint unnamed_15 = metal::simd_shuffle_xor(_e211.codes, 2u);
    uint unnamed_16 = metal::simd_shuffle_xor(_e211.codes, 3u);
    metal::uint4 whole2_ = metal::uint4(_e211.codes, unnamed_14, unnamed_15, unnamed_16);
    if (i2_ < 1024u) {
        if ((me_2 & 3u) == 0u) {
            from_codes.inner[naga_div(i2_, 4u)] = whole2_;
        }
        if ((me_2 & 7u) == 0u) {
            from_scales.inner[naga_div(i2_, 8u)] = _e211.scale;
        }
    }
    metal::float4 y3_ = (v3_ * scale) * w3_;
    Quantised _e244 = quantised(y3_);
    uint unnamed_17 = metal::simd_shuffle_xor(_e244.codes, 1u);
    uint unnamed_18 = metal::simd_shuffle_xor(_e244.codes, 2u);
    uint unnamed_19 = metal::simd_shuffle_xor(_e244.codes, 3u);
    metal::uint4 whole3_ = metal::uint4(_e244.codes, unnamed_17, unnamed_18, unnamed_19);
    if (i3_ < 1024u) {
        if ((me_2 & 3u) == 0u) {
            from_codes.inner[naga_div(i3_, 4u)] = whole3_;
        }
        if ((me_2 & 7u) == 0u) {
            from_scales.inner[naga_div(i3_, 8u)] = _e244.scale;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
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
, threadgroup type_12& sum_parts
, device type_13 const& act [[user(fake0)]]
, device type_13 const& vectors [[user(fake0)]]
, threadgroup type_14& from_codes
, threadgroup type_15& from_scales
, constant Params& p_3 [[user(fake0)]]
, threadgroup type_16& results
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
    uint _e42 = p_3.x;
    uint _e45 = p_3.norm;
    uint _e48 = p_3.width;
    take(_e42, _e45, _e48, me, lane, subgroup, size, sum_parts, act, vectors, from_codes, from_scales, _buffer_sizes);
    r = subgroup;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e124 = r;
            r = _e124 + naga_div(WG, size);
        }
        loop_init_2 = false;
        uint _e50 = r;
        if (_e50 < 32u) {
        } else {
            break;
        }
        {
            uint _e56 = r;
            uint row_1 = ((group.x * 32u) + _e56) * TAKEN;
            gate = 0.0;
            up = 0.0;
            b = lane;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e112 = b;
                    b = _e112 + size;
                }
                loop_init_3 = false;
                uint _e64 = b;
                if (_e64 < TAKEN) {
                } else {
                    break;
                }
                {
                    uint _e66 = b;
                    Block _e68 = weight(gates, row_1 + _e66, codes_1, _buffer_sizes);
                    uint _e69 = b;
                    Block _e71 = weight(ups, row_1 + _e69, codes_1, _buffer_sizes);
                    uint _e73 = b;
                    metal::uint4 low_3 = from_codes.inner[_e73 * 2u];
                    uint _e79 = b;
                    metal::uint4 high_2 = from_codes.inner[(_e79 * 2u) + 1u];
                    uint _e87 = b;
                    metal::uint2 xs = from_scales.inner[_e87];
                    float scale_1 = as_type<float>(xs.x);
                    float low_sum = static_cast<float>(as_type<int>(xs.y << 16u) >> 16u);
                    float high_sum = static_cast<float>(as_type<int>(xs.y) >> 16u);
                    float _e104 = gate;
                    float _e105 = blocks(_e68, low_3, high_2, low_sum, high_sum);
                    gate = _e104 + (scale_1 * _e105);
                    float _e108 = up;
                    float _e109 = blocks(_e71, low_3, high_2, low_sum, high_sum);
                    up = _e108 + (scale_1 * _e109);
                }
            }
            float _e114 = gate;
            float unnamed_20 = metal::simd_sum(_e114);
            float _e116 = up;
            float unnamed_21 = metal::simd_sum(_e116);
            if (lane == 0u) {
                uint _e121 = r;
                float _e123 = activate(unnamed_20, unnamed_21);
                results.inner[_e121] = _e123;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint i_9 = metal::min(me, 7u) * 4u;
    float _e134 = results.inner[i_9];
    float _e139 = results.inner[i_9 + 1u];
    float _e144 = results.inner[i_9 + 2u];
    float _e149 = results.inner[i_9 + 3u];
    metal::float4 values_2 = metal::float4(_e134, _e139, _e144, _e149);
    uint _e153 = p_3.stride;
    uint _e164 = p_3.stride;
    prepare(values_2, me, (me < 8u) ? ((group.x * 32u) + i_9) : _e153, 0u, _e164, x_words, x_scales, _buffer_sizes);
    return;
}
