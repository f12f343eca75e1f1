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
    uint _e48 = p.window;
    uint _e49 = seen_from(position_2, _e48);
    uint _e52 = step[2];
    uint first = _e49 + (split * _e52);
    uint _e55 = seen_to(row_2, step, _buffer_sizes);
    uint _e58 = step[2];
    uint end = metal::min(_e55, first + _e58);
    i = WG + me;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e95 = i;
            i = _e95 + WG;
        }
        loop_init = false;
        uint _e64 = i;
        if (_e64 < KEYS) {
        } else {
            break;
        }
        {
            uint _e68 = i;
            slots.inner[_e68] = 0u;
            uint _e73 = i;
            weights.inner[0u + _e73] = 0.0;
            uint _e79 = i;
            weights.inner[128u + _e79] = 0.0;
            uint _e85 = i;
            weights.inner[256u + _e85] = 0.0;
            uint _e91 = i;
            weights.inner[384u + _e91] = 0.0;
        }
    }
    i_1 = me;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e151 = i_1;
            i_1 = _e151 + WG;
        }
        loop_init_1 = false;
        uint _e99 = i_1;
        if (_e99 < 512u) {
        } else {
            break;
        }
        {
            uint _e102 = i_1;
            uint g_2 = naga_div(_e102, 128u);
            uint _e105 = i_1;
            uint d = naga_mod(_e105, 128u);
            if (g_2 < heads_1) {
                local = d < KEY_DIM;
            } else {
                local = false;
            }
            bool known = local;
            uint _e118 = p.q;
            uint _e121 = p.heads;
            float _e135 = act[(_e118 + ((((row_2 * _e121) + head_1) + metal::min(g_2, heads_1 - 1u)) * KEY_DIM)) + metal::min(d, 127u)];
            float value = known ? _e135 : 0.0;
            uint _e139 = i_1;
            uint _e143 = i_1;
            float _e149 = p.scale;
            query.inner[naga_div(_e139, 4u)][naga_mod(_e143, 4u)] = value * _e149;
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
            uint _e1329 = tile;
            tile = _e1329 + WG;
        }
        loop_init_2 = false;
        uint _e206 = tile;
        if (_e206 < end) {
        } else {
            break;
        }
        {
            uint _e208 = tile;
            uint seen = metal::min(_e208 + me, end - 1u);
            uint _e217 = p.block_len;
            uint _e220 = p.kv_heads;
            uint _e221 = slot_of(_e45, seen, _e217, _e220, kv_head, step, _buffer_sizes);
            slots.inner[me] = _e221;
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
                    uint _e524 = u;
                    u = _e524 + 4u;
                }
                loop_init_3 = false;
                uint _e285 = u;
                if (_e285 < KU4_) {
                } else {
                    break;
                }
                {
                    uint _e291 = p.place.keys;
                    uint _e295 = p.place.key_scales;
                    uint _e297 = u;
                    type_7 _e300 = eight(_e291, _e295, slot0_, KU, metal::min(_e297, 15u), cache, _buffer_sizes);
                    uint _e304 = p.place.keys;
                    uint _e308 = p.place.key_scales;
                    uint _e310 = u;
                    type_7 _e313 = eight(_e304, _e308, slot1_, KU, metal::min(_e310, 15u), cache, _buffer_sizes);
                    uint _e317 = p.place.keys;
                    uint _e321 = p.place.key_scales;
                    uint _e323 = u;
                    type_7 _e326 = eight(_e317, _e321, slot2_, KU, metal::min(_e323, 15u), cache, _buffer_sizes);
                    uint _e330 = p.place.keys;
                    uint _e334 = p.place.key_scales;
                    uint _e336 = u;
                    type_7 _e339 = eight(_e330, _e334, slot3_, KU, metal::min(_e336, 15u), cache, _buffer_sizes);
                    uint _e342 = u;
                    metal::float4 qa0_ = query.inner[(0u + _e342) * 2u];
                    uint _e350 = u;
                    metal::float4 qb0_ = query.inner[((0u + _e350) * 2u) + 1u];
                    float _e358 = dot0_0_;
                    dot0_0_ = _e358 + (metal::dot(_e300.inner[0], qa0_) + metal::dot(_e300.inner[1], qb0_));
                    float _e365 = dot1_0_;
                    dot1_0_ = _e365 + (metal::dot(_e313.inner[0], qa0_) + metal::dot(_e313.inner[1], qb0_));
                    float _e372 = dot2_0_;
                    dot2_0_ = _e372 + (metal::dot(_e326.inner[0], qa0_) + metal::dot(_e326.inner[1], qb0_));
                    float _e379 = dot3_0_;
                    dot3_0_ = _e379 + (metal::dot(_e339.inner[0], qa0_) + metal::dot(_e339.inner[1], qb0_));
                    uint _e388 = u;
                    metal::float4 qa1_ = query.inner[(16u + _e388) * 2u];
                    uint _e396 = u;
                    metal::float4 qb1_ = query.inner[((16u + _e396) * 2u) + 1u];
                    float _e404 = dot0_1_;
                    dot0_1_ = _e404 + (metal::dot(_e300.inner[0], qa1_) + metal::dot(_e300.inner[1], qb1_));
                    float _e411 = dot1_1_;
                    dot1_1_ = _e411 + (metal::dot(_e313.inner[0], qa1_) + metal::dot(_e313.inner[1], qb1_));
                    float _e418 = dot2_1_;
                    dot2_1_ = _e418 + (metal::dot(_e326.inner[0], qa1_) + metal::dot(_e326.inner[1], qb1_));
                    float _e425 = dot3_1_;
                    dot3_1_ = _e425 + (metal::dot(_e339.inner[0], qa1_) + metal::dot(_e339.inner[1], qb1_));
                    uint _e434 = u;
                    metal::float4 qa2_ = query.inner[(32u + _e434) * 2u];
                    uint _e442 = u;
                    metal::float4 qb2_ = query.inner[((32u + _e442) * 2u) + 1u];
                    float _e450 = dot0_2_;
                    dot0_2_ = _e450 + (metal::dot(_e300.inner[0], qa2_) + metal::dot(_e300.inner[1], qb2_));
                    float _e457 = dot1_2_;
                    dot1_2_ = _e457 + (metal::dot(_e313.inner[0], qa2_) + metal::dot(_e313.inner[1], qb2_));
                    float _e464 = dot2_2_;
                    dot2_2_ = _e464 + (metal::dot(_e326.inner[0], qa2_) + metal::dot(_e326.inner[1], qb2_));
                    float _e471 = dot3_2_;
                    dot3_2_ = _e471 + (metal::dot(_e339.inner[0], qa2_) + metal::dot(_e339.inner[1], qb2_));
                    uint _e480 = u;
                    metal::float4 qa3_ = query.inner[(48u + _e480) * 2u];
                    uint _e488 = u;
                    metal::float4 qb3_ = query.inner[((48u + _e488) * 2u) + 1u];
                    float _e496 = dot0_3_;
                    dot0_3_ = _e496 + (metal::dot(_e300.inner[0], qa3_) + metal::dot(_e300.inner[1], qb3_));
                    float _e503 = dot1_3_;
                    dot1_3_ = _e503 + (metal::dot(_e313.inner[0], qa3_) + metal::dot(_e313.inner[1], qb3_));
                    float _e510 = dot2_3_;
                    dot2_3_ = _e510 + (metal::dot(_e326.inner[0], qa3_) + metal::dot(_e326.inner[1], qb3_));
                    float _e517 = dot3_3_;
                    dot3_3_ = _e517 + (metal::dot(_e339.inner[0], qa3_) + metal::dot(_e339.inner[1], qb3_));
                }
            }
            uint _e527 = tile;
            uint key = _e527 + mine;
            float _e529 = dot0_0_;
            float _e530 = dot0_0_;
            float unnamed = metal::simd_shuffle_xor(_e530, 1u);
            dot0_0_ = _e529 + unnamed;
            float _e534 = dot0_0_;
            float _e535 = dot0_0_;
            float unnamed_1 = metal::simd_shuffle_xor(_e535, 2u);
            dot0_0_ = _e534 + unnamed_1;
            float _e539 = dot1_0_;
            float _e540 = dot1_0_;
            float unnamed_2 = metal::simd_shuffle_xor(_e540, 1u);
            dot1_0_ = _e539 + unnamed_2;
            float _e544 = dot1_0_;
            float _e545 = dot1_0_;
            float unnamed_3 = metal::simd_shuffle_xor(_e545, 2u);
            dot1_0_ = _e544 + unnamed_3;
            float _e549 = dot2_0_;
            float _e550 = dot2_0_;
            float unnamed_4 = metal::simd_shuffle_xor(_e550, 1u);
            dot2_0_ = _e549 + unnamed_4;
            float _e554 = dot2_0_;
            float _e555 = dot2_0_;
            float unnamed_5 = metal::simd_shuffle_xor(_e555, 2u);
            dot2_0_ = _e554 + unnamed_5;
            float _e559 = dot3_0_;
            float _e560 = dot3_0_;
            float unnamed_6 = metal::simd_shuffle_xor(_e560, 1u);
            dot3_0_ = _e559 + unnamed_6;
            float _e564 = dot3_0_;
            float _e565 = dot3_0_;
            float unnamed_7 = metal::simd_shuffle_xor(_e565, 2u);
            dot3_0_ = _e564 + unnamed_7;
            float _e569 = dot0_0_;
            float _e570 = dot1_0_;
            float _e576 = dot2_0_;
            float _e577 = dot3_0_;
            score0_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e577 : _e576) : ((naga_mod(me, 4u) == 1u) ? _e570 : _e569);
            float _e589 = dot0_1_;
            float _e590 = dot0_1_;
            float unnamed_8 = metal::simd_shuffle_xor(_e590, 1u);
            dot0_1_ = _e589 + unnamed_8;
            float _e594 = dot0_1_;
            float _e595 = dot0_1_;
            float unnamed_9 = metal::simd_shuffle_xor(_e595, 2u);
            dot0_1_ = _e594 + unnamed_9;
            float _e599 = dot1_1_;
            float _e600 = dot1_1_;
            float unnamed_10 = metal::simd_shuffle_xor(_e600, 1u);
            dot1_1_ = _e599 + unnamed_10;
            float _e604 = dot1_1_;
            float _e605 = dot1_1_;
            float unnamed_11 = metal::simd_shuffle_xor(_e605, 2u);
            dot1_1_ = _e604 + unnamed_11;
            float _e609 = dot2_1_;
            float _e610 = dot2_1_;
            float unnamed_12 = metal::simd_shuffle_xor(_e610, 1u);
            dot2_1_ = _e609 + unnamed_12;
            float _e614 = dot2_1_;
            float _e615 = dot2_1_;
            float unnamed_13 = metal::simd_shuffle_xor(_e615, 2u);
            dot2_1_ = _e614 + unnamed_13;
            float _e619 = dot3_1_;
            float _e620 = dot3_1_;
            float unnamed_14 = metal::simd_shuffle_xor(_e620, 1u);
            dot3_1_ = _e619 + unnamed_14;
            float _e624 = dot3_1_;
            float _e625 = dot3_1_;
            float unnamed_15 = metal::simd_shuffle_xor(_e625, 2u);
            dot3_1_ = _e624 + unnamed_15;
            float _e629 = dot0_1_;
            float _e630 = dot1_1_;
            float _e636 = dot2_1_;
            float _e637 = dot3_1_;
            score1_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e637 : _e636) : ((naga_mod(me, 4u) == 1u) ? _e630 : _e629);
            float _e649 = dot0_2_;
            float _e650 = dot0_2_;
            float unnamed_16 = metal::simd_shuffle_xor(_e650, 1u);
            dot0_2_ = _e649 + unnamed_16;
            float _e654 = dot0_2_;
            float _e655 = dot0_2_;
            float unnamed_17 = metal::simd_shuffle_xor(_e655, 2u);
            dot0_2_ = _e654 + unnamed_17;
            float _e659 = dot1_2_;
            float _e660 = dot1_2_;
            float unnamed_18 = metal::simd_shuffle_xor(_e660, 1u);
            dot1_2_ = _e659 + unnamed_18;
            float _e664 = dot1_2_;
            float _e665 = dot1_2_;
            float unnamed_19 = metal::simd_shuffle_xor(_e665, 2u);
            dot1_2_ = _e664 + unnamed_19;
            float _e669 = dot2_2_;
            float _e670 = dot2_2_;
            float unnamed_20 = metal::simd_shuffle_xor(_e670, 1u);
            dot2_2_ = _e669 + unnamed_20;
            float _e674 = dot2_2_;
            float _e675 = dot2_2_;
            float unnamed_21 = metal::simd_shuffle_xor(_e675, 2u);
            dot2_2_ = _e674 + unnamed_21;
            float _e679 = dot3_2_;
            float _e680 = dot3_2_;
            float unnamed_22 = metal::simd_shuffle_xor(_e680, 1u);
            dot3_2_ = _e679 + unnamed_22;
            float _e684 = dot3_2_;
            float _e685 = dot3_2_;
            float unnamed_23 = metal::simd_shuffle_xor(_e685, 2u);
            dot3_2_ = _e684 + unnamed_23;
            float _e689 = dot0_2_;
            float _e690 = dot1_2_;
            float _e696 = dot2_2_;
            float _e697 = dot3_2_;
            score2_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e697 : _e696) : ((naga_mod(me, 4u) == 1u) ? _e690 : _e689);
            float _e709 = dot0_3_;
            float _e710 = dot0_3_;
            float unnamed_24 = metal::simd_shuffle_xor(_e710, 1u);
            dot0_3_ = _e709 + unnamed_24;
            float _e714 = dot0_3_;
            float _e715 = dot0_3_;
            float unnamed_25 = metal::simd_shuffle_xor(_e715, 2u);
            dot0_3_ = _e714 + unnamed_25;
            float _e719 = dot1_3_;
            float _e720 = dot1_3_;
            float unnamed_26 = metal::simd_shuffle_xor(_e720, 1u);
            dot1_3_ = _e719 + unnamed_26;
            float _e724 = dot1_3_;
            float _e725 = dot1_3_;
            float unnamed_27 = metal::simd_shuffle_xor(_e725, 2u);
            dot1_3_ = _e724 + unnamed_27;
            float _e729 = dot2_3_;
            float _e730 = dot2_3_;
            float unnamed_28 = metal::simd_shuffle_xor(_e730, 1u);
            dot2_3_ = _e729 + unnamed_28;
            float _e734 = dot2_3_;
            float _e735 = dot2_3_;
            float unnamed_29 = metal::simd_shuffle_xor(_e735, 2u);
            dot2_3_ = _e734 + unnamed_29;
            float _e739 = dot3_3_;
            float _e740 = dot3_3_;
            float unnamed_30 = metal::simd_shuffle_xor(_e740, 1u);
            dot3_3_ = _e739 + unnamed_30;
            float _e744 = dot3_3_;
            float _e745 = dot3_3_;
            float unnamed_31 = metal::simd_shuffle_xor(_e745, 2u);
            dot3_3_ = _e744 + unnamed_31;
            float _e749 = dot0_3_;
            float _e750 = dot1_3_;
            float _e756 = dot2_3_;
            float _e757 = dot3_3_;
            score3_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e757 : _e756) : ((naga_mod(me, 4u) == 1u) ? _e750 : _e749);
            float _e769 = score0_;
            score0_ = (key < end) ? _e769 : -1000000000000000000000000000000.0;
            float _e773 = score0_;
            float unnamed_32 = metal::simd_max(_e773);
            if (lane == 0u) {
                parts_of.inner[0u + subgroup] = unnamed_32;
            }
            float _e781 = score1_;
            score1_ = (key < end) ? _e781 : -1000000000000000000000000000000.0;
            float _e785 = score1_;
            float unnamed_33 = metal::simd_max(_e785);
            if (lane == 0u) {
                parts_of.inner[16u + subgroup] = unnamed_33;
            }
            float _e793 = score2_;
            score2_ = (key < end) ? _e793 : -1000000000000000000000000000000.0;
            float _e797 = score2_;
            float unnamed_34 = metal::simd_max(_e797);
            if (lane == 0u) {
                parts_of.inner[32u + subgroup] = unnamed_34;
            }
            float _e805 = score3_;
            score3_ = (key < end) ? _e805 : -1000000000000000000000000000000.0;
            float _e809 = score3_;
            float unnamed_35 = metal::simd_max(_e809);
            if (lane == 0u) {
                parts_of.inner[48u + subgroup] = unnamed_35;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            float _e817 = largest0_;
            next0_ = _e817;
            i_2 = 0u;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e837 = i_2;
                    i_2 = _e837 + 1u;
                }
                loop_init_4 = false;
                uint _e821 = i_2;
                if (_e821 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e828 = next0_;
                    uint _e831 = i_2;
                    float _e834 = parts_of.inner[0u + _e831];
                    next0_ = metal::max(_e828, _e834);
                }
            }
            float _e839 = largest0_;
            float _e840 = next0_;
            float shrink0_ = metal::exp(_e839 - _e840);
            float _e843 = next0_;
            largest0_ = _e843;
            float _e844 = score0_;
            float _e845 = next0_;
            float weight0_ = (key < end) ? metal::exp(_e844 - _e845) : 0.0;
            weights.inner[0u + mine] = weight0_;
            float _e855 = total0_;
            total0_ = (_e855 * shrink0_) + weight0_;
            metal::float4 _e858 = sum_a0_;
            sum_a0_ = _e858 * shrink0_;
            metal::float4 _e860 = sum_b0_;
            sum_b0_ = _e860 * shrink0_;
            float _e862 = largest1_;
            next1_ = _e862;
            i_3 = 0u;
            uint2 loop_bound_5 = uint2(4294967295u);
            bool loop_init_5 = true;
            while(true) {
                if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                if (!loop_init_5) {
                    uint _e882 = i_3;
                    i_3 = _e882 + 1u;
                }
                loop_init_5 = false;
                uint _e866 = i_3;
                if (_e866 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e873 = next1_;
                    uint _e876 = i_3;
                    float _e879 = parts_of.inner[16u + _e876];
                    next1_ = metal::max(_e873, _e879);
                }
            }
            float _e884 = largest1_;
            float _e885 = next1_;
            float shrink1_ = metal::exp(_e884 - _e885);
            float _e888 = next1_;
            largest1_ = _e888;
            float _e889 = score1_;
            float _e890 = next1_;
            float weight1_ = (key < end) ? metal::exp(_e889 - _e890) : 0.0;
            weights.inner[128u + mine] = weight1_;
            float _e900 = total1_;
            total1_ = (_e900 * shrink1_) + weight1_;
            metal::float4 _e903 = sum_a1_;
            sum_a1_ = _e903 * shrink1_;
            metal::float4 _e905 = sum_b1_;
            sum_b1_ = _e905 * shrink1_;
            float _e907 = largest2_;
            next2_ = _e907;
            i_4 = 0u;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e927 = i_4;
                    i_4 = _e927 + 1u;
                }
                loop_init_6 = false;
                uint _e911 = i_4;
                if (_e911 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e918 = next2_;
                    uint _e921 = i_4;
                    float _e924 = parts_of.inner[32u + _e921];
                    next2_ = metal::max(_e918, _e924);
                }
            }
            float _e929 = largest2_;
            float _e930 = next2_;
            float shrink2_ = metal::exp(_e929 - _e930);
            float _e933 = next2_;
            largest2_ = _e933;
            float _e934 = score2_;
            float _e935 = next2_;
            float weight2_ = (key < end) ? metal::exp(_e934 - _e935) : 0.0;
            weights.inner[256u + mine] = weight2_;
            float _e945 = total2_;
            total2_ = (_e945 * shrink2_) + weight2_;
            metal::float4 _e948 = sum_a2_;
            sum_a2_ = _e948 * shrink2_;
            metal::float4 _e950 = sum_b2_;
            sum_b2_ = _e950 * shrink2_;
            float _e952 = largest3_;
            next3_ = _e952;
            i_5 = 0u;
            uint2 loop_bound_7 = uint2(4294967295u);
            bool loop_init_7 = true;
            while(true) {
                if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                if (!loop_init_7) {
                    uint _e972 = i_5;
                    i_5 = _e972 + 1u;
                }
                loop_init_7 = false;
                uint _e956 = i_5;
                if (_e956 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e963 = next3_;
                    uint _e966 = i_5;
                    float _e969 = parts_of.inner[48u + _e966];
                    next3_ = metal::max(_e963, _e969);
                }
            }
            float _e974 = largest3_;
            float _e975 = next3_;
            float shrink3_ = metal::exp(_e974 - _e975);
            float _e978 = next3_;
            largest3_ = _e978;
            float _e979 = score3_;
            float _e980 = next3_;
            float weight3_ = (key < end) ? metal::exp(_e979 - _e980) : 0.0;
            weights.inner[384u + mine] = weight3_;
            float _e990 = total3_;
            total3_ = (_e990 * shrink3_) + weight3_;
            metal::float4 _e993 = sum_a3_;
            sum_a3_ = _e993 * shrink3_;
            metal::float4 _e995 = sum_b3_;
            sum_b3_ = _e995 * shrink3_;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (key_group < KG) {
                j = key_group;
                uint2 loop_bound_8 = uint2(4294967295u);
                bool loop_init_8 = true;
                while(true) {
                    if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                    loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                    if (!loop_init_8) {
                        uint _e1326 = j;
                        j = _e1326 + 32u;
                    }
                    loop_init_8 = false;
                    uint _e1000 = j;
                    uint _e1002 = tile;
                    if (_e1000 < metal::min(WG, end - _e1002)) {
                    } else {
                        break;
                    }
                    {
                        uint _e1009 = p.place.values;
                        uint _e1013 = p.place.value_scales;
                        uint _e1015 = j;
                        uint _e1019 = slots.inner[_e1015 + 0u];
                        type_7 _e1021 = eight(_e1009, _e1013, _e1019, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1025 = p.place.values;
                        uint _e1029 = p.place.value_scales;
                        uint _e1031 = j;
                        uint _e1035 = slots.inner[_e1031 + 8u];
                        type_7 _e1037 = eight(_e1025, _e1029, _e1035, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1041 = p.place.values;
                        uint _e1045 = p.place.value_scales;
                        uint _e1047 = j;
                        uint _e1051 = slots.inner[_e1047 + 16u];
                        type_7 _e1053 = eight(_e1041, _e1045, _e1051, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1057 = p.place.values;
                        uint _e1061 = p.place.value_scales;
                        uint _e1063 = j;
                        uint _e1067 = slots.inner[_e1063 + 24u];
                        type_7 _e1069 = eight(_e1057, _e1061, _e1067, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1072 = j;
                        float w0_0_ = weights.inner[(0u + _e1072) + 0u];
                        metal::float4 _e1078 = sum_a0_;
                        sum_a0_ = _e1078 + (w0_0_ * _e1021.inner[0]);
                        metal::float4 _e1082 = sum_b0_;
                        sum_b0_ = _e1082 + (w0_0_ * _e1021.inner[1]);
                        uint _e1088 = j;
                        float w0_1_ = weights.inner[(128u + _e1088) + 0u];
                        metal::float4 _e1094 = sum_a1_;
                        sum_a1_ = _e1094 + (w0_1_ * _e1021.inner[0]);
                        metal::float4 _e1098 = sum_b1_;
                        sum_b1_ = _e1098 + (w0_1_ * _e1021.inner[1]);
                        uint _e1104 = j;
                        float w0_2_ = weights.inner[(256u + _e1104) + 0u];
                        metal::float4 _e1110 = sum_a2_;
                        sum_a2_ = _e1110 + (w0_2_ * _e1021.inner[0]);
                        metal::float4 _e1114 = sum_b2_;
                        sum_b2_ = _e1114 + (w0_2_ * _e1021.inner[1]);
                        uint _e1120 = j;
                        float w0_3_ = weights.inner[(384u + _e1120) + 0u];
                        metal::float4 _e1126 = sum_a3_;
                        sum_a3_ = _e1126 + (w0_3_ * _e1021.inner[0]);
                        metal::float4 _e1130 = sum_b3_;
                        sum_b3_ = _e1130 + (w0_3_ * _e1021.inner[1]);
                        uint _e1136 = j;
                        float w1_0_ = weights.inner[(0u + _e1136) + 8u];
                        metal::float4 _e1142 = sum_a0_;
                        sum_a0_ = _e1142 + (w1_0_ * _e1037.inner[0]);
                        metal::float4 _e1146 = sum_b0_;
                        sum_b0_ = _e1146 + (w1_0_ * _e1037.inner[1]);
                        uint _e1152 = j;
                        float w1_1_ = weights.inner[(128u + _e1152) + 8u];
                        metal::float4 _e1158 = sum_a1_;
                        sum_a1_ = _e1158 + (w1_1_ * _e1037.inner[0]);
                        metal::float4 _e1162 = sum_b1_;
                        sum_b1_ = _e1162 + (w1_1_ * _e1037.inner[1]);
                        uint _e1168 = j;
                        float w1_2_ = weights.inner[(256u + _e1168) + 8u];
                        metal::float4 _e1174 = sum_a2_;
                        sum_a2_ = _e1174 + (w1_2_ * _e1037.inner[0]);
                        metal::float4 _e1178 = sum_b2_;
                        sum_b2_ = _e1178 + (w1_2_ * _e1037.inner[1]);
                        uint _e1184 = j;
                        float w1_3_ = weights.inner[(384u + _e1184) + 8u];
                        metal::float4 _e1190 = sum_a3_;
                        sum_a3_ = _e1190 + (w1_3_ * _e1037.inner[0]);
                        metal::float4 _e1194 = sum_b3_;
                        sum_b3_ = _e1194 + (w1_3_ * _e1037.inner[1]);
                        uint _e1200 = j;
                        float w2_0_ = weights.inner[(0u + _e1200) + 16u];
                        metal::float4 _e1206 = sum_a0_;
                        sum_a0_ = _e1206 + (w2_0_ * _e1053.inner[0]);
                        metal::float4 _e1210 = sum_b0_;
                        sum_b0_ = _e1210 + (w2_0_ * _e1053.inner[1]);
                        uint _e1216 = j;
                        float w2_1_ = weights.inner[(128u + _e1216) + 16u];
                        metal::float4 _e1222 = sum_a1_;
                        sum_a1_ = _e1222 + (w2_1_ * _e1053.inner[0]);
                        metal::float4 _e1226 = sum_b1_;
                        sum_b1_ = _e1226 + (w2_1_ * _e1053.inner[1]);
                        uint _e1232 = j;
                        float w2_2_ = weights.inner[(256u + _e1232) + 16u];
                        metal::float4 _e1238 = sum_a2_;
                        sum_a2_ = _e1238 + (w2_2_ * _e1053.inner[0]);
                        metal::float4 _e1242 = sum_b2_;
                        sum_b2_ = _e1242 + (w2_2_ * _e1053.inner[1]);
                        uint _e1248 = j;
                        float w2_3_ = weights.inner[(384u + _e1248) + 16u];
                        metal::float4 _e1254 = sum_a3_;
                        sum_a3_ = _e1254 + (w2_3_ * _e1053.inner[0]);
                        metal::float4 _e1258 = sum_b3_;
                        sum_b3_ = _e1258 + (w2_3_ * _e1053.inner[1]);
                        uint _e1264 = j;
                        float w3_0_ = weights.inner[(0u + _e1264) + 24u];
                        metal::float4 _e1270 = sum_a0_;
                        sum_a0_ = _e1270 + (w3_0_ * _e1069.inner[0]);
                        metal::float4 _e1274 = sum_b0_;
                        sum_b0_ = _e1274 + (w3_0_ * _e1069.inner[1]);
                        uint _e1280 = j;
                        float w3_1_ = weights.inner[(128u + _e1280) + 24u];
                        metal::float4 _e1286 = sum_a1_;
                        sum_a1_ = _e1286 + (w3_1_ * _e1069.inner[0]);
                        metal::float4 _e1290 = sum_b1_;
                        sum_b1_ = _e1290 + (w3_1_ * _e1069.inner[1]);
                        uint _e1296 = j;
                        float w3_2_ = weights.inner[(256u + _e1296) + 24u];
                        metal::float4 _e1302 = sum_a2_;
                        sum_a2_ = _e1302 + (w3_2_ * _e1069.inner[0]);
                        metal::float4 _e1306 = sum_b2_;
                        sum_b2_ = _e1306 + (w3_2_ * _e1069.inner[1]);
                        uint _e1312 = j;
                        float w3_3_ = weights.inner[(384u + _e1312) + 24u];
                        metal::float4 _e1318 = sum_a3_;
                        sum_a3_ = _e1318 + (w3_3_ * _e1069.inner[0]);
                        metal::float4 _e1322 = sum_b3_;
                        sum_b3_ = _e1322 + (w3_3_ * _e1069.inner[1]);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    float _e1332 = total0_;
    float unnamed_36 = metal::simd_sum(_e1332);
    if (lane == 0u) {
        parts_of.inner[0u + subgroup] = unnamed_36;
    }
    float _e1340 = total1_;
    float unnamed_37 = metal::simd_sum(_e1340);
    if (lane == 0u) {
        parts_of.inner[16u + subgroup] = unnamed_37;
    }
    float _e1348 = total2_;
    float unnamed_38 = metal::simd_sum(_e1348);
    if (lane == 0u) {
        parts_of.inner[32u + subgroup] = unnamed_38;
    }
    float _e1356 = total3_;
    float unnamed_39 = metal::simd_sum(_e1356);
    if (lane == 0u) {
        parts_of.inner[48u + subgroup] = unnamed_39;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (true) {
        metal::float4 _e1371 = sum_a0_;
        gathered.inner[(0u + me) * 2u] = _e1371;
        metal::float4 _e1380 = sum_b0_;
        gathered.inner[((0u + me) * 2u) + 1u] = _e1380;
    }
    if (true) {
        metal::float4 _e1388 = sum_a1_;
        gathered.inner[(128u + me) * 2u] = _e1388;
        metal::float4 _e1397 = sum_b1_;
        gathered.inner[((128u + me) * 2u) + 1u] = _e1397;
    }
    if (true) {
        metal::float4 _e1405 = sum_a2_;
        gathered.inner[(256u + me) * 2u] = _e1405;
        metal::float4 _e1414 = sum_b2_;
        gathered.inner[((256u + me) * 2u) + 1u] = _e1414;
    }
    if (true) {
        metal::float4 _e1422 = sum_a3_;
        gathered.inner[(384u + me) * 2u] = _e1422;
        metal::float4 _e1431 = sum_b3_;
        gathered.inner[((384u + me) * 2u) + 1u] = _e1431;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i_6 = me;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1560 = i_6;
            i_6 = _e1560 + WG;
        }
        loop_init_9 = false;
        uint _e1433 = i_6;
        if (_e1433 < 64u) {
        } else {
            break;
        }
        {
            uint _e1437 = i_6;
            uint g_3 = 0u + naga_div(_e1437, VU);
            if (g_3 < heads_1) {
                uint _e1442 = i_6;
                uint _e1447 = i_6;
                uint first_of = (naga_div(_e1442, VU) * WG) + naga_mod(_e1447, VU);
                a = metal::float4(0.0);
                b = metal::float4(0.0);
                k = 0u;
                uint2 loop_bound_10 = uint2(4294967295u);
                bool loop_init_10 = true;
                while(true) {
                    if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                    loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                    if (!loop_init_10) {
                        uint _e1487 = k;
                        k = _e1487 + 1u;
                    }
                    loop_init_10 = false;
                    uint _e1459 = k;
                    if (_e1459 < KG) {
                    } else {
                        break;
                    }
                    {
                        metal::float4 _e1462 = a;
                        uint _e1464 = k;
                        metal::float4 _e1471 = gathered.inner[(first_of + (_e1464 * VU)) * 2u];
                        a = _e1462 + _e1471;
                        metal::float4 _e1473 = b;
                        uint _e1475 = k;
                        metal::float4 _e1484 = gathered.inner[((first_of + (_e1475 * VU)) * 2u) + 1u];
                        b = _e1473 + _e1484;
                    }
                }
                uint _e1491 = p.parts;
                uint _e1494 = p.heads;
                uint _e1500 = step[3];
                uint _e1508 = i_6;
                uint to = ((_e1491 + ((((((row_2 * _e1494) + head_1) + g_3) * _e1500) + split) * 130u)) + 2u) + (naga_mod(_e1508, VU) * 8u);
                float _e1517 = a.x;
                act[to] = _e1517;
                float _e1523 = a.y;
                act[to + 1u] = _e1523;
                float _e1529 = a.z;
                act[to + 2u] = _e1529;
                float _e1535 = a.w;
                act[to + 3u] = _e1535;
                float _e1541 = b.x;
                act[to + 4u] = _e1541;
                float _e1547 = b.y;
                act[to + 5u] = _e1547;
                float _e1553 = b.z;
                act[to + 6u] = _e1553;
                float _e1559 = b.w;
                act[to + 7u] = _e1559;
            }
        }
    }
    if (me == 0u) {
        local_1 = 0u < heads_1;
    } else {
        local_1 = false;
    }
    bool _e1570 = local_1;
    if (_e1570) {
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1591 = i_7;
                i_7 = _e1591 + 1u;
            }
            loop_init_11 = false;
            uint _e1575 = i_7;
            if (_e1575 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1582 = sum;
                uint _e1585 = i_7;
                float _e1588 = parts_of.inner[0u + _e1585];
                sum = _e1582 + _e1588;
            }
        }
        uint _e1595 = p.parts;
        uint _e1598 = p.heads;
        uint _e1605 = step[3];
        uint to_1 = _e1595 + ((((((row_2 * _e1598) + head_1) + 0u) * _e1605) + split) * 130u);
        float _e1613 = largest0_;
        act[to_1] = _e1613;
        float _e1618 = sum;
        act[to_1 + 1u] = _e1618;
    }
    if (me == 1u) {
        local_2 = 1u < heads_1;
    } else {
        local_2 = false;
    }
    bool _e1626 = local_2;
    if (_e1626) {
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1647 = i_8;
                i_8 = _e1647 + 1u;
            }
            loop_init_12 = false;
            uint _e1631 = i_8;
            if (_e1631 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1638 = sum_1;
                uint _e1641 = i_8;
                float _e1644 = parts_of.inner[16u + _e1641];
                sum_1 = _e1638 + _e1644;
            }
        }
        uint _e1651 = p.parts;
        uint _e1654 = p.heads;
        uint _e1661 = step[3];
        uint to_2 = _e1651 + ((((((row_2 * _e1654) + head_1) + 1u) * _e1661) + split) * 130u);
        float _e1669 = largest1_;
        act[to_2] = _e1669;
        float _e1674 = sum_1;
        act[to_2 + 1u] = _e1674;
    }
    if (me == 2u) {
        local_3 = 2u < heads_1;
    } else {
        local_3 = false;
    }
    bool _e1682 = local_3;
    if (_e1682) {
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1703 = i_9;
                i_9 = _e1703 + 1u;
            }
            loop_init_13 = false;
            uint _e1687 = i_9;
            if (_e1687 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1694 = sum_2;
                uint _e1697 = i_9;
                float _e1700 = parts_of.inner[32u + _e1697];
                sum_2 = _e1694 + _e1700;
            }
        }
        uint _e1707 = p.parts;
        uint _e1710 = p.heads;
        uint _e1717 = step[3];
        uint to_3 = _e1707 + ((((((row_2 * _e1710) + head_1) + 2u) * _e1717) + split) * 130u);
        float _e1725 = largest2_;
        act[to_3] = _e1725;
        float _e1730 = sum_2;
        act[to_3 + 1u] = _e1730;
    }
    if (me == 3u) {
        local_4 = 3u < heads_1;
    } else {
        local_4 = false;
    }
    bool _e1738 = local_4;
    if (_e1738) {
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1759 = i_10;
                i_10 = _e1759 + 1u;
            }
            loop_init_14 = false;
            uint _e1743 = i_10;
            if (_e1743 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1750 = sum_3;
                uint _e1753 = i_10;
                float _e1756 = parts_of.inner[48u + _e1753];
                sum_3 = _e1750 + _e1756;
            }
        }
        uint _e1763 = p.parts;
        uint _e1766 = p.heads;
        uint _e1773 = step[3];
        uint to_4 = _e1763 + ((((((row_2 * _e1766) + head_1) + 3u) * _e1773) + split) * 130u);
        float _e1781 = largest3_;
        act[to_4] = _e1781;
        float _e1786 = sum_3;
        act[to_4 + 1u] = _e1786;
        return;
    } else {
        return;
    }
}
