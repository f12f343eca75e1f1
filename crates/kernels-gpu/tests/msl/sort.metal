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
    uint chosen;
    uint order;
    uint tiles;
    uint pad;
};
typedef float type_5[1];
struct type_7 {
    metal::atomic_uint inner[64];
};
constant uint WG = 256u;
constant uint SUBGROUPS = 32u;
constant uint EXPERTS = 64u;
constant uint USED = 8u;
constant uint TILE = 32u;
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
uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}


struct main_Input {
};
[[max_total_threads_per_threadgroup(256)]] kernel void main_(
  uint me [[thread_index_in_threadgroup]]
, device type_1 const& step [[user(fake0)]]
, device type_5& act [[user(fake0)]]
, constant Params& p [[user(fake0)]]
, threadgroup type_7& counts
, threadgroup type_7& next
, threadgroup uint& tiles
, constant _mslBufferSizes& _buffer_sizes [[user(fake0)]]
) {
    uint e = {};
    uint i = {};
    uint tile = 0u;
    uint e_1 = 0u;
    uint i_1 = {};
    uint i_2 = {};
    uint _e3 = step[0];
    uint pairs = _e3 * USED;
    e = me;
    uint2 loop_bound = uint2(4294967295u);
    bool loop_init = true;
    while(true) {
        if (metal::all(loop_bound == uint2(0u))) { break; }
        loop_bound -= uint2(loop_bound.y == 0u, 1u);
        if (!loop_init) {
            uint _e14 = e;
            e = _e14 + WG;
        }
        loop_init = false;
        uint _e7 = e;
        if (_e7 < EXPERTS) {
        } else {
            break;
        }
        {
            uint _e11 = e;
            metal::atomic_store_explicit(&counts.inner[_e11], 0u, metal::memory_order_relaxed);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i = me;
    uint2 loop_bound_1 = uint2(4294967295u);
    bool loop_init_1 = true;
    while(true) {
        if (metal::all(loop_bound_1 == uint2(0u))) { break; }
        loop_bound_1 -= uint2(loop_bound_1.y == 0u, 1u);
        if (!loop_init_1) {
            uint _e35 = i;
            i = _e35 + WG;
        }
        loop_init_1 = false;
        uint _e18 = i;
        if (_e18 < pairs) {
        } else {
            break;
        }
        {
            uint _e24 = p.chosen;
            uint _e25 = i;
            float _e28 = act[_e24 + _e25];
            uint _e34 = metal::atomic_fetch_add_explicit(&counts.inner[metal::min(naga_f2u32(_e28), 63u)], 1u, metal::memory_order_relaxed);
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    if (me == 0u) {
        uint2 loop_bound_2 = uint2(4294967295u);
        bool loop_init_2 = true;
        while(true) {
            if (metal::all(loop_bound_2 == uint2(0u))) { break; }
            loop_bound_2 -= uint2(loop_bound_2.y == 0u, 1u);
            if (!loop_init_2) {
                uint _e82 = e_1;
                e_1 = _e82 + 1u;
            }
            loop_init_2 = false;
            uint _e44 = e_1;
            if (_e44 < EXPERTS) {
            } else {
                break;
            }
            {
                uint _e48 = e_1;
                uint _e50 = tile;
                metal::atomic_store_explicit(&next.inner[_e48], _e50 * TILE, metal::memory_order_relaxed);
                uint _e53 = tile;
                uint _e55 = e_1;
                uint _e57 = metal::atomic_load_explicit(&counts.inner[_e55], metal::memory_order_relaxed);
                uint end = _e53 + naga_div((_e57 + TILE) - 1u, TILE);
                uint2 loop_bound_3 = uint2(4294967295u);
                bool loop_init_3 = true;
                while(true) {
                    if (metal::all(loop_bound_3 == uint2(0u))) { break; }
                    loop_bound_3 -= uint2(loop_bound_3.y == 0u, 1u);
                    if (!loop_init_3) {
                        uint _e79 = tile;
                        tile = _e79 + 1u;
                    }
                    loop_init_3 = false;
                    uint _e65 = tile;
                    if (_e65 < end) {
                    } else {
                        break;
                    }
                    {
                        uint _e70 = p.tiles;
                        uint _e73 = tile;
                        uint _e76 = e_1;
                        act[(_e70 + 1u) + _e73] = static_cast<float>(_e76);
                    }
                }
            }
        }
        uint _e85 = tile;
        tiles = _e85;
        uint _e89 = p.tiles;
        uint _e91 = tile;
        act[_e89] = static_cast<float>(_e91);
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i_1 = me;
    uint2 loop_bound_4 = uint2(4294967295u);
    bool loop_init_4 = true;
    while(true) {
        if (metal::all(loop_bound_4 == uint2(0u))) { break; }
        loop_bound_4 -= uint2(loop_bound_4.y == 0u, 1u);
        if (!loop_init_4) {
            uint _e108 = i_1;
            i_1 = _e108 + WG;
        }
        loop_init_4 = false;
        uint _e94 = i_1;
        uint _e96 = tiles;
        if (_e94 < (_e96 * TILE)) {
        } else {
            break;
        }
        {
            uint _e103 = p.order;
            uint _e104 = i_1;
            act[_e103 + _e104] = -1.0;
        }
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_device);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    i_2 = me;
    uint2 loop_bound_5 = uint2(4294967295u);
    bool loop_init_5 = true;
    while(true) {
        if (metal::all(loop_bound_5 == uint2(0u))) { break; }
        loop_bound_5 -= uint2(loop_bound_5.y == 0u, 1u);
        if (!loop_init_5) {
            uint _e137 = i_2;
            i_2 = _e137 + WG;
        }
        loop_init_5 = false;
        uint _e112 = i_2;
        if (_e112 < pairs) {
        } else {
            break;
        }
        {
            uint _e118 = p.chosen;
            uint _e119 = i_2;
            float _e122 = act[_e118 + _e119];
            uint _e128 = metal::atomic_fetch_add_explicit(&next.inner[metal::min(naga_f2u32(_e122), 63u)], 1u, metal::memory_order_relaxed);
            uint _e132 = p.order;
            uint _e135 = i_2;
            act[_e132 + _e128] = static_cast<float>(_e135);
        }
    }
    return;
}
