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
typedef metal::uint2 type_7[1];
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
    uint pad0_;
    uint pad1_;
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
        default: {
            return (gate / (1.0 + metal::exp(-(gate)))) * up;
        }
    }
}

metal::int4 naga_f2i32(metal::float4 value) {
    return static_cast<metal::int4>(metal::clamp(value, -2147483600.0, 2147483500.0));
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

void prepare(
    metal::float4 values,
    uint me_1,
    uint at,
    uint row,
    uint stride,
    device type_2& x_words,
    device type_7& x_scales,
    constant _mslBufferSizes& _buffer_sizes
) {
    float largest = {};
    int low = {};
    if (true) {
        metal::float4 size_4 = metal::abs(values);
        largest = metal::max(metal::max(size_4.x, size_4.y), metal::max(size_4.z, size_4.w));
        float _e15 = largest;
        float _e16 = largest;
        float unnamed = metal::simd_shuffle_xor(_e16, 1u);
        largest = metal::max(_e15, unnamed);
        float _e20 = largest;
        float _e21 = largest;
        float unnamed_1 = metal::simd_shuffle_xor(_e21, 2u);
        largest = metal::max(_e20, unnamed_1);
        float _e25 = largest;
        float _e26 = largest;
        float unnamed_2 = metal::simd_shuffle_xor(_e26, 4u);
        largest = metal::max(_e25, unnamed_2);
        float _e30 = largest;
        float scale = _e30 / 127.0;
        float _e33 = largest;
        float _e36 = largest;
        float inverse = (_e36 > 0.0) ? (127.0 / _e33) : 0.0;
        metal::int4 q_1 = naga_f2i32(metal::rint(values * inverse));
        low = as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(q_1.x) + as_type<uint>(q_1.y))) + as_type<uint>(q_1.z))) + as_type<uint>(q_1.w));
        int _e52 = low;
        int _e53 = low;
        int unnamed_3 = metal::simd_shuffle_xor(_e53, 1u);
        low = as_type<int>(as_type<uint>(_e52) + as_type<uint>(unnamed_3));
        int _e57 = low;
        int _e58 = low;
        int unnamed_4 = metal::simd_shuffle_xor(_e58, 2u);
        low = as_type<int>(as_type<uint>(_e57) + as_type<uint>(unnamed_4));
        int _e62 = low;
        int unnamed_5 = metal::simd_shuffle_xor(_e62, 4u);
        if (at < stride) {
            x_words[naga_div((row * stride) + at, 4u)] = as_type<uint>(packed_char4(q_1));
            if ((me_1 & 7u) == 0u) {
                int _e84 = low;
                x_scales[naga_div((row * stride) + at, 32u)] = metal::uint2(as_type<uint>(scale), (as_type<uint>(_e84) & 65535u) | (as_type<uint>(unnamed_5) << 16u));
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
                x_words[to] = as_type<uint>(values.x);
                x_words[to + 1u] = as_type<uint>(values.y);
                x_words[to + 2u] = as_type<uint>(values.z);
                x_words[to + 3u] = as_type<uint>(values.w);
                return;
            } else {
                return;
            }
        } else {
            if (false) {
                if (at < stride) {
                    uint to_1 = naga_div((row * stride) + at, 2u);
                    metal::float4 held_1 = metal::clamp(values, metal::float4(-65504.0), metal::float4(65504.0));
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
    device type_7& x_scales,
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
    uint i_6 = 0u;
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
            uint _e27 = i_6;
            i_6 = _e27 + 1u;
        }
        loop_init_1 = false;
        uint _e13 = i_6;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total_1;
            uint _e22 = i_6;
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
    uint i_7 = 1u;
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
            uint _e29 = i_7;
            i_7 = _e29 + 1u;
        }
        loop_init_2 = false;
        uint _e15 = i_7;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest_1;
            uint _e24 = i_7;
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
    uint i_8 = {};
    uint i_9 = {};
    i_8 = me_3;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e26 = i_8;
            i_8 = _e26 + WG;
        }
        loop_init_3 = false;
        uint _e11 = i_8;
        if (_e11 < len) {
        } else {
            break;
        }
        {
            float _e13 = squares;
            uint _e15 = i_8;
            float _e18 = held.inner[base + _e15];
            uint _e20 = i_8;
            float _e23 = held.inner[base + _e20];
            squares = _e13 + (_e18 * _e23);
        }
    }
    float _e29 = squares;
    float _e30 = workgroup_sum(_e29, lane_3, subgroup_3, size_3, sum_parts);
    float scale_1 = 1.0 / metal::sqrt((_e30 / static_cast<float>(len)) + eps);
    i_9 = me_3;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e52 = i_9;
            i_9 = _e52 + WG;
        }
        loop_init_4 = false;
        uint _e38 = i_9;
        if (_e38 < len) {
        } else {
            break;
        }
        {
            uint _e41 = i_9;
            float _e44 = held.inner[base + _e41];
            uint _e46 = i_9;
            float _e49 = vectors[weight + _e46];
            held.inner[base + _e41] = _e44 * (scale_1 * _e49);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}

