// What an indexer makes of the keys that a row sees. So many workgroups share a row's tiles of WG keys; a thread holds one after the
// other.

struct Params {
    place: Place,
    q: u32, weights: u32, scores: u32, stride: u32,
    heads: u32, row: u32, block_len: u32, groups: u32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row = p.row + group.y;
    let table = table_of(row, 0u);
    let seen = step[step[5] + row] + 1u;
    for (var tile = group.x * WG; tile < seen; tile += p.groups * WG) {
        let slot = slot_of(table, min(tile + me, seen - 1u), p.block_len, 1u, 0u);
        let score = score_of(slot, row, me);
        if (tile + me < seen) {
            act[p.scores + group.y * p.stride + tile + me] = score;
        }
    }
}
