// `x[t, i] *= curve(gate[t, i / n])`: every value of a gate's row covers `n` of `x`'s. Where `OWN`, `x = curve(x)`. `CURVE`: 0
// sigmoid, 1 silu, 2 gelu.

struct Params { x: u32, gate: u32, width: u32, covered: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

fn curved(x: f32) -> f32 {
    if (CURVE == 2u) {
        return 0.5 * x * (1.0 + tanh(clamp(0.7978846 * (x + 0.044715 * x * x * x), -15.0, 15.0)));
    }
    let open = 1.0 / (1.0 + exp(-x));
    return select(open, x * open, CURVE == 1u);
}

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = group.x * WG + me;
    if (i < p.width) {
        let at = p.x + group.y * p.width + i;
        //% if OWN
        act[at] = curved(act[at]);
        //% end
        //% unless OWN
        act[at] *= curved(act[p.gate + (group.y * p.width + i) / p.covered]);
        //% end
    }
}
