// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size3;
    uint size5;
    uint size6;
};

typedef uint type_1[1];
struct type_5 {
    float inner[512];
};
struct type_6 {
    float inner[256];
};
struct Place {
    uint keys;
    uint values;
    uint key_scales;
    uint value_scales;
};
struct Turn {
    uint q;
    uint k;
    uint v;
    uint heads;
    uint kv_heads;
    uint q_dim;
    uint key_dim;
    uint value_dim;
    uint q_norm;
    uint k_norm;
    uint k_normed;
    uint q_rotated;
    uint k_rotated;
    uint pairs;
    uint rope;
    uint halves;
    float q_eps;
    float k_eps;
    uint windowed;
    uint block_len;
    uint q_out;
    uint q_row;
    uint q_item;
    uint q_from;
    float growth;
    float growth_every;
    float growth_ahead;
    uint k_bias;
};
typedef float type_7[1];
struct Params {
    Place place;
    Turn turn;
};
constant uint WG = 64u;
constant uint SUBGROUPS = 8u;
constant uint CACHE = 1u;
constant uint HELD = 1u;
constant uint DIM = 512u;
constant uint ROUNDING = 1u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;

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

float power_of_two_from(
    float x
) {
    return as_type<float>((as_type<uint>(x) + 8388607u) & 4286578688u);
}

float inverse_of_power(
    float x_1
) {
    return as_type<float>(2130706432u - as_type<uint>(x_1));
}

float narrowed(
    float x_2,
    float steps,
    float least,
    float most
) {
    float power = as_type<float>(as_type<uint>(metal::max(metal::abs(x_2), least)) & 2139095040u);
    float _e10 = inverse_of_power(power);
    float code = metal::rint((x_2 * _e10) * steps);
    return metal::clamp(code * (power / steps), -(most), most);
}

float e4m3_(
    float x_3
) {
    float _e4 = narrowed(x_3, 8.0, 0.015625, 448.0);
    return _e4;
}

float e2m1_(
    float x_4
) {
    float _e4 = narrowed(x_4, 2.0, 1.0, 6.0);
    return _e4;
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

void round_held(
    uint dim,
    uint me_1,
    threadgroup type_5& held
) {
    uint b_1 = {};
    float most_1 = {};
    uint i_5 = {};
    uint i_6 = {};
    uint i_7 = {};
    uint i_8 = {};
    b_1 = me_1;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e105 = b_1;
            b_1 = _e105 + WG;
        }
        loop_init = false;
        uint _e4 = b_1;
        if (_e4 < naga_div(dim, 32u)) {
        } else {
            break;
        }
        {
            uint _e7 = b_1;
            uint first_2 = _e7 * 32u;
            most_1 = 0.0;
            i_5 = 0u;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e24 = i_5;
                    i_5 = _e24 + 1u;
                }
                loop_init_1 = false;
                uint _e13 = i_5;
                if (_e13 < 32u) {
                } else {
                    break;
                }
                {
                    float _e15 = most_1;
                    uint _e17 = i_5;
                    float _e20 = held.inner[first_2 + _e17];
                    most_1 = metal::max(_e15, metal::abs(_e20));
                }
            }
            if (true) {
                float _e27 = most_1;
                float _e32 = power_of_two_from(metal::max(_e27, 0.0001) / 448.0);
                i_6 = 0u;
                uint2 loop_bound_2 = uint2(4294967295u);
                bool loop_init_2 = true;
                while(true) {
                    if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                    loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                    if (!loop_init_2) {
                        uint _e51 = i_6;
                        i_6 = _e51 + 1u;
                    }
                    loop_init_2 = false;
                    uint _e35 = i_6;
                    if (_e35 < 32u) {
                    } else {
                        break;
                    }
                    {
                        uint _e38 = i_6;
                        uint _e42 = i_6;
                        float _e45 = held.inner[first_2 + _e42];
                        float _e46 = inverse_of_power(_e32);
                        float _e48 = e4m3_(_e45 * _e46);
                        held.inner[first_2 + _e38] = _e48 * _e32;
                    }
                }
            } else {
                if (false) {
                    float _e54 = most_1;
                    float _e59 = power_of_two_from(metal::max(_e54, 0.00000000000000000000000000000000000007052966) / 6.0);
                    i_7 = 0u;
                    uint2 loop_bound_3 = uint2(4294967295u);
                    bool loop_init_3 = true;
                    while(true) {
                        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                        if (!loop_init_3) {
                            uint _e78 = i_7;
                            i_7 = _e78 + 1u;
                        }
                        loop_init_3 = false;
                        uint _e62 = i_7;
                        if (_e62 < 32u) {
                        } else {
                            break;
                        }
                        {
                            uint _e65 = i_7;
                            uint _e69 = i_7;
                            float _e72 = held.inner[first_2 + _e69];
                            float _e73 = inverse_of_power(_e59);
                            float _e75 = e2m1_(_e72 * _e73);
                            held.inner[first_2 + _e65] = _e75 * _e59;
                        }
                    }
                } else {
                    float _e80 = most_1;
                    float _e85 = e4m3_(metal::max(_e80, 0.01171875) / 6.0);
                    i_8 = 0u;
                    uint2 loop_bound_4 = uint2(4294967295u);
                    bool loop_init_4 = true;
                    while(true) {
                        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                        if (!loop_init_4) {
                            uint _e103 = i_8;
                            i_8 = _e103 + 1u;
                        }
                        loop_init_4 = false;
                        uint _e88 = i_8;
                        if (_e88 < 32u) {
                        } else {
                            break;
                        }
                        {
                            uint _e91 = i_8;
                            uint _e95 = i_8;
                            float _e98 = held.inner[first_2 + _e95];
                            float _e100 = e2m1_(_e98 / _e85);
                            held.inner[first_2 + _e91] = _e100 * _e85;
                        }
                    }
                }
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}

