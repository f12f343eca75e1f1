// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size2;
    uint size4;
    uint size5;
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
struct Params {
    Place place;
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
typedef float type_6[1];
struct type_7 {
    float inner[128];
};
constant uint WG = 64u;
constant uint SUBGROUPS = 8u;
constant uint CACHE = 1u;
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
    uint i_4 = 0u;
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
            uint _e27 = i_4;
            i_4 = _e27 + 1u;
        }
        loop_init = false;
        uint _e13 = i_4;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total;
            uint _e22 = i_4;
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
    uint i_5 = 1u;
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
            uint _e29 = i_5;
            i_5 = _e29 + 1u;
        }
        loop_init_1 = false;
        uint _e15 = i_5;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest;
            uint _e24 = i_5;
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
    uint weight,
    uint len,
    float eps,
    uint me_1,
    uint lane_3,
    uint subgroup_3,
    uint size_3,
    threadgroup type_5& sum_parts,
    device type_6 const& vectors,
    threadgroup type_7& held,
    constant _mslBufferSizes& _buffer_sizes
) {
    float squares = 0.0;
    uint i_6 = {};
    uint i_7 = {};
    i_6 = me_1;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e23 = i_6;
            i_6 = _e23 + WG;
        }
        loop_init_2 = false;
        uint _e10 = i_6;
        if (_e10 < len) {
        } else {
            break;
        }
        {
            float _e12 = squares;
            uint _e14 = i_6;
            float _e16 = held.inner[_e14];
            uint _e18 = i_6;
            float _e20 = held.inner[_e18];
            squares = _e12 + (_e16 * _e20);
        }
    }
    float _e26 = squares;
    float _e27 = workgroup_sum(_e26, lane_3, subgroup_3, size_3, sum_parts);
    float scale = 1.0 / metal::sqrt((_e27 / static_cast<float>(len)) + eps);
    i_7 = me_1;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e48 = i_7;
            i_7 = _e48 + WG;
        }
        loop_init_3 = false;
        uint _e35 = i_7;
        if (_e35 < len) {
        } else {
            break;
        }
        {
            uint _e38 = i_7;
            float _e40 = held.inner[_e38];
            uint _e42 = i_7;
            float _e45 = vectors[weight + _e42];
            held.inner[_e38] = _e40 * (scale * _e45);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}

void rotate(
    uint row_1,
    uint first,
    uint me_2,
    device type_1 const& step,
    constant Params& p,
    threadgroup type_7& held,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_8 = {};
    uint _e7 = p.rope;
    uint _e10 = step[16u + _e7];
    uint _e13 = p.pairs;
    uint table_1 = _e10 + ((row_1 * _e13) * 2u);
    i_8 = me_2;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e86 = i_8;
            i_8 = _e86 + WG;
        }
        loop_init_4 = false;
        uint _e19 = i_8;
        uint _e22 = p.pairs;
        if (_e19 < _e22) {
        } else {
            break;
        }
        {
            uint _e25 = i_8;
            uint _e27 = i_8;
            uint _e30 = p.halves;
            uint a_1 = first + ((_e30 == 1u) ? _e27 : (2u * _e25));
            uint _e36 = i_8;
            uint _e40 = i_8;
            uint _e43 = p.pairs;
            uint _e47 = p.halves;
            uint b_2 = first + ((_e47 == 1u) ? (_e40 + _e43) : ((2u * _e36) + 1u));
            uint _e54 = i_8;
            uint _e58 = step[table_1 + (2u * _e54)];
            float cos = as_type<float>(_e58);
            uint _e62 = i_8;
            uint _e68 = step[(table_1 + (2u * _e62)) + 1u];
            float sin = as_type<float>(_e68);
            float x = held.inner[a_1];
            float y = held.inner[b_2];
            held.inner[a_1] = (x * cos) - (y * sin);
            held.inner[b_2] = (x * sin) + (y * cos);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}

