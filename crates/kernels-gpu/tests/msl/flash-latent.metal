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
typedef metal::half4 type_10[1];
struct type_11 {
    metal::half4 inner[4672];
};
struct type_12 {
    metal::half4 inner[160];
};
struct type_13 {
    float inner[2304];
};
struct type_14 {
    uint inner[32];
};
struct type_15 {
    float inner[16];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint PARTS = 4u;
constant uint SIDE = 16u;
constant uint SINGLE = 0u;
constant uint SQUARES = 1u;
constant uint CACHE = 1u;
constant uint KEY_DIM = 576u;
constant uint VALUE_DIM = 512u;
constant uint KSQ_PART = 9u;
constant uint VSQ_PART = 4u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint UNITS = 72u;
constant uint KEYS = 32u;
constant uint TS = 584u;
constant uint WS = 40u;
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
    uint i = (scales + (slot * blocks)) + naga_div(u, 4u);
    uint _e76 = cache[naga_div(i, 4u)][naga_mod(i, 4u)];
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
metal::simdgroup_half16x16 NagaCooperativeLoad(const device half* ptr, int stride, bool is_row_major) {
    metal::simdgroup_half16x16 m;
    simdgroup_load(m, ptr, stride, 0, is_row_major);
    return m;
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
, threadgroup type_13& scores
, threadgroup type_14& slots
, threadgroup type_15& factors
, threadgroup metal::uint4& raised
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    metal::simdgroup_float16x16 o0_0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o0_1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o0_2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o0_3_ = metal::simdgroup_float16x16 {};
    bool local = {};
    float reference = -1000000000000000000000000000000.0;
    float total = 0.0;
    uint k0_ = {};
    uint from_unit = {};
    metal::simdgroup_float16x16 a0_ = {};
    metal::float4 s = {};
    float most = {};
    uint n = {};
    uint e = {};
    uint e_1 = {};
    uint e_2 = {};
    uint e_3 = {};
    uint n_1 = 1u;
    bool local_1 = {};
    uint e_4 = {};
    uint e_5 = {};
    uint e_6 = {};
    uint e_7 = {};
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
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint key0_ = naga_mod(subgroup, 2u) * SIDE;
    uint part = naga_div(subgroup, 2u);
    uint square0_ = (part * KSQ_PART) * SIDE;
    uint value0_ = (subgroup * VSQ_PART) * SIDE;
    uint _e53 = p.heads;
    uint qa0_0_ = naga_div((((((row_3 * _e53) + head0_) + 0u) * KEY_DIM) + square0_) + 0u, ELEMENT);
    metal::simdgroup_half16x16 q0_0_ = NagaCooperativeLoad(&x[qa0_0_], 144u, false);
    uint _e71 = p.heads;
    uint qa0_1_ = naga_div((((((row_3 * _e71) + head0_) + 0u) * KEY_DIM) + square0_) + 16u, ELEMENT);
    metal::simdgroup_half16x16 q0_1_ = NagaCooperativeLoad(&x[qa0_1_], 144u, false);
    uint _e89 = p.heads;
    uint qa0_2_ = naga_div((((((row_3 * _e89) + head0_) + 0u) * KEY_DIM) + square0_) + 32u, ELEMENT);
    metal::simdgroup_half16x16 q0_2_ = NagaCooperativeLoad(&x[qa0_2_], 144u, false);
    uint _e107 = p.heads;
    uint qa0_3_ = naga_div((((((row_3 * _e107) + head0_) + 0u) * KEY_DIM) + square0_) + 48u, ELEMENT);
    metal::simdgroup_half16x16 q0_3_ = NagaCooperativeLoad(&x[qa0_3_], 144u, false);
    uint _e125 = p.heads;
    uint qa0_4_ = naga_div((((((row_3 * _e125) + head0_) + 0u) * KEY_DIM) + square0_) + 64u, ELEMENT);
    metal::simdgroup_half16x16 q0_4_ = NagaCooperativeLoad(&x[qa0_4_], 144u, false);
    uint _e143 = p.heads;
    uint qa0_5_ = naga_div((((((row_3 * _e143) + head0_) + 0u) * KEY_DIM) + square0_) + 80u, ELEMENT);
    metal::simdgroup_half16x16 q0_5_ = NagaCooperativeLoad(&x[qa0_5_], 144u, false);
    uint _e161 = p.heads;
    uint qa0_6_ = naga_div((((((row_3 * _e161) + head0_) + 0u) * KEY_DIM) + square0_) + 96u, ELEMENT);
    metal::simdgroup_half16x16 q0_6_ = NagaCooperativeLoad(&x[qa0_6_], 144u, false);
    uint _e179 = p.heads;
    uint qa0_7_ = naga_div((((((row_3 * _e179) + head0_) + 0u) * KEY_DIM) + square0_) + 112u, ELEMENT);
    metal::simdgroup_half16x16 q0_7_ = NagaCooperativeLoad(&x[qa0_7_], 144u, false);
    uint _e197 = p.heads;
    uint qa0_8_ = naga_div((((((row_3 * _e197) + head0_) + 0u) * KEY_DIM) + square0_) + 128u, ELEMENT);
    metal::simdgroup_half16x16 q0_8_ = NagaCooperativeLoad(&x[qa0_8_], 144u, false);
    uint corner0_ = ((subgroup * 16u) + 0u) * SIDE;
    uint head_1 = naga_mod(naga_div(me, 8u), 16u);
    uint mine = naga_mod(me, 8u) * 4u;
    uint _e238 = p.heads;
    bool known = (head0_ + head_1) < _e238;
    if (naga_mod(me, 8u) == 0u) {
        local = me < 128u;
    } else {
        local = false;
    }
    bool leads = local;
    k0_ = first;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e1020 = k0_;
            k0_ = _e1020 + KEYS;
        }
        loop_init = false;
        uint _e255 = k0_;
        if (_e255 < end) {
        } else {
            break;
        }
        {
            from_unit = me;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e433 = from_unit;
                    from_unit = _e433 + 1024u;
                }
                loop_init_1 = false;
                uint _e258 = from_unit;
                if (_e258 < 2304u) {
                } else {
                    break;
                }
                {
                    uint _e261 = from_unit;
                    uint i0_ = metal::min(_e261 + 0u, 2303u);
                    uint _e269 = p.place.keys;
                    uint _e273 = p.place.key_scales;
                    uint _e278 = slots.inner[naga_div(i0_, UNITS)];
                    type_7 _e282 = eight(_e269, _e273, _e278, UNITS, naga_mod(i0_, UNITS), cache, _buffer_sizes);
                    uint _e283 = from_unit;
                    uint i1_ = metal::min(_e283 + 256u, 2303u);
                    uint _e291 = p.place.keys;
                    uint _e295 = p.place.key_scales;
                    uint _e300 = slots.inner[naga_div(i1_, UNITS)];
                    type_7 _e304 = eight(_e291, _e295, _e300, UNITS, naga_mod(i1_, UNITS), cache, _buffer_sizes);
                    uint _e305 = from_unit;
                    uint i2_ = metal::min(_e305 + 512u, 2303u);
                    uint _e313 = p.place.keys;
                    uint _e317 = p.place.key_scales;
                    uint _e322 = slots.inner[naga_div(i2_, UNITS)];
                    type_7 _e326 = eight(_e313, _e317, _e322, UNITS, naga_mod(i2_, UNITS), cache, _buffer_sizes);
                    uint _e327 = from_unit;
                    uint i3_ = metal::min(_e327 + 768u, 2303u);
                    uint _e335 = p.place.keys;
                    uint _e339 = p.place.key_scales;
                    uint _e344 = slots.inner[naga_div(i3_, UNITS)];
                    type_7 _e348 = eight(_e335, _e339, _e344, UNITS, naga_mod(i3_, UNITS), cache, _buffer_sizes);
                    uint to0_ = naga_div((naga_div(i0_, UNITS) * TS) + (naga_mod(i0_, UNITS) * 8u), ELEMENT);
                    tile.inner[to0_] = static_cast<metal::half4>(_e282.inner[0]);
                    tile.inner[to0_ + 1u] = static_cast<metal::half4>(_e282.inner[1]);
                    uint to1_ = naga_div((naga_div(i1_, UNITS) * TS) + (naga_mod(i1_, UNITS) * 8u), ELEMENT);
                    tile.inner[to1_] = static_cast<metal::half4>(_e304.inner[0]);
                    tile.inner[to1_ + 1u] = static_cast<metal::half4>(_e304.inner[1]);
                    uint to2_ = naga_div((naga_div(i2_, UNITS) * TS) + (naga_mod(i2_, UNITS) * 8u), ELEMENT);
                    tile.inner[to2_] = static_cast<metal::half4>(_e326.inner[0]);
                    tile.inner[to2_ + 1u] = static_cast<metal::half4>(_e326.inner[1]);
                    uint to3_ = naga_div((naga_div(i3_, UNITS) * TS) + (naga_mod(i3_, UNITS) * 8u), ELEMENT);
                    tile.inner[to3_] = static_cast<metal::half4>(_e348.inner[0]);
                    tile.inner[to3_ + 1u] = static_cast<metal::half4>(_e348.inner[1]);
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            a0_ = metal::simdgroup_float16x16 {};
            uint ba0_ = naga_div(((key0_ * TS) + square0_) + 0u, ELEMENT);
            metal::simdgroup_half16x16 b0_ = NagaCooperativeLoad(&tile.inner[ba0_], 146u, true);
            metal::simdgroup_float16x16 _e449 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_0_, b0_, _e449);
            uint ba1_ = naga_div(((key0_ * TS) + square0_) + 16u, ELEMENT);
            metal::simdgroup_half16x16 b1_ = NagaCooperativeLoad(&tile.inner[ba1_], 146u, true);
            metal::simdgroup_float16x16 _e462 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_1_, b1_, _e462);
            uint ba2_ = naga_div(((key0_ * TS) + square0_) + 32u, ELEMENT);
            metal::simdgroup_half16x16 b2_ = NagaCooperativeLoad(&tile.inner[ba2_], 146u, true);
            metal::simdgroup_float16x16 _e475 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_2_, b2_, _e475);
            uint ba3_ = naga_div(((key0_ * TS) + square0_) + 48u, ELEMENT);
            metal::simdgroup_half16x16 b3_ = NagaCooperativeLoad(&tile.inner[ba3_], 146u, true);
            metal::simdgroup_float16x16 _e488 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_3_, b3_, _e488);
            uint ba4_ = naga_div(((key0_ * TS) + square0_) + 64u, ELEMENT);
            metal::simdgroup_half16x16 b4_ = NagaCooperativeLoad(&tile.inner[ba4_], 146u, true);
            metal::simdgroup_float16x16 _e501 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_4_, b4_, _e501);
            uint ba5_ = naga_div(((key0_ * TS) + square0_) + 80u, ELEMENT);
            metal::simdgroup_half16x16 b5_ = NagaCooperativeLoad(&tile.inner[ba5_], 146u, true);
            metal::simdgroup_float16x16 _e514 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_5_, b5_, _e514);
            uint ba6_ = naga_div(((key0_ * TS) + square0_) + 96u, ELEMENT);
            metal::simdgroup_half16x16 b6_ = NagaCooperativeLoad(&tile.inner[ba6_], 146u, true);
            metal::simdgroup_float16x16 _e527 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_6_, b6_, _e527);
            uint ba7_ = naga_div(((key0_ * TS) + square0_) + 112u, ELEMENT);
            metal::simdgroup_half16x16 b7_ = NagaCooperativeLoad(&tile.inner[ba7_], 146u, true);
            metal::simdgroup_float16x16 _e540 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_7_, b7_, _e540);
            uint ba8_ = naga_div(((key0_ * TS) + square0_) + 128u, ELEMENT);
            metal::simdgroup_half16x16 b8_ = NagaCooperativeLoad(&tile.inner[ba8_], 146u, true);
            metal::simdgroup_float16x16 _e553 = a0_;
            a0_ = NagaCooperativeMultiplyAdd(q0_8_, b8_, _e553);
            uint sa0_ = (((part * 16u) + 0u) * SS) + key0_;
            metal::simdgroup_float16x16 _e562 = a0_;
            simdgroup_store(_e562, &scores.inner[sa0_], SS);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            s = metal::float4(0.0);
            uint at0_ = ((0u + head_1) * SS) + mine;
            metal::float4 _e574 = s;
            float _e577 = scores.inner[at0_];
            float _e582 = scores.inner[at0_ + 1u];
            float _e587 = scores.inner[at0_ + 2u];
            float _e592 = scores.inner[at0_ + 3u];
            s = _e574 + metal::float4(_e577, _e582, _e587, _e592);
            uint at1_ = ((16u + head_1) * SS) + mine;
            metal::float4 _e600 = s;
            float _e603 = scores.inner[at1_];
            float _e608 = scores.inner[at1_ + 1u];
            float _e613 = scores.inner[at1_ + 2u];
            float _e618 = scores.inner[at1_ + 3u];
            s = _e600 + metal::float4(_e603, _e608, _e613, _e618);
            uint at2_ = ((32u + head_1) * SS) + mine;
            metal::float4 _e626 = s;
            float _e629 = scores.inner[at2_];
            float _e634 = scores.inner[at2_ + 1u];
            float _e639 = scores.inner[at2_ + 2u];
            float _e644 = scores.inner[at2_ + 3u];
            s = _e626 + metal::float4(_e629, _e634, _e639, _e644);
            uint at3_ = ((48u + head_1) * SS) + mine;
            metal::float4 _e652 = s;
            float _e655 = scores.inner[at3_];
            float _e660 = scores.inner[at3_ + 1u];
            float _e665 = scores.inner[at3_ + 2u];
            float _e670 = scores.inner[at3_ + 3u];
            s = _e652 + metal::float4(_e655, _e660, _e665, _e670);
            uint _e673 = k0_;
            metal::bool4 seen = (metal::uint4(_e673 + mine) + metal::uint4(0u, 1u, 2u, 3u)) < metal::uint4(known ? end : 0u);
            metal::float4 _e686 = s;
            float _e689 = p.scale;
            s = metal::select(metal::float4(-1000000000000000000000000000000.0), _e686 * _e689, seen);
            float _e695 = s.x;
            float _e697 = s.y;
            float _e700 = s.z;
            float _e702 = s.w;
            most = metal::max(metal::max(_e695, _e697), metal::max(_e700, _e702));
            n = 1u;
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e716 = n;
                    n = _e716 * 2u;
                }
                loop_init_2 = false;
                uint _e708 = n;
                if (_e708 < 8u) {
                } else {
                    break;
                }
                {
                    float _e711 = most;
                    float _e712 = most;
                    uint _e713 = n;
                    float unnamed = metal::simd_shuffle_xor(_e712, _e713);
                    most = metal::max(_e711, unnamed);
                }
            }
            float _e719 = most;
            float _e720 = reference;
            if (_e719 > (_e720 + 8.0)) {
                raised = metal::uint4(1u);
            }
            if (me < KEYS) {
                uint _e731 = k0_;
                uint _e738 = slot_2(row_3, metal::min((_e731 + KEYS) + me, end - 1u), _e11, step, p, _buffer_sizes);
                slots.inner[me] = _e738;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::uint4 unnamed_1 = raised;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (unnamed_1.x != 0u) {
                float _e744 = reference;
                float _e745 = most;
                float next = metal::max(_e744, _e745);
                float _e747 = reference;
                float shrink = metal::exp(_e747 - next);
                float _e750 = total;
                total = _e750 * shrink;
                reference = next;
                if (leads) {
                    factors.inner[head_1] = shrink;
                }
                if (me == 0u) {
                    raised = metal::uint4(0u);
                }
                metal::simdgroup_float16x16 _e759 = o0_0_;
                simdgroup_store(_e759, &scores.inner[corner0_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e = 0u;
                uint2 loop_bound_3 = uint2(4294967295u);
                bool loop_init_3 = true;
                while(true) {
                    if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                    loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                    if (!loop_init_3) {
                        uint _e785 = e;
                        e = _e785 + 1u;
                    }
                    loop_init_3 = false;
                    uint _e765 = e;
                    if (_e765 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e774 = e;
                        float _e777 = scores.inner[(((subgroup * 32u) + lane) * 8u) + _e774];
                        float _e782 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 8u) + _e774] = _e777 * _e782;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_0_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float16x16 _e791 = o0_1_;
                simdgroup_store(_e791, &scores.inner[corner0_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_1 = 0u;
                uint2 loop_bound_4 = uint2(4294967295u);
                bool loop_init_4 = true;
                while(true) {
                    if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                    loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                    if (!loop_init_4) {
                        uint _e817 = e_1;
                        e_1 = _e817 + 1u;
                    }
                    loop_init_4 = false;
                    uint _e797 = e_1;
                    if (_e797 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e806 = e_1;
                        float _e809 = scores.inner[(((subgroup * 32u) + lane) * 8u) + _e806];
                        float _e814 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 8u) + _e806] = _e809 * _e814;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_1_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float16x16 _e823 = o0_2_;
                simdgroup_store(_e823, &scores.inner[corner0_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_2 = 0u;
                uint2 loop_bound_5 = uint2(4294967295u);
                bool loop_init_5 = true;
                while(true) {
                    if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                    loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                    if (!loop_init_5) {
                        uint _e849 = e_2;
                        e_2 = _e849 + 1u;
                    }
                    loop_init_5 = false;
                    uint _e829 = e_2;
                    if (_e829 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e838 = e_2;
                        float _e841 = scores.inner[(((subgroup * 32u) + lane) * 8u) + _e838];
                        float _e846 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 8u) + _e838] = _e841 * _e846;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_2_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                metal::simdgroup_float16x16 _e855 = o0_3_;
                simdgroup_store(_e855, &scores.inner[corner0_], SIDE);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_3 = 0u;
                uint2 loop_bound_6 = uint2(4294967295u);
                bool loop_init_6 = true;
                while(true) {
                    if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                    loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                    if (!loop_init_6) {
                        uint _e881 = e_3;
                        e_3 = _e881 + 1u;
                    }
                    loop_init_6 = false;
                    uint _e861 = e_3;
                    if (_e861 < 8u) {
                    } else {
                        break;
                    }
                    {
                        uint _e870 = e_3;
                        float _e873 = scores.inner[(((subgroup * 32u) + lane) * 8u) + _e870];
                        float _e878 = factors.inner[naga_div(lane, 2u)];
                        scores.inner[(((subgroup * 32u) + lane) * 8u) + _e870] = _e873 * _e878;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_3_ = NagaCooperativeLoad(&scores.inner[corner0_], SIDE, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            }
            metal::float4 _e887 = s;
            float _e888 = reference;
            metal::float4 w_2 = metal::select(metal::float4(0.0), metal::exp(_e887 - metal::float4(_e888)), seen);
            float _e895 = total;
            total = _e895 + (((w_2.x + w_2.y) + w_2.z) + w_2.w);
            if (me < 128u) {
                uint to = naga_div((head_1 * WS) + mine, ELEMENT);
                shares.inner[to] = static_cast<metal::half4>(w_2);
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::simdgroup_half16x16 w0_0_ = NagaCooperativeLoad(&shares.inner[0u], 10u, false);
            metal::simdgroup_half16x16 w0_1_ = NagaCooperativeLoad(&shares.inner[4u], 10u, false);
            uint va0_0_ = naga_div((0u + value0_) + 0u, ELEMENT);
            metal::simdgroup_half16x16 v0_0_ = NagaCooperativeLoad(&tile.inner[va0_0_], 146u, false);
            metal::simdgroup_float16x16 _e934 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_0_, v0_0_, _e934);
            uint va0_1_ = naga_div((9344u + value0_) + 0u, ELEMENT);
            metal::simdgroup_half16x16 v0_1_ = NagaCooperativeLoad(&tile.inner[va0_1_], 146u, false);
            metal::simdgroup_float16x16 _e946 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_1_, v0_1_, _e946);
            uint va1_0_ = naga_div((0u + value0_) + 16u, ELEMENT);
            metal::simdgroup_half16x16 v1_0_ = NagaCooperativeLoad(&tile.inner[va1_0_], 146u, false);
            metal::simdgroup_float16x16 _e958 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_0_, v1_0_, _e958);
            uint va1_1_ = naga_div((9344u + value0_) + 16u, ELEMENT);
            metal::simdgroup_half16x16 v1_1_ = NagaCooperativeLoad(&tile.inner[va1_1_], 146u, false);
            metal::simdgroup_float16x16 _e970 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_1_, v1_1_, _e970);
            uint va2_0_ = naga_div((0u + value0_) + 32u, ELEMENT);
            metal::simdgroup_half16x16 v2_0_ = NagaCooperativeLoad(&tile.inner[va2_0_], 146u, false);
            metal::simdgroup_float16x16 _e982 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_0_, v2_0_, _e982);
            uint va2_1_ = naga_div((9344u + value0_) + 32u, ELEMENT);
            metal::simdgroup_half16x16 v2_1_ = NagaCooperativeLoad(&tile.inner[va2_1_], 146u, false);
            metal::simdgroup_float16x16 _e994 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_1_, v2_1_, _e994);
            uint va3_0_ = naga_div((0u + value0_) + 48u, ELEMENT);
            metal::simdgroup_half16x16 v3_0_ = NagaCooperativeLoad(&tile.inner[va3_0_], 146u, false);
            metal::simdgroup_float16x16 _e1006 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_0_, v3_0_, _e1006);
            uint va3_1_ = naga_div((9344u + value0_) + 48u, ELEMENT);
            metal::simdgroup_half16x16 v3_1_ = NagaCooperativeLoad(&tile.inner[va3_1_], 146u, false);
            metal::simdgroup_float16x16 _e1018 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_1_, v3_1_, _e1018);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1033 = n_1;
            n_1 = _e1033 * 2u;
        }
        loop_init_7 = false;
        uint _e1025 = n_1;
        if (_e1025 < 8u) {
        } else {
            break;
        }
        {
            float _e1028 = total;
            float _e1029 = total;
            uint _e1030 = n_1;
            float unnamed_2 = metal::simd_shuffle_xor(_e1029, _e1030);
            total = _e1028 + unnamed_2;
        }
    }
    uint _e1038 = p.parts;
    uint _e1041 = p.heads;
    uint _e1046 = step[3];
    uint part0_ = _e1038 + (((((row_3 * _e1041) + head0_) * _e1046) + group.y) * 514u);
    uint _e1055 = step[3];
    uint next_head = _e1055 * 514u;
    if (leads) {
        local_1 = known;
    } else {
        local_1 = false;
    }
    bool _e1061 = local_1;
    if (_e1061) {
        float _e1066 = reference;
        act[part0_ + (head_1 * next_head)] = _e1066;
        float _e1073 = total;
        act[(part0_ + (head_1 * next_head)) + 1u] = _e1073;
    }
    metal::simdgroup_float16x16 _e1074 = o0_0_;
    simdgroup_store(_e1074, &scores.inner[corner0_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1112 = e_4;
            e_4 = _e1112 + 32u;
        }
        loop_init_8 = false;
        uint _e1079 = e_4;
        if (_e1079 < 256u) {
        } else {
            break;
        }
        {
            uint _e1082 = e_4;
            uint r = naga_div(_e1082, SIDE);
            uint _e1087 = e_4;
            uint d = (value0_ + 0u) + naga_mod(_e1087, SIDE);
            uint _e1096 = e_4;
            float found = scores.inner[((subgroup * SIDE) * 16u) + _e1096];
            uint _e1103 = p.heads;
            if ((head0_ + r) < _e1103) {
                act[((part0_ + (r * next_head)) + 2u) + d] = found;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1115 = o0_1_;
    simdgroup_store(_e1115, &scores.inner[corner0_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1153 = e_5;
            e_5 = _e1153 + 32u;
        }
        loop_init_9 = false;
        uint _e1120 = e_5;
        if (_e1120 < 256u) {
        } else {
            break;
        }
        {
            uint _e1123 = e_5;
            uint r_1 = naga_div(_e1123, SIDE);
            uint _e1128 = e_5;
            uint d_1 = (value0_ + 16u) + naga_mod(_e1128, SIDE);
            uint _e1137 = e_5;
            float found_1 = scores.inner[((subgroup * SIDE) * 16u) + _e1137];
            uint _e1144 = p.heads;
            if ((head0_ + r_1) < _e1144) {
                act[((part0_ + (r_1 * next_head)) + 2u) + d_1] = found_1;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1156 = o0_2_;
    simdgroup_store(_e1156, &scores.inner[corner0_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1194 = e_6;
            e_6 = _e1194 + 32u;
        }
        loop_init_10 = false;
        uint _e1161 = e_6;
        if (_e1161 < 256u) {
        } else {
            break;
        }
        {
            uint _e1164 = e_6;
            uint r_2 = naga_div(_e1164, SIDE);
            uint _e1169 = e_6;
            uint d_2 = (value0_ + 32u) + naga_mod(_e1169, SIDE);
            uint _e1178 = e_6;
            float found_2 = scores.inner[((subgroup * SIDE) * 16u) + _e1178];
            uint _e1185 = p.heads;
            if ((head0_ + r_2) < _e1185) {
                act[((part0_ + (r_2 * next_head)) + 2u) + d_2] = found_2;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1197 = o0_3_;
    simdgroup_store(_e1197, &scores.inner[corner0_], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1235 = e_7;
            e_7 = _e1235 + 32u;
        }
        loop_init_11 = false;
        uint _e1202 = e_7;
        if (_e1202 < 256u) {
        } else {
            break;
        }
        {
            uint _e1205 = e_7;
            uint r_3 = naga_div(_e1205, SIDE);
            uint _e1210 = e_7;
            uint d_3 = (value0_ + 48u) + naga_mod(_e1210, SIDE);
            uint _e1219 = e_7;
            float found_3 = scores.inner[((subgroup * SIDE) * 16u) + _e1219];
            uint _e1226 = p.heads;
            if ((head0_ + r_3) < _e1226) {
                act[((part0_ + (r_3 * next_head)) + 2u) + d_3] = found_3;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