void rotate(
    uint first,
    uint row_3,
    uint i_10,
    device type_2 const& step,
    constant Params& p,
    threadgroup type_13& held,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e8 = p.turn.rope;
    uint _e11 = step[16u + _e8];
    uint _e15 = p.turn.pairs;
    uint table_1 = _e11 + ((row_3 * _e15) * 2u);
    uint _e25 = p.turn.halves;
    uint a_1 = first + ((_e25 == 1u) ? i_10 : (2u * i_10));
    uint _e37 = p.turn.pairs;
    uint _e42 = p.turn.halves;
    uint b_2 = first + ((_e42 == 1u) ? (i_10 + _e37) : ((2u * i_10) + 1u));
    uint _e52 = step[table_1 + (2u * i_10)];
    float cos = as_type<float>(_e52);
    uint _e61 = step[(table_1 + (2u * i_10)) + 1u];
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
    float _e23 = p.turn.growth_every;
    return 1.0 + (_e11 * metal::log(1.0 + metal::floor(static_cast<float>(_e18) / _e23)));
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
    uint i_11 = {};
    uint i_12 = {};
    uint b_1 = {};
    float largest_2 = {};
    uint i_13 = {};
    uint w = {};
    metal::int4 q = {};
    uint j_2 = {};
    if (false) {
        uint stride_1 = naga_div(dim + 7u, 8u) * 8u;
        i_11 = me_4;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e33 = i_11;
                i_11 = _e33 + WG;
            }
            loop_init_5 = false;
            uint _e14 = i_11;
            if (_e14 < stride_1) {
            } else {
                break;
            }
            {
                uint _e18 = i_11;
                uint _e22 = i_11;
                float _e28 = held.inner[base_1 + metal::min(_e22, dim - 1u)];
                uint _e30 = i_11;
                put((plane + (slot * stride_1)) + _e18, (_e30 < dim) ? as_type<uint>(_e28) : 0u, cache, _buffer_sizes);
            }
        }
        return;
    } else {
        if (true) {
            uint stride_2 = naga_div(dim + 7u, 8u) * 4u;
            i_12 = me_4;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e93 = i_12;
                    i_12 = _e93 + WG;
                }
                loop_init_6 = false;
                uint _e44 = i_12;
                if (_e44 < stride_2) {
                } else {
                    break;
                }
                {
                    uint _e48 = i_12;
                    float _e55 = held.inner[base_1 + metal::min(2u * _e48, dim - 1u)];
                    uint _e57 = i_12;
                    float a_2 = ((2u * _e57) < dim) ? _e55 : 0.0;
                    uint _e64 = i_12;
                    float _e73 = held.inner[base_1 + metal::min((2u * _e64) + 1u, dim - 1u)];
                    uint _e75 = i_12;
                    float b_3 = (((2u * _e75) + 1u) < dim) ? _e73 : 0.0;
                    uint _e84 = i_12;
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
                    i_13 = _e105 * 32u;
                    uint2 loop_bound_8 = uint2(4294967295u);
                    bool loop_init_8 = true;
                    while(true) {
                        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                        if (!loop_init_8) {
                            uint _e126 = i_13;
                            i_13 = _e126 + 1u;
                        }
                        loop_init_8 = false;
                        uint _e109 = i_13;
                        uint _e110 = b_1;
                        if (_e109 < metal::min((_e110 * 32u) + 32u, dim)) {
                        } else {
                            break;
                        }
                        {
                            float _e117 = largest_2;
                            uint _e119 = i_13;
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

type_15 eight(
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
        metal::uint4 _e21 = cache[at_2 + 1u];
        return type_15 {{as_type<metal::float4>(_e15), as_type<metal::float4>(_e21)}};
    } else {
        if (true) {
            metal::uint4 w_1 = cache[(naga_div(plane_1, 4u) + (slot_1 * units)) + u_1];
            return type_15 {{metal::float4(float2(as_type<half2>(w_1.x)), float2(as_type<half2>(w_1.y))), metal::float4(float2(as_type<half2>(w_1.z)), float2(as_type<half2>(w_1.w)))}};
        }
    }
    uint blocks_1 = naga_div(units + 3u, 4u);
    metal::uint4 w_2 = cache[(naga_div(plane_1, 4u) + ((slot_1 * blocks_1) * 2u)) + naga_div(u_1, 2u)];
    metal::uint2 pair = ((u_1 & 1u) == 1u) ? w_2.zw : w_2.xy;
    uint i_15 = (scales_1 + (slot_1 * blocks_1)) + naga_div(u_1, 4u);
    uint _e79 = cache[naga_div(i_15, 4u)][naga_mod(i_15, 4u)];
    float scale_2 = as_type<float>(_e79);
    return type_15 {{static_cast<metal::float4>(int4(as_type<packed_char4>(pair.x))) * scale_2, static_cast<metal::float4>(int4(as_type<packed_char4>(pair.y))) * scale_2}};
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
, device type_7& x_scales [[user(fake0)]]
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
    uint i_2 = {};
    uint i_3 = {};
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
    uint i_4 = {};
    uint j = {};
    float total = 0.0;
    uint i_5 = 0u;
    float shrink = 1.0;
    metal::float4 y = metal::float4(0.0);
    uint k = 0u;
    uint row_5 = group.z;
    uint split = group.y;
    uint _e9 = p.heads;
    uint _e12 = p.kv_heads;
    uint shared_by = naga_div(_e9, _e12);
    uint chunks = naga_div((shared_by + G) - 1u, G);
    uint kv_head = naga_div(group.x, chunks);
    uint head_2 = (kv_head * shared_by) + (naga_mod(group.x, chunks) * G);
    uint heads_1 = metal::min(G, shared_by - (naga_mod(group.x, chunks) * G));
    uint _e38 = step[5];
    uint position_1 = step[_e38 + row_5];
    uint _e44 = p.windowed;
    uint _e45 = table_of(row_5, _e44, step, _buffer_sizes);
    uint _e53 = p.window;
    uint _e58 = p.window;
    uint seen = (_e58 > 0u) ? ((position_1 + 1u) - metal::min(position_1 + 1u, _e53)) : 0u;
    uint _e64 = step[2];
    uint first_1 = seen + (split * _e64);
    uint _e71 = step[2];
    uint end = metal::min(position_1 + 1u, first_1 + _e71);
    i = WG + me;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e90 = i;
            i = _e90 + WG;
        }
        loop_init_11 = false;
        uint _e77 = i;
        if (_e77 < KEYS) {
        } else {
            break;
        }
        {
            uint _e81 = i;
            slots.inner[_e81] = 0u;
            uint _e86 = i;
            weights.inner[0u + _e86] = 0.0;
        }
    }
    i_1 = me;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e167 = i_1;
            i_1 = _e167 + WG;
        }
        loop_init_12 = false;
        uint _e94 = i_1;
        if (_e94 < DIM) {
        } else {
            break;
        }
        {
            uint _e99 = i_1;
            uint _e106 = p.turn.q;
            uint _e115 = i_1;
            float _e120 = act[(_e106 + ((head_2 + metal::min(0u, heads_1 - 1u)) * KEY_DIM)) + metal::min(_e115, 127u)];
            held.inner[0u + _e99] = _e120;
            uint _e123 = i_1;
            uint _e130 = p.turn.k;
            uint _e134 = i_1;
            float _e139 = act[(_e130 + (kv_head * KEY_DIM)) + metal::min(_e134, 127u)];
            held.inner[128u + _e123] = _e139;
            uint _e142 = i_1;
            uint _e149 = p.turn.v;
            uint _e153 = p.turn.value_dim;
            uint _e156 = i_1;
            uint _e160 = p.turn.value_dim;
            float _e166 = act[(_e149 + (kv_head * _e153)) + metal::min(_e156, _e160 - 1u)];
            held.inner[256u + _e142] = _e166;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint _e173 = p.turn.q_norm;
    if (_e173 > 0u) {
        uint _e180 = p.turn.q_norm;
        float _e187 = p.turn.q_eps;
        norm(0u, _e180 - 1u, KEY_DIM, _e187, me, lane, subgroup, size, sum_parts, held, vectors, _buffer_sizes);
    }
    uint _e191 = p.turn.k_norm;
    if (_e191 > 0u) {
        uint _e198 = p.turn.k_norm;
        float _e205 = p.turn.k_eps;
        norm(128u, _e198 - 1u, KEY_DIM, _e205, me, lane, subgroup, size, sum_parts, held, vectors, _buffer_sizes);
    }
    i_2 = me;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e229 = i_2;
            i_2 = _e229 + WG;
        }
        loop_init_13 = false;
        uint _e207 = i_2;
        uint _e212 = p.turn.pairs;
        if (_e207 < (2u * _e212)) {
        } else {
            break;
        }
        {
            uint _e215 = i_2;
            uint _e219 = p.turn.pairs;
            uint _e223 = i_2;
            uint _e227 = p.turn.pairs;
            rotate(naga_div(_e215, _e219) * DIM, row_5, naga_mod(_e223, _e227), step, p, held, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (end == (position_1 + 1u)) {
        uint _e237 = p.block_len;
        uint _e240 = p.kv_heads;
        uint _e241 = slot_of(_e45, position_1, _e237, _e240, kv_head, step, _buffer_sizes);
        uint _e246 = p.place.keys;
        uint _e250 = p.place.key_scales;
        store(128u, _e246, _e250, _e241, KEY_DIM, me, cache, held, _buffer_sizes);
        uint _e256 = p.place.values;
        uint _e260 = p.place.value_scales;
        uint _e264 = p.turn.value_dim;
        store(256u, _e256, _e260, _e241, _e264, me, cache, held, _buffer_sizes);
        metal::threadgroup_barrier(metal::mem_flags::mem_device);
    }
    float _e265 = grown(row_5, step, p, _buffer_sizes);
    float _e268 = p.scale;
    float longer = _e265 * _e268;
    i_3 = me;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e307 = i_3;
            i_3 = _e307 + WG;
        }
        loop_init_14 = false;
        uint _e271 = i_3;
        if (_e271 < 128u) {
        } else {
            break;
        }
        {
            uint _e274 = i_3;
            uint g_1 = naga_div(_e274, 128u);
            uint _e277 = i_3;
            uint d_1 = naga_mod(_e277, 128u);
            uint _e281 = i_3;
            uint _e285 = i_3;
            float _e296 = held.inner[(g_1 * DIM) + metal::min(d_1, 127u)];
            if (g_1 < heads_1) {
                local = d_1 < KEY_DIM;
            } else {
                local = false;
            }
            bool _e304 = local;
            query.inner[naga_div(_e281, 4u)][naga_mod(_e285, 4u)] = _e304 ? (_e296 * longer) : 0.0;
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
            uint _e750 = tile;
            tile = _e750 + WG;
        }
        loop_init_15 = false;
        uint _e332 = tile;
        if (_e332 < end) {
        } else {
            break;
        }
        {
            uint _e336 = tile;
            uint _e343 = p.block_len;
            uint _e346 = p.kv_heads;
            uint _e347 = slot_of(_e45, metal::min(_e336 + me, end - 1u), _e343, _e346, kv_head, step, _buffer_sizes);
            slots.inner[me] = _e347;
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
                    uint _e488 = u;
                    u = _e488 + 4u;
                }
                loop_init_16 = false;
                uint _e387 = u;
                if (_e387 < KU4_) {
                } else {
                    break;
                }
                {
                    uint _e393 = p.place.keys;
                    uint _e397 = p.place.key_scales;
                    uint _e399 = u;
                    type_15 _e402 = eight(_e393, _e397, slot0_, KU, metal::min(_e399, 15u), cache, _buffer_sizes);
                    uint _e406 = p.place.keys;
                    uint _e410 = p.place.key_scales;
                    uint _e412 = u;
                    type_15 _e415 = eight(_e406, _e410, slot1_, KU, metal::min(_e412, 15u), cache, _buffer_sizes);
                    uint _e419 = p.place.keys;
                    uint _e423 = p.place.key_scales;
                    uint _e425 = u;
                    type_15 _e428 = eight(_e419, _e423, slot2_, KU, metal::min(_e425, 15u), cache, _buffer_sizes);
                    uint _e432 = p.place.keys;
                    uint _e436 = p.place.key_scales;
                    uint _e438 = u;
                    type_15 _e441 = eight(_e432, _e436, slot3_, KU, metal::min(_e438, 15u), cache, _buffer_sizes);
                    uint _e444 = u;
                    metal::float4 qa0_ = query.inner[(0u + _e444) * 2u];
                    uint _e452 = u;
                    metal::float4 qb0_ = query.inner[((0u + _e452) * 2u) + 1u];
                    float _e460 = dot0_0_;
                    dot0_0_ = _e460 + (metal::dot(_e402.inner[0], qa0_) + metal::dot(_e402.inner[1], qb0_));
                    float _e467 = dot1_0_;
                    dot1_0_ = _e467 + (metal::dot(_e415.inner[0], qa0_) + metal::dot(_e415.inner[1], qb0_));
                    float _e474 = dot2_0_;
                    dot2_0_ = _e474 + (metal::dot(_e428.inner[0], qa0_) + metal::dot(_e428.inner[1], qb0_));
                    float _e481 = dot3_0_;
                    dot3_0_ = _e481 + (metal::dot(_e441.inner[0], qa0_) + metal::dot(_e441.inner[1], qb0_));
                }
            }
            uint _e491 = tile;
            uint key = _e491 + mine;
            float _e493 = dot0_0_;
            float _e494 = dot0_0_;
            float unnamed_8 = metal::simd_shuffle_xor(_e494, 1u);
            dot0_0_ = _e493 + unnamed_8;
            float _e498 = dot0_0_;
            float _e499 = dot0_0_;
            float unnamed_9 = metal::simd_shuffle_xor(_e499, 2u);
            dot0_0_ = _e498 + unnamed_9;
            float _e503 = dot1_0_;
            float _e504 = dot1_0_;
            float unnamed_10 = metal::simd_shuffle_xor(_e504, 1u);
            dot1_0_ = _e503 + unnamed_10;
            float _e508 = dot1_0_;
            float _e509 = dot1_0_;
            float unnamed_11 = metal::simd_shuffle_xor(_e509, 2u);
            dot1_0_ = _e508 + unnamed_11;
            float _e513 = dot2_0_;
            float _e514 = dot2_0_;
            float unnamed_12 = metal::simd_shuffle_xor(_e514, 1u);
            dot2_0_ = _e513 + unnamed_12;
            float _e518 = dot2_0_;
            float _e519 = dot2_0_;
            float unnamed_13 = metal::simd_shuffle_xor(_e519, 2u);
            dot2_0_ = _e518 + unnamed_13;
            float _e523 = dot3_0_;
            float _e524 = dot3_0_;
            float unnamed_14 = metal::simd_shuffle_xor(_e524, 1u);
            dot3_0_ = _e523 + unnamed_14;
            float _e528 = dot3_0_;
            float _e529 = dot3_0_;
            float unnamed_15 = metal::simd_shuffle_xor(_e529, 2u);
            dot3_0_ = _e528 + unnamed_15;
            float _e533 = dot0_0_;
            float _e534 = dot1_0_;
            float _e540 = dot2_0_;
            float _e541 = dot3_0_;
            score0_ = (naga_mod(me, 4u) >= 2u) ? ((naga_mod(me, 4u) == 3u) ? _e541 : _e540) : ((naga_mod(me, 4u) == 1u) ? _e534 : _e533);
            float _e553 = score0_;
            score0_ = (key < end) ? _e553 : -1000000000000000000000000000000.0;
            float _e557 = score0_;
            float unnamed_16 = metal::simd_max(_e557);
            if (lane == 0u) {
                parts_of.inner[0u + subgroup] = unnamed_16;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            float _e565 = largest0_;
            next0_ = _e565;
            i_4 = 0u;
            uint2 loop_bound_17 = uint2(4294967295u);
            bool loop_init_17 = true;
            while(true) {
                if (metal::all(loop_bound_17 == uint2(0u))) { break; }
                loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
                if (!loop_init_17) {
                    uint _e585 = i_4;
                    i_4 = _e585 + 1u;
                }
                loop_init_17 = false;
                uint _e569 = i_4;
                if (_e569 < naga_div((WG + size) - 1u, size)) {
                } else {
                    break;
                }
                {
                    float _e576 = next0_;
                    uint _e579 = i_4;
                    float _e582 = parts_of.inner[0u + _e579];
                    next0_ = metal::max(_e576, _e582);
                }
            }
            float _e587 = largest0_;
            float _e588 = next0_;
            float shrink0_ = metal::exp(_e587 - _e588);
            float _e591 = next0_;
            largest0_ = _e591;
            float _e592 = score0_;
            float _e593 = next0_;
            float weight0_ = (key < end) ? metal::exp(_e592 - _e593) : 0.0;
            weights.inner[0u + mine] = weight0_;
            float _e603 = total0_;
            total0_ = (_e603 * shrink0_) + weight0_;
            metal::float4 _e606 = sum_a0_;
            sum_a0_ = _e606 * shrink0_;
            metal::float4 _e608 = sum_b0_;
            sum_b0_ = _e608 * shrink0_;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (key_group < KG) {
                j = key_group;
                uint2 loop_bound_18 = uint2(4294967295u);
                bool loop_init_18 = true;
                while(true) {
                    if (metal::all(loop_bound_18 == uint2(0u))) { break; }
                    loop_bound_18 -= uint2(loop_bound_18.y == 0u, 1u);
                    if (!loop_init_18) {
                        uint _e747 = j;
                        j = _e747 + 32u;
                    }
                    loop_init_18 = false;
                    uint _e613 = j;
                    uint _e615 = tile;
                    if (_e613 < metal::min(WG, end - _e615)) {
                    } else {
                        break;
                    }
                    {
                        uint _e622 = p.place.values;
                        uint _e626 = p.place.value_scales;
                        uint _e628 = j;
                        uint _e632 = slots.inner[_e628 + 0u];
                        type_15 _e634 = eight(_e622, _e626, _e632, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e638 = p.place.values;
                        uint _e642 = p.place.value_scales;
                        uint _e644 = j;
                        uint _e648 = slots.inner[_e644 + 8u];
                        type_15 _e650 = eight(_e638, _e642, _e648, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e654 = p.place.values;
                        uint _e658 = p.place.value_scales;
                        uint _e660 = j;
                        uint _e664 = slots.inner[_e660 + 16u];
                        type_15 _e666 = eight(_e654, _e658, _e664, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e670 = p.place.values;
                        uint _e674 = p.place.value_scales;
                        uint _e676 = j;
                        uint _e680 = slots.inner[_e676 + 24u];
                        type_15 _e682 = eight(_e670, _e674, _e680, VALUE_UNITS, unit, cache, _buffer_sizes);
                        uint _e685 = j;
                        float w0_0_ = weights.inner[(0u + _e685) + 0u];
                        metal::float4 _e691 = sum_a0_;
                        sum_a0_ = _e691 + (w0_0_ * _e634.inner[0]);
                        metal::float4 _e695 = sum_b0_;
                        sum_b0_ = _e695 + (w0_0_ * _e634.inner[1]);
                        uint _e701 = j;
                        float w1_0_ = weights.inner[(0u + _e701) + 8u];
                        metal::float4 _e707 = sum_a0_;
                        sum_a0_ = _e707 + (w1_0_ * _e650.inner[0]);
                        metal::float4 _e711 = sum_b0_;
                        sum_b0_ = _e711 + (w1_0_ * _e650.inner[1]);
                        uint _e717 = j;
                        float w2_0_ = weights.inner[(0u + _e717) + 16u];
                        metal::float4 _e723 = sum_a0_;
                        sum_a0_ = _e723 + (w2_0_ * _e666.inner[0]);
                        metal::float4 _e727 = sum_b0_;
                        sum_b0_ = _e727 + (w2_0_ * _e666.inner[1]);
                        uint _e733 = j;
                        float w3_0_ = weights.inner[(0u + _e733) + 24u];
                        metal::float4 _e739 = sum_a0_;
                        sum_a0_ = _e739 + (w3_0_ * _e682.inner[0]);
                        metal::float4 _e743 = sum_b0_;
                        sum_b0_ = _e743 + (w3_0_ * _e682.inner[1]);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    float _e753 = total0_;
    float unnamed_17 = metal::simd_sum(_e753);
    if (lane == 0u) {
        parts_of.inner[0u + subgroup] = unnamed_17;
    }
    metal::float4 _e765 = sum_a0_;
    gathered.inner[me * 2u] = _e765;
    metal::float4 _e772 = sum_b0_;
    gathered.inner[(me * 2u) + 1u] = _e772;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_19 = uint2(4294967295u);
    bool loop_init_19 = true;
    while(true) {
        if (metal::all(loop_bound_19 == uint2(0u))) { break; }
        loop_bound_19 -= uint2(loop_bound_19.y == 0u, 1u);
        if (!loop_init_19) {
            uint _e791 = i_5;
            i_5 = _e791 + 1u;
        }
        loop_init_19 = false;
        uint _e777 = i_5;
        if (_e777 < naga_div((WG + size) - 1u, size)) {
        } else {
            break;
        }
        {
            float _e784 = total;
            uint _e786 = i_5;
            float _e788 = parts_of.inner[_e786];
            total = _e784 + _e788;
        }
    }
    uint _e797 = p.sinks;
    if (_e797 > 0u) {
        uint _e803 = p.sinks;
        float sink = vectors[(_e803 - 1u) + head_2];
        float _e809 = largest0_;
        float most = metal::max(_e809, sink);
        float _e811 = largest0_;
        shrink = metal::exp(_e811 - most);
        float _e814 = total;
        float _e815 = shrink;
        total = (_e814 * _e815) + metal::exp(sink - most);
    }
    uint _e827 = p.dim;
    if ((me * 4u) < _e827) {
        uint2 loop_bound_20 = uint2(4294967295u);
        bool loop_init_20 = true;
        while(true) {
            if (metal::all(loop_bound_20 == uint2(0u))) { break; }
            loop_bound_20 -= uint2(loop_bound_20.y == 0u, 1u);
            if (!loop_init_20) {
                uint _e846 = k;
                k = _e846 + 1u;
            }
            loop_init_20 = false;
            uint _e831 = k;
            if (_e831 < KG) {
            } else {
                break;
            }
            {
                metal::float4 _e834 = y;
                uint _e836 = k;
                metal::float4 _e843 = gathered.inner[((_e836 * VU) * 2u) + me];
                y = _e834 + _e843;
            }
        }
    }
    metal::float4 _e848 = y;
    float _e849 = shrink;
    float _e850 = total;
    give(_e848 * (_e849 / _e850), me, row_5, head_2, x_words, x_scales, p, act, _buffer_sizes);
    return;
}
