// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size4;
    uint size6;
};

typedef uint type_2[1];
struct Quantised {
    uint codes;
    char _pad1[4];
    metal::uint2 scale;
};
typedef metal::uint2 type_8[1];
struct Params {
    uint parts;
    uint out;
    uint heads;
    uint sinks;
    uint dim;
    uint part;
    uint stride;
    uint pad;
};
typedef float type_9[1];
struct type_10 {
    float inner[256];
};
struct type_11 {
    metal::float4 inner[256];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant bool KEEP = false;
constant uint FORMAT = 1u;
constant uint FOURS = 32u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint GROUPS = 8u;
constant uint AT_ONCE = 32u;
constant uint RUN = 256u;

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
            float g_1 = metal::min(gate, 7.0);
            return (g_1 / (1.0 + metal::exp(-1.702 * g_1))) * (metal::clamp(up, -7.0, 7.0) + 1.0);
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
            float g_2 = metal::min(gate, limit_1);
            return (g_2 / (1.0 + metal::exp(-(g_2)))) * metal::clamp(up, -(limit_1), limit_1);
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

void give(
    metal::float4 found,
    uint me_2,
    uint row_1,
    uint head,
    device type_2& x_words,
    device type_8& x_scales,
    constant Params& p,
    device type_9& act,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::float4 y_1 = {};
    uint j = 0u;
    y_1 = found;
    uint d = me_2 * 4u;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e44 = j;
            j = _e44 + 1u;
        }
        loop_init = false;
        uint _e9 = j;
        if (_e9 < 4u) {
        } else {
            break;
        }
        {
            uint _e12 = j;
            uint _e16 = p.dim;
            if ((d + _e12) < _e16) {
                if (KEEP) {
                    uint _e22 = p.out;
                    uint _e25 = p.heads;
                    uint _e30 = p.dim;
                    uint _e34 = j;
                    uint _e37 = j;
                    float _e39 = y_1[_e37];
                    act[((_e22 + (((row_1 * _e25) + head) * _e30)) + d) + _e34] = _e39;
                }
            } else {
                uint _e40 = j;
                y_1[_e40] = 0.0;
            }
        }
    }
    if (true) {
        metal::float4 _e47 = y_1;
        uint _e50 = p.stride;
        uint _e53 = p.dim;
        uint _e58 = p.dim;
        uint _e63 = p.stride;
        prepare(_e47, me_2, (d < _e58) ? ((head * _e53) + d) : _e50, row_1, _e63, x_words, x_scales, _buffer_sizes);
        return;
    } else {
        return;
    }
}

float workgroup_sum(
    float value,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_10& sum_parts
) {
    float total_1 = 0.0;
    uint i_3 = 0u;
    float unnamed_6 = metal::simd_sum(value);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_1 == 0u) {
        sum_parts.inner[subgroup_1] = unnamed_6;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e27 = i_3;
            i_3 = _e27 + 1u;
        }
        loop_init_1 = false;
        uint _e13 = i_3;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total_1;
            uint _e22 = i_3;
            float _e24 = sum_parts.inner[_e22];
            total_1 = _e20 + _e24;
        }
    }
    float _e29 = total_1;
    return _e29;
}

