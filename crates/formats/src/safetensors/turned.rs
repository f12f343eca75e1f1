//! AWQ and GPTQ: codes that lie turned over. A line of the file holds one input's codes for all outputs (AWQ), or those of a few inputs
//! (GPTQ); a scale and a zero belong to a group of inputs and one output. The value is `scale * (code - zero)`.
//!
//! | stored                          | offered as | what is lost                                                       |
//! |---------------------------------|------------|--------------------------------------------------------------------|
//! | GPTQ, 4 or 8 bits, symmetric    | Q4_0, Q8_0 | nothing                                                            |
//! | AWQ, GPTQ, 4 bits with zeros    | Q4_1       | rounding of `scale * zero` to f16: 1/4096 of it                    |
//! | GPTQ, 8 bits with zeros         | Q8_0       | rounding to 1/254 of a block's largest value                       |

use super::coded::{FloatKind, Floats, Part, RUN};
use crate::weights::{Piece, TensorInfo};
use half::f16;
use std::ops::Range;
use tandem_tensor::{DType, Slice, quant};

/// What `config.json` says of such a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turning {
    pub order: Order,
    pub bits: usize,
    /// Inputs that share a scale; all of them where there is none.
    pub group: Option<usize>,
    /// All zeros lie in the middle.
    pub symmetric: bool,
    /// What is added to a stored zero.
    pub zero_offset: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Eight outputs to a word, in an order of their own.
    Awq,
    /// Inputs that follow each other in a word, and outputs in the words of zeros.
    Gptq,
}

/// Which output's code comes where in one of AWQ's words.
const AWQ_ORDER: [usize; 8] = [0, 4, 1, 5, 2, 6, 3, 7];

impl Turning {
    pub fn offered_as(self) -> DType {
        match (self.bits, self.symmetric) {
            (4, true) => DType::Q4_0,
            (4, false) => DType::Q4_1,
            _ => DType::Q8_0,
        }
    }

    /// Whether the type offered holds other values than the file.
    pub fn is_rounded(self) -> bool {
        !self.symmetric
    }

    pub fn per_word(self) -> usize {
        32 / self.bits
    }

    fn code(self, word: u32, index: usize) -> i32 {
        let index = match self.order {
            Order::Awq => AWQ_ORDER[index],
            Order::Gptq => index,
        };
        (word >> (index * self.bits) & ((1u64 << self.bits) - 1) as u32) as i32
    }
}

/// Such a tensor as its parts lie in the files.
#[derive(Debug)]
pub(super) struct Turned {
    pub info: TensorInfo,
    pub turning: Turning,
    pub group: usize,
    pub codes: Part,
    /// None where all are alike.
    pub zeros: Option<Part>,
    pub scales: Part,
    pub scale_kind: FloatKind,
}

/// The bytes of the files that the parts lie in.
pub(super) struct Lines<'a> {
    pub codes: &'a [u8],
    pub zeros: &'a [u8],
    pub scales: &'a [u8],
}

impl Turned {
    /// Where the codes, zeros and scales of `slice` lie.
    pub fn pieces(&self, slice: &Slice) -> Vec<Piece> {
        let runs = slice.cols.start / RUN * RUN..slice.cols.end.next_multiple_of(RUN);
        let per_word = self.turning.per_word();
        let (rows, cols) = (&slice.rows, &runs);
        let words = |outputs: &Range<usize>| outputs.start / per_word * 4..outputs.end.div_ceil(per_word) * 4;
        let (lines, bytes) = match self.turning.order {
            Order::Awq => (cols.clone(), words(rows)),
            Order::Gptq => (cols.start / per_word..cols.end / per_word, rows.start * 4..rows.end * 4),
        };
        let groups = cols.start / self.group..cols.end.div_ceil(self.group);
        let size = self.scale_kind.bytes();
        let of = |part: &Part, lines: &Range<usize>, bytes: Range<usize>| {
            part.layout().pieces(part.file, slice.experts.clone(), lines, &bytes)
        };
        let codes = of(&self.codes, &lines, bytes);
        let scales = of(&self.scales, &groups, rows.start * size..rows.end * size);
        let zeros = self.zeros.iter().flat_map(|part| of(part, &groups, words(rows)));
        codes.chain(scales).chain(zeros).collect()
    }

    /// Writes columns `cols` of row `row`.
    pub fn write_row(&self, lines: &Lines, row: usize, cols: Range<usize>, out: &mut [u8]) {
        let dtype = self.info.dtype;
        if dtype.block_len() == 1 {
            for (col, out) in cols.zip(out.chunks_exact_mut(4)) {
                let (scale, zero) = self.scale(lines, row, col / self.group);
                let value = scale * (self.code(lines, row, col) - zero) as f32;
                out.copy_from_slice(&value.to_le_bytes());
            }
            return;
        }
        for (first, out) in cols.step_by(RUN).zip(out.chunks_exact_mut(dtype.block_bytes())) {
            let (scale, zero) = self.scale(lines, row, first / self.group);
            let codes: [i32; RUN] = std::array::from_fn(|i| self.code(lines, row, first + i));
            let half = |value: f32| f16::from_f32(value).to_le_bytes();
            let nibbles = |out: &mut [u8]| {
                for (j, byte) in out.iter_mut().enumerate() {
                    *byte = codes[j] as u8 & 15 | (codes[j + 16] as u8) << 4;
                }
            };
            match dtype {
                DType::Q4_0 => {
                    out[..2].copy_from_slice(&half(scale));
                    nibbles(&mut out[2..]);
                }
                DType::Q4_1 => {
                    out[..2].copy_from_slice(&half(scale));
                    out[2..4].copy_from_slice(&half(-scale * zero as f32));
                    nibbles(&mut out[4..]);
                }
                DType::Q8_0 if self.turning.symmetric => {
                    out[..2].copy_from_slice(&half(scale));
                    for (byte, code) in out[2..].iter_mut().zip(codes) {
                        *byte = (code - zero) as i8 as u8;
                    }
                }
                _ => {
                    let values = codes.map(|code| scale * (code - zero) as f32);
                    let mut block = Vec::with_capacity(out.len());
                    quant::quantize(dtype, &values, &mut block);
                    out.copy_from_slice(&block);
                }
            }
        }
    }

    fn code(&self, lines: &Lines, row: usize, col: usize) -> i32 {
        let per_word = self.turning.per_word();
        let (line, word, index) = match self.turning.order {
            Order::Awq => (col, row / per_word, row % per_word),
            Order::Gptq => (col / per_word, row, col % per_word),
        };
        self.turning.code(word_at(lines.codes, self.codes, line, word), index)
    }

    fn scale(&self, lines: &Lines, row: usize, group: usize) -> (f32, i32) {
        let at = self.scales.start as usize + group * self.scales.row_bytes;
        let scales = Floats { kind: self.scale_kind, bytes: &lines.scales[at..][..self.scales.row_bytes] };
        let per_word = self.turning.per_word();
        let zero = match self.zeros {
            None => 1 << (self.turning.bits - 1),
            Some(part) => {
                let word = word_at(lines.zeros, part, group, row / per_word);
                self.turning.code(word, row % per_word) + self.turning.zero_offset
            }
        };
        (scales.get(row), zero)
    }
}

fn word_at(bytes: &[u8], part: Part, line: usize, word: usize) -> u32 {
    let at = part.start as usize + line * part.row_bytes + word * 4;
    bytes[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
