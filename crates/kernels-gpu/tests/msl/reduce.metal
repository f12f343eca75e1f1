// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
    uint size5;
    uint size7;
};

typedef uint type_2[1];
typedef metal::uint2 type_7[1];
struct type_8 {
    float inner[64];
};
struct type_9 {
    int inner[64];
};
struct Params {
    uint parts;
    uint out;
    uint heads;
    uint sinks;
    uint dim;
    uint part;
    uint stride;
    uint pad;
};
typedef float type_11[1];
constant uint WG = 64u;
constant uint SUBGROUPS = 8u;
constant bool KEEP = false;
constant uint FORMAT = 1u;
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
    threadgroup type_8& block_max,
    threadgroup type_9& block_sum,
    constant _mslBufferSizes& _buffer_sizes
) {
    float largest = 0.0;
    uint i_3 = 0u;
    if (true) {
        metal::float4 size = metal::abs(values);
        block_max.inner[me_1] = metal::max(metal::max(size.x, size.y), metal::max(size.z, size.w));
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        uint first = me_1 & 4294967288u;
        uint2 loop_bound = uint2(4294967295u);
        bool loop_init = true;
        while(true) {
            if (metal::all(loop_bound == uint2(0u))) { break; }
            loop_bound -= uint2(loop_bound.y == 0u, 1u);
            if (!loop_init) {
                uint _e33 = i_3;
                i_3 = _e33 + 1u;
            }
            loop_init = false;
            uint _e22 = i_3;
            if (_e22 < 8u) {
            } else {
                break;
            }
            {
                float _e25 = largest;
                uint _e27 = i_3;
                float _e30 = block_max.inner[first + _e27];
                largest = metal::max(_e25, _e30);
            }
        }
        float _e35 = largest;
        float scale = _e35 / 127.0;
        float _e38 = largest;
        float _e41 = largest;
        float inverse = (_e41 > 0.0) ? (127.0 / _e38) : 0.0;
        metal::int4 q = naga_f2i32(metal::rint(values * inverse));
        block_sum.inner[me_1] = as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(q.x) + as_type<uint>(q.y))) + as_type<uint>(q.z))) + as_type<uint>(q.w));
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        if (at < stride) {
            x_words[naga_div((row * stride) + at, 4u)] = as_type<uint>(packed_char4(q));
            if ((me_1 & 7u) == 0u) {
                int _e72 = block_sum.inner[me_1];
                int _e77 = block_sum.inner[me_1 + 1u];
                int _e83 = block_sum.inner[me_1 + 2u];
                int _e89 = block_sum.inner[me_1 + 3u];
                int low = as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(_e72) + as_type<uint>(_e77))) + as_type<uint>(_e83))) + as_type<uint>(_e89));
                int _e95 = block_sum.inner[me_1 + 4u];
                int _e100 = block_sum.inner[me_1 + 5u];
                int _e106 = block_sum.inner[me_1 + 6u];
                int _e112 = block_sum.inner[me_1 + 7u];
                int high = as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(as_type<int>(as_type<uint>(_e95) + as_type<uint>(_e100))) + as_type<uint>(_e106))) + as_type<uint>(_e112));
                x_scales[naga_div((row * stride) + at, 32u)] = metal::uint2(as_type<uint>(scale), (as_type<uint>(low) & 65535u) | (as_type<uint>(high) << 16u));
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        return;
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
                    metal::float4 held = metal::clamp(values, metal::float4(-65504.0), metal::float4(65504.0));
                    x_words[to_1] = as_type<uint>(half2(held.xy));
                    x_words[to_1 + 1u] = as_type<uint>(half2(held.zw));
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

