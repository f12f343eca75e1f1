// Attention of one row over a run of its keys, for up to G query heads that share a key head. What comes out is a part of the
// softmax: its maximum, its sum, and the weighted values; `reduce` joins the parts. Where there is one run and one head (WHOLE),
// it is the result, prepared for the product that follows. With one row in the batch (TURNED) it also does what `rotate` does
// with many. Where keys were chosen (CHOSEN), they are counted in lists of runs of RUN keys.
//
// Four neighbours score four keys of a tile together, so that they load what lies together; then groups of VU threads add up
// the tile's values, each thread eight of their values.

struct Params {
    place: Place,
    q: u32, parts: u32, heads: u32, kv_heads: u32,
    scale: f32, window: u32, windowed: u32, block_len: u32,
    // Where the result goes, where there is one run.
    out: u32, sinks: u32, dim: u32, stride: u32,
    //% if TURNED
    turn: Turn,
    //% end
    //% if CHOSEN
    // Which runs of keys are read: up to `count` for each row and key head, its own the last.
    chosen: u32, count: u32, pad0: u32, pad1: u32,
    //% end
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

const KG = WG / VU;
// Loads are begun four at a time: query is padded to whole fours of units, and a tile's keys to whole fours for each group.
const KU4 = (KU + 3u) / 4u * 4u;
const KEYS = (WG + KG * 4u - 1u) / (KG * 4u) * (KG * 4u);
var<workgroup> query: array<vec4<f32>, G * KU4 * 2u>;
var<workgroup> weights: array<f32, G * KEYS>;
var<workgroup> slots: array<u32, KEYS>;
var<workgroup> parts_of: array<f32, G * SUBGROUPS>;
var<workgroup> gathered: array<vec4<f32>, JOINED * WG * 2u>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let row = group.z;
    let split = group.y;
    let shared_by = p.heads / p.kv_heads;
    let chunks = (shared_by + G - 1u) / G;
    let kv_head = group.x / chunks;
    let head = kv_head * shared_by + (group.x % chunks) * G;
    let heads = min(G, shared_by - (group.x % chunks) * G);
    let position = step[step[5] + row];
    let table = table_of(row, p.windowed);
    // This split's run of the keys that this row sees.
    //% if CHOSEN
    let first = split * step[2];
    let end = min(min(position / RUN, p.count - 1u) * RUN + position % RUN + 1u, first + step[2]);
    //% end
    //% unless CHOSEN
    let first = seen_from(position, p.window) + split * step[2];
    let end = min(seen_to(row), first + step[2]);
    //% end

    for (var i = WG + me; i < KEYS; i += WG) {
        slots[i] = 0u;
        //% for g G
        weights[{g}u * KEYS + i] = 0.0;
        //% end
    }
    //% if TURNED
    turn_heads(row, head, heads, kv_head, table, end == position + 1u, me, lane, subgroup, size);
    let longer = grown(row) * p.scale;
    for (var i = me; i < G * KU4 * 8u; i += WG) {
        let g = i / (KU4 * 8u);
        let d = i % (KU4 * 8u);
        query[i / 4u][i % 4u] = select(0.0, held[g * DIM + min(d, KEY_DIM - 1u)] * longer, g < heads && d < KEY_DIM);
    }
    //% end
    //% unless TURNED
    for (var i = me; i < G * KU4 * 8u; i += WG) {
        let g = i / (KU4 * 8u);
        let d = i % (KU4 * 8u);
        let known = g < heads && d < KEY_DIM;
        let value = select(0.0, act[p.q + (row * p.heads + head + min(g, heads - 1u)) * KEY_DIM + min(d, KEY_DIM - 1u)], known);
        query[i / 4u][i % 4u] = value * p.scale;
    }
    //% end
    workgroupBarrier();

