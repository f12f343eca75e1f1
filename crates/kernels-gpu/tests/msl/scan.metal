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

typedef uint type_2[1];
struct type_6 {
    float inner[256];
};
struct Span {
    uint row;
    uint rows;
    uint start;
    uint state;
    uint state_from;
};
struct Params {
    uint q;
    uint k;
    uint v;
    uint decay;
    uint beta;
    uint rate;
    uint bias;
    uint skip;
    uint out;
    uint heads;
    uint key_heads;
    uint values;
    uint decays;
    uint slices;
    float least;
    float most;
};
typedef float type_7[1];
struct type_8 {
    float inner[128];
};
struct type_10 {
    float inner[32];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint KEYS = 128u;
constant uint COLUMNS = 32u;
constant bool DELTA = false;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint PARTS = 4u;
constant uint PER = 32u;

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

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

float workgroup_sum(
    float value,
    uint lane_1,
    uint subgroup_1,
    uint size_1,
    threadgroup type_6& sum_parts
) {
    float total = 0.0;
    uint i_3 = 0u;
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
            uint _e27 = i_3;
            i_3 = _e27 + 1u;
        }
        loop_init = false;
        uint _e13 = i_3;
        if (_e13 < naga_div((WG + size_1) - 1u, size_1)) {
        } else {
            break;
        }
        {
            float _e20 = total;
            uint _e22 = i_3;
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
    threadgroup type_6& sum_parts
) {
    float largest = {};
    uint i_4 = 1u;
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
            uint _e29 = i_4;
            i_4 = _e29 + 1u;
        }
        loop_init_1 = false;
        uint _e15 = i_4;
        if (_e15 < naga_div((WG + size_2) - 1u, size_2)) {
        } else {
            break;
        }
        {
            float _e22 = largest;
            uint _e24 = i_4;
            float _e26 = sum_parts.inner[_e24];
            largest = metal::max(_e22, _e26);
        }
    }
    float _e31 = largest;
    return _e31;
}

Span span_at(
    uint i_5,
    device type_2 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e3 = step[9];
    uint at = _e3 + (i_5 * 5u);
    uint _e9 = step[at];
    uint _e14 = step[at + 1u];
    uint _e19 = step[at + 2u];
    uint _e24 = step[at + 3u];
    uint _e29 = step[at + 4u];
    return Span {_e9, _e14, _e19, _e24, _e29};
}

float softplus(
    float x_1
) {
    return metal::max(x_1, 0.0) + metal::log(1.0 + metal::exp(-(metal::abs(x_1))));
}

