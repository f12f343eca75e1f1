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
    uint size8;
};

typedef uint type_2[1];
struct Quantised {
    uint codes;
    char _pad1[4];
    metal::uint2 scale;
};
typedef metal::uint2 type_9[1];
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
struct Params {
    Place place;
    uint q;
    uint parts;
    uint heads;
    uint kv_heads;
    float scale;
    uint window;
    uint windowed;
    uint block_len;
    uint out;
    uint sinks;
    uint dim;
    uint stride;
    Turn turn;
};
typedef float type_10[1];
struct type_11 {
    float inner[256];
};
typedef metal::uint4 type_12[1];
struct type_13 {
    float inner[384];
};
struct Stored {
    metal::uint4 a;
    metal::uint4 b;
    float scale;
    char _pad3[12];
};
struct type_15 {
    metal::float4 inner[2];
};
struct type_16 {
    metal::float4 inner[32];
};
struct type_17 {
    float inner[128];
};
struct type_18 {
    uint inner[128];
};
struct type_19 {
    float inner[16];
};
struct type_20 {
    metal::float4 inner[256];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant bool KEEP = false;
constant uint FORMAT = 1u;
constant uint TURNED = 1u;
constant uint HELD = 3u;
constant uint DIM = 128u;
constant uint G = 1u;
constant uint JOINED = 1u;
constant uint JOINS = 1u;
constant uint WHOLE = 1u;
constant uint KU = 16u;
constant uint VU = 16u;
constant uint VALUE_UNITS = 16u;
constant uint KEY_DIM = 128u;
constant uint CACHE = 1u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint KG = 8u;
constant uint KU4_ = 16u;
constant uint KEYS = 128u;

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

metal::int4 naga_f2i32(metal::float4 value) {
    return static_cast<metal::int4>(metal::clamp(value, -2147483600.0, 2147483500.0));
}

Quantised quantised(
    metal::float4 values
) {
    float largest = {};
    int low = {};
    metal::float4 size_5 = metal::abs(values);
    largest = metal::max(metal::max(size_5.x, size_5.y), metal::max(size_5.z, size_5.w));
    float _e10 = largest;
    float _e11 = largest;
    float unnamed = metal::simd_shuffle_xor(_e11, 1u);
    largest = metal::max(_e10, unnamed);
    float _e15 = largest;
    float _e16 = largest;
    float unnamed_1 = metal::simd_shuffle_xor(_e16, 2u);
    largest = metal::max(_e15, unnamed_1);
    float _e20 = largest;
    float _e21 = largest;
    float unnamed_2 = metal::simd_shuffle_xor(_e21, 4u);
    largest = metal::max(_e20, unnamed_2);
    float _e25 = largest;
    float _e28 = largest;
    float inverse = (_e28 > 0.0) ? (127.0 / _e25) : 0.0;
    metal::int4 q_1 = naga_f2i32(metal::rint(values * inverse));
    low = as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(q_1.x) + as_type<uint>(q_1.y))) + as_type<uint>(q_1.z))) + as_type<uint>(q_1.w));
    int _e44 = low;
    int _e45 = low;
    int unnamed_3 = metal::simd_shuffle_xor(_e45, 1u);
    low = as_type<int>(as_type<uint>(_e44) + as_type<uint>(unnamed_3));
    int _e49 = low;
    int _e50 = low;
    int unnamed_4 = metal::simd_shuffle_xor(_e50, 2u);
    low = as_type<int>(as_type<uint>(_e49) + as_type<uint>(unnamed_4));
    int _e54 = low;
    int unnamed_5 = metal::simd_shuffle_xor(_e54, 4u);
    int _e57 = low;
    uint sums = (as_type<uint>(_e57) & 65535u) | (as_type<uint>(unnamed_5) << 16u);
    float _e66 = largest;
    return Quantised {as_type<uint>(packed_char4(q_1)), {}, metal::uint2(as_type<uint>(_e66 / 127.0), sums)};
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

void prepare(
    metal::float4 values_1,
    uint me_1,
    uint at,
    uint row,
    uint stride,
    device type_2& x_words,
    device type_9& x_scales,
    constant _mslBufferSizes& _buffer_sizes
) {
    if (true) {
        Quantised _e6 = quantised(values_1);
        if (at < stride) {
            x_words[naga_div((row * stride) + at, 4u)] = _e6.codes;
            if ((me_1 & 7u) == 0u) {
                x_scales[naga_div((row * stride) + at, 32u)] = _e6.scale;
                return;
            } else {
                return;
            }
        } else {
            return;
        }
    } else {
        if (false) {
            if (at < stride) {
                uint to = (row * stride) + at;
                x_words[to] = as_type<uint>(values_1.x);
                x_words[to + 1u] = as_type<uint>(values_1.y);
                x_words[to + 2u] = as_type<uint>(values_1.z);
                x_words[to + 3u] = as_type<uint>(values_1.w);
                return;
            } else {
                return;
            }
        } else {
            if (false) {
                if (at < stride) {
                    uint to_1 = naga_div((row * stride) + at, 2u);
                    metal::float4 held_1 = metal::clamp(values_1, metal::float4(-65504.0), metal::float4(65504.0));
                    x_words[to_1] = as_type<uint>(half2(held_1.xy));
                    x_words[to_1 + 1u] = as_type<uint>(half2(held_1.zw));
                    return;
                } else {
                    return;
                }
            } else {
                return;
            }
        }
    }
}

