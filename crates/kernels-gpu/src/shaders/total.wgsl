// The largest logit of every run of a row and the sum of exponentials relative to it: of all tokens at temperature 1, and of those
// that are allowed at the row's own. The host adds up the runs.

struct Params { logits: u32, width: u32, runs: u32, first_token: u32, sums: u32, pad0: u32, pad1: u32, pad2: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(11) var<storage, read_write> found: array<u32>;

var<workgroup> parts: array<vec2<f32>, WG>;

const LOWEST = -3.4028234e38;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row = group.y;
    let first = group.x * RUN;
    let end = min(first + RUN, p.width);
    let mask = mask_of(row);
    let scale = bitcast<f32>(step[step[20] + row]);
    var most = vec2(LOWEST, LOWEST);
    for (var i = first + me; i < end; i += WG) {
        let logit = act[p.logits + row * p.width + i];
        let key = key_of(logit);
        if (key > NEGATIVE_INFINITY && key < INFINITY) {
            most.x = max(most.x, logit);
            if (is_allowed(mask, p.first_token + i)) {
                most.y = max(most.y, logit);
            }
        }
    }
    parts[me] = most;
    workgroupBarrier();
    for (var half = WG / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            parts[me] = max(parts[me], parts[me + half]);
        }
        workgroupBarrier();
    }
    most = parts[0];
    workgroupBarrier();
    var sum = vec2(0.0, 0.0);
    for (var i = first + me; i < end; i += WG) {
        let logit = act[p.logits + row * p.width + i];
        let key = key_of(logit);
        if (key > NEGATIVE_INFINITY && key < INFINITY) {
            sum.x += exp(logit - most.x);
            if (is_allowed(mask, p.first_token + i)) {
                sum.y += exp((logit - most.y) * scale);
            }
        }
    }
    parts[me] = sum;
    workgroupBarrier();
    for (var half = WG / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            parts[me] += parts[me + half];
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        let at = p.sums + (row * p.runs + group.x) * 4u;
        found[at] = bitcast<u32>(most.x);
        found[at + 1u] = bitcast<u32>(parts[0].x);
        found[at + 2u] = bitcast<u32>(most.y);
        found[at + 3u] = bitcast<u32>(parts[0].y);
    }
}
