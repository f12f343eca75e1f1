// `out[t, i] = Σ of[i][t]²`, or 0 where there is none. One workgroup a sum.

struct Params { out: u32, count: u32, pad0: u32, pad1: u32, parts: array<vec4<u32>, 4> }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    // Where it begins, and its width, which is 0 where there is none.
    let part = p.parts[group.x];
    var squares = 0.0;
    for (var i = me; i < part.y; i += WG) {
        let x = act[part.x + group.y * part.y + i];
        squares += x * x;
    }
    let total = workgroup_sum(squares, lane, subgroup, size);
    if (me == 0u) {
        act[p.out + group.y * p.count + group.x] = total;
    }
}