float workgroup_sum(
    float value,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_6& sum_parts
) {
    float total = 0.0;
    uint i_9 = 0u;
    float unnamed = metal::simd_sum(value);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_1 == 0u) {
        sum_parts.inner[subgroup_1] = unnamed;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e27 = i_9;
            i_9 = _e27 + 1u;
        }
        loop_init_5 = false;
        uint _e13 = i_9;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total;
            uint _e22 = i_9;
            float _e24 = sum_parts.inner[_e22];
            total = _e20 + _e24;
        }
    }
    float _e29 = total;
    return _e29;
}

float workgroup_max(
    float value_1,
    uint lane_2,
    uint subgroup_2,
    uint size_2,
    threadgroup type_6& sum_parts
) {
    float largest = {};
    uint i_10 = 1u;
    float unnamed_1 = metal::simd_max(value_1);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_2 == 0u) {
        sum_parts.inner[subgroup_2] = unnamed_1;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    float _e11 = sum_parts.inner[0];
    largest = _e11;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e29 = i_10;
            i_10 = _e29 + 1u;
        }
        loop_init_6 = false;
        uint _e15 = i_10;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest;
            uint _e24 = i_10;
            float _e26 = sum_parts.inner[_e24];
            largest = metal::max(_e22, _e26);
        }
    }
    float _e31 = largest;
    return _e31;
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

uint slot_of(
    uint table,
    uint position,
    uint block_len,
    uint heads,
    uint head,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint block = step[table + naga_div(position, block_len)];
    return (((block * heads) + head) * block_len) + naga_mod(position, block_len);
}

uint table_of(
    uint row,
    uint windowed,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e7 = step[6u + windowed];
    uint _e10 = step[_e7 + row];
    return _e10;
}

