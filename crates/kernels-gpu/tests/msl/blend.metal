// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size2;
    uint size4;
};

typedef uint type_1[1];
struct type_5 {
    float inner[256];
};
struct type_6 {
    metal::uint4 inner[3];
};
struct Params {
    uint out;
    uint width;
    uint weight;
    float eps;
    type_6 places;
};
typedef float type_7[1];
struct type_9 {
    float inner[9];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint COUNT = 9u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint QUADS = 3u;

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

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

float workgroup_sum(
    float value,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_5& sum_parts
) {
    float total = 0.0;
    uint i_2 = 0u;
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
            uint _e27 = i_2;
            i_2 = _e27 + 1u;
        }
        loop_init = false;
        uint _e13 = i_2;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total;
            uint _e22 = i_2;
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
    threadgroup type_5& sum_parts
) {
    float largest = {};
    uint i_3 = 1u;
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
            uint _e29 = i_3;
            i_3 = _e29 + 1u;
        }
        loop_init_1 = false;
        uint _e15 = i_3;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest;
            uint _e24 = i_3;
            float _e26 = sum_parts.inner[_e24];
            largest = metal::max(_e22, _e26);
        }
    }
    float _e31 = largest;
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
, threadgroup type_5& sum_parts
, device type_7& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_7 const& vectors [[user(fake0)]]
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    type_9 shares = {};
    float most = -340000000000000000000000000000000000000.0;
    uint s = 0u;
    metal::float2 sums = {};
    uint i = {};
    float sum = 0.0;
    uint s_1 = 0u;
    uint i_1 = {};
    float y = {};
    uint s_2 = {};
    uint _e8 = p.width;
    uint row = group.x * _e8;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e85 = s;
            s = _e85 + 1u;
        }
        loop_init_2 = false;
        uint _e15 = s;
        if (_e15 < COUNT) {
        } else {
            break;
        }
        {
            uint _e20 = s;
            uint _e24 = s;
            uint _e28 = p.places.inner[naga_div(_e20, 4u)][naga_mod(_e24, 4u)];
            uint at = _e28 + row;
            sums = metal::float2(0.0);
            i = me;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e57 = i;
                    i = _e57 + WG;
                }
                loop_init_3 = false;
                uint _e34 = i;
                uint _e37 = p.width;
                if (_e34 < _e37) {
                } else {
                    break;
                }
                {
                    uint _e40 = i;
                    float x = act[at + _e40];
                    metal::float2 _e44 = sums;
                    uint _e49 = p.weight;
                    uint _e50 = i;
                    float _e53 = vectors[_e49 + _e50];
                    sums = _e44 + metal::float2(x * x, x * _e53);
                }
            }
            float _e61 = sums.x;
            float _e62 = workgroup_sum(_e61, lane, subgroup, size, sum_parts);
            float _e64 = sums.y;
            float _e65 = workgroup_sum(_e64, lane, subgroup, size, sum_parts);
            uint _e66 = s;
            uint _e70 = p.width;
            float _e75 = p.eps;
            shares.inner[_e66] = _e65 / metal::sqrt((_e62 / static_cast<float>(_e70)) + _e75);
            float _e79 = most;
            uint _e80 = s;
            float _e82 = shares.inner[_e80];
            most = metal::max(_e79, _e82);
        }
    }
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e108 = s_1;
            s_1 = _e108 + 1u;
        }
        loop_init_4 = false;
        uint _e91 = s_1;
        if (_e91 < COUNT) {
        } else {
            break;
        }
        {
            uint _e94 = s_1;
            uint _e96 = s_1;
            float _e98 = shares.inner[_e96];
            float _e99 = most;
            shares.inner[_e94] = metal::exp(_e98 - _e99);
            float _e102 = sum;
            uint _e103 = s_1;
            float _e105 = shares.inner[_e103];
            sum = _e102 + _e105;
        }
    }
    i_1 = me;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e160 = i_1;
            i_1 = _e160 + WG;
        }
        loop_init_5 = false;
        uint _e111 = i_1;
        uint _e114 = p.width;
        if (_e111 < _e114) {
        } else {
            break;
        }
        {
            y = 0.0;
            s_2 = 0u;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e147 = s_2;
                    s_2 = _e147 + 1u;
                }
                loop_init_6 = false;
                uint _e120 = s_2;
                if (_e120 < COUNT) {
                } else {
                    break;
                }
                {
                    float _e123 = y;
                    uint _e124 = s_2;
                    float _e126 = shares.inner[_e124];
                    uint _e130 = s_2;
                    uint _e134 = s_2;
                    uint _e138 = p.places.inner[naga_div(_e130, 4u)][naga_mod(_e134, 4u)];
                    uint _e140 = i_1;
                    float _e143 = act[(_e138 + row) + _e140];
                    y = _e123 + (_e126 * _e143);
                }
            }
            uint _e152 = p.out;
            uint _e154 = i_1;
            float _e157 = y;
            float _e158 = sum;
            act[(_e152 + row) + _e154] = _e157 / _e158;
        }
    }
    return;
}
