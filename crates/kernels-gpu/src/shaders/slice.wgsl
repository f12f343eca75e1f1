// `out[t] = x[t, first..]`, over and over where it is longer than a row of `x`.

struct Params { x: u32, x_width: u32, out: u32, width: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = group.x * WG + me;
    if (i < p.width) {
        act[p.out + group.y * p.width + i] = act[p.x + group.y * p.x_width + i % p.x_width];
    }
}
