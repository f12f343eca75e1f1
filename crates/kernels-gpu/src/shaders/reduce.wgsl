// Joins the parts of a row's attention. A workgroup a head and row. The result is prepared for the product that follows
// where a head is whole blocks.

struct Params { parts: u32, out: u32, heads: u32, sinks: u32, dim: u32, part: u32, stride: u32, pad: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row = group.y;
    let head = group.x;
    let splits = step[3];
    let first = p.parts + (row * p.heads + head) * splits * p.part;
    var most = -1e30;
    if (p.sinks > 0u) {
        most = vectors[p.sinks - 1u + head];
    }
    for (var i = 0u; i < splits; i++) {
        most = max(most, act[first + i * p.part]);
    }
    var total = 0.0;
    if (p.sinks > 0u) {
        total = exp(vectors[p.sinks - 1u + head] - most);
    }
    for (var i = 0u; i < splits; i++) {
        total += act[first + i * p.part + 1u] * exp(act[first + i * p.part] - most);
    }
    for (var base = 0u; base < p.dim; base += WG * 4u) {
        var y = vec4(0.0);
        let d = base + me * 4u;
        if (d < p.dim) {
            for (var i = 0u; i < splits; i++) {
                let at = first + i * p.part;
                let w = exp(act[at] - most);
                y += w * vec4(act[at + 2u + d], act[at + 3u + d], act[at + 4u + d], act[at + 5u + d]);
            }
            y /= total;
            for (var j = 0u; j < 4u; j++) {
                if (d + j < p.dim) {
                    if (KEEP) {
                        act[p.out + (row * p.heads + head) * p.dim + d + j] = y[j];
                    }
                } else {
                    y[j] = 0.0;
                }
            }
        }
        if (FORMAT != 0u) {
            // Beyond the head's own values nothing is written.
            prepare(y, me, select(p.stride, head * p.dim + d, d < p.dim), row, p.stride);
        }
    }
}
