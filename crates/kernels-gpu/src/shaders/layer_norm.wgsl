// `out = (x - mean(x)) / sqrt(variance(x) + eps) * weight + bias`. One workgroup a row.

struct Params { x: u32, out: u32, width: u32, weight: u32, bias: u32, eps: f32, pad0: u32, pad1: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let x = p.x + group.x * p.width;
    var sum = 0.0;
    for (var i = me; i < p.width; i += WG) {
        sum += act[x + i];
    }
    let mean = workgroup_sum(sum, lane, subgroup, size) / f32(p.width);
    var squares = 0.0;
    for (var i = me; i < p.width; i += WG) {
        squares += (act[x + i] - mean) * (act[x + i] - mean);
    }
    let variance = workgroup_sum(squares, lane, subgroup, size) / f32(p.width);
    let scale = 1.0 / sqrt(variance + p.eps);
    for (var i = me; i < p.width; i += WG) {
        act[p.out + group.x * p.width + i] = (act[x + i] - mean) * scale * vectors[p.weight + i] + vectors[p.bias + i];
    }
}
