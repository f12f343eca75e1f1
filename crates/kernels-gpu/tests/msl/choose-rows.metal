// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
};

typedef uint type_1[1];
typedef float type_5[1];
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
struct type_7 {
    metal::atomic_uint inner[256];
};
struct type_8 {
    uint inner[1024];
};
constant uint WG = 1024u;
constant uint SUBGROUPS = 128u;
constant uint CACHE = 1u;
constant uint EVERY = 4u;
constant uint BLOCK_ROWS = 4u;
constant uint LISTED = 1u;
constant uint RUN = 8u;
constant uint LIST_WIDTH = 2048u;
constant uint ROWS = 1u;
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

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

uint pooled_slot(
    uint table,
    uint row,
    uint block_len,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint position = ((row + 1u) * EVERY) - 1u;
    uint _e13 = step[table + naga_div(position, block_len)];
    return (_e13 * BLOCK_ROWS) + naga_div(naga_mod(position, block_len), EVERY);
}

uint seen_rows(
    uint row_1,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = step[5];
    uint _e7 = step[_e4 + row_1];
    return naga_div(_e7 + 1u, EVERY);
}

uint among(
    uint row_2,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e1 = seen_rows(row_2, step, _buffer_sizes);
    uint runs = naga_div((_e1 + RUN) - 1u, RUN);
    return (metal::min(runs, LIST_WIDTH) * RUN) - ((runs * RUN) - _e1);
}

uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}

uint number(
    uint list,
    uint row_3,
    uint at,
    device type_5 const& act,
    constant _mslBufferSizes& _buffer_sizes
) {
    float _e11 = act[(list + (row_3 * LIST_WIDTH)) + naga_div(at, RUN)];
    return (naga_f2u32(_e11) * RUN) + naga_mod(at, RUN);
}

uint named(
    uint row_4,
    uint i_5,
    device type_5 const& act,
    constant Params& p,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = p.list;
    uint _e5 = number(_e4, row_4, i_5, act, _buffer_sizes);
    return _e5;
}

