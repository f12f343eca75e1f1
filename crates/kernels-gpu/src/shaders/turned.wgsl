// What `rotate` does, done by a workgroup of attention for the one row of its batch: up to G heads from `head` on, then their key and value,
// lie in `held`. Whoever reads the newest key stores it, and sees it then.

fn turn_heads(
    row: u32, head: u32, heads: u32, kv_head: u32, table: u32, newest: bool,
    me: u32, lane: u32, subgroup: u32, size: u32,
) {
    for (var i = me; i < DIM; i += WG) {
        //% for g G
        held[{g}u * DIM + i] = act[p.turn.q + (head + min({g}u, heads - 1u)) * KEY_DIM + min(i, KEY_DIM - 1u)];
        //% end
        held[G * DIM + i] = act[p.turn.k + kv_head * KEY_DIM + min(i, KEY_DIM - 1u)];
        held[(G + 1u) * DIM + i] = act[p.turn.v + kv_head * p.turn.value_dim + min(i, p.turn.value_dim - 1u)];
    }
    workgroupBarrier();
    if (p.turn.q_norm > 0u) {
        //% for g G
        norm({g}u * DIM, p.turn.q_norm - 1u, KEY_DIM, p.turn.q_eps, me, lane, subgroup, size);
        //% end
    }
    if (p.turn.k_norm > 0u) {
        norm(G * DIM, p.turn.k_norm - 1u, KEY_DIM, p.turn.k_eps, me, lane, subgroup, size);
    }
    for (var i = me; i < (G + 1u) * p.turn.pairs; i += WG) {
        rotate(i / p.turn.pairs * DIM, row, i % p.turn.pairs);
    }
    workgroupBarrier();
    if (newest) {
        let slot = slot_of(table, step[step[5] + row], p.block_len, p.kv_heads, kv_head);
        store(G * DIM, p.place.keys, p.place.key_scales, slot, KEY_DIM, me);
        store((G + 1u) * DIM, p.place.values, p.place.value_scales, slot, p.turn.value_dim, me);
        storageBarrier();
    }
}
