// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
};

typedef uint type_1[1];
typedef float type_5[1];
struct Params {
    uint scores;
    uint stride;
    uint out;
    uint out_stride;
    uint row;
    uint pad0_;
    uint pad1_;
    uint pad2_;
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint CACHE = 1u;
constant uint EVERY = 4u;
constant uint BLOCK_ROWS = 4u;
constant uint LISTED = 1u;
constant uint RUN = 8u;
constant uint LIST_WIDTH = 2048u;
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

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

uint pooled_slot(
    uint table,
    uint row,
    uint block_len,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint position = ((row + 1u) * EVERY) - 1u;
    uint _e13 = step[table + naga_div(position, block_len)];
    return (_e13 * BLOCK_ROWS) + naga_div(naga_mod(position, block_len), EVERY);
}

uint seen_rows(
    uint row_1,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = step[5];
    uint _e7 = step[_e4 + row_1];
    return naga_div(_e7 + 1u, EVERY);
}

uint among(
    uint row_2,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e1 = seen_rows(row_2, step, _buffer_sizes);
    uint runs = naga_div((_e1 + RUN) - 1u, RUN);
    return (metal::min(runs, LIST_WIDTH) * RUN) - ((runs * RUN) - _e1);
}

uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}

uint number(
    uint list,
    uint row_3,
    uint at,
    device type_5 const& act,
    constant _mslBufferSizes& _buffer_sizes
) {
    float _e11 = act[(list + (row_3 * LIST_WIDTH)) + naga_div(at, RUN)];
    return (naga_f2u32(_e11) * RUN) + naga_mod(at, RUN);
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint run = {};
    float most = {};
    uint i = {};
    uint _e4 = p.row;
    uint _e7 = seen_rows(_e4 + group.x, step, _buffer_sizes);
    uint runs_1 = naga_div((_e7 + RUN) - 1u, RUN);
    run = me;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e70 = run;
            run = _e70 + WG;
        }
        loop_init = false;
        uint _e15 = run;
        if (_e15 < runs_1) {
        } else {
            break;
        }
        {
            most = -300000000000000000000000000000000000000.0;
            uint _e19 = run;
            i = _e19 * RUN;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e48 = i;
                    i = _e48 + 1u;
                }
                loop_init_1 = false;
                uint _e23 = i;
                uint _e24 = run;
                if (_e23 < metal::min((_e24 + 1u) * RUN, _e7)) {
                } else {
                    break;
                }
                {
                    float _e31 = most;
                    uint _e35 = p.scores;
                    uint _e39 = p.stride;
                    uint _e42 = i;
                    float _e45 = act[(_e35 + (group.x * _e39)) + _e42];
                    most = metal::max(_e31, _e45);
                }
            }
            uint _e53 = p.out;
            uint _e57 = p.out_stride;
            uint _e60 = run;
            float _e63 = most;
            uint _e64 = run;
            act[(_e53 + (group.x * _e57)) + _e60] = ((_e64 + 1u) == runs_1) ? 300000000000000000000000000000000000000.0 : _e63;
        }
    }
    return;
}
