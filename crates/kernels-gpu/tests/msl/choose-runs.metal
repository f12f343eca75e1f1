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
constant uint RUNS = 1u;
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
    uint i_5
) {
    return i_5;
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
    uint _e7 = seen_rows(row_5, step, _buffer_sizes);
    uint seen = naga_div((_e7 + RUN) - 1u, RUN);
    uint _e16 = p.scores;
    uint _e20 = p.stride;
    uint scores = _e16 + (group.x * _e20);
    uint _e25 = p.chosen;
    uint _e28 = p.count;
    uint chosen = _e25 + (row_5 * _e28);
    uint _e33 = p.count;
    if (seen <= _e33) {
        i = me;
        uint2 loop_bound = uint2(4294967295u);
        bool loop_init = true;
        while(true) {
            if (metal::all(loop_bound == uint2(0u))) { break; }
            loop_bound -= uint2(loop_bound.y == 0u, 1u);
            if (!loop_init) {
                uint _e45 = i;
                i = _e45 + WG;
            }
            loop_init = false;
            uint _e36 = i;
            if (_e36 < seen) {
            } else {
                break;
            }
            {
                uint _e39 = i;
                uint _e42 = i;
                uint _e43 = named(row_5, _e42);
                act[chosen + _e39] = static_cast<float>(_e43);
            }
        }
        i_1 = seen + me;
        uint2 loop_bound_1 = uint2(4294967295u);
        bool loop_init_1 = true;
        while(true) {
            if (metal::all(loop_bound_1 == uint2(0u))) { break; }
            loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
            if (!loop_init_1) {
                uint _e60 = i_1;
                i_1 = _e60 + WG;
            }
            loop_init_1 = false;
            uint _e50 = i_1;
            uint _e53 = p.count;
            if (_e50 < _e53) {
            } else {
                break;
            }
            {
                uint _e56 = i_1;
                act[chosen + _e56] = -1.0;
            }
        }
        return;
    }
    if (me == 0u) {
        threshold = 0u;
        uint _e70 = p.count;
        wanted = _e70;
    }
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e195 = byte;
            byte = _e195 + 1u;
        }
        loop_init_2 = false;
        uint _e73 = byte;
        if (_e73 < 4u) {
        } else {
            break;
        }
        {
            uint _e78 = byte;
            uint shift = 24u - (8u * _e78);
            b = me;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e89 = b;
                    b = _e89 + WG;
                }
                loop_init_3 = false;
                uint _e82 = b;
                if (_e82 < 256u) {
                } else {
                    break;
                }
                {
                    uint _e86 = b;
                    metal::atomic_store_explicit(&bins.inner[_e86], 0u, metal::memory_order_relaxed);
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
                    uint _e121 = i_2;
                    i_2 = _e121 + WG;
                }
                loop_init_4 = false;
                uint _e95 = i_2;
                if (_e95 < seen) {
                } else {
                    break;
                }
                {
                    uint _e97 = i_2;
                    uint _e99 = key_at(scores + _e97, act, _buffer_sizes);
                    uint _e100 = byte;
                    if (!((_e100 == 0u))) {
                        local = ((_e99 ^ known) >> (shift + 8u)) == 0u;
                    } else {
                        local = true;
                    }
                    bool _e113 = local;
                    if (_e113) {
                        uint _e120 = metal::atomic_fetch_add_explicit(&bins.inner[(_e99 >> shift) & 255u], 1u, metal::memory_order_relaxed);
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint left = wanted;
            if (me < 256u) {
                uint _e134 = metal::atomic_load_explicit(&bins.inner[255u - me], metal::memory_order_relaxed);
                above.inner[me] = _e134;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            by = 1u;
            uint2 loop_bound_5 = uint2(4294967295u);
            bool loop_init_5 = true;
            while(true) {
                if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                if (!loop_init_5) {
                    uint _e162 = by;
                    by = _e162 * 2u;
                }
                loop_init_5 = false;
                uint _e137 = by;
                if (_e137 < 256u) {
                } else {
                    break;
                }
                {
                    lower = 0u;
                    uint _e142 = by;
                    if (me >= _e142) {
                        local_1 = me < 256u;
                    } else {
                        local_1 = false;
                    }
                    bool _e149 = local_1;
                    if (_e149) {
                        uint _e151 = by;
                        uint _e154 = above.inner[me - _e151];
                        lower = _e154;
                    }
                    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                    if (me < 256u) {
                        uint _e159 = above.inner[me];
                        uint _e160 = lower;
                        above.inner[me] = _e159 + _e160;
                    }
                    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                }
            }
            if (me < 256u) {
                uint _e174 = above.inner[metal::max(me, 1u) - 1u];
                uint before_1 = (me > 0u) ? _e174 : 0u;
                if (before_1 < left) {
                    uint _e183 = above.inner[me];
                    local_2 = _e183 >= left;
                } else {
                    local_2 = false;
                }
                bool _e186 = local_2;
                if (_e186) {
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
    i_3 = first;
    uint2 loop_bound_6 = uint2(4294967295u);
    bool loop_init_6 = true;
    while(true) {
        if (metal::all(loop_bound_6 == uint2(0u))) { break; }
        loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
        if (!loop_init_6) {
            uint _e232 = i_3;
            i_3 = _e232 + 1u;
        }
        loop_init_6 = false;
        uint _e214 = i_3;
        if (_e214 < end) {
        } else {
            break;
        }
        {
            uint _e216 = i_3;
            uint _e218 = key_at(scores + _e216, act, _buffer_sizes);
            uint _e219 = higher;
            higher = _e219 + ((_e218 > least) ? 1u : 0u);
            uint _e225 = same;
            same = _e225 + ((_e218 == least) ? 1u : 0u);
        }
    }
    uint _e236 = higher;
    above.inner[me] = _e236;
    uint _e239 = same;
    equal.inner[me] = _e239;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_7 = uint2(4294967295u);
    bool loop_init_7 = true;
    while(true) {
        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
        if (!loop_init_7) {
            uint _e273 = by_1;
            by_1 = _e273 * 2u;
        }
        loop_init_7 = false;
        uint _e242 = by_1;
        if (_e242 < WG) {
        } else {
            break;
        }
        {
            before = metal::uint2(0u);
            uint _e248 = by_1;
            if (me >= _e248) {
                uint _e251 = by_1;
                uint _e254 = above.inner[me - _e251];
                uint _e256 = by_1;
                uint _e259 = equal.inner[me - _e256];
                before = metal::uint2(_e254, _e259);
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            uint _e263 = above.inner[me];
            uint _e265 = before.x;
            above.inner[me] = _e263 + _e265;
            uint _e269 = equal.inner[me];
            uint _e271 = before.y;
            equal.inner[me] = _e269 + _e271;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint _e278 = above.inner[me];
    uint _e279 = higher;
    higher = _e278 - _e279;
    uint _e283 = equal.inner[me];
    uint _e284 = same;
    same = _e283 - _e284;
    i_4 = first;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e332 = i_4;
            i_4 = _e332 + 1u;
        }
        loop_init_8 = false;
        uint _e287 = i_4;
        if (_e287 < end) {
        } else {
            break;
        }
        {
            uint _e289 = i_4;
            uint _e291 = key_at(scores + _e289, act, _buffer_sizes);
            if (!((_e291 > least))) {
                if (_e291 == least) {
                    uint _e299 = same;
                    uint _e301 = wanted;
                    local_4 = _e299 < _e301;
                } else {
                    local_4 = false;
                }
                bool _e304 = local_4;
                local_3 = _e304;
            } else {
                local_3 = true;
            }
            bool _e306 = local_3;
            if (_e306) {
                uint _e308 = higher;
                uint _e310 = same;
                uint _e312 = wanted;
                uint _e316 = i_4;
                uint _e317 = named(row_5, _e316);
                act[(chosen + _e308) + metal::min(_e310, _e312)] = static_cast<float>(_e317);
            }
            uint _e319 = higher;
            higher = _e319 + ((_e291 > least) ? 1u : 0u);
            uint _e325 = same;
            same = _e325 + ((_e291 == least) ? 1u : 0u);
        }
    }
    return;
}
