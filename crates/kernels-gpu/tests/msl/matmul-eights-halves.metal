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
    float y = {};
    uint e_2 = {};
    float y_1 = {};
    uint e_3 = {};
    float y_2 = {};
    uint e_4 = {};
    float y_3 = {};
    uint e_5 = {};
    float y_4 = {};
    uint e_6 = {};
    float y_5 = {};
    uint e_7 = {};
    float y_6 = {};
    uint e_8 = {};
    float y_7 = {};
    uint e_9 = {};
    float y_8 = {};
    uint e_10 = {};
    float y_9 = {};
    uint e_11 = {};
    float y_10 = {};
    uint e_12 = {};
    float y_11 = {};
    uint e_13 = {};
    float y_12 = {};
    uint e_14 = {};
    float y_13 = {};
    uint e_15 = {};
    float y_14 = {};
    uint e_16 = {};
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
    uint row = naga_div(me, 8u);
    uint column = naga_mod(me, 8u);
    uint to = (row * 10u) + column;
    uint _e204 = p.blocks;
    uint x_at = (((t0_ + row) * _e204) * 8u) + column;
    uint _e221 = p.blocks;
    uint w_at0_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 0u, part.y - 1u) * _e221) * 8u)) + column;
    uint _e239 = p.blocks;
    uint w_at1_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 16u, part.y - 1u) * _e239) * 8u)) + column;
    uint _e257 = p.blocks;
    uint w_at2_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 32u, part.y - 1u) * _e257) * 8u)) + column;
    uint _e275 = p.blocks;
    uint w_at3_ = ((planes.codes * 2u) + ((metal::min((n0_ + row) + 48u, part.y - 1u) * _e275) * 8u)) + column;
    uint _e288 = p.blocks;
    metal::half4 _e294 = x[(x_at + naga_div(begin, 4u)) + ((0u * _e288) * 8u)];
    x0_ = _e294;
    uint _e303 = p.blocks;
    metal::half4 _e309 = x[(x_at + naga_div(begin, 4u)) + ((16u * _e303) * 8u)];
    x1_ = _e309;
    uint _e318 = p.blocks;
    metal::half4 _e324 = x[(x_at + naga_div(begin, 4u)) + ((32u * _e318) * 8u)];
    x2_ = _e324;
    uint _e333 = p.blocks;
    metal::half4 _e339 = x[(x_at + naga_div(begin, 4u)) + ((48u * _e333) * 8u)];
    x3_ = _e339;
    metal::half4 _e346 = halves[w_at0_ + naga_div(begin, 4u)];
    w0_ = _e346;
    metal::half4 _e353 = halves[w_at1_ + naga_div(begin, 4u)];
    w1_ = _e353;
    metal::half4 _e360 = halves[w_at2_ + naga_div(begin, 4u)];
    w2_ = _e360;
    metal::half4 _e367 = halves[w_at3_ + naga_div(begin, 4u)];
    w3_ = _e367;
    k0_ = begin;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1276 = k0_;
            k0_ = _e1276 + TILE_K;
        }
        loop_init_1 = false;
        uint _e370 = k0_;
        if (_e370 < end) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            half _e381 = x0_.x;
            tile_x.inner[((to + 0u) * 4u) + 0u] = _e381;
            half _e391 = x0_.y;
            tile_x.inner[((to + 0u) * 4u) + 1u] = _e391;
            half _e401 = x0_.z;
            tile_x.inner[((to + 0u) * 4u) + 2u] = _e401;
            half _e411 = x0_.w;
            tile_x.inner[((to + 0u) * 4u) + 3u] = _e411;
            half _e421 = x1_.x;
            tile_x.inner[((to + 160u) * 4u) + 0u] = _e421;
            half _e431 = x1_.y;
            tile_x.inner[((to + 160u) * 4u) + 1u] = _e431;
            half _e441 = x1_.z;
            tile_x.inner[((to + 160u) * 4u) + 2u] = _e441;
            half _e451 = x1_.w;
            tile_x.inner[((to + 160u) * 4u) + 3u] = _e451;
            half _e461 = x2_.x;
            tile_x.inner[((to + 320u) * 4u) + 0u] = _e461;
            half _e471 = x2_.y;
            tile_x.inner[((to + 320u) * 4u) + 1u] = _e471;
            half _e481 = x2_.z;
            tile_x.inner[((to + 320u) * 4u) + 2u] = _e481;
            half _e491 = x2_.w;
            tile_x.inner[((to + 320u) * 4u) + 3u] = _e491;
            half _e501 = x3_.x;
            tile_x.inner[((to + 480u) * 4u) + 0u] = _e501;
            half _e511 = x3_.y;
            tile_x.inner[((to + 480u) * 4u) + 1u] = _e511;
            half _e521 = x3_.z;
            tile_x.inner[((to + 480u) * 4u) + 2u] = _e521;
            half _e531 = x3_.w;
            tile_x.inner[((to + 480u) * 4u) + 3u] = _e531;
            half _e541 = w0_.x;
            tile_w.inner[((to + 0u) * 4u) + 0u] = _e541;
            half _e551 = w0_.y;
            tile_w.inner[((to + 0u) * 4u) + 1u] = _e551;
            half _e561 = w0_.z;
            tile_w.inner[((to + 0u) * 4u) + 2u] = _e561;
            half _e571 = w0_.w;
            tile_w.inner[((to + 0u) * 4u) + 3u] = _e571;
            half _e581 = w1_.x;
            tile_w.inner[((to + 160u) * 4u) + 0u] = _e581;
            half _e591 = w1_.y;
            tile_w.inner[((to + 160u) * 4u) + 1u] = _e591;
            half _e601 = w1_.z;
            tile_w.inner[((to + 160u) * 4u) + 2u] = _e601;
            half _e611 = w1_.w;
            tile_w.inner[((to + 160u) * 4u) + 3u] = _e611;
            half _e621 = w2_.x;
            tile_w.inner[((to + 320u) * 4u) + 0u] = _e621;
            half _e631 = w2_.y;
            tile_w.inner[((to + 320u) * 4u) + 1u] = _e631;
            half _e641 = w2_.z;
            tile_w.inner[((to + 320u) * 4u) + 2u] = _e641;
            half _e651 = w2_.w;
            tile_w.inner[((to + 320u) * 4u) + 3u] = _e651;
            half _e661 = w3_.x;
            tile_w.inner[((to + 480u) * 4u) + 0u] = _e661;
            half _e671 = w3_.y;
            tile_w.inner[((to + 480u) * 4u) + 1u] = _e671;
            half _e681 = w3_.z;
            tile_w.inner[((to + 480u) * 4u) + 2u] = _e681;
            half _e691 = w3_.w;
            tile_w.inner[((to + 480u) * 4u) + 3u] = _e691;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e692 = k0_;
            uint next = naga_div(metal::min(_e692 + TILE_K, end - TILE_K), 4u);
            uint _e705 = p.blocks;
            metal::half4 _e711 = x[(x_at + next) + ((0u * _e705) * 8u)];
            x0_ = _e711;
            uint _e717 = p.blocks;
            metal::half4 _e723 = x[(x_at + next) + ((16u * _e717) * 8u)];
            x1_ = _e723;
            uint _e729 = p.blocks;
            metal::half4 _e735 = x[(x_at + next) + ((32u * _e729) * 8u)];
            x2_ = _e735;
            uint _e741 = p.blocks;
            metal::half4 _e747 = x[(x_at + next) + ((48u * _e741) * 8u)];
            x3_ = _e747;
            metal::half4 _e751 = halves[w_at0_ + next];
            w0_ = _e751;
            metal::half4 _e755 = halves[w_at1_ + next];
            w1_ = _e755;
            metal::half4 _e759 = halves[w_at2_ + next];
            w2_ = _e759;
            metal::half4 _e763 = halves[w_at3_ + next];
            w3_ = _e763;
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
            metal::simdgroup_float8x8 _e860 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a0_0_, b0_0_, _e860);
            metal::simdgroup_float8x8 _e862 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a0_0_, b0_1_, _e862);
            metal::simdgroup_float8x8 _e864 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a0_0_, b0_2_, _e864);
            metal::simdgroup_float8x8 _e866 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a0_0_, b0_3_, _e866);
            metal::simdgroup_float8x8 _e868 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a0_1_, b0_0_, _e868);
            metal::simdgroup_float8x8 _e870 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a0_1_, b0_1_, _e870);
            metal::simdgroup_float8x8 _e872 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a0_1_, b0_2_, _e872);
            metal::simdgroup_float8x8 _e874 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a0_1_, b0_3_, _e874);
            metal::simdgroup_float8x8 _e876 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a0_2_, b0_0_, _e876);
            metal::simdgroup_float8x8 _e878 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a0_2_, b0_1_, _e878);
            metal::simdgroup_float8x8 _e880 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a0_2_, b0_2_, _e880);
            metal::simdgroup_float8x8 _e882 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a0_2_, b0_3_, _e882);
            metal::simdgroup_float8x8 _e884 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a0_3_, b0_0_, _e884);
            metal::simdgroup_float8x8 _e886 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a0_3_, b0_1_, _e886);
            metal::simdgroup_float8x8 _e888 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a0_3_, b0_2_, _e888);
            metal::simdgroup_float8x8 _e890 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a0_3_, b0_3_, _e890);
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
            metal::simdgroup_float8x8 _e988 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a1_0_, b1_0_, _e988);
            metal::simdgroup_float8x8 _e990 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a1_0_, b1_1_, _e990);
            metal::simdgroup_float8x8 _e992 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a1_0_, b1_2_, _e992);
            metal::simdgroup_float8x8 _e994 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a1_0_, b1_3_, _e994);
            metal::simdgroup_float8x8 _e996 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a1_1_, b1_0_, _e996);
            metal::simdgroup_float8x8 _e998 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a1_1_, b1_1_, _e998);
            metal::simdgroup_float8x8 _e1000 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a1_1_, b1_2_, _e1000);
            metal::simdgroup_float8x8 _e1002 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a1_1_, b1_3_, _e1002);
            metal::simdgroup_float8x8 _e1004 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a1_2_, b1_0_, _e1004);
            metal::simdgroup_float8x8 _e1006 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a1_2_, b1_1_, _e1006);
            metal::simdgroup_float8x8 _e1008 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a1_2_, b1_2_, _e1008);
            metal::simdgroup_float8x8 _e1010 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a1_2_, b1_3_, _e1010);
            metal::simdgroup_float8x8 _e1012 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a1_3_, b1_0_, _e1012);
            metal::simdgroup_float8x8 _e1014 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a1_3_, b1_1_, _e1014);
            metal::simdgroup_float8x8 _e1016 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a1_3_, b1_2_, _e1016);
            metal::simdgroup_float8x8 _e1018 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a1_3_, b1_3_, _e1018);
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
            metal::simdgroup_float8x8 _e1116 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a2_0_, b2_0_, _e1116);
            metal::simdgroup_float8x8 _e1118 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a2_0_, b2_1_, _e1118);
            metal::simdgroup_float8x8 _e1120 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a2_0_, b2_2_, _e1120);
            metal::simdgroup_float8x8 _e1122 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a2_0_, b2_3_, _e1122);
            metal::simdgroup_float8x8 _e1124 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a2_1_, b2_0_, _e1124);
            metal::simdgroup_float8x8 _e1126 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a2_1_, b2_1_, _e1126);
            metal::simdgroup_float8x8 _e1128 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a2_1_, b2_2_, _e1128);
            metal::simdgroup_float8x8 _e1130 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a2_1_, b2_3_, _e1130);
            metal::simdgroup_float8x8 _e1132 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a2_2_, b2_0_, _e1132);
            metal::simdgroup_float8x8 _e1134 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a2_2_, b2_1_, _e1134);
            metal::simdgroup_float8x8 _e1136 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a2_2_, b2_2_, _e1136);
            metal::simdgroup_float8x8 _e1138 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a2_2_, b2_3_, _e1138);
            metal::simdgroup_float8x8 _e1140 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a2_3_, b2_0_, _e1140);
            metal::simdgroup_float8x8 _e1142 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a2_3_, b2_1_, _e1142);
            metal::simdgroup_float8x8 _e1144 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a2_3_, b2_2_, _e1144);
            metal::simdgroup_float8x8 _e1146 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a2_3_, b2_3_, _e1146);
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
            metal::simdgroup_float8x8 _e1244 = c0_0_;
            c0_0_ = NagaCooperativeMultiplyAdd(a3_0_, b3_0_, _e1244);
            metal::simdgroup_float8x8 _e1246 = c0_1_;
            c0_1_ = NagaCooperativeMultiplyAdd(a3_0_, b3_1_, _e1246);
            metal::simdgroup_float8x8 _e1248 = c0_2_;
            c0_2_ = NagaCooperativeMultiplyAdd(a3_0_, b3_2_, _e1248);
            metal::simdgroup_float8x8 _e1250 = c0_3_;
            c0_3_ = NagaCooperativeMultiplyAdd(a3_0_, b3_3_, _e1250);
            metal::simdgroup_float8x8 _e1252 = c1_0_;
            c1_0_ = NagaCooperativeMultiplyAdd(a3_1_, b3_0_, _e1252);
            metal::simdgroup_float8x8 _e1254 = c1_1_;
            c1_1_ = NagaCooperativeMultiplyAdd(a3_1_, b3_1_, _e1254);
            metal::simdgroup_float8x8 _e1256 = c1_2_;
            c1_2_ = NagaCooperativeMultiplyAdd(a3_1_, b3_2_, _e1256);
            metal::simdgroup_float8x8 _e1258 = c1_3_;
            c1_3_ = NagaCooperativeMultiplyAdd(a3_1_, b3_3_, _e1258);
            metal::simdgroup_float8x8 _e1260 = c2_0_;
            c2_0_ = NagaCooperativeMultiplyAdd(a3_2_, b3_0_, _e1260);
            metal::simdgroup_float8x8 _e1262 = c2_1_;
            c2_1_ = NagaCooperativeMultiplyAdd(a3_2_, b3_1_, _e1262);
            metal::simdgroup_float8x8 _e1264 = c2_2_;
            c2_2_ = NagaCooperativeMultiplyAdd(a3_2_, b3_2_, _e1264);
            metal::simdgroup_float8x8 _e1266 = c2_3_;
            c2_3_ = NagaCooperativeMultiplyAdd(a3_2_, b3_3_, _e1266);
            metal::simdgroup_float8x8 _e1268 = c3_0_;
            c3_0_ = NagaCooperativeMultiplyAdd(a3_3_, b3_0_, _e1268);
            metal::simdgroup_float8x8 _e1270 = c3_1_;
            c3_1_ = NagaCooperativeMultiplyAdd(a3_3_, b3_1_, _e1270);
            metal::simdgroup_float8x8 _e1272 = c3_2_;
            c3_2_ = NagaCooperativeMultiplyAdd(a3_3_, b3_2_, _e1272);
            metal::simdgroup_float8x8 _e1274 = c3_3_;
            c3_3_ = NagaCooperativeMultiplyAdd(a3_3_, b3_3_, _e1274);
        }
    }
    uint width = part.y;
    uint out = part.z + ((group.z * SPLIT_ROWS) * width);
    if ((n0_ + TILE_N) <= width) {
        local_1 = part.w == 0u;
    } else {
        local_1 = false;
    }
    bool _e1295 = local_1;
    if (_e1295) {
        uint o0_0_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1305 = c0_0_;
        simdgroup_store(_e1305, &act[o0_0_], width);
        uint o0_1_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1317 = c0_1_;
        simdgroup_store(_e1317, &act[o0_1_], width);
        uint o0_2_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1329 = c0_2_;
        simdgroup_store(_e1329, &act[o0_2_], width);
        uint o0_3_ = (((out + (((t0_ + sub_t) + 0u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1341 = c0_3_;
        simdgroup_store(_e1341, &act[o0_3_], width);
        uint o1_0_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1353 = c1_0_;
        simdgroup_store(_e1353, &act[o1_0_], width);
        uint o1_1_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1365 = c1_1_;
        simdgroup_store(_e1365, &act[o1_1_], width);
        uint o1_2_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1377 = c1_2_;
        simdgroup_store(_e1377, &act[o1_2_], width);
        uint o1_3_ = (((out + (((t0_ + sub_t) + 8u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1389 = c1_3_;
        simdgroup_store(_e1389, &act[o1_3_], width);
        uint o2_0_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1401 = c2_0_;
        simdgroup_store(_e1401, &act[o2_0_], width);
        uint o2_1_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1413 = c2_1_;
        simdgroup_store(_e1413, &act[o2_1_], width);
        uint o2_2_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1425 = c2_2_;
        simdgroup_store(_e1425, &act[o2_2_], width);
        uint o2_3_ = (((out + (((t0_ + sub_t) + 16u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1437 = c2_3_;
        simdgroup_store(_e1437, &act[o2_3_], width);
        uint o3_0_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 0u;
        metal::simdgroup_float8x8 _e1449 = c3_0_;
        simdgroup_store(_e1449, &act[o3_0_], width);
        uint o3_1_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 8u;
        metal::simdgroup_float8x8 _e1461 = c3_1_;
        simdgroup_store(_e1461, &act[o3_1_], width);
        uint o3_2_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 16u;
        metal::simdgroup_float8x8 _e1473 = c3_2_;
        simdgroup_store(_e1473, &act[o3_2_], width);
        uint o3_3_ = (((out + (((t0_ + sub_t) + 24u) * width)) + n0_) + sub_n) + 24u;
        metal::simdgroup_float8x8 _e1485 = c3_3_;
        simdgroup_store(_e1485, &act[o3_3_], width);
        return;
    } else {
        metal::simdgroup_float8x8 _e1488 = c0_0_;
        simdgroup_store(_e1488, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_1 = lane;
        uint2 loop_bound_3 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_3 == uint2(0u))) { break; }
            loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e1535 = e_1;
                e_1 = _e1535 + size;
            }
            loop_init_2 = false;
            uint _e1493 = e_1;
            if (_e1493 < 64u) {
            } else {
                break;
            }
            {
                uint _e1499 = e_1;
                uint n = ((n0_ + sub_n) + 0u) + naga_mod(_e1499, SIDE);
                if (n < width) {
                    uint _e1505 = e_1;
                    float _e1508 = spilled.inner[corner + _e1505];
                    y = _e1508;
                    if (part.w > 0u) {
                        float _e1513 = y;
                        float _e1520 = vectors[(part.w - 1u) + n];
                        y = _e1513 + _e1520;
                    }
                    uint _e1526 = e_1;
                    float _e1534 = y;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1526, SIDE)) * width)) + n] = _e1534;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1537 = c0_1_;
        simdgroup_store(_e1537, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_2 = lane;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_3 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_3) {
                uint _e1584 = e_2;
                e_2 = _e1584 + size;
            }
            loop_init_3 = false;
            uint _e1542 = e_2;
            if (_e1542 < 64u) {
            } else {
                break;
            }
            {
                uint _e1548 = e_2;
                uint n_1 = ((n0_ + sub_n) + 8u) + naga_mod(_e1548, SIDE);
                if (n_1 < width) {
                    uint _e1554 = e_2;
                    float _e1557 = spilled.inner[corner + _e1554];
                    y_1 = _e1557;
                    if (part.w > 0u) {
                        float _e1562 = y_1;
                        float _e1569 = vectors[(part.w - 1u) + n_1];
                        y_1 = _e1562 + _e1569;
                    }
                    uint _e1575 = e_2;
                    float _e1583 = y_1;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1575, SIDE)) * width)) + n_1] = _e1583;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1586 = c0_2_;
        simdgroup_store(_e1586, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = lane;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e1633 = e_3;
                e_3 = _e1633 + size;
            }
            loop_init_4 = false;
            uint _e1591 = e_3;
            if (_e1591 < 64u) {
            } else {
                break;
            }
            {
                uint _e1597 = e_3;
                uint n_2 = ((n0_ + sub_n) + 16u) + naga_mod(_e1597, SIDE);
                if (n_2 < width) {
                    uint _e1603 = e_3;
                    float _e1606 = spilled.inner[corner + _e1603];
                    y_2 = _e1606;
                    if (part.w > 0u) {
                        float _e1611 = y_2;
                        float _e1618 = vectors[(part.w - 1u) + n_2];
                        y_2 = _e1611 + _e1618;
                    }
                    uint _e1624 = e_3;
                    float _e1632 = y_2;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1624, SIDE)) * width)) + n_2] = _e1632;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1635 = c0_3_;
        simdgroup_store(_e1635, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_4 = lane;
        uint2 loop_bound_6 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_6 == uint2(0u))) { break; }
            loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e1682 = e_4;
                e_4 = _e1682 + size;
            }
            loop_init_5 = false;
            uint _e1640 = e_4;
            if (_e1640 < 64u) {
            } else {
                break;
            }
            {
                uint _e1646 = e_4;
                uint n_3 = ((n0_ + sub_n) + 24u) + naga_mod(_e1646, SIDE);
                if (n_3 < width) {
                    uint _e1652 = e_4;
                    float _e1655 = spilled.inner[corner + _e1652];
                    y_3 = _e1655;
                    if (part.w > 0u) {
                        float _e1660 = y_3;
                        float _e1667 = vectors[(part.w - 1u) + n_3];
                        y_3 = _e1660 + _e1667;
                    }
                    uint _e1673 = e_4;
                    float _e1681 = y_3;
                    act[(out + ((((t0_ + sub_t) + 0u) + naga_div(_e1673, SIDE)) * width)) + n_3] = _e1681;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1684 = c1_0_;
        simdgroup_store(_e1684, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_5 = lane;
        uint2 loop_bound_7 = uint2(4294967295u);
        bool loop_init_6 = true;
        while(true) {
            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
            if (!loop_init_6) {
                uint _e1731 = e_5;
                e_5 = _e1731 + size;
            }
            loop_init_6 = false;
            uint _e1689 = e_5;
            if (_e1689 < 64u) {
            } else {
                break;
            }
            {
                uint _e1695 = e_5;
                uint n_4 = ((n0_ + sub_n) + 0u) + naga_mod(_e1695, SIDE);
                if (n_4 < width) {
                    uint _e1701 = e_5;
                    float _e1704 = spilled.inner[corner + _e1701];
                    y_4 = _e1704;
                    if (part.w > 0u) {
                        float _e1709 = y_4;
                        float _e1716 = vectors[(part.w - 1u) + n_4];
                        y_4 = _e1709 + _e1716;
                    }
                    uint _e1722 = e_5;
                    float _e1730 = y_4;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1722, SIDE)) * width)) + n_4] = _e1730;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1733 = c1_1_;
        simdgroup_store(_e1733, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_6 = lane;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_7 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_7) {
                uint _e1780 = e_6;
                e_6 = _e1780 + size;
            }
            loop_init_7 = false;
            uint _e1738 = e_6;
            if (_e1738 < 64u) {
            } else {
                break;
            }
            {
                uint _e1744 = e_6;
                uint n_5 = ((n0_ + sub_n) + 8u) + naga_mod(_e1744, SIDE);
                if (n_5 < width) {
                    uint _e1750 = e_6;
                    float _e1753 = spilled.inner[corner + _e1750];
                    y_5 = _e1753;
                    if (part.w > 0u) {
                        float _e1758 = y_5;
                        float _e1765 = vectors[(part.w - 1u) + n_5];
                        y_5 = _e1758 + _e1765;
                    }
                    uint _e1771 = e_6;
                    float _e1779 = y_5;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1771, SIDE)) * width)) + n_5] = _e1779;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1782 = c1_2_;
        simdgroup_store(_e1782, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_7 = lane;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e1829 = e_7;
                e_7 = _e1829 + size;
            }
            loop_init_8 = false;
            uint _e1787 = e_7;
            if (_e1787 < 64u) {
            } else {
                break;
            }
            {
                uint _e1793 = e_7;
                uint n_6 = ((n0_ + sub_n) + 16u) + naga_mod(_e1793, SIDE);
                if (n_6 < width) {
                    uint _e1799 = e_7;
                    float _e1802 = spilled.inner[corner + _e1799];
                    y_6 = _e1802;
                    if (part.w > 0u) {
                        float _e1807 = y_6;
                        float _e1814 = vectors[(part.w - 1u) + n_6];
                        y_6 = _e1807 + _e1814;
                    }
                    uint _e1820 = e_7;
                    float _e1828 = y_6;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1820, SIDE)) * width)) + n_6] = _e1828;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1831 = c1_3_;
        simdgroup_store(_e1831, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_8 = lane;
        uint2 loop_bound_10 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_10 == uint2(0u))) { break; }
            loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e1878 = e_8;
                e_8 = _e1878 + size;
            }
            loop_init_9 = false;
            uint _e1836 = e_8;
            if (_e1836 < 64u) {
            } else {
                break;
            }
            {
                uint _e1842 = e_8;
                uint n_7 = ((n0_ + sub_n) + 24u) + naga_mod(_e1842, SIDE);
                if (n_7 < width) {
                    uint _e1848 = e_8;
                    float _e1851 = spilled.inner[corner + _e1848];
                    y_7 = _e1851;
                    if (part.w > 0u) {
                        float _e1856 = y_7;
                        float _e1863 = vectors[(part.w - 1u) + n_7];
                        y_7 = _e1856 + _e1863;
                    }
                    uint _e1869 = e_8;
                    float _e1877 = y_7;
                    act[(out + ((((t0_ + sub_t) + 8u) + naga_div(_e1869, SIDE)) * width)) + n_7] = _e1877;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1880 = c2_0_;
        simdgroup_store(_e1880, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_9 = lane;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_10 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_10) {
                uint _e1927 = e_9;
                e_9 = _e1927 + size;
            }
            loop_init_10 = false;
            uint _e1885 = e_9;
            if (_e1885 < 64u) {
            } else {
                break;
            }
            {
                uint _e1891 = e_9;
                uint n_8 = ((n0_ + sub_n) + 0u) + naga_mod(_e1891, SIDE);
                if (n_8 < width) {
                    uint _e1897 = e_9;
                    float _e1900 = spilled.inner[corner + _e1897];
                    y_8 = _e1900;
                    if (part.w > 0u) {
                        float _e1905 = y_8;
                        float _e1912 = vectors[(part.w - 1u) + n_8];
                        y_8 = _e1905 + _e1912;
                    }
                    uint _e1918 = e_9;
                    float _e1926 = y_8;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1918, SIDE)) * width)) + n_8] = _e1926;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1929 = c2_1_;
        simdgroup_store(_e1929, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_10 = lane;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e1976 = e_10;
                e_10 = _e1976 + size;
            }
            loop_init_11 = false;
            uint _e1934 = e_10;
            if (_e1934 < 64u) {
            } else {
                break;
            }
            {
                uint _e1940 = e_10;
                uint n_9 = ((n0_ + sub_n) + 8u) + naga_mod(_e1940, SIDE);
                if (n_9 < width) {
                    uint _e1946 = e_10;
                    float _e1949 = spilled.inner[corner + _e1946];
                    y_9 = _e1949;
                    if (part.w > 0u) {
                        float _e1954 = y_9;
                        float _e1961 = vectors[(part.w - 1u) + n_9];
                        y_9 = _e1954 + _e1961;
                    }
                    uint _e1967 = e_10;
                    float _e1975 = y_9;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e1967, SIDE)) * width)) + n_9] = _e1975;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e1978 = c2_2_;
        simdgroup_store(_e1978, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_11 = lane;
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e2025 = e_11;
                e_11 = _e2025 + size;
            }
            loop_init_12 = false;
            uint _e1983 = e_11;
            if (_e1983 < 64u) {
            } else {
                break;
            }
            {
                uint _e1989 = e_11;
                uint n_10 = ((n0_ + sub_n) + 16u) + naga_mod(_e1989, SIDE);
                if (n_10 < width) {
                    uint _e1995 = e_11;
                    float _e1998 = spilled.inner[corner + _e1995];
                    y_10 = _e1998;
                    if (part.w > 0u) {
                        float _e2003 = y_10;
                        float _e2010 = vectors[(part.w - 1u) + n_10];
                        y_10 = _e2003 + _e2010;
                    }
                    uint _e2016 = e_11;
                    float _e2024 = y_10;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e2016, SIDE)) * width)) + n_10] = _e2024;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e2027 = c2_3_;
        simdgroup_store(_e2027, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_12 = lane;
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e2074 = e_12;
                e_12 = _e2074 + size;
            }
            loop_init_13 = false;
            uint _e2032 = e_12;
            if (_e2032 < 64u) {
            } else {
                break;
            }
            {
                uint _e2038 = e_12;
                uint n_11 = ((n0_ + sub_n) + 24u) + naga_mod(_e2038, SIDE);
                if (n_11 < width) {
                    uint _e2044 = e_12;
                    float _e2047 = spilled.inner[corner + _e2044];
                    y_11 = _e2047;
                    if (part.w > 0u) {
                        float _e2052 = y_11;
                        float _e2059 = vectors[(part.w - 1u) + n_11];
                        y_11 = _e2052 + _e2059;
                    }
                    uint _e2065 = e_12;
                    float _e2073 = y_11;
                    act[(out + ((((t0_ + sub_t) + 16u) + naga_div(_e2065, SIDE)) * width)) + n_11] = _e2073;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e2076 = c3_0_;
        simdgroup_store(_e2076, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_13 = lane;
        uint2 loop_bound_15 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_15 == uint2(0u))) { break; }
            loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e2123 = e_13;
                e_13 = _e2123 + size;
            }
            loop_init_14 = false;
            uint _e2081 = e_13;
            if (_e2081 < 64u) {
            } else {
                break;
            }
            {
                uint _e2087 = e_13;
                uint n_12 = ((n0_ + sub_n) + 0u) + naga_mod(_e2087, SIDE);
                if (n_12 < width) {
                    uint _e2093 = e_13;
                    float _e2096 = spilled.inner[corner + _e2093];
                    y_12 = _e2096;
                    if (part.w > 0u) {
                        float _e2101 = y_12;
                        float _e2108 = vectors[(part.w - 1u) + n_12];
                        y_12 = _e2101 + _e2108;
                    }
                    uint _e2114 = e_13;
                    float _e2122 = y_12;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e2114, SIDE)) * width)) + n_12] = _e2122;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e2125 = c3_1_;
        simdgroup_store(_e2125, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_14 = lane;
        uint2 loop_bound_16 = uint2(4294967295u);
        bool loop_init_15 = true;
        while(true) {
            if (metal::all(loop_bound_16 == uint2(0u))) { break; }
            loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
            if (!loop_init_15) {
                uint _e2172 = e_14;
                e_14 = _e2172 + size;
            }
            loop_init_15 = false;
            uint _e2130 = e_14;
            if (_e2130 < 64u) {
            } else {
                break;
            }
            {
                uint _e2136 = e_14;
                uint n_13 = ((n0_ + sub_n) + 8u) + naga_mod(_e2136, SIDE);
                if (n_13 < width) {
                    uint _e2142 = e_14;
                    float _e2145 = spilled.inner[corner + _e2142];
                    y_13 = _e2145;
                    if (part.w > 0u) {
                        float _e2150 = y_13;
                        float _e2157 = vectors[(part.w - 1u) + n_13];
                        y_13 = _e2150 + _e2157;
                    }
                    uint _e2163 = e_14;
                    float _e2171 = y_13;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e2163, SIDE)) * width)) + n_13] = _e2171;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e2174 = c3_2_;
        simdgroup_store(_e2174, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_15 = lane;
        uint2 loop_bound_17 = uint2(4294967295u);
        bool loop_init_16 = true;
        while(true) {
            if (metal::all(loop_bound_17 == uint2(0u))) { break; }
            loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
            if (!loop_init_16) {
                uint _e2221 = e_15;
                e_15 = _e2221 + size;
            }
            loop_init_16 = false;
            uint _e2179 = e_15;
            if (_e2179 < 64u) {
            } else {
                break;
            }
            {
                uint _e2185 = e_15;
                uint n_14 = ((n0_ + sub_n) + 16u) + naga_mod(_e2185, SIDE);
                if (n_14 < width) {
                    uint _e2191 = e_15;
                    float _e2194 = spilled.inner[corner + _e2191];
                    y_14 = _e2194;
                    if (part.w > 0u) {
                        float _e2199 = y_14;
                        float _e2206 = vectors[(part.w - 1u) + n_14];
                        y_14 = _e2199 + _e2206;
                    }
                    uint _e2212 = e_15;
                    float _e2220 = y_14;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e2212, SIDE)) * width)) + n_14] = _e2220;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        metal::simdgroup_float8x8 _e2223 = c3_3_;
        simdgroup_store(_e2223, &spilled.inner[corner], SIDE);
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_16 = lane;
        uint2 loop_bound_18 = uint2(4294967295u);
        bool loop_init_17 = true;
        while(true) {
            if (metal::all(loop_bound_18 == uint2(0u))) { break; }
            loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
            if (!loop_init_17) {
                uint _e2270 = e_16;
                e_16 = _e2270 + size;
            }
            loop_init_17 = false;
            uint _e2228 = e_16;
            if (_e2228 < 64u) {
            } else {
                break;
            }
            {
                uint _e2234 = e_16;
                uint n_15 = ((n0_ + sub_n) + 24u) + naga_mod(_e2234, SIDE);
                if (n_15 < width) {
                    uint _e2240 = e_16;
                    float _e2243 = spilled.inner[corner + _e2240];
                    y_15 = _e2243;
                    if (part.w > 0u) {
                        float _e2248 = y_15;
                        float _e2255 = vectors[(part.w - 1u) + n_15];
                        y_15 = _e2248 + _e2255;
                    }
                    uint _e2261 = e_16;
                    float _e2269 = y_15;
                    act[(out + ((((t0_ + sub_t) + 24u) + naga_div(_e2261, SIDE)) * width)) + n_15] = _e2269;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
    }
}
