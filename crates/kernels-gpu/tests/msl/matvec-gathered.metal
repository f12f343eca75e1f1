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

typedef uint type_1[1];
typedef metal::uint4 type_5[1];
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
    uint d;
    char _pad2[12];
};
struct type_9 {
    metal::float4 inner[4];
};
struct type_10 {
    metal::uint4 inner[12];
};
struct Params {
    uint blocks;
    uint rows;
    uint count;
    uint pad;
    type_10 parts;
};
typedef float type_11[1];
typedef metal::uint2 type_13[1];
struct type_14 {
    float inner[2112];
};
constant uint WG = 64u;
constant uint SUBGROUPS = 8u;
constant uint ROWS = 4u;
constant uint NT = 8u;
constant uint MATRICES = 1u;
constant uint GATHERS = 1u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = true;
constant uint RESULTS = 32u;

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
    uint i
) {
    metal::float2 pair = float2(as_type<half2>(word));
    return ((i & 1u) == 1u) ? pair.y : pair.x;
}

uint short_of(
    uint word_1,
    uint i_1
) {
    return (word_1 >> ((i_1 & 1u) * 16u)) & 65535u;
}

uint byte_of(
    uint word_2,
    uint i_2
) {
    return (word_2 >> ((i_2 & 3u) * 8u)) & 255u;
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

Stored stored(
    Planes p,
    uint i_3,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 _e6 = codes_1[p.codes + i_3];
    uint _e13 = words[p.scales + (i_3 >> 1u)];
    return Stored {_e6, _e13};
}

Block block_of(
    Stored v,
    uint i_4
) {
    float _e3 = half_of(v.d, i_4);
    return Block {v.w & NIBBLES, (v.w >> metal::uint4(4u)) & NIBBLES, metal::float2(_e3), metal::float2(-8.0 * _e3)};
}

Block weight(
    Planes p_1,
    uint i_5,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e2 = stored(p_1, i_5, codes_1, words, _buffer_sizes);
    Block _e3 = block_of(_e2, i_5);
    return _e3;
}

metal::float4 four(
    uint codes,
    float s,
    float m
) {
    return (static_cast<metal::float4>(int4(as_type<packed_char4>(codes))) * s) + metal::float4(m);
}

type_9 weight16_(
    Planes p_2,
    uint i_6,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_6 >> 1u, codes_1, words, _buffer_sizes);
    bool last = (i_6 & 1u) == 1u;
    metal::uint4 w_1 = last ? _e4.hi : _e4.lo;
    float s_1 = last ? _e4.s.y : _e4.s.x;
    float m_1 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_1.x, s_1, m_1);
    metal::float4 _e25 = four(w_1.y, s_1, m_1);
    metal::float4 _e27 = four(w_1.z, s_1, m_1);
    metal::float4 _e29 = four(w_1.w, s_1, m_1);
    return type_9 {{_e23, _e25, _e27, _e29}};
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
        float sum_1 = w.s.x * static_cast<float>(as_type<int>(as_type<uint>(_e9) + as_type<uint>(_e11)));
        return HAS_MIN ? (sum_1 + (w.m.x * (low + high))) : sum_1;
    }
    int _e25 = idot(w.lo, xl);
    int _e31 = idot(w.hi, xh);
    float sum_2 = (w.s.x * static_cast<float>(_e25)) + (w.s.y * static_cast<float>(_e31));
    return HAS_MIN ? ((sum_2 + (w.m.x * low)) + (w.m.y * high)) : sum_2;
}

