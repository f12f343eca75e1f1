// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size5;
    uint size6;
    uint size7;
};

typedef uint type_2[1];
struct Quantised {
    uint codes;
    char _pad1[4];
    metal::uint2 scale;
};
typedef metal::uint2 type_8[1];
struct type_9 {
    float inner[256];
};
struct Params {
    uint x;
    uint y;
    uint out;
    uint weight;
    uint width;
    uint stride;
    float eps;
    uint pad;
};
typedef float type_10[1];
typedef metal::float4 type_11[1];
struct type_13 {
    metal::float4 inner[4];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant bool KEEP = false;
constant uint FORMAT = 1u;
constant uint PER = 4u;
constant uint BY_FOURS = 1u;
constant bool ADD = true;
constant uint LENT = 1u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;

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

metal::int4 naga_f2i32(metal::float4 value) {
    return static_cast<metal::int4>(metal::clamp(value, -2147483600.0, 2147483500.0));
}

Quantised quantised(
    metal::float4 values
) {
    float largest = {};
    int low = {};
    metal::float4 size_3 = metal::abs(values);
    largest = metal::max(metal::max(size_3.x, size_3.y), metal::max(size_3.z, size_3.w));
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
    low = as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(q.x) + as_type<uint>(q.y))) + as_type<uint>(q.z))) + as_type<uint>(q.w));
    int _e44 = low;
    int _e45 = low;
    int unnamed_3 = metal::simd_shuffle_xor(_e45, 1u);
    low = as_type<int>(as_type<uint>(_e44) + as_type<uint>(unnamed_3));
    int _e49 = low;
    int _e50 = low;
    int unnamed_4 = metal::simd_shuffle_xor(_e50, 2u);
    low = as_type<int>(as_type<uint>(_e49) + as_type<uint>(unnamed_4));
    int _e54 = low;
    int unnamed_5 = metal::simd_shuffle_xor(_e54, 4u);
    int _e57 = low;
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
    device type_2& x_words,
    device type_8& x_scales,
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
                uint to = (row * stride) + at;
                x_words[to] = as_type<uint>(values_1.x);
                x_words[to + 1u] = as_type<uint>(values_1.y);
                x_words[to + 2u] = as_type<uint>(values_1.z);
                x_words[to + 3u] = as_type<uint>(values_1.w);
                return;
            } else {
                return;
            }
        } else {
            if (false) {
                if (at < stride) {
                    uint to_1 = naga_div((row * stride) + at, 2u);
                    metal::float4 held_1 = metal::clamp(values_1, metal::float4(-65504.0), metal::float4(65504.0));
                    x_words[to_1] = as_type<uint>(half2(held_1.xy));
                    x_words[to_1 + 1u] = as_type<uint>(half2(held_1.zw));
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
    threadgroup type_9& sum_parts
) {
    float total = 0.0;
    uint i = 0u;
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
            uint _e27 = i;
            i = _e27 + 1u;
        }
        loop_init = false;
        uint _e13 = i;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total;
            uint _e22 = i;
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
    threadgroup type_9& sum_parts
) {
    float largest_1 = {};
    uint i_1 = 1u;
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
            uint _e29 = i_1;
            i_1 = _e29 + 1u;
        }
        loop_init_1 = false;
        uint _e15 = i_1;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest_1;
            uint _e24 = i_1;
            float _e26 = sum_parts.inner[_e24];
            largest_1 = metal::max(_e22, _e26);
        }
    }
    float _e31 = largest_1;
    return _e31;
}

metal::float4 values_2(
    uint at_1,
    uint i_2,
    constant Params& p,
    device type_11 const& act,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e5 = p.width;
    metal::float4 _e13 = act[naga_div(at_1 + metal::min(i_2, _e5 - 4u), 4u)];
    uint _e16 = p.width;
    return (i_2 < _e16) ? _e13 : metal::float4(0.0);
}

void put(
    uint at_2,
    uint i_3,
    metal::float4 v_1,
    constant Params& p,
    device type_11& act,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e5 = p.width;
    if (i_3 < _e5) {
        act[naga_div(at_2 + i_3, 4u)] = v_1;
        return;
    } else {
        return;
    }
}

