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
    half inner[4352];
};
struct type_11 {
    half inner[1280];
};
struct type_12 {
    float inner[64];
};
struct type_13 {
    float inner[1152];
};
struct type_14 {
    float inner[32];
};
constant uint WG = 64u;
constant uint SUBGROUPS = 8u;
constant uint NH = 2u;
constant uint SIDE = 8u;
constant uint SINGLE = 1u;
constant uint SQUARES = 2u;
constant uint CACHE = 1u;
constant uint KEY_DIM = 128u;
constant uint VALUE_DIM = 128u;
constant uint KEY_SQUARES = 4u;
constant uint KSQ = 16u;
constant uint VSQ = 16u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint QS = 136u;
constant uint TS = 136u;
constant uint PS = 40u;
constant uint SS = 36u;
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
    uint i_2 = (scales + (slot * blocks)) + naga_div(u, 4u);
    uint _e76 = cache[naga_div(i_2, 4u)][naga_mod(i_2, 4u)];
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
    threadgroup type_10& tile,
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
            uint _e393 = from_unit;
            from_unit = _e393 + 256u;
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
            uint i1_ = metal::min(_e33 + 64u, (32u * units_2) - 1u);
            uint _e48 = p.block_len;
            uint _e51 = p.kv_heads;
            uint _e52 = slot_of(table_1, metal::min(first + naga_div(i1_, units_2), end - 1u), _e48, _e51, kv_head, step, _buffer_sizes);
            uint _e53 = from_unit;
            uint i2_ = metal::min(_e53 + 128u, (32u * units_2) - 1u);
            uint _e68 = p.block_len;
            uint _e71 = p.kv_heads;
            uint _e72 = slot_of(table_1, metal::min(first + naga_div(i2_, units_2), end - 1u), _e68, _e71, kv_head, step, _buffer_sizes);
            uint _e73 = from_unit;
            uint i3_ = metal::min(_e73 + 192u, (32u * units_2) - 1u);
            uint _e88 = p.block_len;
            uint _e91 = p.kv_heads;
            uint _e92 = slot_of(table_1, metal::min(first + naga_div(i3_, units_2), end - 1u), _e88, _e91, kv_head, step, _buffer_sizes);
            type_7 _e94 = eight(plane_2, scales_2, _e32, units_2, naga_mod(i0_, units_2), cache, _buffer_sizes);
            type_7 _e96 = eight(plane_2, scales_2, _e52, units_2, naga_mod(i1_, units_2), cache, _buffer_sizes);
            type_7 _e98 = eight(plane_2, scales_2, _e72, units_2, naga_mod(i2_, units_2), cache, _buffer_sizes);
            type_7 _e100 = eight(plane_2, scales_2, _e92, units_2, naga_mod(i3_, units_2), cache, _buffer_sizes);
            uint to0_ = naga_div((naga_div(i0_, units_2) * TS) + (naga_mod(i0_, units_2) * 8u), ELEMENT);
            tile.inner[to0_ + 0u] = static_cast<half>(_e94.inner[0].x);
            tile.inner[(to0_ + 4u) + 0u] = static_cast<half>(_e94.inner[1].x);
            tile.inner[to0_ + 1u] = static_cast<half>(_e94.inner[0].y);
            tile.inner[(to0_ + 4u) + 1u] = static_cast<half>(_e94.inner[1].y);
            tile.inner[to0_ + 2u] = static_cast<half>(_e94.inner[0].z);
            tile.inner[(to0_ + 4u) + 2u] = static_cast<half>(_e94.inner[1].z);
            tile.inner[to0_ + 3u] = static_cast<half>(_e94.inner[0].w);
            tile.inner[(to0_ + 4u) + 3u] = static_cast<half>(_e94.inner[1].w);
            uint to1_ = naga_div((naga_div(i1_, units_2) * TS) + (naga_mod(i1_, units_2) * 8u), ELEMENT);
            tile.inner[to1_ + 0u] = static_cast<half>(_e96.inner[0].x);
            tile.inner[(to1_ + 4u) + 0u] = static_cast<half>(_e96.inner[1].x);
            tile.inner[to1_ + 1u] = static_cast<half>(_e96.inner[0].y);
            tile.inner[(to1_ + 4u) + 1u] = static_cast<half>(_e96.inner[1].y);
            tile.inner[to1_ + 2u] = static_cast<half>(_e96.inner[0].z);
            tile.inner[(to1_ + 4u) + 2u] = static_cast<half>(_e96.inner[1].z);
            tile.inner[to1_ + 3u] = static_cast<half>(_e96.inner[0].w);
            tile.inner[(to1_ + 4u) + 3u] = static_cast<half>(_e96.inner[1].w);
            uint to2_ = naga_div((naga_div(i2_, units_2) * TS) + (naga_mod(i2_, units_2) * 8u), ELEMENT);
            tile.inner[to2_ + 0u] = static_cast<half>(_e98.inner[0].x);
            tile.inner[(to2_ + 4u) + 0u] = static_cast<half>(_e98.inner[1].x);
            tile.inner[to2_ + 1u] = static_cast<half>(_e98.inner[0].y);
            tile.inner[(to2_ + 4u) + 1u] = static_cast<half>(_e98.inner[1].y);
            tile.inner[to2_ + 2u] = static_cast<half>(_e98.inner[0].z);
            tile.inner[(to2_ + 4u) + 2u] = static_cast<half>(_e98.inner[1].z);
            tile.inner[to2_ + 3u] = static_cast<half>(_e98.inner[0].w);
            tile.inner[(to2_ + 4u) + 3u] = static_cast<half>(_e98.inner[1].w);
            uint to3_ = naga_div((naga_div(i3_, units_2) * TS) + (naga_mod(i3_, units_2) * 8u), ELEMENT);
            tile.inner[to3_ + 0u] = static_cast<half>(_e100.inner[0].x);
            tile.inner[(to3_ + 4u) + 0u] = static_cast<half>(_e100.inner[1].x);
            tile.inner[to3_ + 1u] = static_cast<half>(_e100.inner[0].y);
            tile.inner[(to3_ + 4u) + 1u] = static_cast<half>(_e100.inner[1].y);
            tile.inner[to3_ + 2u] = static_cast<half>(_e100.inner[0].z);
            tile.inner[(to3_ + 4u) + 2u] = static_cast<half>(_e100.inner[1].z);
            tile.inner[to3_ + 3u] = static_cast<half>(_e100.inner[0].w);
            tile.inner[(to3_ + 4u) + 3u] = static_cast<half>(_e100.inner[1].w);
        }
    }
    return;
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
[[max_total_threads_per_threadgroup(64)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5 const& cache [[user(fake0)]]
, device type_8& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, threadgroup type_10& queries
, threadgroup type_10& tile
, threadgroup type_11& shares
, threadgroup type_12& zeros
, threadgroup type_13& scores
, threadgroup metal::uint4& raised
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    uint i_1 = {};
    float reference = -1000000000000000000000000000000.0;
    float total = 0.0;
    metal::simdgroup_float8x8 o0_0_ = {};
    metal::simdgroup_float8x8 o0_1_ = {};
    metal::simdgroup_float8x8 o0_2_ = {};
    metal::simdgroup_float8x8 o0_3_ = {};
    metal::simdgroup_float8x8 o0_4_ = {};
    metal::simdgroup_float8x8 o0_5_ = {};
    metal::simdgroup_float8x8 o0_6_ = {};
    metal::simdgroup_float8x8 o0_7_ = {};
    metal::simdgroup_float8x8 o0_8_ = {};
    metal::simdgroup_float8x8 o0_9_ = {};
    metal::simdgroup_float8x8 o0_10_ = {};
    metal::simdgroup_float8x8 o0_11_ = {};
    metal::simdgroup_float8x8 o0_12_ = {};
    metal::simdgroup_float8x8 o0_13_ = {};
    metal::simdgroup_float8x8 o0_14_ = {};
    metal::simdgroup_float8x8 o0_15_ = {};
    metal::simdgroup_float8x8 o1_0_ = {};
    metal::simdgroup_float8x8 o1_1_ = {};
    metal::simdgroup_float8x8 o1_2_ = {};
    metal::simdgroup_float8x8 o1_3_ = {};
    metal::simdgroup_float8x8 o1_4_ = {};
    metal::simdgroup_float8x8 o1_5_ = {};
    metal::simdgroup_float8x8 o1_6_ = {};
    metal::simdgroup_float8x8 o1_7_ = {};
    metal::simdgroup_float8x8 o1_8_ = {};
    metal::simdgroup_float8x8 o1_9_ = {};
    metal::simdgroup_float8x8 o1_10_ = {};
    metal::simdgroup_float8x8 o1_11_ = {};
    metal::simdgroup_float8x8 o1_12_ = {};
    metal::simdgroup_float8x8 o1_13_ = {};
    metal::simdgroup_float8x8 o1_14_ = {};
    metal::simdgroup_float8x8 o1_15_ = {};
    uint k0_ = {};
    metal::simdgroup_float8x8 a0_0_ = {};
    metal::simdgroup_float8x8 a0_1_ = {};
    metal::simdgroup_float8x8 a0_2_ = {};
    metal::simdgroup_float8x8 a0_3_ = {};
    metal::simdgroup_float8x8 a1_0_ = {};
    metal::simdgroup_float8x8 a1_1_ = {};
    metal::simdgroup_float8x8 a1_2_ = {};
    metal::simdgroup_float8x8 a1_3_ = {};
    float most = {};
    uint e = {};
    uint e_1 = {};
    uint e_2 = {};
    uint e_3 = {};
    uint e_4 = {};
    uint e_5 = {};
    uint e_6 = {};
    uint e_7 = {};
    uint e_8 = {};
    uint e_9 = {};
    uint e_10 = {};
    uint e_11 = {};
    uint e_12 = {};
    uint e_13 = {};
    uint e_14 = {};
    uint e_15 = {};
    bool local = {};
    uint e_16 = {};
    uint e_17 = {};
    uint e_18 = {};
    uint e_19 = {};
    uint e_20 = {};
    uint e_21 = {};
    uint e_22 = {};
    uint e_23 = {};
    uint e_24 = {};
    uint e_25 = {};
    uint e_26 = {};
    uint e_27 = {};
    uint e_28 = {};
    uint e_29 = {};
    uint e_30 = {};
    uint e_31 = {};
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
            uint _e157 = i;
            i = _e157 + WG;
        }
        loop_init_1 = false;
        uint _e74 = i;
        if (_e74 < 1024u) {
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
            queries.inner[to + 0u] = held.x;
            queries.inner[to + 1u] = held.y;
            queries.inner[to + 2u] = held.z;
            queries.inner[to + 3u] = held.w;
        }
    }
    i_1 = me;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e168 = i_1;
            i_1 = _e168 + WG;
        }
        loop_init_2 = false;
        uint _e161 = i_1;
        if (_e161 < 64u) {
        } else {
            break;
        }
        {
            uint _e165 = i_1;
            zeros.inner[_e165] = 0.0;
        }
    }
    if (me == 0u) {
        raised = metal::uint4(0u);
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint token = naga_div(lane, 2u);
    uint half_ = naga_mod(lane, 2u);
    uint position_2 = position0_ + token;
    uint _e183 = p.window;
    uint _e184 = seen_from(position_2, _e183);
    uint _e189 = seen_to(row0_ + metal::min(token, rows - 1u), step, _buffer_sizes);
    uint mine = (((subgroup * 16u) + token) * SS) + (half_ * 16u);
    uint scaled = (((subgroup * 16u) + token) * SS) + (half_ * 4u);
    uint square0_ = (subgroup * 16u) * SS;
    uint top0_ = (subgroup * 16u) + 0u;
    o0_0_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_1_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_2_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_3_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_4_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_5_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_6_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_7_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_8_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_9_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_10_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_11_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_12_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_13_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_14_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o0_15_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    uint qa0_0_ = naga_div((top0_ * QS) + 0u, ELEMENT);
    metal::simdgroup_half8x8 q0_0_ = NagaCooperativeLoad(&queries.inner[qa0_0_], 136u, false);
    uint qa0_1_ = naga_div((top0_ * QS) + 8u, ELEMENT);
    metal::simdgroup_half8x8 q0_1_ = NagaCooperativeLoad(&queries.inner[qa0_1_], 136u, false);
    uint qa0_2_ = naga_div((top0_ * QS) + 16u, ELEMENT);
    metal::simdgroup_half8x8 q0_2_ = NagaCooperativeLoad(&queries.inner[qa0_2_], 136u, false);
    uint qa0_3_ = naga_div((top0_ * QS) + 24u, ELEMENT);
    metal::simdgroup_half8x8 q0_3_ = NagaCooperativeLoad(&queries.inner[qa0_3_], 136u, false);
    uint qa0_4_ = naga_div((top0_ * QS) + 32u, ELEMENT);
    metal::simdgroup_half8x8 q0_4_ = NagaCooperativeLoad(&queries.inner[qa0_4_], 136u, false);
    uint qa0_5_ = naga_div((top0_ * QS) + 40u, ELEMENT);
    metal::simdgroup_half8x8 q0_5_ = NagaCooperativeLoad(&queries.inner[qa0_5_], 136u, false);
    uint qa0_6_ = naga_div((top0_ * QS) + 48u, ELEMENT);
    metal::simdgroup_half8x8 q0_6_ = NagaCooperativeLoad(&queries.inner[qa0_6_], 136u, false);
    uint qa0_7_ = naga_div((top0_ * QS) + 56u, ELEMENT);
    metal::simdgroup_half8x8 q0_7_ = NagaCooperativeLoad(&queries.inner[qa0_7_], 136u, false);
    uint qa0_8_ = naga_div((top0_ * QS) + 64u, ELEMENT);
    metal::simdgroup_half8x8 q0_8_ = NagaCooperativeLoad(&queries.inner[qa0_8_], 136u, false);
    uint qa0_9_ = naga_div((top0_ * QS) + 72u, ELEMENT);
    metal::simdgroup_half8x8 q0_9_ = NagaCooperativeLoad(&queries.inner[qa0_9_], 136u, false);
    uint qa0_10_ = naga_div((top0_ * QS) + 80u, ELEMENT);
    metal::simdgroup_half8x8 q0_10_ = NagaCooperativeLoad(&queries.inner[qa0_10_], 136u, false);
    uint qa0_11_ = naga_div((top0_ * QS) + 88u, ELEMENT);
    metal::simdgroup_half8x8 q0_11_ = NagaCooperativeLoad(&queries.inner[qa0_11_], 136u, false);
    uint qa0_12_ = naga_div((top0_ * QS) + 96u, ELEMENT);
    metal::simdgroup_half8x8 q0_12_ = NagaCooperativeLoad(&queries.inner[qa0_12_], 136u, false);
    uint qa0_13_ = naga_div((top0_ * QS) + 104u, ELEMENT);
    metal::simdgroup_half8x8 q0_13_ = NagaCooperativeLoad(&queries.inner[qa0_13_], 136u, false);
    uint qa0_14_ = naga_div((top0_ * QS) + 112u, ELEMENT);
    metal::simdgroup_half8x8 q0_14_ = NagaCooperativeLoad(&queries.inner[qa0_14_], 136u, false);
    uint qa0_15_ = naga_div((top0_ * QS) + 120u, ELEMENT);
    metal::simdgroup_half8x8 q0_15_ = NagaCooperativeLoad(&queries.inner[qa0_15_], 136u, false);
    uint top1_ = (subgroup * 16u) + 8u;
    o1_0_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_1_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_2_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_3_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_4_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_5_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_6_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_7_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_8_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_9_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_10_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_11_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_12_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_13_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_14_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    o1_15_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
    uint qa1_0_ = naga_div((top1_ * QS) + 0u, ELEMENT);
    metal::simdgroup_half8x8 q1_0_ = NagaCooperativeLoad(&queries.inner[qa1_0_], 136u, false);
    uint qa1_1_ = naga_div((top1_ * QS) + 8u, ELEMENT);
    metal::simdgroup_half8x8 q1_1_ = NagaCooperativeLoad(&queries.inner[qa1_1_], 136u, false);
    uint qa1_2_ = naga_div((top1_ * QS) + 16u, ELEMENT);
    metal::simdgroup_half8x8 q1_2_ = NagaCooperativeLoad(&queries.inner[qa1_2_], 136u, false);
    uint qa1_3_ = naga_div((top1_ * QS) + 24u, ELEMENT);
    metal::simdgroup_half8x8 q1_3_ = NagaCooperativeLoad(&queries.inner[qa1_3_], 136u, false);
    uint qa1_4_ = naga_div((top1_ * QS) + 32u, ELEMENT);
    metal::simdgroup_half8x8 q1_4_ = NagaCooperativeLoad(&queries.inner[qa1_4_], 136u, false);
    uint qa1_5_ = naga_div((top1_ * QS) + 40u, ELEMENT);
    metal::simdgroup_half8x8 q1_5_ = NagaCooperativeLoad(&queries.inner[qa1_5_], 136u, false);
    uint qa1_6_ = naga_div((top1_ * QS) + 48u, ELEMENT);
    metal::simdgroup_half8x8 q1_6_ = NagaCooperativeLoad(&queries.inner[qa1_6_], 136u, false);
    uint qa1_7_ = naga_div((top1_ * QS) + 56u, ELEMENT);
    metal::simdgroup_half8x8 q1_7_ = NagaCooperativeLoad(&queries.inner[qa1_7_], 136u, false);
    uint qa1_8_ = naga_div((top1_ * QS) + 64u, ELEMENT);
    metal::simdgroup_half8x8 q1_8_ = NagaCooperativeLoad(&queries.inner[qa1_8_], 136u, false);
    uint qa1_9_ = naga_div((top1_ * QS) + 72u, ELEMENT);
    metal::simdgroup_half8x8 q1_9_ = NagaCooperativeLoad(&queries.inner[qa1_9_], 136u, false);
    uint qa1_10_ = naga_div((top1_ * QS) + 80u, ELEMENT);
    metal::simdgroup_half8x8 q1_10_ = NagaCooperativeLoad(&queries.inner[qa1_10_], 136u, false);
    uint qa1_11_ = naga_div((top1_ * QS) + 88u, ELEMENT);
    metal::simdgroup_half8x8 q1_11_ = NagaCooperativeLoad(&queries.inner[qa1_11_], 136u, false);
    uint qa1_12_ = naga_div((top1_ * QS) + 96u, ELEMENT);
    metal::simdgroup_half8x8 q1_12_ = NagaCooperativeLoad(&queries.inner[qa1_12_], 136u, false);
    uint qa1_13_ = naga_div((top1_ * QS) + 104u, ELEMENT);
    metal::simdgroup_half8x8 q1_13_ = NagaCooperativeLoad(&queries.inner[qa1_13_], 136u, false);
    uint qa1_14_ = naga_div((top1_ * QS) + 112u, ELEMENT);
    metal::simdgroup_half8x8 q1_14_ = NagaCooperativeLoad(&queries.inner[qa1_14_], 136u, false);
    uint qa1_15_ = naga_div((top1_ * QS) + 120u, ELEMENT);
    metal::simdgroup_half8x8 q1_15_ = NagaCooperativeLoad(&queries.inner[qa1_15_], 136u, false);
    k0_ = first_1;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e3039 = k0_;
            k0_ = _e3039 + 32u;
        }
        loop_init_3 = false;
        uint _e703 = k0_;
        if (_e703 < end_1) {
        } else {
            break;
        }
        {
            uint _e708 = p.place.keys;
            uint _e712 = p.place.key_scales;
            uint _e714 = k0_;
            load(_e708, _e712, 16u, _e714, end_1, _e47, kv_head_1, me, step, cache, p, tile, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            a0_0_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            a0_1_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            a0_2_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            a0_3_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            a1_0_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            a1_1_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            a1_2_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            a1_3_ = NagaCooperativeLoad(&zeros.inner[0], SIDE, false);
            metal::simdgroup_half8x8 b0_0_ = NagaCooperativeLoad(&tile.inner[0u], 136u, true);
            metal::simdgroup_float8x8 _e760 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_0_, b0_0_, _e760);
            metal::simdgroup_float8x8 _e762 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_0_, b0_0_, _e762);
            metal::simdgroup_half8x8 b0_1_ = NagaCooperativeLoad(&tile.inner[1088u], 136u, true);
            metal::simdgroup_float8x8 _e769 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_0_, b0_1_, _e769);
            metal::simdgroup_float8x8 _e771 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_0_, b0_1_, _e771);
            metal::simdgroup_half8x8 b0_2_ = NagaCooperativeLoad(&tile.inner[2176u], 136u, true);
            metal::simdgroup_float8x8 _e778 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_0_, b0_2_, _e778);
            metal::simdgroup_float8x8 _e780 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_0_, b0_2_, _e780);
            metal::simdgroup_half8x8 b0_3_ = NagaCooperativeLoad(&tile.inner[3264u], 136u, true);
            metal::simdgroup_float8x8 _e787 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_0_, b0_3_, _e787);
            metal::simdgroup_float8x8 _e789 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_0_, b0_3_, _e789);
            metal::simdgroup_half8x8 b1_0_ = NagaCooperativeLoad(&tile.inner[8u], 136u, true);
            metal::simdgroup_float8x8 _e796 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_1_, b1_0_, _e796);
            metal::simdgroup_float8x8 _e798 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_1_, b1_0_, _e798);
            metal::simdgroup_half8x8 b1_1_ = NagaCooperativeLoad(&tile.inner[1096u], 136u, true);
            metal::simdgroup_float8x8 _e805 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_1_, b1_1_, _e805);
            metal::simdgroup_float8x8 _e807 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_1_, b1_1_, _e807);
            metal::simdgroup_half8x8 b1_2_ = NagaCooperativeLoad(&tile.inner[2184u], 136u, true);
            metal::simdgroup_float8x8 _e814 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_1_, b1_2_, _e814);
            metal::simdgroup_float8x8 _e816 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_1_, b1_2_, _e816);
            metal::simdgroup_half8x8 b1_3_ = NagaCooperativeLoad(&tile.inner[3272u], 136u, true);
            metal::simdgroup_float8x8 _e823 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_1_, b1_3_, _e823);
            metal::simdgroup_float8x8 _e825 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_1_, b1_3_, _e825);
            metal::simdgroup_half8x8 b2_0_ = NagaCooperativeLoad(&tile.inner[16u], 136u, true);
            metal::simdgroup_float8x8 _e832 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_2_, b2_0_, _e832);
            metal::simdgroup_float8x8 _e834 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_2_, b2_0_, _e834);
            metal::simdgroup_half8x8 b2_1_ = NagaCooperativeLoad(&tile.inner[1104u], 136u, true);
            metal::simdgroup_float8x8 _e841 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_2_, b2_1_, _e841);
            metal::simdgroup_float8x8 _e843 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_2_, b2_1_, _e843);
            metal::simdgroup_half8x8 b2_2_ = NagaCooperativeLoad(&tile.inner[2192u], 136u, true);
            metal::simdgroup_float8x8 _e850 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_2_, b2_2_, _e850);
            metal::simdgroup_float8x8 _e852 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_2_, b2_2_, _e852);
            metal::simdgroup_half8x8 b2_3_ = NagaCooperativeLoad(&tile.inner[3280u], 136u, true);
            metal::simdgroup_float8x8 _e859 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_2_, b2_3_, _e859);
            metal::simdgroup_float8x8 _e861 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_2_, b2_3_, _e861);
            metal::simdgroup_half8x8 b3_0_ = NagaCooperativeLoad(&tile.inner[24u], 136u, true);
            metal::simdgroup_float8x8 _e868 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_3_, b3_0_, _e868);
            metal::simdgroup_float8x8 _e870 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_3_, b3_0_, _e870);
            metal::simdgroup_half8x8 b3_1_ = NagaCooperativeLoad(&tile.inner[1112u], 136u, true);
            metal::simdgroup_float8x8 _e877 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_3_, b3_1_, _e877);
            metal::simdgroup_float8x8 _e879 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_3_, b3_1_, _e879);
            metal::simdgroup_half8x8 b3_2_ = NagaCooperativeLoad(&tile.inner[2200u], 136u, true);
            metal::simdgroup_float8x8 _e886 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_3_, b3_2_, _e886);
            metal::simdgroup_float8x8 _e888 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_3_, b3_2_, _e888);
            metal::simdgroup_half8x8 b3_3_ = NagaCooperativeLoad(&tile.inner[3288u], 136u, true);
            metal::simdgroup_float8x8 _e895 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_3_, b3_3_, _e895);
            metal::simdgroup_float8x8 _e897 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_3_, b3_3_, _e897);
            metal::simdgroup_half8x8 b4_0_ = NagaCooperativeLoad(&tile.inner[32u], 136u, true);
            metal::simdgroup_float8x8 _e904 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_4_, b4_0_, _e904);
            metal::simdgroup_float8x8 _e906 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_4_, b4_0_, _e906);
            metal::simdgroup_half8x8 b4_1_ = NagaCooperativeLoad(&tile.inner[1120u], 136u, true);
            metal::simdgroup_float8x8 _e913 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_4_, b4_1_, _e913);
            metal::simdgroup_float8x8 _e915 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_4_, b4_1_, _e915);
            metal::simdgroup_half8x8 b4_2_ = NagaCooperativeLoad(&tile.inner[2208u], 136u, true);
            metal::simdgroup_float8x8 _e922 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_4_, b4_2_, _e922);
            metal::simdgroup_float8x8 _e924 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_4_, b4_2_, _e924);
            metal::simdgroup_half8x8 b4_3_ = NagaCooperativeLoad(&tile.inner[3296u], 136u, true);
            metal::simdgroup_float8x8 _e931 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_4_, b4_3_, _e931);
            metal::simdgroup_float8x8 _e933 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_4_, b4_3_, _e933);
            metal::simdgroup_half8x8 b5_0_ = NagaCooperativeLoad(&tile.inner[40u], 136u, true);
            metal::simdgroup_float8x8 _e940 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_5_, b5_0_, _e940);
            metal::simdgroup_float8x8 _e942 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_5_, b5_0_, _e942);
            metal::simdgroup_half8x8 b5_1_ = NagaCooperativeLoad(&tile.inner[1128u], 136u, true);
            metal::simdgroup_float8x8 _e949 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_5_, b5_1_, _e949);
            metal::simdgroup_float8x8 _e951 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_5_, b5_1_, _e951);
            metal::simdgroup_half8x8 b5_2_ = NagaCooperativeLoad(&tile.inner[2216u], 136u, true);
            metal::simdgroup_float8x8 _e958 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_5_, b5_2_, _e958);
            metal::simdgroup_float8x8 _e960 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_5_, b5_2_, _e960);
            metal::simdgroup_half8x8 b5_3_ = NagaCooperativeLoad(&tile.inner[3304u], 136u, true);
            metal::simdgroup_float8x8 _e967 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_5_, b5_3_, _e967);
            metal::simdgroup_float8x8 _e969 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_5_, b5_3_, _e969);
            metal::simdgroup_half8x8 b6_0_ = NagaCooperativeLoad(&tile.inner[48u], 136u, true);
            metal::simdgroup_float8x8 _e976 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_6_, b6_0_, _e976);
            metal::simdgroup_float8x8 _e978 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_6_, b6_0_, _e978);
            metal::simdgroup_half8x8 b6_1_ = NagaCooperativeLoad(&tile.inner[1136u], 136u, true);
            metal::simdgroup_float8x8 _e985 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_6_, b6_1_, _e985);
            metal::simdgroup_float8x8 _e987 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_6_, b6_1_, _e987);
            metal::simdgroup_half8x8 b6_2_ = NagaCooperativeLoad(&tile.inner[2224u], 136u, true);
            metal::simdgroup_float8x8 _e994 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_6_, b6_2_, _e994);
            metal::simdgroup_float8x8 _e996 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_6_, b6_2_, _e996);
            metal::simdgroup_half8x8 b6_3_ = NagaCooperativeLoad(&tile.inner[3312u], 136u, true);
            metal::simdgroup_float8x8 _e1003 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_6_, b6_3_, _e1003);
            metal::simdgroup_float8x8 _e1005 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_6_, b6_3_, _e1005);
            metal::simdgroup_half8x8 b7_0_ = NagaCooperativeLoad(&tile.inner[56u], 136u, true);
            metal::simdgroup_float8x8 _e1012 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_7_, b7_0_, _e1012);
            metal::simdgroup_float8x8 _e1014 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_7_, b7_0_, _e1014);
            metal::simdgroup_half8x8 b7_1_ = NagaCooperativeLoad(&tile.inner[1144u], 136u, true);
            metal::simdgroup_float8x8 _e1021 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_7_, b7_1_, _e1021);
            metal::simdgroup_float8x8 _e1023 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_7_, b7_1_, _e1023);
            metal::simdgroup_half8x8 b7_2_ = NagaCooperativeLoad(&tile.inner[2232u], 136u, true);
            metal::simdgroup_float8x8 _e1030 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_7_, b7_2_, _e1030);
            metal::simdgroup_float8x8 _e1032 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_7_, b7_2_, _e1032);
            metal::simdgroup_half8x8 b7_3_ = NagaCooperativeLoad(&tile.inner[3320u], 136u, true);
            metal::simdgroup_float8x8 _e1039 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_7_, b7_3_, _e1039);
            metal::simdgroup_float8x8 _e1041 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_7_, b7_3_, _e1041);
            metal::simdgroup_half8x8 b8_0_ = NagaCooperativeLoad(&tile.inner[64u], 136u, true);
            metal::simdgroup_float8x8 _e1048 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_8_, b8_0_, _e1048);
            metal::simdgroup_float8x8 _e1050 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_8_, b8_0_, _e1050);
            metal::simdgroup_half8x8 b8_1_ = NagaCooperativeLoad(&tile.inner[1152u], 136u, true);
            metal::simdgroup_float8x8 _e1057 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_8_, b8_1_, _e1057);
            metal::simdgroup_float8x8 _e1059 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_8_, b8_1_, _e1059);
            metal::simdgroup_half8x8 b8_2_ = NagaCooperativeLoad(&tile.inner[2240u], 136u, true);
            metal::simdgroup_float8x8 _e1066 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_8_, b8_2_, _e1066);
            metal::simdgroup_float8x8 _e1068 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_8_, b8_2_, _e1068);
            metal::simdgroup_half8x8 b8_3_ = NagaCooperativeLoad(&tile.inner[3328u], 136u, true);
            metal::simdgroup_float8x8 _e1075 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_8_, b8_3_, _e1075);
            metal::simdgroup_float8x8 _e1077 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_8_, b8_3_, _e1077);
            metal::simdgroup_half8x8 b9_0_ = NagaCooperativeLoad(&tile.inner[72u], 136u, true);
            metal::simdgroup_float8x8 _e1084 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_9_, b9_0_, _e1084);
            metal::simdgroup_float8x8 _e1086 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_9_, b9_0_, _e1086);
            metal::simdgroup_half8x8 b9_1_ = NagaCooperativeLoad(&tile.inner[1160u], 136u, true);
            metal::simdgroup_float8x8 _e1093 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_9_, b9_1_, _e1093);
            metal::simdgroup_float8x8 _e1095 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_9_, b9_1_, _e1095);
            metal::simdgroup_half8x8 b9_2_ = NagaCooperativeLoad(&tile.inner[2248u], 136u, true);
            metal::simdgroup_float8x8 _e1102 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_9_, b9_2_, _e1102);
            metal::simdgroup_float8x8 _e1104 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_9_, b9_2_, _e1104);
            metal::simdgroup_half8x8 b9_3_ = NagaCooperativeLoad(&tile.inner[3336u], 136u, true);
            metal::simdgroup_float8x8 _e1111 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_9_, b9_3_, _e1111);
            metal::simdgroup_float8x8 _e1113 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_9_, b9_3_, _e1113);
            metal::simdgroup_half8x8 b10_0_ = NagaCooperativeLoad(&tile.inner[80u], 136u, true);
            metal::simdgroup_float8x8 _e1120 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_10_, b10_0_, _e1120);
            metal::simdgroup_float8x8 _e1122 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_10_, b10_0_, _e1122);
            metal::simdgroup_half8x8 b10_1_ = NagaCooperativeLoad(&tile.inner[1168u], 136u, true);
            metal::simdgroup_float8x8 _e1129 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_10_, b10_1_, _e1129);
            metal::simdgroup_float8x8 _e1131 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_10_, b10_1_, _e1131);
            metal::simdgroup_half8x8 b10_2_ = NagaCooperativeLoad(&tile.inner[2256u], 136u, true);
            metal::simdgroup_float8x8 _e1138 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_10_, b10_2_, _e1138);
            metal::simdgroup_float8x8 _e1140 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_10_, b10_2_, _e1140);
            metal::simdgroup_half8x8 b10_3_ = NagaCooperativeLoad(&tile.inner[3344u], 136u, true);
            metal::simdgroup_float8x8 _e1147 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_10_, b10_3_, _e1147);
            metal::simdgroup_float8x8 _e1149 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_10_, b10_3_, _e1149);
            metal::simdgroup_half8x8 b11_0_ = NagaCooperativeLoad(&tile.inner[88u], 136u, true);
            metal::simdgroup_float8x8 _e1156 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_11_, b11_0_, _e1156);
            metal::simdgroup_float8x8 _e1158 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_11_, b11_0_, _e1158);
            metal::simdgroup_half8x8 b11_1_ = NagaCooperativeLoad(&tile.inner[1176u], 136u, true);
            metal::simdgroup_float8x8 _e1165 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_11_, b11_1_, _e1165);
            metal::simdgroup_float8x8 _e1167 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_11_, b11_1_, _e1167);
            metal::simdgroup_half8x8 b11_2_ = NagaCooperativeLoad(&tile.inner[2264u], 136u, true);
            metal::simdgroup_float8x8 _e1174 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_11_, b11_2_, _e1174);
            metal::simdgroup_float8x8 _e1176 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_11_, b11_2_, _e1176);
            metal::simdgroup_half8x8 b11_3_ = NagaCooperativeLoad(&tile.inner[3352u], 136u, true);
            metal::simdgroup_float8x8 _e1183 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_11_, b11_3_, _e1183);
            metal::simdgroup_float8x8 _e1185 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_11_, b11_3_, _e1185);
            metal::simdgroup_half8x8 b12_0_ = NagaCooperativeLoad(&tile.inner[96u], 136u, true);
            metal::simdgroup_float8x8 _e1192 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_12_, b12_0_, _e1192);
            metal::simdgroup_float8x8 _e1194 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_12_, b12_0_, _e1194);
            metal::simdgroup_half8x8 b12_1_ = NagaCooperativeLoad(&tile.inner[1184u], 136u, true);
            metal::simdgroup_float8x8 _e1201 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_12_, b12_1_, _e1201);
            metal::simdgroup_float8x8 _e1203 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_12_, b12_1_, _e1203);
            metal::simdgroup_half8x8 b12_2_ = NagaCooperativeLoad(&tile.inner[2272u], 136u, true);
            metal::simdgroup_float8x8 _e1210 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_12_, b12_2_, _e1210);
            metal::simdgroup_float8x8 _e1212 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_12_, b12_2_, _e1212);
            metal::simdgroup_half8x8 b12_3_ = NagaCooperativeLoad(&tile.inner[3360u], 136u, true);
            metal::simdgroup_float8x8 _e1219 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_12_, b12_3_, _e1219);
            metal::simdgroup_float8x8 _e1221 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_12_, b12_3_, _e1221);
            metal::simdgroup_half8x8 b13_0_ = NagaCooperativeLoad(&tile.inner[104u], 136u, true);
            metal::simdgroup_float8x8 _e1228 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_13_, b13_0_, _e1228);
            metal::simdgroup_float8x8 _e1230 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_13_, b13_0_, _e1230);
            metal::simdgroup_half8x8 b13_1_ = NagaCooperativeLoad(&tile.inner[1192u], 136u, true);
            metal::simdgroup_float8x8 _e1237 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_13_, b13_1_, _e1237);
            metal::simdgroup_float8x8 _e1239 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_13_, b13_1_, _e1239);
            metal::simdgroup_half8x8 b13_2_ = NagaCooperativeLoad(&tile.inner[2280u], 136u, true);
            metal::simdgroup_float8x8 _e1246 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_13_, b13_2_, _e1246);
            metal::simdgroup_float8x8 _e1248 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_13_, b13_2_, _e1248);
            metal::simdgroup_half8x8 b13_3_ = NagaCooperativeLoad(&tile.inner[3368u], 136u, true);
            metal::simdgroup_float8x8 _e1255 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_13_, b13_3_, _e1255);
            metal::simdgroup_float8x8 _e1257 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_13_, b13_3_, _e1257);
            metal::simdgroup_half8x8 b14_0_ = NagaCooperativeLoad(&tile.inner[112u], 136u, true);
            metal::simdgroup_float8x8 _e1264 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_14_, b14_0_, _e1264);
            metal::simdgroup_float8x8 _e1266 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_14_, b14_0_, _e1266);
            metal::simdgroup_half8x8 b14_1_ = NagaCooperativeLoad(&tile.inner[1200u], 136u, true);
            metal::simdgroup_float8x8 _e1273 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_14_, b14_1_, _e1273);
            metal::simdgroup_float8x8 _e1275 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_14_, b14_1_, _e1275);
            metal::simdgroup_half8x8 b14_2_ = NagaCooperativeLoad(&tile.inner[2288u], 136u, true);
            metal::simdgroup_float8x8 _e1282 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_14_, b14_2_, _e1282);
            metal::simdgroup_float8x8 _e1284 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_14_, b14_2_, _e1284);
            metal::simdgroup_half8x8 b14_3_ = NagaCooperativeLoad(&tile.inner[3376u], 136u, true);
            metal::simdgroup_float8x8 _e1291 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_14_, b14_3_, _e1291);
            metal::simdgroup_float8x8 _e1293 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_14_, b14_3_, _e1293);
            metal::simdgroup_half8x8 b15_0_ = NagaCooperativeLoad(&tile.inner[120u], 136u, true);
            metal::simdgroup_float8x8 _e1300 = a0_0_;
            a0_0_ = NagaCooperativeMultiplyAdd(q0_15_, b15_0_, _e1300);
            metal::simdgroup_float8x8 _e1302 = a1_0_;
            a1_0_ = NagaCooperativeMultiplyAdd(q1_15_, b15_0_, _e1302);
            metal::simdgroup_half8x8 b15_1_ = NagaCooperativeLoad(&tile.inner[1208u], 136u, true);
            metal::simdgroup_float8x8 _e1309 = a0_1_;
            a0_1_ = NagaCooperativeMultiplyAdd(q0_15_, b15_1_, _e1309);
            metal::simdgroup_float8x8 _e1311 = a1_1_;
            a1_1_ = NagaCooperativeMultiplyAdd(q1_15_, b15_1_, _e1311);
            metal::simdgroup_half8x8 b15_2_ = NagaCooperativeLoad(&tile.inner[2296u], 136u, true);
            metal::simdgroup_float8x8 _e1318 = a0_2_;
            a0_2_ = NagaCooperativeMultiplyAdd(q0_15_, b15_2_, _e1318);
            metal::simdgroup_float8x8 _e1320 = a1_2_;
            a1_2_ = NagaCooperativeMultiplyAdd(q1_15_, b15_2_, _e1320);
            metal::simdgroup_half8x8 b15_3_ = NagaCooperativeLoad(&tile.inner[3384u], 136u, true);
            metal::simdgroup_float8x8 _e1327 = a0_3_;
            a0_3_ = NagaCooperativeMultiplyAdd(q0_15_, b15_3_, _e1327);
            metal::simdgroup_float8x8 _e1329 = a1_3_;
            a1_3_ = NagaCooperativeMultiplyAdd(q1_15_, b15_3_, _e1329);
            uint sa0_0_ = (top0_ * SS) + 0u;
            metal::simdgroup_float8x8 _e1335 = a0_0_;
            simdgroup_store(_e1335, &scores.inner[sa0_0_], SS);
            uint sa0_1_ = (top0_ * SS) + 8u;
            metal::simdgroup_float8x8 _e1343 = a0_1_;
            simdgroup_store(_e1343, &scores.inner[sa0_1_], SS);
            uint sa0_2_ = (top0_ * SS) + 16u;
            metal::simdgroup_float8x8 _e1351 = a0_2_;
            simdgroup_store(_e1351, &scores.inner[sa0_2_], SS);
            uint sa0_3_ = (top0_ * SS) + 24u;
            metal::simdgroup_float8x8 _e1359 = a0_3_;
            simdgroup_store(_e1359, &scores.inner[sa0_3_], SS);
            uint sa1_0_ = (top1_ * SS) + 0u;
            metal::simdgroup_float8x8 _e1367 = a1_0_;
            simdgroup_store(_e1367, &scores.inner[sa1_0_], SS);
            uint sa1_1_ = (top1_ * SS) + 8u;
            metal::simdgroup_float8x8 _e1375 = a1_1_;
            simdgroup_store(_e1375, &scores.inner[sa1_1_], SS);
            uint sa1_2_ = (top1_ * SS) + 16u;
            metal::simdgroup_float8x8 _e1383 = a1_2_;
            simdgroup_store(_e1383, &scores.inner[sa1_2_], SS);
            uint sa1_3_ = (top1_ * SS) + 24u;
            metal::simdgroup_float8x8 _e1391 = a1_3_;
            simdgroup_store(_e1391, &scores.inner[sa1_3_], SS);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e1395 = k0_;
            uint from_key = _e1395 + (half_ * 16u);
            uint upto = metal::min(end_1, _e189);
            most = -1000000000000000000000000000000.0;
            metal::uint4 key0_ = metal::uint4(from_key + 0u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen0_ = (key0_ < metal::uint4(upto)) & (key0_ >= metal::uint4(_e184));
            uint at0_ = mine + 0u;
            float _e1420 = scores.inner[at0_];
            float _e1425 = scores.inner[at0_ + 1u];
            float _e1430 = scores.inner[at0_ + 2u];
            float _e1435 = scores.inner[at0_ + 3u];
            metal::float4 s0_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e1420, _e1425, _e1430, _e1435), seen0_);
            float _e1440 = most;
            most = metal::max(_e1440, metal::max(metal::max(s0_.x, s0_.y), metal::max(s0_.z, s0_.w)));
            metal::uint4 key1_ = metal::uint4(from_key + 4u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen1_ = (key1_ < metal::uint4(upto)) & (key1_ >= metal::uint4(_e184));
            uint at1_ = mine + 4u;
            float _e1467 = scores.inner[at1_];
            float _e1472 = scores.inner[at1_ + 1u];
            float _e1477 = scores.inner[at1_ + 2u];
            float _e1482 = scores.inner[at1_ + 3u];
            metal::float4 s1_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e1467, _e1472, _e1477, _e1482), seen1_);
            float _e1487 = most;
            most = metal::max(_e1487, metal::max(metal::max(s1_.x, s1_.y), metal::max(s1_.z, s1_.w)));
            metal::uint4 key2_ = metal::uint4(from_key + 8u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen2_ = (key2_ < metal::uint4(upto)) & (key2_ >= metal::uint4(_e184));
            uint at2_ = mine + 8u;
            float _e1514 = scores.inner[at2_];
            float _e1519 = scores.inner[at2_ + 1u];
            float _e1524 = scores.inner[at2_ + 2u];
            float _e1529 = scores.inner[at2_ + 3u];
            metal::float4 s2_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e1514, _e1519, _e1524, _e1529), seen2_);
            float _e1534 = most;
            most = metal::max(_e1534, metal::max(metal::max(s2_.x, s2_.y), metal::max(s2_.z, s2_.w)));
            metal::uint4 key3_ = metal::uint4(from_key + 12u) + metal::uint4(0u, 1u, 2u, 3u);
            metal::bool4 seen3_ = (key3_ < metal::uint4(upto)) & (key3_ >= metal::uint4(_e184));
            uint at3_ = mine + 12u;
            float _e1561 = scores.inner[at3_];
            float _e1566 = scores.inner[at3_ + 1u];
            float _e1571 = scores.inner[at3_ + 2u];
            float _e1576 = scores.inner[at3_ + 3u];
            metal::float4 s3_ = metal::select(metal::float4(-1000000000000000000000000000000.0), metal::float4(_e1561, _e1566, _e1571, _e1576), seen3_);
            float _e1581 = most;
            most = metal::max(_e1581, metal::max(metal::max(s3_.x, s3_.y), metal::max(s3_.z, s3_.w)));
            float _e1590 = most;
            float _e1591 = most;
            float unnamed = metal::simd_shuffle_xor(_e1591, 1u);
            most = metal::max(_e1590, unnamed);
            float _e1595 = most;
            float _e1596 = reference;
            if (_e1595 > (_e1596 + 8.0)) {
                raised = metal::uint4(1u);
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::uint4 unnamed_1 = raised;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (unnamed_1.x != 0u) {
                float _e1608 = reference;
                float _e1609 = most;
                float next = metal::max(_e1608, _e1609);
                float _e1611 = reference;
                float shrink = metal::exp(_e1611 - next);
                float _e1614 = total;
                total = _e1614 * shrink;
                reference = next;
                if (me == 0u) {
                    raised = metal::uint4(0u);
                }
                uint oa0_0_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1623 = o0_0_;
                simdgroup_store(_e1623, &scores.inner[oa0_0_], SS);
                uint oa1_0_ = top1_ * SS;
                metal::simdgroup_float8x8 _e1629 = o1_0_;
                simdgroup_store(_e1629, &scores.inner[oa1_0_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e = 0u;
                uint2 loop_bound_4 = uint2(4294967295u);
                bool loop_init_4 = true;
                while(true) {
                    if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                    loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                    if (!loop_init_4) {
                        uint _e1645 = e;
                        e = _e1645 + 1u;
                    }
                    loop_init_4 = false;
                    uint _e1635 = e;
                    if (_e1635 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1639 = e;
                        float _e1642 = scores.inner[scaled + _e1639];
                        scores.inner[scaled + _e1639] = _e1642 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_0_ = NagaCooperativeLoad(&scores.inner[oa0_0_], SS, false);
                o1_0_ = NagaCooperativeLoad(&scores.inner[oa1_0_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_1_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1657 = o0_1_;
                simdgroup_store(_e1657, &scores.inner[oa0_1_], SS);
                uint oa1_1_ = top1_ * SS;
                metal::simdgroup_float8x8 _e1663 = o1_1_;
                simdgroup_store(_e1663, &scores.inner[oa1_1_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_1 = 0u;
                uint2 loop_bound_5 = uint2(4294967295u);
                bool loop_init_5 = true;
                while(true) {
                    if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                    loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                    if (!loop_init_5) {
                        uint _e1679 = e_1;
                        e_1 = _e1679 + 1u;
                    }
                    loop_init_5 = false;
                    uint _e1669 = e_1;
                    if (_e1669 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1673 = e_1;
                        float _e1676 = scores.inner[scaled + _e1673];
                        scores.inner[scaled + _e1673] = _e1676 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_1_ = NagaCooperativeLoad(&scores.inner[oa0_1_], SS, false);
                o1_1_ = NagaCooperativeLoad(&scores.inner[oa1_1_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_2_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1691 = o0_2_;
                simdgroup_store(_e1691, &scores.inner[oa0_2_], SS);
                uint oa1_2_ = top1_ * SS;
                metal::simdgroup_float8x8 _e1697 = o1_2_;
                simdgroup_store(_e1697, &scores.inner[oa1_2_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_2 = 0u;
                uint2 loop_bound_6 = uint2(4294967295u);
                bool loop_init_6 = true;
                while(true) {
                    if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                    loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                    if (!loop_init_6) {
                        uint _e1713 = e_2;
                        e_2 = _e1713 + 1u;
                    }
                    loop_init_6 = false;
                    uint _e1703 = e_2;
                    if (_e1703 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1707 = e_2;
                        float _e1710 = scores.inner[scaled + _e1707];
                        scores.inner[scaled + _e1707] = _e1710 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_2_ = NagaCooperativeLoad(&scores.inner[oa0_2_], SS, false);
                o1_2_ = NagaCooperativeLoad(&scores.inner[oa1_2_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_3_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1725 = o0_3_;
                simdgroup_store(_e1725, &scores.inner[oa0_3_], SS);
                uint oa1_3_ = top1_ * SS;
                metal::simdgroup_float8x8 _e1731 = o1_3_;
                simdgroup_store(_e1731, &scores.inner[oa1_3_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_3 = 0u;
                uint2 loop_bound_7 = uint2(4294967295u);
                bool loop_init_7 = true;
                while(true) {
                    if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                    loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                    if (!loop_init_7) {
                        uint _e1747 = e_3;
                        e_3 = _e1747 + 1u;
                    }
                    loop_init_7 = false;
                    uint _e1737 = e_3;
                    if (_e1737 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1741 = e_3;
                        float _e1744 = scores.inner[scaled + _e1741];
                        scores.inner[scaled + _e1741] = _e1744 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_3_ = NagaCooperativeLoad(&scores.inner[oa0_3_], SS, false);
                o1_3_ = NagaCooperativeLoad(&scores.inner[oa1_3_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_4_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1759 = o0_4_;
                simdgroup_store(_e1759, &scores.inner[oa0_4_], SS);
                uint oa1_4_ = top1_ * SS;
                metal::simdgroup_float8x8 _e1765 = o1_4_;
                simdgroup_store(_e1765, &scores.inner[oa1_4_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_4 = 0u;
                uint2 loop_bound_8 = uint2(4294967295u);
                bool loop_init_8 = true;
                while(true) {
                    if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                    loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                    if (!loop_init_8) {
                        uint _e1781 = e_4;
                        e_4 = _e1781 + 1u;
                    }
                    loop_init_8 = false;
                    uint _e1771 = e_4;
                    if (_e1771 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1775 = e_4;
                        float _e1778 = scores.inner[scaled + _e1775];
                        scores.inner[scaled + _e1775] = _e1778 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_4_ = NagaCooperativeLoad(&scores.inner[oa0_4_], SS, false);
                o1_4_ = NagaCooperativeLoad(&scores.inner[oa1_4_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_5_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1793 = o0_5_;
                simdgroup_store(_e1793, &scores.inner[oa0_5_], SS);
                uint oa1_5_ = top1_ * SS;
                metal::simdgroup_float8x8 _e1799 = o1_5_;
                simdgroup_store(_e1799, &scores.inner[oa1_5_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_5 = 0u;
                uint2 loop_bound_9 = uint2(4294967295u);
                bool loop_init_9 = true;
                while(true) {
                    if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                    loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                    if (!loop_init_9) {
                        uint _e1815 = e_5;
                        e_5 = _e1815 + 1u;
                    }
                    loop_init_9 = false;
                    uint _e1805 = e_5;
                    if (_e1805 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1809 = e_5;
                        float _e1812 = scores.inner[scaled + _e1809];
                        scores.inner[scaled + _e1809] = _e1812 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_5_ = NagaCooperativeLoad(&scores.inner[oa0_5_], SS, false);
                o1_5_ = NagaCooperativeLoad(&scores.inner[oa1_5_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_6_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1827 = o0_6_;
                simdgroup_store(_e1827, &scores.inner[oa0_6_], SS);
                uint oa1_6_ = top1_ * SS;
                metal::simdgroup_float8x8 _e1833 = o1_6_;
                simdgroup_store(_e1833, &scores.inner[oa1_6_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_6 = 0u;
                uint2 loop_bound_10 = uint2(4294967295u);
                bool loop_init_10 = true;
                while(true) {
                    if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                    loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                    if (!loop_init_10) {
                        uint _e1849 = e_6;
                        e_6 = _e1849 + 1u;
                    }
                    loop_init_10 = false;
                    uint _e1839 = e_6;
                    if (_e1839 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1843 = e_6;
                        float _e1846 = scores.inner[scaled + _e1843];
                        scores.inner[scaled + _e1843] = _e1846 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_6_ = NagaCooperativeLoad(&scores.inner[oa0_6_], SS, false);
                o1_6_ = NagaCooperativeLoad(&scores.inner[oa1_6_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_7_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1861 = o0_7_;
                simdgroup_store(_e1861, &scores.inner[oa0_7_], SS);
                uint oa1_7_ = top1_ * SS;
                metal::simdgroup_float8x8 _e1867 = o1_7_;
                simdgroup_store(_e1867, &scores.inner[oa1_7_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_7 = 0u;
                uint2 loop_bound_11 = uint2(4294967295u);
                bool loop_init_11 = true;
                while(true) {
                    if (metal::all(loop_bound_11 == uint2(0u))) { break; }
                    loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
                    if (!loop_init_11) {
                        uint _e1883 = e_7;
                        e_7 = _e1883 + 1u;
                    }
                    loop_init_11 = false;
                    uint _e1873 = e_7;
                    if (_e1873 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1877 = e_7;
                        float _e1880 = scores.inner[scaled + _e1877];
                        scores.inner[scaled + _e1877] = _e1880 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_7_ = NagaCooperativeLoad(&scores.inner[oa0_7_], SS, false);
                o1_7_ = NagaCooperativeLoad(&scores.inner[oa1_7_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_8_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1895 = o0_8_;
                simdgroup_store(_e1895, &scores.inner[oa0_8_], SS);
                uint oa1_8_ = top1_ * SS;
                metal::simdgroup_float8x8 _e1901 = o1_8_;
                simdgroup_store(_e1901, &scores.inner[oa1_8_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_8 = 0u;
                uint2 loop_bound_12 = uint2(4294967295u);
                bool loop_init_12 = true;
                while(true) {
                    if (metal::all(loop_bound_12 == uint2(0u))) { break; }
                    loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
                    if (!loop_init_12) {
                        uint _e1917 = e_8;
                        e_8 = _e1917 + 1u;
                    }
                    loop_init_12 = false;
                    uint _e1907 = e_8;
                    if (_e1907 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1911 = e_8;
                        float _e1914 = scores.inner[scaled + _e1911];
                        scores.inner[scaled + _e1911] = _e1914 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_8_ = NagaCooperativeLoad(&scores.inner[oa0_8_], SS, false);
                o1_8_ = NagaCooperativeLoad(&scores.inner[oa1_8_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_9_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1929 = o0_9_;
                simdgroup_store(_e1929, &scores.inner[oa0_9_], SS);
                uint oa1_9_ = top1_ * SS;
                metal::simdgroup_float8x8 _e1935 = o1_9_;
                simdgroup_store(_e1935, &scores.inner[oa1_9_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_9 = 0u;
                uint2 loop_bound_13 = uint2(4294967295u);
                bool loop_init_13 = true;
                while(true) {
                    if (metal::all(loop_bound_13 == uint2(0u))) { break; }
                    loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
                    if (!loop_init_13) {
                        uint _e1951 = e_9;
                        e_9 = _e1951 + 1u;
                    }
                    loop_init_13 = false;
                    uint _e1941 = e_9;
                    if (_e1941 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1945 = e_9;
                        float _e1948 = scores.inner[scaled + _e1945];
                        scores.inner[scaled + _e1945] = _e1948 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_9_ = NagaCooperativeLoad(&scores.inner[oa0_9_], SS, false);
                o1_9_ = NagaCooperativeLoad(&scores.inner[oa1_9_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_10_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1963 = o0_10_;
                simdgroup_store(_e1963, &scores.inner[oa0_10_], SS);
                uint oa1_10_ = top1_ * SS;
                metal::simdgroup_float8x8 _e1969 = o1_10_;
                simdgroup_store(_e1969, &scores.inner[oa1_10_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_10 = 0u;
                uint2 loop_bound_14 = uint2(4294967295u);
                bool loop_init_14 = true;
                while(true) {
                    if (metal::all(loop_bound_14 == uint2(0u))) { break; }
                    loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
                    if (!loop_init_14) {
                        uint _e1985 = e_10;
                        e_10 = _e1985 + 1u;
                    }
                    loop_init_14 = false;
                    uint _e1975 = e_10;
                    if (_e1975 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e1979 = e_10;
                        float _e1982 = scores.inner[scaled + _e1979];
                        scores.inner[scaled + _e1979] = _e1982 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_10_ = NagaCooperativeLoad(&scores.inner[oa0_10_], SS, false);
                o1_10_ = NagaCooperativeLoad(&scores.inner[oa1_10_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_11_ = top0_ * SS;
                metal::simdgroup_float8x8 _e1997 = o0_11_;
                simdgroup_store(_e1997, &scores.inner[oa0_11_], SS);
                uint oa1_11_ = top1_ * SS;
                metal::simdgroup_float8x8 _e2003 = o1_11_;
                simdgroup_store(_e2003, &scores.inner[oa1_11_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_11 = 0u;
                uint2 loop_bound_15 = uint2(4294967295u);
                bool loop_init_15 = true;
                while(true) {
                    if (metal::all(loop_bound_15 == uint2(0u))) { break; }
                    loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
                    if (!loop_init_15) {
                        uint _e2019 = e_11;
                        e_11 = _e2019 + 1u;
                    }
                    loop_init_15 = false;
                    uint _e2009 = e_11;
                    if (_e2009 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e2013 = e_11;
                        float _e2016 = scores.inner[scaled + _e2013];
                        scores.inner[scaled + _e2013] = _e2016 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_11_ = NagaCooperativeLoad(&scores.inner[oa0_11_], SS, false);
                o1_11_ = NagaCooperativeLoad(&scores.inner[oa1_11_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_12_ = top0_ * SS;
                metal::simdgroup_float8x8 _e2031 = o0_12_;
                simdgroup_store(_e2031, &scores.inner[oa0_12_], SS);
                uint oa1_12_ = top1_ * SS;
                metal::simdgroup_float8x8 _e2037 = o1_12_;
                simdgroup_store(_e2037, &scores.inner[oa1_12_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_12 = 0u;
                uint2 loop_bound_16 = uint2(4294967295u);
                bool loop_init_16 = true;
                while(true) {
                    if (metal::all(loop_bound_16 == uint2(0u))) { break; }
                    loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
                    if (!loop_init_16) {
                        uint _e2053 = e_12;
                        e_12 = _e2053 + 1u;
                    }
                    loop_init_16 = false;
                    uint _e2043 = e_12;
                    if (_e2043 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e2047 = e_12;
                        float _e2050 = scores.inner[scaled + _e2047];
                        scores.inner[scaled + _e2047] = _e2050 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_12_ = NagaCooperativeLoad(&scores.inner[oa0_12_], SS, false);
                o1_12_ = NagaCooperativeLoad(&scores.inner[oa1_12_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_13_ = top0_ * SS;
                metal::simdgroup_float8x8 _e2065 = o0_13_;
                simdgroup_store(_e2065, &scores.inner[oa0_13_], SS);
                uint oa1_13_ = top1_ * SS;
                metal::simdgroup_float8x8 _e2071 = o1_13_;
                simdgroup_store(_e2071, &scores.inner[oa1_13_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_13 = 0u;
                uint2 loop_bound_17 = uint2(4294967295u);
                bool loop_init_17 = true;
                while(true) {
                    if (metal::all(loop_bound_17 == uint2(0u))) { break; }
                    loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
                    if (!loop_init_17) {
                        uint _e2087 = e_13;
                        e_13 = _e2087 + 1u;
                    }
                    loop_init_17 = false;
                    uint _e2077 = e_13;
                    if (_e2077 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e2081 = e_13;
                        float _e2084 = scores.inner[scaled + _e2081];
                        scores.inner[scaled + _e2081] = _e2084 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_13_ = NagaCooperativeLoad(&scores.inner[oa0_13_], SS, false);
                o1_13_ = NagaCooperativeLoad(&scores.inner[oa1_13_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_14_ = top0_ * SS;
                metal::simdgroup_float8x8 _e2099 = o0_14_;
                simdgroup_store(_e2099, &scores.inner[oa0_14_], SS);
                uint oa1_14_ = top1_ * SS;
                metal::simdgroup_float8x8 _e2105 = o1_14_;
                simdgroup_store(_e2105, &scores.inner[oa1_14_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_14 = 0u;
                uint2 loop_bound_18 = uint2(4294967295u);
                bool loop_init_18 = true;
                while(true) {
                    if (metal::all(loop_bound_18 == uint2(0u))) { break; }
                    loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
                    if (!loop_init_18) {
                        uint _e2121 = e_14;
                        e_14 = _e2121 + 1u;
                    }
                    loop_init_18 = false;
                    uint _e2111 = e_14;
                    if (_e2111 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e2115 = e_14;
                        float _e2118 = scores.inner[scaled + _e2115];
                        scores.inner[scaled + _e2115] = _e2118 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_14_ = NagaCooperativeLoad(&scores.inner[oa0_14_], SS, false);
                o1_14_ = NagaCooperativeLoad(&scores.inner[oa1_14_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                uint oa0_15_ = top0_ * SS;
                metal::simdgroup_float8x8 _e2133 = o0_15_;
                simdgroup_store(_e2133, &scores.inner[oa0_15_], SS);
                uint oa1_15_ = top1_ * SS;
                metal::simdgroup_float8x8 _e2139 = o1_15_;
                simdgroup_store(_e2139, &scores.inner[oa1_15_], SS);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                e_15 = 0u;
                uint2 loop_bound_19 = uint2(4294967295u);
                bool loop_init_19 = true;
                while(true) {
                    if (metal::all(loop_bound_19 == uint2(0u))) { break; }
                    loop_bound_19 -= uint2(loop_bound_19.y == 0u, 1u);
                    if (!loop_init_19) {
                        uint _e2155 = e_15;
                        e_15 = _e2155 + 1u;
                    }
                    loop_init_19 = false;
                    uint _e2145 = e_15;
                    if (_e2145 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e2149 = e_15;
                        float _e2152 = scores.inner[scaled + _e2149];
                        scores.inner[scaled + _e2149] = _e2152 * shrink;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                o0_15_ = NagaCooperativeLoad(&scores.inner[oa0_15_], SS, false);
                o1_15_ = NagaCooperativeLoad(&scores.inner[oa1_15_], SS, false);
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            }
            float _e2165 = reference;
            metal::float4 w0_ = metal::select(metal::float4(0.0), metal::exp(s0_ - metal::float4(_e2165)), seen0_);
            float _e2172 = total;
            total = _e2172 + (((w0_.x + w0_.y) + w0_.z) + w0_.w);
            uint to0_1 = naga_div(((((subgroup * 16u) + token) * PS) + (half_ * 16u)) + 0u, ELEMENT);
            shares.inner[to0_1 + 0u] = static_cast<half>(w0_.x);
            shares.inner[to0_1 + 1u] = static_cast<half>(w0_.y);
            shares.inner[to0_1 + 2u] = static_cast<half>(w0_.z);
            shares.inner[to0_1 + 3u] = static_cast<half>(w0_.w);
            float _e2217 = reference;
            metal::float4 w1_ = metal::select(metal::float4(0.0), metal::exp(s1_ - metal::float4(_e2217)), seen1_);
            float _e2224 = total;
            total = _e2224 + (((w1_.x + w1_.y) + w1_.z) + w1_.w);
            uint to1_1 = naga_div(((((subgroup * 16u) + token) * PS) + (half_ * 16u)) + 4u, ELEMENT);
            shares.inner[to1_1 + 0u] = static_cast<half>(w1_.x);
            shares.inner[to1_1 + 1u] = static_cast<half>(w1_.y);
            shares.inner[to1_1 + 2u] = static_cast<half>(w1_.z);
            shares.inner[to1_1 + 3u] = static_cast<half>(w1_.w);
            float _e2269 = reference;
            metal::float4 w2_ = metal::select(metal::float4(0.0), metal::exp(s2_ - metal::float4(_e2269)), seen2_);
            float _e2276 = total;
            total = _e2276 + (((w2_.x + w2_.y) + w2_.z) + w2_.w);
            uint to2_1 = naga_div(((((subgroup * 16u) + token) * PS) + (half_ * 16u)) + 8u, ELEMENT);
            shares.inner[to2_1 + 0u] = static_cast<half>(w2_.x);
            shares.inner[to2_1 + 1u] = static_cast<half>(w2_.y);
            shares.inner[to2_1 + 2u] = static_cast<half>(w2_.z);
            shares.inner[to2_1 + 3u] = static_cast<half>(w2_.w);
            float _e2321 = reference;
            metal::float4 w3_ = metal::select(metal::float4(0.0), metal::exp(s3_ - metal::float4(_e2321)), seen3_);
            float _e2328 = total;
            total = _e2328 + (((w3_.x + w3_.y) + w3_.z) + w3_.w);
            uint to3_1 = naga_div(((((subgroup * 16u) + token) * PS) + (half_ * 16u)) + 12u, ELEMENT);
            shares.inner[to3_1 + 0u] = static_cast<half>(w3_.x);
            shares.inner[to3_1 + 1u] = static_cast<half>(w3_.y);
            shares.inner[to3_1 + 2u] = static_cast<half>(w3_.z);
            shares.inner[to3_1 + 3u] = static_cast<half>(w3_.w);
            uint _e2376 = p.place.values;
            uint _e2380 = p.place.value_scales;
            uint _e2382 = k0_;
            load(_e2376, _e2380, 16u, _e2382, end_1, _e47, kv_head_1, me, step, cache, p, tile, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint wa0_0_ = naga_div((top0_ * PS) + 0u, ELEMENT);
            metal::simdgroup_half8x8 w0_0_ = NagaCooperativeLoad(&shares.inner[wa0_0_], 40u, false);
            uint wa1_0_ = naga_div((top1_ * PS) + 0u, ELEMENT);
            metal::simdgroup_half8x8 w1_0_ = NagaCooperativeLoad(&shares.inner[wa1_0_], 40u, false);
            uint wa0_1_ = naga_div((top0_ * PS) + 8u, ELEMENT);
            metal::simdgroup_half8x8 w0_1_ = NagaCooperativeLoad(&shares.inner[wa0_1_], 40u, false);
            uint wa1_1_ = naga_div((top1_ * PS) + 8u, ELEMENT);
            metal::simdgroup_half8x8 w1_1_ = NagaCooperativeLoad(&shares.inner[wa1_1_], 40u, false);
            uint wa0_2_ = naga_div((top0_ * PS) + 16u, ELEMENT);
            metal::simdgroup_half8x8 w0_2_ = NagaCooperativeLoad(&shares.inner[wa0_2_], 40u, false);
            uint wa1_2_ = naga_div((top1_ * PS) + 16u, ELEMENT);
            metal::simdgroup_half8x8 w1_2_ = NagaCooperativeLoad(&shares.inner[wa1_2_], 40u, false);
            uint wa0_3_ = naga_div((top0_ * PS) + 24u, ELEMENT);
            metal::simdgroup_half8x8 w0_3_ = NagaCooperativeLoad(&shares.inner[wa0_3_], 40u, false);
            uint wa1_3_ = naga_div((top1_ * PS) + 24u, ELEMENT);
            metal::simdgroup_half8x8 w1_3_ = NagaCooperativeLoad(&shares.inner[wa1_3_], 40u, false);
            metal::simdgroup_half8x8 v0_0_ = NagaCooperativeLoad(&tile.inner[0u], 136u, false);
            metal::simdgroup_float8x8 _e2468 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_0_, v0_0_, _e2468);
            metal::simdgroup_float8x8 _e2470 = o1_0_;
            o1_0_ = NagaCooperativeMultiplyAdd(w1_0_, v0_0_, _e2470);
            metal::simdgroup_half8x8 v0_1_ = NagaCooperativeLoad(&tile.inner[1088u], 136u, false);
            metal::simdgroup_float8x8 _e2477 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_1_, v0_1_, _e2477);
            metal::simdgroup_float8x8 _e2479 = o1_0_;
            o1_0_ = NagaCooperativeMultiplyAdd(w1_1_, v0_1_, _e2479);
            metal::simdgroup_half8x8 v0_2_ = NagaCooperativeLoad(&tile.inner[2176u], 136u, false);
            metal::simdgroup_float8x8 _e2486 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_2_, v0_2_, _e2486);
            metal::simdgroup_float8x8 _e2488 = o1_0_;
            o1_0_ = NagaCooperativeMultiplyAdd(w1_2_, v0_2_, _e2488);
            metal::simdgroup_half8x8 v0_3_ = NagaCooperativeLoad(&tile.inner[3264u], 136u, false);
            metal::simdgroup_float8x8 _e2495 = o0_0_;
            o0_0_ = NagaCooperativeMultiplyAdd(w0_3_, v0_3_, _e2495);
            metal::simdgroup_float8x8 _e2497 = o1_0_;
            o1_0_ = NagaCooperativeMultiplyAdd(w1_3_, v0_3_, _e2497);
            metal::simdgroup_half8x8 v1_0_ = NagaCooperativeLoad(&tile.inner[8u], 136u, false);
            metal::simdgroup_float8x8 _e2504 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_0_, v1_0_, _e2504);
            metal::simdgroup_float8x8 _e2506 = o1_1_;
            o1_1_ = NagaCooperativeMultiplyAdd(w1_0_, v1_0_, _e2506);
            metal::simdgroup_half8x8 v1_1_ = NagaCooperativeLoad(&tile.inner[1096u], 136u, false);
            metal::simdgroup_float8x8 _e2513 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_1_, v1_1_, _e2513);
            metal::simdgroup_float8x8 _e2515 = o1_1_;
            o1_1_ = NagaCooperativeMultiplyAdd(w1_1_, v1_1_, _e2515);
            metal::simdgroup_half8x8 v1_2_ = NagaCooperativeLoad(&tile.inner[2184u], 136u, false);
            metal::simdgroup_float8x8 _e2522 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_2_, v1_2_, _e2522);
            metal::simdgroup_float8x8 _e2524 = o1_1_;
            o1_1_ = NagaCooperativeMultiplyAdd(w1_2_, v1_2_, _e2524);
            metal::simdgroup_half8x8 v1_3_ = NagaCooperativeLoad(&tile.inner[3272u], 136u, false);
            metal::simdgroup_float8x8 _e2531 = o0_1_;
            o0_1_ = NagaCooperativeMultiplyAdd(w0_3_, v1_3_, _e2531);
            metal::simdgroup_float8x8 _e2533 = o1_1_;
            o1_1_ = NagaCooperativeMultiplyAdd(w1_3_, v1_3_, _e2533);
            metal::simdgroup_half8x8 v2_0_ = NagaCooperativeLoad(&tile.inner[16u], 136u, false);
            metal::simdgroup_float8x8 _e2540 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_0_, v2_0_, _e2540);
            metal::simdgroup_float8x8 _e2542 = o1_2_;
            o1_2_ = NagaCooperativeMultiplyAdd(w1_0_, v2_0_, _e2542);
            metal::simdgroup_half8x8 v2_1_ = NagaCooperativeLoad(&tile.inner[1104u], 136u, false);
            metal::simdgroup_float8x8 _e2549 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_1_, v2_1_, _e2549);
            metal::simdgroup_float8x8 _e2551 = o1_2_;
            o1_2_ = NagaCooperativeMultiplyAdd(w1_1_, v2_1_, _e2551);
            metal::simdgroup_half8x8 v2_2_ = NagaCooperativeLoad(&tile.inner[2192u], 136u, false);
            metal::simdgroup_float8x8 _e2558 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_2_, v2_2_, _e2558);
            metal::simdgroup_float8x8 _e2560 = o1_2_;
            o1_2_ = NagaCooperativeMultiplyAdd(w1_2_, v2_2_, _e2560);
            metal::simdgroup_half8x8 v2_3_ = NagaCooperativeLoad(&tile.inner[3280u], 136u, false);
            metal::simdgroup_float8x8 _e2567 = o0_2_;
            o0_2_ = NagaCooperativeMultiplyAdd(w0_3_, v2_3_, _e2567);
            metal::simdgroup_float8x8 _e2569 = o1_2_;
            o1_2_ = NagaCooperativeMultiplyAdd(w1_3_, v2_3_, _e2569);
            metal::simdgroup_half8x8 v3_0_ = NagaCooperativeLoad(&tile.inner[24u], 136u, false);
            metal::simdgroup_float8x8 _e2576 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_0_, v3_0_, _e2576);
            metal::simdgroup_float8x8 _e2578 = o1_3_;
            o1_3_ = NagaCooperativeMultiplyAdd(w1_0_, v3_0_, _e2578);
            metal::simdgroup_half8x8 v3_1_ = NagaCooperativeLoad(&tile.inner[1112u], 136u, false);
            metal::simdgroup_float8x8 _e2585 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_1_, v3_1_, _e2585);
            metal::simdgroup_float8x8 _e2587 = o1_3_;
            o1_3_ = NagaCooperativeMultiplyAdd(w1_1_, v3_1_, _e2587);
            metal::simdgroup_half8x8 v3_2_ = NagaCooperativeLoad(&tile.inner[2200u], 136u, false);
            metal::simdgroup_float8x8 _e2594 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_2_, v3_2_, _e2594);
            metal::simdgroup_float8x8 _e2596 = o1_3_;
            o1_3_ = NagaCooperativeMultiplyAdd(w1_2_, v3_2_, _e2596);
            metal::simdgroup_half8x8 v3_3_ = NagaCooperativeLoad(&tile.inner[3288u], 136u, false);
            metal::simdgroup_float8x8 _e2603 = o0_3_;
            o0_3_ = NagaCooperativeMultiplyAdd(w0_3_, v3_3_, _e2603);
            metal::simdgroup_float8x8 _e2605 = o1_3_;
            o1_3_ = NagaCooperativeMultiplyAdd(w1_3_, v3_3_, _e2605);
            metal::simdgroup_half8x8 v4_0_ = NagaCooperativeLoad(&tile.inner[32u], 136u, false);
            metal::simdgroup_float8x8 _e2612 = o0_4_;
            o0_4_ = NagaCooperativeMultiplyAdd(w0_0_, v4_0_, _e2612);
            metal::simdgroup_float8x8 _e2614 = o1_4_;
            o1_4_ = NagaCooperativeMultiplyAdd(w1_0_, v4_0_, _e2614);
            metal::simdgroup_half8x8 v4_1_ = NagaCooperativeLoad(&tile.inner[1120u], 136u, false);
            metal::simdgroup_float8x8 _e2621 = o0_4_;
            o0_4_ = NagaCooperativeMultiplyAdd(w0_1_, v4_1_, _e2621);
            metal::simdgroup_float8x8 _e2623 = o1_4_;
            o1_4_ = NagaCooperativeMultiplyAdd(w1_1_, v4_1_, _e2623);
            metal::simdgroup_half8x8 v4_2_ = NagaCooperativeLoad(&tile.inner[2208u], 136u, false);
            metal::simdgroup_float8x8 _e2630 = o0_4_;
            o0_4_ = NagaCooperativeMultiplyAdd(w0_2_, v4_2_, _e2630);
            metal::simdgroup_float8x8 _e2632 = o1_4_;
            o1_4_ = NagaCooperativeMultiplyAdd(w1_2_, v4_2_, _e2632);
            metal::simdgroup_half8x8 v4_3_ = NagaCooperativeLoad(&tile.inner[3296u], 136u, false);
            metal::simdgroup_float8x8 _e2639 = o0_4_;
            o0_4_ = NagaCooperativeMultiplyAdd(w0_3_, v4_3_, _e2639);
            metal::simdgroup_float8x8 _e2641 = o1_4_;
            o1_4_ = NagaCooperativeMultiplyAdd(w1_3_, v4_3_, _e2641);
            metal::simdgroup_half8x8 v5_0_ = NagaCooperativeLoad(&tile.inner[40u], 136u, false);
            metal::simdgroup_float8x8 _e2648 = o0_5_;
            o0_5_ = NagaCooperativeMultiplyAdd(w0_0_, v5_0_, _e2648);
            metal::simdgroup_float8x8 _e2650 = o1_5_;
            o1_5_ = NagaCooperativeMultiplyAdd(w1_0_, v5_0_, _e2650);
            metal::simdgroup_half8x8 v5_1_ = NagaCooperativeLoad(&tile.inner[1128u], 136u, false);
            metal::simdgroup_float8x8 _e2657 = o0_5_;
            o0_5_ = NagaCooperativeMultiplyAdd(w0_1_, v5_1_, _e2657);
            metal::simdgroup_float8x8 _e2659 = o1_5_;
            o1_5_ = NagaCooperativeMultiplyAdd(w1_1_, v5_1_, _e2659);
            metal::simdgroup_half8x8 v5_2_ = NagaCooperativeLoad(&tile.inner[2216u], 136u, false);
            metal::simdgroup_float8x8 _e2666 = o0_5_;
            o0_5_ = NagaCooperativeMultiplyAdd(w0_2_, v5_2_, _e2666);
            metal::simdgroup_float8x8 _e2668 = o1_5_;
            o1_5_ = NagaCooperativeMultiplyAdd(w1_2_, v5_2_, _e2668);
            metal::simdgroup_half8x8 v5_3_ = NagaCooperativeLoad(&tile.inner[3304u], 136u, false);
            metal::simdgroup_float8x8 _e2675 = o0_5_;
            o0_5_ = NagaCooperativeMultiplyAdd(w0_3_, v5_3_, _e2675);
            metal::simdgroup_float8x8 _e2677 = o1_5_;
            o1_5_ = NagaCooperativeMultiplyAdd(w1_3_, v5_3_, _e2677);
            metal::simdgroup_half8x8 v6_0_ = NagaCooperativeLoad(&tile.inner[48u], 136u, false);
            metal::simdgroup_float8x8 _e2684 = o0_6_;
            o0_6_ = NagaCooperativeMultiplyAdd(w0_0_, v6_0_, _e2684);
            metal::simdgroup_float8x8 _e2686 = o1_6_;
            o1_6_ = NagaCooperativeMultiplyAdd(w1_0_, v6_0_, _e2686);
            metal::simdgroup_half8x8 v6_1_ = NagaCooperativeLoad(&tile.inner[1136u], 136u, false);
            metal::simdgroup_float8x8 _e2693 = o0_6_;
            o0_6_ = NagaCooperativeMultiplyAdd(w0_1_, v6_1_, _e2693);
            metal::simdgroup_float8x8 _e2695 = o1_6_;
            o1_6_ = NagaCooperativeMultiplyAdd(w1_1_, v6_1_, _e2695);
            metal::simdgroup_half8x8 v6_2_ = NagaCooperativeLoad(&tile.inner[2224u], 136u, false);
            metal::simdgroup_float8x8 _e2702 = o0_6_;
            o0_6_ = NagaCooperativeMultiplyAdd(w0_2_, v6_2_, _e2702);
            metal::simdgroup_float8x8 _e2704 = o1_6_;
            o1_6_ = NagaCooperativeMultiplyAdd(w1_2_, v6_2_, _e2704);
            metal::simdgroup_half8x8 v6_3_ = NagaCooperativeLoad(&tile.inner[3312u], 136u, false);
            metal::simdgroup_float8x8 _e2711 = o0_6_;
            o0_6_ = NagaCooperativeMultiplyAdd(w0_3_, v6_3_, _e2711);
            metal::simdgroup_float8x8 _e2713 = o1_6_;
            o1_6_ = NagaCooperativeMultiplyAdd(w1_3_, v6_3_, _e2713);
            metal::simdgroup_half8x8 v7_0_ = NagaCooperativeLoad(&tile.inner[56u], 136u, false);
            metal::simdgroup_float8x8 _e2720 = o0_7_;
            o0_7_ = NagaCooperativeMultiplyAdd(w0_0_, v7_0_, _e2720);
            metal::simdgroup_float8x8 _e2722 = o1_7_;
            o1_7_ = NagaCooperativeMultiplyAdd(w1_0_, v7_0_, _e2722);
            metal::simdgroup_half8x8 v7_1_ = NagaCooperativeLoad(&tile.inner[1144u], 136u, false);
            metal::simdgroup_float8x8 _e2729 = o0_7_;
            o0_7_ = NagaCooperativeMultiplyAdd(w0_1_, v7_1_, _e2729);
            metal::simdgroup_float8x8 _e2731 = o1_7_;
            o1_7_ = NagaCooperativeMultiplyAdd(w1_1_, v7_1_, _e2731);
            metal::simdgroup_half8x8 v7_2_ = NagaCooperativeLoad(&tile.inner[2232u], 136u, false);
            metal::simdgroup_float8x8 _e2738 = o0_7_;
            o0_7_ = NagaCooperativeMultiplyAdd(w0_2_, v7_2_, _e2738);
            metal::simdgroup_float8x8 _e2740 = o1_7_;
            o1_7_ = NagaCooperativeMultiplyAdd(w1_2_, v7_2_, _e2740);
            metal::simdgroup_half8x8 v7_3_ = NagaCooperativeLoad(&tile.inner[3320u], 136u, false);
            metal::simdgroup_float8x8 _e2747 = o0_7_;
            o0_7_ = NagaCooperativeMultiplyAdd(w0_3_, v7_3_, _e2747);
            metal::simdgroup_float8x8 _e2749 = o1_7_;
            o1_7_ = NagaCooperativeMultiplyAdd(w1_3_, v7_3_, _e2749);
            metal::simdgroup_half8x8 v8_0_ = NagaCooperativeLoad(&tile.inner[64u], 136u, false);
            metal::simdgroup_float8x8 _e2756 = o0_8_;
            o0_8_ = NagaCooperativeMultiplyAdd(w0_0_, v8_0_, _e2756);
            metal::simdgroup_float8x8 _e2758 = o1_8_;
            o1_8_ = NagaCooperativeMultiplyAdd(w1_0_, v8_0_, _e2758);
            metal::simdgroup_half8x8 v8_1_ = NagaCooperativeLoad(&tile.inner[1152u], 136u, false);
            metal::simdgroup_float8x8 _e2765 = o0_8_;
            o0_8_ = NagaCooperativeMultiplyAdd(w0_1_, v8_1_, _e2765);
            metal::simdgroup_float8x8 _e2767 = o1_8_;
            o1_8_ = NagaCooperativeMultiplyAdd(w1_1_, v8_1_, _e2767);
            metal::simdgroup_half8x8 v8_2_ = NagaCooperativeLoad(&tile.inner[2240u], 136u, false);
            metal::simdgroup_float8x8 _e2774 = o0_8_;
            o0_8_ = NagaCooperativeMultiplyAdd(w0_2_, v8_2_, _e2774);
            metal::simdgroup_float8x8 _e2776 = o1_8_;
            o1_8_ = NagaCooperativeMultiplyAdd(w1_2_, v8_2_, _e2776);
            metal::simdgroup_half8x8 v8_3_ = NagaCooperativeLoad(&tile.inner[3328u], 136u, false);
            metal::simdgroup_float8x8 _e2783 = o0_8_;
            o0_8_ = NagaCooperativeMultiplyAdd(w0_3_, v8_3_, _e2783);
            metal::simdgroup_float8x8 _e2785 = o1_8_;
            o1_8_ = NagaCooperativeMultiplyAdd(w1_3_, v8_3_, _e2785);
            metal::simdgroup_half8x8 v9_0_ = NagaCooperativeLoad(&tile.inner[72u], 136u, false);
            metal::simdgroup_float8x8 _e2792 = o0_9_;
            o0_9_ = NagaCooperativeMultiplyAdd(w0_0_, v9_0_, _e2792);
            metal::simdgroup_float8x8 _e2794 = o1_9_;
            o1_9_ = NagaCooperativeMultiplyAdd(w1_0_, v9_0_, _e2794);
            metal::simdgroup_half8x8 v9_1_ = NagaCooperativeLoad(&tile.inner[1160u], 136u, false);
            metal::simdgroup_float8x8 _e2801 = o0_9_;
            o0_9_ = NagaCooperativeMultiplyAdd(w0_1_, v9_1_, _e2801);
            metal::simdgroup_float8x8 _e2803 = o1_9_;
            o1_9_ = NagaCooperativeMultiplyAdd(w1_1_, v9_1_, _e2803);
            metal::simdgroup_half8x8 v9_2_ = NagaCooperativeLoad(&tile.inner[2248u], 136u, false);
            metal::simdgroup_float8x8 _e2810 = o0_9_;
            o0_9_ = NagaCooperativeMultiplyAdd(w0_2_, v9_2_, _e2810);
            metal::simdgroup_float8x8 _e2812 = o1_9_;
            o1_9_ = NagaCooperativeMultiplyAdd(w1_2_, v9_2_, _e2812);
            metal::simdgroup_half8x8 v9_3_ = NagaCooperativeLoad(&tile.inner[3336u], 136u, false);
            metal::simdgroup_float8x8 _e2819 = o0_9_;
            o0_9_ = NagaCooperativeMultiplyAdd(w0_3_, v9_3_, _e2819);
            metal::simdgroup_float8x8 _e2821 = o1_9_;
            o1_9_ = NagaCooperativeMultiplyAdd(w1_3_, v9_3_, _e2821);
            metal::simdgroup_half8x8 v10_0_ = NagaCooperativeLoad(&tile.inner[80u], 136u, false);
            metal::simdgroup_float8x8 _e2828 = o0_10_;
            o0_10_ = NagaCooperativeMultiplyAdd(w0_0_, v10_0_, _e2828);
            metal::simdgroup_float8x8 _e2830 = o1_10_;
            o1_10_ = NagaCooperativeMultiplyAdd(w1_0_, v10_0_, _e2830);
            metal::simdgroup_half8x8 v10_1_ = NagaCooperativeLoad(&tile.inner[1168u], 136u, false);
            metal::simdgroup_float8x8 _e2837 = o0_10_;
            o0_10_ = NagaCooperativeMultiplyAdd(w0_1_, v10_1_, _e2837);
            metal::simdgroup_float8x8 _e2839 = o1_10_;
            o1_10_ = NagaCooperativeMultiplyAdd(w1_1_, v10_1_, _e2839);
            metal::simdgroup_half8x8 v10_2_ = NagaCooperativeLoad(&tile.inner[2256u], 136u, false);
            metal::simdgroup_float8x8 _e2846 = o0_10_;
            o0_10_ = NagaCooperativeMultiplyAdd(w0_2_, v10_2_, _e2846);
            metal::simdgroup_float8x8 _e2848 = o1_10_;
            o1_10_ = NagaCooperativeMultiplyAdd(w1_2_, v10_2_, _e2848);
            metal::simdgroup_half8x8 v10_3_ = NagaCooperativeLoad(&tile.inner[3344u], 136u, false);
            metal::simdgroup_float8x8 _e2855 = o0_10_;
            o0_10_ = NagaCooperativeMultiplyAdd(w0_3_, v10_3_, _e2855);
            metal::simdgroup_float8x8 _e2857 = o1_10_;
            o1_10_ = NagaCooperativeMultiplyAdd(w1_3_, v10_3_, _e2857);
            metal::simdgroup_half8x8 v11_0_ = NagaCooperativeLoad(&tile.inner[88u], 136u, false);
            metal::simdgroup_float8x8 _e2864 = o0_11_;
            o0_11_ = NagaCooperativeMultiplyAdd(w0_0_, v11_0_, _e2864);
            metal::simdgroup_float8x8 _e2866 = o1_11_;
            o1_11_ = NagaCooperativeMultiplyAdd(w1_0_, v11_0_, _e2866);
            metal::simdgroup_half8x8 v11_1_ = NagaCooperativeLoad(&tile.inner[1176u], 136u, false);
            metal::simdgroup_float8x8 _e2873 = o0_11_;
            o0_11_ = NagaCooperativeMultiplyAdd(w0_1_, v11_1_, _e2873);
            metal::simdgroup_float8x8 _e2875 = o1_11_;
            o1_11_ = NagaCooperativeMultiplyAdd(w1_1_, v11_1_, _e2875);
            metal::simdgroup_half8x8 v11_2_ = NagaCooperativeLoad(&tile.inner[2264u], 136u, false);
            metal::simdgroup_float8x8 _e2882 = o0_11_;
            o0_11_ = NagaCooperativeMultiplyAdd(w0_2_, v11_2_, _e2882);
            metal::simdgroup_float8x8 _e2884 = o1_11_;
            o1_11_ = NagaCooperativeMultiplyAdd(w1_2_, v11_2_, _e2884);
            metal::simdgroup_half8x8 v11_3_ = NagaCooperativeLoad(&tile.inner[3352u], 136u, false);
            metal::simdgroup_float8x8 _e2891 = o0_11_;
            o0_11_ = NagaCooperativeMultiplyAdd(w0_3_, v11_3_, _e2891);
            metal::simdgroup_float8x8 _e2893 = o1_11_;
            o1_11_ = NagaCooperativeMultiplyAdd(w1_3_, v11_3_, _e2893);
            metal::simdgroup_half8x8 v12_0_ = NagaCooperativeLoad(&tile.inner[96u], 136u, false);
            metal::simdgroup_float8x8 _e2900 = o0_12_;
            o0_12_ = NagaCooperativeMultiplyAdd(w0_0_, v12_0_, _e2900);
            metal::simdgroup_float8x8 _e2902 = o1_12_;
            o1_12_ = NagaCooperativeMultiplyAdd(w1_0_, v12_0_, _e2902);
            metal::simdgroup_half8x8 v12_1_ = NagaCooperativeLoad(&tile.inner[1184u], 136u, false);
            metal::simdgroup_float8x8 _e2909 = o0_12_;
            o0_12_ = NagaCooperativeMultiplyAdd(w0_1_, v12_1_, _e2909);
            metal::simdgroup_float8x8 _e2911 = o1_12_;
            o1_12_ = NagaCooperativeMultiplyAdd(w1_1_, v12_1_, _e2911);
            metal::simdgroup_half8x8 v12_2_ = NagaCooperativeLoad(&tile.inner[2272u], 136u, false);
            metal::simdgroup_float8x8 _e2918 = o0_12_;
            o0_12_ = NagaCooperativeMultiplyAdd(w0_2_, v12_2_, _e2918);
            metal::simdgroup_float8x8 _e2920 = o1_12_;
            o1_12_ = NagaCooperativeMultiplyAdd(w1_2_, v12_2_, _e2920);
            metal::simdgroup_half8x8 v12_3_ = NagaCooperativeLoad(&tile.inner[3360u], 136u, false);
            metal::simdgroup_float8x8 _e2927 = o0_12_;
            o0_12_ = NagaCooperativeMultiplyAdd(w0_3_, v12_3_, _e2927);
            metal::simdgroup_float8x8 _e2929 = o1_12_;
            o1_12_ = NagaCooperativeMultiplyAdd(w1_3_, v12_3_, _e2929);
            metal::simdgroup_half8x8 v13_0_ = NagaCooperativeLoad(&tile.inner[104u], 136u, false);
            metal::simdgroup_float8x8 _e2936 = o0_13_;
            o0_13_ = NagaCooperativeMultiplyAdd(w0_0_, v13_0_, _e2936);
            metal::simdgroup_float8x8 _e2938 = o1_13_;
            o1_13_ = NagaCooperativeMultiplyAdd(w1_0_, v13_0_, _e2938);
            metal::simdgroup_half8x8 v13_1_ = NagaCooperativeLoad(&tile.inner[1192u], 136u, false);
            metal::simdgroup_float8x8 _e2945 = o0_13_;
            o0_13_ = NagaCooperativeMultiplyAdd(w0_1_, v13_1_, _e2945);
            metal::simdgroup_float8x8 _e2947 = o1_13_;
            o1_13_ = NagaCooperativeMultiplyAdd(w1_1_, v13_1_, _e2947);
            metal::simdgroup_half8x8 v13_2_ = NagaCooperativeLoad(&tile.inner[2280u], 136u, false);
            metal::simdgroup_float8x8 _e2954 = o0_13_;
            o0_13_ = NagaCooperativeMultiplyAdd(w0_2_, v13_2_, _e2954);
            metal::simdgroup_float8x8 _e2956 = o1_13_;
            o1_13_ = NagaCooperativeMultiplyAdd(w1_2_, v13_2_, _e2956);
            metal::simdgroup_half8x8 v13_3_ = NagaCooperativeLoad(&tile.inner[3368u], 136u, false);
            metal::simdgroup_float8x8 _e2963 = o0_13_;
            o0_13_ = NagaCooperativeMultiplyAdd(w0_3_, v13_3_, _e2963);
            metal::simdgroup_float8x8 _e2965 = o1_13_;
            o1_13_ = NagaCooperativeMultiplyAdd(w1_3_, v13_3_, _e2965);
            metal::simdgroup_half8x8 v14_0_ = NagaCooperativeLoad(&tile.inner[112u], 136u, false);
            metal::simdgroup_float8x8 _e2972 = o0_14_;
            o0_14_ = NagaCooperativeMultiplyAdd(w0_0_, v14_0_, _e2972);
            metal::simdgroup_float8x8 _e2974 = o1_14_;
            o1_14_ = NagaCooperativeMultiplyAdd(w1_0_, v14_0_, _e2974);
            metal::simdgroup_half8x8 v14_1_ = NagaCooperativeLoad(&tile.inner[1200u], 136u, false);
            metal::simdgroup_float8x8 _e2981 = o0_14_;
            o0_14_ = NagaCooperativeMultiplyAdd(w0_1_, v14_1_, _e2981);
            metal::simdgroup_float8x8 _e2983 = o1_14_;
            o1_14_ = NagaCooperativeMultiplyAdd(w1_1_, v14_1_, _e2983);
            metal::simdgroup_half8x8 v14_2_ = NagaCooperativeLoad(&tile.inner[2288u], 136u, false);
            metal::simdgroup_float8x8 _e2990 = o0_14_;
            o0_14_ = NagaCooperativeMultiplyAdd(w0_2_, v14_2_, _e2990);
            metal::simdgroup_float8x8 _e2992 = o1_14_;
            o1_14_ = NagaCooperativeMultiplyAdd(w1_2_, v14_2_, _e2992);
            metal::simdgroup_half8x8 v14_3_ = NagaCooperativeLoad(&tile.inner[3376u], 136u, false);
            metal::simdgroup_float8x8 _e2999 = o0_14_;
            o0_14_ = NagaCooperativeMultiplyAdd(w0_3_, v14_3_, _e2999);
            metal::simdgroup_float8x8 _e3001 = o1_14_;
            o1_14_ = NagaCooperativeMultiplyAdd(w1_3_, v14_3_, _e3001);
            metal::simdgroup_half8x8 v15_0_ = NagaCooperativeLoad(&tile.inner[120u], 136u, false);
            metal::simdgroup_float8x8 _e3008 = o0_15_;
            o0_15_ = NagaCooperativeMultiplyAdd(w0_0_, v15_0_, _e3008);
            metal::simdgroup_float8x8 _e3010 = o1_15_;
            o1_15_ = NagaCooperativeMultiplyAdd(w1_0_, v15_0_, _e3010);
            metal::simdgroup_half8x8 v15_1_ = NagaCooperativeLoad(&tile.inner[1208u], 136u, false);
            metal::simdgroup_float8x8 _e3017 = o0_15_;
            o0_15_ = NagaCooperativeMultiplyAdd(w0_1_, v15_1_, _e3017);
            metal::simdgroup_float8x8 _e3019 = o1_15_;
            o1_15_ = NagaCooperativeMultiplyAdd(w1_1_, v15_1_, _e3019);
            metal::simdgroup_half8x8 v15_2_ = NagaCooperativeLoad(&tile.inner[2296u], 136u, false);
            metal::simdgroup_float8x8 _e3026 = o0_15_;
            o0_15_ = NagaCooperativeMultiplyAdd(w0_2_, v15_2_, _e3026);
            metal::simdgroup_float8x8 _e3028 = o1_15_;
            o1_15_ = NagaCooperativeMultiplyAdd(w1_2_, v15_2_, _e3028);
            metal::simdgroup_half8x8 v15_3_ = NagaCooperativeLoad(&tile.inner[3384u], 136u, false);
            metal::simdgroup_float8x8 _e3035 = o0_15_;
            o0_15_ = NagaCooperativeMultiplyAdd(w0_3_, v15_3_, _e3035);
            metal::simdgroup_float8x8 _e3037 = o1_15_;
            o1_15_ = NagaCooperativeMultiplyAdd(w1_3_, v15_3_, _e3037);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    float _e3042 = total;
    float _e3043 = total;
    float unnamed_2 = metal::simd_shuffle_xor(_e3043, 1u);
    total = _e3042 + unnamed_2;
    uint _e3050 = p.parts;
    uint _e3053 = p.heads;
    uint _e3059 = step[3];
    uint to_1 = _e3050 + ((((((row0_ * _e3053) + head0_) + subgroup) * _e3059) + split) * 130u);
    uint _e3066 = p.heads;
    uint _e3069 = step[3];
    uint next_1 = (_e3066 * _e3069) * 130u;
    if (half_ == 0u) {
        local = token < rows;
    } else {
        local = false;
    }
    bool _e3078 = local;
    if (_e3078) {
        float _e3083 = reference;
        act[to_1 + (token * next_1)] = _e3083;
        float _e3090 = total;
        act[(to_1 + (token * next_1)) + 1u] = _e3090;
    }
    uint oe0_0_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3093 = o0_0_;
    simdgroup_store(_e3093, &scores.inner[oe0_0_], SS);
    uint oe1_0_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3099 = o1_0_;
    simdgroup_store(_e3099, &scores.inner[oe1_0_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_16 = lane;
    uint2 loop_bound_20 = uint2(4294967295u);
    bool loop_init_20 = true;
    while(true) {
        if (metal::all(loop_bound_20 == uint2(0u))) { break; }
        loop_bound_20 -= uint2(loop_bound_20.y == 0u, 1u);
        if (!loop_init_20) {
            uint _e3149 = e_16;
            e_16 = _e3149 + 32u;
        }
        loop_init_20 = false;
        uint _e3104 = e_16;
        if (_e3104 < 64u) {
        } else {
            break;
        }
        {
            uint _e3107 = e_16;
            uint r_1 = naga_div(_e3107, 4u);
            uint _e3111 = e_16;
            uint d_1 = 0u + (naga_mod(_e3111, 4u) * 2u);
            uint _e3120 = e_16;
            uint at_2 = (square0_ + (r_1 * SS)) + (naga_mod(_e3120, 4u) * 2u);
            if (r_1 < rows) {
                float _e3136 = scores.inner[at_2];
                act[((to_1 + (r_1 * next_1)) + 2u) + d_1] = _e3136;
                float _e3148 = scores.inner[at_2 + 1u];
                act[((to_1 + (r_1 * next_1)) + 3u) + d_1] = _e3148;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_1_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3154 = o0_1_;
    simdgroup_store(_e3154, &scores.inner[oe0_1_], SS);
    uint oe1_1_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3160 = o1_1_;
    simdgroup_store(_e3160, &scores.inner[oe1_1_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_17 = lane;
    uint2 loop_bound_21 = uint2(4294967295u);
    bool loop_init_21 = true;
    while(true) {
        if (metal::all(loop_bound_21 == uint2(0u))) { break; }
        loop_bound_21 -= uint2(loop_bound_21.y == 0u, 1u);
        if (!loop_init_21) {
            uint _e3210 = e_17;
            e_17 = _e3210 + 32u;
        }
        loop_init_21 = false;
        uint _e3165 = e_17;
        if (_e3165 < 64u) {
        } else {
            break;
        }
        {
            uint _e3168 = e_17;
            uint r_2 = naga_div(_e3168, 4u);
            uint _e3172 = e_17;
            uint d_2 = 8u + (naga_mod(_e3172, 4u) * 2u);
            uint _e3181 = e_17;
            uint at_3 = (square0_ + (r_2 * SS)) + (naga_mod(_e3181, 4u) * 2u);
            if (r_2 < rows) {
                float _e3197 = scores.inner[at_3];
                act[((to_1 + (r_2 * next_1)) + 2u) + d_2] = _e3197;
                float _e3209 = scores.inner[at_3 + 1u];
                act[((to_1 + (r_2 * next_1)) + 3u) + d_2] = _e3209;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_2_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3215 = o0_2_;
    simdgroup_store(_e3215, &scores.inner[oe0_2_], SS);
    uint oe1_2_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3221 = o1_2_;
    simdgroup_store(_e3221, &scores.inner[oe1_2_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_18 = lane;
    uint2 loop_bound_22 = uint2(4294967295u);
    bool loop_init_22 = true;
    while(true) {
        if (metal::all(loop_bound_22 == uint2(0u))) { break; }
        loop_bound_22 -= uint2(loop_bound_22.y == 0u, 1u);
        if (!loop_init_22) {
            uint _e3271 = e_18;
            e_18 = _e3271 + 32u;
        }
        loop_init_22 = false;
        uint _e3226 = e_18;
        if (_e3226 < 64u) {
        } else {
            break;
        }
        {
            uint _e3229 = e_18;
            uint r_3 = naga_div(_e3229, 4u);
            uint _e3233 = e_18;
            uint d_3 = 16u + (naga_mod(_e3233, 4u) * 2u);
            uint _e3242 = e_18;
            uint at_4 = (square0_ + (r_3 * SS)) + (naga_mod(_e3242, 4u) * 2u);
            if (r_3 < rows) {
                float _e3258 = scores.inner[at_4];
                act[((to_1 + (r_3 * next_1)) + 2u) + d_3] = _e3258;
                float _e3270 = scores.inner[at_4 + 1u];
                act[((to_1 + (r_3 * next_1)) + 3u) + d_3] = _e3270;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_3_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3276 = o0_3_;
    simdgroup_store(_e3276, &scores.inner[oe0_3_], SS);
    uint oe1_3_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3282 = o1_3_;
    simdgroup_store(_e3282, &scores.inner[oe1_3_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_19 = lane;
    uint2 loop_bound_23 = uint2(4294967295u);
    bool loop_init_23 = true;
    while(true) {
        if (metal::all(loop_bound_23 == uint2(0u))) { break; }
        loop_bound_23 -= uint2(loop_bound_23.y == 0u, 1u);
        if (!loop_init_23) {
            uint _e3332 = e_19;
            e_19 = _e3332 + 32u;
        }
        loop_init_23 = false;
        uint _e3287 = e_19;
        if (_e3287 < 64u) {
        } else {
            break;
        }
        {
            uint _e3290 = e_19;
            uint r_4 = naga_div(_e3290, 4u);
            uint _e3294 = e_19;
            uint d_4 = 24u + (naga_mod(_e3294, 4u) * 2u);
            uint _e3303 = e_19;
            uint at_5 = (square0_ + (r_4 * SS)) + (naga_mod(_e3303, 4u) * 2u);
            if (r_4 < rows) {
                float _e3319 = scores.inner[at_5];
                act[((to_1 + (r_4 * next_1)) + 2u) + d_4] = _e3319;
                float _e3331 = scores.inner[at_5 + 1u];
                act[((to_1 + (r_4 * next_1)) + 3u) + d_4] = _e3331;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_4_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3337 = o0_4_;
    simdgroup_store(_e3337, &scores.inner[oe0_4_], SS);
    uint oe1_4_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3343 = o1_4_;
    simdgroup_store(_e3343, &scores.inner[oe1_4_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_20 = lane;
    uint2 loop_bound_24 = uint2(4294967295u);
    bool loop_init_24 = true;
    while(true) {
        if (metal::all(loop_bound_24 == uint2(0u))) { break; }
        loop_bound_24 -= uint2(loop_bound_24.y == 0u, 1u);
        if (!loop_init_24) {
            uint _e3393 = e_20;
            e_20 = _e3393 + 32u;
        }
        loop_init_24 = false;
        uint _e3348 = e_20;
        if (_e3348 < 64u) {
        } else {
            break;
        }
        {
            uint _e3351 = e_20;
            uint r_5 = naga_div(_e3351, 4u);
            uint _e3355 = e_20;
            uint d_5 = 32u + (naga_mod(_e3355, 4u) * 2u);
            uint _e3364 = e_20;
            uint at_6 = (square0_ + (r_5 * SS)) + (naga_mod(_e3364, 4u) * 2u);
            if (r_5 < rows) {
                float _e3380 = scores.inner[at_6];
                act[((to_1 + (r_5 * next_1)) + 2u) + d_5] = _e3380;
                float _e3392 = scores.inner[at_6 + 1u];
                act[((to_1 + (r_5 * next_1)) + 3u) + d_5] = _e3392;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_5_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3398 = o0_5_;
    simdgroup_store(_e3398, &scores.inner[oe0_5_], SS);
    uint oe1_5_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3404 = o1_5_;
    simdgroup_store(_e3404, &scores.inner[oe1_5_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_21 = lane;
    uint2 loop_bound_25 = uint2(4294967295u);
    bool loop_init_25 = true;
    while(true) {
        if (metal::all(loop_bound_25 == uint2(0u))) { break; }
        loop_bound_25 -= uint2(loop_bound_25.y == 0u, 1u);
        if (!loop_init_25) {
            uint _e3454 = e_21;
            e_21 = _e3454 + 32u;
        }
        loop_init_25 = false;
        uint _e3409 = e_21;
        if (_e3409 < 64u) {
        } else {
            break;
        }
        {
            uint _e3412 = e_21;
            uint r_6 = naga_div(_e3412, 4u);
            uint _e3416 = e_21;
            uint d_6 = 40u + (naga_mod(_e3416, 4u) * 2u);
            uint _e3425 = e_21;
            uint at_7 = (square0_ + (r_6 * SS)) + (naga_mod(_e3425, 4u) * 2u);
            if (r_6 < rows) {
                float _e3441 = scores.inner[at_7];
                act[((to_1 + (r_6 * next_1)) + 2u) + d_6] = _e3441;
                float _e3453 = scores.inner[at_7 + 1u];
                act[((to_1 + (r_6 * next_1)) + 3u) + d_6] = _e3453;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_6_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3459 = o0_6_;
    simdgroup_store(_e3459, &scores.inner[oe0_6_], SS);
    uint oe1_6_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3465 = o1_6_;
    simdgroup_store(_e3465, &scores.inner[oe1_6_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_22 = lane;
    uint2 loop_bound_26 = uint2(4294967295u);
    bool loop_init_26 = true;
    while(true) {
        if (metal::all(loop_bound_26 == uint2(0u))) { break; }
        loop_bound_26 -= uint2(loop_bound_26.y == 0u, 1u);
        if (!loop_init_26) {
            uint _e3515 = e_22;
            e_22 = _e3515 + 32u;
        }
        loop_init_26 = false;
        uint _e3470 = e_22;
        if (_e3470 < 64u) {
        } else {
            break;
        }
        {
            uint _e3473 = e_22;
            uint r_7 = naga_div(_e3473, 4u);
            uint _e3477 = e_22;
            uint d_7 = 48u + (naga_mod(_e3477, 4u) * 2u);
            uint _e3486 = e_22;
            uint at_8 = (square0_ + (r_7 * SS)) + (naga_mod(_e3486, 4u) * 2u);
            if (r_7 < rows) {
                float _e3502 = scores.inner[at_8];
                act[((to_1 + (r_7 * next_1)) + 2u) + d_7] = _e3502;
                float _e3514 = scores.inner[at_8 + 1u];
                act[((to_1 + (r_7 * next_1)) + 3u) + d_7] = _e3514;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_7_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3520 = o0_7_;
    simdgroup_store(_e3520, &scores.inner[oe0_7_], SS);
    uint oe1_7_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3526 = o1_7_;
    simdgroup_store(_e3526, &scores.inner[oe1_7_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_23 = lane;
    uint2 loop_bound_27 = uint2(4294967295u);
    bool loop_init_27 = true;
    while(true) {
        if (metal::all(loop_bound_27 == uint2(0u))) { break; }
        loop_bound_27 -= uint2(loop_bound_27.y == 0u, 1u);
        if (!loop_init_27) {
            uint _e3576 = e_23;
            e_23 = _e3576 + 32u;
        }
        loop_init_27 = false;
        uint _e3531 = e_23;
        if (_e3531 < 64u) {
        } else {
            break;
        }
        {
            uint _e3534 = e_23;
            uint r_8 = naga_div(_e3534, 4u);
            uint _e3538 = e_23;
            uint d_8 = 56u + (naga_mod(_e3538, 4u) * 2u);
            uint _e3547 = e_23;
            uint at_9 = (square0_ + (r_8 * SS)) + (naga_mod(_e3547, 4u) * 2u);
            if (r_8 < rows) {
                float _e3563 = scores.inner[at_9];
                act[((to_1 + (r_8 * next_1)) + 2u) + d_8] = _e3563;
                float _e3575 = scores.inner[at_9 + 1u];
                act[((to_1 + (r_8 * next_1)) + 3u) + d_8] = _e3575;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_8_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3581 = o0_8_;
    simdgroup_store(_e3581, &scores.inner[oe0_8_], SS);
    uint oe1_8_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3587 = o1_8_;
    simdgroup_store(_e3587, &scores.inner[oe1_8_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_24 = lane;
    uint2 loop_bound_28 = uint2(4294967295u);
    bool loop_init_28 = true;
    while(true) {
        if (metal::all(loop_bound_28 == uint2(0u))) { break; }
        loop_bound_28 -= uint2(loop_bound_28.y == 0u, 1u);
        if (!loop_init_28) {
            uint _e3637 = e_24;
            e_24 = _e3637 + 32u;
        }
        loop_init_28 = false;
        uint _e3592 = e_24;
        if (_e3592 < 64u) {
        } else {
            break;
        }
        {
            uint _e3595 = e_24;
            uint r_9 = naga_div(_e3595, 4u);
            uint _e3599 = e_24;
            uint d_9 = 64u + (naga_mod(_e3599, 4u) * 2u);
            uint _e3608 = e_24;
            uint at_10 = (square0_ + (r_9 * SS)) + (naga_mod(_e3608, 4u) * 2u);
            if (r_9 < rows) {
                float _e3624 = scores.inner[at_10];
                act[((to_1 + (r_9 * next_1)) + 2u) + d_9] = _e3624;
                float _e3636 = scores.inner[at_10 + 1u];
                act[((to_1 + (r_9 * next_1)) + 3u) + d_9] = _e3636;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_9_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3642 = o0_9_;
    simdgroup_store(_e3642, &scores.inner[oe0_9_], SS);
    uint oe1_9_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3648 = o1_9_;
    simdgroup_store(_e3648, &scores.inner[oe1_9_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_25 = lane;
    uint2 loop_bound_29 = uint2(4294967295u);
    bool loop_init_29 = true;
    while(true) {
        if (metal::all(loop_bound_29 == uint2(0u))) { break; }
        loop_bound_29 -= uint2(loop_bound_29.y == 0u, 1u);
        if (!loop_init_29) {
            uint _e3698 = e_25;
            e_25 = _e3698 + 32u;
        }
        loop_init_29 = false;
        uint _e3653 = e_25;
        if (_e3653 < 64u) {
        } else {
            break;
        }
        {
            uint _e3656 = e_25;
            uint r_10 = naga_div(_e3656, 4u);
            uint _e3660 = e_25;
            uint d_10 = 72u + (naga_mod(_e3660, 4u) * 2u);
            uint _e3669 = e_25;
            uint at_11 = (square0_ + (r_10 * SS)) + (naga_mod(_e3669, 4u) * 2u);
            if (r_10 < rows) {
                float _e3685 = scores.inner[at_11];
                act[((to_1 + (r_10 * next_1)) + 2u) + d_10] = _e3685;
                float _e3697 = scores.inner[at_11 + 1u];
                act[((to_1 + (r_10 * next_1)) + 3u) + d_10] = _e3697;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_10_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3703 = o0_10_;
    simdgroup_store(_e3703, &scores.inner[oe0_10_], SS);
    uint oe1_10_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3709 = o1_10_;
    simdgroup_store(_e3709, &scores.inner[oe1_10_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_26 = lane;
    uint2 loop_bound_30 = uint2(4294967295u);
    bool loop_init_30 = true;
    while(true) {
        if (metal::all(loop_bound_30 == uint2(0u))) { break; }
        loop_bound_30 -= uint2(loop_bound_30.y == 0u, 1u);
        if (!loop_init_30) {
            uint _e3759 = e_26;
            e_26 = _e3759 + 32u;
        }
        loop_init_30 = false;
        uint _e3714 = e_26;
        if (_e3714 < 64u) {
        } else {
            break;
        }
        {
            uint _e3717 = e_26;
            uint r_11 = naga_div(_e3717, 4u);
            uint _e3721 = e_26;
            uint d_11 = 80u + (naga_mod(_e3721, 4u) * 2u);
            uint _e3730 = e_26;
            uint at_12 = (square0_ + (r_11 * SS)) + (naga_mod(_e3730, 4u) * 2u);
            if (r_11 < rows) {
                float _e3746 = scores.inner[at_12];
                act[((to_1 + (r_11 * next_1)) + 2u) + d_11] = _e3746;
                float _e3758 = scores.inner[at_12 + 1u];
                act[((to_1 + (r_11 * next_1)) + 3u) + d_11] = _e3758;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_11_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3764 = o0_11_;
    simdgroup_store(_e3764, &scores.inner[oe0_11_], SS);
    uint oe1_11_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3770 = o1_11_;
    simdgroup_store(_e3770, &scores.inner[oe1_11_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_27 = lane;
    uint2 loop_bound_31 = uint2(4294967295u);
    bool loop_init_31 = true;
    while(true) {
        if (metal::all(loop_bound_31 == uint2(0u))) { break; }
        loop_bound_31 -= uint2(loop_bound_31.y == 0u, 1u);
        if (!loop_init_31) {
            uint _e3820 = e_27;
            e_27 = _e3820 + 32u;
        }
        loop_init_31 = false;
        uint _e3775 = e_27;
        if (_e3775 < 64u) {
        } else {
            break;
        }
        {
            uint _e3778 = e_27;
            uint r_12 = naga_div(_e3778, 4u);
            uint _e3782 = e_27;
            uint d_12 = 88u + (naga_mod(_e3782, 4u) * 2u);
            uint _e3791 = e_27;
            uint at_13 = (square0_ + (r_12 * SS)) + (naga_mod(_e3791, 4u) * 2u);
            if (r_12 < rows) {
                float _e3807 = scores.inner[at_13];
                act[((to_1 + (r_12 * next_1)) + 2u) + d_12] = _e3807;
                float _e3819 = scores.inner[at_13 + 1u];
                act[((to_1 + (r_12 * next_1)) + 3u) + d_12] = _e3819;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_12_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3825 = o0_12_;
    simdgroup_store(_e3825, &scores.inner[oe0_12_], SS);
    uint oe1_12_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3831 = o1_12_;
    simdgroup_store(_e3831, &scores.inner[oe1_12_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_28 = lane;
    uint2 loop_bound_32 = uint2(4294967295u);
    bool loop_init_32 = true;
    while(true) {
        if (metal::all(loop_bound_32 == uint2(0u))) { break; }
        loop_bound_32 -= uint2(loop_bound_32.y == 0u, 1u);
        if (!loop_init_32) {
            uint _e3881 = e_28;
            e_28 = _e3881 + 32u;
        }
        loop_init_32 = false;
        uint _e3836 = e_28;
        if (_e3836 < 64u) {
        } else {
            break;
        }
        {
            uint _e3839 = e_28;
            uint r_13 = naga_div(_e3839, 4u);
            uint _e3843 = e_28;
            uint d_13 = 96u + (naga_mod(_e3843, 4u) * 2u);
            uint _e3852 = e_28;
            uint at_14 = (square0_ + (r_13 * SS)) + (naga_mod(_e3852, 4u) * 2u);
            if (r_13 < rows) {
                float _e3868 = scores.inner[at_14];
                act[((to_1 + (r_13 * next_1)) + 2u) + d_13] = _e3868;
                float _e3880 = scores.inner[at_14 + 1u];
                act[((to_1 + (r_13 * next_1)) + 3u) + d_13] = _e3880;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_13_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3886 = o0_13_;
    simdgroup_store(_e3886, &scores.inner[oe0_13_], SS);
    uint oe1_13_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3892 = o1_13_;
    simdgroup_store(_e3892, &scores.inner[oe1_13_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_29 = lane;
    uint2 loop_bound_33 = uint2(4294967295u);
    bool loop_init_33 = true;
    while(true) {
        if (metal::all(loop_bound_33 == uint2(0u))) { break; }
        loop_bound_33 -= uint2(loop_bound_33.y == 0u, 1u);
        if (!loop_init_33) {
            uint _e3942 = e_29;
            e_29 = _e3942 + 32u;
        }
        loop_init_33 = false;
        uint _e3897 = e_29;
        if (_e3897 < 64u) {
        } else {
            break;
        }
        {
            uint _e3900 = e_29;
            uint r_14 = naga_div(_e3900, 4u);
            uint _e3904 = e_29;
            uint d_14 = 104u + (naga_mod(_e3904, 4u) * 2u);
            uint _e3913 = e_29;
            uint at_15 = (square0_ + (r_14 * SS)) + (naga_mod(_e3913, 4u) * 2u);
            if (r_14 < rows) {
                float _e3929 = scores.inner[at_15];
                act[((to_1 + (r_14 * next_1)) + 2u) + d_14] = _e3929;
                float _e3941 = scores.inner[at_15 + 1u];
                act[((to_1 + (r_14 * next_1)) + 3u) + d_14] = _e3941;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_14_ = top0_ * SS;
    metal::simdgroup_float8x8 _e3947 = o0_14_;
    simdgroup_store(_e3947, &scores.inner[oe0_14_], SS);
    uint oe1_14_ = top1_ * SS;
    metal::simdgroup_float8x8 _e3953 = o1_14_;
    simdgroup_store(_e3953, &scores.inner[oe1_14_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_30 = lane;
    uint2 loop_bound_34 = uint2(4294967295u);
    bool loop_init_34 = true;
    while(true) {
        if (metal::all(loop_bound_34 == uint2(0u))) { break; }
        loop_bound_34 -= uint2(loop_bound_34.y == 0u, 1u);
        if (!loop_init_34) {
            uint _e4003 = e_30;
            e_30 = _e4003 + 32u;
        }
        loop_init_34 = false;
        uint _e3958 = e_30;
        if (_e3958 < 64u) {
        } else {
            break;
        }
        {
            uint _e3961 = e_30;
            uint r_15 = naga_div(_e3961, 4u);
            uint _e3965 = e_30;
            uint d_15 = 112u + (naga_mod(_e3965, 4u) * 2u);
            uint _e3974 = e_30;
            uint at_16 = (square0_ + (r_15 * SS)) + (naga_mod(_e3974, 4u) * 2u);
            if (r_15 < rows) {
                float _e3990 = scores.inner[at_16];
                act[((to_1 + (r_15 * next_1)) + 2u) + d_15] = _e3990;
                float _e4002 = scores.inner[at_16 + 1u];
                act[((to_1 + (r_15 * next_1)) + 3u) + d_15] = _e4002;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint oe0_15_ = top0_ * SS;
    metal::simdgroup_float8x8 _e4008 = o0_15_;
    simdgroup_store(_e4008, &scores.inner[oe0_15_], SS);
    uint oe1_15_ = top1_ * SS;
    metal::simdgroup_float8x8 _e4014 = o1_15_;
    simdgroup_store(_e4014, &scores.inner[oe1_15_], SS);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_31 = lane;
    uint2 loop_bound_35 = uint2(4294967295u);
    bool loop_init_35 = true;
    while(true) {
        if (metal::all(loop_bound_35 == uint2(0u))) { break; }
        loop_bound_35 -= uint2(loop_bound_35.y == 0u, 1u);
        if (!loop_init_35) {
            uint _e4064 = e_31;
            e_31 = _e4064 + 32u;
        }
        loop_init_35 = false;
        uint _e4019 = e_31;
        if (_e4019 < 64u) {
        } else {
            break;
        }
        {
            uint _e4022 = e_31;
            uint r_16 = naga_div(_e4022, 4u);
            uint _e4026 = e_31;
            uint d_16 = 120u + (naga_mod(_e4026, 4u) * 2u);
            uint _e4035 = e_31;
            uint at_17 = (square0_ + (r_16 * SS)) + (naga_mod(_e4035, 4u) * 2u);
            if (r_16 < rows) {
                float _e4051 = scores.inner[at_17];
                act[((to_1 + (r_16 * next_1)) + 2u) + d_16] = _e4051;
                float _e4063 = scores.inner[at_17 + 1u];
                act[((to_1 + (r_16 * next_1)) + 3u) + d_16] = _e4063;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
