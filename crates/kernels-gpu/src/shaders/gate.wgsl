// Gates and what they gate become one, prepared for the product that follows.

struct Params { gate: u32, up: u32, out: u32, width: u32, stride: u32, pad0: u32, pad1: u32, pad2: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row = group.y;
    let i = (group.x * WG + me) * 4u;
    var v = vec4(0.0);
    for (var j = 0u; j < 4u; j++) {
        if (i + j < p.width) {
            let at = row * p.width + i + j;
            v[j] = activate(act[p.gate + at], act[p.up + at]);
            if (KEEP) {
                act[p.out + at] = v[j];
            }
        }
    }
    prepare(v, me, i, row, p.stride);
}
