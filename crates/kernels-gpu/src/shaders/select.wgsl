// `out[i]` is the mean of `len` rows of `x` from `outputs[i]` on.

struct Params { x: u32, out: u32, width: u32, len: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = group.x * WG + me;
    let output = group.y;
    if (i < p.width) {
        let first = p.x + step[step[8] + output] * p.width + i;
        var y = act[first];
        for (var n = 1u; n < p.len; n++) {
            y += act[first + n * p.width];
        }
        act[p.out + output * p.width + i] = y / f32(p.len);
    }
}
