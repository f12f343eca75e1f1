// The logits of named tokens, which then take no part in what is chosen.

struct Params { logits: u32, width: u32, named: u32, negative_infinity: f32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(11) var<storage, read_write> found: array<u32>;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = group.x * WG + me;
    if (i < step[15]) {
        let at = p.logits + step[step[14] + i * 2u] * p.width + step[step[14] + i * 2u + 1u];
        found[p.named + i] = bitcast<u32>(act[at]);
        act[at] = p.negative_infinity;
    }
}
