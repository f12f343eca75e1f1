// Which experts a row goes through, and what each one's answer weighs. One workgroup a row; the experts' numbers are
// written as floats, which hold them exactly.

struct Params {
    scores: u32, bias: u32, chosen: u32, weights: u32,
    score: u32, groups: u32, groups_used: u32, group_best: u32,
    normalise: u32, scale: f32, scales: u32, pad: u32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

var<workgroup> probability: array<f32, EXPERTS>;
var<workgroup> choice: array<f32, EXPERTS>;
var<workgroup> group_score: array<f32, EXPERTS>;
var<workgroup> picked: array<u32, USED>;

const LEAST = -3.0e38;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let row = group.x;
    let logits = p.scores + row * EXPERTS;
    var most = LEAST;
    for (var e = me; e < EXPERTS; e += WG) {
        most = max(most, act[logits + e]);
    }
    most = workgroup_max(most, lane, subgroup, size);
    var total = 0.0;
    for (var e = me; e < EXPERTS; e += WG) {
        total += exp(act[logits + e] - most);
    }
    total = workgroup_sum(total, lane, subgroup, size);
    for (var e = me; e < EXPERTS; e += WG) {
        let x = act[logits + e];
        var y = x;
        if (p.score == 0u) {
            y = exp(x - most) / total;
        } else if (p.score == 1u) {
            y = 1.0 / (1.0 + exp(-x));
        } else if (p.score == 3u) {
            // The square root of the softplus.
            let e = exp(-abs(x));
            y = sqrt(max(x, 0.0) + select(log(1.0 + e), e - e * e * (0.5 - e / 3.0), e < 0.01));
        }
        probability[e] = y;
        if (p.bias > 0u) {
            y += vectors[p.bias - 1u + e];
        }
        choice[e] = y;
    }
    workgroupBarrier();
    if (p.groups > 0u) {
        let len = EXPERTS / p.groups;
        for (var g = me; g < p.groups; g += WG) {
            // The sum of the group's best: each time the largest of those below the last, or equal to it and later.
            var sum = 0.0;
            var value = 3.0e38;
            var index = 0u;
            for (var n = 0u; n < p.group_best; n++) {
                var next = LEAST;
                var at = 0u;
                for (var i = 0u; i < len; i++) {
                    let c = choice[g * len + i];
                    let later = c < value || (c == value && n > 0u && i > index);
                    if (later && c > next) {
                        next = c;
                        at = i;
                    }
                }
                value = next;
                index = at;
                sum += next;
            }
            group_score[g] = sum;
        }
        workgroupBarrier();
        for (var e = me; e < EXPERTS; e += WG) {
            let mine = group_score[e / len];
            var better = 0u;
            for (var g = 0u; g < p.groups; g++) {
                better += select(0u, 1u, group_score[g] > mine || (group_score[g] == mine && g < e / len));
            }
            if (better >= p.groups_used) {
                choice[e] = LEAST;
            }
        }
        workgroupBarrier();
    }
    // What is no number has no place; then these stay.
    for (var n = me; n < USED; n += WG) {
        picked[n] = n;
    }
    workgroupBarrier();
    // An expert's place among all: of equal ones the lower index comes first.
    for (var e = me; e < EXPERTS; e += WG) {
        let mine = choice[e];
        var place = 0u;
        for (var other = 0u; other < EXPERTS; other++) {
            let theirs = choice[other];
            place += select(0u, 1u, theirs > mine || (theirs == mine && other < e));
        }
        if (place < USED) {
            picked[place] = e;
        }
    }
    workgroupBarrier();
    if (me == 0u) {
        var top = LEAST;
        var sum = 0.0;
        for (var n = 0u; n < USED; n++) {
            top = max(top, probability[picked[n]]);
        }
        for (var n = 0u; n < USED; n++) {
            let w = probability[picked[n]];
            sum += select(w, exp(w - top), p.score == 2u);
        }
        for (var n = 0u; n < USED; n++) {
            var w = probability[picked[n]];
            if (p.score == 2u) {
                w = exp(w - top) / sum;
            } else if (p.normalise == 1u) {
                w /= sum;
            }
            if (p.scales > 0u) {
                w *= vectors[p.scales - 1u + picked[n]];
            }
            act[p.weights + row * USED + n] = w * p.scale;
            act[p.chosen + row * USED + n] = f32(picked[n]);
        }
    }
}
