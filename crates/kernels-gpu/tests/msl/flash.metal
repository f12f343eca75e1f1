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
    metal::half4 inner[640];
};
struct type_13 {
    float inner[2304];
};
struct type_14 {
    float inner[64];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint NH = 4u;
constant uint SIDE = 16u;
constant uint SINGLE = 0u;
constant uint SQUARES = 1u;
constant uint CACHE = 1u;
constant uint KEY_DIM = 128u;
constant uint VALUE_DIM = 128u;
constant uint KEY_SQUARES = 2u;
constant uint KSQ = 8u;
constant uint VSQ = 8u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint QS = 136u;
constant uint TS = 136u;
constant uint PS = 40u;
constant uint SS = 36u;
constant uint ELEMENT = 4u;

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
            uint _e177 = from_unit;
            from_unit = _e177 + 512u;
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
            uint to0_ = naga_div((naga_div(i0_, units_2) * TS) + (naga_mod(i0_, units_2) * 8u), ELEMENT);
            tile.inner[to0_] = static_cast<metal::half4>(_e94.inner[0]);
            tile.inner[to0_ + 1u] = static_cast<metal::half4>(_e94.inner[1]);
            uint to1_ = naga_div((naga_div(i1_, units_2) * TS) + (naga_mod(i1_, units_2) * 8u), ELEMENT);
            tile.inner[to1_] = static_cast<metal::half4>(_e96.inner[0]);
            tile.inner[to1_ + 1u] = static_cast<metal::half4>(_e96.inner[1]);
            uint to2_ = naga_div((naga_div(i2_, units_2) * TS) + (naga_mod(i2_, units_2) * 8u), ELEMENT);
            tile.inner[to2_] = static_cast<metal::half4>(_e98.inner[0]);
            tile.inner[to2_ + 1u] = static_cast<metal::half4>(_e98.inner[1]);
            uint to3_ = naga_div((naga_div(i3_, units_2) * TS) + (naga_mod(i3_, units_2) * 8u), ELEMENT);
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
, threadgroup type_12& shares
, threadgroup type_13& scores
, threadgroup metal::uint4& raised
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    float reference = -1000000000000000000000000000000.0;
    float total = 0.0;
    metal::simdgroup_float16x16 o0_0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o0_1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o0_2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o0_3_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o0_4_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o0_5_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o0_6_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o0_7_ = metal::simdgroup_float16x16 {};
    uint k0_ = {};
    metal::simdgroup_float16x16 a0_0_ = {};
    metal::simdgroup_float16x16 a0_1_ = {};
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
            uint _e139 = i;
            i = _e139 + WG;
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
            float _e108 = act[at_1];
            float _e113 = act[at_1 + 1u];
            float _e118 = act[at_1 + 2u];
            float _e123 = act[at_1 + 3u];
            float _e127 = p.scale;
            metal::half4 held = static_cast<metal::half4>(metal::float4(_e108, _e113, _e118, _e123) * _e127);
            uint to = naga_div((r * QS) + (d * 4u), ELEMENT);
            queries.inner[to] = held;
        }
    }
    if (me == 0u) {
        raised = metal::uint4(0u);
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint token = naga_div(lane, 2u);
    uint half_ = naga_mod(lane, 2u);
    uint position_2 = position0_ + token;
    uint _e154 = p.window;
    uint _e155 = seen_from(position_2, _e154);
    uint _e160 = seen_to(row0_ + metal::min(token, rows - 1u), step, _buffer_sizes);
    uint mine = (((subgroup * 16u) + token) * SS) + (half_ * 16u);
    uint scaled = (((subgroup * 16u) + token) * SS) + (half_ * 8u);
    uint square0_ = (subgroup * 16u) * SS;
    uint top0_ = (subgroup * 16u) + 0u;
    uint qa0_0_ = naga_div((top0_ * QS) + 0u, ELEMENT);
    metal::simdgroup_half16x16 q0_0_ = NagaCooperativeLoad(&queries.inner[qa0_0_], 34u, false);
    uint qa0_1_ = naga_div((top0_ * QS) + 16u, ELEMENT);
    metal::simdgroup_half16x16 q0_1_ = NagaCooperativeLoad(&queries.inner[qa0_1_], 34u, false);
    uint qa0_2_ = naga_div((top0_ * QS) + 32u, ELEMENT);
    metal::simdgroup_half16x16 q0_2_ = NagaCooperativeLoad(&queries.inner[qa0_2_], 34u, false);
    uint qa0_3_ = naga_div((top0_ * QS) + 48u, ELEMENT);
    metal::simdgroup_half16x16 q0_3_ = NagaCooperativeLoad(&queries.inner[qa0_3_], 34u, false);
    uint qa0_4_ = naga_div((top0_ * QS) + 64u, ELEMENT);
    metal::simdgroup_half16x16 q0_4_ = NagaCooperativeLoad(&queries.inner[qa0_4_], 34u, false);
    uint qa0_5_ = naga_div((top0_ * QS) + 80u, ELEMENT);
    metal::simdgroup_half16x16 q0_5_ = NagaCooperativeLoad(&queries.inner[qa0_5_], 34u, false);
    uint qa0_6_ = naga_div((top0_ * QS) + 96u, ELEMENT);
    metal::simdgroup_half16x16 q0_6_ = NagaCooperativeLoad(&queries.inner[qa0_6_], 34u, false);
    uint qa0_7_ = naga_div((top0_ * QS) + 112u, ELEMENT);
    metal::simdgroup_half16x16 q0_7_ = NagaCooperativeLoad(&queries.inner[qa0_7_], 34u, false);
    k0_ = first_1;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1114 = k0_;
            k0_ = _e1114 + 32u;
        }
        loop_init_2 = false;
        uint _e286 = k0_;
        if (_e286 < end_1) {
        } else {
            break;
        }
        {
            uint _e291 = p.place.keys;
            uint _e295 = p.place.key_scales;
            uint _e297 = k0_;
            load(_e291, _e295, 16u, _e297, end_1, _e47, kv_head_1, me, step, cache, p, tile, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            a0_0_ = metal::simdgroup_float16x16 {};
            a0_1_ = metal::simdgroup_float16x16 {};
            metal::simdgroup_half16x16 b0_0_ = NagaCooperativeLoad(&tile.inner[0u], 34u, true);
            metal::simdgroup_float16x16 _e307 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_0_, b0_0_, _e307);
            metal::simdgroup_half16x16 b0_1_ = NagaCooperativeLoad(&tile.inner[544u], 34u, true);
            metal::simdgroup_float16x16 _e314 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_0_, b0_1_, _e314);
            metal::simdgroup_half16x16 b1_0_ = NagaCooperativeLoad(&tile.inner[4u], 34u, true);
            metal::simdgroup_float16x16 _e321 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_1_, b1_0_, _e321);
            metal::simdgroup_half16x16 b1_1_ = NagaCooperativeLoad(&tile.inner[548u], 34u, true);
            metal::simdgroup_float16x16 _e328 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_1_, b1_1_, _e328);
            metal::simdgroup_half16x16 b2_0_ = NagaCooperativeLoad(&tile.inner[8u], 34u, true);
            metal::simdgroup_float16x16 _e335 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_2_, b2_0_, _e335);
            metal::simdgroup_half16x16 b2_1_ = NagaCooperativeLoad(&tile.inner[552u], 34u, true);
            metal::simdgroup_float16x16 _e342 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_2_, b2_1_, _e342);
            metal::simdgroup_half16x16 b3_0_ = NagaCooperativeLoad(&tile.inner[12u], 34u, true);
            metal::simdgroup_float16x16 _e349 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_3_, b3_0_, _e349);
            metal::simdgroup_half16x16 b3_1_ = NagaCooperativeLoad(&tile.inner[556u], 34u, true);
            metal::simdgroup_float16x16 _e356 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_3_, b3_1_, _e356);
            metal::simdgroup_half16x16 b4_0_ = NagaCooperativeLoad(&tile.inner[16u], 34u, true);
            metal::simdgroup_float16x16 _e363 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_4_, b4_0_, _e363);
            metal::simdgroup_half16x16 b4_1_ = NagaCooperativeLoad(&tile.inner[560u], 34u, true);
            metal::simdgroup_float16x16 _e370 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_4_, b4_1_, _e370);
            metal::simdgroup_half16x16 b5_0_ = NagaCooperativeLoad(&tile.inner[20u], 34u, true);
            metal::simdgroup_float16x16 _e377 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_5_, b5_0_, _e377);
            metal::simdgroup_half16x16 b5_1_ = NagaCooperativeLoad(&tile.inner[564u], 34u, true);
            metal::simdgroup_float16x16 _e384 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_5_, b5_1_, _e384);
            metal::simdgroup_half16x16 b6_0_ = NagaCooperativeLoad(&tile.inner[24u], 34u, true);
            metal::simdgroup_float16x16 _e391 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_6_, b6_0_, _e391);
            metal::simdgroup_half16x16 b6_1_ = NagaCooperativeLoad(&tile.inner[568u], 34u, true);
            metal::simdgroup_float16x16 _e398 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_6_, b6_1_, _e398);
            metal::simdgroup_half16x16 b7_0_ = NagaCooperativeLoad(&tile.inner[28u], 34u, true);
            metal::simdgroup_float16x16 _e405 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_7_, b7_0_, _e405);
            metal::simdgroup_half16x16 b7_1_ = NagaCooperativeLoad(&tile.inner[572u], 34u, true);
            metal::simdgroup_float16x16 _e412 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_7_, b7_1_, _e412);
            uint sa0_0_ = (top0_ * SS) + 0u;
            metal::simdgroup_float16x16 _e418 = a0_0_;
            simdgroup_store(_e418, &scores.inner[sa0_0_], SS);
            uint sa0_1_ = (top0_ * SS) + 16u;
            metal::simdgroup_float16x16 _e426 = a0_1_;
            simdgroup_store(_e426, &scores.inner[sa0_1_], SS);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e430 = k0_;
            uint from_key = _e430 + (half_ * 16u);
            uint upto = metal::min(end_1, _e160);
            most = -1000000000000000000000000000000.0;
            metal::uint4 key0_ = metal::uint4(from_key + 0u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen0_ = (key0_ < metal::uint4(upto)) & (key0_ >= metal::uint4(_e155));
            uint at0_ = mine + 0u;
            float _e455 = scores.inner[at0_];
            float _e460 = scores.inner[at0_ + 1u];
            float _e465 = scores.inner[at0_ + 2u];
            float _e470 = scores.inner[at0_ + 3u];
            metal::float4 s0_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e455, _e460, _e465, _e470), seen0_);
            float _e475 = most;
            most = metal::max(_e475, metal::max(metal::max(s0_.x, s0_.y), metal::max(s0_.z, s0_.w)));
            metal::uint4 key1_ = metal::uint4(from_key + 4u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen1_ = (key1_ < metal::uint4(upto)) & (key1_ >= metal::uint4(_e155));
            uint at1_ = mine + 4u;
            float _e502 = scores.inner[at1_];
            float _e507 = scores.inner[at1_ + 1u];
            float _e512 = scores.inner[at1_ + 2u];
            float _e517 = scores.inner[at1_ + 3u];
            metal::float4 s1_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e502, _e507, _e512, _e517), seen1_);
            float _e522 = most;
            most = metal::max(_e522, metal::max(metal::max(s1_.x, s1_.y), metal::max(s1_.z, s1_.w)));
            metal::uint4 key2_ = metal::uint4(from_key + 8u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen2_ = (key2_ < metal::uint4(upto)) & (key2_ >= metal::uint4(_e155));
            uint at2_ = mine + 8u;
            float _e549 = scores.inner[at2_];
            float _e554 = scores.inner[at2_ + 1u];
            float _e559 = scores.inner[at2_ + 2u];
            float _e564 = scores.inner[at2_ + 3u];
            metal::float4 s2_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e549, _e554, _e559, _e564), seen2_);
            float _e569 = most;
            most = metal::max(_e569, metal::max(metal::max(s2_.x, s2_.y), metal::max(s2_.z, s2_.w)));
            metal::uint4 key3_ = metal::uint4(from_key + 12u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen3_ = (key3_ < metal::uint4(upto)) & (key3_ >= metal::uint4(_e155));
            uint at3_ = mine + 12u;
            float _e596 = scores.inner[at3_];
            float _e601 = scores.inner[at3_ + 1u];
            float _e606 = scores.inner[at3_ + 2u];
            float _e611 = scores.inner[at3_ + 3u];
            metal::float4 s3_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e596, _e601, _e606, _e611), seen3_);
            float _e616 = most;
            most = metal::max(_e616, metal::max(metal::max(s3_.x, s3_.y), metal::max(s3_.z, s3_.w)));
            float _e625 = most;
            float _e626 = most;
            float unnamed = metal::simd_shuffle_xor(_e626, 1u);
            most = metal::max(_e625, unnamed);
            float _e630 = most;
            float _e631 = reference;
            if (_e630 > (_e631 + 8.0)) {
                raised = metal::uint4(1u);
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::uint4 unnamed_1 = raised;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (unnamed_1.x != 0u) {
                float _e643 = reference;
                float _e644 = most;
                float next = metal::max(_e643, _e644);
                float _e646 = reference;
                float shrink = metal::exp(_e646 - next);
                float _e649 = total;
                total = _e649 * shrink;
                reference = next;
                if (me == 0u) {
                    raised = metal::uint4(0u);
                }
                uint oa0_0_ = top0_ * SS;
                metal::simdgroup_float16x16 _e658 = o0_0_;
                simdgroup_store(_e658, &scores.inner[oa0_0_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e = 0u;
                uint2 loop_bound_3 = uint2(4294967295u);
                bool loop_init_3 = true;
                while(true) {
                    if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                    loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                    if (!loop_init_3) {
                        uint _e674 = e;
                        e = _e674 + 1u;
                    }
                    loop_init_3 = false;
                    uint _e664 = e;
                    if (_e664 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e668 = e;
                        float _e671 = scores.inner[scaled + _e668];
                        scores.inner[scaled + _e668] = _e671 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_0_ = NagaCooperativeLoad(&scores.inner[oa0_0_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_1_ = top0_ * SS;
                metal::simdgroup_float16x16 _e682 = o0_1_;
                simdgroup_store(_e682, &scores.inner[oa0_1_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_1 = 0u;
                uint2 loop_bound_4 = uint2(4294967295u);
                bool loop_init_4 = true;
                while(true) {
                    if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                    loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                    if (!loop_init_4) {
                        uint _e698 = e_1;
                        e_1 = _e698 + 1u;
                    }
                    loop_init_4 = false;
                    uint _e688 = e_1;
                    if (_e688 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e692 = e_1;
                        float _e695 = scores.inner[scaled + _e692];
                        scores.inner[scaled + _e692] = _e695 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_1_ = NagaCooperativeLoad(&scores.inner[oa0_1_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_2_ = top0_ * SS;
                metal::simdgroup_float16x16 _e706 = o0_2_;
                simdgroup_store(_e706, &scores.inner[oa0_2_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_2 = 0u;
                uint2 loop_bound_5 = uint2(4294967295u);
                bool loop_init_5 = true;
                while(true) {
                    if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                    loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                    if (!loop_init_5) {
                        uint _e722 = e_2;
                        e_2 = _e722 + 1u;
                    }
                    loop_init_5 = false;
                    uint _e712 = e_2;
                    if (_e712 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e716 = e_2;
                        float _e719 = scores.inner[scaled + _e716];
                        scores.inner[scaled + _e716] = _e719 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_2_ = NagaCooperativeLoad(&scores.inner[oa0_2_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_3_ = top0_ * SS;
                metal::simdgroup_float16x16 _e730 = o0_3_;
                simdgroup_store(_e730, &scores.inner[oa0_3_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_3 = 0u;
                uint2 loop_bound_6 = uint2(4294967295u);
                bool loop_init_6 = true;
                while(true) {
                    if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                    loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                    if (!loop_init_6) {
                        uint _e746 = e_3;
                        e_3 = _e746 + 1u;
                    }
                    loop_init_6 = false;
                    uint _e736 = e_3;
                    if (_e736 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e740 = e_3;
                        float _e743 = scores.inner[scaled + _e740];
                        scores.inner[scaled + _e740] = _e743 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_3_ = NagaCooperativeLoad(&scores.inner[oa0_3_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_4_ = top0_ * SS;
                metal::simdgroup_float16x16 _e754 = o0_4_;
                simdgroup_store(_e754, &scores.inner[oa0_4_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_4 = 0u;
                uint2 loop_bound_7 = uint2(4294967295u);
                bool loop_init_7 = true;
                while(true) {
                    if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                    loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                    if (!loop_init_7) {
                        uint _e770 = e_4;
                        e_4 = _e770 + 1u;
                    }
                    loop_init_7 = false;
                    uint _e760 = e_4;
                    if (_e760 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e764 = e_4;
                        float _e767 = scores.inner[scaled + _e764];
                        scores.inner[scaled + _e764] = _e767 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_4_ = NagaCooperativeLoad(&scores.inner[oa0_4_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_5_ = top0_ * SS;
                metal::simdgroup_float16x16 _e778 = o0_5_;
                simdgroup_store(_e778, &scores.inner[oa0_5_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_5 = 0u;
                uint2 loop_bound_8 = uint2(4294967295u);
                bool loop_init_8 = true;
                while(true) {
                    if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                    loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                    if (!loop_init_8) {
                        uint _e794 = e_5;
                        e_5 = _e794 + 1u;
                    }
                    loop_init_8 = false;
                    uint _e784 = e_5;
                    if (_e784 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e788 = e_5;
                        float _e791 = scores.inner[scaled + _e788];
                        scores.inner[scaled + _e788] = _e791 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_5_ = NagaCooperativeLoad(&scores.inner[oa0_5_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_6_ = top0_ * SS;
                metal::simdgroup_float16x16 _e802 = o0_6_;
                simdgroup_store(_e802, &scores.inner[oa0_6_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_6 = 0u;
                uint2 loop_bound_9 = uint2(4294967295u);
                bool loop_init_9 = true;
                while(true) {
                    if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                    loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                    if (!loop_init_9) {
                        uint _e818 = e_6;
                        e_6 = _e818 + 1u;
                    }
                    loop_init_9 = false;
                    uint _e808 = e_6;
                    if (_e808 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e812 = e_6;
                        float _e815 = scores.inner[scaled + _e812];
                        scores.inner[scaled + _e812] = _e815 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_6_ = NagaCooperativeLoad(&scores.inner[oa0_6_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_7_ = top0_ * SS;
                metal::simdgroup_float16x16 _e826 = o0_7_;
                simdgroup_store(_e826, &scores.inner[oa0_7_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_7 = 0u;
                uint2 loop_bound_10 = uint2(4294967295u);
                bool loop_init_10 = true;
                while(true) {
                    if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                    loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                    if (!loop_init_10) {
                        uint _e842 = e_7;
                        e_7 = _e842 + 1u;
                    }
                    loop_init_10 = false;
                    uint _e832 = e_7;
                    if (_e832 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e836 = e_7;
                        float _e839 = scores.inner[scaled + _e836];
                        scores.inner[scaled + _e836] = _e839 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_7_ = NagaCooperativeLoad(&scores.inner[oa0_7_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            }
            float _e848 = reference;
            metal::float4 w0_ = metal::select(metal::float4(0.0), metal::exp(s0_ - metal::float4(_e848)), seen0_);
            float _e855 = total;
            total = _e855 + (((w0_.x + w0_.y) + w0_.z) + w0_.w);
            uint to0_1 = naga_div(((((subgroup * 16u) + token) * PS) + (half_ * 16u)) + 0u, ELEMENT);
            shares.inner[to0_1] = static_cast<metal::half4>(w0_);
            float _e879 = reference;
            metal::float4 w1_ = metal::select(metal::float4(0.0), metal::exp(s1_ - metal::float4(_e879)), seen1_);
            float _e886 = total;
            total = _e886 + (((w1_.x + w1_.y) + w1_.z) + w1_.w);
            uint to1_1 = naga_div(((((subgroup * 16u) + token) * PS) + (half_ * 16u)) + 4u, ELEMENT);
            shares.inner[to1_1] = static_cast<metal::half4>(w1_);
            float _e910 = reference;
            metal::float4 w2_ = metal::select(metal::float4(0.0), metal::exp(s2_ - metal::float4(_e910)), seen2_);
            float _e917 = total;
            total = _e917 + (((w2_.x + w2_.y) + w2_.z) + w2_.w);
            uint to2_1 = naga_div(((((subgroup * 16u) + token) * PS) + (half_ * 16u)) + 8u, ELEMENT);
            shares.inner[to2_1] = static_cast<metal::half4>(w2_);
            float _e941 = reference;
            metal::float4 w3_ = metal::select(metal::float4(0.0), metal::exp(s3_ - metal::float4(_e941)), seen3_);
            float _e948 = total;
            total = _e948 + (((w3_.x + w3_.y) + w3_.z) + w3_.w);
            uint to3_1 = naga_div(((((subgroup * 16u) + token) * PS) + (half_ * 16u)) + 12u, ELEMENT);
            shares.inner[to3_1] = static_cast<metal::half4>(w3_);
            uint _e975 = p.place.values;
            uint _e979 = p.place.value_scales;
            uint _e981 = k0_;
            load(_e975, _e979, 16u, _e981, end_1, _e47, kv_head_1, me, step, cache, p, tile, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint wa0_0_ = naga_div((top0_ * PS) + 0u, ELEMENT);
            metal::simdgroup_half16x16 w0_0_ = NagaCooperativeLoad(&shares.inner[wa0_0_], 10u, false);
            uint wa0_1_ = naga_div((top0_ * PS) + 16u, ELEMENT);
            metal::simdgroup_half16x16 w0_1_ = NagaCooperativeLoad(&shares.inner[wa0_1_], 10u, false);
            metal::simdgroup_half16x16 v0_0_ = NagaCooperativeLoad(&tile.inner[0u], 34u, false);
            metal::simdgroup_float16x16 _e1007 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_0_, v0_0_, _e1007);
            metal::simdgroup_half16x16 v0_1_ = NagaCooperativeLoad(&tile.inner[544u], 34u, false);
            metal::simdgroup_float16x16 _e1014 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_1_, v0_1_, _e1014);
            metal::simdgroup_half16x16 v1_0_ = NagaCooperativeLoad(&tile.inner[4u], 34u, false);
            metal::simdgroup_float16x16 _e1021 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_0_, v1_0_, _e1021);
            metal::simdgroup_half16x16 v1_1_ = NagaCooperativeLoad(&tile.inner[548u], 34u, false);
            metal::simdgroup_float16x16 _e1028 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_1_, v1_1_, _e1028);
            metal::simdgroup_half16x16 v2_0_ = NagaCooperativeLoad(&tile.inner[8u], 34u, false);
            metal::simdgroup_float16x16 _e1035 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_0_, v2_0_, _e1035);
            metal::simdgroup_half16x16 v2_1_ = NagaCooperativeLoad(&tile.inner[552u], 34u, false);
            metal::simdgroup_float16x16 _e1042 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_1_, v2_1_, _e1042);
            metal::simdgroup_half16x16 v3_0_ = NagaCooperativeLoad(&tile.inner[12u], 34u, false);
            metal::simdgroup_float16x16 _e1049 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_0_, v3_0_, _e1049);
            metal::simdgroup_half16x16 v3_1_ = NagaCooperativeLoad(&tile.inner[556u], 34u, false);
            metal::simdgroup_float16x16 _e1056 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_1_, v3_1_, _e1056);
            metal::simdgroup_half16x16 v4_0_ = NagaCooperativeLoad(&tile.inner[16u], 34u, false);
            metal::simdgroup_float16x16 _e1063 = o0_4_;
            o0_4_ = NagaCooperativeMultiplyAdd(w0_0_, v4_0_, _e1063);
            metal::simdgroup_half16x16 v4_1_ = NagaCooperativeLoad(&tile.inner[560u], 34u, false);
            metal::simdgroup_float16x16 _e1070 = o0_4_;
            o0_4_ = NagaCooperativeMultiplyAdd(w0_1_, v4_1_, _e1070);
            metal::simdgroup_half16x16 v5_0_ = NagaCooperativeLoad(&tile.inner[20u], 34u, false);
            metal::simdgroup_float16x16 _e1077 = o0_5_;
            o0_5_ = NagaCooperativeMultiplyAdd(w0_0_, v5_0_, _e1077);
            metal::simdgroup_half16x16 v5_1_ = NagaCooperativeLoad(&tile.inner[564u], 34u, false);
            metal::simdgroup_float16x16 _e1084 = o0_5_;
            o0_5_ = NagaCooperativeMultiplyAdd(w0_1_, v5_1_, _e1084);
            metal::simdgroup_half16x16 v6_0_ = NagaCooperativeLoad(&tile.inner[24u], 34u, false);
            metal::simdgroup_float16x16 _e1091 = o0_6_;
            o0_6_ = NagaCooperativeMultiplyAdd(w0_0_, v6_0_, _e1091);
            metal::simdgroup_half16x16 v6_1_ = NagaCooperativeLoad(&tile.inner[568u], 34u, false);
            metal::simdgroup_float16x16 _e1098 = o0_6_;
            o0_6_ = NagaCooperativeMultiplyAdd(w0_1_, v6_1_, _e1098);
            metal::simdgroup_half16x16 v7_0_ = NagaCooperativeLoad(&tile.inner[28u], 34u, false);
            metal::simdgroup_float16x16 _e1105 = o0_7_;
            o0_7_ = NagaCooperativeMultiplyAdd(w0_0_, v7_0_, _e1105);
            metal::simdgroup_half16x16 v7_1_ = NagaCooperativeLoad(&tile.inner[572u], 34u, false);
            metal::simdgroup_float16x16 _e1112 = o0_7_;
            o0_7_ = NagaCooperativeMultiplyAdd(w0_1_, v7_1_, _e1112);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    float _e1117 = total;
    float _e1118 = total;
    float unnamed_2 = metal::simd_shuffle_xor(_e1118, 1u);
    total = _e1117 + unnamed_2;
    uint _e1125 = p.parts;
    uint _e1128 = p.heads;
    uint _e1134 = step[3];
    uint to_1 = _e1125 + ((((((row0_ * _e1128) + head0_) + subgroup) * _e1134) + split) * 130u);
    uint _e1141 = p.heads;
    uint _e1144 = step[3];
    uint next_1 = (_e1141 * _e1144) * 130u;
    if (half_ == 0u) {
        local = token < rows;
    } else {
        local = false;
    }
    bool _e1153 = local;
    if (_e1153) {
        float _e1158 = reference;
        act[to_1 + (token * next_1)] = _e1158;
        float _e1165 = total;
        act[(to_1 + (token * next_1)) + 1u] = _e1165;
    }
    uint oe0_0_ = top0_ * SS;
    metal::simdgroup_float16x16 _e1168 = o0_0_;
    simdgroup_store(_e1168, &scores.inner[oe0_0_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1218 = e_8;
            e_8 = _e1218 + 32u;
        }
        loop_init_11 = false;
        uint _e1173 = e_8;
        if (_e1173 < 128u) {
        } else {
            break;
        }
        {
            uint _e1176 = e_8;
            uint r_1 = naga_div(_e1176, 8u);
            uint _e1180 = e_8;
            uint d_1 = 0u + (naga_mod(_e1180, 8u) * 2u);
            uint _e1189 = e_8;
            uint at_2 = (square0_ + (r_1 * SS)) + (naga_mod(_e1189, 8u) * 2u);
            if (r_1 < rows) {
                float _e1205 = scores.inner[at_2];
                act[((to_1 + (r_1 * next_1)) + 2u) + d_1] = _e1205;
                float _e1217 = scores.inner[at_2 + 1u];
                act[((to_1 + (r_1 * next_1)) + 3u) + d_1] = _e1217;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_1_ = top0_ * SS;
    metal::simdgroup_float16x16 _e1223 = o0_1_;
    simdgroup_store(_e1223, &scores.inner[oe0_1_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1273 = e_9;
            e_9 = _e1273 + 32u;
        }
        loop_init_12 = false;
        uint _e1228 = e_9;
        if (_e1228 < 128u) {
        } else {
            break;
        }
        {
            uint _e1231 = e_9;
            uint r_2 = naga_div(_e1231, 8u);
            uint _e1235 = e_9;
            uint d_2 = 16u + (naga_mod(_e1235, 8u) * 2u);
            uint _e1244 = e_9;
            uint at_3 = (square0_ + (r_2 * SS)) + (naga_mod(_e1244, 8u) * 2u);
            if (r_2 < rows) {
                float _e1260 = scores.inner[at_3];
                act[((to_1 + (r_2 * next_1)) + 2u) + d_2] = _e1260;
                float _e1272 = scores.inner[at_3 + 1u];
                act[((to_1 + (r_2 * next_1)) + 3u) + d_2] = _e1272;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_2_ = top0_ * SS;
    metal::simdgroup_float16x16 _e1278 = o0_2_;
    simdgroup_store(_e1278, &scores.inner[oe0_2_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1328 = e_10;
            e_10 = _e1328 + 32u;
        }
        loop_init_13 = false;
        uint _e1283 = e_10;
        if (_e1283 < 128u) {
        } else {
            break;
        }
        {
            uint _e1286 = e_10;
            uint r_3 = naga_div(_e1286, 8u);
            uint _e1290 = e_10;
            uint d_3 = 32u + (naga_mod(_e1290, 8u) * 2u);
            uint _e1299 = e_10;
            uint at_4 = (square0_ + (r_3 * SS)) + (naga_mod(_e1299, 8u) * 2u);
            if (r_3 < rows) {
                float _e1315 = scores.inner[at_4];
                act[((to_1 + (r_3 * next_1)) + 2u) + d_3] = _e1315;
                float _e1327 = scores.inner[at_4 + 1u];
                act[((to_1 + (r_3 * next_1)) + 3u) + d_3] = _e1327;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_3_ = top0_ * SS;
    metal::simdgroup_float16x16 _e1333 = o0_3_;
    simdgroup_store(_e1333, &scores.inner[oe0_3_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1383 = e_11;
            e_11 = _e1383 + 32u;
        }
        loop_init_14 = false;
        uint _e1338 = e_11;
        if (_e1338 < 128u) {
        } else {
            break;
        }
        {
            uint _e1341 = e_11;
            uint r_4 = naga_div(_e1341, 8u);
            uint _e1345 = e_11;
            uint d_4 = 48u + (naga_mod(_e1345, 8u) * 2u);
            uint _e1354 = e_11;
            uint at_5 = (square0_ + (r_4 * SS)) + (naga_mod(_e1354, 8u) * 2u);
            if (r_4 < rows) {
                float _e1370 = scores.inner[at_5];
                act[((to_1 + (r_4 * next_1)) + 2u) + d_4] = _e1370;
                float _e1382 = scores.inner[at_5 + 1u];
                act[((to_1 + (r_4 * next_1)) + 3u) + d_4] = _e1382;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_4_ = top0_ * SS;
    metal::simdgroup_float16x16 _e1388 = o0_4_;
    simdgroup_store(_e1388, &scores.inner[oe0_4_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1438 = e_12;
            e_12 = _e1438 + 32u;
        }
        loop_init_15 = false;
        uint _e1393 = e_12;
        if (_e1393 < 128u) {
        } else {
            break;
        }
        {
            uint _e1396 = e_12;
            uint r_5 = naga_div(_e1396, 8u);
            uint _e1400 = e_12;
            uint d_5 = 64u + (naga_mod(_e1400, 8u) * 2u);
            uint _e1409 = e_12;
            uint at_6 = (square0_ + (r_5 * SS)) + (naga_mod(_e1409, 8u) * 2u);
            if (r_5 < rows) {
                float _e1425 = scores.inner[at_6];
                act[((to_1 + (r_5 * next_1)) + 2u) + d_5] = _e1425;
                float _e1437 = scores.inner[at_6 + 1u];
                act[((to_1 + (r_5 * next_1)) + 3u) + d_5] = _e1437;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_5_ = top0_ * SS;
    metal::simdgroup_float16x16 _e1443 = o0_5_;
    simdgroup_store(_e1443, &scores.inner[oe0_5_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1493 = e_13;
            e_13 = _e1493 + 32u;
        }
        loop_init_16 = false;
        uint _e1448 = e_13;
        if (_e1448 < 128u) {
        } else {
            break;
        }
        {
            uint _e1451 = e_13;
            uint r_6 = naga_div(_e1451, 8u);
            uint _e1455 = e_13;
            uint d_6 = 80u + (naga_mod(_e1455, 8u) * 2u);
            uint _e1464 = e_13;
            uint at_7 = (square0_ + (r_6 * SS)) + (naga_mod(_e1464, 8u) * 2u);
            if (r_6 < rows) {
                float _e1480 = scores.inner[at_7];
                act[((to_1 + (r_6 * next_1)) + 2u) + d_6] = _e1480;
                float _e1492 = scores.inner[at_7 + 1u];
                act[((to_1 + (r_6 * next_1)) + 3u) + d_6] = _e1492;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_6_ = top0_ * SS;
    metal::simdgroup_float16x16 _e1498 = o0_6_;
    simdgroup_store(_e1498, &scores.inner[oe0_6_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_17 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_17) {
            uint _e1548 = e_14;
            e_14 = _e1548 + 32u;
        }
        loop_init_17 = false;
        uint _e1503 = e_14;
        if (_e1503 < 128u) {
        } else {
            break;
        }
        {
            uint _e1506 = e_14;
            uint r_7 = naga_div(_e1506, 8u);
            uint _e1510 = e_14;
            uint d_7 = 96u + (naga_mod(_e1510, 8u) * 2u);
            uint _e1519 = e_14;
            uint at_8 = (square0_ + (r_7 * SS)) + (naga_mod(_e1519, 8u) * 2u);
            if (r_7 < rows) {
                float _e1535 = scores.inner[at_8];
                act[((to_1 + (r_7 * next_1)) + 2u) + d_7] = _e1535;
                float _e1547 = scores.inner[at_8 + 1u];
                act[((to_1 + (r_7 * next_1)) + 3u) + d_7] = _e1547;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_7_ = top0_ * SS;
    metal::simdgroup_float16x16 _e1553 = o0_7_;
    simdgroup_store(_e1553, &scores.inner[oe0_7_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_18 = uint2(4294967295u);
    bool loop_init_18 = true;
    while(true) {
        if (metal::all(loop_bound_18 == uint2(0u))) { break; }
        loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
        if (!loop_init_18) {
            uint _e1603 = e_15;
            e_15 = _e1603 + 32u;
        }
        loop_init_18 = false;
        uint _e1558 = e_15;
        if (_e1558 < 128u) {
        } else {
            break;
        }
        {
            uint _e1561 = e_15;
            uint r_8 = naga_div(_e1561, 8u);
            uint _e1565 = e_15;
            uint d_8 = 112u + (naga_mod(_e1565, 8u) * 2u);
            uint _e1574 = e_15;
            uint at_9 = (square0_ + (r_8 * SS)) + (naga_mod(_e1574, 8u) * 2u);
            if (r_8 < rows) {
                float _e1590 = scores.inner[at_9];
                act[((to_1 + (r_8 * next_1)) + 2u) + d_8] = _e1590;
                float _e1602 = scores.inner[at_9 + 1u];
                act[((to_1 + (r_8 * next_1)) + 3u) + d_8] = _e1602;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
