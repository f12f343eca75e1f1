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
typedef metal::half4 type_6[1];
struct Planes {
    uint codes;
    uint bits;
    uint scales;
    uint supers;
};
struct type_7 {
    metal::uint4 inner[12];
};
struct Params {
    uint blocks;
    uint rows;
    uint count;
    uint depth;
    type_7 parts;
};
typedef float type_8[1];
struct type_9 {
    metal::half4 inner[1280];
};
struct type_10 {
    float inner[1024];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint TILE_T = 128u;
constant uint TILE_N = 128u;
constant uint TILE_K = 32u;
constant uint SUB_T = 64u;
constant uint SUB_N = 64u;
constant uint SQUARES_T = 4u;
constant uint SQUARES_N = 4u;
constant uint DEPTH = 2u;
constant uint SPLIT_ROWS = 0u;
constant uint LOADS_X = 8u;
constant uint LOADS_W = 8u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint STRIDE = 40u;

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
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint size [[threads_per_simdgroup]]
, device type_6 const& halves [[user(fake0)]]
, device type_8& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_8 const& vectors [[user(fake0)]]
, device type_6 const& x [[user(fake0)]]
, threadgroup type_9& tile_x
, threadgroup type_9& tile_w
, threadgroup type_10& spilled
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint part_at = 0u;
    bool local = {};
    metal::simdgroup_float16x16 c0_0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c0_1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c0_2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c0_3_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c1_0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c1_1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c1_2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c1_3_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c2_0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c2_1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c2_2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c2_3_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c3_0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c3_1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c3_2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 c3_3_ = metal::simdgroup_float16x16 {};
    metal::half4 x0_ = {};
    metal::half4 x1_ = {};
    metal::half4 x2_ = {};
    metal::half4 x3_ = {};
    metal::half4 x4_ = {};
    metal::half4 x5_ = {};
    metal::half4 x6_ = {};
    metal::half4 x7_ = {};
    metal::half4 w0_ = {};
    metal::half4 w1_ = {};
    metal::half4 w2_ = {};
    metal::half4 w3_ = {};
    metal::half4 w4_ = {};
    metal::half4 w5_ = {};
    metal::half4 w6_ = {};
    metal::half4 w7_ = {};
    uint k0_ = {};
    bool local_1 = {};
    uint e = {};
    float y = {};
    uint e_1 = {};
    float y_1 = {};
    uint e_2 = {};
    float y_2 = {};
    uint e_3 = {};
    float y_3 = {};
    uint e_4 = {};
    float y_4 = {};
    uint e_5 = {};
    float y_5 = {};
    uint e_6 = {};
    float y_6 = {};
    uint e_7 = {};
    float y_7 = {};
    uint e_8 = {};
    float y_8 = {};
    uint e_9 = {};
    float y_9 = {};
    uint e_10 = {};
    float y_10 = {};
    uint e_11 = {};
    float y_11 = {};
    uint e_12 = {};
    float y_12 = {};
    uint e_13 = {};
    float y_13 = {};
    uint e_14 = {};
    float y_14 = {};
    uint e_15 = {};
    float y_15 = {};
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
    uint sub_t = naga_div(subgroup, 2u) * SUB_T;
    uint sub_n = naga_mod(subgroup, 2u) * SUB_N;
    uint _e105 = p.depth;
    uint begin = (group.z * _e105) * 32u;
    uint _e111 = p.blocks;
    uint _e114 = p.blocks;
    uint _e120 = p.depth;
    uint _e125 = p.depth;
    uint end = ((_e125 > 0u) ? metal::min(_e114, (group.z + 1u) * _e120) : _e111) * 32u;
    uint row = naga_div(me, 8u);
    uint column = naga_mod(me, 8u);
    uint to = (row * 10u) + column;
    uint _e141 = p.blocks;
    uint x_at = (((t0_ + row) * _e141) * 8u) + column;
    uint _e158 = p.blocks;
    uint w_at0_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 0u, part.y - 1u) * _e158) * 8u)) + column;
    uint _e176 = p.blocks;
    uint w_at1_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 16u, part.y - 1u) * _e176) * 8u)) + column;
    uint _e194 = p.blocks;
    uint w_at2_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 32u, part.y - 1u) * _e194) * 8u)) + column;
    uint _e212 = p.blocks;
    uint w_at3_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 48u, part.y - 1u) * _e212) * 8u)) + column;
    uint _e230 = p.blocks;
    uint w_at4_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 64u, part.y - 1u) * _e230) * 8u)) + column;
    uint _e248 = p.blocks;
    uint w_at5_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 80u, part.y - 1u) * _e248) * 8u)) + column;
    uint _e266 = p.blocks;
    uint w_at6_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 96u, part.y - 1u) * _e266) * 8u)) + column;
    uint _e284 = p.blocks;
    uint w_at7_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 112u, part.y - 1u) * _e284) * 8u)) + column;
    uint _e297 = p.blocks;
    metal::half4 _e303 = x[(x_at + naga_div(begin, 4u)) + ((0u * _e297) * 8u)];
    x0_ = _e303;
    uint _e312 = p.blocks;
    metal::half4 _e318 = x[(x_at + naga_div(begin, 4u)) + ((16u * _e312) * 8u)];
    x1_ = _e318;
    uint _e327 = p.blocks;
    metal::half4 _e333 = x[(x_at + naga_div(begin, 4u)) + ((32u * _e327) * 8u)];
    x2_ = _e333;
    uint _e342 = p.blocks;
    metal::half4 _e348 = x[(x_at + naga_div(begin, 4u)) + ((48u * _e342) * 8u)];
    x3_ = _e348;
    uint _e357 = p.blocks;
    metal::half4 _e363 = x[(x_at + naga_div(begin, 4u)) + ((64u * _e357) * 8u)];
    x4_ = _e363;
    uint _e372 = p.blocks;
    metal::half4 _e378 = x[(x_at + naga_div(begin, 4u)) + ((80u * _e372) * 8u)];
    x5_ = _e378;
    uint _e387 = p.blocks;
    metal::half4 _e393 = x[(x_at + naga_div(begin, 4u)) + ((96u * _e387) * 8u)];
    x6_ = _e393;
    uint _e402 = p.blocks;
    metal::half4 _e408 = x[(x_at + naga_div(begin, 4u)) + ((112u * _e402) * 8u)];
    x7_ = _e408;
    metal::half4 _e415 = halves[w_at0_ + naga_div(begin, 4u)];
    w0_ = _e415;
    metal::half4 _e422 = halves[w_at1_ + naga_div(begin, 4u)];
    w1_ = _e422;
    metal::half4 _e429 = halves[w_at2_ + naga_div(begin, 4u)];
    w2_ = _e429;
    metal::half4 _e436 = halves[w_at3_ + naga_div(begin, 4u)];
    w3_ = _e436;
    metal::half4 _e443 = halves[w_at4_ + naga_div(begin, 4u)];
    w4_ = _e443;
    metal::half4 _e450 = halves[w_at5_ + naga_div(begin, 4u)];
    w5_ = _e450;
    metal::half4 _e457 = halves[w_at6_ + naga_div(begin, 4u)];
    w6_ = _e457;
    metal::half4 _e464 = halves[w_at7_ + naga_div(begin, 4u)];
    w7_ = _e464;
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e941 = k0_;
            k0_ = _e941 + TILE_K;
        }
        loop_init = false;
        uint _e467 = k0_;
        if (_e467 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::half4 _e473 = x0_;
            tile_x.inner[to + 0u] = _e473;
            metal::half4 _e478 = x1_;
            tile_x.inner[to + 160u] = _e478;
            metal::half4 _e483 = x2_;
            tile_x.inner[to + 320u] = _e483;
            metal::half4 _e488 = x3_;
            tile_x.inner[to + 480u] = _e488;
            metal::half4 _e493 = x4_;
            tile_x.inner[to + 640u] = _e493;
            metal::half4 _e498 = x5_;
            tile_x.inner[to + 800u] = _e498;
            metal::half4 _e503 = x6_;
            tile_x.inner[to + 960u] = _e503;
            metal::half4 _e508 = x7_;
            tile_x.inner[to + 1120u] = _e508;
            metal::half4 _e513 = w0_;
            tile_w.inner[to + 0u] = _e513;
            metal::half4 _e518 = w1_;
            tile_w.inner[to + 160u] = _e518;
            metal::half4 _e523 = w2_;
            tile_w.inner[to + 320u] = _e523;
            metal::half4 _e528 = w3_;
            tile_w.inner[to + 480u] = _e528;
            metal::half4 _e533 = w4_;
            tile_w.inner[to + 640u] = _e533;
            metal::half4 _e538 = w5_;
            tile_w.inner[to + 800u] = _e538;
            metal::half4 _e543 = w6_;
            tile_w.inner[to + 960u] = _e543;
            metal::half4 _e548 = w7_;
            tile_w.inner[to + 1120u] = _e548;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e549 = k0_;
            uint next = naga_div(metal::min(_e549 + TILE_K, end - TILE_K), 4u);
            uint _e562 = p.blocks;
            metal::half4 _e568 = x[(x_at + next) + ((0u * _e562) * 8u)];
            x0_ = _e568;
            uint _e574 = p.blocks;
            metal::half4 _e580 = x[(x_at + next) + ((16u * _e574) * 8u)];
            x1_ = _e580;
            uint _e586 = p.blocks;
            metal::half4 _e592 = x[(x_at + next) + ((32u * _e586) * 8u)];
            x2_ = _e592;
            uint _e598 = p.blocks;
            metal::half4 _e604 = x[(x_at + next) + ((48u * _e598) * 8u)];
            x3_ = _e604;
            uint _e610 = p.blocks;
            metal::half4 _e616 = x[(x_at + next) + ((64u * _e610) * 8u)];
            x4_ = _e616;
            uint _e622 = p.blocks;
            metal::half4 _e628 = x[(x_at + next) + ((80u * _e622) * 8u)];
            x5_ = _e628;
            uint _e634 = p.blocks;
            metal::half4 _e640 = x[(x_at + next) + ((96u * _e634) * 8u)];
            x6_ = _e640;
            uint _e646 = p.blocks;
            metal::half4 _e652 = x[(x_at + next) + ((112u * _e646) * 8u)];
            x7_ = _e652;
            metal::half4 _e656 = halves[w_at0_ + next];
            w0_ = _e656;
            metal::half4 _e660 = halves[w_at1_ + next];
            w1_ = _e660;
            metal::half4 _e664 = halves[w_at2_ + next];
            w2_ = _e664;
            metal::half4 _e668 = halves[w_at3_ + next];
            w3_ = _e668;
            metal::half4 _e672 = halves[w_at4_ + next];
            w4_ = _e672;
            metal::half4 _e676 = halves[w_at5_ + next];
            w5_ = _e676;
            metal::half4 _e680 = halves[w_at6_ + next];
            w6_ = _e680;
            metal::half4 _e684 = halves[w_at7_ + next];
            w7_ = _e684;
            uint ia0_0_ = naga_div((sub_t + 0u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 a0_0_ = NagaCooperativeLoad(&tile_x.inner[ia0_0_], 10u, false);
            uint ia0_1_ = naga_div((sub_t + 16u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 a0_1_ = NagaCooperativeLoad(&tile_x.inner[ia0_1_], 10u, false);
            uint ia0_2_ = naga_div((sub_t + 32u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 a0_2_ = NagaCooperativeLoad(&tile_x.inner[ia0_2_], 10u, false);
            uint ia0_3_ = naga_div((sub_t + 48u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 a0_3_ = NagaCooperativeLoad(&tile_x.inner[ia0_3_], 10u, false);
            uint ib0_0_ = naga_div((sub_n + 0u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 b0_0_ = NagaCooperativeLoad(&tile_w.inner[ib0_0_], 10u, true);
            uint ib0_1_ = naga_div((sub_n + 16u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 b0_1_ = NagaCooperativeLoad(&tile_w.inner[ib0_1_], 10u, true);
            uint ib0_2_ = naga_div((sub_n + 32u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 b0_2_ = NagaCooperativeLoad(&tile_w.inner[ib0_2_], 10u, true);
            uint ib0_3_ = naga_div((sub_n + 48u) * STRIDE, 4u) + 0u;
            metal::simdgroup_half16x16 b0_3_ = NagaCooperativeLoad(&tile_w.inner[ib0_3_], 10u, true);
            metal::simdgroup_float16x16 _e781 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e781);
            metal::simdgroup_float16x16 _e783 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e783);
            metal::simdgroup_float16x16 _e785 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e785);
            metal::simdgroup_float16x16 _e787 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e787);
            metal::simdgroup_float16x16 _e789 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e789);
            metal::simdgroup_float16x16 _e791 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e791);
            metal::simdgroup_float16x16 _e793 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e793);
            metal::simdgroup_float16x16 _e795 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e795);
            metal::simdgroup_float16x16 _e797 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e797);
            metal::simdgroup_float16x16 _e799 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e799);
            metal::simdgroup_float16x16 _e801 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e801);
            metal::simdgroup_float16x16 _e803 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e803);
            metal::simdgroup_float16x16 _e805 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e805);
            metal::simdgroup_float16x16 _e807 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e807);
            metal::simdgroup_float16x16 _e809 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e809);
            metal::simdgroup_float16x16 _e811 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e811);
            uint ia1_0_ = naga_div((sub_t + 0u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 a1_0_ = NagaCooperativeLoad(&tile_x.inner[ia1_0_], 10u, false);
            uint ia1_1_ = naga_div((sub_t + 16u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 a1_1_ = NagaCooperativeLoad(&tile_x.inner[ia1_1_], 10u, false);
            uint ia1_2_ = naga_div((sub_t + 32u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 a1_2_ = NagaCooperativeLoad(&tile_x.inner[ia1_2_], 10u, false);
            uint ia1_3_ = naga_div((sub_t + 48u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 a1_3_ = NagaCooperativeLoad(&tile_x.inner[ia1_3_], 10u, false);
            uint ib1_0_ = naga_div((sub_n + 0u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 b1_0_ = NagaCooperativeLoad(&tile_w.inner[ib1_0_], 10u, true);
            uint ib1_1_ = naga_div((sub_n + 16u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 b1_1_ = NagaCooperativeLoad(&tile_w.inner[ib1_1_], 10u, true);
            uint ib1_2_ = naga_div((sub_n + 32u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 b1_2_ = NagaCooperativeLoad(&tile_w.inner[ib1_2_], 10u, true);
            uint ib1_3_ = naga_div((sub_n + 48u) * STRIDE, 4u) + 4u;
            metal::simdgroup_half16x16 b1_3_ = NagaCooperativeLoad(&tile_w.inner[ib1_3_], 10u, true);
            metal::simdgroup_float16x16 _e909 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e909);
            metal::simdgroup_float16x16 _e911 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e911);
            metal::simdgroup_float16x16 _e913 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e913);
            metal::simdgroup_float16x16 _e915 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e915);
            metal::simdgroup_float16x16 _e917 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e917);
            metal::simdgroup_float16x16 _e919 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e919);
            metal::simdgroup_float16x16 _e921 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e921);
            metal::simdgroup_float16x16 _e923 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e923);
            metal::simdgroup_float16x16 _e925 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e925);
            metal::simdgroup_float16x16 _e927 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e927);
            metal::simdgroup_float16x16 _e929 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e929);
            metal::simdgroup_float16x16 _e931 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e931);
            metal::simdgroup_float16x16 _e933 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e933);
            metal::simdgroup_float16x16 _e935 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e935);
            metal::simdgroup_float16x16 _e937 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e937);
            metal::simdgroup_float16x16 _e939 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e939);
        }
    }
    uint width = part.y;
    uint out = part.z + ((group.z * SPLIT_ROWS) * width);
    if ((n0_ + TILE_N) <= width) {
        local_1 = part.w == 0u;
    } else {
        local_1 = false;
    }
    bool _e960 = local_1;
    if (_e960) {
        uint o0_0_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e970 = c0_0_;
        simdgroup_store(_e970, &act[o0_0_], width);
        uint o0_1_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e982 = c0_1_;
        simdgroup_store(_e982, &act[o0_1_], width);
        uint o0_2_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e994 = c0_2_;
        simdgroup_store(_e994, &act[o0_2_], width);
        uint o0_3_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1006 = c0_3_;
        simdgroup_store(_e1006, &act[o0_3_], width);
        uint o1_0_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e1018 = c1_0_;
        simdgroup_store(_e1018, &act[o1_0_], width);
        uint o1_1_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e1030 = c1_1_;
        simdgroup_store(_e1030, &act[o1_1_], width);
        uint o1_2_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1042 = c1_2_;
        simdgroup_store(_e1042, &act[o1_2_], width);
        uint o1_3_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1054 = c1_3_;
        simdgroup_store(_e1054, &act[o1_3_], width);
        uint o2_0_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e1066 = c2_0_;
        simdgroup_store(_e1066, &act[o2_0_], width);
        uint o2_1_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e1078 = c2_1_;
        simdgroup_store(_e1078, &act[o2_1_], width);
        uint o2_2_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1090 = c2_2_;
        simdgroup_store(_e1090, &act[o2_2_], width);
        uint o2_3_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1102 = c2_3_;
        simdgroup_store(_e1102, &act[o2_3_], width);
        uint o3_0_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e1114 = c3_0_;
        simdgroup_store(_e1114, &act[o3_0_], width);
        uint o3_1_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e1126 = c3_1_;
        simdgroup_store(_e1126, &act[o3_1_], width);
        uint o3_2_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1138 = c3_2_;
        simdgroup_store(_e1138, &act[o3_2_], width);
        uint o3_3_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1150 = c3_3_;
        simdgroup_store(_e1150, &act[o3_3_], width);
        return;
    } else {
        uint corner = subgroup * 256u;
        metal::simdgroup_float16x16 _e1155 = c0_0_;
        simdgroup_store(_e1155, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e = lane;
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_1 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_1) {
                uint _e1202 = e;
                e = _e1202 + size;
            }
            loop_init_1 = false;
            uint _e1160 = e;
            if (_e1160 < 256u) {
            } else {
                break;
            }
            {
                uint _e1166 = e;
                uint n = ((n0_ + sub_n) + 0u) + naga_mod(_e1166, 16u);
                if (n < width) {
                    uint _e1172 = e;
                    float _e1175 = spilled.inner[corner + _e1172];
                    y = _e1175;
                    if (part.w > 0u) {
                        float _e1180 = y;
                        float _e1187 = vectors[(part.w - 1u) + n];
                        y = _e1180 + _e1187;
                    }
                    uint _e1193 = e;
                    float _e1201 = y;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1193, 16u)) * width)) + n] = _e1201;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1204 = c0_1_;
        simdgroup_store(_e1204, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_1 = lane;
        uint2 loop_bound_3 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_3 == uint2(0u))) { break; }
            loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e1251 = e_1;
                e_1 = _e1251 + size;
            }
            loop_init_2 = false;
            uint _e1209 = e_1;
            if (_e1209 < 256u) {
            } else {
                break;
            }
            {
                uint _e1215 = e_1;
                uint n_1 = ((n0_ + sub_n) + 16u) + naga_mod(_e1215, 16u);
                if (n_1 < width) {
                    uint _e1221 = e_1;
                    float _e1224 = spilled.inner[corner + _e1221];
                    y_1 = _e1224;
                    if (part.w > 0u) {
                        float _e1229 = y_1;
                        float _e1236 = vectors[(part.w - 1u) + n_1];
                        y_1 = _e1229 + _e1236;
                    }
                    uint _e1242 = e_1;
                    float _e1250 = y_1;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1242, 16u)) * width)) + n_1] = _e1250;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1253 = c0_2_;
        simdgroup_store(_e1253, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_2 = lane;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_3 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_3) {
                uint _e1300 = e_2;
                e_2 = _e1300 + size;
            }
            loop_init_3 = false;
            uint _e1258 = e_2;
            if (_e1258 < 256u) {
            } else {
                break;
            }
            {
                uint _e1264 = e_2;
                uint n_2 = ((n0_ + sub_n) + 32u) + naga_mod(_e1264, 16u);
                if (n_2 < width) {
                    uint _e1270 = e_2;
                    float _e1273 = spilled.inner[corner + _e1270];
                    y_2 = _e1273;
                    if (part.w > 0u) {
                        float _e1278 = y_2;
                        float _e1285 = vectors[(part.w - 1u) + n_2];
                        y_2 = _e1278 + _e1285;
                    }
                    uint _e1291 = e_2;
                    float _e1299 = y_2;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1291, 16u)) * width)) + n_2] = _e1299;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1302 = c0_3_;
        simdgroup_store(_e1302, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = lane;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e1349 = e_3;
                e_3 = _e1349 + size;
            }
            loop_init_4 = false;
            uint _e1307 = e_3;
            if (_e1307 < 256u) {
            } else {
                break;
            }
            {
                uint _e1313 = e_3;
                uint n_3 = ((n0_ + sub_n) + 48u) + naga_mod(_e1313, 16u);
                if (n_3 < width) {
                    uint _e1319 = e_3;
                    float _e1322 = spilled.inner[corner + _e1319];
                    y_3 = _e1322;
                    if (part.w > 0u) {
                        float _e1327 = y_3;
                        float _e1334 = vectors[(part.w - 1u) + n_3];
                        y_3 = _e1327 + _e1334;
                    }
                    uint _e1340 = e_3;
                    float _e1348 = y_3;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1340, 16u)) * width)) + n_3] = _e1348;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1351 = c1_0_;
        simdgroup_store(_e1351, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_4 = lane;
        uint2 loop_bound_6 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_6 == uint2(0u))) { break; }
            loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e1398 = e_4;
                e_4 = _e1398 + size;
            }
            loop_init_5 = false;
            uint _e1356 = e_4;
            if (_e1356 < 256u) {
            } else {
                break;
            }
            {
                uint _e1362 = e_4;
                uint n_4 = ((n0_ + sub_n) + 0u) + naga_mod(_e1362, 16u);
                if (n_4 < width) {
                    uint _e1368 = e_4;
                    float _e1371 = spilled.inner[corner + _e1368];
                    y_4 = _e1371;
                    if (part.w > 0u) {
                        float _e1376 = y_4;
                        float _e1383 = vectors[(part.w - 1u) + n_4];
                        y_4 = _e1376 + _e1383;
                    }
                    uint _e1389 = e_4;
                    float _e1397 = y_4;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1389, 16u)) * width)) + n_4] = _e1397;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1400 = c1_1_;
        simdgroup_store(_e1400, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_5 = lane;
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_6 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_6) {
                uint _e1447 = e_5;
                e_5 = _e1447 + size;
            }
            loop_init_6 = false;
            uint _e1405 = e_5;
            if (_e1405 < 256u) {
            } else {
                break;
            }
            {
                uint _e1411 = e_5;
                uint n_5 = ((n0_ + sub_n) + 16u) + naga_mod(_e1411, 16u);
                if (n_5 < width) {
                    uint _e1417 = e_5;
                    float _e1420 = spilled.inner[corner + _e1417];
                    y_5 = _e1420;
                    if (part.w > 0u) {
                        float _e1425 = y_5;
                        float _e1432 = vectors[(part.w - 1u) + n_5];
                        y_5 = _e1425 + _e1432;
                    }
                    uint _e1438 = e_5;
                    float _e1446 = y_5;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1438, 16u)) * width)) + n_5] = _e1446;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1449 = c1_2_;
        simdgroup_store(_e1449, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_6 = lane;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e1496 = e_6;
                e_6 = _e1496 + size;
            }
            loop_init_7 = false;
            uint _e1454 = e_6;
            if (_e1454 < 256u) {
            } else {
                break;
            }
            {
                uint _e1460 = e_6;
                uint n_6 = ((n0_ + sub_n) + 32u) + naga_mod(_e1460, 16u);
                if (n_6 < width) {
                    uint _e1466 = e_6;
                    float _e1469 = spilled.inner[corner + _e1466];
                    y_6 = _e1469;
                    if (part.w > 0u) {
                        float _e1474 = y_6;
                        float _e1481 = vectors[(part.w - 1u) + n_6];
                        y_6 = _e1474 + _e1481;
                    }
                    uint _e1487 = e_6;
                    float _e1495 = y_6;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1487, 16u)) * width)) + n_6] = _e1495;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1498 = c1_3_;
        simdgroup_store(_e1498, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_7 = lane;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e1545 = e_7;
                e_7 = _e1545 + size;
            }
            loop_init_8 = false;
            uint _e1503 = e_7;
            if (_e1503 < 256u) {
            } else {
                break;
            }
            {
                uint _e1509 = e_7;
                uint n_7 = ((n0_ + sub_n) + 48u) + naga_mod(_e1509, 16u);
                if (n_7 < width) {
                    uint _e1515 = e_7;
                    float _e1518 = spilled.inner[corner + _e1515];
                    y_7 = _e1518;
                    if (part.w > 0u) {
                        float _e1523 = y_7;
                        float _e1530 = vectors[(part.w - 1u) + n_7];
                        y_7 = _e1523 + _e1530;
                    }
                    uint _e1536 = e_7;
                    float _e1544 = y_7;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1536, 16u)) * width)) + n_7] = _e1544;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1547 = c2_0_;
        simdgroup_store(_e1547, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_8 = lane;
        uint2 loop_bound_10 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_10 == uint2(0u))) { break; }
            loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e1594 = e_8;
                e_8 = _e1594 + size;
            }
            loop_init_9 = false;
            uint _e1552 = e_8;
            if (_e1552 < 256u) {
            } else {
                break;
            }
            {
                uint _e1558 = e_8;
                uint n_8 = ((n0_ + sub_n) + 0u) + naga_mod(_e1558, 16u);
                if (n_8 < width) {
                    uint _e1564 = e_8;
                    float _e1567 = spilled.inner[corner + _e1564];
                    y_8 = _e1567;
                    if (part.w > 0u) {
                        float _e1572 = y_8;
                        float _e1579 = vectors[(part.w - 1u) + n_8];
                        y_8 = _e1572 + _e1579;
                    }
                    uint _e1585 = e_8;
                    float _e1593 = y_8;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1585, 16u)) * width)) + n_8] = _e1593;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1596 = c2_1_;
        simdgroup_store(_e1596, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_9 = lane;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_10 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_10) {
                uint _e1643 = e_9;
                e_9 = _e1643 + size;
            }
            loop_init_10 = false;
            uint _e1601 = e_9;
            if (_e1601 < 256u) {
            } else {
                break;
            }
            {
                uint _e1607 = e_9;
                uint n_9 = ((n0_ + sub_n) + 16u) + naga_mod(_e1607, 16u);
                if (n_9 < width) {
                    uint _e1613 = e_9;
                    float _e1616 = spilled.inner[corner + _e1613];
                    y_9 = _e1616;
                    if (part.w > 0u) {
                        float _e1621 = y_9;
                        float _e1628 = vectors[(part.w - 1u) + n_9];
                        y_9 = _e1621 + _e1628;
                    }
                    uint _e1634 = e_9;
                    float _e1642 = y_9;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1634, 16u)) * width)) + n_9] = _e1642;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1645 = c2_2_;
        simdgroup_store(_e1645, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_10 = lane;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1692 = e_10;
                e_10 = _e1692 + size;
            }
            loop_init_11 = false;
            uint _e1650 = e_10;
            if (_e1650 < 256u) {
            } else {
                break;
            }
            {
                uint _e1656 = e_10;
                uint n_10 = ((n0_ + sub_n) + 32u) + naga_mod(_e1656, 16u);
                if (n_10 < width) {
                    uint _e1662 = e_10;
                    float _e1665 = spilled.inner[corner + _e1662];
                    y_10 = _e1665;
                    if (part.w > 0u) {
                        float _e1670 = y_10;
                        float _e1677 = vectors[(part.w - 1u) + n_10];
                        y_10 = _e1670 + _e1677;
                    }
                    uint _e1683 = e_10;
                    float _e1691 = y_10;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1683, 16u)) * width)) + n_10] = _e1691;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1694 = c2_3_;
        simdgroup_store(_e1694, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_11 = lane;
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1741 = e_11;
                e_11 = _e1741 + size;
            }
            loop_init_12 = false;
            uint _e1699 = e_11;
            if (_e1699 < 256u) {
            } else {
                break;
            }
            {
                uint _e1705 = e_11;
                uint n_11 = ((n0_ + sub_n) + 48u) + naga_mod(_e1705, 16u);
                if (n_11 < width) {
                    uint _e1711 = e_11;
                    float _e1714 = spilled.inner[corner + _e1711];
                    y_11 = _e1714;
                    if (part.w > 0u) {
                        float _e1719 = y_11;
                        float _e1726 = vectors[(part.w - 1u) + n_11];
                        y_11 = _e1719 + _e1726;
                    }
                    uint _e1732 = e_11;
                    float _e1740 = y_11;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1732, 16u)) * width)) + n_11] = _e1740;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1743 = c3_0_;
        simdgroup_store(_e1743, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_12 = lane;
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1790 = e_12;
                e_12 = _e1790 + size;
            }
            loop_init_13 = false;
            uint _e1748 = e_12;
            if (_e1748 < 256u) {
            } else {
                break;
            }
            {
                uint _e1754 = e_12;
                uint n_12 = ((n0_ + sub_n) + 0u) + naga_mod(_e1754, 16u);
                if (n_12 < width) {
                    uint _e1760 = e_12;
                    float _e1763 = spilled.inner[corner + _e1760];
                    y_12 = _e1763;
                    if (part.w > 0u) {
                        float _e1768 = y_12;
                        float _e1775 = vectors[(part.w - 1u) + n_12];
                        y_12 = _e1768 + _e1775;
                    }
                    uint _e1781 = e_12;
                    float _e1789 = y_12;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1781, 16u)) * width)) + n_12] = _e1789;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1792 = c3_1_;
        simdgroup_store(_e1792, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_13 = lane;
        uint2 loop_bound_15 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_15 == uint2(0u))) { break; }
            loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1839 = e_13;
                e_13 = _e1839 + size;
            }
            loop_init_14 = false;
            uint _e1797 = e_13;
            if (_e1797 < 256u) {
            } else {
                break;
            }
            {
                uint _e1803 = e_13;
                uint n_13 = ((n0_ + sub_n) + 16u) + naga_mod(_e1803, 16u);
                if (n_13 < width) {
                    uint _e1809 = e_13;
                    float _e1812 = spilled.inner[corner + _e1809];
                    y_13 = _e1812;
                    if (part.w > 0u) {
                        float _e1817 = y_13;
                        float _e1824 = vectors[(part.w - 1u) + n_13];
                        y_13 = _e1817 + _e1824;
                    }
                    uint _e1830 = e_13;
                    float _e1838 = y_13;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1830, 16u)) * width)) + n_13] = _e1838;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1841 = c3_2_;
        simdgroup_store(_e1841, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_14 = lane;
        uint2 loop_bound_16 = uint2(4294967295u);
        bool loop_init_15 = true;
        while(true) {
            if (metal::all(loop_bound_16 == uint2(0u))) { break; }
            loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
            if (!loop_init_15) {
                uint _e1888 = e_14;
                e_14 = _e1888 + size;
            }
            loop_init_15 = false;
            uint _e1846 = e_14;
            if (_e1846 < 256u) {
            } else {
                break;
            }
            {
                uint _e1852 = e_14;
                uint n_14 = ((n0_ + sub_n) + 32u) + naga_mod(_e1852, 16u);
                if (n_14 < width) {
                    uint _e1858 = e_14;
                    float _e1861 = spilled.inner[corner + _e1858];
                    y_14 = _e1861;
                    if (part.w > 0u) {
                        float _e1866 = y_14;
                        float _e1873 = vectors[(part.w - 1u) + n_14];
                        y_14 = _e1866 + _e1873;
                    }
                    uint _e1879 = e_14;
                    float _e1887 = y_14;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1879, 16u)) * width)) + n_14] = _e1887;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1890 = c3_3_;
        simdgroup_store(_e1890, &spilled.inner[corner], 16u);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_15 = lane;
        uint2 loop_bound_17 = uint2(4294967295u);
        bool loop_init_16 = true;
        while(true) {
            if (metal::all(loop_bound_17 == uint2(0u))) { break; }
            loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
            if (!loop_init_16) {
                uint _e1937 = e_15;
                e_15 = _e1937 + size;
            }
            loop_init_16 = false;
            uint _e1895 = e_15;
            if (_e1895 < 256u) {
            } else {
                break;
            }
            {
                uint _e1901 = e_15;
                uint n_15 = ((n0_ + sub_n) + 48u) + naga_mod(_e1901, 16u);
                if (n_15 < width) {
                    uint _e1907 = e_15;
                    float _e1910 = spilled.inner[corner + _e1907];
                    y_15 = _e1910;
                    if (part.w > 0u) {
                        float _e1915 = y_15;
                        float _e1922 = vectors[(part.w - 1u) + n_15];
                        y_15 = _e1915 + _e1922;
                    }
                    uint _e1928 = e_15;
                    float _e1936 = y_15;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1928, 16u)) * width)) + n_15] = _e1936;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    }
}
