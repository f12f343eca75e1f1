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
    uint pad0_;
    uint pad1_;
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
    uint _e22 = p.stride;
    uint scores = _e18 + (group.x * _e22);
    uint _e27 = p.chosen;
    uint _e30 = p.count;
    uint chosen = _e27 + (row_1 * _e30);
    uint _e35 = p.count;
    if (seen <= _e35) {
        i = me;
        uint2 loop_bound = uint2(4294967295u);
        bool loop_init = true;
        while(true) {
            if (metal::all(loop_bound == uint2(0u))) { break; }
            loop_bound -= uint2(loop_bound.y == 0u, 1u);
            if (!loop_init) {
                uint _e47 = i;
                i = _e47 + WG;
            }
            loop_init = false;
            uint _e38 = i;
            if (_e38 < seen) {
            } else {
                break;
            }
            {
                uint _e41 = i;
                uint _e44 = i;
                uint _e45 = named(row_1, _e44);
                act[chosen + _e41] = static_cast<float>(_e45);
            }
        }
        return;
    }
    if (me == 0u) {
        threshold = 0u;
        uint _e57 = p.count;
        wanted = _e57;
    }
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e182 = byte;
            byte = _e182 + 1u;
        }
        loop_init_1 = false;
        uint _e60 = byte;
        if (_e60 < 4u) {
        } else {
            break;
        }
        {
            uint _e65 = byte;
            uint shift = 24u - (8u * _e65);
            b = me;
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e76 = b;
                    b = _e76 + WG;
                }
                loop_init_2 = false;
                uint _e69 = b;
                if (_e69 < 256u) {
                } else {
                    break;
                }
                {
                    uint _e73 = b;
                    metal::atomic_store_explicit(&bins.inner[_e73], 0u, metal::memory_order_relaxed);
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
                    uint _e108 = i_1;
                    i_1 = _e108 + WG;
                }
                loop_init_3 = false;
                uint _e82 = i_1;
                if (_e82 < seen) {
                } else {
                    break;
                }
                {
                    uint _e84 = i_1;
                    uint _e86 = key_at(scores + _e84, act, _buffer_sizes);
                    uint _e87 = byte;
                    if (!((_e87 == 0u))) {
                        local = ((_e86 ^ known) >> (shift + 8u)) == 0u;
                    } else {
                        local = true;
                    }
                    bool _e100 = local;
                    if (_e100) {
                        uint _e107 = metal::atomic_fetch_add_explicit(&bins.inner[(_e86 >> shift) & 255u], 1u, metal::memory_order_relaxed);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint left = wanted;
            if (me < 256u) {
                uint _e121 = metal::atomic_load_explicit(&bins.inner[255u - me], metal::memory_order_relaxed);
                above.inner[me] = _e121;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            by = 1u;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e149 = by;
                    by = _e149 * 2u;
                }
                loop_init_4 = false;
                uint _e124 = by;
                if (_e124 < 256u) {
                } else {
                    break;
                }
                {
                    lower = 0u;
                    uint _e129 = by;
                    if (me >= _e129) {
                        local_1 = me < 256u;
                    } else {
                        local_1 = false;
                    }
                    bool _e136 = local_1;
                    if (_e136) {
                        uint _e138 = by;
                        uint _e141 = above.inner[me - _e138];
                        lower = _e141;
                    }
                    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                    if (me < 256u) {
                        uint _e146 = above.inner[me];
                        uint _e147 = lower;
                        above.inner[me] = _e146 + _e147;
                    }
                    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                }
            }
            if (me < 256u) {
                uint _e161 = above.inner[metal::max(me, 1u) - 1u];
                uint before_1 = (me > 0u) ? _e161 : 0u;
                if (before_1 < left) {
                    uint _e170 = above.inner[me];
                    local_2 = _e170 >= left;
                } else {
                    local_2 = false;
                }
                bool _e173 = local_2;
                if (_e173) {
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
            uint _e219 = i_2;
            i_2 = _e219 + 1u;
        }
        loop_init_5 = false;
        uint _e201 = i_2;
        if (_e201 < end) {
        } else {
            break;
        }
        {
            uint _e203 = i_2;
            uint _e205 = key_at(scores + _e203, act, _buffer_sizes);
            uint _e206 = higher;
            higher = _e206 + ((_e205 > least) ? 1u : 0u);
            uint _e212 = same;
            same = _e212 + ((_e205 == least) ? 1u : 0u);
        }
    }
    uint _e223 = higher;
    above.inner[me] = _e223;
    uint _e226 = same;
    equal.inner[me] = _e226;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e260 = by_1;
            by_1 = _e260 * 2u;
        }
        loop_init_6 = false;
        uint _e229 = by_1;
        if (_e229 < WG) {
        } else {
            break;
        }
        {
            before = metal::uint2(0u);
            uint _e235 = by_1;
            if (me >= _e235) {
                uint _e238 = by_1;
                uint _e241 = above.inner[me - _e238];
                uint _e243 = by_1;
                uint _e246 = equal.inner[me - _e243];
                before = metal::uint2(_e241, _e246);
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e250 = above.inner[me];
            uint _e252 = before.x;
            above.inner[me] = _e250 + _e252;
            uint _e256 = equal.inner[me];
            uint _e258 = before.y;
            equal.inner[me] = _e256 + _e258;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint _e265 = above.inner[me];
    uint _e266 = higher;
    higher = _e265 - _e266;
    uint _e270 = equal.inner[me];
    uint _e271 = same;
    same = _e270 - _e271;
    i_3 = first;
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e319 = i_3;
            i_3 = _e319 + 1u;
        }
        loop_init_7 = false;
        uint _e274 = i_3;
        if (_e274 < end) {
        } else {
            break;
        }
        {
            uint _e276 = i_3;
            uint _e278 = key_at(scores + _e276, act, _buffer_sizes);
            if (!((_e278 > least))) {
                if (_e278 == least) {
                    uint _e286 = same;
                    uint _e288 = wanted;
                    local_4 = _e286 < _e288;
                } else {
                    local_4 = false;
                }
                bool _e291 = local_4;
                local_3 = _e291;
            } else {
                local_3 = true;
            }
            bool _e293 = local_3;
            if (_e293) {
                uint _e295 = higher;
                uint _e297 = same;
                uint _e299 = wanted;
                uint _e303 = i_3;
                uint _e304 = named(row_1, _e303);
                act[(chosen + _e295) + metal::min(_e297, _e299)] = static_cast<float>(_e304);
            }
            uint _e306 = higher;
            higher = _e306 + ((_e278 > least) ? 1u : 0u);
            uint _e312 = same;
            same = _e312 + ((_e278 == least) ? 1u : 0u);
        }
    }
    return;
}
