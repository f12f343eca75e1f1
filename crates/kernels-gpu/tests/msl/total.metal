// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size3;
};

typedef uint type_1[1];
struct Params {
    uint logits;
    uint width;
    uint runs;
    uint first_token;
    uint sums;
    uint pad0_;
    uint pad1_;
    uint pad2_;
};
typedef float type_6[1];
struct type_8 {
    metal::float2 inner[256];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint RUN = 4096u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint NEGATIVE_INFINITY = 8388607u;
constant uint INFINITY_ = 4286578688u;

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

uint key_of(
    float value
) {
    uint bits = as_type<uint>(value);
    if ((bits & 2147483647u) > 2139095040u) {
        return 4294967295u;
    }
    return ((bits >> 31u) == 1u) ? ~(bits) : (bits ^ 2147483648u);
}

uint mask_of(
    uint row,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e3 = step[19];
    if (_e3 == 0u) {
        return 0u;
    }
    uint _e10 = step[19];
    uint _e13 = step[_e10 + row];
    return _e13;
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

bool is_allowed(
    uint found,
    uint token,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    bool local_2 = {};
    uint mask = found & 2147483647u;
    if (!((mask == 0u))) {
        uint _e14 = step[mask + naga_div(token, 32u)];
        local_2 = ((_e14 >> naga_mod(token, 32u)) & 1u) == 1u;
    } else {
        local_2 = true;
    }
    bool _e23 = local_2;
    return _e23;
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_6 const& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_1& found_1 [[user(fake0)]]
, threadgroup type_8& parts
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    metal::float2 most = metal::float2(-340282350000000000000000000000000000000.0, -340282350000000000000000000000000000000.0);
    uint i = {};
    bool local = {};
    uint half_ = 128u;
    metal::float2 sum = metal::float2(0.0, 0.0);
    uint i_1 = {};
    bool local_1 = {};
    uint half_1 = 128u;
    uint row_1 = group.y;
    uint first = group.x * RUN;
    uint _e10 = p.width;
    uint end = metal::min(first + RUN, _e10);
    uint _e12 = mask_of(row_1, step, _buffer_sizes);
    uint _e16 = step[20];
    uint _e19 = step[_e16 + row_1];
    float scale = as_type<float>(_e19);
    i = first + me;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e65 = i;
            i = _e65 + WG;
        }
        loop_init = false;
        uint _e27 = i;
        if (_e27 < end) {
        } else {
            break;
        }
        {
            uint _e32 = p.logits;
            uint _e35 = p.width;
            uint _e38 = i;
            float logit = act[(_e32 + (row_1 * _e35)) + _e38];
            uint _e42 = key_of(logit);
            if (_e42 > NEGATIVE_INFINITY) {
                local = _e42 < INFINITY_;
            } else {
                local = false;
            }
            bool _e50 = local;
            if (_e50) {
                float _e53 = most.x;
                most.x = metal::max(_e53, logit);
                uint _e57 = p.first_token;
                uint _e58 = i;
                bool _e60 = is_allowed(_e12, _e57 + _e58, step, _buffer_sizes);
                if (_e60) {
                    float _e63 = most.y;
                    most.y = metal::max(_e63, logit);
                }
            }
        }
    }
    metal::float2 _e70 = most;
    parts.inner[me] = _e70;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e89 = half_;
            half_ = naga_div(_e89, 2u);
        }
        loop_init_1 = false;
        uint _e73 = half_;
        if (_e73 > 0u) {
        } else {
            break;
        }
        {
            uint _e76 = half_;
            if (me < _e76) {
                metal::float2 _e82 = parts.inner[me];
                uint _e84 = half_;
                metal::float2 _e87 = parts.inner[me + _e84];
                parts.inner[me] = metal::max(_e82, _e87);
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    metal::float2 _e94 = parts.inner[0];
    most = _e94;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i_1 = first + me;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e146 = i_1;
            i_1 = _e146 + WG;
        }
        loop_init_2 = false;
        uint _e101 = i_1;
        if (_e101 < end) {
        } else {
            break;
        }
        {
            uint _e106 = p.logits;
            uint _e109 = p.width;
            uint _e112 = i_1;
            float logit_1 = act[(_e106 + (row_1 * _e109)) + _e112];
            uint _e116 = key_of(logit_1);
            if (_e116 > NEGATIVE_INFINITY) {
                local_1 = _e116 < INFINITY_;
            } else {
                local_1 = false;
            }
            bool _e124 = local_1;
            if (_e124) {
                float _e126 = sum.x;
                float _e128 = most.x;
                sum.x = _e126 + metal::exp(logit_1 - _e128);
                uint _e134 = p.first_token;
                uint _e135 = i_1;
                bool _e137 = is_allowed(_e12, _e134 + _e135, step, _buffer_sizes);
                if (_e137) {
                    float _e139 = sum.y;
                    float _e141 = most.y;
                    sum.y = _e139 + metal::exp((logit_1 - _e141) * scale);
                }
            }
        }
    }
    metal::float2 _e151 = sum;
    parts.inner[me] = _e151;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e168 = half_1;
            half_1 = naga_div(_e168, 2u);
        }
        loop_init_3 = false;
        uint _e154 = half_1;
        if (_e154 > 0u) {
        } else {
            break;
        }
        {
            uint _e157 = half_1;
            if (me < _e157) {
                metal::float2 _e161 = parts.inner[me];
                uint _e163 = half_1;
                metal::float2 _e166 = parts.inner[me + _e163];
                parts.inner[me] = _e161 + _e166;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    if (me == 0u) {
        uint _e175 = p.sums;
        uint _e178 = p.runs;
        uint at = _e175 + (((row_1 * _e178) + group.x) * 4u);
        float _e188 = most.x;
        found_1[at] = as_type<uint>(_e188);
        float _e197 = parts.inner[0].x;
        found_1[at + 1u] = as_type<uint>(_e197);
        float _e204 = most.y;
        found_1[at + 2u] = as_type<uint>(_e204);
        float _e213 = parts.inner[0].y;
        found_1[at + 3u] = as_type<uint>(_e213);
        return;
    } else {
        return;
    }
}
