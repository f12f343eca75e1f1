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
    uint size6;
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
struct type_9 {
    metal::float4 inner[2];
};
struct type_10 {
    metal::float4 inner[4];
};
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
typedef float type_11[1];
struct type_12 {
    float inner[32];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint ROWS = 2u;
constant uint MATRICES = 1u;
constant uint USED = 8u;
constant bool PAIRED = false;
constant bool ACTIVATED = false;
constant bool SHARED = true;
constant uint PARTED = 0u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant metal::uint4 NIBBLES = metal::uint4(252645135u);
constant uint UNITS = 4u;

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

type_9 weight8_(
    Planes p,
    uint i_5,
    device type_6 const& codes,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w = codes[p.codes + i_5];
    return type_9 {{metal::float4(float2(as_type<half2>(w.x)), float2(as_type<half2>(w.y))), metal::float4(float2(as_type<half2>(w.z)), float2(as_type<half2>(w.w)))}};
}

type_10 weight16_(
    Planes p_1,
    uint i_6,
    device type_6 const& codes,
    constant _mslBufferSizes& _buffer_sizes
) {
    type_9 _e4 = weight8_(p_1, i_6 * 2u, codes, _buffer_sizes);
    type_9 _e9 = weight8_(p_1, (i_6 * 2u) + 1u, codes, _buffer_sizes);
    return type_10 {{_e4.inner[0], _e4.inner[1], _e9.inner[0], _e9.inner[1]}};
}

float product(
    Planes planes,
    uint i_7,
    uint j,
    device type_6 const& codes,
    device type_6 const& x,
    constant _mslBufferSizes& _buffer_sizes
) {
    type_9 _e3 = weight8_(planes, i_7, codes, _buffer_sizes);
    metal::uint4 _e9 = x[j * 2u];
    metal::uint4 _e19 = x[(j * 2u) + 1u];
    return metal::dot(_e3.inner[0], as_type<metal::float4>(_e9)) + metal::dot(_e3.inner[1], as_type<metal::float4>(_e19));
}

Planes planes_of(
    uint m,
    constant Params& p_2
) {
    if (m == 0u) {
        uint _e6 = p_2.first.x;
        uint _e10 = p_2.first.y;
        uint _e14 = p_2.first.z;
        uint _e18 = p_2.first.w;
        return Planes {_e6, _e10, _e14, _e18};
    }
    uint _e23 = p_2.second.x;
    uint _e27 = p_2.second.y;
    uint _e31 = p_2.second.z;
    uint _e35 = p_2.second.w;
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
, device type_6 const& codes [[user(fake0)]]
, device type_6 const& x [[user(fake0)]]
, device type_11& act [[user(fake0)]]
, constant Params& p_2 [[user(fake0)]]
, device type_11 const& vectors [[user(fake0)]]
, threadgroup type_12& sums
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    float sum0_0_ = 0.0;
    float sum0_1_ = 0.0;
    uint n = 0u;
    uint b = {};
    bool local = {};
    float y = 0.0;
    uint i = 0u;
    float up = {};
    uint i_1 = 0u;
    uint n_1 = 0u;
    uint item = group.y;
    uint first_1 = group.x * ROWS;
    uint _e17 = p_2.rows;
    uint row0_ = metal::min(first_1 + 0u, _e17 - 1u);
    uint _e25 = p_2.rows;
    uint row1_ = metal::min(first_1 + 1u, _e25 - 1u);
    uint _e31 = p_2.blocks;
    uint units = _e31 * UNITS;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e103 = n;
            n = _e103 + 1u;
        }
        loop_init = false;
        uint _e36 = n;
        if (_e36 < 8u) {
        } else {
            break;
        }
        {
            uint _e41 = n;
            uint pair_1 = PAIRED ? item : ((item * USED) + _e41);
            uint x_row = (PAIRED ? naga_div(item, USED) : pair_1) * units;
            uint _e53 = p_2.chosen;
            float _e56 = act[_e53 + pair_1];
            uint _e60 = p_2.rows;
            uint expert = naga_f2u32(_e56) * _e60;
            uint _e65 = p_2.weights;
            float _e68 = act[_e65 + pair_1];
            float share = SHARED ? _e68 : 1.0;
            b = me;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e99 = b;
                    b = _e99 + WG;
                }
                loop_init_1 = false;
                uint _e73 = b;
                if (_e73 < units) {
                } else {
                    break;
                }
                {
                    float _e75 = sum0_0_;
                    Planes _e77 = planes_of(0u, p_2);
                    uint _e80 = b;
                    uint _e82 = b;
                    float _e84 = product(_e77, ((expert + row0_) * units) + _e80, x_row + _e82, codes, x, _buffer_sizes);
                    sum0_0_ = _e75 + (share * _e84);
                    float _e87 = sum0_1_;
                    Planes _e89 = planes_of(0u, p_2);
                    uint _e92 = b;
                    uint _e94 = b;
                    float _e96 = product(_e89, ((expert + row1_) * units) + _e92, x_row + _e94, codes, x, _buffer_sizes);
                    sum0_1_ = _e87 + (share * _e96);
                }
            }
        }
    }
    float _e105 = sum0_0_;
    float unnamed = metal::simd_sum(_e105);
    if (lane == 0u) {
        sums.inner[0u + subgroup] = unnamed;
    }
    float _e113 = sum0_1_;
    float unnamed_1 = metal::simd_sum(_e113);
    if (lane == 0u) {
        sums.inner[16u + subgroup] = unnamed_1;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint row = first_1 + me;
    if (me < ROWS) {
        uint _e128 = p_2.rows;
        local = row < _e128;
    } else {
        local = false;
    }
    bool _e131 = local;
    if (_e131) {
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e153 = i;
                i = _e153 + 1u;
            }
            loop_init_2 = false;
            uint _e136 = i;
            if (_e136 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e143 = y;
                uint _e147 = i;
                float _e150 = sums.inner[(me * SUBGROUPS) + _e147];
                y = _e143 + _e150;
            }
        }
        if (PAIRED) {
            uint _e159 = p_2.chosen;
            float _e162 = act[_e159 + item];
            uint expert_1 = naga_f2u32(_e162);
            uint _e166 = p_2.first_bias;
            if (_e166 > 0u) {
                float _e169 = y;
                uint _e173 = p_2.first_bias;
                uint _e178 = p_2.rows;
                float _e183 = vectors[((_e173 - 1u) + (expert_1 * _e178)) + row];
                y = _e169 + _e183;
            }
            float _e185 = y;
            up = _e185;
            if (false) {
                up = 0.0;
                uint2 loop_bound_3 = uint2(4294967295u);
                bool loop_init_3 = true;
                while(true) {
                    if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                    loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                    if (!loop_init_3) {
                        uint _e210 = i_1;
                        i_1 = _e210 + 1u;
                    }
                    loop_init_3 = false;
                    uint _e191 = i_1;
                    if (_e191 < naga_div((WG + size) - 1u, size)) {
                    } else {
                        break;
                    }
                    {
                        float _e198 = up;
                        uint _e204 = i_1;
                        float _e207 = sums.inner[((ROWS + me) * SUBGROUPS) + _e204];
                        up = _e198 + _e207;
                    }
                }
                uint _e214 = p_2.second_bias;
                if (_e214 > 0u) {
                    float _e217 = up;
                    uint _e221 = p_2.second_bias;
                    uint _e226 = p_2.rows;
                    float _e231 = vectors[((_e221 - 1u) + (expert_1 * _e226)) + row];
                    up = _e217 + _e231;
                }
            }
            float _e233 = y;
            float _e234 = y;
            float _e235 = up;
            float _e236 = activate(_e234, _e235);
            y = ACTIVATED ? _e236 : _e233;
        } else {
            uint _e241 = p_2.first_bias;
            if (_e241 > 0u) {
                uint2 loop_bound_4 = uint2(4294967295u);
                bool loop_init_4 = true;
                while(true) {
                    if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                    loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                    if (!loop_init_4) {
                        uint _e293 = n_1;
                        n_1 = _e293 + 1u;
                    }
                    loop_init_4 = false;
                    uint _e246 = n_1;
                    if (_e246 < USED) {
                    } else {
                        break;
                    }
                    {
                        uint _e252 = p_2.chosen;
                        uint _e256 = n_1;
                        float _e259 = act[(_e252 + (item * USED)) + _e256];
                        uint expert_2 = naga_f2u32(_e259);
                        uint _e264 = p_2.weights;
                        uint _e268 = n_1;
                        float _e271 = act[(_e264 + (item * USED)) + _e268];
                        float share_1 = SHARED ? _e271 : 1.0;
                        float _e275 = y;
                        uint _e279 = p_2.first_bias;
                        uint _e284 = p_2.rows;
                        float _e289 = vectors[((_e279 - 1u) + (expert_2 * _e284)) + row];
                        y = _e275 + (share_1 * _e289);
                    }
                }
            }
        }
        uint _e298 = p_2.out;
        uint _e301 = p_2.rows;
        float _e306 = y;
        act[(_e298 + (item * _e301)) + row] = _e306;
        return;
    } else {
        return;
    }
}
