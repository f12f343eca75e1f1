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
typedef half type_10[1];
struct type_11 {
    half inner[9344];
};
struct type_12 {
    half inner[384];
};
struct type_13 {
    float inner[64];
};
struct type_14 {
    float inner[1280];
};
struct type_15 {
    uint inner[16];
};
struct type_16 {
    float inner[16];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint PARTS = 4u;
constant uint SIDE = 8u;
constant uint SINGLE = 1u;
constant uint SQUARES = 2u;
constant uint CACHE = 1u;
constant uint KEY_DIM = 576u;
constant uint VALUE_DIM = 512u;
constant uint KSQ_PART = 18u;
constant uint VSQ_PART = 8u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint UNITS = 72u;
constant uint KEYS = 16u;
constant uint TS = 584u;
constant uint WS = 24u;
constant uint SS = 20u;
constant uint ELEMENT = 1u;

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
        uint at_1 = naga_div(plane, 4u) + (((slot * units) + u) * 2u);
        metal::uint4 _e15 = cache[at_1];
        metal::uint4 _e20 = cache[at_1 + 1u];
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

uint slot_2(
    uint row_2,
    uint at,
    uint table_1,
    device type_1 const& step,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e5 = p.block_len;
    uint _e8 = slot_of(table_1, at, _e5, 1u, 0u, step, _buffer_sizes);
    return _e8;
}
metal::simdgroup_half8x8 NagaCooperativeLoad(const device half* ptr, int stride, bool is_row_major) {
    metal::simdgroup_half8x8 m;
    simdgroup_load(m, ptr, stride, 0, is_row_major);
    return m;
}

metal::simdgroup_float8x8 NagaCooperativeLoad(const threadgroup float* ptr, int stride, bool is_row_major) {
    metal::simdgroup_float8x8 m;
    simdgroup_load(m, ptr, stride, 0, is_row_major);
    return m;
}

metal::simdgroup_half8x8 NagaCooperativeLoad(const threadgroup half* ptr, int stride, bool is_row_major) {
    metal::simdgroup_half8x8 m;
    simdgroup_load(m, ptr, stride, 0, is_row_major);
    return m;
}

metal::simdgroup_float8x8 NagaCooperativeMultiplyAdd(const thread metal::simdgroup_half8x8& a, const thread metal::simdgroup_half8x8& b, const thread metal::simdgroup_float8x8& c) {
    metal::simdgroup_float8x8 d;
    simdgroup_multiply_accumulate(d,a,b,c);
    return d;
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5 const& cache [[user(fake0)]]
, device type_8& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_10 const& x [[user(fake0)]]
, threadgroup type_11& tile
, threadgroup type_12& shares
, threadgroup type_13& zeros
, threadgroup type_14& scores
, threadgroup type_15& slots
, threadgroup type_16& factors
, threadgroup metal::uint4& raised
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    metal::simdgroup_float8x8 o0_0_ = {};
    metal::simdgroup_float8x8 o0_1_ = {};
    metal::simdgroup_float8x8 o0_2_ = {};
    metal::simdgroup_float8x8 o0_3_ = {};
    metal::simdgroup_float8x8 o0_4_ = {};
    metal::simdgroup_float8x8 o0_5_ = {};
    metal::simdgroup_float8x8 o0_6_ = {};
    metal::simdgroup_float8x8 o0_7_ = {};
    metal::simdgroup_float8x8 o1_0_ = {};
    metal::simdgroup_float8x8 o1_1_ = {};
    metal::simdgroup_float8x8 o1_2_ = {};
    metal::simdgroup_float8x8 o1_3_ = {};
    metal::simdgroup_float8x8 o1_4_ = {};
    metal::simdgroup_float8x8 o1_5_ = {};
    metal::simdgroup_float8x8 o1_6_ = {};
    metal::simdgroup_float8x8 o1_7_ = {};
    bool local = {};
    float reference = -1000000000000000000000000000000.0;
    float total = 0.0;
    uint k0_ = {};
    uint from_unit = {};
    metal::simdgroup_float8x8 a0_ = {};
    metal::simdgroup_float8x8 a1_ = {};
    metal::float4 s = {};
    float most = {};
    uint n = {};
    uint e = {};
    uint e_1 = {};
    uint e_2 = {};
    uint e_3 = {};
    uint e_4 = {};
    uint e_5 = {};
    uint e_6 = {};
    uint e_7 = {};
    uint n_1 = 1u;
    bool local_1 = {};
    uint e_8 = {};
    uint e_9 = {};
    uint e_10 = {};
    uint e_11 = {};
    uint e_12 = {};
    uint e_13 = {};
    uint e_14 = {};
    uint e_15 = {};
    uint head0_ = group.x * 16u;
    uint row_3 = group.z;
    uint _e10 = p.windowed;
    uint _e11 = table_of(row_3, _e10, step, _buffer_sizes);
    uint _e15 = step[2];
    uint first = group.y * _e15;
    uint _e17 = seen_to(row_3, step, _buffer_sizes);
    uint _e20 = step[2];
    uint end = metal::min(_e17, first + _e20);
    if (me < KEYS) {
        uint _e31 = slot_2(row_3, metal::min(first + me, end - 1u), _e11, step, p, _buffer_sizes);
        slots.inner[me] = _e31;
    }
    if (me == 0u) {
        raised = metal::uint4(0u);
    }
    i = me;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e45 = i;
            i = _e45 + WG;
        }
        loop_init = false;
        uint _e38 = i;
        if (_e38 < 64u) {
        } else {
            break;
        }
        {
            uint _e42 = i;
            zeros.inner[_e42] = 0.0;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint key0_ = naga_mod(subgroup, 2u) * SIDE;
    uint part = naga_div(subgroup, 2u);
    uint square0_ = (part * KSQ_PART) * SIDE;
    uint value0_ = (subgroup * VSQ_PART) * SIDE;
    uint _e64 = p.heads;
    uint qa0_0_ = naga_div((((((row_3 * _e64) + head0_) + 0u) * KEY_DIM) + square0_) + 0u, ELEMENT);
    metal::simdgroup_half8x8 q0_0_ = NagaCooperativeLoad(&x[qa0_0_], 576u, false);
    uint _e82 = p.heads;
    uint qa0_1_ = naga_div((((((row_3 * _e82) + head0_) + 0u) * KEY_DIM) + square0_) + 8u, ELEMENT);
    metal::simdgroup_half8x8 q0_1_ = NagaCooperativeLoad(&x[qa0_1_], 576u, false);
    uint _e100 = p.heads;
    uint qa0_2_ = naga_div((((((row_3 * _e100) + head0_) + 0u) * KEY_DIM) + square0_) + 16u, ELEMENT);
    metal::simdgroup_half8x8 q0_2_ = NagaCooperativeLoad(&x[qa0_2_], 576u, false);
    uint _e118 = p.heads;
    uint qa0_3_ = naga_div((((((row_3 * _e118) + head0_) + 0u) * KEY_DIM) + square0_) + 24u, ELEMENT);
    metal::simdgroup_half8x8 q0_3_ = NagaCooperativeLoad(&x[qa0_3_], 576u, false);
    uint _e136 = p.heads;
    uint qa0_4_ = naga_div((((((row_3 * _e136) + head0_) + 0u) * KEY_DIM) + square0_) + 32u, ELEMENT);
    metal::simdgroup_half8x8 q0_4_ = NagaCooperativeLoad(&x[qa0_4_], 576u, false);
    uint _e154 = p.heads;
    uint qa0_5_ = naga_div((((((row_3 * _e154) + head0_) + 0u) * KEY_DIM) + square0_) + 40u, ELEMENT);
    metal::simdgroup_half8x8 q0_5_ = NagaCooperativeLoad(&x[qa0_5_], 576u, false);
    uint _e172 = p.heads;
    uint qa0_6_ = naga_div((((((row_3 * _e172) + head0_) + 0u) * KEY_DIM) + square0_) + 48u, ELEMENT);
    metal::simdgroup_half8x8 q0_6_ = NagaCooperativeLoad(&x[qa0_6_], 576u, false);
    uint _e190 = p.heads;
    uint qa0_7_ = naga_div((((((row_3 * _e190) + head0_) + 0u) * KEY_DIM) + square0_) + 56u, ELEMENT);
    metal::simdgroup_half8x8 q0_7_ = NagaCooperativeLoad(&x[qa0_7_], 576u, false);
    uint _e208 = p.heads;
    uint qa0_8_ = naga_div((((((row_3 * _e208) + head0_) + 0u) * KEY_DIM) + square0_) + 64u, ELEMENT);
    metal::simdgroup_half8x8 q0_8_ = NagaCooperativeLoad(&x[qa0_8_], 576u, false);
    uint _e226 = p.heads;
    uint qa0_9_ = naga_div((((((row_3 * _e226) + head0_) + 0u) * KEY_DIM) + square0_) + 72u, ELEMENT);
    metal::simdgroup_half8x8 q0_9_ = NagaCooperativeLoad(&x[qa0_9_], 576u, false);
    uint _e244 = p.heads;
    uint qa0_10_ = naga_div((((((row_3 * _e244) + head0_) + 0u) * KEY_DIM) + square0_) + 80u, ELEMENT);
    metal::simdgroup_half8x8 q0_10_ = NagaCooperativeLoad(&x[qa0_10_], 576u, false);
    uint _e262 = p.heads;
    uint qa0_11_ = naga_div((((((row_3 * _e262) + head0_) + 0u) * KEY_DIM) + square0_) + 88u, ELEMENT);
    metal::simdgroup_half8x8 q0_11_ = NagaCooperativeLoad(&x[qa0_11_], 576u, false);
    uint _e280 = p.heads;
    uint qa0_12_ = naga_div((((((row_3 * _e280) + head0_) + 0u) * KEY_DIM) + square0_) + 96u, ELEMENT);
    metal::simdgroup_half8x8 q0_12_ = NagaCooperativeLoad(&x[qa0_12_], 576u, false);
    uint _e298 = p.heads;
    uint qa0_13_ = naga_div((((((row_3 * _e298) + head0_) + 0u) * KEY_DIM) + square0_) + 104u, ELEMENT);
    metal::simdgroup_half8x8 q0_13_ = NagaCooperativeLoad(&x[qa0_13_], 576u, false);
    uint _e316 = p.heads;
    uint qa0_14_ = naga_div((((((row_3 * _e316) + head0_) + 0u) * KEY_DIM) + square0_) + 112u, ELEMENT);
    metal::simdgroup_half8x8 q0_14_ = NagaCooperativeLoad(&x[qa0_14_], 576u, false);
    uint _e334 = p.heads;
    uint qa0_15_ = naga_div((((((row_3 * _e334) + head0_) + 0u) * KEY_DIM) + square0_) + 120u, ELEMENT);
    metal::simdgroup_half8x8 q0_15_ = NagaCooperativeLoad(&x[qa0_15_], 576u, false);
    uint _e352 = p.heads;
    uint qa0_16_ = naga_div((((((row_3 * _e352) + head0_) + 0u) * KEY_DIM) + square0_) + 128u, ELEMENT);
    metal::simdgroup_half8x8 q0_16_ = NagaCooperativeLoad(&x[qa0_16_], 576u, false);
    uint _e370 = p.heads;
    uint qa0_17_ = naga_div((((((row_3 * _e370) + head0_) + 0u) * KEY_DIM) + square0_) + 136u, ELEMENT);
    metal::simdgroup_half8x8 q0_17_ = NagaCooperativeLoad(&x[qa0_17_], 576u, false);
    o0_0_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_1_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_2_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_3_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_4_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_5_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_6_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_7_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    uint corner0_ = ((subgroup * 16u) + 0u) * SIDE;
    uint _e434 = p.heads;
    uint qa1_0_ = naga_div((((((row_3 * _e434) + head0_) + 8u) * KEY_DIM) + square0_) + 0u, ELEMENT);
    metal::simdgroup_half8x8 q1_0_ = NagaCooperativeLoad(&x[qa1_0_], 576u, false);
    uint _e452 = p.heads;
    uint qa1_1_ = naga_div((((((row_3 * _e452) + head0_) + 8u) * KEY_DIM) + square0_) + 8u, ELEMENT);
    metal::simdgroup_half8x8 q1_1_ = NagaCooperativeLoad(&x[qa1_1_], 576u, false);
    uint _e470 = p.heads;
    uint qa1_2_ = naga_div((((((row_3 * _e470) + head0_) + 8u) * KEY_DIM) + square0_) + 16u, ELEMENT);
    metal::simdgroup_half8x8 q1_2_ = NagaCooperativeLoad(&x[qa1_2_], 576u, false);
    uint _e488 = p.heads;
    uint qa1_3_ = naga_div((((((row_3 * _e488) + head0_) + 8u) * KEY_DIM) + square0_) + 24u, ELEMENT);
    metal::simdgroup_half8x8 q1_3_ = NagaCooperativeLoad(&x[qa1_3_], 576u, false);
    uint _e506 = p.heads;
    uint qa1_4_ = naga_div((((((row_3 * _e506) + head0_) + 8u) * KEY_DIM) + square0_) + 32u, ELEMENT);
    metal::simdgroup_half8x8 q1_4_ = NagaCooperativeLoad(&x[qa1_4_], 576u, false);
    uint _e524 = p.heads;
    uint qa1_5_ = naga_div((((((row_3 * _e524) + head0_) + 8u) * KEY_DIM) + square0_) + 40u, ELEMENT);
    metal::simdgroup_half8x8 q1_5_ = NagaCooperativeLoad(&x[qa1_5_], 576u, false);
    uint _e542 = p.heads;
    uint qa1_6_ = naga_div((((((row_3 * _e542) + head0_) + 8u) * KEY_DIM) + square0_) + 48u, ELEMENT);
    metal::simdgroup_half8x8 q1_6_ = NagaCooperativeLoad(&x[qa1_6_], 576u, false);
    uint _e560 = p.heads;
    uint qa1_7_ = naga_div((((((row_3 * _e560) + head0_) + 8u) * KEY_DIM) + square0_) + 56u, ELEMENT);
    metal::simdgroup_half8x8 q1_7_ = NagaCooperativeLoad(&x[qa1_7_], 576u, false);
    uint _e578 = p.heads;
    uint qa1_8_ = naga_div((((((row_3 * _e578) + head0_) + 8u) * KEY_DIM) + square0_) + 64u, ELEMENT);
    metal::simdgroup_half8x8 q1_8_ = NagaCooperativeLoad(&x[qa1_8_], 576u, false);
    uint _e596 = p.heads;
    uint qa1_9_ = naga_div((((((row_3 * _e596) + head0_) + 8u) * KEY_DIM) + square0_) + 72u, ELEMENT);
    metal::simdgroup_half8x8 q1_9_ = NagaCooperativeLoad(&x[qa1_9_], 576u, false);
    uint _e614 = p.heads;
    uint qa1_10_ = naga_div((((((row_3 * _e614) + head0_) + 8u) * KEY_DIM) + square0_) + 80u, ELEMENT);
    metal::simdgroup_half8x8 q1_10_ = NagaCooperativeLoad(&x[qa1_10_], 576u, false);
    uint _e632 = p.heads;
    uint qa1_11_ = naga_div((((((row_3 * _e632) + head0_) + 8u) * KEY_DIM) + square0_) + 88u, ELEMENT);
    metal::simdgroup_half8x8 q1_11_ = NagaCooperativeLoad(&x[qa1_11_], 576u, false);
    uint _e650 = p.heads;
    uint qa1_12_ = naga_div((((((row_3 * _e650) + head0_) + 8u) * KEY_DIM) + square0_) + 96u, ELEMENT);
    metal::simdgroup_half8x8 q1_12_ = NagaCooperativeLoad(&x[qa1_12_], 576u, false);
    uint _e668 = p.heads;
    uint qa1_13_ = naga_div((((((row_3 * _e668) + head0_) + 8u) * KEY_DIM) + square0_) + 104u, ELEMENT);
    metal::simdgroup_half8x8 q1_13_ = NagaCooperativeLoad(&x[qa1_13_], 576u, false);
    uint _e686 = p.heads;
    uint qa1_14_ = naga_div((((((row_3 * _e686) + head0_) + 8u) * KEY_DIM) + square0_) + 112u, ELEMENT);
    metal::simdgroup_half8x8 q1_14_ = NagaCooperativeLoad(&x[qa1_14_], 576u, false);
    uint _e704 = p.heads;
    uint qa1_15_ = naga_div((((((row_3 * _e704) + head0_) + 8u) * KEY_DIM) + square0_) + 120u, ELEMENT);
    metal::simdgroup_half8x8 q1_15_ = NagaCooperativeLoad(&x[qa1_15_], 576u, false);
    uint _e722 = p.heads;
    uint qa1_16_ = naga_div((((((row_3 * _e722) + head0_) + 8u) * KEY_DIM) + square0_) + 128u, ELEMENT);
    metal::simdgroup_half8x8 q1_16_ = NagaCooperativeLoad(&x[qa1_16_], 576u, false);
    uint _e740 = p.heads;
    uint qa1_17_ = naga_div((((((row_3 * _e740) + head0_) + 8u) * KEY_DIM) + square0_) + 136u, ELEMENT);
    metal::simdgroup_half8x8 q1_17_ = NagaCooperativeLoad(&x[qa1_17_], 576u, false);
    o1_0_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_1_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_2_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_3_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_4_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_5_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_6_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_7_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    uint corner1_ = ((subgroup * 16u) + 8u) * SIDE;
    uint head_1 = naga_mod(naga_div(me, 4u), 16u);
    uint mine = naga_mod(me, 4u) * 4u;
    uint _e813 = p.heads;
    bool known = (head0_ + head_1) < _e813;
    if (naga_mod(me, 4u) == 0u) {
        local = me < 64u;
    } else {
        local = false;
    }
    bool leads = local;
    k0_ = first;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e2334 = k0_;
            k0_ = _e2334 + KEYS;
        }
        loop_init_1 = false;
        uint _e830 = k0_;
        if (_e830 < end) {
        } else {
            break;
        }
        {
            from_unit = me;
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e1224 = from_unit;
                    from_unit = _e1224 + 1024u;
                }
                loop_init_2 = false;
                uint _e833 = from_unit;
                if (_e833 < 1152u) {
                } else {
                    break;
                }
                {
                    uint _e836 = from_unit;
                    uint i0_ = metal::min(_e836 + 0u, 1151u);
                    uint _e844 = p.place.keys;
                    uint _e848 = p.place.key_scales;
                    uint _e853 = slots.inner[naga_div(i0_, UNITS)];
                    type_7 _e857 = eight(_e844, _e848, _e853, UNITS, naga_mod(i0_, UNITS), cache, _buffer_sizes);
                    uint _e858 = from_unit;
                    uint i1_ = metal::min(_e858 + 256u, 1151u);
                    uint _e866 = p.place.keys;
                    uint _e870 = p.place.key_scales;
                    uint _e875 = slots.inner[naga_div(i1_, UNITS)];
                    type_7 _e879 = eight(_e866, _e870, _e875, UNITS, naga_mod(i1_, UNITS), cache, _buffer_sizes);
                    uint _e880 = from_unit;
                    uint i2_ = metal::min(_e880 + 512u, 1151u);
                    uint _e888 = p.place.keys;
                    uint _e892 = p.place.key_scales;
                    uint _e897 = slots.inner[naga_div(i2_, UNITS)];
                    type_7 _e901 = eight(_e888, _e892, _e897, UNITS, naga_mod(i2_, UNITS), cache, _buffer_sizes);
                    uint _e902 = from_unit;
                    uint i3_ = metal::min(_e902 + 768u, 1151u);
                    uint _e910 = p.place.keys;
                    uint _e914 = p.place.key_scales;
                    uint _e919 = slots.inner[naga_div(i3_, UNITS)];
                    type_7 _e923 = eight(_e910, _e914, _e919, UNITS, naga_mod(i3_, UNITS), cache, _buffer_sizes);
                    uint to0_ = naga_div((naga_div(i0_, UNITS) * TS) + (naga_mod(i0_, UNITS) * 8u), ELEMENT);
                    tile.inner[to0_ + 0u] = static_cast<half>(_e857.inner[0].x);
                    tile.inner[(to0_ + 4u) + 0u] = static_cast<half>(_e857.inner[1].x);
                    tile.inner[to0_ + 1u] = static_cast<half>(_e857.inner[0].y);
                    tile.inner[(to0_ + 4u) + 1u] = static_cast<half>(_e857.inner[1].y);
                    tile.inner[to0_ + 2u] = static_cast<half>(_e857.inner[0].z);
                    tile.inner[(to0_ + 4u) + 2u] = static_cast<half>(_e857.inner[1].z);
                    tile.inner[to0_ + 3u] = static_cast<half>(_e857.inner[0].w);
                    tile.inner[(to0_ + 4u) + 3u] = static_cast<half>(_e857.inner[1].w);
                    uint to1_ = naga_div((naga_div(i1_, UNITS) * TS) + (naga_mod(i1_, UNITS) * 8u), ELEMENT);
                    tile.inner[to1_ + 0u] = static_cast<half>(_e879.inner[0].x);
                    tile.inner[(to1_ + 4u) + 0u] = static_cast<half>(_e879.inner[1].x);
                    tile.inner[to1_ + 1u] = static_cast<half>(_e879.inner[0].y);
                    tile.inner[(to1_ + 4u) + 1u] = static_cast<half>(_e879.inner[1].y);
                    tile.inner[to1_ + 2u] = static_cast<half>(_e879.inner[0].z);
                    tile.inner[(to1_ + 4u) + 2u] = static_cast<half>(_e879.inner[1].z);
                    tile.inner[to1_ + 3u] = static_cast<half>(_e879.inner[0].w);
                    tile.inner[(to1_ + 4u) + 3u] = static_cast<half>(_e879.inner[1].w);
                    uint to2_ = naga_div((naga_div(i2_, UNITS) * TS) + (naga_mod(i2_, UNITS) * 8u), ELEMENT);
                    tile.inner[to2_ + 0u] = static_cast<half>(_e901.inner[0].x);
                    tile.inner[(to2_ + 4u) + 0u] = static_cast<half>(_e901.inner[1].x);
                    tile.inner[to2_ + 1u] = static_cast<half>(_e901.inner[0].y);
                    tile.inner[(to2_ + 4u) + 1u] = static_cast<half>(_e901.inner[1].y);
                    tile.inner[to2_ + 2u] = static_cast<half>(_e901.inner[0].z);
                    tile.inner[(to2_ + 4u) + 2u] = static_cast<half>(_e901.inner[1].z);
                    tile.inner[to2_ + 3u] = static_cast<half>(_e901.inner[0].w);
                    tile.inner[(to2_ + 4u) + 3u] = static_cast<half>(_e901.inner[1].w);
                    uint to3_ = naga_div((naga_div(i3_, UNITS) * TS) + (naga_mod(i3_, UNITS) * 8u), ELEMENT);
                    tile.inner[to3_ + 0u] = static_cast<half>(_e923.inner[0].x);
                    tile.inner[(to3_ + 4u) + 0u] = static_cast<half>(_e923.inner[1].x);
                    tile.inner[to3_ + 1u] = static_cast<half>(_e923.inner[0].y);
                    tile.inner[(to3_ + 4u) + 1u] = static_cast<half>(_e923.inner[1].y);
                    tile.inner[to3_ + 2u] = static_cast<half>(_e923.inner[0].z);
                    tile.inner[(to3_ + 4u) + 2u] = static_cast<half>(_e923.inner[1].z);
                    tile.inner[to3_ + 3u] = static_cast<half>(_e923.inner[0].w);
                    tile.inner[(to3_ + 4u) + 3u] = static_cast<half>(_e923.inner[1].w);
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            a0_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            a1_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            uint ba0_ = naga_div(((key0_ * TS) + square0_) + 0u, ELEMENT);
            metal::simdgroup_half8x8 b0_ = NagaCooperativeLoad(&tile.inner[ba0_], 584u, true);
            metal::simdgroup_float8x8 _e1248 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_0_, b0_, _e1248);
            metal::simdgroup_float8x8 _e1250 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_0_, b0_, _e1250);
            uint ba1_ = naga_div(((key0_ * TS) + square0_) + 8u, ELEMENT);
            metal::simdgroup_half8x8 b1_ = NagaCooperativeLoad(&tile.inner[ba1_], 584u, true);
            metal::simdgroup_float8x8 _e1263 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_1_, b1_, _e1263);
            metal::simdgroup_float8x8 _e1265 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_1_, b1_, _e1265);
            uint ba2_ = naga_div(((key0_ * TS) + square0_) + 16u, ELEMENT);
            metal::simdgroup_half8x8 b2_ = NagaCooperativeLoad(&tile.inner[ba2_], 584u, true);
            metal::simdgroup_float8x8 _e1278 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_2_, b2_, _e1278);
            metal::simdgroup_float8x8 _e1280 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_2_, b2_, _e1280);
            uint ba3_ = naga_div(((key0_ * TS) + square0_) + 24u, ELEMENT);
            metal::simdgroup_half8x8 b3_ = NagaCooperativeLoad(&tile.inner[ba3_], 584u, true);
            metal::simdgroup_float8x8 _e1293 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_3_, b3_, _e1293);
            metal::simdgroup_float8x8 _e1295 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_3_, b3_, _e1295);
            uint ba4_ = naga_div(((key0_ * TS) + square0_) + 32u, ELEMENT);
            metal::simdgroup_half8x8 b4_ = NagaCooperativeLoad(&tile.inner[ba4_], 584u, true);
            metal::simdgroup_float8x8 _e1308 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_4_, b4_, _e1308);
            metal::simdgroup_float8x8 _e1310 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_4_, b4_, _e1310);
            uint ba5_ = naga_div(((key0_ * TS) + square0_) + 40u, ELEMENT);
            metal::simdgroup_half8x8 b5_ = NagaCooperativeLoad(&tile.inner[ba5_], 584u, true);
            metal::simdgroup_float8x8 _e1323 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_5_, b5_, _e1323);
            metal::simdgroup_float8x8 _e1325 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_5_, b5_, _e1325);
            uint ba6_ = naga_div(((key0_ * TS) + square0_) + 48u, ELEMENT);
            metal::simdgroup_half8x8 b6_ = NagaCooperativeLoad(&tile.inner[ba6_], 584u, true);
            metal::simdgroup_float8x8 _e1338 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_6_, b6_, _e1338);
            metal::simdgroup_float8x8 _e1340 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_6_, b6_, _e1340);
            uint ba7_ = naga_div(((key0_ * TS) + square0_) + 56u, ELEMENT);
            metal::simdgroup_half8x8 b7_ = NagaCooperativeLoad(&tile.inner[ba7_], 584u, true);
            metal::simdgroup_float8x8 _e1353 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_7_, b7_, _e1353);
            metal::simdgroup_float8x8 _e1355 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_7_, b7_, _e1355);
            uint ba8_ = naga_div(((key0_ * TS) + square0_) + 64u, ELEMENT);
            metal::simdgroup_half8x8 b8_ = NagaCooperativeLoad(&tile.inner[ba8_], 584u, true);
            metal::simdgroup_float8x8 _e1368 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_8_, b8_, _e1368);
            metal::simdgroup_float8x8 _e1370 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_8_, b8_, _e1370);
            uint ba9_ = naga_div(((key0_ * TS) + square0_) + 72u, ELEMENT);
            metal::simdgroup_half8x8 b9_ = NagaCooperativeLoad(&tile.inner[ba9_], 584u, true);
            metal::simdgroup_float8x8 _e1383 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_9_, b9_, _e1383);
            metal::simdgroup_float8x8 _e1385 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_9_, b9_, _e1385);
            uint ba10_ = naga_div(((key0_ * TS) + square0_) + 80u, ELEMENT);
            metal::simdgroup_half8x8 b10_ = NagaCooperativeLoad(&tile.inner[ba10_], 584u, true);
            metal::simdgroup_float8x8 _e1398 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_10_, b10_, _e1398);
            metal::simdgroup_float8x8 _e1400 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_10_, b10_, _e1400);
            uint ba11_ = naga_div(((key0_ * TS) + square0_) + 88u, ELEMENT);
            metal::simdgroup_half8x8 b11_ = NagaCooperativeLoad(&tile.inner[ba11_], 584u, true);
            metal::simdgroup_float8x8 _e1413 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_11_, b11_, _e1413);
            metal::simdgroup_float8x8 _e1415 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_11_, b11_, _e1415);
            uint ba12_ = naga_div(((key0_ * TS) + square0_) + 96u, ELEMENT);
            metal::simdgroup_half8x8 b12_ = NagaCooperativeLoad(&tile.inner[ba12_], 584u, true);
            metal::simdgroup_float8x8 _e1428 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_12_, b12_, _e1428);
            metal::simdgroup_float8x8 _e1430 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_12_, b12_, _e1430);
            uint ba13_ = naga_div(((key0_ * TS) + square0_) + 104u, ELEMENT);
            metal::simdgroup_half8x8 b13_ = NagaCooperativeLoad(&tile.inner[ba13_], 584u, true);
            metal::simdgroup_float8x8 _e1443 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_13_, b13_, _e1443);
            metal::simdgroup_float8x8 _e1445 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_13_, b13_, _e1445);
            uint ba14_ = naga_div(((key0_ * TS) + square0_) + 112u, ELEMENT);
            metal::simdgroup_half8x8 b14_ = NagaCooperativeLoad(&tile.inner[ba14_], 584u, true);
            metal::simdgroup_float8x8 _e1458 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_14_, b14_, _e1458);
            metal::simdgroup_float8x8 _e1460 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_14_, b14_, _e1460);
            uint ba15_ = naga_div(((key0_ * TS) + square0_) + 120u, ELEMENT);
            metal::simdgroup_half8x8 b15_ = NagaCooperativeLoad(&tile.inner[ba15_], 584u, true);
            metal::simdgroup_float8x8 _e1473 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_15_, b15_, _e1473);
            metal::simdgroup_float8x8 _e1475 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_15_, b15_, _e1475);
            uint ba16_ = naga_div(((key0_ * TS) + square0_) + 128u, ELEMENT);
            metal::simdgroup_half8x8 b16_ = NagaCooperativeLoad(&tile.inner[ba16_], 584u, true);
            metal::simdgroup_float8x8 _e1488 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_16_, b16_, _e1488);
            metal::simdgroup_float8x8 _e1490 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_16_, b16_, _e1490);
            uint ba17_ = naga_div(((key0_ * TS) + square0_) + 136u, ELEMENT);
            metal::simdgroup_half8x8 b17_ = NagaCooperativeLoad(&tile.inner[ba17_], 584u, true);
            metal::simdgroup_float8x8 _e1503 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_17_, b17_, _e1503);
            metal::simdgroup_float8x8 _e1505 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_17_, b17_, _e1505);
            uint sa0_ = (((part * 16u) + 0u) * SS) + key0_;
            metal::simdgroup_float8x8 _e1514 = a0_;
            simdgroup_store(_e1514, &scores.inner[sa0_], SS);
            uint sa1_ = (((part * 16u) + 8u) * SS) + key0_;
            metal::simdgroup_float8x8 _e1525 = a1_;
            simdgroup_store(_e1525, &scores.inner[sa1_], SS);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            s = metal::float4(0.0);
            uint at0_ = ((0u + head_1) * SS) + mine;
            metal::float4 _e1537 = s;
            float _e1540 = scores.inner[at0_];
            float _e1545 = scores.inner[at0_ + 1u];
            float _e1550 = scores.inner[at0_ + 2u];
            float _e1555 = scores.inner[at0_ + 3u];
            s = _e1537 + metal::float4(_e1540, _e1545, _e1550, _e1555);
            uint at1_ = ((16u + head_1) * SS) + mine;
            metal::float4 _e1563 = s;
            float _e1566 = scores.inner[at1_];
            float _e1571 = scores.inner[at1_ + 1u];
            float _e1576 = scores.inner[at1_ + 2u];
            float _e1581 = scores.inner[at1_ + 3u];
            s = _e1563 + metal::float4(_e1566, _e1571, _e1576, _e1581);
            uint at2_ = ((32u + head_1) * SS) + mine;
            metal::float4 _e1589 = s;
            float _e1592 = scores.inner[at2_];
            float _e1597 = scores.inner[at2_ + 1u];
            float _e1602 = scores.inner[at2_ + 2u];
            float _e1607 = scores.inner[at2_ + 3u];
            s = _e1589 + metal::float4(_e1592, _e1597, _e1602, _e1607);
            uint at3_ = ((48u + head_1) * SS) + mine;
            metal::float4 _e1615 = s;
            float _e1618 = scores.inner[at3_];
            float _e1623 = scores.inner[at3_ + 1u];
            float _e1628 = scores.inner[at3_ + 2u];
            float _e1633 = scores.inner[at3_ + 3u];
            s = _e1615 + metal::float4(_e1618, _e1623, _e1628, _e1633);
            uint _e1636 = k0_;
            metal::bool4 seen = (metal::uint4(_e1636 + mine) + metal::uint4(0u, 1u, 2u, 3u)) < metal::uint4(known ? end : 0u);
            metal::float4 _e1649 = s;
            float _e1652 = p.scale;
            s = metal::select(metal::float4(-1000000000000000000000000000000.0), _e1649 * _e1652, seen);
            float _e1658 = s.x;
            float _e1660 = s.y;
            float _e1663 = s.z;
            float _e1665 = s.w;
            most = metal::max(metal::max(_e1658, _e1660), metal::max(_e1663, _e1665));
            n = 1u;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e1679 = n;
                    n = _e1679 * 2u;
                }
                loop_init_3 = false;
                uint _e1671 = n;
                if (_e1671 < 4u) {
                } else {
                    break;
                }
                {
                    float _e1674 = most;
                    float _e1675 = most;
                    uint _e1676 = n;
                    float unnamed = metal::simd_shuffle_xor(_e1675, _e1676);
                    most = metal::max(_e1674, unnamed);
                }
            }
            float _e1682 = most;
            float _e1683 = reference;
            if (_e1682 > (_e1683 + 8.0)) {
                raised = metal::uint4(1u);
            }
            if (me < KEYS) {
                uint _e1694 = k0_;
                uint _e1701 = slot_2(row_3, metal::min((_e1694 + KEYS) + me, end - 1u), _e11, step, p, _buffer_sizes);
                slots.inner[me] = _e1701;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::uint4 unnamed_1 = raised;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (unnamed_1.x != 0u) {
                float _e1707 = reference;
                float _e1708 = most;
                float next = metal::max(_e1707, _e1708);
                float _e1710 = reference;
                float shrink = metal::exp(_e1710 - next);
                float _e1713 = total;
                total = _e1713 * shrink;
                reference = next;
                if (leads) {
                    factors.inner[head_1] = shrink;
                }
                if (me == 0u) {
                    raised = metal::uint4(0u);
                }
                metal::simdgroup_float8x8 _e1722 = o0_0_;
                simdgroup_store(_e1722, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1726 = o1_0_;
                simdgroup_store(_e1726, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e = 0u;
                uint2 loop_bound_4 = uint2(4294967295u);
                bool loop_init_4 = true;
                while(true) {
                    if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                    loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                    if (!loop_init_4) {
                        uint _e1752 = e;
                        e = _e1752 + 1u;
                    }
                    loop_init_4 = false;
                    uint _e1732 = e;
                    if (_e1732 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1741 = e;
                        float _e1744 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1741];
                        float _e1749 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1741] = _e1744 * _e1749;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_0_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_0_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1762 = o0_1_;
                simdgroup_store(_e1762, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1766 = o1_1_;
                simdgroup_store(_e1766, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_1 = 0u;
                uint2 loop_bound_5 = uint2(4294967295u);
                bool loop_init_5 = true;
                while(true) {
                    if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                    loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                    if (!loop_init_5) {
                        uint _e1792 = e_1;
                        e_1 = _e1792 + 1u;
                    }
                    loop_init_5 = false;
                    uint _e1772 = e_1;
                    if (_e1772 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1781 = e_1;
                        float _e1784 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1781];
                        float _e1789 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1781] = _e1784 * _e1789;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_1_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_1_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1802 = o0_2_;
                simdgroup_store(_e1802, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1806 = o1_2_;
                simdgroup_store(_e1806, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_2 = 0u;
                uint2 loop_bound_6 = uint2(4294967295u);
                bool loop_init_6 = true;
                while(true) {
                    if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                    loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                    if (!loop_init_6) {
                        uint _e1832 = e_2;
                        e_2 = _e1832 + 1u;
                    }
                    loop_init_6 = false;
                    uint _e1812 = e_2;
                    if (_e1812 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1821 = e_2;
                        float _e1824 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1821];
                        float _e1829 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1821] = _e1824 * _e1829;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_2_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_2_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1842 = o0_3_;
                simdgroup_store(_e1842, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1846 = o1_3_;
                simdgroup_store(_e1846, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_3 = 0u;
                uint2 loop_bound_7 = uint2(4294967295u);
                bool loop_init_7 = true;
                while(true) {
                    if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                    loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                    if (!loop_init_7) {
                        uint _e1872 = e_3;
                        e_3 = _e1872 + 1u;
                    }
                    loop_init_7 = false;
                    uint _e1852 = e_3;
                    if (_e1852 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1861 = e_3;
                        float _e1864 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1861];
                        float _e1869 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1861] = _e1864 * _e1869;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_3_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_3_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1882 = o0_4_;
                simdgroup_store(_e1882, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1886 = o1_4_;
                simdgroup_store(_e1886, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_4 = 0u;
                uint2 loop_bound_8 = uint2(4294967295u);
                bool loop_init_8 = true;
                while(true) {
                    if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                    loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                    if (!loop_init_8) {
                        uint _e1912 = e_4;
                        e_4 = _e1912 + 1u;
                    }
                    loop_init_8 = false;
                    uint _e1892 = e_4;
                    if (_e1892 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1901 = e_4;
                        float _e1904 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1901];
                        float _e1909 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1901] = _e1904 * _e1909;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_4_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_4_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1922 = o0_5_;
                simdgroup_store(_e1922, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1926 = o1_5_;
                simdgroup_store(_e1926, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_5 = 0u;
                uint2 loop_bound_9 = uint2(4294967295u);
                bool loop_init_9 = true;
                while(true) {
                    if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                    loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                    if (!loop_init_9) {
                        uint _e1952 = e_5;
                        e_5 = _e1952 + 1u;
                    }
                    loop_init_9 = false;
                    uint _e1932 = e_5;
                    if (_e1932 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1941 = e_5;
                        float _e1944 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1941];
                        float _e1949 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1941] = _e1944 * _e1949;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_5_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_5_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1962 = o0_6_;
                simdgroup_store(_e1962, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1966 = o1_6_;
                simdgroup_store(_e1966, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_6 = 0u;
                uint2 loop_bound_10 = uint2(4294967295u);
                bool loop_init_10 = true;
                while(true) {
                    if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                    loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                    if (!loop_init_10) {
                        uint _e1992 = e_6;
                        e_6 = _e1992 + 1u;
                    }
                    loop_init_10 = false;
                    uint _e1972 = e_6;
                    if (_e1972 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1981 = e_6;
                        float _e1984 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1981];
                        float _e1989 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1981] = _e1984 * _e1989;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_6_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_6_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e2002 = o0_7_;
                simdgroup_store(_e2002, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e2006 = o1_7_;
                simdgroup_store(_e2006, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_7 = 0u;
                uint2 loop_bound_11 = uint2(4294967295u);
                bool loop_init_11 = true;
                while(true) {
                    if (metal::all(loop_bound_11 == uint2(0u))) { break; }
                    loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
                    if (!loop_init_11) {
                        uint _e2032 = e_7;
                        e_7 = _e2032 + 1u;
                    }
                    loop_init_11 = false;
                    uint _e2012 = e_7;
                    if (_e2012 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e2021 = e_7;
                        float _e2024 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e2021];
                        float _e2029 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e2021] = _e2024 * _e2029;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_7_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_7_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            }
            metal::float4 _e2042 = s;
            float _e2043 = reference;
            metal::float4 w_2 = metal::select(metal::float4(0.0), metal::exp(_e2042 - metal::float4(_e2043)), seen);
            float _e2050 = total;
            total = _e2050 + (((w_2.x + w_2.y) + w_2.z) + w_2.w);
            if (me < 64u) {
                uint to = naga_div((head_1 * WS) + mine, ELEMENT);
                shares.inner[to + 0u] = static_cast<half>(w_2.x);
                shares.inner[to + 1u] = static_cast<half>(w_2.y);
                shares.inner[to + 2u] = static_cast<half>(w_2.z);
                shares.inner[to + 3u] = static_cast<half>(w_2.w);
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::simdgroup_half8x8 w0_0_ = NagaCooperativeLoad(&shares.inner[0u], 24u, false);
            metal::simdgroup_half8x8 w1_0_ = NagaCooperativeLoad(&shares.inner[192u], 24u, false);
            metal::simdgroup_half8x8 w0_1_ = NagaCooperativeLoad(&shares.inner[8u], 24u, false);
            metal::simdgroup_half8x8 w1_1_ = NagaCooperativeLoad(&shares.inner[200u], 24u, false);
            uint va0_0_ = naga_div((0u + value0_) + 0u, ELEMENT);
            metal::simdgroup_half8x8 v0_0_ = NagaCooperativeLoad(&tile.inner[va0_0_], 584u, false);
            metal::simdgroup_float8x8 _e2120 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_0_, v0_0_, _e2120);
            metal::simdgroup_float8x8 _e2122 = o1_0_;
            o1_0_ = NagaCooperativeMultiplyAdd(w1_0_, v0_0_, _e2122);
            uint va0_1_ = naga_div((4672u + value0_) + 0u, ELEMENT);
            metal::simdgroup_half8x8 v0_1_ = NagaCooperativeLoad(&tile.inner[va0_1_], 584u, false);
            metal::simdgroup_float8x8 _e2134 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_1_, v0_1_, _e2134);
            metal::simdgroup_float8x8 _e2136 = o1_0_;
            o1_0_ = NagaCooperativeMultiplyAdd(w1_1_, v0_1_, _e2136);
            uint va1_0_ = naga_div((0u + value0_) + 8u, ELEMENT);
            metal::simdgroup_half8x8 v1_0_ = NagaCooperativeLoad(&tile.inner[va1_0_], 584u, false);
            metal::simdgroup_float8x8 _e2148 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_0_, v1_0_, _e2148);
            metal::simdgroup_float8x8 _e2150 = o1_1_;
            o1_1_ = NagaCooperativeMultiplyAdd(w1_0_, v1_0_, _e2150);
            uint va1_1_ = naga_div((4672u + value0_) + 8u, ELEMENT);
            metal::simdgroup_half8x8 v1_1_ = NagaCooperativeLoad(&tile.inner[va1_1_], 584u, false);
            metal::simdgroup_float8x8 _e2162 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_1_, v1_1_, _e2162);
            metal::simdgroup_float8x8 _e2164 = o1_1_;
            o1_1_ = NagaCooperativeMultiplyAdd(w1_1_, v1_1_, _e2164);
            uint va2_0_ = naga_div((0u + value0_) + 16u, ELEMENT);
            metal::simdgroup_half8x8 v2_0_ = NagaCooperativeLoad(&tile.inner[va2_0_], 584u, false);
            metal::simdgroup_float8x8 _e2176 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_0_, v2_0_, _e2176);
            metal::simdgroup_float8x8 _e2178 = o1_2_;
            o1_2_ = NagaCooperativeMultiplyAdd(w1_0_, v2_0_, _e2178);
            uint va2_1_ = naga_div((4672u + value0_) + 16u, ELEMENT);
            metal::simdgroup_half8x8 v2_1_ = NagaCooperativeLoad(&tile.inner[va2_1_], 584u, false);
            metal::simdgroup_float8x8 _e2190 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_1_, v2_1_, _e2190);
            metal::simdgroup_float8x8 _e2192 = o1_2_;
            o1_2_ = NagaCooperativeMultiplyAdd(w1_1_, v2_1_, _e2192);
            uint va3_0_ = naga_div((0u + value0_) + 24u, ELEMENT);
            metal::simdgroup_half8x8 v3_0_ = NagaCooperativeLoad(&tile.inner[va3_0_], 584u, false);
            metal::simdgroup_float8x8 _e2204 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_0_, v3_0_, _e2204);
            metal::simdgroup_float8x8 _e2206 = o1_3_;
            o1_3_ = NagaCooperativeMultiplyAdd(w1_0_, v3_0_, _e2206);
            uint va3_1_ = naga_div((4672u + value0_) + 24u, ELEMENT);
            metal::simdgroup_half8x8 v3_1_ = NagaCooperativeLoad(&tile.inner[va3_1_], 584u, false);
            metal::simdgroup_float8x8 _e2218 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_1_, v3_1_, _e2218);
            metal::simdgroup_float8x8 _e2220 = o1_3_;
            o1_3_ = NagaCooperativeMultiplyAdd(w1_1_, v3_1_, _e2220);
            uint va4_0_ = naga_div((0u + value0_) + 32u, ELEMENT);
            metal::simdgroup_half8x8 v4_0_ = NagaCooperativeLoad(&tile.inner[va4_0_], 584u, false);
            metal::simdgroup_float8x8 _e2232 = o0_4_;
            o0_4_ = NagaCooperativeMultiplyAdd(w0_0_, v4_0_, _e2232);
            metal::simdgroup_float8x8 _e2234 = o1_4_;
            o1_4_ = NagaCooperativeMultiplyAdd(w1_0_, v4_0_, _e2234);
            uint va4_1_ = naga_div((4672u + value0_) + 32u, ELEMENT);
            metal::simdgroup_half8x8 v4_1_ = NagaCooperativeLoad(&tile.inner[va4_1_], 584u, false);
            metal::simdgroup_float8x8 _e2246 = o0_4_;
            o0_4_ = NagaCooperativeMultiplyAdd(w0_1_, v4_1_, _e2246);
            metal::simdgroup_float8x8 _e2248 = o1_4_;
            o1_4_ = NagaCooperativeMultiplyAdd(w1_1_, v4_1_, _e2248);
            uint va5_0_ = naga_div((0u + value0_) + 40u, ELEMENT);
            metal::simdgroup_half8x8 v5_0_ = NagaCooperativeLoad(&tile.inner[va5_0_], 584u, false);
            metal::simdgroup_float8x8 _e2260 = o0_5_;
            o0_5_ = NagaCooperativeMultiplyAdd(w0_0_, v5_0_, _e2260);
            metal::simdgroup_float8x8 _e2262 = o1_5_;
            o1_5_ = NagaCooperativeMultiplyAdd(w1_0_, v5_0_, _e2262);
            uint va5_1_ = naga_div((4672u + value0_) + 40u, ELEMENT);
            metal::simdgroup_half8x8 v5_1_ = NagaCooperativeLoad(&tile.inner[va5_1_], 584u, false);
            metal::simdgroup_float8x8 _e2274 = o0_5_;
            o0_5_ = NagaCooperativeMultiplyAdd(w0_1_, v5_1_, _e2274);
            metal::simdgroup_float8x8 _e2276 = o1_5_;
            o1_5_ = NagaCooperativeMultiplyAdd(w1_1_, v5_1_, _e2276);
            uint va6_0_ = naga_div((0u + value0_) + 48u, ELEMENT);
            metal::simdgroup_half8x8 v6_0_ = NagaCooperativeLoad(&tile.inner[va6_0_], 584u, false);
            metal::simdgroup_float8x8 _e2288 = o0_6_;
            o0_6_ = NagaCooperativeMultiplyAdd(w0_0_, v6_0_, _e2288);
            metal::simdgroup_float8x8 _e2290 = o1_6_;
            o1_6_ = NagaCooperativeMultiplyAdd(w1_0_, v6_0_, _e2290);
            uint va6_1_ = naga_div((4672u + value0_) + 48u, ELEMENT);
            metal::simdgroup_half8x8 v6_1_ = NagaCooperativeLoad(&tile.inner[va6_1_], 584u, false);
            metal::simdgroup_float8x8 _e2302 = o0_6_;
            o0_6_ = NagaCooperativeMultiplyAdd(w0_1_, v6_1_, _e2302);
            metal::simdgroup_float8x8 _e2304 = o1_6_;
            o1_6_ = NagaCooperativeMultiplyAdd(w1_1_, v6_1_, _e2304);
            uint va7_0_ = naga_div((0u + value0_) + 56u, ELEMENT);
            metal::simdgroup_half8x8 v7_0_ = NagaCooperativeLoad(&tile.inner[va7_0_], 584u, false);
            metal::simdgroup_float8x8 _e2316 = o0_7_;
            o0_7_ = NagaCooperativeMultiplyAdd(w0_0_, v7_0_, _e2316);
            metal::simdgroup_float8x8 _e2318 = o1_7_;
            o1_7_ = NagaCooperativeMultiplyAdd(w1_0_, v7_0_, _e2318);
            uint va7_1_ = naga_div((4672u + value0_) + 56u, ELEMENT);
            metal::simdgroup_half8x8 v7_1_ = NagaCooperativeLoad(&tile.inner[va7_1_], 584u, false);
            metal::simdgroup_float8x8 _e2330 = o0_7_;
            o0_7_ = NagaCooperativeMultiplyAdd(w0_1_, v7_1_, _e2330);
            metal::simdgroup_float8x8 _e2332 = o1_7_;
            o1_7_ = NagaCooperativeMultiplyAdd(w1_1_, v7_1_, _e2332);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e2347 = n_1;
            n_1 = _e2347 * 2u;
        }
        loop_init_12 = false;
        uint _e2339 = n_1;
        if (_e2339 < 4u) {
        } else {
            break;
        }
        {
            float _e2342 = total;
            float _e2343 = total;
            uint _e2344 = n_1;
            float unnamed_2 = metal::simd_shuffle_xor(_e2343, _e2344);
            total = _e2342 + unnamed_2;
        }
    }
    uint _e2352 = p.parts;
    uint _e2355 = p.heads;
    uint _e2360 = step[3];
    uint part0_ = _e2352 + (((((row_3 * _e2355) + head0_) * _e2360) + group.y) * 514u);
    uint _e2369 = step[3];
    uint next_head = _e2369 * 514u;
    if (leads) {
        local_1 = known;
    } else {
        local_1 = false;
    }
    bool _e2375 = local_1;
    if (_e2375) {
        float _e2380 = reference;
        act[part0_ + (head_1 * next_head)] = _e2380;
        float _e2387 = total;
        act[(part0_ + (head_1 * next_head)) + 1u] = _e2387;
    }
    metal::simdgroup_float8x8 _e2388 = o0_0_;
    simdgroup_store(_e2388, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2392 = o1_0_;
    simdgroup_store(_e2392, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e2430 = e_8;
            e_8 = _e2430 + 32u;
        }
        loop_init_13 = false;
        uint _e2397 = e_8;
        if (_e2397 < 128u) {
        } else {
            break;
        }
        {
            uint _e2400 = e_8;
            uint r = naga_div(_e2400, SIDE);
            uint _e2405 = e_8;
            uint d = (value0_ + 0u) + naga_mod(_e2405, SIDE);
            uint _e2414 = e_8;
            float found = scores.inner[((subgroup * SIDE) * 16u) + _e2414];
            uint _e2421 = p.heads;
            if ((head0_ + r) < _e2421) {
                act[((part0_ + (r * next_head)) + 2u) + d] = found;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2433 = o0_1_;
    simdgroup_store(_e2433, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2437 = o1_1_;
    simdgroup_store(_e2437, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e2475 = e_9;
            e_9 = _e2475 + 32u;
        }
        loop_init_14 = false;
        uint _e2442 = e_9;
        if (_e2442 < 128u) {
        } else {
            break;
        }
        {
            uint _e2445 = e_9;
            uint r_1 = naga_div(_e2445, SIDE);
            uint _e2450 = e_9;
            uint d_1 = (value0_ + 8u) + naga_mod(_e2450, SIDE);
            uint _e2459 = e_9;
            float found_1 = scores.inner[((subgroup * SIDE) * 16u) + _e2459];
            uint _e2466 = p.heads;
            if ((head0_ + r_1) < _e2466) {
                act[((part0_ + (r_1 * next_head)) + 2u) + d_1] = found_1;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2478 = o0_2_;
    simdgroup_store(_e2478, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2482 = o1_2_;
    simdgroup_store(_e2482, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e2520 = e_10;
            e_10 = _e2520 + 32u;
        }
        loop_init_15 = false;
        uint _e2487 = e_10;
        if (_e2487 < 128u) {
        } else {
            break;
        }
        {
            uint _e2490 = e_10;
            uint r_2 = naga_div(_e2490, SIDE);
            uint _e2495 = e_10;
            uint d_2 = (value0_ + 16u) + naga_mod(_e2495, SIDE);
            uint _e2504 = e_10;
            float found_2 = scores.inner[((subgroup * SIDE) * 16u) + _e2504];
            uint _e2511 = p.heads;
            if ((head0_ + r_2) < _e2511) {
                act[((part0_ + (r_2 * next_head)) + 2u) + d_2] = found_2;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2523 = o0_3_;
    simdgroup_store(_e2523, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2527 = o1_3_;
    simdgroup_store(_e2527, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e2565 = e_11;
            e_11 = _e2565 + 32u;
        }
        loop_init_16 = false;
        uint _e2532 = e_11;
        if (_e2532 < 128u) {
        } else {
            break;
        }
        {
            uint _e2535 = e_11;
            uint r_3 = naga_div(_e2535, SIDE);
            uint _e2540 = e_11;
            uint d_3 = (value0_ + 24u) + naga_mod(_e2540, SIDE);
            uint _e2549 = e_11;
            float found_3 = scores.inner[((subgroup * SIDE) * 16u) + _e2549];
            uint _e2556 = p.heads;
            if ((head0_ + r_3) < _e2556) {
                act[((part0_ + (r_3 * next_head)) + 2u) + d_3] = found_3;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2568 = o0_4_;
    simdgroup_store(_e2568, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2572 = o1_4_;
    simdgroup_store(_e2572, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_17 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_17) {
            uint _e2610 = e_12;
            e_12 = _e2610 + 32u;
        }
        loop_init_17 = false;
        uint _e2577 = e_12;
        if (_e2577 < 128u) {
        } else {
            break;
        }
        {
            uint _e2580 = e_12;
            uint r_4 = naga_div(_e2580, SIDE);
            uint _e2585 = e_12;
            uint d_4 = (value0_ + 32u) + naga_mod(_e2585, SIDE);
            uint _e2594 = e_12;
            float found_4 = scores.inner[((subgroup * SIDE) * 16u) + _e2594];
            uint _e2601 = p.heads;
            if ((head0_ + r_4) < _e2601) {
                act[((part0_ + (r_4 * next_head)) + 2u) + d_4] = found_4;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2613 = o0_5_;
    simdgroup_store(_e2613, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2617 = o1_5_;
    simdgroup_store(_e2617, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_18 = uint2(4294967295u);
    bool loop_init_18 = true;
    while(true) {
        if (metal::all(loop_bound_18 == uint2(0u))) { break; }
        loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
        if (!loop_init_18) {
            uint _e2655 = e_13;
            e_13 = _e2655 + 32u;
        }
        loop_init_18 = false;
        uint _e2622 = e_13;
        if (_e2622 < 128u) {
        } else {
            break;
        }
        {
            uint _e2625 = e_13;
            uint r_5 = naga_div(_e2625, SIDE);
            uint _e2630 = e_13;
            uint d_5 = (value0_ + 40u) + naga_mod(_e2630, SIDE);
            uint _e2639 = e_13;
            float found_5 = scores.inner[((subgroup * SIDE) * 16u) + _e2639];
            uint _e2646 = p.heads;
            if ((head0_ + r_5) < _e2646) {
                act[((part0_ + (r_5 * next_head)) + 2u) + d_5] = found_5;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2658 = o0_6_;
    simdgroup_store(_e2658, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2662 = o1_6_;
    simdgroup_store(_e2662, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_19 = uint2(4294967295u);
    bool loop_init_19 = true;
    while(true) {
        if (metal::all(loop_bound_19 == uint2(0u))) { break; }
        loop_bound_19 -= uint2(loop_bound_19.y == 0u, 1u);
        if (!loop_init_19) {
            uint _e2700 = e_14;
            e_14 = _e2700 + 32u;
        }
        loop_init_19 = false;
        uint _e2667 = e_14;
        if (_e2667 < 128u) {
        } else {
            break;
        }
        {
            uint _e2670 = e_14;
            uint r_6 = naga_div(_e2670, SIDE);
            uint _e2675 = e_14;
            uint d_6 = (value0_ + 48u) + naga_mod(_e2675, SIDE);
            uint _e2684 = e_14;
            float found_6 = scores.inner[((subgroup * SIDE) * 16u) + _e2684];
            uint _e2691 = p.heads;
            if ((head0_ + r_6) < _e2691) {
                act[((part0_ + (r_6 * next_head)) + 2u) + d_6] = found_6;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2703 = o0_7_;
    simdgroup_store(_e2703, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2707 = o1_7_;
    simdgroup_store(_e2707, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_20 = uint2(4294967295u);
    bool loop_init_20 = true;
    while(true) {
        if (metal::all(loop_bound_20 == uint2(0u))) { break; }
        loop_bound_20 -= uint2(loop_bound_20.y == 0u, 1u);
        if (!loop_init_20) {
            uint _e2745 = e_15;
            e_15 = _e2745 + 32u;
        }
        loop_init_20 = false;
        uint _e2712 = e_15;
        if (_e2712 < 128u) {
        } else {
            break;
        }
        {
            uint _e2715 = e_15;
            uint r_7 = naga_div(_e2715, SIDE);
            uint _e2720 = e_15;
            uint d_7 = (value0_ + 56u) + naga_mod(_e2720, SIDE);
            uint _e2729 = e_15;
            float found_7 = scores.inner[((subgroup * SIDE) * 16u) + _e2729];
            uint _e2736 = p.heads;
            if ((head0_ + r_7) < _e2736) {
                act[((part0_ + (r_7 * next_head)) + 2u) + d_7] = found_7;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
