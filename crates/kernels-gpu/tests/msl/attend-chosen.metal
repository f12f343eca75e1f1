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

type_7 eight(
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
        metal::uint4 _e21 = cache[at + 1u];
        return type_7 {{as_type<metal::float4>(_e15), as_type<metal::float4>(_e21)}};
    } else {
        if (true) {
            metal::uint4 w = cache[(naga_div(plane, 4u) + (slot * units)) + u_1];
            return type_7 {{metal::float4(float2(as_type<half2>(w.x)), float2(as_type<half2>(w.y))), metal::float4(float2(as_type<half2>(w.z)), float2(as_type<half2>(w.w)))}};
        }
    }
    uint blocks = naga_div(units + 3u, 4u);
    metal::uint4 w_1 = cache[(naga_div(plane, 4u) + ((slot * blocks) * 2u)) + naga_div(u_1, 2u)];
    metal::uint2 pair = ((u_1 & 1u) == 1u) ? w_1.zw : w_1.xy;
    uint i_11 = (scales + (slot * blocks)) + naga_div(u_1, 4u);
    uint _e79 = cache[naga_div(i_11, 4u)][naga_mod(i_11, 4u)];
    float scale = as_type<float>(_e79);
    return type_7 {{static_cast<metal::float4>(int4(as_type<packed_char4>(pair.x))) * scale, static_cast<metal::float4>(int4(as_type<packed_char4>(pair.y))) * scale}};
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
    uint _e58 = step[2];
    uint end = metal::min(metal::min(position_2 + 1u, _e54), first + _e58);
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
            uint _e1342 = tile;
            tile = _e1342 + WG;
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
            uint _e218 = p.chosen;
            uint _e221 = p.count;
            float _e226 = act[(_e218 + (row_2 * _e221)) + seen];
            uint _e230 = p.block_len;
            uint _e233 = p.kv_heads;
            uint _e234 = slot_of(_e45, naga_f2u32(_e226), _e230, _e233, kv_head, step, _buffer_sizes);
            slots.inner[me] = _e234;
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
                    uint _e537 = u;
                    u = _e537 + 4u;
                }
                loop_init_3 = false;
                uint _e298 = u;
                if (_e298 < KU4_) {
                } else {
                    break;
                }
                {
                    uint _e304 = p.place.keys;
                    uint _e308 = p.place.key_scales;
                    uint _e310 = u;
                    type_7 _e313 = eight(_e304, _e308, slot0_, KU, metal::min(_e310, 15u), cache, _buffer_sizes);
                    uint _e317 = p.place.keys;
                    uint _e321 = p.place.key_scales;
                    uint _e323 = u;
                    type_7 _e326 = eight(_e317, _e321, slot1_, KU, metal::min(_e323, 15u), cache, _buffer_sizes);
                    uint _e330 = p.place.keys;
                    uint _e334 = p.place.key_scales;
                    uint _e336 = u;
                    type_7 _e339 = eight(_e330, _e334, slot2_, KU, metal::min(_e336, 15u), cache, _buffer_sizes);
                    uint _e343 = p.place.keys;
                    uint _e347 = p.place.key_scales;
                    uint _e349 = u;
                    type_7 _e352 = eight(_e343, _e347, slot3_, KU, metal::min(_e349, 15u), cache, _buffer_sizes);
                    uint _e355 = u;
                    metal::float4 qa0_ = query.inner[(0u + _e355) * 2u];
                    uint _e363 = u;
                    metal::float4 qb0_ = query.inner[((0u + _e363) * 2u) + 1u];
                    float _e371 = dot0_0_;
                    dot0_0_ = _e371 + (metal::dot(_e313.inner[0], qa0_) + metal::dot(_e313.inner[1], qb0_));
                    float _e378 = dot1_0_;
                    dot1_0_ = _e378 + (metal::dot(_e326.inner[0], qa0_) + metal::dot(_e326.inner[1], qb0_));
                    float _e385 = dot2_0_;
                    dot2_0_ = _e385 + (metal::dot(_e339.inner[0], qa0_) + metal::dot(_e339.inner[1], qb0_));
                    float _e392 = dot3_0_;
                    dot3_0_ = _e392 + (metal::dot(_e352.inner[0], qa0_) + metal::dot(_e352.inner[1], qb0_));
                    uint _e401 = u;
                    metal::float4 qa1_ = query.inner[(16u + _e401) * 2u];
                    uint _e409 = u;
                    metal::float4 qb1_ = query.inner[((16u + _e409) * 2u) + 1u];
                    float _e417 = dot0_1_;
                    dot0_1_ = _e417 + (metal::dot(_e313.inner[0], qa1_) + metal::dot(_e313.inner[1], qb1_));
                    float _e424 = dot1_1_;
                    dot1_1_ = _e424 + (metal::dot(_e326.inner[0], qa1_) + metal::dot(_e326.inner[1], qb1_));
                    float _e431 = dot2_1_;
                    dot2_1_ = _e431 + (metal::dot(_e339.inner[0], qa1_) + metal::dot(_e339.inner[1], qb1_));
                    float _e438 = dot3_1_;
                    dot3_1_ = _e438 + (metal::dot(_e352.inner[0], qa1_) + metal::dot(_e352.inner[1], qb1_));
                    uint _e447 = u;
                    metal::float4 qa2_ = query.inner[(32u + _e447) * 2u];
                    uint _e455 = u;
                    metal::float4 qb2_ = query.inner[((32u + _e455) * 2u) + 1u];
                    float _e463 = dot0_2_;
                    dot0_2_ = _e463 + (metal::dot(_e313.inner[0], qa2_) + metal::dot(_e313.inner[1], qb2_));
                    float _e470 = dot1_2_;
                    dot1_2_ = _e470 + (metal::dot(_e326.inner[0], qa2_) + metal::dot(_e326.inner[1], qb2_));
                    float _e477 = dot2_2_;
                    dot2_2_ = _e477 + (metal::dot(_e339.inner[0], qa2_) + metal::dot(_e339.inner[1], qb2_));
                    float _e484 = dot3_2_;
                    dot3_2_ = _e484 + (metal::dot(_e352.inner[0], qa2_) + metal::dot(_e352.inner[1], qb2_));
                    uint _e493 = u;
                    metal::float4 qa3_ = query.inner[(48u + _e493) * 2u];
                    uint _e501 = u;
                    metal::float4 qb3_ = query.inner[((48u + _e501) * 2u) + 1u];
                    float _e509 = dot0_3_;
                    dot0_3_ = _e509 + (metal::dot(_e313.inner[0], qa3_) + metal::dot(_e313.inner[1], qb3_));
                    float _e516 = dot1_3_;
                    dot1_3_ = _e516 + (metal::dot(_e326.inner[0], qa3_) + metal::dot(_e326.inner[1], qb3_));
                    float _e523 = dot2_3_;
                    dot2_3_ = _e523 + (metal::dot(_e339.inner[0], qa3_) + metal::dot(_e339.inner[1], qb3_));
                    float _e530 = dot3_3_;
                    dot3_3_ = _e530 + (metal::dot(_e352.inner[0], qa3_) + metal::dot(_e352.inner[1], qb3_));
                }
            }
            uint _e540 = tile;
            uint key = _e540 + mine;
            float _e542 = dot0_0_;
            float _e543 = dot0_0_;
            float unnamed = metal::simd_shuffle_xor(_e543, 1u);
            dot0_0_ = _e542 + unnamed;
            float _e547 = dot0_0_;
            float _e548 = dot0_0_;
            float unnamed_1 = metal::simd_shuffle_xor(_e548, 2u);
            dot0_0_ = _e547 + unnamed_1;
            float _e552 = dot1_0_;
            float _e553 = dot1_0_;
            float unnamed_2 = metal::simd_shuffle_xor(_e553, 1u);
            dot1_0_ = _e552 + unnamed_2;
            float _e557 = dot1_0_;
            float _e558 = dot1_0_;
            float unnamed_3 = metal::simd_shuffle_xor(_e558, 2u);
            dot1_0_ = _e557 + unnamed_3;
            float _e562 = dot2_0_;
            float _e563 = dot2_0_;
            float unnamed_4 = metal::simd_shuffle_xor(_e563, 1u);
            dot2_0_ = _e562 + unnamed_4;
            float _e567 = dot2_0_;
            float _e568 = dot2_0_;
            float unnamed_5 = metal::simd_shuffle_xor(_e568, 2u);
            dot2_0_ = _e567 + unnamed_5;
            float _e572 = dot3_0_;
            float _e573 = dot3_0_;
            float unnamed_6 = metal::simd_shuffle_xor(_e573, 1u);
            dot3_0_ = _e572 + unnamed_6;
            float _e577 = dot3_0_;
            float _e578 = dot3_0_;
            float unnamed_7 = metal::simd_shuffle_xor(_e578, 2u);
            dot3_0_ = _e577 + unnamed_7;
            float _e582 = dot0_0_;
            float _e583 = dot1_0_;
            float _e589 = dot2_0_;
            float _e590 = dot3_0_;
            score0_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e590 : _e589) : ((naga_mod(me, 4u) == 1u) ? _e583 : _e582);
            float _e602 = dot0_1_;
            float _e603 = dot0_1_;
            float unnamed_8 = metal::simd_shuffle_xor(_e603, 1u);
            dot0_1_ = _e602 + unnamed_8;
            float _e607 = dot0_1_;
            float _e608 = dot0_1_;
            float unnamed_9 = metal::simd_shuffle_xor(_e608, 2u);
            dot0_1_ = _e607 + unnamed_9;
            float _e612 = dot1_1_;
            float _e613 = dot1_1_;
            float unnamed_10 = metal::simd_shuffle_xor(_e613, 1u);
            dot1_1_ = _e612 + unnamed_10;
            float _e617 = dot1_1_;
            float _e618 = dot1_1_;
            float unnamed_11 = metal::simd_shuffle_xor(_e618, 2u);
            dot1_1_ = _e617 + unnamed_11;
            float _e622 = dot2_1_;
            float _e623 = dot2_1_;
            float unnamed_12 = metal::simd_shuffle_xor(_e623, 1u);
            dot2_1_ = _e622 + unnamed_12;
            float _e627 = dot2_1_;
            float _e628 = dot2_1_;
            float unnamed_13 = metal::simd_shuffle_xor(_e628, 2u);
            dot2_1_ = _e627 + unnamed_13;
            float _e632 = dot3_1_;
            float _e633 = dot3_1_;
            float unnamed_14 = metal::simd_shuffle_xor(_e633, 1u);
            dot3_1_ = _e632 + unnamed_14;
            float _e637 = dot3_1_;
            float _e638 = dot3_1_;
            float unnamed_15 = metal::simd_shuffle_xor(_e638, 2u);
            dot3_1_ = _e637 + unnamed_15;
            float _e642 = dot0_1_;
            float _e643 = dot1_1_;
            float _e649 = dot2_1_;
            float _e650 = dot3_1_;
            score1_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e650 : _e649) : ((naga_mod(me, 4u) == 1u) ? _e643 : _e642);
            float _e662 = dot0_2_;
            float _e663 = dot0_2_;
            float unnamed_16 = metal::simd_shuffle_xor(_e663, 1u);
            dot0_2_ = _e662 + unnamed_16;
            float _e667 = dot0_2_;
            float _e668 = dot0_2_;
            float unnamed_17 = metal::simd_shuffle_xor(_e668, 2u);
            dot0_2_ = _e667 + unnamed_17;
            float _e672 = dot1_2_;
            float _e673 = dot1_2_;
            float unnamed_18 = metal::simd_shuffle_xor(_e673, 1u);
            dot1_2_ = _e672 + unnamed_18;
            float _e677 = dot1_2_;
            float _e678 = dot1_2_;
            float unnamed_19 = metal::simd_shuffle_xor(_e678, 2u);
            dot1_2_ = _e677 + unnamed_19;
            float _e682 = dot2_2_;
            float _e683 = dot2_2_;
            float unnamed_20 = metal::simd_shuffle_xor(_e683, 1u);
            dot2_2_ = _e682 + unnamed_20;
            float _e687 = dot2_2_;
            float _e688 = dot2_2_;
            float unnamed_21 = metal::simd_shuffle_xor(_e688, 2u);
            dot2_2_ = _e687 + unnamed_21;
            float _e692 = dot3_2_;
            float _e693 = dot3_2_;
            float unnamed_22 = metal::simd_shuffle_xor(_e693, 1u);
            dot3_2_ = _e692 + unnamed_22;
            float _e697 = dot3_2_;
            float _e698 = dot3_2_;
            float unnamed_23 = metal::simd_shuffle_xor(_e698, 2u);
            dot3_2_ = _e697 + unnamed_23;
            float _e702 = dot0_2_;
            float _e703 = dot1_2_;
            float _e709 = dot2_2_;
            float _e710 = dot3_2_;
            score2_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e710 : _e709) : ((naga_mod(me, 4u) == 1u) ? _e703 : _e702);
            float _e722 = dot0_3_;
            float _e723 = dot0_3_;
            float unnamed_24 = metal::simd_shuffle_xor(_e723, 1u);
            dot0_3_ = _e722 + unnamed_24;
            float _e727 = dot0_3_;
            float _e728 = dot0_3_;
            float unnamed_25 = metal::simd_shuffle_xor(_e728, 2u);
            dot0_3_ = _e727 + unnamed_25;
            float _e732 = dot1_3_;
            float _e733 = dot1_3_;
            float unnamed_26 = metal::simd_shuffle_xor(_e733, 1u);
            dot1_3_ = _e732 + unnamed_26;
            float _e737 = dot1_3_;
            float _e738 = dot1_3_;
            float unnamed_27 = metal::simd_shuffle_xor(_e738, 2u);
            dot1_3_ = _e737 + unnamed_27;
            float _e742 = dot2_3_;
            float _e743 = dot2_3_;
            float unnamed_28 = metal::simd_shuffle_xor(_e743, 1u);
            dot2_3_ = _e742 + unnamed_28;
            float _e747 = dot2_3_;
            float _e748 = dot2_3_;
            float unnamed_29 = metal::simd_shuffle_xor(_e748, 2u);
            dot2_3_ = _e747 + unnamed_29;
            float _e752 = dot3_3_;
            float _e753 = dot3_3_;
            float unnamed_30 = metal::simd_shuffle_xor(_e753, 1u);
            dot3_3_ = _e752 + unnamed_30;
            float _e757 = dot3_3_;
            float _e758 = dot3_3_;
            float unnamed_31 = metal::simd_shuffle_xor(_e758, 2u);
            dot3_3_ = _e757 + unnamed_31;
            float _e762 = dot0_3_;
            float _e763 = dot1_3_;
            float _e769 = dot2_3_;
            float _e770 = dot3_3_;
            score3_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e770 : _e769) : ((naga_mod(me, 4u) == 1u) ? _e763 : _e762);
            float _e782 = score0_;
            score0_ = (key < end) ? _e782 : -1000000000000000000000000000000.0;
            float _e786 = score0_;
            float unnamed_32 = metal::simd_max(_e786);
            if (lane == 0u) {
                parts_of.inner[0u + subgroup] = unnamed_32;
            }
            float _e794 = score1_;
            score1_ = (key < end) ? _e794 : -1000000000000000000000000000000.0;
            float _e798 = score1_;
            float unnamed_33 = metal::simd_max(_e798);
            if (lane == 0u) {
                parts_of.inner[16u + subgroup] = unnamed_33;
            }
            float _e806 = score2_;
            score2_ = (key < end) ? _e806 : -1000000000000000000000000000000.0;
            float _e810 = score2_;
            float unnamed_34 = metal::simd_max(_e810);
            if (lane == 0u) {
                parts_of.inner[32u + subgroup] = unnamed_34;
            }
            float _e818 = score3_;
            score3_ = (key < end) ? _e818 : -1000000000000000000000000000000.0;
            float _e822 = score3_;
            float unnamed_35 = metal::simd_max(_e822);
            if (lane == 0u) {
                parts_of.inner[48u + subgroup] = unnamed_35;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            float _e830 = largest0_;
            next0_ = _e830;
            i_2 = 0u;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e850 = i_2;
                    i_2 = _e850 + 1u;
                }
                loop_init_4 = false;
                uint _e834 = i_2;
                if (_e834 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e841 = next0_;
                    uint _e844 = i_2;
                    float _e847 = parts_of.inner[0u + _e844];
                    next0_ = metal::max(_e841, _e847);
                }
            }
            float _e852 = largest0_;
            float _e853 = next0_;
            float shrink0_ = metal::exp(_e852 - _e853);
            float _e856 = next0_;
            largest0_ = _e856;
            float _e857 = score0_;
            float _e858 = next0_;
            float weight0_ = (key < end) ? metal::exp(_e857 - _e858) : 0.0;
            weights.inner[0u + mine] = weight0_;
            float _e868 = total0_;
            total0_ = (_e868 * shrink0_) + weight0_;
            metal::float4 _e871 = sum_a0_;
            sum_a0_ = _e871 * shrink0_;
            metal::float4 _e873 = sum_b0_;
            sum_b0_ = _e873 * shrink0_;
            float _e875 = largest1_;
            next1_ = _e875;
            i_3 = 0u;
            uint2 loop_bound_5 = uint2(4294967295u);
            bool loop_init_5 = true;
            while(true) {
                if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                if (!loop_init_5) {
                    uint _e895 = i_3;
                    i_3 = _e895 + 1u;
                }
                loop_init_5 = false;
                uint _e879 = i_3;
                if (_e879 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e886 = next1_;
                    uint _e889 = i_3;
                    float _e892 = parts_of.inner[16u + _e889];
                    next1_ = metal::max(_e886, _e892);
                }
            }
            float _e897 = largest1_;
            float _e898 = next1_;
            float shrink1_ = metal::exp(_e897 - _e898);
            float _e901 = next1_;
            largest1_ = _e901;
            float _e902 = score1_;
            float _e903 = next1_;
            float weight1_ = (key < end) ? metal::exp(_e902 - _e903) : 0.0;
            weights.inner[128u + mine] = weight1_;
            float _e913 = total1_;
            total1_ = (_e913 * shrink1_) + weight1_;
            metal::float4 _e916 = sum_a1_;
            sum_a1_ = _e916 * shrink1_;
            metal::float4 _e918 = sum_b1_;
            sum_b1_ = _e918 * shrink1_;
            float _e920 = largest2_;
            next2_ = _e920;
            i_4 = 0u;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e940 = i_4;
                    i_4 = _e940 + 1u;
                }
                loop_init_6 = false;
                uint _e924 = i_4;
                if (_e924 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e931 = next2_;
                    uint _e934 = i_4;
                    float _e937 = parts_of.inner[32u + _e934];
                    next2_ = metal::max(_e931, _e937);
                }
            }
            float _e942 = largest2_;
            float _e943 = next2_;
            float shrink2_ = metal::exp(_e942 - _e943);
            float _e946 = next2_;
            largest2_ = _e946;
            float _e947 = score2_;
            float _e948 = next2_;
            float weight2_ = (key < end) ? metal::exp(_e947 - _e948) : 0.0;
            weights.inner[256u + mine] = weight2_;
            float _e958 = total2_;
            total2_ = (_e958 * shrink2_) + weight2_;
            metal::float4 _e961 = sum_a2_;
            sum_a2_ = _e961 * shrink2_;
            metal::float4 _e963 = sum_b2_;
            sum_b2_ = _e963 * shrink2_;
            float _e965 = largest3_;
            next3_ = _e965;
            i_5 = 0u;
            uint2 loop_bound_7 = uint2(4294967295u);
            bool loop_init_7 = true;
            while(true) {
                if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                if (!loop_init_7) {
                    uint _e985 = i_5;
                    i_5 = _e985 + 1u;
                }
                loop_init_7 = false;
                uint _e969 = i_5;
                if (_e969 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e976 = next3_;
                    uint _e979 = i_5;
                    float _e982 = parts_of.inner[48u + _e979];
                    next3_ = metal::max(_e976, _e982);
                }
            }
            float _e987 = largest3_;
            float _e988 = next3_;
            float shrink3_ = metal::exp(_e987 - _e988);
            float _e991 = next3_;
            largest3_ = _e991;
            float _e992 = score3_;
            float _e993 = next3_;
            float weight3_ = (key < end) ? metal::exp(_e992 - _e993) : 0.0;
            weights.inner[384u + mine] = weight3_;
            float _e1003 = total3_;
            total3_ = (_e1003 * shrink3_) + weight3_;
            metal::float4 _e1006 = sum_a3_;
            sum_a3_ = _e1006 * shrink3_;
            metal::float4 _e1008 = sum_b3_;
            sum_b3_ = _e1008 * shrink3_;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (key_group < KG) {
                j = key_group;
                uint2 loop_bound_8 = uint2(4294967295u);
                bool loop_init_8 = true;
                while(true) {
                    if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                    loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                    if (!loop_init_8) {
                        uint _e1339 = j;
                        j = _e1339 + 32u;
                    }
                    loop_init_8 = false;
                    uint _e1013 = j;
                    uint _e1015 = tile;
                    if (_e1013 < metal::min(WG, end - _e1015)) {
                    } else {
                        break;
                    }
                    {
                        uint _e1022 = p.place.values;
                        uint _e1026 = p.place.value_scales;
                        uint _e1028 = j;
                        uint _e1032 = slots.inner[_e1028 + 0u];
                        type_7 _e1034 = eight(_e1022, _e1026, _e1032, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1038 = p.place.values;
                        uint _e1042 = p.place.value_scales;
                        uint _e1044 = j;
                        uint _e1048 = slots.inner[_e1044 + 8u];
                        type_7 _e1050 = eight(_e1038, _e1042, _e1048, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1054 = p.place.values;
                        uint _e1058 = p.place.value_scales;
                        uint _e1060 = j;
                        uint _e1064 = slots.inner[_e1060 + 16u];
                        type_7 _e1066 = eight(_e1054, _e1058, _e1064, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1070 = p.place.values;
                        uint _e1074 = p.place.value_scales;
                        uint _e1076 = j;
                        uint _e1080 = slots.inner[_e1076 + 24u];
                        type_7 _e1082 = eight(_e1070, _e1074, _e1080, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1085 = j;
                        float w0_0_ = weights.inner[(0u + _e1085) + 0u];
                        metal::float4 _e1091 = sum_a0_;
                        sum_a0_ = _e1091 + (w0_0_ * _e1034.inner[0]);
                        metal::float4 _e1095 = sum_b0_;
                        sum_b0_ = _e1095 + (w0_0_ * _e1034.inner[1]);
                        uint _e1101 = j;
                        float w0_1_ = weights.inner[(128u + _e1101) + 0u];
                        metal::float4 _e1107 = sum_a1_;
                        sum_a1_ = _e1107 + (w0_1_ * _e1034.inner[0]);
                        metal::float4 _e1111 = sum_b1_;
                        sum_b1_ = _e1111 + (w0_1_ * _e1034.inner[1]);
                        uint _e1117 = j;
                        float w0_2_ = weights.inner[(256u + _e1117) + 0u];
                        metal::float4 _e1123 = sum_a2_;
                        sum_a2_ = _e1123 + (w0_2_ * _e1034.inner[0]);
                        metal::float4 _e1127 = sum_b2_;
                        sum_b2_ = _e1127 + (w0_2_ * _e1034.inner[1]);
                        uint _e1133 = j;
                        float w0_3_ = weights.inner[(384u + _e1133) + 0u];
                        metal::float4 _e1139 = sum_a3_;
                        sum_a3_ = _e1139 + (w0_3_ * _e1034.inner[0]);
                        metal::float4 _e1143 = sum_b3_;
                        sum_b3_ = _e1143 + (w0_3_ * _e1034.inner[1]);
                        uint _e1149 = j;
                        float w1_0_ = weights.inner[(0u + _e1149) + 8u];
                        metal::float4 _e1155 = sum_a0_;
                        sum_a0_ = _e1155 + (w1_0_ * _e1050.inner[0]);
                        metal::float4 _e1159 = sum_b0_;
                        sum_b0_ = _e1159 + (w1_0_ * _e1050.inner[1]);
                        uint _e1165 = j;
                        float w1_1_ = weights.inner[(128u + _e1165) + 8u];
                        metal::float4 _e1171 = sum_a1_;
                        sum_a1_ = _e1171 + (w1_1_ * _e1050.inner[0]);
                        metal::float4 _e1175 = sum_b1_;
                        sum_b1_ = _e1175 + (w1_1_ * _e1050.inner[1]);
                        uint _e1181 = j;
                        float w1_2_ = weights.inner[(256u + _e1181) + 8u];
                        metal::float4 _e1187 = sum_a2_;
                        sum_a2_ = _e1187 + (w1_2_ * _e1050.inner[0]);
                        metal::float4 _e1191 = sum_b2_;
                        sum_b2_ = _e1191 + (w1_2_ * _e1050.inner[1]);
                        uint _e1197 = j;
                        float w1_3_ = weights.inner[(384u + _e1197) + 8u];
                        metal::float4 _e1203 = sum_a3_;
                        sum_a3_ = _e1203 + (w1_3_ * _e1050.inner[0]);
                        metal::float4 _e1207 = sum_b3_;
                        sum_b3_ = _e1207 + (w1_3_ * _e1050.inner[1]);
                        uint _e1213 = j;
                        float w2_0_ = weights.inner[(0u + _e1213) + 16u];
                        metal::float4 _e1219 = sum_a0_;
                        sum_a0_ = _e1219 + (w2_0_ * _e1066.inner[0]);
                        metal::float4 _e1223 = sum_b0_;
                        sum_b0_ = _e1223 + (w2_0_ * _e1066.inner[1]);
                        uint _e1229 = j;
                        float w2_1_ = weights.inner[(128u + _e1229) + 16u];
                        metal::float4 _e1235 = sum_a1_;
                        sum_a1_ = _e1235 + (w2_1_ * _e1066.inner[0]);
                        metal::float4 _e1239 = sum_b1_;
                        sum_b1_ = _e1239 + (w2_1_ * _e1066.inner[1]);
                        uint _e1245 = j;
                        float w2_2_ = weights.inner[(256u + _e1245) + 16u];
                        metal::float4 _e1251 = sum_a2_;
                        sum_a2_ = _e1251 + (w2_2_ * _e1066.inner[0]);
                        metal::float4 _e1255 = sum_b2_;
                        sum_b2_ = _e1255 + (w2_2_ * _e1066.inner[1]);
                        uint _e1261 = j;
                        float w2_3_ = weights.inner[(384u + _e1261) + 16u];
                        metal::float4 _e1267 = sum_a3_;
                        sum_a3_ = _e1267 + (w2_3_ * _e1066.inner[0]);
                        metal::float4 _e1271 = sum_b3_;
                        sum_b3_ = _e1271 + (w2_3_ * _e1066.inner[1]);
                        uint _e1277 = j;
                        float w3_0_ = weights.inner[(0u + _e1277) + 24u];
                        metal::float4 _e1283 = sum_a0_;
                        sum_a0_ = _e1283 + (w3_0_ * _e1082.inner[0]);
                        metal::float4 _e1287 = sum_b0_;
                        sum_b0_ = _e1287 + (w3_0_ * _e1082.inner[1]);
                        uint _e1293 = j;
                        float w3_1_ = weights.inner[(128u + _e1293) + 24u];
                        metal::float4 _e1299 = sum_a1_;
                        sum_a1_ = _e1299 + (w3_1_ * _e1082.inner[0]);
                        metal::float4 _e1303 = sum_b1_;
                        sum_b1_ = _e1303 + (w3_1_ * _e1082.inner[1]);
                        uint _e1309 = j;
                        float w3_2_ = weights.inner[(256u + _e1309) + 24u];
                        metal::float4 _e1315 = sum_a2_;
                        sum_a2_ = _e1315 + (w3_2_ * _e1082.inner[0]);
                        metal::float4 _e1319 = sum_b2_;
                        sum_b2_ = _e1319 + (w3_2_ * _e1082.inner[1]);
                        uint _e1325 = j;
                        float w3_3_ = weights.inner[(384u + _e1325) + 24u];
                        metal::float4 _e1331 = sum_a3_;
                        sum_a3_ = _e1331 + (w3_3_ * _e1082.inner[0]);
                        metal::float4 _e1335 = sum_b3_;
                        sum_b3_ = _e1335 + (w3_3_ * _e1082.inner[1]);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    float _e1345 = total0_;
    float unnamed_36 = metal::simd_sum(_e1345);
    if (lane == 0u) {
        parts_of.inner[0u + subgroup] = unnamed_36;
    }
    float _e1353 = total1_;
    float unnamed_37 = metal::simd_sum(_e1353);
    if (lane == 0u) {
        parts_of.inner[16u + subgroup] = unnamed_37;
    }
    float _e1361 = total2_;
    float unnamed_38 = metal::simd_sum(_e1361);
    if (lane == 0u) {
        parts_of.inner[32u + subgroup] = unnamed_38;
    }
    float _e1369 = total3_;
    float unnamed_39 = metal::simd_sum(_e1369);
    if (lane == 0u) {
        parts_of.inner[48u + subgroup] = unnamed_39;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (true) {
        metal::float4 _e1384 = sum_a0_;
        gathered.inner[(0u + me) * 2u] = _e1384;
        metal::float4 _e1393 = sum_b0_;
        gathered.inner[((0u + me) * 2u) + 1u] = _e1393;
    }
    if (true) {
        metal::float4 _e1401 = sum_a1_;
        gathered.inner[(128u + me) * 2u] = _e1401;
        metal::float4 _e1410 = sum_b1_;
        gathered.inner[((128u + me) * 2u) + 1u] = _e1410;
    }
    if (true) {
        metal::float4 _e1418 = sum_a2_;
        gathered.inner[(256u + me) * 2u] = _e1418;
        metal::float4 _e1427 = sum_b2_;
        gathered.inner[((256u + me) * 2u) + 1u] = _e1427;
    }
    if (true) {
        metal::float4 _e1435 = sum_a3_;
        gathered.inner[(384u + me) * 2u] = _e1435;
        metal::float4 _e1444 = sum_b3_;
        gathered.inner[((384u + me) * 2u) + 1u] = _e1444;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i_6 = me;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1573 = i_6;
            i_6 = _e1573 + WG;
        }
        loop_init_9 = false;
        uint _e1446 = i_6;
        if (_e1446 < 64u) {
        } else {
            break;
        }
        {
            uint _e1450 = i_6;
            uint g_3 = 0u + naga_div(_e1450, VU);
            if (g_3 < heads_1) {
                uint _e1455 = i_6;
                uint _e1460 = i_6;
                uint first_of = (naga_div(_e1455, VU) * WG) + naga_mod(_e1460, VU);
                a = metal::float4(0.0);
                b = metal::float4(0.0);
                k = 0u;
                uint2 loop_bound_10 = uint2(4294967295u);
                bool loop_init_10 = true;
                while(true) {
                    if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                    loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                    if (!loop_init_10) {
                        uint _e1500 = k;
                        k = _e1500 + 1u;
                    }
                    loop_init_10 = false;
                    uint _e1472 = k;
                    if (_e1472 < KG) {
                    } else {
                        break;
                    }
                    {
                        metal::float4 _e1475 = a;
                        uint _e1477 = k;
                        metal::float4 _e1484 = gathered.inner[(first_of + (_e1477 * VU)) * 2u];
                        a = _e1475 + _e1484;
                        metal::float4 _e1486 = b;
                        uint _e1488 = k;
                        metal::float4 _e1497 = gathered.inner[((first_of + (_e1488 * VU)) * 2u) + 1u];
                        b = _e1486 + _e1497;
                    }
                }
                uint _e1504 = p.parts;
                uint _e1507 = p.heads;
                uint _e1513 = step[3];
                uint _e1521 = i_6;
                uint to = ((_e1504 + ((((((row_2 * _e1507) + head_1) + g_3) * _e1513) + split) * 130u)) + 2u) + (naga_mod(_e1521, VU) * 8u);
                float _e1530 = a.x;
                act[to] = _e1530;
                float _e1536 = a.y;
                act[to + 1u] = _e1536;
                float _e1542 = a.z;
                act[to + 2u] = _e1542;
                float _e1548 = a.w;
                act[to + 3u] = _e1548;
                float _e1554 = b.x;
                act[to + 4u] = _e1554;
                float _e1560 = b.y;
                act[to + 5u] = _e1560;
                float _e1566 = b.z;
                act[to + 6u] = _e1566;
                float _e1572 = b.w;
                act[to + 7u] = _e1572;
            }
        }
    }
    if (me == 0u) {
        local_1 = 0u < heads_1;
    } else {
        local_1 = false;
    }
    bool _e1583 = local_1;
    if (_e1583) {
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1604 = i_7;
                i_7 = _e1604 + 1u;
            }
            loop_init_11 = false;
            uint _e1588 = i_7;
            if (_e1588 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1595 = sum;
                uint _e1598 = i_7;
                float _e1601 = parts_of.inner[0u + _e1598];
                sum = _e1595 + _e1601;
            }
        }
        uint _e1608 = p.parts;
        uint _e1611 = p.heads;
        uint _e1618 = step[3];
        uint to_1 = _e1608 + ((((((row_2 * _e1611) + head_1) + 0u) * _e1618) + split) * 130u);
        float _e1626 = largest0_;
        act[to_1] = _e1626;
        float _e1631 = sum;
        act[to_1 + 1u] = _e1631;
    }
    if (me == 1u) {
        local_2 = 1u < heads_1;
    } else {
        local_2 = false;
    }
    bool _e1639 = local_2;
    if (_e1639) {
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1660 = i_8;
                i_8 = _e1660 + 1u;
            }
            loop_init_12 = false;
            uint _e1644 = i_8;
            if (_e1644 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1651 = sum_1;
                uint _e1654 = i_8;
                float _e1657 = parts_of.inner[16u + _e1654];
                sum_1 = _e1651 + _e1657;
            }
        }
        uint _e1664 = p.parts;
        uint _e1667 = p.heads;
        uint _e1674 = step[3];
        uint to_2 = _e1664 + ((((((row_2 * _e1667) + head_1) + 1u) * _e1674) + split) * 130u);
        float _e1682 = largest1_;
        act[to_2] = _e1682;
        float _e1687 = sum_1;
        act[to_2 + 1u] = _e1687;
    }
    if (me == 2u) {
        local_3 = 2u < heads_1;
    } else {
        local_3 = false;
    }
    bool _e1695 = local_3;
    if (_e1695) {
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1716 = i_9;
                i_9 = _e1716 + 1u;
            }
            loop_init_13 = false;
            uint _e1700 = i_9;
            if (_e1700 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1707 = sum_2;
                uint _e1710 = i_9;
                float _e1713 = parts_of.inner[32u + _e1710];
                sum_2 = _e1707 + _e1713;
            }
        }
        uint _e1720 = p.parts;
        uint _e1723 = p.heads;
        uint _e1730 = step[3];
        uint to_3 = _e1720 + ((((((row_2 * _e1723) + head_1) + 2u) * _e1730) + split) * 130u);
        float _e1738 = largest2_;
        act[to_3] = _e1738;
        float _e1743 = sum_2;
        act[to_3 + 1u] = _e1743;
    }
    if (me == 3u) {
        local_4 = 3u < heads_1;
    } else {
        local_4 = false;
    }
    bool _e1751 = local_4;
    if (_e1751) {
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1772 = i_10;
                i_10 = _e1772 + 1u;
            }
            loop_init_14 = false;
            uint _e1756 = i_10;
            if (_e1756 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1763 = sum_3;
                uint _e1766 = i_10;
                float _e1769 = parts_of.inner[48u + _e1766];
                sum_3 = _e1763 + _e1769;
            }
        }
        uint _e1776 = p.parts;
        uint _e1779 = p.heads;
        uint _e1786 = step[3];
        uint to_4 = _e1776 + ((((((row_2 * _e1779) + head_1) + 3u) * _e1786) + split) * 130u);
        float _e1794 = largest3_;
        act[to_4] = _e1794;
        float _e1799 = sum_3;
        act[to_4 + 1u] = _e1799;
        return;
    } else {
        return;
    }
}
