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
struct type_10 {
    metal::half4 inner[2176];
};
struct type_11 {
    metal::half4 inner[1088];
};
struct type_12 {
    float inner[2048];
};
struct type_13 {
    metal::half4 inner[640];
};
struct type_15 {
    metal::float2 inner[128];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint NH = 4u;
constant uint KSQ = 8u;
constant uint VSQ = 8u;
constant uint CACHE = 1u;
constant uint KEY_DIM = 128u;
constant uint VALUE_DIM = 128u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint QS = 34u;
constant uint TS = 34u;
constant uint PS = 10u;

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
    uint u,
    device type_5 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    if (false) {
        uint at = naga_div(plane, 4u) + (((slot * units) + u) * 2u);
        metal::uint4 _e15 = cache[at];
        metal::uint4 _e21 = cache[at + 1u];
        return type_7 {{as_type<metal::float4>(_e15), as_type<metal::float4>(_e21)}};
    } else {
        if (true) {
            metal::uint4 w_1 = cache[(naga_div(plane, 4u) + (slot * units)) + u];
            return type_7 {{metal::float4(float2(as_type<half2>(w_1.x)), float2(as_type<half2>(w_1.y))), metal::float4(float2(as_type<half2>(w_1.z)), float2(as_type<half2>(w_1.w)))}};
        }
    }
    uint blocks = naga_div(units + 3u, 4u);
    metal::uint4 w_2 = cache[(naga_div(plane, 4u) + ((slot * blocks) * 2u)) + naga_div(u, 2u)];
    metal::uint2 pair = ((u & 1u) == 1u) ? w_2.zw : w_2.xy;
    uint i_2 = (scales + (slot * blocks)) + naga_div(u, 4u);
    uint _e79 = cache[naga_div(i_2, 4u)][naga_mod(i_2, 4u)];
    float scale = as_type<float>(_e79);
    return type_7 {{static_cast<metal::float4>(int4(as_type<packed_char4>(pair.x))) * scale, static_cast<metal::float4>(int4(as_type<packed_char4>(pair.y))) * scale}};
}

void load(
    uint plane_1,
    uint scales_1,
    uint units_1,
    uint first,
    uint end,
    uint table_1,
    uint kv_head,
    uint me_1,
    device type_1 const& step,
    device type_5 const& cache,
    constant Params& p,
    threadgroup type_11& tile,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_1 = {};
    i_1 = me_1;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e48 = i_1;
            i_1 = _e48 + WG;
        }
        loop_init = false;
        uint _e9 = i_1;
        if (_e9 < (32u * units_1)) {
        } else {
            break;
        }
        {
            uint _e13 = i_1;
            uint _e21 = p.block_len;
            uint _e24 = p.kv_heads;
            uint _e25 = slot_of(table_1, metal::min(first + naga_div(_e13, units_1), end - 1u), _e21, _e24, kv_head, step, _buffer_sizes);
            uint _e26 = i_1;
            type_7 _e28 = eight(plane_1, scales_1, _e25, units_1, naga_mod(_e26, units_1), cache, _buffer_sizes);
            uint _e29 = i_1;
            uint _e33 = i_1;
            uint to = (naga_div(_e29, units_1) * TS) + (naga_mod(_e33, units_1) * 2u);
            tile.inner[to] = static_cast<metal::half4>(_e28.inner[0]);
            tile.inner[to + 1u] = static_cast<metal::half4>(_e28.inner[1]);
        }
    }
    return;
}
metal::simdgroup_half16x16 NagaCooperativeLoad(const threadgroup half* ptr, int stride, bool is_row_major) {
    metal::simdgroup_half16x16 m;
    simdgroup_load(m, ptr, stride, 0, is_row_major);
    return m;
}