void norm(
    uint base,
    uint weight,
    uint len,
    float eps,
    uint me_2,
    uint lane_3,
    uint subgroup_3,
    uint size_3,
    threadgroup type_5& held,
    threadgroup type_6& sum_parts,
    device type_7 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float squares = 0.0;
    uint i_11 = {};
    uint i_12 = {};
    i_11 = me_2;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e26 = i_11;
            i_11 = _e26 + WG;
        }
        loop_init_7 = false;
        uint _e11 = i_11;
        if (_e11 < len) {
        } else {
            break;
        }
        {
            float _e13 = squares;
            uint _e15 = i_11;
            float _e18 = held.inner[base + _e15];
            uint _e20 = i_11;
            float _e23 = held.inner[base + _e20];
            squares = _e13 + (_e18 * _e23);
        }
    }
    float _e29 = squares;
    float _e30 = workgroup_sum(_e29, lane_3, subgroup_3, size_3, sum_parts);
    float scale = 1.0 / metal::sqrt((_e30 / static_cast<float>(len)) + eps);
    i_12 = me_2;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e52 = i_12;
            i_12 = _e52 + WG;
        }
        loop_init_8 = false;
        uint _e38 = i_12;
        if (_e38 < len) {
        } else {
            break;
        }
        {
            uint _e41 = i_12;
            float _e44 = held.inner[base + _e41];
            uint _e46 = i_12;
            float _e49 = vectors[weight + _e46];
            held.inner[base + _e41] = _e44 * (scale * _e49);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}

void rotate(
    uint first,
    uint row_1,
    uint i_13,
    device type_1 const& step,
    threadgroup type_5& held,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e8 = p.turn.rope;
    uint _e11 = step[21u + _e8];
    uint _e15 = p.turn.pairs;
    uint table_1 = _e11 + ((row_1 * _e15) * 2u);
    uint _e25 = p.turn.halves;
    uint a_1 = first + ((_e25 == 1u) ? i_13 : (2u * i_13));
    uint _e37 = p.turn.pairs;
    uint _e42 = p.turn.halves;
    uint b_3 = first + ((_e42 == 1u) ? (i_13 + _e37) : ((2u * i_13) + 1u));
    uint _e52 = step[table_1 + (2u * i_13)];
    float cos = as_type<float>(_e52);
    uint _e61 = step[(table_1 + (2u * i_13)) + 1u];
    float sin = as_type<float>(_e61);
    float x_5 = held.inner[a_1];
    float y = held.inner[b_3];
    held.inner[a_1] = (x_5 * cos) - (y * sin);
    held.inner[b_3] = (x_5 * sin) + (y * cos);
    return;
}

float grown(
    uint row_2,
    device type_1 const& step,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    float _e4 = p.turn.growth;
    if (_e4 == 0.0) {
        return 1.0;
    }
    float _e11 = p.turn.growth;
    uint _e15 = step[5];
    uint _e18 = step[_e15 + row_2];
    float _e23 = p.turn.growth_ahead;
    float _e28 = p.turn.growth_every;
    return 1.0 + (_e11 * metal::log(1.0 + metal::floor((static_cast<float>(_e18) + _e23) / _e28)));
}

void put(
    uint at,
    uint word,
    device type_1& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    cache[at] = word;
    return;
}

int naga_f2i32(float value) {
    return static_cast<int>(metal::clamp(value, -2147483600.0, 2147483500.0));
}

