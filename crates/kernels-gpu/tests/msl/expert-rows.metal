// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size3;
    uint size4;
    uint size5;
    uint size7;
};

typedef uint type_2[1];
typedef metal::uint4 type_6[1];
struct Planes {
    uint codes;
    uint bits;
    uint scales;
    uint supers;
};
struct Block {
    metal::uint4 lo;
    metal::uint4 hi;
    metal::float2 s;
    metal::float2 m;
};
struct Stored {
    metal::uint4 w;
    metal::uint4 head;
};
struct type_10 {
    metal::float4 inner[4];
};
struct Params {
    metal::uint4 first;
    metal::uint4 second;
    uint blocks;
    uint rows;
    uint order;
    uint weights;
    uint out;
    uint first_bias;
    uint second_bias;
    uint tiles;
    uint part;
    uint part_len;
    uint pad2_;
    uint pad3_;
};
typedef float type_11[1];
typedef metal::uint2 type_12[1];
struct type_13 {
    float inner[4096];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint ROWS = 16u;
constant uint GROUPS = 4u;
constant uint MATRICES = 2u;
constant uint USED = 8u;
constant bool PAIRED = true;
constant bool ACTIVATED = true;
constant bool SHARED = false;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint DEPTH = 4u;
constant uint TILE = 32u;

int idot(
    metal::uint4 a,
    metal::uint4 b_1
) {
    uint _e2 = a.x;
    uint _e3 = b_1.x;
    packed_char4 reinterpreted_packed_char4_e2 = as_type<packed_char4>(_e2);
    packed_char4 reinterpreted_packed_char4_e3 = as_type<packed_char4>(_e3);
    uint _e5 = a.y;
    uint _e6 = b_1.y;
    packed_char4 reinterpreted_packed_char4_e5 = as_type<packed_char4>(_e5);
    packed_char4 reinterpreted_packed_char4_e6 = as_type<packed_char4>(_e6);
    uint _e9 = a.z;
    uint _e10 = b_1.z;
    packed_char4 reinterpreted_packed_char4_e9 = as_type<packed_char4>(_e9);
    packed_char4 reinterpreted_packed_char4_e10 = as_type<packed_char4>(_e10);
    uint _e13 = a.w;
    uint _e14 = b_1.w;
    packed_char4 reinterpreted_packed_char4_e13 = as_type<packed_char4>(_e13);
    packed_char4 reinterpreted_packed_char4_e14 = as_type<packed_char4>(_e14);
    return as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(( + reinterpreted_packed_char4_e2[0] * reinterpreted_packed_char4_e3[0] + reinterpreted_packed_char4_e2[1] * reinterpreted_packed_char4_e3[1] + reinterpreted_packed_char4_e2[2] * reinterpreted_packed_char4_e3[2] + reinterpreted_packed_char4_e2[3] * reinterpreted_packed_char4_e3[3])) + as_type<uint>(( + reinterpreted_packed_char4_e5[0] * reinterpreted_packed_char4_e6[0] + reinterpreted_packed_char4_e5[1] * reinterpreted_packed_char4_e6[1] + reinterpreted_packed_char4_e5[2] * reinterpreted_packed_char4_e6[2] + reinterpreted_packed_char4_e5[3] * reinterpreted_packed_char4_e6[3])))) + as_type<uint>(( + reinterpreted_packed_char4_e9[0] * reinterpreted_packed_char4_e10[0] + reinterpreted_packed_char4_e9[1] * reinterpreted_packed_char4_e10[1] + reinterpreted_packed_char4_e9[2] * reinterpreted_packed_char4_e10[2] + reinterpreted_packed_char4_e9[3] * reinterpreted_packed_char4_e10[3])))) + as_type<uint>(( + reinterpreted_packed_char4_e13[0] * reinterpreted_packed_char4_e14[0] + reinterpreted_packed_char4_e13[1] * reinterpreted_packed_char4_e14[1] + reinterpreted_packed_char4_e13[2] * reinterpreted_packed_char4_e14[2] + reinterpreted_packed_char4_e13[3] * reinterpreted_packed_char4_e14[3])));
}

