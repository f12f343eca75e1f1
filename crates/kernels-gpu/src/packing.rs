//! How weights lie in the device's memory.
//!
//! A file's blocks mix codes and scales, so that nothing in them is aligned. Here a matrix is parted into *planes*, each a
//! run of equal pieces, one for every 32 values: the codes' four bits in 16-byte words, further bits of the codes, scales, and
//! for types with blocks of 256 the scales of scales. Nothing is lost, and a kernel loads 16 bytes at a time. Float matrices
//! have one plane, their rows padded to whole blocks of 32. Types whose values are chosen together from a table are stored as four-bit
//! codes of the values, since looking points up would cost more than reading them.

use tandem_tensor::{DType, grid_types, quant};

/// Bytes of a matrix's planes for every 32 values, and of the last for every 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub codes: usize,
    pub bits: usize,
    pub scales: usize,
    pub supers: usize,
    /// Whether `supers` are read 16 bytes at a time.
    pub wide_supers: bool,
}

impl Layout {
    pub const fn of(dtype: DType) -> Layout {
        let (codes, bits, scales, supers) = match dtype {
            DType::F32 => (128, 0, 0, 0),
            DType::F16 | DType::BF16 => (64, 0, 0, 0),
            DType::Q4_0 | DType::IQ4_NL => (16, 0, 2, 0),
            DType::Q4_1 => (16, 0, 4, 0),
            DType::Q5_0 => (16, 4, 2, 0),
            DType::Q5_1 => (16, 4, 4, 0),
            DType::Q8_0 => (32, 0, 2, 0),
            DType::Q2_K => (0, 8, 2, 4),
            DType::Q3_K => (0, 12, 2, 2),
            DType::Q4_K => (16, 0, 0, 16),
            DType::Q5_K => (16, 4, 0, 16),
            DType::Q6_K => (16, 8, 2, 2),
            DType::IQ4_XS => (16, 0, 1, 2),
            DType::MXFP4 => (16, 0, 1, 0),
            grid_types!() => (16, 0, 2, 2),
        };
        Layout { codes, bits, scales, supers, wide_supers: supers == 16 }
    }

    /// Bytes of the four planes of so many blocks of 32 values, each rounded up to whole 16-byte words.
    pub fn plane_bytes(&self, blocks: u64) -> [u64; 4] {
        let supers = blocks.div_ceil(8);
        [
            blocks * self.codes as u64,
            blocks * self.bits as u64,
            blocks * self.scales as u64,
            supers * self.supers as u64,
        ]
        .map(|bytes| bytes.next_multiple_of(16))
    }
}

/// Whether products with this type are made of eight-bit activations.
pub const fn is_coded(dtype: DType) -> bool {
    !matches!(dtype, DType::F32 | DType::F16 | DType::BF16)
}

/// The values that codes of the type stand for, where they are chosen together from a table.
pub fn values_of(dtype: DType) -> Option<&'static [i8; 16]> {
    Some(match dtype {
        DType::IQ1_S | DType::IQ1_M => &quant::IQ1_VALUES,
        DType::IQ2_XXS | DType::IQ2_XS | DType::IQ2_S => &quant::IQ2_VALUES,
        DType::IQ3_XXS => &quant::IQ3_XXS_VALUES,
        DType::IQ3_S => &quant::IQ3_S_VALUES,
        DType::TQ1_0 | DType::TQ2_0 => &quant::TERNARY_VALUES,
        _ => return None,
    })
}

/// Blocks of 32 values in a row of `cols`.
pub const fn blocks_of(cols: usize) -> usize {
    cols.div_ceil(32)
}

/// The planes of some rows, in order, to be appended to those before.
#[derive(Default)]
pub struct Packed {
    pub planes: [Vec<u8>; 4],
}

impl Packed {
    pub fn clear(&mut self) {
        self.planes.iter_mut().for_each(Vec::clear);
    }

