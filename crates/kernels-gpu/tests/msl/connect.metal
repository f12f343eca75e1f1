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
struct Params {
    uint x;
    uint width;
    uint mixes;
    uint scale;
    uint base;
    uint rounds;
    float eps;
    float least;
};
typedef float type_6[1];
struct type_7 {
    float inner[16];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint N = 4u;
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
    uint i_4 = 0u;
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
            uint _e27 = i_4;
            i_4 = _e27 + 1u;
        }
        loop_init = false;
        uint _e13 = i_4;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total;
            uint _e22 = i_4;
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
    uint i_5 = 1u;
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
            uint _e29 = i_5;
            i_5 = _e29 + 1u;
        }
        loop_init_1 = false;
        uint _e15 = i_5;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest;
            uint _e24 = i_5;
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
, device type_6& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_6 const& vectors [[user(fake0)]]
, threadgroup type_7& comb
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    float squares = 0.0;
    uint i = {};
    float most = {};
    uint i_1 = 1u;
    float sum = 0.0;
    uint i_2 = 0u;
    float y = {};
    uint round = 0u;
    uint i_3 = {};
    uint row = group.x;
    i = me;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e30 = i;
            i = _e30 + WG;
        }
        loop_init_2 = false;
        uint _e9 = i;
        uint _e12 = p.width;
        if (_e9 < _e12) {
        } else {
            break;
        }
        {
            uint _e17 = p.x;
            uint _e20 = p.width;
            uint _e23 = i;
            float x = act[(_e17 + (row * _e20)) + _e23];
            float _e27 = squares;
            squares = _e27 + (x * x);
        }
    }
    float _e33 = squares;
    float _e34 = workgroup_sum(_e33, lane, subgroup, size, sum_parts);
    uint _e37 = p.width;
    float _e42 = p.eps;
    float norm = 1.0 / metal::sqrt((_e34 / static_cast<float>(_e37)) + _e42);
    uint _e49 = p.mixes;
    uint mixes = _e49 + ((row * 6u) * N);
    uint mine = metal::min(me, 23u);
    float _e60 = act[mixes + mine];
    uint _e65 = p.scale;
    float _e72 = vectors[_e65 + metal::min(naga_div(mine, N), 2u)];
    uint _e77 = p.base;
    float _e80 = vectors[_e77 + mine];
    float m = ((_e60 * norm) * _e72) + _e80;
    if (me < N) {
        float _e95 = p.least;
        act[mixes + me] = (1.0 / (1.0 + metal::exp(-(m)))) + _e95;
    } else {
        if (me < 8u) {
            act[mixes + me] = 2.0 / (1.0 + metal::exp(-(m)));
        } else {
            if (me < 24u) {
                comb.inner[me - 8u] = m;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint at = metal::min(me, 15u);
    uint first = naga_div(at, N) * N;
    uint column = naga_mod(at, N);
    float _e124 = comb.inner[first];
    most = _e124;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e139 = i_1;
            i_1 = _e139 + 1u;
        }
        loop_init_3 = false;
        uint _e128 = i_1;
        if (_e128 < N) {
        } else {
            break;
        }
        {
            float _e131 = most;
            uint _e133 = i_1;
            float _e136 = comb.inner[first + _e133];
            most = metal::max(_e131, _e136);
        }
    }
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e159 = i_2;
            i_2 = _e159 + 1u;
        }
        loop_init_4 = false;
        uint _e145 = i_2;
        if (_e145 < N) {
        } else {
            break;
        }
        {
            float _e148 = sum;
            uint _e150 = i_2;
            float _e153 = comb.inner[first + _e150];
            float _e154 = most;
            sum = _e148 + metal::exp(_e153 - _e154);
        }
    }
    float _e163 = comb.inner[at];
    float _e164 = most;
    float _e167 = sum;
    float _e171 = p.least;
    y = (metal::exp(_e163 - _e164) / _e167) + _e171;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e222 = round;
            round = _e222 + 1u;
        }
        loop_init_5 = false;
        uint _e176 = round;
        uint _e180 = p.rounds;
        if (_e176 < ((2u * _e180) - 1u)) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            float _e187 = y;
            comb.inner[at] = _e187;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            sum = 0.0;
            i_3 = 0u;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e212 = i_3;
                    i_3 = _e212 + 1u;
                }
                loop_init_6 = false;
                uint _e191 = i_3;
                if (_e191 < N) {
                } else {
                    break;
                }
                {
                    float _e194 = sum;
                    uint _e196 = i_3;
                    uint _e200 = i_3;
                    uint _e202 = round;
                    float _e209 = comb.inner[(naga_mod(_e202, 2u) == 1u) ? (first + _e200) : ((_e196 * N) + column)];
                    sum = _e194 + _e209;
                }
            }
            float _e214 = y;
            float _e215 = sum;
            float _e218 = p.least;
            y = _e214 / (_e215 + _e218);
        }
    }
    if (me < 16u) {
        float _e231 = y;
        act[(mixes + 8u) + me] = _e231;
        return;
    } else {
        return;
    }
}