void give(
    metal::float4 found,
    uint me_2,
    uint row_1,
    uint head,
    device type_2& x_words,
    device type_9& x_scales,
    constant Params& p,
    device type_10& act,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::float4 y_1 = {};
    uint j_1 = 0u;
    y_1 = found;
    uint d = me_2 * 4u;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e44 = j_1;
            j_1 = _e44 + 1u;
        }
        loop_init = false;
        uint _e9 = j_1;
        if (_e9 < 4u) {
        } else {
            break;
        }
        {
            uint _e12 = j_1;
            uint _e16 = p.dim;
            if ((d + _e12) < _e16) {
                if (KEEP) {
                    uint _e22 = p.out;
                    uint _e25 = p.heads;
                    uint _e30 = p.dim;
                    uint _e34 = j_1;
                    uint _e37 = j_1;
                    float _e39 = y_1[_e37];
                    act[((_e22 + (((row_1 * _e25) + head) * _e30)) + d) + _e34] = _e39;
                }
            } else {
                uint _e40 = j_1;
                y_1[_e40] = 0.0;
            }
        }
    }
    if (true) {
        metal::float4 _e47 = y_1;
        uint _e50 = p.stride;
        uint _e53 = p.dim;
        uint _e58 = p.dim;
        uint _e63 = p.stride;
        prepare(_e47, me_2, (d < _e58) ? ((head * _e53) + d) : _e50, row_1, _e63, x_words, x_scales, _buffer_sizes);
        return;
    } else {
        return;
    }
}

float workgroup_sum(
    float value,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_11& sum_parts
) {
    float total_1 = 0.0;
    uint i_4 = 0u;
    float unnamed_6 = metal::simd_sum(value);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_1 == 0u) {
        sum_parts.inner[subgroup_1] = unnamed_6;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e27 = i_4;
            i_4 = _e27 + 1u;
        }
        loop_init_1 = false;
        uint _e13 = i_4;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total_1;
            uint _e22 = i_4;
            float _e24 = sum_parts.inner[_e22];
            total_1 = _e20 + _e24;
        }
    }
    float _e29 = total_1;
    return _e29;
}

float workgroup_max(
    float value_1,
    uint lane_2,
    uint subgroup_2,
    uint size_2,
    threadgroup type_11& sum_parts
) {
    float largest_1 = {};
    uint i_5 = 1u;
    float unnamed_7 = metal::simd_max(value_1);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_2 == 0u) {
        sum_parts.inner[subgroup_2] = unnamed_7;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    float _e11 = sum_parts.inner[0];
    largest_1 = _e11;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e29 = i_5;
            i_5 = _e29 + 1u;
        }
        loop_init_2 = false;
        uint _e15 = i_5;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest_1;
            uint _e24 = i_5;
            float _e26 = sum_parts.inner[_e24];
            largest_1 = metal::max(_e22, _e26);
        }
    }
    float _e31 = largest_1;
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
    uint head_1,
    device type_2 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint block = step[table + naga_div(position, block_len)];
    return (((block * heads) + head_1) * block_len) + naga_mod(position, block_len);
}

uint table_of(
    uint row_2,
    uint windowed,
    device type_2 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e7 = step[6u + windowed];
    uint _e10 = step[_e7 + row_2];
    return _e10;
}

void put(
    uint at_1,
    uint word,
    device type_12& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    cache[naga_div(at_1, 4u)][naga_mod(at_1, 4u)] = word;
    return;
}

void norm(
    uint base,
    uint weight,
    uint len,
    float eps,
    uint me_3,
    uint lane_3,
    uint subgroup_3,
    uint size_3,
    threadgroup type_11& sum_parts,
    threadgroup type_13& held,
    device type_10 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float squares = 0.0;
    uint i_6 = {};
    uint i_7 = {};
    i_6 = me_3;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e26 = i_6;
            i_6 = _e26 + WG;
        }
        loop_init_3 = false;
        uint _e11 = i_6;
        if (_e11 < len) {
        } else {
            break;
        }
        {
            float _e13 = squares;
            uint _e15 = i_6;
            float _e18 = held.inner[base + _e15];
            uint _e20 = i_6;
            float _e23 = held.inner[base + _e20];
            squares = _e13 + (_e18 * _e23);
        }
    }
    float _e29 = squares;
    float _e30 = workgroup_sum(_e29, lane_3, subgroup_3, size_3, sum_parts);
    float scale = 1.0 / metal::sqrt((_e30 / static_cast<float>(len)) + eps);
    i_7 = me_3;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e52 = i_7;
            i_7 = _e52 + WG;
        }
        loop_init_4 = false;
        uint _e38 = i_7;
        if (_e38 < len) {
        } else {
            break;
        }
        {
            uint _e41 = i_7;
            float _e44 = held.inner[base + _e41];
            uint _e46 = i_7;
            float _e49 = vectors[weight + _e46];
            held.inner[base + _e41] = _e44 * (scale * _e49);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}

