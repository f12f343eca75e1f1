// A head's state, `[KEYS, values]`, changed by one row after the other. One workgroup keeps COLUMNS of its values for all rows
// of a span; a thread holds every PARTS-th key of a column.

struct Params {
    q: u32, k: u32, v: u32, decay: u32,
    beta: u32, rate: u32, bias: u32, skip: u32,
    out: u32, heads: u32, key_heads: u32, values: u32,
    decays: u32, slices: u32, least: f32, most: f32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;
@group(0) @binding(8) var<storage, read_write> states: array<f32>;

const PARTS = WG / COLUMNS;
const PER = (KEYS + PARTS - 1u) / PARTS;

var<workgroup> keys: array<f32, KEYS>;
var<workgroup> queries: array<f32, KEYS>;
var<workgroup> decay_of: array<f32, KEYS>;
var<workgroup> partial: array<f32, WG>;

fn softplus(x: f32) -> f32 {
    return max(x, 0.0) + log(1.0 + exp(-abs(x)));
}

// The sum of a column's parts.
fn joined(value: f32, column: u32, me: u32) -> f32 {
    workgroupBarrier();
    partial[me] = value;
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < PARTS; i++) {
        sum += partial[i * COLUMNS + column];
    }
    return sum;
}

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let head = group.x / p.slices;
    let column = me % COLUMNS;
    let part = me / COLUMNS;
    let value = group.x % p.slices * COLUMNS + column;
    let inside = value < p.values;
    let span = span_at(group.y);
    let key_head = head / (p.heads / p.key_heads);
    let to = (span.state * p.heads + head) * KEYS * p.values + value;
    let source = (span.state_from * p.heads + head) * KEYS * p.values + value;
    let rate = vectors[p.rate + head];
    var s: array<f32, PER>;
    for (var n = 0u; n < PER; n++) {
        let i = n * PARTS + part;
        s[n] = 0.0;
        if (inside && i < KEYS && span.start > 0u) {
            s[n] = states[source + i * p.values];
        }
    }
    for (var row = span.row; row < span.row + span.rows; row++) {
        let at = (row * p.key_heads + key_head) * KEYS;
        workgroupBarrier();
        for (var i = me; i < KEYS; i += WG) {
            keys[i] = act[p.k + at + i];
            queries[i] = act[p.q + at + i];
        }
        if (DELTA) {
            for (var i = me; i < p.decays; i += WG) {
                let x = act[p.decay + (row * p.heads + head) * p.decays + i] + vectors[p.bias + head * p.decays + i];
                // A delta net has at most one limit: the least that a decay's logarithm can be.
                decay_of[i] = exp(select(rate * softplus(x), p.least / (1.0 + exp(rate * x)), p.least < 0.0));
            }
        }
        workgroupBarrier();
        var x = 0.0;
        if (inside) {
            x = act[p.v + (row * p.heads + head) * p.values + value];
        }
        var y = 0.0;
        if (DELTA) {
            var lengths = vec2(0.0);
            for (var i = me; i < KEYS; i += WG) {
                lengths += vec2(keys[i] * keys[i], queries[i] * queries[i]);
            }
            let k_unit = 1.0 / sqrt(workgroup_sum(lengths.x, lane, subgroup, size) + 1e-6);
            let q_unit = 1.0 / sqrt((workgroup_sum(lengths.y, lane, subgroup, size) + 1e-6) * f32(KEYS));
            let beta = 1.0 / (1.0 + exp(-act[p.beta + row * p.heads + head]));
            var found = 0.0;
            for (var n = 0u; n < PER; n++) {
                let i = min(n * PARTS + part, KEYS - 1u);
                s[n] *= decay_of[select(i, 0u, p.decays == 1u)];
                found += s[n] * keys[i];
            }
            let change = beta * (x - joined(found, column, me) * k_unit) * k_unit;
            for (var n = 0u; n < PER; n++) {
                let i = n * PARTS + part;
                if (i < KEYS) {
                    s[n] += keys[i] * change;
                    y += s[n] * queries[i];
                }
            }
            y = joined(y, column, me) * q_unit;
        } else {
            let wait = clamp(softplus(act[p.decay + row * p.heads + head] + vectors[p.bias + head]), p.least, p.most);
            let decay = exp(rate * wait);
            for (var n = 0u; n < PER; n++) {
                let i = n * PARTS + part;
                if (i < KEYS) {
                    s[n] = decay * s[n] + keys[i] * wait * x;
                    y += queries[i] * s[n];
                }
            }
            y = joined(y, column, me) + vectors[p.skip + head] * x;
        }
        if (inside && part == 0u) {
            act[p.out + (row * p.heads + head) * p.values + value] = y;
        }
    }
    for (var n = 0u; n < PER; n++) {
        let i = n * PARTS + part;
        if (inside && i < KEYS) {
            states[to + i * p.values] = s[n];
        }
    }
}