void store(
    uint base_1,
    uint plane,
    uint scales,
    uint slot,
    uint dim_1,
    uint me_3,
    threadgroup type_5& held,
    device type_1& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_14 = {};
    uint i_15 = {};
    uint b_2 = {};
    float largest_1 = {};
    uint i_16 = {};
    uint w = {};
    metal::int4 q = {};
    uint j = {};
    if (false) {
        uint stride = naga_div(dim_1 + 7u, 8u) * 8u;
        i_14 = me_3;
        uint2 loop_bound_9 = uint2(4294967295u);
        bool loop_init_9 = true;
        while(true) {
            if (metal::all(loop_bound_9 == uint2(0u))) { break; }
            loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
            if (!loop_init_9) {
                uint _e33 = i_14;
                i_14 = _e33 + WG;
            }
            loop_init_9 = false;
            uint _e14 = i_14;
            if (_e14 < stride) {
            } else {
                break;
            }
            {
                uint _e18 = i_14;
                uint _e22 = i_14;
                float _e28 = held.inner[base_1 + metal::min(_e22, dim_1 - 1u)];
                uint _e30 = i_14;
                put((plane + (slot * stride)) + _e18, (_e30 < dim_1) ? as_type<uint>(_e28) : 0u, cache, _buffer_sizes);
            }
        }
        return;
    } else {
        if (true) {
            uint stride_1 = naga_div(dim_1 + 7u, 8u) * 4u;
            i_15 = me_3;
            uint2 loop_bound_10 = uint2(4294967295u);
            bool loop_init_10 = true;
            while(true) {
                if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                if (!loop_init_10) {
                    uint _e93 = i_15;
                    i_15 = _e93 + WG;
                }
                loop_init_10 = false;
                uint _e44 = i_15;
                if (_e44 < stride_1) {
                } else {
                    break;
                }
                {
                    uint _e48 = i_15;
                    float _e55 = held.inner[base_1 + metal::min(2u * _e48, dim_1 - 1u)];
                    uint _e57 = i_15;
                    float a_2 = ((2u * _e57) < dim_1) ? _e55 : 0.0;
                    uint _e64 = i_15;
                    float _e73 = held.inner[base_1 + metal::min((2u * _e64) + 1u, dim_1 - 1u)];
                    uint _e75 = i_15;
                    float b_4 = (((2u * _e75) + 1u) < dim_1) ? _e73 : 0.0;
                    uint _e84 = i_15;
                    put((plane + (slot * stride_1)) + _e84, as_type<uint>(half2(metal::clamp(metal::float2(a_2, b_4), metal::float2(-65504.0), metal::float2(65504.0)))), cache, _buffer_sizes);
                }
            }
            return;
        } else {
            uint blocks = naga_div(dim_1 + 31u, 32u);
            b_2 = me_3;
            uint2 loop_bound_11 = uint2(4294967295u);
            bool loop_init_11 = true;
            while(true) {
                if (metal::all(loop_bound_11 == uint2(0u))) { break; }
                loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
                if (!loop_init_11) {
                    uint _e192 = b_2;
                    b_2 = _e192 + WG;
                }
                loop_init_11 = false;
                uint _e101 = b_2;
                if (_e101 < blocks) {
                } else {
                    break;
                }
                {
                    largest_1 = 0.0;
                    uint _e105 = b_2;
                    i_16 = _e105 * 32u;
                    uint2 loop_bound_12 = uint2(4294967295u);
                    bool loop_init_12 = true;
                    while(true) {
                        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
                        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
                        if (!loop_init_12) {
                            uint _e126 = i_16;
                            i_16 = _e126 + 1u;
                        }
                        loop_init_12 = false;
                        uint _e109 = i_16;
                        uint _e110 = b_2;
                        if (_e109 < metal::min((_e110 * 32u) + 32u, dim_1)) {
                        } else {
                            break;
                        }
                        {
                            float _e117 = largest_1;
                            uint _e119 = i_16;
                            float _e122 = held.inner[base_1 + _e119];
                            largest_1 = metal::max(_e117, metal::abs(_e122));
                        }
                    }
                    float _e128 = largest_1;
                    float _e131 = largest_1;
                    float inverse = (_e131 > 0.0) ? (127.0 / _e128) : 0.0;
                    w = 0u;
                    uint2 loop_bound_13 = uint2(4294967295u);
                    bool loop_init_13 = true;
                    while(true) {
                        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
                        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
                        if (!loop_init_13) {
                            uint _e182 = w;
                            w = _e182 + 1u;
                        }
                        loop_init_13 = false;
                        uint _e138 = w;
                        if (_e138 < 8u) {
                        } else {
                            break;
                        }
                        {
                            q = metal::int4(0);
                            j = 0u;
                            uint2 loop_bound_14 = uint2(4294967295u);
                            bool loop_init_14 = true;
                            while(true) {
                                if (metal::all(loop_bound_14 == uint2(0u))) { break; }
                                loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
                                if (!loop_init_14) {
                                    uint _e169 = j;
                                    j = _e169 + 1u;
                                }
                                loop_init_14 = false;
                                uint _e146 = j;
                                if (_e146 < 4u) {
                                } else {
                                    break;
                                }
                                {
                                    uint _e149 = b_2;
                                    uint _e152 = w;
                                    uint _e156 = j;
                                    uint i_20 = ((_e149 * 32u) + (_e152 * 4u)) + _e156;
                                    if (i_20 < dim_1) {
                                        uint _e159 = j;
                                        float _e164 = held.inner[base_1 + i_20];
                                        q[_e159] = naga_f2i32(metal::rint(_e164 * inverse));
                                    }
                                }
                            }
                            uint _e172 = b_2;
                            uint _e177 = w;
                            metal::int4 _e179 = q;
                            put((plane + (((slot * blocks) + _e172) * 8u)) + _e177, as_type<uint>(packed_char4(_e179)), cache, _buffer_sizes);
                        }
                    }
                    uint _e186 = b_2;
                    float _e188 = largest_1;
                    put((scales + (slot * blocks)) + _e186, as_type<uint>(_e188 / 127.0), cache, _buffer_sizes);
                }
            }
            return;
        }
    }
}