metal::float4 added(
    uint row_1,
    uint i_4,
    constant Params& p,
    device type_11 const& lent,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e5 = p.width;
    uint _e9 = p.width;
    metal::float4 _e17 = lent[naga_div((row_1 * _e5) + metal::min(i_4, _e9 - 4u), 4u)];
    uint _e20 = p.width;
    return (i_4 < _e20) ? _e17 : metal::float4(0.0);
}

float weight(
    uint i_5,
    constant Params& p,
    device type_10 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = p.weight;
    uint _e7 = p.width;
    float _e13 = vectors[_e4 + metal::min(i_5, _e7 - 1u)];
    uint _e16 = p.width;
    return (i_5 < _e16) ? _e13 : 0.0;
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_2& x_words [[user(fake0)]]
, device type_8& x_scales [[user(fake0)]]
, threadgroup type_9& sum_parts
, constant Params& p [[user(fake0)]]
, device type_10 const& vectors [[user(fake0)]]
, device type_11& act [[user(fake0)]]
, device type_11 const& lent [[user(fake0)]]
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    type_13 held = {};
    type_13 weights = {};
    float squares = 0.0;
    uint k = 0u;
    metal::float4 v = {};
    uint k_1 = 0u;
    uint row_2 = group.x;
    uint _e8 = p.x;
    uint _e11 = p.width;
    uint x = _e8 + (row_2 * _e11);
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e58 = k;
            k = _e58 + 1u;
        }
        loop_init_2 = false;
        uint _e20 = k;
        if (_e20 < PER) {
        } else {
            break;
        }
        {
            uint _e23 = k;
            uint i_6 = ((_e23 * WG) + me) * 4u;
            metal::float4 _e29 = values_2(x, i_6, p, act, _buffer_sizes);
            v = _e29;
            if (ADD) {
                metal::float4 _e32 = v;
                metal::float4 _e33 = added(row_2, i_6, p, lent, _buffer_sizes);
                v = _e32 + _e33;
                metal::float4 _e35 = v;
                put(x, i_6, _e35, p, act, _buffer_sizes);
            }
            uint _e36 = k;
            metal::float4 _e38 = v;
            held.inner[_e36] = _e38;
            uint _e39 = k;
            float _e41 = weight(i_6, p, vectors, _buffer_sizes);
            float _e44 = weight(i_6 + 1u, p, vectors, _buffer_sizes);
            float _e47 = weight(i_6 + 2u, p, vectors, _buffer_sizes);
            float _e50 = weight(i_6 + 3u, p, vectors, _buffer_sizes);
            weights.inner[_e39] = metal::float4(_e41, _e44, _e47, _e50);
            float _e52 = squares;
            metal::float4 _e53 = v;
            metal::float4 _e54 = v;
            squares = _e52 + metal::dot(_e53, _e54);
        }
    }
    float _e60 = squares;
    float _e61 = workgroup_sum(_e60, lane, subgroup, size, sum_parts);
    uint _e64 = p.width;
    float _e69 = p.eps;
    float scale = 1.0 / metal::sqrt((_e61 / static_cast<float>(_e64)) + _e69);
    uint _e76 = p.out;
    uint _e79 = p.width;
    uint out = _e76 + (row_2 * _e79);
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e106 = k_1;
            k_1 = _e106 + 1u;
        }
        loop_init_3 = false;
        uint _e84 = k_1;
        if (_e84 < PER) {
        } else {
            break;
        }
        {
            uint _e87 = k_1;
            uint i_7 = ((_e87 * WG) + me) * 4u;
            uint _e93 = k_1;
            metal::float4 _e95 = held.inner[_e93];
            uint _e97 = k_1;
            metal::float4 _e99 = weights.inner[_e97];
            metal::float4 v_2 = (_e95 * scale) * _e99;
            if (KEEP) {
                put(out, i_7, v_2, p, act, _buffer_sizes);
            }
            uint _e104 = p.stride;
            prepare(v_2, me, i_7, row_2, _e104, x_words, x_scales, _buffer_sizes);
        }
    }
    return;
}
