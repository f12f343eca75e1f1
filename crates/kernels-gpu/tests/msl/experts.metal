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
typedef metal::uint2 type_11[1];
struct Params {
    metal::uint4 first;
    metal::uint4 second;
    uint blocks;
    uint rows;
    uint chosen;
    uint weights;
    uint out;
    uint first_bias;
    uint second_bias;
    uint pad;
    uint part;
    uint part_len;
    uint pad2_;
    uint pad3_;
};
typedef float type_12[1];
struct type_13 {
    float inner[64];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint ROWS = 2u;
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
constant uint UNITS = 1u;

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
    uint i_2
) {
    metal::float2 pair = float2(as_type<half2>(word));
    return ((i_2 & 1u) == 1u) ? pair.y : pair.x;
}

uint short_of(
    uint word_1,
    uint i_3
) {
    return (word_1 >> ((i_3 & 1u) * 16u)) & 65535u;
}

uint byte_of(
    uint word_2,
    uint i_4
) {
    return (word_2 >> ((i_4 & 3u) * 8u)) & 255u;
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
    uint i_5,
    device type_6 const& codes_1,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 _e6 = codes_1[p.codes + i_5];
    metal::uint4 _e13 = codes_1[p.supers + (i_5 >> 3u)];
    return Stored {_e6, _e13};
}

Block block_of(
    Stored v,
    uint i_6
) {
    metal::float2 _e8 = k_scales(v.head, i_6 & 7u);
    metal::float2 d = float2(as_type<half2>(v.head.x)) * _e8;
    return Block {v.w & NIBBLES, (v.w >> metal::uint4(4u)) & NIBBLES, metal::float2(d.x), metal::float2(-(d.y))};
}

