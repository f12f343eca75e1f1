// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size2;
    uint size4;
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
typedef metal::uint4 type_6[1];
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
struct type_7 {
    float inner[768];
};
typedef float type_8[1];
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
    uint pad0_;
    uint pad1_;
    uint pad2_;
    uint pad3_;
    Turn turn;
};
struct Stored {
    metal::uint4 a;
    metal::uint4 b;
    float scale;
    char _pad3[12];
};
struct type_13 {
    metal::float4 inner[2];
};
struct type_14 {
    float inner[32];
};
struct type_15 {
    metal::float4 inner[1024];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint CACHE = 1u;
constant uint G = 4u;
constant uint KEY_DIM = 128u;
constant uint UNITS_ALL = 16u;
constant uint LANES = 16u;
constant uint SHUFFLES = 4u;
constant uint UNITS = 1u;
constant uint AT_ONCE = 4u;
constant uint TURNED = 1u;
constant uint HELD = 6u;
constant uint DIM = 128u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint PARTIES = 8u;
constant uint FOURS = 32u;

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
            float g_1 = metal::min(gate, 7.0);
            return (g_1 / (1.0 + metal::exp(-1.702 * g_1))) * (metal::clamp(up, -7.0, 7.0) + 1.0);
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
            float g_2 = metal::min(gate, limit_1);
            return (g_2 / (1.0 + metal::exp(-(g_2)))) * metal::clamp(up, -(limit_1), limit_1);
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
    float total_1 = 0.0;
    uint i_1 = 0u;
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
            uint _e27 = i_1;
            i_1 = _e27 + 1u;
        }
        loop_init = false;
        uint _e13 = i_1;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total_1;
            uint _e22 = i_1;
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
    threadgroup type_5& sum_parts
) {
    float largest = {};
    uint i_2 = 1u;
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
            uint _e29 = i_2;
            i_2 = _e29 + 1u;
        }
        loop_init_1 = false;
        uint _e15 = i_2;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest;
            uint _e24 = i_2;
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

