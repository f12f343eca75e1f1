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
    uint corner = (subgroup * SIDE) * SIDE;
    uint _e109 = p.depth;
    uint begin = (group.z * _e109) * 32u;
    uint _e115 = p.blocks;
    uint _e118 = p.blocks;
    uint _e124 = p.depth;
    uint _e129 = p.depth;
    uint end = ((_e129 > 0u) ? metal::min(_e118, (group.z + 1u) * _e124) : _e115) * 32u;
    uint row = naga_div(me, 8u);
    uint column = naga_mod(me, 8u);
    uint to = (row * 10u) + column;
    uint _e145 = p.blocks;
    uint x_at = (((t0_ + row) * _e145) * 8u) + column;
    uint _e162 = p.blocks;
    uint w_at0_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 0u, part.y - 1u) * _e162) * 8u)) + column;
    uint _e180 = p.blocks;
    uint w_at1_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 16u, part.y - 1u) * _e180) * 8u)) + column;
    uint _e198 = p.blocks;
    uint w_at2_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 32u, part.y - 1u) * _e198) * 8u)) + column;
    uint _e216 = p.blocks;
    uint w_at3_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 48u, part.y - 1u) * _e216) * 8u)) + column;
    uint _e234 = p.blocks;
    uint w_at4_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 64u, part.y - 1u) * _e234) * 8u)) + column;
    uint _e252 = p.blocks;
    uint w_at5_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 80u, part.y - 1u) * _e252) * 8u)) + column;
    uint _e270 = p.blocks;
    uint w_at6_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 96u, part.y - 1u) * _e270) * 8u)) + column;
    uint _e288 = p.blocks;
    uint w_at7_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 112u, part.y - 1u) * _e288) * 8u)) + column;
    uint _e301 = p.blocks;
    metal::half4 _e307 = x[(x_at + naga_div(begin, 4u)) + ((0u * _e301) * 8u)];
    x0_ = _e307;
    uint _e316 = p.blocks;
    metal::half4 _e322 = x[(x_at + naga_div(begin, 4u)) + ((16u * _e316) * 8u)];
    x1_ = _e322;
    uint _e331 = p.blocks;
    metal::half4 _e337 = x[(x_at + naga_div(begin, 4u)) + ((32u * _e331) * 8u)];
    x2_ = _e337;
    uint _e346 = p.blocks;
    metal::half4 _e352 = x[(x_at + naga_div(begin, 4u)) + ((48u * _e346) * 8u)];
    x3_ = _e352;
    uint _e361 = p.blocks;
    metal::half4 _e367 = x[(x_at + naga_div(begin, 4u)) + ((64u * _e361) * 8u)];
    x4_ = _e367;
    uint _e376 = p.blocks;
    metal::half4 _e382 = x[(x_at + naga_div(begin, 4u)) + ((80u * _e376) * 8u)];
    x5_ = _e382;
    uint _e391 = p.blocks;
    metal::half4 _e397 = x[(x_at + naga_div(begin, 4u)) + ((96u * _e391) * 8u)];
    x6_ = _e397;
    uint _e406 = p.blocks;
    metal::half4 _e412 = x[(x_at + naga_div(begin, 4u)) + ((112u * _e406) * 8u)];
    x7_ = _e412;
    metal::half4 _e419 = halves[w_at0_ + naga_div(begin, 4u)];
    w0_ = _e419;
    metal::half4 _e426 = halves[w_at1_ + naga_div(begin, 4u)];
    w1_ = _e426;
    metal::half4 _e433 = halves[w_at2_ + naga_div(begin, 4u)];
    w2_ = _e433;
    metal::half4 _e440 = halves[w_at3_ + naga_div(begin, 4u)];
    w3_ = _e440;
    metal::half4 _e447 = halves[w_at4_ + naga_div(begin, 4u)];
    w4_ = _e447;
    metal::half4 _e454 = halves[w_at5_ + naga_div(begin, 4u)];
    w5_ = _e454;
    metal::half4 _e461 = halves[w_at6_ + naga_div(begin, 4u)];
    w6_ = _e461;
    metal::half4 _e468 = halves[w_at7_ + naga_div(begin, 4u)];
    w7_ = _e468;
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e945 = k0_;
            k0_ = _e945 + TILE_K;
        }
        loop_init = false;
        uint _e471 = k0_;
        if (_e471 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::half4 _e477 = x0_;
            tile_x.inner[to + 0u] = _e477;
            metal::half4 _e482 = x1_;
            tile_x.inner[to + 160u] = _e482;
            metal::half4 _e487 = x2_;
            tile_x.inner[to + 320u] = _e487;
            metal::half4 _e492 = x3_;
            tile_x.inner[to + 480u] = _e492;
            metal::half4 _e497 = x4_;
            tile_x.inner[to + 640u] = _e497;
            metal::half4 _e502 = x5_;
            tile_x.inner[to + 800u] = _e502;
            metal::half4 _e507 = x6_;
            tile_x.inner[to + 960u] = _e507;
            metal::half4 _e512 = x7_;
            tile_x.inner[to + 1120u] = _e512;
            metal::half4 _e517 = w0_;
            tile_w.inner[to + 0u] = _e517;
            metal::half4 _e522 = w1_;
            tile_w.inner[to + 160u] = _e522;
            metal::half4 _e527 = w2_;
            tile_w.inner[to + 320u] = _e527;
            metal::half4 _e532 = w3_;
            tile_w.inner[to + 480u] = _e532;
            metal::half4 _e537 = w4_;
            tile_w.inner[to + 640u] = _e537;
            metal::half4 _e542 = w5_;
            tile_w.inner[to + 800u] = _e542;
            metal::half4 _e547 = w6_;
            tile_w.inner[to + 960u] = _e547;
            metal::half4 _e552 = w7_;
            tile_w.inner[to + 1120u] = _e552;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e553 = k0_;
            uint next = naga_div(metal::min(_e553 + TILE_K, end - TILE_K), 4u);
            uint _e566 = p.blocks;
            metal::half4 _e572 = x[(x_at + next) + ((0u * _e566) * 8u)];
            x0_ = _e572;
            uint _e578 = p.blocks;
            metal::half4 _e584 = x[(x_at + next) + ((16u * _e578) * 8u)];
            x1_ = _e584;
            uint _e590 = p.blocks;
            metal::half4 _e596 = x[(x_at + next) + ((32u * _e590) * 8u)];
            x2_ = _e596;
            uint _e602 = p.blocks;
            metal::half4 _e608 = x[(x_at + next) + ((48u * _e602) * 8u)];
            x3_ = _e608;
            uint _e614 = p.blocks;
            metal::half4 _e620 = x[(x_at + next) + ((64u * _e614) * 8u)];
            x4_ = _e620;
            uint _e626 = p.blocks;
            metal::half4 _e632 = x[(x_at + next) + ((80u * _e626) * 8u)];
            x5_ = _e632;
            uint _e638 = p.blocks;
            metal::half4 _e644 = x[(x_at + next) + ((96u * _e638) * 8u)];
            x6_ = _e644;
            uint _e650 = p.blocks;
            metal::half4 _e656 = x[(x_at + next) + ((112u * _e650) * 8u)];
            x7_ = _e656;
            metal::half4 _e660 = halves[w_at0_ + next];
            w0_ = _e660;
            metal::half4 _e664 = halves[w_at1_ + next];
            w1_ = _e664;
            metal::half4 _e668 = halves[w_at2_ + next];
            w2_ = _e668;
            metal::half4 _e672 = halves[w_at3_ + next];
            w3_ = _e672;
            metal::half4 _e676 = halves[w_at4_ + next];
            w4_ = _e676;
            metal::half4 _e680 = halves[w_at5_ + next];
            w5_ = _e680;
            metal::half4 _e684 = halves[w_at6_ + next];
            w6_ = _e684;
            metal::half4 _e688 = halves[w_at7_ + next];
            w7_ = _e688;
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
            metal::simdgroup_float16x16 _e785 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e785);
            metal::simdgroup_float16x16 _e787 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e787);
            metal::simdgroup_float16x16 _e789 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e789);
            metal::simdgroup_float16x16 _e791 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e791);
            metal::simdgroup_float16x16 _e793 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e793);
            metal::simdgroup_float16x16 _e795 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e795);
            metal::simdgroup_float16x16 _e797 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e797);
            metal::simdgroup_float16x16 _e799 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e799);
            metal::simdgroup_float16x16 _e801 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e801);
            metal::simdgroup_float16x16 _e803 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e803);
            metal::simdgroup_float16x16 _e805 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e805);
            metal::simdgroup_float16x16 _e807 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e807);
            metal::simdgroup_float16x16 _e809 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e809);
            metal::simdgroup_float16x16 _e811 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e811);
            metal::simdgroup_float16x16 _e813 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e813);
            metal::simdgroup_float16x16 _e815 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e815);
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
            metal::simdgroup_float16x16 _e913 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e913);
            metal::simdgroup_float16x16 _e915 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e915);
            metal::simdgroup_float16x16 _e917 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e917);
            metal::simdgroup_float16x16 _e919 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e919);
            metal::simdgroup_float16x16 _e921 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e921);
            metal::simdgroup_float16x16 _e923 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e923);
            metal::simdgroup_float16x16 _e925 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e925);
            metal::simdgroup_float16x16 _e927 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e927);
            metal::simdgroup_float16x16 _e929 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e929);
            metal::simdgroup_float16x16 _e931 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e931);
            metal::simdgroup_float16x16 _e933 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e933);
            metal::simdgroup_float16x16 _e935 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e935);
            metal::simdgroup_float16x16 _e937 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e937);
            metal::simdgroup_float16x16 _e939 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e939);
            metal::simdgroup_float16x16 _e941 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e941);
            metal::simdgroup_float16x16 _e943 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e943);
        }
    }
    uint width = part.y;
    uint out = part.z + ((group.z * SPLIT_ROWS) * width);
    if ((n0_ + TILE_N) <= width) {
        local_1 = part.w == 0u;
    } else {
        local_1 = false;
    }
    bool _e964 = local_1;
    if (_e964) {
        uint o0_0_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e974 = c0_0_;
        simdgroup_store(_e974, &act[o0_0_], width);
        uint o0_1_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e986 = c0_1_;
        simdgroup_store(_e986, &act[o0_1_], width);
        uint o0_2_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e998 = c0_2_;
        simdgroup_store(_e998, &act[o0_2_], width);
        uint o0_3_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1010 = c0_3_;
        simdgroup_store(_e1010, &act[o0_3_], width);
        uint o1_0_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e1022 = c1_0_;
        simdgroup_store(_e1022, &act[o1_0_], width);
        uint o1_1_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e1034 = c1_1_;
        simdgroup_store(_e1034, &act[o1_1_], width);
        uint o1_2_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1046 = c1_2_;
        simdgroup_store(_e1046, &act[o1_2_], width);
        uint o1_3_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1058 = c1_3_;
        simdgroup_store(_e1058, &act[o1_3_], width);
        uint o2_0_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e1070 = c2_0_;
        simdgroup_store(_e1070, &act[o2_0_], width);
        uint o2_1_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e1082 = c2_1_;
        simdgroup_store(_e1082, &act[o2_1_], width);
        uint o2_2_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1094 = c2_2_;
        simdgroup_store(_e1094, &act[o2_2_], width);
        uint o2_3_ = (((out + (((t0_ + sub_t) + 32u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1106 = c2_3_;
        simdgroup_store(_e1106, &act[o2_3_], width);
        uint o3_0_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e1118 = c3_0_;
        simdgroup_store(_e1118, &act[o3_0_], width);
        uint o3_1_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e1130 = c3_1_;
        simdgroup_store(_e1130, &act[o3_1_], width);
        uint o3_2_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e1142 = c3_2_;
        simdgroup_store(_e1142, &act[o3_2_], width);
        uint o3_3_ = (((out + (((t0_ + sub_t) + 48u) * width)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e1154 = c3_3_;
        simdgroup_store(_e1154, &act[o3_3_], width);
        return;
    } else {
        metal::simdgroup_float16x16 _e1157 = c0_0_;
        simdgroup_store(_e1157, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e = lane;
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_1 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_1) {
                uint _e1204 = e;
                e = _e1204 + size;
            }
            loop_init_1 = false;
            uint _e1162 = e;
            if (_e1162 < 256u) {
            } else {
                break;
            }
            {
                uint _e1168 = e;
                uint n = ((n0_ + sub_n) + 0u) + naga_mod(_e1168, SIDE);
                if (n < width) {
                    uint _e1174 = e;
                    float _e1177 = spilled.inner[corner + _e1174];
                    y = _e1177;
                    if (part.w > 0u) {
                        float _e1182 = y;
                        float _e1189 = vectors[(part.w - 1u) + n];
                        y = _e1182 + _e1189;
                    }
                    uint _e1195 = e;
                    float _e1203 = y;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1195, SIDE)) * width)) + n] = _e1203;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1206 = c0_1_;
        simdgroup_store(_e1206, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_1 = lane;
        uint2 loop_bound_3 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_3 == uint2(0u))) { break; }
            loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e1253 = e_1;
                e_1 = _e1253 + size;
            }
            loop_init_2 = false;
            uint _e1211 = e_1;
            if (_e1211 < 256u) {
            } else {
                break;
            }
            {
                uint _e1217 = e_1;
                uint n_1 = ((n0_ + sub_n) + 16u) + naga_mod(_e1217, SIDE);
                if (n_1 < width) {
                    uint _e1223 = e_1;
                    float _e1226 = spilled.inner[corner + _e1223];
                    y_1 = _e1226;
                    if (part.w > 0u) {
                        float _e1231 = y_1;
                        float _e1238 = vectors[(part.w - 1u) + n_1];
                        y_1 = _e1231 + _e1238;
                    }
                    uint _e1244 = e_1;
                    float _e1252 = y_1;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1244, SIDE)) * width)) + n_1] = _e1252;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1255 = c0_2_;
        simdgroup_store(_e1255, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_2 = lane;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_3 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_3) {
                uint _e1302 = e_2;
                e_2 = _e1302 + size;
            }
            loop_init_3 = false;
            uint _e1260 = e_2;
            if (_e1260 < 256u) {
            } else {
                break;
            }
            {
                uint _e1266 = e_2;
                uint n_2 = ((n0_ + sub_n) + 32u) + naga_mod(_e1266, SIDE);
                if (n_2 < width) {
                    uint _e1272 = e_2;
                    float _e1275 = spilled.inner[corner + _e1272];
                    y_2 = _e1275;
                    if (part.w > 0u) {
                        float _e1280 = y_2;
                        float _e1287 = vectors[(part.w - 1u) + n_2];
                        y_2 = _e1280 + _e1287;
                    }
                    uint _e1293 = e_2;
                    float _e1301 = y_2;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1293, SIDE)) * width)) + n_2] = _e1301;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1304 = c0_3_;
        simdgroup_store(_e1304, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = lane;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e1351 = e_3;
                e_3 = _e1351 + size;
            }
            loop_init_4 = false;
            uint _e1309 = e_3;
            if (_e1309 < 256u) {
            } else {
                break;
            }
            {
                uint _e1315 = e_3;
                uint n_3 = ((n0_ + sub_n) + 48u) + naga_mod(_e1315, SIDE);
                if (n_3 < width) {
                    uint _e1321 = e_3;
                    float _e1324 = spilled.inner[corner + _e1321];
                    y_3 = _e1324;
                    if (part.w > 0u) {
                        float _e1329 = y_3;
                        float _e1336 = vectors[(part.w - 1u) + n_3];
                        y_3 = _e1329 + _e1336;
                    }
                    uint _e1342 = e_3;
                    float _e1350 = y_3;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1342, SIDE)) * width)) + n_3] = _e1350;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1353 = c1_0_;
        simdgroup_store(_e1353, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_4 = lane;
        uint2 loop_bound_6 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_6 == uint2(0u))) { break; }
            loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e1400 = e_4;
                e_4 = _e1400 + size;
            }
            loop_init_5 = false;
            uint _e1358 = e_4;
            if (_e1358 < 256u) {
            } else {
                break;
            }
            {
                uint _e1364 = e_4;
                uint n_4 = ((n0_ + sub_n) + 0u) + naga_mod(_e1364, SIDE);
                if (n_4 < width) {
                    uint _e1370 = e_4;
                    float _e1373 = spilled.inner[corner + _e1370];
                    y_4 = _e1373;
                    if (part.w > 0u) {
                        float _e1378 = y_4;
                        float _e1385 = vectors[(part.w - 1u) + n_4];
                        y_4 = _e1378 + _e1385;
                    }
                    uint _e1391 = e_4;
                    float _e1399 = y_4;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1391, SIDE)) * width)) + n_4] = _e1399;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1402 = c1_1_;
        simdgroup_store(_e1402, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_5 = lane;
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_6 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_6) {
                uint _e1449 = e_5;
                e_5 = _e1449 + size;
            }
            loop_init_6 = false;
            uint _e1407 = e_5;
            if (_e1407 < 256u) {
            } else {
                break;
            }
            {
                uint _e1413 = e_5;
                uint n_5 = ((n0_ + sub_n) + 16u) + naga_mod(_e1413, SIDE);
                if (n_5 < width) {
                    uint _e1419 = e_5;
                    float _e1422 = spilled.inner[corner + _e1419];
                    y_5 = _e1422;
                    if (part.w > 0u) {
                        float _e1427 = y_5;
                        float _e1434 = vectors[(part.w - 1u) + n_5];
                        y_5 = _e1427 + _e1434;
                    }
                    uint _e1440 = e_5;
                    float _e1448 = y_5;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1440, SIDE)) * width)) + n_5] = _e1448;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1451 = c1_2_;
        simdgroup_store(_e1451, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_6 = lane;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e1498 = e_6;
                e_6 = _e1498 + size;
            }
            loop_init_7 = false;
            uint _e1456 = e_6;
            if (_e1456 < 256u) {
            } else {
                break;
            }
            {
                uint _e1462 = e_6;
                uint n_6 = ((n0_ + sub_n) + 32u) + naga_mod(_e1462, SIDE);
                if (n_6 < width) {
                    uint _e1468 = e_6;
                    float _e1471 = spilled.inner[corner + _e1468];
                    y_6 = _e1471;
                    if (part.w > 0u) {
                        float _e1476 = y_6;
                        float _e1483 = vectors[(part.w - 1u) + n_6];
                        y_6 = _e1476 + _e1483;
                    }
                    uint _e1489 = e_6;
                    float _e1497 = y_6;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1489, SIDE)) * width)) + n_6] = _e1497;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1500 = c1_3_;
        simdgroup_store(_e1500, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_7 = lane;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e1547 = e_7;
                e_7 = _e1547 + size;
            }
            loop_init_8 = false;
            uint _e1505 = e_7;
            if (_e1505 < 256u) {
            } else {
                break;
            }
            {
                uint _e1511 = e_7;
                uint n_7 = ((n0_ + sub_n) + 48u) + naga_mod(_e1511, SIDE);
                if (n_7 < width) {
                    uint _e1517 = e_7;
                    float _e1520 = spilled.inner[corner + _e1517];
                    y_7 = _e1520;
                    if (part.w > 0u) {
                        float _e1525 = y_7;
                        float _e1532 = vectors[(part.w - 1u) + n_7];
                        y_7 = _e1525 + _e1532;
                    }
                    uint _e1538 = e_7;
                    float _e1546 = y_7;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1538, SIDE)) * width)) + n_7] = _e1546;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1549 = c2_0_;
        simdgroup_store(_e1549, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_8 = lane;
        uint2 loop_bound_10 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_10 == uint2(0u))) { break; }
            loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e1596 = e_8;
                e_8 = _e1596 + size;
            }
            loop_init_9 = false;
            uint _e1554 = e_8;
            if (_e1554 < 256u) {
            } else {
                break;
            }
            {
                uint _e1560 = e_8;
                uint n_8 = ((n0_ + sub_n) + 0u) + naga_mod(_e1560, SIDE);
                if (n_8 < width) {
                    uint _e1566 = e_8;
                    float _e1569 = spilled.inner[corner + _e1566];
                    y_8 = _e1569;
                    if (part.w > 0u) {
                        float _e1574 = y_8;
                        float _e1581 = vectors[(part.w - 1u) + n_8];
                        y_8 = _e1574 + _e1581;
                    }
                    uint _e1587 = e_8;
                    float _e1595 = y_8;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1587, SIDE)) * width)) + n_8] = _e1595;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1598 = c2_1_;
        simdgroup_store(_e1598, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_9 = lane;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_10 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_10) {
                uint _e1645 = e_9;
                e_9 = _e1645 + size;
            }
            loop_init_10 = false;
            uint _e1603 = e_9;
            if (_e1603 < 256u) {
            } else {
                break;
            }
            {
                uint _e1609 = e_9;
                uint n_9 = ((n0_ + sub_n) + 16u) + naga_mod(_e1609, SIDE);
                if (n_9 < width) {
                    uint _e1615 = e_9;
                    float _e1618 = spilled.inner[corner + _e1615];
                    y_9 = _e1618;
                    if (part.w > 0u) {
                        float _e1623 = y_9;
                        float _e1630 = vectors[(part.w - 1u) + n_9];
                        y_9 = _e1623 + _e1630;
                    }
                    uint _e1636 = e_9;
                    float _e1644 = y_9;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1636, SIDE)) * width)) + n_9] = _e1644;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1647 = c2_2_;
        simdgroup_store(_e1647, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_10 = lane;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1694 = e_10;
                e_10 = _e1694 + size;
            }
            loop_init_11 = false;
            uint _e1652 = e_10;
            if (_e1652 < 256u) {
            } else {
                break;
            }
            {
                uint _e1658 = e_10;
                uint n_10 = ((n0_ + sub_n) + 32u) + naga_mod(_e1658, SIDE);
                if (n_10 < width) {
                    uint _e1664 = e_10;
                    float _e1667 = spilled.inner[corner + _e1664];
                    y_10 = _e1667;
                    if (part.w > 0u) {
                        float _e1672 = y_10;
                        float _e1679 = vectors[(part.w - 1u) + n_10];
                        y_10 = _e1672 + _e1679;
                    }
                    uint _e1685 = e_10;
                    float _e1693 = y_10;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1685, SIDE)) * width)) + n_10] = _e1693;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1696 = c2_3_;
        simdgroup_store(_e1696, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_11 = lane;
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e1743 = e_11;
                e_11 = _e1743 + size;
            }
            loop_init_12 = false;
            uint _e1701 = e_11;
            if (_e1701 < 256u) {
            } else {
                break;
            }
            {
                uint _e1707 = e_11;
                uint n_11 = ((n0_ + sub_n) + 48u) + naga_mod(_e1707, SIDE);
                if (n_11 < width) {
                    uint _e1713 = e_11;
                    float _e1716 = spilled.inner[corner + _e1713];
                    y_11 = _e1716;
                    if (part.w > 0u) {
                        float _e1721 = y_11;
                        float _e1728 = vectors[(part.w - 1u) + n_11];
                        y_11 = _e1721 + _e1728;
                    }
                    uint _e1734 = e_11;
                    float _e1742 = y_11;
                    act[(out + ((((t0_ + sub_t) + 32u) + naga_div(_e1734, SIDE)) * width)) + n_11] = _e1742;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1745 = c3_0_;
        simdgroup_store(_e1745, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_12 = lane;
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e1792 = e_12;
                e_12 = _e1792 + size;
            }
            loop_init_13 = false;
            uint _e1750 = e_12;
            if (_e1750 < 256u) {
            } else {
                break;
            }
            {
                uint _e1756 = e_12;
                uint n_12 = ((n0_ + sub_n) + 0u) + naga_mod(_e1756, SIDE);
                if (n_12 < width) {
                    uint _e1762 = e_12;
                    float _e1765 = spilled.inner[corner + _e1762];
                    y_12 = _e1765;
                    if (part.w > 0u) {
                        float _e1770 = y_12;
                        float _e1777 = vectors[(part.w - 1u) + n_12];
                        y_12 = _e1770 + _e1777;
                    }
                    uint _e1783 = e_12;
                    float _e1791 = y_12;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1783, SIDE)) * width)) + n_12] = _e1791;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1794 = c3_1_;
        simdgroup_store(_e1794, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_13 = lane;
        uint2 loop_bound_15 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_15 == uint2(0u))) { break; }
            loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e1841 = e_13;
                e_13 = _e1841 + size;
            }
            loop_init_14 = false;
            uint _e1799 = e_13;
            if (_e1799 < 256u) {
            } else {
                break;
            }
            {
                uint _e1805 = e_13;
                uint n_13 = ((n0_ + sub_n) + 16u) + naga_mod(_e1805, SIDE);
                if (n_13 < width) {
                    uint _e1811 = e_13;
                    float _e1814 = spilled.inner[corner + _e1811];
                    y_13 = _e1814;
                    if (part.w > 0u) {
                        float _e1819 = y_13;
                        float _e1826 = vectors[(part.w - 1u) + n_13];
                        y_13 = _e1819 + _e1826;
                    }
                    uint _e1832 = e_13;
                    float _e1840 = y_13;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1832, SIDE)) * width)) + n_13] = _e1840;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1843 = c3_2_;
        simdgroup_store(_e1843, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_14 = lane;
        uint2 loop_bound_16 = uint2(4294967295u);
        bool loop_init_15 = true;
        while(true) {
            if (metal::all(loop_bound_16 == uint2(0u))) { break; }
            loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
            if (!loop_init_15) {
                uint _e1890 = e_14;
                e_14 = _e1890 + size;
            }
            loop_init_15 = false;
            uint _e1848 = e_14;
            if (_e1848 < 256u) {
            } else {
                break;
            }
            {
                uint _e1854 = e_14;
                uint n_14 = ((n0_ + sub_n) + 32u) + naga_mod(_e1854, SIDE);
                if (n_14 < width) {
                    uint _e1860 = e_14;
                    float _e1863 = spilled.inner[corner + _e1860];
                    y_14 = _e1863;
                    if (part.w > 0u) {
                        float _e1868 = y_14;
                        float _e1875 = vectors[(part.w - 1u) + n_14];
                        y_14 = _e1868 + _e1875;
                    }
                    uint _e1881 = e_14;
                    float _e1889 = y_14;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1881, SIDE)) * width)) + n_14] = _e1889;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float16x16 _e1892 = c3_3_;
        simdgroup_store(_e1892, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_15 = lane;
        uint2 loop_bound_17 = uint2(4294967295u);
        bool loop_init_16 = true;
        while(true) {
            if (metal::all(loop_bound_17 == uint2(0u))) { break; }
            loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
            if (!loop_init_16) {
                uint _e1939 = e_15;
                e_15 = _e1939 + size;
            }
            loop_init_16 = false;
            uint _e1897 = e_15;
            if (_e1897 < 256u) {
            } else {
                break;
            }
            {
                uint _e1903 = e_15;
                uint n_15 = ((n0_ + sub_n) + 48u) + naga_mod(_e1903, SIDE);
                if (n_15 < width) {
                    uint _e1909 = e_15;
                    float _e1912 = spilled.inner[corner + _e1909];
                    y_15 = _e1912;
                    if (part.w > 0u) {
                        float _e1917 = y_15;
                        float _e1924 = vectors[(part.w - 1u) + n_15];
                        y_15 = _e1917 + _e1924;
                    }
                    uint _e1930 = e_15;
                    float _e1938 = y_15;
                    act[(out + ((((t0_ + sub_t) + 48u) + naga_div(_e1930, SIDE)) * width)) + n_15] = _e1938;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    }
}