float sum_of(
    uint value,
    uint subgroups,
    threadgroup type_14& sums
) {
    float sum = 0.0;
    uint i_7 = 0u;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e19 = i_7;
            i_7 = _e19 + 1u;
        }
        loop_init = false;
        uint _e6 = i_7;
        if (_e6 < WG) {
        } else {
            break;
        }
        {
            float _e9 = sum;
            uint _e11 = i_7;
            float _e16 = sums.inner[(_e11 * 33u) + value];
            sum = _e9 + _e16;
        }
    }
    float _e21 = sum;
    return _e21;
}
uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(64)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5 const& codes_1 [[user(fake0)]]
, device type_1 const& words [[user(fake0)]]
, device type_11& act [[user(fake0)]]
, device type_5 const& x_codes [[user(fake0)]]
, device type_13 const& x_scales [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, device type_11 const& vectors [[user(fake0)]]
, threadgroup type_14& sums
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint k = 0u;
    bool local = {};
    float sum0_0_0_ = 0.0;
    float sum0_0_1_ = 0.0;
    float sum0_0_2_ = 0.0;
    float sum0_0_3_ = 0.0;
    float sum0_0_4_ = 0.0;
    float sum0_0_5_ = 0.0;
    float sum0_0_6_ = 0.0;
    float sum0_0_7_ = 0.0;
    float sum0_1_0_ = 0.0;
    float sum0_1_1_ = 0.0;
    float sum0_1_2_ = 0.0;
    float sum0_1_3_ = 0.0;
    float sum0_1_4_ = 0.0;
    float sum0_1_5_ = 0.0;
    float sum0_1_6_ = 0.0;
    float sum0_1_7_ = 0.0;
    float sum0_2_0_ = 0.0;
    float sum0_2_1_ = 0.0;
    float sum0_2_2_ = 0.0;
    float sum0_2_3_ = 0.0;
    float sum0_2_4_ = 0.0;
    float sum0_2_5_ = 0.0;
    float sum0_2_6_ = 0.0;
    float sum0_2_7_ = 0.0;
    float sum0_3_0_ = 0.0;
    float sum0_3_1_ = 0.0;
    float sum0_3_2_ = 0.0;
    float sum0_3_3_ = 0.0;
    float sum0_3_4_ = 0.0;
    float sum0_3_5_ = 0.0;
    float sum0_3_6_ = 0.0;
    float sum0_3_7_ = 0.0;
    uint b = {};
    bool local_1 = {};
    float y = {};
    float up = 0.0;
    uint _e8 = p_3.rows;
    uint tokens = step[_e8];
    uint t0_ = group.y * NT;
    uint2 loop_bound_1 = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        uint _e16 = k;
        uint _e21 = p_3.count;
        if ((_e16 + 1u) < _e21) {
            uint _e28 = k;
            uint _e35 = p_3.parts.inner[(_e28 + 1u) * 2u].x;
            local = group.x >= _e35;
        } else {
            local = false;
        }
        bool _e38 = local;
        if (_e38) {
        } else {
            break;
        }
        {
            uint _e40 = k;
            k = _e40 + 1u;
        }
    }
    uint _e44 = k;
    metal::uint4 part = p_3.parts.inner[_e44 * 2u];
    uint first_1 = (group.x - part.x) * ROWS;
    uint units = p_3.blocks;
    uint _e59 = k;
    metal::uint4 at0_ = p_3.parts.inner[((_e59 * 2u) + 1u) + 0u];
    Planes planes0_ = Planes {at0_.x, at0_.y, at0_.z, at0_.w};
    uint row0_ = metal::min(first_1 + 0u, part.y - 1u) * units;
    uint row1_ = metal::min(first_1 + 1u, part.y - 1u) * units;
    uint row2_ = metal::min(first_1 + 2u, part.y - 1u) * units;
    uint row3_ = metal::min(first_1 + 3u, part.y - 1u) * units;
    uint x0_ = metal::min(t0_ + 0u, tokens - 1u) * units;
    uint x1_ = metal::min(t0_ + 1u, tokens - 1u) * units;
    uint x2_ = metal::min(t0_ + 2u, tokens - 1u) * units;
    uint x3_ = metal::min(t0_ + 3u, tokens - 1u) * units;
    uint x4_ = metal::min(t0_ + 4u, tokens - 1u) * units;
    uint x5_ = metal::min(t0_ + 5u, tokens - 1u) * units;
    uint x6_ = metal::min(t0_ + 6u, tokens - 1u) * units;
    uint x7_ = metal::min(t0_ + 7u, tokens - 1u) * units;
    b = me;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e636 = b;
            b = _e636 + WG;
        }
        loop_init_1 = false;
        uint _e214 = b;
        if (_e214 < units) {
        } else {
            break;
        }
        {
            uint _e216 = b;
            Block _e218 = weight(planes0_, row0_ + _e216, codes_1, words, _buffer_sizes);
            uint _e219 = b;
            Block _e221 = weight(planes0_, row1_ + _e219, codes_1, words, _buffer_sizes);
            uint _e222 = b;
            Block _e224 = weight(planes0_, row2_ + _e222, codes_1, words, _buffer_sizes);
            uint _e225 = b;
            Block _e227 = weight(planes0_, row3_ + _e225, codes_1, words, _buffer_sizes);
            uint _e229 = b;
            metal::uint4 xl0_ = x_codes[(x0_ + _e229) * 2u];
            uint _e236 = b;
            metal::uint4 xh0_ = x_codes[((x0_ + _e236) * 2u) + 1u];
            uint _e245 = b;
            metal::uint2 xs0_ = x_scales[x0_ + _e245];
            float scale0_ = as_type<float>(xs0_.x);
            float low0_ = static_cast<float>(as_type<int>(xs0_.y << 16u) >> 16u);
            float high0_ = static_cast<float>(as_type<int>(xs0_.y) >> 16u);
            float _e263 = sum0_0_0_;
            float _e264 = blocks(_e218, xl0_, xh0_, low0_, high0_);
            sum0_0_0_ = _e263 + (scale0_ * _e264);
            float _e267 = sum0_1_0_;
            float _e268 = blocks(_e221, xl0_, xh0_, low0_, high0_);
            sum0_1_0_ = _e267 + (scale0_ * _e268);
            float _e271 = sum0_2_0_;
            float _e272 = blocks(_e224, xl0_, xh0_, low0_, high0_);
            sum0_2_0_ = _e271 + (scale0_ * _e272);
            float _e275 = sum0_3_0_;
            float _e276 = blocks(_e227, xl0_, xh0_, low0_, high0_);
            sum0_3_0_ = _e275 + (scale0_ * _e276);
            uint _e280 = b;
            metal::uint4 xl1_ = x_codes[(x1_ + _e280) * 2u];
            uint _e287 = b;
            metal::uint4 xh1_ = x_codes[((x1_ + _e287) * 2u) + 1u];
            uint _e296 = b;
            metal::uint2 xs1_ = x_scales[x1_ + _e296];
            float scale1_ = as_type<float>(xs1_.x);
            float low1_ = static_cast<float>(as_type<int>(xs1_.y << 16u) >> 16u);
            float high1_ = static_cast<float>(as_type<int>(xs1_.y) >> 16u);
            float _e314 = sum0_0_1_;
            float _e315 = blocks(_e218, xl1_, xh1_, low1_, high1_);
            sum0_0_1_ = _e314 + (scale1_ * _e315);
            float _e318 = sum0_1_1_;
            float _e319 = blocks(_e221, xl1_, xh1_, low1_, high1_);
            sum0_1_1_ = _e318 + (scale1_ * _e319);
            float _e322 = sum0_2_1_;
            float _e323 = blocks(_e224, xl1_, xh1_, low1_, high1_);
            sum0_2_1_ = _e322 + (scale1_ * _e323);
            float _e326 = sum0_3_1_;
            float _e327 = blocks(_e227, xl1_, xh1_, low1_, high1_);
            sum0_3_1_ = _e326 + (scale1_ * _e327);
            uint _e331 = b;
            metal::uint4 xl2_ = x_codes[(x2_ + _e331) * 2u];
            uint _e338 = b;
            metal::uint4 xh2_ = x_codes[((x2_ + _e338) * 2u) + 1u];
            uint _e347 = b;
            metal::uint2 xs2_ = x_scales[x2_ + _e347];
            float scale2_ = as_type<float>(xs2_.x);
            float low2_ = static_cast<float>(as_type<int>(xs2_.y << 16u) >> 16u);
            float high2_ = static_cast<float>(as_type<int>(xs2_.y) >> 16u);
            float _e365 = sum0_0_2_;
            float _e366 = blocks(_e218, xl2_, xh2_, low2_, high2_);
            sum0_0_2_ = _e365 + (scale2_ * _e366);
            float _e369 = sum0_1_2_;
            float _e370 = blocks(_e221, xl2_, xh2_, low2_, high2_);
            sum0_1_2_ = _e369 + (scale2_ * _e370);
            float _e373 = sum0_2_2_;
            float _e374 = blocks(_e224, xl2_, xh2_, low2_, high2_);
            sum0_2_2_ = _e373 + (scale2_ * _e374);
            float _e377 = sum0_3_2_;
            float _e378 = blocks(_e227, xl2_, xh2_, low2_, high2_);
            sum0_3_2_ = _e377 + (scale2_ * _e378);
            uint _e382 = b;
            metal::uint4 xl3_ = x_codes[(x3_ + _e382) * 2u];
            uint _e389 = b;
            metal::uint4 xh3_ = x_codes[((x3_ + _e389) * 2u) + 1u];
            uint _e398 = b;
            metal::uint2 xs3_ = x_scales[x3_ + _e398];
            float scale3_ = as_type<float>(xs3_.x);
            float low3_ = static_cast<float>(as_type<int>(xs3_.y << 16u) >> 16u);
            float high3_ = static_cast<float>(as_type<int>(xs3_.y) >> 16u);
            float _e416 = sum0_0_3_;
            float _e417 = blocks(_e218, xl3_, xh3_, low3_, high3_);
            sum0_0_3_ = _e416 + (scale3_ * _e417);
            float _e420 = sum0_1_3_;
            float _e421 = blocks(_e221, xl3_, xh3_, low3_, high3_);
            sum0_1_3_ = _e420 + (scale3_ * _e421);
            float _e424 = sum0_2_3_;
            float _e425 = blocks(_e224, xl3_, xh3_, low3_, high3_);
            sum0_2_3_ = _e424 + (scale3_ * _e425);
            float _e428 = sum0_3_3_;
            float _e429 = blocks(_e227, xl3_, xh3_, low3_, high3_);
            sum0_3_3_ = _e428 + (scale3_ * _e429);
            uint _e433 = b;
            metal::uint4 xl4_ = x_codes[(x4_ + _e433) * 2u];
            uint _e440 = b;
            metal::uint4 xh4_ = x_codes[((x4_ + _e440) * 2u) + 1u];
            uint _e449 = b;
            metal::uint2 xs4_ = x_scales[x4_ + _e449];
            float scale4_ = as_type<float>(xs4_.x);
            float low4_ = static_cast<float>(as_type<int>(xs4_.y << 16u) >> 16u);
            float high4_ = static_cast<float>(as_type<int>(xs4_.y) >> 16u);
            float _e467 = sum0_0_4_;
            float _e468 = blocks(_e218, xl4_, xh4_, low4_, high4_);
            sum0_0_4_ = _e467 + (scale4_ * _e468);
            float _e471 = sum0_1_4_;
            float _e472 = blocks(_e221, xl4_, xh4_, low4_, high4_);
            sum0_1_4_ = _e471 + (scale4_ * _e472);
            float _e475 = sum0_2_4_;
            float _e476 = blocks(_e224, xl4_, xh4_, low4_, high4_);
            sum0_2_4_ = _e475 + (scale4_ * _e476);
            float _e479 = sum0_3_4_;
            float _e480 = blocks(_e227, xl4_, xh4_, low4_, high4_);
            sum0_3_4_ = _e479 + (scale4_ * _e480);
            uint _e484 = b;
            metal::uint4 xl5_ = x_codes[(x5_ + _e484) * 2u];
            uint _e491 = b;
            metal::uint4 xh5_ = x_codes[((x5_ + _e491) * 2u) + 1u];
            uint _e500 = b;
            metal::uint2 xs5_ = x_scales[x5_ + _e500];
            float scale5_ = as_type<float>(xs5_.x);
            float low5_ = static_cast<float>(as_type<int>(xs5_.y << 16u) >> 16u);
            float high5_ = static_cast<float>(as_type<int>(xs5_.y) >> 16u);
            float _e518 = sum0_0_5_;
            float _e519 = blocks(_e218, xl5_, xh5_, low5_, high5_);
            sum0_0_5_ = _e518 + (scale5_ * _e519);
            float _e522 = sum0_1_5_;
            float _e523 = blocks(_e221, xl5_, xh5_, low5_, high5_);
            sum0_1_5_ = _e522 + (scale5_ * _e523);
            float _e526 = sum0_2_5_;
            float _e527 = blocks(_e224, xl5_, xh5_, low5_, high5_);
            sum0_2_5_ = _e526 + (scale5_ * _e527);
            float _e530 = sum0_3_5_;
            float _e531 = blocks(_e227, xl5_, xh5_, low5_, high5_);
            sum0_3_5_ = _e530 + (scale5_ * _e531);
            uint _e535 = b;
            metal::uint4 xl6_ = x_codes[(x6_ + _e535) * 2u];
            uint _e542 = b;
            metal::uint4 xh6_ = x_codes[((x6_ + _e542) * 2u) + 1u];
            uint _e551 = b;
            metal::uint2 xs6_ = x_scales[x6_ + _e551];
            float scale6_ = as_type<float>(xs6_.x);
            float low6_ = static_cast<float>(as_type<int>(xs6_.y << 16u) >> 16u);
            float high6_ = static_cast<float>(as_type<int>(xs6_.y) >> 16u);
            float _e569 = sum0_0_6_;
            float _e570 = blocks(_e218, xl6_, xh6_, low6_, high6_);
            sum0_0_6_ = _e569 + (scale6_ * _e570);
            float _e573 = sum0_1_6_;
            float _e574 = blocks(_e221, xl6_, xh6_, low6_, high6_);
            sum0_1_6_ = _e573 + (scale6_ * _e574);
            float _e577 = sum0_2_6_;
            float _e578 = blocks(_e224, xl6_, xh6_, low6_, high6_);
            sum0_2_6_ = _e577 + (scale6_ * _e578);
            float _e581 = sum0_3_6_;
            float _e582 = blocks(_e227, xl6_, xh6_, low6_, high6_);
            sum0_3_6_ = _e581 + (scale6_ * _e582);
            uint _e586 = b;
            metal::uint4 xl7_ = x_codes[(x7_ + _e586) * 2u];
            uint _e593 = b;
            metal::uint4 xh7_ = x_codes[((x7_ + _e593) * 2u) + 1u];
            uint _e602 = b;
            metal::uint2 xs7_ = x_scales[x7_ + _e602];
            float scale7_ = as_type<float>(xs7_.x);
            float low7_ = static_cast<float>(as_type<int>(xs7_.y << 16u) >> 16u);
            float high7_ = static_cast<float>(as_type<int>(xs7_.y) >> 16u);
            float _e620 = sum0_0_7_;
            float _e621 = blocks(_e218, xl7_, xh7_, low7_, high7_);
            sum0_0_7_ = _e620 + (scale7_ * _e621);
            float _e624 = sum0_1_7_;
            float _e625 = blocks(_e221, xl7_, xh7_, low7_, high7_);
            sum0_1_7_ = _e624 + (scale7_ * _e625);
            float _e628 = sum0_2_7_;
            float _e629 = blocks(_e224, xl7_, xh7_, low7_, high7_);
            sum0_2_7_ = _e628 + (scale7_ * _e629);
            float _e632 = sum0_3_7_;
            float _e633 = blocks(_e227, xl7_, xh7_, low7_, high7_);
            sum0_3_7_ = _e632 + (scale7_ * _e633);
        }
    }
    float _e647 = sum0_0_0_;
    sums.inner[((me * 33u) + 0u) + 0u] = _e647;
    float _e656 = sum0_0_1_;
    sums.inner[((me * 33u) + 0u) + 1u] = _e656;
    float _e665 = sum0_0_2_;
    sums.inner[((me * 33u) + 0u) + 2u] = _e665;
    float _e674 = sum0_0_3_;
    sums.inner[((me * 33u) + 0u) + 3u] = _e674;
    float _e683 = sum0_0_4_;
    sums.inner[((me * 33u) + 0u) + 4u] = _e683;
    float _e692 = sum0_0_5_;
    sums.inner[((me * 33u) + 0u) + 5u] = _e692;
    float _e701 = sum0_0_6_;
    sums.inner[((me * 33u) + 0u) + 6u] = _e701;
    float _e710 = sum0_0_7_;
    sums.inner[((me * 33u) + 0u) + 7u] = _e710;
    float _e719 = sum0_1_0_;
    sums.inner[((me * 33u) + 8u) + 0u] = _e719;
    float _e728 = sum0_1_1_;
    sums.inner[((me * 33u) + 8u) + 1u] = _e728;
    float _e737 = sum0_1_2_;
    sums.inner[((me * 33u) + 8u) + 2u] = _e737;
    float _e746 = sum0_1_3_;
    sums.inner[((me * 33u) + 8u) + 3u] = _e746;
    float _e755 = sum0_1_4_;
    sums.inner[((me * 33u) + 8u) + 4u] = _e755;
    float _e764 = sum0_1_5_;
    sums.inner[((me * 33u) + 8u) + 5u] = _e764;
    float _e773 = sum0_1_6_;
    sums.inner[((me * 33u) + 8u) + 6u] = _e773;
    float _e782 = sum0_1_7_;
    sums.inner[((me * 33u) + 8u) + 7u] = _e782;
    float _e791 = sum0_2_0_;
    sums.inner[((me * 33u) + 16u) + 0u] = _e791;
    float _e800 = sum0_2_1_;
    sums.inner[((me * 33u) + 16u) + 1u] = _e800;
    float _e809 = sum0_2_2_;
    sums.inner[((me * 33u) + 16u) + 2u] = _e809;
    float _e818 = sum0_2_3_;
    sums.inner[((me * 33u) + 16u) + 3u] = _e818;
    float _e827 = sum0_2_4_;
    sums.inner[((me * 33u) + 16u) + 4u] = _e827;
    float _e836 = sum0_2_5_;
    sums.inner[((me * 33u) + 16u) + 5u] = _e836;
    float _e845 = sum0_2_6_;
    sums.inner[((me * 33u) + 16u) + 6u] = _e845;
    float _e854 = sum0_2_7_;
    sums.inner[((me * 33u) + 16u) + 7u] = _e854;
    float _e863 = sum0_3_0_;
    sums.inner[((me * 33u) + 24u) + 0u] = _e863;
    float _e872 = sum0_3_1_;
    sums.inner[((me * 33u) + 24u) + 1u] = _e872;
    float _e881 = sum0_3_2_;
    sums.inner[((me * 33u) + 24u) + 2u] = _e881;
    float _e890 = sum0_3_3_;
    sums.inner[((me * 33u) + 24u) + 3u] = _e890;
    float _e899 = sum0_3_4_;
    sums.inner[((me * 33u) + 24u) + 4u] = _e899;
    float _e908 = sum0_3_5_;
    sums.inner[((me * 33u) + 24u) + 5u] = _e908;
    float _e917 = sum0_3_6_;
    sums.inner[((me * 33u) + 24u) + 6u] = _e917;
    float _e926 = sum0_3_7_;
    sums.inner[((me * 33u) + 24u) + 7u] = _e926;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (me < 32u) {
        uint row = first_1 + naga_div(me, NT);
        uint t = t0_ + naga_mod(me, NT);
        if (row < part.y) {
            local_1 = t < tokens;
        } else {
            local_1 = false;
        }
        bool _e941 = local_1;
        if (_e941) {
            uint subgroups_1 = naga_div((WG + size) - 1u, size);
            float _e947 = sum_of(me, subgroups_1, sums);
            y = _e947;
            if (false) {
                float _e954 = sum_of(32u + me, subgroups_1, sums);
                up = _e954;
            }
            if (part.w > 0u) {
                float _e958 = y;
                float _e965 = vectors[(part.w - 1u) + row];
                y = _e958 + _e965;
            }
            if (false) {
                float _e968 = y;
                float _e969 = up;
                float _e970 = activate(_e968, _e969);
                y = _e970;
            }
            float _e978 = y;
            act[(part.z + (t * part.y)) + row] = _e978;
            return;
        } else {
            return;
        }
    } else {
        return;
    }
}
