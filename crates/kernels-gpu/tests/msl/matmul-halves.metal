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
constant uint SIDE = 16u;
constant uint SQUARES_T = 4u;
constant uint SQUARES_N = 4u;
constant uint DEPTH = 2u;
constant uint SPLIT_ROWS = 0u;
constant uint LOADS_X = 8u;
constant uint LOADS_W = 8u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint STRIDE = 40u;
constant uint UNIT = 4u;
constant uint SPILLED = 256u;

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
    device type_8& act,
    device type_8 const& vectors,
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
    uint _e109 = p.depth;
    uint begin = (group.z * _e109) * 32u;
    uint _e115 = p.blocks;
    uint _e118 = p.blocks;
    uint _e124 = p.depth;
    uint _e129 = p.depth;
    uint end = ((_e129 > 0u) ? metal::min(_e118, (group.z + 1u) * _e124) : _e115) * 32u;
    uint row_1 = naga_div(me, 8u);
    uint column = naga_mod(me, 8u);
    uint to = (row_1 * 10u) + column;
    uint _e145 = p.blocks;
    uint x_at = (((t0_ + row_1) * _e145) * 8u) + column;
    uint _e153 = p.blocks;
    uint x_at0_ = x_at + ((0u * _e153) * 8u);
    uint _e161 = p.blocks;
    uint x_at1_ = x_at + ((16u * _e161) * 8u);
    uint _e169 = p.blocks;
    uint x_at2_ = x_at + ((32u * _e169) * 8u);
    uint _e177 = p.blocks;
    uint x_at3_ = x_at + ((48u * _e177) * 8u);
    uint _e185 = p.blocks;
    uint x_at4_ = x_at + ((64u * _e185) * 8u);
    uint _e193 = p.blocks;
    uint x_at5_ = x_at + ((80u * _e193) * 8u);
    uint _e201 = p.blocks;
    uint x_at6_ = x_at + ((96u * _e201) * 8u);
    uint _e209 = p.blocks;
    uint x_at7_ = x_at + ((112u * _e209) * 8u);
    uint _e227 = p.blocks;
    uint w_at0_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 0u, part.y - 1u)) * _e227) * 8u)) + column;
    uint _e246 = p.blocks;
    uint w_at1_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 16u, part.y - 1u)) * _e246) * 8u)) + column;
    uint _e265 = p.blocks;
    uint w_at2_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 32u, part.y - 1u)) * _e265) * 8u)) + column;
    uint _e284 = p.blocks;
    uint w_at3_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 48u, part.y - 1u)) * _e284) * 8u)) + column;
    uint _e303 = p.blocks;
    uint w_at4_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 64u, part.y - 1u)) * _e303) * 8u)) + column;
    uint _e322 = p.blocks;
    uint w_at5_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 80u, part.y - 1u)) * _e322) * 8u)) + column;
    uint _e341 = p.blocks;
    uint w_at6_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 96u, part.y - 1u)) * _e341) * 8u)) + column;
    uint _e360 = p.blocks;
    uint w_at7_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 112u, part.y - 1u)) * _e360) * 8u)) + column;
    metal::half4 _e371 = x[x_at0_ + naga_div(begin, 4u)];
    x0_ = _e371;
    metal::half4 _e378 = x[x_at1_ + naga_div(begin, 4u)];
    x1_ = _e378;
    metal::half4 _e385 = x[x_at2_ + naga_div(begin, 4u)];
    x2_ = _e385;
    metal::half4 _e392 = x[x_at3_ + naga_div(begin, 4u)];
    x3_ = _e392;
    metal::half4 _e399 = x[x_at4_ + naga_div(begin, 4u)];
    x4_ = _e399;
    metal::half4 _e406 = x[x_at5_ + naga_div(begin, 4u)];
    x5_ = _e406;
    metal::half4 _e413 = x[x_at6_ + naga_div(begin, 4u)];
    x6_ = _e413;
    metal::half4 _e420 = x[x_at7_ + naga_div(begin, 4u)];
    x7_ = _e420;
    metal::half4 _e427 = halves[w_at0_ + naga_div(begin, 4u)];
    w0_ = _e427;
    metal::half4 _e434 = halves[w_at1_ + naga_div(begin, 4u)];
    w1_ = _e434;
    metal::half4 _e441 = halves[w_at2_ + naga_div(begin, 4u)];
    w2_ = _e441;
    metal::half4 _e448 = halves[w_at3_ + naga_div(begin, 4u)];
    w3_ = _e448;
    metal::half4 _e455 = halves[w_at4_ + naga_div(begin, 4u)];
    w4_ = _e455;
    metal::half4 _e462 = halves[w_at5_ + naga_div(begin, 4u)];
    w5_ = _e462;
    metal::half4 _e469 = halves[w_at6_ + naga_div(begin, 4u)];
    w6_ = _e469;
    metal::half4 _e476 = halves[w_at7_ + naga_div(begin, 4u)];
    w7_ = _e476;
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e889 = k0_;
            k0_ = _e889 + TILE_K;
        }
        loop_init = false;
        uint _e479 = k0_;
        if (_e479 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::half4 _e485 = x0_;
            tile_x.inner[to + 0u] = _e485;
            metal::half4 _e490 = x1_;
            tile_x.inner[to + 160u] = _e490;
            metal::half4 _e495 = x2_;
            tile_x.inner[to + 320u] = _e495;
            metal::half4 _e500 = x3_;
            tile_x.inner[to + 480u] = _e500;
            metal::half4 _e505 = x4_;
            tile_x.inner[to + 640u] = _e505;
            metal::half4 _e510 = x5_;
            tile_x.inner[to + 800u] = _e510;
            metal::half4 _e515 = x6_;
            tile_x.inner[to + 960u] = _e515;
            metal::half4 _e520 = x7_;
            tile_x.inner[to + 1120u] = _e520;
            metal::half4 _e525 = w0_;
            tile_w.inner[to + 0u] = _e525;
            metal::half4 _e530 = w1_;
            tile_w.inner[to + 160u] = _e530;
            metal::half4 _e535 = w2_;
            tile_w.inner[to + 320u] = _e535;
            metal::half4 _e540 = w3_;
            tile_w.inner[to + 480u] = _e540;
            metal::half4 _e545 = w4_;
            tile_w.inner[to + 640u] = _e545;
            metal::half4 _e550 = w5_;
            tile_w.inner[to + 800u] = _e550;
            metal::half4 _e555 = w6_;
            tile_w.inner[to + 960u] = _e555;
            metal::half4 _e560 = w7_;
            tile_w.inner[to + 1120u] = _e560;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e561 = k0_;
            uint next = naga_div(metal::min(_e561 + TILE_K, end - TILE_K), 4u);
            metal::half4 _e572 = x[x_at0_ + next];
            x0_ = _e572;
            metal::half4 _e576 = x[x_at1_ + next];
            x1_ = _e576;
            metal::half4 _e580 = x[x_at2_ + next];
            x2_ = _e580;
            metal::half4 _e584 = x[x_at3_ + next];
            x3_ = _e584;
            metal::half4 _e588 = x[x_at4_ + next];
            x4_ = _e588;
            metal::half4 _e592 = x[x_at5_ + next];
            x5_ = _e592;
            metal::half4 _e596 = x[x_at6_ + next];
            x6_ = _e596;
            metal::half4 _e600 = x[x_at7_ + next];
            x7_ = _e600;
            metal::half4 _e604 = halves[w_at0_ + next];
            w0_ = _e604;
            metal::half4 _e608 = halves[w_at1_ + next];
            w1_ = _e608;
            metal::half4 _e612 = halves[w_at2_ + next];
            w2_ = _e612;
            metal::half4 _e616 = halves[w_at3_ + next];
            w3_ = _e616;
            metal::half4 _e620 = halves[w_at4_ + next];
            w4_ = _e620;
            metal::half4 _e624 = halves[w_at5_ + next];
            w5_ = _e624;
            metal::half4 _e628 = halves[w_at6_ + next];
            w6_ = _e628;
            metal::half4 _e632 = halves[w_at7_ + next];
            w7_ = _e632;
            uint ia0_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 a0_0_ = NagaCooperativeLoad(&tile_x.inner[ia0_0_], 10u, false);
            uint ia0_1_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 a0_1_ = NagaCooperativeLoad(&tile_x.inner[ia0_1_], 10u, false);
            uint ia0_2_ = naga_div((sub_t + 32u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 a0_2_ = NagaCooperativeLoad(&tile_x.inner[ia0_2_], 10u, false);
            uint ia0_3_ = naga_div((sub_t + 48u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 a0_3_ = NagaCooperativeLoad(&tile_x.inner[ia0_3_], 10u, false);
            uint ib0_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 b0_0_ = NagaCooperativeLoad(&tile_w.inner[ib0_0_], 10u, true);
            uint ib0_1_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 b0_1_ = NagaCooperativeLoad(&tile_w.inner[ib0_1_], 10u, true);
            uint ib0_2_ = naga_div((sub_n + 32u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 b0_2_ = NagaCooperativeLoad(&tile_w.inner[ib0_2_], 10u, true);
            uint ib0_3_ = naga_div((sub_n + 48u) * STRIDE, UNIT) + 0u;
            metal::simdgroup_half16x16 b0_3_ = NagaCooperativeLoad(&tile_w.inner[ib0_3_], 10u, true);
            metal::simdgroup_float16x16 _e729 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e729);
            metal::simdgroup_float16x16 _e731 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e731);
            metal::simdgroup_float16x16 _e733 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e733);
            metal::simdgroup_float16x16 _e735 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e735);
            metal::simdgroup_float16x16 _e737 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e737);
            metal::simdgroup_float16x16 _e739 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e739);
            metal::simdgroup_float16x16 _e741 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e741);
            metal::simdgroup_float16x16 _e743 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e743);
            metal::simdgroup_float16x16 _e745 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e745);
            metal::simdgroup_float16x16 _e747 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e747);
            metal::simdgroup_float16x16 _e749 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e749);
            metal::simdgroup_float16x16 _e751 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e751);
            metal::simdgroup_float16x16 _e753 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e753);
            metal::simdgroup_float16x16 _e755 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e755);
            metal::simdgroup_float16x16 _e757 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e757);
            metal::simdgroup_float16x16 _e759 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e759);
            uint ia1_0_ = naga_div((sub_t + 0u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 a1_0_ = NagaCooperativeLoad(&tile_x.inner[ia1_0_], 10u, false);
            uint ia1_1_ = naga_div((sub_t + 16u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 a1_1_ = NagaCooperativeLoad(&tile_x.inner[ia1_1_], 10u, false);
            uint ia1_2_ = naga_div((sub_t + 32u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 a1_2_ = NagaCooperativeLoad(&tile_x.inner[ia1_2_], 10u, false);
            uint ia1_3_ = naga_div((sub_t + 48u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 a1_3_ = NagaCooperativeLoad(&tile_x.inner[ia1_3_], 10u, false);
            uint ib1_0_ = naga_div((sub_n + 0u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 b1_0_ = NagaCooperativeLoad(&tile_w.inner[ib1_0_], 10u, true);
            uint ib1_1_ = naga_div((sub_n + 16u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 b1_1_ = NagaCooperativeLoad(&tile_w.inner[ib1_1_], 10u, true);
            uint ib1_2_ = naga_div((sub_n + 32u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 b1_2_ = NagaCooperativeLoad(&tile_w.inner[ib1_2_], 10u, true);
            uint ib1_3_ = naga_div((sub_n + 48u) * STRIDE, UNIT) + 4u;
            metal::simdgroup_half16x16 b1_3_ = NagaCooperativeLoad(&tile_w.inner[ib1_3_], 10u, true);
            metal::simdgroup_float16x16 _e857 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e857);
            metal::simdgroup_float16x16 _e859 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e859);
            metal::simdgroup_float16x16 _e861 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e861);
            metal::simdgroup_float16x16 _e863 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e863);
            metal::simdgroup_float16x16 _e865 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e865);
            metal::simdgroup_float16x16 _e867 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e867);
            metal::simdgroup_float16x16 _e869 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e869);
            metal::simdgroup_float16x16 _e871 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e871);
            metal::simdgroup_float16x16 _e873 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e873);
            metal::simdgroup_float16x16 _e875 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e875);
            metal::simdgroup_float16x16 _e877 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e877);
            metal::simdgroup_float16x16 _e879 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e879);
            metal::simdgroup_float16x16 _e881 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e881);
            metal::simdgroup_float16x16 _e883 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e883);
            metal::simdgroup_float16x16 _e885 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e885);
            metal::simdgroup_float16x16 _e887 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e887);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = bias_1 == 0u;
    } else {
        local_1 = false;
    }
    bool _e907 = local_1;
    if (_e907) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e917 = c0_0_;
        simdgroup_store(_e917, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e929 = c0_1_;
        simdgroup_store(_e929, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e941 = c0_2_;
        simdgroup_store(_e941, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e953 = c0_3_;
        simdgroup_store(_e953, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e965 = c1_0_;
        simdgroup_store(_e965, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e977 = c1_1_;
        simdgroup_store(_e977, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e989 = c1_2_;
        simdgroup_store(_e989, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1001 = c1_3_;
        simdgroup_store(_e1001, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e1013 = c2_0_;
        simdgroup_store(_e1013, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e1025 = c2_1_;
        simdgroup_store(_e1025, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1037 = c2_2_;
        simdgroup_store(_e1037, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1049 = c2_3_;
        simdgroup_store(_e1049, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e1061 = c3_0_;
        simdgroup_store(_e1061, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e1073 = c3_1_;
        simdgroup_store(_e1073, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1085 = c3_2_;
        simdgroup_store(_e1085, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1097 = c3_3_;
        simdgroup_store(_e1097, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float16x16 _e1100 = c0_0_;
    simdgroup_store(_e1100, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e = lane;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1127 = e;
            e = _e1127 + size;
        }
        loop_init_1 = false;
        uint _e1105 = e;
        if (_e1105 < 256u) {
        } else {
            break;
        }
        {
            uint _e1111 = e;
            uint _e1118 = e;
            uint _e1123 = e;
            float _e1126 = spilled.inner[corner + _e1123];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1111, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1118, SIDE), _e1126, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1129 = c0_1_;
    simdgroup_store(_e1129, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1156 = e_1;
            e_1 = _e1156 + size;
        }
        loop_init_2 = false;
        uint _e1134 = e_1;
        if (_e1134 < 256u) {
        } else {
            break;
        }
        {
            uint _e1140 = e_1;
            uint _e1147 = e_1;
            uint _e1152 = e_1;
            float _e1155 = spilled.inner[corner + _e1152];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1140, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1147, SIDE), _e1155, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1158 = c0_2_;
    simdgroup_store(_e1158, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e1185 = e_2;
            e_2 = _e1185 + size;
        }
        loop_init_3 = false;
        uint _e1163 = e_2;
        if (_e1163 < 256u) {
        } else {
            break;
        }
        {
            uint _e1169 = e_2;
            uint _e1176 = e_2;
            uint _e1181 = e_2;
            float _e1184 = spilled.inner[corner + _e1181];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1169, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1176, SIDE), _e1184, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1187 = c0_3_;
    simdgroup_store(_e1187, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1214 = e_3;
            e_3 = _e1214 + size;
        }
        loop_init_4 = false;
        uint _e1192 = e_3;
        if (_e1192 < 256u) {
        } else {
            break;
        }
        {
            uint _e1198 = e_3;
            uint _e1205 = e_3;
            uint _e1210 = e_3;
            float _e1213 = spilled.inner[corner + _e1210];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1198, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1205, SIDE), _e1213, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1216 = c1_0_;
    simdgroup_store(_e1216, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1243 = e_4;
            e_4 = _e1243 + size;
        }
        loop_init_5 = false;
        uint _e1221 = e_4;
        if (_e1221 < 256u) {
        } else {
            break;
        }
        {
            uint _e1227 = e_4;
            uint _e1234 = e_4;
            uint _e1239 = e_4;
            float _e1242 = spilled.inner[corner + _e1239];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1227, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1234, SIDE), _e1242, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1245 = c1_1_;
    simdgroup_store(_e1245, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e1272 = e_5;
            e_5 = _e1272 + size;
        }
        loop_init_6 = false;
        uint _e1250 = e_5;
        if (_e1250 < 256u) {
        } else {
            break;
        }
        {
            uint _e1256 = e_5;
            uint _e1263 = e_5;
            uint _e1268 = e_5;
            float _e1271 = spilled.inner[corner + _e1268];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1256, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1263, SIDE), _e1271, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1274 = c1_2_;
    simdgroup_store(_e1274, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1301 = e_6;
            e_6 = _e1301 + size;
        }
        loop_init_7 = false;
        uint _e1279 = e_6;
        if (_e1279 < 256u) {
        } else {
            break;
        }
        {
            uint _e1285 = e_6;
            uint _e1292 = e_6;
            uint _e1297 = e_6;
            float _e1300 = spilled.inner[corner + _e1297];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1285, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1292, SIDE), _e1300, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1303 = c1_3_;
    simdgroup_store(_e1303, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1330 = e_7;
            e_7 = _e1330 + size;
        }
        loop_init_8 = false;
        uint _e1308 = e_7;
        if (_e1308 < 256u) {
        } else {
            break;
        }
        {
            uint _e1314 = e_7;
            uint _e1321 = e_7;
            uint _e1326 = e_7;
            float _e1329 = spilled.inner[corner + _e1326];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1314, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1321, SIDE), _e1329, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1332 = c2_0_;
    simdgroup_store(_e1332, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1359 = e_8;
            e_8 = _e1359 + size;
        }
        loop_init_9 = false;
        uint _e1337 = e_8;
        if (_e1337 < 256u) {
        } else {
            break;
        }
        {
            uint _e1343 = e_8;
            uint _e1350 = e_8;
            uint _e1355 = e_8;
            float _e1358 = spilled.inner[corner + _e1355];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1343, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1350, SIDE), _e1358, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1361 = c2_1_;
    simdgroup_store(_e1361, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1388 = e_9;
            e_9 = _e1388 + size;
        }
        loop_init_10 = false;
        uint _e1366 = e_9;
        if (_e1366 < 256u) {
        } else {
            break;
        }
        {
            uint _e1372 = e_9;
            uint _e1379 = e_9;
            uint _e1384 = e_9;
            float _e1387 = spilled.inner[corner + _e1384];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1372, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1379, SIDE), _e1387, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1390 = c2_2_;
    simdgroup_store(_e1390, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1417 = e_10;
            e_10 = _e1417 + size;
        }
        loop_init_11 = false;
        uint _e1395 = e_10;
        if (_e1395 < 256u) {
        } else {
            break;
        }
        {
            uint _e1401 = e_10;
            uint _e1408 = e_10;
            uint _e1413 = e_10;
            float _e1416 = spilled.inner[corner + _e1413];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1401, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1408, SIDE), _e1416, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1419 = c2_3_;
    simdgroup_store(_e1419, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1446 = e_11;
            e_11 = _e1446 + size;
        }
        loop_init_12 = false;
        uint _e1424 = e_11;
        if (_e1424 < 256u) {
        } else {
            break;
        }
        {
            uint _e1430 = e_11;
            uint _e1437 = e_11;
            uint _e1442 = e_11;
            float _e1445 = spilled.inner[corner + _e1442];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1430, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1437, SIDE), _e1445, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1448 = c3_0_;
    simdgroup_store(_e1448, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1475 = e_12;
            e_12 = _e1475 + size;
        }
        loop_init_13 = false;
        uint _e1453 = e_12;
        if (_e1453 < 256u) {
        } else {
            break;
        }
        {
            uint _e1459 = e_12;
            uint _e1466 = e_12;
            uint _e1471 = e_12;
            float _e1474 = spilled.inner[corner + _e1471];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1459, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1466, SIDE), _e1474, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1477 = c3_1_;
    simdgroup_store(_e1477, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1504 = e_13;
            e_13 = _e1504 + size;
        }
        loop_init_14 = false;
        uint _e1482 = e_13;
        if (_e1482 < 256u) {
        } else {
            break;
        }
        {
            uint _e1488 = e_13;
            uint _e1495 = e_13;
            uint _e1500 = e_13;
            float _e1503 = spilled.inner[corner + _e1500];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1488, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1495, SIDE), _e1503, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1506 = c3_2_;
    simdgroup_store(_e1506, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1533 = e_14;
            e_14 = _e1533 + size;
        }
        loop_init_15 = false;
        uint _e1511 = e_14;
        if (_e1511 < 256u) {
        } else {
            break;
        }
        {
            uint _e1517 = e_14;
            uint _e1524 = e_14;
            uint _e1529 = e_14;
            float _e1532 = spilled.inner[corner + _e1529];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1517, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1524, SIDE), _e1532, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1535 = c3_3_;
    simdgroup_store(_e1535, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1562 = e_15;
            e_15 = _e1562 + size;
        }
        loop_init_16 = false;
        uint _e1540 = e_15;
        if (_e1540 < 256u) {
        } else {
            break;
        }
        {
            uint _e1546 = e_15;
            uint _e1553 = e_15;
            uint _e1558 = e_15;
            float _e1561 = spilled.inner[corner + _e1558];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1546, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1553, SIDE), _e1561, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