void rotate(
    uint first,
    uint row_3,
    uint i_8,
    device type_2 const& step,
    constant Params& p,
    threadgroup type_13& held,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e8 = p.turn.rope;
    uint _e11 = step[21u + _e8];
    uint _e15 = p.turn.pairs;
    uint table_2 = _e11 + ((row_3 * _e15) * 2u);
    uint _e25 = p.turn.halves;
    uint a_1 = first + ((_e25 == 1u) ? i_8 : (2u * i_8));
    uint _e37 = p.turn.pairs;
    uint _e42 = p.turn.halves;
    uint b_2 = first + ((_e42 == 1u) ? (i_8 + _e37) : ((2u * i_8) + 1u));
    uint _e52 = step[table_2 + (2u * i_8)];
    float cos = as_type<float>(_e52);
    uint _e61 = step[(table_2 + (2u * i_8)) + 1u];
    float sin = as_type<float>(_e61);
    float x = held.inner[a_1];
    float y_2 = held.inner[b_2];
    held.inner[a_1] = (x * cos) - (y_2 * sin);
    held.inner[b_2] = (x * sin) + (y_2 * cos);
    return;
}

float grown(
    uint row_4,
    device type_2 const& step,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    float _e4 = p.turn.growth;
    if (_e4 == 0.0) {
        return 1.0;
    }
    float _e11 = p.turn.growth;
    uint _e15 = step[5];
    uint _e18 = step[_e15 + row_4];
    float _e23 = p.turn.growth_ahead;
    float _e28 = p.turn.growth_every;
    return 1.0 + (_e11 * metal::log(1.0 + metal::floor((static_cast<float>(_e18) + _e23) / _e28)));
}

int naga_f2i32(float value) {
    return static_cast<int>(metal::clamp(value, -2147483600.0, 2147483500.0));
}

void store(
    uint base_1,
    uint plane,
    uint scales,
    uint slot,
    uint dim,
    uint me_4,
    device type_12& cache,
    threadgroup type_13& held,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_9 = {};
    uint i_10 = {};
    uint b_1 = {};
    float largest_2 = {};
    uint i_11 = {};
    uint w = {};
    metal::int4 q = {};
    uint j_2 = {};
    if (false) {
        uint stride_1 = naga_div(dim + 7u, 8u) * 8u;
        i_9 = me_4;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e33 = i_9;
                i_9 = _e33 + WG;
            }
            loop_init_5 = false;
            uint _e14 = i_9;
            if (_e14 < stride_1) {
            } else {
                break;
            }
            {
                uint _e18 = i_9;
                uint _e22 = i_9;
                float _e28 = held.inner[base_1 + metal::min(_e22, dim - 1u)];
                uint _e30 = i_9;
                put((plane + (slot * stride_1)) + _e18, (_e30 < dim) ? as_type<uint>(_e28) : 0u, cache, _buffer_sizes);
            }
        }
        return;
    } else {
        if (true) {
            uint stride_2 = naga_div(dim + 7u, 8u) * 4u;
            i_10 = me_4;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e93 = i_10;
                    i_10 = _e93 + WG;
                }
                loop_init_6 = false;
                uint _e44 = i_10;
                if (_e44 < stride_2) {
                } else {
                    break;
                }
                {
                    uint _e48 = i_10;
                    float _e55 = held.inner[base_1 + metal::min(2u * _e48, dim - 1u)];
                    uint _e57 = i_10;
                    float a_2 = ((2u * _e57) < dim) ? _e55 : 0.0;
                    uint _e64 = i_10;
                    float _e73 = held.inner[base_1 + metal::min((2u * _e64) + 1u, dim - 1u)];
                    uint _e75 = i_10;
                    float b_3 = (((2u * _e75) + 1u) < dim) ? _e73 : 0.0;
                    uint _e84 = i_10;
                    put((plane + (slot * stride_2)) + _e84, as_type<uint>(half2(metal::clamp(metal::float2(a_2, b_3), metal::float2(-65504.0), metal::float2(65504.0)))), cache, _buffer_sizes);
                }
            }
            return;
        } else {
            uint blocks = naga_div(dim + 31u, 32u);
            b_1 = me_4;
            uint2 loop_bound_7 = uint2(4294967295u);
            bool loop_init_7 = true;
            while(true) {
                if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                if (!loop_init_7) {
                    uint _e192 = b_1;
                    b_1 = _e192 + WG;
                }
                loop_init_7 = false;
                uint _e101 = b_1;
                if (_e101 < blocks) {
                } else {
                    break;
                }
                {
                    largest_2 = 0.0;
                    uint _e105 = b_1;
                    i_11 = _e105 * 32u;
                    uint2 loop_bound_8 = uint2(4294967295u);
                    bool loop_init_8 = true;
                    while(true) {
                        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                        if (!loop_init_8) {
                            uint _e126 = i_11;
                            i_11 = _e126 + 1u;
                        }
                        loop_init_8 = false;
                        uint _e109 = i_11;
                        uint _e110 = b_1;
                        if (_e109 < metal::min((_e110 * 32u) + 32u, dim)) {
                        } else {
                            break;
                        }
                        {
                            float _e117 = largest_2;
                            uint _e119 = i_11;
                            float _e122 = held.inner[base_1 + _e119];
                            largest_2 = metal::max(_e117, metal::abs(_e122));
                        }
                    }
                    float _e128 = largest_2;
                    float _e131 = largest_2;
                    float inverse_1 = (_e131 > 0.0) ? (127.0 / _e128) : 0.0;
                    w = 0u;
                    uint2 loop_bound_9 = uint2(4294967295u);
                    bool loop_init_9 = true;
                    while(true) {
                        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                        if (!loop_init_9) {
                            uint _e182 = w;
                            w = _e182 + 1u;
                        }
                        loop_init_9 = false;
                        uint _e138 = w;
                        if (_e138 < 8u) {
                        } else {
                            break;
                        }
                        {
                            q = metal::int4(0);
                            j_2 = 0u;
                            uint2 loop_bound_10 = uint2(4294967295u);
                            bool loop_init_10 = true;
                            while(true) {
                                if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                                loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                                if (!loop_init_10) {
                                    uint _e169 = j_2;
                                    j_2 = _e169 + 1u;
                                }
                                loop_init_10 = false;
                                uint _e146 = j_2;
                                if (_e146 < 4u) {
                                } else {
                                    break;
                                }
                                {
                                    uint _e149 = b_1;
                                    uint _e152 = w;
                                    uint _e156 = j_2;
                                    uint i_14 = ((_e149 * 32u) + (_e152 * 4u)) + _e156;
                                    if (i_14 < dim) {
                                        uint _e159 = j_2;
                                        float _e164 = held.inner[base_1 + i_14];
                                        q[_e159] = naga_f2i32(metal::rint(_e164 * inverse_1));
                                    }
                                }
                            }
                            uint _e172 = b_1;
                            uint _e177 = w;
                            metal::int4 _e179 = q;
                            put((plane + (((slot * blocks) + _e172) * 8u)) + _e177, as_type<uint>(packed_char4(_e179)), cache, _buffer_sizes);
                        }
                    }
                    uint _e186 = b_1;
                    float _e188 = largest_2;
                    put((scales + (slot * blocks)) + _e186, as_type<uint>(_e188 / 127.0), cache, _buffer_sizes);
                }
            }
            return;
        }
    }
}

