// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size2;
    uint size3;
    uint size5;
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
    uint out;
    uint parts;
    uint heads;
    uint list;
    uint window;
    uint windowed;
    uint block_len;
    float scale;
    uint sinks;
    uint rope;
    uint halves;
};
typedef float type_9[1];
struct type_10 {
    metal::float4 inner[512];
};
struct type_11 {
    uint inner[64];
};
struct type_13 {
    float inner[4];
};
struct type_14 {
    metal::float4 inner[8];
};
constant uint WG = 64u;
constant uint SUBGROUPS = 8u;
constant uint CACHE = 1u;
constant uint G = 4u;
constant uint KU = 64u;
constant uint PER = 1u;
constant uint KEY_DIM = 512u;
constant uint PAIRS = 32u;
constant uint LISTED = 0u;
constant uint LIST_WIDTH = 512u;
constant uint EVERY = 4u;
constant uint BLOCK_ROWS = 4u;
constant uint FIRST = 1u;
constant uint LAST = 0u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint PART = 514u;

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
            float g_7 = metal::min(gate, 7.0);
            return (g_7 / (1.0 + metal::exp(-1.702 * g_7))) * (metal::clamp(up, -7.0, 7.0) + 1.0);
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
            float g_8 = metal::min(gate, limit_1);
            return (g_8 / (1.0 + metal::exp(-(g_8)))) * metal::clamp(up, -(limit_1), limit_1);
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
    uint position_2 = ((row + 1u) * EVERY) - 1u;
    uint _e13 = step[table + naga_div(position_2, block_len)];
    return (_e13 * BLOCK_ROWS) + naga_div(naga_mod(position_2, block_len), EVERY);
}

float workgroup_sum(
    float value,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_5& sum_parts
) {
    float total = 0.0;
    uint i_3 = 0u;
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
            uint _e27 = i_3;
            i_3 = _e27 + 1u;
        }
        loop_init = false;
        uint _e13 = i_3;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total;
            uint _e22 = i_3;
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
    uint i_4 = 1u;
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
            uint _e29 = i_4;
            i_4 = _e29 + 1u;
        }
        loop_init_1 = false;
        uint _e15 = i_4;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest;
            uint _e24 = i_4;
            float _e26 = sum_parts.inner[_e24];
            largest = metal::max(_e22, _e26);
        }
    }
    float _e31 = largest;
    return _e31;
}

uint slot_of(
    uint table_1,
    uint position,
    uint block_len_1,
    uint heads,
    uint head,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint block = step[table_1 + naga_div(position, block_len_1)];
    return (((block * heads) + head) * block_len_1) + naga_mod(position, block_len_1);
}

uint table_of(
    uint row_1,
    uint windowed,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e7 = step[6u + windowed];
    uint _e10 = step[_e7 + row_1];
    return _e10;
}

uint seen_from(
    uint position_1,
    uint window
) {
    return (window > 0u) ? ((position_1 + 1u) - metal::min(position_1 + 1u, window)) : 0u;
}

