// Every run of values of a row is normed by itself, with one of `weights` runs of weights. One workgroup a run.

struct Params { x: u32, width: u32, len: u32, weight: u32, eps: f32, weights: u32, pad0: u32, pad1: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let first = p.x + group.y * p.width + group.x * p.len;
    var squares = 0.0;
    for (var i = me; i < p.len; i += WG) {
        squares += act[first + i] * act[first + i];
    }
    let total = workgroup_sum(squares, lane, subgroup, size);
    let scale = 1.0 / sqrt(total / f32(p.len) + p.eps);
    let weight = p.weight + group.x % p.weights * p.len;
    for (var i = me; i < p.len; i += WG) {
        act[first + i] *= scale * vectors[weight + i];
    }
}
