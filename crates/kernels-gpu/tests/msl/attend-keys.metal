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
            float g_1 = metal::min(gate, 7.0);
            return (g_1 / (1.0 + metal::exp(-1.702 * g_1))) * (metal::clamp(up, -7.0, 7.0) + 1.0);
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
            float g_2 = metal::min(gate, limit_1);
            return (g_2 / (1.0 + metal::exp(-(g_2)))) * metal::clamp(up, -(limit_1), limit_1);
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
    uint g,
    uint d,
    device type_8 const& act,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 at_1 = metal::min(metal::uint4(d) + metal::uint4(0u, 1u, 2u, 3u), metal::uint4(127u));
    uint _e16 = p.q;
    uint _e21 = p.heads;
    uint _e26 = p.heads;
    metal::uint4 all = (at_1 + metal::uint4(_e16)) + metal::uint4(((row_2 * _e21) + metal::min(head_1 + g, _e26 - 1u)) * KEY_DIM);
    float _e38 = act[all.x];
    float _e42 = act[all.y];
    float _e46 = act[all.z];
    float _e50 = act[all.w];
    metal::float4 values = metal::float4(_e38, _e42, _e46, _e50);
    float _e65 = p.scale;
    return metal::select(metal::float4(0.0), values, at_1 == (metal::uint4(d) + metal::uint4(0u, 1u, 2u, 3u))) * _e65;
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
    uint _e9 = p.heads;
    uint _e12 = p.kv_heads;
    uint shared_by = naga_div(_e9, _e12);
    uint chunks = naga_div((shared_by + G) - 1u, G);
    uint kv_head = naga_div(group.x, chunks);
    uint head_2 = (kv_head * shared_by) + (naga_mod(group.x, chunks) * G);
    uint heads_1 = metal::min(G, shared_by - (naga_mod(group.x, chunks) * G));
    uint _e38 = step[5];
    uint position_2 = step[_e38 + row_3];
    uint _e44 = p.windowed;
    uint _e45 = table_of(row_3, _e44, step, _buffer_sizes);
    uint _e48 = p.window;
    uint _e49 = seen_from(position_2, _e48);
    uint _e52 = step[2];
    uint first = _e49 + (split * _e52);
    uint _e55 = seen_to(row_3, step, _buffer_sizes);
    uint _e58 = step[2];
    uint end = metal::min(_e55, first + _e58);
    uint party = naga_div(me, LANES);
    uint unit0_ = 0u + naga_mod(me, LANES);
    metal::float4 _e70 = queried(row_3, head_2, 0u, unit0_ * 8u, act, p, _buffer_sizes);
    metal::float4 _e76 = queried(row_3, head_2, 0u, (unit0_ * 8u) + 4u, act, p, _buffer_sizes);
    metal::float4 _e86 = queried(row_3, head_2, 1u, unit0_ * 8u, act, p, _buffer_sizes);
    metal::float4 _e92 = queried(row_3, head_2, 1u, (unit0_ * 8u) + 4u, act, p, _buffer_sizes);
    metal::float4 _e102 = queried(row_3, head_2, 2u, unit0_ * 8u, act, p, _buffer_sizes);
    metal::float4 _e108 = queried(row_3, head_2, 2u, (unit0_ * 8u) + 4u, act, p, _buffer_sizes);
    metal::float4 _e118 = queried(row_3, head_2, 3u, unit0_ * 8u, act, p, _buffer_sizes);
    metal::float4 _e124 = queried(row_3, head_2, 3u, (unit0_ * 8u) + 4u, act, p, _buffer_sizes);
    key = first + (party * AT_ONCE);
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e1209 = key;
            key = _e1209 + 16u;
        }
        loop_init = false;
        uint _e151 = key;
        if (_e151 < end) {
        } else {
            break;
        }
        {
            uint _e153 = key;
            uint _e161 = p.block_len;
            uint _e164 = p.kv_heads;
            uint _e165 = slot_of(_e45, metal::min(_e153 + 0u, end - 1u), _e161, _e164, kv_head, step, _buffer_sizes);
            uint _e166 = key;
            uint _e174 = p.block_len;
            uint _e177 = p.kv_heads;
            uint _e178 = slot_of(_e45, metal::min(_e166 + 1u, end - 1u), _e174, _e177, kv_head, step, _buffer_sizes);
            uint _e179 = key;
            uint _e187 = p.block_len;
            uint _e190 = p.kv_heads;
            uint _e191 = slot_of(_e45, metal::min(_e179 + 2u, end - 1u), _e187, _e190, kv_head, step, _buffer_sizes);
            uint _e192 = key;
            uint _e200 = p.block_len;
            uint _e203 = p.kv_heads;
            uint _e204 = slot_of(_e45, metal::min(_e192 + 3u, end - 1u), _e200, _e203, kv_head, step, _buffer_sizes);
            uint _e208 = p.place.keys;
            uint _e212 = p.place.key_scales;
            Stored _e216 = stored(_e208, _e212, _e165, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e220 = p.place.keys;
            uint _e224 = p.place.key_scales;
            Stored _e228 = stored(_e220, _e224, _e178, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e232 = p.place.keys;
            uint _e236 = p.place.key_scales;
            Stored _e240 = stored(_e232, _e236, _e191, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e244 = p.place.keys;
            uint _e248 = p.place.key_scales;
            Stored _e252 = stored(_e244, _e248, _e204, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e256 = p.place.values;
            uint _e260 = p.place.value_scales;
            Stored _e264 = stored(_e256, _e260, _e165, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e268 = p.place.values;
            uint _e272 = p.place.value_scales;
            Stored _e276 = stored(_e268, _e272, _e178, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e280 = p.place.values;
            uint _e284 = p.place.value_scales;
            Stored _e288 = stored(_e280, _e284, _e191, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e292 = p.place.values;
            uint _e296 = p.place.value_scales;
            Stored _e300 = stored(_e292, _e296, _e204, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            score0_0_ = 0.0;
            score0_1_ = 0.0;
            score0_2_ = 0.0;
            score0_3_ = 0.0;
            type_7 _e309 = values_of(_e216);
            float _e310 = score0_0_;
            score0_0_ = _e310 + (metal::dot(_e309.inner[0], _e70) + metal::dot(_e309.inner[1], _e76));
            float _e317 = score0_1_;
            score0_1_ = _e317 + (metal::dot(_e309.inner[0], _e86) + metal::dot(_e309.inner[1], _e92));
            float _e324 = score0_2_;
            score0_2_ = _e324 + (metal::dot(_e309.inner[0], _e102) + metal::dot(_e309.inner[1], _e108));
            float _e331 = score0_3_;
            score0_3_ = _e331 + (metal::dot(_e309.inner[0], _e118) + metal::dot(_e309.inner[1], _e124));
            score1_0_ = 0.0;
            score1_1_ = 0.0;
            score1_2_ = 0.0;
            score1_3_ = 0.0;
            type_7 _e346 = values_of(_e228);
            float _e347 = score1_0_;
            score1_0_ = _e347 + (metal::dot(_e346.inner[0], _e70) + metal::dot(_e346.inner[1], _e76));
            float _e354 = score1_1_;
            score1_1_ = _e354 + (metal::dot(_e346.inner[0], _e86) + metal::dot(_e346.inner[1], _e92));
            float _e361 = score1_2_;
            score1_2_ = _e361 + (metal::dot(_e346.inner[0], _e102) + metal::dot(_e346.inner[1], _e108));
            float _e368 = score1_3_;
            score1_3_ = _e368 + (metal::dot(_e346.inner[0], _e118) + metal::dot(_e346.inner[1], _e124));
            score2_0_ = 0.0;
            score2_1_ = 0.0;
            score2_2_ = 0.0;
            score2_3_ = 0.0;
            type_7 _e383 = values_of(_e240);
            float _e384 = score2_0_;
            score2_0_ = _e384 + (metal::dot(_e383.inner[0], _e70) + metal::dot(_e383.inner[1], _e76));
            float _e391 = score2_1_;
            score2_1_ = _e391 + (metal::dot(_e383.inner[0], _e86) + metal::dot(_e383.inner[1], _e92));
            float _e398 = score2_2_;
            score2_2_ = _e398 + (metal::dot(_e383.inner[0], _e102) + metal::dot(_e383.inner[1], _e108));
            float _e405 = score2_3_;
            score2_3_ = _e405 + (metal::dot(_e383.inner[0], _e118) + metal::dot(_e383.inner[1], _e124));
            score3_0_ = 0.0;
            score3_1_ = 0.0;
            score3_2_ = 0.0;
            score3_3_ = 0.0;
            type_7 _e420 = values_of(_e252);
            float _e421 = score3_0_;
            score3_0_ = _e421 + (metal::dot(_e420.inner[0], _e70) + metal::dot(_e420.inner[1], _e76));
            float _e428 = score3_1_;
            score3_1_ = _e428 + (metal::dot(_e420.inner[0], _e86) + metal::dot(_e420.inner[1], _e92));
            float _e435 = score3_2_;
            score3_2_ = _e435 + (metal::dot(_e420.inner[0], _e102) + metal::dot(_e420.inner[1], _e108));
            float _e442 = score3_3_;
            score3_3_ = _e442 + (metal::dot(_e420.inner[0], _e118) + metal::dot(_e420.inner[1], _e124));
            float _e449 = score0_0_;
            float _e450 = score0_0_;
            float unnamed = metal::simd_shuffle_xor(_e450, 1u);
            score0_0_ = _e449 + unnamed;
            float _e454 = score0_1_;
            float _e455 = score0_1_;
            float unnamed_1 = metal::simd_shuffle_xor(_e455, 1u);
            score0_1_ = _e454 + unnamed_1;
            float _e459 = score0_2_;
            float _e460 = score0_2_;
            float unnamed_2 = metal::simd_shuffle_xor(_e460, 1u);
            score0_2_ = _e459 + unnamed_2;
            float _e464 = score0_3_;
            float _e465 = score0_3_;
            float unnamed_3 = metal::simd_shuffle_xor(_e465, 1u);
            score0_3_ = _e464 + unnamed_3;
            float _e469 = score1_0_;
            float _e470 = score1_0_;
            float unnamed_4 = metal::simd_shuffle_xor(_e470, 1u);
            score1_0_ = _e469 + unnamed_4;
            float _e474 = score1_1_;
            float _e475 = score1_1_;
            float unnamed_5 = metal::simd_shuffle_xor(_e475, 1u);
            score1_1_ = _e474 + unnamed_5;
            float _e479 = score1_2_;
            float _e480 = score1_2_;
            float unnamed_6 = metal::simd_shuffle_xor(_e480, 1u);
            score1_2_ = _e479 + unnamed_6;
            float _e484 = score1_3_;
            float _e485 = score1_3_;
            float unnamed_7 = metal::simd_shuffle_xor(_e485, 1u);
            score1_3_ = _e484 + unnamed_7;
            float _e489 = score2_0_;
            float _e490 = score2_0_;
            float unnamed_8 = metal::simd_shuffle_xor(_e490, 1u);
            score2_0_ = _e489 + unnamed_8;
            float _e494 = score2_1_;
            float _e495 = score2_1_;
            float unnamed_9 = metal::simd_shuffle_xor(_e495, 1u);
            score2_1_ = _e494 + unnamed_9;
            float _e499 = score2_2_;
            float _e500 = score2_2_;
            float unnamed_10 = metal::simd_shuffle_xor(_e500, 1u);
            score2_2_ = _e499 + unnamed_10;
            float _e504 = score2_3_;
            float _e505 = score2_3_;
            float unnamed_11 = metal::simd_shuffle_xor(_e505, 1u);
            score2_3_ = _e504 + unnamed_11;
            float _e509 = score3_0_;
            float _e510 = score3_0_;
            float unnamed_12 = metal::simd_shuffle_xor(_e510, 1u);
            score3_0_ = _e509 + unnamed_12;
            float _e514 = score3_1_;
            float _e515 = score3_1_;
            float unnamed_13 = metal::simd_shuffle_xor(_e515, 1u);
            score3_1_ = _e514 + unnamed_13;
            float _e519 = score3_2_;
            float _e520 = score3_2_;
            float unnamed_14 = metal::simd_shuffle_xor(_e520, 1u);
            score3_2_ = _e519 + unnamed_14;
            float _e524 = score3_3_;
            float _e525 = score3_3_;
            float unnamed_15 = metal::simd_shuffle_xor(_e525, 1u);
            score3_3_ = _e524 + unnamed_15;
            float _e529 = score0_0_;
            float _e530 = score0_0_;
            float unnamed_16 = metal::simd_shuffle_xor(_e530, 2u);
            score0_0_ = _e529 + unnamed_16;
            float _e534 = score0_1_;
            float _e535 = score0_1_;
            float unnamed_17 = metal::simd_shuffle_xor(_e535, 2u);
            score0_1_ = _e534 + unnamed_17;
            float _e539 = score0_2_;
            float _e540 = score0_2_;
            float unnamed_18 = metal::simd_shuffle_xor(_e540, 2u);
            score0_2_ = _e539 + unnamed_18;
            float _e544 = score0_3_;
            float _e545 = score0_3_;
            float unnamed_19 = metal::simd_shuffle_xor(_e545, 2u);
            score0_3_ = _e544 + unnamed_19;
            float _e549 = score1_0_;
            float _e550 = score1_0_;
            float unnamed_20 = metal::simd_shuffle_xor(_e550, 2u);
            score1_0_ = _e549 + unnamed_20;
            float _e554 = score1_1_;
            float _e555 = score1_1_;
            float unnamed_21 = metal::simd_shuffle_xor(_e555, 2u);
            score1_1_ = _e554 + unnamed_21;
            float _e559 = score1_2_;
            float _e560 = score1_2_;
            float unnamed_22 = metal::simd_shuffle_xor(_e560, 2u);
            score1_2_ = _e559 + unnamed_22;
            float _e564 = score1_3_;
            float _e565 = score1_3_;
            float unnamed_23 = metal::simd_shuffle_xor(_e565, 2u);
            score1_3_ = _e564 + unnamed_23;
            float _e569 = score2_0_;
            float _e570 = score2_0_;
            float unnamed_24 = metal::simd_shuffle_xor(_e570, 2u);
            score2_0_ = _e569 + unnamed_24;
            float _e574 = score2_1_;
            float _e575 = score2_1_;
            float unnamed_25 = metal::simd_shuffle_xor(_e575, 2u);
            score2_1_ = _e574 + unnamed_25;
            float _e579 = score2_2_;
            float _e580 = score2_2_;
            float unnamed_26 = metal::simd_shuffle_xor(_e580, 2u);
            score2_2_ = _e579 + unnamed_26;
            float _e584 = score2_3_;
            float _e585 = score2_3_;
            float unnamed_27 = metal::simd_shuffle_xor(_e585, 2u);
            score2_3_ = _e584 + unnamed_27;
            float _e589 = score3_0_;
            float _e590 = score3_0_;
            float unnamed_28 = metal::simd_shuffle_xor(_e590, 2u);
            score3_0_ = _e589 + unnamed_28;
            float _e594 = score3_1_;
            float _e595 = score3_1_;
            float unnamed_29 = metal::simd_shuffle_xor(_e595, 2u);
            score3_1_ = _e594 + unnamed_29;
            float _e599 = score3_2_;
            float _e600 = score3_2_;
            float unnamed_30 = metal::simd_shuffle_xor(_e600, 2u);
            score3_2_ = _e599 + unnamed_30;
            float _e604 = score3_3_;
            float _e605 = score3_3_;
            float unnamed_31 = metal::simd_shuffle_xor(_e605, 2u);
            score3_3_ = _e604 + unnamed_31;
            float _e609 = score0_0_;
            float _e610 = score0_0_;
            float unnamed_32 = metal::simd_shuffle_xor(_e610, 4u);
            score0_0_ = _e609 + unnamed_32;
            float _e614 = score0_1_;
            float _e615 = score0_1_;
            float unnamed_33 = metal::simd_shuffle_xor(_e615, 4u);
            score0_1_ = _e614 + unnamed_33;
            float _e619 = score0_2_;
            float _e620 = score0_2_;
            float unnamed_34 = metal::simd_shuffle_xor(_e620, 4u);
            score0_2_ = _e619 + unnamed_34;
            float _e624 = score0_3_;
            float _e625 = score0_3_;
            float unnamed_35 = metal::simd_shuffle_xor(_e625, 4u);
            score0_3_ = _e624 + unnamed_35;
            float _e629 = score1_0_;
            float _e630 = score1_0_;
            float unnamed_36 = metal::simd_shuffle_xor(_e630, 4u);
            score1_0_ = _e629 + unnamed_36;
            float _e634 = score1_1_;
            float _e635 = score1_1_;
            float unnamed_37 = metal::simd_shuffle_xor(_e635, 4u);
            score1_1_ = _e634 + unnamed_37;
            float _e639 = score1_2_;
            float _e640 = score1_2_;
            float unnamed_38 = metal::simd_shuffle_xor(_e640, 4u);
            score1_2_ = _e639 + unnamed_38;
            float _e644 = score1_3_;
            float _e645 = score1_3_;
            float unnamed_39 = metal::simd_shuffle_xor(_e645, 4u);
            score1_3_ = _e644 + unnamed_39;
            float _e649 = score2_0_;
            float _e650 = score2_0_;
            float unnamed_40 = metal::simd_shuffle_xor(_e650, 4u);
            score2_0_ = _e649 + unnamed_40;
            float _e654 = score2_1_;
            float _e655 = score2_1_;
            float unnamed_41 = metal::simd_shuffle_xor(_e655, 4u);
            score2_1_ = _e654 + unnamed_41;
            float _e659 = score2_2_;
            float _e660 = score2_2_;
            float unnamed_42 = metal::simd_shuffle_xor(_e660, 4u);
            score2_2_ = _e659 + unnamed_42;
            float _e664 = score2_3_;
            float _e665 = score2_3_;
            float unnamed_43 = metal::simd_shuffle_xor(_e665, 4u);
            score2_3_ = _e664 + unnamed_43;
            float _e669 = score3_0_;
            float _e670 = score3_0_;
            float unnamed_44 = metal::simd_shuffle_xor(_e670, 4u);
            score3_0_ = _e669 + unnamed_44;
            float _e674 = score3_1_;
            float _e675 = score3_1_;
            float unnamed_45 = metal::simd_shuffle_xor(_e675, 4u);
            score3_1_ = _e674 + unnamed_45;
            float _e679 = score3_2_;
            float _e680 = score3_2_;
            float unnamed_46 = metal::simd_shuffle_xor(_e680, 4u);
            score3_2_ = _e679 + unnamed_46;
            float _e684 = score3_3_;
            float _e685 = score3_3_;
            float unnamed_47 = metal::simd_shuffle_xor(_e685, 4u);
            score3_3_ = _e684 + unnamed_47;
            float _e689 = score0_0_;
            float _e690 = score0_0_;
            float unnamed_48 = metal::simd_shuffle_xor(_e690, 8u);
            score0_0_ = _e689 + unnamed_48;
            float _e694 = score0_1_;
            float _e695 = score0_1_;
            float unnamed_49 = metal::simd_shuffle_xor(_e695, 8u);
            score0_1_ = _e694 + unnamed_49;
            float _e699 = score0_2_;
            float _e700 = score0_2_;
            float unnamed_50 = metal::simd_shuffle_xor(_e700, 8u);
            score0_2_ = _e699 + unnamed_50;
            float _e704 = score0_3_;
            float _e705 = score0_3_;
            float unnamed_51 = metal::simd_shuffle_xor(_e705, 8u);
            score0_3_ = _e704 + unnamed_51;
            float _e709 = score1_0_;
            float _e710 = score1_0_;
            float unnamed_52 = metal::simd_shuffle_xor(_e710, 8u);
            score1_0_ = _e709 + unnamed_52;
            float _e714 = score1_1_;
            float _e715 = score1_1_;
            float unnamed_53 = metal::simd_shuffle_xor(_e715, 8u);
            score1_1_ = _e714 + unnamed_53;
            float _e719 = score1_2_;
            float _e720 = score1_2_;
            float unnamed_54 = metal::simd_shuffle_xor(_e720, 8u);
            score1_2_ = _e719 + unnamed_54;
            float _e724 = score1_3_;
            float _e725 = score1_3_;
            float unnamed_55 = metal::simd_shuffle_xor(_e725, 8u);
            score1_3_ = _e724 + unnamed_55;
            float _e729 = score2_0_;
            float _e730 = score2_0_;
            float unnamed_56 = metal::simd_shuffle_xor(_e730, 8u);
            score2_0_ = _e729 + unnamed_56;
            float _e734 = score2_1_;
            float _e735 = score2_1_;
            float unnamed_57 = metal::simd_shuffle_xor(_e735, 8u);
            score2_1_ = _e734 + unnamed_57;
            float _e739 = score2_2_;
            float _e740 = score2_2_;
            float unnamed_58 = metal::simd_shuffle_xor(_e740, 8u);
            score2_2_ = _e739 + unnamed_58;
            float _e744 = score2_3_;
            float _e745 = score2_3_;
            float unnamed_59 = metal::simd_shuffle_xor(_e745, 8u);
            score2_3_ = _e744 + unnamed_59;
            float _e749 = score3_0_;
            float _e750 = score3_0_;
            float unnamed_60 = metal::simd_shuffle_xor(_e750, 8u);
            score3_0_ = _e749 + unnamed_60;
            float _e754 = score3_1_;
            float _e755 = score3_1_;
            float unnamed_61 = metal::simd_shuffle_xor(_e755, 8u);
            score3_1_ = _e754 + unnamed_61;
            float _e759 = score3_2_;
            float _e760 = score3_2_;
            float unnamed_62 = metal::simd_shuffle_xor(_e760, 8u);
            score3_2_ = _e759 + unnamed_62;
            float _e764 = score3_3_;
            float _e765 = score3_3_;
            float unnamed_63 = metal::simd_shuffle_xor(_e765, 8u);
            score3_3_ = _e764 + unnamed_63;
            float _e769 = largest0_;
            next0_ = _e769;
            float _e771 = score0_0_;
            uint _e772 = key;
            score0_0_ = ((_e772 + 0u) < end) ? _e771 : -1000000000000000000000000000000.0;
            float _e778 = next0_;
            float _e779 = score0_0_;
            next0_ = metal::max(_e778, _e779);
            float _e781 = score1_0_;
            uint _e782 = key;
            score1_0_ = ((_e782 + 1u) < end) ? _e781 : -1000000000000000000000000000000.0;
            float _e788 = next0_;
            float _e789 = score1_0_;
            next0_ = metal::max(_e788, _e789);
            float _e791 = score2_0_;
            uint _e792 = key;
            score2_0_ = ((_e792 + 2u) < end) ? _e791 : -1000000000000000000000000000000.0;
            float _e798 = next0_;
            float _e799 = score2_0_;
            next0_ = metal::max(_e798, _e799);
            float _e801 = score3_0_;
            uint _e802 = key;
            score3_0_ = ((_e802 + 3u) < end) ? _e801 : -1000000000000000000000000000000.0;
            float _e808 = next0_;
            float _e809 = score3_0_;
            next0_ = metal::max(_e808, _e809);
            float _e811 = largest0_;
            float _e812 = next0_;
            float shrink0_ = metal::exp(_e811 - _e812);
            float _e815 = next0_;
            largest0_ = _e815;
            float _e816 = total0_;
            total0_ = _e816 * shrink0_;
            metal::float4 _e818 = a0_0_;
            a0_0_ = _e818 * shrink0_;
            metal::float4 _e820 = b0_0_;
            b0_0_ = _e820 * shrink0_;
            float _e822 = largest1_;
            next1_ = _e822;
            float _e824 = score0_1_;
            uint _e825 = key;
            score0_1_ = ((_e825 + 0u) < end) ? _e824 : -1000000000000000000000000000000.0;
            float _e831 = next1_;
            float _e832 = score0_1_;
            next1_ = metal::max(_e831, _e832);
            float _e834 = score1_1_;
            uint _e835 = key;
            score1_1_ = ((_e835 + 1u) < end) ? _e834 : -1000000000000000000000000000000.0;
            float _e841 = next1_;
            float _e842 = score1_1_;
            next1_ = metal::max(_e841, _e842);
            float _e844 = score2_1_;
            uint _e845 = key;
            score2_1_ = ((_e845 + 2u) < end) ? _e844 : -1000000000000000000000000000000.0;
            float _e851 = next1_;
            float _e852 = score2_1_;
            next1_ = metal::max(_e851, _e852);
            float _e854 = score3_1_;
            uint _e855 = key;
            score3_1_ = ((_e855 + 3u) < end) ? _e854 : -1000000000000000000000000000000.0;
            float _e861 = next1_;
            float _e862 = score3_1_;
            next1_ = metal::max(_e861, _e862);
            float _e864 = largest1_;
            float _e865 = next1_;
            float shrink1_ = metal::exp(_e864 - _e865);
            float _e868 = next1_;
            largest1_ = _e868;
            float _e869 = total1_;
            total1_ = _e869 * shrink1_;
            metal::float4 _e871 = a1_0_;
            a1_0_ = _e871 * shrink1_;
            metal::float4 _e873 = b1_0_;
            b1_0_ = _e873 * shrink1_;
            float _e875 = largest2_;
            next2_ = _e875;
            float _e877 = score0_2_;
            uint _e878 = key;
            score0_2_ = ((_e878 + 0u) < end) ? _e877 : -1000000000000000000000000000000.0;
            float _e884 = next2_;
            float _e885 = score0_2_;
            next2_ = metal::max(_e884, _e885);
            float _e887 = score1_2_;
            uint _e888 = key;
            score1_2_ = ((_e888 + 1u) < end) ? _e887 : -1000000000000000000000000000000.0;
            float _e894 = next2_;
            float _e895 = score1_2_;
            next2_ = metal::max(_e894, _e895);
            float _e897 = score2_2_;
            uint _e898 = key;
            score2_2_ = ((_e898 + 2u) < end) ? _e897 : -1000000000000000000000000000000.0;
            float _e904 = next2_;
            float _e905 = score2_2_;
            next2_ = metal::max(_e904, _e905);
            float _e907 = score3_2_;
            uint _e908 = key;
            score3_2_ = ((_e908 + 3u) < end) ? _e907 : -1000000000000000000000000000000.0;
            float _e914 = next2_;
            float _e915 = score3_2_;
            next2_ = metal::max(_e914, _e915);
            float _e917 = largest2_;
            float _e918 = next2_;
            float shrink2_ = metal::exp(_e917 - _e918);
            float _e921 = next2_;
            largest2_ = _e921;
            float _e922 = total2_;
            total2_ = _e922 * shrink2_;
            metal::float4 _e924 = a2_0_;
            a2_0_ = _e924 * shrink2_;
            metal::float4 _e926 = b2_0_;
            b2_0_ = _e926 * shrink2_;
            float _e928 = largest3_;
            next3_ = _e928;
            float _e930 = score0_3_;
            uint _e931 = key;
            score0_3_ = ((_e931 + 0u) < end) ? _e930 : -1000000000000000000000000000000.0;
            float _e937 = next3_;
            float _e938 = score0_3_;
            next3_ = metal::max(_e937, _e938);
            float _e940 = score1_3_;
            uint _e941 = key;
            score1_3_ = ((_e941 + 1u) < end) ? _e940 : -1000000000000000000000000000000.0;
            float _e947 = next3_;
            float _e948 = score1_3_;
            next3_ = metal::max(_e947, _e948);
            float _e950 = score2_3_;
            uint _e951 = key;
            score2_3_ = ((_e951 + 2u) < end) ? _e950 : -1000000000000000000000000000000.0;
            float _e957 = next3_;
            float _e958 = score2_3_;
            next3_ = metal::max(_e957, _e958);
            float _e960 = score3_3_;
            uint _e961 = key;
            score3_3_ = ((_e961 + 3u) < end) ? _e960 : -1000000000000000000000000000000.0;
            float _e967 = next3_;
            float _e968 = score3_3_;
            next3_ = metal::max(_e967, _e968);
            float _e970 = largest3_;
            float _e971 = next3_;
            float shrink3_ = metal::exp(_e970 - _e971);
            float _e974 = next3_;
            largest3_ = _e974;
            float _e975 = total3_;
            total3_ = _e975 * shrink3_;
            metal::float4 _e977 = a3_0_;
            a3_0_ = _e977 * shrink3_;
            metal::float4 _e979 = b3_0_;
            b3_0_ = _e979 * shrink3_;
            float _e981 = score0_0_;
            float _e982 = largest0_;
            float weight0_0_ = metal::exp(_e981 - _e982);
            float _e985 = total0_;
            total0_ = _e985 + weight0_0_;
            float _e987 = score0_1_;
            float _e988 = largest1_;
            float weight0_1_ = metal::exp(_e987 - _e988);
            float _e991 = total1_;
            total1_ = _e991 + weight0_1_;
            float _e993 = score0_2_;
            float _e994 = largest2_;
            float weight0_2_ = metal::exp(_e993 - _e994);
            float _e997 = total2_;
            total2_ = _e997 + weight0_2_;
            float _e999 = score0_3_;
            float _e1000 = largest3_;
            float weight0_3_ = metal::exp(_e999 - _e1000);
            float _e1003 = total3_;
            total3_ = _e1003 + weight0_3_;
            type_7 _e1005 = values_of(_e264);
            metal::float4 _e1006 = a0_0_;
            a0_0_ = _e1006 + (weight0_0_ * _e1005.inner[0]);
            metal::float4 _e1010 = b0_0_;
            b0_0_ = _e1010 + (weight0_0_ * _e1005.inner[1]);
            metal::float4 _e1014 = a1_0_;
            a1_0_ = _e1014 + (weight0_1_ * _e1005.inner[0]);
            metal::float4 _e1018 = b1_0_;
            b1_0_ = _e1018 + (weight0_1_ * _e1005.inner[1]);
            metal::float4 _e1022 = a2_0_;
            a2_0_ = _e1022 + (weight0_2_ * _e1005.inner[0]);
            metal::float4 _e1026 = b2_0_;
            b2_0_ = _e1026 + (weight0_2_ * _e1005.inner[1]);
            metal::float4 _e1030 = a3_0_;
            a3_0_ = _e1030 + (weight0_3_ * _e1005.inner[0]);
            metal::float4 _e1034 = b3_0_;
            b3_0_ = _e1034 + (weight0_3_ * _e1005.inner[1]);
            float _e1038 = score1_0_;
            float _e1039 = largest0_;
            float weight1_0_ = metal::exp(_e1038 - _e1039);
            float _e1042 = total0_;
            total0_ = _e1042 + weight1_0_;
            float _e1044 = score1_1_;
            float _e1045 = largest1_;
            float weight1_1_ = metal::exp(_e1044 - _e1045);
            float _e1048 = total1_;
            total1_ = _e1048 + weight1_1_;
            float _e1050 = score1_2_;
            float _e1051 = largest2_;
            float weight1_2_ = metal::exp(_e1050 - _e1051);
            float _e1054 = total2_;
            total2_ = _e1054 + weight1_2_;
            float _e1056 = score1_3_;
            float _e1057 = largest3_;
            float weight1_3_ = metal::exp(_e1056 - _e1057);
            float _e1060 = total3_;
            total3_ = _e1060 + weight1_3_;
            type_7 _e1062 = values_of(_e276);
            metal::float4 _e1063 = a0_0_;
            a0_0_ = _e1063 + (weight1_0_ * _e1062.inner[0]);
            metal::float4 _e1067 = b0_0_;
            b0_0_ = _e1067 + (weight1_0_ * _e1062.inner[1]);
            metal::float4 _e1071 = a1_0_;
            a1_0_ = _e1071 + (weight1_1_ * _e1062.inner[0]);
            metal::float4 _e1075 = b1_0_;
            b1_0_ = _e1075 + (weight1_1_ * _e1062.inner[1]);
            metal::float4 _e1079 = a2_0_;
            a2_0_ = _e1079 + (weight1_2_ * _e1062.inner[0]);
            metal::float4 _e1083 = b2_0_;
            b2_0_ = _e1083 + (weight1_2_ * _e1062.inner[1]);
            metal::float4 _e1087 = a3_0_;
            a3_0_ = _e1087 + (weight1_3_ * _e1062.inner[0]);
            metal::float4 _e1091 = b3_0_;
            b3_0_ = _e1091 + (weight1_3_ * _e1062.inner[1]);
            float _e1095 = score2_0_;
            float _e1096 = largest0_;
            float weight2_0_ = metal::exp(_e1095 - _e1096);
            float _e1099 = total0_;
            total0_ = _e1099 + weight2_0_;
            float _e1101 = score2_1_;
            float _e1102 = largest1_;
            float weight2_1_ = metal::exp(_e1101 - _e1102);
            float _e1105 = total1_;
            total1_ = _e1105 + weight2_1_;
            float _e1107 = score2_2_;
            float _e1108 = largest2_;
            float weight2_2_ = metal::exp(_e1107 - _e1108);
            float _e1111 = total2_;
            total2_ = _e1111 + weight2_2_;
            float _e1113 = score2_3_;
            float _e1114 = largest3_;
            float weight2_3_ = metal::exp(_e1113 - _e1114);
            float _e1117 = total3_;
            total3_ = _e1117 + weight2_3_;
            type_7 _e1119 = values_of(_e288);
            metal::float4 _e1120 = a0_0_;
            a0_0_ = _e1120 + (weight2_0_ * _e1119.inner[0]);
            metal::float4 _e1124 = b0_0_;
            b0_0_ = _e1124 + (weight2_0_ * _e1119.inner[1]);
            metal::float4 _e1128 = a1_0_;
            a1_0_ = _e1128 + (weight2_1_ * _e1119.inner[0]);
            metal::float4 _e1132 = b1_0_;
            b1_0_ = _e1132 + (weight2_1_ * _e1119.inner[1]);
            metal::float4 _e1136 = a2_0_;
            a2_0_ = _e1136 + (weight2_2_ * _e1119.inner[0]);
            metal::float4 _e1140 = b2_0_;
            b2_0_ = _e1140 + (weight2_2_ * _e1119.inner[1]);
            metal::float4 _e1144 = a3_0_;
            a3_0_ = _e1144 + (weight2_3_ * _e1119.inner[0]);
            metal::float4 _e1148 = b3_0_;
            b3_0_ = _e1148 + (weight2_3_ * _e1119.inner[1]);
            float _e1152 = score3_0_;
            float _e1153 = largest0_;
            float weight3_0_ = metal::exp(_e1152 - _e1153);
            float _e1156 = total0_;
            total0_ = _e1156 + weight3_0_;
            float _e1158 = score3_1_;
            float _e1159 = largest1_;
            float weight3_1_ = metal::exp(_e1158 - _e1159);
            float _e1162 = total1_;
            total1_ = _e1162 + weight3_1_;
            float _e1164 = score3_2_;
            float _e1165 = largest2_;
            float weight3_2_ = metal::exp(_e1164 - _e1165);
            float _e1168 = total2_;
            total2_ = _e1168 + weight3_2_;
            float _e1170 = score3_3_;
            float _e1171 = largest3_;
            float weight3_3_ = metal::exp(_e1170 - _e1171);
            float _e1174 = total3_;
            total3_ = _e1174 + weight3_3_;
            type_7 _e1176 = values_of(_e300);
            metal::float4 _e1177 = a0_0_;
            a0_0_ = _e1177 + (weight3_0_ * _e1176.inner[0]);
            metal::float4 _e1181 = b0_0_;
            b0_0_ = _e1181 + (weight3_0_ * _e1176.inner[1]);
            metal::float4 _e1185 = a1_0_;
            a1_0_ = _e1185 + (weight3_1_ * _e1176.inner[0]);
            metal::float4 _e1189 = b1_0_;
            b1_0_ = _e1189 + (weight3_1_ * _e1176.inner[1]);
            metal::float4 _e1193 = a2_0_;
            a2_0_ = _e1193 + (weight3_2_ * _e1176.inner[0]);
            metal::float4 _e1197 = b2_0_;
            b2_0_ = _e1197 + (weight3_2_ * _e1176.inner[1]);
            metal::float4 _e1201 = a3_0_;
            a3_0_ = _e1201 + (weight3_3_ * _e1176.inner[0]);
            metal::float4 _e1205 = b3_0_;
            b3_0_ = _e1205 + (weight3_3_ * _e1176.inner[1]);
        }
    }
    if (naga_mod(me, LANES) == 0u) {
        float _e1222 = largest0_;
        most.inner[(party * G) + 0u] = _e1222;
        float _e1229 = total0_;
        totals.inner[(party * G) + 0u] = _e1229;
    }
    metal::float4 _e1241 = a0_0_;
    gathered.inner[(((party * G) + 0u) * FOURS) + (unit0_ * 2u)] = _e1241;
    metal::float4 _e1255 = b0_0_;
    gathered.inner[((((party * G) + 0u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1255;
    if (naga_mod(me, LANES) == 0u) {
        float _e1266 = largest1_;
        most.inner[(party * G) + 1u] = _e1266;
        float _e1273 = total1_;
        totals.inner[(party * G) + 1u] = _e1273;
    }
    metal::float4 _e1285 = a1_0_;
    gathered.inner[(((party * G) + 1u) * FOURS) + (unit0_ * 2u)] = _e1285;
    metal::float4 _e1299 = b1_0_;
    gathered.inner[((((party * G) + 1u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1299;
    if (naga_mod(me, LANES) == 0u) {
        float _e1310 = largest2_;
        most.inner[(party * G) + 2u] = _e1310;
        float _e1317 = total2_;
        totals.inner[(party * G) + 2u] = _e1317;
    }
    metal::float4 _e1329 = a2_0_;
    gathered.inner[(((party * G) + 2u) * FOURS) + (unit0_ * 2u)] = _e1329;
    metal::float4 _e1343 = b2_0_;
    gathered.inner[((((party * G) + 2u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1343;
    if (naga_mod(me, LANES) == 0u) {
        float _e1354 = largest3_;
        most.inner[(party * G) + 3u] = _e1354;
        float _e1361 = total3_;
        totals.inner[(party * G) + 3u] = _e1361;
    }
    metal::float4 _e1373 = a3_0_;
    gathered.inner[(((party * G) + 3u) * FOURS) + (unit0_ * 2u)] = _e1373;
    metal::float4 _e1387 = b3_0_;
    gathered.inner[((((party * G) + 3u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1387;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i = me;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1520 = i;
            i = _e1520 + WG;
        }
        loop_init_1 = false;
        uint _e1389 = i;
        if (_e1389 < ((heads_1 * UNITS_ALL) * 2u)) {
        } else {
            break;
        }
        {
            uint _e1395 = i;
            uint g_3 = naga_div(_e1395, 32u);
            uint _e1398 = i;
            uint four = naga_mod(_e1398, 32u);
            top = -1000000000000000000000000000000.0;
            s = 0u;
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e1418 = s;
                    s = _e1418 + 1u;
                }
                loop_init_2 = false;
                uint _e1405 = s;
                if (_e1405 < PARTIES) {
                } else {
                    break;
                }
                {
                    float _e1408 = top;
                    uint _e1410 = s;
                    float _e1415 = most.inner[(_e1410 * G) + g_3];
                    top = metal::max(_e1408, _e1415);
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
                    uint _e1464 = s_1;
                    s_1 = _e1464 + 1u;
                }
                loop_init_3 = false;
                uint _e1427 = s_1;
                if (_e1427 < PARTIES) {
                } else {
                    break;
                }
                {
                    uint _e1431 = s_1;
                    float _e1436 = most.inner[(_e1431 * G) + g_3];
                    float _e1437 = top;
                    float w_2 = metal::exp(_e1436 - _e1437);
                    float _e1440 = total;
                    uint _e1442 = s_1;
                    float _e1447 = totals.inner[(_e1442 * G) + g_3];
                    total = _e1440 + (w_2 * _e1447);
                    metal::float4 _e1450 = y;
                    uint _e1452 = s_1;
                    metal::float4 _e1460 = gathered.inner[(((_e1452 * G) + g_3) * FOURS) + four];
                    y = _e1450 + (w_2 * _e1460);
                }
            }
            uint _e1468 = p.parts;
            uint _e1471 = p.heads;
            uint _e1477 = step[3];
            uint to = _e1468 + ((((((row_3 * _e1471) + head_2) + g_3) * _e1477) + split) * 130u);
            if (four == 0u) {
                float _e1487 = top;
                act[to] = _e1487;
                float _e1492 = total;
                act[to + 1u] = _e1492;
            }
            uint at_2 = (to + 2u) + (four * 4u);
            float _e1501 = y.x;
            act[at_2] = _e1501;
            float _e1507 = y.y;
            act[at_2 + 1u] = _e1507;
            float _e1513 = y.z;
            act[at_2 + 2u] = _e1513;
            float _e1519 = y.w;
            act[at_2 + 3u] = _e1519;
        }
    }
    return;
}
