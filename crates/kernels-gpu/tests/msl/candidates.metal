// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size3;
};

typedef uint type_2[1];
struct Params {
    uint logits;
    uint width;
    uint runs;
    uint first_token;
    uint parts;
    uint pad0_;
    uint pad1_;
    uint pad2_;
};
typedef float type_6[1];
struct type_7 {
    uint inner[256];
};
struct Candidate {
    uint key;
    uint id;
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant bool MERGE = false;
constant uint RUN = 4096u;
constant uint TOP_MAX = 64u;
constant uint DRAWN = 4u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint NEGATIVE_INFINITY = 8388607u;
constant uint INFINITY_ = 4286578688u;
constant uint NONE = 4294967295u;

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

uint key_of(
    float value
) {
    uint bits = as_type<uint>(value);
    if ((bits & 2147483647u) > 2139095040u) {
        return 4294967295u;
    }
    return ((bits >> 31u) == 1u) ? ~(bits) : (bits ^ 2147483648u);
}

uint mask_of(
    uint row,
    device type_2 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e3 = step[19];
    if (_e3 == 0u) {
        return 0u;
    }
    uint _e10 = step[19];
    uint _e13 = step[_e10 + row];
    return _e13;
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

bool is_allowed(
    uint found,
    uint token,
    device type_2 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    bool local_6 = {};
    uint mask = found & 2147483647u;
    if (!((mask == 0u))) {
        uint _e14 = step[mask + naga_div(token, 32u)];
        local_6 = ((_e14 >> naga_mod(token, 32u)) & 1u) == 1u;
    } else {
        local_6 = true;
    }
    bool _e23 = local_6;
    return _e23;
}

metal::uint2 times(
    metal::uint2 a_1,
    metal::uint2 b_1
) {
    uint al = a_1.x & 65535u;
    uint ah = a_1.x >> 16u;
    uint bl = b_1.x & 65535u;
    uint bh = b_1.x >> 16u;
    uint middle = (ah * bl) + ((al * bl) >> 16u);
    uint other = (al * bh) + (middle & 65535u);
    uint high = ((ah * bh) + (middle >> 16u)) + (other >> 16u);
    return metal::uint2(a_1.x * b_1.x, (high + (a_1.x * b_1.y)) + (a_1.y * b_1.x));
}

metal::uint2 folded(
    metal::uint2 z,
    uint by
) {
    return z ^ metal::uint2((z.x >> by) | (z.y << (32u - by)), z.y >> by);
}

float noise(
    metal::uint2 stream,
    uint token_1
) {
    metal::uint2 z_1 = {};
    float minus_log = {};
    float sum = 0.0;
    uint k = 12u;
    metal::uint2 _e9 = times(metal::uint2(token_1 + 1u, 0u), metal::uint2(3516067075u, 3518319154u));
    uint low = stream.x + _e9.x;
    z_1 = metal::uint2(low, (stream.y + _e9.y) + ((low < stream.x) ? 1u : 0u));
    metal::uint2 _e24 = z_1;
    metal::uint2 _e26 = folded(_e24, 30u);
    metal::uint2 _e30 = times(_e26, metal::uint2(484763065u, 3210233709u));
    z_1 = _e30;
    metal::uint2 _e31 = z_1;
    metal::uint2 _e33 = folded(_e31, 27u);
    metal::uint2 _e37 = times(_e33, metal::uint2(321982955u, 2496678331u));
    z_1 = _e37;
    metal::uint2 _e38 = z_1;
    metal::uint2 _e40 = folded(_e38, 31u);
    z_1 = _e40;
    uint _e42 = z_1.x;
    float rest = (static_cast<float>(_e42 >> 11u) + 0.5) / 2097152.0;
    uint _e51 = z_1.y;
    float unit = (static_cast<float>(_e51) + rest) / 4294967300.0;
    uint _e57 = z_1.y;
    float lack = (static_cast<float>(~(_e57)) + (1.0 - rest)) / 4294967300.0;
    minus_log = -(metal::log(unit));
    if (lack < 0.25) {
        uint2 loop_bound = uint2(4294967295u);
        bool loop_init = true;
        while(true) {
            if (metal::all(loop_bound == uint2(0u))) { break; }
            loop_bound -= uint2(loop_bound.y == 0u, 1u);
            if (!loop_init) {
                uint _e85 = k;
                k = _e85 - 1u;
            }
            loop_init = false;
            uint _e74 = k;
            if (_e74 > 0u) {
            } else {
                break;
            }
            {
                uint _e77 = k;
                float _e81 = sum;
                sum = lack * ((1.0 / static_cast<float>(_e77)) + _e81);
            }
        }
        float _e87 = sum;
        minus_log = _e87;
    }
    float _e88 = minus_log;
    return -(metal::log(_e88));
}

bool before(
    Candidate a_2,
    Candidate b_2
) {
    bool local_7 = {};
    bool local_8 = {};
    if (!((a_2.key > b_2.key))) {
        if (a_2.key == b_2.key) {
            local_8 = a_2.id < b_2.id;
        } else {
            local_8 = false;
        }
        bool _e17 = local_8;
        local_7 = _e17;
    } else {
        local_7 = true;
    }
    bool _e19 = local_7;
    return _e19;
}

uint part(
    uint row_1,
    uint kind,
    uint run,
    constant Params& p
) {
    uint _e5 = p.parts;
    uint _e11 = p.runs;
    return _e5 + ((((((row_1 * 2u) + kind) * _e11) + run) * TOP_MAX) * 2u);
}

Candidate candidate(
    uint i_1,
    uint row_2,
    uint kind_1,
    uint count,
    device type_2 const& step,
    device type_6 const& act,
    constant Params& p,
    device type_2 const& found_1,
    constant _mslBufferSizes& _buffer_sizes
) {
    bool local_9 = {};
    bool local_10 = {};
    bool local_11 = {};
    bool local_12 = {};
    bool local_13 = {};
    if (MERGE) {
        uint _e6 = part(row_2, kind_1, naga_div(i_1, count), p);
        uint at = _e6 + (naga_mod(i_1, count) * 2u);
        uint _e13 = found_1[at];
        uint _e18 = found_1[at + 1u];
        return Candidate {_e13, _e18};
    }
    uint _e23 = p.logits;
    uint _e26 = p.width;
    float logit = act[(_e23 + (row_2 * _e26)) + i_1];
    uint _e32 = key_of(logit);
    if (_e32 <= NEGATIVE_INFINITY) {
        return Candidate {0u, 4294967295u};
    }
    uint _e38 = mask_of(row_2, step, _buffer_sizes);
    if (!((kind_1 == 1u))) {
        local_9 = (_e38 >> 31u) == 0u;
    } else {
        local_9 = true;
    }
    bool limited = local_9;
    if (limited) {
        local_10 = _e32 < INFINITY_;
    } else {
        local_10 = false;
    }
    bool _e55 = local_10;
    if (_e55) {
        uint _e60 = p.first_token;
        bool _e62 = is_allowed(_e38, _e60 + i_1, step, _buffer_sizes);
        local_11 = !(_e62);
    } else {
        local_11 = false;
    }
    bool _e65 = local_11;
    if (_e65) {
        return Candidate {0u, 4294967295u};
    }
    uint _e71 = step[13];
    uint draw = _e71 + (row_2 * 3u);
    uint _e77 = step[draw];
    float scale = as_type<float>(_e77);
    if (!((kind_1 == 0u))) {
        local_12 = scale == 0.0;
    } else {
        local_12 = true;
    }
    bool _e87 = local_12;
    if (!(_e87)) {
        local_13 = _e32 == 4294967295u;
    } else {
        local_13 = true;
    }
    bool _e94 = local_13;
    if (_e94) {
        return Candidate {_e32, i_1};
    }
    uint _e101 = step[draw + 1u];
    uint _e106 = step[draw + 2u];
    uint _e110 = p.first_token;
    float _e112 = noise(metal::uint2(_e101, _e106), _e110 + i_1);
    uint _e114 = key_of((logit * scale) + _e112);
    return Candidate {_e114, i_1};
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_2 const& step [[user(fake0)]]
, device type_6 const& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_2& found_1 [[user(fake0)]]
, threadgroup type_7& keys
, threadgroup type_7& ids
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    Candidate best = Candidate {0u, 4294967295u};
    Candidate last = Candidate {0u, 4294967295u};
    uint n = 0u;
    bool local = {};
    bool local_1 = {};
    uint i = {};
    bool local_2 = {};
    bool local_3 = {};
    bool local_4 = {};
    uint half_ = {};
    bool local_5 = {};
    uint row_3 = group.y;
    uint kind_2 = group.z;
    uint _e6 = step[12];
    uint count_1 = (kind_2 == 1u) ? DRAWN : _e6;
    uint first = group.x * RUN;
    uint _e18 = p.width;
    uint _e22 = p.runs;
    uint end = MERGE ? (_e22 * count_1) : metal::min(first + RUN, _e18);
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e220 = n;
            n = _e220 + 1u;
        }
        loop_init_1 = false;
        uint _e36 = n;
        if (_e36 < count_1) {
        } else {
            break;
        }
        {
            uint _e38 = n;
            if (!((_e38 == 0u))) {
                uint _e45 = best.id;
                uint _e47 = last.id;
                if (_e45 == _e47) {
                    uint _e52 = best.id;
                    local_1 = _e52 != NONE;
                } else {
                    local_1 = false;
                }
                bool _e56 = local_1;
                local = _e56;
            } else {
                local = true;
            }
            bool _e58 = local;
            if (_e58) {
                best = Candidate {0u, 4294967295u};
                i = first + me;
                uint2 loop_bound_2 = uint2(4294967295u);
                bool loop_init_2 = true;
                while(true) {
                    if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                    loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                    if (!loop_init_2) {
                        uint _e91 = i;
                        i = _e91 + WG;
                    }
                    loop_init_2 = false;
                    uint _e64 = i;
                    if (_e64 < end) {
                    } else {
                        break;
                    }
                    {
                        uint _e66 = i;
                        Candidate _e67 = candidate(_e66, row_3, kind_2, count_1, step, act, p, found_1, _buffer_sizes);
                        if (_e67.id != NONE) {
                            uint _e73 = n;
                            if (!((_e73 == 0u))) {
                                Candidate _e79 = last;
                                bool _e80 = before(_e79, _e67);
                                local_3 = _e80;
                            } else {
                                local_3 = true;
                            }
                            bool _e82 = local_3;
                            local_2 = _e82;
                        } else {
                            local_2 = false;
                        }
                        bool _e84 = local_2;
                        if (_e84) {
                            Candidate _e87 = best;
                            bool _e88 = before(_e67, _e87);
                            local_4 = _e88;
                        } else {
                            local_4 = false;
                        }
                        bool _e90 = local_4;
                        if (_e90) {
                            best = _e67;
                        }
                    }
                }
            }
            uint _e97 = best.key;
            keys.inner[me] = _e97;
            uint _e101 = best.id;
            ids.inner[me] = _e101;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            half_ = 128u;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e146 = half_;
                    half_ = naga_div(_e146, 2u);
                }
                loop_init_3 = false;
                uint _e104 = half_;
                if (_e104 > 0u) {
                } else {
                    break;
                }
                {
                    uint _e107 = half_;
                    if (me < _e107) {
                        uint _e112 = half_;
                        uint _e115 = keys.inner[me + _e112];
                        uint _e117 = half_;
                        uint _e120 = ids.inner[me + _e117];
                        uint _e124 = keys.inner[me];
                        uint _e127 = ids.inner[me];
                        bool _e129 = before(Candidate {_e115, _e120}, Candidate {_e124, _e127});
                        local_5 = _e129;
                    } else {
                        local_5 = false;
                    }
                    bool _e131 = local_5;
                    if (_e131) {
                        uint _e135 = half_;
                        uint _e138 = keys.inner[me + _e135];
                        keys.inner[me] = _e138;
                        uint _e142 = half_;
                        uint _e145 = ids.inner[me + _e142];
                        ids.inner[me] = _e145;
                    }
                    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
                }
            }
            uint _e151 = keys.inner[0];
            uint _e154 = ids.inner[0];
            last = Candidate {_e151, _e154};
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (me == 0u) {
                if (MERGE) {
                    uint _e164 = n;
                    uint at_1 = (((row_3 * 68u) + (kind_2 * TOP_MAX)) + _e164) * 3u;
                    uint _e171 = last.id;
                    found_1[at_1] = _e171;
                    uint _e179 = p.logits;
                    uint _e182 = p.width;
                    uint _e186 = last.id;
                    uint _e189 = last.id;
                    float _e195 = act[(_e179 + (row_3 * _e182)) + ((_e189 == NONE) ? 0u : _e186)];
                    found_1[at_1 + 1u] = as_type<uint>(_e195);
                    uint _e202 = last.key;
                    found_1[at_1 + 2u] = _e202;
                } else {
                    uint _e204 = part(row_3, kind_2, group.x, p);
                    uint _e205 = n;
                    uint at_2 = _e204 + (_e205 * 2u);
                    uint _e212 = last.key;
                    found_1[at_2] = _e212;
                    uint _e218 = last.id;
                    found_1[at_2 + 1u] = _e218;
                }
            }
        }
    }
    return;
}
