// A matrix lies in planes: codes in 16-byte words, further bits, scales, and scales of scales (see `packing.rs`).

@group(0) @binding(0) var<storage, read> codes: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> words: array<u32>;

// Where a matrix's planes begin: codes in units of 16 bytes, the others in units of 4.
struct Planes { codes: u32, bits: u32, scales: u32, supers: u32 }

// 32 values: `s * code + m`, where the first 16 have the first scale and minimum.
struct Block { lo: vec4<u32>, hi: vec4<u32>, s: vec2<f32>, m: vec2<f32> }
// A type of codes says what it reads of a block (`Stored`, `stored`), and what values that is (`block_of`), so that a kernel may do
// something else in between.

// Of a word that holds two or four of them, the one that belongs to `i`.
fn half_of(word: u32, i: u32) -> f32 {
    let pair = unpack2x16float(word);
    return select(pair.x, pair.y, (i & 1u) == 1u);
}

fn short_of(word: u32, i: u32) -> u32 {
    return (word >> ((i & 1u) * 16u)) & 0xffffu;
}

fn byte_of(word: u32, i: u32) -> u32 {
    return (word >> ((i & 3u) * 8u)) & 0xffu;
}

// The low byte, as a signed number.
fn signed(byte: u32) -> f32 {
    return f32(bitcast<i32>(byte << 24u) >> 24u);
}

const NIBBLES = vec4<u32>(0x0f0f0f0fu);

// Four words of which word c holds bit `c + first` of every byte of `bits`, as bit `to`.
fn single_bits(bits: u32, first: u32, to: u32) -> vec4<u32> {
    return ((vec4<u32>(bits) >> (vec4<u32>(0u, 1u, 2u, 3u) + first)) & vec4<u32>(0x01010101u)) << vec4<u32>(to);
}

// Four words of which word c holds bits 2c and 2c + 1 of every byte of `bits`, from bit `to` on.
fn double_bits(bits: u32, to: u32) -> vec4<u32> {
    return ((vec4<u32>(bits) >> vec4<u32>(0u, 2u, 4u, 6u)) & vec4<u32>(0x03030303u)) << vec4<u32>(to);
}
