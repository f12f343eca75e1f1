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
struct type_7 {
    metal::float4 inner[2];
};
struct Params {
    Place place;
    uint q;
    uint parts;
    uint heads;
    uint kv_heads;
    float scale;
    uint window;
    uint windowed;
    uint block_len;
};
typedef float type_8[1];
struct type_10 {
    metal::half4 inner[2176];
};
struct type_11 {
    metal::half4 inner[1088];
};
struct type_12 {
    float inner[2048];
};
struct type_13 {
    metal::half4 inner[640];
};
struct type_15 {
    metal::float2 inner[128];
};
constant uint WG = 128u;
constant uint SUBGROUPS = 16u;
constant uint NH = 4u;
constant uint KSQ = 8u;
constant uint VSQ = 8u;
constant uint CACHE = 1u;
constant uint KEY_DIM = 128u;
constant uint VALUE_DIM = 128u;
constant uint ACTIVATION = 0u;
constant uint LIMIT = 0u;
constant uint QS = 34u;
constant uint TS = 34u;
constant uint PS = 10u;

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

type_7 eight(
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
        metal::uint4 _e21 = cache[at + 1u];
        return type_7 {{as_type<metal::float4>(_e15), as_type<metal::float4>(_e21)}};
    } else {
        if (true) {
            metal::uint4 w_1 = cache[(naga_div(plane, 4u) + (slot * units)) + u];
            return type_7 {{metal::float4(float2(as_type<half2>(w_1.x)), float2(as_type<half2>(w_1.y))), metal::float4(float2(as_type<half2>(w_1.z)), float2(as_type<half2>(w_1.w)))}};
        }
    }
    uint blocks = naga_div(units + 3u, 4u);
    metal::uint4 w_2 = cache[(naga_div(plane, 4u) + ((slot * blocks) * 2u)) + naga_div(u, 2u)];
    metal::uint2 pair = ((u & 1u) == 1u) ? w_2.zw : w_2.xy;
    uint i_2 = (scales + (slot * blocks)) + naga_div(u, 4u);
    uint _e79 = cache[naga_div(i_2, 4u)][naga_mod(i_2, 4u)];
    float scale = as_type<float>(_e79);
    return type_7 {{static_cast<metal::float4>(int4(as_type<packed_char4>(pair.x))) * scale, static_cast<metal::float4>(int4(as_type<packed_char4>(pair.y))) * scale}};
}

void load(
    uint plane_1,
    uint scales_1,
    uint units_1,
    uint first,
    uint end,
    uint table_1,
    uint kv_head,
    uint me_1,
    device type_1 const& step,
    device type_5 const& cache,
    constant Params& p,
    threadgroup type_11& tile,
    constant _mslBufferSizes& _buffer_sizes
) {
    uint i_1 = {};
    i_1 = me_1;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e48 = i_1;
            i_1 = _e48 + WG;
        }
        loop_init = false;
        uint _e9 = i_1;
        if (_e9 < (32u * units_1)) {
        } else {
            break;
        }
        {
            uint _e13 = i_1;
            uint _e21 = p.block_len;
            uint _e24 = p.kv_heads;
            uint _e25 = slot_of(table_1, metal::min(first + naga_div(_e13, units_1), end - 1u), _e21, _e24, kv_head, step, _buffer_sizes);
            uint _e26 = i_1;
            type_7 _e28 = eight(plane_1, scales_1, _e25, units_1, naga_mod(_e26, units_1), cache, _buffer_sizes);
            uint _e29 = i_1;
            uint _e33 = i_1;
            uint to = (naga_div(_e29, units_1) * TS) + (naga_mod(_e33, units_1) * 2u);
            tile.inner[to] = static_cast<metal::half4>(_e28.inner[0]);
            tile.inner[to + 1u] = static_cast<metal::half4>(_e28.inner[1]);
        }
    }
    return;
}

metal::simdgroup_half16x16 NagaCooperativeLoad(const threadgroup half* ptr, int stride, bool is_row_major) {
    metal::simdgroup_half16x16 m;
    simdgroup_load(m, ptr, stride, 0, is_row_major);
    return m;
}

metal::simdgroup_float16x16 NagaCooperativeMultiplyAdd(const thread metal::simdgroup_half16x16& a, const thread metal::simdgroup_half16x16& b, const thread metal::simdgroup_float16x16& c) {
    metal::simdgroup_float16x16 d;
    simdgroup_multiply_accumulate(d,a,b,c);
    return d;
}

