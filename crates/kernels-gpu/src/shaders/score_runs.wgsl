// The highest `q · key` of every run of RUN keys that a row sees, for one head; the newest runs have the highest of all. So many workgroups share
// a row's runs; a thread takes one key after the other.

struct Params {
    place: Place,
    q: u32, scores: u32, stride: u32, heads: u32,
    row: u32, block_len: u32, local: u32, groups: u32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

var<workgroup> query: array<vec4<f32>, KU * 2u>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let row = p.row + group.y;
    let head = group.z;
    for (var d = me; d < KU * 8u; d += WG) {
        let at = p.q + (row * p.heads + head) * KEY_DIM + min(d, KEY_DIM - 1u);
        query[d / 4u][d % 4u] = select(0.0, act[at], d < KEY_DIM);
    }
    workgroupBarrier();
    let table = table_of(row, 0u);
    let seen = step[step[5] + row] + 1u;
    let runs = (seen + RUN - 1u) / RUN;
    for (var run = group.x; run < runs; run += p.groups) {
        var most = -3.0e38;
        for (var key = run * RUN + me; key < min((run + 1u) * RUN, seen); key += WG) {
            let slot = slot_of(table, key, p.block_len, 1u, 0u);
            var sum = 0.0;
            for (var u = 0u; u < KU; u++) {
                let k = eight(p.place.keys, p.place.key_scales, slot, KU, u);
                sum += dot(k[0], query[u * 2u]) + dot(k[1], query[u * 2u + 1u]);
            }
            most = max(most, sum);
        }
        let best = workgroup_max(most, lane, subgroup, size);
        if (me == 0u) {
            act[p.scores + (group.y * p.heads + head) * p.stride + run] = select(best, 3.0e38, run + p.local >= runs);
        }
    }
}
