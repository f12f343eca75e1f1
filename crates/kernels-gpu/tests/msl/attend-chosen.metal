// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size4;
};

typedef uint type_1[1];
struct Place {
    uint keys;
    uint values;
    uint key_scales;
    uint value_scales;
};
typedef metal::uint4 type_5[1];
struct Stored {
    metal::uint4 a;
    metal::uint4 b;
    float scale;
    char _pad3[12];
};
struct type_7 {
    metal::float4 inner[2];
};
struct Params {
    Place place;
    uint q;
    uint parts;
    uint heads;
    uint kv_heads;
    float scale;
    uint window;
    uint windowed;
    uint block_len;
    uint out;
    uint sinks;
    uint dim;
    uint stride;
    uint chosen;
    uint count;
    uint pad0_;
    uint pad1_;
};
typedef float type_8[1];
struct type_9 {
    metal::float4 inner[128];
};
struct type_10 {
    float inner[512];
};
struct type_11 {
    uint inner[128];
};
struct type_12 {
    float inner[64];
};
struct type_13 {
    metal::float4 inner[1024];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint G = 4u;
constant uint JOINED = 4u;
constant uint JOINS = 1u;
constant uint KU = 16u;
constant uint VU = 16u;
constant uint VALUE_UNITS = 16u;
constant uint KEY_DIM = 128u;
constant uint CACHE = 1u;
constant uint CHOSEN = 1u;
constant uint RUN = 128u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint KG = 8u;
constant uint KU4_ = 16u;
constant uint KEYS = 128u;

int idot(
    metal::uint4 a_1,
    metal::uint4 b_1
) {
    uint _e2 = a_1.x;
    uint _e3 = b_1.x;
    packed_char4 reinterpreted_packed_char4_e2 = as_type<packed_char4>(_e2);
    packed_char4 reinterpreted_packed_char4_e3 = as_type<packed_char4>(_e3);
    uint _e5 = a_1.y;
    uint _e6 = b_1.y;
    packed_char4 reinterpreted_packed_char4_e5 = as_type<packed_char4>(_e5);
    packed_char4 reinterpreted_packed_char4_e6 = as_type<packed_char4>(_e6);
    uint _e9 = a_1.z;
    uint _e10 = b_1.z;
    packed_char4 reinterpreted_packed_char4_e9 = as_type<packed_char4>(_e9);
    packed_char4 reinterpreted_packed_char4_e10 = as_type<packed_char4>(_e10);
    uint _e13 = a_1.w;
    uint _e14 = b_1.w;
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
    device type_5 const& cache,
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
    uint i_11 = (scales + (slot * blocks)) + naga_div(u_1, 4u);
    uint _e76 = cache[naga_div(i_11, 4u)][naga_mod(i_11, 4u)];
    return Stored {metal::uint4(pair, 0u, 0u), metal::uint4(0u), as_type<float>(_e76)};
}

type_7 values_of(
    Stored w
) {
    if (false) {
        return type_7 {{as_type<metal::float4>(w.a), as_type<metal::float4>(w.b)}};
    } else {
        if (true) {
            return type_7 {{metal::float4(float2(as_type<half2>(w.a.x)), float2(as_type<half2>(w.a.y))), metal::float4(float2(as_type<half2>(w.a.z)), float2(as_type<half2>(w.a.w)))}};
        }
    }
    return type_7 {{static_cast<metal::float4>(int4(as_type<packed_char4>(w.a.x))) * w.scale, static_cast<metal::float4>(int4(as_type<packed_char4>(w.a.y))) * w.scale}};
}

type_7 eight(
    uint plane_1,
    uint scales_1,
    uint slot_1,
    uint units_1,
    uint u_2,
    device type_5 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e5 = stored(plane_1, scales_1, slot_1, units_1, u_2, cache, _buffer_sizes);
    type_7 _e6 = values_of(_e5);
    return _e6;
}
uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
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
, device type_5 const& cache [[user(fake0)]]
, device type_8& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, threadgroup type_9& query
, threadgroup type_10& weights
, threadgroup type_11& slots
, threadgroup type_12& parts_of
, threadgroup type_13& gathered
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    uint i_1 = {};
    bool local = {};
    float largest0_ = -1000000000000000000000000000000.0;
    float total0_ = 0.0;
    metal::float4 sum_a0_ = metal::float4(0.0);
    metal::float4 sum_b0_ = metal::float4(0.0);
    float largest1_ = -1000000000000000000000000000000.0;
    float total1_ = 0.0;
    metal::float4 sum_a1_ = metal::float4(0.0);
    metal::float4 sum_b1_ = metal::float4(0.0);
    float largest2_ = -1000000000000000000000000000000.0;
    float total2_ = 0.0;
    metal::float4 sum_a2_ = metal::float4(0.0);
    metal::float4 sum_b2_ = metal::float4(0.0);
    float largest3_ = -1000000000000000000000000000000.0;
    float total3_ = 0.0;
    metal::float4 sum_a3_ = metal::float4(0.0);
    metal::float4 sum_b3_ = metal::float4(0.0);
    uint tile = {};
    float dot0_0_ = {};
    float dot0_1_ = {};
    float dot0_2_ = {};
    float dot0_3_ = {};
    float dot1_0_ = {};
    float dot1_1_ = {};
    float dot1_2_ = {};
    float dot1_3_ = {};
    float dot2_0_ = {};
    float dot2_1_ = {};
    float dot2_2_ = {};
    float dot2_3_ = {};
    float dot3_0_ = {};
    float dot3_1_ = {};
    float dot3_2_ = {};
    float dot3_3_ = {};
    uint u = {};
    float score0_ = {};
    float score1_ = {};
    float score2_ = {};
    float score3_ = {};
    float next0_ = {};
    uint i_2 = {};
    float next1_ = {};
    uint i_3 = {};
    float next2_ = {};
    uint i_4 = {};
    float next3_ = {};
    uint i_5 = {};
    uint j = {};
    uint i_6 = {};
    metal::float4 a = {};
    metal::float4 b = {};
    uint k = {};
    bool local_1 = {};
    float sum = 0.0;
    uint i_7 = 0u;
    bool local_2 = {};
    float sum_1 = 0.0;
    uint i_8 = 0u;
    bool local_3 = {};
    float sum_2 = 0.0;
    uint i_9 = 0u;
    bool local_4 = {};
    float sum_3 = 0.0;
    uint i_10 = 0u;
    uint row_2 = group.z;
    uint split = group.y;
    uint _e9 = p.heads;
    uint _e12 = p.kv_heads;
    uint shared_by = naga_div(_e9, _e12);
    uint chunks = naga_div((shared_by + G) - 1u, G);
    uint kv_head = naga_div(group.x, chunks);
    uint head_1 = (kv_head * shared_by) + (naga_mod(group.x, chunks) * G);
    uint heads_1 = metal::min(G, shared_by - (naga_mod(group.x, chunks) * G));
    uint _e38 = step[5];
    uint position_2 = step[_e38 + row_2];
    uint _e44 = p.windowed;
    uint _e45 = table_of(row_2, _e44, step, _buffer_sizes);
    uint _e48 = step[2];
    uint first = split * _e48;
    uint _e54 = p.count;
    uint _e67 = step[2];
    uint end = metal::min(((metal::min(naga_div(position_2, RUN), _e54 - 1u) * RUN) + naga_mod(position_2, RUN)) + 1u, first + _e67);
    i = WG + me;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e104 = i;
            i = _e104 + WG;
        }
        loop_init = false;
        uint _e73 = i;
        if (_e73 < KEYS) {
        } else {
            break;
        }
        {
            uint _e77 = i;
            slots.inner[_e77] = 0u;
            uint _e82 = i;
            weights.inner[0u + _e82] = 0.0;
            uint _e88 = i;
            weights.inner[128u + _e88] = 0.0;
            uint _e94 = i;
            weights.inner[256u + _e94] = 0.0;
            uint _e100 = i;
            weights.inner[384u + _e100] = 0.0;
        }
    }
    i_1 = me;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e160 = i_1;
            i_1 = _e160 + WG;
        }
        loop_init_1 = false;
        uint _e108 = i_1;
        if (_e108 < 512u) {
        } else {
            break;
        }
        {
            uint _e111 = i_1;
            uint g_2 = naga_div(_e111, 128u);
            uint _e114 = i_1;
            uint d = naga_mod(_e114, 128u);
            if (g_2 < heads_1) {
                local = d < KEY_DIM;
            } else {
                local = false;
            }
            bool known = local;
            uint _e127 = p.q;
            uint _e130 = p.heads;
            float _e144 = act[(_e127 + ((((row_2 * _e130) + head_1) + metal::min(g_2, heads_1 - 1u)) * KEY_DIM)) + metal::min(d, 127u)];
            float value = known ? _e144 : 0.0;
            uint _e148 = i_1;
            uint _e152 = i_1;
            float _e158 = p.scale;
            query.inner[naga_div(_e148, 4u)][naga_mod(_e152, 4u)] = value * _e158;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint unit = naga_mod(me, VU);
    uint key_group = naga_div(me, VU);
    uint mine = naga_div(me, 4u) + (naga_mod(me, 4u) * 32u);
    tile = first;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1363 = tile;
            tile = _e1363 + WG;
        }
        loop_init_2 = false;
        uint _e215 = tile;
        if (_e215 < end) {
        } else {
            break;
        }
        {
            uint _e217 = tile;
            uint seen = metal::min(_e217 + me, end - 1u);
            uint _e225 = p.chosen;
            uint _e228 = p.kv_heads;
            uint _e233 = p.count;
            float _e240 = act[(_e225 + (((row_2 * _e228) + kv_head) * _e233)) + naga_div(seen, RUN)];
            uint run = naga_f2u32(_e240);
            uint _e251 = p.block_len;
            uint _e254 = p.kv_heads;
            uint _e255 = slot_of(_e45, (run * RUN) + naga_mod(seen, RUN), _e251, _e254, kv_head, step, _buffer_sizes);
            slots.inner[me] = _e255;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint slot0_ = slots.inner[naga_div(me, 4u) + 0u];
            dot0_0_ = 0.0;
            dot0_1_ = 0.0;
            dot0_2_ = 0.0;
            dot0_3_ = 0.0;
            uint slot1_ = slots.inner[naga_div(me, 4u) + 32u];
            dot1_0_ = 0.0;
            dot1_1_ = 0.0;
            dot1_2_ = 0.0;
            dot1_3_ = 0.0;
            uint slot2_ = slots.inner[naga_div(me, 4u) + 64u];
            dot2_0_ = 0.0;
            dot2_1_ = 0.0;
            dot2_2_ = 0.0;
            dot2_3_ = 0.0;
            uint slot3_ = slots.inner[naga_div(me, 4u) + 96u];
            dot3_0_ = 0.0;
            dot3_1_ = 0.0;
            dot3_2_ = 0.0;
            dot3_3_ = 0.0;
            u = naga_mod(me, 4u);
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e558 = u;
                    u = _e558 + 4u;
                }
                loop_init_3 = false;
                uint _e319 = u;
                if (_e319 < KU4_) {
                } else {
                    break;
                }
                {
                    uint _e325 = p.place.keys;
                    uint _e329 = p.place.key_scales;
                    uint _e331 = u;
                    type_7 _e334 = eight(_e325, _e329, slot0_, KU, metal::min(_e331, 15u), cache, _buffer_sizes);
                    uint _e338 = p.place.keys;
                    uint _e342 = p.place.key_scales;
                    uint _e344 = u;
                    type_7 _e347 = eight(_e338, _e342, slot1_, KU, metal::min(_e344, 15u), cache, _buffer_sizes);
                    uint _e351 = p.place.keys;
                    uint _e355 = p.place.key_scales;
                    uint _e357 = u;
                    type_7 _e360 = eight(_e351, _e355, slot2_, KU, metal::min(_e357, 15u), cache, _buffer_sizes);
                    uint _e364 = p.place.keys;
                    uint _e368 = p.place.key_scales;
                    uint _e370 = u;
                    type_7 _e373 = eight(_e364, _e368, slot3_, KU, metal::min(_e370, 15u), cache, _buffer_sizes);
                    uint _e376 = u;
                    metal::float4 qa0_ = query.inner[(0u + _e376) * 2u];
                    uint _e384 = u;
                    metal::float4 qb0_ = query.inner[((0u + _e384) * 2u) + 1u];
                    float _e392 = dot0_0_;
                    dot0_0_ = _e392 + (metal::dot(_e334.inner[0], qa0_) + metal::dot(_e334.inner[1], qb0_));
                    float _e399 = dot1_0_;
                    dot1_0_ = _e399 + (metal::dot(_e347.inner[0], qa0_) + metal::dot(_e347.inner[1], qb0_));
                    float _e406 = dot2_0_;
                    dot2_0_ = _e406 + (metal::dot(_e360.inner[0], qa0_) + metal::dot(_e360.inner[1], qb0_));
                    float _e413 = dot3_0_;
                    dot3_0_ = _e413 + (metal::dot(_e373.inner[0], qa0_) + metal::dot(_e373.inner[1], qb0_));
                    uint _e422 = u;
                    metal::float4 qa1_ = query.inner[(16u + _e422) * 2u];
                    uint _e430 = u;
                    metal::float4 qb1_ = query.inner[((16u + _e430) * 2u) + 1u];
                    float _e438 = dot0_1_;
                    dot0_1_ = _e438 + (metal::dot(_e334.inner[0], qa1_) + metal::dot(_e334.inner[1], qb1_));
                    float _e445 = dot1_1_;
                    dot1_1_ = _e445 + (metal::dot(_e347.inner[0], qa1_) + metal::dot(_e347.inner[1], qb1_));
                    float _e452 = dot2_1_;
                    dot2_1_ = _e452 + (metal::dot(_e360.inner[0], qa1_) + metal::dot(_e360.inner[1], qb1_));
                    float _e459 = dot3_1_;
                    dot3_1_ = _e459 + (metal::dot(_e373.inner[0], qa1_) + metal::dot(_e373.inner[1], qb1_));
                    uint _e468 = u;
                    metal::float4 qa2_ = query.inner[(32u + _e468) * 2u];
                    uint _e476 = u;
                    metal::float4 qb2_ = query.inner[((32u + _e476) * 2u) + 1u];
                    float _e484 = dot0_2_;
                    dot0_2_ = _e484 + (metal::dot(_e334.inner[0], qa2_) + metal::dot(_e334.inner[1], qb2_));
                    float _e491 = dot1_2_;
                    dot1_2_ = _e491 + (metal::dot(_e347.inner[0], qa2_) + metal::dot(_e347.inner[1], qb2_));
                    float _e498 = dot2_2_;
                    dot2_2_ = _e498 + (metal::dot(_e360.inner[0], qa2_) + metal::dot(_e360.inner[1], qb2_));
                    float _e505 = dot3_2_;
                    dot3_2_ = _e505 + (metal::dot(_e373.inner[0], qa2_) + metal::dot(_e373.inner[1], qb2_));
                    uint _e514 = u;
                    metal::float4 qa3_ = query.inner[(48u + _e514) * 2u];
                    uint _e522 = u;
                    metal::float4 qb3_ = query.inner[((48u + _e522) * 2u) + 1u];
                    float _e530 = dot0_3_;
                    dot0_3_ = _e530 + (metal::dot(_e334.inner[0], qa3_) + metal::dot(_e334.inner[1], qb3_));
                    float _e537 = dot1_3_;
                    dot1_3_ = _e537 + (metal::dot(_e347.inner[0], qa3_) + metal::dot(_e347.inner[1], qb3_));
                    float _e544 = dot2_3_;
                    dot2_3_ = _e544 + (metal::dot(_e360.inner[0], qa3_) + metal::dot(_e360.inner[1], qb3_));
                    float _e551 = dot3_3_;
                    dot3_3_ = _e551 + (metal::dot(_e373.inner[0], qa3_) + metal::dot(_e373.inner[1], qb3_));
                }
            }
            uint _e561 = tile;
            uint key = _e561 + mine;
            float _e563 = dot0_0_;
            float _e564 = dot0_0_;
            float unnamed = metal::simd_shuffle_xor(_e564, 1u);
            dot0_0_ = _e563 + unnamed;
            float _e568 = dot0_0_;
            float _e569 = dot0_0_;
            float unnamed_1 = metal::simd_shuffle_xor(_e569, 2u);
            dot0_0_ = _e568 + unnamed_1;
            float _e573 = dot1_0_;
            float _e574 = dot1_0_;
            float unnamed_2 = metal::simd_shuffle_xor(_e574, 1u);
            dot1_0_ = _e573 + unnamed_2;
            float _e578 = dot1_0_;
            float _e579 = dot1_0_;
            float unnamed_3 = metal::simd_shuffle_xor(_e579, 2u);
            dot1_0_ = _e578 + unnamed_3;
            float _e583 = dot2_0_;
            float _e584 = dot2_0_;
            float unnamed_4 = metal::simd_shuffle_xor(_e584, 1u);
            dot2_0_ = _e583 + unnamed_4;
            float _e588 = dot2_0_;
            float _e589 = dot2_0_;
            float unnamed_5 = metal::simd_shuffle_xor(_e589, 2u);
            dot2_0_ = _e588 + unnamed_5;
            float _e593 = dot3_0_;
            float _e594 = dot3_0_;
            float unnamed_6 = metal::simd_shuffle_xor(_e594, 1u);
            dot3_0_ = _e593 + unnamed_6;
            float _e598 = dot3_0_;
            float _e599 = dot3_0_;
            float unnamed_7 = metal::simd_shuffle_xor(_e599, 2u);
            dot3_0_ = _e598 + unnamed_7;
            float _e603 = dot0_0_;
            float _e604 = dot1_0_;
            float _e610 = dot2_0_;
            float _e611 = dot3_0_;
            score0_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e611 : _e610) : ((naga_mod(me, 4u) == 1u) ? _e604 : _e603);
            float _e623 = dot0_1_;
            float _e624 = dot0_1_;
            float unnamed_8 = metal::simd_shuffle_xor(_e624, 1u);
            dot0_1_ = _e623 + unnamed_8;
            float _e628 = dot0_1_;
            float _e629 = dot0_1_;
            float unnamed_9 = metal::simd_shuffle_xor(_e629, 2u);
            dot0_1_ = _e628 + unnamed_9;
            float _e633 = dot1_1_;
            float _e634 = dot1_1_;
            float unnamed_10 = metal::simd_shuffle_xor(_e634, 1u);
            dot1_1_ = _e633 + unnamed_10;
            float _e638 = dot1_1_;
            float _e639 = dot1_1_;
            float unnamed_11 = metal::simd_shuffle_xor(_e639, 2u);
            dot1_1_ = _e638 + unnamed_11;
            float _e643 = dot2_1_;
            float _e644 = dot2_1_;
            float unnamed_12 = metal::simd_shuffle_xor(_e644, 1u);
            dot2_1_ = _e643 + unnamed_12;
            float _e648 = dot2_1_;
            float _e649 = dot2_1_;
            float unnamed_13 = metal::simd_shuffle_xor(_e649, 2u);
            dot2_1_ = _e648 + unnamed_13;
            float _e653 = dot3_1_;
            float _e654 = dot3_1_;
            float unnamed_14 = metal::simd_shuffle_xor(_e654, 1u);
            dot3_1_ = _e653 + unnamed_14;
            float _e658 = dot3_1_;
            float _e659 = dot3_1_;
            float unnamed_15 = metal::simd_shuffle_xor(_e659, 2u);
            dot3_1_ = _e658 + unnamed_15;
            float _e663 = dot0_1_;
            float _e664 = dot1_1_;
            float _e670 = dot2_1_;
            float _e671 = dot3_1_;
            score1_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e671 : _e670) : ((naga_mod(me, 4u) == 1u) ? _e664 : _e663);
            float _e683 = dot0_2_;
            float _e684 = dot0_2_;
            float unnamed_16 = metal::simd_shuffle_xor(_e684, 1u);
            dot0_2_ = _e683 + unnamed_16;
            float _e688 = dot0_2_;
            float _e689 = dot0_2_;
            float unnamed_17 = metal::simd_shuffle_xor(_e689, 2u);
            dot0_2_ = _e688 + unnamed_17;
            float _e693 = dot1_2_;
            float _e694 = dot1_2_;
            float unnamed_18 = metal::simd_shuffle_xor(_e694, 1u);
            dot1_2_ = _e693 + unnamed_18;
            float _e698 = dot1_2_;
            float _e699 = dot1_2_;
            float unnamed_19 = metal::simd_shuffle_xor(_e699, 2u);
            dot1_2_ = _e698 + unnamed_19;
            float _e703 = dot2_2_;
            float _e704 = dot2_2_;
            float unnamed_20 = metal::simd_shuffle_xor(_e704, 1u);
            dot2_2_ = _e703 + unnamed_20;
            float _e708 = dot2_2_;
            float _e709 = dot2_2_;
            float unnamed_21 = metal::simd_shuffle_xor(_e709, 2u);
            dot2_2_ = _e708 + unnamed_21;
            float _e713 = dot3_2_;
            float _e714 = dot3_2_;
            float unnamed_22 = metal::simd_shuffle_xor(_e714, 1u);
            dot3_2_ = _e713 + unnamed_22;
            float _e718 = dot3_2_;
            float _e719 = dot3_2_;
            float unnamed_23 = metal::simd_shuffle_xor(_e719, 2u);
            dot3_2_ = _e718 + unnamed_23;
            float _e723 = dot0_2_;
            float _e724 = dot1_2_;
            float _e730 = dot2_2_;
            float _e731 = dot3_2_;
            score2_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e731 : _e730) : ((naga_mod(me, 4u) == 1u) ? _e724 : _e723);
            float _e743 = dot0_3_;
            float _e744 = dot0_3_;
            float unnamed_24 = metal::simd_shuffle_xor(_e744, 1u);
            dot0_3_ = _e743 + unnamed_24;
            float _e748 = dot0_3_;
            float _e749 = dot0_3_;
            float unnamed_25 = metal::simd_shuffle_xor(_e749, 2u);
            dot0_3_ = _e748 + unnamed_25;
            float _e753 = dot1_3_;
            float _e754 = dot1_3_;
            float unnamed_26 = metal::simd_shuffle_xor(_e754, 1u);
            dot1_3_ = _e753 + unnamed_26;
            float _e758 = dot1_3_;
            float _e759 = dot1_3_;
            float unnamed_27 = metal::simd_shuffle_xor(_e759, 2u);
            dot1_3_ = _e758 + unnamed_27;
            float _e763 = dot2_3_;
            float _e764 = dot2_3_;
            float unnamed_28 = metal::simd_shuffle_xor(_e764, 1u);
            dot2_3_ = _e763 + unnamed_28;
            float _e768 = dot2_3_;
            float _e769 = dot2_3_;
            float unnamed_29 = metal::simd_shuffle_xor(_e769, 2u);
            dot2_3_ = _e768 + unnamed_29;
            float _e773 = dot3_3_;
            float _e774 = dot3_3_;
            float unnamed_30 = metal::simd_shuffle_xor(_e774, 1u);
            dot3_3_ = _e773 + unnamed_30;
            float _e778 = dot3_3_;
            float _e779 = dot3_3_;
            float unnamed_31 = metal::simd_shuffle_xor(_e779, 2u);
            dot3_3_ = _e778 + unnamed_31;
            float _e783 = dot0_3_;
            float _e784 = dot1_3_;
            float _e790 = dot2_3_;
            float _e791 = dot3_3_;
            score3_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e791 : _e790) : ((naga_mod(me, 4u) == 1u) ? _e784 : _e783);
            float _e803 = score0_;
            score0_ = (key < end) ? _e803 : -1000000000000000000000000000000.0;
            float _e807 = score0_;
            float unnamed_32 = metal::simd_max(_e807);
            if (lane == 0u) {
                parts_of.inner[0u + subgroup] = unnamed_32;
            }
            float _e815 = score1_;
            score1_ = (key < end) ? _e815 : -1000000000000000000000000000000.0;
            float _e819 = score1_;
            float unnamed_33 = metal::simd_max(_e819);
            if (lane == 0u) {
                parts_of.inner[16u + subgroup] = unnamed_33;
            }
            float _e827 = score2_;
            score2_ = (key < end) ? _e827 : -1000000000000000000000000000000.0;
            float _e831 = score2_;
            float unnamed_34 = metal::simd_max(_e831);
            if (lane == 0u) {
                parts_of.inner[32u + subgroup] = unnamed_34;
            }
            float _e839 = score3_;
            score3_ = (key < end) ? _e839 : -1000000000000000000000000000000.0;
            float _e843 = score3_;
            float unnamed_35 = metal::simd_max(_e843);
            if (lane == 0u) {
                parts_of.inner[48u + subgroup] = unnamed_35;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            float _e851 = largest0_;
            next0_ = _e851;
            i_2 = 0u;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e871 = i_2;
                    i_2 = _e871 + 1u;
                }
                loop_init_4 = false;
                uint _e855 = i_2;
                if (_e855 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e862 = next0_;
                    uint _e865 = i_2;
                    float _e868 = parts_of.inner[0u + _e865];
                    next0_ = metal::max(_e862, _e868);
                }
            }
            float _e873 = largest0_;
            float _e874 = next0_;
            float shrink0_ = metal::exp(_e873 - _e874);
            float _e877 = next0_;
            largest0_ = _e877;
            float _e878 = score0_;
            float _e879 = next0_;
            float weight0_ = (key < end) ? metal::exp(_e878 - _e879) : 0.0;
            weights.inner[0u + mine] = weight0_;
            float _e889 = total0_;
            total0_ = (_e889 * shrink0_) + weight0_;
            metal::float4 _e892 = sum_a0_;
            sum_a0_ = _e892 * shrink0_;
            metal::float4 _e894 = sum_b0_;
            sum_b0_ = _e894 * shrink0_;
            float _e896 = largest1_;
            next1_ = _e896;
            i_3 = 0u;
            uint2 loop_bound_5 = uint2(4294967295u);
            bool loop_init_5 = true;
            while(true) {
                if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                if (!loop_init_5) {
                    uint _e916 = i_3;
                    i_3 = _e916 + 1u;
                }
                loop_init_5 = false;
                uint _e900 = i_3;
                if (_e900 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e907 = next1_;
                    uint _e910 = i_3;
                    float _e913 = parts_of.inner[16u + _e910];
                    next1_ = metal::max(_e907, _e913);
                }
            }
            float _e918 = largest1_;
            float _e919 = next1_;
            float shrink1_ = metal::exp(_e918 - _e919);
            float _e922 = next1_;
            largest1_ = _e922;
            float _e923 = score1_;
            float _e924 = next1_;
            float weight1_ = (key < end) ? metal::exp(_e923 - _e924) : 0.0;
            weights.inner[128u + mine] = weight1_;
            float _e934 = total1_;
            total1_ = (_e934 * shrink1_) + weight1_;
            metal::float4 _e937 = sum_a1_;
            sum_a1_ = _e937 * shrink1_;
            metal::float4 _e939 = sum_b1_;
            sum_b1_ = _e939 * shrink1_;
            float _e941 = largest2_;
            next2_ = _e941;
            i_4 = 0u;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e961 = i_4;
                    i_4 = _e961 + 1u;
                }
                loop_init_6 = false;
                uint _e945 = i_4;
                if (_e945 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e952 = next2_;
                    uint _e955 = i_4;
                    float _e958 = parts_of.inner[32u + _e955];
                    next2_ = metal::max(_e952, _e958);
                }
            }
            float _e963 = largest2_;
            float _e964 = next2_;
            float shrink2_ = metal::exp(_e963 - _e964);
            float _e967 = next2_;
            largest2_ = _e967;
            float _e968 = score2_;
            float _e969 = next2_;
            float weight2_ = (key < end) ? metal::exp(_e968 - _e969) : 0.0;
            weights.inner[256u + mine] = weight2_;
            float _e979 = total2_;
            total2_ = (_e979 * shrink2_) + weight2_;
            metal::float4 _e982 = sum_a2_;
            sum_a2_ = _e982 * shrink2_;
            metal::float4 _e984 = sum_b2_;
            sum_b2_ = _e984 * shrink2_;
            float _e986 = largest3_;
            next3_ = _e986;
            i_5 = 0u;
            uint2 loop_bound_7 = uint2(4294967295u);
            bool loop_init_7 = true;
            while(true) {
                if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                if (!loop_init_7) {
                    uint _e1006 = i_5;
                    i_5 = _e1006 + 1u;
                }
                loop_init_7 = false;
                uint _e990 = i_5;
                if (_e990 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e997 = next3_;
                    uint _e1000 = i_5;
                    float _e1003 = parts_of.inner[48u + _e1000];
                    next3_ = metal::max(_e997, _e1003);
                }
            }
            float _e1008 = largest3_;
            float _e1009 = next3_;
            float shrink3_ = metal::exp(_e1008 - _e1009);
            float _e1012 = next3_;
            largest3_ = _e1012;
            float _e1013 = score3_;
            float _e1014 = next3_;
            float weight3_ = (key < end) ? metal::exp(_e1013 - _e1014) : 0.0;
            weights.inner[384u + mine] = weight3_;
            float _e1024 = total3_;
            total3_ = (_e1024 * shrink3_) + weight3_;
            metal::float4 _e1027 = sum_a3_;
            sum_a3_ = _e1027 * shrink3_;
            metal::float4 _e1029 = sum_b3_;
            sum_b3_ = _e1029 * shrink3_;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (key_group < KG) {
                j = key_group;
                uint2 loop_bound_8 = uint2(4294967295u);
                bool loop_init_8 = true;
                while(true) {
                    if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                    loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                    if (!loop_init_8) {
                        uint _e1360 = j;
                        j = _e1360 + 32u;
                    }
                    loop_init_8 = false;
                    uint _e1034 = j;
                    uint _e1036 = tile;
                    if (_e1034 < metal::min(WG, end - _e1036)) {
                    } else {
                        break;
                    }
                    {
                        uint _e1043 = p.place.values;
                        uint _e1047 = p.place.value_scales;
                        uint _e1049 = j;
                        uint _e1053 = slots.inner[_e1049 + 0u];
                        type_7 _e1055 = eight(_e1043, _e1047, _e1053, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1059 = p.place.values;
                        uint _e1063 = p.place.value_scales;
                        uint _e1065 = j;
                        uint _e1069 = slots.inner[_e1065 + 8u];
                        type_7 _e1071 = eight(_e1059, _e1063, _e1069, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1075 = p.place.values;
                        uint _e1079 = p.place.value_scales;
                        uint _e1081 = j;
                        uint _e1085 = slots.inner[_e1081 + 16u];
                        type_7 _e1087 = eight(_e1075, _e1079, _e1085, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1091 = p.place.values;
                        uint _e1095 = p.place.value_scales;
                        uint _e1097 = j;
                        uint _e1101 = slots.inner[_e1097 + 24u];
                        type_7 _e1103 = eight(_e1091, _e1095, _e1101, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1106 = j;
                        float w0_0_ = weights.inner[(0u + _e1106) + 0u];
                        metal::float4 _e1112 = sum_a0_;
                        sum_a0_ = _e1112 + (w0_0_ * _e1055.inner[0]);
                        metal::float4 _e1116 = sum_b0_;
                        sum_b0_ = _e1116 + (w0_0_ * _e1055.inner[1]);
                        uint _e1122 = j;
                        float w0_1_ = weights.inner[(128u + _e1122) + 0u];
                        metal::float4 _e1128 = sum_a1_;
                        sum_a1_ = _e1128 + (w0_1_ * _e1055.inner[0]);
                        metal::float4 _e1132 = sum_b1_;
                        sum_b1_ = _e1132 + (w0_1_ * _e1055.inner[1]);
                        uint _e1138 = j;
                        float w0_2_ = weights.inner[(256u + _e1138) + 0u];
                        metal::float4 _e1144 = sum_a2_;
                        sum_a2_ = _e1144 + (w0_2_ * _e1055.inner[0]);
                        metal::float4 _e1148 = sum_b2_;
                        sum_b2_ = _e1148 + (w0_2_ * _e1055.inner[1]);
                        uint _e1154 = j;
                        float w0_3_ = weights.inner[(384u + _e1154) + 0u];
                        metal::float4 _e1160 = sum_a3_;
                        sum_a3_ = _e1160 + (w0_3_ * _e1055.inner[0]);
                        metal::float4 _e1164 = sum_b3_;
                        sum_b3_ = _e1164 + (w0_3_ * _e1055.inner[1]);
                        uint _e1170 = j;
                        float w1_0_ = weights.inner[(0u + _e1170) + 8u];
                        metal::float4 _e1176 = sum_a0_;
                        sum_a0_ = _e1176 + (w1_0_ * _e1071.inner[0]);
                        metal::float4 _e1180 = sum_b0_;
                        sum_b0_ = _e1180 + (w1_0_ * _e1071.inner[1]);
                        uint _e1186 = j;
                        float w1_1_ = weights.inner[(128u + _e1186) + 8u];
                        metal::float4 _e1192 = sum_a1_;
                        sum_a1_ = _e1192 + (w1_1_ * _e1071.inner[0]);
                        metal::float4 _e1196 = sum_b1_;
                        sum_b1_ = _e1196 + (w1_1_ * _e1071.inner[1]);
                        uint _e1202 = j;
                        float w1_2_ = weights.inner[(256u + _e1202) + 8u];
                        metal::float4 _e1208 = sum_a2_;
                        sum_a2_ = _e1208 + (w1_2_ * _e1071.inner[0]);
                        metal::float4 _e1212 = sum_b2_;
                        sum_b2_ = _e1212 + (w1_2_ * _e1071.inner[1]);
                        uint _e1218 = j;
                        float w1_3_ = weights.inner[(384u + _e1218) + 8u];
                        metal::float4 _e1224 = sum_a3_;
                        sum_a3_ = _e1224 + (w1_3_ * _e1071.inner[0]);
                        metal::float4 _e1228 = sum_b3_;
                        sum_b3_ = _e1228 + (w1_3_ * _e1071.inner[1]);
                        uint _e1234 = j;
                        float w2_0_ = weights.inner[(0u + _e1234) + 16u];
                        metal::float4 _e1240 = sum_a0_;
                        sum_a0_ = _e1240 + (w2_0_ * _e1087.inner[0]);
                        metal::float4 _e1244 = sum_b0_;
                        sum_b0_ = _e1244 + (w2_0_ * _e1087.inner[1]);
                        uint _e1250 = j;
                        float w2_1_ = weights.inner[(128u + _e1250) + 16u];
                        metal::float4 _e1256 = sum_a1_;
                        sum_a1_ = _e1256 + (w2_1_ * _e1087.inner[0]);
                        metal::float4 _e1260 = sum_b1_;
                        sum_b1_ = _e1260 + (w2_1_ * _e1087.inner[1]);
                        uint _e1266 = j;
                        float w2_2_ = weights.inner[(256u + _e1266) + 16u];
                        metal::float4 _e1272 = sum_a2_;
                        sum_a2_ = _e1272 + (w2_2_ * _e1087.inner[0]);
                        metal::float4 _e1276 = sum_b2_;
                        sum_b2_ = _e1276 + (w2_2_ * _e1087.inner[1]);
                        uint _e1282 = j;
                        float w2_3_ = weights.inner[(384u + _e1282) + 16u];
                        metal::float4 _e1288 = sum_a3_;
                        sum_a3_ = _e1288 + (w2_3_ * _e1087.inner[0]);
                        metal::float4 _e1292 = sum_b3_;
                        sum_b3_ = _e1292 + (w2_3_ * _e1087.inner[1]);
                        uint _e1298 = j;
                        float w3_0_ = weights.inner[(0u + _e1298) + 24u];
                        metal::float4 _e1304 = sum_a0_;
                        sum_a0_ = _e1304 + (w3_0_ * _e1103.inner[0]);
                        metal::float4 _e1308 = sum_b0_;
                        sum_b0_ = _e1308 + (w3_0_ * _e1103.inner[1]);
                        uint _e1314 = j;
                        float w3_1_ = weights.inner[(128u + _e1314) + 24u];
                        metal::float4 _e1320 = sum_a1_;
                        sum_a1_ = _e1320 + (w3_1_ * _e1103.inner[0]);
                        metal::float4 _e1324 = sum_b1_;
                        sum_b1_ = _e1324 + (w3_1_ * _e1103.inner[1]);
                        uint _e1330 = j;
                        float w3_2_ = weights.inner[(256u + _e1330) + 24u];
                        metal::float4 _e1336 = sum_a2_;
                        sum_a2_ = _e1336 + (w3_2_ * _e1103.inner[0]);
                        metal::float4 _e1340 = sum_b2_;
                        sum_b2_ = _e1340 + (w3_2_ * _e1103.inner[1]);
                        uint _e1346 = j;
                        float w3_3_ = weights.inner[(384u + _e1346) + 24u];
                        metal::float4 _e1352 = sum_a3_;
                        sum_a3_ = _e1352 + (w3_3_ * _e1103.inner[0]);
                        metal::float4 _e1356 = sum_b3_;
                        sum_b3_ = _e1356 + (w3_3_ * _e1103.inner[1]);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    float _e1366 = total0_;
    float unnamed_36 = metal::simd_sum(_e1366);
    if (lane == 0u) {
        parts_of.inner[0u + subgroup] = unnamed_36;
    }
    float _e1374 = total1_;
    float unnamed_37 = metal::simd_sum(_e1374);
    if (lane == 0u) {
        parts_of.inner[16u + subgroup] = unnamed_37;
    }
    float _e1382 = total2_;
    float unnamed_38 = metal::simd_sum(_e1382);
    if (lane == 0u) {
        parts_of.inner[32u + subgroup] = unnamed_38;
    }
    float _e1390 = total3_;
    float unnamed_39 = metal::simd_sum(_e1390);
    if (lane == 0u) {
        parts_of.inner[48u + subgroup] = unnamed_39;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (true) {
        metal::float4 _e1405 = sum_a0_;
        gathered.inner[(0u + me) * 2u] = _e1405;
        metal::float4 _e1414 = sum_b0_;
        gathered.inner[((0u + me) * 2u) + 1u] = _e1414;
    }
    if (true) {
        metal::float4 _e1422 = sum_a1_;
        gathered.inner[(128u + me) * 2u] = _e1422;
        metal::float4 _e1431 = sum_b1_;
        gathered.inner[((128u + me) * 2u) + 1u] = _e1431;
    }
    if (true) {
        metal::float4 _e1439 = sum_a2_;
        gathered.inner[(256u + me) * 2u] = _e1439;
        metal::float4 _e1448 = sum_b2_;
        gathered.inner[((256u + me) * 2u) + 1u] = _e1448;
    }
    if (true) {
        metal::float4 _e1456 = sum_a3_;
        gathered.inner[(384u + me) * 2u] = _e1456;
        metal::float4 _e1465 = sum_b3_;
        gathered.inner[((384u + me) * 2u) + 1u] = _e1465;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i_6 = me;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1594 = i_6;
            i_6 = _e1594 + WG;
        }
        loop_init_9 = false;
        uint _e1467 = i_6;
        if (_e1467 < 64u) {
        } else {
            break;
        }
        {
            uint _e1471 = i_6;
            uint g_3 = 0u + naga_div(_e1471, VU);
            if (g_3 < heads_1) {
                uint _e1476 = i_6;
                uint _e1481 = i_6;
                uint first_of = (naga_div(_e1476, VU) * WG) + naga_mod(_e1481, VU);
                a = metal::float4(0.0);
                b = metal::float4(0.0);
                k = 0u;
                uint2 loop_bound_10 = uint2(4294967295u);
                bool loop_init_10 = true;
                while(true) {
                    if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                    loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                    if (!loop_init_10) {
                        uint _e1521 = k;
                        k = _e1521 + 1u;
                    }
                    loop_init_10 = false;
                    uint _e1493 = k;
                    if (_e1493 < KG) {
                    } else {
                        break;
                    }
                    {
                        metal::float4 _e1496 = a;
                        uint _e1498 = k;
                        metal::float4 _e1505 = gathered.inner[(first_of + (_e1498 * VU)) * 2u];
                        a = _e1496 + _e1505;
                        metal::float4 _e1507 = b;
                        uint _e1509 = k;
                        metal::float4 _e1518 = gathered.inner[((first_of + (_e1509 * VU)) * 2u) + 1u];
                        b = _e1507 + _e1518;
                    }
                }
                uint _e1525 = p.parts;
                uint _e1528 = p.heads;
                uint _e1534 = step[3];
                uint _e1542 = i_6;
                uint to = ((_e1525 + ((((((row_2 * _e1528) + head_1) + g_3) * _e1534) + split) * 130u)) + 2u) + (naga_mod(_e1542, VU) * 8u);
                float _e1551 = a.x;
                act[to] = _e1551;
                float _e1557 = a.y;
                act[to + 1u] = _e1557;
                float _e1563 = a.z;
                act[to + 2u] = _e1563;
                float _e1569 = a.w;
                act[to + 3u] = _e1569;
                float _e1575 = b.x;
                act[to + 4u] = _e1575;
                float _e1581 = b.y;
                act[to + 5u] = _e1581;
                float _e1587 = b.z;
                act[to + 6u] = _e1587;
                float _e1593 = b.w;
                act[to + 7u] = _e1593;
            }
        }
    }
    if (me == 0u) {
        local_1 = 0u < heads_1;
    } else {
        local_1 = false;
    }
    bool _e1604 = local_1;
    if (_e1604) {
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1625 = i_7;
                i_7 = _e1625 + 1u;
            }
            loop_init_11 = false;
            uint _e1609 = i_7;
            if (_e1609 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1616 = sum;
                uint _e1619 = i_7;
                float _e1622 = parts_of.inner[0u + _e1619];
                sum = _e1616 + _e1622;
            }
        }
        uint _e1629 = p.parts;
        uint _e1632 = p.heads;
        uint _e1639 = step[3];
        uint to_1 = _e1629 + ((((((row_2 * _e1632) + head_1) + 0u) * _e1639) + split) * 130u);
        float _e1647 = largest0_;
        act[to_1] = _e1647;
        float _e1652 = sum;
        act[to_1 + 1u] = _e1652;
    }
    if (me == 1u) {
        local_2 = 1u < heads_1;
    } else {
        local_2 = false;
    }
    bool _e1660 = local_2;
    if (_e1660) {
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1681 = i_8;
                i_8 = _e1681 + 1u;
            }
            loop_init_12 = false;
            uint _e1665 = i_8;
            if (_e1665 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1672 = sum_1;
                uint _e1675 = i_8;
                float _e1678 = parts_of.inner[16u + _e1675];
                sum_1 = _e1672 + _e1678;
            }
        }
        uint _e1685 = p.parts;
        uint _e1688 = p.heads;
        uint _e1695 = step[3];
        uint to_2 = _e1685 + ((((((row_2 * _e1688) + head_1) + 1u) * _e1695) + split) * 130u);
        float _e1703 = largest1_;
        act[to_2] = _e1703;
        float _e1708 = sum_1;
        act[to_2 + 1u] = _e1708;
    }
    if (me == 2u) {
        local_3 = 2u < heads_1;
    } else {
        local_3 = false;
    }
    bool _e1716 = local_3;
    if (_e1716) {
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1737 = i_9;
                i_9 = _e1737 + 1u;
            }
            loop_init_13 = false;
            uint _e1721 = i_9;
            if (_e1721 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1728 = sum_2;
                uint _e1731 = i_9;
                float _e1734 = parts_of.inner[32u + _e1731];
                sum_2 = _e1728 + _e1734;
            }
        }
        uint _e1741 = p.parts;
        uint _e1744 = p.heads;
        uint _e1751 = step[3];
        uint to_3 = _e1741 + ((((((row_2 * _e1744) + head_1) + 2u) * _e1751) + split) * 130u);
        float _e1759 = largest2_;
        act[to_3] = _e1759;
        float _e1764 = sum_2;
        act[to_3 + 1u] = _e1764;
    }
    if (me == 3u) {
        local_4 = 3u < heads_1;
    } else {
        local_4 = false;
    }
    bool _e1772 = local_4;
    if (_e1772) {
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1793 = i_10;
                i_10 = _e1793 + 1u;
            }
            loop_init_14 = false;
            uint _e1777 = i_10;
            if (_e1777 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1784 = sum_3;
                uint _e1787 = i_10;
                float _e1790 = parts_of.inner[48u + _e1787];
                sum_3 = _e1784 + _e1790;
            }
        }
        uint _e1797 = p.parts;
        uint _e1800 = p.heads;
        uint _e1807 = step[3];
        uint to_4 = _e1797 + ((((((row_2 * _e1800) + head_1) + 3u) * _e1807) + split) * 130u);
        float _e1815 = largest3_;
        act[to_4] = _e1815;
        float _e1820 = sum_3;
        act[to_4 + 1u] = _e1820;
        return;
    } else {
        return;
    }
}
