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
    uint size8;
    uint size9;
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
typedef metal::uint2 type_11[1];
struct Params {
    uint blocks;
    uint stride;
    uint x;
    uint weight;
    uint squares;
    uint bias;
    uint pad0_;
    uint pad1_;
    metal::uint4 planes;
};
typedef float type_12[1];
struct type_13 {
    metal::float4 inner[32];
};
constant uint WG = 1024u;
constant uint SUBGROUPS = 128u;
constant uint FORMAT = 1u;
constant uint PARTS = 4u;
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
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w_1 = codes_1[p.codes + i_3];
    float _e8 = half_at(p.scales, i_3, words, _buffer_sizes);
    return Block {w_1 & NIBBLES, (w_1 >> metal::uint4(4u)) & NIBBLES, metal::float2(_e8), metal::float2(-8.0 * _e8)};
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
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_1, i_4 >> 1u, codes_1, words, _buffer_sizes);
    bool last = (i_4 & 1u) == 1u;
    metal::uint4 w_2 = last ? _e4.hi : _e4.lo;
    float s_1 = last ? _e4.s.y : _e4.s.x;
    float m_1 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_2.x, s_1, m_1);
    metal::float4 _e25 = four(w_2.y, s_1, m_1);
    metal::float4 _e27 = four(w_2.z, s_1, m_1);
    metal::float4 _e29 = four(w_2.w, s_1, m_1);
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

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

