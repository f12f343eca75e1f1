// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size3;
};

typedef uint type_1[1];
struct Place {
    uint keys;
    uint values;
    uint key_scales;
    uint value_scales;
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
};
typedef float type_5[1];
typedef metal::uint4 type_6[1];
struct type_8 {
    metal::float4 inner[128];
};
struct type_9 {
    float inner[512];
};
struct type_10 {
    uint inner[128];
};
struct type_11 {
    float inner[64];
};
struct type_12 {
    metal::float4 inner[256];
};
struct type_13 {
    metal::float4 inner[2];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint G = 4u;
constant uint KU = 16u;
constant uint VU = 16u;
constant uint VALUE_UNITS = 16u;
constant uint KEY_DIM = 128u;
constant uint CACHE = 1u;
constant uint ACTIVATION = 0u;
constant uint KG = 8u;

int idot(
    metal::uint4 a_4,
    metal::uint4 b_4
) {
    uint _e2 = a_4.x;
    uint _e3 = b_4.x;
    packed_char4 reinterpreted_packed_char4_e2 = as_type<packed_char4>(_e2);
    packed_char4 reinterpreted_packed_char4_e3 = as_type<packed_char4>(_e3);
    uint _e5 = a_4.y;
    uint _e6 = b_4.y;
    packed_char4 reinterpreted_packed_char4_e5 = as_type<packed_char4>(_e5);
    packed_char4 reinterpreted_packed_char4_e6 = as_type<packed_char4>(_e6);
    uint _e9 = a_4.z;
    uint _e10 = b_4.z;
    packed_char4 reinterpreted_packed_char4_e9 = as_type<packed_char4>(_e9);
    packed_char4 reinterpreted_packed_char4_e10 = as_type<packed_char4>(_e10);
    uint _e13 = a_4.w;
    uint _e14 = b_4.w;
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

type_13 eight(
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
        metal::uint4 _e21 = cache[at + 1u];
        return type_13 {{as_type<metal::float4>(_e15), as_type<metal::float4>(_e21)}};
    } else {
        if (true) {
            metal::uint4 w = cache[(naga_div(plane, 4u) + (slot * units)) + u_1];
            return type_13 {{metal::float4(float2(as_type<half2>(w.x)), float2(as_type<half2>(w.y))), metal::float4(float2(as_type<half2>(w.z)), float2(as_type<half2>(w.w)))}};
        }
    }
    uint blocks = naga_div(units + 3u, 4u);
    metal::uint4 w_1 = cache[(naga_div(plane, 4u) + ((slot * blocks) * 2u)) + naga_div(u_1, 2u)];
    metal::uint2 pair = ((u_1 & 1u) == 1u) ? w_1.zw : w_1.xy;
    uint i_17 = (scales + (slot * blocks)) + naga_div(u_1, 4u);
    uint _e79 = cache[naga_div(i_17, 4u)][naga_mod(i_17, 4u)];
    float scale = as_type<float>(_e79);
    return type_13 {{static_cast<metal::float4>(int4(as_type<packed_char4>(pair.x))) * scale, static_cast<metal::float4>(int4(as_type<packed_char4>(pair.y))) * scale}};
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
, device type_5& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_6 const& cache [[user(fake0)]]
, threadgroup type_8& query
, threadgroup type_9& weights
, threadgroup type_10& slots
, threadgroup type_11& parts_of
, threadgroup type_12& gathered
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
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
    float score0_ = {};
    float score1_ = {};
    float score2_ = {};
    float score3_ = {};
    uint u = {};
    float next0_ = {};
    uint i_1 = {};
    float next1_ = {};
    uint i_2 = {};
    float next2_ = {};
    uint i_3 = {};
    float next3_ = {};
    uint i_4 = {};
    uint j = {};
    metal::float4 a = metal::float4(0.0);
    metal::float4 b = metal::float4(0.0);
    uint i_5 = 0u;
    uint i_6 = 0u;
    float sum = 0.0;
    uint i_7 = 0u;
    metal::float4 a_1 = metal::float4(0.0);
    metal::float4 b_1 = metal::float4(0.0);
    uint i_8 = 0u;
    uint i_9 = 0u;
    float sum_1 = 0.0;
    uint i_10 = 0u;
    metal::float4 a_2 = metal::float4(0.0);
    metal::float4 b_2 = metal::float4(0.0);
    uint i_11 = 0u;
    uint i_12 = 0u;
    float sum_2 = 0.0;
    uint i_13 = 0u;
    metal::float4 a_3 = metal::float4(0.0);
    metal::float4 b_3 = metal::float4(0.0);
    uint i_14 = 0u;
    uint i_15 = 0u;
    float sum_3 = 0.0;
    uint i_16 = 0u;
    uint row_1 = group.z;
    uint split = group.y;
    uint _e9 = p.heads;
    uint _e12 = p.kv_heads;
    uint shared_by = naga_div(_e9, _e12);
    uint chunks = naga_div((shared_by + G) - 1u, G);
    uint kv_head = naga_div(group.x, chunks);
    uint head_1 = (kv_head * shared_by) + (naga_mod(group.x, chunks) * G);
    uint heads_1 = metal::min(G, shared_by - (naga_mod(group.x, chunks) * G));
    uint _e38 = step[5];
    uint position_1 = step[_e38 + row_1];
    uint _e44 = p.windowed;
    uint _e45 = table_of(row_1, _e44, step, _buffer_sizes);
    uint _e53 = p.window;
    uint _e58 = p.window;
    uint seen = (_e58 > 0u) ? ((position_1 + 1u) - metal::min(position_1 + 1u, _e53)) : 0u;
    uint _e64 = step[2];
    uint first = seen + (split * _e64);
    uint _e71 = step[2];
    uint end = metal::min(position_1 + 1u, first + _e71);
    i = me;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e127 = i;
            i = _e127 + WG;
        }
        loop_init = false;
        uint _e75 = i;
        if (_e75 < 512u) {
        } else {
            break;
        }
        {
            uint _e78 = i;
            uint g_1 = naga_div(_e78, 128u);
            uint _e81 = i;
            uint d = naga_mod(_e81, 128u);
            if (g_1 < heads_1) {
                local = d < KEY_DIM;
            } else {
                local = false;
            }
            bool known = local;
            uint _e94 = p.q;
            uint _e97 = p.heads;
            float _e111 = act[(_e94 + ((((row_1 * _e97) + head_1) + metal::min(g_1, heads_1 - 1u)) * KEY_DIM)) + metal::min(d, 127u)];
            float value = known ? _e111 : 0.0;
            uint _e115 = i;
            uint _e119 = i;
            float _e125 = p.scale;
            query.inner[naga_div(_e115, 4u)][naga_mod(_e119, 4u)] = value * _e125;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint unit = naga_mod(me, VU);
    uint key_group = naga_div(me, VU);
    tile = first;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e628 = tile;
            tile = _e628 + WG;
        }
        loop_init_1 = false;
        uint _e175 = tile;
        if (_e175 < end) {
        } else {
            break;
        }
        {
            uint _e177 = tile;
            uint key = _e177 + me;
            uint _e184 = p.block_len;
            uint _e187 = p.kv_heads;
            uint _e188 = slot_of(_e45, metal::min(key, end - 1u), _e184, _e187, kv_head, step, _buffer_sizes);
            slots.inner[me] = _e188;
            score0_ = 0.0;
            score1_ = 0.0;
            score2_ = 0.0;
            score3_ = 0.0;
            u = 0u;
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e316 = u;
                    u = _e316 + 1u;
                }
                loop_init_2 = false;
                uint _e201 = u;
                if (_e201 < KU) {
                } else {
                    break;
                }
                {
                    uint _e207 = p.place.keys;
                    uint _e211 = p.place.key_scales;
                    uint _e213 = u;
                    type_13 _e214 = eight(_e207, _e211, _e188, KU, _e213, cache, _buffer_sizes);
                    float _e215 = score0_;
                    uint _e219 = u;
                    metal::float4 _e224 = query.inner[(0u + _e219) * 2u];
                    uint _e229 = u;
                    metal::float4 _e236 = query.inner[((0u + _e229) * 2u) + 1u];
                    score0_ = _e215 + (metal::dot(_e214.inner[0], _e224) + metal::dot(_e214.inner[1], _e236));
                    float _e240 = score1_;
                    uint _e244 = u;
                    metal::float4 _e249 = query.inner[(16u + _e244) * 2u];
                    uint _e254 = u;
                    metal::float4 _e261 = query.inner[((16u + _e254) * 2u) + 1u];
                    score1_ = _e240 + (metal::dot(_e214.inner[0], _e249) + metal::dot(_e214.inner[1], _e261));
                    float _e265 = score2_;
                    uint _e269 = u;
                    metal::float4 _e274 = query.inner[(32u + _e269) * 2u];
                    uint _e279 = u;
                    metal::float4 _e286 = query.inner[((32u + _e279) * 2u) + 1u];
                    score2_ = _e265 + (metal::dot(_e214.inner[0], _e274) + metal::dot(_e214.inner[1], _e286));
                    float _e290 = score3_;
                    uint _e294 = u;
                    metal::float4 _e299 = query.inner[(48u + _e294) * 2u];
                    uint _e304 = u;
                    metal::float4 _e311 = query.inner[((48u + _e304) * 2u) + 1u];
                    score3_ = _e290 + (metal::dot(_e214.inner[0], _e299) + metal::dot(_e214.inner[1], _e311));
                }
            }
            float _e318 = score0_;
            score0_ = (key < end) ? _e318 : -1000000000000000000000000000000.0;
            float _e322 = score0_;
            float unnamed = metal::simd_max(_e322);
            if (lane == 0u) {
                parts_of.inner[0u + subgroup] = unnamed;
            }
            float _e330 = score1_;
            score1_ = (key < end) ? _e330 : -1000000000000000000000000000000.0;
            float _e334 = score1_;
            float unnamed_1 = metal::simd_max(_e334);
            if (lane == 0u) {
                parts_of.inner[16u + subgroup] = unnamed_1;
            }
            float _e342 = score2_;
            score2_ = (key < end) ? _e342 : -1000000000000000000000000000000.0;
            float _e346 = score2_;
            float unnamed_2 = metal::simd_max(_e346);
            if (lane == 0u) {
                parts_of.inner[32u + subgroup] = unnamed_2;
            }
            float _e354 = score3_;
            score3_ = (key < end) ? _e354 : -1000000000000000000000000000000.0;
            float _e358 = score3_;
            float unnamed_3 = metal::simd_max(_e358);
            if (lane == 0u) {
                parts_of.inner[48u + subgroup] = unnamed_3;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            float _e366 = largest0_;
            next0_ = _e366;
            i_1 = 0u;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e386 = i_1;
                    i_1 = _e386 + 1u;
                }
                loop_init_3 = false;
                uint _e370 = i_1;
                if (_e370 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e377 = next0_;
                    uint _e380 = i_1;
                    float _e383 = parts_of.inner[0u + _e380];
                    next0_ = metal::max(_e377, _e383);
                }
            }
            float _e388 = largest0_;
            float _e389 = next0_;
            float shrink0_ = metal::exp(_e388 - _e389);
            float _e392 = next0_;
            largest0_ = _e392;
            float _e393 = score0_;
            float _e394 = next0_;
            float weight0_ = (key < end) ? metal::exp(_e393 - _e394) : 0.0;
            weights.inner[0u + me] = weight0_;
            float _e404 = total0_;
            total0_ = (_e404 * shrink0_) + weight0_;
            metal::float4 _e407 = sum_a0_;
            sum_a0_ = _e407 * shrink0_;
            metal::float4 _e409 = sum_b0_;
            sum_b0_ = _e409 * shrink0_;
            float _e411 = largest1_;
            next1_ = _e411;
            i_2 = 0u;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e431 = i_2;
                    i_2 = _e431 + 1u;
                }
                loop_init_4 = false;
                uint _e415 = i_2;
                if (_e415 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e422 = next1_;
                    uint _e425 = i_2;
                    float _e428 = parts_of.inner[16u + _e425];
                    next1_ = metal::max(_e422, _e428);
                }
            }
            float _e433 = largest1_;
            float _e434 = next1_;
            float shrink1_ = metal::exp(_e433 - _e434);
            float _e437 = next1_;
            largest1_ = _e437;
            float _e438 = score1_;
            float _e439 = next1_;
            float weight1_ = (key < end) ? metal::exp(_e438 - _e439) : 0.0;
            weights.inner[128u + me] = weight1_;
            float _e449 = total1_;
            total1_ = (_e449 * shrink1_) + weight1_;
            metal::float4 _e452 = sum_a1_;
            sum_a1_ = _e452 * shrink1_;
            metal::float4 _e454 = sum_b1_;
            sum_b1_ = _e454 * shrink1_;
            float _e456 = largest2_;
            next2_ = _e456;
            i_3 = 0u;
            uint2 loop_bound_5 = uint2(4294967295u);
            bool loop_init_5 = true;
            while(true) {
                if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                if (!loop_init_5) {
                    uint _e476 = i_3;
                    i_3 = _e476 + 1u;
                }
                loop_init_5 = false;
                uint _e460 = i_3;
                if (_e460 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e467 = next2_;
                    uint _e470 = i_3;
                    float _e473 = parts_of.inner[32u + _e470];
                    next2_ = metal::max(_e467, _e473);
                }
            }
            float _e478 = largest2_;
            float _e479 = next2_;
            float shrink2_ = metal::exp(_e478 - _e479);
            float _e482 = next2_;
            largest2_ = _e482;
            float _e483 = score2_;
            float _e484 = next2_;
            float weight2_ = (key < end) ? metal::exp(_e483 - _e484) : 0.0;
            weights.inner[256u + me] = weight2_;
            float _e494 = total2_;
            total2_ = (_e494 * shrink2_) + weight2_;
            metal::float4 _e497 = sum_a2_;
            sum_a2_ = _e497 * shrink2_;
            metal::float4 _e499 = sum_b2_;
            sum_b2_ = _e499 * shrink2_;
            float _e501 = largest3_;
            next3_ = _e501;
            i_4 = 0u;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e521 = i_4;
                    i_4 = _e521 + 1u;
                }
                loop_init_6 = false;
                uint _e505 = i_4;
                if (_e505 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e512 = next3_;
                    uint _e515 = i_4;
                    float _e518 = parts_of.inner[48u + _e515];
                    next3_ = metal::max(_e512, _e518);
                }
            }
            float _e523 = largest3_;
            float _e524 = next3_;
            float shrink3_ = metal::exp(_e523 - _e524);
            float _e527 = next3_;
            largest3_ = _e527;
            float _e528 = score3_;
            float _e529 = next3_;
            float weight3_ = (key < end) ? metal::exp(_e528 - _e529) : 0.0;
            weights.inner[384u + me] = weight3_;
            float _e539 = total3_;
            total3_ = (_e539 * shrink3_) + weight3_;
            metal::float4 _e542 = sum_a3_;
            sum_a3_ = _e542 * shrink3_;
            metal::float4 _e544 = sum_b3_;
            sum_b3_ = _e544 * shrink3_;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (key_group < KG) {
                j = key_group;
                uint2 loop_bound_7 = uint2(4294967295u);
                bool loop_init_7 = true;
                while(true) {
                    if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                    loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                    if (!loop_init_7) {
                        uint _e625 = j;
                        j = _e625 + KG;
                    }
                    loop_init_7 = false;
                    uint _e549 = j;
                    uint _e551 = tile;
                    if (_e549 < metal::min(WG, end - _e551)) {
                    } else {
                        break;
                    }
                    {
                        uint _e558 = p.place.values;
                        uint _e562 = p.place.value_scales;
                        uint _e564 = j;
                        uint _e566 = slots.inner[_e564];
                        type_13 _e568 = eight(_e558, _e562, _e566, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e571 = j;
                        float w0_ = weights.inner[0u + _e571];
                        metal::float4 _e575 = sum_a0_;
                        sum_a0_ = _e575 + (w0_ * _e568.inner[0]);
                        metal::float4 _e579 = sum_b0_;
                        sum_b0_ = _e579 + (w0_ * _e568.inner[1]);
                        uint _e585 = j;
                        float w1_ = weights.inner[128u + _e585];
                        metal::float4 _e589 = sum_a1_;
                        sum_a1_ = _e589 + (w1_ * _e568.inner[0]);
                        metal::float4 _e593 = sum_b1_;
                        sum_b1_ = _e593 + (w1_ * _e568.inner[1]);
                        uint _e599 = j;
                        float w2_ = weights.inner[256u + _e599];
                        metal::float4 _e603 = sum_a2_;
                        sum_a2_ = _e603 + (w2_ * _e568.inner[0]);
                        metal::float4 _e607 = sum_b2_;
                        sum_b2_ = _e607 + (w2_ * _e568.inner[1]);
                        uint _e613 = j;
                        float w3_ = weights.inner[384u + _e613];
                        metal::float4 _e617 = sum_a3_;
                        sum_a3_ = _e617 + (w3_ * _e568.inner[0]);
                        metal::float4 _e621 = sum_b3_;
                        sum_b3_ = _e621 + (w3_ * _e568.inner[1]);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    metal::float4 _e635 = sum_a0_;
    gathered.inner[me * 2u] = _e635;
    metal::float4 _e642 = sum_b0_;
    gathered.inner[(me * 2u) + 1u] = _e642;
    float _e643 = total0_;
    float unnamed_4 = metal::simd_sum(_e643);
    if (lane == 0u) {
        parts_of.inner[0u + subgroup] = unnamed_4;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (0u < heads_1) {
        uint _e655 = p.parts;
        uint _e658 = p.heads;
        uint _e665 = step[3];
        uint to = _e655 + ((((((row_1 * _e658) + head_1) + 0u) * _e665) + split) * 130u);
        if (me < VU) {
            uint2 loop_bound_8 = uint2(4294967295u);
            bool loop_init_8 = true;
            while(true) {
                if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                if (!loop_init_8) {
                    uint _e709 = i_5;
                    i_5 = _e709 + 1u;
                }
                loop_init_8 = false;
                uint _e681 = i_5;
                if (_e681 < KG) {
                } else {
                    break;
                }
                {
                    metal::float4 _e684 = a;
                    uint _e686 = i_5;
                    metal::float4 _e693 = gathered.inner[((_e686 * VU) + me) * 2u];
                    a = _e684 + _e693;
                    metal::float4 _e695 = b;
                    uint _e697 = i_5;
                    metal::float4 _e706 = gathered.inner[(((_e697 * VU) + me) * 2u) + 1u];
                    b = _e695 + _e706;
                }
            }
            uint2 loop_bound_9 = uint2(4294967295u);
            bool loop_init_9 = true;
            while(true) {
                if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                if (!loop_init_9) {
                    uint _e743 = i_6;
                    i_6 = _e743 + 1u;
                }
                loop_init_9 = false;
                uint _e713 = i_6;
                if (_e713 < 4u) {
                } else {
                    break;
                }
                {
                    uint _e722 = i_6;
                    uint _e725 = i_6;
                    float _e727 = a[_e725];
                    act[((to + 2u) + (me * 8u)) + _e722] = _e727;
                    uint _e736 = i_6;
                    uint _e739 = i_6;
                    float _e741 = b[_e739];
                    act[(((to + 2u) + (me * 8u)) + 4u) + _e736] = _e741;
                }
            }
        }
        if (me == 0u) {
            uint2 loop_bound_10 = uint2(4294967295u);
            bool loop_init_10 = true;
            while(true) {
                if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                if (!loop_init_10) {
                    uint _e767 = i_7;
                    i_7 = _e767 + 1u;
                }
                loop_init_10 = false;
                uint _e751 = i_7;
                if (_e751 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e758 = sum;
                    uint _e761 = i_7;
                    float _e764 = parts_of.inner[0u + _e761];
                    sum = _e758 + _e764;
                }
            }
            float _e771 = largest0_;
            act[to] = _e771;
            float _e776 = sum;
            act[to + 1u] = _e776;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::float4 _e781 = sum_a1_;
    gathered.inner[me * 2u] = _e781;
    metal::float4 _e788 = sum_b1_;
    gathered.inner[(me * 2u) + 1u] = _e788;
    float _e789 = total1_;
    float unnamed_5 = metal::simd_sum(_e789);
    if (lane == 0u) {
        parts_of.inner[16u + subgroup] = unnamed_5;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (1u < heads_1) {
        uint _e801 = p.parts;
        uint _e804 = p.heads;
        uint _e811 = step[3];
        uint to_1 = _e801 + ((((((row_1 * _e804) + head_1) + 1u) * _e811) + split) * 130u);
        if (me < VU) {
            uint2 loop_bound_11 = uint2(4294967295u);
            bool loop_init_11 = true;
            while(true) {
                if (metal::all(loop_bound_11 == uint2(0u))) { break; }
                loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
                if (!loop_init_11) {
                    uint _e855 = i_8;
                    i_8 = _e855 + 1u;
                }
                loop_init_11 = false;
                uint _e827 = i_8;
                if (_e827 < KG) {
                } else {
                    break;
                }
                {
                    metal::float4 _e830 = a_1;
                    uint _e832 = i_8;
                    metal::float4 _e839 = gathered.inner[((_e832 * VU) + me) * 2u];
                    a_1 = _e830 + _e839;
                    metal::float4 _e841 = b_1;
                    uint _e843 = i_8;
                    metal::float4 _e852 = gathered.inner[(((_e843 * VU) + me) * 2u) + 1u];
                    b_1 = _e841 + _e852;
                }
            }
            uint2 loop_bound_12 = uint2(4294967295u);
            bool loop_init_12 = true;
            while(true) {
                if (metal::all(loop_bound_12 == uint2(0u))) { break; }
                loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
                if (!loop_init_12) {
                    uint _e889 = i_9;
                    i_9 = _e889 + 1u;
                }
                loop_init_12 = false;
                uint _e859 = i_9;
                if (_e859 < 4u) {
                } else {
                    break;
                }
                {
                    uint _e868 = i_9;
                    uint _e871 = i_9;
                    float _e873 = a_1[_e871];
                    act[((to_1 + 2u) + (me * 8u)) + _e868] = _e873;
                    uint _e882 = i_9;
                    uint _e885 = i_9;
                    float _e887 = b_1[_e885];
                    act[(((to_1 + 2u) + (me * 8u)) + 4u) + _e882] = _e887;
                }
            }
        }
        if (me == 0u) {
            uint2 loop_bound_13 = uint2(4294967295u);
            bool loop_init_13 = true;
            while(true) {
                if (metal::all(loop_bound_13 == uint2(0u))) { break; }
                loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
                if (!loop_init_13) {
                    uint _e913 = i_10;
                    i_10 = _e913 + 1u;
                }
                loop_init_13 = false;
                uint _e897 = i_10;
                if (_e897 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e904 = sum_1;
                    uint _e907 = i_10;
                    float _e910 = parts_of.inner[16u + _e907];
                    sum_1 = _e904 + _e910;
                }
            }
            float _e917 = largest1_;
            act[to_1] = _e917;
            float _e922 = sum_1;
            act[to_1 + 1u] = _e922;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::float4 _e927 = sum_a2_;
    gathered.inner[me * 2u] = _e927;
    metal::float4 _e934 = sum_b2_;
    gathered.inner[(me * 2u) + 1u] = _e934;
    float _e935 = total2_;
    float unnamed_6 = metal::simd_sum(_e935);
    if (lane == 0u) {
        parts_of.inner[32u + subgroup] = unnamed_6;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (2u < heads_1) {
        uint _e947 = p.parts;
        uint _e950 = p.heads;
        uint _e957 = step[3];
        uint to_2 = _e947 + ((((((row_1 * _e950) + head_1) + 2u) * _e957) + split) * 130u);
        if (me < VU) {
            uint2 loop_bound_14 = uint2(4294967295u);
            bool loop_init_14 = true;
            while(true) {
                if (metal::all(loop_bound_14 == uint2(0u))) { break; }
                loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
                if (!loop_init_14) {
                    uint _e1001 = i_11;
                    i_11 = _e1001 + 1u;
                }
                loop_init_14 = false;
                uint _e973 = i_11;
                if (_e973 < KG) {
                } else {
                    break;
                }
                {
                    metal::float4 _e976 = a_2;
                    uint _e978 = i_11;
                    metal::float4 _e985 = gathered.inner[((_e978 * VU) + me) * 2u];
                    a_2 = _e976 + _e985;
                    metal::float4 _e987 = b_2;
                    uint _e989 = i_11;
                    metal::float4 _e998 = gathered.inner[(((_e989 * VU) + me) * 2u) + 1u];
                    b_2 = _e987 + _e998;
                }
            }
            uint2 loop_bound_15 = uint2(4294967295u);
            bool loop_init_15 = true;
            while(true) {
                if (metal::all(loop_bound_15 == uint2(0u))) { break; }
                loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
                if (!loop_init_15) {
                    uint _e1035 = i_12;
                    i_12 = _e1035 + 1u;
                }
                loop_init_15 = false;
                uint _e1005 = i_12;
                if (_e1005 < 4u) {
                } else {
                    break;
                }
                {
                    uint _e1014 = i_12;
                    uint _e1017 = i_12;
                    float _e1019 = a_2[_e1017];
                    act[((to_2 + 2u) + (me * 8u)) + _e1014] = _e1019;
                    uint _e1028 = i_12;
                    uint _e1031 = i_12;
                    float _e1033 = b_2[_e1031];
                    act[(((to_2 + 2u) + (me * 8u)) + 4u) + _e1028] = _e1033;
                }
            }
        }
        if (me == 0u) {
            uint2 loop_bound_16 = uint2(4294967295u);
            bool loop_init_16 = true;
            while(true) {
                if (metal::all(loop_bound_16 == uint2(0u))) { break; }
                loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
                if (!loop_init_16) {
                    uint _e1059 = i_13;
                    i_13 = _e1059 + 1u;
                }
                loop_init_16 = false;
                uint _e1043 = i_13;
                if (_e1043 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e1050 = sum_2;
                    uint _e1053 = i_13;
                    float _e1056 = parts_of.inner[32u + _e1053];
                    sum_2 = _e1050 + _e1056;
                }
            }
            float _e1063 = largest2_;
            act[to_2] = _e1063;
            float _e1068 = sum_2;
            act[to_2 + 1u] = _e1068;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::float4 _e1073 = sum_a3_;
    gathered.inner[me * 2u] = _e1073;
    metal::float4 _e1080 = sum_b3_;
    gathered.inner[(me * 2u) + 1u] = _e1080;
    float _e1081 = total3_;
    float unnamed_7 = metal::simd_sum(_e1081);
    if (lane == 0u) {
        parts_of.inner[48u + subgroup] = unnamed_7;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (3u < heads_1) {
        uint _e1093 = p.parts;
        uint _e1096 = p.heads;
        uint _e1103 = step[3];
        uint to_3 = _e1093 + ((((((row_1 * _e1096) + head_1) + 3u) * _e1103) + split) * 130u);
        if (me < VU) {
            uint2 loop_bound_17 = uint2(4294967295u);
            bool loop_init_17 = true;
            while(true) {
                if (metal::all(loop_bound_17 == uint2(0u))) { break; }
                loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
                if (!loop_init_17) {
                    uint _e1147 = i_14;
                    i_14 = _e1147 + 1u;
                }
                loop_init_17 = false;
                uint _e1119 = i_14;
                if (_e1119 < KG) {
                } else {
                    break;
                }
                {
                    metal::float4 _e1122 = a_3;
                    uint _e1124 = i_14;
                    metal::float4 _e1131 = gathered.inner[((_e1124 * VU) + me) * 2u];
                    a_3 = _e1122 + _e1131;
                    metal::float4 _e1133 = b_3;
                    uint _e1135 = i_14;
                    metal::float4 _e1144 = gathered.inner[(((_e1135 * VU) + me) * 2u) + 1u];
                    b_3 = _e1133 + _e1144;
                }
            }
            uint2 loop_bound_18 = uint2(4294967295u);
            bool loop_init_18 = true;
            while(true) {
                if (metal::all(loop_bound_18 == uint2(0u))) { break; }
                loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
                if (!loop_init_18) {
                    uint _e1181 = i_15;
                    i_15 = _e1181 + 1u;
                }
                loop_init_18 = false;
                uint _e1151 = i_15;
                if (_e1151 < 4u) {
                } else {
                    break;
                }
                {
                    uint _e1160 = i_15;
                    uint _e1163 = i_15;
                    float _e1165 = a_3[_e1163];
                    act[((to_3 + 2u) + (me * 8u)) + _e1160] = _e1165;
                    uint _e1174 = i_15;
                    uint _e1177 = i_15;
                    float _e1179 = b_3[_e1177];
                    act[(((to_3 + 2u) + (me * 8u)) + 4u) + _e1174] = _e1179;
                }
            }
        }
        if (me == 0u) {
            uint2 loop_bound_19 = uint2(4294967295u);
            bool loop_init_19 = true;
            while(true) {
                if (metal::all(loop_bound_19 == uint2(0u))) { break; }
                loop_bound_19 -= uint2(loop_bound_19.y == 0u, 1u);
                if (!loop_init_19) {
                    uint _e1205 = i_16;
                    i_16 = _e1205 + 1u;
                }
                loop_init_19 = false;
                uint _e1189 = i_16;
                if (_e1189 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e1196 = sum_3;
                    uint _e1199 = i_16;
                    float _e1202 = parts_of.inner[48u + _e1199];
                    sum_3 = _e1196 + _e1202;
                }
            }
            float _e1209 = largest3_;
            act[to_3] = _e1209;
            float _e1214 = sum_3;
            act[to_3 + 1u] = _e1214;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
