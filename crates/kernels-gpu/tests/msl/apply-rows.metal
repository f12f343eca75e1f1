// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size3;
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
    metal::uint4 lo;
    metal::uint4 hi;
    uint d;
    char _pad3[12];
};
struct type_9 {
    metal::float4 inner[4];
};
struct Params {
    metal::uint4 planes;
    uint x;
    uint x_row;
    uint x_item;
    uint cols;
    uint out;
    uint out_row;
    uint out_item;
    uint rows;
};
typedef float type_10[1];
struct type_11 {
    metal::float4 inner[128];
};
constant uint WG = 64u;
constant uint SUBGROUPS = 8u;
constant uint NT = 16u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant bool HAS_MIN = false;
constant bool ONE_SCALE = true;

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
    metal::uint4 _e8 = codes_1[p.codes + (i_4 * 2u)];
    metal::uint4 _e17 = codes_1[(p.codes + (i_4 * 2u)) + 1u];
    uint _e24 = words[p.scales + (i_4 >> 1u)];
    return Stored {_e8, _e17, _e24};
}

Block block_of(
    Stored v,
    uint i_5
) {
    float _e5 = half_of(v.d, i_5);
    return Block {v.lo, v.hi, metal::float2(_e5), metal::float2(0.0)};
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

type_9 weight16_(
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
        float sum = w.s.x * static_cast<float>(as_type<int>(as_type<uint>(_e9) + as_type<uint>(_e11)));
        return HAS_MIN ? (sum + (w.m.x * (low + high))) : sum;
    }
    int _e25 = idot(w.lo, xl);
    int _e31 = idot(w.hi, xh);
    float sum_1 = (w.s.x * static_cast<float>(_e25)) + (w.s.y * static_cast<float>(_e31));
    return HAS_MIN ? ((sum_1 + (w.m.x * low)) + (w.m.y * high)) : sum_1;
}

