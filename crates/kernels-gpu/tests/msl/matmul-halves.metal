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
constant uint W_EACH = 4u;
constant uint W_FOURS = 1u;
constant uint WHOLE_BLOCKS = 0u;
constant uint LOADS_X = 8u;
constant uint LOADS_W = 8u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint STRIDE = 40u;
constant uint ELEMENT = 4u;
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
    uint group_row = naga_div(me, 8u);
    uint row_1 = ((naga_div(group_row, 8u) * 8u) + (naga_mod(group_row, 2u) * 4u)) + naga_mod(naga_div(group_row, 2u), 4u);
    uint column = naga_mod(me, 8u);
    uint to = (row_1 * 10u) + column;
    uint _e159 = p.blocks;
    uint x_at = (((t0_ + row_1) * _e159) * 8u) + column;
    uint _e167 = p.blocks;
    uint x_at0_ = x_at + ((0u * _e167) * 8u);
    uint _e175 = p.blocks;
    uint x_at1_ = x_at + ((16u * _e175) * 8u);
    uint _e183 = p.blocks;
    uint x_at2_ = x_at + ((32u * _e183) * 8u);
    uint _e191 = p.blocks;
    uint x_at3_ = x_at + ((48u * _e191) * 8u);
    uint _e199 = p.blocks;
    uint x_at4_ = x_at + ((64u * _e199) * 8u);
    uint _e207 = p.blocks;
    uint x_at5_ = x_at + ((80u * _e207) * 8u);
    uint _e215 = p.blocks;
    uint x_at6_ = x_at + ((96u * _e215) * 8u);
    uint _e223 = p.blocks;
    uint x_at7_ = x_at + ((112u * _e223) * 8u);
    uint _e241 = p.blocks;
    uint w_at0_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 0u, part.y - 1u)) * _e241) * 8u)) + column;
    uint _e260 = p.blocks;
    uint w_at1_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 16u, part.y - 1u)) * _e260) * 8u)) + column;
    uint _e279 = p.blocks;
    uint w_at2_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 32u, part.y - 1u)) * _e279) * 8u)) + column;
    uint _e298 = p.blocks;
    uint w_at3_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 48u, part.y - 1u)) * _e298) * 8u)) + column;
    uint _e317 = p.blocks;
    uint w_at4_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 64u, part.y - 1u)) * _e317) * 8u)) + column;
    uint _e336 = p.blocks;
    uint w_at5_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 80u, part.y - 1u)) * _e336) * 8u)) + column;
    uint _e355 = p.blocks;
    uint w_at6_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 96u, part.y - 1u)) * _e355) * 8u)) + column;
    uint _e374 = p.blocks;
    uint w_at7_ = ((planes.codes * 2u) + (((0u + metal::min((n0_ + row_1) + 112u, part.y - 1u)) * _e374) * 8u)) + column;
    metal::half4 _e385 = x[x_at0_ + naga_div(begin, 4u)];
    x0_ = _e385;
    metal::half4 _e392 = x[x_at1_ + naga_div(begin, 4u)];
    x1_ = _e392;
    metal::half4 _e399 = x[x_at2_ + naga_div(begin, 4u)];
    x2_ = _e399;
    metal::half4 _e406 = x[x_at3_ + naga_div(begin, 4u)];
    x3_ = _e406;
    metal::half4 _e413 = x[x_at4_ + naga_div(begin, 4u)];
    x4_ = _e413;
    metal::half4 _e420 = x[x_at5_ + naga_div(begin, 4u)];
    x5_ = _e420;
    metal::half4 _e427 = x[x_at6_ + naga_div(begin, 4u)];
    x6_ = _e427;
    metal::half4 _e434 = x[x_at7_ + naga_div(begin, 4u)];
    x7_ = _e434;
    metal::half4 _e441 = halves[w_at0_ + naga_div(begin, 4u)];
    w0_ = _e441;
    metal::half4 _e448 = halves[w_at1_ + naga_div(begin, 4u)];
    w1_ = _e448;
    metal::half4 _e455 = halves[w_at2_ + naga_div(begin, 4u)];
    w2_ = _e455;
    metal::half4 _e462 = halves[w_at3_ + naga_div(begin, 4u)];
    w3_ = _e462;
    metal::half4 _e469 = halves[w_at4_ + naga_div(begin, 4u)];
    w4_ = _e469;
    metal::half4 _e476 = halves[w_at5_ + naga_div(begin, 4u)];
    w5_ = _e476;
    metal::half4 _e483 = halves[w_at6_ + naga_div(begin, 4u)];
    w6_ = _e483;
    metal::half4 _e490 = halves[w_at7_ + naga_div(begin, 4u)];
    w7_ = _e490;
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e903 = k0_;
            k0_ = _e903 + TILE_K;
        }
        loop_init = false;
        uint _e493 = k0_;
        if (_e493 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::half4 _e499 = x0_;
            tile_x.inner[to + 0u] = _e499;
            metal::half4 _e504 = x1_;
            tile_x.inner[to + 160u] = _e504;
            metal::half4 _e509 = x2_;
            tile_x.inner[to + 320u] = _e509;
            metal::half4 _e514 = x3_;
            tile_x.inner[to + 480u] = _e514;
            metal::half4 _e519 = x4_;
            tile_x.inner[to + 640u] = _e519;
            metal::half4 _e524 = x5_;
            tile_x.inner[to + 800u] = _e524;
            metal::half4 _e529 = x6_;
            tile_x.inner[to + 960u] = _e529;
            metal::half4 _e534 = x7_;
            tile_x.inner[to + 1120u] = _e534;
            metal::half4 _e539 = w0_;
            tile_w.inner[to + 0u] = _e539;
            metal::half4 _e544 = w1_;
            tile_w.inner[to + 160u] = _e544;
            metal::half4 _e549 = w2_;
            tile_w.inner[to + 320u] = _e549;
            metal::half4 _e554 = w3_;
            tile_w.inner[to + 480u] = _e554;
            metal::half4 _e559 = w4_;
            tile_w.inner[to + 640u] = _e559;
            metal::half4 _e564 = w5_;
            tile_w.inner[to + 800u] = _e564;
            metal::half4 _e569 = w6_;
            tile_w.inner[to + 960u] = _e569;
            metal::half4 _e574 = w7_;
            tile_w.inner[to + 1120u] = _e574;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e575 = k0_;
            uint next = naga_div(metal::min(_e575 + TILE_K, end - TILE_K), 4u);
            metal::half4 _e586 = x[x_at0_ + next];
            x0_ = _e586;
            metal::half4 _e590 = x[x_at1_ + next];
            x1_ = _e590;
            metal::half4 _e594 = x[x_at2_ + next];
            x2_ = _e594;
            metal::half4 _e598 = x[x_at3_ + next];
            x3_ = _e598;
            metal::half4 _e602 = x[x_at4_ + next];
            x4_ = _e602;
            metal::half4 _e606 = x[x_at5_ + next];
            x5_ = _e606;
            metal::half4 _e610 = x[x_at6_ + next];
            x6_ = _e610;
            metal::half4 _e614 = x[x_at7_ + next];
            x7_ = _e614;
            metal::half4 _e618 = halves[w_at0_ + next];
            w0_ = _e618;
            metal::half4 _e622 = halves[w_at1_ + next];
            w1_ = _e622;
            metal::half4 _e626 = halves[w_at2_ + next];
            w2_ = _e626;
            metal::half4 _e630 = halves[w_at3_ + next];
            w3_ = _e630;
            metal::half4 _e634 = halves[w_at4_ + next];
            w4_ = _e634;
            metal::half4 _e638 = halves[w_at5_ + next];
            w5_ = _e638;
            metal::half4 _e642 = halves[w_at6_ + next];
            w6_ = _e642;
            metal::half4 _e646 = halves[w_at7_ + next];
            w7_ = _e646;
            uint ia0_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 a0_0_ = NagaCooperativeLoad(&tile_x.inner[ia0_0_], 10u, false);
            uint ia0_1_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 a0_1_ = NagaCooperativeLoad(&tile_x.inner[ia0_1_], 10u, false);
            uint ia0_2_ = naga_div((sub_t + 32u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 a0_2_ = NagaCooperativeLoad(&tile_x.inner[ia0_2_], 10u, false);
            uint ia0_3_ = naga_div((sub_t + 48u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 a0_3_ = NagaCooperativeLoad(&tile_x.inner[ia0_3_], 10u, false);
            uint ib0_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 b0_0_ = NagaCooperativeLoad(&tile_w.inner[ib0_0_], 10u, true);
            uint ib0_1_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 b0_1_ = NagaCooperativeLoad(&tile_w.inner[ib0_1_], 10u, true);
            uint ib0_2_ = naga_div((sub_n + 32u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 b0_2_ = NagaCooperativeLoad(&tile_w.inner[ib0_2_], 10u, true);
            uint ib0_3_ = naga_div((sub_n + 48u) * STRIDE, ELEMENT) + 0u;
            metal::simdgroup_half16x16 b0_3_ = NagaCooperativeLoad(&tile_w.inner[ib0_3_], 10u, true);
            metal::simdgroup_float16x16 _e743 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e743);
            metal::simdgroup_float16x16 _e745 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e745);
            metal::simdgroup_float16x16 _e747 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e747);
            metal::simdgroup_float16x16 _e749 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e749);
            metal::simdgroup_float16x16 _e751 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e751);
            metal::simdgroup_float16x16 _e753 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e753);
            metal::simdgroup_float16x16 _e755 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e755);
            metal::simdgroup_float16x16 _e757 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e757);
            metal::simdgroup_float16x16 _e759 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e759);
            metal::simdgroup_float16x16 _e761 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e761);
            metal::simdgroup_float16x16 _e763 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e763);
            metal::simdgroup_float16x16 _e765 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e765);
            metal::simdgroup_float16x16 _e767 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e767);
            metal::simdgroup_float16x16 _e769 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e769);
            metal::simdgroup_float16x16 _e771 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e771);
            metal::simdgroup_float16x16 _e773 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e773);
            uint ia1_0_ = naga_div((sub_t + 0u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 a1_0_ = NagaCooperativeLoad(&tile_x.inner[ia1_0_], 10u, false);
            uint ia1_1_ = naga_div((sub_t + 16u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 a1_1_ = NagaCooperativeLoad(&tile_x.inner[ia1_1_], 10u, false);
            uint ia1_2_ = naga_div((sub_t + 32u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 a1_2_ = NagaCooperativeLoad(&tile_x.inner[ia1_2_], 10u, false);
            uint ia1_3_ = naga_div((sub_t + 48u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 a1_3_ = NagaCooperativeLoad(&tile_x.inner[ia1_3_], 10u, false);
            uint ib1_0_ = naga_div((sub_n + 0u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 b1_0_ = NagaCooperativeLoad(&tile_w.inner[ib1_0_], 10u, true);
            uint ib1_1_ = naga_div((sub_n + 16u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 b1_1_ = NagaCooperativeLoad(&tile_w.inner[ib1_1_], 10u, true);
            uint ib1_2_ = naga_div((sub_n + 32u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 b1_2_ = NagaCooperativeLoad(&tile_w.inner[ib1_2_], 10u, true);
            uint ib1_3_ = naga_div((sub_n + 48u) * STRIDE, ELEMENT) + 4u;
            metal::simdgroup_half16x16 b1_3_ = NagaCooperativeLoad(&tile_w.inner[ib1_3_], 10u, true);
            metal::simdgroup_float16x16 _e871 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e871);
            metal::simdgroup_float16x16 _e873 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e873);
            metal::simdgroup_float16x16 _e875 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e875);
            metal::simdgroup_float16x16 _e877 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e877);
            metal::simdgroup_float16x16 _e879 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e879);
            metal::simdgroup_float16x16 _e881 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e881);
            metal::simdgroup_float16x16 _e883 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e883);
            metal::simdgroup_float16x16 _e885 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e885);
            metal::simdgroup_float16x16 _e887 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e887);
            metal::simdgroup_float16x16 _e889 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e889);
            metal::simdgroup_float16x16 _e891 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e891);
            metal::simdgroup_float16x16 _e893 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e893);
            metal::simdgroup_float16x16 _e895 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e895);
            metal::simdgroup_float16x16 _e897 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e897);
            metal::simdgroup_float16x16 _e899 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e899);
            metal::simdgroup_float16x16 _e901 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e901);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = bias_1 == 0u;
    } else {
        local_1 = false;
    }
    bool _e921 = local_1;
    if (_e921) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e931 = c0_0_;
        simdgroup_store(_e931, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e943 = c0_1_;
        simdgroup_store(_e943, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e955 = c0_2_;
        simdgroup_store(_e955, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e967 = c0_3_;
        simdgroup_store(_e967, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e979 = c1_0_;
        simdgroup_store(_e979, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e991 = c1_1_;
        simdgroup_store(_e991, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1003 = c1_2_;
        simdgroup_store(_e1003, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1015 = c1_3_;
        simdgroup_store(_e1015, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e1027 = c2_0_;
        simdgroup_store(_e1027, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e1039 = c2_1_;
        simdgroup_store(_e1039, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1051 = c2_2_;
        simdgroup_store(_e1051, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1063 = c2_3_;
        simdgroup_store(_e1063, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e1075 = c3_0_;
        simdgroup_store(_e1075, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e1087 = c3_1_;
        simdgroup_store(_e1087, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1099 = c3_2_;
        simdgroup_store(_e1099, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1111 = c3_3_;
        simdgroup_store(_e1111, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float16x16 _e1114 = c0_0_;
    simdgroup_store(_e1114, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e = lane;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1141 = e;
            e = _e1141 + size;
        }
        loop_init_1 = false;
        uint _e1119 = e;
        if (_e1119 < 256u) {
        } else {
            break;
        }
        {
            uint _e1125 = e;
            uint _e1132 = e;
            uint _e1137 = e;
            float _e1140 = spilled.inner[corner + _e1137];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1125, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1132, SIDE), _e1140, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1143 = c0_1_;
    simdgroup_store(_e1143, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e1170 = e_1;
            e_1 = _e1170 + size;
        }
        loop_init_2 = false;
        uint _e1148 = e_1;
        if (_e1148 < 256u) {
        } else {
            break;
        }
        {
            uint _e1154 = e_1;
            uint _e1161 = e_1;
            uint _e1166 = e_1;
            float _e1169 = spilled.inner[corner + _e1166];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1154, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1161, SIDE), _e1169, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1172 = c0_2_;
    simdgroup_store(_e1172, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e1199 = e_2;
            e_2 = _e1199 + size;
        }
        loop_init_3 = false;
        uint _e1177 = e_2;
        if (_e1177 < 256u) {
        } else {
            break;
        }
        {
            uint _e1183 = e_2;
            uint _e1190 = e_2;
            uint _e1195 = e_2;
            float _e1198 = spilled.inner[corner + _e1195];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1183, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1190, SIDE), _e1198, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1201 = c0_3_;
    simdgroup_store(_e1201, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1228 = e_3;
            e_3 = _e1228 + size;
        }
        loop_init_4 = false;
        uint _e1206 = e_3;
        if (_e1206 < 256u) {
        } else {
            break;
        }
        {
            uint _e1212 = e_3;
            uint _e1219 = e_3;
            uint _e1224 = e_3;
            float _e1227 = spilled.inner[corner + _e1224];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1212, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1219, SIDE), _e1227, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1230 = c1_0_;
    simdgroup_store(_e1230, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1257 = e_4;
            e_4 = _e1257 + size;
        }
        loop_init_5 = false;
        uint _e1235 = e_4;
        if (_e1235 < 256u) {
        } else {
            break;
        }
        {
            uint _e1241 = e_4;
            uint _e1248 = e_4;
            uint _e1253 = e_4;
            float _e1256 = spilled.inner[corner + _e1253];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1241, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1248, SIDE), _e1256, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1259 = c1_1_;
    simdgroup_store(_e1259, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e1286 = e_5;
            e_5 = _e1286 + size;
        }
        loop_init_6 = false;
        uint _e1264 = e_5;
        if (_e1264 < 256u) {
        } else {
            break;
        }
        {
            uint _e1270 = e_5;
            uint _e1277 = e_5;
            uint _e1282 = e_5;
            float _e1285 = spilled.inner[corner + _e1282];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1270, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1277, SIDE), _e1285, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1288 = c1_2_;
    simdgroup_store(_e1288, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1315 = e_6;
            e_6 = _e1315 + size;
        }
        loop_init_7 = false;
        uint _e1293 = e_6;
        if (_e1293 < 256u) {
        } else {
            break;
        }
        {
            uint _e1299 = e_6;
            uint _e1306 = e_6;
            uint _e1311 = e_6;
            float _e1314 = spilled.inner[corner + _e1311];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1299, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1306, SIDE), _e1314, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1317 = c1_3_;
    simdgroup_store(_e1317, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1344 = e_7;
            e_7 = _e1344 + size;
        }
        loop_init_8 = false;
        uint _e1322 = e_7;
        if (_e1322 < 256u) {
        } else {
            break;
        }
        {
            uint _e1328 = e_7;
            uint _e1335 = e_7;
            uint _e1340 = e_7;
            float _e1343 = spilled.inner[corner + _e1340];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1328, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1335, SIDE), _e1343, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1346 = c2_0_;
    simdgroup_store(_e1346, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1373 = e_8;
            e_8 = _e1373 + size;
        }
        loop_init_9 = false;
        uint _e1351 = e_8;
        if (_e1351 < 256u) {
        } else {
            break;
        }
        {
            uint _e1357 = e_8;
            uint _e1364 = e_8;
            uint _e1369 = e_8;
            float _e1372 = spilled.inner[corner + _e1369];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1357, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1364, SIDE), _e1372, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1375 = c2_1_;
    simdgroup_store(_e1375, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1402 = e_9;
            e_9 = _e1402 + size;
        }
        loop_init_10 = false;
        uint _e1380 = e_9;
        if (_e1380 < 256u) {
        } else {
            break;
        }
        {
            uint _e1386 = e_9;
            uint _e1393 = e_9;
            uint _e1398 = e_9;
            float _e1401 = spilled.inner[corner + _e1398];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1386, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1393, SIDE), _e1401, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1404 = c2_2_;
    simdgroup_store(_e1404, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1431 = e_10;
            e_10 = _e1431 + size;
        }
        loop_init_11 = false;
        uint _e1409 = e_10;
        if (_e1409 < 256u) {
        } else {
            break;
        }
        {
            uint _e1415 = e_10;
            uint _e1422 = e_10;
            uint _e1427 = e_10;
            float _e1430 = spilled.inner[corner + _e1427];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1415, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1422, SIDE), _e1430, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1433 = c2_3_;
    simdgroup_store(_e1433, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1460 = e_11;
            e_11 = _e1460 + size;
        }
        loop_init_12 = false;
        uint _e1438 = e_11;
        if (_e1438 < 256u) {
        } else {
            break;
        }
        {
            uint _e1444 = e_11;
            uint _e1451 = e_11;
            uint _e1456 = e_11;
            float _e1459 = spilled.inner[corner + _e1456];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1444, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1451, SIDE), _e1459, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1462 = c3_0_;
    simdgroup_store(_e1462, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1489 = e_12;
            e_12 = _e1489 + size;
        }
        loop_init_13 = false;
        uint _e1467 = e_12;
        if (_e1467 < 256u) {
        } else {
            break;
        }
        {
            uint _e1473 = e_12;
            uint _e1480 = e_12;
            uint _e1485 = e_12;
            float _e1488 = spilled.inner[corner + _e1485];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1473, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1480, SIDE), _e1488, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1491 = c3_1_;
    simdgroup_store(_e1491, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1518 = e_13;
            e_13 = _e1518 + size;
        }
        loop_init_14 = false;
        uint _e1496 = e_13;
        if (_e1496 < 256u) {
        } else {
            break;
        }
        {
            uint _e1502 = e_13;
            uint _e1509 = e_13;
            uint _e1514 = e_13;
            float _e1517 = spilled.inner[corner + _e1514];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1502, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1509, SIDE), _e1517, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1520 = c3_2_;
    simdgroup_store(_e1520, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1547 = e_14;
            e_14 = _e1547 + size;
        }
        loop_init_15 = false;
        uint _e1525 = e_14;
        if (_e1525 < 256u) {
        } else {
            break;
        }
        {
            uint _e1531 = e_14;
            uint _e1538 = e_14;
            uint _e1543 = e_14;
            float _e1546 = spilled.inner[corner + _e1543];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1531, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1538, SIDE), _e1546, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1549 = c3_3_;
    simdgroup_store(_e1549, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1576 = e_15;
            e_15 = _e1576 + size;
        }
        loop_init_16 = false;
        uint _e1554 = e_15;
        if (_e1554 < 256u) {
        } else {
            break;
        }
        {
            uint _e1560 = e_15;
            uint _e1567 = e_15;
            uint _e1572 = e_15;
            float _e1575 = spilled.inner[corner + _e1572];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1560, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1567, SIDE), _e1575, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
