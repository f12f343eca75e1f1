// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size4;
    uint size5;
};

typedef uint type_1[1];
typedef metal::half4 type_7[1];
struct Planes {
    uint codes;
    uint bits;
    uint scales;
    uint supers;
};
struct type_8 {
    metal::uint4 inner[12];
};
struct Params {
    uint blocks;
    uint rows;
    uint count;
    uint pad;
    type_8 parts;
};
typedef float type_9[1];
struct type_10 {
    half inner[2560];
};
struct type_11 {
    float inner[256];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint TILE_T = 64u;
constant uint TILE_N = 64u;
constant uint TILE_K = 32u;
constant uint SUB_T = 32u;
constant uint SUB_N = 32u;
constant uint SIDE = 8u;
constant uint SINGLE = 1u;
constant uint SQUARES_T = 4u;
constant uint SQUARES_N = 4u;
constant uint DEPTH = 4u;
constant uint BLOCKS = 128u;
constant uint SPLIT = 128u;
constant uint SPLIT_ROWS = 0u;
constant uint LOADS_X = 4u;
constant uint LOADS_W = 4u;
constant uint W_EACH = 4u;
constant uint W_FOURS = 1u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint STRIDE = 40u;
constant uint ELEMENT = 1u;
constant uint SPILLED = 64u;
constant uint SPREAD = 8u;

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

void put(
    uint i,
    uint n,
    float value,
    uint out,
    uint width,
    uint bias,
    device type_9& act,
    device type_9 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float y = {};
    uint row = {};
    if (n >= width) {
        return;
    }
    y = value;
    row = i;
    if (bias > 0u) {
        float _e11 = y;
        float _e17 = vectors[(bias - 1u) + n];
        y = _e11 + _e17;
    }
    uint _e20 = row;
    float _e25 = y;
    act[(out + (_e20 * width)) + n] = _e25;
    return;
}
uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
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
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint size [[threads_per_simdgroup]]
, device type_7 const& halves [[user(fake0)]]
, device type_9& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_9 const& vectors [[user(fake0)]]
, device type_7 const& x [[user(fake0)]]
, threadgroup type_10& tile_x
, threadgroup type_10& tile_w
, threadgroup type_11& spilled
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint part_at = 0u;
    bool local = {};
    uint e = {};
    metal::simdgroup_float8x8 c0_0_ = {};
    metal::simdgroup_float8x8 c0_1_ = {};
    metal::simdgroup_float8x8 c0_2_ = {};
    metal::simdgroup_float8x8 c0_3_ = {};
    metal::simdgroup_float8x8 c1_0_ = {};
    metal::simdgroup_float8x8 c1_1_ = {};
    metal::simdgroup_float8x8 c1_2_ = {};
    metal::simdgroup_float8x8 c1_3_ = {};
    metal::simdgroup_float8x8 c2_0_ = {};
    metal::simdgroup_float8x8 c2_1_ = {};
    metal::simdgroup_float8x8 c2_2_ = {};
    metal::simdgroup_float8x8 c2_3_ = {};
    metal::simdgroup_float8x8 c3_0_ = {};
    metal::simdgroup_float8x8 c3_1_ = {};
    metal::simdgroup_float8x8 c3_2_ = {};
    metal::simdgroup_float8x8 c3_3_ = {};
    metal::half4 x0_ = {};
    metal::half4 x1_ = {};
    metal::half4 x2_ = {};
    metal::half4 x3_ = {};
    metal::half4 w0_ = {};
    metal::half4 w1_ = {};
    metal::half4 w2_ = {};
    metal::half4 w3_ = {};
    uint k0_ = {};
    bool local_1 = {};
    bool local_2 = {};
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
    uint e_16 = {};
    uint2 loop_bound = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        uint _e7 = part_at;
        uint _e12 = p.count;
        if ((_e7 + 1u) < _e12) {
            uint _e19 = part_at;
            uint _e26 = p.parts.inner[(_e19 + 1u) * 2u].x;
            local = group.y >= _e26;
        } else {
            local = false;
        }
        bool _e29 = local;
        if (_e29) {
        } else {
            break;
        }
        {
            uint _e31 = part_at;
            part_at = _e31 + 1u;
        }
    }
    uint _e35 = part_at;
    metal::uint4 part = p.parts.inner[_e35 * 2u];
    uint _e42 = part_at;
    metal::uint4 at = p.parts.inner[(_e42 * 2u) + 1u];
    Planes planes = Planes {at.x, at.y, at.z, at.w};
    uint t0_ = group.x * TILE_T;
    uint n0_ = metal::min((group.y - part.x) * TILE_N, part.y - TILE_N);
    uint bias_1 = part.w;
    uint sub_t = naga_div(subgroup, 2u) * SUB_T;
    uint sub_n = naga_mod(subgroup, 2u) * SUB_N;
    uint corner = subgroup * SPILLED;
    e = lane;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e87 = e;
            e = _e87 + size;
        }
        loop_init = false;
        uint _e79 = e;
        if (_e79 < 64u) {
        } else {
            break;
        }
        {
            uint _e83 = e;
            spilled.inner[corner + _e83] = 0.0;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    c0_0_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c0_1_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c0_2_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c0_3_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c1_0_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c1_1_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c1_2_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c1_3_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c2_0_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c2_1_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c2_2_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c2_3_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c3_0_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c3_1_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c3_2_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    c3_3_ = NagaCooperativeLoad(&spilled.inner[corner], SIDE, false);
    uint begin = (group.z * SPLIT) * 32u;
    uint end = begin + 4096u;
    uint group_row = naga_div(me, 8u);
    uint row_1 = ((naga_div(group_row, SPREAD) * SPREAD) + (naga_mod(group_row, 2u) * 4u)) + naga_mod(naga_div(group_row, 2u), 4u);
    uint column = naga_mod(me, 8u);
    uint to = (row_1 * 10u) + column;
    uint x_at = (((t0_ + row_1) * BLOCKS) * 8u) + column;
    uint x_at0_ = x_at + 0u;
    uint x_at1_ = x_at + 16384u;
    uint x_at2_ = x_at + 32768u;
    uint x_at3_ = x_at + 49152u;
    uint w_first = ((planes.codes * 2u) + ((((0u + n0_) + row_1) * BLOCKS) * 8u)) + column;
    uint w_at0_ = w_first + 0u;
    uint w_at1_ = w_first + 16384u;
    uint w_at2_ = w_first + 32768u;
    uint w_at3_ = w_first + 49152u;
    metal::half4 _e235 = x[x_at0_ + naga_div(begin, 4u)];
    x0_ = _e235;
    metal::half4 _e242 = x[x_at1_ + naga_div(begin, 4u)];
    x1_ = _e242;
    metal::half4 _e249 = x[x_at2_ + naga_div(begin, 4u)];
    x2_ = _e249;
    metal::half4 _e256 = x[x_at3_ + naga_div(begin, 4u)];
    x3_ = _e256;
    metal::half4 _e263 = halves[w_at0_ + naga_div(begin, 4u)];
    w0_ = _e263;
    metal::half4 _e270 = halves[w_at1_ + naga_div(begin, 4u)];
    w1_ = _e270;
    metal::half4 _e277 = halves[w_at2_ + naga_div(begin, 4u)];
    w2_ = _e277;
    metal::half4 _e284 = halves[w_at3_ + naga_div(begin, 4u)];
    w3_ = _e284;
    k0_ = begin;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1161 = k0_;
            k0_ = _e1161 + TILE_K;
        }
        loop_init_1 = false;
        uint _e287 = k0_;
        if (_e287 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            half _e298 = x0_.x;
            tile_x.inner[((to + 0u) * 4u) + 0u] = _e298;
            half _e308 = x0_.y;
            tile_x.inner[((to + 0u) * 4u) + 1u] = _e308;
            half _e318 = x0_.z;
            tile_x.inner[((to + 0u) * 4u) + 2u] = _e318;
            half _e328 = x0_.w;
            tile_x.inner[((to + 0u) * 4u) + 3u] = _e328;
            half _e338 = x1_.x;
            tile_x.inner[((to + 160u) * 4u) + 0u] = _e338;
            half _e348 = x1_.y;
            tile_x.inner[((to + 160u) * 4u) + 1u] = _e348;
            half _e358 = x1_.z;
            tile_x.inner[((to + 160u) * 4u) + 2u] = _e358;
            half _e368 = x1_.w;
            tile_x.inner[((to + 160u) * 4u) + 3u] = _e368;
            half _e378 = x2_.x;
            tile_x.inner[((to + 320u) * 4u) + 0u] = _e378;
            half _e388 = x2_.y;
            tile_x.inner[((to + 320u) * 4u) + 1u] = _e388;
            half _e398 = x2_.z;
            tile_x.inner[((to + 320u) * 4u) + 2u] = _e398;
            half _e408 = x2_.w;
            tile_x.inner[((to + 320u) * 4u) + 3u] = _e408;
            half _e418 = x3_.x;
            tile_x.inner[((to + 480u) * 4u) + 0u] = _e418;
            half _e428 = x3_.y;
            tile_x.inner[((to + 480u) * 4u) + 1u] = _e428;
            half _e438 = x3_.z;
            tile_x.inner[((to + 480u) * 4u) + 2u] = _e438;
            half _e448 = x3_.w;
            tile_x.inner[((to + 480u) * 4u) + 3u] = _e448;
            half _e458 = w0_.x;
            tile_w.inner[((to + 0u) * 4u) + 0u] = _e458;
            half _e468 = w0_.y;
            tile_w.inner[((to + 0u) * 4u) + 1u] = _e468;
            half _e478 = w0_.z;
            tile_w.inner[((to + 0u) * 4u) + 2u] = _e478;
            half _e488 = w0_.w;
            tile_w.inner[((to + 0u) * 4u) + 3u] = _e488;
            half _e498 = w1_.x;
            tile_w.inner[((to + 160u) * 4u) + 0u] = _e498;
            half _e508 = w1_.y;
            tile_w.inner[((to + 160u) * 4u) + 1u] = _e508;
            half _e518 = w1_.z;
            tile_w.inner[((to + 160u) * 4u) + 2u] = _e518;
            half _e528 = w1_.w;
            tile_w.inner[((to + 160u) * 4u) + 3u] = _e528;
            half _e538 = w2_.x;
            tile_w.inner[((to + 320u) * 4u) + 0u] = _e538;
            half _e548 = w2_.y;
            tile_w.inner[((to + 320u) * 4u) + 1u] = _e548;
            half _e558 = w2_.z;
            tile_w.inner[((to + 320u) * 4u) + 2u] = _e558;
            half _e568 = w2_.w;
            tile_w.inner[((to + 320u) * 4u) + 3u] = _e568;
            half _e578 = w3_.x;
            tile_w.inner[((to + 480u) * 4u) + 0u] = _e578;
            half _e588 = w3_.y;
            tile_w.inner[((to + 480u) * 4u) + 1u] = _e588;
            half _e598 = w3_.z;
            tile_w.inner[((to + 480u) * 4u) + 2u] = _e598;
            half _e608 = w3_.w;
            tile_w.inner[((to + 480u) * 4u) + 3u] = _e608;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e609 = k0_;
            uint next = naga_div(metal::min(_e609 + TILE_K, end - TILE_K), 4u);
            metal::half4 _e620 = x[x_at0_ + next];
            x0_ = _e620;
            metal::half4 _e624 = x[x_at1_ + next];
            x1_ = _e624;
            metal::half4 _e628 = x[x_at2_ + next];
            x2_ = _e628;
            metal::half4 _e632 = x[x_at3_ + next];
            x3_ = _e632;
            metal::half4 _e636 = halves[w_at0_ + next];
            w0_ = _e636;
            metal::half4 _e640 = halves[w_at1_ + next];
            w1_ = _e640;
            metal::half4 _e644 = halves[w_at2_ + next];
            w2_ = _e644;
            metal::half4 _e648 = halves[w_at3_ + next];
            w3_ = _e648;
            uint ia0_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 a0_0_ = NagaCooperativeLoad(&tile_x.inner[ia0_0_], 40u, false);
            uint ia0_1_ = naga_div((sub_t + 8u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 a0_1_ = NagaCooperativeLoad(&tile_x.inner[ia0_1_], 40u, false);
            uint ia0_2_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 a0_2_ = NagaCooperativeLoad(&tile_x.inner[ia0_2_], 40u, false);
            uint ia0_3_ = naga_div((sub_t + 24u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 a0_3_ = NagaCooperativeLoad(&tile_x.inner[ia0_3_], 40u, false);
            uint ib0_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 b0_0_ = NagaCooperativeLoad(&tile_w.inner[ib0_0_], 40u, true);
            uint ib0_1_ = naga_div((sub_n + 8u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 b0_1_ = NagaCooperativeLoad(&tile_w.inner[ib0_1_], 40u, true);
            uint ib0_2_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 b0_2_ = NagaCooperativeLoad(&tile_w.inner[ib0_2_], 40u, true);
            uint ib0_3_ = naga_div((sub_n + 24u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half8x8 b0_3_ = NagaCooperativeLoad(&tile_w.inner[ib0_3_], 40u, true);
            metal::simdgroup_float8x8 _e745 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e745);
            metal::simdgroup_float8x8 _e747 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e747);
            metal::simdgroup_float8x8 _e749 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e749);
            metal::simdgroup_float8x8 _e751 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e751);
            metal::simdgroup_float8x8 _e753 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e753);
            metal::simdgroup_float8x8 _e755 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e755);
            metal::simdgroup_float8x8 _e757 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e757);
            metal::simdgroup_float8x8 _e759 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e759);
            metal::simdgroup_float8x8 _e761 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e761);
            metal::simdgroup_float8x8 _e763 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e763);
            metal::simdgroup_float8x8 _e765 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e765);
            metal::simdgroup_float8x8 _e767 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e767);
            metal::simdgroup_float8x8 _e769 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e769);
            metal::simdgroup_float8x8 _e771 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e771);
            metal::simdgroup_float8x8 _e773 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e773);
            metal::simdgroup_float8x8 _e775 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e775);
            uint ia1_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 a1_0_ = NagaCooperativeLoad(&tile_x.inner[ia1_0_], 40u, false);
            uint ia1_1_ = naga_div((sub_t + 8u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 a1_1_ = NagaCooperativeLoad(&tile_x.inner[ia1_1_], 40u, false);
            uint ia1_2_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 a1_2_ = NagaCooperativeLoad(&tile_x.inner[ia1_2_], 40u, false);
            uint ia1_3_ = naga_div((sub_t + 24u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 a1_3_ = NagaCooperativeLoad(&tile_x.inner[ia1_3_], 40u, false);
            uint ib1_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 b1_0_ = NagaCooperativeLoad(&tile_w.inner[ib1_0_], 40u, true);
            uint ib1_1_ = naga_div((sub_n + 8u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 b1_1_ = NagaCooperativeLoad(&tile_w.inner[ib1_1_], 40u, true);
            uint ib1_2_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 b1_2_ = NagaCooperativeLoad(&tile_w.inner[ib1_2_], 40u, true);
            uint ib1_3_ = naga_div((sub_n + 24u) * STRIDE, ELEMENT) + 8u;
            metal::simdgroup_half8x8 b1_3_ = NagaCooperativeLoad(&tile_w.inner[ib1_3_], 40u, true);
            metal::simdgroup_float8x8 _e873 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e873);
            metal::simdgroup_float8x8 _e875 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e875);
            metal::simdgroup_float8x8 _e877 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e877);
            metal::simdgroup_float8x8 _e879 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e879);
            metal::simdgroup_float8x8 _e881 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e881);
            metal::simdgroup_float8x8 _e883 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e883);
            metal::simdgroup_float8x8 _e885 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e885);
            metal::simdgroup_float8x8 _e887 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e887);
            metal::simdgroup_float8x8 _e889 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e889);
            metal::simdgroup_float8x8 _e891 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e891);
            metal::simdgroup_float8x8 _e893 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e893);
            metal::simdgroup_float8x8 _e895 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e895);
            metal::simdgroup_float8x8 _e897 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e897);
            metal::simdgroup_float8x8 _e899 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e899);
            metal::simdgroup_float8x8 _e901 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e901);
            metal::simdgroup_float8x8 _e903 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e903);
            uint ia2_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 a2_0_ = NagaCooperativeLoad(&tile_x.inner[ia2_0_], 40u, false);
            uint ia2_1_ = naga_div((sub_t + 8u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 a2_1_ = NagaCooperativeLoad(&tile_x.inner[ia2_1_], 40u, false);
            uint ia2_2_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 a2_2_ = NagaCooperativeLoad(&tile_x.inner[ia2_2_], 40u, false);
            uint ia2_3_ = naga_div((sub_t + 24u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 a2_3_ = NagaCooperativeLoad(&tile_x.inner[ia2_3_], 40u, false);
            uint ib2_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 b2_0_ = NagaCooperativeLoad(&tile_w.inner[ib2_0_], 40u, true);
            uint ib2_1_ = naga_div((sub_n + 8u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 b2_1_ = NagaCooperativeLoad(&tile_w.inner[ib2_1_], 40u, true);
            uint ib2_2_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 b2_2_ = NagaCooperativeLoad(&tile_w.inner[ib2_2_], 40u, true);
            uint ib2_3_ = naga_div((sub_n + 24u) * STRIDE, ELEMENT) + 16u;
            metal::simdgroup_half8x8 b2_3_ = NagaCooperativeLoad(&tile_w.inner[ib2_3_], 40u, true);
            metal::simdgroup_float8x8 _e1001 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a2_0_, b2_0_, _e1001);
            metal::simdgroup_float8x8 _e1003 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a2_0_, b2_1_, _e1003);
            metal::simdgroup_float8x8 _e1005 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a2_0_, b2_2_, _e1005);
            metal::simdgroup_float8x8 _e1007 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a2_0_, b2_3_, _e1007);
            metal::simdgroup_float8x8 _e1009 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a2_1_, b2_0_, _e1009);
            metal::simdgroup_float8x8 _e1011 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a2_1_, b2_1_, _e1011);
            metal::simdgroup_float8x8 _e1013 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a2_1_, b2_2_, _e1013);
            metal::simdgroup_float8x8 _e1015 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a2_1_, b2_3_, _e1015);
            metal::simdgroup_float8x8 _e1017 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a2_2_, b2_0_, _e1017);
            metal::simdgroup_float8x8 _e1019 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a2_2_, b2_1_, _e1019);
            metal::simdgroup_float8x8 _e1021 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a2_2_, b2_2_, _e1021);
            metal::simdgroup_float8x8 _e1023 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a2_2_, b2_3_, _e1023);
            metal::simdgroup_float8x8 _e1025 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a2_3_, b2_0_, _e1025);
            metal::simdgroup_float8x8 _e1027 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a2_3_, b2_1_, _e1027);
            metal::simdgroup_float8x8 _e1029 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a2_3_, b2_2_, _e1029);
            metal::simdgroup_float8x8 _e1031 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a2_3_, b2_3_, _e1031);
            uint ia3_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 a3_0_ = NagaCooperativeLoad(&tile_x.inner[ia3_0_], 40u, false);
            uint ia3_1_ = naga_div((sub_t + 8u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 a3_1_ = NagaCooperativeLoad(&tile_x.inner[ia3_1_], 40u, false);
            uint ia3_2_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 a3_2_ = NagaCooperativeLoad(&tile_x.inner[ia3_2_], 40u, false);
            uint ia3_3_ = naga_div((sub_t + 24u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 a3_3_ = NagaCooperativeLoad(&tile_x.inner[ia3_3_], 40u, false);
            uint ib3_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 b3_0_ = NagaCooperativeLoad(&tile_w.inner[ib3_0_], 40u, true);
            uint ib3_1_ = naga_div((sub_n + 8u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 b3_1_ = NagaCooperativeLoad(&tile_w.inner[ib3_1_], 40u, true);
            uint ib3_2_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 b3_2_ = NagaCooperativeLoad(&tile_w.inner[ib3_2_], 40u, true);
            uint ib3_3_ = naga_div((sub_n + 24u) * STRIDE, ELEMENT) + 24u;
            metal::simdgroup_half8x8 b3_3_ = NagaCooperativeLoad(&tile_w.inner[ib3_3_], 40u, true);
            metal::simdgroup_float8x8 _e1129 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a3_0_, b3_0_, _e1129);
            metal::simdgroup_float8x8 _e1131 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a3_0_, b3_1_, _e1131);
            metal::simdgroup_float8x8 _e1133 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a3_0_, b3_2_, _e1133);
            metal::simdgroup_float8x8 _e1135 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a3_0_, b3_3_, _e1135);
            metal::simdgroup_float8x8 _e1137 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a3_1_, b3_0_, _e1137);
            metal::simdgroup_float8x8 _e1139 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a3_1_, b3_1_, _e1139);
            metal::simdgroup_float8x8 _e1141 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a3_1_, b3_2_, _e1141);
            metal::simdgroup_float8x8 _e1143 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a3_1_, b3_3_, _e1143);
            metal::simdgroup_float8x8 _e1145 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a3_2_, b3_0_, _e1145);
            metal::simdgroup_float8x8 _e1147 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a3_2_, b3_1_, _e1147);
            metal::simdgroup_float8x8 _e1149 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a3_2_, b3_2_, _e1149);
            metal::simdgroup_float8x8 _e1151 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a3_2_, b3_3_, _e1151);
            metal::simdgroup_float8x8 _e1153 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a3_3_, b3_0_, _e1153);
            metal::simdgroup_float8x8 _e1155 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a3_3_, b3_1_, _e1155);
            metal::simdgroup_float8x8 _e1157 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a3_3_, b3_2_, _e1157);
            metal::simdgroup_float8x8 _e1159 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a3_3_, b3_3_, _e1159);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = naga_mod(width_1, 4u) == 0u;
    } else {
        local_1 = false;
    }
    bool _e1181 = local_1;
    if (_e1181) {
        local_2 = bias_1 == 0u;
    } else {
        local_2 = false;
    }
    bool _e1187 = local_2;
    if (_e1187) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1197 = c0_0_;
        simdgroup_store(_e1197, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1209 = c0_1_;
        simdgroup_store(_e1209, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1221 = c0_2_;
        simdgroup_store(_e1221, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1233 = c0_3_;
        simdgroup_store(_e1233, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1245 = c1_0_;
        simdgroup_store(_e1245, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1257 = c1_1_;
        simdgroup_store(_e1257, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1269 = c1_2_;
        simdgroup_store(_e1269, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1281 = c1_3_;
        simdgroup_store(_e1281, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1293 = c2_0_;
        simdgroup_store(_e1293, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1305 = c2_1_;
        simdgroup_store(_e1305, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1317 = c2_2_;
        simdgroup_store(_e1317, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1329 = c2_3_;
        simdgroup_store(_e1329, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1341 = c3_0_;
        simdgroup_store(_e1341, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1353 = c3_1_;
        simdgroup_store(_e1353, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1365 = c3_2_;
        simdgroup_store(_e1365, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1377 = c3_3_;
        simdgroup_store(_e1377, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float8x8 _e1380 = c0_0_;
    simdgroup_store(_e1380, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1407 = e_1;
            e_1 = _e1407 + size;
        }
        loop_init_2 = false;
        uint _e1385 = e_1;
        if (_e1385 < 64u) {
        } else {
            break;
        }
        {
            uint _e1391 = e_1;
            uint _e1398 = e_1;
            uint _e1403 = e_1;
            float _e1406 = spilled.inner[corner + _e1403];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1391, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1398, SIDE), _e1406, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1409 = c0_1_;
    simdgroup_store(_e1409, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e1436 = e_2;
            e_2 = _e1436 + size;
        }
        loop_init_3 = false;
        uint _e1414 = e_2;
        if (_e1414 < 64u) {
        } else {
            break;
        }
        {
            uint _e1420 = e_2;
            uint _e1427 = e_2;
            uint _e1432 = e_2;
            float _e1435 = spilled.inner[corner + _e1432];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1420, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1427, SIDE), _e1435, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1438 = c0_2_;
    simdgroup_store(_e1438, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1465 = e_3;
            e_3 = _e1465 + size;
        }
        loop_init_4 = false;
        uint _e1443 = e_3;
        if (_e1443 < 64u) {
        } else {
            break;
        }
        {
            uint _e1449 = e_3;
            uint _e1456 = e_3;
            uint _e1461 = e_3;
            float _e1464 = spilled.inner[corner + _e1461];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1449, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1456, SIDE), _e1464, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1467 = c0_3_;
    simdgroup_store(_e1467, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1494 = e_4;
            e_4 = _e1494 + size;
        }
        loop_init_5 = false;
        uint _e1472 = e_4;
        if (_e1472 < 64u) {
        } else {
            break;
        }
        {
            uint _e1478 = e_4;
            uint _e1485 = e_4;
            uint _e1490 = e_4;
            float _e1493 = spilled.inner[corner + _e1490];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1478, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1485, SIDE), _e1493, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1496 = c1_0_;
    simdgroup_store(_e1496, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e1523 = e_5;
            e_5 = _e1523 + size;
        }
        loop_init_6 = false;
        uint _e1501 = e_5;
        if (_e1501 < 64u) {
        } else {
            break;
        }
        {
            uint _e1507 = e_5;
            uint _e1514 = e_5;
            uint _e1519 = e_5;
            float _e1522 = spilled.inner[corner + _e1519];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1507, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1514, SIDE), _e1522, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1525 = c1_1_;
    simdgroup_store(_e1525, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1552 = e_6;
            e_6 = _e1552 + size;
        }
        loop_init_7 = false;
        uint _e1530 = e_6;
        if (_e1530 < 64u) {
        } else {
            break;
        }
        {
            uint _e1536 = e_6;
            uint _e1543 = e_6;
            uint _e1548 = e_6;
            float _e1551 = spilled.inner[corner + _e1548];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1536, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1543, SIDE), _e1551, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1554 = c1_2_;
    simdgroup_store(_e1554, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1581 = e_7;
            e_7 = _e1581 + size;
        }
        loop_init_8 = false;
        uint _e1559 = e_7;
        if (_e1559 < 64u) {
        } else {
            break;
        }
        {
            uint _e1565 = e_7;
            uint _e1572 = e_7;
            uint _e1577 = e_7;
            float _e1580 = spilled.inner[corner + _e1577];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1565, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1572, SIDE), _e1580, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1583 = c1_3_;
    simdgroup_store(_e1583, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1610 = e_8;
            e_8 = _e1610 + size;
        }
        loop_init_9 = false;
        uint _e1588 = e_8;
        if (_e1588 < 64u) {
        } else {
            break;
        }
        {
            uint _e1594 = e_8;
            uint _e1601 = e_8;
            uint _e1606 = e_8;
            float _e1609 = spilled.inner[corner + _e1606];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1594, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1601, SIDE), _e1609, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1612 = c2_0_;
    simdgroup_store(_e1612, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1639 = e_9;
            e_9 = _e1639 + size;
        }
        loop_init_10 = false;
        uint _e1617 = e_9;
        if (_e1617 < 64u) {
        } else {
            break;
        }
        {
            uint _e1623 = e_9;
            uint _e1630 = e_9;
            uint _e1635 = e_9;
            float _e1638 = spilled.inner[corner + _e1635];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1623, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1630, SIDE), _e1638, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1641 = c2_1_;
    simdgroup_store(_e1641, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1668 = e_10;
            e_10 = _e1668 + size;
        }
        loop_init_11 = false;
        uint _e1646 = e_10;
        if (_e1646 < 64u) {
        } else {
            break;
        }
        {
            uint _e1652 = e_10;
            uint _e1659 = e_10;
            uint _e1664 = e_10;
            float _e1667 = spilled.inner[corner + _e1664];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1652, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1659, SIDE), _e1667, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1670 = c2_2_;
    simdgroup_store(_e1670, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1697 = e_11;
            e_11 = _e1697 + size;
        }
        loop_init_12 = false;
        uint _e1675 = e_11;
        if (_e1675 < 64u) {
        } else {
            break;
        }
        {
            uint _e1681 = e_11;
            uint _e1688 = e_11;
            uint _e1693 = e_11;
            float _e1696 = spilled.inner[corner + _e1693];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1681, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1688, SIDE), _e1696, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1699 = c2_3_;
    simdgroup_store(_e1699, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1726 = e_12;
            e_12 = _e1726 + size;
        }
        loop_init_13 = false;
        uint _e1704 = e_12;
        if (_e1704 < 64u) {
        } else {
            break;
        }
        {
            uint _e1710 = e_12;
            uint _e1717 = e_12;
            uint _e1722 = e_12;
            float _e1725 = spilled.inner[corner + _e1722];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1710, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1717, SIDE), _e1725, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1728 = c3_0_;
    simdgroup_store(_e1728, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1755 = e_13;
            e_13 = _e1755 + size;
        }
        loop_init_14 = false;
        uint _e1733 = e_13;
        if (_e1733 < 64u) {
        } else {
            break;
        }
        {
            uint _e1739 = e_13;
            uint _e1746 = e_13;
            uint _e1751 = e_13;
            float _e1754 = spilled.inner[corner + _e1751];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1739, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1746, SIDE), _e1754, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1757 = c3_1_;
    simdgroup_store(_e1757, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1784 = e_14;
            e_14 = _e1784 + size;
        }
        loop_init_15 = false;
        uint _e1762 = e_14;
        if (_e1762 < 64u) {
        } else {
            break;
        }
        {
            uint _e1768 = e_14;
            uint _e1775 = e_14;
            uint _e1780 = e_14;
            float _e1783 = spilled.inner[corner + _e1780];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1768, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1775, SIDE), _e1783, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1786 = c3_2_;
    simdgroup_store(_e1786, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1813 = e_15;
            e_15 = _e1813 + size;
        }
        loop_init_16 = false;
        uint _e1791 = e_15;
        if (_e1791 < 64u) {
        } else {
            break;
        }
        {
            uint _e1797 = e_15;
            uint _e1804 = e_15;
            uint _e1809 = e_15;
            float _e1812 = spilled.inner[corner + _e1809];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1797, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1804, SIDE), _e1812, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1815 = c3_3_;
    simdgroup_store(_e1815, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_16 = lane;
    uint2 loop_bound_18 = uint2(4294967295u);
    bool loop_init_17 = true;
    while(true) {
        if (metal::all(loop_bound_18 == uint2(0u))) { break; }
        loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
        if (!loop_init_17) {
            uint _e1842 = e_16;
            e_16 = _e1842 + size;
        }
        loop_init_17 = false;
        uint _e1820 = e_16;
        if (_e1820 < 64u) {
        } else {
            break;
        }
        {
            uint _e1826 = e_16;
            uint _e1833 = e_16;
            uint _e1838 = e_16;
            float _e1841 = spilled.inner[corner + _e1838];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1826, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1833, SIDE), _e1841, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