struct main_Input {
};
[[max_total_threads_per_threadgroup(64)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_2 const& step [[user(fake0)]]
, device type_2& x_words [[user(fake0)]]
, device type_7& x_scales [[user(fake0)]]
, threadgroup type_8& block_max
, threadgroup type_9& block_sum
, device type_11& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_11 const& vectors [[user(fake0)]]
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    float most = -1000000000000000000000000000000.0;
    uint i = 0u;
    float total = 0.0;
    uint i_1 = 0u;
    uint base = 0u;
    metal::float4 y = {};
    uint i_2 = {};
    uint j = {};
    uint row_1 = group.y;
    uint head = group.x;
    uint splits = step[3];
    uint _e9 = p.parts;
    uint _e12 = p.heads;
    uint _e18 = p.part;
    uint first_1 = _e9 + ((((row_1 * _e12) + head) * splits) * _e18);
    uint _e25 = p.sinks;
    if (_e25 > 0u) {
        uint _e31 = p.sinks;
        float _e36 = vectors[(_e31 - 1u) + head];
        most = _e36;
    }
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e53 = i;
            i = _e53 + 1u;
        }
        loop_init_1 = false;
        uint _e39 = i;
        if (_e39 < splits) {
        } else {
            break;
        }
        {
            float _e41 = most;
            uint _e43 = i;
            uint _e46 = p.part;
            float _e50 = act[first_1 + (_e43 * _e46)];
            most = metal::max(_e41, _e50);
        }
    }
    uint _e59 = p.sinks;
    if (_e59 > 0u) {
        uint _e65 = p.sinks;
        float _e70 = vectors[(_e65 - 1u) + head];
        float _e71 = most;
        total = metal::exp(_e70 - _e71);
    }
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e105 = i_1;
            i_1 = _e105 + 1u;
        }
        loop_init_2 = false;
        uint _e76 = i_1;
        if (_e76 < splits) {
        } else {
            break;
        }
        {
            float _e78 = total;
            uint _e80 = i_1;
            uint _e83 = p.part;
            float _e89 = act[(first_1 + (_e80 * _e83)) + 1u];
            uint _e91 = i_1;
            uint _e94 = p.part;
            float _e98 = act[first_1 + (_e91 * _e94)];
            float _e99 = most;
            total = _e78 + (_e89 * metal::exp(_e98 - _e99));
        }
    }
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e233 = base;
            base = _e233 + 256u;
        }
        loop_init_3 = false;
        uint _e109 = base;
        uint _e112 = p.dim;
        if (_e109 < _e112) {
        } else {
            break;
        }
        {
            y = metal::float4(0.0);
            uint _e117 = base;
            uint d = _e117 + (me * 4u);
            uint _e123 = p.dim;
            if (d < _e123) {
                i_2 = 0u;
                uint2 loop_bound_4 = uint2(4294967295u);
                bool loop_init_4 = true;
                while(true) {
                    if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                    loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                    if (!loop_init_4) {
                        uint _e170 = i_2;
                        i_2 = _e170 + 1u;
                    }
                    loop_init_4 = false;
                    uint _e127 = i_2;
                    if (_e127 < splits) {
                    } else {
                        break;
                    }
                    {
                        uint _e129 = i_2;
                        uint _e132 = p.part;
                        uint at_1 = first_1 + (_e129 * _e132);
                        float _e137 = act[at_1];
                        float _e138 = most;
                        float w = metal::exp(_e137 - _e138);
                        metal::float4 _e141 = y;
                        float _e147 = act[(at_1 + 2u) + d];
                        float _e153 = act[(at_1 + 3u) + d];
                        float _e159 = act[(at_1 + 4u) + d];
                        float _e165 = act[(at_1 + 5u) + d];
                        y = _e141 + (w * metal::float4(_e147, _e153, _e159, _e165));
                    }
                }
                metal::float4 _e172 = y;
                float _e173 = total;
                y = _e172 / metal::float4(_e173);
                j = 0u;
                uint2 loop_bound_5 = uint2(4294967295u);
                bool loop_init_5 = true;
                while(true) {
                    if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                    loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                    if (!loop_init_5) {
                        uint _e213 = j;
                        j = _e213 + 1u;
                    }
                    loop_init_5 = false;
                    uint _e178 = j;
                    if (_e178 < 4u) {
                    } else {
                        break;
                    }
                    {
                        uint _e181 = j;
                        uint _e185 = p.dim;
                        if ((d + _e181) < _e185) {
                            if (KEEP) {
                                uint _e191 = p.out;
                                uint _e194 = p.heads;
                                uint _e199 = p.dim;
                                uint _e203 = j;
                                uint _e206 = j;
                                float _e208 = y[_e206];
                                act[((_e191 + (((row_1 * _e194) + head) * _e199)) + d) + _e203] = _e208;
                            }
                        } else {
                            uint _e209 = j;
                            y[_e209] = 0.0;
                        }
                    }
                }
            }
            if (true) {
                metal::float4 _e216 = y;
                uint _e219 = p.stride;
                uint _e222 = p.dim;
                uint _e227 = p.dim;
                uint _e232 = p.stride;
                prepare(_e216, me, (d < _e227) ? ((head * _e222) + d) : _e219, row_1, _e232, x_words, x_scales, block_max, block_sum, _buffer_sizes);
            }
        }
    }
    return;
}