metal::simdgroup_float16x16 NagaCooperativeMultiplyAdd(const thread metal::simdgroup_half16x16& a, const thread metal::simdgroup_half16x16& b, const thread metal::simdgroup_float16x16& c) {
    metal::simdgroup_float16x16 d;
    simdgroup_multiply_accumulate(d,a,b,c);
    return d;
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5 const& cache [[user(fake0)]]
, device type_8& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, threadgroup type_10& queries
, threadgroup type_11& tile
, threadgroup type_12& scores
, threadgroup type_13& shares
, threadgroup type_15& halves
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    float largest = -1000000000000000000000000000000.0;
    float total = 0.0;
    uint k0_ = {};
    metal::simdgroup_float16x16 a0_ = {};
    metal::simdgroup_float16x16 a1_ = {};
    float most = {};
    uint j = {};
    bool local = {};
    bool local_1 = {};
    uint j_1 = {};
    bool local_2 = {};
    bool local_3 = {};
    metal::simdgroup_float16x16 o0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o3_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o4_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o5_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o6_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o7_ = metal::simdgroup_float16x16 {};
    uint k0_1 = {};
    metal::simdgroup_float16x16 a0_1 = {};
    metal::simdgroup_float16x16 a1_1 = {};
    uint j_2 = {};
    metal::float4 w = {};
    uint e = {};
    bool local_4 = {};
    bool local_5 = {};
    bool local_6 = {};
    uint e_1 = {};
    uint e_2 = {};
    uint e_3 = {};
    uint e_4 = {};
    uint e_5 = {};
    uint e_6 = {};
    uint e_7 = {};
    uint e_8 = {};
    uint _e7 = step[11];
    uint row0_ = step[_e7 + (group.z * 2u)];
    uint _e17 = step[11];
    uint rows = step[(_e17 + (group.z * 2u)) + 1u];
    uint split = group.y;
    uint _e29 = p.heads;
    uint _e32 = p.kv_heads;
    uint shared_by = naga_div(_e29, _e32);
    uint chunks = naga_div(shared_by, NH);
    uint kv_head_1 = naga_div(group.x, chunks);
    uint head0_ = (kv_head_1 * shared_by) + (naga_mod(group.x, chunks) * NH);
    uint _e46 = p.windowed;
    uint _e47 = table_of(row0_, _e46, step, _buffer_sizes);
    uint _e51 = step[5];
    uint position0_ = step[_e51 + row0_];
    uint _e62 = p.window;
    uint _e67 = p.window;
    uint seen = (_e67 > 0u) ? ((position0_ + 1u) - metal::min(position0_ + 1u, _e62)) : 0u;
    uint _e73 = step[2];
    uint first_1 = seen + (split * _e73);
    uint _e79 = step[2];
    uint end_1 = metal::min(position0_ + rows, first_1 + _e79);
    i = me;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e144 = i;
            i = _e144 + WG;
        }
        loop_init_1 = false;
        uint _e83 = i;
        if (_e83 < 2048u) {
        } else {
            break;
        }
        {
            uint _e86 = i;
            uint r = naga_div(_e86, 32u);
            uint _e89 = i;
            uint d = naga_mod(_e89, 32u);
            uint _e94 = p.q;
            uint _e103 = p.heads;
            uint at_1 = (_e94 + (((((row0_ + metal::min(naga_mod(r, 16u), rows - 1u)) * _e103) + head0_) + naga_div(r, 16u)) * KEY_DIM)) + (d * 4u);
            float _e122 = act[at_1];
            float _e127 = act[at_1 + 1u];
            float _e132 = act[at_1 + 2u];
            float _e137 = act[at_1 + 3u];
            float _e141 = p.scale;
            queries.inner[(r * QS) + d] = static_cast<metal::half4>(metal::float4(_e122, _e127, _e132, _e137) * _e141);
        }
    }
    uint token = naga_div(lane, 2u);
    uint half_ = naga_mod(lane, 2u);
    uint position_1 = position0_ + token;
    uint _e159 = p.window;
    uint _e164 = p.window;
    uint low = (_e164 > 0u) ? ((position_1 + 1u) - metal::min(position_1 + 1u, _e159)) : 0u;
    uint mine = ((subgroup * 512u) + (token * 32u)) + (half_ * 16u);
    uint queries_at = (subgroup * 16u) * QS;
    uint s0_ = subgroup * 512u;
    uint s1_ = (subgroup * 512u) + 16u;
    k0_ = first_1;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e455 = k0_;
            k0_ = _e455 + 32u;
        }
        loop_init_2 = false;
        uint _e191 = k0_;
        if (_e191 < end_1) {
        } else {
            break;
        }
        {
            uint _e196 = p.place.keys;
            uint _e200 = p.place.key_scales;
            uint _e202 = k0_;
            load(_e196, _e200, 16u, _e202, end_1, _e47, kv_head_1, me, step, cache, p, tile, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            a0_ = metal::simdgroup_float16x16 {};
            a1_ = metal::simdgroup_float16x16 {};
            uint qa0_ = queries_at + 0u;
            metal::simdgroup_half16x16 q0_ = NagaCooperativeLoad(&queries.inner[qa0_], QS, false);
            metal::simdgroup_half16x16 b0_ = NagaCooperativeLoad(&tile.inner[0u], TS, true);
            metal::simdgroup_half16x16 c0_ = NagaCooperativeLoad(&tile.inner[544u], TS, true);
            metal::simdgroup_float16x16 _e223 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_, b0_, _e223);
            metal::simdgroup_float16x16 _e225 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q0_, c0_, _e225);
            uint qa1_ = queries_at + 4u;
            metal::simdgroup_half16x16 q1_ = NagaCooperativeLoad(&queries.inner[qa1_], QS, false);
            metal::simdgroup_half16x16 b1_ = NagaCooperativeLoad(&tile.inner[4u], TS, true);
            metal::simdgroup_half16x16 c1_ = NagaCooperativeLoad(&tile.inner[548u], TS, true);
            metal::simdgroup_float16x16 _e243 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q1_, b1_, _e243);
            metal::simdgroup_float16x16 _e245 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_, c1_, _e245);
            uint qa2_ = queries_at + 8u;
            metal::simdgroup_half16x16 q2_ = NagaCooperativeLoad(&queries.inner[qa2_], QS, false);
            metal::simdgroup_half16x16 b2_ = NagaCooperativeLoad(&tile.inner[8u], TS, true);
            metal::simdgroup_half16x16 c2_ = NagaCooperativeLoad(&tile.inner[552u], TS, true);
            metal::simdgroup_float16x16 _e263 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q2_, b2_, _e263);
            metal::simdgroup_float16x16 _e265 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q2_, c2_, _e265);
            uint qa3_ = queries_at + 12u;
            metal::simdgroup_half16x16 q3_ = NagaCooperativeLoad(&queries.inner[qa3_], QS, false);
            metal::simdgroup_half16x16 b3_ = NagaCooperativeLoad(&tile.inner[12u], TS, true);
            metal::simdgroup_half16x16 c3_ = NagaCooperativeLoad(&tile.inner[556u], TS, true);
            metal::simdgroup_float16x16 _e283 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q3_, b3_, _e283);
            metal::simdgroup_float16x16 _e285 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q3_, c3_, _e285);
            uint qa4_ = queries_at + 16u;
            metal::simdgroup_half16x16 q4_ = NagaCooperativeLoad(&queries.inner[qa4_], QS, false);
            metal::simdgroup_half16x16 b4_ = NagaCooperativeLoad(&tile.inner[16u], TS, true);
            metal::simdgroup_half16x16 c4_ = NagaCooperativeLoad(&tile.inner[560u], TS, true);
            metal::simdgroup_float16x16 _e303 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q4_, b4_, _e303);
            metal::simdgroup_float16x16 _e305 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q4_, c4_, _e305);
            uint qa5_ = queries_at + 20u;
            metal::simdgroup_half16x16 q5_ = NagaCooperativeLoad(&queries.inner[qa5_], QS, false);
            metal::simdgroup_half16x16 b5_ = NagaCooperativeLoad(&tile.inner[20u], TS, true);
            metal::simdgroup_half16x16 c5_ = NagaCooperativeLoad(&tile.inner[564u], TS, true);
            metal::simdgroup_float16x16 _e323 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q5_, b5_, _e323);
            metal::simdgroup_float16x16 _e325 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q5_, c5_, _e325);
            uint qa6_ = queries_at + 24u;
            metal::simdgroup_half16x16 q6_ = NagaCooperativeLoad(&queries.inner[qa6_], QS, false);
            metal::simdgroup_half16x16 b6_ = NagaCooperativeLoad(&tile.inner[24u], TS, true);
            metal::simdgroup_half16x16 c6_ = NagaCooperativeLoad(&tile.inner[568u], TS, true);
            metal::simdgroup_float16x16 _e343 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q6_, b6_, _e343);
            metal::simdgroup_float16x16 _e345 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q6_, c6_, _e345);
            uint qa7_ = queries_at + 28u;
            metal::simdgroup_half16x16 q7_ = NagaCooperativeLoad(&queries.inner[qa7_], QS, false);
            metal::simdgroup_half16x16 b7_ = NagaCooperativeLoad(&tile.inner[28u], TS, true);
            metal::simdgroup_half16x16 c7_ = NagaCooperativeLoad(&tile.inner[572u], TS, true);
            metal::simdgroup_float16x16 _e363 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q7_, b7_, _e363);
            metal::simdgroup_float16x16 _e365 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q7_, c7_, _e365);
            metal::simdgroup_float16x16 _e367 = a0_;
            simdgroup_store(_e367, &scores.inner[s0_], 32u);
            metal::simdgroup_float16x16 _e371 = a1_;
            simdgroup_store(_e371, &scores.inner[s1_], 32u);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            float _e375 = largest;
            most = _e375;
            j = 0u;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e409 = j;
                    j = _e409 + 1u;
                }
                loop_init_3 = false;
                uint _e379 = j;
                if (_e379 < 16u) {
                } else {
                    break;
                }
                {
                    uint _e382 = k0_;
                    uint _e386 = j;
                    uint key = (_e382 + (half_ * 16u)) + _e386;
                    float _e388 = most;
                    float _e389 = most;
                    uint _e391 = j;
                    float _e394 = scores.inner[mine + _e391];
                    if (key < end_1) {
                        local = key <= position_1;
                    } else {
                        local = false;
                    }
                    bool _e401 = local;
                    if (_e401) {
                        local_1 = key >= low;
                    } else {
                        local_1 = false;
                    }
                    bool _e406 = local_1;
                    most = _e406 ? metal::max(_e389, _e394) : _e388;
                }
            }
            float _e411 = total;
            float _e412 = largest;
            float _e413 = most;
            total = _e411 * metal::exp(_e412 - _e413);
            j_1 = 0u;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e452 = j_1;
                    j_1 = _e452 + 1u;
                }
                loop_init_4 = false;
                uint _e419 = j_1;
                if (_e419 < 16u) {
                } else {
                    break;
                }
                {
                    uint _e422 = k0_;
                    uint _e426 = j_1;
                    uint key_1 = (_e422 + (half_ * 16u)) + _e426;
                    float _e428 = total;
                    uint _e430 = j_1;
                    float _e433 = scores.inner[mine + _e430];
                    float _e434 = most;
                    if (key_1 < end_1) {
                        local_2 = key_1 <= position_1;
                    } else {
                        local_2 = false;
                    }
                    bool _e442 = local_2;
                    if (_e442) {
                        local_3 = key_1 >= low;
                    } else {
                        local_3 = false;
                    }
                    bool _e447 = local_3;
                    total = _e428 + (_e447 ? metal::exp(_e433 - _e434) : 0.0);
                }
            }
            float _e454 = most;
            largest = _e454;
        }
    }
    float _e463 = largest;
    float _e464 = total;
    halves.inner[(subgroup * 32u) + lane] = metal::float2(_e463, _e464);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::float2 other = halves.inner[(subgroup * 32u) + (lane ^ 1u)];
    float _e474 = largest;
    float most_1 = metal::max(_e474, other.x);
    float _e477 = total;
    float _e478 = largest;
    total = (_e477 * metal::exp(_e478 - most_1)) + (other.y * metal::exp(other.x - most_1));
    uint w0_ = (subgroup * 16u) * PS;
    uint w1_ = ((subgroup * 16u) * PS) + 4u;
    k0_1 = first_1;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e898 = k0_1;
            k0_1 = _e898 + 32u;
        }
        loop_init_5 = false;
        uint _e515 = k0_1;
        if (_e515 < end_1) {
        } else {
            break;
        }
        {
            uint _e520 = p.place.keys;
            uint _e524 = p.place.key_scales;
            uint _e526 = k0_1;
            load(_e520, _e524, 16u, _e526, end_1, _e47, kv_head_1, me, step, cache, p, tile, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            a0_1 = metal::simdgroup_float16x16 {};
            a1_1 = metal::simdgroup_float16x16 {};
            uint qa0_1 = queries_at + 0u;
            metal::simdgroup_half16x16 q0_1 = NagaCooperativeLoad(&queries.inner[qa0_1], QS, false);
            metal::simdgroup_half16x16 b0_1 = NagaCooperativeLoad(&tile.inner[0u], TS, true);
            metal::simdgroup_half16x16 c0_1 = NagaCooperativeLoad(&tile.inner[544u], TS, true);
            metal::simdgroup_float16x16 _e547 = a0_1;
            a0_1 = NagaCooperativeMultiplyAdd(q0_1, b0_1, _e547);
            metal::simdgroup_float16x16 _e549 = a1_1;
            a1_1 = NagaCooperativeMultiplyAdd(q0_1, c0_1, _e549);
            uint qa1_1 = queries_at + 4u;
            metal::simdgroup_half16x16 q1_1 = NagaCooperativeLoad(&queries.inner[qa1_1], QS, false);
            metal::simdgroup_half16x16 b1_1 = NagaCooperativeLoad(&tile.inner[4u], TS, true);
            metal::simdgroup_half16x16 c1_1 = NagaCooperativeLoad(&tile.inner[548u], TS, true);
            metal::simdgroup_float16x16 _e567 = a0_1;
            a0_1 = NagaCooperativeMultiplyAdd(q1_1, b1_1, _e567);
            metal::simdgroup_float16x16 _e569 = a1_1;
            a1_1 = NagaCooperativeMultiplyAdd(q1_1, c1_1, _e569);
            uint qa2_1 = queries_at + 8u;
            metal::simdgroup_half16x16 q2_1 = NagaCooperativeLoad(&queries.inner[qa2_1], QS, false);
            metal::simdgroup_half16x16 b2_1 = NagaCooperativeLoad(&tile.inner[8u], TS, true);
            metal::simdgroup_half16x16 c2_1 = NagaCooperativeLoad(&tile.inner[552u], TS, true);
            metal::simdgroup_float16x16 _e587 = a0_1;
            a0_1 = NagaCooperativeMultiplyAdd(q2_1, b2_1, _e587);
            metal::simdgroup_float16x16 _e589 = a1_1;
            a1_1 = NagaCooperativeMultiplyAdd(q2_1, c2_1, _e589);
            uint qa3_1 = queries_at + 12u;
            metal::simdgroup_half16x16 q3_1 = NagaCooperativeLoad(&queries.inner[qa3_1], QS, false);
            metal::simdgroup_half16x16 b3_1 = NagaCooperativeLoad(&tile.inner[12u], TS, true);
            metal::simdgroup_half16x16 c3_1 = NagaCooperativeLoad(&tile.inner[556u], TS, true);
            metal::simdgroup_float16x16 _e607 = a0_1;
            a0_1 = NagaCooperativeMultiplyAdd(q3_1, b3_1, _e607);
            metal::simdgroup_float16x16 _e609 = a1_1;
            a1_1 = NagaCooperativeMultiplyAdd(q3_1, c3_1, _e609);
            uint qa4_1 = queries_at + 16u;
            metal::simdgroup_half16x16 q4_1 = NagaCooperativeLoad(&queries.inner[qa4_1], QS, false);
            metal::simdgroup_half16x16 b4_1 = NagaCooperativeLoad(&tile.inner[16u], TS, true);
            metal::simdgroup_half16x16 c4_1 = NagaCooperativeLoad(&tile.inner[560u], TS, true);
            metal::simdgroup_float16x16 _e627 = a0_1;
            a0_1 = NagaCooperativeMultiplyAdd(q4_1, b4_1, _e627);
            metal::simdgroup_float16x16 _e629 = a1_1;
            a1_1 = NagaCooperativeMultiplyAdd(q4_1, c4_1, _e629);
            uint qa5_1 = queries_at + 20u;
            metal::simdgroup_half16x16 q5_1 = NagaCooperativeLoad(&queries.inner[qa5_1], QS, false);
            metal::simdgroup_half16x16 b5_1 = NagaCooperativeLoad(&tile.inner[20u], TS, true);
            metal::simdgroup_half16x16 c5_1 = NagaCooperativeLoad(&tile.inner[564u], TS, true);
            metal::simdgroup_float16x16 _e647 = a0_1;
            a0_1 = NagaCooperativeMultiplyAdd(q5_1, b5_1, _e647);
            metal::simdgroup_float16x16 _e649 = a1_1;
            a1_1 = NagaCooperativeMultiplyAdd(q5_1, c5_1, _e649);
            uint qa6_1 = queries_at + 24u;
            metal::simdgroup_half16x16 q6_1 = NagaCooperativeLoad(&queries.inner[qa6_1], QS, false);
            metal::simdgroup_half16x16 b6_1 = NagaCooperativeLoad(&tile.inner[24u], TS, true);
            metal::simdgroup_half16x16 c6_1 = NagaCooperativeLoad(&tile.inner[568u], TS, true);
            metal::simdgroup_float16x16 _e667 = a0_1;
            a0_1 = NagaCooperativeMultiplyAdd(q6_1, b6_1, _e667);
            metal::simdgroup_float16x16 _e669 = a1_1;
            a1_1 = NagaCooperativeMultiplyAdd(q6_1, c6_1, _e669);
            uint qa7_1 = queries_at + 28u;
            metal::simdgroup_half16x16 q7_1 = NagaCooperativeLoad(&queries.inner[qa7_1], QS, false);
            metal::simdgroup_half16x16 b7_1 = NagaCooperativeLoad(&tile.inner[28u], TS, true);
            metal::simdgroup_half16x16 c7_1 = NagaCooperativeLoad(&tile.inner[572u], TS, true);
            metal::simdgroup_float16x16 _e687 = a0_1;
            a0_1 = NagaCooperativeMultiplyAdd(q7_1, b7_1, _e687);
            metal::simdgroup_float16x16 _e689 = a1_1;
            a1_1 = NagaCooperativeMultiplyAdd(q7_1, c7_1, _e689);
            metal::simdgroup_float16x16 _e691 = a0_1;
            simdgroup_store(_e691, &scores.inner[s0_], 32u);
            metal::simdgroup_float16x16 _e695 = a1_1;
            simdgroup_store(_e695, &scores.inner[s1_], 32u);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            j_2 = 0u;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e766 = j_2;
                    j_2 = _e766 + 1u;
                }
                loop_init_6 = false;
                uint _e701 = j_2;
                if (_e701 < 4u) {
                } else {
                    break;
                }
                {
                    w = metal::float4(0.0);
                    e = 0u;
                    uint2 loop_bound_7 = uint2(4294967295u);
                    bool loop_init_7 = true;
                    while(true) {
                        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                        if (!loop_init_7) {
                            uint _e749 = e;
                            e = _e749 + 1u;
                        }
                        loop_init_7 = false;
                        uint _e709 = e;
                        if (_e709 < 4u) {
                        } else {
                            break;
                        }
                        {
                            uint _e712 = k0_1;
                            uint _e716 = j_2;
                            uint _e720 = e;
                            uint key_2 = ((_e712 + (half_ * 16u)) + (_e716 * 4u)) + _e720;
                            uint _e722 = e;
                            uint _e725 = j_2;
                            uint _e729 = e;
                            float _e732 = scores.inner[(mine + (_e725 * 4u)) + _e729];
                            if (key_2 < end_1) {
                                local_4 = key_2 <= position_1;
                            } else {
                                local_4 = false;
                            }
                            bool _e740 = local_4;
                            if (_e740) {
                                local_5 = key_2 >= low;
                            } else {
                                local_5 = false;
                            }
                            bool _e745 = local_5;
                            w[_e722] = _e745 ? metal::exp(_e732 - most_1) : 0.0;
                        }
                    }
                    uint _e760 = j_2;
                    metal::float4 _e763 = w;
                    shares.inner[((((subgroup * 16u) + token) * PS) + (half_ * 4u)) + _e760] = static_cast<metal::half4>(_e763);
                }
            }
            uint _e771 = p.place.values;
            uint _e775 = p.place.value_scales;
            uint _e777 = k0_1;
            load(_e771, _e775, 16u, _e777, end_1, _e47, kv_head_1, me, step, cache, p, tile, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::simdgroup_half16x16 wa = NagaCooperativeLoad(&shares.inner[w0_], PS, false);
            metal::simdgroup_half16x16 wb = NagaCooperativeLoad(&shares.inner[w1_], PS, false);
            metal::simdgroup_half16x16 v0_ = NagaCooperativeLoad(&tile.inner[0u], TS, false);
            metal::simdgroup_half16x16 u0_ = NagaCooperativeLoad(&tile.inner[544u], TS, false);
            metal::simdgroup_float16x16 _e796 = o0_;
            o0_ = NagaCooperativeMultiplyAdd(wa, v0_, _e796);
            metal::simdgroup_float16x16 _e798 = o0_;
            o0_ = NagaCooperativeMultiplyAdd(wb, u0_, _e798);
            metal::simdgroup_half16x16 v1_ = NagaCooperativeLoad(&tile.inner[4u], TS, false);
            metal::simdgroup_half16x16 u1_ = NagaCooperativeLoad(&tile.inner[548u], TS, false);
            metal::simdgroup_float16x16 _e810 = o1_;
            o1_ = NagaCooperativeMultiplyAdd(wa, v1_, _e810);
            metal::simdgroup_float16x16 _e812 = o1_;
            o1_ = NagaCooperativeMultiplyAdd(wb, u1_, _e812);
            metal::simdgroup_half16x16 v2_ = NagaCooperativeLoad(&tile.inner[8u], TS, false);
            metal::simdgroup_half16x16 u2_ = NagaCooperativeLoad(&tile.inner[552u], TS, false);
            metal::simdgroup_float16x16 _e824 = o2_;
            o2_ = NagaCooperativeMultiplyAdd(wa, v2_, _e824);
            metal::simdgroup_float16x16 _e826 = o2_;
            o2_ = NagaCooperativeMultiplyAdd(wb, u2_, _e826);
            metal::simdgroup_half16x16 v3_ = NagaCooperativeLoad(&tile.inner[12u], TS, false);
            metal::simdgroup_half16x16 u3_ = NagaCooperativeLoad(&tile.inner[556u], TS, false);
            metal::simdgroup_float16x16 _e838 = o3_;
            o3_ = NagaCooperativeMultiplyAdd(wa, v3_, _e838);
            metal::simdgroup_float16x16 _e840 = o3_;
            o3_ = NagaCooperativeMultiplyAdd(wb, u3_, _e840);
            metal::simdgroup_half16x16 v4_ = NagaCooperativeLoad(&tile.inner[16u], TS, false);
            metal::simdgroup_half16x16 u4_ = NagaCooperativeLoad(&tile.inner[560u], TS, false);
            metal::simdgroup_float16x16 _e852 = o4_;
            o4_ = NagaCooperativeMultiplyAdd(wa, v4_, _e852);
            metal::simdgroup_float16x16 _e854 = o4_;
            o4_ = NagaCooperativeMultiplyAdd(wb, u4_, _e854);
            metal::simdgroup_half16x16 v5_ = NagaCooperativeLoad(&tile.inner[20u], TS, false);
            metal::simdgroup_half16x16 u5_ = NagaCooperativeLoad(&tile.inner[564u], TS, false);
            metal::simdgroup_float16x16 _e866 = o5_;
            o5_ = NagaCooperativeMultiplyAdd(wa, v5_, _e866);
            metal::simdgroup_float16x16 _e868 = o5_;
            o5_ = NagaCooperativeMultiplyAdd(wb, u5_, _e868);
            metal::simdgroup_half16x16 v6_ = NagaCooperativeLoad(&tile.inner[24u], TS, false);
            metal::simdgroup_half16x16 u6_ = NagaCooperativeLoad(&tile.inner[568u], TS, false);
            metal::simdgroup_float16x16 _e880 = o6_;
            o6_ = NagaCooperativeMultiplyAdd(wa, v6_, _e880);
            metal::simdgroup_float16x16 _e882 = o6_;
            o6_ = NagaCooperativeMultiplyAdd(wb, u6_, _e882);
            metal::simdgroup_half16x16 v7_ = NagaCooperativeLoad(&tile.inner[28u], TS, false);
            metal::simdgroup_half16x16 u7_ = NagaCooperativeLoad(&tile.inner[572u], TS, false);
            metal::simdgroup_float16x16 _e894 = o7_;
            o7_ = NagaCooperativeMultiplyAdd(wa, v7_, _e894);
            metal::simdgroup_float16x16 _e896 = o7_;
            o7_ = NagaCooperativeMultiplyAdd(wb, u7_, _e896);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint _e904 = p.parts;
    uint _e907 = p.heads;
    uint _e913 = step[3];
    uint to_1 = _e904 + ((((((row0_ * _e907) + head0_) + subgroup) * _e913) + split) * 130u);
    uint _e920 = p.heads;
    uint _e923 = step[3];
    uint next = (_e920 * _e923) * 130u;
    if (half_ == 0u) {
        local_6 = token < rows;
    } else {
        local_6 = false;
    }
    bool _e932 = local_6;
    if (_e932) {
        act[to_1 + (token * next)] = most_1;
        float _e943 = total;
        act[(to_1 + (token * next)) + 1u] = _e943;
    }
    metal::simdgroup_float16x16 _e944 = o0_;
    simdgroup_store(_e944, &scores.inner[s0_], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e976 = e_1;
            e_1 = _e976 + 32u;
        }
        loop_init_8 = false;
        uint _e949 = e_1;
        if (_e949 < 256u) {
        } else {
            break;
        }
        {
            uint _e952 = e_1;
            if (naga_div(_e952, 16u) < rows) {
                uint _e957 = e_1;
                uint _e966 = e_1;
                uint _e972 = e_1;
                float _e975 = scores.inner[s0_ + _e972];
                act[(((to_1 + (naga_div(_e957, 16u) * next)) + 2u) + 0u) + naga_mod(_e966, 16u)] = _e975;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e979 = o1_;
    simdgroup_store(_e979, &scores.inner[s0_], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1011 = e_2;
            e_2 = _e1011 + 32u;
        }
        loop_init_9 = false;
        uint _e984 = e_2;
        if (_e984 < 256u) {
        } else {
            break;
        }
        {
            uint _e987 = e_2;
            if (naga_div(_e987, 16u) < rows) {
                uint _e992 = e_2;
                uint _e1001 = e_2;
                uint _e1007 = e_2;
                float _e1010 = scores.inner[s0_ + _e1007];
                act[(((to_1 + (naga_div(_e992, 16u) * next)) + 2u) + 16u) + naga_mod(_e1001, 16u)] = _e1010;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1014 = o2_;
    simdgroup_store(_e1014, &scores.inner[s0_], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1046 = e_3;
            e_3 = _e1046 + 32u;
        }
        loop_init_10 = false;
        uint _e1019 = e_3;
        if (_e1019 < 256u) {
        } else {
            break;
        }
        {
            uint _e1022 = e_3;
            if (naga_div(_e1022, 16u) < rows) {
                uint _e1027 = e_3;
                uint _e1036 = e_3;
                uint _e1042 = e_3;
                float _e1045 = scores.inner[s0_ + _e1042];
                act[(((to_1 + (naga_div(_e1027, 16u) * next)) + 2u) + 32u) + naga_mod(_e1036, 16u)] = _e1045;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1049 = o3_;
    simdgroup_store(_e1049, &scores.inner[s0_], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1081 = e_4;
            e_4 = _e1081 + 32u;
        }
        loop_init_11 = false;
        uint _e1054 = e_4;
        if (_e1054 < 256u) {
        } else {
            break;
        }
        {
            uint _e1057 = e_4;
            if (naga_div(_e1057, 16u) < rows) {
                uint _e1062 = e_4;
                uint _e1071 = e_4;
                uint _e1077 = e_4;
                float _e1080 = scores.inner[s0_ + _e1077];
                act[(((to_1 + (naga_div(_e1062, 16u) * next)) + 2u) + 48u) + naga_mod(_e1071, 16u)] = _e1080;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1084 = o4_;
    simdgroup_store(_e1084, &scores.inner[s0_], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1116 = e_5;
            e_5 = _e1116 + 32u;
        }
        loop_init_12 = false;
        uint _e1089 = e_5;
        if (_e1089 < 256u) {
        } else {
            break;
        }
        {
            uint _e1092 = e_5;
            if (naga_div(_e1092, 16u) < rows) {
                uint _e1097 = e_5;
                uint _e1106 = e_5;
                uint _e1112 = e_5;
                float _e1115 = scores.inner[s0_ + _e1112];
                act[(((to_1 + (naga_div(_e1097, 16u) * next)) + 2u) + 64u) + naga_mod(_e1106, 16u)] = _e1115;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1119 = o5_;
    simdgroup_store(_e1119, &scores.inner[s0_], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1151 = e_6;
            e_6 = _e1151 + 32u;
        }
        loop_init_13 = false;
        uint _e1124 = e_6;
        if (_e1124 < 256u) {
        } else {
            break;
        }
        {
            uint _e1127 = e_6;
            if (naga_div(_e1127, 16u) < rows) {
                uint _e1132 = e_6;
                uint _e1141 = e_6;
                uint _e1147 = e_6;
                float _e1150 = scores.inner[s0_ + _e1147];
                act[(((to_1 + (naga_div(_e1132, 16u) * next)) + 2u) + 80u) + naga_mod(_e1141, 16u)] = _e1150;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1154 = o6_;
    simdgroup_store(_e1154, &scores.inner[s0_], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1186 = e_7;
            e_7 = _e1186 + 32u;
        }
        loop_init_14 = false;
        uint _e1159 = e_7;
        if (_e1159 < 256u) {
        } else {
            break;
        }
        {
            uint _e1162 = e_7;
            if (naga_div(_e1162, 16u) < rows) {
                uint _e1167 = e_7;
                uint _e1176 = e_7;
                uint _e1182 = e_7;
                float _e1185 = scores.inner[s0_ + _e1182];
                act[(((to_1 + (naga_div(_e1167, 16u) * next)) + 2u) + 96u) + naga_mod(_e1176, 16u)] = _e1185;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1189 = o7_;
    simdgroup_store(_e1189, &scores.inner[s0_], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1221 = e_8;
            e_8 = _e1221 + 32u;
        }
        loop_init_15 = false;
        uint _e1194 = e_8;
        if (_e1194 < 256u) {
        } else {
            break;
        }
        {
            uint _e1197 = e_8;
            if (naga_div(_e1197, 16u) < rows) {
                uint _e1202 = e_8;
                uint _e1211 = e_8;
                uint _e1217 = e_8;
                float _e1220 = scores.inner[s0_ + _e1217];
                act[(((to_1 + (naga_div(_e1202, 16u) * next)) + 2u) + 112u) + naga_mod(_e1211, 16u)] = _e1220;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