float joined(
    float value_2,
    uint column,
    uint me_1,
    threadgroup type_8& partial
) {
    float sum = 0.0;
    uint i_6 = 0u;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    partial.inner[me_1] = value_2;
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e22 = i_6;
            i_6 = _e22 + 1u;
        }
        loop_init_2 = false;
        uint _e9 = i_6;
        if (_e9 < PARTS) {
        } else {
            break;
        }
        {
            float _e12 = sum;
            uint _e14 = i_6;
            float _e19 = partial.inner[(_e14 * COLUMNS) + column];
            sum = _e12 + _e19;
        }
    }
    float _e24 = sum;
    return _e24;
}
uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, uint size [[threads_per_simdgroup]]
, device type_2 const& step [[user(fake0)]]
, threadgroup type_6& sum_parts
, device type_7& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, device type_7 const& vectors [[user(fake0)]]
, device type_7& states [[user(fake0)]]
, threadgroup type_8& keys
, threadgroup type_8& queries
, threadgroup type_8& decay_of
, threadgroup type_8& partial
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    type_10 s = {};
    uint n = 0u;
    bool local = {};
    bool local_1 = {};
    uint row = {};
    uint i = {};
    uint i_1 = {};
    float x = {};
    float y = {};
    metal::float2 lengths = {};
    uint i_2 = {};
    float found = {};
    uint n_1 = {};
    uint n_2 = {};
    uint n_3 = {};
    bool local_2 = {};
    uint n_4 = 0u;
    bool local_3 = {};
    uint _e8 = p.slices;
    uint head = naga_div(group.x, _e8);
    uint column_1 = naga_mod(me, COLUMNS);
    uint part = naga_div(me, COLUMNS);
    uint _e17 = p.slices;
    uint value_3 = (naga_mod(group.x, _e17) * COLUMNS) + column_1;
    uint _e24 = p.values;
    bool inside = value_3 < _e24;
    Span _e27 = span_at(group.y, step, _buffer_sizes);
    uint _e30 = p.heads;
    uint _e33 = p.key_heads;
    uint key_head = naga_div(head, naga_div(_e30, _e33));
    uint _e39 = p.heads;
    uint _e46 = p.values;
    uint to = ((((_e27.state * _e39) + head) * KEYS) * _e46) + value_3;
    uint _e52 = p.heads;
    uint _e59 = p.values;
    uint source = ((((_e27.state_from * _e52) + head) * KEYS) * _e59) + value_3;
    uint _e65 = p.rate;
    float rate = vectors[_e65 + head];
    uint2 loop_bound_3 = uint2(4294967295u);
    bool loop_init_3 = true;
    while(true) {
        if (metal::all(loop_bound_3 == uint2(0u))) { break; }
        loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
        if (!loop_init_3) {
            uint _e106 = n;
            n = _e106 + 1u;
        }
        loop_init_3 = false;
        uint _e72 = n;
        if (_e72 < PER) {
        } else {
            break;
        }
        {
            uint _e75 = n;
            uint i_7 = (_e75 * PARTS) + part;
            uint _e79 = n;
            s.inner[_e79] = 0.0;
            if (inside) {
                local = i_7 < KEYS;
            } else {
                local = false;
            }
            bool _e87 = local;
            if (_e87) {
                local_1 = _e27.start > 0u;
            } else {
                local_1 = false;
            }
            bool _e94 = local_1;
            if (_e94) {
                uint _e95 = n;
                uint _e100 = p.values;
                float _e104 = states[source + (i_7 * _e100)];
                s.inner[_e95] = _e104;
            }
        }
    }
    row = _e27.row;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e492 = row;
            row = _e492 + 1u;
        }
        loop_init_4 = false;
        uint _e110 = row;
        if (_e110 < (_e27.row + _e27.rows)) {
        } else {
            break;
        }
        {
            uint _e115 = row;
            uint _e118 = p.key_heads;
            uint at_1 = ((_e115 * _e118) + key_head) * KEYS;
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            i = me;
            uint2 loop_bound_5 = uint2(4294967295u);
            bool loop_init_5 = true;
            while(true) {
                if (metal::all(loop_bound_5 == uint2(0u))) { break; }
                loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
                if (!loop_init_5) {
                    uint _e151 = i;
                    i = _e151 + WG;
                }
                loop_init_5 = false;
                uint _e124 = i;
                if (_e124 < KEYS) {
                } else {
                    break;
                }
                {
                    uint _e128 = i;
                    uint _e133 = p.k;
                    uint _e135 = i;
                    float _e138 = act[(_e133 + at_1) + _e135];
                    keys.inner[_e128] = _e138;
                    uint _e140 = i;
                    uint _e145 = p.q;
                    uint _e147 = i;
                    float _e150 = act[(_e145 + at_1) + _e147];
                    queries.inner[_e140] = _e150;
                }
            }
            if (DELTA) {
                i_1 = me;
                uint2 loop_bound_6 = uint2(4294967295u);
                bool loop_init_6 = true;
                while(true) {
                    if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                    loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                    if (!loop_init_6) {
                        uint _e214 = i_1;
                        i_1 = _e214 + WG;
                    }
                    loop_init_6 = false;
                    uint _e156 = i_1;
                    uint _e159 = p.decays;
                    if (_e156 < _e159) {
                    } else {
                        break;
                    }
                    {
                        uint _e164 = p.decay;
                        uint _e165 = row;
                        uint _e168 = p.heads;
                        uint _e173 = p.decays;
                        uint _e176 = i_1;
                        float _e179 = act[(_e164 + (((_e165 * _e168) + head) * _e173)) + _e176];
                        uint _e183 = p.bias;
                        uint _e186 = p.decays;
                        uint _e189 = i_1;
                        float _e192 = vectors[(_e183 + (head * _e186)) + _e189];
                        float x_2 = _e179 + _e192;
                        uint _e195 = i_1;
                        float _e197 = softplus(x_2);
                        float _e201 = p.least;
                        float _e209 = p.least;
                        decay_of.inner[_e195] = metal::exp((_e209 < 0.0) ? (_e201 / (1.0 + metal::exp(rate * x_2))) : (rate * _e197));
                    }
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            x = 0.0;
            if (inside) {
                uint _e222 = p.v;
                uint _e223 = row;
                uint _e226 = p.heads;
                uint _e231 = p.values;
                float _e236 = act[(_e222 + (((_e223 * _e226) + head) * _e231)) + value_3];
                x = _e236;
            }
            y = 0.0;
            if (DELTA) {
                lengths = metal::float2(0.0);
                i_2 = me;
                uint2 loop_bound_7 = uint2(4294967295u);
                bool loop_init_7 = true;
                while(true) {
                    if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                    loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                    if (!loop_init_7) {
                        uint _e268 = i_2;
                        i_2 = _e268 + WG;
                    }
                    loop_init_7 = false;
                    uint _e244 = i_2;
                    if (_e244 < KEYS) {
                    } else {
                        break;
                    }
                    {
                        metal::float2 _e247 = lengths;
                        uint _e249 = i_2;
                        float _e251 = keys.inner[_e249];
                        uint _e253 = i_2;
                        float _e255 = keys.inner[_e253];
                        uint _e258 = i_2;
                        float _e260 = queries.inner[_e258];
                        uint _e262 = i_2;
                        float _e264 = queries.inner[_e262];
                        lengths = _e247 + metal::float2(_e251 * _e255, _e260 * _e264);
                    }
                }
                float _e272 = lengths.x;
                float _e273 = workgroup_sum(_e272, lane, subgroup, size, sum_parts);
                float k_unit = 1.0 / metal::sqrt(_e273 + 0.000001);
                float _e280 = lengths.y;
                float _e281 = workgroup_sum(_e280, lane, subgroup, size, sum_parts);
                float q_unit = 1.0 / metal::sqrt((_e281 + 0.000001) * 128.0);
                uint _e292 = p.beta;
                uint _e293 = row;
                uint _e296 = p.heads;
                float _e301 = act[(_e292 + (_e293 * _e296)) + head];
                float beta = 1.0 / (1.0 + metal::exp(-(_e301)));
                found = 0.0;
                n_1 = 0u;
                uint2 loop_bound_8 = uint2(4294967295u);
                bool loop_init_8 = true;
                while(true) {
                    if (metal::all(loop_bound_8 == uint2(0u))) { break; }
                    loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
                    if (!loop_init_8) {
                        uint _e345 = n_1;
                        n_1 = _e345 + 1u;
                    }
                    loop_init_8 = false;
                    uint _e312 = n_1;
                    if (_e312 < PER) {
                    } else {
                        break;
                    }
                    {
                        uint _e315 = n_1;
                        uint i_8 = metal::min((_e315 * PARTS) + part, 127u);
                        uint _e321 = n_1;
                        float _e323 = s.inner[_e321];
                        uint _e328 = p.decays;
                        float _e333 = decay_of.inner[(_e328 == 1u) ? 0u : i_8];
                        s.inner[_e321] = _e323 * _e333;
                        float _e335 = found;
                        uint _e336 = n_1;
                        float _e338 = s.inner[_e336];
                        float _e341 = keys.inner[i_8];
                        found = _e335 + (_e338 * _e341);
                    }
                }
                float _e347 = x;
                float _e348 = found;
                float _e349 = joined(_e348, column_1, me, partial);
                float change = (beta * (_e347 - (_e349 * k_unit))) * k_unit;
                n_2 = 0u;
                uint2 loop_bound_9 = uint2(4294967295u);
                bool loop_init_9 = true;
                while(true) {
                    if (metal::all(loop_bound_9 == uint2(0u))) { break; }
                    loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
                    if (!loop_init_9) {
                        uint _e383 = n_2;
                        n_2 = _e383 + 1u;
                    }
                    loop_init_9 = false;
                    uint _e356 = n_2;
                    if (_e356 < PER) {
                    } else {
                        break;
                    }
                    {
                        uint _e359 = n_2;
                        uint i_9 = (_e359 * PARTS) + part;
                        if (i_9 < KEYS) {
                            uint _e365 = n_2;
                            float _e367 = s.inner[_e365];
                            float _e370 = keys.inner[i_9];
                            s.inner[_e365] = _e367 + (_e370 * change);
                            float _e373 = y;
                            uint _e374 = n_2;
                            float _e376 = s.inner[_e374];
                            float _e379 = queries.inner[i_9];
                            y = _e373 + (_e376 * _e379);
                        }
                    }
                }
                float _e385 = y;
                float _e386 = joined(_e385, column_1, me, partial);
                y = _e386 * q_unit;
            } else {
                uint _e391 = p.decay;
                uint _e392 = row;
                uint _e395 = p.heads;
                float _e400 = act[(_e391 + (_e392 * _e395)) + head];
                uint _e404 = p.bias;
                float _e407 = vectors[_e404 + head];
                float _e409 = softplus(_e400 + _e407);
                float _e412 = p.least;
                float _e415 = p.most;
                float wait = metal::clamp(_e409, _e412, _e415);
                float decay = metal::exp(rate * wait);
                n_3 = 0u;
                uint2 loop_bound_10 = uint2(4294967295u);
                bool loop_init_10 = true;
                while(true) {
                    if (metal::all(loop_bound_10 == uint2(0u))) { break; }
                    loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
                    if (!loop_init_10) {
                        uint _e453 = n_3;
                        n_3 = _e453 + 1u;
                    }
                    loop_init_10 = false;
                    uint _e421 = n_3;
                    if (_e421 < PER) {
                    } else {
                        break;
                    }
                    {
                        uint _e424 = n_3;
                        uint i_10 = (_e424 * PARTS) + part;
                        if (i_10 < KEYS) {
                            uint _e430 = n_3;
                            uint _e432 = n_3;
                            float _e434 = s.inner[_e432];
                            float _e438 = keys.inner[i_10];
                            float _e440 = x;
                            s.inner[_e430] = (decay * _e434) + ((_e438 * wait) * _e440);
                            float _e443 = y;
                            float _e446 = queries.inner[i_10];
                            uint _e447 = n_3;
                            float _e449 = s.inner[_e447];
                            y = _e443 + (_e446 * _e449);
                        }
                    }
                }
                float _e455 = y;
                float _e456 = joined(_e455, column_1, me, partial);
                uint _e460 = p.skip;
                float _e463 = vectors[_e460 + head];
                float _e464 = x;
                y = _e456 + (_e463 * _e464);
            }
            if (inside) {
                local_2 = part == 0u;
            } else {
                local_2 = false;
            }
            bool _e472 = local_2;
            if (_e472) {
                uint _e476 = p.out;
                uint _e477 = row;
                uint _e480 = p.heads;
                uint _e485 = p.values;
                float _e490 = y;
                act[(_e476 + (((_e477 * _e480) + head) * _e485)) + value_3] = _e490;
            }
        }
    }
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e520 = n_4;
            n_4 = _e520 + 1u;
        }
        loop_init_11 = false;
        uint _e496 = n_4;
        if (_e496 < PER) {
        } else {
            break;
        }
        {
            uint _e499 = n_4;
            uint i_11 = (_e499 * PARTS) + part;
            if (inside) {
                local_3 = i_11 < KEYS;
            } else {
                local_3 = false;
            }
            bool _e508 = local_3;
            if (_e508) {
                uint _e512 = p.values;
                uint _e516 = n_4;
                float _e518 = s.inner[_e516];
                states[to + (i_11 * _e512)] = _e518;
            }
        }
    }
    return;
}
