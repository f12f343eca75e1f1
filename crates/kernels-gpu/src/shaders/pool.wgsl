// One row of every few tokens, pooled by the softmax of their gates, a channel by itself; the tokens of a group that is not complete lie in the
// state. `KEEP`: the state is brought up to date, a thread for every channel of a span; otherwise results are made, a thread for each.

struct Params { x: u32, gate: u32, out: u32, width: u32, every: u32, pad0: u32, pad1: u32, pad2: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(8) var<storage, read_write> states: array<f32>;

fn state_at(place: u32, position: u32) -> u32 {
    return (place * p.every + position % p.every) * 2u * p.width;
}

// Value and gate of the token at a position of the group at hand.
fn token(span: Span, position: u32, c: u32) -> vec2<f32> {
    if (position >= span.start) {
        let at = (span.row + position - span.start) * p.width + c;
        return vec2(act[p.x + at], act[p.gate + at]);
    }
    let at = state_at(span.state_from, position) + c;
    return vec2(states[at], states[at + p.width]);
}

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let c = group.x * WG + me;
    if (c >= p.width) {
        return;
    }
    if (KEEP) {
        let span = span_at(group.y);
        let end = span.start + span.rows;
        for (var position = end / p.every * p.every; position < end; position++) {
            let kept = token(span, position, c);
            let at = state_at(span.state, position) + c;
            states[at] = kept.x;
            states[at + p.width] = kept.y;
        }
    } else {
        let row = group.y;
        let span = span_at(step[step[10] + row]);
        let end = span.start + row - span.row + 1u;
        var y = 0.0;
        if (end % p.every == 0u) {
            var most = -3.0e38;
            for (var position = end - p.every; position < end; position++) {
                most = max(most, token(span, position, c).y);
            }
            var sum = 0.0;
            for (var position = end - p.every; position < end; position++) {
                let one = token(span, position, c);
                let share = exp(one.y - most);
                sum += share;
                y += share * one.x;
            }
            y /= sum;
        }
        act[p.out + row * p.width + c] = y;
    }
}
