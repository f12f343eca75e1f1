// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
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
    uint pad0_;
    uint pad1_;
    uint pad2_;
    uint pad3_;
};
typedef float type_8[1];
struct type_9 {
    float inner[16];
};
struct type_10 {
    metal::float4 inner[512];
};
constant uint WG = 64u;
constant uint SUBGROUPS = 8u;
constant uint CACHE = 1u;
constant uint G = 4u;
constant uint KEY_DIM = 128u;
constant uint UNITS_ALL = 16u;
constant uint LANES = 16u;
constant uint SHUFFLES = 4u;
constant uint UNITS = 1u;
constant uint AT_ONCE = 4u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint PARTIES = 4u;
constant uint FOURS = 32u;

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
    uint u,
    device type_5 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    if (false) {
        uint at = naga_div(plane, 4u) + (((slot * units) + u) * 2u);
        metal::uint4 _e15 = cache[at];
        metal::uint4 _e20 = cache[at + 1u];
        return Stored {_e15, _e20, 1.0};
    } else {
        if (true) {
            metal::uint4 _e31 = cache[(naga_div(plane, 4u) + (slot * units)) + u];
            return Stored {_e31, metal::uint4(0u), 1.0};
        }
    }
    uint blocks = naga_div(units + 3u, 4u);
    metal::uint4 w_1 = cache[(naga_div(plane, 4u) + ((slot * blocks) * 2u)) + naga_div(u, 2u)];
    metal::uint2 pair = ((u & 1u) == 1u) ? w_1.zw : w_1.xy;
    uint i_1 = (scales + (slot * blocks)) + naga_div(u, 4u);
    uint _e76 = cache[naga_div(i_1, 4u)][naga_mod(i_1, 4u)];
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
    uint u_1,
    device type_5 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e5 = stored(plane_1, scales_1, slot_1, units_1, u_1, cache, _buffer_sizes);
    type_7 _e6 = values_of(_e5);
    return _e6;
}