Block weight(
    Planes p_1,
    uint i_7,
    device type_6 const& codes_1,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e2 = stored(p_1, i_7, codes_1, _buffer_sizes);
    Block _e3 = block_of(_e2, i_7);
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
    uint i_8,
    device type_6 const& codes_1,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e4 = weight(p_2, i_8 >> 1u, codes_1, _buffer_sizes);
    bool last = (i_8 & 1u) == 1u;
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

float product(
    Planes planes,
    uint i_9,
    uint j,
    device type_6 const& codes_1,
    device type_11 const& x_scales,
    device type_6 const& x,
    constant _mslBufferSizes& _buffer_sizes
) {
    Block _e3 = weight(planes, i_9, codes_1, _buffer_sizes);
    metal::uint2 xs = x_scales[j];
    float low_2 = static_cast<float>(as_type<int>(xs.y << 16u) >> 16u);
    float high_2 = static_cast<float>(as_type<int>(xs.y) >> 16u);
    metal::uint4 _e25 = x[j * 2u];
    metal::uint4 _e32 = x[(j * 2u) + 1u];
    float _e33 = blocks(_e3, _e25, _e32, low_2, high_2);
    return as_type<float>(xs.x) * _e33;
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
uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_6 const& codes_1 [[user(fake0)]]
, device type_11 const& x_scales [[user(fake0)]]
, device type_6 const& x [[user(fake0)]]
, device type_12& act [[user(fake0)]]
, constant Params& p_3 [[user(fake0)]]
, device type_12 const& vectors [[user(fake0)]]
, threadgroup type_13& sums
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    float sum0_0_ = 0.0;
    float sum0_1_ = 0.0;
    float sum1_0_ = 0.0;
    float sum1_1_ = 0.0;
    uint n = 0u;
    uint b = {};
    bool local = {};
    float y = 0.0;
    uint i = 0u;
    float up = {};
    uint i_1 = 0u;
    uint n_1 = 0u;
    uint item = group.y;
    uint first_2 = group.x * ROWS;
    uint _e21 = p_3.rows;
    uint row0_ = metal::min(first_2 + 0u, _e21 - 1u);
    uint _e29 = p_3.rows;
    uint row1_ = metal::min(first_2 + 1u, _e29 - 1u);
    uint _e35 = p_3.blocks;
    uint units = _e35 * UNITS;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e131 = n;
            n = _e131 + 1u;
        }
        loop_init = false;
        uint _e40 = n;
        if (_e40 < 1u) {
        } else {
            break;
        }
        {
            uint _e45 = n;
            uint pair_1 = PAIRED ? item : ((item * USED) + _e45);
            uint x_row = (PAIRED ? naga_div(item, USED) : pair_1) * units;
            uint _e57 = p_3.chosen;
            float _e60 = act[_e57 + pair_1];
            uint _e64 = p_3.rows;
            uint expert = naga_f2u32(_e60) * _e64;
            uint _e69 = p_3.weights;
            float _e72 = act[_e69 + pair_1];
            float share = SHARED ? _e72 : 1.0;
            b = me;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e127 = b;
                    b = _e127 + WG;
                }
                loop_init_1 = false;
                uint _e77 = b;
                if (_e77 < units) {
                } else {
                    break;
                }
                {
                    float _e79 = sum0_0_;
                    Planes _e81 = planes_of(0u, p_3);
                    uint _e84 = b;
                    uint _e86 = b;
                    float _e88 = product(_e81, ((expert + row0_) * units) + _e84, x_row + _e86, codes_1, x_scales, x, _buffer_sizes);
                    sum0_0_ = _e79 + (share * _e88);
                    float _e91 = sum0_1_;
                    Planes _e93 = planes_of(0u, p_3);
                    uint _e96 = b;
                    uint _e98 = b;
                    float _e100 = product(_e93, ((expert + row1_) * units) + _e96, x_row + _e98, codes_1, x_scales, x, _buffer_sizes);
                    sum0_1_ = _e91 + (share * _e100);
                    float _e103 = sum1_0_;
                    Planes _e105 = planes_of(1u, p_3);
                    uint _e108 = b;
                    uint _e110 = b;
                    float _e112 = product(_e105, ((expert + row0_) * units) + _e108, x_row + _e110, codes_1, x_scales, x, _buffer_sizes);
                    sum1_0_ = _e103 + (share * _e112);
                    float _e115 = sum1_1_;
                    Planes _e117 = planes_of(1u, p_3);
                    uint _e120 = b;
                    uint _e122 = b;
                    float _e124 = product(_e117, ((expert + row1_) * units) + _e120, x_row + _e122, codes_1, x_scales, x, _buffer_sizes);
                    sum1_1_ = _e115 + (share * _e124);
                }
            }
        }
    }
    float _e133 = sum0_0_;
    float unnamed = metal::simd_sum(_e133);
    if (lane == 0u) {
        sums.inner[0u + subgroup] = unnamed;
    }
    float _e141 = sum0_1_;
    float unnamed_1 = metal::simd_sum(_e141);
    if (lane == 0u) {
        sums.inner[16u + subgroup] = unnamed_1;
    }
    float _e149 = sum1_0_;
    float unnamed_2 = metal::simd_sum(_e149);
    if (lane == 0u) {
        sums.inner[32u + subgroup] = unnamed_2;
    }
    float _e157 = sum1_1_;
    float unnamed_3 = metal::simd_sum(_e157);
    if (lane == 0u) {
        sums.inner[48u + subgroup] = unnamed_3;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint row = first_2 + me;
    if (me < ROWS) {
        uint _e172 = p_3.rows;
        local = row < _e172;
    } else {
        local = false;
    }
    bool _e175 = local;
    if (_e175) {
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e197 = i;
                i = _e197 + 1u;
            }
            loop_init_2 = false;
            uint _e180 = i;
            if (_e180 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e187 = y;
                uint _e191 = i;
                float _e194 = sums.inner[(me * SUBGROUPS) + _e191];
                y = _e187 + _e194;
            }
        }
        if (PAIRED) {
            uint _e203 = p_3.chosen;
            float _e206 = act[_e203 + item];
            uint expert_1 = naga_f2u32(_e206);
            uint _e210 = p_3.first_bias;
            if (_e210 > 0u) {
                float _e213 = y;
                uint _e217 = p_3.first_bias;
                uint _e222 = p_3.rows;
                float _e227 = vectors[((_e217 - 1u) + (expert_1 * _e222)) + row];
                y = _e213 + _e227;
            }
            float _e229 = y;
            up = _e229;
            if (true) {
                up = 0.0;
                uint2 loop_bound_3 = uint2(4294967295u);
                bool loop_init_3 = true;
                while(true) {
                    if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                    loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                    if (!loop_init_3) {
                        uint _e254 = i_1;
                        i_1 = _e254 + 1u;
                    }
                    loop_init_3 = false;
                    uint _e235 = i_1;
                    if (_e235 < naga_div((WG + size) - 1u, size)) {
                    } else {
                        break;
                    }
                    {
                        float _e242 = up;
                        uint _e248 = i_1;
                        float _e251 = sums.inner[((ROWS + me) * SUBGROUPS) + _e248];
                        up = _e242 + _e251;
                    }
                }
                uint _e258 = p_3.second_bias;
                if (_e258 > 0u) {
                    float _e261 = up;
                    uint _e265 = p_3.second_bias;
                    uint _e270 = p_3.rows;
                    float _e275 = vectors[((_e265 - 1u) + (expert_1 * _e270)) + row];
                    up = _e261 + _e275;
                }
            }
            float _e277 = y;
            float _e278 = y;
            float _e279 = up;
            float _e280 = activate(_e278, _e279);
            y = ACTIVATED ? _e280 : _e277;
        } else {
            uint _e285 = p_3.first_bias;
            if (_e285 > 0u) {
                uint2 loop_bound_4 = uint2(4294967295u);
                bool loop_init_4 = true;
                while(true) {
                    if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                    loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                    if (!loop_init_4) {
                        uint _e337 = n_1;
                        n_1 = _e337 + 1u;
                    }
                    loop_init_4 = false;
                    uint _e290 = n_1;
                    if (_e290 < USED) {
                    } else {
                        break;
                    }
                    {
                        uint _e296 = p_3.chosen;
                        uint _e300 = n_1;
                        float _e303 = act[(_e296 + (item * USED)) + _e300];
                        uint expert_2 = naga_f2u32(_e303);
                        uint _e308 = p_3.weights;
                        uint _e312 = n_1;
                        float _e315 = act[(_e308 + (item * USED)) + _e312];
                        float share_1 = SHARED ? _e315 : 1.0;
                        float _e319 = y;
                        uint _e323 = p_3.first_bias;
                        uint _e328 = p_3.rows;
                        float _e333 = vectors[((_e323 - 1u) + (expert_2 * _e328)) + row];
                        y = _e319 + (share_1 * _e333);
                    }
                }
            }
        }
        uint _e342 = p_3.out;
        uint _e345 = p_3.rows;
        float _e350 = y;
        act[(_e342 + (item * _e345)) + row] = _e350;
        return;
    } else {
        return;
    }
}