float value(
    uint at,
    uint i_8,
    device type_10 const& act,
    constant Params& p_3,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e5 = p_3.cols;
    float _e11 = act[at + metal::min(i_8, _e5 - 1u)];
    uint _e14 = p_3.cols;
    return (i_8 < _e14) ? _e11 : 0.0;
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
, device type_1 const& step [[user(fake0)]]
, device type_5 const& codes_1 [[user(fake0)]]
, device type_1 const& words [[user(fake0)]]
, device type_10& act [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, threadgroup type_11& block
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    float sum0_ = 0.0;
    float sum1_ = 0.0;
    float sum2_ = 0.0;
    float sum3_ = 0.0;
    float sum4_ = 0.0;
    float sum5_ = 0.0;
    float sum6_ = 0.0;
    float sum7_ = 0.0;
    float sum8_ = 0.0;
    float sum9_ = 0.0;
    float sum10_ = 0.0;
    float sum11_ = 0.0;
    float sum12_ = 0.0;
    float sum13_ = 0.0;
    float sum14_ = 0.0;
    float sum15_ = 0.0;
    uint b = 0u;
    uint i = {};
    bool local = {};
    bool local_1 = {};
    bool local_2 = {};
    bool local_3 = {};
    bool local_4 = {};
    bool local_5 = {};
    bool local_6 = {};
    bool local_7 = {};
    bool local_8 = {};
    bool local_9 = {};
    bool local_10 = {};
    bool local_11 = {};
    bool local_12 = {};
    bool local_13 = {};
    bool local_14 = {};
    bool local_15 = {};
    uint _e5 = p_3.planes.x;
    uint _e9 = p_3.planes.y;
    uint _e13 = p_3.planes.z;
    uint _e17 = p_3.planes.w;
    Planes planes = Planes {_e5, _e9, _e13, _e17};
    uint tokens = step[0];
    uint t0_ = group.z * NT;
    uint row = (group.x * WG) + me;
    uint _e31 = p_3.cols;
    uint blocks_1 = naga_div(_e31 + 31u, 32u);
    uint _e39 = p_3.rows;
    uint _e43 = p_3.rows;
    uint stored_1 = ((group.y * _e39) + metal::min(row, _e43 - 1u)) * blocks_1;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e951 = b;
            b = _e951 + 1u;
        }
        loop_init = false;
        uint _e83 = b;
        if (_e83 < blocks_1) {
        } else {
            break;
        }
        {
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            i = me;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e133 = i;
                    i = _e133 + WG;
                }
                loop_init_1 = false;
                uint _e86 = i;
                if (_e86 < 128u) {
                } else {
                    break;
                }
                {
                    uint _e91 = p_3.x;
                    uint _e92 = i;
                    uint _e101 = p_3.x_row;
                    uint _e107 = p_3.x_item;
                    uint x = (_e91 + (metal::min(t0_ + naga_div(_e92, 8u), tokens - 1u) * _e101)) + (group.y * _e107);
                    uint _e110 = b;
                    uint _e113 = i;
                    uint at_1 = (_e110 * 32u) + (naga_mod(_e113, 8u) * 4u);
                    uint _e120 = i;
                    float _e122 = value(x, at_1, act, p_3, _buffer_sizes);
                    float _e125 = value(x, at_1 + 1u, act, p_3, _buffer_sizes);
                    float _e128 = value(x, at_1 + 2u, act, p_3, _buffer_sizes);
                    float _e131 = value(x, at_1 + 3u, act, p_3, _buffer_sizes);
                    block.inner[_e120] = metal::float4(_e122, _e125, _e128, _e131);
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e136 = b;
            type_9 _e142 = weight16_(planes, ((stored_1 + _e136) * 2u) + 0u, codes_1, words, _buffer_sizes);
            uint _e143 = b;
            type_9 _e149 = weight16_(planes, ((stored_1 + _e143) * 2u) + 1u, codes_1, words, _buffer_sizes);
            float _e150 = sum0_;
            metal::float4 _e154 = block.inner[0];
            metal::float4 _e159 = block.inner[1];
            metal::float4 _e165 = block.inner[2];
            metal::float4 _e171 = block.inner[3];
            sum0_ = _e150 + (((metal::dot(_e142.inner[0], _e154) + metal::dot(_e142.inner[1], _e159)) + metal::dot(_e142.inner[2], _e165)) + metal::dot(_e142.inner[3], _e171));
            float _e175 = sum0_;
            metal::float4 _e179 = block.inner[4];
            metal::float4 _e184 = block.inner[5];
            metal::float4 _e190 = block.inner[6];
            metal::float4 _e196 = block.inner[7];
            sum0_ = _e175 + (((metal::dot(_e149.inner[0], _e179) + metal::dot(_e149.inner[1], _e184)) + metal::dot(_e149.inner[2], _e190)) + metal::dot(_e149.inner[3], _e196));
            float _e200 = sum1_;
            metal::float4 _e204 = block.inner[8];
            metal::float4 _e209 = block.inner[9];
            metal::float4 _e215 = block.inner[10];
            metal::float4 _e221 = block.inner[11];
            sum1_ = _e200 + (((metal::dot(_e142.inner[0], _e204) + metal::dot(_e142.inner[1], _e209)) + metal::dot(_e142.inner[2], _e215)) + metal::dot(_e142.inner[3], _e221));
            float _e225 = sum1_;
            metal::float4 _e229 = block.inner[12];
            metal::float4 _e234 = block.inner[13];
            metal::float4 _e240 = block.inner[14];
            metal::float4 _e246 = block.inner[15];
            sum1_ = _e225 + (((metal::dot(_e149.inner[0], _e229) + metal::dot(_e149.inner[1], _e234)) + metal::dot(_e149.inner[2], _e240)) + metal::dot(_e149.inner[3], _e246));
            float _e250 = sum2_;
            metal::float4 _e254 = block.inner[16];
            metal::float4 _e259 = block.inner[17];
            metal::float4 _e265 = block.inner[18];
            metal::float4 _e271 = block.inner[19];
            sum2_ = _e250 + (((metal::dot(_e142.inner[0], _e254) + metal::dot(_e142.inner[1], _e259)) + metal::dot(_e142.inner[2], _e265)) + metal::dot(_e142.inner[3], _e271));
            float _e275 = sum2_;
            metal::float4 _e279 = block.inner[20];
            metal::float4 _e284 = block.inner[21];
            metal::float4 _e290 = block.inner[22];
            metal::float4 _e296 = block.inner[23];
            sum2_ = _e275 + (((metal::dot(_e149.inner[0], _e279) + metal::dot(_e149.inner[1], _e284)) + metal::dot(_e149.inner[2], _e290)) + metal::dot(_e149.inner[3], _e296));
            float _e300 = sum3_;
            metal::float4 _e304 = block.inner[24];
            metal::float4 _e309 = block.inner[25];
            metal::float4 _e315 = block.inner[26];
            metal::float4 _e321 = block.inner[27];
            sum3_ = _e300 + (((metal::dot(_e142.inner[0], _e304) + metal::dot(_e142.inner[1], _e309)) + metal::dot(_e142.inner[2], _e315)) + metal::dot(_e142.inner[3], _e321));
            float _e325 = sum3_;
            metal::float4 _e329 = block.inner[28];
            metal::float4 _e334 = block.inner[29];
            metal::float4 _e340 = block.inner[30];
            metal::float4 _e346 = block.inner[31];
            sum3_ = _e325 + (((metal::dot(_e149.inner[0], _e329) + metal::dot(_e149.inner[1], _e334)) + metal::dot(_e149.inner[2], _e340)) + metal::dot(_e149.inner[3], _e346));
            float _e350 = sum4_;
            metal::float4 _e354 = block.inner[32];
            metal::float4 _e359 = block.inner[33];
            metal::float4 _e365 = block.inner[34];
            metal::float4 _e371 = block.inner[35];
            sum4_ = _e350 + (((metal::dot(_e142.inner[0], _e354) + metal::dot(_e142.inner[1], _e359)) + metal::dot(_e142.inner[2], _e365)) + metal::dot(_e142.inner[3], _e371));
            float _e375 = sum4_;
            metal::float4 _e379 = block.inner[36];
            metal::float4 _e384 = block.inner[37];
            metal::float4 _e390 = block.inner[38];
            metal::float4 _e396 = block.inner[39];
            sum4_ = _e375 + (((metal::dot(_e149.inner[0], _e379) + metal::dot(_e149.inner[1], _e384)) + metal::dot(_e149.inner[2], _e390)) + metal::dot(_e149.inner[3], _e396));
            float _e400 = sum5_;
            metal::float4 _e404 = block.inner[40];
            metal::float4 _e409 = block.inner[41];
            metal::float4 _e415 = block.inner[42];
            metal::float4 _e421 = block.inner[43];
            sum5_ = _e400 + (((metal::dot(_e142.inner[0], _e404) + metal::dot(_e142.inner[1], _e409)) + metal::dot(_e142.inner[2], _e415)) + metal::dot(_e142.inner[3], _e421));
            float _e425 = sum5_;
            metal::float4 _e429 = block.inner[44];
            metal::float4 _e434 = block.inner[45];
            metal::float4 _e440 = block.inner[46];
            metal::float4 _e446 = block.inner[47];
            sum5_ = _e425 + (((metal::dot(_e149.inner[0], _e429) + metal::dot(_e149.inner[1], _e434)) + metal::dot(_e149.inner[2], _e440)) + metal::dot(_e149.inner[3], _e446));
            float _e450 = sum6_;
            metal::float4 _e454 = block.inner[48];
            metal::float4 _e459 = block.inner[49];
            metal::float4 _e465 = block.inner[50];
            metal::float4 _e471 = block.inner[51];
            sum6_ = _e450 + (((metal::dot(_e142.inner[0], _e454) + metal::dot(_e142.inner[1], _e459)) + metal::dot(_e142.inner[2], _e465)) + metal::dot(_e142.inner[3], _e471));
            float _e475 = sum6_;
            metal::float4 _e479 = block.inner[52];
            metal::float4 _e484 = block.inner[53];
            metal::float4 _e490 = block.inner[54];
            metal::float4 _e496 = block.inner[55];
            sum6_ = _e475 + (((metal::dot(_e149.inner[0], _e479) + metal::dot(_e149.inner[1], _e484)) + metal::dot(_e149.inner[2], _e490)) + metal::dot(_e149.inner[3], _e496));
            float _e500 = sum7_;
            metal::float4 _e504 = block.inner[56];
            metal::float4 _e509 = block.inner[57];
            metal::float4 _e515 = block.inner[58];
            metal::float4 _e521 = block.inner[59];
            sum7_ = _e500 + (((metal::dot(_e142.inner[0], _e504) + metal::dot(_e142.inner[1], _e509)) + metal::dot(_e142.inner[2], _e515)) + metal::dot(_e142.inner[3], _e521));
            float _e525 = sum7_;
            metal::float4 _e529 = block.inner[60];
            metal::float4 _e534 = block.inner[61];
            metal::float4 _e540 = block.inner[62];
            metal::float4 _e546 = block.inner[63];
            sum7_ = _e525 + (((metal::dot(_e149.inner[0], _e529) + metal::dot(_e149.inner[1], _e534)) + metal::dot(_e149.inner[2], _e540)) + metal::dot(_e149.inner[3], _e546));
            float _e550 = sum8_;
            metal::float4 _e554 = block.inner[64];
            metal::float4 _e559 = block.inner[65];
            metal::float4 _e565 = block.inner[66];
            metal::float4 _e571 = block.inner[67];
            sum8_ = _e550 + (((metal::dot(_e142.inner[0], _e554) + metal::dot(_e142.inner[1], _e559)) + metal::dot(_e142.inner[2], _e565)) + metal::dot(_e142.inner[3], _e571));
            float _e575 = sum8_;
            metal::float4 _e579 = block.inner[68];
            metal::float4 _e584 = block.inner[69];
            metal::float4 _e590 = block.inner[70];
            metal::float4 _e596 = block.inner[71];
            sum8_ = _e575 + (((metal::dot(_e149.inner[0], _e579) + metal::dot(_e149.inner[1], _e584)) + metal::dot(_e149.inner[2], _e590)) + metal::dot(_e149.inner[3], _e596));
            float _e600 = sum9_;
            metal::float4 _e604 = block.inner[72];
            metal::float4 _e609 = block.inner[73];
            metal::float4 _e615 = block.inner[74];
            metal::float4 _e621 = block.inner[75];
            sum9_ = _e600 + (((metal::dot(_e142.inner[0], _e604) + metal::dot(_e142.inner[1], _e609)) + metal::dot(_e142.inner[2], _e615)) + metal::dot(_e142.inner[3], _e621));
            float _e625 = sum9_;
            metal::float4 _e629 = block.inner[76];
            metal::float4 _e634 = block.inner[77];
            metal::float4 _e640 = block.inner[78];
            metal::float4 _e646 = block.inner[79];
            sum9_ = _e625 + (((metal::dot(_e149.inner[0], _e629) + metal::dot(_e149.inner[1], _e634)) + metal::dot(_e149.inner[2], _e640)) + metal::dot(_e149.inner[3], _e646));
            float _e650 = sum10_;
            metal::float4 _e654 = block.inner[80];
            metal::float4 _e659 = block.inner[81];
            metal::float4 _e665 = block.inner[82];
            metal::float4 _e671 = block.inner[83];
            sum10_ = _e650 + (((metal::dot(_e142.inner[0], _e654) + metal::dot(_e142.inner[1], _e659)) + metal::dot(_e142.inner[2], _e665)) + metal::dot(_e142.inner[3], _e671));
            float _e675 = sum10_;
            metal::float4 _e679 = block.inner[84];
            metal::float4 _e684 = block.inner[85];
            metal::float4 _e690 = block.inner[86];
            metal::float4 _e696 = block.inner[87];
            sum10_ = _e675 + (((metal::dot(_e149.inner[0], _e679) + metal::dot(_e149.inner[1], _e684)) + metal::dot(_e149.inner[2], _e690)) + metal::dot(_e149.inner[3], _e696));
            float _e700 = sum11_;
            metal::float4 _e704 = block.inner[88];
            metal::float4 _e709 = block.inner[89];
            metal::float4 _e715 = block.inner[90];
            metal::float4 _e721 = block.inner[91];
            sum11_ = _e700 + (((metal::dot(_e142.inner[0], _e704) + metal::dot(_e142.inner[1], _e709)) + metal::dot(_e142.inner[2], _e715)) + metal::dot(_e142.inner[3], _e721));
            float _e725 = sum11_;
            metal::float4 _e729 = block.inner[92];
            metal::float4 _e734 = block.inner[93];
            metal::float4 _e740 = block.inner[94];
            metal::float4 _e746 = block.inner[95];
            sum11_ = _e725 + (((metal::dot(_e149.inner[0], _e729) + metal::dot(_e149.inner[1], _e734)) + metal::dot(_e149.inner[2], _e740)) + metal::dot(_e149.inner[3], _e746));
            float _e750 = sum12_;
            metal::float4 _e754 = block.inner[96];
            metal::float4 _e759 = block.inner[97];
            metal::float4 _e765 = block.inner[98];
            metal::float4 _e771 = block.inner[99];
            sum12_ = _e750 + (((metal::dot(_e142.inner[0], _e754) + metal::dot(_e142.inner[1], _e759)) + metal::dot(_e142.inner[2], _e765)) + metal::dot(_e142.inner[3], _e771));
            float _e775 = sum12_;
            metal::float4 _e779 = block.inner[100];
            metal::float4 _e784 = block.inner[101];
            metal::float4 _e790 = block.inner[102];
            metal::float4 _e796 = block.inner[103];
            sum12_ = _e775 + (((metal::dot(_e149.inner[0], _e779) + metal::dot(_e149.inner[1], _e784)) + metal::dot(_e149.inner[2], _e790)) + metal::dot(_e149.inner[3], _e796));
            float _e800 = sum13_;
            metal::float4 _e804 = block.inner[104];
            metal::float4 _e809 = block.inner[105];
            metal::float4 _e815 = block.inner[106];
            metal::float4 _e821 = block.inner[107];
            sum13_ = _e800 + (((metal::dot(_e142.inner[0], _e804) + metal::dot(_e142.inner[1], _e809)) + metal::dot(_e142.inner[2], _e815)) + metal::dot(_e142.inner[3], _e821));
            float _e825 = sum13_;
            metal::float4 _e829 = block.inner[108];
            metal::float4 _e834 = block.inner[109];
            metal::float4 _e840 = block.inner[110];
            metal::float4 _e846 = block.inner[111];
            sum13_ = _e825 + (((metal::dot(_e149.inner[0], _e829) + metal::dot(_e149.inner[1], _e834)) + metal::dot(_e149.inner[2], _e840)) + metal::dot(_e149.inner[3], _e846));
            float _e850 = sum14_;
            metal::float4 _e854 = block.inner[112];
            metal::float4 _e859 = block.inner[113];
            metal::float4 _e865 = block.inner[114];
            metal::float4 _e871 = block.inner[115];
            sum14_ = _e850 + (((metal::dot(_e142.inner[0], _e854) + metal::dot(_e142.inner[1], _e859)) + metal::dot(_e142.inner[2], _e865)) + metal::dot(_e142.inner[3], _e871));
            float _e875 = sum14_;
            metal::float4 _e879 = block.inner[116];
            metal::float4 _e884 = block.inner[117];
            metal::float4 _e890 = block.inner[118];
            metal::float4 _e896 = block.inner[119];
            sum14_ = _e875 + (((metal::dot(_e149.inner[0], _e879) + metal::dot(_e149.inner[1], _e884)) + metal::dot(_e149.inner[2], _e890)) + metal::dot(_e149.inner[3], _e896));
            float _e900 = sum15_;
            metal::float4 _e904 = block.inner[120];
            metal::float4 _e909 = block.inner[121];
            metal::float4 _e915 = block.inner[122];
            metal::float4 _e921 = block.inner[123];
            sum15_ = _e900 + (((metal::dot(_e142.inner[0], _e904) + metal::dot(_e142.inner[1], _e909)) + metal::dot(_e142.inner[2], _e915)) + metal::dot(_e142.inner[3], _e921));
            float _e925 = sum15_;
            metal::float4 _e929 = block.inner[124];
            metal::float4 _e934 = block.inner[125];
            metal::float4 _e940 = block.inner[126];
            metal::float4 _e946 = block.inner[127];
            sum15_ = _e925 + (((metal::dot(_e149.inner[0], _e929) + metal::dot(_e149.inner[1], _e934)) + metal::dot(_e149.inner[2], _e940)) + metal::dot(_e149.inner[3], _e946));
        }
    }
    uint _e955 = p_3.rows;
    if (row < _e955) {
        local = (t0_ + 0u) < tokens;
    } else {
        local = false;
    }
    bool _e963 = local;
    if (_e963) {
        uint _e967 = p_3.out;
        uint _e972 = p_3.out_row;
        uint _e978 = p_3.out_item;
        float _e983 = sum0_;
        act[((_e967 + ((t0_ + 0u) * _e972)) + (group.y * _e978)) + row] = _e983;
    }
    uint _e986 = p_3.rows;
    if (row < _e986) {
        local_1 = (t0_ + 1u) < tokens;
    } else {
        local_1 = false;
    }
    bool _e994 = local_1;
    if (_e994) {
        uint _e998 = p_3.out;
        uint _e1003 = p_3.out_row;
        uint _e1009 = p_3.out_item;
        float _e1014 = sum1_;
        act[((_e998 + ((t0_ + 1u) * _e1003)) + (group.y * _e1009)) + row] = _e1014;
    }
    uint _e1017 = p_3.rows;
    if (row < _e1017) {
        local_2 = (t0_ + 2u) < tokens;
    } else {
        local_2 = false;
    }
    bool _e1025 = local_2;
    if (_e1025) {
        uint _e1029 = p_3.out;
        uint _e1034 = p_3.out_row;
        uint _e1040 = p_3.out_item;
        float _e1045 = sum2_;
        act[((_e1029 + ((t0_ + 2u) * _e1034)) + (group.y * _e1040)) + row] = _e1045;
    }
    uint _e1048 = p_3.rows;
    if (row < _e1048) {
        local_3 = (t0_ + 3u) < tokens;
    } else {
        local_3 = false;
    }
    bool _e1056 = local_3;
    if (_e1056) {
        uint _e1060 = p_3.out;
        uint _e1065 = p_3.out_row;
        uint _e1071 = p_3.out_item;
        float _e1076 = sum3_;
        act[((_e1060 + ((t0_ + 3u) * _e1065)) + (group.y * _e1071)) + row] = _e1076;
    }
    uint _e1079 = p_3.rows;
    if (row < _e1079) {
        local_4 = (t0_ + 4u) < tokens;
    } else {
        local_4 = false;
    }
    bool _e1087 = local_4;
    if (_e1087) {
        uint _e1091 = p_3.out;
        uint _e1096 = p_3.out_row;
        uint _e1102 = p_3.out_item;
        float _e1107 = sum4_;
        act[((_e1091 + ((t0_ + 4u) * _e1096)) + (group.y * _e1102)) + row] = _e1107;
    }
    uint _e1110 = p_3.rows;
    if (row < _e1110) {
        local_5 = (t0_ + 5u) < tokens;
    } else {
        local_5 = false;
    }
    bool _e1118 = local_5;
    if (_e1118) {
        uint _e1122 = p_3.out;
        uint _e1127 = p_3.out_row;
        uint _e1133 = p_3.out_item;
        float _e1138 = sum5_;
        act[((_e1122 + ((t0_ + 5u) * _e1127)) + (group.y * _e1133)) + row] = _e1138;
    }
    uint _e1141 = p_3.rows;
    if (row < _e1141) {
        local_6 = (t0_ + 6u) < tokens;
    } else {
        local_6 = false;
    }
    bool _e1149 = local_6;
    if (_e1149) {
        uint _e1153 = p_3.out;
        uint _e1158 = p_3.out_row;
        uint _e1164 = p_3.out_item;
        float _e1169 = sum6_;
        act[((_e1153 + ((t0_ + 6u) * _e1158)) + (group.y * _e1164)) + row] = _e1169;
    }
    uint _e1172 = p_3.rows;
    if (row < _e1172) {
        local_7 = (t0_ + 7u) < tokens;
    } else {
        local_7 = false;
    }
    bool _e1180 = local_7;
    if (_e1180) {
        uint _e1184 = p_3.out;
        uint _e1189 = p_3.out_row;
        uint _e1195 = p_3.out_item;
        float _e1200 = sum7_;
        act[((_e1184 + ((t0_ + 7u) * _e1189)) + (group.y * _e1195)) + row] = _e1200;
    }
    uint _e1203 = p_3.rows;
    if (row < _e1203) {
        local_8 = (t0_ + 8u) < tokens;
    } else {
        local_8 = false;
    }
    bool _e1211 = local_8;
    if (_e1211) {
        uint _e1215 = p_3.out;
        uint _e1220 = p_3.out_row;
        uint _e1226 = p_3.out_item;
        float _e1231 = sum8_;
        act[((_e1215 + ((t0_ + 8u) * _e1220)) + (group.y * _e1226)) + row] = _e1231;
    }
    uint _e1234 = p_3.rows;
    if (row < _e1234) {
        local_9 = (t0_ + 9u) < tokens;
    } else {
        local_9 = false;
    }
    bool _e1242 = local_9;
    if (_e1242) {
        uint _e1246 = p_3.out;
        uint _e1251 = p_3.out_row;
        uint _e1257 = p_3.out_item;
        float _e1262 = sum9_;
        act[((_e1246 + ((t0_ + 9u) * _e1251)) + (group.y * _e1257)) + row] = _e1262;
    }
    uint _e1265 = p_3.rows;
    if (row < _e1265) {
        local_10 = (t0_ + 10u) < tokens;
    } else {
        local_10 = false;
    }
    bool _e1273 = local_10;
    if (_e1273) {
        uint _e1277 = p_3.out;
        uint _e1282 = p_3.out_row;
        uint _e1288 = p_3.out_item;
        float _e1293 = sum10_;
        act[((_e1277 + ((t0_ + 10u) * _e1282)) + (group.y * _e1288)) + row] = _e1293;
    }
    uint _e1296 = p_3.rows;
    if (row < _e1296) {
        local_11 = (t0_ + 11u) < tokens;
    } else {
        local_11 = false;
    }
    bool _e1304 = local_11;
    if (_e1304) {
        uint _e1308 = p_3.out;
        uint _e1313 = p_3.out_row;
        uint _e1319 = p_3.out_item;
        float _e1324 = sum11_;
        act[((_e1308 + ((t0_ + 11u) * _e1313)) + (group.y * _e1319)) + row] = _e1324;
    }
    uint _e1327 = p_3.rows;
    if (row < _e1327) {
        local_12 = (t0_ + 12u) < tokens;
    } else {
        local_12 = false;
    }
    bool _e1335 = local_12;
    if (_e1335) {
        uint _e1339 = p_3.out;
        uint _e1344 = p_3.out_row;
        uint _e1350 = p_3.out_item;
        float _e1355 = sum12_;
        act[((_e1339 + ((t0_ + 12u) * _e1344)) + (group.y * _e1350)) + row] = _e1355;
    }
    uint _e1358 = p_3.rows;
    if (row < _e1358) {
        local_13 = (t0_ + 13u) < tokens;
    } else {
        local_13 = false;
    }
    bool _e1366 = local_13;
    if (_e1366) {
        uint _e1370 = p_3.out;
        uint _e1375 = p_3.out_row;
        uint _e1381 = p_3.out_item;
        float _e1386 = sum13_;
        act[((_e1370 + ((t0_ + 13u) * _e1375)) + (group.y * _e1381)) + row] = _e1386;
    }
    uint _e1389 = p_3.rows;
    if (row < _e1389) {
        local_14 = (t0_ + 14u) < tokens;
    } else {
        local_14 = false;
    }
    bool _e1397 = local_14;
    if (_e1397) {
        uint _e1401 = p_3.out;
        uint _e1406 = p_3.out_row;
        uint _e1412 = p_3.out_item;
        float _e1417 = sum14_;
        act[((_e1401 + ((t0_ + 14u) * _e1406)) + (group.y * _e1412)) + row] = _e1417;
    }
    uint _e1420 = p_3.rows;
    if (row < _e1420) {
        local_15 = (t0_ + 15u) < tokens;
    } else {
        local_15 = false;
    }
    bool _e1428 = local_15;
    if (_e1428) {
        uint _e1432 = p_3.out;
        uint _e1437 = p_3.out_row;
        uint _e1443 = p_3.out_item;
        float _e1448 = sum15_;
        act[((_e1432 + ((t0_ + 15u) * _e1437)) + (group.y * _e1443)) + row] = _e1448;
        return;
    } else {
        return;
    }
}