float activate(
    float gate,
    float up_1
) {
    switch(ACTIVATION) {
        case 1u: {
            return ((0.5 * gate) * (1.0 + metal::tanh(metal::clamp(0.7978846 * (gate + (((0.044715 * gate) * gate) * gate)), -15.0, 15.0)))) * up_1;
        }
        case 2u: {
            float g = metal::min(gate, 7.0);
            return (g / (1.0 + metal::exp(-1.702 * g))) * (metal::clamp(up_1, -7.0, 7.0) + 1.0);
        }
        case 3u: {
            float limit = as_type<float>(LIMIT);
            return metal::min(gate / (1.0 + metal::exp(-(gate))), limit) * metal::clamp(up_1, -(limit), limit);
        }
        case 4u: {
            return metal::max(gate, 0.0) * up_1;
        }
        case 5u: {
            float limit_1 = as_type<float>(LIMIT);
            float g_1 = metal::min(gate, limit_1);
            return (g_1 / (1.0 + metal::exp(-(g_1)))) * metal::clamp(up_1, -(limit_1), limit_1);
        }
        default: {
            return (gate / (1.0 + metal::exp(-(gate)))) * up_1;
        }
    }
}

float half_of(
    uint word,
    uint i_1
) {
    metal::float2 pair = float2(as_type<half2>(word));
    return ((i_1 & 1u) == 1u) ? pair.y : pair.x;
}

uint short_of(
    uint word_1,
    uint i_2
) {
    return (word_1 >> ((i_2 & 1u) * 16u)) & 65535u;
}

uint byte_of(
    uint word_2,
    uint i_3
) {
    return (word_2 >> ((i_3 & 3u) * 8u)) & 255u;
}

float signed_(
    uint byte
) {
    return static_cast<float>(as_type<int>(byte << 24u) >> 24u);
}

metal::uint4 single_bits(
    uint bits,
    uint first,
    uint to
) {
    return ((metal::uint4(bits) >> (metal::uint4(0u, 1u, 2u, 3u) + metal::uint4(first))) & metal::uint4(16843009u)) << metal::uint4(to);
}

metal::uint4 double_bits(
    uint bits_1,
    uint to_1
) {
    return ((metal::uint4(bits_1) >> metal::uint4(0u, 2u, 4u, 6u)) & metal::uint4(50529027u)) << metal::uint4(to_1);
}

metal::float2 k_scales(
    metal::uint4 head,
    uint sub
) {
    uint at = (sub & 3u) * 8u;
    metal::uint2 low_1 = metal::uint2(head.y >> at, head.z >> at);
    uint high_1 = head.w >> at;
    metal::uint2 first_1 = low_1 & metal::uint2(63u);
    metal::uint2 second = metal::uint2(high_1 & 15u, (high_1 >> 4u) & 15u) | (((low_1 >> metal::uint2(6u)) & metal::uint2(3u)) << metal::uint2(4u));
    return static_cast<metal::float2>((sub < 4u) ? first_1 : second);
}

Stored stored(
    Planes p,
    uint i_4,
    device type_6 const& codes_1,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 _e6 = codes_1[p.codes + i_4];
    metal::uint4 _e13 = codes_1[p.supers + (i_4 >> 3u)];
    return Stored {_e6, _e13};
}

Block block_of(
    Stored v,
    uint i_5
) {
    metal::float2 _e8 = k_scales(v.head, i_5 & 7u);
    metal::float2 d_1 = float2(as_type<half2>(v.head.x)) * _e8;
    return Block {v.w & NIBBLES, (v.w >> metal::uint4(4u)) & NIBBLES, metal::float2(d_1.x), metal::float2(-(d_1.y))};
}

