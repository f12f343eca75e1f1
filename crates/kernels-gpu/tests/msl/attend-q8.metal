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
constant uint CACHE = 2u;
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
        if (false) {
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
    float score0_ = {};
    float score1_ = {};
    float score2_ = {};
    float score3_ = {};
    uint u = {};
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
    i = WG + me;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e108 = i;
            i = _e108 + WG;
        }
        loop_init = false;
        uint _e77 = i;
        if (_e77 < KEYS) {
        } else {
            break;
        }
        {
            uint _e81 = i;
            slots.inner[_e81] = 0u;
            uint _e86 = i;
            weights.inner[0u + _e86] = 0.0;
            uint _e92 = i;
            weights.inner[128u + _e92] = 0.0;
            uint _e98 = i;
            weights.inner[256u + _e98] = 0.0;
            uint _e104 = i;
            weights.inner[384u + _e104] = 0.0;
        }
    }
    i_1 = me;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e164 = i_1;
            i_1 = _e164 + WG;
        }
        loop_init_1 = false;
        uint _e112 = i_1;
        if (_e112 < 512u) {
        } else {
            break;
        }
        {
            uint _e115 = i_1;
            uint g_1 = naga_div(_e115, 128u);
            uint _e118 = i_1;
            uint d = naga_mod(_e118, 128u);
            if (g_1 < heads_1) {
                local = d < KEY_DIM;
            } else {
                local = false;
            }
            bool known = local;
            uint _e131 = p.q;
            uint _e134 = p.heads;
            float _e148 = act[(_e131 + ((((row_1 * _e134) + head_1) + metal::min(g_1, heads_1 - 1u)) * KEY_DIM)) + metal::min(d, 127u)];
            float value = known ? _e148 : 0.0;
            uint _e152 = i_1;
            uint _e156 = i_1;
            float _e162 = p.scale;
            query.inner[naga_div(_e152, 4u)][naga_mod(_e156, 4u)] = value * _e162;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint unit = naga_mod(me, VU);
    uint key_group = naga_div(me, VU);
    tile = first;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1328 = tile;
            tile = _e1328 + WG;
        }
        loop_init_2 = false;
        uint _e212 = tile;
        if (_e212 < end) {
        } else {
            break;
        }
        {
            uint _e214 = tile;
            uint key = _e214 + me;
            uint _e221 = p.block_len;
            uint _e224 = p.kv_heads;
            uint _e225 = slot_of(_e45, metal::min(key, end - 1u), _e221, _e224, kv_head, step, _buffer_sizes);
            slots.inner[me] = _e225;
            score0_ = 0.0;
            score1_ = 0.0;
            score2_ = 0.0;
            score3_ = 0.0;
            u = 0u;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e765 = u;
                    u = _e765 + 4u;
                }
                loop_init_3 = false;
                uint _e238 = u;
                if (_e238 < KU) {
                } else {
                    break;
                }
                {
                    uint _e244 = p.place.keys;
                    uint _e248 = p.place.key_scales;
                    uint _e250 = u;
                    type_7 _e255 = eight(_e244, _e248, _e225, KU, metal::min(_e250 + 0u, 15u), cache, _buffer_sizes);
                    uint _e259 = p.place.keys;
                    uint _e263 = p.place.key_scales;
                    uint _e265 = u;
                    type_7 _e270 = eight(_e259, _e263, _e225, KU, metal::min(_e265 + 1u, 15u), cache, _buffer_sizes);
                    uint _e274 = p.place.keys;
                    uint _e278 = p.place.key_scales;
                    uint _e280 = u;
                    type_7 _e285 = eight(_e274, _e278, _e225, KU, metal::min(_e280 + 2u, 15u), cache, _buffer_sizes);
                    uint _e289 = p.place.keys;
                    uint _e293 = p.place.key_scales;
                    uint _e295 = u;
                    type_7 _e300 = eight(_e289, _e293, _e225, KU, metal::min(_e295 + 3u, 15u), cache, _buffer_sizes);
                    float _e301 = score0_;
                    uint _e305 = u;
                    metal::float4 _e312 = query.inner[((0u + _e305) + 0u) * 2u];
                    uint _e317 = u;
                    metal::float4 _e326 = query.inner[(((0u + _e317) + 0u) * 2u) + 1u];
                    score0_ = _e301 + (metal::dot(_e255.inner[0], _e312) + metal::dot(_e255.inner[1], _e326));
                    float _e330 = score1_;
                    uint _e334 = u;
                    metal::float4 _e341 = query.inner[((16u + _e334) + 0u) * 2u];
                    uint _e346 = u;
                    metal::float4 _e355 = query.inner[(((16u + _e346) + 0u) * 2u) + 1u];
                    score1_ = _e330 + (metal::dot(_e255.inner[0], _e341) + metal::dot(_e255.inner[1], _e355));
                    float _e359 = score2_;
                    uint _e363 = u;
                    metal::float4 _e370 = query.inner[((32u + _e363) + 0u) * 2u];
                    uint _e375 = u;
                    metal::float4 _e384 = query.inner[(((32u + _e375) + 0u) * 2u) + 1u];
                    score2_ = _e359 + (metal::dot(_e255.inner[0], _e370) + metal::dot(_e255.inner[1], _e384));
                    float _e388 = score3_;
                    uint _e392 = u;
                    metal::float4 _e399 = query.inner[((48u + _e392) + 0u) * 2u];
                    uint _e404 = u;
                    metal::float4 _e413 = query.inner[(((48u + _e404) + 0u) * 2u) + 1u];
                    score3_ = _e388 + (metal::dot(_e255.inner[0], _e399) + metal::dot(_e255.inner[1], _e413));
                    float _e417 = score0_;
                    uint _e421 = u;
                    metal::float4 _e428 = query.inner[((0u + _e421) + 1u) * 2u];
                    uint _e433 = u;
                    metal::float4 _e442 = query.inner[(((0u + _e433) + 1u) * 2u) + 1u];
                    score0_ = _e417 + (metal::dot(_e270.inner[0], _e428) + metal::dot(_e270.inner[1], _e442));
                    float _e446 = score1_;
                    uint _e450 = u;
                    metal::float4 _e457 = query.inner[((16u + _e450) + 1u) * 2u];
                    uint _e462 = u;
                    metal::float4 _e471 = query.inner[(((16u + _e462) + 1u) * 2u) + 1u];
                    score1_ = _e446 + (metal::dot(_e270.inner[0], _e457) + metal::dot(_e270.inner[1], _e471));
                    float _e475 = score2_;
                    uint _e479 = u;
                    metal::float4 _e486 = query.inner[((32u + _e479) + 1u) * 2u];
                    uint _e491 = u;
                    metal::float4 _e500 = query.inner[(((32u + _e491) + 1u) * 2u) + 1u];
                    score2_ = _e475 + (metal::dot(_e270.inner[0], _e486) + metal::dot(_e270.inner[1], _e500));
                    float _e504 = score3_;
                    uint _e508 = u;
                    metal::float4 _e515 = query.inner[((48u + _e508) + 1u) * 2u];
                    uint _e520 = u;
                    metal::float4 _e529 = query.inner[(((48u + _e520) + 1u) * 2u) + 1u];
                    score3_ = _e504 + (metal::dot(_e270.inner[0], _e515) + metal::dot(_e270.inner[1], _e529));
                    float _e533 = score0_;
                    uint _e537 = u;
                    metal::float4 _e544 = query.inner[((0u + _e537) + 2u) * 2u];
                    uint _e549 = u;
                    metal::float4 _e558 = query.inner[(((0u + _e549) + 2u) * 2u) + 1u];
                    score0_ = _e533 + (metal::dot(_e285.inner[0], _e544) + metal::dot(_e285.inner[1], _e558));
                    float _e562 = score1_;
                    uint _e566 = u;
                    metal::float4 _e573 = query.inner[((16u + _e566) + 2u) * 2u];
                    uint _e578 = u;
                    metal::float4 _e587 = query.inner[(((16u + _e578) + 2u) * 2u) + 1u];
                    score1_ = _e562 + (metal::dot(_e285.inner[0], _e573) + metal::dot(_e285.inner[1], _e587));
                    float _e591 = score2_;
                    uint _e595 = u;
                    metal::float4 _e602 = query.inner[((32u + _e595) + 2u) * 2u];
                    uint _e607 = u;
                    metal::float4 _e616 = query.inner[(((32u + _e607) + 2u) * 2u) + 1u];
                    score2_ = _e591 + (metal::dot(_e285.inner[0], _e602) + metal::dot(_e285.inner[1], _e616));
                    float _e620 = score3_;
                    uint _e624 = u;
                    metal::float4 _e631 = query.inner[((48u + _e624) + 2u) * 2u];
                    uint _e636 = u;
                    metal::float4 _e645 = query.inner[(((48u + _e636) + 2u) * 2u) + 1u];
                    score3_ = _e620 + (metal::dot(_e285.inner[0], _e631) + metal::dot(_e285.inner[1], _e645));
                    float _e649 = score0_;
                    uint _e653 = u;
                    metal::float4 _e660 = query.inner[((0u + _e653) + 3u) * 2u];
                    uint _e665 = u;
                    metal::float4 _e674 = query.inner[(((0u + _e665) + 3u) * 2u) + 1u];
                    score0_ = _e649 + (metal::dot(_e300.inner[0], _e660) + metal::dot(_e300.inner[1], _e674));
                    float _e678 = score1_;
                    uint _e682 = u;
                    metal::float4 _e689 = query.inner[((16u + _e682) + 3u) * 2u];
                    uint _e694 = u;
                    metal::float4 _e703 = query.inner[(((16u + _e694) + 3u) * 2u) + 1u];
                    score1_ = _e678 + (metal::dot(_e300.inner[0], _e689) + metal::dot(_e300.inner[1], _e703));
                    float _e707 = score2_;
                    uint _e711 = u;
                    metal::float4 _e718 = query.inner[((32u + _e711) + 3u) * 2u];
                    uint _e723 = u;
                    metal::float4 _e732 = query.inner[(((32u + _e723) + 3u) * 2u) + 1u];
                    score2_ = _e707 + (metal::dot(_e300.inner[0], _e718) + metal::dot(_e300.inner[1], _e732));
                    float _e736 = score3_;
                    uint _e740 = u;
                    metal::float4 _e747 = query.inner[((48u + _e740) + 3u) * 2u];
                    uint _e752 = u;
                    metal::float4 _e761 = query.inner[(((48u + _e752) + 3u) * 2u) + 1u];
                    score3_ = _e736 + (metal::dot(_e300.inner[0], _e747) + metal::dot(_e300.inner[1], _e761));
                }
            }
            float _e768 = score0_;
            score0_ = (key < end) ? _e768 : -1000000000000000000000000000000.0;
            float _e772 = score0_;
            float unnamed = metal::simd_max(_e772);
            if (lane == 0u) {
                parts_of.inner[0u + subgroup] = unnamed;
            }
            float _e780 = score1_;
            score1_ = (key < end) ? _e780 : -1000000000000000000000000000000.0;
            float _e784 = score1_;
            float unnamed_1 = metal::simd_max(_e784);
            if (lane == 0u) {
                parts_of.inner[16u + subgroup] = unnamed_1;
            }
            float _e792 = score2_;
            score2_ = (key < end) ? _e792 : -1000000000000000000000000000000.0;
            float _e796 = score2_;
            float unnamed_2 = metal::simd_max(_e796);
            if (lane == 0u) {
                parts_of.inner[32u + subgroup] = unnamed_2;
            }
            float _e804 = score3_;
            score3_ = (key < end) ? _e804 : -1000000000000000000000000000000.0;
            float _e808 = score3_;
            float unnamed_3 = metal::simd_max(_e808);
            if (lane == 0u) {
                parts_of.inner[48u + subgroup] = unnamed_3;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            float _e816 = largest0_;
            next0_ = _e816;
            i_2 = 0u;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e836 = i_2;
                    i_2 = _e836 + 1u;
                }
                loop_init_4 = false;
                uint _e820 = i_2;
                if (_e820 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e827 = next0_;
                    uint _e830 = i_2;
                    float _e833 = parts_of.inner[0u + _e830];
                    next0_ = metal::max(_e827, _e833);
                }
            }
            float _e838 = largest0_;
            float _e839 = next0_;
            float shrink0_ = metal::exp(_e838 - _e839);
            float _e842 = next0_;
            largest0_ = _e842;
            float _e843 = score0_;
            float _e844 = next0_;
            float weight0_ = (key < end) ? metal::exp(_e843 - _e844) : 0.0;
            weights.inner[0u + me] = weight0_;
            float _e854 = total0_;
            total0_ = (_e854 * shrink0_) + weight0_;
            metal::float4 _e857 = sum_a0_;
            sum_a0_ = _e857 * shrink0_;
            metal::float4 _e859 = sum_b0_;
            sum_b0_ = _e859 * shrink0_;
            float _e861 = largest1_;
            next1_ = _e861;
            i_3 = 0u;
            uint2 loop_bound_5 = uint2(4294967295u);
            bool loop_init_5 = true;
            while(true) {
                if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                if (!loop_init_5) {
                    uint _e881 = i_3;
                    i_3 = _e881 + 1u;
                }
                loop_init_5 = false;
                uint _e865 = i_3;
                if (_e865 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e872 = next1_;
                    uint _e875 = i_3;
                    float _e878 = parts_of.inner[16u + _e875];
                    next1_ = metal::max(_e872, _e878);
                }
            }
            float _e883 = largest1_;
            float _e884 = next1_;
            float shrink1_ = metal::exp(_e883 - _e884);
            float _e887 = next1_;
            largest1_ = _e887;
            float _e888 = score1_;
            float _e889 = next1_;
            float weight1_ = (key < end) ? metal::exp(_e888 - _e889) : 0.0;
            weights.inner[128u + me] = weight1_;
            float _e899 = total1_;
            total1_ = (_e899 * shrink1_) + weight1_;
            metal::float4 _e902 = sum_a1_;
            sum_a1_ = _e902 * shrink1_;
            metal::float4 _e904 = sum_b1_;
            sum_b1_ = _e904 * shrink1_;
            float _e906 = largest2_;
            next2_ = _e906;
            i_4 = 0u;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e926 = i_4;
                    i_4 = _e926 + 1u;
                }
                loop_init_6 = false;
                uint _e910 = i_4;
                if (_e910 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e917 = next2_;
                    uint _e920 = i_4;
                    float _e923 = parts_of.inner[32u + _e920];
                    next2_ = metal::max(_e917, _e923);
                }
            }
            float _e928 = largest2_;
            float _e929 = next2_;
            float shrink2_ = metal::exp(_e928 - _e929);
            float _e932 = next2_;
            largest2_ = _e932;
            float _e933 = score2_;
            float _e934 = next2_;
            float weight2_ = (key < end) ? metal::exp(_e933 - _e934) : 0.0;
            weights.inner[256u + me] = weight2_;
            float _e944 = total2_;
            total2_ = (_e944 * shrink2_) + weight2_;
            metal::float4 _e947 = sum_a2_;
            sum_a2_ = _e947 * shrink2_;
            metal::float4 _e949 = sum_b2_;
            sum_b2_ = _e949 * shrink2_;
            float _e951 = largest3_;
            next3_ = _e951;
            i_5 = 0u;
            uint2 loop_bound_7 = uint2(4294967295u);
            bool loop_init_7 = true;
            while(true) {
                if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                if (!loop_init_7) {
                    uint _e971 = i_5;
                    i_5 = _e971 + 1u;
                }
                loop_init_7 = false;
                uint _e955 = i_5;
                if (_e955 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e962 = next3_;
                    uint _e965 = i_5;
                    float _e968 = parts_of.inner[48u + _e965];
                    next3_ = metal::max(_e962, _e968);
                }
            }
            float _e973 = largest3_;
            float _e974 = next3_;
            float shrink3_ = metal::exp(_e973 - _e974);
            float _e977 = next3_;
            largest3_ = _e977;
            float _e978 = score3_;
            float _e979 = next3_;
            float weight3_ = (key < end) ? metal::exp(_e978 - _e979) : 0.0;
            weights.inner[384u + me] = weight3_;
            float _e989 = total3_;
            total3_ = (_e989 * shrink3_) + weight3_;
            metal::float4 _e992 = sum_a3_;
            sum_a3_ = _e992 * shrink3_;
            metal::float4 _e994 = sum_b3_;
            sum_b3_ = _e994 * shrink3_;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (key_group < KG) {
                j = key_group;
                uint2 loop_bound_8 = uint2(4294967295u);
                bool loop_init_8 = true;
                while(true) {
                    if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                    loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                    if (!loop_init_8) {
                        uint _e1325 = j;
                        j = _e1325 + 32u;
                    }
                    loop_init_8 = false;
                    uint _e999 = j;
                    uint _e1001 = tile;
                    if (_e999 < metal::min(WG, end - _e1001)) {
                    } else {
                        break;
                    }
                    {
                        uint _e1008 = p.place.values;
                        uint _e1012 = p.place.value_scales;
                        uint _e1014 = j;
                        uint _e1018 = slots.inner[_e1014 + 0u];
                        type_7 _e1020 = eight(_e1008, _e1012, _e1018, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1024 = p.place.values;
                        uint _e1028 = p.place.value_scales;
                        uint _e1030 = j;
                        uint _e1034 = slots.inner[_e1030 + 8u];
                        type_7 _e1036 = eight(_e1024, _e1028, _e1034, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1040 = p.place.values;
                        uint _e1044 = p.place.value_scales;
                        uint _e1046 = j;
                        uint _e1050 = slots.inner[_e1046 + 16u];
                        type_7 _e1052 = eight(_e1040, _e1044, _e1050, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1056 = p.place.values;
                        uint _e1060 = p.place.value_scales;
                        uint _e1062 = j;
                        uint _e1066 = slots.inner[_e1062 + 24u];
                        type_7 _e1068 = eight(_e1056, _e1060, _e1066, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e1071 = j;
                        float w0_0_ = weights.inner[(0u + _e1071) + 0u];
                        metal::float4 _e1077 = sum_a0_;
                        sum_a0_ = _e1077 + (w0_0_ * _e1020.inner[0]);
                        metal::float4 _e1081 = sum_b0_;
                        sum_b0_ = _e1081 + (w0_0_ * _e1020.inner[1]);
                        uint _e1087 = j;
                        float w0_1_ = weights.inner[(128u + _e1087) + 0u];
                        metal::float4 _e1093 = sum_a1_;
                        sum_a1_ = _e1093 + (w0_1_ * _e1020.inner[0]);
                        metal::float4 _e1097 = sum_b1_;
                        sum_b1_ = _e1097 + (w0_1_ * _e1020.inner[1]);
                        uint _e1103 = j;
                        float w0_2_ = weights.inner[(256u + _e1103) + 0u];
                        metal::float4 _e1109 = sum_a2_;
                        sum_a2_ = _e1109 + (w0_2_ * _e1020.inner[0]);
                        metal::float4 _e1113 = sum_b2_;
                        sum_b2_ = _e1113 + (w0_2_ * _e1020.inner[1]);
                        uint _e1119 = j;
                        float w0_3_ = weights.inner[(384u + _e1119) + 0u];
                        metal::float4 _e1125 = sum_a3_;
                        sum_a3_ = _e1125 + (w0_3_ * _e1020.inner[0]);
                        metal::float4 _e1129 = sum_b3_;
                        sum_b3_ = _e1129 + (w0_3_ * _e1020.inner[1]);
                        uint _e1135 = j;
                        float w1_0_ = weights.inner[(0u + _e1135) + 8u];
                        metal::float4 _e1141 = sum_a0_;
                        sum_a0_ = _e1141 + (w1_0_ * _e1036.inner[0]);
                        metal::float4 _e1145 = sum_b0_;
                        sum_b0_ = _e1145 + (w1_0_ * _e1036.inner[1]);
                        uint _e1151 = j;
                        float w1_1_ = weights.inner[(128u + _e1151) + 8u];
                        metal::float4 _e1157 = sum_a1_;
                        sum_a1_ = _e1157 + (w1_1_ * _e1036.inner[0]);
                        metal::float4 _e1161 = sum_b1_;
                        sum_b1_ = _e1161 + (w1_1_ * _e1036.inner[1]);
                        uint _e1167 = j;
                        float w1_2_ = weights.inner[(256u + _e1167) + 8u];
                        metal::float4 _e1173 = sum_a2_;
                        sum_a2_ = _e1173 + (w1_2_ * _e1036.inner[0]);
                        metal::float4 _e1177 = sum_b2_;
                        sum_b2_ = _e1177 + (w1_2_ * _e1036.inner[1]);
                        uint _e1183 = j;
                        float w1_3_ = weights.inner[(384u + _e1183) + 8u];
                        metal::float4 _e1189 = sum_a3_;
                        sum_a3_ = _e1189 + (w1_3_ * _e1036.inner[0]);
                        metal::float4 _e1193 = sum_b3_;
                        sum_b3_ = _e1193 + (w1_3_ * _e1036.inner[1]);
                        uint _e1199 = j;
                        float w2_0_ = weights.inner[(0u + _e1199) + 16u];
                        metal::float4 _e1205 = sum_a0_;
                        sum_a0_ = _e1205 + (w2_0_ * _e1052.inner[0]);
                        metal::float4 _e1209 = sum_b0_;
                        sum_b0_ = _e1209 + (w2_0_ * _e1052.inner[1]);
                        uint _e1215 = j;
                        float w2_1_ = weights.inner[(128u + _e1215) + 16u];
                        metal::float4 _e1221 = sum_a1_;
                        sum_a1_ = _e1221 + (w2_1_ * _e1052.inner[0]);
                        metal::float4 _e1225 = sum_b1_;
                        sum_b1_ = _e1225 + (w2_1_ * _e1052.inner[1]);
                        uint _e1231 = j;
                        float w2_2_ = weights.inner[(256u + _e1231) + 16u];
                        metal::float4 _e1237 = sum_a2_;
                        sum_a2_ = _e1237 + (w2_2_ * _e1052.inner[0]);
                        metal::float4 _e1241 = sum_b2_;
                        sum_b2_ = _e1241 + (w2_2_ * _e1052.inner[1]);
                        uint _e1247 = j;
                        float w2_3_ = weights.inner[(384u + _e1247) + 16u];
                        metal::float4 _e1253 = sum_a3_;
                        sum_a3_ = _e1253 + (w2_3_ * _e1052.inner[0]);
                        metal::float4 _e1257 = sum_b3_;
                        sum_b3_ = _e1257 + (w2_3_ * _e1052.inner[1]);
                        uint _e1263 = j;
                        float w3_0_ = weights.inner[(0u + _e1263) + 24u];
                        metal::float4 _e1269 = sum_a0_;
                        sum_a0_ = _e1269 + (w3_0_ * _e1068.inner[0]);
                        metal::float4 _e1273 = sum_b0_;
                        sum_b0_ = _e1273 + (w3_0_ * _e1068.inner[1]);
                        uint _e1279 = j;
                        float w3_1_ = weights.inner[(128u + _e1279) + 24u];
                        metal::float4 _e1285 = sum_a1_;
                        sum_a1_ = _e1285 + (w3_1_ * _e1068.inner[0]);
                        metal::float4 _e1289 = sum_b1_;
                        sum_b1_ = _e1289 + (w3_1_ * _e1068.inner[1]);
                        uint _e1295 = j;
                        float w3_2_ = weights.inner[(256u + _e1295) + 24u];
                        metal::float4 _e1301 = sum_a2_;
                        sum_a2_ = _e1301 + (w3_2_ * _e1068.inner[0]);
                        metal::float4 _e1305 = sum_b2_;
                        sum_b2_ = _e1305 + (w3_2_ * _e1068.inner[1]);
                        uint _e1311 = j;
                        float w3_3_ = weights.inner[(384u + _e1311) + 24u];
                        metal::float4 _e1317 = sum_a3_;
                        sum_a3_ = _e1317 + (w3_3_ * _e1068.inner[0]);
                        metal::float4 _e1321 = sum_b3_;
                        sum_b3_ = _e1321 + (w3_3_ * _e1068.inner[1]);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    float _e1331 = total0_;
    float unnamed_4 = metal::simd_sum(_e1331);
    if (lane == 0u) {
        parts_of.inner[0u + subgroup] = unnamed_4;
    }
    float _e1339 = total1_;
    float unnamed_5 = metal::simd_sum(_e1339);
    if (lane == 0u) {
        parts_of.inner[16u + subgroup] = unnamed_5;
    }
    float _e1347 = total2_;
    float unnamed_6 = metal::simd_sum(_e1347);
    if (lane == 0u) {
        parts_of.inner[32u + subgroup] = unnamed_6;
    }
    float _e1355 = total3_;
    float unnamed_7 = metal::simd_sum(_e1355);
    if (lane == 0u) {
        parts_of.inner[48u + subgroup] = unnamed_7;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (true) {
        metal::float4 _e1370 = sum_a0_;
        gathered.inner[(0u + me) * 2u] = _e1370;
        metal::float4 _e1379 = sum_b0_;
        gathered.inner[((0u + me) * 2u) + 1u] = _e1379;
    }
    if (true) {
        metal::float4 _e1387 = sum_a1_;
        gathered.inner[(128u + me) * 2u] = _e1387;
        metal::float4 _e1396 = sum_b1_;
        gathered.inner[((128u + me) * 2u) + 1u] = _e1396;
    }
    if (true) {
        metal::float4 _e1404 = sum_a2_;
        gathered.inner[(256u + me) * 2u] = _e1404;
        metal::float4 _e1413 = sum_b2_;
        gathered.inner[((256u + me) * 2u) + 1u] = _e1413;
    }
    if (true) {
        metal::float4 _e1421 = sum_a3_;
        gathered.inner[(384u + me) * 2u] = _e1421;
        metal::float4 _e1430 = sum_b3_;
        gathered.inner[((384u + me) * 2u) + 1u] = _e1430;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i_6 = me;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1559 = i_6;
            i_6 = _e1559 + WG;
        }
        loop_init_9 = false;
        uint _e1432 = i_6;
        if (_e1432 < 64u) {
        } else {
            break;
        }
        {
            uint _e1436 = i_6;
            uint g_2 = 0u + naga_div(_e1436, VU);
            if (g_2 < heads_1) {
                uint _e1441 = i_6;
                uint _e1446 = i_6;
                uint first_of = (naga_div(_e1441, VU) * WG) + naga_mod(_e1446, VU);
                a = metal::float4(0.0);
                b = metal::float4(0.0);
                k = 0u;
                uint2 loop_bound_10 = uint2(4294967295u);
                bool loop_init_10 = true;
                while(true) {
                    if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                    loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                    if (!loop_init_10) {
                        uint _e1486 = k;
                        k = _e1486 + 1u;
                    }
                    loop_init_10 = false;
                    uint _e1458 = k;
                    if (_e1458 < KG) {
                    } else {
                        break;
                    }
                    {
                        metal::float4 _e1461 = a;
                        uint _e1463 = k;
                        metal::float4 _e1470 = gathered.inner[(first_of + (_e1463 * VU)) * 2u];
                        a = _e1461 + _e1470;
                        metal::float4 _e1472 = b;
                        uint _e1474 = k;
                        metal::float4 _e1483 = gathered.inner[((first_of + (_e1474 * VU)) * 2u) + 1u];
                        b = _e1472 + _e1483;
                    }
                }
                uint _e1490 = p.parts;
                uint _e1493 = p.heads;
                uint _e1499 = step[3];
                uint _e1507 = i_6;
                uint to = ((_e1490 + ((((((row_1 * _e1493) + head_1) + g_2) * _e1499) + split) * 130u)) + 2u) + (naga_mod(_e1507, VU) * 8u);
                float _e1516 = a.x;
                act[to] = _e1516;
                float _e1522 = a.y;
                act[to + 1u] = _e1522;
                float _e1528 = a.z;
                act[to + 2u] = _e1528;
                float _e1534 = a.w;
                act[to + 3u] = _e1534;
                float _e1540 = b.x;
                act[to + 4u] = _e1540;
                float _e1546 = b.y;
                act[to + 5u] = _e1546;
                float _e1552 = b.z;
                act[to + 6u] = _e1552;
                float _e1558 = b.w;
                act[to + 7u] = _e1558;
            }
        }
    }
    if (me == 0u) {
        local_1 = 0u < heads_1;
    } else {
        local_1 = false;
    }
    bool _e1569 = local_1;
    if (_e1569) {
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1590 = i_7;
                i_7 = _e1590 + 1u;
            }
            loop_init_11 = false;
            uint _e1574 = i_7;
            if (_e1574 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1581 = sum;
                uint _e1584 = i_7;
                float _e1587 = parts_of.inner[0u + _e1584];
                sum = _e1581 + _e1587;
            }
        }
        uint _e1594 = p.parts;
        uint _e1597 = p.heads;
        uint _e1604 = step[3];
        uint to_1 = _e1594 + ((((((row_1 * _e1597) + head_1) + 0u) * _e1604) + split) * 130u);
        float _e1612 = largest0_;
        act[to_1] = _e1612;
        float _e1617 = sum;
        act[to_1 + 1u] = _e1617;
    }
    if (me == 1u) {
        local_2 = 1u < heads_1;
    } else {
        local_2 = false;
    }
    bool _e1625 = local_2;
    if (_e1625) {
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1646 = i_8;
                i_8 = _e1646 + 1u;
            }
            loop_init_12 = false;
            uint _e1630 = i_8;
            if (_e1630 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1637 = sum_1;
                uint _e1640 = i_8;
                float _e1643 = parts_of.inner[16u + _e1640];
                sum_1 = _e1637 + _e1643;
            }
        }
        uint _e1650 = p.parts;
        uint _e1653 = p.heads;
        uint _e1660 = step[3];
        uint to_2 = _e1650 + ((((((row_1 * _e1653) + head_1) + 1u) * _e1660) + split) * 130u);
        float _e1668 = largest1_;
        act[to_2] = _e1668;
        float _e1673 = sum_1;
        act[to_2 + 1u] = _e1673;
    }
    if (me == 2u) {
        local_3 = 2u < heads_1;
    } else {
        local_3 = false;
    }
    bool _e1681 = local_3;
    if (_e1681) {
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1702 = i_9;
                i_9 = _e1702 + 1u;
            }
            loop_init_13 = false;
            uint _e1686 = i_9;
            if (_e1686 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1693 = sum_2;
                uint _e1696 = i_9;
                float _e1699 = parts_of.inner[32u + _e1696];
                sum_2 = _e1693 + _e1699;
            }
        }
        uint _e1706 = p.parts;
        uint _e1709 = p.heads;
        uint _e1716 = step[3];
        uint to_3 = _e1706 + ((((((row_1 * _e1709) + head_1) + 2u) * _e1716) + split) * 130u);
        float _e1724 = largest2_;
        act[to_3] = _e1724;
        float _e1729 = sum_2;
        act[to_3 + 1u] = _e1729;
    }
    if (me == 3u) {
        local_4 = 3u < heads_1;
    } else {
        local_4 = false;
    }
    bool _e1737 = local_4;
    if (_e1737) {
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1758 = i_10;
                i_10 = _e1758 + 1u;
            }
            loop_init_14 = false;
            uint _e1742 = i_10;
            if (_e1742 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e1749 = sum_3;
                uint _e1752 = i_10;
                float _e1755 = parts_of.inner[48u + _e1752];
                sum_3 = _e1749 + _e1755;
            }
        }
        uint _e1762 = p.parts;
        uint _e1765 = p.heads;
        uint _e1772 = step[3];
        uint to_4 = _e1762 + ((((((row_1 * _e1765) + head_1) + 3u) * _e1772) + split) * 130u);
        float _e1780 = largest3_;
        act[to_4] = _e1780;
        float _e1785 = sum_3;
        act[to_4 + 1u] = _e1785;
        return;
    } else {
        return;
    }
}
