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
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint STRIDE = 40u;
constant uint UNIT = 1u;
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
    uint row_1 = naga_div(me, 8u);
    uint column = naga_mod(me, 8u);
    uint to = (row_1 * 10u) + column;
    uint _e204 = p.blocks;
    uint x_at = (((t0_ + row_1) * _e204) * 8u) + column;
    uint _e212 = p.blocks;
    uint x_at0_ = x_at + ((0u * _e212) * 8u);
    uint _e220 = p.blocks;
    uint x_at1_ = x_at + ((16u * _e220) * 8u);
    uint _e228 = p.blocks;
    uint x_at2_ = x_at + ((32u * _e228) * 8u);
    uint _e236 = p.blocks;
    uint x_at3_ = x_at + ((48u * _e236) * 8u);
    uint _e254 = p.blocks;
    uint w_at0_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 0u, part.y - 1u)) * _e254) * 8u)) + column;
    uint _e273 = p.blocks;
    uint w_at1_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 16u, part.y - 1u)) * _e273) * 8u)) + column;
    uint _e292 = p.blocks;
    uint w_at2_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 32u, part.y - 1u)) * _e292) * 8u)) + column;
    uint _e311 = p.blocks;
    uint w_at3_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 48u, part.y - 1u)) * _e311) * 8u)) + column;
    metal::half4 _e322 = x[x_at0_ + naga_div(begin, 4u)];
    x0_ = _e322;
    metal::half4 _e329 = x[x_at1_ + naga_div(begin, 4u)];
    x1_ = _e329;
    metal::half4 _e336 = x[x_at2_ + naga_div(begin, 4u)];
    x2_ = _e336;
    metal::half4 _e343 = x[x_at3_ + naga_div(begin, 4u)];
    x3_ = _e343;
    metal::half4 _e350 = halves[w_at0_ + naga_div(begin, 4u)];
    w0_ = _e350;
    metal::half4 _e357 = halves[w_at1_ + naga_div(begin, 4u)];
    w1_ = _e357;
    metal::half4 _e364 = halves[w_at2_ + naga_div(begin, 4u)];
    w2_ = _e364;
    metal::half4 _e371 = halves[w_at3_ + naga_div(begin, 4u)];
    w3_ = _e371;
    k0_ = begin;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1248 = k0_;
            k0_ = _e1248 + TILE_K;
        }
        loop_init_1 = false;
        uint _e374 = k0_;
        if (_e374 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            half _e385 = x0_.x;
            tile_x.inner[((to + 0u) * 4u) + 0u] = _e385;
            half _e395 = x0_.y;
            tile_x.inner[((to + 0u) * 4u) + 1u] = _e395;
            half _e405 = x0_.z;
            tile_x.inner[((to + 0u) * 4u) + 2u] = _e405;
            half _e415 = x0_.w;
            tile_x.inner[((to + 0u) * 4u) + 3u] = _e415;
            half _e425 = x1_.x;
            tile_x.inner[((to + 160u) * 4u) + 0u] = _e425;
            half _e435 = x1_.y;
            tile_x.inner[((to + 160u) * 4u) + 1u] = _e435;
            half _e445 = x1_.z;
            tile_x.inner[((to + 160u) * 4u) + 2u] = _e445;
            half _e455 = x1_.w;
            tile_x.inner[((to + 160u) * 4u) + 3u] = _e455;
            half _e465 = x2_.x;
            tile_x.inner[((to + 320u) * 4u) + 0u] = _e465;
            half _e475 = x2_.y;
            tile_x.inner[((to + 320u) * 4u) + 1u] = _e475;
            half _e485 = x2_.z;
            tile_x.inner[((to + 320u) * 4u) + 2u] = _e485;
            half _e495 = x2_.w;
            tile_x.inner[((to + 320u) * 4u) + 3u] = _e495;
            half _e505 = x3_.x;
            tile_x.inner[((to + 480u) * 4u) + 0u] = _e505;
            half _e515 = x3_.y;
            tile_x.inner[((to + 480u) * 4u) + 1u] = _e515;
            half _e525 = x3_.z;
            tile_x.inner[((to + 480u) * 4u) + 2u] = _e525;
            half _e535 = x3_.w;
            tile_x.inner[((to + 480u) * 4u) + 3u] = _e535;
            half _e545 = w0_.x;
            tile_w.inner[((to + 0u) * 4u) + 0u] = _e545;
            half _e555 = w0_.y;
            tile_w.inner[((to + 0u) * 4u) + 1u] = _e555;
            half _e565 = w0_.z;
            tile_w.inner[((to + 0u) * 4u) + 2u] = _e565;
            half _e575 = w0_.w;
            tile_w.inner[((to + 0u) * 4u) + 3u] = _e575;
            half _e585 = w1_.x;
            tile_w.inner[((to + 160u) * 4u) + 0u] = _e585;
            half _e595 = w1_.y;
            tile_w.inner[((to + 160u) * 4u) + 1u] = _e595;
            half _e605 = w1_.z;
            tile_w.inner[((to + 160u) * 4u) + 2u] = _e605;
            half _e615 = w1_.w;
            tile_w.inner[((to + 160u) * 4u) + 3u] = _e615;
            half _e625 = w2_.x;
            tile_w.inner[((to + 320u) * 4u) + 0u] = _e625;
            half _e635 = w2_.y;
            tile_w.inner[((to + 320u) * 4u) + 1u] = _e635;
            half _e645 = w2_.z;
            tile_w.inner[((to + 320u) * 4u) + 2u] = _e645;
            half _e655 = w2_.w;
            tile_w.inner[((to + 320u) * 4u) + 3u] = _e655;
            half _e665 = w3_.x;
            tile_w.inner[((to + 480u) * 4u) + 0u] = _e665;
            half _e675 = w3_.y;
            tile_w.inner[((to + 480u) * 4u) + 1u] = _e675;
            half _e685 = w3_.z;
            tile_w.inner[((to + 480u) * 4u) + 2u] = _e685;
            half _e695 = w3_.w;
            tile_w.inner[((to + 480u) * 4u) + 3u] = _e695;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e696 = k0_;
            uint next = naga_div(metal::min(_e696 + TILE_K, end - TILE_K), 4u);
            metal::half4 _e707 = x[x_at0_ + next];
            x0_ = _e707;
            metal::half4 _e711 = x[x_at1_ + next];
            x1_ = _e711;
            metal::half4 _e715 = x[x_at2_ + next];
            x2_ = _e715;
            metal::half4 _e719 = x[x_at3_ + next];
            x3_ = _e719;
            metal::half4 _e723 = halves[w_at0_ + next];
            w0_ = _e723;
            metal::half4 _e727 = halves[w_at1_ + next];
            w1_ = _e727;
            metal::half4 _e731 = halves[w_at2_ + next];
            w2_ = _e731;
            metal::half4 _e735 = halves[w_at3_ + next];
            w3_ = _e735;
            uint ia0_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 a0_0_ = NagaCooperativeLoad(&tile_x.inner[ia0_0_], 40u, false);
            uint ia0_1_ = naga_div((sub_t + 8u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 a0_1_ = NagaCooperativeLoad(&tile_x.inner[ia0_1_], 40u, false);
            uint ia0_2_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 a0_2_ = NagaCooperativeLoad(&tile_x.inner[ia0_2_], 40u, false);
            uint ia0_3_ = naga_div((sub_t + 24u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 a0_3_ = NagaCooperativeLoad(&tile_x.inner[ia0_3_], 40u, false);
            uint ib0_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 b0_0_ = NagaCooperativeLoad(&tile_w.inner[ib0_0_], 40u, true);
            uint ib0_1_ = naga_div((sub_n + 8u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 b0_1_ = NagaCooperativeLoad(&tile_w.inner[ib0_1_], 40u, true);
            uint ib0_2_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 b0_2_ = NagaCooperativeLoad(&tile_w.inner[ib0_2_], 40u, true);
            uint ib0_3_ = naga_div((sub_n + 24u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half8x8 b0_3_ = NagaCooperativeLoad(&tile_w.inner[ib0_3_], 40u, true);
            metal::simdgroup_float8x8 _e832 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e832);
            metal::simdgroup_float8x8 _e834 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e834);
            metal::simdgroup_float8x8 _e836 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e836);
            metal::simdgroup_float8x8 _e838 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e838);
            metal::simdgroup_float8x8 _e840 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e840);
            metal::simdgroup_float8x8 _e842 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e842);
            metal::simdgroup_float8x8 _e844 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e844);
            metal::simdgroup_float8x8 _e846 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e846);
            metal::simdgroup_float8x8 _e848 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e848);
            metal::simdgroup_float8x8 _e850 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e850);
            metal::simdgroup_float8x8 _e852 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e852);
            metal::simdgroup_float8x8 _e854 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e854);
            metal::simdgroup_float8x8 _e856 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e856);
            metal::simdgroup_float8x8 _e858 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e858);
            metal::simdgroup_float8x8 _e860 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e860);
            metal::simdgroup_float8x8 _e862 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e862);
            uint ia1_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 a1_0_ = NagaCooperativeLoad(&tile_x.inner[ia1_0_], 40u, false);
            uint ia1_1_ = naga_div((sub_t + 8u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 a1_1_ = NagaCooperativeLoad(&tile_x.inner[ia1_1_], 40u, false);
            uint ia1_2_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 a1_2_ = NagaCooperativeLoad(&tile_x.inner[ia1_2_], 40u, false);
            uint ia1_3_ = naga_div((sub_t + 24u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 a1_3_ = NagaCooperativeLoad(&tile_x.inner[ia1_3_], 40u, false);
            uint ib1_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 b1_0_ = NagaCooperativeLoad(&tile_w.inner[ib1_0_], 40u, true);
            uint ib1_1_ = naga_div((sub_n + 8u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 b1_1_ = NagaCooperativeLoad(&tile_w.inner[ib1_1_], 40u, true);
            uint ib1_2_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 b1_2_ = NagaCooperativeLoad(&tile_w.inner[ib1_2_], 40u, true);
            uint ib1_3_ = naga_div((sub_n + 24u) * STRIDE, UNIT) + 8u;
            metal::simdgroup_half8x8 b1_3_ = NagaCooperativeLoad(&tile_w.inner[ib1_3_], 40u, true);
            metal::simdgroup_float8x8 _e960 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e960);
            metal::simdgroup_float8x8 _e962 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e962);
            metal::simdgroup_float8x8 _e964 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e964);
            metal::simdgroup_float8x8 _e966 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e966);
            metal::simdgroup_float8x8 _e968 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e968);
            metal::simdgroup_float8x8 _e970 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e970);
            metal::simdgroup_float8x8 _e972 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e972);
            metal::simdgroup_float8x8 _e974 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e974);
            metal::simdgroup_float8x8 _e976 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e976);
            metal::simdgroup_float8x8 _e978 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e978);
            metal::simdgroup_float8x8 _e980 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e980);
            metal::simdgroup_float8x8 _e982 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e982);
            metal::simdgroup_float8x8 _e984 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e984);
            metal::simdgroup_float8x8 _e986 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e986);
            metal::simdgroup_float8x8 _e988 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e988);
            metal::simdgroup_float8x8 _e990 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e990);
            uint ia2_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 a2_0_ = NagaCooperativeLoad(&tile_x.inner[ia2_0_], 40u, false);
            uint ia2_1_ = naga_div((sub_t + 8u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 a2_1_ = NagaCooperativeLoad(&tile_x.inner[ia2_1_], 40u, false);
            uint ia2_2_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 a2_2_ = NagaCooperativeLoad(&tile_x.inner[ia2_2_], 40u, false);
            uint ia2_3_ = naga_div((sub_t + 24u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 a2_3_ = NagaCooperativeLoad(&tile_x.inner[ia2_3_], 40u, false);
            uint ib2_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 b2_0_ = NagaCooperativeLoad(&tile_w.inner[ib2_0_], 40u, true);
            uint ib2_1_ = naga_div((sub_n + 8u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 b2_1_ = NagaCooperativeLoad(&tile_w.inner[ib2_1_], 40u, true);
            uint ib2_2_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 b2_2_ = NagaCooperativeLoad(&tile_w.inner[ib2_2_], 40u, true);
            uint ib2_3_ = naga_div((sub_n + 24u) * STRIDE, UNIT) + 16u;
            metal::simdgroup_half8x8 b2_3_ = NagaCooperativeLoad(&tile_w.inner[ib2_3_], 40u, true);
            metal::simdgroup_float8x8 _e1088 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a2_0_, b2_0_, _e1088);
            metal::simdgroup_float8x8 _e1090 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a2_0_, b2_1_, _e1090);
            metal::simdgroup_float8x8 _e1092 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a2_0_, b2_2_, _e1092);
            metal::simdgroup_float8x8 _e1094 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a2_0_, b2_3_, _e1094);
            metal::simdgroup_float8x8 _e1096 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a2_1_, b2_0_, _e1096);
            metal::simdgroup_float8x8 _e1098 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a2_1_, b2_1_, _e1098);
            metal::simdgroup_float8x8 _e1100 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a2_1_, b2_2_, _e1100);
            metal::simdgroup_float8x8 _e1102 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a2_1_, b2_3_, _e1102);
            metal::simdgroup_float8x8 _e1104 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a2_2_, b2_0_, _e1104);
            metal::simdgroup_float8x8 _e1106 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a2_2_, b2_1_, _e1106);
            metal::simdgroup_float8x8 _e1108 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a2_2_, b2_2_, _e1108);
            metal::simdgroup_float8x8 _e1110 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a2_2_, b2_3_, _e1110);
            metal::simdgroup_float8x8 _e1112 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a2_3_, b2_0_, _e1112);
            metal::simdgroup_float8x8 _e1114 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a2_3_, b2_1_, _e1114);
            metal::simdgroup_float8x8 _e1116 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a2_3_, b2_2_, _e1116);
            metal::simdgroup_float8x8 _e1118 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a2_3_, b2_3_, _e1118);
            uint ia3_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 a3_0_ = NagaCooperativeLoad(&tile_x.inner[ia3_0_], 40u, false);
            uint ia3_1_ = naga_div((sub_t + 8u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 a3_1_ = NagaCooperativeLoad(&tile_x.inner[ia3_1_], 40u, false);
            uint ia3_2_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 a3_2_ = NagaCooperativeLoad(&tile_x.inner[ia3_2_], 40u, false);
            uint ia3_3_ = naga_div((sub_t + 24u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 a3_3_ = NagaCooperativeLoad(&tile_x.inner[ia3_3_], 40u, false);
            uint ib3_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 b3_0_ = NagaCooperativeLoad(&tile_w.inner[ib3_0_], 40u, true);
            uint ib3_1_ = naga_div((sub_n + 8u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 b3_1_ = NagaCooperativeLoad(&tile_w.inner[ib3_1_], 40u, true);
            uint ib3_2_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 b3_2_ = NagaCooperativeLoad(&tile_w.inner[ib3_2_], 40u, true);
            uint ib3_3_ = naga_div((sub_n + 24u) * STRIDE, UNIT) + 24u;
            metal::simdgroup_half8x8 b3_3_ = NagaCooperativeLoad(&tile_w.inner[ib3_3_], 40u, true);
            metal::simdgroup_float8x8 _e1216 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a3_0_, b3_0_, _e1216);
            metal::simdgroup_float8x8 _e1218 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a3_0_, b3_1_, _e1218);
            metal::simdgroup_float8x8 _e1220 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a3_0_, b3_2_, _e1220);
            metal::simdgroup_float8x8 _e1222 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a3_0_, b3_3_, _e1222);
            metal::simdgroup_float8x8 _e1224 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a3_1_, b3_0_, _e1224);
            metal::simdgroup_float8x8 _e1226 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a3_1_, b3_1_, _e1226);
            metal::simdgroup_float8x8 _e1228 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a3_1_, b3_2_, _e1228);
            metal::simdgroup_float8x8 _e1230 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a3_1_, b3_3_, _e1230);
            metal::simdgroup_float8x8 _e1232 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a3_2_, b3_0_, _e1232);
            metal::simdgroup_float8x8 _e1234 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a3_2_, b3_1_, _e1234);
            metal::simdgroup_float8x8 _e1236 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a3_2_, b3_2_, _e1236);
            metal::simdgroup_float8x8 _e1238 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a3_2_, b3_3_, _e1238);
            metal::simdgroup_float8x8 _e1240 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a3_3_, b3_0_, _e1240);
            metal::simdgroup_float8x8 _e1242 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a3_3_, b3_1_, _e1242);
            metal::simdgroup_float8x8 _e1244 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a3_3_, b3_2_, _e1244);
            metal::simdgroup_float8x8 _e1246 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a3_3_, b3_3_, _e1246);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = bias_1 == 0u;
    } else {
        local_1 = false;
    }
    bool _e1266 = local_1;
    if (_e1266) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1276 = c0_0_;
        simdgroup_store(_e1276, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1288 = c0_1_;
        simdgroup_store(_e1288, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1300 = c0_2_;
        simdgroup_store(_e1300, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1312 = c0_3_;
        simdgroup_store(_e1312, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1324 = c1_0_;
        simdgroup_store(_e1324, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1336 = c1_1_;
        simdgroup_store(_e1336, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1348 = c1_2_;
        simdgroup_store(_e1348, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 8u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1360 = c1_3_;
        simdgroup_store(_e1360, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1372 = c2_0_;
        simdgroup_store(_e1372, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1384 = c2_1_;
        simdgroup_store(_e1384, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1396 = c2_2_;
        simdgroup_store(_e1396, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1408 = c2_3_;
        simdgroup_store(_e1408, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1420 = c3_0_;
        simdgroup_store(_e1420, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1432 = c3_1_;
        simdgroup_store(_e1432, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1444 = c3_2_;
        simdgroup_store(_e1444, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 24u) * width_1)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1456 = c3_3_;
        simdgroup_store(_e1456, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float8x8 _e1459 = c0_0_;
    simdgroup_store(_e1459, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1486 = e_1;
            e_1 = _e1486 + size;
        }
        loop_init_2 = false;
        uint _e1464 = e_1;
        if (_e1464 < 64u) {
        } else {
            break;
        }
        {
            uint _e1470 = e_1;
            uint _e1477 = e_1;
            uint _e1482 = e_1;
            float _e1485 = spilled.inner[corner + _e1482];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1470, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1477, SIDE), _e1485, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1488 = c0_1_;
    simdgroup_store(_e1488, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e1515 = e_2;
            e_2 = _e1515 + size;
        }
        loop_init_3 = false;
        uint _e1493 = e_2;
        if (_e1493 < 64u) {
        } else {
            break;
        }
        {
            uint _e1499 = e_2;
            uint _e1506 = e_2;
            uint _e1511 = e_2;
            float _e1514 = spilled.inner[corner + _e1511];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1499, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1506, SIDE), _e1514, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1517 = c0_2_;
    simdgroup_store(_e1517, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1544 = e_3;
            e_3 = _e1544 + size;
        }
        loop_init_4 = false;
        uint _e1522 = e_3;
        if (_e1522 < 64u) {
        } else {
            break;
        }
        {
            uint _e1528 = e_3;
            uint _e1535 = e_3;
            uint _e1540 = e_3;
            float _e1543 = spilled.inner[corner + _e1540];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1528, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1535, SIDE), _e1543, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1546 = c0_3_;
    simdgroup_store(_e1546, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1573 = e_4;
            e_4 = _e1573 + size;
        }
        loop_init_5 = false;
        uint _e1551 = e_4;
        if (_e1551 < 64u) {
        } else {
            break;
        }
        {
            uint _e1557 = e_4;
            uint _e1564 = e_4;
            uint _e1569 = e_4;
            float _e1572 = spilled.inner[corner + _e1569];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1557, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1564, SIDE), _e1572, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1575 = c1_0_;
    simdgroup_store(_e1575, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e1602 = e_5;
            e_5 = _e1602 + size;
        }
        loop_init_6 = false;
        uint _e1580 = e_5;
        if (_e1580 < 64u) {
        } else {
            break;
        }
        {
            uint _e1586 = e_5;
            uint _e1593 = e_5;
            uint _e1598 = e_5;
            float _e1601 = spilled.inner[corner + _e1598];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1586, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1593, SIDE), _e1601, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1604 = c1_1_;
    simdgroup_store(_e1604, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1631 = e_6;
            e_6 = _e1631 + size;
        }
        loop_init_7 = false;
        uint _e1609 = e_6;
        if (_e1609 < 64u) {
        } else {
            break;
        }
        {
            uint _e1615 = e_6;
            uint _e1622 = e_6;
            uint _e1627 = e_6;
            float _e1630 = spilled.inner[corner + _e1627];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1615, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1622, SIDE), _e1630, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1633 = c1_2_;
    simdgroup_store(_e1633, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1660 = e_7;
            e_7 = _e1660 + size;
        }
        loop_init_8 = false;
        uint _e1638 = e_7;
        if (_e1638 < 64u) {
        } else {
            break;
        }
        {
            uint _e1644 = e_7;
            uint _e1651 = e_7;
            uint _e1656 = e_7;
            float _e1659 = spilled.inner[corner + _e1656];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1644, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1651, SIDE), _e1659, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1662 = c1_3_;
    simdgroup_store(_e1662, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1689 = e_8;
            e_8 = _e1689 + size;
        }
        loop_init_9 = false;
        uint _e1667 = e_8;
        if (_e1667 < 64u) {
        } else {
            break;
        }
        {
            uint _e1673 = e_8;
            uint _e1680 = e_8;
            uint _e1685 = e_8;
            float _e1688 = spilled.inner[corner + _e1685];
            put(((t0_ + sub_t) + 8u) + naga_div(_e1673, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1680, SIDE), _e1688, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1691 = c2_0_;
    simdgroup_store(_e1691, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1718 = e_9;
            e_9 = _e1718 + size;
        }
        loop_init_10 = false;
        uint _e1696 = e_9;
        if (_e1696 < 64u) {
        } else {
            break;
        }
        {
            uint _e1702 = e_9;
            uint _e1709 = e_9;
            uint _e1714 = e_9;
            float _e1717 = spilled.inner[corner + _e1714];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1702, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1709, SIDE), _e1717, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1720 = c2_1_;
    simdgroup_store(_e1720, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1747 = e_10;
            e_10 = _e1747 + size;
        }
        loop_init_11 = false;
        uint _e1725 = e_10;
        if (_e1725 < 64u) {
        } else {
            break;
        }
        {
            uint _e1731 = e_10;
            uint _e1738 = e_10;
            uint _e1743 = e_10;
            float _e1746 = spilled.inner[corner + _e1743];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1731, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1738, SIDE), _e1746, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1749 = c2_2_;
    simdgroup_store(_e1749, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1776 = e_11;
            e_11 = _e1776 + size;
        }
        loop_init_12 = false;
        uint _e1754 = e_11;
        if (_e1754 < 64u) {
        } else {
            break;
        }
        {
            uint _e1760 = e_11;
            uint _e1767 = e_11;
            uint _e1772 = e_11;
            float _e1775 = spilled.inner[corner + _e1772];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1760, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1767, SIDE), _e1775, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1778 = c2_3_;
    simdgroup_store(_e1778, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1805 = e_12;
            e_12 = _e1805 + size;
        }
        loop_init_13 = false;
        uint _e1783 = e_12;
        if (_e1783 < 64u) {
        } else {
            break;
        }
        {
            uint _e1789 = e_12;
            uint _e1796 = e_12;
            uint _e1801 = e_12;
            float _e1804 = spilled.inner[corner + _e1801];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1789, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1796, SIDE), _e1804, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1807 = c3_0_;
    simdgroup_store(_e1807, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1834 = e_13;
            e_13 = _e1834 + size;
        }
        loop_init_14 = false;
        uint _e1812 = e_13;
        if (_e1812 < 64u) {
        } else {
            break;
        }
        {
            uint _e1818 = e_13;
            uint _e1825 = e_13;
            uint _e1830 = e_13;
            float _e1833 = spilled.inner[corner + _e1830];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1818, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1825, SIDE), _e1833, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1836 = c3_1_;
    simdgroup_store(_e1836, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1863 = e_14;
            e_14 = _e1863 + size;
        }
        loop_init_15 = false;
        uint _e1841 = e_14;
        if (_e1841 < 64u) {
        } else {
            break;
        }
        {
            uint _e1847 = e_14;
            uint _e1854 = e_14;
            uint _e1859 = e_14;
            float _e1862 = spilled.inner[corner + _e1859];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1847, SIDE), ((n0_ + sub_n) + 8u) + naga_mod(_e1854, SIDE), _e1862, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1865 = c3_2_;
    simdgroup_store(_e1865, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1892 = e_15;
            e_15 = _e1892 + size;
        }
        loop_init_16 = false;
        uint _e1870 = e_15;
        if (_e1870 < 64u) {
        } else {
            break;
        }
        {
            uint _e1876 = e_15;
            uint _e1883 = e_15;
            uint _e1888 = e_15;
            float _e1891 = spilled.inner[corner + _e1888];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1876, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1883, SIDE), _e1891, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float8x8 _e1894 = c3_3_;
    simdgroup_store(_e1894, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_16 = lane;
    uint2 loop_bound_18 = uint2(4294967295u);
    bool loop_init_17 = true;
    while(true) {
        if (metal::all(loop_bound_18 == uint2(0u))) { break; }
        loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
        if (!loop_init_17) {
            uint _e1921 = e_16;
            e_16 = _e1921 + size;
        }
        loop_init_17 = false;
        uint _e1899 = e_16;
        if (_e1899 < 64u) {
        } else {
            break;
        }
        {
            uint _e1905 = e_16;
            uint _e1912 = e_16;
            uint _e1917 = e_16;
            float _e1920 = spilled.inner[corner + _e1917];
            put(((t0_ + sub_t) + 24u) + naga_div(_e1905, SIDE), ((n0_ + sub_n) + 24u) + naga_mod(_e1912, SIDE), _e1920, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