void score(
    uint first_1,
    uint end_1,
    uint table_2,
    uint kv_head_1,
    uint me_2,
    uint subgroup_1,
    device type_1 const& step,
    device type_5 const& cache,
    constant Params& p,
    threadgroup type_10& queries,
    threadgroup type_11& tile,
    threadgroup type_12& scores,
    constant _mslBufferSizes& _buffer_sizes
) {
    metal::simdgroup_float16x16 a0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 a1_ = metal::simdgroup_float16x16 {};
    uint _e9 = p.place.keys;
    uint _e13 = p.place.key_scales;
    load(_e9, _e13, 16u, first_1, end_1, table_2, kv_head_1, me_2, step, cache, p, tile, _buffer_sizes);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint queries_at = (subgroup_1 * 16u) * QS;
    uint s0_ = subgroup_1 * 512u;
    uint s1_ = s0_ + 16u;
    uint qa0_ = queries_at + 0u;
    metal::simdgroup_half16x16 q0_ = NagaCooperativeLoad(&queries.inner[qa0_], QS, false);
    metal::simdgroup_half16x16 b0_ = NagaCooperativeLoad(&tile.inner[0u], TS, true);
    metal::simdgroup_half16x16 c0_ = NagaCooperativeLoad(&tile.inner[544u], TS, true);
    metal::simdgroup_float16x16 _e43 = a0_;
    a0_ = NagaCooperativeMultiplyAdd(q0_, b0_, _e43);
    metal::simdgroup_float16x16 _e45 = a1_;
    a1_ = NagaCooperativeMultiplyAdd(q0_, c0_, _e45);
    uint qa1_ = queries_at + 4u;
    metal::simdgroup_half16x16 q1_ = NagaCooperativeLoad(&queries.inner[qa1_], QS, false);
    metal::simdgroup_half16x16 b1_ = NagaCooperativeLoad(&tile.inner[4u], TS, true);
    metal::simdgroup_half16x16 c1_ = NagaCooperativeLoad(&tile.inner[548u], TS, true);
    metal::simdgroup_float16x16 _e63 = a0_;
    a0_ = NagaCooperativeMultiplyAdd(q1_, b1_, _e63);
    metal::simdgroup_float16x16 _e65 = a1_;
    a1_ = NagaCooperativeMultiplyAdd(q1_, c1_, _e65);
    uint qa2_ = queries_at + 8u;
    metal::simdgroup_half16x16 q2_ = NagaCooperativeLoad(&queries.inner[qa2_], QS, false);
    metal::simdgroup_half16x16 b2_ = NagaCooperativeLoad(&tile.inner[8u], TS, true);
    metal::simdgroup_half16x16 c2_ = NagaCooperativeLoad(&tile.inner[552u], TS, true);
    metal::simdgroup_float16x16 _e83 = a0_;
    a0_ = NagaCooperativeMultiplyAdd(q2_, b2_, _e83);
    metal::simdgroup_float16x16 _e85 = a1_;
    a1_ = NagaCooperativeMultiplyAdd(q2_, c2_, _e85);
    uint qa3_ = queries_at + 12u;
    metal::simdgroup_half16x16 q3_ = NagaCooperativeLoad(&queries.inner[qa3_], QS, false);
    metal::simdgroup_half16x16 b3_ = NagaCooperativeLoad(&tile.inner[12u], TS, true);
    metal::simdgroup_half16x16 c3_ = NagaCooperativeLoad(&tile.inner[556u], TS, true);
    metal::simdgroup_float16x16 _e103 = a0_;
    a0_ = NagaCooperativeMultiplyAdd(q3_, b3_, _e103);
    metal::simdgroup_float16x16 _e105 = a1_;
    a1_ = NagaCooperativeMultiplyAdd(q3_, c3_, _e105);
    uint qa4_ = queries_at + 16u;
    metal::simdgroup_half16x16 q4_ = NagaCooperativeLoad(&queries.inner[qa4_], QS, false);
    metal::simdgroup_half16x16 b4_ = NagaCooperativeLoad(&tile.inner[16u], TS, true);
    metal::simdgroup_half16x16 c4_ = NagaCooperativeLoad(&tile.inner[560u], TS, true);
    metal::simdgroup_float16x16 _e123 = a0_;
    a0_ = NagaCooperativeMultiplyAdd(q4_, b4_, _e123);
    metal::simdgroup_float16x16 _e125 = a1_;
    a1_ = NagaCooperativeMultiplyAdd(q4_, c4_, _e125);
    uint qa5_ = queries_at + 20u;
    metal::simdgroup_half16x16 q5_ = NagaCooperativeLoad(&queries.inner[qa5_], QS, false);
    metal::simdgroup_half16x16 b5_ = NagaCooperativeLoad(&tile.inner[20u], TS, true);
    metal::simdgroup_half16x16 c5_ = NagaCooperativeLoad(&tile.inner[564u], TS, true);
    metal::simdgroup_float16x16 _e143 = a0_;
    a0_ = NagaCooperativeMultiplyAdd(q5_, b5_, _e143);
    metal::simdgroup_float16x16 _e145 = a1_;
    a1_ = NagaCooperativeMultiplyAdd(q5_, c5_, _e145);
    uint qa6_ = queries_at + 24u;
    metal::simdgroup_half16x16 q6_ = NagaCooperativeLoad(&queries.inner[qa6_], QS, false);
    metal::simdgroup_half16x16 b6_ = NagaCooperativeLoad(&tile.inner[24u], TS, true);
    metal::simdgroup_half16x16 c6_ = NagaCooperativeLoad(&tile.inner[568u], TS, true);
    metal::simdgroup_float16x16 _e163 = a0_;
    a0_ = NagaCooperativeMultiplyAdd(q6_, b6_, _e163);
    metal::simdgroup_float16x16 _e165 = a1_;
    a1_ = NagaCooperativeMultiplyAdd(q6_, c6_, _e165);
    uint qa7_ = queries_at + 28u;
    metal::simdgroup_half16x16 q7_ = NagaCooperativeLoad(&queries.inner[qa7_], QS, false);
    metal::simdgroup_half16x16 b7_ = NagaCooperativeLoad(&tile.inner[28u], TS, true);
    metal::simdgroup_half16x16 c7_ = NagaCooperativeLoad(&tile.inner[572u], TS, true);
    metal::simdgroup_float16x16 _e183 = a0_;
    a0_ = NagaCooperativeMultiplyAdd(q7_, b7_, _e183);
    metal::simdgroup_float16x16 _e185 = a1_;
    a1_ = NagaCooperativeMultiplyAdd(q7_, c7_, _e185);
    metal::simdgroup_float16x16 _e187 = a0_;
    simdgroup_store(_e187, &scores.inner[s0_], 32u);
    metal::simdgroup_float16x16 _e191 = a1_;
    simdgroup_store(_e191, &scores.inner[s1_], 32u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}

struct main_Input {
};
[[max_total_threads_per_threadgroup(128)]] kernel void main_(
  metal::uint3 group [[threadgroup_position_in_grid]]
, uint me [[thread_index_in_threadgroup]]
, uint lane [[thread_index_in_simdgroup]]
, uint subgroup [[simdgroup_index_in_threadgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5 const& cache [[user(fake0)]]
, device type_8& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, threadgroup type_10& queries
, threadgroup type_11& tile
, threadgroup type_12& scores
, threadgroup type_13& shares
, threadgroup type_15& halves
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint i = {};
    float largest = -1000000000000000000000000000000.0;
    float total = 0.0;
    uint k0_ = {};
    float most = {};
    uint j = {};
    bool local = {};
    bool local_1 = {};
    uint j_1 = {};
    bool local_2 = {};
    bool local_3 = {};
    metal::simdgroup_float16x16 o0_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o1_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o2_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o3_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o4_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o5_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o6_ = metal::simdgroup_float16x16 {};
    metal::simdgroup_float16x16 o7_ = metal::simdgroup_float16x16 {};
    uint k0_1 = {};
    uint j_2 = {};
    metal::float4 w = {};
    uint e = {};
    bool local_4 = {};
    bool local_5 = {};
    bool local_6 = {};
    uint e_1 = {};
    uint e_2 = {};
    uint e_3 = {};
    uint e_4 = {};
    uint e_5 = {};
    uint e_6 = {};
    uint e_7 = {};
    uint e_8 = {};
    uint _e7 = step[11];
    uint row0_ = step[_e7 + (group.z * 2u)];
    uint _e17 = step[11];
    uint rows = step[(_e17 + (group.z * 2u)) + 1u];
    uint split = group.y;
    uint _e29 = p.heads;
    uint _e32 = p.kv_heads;
    uint shared_by = naga_div(_e29, _e32);
    uint chunks = naga_div(shared_by, NH);
    uint kv_head_2 = naga_div(group.x, chunks);
    uint head0_ = (kv_head_2 * shared_by) + (naga_mod(group.x, chunks) * NH);
    uint _e46 = p.windowed;
    uint _e47 = table_of(row0_, _e46, step, _buffer_sizes);
    uint _e51 = step[5];
    uint position0_ = step[_e51 + row0_];
    uint _e62 = p.window;
    uint _e67 = p.window;
    uint seen = (_e67 > 0u) ? ((position0_ + 1u) - metal::min(position0_ + 1u, _e62)) : 0u;
    uint _e73 = step[2];
    uint first_2 = seen + (split * _e73);
    uint _e79 = step[2];
    uint end_2 = metal::min(position0_ + rows, first_2 + _e79);
    i = me;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e144 = i;
            i = _e144 + WG;
        }
        loop_init_1 = false;
        uint _e83 = i;
        if (_e83 < 2048u) {
        } else {
            break;
        }
        {
            uint _e86 = i;
            uint r = naga_div(_e86, 32u);
            uint _e89 = i;
            uint d = naga_mod(_e89, 32u);
            uint _e94 = p.q;
            uint _e103 = p.heads;
            uint at_1 = (_e94 + (((((row0_ + metal::min(naga_mod(r, 16u), rows - 1u)) * _e103) + head0_) + naga_div(r, 16u)) * KEY_DIM)) + (d * 4u);
            float _e122 = act[at_1];
            float _e127 = act[at_1 + 1u];
            float _e132 = act[at_1 + 2u];
            float _e137 = act[at_1 + 3u];
            float _e141 = p.scale;
            queries.inner[(r * QS) + d] = static_cast<metal::half4>(metal::float4(_e122, _e127, _e132, _e137) * _e141);
        }
    }
    uint token = naga_div(lane, 2u);
    uint half_ = naga_mod(lane, 2u);
    uint position_1 = position0_ + token;
    uint _e159 = p.window;
    uint _e164 = p.window;
    uint low = (_e164 > 0u) ? ((position_1 + 1u) - metal::min(position_1 + 1u, _e159)) : 0u;
    uint mine = ((subgroup * 512u) + (token * 32u)) + (half_ * 16u);
    uint s0_1 = subgroup * 512u;
    k0_ = first_2;
    uint2 loop_bound_2 = uint2(4294967295u);
    bool loop_init_2 = true;
    while(true) {
        if (metal::all(loop_bound_2 == uint2(0u))) { break; }
        loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
        if (!loop_init_2) {
            uint _e266 = k0_;
            k0_ = _e266 + 32u;
        }
        loop_init_2 = false;
        uint _e183 = k0_;
        if (_e183 < end_2) {
        } else {
            break;
        }
        {
            uint _e185 = k0_;
            score(_e185, end_2, _e47, kv_head_2, me, subgroup, step, cache, p, queries, tile, scores, _buffer_sizes);
            float _e186 = largest;
            most = _e186;
            j = 0u;
            uint2 loop_bound_3 = uint2(4294967295u);
            bool loop_init_3 = true;
            while(true) {
                if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                if (!loop_init_3) {
                    uint _e220 = j;
                    j = _e220 + 1u;
                }
                loop_init_3 = false;
                uint _e190 = j;
                if (_e190 < 16u) {
                } else {
                    break;
                }
                {
                    uint _e193 = k0_;
                    uint _e197 = j;
                    uint key = (_e193 + (half_ * 16u)) + _e197;
                    float _e199 = most;
                    float _e200 = most;
                    uint _e202 = j;
                    float _e205 = scores.inner[mine + _e202];
                    if (key < end_2) {
                        local = key <= position_1;
                    } else {
                        local = false;
                    }
                    bool _e212 = local;
                    if (_e212) {
                        local_1 = key >= low;
                    } else {
                        local_1 = false;
                    }
                    bool _e217 = local_1;
                    most = _e217 ? metal::max(_e200, _e205) : _e199;
                }
            }
            float _e222 = total;
            float _e223 = largest;
            float _e224 = most;
            total = _e222 * metal::exp(_e223 - _e224);
            j_1 = 0u;
            uint2 loop_bound_4 = uint2(4294967295u);
            bool loop_init_4 = true;
            while(true) {
                if (metal::all(loop_bound_4 == uint2(0u))) { break; }
                loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
                if (!loop_init_4) {
                    uint _e263 = j_1;
                    j_1 = _e263 + 1u;
                }
                loop_init_4 = false;
                uint _e230 = j_1;
                if (_e230 < 16u) {
                } else {
                    break;
                }
                {
                    uint _e233 = k0_;
                    uint _e237 = j_1;
                    uint key_1 = (_e233 + (half_ * 16u)) + _e237;
                    float _e239 = total;
                    uint _e241 = j_1;
                    float _e244 = scores.inner[mine + _e241];
                    float _e245 = most;
                    if (key_1 < end_2) {
                        local_2 = key_1 <= position_1;
                    } else {
                        local_2 = false;
                    }
                    bool _e253 = local_2;
                    if (_e253) {
                        local_3 = key_1 >= low;
                    } else {
                        local_3 = false;
                    }
                    bool _e258 = local_3;
                    total = _e239 + (_e258 ? metal::exp(_e244 - _e245) : 0.0);
                }
            }
            float _e265 = most;
            largest = _e265;
        }
    }
    float _e274 = largest;
    float _e275 = total;
    halves.inner[(subgroup * 32u) + lane] = metal::float2(_e274, _e275);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::float2 other = halves.inner[(subgroup * 32u) + (lane ^ 1u)];
    float _e285 = largest;
    float most_1 = metal::max(_e285, other.x);
    float _e288 = total;
    float _e289 = largest;
    total = (_e288 * metal::exp(_e289 - most_1)) + (other.y * metal::exp(other.x - most_1));
    uint w0_ = (subgroup * 16u) * PS;
    uint w1_ = ((subgroup * 16u) * PS) + 4u;
    k0_1 = first_2;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e528 = k0_1;
            k0_1 = _e528 + 32u;
        }
        loop_init_5 = false;
        uint _e326 = k0_1;
        if (_e326 < end_2) {
        } else {
            break;
        }
        {
            uint _e328 = k0_1;
            score(_e328, end_2, _e47, kv_head_2, me, subgroup, step, cache, p, queries, tile, scores, _buffer_sizes);
            j_2 = 0u;
            uint2 loop_bound_6 = uint2(4294967295u);
            bool loop_init_6 = true;
            while(true) {
                if (metal::all(loop_bound_6 == uint2(0u))) { break; }
                loop_bound_6 -= uint2(loop_bound_6.y == 0u, 1u);
                if (!loop_init_6) {
                    uint _e396 = j_2;
                    j_2 = _e396 + 1u;
                }
                loop_init_6 = false;
                uint _e331 = j_2;
                if (_e331 < 4u) {
                } else {
                    break;
                }
                {
                    w = metal::float4(0.0);
                    e = 0u;
                    uint2 loop_bound_7 = uint2(4294967295u);
                    bool loop_init_7 = true;
                    while(true) {
                        if (metal::all(loop_bound_7 == uint2(0u))) { break; }
                        loop_bound_7 -= uint2(loop_bound_7.y == 0u, 1u);
                        if (!loop_init_7) {
                            uint _e379 = e;
                            e = _e379 + 1u;
                        }
                        loop_init_7 = false;
                        uint _e339 = e;
                        if (_e339 < 4u) {
                        } else {
                            break;
                        }
                        {
                            uint _e342 = k0_1;
                            uint _e346 = j_2;
                            uint _e350 = e;
                            uint key_2 = ((_e342 + (half_ * 16u)) + (_e346 * 4u)) + _e350;
                            uint _e352 = e;
                            uint _e355 = j_2;
                            uint _e359 = e;
                            float _e362 = scores.inner[(mine + (_e355 * 4u)) + _e359];
                            if (key_2 < end_2) {
                                local_4 = key_2 <= position_1;
                            } else {
                                local_4 = false;
                            }
                            bool _e370 = local_4;
                            if (_e370) {
                                local_5 = key_2 >= low;
                            } else {
                                local_5 = false;
                            }
                            bool _e375 = local_5;
                            w[_e352] = _e375 ? metal::exp(_e362 - most_1) : 0.0;
                        }
                    }
                    uint _e390 = j_2;
                    metal::float4 _e393 = w;
                    shares.inner[((((subgroup * 16u) + token) * PS) + (half_ * 4u)) + _e390] = static_cast<metal::half4>(_e393);
                }
            }
            uint _e401 = p.place.values;
            uint _e405 = p.place.value_scales;
            uint _e407 = k0_1;
            load(_e401, _e405, 16u, _e407, end_2, _e47, kv_head_2, me, step, cache, p, tile, _buffer_sizes);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            metal::simdgroup_half16x16 wa = NagaCooperativeLoad(&shares.inner[w0_], PS, false);
            metal::simdgroup_half16x16 wb = NagaCooperativeLoad(&shares.inner[w1_], PS, false);
            metal::simdgroup_half16x16 v0_ = NagaCooperativeLoad(&tile.inner[0u], TS, false);
            metal::simdgroup_half16x16 u0_ = NagaCooperativeLoad(&tile.inner[544u], TS, false);
            metal::simdgroup_float16x16 _e426 = o0_;
            o0_ = NagaCooperativeMultiplyAdd(wa, v0_, _e426);
            metal::simdgroup_float16x16 _e428 = o0_;
            o0_ = NagaCooperativeMultiplyAdd(wb, u0_, _e428);
            metal::simdgroup_half16x16 v1_ = NagaCooperativeLoad(&tile.inner[4u], TS, false);
            metal::simdgroup_half16x16 u1_ = NagaCooperativeLoad(&tile.inner[548u], TS, false);
            metal::simdgroup_float16x16 _e440 = o1_;
            o1_ = NagaCooperativeMultiplyAdd(wa, v1_, _e440);
            metal::simdgroup_float16x16 _e442 = o1_;
            o1_ = NagaCooperativeMultiplyAdd(wb, u1_, _e442);
            metal::simdgroup_half16x16 v2_ = NagaCooperativeLoad(&tile.inner[8u], TS, false);
            metal::simdgroup_half16x16 u2_ = NagaCooperativeLoad(&tile.inner[552u], TS, false);
            metal::simdgroup_float16x16 _e454 = o2_;
            o2_ = NagaCooperativeMultiplyAdd(wa, v2_, _e454);
            metal::simdgroup_float16x16 _e456 = o2_;
            o2_ = NagaCooperativeMultiplyAdd(wb, u2_, _e456);
            metal::simdgroup_half16x16 v3_ = NagaCooperativeLoad(&tile.inner[12u], TS, false);
            metal::simdgroup_half16x16 u3_ = NagaCooperativeLoad(&tile.inner[556u], TS, false);
            metal::simdgroup_float16x16 _e468 = o3_;
            o3_ = NagaCooperativeMultiplyAdd(wa, v3_, _e468);
            metal::simdgroup_float16x16 _e470 = o3_;
            o3_ = NagaCooperativeMultiplyAdd(wb, u3_, _e470);
            metal::simdgroup_half16x16 v4_ = NagaCooperativeLoad(&tile.inner[16u], TS, false);
            metal::simdgroup_half16x16 u4_ = NagaCooperativeLoad(&tile.inner[560u], TS, false);
            metal::simdgroup_float16x16 _e482 = o4_;
            o4_ = NagaCooperativeMultiplyAdd(wa, v4_, _e482);
            metal::simdgroup_float16x16 _e484 = o4_;
            o4_ = NagaCooperativeMultiplyAdd(wb, u4_, _e484);
            metal::simdgroup_half16x16 v5_ = NagaCooperativeLoad(&tile.inner[20u], TS, false);
            metal::simdgroup_half16x16 u5_ = NagaCooperativeLoad(&tile.inner[564u], TS, false);
            metal::simdgroup_float16x16 _e496 = o5_;
            o5_ = NagaCooperativeMultiplyAdd(wa, v5_, _e496);
            metal::simdgroup_float16x16 _e498 = o5_;
            o5_ = NagaCooperativeMultiplyAdd(wb, u5_, _e498);
            metal::simdgroup_half16x16 v6_ = NagaCooperativeLoad(&tile.inner[24u], TS, false);
            metal::simdgroup_half16x16 u6_ = NagaCooperativeLoad(&tile.inner[568u], TS, false);
            metal::simdgroup_float16x16 _e510 = o6_;
            o6_ = NagaCooperativeMultiplyAdd(wa, v6_, _e510);
            metal::simdgroup_float16x16 _e512 = o6_;
            o6_ = NagaCooperativeMultiplyAdd(wb, u6_, _e512);
            metal::simdgroup_half16x16 v7_ = NagaCooperativeLoad(&tile.inner[28u], TS, false);
            metal::simdgroup_half16x16 u7_ = NagaCooperativeLoad(&tile.inner[572u], TS, false);
            metal::simdgroup_float16x16 _e524 = o7_;
            o7_ = NagaCooperativeMultiplyAdd(wa, v7_, _e524);
            metal::simdgroup_float16x16 _e526 = o7_;
            o7_ = NagaCooperativeMultiplyAdd(wb, u7_, _e526);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    uint _e534 = p.parts;
    uint _e537 = p.heads;
    uint _e543 = step[3];
    uint to_1 = _e534 + ((((((row0_ * _e537) + head0_) + subgroup) * _e543) + split) * 130u);
    uint _e550 = p.heads;
    uint _e553 = step[3];
    uint next = (_e550 * _e553) * 130u;
    if (half_ == 0u) {
        local_6 = token < rows;
    } else {
        local_6 = false;
    }
    bool _e562 = local_6;
    if (_e562) {
        act[to_1 + (token * next)] = most_1;
        float _e573 = total;
        act[(to_1 + (token * next)) + 1u] = _e573;
    }
    metal::simdgroup_float16x16 _e574 = o0_;
    simdgroup_store(_e574, &scores.inner[s0_1], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_1 = lane;
    uint2 loop_bound_8 = uint2(4294967295u);
    bool loop_init_8 = true;
    while(true) {
        if (metal::all(loop_bound_8 == uint2(0u))) { break; }
        loop_bound_8 -= uint2(loop_bound_8.y == 0u, 1u);
        if (!loop_init_8) {
            uint _e606 = e_1;
            e_1 = _e606 + 32u;
        }
        loop_init_8 = false;
        uint _e579 = e_1;
        if (_e579 < 256u) {
        } else {
            break;
        }
        {
            uint _e582 = e_1;
            if (naga_div(_e582, 16u) < rows) {
                uint _e587 = e_1;
                uint _e596 = e_1;
                uint _e602 = e_1;
                float _e605 = scores.inner[s0_1 + _e602];
                act[(((to_1 + (naga_div(_e587, 16u) * next)) + 2u) + 0u) + naga_mod(_e596, 16u)] = _e605;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e609 = o1_;
    simdgroup_store(_e609, &scores.inner[s0_1], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_2 = lane;
    uint2 loop_bound_9 = uint2(4294967295u);
    bool loop_init_9 = true;
    while(true) {
        if (metal::all(loop_bound_9 == uint2(0u))) { break; }
        loop_bound_9 -= uint2(loop_bound_9.y == 0u, 1u);
        if (!loop_init_9) {
            uint _e641 = e_2;
            e_2 = _e641 + 32u;
        }
        loop_init_9 = false;
        uint _e614 = e_2;
        if (_e614 < 256u) {
        } else {
            break;
        }
        {
            uint _e617 = e_2;
            if (naga_div(_e617, 16u) < rows) {
                uint _e622 = e_2;
                uint _e631 = e_2;
                uint _e637 = e_2;
                float _e640 = scores.inner[s0_1 + _e637];
                act[(((to_1 + (naga_div(_e622, 16u) * next)) + 2u) + 16u) + naga_mod(_e631, 16u)] = _e640;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e644 = o2_;
    simdgroup_store(_e644, &scores.inner[s0_1], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_3 = lane;
    uint2 loop_bound_10 = uint2(4294967295u);
    bool loop_init_10 = true;
    while(true) {
        if (metal::all(loop_bound_10 == uint2(0u))) { break; }
        loop_bound_10 -= uint2(loop_bound_10.y == 0u, 1u);
        if (!loop_init_10) {
            uint _e676 = e_3;
            e_3 = _e676 + 32u;
        }
        loop_init_10 = false;
        uint _e649 = e_3;
        if (_e649 < 256u) {
        } else {
            break;
        }
        {
            uint _e652 = e_3;
            if (naga_div(_e652, 16u) < rows) {
                uint _e657 = e_3;
                uint _e666 = e_3;
                uint _e672 = e_3;
                float _e675 = scores.inner[s0_1 + _e672];
                act[(((to_1 + (naga_div(_e657, 16u) * next)) + 2u) + 32u) + naga_mod(_e666, 16u)] = _e675;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e679 = o3_;
    simdgroup_store(_e679, &scores.inner[s0_1], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_4 = lane;
    uint2 loop_bound_11 = uint2(4294967295u);
    bool loop_init_11 = true;
    while(true) {
        if (metal::all(loop_bound_11 == uint2(0u))) { break; }
        loop_bound_11 -= uint2(loop_bound_11.y == 0u, 1u);
        if (!loop_init_11) {
            uint _e711 = e_4;
            e_4 = _e711 + 32u;
        }
        loop_init_11 = false;
        uint _e684 = e_4;
        if (_e684 < 256u) {
        } else {
            break;
        }
        {
            uint _e687 = e_4;
            if (naga_div(_e687, 16u) < rows) {
                uint _e692 = e_4;
                uint _e701 = e_4;
                uint _e707 = e_4;
                float _e710 = scores.inner[s0_1 + _e707];
                act[(((to_1 + (naga_div(_e692, 16u) * next)) + 2u) + 48u) + naga_mod(_e701, 16u)] = _e710;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e714 = o4_;
    simdgroup_store(_e714, &scores.inner[s0_1], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_5 = lane;
    uint2 loop_bound_12 = uint2(4294967295u);
    bool loop_init_12 = true;
    while(true) {
        if (metal::all(loop_bound_12 == uint2(0u))) { break; }
        loop_bound_12 -= uint2(loop_bound_12.y == 0u, 1u);
        if (!loop_init_12) {
            uint _e746 = e_5;
            e_5 = _e746 + 32u;
        }
        loop_init_12 = false;
        uint _e719 = e_5;
        if (_e719 < 256u) {
        } else {
            break;
        }
        {
            uint _e722 = e_5;
            if (naga_div(_e722, 16u) < rows) {
                uint _e727 = e_5;
                uint _e736 = e_5;
                uint _e742 = e_5;
                float _e745 = scores.inner[s0_1 + _e742];
                act[(((to_1 + (naga_div(_e727, 16u) * next)) + 2u) + 64u) + naga_mod(_e736, 16u)] = _e745;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e749 = o5_;
    simdgroup_store(_e749, &scores.inner[s0_1], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_6 = lane;
    uint2 loop_bound_13 = uint2(4294967295u);
    bool loop_init_13 = true;
    while(true) {
        if (metal::all(loop_bound_13 == uint2(0u))) { break; }
        loop_bound_13 -= uint2(loop_bound_13.y == 0u, 1u);
        if (!loop_init_13) {
            uint _e781 = e_6;
            e_6 = _e781 + 32u;
        }
        loop_init_13 = false;
        uint _e754 = e_6;
        if (_e754 < 256u) {
        } else {
            break;
        }
        {
            uint _e757 = e_6;
            if (naga_div(_e757, 16u) < rows) {
                uint _e762 = e_6;
                uint _e771 = e_6;
                uint _e777 = e_6;
                float _e780 = scores.inner[s0_1 + _e777];
                act[(((to_1 + (naga_div(_e762, 16u) * next)) + 2u) + 80u) + naga_mod(_e771, 16u)] = _e780;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e784 = o6_;
    simdgroup_store(_e784, &scores.inner[s0_1], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_7 = lane;
    uint2 loop_bound_14 = uint2(4294967295u);
    bool loop_init_14 = true;
    while(true) {
        if (metal::all(loop_bound_14 == uint2(0u))) { break; }
        loop_bound_14 -= uint2(loop_bound_14.y == 0u, 1u);
        if (!loop_init_14) {
            uint _e816 = e_7;
            e_7 = _e816 + 32u;
        }
        loop_init_14 = false;
        uint _e789 = e_7;
        if (_e789 < 256u) {
        } else {
            break;
        }
        {
            uint _e792 = e_7;
            if (naga_div(_e792, 16u) < rows) {
                uint _e797 = e_7;
                uint _e806 = e_7;
                uint _e812 = e_7;
                float _e815 = scores.inner[s0_1 + _e812];
                act[(((to_1 + (naga_div(_e797, 16u) * next)) + 2u) + 96u) + naga_mod(_e806, 16u)] = _e815;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::simdgroup_float16x16 _e819 = o7_;
    simdgroup_store(_e819, &scores.inner[s0_1], 16u);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    e_8 = lane;
    uint2 loop_bound_15 = uint2(4294967295u);
    bool loop_init_15 = true;
    while(true) {
        if (metal::all(loop_bound_15 == uint2(0u))) { break; }
        loop_bound_15 -= uint2(loop_bound_15.y == 0u, 1u);
        if (!loop_init_15) {
            uint _e851 = e_8;
            e_8 = _e851 + 32u;
        }
        loop_init_15 = false;
        uint _e824 = e_8;
        if (_e824 < 256u) {
        } else {
            break;
        }
        {
            uint _e827 = e_8;
            if (naga_div(_e827, 16u) < rows) {
                uint _e832 = e_8;
                uint _e841 = e_8;
                uint _e847 = e_8;
                float _e850 = scores.inner[s0_1 + _e847];
                act[(((to_1 + (naga_div(_e832, 16u) * next)) + 2u) + 112u) + naga_mod(_e841, 16u)] = _e850;
            }
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    return;
}
