// A causal convolution of every channel by itself, with the rows before the batch's in the state. `KEEP`: the state is brought
// up to date, a thread for every channel of a span; otherwise results are made, a thread for each.

struct Params { x: u32, out: u32, channels: u32, kernel: u32, weight: u32, bias: u32, pad0: u32, pad1: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;
@group(0) @binding(8) var<storage, read_write> states: array<f32>;

// The value of a channel `ahead` rows after the oldest that the state holds.
fn value(span: Span, ahead: u32, c: u32) -> f32 {
    let held = p.kernel - 1u;
    if (ahead >= held) {
        return act[p.x + (span.row + ahead - held) * p.channels + c];
    }
    if (span.start == 0u) {
        return 0.0;
    }
    return states[(span.state_from * held + ahead) * p.channels + c];
}

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let c = group.x * WG + me;
    if (c >= p.channels) {
        return;
    }
    if (KEEP) {
        let span = span_at(group.y);
        // What is read lies behind what was written, also where both are one place.
        for (var i = 0u; i + 1u < p.kernel; i++) {
            states[(span.state * (p.kernel - 1u) + i) * p.channels + c] = value(span, i + span.rows, c);
        }
    } else {
        let row = group.y;
        let span = span_at(step[step[10] + row]);
        var y = 0.0;
        if (p.bias > 0u) {
            y = vectors[p.bias - 1u + c];
        }
        for (var j = 0u; j < p.kernel; j++) {
            y += vectors[p.weight + c * p.kernel + j] * value(span, row - span.row + j, c);
        }
        act[p.out + row * p.channels + c] = y / (1.0 + exp(-y));
    }
}
