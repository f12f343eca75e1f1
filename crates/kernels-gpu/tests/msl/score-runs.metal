// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size2;
    uint size3;
};

typedef uint type_1[1];
struct type_5 {
    float inner[256];
};
struct Place {
    uint keys;
    uint values;
    uint key_scales;
    uint value_scales;
};
typedef metal::uint4 type_6[1];
struct Stored {
    metal::uint4 a;
    metal::uint4 b;
    float scale;
    char _pad3[12];
};
struct type_8 {
    metal::float4 inner[2];
};
struct Params {
    Place place;
    uint q;
    uint scores;
    uint stride;
    uint heads;
    uint row;
    uint block_len;
    uint local;
    uint groups;
};
typedef float type_9[1];
struct type_10 {
    metal::float4 inner[32];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint CACHE = 1u;
constant uint RUN = 128u;
constant uint KU = 16u;
constant uint KEY_DIM = 128u;
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
    threadgroup type_5& sum_parts
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

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

uint slot_of(
    uint table,
    uint position,
    uint block_len,
    uint heads,
    uint head,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint block = step[table + naga_div(position, block_len)];
    return (((block * heads) + head) * block_len) + naga_mod(position, block_len);
}

uint table_of(
    uint row,
    uint windowed,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e7 = step[6u + windowed];
    uint _e10 = step[_e7 + row];
    return _e10;
}

uint seen_from(
    uint position_1,
    uint window
) {
    return (window > 0u) ? ((position_1 + 1u) - metal::min(position_1 + 1u, window)) : 0u;
}

uint seen_to(
    uint row_1,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = step[16];
    uint _e7 = step[_e4 + row_1];
    return _e7;
}

Stored stored(
    uint plane,
    uint scales,
    uint slot,
    uint units,
    uint u_1,
    device type_6 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    if (false) {
        uint at = naga_div(plane, 4u) + (((slot * units) + u_1) * 2u);
        metal::uint4 _e15 = cache[at];
        metal::uint4 _e20 = cache[at + 1u];
        return Stored {_e15, _e20, 1.0};
    } else {
        if (true) {
            metal::uint4 _e31 = cache[(naga_div(plane, 4u) + (slot * units)) + u_1];
            return Stored {_e31, metal::uint4(0u), 1.0};
        }
    }
    uint blocks = naga_div(units + 3u, 4u);
    metal::uint4 w_1 = cache[(naga_div(plane, 4u) + ((slot * blocks) * 2u)) + naga_div(u_1, 2u)];
    metal::uint2 pair = ((u_1 & 1u) == 1u) ? w_1.zw : w_1.xy;
    uint i_2 = (scales + (slot * blocks)) + naga_div(u_1, 4u);
    uint _e76 = cache[naga_div(i_2, 4u)][naga_mod(i_2, 4u)];
    return Stored {metal::uint4(pair, 0u, 0u), metal::uint4(0u), as_type<float>(_e76)};
}

type_8 values_of(
    Stored w
) {
    if (false) {
        return type_8 {{as_type<metal::float4>(w.a), as_type<metal::float4>(w.b)}};
    } else {
        if (true) {
            return type_8 {{metal::float4(float2(as_type<half2>(w.a.x)), float2(as_type<half2>(w.a.y))), metal::float4(float2(as_type<half2>(w.a.z)), float2(as_type<half2>(w.a.w)))}};
        }
    }
    return type_8 {{static_cast<metal::float4>(int4(as_type<packed_char4>(w.a.x))) * w.scale, static_cast<metal::float4>(int4(as_type<packed_char4>(w.a.y))) * w.scale}};
}

type_8 eight(
    uint plane_1,
    uint scales_1,
    uint slot_1,
    uint units_1,
    uint u_2,
    device type_6 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e5 = stored(plane_1, scales_1, slot_1, units_1, u_2, cache, _buffer_sizes);
    type_8 _e6 = values_of(_e5);
    return _e6;
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_1 const& step [[user(fake0)]]
, threadgroup type_5& sum_parts
, device type_6 const& cache [[user(fake0)]]
, device type_9& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, threadgroup type_10& query
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint d = {};
    uint run = {};
    float most = {};
    uint key = {};
    float sum = {};
    uint u = {};
    uint _e7 = p.row;
    uint row_2 = _e7 + group.y;
    uint head_1 = group.z;
    d = me;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e47 = d;
            d = _e47 + WG;
        }
        loop_init_2 = false;
        uint _e12 = d;
        if (_e12 < 128u) {
        } else {
            break;
        }
        {
            uint _e17 = p.q;
            uint _e20 = p.heads;
            uint _e26 = d;
            uint at_1 = (_e17 + (((row_2 * _e20) + head_1) * KEY_DIM)) + metal::min(_e26, 127u);
            uint _e31 = d;
            uint _e35 = d;
            float _e41 = act[at_1];
            uint _e42 = d;
            query.inner[naga_div(_e31, 4u)][naga_mod(_e35, 4u)] = (_e42 < KEY_DIM) ? _e41 : 0.0;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint _e51 = table_of(row_2, 0u, step, _buffer_sizes);
    uint _e55 = step[5];
    uint _e58 = step[_e55 + row_2];
    uint seen = _e58 + 1u;
    uint runs = naga_div((seen + RUN) - 1u, RUN);
    run = group.x;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e171 = run;
            uint _e174 = p.groups;
            run = _e171 + _e174;
        }
        loop_init_3 = false;
        uint _e69 = run;
        if (_e69 < runs) {
        } else {
            break;
        }
        {
            most = -300000000000000000000000000000000000000.0;
            uint _e73 = run;
            key = (_e73 * RUN) + me;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e138 = key;
                    key = _e138 + WG;
                }
                loop_init_4 = false;
                uint _e78 = key;
                uint _e79 = run;
                if (_e78 < metal::min((_e79 + 1u) * RUN, seen)) {
                } else {
                    break;
                }
                {
                    uint _e86 = key;
                    uint _e89 = p.block_len;
                    uint _e92 = slot_of(_e51, _e86, _e89, 1u, 0u, step, _buffer_sizes);
                    sum = 0.0;
                    u = 0u;
                    uint2 loop_bound_5 = uint2(4294967295u);
                    bool loop_init_5 = true;
                    while(true) {
                        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                        if (!loop_init_5) {
                            uint _e133 = u;
                            u = _e133 + 1u;
                        }
                        loop_init_5 = false;
                        uint _e97 = u;
                        if (_e97 < KU) {
                        } else {
                            break;
                        }
                        {
                            uint _e103 = p.place.keys;
                            uint _e107 = p.place.key_scales;
                            uint _e109 = u;
                            type_8 _e110 = eight(_e103, _e107, _e92, KU, _e109, cache, _buffer_sizes);
                            float _e111 = sum;
                            uint _e114 = u;
                            metal::float4 _e118 = query.inner[_e114 * 2u];
                            uint _e122 = u;
                            metal::float4 _e128 = query.inner[(_e122 * 2u) + 1u];
                            sum = _e111 + (metal::dot(_e110.inner[0], _e118) + metal::dot(_e110.inner[1], _e128));
                        }
                    }
                    float _e135 = most;
                    float _e136 = sum;
                    most = metal::max(_e135, _e136);
                }
            }
            float _e141 = most;
            float _e142 = workgroup_max(_e141, lane, subgroup, size, sum_parts);
            if (me == 0u) {
                uint _e148 = p.scores;
                uint _e152 = p.heads;
                uint _e157 = p.stride;
                uint _e160 = run;
                uint _e163 = run;
                uint _e166 = p.local;
                act[(_e148 + (((group.y * _e152) + head_1) * _e157)) + _e160] = ((_e163 + _e166) >= runs) ? 300000000000000000000000000000000000000.0 : _e142;
            }
        }
    }
    return;
}
