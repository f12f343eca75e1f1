// What a choice makes of the rows that it may take. So many workgroups share a row's tiles of WG of them; a thread takes one after the
// other.

struct Params {
    place: Place,
    q: u32, weights: u32, scores: u32, stride: u32,
    heads: u32, row: u32, block_len: u32, list: u32,
    groups: u32, pad0: u32, pad1: u32, pad2: u32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row = p.row + group.y;
    let table = table_of(row, 0u);
    let all = among(row);
    for (var tile = group.x * WG; tile < all; tile += p.groups * WG) {
        let slot = pooled_slot(table, number(p.list, row, min(tile + me, all - 1u)), p.block_len);
        let score = score_of(slot, row, me);
        if (tile + me < all) {
            act[p.scores + group.y * p.stride + tile + me] = score;
        }
    }
}
