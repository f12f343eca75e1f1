// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size4;
    uint size5;
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
    uint d;
    char _pad2[12];
};
struct type_9 {
    metal::float4 inner[4];
};
struct Quantised {
    uint codes;
    char _pad1[4];
    metal::uint2 scale;
};
struct type_11 {
    float inner[256];
};
typedef metal::float4 type_12[1];
struct type_13 {
    metal::uint4 inner[256];
};
struct type_14 {
    metal::uint2 inner[128];
};
struct type_15 {
    metal::uint4 inner[12];
};
struct Params {
    uint x;
    uint norm;
    uint width;
    uint count;
    type_15 parts;
};
struct type_16 {
    float inner[32];
};
constant uint WG = 512u;
constant uint SUBGROUPS = 64u;
constant uint ROWS = 32u;
constant uint MATRICES = 1u;
constant uint TAKEN = 128u;
constant uint FOURS = 2u;
constant uint EPS = 925353388u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint UNITS = 1u;

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
    metal::uint4 _e6 = codes_1[p.codes + i_4];
    uint _e13 = words[p.scales + (i_4 >> 1u)];
    return Stored {_e6, _e13};
}

Block block_of(
    Stored v,
    uint i_5
) {
    float _e3 = half_of(v.d, i_5);
    return Block {v.w & NIBBLES, (v.w >> metal::uint4(4u)) & NIBBLES, metal::float2(_e3), metal::float2(-8.0 * _e3)};
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

float workgroup_sum(
    float value,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_11& sum_parts
) {
    float total = 0.0;
    uint i_8 = 0u;
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
            uint _e27 = i_8;
            i_8 = _e27 + 1u;
        }
        loop_init = false;
        uint _e13 = i_8;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total;
            uint _e22 = i_8;
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
    threadgroup type_11& sum_parts
) {
    float largest_1 = {};
    uint i_9 = 1u;
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
            uint _e29 = i_9;
            i_9 = _e29 + 1u;
        }
        loop_init_1 = false;
        uint _e15 = i_9;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest_1;
            uint _e24 = i_9;
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
    uint me_1,
    uint lane_3,
    uint subgroup_3,
    uint size_3,
    threadgroup type_11& sum_parts,
    device type_12 const& act,
    device type_12 const& vectors,
    threadgroup type_13& from_codes,
    threadgroup type_14& from_scales,
    constant _mslBufferSizes& _buffer_sizes
) {
    float squares = 0.0;
    uint i0_ = me_1 + 0u;
    bool known0_ = (i0_ * 4u) < width;
    uint at0_ = metal::min(i0_, naga_div(width, 4u) - 1u);
    metal::float4 _e24 = act[naga_div(x, 4u) + at0_];
    metal::float4 v0_ = known0_ ? _e24 : metal::float4(0.0);
    metal::float4 _e33 = vectors[naga_div(weight_1, 4u) + at0_];
    metal::float4 w0_ = known0_ ? _e33 : metal::float4(0.0);
    float _e37 = squares;
    squares = _e37 + metal::dot(v0_, v0_);
    uint i1_ = me_1 + 512u;
    bool known1_ = (i1_ * 4u) < width;
    uint at1_ = metal::min(i1_, naga_div(width, 4u) - 1u);
    metal::float4 _e55 = act[naga_div(x, 4u) + at1_];
    metal::float4 v1_ = known1_ ? _e55 : metal::float4(0.0);
    metal::float4 _e64 = vectors[naga_div(weight_1, 4u) + at1_];
    metal::float4 w1_ = known1_ ? _e64 : metal::float4(0.0);
    float _e68 = squares;
    squares = _e68 + metal::dot(v1_, v1_);
    float _e71 = squares;
    float _e72 = workgroup_sum(_e71, lane_3, subgroup_3, size_3, sum_parts);
    float scale = 1.0 / metal::sqrt((_e72 / static_cast<float>(width)) + as_type<float>(EPS));
    metal::float4 y0_ = (v0_ * scale) * w0_;
    Quantised _e83 = quantised(y0_);
    uint unnamed_8 = metal::simd_shuffle_xor(_e83.codes, 1u);
    uint unnamed_9 = metal::simd_shuffle_xor(_e83.codes, 2u);
    uint unnamed_10 = metal::simd_shuffle_xor(_e83.codes, 3u);
    metal::uint4 whole0_ = metal::uint4(_e83.codes, unnamed_8, unnamed_9, unnamed_10);
    if (i0_ < 1024u) {
        if ((me_1 & 3u) == 0u) {
            from_codes.inner[naga_div(i0_, 4u)] = whole0_;
        }
        if ((me_1 & 7u) == 0u) {
            from_scales.inner[naga_div(i0_, 8u)] = _e83.scale;
        }
    }
    metal::float4 y1_ = (v1_ * scale) * w1_;
    Quantised _e116 = quantised(y1_);
    uint unnamed_11 = metal::simd_shuffle_xor(_e116.codes, 1u);
    uint unnamed_12 = metal::simd_shuffle_xor(_e116.codes, 2u);
    uint unnamed_13 = metal::simd_shuffle_xor(_e116.codes, 3u);
    metal::uint4 whole1_ = metal::uint4(_e116.codes, unnamed_11, unnamed_12, unnamed_13);
    if (i1_ < 1024u) {
        if ((me_1 & 3u) == 0u) {
            from_codes.inner[naga_div(i1_, 4u)] = whole1_;
        }
        if ((me_1 & 7u) == 0u) {
            from_scales.inner[naga_div(i1_, 8u)] = _e116.scale;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}

float product_of(
    Planes planes,
    uint i_10,
    uint b_2,
    device type_5 const& codes_1,
    device type_1 const& words,
    threadgroup type_13& from_codes,
    threadgroup type_14& from_scales,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint2 xs = from_scales.inner[b_2];
    float low_2 = static_cast<float>(as_type<int>(xs.y << 16u) >> 16u);
    float high_1 = static_cast<float>(as_type<int>(xs.y) >> 16u);
    Block _e20 = weight(planes, i_10, codes_1, words, _buffer_sizes);
    metal::uint4 _e25 = from_codes.inner[b_2 * 2u];
    metal::uint4 _e32 = from_codes.inner[(b_2 * 2u) + 1u];
    float _e33 = blocks(_e20, _e25, _e32, low_2, high_1);
    return as_type<float>(xs.x) * _e33;
}

metal::float4 results_at(
    uint i_11,
    threadgroup type_16& results
) {
    float _e3 = results.inner[i_11];
    float _e8 = results.inner[i_11 + 1u];
    float _e13 = results.inner[i_11 + 2u];
    float _e18 = results.inner[i_11 + 3u];
    return metal::float4(_e3, _e8, _e13, _e18);
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(512)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_5 const& codes_1 [[user(fake0)]]
, device type_1 const& words [[user(fake0)]]
, threadgroup type_11& sum_parts
, device type_12& act [[user(fake0)]]
, device type_12 const& vectors [[user(fake0)]]
, threadgroup type_13& from_codes
, threadgroup type_14& from_scales
, constant Params& p_3 [[user(fake0)]]
, threadgroup type_16& results
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint k = 0u;
    bool local = {};
    uint r = {};
    float sum0_0_ = {};
    float sum0_1_ = {};
    uint b = {};
    uint i = {};
    metal::float4 y = {};
    uint2 loop_bound_2 = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        uint _e7 = k;
        uint _e12 = p_3.count;
        if ((_e7 + 1u) < _e12) {
            uint _e19 = k;
            uint _e26 = p_3.parts.inner[(_e19 + 1u) * 2u].x;
            local = group.x >= _e26;
        } else {
            local = false;
        }
        bool _e29 = local;
        if (_e29) {
        } else {
            break;
        }
        {
            uint _e31 = k;
            k = _e31 + 1u;
        }
    }
    uint _e35 = k;
    metal::uint4 part = p_3.parts.inner[_e35 * 2u];
    uint _e42 = k;
    metal::uint4 at0_1 = p_3.parts.inner[((_e42 * 2u) + 1u) + 0u];
    Planes planes0_ = Planes {at0_1.x, at0_1.y, at0_1.z, at0_1.w};
    uint first_1 = (group.x - part.x) * ROWS;
    uint _e63 = p_3.x;
    uint _e66 = p_3.norm;
    uint _e69 = p_3.width;
    take(_e63, _e66, _e69, me, lane, subgroup, size, sum_parts, act, vectors, from_codes, from_scales, _buffer_sizes);
    r = subgroup * 2u;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e140 = r;
            r = _e140 + (naga_div(WG, size) * 2u);
        }
        loop_init_2 = false;
        uint _e73 = r;
        if (_e73 < ROWS) {
        } else {
            break;
        }
        {
            uint _e76 = r;
            uint row0_ = metal::min((first_1 + _e76) + 0u, part.y - 1u) * 128u;
            sum0_0_ = 0.0;
            uint _e88 = r;
            uint row1_ = metal::min((first_1 + _e88) + 1u, part.y - 1u) * 128u;
            sum0_1_ = 0.0;
            b = lane;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e116 = b;
                    b = _e116 + size;
                }
                loop_init_3 = false;
                uint _e101 = b;
                if (_e101 < 128u) {
                } else {
                    break;
                }
                {
                    float _e104 = sum0_0_;
                    uint _e105 = b;
                    uint _e107 = b;
                    float _e108 = product_of(planes0_, row0_ + _e105, _e107, codes_1, words, from_codes, from_scales, _buffer_sizes);
                    sum0_0_ = _e104 + _e108;
                    float _e110 = sum0_1_;
                    uint _e111 = b;
                    uint _e113 = b;
                    float _e114 = product_of(planes0_, row1_ + _e111, _e113, codes_1, words, from_codes, from_scales, _buffer_sizes);
                    sum0_1_ = _e110 + _e114;
                }
            }
            float _e118 = sum0_0_;
            float unnamed_14 = metal::simd_sum(_e118);
            if (lane == 0u) {
                uint _e124 = r;
                results.inner[(0u + _e124) + 0u] = unnamed_14;
            }
            float _e129 = sum0_1_;
            float unnamed_15 = metal::simd_sum(_e129);
            if (lane == 0u) {
                uint _e135 = r;
                results.inner[(0u + _e135) + 1u] = unnamed_15;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i = me * 4u;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e206 = i;
            i = _e206 + 2048u;
        }
        loop_init_4 = false;
        uint _e149 = i;
        if (_e149 < ROWS) {
        } else {
            break;
        }
        {
            uint _e152 = i;
            if ((first_1 + _e152) < part.y) {
                uint _e156 = i;
                metal::float4 _e157 = results_at(_e156, results);
                y = _e157;
                if (part.w > 0u) {
                    metal::float4 _e162 = y;
                    uint _e168 = i;
                    metal::float4 _e173 = vectors[naga_div(((part.w - 1u) + first_1) + _e168, 4u)];
                    y = _e162 + _e173;
                }
                if (false) {
                    uint _e177 = i;
                    metal::float4 _e179 = results_at(0u + _e177, results);
                    float _e181 = y.x;
                    float _e183 = activate(_e181, _e179.x);
                    float _e185 = y.y;
                    float _e187 = activate(_e185, _e179.y);
                    float _e189 = y.z;
                    float _e191 = activate(_e189, _e179.z);
                    float _e193 = y.w;
                    float _e195 = activate(_e193, _e179.w);
                    y = metal::float4(_e183, _e187, _e191, _e195);
                }
                uint _e200 = i;
                metal::float4 _e205 = y;
                act[naga_div((part.z + first_1) + _e200, 4u)] = _e205;
            }
        }
    }
    return;
}
