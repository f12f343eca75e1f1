// A layer's cache: keys, then values, a row for every slot and head; rows are padded to whole units of eight values (blocks
// of 32 where they are stored in eight bits, whose scales follow in planes of their own). `CACHE`: 0 floats, 1 half floats, 2 eight bits.
//
// A slot's rows: `((block * heads + head) * block_len + offset)`.

struct Place { keys: u32, values: u32, key_scales: u32, value_scales: u32 }

// The block table of a row of the batch, windowed or not, and a position in it.
fn slot_of(table: u32, position: u32, block_len: u32, heads: u32, head: u32) -> u32 {
    let block = step[table + position / block_len];
    return (block * heads + head) * block_len + position % block_len;
}

fn table_of(row: u32, windowed: u32) -> u32 {
    return step[step[6u + windowed] + row];
}
