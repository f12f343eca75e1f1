// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
};

typedef uint type_1[1];
struct Params {
    uint scores;
    uint stride;
    uint chosen;
    uint count;
    uint row;
    uint list;
    uint heads;
    uint pad;
};
typedef float type_5[1];
struct type_7 {
    metal::atomic_uint inner[256];
};
struct type_8 {
    uint inner[1024];
};
constant uint WG = 1024u;
constant uint SUBGROUPS = 128u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;

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

uint named(
    uint row,
    uint i_4
) {
    return i_4;
}

uint key_at(
    uint i_5,
    device type_5 const& act,
    constant _mslBufferSizes& _buffer_sizes
) {
    float _e3 = act[i_5];
    uint bits = as_type<uint>(_e3 + 0.0);
    return (bits >= 2147483648u) ? ~(bits) : (bits | 2147483648u);
}
uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(1024)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, threadgroup type_7& bins
, threadgroup uint& threshold
, threadgroup uint& wanted
, threadgroup type_8& above
, threadgroup type_8& equal
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    uint byte = 0u;
    uint b = {};
    uint i_1 = {};
    bool local = {};
    uint by = {};
    uint lower = {};
    bool local_1 = {};
    bool local_2 = {};
    uint higher = 0u;
    uint same = 0u;
    uint i_2 = {};
    uint by_1 = 1u;
    metal::uint2 before = {};
    uint i_3 = {};
    bool local_3 = {};
    bool local_4 = {};
    uint _e4 = p.row;
    uint row_1 = _e4 + group.x;
    uint _e10 = step[5];
    uint _e13 = step[_e10 + row_1];
    uint seen = _e13 + 1u;
    uint _e18 = p.scores;
    uint _e22 = p.heads;
    uint _e28 = p.stride;
    uint scores = _e18 + (((group.x * _e22) + group.y) * _e28);
    uint _e33 = p.chosen;
    uint _e36 = p.heads;
    uint _e42 = p.count;
    uint chosen = _e33 + (((row_1 * _e36) + group.y) * _e42);
    uint _e47 = p.count;
    if (seen <= _e47) {
        i = me;
        uint2 loop_bound = uint2(4294967295u);
        bool loop_init = true;
        while(true) {
            if (metal::all(loop_bound == uint2(0u))) { break; }
            loop_bound -= uint2(loop_bound.y == 0u, 1u);
            if (!loop_init) {
                uint _e59 = i;
                i = _e59 + WG;
            }
            loop_init = false;
            uint _e50 = i;
            if (_e50 < seen) {
            } else {
                break;
            }
            {
                uint _e53 = i;
                uint _e56 = i;
                uint _e57 = named(row_1, _e56);
                act[chosen + _e53] = static_cast<float>(_e57);
            }
        }
        return;
    }
    if (me == 0u) {
        threshold = 0u;
        uint _e69 = p.count;
        wanted = _e69;
    }
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e194 = byte;
            byte = _e194 + 1u;
        }
        loop_init_1 = false;
        uint _e72 = byte;
        if (_e72 < 4u) {
        } else {
            break;
        }
        {
            uint _e77 = byte;
            uint shift = 24u - (8u * _e77);
            b = me;
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e88 = b;
                    b = _e88 + WG;
                }
                loop_init_2 = false;
                uint _e81 = b;
                if (_e81 < 256u) {
                } else {
                    break;
                }
                {
                    uint _e85 = b;
                    metal::atomic_store_explicit(&bins.inner[_e85], 0u, metal::memory_order_relaxed);
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint known = threshold;
            i_1 = me;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e120 = i_1;
                    i_1 = _e120 + WG;
                }
                loop_init_3 = false;
                uint _e94 = i_1;
                if (_e94 < seen) {
                } else {
                    break;
                }
                {
                    uint _e96 = i_1;
                    uint _e98 = key_at(scores + _e96, act, _buffer_sizes);
                    uint _e99 = byte;
                    if (!((_e99 == 0u))) {
                        local = ((_e98 ^ known) >> (shift + 8u)) == 0u;
                    } else {
                        local = true;
                    }
                    bool _e112 = local;
                    if (_e112) {
                        uint _e119 = metal::atomic_fetch_add_explicit(&bins.inner[(_e98 >> shift) & 255u], 1u, metal::memory_order_relaxed);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint left = wanted;
            if (me < 256u) {
                uint _e133 = metal::atomic_load_explicit(&bins.inner[255u - me], metal::memory_order_relaxed);
                above.inner[me] = _e133;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            by = 1u;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e161 = by;
                    by = _e161 * 2u;
                }
                loop_init_4 = false;
                uint _e136 = by;
                if (_e136 < 256u) {
                } else {
                    break;
                }
                {
                    lower = 0u;
                    uint _e141 = by;
                    if (me >= _e141) {
                        local_1 = me < 256u;
                    } else {
                        local_1 = false;
                    }
                    bool _e148 = local_1;
                    if (_e148) {
                        uint _e150 = by;
                        uint _e153 = above.inner[me - _e150];
                        lower = _e153;
                    }
                    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                    if (me < 256u) {
                        uint _e158 = above.inner[me];
                        uint _e159 = lower;
                        above.inner[me] = _e158 + _e159;
                    }
                    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                }
            }
            if (me < 256u) {
                uint _e173 = above.inner[metal::max(me, 1u) - 1u];
                uint before_1 = (me > 0u) ? _e173 : 0u;
                if (before_1 < left) {
                    uint _e182 = above.inner[me];
                    local_2 = _e182 >= left;
                } else {
                    local_2 = false;
                }
                bool _e185 = local_2;
                if (_e185) {
                    threshold = known | ((255u - me) << shift);
                    wanted = left - before_1;
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint least = threshold;
    uint run = naga_div((seen + WG) - 1u, WG);
    uint first = metal::min(me * run, seen);
    uint end = metal::min(first + run, seen);
    i_2 = first;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e231 = i_2;
            i_2 = _e231 + 1u;
        }
        loop_init_5 = false;
        uint _e213 = i_2;
        if (_e213 < end) {
        } else {
            break;
        }
        {
            uint _e215 = i_2;
            uint _e217 = key_at(scores + _e215, act, _buffer_sizes);
            uint _e218 = higher;
            higher = _e218 + ((_e217 > least) ? 1u : 0u);
            uint _e224 = same;
            same = _e224 + ((_e217 == least) ? 1u : 0u);
        }
    }
    uint _e235 = higher;
    above.inner[me] = _e235;
    uint _e238 = same;
    equal.inner[me] = _e238;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e272 = by_1;
            by_1 = _e272 * 2u;
        }
        loop_init_6 = false;
        uint _e241 = by_1;
        if (_e241 < WG) {
        } else {
            break;
        }
        {
            before = metal::uint2(0u);
            uint _e247 = by_1;
            if (me >= _e247) {
                uint _e250 = by_1;
                uint _e253 = above.inner[me - _e250];
                uint _e255 = by_1;
                uint _e258 = equal.inner[me - _e255];
                before = metal::uint2(_e253, _e258);
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e262 = above.inner[me];
            uint _e264 = before.x;
            above.inner[me] = _e262 + _e264;
            uint _e268 = equal.inner[me];
            uint _e270 = before.y;
            equal.inner[me] = _e268 + _e270;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint _e277 = above.inner[me];
    uint _e278 = higher;
    higher = _e277 - _e278;
    uint _e282 = equal.inner[me];
    uint _e283 = same;
    same = _e282 - _e283;
    i_3 = first;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e331 = i_3;
            i_3 = _e331 + 1u;
        }
        loop_init_7 = false;
        uint _e286 = i_3;
        if (_e286 < end) {
        } else {
            break;
        }
        {
            uint _e288 = i_3;
            uint _e290 = key_at(scores + _e288, act, _buffer_sizes);
            if (!((_e290 > least))) {
                if (_e290 == least) {
                    uint _e298 = same;
                    uint _e300 = wanted;
                    local_4 = _e298 < _e300;
                } else {
                    local_4 = false;
                }
                bool _e303 = local_4;
                local_3 = _e303;
            } else {
                local_3 = true;
            }
            bool _e305 = local_3;
            if (_e305) {
                uint _e307 = higher;
                uint _e309 = same;
                uint _e311 = wanted;
                uint _e315 = i_3;
                uint _e316 = named(row_1, _e315);
                act[(chosen + _e307) + metal::min(_e309, _e311)] = static_cast<float>(_e316);
            }
            uint _e318 = higher;
            higher = _e318 + ((_e290 > least) ? 1u : 0u);
            uint _e324 = same;
            same = _e324 + ((_e290 == least) ? 1u : 0u);
        }
    }
    return;
}
