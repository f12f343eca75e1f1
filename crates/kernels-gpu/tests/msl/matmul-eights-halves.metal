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
    uint depth;
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
    uint n0_ = (group.y - part.x) * TILE_N;
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
            uint _e83 = e;
            e = _e83 + size;
        }
        loop_init = false;
        uint _e75 = e;
        if (_e75 < 64u) {
        } else {
            break;
        }
        {
            uint _e79 = e;
            spilled.inner[corner + _e79] = 0.0;
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
    uint _e168 = p.depth;
    uint begin = (group.z * _e168) * 32u;
    uint _e174 = p.blocks;
    uint _e177 = p.blocks;
    uint _e183 = p.depth;
    uint _e188 = p.depth;
    uint end = ((_e188 > 0u) ? metal::min(_e177, (group.z + 1u) * _e183) : _e174) * 32u;
    uint group_row = naga_div(me, 8u);
    uint row_1 = ((naga_div(group_row, 8u) * 8u) + (naga_mod(group_row, 2u) * 4u)) + naga_mod(naga_div(group_row, 2u), 4u);
    uint column = naga_mod(me, 8u);
    uint to = (row_1 * 10u) + column;
    uint _e218 = p.blocks;
    uint x_at = (((t0_ + row_1) * _e218) * 8u) + column;
    uint _e226 = p.blocks;
    uint x_at0_ = x_at + ((0u * _e226) * 8u);
    uint _e234 = p.blocks;
    uint x_at1_ = x_at + ((16u * _e234) * 8u);
    uint _e242 = p.blocks;
    uint x_at2_ = x_at + ((32u * _e242) * 8u);
    uint _e250 = p.blocks;
    uint x_at3_ = x_at + ((48u * _e250) * 8u);
    uint _e268 = p.blocks;
    uint w_at0_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 0u, part.y - 1u)) * _e268) * 8u)) + column;
    uint _e287 = p.blocks;
    uint w_at1_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 16u, part.y - 1u)) * _e287) * 8u)) + column;
    uint _e306 = p.blocks;
    uint w_at2_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 32u, part.y - 1u)) * _e306) * 8u)) + column;
    uint _e325 = p.blocks;
    uint w_at3_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 48u, part.y - 1u)) * _e325) * 8u)) + column;
    metal::half4 _e336 = x[x_at0_ + naga_div(begin, 4u)];
    x0_ = _e336;
    metal::half4 _e343 = x[x_at1_ + naga_div(begin, 4u)];
    x1_ = _e343;
    metal::half4 _e350 = x[x_at2_ + naga_div(begin, 4u)];
    x2_ = _e350;
    metal::half4 _e357 = x[x_at3_ + naga_div(begin, 4u)];
    x3_ = _e357;
    metal::half4 _e364 = halves[w_at0_ + naga_div(begin, 4u)];
    w0_ = _e364;
    metal::half4 _e371 = halves[w_at1_ + naga_div(begin, 4u)];
    w1_ = _e371;
    metal::half4 _e378 = halves[w_at2_ + naga_div(begin, 4u)];
    w2_ = _e378;
    metal::half4 _e385 = halves[w_at3_ + naga_div(begin, 4u)];
    w3_ = _e385;
    k0_ = begin;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1262 = k0_;
            k0_ = _e1262 + TILE_K;
        }
        loop_init_1 = false;
        uint _e388 = k0_;
        if (_e388 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            half _e399 = x0_.x;
            tile_x.inner[((to + 0u) * 4u) + 0u] = _e399;
            half _e409 = x0_.y;
            tile_x.inner[((to + 0u) * 4u) + 1u] = _e409;
            half _e419 = x0_.z;
            tile_x.inner[((to + 0u) * 4u) + 2u] = _e419;
            half _e429 = x0_.w;
            tile_x.inner[((to + 0u) * 4u) + 3u] = _e429;
            half _e439 = x1_.x;
            tile_x.inner[((to + 160u) * 4u) + 0u] = _e439;
            half _e449 = x1_.y;
            tile_x.inner[((to + 160u) * 4u) + 1u] = _e449;
            half _e459 = x1_.z;
            tile_x.inner[((to + 160u) * 4u) + 2u] = _e459;
            half _e469 = x1_.w;
            tile_x.inner[((to + 160u) * 4u) + 3u] = _e469;
            half _e479 = x2_.x;
            tile_x.inner[((to + 320u) * 4u) + 0u] = _e479;
            half _e489 = x2_.y;
            tile_x.inner[((to + 320u) * 4u) + 1u] = _e489;
            half _e499 = x2_.z;
            tile_x.inner[((to + 320u) * 4u) + 2u] = _e499;
            half _e509 = x2_.w;
            tile_x.inner[((to + 320u) * 4u) + 3u] = _e509;
            half _e519 = x3_.x;
            tile_x.inner[((to + 480u) * 4u) + 0u] = _e519;
            half _e529 = x3_.y;
            tile_x.inner[((to + 480u) * 4u) + 1u] = _e529;
            half _e539 = x3_.z;
            tile_x.inner[((to + 480u) * 4u) + 2u] = _e539;
            half _e549 = x3_.w;
            tile_x.inner[((to + 480u) * 4u) + 3u] = _e549;
            half _e559 = w0_.x;
            tile_w.inner[((to + 0u) * 4u) + 0u] = _e559;
            half _e569 = w0_.y;
            tile_w.inner[((to + 0u) * 4u) + 1u] = _e569;
            half _e579 = w0_.z;
            tile_w.inner[((to + 0u) * 4u) + 2u] = _e579;
            half _e589 = w0_.w;
            tile_w.inner[((to + 0u) * 4u) + 3u] = _e589;
            half _e599 = w1_.x;
            tile_w.inner[((to + 160u) * 4u) + 0u] = _e599;
            half _e609 = w1_.y;
            tile_w.inner[((to + 160u) * 4u) + 1u] = _e609;
            half _e619 = w1_.z;
            tile_w.inner[((to + 160u) * 4u) + 2u] = _e619;
            half _e629 = w1_.w;
            tile_w.inner[((to + 160u) * 4u) + 3u] = _e629;
            half _e639 = w2_.x;
            tile_w.inner[((to + 320u) * 4u) + 0u] = _e639;
            half _e649 = w2_.y;
            tile_w.inner[((to + 320u) * 4u) + 1u] = _e649;
            half _e659 = w2_.z;
            tile_w.inner[((to + 320u) * 4u) + 2u] = _e659;
            half _e669 = w2_.w;
            tile_w.inner[((to + 320u) * 4u) + 3u] = _e669;
            half _e679 = w3_.x;
            tile_w.inner[((to + 480u) * 4u) + 0u] = _e679;
            half _e689 = w3_.y;
            tile_w.inner[((to + 480u) * 4u) + 1u] = _e689;
            half _e699 = w3_.z;
            tile_w.inner[((to + 480u) * 4u) + 2u] = _e699;
            half _e709 = w3_.w;
            tile_w.inner[((to + 480u) * 4u) + 3u] = _e709;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e710 = k0_;
            uint next = naga_div(metal::min(_e710 + TILE_K, end - TILE_K), 4u);
            metal::half4 _e721 = x[x_at0_ + next];
            x0_ = _e721;
            metal::half4 _e725 = x[x_at1_ + next];
            x1_ = _e725;
            metal::half4 _e729 = x[x_at2_ + next];
            x2_ = _e729;
            metal::half4 _e733 = x[x_at3_ + next];
            x3_ = _e733;
            metal::half4 _e737 = halves[w_at0_ + next];
            w0_ = _e737;
            metal::half4 _e741 = halves[w_at1_ + next];
            w1_ = _e741;
            metal::half4 _e745 = halves[w_at2_ + next];
            w2_ = _e745;
            metal::half4 _e749 = halves[w_at3_ + next];
            w3_ = _e749;
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
            metal::simdgroup_float8x8 _e846 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e846);
            metal::simdgroup_float8x8 _e848 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e848);
            metal::simdgroup_float8x8 _e850 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e850);
            metal::simdgroup_float8x8 _e852 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e852);
            metal::simdgroup_float8x8 _e854 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e854);
            metal::simdgroup_float8x8 _e856 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e856);
            metal::simdgroup_float8x8 _e858 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e858);
            metal::simdgroup_float8x8 _e860 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e860);
            metal::simdgroup_float8x8 _e862 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e862);
            metal::simdgroup_float8x8 _e864 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e864);
            metal::simdgroup_float8x8 _e866 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e866);
            metal::simdgroup_float8x8 _e868 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e868);
            metal::simdgroup_float8x8 _e870 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e870);
            metal::simdgroup_float8x8 _e872 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e872);
            metal::simdgroup_float8x8 _e874 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e874);
            metal::simdgroup_float8x8 _e876 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e876);
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
            metal::simdgroup_float8x8 _e974 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e974);
            metal::simdgroup_float8x8 _e976 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e976);
            metal::simdgroup_float8x8 _e978 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e978);
            metal::simdgroup_float8x8 _e980 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e980);
            metal::simdgroup_float8x8 _e982 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e982);
            metal::simdgroup_float8x8 _e984 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e984);
            metal::simdgroup_float8x8 _e986 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e986);
            metal::simdgroup_float8x8 _e988 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e988);
            metal::simdgroup_float8x8 _e990 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e990);
            metal::simdgroup_float8x8 _e992 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e992);
            metal::simdgroup_float8x8 _e994 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e994);
            metal::simdgroup_float8x8 _e996 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e996);
            metal::simdgroup_float8x8 _e998 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e998);
            metal::simdgroup_float8x8 _e1000 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e1000);
            metal::simdgroup_float8x8 _e1002 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e1002);
            metal::simdgroup_float8x8 _e1004 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e1004);
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
            metal::simdgroup_float8x8 _e1102 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a2_0_, b2_0_, _e1102);
            metal::simdgroup_float8x8 _e1104 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a2_0_, b2_1_, _e1104);
            metal::simdgroup_float8x8 _e1106 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a2_0_, b2_2_, _e1106);
            metal::simdgroup_float8x8 _e1108 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a2_0_, b2_3_, _e1108);
            metal::simdgroup_float8x8 _e1110 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a2_1_, b2_0_, _e1110);
            metal::simdgroup_float8x8 _e1112 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a2_1_, b2_1_, _e1112);
            metal::simdgroup_float8x8 _e1114 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a2_1_, b2_2_, _e1114);
            metal::simdgroup_float8x8 _e1116 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a2_1_, b2_3_, _e1116);
            metal::simdgroup_float8x8 _e1118 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a2_2_, b2_0_, _e1118);
            metal::simdgroup_float8x8 _e1120 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a2_2_, b2_1_, _e1120);
            metal::simdgroup_float8x8 _e1122 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a2_2_, b2_2_, _e1122);
            metal::simdgroup_float8x8 _e1124 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a2_2_, b2_3_, _e1124);
            metal::simdgroup_float8x8 _e1126 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a2_3_, b2_0_, _e1126);
            metal::simdgroup_float8x8 _e1128 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a2_3_, b2_1_, _e1128);
            metal::simdgroup_float8x8 _e1130 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a2_3_, b2_2_, _e1130);
            metal::simdgroup_float8x8 _e1132 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a2_3_, b2_3_, _e1132);
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
            metal::simdgroup_float8x8 _e1230 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a3_0_, b3_0_, _e1230);
            metal::simdgroup_float8x8 _e1232 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a3_0_, b3_1_, _e1232);
            metal::simdgroup_float8x8 _e1234 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a3_0_, b3_2_, _e1234);
            metal::simdgroup_float8x8 _e1236 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a3_0_, b3_3_, _e1236);
            metal::simdgroup_float8x8 _e1238 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a3_1_, b3_0_, _e1238);
            metal::simdgroup_float8x8 _e1240 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a3_1_, b3_1_, _e1240);
            metal::simdgroup_float8x8 _e1242 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a3_1_, b3_2_, _e1242);
            metal::simdgroup_float8x8 _e1244 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a3_1_, b3_3_, _e1244);
            metal::simdgroup_float8x8 _e1246 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a3_2_, b3_0_, _e1246);
            metal::simdgroup_float8x8 _e1248 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a3_2_, b3_1_, _e1248);
            metal::simdgroup_float8x8 _e1250 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a3_2_, b3_2_, _e1250);
            metal::simdgroup_float8x8 _e1252 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a3_2_, b3_3_, _e1252);
            metal::simdgroup_float8x8 _e1254 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a3_3_, b3_0_, _e1254);
            metal::simdgroup_float8x8 _e1256 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a3_3_, b3_1_, _e1256);
            metal::simdgroup_float8x8 _e1258 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a3_3_, b3_2_, _e1258);
            metal::simdgroup_float8x8 _e1260 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a3_3_, b3_3_, _e1260);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = bias_1 == 0u;
    } else {
        local_1 = false;
    }
    bool _e1280 = local_1;
    if (_e1280) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1290 = c0_0_;
        simdgroup_store(_e1290, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1302 = c0_1_;
        simdgroup_store(_e1302, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1314 = c0_2_;
        simdgroup_store(_e1314, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1326 = c0_3_;
        simdgroup_store(_e1326, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1338 = c1_0_;
        simdgroup_store(_e1338, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1350 = c1_1_;
        simdgroup_store(_e1350, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1362 = c1_2_;
        simdgroup_store(_e1362, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1374 = c1_3_;
        simdgroup_store(_e1374, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1386 = c2_0_;
        simdgroup_store(_e1386, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1398 = c2_1_;
        simdgroup_store(_e1398, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1410 = c2_2_;
        simdgroup_store(_e1410, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1422 = c2_3_;
        simdgroup_store(_e1422, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1434 = c3_0_;
        simdgroup_store(_e1434, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1446 = c3_1_;
        simdgroup_store(_e1446, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1458 = c3_2_;
        simdgroup_store(_e1458, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1470 = c3_3_;
        simdgroup_store(_e1470, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float8x8 _e1473 = c0_0_;
    simdgroup_store(_e1473, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1500 = e_1;
            e_1 = _e1500 + size;
        }
        loop_init_2 = false;
        uint _e1478 = e_1;
        if (_e1478 < 64u) {
        } else {
            break;
        }
        {
            uint _e1484 = e_1;
            uint _e1491 = e_1;
            uint _e1496 = e_1;
            float _e1499 = spilled.inner[corner + _e1496];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1484, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1491, SIDE), _e1499, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1502 = c0_1_;
    simdgroup_store(_e1502, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e1529 = e_2;
            e_2 = _e1529 + size;
        }
        loop_init_3 = false;
        uint _e1507 = e_2;
        if (_e1507 < 64u) {
        } else {
            break;
        }
        {
            uint _e1513 = e_2;
            uint _e1520 = e_2;
            uint _e1525 = e_2;
            float _e1528 = spilled.inner[corner + _e1525];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1513, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1520, SIDE), _e1528, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1531 = c0_2_;
    simdgroup_store(_e1531, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1558 = e_3;
            e_3 = _e1558 + size;
        }
        loop_init_4 = false;
        uint _e1536 = e_3;
        if (_e1536 < 64u) {
        } else {
            break;
        }
        {
            uint _e1542 = e_3;
            uint _e1549 = e_3;
            uint _e1554 = e_3;
            float _e1557 = spilled.inner[corner + _e1554];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1542, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1549, SIDE), _e1557, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1560 = c0_3_;
    simdgroup_store(_e1560, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1587 = e_4;
            e_4 = _e1587 + size;
        }
        loop_init_5 = false;
        uint _e1565 = e_4;
        if (_e1565 < 64u) {
        } else {
            break;
        }
        {
            uint _e1571 = e_4;
            uint _e1578 = e_4;
            uint _e1583 = e_4;
            float _e1586 = spilled.inner[corner + _e1583];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1571, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1578, SIDE), _e1586, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1589 = c1_0_;
    simdgroup_store(_e1589, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e1616 = e_5;
            e_5 = _e1616 + size;
        }
        loop_init_6 = false;
        uint _e1594 = e_5;
        if (_e1594 < 64u) {
        } else {
            break;
        }
        {
            uint _e1600 = e_5;
            uint _e1607 = e_5;
            uint _e1612 = e_5;
            float _e1615 = spilled.inner[corner + _e1612];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1600, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1607, SIDE), _e1615, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1618 = c1_1_;
    simdgroup_store(_e1618, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1645 = e_6;
            e_6 = _e1645 + size;
        }
        loop_init_7 = false;
        uint _e1623 = e_6;
        if (_e1623 < 64u) {
        } else {
            break;
        }
        {
            uint _e1629 = e_6;
            uint _e1636 = e_6;
            uint _e1641 = e_6;
            float _e1644 = spilled.inner[corner + _e1641];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1629, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1636, SIDE), _e1644, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1647 = c1_2_;
    simdgroup_store(_e1647, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1674 = e_7;
            e_7 = _e1674 + size;
        }
        loop_init_8 = false;
        uint _e1652 = e_7;
        if (_e1652 < 64u) {
        } else {
            break;
        }
        {
            uint _e1658 = e_7;
            uint _e1665 = e_7;
            uint _e1670 = e_7;
            float _e1673 = spilled.inner[corner + _e1670];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1658, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1665, SIDE), _e1673, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1676 = c1_3_;
    simdgroup_store(_e1676, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1703 = e_8;
            e_8 = _e1703 + size;
        }
        loop_init_9 = false;
        uint _e1681 = e_8;
        if (_e1681 < 64u) {
        } else {
            break;
        }
        {
            uint _e1687 = e_8;
            uint _e1694 = e_8;
            uint _e1699 = e_8;
            float _e1702 = spilled.inner[corner + _e1699];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1687, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1694, SIDE), _e1702, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1705 = c2_0_;
    simdgroup_store(_e1705, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1732 = e_9;
            e_9 = _e1732 + size;
        }
        loop_init_10 = false;
        uint _e1710 = e_9;
        if (_e1710 < 64u) {
        } else {
            break;
        }
        {
            uint _e1716 = e_9;
            uint _e1723 = e_9;
            uint _e1728 = e_9;
            float _e1731 = spilled.inner[corner + _e1728];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1716, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1723, SIDE), _e1731, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1734 = c2_1_;
    simdgroup_store(_e1734, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1761 = e_10;
            e_10 = _e1761 + size;
        }
        loop_init_11 = false;
        uint _e1739 = e_10;
        if (_e1739 < 64u) {
        } else {
            break;
        }
        {
            uint _e1745 = e_10;
            uint _e1752 = e_10;
            uint _e1757 = e_10;
            float _e1760 = spilled.inner[corner + _e1757];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1745, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1752, SIDE), _e1760, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1763 = c2_2_;
    simdgroup_store(_e1763, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1790 = e_11;
            e_11 = _e1790 + size;
        }
        loop_init_12 = false;
        uint _e1768 = e_11;
        if (_e1768 < 64u) {
        } else {
            break;
        }
        {
            uint _e1774 = e_11;
            uint _e1781 = e_11;
            uint _e1786 = e_11;
            float _e1789 = spilled.inner[corner + _e1786];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1774, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1781, SIDE), _e1789, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1792 = c2_3_;
    simdgroup_store(_e1792, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1819 = e_12;
            e_12 = _e1819 + size;
        }
        loop_init_13 = false;
        uint _e1797 = e_12;
        if (_e1797 < 64u) {
        } else {
            break;
        }
        {
            uint _e1803 = e_12;
            uint _e1810 = e_12;
            uint _e1815 = e_12;
            float _e1818 = spilled.inner[corner + _e1815];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1803, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1810, SIDE), _e1818, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1821 = c3_0_;
    simdgroup_store(_e1821, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1848 = e_13;
            e_13 = _e1848 + size;
        }
        loop_init_14 = false;
        uint _e1826 = e_13;
        if (_e1826 < 64u) {
        } else {
            break;
        }
        {
            uint _e1832 = e_13;
            uint _e1839 = e_13;
            uint _e1844 = e_13;
            float _e1847 = spilled.inner[corner + _e1844];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1832, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1839, SIDE), _e1847, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1850 = c3_1_;
    simdgroup_store(_e1850, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1877 = e_14;
            e_14 = _e1877 + size;
        }
        loop_init_15 = false;
        uint _e1855 = e_14;
        if (_e1855 < 64u) {
        } else {
            break;
        }
        {
            uint _e1861 = e_14;
            uint _e1868 = e_14;
            uint _e1873 = e_14;
            float _e1876 = spilled.inner[corner + _e1873];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1861, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1868, SIDE), _e1876, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1879 = c3_2_;
    simdgroup_store(_e1879, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1906 = e_15;
            e_15 = _e1906 + size;
        }
        loop_init_16 = false;
        uint _e1884 = e_15;
        if (_e1884 < 64u) {
        } else {
            break;
        }
        {
            uint _e1890 = e_15;
            uint _e1897 = e_15;
            uint _e1902 = e_15;
            float _e1905 = spilled.inner[corner + _e1902];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1890, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1897, SIDE), _e1905, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1908 = c3_3_;
    simdgroup_store(_e1908, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_16 = lane;
    uint2 loop_bound_18 = uint2(4294967295u);
    bool loop_init_17 = true;
    while(true) {
        if (metal::all(loop_bound_18 == uint2(0u))) { break; }
        loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
        if (!loop_init_17) {
            uint _e1935 = e_16;
            e_16 = _e1935 + size;
        }
        loop_init_17 = false;
        uint _e1913 = e_16;
        if (_e1913 < 64u) {
        } else {
            break;
        }
        {
            uint _e1919 = e_16;
            uint _e1926 = e_16;
            uint _e1931 = e_16;
            float _e1934 = spilled.inner[corner + _e1931];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1919, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1926, SIDE), _e1934, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