void turn_heads(
    uint row_5,
    uint head_2,
    uint heads_1,
    uint kv_head,
    uint table_1,
    bool newest,
    uint me_5,
    uint lane_4,
    uint subgroup_4,
    uint size_4,
    device type_2 const& step,
    constant Params& p,
    device type_10 const& act,
    threadgroup type_11& sum_parts,
    device type_12& cache,
    threadgroup type_13& held,
    device type_10 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_12 = {};
    uint i_13 = {};
    i_12 = me_5;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e84 = i_12;
            i_12 = _e84 + WG;
        }
        loop_init_11 = false;
        uint _e11 = i_12;
        if (_e11 < DIM) {
        } else {
            break;
        }
        {
            uint _e16 = i_12;
            uint _e23 = p.turn.q;
            uint _e32 = i_12;
            float _e37 = act[(_e23 + ((head_2 + metal::min(0u, heads_1 - 1u)) * KEY_DIM)) + metal::min(_e32, 127u)];
            held.inner[0u + _e16] = _e37;
            uint _e40 = i_12;
            uint _e47 = p.turn.k;
            uint _e51 = i_12;
            float _e56 = act[(_e47 + (kv_head * KEY_DIM)) + metal::min(_e51, 127u)];
            held.inner[128u + _e40] = _e56;
            uint _e59 = i_12;
            uint _e66 = p.turn.v;
            uint _e70 = p.turn.value_dim;
            uint _e73 = i_12;
            uint _e77 = p.turn.value_dim;
            float _e83 = act[(_e66 + (kv_head * _e70)) + metal::min(_e73, _e77 - 1u)];
            held.inner[256u + _e59] = _e83;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint _e90 = p.turn.q_norm;
    if (_e90 > 0u) {
        uint _e97 = p.turn.q_norm;
        float _e104 = p.turn.q_eps;
        norm(0u, _e97 - 1u, KEY_DIM, _e104, me_5, lane_4, subgroup_4, size_4, sum_parts, held, vectors, _buffer_sizes);
    }
    uint _e108 = p.turn.k_norm;
    if (_e108 > 0u) {
        uint _e115 = p.turn.k_norm;
        float _e122 = p.turn.k_eps;
        norm(128u, _e115 - 1u, KEY_DIM, _e122, me_5, lane_4, subgroup_4, size_4, sum_parts, held, vectors, _buffer_sizes);
    }
    i_13 = me_5;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e146 = i_13;
            i_13 = _e146 + WG;
        }
        loop_init_12 = false;
        uint _e124 = i_13;
        uint _e129 = p.turn.pairs;
        if (_e124 < (2u * _e129)) {
        } else {
            break;
        }
        {
            uint _e132 = i_13;
            uint _e136 = p.turn.pairs;
            uint _e140 = i_13;
            uint _e144 = p.turn.pairs;
            rotate(naga_div(_e132, _e136) * DIM, row_5, naga_mod(_e140, _e144), step, p, held, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (newest) {
        uint _e152 = step[5];
        uint _e155 = step[_e152 + row_5];
        uint _e158 = p.block_len;
        uint _e161 = p.kv_heads;
        uint _e162 = slot_of(table_1, _e155, _e158, _e161, kv_head, step, _buffer_sizes);
        uint _e167 = p.place.keys;
        uint _e171 = p.place.key_scales;
        store(128u, _e167, _e171, _e162, KEY_DIM, me_5, cache, held, _buffer_sizes);
        uint _e177 = p.place.values;
        uint _e181 = p.place.value_scales;
        uint _e185 = p.turn.value_dim;
        store(256u, _e177, _e181, _e162, _e185, me_5, cache, held, _buffer_sizes);
        metal::threadgroup_barrier(metal::mem_flags::mem_device);
        return;
    } else {
        return;
    }
}

uint seen_from(
    uint position_1,
    uint window
) {
    return (window > 0u) ? ((position_1 + 1u) - metal::min(position_1 + 1u, window)) : 0u;
}

uint seen_to(
    uint row_6,
    device type_2 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = step[16];
    uint _e7 = step[_e4 + row_6];
    return _e7;
}

Stored stored(
    uint plane_1,
    uint scales_1,
    uint slot_1,
    uint units,
    uint u_1,
    device type_12 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    if (false) {
        uint at_2 = naga_div(plane_1, 4u) + (((slot_1 * units) + u_1) * 2u);
        metal::uint4 _e15 = cache[at_2];
        metal::uint4 _e20 = cache[at_2 + 1u];
        return Stored {_e15, _e20, 1.0};
    } else {
        if (true) {
            metal::uint4 _e31 = cache[(naga_div(plane_1, 4u) + (slot_1 * units)) + u_1];
            return Stored {_e31, metal::uint4(0u), 1.0};
        }
    }
    uint blocks_1 = naga_div(units + 3u, 4u);
    metal::uint4 w_2 = cache[(naga_div(plane_1, 4u) + ((slot_1 * blocks_1) * 2u)) + naga_div(u_1, 2u)];
    metal::uint2 pair = ((u_1 & 1u) == 1u) ? w_2.zw : w_2.xy;
    uint i_15 = (scales_1 + (slot_1 * blocks_1)) + naga_div(u_1, 4u);
    uint _e76 = cache[naga_div(i_15, 4u)][naga_mod(i_15, 4u)];
    return Stored {metal::uint4(pair, 0u, 0u), metal::uint4(0u), as_type<float>(_e76)};
}

type_15 values_of(
    Stored w_1
) {
    if (false) {
        return type_15 {{as_type<metal::float4>(w_1.a), as_type<metal::float4>(w_1.b)}};
    } else {
        if (true) {
            return type_15 {{metal::float4(float2(as_type<half2>(w_1.a.x)), float2(as_type<half2>(w_1.a.y))), metal::float4(float2(as_type<half2>(w_1.a.z)), float2(as_type<half2>(w_1.a.w)))}};
        }
    }
    return type_15 {{static_cast<metal::float4>(int4(as_type<packed_char4>(w_1.a.x))) * w_1.scale, static_cast<metal::float4>(int4(as_type<packed_char4>(w_1.a.y))) * w_1.scale}};
}

type_15 eight(
    uint plane_2,
    uint scales_2,
    uint slot_2,
    uint units_1,
    uint u_2,
    device type_12 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e5 = stored(plane_2, scales_2, slot_2, units_1, u_2, cache, _buffer_sizes);
    type_15 _e6 = values_of(_e5);
    return _e6;
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_2 const& step [[user(fake0)]]
, device type_2& x_words [[user(fake0)]]
, device type_9& x_scales [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_10& act [[user(fake0)]]
, threadgroup type_11& sum_parts
, device type_12& cache [[user(fake0)]]
, threadgroup type_13& held
, device type_10 const& vectors [[user(fake0)]]
, threadgroup type_16& query
, threadgroup type_17& weights
, threadgroup type_18& slots
, threadgroup type_19& parts_of
, threadgroup type_20& gathered
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    uint i_1 = {};
    bool local = {};
    float largest0_ = -1000000000000000000000000000000.0;
    float total0_ = 0.0;
    metal::float4 sum_a0_ = metal::float4(0.0);
    metal::float4 sum_b0_ = metal::float4(0.0);
    uint tile = {};
    float dot0_0_ = {};
    float dot1_0_ = {};
    float dot2_0_ = {};
    float dot3_0_ = {};
    uint u = {};
    float score0_ = {};
    float next0_ = {};
    uint i_2 = {};
    uint j = {};
    float total = 0.0;
    uint i_3 = 0u;
    float shrink = 1.0;
    metal::float4 y = metal::float4(0.0);
    uint k = 0u;
    uint row_7 = group.z;
    uint split = group.y;
    uint _e9 = p.heads;
    uint _e12 = p.kv_heads;
    uint shared_by = naga_div(_e9, _e12);
    uint chunks = naga_div((shared_by + G) - 1u, G);
    uint kv_head_1 = naga_div(group.x, chunks);
    uint head_3 = (kv_head_1 * shared_by) + (naga_mod(group.x, chunks) * G);
    uint heads_2 = metal::min(G, shared_by - (naga_mod(group.x, chunks) * G));
    uint _e38 = step[5];
    uint position_2 = step[_e38 + row_7];
    uint _e44 = p.windowed;
    uint _e45 = table_of(row_7, _e44, step, _buffer_sizes);
    uint _e48 = p.window;
    uint _e49 = seen_from(position_2, _e48);
    uint _e52 = step[2];
    uint first_1 = _e49 + (split * _e52);
    uint _e55 = seen_to(row_7, step, _buffer_sizes);
    uint _e58 = step[2];
    uint end = metal::min(_e55, first_1 + _e58);
    i = WG + me;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e77 = i;
            i = _e77 + WG;
        }
        loop_init_13 = false;
        uint _e64 = i;
        if (_e64 < KEYS) {
        } else {
            break;
        }
        {
            uint _e68 = i;
            slots.inner[_e68] = 0u;
            uint _e73 = i;
            weights.inner[0u + _e73] = 0.0;
        }
    }
    turn_heads(row_7, head_3, heads_2, kv_head_1, _e45, end == (position_2 + 1u), me, lane, subgroup, size, step, p, act, sum_parts, cache, held, vectors, _buffer_sizes);
    float _e83 = grown(row_7, step, p, _buffer_sizes);
    float _e86 = p.scale;
    float longer = _e83 * _e86;
    i_1 = me;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e125 = i_1;
            i_1 = _e125 + WG;
        }
        loop_init_14 = false;
        uint _e89 = i_1;
        if (_e89 < 128u) {
        } else {
            break;
        }
        {
            uint _e92 = i_1;
            uint g_2 = naga_div(_e92, 128u);
            uint _e95 = i_1;
            uint d_1 = naga_mod(_e95, 128u);
            uint _e99 = i_1;
            uint _e103 = i_1;
            float _e114 = held.inner[(g_2 * DIM) + metal::min(d_1, 127u)];
            if (g_2 < heads_2) {
                local = d_1 < KEY_DIM;
            } else {
                local = false;
            }
            bool _e122 = local;
            query.inner[naga_div(_e99, 4u)][naga_mod(_e103, 4u)] = _e122 ? (_e114 * longer) : 0.0;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint unit = naga_mod(me, VU);
    uint key_group = naga_div(me, VU);
    uint mine = naga_div(me, 4u) + (naga_mod(me, 4u) * 32u);
    tile = first_1;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e568 = tile;
            tile = _e568 + WG;
        }
        loop_init_15 = false;
        uint _e150 = tile;
        if (_e150 < end) {
        } else {
            break;
        }
        {
            uint _e152 = tile;
            uint seen = metal::min(_e152 + me, end - 1u);
            uint _e161 = p.block_len;
            uint _e164 = p.kv_heads;
            uint _e165 = slot_of(_e45, seen, _e161, _e164, kv_head_1, step, _buffer_sizes);
            slots.inner[me] = _e165;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint slot0_ = slots.inner[naga_div(me, 4u) + 0u];
            dot0_0_ = 0.0;
            uint slot1_ = slots.inner[naga_div(me, 4u) + 32u];
            dot1_0_ = 0.0;
            uint slot2_ = slots.inner[naga_div(me, 4u) + 64u];
            dot2_0_ = 0.0;
            uint slot3_ = slots.inner[naga_div(me, 4u) + 96u];
            dot3_0_ = 0.0;
            u = naga_mod(me, 4u);
            uint2 loop_bound_16 = uint2(4294967295u);
            bool loop_init_16 = true;
            while(true) {
                if (metal::all(loop_bound_16 == uint2(0u))) { break; }
                loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
                if (!loop_init_16) {
                    uint _e306 = u;
                    u = _e306 + 4u;
                }
                loop_init_16 = false;
                uint _e205 = u;
                if (_e205 < KU4_) {
                } else {
                    break;
                }
                {
                    uint _e211 = p.place.keys;
                    uint _e215 = p.place.key_scales;
                    uint _e217 = u;
                    type_15 _e220 = eight(_e211, _e215, slot0_, KU, metal::min(_e217, 15u), cache, _buffer_sizes);
                    uint _e224 = p.place.keys;
                    uint _e228 = p.place.key_scales;
                    uint _e230 = u;
                    type_15 _e233 = eight(_e224, _e228, slot1_, KU, metal::min(_e230, 15u), cache, _buffer_sizes);
                    uint _e237 = p.place.keys;
                    uint _e241 = p.place.key_scales;
                    uint _e243 = u;
                    type_15 _e246 = eight(_e237, _e241, slot2_, KU, metal::min(_e243, 15u), cache, _buffer_sizes);
                    uint _e250 = p.place.keys;
                    uint _e254 = p.place.key_scales;
                    uint _e256 = u;
                    type_15 _e259 = eight(_e250, _e254, slot3_, KU, metal::min(_e256, 15u), cache, _buffer_sizes);
                    uint _e262 = u;
                    metal::float4 qa0_ = query.inner[(0u + _e262) * 2u];
                    uint _e270 = u;
                    metal::float4 qb0_ = query.inner[((0u + _e270) * 2u) + 1u];
                    float _e278 = dot0_0_;
                    dot0_0_ = _e278 + (metal::dot(_e220.inner[0], qa0_) + metal::dot(_e220.inner[1], qb0_));
                    float _e285 = dot1_0_;
                    dot1_0_ = _e285 + (metal::dot(_e233.inner[0], qa0_) + metal::dot(_e233.inner[1], qb0_));
                    float _e292 = dot2_0_;
                    dot2_0_ = _e292 + (metal::dot(_e246.inner[0], qa0_) + metal::dot(_e246.inner[1], qb0_));
                    float _e299 = dot3_0_;
                    dot3_0_ = _e299 + (metal::dot(_e259.inner[0], qa0_) + metal::dot(_e259.inner[1], qb0_));
                }
            }
            uint _e309 = tile;
            uint key = _e309 + mine;
            float _e311 = dot0_0_;
            float _e312 = dot0_0_;
            float unnamed_8 = metal::simd_shuffle_xor(_e312, 1u);
            dot0_0_ = _e311 + unnamed_8;
            float _e316 = dot0_0_;
            float _e317 = dot0_0_;
            float unnamed_9 = metal::simd_shuffle_xor(_e317, 2u);
            dot0_0_ = _e316 + unnamed_9;
            float _e321 = dot1_0_;
            float _e322 = dot1_0_;
            float unnamed_10 = metal::simd_shuffle_xor(_e322, 1u);
            dot1_0_ = _e321 + unnamed_10;
            float _e326 = dot1_0_;
            float _e327 = dot1_0_;
            float unnamed_11 = metal::simd_shuffle_xor(_e327, 2u);
            dot1_0_ = _e326 + unnamed_11;
            float _e331 = dot2_0_;
            float _e332 = dot2_0_;
            float unnamed_12 = metal::simd_shuffle_xor(_e332, 1u);
            dot2_0_ = _e331 + unnamed_12;
            float _e336 = dot2_0_;
            float _e337 = dot2_0_;
            float unnamed_13 = metal::simd_shuffle_xor(_e337, 2u);
            dot2_0_ = _e336 + unnamed_13;
            float _e341 = dot3_0_;
            float _e342 = dot3_0_;
            float unnamed_14 = metal::simd_shuffle_xor(_e342, 1u);
            dot3_0_ = _e341 + unnamed_14;
            float _e346 = dot3_0_;
            float _e347 = dot3_0_;
            float unnamed_15 = metal::simd_shuffle_xor(_e347, 2u);
            dot3_0_ = _e346 + unnamed_15;
            float _e351 = dot0_0_;
            float _e352 = dot1_0_;
            float _e358 = dot2_0_;
            float _e359 = dot3_0_;
            score0_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e359 : _e358) : ((naga_mod(me, 4u) == 1u) ? _e352 : _e351);
            float _e371 = score0_;
            score0_ = (key < end) ? _e371 : -1000000000000000000000000000000.0;
            float _e375 = score0_;
            float unnamed_16 = metal::simd_max(_e375);
            if (lane == 0u) {
                parts_of.inner[0u + subgroup] = unnamed_16;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            float _e383 = largest0_;
            next0_ = _e383;
            i_2 = 0u;
            uint2 loop_bound_17 = uint2(4294967295u);
            bool loop_init_17 = true;
            while(true) {
                if (metal::all(loop_bound_17 == uint2(0u))) { break; }
                loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
                if (!loop_init_17) {
                    uint _e403 = i_2;
                    i_2 = _e403 + 1u;
                }
                loop_init_17 = false;
                uint _e387 = i_2;
                if (_e387 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e394 = next0_;
                    uint _e397 = i_2;
                    float _e400 = parts_of.inner[0u + _e397];
                    next0_ = metal::max(_e394, _e400);
                }
            }
            float _e405 = largest0_;
            float _e406 = next0_;
            float shrink0_ = metal::exp(_e405 - _e406);
            float _e409 = next0_;
            largest0_ = _e409;
            float _e410 = score0_;
            float _e411 = next0_;
            float weight0_ = (key < end) ? metal::exp(_e410 - _e411) : 0.0;
            weights.inner[0u + mine] = weight0_;
            float _e421 = total0_;
            total0_ = (_e421 * shrink0_) + weight0_;
            metal::float4 _e424 = sum_a0_;
            sum_a0_ = _e424 * shrink0_;
            metal::float4 _e426 = sum_b0_;
            sum_b0_ = _e426 * shrink0_;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (key_group < KG) {
                j = key_group;
                uint2 loop_bound_18 = uint2(4294967295u);
                bool loop_init_18 = true;
                while(true) {
                    if (metal::all(loop_bound_18 == uint2(0u))) { break; }
                    loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
                    if (!loop_init_18) {
                        uint _e565 = j;
                        j = _e565 + 32u;
                    }
                    loop_init_18 = false;
                    uint _e431 = j;
                    uint _e433 = tile;
                    if (_e431 < metal::min(WG, end - _e433)) {
                    } else {
                        break;
                    }
                    {
                        uint _e440 = p.place.values;
                        uint _e444 = p.place.value_scales;
                        uint _e446 = j;
                        uint _e450 = slots.inner[_e446 + 0u];
                        type_15 _e452 = eight(_e440, _e444, _e450, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e456 = p.place.values;
                        uint _e460 = p.place.value_scales;
                        uint _e462 = j;
                        uint _e466 = slots.inner[_e462 + 8u];
                        type_15 _e468 = eight(_e456, _e460, _e466, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e472 = p.place.values;
                        uint _e476 = p.place.value_scales;
                        uint _e478 = j;
                        uint _e482 = slots.inner[_e478 + 16u];
                        type_15 _e484 = eight(_e472, _e476, _e482, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e488 = p.place.values;
                        uint _e492 = p.place.value_scales;
                        uint _e494 = j;
                        uint _e498 = slots.inner[_e494 + 24u];
                        type_15 _e500 = eight(_e488, _e492, _e498, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e503 = j;
                        float w0_0_ = weights.inner[(0u + _e503) + 0u];
                        metal::float4 _e509 = sum_a0_;
                        sum_a0_ = _e509 + (w0_0_ * _e452.inner[0]);
                        metal::float4 _e513 = sum_b0_;
                        sum_b0_ = _e513 + (w0_0_ * _e452.inner[1]);
                        uint _e519 = j;
                        float w1_0_ = weights.inner[(0u + _e519) + 8u];
                        metal::float4 _e525 = sum_a0_;
                        sum_a0_ = _e525 + (w1_0_ * _e468.inner[0]);
                        metal::float4 _e529 = sum_b0_;
                        sum_b0_ = _e529 + (w1_0_ * _e468.inner[1]);
                        uint _e535 = j;
                        float w2_0_ = weights.inner[(0u + _e535) + 16u];
                        metal::float4 _e541 = sum_a0_;
                        sum_a0_ = _e541 + (w2_0_ * _e484.inner[0]);
                        metal::float4 _e545 = sum_b0_;
                        sum_b0_ = _e545 + (w2_0_ * _e484.inner[1]);
                        uint _e551 = j;
                        float w3_0_ = weights.inner[(0u + _e551) + 24u];
                        metal::float4 _e557 = sum_a0_;
                        sum_a0_ = _e557 + (w3_0_ * _e500.inner[0]);
                        metal::float4 _e561 = sum_b0_;
                        sum_b0_ = _e561 + (w3_0_ * _e500.inner[1]);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    float _e571 = total0_;
    float unnamed_17 = metal::simd_sum(_e571);
    if (lane == 0u) {
        parts_of.inner[0u + subgroup] = unnamed_17;
    }
    metal::float4 _e583 = sum_a0_;
    gathered.inner[me * 2u] = _e583;
    metal::float4 _e590 = sum_b0_;
    gathered.inner[(me * 2u) + 1u] = _e590;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_19 = uint2(4294967295u);
    bool loop_init_19 = true;
    while(true) {
        if (metal::all(loop_bound_19 == uint2(0u))) { break; }
        loop_bound_19 -= uint2(loop_bound_19.y == 0u, 1u);
        if (!loop_init_19) {
            uint _e609 = i_3;
            i_3 = _e609 + 1u;
        }
        loop_init_19 = false;
        uint _e595 = i_3;
        if (_e595 < naga_div((WG + size) - 1u, size)) {
        } else {
            break;
        }
        {
            float _e602 = total;
            uint _e604 = i_3;
            float _e606 = parts_of.inner[_e604];
            total = _e602 + _e606;
        }
    }
    uint _e615 = p.sinks;
    if (_e615 > 0u) {
        uint _e621 = p.sinks;
        float sink = vectors[(_e621 - 1u) + head_3];
        float _e627 = largest0_;
        float most = metal::max(_e627, sink);
        float _e629 = largest0_;
        shrink = metal::exp(_e629 - most);
        float _e632 = total;
        float _e633 = shrink;
        total = (_e632 * _e633) + metal::exp(sink - most);
    }
    uint _e645 = p.dim;
    if ((me * 4u) < _e645) {
        uint2 loop_bound_20 = uint2(4294967295u);
        bool loop_init_20 = true;
        while(true) {
            if (metal::all(loop_bound_20 == uint2(0u))) { break; }
            loop_bound_20 -= uint2(loop_bound_20.y == 0u, 1u);
            if (!loop_init_20) {
                uint _e664 = k;
                k = _e664 + 1u;
            }
            loop_init_20 = false;
            uint _e649 = k;
            if (_e649 < KG) {
            } else {
                break;
            }
            {
                metal::float4 _e652 = y;
                uint _e654 = k;
                metal::float4 _e661 = gathered.inner[((_e654 * VU) * 2u) + me];
                y = _e652 + _e661;
            }
        }
    }
    metal::float4 _e666 = y;
    float _e667 = shrink;
    float _e668 = total;
    give(_e666 * (_e667 / _e668), me, row_7, head_3, x_words, x_scales, p, act, _buffer_sizes);
    return;
}
