// Pairs of a row and one of its experts, in the order of experts: for kernels that take an expert's rows together. Every expert
// has whole tiles of TILE places; those that are left are -1. Numbers are written as floats, which hold them exactly.

struct Params { chosen: u32, order: u32, tiles: u32, pad: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

var<workgroup> counts: array<atomic<u32>, EXPERTS>;
var<workgroup> next: array<atomic<u32>, EXPERTS>;
var<workgroup> tiles: u32;

@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) me: u32) {
    let pairs = step[0] * USED;
    for (var e = me; e < EXPERTS; e += WG) {
        atomicStore(&counts[e], 0u);
    }
    workgroupBarrier();
    for (var i = me; i < pairs; i += WG) {
        atomicAdd(&counts[min(u32(act[p.chosen + i]), EXPERTS - 1u)], 1u);
    }
    workgroupBarrier();
    if (me == 0u) {
        var tile = 0u;
        for (var e = 0u; e < EXPERTS; e++) {
            atomicStore(&next[e], tile * TILE);
            let end = tile + (atomicLoad(&counts[e]) + TILE - 1u) / TILE;
            for (; tile < end; tile++) {
                act[p.tiles + 1u + tile] = f32(e);
            }
        }
        tiles = tile;
        act[p.tiles] = f32(tile);
    }
    workgroupBarrier();
    for (var i = me; i < tiles * TILE; i += WG) {
        act[p.order + i] = -1.0;
    }
    storageBarrier();
    workgroupBarrier();
    for (var i = me; i < pairs; i += WG) {
        let to = atomicAdd(&next[min(u32(act[p.chosen + i]), EXPERTS - 1u)], 1u);
        act[p.order + to] = f32(i);
    }
}
