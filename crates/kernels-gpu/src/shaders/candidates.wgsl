// The best tokens of every run of a row, and in a second pass the best of those, in falling order; of equal ones the first.
// They are best by their logits (group.z is 0), or by what a draw adds to them (1). Single precision is not enough to
// decide a draw: the host does, among these.

struct Params { logits: u32, width: u32, runs: u32, first_token: u32, parts: u32, pad0: u32, pad1: u32, pad2: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(11) var<storage, read_write> found: array<u32>;

var<workgroup> keys: array<u32, WG>;
var<workgroup> ids: array<u32, WG>;

const NONE = 0xffffffffu;
// The product of 64-bit numbers: two words each, the lower first.
fn times(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let al = a.x & 0xffffu;
    let ah = a.x >> 16u;
    let bl = b.x & 0xffffu;
    let bh = b.x >> 16u;
    let middle = ah * bl + ((al * bl) >> 16u);
    let other = al * bh + (middle & 0xffffu);
    let high = ah * bh + (middle >> 16u) + (other >> 16u);
    return vec2(a.x * b.x, high + a.x * b.y + a.y * b.x);
}

fn folded(z: vec2<u32>, by: u32) -> vec2<u32> {
    return z ^ vec2((z.x >> by) | (z.y << (32u - by)), z.y >> by);
}

// Gumbel noise of a token's 53 random bits, as `tensor::Draw` has it.
fn noise(stream: vec2<u32>, token: u32) -> f32 {
    let product = times(vec2(token + 1u, 0u), vec2(0xd192ed03u, 0xd1b54a32u));
    let low = stream.x + product.x;
    var z = vec2(low, stream.y + product.y + select(0u, 1u, low < stream.x));
    z = times(folded(z, 30u), vec2(0x1ce4e5b9u, 0xbf58476du));
    z = times(folded(z, 27u), vec2(0x133111ebu, 0x94d049bbu));
    z = folded(z, 31u);
    // The number from 0 to 1, and what it lacks of 1.
    let rest = (f32(z.x >> 11u) + 0.5) / 2097152.0;
    let unit = (f32(z.y) + rest) / 4294967296.0;
    let lack = (f32(~z.y) + (1.0 - rest)) / 4294967296.0;
    var minus_log = -log(unit);
    if (lack < 0.25) {
        var sum = 0.0;
        for (var k = 12u; k > 0u; k--) {
            sum = lack * (1.0 / f32(k) + sum);
        }
        minus_log = sum;
    }
    return -log(minus_log);
}

struct Candidate { key: u32, id: u32 }

fn before(a: Candidate, b: Candidate) -> bool {
    return a.key > b.key || (a.key == b.key && a.id < b.id);
}

// Where the candidates of a run begin.
fn part(row: u32, kind: u32, run: u32) -> u32 {
    return p.parts + ((row * 2u + kind) * p.runs + run) * TOP_MAX * 2u;
}

fn candidate(i: u32, row: u32, kind: u32, count: u32) -> Candidate {
    if (MERGE) {
        let at = part(row, kind, i / count) + i % count * 2u;
        return Candidate(found[at], found[at + 1u]);
    }
    let logit = act[p.logits + row * p.width + i];
    let key = key_of(logit);
    if (key <= NEGATIVE_INFINITY) {
        return Candidate(0u, NONE);
    }
    // What is not finite is seen whatever the mask says, so that the row is known to be unsound.
    let mask = mask_of(row);
    let limited = kind == 1u || (mask >> 31u) == 0u;
    if (limited && key < INFINITY && !is_allowed(mask, p.first_token + i)) {
        return Candidate(0u, NONE);
    }
    let draw = step[13] + row * 3u;
    let scale = bitcast<f32>(step[draw]);
    if (kind == 0u || scale == 0.0 || key == 0xffffffffu) {
        return Candidate(key, i);
    }
    return Candidate(key_of(logit * scale + noise(vec2(step[draw + 1u], step[draw + 2u]), p.first_token + i)), i);
}

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row = group.y;
    let kind = group.z;
    let count = select(step[12], DRAWN, kind == 1u);
    let first = group.x * RUN;
    let end = select(min(first + RUN, p.width), p.runs * count, MERGE);
    var best = Candidate(0u, NONE);
    var last = Candidate(0u, NONE);
    for (var n = 0u; n < count; n++) {
        // A thread looks for its next one when its best was taken.
        if (n == 0u || (best.id == last.id && best.id != NONE)) {
            best = Candidate(0u, NONE);
            for (var i = first + me; i < end; i += WG) {
                let other = candidate(i, row, kind, count);
                if (other.id != NONE && (n == 0u || before(last, other)) && before(other, best)) {
                    best = other;
                }
            }
        }
        keys[me] = best.key;
        ids[me] = best.id;
        workgroupBarrier();
        for (var half = WG / 2u; half > 0u; half /= 2u) {
            if (me < half && before(Candidate(keys[me + half], ids[me + half]), Candidate(keys[me], ids[me]))) {
                keys[me] = keys[me + half];
                ids[me] = ids[me + half];
            }
            workgroupBarrier();
        }
        last = Candidate(keys[0], ids[0]);
        workgroupBarrier();
        if (me == 0u) {
            if (MERGE) {
                let at = (row * (TOP_MAX + DRAWN) + kind * TOP_MAX + n) * 3u;
                found[at] = last.id;
                found[at + 1u] = bitcast<u32>(act[p.logits + row * p.width + select(last.id, 0u, last.id == NONE)]);
                found[at + 2u] = last.key;
            } else {
                let at = part(row, kind, group.x) + n * 2u;
                found[at] = last.key;
                found[at + 1u] = last.id;
            }
        }
    }
}
