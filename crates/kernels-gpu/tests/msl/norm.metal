// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size2;
    uint size3;
    uint size6;
    uint size8;
};

typedef uint type_2[1];
struct type_6 {
    float inner[256];
};
typedef metal::uint2 type_8[1];
struct type_9 {
    int inner[256];
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
typedef float type_11[1];
struct type_13 {
    metal::float4 inner[4];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant bool KEEP = false;
constant uint FORMAT = 1u;
constant uint PER = 4u;
constant bool ADD = true;
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
        default: {
            return (gate / (1.0 + metal::exp(-(gate)))) * up;
        }
    }
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

float workgroup_sum(
    float value,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_6& sum_parts
) {
    float total = 0.0;
    uint i = 0u;
    float unnamed = metal::simd_sum(value);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_1 == 0u) {
        sum_parts.inner[subgroup_1] = unnamed;
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
    threadgroup type_6& sum_parts
) {
    float largest = {};
    uint i_1 = 1u;
    float unnamed_1 = metal::simd_max(value_1);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_2 == 0u) {
        sum_parts.inner[subgroup_2] = unnamed_1;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    float _e11 = sum_parts.inner[0];
    largest = _e11;
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
            float _e22 = largest;
            uint _e24 = i_1;
            float _e26 = sum_parts.inner[_e24];
            largest = metal::max(_e22, _e26);
        }
    }
    float _e31 = largest;
    return _e31;
}

metal::int4 naga_f2i32(metal::float4 value) {
    return static_cast<metal::int4>(metal::clamp(value, -2147483600.0, 2147483500.0));
}

