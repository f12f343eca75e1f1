// Rows of floats prepared for the products that read them.

struct Params { x: u32, width: u32, stride: u32, pad: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

fn value(at: u32, i: u32) -> f32 {
    return select(0.0, act[at + min(i, p.width - 1u)], i < p.width);
}

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row = group.y;
    let x = p.x + row * p.width;
    let i = (group.x * WG + me) * 4u;
    prepare(vec4(value(x, i), value(x, i + 1u), value(x, i + 2u), value(x, i + 3u)), me, i, row, p.stride);
}