float workgroup_max(
    float value_1,
    uint lane_2,
    uint subgroup_2,
    uint size_2,
    threadgroup type_10& sum_parts
) {
    float largest_1 = {};
    uint i_4 = 1u;
    float unnamed_7 = metal::simd_max(value_1);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_2 == 0u) {
        sum_parts.inner[subgroup_2] = unnamed_7;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    float _e11 = sum_parts.inner[0];
    largest_1 = _e11;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e29 = i_4;
            i_4 = _e29 + 1u;
        }
        loop_init_2 = false;
        uint _e15 = i_4;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest_1;
            uint _e24 = i_4;
            float _e26 = sum_parts.inner[_e24];
            largest_1 = metal::max(_e22, _e26);
        }
    }
    float _e31 = largest_1;
    return _e31;
}
uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_2 const& step [[user(fake0)]]
, device type_2& x_words [[user(fake0)]]
, device type_8& x_scales [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_9& act [[user(fake0)]]
, threadgroup type_10& sum_parts
, device type_9 const& vectors [[user(fake0)]]
, threadgroup type_10& weights
, threadgroup type_11& gathered
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    float most = -1000000000000000000000000000000.0;
    uint i = {};
    float total = 0.0;
    metal::float4 y = metal::float4(0.0);
    uint base = 0u;
    uint i_1 = {};
    float w = {};
    uint i_2 = {};
    uint g = 0u;
    uint row_2 = group.y;
    uint head_1 = group.x;
    uint splits = step[3];
    uint _e12 = p.parts;
    uint _e15 = p.heads;
    uint _e21 = p.part;
    uint first = _e12 + ((((row_2 * _e15) + head_1) * splits) * _e21);
    uint d_1 = naga_mod(me, FOURS) * 4u;
    uint _e32 = p.sinks;
    if (_e32 > 0u) {
        uint _e38 = p.sinks;
        float _e43 = vectors[(_e38 - 1u) + head_1];
        most = _e43;
    }
    i = me;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e58 = i;
            i = _e58 + WG;
        }
        loop_init_3 = false;
        uint _e45 = i;
        if (_e45 < splits) {
        } else {
            break;
        }
        {
            float _e47 = most;
            uint _e49 = i;
            uint _e52 = p.part;
            float _e56 = act[first + (_e49 * _e52)];
            most = metal::max(_e47, _e56);
        }
    }
    float _e61 = most;
    float _e62 = workgroup_max(_e61, lane, subgroup, size, sum_parts);
    most = _e62;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e304 = base;
            base = _e304 + RUN;
        }
        loop_init_4 = false;
        uint _e70 = base;
        if (_e70 < splits) {
        } else {
            break;
        }
        {
            i_1 = me;
            uint2 loop_bound_5 = uint2(4294967295u);
            bool loop_init_5 = true;
            while(true) {
                if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                if (!loop_init_5) {
                    uint _e109 = i_1;
                    i_1 = _e109 + WG;
                }
                loop_init_5 = false;
                uint _e73 = i_1;
                if (_e73 < RUN) {
                } else {
                    break;
                }
                {
                    w = 0.0;
                    uint _e78 = base;
                    uint _e79 = i_1;
                    if ((_e78 + _e79) < splits) {
                        uint _e82 = base;
                        uint _e83 = i_1;
                        uint _e87 = p.part;
                        uint at_1 = first + ((_e82 + _e83) * _e87);
                        float _e92 = act[at_1];
                        float _e93 = most;
                        w = metal::exp(_e92 - _e93);
                        float _e96 = total;
                        float _e97 = w;
                        float _e102 = act[at_1 + 1u];
                        total = _e96 + (_e97 * _e102);
                    }
                    uint _e106 = i_1;
                    float _e108 = w;
                    weights.inner[_e106] = _e108;
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (naga_div(me, FOURS) < GROUPS) {
                i_2 = naga_div(me, FOURS);
                uint2 loop_bound_6 = uint2(4294967295u);
                bool loop_init_6 = true;
                while(true) {
                    if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                    loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                    if (!loop_init_6) {
                        uint _e301 = i_2;
                        i_2 = _e301 + AT_ONCE;
                    }
                    loop_init_6 = false;
                    uint _e119 = i_2;
                    uint _e121 = base;
                    if (_e119 < metal::min(RUN, splits - _e121)) {
                    } else {
                        break;
                    }
                    {
                        uint _e125 = base;
                        uint _e126 = i_2;
                        uint _e135 = p.part;
                        uint at0_ = ((first + (metal::min((_e125 + _e126) + 0u, splits - 1u) * _e135)) + 2u) + d_1;
                        float _e143 = act[at0_];
                        float _e148 = act[at0_ + 1u];
                        float _e153 = act[at0_ + 2u];
                        float _e158 = act[at0_ + 3u];
                        metal::float4 v0_ = metal::float4(_e143, _e148, _e153, _e158);
                        uint _e160 = base;
                        uint _e161 = i_2;
                        uint _e170 = p.part;
                        uint at1_ = ((first + (metal::min((_e160 + _e161) + 8u, splits - 1u) * _e170)) + 2u) + d_1;
                        float _e178 = act[at1_];
                        float _e183 = act[at1_ + 1u];
                        float _e188 = act[at1_ + 2u];
                        float _e193 = act[at1_ + 3u];
                        metal::float4 v1_ = metal::float4(_e178, _e183, _e188, _e193);
                        uint _e195 = base;
                        uint _e196 = i_2;
                        uint _e205 = p.part;
                        uint at2_ = ((first + (metal::min((_e195 + _e196) + 16u, splits - 1u) * _e205)) + 2u) + d_1;
                        float _e213 = act[at2_];
                        float _e218 = act[at2_ + 1u];
                        float _e223 = act[at2_ + 2u];
                        float _e228 = act[at2_ + 3u];
                        metal::float4 v2_ = metal::float4(_e213, _e218, _e223, _e228);
                        uint _e230 = base;
                        uint _e231 = i_2;
                        uint _e240 = p.part;
                        uint at3_ = ((first + (metal::min((_e230 + _e231) + 24u, splits - 1u) * _e240)) + 2u) + d_1;
                        float _e248 = act[at3_];
                        float _e253 = act[at3_ + 1u];
                        float _e258 = act[at3_ + 2u];
                        float _e263 = act[at3_ + 3u];
                        metal::float4 v3_ = metal::float4(_e248, _e253, _e258, _e263);
                        metal::float4 _e265 = y;
                        uint _e267 = i_2;
                        float _e271 = weights.inner[_e267 + 0u];
                        y = _e265 + (_e271 * v0_);
                        metal::float4 _e274 = y;
                        uint _e276 = i_2;
                        float _e280 = weights.inner[_e276 + 8u];
                        y = _e274 + (_e280 * v1_);
                        metal::float4 _e283 = y;
                        uint _e285 = i_2;
                        float _e289 = weights.inner[_e285 + 16u];
                        y = _e283 + (_e289 * v2_);
                        metal::float4 _e292 = y;
                        uint _e294 = i_2;
                        float _e298 = weights.inner[_e294 + 24u];
                        y = _e292 + (_e298 * v3_);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    float _e307 = total;
    float _e308 = workgroup_sum(_e307, lane, subgroup, size, sum_parts);
    total = _e308;
    uint _e311 = p.sinks;
    if (_e311 > 0u) {
        float _e314 = total;
        uint _e318 = p.sinks;
        float _e323 = vectors[(_e318 - 1u) + head_1];
        float _e324 = most;
        total = _e314 + metal::exp(_e323 - _e324);
    }
    metal::float4 _e330 = y;
    gathered.inner[me] = _e330;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    y = metal::float4(0.0);
    if (me < FOURS) {
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e350 = g;
                g = _e350 + 1u;
            }
            loop_init_7 = false;
            uint _e337 = g;
            if (_e337 < GROUPS) {
            } else {
                break;
            }
            {
                metal::float4 _e340 = y;
                uint _e342 = g;
                metal::float4 _e347 = gathered.inner[(_e342 * FOURS) + me];
                y = _e340 + _e347;
            }
        }
        metal::float4 _e352 = y;
        float _e353 = total;
        y = _e352 / metal::float4(_e353);
    }
    metal::float4 _e356 = y;
    give(_e356, me, row_2, head_1, x_words, x_scales, p, act, _buffer_sizes);
    return;
}