void prepare(
    metal::float4 values,
    uint me_1,
    uint at,
    uint row,
    uint stride,
    device type_1& x_words,
    device type_11& x_scales,
    constant _mslBufferSizes& _buffer_sizes
) {
    float largest = {};
    int low_1 = {};
    if (true) {
        metal::float4 size_1 = metal::abs(values);
        largest = metal::max(metal::max(size_1.x, size_1.y), metal::max(size_1.z, size_1.w));
        float _e15 = largest;
        float _e16 = largest;
        float unnamed = metal::simd_shuffle_xor(_e16, 1u);
        largest = metal::max(_e15, unnamed);
        float _e20 = largest;
        float _e21 = largest;
        float unnamed_1 = metal::simd_shuffle_xor(_e21, 2u);
        largest = metal::max(_e20, unnamed_1);
        float _e25 = largest;
        float _e26 = largest;
        float unnamed_2 = metal::simd_shuffle_xor(_e26, 4u);
        largest = metal::max(_e25, unnamed_2);
        float _e30 = largest;
        float scale = _e30 / 127.0;
        float _e33 = largest;
        float _e36 = largest;
        float inverse = (_e36 > 0.0) ? (127.0 / _e33) : 0.0;
        metal::int4 q = naga_f2i32(metal::rint(values * inverse));
        low_1 = as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(q.x) + as_type<uint>(q.y))) + as_type<uint>(q.z))) + as_type<uint>(q.w));
        int _e52 = low_1;
        int _e53 = low_1;
        int unnamed_3 = metal::simd_shuffle_xor(_e53, 1u);
        low_1 = as_type<int>(as_type<uint>(_e52) + as_type<uint>(unnamed_3));
        int _e57 = low_1;
        int _e58 = low_1;
        int unnamed_4 = metal::simd_shuffle_xor(_e58, 2u);
        low_1 = as_type<int>(as_type<uint>(_e57) + as_type<uint>(unnamed_4));
        int _e62 = low_1;
        int unnamed_5 = metal::simd_shuffle_xor(_e62, 4u);
        if (at < stride) {
            x_words[naga_div((row * stride) + at, 4u)] = as_type<uint>(packed_char4(q));
            if ((me_1 & 7u) == 0u) {
                int _e84 = low_1;
                x_scales[naga_div((row * stride) + at, 32u)] = metal::uint2(as_type<uint>(scale), (as_type<uint>(_e84) & 65535u) | (as_type<uint>(unnamed_5) << 16u));
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
                x_words[to_2] = as_type<uint>(values.x);
                x_words[to_2 + 1u] = as_type<uint>(values.y);
                x_words[to_2 + 2u] = as_type<uint>(values.z);
                x_words[to_2 + 3u] = as_type<uint>(values.w);
                return;
            } else {
                return;
            }
        } else {
            if (false) {
                if (at < stride) {
                    uint to_3 = naga_div((row * stride) + at, 2u);
                    metal::float4 held = metal::clamp(values, metal::float4(-65504.0), metal::float4(65504.0));
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
uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(1024)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_5 const& codes_1 [[user(fake0)]]
, device type_1 const& words [[user(fake0)]]
, device type_1& x_words [[user(fake0)]]
, device type_11& x_scales [[user(fake0)]]
, device type_12& act [[user(fake0)]]
, constant Params& p_2 [[user(fake0)]]
, device type_12 const& vectors [[user(fake0)]]
, device type_5 const& from_codes [[user(fake0)]]
, device type_11 const& from_scales [[user(fake0)]]
, threadgroup type_13& results
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    metal::float4 sums = {};
    uint task = {};
    float sum0_ = {};
    float sum1_ = {};
    float sum2_ = {};
    float sum3_ = {};
    uint b = {};
    uint part = 0u;
    float squares = {};
    uint _e8 = p_2.planes.x;
    uint _e12 = p_2.planes.y;
    uint _e16 = p_2.planes.z;
    uint _e20 = p_2.planes.w;
    Planes planes = Planes {_e8, _e12, _e16, _e20};
    uint i_5 = metal::min(me, 7u) * 4u;
    uint at_1 = (group.x * 32u) + i_5;
    uint _e33 = p_2.x;
    float _e36 = act[_e33 + at_1];
    uint _e40 = p_2.x;
    float _e45 = act[(_e40 + at_1) + 1u];
    uint _e49 = p_2.x;
    float _e54 = act[(_e49 + at_1) + 2u];
    uint _e58 = p_2.x;
    float _e63 = act[(_e58 + at_1) + 3u];
    sums = metal::float4(_e36, _e45, _e54, _e63);
    uint _e69 = p_2.weight;
    float _e72 = vectors[_e69 + at_1];
    uint _e76 = p_2.weight;
    float _e81 = vectors[(_e76 + at_1) + 1u];
    uint _e85 = p_2.weight;
    float _e90 = vectors[(_e85 + at_1) + 2u];
    uint _e94 = p_2.weight;
    float _e99 = vectors[(_e94 + at_1) + 3u];
    metal::float4 weights = metal::float4(_e72, _e81, _e90, _e99);
    uint _e103 = p_2.bias;
    if (_e103 > 0u) {
        uint _e108 = p_2.bias;
        uint bias = (_e108 - 1u) + at_1;
        metal::float4 _e112 = sums;
        float _e115 = vectors[bias];
        float _e120 = vectors[bias + 1u];
        float _e125 = vectors[bias + 2u];
        float _e130 = vectors[bias + 3u];
        sums = _e112 + metal::float4(_e115, _e120, _e125, _e130);
    }
    task = subgroup;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e276 = task;
            task = _e276 + naga_div(WG, size);
        }
        loop_init = false;
        uint _e134 = task;
        if (_e134 < 32u) {
        } else {
            break;
        }
        {
            uint _e137 = task;
            uint fours = naga_div(_e137, PARTS);
            uint _e148 = p_2.blocks;
            uint row_1 = (((group.x * 8u) + fours) * 4u) * _e148;
            sum0_ = 0.0;
            sum1_ = 0.0;
            sum2_ = 0.0;
            sum3_ = 0.0;
            uint _e158 = task;
            b = (naga_mod(_e158, PARTS) * size) + lane;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e253 = b;
                    b = _e253 + (PARTS * size);
                }
                loop_init_1 = false;
                uint _e164 = b;
                uint _e167 = p_2.blocks;
                if (_e164 < _e167) {
                } else {
                    break;
                }
                {
                    uint _e172 = p_2.blocks;
                    uint _e175 = b;
                    Block _e177 = weight(planes, (row_1 + (0u * _e172)) + _e175, codes_1, words, _buffer_sizes);
                    uint _e181 = p_2.blocks;
                    uint _e184 = b;
                    Block _e186 = weight(planes, (row_1 + (1u * _e181)) + _e184, codes_1, words, _buffer_sizes);
                    uint _e190 = p_2.blocks;
                    uint _e193 = b;
                    Block _e195 = weight(planes, (row_1 + (2u * _e190)) + _e193, codes_1, words, _buffer_sizes);
                    uint _e199 = p_2.blocks;
                    uint _e202 = b;
                    Block _e204 = weight(planes, (row_1 + (3u * _e199)) + _e202, codes_1, words, _buffer_sizes);
                    uint _e206 = b;
                    metal::uint4 low_2 = from_codes[_e206 * 2u];
                    uint _e212 = b;
                    metal::uint4 high_1 = from_codes[(_e212 * 2u) + 1u];
                    uint _e220 = b;
                    metal::uint2 xs = from_scales[_e220];
                    float scale_1 = as_type<float>(xs.x);
                    float low_sum = static_cast<float>(as_type<int>(xs.y << 16u) >> 16u);
                    float high_sum = static_cast<float>(as_type<int>(xs.y) >> 16u);
                    float _e237 = sum0_;
                    float _e238 = blocks(_e177, low_2, high_1, low_sum, high_sum);
                    sum0_ = _e237 + (scale_1 * _e238);
                    float _e241 = sum1_;
                    float _e242 = blocks(_e186, low_2, high_1, low_sum, high_sum);
                    sum1_ = _e241 + (scale_1 * _e242);
                    float _e245 = sum2_;
                    float _e246 = blocks(_e195, low_2, high_1, low_sum, high_sum);
                    sum2_ = _e245 + (scale_1 * _e246);
                    float _e249 = sum3_;
                    float _e250 = blocks(_e204, low_2, high_1, low_sum, high_sum);
                    sum3_ = _e249 + (scale_1 * _e250);
                }
            }
            float _e257 = sum0_;
            float unnamed_6 = metal::simd_sum(_e257);
            float _e259 = sum1_;
            float unnamed_7 = metal::simd_sum(_e259);
            float _e261 = sum2_;
            float unnamed_8 = metal::simd_sum(_e261);
            float _e263 = sum3_;
            float unnamed_9 = metal::simd_sum(_e263);
            if (lane == 0u) {
                uint _e268 = task;
                results.inner[(naga_mod(_e268, PARTS) * 8u) + fours] = metal::float4(unnamed_6, unnamed_7, unnamed_8, unnamed_9);
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e297 = part;
            part = _e297 + 1u;
        }
        loop_init_2 = false;
        uint _e282 = part;
        if (_e282 < PARTS) {
        } else {
            break;
        }
        {
            metal::float4 _e285 = sums;
            uint _e287 = part;
            metal::float4 _e294 = results.inner[(_e287 * 8u) + naga_div(i_5, 4u)];
            sums = _e285 + _e294;
        }
    }
    metal::float4 _e299 = sums;
    metal::float4 _e300 = sums;
    squares = metal::dot(_e299, _e300);
    float _e303 = squares;
    float _e304 = squares;
    float unnamed_10 = metal::simd_shuffle_xor(_e304, 1u);
    squares = _e303 + unnamed_10;
    float _e308 = squares;
    float _e309 = squares;
    float unnamed_11 = metal::simd_shuffle_xor(_e309, 2u);
    squares = _e308 + unnamed_11;
    float _e313 = squares;
    float _e314 = squares;
    float unnamed_12 = metal::simd_shuffle_xor(_e314, 4u);
    squares = _e313 + unnamed_12;
    if (me < 8u) {
        uint _e323 = p_2.x;
        float _e327 = sums.x;
        act[_e323 + at_1] = _e327;
        uint _e331 = p_2.x;
        float _e337 = sums.y;
        act[(_e331 + at_1) + 1u] = _e337;
        uint _e341 = p_2.x;
        float _e347 = sums.z;
        act[(_e341 + at_1) + 2u] = _e347;
        uint _e351 = p_2.x;
        float _e357 = sums.w;
        act[(_e351 + at_1) + 3u] = _e357;
    }
    if (me == 0u) {
        uint _e363 = p_2.squares;
        float _e367 = squares;
        act[_e363 + group.x] = _e367;
    }
    metal::float4 _e368 = sums;
    uint _e372 = p_2.stride;
    uint _e379 = p_2.stride;
    prepare(_e368 * weights, me, (me < 8u) ? at_1 : _e372, 0u, _e379, x_words, x_scales, _buffer_sizes);
    return;
}
