// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size2;
    uint size4;
};

typedef uint type_1[1];
struct type_5 {
    float inner[256];
};
struct Params {
    uint scores;
    uint bias;
    uint chosen;
    uint weights;
    uint score;
    uint groups;
    uint groups_used;
    uint group_best;
    uint normalise;
    float scale;
    uint scales;
    uint pad;
};
typedef float type_6[1];
struct type_7 {
    float inner[64];
};
struct type_8 {
    uint inner[8];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint EXPERTS = 64u;
constant uint USED = 8u;
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
            float g_2 = metal::min(gate, 7.0);
            return (g_2 / (1.0 + metal::exp(-1.702 * g_2))) * (metal::clamp(up, -7.0, 7.0) + 1.0);
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
            float g_3 = metal::min(gate, limit_1);
            return (g_3 / (1.0 + metal::exp(-(g_3)))) * metal::clamp(up, -(limit_1), limit_1);
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
    float value_1,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_5& sum_parts
) {
    float total_1 = 0.0;
    uint i_1 = 0u;
    float unnamed = metal::simd_sum(value_1);
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
    float value_2,
    uint lane_2,
    uint subgroup_2,
    uint size_2,
    threadgroup type_5& sum_parts
) {
    float largest = {};
    uint i_2 = 1u;
    float unnamed_1 = metal::simd_max(value_2);
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

struct main_Input {
};
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, threadgroup type_5& sum_parts
, device type_6& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_6 const& vectors [[user(fake0)]]
, threadgroup type_7& probability
, threadgroup type_7& choice
, threadgroup type_7& group_score
, threadgroup type_8& picked
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    float most = -300000000000000000000000000000000000000.0;
    uint e = {};
    float total = 0.0;
    uint e_1 = {};
    uint e_2 = {};
    float y = {};
    uint g = {};
    float sum = {};
    float value = {};
    uint index = {};
    uint n = {};
    float next = {};
    uint at = {};
    uint i = {};
    bool local = {};
    bool local_1 = {};
    bool local_2 = {};
    bool local_3 = {};
    uint e_3 = {};
    uint better = {};
    uint g_1 = {};
    bool local_4 = {};
    bool local_5 = {};
    uint n_1 = {};
    uint e_4 = {};
    uint place = {};
    uint other = {};
    bool local_6 = {};
    bool local_7 = {};
    float top = -300000000000000000000000000000000000000.0;
    float sum_1 = 0.0;
    uint n_2 = 0u;
    uint n_3 = 0u;
    uint n_4 = 0u;
    float w = {};
    uint row = group.x;
    uint _e8 = p.scores;
    uint logits = _e8 + (row * EXPERTS);
    e = me;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e25 = e;
            e = _e25 + WG;
        }
        loop_init_2 = false;
        uint _e15 = e;
        if (_e15 < EXPERTS) {
        } else {
            break;
        }
        {
            float _e18 = most;
            uint _e20 = e;
            float _e23 = act[logits + _e20];
            most = metal::max(_e18, _e23);
        }
    }
    float _e28 = most;
    float _e29 = workgroup_max(_e28, lane, subgroup, size, sum_parts);
    most = _e29;
    e_1 = me;
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e46 = e_1;
            e_1 = _e46 + WG;
        }
        loop_init_3 = false;
        uint _e33 = e_1;
        if (_e33 < EXPERTS) {
        } else {
            break;
        }
        {
            float _e36 = total;
            uint _e38 = e_1;
            float _e41 = act[logits + _e38];
            float _e42 = most;
            total = _e36 + metal::exp(_e41 - _e42);
        }
    }
    float _e49 = total;
    float _e50 = workgroup_sum(_e49, lane, subgroup, size, sum_parts);
    total = _e50;
    e_2 = me;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e132 = e_2;
            e_2 = _e132 + WG;
        }
        loop_init_4 = false;
        uint _e52 = e_2;
        if (_e52 < EXPERTS) {
        } else {
            break;
        }
        {
            uint _e56 = e_2;
            float x = act[logits + _e56];
            y = x;
            uint _e63 = p.score;
            if (_e63 == 0u) {
                float _e66 = most;
                float _e69 = total;
                y = metal::exp(x - _e66) / _e69;
            } else {
                uint _e73 = p.score;
                if (_e73 == 1u) {
                    y = 1.0 / (1.0 + metal::exp(-(x)));
                } else {
                    uint _e84 = p.score;
                    if (_e84 == 3u) {
                        float e_5 = metal::exp(-(metal::abs(x)));
                        y = metal::sqrt(metal::max(x, 0.0) + ((e_5 < 0.01) ? (e_5 - ((e_5 * e_5) * (0.5 - (e_5 / 3.0)))) : metal::log(1.0 + e_5)));
                    }
                }
            }
            uint _e108 = e_2;
            float _e110 = y;
            probability.inner[_e108] = _e110;
            uint _e113 = p.bias;
            if (_e113 > 0u) {
                float _e116 = y;
                uint _e120 = p.bias;
                uint _e123 = e_2;
                float _e126 = vectors[(_e120 - 1u) + _e123];
                y = _e116 + _e126;
            }
            uint _e129 = e_2;
            float _e131 = y;
            choice.inner[_e129] = _e131;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint _e137 = p.groups;
    if (_e137 > 0u) {
        uint _e143 = p.groups;
        uint len = naga_div(EXPERTS, _e143);
        g = me;
        uint2 loop_bound_5 = uint2(4294967295u);
        bool loop_init_5 = true;
        while(true) {
            if (metal::all(loop_bound_5 == uint2(0u))) { break; }
            loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
            if (!loop_init_5) {
                uint _e224 = g;
                g = _e224 + WG;
            }
            loop_init_5 = false;
            uint _e146 = g;
            uint _e149 = p.groups;
            if (_e146 < _e149) {
            } else {
                break;
            }
            {
                sum = 0.0;
                value = 300000000000000000000000000000000000000.0;
                index = 0u;
                n = 0u;
                uint2 loop_bound_6 = uint2(4294967295u);
                bool loop_init_6 = true;
                while(true) {
                    if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                    loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                    if (!loop_init_6) {
                        uint _e218 = n;
                        n = _e218 + 1u;
                    }
                    loop_init_6 = false;
                    uint _e159 = n;
                    uint _e162 = p.group_best;
                    if (_e159 < _e162) {
                    } else {
                        break;
                    }
                    {
                        next = -300000000000000000000000000000000000000.0;
                        at = 0u;
                        i = 0u;
                        uint2 loop_bound_7 = uint2(4294967295u);
                        bool loop_init_7 = true;
                        while(true) {
                            if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                            loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                            if (!loop_init_7) {
                                uint _e210 = i;
                                i = _e210 + 1u;
                            }
                            loop_init_7 = false;
                            uint _e170 = i;
                            if (_e170 < len) {
                            } else {
                                break;
                            }
                            {
                                uint _e173 = g;
                                uint _e175 = i;
                                float c = choice.inner[(_e173 * len) + _e175];
                                float _e179 = value;
                                if (!((c < _e179))) {
                                    float _e184 = value;
                                    if (c == _e184) {
                                        uint _e188 = n;
                                        local_1 = _e188 > 0u;
                                    } else {
                                        local_1 = false;
                                    }
                                    bool _e192 = local_1;
                                    if (_e192) {
                                        uint _e195 = i;
                                        uint _e196 = index;
                                        local_2 = _e195 > _e196;
                                    } else {
                                        local_2 = false;
                                    }
                                    bool _e199 = local_2;
                                    local = _e199;
                                } else {
                                    local = true;
                                }
                                bool later = local;
                                if (later) {
                                    float _e204 = next;
                                    local_3 = c > _e204;
                                } else {
                                    local_3 = false;
                                }
                                bool _e207 = local_3;
                                if (_e207) {
                                    next = c;
                                    uint _e208 = i;
                                    at = _e208;
                                }
                            }
                        }
                        float _e212 = next;
                        value = _e212;
                        uint _e213 = at;
                        index = _e213;
                        float _e214 = sum;
                        float _e215 = next;
                        sum = _e214 + _e215;
                    }
                }
                uint _e221 = g;
                float _e223 = sum;
                group_score.inner[_e221] = _e223;
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        e_3 = me;
        uint2 loop_bound_8 = uint2(4294967295u);
        bool loop_init_8 = true;
        while(true) {
            if (metal::all(loop_bound_8 == uint2(0u))) { break; }
            loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
            if (!loop_init_8) {
                uint _e285 = e_3;
                e_3 = _e285 + WG;
            }
            loop_init_8 = false;
            uint _e228 = e_3;
            if (_e228 < EXPERTS) {
            } else {
                break;
            }
            {
                uint _e232 = e_3;
                float mine = group_score.inner[naga_div(_e232, len)];
                better = 0u;
                g_1 = 0u;
                uint2 loop_bound_9 = uint2(4294967295u);
                bool loop_init_9 = true;
                while(true) {
                    if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                    loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                    if (!loop_init_9) {
                        uint _e274 = g_1;
                        g_1 = _e274 + 1u;
                    }
                    loop_init_9 = false;
                    uint _e240 = g_1;
                    uint _e243 = p.groups;
                    if (_e240 < _e243) {
                    } else {
                        break;
                    }
                    {
                        uint _e245 = better;
                        uint _e249 = g_1;
                        float _e251 = group_score.inner[_e249];
                        if (!((_e251 > mine))) {
                            uint _e257 = g_1;
                            float _e259 = group_score.inner[_e257];
                            if (_e259 == mine) {
                                uint _e263 = g_1;
                                uint _e264 = e_3;
                                local_5 = _e263 < naga_div(_e264, len);
                            } else {
                                local_5 = false;
                            }
                            bool _e268 = local_5;
                            local_4 = _e268;
                        } else {
                            local_4 = true;
                        }
                        bool _e270 = local_4;
                        better = _e245 + (_e270 ? 1u : 0u);
                    }
                }
                uint _e276 = better;
                uint _e279 = p.groups_used;
                if (_e276 >= _e279) {
                    uint _e282 = e_3;
                    choice.inner[_e282] = -300000000000000000000000000000000000000.0;
                }
            }
        }
        metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    }
    n_1 = me;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e296 = n_1;
            n_1 = _e296 + WG;
        }
        loop_init_10 = false;
        uint _e289 = n_1;
        if (_e289 < USED) {
        } else {
            break;
        }
        {
            uint _e293 = n_1;
            uint _e295 = n_1;
            picked.inner[_e293] = _e295;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = me;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e347 = e_4;
            e_4 = _e347 + WG;
        }
        loop_init_11 = false;
        uint _e300 = e_4;
        if (_e300 < EXPERTS) {
        } else {
            break;
        }
        {
            uint _e304 = e_4;
            float mine_1 = choice.inner[_e304];
            place = 0u;
            other = 0u;
            uint2 loop_bound_12 = uint2(4294967295u);
            bool loop_init_12 = true;
            while(true) {
                if (metal::all(loop_bound_12 == uint2(0u))) { break; }
                loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
                if (!loop_init_12) {
                    uint _e338 = other;
                    other = _e338 + 1u;
                }
                loop_init_12 = false;
                uint _e311 = other;
                if (_e311 < EXPERTS) {
                } else {
                    break;
                }
                {
                    uint _e315 = other;
                    float theirs = choice.inner[_e315];
                    uint _e318 = place;
                    if (!((theirs > mine_1))) {
                        if (theirs == mine_1) {
                            uint _e328 = other;
                            uint _e329 = e_4;
                            local_7 = _e328 < _e329;
                        } else {
                            local_7 = false;
                        }
                        bool _e332 = local_7;
                        local_6 = _e332;
                    } else {
                        local_6 = true;
                    }
                    bool _e334 = local_6;
                    place = _e318 + (_e334 ? 1u : 0u);
                }
            }
            uint _e340 = place;
            if (_e340 < USED) {
                uint _e344 = place;
                uint _e346 = e_4;
                picked.inner[_e344] = _e346;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (me == 0u) {
        uint2 loop_bound_13 = uint2(4294967295u);
        bool loop_init_13 = true;
        while(true) {
            if (metal::all(loop_bound_13 == uint2(0u))) { break; }
            loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
            if (!loop_init_13) {
                uint _e371 = n_2;
                n_2 = _e371 + 1u;
            }
            loop_init_13 = false;
            uint _e358 = n_2;
            if (_e358 < USED) {
            } else {
                break;
            }
            {
                float _e361 = top;
                uint _e364 = n_2;
                uint _e366 = picked.inner[_e364];
                float _e368 = probability.inner[_e366];
                top = metal::max(_e361, _e368);
            }
        }
        uint2 loop_bound_14 = uint2(4294967295u);
        bool loop_init_14 = true;
        while(true) {
            if (metal::all(loop_bound_14 == uint2(0u))) { break; }
            loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
            if (!loop_init_14) {
                uint _e397 = n_3;
                n_3 = _e397 + 1u;
            }
            loop_init_14 = false;
            uint _e375 = n_3;
            if (_e375 < USED) {
            } else {
                break;
            }
            {
                uint _e380 = n_3;
                uint _e382 = picked.inner[_e380];
                float w_1 = probability.inner[_e382];
                float _e385 = sum_1;
                float _e386 = top;
                uint _e391 = p.score;
                sum_1 = _e385 + ((_e391 == 2u) ? metal::exp(w_1 - _e386) : w_1);
            }
        }
        uint2 loop_bound_15 = uint2(4294967295u);
        bool loop_init_15 = true;
        while(true) {
            if (metal::all(loop_bound_15 == uint2(0u))) { break; }
            loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
            if (!loop_init_15) {
                uint _e482 = n_4;
                n_4 = _e482 + 1u;
            }
            loop_init_15 = false;
            uint _e401 = n_4;
            if (_e401 < USED) {
            } else {
                break;
            }
            {
                uint _e406 = n_4;
                uint _e408 = picked.inner[_e406];
                float _e410 = probability.inner[_e408];
                w = _e410;
                uint _e414 = p.score;
                if (_e414 == 2u) {
                    float _e417 = w;
                    float _e418 = top;
                    float _e421 = sum_1;
                    w = metal::exp(_e417 - _e418) / _e421;
                } else {
                    uint _e425 = p.normalise;
                    if (_e425 == 1u) {
                        float _e428 = w;
                        float _e429 = sum_1;
                        w = _e428 / _e429;
                    }
                }
                uint _e433 = p.scales;
                if (_e433 > 0u) {
                    float _e436 = w;
                    uint _e440 = p.scales;
                    uint _e444 = n_4;
                    uint _e446 = picked.inner[_e444];
                    float _e449 = vectors[(_e440 - 1u) + _e446];
                    w = _e436 * _e449;
                }
                uint _e454 = p.weights;
                uint _e458 = n_4;
                float _e461 = w;
                float _e464 = p.scale;
                act[(_e454 + (row * USED)) + _e458] = _e461 * _e464;
                uint _e469 = p.chosen;
                uint _e473 = n_4;
                uint _e477 = n_4;
                uint _e479 = picked.inner[_e477];
                act[(_e469 + (row * USED)) + _e473] = static_cast<float>(_e479);
            }
        }
        return;
    } else {
        return;
    }
}
