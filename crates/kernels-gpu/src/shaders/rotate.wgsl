// One workgroup a head of a row: queries are normed and rotated; keys likewise, and stored; values are stored.

struct Params { place: Place, turn: Turn }
@group(0) @binding(2) var<storage, read_write> act: array<f32>;
@group(0) @binding(5) var<uniform> p: Params;
@group(0) @binding(7) var<storage, read> vectors: array<f32>;
@group(0) @binding(8) var<storage, read_write> cache: array<u32>;

fn put(at: u32, word: u32) {
    cache[at] = word;
}

fn rotate_all(first: u32, row: u32, me: u32) {
    for (var i = me; i < p.turn.pairs; i += WG) {
        rotate(first, row, i);
    }
    workgroupBarrier();
}

fn centre(len: u32, me: u32, lane: u32, subgroup: u32, size: u32) {
    var sum = 0.0;
    for (var i = me; i < len; i += WG) {
        sum += held[i];
    }
    let mean = workgroup_sum(sum, lane, subgroup, size) / f32(len);
    for (var i = me; i < len; i += WG) {
        held[i] -= mean;
    }
    workgroupBarrier();
}

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32,
    @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_size) size: u32,
) {
    let row = group.y;
    let item = group.x;
    if (item < p.turn.heads) {
        let at = p.turn.q + (row * p.turn.heads + item) * p.turn.q_dim;
        for (var i = me; i < p.turn.q_dim; i += WG) {
            held[i] = act[at + i];
        }
        workgroupBarrier();
        if (p.turn.q_norm > 0u) {
            norm(0u, p.turn.q_norm - 1u, p.turn.q_dim, p.turn.q_eps, me, lane, subgroup, size);
        }
        rotate_all(p.turn.q_rotated, row, me);
        //% if ROUNDING
        round_held(p.turn.q_dim, me);
        //% end
        let longer = grown(row);
        for (var i = p.turn.q_from + me; i < p.turn.q_dim; i += WG) {
            act[p.turn.q_out + row * p.turn.q_row + item * p.turn.q_item + i - p.turn.q_from] = held[i] * longer;
        }
        // Those before stay where they are, for what is made of them next.
        for (var i = me; i < p.turn.q_from && p.turn.growth != 0.0; i += WG) {
            act[at + i] = held[i] * longer;
        }
    } else if (item < p.turn.heads + p.turn.kv_heads) {
        let head = item - p.turn.heads;
        let at = p.turn.k + (row * p.turn.kv_heads + head) * p.turn.key_dim;
        for (var i = me; i < p.turn.key_dim; i += WG) {
            held[i] = act[at + i];
        }
        workgroupBarrier();
        if (p.turn.k_bias > 0u) {
            centre(p.turn.key_dim, me, lane, subgroup, size);
        }
        if (p.turn.k_norm > 0u) {
            norm(0u, p.turn.k_norm - 1u, p.turn.k_normed, p.turn.k_eps, me, lane, subgroup, size);
        }
        if (p.turn.k_bias > 0u) {
            for (var i = me; i < p.turn.key_dim; i += WG) {
                held[i] += vectors[p.turn.k_bias - 1u + i];
            }
            workgroupBarrier();
        }
        rotate_all(p.turn.k_rotated, row, me);
        //% if ROUNDING
        round_held(p.turn.key_dim, me);
        //% end
        //% if EVERY
        let complete = step[step[5] + row] + 1u;
        if (complete % EVERY != 0u) {
            return;
        }
        let slot = pooled_slot(table_of(row, 0u), complete / EVERY - 1u, p.turn.block_len);
        //% end
        //% unless EVERY
        let slot = slot_of(table_of(row, p.turn.windowed), step[step[5] + row], p.turn.block_len, p.turn.kv_heads, head);
        //% end
        store(0u, p.place.keys, p.place.key_scales, slot, p.turn.key_dim, me);
    } else {
        let head = item - p.turn.heads - p.turn.kv_heads;
        let at = p.turn.v + (row * p.turn.kv_heads + head) * p.turn.value_dim;
        for (var i = me; i < p.turn.value_dim; i += WG) {
            held[i] = act[at + i];
        }
        workgroupBarrier();
        let slot = slot_of(table_of(row, p.turn.windowed), step[step[5] + row], p.turn.block_len, p.turn.kv_heads, head);
        store(0u, p.place.values, p.place.value_scales, slot, p.turn.value_dim, me);
    }
}
