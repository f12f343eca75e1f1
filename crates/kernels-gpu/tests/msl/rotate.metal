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
struct type_6 {
    float inner[128];
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
constant uint DIM = 128u;
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

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

float workgroup_sum(
    float value,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_5& sum_parts
) {
    float total = 0.0;
    uint i_5 = 0u;
    float unnamed = metal::simd_sum(value);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_1 == 0u) {
        sum_parts.inner[subgroup_1] = unnamed;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e27 = i_5;
            i_5 = _e27 + 1u;
        }
        loop_init = false;
        uint _e13 = i_5;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total;
            uint _e22 = i_5;
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
    threadgroup type_5& sum_parts
) {
    float largest = {};
    uint i_6 = 1u;
    float unnamed_1 = metal::simd_max(value_1);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (lane_2 == 0u) {
        sum_parts.inner[subgroup_2] = unnamed_1;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    float _e11 = sum_parts.inner[0];
    largest = _e11;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e29 = i_6;
            i_6 = _e29 + 1u;
        }
        loop_init_1 = false;
        uint _e15 = i_6;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest;
            uint _e24 = i_6;
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
    uint me_1,
    uint lane_3,
    uint subgroup_3,
    uint size_3,
    threadgroup type_5& sum_parts,
    threadgroup type_6& held,
    device type_7 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float squares = 0.0;
    uint i_7 = {};
    uint i_8 = {};
    i_7 = me_1;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e26 = i_7;
            i_7 = _e26 + WG;
        }
        loop_init_2 = false;
        uint _e11 = i_7;
        if (_e11 < len) {
        } else {
            break;
        }
        {
            float _e13 = squares;
            uint _e15 = i_7;
            float _e18 = held.inner[base + _e15];
            uint _e20 = i_7;
            float _e23 = held.inner[base + _e20];
            squares = _e13 + (_e18 * _e23);
        }
    }
    float _e29 = squares;
    float _e30 = workgroup_sum(_e29, lane_3, subgroup_3, size_3, sum_parts);
    float scale = 1.0 / metal::sqrt((_e30 / static_cast<float>(len)) + eps);
    i_8 = me_1;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e52 = i_8;
            i_8 = _e52 + WG;
        }
        loop_init_3 = false;
        uint _e38 = i_8;
        if (_e38 < len) {
        } else {
            break;
        }
        {
            uint _e41 = i_8;
            float _e44 = held.inner[base + _e41];
            uint _e46 = i_8;
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
    uint i_9,
    device type_1 const& step,
    threadgroup type_6& held,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e8 = p.turn.rope;
    uint _e11 = step[21u + _e8];
    uint _e15 = p.turn.pairs;
    uint table_1 = _e11 + ((row_1 * _e15) * 2u);
    uint _e25 = p.turn.halves;
    uint a_1 = first + ((_e25 == 1u) ? i_9 : (2u * i_9));
    uint _e37 = p.turn.pairs;
    uint _e42 = p.turn.halves;
    uint b_2 = first + ((_e42 == 1u) ? (i_9 + _e37) : ((2u * i_9) + 1u));
    uint _e52 = step[table_1 + (2u * i_9)];
    float cos = as_type<float>(_e52);
    uint _e61 = step[(table_1 + (2u * i_9)) + 1u];
    float sin = as_type<float>(_e61);
    float x = held.inner[a_1];
    float y = held.inner[b_2];
    held.inner[a_1] = (x * cos) - (y * sin);
    held.inner[b_2] = (x * sin) + (y * cos);
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
    uint dim,
    uint me_2,
    threadgroup type_6& held,
    device type_1& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_10 = {};
    uint i_11 = {};
    uint b_1 = {};
    float largest_1 = {};
    uint i_12 = {};
    uint w = {};
    metal::int4 q = {};
    uint j = {};
    if (false) {
        uint stride = naga_div(dim + 7u, 8u) * 8u;
        i_10 = me_2;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e33 = i_10;
                i_10 = _e33 + WG;
            }
            loop_init_4 = false;
            uint _e14 = i_10;
            if (_e14 < stride) {
            } else {
                break;
            }
            {
                uint _e18 = i_10;
                uint _e22 = i_10;
                float _e28 = held.inner[base_1 + metal::min(_e22, dim - 1u)];
                uint _e30 = i_10;
                put((plane + (slot * stride)) + _e18, (_e30 < dim) ? as_type<uint>(_e28) : 0u, cache, _buffer_sizes);
            }
        }
        return;
    } else {
        if (true) {
            uint stride_1 = naga_div(dim + 7u, 8u) * 4u;
            i_11 = me_2;
            uint2 loop_bound_5 = uint2(4294967295u);
            bool loop_init_5 = true;
            while(true) {
                if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                if (!loop_init_5) {
                    uint _e93 = i_11;
                    i_11 = _e93 + WG;
                }
                loop_init_5 = false;
                uint _e44 = i_11;
                if (_e44 < stride_1) {
                } else {
                    break;
                }
                {
                    uint _e48 = i_11;
                    float _e55 = held.inner[base_1 + metal::min(2u * _e48, dim - 1u)];
                    uint _e57 = i_11;
                    float a_2 = ((2u * _e57) < dim) ? _e55 : 0.0;
                    uint _e64 = i_11;
                    float _e73 = held.inner[base_1 + metal::min((2u * _e64) + 1u, dim - 1u)];
                    uint _e75 = i_11;
                    float b_3 = (((2u * _e75) + 1u) < dim) ? _e73 : 0.0;
                    uint _e84 = i_11;
                    put((plane + (slot * stride_1)) + _e84, as_type<uint>(half2(metal::clamp(metal::float2(a_2, b_3), metal::float2(-65504.0), metal::float2(65504.0)))), cache, _buffer_sizes);
                }
            }
            return;
        } else {
            uint blocks = naga_div(dim + 31u, 32u);
            b_1 = me_2;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e192 = b_1;
                    b_1 = _e192 + WG;
                }
                loop_init_6 = false;
                uint _e101 = b_1;
                if (_e101 < blocks) {
                } else {
                    break;
                }
                {
                    largest_1 = 0.0;
                    uint _e105 = b_1;
                    i_12 = _e105 * 32u;
                    uint2 loop_bound_7 = uint2(4294967295u);
                    bool loop_init_7 = true;
                    while(true) {
                        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                        if (!loop_init_7) {
                            uint _e126 = i_12;
                            i_12 = _e126 + 1u;
                        }
                        loop_init_7 = false;
                        uint _e109 = i_12;
                        uint _e110 = b_1;
                        if (_e109 < metal::min((_e110 * 32u) + 32u, dim)) {
                        } else {
                            break;
                        }
                        {
                            float _e117 = largest_1;
                            uint _e119 = i_12;
                            float _e122 = held.inner[base_1 + _e119];
                            largest_1 = metal::max(_e117, metal::abs(_e122));
                        }
                    }
                    float _e128 = largest_1;
                    float _e131 = largest_1;
                    float inverse = (_e131 > 0.0) ? (127.0 / _e128) : 0.0;
                    w = 0u;
                    uint2 loop_bound_8 = uint2(4294967295u);
                    bool loop_init_8 = true;
                    while(true) {
                        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                        if (!loop_init_8) {
                            uint _e182 = w;
                            w = _e182 + 1u;
                        }
                        loop_init_8 = false;
                        uint _e138 = w;
                        if (_e138 < 8u) {
                        } else {
                            break;
                        }
                        {
                            q = metal::int4(0);
                            j = 0u;
                            uint2 loop_bound_9 = uint2(4294967295u);
                            bool loop_init_9 = true;
                            while(true) {
                                if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                                loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                                if (!loop_init_9) {
                                    uint _e169 = j;
                                    j = _e169 + 1u;
                                }
                                loop_init_9 = false;
                                uint _e146 = j;
                                if (_e146 < 4u) {
                                } else {
                                    break;
                                }
                                {
                                    uint _e149 = b_1;
                                    uint _e152 = w;
                                    uint _e156 = j;
                                    uint i_16 = ((_e149 * 32u) + (_e152 * 4u)) + _e156;
                                    if (i_16 < dim) {
                                        uint _e159 = j;
                                        float _e164 = held.inner[base_1 + i_16];
                                        q[_e159] = naga_f2i32(metal::rint(_e164 * inverse));
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
    uint me_3,
    device type_1 const& step,
    threadgroup type_6& held,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_13 = {};
    i_13 = me_3;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e11 = i_13;
            i_13 = _e11 + WG;
        }
        loop_init_10 = false;
        uint _e4 = i_13;
        uint _e8 = p.turn.pairs;
        if (_e4 < _e8) {
        } else {
            break;
        }
        {
            uint _e10 = i_13;
            rotate(first_1, row_3, _e10, step, held, p, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}

void centre(
    uint len_1,
    uint me_4,
    uint lane_4,
    uint subgroup_4,
    uint size_4,
    threadgroup type_5& sum_parts,
    threadgroup type_6& held
) {
    float sum = 0.0;
    uint i_14 = {};
    uint i_15 = {};
    i_14 = me_4;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e16 = i_14;
            i_14 = _e16 + WG;
        }
        loop_init_11 = false;
        uint _e8 = i_14;
        if (_e8 < len_1) {
        } else {
            break;
        }
        {
            float _e10 = sum;
            uint _e12 = i_14;
            float _e14 = held.inner[_e12];
            sum = _e10 + _e14;
        }
    }
    float _e19 = sum;
    float _e20 = workgroup_sum(_e19, lane_4, subgroup_4, size_4, sum_parts);
    float mean = _e20 / static_cast<float>(len_1);
    i_15 = me_4;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e31 = i_15;
            i_15 = _e31 + WG;
        }
        loop_init_12 = false;
        uint _e24 = i_15;
        if (_e24 < len_1) {
        } else {
            break;
        }
        {
            uint _e27 = i_15;
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
, threadgroup type_5& sum_parts
, threadgroup type_6& held
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
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e43 = i;
                i = _e43 + WG;
            }
            loop_init_13 = false;
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
            norm(0u, _e56 - 1u, _e62, _e66, me, lane, subgroup, size, sum_parts, held, vectors, _buffer_sizes);
        }
        uint _e70 = p.turn.q_rotated;
        rotate_all(_e70, row_4, me, step, held, p, _buffer_sizes);
        float _e71 = grown(row_4, step, p, _buffer_sizes);
        uint _e75 = p.turn.q_from;
        i_1 = _e75 + me;
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e114 = i_1;
                i_1 = _e114 + WG;
            }
            loop_init_14 = false;
            uint _e78 = i_1;
            uint _e82 = p.turn.q_dim;
            if (_e78 < _e82) {
            } else {
                break;
            }
            {
                uint _e88 = p.turn.q_out;
                uint _e92 = p.turn.q_row;
                uint _e98 = p.turn.q_item;
                uint _e101 = i_1;
                uint _e106 = p.turn.q_from;
                uint _e110 = i_1;
                float _e112 = held.inner[_e110];
                act[(((_e88 + (row_4 * _e92)) + (item * _e98)) + _e101) - _e106] = _e112 * _e71;
            }
        }
        return;
    } else {
        uint _e120 = p.turn.heads;
        uint _e124 = p.turn.kv_heads;
        if (item < (_e120 + _e124)) {
            uint _e130 = p.turn.heads;
            uint head_1 = item - _e130;
            uint _e135 = p.turn.k;
            uint _e139 = p.turn.kv_heads;
            uint _e145 = p.turn.key_dim;
            uint at_2 = _e135 + (((row_4 * _e139) + head_1) * _e145);
            i_2 = me;
            uint2 loop_bound_15 = uint2(4294967295u);
            bool loop_init_15 = true;
            while(true) {
                if (metal::all(loop_bound_15 == uint2(0u))) { break; }
                loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
                if (!loop_init_15) {
                    uint _e163 = i_2;
                    i_2 = _e163 + WG;
                }
                loop_init_15 = false;
                uint _e149 = i_2;
                uint _e153 = p.turn.key_dim;
                if (_e149 < _e153) {
                } else {
                    break;
                }
                {
                    uint _e156 = i_2;
                    uint _e159 = i_2;
                    float _e162 = act[at_2 + _e159];
                    held.inner[_e156] = _e162;
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e169 = p.turn.k_bias;
            if (_e169 > 0u) {
                uint _e175 = p.turn.key_dim;
                centre(_e175, me, lane, subgroup, size, sum_parts, held);
            }
            uint _e179 = p.turn.k_norm;
            if (_e179 > 0u) {
                uint _e186 = p.turn.k_norm;
                uint _e192 = p.turn.k_normed;
                float _e196 = p.turn.k_eps;
                norm(0u, _e186 - 1u, _e192, _e196, me, lane, subgroup, size, sum_parts, held, vectors, _buffer_sizes);
            }
            uint _e200 = p.turn.k_bias;
            if (_e200 > 0u) {
                i_3 = me;
                uint2 loop_bound_16 = uint2(4294967295u);
                bool loop_init_16 = true;
                while(true) {
                    if (metal::all(loop_bound_16 == uint2(0u))) { break; }
                    loop_bound_16 -= uint2(loop_bound_16.y == 0u, 1u);
                    if (!loop_init_16) {
                        uint _e226 = i_3;
                        i_3 = _e226 + WG;
                    }
                    loop_init_16 = false;
                    uint _e204 = i_3;
                    uint _e208 = p.turn.key_dim;
                    if (_e204 < _e208) {
                    } else {
                        break;
                    }
                    {
                        uint _e211 = i_3;
                        float _e213 = held.inner[_e211];
                        uint _e218 = p.turn.k_bias;
                        uint _e221 = i_3;
                        float _e224 = vectors[(_e218 - 1u) + _e221];
                        held.inner[_e211] = _e213 + _e224;
                    }
                }
                metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            }
            uint _e232 = p.turn.k_rotated;
            rotate_all(_e232, row_4, me, step, held, p, _buffer_sizes);
            uint _e236 = p.turn.windowed;
            uint _e237 = table_of(row_4, _e236, step, _buffer_sizes);
            uint _e241 = step[5];
            uint _e244 = step[_e241 + row_4];
            uint _e248 = p.turn.block_len;
            uint _e252 = p.turn.kv_heads;
            uint _e253 = slot_of(_e237, _e244, _e248, _e252, head_1, step, _buffer_sizes);
            uint _e258 = p.place.keys;
            uint _e262 = p.place.key_scales;
            uint _e266 = p.turn.key_dim;
            store(0u, _e258, _e262, _e253, _e266, me, held, cache, _buffer_sizes);
            return;
        } else {
            uint _e270 = p.turn.heads;
            uint _e275 = p.turn.kv_heads;
            uint head_2 = (item - _e270) - _e275;
            uint _e280 = p.turn.v;
            uint _e284 = p.turn.kv_heads;
            uint _e290 = p.turn.value_dim;
            uint at_3 = _e280 + (((row_4 * _e284) + head_2) * _e290);
            i_4 = me;
            uint2 loop_bound_17 = uint2(4294967295u);
            bool loop_init_17 = true;
            while(true) {
                if (metal::all(loop_bound_17 == uint2(0u))) { break; }
                loop_bound_17 -= uint2(loop_bound_17.y == 0u, 1u);
                if (!loop_init_17) {
                    uint _e308 = i_4;
                    i_4 = _e308 + WG;
                }
                loop_init_17 = false;
                uint _e294 = i_4;
                uint _e298 = p.turn.value_dim;
                if (_e294 < _e298) {
                } else {
                    break;
                }
                {
                    uint _e301 = i_4;
                    uint _e304 = i_4;
                    float _e307 = act[at_3 + _e304];
                    held.inner[_e301] = _e307;
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e314 = p.turn.windowed;
            uint _e315 = table_of(row_4, _e314, step, _buffer_sizes);
            uint _e319 = step[5];
            uint _e322 = step[_e319 + row_4];
            uint _e326 = p.turn.block_len;
            uint _e330 = p.turn.kv_heads;
            uint _e331 = slot_of(_e315, _e322, _e326, _e330, head_2, step, _buffer_sizes);
            uint _e336 = p.place.values;
            uint _e340 = p.place.value_scales;
            uint _e344 = p.turn.value_dim;
            store(0u, _e336, _e340, _e331, _e344, me, held, cache, _buffer_sizes);
            return;
        }
    }
}
