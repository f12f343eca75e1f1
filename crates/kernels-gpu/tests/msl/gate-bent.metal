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

typedef uint type_2[1];
struct Quantised {
    uint codes;
    char _pad1[4];
    metal::uint2 scale;
};
typedef metal::uint2 type_8[1];
struct Params {
    uint gate;
    uint up;
    uint out;
    uint width;
    uint stride;
    uint pad0_;
    uint pad1_;
    uint pad2_;
};
typedef float type_9[1];
constant uint WG = 64u;
constant uint SUBGROUPS = 8u;
constant bool KEEP = false;
constant uint FORMAT = 1u;
constant uint ACTIVATION = 6u;
constant uint BENT = 1u;
constant uint LIMIT = 1082130432u;
constant uint LINEAR = 1103626240u;

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

float bend(
    float x,
    float by
) {
    return by * metal::tanh(metal::clamp(x / by, -15.0, 15.0));
}

float activate(
    float gate,
    float up
) {
    float u = {};
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
        case 6u: {
            u = up;
            float _e62 = bend(up, as_type<float>(LINEAR));
            u = _e62;
            float _e65 = bend(gate, as_type<float>(LIMIT));
            float _e71 = u;
            return (_e65 / (1.0 + metal::exp(-(gate)))) * _e71;
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
    metal::float4 size = metal::abs(values);
    largest = metal::max(metal::max(size.x, size.y), metal::max(size.z, size.w));
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
                    metal::float4 held = metal::clamp(values_1, metal::float4(-65504.0), metal::float4(65504.0));
                    x_words[to_1] = as_type<uint>(half2(held.xy));
                    x_words[to_1 + 1u] = as_type<uint>(half2(held.zw));
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
[[max_total_threads_per_threadgroup(64)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_2& x_words [[user(fake0)]]
, device type_8& x_scales [[user(fake0)]]
, device type_9& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    metal::float4 v = metal::float4(0.0);
    uint j = 0u;
    uint row_1 = group.y;
    uint i = ((group.x * WG) + me) * 4u;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e58 = j;
            j = _e58 + 1u;
        }
        loop_init = false;
        uint _e14 = j;
        if (_e14 < 4u) {
        } else {
            break;
        }
        {
            uint _e17 = j;
            uint _e21 = p.width;
            if ((i + _e17) < _e21) {
                uint _e25 = p.width;
                uint _e28 = j;
                uint at_1 = ((row_1 * _e25) + i) + _e28;
                uint _e30 = j;
                uint _e35 = p.gate;
                float _e38 = act[_e35 + at_1];
                uint _e42 = p.up;
                float _e45 = act[_e42 + at_1];
                float _e46 = activate(_e38, _e45);
                v[_e30] = _e46;
                if (KEEP) {
                    uint _e51 = p.out;
                    uint _e54 = j;
                    float _e56 = v[_e54];
                    act[_e51 + at_1] = _e56;
                }
            }
        }
    }
    metal::float4 _e60 = v;
    uint _e63 = p.stride;
    prepare(_e60, me, i, row_1, _e63, x_words, x_scales, _buffer_sizes);
    return;
}
