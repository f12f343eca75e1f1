// `x[t] = x[t] / sqrt(sums[t, at] / len + eps) * weight`: a norm over rows of which this rank holds a part.

struct Params { x: u32, width: u32, sums: u32, columns: u32, len: u32, weight: u32, eps: f32, pad: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = group.x * WG + me;
    if (i < p.width) {
        let scale = 1.0 / sqrt(act[p.sums + group.y * p.columns] / f32(p.len) + p.eps);
        act[p.x + group.y * p.width + i] *= scale * vectors[p.weight + i];
    }
}
