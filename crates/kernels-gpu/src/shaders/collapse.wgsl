// `out[t] = Σ_s mixes[t, s] * x[t, s]`, of N streams.

struct Params { x: u32, mixes: u32, out: u32, width: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = group.x * WG + me;
    let row = group.y;
    if (i < p.width) {
        var y = 0.0;
        for (var s = 0u; s < N; s++) {
            y += act[p.mixes + row * (2u + N) * N + s] * act[p.x + (row * N + s) * p.width + i];
        }
        act[p.out + row * p.width + i] = y;
    }
}
