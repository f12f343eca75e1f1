// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size3;
    uint size4;
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
    uint out;
    uint channels;
    uint kernel_;
    uint weight;
    uint bias;
    uint pad0_;
    uint pad1_;
};
typedef float type_6[1];
constant uint WG = 64u;
constant uint SUBGROUPS = 8u;
constant bool KEEP = false;
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
    uint i_1,
    device type_2 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e3 = step[9];
    uint at = _e3 + (i_1 * 5u);
    uint _e9 = step[at];
    uint _e14 = step[at + 1u];
    uint _e19 = step[at + 2u];
    uint _e24 = step[at + 3u];
    uint _e29 = step[at + 4u];
    return Span {_e9, _e14, _e19, _e24, _e29};
}

float value(
    Span span,
    uint ahead,
    uint c,
    device type_6 const& act,
    constant Params& p,
    device type_6 const& states,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e5 = p.kernel_;
    uint held = _e5 - 1u;
    if (ahead >= held) {
        uint _e12 = p.x;
        uint _e18 = p.channels;
        float _e23 = act[(_e12 + (((span.row + ahead) - held) * _e18)) + c];
        return _e23;
    }
    if (span.start == 0u) {
        return 0.0;
    }
    uint _e34 = p.channels;
    float _e38 = states[(((span.state_from * held) + ahead) * _e34) + c];
    return _e38;
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(64)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_2 const& step [[user(fake0)]]
, device type_6& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_6 const& vectors [[user(fake0)]]
, device type_6& states [[user(fake0)]]
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = 0u;
    float y = 0.0;
    uint j = 0u;
    uint c_1 = (group.x * WG) + me;
    uint _e8 = p.channels;
    if (c_1 >= _e8) {
        return;
    }
    if (KEEP) {
        Span _e12 = span_at(group.y, step, _buffer_sizes);
        uint2 loop_bound = uint2(4294967295u);
        bool loop_init = true;
        while(true) {
            if (metal::all(loop_bound == uint2(0u))) { break; }
            loop_bound -= uint2(loop_bound.y == 0u, 1u);
            if (!loop_init) {
                uint _e43 = i;
                i = _e43 + 1u;
            }
            loop_init = false;
            uint _e15 = i;
            uint _e20 = p.kernel_;
            if ((_e15 + 1u) < _e20) {
            } else {
                break;
            }
            {
                uint _e26 = p.kernel_;
                uint _e30 = i;
                uint _e34 = p.channels;
                uint _e38 = i;
                float _e41 = value(_e12, _e38 + _e12.rows, c_1, act, p, states, _buffer_sizes);
                states[(((_e12.state * (_e26 - 1u)) + _e30) * _e34) + c_1] = _e41;
            }
        }
        return;
    } else {
        uint row = group.y;
        uint _e49 = step[10];
        uint _e52 = step[_e49 + row];
        Span _e53 = span_at(_e52, step, _buffer_sizes);
        uint _e58 = p.bias;
        if (_e58 > 0u) {
            uint _e64 = p.bias;
            float _e69 = vectors[(_e64 - 1u) + c_1];
            y = _e69;
        }
        uint2 loop_bound_1 = uint2(4294967295u);
        bool loop_init_1 = true;
        while(true) {
            if (metal::all(loop_bound_1 == uint2(0u))) { break; }
            loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
            if (!loop_init_1) {
                uint _e99 = j;
                j = _e99 + 1u;
            }
            loop_init_1 = false;
            uint _e72 = j;
            uint _e75 = p.kernel_;
            if (_e72 < _e75) {
            } else {
                break;
            }
            {
                float _e77 = y;
                uint _e81 = p.weight;
                uint _e84 = p.kernel_;
                uint _e87 = j;
                float _e90 = vectors[(_e81 + (c_1 * _e84)) + _e87];
                uint _e93 = j;
                float _e95 = value(_e53, (row - _e53.row) + _e93, c_1, act, p, states, _buffer_sizes);
                y = _e77 + (_e90 * _e95);
            }
        }
        uint _e104 = p.out;
        uint _e107 = p.channels;
        float _e112 = y;
        float _e113 = y;
        act[(_e104 + (row * _e107)) + c_1] = _e112 / (1.0 + metal::exp(-(_e113)));
        return;
    }
}
