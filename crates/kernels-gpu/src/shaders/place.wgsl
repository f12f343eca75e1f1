// Rows that the batch gives take their places among the others.

struct Params { out: u32, width: u32, pad0: u32, pad1: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = group.x * WG + me;
    if (i < p.width) {
        let value = bitcast<f32>(step[step[18] + group.y * p.width + i]);
        act[p.out + step[step[17] + group.y] * p.width + i] = value;
    }
}