void prepare(
    metal::float4 values,
    uint me_1,
    uint at,
    uint row,
    uint stride,
    device type_2& x_words,
    device type_8& x_scales,
    threadgroup type_6& block_max,
    threadgroup type_9& block_sum,
    constant _mslBufferSizes& _buffer_sizes
) {
    float largest_1 = 0.0;
    uint i_2 = 0u;
    if (true) {
        metal::float4 size_3 = metal::abs(values);
        block_max.inner[me_1] = metal::max(metal::max(size_3.x, size_3.y), metal::max(size_3.z, size_3.w));
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        uint first = me_1 & 4294967288u;
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e33 = i_2;
                i_2 = _e33 + 1u;
            }
            loop_init_2 = false;
            uint _e22 = i_2;
            if (_e22 < 8u) {
            } else {
                break;
            }
            {
                float _e25 = largest_1;
                uint _e27 = i_2;
                float _e30 = block_max.inner[first + _e27];
                largest_1 = metal::max(_e25, _e30);
            }
        }
        float _e35 = largest_1;
        float scale = _e35 / 127.0;
        float _e38 = largest_1;
        float _e41 = largest_1;
        float inverse = (_e41 > 0.0) ? (127.0 / _e38) : 0.0;
        metal::int4 q = naga_f2i32(metal::rint(values * inverse));
        block_sum.inner[me_1] = as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(q.x) + as_type<uint>(q.y))) + as_type<uint>(q.z))) + as_type<uint>(q.w));
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        if (at < stride) {
            x_words[naga_div((row * stride) + at, 4u)] = as_type<uint>(packed_char4(q));
            if ((me_1 & 7u) == 0u) {
                int _e72 = block_sum.inner[me_1];
                int _e77 = block_sum.inner[me_1 + 1u];
                int _e83 = block_sum.inner[me_1 + 2u];
                int _e89 = block_sum.inner[me_1 + 3u];
                int low = as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(_e72) + as_type<uint>(_e77))) + as_type<uint>(_e83))) + as_type<uint>(_e89));
                int _e95 = block_sum.inner[me_1 + 4u];
                int _e100 = block_sum.inner[me_1 + 5u];
                int _e106 = block_sum.inner[me_1 + 6u];
                int _e112 = block_sum.inner[me_1 + 7u];
                int high = as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(_e95) + as_type<uint>(_e100))) + as_type<uint>(_e106))) + as_type<uint>(_e112));
                x_scales[naga_div((row * stride) + at, 32u)] = metal::uint2(as_type<uint>(scale), (as_type<uint>(low) & 65535u) | (as_type<uint>(high) << 16u));
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    } else {
        if (false) {
            if (at < stride) {
                uint to = (row * stride) + at;
                x_words[to] = as_type<uint>(values.x);
                x_words[to + 1u] = as_type<uint>(values.y);
                x_words[to + 2u] = as_type<uint>(values.z);
                x_words[to + 3u] = as_type<uint>(values.w);
                return;
            } else {
                return;
            }
        } else {
            if (false) {
                if (at < stride) {
                    uint to_1 = naga_div((row * stride) + at, 2u);
                    metal::float4 held_1 = metal::clamp(values, metal::float4(-65504.0), metal::float4(65504.0));
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

float value_2(
    uint at_1,
    uint i_3,
    device type_11 const& act,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e5 = p.width;
    float _e11 = act[at_1 + metal::min(i_3, _e5 - 1u)];
    uint _e14 = p.width;
    return (i_3 < _e14) ? _e11 : 0.0;
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, threadgroup type_6& sum_parts
, device type_2& x_words [[user(fake0)]]
, device type_8& x_scales [[user(fake0)]]
, threadgroup type_6& block_max
, threadgroup type_9& block_sum
, device type_11& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_11 const& vectors [[user(fake0)]]
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    type_13 held = {};
    float squares = 0.0;
    uint k = 0u;
    metal::float4 v = {};
    uint j = {};
    uint k_1 = 0u;
    metal::float4 v_1 = {};
    uint j_1 = {};
    uint row_1 = group.x;
    uint _e8 = p.x;
    uint _e11 = p.width;
    uint x = _e8 + (row_1 * _e11);
    uint _e16 = p.y;
    uint _e19 = p.width;
    uint y = _e16 + (row_1 * _e19);
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e93 = k;
            k = _e93 + 1u;
        }
        loop_init_3 = false;
        uint _e27 = k;
        if (_e27 < PER) {
        } else {
            break;
        }
        {
            uint _e30 = k;
            uint i_4 = ((_e30 * WG) + me) * 4u;
            float _e36 = value_2(x, i_4, act, p, _buffer_sizes);
            float _e39 = value_2(x, i_4 + 1u, act, p, _buffer_sizes);
            float _e42 = value_2(x, i_4 + 2u, act, p, _buffer_sizes);
            float _e45 = value_2(x, i_4 + 3u, act, p, _buffer_sizes);
            v = metal::float4(_e36, _e39, _e42, _e45);
            if (ADD) {
                metal::float4 _e49 = v;
                float _e50 = value_2(y, i_4, act, p, _buffer_sizes);
                float _e53 = value_2(y, i_4 + 1u, act, p, _buffer_sizes);
                float _e56 = value_2(y, i_4 + 2u, act, p, _buffer_sizes);
                float _e59 = value_2(y, i_4 + 3u, act, p, _buffer_sizes);
                v = _e49 + metal::float4(_e50, _e53, _e56, _e59);
                j = 0u;
                uint2 loop_bound_4 = uint2(4294967295u);
                bool loop_init_4 = true;
                while(true) {
                    if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                    loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                    if (!loop_init_4) {
                        uint _e82 = j;
                        j = _e82 + 1u;
                    }
                    loop_init_4 = false;
                    uint _e64 = j;
                    if (_e64 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e67 = j;
                        uint _e71 = p.width;
                        if ((i_4 + _e67) < _e71) {
                            uint _e75 = j;
                            uint _e78 = j;
                            float _e80 = v[_e78];
                            act[(x + i_4) + _e75] = _e80;
                        }
                    }
                }
            }
            uint _e84 = k;
            metal::float4 _e86 = v;
            held.inner[_e84] = _e86;
            float _e87 = squares;
            metal::float4 _e88 = v;
            metal::float4 _e89 = v;
            squares = _e87 + metal::dot(_e88, _e89);
        }
    }
    float _e95 = squares;
    float _e96 = workgroup_sum(_e95, lane, subgroup, size, sum_parts);
    uint _e99 = p.width;
    float _e104 = p.eps;
    float scale_1 = 1.0 / metal::sqrt((_e96 / static_cast<float>(_e99)) + _e104);
    uint _e111 = p.out;
    uint _e114 = p.width;
    uint out = _e111 + (row_1 * _e114);
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e174 = k_1;
            k_1 = _e174 + 1u;
        }
        loop_init_5 = false;
        uint _e119 = k_1;
        if (_e119 < PER) {
        } else {
            break;
        }
        {
            uint _e122 = k_1;
            uint i_5 = ((_e122 * WG) + me) * 4u;
            uint _e128 = k_1;
            metal::float4 _e130 = held.inner[_e128];
            v_1 = _e130 * scale_1;
            j_1 = 0u;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e167 = j_1;
                    j_1 = _e167 + 1u;
                }
                loop_init_6 = false;
                uint _e135 = j_1;
                if (_e135 < 4u) {
                } else {
                    break;
                }
                {
                    uint _e138 = j_1;
                    uint _e142 = p.width;
                    if ((i_5 + _e138) < _e142) {
                        uint _e144 = j_1;
                        float _e146 = v_1[_e144];
                        uint _e150 = p.weight;
                        uint _e152 = j_1;
                        float _e155 = vectors[(_e150 + i_5) + _e152];
                        v_1[_e144] = _e146 * _e155;
                        if (KEEP) {
                            uint _e160 = j_1;
                            uint _e163 = j_1;
                            float _e165 = v_1[_e163];
                            act[(out + i_5) + _e160] = _e165;
                        }
                    }
                }
            }
            metal::float4 _e169 = v_1;
            uint _e172 = p.stride;
            prepare(_e169, me, i_5, row_1, _e172, x_words, x_scales, block_max, block_sum, _buffer_sizes);
        }
    }
    return;
}
