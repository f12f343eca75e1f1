// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size3;
};

typedef uint type_2[1];
struct Span {
    uint row;
    uint rows;
    uint start;
    uint state;
    uint state_from;
};
struct Params {
    uint x;
    uint gate;
    uint out;
    uint width;
    uint every;
    uint pad0_;
    uint pad1_;
    uint pad2_;
};
typedef float type_6[1];
constant uint WG = 64u;
constant uint SUBGROUPS = 8u;
constant bool KEEP = true;
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

Span span_at(
    uint i,
    device type_2 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e3 = step[9];
    uint at = _e3 + (i * 5u);
    uint _e9 = step[at];
    uint _e14 = step[at + 1u];
    uint _e19 = step[at + 2u];
    uint _e24 = step[at + 3u];
    uint _e29 = step[at + 4u];
    return Span {_e9, _e14, _e19, _e24, _e29};
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

uint state_at(
    uint place,
    uint position_3,
    constant Params& p
) {
    uint _e4 = p.every;
    uint _e8 = p.every;
    uint _e15 = p.width;
    return (((place * _e4) + naga_mod(position_3, _e8)) * 2u) * _e15;
}

metal::float2 token(
    Span span,
    uint position_4,
    uint c,
    device type_6 const& act,
    constant Params& p,
    device type_6 const& states,
    constant _mslBufferSizes& _buffer_sizes
) {
    if (position_4 >= span.start) {
        uint _e11 = p.width;
        uint at_1 = (((span.row + position_4) - span.start) * _e11) + c;
        uint _e17 = p.x;
        float _e20 = act[_e17 + at_1];
        uint _e24 = p.gate;
        float _e27 = act[_e24 + at_1];
        return metal::float2(_e20, _e27);
    }
    uint _e30 = state_at(span.state_from, position_4, p);
    uint at_2 = _e30 + c;
    float _e34 = states[at_2];
    uint _e38 = p.width;
    float _e41 = states[at_2 + _e38];
    return metal::float2(_e34, _e41);
}
uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(64)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_2 const& step [[user(fake0)]]
, device type_6& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_6& states [[user(fake0)]]
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint position = {};
    float y = 0.0;
    float most = -300000000000000000000000000000000000000.0;
    uint position_1 = {};
    float sum = 0.0;
    uint position_2 = {};
    uint c_1 = (group.x * WG) + me;
    uint _e8 = p.width;
    if (c_1 >= _e8) {
        return;
    }
    if (KEEP) {
        Span _e12 = span_at(group.y, step, _buffer_sizes);
        uint end = _e12.start + _e12.rows;
        uint _e18 = p.every;
        uint _e22 = p.every;
        position = naga_div(end, _e18) * _e22;
        uint2 loop_bound = uint2(4294967295u);
        bool loop_init = true;
        while(true) {
            if (metal::all(loop_bound == uint2(0u))) { break; }
            loop_bound -= uint2(loop_bound.y == 0u, 1u);
            if (!loop_init) {
                uint _e44 = position;
                position = _e44 + 1u;
            }
            loop_init = false;
            uint _e25 = position;
            if (_e25 < end) {
            } else {
                break;
            }
            {
                uint _e27 = position;
                metal::float2 _e28 = token(_e12, _e27, c_1, act, p, states, _buffer_sizes);
                uint _e30 = position;
                uint _e31 = state_at(_e12.state, _e30, p);
                uint at_3 = _e31 + c_1;
                states[at_3] = _e28.x;
                uint _e39 = p.width;
                states[at_3 + _e39] = _e28.y;
            }
        }
        return;
    } else {
        uint row = group.y;
        uint _e50 = step[10];
        uint _e53 = step[_e50 + row];
        Span _e54 = span_at(_e53, step, _buffer_sizes);
        uint end_1 = ((_e54.start + row) - _e54.row) + 1u;
        uint _e65 = p.every;
        if (naga_mod(end_1, _e65) == 0u) {
            uint _e73 = p.every;
            position_1 = end_1 - _e73;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e84 = position_1;
                    position_1 = _e84 + 1u;
                }
                loop_init_1 = false;
                uint _e76 = position_1;
                if (_e76 < end_1) {
                } else {
                    break;
                }
                {
                    float _e78 = most;
                    uint _e79 = position_1;
                    metal::float2 _e80 = token(_e54, _e79, c_1, act, p, states, _buffer_sizes);
                    most = metal::max(_e78, _e80.y);
                }
            }
            uint _e90 = p.every;
            position_2 = end_1 - _e90;
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e108 = position_2;
                    position_2 = _e108 + 1u;
                }
                loop_init_2 = false;
                uint _e93 = position_2;
                if (_e93 < end_1) {
                } else {
                    break;
                }
                {
                    uint _e95 = position_2;
                    metal::float2 _e96 = token(_e54, _e95, c_1, act, p, states, _buffer_sizes);
                    float _e98 = most;
                    float share = metal::exp(_e96.y - _e98);
                    float _e101 = sum;
                    sum = _e101 + share;
                    float _e103 = y;
                    y = _e103 + (share * _e96.x);
                }
            }
            float _e110 = y;
            float _e111 = sum;
            y = _e110 / _e111;
        }
        uint _e116 = p.out;
        uint _e119 = p.width;
        float _e124 = y;
        act[(_e116 + (row * _e119)) + c_1] = _e124;
        return;
    }
}
