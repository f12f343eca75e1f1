// `x[t, s] = mixes[t, N + s] * y[t] + Σ_r mixes[t, 2 N + N r + s] * x[t, r]`, of N streams. A thread has a value of every stream.

struct Params { x: u32, y: u32, mixes: u32, width: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let i = group.x * WG + me;
    let row = group.y;
    if (i < p.width) {
        let mixes = p.mixes + row * (2u + N) * N;
        let y = act[p.y + row * p.width + i];
        var before: array<f32, N>;
        for (var r = 0u; r < N; r++) {
            before[r] = act[p.x + (row * N + r) * p.width + i];
        }
        for (var s = 0u; s < N; s++) {
            var x = act[mixes + N + s] * y;
            for (var r = 0u; r < N; r++) {
                x += act[mixes + 2u * N + r * N + s] * before[r];
            }
            act[p.x + (row * N + s) * p.width + i] = x;
        }
    }
}
