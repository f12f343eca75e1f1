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
    uint pad;
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
constant uint BLOCKS = 128u;
constant uint SPLIT = 128u;
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
    bool local_2 = {};
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
    uint n0_ = metal::min((group.y - part.x) * TILE_N, part.y - TILE_N);
    uint bias_1 = part.w;
    uint sub_t = naga_div(subgroup, 2u) * SUB_T;
    uint sub_n = naga_mod(subgroup, 2u) * SUB_N;
    uint corner = subgroup * SPILLED;
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
    uint x_at4_ = x_at + 65536u;
    uint x_at5_ = x_at + 81920u;
    uint x_at6_ = x_at + 98304u;
    uint x_at7_ = x_at + 114688u;
    uint w_first = ((planes.codes * 2u) + ((((0u + n0_) + row_1) * BLOCKS) * 8u)) + column;
    uint w_at0_ = w_first + 0u;
    uint w_at1_ = w_first + 16384u;
    uint w_at2_ = w_first + 32768u;
    uint w_at3_ = w_first + 49152u;
    uint w_at4_ = w_first + 65536u;
    uint w_at5_ = w_first + 81920u;
    uint w_at6_ = w_first + 98304u;
    uint w_at7_ = w_first + 114688u;
    metal::half4 _e192 = x[x_at0_ + naga_div(begin, 4u)];
    x0_ = _e192;
    metal::half4 _e199 = x[x_at1_ + naga_div(begin, 4u)];
    x1_ = _e199;
    metal::half4 _e206 = x[x_at2_ + naga_div(begin, 4u)];
    x2_ = _e206;
    metal::half4 _e213 = x[x_at3_ + naga_div(begin, 4u)];
    x3_ = _e213;
    metal::half4 _e220 = x[x_at4_ + naga_div(begin, 4u)];
    x4_ = _e220;
    metal::half4 _e227 = x[x_at5_ + naga_div(begin, 4u)];
    x5_ = _e227;
    metal::half4 _e234 = x[x_at6_ + naga_div(begin, 4u)];
    x6_ = _e234;
    metal::half4 _e241 = x[x_at7_ + naga_div(begin, 4u)];
    x7_ = _e241;
    metal::half4 _e248 = halves[w_at0_ + naga_div(begin, 4u)];
    w0_ = _e248;
    metal::half4 _e255 = halves[w_at1_ + naga_div(begin, 4u)];
    w1_ = _e255;
    metal::half4 _e262 = halves[w_at2_ + naga_div(begin, 4u)];
    w2_ = _e262;
    metal::half4 _e269 = halves[w_at3_ + naga_div(begin, 4u)];
    w3_ = _e269;
    metal::half4 _e276 = halves[w_at4_ + naga_div(begin, 4u)];
    w4_ = _e276;
    metal::half4 _e283 = halves[w_at5_ + naga_div(begin, 4u)];
    w5_ = _e283;
    metal::half4 _e290 = halves[w_at6_ + naga_div(begin, 4u)];
    w6_ = _e290;
    metal::half4 _e297 = halves[w_at7_ + naga_div(begin, 4u)];
    w7_ = _e297;
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e710 = k0_;
            k0_ = _e710 + TILE_K;
        }
        loop_init = false;
        uint _e300 = k0_;
        if (_e300 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::half4 _e306 = x0_;
            tile_x.inner[to + 0u] = _e306;
            metal::half4 _e311 = x1_;
            tile_x.inner[to + 160u] = _e311;
            metal::half4 _e316 = x2_;
            tile_x.inner[to + 320u] = _e316;
            metal::half4 _e321 = x3_;
            tile_x.inner[to + 480u] = _e321;
            metal::half4 _e326 = x4_;
            tile_x.inner[to + 640u] = _e326;
            metal::half4 _e331 = x5_;
            tile_x.inner[to + 800u] = _e331;
            metal::half4 _e336 = x6_;
            tile_x.inner[to + 960u] = _e336;
            metal::half4 _e341 = x7_;
            tile_x.inner[to + 1120u] = _e341;
            metal::half4 _e346 = w0_;
            tile_w.inner[to + 0u] = _e346;
            metal::half4 _e351 = w1_;
            tile_w.inner[to + 160u] = _e351;
            metal::half4 _e356 = w2_;
            tile_w.inner[to + 320u] = _e356;
            metal::half4 _e361 = w3_;
            tile_w.inner[to + 480u] = _e361;
            metal::half4 _e366 = w4_;
            tile_w.inner[to + 640u] = _e366;
            metal::half4 _e371 = w5_;
            tile_w.inner[to + 800u] = _e371;
            metal::half4 _e376 = w6_;
            tile_w.inner[to + 960u] = _e376;
            metal::half4 _e381 = w7_;
            tile_w.inner[to + 1120u] = _e381;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e382 = k0_;
            uint next = naga_div(metal::min(_e382 + TILE_K, end - TILE_K), 4u);
            metal::half4 _e393 = x[x_at0_ + next];
            x0_ = _e393;
            metal::half4 _e397 = x[x_at1_ + next];
            x1_ = _e397;
            metal::half4 _e401 = x[x_at2_ + next];
            x2_ = _e401;
            metal::half4 _e405 = x[x_at3_ + next];
            x3_ = _e405;
            metal::half4 _e409 = x[x_at4_ + next];
            x4_ = _e409;
            metal::half4 _e413 = x[x_at5_ + next];
            x5_ = _e413;
            metal::half4 _e417 = x[x_at6_ + next];
            x6_ = _e417;
            metal::half4 _e421 = x[x_at7_ + next];
            x7_ = _e421;
            metal::half4 _e425 = halves[w_at0_ + next];
            w0_ = _e425;
            metal::half4 _e429 = halves[w_at1_ + next];
            w1_ = _e429;
            metal::half4 _e433 = halves[w_at2_ + next];
            w2_ = _e433;
            metal::half4 _e437 = halves[w_at3_ + next];
            w3_ = _e437;
            metal::half4 _e441 = halves[w_at4_ + next];
            w4_ = _e441;
            metal::half4 _e445 = halves[w_at5_ + next];
            w5_ = _e445;
            metal::half4 _e449 = halves[w_at6_ + next];
            w6_ = _e449;
            metal::half4 _e453 = halves[w_at7_ + next];
            w7_ = _e453;
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
            metal::simdgroup_float16x16 _e550 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e550);
            metal::simdgroup_float16x16 _e552 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e552);
            metal::simdgroup_float16x16 _e554 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e554);
            metal::simdgroup_float16x16 _e556 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e556);
            metal::simdgroup_float16x16 _e558 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e558);
            metal::simdgroup_float16x16 _e560 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e560);
            metal::simdgroup_float16x16 _e562 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e562);
            metal::simdgroup_float16x16 _e564 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e564);
            metal::simdgroup_float16x16 _e566 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e566);
            metal::simdgroup_float16x16 _e568 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e568);
            metal::simdgroup_float16x16 _e570 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e570);
            metal::simdgroup_float16x16 _e572 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e572);
            metal::simdgroup_float16x16 _e574 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e574);
            metal::simdgroup_float16x16 _e576 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e576);
            metal::simdgroup_float16x16 _e578 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e578);
            metal::simdgroup_float16x16 _e580 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e580);
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
            metal::simdgroup_float16x16 _e678 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e678);
            metal::simdgroup_float16x16 _e680 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e680);
            metal::simdgroup_float16x16 _e682 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e682);
            metal::simdgroup_float16x16 _e684 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e684);
            metal::simdgroup_float16x16 _e686 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e686);
            metal::simdgroup_float16x16 _e688 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e688);
            metal::simdgroup_float16x16 _e690 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e690);
            metal::simdgroup_float16x16 _e692 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e692);
            metal::simdgroup_float16x16 _e694 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e694);
            metal::simdgroup_float16x16 _e696 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e696);
            metal::simdgroup_float16x16 _e698 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e698);
            metal::simdgroup_float16x16 _e700 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e700);
            metal::simdgroup_float16x16 _e702 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e702);
            metal::simdgroup_float16x16 _e704 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e704);
            metal::simdgroup_float16x16 _e706 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e706);
            metal::simdgroup_float16x16 _e708 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e708);
        }
    }
    uint width_1 = part.y;
    uint out_1 = part.z + ((group.z * SPLIT_ROWS) * width_1);
    if ((n0_ + TILE_N) <= width_1) {
        local_1 = naga_mod(width_1, 4u) == 0u;
    } else {
        local_1 = false;
    }
    bool _e730 = local_1;
    if (_e730) {
        local_2 = bias_1 == 0u;
    } else {
        local_2 = false;
    }
    bool _e736 = local_2;
    if (_e736) {
        uint o0_0_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e746 = c0_0_;
        simdgroup_store(_e746, &act[o0_0_], width_1);
        uint o0_1_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e758 = c0_1_;
        simdgroup_store(_e758, &act[o0_1_], width_1);
        uint o0_2_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e770 = c0_2_;
        simdgroup_store(_e770, &act[o0_2_], width_1);
        uint o0_3_ = (((out_1 + (((t0_ + sub_t) + 0u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e782 = c0_3_;
        simdgroup_store(_e782, &act[o0_3_], width_1);
        uint o1_0_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e794 = c1_0_;
        simdgroup_store(_e794, &act[o1_0_], width_1);
        uint o1_1_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e806 = c1_1_;
        simdgroup_store(_e806, &act[o1_1_], width_1);
        uint o1_2_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e818 = c1_2_;
        simdgroup_store(_e818, &act[o1_2_], width_1);
        uint o1_3_ = (((out_1 + (((t0_ + sub_t) + 16u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e830 = c1_3_;
        simdgroup_store(_e830, &act[o1_3_], width_1);
        uint o2_0_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e842 = c2_0_;
        simdgroup_store(_e842, &act[o2_0_], width_1);
        uint o2_1_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e854 = c2_1_;
        simdgroup_store(_e854, &act[o2_1_], width_1);
        uint o2_2_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e866 = c2_2_;
        simdgroup_store(_e866, &act[o2_2_], width_1);
        uint o2_3_ = (((out_1 + (((t0_ + sub_t) + 32u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e878 = c2_3_;
        simdgroup_store(_e878, &act[o2_3_], width_1);
        uint o3_0_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float16x16 _e890 = c3_0_;
        simdgroup_store(_e890, &act[o3_0_], width_1);
        uint o3_1_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float16x16 _e902 = c3_1_;
        simdgroup_store(_e902, &act[o3_1_], width_1);
        uint o3_2_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 32u;
        metal::simdgroup_float16x16 _e914 = c3_2_;
        simdgroup_store(_e914, &act[o3_2_], width_1);
        uint o3_3_ = (((out_1 + (((t0_ + sub_t) + 48u) * width_1)) + n0_) + sub_n) + 48u;
        metal::simdgroup_float16x16 _e926 = c3_3_;
        simdgroup_store(_e926, &act[o3_3_], width_1);
        return;
    }
    metal::simdgroup_float16x16 _e929 = c0_0_;
    simdgroup_store(_e929, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e = lane;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e956 = e;
            e = _e956 + size;
        }
        loop_init_1 = false;
        uint _e934 = e;
        if (_e934 < 256u) {
        } else {
            break;
        }
        {
            uint _e940 = e;
            uint _e947 = e;
            uint _e952 = e;
            float _e955 = spilled.inner[corner + _e952];
            put(((t0_ + sub_t) + 0u) + naga_div(_e940, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e947, SIDE), _e955, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e958 = c0_1_;
    simdgroup_store(_e958, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e985 = e_1;
            e_1 = _e985 + size;
        }
        loop_init_2 = false;
        uint _e963 = e_1;
        if (_e963 < 256u) {
        } else {
            break;
        }
        {
            uint _e969 = e_1;
            uint _e976 = e_1;
            uint _e981 = e_1;
            float _e984 = spilled.inner[corner + _e981];
            put(((t0_ + sub_t) + 0u) + naga_div(_e969, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e976, SIDE), _e984, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e987 = c0_2_;
    simdgroup_store(_e987, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e1014 = e_2;
            e_2 = _e1014 + size;
        }
        loop_init_3 = false;
        uint _e992 = e_2;
        if (_e992 < 256u) {
        } else {
            break;
        }
        {
            uint _e998 = e_2;
            uint _e1005 = e_2;
            uint _e1010 = e_2;
            float _e1013 = spilled.inner[corner + _e1010];
            put(((t0_ + sub_t) + 0u) + naga_div(_e998, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1005, SIDE), _e1013, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1016 = c0_3_;
    simdgroup_store(_e1016, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1043 = e_3;
            e_3 = _e1043 + size;
        }
        loop_init_4 = false;
        uint _e1021 = e_3;
        if (_e1021 < 256u) {
        } else {
            break;
        }
        {
            uint _e1027 = e_3;
            uint _e1034 = e_3;
            uint _e1039 = e_3;
            float _e1042 = spilled.inner[corner + _e1039];
            put(((t0_ + sub_t) + 0u) + naga_div(_e1027, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1034, SIDE), _e1042, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1045 = c1_0_;
    simdgroup_store(_e1045, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e1072 = e_4;
            e_4 = _e1072 + size;
        }
        loop_init_5 = false;
        uint _e1050 = e_4;
        if (_e1050 < 256u) {
        } else {
            break;
        }
        {
            uint _e1056 = e_4;
            uint _e1063 = e_4;
            uint _e1068 = e_4;
            float _e1071 = spilled.inner[corner + _e1068];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1056, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1063, SIDE), _e1071, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1074 = c1_1_;
    simdgroup_store(_e1074, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e1101 = e_5;
            e_5 = _e1101 + size;
        }
        loop_init_6 = false;
        uint _e1079 = e_5;
        if (_e1079 < 256u) {
        } else {
            break;
        }
        {
            uint _e1085 = e_5;
            uint _e1092 = e_5;
            uint _e1097 = e_5;
            float _e1100 = spilled.inner[corner + _e1097];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1085, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1092, SIDE), _e1100, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1103 = c1_2_;
    simdgroup_store(_e1103, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e1130 = e_6;
            e_6 = _e1130 + size;
        }
        loop_init_7 = false;
        uint _e1108 = e_6;
        if (_e1108 < 256u) {
        } else {
            break;
        }
        {
            uint _e1114 = e_6;
            uint _e1121 = e_6;
            uint _e1126 = e_6;
            float _e1129 = spilled.inner[corner + _e1126];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1114, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1121, SIDE), _e1129, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1132 = c1_3_;
    simdgroup_store(_e1132, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e1159 = e_7;
            e_7 = _e1159 + size;
        }
        loop_init_8 = false;
        uint _e1137 = e_7;
        if (_e1137 < 256u) {
        } else {
            break;
        }
        {
            uint _e1143 = e_7;
            uint _e1150 = e_7;
            uint _e1155 = e_7;
            float _e1158 = spilled.inner[corner + _e1155];
            put(((t0_ + sub_t) + 16u) + naga_div(_e1143, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1150, SIDE), _e1158, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1161 = c2_0_;
    simdgroup_store(_e1161, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e1188 = e_8;
            e_8 = _e1188 + size;
        }
        loop_init_9 = false;
        uint _e1166 = e_8;
        if (_e1166 < 256u) {
        } else {
            break;
        }
        {
            uint _e1172 = e_8;
            uint _e1179 = e_8;
            uint _e1184 = e_8;
            float _e1187 = spilled.inner[corner + _e1184];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1172, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1179, SIDE), _e1187, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1190 = c2_1_;
    simdgroup_store(_e1190, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_9 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e1217 = e_9;
            e_9 = _e1217 + size;
        }
        loop_init_10 = false;
        uint _e1195 = e_9;
        if (_e1195 < 256u) {
        } else {
            break;
        }
        {
            uint _e1201 = e_9;
            uint _e1208 = e_9;
            uint _e1213 = e_9;
            float _e1216 = spilled.inner[corner + _e1213];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1201, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1208, SIDE), _e1216, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1219 = c2_2_;
    simdgroup_store(_e1219, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_10 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e1246 = e_10;
            e_10 = _e1246 + size;
        }
        loop_init_11 = false;
        uint _e1224 = e_10;
        if (_e1224 < 256u) {
        } else {
            break;
        }
        {
            uint _e1230 = e_10;
            uint _e1237 = e_10;
            uint _e1242 = e_10;
            float _e1245 = spilled.inner[corner + _e1242];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1230, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1237, SIDE), _e1245, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1248 = c2_3_;
    simdgroup_store(_e1248, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_11 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1275 = e_11;
            e_11 = _e1275 + size;
        }
        loop_init_12 = false;
        uint _e1253 = e_11;
        if (_e1253 < 256u) {
        } else {
            break;
        }
        {
            uint _e1259 = e_11;
            uint _e1266 = e_11;
            uint _e1271 = e_11;
            float _e1274 = spilled.inner[corner + _e1271];
            put(((t0_ + sub_t) + 32u) + naga_div(_e1259, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1266, SIDE), _e1274, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1277 = c3_0_;
    simdgroup_store(_e1277, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_12 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1304 = e_12;
            e_12 = _e1304 + size;
        }
        loop_init_13 = false;
        uint _e1282 = e_12;
        if (_e1282 < 256u) {
        } else {
            break;
        }
        {
            uint _e1288 = e_12;
            uint _e1295 = e_12;
            uint _e1300 = e_12;
            float _e1303 = spilled.inner[corner + _e1300];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1288, SIDE), ((n0_ + sub_n) + 0u) + naga_mod(_e1295, SIDE), _e1303, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1306 = c3_1_;
    simdgroup_store(_e1306, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_13 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e1333 = e_13;
            e_13 = _e1333 + size;
        }
        loop_init_14 = false;
        uint _e1311 = e_13;
        if (_e1311 < 256u) {
        } else {
            break;
        }
        {
            uint _e1317 = e_13;
            uint _e1324 = e_13;
            uint _e1329 = e_13;
            float _e1332 = spilled.inner[corner + _e1329];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1317, SIDE), ((n0_ + sub_n) + 16u) + naga_mod(_e1324, SIDE), _e1332, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1335 = c3_2_;
    simdgroup_store(_e1335, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_14 = lane;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e1362 = e_14;
            e_14 = _e1362 + size;
        }
        loop_init_15 = false;
        uint _e1340 = e_14;
        if (_e1340 < 256u) {
        } else {
            break;
        }
        {
            uint _e1346 = e_14;
            uint _e1353 = e_14;
            uint _e1358 = e_14;
            float _e1361 = spilled.inner[corner + _e1358];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1346, SIDE), ((n0_ + sub_n) + 32u) + naga_mod(_e1353, SIDE), _e1361, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e1364 = c3_3_;
    simdgroup_store(_e1364, &spilled.inner[corner], SIDE);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_15 = lane;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e1391 = e_15;
            e_15 = _e1391 + size;
        }
        loop_init_16 = false;
        uint _e1369 = e_15;
        if (_e1369 < 256u) {
        } else {
            break;
        }
        {
            uint _e1375 = e_15;
            uint _e1382 = e_15;
            uint _e1387 = e_15;
            float _e1390 = spilled.inner[corner + _e1387];
            put(((t0_ + sub_t) + 48u) + naga_div(_e1375, SIDE), ((n0_ + sub_n) + 48u) + naga_mod(_e1382, SIDE), _e1390, out_1, width_1, bias_1, act, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
