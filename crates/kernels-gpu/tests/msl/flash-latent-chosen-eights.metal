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
    uint chosen;
    uint count;
    uint pad0_;
    uint pad1_;
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
constant uint WHOLE = 1u;
constant uint CHOSEN = 1u;
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

uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}

uint slot_2(
    uint row_2,
    uint at,
    uint table_1,
    device type_1 const& step,
    device type_8 const& act,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e6 = p.chosen;
    uint _e9 = p.count;
    float _e14 = act[(_e6 + (row_2 * _e9)) + at];
    uint _e18 = p.block_len;
    uint _e21 = slot_of(table_1, naga_f2u32(_e14), _e18, 1u, 0u, step, _buffer_sizes);
    return _e21;
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
    uint _e20 = step[5];
    uint _e23 = step[_e20 + row_3];
    uint _e28 = p.count;
    uint _e32 = step[2];
    uint end = metal::min(metal::min(_e23 + 1u, _e28), first + _e32);
    if (me < KEYS) {
        uint _e43 = slot_2(row_3, metal::min(first + me, end - 1u), _e11, step, act, p, _buffer_sizes);
        slots.inner[me] = _e43;
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
            uint _e57 = i;
            i = _e57 + WG;
        }
        loop_init = false;
        uint _e50 = i;
        if (_e50 < 64u) {
        } else {
            break;
        }
        {
            uint _e54 = i;
            zeros.inner[_e54] = 0.0;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint key0_ = naga_mod(subgroup, 2u) * SIDE;
    uint part = naga_div(subgroup, 2u);
    uint square0_ = (part * KSQ_PART) * SIDE;
    uint value0_ = (subgroup * VSQ_PART) * SIDE;
    uint _e76 = p.heads;
    uint qa0_0_ = naga_div((((((row_3 * _e76) + head0_) + 0u) * KEY_DIM) + square0_) + 0u, ELEMENT);
    metal::simdgroup_half8x8 q0_0_ = NagaCooperativeLoad(&x[qa0_0_], 576u, false);
    uint _e94 = p.heads;
    uint qa0_1_ = naga_div((((((row_3 * _e94) + head0_) + 0u) * KEY_DIM) + square0_) + 8u, ELEMENT);
    metal::simdgroup_half8x8 q0_1_ = NagaCooperativeLoad(&x[qa0_1_], 576u, false);
    uint _e112 = p.heads;
    uint qa0_2_ = naga_div((((((row_3 * _e112) + head0_) + 0u) * KEY_DIM) + square0_) + 16u, ELEMENT);
    metal::simdgroup_half8x8 q0_2_ = NagaCooperativeLoad(&x[qa0_2_], 576u, false);
    uint _e130 = p.heads;
    uint qa0_3_ = naga_div((((((row_3 * _e130) + head0_) + 0u) * KEY_DIM) + square0_) + 24u, ELEMENT);
    metal::simdgroup_half8x8 q0_3_ = NagaCooperativeLoad(&x[qa0_3_], 576u, false);
    uint _e148 = p.heads;
    uint qa0_4_ = naga_div((((((row_3 * _e148) + head0_) + 0u) * KEY_DIM) + square0_) + 32u, ELEMENT);
    metal::simdgroup_half8x8 q0_4_ = NagaCooperativeLoad(&x[qa0_4_], 576u, false);
    uint _e166 = p.heads;
    uint qa0_5_ = naga_div((((((row_3 * _e166) + head0_) + 0u) * KEY_DIM) + square0_) + 40u, ELEMENT);
    metal::simdgroup_half8x8 q0_5_ = NagaCooperativeLoad(&x[qa0_5_], 576u, false);
    uint _e184 = p.heads;
    uint qa0_6_ = naga_div((((((row_3 * _e184) + head0_) + 0u) * KEY_DIM) + square0_) + 48u, ELEMENT);
    metal::simdgroup_half8x8 q0_6_ = NagaCooperativeLoad(&x[qa0_6_], 576u, false);
    uint _e202 = p.heads;
    uint qa0_7_ = naga_div((((((row_3 * _e202) + head0_) + 0u) * KEY_DIM) + square0_) + 56u, ELEMENT);
    metal::simdgroup_half8x8 q0_7_ = NagaCooperativeLoad(&x[qa0_7_], 576u, false);
    uint _e220 = p.heads;
    uint qa0_8_ = naga_div((((((row_3 * _e220) + head0_) + 0u) * KEY_DIM) + square0_) + 64u, ELEMENT);
    metal::simdgroup_half8x8 q0_8_ = NagaCooperativeLoad(&x[qa0_8_], 576u, false);
    uint _e238 = p.heads;
    uint qa0_9_ = naga_div((((((row_3 * _e238) + head0_) + 0u) * KEY_DIM) + square0_) + 72u, ELEMENT);
    metal::simdgroup_half8x8 q0_9_ = NagaCooperativeLoad(&x[qa0_9_], 576u, false);
    uint _e256 = p.heads;
    uint qa0_10_ = naga_div((((((row_3 * _e256) + head0_) + 0u) * KEY_DIM) + square0_) + 80u, ELEMENT);
    metal::simdgroup_half8x8 q0_10_ = NagaCooperativeLoad(&x[qa0_10_], 576u, false);
    uint _e274 = p.heads;
    uint qa0_11_ = naga_div((((((row_3 * _e274) + head0_) + 0u) * KEY_DIM) + square0_) + 88u, ELEMENT);
    metal::simdgroup_half8x8 q0_11_ = NagaCooperativeLoad(&x[qa0_11_], 576u, false);
    uint _e292 = p.heads;
    uint qa0_12_ = naga_div((((((row_3 * _e292) + head0_) + 0u) * KEY_DIM) + square0_) + 96u, ELEMENT);
    metal::simdgroup_half8x8 q0_12_ = NagaCooperativeLoad(&x[qa0_12_], 576u, false);
    uint _e310 = p.heads;
    uint qa0_13_ = naga_div((((((row_3 * _e310) + head0_) + 0u) * KEY_DIM) + square0_) + 104u, ELEMENT);
    metal::simdgroup_half8x8 q0_13_ = NagaCooperativeLoad(&x[qa0_13_], 576u, false);
    uint _e328 = p.heads;
    uint qa0_14_ = naga_div((((((row_3 * _e328) + head0_) + 0u) * KEY_DIM) + square0_) + 112u, ELEMENT);
    metal::simdgroup_half8x8 q0_14_ = NagaCooperativeLoad(&x[qa0_14_], 576u, false);
    uint _e346 = p.heads;
    uint qa0_15_ = naga_div((((((row_3 * _e346) + head0_) + 0u) * KEY_DIM) + square0_) + 120u, ELEMENT);
    metal::simdgroup_half8x8 q0_15_ = NagaCooperativeLoad(&x[qa0_15_], 576u, false);
    uint _e364 = p.heads;
    uint qa0_16_ = naga_div((((((row_3 * _e364) + head0_) + 0u) * KEY_DIM) + square0_) + 128u, ELEMENT);
    metal::simdgroup_half8x8 q0_16_ = NagaCooperativeLoad(&x[qa0_16_], 576u, false);
    uint _e382 = p.heads;
    uint qa0_17_ = naga_div((((((row_3 * _e382) + head0_) + 0u) * KEY_DIM) + square0_) + 136u, ELEMENT);
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
    uint _e446 = p.heads;
    uint qa1_0_ = naga_div((((((row_3 * _e446) + head0_) + 8u) * KEY_DIM) + square0_) + 0u, ELEMENT);
    metal::simdgroup_half8x8 q1_0_ = NagaCooperativeLoad(&x[qa1_0_], 576u, false);
    uint _e464 = p.heads;
    uint qa1_1_ = naga_div((((((row_3 * _e464) + head0_) + 8u) * KEY_DIM) + square0_) + 8u, ELEMENT);
    metal::simdgroup_half8x8 q1_1_ = NagaCooperativeLoad(&x[qa1_1_], 576u, false);
    uint _e482 = p.heads;
    uint qa1_2_ = naga_div((((((row_3 * _e482) + head0_) + 8u) * KEY_DIM) + square0_) + 16u, ELEMENT);
    metal::simdgroup_half8x8 q1_2_ = NagaCooperativeLoad(&x[qa1_2_], 576u, false);
    uint _e500 = p.heads;
    uint qa1_3_ = naga_div((((((row_3 * _e500) + head0_) + 8u) * KEY_DIM) + square0_) + 24u, ELEMENT);
    metal::simdgroup_half8x8 q1_3_ = NagaCooperativeLoad(&x[qa1_3_], 576u, false);
    uint _e518 = p.heads;
    uint qa1_4_ = naga_div((((((row_3 * _e518) + head0_) + 8u) * KEY_DIM) + square0_) + 32u, ELEMENT);
    metal::simdgroup_half8x8 q1_4_ = NagaCooperativeLoad(&x[qa1_4_], 576u, false);
    uint _e536 = p.heads;
    uint qa1_5_ = naga_div((((((row_3 * _e536) + head0_) + 8u) * KEY_DIM) + square0_) + 40u, ELEMENT);
    metal::simdgroup_half8x8 q1_5_ = NagaCooperativeLoad(&x[qa1_5_], 576u, false);
    uint _e554 = p.heads;
    uint qa1_6_ = naga_div((((((row_3 * _e554) + head0_) + 8u) * KEY_DIM) + square0_) + 48u, ELEMENT);
    metal::simdgroup_half8x8 q1_6_ = NagaCooperativeLoad(&x[qa1_6_], 576u, false);
    uint _e572 = p.heads;
    uint qa1_7_ = naga_div((((((row_3 * _e572) + head0_) + 8u) * KEY_DIM) + square0_) + 56u, ELEMENT);
    metal::simdgroup_half8x8 q1_7_ = NagaCooperativeLoad(&x[qa1_7_], 576u, false);
    uint _e590 = p.heads;
    uint qa1_8_ = naga_div((((((row_3 * _e590) + head0_) + 8u) * KEY_DIM) + square0_) + 64u, ELEMENT);
    metal::simdgroup_half8x8 q1_8_ = NagaCooperativeLoad(&x[qa1_8_], 576u, false);
    uint _e608 = p.heads;
    uint qa1_9_ = naga_div((((((row_3 * _e608) + head0_) + 8u) * KEY_DIM) + square0_) + 72u, ELEMENT);
    metal::simdgroup_half8x8 q1_9_ = NagaCooperativeLoad(&x[qa1_9_], 576u, false);
    uint _e626 = p.heads;
    uint qa1_10_ = naga_div((((((row_3 * _e626) + head0_) + 8u) * KEY_DIM) + square0_) + 80u, ELEMENT);
    metal::simdgroup_half8x8 q1_10_ = NagaCooperativeLoad(&x[qa1_10_], 576u, false);
    uint _e644 = p.heads;
    uint qa1_11_ = naga_div((((((row_3 * _e644) + head0_) + 8u) * KEY_DIM) + square0_) + 88u, ELEMENT);
    metal::simdgroup_half8x8 q1_11_ = NagaCooperativeLoad(&x[qa1_11_], 576u, false);
    uint _e662 = p.heads;
    uint qa1_12_ = naga_div((((((row_3 * _e662) + head0_) + 8u) * KEY_DIM) + square0_) + 96u, ELEMENT);
    metal::simdgroup_half8x8 q1_12_ = NagaCooperativeLoad(&x[qa1_12_], 576u, false);
    uint _e680 = p.heads;
    uint qa1_13_ = naga_div((((((row_3 * _e680) + head0_) + 8u) * KEY_DIM) + square0_) + 104u, ELEMENT);
    metal::simdgroup_half8x8 q1_13_ = NagaCooperativeLoad(&x[qa1_13_], 576u, false);
    uint _e698 = p.heads;
    uint qa1_14_ = naga_div((((((row_3 * _e698) + head0_) + 8u) * KEY_DIM) + square0_) + 112u, ELEMENT);
    metal::simdgroup_half8x8 q1_14_ = NagaCooperativeLoad(&x[qa1_14_], 576u, false);
    uint _e716 = p.heads;
    uint qa1_15_ = naga_div((((((row_3 * _e716) + head0_) + 8u) * KEY_DIM) + square0_) + 120u, ELEMENT);
    metal::simdgroup_half8x8 q1_15_ = NagaCooperativeLoad(&x[qa1_15_], 576u, false);
    uint _e734 = p.heads;
    uint qa1_16_ = naga_div((((((row_3 * _e734) + head0_) + 8u) * KEY_DIM) + square0_) + 128u, ELEMENT);
    metal::simdgroup_half8x8 q1_16_ = NagaCooperativeLoad(&x[qa1_16_], 576u, false);
    uint _e752 = p.heads;
    uint qa1_17_ = naga_div((((((row_3 * _e752) + head0_) + 8u) * KEY_DIM) + square0_) + 136u, ELEMENT);
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
    uint _e825 = p.heads;
    bool known = (head0_ + head_1) < _e825;
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
            uint _e2346 = k0_;
            k0_ = _e2346 + KEYS;
        }
        loop_init_1 = false;
        uint _e842 = k0_;
        if (_e842 < end) {
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
                    uint _e1236 = from_unit;
                    from_unit = _e1236 + 1024u;
                }
                loop_init_2 = false;
                uint _e845 = from_unit;
                if (_e845 < 1152u) {
                } else {
                    break;
                }
                {
                    uint _e848 = from_unit;
                    uint i0_ = metal::min(_e848 + 0u, 1151u);
                    uint _e856 = p.place.keys;
                    uint _e860 = p.place.key_scales;
                    uint _e865 = slots.inner[naga_div(i0_, UNITS)];
                    type_7 _e869 = eight(_e856, _e860, _e865, UNITS, naga_mod(i0_, UNITS), cache, _buffer_sizes);
                    uint _e870 = from_unit;
                    uint i1_ = metal::min(_e870 + 256u, 1151u);
                    uint _e878 = p.place.keys;
                    uint _e882 = p.place.key_scales;
                    uint _e887 = slots.inner[naga_div(i1_, UNITS)];
                    type_7 _e891 = eight(_e878, _e882, _e887, UNITS, naga_mod(i1_, UNITS), cache, _buffer_sizes);
                    uint _e892 = from_unit;
                    uint i2_ = metal::min(_e892 + 512u, 1151u);
                    uint _e900 = p.place.keys;
                    uint _e904 = p.place.key_scales;
                    uint _e909 = slots.inner[naga_div(i2_, UNITS)];
                    type_7 _e913 = eight(_e900, _e904, _e909, UNITS, naga_mod(i2_, UNITS), cache, _buffer_sizes);
                    uint _e914 = from_unit;
                    uint i3_ = metal::min(_e914 + 768u, 1151u);
                    uint _e922 = p.place.keys;
                    uint _e926 = p.place.key_scales;
                    uint _e931 = slots.inner[naga_div(i3_, UNITS)];
                    type_7 _e935 = eight(_e922, _e926, _e931, UNITS, naga_mod(i3_, UNITS), cache, _buffer_sizes);
                    uint to0_ = naga_div((naga_div(i0_, UNITS) * TS) + (naga_mod(i0_, UNITS) * 8u), ELEMENT);
                    tile.inner[to0_ + 0u] = static_cast<half>(_e869.inner[0].x);
                    tile.inner[(to0_ + 4u) + 0u] = static_cast<half>(_e869.inner[1].x);
                    tile.inner[to0_ + 1u] = static_cast<half>(_e869.inner[0].y);
                    tile.inner[(to0_ + 4u) + 1u] = static_cast<half>(_e869.inner[1].y);
                    tile.inner[to0_ + 2u] = static_cast<half>(_e869.inner[0].z);
                    tile.inner[(to0_ + 4u) + 2u] = static_cast<half>(_e869.inner[1].z);
                    tile.inner[to0_ + 3u] = static_cast<half>(_e869.inner[0].w);
                    tile.inner[(to0_ + 4u) + 3u] = static_cast<half>(_e869.inner[1].w);
                    uint to1_ = naga_div((naga_div(i1_, UNITS) * TS) + (naga_mod(i1_, UNITS) * 8u), ELEMENT);
                    tile.inner[to1_ + 0u] = static_cast<half>(_e891.inner[0].x);
                    tile.inner[(to1_ + 4u) + 0u] = static_cast<half>(_e891.inner[1].x);
                    tile.inner[to1_ + 1u] = static_cast<half>(_e891.inner[0].y);
                    tile.inner[(to1_ + 4u) + 1u] = static_cast<half>(_e891.inner[1].y);
                    tile.inner[to1_ + 2u] = static_cast<half>(_e891.inner[0].z);
                    tile.inner[(to1_ + 4u) + 2u] = static_cast<half>(_e891.inner[1].z);
                    tile.inner[to1_ + 3u] = static_cast<half>(_e891.inner[0].w);
                    tile.inner[(to1_ + 4u) + 3u] = static_cast<half>(_e891.inner[1].w);
                    uint to2_ = naga_div((naga_div(i2_, UNITS) * TS) + (naga_mod(i2_, UNITS) * 8u), ELEMENT);
                    tile.inner[to2_ + 0u] = static_cast<half>(_e913.inner[0].x);
                    tile.inner[(to2_ + 4u) + 0u] = static_cast<half>(_e913.inner[1].x);
                    tile.inner[to2_ + 1u] = static_cast<half>(_e913.inner[0].y);
                    tile.inner[(to2_ + 4u) + 1u] = static_cast<half>(_e913.inner[1].y);
                    tile.inner[to2_ + 2u] = static_cast<half>(_e913.inner[0].z);
                    tile.inner[(to2_ + 4u) + 2u] = static_cast<half>(_e913.inner[1].z);
                    tile.inner[to2_ + 3u] = static_cast<half>(_e913.inner[0].w);
                    tile.inner[(to2_ + 4u) + 3u] = static_cast<half>(_e913.inner[1].w);
                    uint to3_ = naga_div((naga_div(i3_, UNITS) * TS) + (naga_mod(i3_, UNITS) * 8u), ELEMENT);
                    tile.inner[to3_ + 0u] = static_cast<half>(_e935.inner[0].x);
                    tile.inner[(to3_ + 4u) + 0u] = static_cast<half>(_e935.inner[1].x);
                    tile.inner[to3_ + 1u] = static_cast<half>(_e935.inner[0].y);
                    tile.inner[(to3_ + 4u) + 1u] = static_cast<half>(_e935.inner[1].y);
                    tile.inner[to3_ + 2u] = static_cast<half>(_e935.inner[0].z);
                    tile.inner[(to3_ + 4u) + 2u] = static_cast<half>(_e935.inner[1].z);
                    tile.inner[to3_ + 3u] = static_cast<half>(_e935.inner[0].w);
                    tile.inner[(to3_ + 4u) + 3u] = static_cast<half>(_e935.inner[1].w);
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            a0_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            a1_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            uint ba0_ = naga_div(((key0_ * TS) + square0_) + 0u, ELEMENT);
            metal::simdgroup_half8x8 b0_ = NagaCooperativeLoad(&tile.inner[ba0_], 584u, true);
            metal::simdgroup_float8x8 _e1260 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_0_, b0_, _e1260);
            metal::simdgroup_float8x8 _e1262 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_0_, b0_, _e1262);
            uint ba1_ = naga_div(((key0_ * TS) + square0_) + 8u, ELEMENT);
            metal::simdgroup_half8x8 b1_ = NagaCooperativeLoad(&tile.inner[ba1_], 584u, true);
            metal::simdgroup_float8x8 _e1275 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_1_, b1_, _e1275);
            metal::simdgroup_float8x8 _e1277 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_1_, b1_, _e1277);
            uint ba2_ = naga_div(((key0_ * TS) + square0_) + 16u, ELEMENT);
            metal::simdgroup_half8x8 b2_ = NagaCooperativeLoad(&tile.inner[ba2_], 584u, true);
            metal::simdgroup_float8x8 _e1290 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_2_, b2_, _e1290);
            metal::simdgroup_float8x8 _e1292 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_2_, b2_, _e1292);
            uint ba3_ = naga_div(((key0_ * TS) + square0_) + 24u, ELEMENT);
            metal::simdgroup_half8x8 b3_ = NagaCooperativeLoad(&tile.inner[ba3_], 584u, true);
            metal::simdgroup_float8x8 _e1305 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_3_, b3_, _e1305);
            metal::simdgroup_float8x8 _e1307 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_3_, b3_, _e1307);
            uint ba4_ = naga_div(((key0_ * TS) + square0_) + 32u, ELEMENT);
            metal::simdgroup_half8x8 b4_ = NagaCooperativeLoad(&tile.inner[ba4_], 584u, true);
            metal::simdgroup_float8x8 _e1320 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_4_, b4_, _e1320);
            metal::simdgroup_float8x8 _e1322 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_4_, b4_, _e1322);
            uint ba5_ = naga_div(((key0_ * TS) + square0_) + 40u, ELEMENT);
            metal::simdgroup_half8x8 b5_ = NagaCooperativeLoad(&tile.inner[ba5_], 584u, true);
            metal::simdgroup_float8x8 _e1335 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_5_, b5_, _e1335);
            metal::simdgroup_float8x8 _e1337 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_5_, b5_, _e1337);
            uint ba6_ = naga_div(((key0_ * TS) + square0_) + 48u, ELEMENT);
            metal::simdgroup_half8x8 b6_ = NagaCooperativeLoad(&tile.inner[ba6_], 584u, true);
            metal::simdgroup_float8x8 _e1350 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_6_, b6_, _e1350);
            metal::simdgroup_float8x8 _e1352 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_6_, b6_, _e1352);
            uint ba7_ = naga_div(((key0_ * TS) + square0_) + 56u, ELEMENT);
            metal::simdgroup_half8x8 b7_ = NagaCooperativeLoad(&tile.inner[ba7_], 584u, true);
            metal::simdgroup_float8x8 _e1365 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_7_, b7_, _e1365);
            metal::simdgroup_float8x8 _e1367 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_7_, b7_, _e1367);
            uint ba8_ = naga_div(((key0_ * TS) + square0_) + 64u, ELEMENT);
            metal::simdgroup_half8x8 b8_ = NagaCooperativeLoad(&tile.inner[ba8_], 584u, true);
            metal::simdgroup_float8x8 _e1380 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_8_, b8_, _e1380);
            metal::simdgroup_float8x8 _e1382 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_8_, b8_, _e1382);
            uint ba9_ = naga_div(((key0_ * TS) + square0_) + 72u, ELEMENT);
            metal::simdgroup_half8x8 b9_ = NagaCooperativeLoad(&tile.inner[ba9_], 584u, true);
            metal::simdgroup_float8x8 _e1395 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_9_, b9_, _e1395);
            metal::simdgroup_float8x8 _e1397 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_9_, b9_, _e1397);
            uint ba10_ = naga_div(((key0_ * TS) + square0_) + 80u, ELEMENT);
            metal::simdgroup_half8x8 b10_ = NagaCooperativeLoad(&tile.inner[ba10_], 584u, true);
            metal::simdgroup_float8x8 _e1410 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_10_, b10_, _e1410);
            metal::simdgroup_float8x8 _e1412 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_10_, b10_, _e1412);
            uint ba11_ = naga_div(((key0_ * TS) + square0_) + 88u, ELEMENT);
            metal::simdgroup_half8x8 b11_ = NagaCooperativeLoad(&tile.inner[ba11_], 584u, true);
            metal::simdgroup_float8x8 _e1425 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_11_, b11_, _e1425);
            metal::simdgroup_float8x8 _e1427 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_11_, b11_, _e1427);
            uint ba12_ = naga_div(((key0_ * TS) + square0_) + 96u, ELEMENT);
            metal::simdgroup_half8x8 b12_ = NagaCooperativeLoad(&tile.inner[ba12_], 584u, true);
            metal::simdgroup_float8x8 _e1440 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_12_, b12_, _e1440);
            metal::simdgroup_float8x8 _e1442 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_12_, b12_, _e1442);
            uint ba13_ = naga_div(((key0_ * TS) + square0_) + 104u, ELEMENT);
            metal::simdgroup_half8x8 b13_ = NagaCooperativeLoad(&tile.inner[ba13_], 584u, true);
            metal::simdgroup_float8x8 _e1455 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_13_, b13_, _e1455);
            metal::simdgroup_float8x8 _e1457 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_13_, b13_, _e1457);
            uint ba14_ = naga_div(((key0_ * TS) + square0_) + 112u, ELEMENT);
            metal::simdgroup_half8x8 b14_ = NagaCooperativeLoad(&tile.inner[ba14_], 584u, true);
            metal::simdgroup_float8x8 _e1470 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_14_, b14_, _e1470);
            metal::simdgroup_float8x8 _e1472 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_14_, b14_, _e1472);
            uint ba15_ = naga_div(((key0_ * TS) + square0_) + 120u, ELEMENT);
            metal::simdgroup_half8x8 b15_ = NagaCooperativeLoad(&tile.inner[ba15_], 584u, true);
            metal::simdgroup_float8x8 _e1485 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_15_, b15_, _e1485);
            metal::simdgroup_float8x8 _e1487 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_15_, b15_, _e1487);
            uint ba16_ = naga_div(((key0_ * TS) + square0_) + 128u, ELEMENT);
            metal::simdgroup_half8x8 b16_ = NagaCooperativeLoad(&tile.inner[ba16_], 584u, true);
            metal::simdgroup_float8x8 _e1500 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_16_, b16_, _e1500);
            metal::simdgroup_float8x8 _e1502 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_16_, b16_, _e1502);
            uint ba17_ = naga_div(((key0_ * TS) + square0_) + 136u, ELEMENT);
            metal::simdgroup_half8x8 b17_ = NagaCooperativeLoad(&tile.inner[ba17_], 584u, true);
            metal::simdgroup_float8x8 _e1515 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_17_, b17_, _e1515);
            metal::simdgroup_float8x8 _e1517 = a1_;
            a1_ = NagaCooperativeMultiplyAdd(q1_17_, b17_, _e1517);
            uint sa0_ = (((part * 16u) + 0u) * SS) + key0_;
            metal::simdgroup_float8x8 _e1526 = a0_;
            simdgroup_store(_e1526, &scores.inner[sa0_], SS);
            uint sa1_ = (((part * 16u) + 8u) * SS) + key0_;
            metal::simdgroup_float8x8 _e1537 = a1_;
            simdgroup_store(_e1537, &scores.inner[sa1_], SS);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            s = metal::float4(0.0);
            uint at0_ = ((0u + head_1) * SS) + mine;
            metal::float4 _e1549 = s;
            float _e1552 = scores.inner[at0_];
            float _e1557 = scores.inner[at0_ + 1u];
            float _e1562 = scores.inner[at0_ + 2u];
            float _e1567 = scores.inner[at0_ + 3u];
            s = _e1549 + metal::float4(_e1552, _e1557, _e1562, _e1567);
            uint at1_ = ((16u + head_1) * SS) + mine;
            metal::float4 _e1575 = s;
            float _e1578 = scores.inner[at1_];
            float _e1583 = scores.inner[at1_ + 1u];
            float _e1588 = scores.inner[at1_ + 2u];
            float _e1593 = scores.inner[at1_ + 3u];
            s = _e1575 + metal::float4(_e1578, _e1583, _e1588, _e1593);
            uint at2_ = ((32u + head_1) * SS) + mine;
            metal::float4 _e1601 = s;
            float _e1604 = scores.inner[at2_];
            float _e1609 = scores.inner[at2_ + 1u];
            float _e1614 = scores.inner[at2_ + 2u];
            float _e1619 = scores.inner[at2_ + 3u];
            s = _e1601 + metal::float4(_e1604, _e1609, _e1614, _e1619);
            uint at3_ = ((48u + head_1) * SS) + mine;
            metal::float4 _e1627 = s;
            float _e1630 = scores.inner[at3_];
            float _e1635 = scores.inner[at3_ + 1u];
            float _e1640 = scores.inner[at3_ + 2u];
            float _e1645 = scores.inner[at3_ + 3u];
            s = _e1627 + metal::float4(_e1630, _e1635, _e1640, _e1645);
            uint _e1648 = k0_;
            metal::bool4 seen = (metal::uint4(_e1648 + mine) + metal::uint4(0u, 1u, 2u, 3u)) < metal::uint4(known ? end : 0u);
            metal::float4 _e1661 = s;
            float _e1664 = p.scale;
            s = metal::select(metal::float4(-1000000000000000000000000000000.0), _e1661 * _e1664, seen);
            float _e1670 = s.x;
            float _e1672 = s.y;
            float _e1675 = s.z;
            float _e1677 = s.w;
            most = metal::max(metal::max(_e1670, _e1672), metal::max(_e1675, _e1677));
            n = 1u;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e1691 = n;
                    n = _e1691 * 2u;
                }
                loop_init_3 = false;
                uint _e1683 = n;
                if (_e1683 < 4u) {
                } else {
                    break;
                }
                {
                    float _e1686 = most;
                    float _e1687 = most;
                    uint _e1688 = n;
                    float unnamed = metal::simd_shuffle_xor(_e1687, _e1688);
                    most = metal::max(_e1686, unnamed);
                }
            }
            float _e1694 = most;
            float _e1695 = reference;
            if (_e1694 > (_e1695 + 8.0)) {
                raised = metal::uint4(1u);
            }
            if (me < KEYS) {
                uint _e1706 = k0_;
                uint _e1713 = slot_2(row_3, metal::min((_e1706 + KEYS) + me, end - 1u), _e11, step, act, p, _buffer_sizes);
                slots.inner[me] = _e1713;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::uint4 unnamed_1 = raised;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (unnamed_1.x != 0u) {
                float _e1719 = reference;
                float _e1720 = most;
                float next = metal::max(_e1719, _e1720);
                float _e1722 = reference;
                float shrink = metal::exp(_e1722 - next);
                float _e1725 = total;
                total = _e1725 * shrink;
                reference = next;
                if (leads) {
                    factors.inner[head_1] = shrink;
                }
                if (me == 0u) {
                    raised = metal::uint4(0u);
                }
                metal::simdgroup_float8x8 _e1734 = o0_0_;
                simdgroup_store(_e1734, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1738 = o1_0_;
                simdgroup_store(_e1738, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e = 0u;
                uint2 loop_bound_4 = uint2(4294967295u);
                bool loop_init_4 = true;
                while(true) {
                    if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                    loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                    if (!loop_init_4) {
                        uint _e1764 = e;
                        e = _e1764 + 1u;
                    }
                    loop_init_4 = false;
                    uint _e1744 = e;
                    if (_e1744 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1753 = e;
                        float _e1756 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1753];
                        float _e1761 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1753] = _e1756 * _e1761;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_0_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_0_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1774 = o0_1_;
                simdgroup_store(_e1774, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1778 = o1_1_;
                simdgroup_store(_e1778, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_1 = 0u;
                uint2 loop_bound_5 = uint2(4294967295u);
                bool loop_init_5 = true;
                while(true) {
                    if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                    loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                    if (!loop_init_5) {
                        uint _e1804 = e_1;
                        e_1 = _e1804 + 1u;
                    }
                    loop_init_5 = false;
                    uint _e1784 = e_1;
                    if (_e1784 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1793 = e_1;
                        float _e1796 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1793];
                        float _e1801 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1793] = _e1796 * _e1801;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_1_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_1_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1814 = o0_2_;
                simdgroup_store(_e1814, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1818 = o1_2_;
                simdgroup_store(_e1818, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_2 = 0u;
                uint2 loop_bound_6 = uint2(4294967295u);
                bool loop_init_6 = true;
                while(true) {
                    if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                    loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                    if (!loop_init_6) {
                        uint _e1844 = e_2;
                        e_2 = _e1844 + 1u;
                    }
                    loop_init_6 = false;
                    uint _e1824 = e_2;
                    if (_e1824 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1833 = e_2;
                        float _e1836 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1833];
                        float _e1841 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1833] = _e1836 * _e1841;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_2_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_2_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1854 = o0_3_;
                simdgroup_store(_e1854, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1858 = o1_3_;
                simdgroup_store(_e1858, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_3 = 0u;
                uint2 loop_bound_7 = uint2(4294967295u);
                bool loop_init_7 = true;
                while(true) {
                    if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                    loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                    if (!loop_init_7) {
                        uint _e1884 = e_3;
                        e_3 = _e1884 + 1u;
                    }
                    loop_init_7 = false;
                    uint _e1864 = e_3;
                    if (_e1864 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1873 = e_3;
                        float _e1876 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1873];
                        float _e1881 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1873] = _e1876 * _e1881;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_3_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_3_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1894 = o0_4_;
                simdgroup_store(_e1894, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1898 = o1_4_;
                simdgroup_store(_e1898, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_4 = 0u;
                uint2 loop_bound_8 = uint2(4294967295u);
                bool loop_init_8 = true;
                while(true) {
                    if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                    loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                    if (!loop_init_8) {
                        uint _e1924 = e_4;
                        e_4 = _e1924 + 1u;
                    }
                    loop_init_8 = false;
                    uint _e1904 = e_4;
                    if (_e1904 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1913 = e_4;
                        float _e1916 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1913];
                        float _e1921 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1913] = _e1916 * _e1921;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_4_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_4_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1934 = o0_5_;
                simdgroup_store(_e1934, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1938 = o1_5_;
                simdgroup_store(_e1938, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_5 = 0u;
                uint2 loop_bound_9 = uint2(4294967295u);
                bool loop_init_9 = true;
                while(true) {
                    if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                    loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                    if (!loop_init_9) {
                        uint _e1964 = e_5;
                        e_5 = _e1964 + 1u;
                    }
                    loop_init_9 = false;
                    uint _e1944 = e_5;
                    if (_e1944 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1953 = e_5;
                        float _e1956 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1953];
                        float _e1961 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1953] = _e1956 * _e1961;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_5_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_5_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e1974 = o0_6_;
                simdgroup_store(_e1974, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e1978 = o1_6_;
                simdgroup_store(_e1978, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_6 = 0u;
                uint2 loop_bound_10 = uint2(4294967295u);
                bool loop_init_10 = true;
                while(true) {
                    if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                    loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                    if (!loop_init_10) {
                        uint _e2004 = e_6;
                        e_6 = _e2004 + 1u;
                    }
                    loop_init_10 = false;
                    uint _e1984 = e_6;
                    if (_e1984 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1993 = e_6;
                        float _e1996 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1993];
                        float _e2001 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e1993] = _e1996 * _e2001;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_6_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_6_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float8x8 _e2014 = o0_7_;
                simdgroup_store(_e2014, &scores.inner[corner0_], SIDE);
                metal::simdgroup_float8x8 _e2018 = o1_7_;
                simdgroup_store(_e2018, &scores.inner[corner1_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_7 = 0u;
                uint2 loop_bound_11 = uint2(4294967295u);
                bool loop_init_11 = true;
                while(true) {
                    if (metal::all(loop_bound_11 == uint2(0u))) { break; }
                    loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
                    if (!loop_init_11) {
                        uint _e2044 = e_7;
                        e_7 = _e2044 + 1u;
                    }
                    loop_init_11 = false;
                    uint _e2024 = e_7;
                    if (_e2024 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e2033 = e_7;
                        float _e2036 = scores.inner[(((subgroup * 32u) + lane) * 4u) + _e2033];
                        float _e2041 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 4u) + _e2033] = _e2036 * _e2041;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_7_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                o1_7_ = NagaCooperativeLoad(&scores.inner[corner1_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            }
            metal::float4 _e2054 = s;
            float _e2055 = reference;
            metal::float4 w_2 = metal::select(metal::float4(0.0), metal::exp(_e2054 - metal::float4(_e2055)), seen);
            float _e2062 = total;
            total = _e2062 + (((w_2.x + w_2.y) + w_2.z) + w_2.w);
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
            metal::simdgroup_float8x8 _e2132 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_0_, v0_0_, _e2132);
            metal::simdgroup_float8x8 _e2134 = o1_0_;
            o1_0_ = NagaCooperativeMultiplyAdd(w1_0_, v0_0_, _e2134);
            uint va0_1_ = naga_div((4672u + value0_) + 0u, ELEMENT);
            metal::simdgroup_half8x8 v0_1_ = NagaCooperativeLoad(&tile.inner[va0_1_], 584u, false);
            metal::simdgroup_float8x8 _e2146 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_1_, v0_1_, _e2146);
            metal::simdgroup_float8x8 _e2148 = o1_0_;
            o1_0_ = NagaCooperativeMultiplyAdd(w1_1_, v0_1_, _e2148);
            uint va1_0_ = naga_div((0u + value0_) + 8u, ELEMENT);
            metal::simdgroup_half8x8 v1_0_ = NagaCooperativeLoad(&tile.inner[va1_0_], 584u, false);
            metal::simdgroup_float8x8 _e2160 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_0_, v1_0_, _e2160);
            metal::simdgroup_float8x8 _e2162 = o1_1_;
            o1_1_ = NagaCooperativeMultiplyAdd(w1_0_, v1_0_, _e2162);
            uint va1_1_ = naga_div((4672u + value0_) + 8u, ELEMENT);
            metal::simdgroup_half8x8 v1_1_ = NagaCooperativeLoad(&tile.inner[va1_1_], 584u, false);
            metal::simdgroup_float8x8 _e2174 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_1_, v1_1_, _e2174);
            metal::simdgroup_float8x8 _e2176 = o1_1_;
            o1_1_ = NagaCooperativeMultiplyAdd(w1_1_, v1_1_, _e2176);
            uint va2_0_ = naga_div((0u + value0_) + 16u, ELEMENT);
            metal::simdgroup_half8x8 v2_0_ = NagaCooperativeLoad(&tile.inner[va2_0_], 584u, false);
            metal::simdgroup_float8x8 _e2188 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_0_, v2_0_, _e2188);
            metal::simdgroup_float8x8 _e2190 = o1_2_;
            o1_2_ = NagaCooperativeMultiplyAdd(w1_0_, v2_0_, _e2190);
            uint va2_1_ = naga_div((4672u + value0_) + 16u, ELEMENT);
            metal::simdgroup_half8x8 v2_1_ = NagaCooperativeLoad(&tile.inner[va2_1_], 584u, false);
            metal::simdgroup_float8x8 _e2202 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_1_, v2_1_, _e2202);
            metal::simdgroup_float8x8 _e2204 = o1_2_;
            o1_2_ = NagaCooperativeMultiplyAdd(w1_1_, v2_1_, _e2204);
            uint va3_0_ = naga_div((0u + value0_) + 24u, ELEMENT);
            metal::simdgroup_half8x8 v3_0_ = NagaCooperativeLoad(&tile.inner[va3_0_], 584u, false);
            metal::simdgroup_float8x8 _e2216 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_0_, v3_0_, _e2216);
            metal::simdgroup_float8x8 _e2218 = o1_3_;
            o1_3_ = NagaCooperativeMultiplyAdd(w1_0_, v3_0_, _e2218);
            uint va3_1_ = naga_div((4672u + value0_) + 24u, ELEMENT);
            metal::simdgroup_half8x8 v3_1_ = NagaCooperativeLoad(&tile.inner[va3_1_], 584u, false);
            metal::simdgroup_float8x8 _e2230 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_1_, v3_1_, _e2230);
            metal::simdgroup_float8x8 _e2232 = o1_3_;
            o1_3_ = NagaCooperativeMultiplyAdd(w1_1_, v3_1_, _e2232);
            uint va4_0_ = naga_div((0u + value0_) + 32u, ELEMENT);
            metal::simdgroup_half8x8 v4_0_ = NagaCooperativeLoad(&tile.inner[va4_0_], 584u, false);
            metal::simdgroup_float8x8 _e2244 = o0_4_;
            o0_4_ = NagaCooperativeMultiplyAdd(w0_0_, v4_0_, _e2244);
            metal::simdgroup_float8x8 _e2246 = o1_4_;
            o1_4_ = NagaCooperativeMultiplyAdd(w1_0_, v4_0_, _e2246);
            uint va4_1_ = naga_div((4672u + value0_) + 32u, ELEMENT);
            metal::simdgroup_half8x8 v4_1_ = NagaCooperativeLoad(&tile.inner[va4_1_], 584u, false);
            metal::simdgroup_float8x8 _e2258 = o0_4_;
            o0_4_ = NagaCooperativeMultiplyAdd(w0_1_, v4_1_, _e2258);
            metal::simdgroup_float8x8 _e2260 = o1_4_;
            o1_4_ = NagaCooperativeMultiplyAdd(w1_1_, v4_1_, _e2260);
            uint va5_0_ = naga_div((0u + value0_) + 40u, ELEMENT);
            metal::simdgroup_half8x8 v5_0_ = NagaCooperativeLoad(&tile.inner[va5_0_], 584u, false);
            metal::simdgroup_float8x8 _e2272 = o0_5_;
            o0_5_ = NagaCooperativeMultiplyAdd(w0_0_, v5_0_, _e2272);
            metal::simdgroup_float8x8 _e2274 = o1_5_;
            o1_5_ = NagaCooperativeMultiplyAdd(w1_0_, v5_0_, _e2274);
            uint va5_1_ = naga_div((4672u + value0_) + 40u, ELEMENT);
            metal::simdgroup_half8x8 v5_1_ = NagaCooperativeLoad(&tile.inner[va5_1_], 584u, false);
            metal::simdgroup_float8x8 _e2286 = o0_5_;
            o0_5_ = NagaCooperativeMultiplyAdd(w0_1_, v5_1_, _e2286);
            metal::simdgroup_float8x8 _e2288 = o1_5_;
            o1_5_ = NagaCooperativeMultiplyAdd(w1_1_, v5_1_, _e2288);
            uint va6_0_ = naga_div((0u + value0_) + 48u, ELEMENT);
            metal::simdgroup_half8x8 v6_0_ = NagaCooperativeLoad(&tile.inner[va6_0_], 584u, false);
            metal::simdgroup_float8x8 _e2300 = o0_6_;
            o0_6_ = NagaCooperativeMultiplyAdd(w0_0_, v6_0_, _e2300);
            metal::simdgroup_float8x8 _e2302 = o1_6_;
            o1_6_ = NagaCooperativeMultiplyAdd(w1_0_, v6_0_, _e2302);
            uint va6_1_ = naga_div((4672u + value0_) + 48u, ELEMENT);
            metal::simdgroup_half8x8 v6_1_ = NagaCooperativeLoad(&tile.inner[va6_1_], 584u, false);
            metal::simdgroup_float8x8 _e2314 = o0_6_;
            o0_6_ = NagaCooperativeMultiplyAdd(w0_1_, v6_1_, _e2314);
            metal::simdgroup_float8x8 _e2316 = o1_6_;
            o1_6_ = NagaCooperativeMultiplyAdd(w1_1_, v6_1_, _e2316);
            uint va7_0_ = naga_div((0u + value0_) + 56u, ELEMENT);
            metal::simdgroup_half8x8 v7_0_ = NagaCooperativeLoad(&tile.inner[va7_0_], 584u, false);
            metal::simdgroup_float8x8 _e2328 = o0_7_;
            o0_7_ = NagaCooperativeMultiplyAdd(w0_0_, v7_0_, _e2328);
            metal::simdgroup_float8x8 _e2330 = o1_7_;
            o1_7_ = NagaCooperativeMultiplyAdd(w1_0_, v7_0_, _e2330);
            uint va7_1_ = naga_div((4672u + value0_) + 56u, ELEMENT);
            metal::simdgroup_half8x8 v7_1_ = NagaCooperativeLoad(&tile.inner[va7_1_], 584u, false);
            metal::simdgroup_float8x8 _e2342 = o0_7_;
            o0_7_ = NagaCooperativeMultiplyAdd(w0_1_, v7_1_, _e2342);
            metal::simdgroup_float8x8 _e2344 = o1_7_;
            o1_7_ = NagaCooperativeMultiplyAdd(w1_1_, v7_1_, _e2344);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e2359 = n_1;
            n_1 = _e2359 * 2u;
        }
        loop_init_12 = false;
        uint _e2351 = n_1;
        if (_e2351 < 4u) {
        } else {
            break;
        }
        {
            float _e2354 = total;
            float _e2355 = total;
            uint _e2356 = n_1;
            float unnamed_2 = metal::simd_shuffle_xor(_e2355, _e2356);
            total = _e2354 + unnamed_2;
        }
    }
    if (leads) {
        local_1 = known;
    } else {
        local_1 = false;
    }
    bool _e2365 = local_1;
    if (_e2365) {
        float _e2368 = total;
        factors.inner[head_1] = 1.0 / _e2368;
    }
    metal::simdgroup_float8x8 _e2371 = o0_0_;
    simdgroup_store(_e2371, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2375 = o1_0_;
    simdgroup_store(_e2375, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e2425 = e_8;
            e_8 = _e2425 + 32u;
        }
        loop_init_13 = false;
        uint _e2380 = e_8;
        if (_e2380 < 128u) {
        } else {
            break;
        }
        {
            uint _e2383 = e_8;
            uint r = naga_div(_e2383, SIDE);
            uint _e2388 = e_8;
            uint d = (value0_ + 0u) + naga_mod(_e2388, SIDE);
            uint _e2397 = e_8;
            float found = scores.inner[((subgroup * SIDE) * 16u) + _e2397];
            uint _e2404 = p.heads;
            if ((head0_ + r) < _e2404) {
                uint _e2409 = p.out;
                uint _e2412 = p.heads;
                float _e2423 = factors.inner[r];
                act[(_e2409 + ((((row_3 * _e2412) + head0_) + r) * VALUE_DIM)) + d] = found * _e2423;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2428 = o0_1_;
    simdgroup_store(_e2428, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2432 = o1_1_;
    simdgroup_store(_e2432, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e2482 = e_9;
            e_9 = _e2482 + 32u;
        }
        loop_init_14 = false;
        uint _e2437 = e_9;
        if (_e2437 < 128u) {
        } else {
            break;
        }
        {
            uint _e2440 = e_9;
            uint r_1 = naga_div(_e2440, SIDE);
            uint _e2445 = e_9;
            uint d_1 = (value0_ + 8u) + naga_mod(_e2445, SIDE);
            uint _e2454 = e_9;
            float found_1 = scores.inner[((subgroup * SIDE) * 16u) + _e2454];
            uint _e2461 = p.heads;
            if ((head0_ + r_1) < _e2461) {
                uint _e2466 = p.out;
                uint _e2469 = p.heads;
                float _e2480 = factors.inner[r_1];
                act[(_e2466 + ((((row_3 * _e2469) + head0_) + r_1) * VALUE_DIM)) + d_1] = found_1 * _e2480;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2485 = o0_2_;
    simdgroup_store(_e2485, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2489 = o1_2_;
    simdgroup_store(_e2489, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e2539 = e_10;
            e_10 = _e2539 + 32u;
        }
        loop_init_15 = false;
        uint _e2494 = e_10;
        if (_e2494 < 128u) {
        } else {
            break;
        }
        {
            uint _e2497 = e_10;
            uint r_2 = naga_div(_e2497, SIDE);
            uint _e2502 = e_10;
            uint d_2 = (value0_ + 16u) + naga_mod(_e2502, SIDE);
            uint _e2511 = e_10;
            float found_2 = scores.inner[((subgroup * SIDE) * 16u) + _e2511];
            uint _e2518 = p.heads;
            if ((head0_ + r_2) < _e2518) {
                uint _e2523 = p.out;
                uint _e2526 = p.heads;
                float _e2537 = factors.inner[r_2];
                act[(_e2523 + ((((row_3 * _e2526) + head0_) + r_2) * VALUE_DIM)) + d_2] = found_2 * _e2537;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2542 = o0_3_;
    simdgroup_store(_e2542, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2546 = o1_3_;
    simdgroup_store(_e2546, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e2596 = e_11;
            e_11 = _e2596 + 32u;
        }
        loop_init_16 = false;
        uint _e2551 = e_11;
        if (_e2551 < 128u) {
        } else {
            break;
        }
        {
            uint _e2554 = e_11;
            uint r_3 = naga_div(_e2554, SIDE);
            uint _e2559 = e_11;
            uint d_3 = (value0_ + 24u) + naga_mod(_e2559, SIDE);
            uint _e2568 = e_11;
            float found_3 = scores.inner[((subgroup * SIDE) * 16u) + _e2568];
            uint _e2575 = p.heads;
            if ((head0_ + r_3) < _e2575) {
                uint _e2580 = p.out;
                uint _e2583 = p.heads;
                float _e2594 = factors.inner[r_3];
                act[(_e2580 + ((((row_3 * _e2583) + head0_) + r_3) * VALUE_DIM)) + d_3] = found_3 * _e2594;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2599 = o0_4_;
    simdgroup_store(_e2599, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2603 = o1_4_;
    simdgroup_store(_e2603, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_17 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_17) {
            uint _e2653 = e_12;
            e_12 = _e2653 + 32u;
        }
        loop_init_17 = false;
        uint _e2608 = e_12;
        if (_e2608 < 128u) {
        } else {
            break;
        }
        {
            uint _e2611 = e_12;
            uint r_4 = naga_div(_e2611, SIDE);
            uint _e2616 = e_12;
            uint d_4 = (value0_ + 32u) + naga_mod(_e2616, SIDE);
            uint _e2625 = e_12;
            float found_4 = scores.inner[((subgroup * SIDE) * 16u) + _e2625];
            uint _e2632 = p.heads;
            if ((head0_ + r_4) < _e2632) {
                uint _e2637 = p.out;
                uint _e2640 = p.heads;
                float _e2651 = factors.inner[r_4];
                act[(_e2637 + ((((row_3 * _e2640) + head0_) + r_4) * VALUE_DIM)) + d_4] = found_4 * _e2651;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2656 = o0_5_;
    simdgroup_store(_e2656, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2660 = o1_5_;
    simdgroup_store(_e2660, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_18 = uint2(4294967295u);
    bool loop_init_18 = true;
    while(true) {
        if (metal::all(loop_bound_18 == uint2(0u))) { break; }
        loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
        if (!loop_init_18) {
            uint _e2710 = e_13;
            e_13 = _e2710 + 32u;
        }
        loop_init_18 = false;
        uint _e2665 = e_13;
        if (_e2665 < 128u) {
        } else {
            break;
        }
        {
            uint _e2668 = e_13;
            uint r_5 = naga_div(_e2668, SIDE);
            uint _e2673 = e_13;
            uint d_5 = (value0_ + 40u) + naga_mod(_e2673, SIDE);
            uint _e2682 = e_13;
            float found_5 = scores.inner[((subgroup * SIDE) * 16u) + _e2682];
            uint _e2689 = p.heads;
            if ((head0_ + r_5) < _e2689) {
                uint _e2694 = p.out;
                uint _e2697 = p.heads;
                float _e2708 = factors.inner[r_5];
                act[(_e2694 + ((((row_3 * _e2697) + head0_) + r_5) * VALUE_DIM)) + d_5] = found_5 * _e2708;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2713 = o0_6_;
    simdgroup_store(_e2713, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2717 = o1_6_;
    simdgroup_store(_e2717, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_19 = uint2(4294967295u);
    bool loop_init_19 = true;
    while(true) {
        if (metal::all(loop_bound_19 == uint2(0u))) { break; }
        loop_bound_19 -= uint2(loop_bound_19.y == 0u, 1u);
        if (!loop_init_19) {
            uint _e2767 = e_14;
            e_14 = _e2767 + 32u;
        }
        loop_init_19 = false;
        uint _e2722 = e_14;
        if (_e2722 < 128u) {
        } else {
            break;
        }
        {
            uint _e2725 = e_14;
            uint r_6 = naga_div(_e2725, SIDE);
            uint _e2730 = e_14;
            uint d_6 = (value0_ + 48u) + naga_mod(_e2730, SIDE);
            uint _e2739 = e_14;
            float found_6 = scores.inner[((subgroup * SIDE) * 16u) + _e2739];
            uint _e2746 = p.heads;
            if ((head0_ + r_6) < _e2746) {
                uint _e2751 = p.out;
                uint _e2754 = p.heads;
                float _e2765 = factors.inner[r_6];
                act[(_e2751 + ((((row_3 * _e2754) + head0_) + r_6) * VALUE_DIM)) + d_6] = found_6 * _e2765;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e2770 = o0_7_;
    simdgroup_store(_e2770, &scores.inner[corner0_], SIDE);
    metal::simdgroup_float8x8 _e2774 = o1_7_;
    simdgroup_store(_e2774, &scores.inner[corner1_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_20 = uint2(4294967295u);
    bool loop_init_20 = true;
    while(true) {
        if (metal::all(loop_bound_20 == uint2(0u))) { break; }
        loop_bound_20 -= uint2(loop_bound_20.y == 0u, 1u);
        if (!loop_init_20) {
            uint _e2824 = e_15;
            e_15 = _e2824 + 32u;
        }
        loop_init_20 = false;
        uint _e2779 = e_15;
        if (_e2779 < 128u) {
        } else {
            break;
        }
        {
            uint _e2782 = e_15;
            uint r_7 = naga_div(_e2782, SIDE);
            uint _e2787 = e_15;
            uint d_7 = (value0_ + 56u) + naga_mod(_e2787, SIDE);
            uint _e2796 = e_15;
            float found_7 = scores.inner[((subgroup * SIDE) * 16u) + _e2796];
            uint _e2803 = p.heads;
            if ((head0_ + r_7) < _e2803) {
                uint _e2808 = p.out;
                uint _e2811 = p.heads;
                float _e2822 = factors.inner[r_7];
                act[(_e2808 + ((((row_3 * _e2811) + head0_) + r_7) * VALUE_DIM)) + d_7] = found_7 * _e2822;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
