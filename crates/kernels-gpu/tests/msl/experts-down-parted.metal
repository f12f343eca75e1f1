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
constant uint PARTED = 1u;
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

bool is_elsewhere(
    uint expert,
    constant Params& p_2
) {
    uint _e3 = p_2.part;
    uint _e7 = p_2.part_len;
    return (expert - _e3) >= _e7;
}
uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
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
    bool local = {};
    float sum0_0_ = 0.0;
    float sum0_1_ = 0.0;
    uint n = 0u;
    uint b = {};
    bool local_1 = {};
    float y = 0.0;
    uint i = 0u;
    float up = {};
    uint i_1 = 0u;
    uint n_1 = 0u;
    bool local_2 = {};
    uint item = group.y;
    uint first_1 = group.x * ROWS;
    if (PAIRED) {
        uint _e15 = p_2.chosen;
        float _e18 = act[_e15 + item];
        bool _e20 = is_elsewhere(naga_f2u32(_e18), p_2);
        local = _e20;
    } else {
        local = false;
    }
    bool _e22 = local;
    if (_e22) {
        return;
    }
    uint _e31 = p_2.rows;
    uint row0_ = metal::min(first_1 + 0u, _e31 - 1u);
    uint _e39 = p_2.rows;
    uint row1_ = metal::min(first_1 + 1u, _e39 - 1u);
    uint _e45 = p_2.blocks;
    uint units = _e45 * UNITS;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e130 = n;
            n = _e130 + 1u;
        }
        loop_init = false;
        uint _e50 = n;
        if (_e50 < 8u) {
        } else {
            break;
        }
        {
            uint _e55 = n;
            uint pair_1 = PAIRED ? item : ((item * USED) + _e55);
            uint x_row = (PAIRED ? naga_div(item, USED) : pair_1) * units;
            uint _e67 = p_2.chosen;
            float _e70 = act[_e67 + pair_1];
            bool _e72 = is_elsewhere(naga_f2u32(_e70), p_2);
            if (_e72) {
                continue;
            }
            uint _e76 = p_2.chosen;
            float _e79 = act[_e76 + pair_1];
            uint _e83 = p_2.part;
            uint _e87 = p_2.rows;
            uint expert_1 = (naga_f2u32(_e79) - _e83) * _e87;
            uint _e92 = p_2.weights;
            float _e95 = act[_e92 + pair_1];
            float share = SHARED ? _e95 : 1.0;
            b = me;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e126 = b;
                    b = _e126 + WG;
                }
                loop_init_1 = false;
                uint _e100 = b;
                if (_e100 < units) {
                } else {
                    break;
                }
                {
                    float _e102 = sum0_0_;
                    Planes _e104 = planes_of(0u, p_2);
                    uint _e107 = b;
                    uint _e109 = b;
                    float _e111 = product(_e104, ((expert_1 + row0_) * units) + _e107, x_row + _e109, codes, x, _buffer_sizes);
                    sum0_0_ = _e102 + (share * _e111);
                    float _e114 = sum0_1_;
                    Planes _e116 = planes_of(0u, p_2);
                    uint _e119 = b;
                    uint _e121 = b;
                    float _e123 = product(_e116, ((expert_1 + row1_) * units) + _e119, x_row + _e121, codes, x, _buffer_sizes);
                    sum0_1_ = _e114 + (share * _e123);
                }
            }
        }
    }
    float _e132 = sum0_0_;
    float unnamed = metal::simd_sum(_e132);
    if (lane == 0u) {
        sums.inner[0u + subgroup] = unnamed;
    }
    float _e140 = sum0_1_;
    float unnamed_1 = metal::simd_sum(_e140);
    if (lane == 0u) {
        sums.inner[16u + subgroup] = unnamed_1;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint row = first_1 + me;
    if (me < ROWS) {
        uint _e155 = p_2.rows;
        local_1 = row < _e155;
    } else {
        local_1 = false;
    }
    bool _e158 = local_1;
    if (_e158) {
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e180 = i;
                i = _e180 + 1u;
            }
            loop_init_2 = false;
            uint _e163 = i;
            if (_e163 < naga_div((WG + size) - 1u, size)) {
            } else {
                break;
            }
            {
                float _e170 = y;
                uint _e174 = i;
                float _e177 = sums.inner[(me * SUBGROUPS) + _e174];
                y = _e170 + _e177;
            }
        }
        if (PAIRED) {
            uint _e186 = p_2.chosen;
            float _e189 = act[_e186 + item];
            uint expert_2 = naga_f2u32(_e189);
            uint _e193 = p_2.first_bias;
            if (_e193 > 0u) {
                float _e196 = y;
                uint _e200 = p_2.first_bias;
                uint _e205 = p_2.rows;
                float _e210 = vectors[((_e200 - 1u) + (expert_2 * _e205)) + row];
                y = _e196 + _e210;
            }
            float _e212 = y;
            up = _e212;
            if (false) {
                up = 0.0;
                uint2 loop_bound_3 = uint2(4294967295u);
                bool loop_init_3 = true;
                while(true) {
                    if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                    loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                    if (!loop_init_3) {
                        uint _e237 = i_1;
                        i_1 = _e237 + 1u;
                    }
                    loop_init_3 = false;
                    uint _e218 = i_1;
                    if (_e218 < naga_div((WG + size) - 1u, size)) {
                    } else {
                        break;
                    }
                    {
                        float _e225 = up;
                        uint _e231 = i_1;
                        float _e234 = sums.inner[((ROWS + me) * SUBGROUPS) + _e231];
                        up = _e225 + _e234;
                    }
                }
                uint _e241 = p_2.second_bias;
                if (_e241 > 0u) {
                    float _e244 = up;
                    uint _e248 = p_2.second_bias;
                    uint _e253 = p_2.rows;
                    float _e258 = vectors[((_e248 - 1u) + (expert_2 * _e253)) + row];
                    up = _e244 + _e258;
                }
            }
            float _e260 = y;
            float _e261 = y;
            float _e262 = up;
            float _e263 = activate(_e261, _e262);
            y = ACTIVATED ? _e263 : _e260;
        } else {
            uint _e268 = p_2.first_bias;
            if (_e268 > 0u) {
                uint2 loop_bound_4 = uint2(4294967295u);
                bool loop_init_4 = true;
                while(true) {
                    if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                    loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                    if (!loop_init_4) {
                        uint _e321 = n_1;
                        n_1 = _e321 + 1u;
                    }
                    loop_init_4 = false;
                    uint _e273 = n_1;
                    if (_e273 < USED) {
                    } else {
                        break;
                    }
                    {
                        uint _e279 = p_2.chosen;
                        uint _e283 = n_1;
                        float _e286 = act[(_e279 + (item * USED)) + _e283];
                        uint expert_3 = naga_f2u32(_e286);
                        bool _e288 = is_elsewhere(expert_3, p_2);
                        if (_e288) {
                            continue;
                        }
                        uint _e292 = p_2.weights;
                        uint _e296 = n_1;
                        float _e299 = act[(_e292 + (item * USED)) + _e296];
                        float share_1 = SHARED ? _e299 : 1.0;
                        float _e303 = y;
                        uint _e307 = p_2.first_bias;
                        uint _e312 = p_2.rows;
                        float _e317 = vectors[((_e307 - 1u) + (expert_3 * _e312)) + row];
                        y = _e303 + (share_1 * _e317);
                    }
                }
            }
        }
        if (true) {
            uint _e328 = p_2.part;
            local_2 = _e328 > 0u;
        } else {
            local_2 = false;
        }
        bool _e332 = local_2;
        if (_e332) {
            float _e333 = y;
            uint _e337 = p_2.out;
            uint _e340 = p_2.rows;
            float _e345 = act[(_e337 + (item * _e340)) + row];
            y = _e333 + _e345;
        }
        uint _e350 = p_2.out;
        uint _e353 = p_2.rows;
        float _e358 = y;
        act[(_e350 + (item * _e353)) + row] = _e358;
        return;
    } else {
        return;
    }
}