metal::float4 queried(
    uint row_2,
    uint head_1,
    uint d,
    device type_8 const& act,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e5 = p.q;
    uint _e8 = p.heads;
    uint _e12 = p.heads;
    uint at_1 = _e5 + (((row_2 * _e8) + metal::min(head_1, _e12 - 1u)) * KEY_DIM);
    float _e25 = act[at_1 + metal::min(d, 127u)];
    float _e32 = act[at_1 + metal::min(d + 1u, 127u)];
    float _e39 = act[at_1 + metal::min(d + 2u, 127u)];
    float _e46 = act[at_1 + metal::min(d + 3u, 127u)];
    metal::float4 values = metal::float4(_e25, _e32, _e39, _e46);
    float _e63 = p.scale;
    return metal::select(metal::float4(0.0), values, (metal::uint4(d) + metal::uint4(0u, 1u, 2u, 3u)) < metal::uint4(128u)) * _e63;
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(64)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5 const& cache [[user(fake0)]]
, device type_8& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, threadgroup type_9& most
, threadgroup type_9& totals
, threadgroup type_10& gathered
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    metal::float4 a0_0_ = metal::float4(0.0);
    metal::float4 b0_0_ = metal::float4(0.0);
    metal::float4 a1_0_ = metal::float4(0.0);
    metal::float4 b1_0_ = metal::float4(0.0);
    metal::float4 a2_0_ = metal::float4(0.0);
    metal::float4 b2_0_ = metal::float4(0.0);
    metal::float4 a3_0_ = metal::float4(0.0);
    metal::float4 b3_0_ = metal::float4(0.0);
    float largest0_ = -1000000000000000000000000000000.0;
    float total0_ = 0.0;
    float largest1_ = -1000000000000000000000000000000.0;
    float total1_ = 0.0;
    float largest2_ = -1000000000000000000000000000000.0;
    float total2_ = 0.0;
    float largest3_ = -1000000000000000000000000000000.0;
    float total3_ = 0.0;
    uint key = {};
    float score0_0_ = {};
    float score0_1_ = {};
    float score0_2_ = {};
    float score0_3_ = {};
    float score1_0_ = {};
    float score1_1_ = {};
    float score1_2_ = {};
    float score1_3_ = {};
    float score2_0_ = {};
    float score2_1_ = {};
    float score2_2_ = {};
    float score2_3_ = {};
    float score3_0_ = {};
    float score3_1_ = {};
    float score3_2_ = {};
    float score3_3_ = {};
    float next0_ = {};
    float next1_ = {};
    float next2_ = {};
    float next3_ = {};
    uint i = {};
    float top = {};
    uint s = {};
    float total = {};
    metal::float4 y = {};
    uint s_1 = {};
    uint row_3 = group.z;
    uint split = group.y;
    uint _e6 = p.heads;
    uint _e9 = p.kv_heads;
    uint shared_by = naga_div(_e6, _e9);
    uint chunks = naga_div((shared_by + G) - 1u, G);
    uint kv_head = naga_div(group.x, chunks);
    uint head_2 = (kv_head * shared_by) + (naga_mod(group.x, chunks) * G);
    uint heads_1 = metal::min(G, shared_by - (naga_mod(group.x, chunks) * G));
    uint _e35 = step[5];
    uint position_2 = step[_e35 + row_3];
    uint _e41 = p.windowed;
    uint _e42 = table_of(row_3, _e41, step, _buffer_sizes);
    uint _e45 = p.window;
    uint _e46 = seen_from(position_2, _e45);
    uint _e49 = step[2];
    uint first = _e46 + (split * _e49);
    uint _e52 = seen_to(row_3, step, _buffer_sizes);
    uint _e55 = step[2];
    uint end = metal::min(_e52, first + _e55);
    uint party = naga_div(me, LANES);
    uint unit0_ = 0u + naga_mod(me, LANES);
    metal::float4 _e68 = queried(row_3, head_2 + 0u, unit0_ * 8u, act, p, _buffer_sizes);
    metal::float4 _e75 = queried(row_3, head_2 + 0u, (unit0_ * 8u) + 4u, act, p, _buffer_sizes);
    metal::float4 _e86 = queried(row_3, head_2 + 1u, unit0_ * 8u, act, p, _buffer_sizes);
    metal::float4 _e93 = queried(row_3, head_2 + 1u, (unit0_ * 8u) + 4u, act, p, _buffer_sizes);
    metal::float4 _e104 = queried(row_3, head_2 + 2u, unit0_ * 8u, act, p, _buffer_sizes);
    metal::float4 _e111 = queried(row_3, head_2 + 2u, (unit0_ * 8u) + 4u, act, p, _buffer_sizes);
    metal::float4 _e122 = queried(row_3, head_2 + 3u, unit0_ * 8u, act, p, _buffer_sizes);
    metal::float4 _e129 = queried(row_3, head_2 + 3u, (unit0_ * 8u) + 4u, act, p, _buffer_sizes);
    key = first + (party * AT_ONCE);
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e1214 = key;
            key = _e1214 + 16u;
        }
        loop_init = false;
        uint _e156 = key;
        if (_e156 < end) {
        } else {
            break;
        }
        {
            uint _e158 = key;
            uint _e166 = p.block_len;
            uint _e169 = p.kv_heads;
            uint _e170 = slot_of(_e42, metal::min(_e158 + 0u, end - 1u), _e166, _e169, kv_head, step, _buffer_sizes);
            uint _e171 = key;
            uint _e179 = p.block_len;
            uint _e182 = p.kv_heads;
            uint _e183 = slot_of(_e42, metal::min(_e171 + 1u, end - 1u), _e179, _e182, kv_head, step, _buffer_sizes);
            uint _e184 = key;
            uint _e192 = p.block_len;
            uint _e195 = p.kv_heads;
            uint _e196 = slot_of(_e42, metal::min(_e184 + 2u, end - 1u), _e192, _e195, kv_head, step, _buffer_sizes);
            uint _e197 = key;
            uint _e205 = p.block_len;
            uint _e208 = p.kv_heads;
            uint _e209 = slot_of(_e42, metal::min(_e197 + 3u, end - 1u), _e205, _e208, kv_head, step, _buffer_sizes);
            uint _e213 = p.place.keys;
            uint _e217 = p.place.key_scales;
            Stored _e221 = stored(_e213, _e217, _e170, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e225 = p.place.keys;
            uint _e229 = p.place.key_scales;
            Stored _e233 = stored(_e225, _e229, _e183, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e237 = p.place.keys;
            uint _e241 = p.place.key_scales;
            Stored _e245 = stored(_e237, _e241, _e196, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e249 = p.place.keys;
            uint _e253 = p.place.key_scales;
            Stored _e257 = stored(_e249, _e253, _e209, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e261 = p.place.values;
            uint _e265 = p.place.value_scales;
            Stored _e269 = stored(_e261, _e265, _e170, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e273 = p.place.values;
            uint _e277 = p.place.value_scales;
            Stored _e281 = stored(_e273, _e277, _e183, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e285 = p.place.values;
            uint _e289 = p.place.value_scales;
            Stored _e293 = stored(_e285, _e289, _e196, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e297 = p.place.values;
            uint _e301 = p.place.value_scales;
            Stored _e305 = stored(_e297, _e301, _e209, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            score0_0_ = 0.0;
            score0_1_ = 0.0;
            score0_2_ = 0.0;
            score0_3_ = 0.0;
            type_7 _e314 = values_of(_e221);
            float _e315 = score0_0_;
            score0_0_ = _e315 + (metal::dot(_e314.inner[0], _e68) + metal::dot(_e314.inner[1], _e75));
            float _e322 = score0_1_;
            score0_1_ = _e322 + (metal::dot(_e314.inner[0], _e86) + metal::dot(_e314.inner[1], _e93));
            float _e329 = score0_2_;
            score0_2_ = _e329 + (metal::dot(_e314.inner[0], _e104) + metal::dot(_e314.inner[1], _e111));
            float _e336 = score0_3_;
            score0_3_ = _e336 + (metal::dot(_e314.inner[0], _e122) + metal::dot(_e314.inner[1], _e129));
            score1_0_ = 0.0;
            score1_1_ = 0.0;
            score1_2_ = 0.0;
            score1_3_ = 0.0;
            type_7 _e351 = values_of(_e233);
            float _e352 = score1_0_;
            score1_0_ = _e352 + (metal::dot(_e351.inner[0], _e68) + metal::dot(_e351.inner[1], _e75));
            float _e359 = score1_1_;
            score1_1_ = _e359 + (metal::dot(_e351.inner[0], _e86) + metal::dot(_e351.inner[1], _e93));
            float _e366 = score1_2_;
            score1_2_ = _e366 + (metal::dot(_e351.inner[0], _e104) + metal::dot(_e351.inner[1], _e111));
            float _e373 = score1_3_;
            score1_3_ = _e373 + (metal::dot(_e351.inner[0], _e122) + metal::dot(_e351.inner[1], _e129));
            score2_0_ = 0.0;
            score2_1_ = 0.0;
            score2_2_ = 0.0;
            score2_3_ = 0.0;
            type_7 _e388 = values_of(_e245);
            float _e389 = score2_0_;
            score2_0_ = _e389 + (metal::dot(_e388.inner[0], _e68) + metal::dot(_e388.inner[1], _e75));
            float _e396 = score2_1_;
            score2_1_ = _e396 + (metal::dot(_e388.inner[0], _e86) + metal::dot(_e388.inner[1], _e93));
            float _e403 = score2_2_;
            score2_2_ = _e403 + (metal::dot(_e388.inner[0], _e104) + metal::dot(_e388.inner[1], _e111));
            float _e410 = score2_3_;
            score2_3_ = _e410 + (metal::dot(_e388.inner[0], _e122) + metal::dot(_e388.inner[1], _e129));
            score3_0_ = 0.0;
            score3_1_ = 0.0;
            score3_2_ = 0.0;
            score3_3_ = 0.0;
            type_7 _e425 = values_of(_e257);
            float _e426 = score3_0_;
            score3_0_ = _e426 + (metal::dot(_e425.inner[0], _e68) + metal::dot(_e425.inner[1], _e75));
            float _e433 = score3_1_;
            score3_1_ = _e433 + (metal::dot(_e425.inner[0], _e86) + metal::dot(_e425.inner[1], _e93));
            float _e440 = score3_2_;
            score3_2_ = _e440 + (metal::dot(_e425.inner[0], _e104) + metal::dot(_e425.inner[1], _e111));
            float _e447 = score3_3_;
            score3_3_ = _e447 + (metal::dot(_e425.inner[0], _e122) + metal::dot(_e425.inner[1], _e129));
            float _e454 = score0_0_;
            float _e455 = score0_0_;
            float unnamed = metal::simd_shuffle_xor(_e455, 1u);
            score0_0_ = _e454 + unnamed;
            float _e459 = score0_1_;
            float _e460 = score0_1_;
            float unnamed_1 = metal::simd_shuffle_xor(_e460, 1u);
            score0_1_ = _e459 + unnamed_1;
            float _e464 = score0_2_;
            float _e465 = score0_2_;
            float unnamed_2 = metal::simd_shuffle_xor(_e465, 1u);
            score0_2_ = _e464 + unnamed_2;
            float _e469 = score0_3_;
            float _e470 = score0_3_;
            float unnamed_3 = metal::simd_shuffle_xor(_e470, 1u);
            score0_3_ = _e469 + unnamed_3;
            float _e474 = score1_0_;
            float _e475 = score1_0_;
            float unnamed_4 = metal::simd_shuffle_xor(_e475, 1u);
            score1_0_ = _e474 + unnamed_4;
            float _e479 = score1_1_;
            float _e480 = score1_1_;
            float unnamed_5 = metal::simd_shuffle_xor(_e480, 1u);
            score1_1_ = _e479 + unnamed_5;
            float _e484 = score1_2_;
            float _e485 = score1_2_;
            float unnamed_6 = metal::simd_shuffle_xor(_e485, 1u);
            score1_2_ = _e484 + unnamed_6;
            float _e489 = score1_3_;
            float _e490 = score1_3_;
            float unnamed_7 = metal::simd_shuffle_xor(_e490, 1u);
            score1_3_ = _e489 + unnamed_7;
            float _e494 = score2_0_;
            float _e495 = score2_0_;
            float unnamed_8 = metal::simd_shuffle_xor(_e495, 1u);
            score2_0_ = _e494 + unnamed_8;
            float _e499 = score2_1_;
            float _e500 = score2_1_;
            float unnamed_9 = metal::simd_shuffle_xor(_e500, 1u);
            score2_1_ = _e499 + unnamed_9;
            float _e504 = score2_2_;
            float _e505 = score2_2_;
            float unnamed_10 = metal::simd_shuffle_xor(_e505, 1u);
            score2_2_ = _e504 + unnamed_10;
            float _e509 = score2_3_;
            float _e510 = score2_3_;
            float unnamed_11 = metal::simd_shuffle_xor(_e510, 1u);
            score2_3_ = _e509 + unnamed_11;
            float _e514 = score3_0_;
            float _e515 = score3_0_;
            float unnamed_12 = metal::simd_shuffle_xor(_e515, 1u);
            score3_0_ = _e514 + unnamed_12;
            float _e519 = score3_1_;
            float _e520 = score3_1_;
            float unnamed_13 = metal::simd_shuffle_xor(_e520, 1u);
            score3_1_ = _e519 + unnamed_13;
            float _e524 = score3_2_;
            float _e525 = score3_2_;
            float unnamed_14 = metal::simd_shuffle_xor(_e525, 1u);
            score3_2_ = _e524 + unnamed_14;
            float _e529 = score3_3_;
            float _e530 = score3_3_;
            float unnamed_15 = metal::simd_shuffle_xor(_e530, 1u);
            score3_3_ = _e529 + unnamed_15;
            float _e534 = score0_0_;
            float _e535 = score0_0_;
            float unnamed_16 = metal::simd_shuffle_xor(_e535, 2u);
            score0_0_ = _e534 + unnamed_16;
            float _e539 = score0_1_;
            float _e540 = score0_1_;
            float unnamed_17 = metal::simd_shuffle_xor(_e540, 2u);
            score0_1_ = _e539 + unnamed_17;
            float _e544 = score0_2_;
            float _e545 = score0_2_;
            float unnamed_18 = metal::simd_shuffle_xor(_e545, 2u);
            score0_2_ = _e544 + unnamed_18;
            float _e549 = score0_3_;
            float _e550 = score0_3_;
            float unnamed_19 = metal::simd_shuffle_xor(_e550, 2u);
            score0_3_ = _e549 + unnamed_19;
            float _e554 = score1_0_;
            float _e555 = score1_0_;
            float unnamed_20 = metal::simd_shuffle_xor(_e555, 2u);
            score1_0_ = _e554 + unnamed_20;
            float _e559 = score1_1_;
            float _e560 = score1_1_;
            float unnamed_21 = metal::simd_shuffle_xor(_e560, 2u);
            score1_1_ = _e559 + unnamed_21;
            float _e564 = score1_2_;
            float _e565 = score1_2_;
            float unnamed_22 = metal::simd_shuffle_xor(_e565, 2u);
            score1_2_ = _e564 + unnamed_22;
            float _e569 = score1_3_;
            float _e570 = score1_3_;
            float unnamed_23 = metal::simd_shuffle_xor(_e570, 2u);
            score1_3_ = _e569 + unnamed_23;
            float _e574 = score2_0_;
            float _e575 = score2_0_;
            float unnamed_24 = metal::simd_shuffle_xor(_e575, 2u);
            score2_0_ = _e574 + unnamed_24;
            float _e579 = score2_1_;
            float _e580 = score2_1_;
            float unnamed_25 = metal::simd_shuffle_xor(_e580, 2u);
            score2_1_ = _e579 + unnamed_25;
            float _e584 = score2_2_;
            float _e585 = score2_2_;
            float unnamed_26 = metal::simd_shuffle_xor(_e585, 2u);
            score2_2_ = _e584 + unnamed_26;
            float _e589 = score2_3_;
            float _e590 = score2_3_;
            float unnamed_27 = metal::simd_shuffle_xor(_e590, 2u);
            score2_3_ = _e589 + unnamed_27;
            float _e594 = score3_0_;
            float _e595 = score3_0_;
            float unnamed_28 = metal::simd_shuffle_xor(_e595, 2u);
            score3_0_ = _e594 + unnamed_28;
            float _e599 = score3_1_;
            float _e600 = score3_1_;
            float unnamed_29 = metal::simd_shuffle_xor(_e600, 2u);
            score3_1_ = _e599 + unnamed_29;
            float _e604 = score3_2_;
            float _e605 = score3_2_;
            float unnamed_30 = metal::simd_shuffle_xor(_e605, 2u);
            score3_2_ = _e604 + unnamed_30;
            float _e609 = score3_3_;
            float _e610 = score3_3_;
            float unnamed_31 = metal::simd_shuffle_xor(_e610, 2u);
            score3_3_ = _e609 + unnamed_31;
            float _e614 = score0_0_;
            float _e615 = score0_0_;
            float unnamed_32 = metal::simd_shuffle_xor(_e615, 4u);
            score0_0_ = _e614 + unnamed_32;
            float _e619 = score0_1_;
            float _e620 = score0_1_;
            float unnamed_33 = metal::simd_shuffle_xor(_e620, 4u);
            score0_1_ = _e619 + unnamed_33;
            float _e624 = score0_2_;
            float _e625 = score0_2_;
            float unnamed_34 = metal::simd_shuffle_xor(_e625, 4u);
            score0_2_ = _e624 + unnamed_34;
            float _e629 = score0_3_;
            float _e630 = score0_3_;
            float unnamed_35 = metal::simd_shuffle_xor(_e630, 4u);
            score0_3_ = _e629 + unnamed_35;
            float _e634 = score1_0_;
            float _e635 = score1_0_;
            float unnamed_36 = metal::simd_shuffle_xor(_e635, 4u);
            score1_0_ = _e634 + unnamed_36;
            float _e639 = score1_1_;
            float _e640 = score1_1_;
            float unnamed_37 = metal::simd_shuffle_xor(_e640, 4u);
            score1_1_ = _e639 + unnamed_37;
            float _e644 = score1_2_;
            float _e645 = score1_2_;
            float unnamed_38 = metal::simd_shuffle_xor(_e645, 4u);
            score1_2_ = _e644 + unnamed_38;
            float _e649 = score1_3_;
            float _e650 = score1_3_;
            float unnamed_39 = metal::simd_shuffle_xor(_e650, 4u);
            score1_3_ = _e649 + unnamed_39;
            float _e654 = score2_0_;
            float _e655 = score2_0_;
            float unnamed_40 = metal::simd_shuffle_xor(_e655, 4u);
            score2_0_ = _e654 + unnamed_40;
            float _e659 = score2_1_;
            float _e660 = score2_1_;
            float unnamed_41 = metal::simd_shuffle_xor(_e660, 4u);
            score2_1_ = _e659 + unnamed_41;
            float _e664 = score2_2_;
            float _e665 = score2_2_;
            float unnamed_42 = metal::simd_shuffle_xor(_e665, 4u);
            score2_2_ = _e664 + unnamed_42;
            float _e669 = score2_3_;
            float _e670 = score2_3_;
            float unnamed_43 = metal::simd_shuffle_xor(_e670, 4u);
            score2_3_ = _e669 + unnamed_43;
            float _e674 = score3_0_;
            float _e675 = score3_0_;
            float unnamed_44 = metal::simd_shuffle_xor(_e675, 4u);
            score3_0_ = _e674 + unnamed_44;
            float _e679 = score3_1_;
            float _e680 = score3_1_;
            float unnamed_45 = metal::simd_shuffle_xor(_e680, 4u);
            score3_1_ = _e679 + unnamed_45;
            float _e684 = score3_2_;
            float _e685 = score3_2_;
            float unnamed_46 = metal::simd_shuffle_xor(_e685, 4u);
            score3_2_ = _e684 + unnamed_46;
            float _e689 = score3_3_;
            float _e690 = score3_3_;
            float unnamed_47 = metal::simd_shuffle_xor(_e690, 4u);
            score3_3_ = _e689 + unnamed_47;
            float _e694 = score0_0_;
            float _e695 = score0_0_;
            float unnamed_48 = metal::simd_shuffle_xor(_e695, 8u);
            score0_0_ = _e694 + unnamed_48;
            float _e699 = score0_1_;
            float _e700 = score0_1_;
            float unnamed_49 = metal::simd_shuffle_xor(_e700, 8u);
            score0_1_ = _e699 + unnamed_49;
            float _e704 = score0_2_;
            float _e705 = score0_2_;
            float unnamed_50 = metal::simd_shuffle_xor(_e705, 8u);
            score0_2_ = _e704 + unnamed_50;
            float _e709 = score0_3_;
            float _e710 = score0_3_;
            float unnamed_51 = metal::simd_shuffle_xor(_e710, 8u);
            score0_3_ = _e709 + unnamed_51;
            float _e714 = score1_0_;
            float _e715 = score1_0_;
            float unnamed_52 = metal::simd_shuffle_xor(_e715, 8u);
            score1_0_ = _e714 + unnamed_52;
            float _e719 = score1_1_;
            float _e720 = score1_1_;
            float unnamed_53 = metal::simd_shuffle_xor(_e720, 8u);
            score1_1_ = _e719 + unnamed_53;
            float _e724 = score1_2_;
            float _e725 = score1_2_;
            float unnamed_54 = metal::simd_shuffle_xor(_e725, 8u);
            score1_2_ = _e724 + unnamed_54;
            float _e729 = score1_3_;
            float _e730 = score1_3_;
            float unnamed_55 = metal::simd_shuffle_xor(_e730, 8u);
            score1_3_ = _e729 + unnamed_55;
            float _e734 = score2_0_;
            float _e735 = score2_0_;
            float unnamed_56 = metal::simd_shuffle_xor(_e735, 8u);
            score2_0_ = _e734 + unnamed_56;
            float _e739 = score2_1_;
            float _e740 = score2_1_;
            float unnamed_57 = metal::simd_shuffle_xor(_e740, 8u);
            score2_1_ = _e739 + unnamed_57;
            float _e744 = score2_2_;
            float _e745 = score2_2_;
            float unnamed_58 = metal::simd_shuffle_xor(_e745, 8u);
            score2_2_ = _e744 + unnamed_58;
            float _e749 = score2_3_;
            float _e750 = score2_3_;
            float unnamed_59 = metal::simd_shuffle_xor(_e750, 8u);
            score2_3_ = _e749 + unnamed_59;
            float _e754 = score3_0_;
            float _e755 = score3_0_;
            float unnamed_60 = metal::simd_shuffle_xor(_e755, 8u);
            score3_0_ = _e754 + unnamed_60;
            float _e759 = score3_1_;
            float _e760 = score3_1_;
            float unnamed_61 = metal::simd_shuffle_xor(_e760, 8u);
            score3_1_ = _e759 + unnamed_61;
            float _e764 = score3_2_;
            float _e765 = score3_2_;
            float unnamed_62 = metal::simd_shuffle_xor(_e765, 8u);
            score3_2_ = _e764 + unnamed_62;
            float _e769 = score3_3_;
            float _e770 = score3_3_;
            float unnamed_63 = metal::simd_shuffle_xor(_e770, 8u);
            score3_3_ = _e769 + unnamed_63;
            float _e774 = largest0_;
            next0_ = _e774;
            float _e776 = score0_0_;
            uint _e777 = key;
            score0_0_ = ((_e777 + 0u) < end) ? _e776 : -1000000000000000000000000000000.0;
            float _e783 = next0_;
            float _e784 = score0_0_;
            next0_ = metal::max(_e783, _e784);
            float _e786 = score1_0_;
            uint _e787 = key;
            score1_0_ = ((_e787 + 1u) < end) ? _e786 : -1000000000000000000000000000000.0;
            float _e793 = next0_;
            float _e794 = score1_0_;
            next0_ = metal::max(_e793, _e794);
            float _e796 = score2_0_;
            uint _e797 = key;
            score2_0_ = ((_e797 + 2u) < end) ? _e796 : -1000000000000000000000000000000.0;
            float _e803 = next0_;
            float _e804 = score2_0_;
            next0_ = metal::max(_e803, _e804);
            float _e806 = score3_0_;
            uint _e807 = key;
            score3_0_ = ((_e807 + 3u) < end) ? _e806 : -1000000000000000000000000000000.0;
            float _e813 = next0_;
            float _e814 = score3_0_;
            next0_ = metal::max(_e813, _e814);
            float _e816 = largest0_;
            float _e817 = next0_;
            float shrink0_ = metal::exp(_e816 - _e817);
            float _e820 = next0_;
            largest0_ = _e820;
            float _e821 = total0_;
            total0_ = _e821 * shrink0_;
            metal::float4 _e823 = a0_0_;
            a0_0_ = _e823 * shrink0_;
            metal::float4 _e825 = b0_0_;
            b0_0_ = _e825 * shrink0_;
            float _e827 = largest1_;
            next1_ = _e827;
            float _e829 = score0_1_;
            uint _e830 = key;
            score0_1_ = ((_e830 + 0u) < end) ? _e829 : -1000000000000000000000000000000.0;
            float _e836 = next1_;
            float _e837 = score0_1_;
            next1_ = metal::max(_e836, _e837);
            float _e839 = score1_1_;
            uint _e840 = key;
            score1_1_ = ((_e840 + 1u) < end) ? _e839 : -1000000000000000000000000000000.0;
            float _e846 = next1_;
            float _e847 = score1_1_;
            next1_ = metal::max(_e846, _e847);
            float _e849 = score2_1_;
            uint _e850 = key;
            score2_1_ = ((_e850 + 2u) < end) ? _e849 : -1000000000000000000000000000000.0;
            float _e856 = next1_;
            float _e857 = score2_1_;
            next1_ = metal::max(_e856, _e857);
            float _e859 = score3_1_;
            uint _e860 = key;
            score3_1_ = ((_e860 + 3u) < end) ? _e859 : -1000000000000000000000000000000.0;
            float _e866 = next1_;
            float _e867 = score3_1_;
            next1_ = metal::max(_e866, _e867);
            float _e869 = largest1_;
            float _e870 = next1_;
            float shrink1_ = metal::exp(_e869 - _e870);
            float _e873 = next1_;
            largest1_ = _e873;
            float _e874 = total1_;
            total1_ = _e874 * shrink1_;
            metal::float4 _e876 = a1_0_;
            a1_0_ = _e876 * shrink1_;
            metal::float4 _e878 = b1_0_;
            b1_0_ = _e878 * shrink1_;
            float _e880 = largest2_;
            next2_ = _e880;
            float _e882 = score0_2_;
            uint _e883 = key;
            score0_2_ = ((_e883 + 0u) < end) ? _e882 : -1000000000000000000000000000000.0;
            float _e889 = next2_;
            float _e890 = score0_2_;
            next2_ = metal::max(_e889, _e890);
            float _e892 = score1_2_;
            uint _e893 = key;
            score1_2_ = ((_e893 + 1u) < end) ? _e892 : -1000000000000000000000000000000.0;
            float _e899 = next2_;
            float _e900 = score1_2_;
            next2_ = metal::max(_e899, _e900);
            float _e902 = score2_2_;
            uint _e903 = key;
            score2_2_ = ((_e903 + 2u) < end) ? _e902 : -1000000000000000000000000000000.0;
            float _e909 = next2_;
            float _e910 = score2_2_;
            next2_ = metal::max(_e909, _e910);
            float _e912 = score3_2_;
            uint _e913 = key;
            score3_2_ = ((_e913 + 3u) < end) ? _e912 : -1000000000000000000000000000000.0;
            float _e919 = next2_;
            float _e920 = score3_2_;
            next2_ = metal::max(_e919, _e920);
            float _e922 = largest2_;
            float _e923 = next2_;
            float shrink2_ = metal::exp(_e922 - _e923);
            float _e926 = next2_;
            largest2_ = _e926;
            float _e927 = total2_;
            total2_ = _e927 * shrink2_;
            metal::float4 _e929 = a2_0_;
            a2_0_ = _e929 * shrink2_;
            metal::float4 _e931 = b2_0_;
            b2_0_ = _e931 * shrink2_;
            float _e933 = largest3_;
            next3_ = _e933;
            float _e935 = score0_3_;
            uint _e936 = key;
            score0_3_ = ((_e936 + 0u) < end) ? _e935 : -1000000000000000000000000000000.0;
            float _e942 = next3_;
            float _e943 = score0_3_;
            next3_ = metal::max(_e942, _e943);
            float _e945 = score1_3_;
            uint _e946 = key;
            score1_3_ = ((_e946 + 1u) < end) ? _e945 : -1000000000000000000000000000000.0;
            float _e952 = next3_;
            float _e953 = score1_3_;
            next3_ = metal::max(_e952, _e953);
            float _e955 = score2_3_;
            uint _e956 = key;
            score2_3_ = ((_e956 + 2u) < end) ? _e955 : -1000000000000000000000000000000.0;
            float _e962 = next3_;
            float _e963 = score2_3_;
            next3_ = metal::max(_e962, _e963);
            float _e965 = score3_3_;
            uint _e966 = key;
            score3_3_ = ((_e966 + 3u) < end) ? _e965 : -1000000000000000000000000000000.0;
            float _e972 = next3_;
            float _e973 = score3_3_;
            next3_ = metal::max(_e972, _e973);
            float _e975 = largest3_;
            float _e976 = next3_;
            float shrink3_ = metal::exp(_e975 - _e976);
            float _e979 = next3_;
            largest3_ = _e979;
            float _e980 = total3_;
            total3_ = _e980 * shrink3_;
            metal::float4 _e982 = a3_0_;
            a3_0_ = _e982 * shrink3_;
            metal::float4 _e984 = b3_0_;
            b3_0_ = _e984 * shrink3_;
            float _e986 = score0_0_;
            float _e987 = largest0_;
            float weight0_0_ = metal::exp(_e986 - _e987);
            float _e990 = total0_;
            total0_ = _e990 + weight0_0_;
            float _e992 = score0_1_;
            float _e993 = largest1_;
            float weight0_1_ = metal::exp(_e992 - _e993);
            float _e996 = total1_;
            total1_ = _e996 + weight0_1_;
            float _e998 = score0_2_;
            float _e999 = largest2_;
            float weight0_2_ = metal::exp(_e998 - _e999);
            float _e1002 = total2_;
            total2_ = _e1002 + weight0_2_;
            float _e1004 = score0_3_;
            float _e1005 = largest3_;
            float weight0_3_ = metal::exp(_e1004 - _e1005);
            float _e1008 = total3_;
            total3_ = _e1008 + weight0_3_;
            type_7 _e1010 = values_of(_e269);
            metal::float4 _e1011 = a0_0_;
            a0_0_ = _e1011 + (weight0_0_ * _e1010.inner[0]);
            metal::float4 _e1015 = b0_0_;
            b0_0_ = _e1015 + (weight0_0_ * _e1010.inner[1]);
            metal::float4 _e1019 = a1_0_;
            a1_0_ = _e1019 + (weight0_1_ * _e1010.inner[0]);
            metal::float4 _e1023 = b1_0_;
            b1_0_ = _e1023 + (weight0_1_ * _e1010.inner[1]);
            metal::float4 _e1027 = a2_0_;
            a2_0_ = _e1027 + (weight0_2_ * _e1010.inner[0]);
            metal::float4 _e1031 = b2_0_;
            b2_0_ = _e1031 + (weight0_2_ * _e1010.inner[1]);
            metal::float4 _e1035 = a3_0_;
            a3_0_ = _e1035 + (weight0_3_ * _e1010.inner[0]);
            metal::float4 _e1039 = b3_0_;
            b3_0_ = _e1039 + (weight0_3_ * _e1010.inner[1]);
            float _e1043 = score1_0_;
            float _e1044 = largest0_;
            float weight1_0_ = metal::exp(_e1043 - _e1044);
            float _e1047 = total0_;
            total0_ = _e1047 + weight1_0_;
            float _e1049 = score1_1_;
            float _e1050 = largest1_;
            float weight1_1_ = metal::exp(_e1049 - _e1050);
            float _e1053 = total1_;
            total1_ = _e1053 + weight1_1_;
            float _e1055 = score1_2_;
            float _e1056 = largest2_;
            float weight1_2_ = metal::exp(_e1055 - _e1056);
            float _e1059 = total2_;
            total2_ = _e1059 + weight1_2_;
            float _e1061 = score1_3_;
            float _e1062 = largest3_;
            float weight1_3_ = metal::exp(_e1061 - _e1062);
            float _e1065 = total3_;
            total3_ = _e1065 + weight1_3_;
            type_7 _e1067 = values_of(_e281);
            metal::float4 _e1068 = a0_0_;
            a0_0_ = _e1068 + (weight1_0_ * _e1067.inner[0]);
            metal::float4 _e1072 = b0_0_;
            b0_0_ = _e1072 + (weight1_0_ * _e1067.inner[1]);
            metal::float4 _e1076 = a1_0_;
            a1_0_ = _e1076 + (weight1_1_ * _e1067.inner[0]);
            metal::float4 _e1080 = b1_0_;
            b1_0_ = _e1080 + (weight1_1_ * _e1067.inner[1]);
            metal::float4 _e1084 = a2_0_;
            a2_0_ = _e1084 + (weight1_2_ * _e1067.inner[0]);
            metal::float4 _e1088 = b2_0_;
            b2_0_ = _e1088 + (weight1_2_ * _e1067.inner[1]);
            metal::float4 _e1092 = a3_0_;
            a3_0_ = _e1092 + (weight1_3_ * _e1067.inner[0]);
            metal::float4 _e1096 = b3_0_;
            b3_0_ = _e1096 + (weight1_3_ * _e1067.inner[1]);
            float _e1100 = score2_0_;
            float _e1101 = largest0_;
            float weight2_0_ = metal::exp(_e1100 - _e1101);
            float _e1104 = total0_;
            total0_ = _e1104 + weight2_0_;
            float _e1106 = score2_1_;
            float _e1107 = largest1_;
            float weight2_1_ = metal::exp(_e1106 - _e1107);
            float _e1110 = total1_;
            total1_ = _e1110 + weight2_1_;
            float _e1112 = score2_2_;
            float _e1113 = largest2_;
            float weight2_2_ = metal::exp(_e1112 - _e1113);
            float _e1116 = total2_;
            total2_ = _e1116 + weight2_2_;
            float _e1118 = score2_3_;
            float _e1119 = largest3_;
            float weight2_3_ = metal::exp(_e1118 - _e1119);
            float _e1122 = total3_;
            total3_ = _e1122 + weight2_3_;
            type_7 _e1124 = values_of(_e293);
            metal::float4 _e1125 = a0_0_;
            a0_0_ = _e1125 + (weight2_0_ * _e1124.inner[0]);
            metal::float4 _e1129 = b0_0_;
            b0_0_ = _e1129 + (weight2_0_ * _e1124.inner[1]);
            metal::float4 _e1133 = a1_0_;
            a1_0_ = _e1133 + (weight2_1_ * _e1124.inner[0]);
            metal::float4 _e1137 = b1_0_;
            b1_0_ = _e1137 + (weight2_1_ * _e1124.inner[1]);
            metal::float4 _e1141 = a2_0_;
            a2_0_ = _e1141 + (weight2_2_ * _e1124.inner[0]);
            metal::float4 _e1145 = b2_0_;
            b2_0_ = _e1145 + (weight2_2_ * _e1124.inner[1]);
            metal::float4 _e1149 = a3_0_;
            a3_0_ = _e1149 + (weight2_3_ * _e1124.inner[0]);
            metal::float4 _e1153 = b3_0_;
            b3_0_ = _e1153 + (weight2_3_ * _e1124.inner[1]);
            float _e1157 = score3_0_;
            float _e1158 = largest0_;
            float weight3_0_ = metal::exp(_e1157 - _e1158);
            float _e1161 = total0_;
            total0_ = _e1161 + weight3_0_;
            float _e1163 = score3_1_;
            float _e1164 = largest1_;
            float weight3_1_ = metal::exp(_e1163 - _e1164);
            float _e1167 = total1_;
            total1_ = _e1167 + weight3_1_;
            float _e1169 = score3_2_;
            float _e1170 = largest2_;
            float weight3_2_ = metal::exp(_e1169 - _e1170);
            float _e1173 = total2_;
            total2_ = _e1173 + weight3_2_;
            float _e1175 = score3_3_;
            float _e1176 = largest3_;
            float weight3_3_ = metal::exp(_e1175 - _e1176);
            float _e1179 = total3_;
            total3_ = _e1179 + weight3_3_;
            type_7 _e1181 = values_of(_e305);
            metal::float4 _e1182 = a0_0_;
            a0_0_ = _e1182 + (weight3_0_ * _e1181.inner[0]);
            metal::float4 _e1186 = b0_0_;
            b0_0_ = _e1186 + (weight3_0_ * _e1181.inner[1]);
            metal::float4 _e1190 = a1_0_;
            a1_0_ = _e1190 + (weight3_1_ * _e1181.inner[0]);
            metal::float4 _e1194 = b1_0_;
            b1_0_ = _e1194 + (weight3_1_ * _e1181.inner[1]);
            metal::float4 _e1198 = a2_0_;
            a2_0_ = _e1198 + (weight3_2_ * _e1181.inner[0]);
            metal::float4 _e1202 = b2_0_;
            b2_0_ = _e1202 + (weight3_2_ * _e1181.inner[1]);
            metal::float4 _e1206 = a3_0_;
            a3_0_ = _e1206 + (weight3_3_ * _e1181.inner[0]);
            metal::float4 _e1210 = b3_0_;
            b3_0_ = _e1210 + (weight3_3_ * _e1181.inner[1]);
        }
    }
    if (naga_mod(me, LANES) == 0u) {
        float _e1227 = largest0_;
        most.inner[(party * G) + 0u] = _e1227;
        float _e1234 = total0_;
        totals.inner[(party * G) + 0u] = _e1234;
    }
    metal::float4 _e1246 = a0_0_;
    gathered.inner[(((party * G) + 0u) * FOURS) + (unit0_ * 2u)] = _e1246;
    metal::float4 _e1260 = b0_0_;
    gathered.inner[((((party * G) + 0u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1260;
    if (naga_mod(me, LANES) == 0u) {
        float _e1271 = largest1_;
        most.inner[(party * G) + 1u] = _e1271;
        float _e1278 = total1_;
        totals.inner[(party * G) + 1u] = _e1278;
    }
    metal::float4 _e1290 = a1_0_;
    gathered.inner[(((party * G) + 1u) * FOURS) + (unit0_ * 2u)] = _e1290;
    metal::float4 _e1304 = b1_0_;
    gathered.inner[((((party * G) + 1u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1304;
    if (naga_mod(me, LANES) == 0u) {
        float _e1315 = largest2_;
        most.inner[(party * G) + 2u] = _e1315;
        float _e1322 = total2_;
        totals.inner[(party * G) + 2u] = _e1322;
    }
    metal::float4 _e1334 = a2_0_;
    gathered.inner[(((party * G) + 2u) * FOURS) + (unit0_ * 2u)] = _e1334;
    metal::float4 _e1348 = b2_0_;
    gathered.inner[((((party * G) + 2u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1348;
    if (naga_mod(me, LANES) == 0u) {
        float _e1359 = largest3_;
        most.inner[(party * G) + 3u] = _e1359;
        float _e1366 = total3_;
        totals.inner[(party * G) + 3u] = _e1366;
    }
    metal::float4 _e1378 = a3_0_;
    gathered.inner[(((party * G) + 3u) * FOURS) + (unit0_ * 2u)] = _e1378;
    metal::float4 _e1392 = b3_0_;
    gathered.inner[((((party * G) + 3u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1392;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i = me;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1525 = i;
            i = _e1525 + WG;
        }
        loop_init_1 = false;
        uint _e1394 = i;
        if (_e1394 < ((heads_1 * UNITS_ALL) * 2u)) {
        } else {
            break;
        }
        {
            uint _e1400 = i;
            uint g_2 = naga_div(_e1400, 32u);
            uint _e1403 = i;
            uint four = naga_mod(_e1403, 32u);
            top = -1000000000000000000000000000000.0;
            s = 0u;
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e1423 = s;
                    s = _e1423 + 1u;
                }
                loop_init_2 = false;
                uint _e1410 = s;
                if (_e1410 < PARTIES) {
                } else {
                    break;
                }
                {
                    float _e1413 = top;
                    uint _e1415 = s;
                    float _e1420 = most.inner[(_e1415 * G) + g_2];
                    top = metal::max(_e1413, _e1420);
                }
            }
            total = 0.0;
            y = metal::float4(0.0);
            s_1 = 0u;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e1469 = s_1;
                    s_1 = _e1469 + 1u;
                }
                loop_init_3 = false;
                uint _e1432 = s_1;
                if (_e1432 < PARTIES) {
                } else {
                    break;
                }
                {
                    uint _e1436 = s_1;
                    float _e1441 = most.inner[(_e1436 * G) + g_2];
                    float _e1442 = top;
                    float w_2 = metal::exp(_e1441 - _e1442);
                    float _e1445 = total;
                    uint _e1447 = s_1;
                    float _e1452 = totals.inner[(_e1447 * G) + g_2];
                    total = _e1445 + (w_2 * _e1452);
                    metal::float4 _e1455 = y;
                    uint _e1457 = s_1;
                    metal::float4 _e1465 = gathered.inner[(((_e1457 * G) + g_2) * FOURS) + four];
                    y = _e1455 + (w_2 * _e1465);
                }
            }
            uint _e1473 = p.parts;
            uint _e1476 = p.heads;
            uint _e1482 = step[3];
            uint to = _e1473 + ((((((row_3 * _e1476) + head_2) + g_2) * _e1482) + split) * 130u);
            if (four == 0u) {
                float _e1492 = top;
                act[to] = _e1492;
                float _e1497 = total;
                act[to + 1u] = _e1497;
            }
            uint at_2 = (to + 2u) + (four * 4u);
            float _e1506 = y.x;
            act[at_2] = _e1506;
            float _e1512 = y.y;
            act[at_2 + 1u] = _e1512;
            float _e1518 = y.z;
            act[at_2 + 2u] = _e1518;
            float _e1524 = y.w;
            act[at_2 + 3u] = _e1524;
        }
    }
    return;
}
