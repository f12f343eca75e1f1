// language: metal3.1
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size0;
    uint size1;
    uint size2;
};

typedef uint type_1[1];
struct Place {
    uint keys;
    uint values;
    uint key_scales;
    uint value_scales;
};
typedef metal::uint4 type_5[1];
struct Stored {
    metal::uint4 a;
    metal::uint4 b;
    float scale;
    char _pad3[12];
};
struct type_7 {
    metal::float4 inner[2];
};
struct Params {
    Place place;
    uint q;
    uint weights;
    uint scores;
    uint stride;
    uint heads;
    uint row;
    uint block_len;
    uint groups;
};
typedef float type_8[1];
struct type_9 {
    metal::float4 inner[1024];
};
struct type_10 {
    float inner[32];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint CACHE = 1u;
constant uint KU = 16u;
constant uint KEY_DIM = 128u;
constant uint AT_ONCE = 32u;
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

uint seen_from(
    uint position_1,
    uint window
) {
    return (window > 0u) ? ((position_1 + 1u) - metal::min(position_1 + 1u, window)) : 0u;
}

uint seen_to(
    uint row_1,
    device type_1 const& step,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint _e4 = step[16];
    uint _e7 = step[_e4 + row_1];
    return _e7;
}

Stored stored(
    uint plane,
    uint scales,
    uint slot,
    uint units,
    uint u,
    device type_5 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    if (false) {
        uint at = naga_div(plane, 4u) + (((slot * units) + u) * 2u);
        metal::uint4 _e15 = cache[at];
        metal::uint4 _e20 = cache[at + 1u];
        return Stored {_e15, _e20, 1.0};
    } else {
        if (true) {
            metal::uint4 _e31 = cache[(naga_div(plane, 4u) + (slot * units)) + u];
            return Stored {_e31, metal::uint4(0u), 1.0};
        }
    }
    uint blocks = naga_div(units + 3u, 4u);
    metal::uint4 w_1 = cache[(naga_div(plane, 4u) + ((slot * blocks) * 2u)) + naga_div(u, 2u)];
    metal::uint2 pair = ((u & 1u) == 1u) ? w_1.zw : w_1.xy;
    uint i_1 = (scales + (slot * blocks)) + naga_div(u, 4u);
    uint _e76 = cache[naga_div(i_1, 4u)][naga_mod(i_1, 4u)];
    return Stored {metal::uint4(pair, 0u, 0u), metal::uint4(0u), as_type<float>(_e76)};
}

type_7 values_of(
    Stored w
) {
    if (false) {
        return type_7 {{as_type<metal::float4>(w.a), as_type<metal::float4>(w.b)}};
    } else {
        if (true) {
            return type_7 {{metal::float4(float2(as_type<half2>(w.a.x)), float2(as_type<half2>(w.a.y))), metal::float4(float2(as_type<half2>(w.a.z)), float2(as_type<half2>(w.a.w)))}};
        }
    }
    return type_7 {{static_cast<metal::float4>(int4(as_type<packed_char4>(w.a.x))) * w.scale, static_cast<metal::float4>(int4(as_type<packed_char4>(w.a.y))) * w.scale}};
}

type_7 eight(
    uint plane_1,
    uint scales_1,
    uint slot_1,
    uint units_1,
    uint u_1,
    device type_5 const& cache,
    constant _mslBufferSizes& _buffer_sizes
) {
    Stored _e5 = stored(plane_1, scales_1, slot_1, units_1, u_1, cache, _buffer_sizes);
    type_7 _e6 = values_of(_e5);
    return _e6;
}

float score_of(
    uint slot_2,
    uint row_2,
    uint me_1,
    device type_5 const& cache,
    device type_8 const& act,
    constant Params& p,
    threadgroup type_9& queries,
    threadgroup type_10& shares,
    constant _mslBufferSizes& _buffer_sizes
) {
    float score = 0.0;
    uint h0_ = 0u;
    uint i = {};
    uint h = {};
    uint h_1 = {};
    float sum = {};
    uint _e6 = p.place.keys;
    uint _e10 = p.place.key_scales;
    type_7 _e13 = eight(_e6, _e10, slot_2, KU, 0u, cache, _buffer_sizes);
    uint _e17 = p.place.keys;
    uint _e21 = p.place.key_scales;
    type_7 _e24 = eight(_e17, _e21, slot_2, KU, 1u, cache, _buffer_sizes);
    uint _e28 = p.place.keys;
    uint _e32 = p.place.key_scales;
    type_7 _e35 = eight(_e28, _e32, slot_2, KU, 2u, cache, _buffer_sizes);
    uint _e39 = p.place.keys;
    uint _e43 = p.place.key_scales;
    type_7 _e46 = eight(_e39, _e43, slot_2, KU, 3u, cache, _buffer_sizes);
    uint _e50 = p.place.keys;
    uint _e54 = p.place.key_scales;
    type_7 _e57 = eight(_e50, _e54, slot_2, KU, 4u, cache, _buffer_sizes);
    uint _e61 = p.place.keys;
    uint _e65 = p.place.key_scales;
    type_7 _e68 = eight(_e61, _e65, slot_2, KU, 5u, cache, _buffer_sizes);
    uint _e72 = p.place.keys;
    uint _e76 = p.place.key_scales;
    type_7 _e79 = eight(_e72, _e76, slot_2, KU, 6u, cache, _buffer_sizes);
    uint _e83 = p.place.keys;
    uint _e87 = p.place.key_scales;
    type_7 _e90 = eight(_e83, _e87, slot_2, KU, 7u, cache, _buffer_sizes);
    uint _e94 = p.place.keys;
    uint _e98 = p.place.key_scales;
    type_7 _e101 = eight(_e94, _e98, slot_2, KU, 8u, cache, _buffer_sizes);
    uint _e105 = p.place.keys;
    uint _e109 = p.place.key_scales;
    type_7 _e112 = eight(_e105, _e109, slot_2, KU, 9u, cache, _buffer_sizes);
    uint _e116 = p.place.keys;
    uint _e120 = p.place.key_scales;
    type_7 _e123 = eight(_e116, _e120, slot_2, KU, 10u, cache, _buffer_sizes);
    uint _e127 = p.place.keys;
    uint _e131 = p.place.key_scales;
    type_7 _e134 = eight(_e127, _e131, slot_2, KU, 11u, cache, _buffer_sizes);
    uint _e138 = p.place.keys;
    uint _e142 = p.place.key_scales;
    type_7 _e145 = eight(_e138, _e142, slot_2, KU, 12u, cache, _buffer_sizes);
    uint _e149 = p.place.keys;
    uint _e153 = p.place.key_scales;
    type_7 _e156 = eight(_e149, _e153, slot_2, KU, 13u, cache, _buffer_sizes);
    uint _e160 = p.place.keys;
    uint _e164 = p.place.key_scales;
    type_7 _e167 = eight(_e160, _e164, slot_2, KU, 14u, cache, _buffer_sizes);
    uint _e171 = p.place.keys;
    uint _e175 = p.place.key_scales;
    type_7 _e178 = eight(_e171, _e175, slot_2, KU, 15u, cache, _buffer_sizes);
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e750 = h0_;
            h0_ = _e750 + AT_ONCE;
        }
        loop_init = false;
        uint _e183 = h0_;
        uint _e186 = p.heads;
        if (_e183 < _e186) {
        } else {
            break;
        }
        {
            uint _e191 = p.heads;
            uint _e192 = h0_;
            uint heads_1 = metal::min(AT_ONCE, _e191 - _e192);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            i = me_1;
            uint2 loop_bound_1 = uint2(4294967295u);
            bool loop_init_1 = true;
            while(true) {
                if (metal::all(loop_bound_1 == uint2(0u))) { break; }
                loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
                if (!loop_init_1) {
                    uint _e240 = i;
                    i = _e240 + WG;
                }
                loop_init_1 = false;
                uint _e196 = i;
                if (_e196 < ((heads_1 * KU) * 8u)) {
                } else {
                    break;
                }
                {
                    uint _e202 = i;
                    uint d = naga_mod(_e202, 128u);
                    uint _e207 = p.q;
                    uint _e210 = p.heads;
                    uint _e212 = h0_;
                    uint _e214 = i;
                    uint at_1 = (_e207 + ((((row_2 * _e210) + _e212) + naga_div(_e214, 128u)) * KEY_DIM)) + metal::min(d, 127u);
                    uint _e225 = i;
                    uint _e229 = i;
                    float _e235 = act[at_1];
                    queries.inner[naga_div(_e225, 4u)][naga_mod(_e229, 4u)] = (d < KEY_DIM) ? _e235 : 0.0;
                }
            }
            h = me_1;
            uint2 loop_bound_2 = uint2(4294967295u);
            bool loop_init_2 = true;
            while(true) {
                if (metal::all(loop_bound_2 == uint2(0u))) { break; }
                loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
                if (!loop_init_2) {
                    uint _e264 = h;
                    h = _e264 + WG;
                }
                loop_init_2 = false;
                uint _e244 = h;
                if (_e244 < heads_1) {
                } else {
                    break;
                }
                {
                    uint _e247 = h;
                    uint _e252 = p.weights;
                    uint _e255 = p.heads;
                    uint _e258 = h0_;
                    uint _e260 = h;
                    float _e263 = act[((_e252 + (row_2 * _e255)) + _e258) + _e260];
                    shares.inner[_e247] = _e263;
                }
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            h_1 = 0u;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e748 = h_1;
                    h_1 = _e748 + 1u;
                }
                loop_init_3 = false;
                uint _e269 = h_1;
                if (_e269 < heads_1) {
                } else {
                    break;
                }
                {
                    sum = 0.0;
                    float _e273 = sum;
                    uint _e276 = h_1;
                    metal::float4 _e284 = queries.inner[((_e276 * KU) + 0u) * 2u];
                    uint _e288 = h_1;
                    metal::float4 _e298 = queries.inner[(((_e288 * KU) + 0u) * 2u) + 1u];
                    sum = _e273 + (metal::dot(_e13.inner[0], _e284) + metal::dot(_e13.inner[1], _e298));
                    float _e302 = sum;
                    uint _e305 = h_1;
                    metal::float4 _e313 = queries.inner[((_e305 * KU) + 1u) * 2u];
                    uint _e317 = h_1;
                    metal::float4 _e327 = queries.inner[(((_e317 * KU) + 1u) * 2u) + 1u];
                    sum = _e302 + (metal::dot(_e24.inner[0], _e313) + metal::dot(_e24.inner[1], _e327));
                    float _e331 = sum;
                    uint _e334 = h_1;
                    metal::float4 _e342 = queries.inner[((_e334 * KU) + 2u) * 2u];
                    uint _e346 = h_1;
                    metal::float4 _e356 = queries.inner[(((_e346 * KU) + 2u) * 2u) + 1u];
                    sum = _e331 + (metal::dot(_e35.inner[0], _e342) + metal::dot(_e35.inner[1], _e356));
                    float _e360 = sum;
                    uint _e363 = h_1;
                    metal::float4 _e371 = queries.inner[((_e363 * KU) + 3u) * 2u];
                    uint _e375 = h_1;
                    metal::float4 _e385 = queries.inner[(((_e375 * KU) + 3u) * 2u) + 1u];
                    sum = _e360 + (metal::dot(_e46.inner[0], _e371) + metal::dot(_e46.inner[1], _e385));
                    float _e389 = sum;
                    uint _e392 = h_1;
                    metal::float4 _e400 = queries.inner[((_e392 * KU) + 4u) * 2u];
                    uint _e404 = h_1;
                    metal::float4 _e414 = queries.inner[(((_e404 * KU) + 4u) * 2u) + 1u];
                    sum = _e389 + (metal::dot(_e57.inner[0], _e400) + metal::dot(_e57.inner[1], _e414));
                    float _e418 = sum;
                    uint _e421 = h_1;
                    metal::float4 _e429 = queries.inner[((_e421 * KU) + 5u) * 2u];
                    uint _e433 = h_1;
                    metal::float4 _e443 = queries.inner[(((_e433 * KU) + 5u) * 2u) + 1u];
                    sum = _e418 + (metal::dot(_e68.inner[0], _e429) + metal::dot(_e68.inner[1], _e443));
                    float _e447 = sum;
                    uint _e450 = h_1;
                    metal::float4 _e458 = queries.inner[((_e450 * KU) + 6u) * 2u];
                    uint _e462 = h_1;
                    metal::float4 _e472 = queries.inner[(((_e462 * KU) + 6u) * 2u) + 1u];
                    sum = _e447 + (metal::dot(_e79.inner[0], _e458) + metal::dot(_e79.inner[1], _e472));
                    float _e476 = sum;
                    uint _e479 = h_1;
                    metal::float4 _e487 = queries.inner[((_e479 * KU) + 7u) * 2u];
                    uint _e491 = h_1;
                    metal::float4 _e501 = queries.inner[(((_e491 * KU) + 7u) * 2u) + 1u];
                    sum = _e476 + (metal::dot(_e90.inner[0], _e487) + metal::dot(_e90.inner[1], _e501));
                    float _e505 = sum;
                    uint _e508 = h_1;
                    metal::float4 _e516 = queries.inner[((_e508 * KU) + 8u) * 2u];
                    uint _e520 = h_1;
                    metal::float4 _e530 = queries.inner[(((_e520 * KU) + 8u) * 2u) + 1u];
                    sum = _e505 + (metal::dot(_e101.inner[0], _e516) + metal::dot(_e101.inner[1], _e530));
                    float _e534 = sum;
                    uint _e537 = h_1;
                    metal::float4 _e545 = queries.inner[((_e537 * KU) + 9u) * 2u];
                    uint _e549 = h_1;
                    metal::float4 _e559 = queries.inner[(((_e549 * KU) + 9u) * 2u) + 1u];
                    sum = _e534 + (metal::dot(_e112.inner[0], _e545) + metal::dot(_e112.inner[1], _e559));
                    float _e563 = sum;
                    uint _e566 = h_1;
                    metal::float4 _e574 = queries.inner[((_e566 * KU) + 10u) * 2u];
                    uint _e578 = h_1;
                    metal::float4 _e588 = queries.inner[(((_e578 * KU) + 10u) * 2u) + 1u];
                    sum = _e563 + (metal::dot(_e123.inner[0], _e574) + metal::dot(_e123.inner[1], _e588));
                    float _e592 = sum;
                    uint _e595 = h_1;
                    metal::float4 _e603 = queries.inner[((_e595 * KU) + 11u) * 2u];
                    uint _e607 = h_1;
                    metal::float4 _e617 = queries.inner[(((_e607 * KU) + 11u) * 2u) + 1u];
                    sum = _e592 + (metal::dot(_e134.inner[0], _e603) + metal::dot(_e134.inner[1], _e617));
                    float _e621 = sum;
                    uint _e624 = h_1;
                    metal::float4 _e632 = queries.inner[((_e624 * KU) + 12u) * 2u];
                    uint _e636 = h_1;
                    metal::float4 _e646 = queries.inner[(((_e636 * KU) + 12u) * 2u) + 1u];
                    sum = _e621 + (metal::dot(_e145.inner[0], _e632) + metal::dot(_e145.inner[1], _e646));
                    float _e650 = sum;
                    uint _e653 = h_1;
                    metal::float4 _e661 = queries.inner[((_e653 * KU) + 13u) * 2u];
                    uint _e665 = h_1;
                    metal::float4 _e675 = queries.inner[(((_e665 * KU) + 13u) * 2u) + 1u];
                    sum = _e650 + (metal::dot(_e156.inner[0], _e661) + metal::dot(_e156.inner[1], _e675));
                    float _e679 = sum;
                    uint _e682 = h_1;
                    metal::float4 _e690 = queries.inner[((_e682 * KU) + 14u) * 2u];
                    uint _e694 = h_1;
                    metal::float4 _e704 = queries.inner[(((_e694 * KU) + 14u) * 2u) + 1u];
                    sum = _e679 + (metal::dot(_e167.inner[0], _e690) + metal::dot(_e167.inner[1], _e704));
                    float _e708 = sum;
                    uint _e711 = h_1;
                    metal::float4 _e719 = queries.inner[((_e711 * KU) + 15u) * 2u];
                    uint _e723 = h_1;
                    metal::float4 _e733 = queries.inner[(((_e723 * KU) + 15u) * 2u) + 1u];
                    sum = _e708 + (metal::dot(_e178.inner[0], _e719) + metal::dot(_e178.inner[1], _e733));
                    float _e737 = score;
                    uint _e739 = h_1;
                    float _e741 = shares.inner[_e739];
                    float _e742 = sum;
                    score = _e737 + (_e741 * metal::max(_e742, 0.0));
                }
            }
        }
    }
    float _e753 = score;
    return _e753;
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5 const& cache [[user(fake0)]]
, device type_8& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, threadgroup type_9& queries
, threadgroup type_10& shares
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint tile = {};
    uint _e4 = p.row;
    uint row_3 = _e4 + group.y;
    uint _e8 = table_of(row_3, 0u, step, _buffer_sizes);
    uint _e12 = step[5];
    uint _e15 = step[_e12 + row_3];
    uint seen = _e15 + 1u;
    tile = group.x * WG;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e53 = tile;
            uint _e56 = p.groups;
            tile = _e53 + (_e56 * WG);
        }
        loop_init_4 = false;
        uint _e22 = tile;
        if (_e22 < seen) {
        } else {
            break;
        }
        {
            uint _e24 = tile;
            uint _e31 = p.block_len;
            uint _e34 = slot_of(_e8, metal::min(_e24 + me, seen - 1u), _e31, 1u, 0u, step, _buffer_sizes);
            float _e35 = score_of(_e34, row_3, me, cache, act, p, queries, shares, _buffer_sizes);
            uint _e36 = tile;
            if ((_e36 + me) < seen) {
                uint _e42 = p.scores;
                uint _e46 = p.stride;
                uint _e49 = tile;
                act[((_e42 + (group.y * _e46)) + _e49) + me] = _e35;
            }
        }
    }
    return;
}
