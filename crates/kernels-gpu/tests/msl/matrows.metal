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
    metal::uint2 bits;
    uint s;
    uint d;
};
struct type_10 {
    metal::float4 inner[4];
};
struct type_11 {
    metal::uint4 inner[12];
};
struct Params {
    uint blocks;
    uint rows;
    uint count;
    uint act;
    type_11 parts;
};
typedef float type_12[1];
typedef metal::uint2 type_13[1];
struct type_14 {
    float inner[2048];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint ROWS = 16u;
constant uint GROUPS = 2u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = true;
constant bool ONE_SCALE = false;
constant uint DEPTH = 8u;
constant uint TOKENS = 16u;

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

Stored stored(
    Planes p,
    uint i_4,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 _e6 = codes_1[p.codes + i_4];
    uint _e13 = words[p.bits + (i_4 * 2u)];
    uint _e22 = words[(p.bits + (i_4 * 2u)) + 1u];
    uint _e30 = words[p.scales + (i_4 >> 1u)];
    uint _e37 = words[p.supers + (i_4 >> 4u)];
    return Stored {_e6, metal::uint2(_e13, _e22), _e30, _e37};
}

Block block_of(
    Stored v,
    uint i_5
) {
    uint _e3 = short_of(v.s, i_5);
    float _e7 = half_of(v.d, i_5 >> 3u);
    float _e8 = signed_(_e3);
    float _e11 = signed_(_e3 >> 8u);
    metal::float2 scales = _e7 * metal::float2(_e8, _e11);
    metal::uint4 _e20 = double_bits(v.bits.x, 4u);
    metal::uint4 lo = (v.w & NIBBLES) | _e20;
    metal::uint4 _e31 = double_bits(v.bits.y, 4u);
    metal::uint4 hi = ((v.w >> metal::uint4(4u)) & NIBBLES) | _e31;
    return Block {lo, hi, scales, -32.0 * scales};
}

Block weight(
    Planes p_1,
    uint i_6,
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e2 = stored(p_1, i_6, codes_1, words, _buffer_sizes);
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
    device type_5 const& codes_1,
    device type_1 const& words,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_7 >> 1u, codes_1, words, _buffer_sizes);
    bool last = (i_7 & 1u) == 1u;
    metal::uint4 w_1 = last ? _e4.hi : _e4.lo;
    float s_1 = last ? _e4.s.y : _e4.s.x;
    float m_1 = last ? _e4.m.y : _e4.m.x;
    metal::float4 _e23 = four(w_1.x, s_1, m_1);
    metal::float4 _e25 = four(w_1.y, s_1, m_1);
    metal::float4 _e27 = four(w_1.z, s_1, m_1);
    metal::float4 _e29 = four(w_1.w, s_1, m_1);
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
, device type_1 const& step [[user(fake0)]]
, device type_5 const& codes_1 [[user(fake0)]]
, device type_1 const& words [[user(fake0)]]
, device type_12& act [[user(fake0)]]
, device type_5 const& x_codes [[user(fake0)]]
, device type_13 const& x_scales [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, device type_12 const& vectors [[user(fake0)]]
, threadgroup type_14& sums
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint k = 0u;
    bool local = {};
    float sum0_ = 0.0;
    float sum1_ = 0.0;
    float sum2_ = 0.0;
    float sum3_ = 0.0;
    float sum4_ = 0.0;
    float sum5_ = 0.0;
    float sum6_ = 0.0;
    float sum7_ = 0.0;
    uint b = {};
    uint i = {};
    bool local_1 = {};
    float y = {};
    uint d = {};
    uint _e5 = p_3.rows;
    uint tokens = step[_e5];
    uint2 loop_bound = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        uint _e10 = k;
        uint _e15 = p_3.count;
        if ((_e10 + 1u) < _e15) {
            uint _e22 = k;
            uint _e29 = p_3.parts.inner[(_e22 + 1u) * 2u].x;
            local = group.x >= _e29;
        } else {
            local = false;
        }
        bool _e32 = local;
        if (_e32) {
        } else {
            break;
        }
        {
            uint _e34 = k;
            k = _e34 + 1u;
        }
    }
    uint _e38 = k;
    metal::uint4 part = p_3.parts.inner[_e38 * 2u];
    uint _e45 = k;
    metal::uint4 at = p_3.parts.inner[(_e45 * 2u) + 1u];
    Planes planes = Planes {at.x, at.y, at.z, at.w};
    uint first_1 = (group.x - part.x) * ROWS;
    uint r = naga_mod(me, ROWS);
    uint depth = naga_mod(naga_div(me, ROWS), DEPTH);
    uint tg = naga_div(me, 128u);
    uint _e77 = p_3.blocks;
    uint row = metal::min(first_1 + r, part.y - 1u) * _e77;
    uint t0_ = (group.y * TOKENS) + (tg * 8u);
    uint _e92 = p_3.blocks;
    uint x0_ = metal::min(t0_ + 0u, tokens - 1u) * _e92;
    uint _e103 = p_3.blocks;
    uint x1_ = metal::min(t0_ + 1u, tokens - 1u) * _e103;
    uint _e114 = p_3.blocks;
    uint x2_ = metal::min(t0_ + 2u, tokens - 1u) * _e114;
    uint _e125 = p_3.blocks;
    uint x3_ = metal::min(t0_ + 3u, tokens - 1u) * _e125;
    uint _e136 = p_3.blocks;
    uint x4_ = metal::min(t0_ + 4u, tokens - 1u) * _e136;
    uint _e147 = p_3.blocks;
    uint x5_ = metal::min(t0_ + 5u, tokens - 1u) * _e147;
    uint _e158 = p_3.blocks;
    uint x6_ = metal::min(t0_ + 6u, tokens - 1u) * _e158;
    uint _e169 = p_3.blocks;
    uint x7_ = metal::min(t0_ + 7u, tokens - 1u) * _e169;
    b = depth;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init) {
            uint _e494 = b;
            b = _e494 + DEPTH;
        }
        loop_init = false;
        uint _e174 = b;
        uint _e177 = p_3.blocks;
        if (_e174 < _e177) {
        } else {
            break;
        }
        {
            uint _e179 = b;
            Block _e181 = weight(planes, row + _e179, codes_1, words, _buffer_sizes);
            uint _e183 = b;
            metal::uint2 xs0_ = x_scales[x0_ + _e183];
            float _e187 = sum0_;
            uint _e191 = b;
            metal::uint4 _e196 = x_codes[(x0_ + _e191) * 2u];
            uint _e198 = b;
            metal::uint4 _e205 = x_codes[((x0_ + _e198) * 2u) + 1u];
            float _e218 = blocks(_e181, _e196, _e205, static_cast<float>(as_type<int>(xs0_.y << 16u) >> 16u), static_cast<float>(as_type<int>(xs0_.y) >> 16u));
            sum0_ = _e187 + (as_type<float>(xs0_.x) * _e218);
            uint _e222 = b;
            metal::uint2 xs1_ = x_scales[x1_ + _e222];
            float _e226 = sum1_;
            uint _e230 = b;
            metal::uint4 _e235 = x_codes[(x1_ + _e230) * 2u];
            uint _e237 = b;
            metal::uint4 _e244 = x_codes[((x1_ + _e237) * 2u) + 1u];
            float _e257 = blocks(_e181, _e235, _e244, static_cast<float>(as_type<int>(xs1_.y << 16u) >> 16u), static_cast<float>(as_type<int>(xs1_.y) >> 16u));
            sum1_ = _e226 + (as_type<float>(xs1_.x) * _e257);
            uint _e261 = b;
            metal::uint2 xs2_ = x_scales[x2_ + _e261];
            float _e265 = sum2_;
            uint _e269 = b;
            metal::uint4 _e274 = x_codes[(x2_ + _e269) * 2u];
            uint _e276 = b;
            metal::uint4 _e283 = x_codes[((x2_ + _e276) * 2u) + 1u];
            float _e296 = blocks(_e181, _e274, _e283, static_cast<float>(as_type<int>(xs2_.y << 16u) >> 16u), static_cast<float>(as_type<int>(xs2_.y) >> 16u));
            sum2_ = _e265 + (as_type<float>(xs2_.x) * _e296);
            uint _e300 = b;
            metal::uint2 xs3_ = x_scales[x3_ + _e300];
            float _e304 = sum3_;
            uint _e308 = b;
            metal::uint4 _e313 = x_codes[(x3_ + _e308) * 2u];
            uint _e315 = b;
            metal::uint4 _e322 = x_codes[((x3_ + _e315) * 2u) + 1u];
            float _e335 = blocks(_e181, _e313, _e322, static_cast<float>(as_type<int>(xs3_.y << 16u) >> 16u), static_cast<float>(as_type<int>(xs3_.y) >> 16u));
            sum3_ = _e304 + (as_type<float>(xs3_.x) * _e335);
            uint _e339 = b;
            metal::uint2 xs4_ = x_scales[x4_ + _e339];
            float _e343 = sum4_;
            uint _e347 = b;
            metal::uint4 _e352 = x_codes[(x4_ + _e347) * 2u];
            uint _e354 = b;
            metal::uint4 _e361 = x_codes[((x4_ + _e354) * 2u) + 1u];
            float _e374 = blocks(_e181, _e352, _e361, static_cast<float>(as_type<int>(xs4_.y << 16u) >> 16u), static_cast<float>(as_type<int>(xs4_.y) >> 16u));
            sum4_ = _e343 + (as_type<float>(xs4_.x) * _e374);
            uint _e378 = b;
            metal::uint2 xs5_ = x_scales[x5_ + _e378];
            float _e382 = sum5_;
            uint _e386 = b;
            metal::uint4 _e391 = x_codes[(x5_ + _e386) * 2u];
            uint _e393 = b;
            metal::uint4 _e400 = x_codes[((x5_ + _e393) * 2u) + 1u];
            float _e413 = blocks(_e181, _e391, _e400, static_cast<float>(as_type<int>(xs5_.y << 16u) >> 16u), static_cast<float>(as_type<int>(xs5_.y) >> 16u));
            sum5_ = _e382 + (as_type<float>(xs5_.x) * _e413);
            uint _e417 = b;
            metal::uint2 xs6_ = x_scales[x6_ + _e417];
            float _e421 = sum6_;
            uint _e425 = b;
            metal::uint4 _e430 = x_codes[(x6_ + _e425) * 2u];
            uint _e432 = b;
            metal::uint4 _e439 = x_codes[((x6_ + _e432) * 2u) + 1u];
            float _e452 = blocks(_e181, _e430, _e439, static_cast<float>(as_type<int>(xs6_.y << 16u) >> 16u), static_cast<float>(as_type<int>(xs6_.y) >> 16u));
            sum6_ = _e421 + (as_type<float>(xs6_.x) * _e452);
            uint _e456 = b;
            metal::uint2 xs7_ = x_scales[x7_ + _e456];
            float _e460 = sum7_;
            uint _e464 = b;
            metal::uint4 _e469 = x_codes[(x7_ + _e464) * 2u];
            uint _e471 = b;
            metal::uint4 _e478 = x_codes[((x7_ + _e471) * 2u) + 1u];
            float _e491 = blocks(_e181, _e469, _e478, static_cast<float>(as_type<int>(xs7_.y << 16u) >> 16u), static_cast<float>(as_type<int>(xs7_.y) >> 16u));
            sum7_ = _e460 + (as_type<float>(xs7_.x) * _e491);
        }
    }
    float _e509 = sum0_;
    sums.inner[((((depth * TOKENS) + (tg * 8u)) + 0u) * ROWS) + r] = _e509;
    float _e522 = sum1_;
    sums.inner[((((depth * TOKENS) + (tg * 8u)) + 1u) * ROWS) + r] = _e522;
    float _e535 = sum2_;
    sums.inner[((((depth * TOKENS) + (tg * 8u)) + 2u) * ROWS) + r] = _e535;
    float _e548 = sum3_;
    sums.inner[((((depth * TOKENS) + (tg * 8u)) + 3u) * ROWS) + r] = _e548;
    float _e561 = sum4_;
    sums.inner[((((depth * TOKENS) + (tg * 8u)) + 4u) * ROWS) + r] = _e561;
    float _e574 = sum5_;
    sums.inner[((((depth * TOKENS) + (tg * 8u)) + 5u) * ROWS) + r] = _e574;
    float _e587 = sum6_;
    sums.inner[((((depth * TOKENS) + (tg * 8u)) + 6u) * ROWS) + r] = _e587;
    float _e600 = sum7_;
    sums.inner[((((depth * TOKENS) + (tg * 8u)) + 7u) * ROWS) + r] = _e600;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i = me;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e665 = i;
            i = _e665 + WG;
        }
        loop_init_1 = false;
        uint _e602 = i;
        if (_e602 < 256u) {
        } else {
            break;
        }
        {
            uint _e608 = i;
            uint t = (group.y * TOKENS) + naga_div(_e608, ROWS);
            uint _e612 = i;
            uint n = first_1 + naga_mod(_e612, ROWS);
            if (n < part.y) {
                local_1 = t < tokens;
            } else {
                local_1 = false;
            }
            bool _e622 = local_1;
            if (_e622) {
                y = 0.0;
                d = 0u;
                uint2 loop_bound_3 = uint2(4294967295u);
                bool loop_init_2 = true;
                while(true) {
                    if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                    loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                    if (!loop_init_2) {
                        uint _e643 = d;
                        d = _e643 + 1u;
                    }
                    loop_init_2 = false;
                    uint _e627 = d;
                    if (_e627 < DEPTH) {
                    } else {
                        break;
                    }
                    {
                        float _e630 = y;
                        uint _e632 = d;
                        uint _e637 = i;
                        float _e640 = sums.inner[((_e632 * TOKENS) * ROWS) + _e637];
                        y = _e630 + _e640;
                    }
                }
                if (part.w > 0u) {
                    float _e648 = y;
                    float _e655 = vectors[(part.w - 1u) + n];
                    y = _e648 + _e655;
                }
                float _e664 = y;
                act[(part.z + (t * part.y)) + n] = _e664;
            }
        }
    }
    return;
}
