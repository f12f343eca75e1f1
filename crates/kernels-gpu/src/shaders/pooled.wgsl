// A cache with one row for EVERY tokens, in the block of the token that completes it; blocks have BLOCK_ROWS of them.

fn pooled_slot(table: u32, row: u32, block_len: u32) -> u32 {
    let position = (row + 1u) * EVERY - 1u;
    return step[table + position / block_len] * BLOCK_ROWS + position % block_len / EVERY;
}
