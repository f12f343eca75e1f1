// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size3;
    uint size5;
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
struct type_10 {
    metal::half4 inner[2176];
};
struct type_11 {
    metal::half4 inner[1088];
};
struct type_12 {
    float inner[2304];
};
struct type_13 {
    metal::half4 inner[640];
};
struct type_14 {
    float inner[64];
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
constant uint SS = 36u;

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

void load(
    uint plane_2,
    uint scales_2,
    uint units_2,
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
    uint from_unit = {};
    from_unit = me_1;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e169 = from_unit;
            from_unit = _e169 + 512u;
        }
        loop_init = false;
        uint _e9 = from_unit;
        if (_e9 < (32u * units_2)) {
        } else {
            break;
        }
        {
            uint _e13 = from_unit;
            uint i0_ = metal::min(_e13 + 0u, (32u * units_2) - 1u);
            uint _e28 = p.block_len;
            uint _e31 = p.kv_heads;
            uint _e32 = slot_of(table_1, metal::min(first + naga_div(i0_, units_2), end - 1u), _e28, _e31, kv_head, step, _buffer_sizes);
            uint _e33 = from_unit;
            uint i1_ = metal::min(_e33 + 128u, (32u * units_2) - 1u);
            uint _e48 = p.block_len;
            uint _e51 = p.kv_heads;
            uint _e52 = slot_of(table_1, metal::min(first + naga_div(i1_, units_2), end - 1u), _e48, _e51, kv_head, step, _buffer_sizes);
            uint _e53 = from_unit;
            uint i2_ = metal::min(_e53 + 256u, (32u * units_2) - 1u);
            uint _e68 = p.block_len;
            uint _e71 = p.kv_heads;
            uint _e72 = slot_of(table_1, metal::min(first + naga_div(i2_, units_2), end - 1u), _e68, _e71, kv_head, step, _buffer_sizes);
            uint _e73 = from_unit;
            uint i3_ = metal::min(_e73 + 384u, (32u * units_2) - 1u);
            uint _e88 = p.block_len;
            uint _e91 = p.kv_heads;
            uint _e92 = slot_of(table_1, metal::min(first + naga_div(i3_, units_2), end - 1u), _e88, _e91, kv_head, step, _buffer_sizes);
            type_7 _e94 = eight(plane_2, scales_2, _e32, units_2, naga_mod(i0_, units_2), cache, _buffer_sizes);
            type_7 _e96 = eight(plane_2, scales_2, _e52, units_2, naga_mod(i1_, units_2), cache, _buffer_sizes);
            type_7 _e98 = eight(plane_2, scales_2, _e72, units_2, naga_mod(i2_, units_2), cache, _buffer_sizes);
            type_7 _e100 = eight(plane_2, scales_2, _e92, units_2, naga_mod(i3_, units_2), cache, _buffer_sizes);
            uint to0_ = (naga_div(i0_, units_2) * TS) + (naga_mod(i0_, units_2) * 2u);
            tile.inner[to0_] = static_cast<metal::half4>(_e94.inner[0]);
            tile.inner[to0_ + 1u] = static_cast<metal::half4>(_e94.inner[1]);
            uint to1_ = (naga_div(i1_, units_2) * TS) + (naga_mod(i1_, units_2) * 2u);
            tile.inner[to1_] = static_cast<metal::half4>(_e96.inner[0]);
            tile.inner[to1_ + 1u] = static_cast<metal::half4>(_e96.inner[1]);
            uint to2_ = (naga_div(i2_, units_2) * TS) + (naga_mod(i2_, units_2) * 2u);
            tile.inner[to2_] = static_cast<metal::half4>(_e98.inner[0]);
            tile.inner[to2_ + 1u] = static_cast<metal::half4>(_e98.inner[1]);
            uint to3_ = (naga_div(i3_, units_2) * TS) + (naga_mod(i3_, units_2) * 2u);
            tile.inner[to3_] = static_cast<metal::half4>(_e100.inner[0]);
            tile.inner[to3_ + 1u] = static_cast<metal::half4>(_e100.inner[1]);
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

metal::simdgroup_float16x16 NagaCooperativeLoad(const threadgroup float* ptr, int stride, bool is_row_major) {
    metal::simdgroup_float16x16 m;
    simdgroup_load(m, ptr, stride, 0, is_row_major);
    return m;
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
, threadgroup metal::uint4& raised
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    float reference = -1000000000000000000000000000000.0;
    float total = 0.0;
    metal::simdgroup_float16x16 o0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o3_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o4_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o5_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o6_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o7_ = metal::simdgroup_float16x16 {};
    uint k0_ = {};
    metal::simdgroup_float16x16 a0_ = {};
    metal::simdgroup_float16x16 a1_ = {};
    float most = {};
    uint e = {};
    uint e_1 = {};
    uint e_2 = {};
    uint e_3 = {};
    uint e_4 = {};
    uint e_5 = {};
    uint e_6 = {};
    uint e_7 = {};
    bool local = {};
    uint e_8 = {};
    uint e_9 = {};
    uint e_10 = {};
    uint e_11 = {};
    uint e_12 = {};
    uint e_13 = {};
    uint e_14 = {};
    uint e_15 = {};
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
    uint _e57 = p.window;
    uint _e58 = seen_from(position0_, _e57);
    uint _e61 = step[2];
    uint first_1 = _e58 + (split * _e61);
    uint _e67 = seen_to((row0_ + rows) - 1u, step, _buffer_sizes);
    uint _e70 = step[2];
    uint end_1 = metal::min(_e67, first_1 + _e70);
    i = me;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e135 = i;
            i = _e135 + WG;
        }
        loop_init_1 = false;
        uint _e74 = i;
        if (_e74 < 2048u) {
        } else {
            break;
        }
        {
            uint _e77 = i;
            uint r = naga_div(_e77, 32u);
            uint _e80 = i;
            uint d = naga_mod(_e80, 32u);
            uint _e85 = p.q;
            uint _e94 = p.heads;
            uint at_1 = (_e85 + (((((row0_ + metal::min(naga_mod(r, 16u), rows - 1u)) * _e94) + head0_) + naga_div(r, 16u)) * KEY_DIM)) + (d * 4u);
            float _e113 = act[at_1];
            float _e118 = act[at_1 + 1u];
            float _e123 = act[at_1 + 2u];
            float _e128 = act[at_1 + 3u];
            float _e132 = p.scale;
            queries.inner[(r * QS) + d] = static_cast<metal::half4>(metal::float4(_e113, _e118, _e123, _e128) * _e132);
        }
    }
    if (me == 0u) {
        raised = metal::uint4(0u);
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint token = naga_div(lane, 2u);
    uint half_ = naga_mod(lane, 2u);
    uint position_2 = position0_ + token;
    uint _e150 = p.window;
    uint _e151 = seen_from(position_2, _e150);
    uint _e156 = seen_to(row0_ + metal::min(token, rows - 1u), step, _buffer_sizes);
    uint mine = (((subgroup * 16u) + token) * SS) + (half_ * 16u);
    uint scaled = (((subgroup * 16u) + token) * SS) + (half_ * 8u);
    uint square0_ = (subgroup * 16u) * SS;
    uint share0_ = (subgroup * 16u) * PS;
    uint share1_ = share0_ + 4u;
    uint queries_at = (subgroup * 16u) * QS;
    uint square1_ = square0_ + 16u;
    uint qa0_ = queries_at + 0u;
    metal::simdgroup_half16x16 q0_ = NagaCooperativeLoad(&queries.inner[qa0_], QS, false);
    uint qa1_ = queries_at + 4u;
    metal::simdgroup_half16x16 q1_ = NagaCooperativeLoad(&queries.inner[qa1_], QS, false);
    uint qa2_ = queries_at + 8u;
    metal::simdgroup_half16x16 q2_ = NagaCooperativeLoad(&queries.inner[qa2_], QS, false);
    uint qa3_ = queries_at + 12u;
    metal::simdgroup_half16x16 q3_ = NagaCooperativeLoad(&queries.inner[qa3_], QS, false);
    uint qa4_ = queries_at + 16u;
    metal::simdgroup_half16x16 q4_ = NagaCooperativeLoad(&queries.inner[qa4_], QS, false);
    uint qa5_ = queries_at + 20u;
    metal::simdgroup_half16x16 q5_ = NagaCooperativeLoad(&queries.inner[qa5_], QS, false);
    uint qa6_ = queries_at + 24u;
    metal::simdgroup_half16x16 q6_ = NagaCooperativeLoad(&queries.inner[qa6_], QS, false);
    uint qa7_ = queries_at + 28u;
    metal::simdgroup_half16x16 q7_ = NagaCooperativeLoad(&queries.inner[qa7_], QS, false);
    k0_ = first_1;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1042 = k0_;
            k0_ = _e1042 + 32u;
        }
        loop_init_2 = false;
        uint _e258 = k0_;
        if (_e258 < end_1) {
        } else {
            break;
        }
        {
            uint _e263 = p.place.keys;
            uint _e267 = p.place.key_scales;
            uint _e269 = k0_;
            load(_e263, _e267, 16u, _e269, end_1, _e47, kv_head_1, me, step, cache, p, tile, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            a0_ = metal::simdgroup_float16x16 {};
            a1_ = metal::simdgroup_float16x16 {};
            metal::simdgroup_half16x16 b0_ = NagaCooperativeLoad(&tile.inner[0u], TS, true);
            metal::simdgroup_half16x16 c0_ = NagaCooperativeLoad(&tile.inner[544u], TS, true);
            metal::simdgroup_float16x16 _e284 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_, b0_, _e284);
            metal::simdgroup_float16x16 _e286 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q0_, c0_, _e286);
            metal::simdgroup_half16x16 b1_ = NagaCooperativeLoad(&tile.inner[4u], TS, true);
            metal::simdgroup_half16x16 c1_ = NagaCooperativeLoad(&tile.inner[548u], TS, true);
            metal::simdgroup_float16x16 _e298 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q1_, b1_, _e298);
            metal::simdgroup_float16x16 _e300 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_, c1_, _e300);
            metal::simdgroup_half16x16 b2_ = NagaCooperativeLoad(&tile.inner[8u], TS, true);
            metal::simdgroup_half16x16 c2_ = NagaCooperativeLoad(&tile.inner[552u], TS, true);
            metal::simdgroup_float16x16 _e312 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q2_, b2_, _e312);
            metal::simdgroup_float16x16 _e314 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q2_, c2_, _e314);
            metal::simdgroup_half16x16 b3_ = NagaCooperativeLoad(&tile.inner[12u], TS, true);
            metal::simdgroup_half16x16 c3_ = NagaCooperativeLoad(&tile.inner[556u], TS, true);
            metal::simdgroup_float16x16 _e326 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q3_, b3_, _e326);
            metal::simdgroup_float16x16 _e328 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q3_, c3_, _e328);
            metal::simdgroup_half16x16 b4_ = NagaCooperativeLoad(&tile.inner[16u], TS, true);
            metal::simdgroup_half16x16 c4_ = NagaCooperativeLoad(&tile.inner[560u], TS, true);
            metal::simdgroup_float16x16 _e340 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q4_, b4_, _e340);
            metal::simdgroup_float16x16 _e342 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q4_, c4_, _e342);
            metal::simdgroup_half16x16 b5_ = NagaCooperativeLoad(&tile.inner[20u], TS, true);
            metal::simdgroup_half16x16 c5_ = NagaCooperativeLoad(&tile.inner[564u], TS, true);
            metal::simdgroup_float16x16 _e354 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q5_, b5_, _e354);
            metal::simdgroup_float16x16 _e356 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q5_, c5_, _e356);
            metal::simdgroup_half16x16 b6_ = NagaCooperativeLoad(&tile.inner[24u], TS, true);
            metal::simdgroup_half16x16 c6_ = NagaCooperativeLoad(&tile.inner[568u], TS, true);
            metal::simdgroup_float16x16 _e368 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q6_, b6_, _e368);
            metal::simdgroup_float16x16 _e370 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q6_, c6_, _e370);
            metal::simdgroup_half16x16 b7_ = NagaCooperativeLoad(&tile.inner[28u], TS, true);
            metal::simdgroup_half16x16 c7_ = NagaCooperativeLoad(&tile.inner[572u], TS, true);
            metal::simdgroup_float16x16 _e382 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q7_, b7_, _e382);
            metal::simdgroup_float16x16 _e384 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q7_, c7_, _e384);
            metal::simdgroup_float16x16 _e386 = a0_;
            simdgroup_store(_e386, &scores.inner[square0_], SS);
            metal::simdgroup_float16x16 _e390 = a1_;
            simdgroup_store(_e390, &scores.inner[square1_], SS);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e394 = k0_;
            uint from_key = _e394 + (half_ * 16u);
            uint upto = metal::min(end_1, _e156);
            most = -1000000000000000000000000000000.0;
            metal::uint4 key0_ = metal::uint4(from_key + 0u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen0_ = (key0_ < metal::uint4(upto)) & (key0_ >= metal::uint4(_e151));
            uint at0_ = mine + 0u;
            float _e419 = scores.inner[at0_];
            float _e424 = scores.inner[at0_ + 1u];
            float _e429 = scores.inner[at0_ + 2u];
            float _e434 = scores.inner[at0_ + 3u];
            metal::float4 s0_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e419, _e424, _e429, _e434), seen0_);
            float _e439 = most;
            most = metal::max(_e439, metal::max(metal::max(s0_.x, s0_.y), metal::max(s0_.z, s0_.w)));
            metal::uint4 key1_ = metal::uint4(from_key + 4u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen1_ = (key1_ < metal::uint4(upto)) & (key1_ >= metal::uint4(_e151));
            uint at1_ = mine + 4u;
            float _e466 = scores.inner[at1_];
            float _e471 = scores.inner[at1_ + 1u];
            float _e476 = scores.inner[at1_ + 2u];
            float _e481 = scores.inner[at1_ + 3u];
            metal::float4 s1_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e466, _e471, _e476, _e481), seen1_);
            float _e486 = most;
            most = metal::max(_e486, metal::max(metal::max(s1_.x, s1_.y), metal::max(s1_.z, s1_.w)));
            metal::uint4 key2_ = metal::uint4(from_key + 8u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen2_ = (key2_ < metal::uint4(upto)) & (key2_ >= metal::uint4(_e151));
            uint at2_ = mine + 8u;
            float _e513 = scores.inner[at2_];
            float _e518 = scores.inner[at2_ + 1u];
            float _e523 = scores.inner[at2_ + 2u];
            float _e528 = scores.inner[at2_ + 3u];
            metal::float4 s2_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e513, _e518, _e523, _e528), seen2_);
            float _e533 = most;
            most = metal::max(_e533, metal::max(metal::max(s2_.x, s2_.y), metal::max(s2_.z, s2_.w)));
            metal::uint4 key3_ = metal::uint4(from_key + 12u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen3_ = (key3_ < metal::uint4(upto)) & (key3_ >= metal::uint4(_e151));
            uint at3_ = mine + 12u;
            float _e560 = scores.inner[at3_];
            float _e565 = scores.inner[at3_ + 1u];
            float _e570 = scores.inner[at3_ + 2u];
            float _e575 = scores.inner[at3_ + 3u];
            metal::float4 s3_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e560, _e565, _e570, _e575), seen3_);
            float _e580 = most;
            most = metal::max(_e580, metal::max(metal::max(s3_.x, s3_.y), metal::max(s3_.z, s3_.w)));
            float _e589 = most;
            float _e590 = most;
            float unnamed = metal::simd_shuffle_xor(_e590, 1u);
            most = metal::max(_e589, unnamed);
            float _e594 = most;
            float _e595 = reference;
            if (_e594 > (_e595 + 8.0)) {
                raised = metal::uint4(1u);
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::uint4 unnamed_1 = raised;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (unnamed_1.x != 0u) {
                float _e607 = reference;
                float _e608 = most;
                float next = metal::max(_e607, _e608);
                float _e610 = reference;
                float shrink = metal::exp(_e610 - next);
                float _e613 = total;
                total = _e613 * shrink;
                reference = next;
                if (me == 0u) {
                    raised = metal::uint4(0u);
                }
                metal::simdgroup_float16x16 _e620 = o0_;
                simdgroup_store(_e620, &scores.inner[square0_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e = 0u;
                uint2 loop_bound_3 = uint2(4294967295u);
                bool loop_init_3 = true;
                while(true) {
                    if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                    loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                    if (!loop_init_3) {
                        uint _e636 = e;
                        e = _e636 + 1u;
                    }
                    loop_init_3 = false;
                    uint _e626 = e;
                    if (_e626 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e630 = e;
                        float _e633 = scores.inner[scaled + _e630];
                        scores.inner[scaled + _e630] = _e633 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_ = NagaCooperativeLoad(&scores.inner[square0_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float16x16 _e642 = o1_;
                simdgroup_store(_e642, &scores.inner[square0_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_1 = 0u;
                uint2 loop_bound_4 = uint2(4294967295u);
                bool loop_init_4 = true;
                while(true) {
                    if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                    loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                    if (!loop_init_4) {
                        uint _e658 = e_1;
                        e_1 = _e658 + 1u;
                    }
                    loop_init_4 = false;
                    uint _e648 = e_1;
                    if (_e648 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e652 = e_1;
                        float _e655 = scores.inner[scaled + _e652];
                        scores.inner[scaled + _e652] = _e655 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o1_ = NagaCooperativeLoad(&scores.inner[square0_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float16x16 _e664 = o2_;
                simdgroup_store(_e664, &scores.inner[square0_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_2 = 0u;
                uint2 loop_bound_5 = uint2(4294967295u);
                bool loop_init_5 = true;
                while(true) {
                    if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                    loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                    if (!loop_init_5) {
                        uint _e680 = e_2;
                        e_2 = _e680 + 1u;
                    }
                    loop_init_5 = false;
                    uint _e670 = e_2;
                    if (_e670 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e674 = e_2;
                        float _e677 = scores.inner[scaled + _e674];
                        scores.inner[scaled + _e674] = _e677 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o2_ = NagaCooperativeLoad(&scores.inner[square0_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float16x16 _e686 = o3_;
                simdgroup_store(_e686, &scores.inner[square0_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_3 = 0u;
                uint2 loop_bound_6 = uint2(4294967295u);
                bool loop_init_6 = true;
                while(true) {
                    if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                    loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                    if (!loop_init_6) {
                        uint _e702 = e_3;
                        e_3 = _e702 + 1u;
                    }
                    loop_init_6 = false;
                    uint _e692 = e_3;
                    if (_e692 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e696 = e_3;
                        float _e699 = scores.inner[scaled + _e696];
                        scores.inner[scaled + _e696] = _e699 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o3_ = NagaCooperativeLoad(&scores.inner[square0_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float16x16 _e708 = o4_;
                simdgroup_store(_e708, &scores.inner[square0_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_4 = 0u;
                uint2 loop_bound_7 = uint2(4294967295u);
                bool loop_init_7 = true;
                while(true) {
                    if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                    loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                    if (!loop_init_7) {
                        uint _e724 = e_4;
                        e_4 = _e724 + 1u;
                    }
                    loop_init_7 = false;
                    uint _e714 = e_4;
                    if (_e714 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e718 = e_4;
                        float _e721 = scores.inner[scaled + _e718];
                        scores.inner[scaled + _e718] = _e721 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o4_ = NagaCooperativeLoad(&scores.inner[square0_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float16x16 _e730 = o5_;
                simdgroup_store(_e730, &scores.inner[square0_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_5 = 0u;
                uint2 loop_bound_8 = uint2(4294967295u);
                bool loop_init_8 = true;
                while(true) {
                    if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                    loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                    if (!loop_init_8) {
                        uint _e746 = e_5;
                        e_5 = _e746 + 1u;
                    }
                    loop_init_8 = false;
                    uint _e736 = e_5;
                    if (_e736 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e740 = e_5;
                        float _e743 = scores.inner[scaled + _e740];
                        scores.inner[scaled + _e740] = _e743 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o5_ = NagaCooperativeLoad(&scores.inner[square0_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float16x16 _e752 = o6_;
                simdgroup_store(_e752, &scores.inner[square0_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_6 = 0u;
                uint2 loop_bound_9 = uint2(4294967295u);
                bool loop_init_9 = true;
                while(true) {
                    if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                    loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                    if (!loop_init_9) {
                        uint _e768 = e_6;
                        e_6 = _e768 + 1u;
                    }
                    loop_init_9 = false;
                    uint _e758 = e_6;
                    if (_e758 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e762 = e_6;
                        float _e765 = scores.inner[scaled + _e762];
                        scores.inner[scaled + _e762] = _e765 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o6_ = NagaCooperativeLoad(&scores.inner[square0_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float16x16 _e774 = o7_;
                simdgroup_store(_e774, &scores.inner[square0_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_7 = 0u;
                uint2 loop_bound_10 = uint2(4294967295u);
                bool loop_init_10 = true;
                while(true) {
                    if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                    loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                    if (!loop_init_10) {
                        uint _e790 = e_7;
                        e_7 = _e790 + 1u;
                    }
                    loop_init_10 = false;
                    uint _e780 = e_7;
                    if (_e780 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e784 = e_7;
                        float _e787 = scores.inner[scaled + _e784];
                        scores.inner[scaled + _e784] = _e787 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o7_ = NagaCooperativeLoad(&scores.inner[square0_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            }
            float _e796 = reference;
            metal::float4 w0_ = metal::select(metal::float4(0.0), metal::exp(s0_ - metal::float4(_e796)), seen0_);
            float _e803 = total;
            total = _e803 + (((w0_.x + w0_.y) + w0_.z) + w0_.w);
            shares.inner[((((subgroup * 16u) + token) * PS) + (half_ * 4u)) + 0u] = static_cast<metal::half4>(w0_);
            float _e825 = reference;
            metal::float4 w1_ = metal::select(metal::float4(0.0), metal::exp(s1_ - metal::float4(_e825)), seen1_);
            float _e832 = total;
            total = _e832 + (((w1_.x + w1_.y) + w1_.z) + w1_.w);
            shares.inner[((((subgroup * 16u) + token) * PS) + (half_ * 4u)) + 1u] = static_cast<metal::half4>(w1_);
            float _e854 = reference;
            metal::float4 w2_ = metal::select(metal::float4(0.0), metal::exp(s2_ - metal::float4(_e854)), seen2_);
            float _e861 = total;
            total = _e861 + (((w2_.x + w2_.y) + w2_.z) + w2_.w);
            shares.inner[((((subgroup * 16u) + token) * PS) + (half_ * 4u)) + 2u] = static_cast<metal::half4>(w2_);
            float _e883 = reference;
            metal::float4 w3_ = metal::select(metal::float4(0.0), metal::exp(s3_ - metal::float4(_e883)), seen3_);
            float _e890 = total;
            total = _e890 + (((w3_.x + w3_.y) + w3_.z) + w3_.w);
            shares.inner[((((subgroup * 16u) + token) * PS) + (half_ * 4u)) + 3u] = static_cast<metal::half4>(w3_);
            uint _e915 = p.place.values;
            uint _e919 = p.place.value_scales;
            uint _e921 = k0_;
            load(_e915, _e919, 16u, _e921, end_1, _e47, kv_head_1, me, step, cache, p, tile, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::simdgroup_half16x16 wa = NagaCooperativeLoad(&shares.inner[share0_], PS, false);
            metal::simdgroup_half16x16 wb = NagaCooperativeLoad(&shares.inner[share1_], PS, false);
            metal::simdgroup_half16x16 v0_ = NagaCooperativeLoad(&tile.inner[0u], TS, false);
            metal::simdgroup_half16x16 u0_ = NagaCooperativeLoad(&tile.inner[544u], TS, false);
            metal::simdgroup_float16x16 _e940 = o0_;
            o0_ = NagaCooperativeMultiplyAdd(wa, v0_, _e940);
            metal::simdgroup_float16x16 _e942 = o0_;
            o0_ = NagaCooperativeMultiplyAdd(wb, u0_, _e942);
            metal::simdgroup_half16x16 v1_ = NagaCooperativeLoad(&tile.inner[4u], TS, false);
            metal::simdgroup_half16x16 u1_ = NagaCooperativeLoad(&tile.inner[548u], TS, false);
            metal::simdgroup_float16x16 _e954 = o1_;
            o1_ = NagaCooperativeMultiplyAdd(wa, v1_, _e954);
            metal::simdgroup_float16x16 _e956 = o1_;
            o1_ = NagaCooperativeMultiplyAdd(wb, u1_, _e956);
            metal::simdgroup_half16x16 v2_ = NagaCooperativeLoad(&tile.inner[8u], TS, false);
            metal::simdgroup_half16x16 u2_ = NagaCooperativeLoad(&tile.inner[552u], TS, false);
            metal::simdgroup_float16x16 _e968 = o2_;
            o2_ = NagaCooperativeMultiplyAdd(wa, v2_, _e968);
            metal::simdgroup_float16x16 _e970 = o2_;
            o2_ = NagaCooperativeMultiplyAdd(wb, u2_, _e970);
            metal::simdgroup_half16x16 v3_ = NagaCooperativeLoad(&tile.inner[12u], TS, false);
            metal::simdgroup_half16x16 u3_ = NagaCooperativeLoad(&tile.inner[556u], TS, false);
            metal::simdgroup_float16x16 _e982 = o3_;
            o3_ = NagaCooperativeMultiplyAdd(wa, v3_, _e982);
            metal::simdgroup_float16x16 _e984 = o3_;
            o3_ = NagaCooperativeMultiplyAdd(wb, u3_, _e984);
            metal::simdgroup_half16x16 v4_ = NagaCooperativeLoad(&tile.inner[16u], TS, false);
            metal::simdgroup_half16x16 u4_ = NagaCooperativeLoad(&tile.inner[560u], TS, false);
            metal::simdgroup_float16x16 _e996 = o4_;
            o4_ = NagaCooperativeMultiplyAdd(wa, v4_, _e996);
            metal::simdgroup_float16x16 _e998 = o4_;
            o4_ = NagaCooperativeMultiplyAdd(wb, u4_, _e998);
            metal::simdgroup_half16x16 v5_ = NagaCooperativeLoad(&tile.inner[20u], TS, false);
            metal::simdgroup_half16x16 u5_ = NagaCooperativeLoad(&tile.inner[564u], TS, false);
            metal::simdgroup_float16x16 _e1010 = o5_;
            o5_ = NagaCooperativeMultiplyAdd(wa, v5_, _e1010);
            metal::simdgroup_float16x16 _e1012 = o5_;
            o5_ = NagaCooperativeMultiplyAdd(wb, u5_, _e1012);
            metal::simdgroup_half16x16 v6_ = NagaCooperativeLoad(&tile.inner[24u], TS, false);
            metal::simdgroup_half16x16 u6_ = NagaCooperativeLoad(&tile.inner[568u], TS, false);
            metal::simdgroup_float16x16 _e1024 = o6_;
            o6_ = NagaCooperativeMultiplyAdd(wa, v6_, _e1024);
            metal::simdgroup_float16x16 _e1026 = o6_;
            o6_ = NagaCooperativeMultiplyAdd(wb, u6_, _e1026);
            metal::simdgroup_half16x16 v7_ = NagaCooperativeLoad(&tile.inner[28u], TS, false);
            metal::simdgroup_half16x16 u7_ = NagaCooperativeLoad(&tile.inner[572u], TS, false);
            metal::simdgroup_float16x16 _e1038 = o7_;
            o7_ = NagaCooperativeMultiplyAdd(wa, v7_, _e1038);
            metal::simdgroup_float16x16 _e1040 = o7_;
            o7_ = NagaCooperativeMultiplyAdd(wb, u7_, _e1040);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    float _e1045 = total;
    float _e1046 = total;
    float unnamed_2 = metal::simd_shuffle_xor(_e1046, 1u);
    total = _e1045 + unnamed_2;
    uint _e1053 = p.parts;
    uint _e1056 = p.heads;
    uint _e1062 = step[3];
    uint to = _e1053 + ((((((row0_ * _e1056) + head0_) + subgroup) * _e1062) + split) * 130u);
    uint _e1069 = p.heads;
    uint _e1072 = step[3];
    uint next_1 = (_e1069 * _e1072) * 130u;
    if (half_ == 0u) {
        local = token < rows;
    } else {
        local = false;
    }
    bool _e1081 = local;
    if (_e1081) {
        float _e1086 = reference;
        act[to + (token * next_1)] = _e1086;
        float _e1093 = total;
        act[(to + (token * next_1)) + 1u] = _e1093;
    }
    metal::simdgroup_float16x16 _e1094 = o0_;
    simdgroup_store(_e1094, &scores.inner[square0_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1144 = e_8;
            e_8 = _e1144 + 32u;
        }
        loop_init_11 = false;
        uint _e1099 = e_8;
        if (_e1099 < 128u) {
        } else {
            break;
        }
        {
            uint _e1102 = e_8;
            uint r_1 = naga_div(_e1102, 8u);
            uint _e1106 = e_8;
            uint d_1 = 0u + (naga_mod(_e1106, 8u) * 2u);
            uint _e1115 = e_8;
            uint at_2 = (square0_ + (r_1 * SS)) + (naga_mod(_e1115, 8u) * 2u);
            if (r_1 < rows) {
                float _e1131 = scores.inner[at_2];
                act[((to + (r_1 * next_1)) + 2u) + d_1] = _e1131;
                float _e1143 = scores.inner[at_2 + 1u];
                act[((to + (r_1 * next_1)) + 3u) + d_1] = _e1143;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1147 = o1_;
    simdgroup_store(_e1147, &scores.inner[square0_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1197 = e_9;
            e_9 = _e1197 + 32u;
        }
        loop_init_12 = false;
        uint _e1152 = e_9;
        if (_e1152 < 128u) {
        } else {
            break;
        }
        {
            uint _e1155 = e_9;
            uint r_2 = naga_div(_e1155, 8u);
            uint _e1159 = e_9;
            uint d_2 = 16u + (naga_mod(_e1159, 8u) * 2u);
            uint _e1168 = e_9;
            uint at_3 = (square0_ + (r_2 * SS)) + (naga_mod(_e1168, 8u) * 2u);
            if (r_2 < rows) {
                float _e1184 = scores.inner[at_3];
                act[((to + (r_2 * next_1)) + 2u) + d_2] = _e1184;
                float _e1196 = scores.inner[at_3 + 1u];
                act[((to + (r_2 * next_1)) + 3u) + d_2] = _e1196;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1200 = o2_;
    simdgroup_store(_e1200, &scores.inner[square0_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1250 = e_10;
            e_10 = _e1250 + 32u;
        }
        loop_init_13 = false;
        uint _e1205 = e_10;
        if (_e1205 < 128u) {
        } else {
            break;
        }
        {
            uint _e1208 = e_10;
            uint r_3 = naga_div(_e1208, 8u);
            uint _e1212 = e_10;
            uint d_3 = 32u + (naga_mod(_e1212, 8u) * 2u);
            uint _e1221 = e_10;
            uint at_4 = (square0_ + (r_3 * SS)) + (naga_mod(_e1221, 8u) * 2u);
            if (r_3 < rows) {
                float _e1237 = scores.inner[at_4];
                act[((to + (r_3 * next_1)) + 2u) + d_3] = _e1237;
                float _e1249 = scores.inner[at_4 + 1u];
                act[((to + (r_3 * next_1)) + 3u) + d_3] = _e1249;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1253 = o3_;
    simdgroup_store(_e1253, &scores.inner[square0_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1303 = e_11;
            e_11 = _e1303 + 32u;
        }
        loop_init_14 = false;
        uint _e1258 = e_11;
        if (_e1258 < 128u) {
        } else {
            break;
        }
        {
            uint _e1261 = e_11;
            uint r_4 = naga_div(_e1261, 8u);
            uint _e1265 = e_11;
            uint d_4 = 48u + (naga_mod(_e1265, 8u) * 2u);
            uint _e1274 = e_11;
            uint at_5 = (square0_ + (r_4 * SS)) + (naga_mod(_e1274, 8u) * 2u);
            if (r_4 < rows) {
                float _e1290 = scores.inner[at_5];
                act[((to + (r_4 * next_1)) + 2u) + d_4] = _e1290;
                float _e1302 = scores.inner[at_5 + 1u];
                act[((to + (r_4 * next_1)) + 3u) + d_4] = _e1302;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1306 = o4_;
    simdgroup_store(_e1306, &scores.inner[square0_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1356 = e_12;
            e_12 = _e1356 + 32u;
        }
        loop_init_15 = false;
        uint _e1311 = e_12;
        if (_e1311 < 128u) {
        } else {
            break;
        }
        {
            uint _e1314 = e_12;
            uint r_5 = naga_div(_e1314, 8u);
            uint _e1318 = e_12;
            uint d_5 = 64u + (naga_mod(_e1318, 8u) * 2u);
            uint _e1327 = e_12;
            uint at_6 = (square0_ + (r_5 * SS)) + (naga_mod(_e1327, 8u) * 2u);
            if (r_5 < rows) {
                float _e1343 = scores.inner[at_6];
                act[((to + (r_5 * next_1)) + 2u) + d_5] = _e1343;
                float _e1355 = scores.inner[at_6 + 1u];
                act[((to + (r_5 * next_1)) + 3u) + d_5] = _e1355;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1359 = o5_;
    simdgroup_store(_e1359, &scores.inner[square0_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1409 = e_13;
            e_13 = _e1409 + 32u;
        }
        loop_init_16 = false;
        uint _e1364 = e_13;
        if (_e1364 < 128u) {
        } else {
            break;
        }
        {
            uint _e1367 = e_13;
            uint r_6 = naga_div(_e1367, 8u);
            uint _e1371 = e_13;
            uint d_6 = 80u + (naga_mod(_e1371, 8u) * 2u);
            uint _e1380 = e_13;
            uint at_7 = (square0_ + (r_6 * SS)) + (naga_mod(_e1380, 8u) * 2u);
            if (r_6 < rows) {
                float _e1396 = scores.inner[at_7];
                act[((to + (r_6 * next_1)) + 2u) + d_6] = _e1396;
                float _e1408 = scores.inner[at_7 + 1u];
                act[((to + (r_6 * next_1)) + 3u) + d_6] = _e1408;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1412 = o6_;
    simdgroup_store(_e1412, &scores.inner[square0_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_17 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_17) {
            uint _e1462 = e_14;
            e_14 = _e1462 + 32u;
        }
        loop_init_17 = false;
        uint _e1417 = e_14;
        if (_e1417 < 128u) {
        } else {
            break;
        }
        {
            uint _e1420 = e_14;
            uint r_7 = naga_div(_e1420, 8u);
            uint _e1424 = e_14;
            uint d_7 = 96u + (naga_mod(_e1424, 8u) * 2u);
            uint _e1433 = e_14;
            uint at_8 = (square0_ + (r_7 * SS)) + (naga_mod(_e1433, 8u) * 2u);
            if (r_7 < rows) {
                float _e1449 = scores.inner[at_8];
                act[((to + (r_7 * next_1)) + 2u) + d_7] = _e1449;
                float _e1461 = scores.inner[at_8 + 1u];
                act[((to + (r_7 * next_1)) + 3u) + d_7] = _e1461;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1465 = o7_;
    simdgroup_store(_e1465, &scores.inner[square0_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_18 = uint2(4294967295u);
    bool loop_init_18 = true;
    while(true) {
        if (metal::all(loop_bound_18 == uint2(0u))) { break; }
        loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
        if (!loop_init_18) {
            uint _e1515 = e_15;
            e_15 = _e1515 + 32u;
        }
        loop_init_18 = false;
        uint _e1470 = e_15;
        if (_e1470 < 128u) {
        } else {
            break;
        }
        {
            uint _e1473 = e_15;
            uint r_8 = naga_div(_e1473, 8u);
            uint _e1477 = e_15;
            uint d_8 = 112u + (naga_mod(_e1477, 8u) * 2u);
            uint _e1486 = e_15;
            uint at_9 = (square0_ + (r_8 * SS)) + (naga_mod(_e1486, 8u) * 2u);
            if (r_8 < rows) {
                float _e1502 = scores.inner[at_9];
                act[((to + (r_8 * next_1)) + 2u) + d_8] = _e1502;
                float _e1514 = scores.inner[at_9 + 1u];
                act[((to + (r_8 * next_1)) + 3u) + d_8] = _e1514;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
