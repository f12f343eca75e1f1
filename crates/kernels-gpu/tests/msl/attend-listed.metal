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
constant uint LISTED = 1u;
constant uint LIST_WIDTH = 512u;
constant uint EVERY = 4u;
constant uint BLOCK_ROWS = 4u;
constant uint FIRST = 0u;
constant uint LAST = 1u;
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
uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
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
    bool local = {};
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
            if (true) {
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
                            if (true) {
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
    uint _e194 = p.list;
    uint list = _e194 + (row_3 * LIST_WIDTH);
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e452 = tile;
            tile = _e452 + WG;
        }
        loop_init_6 = false;
        uint _e200 = tile;
        if (_e200 < LIST_WIDTH) {
        } else {
            break;
        }
        {
            uint _e202 = tile;
            uint mine = metal::min(_e202 + me, LIST_WIDTH - 1u);
            uint _e208 = tile;
            float _e211 = act[list + _e208];
            if (_e211 < 0.0) {
                break;
            }
            uint _e214 = tile;
            if ((_e214 + me) < LIST_WIDTH) {
                float _e222 = act[list + mine];
                local = _e222 >= 0.0;
            } else {
                local = false;
            }
            bool valid = local;
            uint _e228 = tile;
            float _e232 = act[list + (valid ? mine : _e228)];
            uint _e238 = p.block_len;
            uint _e239 = pooled_slot(_e182, naga_f2u32(metal::max(_e232, 0.0)), _e238, step, _buffer_sizes);
            scores = type_13 {};
            u = 0u;
            uint2 loop_bound_7 = uint2(4294967295u);
            bool loop_init_7 = true;
            while(true) {
                if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                if (!loop_init_7) {
                    uint _e298 = u;
                    u = _e298 + 1u;
                }
                loop_init_7 = false;
                uint _e244 = u;
                if (_e244 < KU) {
                } else {
                    break;
                }
                {
                    uint _e250 = p.place.keys;
                    uint _e254 = p.place.key_scales;
                    uint _e256 = u;
                    type_8 _e257 = eight(_e250, _e254, _e239, KU, _e256, cache, _buffer_sizes);
                    g_1 = 0u;
                    uint2 loop_bound_8 = uint2(4294967295u);
                    bool loop_init_8 = true;
                    while(true) {
                        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                        if (!loop_init_8) {
                            uint _e295 = g_1;
                            g_1 = _e295 + 1u;
                        }
                        loop_init_8 = false;
                        uint _e260 = g_1;
                        if (_e260 < G) {
                        } else {
                            break;
                        }
                        {
                            uint _e263 = g_1;
                            float _e265 = scores.inner[_e263];
                            uint _e268 = g_1;
                            uint _e271 = u;
                            metal::float4 _e276 = queries.inner[((_e268 * KU) + _e271) * 2u];
                            uint _e280 = g_1;
                            uint _e283 = u;
                            metal::float4 _e290 = queries.inner[(((_e280 * KU) + _e283) * 2u) + 1u];
                            scores.inner[_e263] = _e265 + (metal::dot(_e257.inner[0], _e276) + metal::dot(_e257.inner[1], _e290));
                        }
                    }
                }
            }
            slots.inner[me] = _e239;
            g_2 = 0u;
            uint2 loop_bound_9 = uint2(4294967295u);
            bool loop_init_9 = true;
            while(true) {
                if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                if (!loop_init_9) {
                    uint _e361 = g_2;
                    g_2 = _e361 + 1u;
                }
                loop_init_9 = false;
                uint _e304 = g_2;
                if (_e304 < G) {
                } else {
                    break;
                }
                {
                    uint _e307 = g_2;
                    float _e309 = scores.inner[_e307];
                    float score = valid ? _e309 : -300000000000000000000000000000000000000.0;
                    uint _e312 = g_2;
                    float _e314 = most.inner[_e312];
                    float _e315 = workgroup_max(score, lane, subgroup, size, sum_parts);
                    float top = metal::max(_e314, _e315);
                    uint _e317 = g_2;
                    float _e319 = most.inner[_e317];
                    float shrink = metal::exp(_e319 - top);
                    float weight = valid ? metal::exp(score - top) : 0.0;
                    uint _e327 = g_2;
                    weights.inner[(_e327 * WG) + me] = weight;
                    uint _e332 = g_2;
                    uint _e334 = g_2;
                    float _e336 = sum.inner[_e334];
                    float _e338 = workgroup_sum(weight, lane, subgroup, size, sum_parts);
                    sum.inner[_e332] = (_e336 * shrink) + _e338;
                    uint _e340 = g_2;
                    most.inner[_e340] = top;
                    n_1 = 0u;
                    uint2 loop_bound_10 = uint2(4294967295u);
                    bool loop_init_10 = true;
                    while(true) {
                        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                        if (!loop_init_10) {
                            uint _e358 = n_1;
                            n_1 = _e358 + 1u;
                        }
                        loop_init_10 = false;
                        uint _e344 = n_1;
                        if (_e344 < 2u) {
                        } else {
                            break;
                        }
                        {
                            uint _e347 = g_2;
                            uint _e352 = n_1;
                            metal::float4 _e355 = out.inner[((_e347 * PER) * 2u) + _e352];
                            out.inner[((_e347 * PER) * 2u) + _e352] = _e355 * shrink;
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
                    uint _e450 = k;
                    k = _e450 + 1u;
                }
                loop_init_11 = false;
                uint _e365 = k;
                uint _e367 = tile;
                if (_e365 < metal::min(WG, LIST_WIDTH - _e367)) {
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
                            uint _e447 = n_2;
                            n_2 = _e447 + 1u;
                        }
                        loop_init_12 = false;
                        uint _e373 = n_2;
                        if (_e373 < PER) {
                        } else {
                            break;
                        }
                        {
                            uint _e379 = p.place.keys;
                            uint _e383 = p.place.key_scales;
                            uint _e385 = k;
                            uint _e387 = slots.inner[_e385];
                            uint _e389 = n_2;
                            type_8 _e395 = eight(_e379, _e383, _e387, KU, metal::min(me + (_e389 * WG), 63u), cache, _buffer_sizes);
                            g_3 = 0u;
                            uint2 loop_bound_13 = uint2(4294967295u);
                            bool loop_init_13 = true;
                            while(true) {
                                if (metal::all(loop_bound_13 == uint2(0u))) { break; }
                                loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
                                if (!loop_init_13) {
                                    uint _e444 = g_3;
                                    g_3 = _e444 + 1u;
                                }
                                loop_init_13 = false;
                                uint _e398 = g_3;
                                if (_e398 < G) {
                                } else {
                                    break;
                                }
                                {
                                    uint _e401 = g_3;
                                    uint _e404 = n_2;
                                    metal::float4 _e409 = out.inner[((_e401 * PER) + _e404) * 2u];
                                    uint _e411 = g_3;
                                    uint _e414 = k;
                                    float _e417 = weights.inner[(_e411 * WG) + _e414];
                                    out.inner[((_e401 * PER) + _e404) * 2u] = _e409 + (_e417 * _e395.inner[0]);
                                    uint _e421 = g_3;
                                    uint _e424 = n_2;
                                    metal::float4 _e431 = out.inner[(((_e421 * PER) + _e424) * 2u) + 1u];
                                    uint _e433 = g_3;
                                    uint _e436 = k;
                                    float _e439 = weights.inner[(_e433 * WG) + _e436];
                                    out.inner[(((_e421 * PER) + _e424) * 2u) + 1u] = _e431 + (_e439 * _e395.inner[1]);
                                }
                            }
                        }
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    if (false) {
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e545 = g_4;
                g_4 = _e545 + 1u;
            }
            loop_init_14 = false;
            uint _e458 = g_4;
            if (_e458 < G) {
            } else {
                break;
            }
            {
                uint _e461 = g_4;
                uint _e465 = p.heads;
                if ((h0_ + _e461) < _e465) {
                    uint _e469 = p.parts;
                    uint _e472 = p.heads;
                    uint _e475 = g_4;
                    uint part_1 = _e469 + ((((row_3 * _e472) + h0_) + _e475) * PART);
                    n_3 = 0u;
                    uint2 loop_bound_15 = uint2(4294967295u);
                    bool loop_init_15 = true;
                    while(true) {
                        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
                        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
                        if (!loop_init_15) {
                            uint _e524 = n_3;
                            n_3 = _e524 + 1u;
                        }
                        loop_init_15 = false;
                        uint _e482 = n_3;
                        if (_e482 < PER) {
                        } else {
                            break;
                        }
                        {
                            uint _e485 = n_3;
                            uint u_4 = me + (_e485 * WG);
                            i_1 = 0u;
                            uint2 loop_bound_16 = uint2(4294967295u);
                            bool loop_init_16 = true;
                            while(true) {
                                if (metal::all(loop_bound_16 == uint2(0u))) { break; }
                                loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
                                if (!loop_init_16) {
                                    uint _e521 = i_1;
                                    i_1 = _e521 + 1u;
                                }
                                loop_init_16 = false;
                                uint _e491 = i_1;
                                if (_e491 < 8u) {
                                } else {
                                    break;
                                }
                                {
                                    if (u_4 < KU) {
                                        uint _e500 = i_1;
                                        uint _e503 = g_4;
                                        uint _e506 = n_3;
                                        uint _e510 = i_1;
                                        uint _e515 = i_1;
                                        float _e519 = out.inner[(((_e503 * PER) + _e506) * 2u) + naga_div(_e510, 4u)][naga_mod(_e515, 4u)];
                                        act[(part_1 + (u_4 * 8u)) + _e500] = _e519;
                                    }
                                }
                            }
                        }
                    }
                    if (me == 0u) {
                        uint _e532 = g_4;
                        float _e534 = most.inner[_e532];
                        act[part_1 + 512u] = _e534;
                        uint _e541 = g_4;
                        float _e543 = sum.inner[_e541];
                        act[(part_1 + 512u) + 1u] = _e543;
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
            uint _e644 = g_5;
            g_5 = _e644 + 1u;
        }
        loop_init_17 = false;
        uint _e549 = g_5;
        if (_e549 < G) {
        } else {
            break;
        }
        {
            uint _e555 = p.sinks;
            uint _e556 = g_5;
            uint _e560 = p.heads;
            float sink = vectors[_e555 + metal::min(h0_ + _e556, _e560 - 1u)];
            uint _e567 = g_5;
            float _e569 = most.inner[_e567];
            float top_1 = metal::max(_e569, sink);
            uint _e571 = g_5;
            float _e573 = most.inner[_e571];
            uint _e576 = g_5;
            float _e578 = sum.inner[_e576];
            uint _e579 = g_5;
            float _e581 = most.inner[_e579];
            float factor = metal::exp(_e573 - top_1) / ((_e578 * metal::exp(_e581 - top_1)) + metal::exp(sink - top_1));
            n_4 = 0u;
            uint2 loop_bound_18 = uint2(4294967295u);
            bool loop_init_18 = true;
            while(true) {
                if (metal::all(loop_bound_18 == uint2(0u))) { break; }
                loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
                if (!loop_init_18) {
                    uint _e641 = n_4;
                    n_4 = _e641 + 1u;
                }
                loop_init_18 = false;
                uint _e591 = n_4;
                if (_e591 < PER) {
                } else {
                    break;
                }
                {
                    uint _e594 = n_4;
                    uint u_5 = me + (_e594 * WG);
                    if (u_5 < KU) {
                        uint _e601 = g_5;
                        uint _e608 = g_5;
                        uint _e611 = n_4;
                        metal::float4 _e616 = out.inner[((_e608 * PER) + _e611) * 2u];
                        queries.inner[((_e601 * KU) + u_5) * 2u] = _e616 * factor;
                        uint _e619 = g_5;
                        uint _e628 = g_5;
                        uint _e631 = n_4;
                        metal::float4 _e638 = out.inner[(((_e628 * PER) + _e631) * 2u) + 1u];
                        queries.inner[(((_e619 * KU) + u_5) * 2u) + 1u] = _e638 * factor;
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
            uint _e746 = i_2;
            i_2 = _e746 + WG;
        }
        loop_init_19 = false;
        uint _e648 = i_2;
        if (_e648 < 2048u) {
        } else {
            break;
        }
        {
            uint _e651 = i_2;
            uint g_9 = naga_div(_e651, KEY_DIM);
            uint _e654 = i_2;
            uint d_2 = naga_mod(_e654, KEY_DIM);
            uint _e660 = p.heads;
            if ((h0_ + g_9) < _e660) {
                float _e662 = value_at(g_9, d_2, queries);
                y = _e662;
                if (d_2 >= 448u) {
                    uint e = d_2 - 448u;
                    uint _e672 = p.halves;
                    uint pair_1 = (_e672 == 1u) ? naga_mod(e, PAIRS) : naga_div(e, 2u);
                    uint _e682 = p.halves;
                    bool second = ((_e682 == 1u) ? naga_div(e, PAIRS) : naga_mod(e, 2u)) == 1u;
                    uint _e692 = p.halves;
                    uint distance = (_e692 == 1u) ? PAIRS : 1u;
                    uint _e700 = p.rope;
                    uint _e703 = step[21u + _e700];
                    uint angles = _e703 + (((row_3 * PAIRS) + pair_1) * 2u);
                    uint _e712 = step[angles];
                    float cos = as_type<float>(_e712);
                    uint _e718 = step[angles + 1u];
                    float sin = as_type<float>(_e718);
                    float _e723 = value_at(g_9, second ? (d_2 - distance) : (d_2 + distance), queries);
                    float _e724 = y;
                    y = (_e724 * cos) + ((second ? -(_e723) : _e723) * sin);
                }
                uint _e733 = p.out;
                uint _e736 = p.heads;
                float _e745 = y;
                act[(_e733 + ((((row_3 * _e736) + h0_) + g_9) * KEY_DIM)) + d_2] = _e745;
            }
        }
    }
    return;
}