void put(
    uint at,
    uint word,
    device type_6& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    cache[naga_div(at, 4u)][naga_mod(at, 4u)] = word;
    return;
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
    threadgroup type_7& held,
    device type_8 const& vectors,
    constant _mslBufferSizes& _buffer_sizes
) {
    float squares = 0.0;
    uint i_3 = {};
    uint i_4 = {};
    i_3 = me_1;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e26 = i_3;
            i_3 = _e26 + WG;
        }
        loop_init_2 = false;
        uint _e11 = i_3;
        if (_e11 < len) {
        } else {
            break;
        }
        {
            float _e13 = squares;
            uint _e15 = i_3;
            float _e18 = held.inner[base + _e15];
            uint _e20 = i_3;
            float _e23 = held.inner[base + _e20];
            squares = _e13 + (_e18 * _e23);
        }
    }
    float _e29 = squares;
    float _e30 = workgroup_sum(_e29, lane_3, subgroup_3, size_3, sum_parts);
    float scale = 1.0 / metal::sqrt((_e30 / static_cast<float>(len)) + eps);
    i_4 = me_1;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e52 = i_4;
            i_4 = _e52 + WG;
        }
        loop_init_3 = false;
        uint _e38 = i_4;
        if (_e38 < len) {
        } else {
            break;
        }
        {
            uint _e41 = i_4;
            float _e44 = held.inner[base + _e41];
            uint _e46 = i_4;
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
    uint i_5,
    device type_1 const& step,
    threadgroup type_7& held,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e8 = p.turn.rope;
    uint _e11 = step[21u + _e8];
    uint _e15 = p.turn.pairs;
    uint table_2 = _e11 + ((row_1 * _e15) * 2u);
    uint _e25 = p.turn.halves;
    uint a_1 = first + ((_e25 == 1u) ? i_5 : (2u * i_5));
    uint _e37 = p.turn.pairs;
    uint _e42 = p.turn.halves;
    uint b_2 = first + ((_e42 == 1u) ? (i_5 + _e37) : ((2u * i_5) + 1u));
    uint _e52 = step[table_2 + (2u * i_5)];
    float cos = as_type<float>(_e52);
    uint _e61 = step[(table_2 + (2u * i_5)) + 1u];
    float sin = as_type<float>(_e61);
    float x = held.inner[a_1];
    float y_1 = held.inner[b_2];
    held.inner[a_1] = (x * cos) - (y_1 * sin);
    held.inner[b_2] = (x * sin) + (y_1 * cos);
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
    device type_6& cache,
    threadgroup type_7& held,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_6 = {};
    uint i_7 = {};
    uint b_1 = {};
    float largest_1 = {};
    uint i_8 = {};
    uint w = {};
    metal::int4 q = {};
    uint j = {};
    if (false) {
        uint stride = naga_div(dim + 7u, 8u) * 8u;
        i_6 = me_2;
        uint2 loop_bound_4 = uint2(4294967295u);
        bool loop_init_4 = true;
        while(true) {
            if (metal::all(loop_bound_4 == uint2(0u))) { break; }
            loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
            if (!loop_init_4) {
                uint _e33 = i_6;
                i_6 = _e33 + WG;
            }
            loop_init_4 = false;
            uint _e14 = i_6;
            if (_e14 < stride) {
            } else {
                break;
            }
            {
                uint _e18 = i_6;
                uint _e22 = i_6;
                float _e28 = held.inner[base_1 + metal::min(_e22, dim - 1u)];
                uint _e30 = i_6;
                put((plane + (slot * stride)) + _e18, (_e30 < dim) ? as_type<uint>(_e28) : 0u, cache, _buffer_sizes);
            }
        }
        return;
    } else {
        if (true) {
            uint stride_1 = naga_div(dim + 7u, 8u) * 4u;
            i_7 = me_2;
            uint2 loop_bound_5 = uint2(4294967295u);
            bool loop_init_5 = true;
            while(true) {
                if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                if (!loop_init_5) {
                    uint _e93 = i_7;
                    i_7 = _e93 + WG;
                }
                loop_init_5 = false;
                uint _e44 = i_7;
                if (_e44 < stride_1) {
                } else {
                    break;
                }
                {
                    uint _e48 = i_7;
                    float _e55 = held.inner[base_1 + metal::min(2u * _e48, dim - 1u)];
                    uint _e57 = i_7;
                    float a_2 = ((2u * _e57) < dim) ? _e55 : 0.0;
                    uint _e64 = i_7;
                    float _e73 = held.inner[base_1 + metal::min((2u * _e64) + 1u, dim - 1u)];
                    uint _e75 = i_7;
                    float b_3 = (((2u * _e75) + 1u) < dim) ? _e73 : 0.0;
                    uint _e84 = i_7;
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
                    i_8 = _e105 * 32u;
                    uint2 loop_bound_7 = uint2(4294967295u);
                    bool loop_init_7 = true;
                    while(true) {
                        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                        if (!loop_init_7) {
                            uint _e126 = i_8;
                            i_8 = _e126 + 1u;
                        }
                        loop_init_7 = false;
                        uint _e109 = i_8;
                        uint _e110 = b_1;
                        if (_e109 < metal::min((_e110 * 32u) + 32u, dim)) {
                        } else {
                            break;
                        }
                        {
                            float _e117 = largest_1;
                            uint _e119 = i_8;
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
                                    uint i_11 = ((_e149 * 32u) + (_e152 * 4u)) + _e156;
                                    if (i_11 < dim) {
                                        uint _e159 = j;
                                        float _e164 = held.inner[base_1 + i_11];
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

void turn_heads(
    uint row_3,
    uint head_1,
    uint heads_1,
    uint kv_head,
    uint table_1,
    bool newest,
    uint me_3,
    uint lane_4,
    uint subgroup_4,
    uint size_4,
    device type_1 const& step,
    threadgroup type_5& sum_parts,
    device type_6& cache,
    threadgroup type_7& held,
    device type_8 const& vectors,
    constant Params& p,
    device type_8 const& act,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_9 = {};
    uint i_10 = {};
    i_9 = me_3;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e156 = i_9;
            i_9 = _e156 + WG;
        }
        loop_init_10 = false;
        uint _e11 = i_9;
        if (_e11 < DIM) {
        } else {
            break;
        }
        {
            uint _e16 = i_9;
            uint _e23 = p.turn.q;
            uint _e32 = i_9;
            float _e37 = act[(_e23 + ((head_1 + metal::min(0u, heads_1 - 1u)) * KEY_DIM)) + metal::min(_e32, 127u)];
            held.inner[0u + _e16] = _e37;
            uint _e40 = i_9;
            uint _e47 = p.turn.q;
            uint _e56 = i_9;
            float _e61 = act[(_e47 + ((head_1 + metal::min(1u, heads_1 - 1u)) * KEY_DIM)) + metal::min(_e56, 127u)];
            held.inner[128u + _e40] = _e61;
            uint _e64 = i_9;
            uint _e71 = p.turn.q;
            uint _e80 = i_9;
            float _e85 = act[(_e71 + ((head_1 + metal::min(2u, heads_1 - 1u)) * KEY_DIM)) + metal::min(_e80, 127u)];
            held.inner[256u + _e64] = _e85;
            uint _e88 = i_9;
            uint _e95 = p.turn.q;
            uint _e104 = i_9;
            float _e109 = act[(_e95 + ((head_1 + metal::min(3u, heads_1 - 1u)) * KEY_DIM)) + metal::min(_e104, 127u)];
            held.inner[384u + _e88] = _e109;
            uint _e112 = i_9;
            uint _e119 = p.turn.k;
            uint _e123 = i_9;
            float _e128 = act[(_e119 + (kv_head * KEY_DIM)) + metal::min(_e123, 127u)];
            held.inner[512u + _e112] = _e128;
            uint _e131 = i_9;
            uint _e138 = p.turn.v;
            uint _e142 = p.turn.value_dim;
            uint _e145 = i_9;
            uint _e149 = p.turn.value_dim;
            float _e155 = act[(_e138 + (kv_head * _e142)) + metal::min(_e145, _e149 - 1u)];
            held.inner[640u + _e131] = _e155;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint _e162 = p.turn.q_norm;
    if (_e162 > 0u) {
        uint _e169 = p.turn.q_norm;
        float _e176 = p.turn.q_eps;
        norm(0u, _e169 - 1u, KEY_DIM, _e176, me_3, lane_4, subgroup_4, size_4, sum_parts, held, vectors, _buffer_sizes);
        uint _e181 = p.turn.q_norm;
        float _e188 = p.turn.q_eps;
        norm(128u, _e181 - 1u, KEY_DIM, _e188, me_3, lane_4, subgroup_4, size_4, sum_parts, held, vectors, _buffer_sizes);
        uint _e193 = p.turn.q_norm;
        float _e200 = p.turn.q_eps;
        norm(256u, _e193 - 1u, KEY_DIM, _e200, me_3, lane_4, subgroup_4, size_4, sum_parts, held, vectors, _buffer_sizes);
        uint _e205 = p.turn.q_norm;
        float _e212 = p.turn.q_eps;
        norm(384u, _e205 - 1u, KEY_DIM, _e212, me_3, lane_4, subgroup_4, size_4, sum_parts, held, vectors, _buffer_sizes);
    }
    uint _e216 = p.turn.k_norm;
    if (_e216 > 0u) {
        uint _e223 = p.turn.k_norm;
        float _e230 = p.turn.k_eps;
        norm(512u, _e223 - 1u, KEY_DIM, _e230, me_3, lane_4, subgroup_4, size_4, sum_parts, held, vectors, _buffer_sizes);
    }
    i_10 = me_3;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e254 = i_10;
            i_10 = _e254 + WG;
        }
        loop_init_11 = false;
        uint _e232 = i_10;
        uint _e237 = p.turn.pairs;
        if (_e232 < (5u * _e237)) {
        } else {
            break;
        }
        {
            uint _e240 = i_10;
            uint _e244 = p.turn.pairs;
            uint _e248 = i_10;
            uint _e252 = p.turn.pairs;
            rotate(naga_div(_e240, _e244) * DIM, row_3, naga_mod(_e248, _e252), step, held, p, _buffer_sizes);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (newest) {
        uint _e260 = step[5];
        uint _e263 = step[_e260 + row_3];
        uint _e266 = p.block_len;
        uint _e269 = p.kv_heads;
        uint _e270 = slot_of(table_1, _e263, _e266, _e269, kv_head, step, _buffer_sizes);
        uint _e275 = p.place.keys;
        uint _e279 = p.place.key_scales;
        store(512u, _e275, _e279, _e270, KEY_DIM, me_3, cache, held, _buffer_sizes);
        uint _e285 = p.place.values;
        uint _e289 = p.place.value_scales;
        uint _e293 = p.turn.value_dim;
        store(640u, _e285, _e289, _e270, _e293, me_3, cache, held, _buffer_sizes);
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
    uint row_4,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = step[16];
    uint _e7 = step[_e4 + row_4];
    return _e7;
}

Stored stored(
    uint plane_1,
    uint scales_1,
    uint slot_1,
    uint units,
    uint u,
    device type_6 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    if (false) {
        uint at_1 = naga_div(plane_1, 4u) + (((slot_1 * units) + u) * 2u);
        metal::uint4 _e15 = cache[at_1];
        metal::uint4 _e20 = cache[at_1 + 1u];
        return Stored {_e15, _e20, 1.0};
    } else {
        if (true) {
            metal::uint4 _e31 = cache[(naga_div(plane_1, 4u) + (slot_1 * units)) + u];
            return Stored {_e31, metal::uint4(0u), 1.0};
        }
    }
    uint blocks_1 = naga_div(units + 3u, 4u);
    metal::uint4 w_2 = cache[(naga_div(plane_1, 4u) + ((slot_1 * blocks_1) * 2u)) + naga_div(u, 2u)];
    metal::uint2 pair = ((u & 1u) == 1u) ? w_2.zw : w_2.xy;
    uint i_12 = (scales_1 + (slot_1 * blocks_1)) + naga_div(u, 4u);
    uint _e76 = cache[naga_div(i_12, 4u)][naga_mod(i_12, 4u)];
    return Stored {metal::uint4(pair, 0u, 0u), metal::uint4(0u), as_type<float>(_e76)};
}

type_13 values_of(
    Stored w_1
) {
    if (false) {
        return type_13 {{as_type<metal::float4>(w_1.a), as_type<metal::float4>(w_1.b)}};
    } else {
        if (true) {
            return type_13 {{metal::float4(float2(as_type<half2>(w_1.a.x)), float2(as_type<half2>(w_1.a.y))), metal::float4(float2(as_type<half2>(w_1.a.z)), float2(as_type<half2>(w_1.a.w)))}};
        }
    }
    return type_13 {{static_cast<metal::float4>(int4(as_type<packed_char4>(w_1.a.x))) * w_1.scale, static_cast<metal::float4>(int4(as_type<packed_char4>(w_1.a.y))) * w_1.scale}};
}

type_13 eight(
    uint plane_2,
    uint scales_2,
    uint slot_2,
    uint units_1,
    uint u_1,
    device type_6 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e5 = stored(plane_2, scales_2, slot_2, units_1, u_1, cache, _buffer_sizes);
    type_13 _e6 = values_of(_e5);
    return _e6;
}

metal::float4 queried(
    uint row_5,
    uint head_2,
    uint g,
    uint d,
    device type_1 const& step,
    threadgroup type_7& held,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 at_2 = metal::min(metal::uint4(d) + metal::uint4(0u, 1u, 2u, 3u), metal::uint4(127u));
    metal::uint4 all = at_2 + metal::uint4(g * DIM);
    float _e21 = held.inner[all.x];
    float _e25 = held.inner[all.y];
    float _e29 = held.inner[all.z];
    float _e33 = held.inner[all.w];
    float _e35 = grown(row_5, step, p, _buffer_sizes);
    metal::float4 values = metal::float4(_e21, _e25, _e29, _e33) * _e35;
    float _e50 = p.scale;
    return metal::select(metal::float4(0.0), values, at_2 == (metal::uint4(d) + metal::uint4(0u, 1u, 2u, 3u))) * _e50;
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_1 const& step [[user(fake0)]]
, threadgroup type_5& sum_parts
, device type_6& cache [[user(fake0)]]
, threadgroup type_7& held
, device type_8 const& vectors [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_8& act [[user(fake0)]]
, threadgroup type_14& most
, threadgroup type_14& totals
, threadgroup type_15& gathered
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    metal::float4 a0_0_ = metal::float4(0.0);
    metal::float4 b0_0_ = metal::float4(0.0);
    metal::float4 a1_0_ = metal::float4(0.0);
    metal::float4 b1_0_ = metal::float4(0.0);
    metal::float4 a2_0_ = metal::float4(0.0);
    metal::float4 b2_0_ = metal::float4(0.0);
    metal::float4 a3_0_ = metal::float4(0.0);
    metal::float4 b3_0_ = metal::float4(0.0);
    float largest0_ = -1000000000000000000000000000000.0;
    float total0_ = 0.0;
    float largest1_ = -1000000000000000000000000000000.0;
    float total1_ = 0.0;
    float largest2_ = -1000000000000000000000000000000.0;
    float total2_ = 0.0;
    float largest3_ = -1000000000000000000000000000000.0;
    float total3_ = 0.0;
    uint key = {};
    float score0_0_ = {};
    float score0_1_ = {};
    float score0_2_ = {};
    float score0_3_ = {};
    float score1_0_ = {};
    float score1_1_ = {};
    float score1_2_ = {};
    float score1_3_ = {};
    float score2_0_ = {};
    float score2_1_ = {};
    float score2_2_ = {};
    float score2_3_ = {};
    float score3_0_ = {};
    float score3_1_ = {};
    float score3_2_ = {};
    float score3_3_ = {};
    float next0_ = {};
    float next1_ = {};
    float next2_ = {};
    float next3_ = {};
    uint i = {};
    float top = {};
    uint s = {};
    float total = {};
    metal::float4 y = {};
    uint s_1 = {};
    uint row_6 = group.z;
    uint split = group.y;
    uint _e9 = p.heads;
    uint _e12 = p.kv_heads;
    uint shared_by = naga_div(_e9, _e12);
    uint chunks = naga_div((shared_by + G) - 1u, G);
    uint kv_head_1 = naga_div(group.x, chunks);
    uint head_3 = (kv_head_1 * shared_by) + (naga_mod(group.x, chunks) * G);
    uint heads_2 = metal::min(G, shared_by - (naga_mod(group.x, chunks) * G));
    uint _e38 = step[5];
    uint position_2 = step[_e38 + row_6];
    uint _e44 = p.windowed;
    uint _e45 = table_of(row_6, _e44, step, _buffer_sizes);
    uint _e48 = p.window;
    uint _e49 = seen_from(position_2, _e48);
    uint _e52 = step[2];
    uint first_1 = _e49 + (split * _e52);
    uint _e55 = seen_to(row_6, step, _buffer_sizes);
    uint _e58 = step[2];
    uint end = metal::min(_e55, first_1 + _e58);
    uint party = naga_div(me, LANES);
    turn_heads(row_6, head_3, heads_2, kv_head_1, _e45, end == (position_2 + 1u), me, lane, subgroup, size, step, sum_parts, cache, held, vectors, p, act, _buffer_sizes);
    uint unit0_ = 0u + naga_mod(me, LANES);
    metal::float4 _e73 = queried(row_6, head_3, 0u, unit0_ * 8u, step, held, p, _buffer_sizes);
    metal::float4 _e79 = queried(row_6, head_3, 0u, (unit0_ * 8u) + 4u, step, held, p, _buffer_sizes);
    metal::float4 _e89 = queried(row_6, head_3, 1u, unit0_ * 8u, step, held, p, _buffer_sizes);
    metal::float4 _e95 = queried(row_6, head_3, 1u, (unit0_ * 8u) + 4u, step, held, p, _buffer_sizes);
    metal::float4 _e105 = queried(row_6, head_3, 2u, unit0_ * 8u, step, held, p, _buffer_sizes);
    metal::float4 _e111 = queried(row_6, head_3, 2u, (unit0_ * 8u) + 4u, step, held, p, _buffer_sizes);
    metal::float4 _e121 = queried(row_6, head_3, 3u, unit0_ * 8u, step, held, p, _buffer_sizes);
    metal::float4 _e127 = queried(row_6, head_3, 3u, (unit0_ * 8u) + 4u, step, held, p, _buffer_sizes);
    key = first_1 + (party * AT_ONCE);
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e1212 = key;
            key = _e1212 + 32u;
        }
        loop_init_12 = false;
        uint _e154 = key;
        if (_e154 < end) {
        } else {
            break;
        }
        {
            uint _e156 = key;
            uint _e164 = p.block_len;
            uint _e167 = p.kv_heads;
            uint _e168 = slot_of(_e45, metal::min(_e156 + 0u, end - 1u), _e164, _e167, kv_head_1, step, _buffer_sizes);
            uint _e169 = key;
            uint _e177 = p.block_len;
            uint _e180 = p.kv_heads;
            uint _e181 = slot_of(_e45, metal::min(_e169 + 1u, end - 1u), _e177, _e180, kv_head_1, step, _buffer_sizes);
            uint _e182 = key;
            uint _e190 = p.block_len;
            uint _e193 = p.kv_heads;
            uint _e194 = slot_of(_e45, metal::min(_e182 + 2u, end - 1u), _e190, _e193, kv_head_1, step, _buffer_sizes);
            uint _e195 = key;
            uint _e203 = p.block_len;
            uint _e206 = p.kv_heads;
            uint _e207 = slot_of(_e45, metal::min(_e195 + 3u, end - 1u), _e203, _e206, kv_head_1, step, _buffer_sizes);
            uint _e211 = p.place.keys;
            uint _e215 = p.place.key_scales;
            Stored _e219 = stored(_e211, _e215, _e168, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e223 = p.place.keys;
            uint _e227 = p.place.key_scales;
            Stored _e231 = stored(_e223, _e227, _e181, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e235 = p.place.keys;
            uint _e239 = p.place.key_scales;
            Stored _e243 = stored(_e235, _e239, _e194, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e247 = p.place.keys;
            uint _e251 = p.place.key_scales;
            Stored _e255 = stored(_e247, _e251, _e207, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e259 = p.place.values;
            uint _e263 = p.place.value_scales;
            Stored _e267 = stored(_e259, _e263, _e168, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e271 = p.place.values;
            uint _e275 = p.place.value_scales;
            Stored _e279 = stored(_e271, _e275, _e181, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e283 = p.place.values;
            uint _e287 = p.place.value_scales;
            Stored _e291 = stored(_e283, _e287, _e194, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            uint _e295 = p.place.values;
            uint _e299 = p.place.value_scales;
            Stored _e303 = stored(_e295, _e299, _e207, UNITS_ALL, metal::min(unit0_, 15u), cache, _buffer_sizes);
            score0_0_ = 0.0;
            score0_1_ = 0.0;
            score0_2_ = 0.0;
            score0_3_ = 0.0;
            type_13 _e312 = values_of(_e219);
            float _e313 = score0_0_;
            score0_0_ = _e313 + (metal::dot(_e312.inner[0], _e73) + metal::dot(_e312.inner[1], _e79));
            float _e320 = score0_1_;
            score0_1_ = _e320 + (metal::dot(_e312.inner[0], _e89) + metal::dot(_e312.inner[1], _e95));
            float _e327 = score0_2_;
            score0_2_ = _e327 + (metal::dot(_e312.inner[0], _e105) + metal::dot(_e312.inner[1], _e111));
            float _e334 = score0_3_;
            score0_3_ = _e334 + (metal::dot(_e312.inner[0], _e121) + metal::dot(_e312.inner[1], _e127));
            score1_0_ = 0.0;
            score1_1_ = 0.0;
            score1_2_ = 0.0;
            score1_3_ = 0.0;
            type_13 _e349 = values_of(_e231);
            float _e350 = score1_0_;
            score1_0_ = _e350 + (metal::dot(_e349.inner[0], _e73) + metal::dot(_e349.inner[1], _e79));
            float _e357 = score1_1_;
            score1_1_ = _e357 + (metal::dot(_e349.inner[0], _e89) + metal::dot(_e349.inner[1], _e95));
            float _e364 = score1_2_;
            score1_2_ = _e364 + (metal::dot(_e349.inner[0], _e105) + metal::dot(_e349.inner[1], _e111));
            float _e371 = score1_3_;
            score1_3_ = _e371 + (metal::dot(_e349.inner[0], _e121) + metal::dot(_e349.inner[1], _e127));
            score2_0_ = 0.0;
            score2_1_ = 0.0;
            score2_2_ = 0.0;
            score2_3_ = 0.0;
            type_13 _e386 = values_of(_e243);
            float _e387 = score2_0_;
            score2_0_ = _e387 + (metal::dot(_e386.inner[0], _e73) + metal::dot(_e386.inner[1], _e79));
            float _e394 = score2_1_;
            score2_1_ = _e394 + (metal::dot(_e386.inner[0], _e89) + metal::dot(_e386.inner[1], _e95));
            float _e401 = score2_2_;
            score2_2_ = _e401 + (metal::dot(_e386.inner[0], _e105) + metal::dot(_e386.inner[1], _e111));
            float _e408 = score2_3_;
            score2_3_ = _e408 + (metal::dot(_e386.inner[0], _e121) + metal::dot(_e386.inner[1], _e127));
            score3_0_ = 0.0;
            score3_1_ = 0.0;
            score3_2_ = 0.0;
            score3_3_ = 0.0;
            type_13 _e423 = values_of(_e255);
            float _e424 = score3_0_;
            score3_0_ = _e424 + (metal::dot(_e423.inner[0], _e73) + metal::dot(_e423.inner[1], _e79));
            float _e431 = score3_1_;
            score3_1_ = _e431 + (metal::dot(_e423.inner[0], _e89) + metal::dot(_e423.inner[1], _e95));
            float _e438 = score3_2_;
            score3_2_ = _e438 + (metal::dot(_e423.inner[0], _e105) + metal::dot(_e423.inner[1], _e111));
            float _e445 = score3_3_;
            score3_3_ = _e445 + (metal::dot(_e423.inner[0], _e121) + metal::dot(_e423.inner[1], _e127));
            float _e452 = score0_0_;
            float _e453 = score0_0_;
            float unnamed_2 = metal::simd_shuffle_xor(_e453, 1u);
            score0_0_ = _e452 + unnamed_2;
            float _e457 = score0_1_;
            float _e458 = score0_1_;
            float unnamed_3 = metal::simd_shuffle_xor(_e458, 1u);
            score0_1_ = _e457 + unnamed_3;
            float _e462 = score0_2_;
            float _e463 = score0_2_;
            float unnamed_4 = metal::simd_shuffle_xor(_e463, 1u);
            score0_2_ = _e462 + unnamed_4;
            float _e467 = score0_3_;
            float _e468 = score0_3_;
            float unnamed_5 = metal::simd_shuffle_xor(_e468, 1u);
            score0_3_ = _e467 + unnamed_5;
            float _e472 = score1_0_;
            float _e473 = score1_0_;
            float unnamed_6 = metal::simd_shuffle_xor(_e473, 1u);
            score1_0_ = _e472 + unnamed_6;
            float _e477 = score1_1_;
            float _e478 = score1_1_;
            float unnamed_7 = metal::simd_shuffle_xor(_e478, 1u);
            score1_1_ = _e477 + unnamed_7;
            float _e482 = score1_2_;
            float _e483 = score1_2_;
            float unnamed_8 = metal::simd_shuffle_xor(_e483, 1u);
            score1_2_ = _e482 + unnamed_8;
            float _e487 = score1_3_;
            float _e488 = score1_3_;
            float unnamed_9 = metal::simd_shuffle_xor(_e488, 1u);
            score1_3_ = _e487 + unnamed_9;
            float _e492 = score2_0_;
            float _e493 = score2_0_;
            float unnamed_10 = metal::simd_shuffle_xor(_e493, 1u);
            score2_0_ = _e492 + unnamed_10;
            float _e497 = score2_1_;
            float _e498 = score2_1_;
            float unnamed_11 = metal::simd_shuffle_xor(_e498, 1u);
            score2_1_ = _e497 + unnamed_11;
            float _e502 = score2_2_;
            float _e503 = score2_2_;
            float unnamed_12 = metal::simd_shuffle_xor(_e503, 1u);
            score2_2_ = _e502 + unnamed_12;
            float _e507 = score2_3_;
            float _e508 = score2_3_;
            float unnamed_13 = metal::simd_shuffle_xor(_e508, 1u);
            score2_3_ = _e507 + unnamed_13;
            float _e512 = score3_0_;
            float _e513 = score3_0_;
            float unnamed_14 = metal::simd_shuffle_xor(_e513, 1u);
            score3_0_ = _e512 + unnamed_14;
            float _e517 = score3_1_;
            float _e518 = score3_1_;
            float unnamed_15 = metal::simd_shuffle_xor(_e518, 1u);
            score3_1_ = _e517 + unnamed_15;
            float _e522 = score3_2_;
            float _e523 = score3_2_;
            float unnamed_16 = metal::simd_shuffle_xor(_e523, 1u);
            score3_2_ = _e522 + unnamed_16;
            float _e527 = score3_3_;
            float _e528 = score3_3_;
            float unnamed_17 = metal::simd_shuffle_xor(_e528, 1u);
            score3_3_ = _e527 + unnamed_17;
            float _e532 = score0_0_;
            float _e533 = score0_0_;
            float unnamed_18 = metal::simd_shuffle_xor(_e533, 2u);
            score0_0_ = _e532 + unnamed_18;
            float _e537 = score0_1_;
            float _e538 = score0_1_;
            float unnamed_19 = metal::simd_shuffle_xor(_e538, 2u);
            score0_1_ = _e537 + unnamed_19;
            float _e542 = score0_2_;
            float _e543 = score0_2_;
            float unnamed_20 = metal::simd_shuffle_xor(_e543, 2u);
            score0_2_ = _e542 + unnamed_20;
            float _e547 = score0_3_;
            float _e548 = score0_3_;
            float unnamed_21 = metal::simd_shuffle_xor(_e548, 2u);
            score0_3_ = _e547 + unnamed_21;
            float _e552 = score1_0_;
            float _e553 = score1_0_;
            float unnamed_22 = metal::simd_shuffle_xor(_e553, 2u);
            score1_0_ = _e552 + unnamed_22;
            float _e557 = score1_1_;
            float _e558 = score1_1_;
            float unnamed_23 = metal::simd_shuffle_xor(_e558, 2u);
            score1_1_ = _e557 + unnamed_23;
            float _e562 = score1_2_;
            float _e563 = score1_2_;
            float unnamed_24 = metal::simd_shuffle_xor(_e563, 2u);
            score1_2_ = _e562 + unnamed_24;
            float _e567 = score1_3_;
            float _e568 = score1_3_;
            float unnamed_25 = metal::simd_shuffle_xor(_e568, 2u);
            score1_3_ = _e567 + unnamed_25;
            float _e572 = score2_0_;
            float _e573 = score2_0_;
            float unnamed_26 = metal::simd_shuffle_xor(_e573, 2u);
            score2_0_ = _e572 + unnamed_26;
            float _e577 = score2_1_;
            float _e578 = score2_1_;
            float unnamed_27 = metal::simd_shuffle_xor(_e578, 2u);
            score2_1_ = _e577 + unnamed_27;
            float _e582 = score2_2_;
            float _e583 = score2_2_;
            float unnamed_28 = metal::simd_shuffle_xor(_e583, 2u);
            score2_2_ = _e582 + unnamed_28;
            float _e587 = score2_3_;
            float _e588 = score2_3_;
            float unnamed_29 = metal::simd_shuffle_xor(_e588, 2u);
            score2_3_ = _e587 + unnamed_29;
            float _e592 = score3_0_;
            float _e593 = score3_0_;
            float unnamed_30 = metal::simd_shuffle_xor(_e593, 2u);
            score3_0_ = _e592 + unnamed_30;
            float _e597 = score3_1_;
            float _e598 = score3_1_;
            float unnamed_31 = metal::simd_shuffle_xor(_e598, 2u);
            score3_1_ = _e597 + unnamed_31;
            float _e602 = score3_2_;
            float _e603 = score3_2_;
            float unnamed_32 = metal::simd_shuffle_xor(_e603, 2u);
            score3_2_ = _e602 + unnamed_32;
            float _e607 = score3_3_;
            float _e608 = score3_3_;
            float unnamed_33 = metal::simd_shuffle_xor(_e608, 2u);
            score3_3_ = _e607 + unnamed_33;
            float _e612 = score0_0_;
            float _e613 = score0_0_;
            float unnamed_34 = metal::simd_shuffle_xor(_e613, 4u);
            score0_0_ = _e612 + unnamed_34;
            float _e617 = score0_1_;
            float _e618 = score0_1_;
            float unnamed_35 = metal::simd_shuffle_xor(_e618, 4u);
            score0_1_ = _e617 + unnamed_35;
            float _e622 = score0_2_;
            float _e623 = score0_2_;
            float unnamed_36 = metal::simd_shuffle_xor(_e623, 4u);
            score0_2_ = _e622 + unnamed_36;
            float _e627 = score0_3_;
            float _e628 = score0_3_;
            float unnamed_37 = metal::simd_shuffle_xor(_e628, 4u);
            score0_3_ = _e627 + unnamed_37;
            float _e632 = score1_0_;
            float _e633 = score1_0_;
            float unnamed_38 = metal::simd_shuffle_xor(_e633, 4u);
            score1_0_ = _e632 + unnamed_38;
            float _e637 = score1_1_;
            float _e638 = score1_1_;
            float unnamed_39 = metal::simd_shuffle_xor(_e638, 4u);
            score1_1_ = _e637 + unnamed_39;
            float _e642 = score1_2_;
            float _e643 = score1_2_;
            float unnamed_40 = metal::simd_shuffle_xor(_e643, 4u);
            score1_2_ = _e642 + unnamed_40;
            float _e647 = score1_3_;
            float _e648 = score1_3_;
            float unnamed_41 = metal::simd_shuffle_xor(_e648, 4u);
            score1_3_ = _e647 + unnamed_41;
            float _e652 = score2_0_;
            float _e653 = score2_0_;
            float unnamed_42 = metal::simd_shuffle_xor(_e653, 4u);
            score2_0_ = _e652 + unnamed_42;
            float _e657 = score2_1_;
            float _e658 = score2_1_;
            float unnamed_43 = metal::simd_shuffle_xor(_e658, 4u);
            score2_1_ = _e657 + unnamed_43;
            float _e662 = score2_2_;
            float _e663 = score2_2_;
            float unnamed_44 = metal::simd_shuffle_xor(_e663, 4u);
            score2_2_ = _e662 + unnamed_44;
            float _e667 = score2_3_;
            float _e668 = score2_3_;
            float unnamed_45 = metal::simd_shuffle_xor(_e668, 4u);
            score2_3_ = _e667 + unnamed_45;
            float _e672 = score3_0_;
            float _e673 = score3_0_;
            float unnamed_46 = metal::simd_shuffle_xor(_e673, 4u);
            score3_0_ = _e672 + unnamed_46;
            float _e677 = score3_1_;
            float _e678 = score3_1_;
            float unnamed_47 = metal::simd_shuffle_xor(_e678, 4u);
            score3_1_ = _e677 + unnamed_47;
            float _e682 = score3_2_;
            float _e683 = score3_2_;
            float unnamed_48 = metal::simd_shuffle_xor(_e683, 4u);
            score3_2_ = _e682 + unnamed_48;
            float _e687 = score3_3_;
            float _e688 = score3_3_;
            float unnamed_49 = metal::simd_shuffle_xor(_e688, 4u);
            score3_3_ = _e687 + unnamed_49;
            float _e692 = score0_0_;
            float _e693 = score0_0_;
            float unnamed_50 = metal::simd_shuffle_xor(_e693, 8u);
            score0_0_ = _e692 + unnamed_50;
            float _e697 = score0_1_;
            float _e698 = score0_1_;
            float unnamed_51 = metal::simd_shuffle_xor(_e698, 8u);
            score0_1_ = _e697 + unnamed_51;
            float _e702 = score0_2_;
            float _e703 = score0_2_;
            float unnamed_52 = metal::simd_shuffle_xor(_e703, 8u);
            score0_2_ = _e702 + unnamed_52;
            float _e707 = score0_3_;
            float _e708 = score0_3_;
            float unnamed_53 = metal::simd_shuffle_xor(_e708, 8u);
            score0_3_ = _e707 + unnamed_53;
            float _e712 = score1_0_;
            float _e713 = score1_0_;
            float unnamed_54 = metal::simd_shuffle_xor(_e713, 8u);
            score1_0_ = _e712 + unnamed_54;
            float _e717 = score1_1_;
            float _e718 = score1_1_;
            float unnamed_55 = metal::simd_shuffle_xor(_e718, 8u);
            score1_1_ = _e717 + unnamed_55;
            float _e722 = score1_2_;
            float _e723 = score1_2_;
            float unnamed_56 = metal::simd_shuffle_xor(_e723, 8u);
            score1_2_ = _e722 + unnamed_56;
            float _e727 = score1_3_;
            float _e728 = score1_3_;
            float unnamed_57 = metal::simd_shuffle_xor(_e728, 8u);
            score1_3_ = _e727 + unnamed_57;
            float _e732 = score2_0_;
            float _e733 = score2_0_;
            float unnamed_58 = metal::simd_shuffle_xor(_e733, 8u);
            score2_0_ = _e732 + unnamed_58;
            float _e737 = score2_1_;
            float _e738 = score2_1_;
            float unnamed_59 = metal::simd_shuffle_xor(_e738, 8u);
            score2_1_ = _e737 + unnamed_59;
            float _e742 = score2_2_;
            float _e743 = score2_2_;
            float unnamed_60 = metal::simd_shuffle_xor(_e743, 8u);
            score2_2_ = _e742 + unnamed_60;
            float _e747 = score2_3_;
            float _e748 = score2_3_;
            float unnamed_61 = metal::simd_shuffle_xor(_e748, 8u);
            score2_3_ = _e747 + unnamed_61;
            float _e752 = score3_0_;
            float _e753 = score3_0_;
            float unnamed_62 = metal::simd_shuffle_xor(_e753, 8u);
            score3_0_ = _e752 + unnamed_62;
            float _e757 = score3_1_;
            float _e758 = score3_1_;
            float unnamed_63 = metal::simd_shuffle_xor(_e758, 8u);
            score3_1_ = _e757 + unnamed_63;
            float _e762 = score3_2_;
            float _e763 = score3_2_;
            float unnamed_64 = metal::simd_shuffle_xor(_e763, 8u);
            score3_2_ = _e762 + unnamed_64;
            float _e767 = score3_3_;
            float _e768 = score3_3_;
            float unnamed_65 = metal::simd_shuffle_xor(_e768, 8u);
            score3_3_ = _e767 + unnamed_65;
            float _e772 = largest0_;
            next0_ = _e772;
            float _e774 = score0_0_;
            uint _e775 = key;
            score0_0_ = ((_e775 + 0u) < end) ? _e774 : -1000000000000000000000000000000.0;
            float _e781 = next0_;
            float _e782 = score0_0_;
            next0_ = metal::max(_e781, _e782);
            float _e784 = score1_0_;
            uint _e785 = key;
            score1_0_ = ((_e785 + 1u) < end) ? _e784 : -1000000000000000000000000000000.0;
            float _e791 = next0_;
            float _e792 = score1_0_;
            next0_ = metal::max(_e791, _e792);
            float _e794 = score2_0_;
            uint _e795 = key;
            score2_0_ = ((_e795 + 2u) < end) ? _e794 : -1000000000000000000000000000000.0;
            float _e801 = next0_;
            float _e802 = score2_0_;
            next0_ = metal::max(_e801, _e802);
            float _e804 = score3_0_;
            uint _e805 = key;
            score3_0_ = ((_e805 + 3u) < end) ? _e804 : -1000000000000000000000000000000.0;
            float _e811 = next0_;
            float _e812 = score3_0_;
            next0_ = metal::max(_e811, _e812);
            float _e814 = largest0_;
            float _e815 = next0_;
            float shrink0_ = metal::exp(_e814 - _e815);
            float _e818 = next0_;
            largest0_ = _e818;
            float _e819 = total0_;
            total0_ = _e819 * shrink0_;
            metal::float4 _e821 = a0_0_;
            a0_0_ = _e821 * shrink0_;
            metal::float4 _e823 = b0_0_;
            b0_0_ = _e823 * shrink0_;
            float _e825 = largest1_;
            next1_ = _e825;
            float _e827 = score0_1_;
            uint _e828 = key;
            score0_1_ = ((_e828 + 0u) < end) ? _e827 : -1000000000000000000000000000000.0;
            float _e834 = next1_;
            float _e835 = score0_1_;
            next1_ = metal::max(_e834, _e835);
            float _e837 = score1_1_;
            uint _e838 = key;
            score1_1_ = ((_e838 + 1u) < end) ? _e837 : -1000000000000000000000000000000.0;
            float _e844 = next1_;
            float _e845 = score1_1_;
            next1_ = metal::max(_e844, _e845);
            float _e847 = score2_1_;
            uint _e848 = key;
            score2_1_ = ((_e848 + 2u) < end) ? _e847 : -1000000000000000000000000000000.0;
            float _e854 = next1_;
            float _e855 = score2_1_;
            next1_ = metal::max(_e854, _e855);
            float _e857 = score3_1_;
            uint _e858 = key;
            score3_1_ = ((_e858 + 3u) < end) ? _e857 : -1000000000000000000000000000000.0;
            float _e864 = next1_;
            float _e865 = score3_1_;
            next1_ = metal::max(_e864, _e865);
            float _e867 = largest1_;
            float _e868 = next1_;
            float shrink1_ = metal::exp(_e867 - _e868);
            float _e871 = next1_;
            largest1_ = _e871;
            float _e872 = total1_;
            total1_ = _e872 * shrink1_;
            metal::float4 _e874 = a1_0_;
            a1_0_ = _e874 * shrink1_;
            metal::float4 _e876 = b1_0_;
            b1_0_ = _e876 * shrink1_;
            float _e878 = largest2_;
            next2_ = _e878;
            float _e880 = score0_2_;
            uint _e881 = key;
            score0_2_ = ((_e881 + 0u) < end) ? _e880 : -1000000000000000000000000000000.0;
            float _e887 = next2_;
            float _e888 = score0_2_;
            next2_ = metal::max(_e887, _e888);
            float _e890 = score1_2_;
            uint _e891 = key;
            score1_2_ = ((_e891 + 1u) < end) ? _e890 : -1000000000000000000000000000000.0;
            float _e897 = next2_;
            float _e898 = score1_2_;
            next2_ = metal::max(_e897, _e898);
            float _e900 = score2_2_;
            uint _e901 = key;
            score2_2_ = ((_e901 + 2u) < end) ? _e900 : -1000000000000000000000000000000.0;
            float _e907 = next2_;
            float _e908 = score2_2_;
            next2_ = metal::max(_e907, _e908);
            float _e910 = score3_2_;
            uint _e911 = key;
            score3_2_ = ((_e911 + 3u) < end) ? _e910 : -1000000000000000000000000000000.0;
            float _e917 = next2_;
            float _e918 = score3_2_;
            next2_ = metal::max(_e917, _e918);
            float _e920 = largest2_;
            float _e921 = next2_;
            float shrink2_ = metal::exp(_e920 - _e921);
            float _e924 = next2_;
            largest2_ = _e924;
            float _e925 = total2_;
            total2_ = _e925 * shrink2_;
            metal::float4 _e927 = a2_0_;
            a2_0_ = _e927 * shrink2_;
            metal::float4 _e929 = b2_0_;
            b2_0_ = _e929 * shrink2_;
            float _e931 = largest3_;
            next3_ = _e931;
            float _e933 = score0_3_;
            uint _e934 = key;
            score0_3_ = ((_e934 + 0u) < end) ? _e933 : -1000000000000000000000000000000.0;
            float _e940 = next3_;
            float _e941 = score0_3_;
            next3_ = metal::max(_e940, _e941);
            float _e943 = score1_3_;
            uint _e944 = key;
            score1_3_ = ((_e944 + 1u) < end) ? _e943 : -1000000000000000000000000000000.0;
            float _e950 = next3_;
            float _e951 = score1_3_;
            next3_ = metal::max(_e950, _e951);
            float _e953 = score2_3_;
            uint _e954 = key;
            score2_3_ = ((_e954 + 2u) < end) ? _e953 : -1000000000000000000000000000000.0;
            float _e960 = next3_;
            float _e961 = score2_3_;
            next3_ = metal::max(_e960, _e961);
            float _e963 = score3_3_;
            uint _e964 = key;
            score3_3_ = ((_e964 + 3u) < end) ? _e963 : -1000000000000000000000000000000.0;
            float _e970 = next3_;
            float _e971 = score3_3_;
            next3_ = metal::max(_e970, _e971);
            float _e973 = largest3_;
            float _e974 = next3_;
            float shrink3_ = metal::exp(_e973 - _e974);
            float _e977 = next3_;
            largest3_ = _e977;
            float _e978 = total3_;
            total3_ = _e978 * shrink3_;
            metal::float4 _e980 = a3_0_;
            a3_0_ = _e980 * shrink3_;
            metal::float4 _e982 = b3_0_;
            b3_0_ = _e982 * shrink3_;
            float _e984 = score0_0_;
            float _e985 = largest0_;
            float weight0_0_ = metal::exp(_e984 - _e985);
            float _e988 = total0_;
            total0_ = _e988 + weight0_0_;
            float _e990 = score0_1_;
            float _e991 = largest1_;
            float weight0_1_ = metal::exp(_e990 - _e991);
            float _e994 = total1_;
            total1_ = _e994 + weight0_1_;
            float _e996 = score0_2_;
            float _e997 = largest2_;
            float weight0_2_ = metal::exp(_e996 - _e997);
            float _e1000 = total2_;
            total2_ = _e1000 + weight0_2_;
            float _e1002 = score0_3_;
            float _e1003 = largest3_;
            float weight0_3_ = metal::exp(_e1002 - _e1003);
            float _e1006 = total3_;
            total3_ = _e1006 + weight0_3_;
            type_13 _e1008 = values_of(_e267);
            metal::float4 _e1009 = a0_0_;
            a0_0_ = _e1009 + (weight0_0_ * _e1008.inner[0]);
            metal::float4 _e1013 = b0_0_;
            b0_0_ = _e1013 + (weight0_0_ * _e1008.inner[1]);
            metal::float4 _e1017 = a1_0_;
            a1_0_ = _e1017 + (weight0_1_ * _e1008.inner[0]);
            metal::float4 _e1021 = b1_0_;
            b1_0_ = _e1021 + (weight0_1_ * _e1008.inner[1]);
            metal::float4 _e1025 = a2_0_;
            a2_0_ = _e1025 + (weight0_2_ * _e1008.inner[0]);
            metal::float4 _e1029 = b2_0_;
            b2_0_ = _e1029 + (weight0_2_ * _e1008.inner[1]);
            metal::float4 _e1033 = a3_0_;
            a3_0_ = _e1033 + (weight0_3_ * _e1008.inner[0]);
            metal::float4 _e1037 = b3_0_;
            b3_0_ = _e1037 + (weight0_3_ * _e1008.inner[1]);
            float _e1041 = score1_0_;
            float _e1042 = largest0_;
            float weight1_0_ = metal::exp(_e1041 - _e1042);
            float _e1045 = total0_;
            total0_ = _e1045 + weight1_0_;
            float _e1047 = score1_1_;
            float _e1048 = largest1_;
            float weight1_1_ = metal::exp(_e1047 - _e1048);
            float _e1051 = total1_;
            total1_ = _e1051 + weight1_1_;
            float _e1053 = score1_2_;
            float _e1054 = largest2_;
            float weight1_2_ = metal::exp(_e1053 - _e1054);
            float _e1057 = total2_;
            total2_ = _e1057 + weight1_2_;
            float _e1059 = score1_3_;
            float _e1060 = largest3_;
            float weight1_3_ = metal::exp(_e1059 - _e1060);
            float _e1063 = total3_;
            total3_ = _e1063 + weight1_3_;
            type_13 _e1065 = values_of(_e279);
            metal::float4 _e1066 = a0_0_;
            a0_0_ = _e1066 + (weight1_0_ * _e1065.inner[0]);
            metal::float4 _e1070 = b0_0_;
            b0_0_ = _e1070 + (weight1_0_ * _e1065.inner[1]);
            metal::float4 _e1074 = a1_0_;
            a1_0_ = _e1074 + (weight1_1_ * _e1065.inner[0]);
            metal::float4 _e1078 = b1_0_;
            b1_0_ = _e1078 + (weight1_1_ * _e1065.inner[1]);
            metal::float4 _e1082 = a2_0_;
            a2_0_ = _e1082 + (weight1_2_ * _e1065.inner[0]);
            metal::float4 _e1086 = b2_0_;
            b2_0_ = _e1086 + (weight1_2_ * _e1065.inner[1]);
            metal::float4 _e1090 = a3_0_;
            a3_0_ = _e1090 + (weight1_3_ * _e1065.inner[0]);
            metal::float4 _e1094 = b3_0_;
            b3_0_ = _e1094 + (weight1_3_ * _e1065.inner[1]);
            float _e1098 = score2_0_;
            float _e1099 = largest0_;
            float weight2_0_ = metal::exp(_e1098 - _e1099);
            float _e1102 = total0_;
            total0_ = _e1102 + weight2_0_;
            float _e1104 = score2_1_;
            float _e1105 = largest1_;
            float weight2_1_ = metal::exp(_e1104 - _e1105);
            float _e1108 = total1_;
            total1_ = _e1108 + weight2_1_;
            float _e1110 = score2_2_;
            float _e1111 = largest2_;
            float weight2_2_ = metal::exp(_e1110 - _e1111);
            float _e1114 = total2_;
            total2_ = _e1114 + weight2_2_;
            float _e1116 = score2_3_;
            float _e1117 = largest3_;
            float weight2_3_ = metal::exp(_e1116 - _e1117);
            float _e1120 = total3_;
            total3_ = _e1120 + weight2_3_;
            type_13 _e1122 = values_of(_e291);
            metal::float4 _e1123 = a0_0_;
            a0_0_ = _e1123 + (weight2_0_ * _e1122.inner[0]);
            metal::float4 _e1127 = b0_0_;
            b0_0_ = _e1127 + (weight2_0_ * _e1122.inner[1]);
            metal::float4 _e1131 = a1_0_;
            a1_0_ = _e1131 + (weight2_1_ * _e1122.inner[0]);
            metal::float4 _e1135 = b1_0_;
            b1_0_ = _e1135 + (weight2_1_ * _e1122.inner[1]);
            metal::float4 _e1139 = a2_0_;
            a2_0_ = _e1139 + (weight2_2_ * _e1122.inner[0]);
            metal::float4 _e1143 = b2_0_;
            b2_0_ = _e1143 + (weight2_2_ * _e1122.inner[1]);
            metal::float4 _e1147 = a3_0_;
            a3_0_ = _e1147 + (weight2_3_ * _e1122.inner[0]);
            metal::float4 _e1151 = b3_0_;
            b3_0_ = _e1151 + (weight2_3_ * _e1122.inner[1]);
            float _e1155 = score3_0_;
            float _e1156 = largest0_;
            float weight3_0_ = metal::exp(_e1155 - _e1156);
            float _e1159 = total0_;
            total0_ = _e1159 + weight3_0_;
            float _e1161 = score3_1_;
            float _e1162 = largest1_;
            float weight3_1_ = metal::exp(_e1161 - _e1162);
            float _e1165 = total1_;
            total1_ = _e1165 + weight3_1_;
            float _e1167 = score3_2_;
            float _e1168 = largest2_;
            float weight3_2_ = metal::exp(_e1167 - _e1168);
            float _e1171 = total2_;
            total2_ = _e1171 + weight3_2_;
            float _e1173 = score3_3_;
            float _e1174 = largest3_;
            float weight3_3_ = metal::exp(_e1173 - _e1174);
            float _e1177 = total3_;
            total3_ = _e1177 + weight3_3_;
            type_13 _e1179 = values_of(_e303);
            metal::float4 _e1180 = a0_0_;
            a0_0_ = _e1180 + (weight3_0_ * _e1179.inner[0]);
            metal::float4 _e1184 = b0_0_;
            b0_0_ = _e1184 + (weight3_0_ * _e1179.inner[1]);
            metal::float4 _e1188 = a1_0_;
            a1_0_ = _e1188 + (weight3_1_ * _e1179.inner[0]);
            metal::float4 _e1192 = b1_0_;
            b1_0_ = _e1192 + (weight3_1_ * _e1179.inner[1]);
            metal::float4 _e1196 = a2_0_;
            a2_0_ = _e1196 + (weight3_2_ * _e1179.inner[0]);
            metal::float4 _e1200 = b2_0_;
            b2_0_ = _e1200 + (weight3_2_ * _e1179.inner[1]);
            metal::float4 _e1204 = a3_0_;
            a3_0_ = _e1204 + (weight3_3_ * _e1179.inner[0]);
            metal::float4 _e1208 = b3_0_;
            b3_0_ = _e1208 + (weight3_3_ * _e1179.inner[1]);
        }
    }
    if (naga_mod(me, LANES) == 0u) {
        float _e1225 = largest0_;
        most.inner[(party * G) + 0u] = _e1225;
        float _e1232 = total0_;
        totals.inner[(party * G) + 0u] = _e1232;
    }
    metal::float4 _e1244 = a0_0_;
    gathered.inner[(((party * G) + 0u) * FOURS) + (unit0_ * 2u)] = _e1244;
    metal::float4 _e1258 = b0_0_;
    gathered.inner[((((party * G) + 0u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1258;
    if (naga_mod(me, LANES) == 0u) {
        float _e1269 = largest1_;
        most.inner[(party * G) + 1u] = _e1269;
        float _e1276 = total1_;
        totals.inner[(party * G) + 1u] = _e1276;
    }
    metal::float4 _e1288 = a1_0_;
    gathered.inner[(((party * G) + 1u) * FOURS) + (unit0_ * 2u)] = _e1288;
    metal::float4 _e1302 = b1_0_;
    gathered.inner[((((party * G) + 1u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1302;
    if (naga_mod(me, LANES) == 0u) {
        float _e1313 = largest2_;
        most.inner[(party * G) + 2u] = _e1313;
        float _e1320 = total2_;
        totals.inner[(party * G) + 2u] = _e1320;
    }
    metal::float4 _e1332 = a2_0_;
    gathered.inner[(((party * G) + 2u) * FOURS) + (unit0_ * 2u)] = _e1332;
    metal::float4 _e1346 = b2_0_;
    gathered.inner[((((party * G) + 2u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1346;
    if (naga_mod(me, LANES) == 0u) {
        float _e1357 = largest3_;
        most.inner[(party * G) + 3u] = _e1357;
        float _e1364 = total3_;
        totals.inner[(party * G) + 3u] = _e1364;
    }
    metal::float4 _e1376 = a3_0_;
    gathered.inner[(((party * G) + 3u) * FOURS) + (unit0_ * 2u)] = _e1376;
    metal::float4 _e1390 = b3_0_;
    gathered.inner[((((party * G) + 3u) * FOURS) + (unit0_ * 2u)) + 1u] = _e1390;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i = me;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e1523 = i;
            i = _e1523 + WG;
        }
        loop_init_13 = false;
        uint _e1392 = i;
        if (_e1392 < ((heads_2 * UNITS_ALL) * 2u)) {
        } else {
            break;
        }
        {
            uint _e1398 = i;
            uint g_3 = naga_div(_e1398, 32u);
            uint _e1401 = i;
            uint four = naga_mod(_e1401, 32u);
            top = -1000000000000000000000000000000.0;
            s = 0u;
            uint2 loop_bound_14 = uint2(4294967295u);
            bool loop_init_14 = true;
            while(true) {
                if (metal::all(loop_bound_14 == uint2(0u))) { break; }
                loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
                if (!loop_init_14) {
                    uint _e1421 = s;
                    s = _e1421 + 1u;
                }
                loop_init_14 = false;
                uint _e1408 = s;
                if (_e1408 < PARTIES) {
                } else {
                    break;
                }
                {
                    float _e1411 = top;
                    uint _e1413 = s;
                    float _e1418 = most.inner[(_e1413 * G) + g_3];
                    top = metal::max(_e1411, _e1418);
                }
            }
            total = 0.0;
            y = metal::float4(0.0);
            s_1 = 0u;
            uint2 loop_bound_15 = uint2(4294967295u);
            bool loop_init_15 = true;
            while(true) {
                if (metal::all(loop_bound_15 == uint2(0u))) { break; }
                loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
                if (!loop_init_15) {
                    uint _e1467 = s_1;
                    s_1 = _e1467 + 1u;
                }
                loop_init_15 = false;
                uint _e1430 = s_1;
                if (_e1430 < PARTIES) {
                } else {
                    break;
                }
                {
                    uint _e1434 = s_1;
                    float _e1439 = most.inner[(_e1434 * G) + g_3];
                    float _e1440 = top;
                    float w_3 = metal::exp(_e1439 - _e1440);
                    float _e1443 = total;
                    uint _e1445 = s_1;
                    float _e1450 = totals.inner[(_e1445 * G) + g_3];
                    total = _e1443 + (w_3 * _e1450);
                    metal::float4 _e1453 = y;
                    uint _e1455 = s_1;
                    metal::float4 _e1463 = gathered.inner[(((_e1455 * G) + g_3) * FOURS) + four];
                    y = _e1453 + (w_3 * _e1463);
                }
            }
            uint _e1471 = p.parts;
            uint _e1474 = p.heads;
            uint _e1480 = step[3];
            uint to = _e1471 + ((((((row_6 * _e1474) + head_3) + g_3) * _e1480) + split) * 130u);
            if (four == 0u) {
                float _e1490 = top;
                act[to] = _e1490;
                float _e1495 = total;
                act[to + 1u] = _e1495;
            }
            uint at_3 = (to + 2u) + (four * 4u);
            float _e1504 = y.x;
            act[at_3] = _e1504;
            float _e1510 = y.y;
            act[at_3 + 1u] = _e1510;
            float _e1516 = y.z;
            act[at_3 + 2u] = _e1516;
            float _e1522 = y.w;
            act[at_3 + 3u] = _e1522;
        }
    }
    return;
}