Block weight(
    Planes p_1,
    uint i_6,
    device type_6 const& codes_1,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e2 = stored(p_1, i_6, codes_1, _buffer_sizes);
    Block _e3 = block_of(_e2, i_6);
    return _e3;
}

metal::float4 four(
    uint codes,
    float s,
    float m
) {
    return (static_cast<metal::float4>(int4(as_type<packed_char4>(codes))) * s) + metal::float4(m);
}

type_10 weight16_(
    Planes p_2,
    uint i_7,
    device type_6 const& codes_1,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_7 >> 1u, codes_1, _buffer_sizes);
    bool last = (i_7 & 1u) == 1u;
    metal::uint4 w_1 = last ? _e4.hi : _e4.lo;
    float s_1 = last ? _e4.s.y : _e4.s.x;
    float m_2 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_1.x, s_1, m_2);
    metal::float4 _e25 = four(w_1.y, s_1, m_2);
    metal::float4 _e27 = four(w_1.z, s_1, m_2);
    metal::float4 _e29 = four(w_1.w, s_1, m_2);
    return type_10 {{_e23, _e25, _e27, _e29}};
}

float blocks(
    Block w,
    metal::uint4 xl,
    metal::uint4 xh,
    float low,
    float high
) {
    if (ONE_SCALE) {
        int _e9 = idot(w.lo, xl);
        int _e11 = idot(w.hi, xh);
        float sum = w.s.x * static_cast<float>(as_type<int>(as_type<uint>(_e9) + as_type<uint>(_e11)));
        return HAS_MIN ? (sum + (w.m.x * (low + high))) : sum;
    }
    int _e25 = idot(w.lo, xl);
    int _e31 = idot(w.hi, xh);
    float sum_1 = (w.s.x * static_cast<float>(_e25)) + (w.s.y * static_cast<float>(_e31));
    return HAS_MIN ? ((sum_1 + (w.m.x * low)) + (w.m.y * high)) : sum_1;
}

Planes planes_of(
    uint m_1,
    constant Params& p_3
) {
    if (m_1 == 0u) {
        uint _e6 = p_3.first.x;
        uint _e10 = p_3.first.y;
        uint _e14 = p_3.first.z;
        uint _e18 = p_3.first.w;
        return Planes {_e6, _e10, _e14, _e18};
    }
    uint _e23 = p_3.second.x;
    uint _e27 = p_3.second.y;
    uint _e31 = p_3.second.z;
    uint _e35 = p_3.second.w;
    return Planes {_e23, _e27, _e31, _e35};
}

