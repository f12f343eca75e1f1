//! From the blocks of a model file to panels: [`super::format`] says how the result lies.
//!
//! Everything moves in words of four codes, because four columns of one row stay together.

use half::f16;
use tandem_tensor::DType;
use tandem_tensor::quant::{self, Decoded};

use super::format::{BLOCK, Codes, Format, GROUP, PANEL};

const LOW_NIBBLES: u32 = 0x0f0f_0f0f;
const LOW_PAIRS: u32 = 0x0303_0303;
const LOW_BITS: u32 = 0x0101_0101;

/// Pack up to [`PANEL`] rows, each in the file's layout, into `panel`, which is zeroed.
pub(super) fn pack_panel(dtype: DType, cols: usize, rows: &[u8], panel: &mut [u8]) {
    let row_bytes = dtype.bytes_of(cols).expect("a row is whole blocks");
    let Some(format) = Format::of(dtype) else {
        return match dtype {
            DType::F32 => interleave::<4>(rows, row_bytes, panel),
            _ => interleave::<2>(rows, row_bytes, panel),
        };
    };
    let blocks_stored = dtype.block_len() / BLOCK;
    let mut panel = panel;
    for first in (0..cols / BLOCK).step_by(GROUP) {
        let blocks = GROUP.min(cols / BLOCK - first);
        let group;
        (group, panel) = std::mem::take(&mut panel).split_at_mut(format.group_bytes(blocks));
        let (header, packed) = group.split_at_mut(format.header_bytes());
        for (row, bytes) in rows.chunks_exact(row_bytes).enumerate() {
            let stored = &bytes[first / blocks_stored * dtype.block_bytes()..];
            let mut lane = Lane { format: &format, header, blocks: packed, row };
            lane.pack(dtype, blocks, stored);
        }
    }
}

/// `[row][col]` to `[col][row]`, for values of `SIZE` bytes.
fn interleave<const SIZE: usize>(rows: &[u8], row_bytes: usize, panel: &mut [u8]) {
    if row_bytes == 0 {
        return;
    }
    // A few columns of all rows at a time, so that the lines being written stay in the nearest cache.
    const COLS: usize = 64;
    for first in (0..row_bytes / SIZE).step_by(COLS) {
        for (row, bytes) in rows.chunks_exact(row_bytes).enumerate() {
            let values = &bytes.as_chunks::<SIZE>().0[first..];
            let lanes = &mut panel.as_chunks_mut::<SIZE>().0[first * PANEL..];
            for (value, lane) in values.iter().take(COLS).zip(lanes.iter_mut().skip(row).step_by(PANEL)) {
                *lane = *value;
            }
        }
    }
}

/// One row's place in a group.
struct Lane<'a> {
    format: &'a Format,
    header: &'a mut [u8],
    blocks: &'a mut [u8],
    row: usize,
}

