// Attention of one row over a long run of its keys, for up to G query heads that share a key head. LANES neighbours take a key
// together, UNITS units of eight of its values each, and AT_ONCE keys at a time: whoever has a key needs nobody else until the end. What
// comes out is a part of the softmax, as `attend` leaves it. Some do what `rotate` does on the way (TURNED).

struct Params {
    place: Place,
    q: u32, parts: u32, heads: u32, kv_heads: u32,
    scale: f32, window: u32, windowed: u32, block_len: u32,
    pad0: u32, pad1: u32, pad2: u32, pad3: u32,
    //% if TURNED
    turn: Turn,
    //% end
}
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
//% if TURNED
@group(0) @binding(7) var<storage, read> vectors: array<f32>;
//% end

const PARTIES = WG / LANES;
// Fours of a head's values.
const FOURS = LANES * UNITS * 2u;
var<workgroup> most: array<f32, PARTIES * G>;
var<workgroup> totals: array<f32, PARTIES * G>;
var<workgroup> gathered: array<vec4<f32>, PARTIES * G * FOURS>;

// Four values of the query of head `head + g`, from the value `d` on.
fn queried(row: u32, head: u32, g: u32, d: u32) -> vec4<f32> {
    let at = min(vec4(d) + vec4(0u, 1u, 2u, 3u), vec4(KEY_DIM - 1u));
    //% if TURNED
    let all = at + g * DIM;
    let values = vec4(held[all.x], held[all.y], held[all.z], held[all.w]) * grown(row);
    //% end
    //% unless TURNED
    let all = at + p.q + (row * p.heads + min(head + g, p.heads - 1u)) * KEY_DIM;
    let values = vec4(act[all.x], act[all.y], act[all.z], act[all.w]);
    //% end
    return select(vec4(0.0), values, at == vec4(d) + vec4(0u, 1u, 2u, 3u)) * p.scale;
}

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
    let first = seen_from(position, p.window) + split * step[2];
    let end = min(seen_to(row), first + step[2]);
    let party = me / LANES;

    //% if TURNED
    turn_heads(row, head, heads, kv_head, table, end == position + 1u, me, lane, subgroup, size);
    //% end
    //% for u UNITS
    let unit{u} = {u}u * LANES + me % LANES;
    //% for g G
    let qa{g}_{u} = queried(row, head, {g}u, unit{u} * 8u);
    let qb{g}_{u} = queried(row, head, {g}u, unit{u} * 8u + 4u);
    var a{g}_{u} = vec4(0.0);
    var b{g}_{u} = vec4(0.0);
    //% end
    //% end
    //% for g G
    var largest{g} = -1e30;
    var total{g} = 0.0;
    //% end
    for (var key = first + party * AT_ONCE; key < end; key += PARTIES * AT_ONCE) {
        //% for k AT_ONCE
        let slot{k} = slot_of(table, min(key + {k}u, end - 1u), p.block_len, p.kv_heads, kv_head);
        //% end
        // All loads are begun before any is needed.
        //% for k AT_ONCE
        //% for u UNITS
        let stored_k{k}_{u} = stored(p.place.keys, p.place.key_scales, slot{k}, UNITS_ALL, min(unit{u}, UNITS_ALL - 1u));
        //% end
        //% end
        //% for k AT_ONCE
        //% for u UNITS
        let stored_v{k}_{u} = stored(p.place.values, p.place.value_scales, slot{k}, UNITS_ALL, min(unit{u}, UNITS_ALL - 1u));
        //% end
        //% end
        //% for k AT_ONCE
        //% for g G
        var score{k}_{g} = 0.0;
        //% end
        //% for u UNITS
        let k{k}_{u} = values_of(stored_k{k}_{u});
        //% for g G
        score{k}_{g} += dot(k{k}_{u}[0], qa{g}_{u}) + dot(k{k}_{u}[1], qb{g}_{u});
        //% end
        //% end
        //% end
        //% for s SHUFFLES
        //% for k AT_ONCE
        //% for g G
        score{k}_{g} += subgroupShuffleXor(score{k}_{g}, 1u << {s}u);
        //% end
        //% end
        //% end
        //% for g G
        var next{g} = largest{g};
        //% for k AT_ONCE
        score{k}_{g} = select(-1e30, score{k}_{g}, key + {k}u < end);
        next{g} = max(next{g}, score{k}_{g});
        //% end
        let shrink{g} = exp(largest{g} - next{g});
        largest{g} = next{g};
        total{g} *= shrink{g};
        //% for u UNITS
        a{g}_{u} *= shrink{g};
        b{g}_{u} *= shrink{g};
        //% end
        //% end
        //% for k AT_ONCE
        //% for g G
        let weight{k}_{g} = exp(score{k}_{g} - largest{g});
        total{g} += weight{k}_{g};
        //% end
        //% for u UNITS
        let v{k}_{u} = values_of(stored_v{k}_{u});
        //% for g G
        a{g}_{u} += weight{k}_{g} * v{k}_{u}[0];
        b{g}_{u} += weight{k}_{g} * v{k}_{u}[1];
        //% end
        //% end
        //% end
    }
    //% for g G
    if (me % LANES == 0u) {
        most[party * G + {g}u] = largest{g};
        totals[party * G + {g}u] = total{g};
    }
    //% for u UNITS
    gathered[(party * G + {g}u) * FOURS + unit{u} * 2u] = a{g}_{u};
    gathered[(party * G + {g}u) * FOURS + unit{u} * 2u + 1u] = b{g}_{u};
    //% end
    //% end
    workgroupBarrier();
    for (var i = me; i < heads * UNITS_ALL * 2u; i += WG) {
        let g = i / (UNITS_ALL * 2u);
        let four = i % (UNITS_ALL * 2u);
        var top = -1e30;
        for (var s = 0u; s < PARTIES; s++) {
            top = max(top, most[s * G + g]);
        }
        var total = 0.0;
        var y = vec4(0.0);
        for (var s = 0u; s < PARTIES; s++) {
            let w = exp(most[s * G + g] - top);
            total += w * totals[s * G + g];
            y += w * gathered[(s * G + g) * FOURS + four];
        }
        let to = p.parts + ((row * p.heads + head + g) * step[3] + split) * (UNITS_ALL * 8u + 2u);
        if (four == 0u) {
            act[to] = top;
            act[to + 1u] = total;
        }
        let at = to + 2u + four * 4u;
        act[at] = y.x;
        act[at + 1u] = y.y;
        act[at + 2u] = y.z;
        act[at + 3u] = y.w;
    }
}