uint seen_to(
    uint row_2,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = step[16];
    uint _e7 = step[_e4 + row_2];
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
    uint i_5 = (scales + (slot * blocks)) + naga_div(u_1, 4u);
    uint _e76 = cache[naga_div(i_5, 4u)][naga_mod(i_5, 4u)];
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

float value_at(
    uint g_6,
    uint d,
    threadgroup type_10& queries
) {
    uint i_6 = ((g_6 * KU) * 8u) + d;
    float _e14 = queries.inner[naga_div(i_6, 4u)][naga_mod(i_6, 4u)];
    return _e14;
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(64)]] kernel void main_(
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
, device type_9 const& vectors [[user(fake0)]]
, threadgroup type_10& queries
, threadgroup type_5& weights
, threadgroup type_11& slots
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    type_13 most = {};
    type_13 sum = {};
    type_14 out = {};
    uint g = 0u;
    uint n = {};
    uint j = {};
    metal::float4 old = {};
    uint tile = 0u;
    type_13 scores = {};
    uint u = {};
    uint g_1 = {};
    uint g_2 = {};
    uint n_1 = {};
    uint k = {};
    uint n_2 = {};
    uint g_3 = {};
    uint g_4 = 0u;
    uint n_3 = {};
    uint i_1 = {};
    uint g_5 = 0u;
    uint n_4 = {};
    uint i_2 = {};
    float y = {};
    uint row_3 = group.y;
    uint h0_ = group.x * G;
    i = me;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e60 = i;
            i = _e60 + WG;
        }
        loop_init_2 = false;
        uint _e10 = i;
        if (_e10 < 2048u) {
        } else {
            break;
        }
        {
            uint _e13 = i;
            uint d_1 = naga_mod(_e13, 512u);
            uint _e16 = i;
            uint _e22 = p.heads;
            uint head_1 = metal::min(h0_ + naga_div(_e16, 512u), _e22 - 1u);
            uint _e28 = p.q;
            uint _e31 = p.heads;
            uint at_1 = (_e28 + (((row_3 * _e31) + head_1) * KEY_DIM)) + metal::min(d_1, 511u);
            uint _e41 = i;
            uint _e45 = i;
            float _e51 = act[at_1];
            float _e54 = p.scale;
            queries.inner[naga_div(_e41, 4u)][naga_mod(_e45, 4u)] = (d_1 < KEY_DIM) ? (_e51 * _e54) : 0.0;
        }
    }
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e177 = g;
            g = _e177 + 1u;
        }
        loop_init_3 = false;
        uint _e68 = g;
        if (_e68 < G) {
        } else {
            break;
        }
        {
            uint _e73 = p.parts;
            uint _e76 = p.heads;
            uint _e78 = g;
            uint _e82 = p.heads;
            uint part = _e73 + (((row_3 * _e76) + metal::min(h0_ + _e78, _e82 - 1u)) * PART);
            uint _e90 = g;
            most.inner[_e90] = -300000000000000000000000000000000000000.0;
            uint _e93 = g;
            sum.inner[_e93] = 0.0;
            if (false) {
                uint _e97 = g;
                float _e103 = act[part + 512u];
                most.inner[_e97] = _e103;
                uint _e104 = g;
                float _e112 = act[(part + 512u) + 1u];
                sum.inner[_e104] = _e112;
            }
            n = 0u;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e174 = n;
                    n = _e174 + 1u;
                }
                loop_init_4 = false;
                uint _e115 = n;
                if (_e115 < PER) {
                } else {
                    break;
                }
                {
                    uint _e118 = n;
                    uint u_3 = me + (_e118 * WG);
                    j = 0u;
                    uint2 loop_bound_5 = uint2(4294967295u);
                    bool loop_init_5 = true;
                    while(true) {
                        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                        if (!loop_init_5) {
                            uint _e171 = j;
                            j = _e171 + 1u;
                        }
                        loop_init_5 = false;
                        uint _e124 = j;
                        if (_e124 < 2u) {
                        } else {
                            break;
                        }
                        {
                            uint _e132 = j;
                            uint at_2 = (part + (metal::min(u_3, 63u) * 8u)) + (_e132 * 4u);
                            old = metal::float4(0.0);
                            if (false) {
                                float _e142 = act[at_2];
                                float _e147 = act[at_2 + 1u];
                                float _e152 = act[at_2 + 2u];
                                float _e157 = act[at_2 + 3u];
                                old = metal::float4(_e142, _e147, _e152, _e157);
                            }
                            uint _e159 = g;
                            uint _e162 = n;
                            uint _e166 = j;
                            metal::float4 _e169 = old;
                            out.inner[(((_e159 * PER) + _e162) * 2u) + _e166] = _e169;
                        }
                    }
                }
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint _e181 = p.windowed;
    uint _e182 = table_of(row_3, _e181, step, _buffer_sizes);
    uint _e186 = step[5];
    uint position_3 = step[_e186 + row_3];
    uint _e196 = p.window;
    uint first = (position_3 + 1u) - metal::min(position_3 + 1u, _e196);
    uint all = (position_3 + 1u) - first;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e433 = tile;
            tile = _e433 + WG;
        }
        loop_init_6 = false;
        uint _e204 = tile;
        if (_e204 < all) {
        } else {
            break;
        }
        {
            uint _e206 = tile;
            uint mine = metal::min(_e206 + me, all - 1u);
            uint _e211 = tile;
            bool valid = (_e211 + me) < all;
            uint _e217 = p.block_len;
            uint _e220 = slot_of(_e182, first + mine, _e217, 1u, 0u, step, _buffer_sizes);
            scores = type_13 {};
            u = 0u;
            uint2 loop_bound_7 = uint2(4294967295u);
            bool loop_init_7 = true;
            while(true) {
                if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                if (!loop_init_7) {
                    uint _e279 = u;
                    u = _e279 + 1u;
                }
                loop_init_7 = false;
                uint _e225 = u;
                if (_e225 < KU) {
                } else {
                    break;
                }
                {
                    uint _e231 = p.place.keys;
                    uint _e235 = p.place.key_scales;
                    uint _e237 = u;
                    type_8 _e238 = eight(_e231, _e235, _e220, KU, _e237, cache, _buffer_sizes);
                    g_1 = 0u;
                    uint2 loop_bound_8 = uint2(4294967295u);
                    bool loop_init_8 = true;
                    while(true) {
                        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                        if (!loop_init_8) {
                            uint _e276 = g_1;
                            g_1 = _e276 + 1u;
                        }
                        loop_init_8 = false;
                        uint _e241 = g_1;
                        if (_e241 < G) {
                        } else {
                            break;
                        }
                        {
                            uint _e244 = g_1;
                            float _e246 = scores.inner[_e244];
                            uint _e249 = g_1;
                            uint _e252 = u;
                            metal::float4 _e257 = queries.inner[((_e249 * KU) + _e252) * 2u];
                            uint _e261 = g_1;
                            uint _e264 = u;
                            metal::float4 _e271 = queries.inner[(((_e261 * KU) + _e264) * 2u) + 1u];
                            scores.inner[_e244] = _e246 + (metal::dot(_e238.inner[0], _e257) + metal::dot(_e238.inner[1], _e271));
                        }
                    }
                }
            }
            slots.inner[me] = _e220;
            g_2 = 0u;
            uint2 loop_bound_9 = uint2(4294967295u);
            bool loop_init_9 = true;
            while(true) {
                if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                if (!loop_init_9) {
                    uint _e342 = g_2;
                    g_2 = _e342 + 1u;
                }
                loop_init_9 = false;
                uint _e285 = g_2;
                if (_e285 < G) {
                } else {
                    break;
                }
                {
                    uint _e288 = g_2;
                    float _e290 = scores.inner[_e288];
                    float score = valid ? _e290 : -300000000000000000000000000000000000000.0;
                    uint _e293 = g_2;
                    float _e295 = most.inner[_e293];
                    float _e296 = workgroup_max(score, lane, subgroup, size, sum_parts);
                    float top = metal::max(_e295, _e296);
                    uint _e298 = g_2;
                    float _e300 = most.inner[_e298];
                    float shrink = metal::exp(_e300 - top);
                    float weight = valid ? metal::exp(score - top) : 0.0;
                    uint _e308 = g_2;
                    weights.inner[(_e308 * WG) + me] = weight;
                    uint _e313 = g_2;
                    uint _e315 = g_2;
                    float _e317 = sum.inner[_e315];
                    float _e319 = workgroup_sum(weight, lane, subgroup, size, sum_parts);
                    sum.inner[_e313] = (_e317 * shrink) + _e319;
                    uint _e321 = g_2;
                    most.inner[_e321] = top;
                    n_1 = 0u;
                    uint2 loop_bound_10 = uint2(4294967295u);
                    bool loop_init_10 = true;
                    while(true) {
                        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                        if (!loop_init_10) {
                            uint _e339 = n_1;
                            n_1 = _e339 + 1u;
                        }
                        loop_init_10 = false;
                        uint _e325 = n_1;
                        if (_e325 < 2u) {
                        } else {
                            break;
                        }
                        {
                            uint _e328 = g_2;
                            uint _e333 = n_1;
                            metal::float4 _e336 = out.inner[((_e328 * PER) * 2u) + _e333];
                            out.inner[((_e328 * PER) * 2u) + _e333] = _e336 * shrink;
                        }
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            k = 0u;
            uint2 loop_bound_11 = uint2(4294967295u);
            bool loop_init_11 = true;
            while(true) {
                if (metal::all(loop_bound_11 == uint2(0u))) { break; }
                loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
                if (!loop_init_11) {
                    uint _e431 = k;
                    k = _e431 + 1u;
                }
                loop_init_11 = false;
                uint _e346 = k;
                uint _e348 = tile;
                if (_e346 < metal::min(WG, all - _e348)) {
                } else {
                    break;
                }
                {
                    n_2 = 0u;
                    uint2 loop_bound_12 = uint2(4294967295u);
                    bool loop_init_12 = true;
                    while(true) {
                        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
                        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
                        if (!loop_init_12) {
                            uint _e428 = n_2;
                            n_2 = _e428 + 1u;
                        }
                        loop_init_12 = false;
                        uint _e354 = n_2;
                        if (_e354 < PER) {
                        } else {
                            break;
                        }
                        {
                            uint _e360 = p.place.keys;
                            uint _e364 = p.place.key_scales;
                            uint _e366 = k;
                            uint _e368 = slots.inner[_e366];
                            uint _e370 = n_2;
                            type_8 _e376 = eight(_e360, _e364, _e368, KU, metal::min(me + (_e370 * WG), 63u), cache, _buffer_sizes);
                            g_3 = 0u;
                            uint2 loop_bound_13 = uint2(4294967295u);
                            bool loop_init_13 = true;
                            while(true) {
                                if (metal::all(loop_bound_13 == uint2(0u))) { break; }
                                loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
                                if (!loop_init_13) {
                                    uint _e425 = g_3;
                                    g_3 = _e425 + 1u;
                                }
                                loop_init_13 = false;
                                uint _e379 = g_3;
                                if (_e379 < G) {
                                } else {
                                    break;
                                }
                                {
                                    uint _e382 = g_3;
                                    uint _e385 = n_2;
                                    metal::float4 _e390 = out.inner[((_e382 * PER) + _e385) * 2u];
                                    uint _e392 = g_3;
                                    uint _e395 = k;
                                    float _e398 = weights.inner[(_e392 * WG) + _e395];
                                    out.inner[((_e382 * PER) + _e385) * 2u] = _e390 + (_e398 * _e376.inner[0]);
                                    uint _e402 = g_3;
                                    uint _e405 = n_2;
                                    metal::float4 _e412 = out.inner[(((_e402 * PER) + _e405) * 2u) + 1u];
                                    uint _e414 = g_3;
                                    uint _e417 = k;
                                    float _e420 = weights.inner[(_e414 * WG) + _e417];
                                    out.inner[(((_e402 * PER) + _e405) * 2u) + 1u] = _e412 + (_e420 * _e376.inner[1]);
                                }
                            }
                        }
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    if (true) {
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e526 = g_4;
                g_4 = _e526 + 1u;
            }
            loop_init_14 = false;
            uint _e439 = g_4;
            if (_e439 < G) {
            } else {
                break;
            }
            {
                uint _e442 = g_4;
                uint _e446 = p.heads;
                if ((h0_ + _e442) < _e446) {
                    uint _e450 = p.parts;
                    uint _e453 = p.heads;
                    uint _e456 = g_4;
                    uint part_1 = _e450 + ((((row_3 * _e453) + h0_) + _e456) * PART);
                    n_3 = 0u;
                    uint2 loop_bound_15 = uint2(4294967295u);
                    bool loop_init_15 = true;
                    while(true) {
                        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
                        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
                        if (!loop_init_15) {
                            uint _e505 = n_3;
                            n_3 = _e505 + 1u;
                        }
                        loop_init_15 = false;
                        uint _e463 = n_3;
                        if (_e463 < PER) {
                        } else {
                            break;
                        }
                        {
                            uint _e466 = n_3;
                            uint u_4 = me + (_e466 * WG);
                            i_1 = 0u;
                            uint2 loop_bound_16 = uint2(4294967295u);
                            bool loop_init_16 = true;
                            while(true) {
                                if (metal::all(loop_bound_16 == uint2(0u))) { break; }
                                loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
                                if (!loop_init_16) {
                                    uint _e502 = i_1;
                                    i_1 = _e502 + 1u;
                                }
                                loop_init_16 = false;
                                uint _e472 = i_1;
                                if (_e472 < 8u) {
                                } else {
                                    break;
                                }
                                {
                                    if (u_4 < KU) {
                                        uint _e481 = i_1;
                                        uint _e484 = g_4;
                                        uint _e487 = n_3;
                                        uint _e491 = i_1;
                                        uint _e496 = i_1;
                                        float _e500 = out.inner[(((_e484 * PER) + _e487) * 2u) + naga_div(_e491, 4u)][naga_mod(_e496, 4u)];
                                        act[(part_1 + (u_4 * 8u)) + _e481] = _e500;
                                    }
                                }
                            }
                        }
                    }
                    if (me == 0u) {
                        uint _e513 = g_4;
                        float _e515 = most.inner[_e513];
                        act[part_1 + 512u] = _e515;
                        uint _e522 = g_4;
                        float _e524 = sum.inner[_e522];
                        act[(part_1 + 512u) + 1u] = _e524;
                    }
                }
            }
        }
        return;
    }
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_17 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_17) {
            uint _e625 = g_5;
            g_5 = _e625 + 1u;
        }
        loop_init_17 = false;
        uint _e530 = g_5;
        if (_e530 < G) {
        } else {
            break;
        }
        {
            uint _e536 = p.sinks;
            uint _e537 = g_5;
            uint _e541 = p.heads;
            float sink = vectors[_e536 + metal::min(h0_ + _e537, _e541 - 1u)];
            uint _e548 = g_5;
            float _e550 = most.inner[_e548];
            float top_1 = metal::max(_e550, sink);
            uint _e552 = g_5;
            float _e554 = most.inner[_e552];
            uint _e557 = g_5;
            float _e559 = sum.inner[_e557];
            uint _e560 = g_5;
            float _e562 = most.inner[_e560];
            float factor = metal::exp(_e554 - top_1) / ((_e559 * metal::exp(_e562 - top_1)) + metal::exp(sink - top_1));
            n_4 = 0u;
            uint2 loop_bound_18 = uint2(4294967295u);
            bool loop_init_18 = true;
            while(true) {
                if (metal::all(loop_bound_18 == uint2(0u))) { break; }
                loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
                if (!loop_init_18) {
                    uint _e622 = n_4;
                    n_4 = _e622 + 1u;
                }
                loop_init_18 = false;
                uint _e572 = n_4;
                if (_e572 < PER) {
                } else {
                    break;
                }
                {
                    uint _e575 = n_4;
                    uint u_5 = me + (_e575 * WG);
                    if (u_5 < KU) {
                        uint _e582 = g_5;
                        uint _e589 = g_5;
                        uint _e592 = n_4;
                        metal::float4 _e597 = out.inner[((_e589 * PER) + _e592) * 2u];
                        queries.inner[((_e582 * KU) + u_5) * 2u] = _e597 * factor;
                        uint _e600 = g_5;
                        uint _e609 = g_5;
                        uint _e612 = n_4;
                        metal::float4 _e619 = out.inner[(((_e609 * PER) + _e612) * 2u) + 1u];
                        queries.inner[(((_e600 * KU) + u_5) * 2u) + 1u] = _e619 * factor;
                    }
                }
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i_2 = me;
    uint2 loop_bound_19 = uint2(4294967295u);
    bool loop_init_19 = true;
    while(true) {
        if (metal::all(loop_bound_19 == uint2(0u))) { break; }
        loop_bound_19 -= uint2(loop_bound_19.y == 0u, 1u);
        if (!loop_init_19) {
            uint _e727 = i_2;
            i_2 = _e727 + WG;
        }
        loop_init_19 = false;
        uint _e629 = i_2;
        if (_e629 < 2048u) {
        } else {
            break;
        }
        {
            uint _e632 = i_2;
            uint g_9 = naga_div(_e632, KEY_DIM);
            uint _e635 = i_2;
            uint d_2 = naga_mod(_e635, KEY_DIM);
            uint _e641 = p.heads;
            if ((h0_ + g_9) < _e641) {
                float _e643 = value_at(g_9, d_2, queries);
                y = _e643;
                if (d_2 >= 448u) {
                    uint e = d_2 - 448u;
                    uint _e653 = p.halves;
                    uint pair_1 = (_e653 == 1u) ? naga_mod(e, PAIRS) : naga_div(e, 2u);
                    uint _e663 = p.halves;
                    bool second = ((_e663 == 1u) ? naga_div(e, PAIRS) : naga_mod(e, 2u)) == 1u;
                    uint _e673 = p.halves;
                    uint distance = (_e673 == 1u) ? PAIRS : 1u;
                    uint _e681 = p.rope;
                    uint _e684 = step[21u + _e681];
                    uint angles = _e684 + (((row_3 * PAIRS) + pair_1) * 2u);
                    uint _e693 = step[angles];
                    float cos = as_type<float>(_e693);
                    uint _e699 = step[angles + 1u];
                    float sin = as_type<float>(_e699);
                    float _e704 = value_at(g_9, second ? (d_2 - distance) : (d_2 + distance), queries);
                    float _e705 = y;
                    y = (_e705 * cos) + ((second ? -(_e704) : _e704) * sin);
                }
                uint _e714 = p.out;
                uint _e717 = p.heads;
                float _e726 = y;
                act[(_e714 + ((((row_3 * _e717) + h0_) + g_9) * KEY_DIM)) + d_2] = _e726;
            }
        }
    }
    return;
}
