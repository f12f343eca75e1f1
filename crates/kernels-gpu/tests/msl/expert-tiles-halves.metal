// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size4;
    uint size6;
};

typedef uint type_2[1];
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
    uint order;
    uint tiles;
    uint weights;
    uint part;
    uint part_len;
    uint pad0_;
    uint pad1_;
    uint pad2_;
};
typedef float type_9[1];
struct type_10 {
    metal::half4 inner[1280];
};
struct type_11 {
    float inner[4096];
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
constant uint EXPERTS = 1u;
constant uint USED = 8u;
constant bool PAIRED = false;
constant bool SHARED = true;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint STRIDE = 40u;
constant uint ELEMENT = 4u;
constant uint SPILLED = 1024u;
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

uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint row_at(
    uint i,
    device type_9 const& act,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = p.order;
    float _e7 = act[_e4 + i];
    uint pair = naga_f2u32(metal::max(_e7, 0.0));
    return PAIRED ? naga_div(pair, USED) : pair;
}

void put(
    uint i_1,
    uint n,
    float value,
    uint out,
    uint width,
    uint bias,
    device type_9& act,
    constant Params& p,
    device type_9 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float y = {};
    uint row = {};
    if (n >= width) {
        return;
    }
    y = value;
    row = i_1;
    uint _e12 = p.order;
    float pair_1 = act[_e12 + i_1];
    if (pair_1 < 0.0) {
        return;
    }
    row = naga_f2u32(pair_1);
    uint _e22 = p.weights;
    uint _e23 = row;
    float _e26 = act[_e22 + _e23];
    float share = SHARED ? _e26 : 1.0;
    float _e30 = y;
    y = _e30 * (PAIRED ? share : 1.0);
    if (bias > 0u) {
        float _e37 = y;
        float _e43 = vectors[(bias - 1u) + n];
        y = _e37 + _e43;
    }
    float _e45 = y;
    y = _e45 * (PAIRED ? 1.0 : share);
    uint _e51 = row;
    float _e56 = y;
    act[(out + (_e51 * width)) + n] = _e56;
    return;
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
, device type_7 const& halves [[user(fake0)]]
, device type_9& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_9 const& vectors [[user(fake0)]]
, threadgroup metal::uint4& expert_of_tile
, device type_7 const& x [[user(fake0)]]
, threadgroup type_10& tile_x
, threadgroup type_10& tile_w
, threadgroup type_11& spilled
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
    uint e = {};
    uint e_1 = {};
    uint e_2 = {};
    uint e_3 = {};
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
    if (me == 0u) {
        uint _e71 = p.part;
        uint _e77 = p.tiles;
        float _e83 = act[(_e77 + 1u) + group.x];
        uint _e90 = p.tiles;
        float _e92 = act[_e90];
        expert_of_tile = metal::uint4((static_cast<float>(group.x) < _e92) ? naga_f2u32(_e83) : (_e71 - 1u));
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::uint4 unnamed = expert_of_tile;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint expert = unnamed.x;
    uint _e101 = p.part;
    uint _e105 = p.part_len;
    if ((expert - _e101) >= _e105) {
        return;
    }
    uint _e109 = p.part;
    uint stack = (expert - _e109) * part.y;
    uint bias_1 = (part.w > 0u) ? (part.w + (expert * part.y)) : 0u;
    uint sub_t = naga_div(subgroup, 2u) * SUB_T;
    uint sub_n = naga_mod(subgroup, 2u) * SUB_N;
    uint corner = subgroup * SPILLED;
    uint begin = (group.z * SPLIT) * 32u;
    uint end = begin + 4096u;
    uint group_row = naga_div(me, 8u);
    uint row_1 = ((naga_div(group_row, SPREAD) * SPREAD) + (naga_mod(group_row, 2u) * 4u)) + naga_mod(naga_div(group_row, 2u), 4u);
    uint column = naga_mod(me, 8u);
    uint to = (row_1 * 10u) + column;
    uint _e195 = row_at((t0_ + row_1) + 0u, act, p, _buffer_sizes);
    uint x_at0_ = ((_e195 * BLOCKS) * 8u) + column;
    uint _e204 = row_at((t0_ + row_1) + 16u, act, p, _buffer_sizes);
    uint x_at1_ = ((_e204 * BLOCKS) * 8u) + column;
    uint _e213 = row_at((t0_ + row_1) + 32u, act, p, _buffer_sizes);
    uint x_at2_ = ((_e213 * BLOCKS) * 8u) + column;
    uint _e222 = row_at((t0_ + row_1) + 48u, act, p, _buffer_sizes);
    uint x_at3_ = ((_e222 * BLOCKS) * 8u) + column;
    uint _e231 = row_at((t0_ + row_1) + 64u, act, p, _buffer_sizes);
    uint x_at4_ = ((_e231 * BLOCKS) * 8u) + column;
    uint _e240 = row_at((t0_ + row_1) + 80u, act, p, _buffer_sizes);
    uint x_at5_ = ((_e240 * BLOCKS) * 8u) + column;
    uint _e249 = row_at((t0_ + row_1) + 96u, act, p, _buffer_sizes);
    uint x_at6_ = ((_e249 * BLOCKS) * 8u) + column;
    uint _e258 = row_at((t0_ + row_1) + 112u, act, p, _buffer_sizes);
    uint x_at7_ = ((_e258 * BLOCKS) * 8u) + column;
    uint w_first = ((planes.codes * 2u) + ((((stack + n0_) + row_1) * BLOCKS) * 8u)) + column;
    uint w_at0_ = w_first + 0u;
    uint w_at1_ = w_first + 16384u;
    uint w_at2_ = w_first + 32768u;
    uint w_at3_ = w_first + 49152u;
    uint w_at4_ = w_first + 65536u;
    uint w_at5_ = w_first + 81920u;
    uint w_at6_ = w_first + 98304u;
    uint w_at7_ = w_first + 114688u;
    metal::half4 _e296 = x[x_at0_ + naga_div(begin, 4u)];
    x0_ = _e296;
    metal::half4 _e303 = x[x_at1_ + naga_div(begin, 4u)];
    x1_ = _e303;
    metal::half4 _e310 = x[x_at2_ + naga_div(begin, 4u)];
    x2_ = _e310;
    metal::half4 _e317 = x[x_at3_ + naga_div(begin, 4u)];
    x3_ = _e317;
    metal::half4 _e324 = x[x_at4_ + naga_div(begin, 4u)];
    x4_ = _e324;
    metal::half4 _e331 = x[x_at5_ + naga_div(begin, 4u)];
    x5_ = _e331;
    metal::half4 _e338 = x[x_at6_ + naga_div(begin, 4u)];
    x6_ = _e338;
    metal::half4 _e345 = x[x_at7_ + naga_div(begin, 4u)];
    x7_ = _e345;
    metal::half4 _e352 = halves[w_at0_ + naga_div(begin, 4u)];
    w0_ = _e352;
    metal::half4 _e359 = halves[w_at1_ + naga_div(begin, 4u)];
    w1_ = _e359;
    metal::half4 _e366 = halves[w_at2_ + naga_div(begin, 4u)];
    w2_ = _e366;
    metal::half4 _e373 = halves[w_at3_ + naga_div(begin, 4u)];
    w3_ = _e373;
    metal::half4 _e380 = halves[w_at4_ + naga_div(begin, 4u)];
    w4_ = _e380;
    metal::half4 _e387 = halves[w_at5_ + naga_div(begin, 4u)];
    w5_ = _e387;
    metal::half4 _e394 = halves[w_at6_ + naga_div(begin, 4u)];
    w6_ = _e394;
    metal::half4 _e401 = halves[w_at7_ + naga_div(begin, 4u)];
    w7_ = _e401;
    k0_ = begin;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e814 = k0_;
            k0_ = _e814 + TILE_K;
        }
        loop_init = false;
        uint _e404 = k0_;
        if (_e404 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::half4 _e410 = x0_;
            tile_x.inner[to + 0u] = _e410;
            metal::half4 _e415 = x1_;
            tile_x.inner[to + 160u] = _e415;
            metal::half4 _e420 = x2_;
            tile_x.inner[to + 320u] = _e420;
            metal::half4 _e425 = x3_;
            tile_x.inner[to + 480u] = _e425;
            metal::half4 _e430 = x4_;
            tile_x.inner[to + 640u] = _e430;
            metal::half4 _e435 = x5_;
            tile_x.inner[to + 800u] = _e435;
            metal::half4 _e440 = x6_;
            tile_x.inner[to + 960u] = _e440;
            metal::half4 _e445 = x7_;
            tile_x.inner[to + 1120u] = _e445;
            metal::half4 _e450 = w0_;
            tile_w.inner[to + 0u] = _e450;
            metal::half4 _e455 = w1_;
            tile_w.inner[to + 160u] = _e455;
            metal::half4 _e460 = w2_;
            tile_w.inner[to + 320u] = _e460;
            metal::half4 _e465 = w3_;
            tile_w.inner[to + 480u] = _e465;
            metal::half4 _e470 = w4_;
            tile_w.inner[to + 640u] = _e470;
            metal::half4 _e475 = w5_;
            tile_w.inner[to + 800u] = _e475;
            metal::half4 _e480 = w6_;
            tile_w.inner[to + 960u] = _e480;
            metal::half4 _e485 = w7_;
            tile_w.inner[to + 1120u] = _e485;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e486 = k0_;
            uint next = naga_div(metal::min(_e486 + TILE_K, end - TILE_K), 4u);
            metal::half4 _e497 = x[x_at0_ + next];
            x0_ = _e497;
            metal::half4 _e501 = x[x_at1_ + next];
            x1_ = _e501;
            metal::half4 _e505 = x[x_at2_ + next];
            x2_ = _e505;
            metal::half4 _e509 = x[x_at3_ + next];
            x3_ = _e509;
            metal::half4 _e513 = x[x_at4_ + next];
            x4_ = _e513;
            metal::half4 _e517 = x[x_at5_ + next];
            x5_ = _e517;
            metal::half4 _e521 = x[x_at6_ + next];
            x6_ = _e521;
            metal::half4 _e525 = x[x_at7_ + next];
            x7_ = _e525;
            metal::half4 _e529 = halves[w_at0_ + next];
            w0_ = _e529;
            metal::half4 _e533 = halves[w_at1_ + next];
            w1_ = _e533;
            metal::half4 _e537 = halves[w_at2_ + next];
            w2_ = _e537;
            metal::half4 _e541 = halves[w_at3_ + next];
            w3_ = _e541;
            metal::half4 _e545 = halves[w_at4_ + next];
            w4_ = _e545;
            metal::half4 _e549 = halves[w_at5_ + next];
            w5_ = _e549;
            metal::half4 _e553 = halves[w_at6_ + next];
            w6_ = _e553;
            metal::half4 _e557 = halves[w_at7_ + next];
            w7_ = _e557;
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
            metal::simdgroup_float16x16 _e654 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e654);
            metal::simdgroup_float16x16 _e656 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e656);
            metal::simdgroup_float16x16 _e658 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e658);
            metal::simdgroup_float16x16 _e660 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e660);
            metal::simdgroup_float16x16 _e662 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e662);
            metal::simdgroup_float16x16 _e664 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e664);
            metal::simdgroup_float16x16 _e666 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e666);
            metal::simdgroup_float16x16 _e668 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e668);
            metal::simdgroup_float16x16 _e670 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e670);
            metal::simdgroup_float16x16 _e672 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e672);
            metal::simdgroup_float16x16 _e674 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e674);
            metal::simdgroup_float16x16 _e676 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e676);
            metal::simdgroup_float16x16 _e678 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e678);
            metal::simdgroup_float16x16 _e680 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e680);
            metal::simdgroup_float16x16 _e682 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e682);
            metal::simdgroup_float16x16 _e684 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e684);
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
            metal::simdgroup_float16x16 _e782 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e782);
            metal::simdgroup_float16x16 _e784 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e784);
            metal::simdgroup_float16x16 _e786 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e786);
            metal::simdgroup_float16x16 _e788 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e788);
            metal::simdgroup_float16x16 _e790 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e790);
            metal::simdgroup_float16x16 _e792 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e792);
            metal::simdgroup_float16x16 _e794 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e794);
            metal::simdgroup_float16x16 _e796 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e796);
            metal::simdgroup_float16x16 _e798 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e798);
            metal::simdgroup_float16x16 _e800 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e800);
            metal::simdgroup_float16x16 _e802 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e802);
            metal::simdgroup_float16x16 _e804 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e804);
            metal::simdgroup_float16x16 _e806 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e806);
            metal::simdgroup_float16x16 _e808 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e808);
            metal::simdgroup_float16x16 _e810 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e810);
            metal::simdgroup_float16x16 _e812 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e812);
        }
    }
    uint width_1 = part.y;
    uint s0_0_ = corner + 0u;
    metal::simdgroup_float16x16 _e820 = c0_0_;
    simdgroup_store(_e820, &spilled.inner[s0_0_], SUB_N);
    uint s0_1_ = corner + 16u;
    metal::simdgroup_float16x16 _e826 = c0_1_;
    simdgroup_store(_e826, &spilled.inner[s0_1_], SUB_N);
    uint s0_2_ = corner + 32u;
    metal::simdgroup_float16x16 _e832 = c0_2_;
    simdgroup_store(_e832, &spilled.inner[s0_2_], SUB_N);
    uint s0_3_ = corner + 48u;
    metal::simdgroup_float16x16 _e838 = c0_3_;
    simdgroup_store(_e838, &spilled.inner[s0_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e = lane;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e864 = e;
            e = _e864 + size;
        }
        loop_init_1 = false;
        uint _e843 = e;
        if (_e843 < 1024u) {
        } else {
            break;
        }
        {
            uint _e849 = e;
            uint _e854 = e;
            uint _e859 = e;
            float _e862 = spilled.inner[corner + _e859];
            put(((t0_ + sub_t) + 0u) + naga_div(_e849, SUB_N), (n0_ + sub_n) + naga_mod(_e854, SUB_N), _e862, part.z, width_1, bias_1, act, p, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s1_0_ = corner + 0u;
    metal::simdgroup_float16x16 _e868 = c1_0_;
    simdgroup_store(_e868, &spilled.inner[s1_0_], SUB_N);
    uint s1_1_ = corner + 16u;
    metal::simdgroup_float16x16 _e874 = c1_1_;
    simdgroup_store(_e874, &spilled.inner[s1_1_], SUB_N);
    uint s1_2_ = corner + 32u;
    metal::simdgroup_float16x16 _e880 = c1_2_;
    simdgroup_store(_e880, &spilled.inner[s1_2_], SUB_N);
    uint s1_3_ = corner + 48u;
    metal::simdgroup_float16x16 _e886 = c1_3_;
    simdgroup_store(_e886, &spilled.inner[s1_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e912 = e_1;
            e_1 = _e912 + size;
        }
        loop_init_2 = false;
        uint _e891 = e_1;
        if (_e891 < 1024u) {
        } else {
            break;
        }
        {
            uint _e897 = e_1;
            uint _e902 = e_1;
            uint _e907 = e_1;
            float _e910 = spilled.inner[corner + _e907];
            put(((t0_ + sub_t) + 16u) + naga_div(_e897, SUB_N), (n0_ + sub_n) + naga_mod(_e902, SUB_N), _e910, part.z, width_1, bias_1, act, p, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s2_0_ = corner + 0u;
    metal::simdgroup_float16x16 _e916 = c2_0_;
    simdgroup_store(_e916, &spilled.inner[s2_0_], SUB_N);
    uint s2_1_ = corner + 16u;
    metal::simdgroup_float16x16 _e922 = c2_1_;
    simdgroup_store(_e922, &spilled.inner[s2_1_], SUB_N);
    uint s2_2_ = corner + 32u;
    metal::simdgroup_float16x16 _e928 = c2_2_;
    simdgroup_store(_e928, &spilled.inner[s2_2_], SUB_N);
    uint s2_3_ = corner + 48u;
    metal::simdgroup_float16x16 _e934 = c2_3_;
    simdgroup_store(_e934, &spilled.inner[s2_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e960 = e_2;
            e_2 = _e960 + size;
        }
        loop_init_3 = false;
        uint _e939 = e_2;
        if (_e939 < 1024u) {
        } else {
            break;
        }
        {
            uint _e945 = e_2;
            uint _e950 = e_2;
            uint _e955 = e_2;
            float _e958 = spilled.inner[corner + _e955];
            put(((t0_ + sub_t) + 32u) + naga_div(_e945, SUB_N), (n0_ + sub_n) + naga_mod(_e950, SUB_N), _e958, part.z, width_1, bias_1, act, p, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint s3_0_ = corner + 0u;
    metal::simdgroup_float16x16 _e964 = c3_0_;
    simdgroup_store(_e964, &spilled.inner[s3_0_], SUB_N);
    uint s3_1_ = corner + 16u;
    metal::simdgroup_float16x16 _e970 = c3_1_;
    simdgroup_store(_e970, &spilled.inner[s3_1_], SUB_N);
    uint s3_2_ = corner + 32u;
    metal::simdgroup_float16x16 _e976 = c3_2_;
    simdgroup_store(_e976, &spilled.inner[s3_2_], SUB_N);
    uint s3_3_ = corner + 48u;
    metal::simdgroup_float16x16 _e982 = c3_3_;
    simdgroup_store(_e982, &spilled.inner[s3_3_], SUB_N);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e1008 = e_3;
            e_3 = _e1008 + size;
        }
        loop_init_4 = false;
        uint _e987 = e_3;
        if (_e987 < 1024u) {
        } else {
            break;
        }
        {
            uint _e993 = e_3;
            uint _e998 = e_3;
            uint _e1003 = e_3;
            float _e1006 = spilled.inner[corner + _e1003];
            put(((t0_ + sub_t) + 48u) + naga_div(_e993, SUB_N), (n0_ + sub_n) + naga_mod(_e998, SUB_N), _e1006, part.z, width_1, bias_1, act, p, vectors, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
