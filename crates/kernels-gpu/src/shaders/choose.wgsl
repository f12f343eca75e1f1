// The positions of a row's `count` highest scores, in order; of equal scores the earlier ones. One workgroup a row, or a head of one. Positions are
// written as floats, which hold them exactly. With EVERY, the scores are of rows of a cache (`listed.wgsl`), or where RUNS of runs of RUN rows;
// what is not needed of a list is -1.
//
// 1. Byte by byte, from the highest, find the value that so many are not below: a histogram tells which byte it has.
// 2. Every thread counts in a run of its own what is above that value, and what equals it.
// 3. From the sums of those before it, it knows where its own go.

struct Params { scores: u32, stride: u32, chosen: u32, count: u32, row: u32, list: u32, heads: u32, pad: u32 }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;

var<workgroup> bins: array<atomic<u32>, 256>;
// The leading bytes found, and how many are still wanted of those that have them.
var<workgroup> threshold: u32;
var<workgroup> wanted: u32;
var<workgroup> above: array<u32, WG>;
var<workgroup> equal: array<u32, WG>;

// What has a score.
fn named(row: u32, i: u32) -> u32 {
    //% if ROWS
    return number(p.list, row, i);
    //% end
    //% unless ROWS
    return i;
    //% end
}

// Ordered as the scores are.
fn key_at(i: u32) -> u32 {
    let bits = bitcast<u32>(act[i] + 0.0);
    return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let row = p.row + group.x;
    //% unless EVERY
    let seen = step[step[5] + row] + 1u;
    //% end
    //% if RUNS
    let seen = (seen_rows(row) + RUN - 1u) / RUN;
    //% end
    //% if ROWS
    let seen = among(row);
    //% end
    let scores = p.scores + (group.x * p.heads + group.y) * p.stride;
    let chosen = p.chosen + (row * p.heads + group.y) * p.count;
    if (seen <= p.count) {
        for (var i = me; i < seen; i += WG) {
            act[chosen + i] = f32(named(row, i));
        }
        //% if EVERY
        for (var i = seen + me; i < p.count; i += WG) {
            act[chosen + i] = -1.0;
        }
        //% end
        return;
    }
    if (me == 0u) {
        threshold = 0u;
        wanted = p.count;
    }
    for (var byte = 0u; byte < 4u; byte++) {
        let shift = 24u - 8u * byte;
        for (var b = me; b < 256u; b += WG) {
            atomicStore(&bins[b], 0u);
        }
        workgroupBarrier();
        let known = threshold;
        for (var i = me; i < seen; i += WG) {
            let key = key_at(scores + i);
            // A shift by 32 would be by none.
            if (byte == 0u || (key ^ known) >> (shift + 8u) == 0u) {
                atomicAdd(&bins[(key >> shift) & 255u], 1u);
            }
        }
        workgroupBarrier();
        // How many have this byte or a higher one.
        let left = wanted;
        if (me < 256u) {
            above[me] = atomicLoad(&bins[255u - me]);
        }
        workgroupBarrier();
        for (var by = 1u; by < 256u; by *= 2u) {
            var lower = 0u;
            if (me >= by && me < 256u) {
                lower = above[me - by];
            }
            workgroupBarrier();
            if (me < 256u) {
                above[me] += lower;
            }
            workgroupBarrier();
        }
        if (me < 256u) {
            let before = select(0u, above[max(me, 1u) - 1u], me > 0u);
            if (before < left && above[me] >= left) {
                threshold = known | ((255u - me) << shift);
                wanted = left - before;
            }
        }
        workgroupBarrier();
    }
    let least = threshold;
    let run = (seen + WG - 1u) / WG;
    let first = min(me * run, seen);
    let end = min(first + run, seen);
    var higher = 0u;
    var same = 0u;
    for (var i = first; i < end; i++) {
        let key = key_at(scores + i);
        higher += select(0u, 1u, key > least);
        same += select(0u, 1u, key == least);
    }
    above[me] = higher;
    equal[me] = same;
    workgroupBarrier();
    for (var by = 1u; by < WG; by *= 2u) {
        var before = vec2(0u);
        if (me >= by) {
            before = vec2(above[me - by], equal[me - by]);
        }
        workgroupBarrier();
        above[me] += before.x;
        equal[me] += before.y;
        workgroupBarrier();
    }
    higher = above[me] - higher;
    same = equal[me] - same;
    for (var i = first; i < end; i++) {
        let key = key_at(scores + i);
        if (key > least || (key == least && same < wanted)) {
            act[chosen + higher + min(same, wanted)] = f32(named(row, i));
        }
        higher += select(0u, 1u, key > least);
        same += select(0u, 1u, key == least);
    }
}
