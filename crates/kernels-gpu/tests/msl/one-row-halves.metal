// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size4;
    uint size5;
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
struct type_8 {
    metal::float4 inner[2];
};
struct type_9 {
    metal::float4 inner[4];
};
struct type_10 {
    float inner[256];
};
typedef metal::float4 type_11[1];
struct type_12 {
    metal::float4 inner[1024];
};
struct type_14 {
    metal::uint4 inner[12];
};
struct Params {
    uint x;
    uint norm;
    uint width;
    uint count;
    type_14 parts;
};
struct type_15 {
    float inner[64];
};
constant uint WG = 512u;
constant uint SUBGROUPS = 64u;
constant uint ROWS = 32u;
constant uint MATRICES = 2u;
constant uint TAKEN = 128u;
constant uint FOURS = 2u;
constant uint EPS = 925353388u;
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

type_8 weight8_(
    Planes p,
    uint i_4,
    device type_5 const& codes,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::uint4 w = codes[p.codes + i_4];
    return type_8 {{metal::float4(float2(as_type<half2>(w.x)), float2(as_type<half2>(w.y))), metal::float4(float2(as_type<half2>(w.z)), float2(as_type<half2>(w.w)))}};
}

type_9 weight16_(
    Planes p_1,
    uint i_5,
    device type_5 const& codes,
    constant _mslBufferSizes& _buffer_sizes
) {
    type_8 _e4 = weight8_(p_1, i_5 * 2u, codes, _buffer_sizes);
    type_8 _e9 = weight8_(p_1, (i_5 * 2u) + 1u, codes, _buffer_sizes);
    return type_9 {{_e4.inner[0], _e4.inner[1], _e9.inner[0], _e9.inner[1]}};
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

float workgroup_sum(
    float value,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_10& sum_parts
) {
    float total = 0.0;
    uint i_6 = 0u;
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
            uint _e27 = i_6;
            i_6 = _e27 + 1u;
        }
        loop_init = false;
        uint _e13 = i_6;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total;
            uint _e22 = i_6;
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
    threadgroup type_10& sum_parts
) {
    float largest = {};
    uint i_7 = 1u;
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
            uint _e29 = i_7;
            i_7 = _e29 + 1u;
        }
        loop_init_1 = false;
        uint _e15 = i_7;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest;
            uint _e24 = i_7;
            float _e26 = sum_parts.inner[_e24];
            largest = metal::max(_e22, _e26);
        }
    }
    float _e31 = largest;
    return _e31;
}