int naga_f2i32(float value) {
    return static_cast<int>(metal::clamp(value, -2147483600.0, 2147483500.0));
}

void store(
    uint plane,
    uint scales,
    uint slot,
    uint dim,
    uint me_3,
    device type_1& cache,
    threadgroup type_7& held,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_9 = {};
    uint i_10 = {};
    uint b_1 = {};
    float largest_1 = {};
    uint i_11 = {};
    uint w = {};
    metal::int4 q = {};
    uint j = {};
    if (false) {
        uint stride = naga_div(dim + 7u, 8u) * 8u;
        i_9 = me_3;
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
            uint _e13 = i_9;
            if (_e13 < stride) {
            } else {
                break;
            }
            {
                uint _e18 = i_9;
                uint _e23 = i_9;
                float _e28 = held.inner[metal::min(_e23, dim - 1u)];
                uint _e30 = i_9;
                cache[(plane + (slot * stride)) + _e18] = (_e30 < dim) ? as_type<uint>(_e28) : 0u;
            }
        }
        return;
    } else {
        if (true) {
            uint stride_1 = naga_div(dim + 7u, 8u) * 4u;
            i_10 = me_3;
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
                if (_e44 < stride_1) {
                } else {
                    break;
                }
                {
                    uint _e48 = i_10;
                    float _e54 = held.inner[metal::min(2u * _e48, dim - 1u)];
                    uint _e56 = i_10;
                    float a_2 = ((2u * _e56) < dim) ? _e54 : 0.0;
                    uint _e63 = i_10;
                    float _e71 = held.inner[metal::min((2u * _e63) + 1u, dim - 1u)];
                    uint _e73 = i_10;
                    float b_3 = (((2u * _e73) + 1u) < dim) ? _e71 : 0.0;
                    uint _e83 = i_10;
                    cache[(plane + (slot * stride_1)) + _e83] = as_type<uint>(half2(metal::clamp(metal::float2(a_2, b_3), metal::float2(-65504.0), metal::float2(65504.0))));
                }
            }
            return;
        } else {
            uint blocks = naga_div(dim + 31u, 32u);
            b_1 = me_3;
            uint2 loop_bound_7 = uint2(4294967295u);
            bool loop_init_7 = true;
            while(true) {
                if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                if (!loop_init_7) {
                    uint _e194 = b_1;
                    b_1 = _e194 + WG;
                }
                loop_init_7 = false;
                uint _e101 = b_1;
                if (_e101 < blocks) {
                } else {
                    break;
                }
                {
                    largest_1 = 0.0;
                    uint _e105 = b_1;
                    i_11 = _e105 * 32u;
                    uint2 loop_bound_8 = uint2(4294967295u);
                    bool loop_init_8 = true;
                    while(true) {
                        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                        if (!loop_init_8) {
                            uint _e125 = i_11;
                            i_11 = _e125 + 1u;
                        }
                        loop_init_8 = false;
                        uint _e109 = i_11;
                        uint _e110 = b_1;
                        if (_e109 < metal::min((_e110 * 32u) + 32u, dim)) {
                        } else {
                            break;
                        }
                        {
                            float _e117 = largest_1;
                            uint _e119 = i_11;
                            float _e121 = held.inner[_e119];
                            largest_1 = metal::max(_e117, metal::abs(_e121));
                        }
                    }
                    float _e127 = largest_1;
                    float _e130 = largest_1;
                    float inverse = (_e130 > 0.0) ? (127.0 / _e127) : 0.0;
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
                        uint _e137 = w;
                        if (_e137 < 8u) {
                        } else {
                            break;
                        }
                        {
                            q = metal::int4(0);
                            j = 0u;
                            uint2 loop_bound_10 = uint2(4294967295u);
                            bool loop_init_10 = true;
                            while(true) {
                                if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                                loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                                if (!loop_init_10) {
                                    uint _e167 = j;
                                    j = _e167 + 1u;
                                }
                                loop_init_10 = false;
                                uint _e145 = j;
                                if (_e145 < 4u) {
                                } else {
                                    break;
                                }
                                {
                                    uint _e148 = b_1;
                                    uint _e151 = w;
                                    uint _e155 = j;
                                    uint i_12 = ((_e148 * 32u) + (_e151 * 4u)) + _e155;
                                    if (i_12 < dim) {
                                        uint _e158 = j;
                                        float _e162 = held.inner[i_12];
                                        q[_e158] = naga_f2i32(metal::rint(_e162 * inverse));
                                    }
                                }
                            }
                            uint _e171 = b_1;
                            uint _e176 = w;
                            metal::int4 _e179 = q;
                            cache[(plane + (((slot * blocks) + _e171) * 8u)) + _e176] = as_type<uint>(packed_char4(_e179));
                        }
                    }
                    uint _e187 = b_1;
                    float _e190 = largest_1;
                    cache[(scales + (slot * blocks)) + _e187] = as_type<uint>(_e190 / 127.0);
                }
            }
            return;
        }
    }
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
, device type_6& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_6 const& vectors [[user(fake0)]]
, device type_1& cache [[user(fake0)]]
, threadgroup type_7& held
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    float grown = 1.0;
    uint i_1 = {};
    uint i_2 = {};
    uint i_3 = {};
    uint row_2 = group.y;
    uint item = group.x;
    uint _e9 = p.heads;
    if (item < _e9) {
        uint _e13 = p.q;
        uint _e16 = p.heads;
        uint _e21 = p.q_dim;
        uint at = _e13 + (((row_2 * _e16) + item) * _e21);
        i = me;
        uint2 loop_bound_11 = uint2(4294967295u);
        bool loop_init_11 = true;
        while(true) {
            if (metal::all(loop_bound_11 == uint2(0u))) { break; }
            loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
            if (!loop_init_11) {
                uint _e38 = i;
                i = _e38 + WG;
            }
            loop_init_11 = false;
            uint _e25 = i;
            uint _e28 = p.q_dim;
            if (_e25 < _e28) {
            } else {
                break;
            }
            {
                uint _e31 = i;
                uint _e34 = i;
                float _e37 = act[at + _e34];
                held.inner[_e31] = _e37;
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        uint _e43 = p.q_norm;
        if (_e43 > 0u) {
            uint _e48 = p.q_norm;
            uint _e53 = p.q_dim;
            float _e56 = p.q_eps;
            norm(_e48 - 1u, _e53, _e56, me, lane, subgroup, size, sum_parts, vectors, held, _buffer_sizes);
        }
        uint _e59 = p.q_rotated;
        rotate(row_2, _e59, me, step, p, held, _buffer_sizes);
        float _e64 = p.growth;
        if (_e64 != 0.0) {
            float _e67 = grown;
            float _e70 = p.growth;
            uint _e74 = step[5];
            uint _e77 = step[_e74 + row_2];
            float _e81 = p.growth_every;
            grown = _e67 + (_e70 * metal::log(1.0 + metal::floor(static_cast<float>(_e77) / _e81)));
        }
        uint _e91 = p.q_from;
        i_1 = _e91 + me;
        uint2 loop_bound_12 = uint2(4294967295u);
        bool loop_init_12 = true;
        while(true) {
            if (metal::all(loop_bound_12 == uint2(0u))) { break; }
            loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
            if (!loop_init_12) {
                uint _e126 = i_1;
                i_1 = _e126 + WG;
            }
            loop_init_12 = false;
            uint _e94 = i_1;
            uint _e97 = p.q_dim;
            if (_e94 < _e97) {
            } else {
                break;
            }
            {
                uint _e102 = p.q_out;
                uint _e105 = p.q_row;
                uint _e110 = p.q_item;
                uint _e113 = i_1;
                uint _e117 = p.q_from;
                uint _e121 = i_1;
                float _e123 = held.inner[_e121];
                float _e124 = grown;
                act[(((_e102 + (row_2 * _e105)) + (item * _e110)) + _e113) - _e117] = _e123 * _e124;
            }
        }
        return;
    } else {
        uint _e131 = p.heads;
        uint _e134 = p.kv_heads;
        if (item < (_e131 + _e134)) {
            uint _e139 = p.heads;
            uint head_1 = item - _e139;
            uint _e143 = p.k;
            uint _e146 = p.kv_heads;
            uint _e151 = p.key_dim;
            uint at_1 = _e143 + (((row_2 * _e146) + head_1) * _e151);
            i_2 = me;
            uint2 loop_bound_13 = uint2(4294967295u);
            bool loop_init_13 = true;
            while(true) {
                if (metal::all(loop_bound_13 == uint2(0u))) { break; }
                loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
                if (!loop_init_13) {
                    uint _e168 = i_2;
                    i_2 = _e168 + WG;
                }
                loop_init_13 = false;
                uint _e155 = i_2;
                uint _e158 = p.key_dim;
                if (_e155 < _e158) {
                } else {
                    break;
                }
                {
                    uint _e161 = i_2;
                    uint _e164 = i_2;
                    float _e167 = act[at_1 + _e164];
                    held.inner[_e161] = _e167;
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e173 = p.k_norm;
            if (_e173 > 0u) {
                uint _e178 = p.k_norm;
                uint _e183 = p.k_normed;
                float _e186 = p.k_eps;
                norm(_e178 - 1u, _e183, _e186, me, lane, subgroup, size, sum_parts, vectors, held, _buffer_sizes);
            }
            uint _e189 = p.k_rotated;
            rotate(row_2, _e189, me, step, p, held, _buffer_sizes);
            uint _e192 = p.windowed;
            uint _e193 = table_of(row_2, _e192, step, _buffer_sizes);
            uint _e197 = step[5];
            uint _e200 = step[_e197 + row_2];
            uint _e203 = p.block_len;
            uint _e206 = p.kv_heads;
            uint _e207 = slot_of(_e193, _e200, _e203, _e206, head_1, step, _buffer_sizes);
            uint _e211 = p.place.keys;
            uint _e215 = p.place.key_scales;
            uint _e218 = p.key_dim;
            store(_e211, _e215, _e207, _e218, me, cache, held, _buffer_sizes);
            return;
        } else {
            uint _e221 = p.heads;
            uint _e225 = p.kv_heads;
            uint head_2 = (item - _e221) - _e225;
            uint _e229 = p.v;
            uint _e232 = p.kv_heads;
            uint _e237 = p.value_dim;
            uint at_2 = _e229 + (((row_2 * _e232) + head_2) * _e237);
            i_3 = me;
            uint2 loop_bound_14 = uint2(4294967295u);
            bool loop_init_14 = true;
            while(true) {
                if (metal::all(loop_bound_14 == uint2(0u))) { break; }
                loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
                if (!loop_init_14) {
                    uint _e254 = i_3;
                    i_3 = _e254 + WG;
                }
                loop_init_14 = false;
                uint _e241 = i_3;
                uint _e244 = p.value_dim;
                if (_e241 < _e244) {
                } else {
                    break;
                }
                {
                    uint _e247 = i_3;
                    uint _e250 = i_3;
                    float _e253 = act[at_2 + _e250];
                    held.inner[_e247] = _e253;
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e259 = p.windowed;
            uint _e260 = table_of(row_2, _e259, step, _buffer_sizes);
            uint _e264 = step[5];
            uint _e267 = step[_e264 + row_2];
            uint _e270 = p.block_len;
            uint _e273 = p.kv_heads;
            uint _e274 = slot_of(_e260, _e267, _e270, _e273, head_2, step, _buffer_sizes);
            uint _e278 = p.place.values;
            uint _e282 = p.place.value_scales;
            uint _e285 = p.value_dim;
            store(_e278, _e282, _e274, _e285, me, cache, held, _buffer_sizes);
            return;
        }
    }
}