void rotate_all(
    uint first_1,
    uint row_3,
    uint me_4,
    device type_1 const& step,
    threadgroup type_5& held,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_17 = {};
    i_17 = me_4;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e11 = i_17;
            i_17 = _e11 + WG;
        }
        loop_init_15 = false;
        uint _e4 = i_17;
        uint _e8 = p.turn.pairs;
        if (_e4 < _e8) {
        } else {
            break;
        }
        {
            uint _e10 = i_17;
            rotate(first_1, row_3, _e10, step, held, p, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}

void centre(
    uint len_1,
    uint me_5,
    uint lane_4,
    uint subgroup_4,
    uint size_4,
    threadgroup type_5& held,
    threadgroup type_6& sum_parts
) {
    float sum = 0.0;
    uint i_18 = {};
    uint i_19 = {};
    i_18 = me_5;
    uint2 loop_bound_16 = uint2(4294967295u);
    bool loop_init_16 = true;
    while(true) {
        if (metal::all(loop_bound_16 == uint2(0u))) { break; }
        loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
        if (!loop_init_16) {
            uint _e16 = i_18;
            i_18 = _e16 + WG;
        }
        loop_init_16 = false;
        uint _e8 = i_18;
        if (_e8 < len_1) {
        } else {
            break;
        }
        {
            float _e10 = sum;
            uint _e12 = i_18;
            float _e14 = held.inner[_e12];
            sum = _e10 + _e14;
        }
    }
    float _e19 = sum;
    float _e20 = workgroup_sum(_e19, lane_4, subgroup_4, size_4, sum_parts);
    float mean = _e20 / static_cast<float>(len_1);
    i_19 = me_5;
    uint2 loop_bound_17 = uint2(4294967295u);
    bool loop_init_17 = true;
    while(true) {
        if (metal::all(loop_bound_17 == uint2(0u))) { break; }
        loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
        if (!loop_init_17) {
            uint _e31 = i_19;
            i_19 = _e31 + WG;
        }
        loop_init_17 = false;
        uint _e24 = i_19;
        if (_e24 < len_1) {
        } else {
            break;
        }
        {
            uint _e27 = i_19;
            float _e29 = held.inner[_e27];
            held.inner[_e27] = _e29 - mean;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
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
, threadgroup type_5& held
, threadgroup type_6& sum_parts
, device type_7 const& vectors [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_1& cache [[user(fake0)]]
, device type_7& act [[user(fake0)]]
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    uint i_1 = {};
    uint i_2 = {};
    uint i_3 = {};
    uint i_4 = {};
    uint row_4 = group.y;
    uint item = group.x;
    uint _e10 = p.turn.heads;
    if (item < _e10) {
        uint _e15 = p.turn.q;
        uint _e19 = p.turn.heads;
        uint _e25 = p.turn.q_dim;
        uint at_1 = _e15 + (((row_4 * _e19) + item) * _e25);
        i = me;
        uint2 loop_bound_18 = uint2(4294967295u);
        bool loop_init_18 = true;
        while(true) {
            if (metal::all(loop_bound_18 == uint2(0u))) { break; }
            loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
            if (!loop_init_18) {
                uint _e43 = i;
                i = _e43 + WG;
            }
            loop_init_18 = false;
            uint _e29 = i;
            uint _e33 = p.turn.q_dim;
            if (_e29 < _e33) {
            } else {
                break;
            }
            {
                uint _e36 = i;
                uint _e39 = i;
                float _e42 = act[at_1 + _e39];
                held.inner[_e36] = _e42;
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        uint _e49 = p.turn.q_norm;
        if (_e49 > 0u) {
            uint _e56 = p.turn.q_norm;
            uint _e62 = p.turn.q_dim;
            float _e66 = p.turn.q_eps;
            norm(0u, _e56 - 1u, _e62, _e66, me, lane, subgroup, size, held, sum_parts, vectors, _buffer_sizes);
        }
        uint _e70 = p.turn.q_rotated;
        rotate_all(_e70, row_4, me, step, held, p, _buffer_sizes);
        uint _e74 = p.turn.q_dim;
        round_held(_e74, me, held);
        float _e75 = grown(row_4, step, p, _buffer_sizes);
        uint _e79 = p.turn.q_from;
        i_1 = _e79 + me;
        uint2 loop_bound_19 = uint2(4294967295u);
        bool loop_init_19 = true;
        while(true) {
            if (metal::all(loop_bound_19 == uint2(0u))) { break; }
            loop_bound_19 -= uint2(loop_bound_19.y == 0u, 1u);
            if (!loop_init_19) {
                uint _e118 = i_1;
                i_1 = _e118 + WG;
            }
            loop_init_19 = false;
            uint _e82 = i_1;
            uint _e86 = p.turn.q_dim;
            if (_e82 < _e86) {
            } else {
                break;
            }
            {
                uint _e92 = p.turn.q_out;
                uint _e96 = p.turn.q_row;
                uint _e102 = p.turn.q_item;
                uint _e105 = i_1;
                uint _e110 = p.turn.q_from;
                uint _e114 = i_1;
                float _e116 = held.inner[_e114];
                act[(((_e92 + (row_4 * _e96)) + (item * _e102)) + _e105) - _e110] = _e116 * _e75;
            }
        }
        return;
    } else {
        uint _e124 = p.turn.heads;
        uint _e128 = p.turn.kv_heads;
        if (item < (_e124 + _e128)) {
            uint _e134 = p.turn.heads;
            uint head_1 = item - _e134;
            uint _e139 = p.turn.k;
            uint _e143 = p.turn.kv_heads;
            uint _e149 = p.turn.key_dim;
            uint at_2 = _e139 + (((row_4 * _e143) + head_1) * _e149);
            i_2 = me;
            uint2 loop_bound_20 = uint2(4294967295u);
            bool loop_init_20 = true;
            while(true) {
                if (metal::all(loop_bound_20 == uint2(0u))) { break; }
                loop_bound_20 -= uint2(loop_bound_20.y == 0u, 1u);
                if (!loop_init_20) {
                    uint _e167 = i_2;
                    i_2 = _e167 + WG;
                }
                loop_init_20 = false;
                uint _e153 = i_2;
                uint _e157 = p.turn.key_dim;
                if (_e153 < _e157) {
                } else {
                    break;
                }
                {
                    uint _e160 = i_2;
                    uint _e163 = i_2;
                    float _e166 = act[at_2 + _e163];
                    held.inner[_e160] = _e166;
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e173 = p.turn.k_bias;
            if (_e173 > 0u) {
                uint _e179 = p.turn.key_dim;
                centre(_e179, me, lane, subgroup, size, held, sum_parts);
            }
            uint _e183 = p.turn.k_norm;
            if (_e183 > 0u) {
                uint _e190 = p.turn.k_norm;
                uint _e196 = p.turn.k_normed;
                float _e200 = p.turn.k_eps;
                norm(0u, _e190 - 1u, _e196, _e200, me, lane, subgroup, size, held, sum_parts, vectors, _buffer_sizes);
            }
            uint _e204 = p.turn.k_bias;
            if (_e204 > 0u) {
                i_3 = me;
                uint2 loop_bound_21 = uint2(4294967295u);
                bool loop_init_21 = true;
                while(true) {
                    if (metal::all(loop_bound_21 == uint2(0u))) { break; }
                    loop_bound_21 -= uint2(loop_bound_21.y == 0u, 1u);
                    if (!loop_init_21) {
                        uint _e230 = i_3;
                        i_3 = _e230 + WG;
                    }
                    loop_init_21 = false;
                    uint _e208 = i_3;
                    uint _e212 = p.turn.key_dim;
                    if (_e208 < _e212) {
                    } else {
                        break;
                    }
                    {
                        uint _e215 = i_3;
                        float _e217 = held.inner[_e215];
                        uint _e222 = p.turn.k_bias;
                        uint _e225 = i_3;
                        float _e228 = vectors[(_e222 - 1u) + _e225];
                        held.inner[_e215] = _e217 + _e228;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            }
            uint _e236 = p.turn.k_rotated;
            rotate_all(_e236, row_4, me, step, held, p, _buffer_sizes);
            uint _e240 = p.turn.key_dim;
            round_held(_e240, me, held);
            uint _e244 = p.turn.windowed;
            uint _e245 = table_of(row_4, _e244, step, _buffer_sizes);
            uint _e249 = step[5];
            uint _e252 = step[_e249 + row_4];
            uint _e256 = p.turn.block_len;
            uint _e260 = p.turn.kv_heads;
            uint _e261 = slot_of(_e245, _e252, _e256, _e260, head_1, step, _buffer_sizes);
            uint _e266 = p.place.keys;
            uint _e270 = p.place.key_scales;
            uint _e274 = p.turn.key_dim;
            store(0u, _e266, _e270, _e261, _e274, me, held, cache, _buffer_sizes);
            return;
        } else {
            uint _e278 = p.turn.heads;
            uint _e283 = p.turn.kv_heads;
            uint head_2 = (item - _e278) - _e283;
            uint _e288 = p.turn.v;
            uint _e292 = p.turn.kv_heads;
            uint _e298 = p.turn.value_dim;
            uint at_3 = _e288 + (((row_4 * _e292) + head_2) * _e298);
            i_4 = me;
            uint2 loop_bound_22 = uint2(4294967295u);
            bool loop_init_22 = true;
            while(true) {
                if (metal::all(loop_bound_22 == uint2(0u))) { break; }
                loop_bound_22 -= uint2(loop_bound_22.y == 0u, 1u);
                if (!loop_init_22) {
                    uint _e316 = i_4;
                    i_4 = _e316 + WG;
                }
                loop_init_22 = false;
                uint _e302 = i_4;
                uint _e306 = p.turn.value_dim;
                if (_e302 < _e306) {
                } else {
                    break;
                }
                {
                    uint _e309 = i_4;
                    uint _e312 = i_4;
                    float _e315 = act[at_3 + _e312];
                    held.inner[_e309] = _e315;
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e322 = p.turn.windowed;
            uint _e323 = table_of(row_4, _e322, step, _buffer_sizes);
            uint _e327 = step[5];
            uint _e330 = step[_e327 + row_4];
            uint _e334 = p.turn.block_len;
            uint _e338 = p.turn.kv_heads;
            uint _e339 = slot_of(_e323, _e330, _e334, _e338, head_2, step, _buffer_sizes);
            uint _e344 = p.place.values;
            uint _e348 = p.place.value_scales;
            uint _e352 = p.turn.value_dim;
            store(0u, _e344, _e348, _e339, _e352, me, held, cache, _buffer_sizes);
            return;
        }
    }
}