    /// Append rows of `cols` values each, stored as files store them.
    pub fn push(&mut self, dtype: DType, cols: usize, bytes: &[u8]) {
        let block = dtype.block_bytes();
        let [codes, bits, scales, supers] = &mut self.planes;
        match dtype {
            DType::F32 | DType::F16 | DType::BF16 => {
                let pad = (blocks_of(cols) * 32 - cols) * block;
                for row in bytes.chunks_exact((cols * block).max(1)) {
                    codes.extend_from_slice(row);
                    codes.resize(codes.len() + pad, 0);
                }
            }
            DType::Q4_0 | DType::IQ4_NL => {
                for block in bytes.chunks_exact(block) {
                    scales.extend_from_slice(&block[..2]);
                    codes.extend_from_slice(&block[2..]);
                }
            }
            DType::Q4_1 => {
                for block in bytes.chunks_exact(block) {
                    scales.extend_from_slice(&block[..4]);
                    codes.extend_from_slice(&block[4..]);
                }
            }
            DType::Q5_0 | DType::Q5_1 => {
                let head = block - 20;
                for block in bytes.chunks_exact(block) {
                    scales.extend_from_slice(&block[..head]);
                    let fifth =
                        u32::from_le_bytes([block[head], block[head + 1], block[head + 2], block[head + 3]]);
                    bits.extend_from_slice(&single_bits(|i| (fifth >> i & 1) as u8).to_le_bytes());
                    codes.extend_from_slice(&block[head + 4..]);
                }
            }
            DType::Q8_0 => {
                for block in bytes.chunks_exact(block) {
                    scales.extend_from_slice(&block[..2]);
                    codes.extend_from_slice(&block[2..]);
                }
            }
            DType::MXFP4 => {
                for block in bytes.chunks_exact(block) {
                    scales.push(block[0]);
                    codes.extend(block[1..].iter().map(|pair| float_codes(*pair)));
                }
            }
            DType::IQ4_XS => {
                for block in bytes.chunks_exact(block) {
                    supers.extend_from_slice(&block[..2]);
                    let high = u16::from_le_bytes([block[2], block[3]]);
                    scales.extend((0..8).map(|i| {
                        let low = block[4 + i / 2] >> (4 * (i % 2)) & 15;
                        (low | ((high >> (2 * i) & 3) as u8) << 4).wrapping_sub(32)
                    }));
                    codes.extend_from_slice(&block[8..]);
                }
            }
            DType::Q4_K | DType::Q5_K => {
                let five = dtype == DType::Q5_K;
                for block in bytes.chunks_exact(block) {
                    supers.extend_from_slice(&block[..16]);
                    let low = &block[if five { 48 } else { 16 }..];
                    for sub in 0..8 {
                        let (bytes, shift) = (&low[32 * (sub / 2)..][..32], 4 * (sub % 2));
                        codes.extend(nibbles(|i| bytes[i] >> shift & 15));
                        if five {
                            let fifth = single_bits(|i| block[16 + i] >> sub & 1);
                            bits.extend_from_slice(&fifth.to_le_bytes());
                        }
                    }
                }
            }
            DType::Q6_K => {
                for block in bytes.chunks_exact(block) {
                    supers.extend_from_slice(&block[208..210]);
                    scales.extend_from_slice(&block[192..208]);
                    for sub in 0..8 {
                        let at = |i: usize| 32 * sub + i;
                        codes.extend(nibbles(|i| {
                            let i = at(i);
                            block[64 * (i / 128) + i % 64] >> (4 * (i / 64 % 2)) & 15
                        }));
                        push_double_bits(bits, |i| two_bits(&block[128..192], at(i)));
                    }
                }
            }
            DType::Q2_K => {
                for block in bytes.chunks_exact(block) {
                    supers.extend_from_slice(&block[80..84]);
                    scales.extend_from_slice(&block[..16]);
                    for sub in 0..8 {
                        push_double_bits(bits, |i| two_bits(&block[16..80], 32 * sub + i));
                    }
                }
            }
            DType::Q3_K => {
                for block in bytes.chunks_exact(block) {
                    supers.extend_from_slice(&block[108..110]);
                    scales.extend((0..16).map(|i| {
                        let low = block[96 + i % 8] >> (4 * (i / 8)) & 15;
                        let high = block[104 + i % 4] >> (2 * (i / 4)) & 3;
                        (low | high << 4).wrapping_sub(32)
                    }));
                    for sub in 0..8 {
                        push_double_bits(bits, |i| two_bits(&block[32..96], 32 * sub + i));
                        let third = single_bits(|i| block[i] >> sub & 1);
                        bits.extend_from_slice(&third.to_le_bytes());
                    }
                }
            }
            grid_types!() => {
                let values = values_of(dtype).expect("a type with values of its own");
                let code = |value: i8| values.iter().position(|known| *known == value).unwrap_or(0) as u8;
                for block in bytes.chunks_exact(block) {
                    let decoded = quant::decode(dtype, block);
                    // What a file stores as a half float is one still.
                    supers.extend_from_slice(&half::f16::from_f32(decoded.d).to_le_bytes());
                    scales.extend(decoded.scales.iter().map(|scale| *scale as u8));
                    for sub in decoded.values.as_chunks::<32>().0 {
                        codes.extend(nibbles(|i| code(sub[i])));
                    }
                }
            }
        }
    }
}

/// Codes of two four-bit floats. From them a kernel makes eight values in 11 steps, from the floats' own bits in 28 (see
/// `weight_mxfp4.wgsl`).
fn float_codes(pair: u8) -> u8 {
    const CODES: [u8; 16] = [1, 15, 3, 4, 5, 7, 9, 13, 1, 0, 12, 11, 10, 8, 6, 2];
    CODES[usize::from(pair & 15)] | CODES[usize::from(pair >> 4)] << 4
}

/// Value `i` in the low half of byte `i`, value `i + 16` in the high half.
fn nibbles(code: impl Fn(usize) -> u8) -> impl Iterator<Item = u8> {
    (0..16).map(move |i| code(i) | code(i + 16) << 4)
}

/// One bit of each of 32 values: value `16 h + 4 c + b` is bit `8 b + 4 h + c`.
fn single_bits(bit: impl Fn(usize) -> u8) -> u32 {
    (0..32).fold(0, |word, i| {
        let (half, word_of, byte) = (i / 16, i / 4 % 4, i % 4);
        word | u32::from(bit(i)) << (8 * byte + 4 * half + word_of)
    })
}

/// Two bits of each of 32 values, 16 in a word: value `4 c + b` has bits `8 b + 2 c` and the next.
fn push_double_bits(out: &mut Vec<u8>, bits: impl Fn(usize) -> u8) {
    for half in 0..2 {
        let word = (0..16)
            .fold(0_u32, |word, i| word | u32::from(bits(16 * half + i)) << (8 * (i % 4) + 2 * (i / 4)));
        out.extend_from_slice(&word.to_le_bytes());
    }
}

/// The two bits of value `i` in the 64 bytes of a block, as Q2_K, Q3_K and Q6_K store them.
fn two_bits(bytes: &[u8], i: usize) -> u8 {
    bytes[32 * (i / 128) + i % 32] >> (2 * (i / 32 % 4)) & 3
}
