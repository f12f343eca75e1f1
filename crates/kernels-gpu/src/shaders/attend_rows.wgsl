// Attention of up to G heads of a row over rows that are keys and values in one: those of its window, or, where LISTED, those that a list of up to
// LIST_WIDTH names. `FIRST`: nothing was taken in before; else it goes on from parts. `LAST`: the result is made; else parts are.
//
// 1. Tiles of WG rows: a thread takes one for its scores with all heads, which become weights in turn.
// 2. A thread has up to PER units of eight values of the sums of every head, and goes through the tile's rows.
// 3. At the end the sink is taken in, and the last values are turned back.

struct Params {
    place: Place,
    q: u32, out: u32, parts: u32, heads: u32,
    list: u32, window: u32, windowed: u32, block_len: u32,
    scale: f32, sinks: u32, rope: u32, halves: u32,
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;

const PART = KU * 8u + 2u;

var<workgroup> queries: array<vec4<f32>, G * KU * 2u>;
var<workgroup> weights: array<f32, G * WG>;
var<workgroup> slots: array<u32, WG>;

fn value_at(g: u32, d: u32) -> f32 {
    let i = g * KU * 8u + d;
    return queries[i / 4u][i % 4u];
}

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let row = group.y;
    let h0 = group.x * G;
    for (var i = me; i < G * KU * 8u; i += WG) {
        let d = i % (KU * 8u);
        let head = min(h0 + i / (KU * 8u), p.heads - 1u);
        let at = p.q + (row * p.heads + head) * KEY_DIM + min(d, KEY_DIM - 1u);
        queries[i / 4u][i % 4u] = select(0.0, act[at] * p.scale, d < KEY_DIM);
    }
    var most: array<f32, G>;
    var sum: array<f32, G>;
    var out: array<vec4<f32>, G * PER * 2u>;
    for (var g = 0u; g < G; g++) {
        let part = p.parts + (row * p.heads + min(h0 + g, p.heads - 1u)) * PART;
        most[g] = -3.0e38;
        sum[g] = 0.0;
        if (FIRST == 0u) {
            most[g] = act[part + KU * 8u];
            sum[g] = act[part + KU * 8u + 1u];
        }
        for (var n = 0u; n < PER; n++) {
            let u = me + n * WG;
            for (var j = 0u; j < 2u; j++) {
                let at = part + min(u, KU - 1u) * 8u + j * 4u;
                var old = vec4(0.0);
                if (FIRST == 0u) {
                    old = vec4(act[at], act[at + 1u], act[at + 2u], act[at + 3u]);
                }
                out[(g * PER + n) * 2u + j] = old;
            }
        }
    }
    workgroupBarrier();
    let table = table_of(row, p.windowed);
    let position = step[step[5] + row];
    //% if LISTED
    let first = 0u;
    let all = LIST_WIDTH;
    let list = p.list + row * LIST_WIDTH;
    //% end
    //% unless LISTED
    let first = position + 1u - min(position + 1u, p.window);
    let all = position + 1u - first;
    //% end
    for (var tile = 0u; tile < all; tile += WG) {
        let mine = min(tile + me, all - 1u);
        //% if LISTED
        if (act[list + tile] < 0.0) {
            break;
        }
        let valid = tile + me < all && act[list + mine] >= 0.0;
        let slot = pooled_slot(table, u32(max(act[list + select(tile, mine, valid)], 0.0)), p.block_len);
        //% end
        //% unless LISTED
        let valid = tile + me < all;
        let slot = slot_of(table, first + mine, p.block_len, 1u, 0u);
        //% end
        var scores: array<f32, G>;
        for (var u = 0u; u < KU; u++) {
            let k = eight(p.place.keys, p.place.key_scales, slot, KU, u);
            for (var g = 0u; g < G; g++) {
                scores[g] += dot(k[0], queries[(g * KU + u) * 2u]) + dot(k[1], queries[(g * KU + u) * 2u + 1u]);
            }
        }
        slots[me] = slot;
        for (var g = 0u; g < G; g++) {
            let score = select(-3.0e38, scores[g], valid);
            let top = max(most[g], workgroup_max(score, lane, subgroup, size));
            let shrink = exp(most[g] - top);
            let weight = select(0.0, exp(score - top), valid);
            weights[g * WG + me] = weight;
            sum[g] = sum[g] * shrink + workgroup_sum(weight, lane, subgroup, size);
            most[g] = top;
            for (var n = 0u; n < PER * 2u; n++) {
                out[g * PER * 2u + n] *= shrink;
            }
        }
        workgroupBarrier();
        for (var k = 0u; k < min(WG, all - tile); k++) {
            for (var n = 0u; n < PER; n++) {
                let v = eight(p.place.keys, p.place.key_scales, slots[k], KU, min(me + n * WG, KU - 1u));
                for (var g = 0u; g < G; g++) {
                    out[(g * PER + n) * 2u] += weights[g * WG + k] * v[0];
                    out[(g * PER + n) * 2u + 1u] += weights[g * WG + k] * v[1];
                }
            }
        }
        workgroupBarrier();
    }
    if (LAST == 0u) {
        for (var g = 0u; g < G; g++) {
            if (h0 + g < p.heads) {
                let part = p.parts + (row * p.heads + h0 + g) * PART;
                for (var n = 0u; n < PER; n++) {
                    let u = me + n * WG;
                    for (var i = 0u; i < 8u; i++) {
                        if (u < KU) {
                            act[part + u * 8u + i] = out[(g * PER + n) * 2u + i / 4u][i % 4u];
                        }
                    }
                }
                if (me == 0u) {
                    act[part + KU * 8u] = most[g];
                    act[part + KU * 8u + 1u] = sum[g];
                }
            }
        }
        return;
    }
    // The queries are no longer needed.
    for (var g = 0u; g < G; g++) {
        let sink = vectors[p.sinks + min(h0 + g, p.heads - 1u)];
        let top = max(most[g], sink);
        let factor = exp(most[g] - top) / (sum[g] * exp(most[g] - top) + exp(sink - top));
        for (var n = 0u; n < PER; n++) {
            let u = me + n * WG;
            if (u < KU) {
                queries[(g * KU + u) * 2u] = out[(g * PER + n) * 2u] * factor;
                queries[(g * KU + u) * 2u + 1u] = out[(g * PER + n) * 2u + 1u] * factor;
            }
        }
    }
    workgroupBarrier();
    let turned = KEY_DIM - 2u * PAIRS;
    for (var i = me; i < G * KEY_DIM; i += WG) {
        let g = i / KEY_DIM;
        let d = i % KEY_DIM;
        if (h0 + g < p.heads) {
            var y = value_at(g, d);
            if (d >= turned) {
                let e = d - turned;
                let pair = select(e / 2u, e % PAIRS, p.halves == 1u);
                let second = select(e % 2u, e / PAIRS, p.halves == 1u) == 1u;
                let distance = select(1u, PAIRS, p.halves == 1u);
                let angles = step[21u + p.rope] + (row * PAIRS + pair) * 2u;
                let cos = bitcast<f32>(step[angles]);
                let sin = bitcast<f32>(step[angles + 1u]);
                let other = value_at(g, select(d + distance, d - distance, second));
                y = y * cos + select(other, -other, second) * sin;
            }
            act[p.out + (row * p.heads + h0 + g) * KEY_DIM + d] = y;
        }
    }
}