    //% for g G
    var largest{g} = -1e30;
    var total{g} = 0.0;
    var sum_a{g} = vec4(0.0);
    var sum_b{g} = vec4(0.0);
    //% end
    let unit = me % VU;
    let key_group = me / VU;
    let mine = me / 4u + me % 4u * (WG / 4u);
    for (var tile = first; tile < end; tile += WG) {
        let seen = min(tile + me, end - 1u);
        //% if CHOSEN
        let run = u32(act[p.chosen + (row * p.kv_heads + kv_head) * p.count + seen / RUN]);
        slots[me] = slot_of(table, run * RUN + seen % RUN, p.block_len, p.kv_heads, kv_head);
        //% end
        //% unless CHOSEN
        slots[me] = slot_of(table, seen, p.block_len, p.kv_heads, kv_head);
        //% end
        workgroupBarrier();
        //% for i 4
        let slot{i} = slots[me / 4u + {i}u * (WG / 4u)];
        //% for g G
        var dot{i}_{g} = 0.0;
        //% end
        //% end
        for (var u = me % 4u; u < KU4; u += 4u) {
            //% for i 4
            let k{i} = eight(p.place.keys, p.place.key_scales, slot{i}, KU, min(u, KU - 1u));
            //% end
            //% for g G
            let qa{g} = query[({g}u * KU4 + u) * 2u];
            let qb{g} = query[({g}u * KU4 + u) * 2u + 1u];
            //% for i 4
            dot{i}_{g} += dot(k{i}[0], qa{g}) + dot(k{i}[1], qb{g});
            //% end
            //% end
        }
        // Of the quad's four keys a thread goes on with one.
        let key = tile + mine;
        //% for g G
        //% for i 4
        dot{i}_{g} += subgroupShuffleXor(dot{i}_{g}, 1u);
        dot{i}_{g} += subgroupShuffleXor(dot{i}_{g}, 2u);
        //% end
        var score{g} = select(select(dot0_{g}, dot1_{g}, me % 4u == 1u), select(dot2_{g}, dot3_{g}, me % 4u == 3u), me % 4u >= 2u);
        //% end
        //% for g G
        score{g} = select(-1e30, score{g}, key < end);
        let most{g} = subgroupMax(score{g});
        if (lane == 0u) {
            parts_of[{g}u * SUBGROUPS + subgroup] = most{g};
        }
        //% end
        workgroupBarrier();
        //% for g G
        var next{g} = largest{g};
        for (var i = 0u; i < (WG + size - 1u) / size; i++) {
            next{g} = max(next{g}, parts_of[{g}u * SUBGROUPS + i]);
        }
        let shrink{g} = exp(largest{g} - next{g});
        largest{g} = next{g};
        let weight{g} = select(0.0, exp(score{g} - next{g}), key < end);
        weights[{g}u * KEYS + mine] = weight{g};
        total{g} = total{g} * shrink{g} + weight{g};
        sum_a{g} *= shrink{g};
        sum_b{g} *= shrink{g};
        //% end
        workgroupBarrier();
        if (key_group < KG) {
            for (var j = key_group; j < min(WG, end - tile); j += KG * 4u) {
                //% for i 4
                let v{i} = eight(p.place.values, p.place.value_scales, slots[j + {i}u * KG], VALUE_UNITS, unit);
                //% end
                //% for i 4
                //% for g G
                let w{i}_{g} = weights[{g}u * KEYS + j + {i}u * KG];
                sum_a{g} += w{i}_{g} * v{i}[0];
                sum_b{g} += w{i}_{g} * v{i}[1];
                //% end
                //% end
            }
        }
        workgroupBarrier();
    }
    // Join the groups of threads, JOINED heads at a time.
    //% for g G
    let part{g} = subgroupAdd(total{g});
    if (lane == 0u) {
        parts_of[{g}u * SUBGROUPS + subgroup] = part{g};
    }
    //% end
    //% if WHOLE
    gathered[me * 2u] = sum_a0;
    gathered[me * 2u + 1u] = sum_b0;
    workgroupBarrier();
    var total = 0.0;
    for (var i = 0u; i < (WG + size - 1u) / size; i++) {
        total += parts_of[i];
    }
    var shrink = 1.0;
    if (p.sinks > 0u) {
        let sink = vectors[p.sinks - 1u + head];
        let most = max(largest0, sink);
        shrink = exp(largest0 - most);
        total = total * shrink + exp(sink - most);
    }
    var y = vec4(0.0);
    if (me * 4u < p.dim) {
        for (var k = 0u; k < KG; k++) {
            y += gathered[k * VU * 2u + me];
        }
    }
    give(y * (shrink / total), me, row, head);
    //% end
    //% unless WHOLE
    //% for c JOINS
    workgroupBarrier();
    //% for g G
    if ({g}u / JOINED == {c}u) {
        gathered[({g}u % JOINED * WG + me) * 2u] = sum_a{g};
        gathered[({g}u % JOINED * WG + me) * 2u + 1u] = sum_b{g};
    }
    //% end
    workgroupBarrier();
    for (var i = me; i < JOINED * VU; i += WG) {
        let g = {c}u * JOINED + i / VU;
        if (g < heads) {
            let first_of = i / VU * WG + i % VU;
            var a = vec4(0.0);
            var b = vec4(0.0);
            for (var k = 0u; k < KG; k++) {
                a += gathered[(first_of + k * VU) * 2u];
                b += gathered[(first_of + k * VU) * 2u + 1u];
            }
            let to = p.parts + ((row * p.heads + head + g) * step[3] + split) * (VU * 8u + 2u) + 2u + i % VU * 8u;
            act[to] = a.x;
            act[to + 1u] = a.y;
            act[to + 2u] = a.z;
            act[to + 3u] = a.w;
            act[to + 4u] = b.x;
            act[to + 5u] = b.y;
            act[to + 6u] = b.z;
            act[to + 7u] = b.w;
        }
    }
    //% end
    //% for g G
    if (me == {g}u && {g}u < heads) {
        var sum = 0.0;
        for (var i = 0u; i < (WG + size - 1u) / size; i++) {
            sum += parts_of[{g}u * SUBGROUPS + i];
        }
        let to = p.parts + ((row * p.heads + head + {g}u) * step[3] + split) * (VU * 8u + 2u);
        act[to] = largest{g};
        act[to + 1u] = sum;
    }
    //% end
    //% end
}