void take(
    uint x,
    uint weight,
    uint width,
    uint me_1,
    uint lane_3,
    uint subgroup_3,
    uint size_3,
    threadgroup type_10& sum_parts,
    device type_11 const& act,
    device type_11 const& vectors,
    threadgroup type_12& from_fours,
    constant _mslBufferSizes& _buffer_sizes
) {
    float squares = 0.0;
    uint i0_ = me_1 + 0u;
    bool known0_ = (i0_ * 4u) < width;
    uint at0_ = metal::min(i0_, naga_div(width, 4u) - 1u);
    metal::float4 _e24 = act[naga_div(x, 4u) + at0_];
    metal::float4 v0_ = known0_ ? _e24 : metal::float4(0.0);
    metal::float4 _e33 = vectors[naga_div(weight, 4u) + at0_];
    metal::float4 w0_ = known0_ ? _e33 : metal::float4(0.0);
    float _e37 = squares;
    squares = _e37 + metal::dot(v0_, v0_);
    uint i1_ = me_1 + 512u;
    bool known1_ = (i1_ * 4u) < width;
    uint at1_ = metal::min(i1_, naga_div(width, 4u) - 1u);
    metal::float4 _e55 = act[naga_div(x, 4u) + at1_];
    metal::float4 v1_ = known1_ ? _e55 : metal::float4(0.0);
    metal::float4 _e64 = vectors[naga_div(weight, 4u) + at1_];
    metal::float4 w1_ = known1_ ? _e64 : metal::float4(0.0);
    float _e68 = squares;
    squares = _e68 + metal::dot(v1_, v1_);
    float _e71 = squares;
    float _e72 = workgroup_sum(_e71, lane_3, subgroup_3, size_3, sum_parts);
    float scale = 1.0 / metal::sqrt((_e72 / static_cast<float>(width)) + as_type<float>(EPS));
    metal::float4 y0_ = (v0_ * scale) * w0_;
    if (i0_ < 1024u) {
        from_fours.inner[i0_] = y0_;
    }
    metal::float4 y1_ = (v1_ * scale) * w1_;
    if (i1_ < 1024u) {
        from_fours.inner[i1_] = y1_;
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}

float product_of(
    Planes planes,
    uint i_8,
    uint b_2,
    device type_5 const& codes,
    threadgroup type_12& from_fours,
    constant _mslBufferSizes& _buffer_sizes
) {
    type_8 _e3 = weight8_(planes, i_8, codes, _buffer_sizes);
    metal::float4 _e9 = from_fours.inner[b_2 * 2u];
    metal::float4 _e18 = from_fours.inner[(b_2 * 2u) + 1u];
    return metal::dot(_e3.inner[0], _e9) + metal::dot(_e3.inner[1], _e18);
}

metal::float4 results_at(
    uint i_9,
    threadgroup type_15& results
) {
    float _e3 = results.inner[i_9];
    float _e8 = results.inner[i_9 + 1u];
    float _e13 = results.inner[i_9 + 2u];
    float _e18 = results.inner[i_9 + 3u];
    return metal::float4(_e3, _e8, _e13, _e18);
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(512)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_5 const& codes [[user(fake0)]]
, threadgroup type_10& sum_parts
, device type_11& act [[user(fake0)]]
, device type_11 const& vectors [[user(fake0)]]
, threadgroup type_12& from_fours
, constant Params& p_2 [[user(fake0)]]
, threadgroup type_15& results
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint k = 0u;
    bool local = {};
    uint r = {};
    float sum0_0_ = {};
    float sum1_0_ = {};
    float sum0_1_ = {};
    float sum1_1_ = {};
    uint b = {};
    uint i = {};
    metal::float4 y = {};
    uint2 loop_bound_2 = uint2(4294967295u);
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        uint _e7 = k;
        uint _e12 = p_2.count;
        if ((_e7 + 1u) < _e12) {
            uint _e19 = k;
            uint _e26 = p_2.parts.inner[(_e19 + 1u) * 3u].x;
            local = group.x >= _e26;
        } else {
            local = false;
        }
        bool _e29 = local;
        if (_e29) {
        } else {
            break;
        }
        {
            uint _e31 = k;
            k = _e31 + 1u;
        }
    }
    uint _e35 = k;
    metal::uint4 part = p_2.parts.inner[_e35 * 3u];
    uint _e42 = k;
    metal::uint4 at0_1 = p_2.parts.inner[((_e42 * 3u) + 1u) + 0u];
    Planes planes0_ = Planes {at0_1.x, at0_1.y, at0_1.z, at0_1.w};
    uint _e58 = k;
    metal::uint4 at1_1 = p_2.parts.inner[((_e58 * 3u) + 1u) + 1u];
    Planes planes1_ = Planes {at1_1.x, at1_1.y, at1_1.z, at1_1.w};
    uint first_1 = (group.x - part.x) * ROWS;
    uint _e79 = p_2.x;
    uint _e82 = p_2.norm;
    uint _e85 = p_2.width;
    take(_e79, _e82, _e85, me, lane, subgroup, size, sum_parts, act, vectors, from_fours, _buffer_sizes);
    r = subgroup * 2u;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e194 = r;
            r = _e194 + (naga_div(WG, size) * 2u);
        }
        loop_init_2 = false;
        uint _e89 = r;
        if (_e89 < ROWS) {
        } else {
            break;
        }
        {
            uint _e92 = r;
            uint row0_ = metal::min((first_1 + _e92) + 0u, part.y - 1u) * 512u;
            sum0_0_ = 0.0;
            sum1_0_ = 0.0;
            uint _e106 = r;
            uint row1_ = metal::min((first_1 + _e106) + 1u, part.y - 1u) * 512u;
            sum0_1_ = 0.0;
            sum1_1_ = 0.0;
            b = lane;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e148 = b;
                    b = _e148 + size;
                }
                loop_init_3 = false;
                uint _e121 = b;
                if (_e121 < 512u) {
                } else {
                    break;
                }
                {
                    float _e124 = sum0_0_;
                    uint _e125 = b;
                    uint _e127 = b;
                    float _e128 = product_of(planes0_, row0_ + _e125, _e127, codes, from_fours, _buffer_sizes);
                    sum0_0_ = _e124 + _e128;
                    float _e130 = sum1_0_;
                    uint _e131 = b;
                    uint _e133 = b;
                    float _e134 = product_of(planes1_, row0_ + _e131, _e133, codes, from_fours, _buffer_sizes);
                    sum1_0_ = _e130 + _e134;
                    float _e136 = sum0_1_;
                    uint _e137 = b;
                    uint _e139 = b;
                    float _e140 = product_of(planes0_, row1_ + _e137, _e139, codes, from_fours, _buffer_sizes);
                    sum0_1_ = _e136 + _e140;
                    float _e142 = sum1_1_;
                    uint _e143 = b;
                    uint _e145 = b;
                    float _e146 = product_of(planes1_, row1_ + _e143, _e145, codes, from_fours, _buffer_sizes);
                    sum1_1_ = _e142 + _e146;
                }
            }
            float _e150 = sum0_0_;
            float unnamed_2 = metal::simd_sum(_e150);
            if (lane == 0u) {
                uint _e156 = r;
                results.inner[(0u + _e156) + 0u] = unnamed_2;
            }
            float _e161 = sum1_0_;
            float unnamed_3 = metal::simd_sum(_e161);
            if (lane == 0u) {
                uint _e167 = r;
                results.inner[(32u + _e167) + 0u] = unnamed_3;
            }
            float _e172 = sum0_1_;
            float unnamed_4 = metal::simd_sum(_e172);
            if (lane == 0u) {
                uint _e178 = r;
                results.inner[(0u + _e178) + 1u] = unnamed_4;
            }
            float _e183 = sum1_1_;
            float unnamed_5 = metal::simd_sum(_e183);
            if (lane == 0u) {
                uint _e189 = r;
                results.inner[(32u + _e189) + 1u] = unnamed_5;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i = me * 4u;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e260 = i;
            i = _e260 + 2048u;
        }
        loop_init_4 = false;
        uint _e203 = i;
        if (_e203 < ROWS) {
        } else {
            break;
        }
        {
            uint _e206 = i;
            if ((first_1 + _e206) < part.y) {
                uint _e210 = i;
                metal::float4 _e211 = results_at(_e210, results);
                y = _e211;
                if (part.w > 0u) {
                    metal::float4 _e216 = y;
                    uint _e222 = i;
                    metal::float4 _e227 = vectors[naga_div(((part.w - 1u) + first_1) + _e222, 4u)];
                    y = _e216 + _e227;
                }
                if (true) {
                    uint _e231 = i;
                    metal::float4 _e233 = results_at(32u + _e231, results);
                    float _e235 = y.x;
                    float _e237 = activate(_e235, _e233.x);
                    float _e239 = y.y;
                    float _e241 = activate(_e239, _e233.y);
                    float _e243 = y.z;
                    float _e245 = activate(_e243, _e233.z);
                    float _e247 = y.w;
                    float _e249 = activate(_e247, _e233.w);
                    y = metal::float4(_e237, _e241, _e245, _e249);
                }
                uint _e254 = i;
                metal::float4 _e259 = y;
                act[naga_div((part.z + first_1) + _e254, 4u)] = _e259;
            }
        }
    }
    return;
}