float pair_at(
    uint i_8,
    device type_11 const& act,
    constant Params& p_3,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = p_3.order;
    float _e7 = act[_e4 + i_8];
    return _e7;
}
uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_6 const& codes_1 [[user(fake0)]]
, device type_11& act [[user(fake0)]]
, device type_6 const& x_codes [[user(fake0)]]
, device type_12 const& x_scales [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, device type_11 const& vectors [[user(fake0)]]
, threadgroup type_13& sums
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    float sum0_0_ = 0.0;
    float sum0_1_ = 0.0;
    float sum0_2_ = 0.0;
    float sum0_3_ = 0.0;
    float sum0_4_ = 0.0;
    float sum0_5_ = 0.0;
    float sum0_6_ = 0.0;
    float sum0_7_ = 0.0;
    float sum1_0_ = 0.0;
    float sum1_1_ = 0.0;
    float sum1_2_ = 0.0;
    float sum1_3_ = 0.0;
    float sum1_4_ = 0.0;
    float sum1_5_ = 0.0;
    float sum1_6_ = 0.0;
    float sum1_7_ = 0.0;
    uint b = {};
    uint i = {};
    bool local = {};
    float y = {};
    float up = {};
    uint d = {};
    bool local_1 = {};
    uint tile = group.y;
    uint _e7 = p_3.tiles;
    float _e9 = act[_e7];
    if (static_cast<float>(tile) >= _e9) {
        return;
    }
    uint _e14 = p_3.tiles;
    float _e19 = act[(_e14 + 1u) + tile];
    uint expert = naga_f2u32(_e19);
    uint first_2 = group.x * ROWS;
    uint r = naga_mod(me, ROWS);
    uint depth = naga_mod(naga_div(me, ROWS), DEPTH);
    uint tg = naga_div(me, 64u);
    uint _e34 = p_3.rows;
    uint _e39 = p_3.rows;
    uint _e46 = p_3.blocks;
    uint row = ((expert * _e34) + metal::min(first_2 + r, _e39 - 1u)) * _e46;
    float _e87 = pair_at(((tile * TILE) + (tg * 8u)) + 0u, act, p_3, _buffer_sizes);
    uint pair0_ = naga_f2u32(metal::max(_e87, 0.0));
    uint _e97 = p_3.blocks;
    uint x0_ = (PAIRED ? naga_div(pair0_, USED) : pair0_) * _e97;
    float _e106 = pair_at(((tile * TILE) + (tg * 8u)) + 1u, act, p_3, _buffer_sizes);
    uint pair1_ = naga_f2u32(metal::max(_e106, 0.0));
    uint _e116 = p_3.blocks;
    uint x1_ = (PAIRED ? naga_div(pair1_, USED) : pair1_) * _e116;
    float _e125 = pair_at(((tile * TILE) + (tg * 8u)) + 2u, act, p_3, _buffer_sizes);
    uint pair2_ = naga_f2u32(metal::max(_e125, 0.0));
    uint _e135 = p_3.blocks;
    uint x2_ = (PAIRED ? naga_div(pair2_, USED) : pair2_) * _e135;
    float _e144 = pair_at(((tile * TILE) + (tg * 8u)) + 3u, act, p_3, _buffer_sizes);
    uint pair3_ = naga_f2u32(metal::max(_e144, 0.0));
    uint _e154 = p_3.blocks;
    uint x3_ = (PAIRED ? naga_div(pair3_, USED) : pair3_) * _e154;
    float _e163 = pair_at(((tile * TILE) + (tg * 8u)) + 4u, act, p_3, _buffer_sizes);
    uint pair4_ = naga_f2u32(metal::max(_e163, 0.0));
    uint _e173 = p_3.blocks;
    uint x4_ = (PAIRED ? naga_div(pair4_, USED) : pair4_) * _e173;
    float _e182 = pair_at(((tile * TILE) + (tg * 8u)) + 5u, act, p_3, _buffer_sizes);
    uint pair5_ = naga_f2u32(metal::max(_e182, 0.0));
    uint _e192 = p_3.blocks;
    uint x5_ = (PAIRED ? naga_div(pair5_, USED) : pair5_) * _e192;
    float _e201 = pair_at(((tile * TILE) + (tg * 8u)) + 6u, act, p_3, _buffer_sizes);
    uint pair6_ = naga_f2u32(metal::max(_e201, 0.0));
    uint _e211 = p_3.blocks;
    uint x6_ = (PAIRED ? naga_div(pair6_, USED) : pair6_) * _e211;
    float _e220 = pair_at(((tile * TILE) + (tg * 8u)) + 7u, act, p_3, _buffer_sizes);
    uint pair7_ = naga_f2u32(metal::max(_e220, 0.0));
    uint _e230 = p_3.blocks;
    uint x7_ = (PAIRED ? naga_div(pair7_, USED) : pair7_) * _e230;
    b = depth;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e736 = b;
            b = _e736 + DEPTH;
        }
        loop_init = false;
        uint _e233 = b;
        uint _e236 = p_3.blocks;
        if (_e233 < _e236) {
        } else {
            break;
        }
        {
            uint _e239 = b;
            metal::uint2 xs0_ = x_scales[x0_ + _e239];
            float low0_ = static_cast<float>(as_type<int>(xs0_.y << 16u) >> 16u);
            float high0_ = static_cast<float>(as_type<int>(xs0_.y) >> 16u);
            uint _e256 = b;
            metal::uint2 xs1_ = x_scales[x1_ + _e256];
            float low1_ = static_cast<float>(as_type<int>(xs1_.y << 16u) >> 16u);
            float high1_ = static_cast<float>(as_type<int>(xs1_.y) >> 16u);
            uint _e273 = b;
            metal::uint2 xs2_ = x_scales[x2_ + _e273];
            float low2_ = static_cast<float>(as_type<int>(xs2_.y << 16u) >> 16u);
            float high2_ = static_cast<float>(as_type<int>(xs2_.y) >> 16u);
            uint _e290 = b;
            metal::uint2 xs3_ = x_scales[x3_ + _e290];
            float low3_ = static_cast<float>(as_type<int>(xs3_.y << 16u) >> 16u);
            float high3_ = static_cast<float>(as_type<int>(xs3_.y) >> 16u);
            uint _e307 = b;
            metal::uint2 xs4_ = x_scales[x4_ + _e307];
            float low4_ = static_cast<float>(as_type<int>(xs4_.y << 16u) >> 16u);
            float high4_ = static_cast<float>(as_type<int>(xs4_.y) >> 16u);
            uint _e324 = b;
            metal::uint2 xs5_ = x_scales[x5_ + _e324];
            float low5_ = static_cast<float>(as_type<int>(xs5_.y << 16u) >> 16u);
            float high5_ = static_cast<float>(as_type<int>(xs5_.y) >> 16u);
            uint _e341 = b;
            metal::uint2 xs6_ = x_scales[x6_ + _e341];
            float low6_ = static_cast<float>(as_type<int>(xs6_.y << 16u) >> 16u);
            float high6_ = static_cast<float>(as_type<int>(xs6_.y) >> 16u);
            uint _e358 = b;
            metal::uint2 xs7_ = x_scales[x7_ + _e358];
            float low7_ = static_cast<float>(as_type<int>(xs7_.y << 16u) >> 16u);
            float high7_ = static_cast<float>(as_type<int>(xs7_.y) >> 16u);
            Planes _e375 = planes_of(0u, p_3);
            uint _e376 = b;
            Block _e378 = weight(_e375, row + _e376, codes_1, _buffer_sizes);
            float _e379 = sum0_0_;
            uint _e383 = b;
            metal::uint4 _e388 = x_codes[(x0_ + _e383) * 2u];
            uint _e390 = b;
            metal::uint4 _e397 = x_codes[((x0_ + _e390) * 2u) + 1u];
            float _e398 = blocks(_e378, _e388, _e397, low0_, high0_);
            sum0_0_ = _e379 + (as_type<float>(xs0_.x) * _e398);
            float _e401 = sum0_1_;
            uint _e405 = b;
            metal::uint4 _e410 = x_codes[(x1_ + _e405) * 2u];
            uint _e412 = b;
            metal::uint4 _e419 = x_codes[((x1_ + _e412) * 2u) + 1u];
            float _e420 = blocks(_e378, _e410, _e419, low1_, high1_);
            sum0_1_ = _e401 + (as_type<float>(xs1_.x) * _e420);
            float _e423 = sum0_2_;
            uint _e427 = b;
            metal::uint4 _e432 = x_codes[(x2_ + _e427) * 2u];
            uint _e434 = b;
            metal::uint4 _e441 = x_codes[((x2_ + _e434) * 2u) + 1u];
            float _e442 = blocks(_e378, _e432, _e441, low2_, high2_);
            sum0_2_ = _e423 + (as_type<float>(xs2_.x) * _e442);
            float _e445 = sum0_3_;
            uint _e449 = b;
            metal::uint4 _e454 = x_codes[(x3_ + _e449) * 2u];
            uint _e456 = b;
            metal::uint4 _e463 = x_codes[((x3_ + _e456) * 2u) + 1u];
            float _e464 = blocks(_e378, _e454, _e463, low3_, high3_);
            sum0_3_ = _e445 + (as_type<float>(xs3_.x) * _e464);
            float _e467 = sum0_4_;
            uint _e471 = b;
            metal::uint4 _e476 = x_codes[(x4_ + _e471) * 2u];
            uint _e478 = b;
            metal::uint4 _e485 = x_codes[((x4_ + _e478) * 2u) + 1u];
            float _e486 = blocks(_e378, _e476, _e485, low4_, high4_);
            sum0_4_ = _e467 + (as_type<float>(xs4_.x) * _e486);
            float _e489 = sum0_5_;
            uint _e493 = b;
            metal::uint4 _e498 = x_codes[(x5_ + _e493) * 2u];
            uint _e500 = b;
            metal::uint4 _e507 = x_codes[((x5_ + _e500) * 2u) + 1u];
            float _e508 = blocks(_e378, _e498, _e507, low5_, high5_);
            sum0_5_ = _e489 + (as_type<float>(xs5_.x) * _e508);
            float _e511 = sum0_6_;
            uint _e515 = b;
            metal::uint4 _e520 = x_codes[(x6_ + _e515) * 2u];
            uint _e522 = b;
            metal::uint4 _e529 = x_codes[((x6_ + _e522) * 2u) + 1u];
            float _e530 = blocks(_e378, _e520, _e529, low6_, high6_);
            sum0_6_ = _e511 + (as_type<float>(xs6_.x) * _e530);
            float _e533 = sum0_7_;
            uint _e537 = b;
            metal::uint4 _e542 = x_codes[(x7_ + _e537) * 2u];
            uint _e544 = b;
            metal::uint4 _e551 = x_codes[((x7_ + _e544) * 2u) + 1u];
            float _e552 = blocks(_e378, _e542, _e551, low7_, high7_);
            sum0_7_ = _e533 + (as_type<float>(xs7_.x) * _e552);
            Planes _e556 = planes_of(1u, p_3);
            uint _e557 = b;
            Block _e559 = weight(_e556, row + _e557, codes_1, _buffer_sizes);
            float _e560 = sum1_0_;
            uint _e564 = b;
            metal::uint4 _e569 = x_codes[(x0_ + _e564) * 2u];
            uint _e571 = b;
            metal::uint4 _e578 = x_codes[((x0_ + _e571) * 2u) + 1u];
            float _e579 = blocks(_e559, _e569, _e578, low0_, high0_);
            sum1_0_ = _e560 + (as_type<float>(xs0_.x) * _e579);
            float _e582 = sum1_1_;
            uint _e586 = b;
            metal::uint4 _e591 = x_codes[(x1_ + _e586) * 2u];
            uint _e593 = b;
            metal::uint4 _e600 = x_codes[((x1_ + _e593) * 2u) + 1u];
            float _e601 = blocks(_e559, _e591, _e600, low1_, high1_);
            sum1_1_ = _e582 + (as_type<float>(xs1_.x) * _e601);
            float _e604 = sum1_2_;
            uint _e608 = b;
            metal::uint4 _e613 = x_codes[(x2_ + _e608) * 2u];
            uint _e615 = b;
            metal::uint4 _e622 = x_codes[((x2_ + _e615) * 2u) + 1u];
            float _e623 = blocks(_e559, _e613, _e622, low2_, high2_);
            sum1_2_ = _e604 + (as_type<float>(xs2_.x) * _e623);
            float _e626 = sum1_3_;
            uint _e630 = b;
            metal::uint4 _e635 = x_codes[(x3_ + _e630) * 2u];
            uint _e637 = b;
            metal::uint4 _e644 = x_codes[((x3_ + _e637) * 2u) + 1u];
            float _e645 = blocks(_e559, _e635, _e644, low3_, high3_);
            sum1_3_ = _e626 + (as_type<float>(xs3_.x) * _e645);
            float _e648 = sum1_4_;
            uint _e652 = b;
            metal::uint4 _e657 = x_codes[(x4_ + _e652) * 2u];
            uint _e659 = b;
            metal::uint4 _e666 = x_codes[((x4_ + _e659) * 2u) + 1u];
            float _e667 = blocks(_e559, _e657, _e666, low4_, high4_);
            sum1_4_ = _e648 + (as_type<float>(xs4_.x) * _e667);
            float _e670 = sum1_5_;
            uint _e674 = b;
            metal::uint4 _e679 = x_codes[(x5_ + _e674) * 2u];
            uint _e681 = b;
            metal::uint4 _e688 = x_codes[((x5_ + _e681) * 2u) + 1u];
            float _e689 = blocks(_e559, _e679, _e688, low5_, high5_);
            sum1_5_ = _e670 + (as_type<float>(xs5_.x) * _e689);
            float _e692 = sum1_6_;
            uint _e696 = b;
            metal::uint4 _e701 = x_codes[(x6_ + _e696) * 2u];
            uint _e703 = b;
            metal::uint4 _e710 = x_codes[((x6_ + _e703) * 2u) + 1u];
            float _e711 = blocks(_e559, _e701, _e710, low6_, high6_);
            sum1_6_ = _e692 + (as_type<float>(xs6_.x) * _e711);
            float _e714 = sum1_7_;
            uint _e718 = b;
            metal::uint4 _e723 = x_codes[(x7_ + _e718) * 2u];
            uint _e725 = b;
            metal::uint4 _e732 = x_codes[((x7_ + _e725) * 2u) + 1u];
            float _e733 = blocks(_e559, _e723, _e732, low7_, high7_);
            sum1_7_ = _e714 + (as_type<float>(xs7_.x) * _e733);
        }
    }
    float _e753 = sum0_0_;
    sums.inner[(((((0u + depth) * TILE) + (tg * 8u)) + 0u) * ROWS) + r] = _e753;
    float _e768 = sum0_1_;
    sums.inner[(((((0u + depth) * TILE) + (tg * 8u)) + 1u) * ROWS) + r] = _e768;
    float _e783 = sum0_2_;
    sums.inner[(((((0u + depth) * TILE) + (tg * 8u)) + 2u) * ROWS) + r] = _e783;
    float _e798 = sum0_3_;
    sums.inner[(((((0u + depth) * TILE) + (tg * 8u)) + 3u) * ROWS) + r] = _e798;
    float _e813 = sum0_4_;
    sums.inner[(((((0u + depth) * TILE) + (tg * 8u)) + 4u) * ROWS) + r] = _e813;
    float _e828 = sum0_5_;
    sums.inner[(((((0u + depth) * TILE) + (tg * 8u)) + 5u) * ROWS) + r] = _e828;
    float _e843 = sum0_6_;
    sums.inner[(((((0u + depth) * TILE) + (tg * 8u)) + 6u) * ROWS) + r] = _e843;
    float _e858 = sum0_7_;
    sums.inner[(((((0u + depth) * TILE) + (tg * 8u)) + 7u) * ROWS) + r] = _e858;
    float _e873 = sum1_0_;
    sums.inner[(((((4u + depth) * TILE) + (tg * 8u)) + 0u) * ROWS) + r] = _e873;
    float _e888 = sum1_1_;
    sums.inner[(((((4u + depth) * TILE) + (tg * 8u)) + 1u) * ROWS) + r] = _e888;
    float _e903 = sum1_2_;
    sums.inner[(((((4u + depth) * TILE) + (tg * 8u)) + 2u) * ROWS) + r] = _e903;
    float _e918 = sum1_3_;
    sums.inner[(((((4u + depth) * TILE) + (tg * 8u)) + 3u) * ROWS) + r] = _e918;
    float _e933 = sum1_4_;
    sums.inner[(((((4u + depth) * TILE) + (tg * 8u)) + 4u) * ROWS) + r] = _e933;
    float _e948 = sum1_5_;
    sums.inner[(((((4u + depth) * TILE) + (tg * 8u)) + 5u) * ROWS) + r] = _e948;
    float _e963 = sum1_6_;
    sums.inner[(((((4u + depth) * TILE) + (tg * 8u)) + 6u) * ROWS) + r] = _e963;
    float _e978 = sum1_7_;
    sums.inner[(((((4u + depth) * TILE) + (tg * 8u)) + 7u) * ROWS) + r] = _e978;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i = me;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e1133 = i;
            i = _e1133 + WG;
        }
        loop_init_1 = false;
        uint _e980 = i;
        if (_e980 < 512u) {
        } else {
            break;
        }
        {
            uint _e985 = i;
            float _e989 = pair_at((tile * TILE) + naga_div(_e985, ROWS), act, p_3, _buffer_sizes);
            uint _e990 = i;
            uint n = first_2 + naga_mod(_e990, ROWS);
            uint _e996 = p_3.rows;
            if (n < _e996) {
                local = _e989 >= 0.0;
            } else {
                local = false;
            }
            bool _e1003 = local;
            if (_e1003) {
                y = 0.0;
                up = 0.0;
                d = 0u;
                uint2 loop_bound_2 = uint2(4294967295u);
                bool loop_init_2 = true;
                while(true) {
                    if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                    loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                    if (!loop_init_2) {
                        uint _e1041 = d;
                        d = _e1041 + 1u;
                    }
                    loop_init_2 = false;
                    uint _e1010 = d;
                    if (_e1010 < DEPTH) {
                    } else {
                        break;
                    }
                    {
                        float _e1013 = y;
                        uint _e1015 = d;
                        uint _e1020 = i;
                        float _e1023 = sums.inner[((_e1015 * TILE) * ROWS) + _e1020];
                        y = _e1013 + _e1023;
                        if (true) {
                            float _e1026 = up;
                            uint _e1029 = d;
                            uint _e1035 = i;
                            float _e1038 = sums.inner[(((DEPTH + _e1029) * TILE) * ROWS) + _e1035];
                            up = _e1026 + _e1038;
                        }
                    }
                }
                uint _e1046 = p_3.weights;
                float _e1050 = act[_e1046 + naga_f2u32(_e989)];
                float share = SHARED ? _e1050 : 1.0;
                float _e1054 = y;
                y = _e1054 * (PAIRED ? share : 1.0);
                uint _e1061 = p_3.first_bias;
                if (_e1061 > 0u) {
                    float _e1064 = y;
                    uint _e1068 = p_3.first_bias;
                    uint _e1073 = p_3.rows;
                    float _e1078 = vectors[((_e1068 - 1u) + (expert * _e1073)) + n];
                    y = _e1064 + _e1078;
                }
                if (PAIRED) {
                    float _e1081 = y;
                    float _e1082 = up;
                    up = true ? (_e1082 * share) : _e1081;
                    if (true) {
                        uint _e1091 = p_3.second_bias;
                        local_1 = _e1091 > 0u;
                    } else {
                        local_1 = false;
                    }
                    bool _e1095 = local_1;
                    if (_e1095) {
                        float _e1096 = up;
                        uint _e1100 = p_3.second_bias;
                        uint _e1105 = p_3.rows;
                        float _e1110 = vectors[((_e1100 - 1u) + (expert * _e1105)) + n];
                        up = _e1096 + _e1110;
                    }
                    float _e1112 = y;
                    float _e1113 = y;
                    float _e1114 = up;
                    float _e1115 = activate(_e1113, _e1114);
                    y = ACTIVATED ? _e1115 : _e1112;
                } else {
                    float _e1118 = y;
                    y = _e1118 * share;
                }
                uint _e1123 = p_3.out;
                uint _e1127 = p_3.rows;
                float _e1132 = y;
                act[(_e1123 + (naga_f2u32(_e989) * _e1127)) + n] = _e1132;
            }
        }
    }
    return;
}
