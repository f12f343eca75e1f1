// `x = scale * x`, and where there is a cap, `cap * tanh(scale * x / cap)`. `by`: one more factor, from 1 on.

struct Params { x: u32, width: u32, scale: f32, cap: f32, by: u32, pad0: u32, pad1: u32, pad2: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = group.x * WG + me;
    if (i < p.width) {
        let at = p.x + group.y * p.width + i;
        var y = act[at] * p.scale;
        if (p.by > 0u) {
            y *= vectors[p.by - 1u];
        }
        if (p.cap > 0.0) {
            // Beyond 15 it is one; some devices' own function overflows there.
            y = p.cap * tanh(clamp(y / p.cap, -15.0, 15.0));
        }
        act[at] = y;
    }
}