uint key_at(
    uint i_6,
    device type_5 const& act,
    constant _mslBufferSizes& _buffer_sizes
) {
    float _e3 = act[i_6];
    uint bits = as_type<uint>(_e3 + 0.0);
    return (bits >= 2147483648u) ? ~(bits) : (bits | 2147483648u);
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
    uint i_1 = {};
    uint byte = 0u;
    uint b = {};
    uint i_2 = {};
    bool local = {};
    uint by = {};
    uint lower = {};
    bool local_1 = {};
    bool local_2 = {};
    uint higher = 0u;
    uint same = 0u;
    uint i_3 = {};
    uint by_1 = 1u;
    metal::uint2 before = {};
    uint i_4 = {};
    bool local_3 = {};
    bool local_4 = {};
    uint _e4 = p.row;
    uint row_5 = _e4 + group.x;
    uint _e7 = among(row_5, step, _buffer_sizes);
    uint _e10 = p.scores;
    uint _e14 = p.stride;
    uint scores = _e10 + (group.x * _e14);
    uint _e19 = p.chosen;
    uint _e22 = p.count;
    uint chosen = _e19 + (row_5 * _e22);
    uint _e27 = p.count;
    if (_e7 <= _e27) {
        i = me;
        uint2 loop_bound = uint2(4294967295u);
        bool loop_init = true;
        while(true) {
            if (metal::all(loop_bound == uint2(0u))) { break; }
            loop_bound -= uint2(loop_bound.y == 0u, 1u);
            if (!loop_init) {
                uint _e39 = i;
                i = _e39 + WG;
            }
            loop_init = false;
            uint _e30 = i;
            if (_e30 < _e7) {
            } else {
                break;
            }
            {
                uint _e33 = i;
                uint _e36 = i;
                uint _e37 = named(row_5, _e36, act, p, _buffer_sizes);
                act[chosen + _e33] = static_cast<float>(_e37);
            }
        }
        i_1 = _e7 + me;
        uint2 loop_bound_1 = uint2(4294967295u);
        bool loop_init_1 = true;
        while(true) {
            if (metal::all(loop_bound_1 == uint2(0u))) { break; }
            loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
            if (!loop_init_1) {
                uint _e54 = i_1;
                i_1 = _e54 + WG;
            }
            loop_init_1 = false;
            uint _e44 = i_1;
            uint _e47 = p.count;
            if (_e44 < _e47) {
            } else {
                break;
            }
            {
                uint _e50 = i_1;
                act[chosen + _e50] = -1.0;
            }
        }
        return;
    }
    if (me == 0u) {
        threshold = 0u;
        uint _e64 = p.count;
        wanted = _e64;
    }
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e189 = byte;
            byte = _e189 + 1u;
        }
        loop_init_2 = false;
        uint _e67 = byte;
        if (_e67 < 4u) {
        } else {
            break;
        }
        {
            uint _e72 = byte;
            uint shift = 24u - (8u * _e72);
            b = me;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e83 = b;
                    b = _e83 + WG;
                }
                loop_init_3 = false;
                uint _e76 = b;
                if (_e76 < 256u) {
                } else {
                    break;
                }
                {
                    uint _e80 = b;
                    metal::atomic_store_explicit(&bins.inner[_e80], 0u, metal::memory_order_relaxed);
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint known = threshold;
            i_2 = me;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e115 = i_2;
                    i_2 = _e115 + WG;
                }
                loop_init_4 = false;
                uint _e89 = i_2;
                if (_e89 < _e7) {
                } else {
                    break;
                }
                {
                    uint _e91 = i_2;
                    uint _e93 = key_at(scores + _e91, act, _buffer_sizes);
                    uint _e94 = byte;
                    if (!((_e94 == 0u))) {
                        local = ((_e93 ^ known) >> (shift + 8u)) == 0u;
                    } else {
                        local = true;
                    }
                    bool _e107 = local;
                    if (_e107) {
                        uint _e114 = metal::atomic_fetch_add_explicit(&bins.inner[(_e93 >> shift) & 255u], 1u, metal::memory_order_relaxed);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint left = wanted;
            if (me < 256u) {
                uint _e128 = metal::atomic_load_explicit(&bins.inner[255u - me], metal::memory_order_relaxed);
                above.inner[me] = _e128;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            by = 1u;
            uint2 loop_bound_5 = uint2(4294967295u);
            bool loop_init_5 = true;
            while(true) {
                if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                if (!loop_init_5) {
                    uint _e156 = by;
                    by = _e156 * 2u;
                }
                loop_init_5 = false;
                uint _e131 = by;
                if (_e131 < 256u) {
                } else {
                    break;
                }
                {
                    lower = 0u;
                    uint _e136 = by;
                    if (me >= _e136) {
                        local_1 = me < 256u;
                    } else {
                        local_1 = false;
                    }
                    bool _e143 = local_1;
                    if (_e143) {
                        uint _e145 = by;
                        uint _e148 = above.inner[me - _e145];
                        lower = _e148;
                    }
                    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                    if (me < 256u) {
                        uint _e153 = above.inner[me];
                        uint _e154 = lower;
                        above.inner[me] = _e153 + _e154;
                    }
                    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                }
            }
            if (me < 256u) {
                uint _e168 = above.inner[metal::max(me, 1u) - 1u];
                uint before_1 = (me > 0u) ? _e168 : 0u;
                if (before_1 < left) {
                    uint _e177 = above.inner[me];
                    local_2 = _e177 >= left;
                } else {
                    local_2 = false;
                }
                bool _e180 = local_2;
                if (_e180) {
                    threshold = known | ((255u - me) << shift);
                    wanted = left - before_1;
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint least = threshold;
    uint run = naga_div((_e7 + WG) - 1u, WG);
    uint first = metal::min(me * run, _e7);
    uint end = metal::min(first + run, _e7);
    i_3 = first;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e226 = i_3;
            i_3 = _e226 + 1u;
        }
        loop_init_6 = false;
        uint _e208 = i_3;
        if (_e208 < end) {
        } else {
            break;
        }
        {
            uint _e210 = i_3;
            uint _e212 = key_at(scores + _e210, act, _buffer_sizes);
            uint _e213 = higher;
            higher = _e213 + ((_e212 > least) ? 1u : 0u);
            uint _e219 = same;
            same = _e219 + ((_e212 == least) ? 1u : 0u);
        }
    }
    uint _e230 = higher;
    above.inner[me] = _e230;
    uint _e233 = same;
    equal.inner[me] = _e233;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e267 = by_1;
            by_1 = _e267 * 2u;
        }
        loop_init_7 = false;
        uint _e236 = by_1;
        if (_e236 < WG) {
        } else {
            break;
        }
        {
            before = metal::uint2(0u);
            uint _e242 = by_1;
            if (me >= _e242) {
                uint _e245 = by_1;
                uint _e248 = above.inner[me - _e245];
                uint _e250 = by_1;
                uint _e253 = equal.inner[me - _e250];
                before = metal::uint2(_e248, _e253);
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e257 = above.inner[me];
            uint _e259 = before.x;
            above.inner[me] = _e257 + _e259;
            uint _e263 = equal.inner[me];
            uint _e265 = before.y;
            equal.inner[me] = _e263 + _e265;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint _e272 = above.inner[me];
    uint _e273 = higher;
    higher = _e272 - _e273;
    uint _e277 = equal.inner[me];
    uint _e278 = same;
    same = _e277 - _e278;
    i_4 = first;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e326 = i_4;
            i_4 = _e326 + 1u;
        }
        loop_init_8 = false;
        uint _e281 = i_4;
        if (_e281 < end) {
        } else {
            break;
        }
        {
            uint _e283 = i_4;
            uint _e285 = key_at(scores + _e283, act, _buffer_sizes);
            if (!((_e285 > least))) {
                if (_e285 == least) {
                    uint _e293 = same;
                    uint _e295 = wanted;
                    local_4 = _e293 < _e295;
                } else {
                    local_4 = false;
                }
                bool _e298 = local_4;
                local_3 = _e298;
            } else {
                local_3 = true;
            }
            bool _e300 = local_3;
            if (_e300) {
                uint _e302 = higher;
                uint _e304 = same;
                uint _e306 = wanted;
                uint _e310 = i_4;
                uint _e311 = named(row_5, _e310, act, p, _buffer_sizes);
                act[(chosen + _e302) + metal::min(_e304, _e306)] = static_cast<float>(_e311);
            }
            uint _e313 = higher;
            higher = _e313 + ((_e285 > least) ? 1u : 0u);
            uint _e319 = same;
            same = _e319 + ((_e285 == least) ? 1u : 0u);
        }
    }
    return;
}
