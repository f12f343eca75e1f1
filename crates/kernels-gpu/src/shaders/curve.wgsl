// `x[t, i] *= curve(gate[t, i / n])`: every value of a gate's row covers `n` of `x`'s. `CURVE`: 0 sigmoid, 1 silu.

struct Params { x: u32, gate: u32, width: u32, covered: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = group.x * WG + me;
    if (i < p.width) {
        let gate = act[p.gate + (group.y * p.width + i) / p.covered];
        let open = 1.0 / (1.0 + exp(-gate));
        act[p.x + group.y * p.width + i] *= select(open, gate * open, CURVE == 1u);
    }
}