impl Lane<'_> {
    /// `stored` begins with the blocks of this group.
    fn pack(&mut self, dtype: DType, blocks: usize, stored: &[u8]) {
        let block_bytes = dtype.block_bytes();
        match dtype {
            DType::F32 | DType::F16 | DType::BF16 => unreachable!("float types have no groups"),
            DType::Q4_0 | DType::IQ4_NL => {
                for (b, x) in stored.chunks_exact(block_bytes).take(blocks).enumerate() {
                    self.put_scale(b, 0, x, 0);
                    self.put_nibbles(b, &x[2..]);
                }
            }
            DType::Q4_1 => {
                for (b, x) in stored.chunks_exact(block_bytes).take(blocks).enumerate() {
                    self.put_scale(b, 0, x, 0);
                    self.put_scale(b, 1, x, 2);
                    self.put_nibbles(b, &x[4..]);
                }
            }
            DType::Q5_0 => {
                for (b, x) in stored.chunks_exact(block_bytes).take(blocks).enumerate() {
                    self.put_scale(b, 0, x, 0);
                    self.put_nibbles(b, &x[6..]);
                    self.put_bits(b, word(x, 2));
                }
            }
            DType::Q5_1 => {
                for (b, x) in stored.chunks_exact(block_bytes).take(blocks).enumerate() {
                    self.put_scale(b, 0, x, 0);
                    self.put_scale(b, 1, x, 2);
                    self.put_nibbles(b, &x[8..]);
                    self.put_bits(b, word(x, 4));
                }
            }
            DType::Q8_0 => {
                for (b, x) in stored.chunks_exact(block_bytes).take(blocks).enumerate() {
                    self.put_scale(b, 0, x, 0);
                    // From signed to unsigned: adds 128.
                    self.put_words(b, std::array::from_fn(|v| word(x, 2 + 4 * v) ^ 0x8080_8080));
                }
            }
            DType::MXFP4 => {
                for (b, x) in stored.chunks_exact(block_bytes).take(blocks).enumerate() {
                    self.put_byte(b, 0, x[0]);
                    self.put_nibbles(b, &x[1..]);
                }
            }
            DType::IQ4_XS => {
                self.put_half(0, stored, 0);
                let high = u16::from_le_bytes([stored[2], stored[3]]);
                for b in 0..blocks {
                    let scale = stored[4 + b / 2] >> (4 * (b % 2)) & 15 | ((high >> (2 * b) & 3) as u8) << 4;
                    self.put_byte(b, 0, scale.wrapping_sub(32));
                    self.put_nibbles(b, &stored[8 + 16 * b..]);
                }
            }
            DType::Q4_K | DType::Q5_K => {
                self.put_half(0, stored, 0);
                self.put_half(1, stored, 2);
                let qs = if dtype == DType::Q4_K { 16 } else { 48 };
                for b in 0..blocks {
                    let (scale, min) = scale_and_min(&stored[4..16], b);
                    self.put_byte(b, 0, scale);
                    self.put_byte(b, 1, min);
                    let words = std::array::from_fn(|v| {
                        let nibbles = word(stored, qs + 32 * (b / 2) + 4 * v) >> (4 * (b % 2)) & LOW_NIBBLES;
                        let bits =
                            if dtype == DType::Q4_K { 0 } else { word(stored, 16 + 4 * v) >> b & LOW_BITS };
                        nibbles | bits << 4
                    });
                    self.put_words(b, words);
                }
            }
            DType::Q6_K => {
                self.put_half(0, stored, 208);
                for b in 0..blocks {
                    self.put_byte(b, 0, stored[192 + 2 * b]);
                    self.put_byte(b, 1, stored[192 + 2 * b + 1]);
                    let (half, quarter) = (b / 4, b % 4);
                    let words = std::array::from_fn(|v| {
                        let low = word(stored, 64 * half + 32 * (quarter % 2) + 4 * v) >> (4 * (quarter / 2));
                        let high = word(stored, 128 + 32 * half + 4 * v) >> (2 * quarter);
                        low & LOW_NIBBLES | (high & LOW_PAIRS) << 4
                    });
                    self.put_words(b, words);
                }
            }
            DType::Q3_K => {
                self.put_half(0, stored, 108);
                for b in 0..blocks {
                    for sub in [2 * b, 2 * b + 1] {
                        let low = stored[96 + sub % 8] >> (4 * (sub / 8)) & 15;
                        let high = stored[104 + sub % 4] >> (2 * (sub / 4)) & 3;
                        self.put_byte(b, sub % 2, (low | high << 4).wrapping_sub(32));
                    }
                    let words = std::array::from_fn(|v| {
                        let low = word(stored, 32 + 32 * (b / 4) + 4 * v) >> (2 * (b % 4)) & LOW_PAIRS;
                        low | (word(stored, 4 * v) >> b & LOW_BITS) << 2
                    });
                    self.put_words(b, words);
                }
            }
            DType::Q2_K => {
                self.put_half(0, stored, 80);
                self.put_half(1, stored, 82);
                for b in 0..blocks {
                    self.put_byte(b, 0, stored[2 * b]);
                    self.put_byte(b, 1, stored[2 * b + 1]);
                    let words = std::array::from_fn(|v| {
                        word(stored, 16 + 32 * (b / 4) + 4 * v) >> (2 * (b % 4)) & LOW_PAIRS
                    });
                    self.put_words(b, words);
                }
            }
            _ => self.pack_decoded(blocks, &quant::decode(dtype, stored)),
        }
    }

    /// Whole numbers with a small scale for each 16, and one for all.
    fn pack_decoded(&mut self, blocks: usize, decoded: &Decoded) {
        self.put_half(0, &f16::from_f32(decoded.d).to_le_bytes(), 0);
        let offset = self.format.offset;
        let table = self.format.table;
        let code = |value: i8| {
            let raised = (i32::from(value) + offset) as u8;
            table.map_or(raised, |table| table.iter().position(|at| *at == raised).unwrap_or(0) as u8)
        };
        for b in 0..blocks {
            self.put_byte(b, 0, decoded.scales[2 * b] as u8);
            if self.format.has_halves() {
                self.put_byte(b, 1, decoded.scales[2 * b + 1] as u8);
            }
            let values = &decoded.values[BLOCK * b..];
            let words =
                std::array::from_fn(|v| u32::from_le_bytes(std::array::from_fn(|i| code(values[4 * v + i]))));
            self.put_words(b, words);
        }
    }

    /// Copy the half float at `from[at..]` to the `slot`th row of halves in the header.
    fn put_half(&mut self, slot: usize, from: &[u8], at: usize) {
        self.header[2 * (slot * PANEL + self.row)..][..2].copy_from_slice(&from[at..at + 2]);
    }

    /// Copy the half float at `from[at..]` to the `slot`th row of halves in the block's scales.
    fn put_scale(&mut self, block: usize, slot: usize, from: &[u8], at: usize) {
        let to = block * self.format.block_bytes() + 2 * (slot * PANEL + self.row);
        self.blocks[to..to + 2].copy_from_slice(&from[at..at + 2]);
    }

    /// Put one byte into the `slot`th row of bytes in the block's scales.
    fn put_byte(&mut self, block: usize, slot: usize, byte: u8) {
        self.blocks[block * self.format.block_bytes() + slot * PANEL + self.row] = byte;
    }

    /// The four-bit plane, from 16 bytes that hold values `j` and `j + 16` in the nibbles of byte `j`: it is the same
    /// arrangement.
    fn put_nibbles(&mut self, block: usize, from: &[u8]) {
        for j in 0..4 {
            self.put_line(block, j, word(from, 4 * j));
        }
    }

    /// The one-bit plane above the four-bit one, from a word whose bit `j` belongs to value `j`.
    fn put_bits(&mut self, block: usize, bits: u32) {
        // Bit i of a nibble goes to bit 0 of byte i.
        let spread = |nibble: u32| nibble.wrapping_mul(0x0020_4081) & LOW_BITS;
        let plane = (0..8).fold(0, |plane, v| plane | spread(bits >> (4 * v) & 15) << v);
        self.put_line(block, 4, plane);
    }

    /// All planes, from words of four codes.
    fn put_words(&mut self, block: usize, words: [u32; 8]) {
        let nibbles = |j: usize| words[j] & LOW_NIBBLES | (words[j + 4] & LOW_NIBBLES) << 4;
        let pairs = |j: usize, shift: u32| {
            (0..4).fold(0, |plane, s| plane | (words[4 * j + s] >> shift & LOW_PAIRS) << (2 * s))
        };
        let bits = |shift: u32| (0..8).fold(0, |plane, v| plane | (words[v] >> shift & LOW_BITS) << v);
        match self.format.codes {
            Codes::Eight => (0..8).for_each(|v| self.put_line(block, v, words[v])),
            Codes::Four => (0..4).for_each(|j| self.put_line(block, j, nibbles(j))),
            Codes::FourOne => {
                (0..4).for_each(|j| self.put_line(block, j, nibbles(j)));
                self.put_line(block, 4, bits(4));
            }
            Codes::FourTwo => {
                (0..4).for_each(|j| self.put_line(block, j, nibbles(j)));
                (0..2).for_each(|j| self.put_line(block, 4 + j, pairs(j, 4)));
            }
            Codes::Two => (0..2).for_each(|j| self.put_line(block, j, pairs(j, 0))),
            Codes::TwoOne => {
                (0..2).for_each(|j| self.put_line(block, j, pairs(j, 0)));
                self.put_line(block, 2, bits(2));
            }
        }
    }

    fn put_line(&mut self, block: usize, line: usize, word: u32) {
        let codes = block * self.format.block_bytes() + self.format.scale_bytes();
        let at = codes + 64 * line + 4 * self.row;
        self.blocks[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The 6-bit scale and minimum of sub-block `i` of a Q4_K or Q5_K block, from its twelve bytes.
fn scale_and_min(bytes: &[u8], i: usize) -> (u8, u8) {
    if i < 4 {
        (bytes[i] & 63, bytes[i + 4] & 63)
    } else {
        (bytes[i + 4] & 15 | bytes[i - 4] >> 6 << 4, bytes[i + 4] >> 4 | bytes[i] >> 6 << 4)
    }
}
