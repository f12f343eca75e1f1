//! Quantised tensors of safetensors files: codes in one tensor, scales in others, offered as one tensor of a block type.
//!
//! Each way of coding has a block type that holds the same codes, so that a 4-bit checkpoint takes about 4 bits in memory
//! and the kernels need to know nothing new:
//!
//! | stored                                   | offered as | what is lost                                         |
//! |------------------------------------------|------------|------------------------------------------------------|
//! | MXFP4 (gpt-oss, MLX)                     | MXFP4      | nothing                                              |
//! | INT4 packed, symmetric (compressed-tensors) | Q4_0    | nothing, scales and all, while f16 holds the scale   |
//! | MLX affine, 2 to 4 bits                  | Q4_1       | the same                                             |
//! | MLX affine, 5 bits                       | Q5_1       | the same                                             |
//! | INT8 packed, symmetric                   | Q8_0       | the same                                             |
//! | MLX affine, 6 and 8 bits                 | Q8_0       | rounding to 1/254 of a block's largest value         |
//! | FP8 (E4M3) with block scales, floats or exponents, MLX's too | Q8_0 | the same: a tenth of what E4M3 itself lost |
//! | NVFP4 (compressed-tensors, ModelOpt, MLX) | Q8_0      | the same; twice the file's size in memory            |
//!
//! A bf16 scale is exact in f16 from 2^-17 to 65504; trained weights have scales of 2^-8 to 2^-14. Groups longer than 32
//! repeat their scale. A small matrix to which MLX gave more bits than to the rest is offered as floats. A converter, which
//! quantises anew, asks for what would be rounded as floats instead.

use crate::weights::{Piece, RowLayout, Shape, TensorInfo};
use half::{bf16, f16};
use std::ops::Range;
use tandem_tensor::{DType, Slice, quant};

/// Values that every coding stores together, and every offered block holds.
pub(super) const RUN: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Coding {
    /// `value * scale` of its block of rows and columns.
    Fp8 {
        block: [usize; 2],
    },
    /// `scale * code + bias`
    Affine {
        bits: usize,
        group: usize,
    },
    /// `scale * (code - half)`
    Symmetric {
        bits: usize,
        group: usize,
    },
    Mxfp4,
    /// As MXFP4, with a scale for every 16 values, and perhaps one for all.
    Nvfp4,
}

impl Coding {
    pub fn bits(self) -> usize {
        match self {
            Coding::Fp8 { .. } => 8,
            Coding::Affine { bits, .. } | Coding::Symmetric { bits, .. } => bits,
            Coding::Mxfp4 | Coding::Nvfp4 => 4,
        }
    }

    /// Columns that share a scale.
    pub fn group(self) -> usize {
        match self {
            Coding::Fp8 { block } => block[1],
            Coding::Affine { group, .. } | Coding::Symmetric { group, .. } => group,
            Coding::Mxfp4 => RUN,
            Coding::Nvfp4 => 16,
        }
    }

    /// Rows that share a scale.
    pub fn group_rows(self) -> usize {
        if let Coding::Fp8 { block } = self { block[0] } else { 1 }
    }

    pub fn offered_as(self, cols: usize) -> DType {
        match self {
            Coding::Mxfp4 => DType::MXFP4,
            Coding::Symmetric { bits: 4, .. } => DType::Q4_0,
            Coding::Affine { bits: 2..=4, .. } => DType::Q4_1,
            Coding::Affine { bits: 5, .. } => DType::Q5_1,
            _ if !cols.is_multiple_of(RUN) => DType::BF16,
            _ => DType::Q8_0,
        }
    }

    /// Whether the type offered holds other values than the file.
    pub fn is_rounded(self) -> bool {
        !matches!(self, Coding::Mxfp4 | Coding::Symmetric { .. } | Coding::Affine { bits: 2..=5, .. })
    }

    /// The values of `codes`, which begin at column `first`, of one row.
    pub fn values(self, codes: &[u8], row: &RowScales, first: usize, out: &mut [f32]) {
        let bits = self.bits();
        let mut done = 0;
        while done < out.len() {
            let group = (first + done) / self.group();
            let end = ((group + 1) * self.group() - first).min(out.len());
            let group = group - row.first_group;
            let values = out[done..end].iter_mut().zip(done..);
            match self {
                Coding::Fp8 { .. } => {
                    let scale = row.scale(group);
                    values.for_each(|(value, i)| *value = e4m3(codes[i]) * scale);
                }
                Coding::Affine { .. } => {
                    let (scale, bias) = (row.scale(group), row.bias(group));
                    values.for_each(|(value, i)| *value = scale * code_at(codes, bits, i) as f32 + bias);
                }
                Coding::Symmetric { .. } => {
                    let (scale, zero) = (row.scale(group), 1 << (bits - 1));
                    let code = |i| code_at(codes, bits, i) as i32;
                    values.for_each(|(value, i)| *value = scale * (code(i) - zero) as f32);
                }
                Coding::Mxfp4 => {
                    let half_scale = quant::mxfp4_half_scale(row.scales.bytes[group]);
                    let doubled = |i| quant::MXFP4_DOUBLED_VALUES[code_at(codes, 4, i) as usize];
                    values.for_each(|(value, i)| *value = half_scale * doubled(i) as f32);
                }
                Coding::Nvfp4 => {
                    let half_scale = 0.5 * row.scale(group);
                    let doubled = |i| quant::MXFP4_DOUBLED_VALUES[code_at(codes, 4, i) as usize];
                    values.for_each(|(value, i)| *value = half_scale * doubled(i) as f32);
                }
            }
            done = end;
        }
    }

    /// One run of codes as a block of the type offered.
    pub fn block(self, dtype: DType, codes: &[u8], row: &RowScales, first: usize, out: &mut [u8]) {
        let group = first / self.group() - row.first_group;
        let half = |value: f32| f16::from_f32(value).to_le_bytes();
        let nibbles = |out: &mut [u8]| {
            let codes = unpacked(codes, self.bits());
            for (j, byte) in out.iter_mut().enumerate() {
                *byte = codes[j] & 15 | codes[j + 16] << 4;
            }
        };
        match (self, dtype) {
            (Coding::Mxfp4, DType::MXFP4) => {
                out[0] = row.scales.bytes[group];
                nibbles(&mut out[1..]);
            }
            (Coding::Symmetric { bits: 4, .. }, DType::Q4_0) => {
                out[..2].copy_from_slice(&half(row.scale(group)));
                nibbles(&mut out[2..]);
            }
            (Coding::Symmetric { bits: 8, .. }, DType::Q8_0) => {
                out[..2].copy_from_slice(&half(row.scale(group)));
                for (byte, code) in out[2..].iter_mut().zip(codes) {
                    *byte = code ^ 0x80;
                }
            }
            (Coding::Affine { .. }, DType::Q4_1) => {
                out[..2].copy_from_slice(&half(row.scale(group)));
                out[2..4].copy_from_slice(&half(row.bias(group)));
                nibbles(&mut out[4..]);
            }
            (Coding::Affine { .. }, DType::Q5_1) => {
                out[..2].copy_from_slice(&half(row.scale(group)));
                out[2..4].copy_from_slice(&half(row.bias(group)));
                let fifth: u32 = (0..RUN).map(|i| (code_at(codes, 5, i) as u32 >> 4) << i).sum();
                out[4..8].copy_from_slice(&fifth.to_le_bytes());
                nibbles(&mut out[8..]);
            }
            _ => {
                let mut values = [0.0; RUN];
                self.values(codes, row, first, &mut values);
                let mut block = Vec::with_capacity(out.len());
                quant::quantize(dtype, &values, &mut block);
                out.copy_from_slice(&block);
            }
        }
    }
}

/// The scales, and biases where there are any, of a stretch of one row; the first is that of group `first_group`.
pub(super) struct RowScales<'a> {
    pub scales: Floats<'a>,
    pub biases: Option<Floats<'a>>,
    pub first_group: usize,
    /// Of the whole tensor.
    pub factor: f32,
}

impl RowScales<'_> {
    fn scale(&self, group: usize) -> f32 {
        self.scales.get(group) * self.factor
    }

    fn bias(&self, group: usize) -> f32 {
        self.biases.as_ref().map_or(0.0, |biases| biases.get(group))
    }
}

/// Floats as stored; single bytes are exponents.
pub(super) struct Floats<'a> {
    pub kind: FloatKind,
    pub bytes: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FloatKind {
    F32,
    F16,
    BF16,
    Exponent,
    E4m3,
}

impl FloatKind {
    pub fn named(kind: &str) -> Option<FloatKind> {
        Some(match kind {
            "F32" => FloatKind::F32,
            "F16" => FloatKind::F16,
            "BF16" => FloatKind::BF16,
            "U8" | "F8_E8M0" => FloatKind::Exponent,
            "F8_E4M3" => FloatKind::E4m3,
            _ => return None,
        })
    }

    pub fn bytes(self) -> usize {
        match self {
            FloatKind::F32 => 4,
            FloatKind::F16 | FloatKind::BF16 => 2,
            FloatKind::Exponent | FloatKind::E4m3 => 1,
        }
    }
}

impl Floats<'_> {
    pub fn get(&self, i: usize) -> f32 {
        let bytes = &self.bytes[i * self.kind.bytes()..][..self.kind.bytes()];
        match (self.kind, bytes) {
            (FloatKind::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            (FloatKind::F16, &[a, b]) => f16::from_le_bytes([a, b]).to_f32(),
            (FloatKind::BF16, &[a, b]) => bf16::from_le_bytes([a, b]).to_f32(),
            (FloatKind::E4m3, &[code]) => e4m3(code),
            // The least is no normal number.
            (FloatKind::Exponent, &[exponent]) => f32::from_bits((u32::from(exponent) << 23).max(1 << 22)),
            _ => 0.0,
        }
    }
}

/// Code `i` of a run of little-endian bits: MLX, compressed-tensors and gpt-oss all write them so.
fn code_at(bytes: &[u8], bits: usize, i: usize) -> u8 {
    match bits {
        4 => bytes[i / 2] >> (4 * (i % 2)) & 15,
        8 => bytes[i],
        _ => {
            let at = i * bits;
            let low = bytes[at / 8] as u16;
            let high = bytes.get(at / 8 + 1).copied().unwrap_or(0) as u16;
            ((low | high << 8) >> (at % 8)) as u8 & ((1 << bits) - 1)
        }
    }
}

fn unpacked(bytes: &[u8], bits: usize) -> [u8; RUN] {
    match bits {
        4 => std::array::from_fn(|i| code_at(bytes, 4, i)),
        bits => std::array::from_fn(|i| code_at(bytes, bits, i)),
    }
}

/// Sign, four bits of exponent with bias 7, three of mantissa; no infinities, and only all ones is not a number.
fn e4m3(byte: u8) -> f32 {
    let sign = if byte & 0x80 != 0 { -1.0 } else { 1.0 };
    let (exponent, mantissa) = (byte >> 3 & 15, byte & 7);
    match (exponent, mantissa) {
        (15, 7) => f32::NAN,
        (0, _) => sign * mantissa as f32 / 512.0,
        _ => sign * (1.0 + mantissa as f32 / 8.0) * f32::from_bits((exponent as u32 + 120) << 23),
    }
}

/// A quantised tensor as its parts lie in the files: where each begins, and what it is offered as.
#[derive(Debug)]
pub(super) struct Coded {
    pub info: TensorInfo,
    pub coding: Coding,
    pub codes: Part,
    pub scales: Part,
    pub scale_kind: FloatKind,
    pub biases: Option<Part>,
    /// What all scales are multiplied by.
    pub factor: f32,
}

/// A tensor of `rows` × `row_bytes` per expert.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub file: usize,
    pub start: u64,
    pub rows: usize,
    pub row_bytes: usize,
}

impl Part {
    pub fn layout(self) -> RowLayout {
        RowLayout { start: self.start, rows: self.rows, row_bytes: self.row_bytes }
    }
}

impl Coded {
    /// The part of `shape`'s columns that must be read for these: whole runs.
    pub fn runs(shape: Shape, cols: &Range<usize>) -> Range<usize> {
        cols.start / RUN * RUN..cols.end.next_multiple_of(RUN).min(shape.cols)
    }

    /// Groups that the columns of `runs` are in, and which bytes of a row their codes and their scales are.
    pub fn row_ranges(&self, runs: &Range<usize>) -> (Range<usize>, Range<usize>, Range<usize>) {
        let (bits, size) = (self.coding.bits(), self.scale_kind.bytes());
        let groups = runs.start / self.coding.group()..runs.end.div_ceil(self.coding.group());
        let scale_bytes = groups.start * size..groups.end * size;
        (groups, runs.start * bits / 8..(runs.end * bits).div_ceil(8), scale_bytes)
    }

    /// The rows of scales that these rows share.
    pub fn scale_rows(&self, rows: &Range<usize>) -> Range<usize> {
        let shared = self.coding.group_rows();
        rows.start / shared..rows.end.div_ceil(shared)
    }

    /// Where the codes, scales and biases of `slice` lie.
    pub fn pieces(&self, slice: &Slice) -> Vec<Piece> {
        let runs = Coded::runs(self.info.shape, &slice.cols);
        let (_, code_bytes, scale_bytes) = self.row_ranges(&runs);
        let scale_rows = self.scale_rows(&slice.rows);
        let of = |part: &Part, rows: &Range<usize>, bytes: &Range<usize>| {
            part.layout().pieces(part.file, slice.experts.clone(), rows, bytes)
        };
        let codes = of(&self.codes, &slice.rows, &code_bytes);
        let scales = of(&self.scales, &scale_rows, &scale_bytes);
        let biases = self.biases.iter().flat_map(|part| of(part, &scale_rows, &scale_bytes));
        codes.chain(scales).chain(biases).collect()
    }

    /// Writes columns `cols` of one row, whose codes and scales were read for the columns of `runs`.
    pub fn write_row(
        &self,
        codes: &[u8],
        row: &RowScales,
        runs: Range<usize>,
        cols: Range<usize>,
        floats: &mut Vec<f32>,
        out: &mut [u8],
    ) {
        let dtype = self.info.dtype;
        if dtype.block_len() == 1 {
            floats.resize(runs.len(), 0.0);
            self.coding.values(codes, row, runs.start, floats);
            let values = &floats[cols.start - runs.start..cols.end - runs.start];
            for (value, out) in values.iter().zip(out.chunks_exact_mut(dtype.block_bytes())) {
                match dtype {
                    DType::BF16 => out.copy_from_slice(&bf16::from_f32(*value).to_le_bytes()),
                    _ => out.copy_from_slice(&value.to_le_bytes()),
                }
            }
            return;
        }
        let run_bytes = RUN * self.coding.bits() / 8;
        let blocks = codes.chunks_exact(run_bytes).zip(out.chunks_exact_mut(dtype.block_bytes()));
        for (i, (codes, out)) in blocks.enumerate() {
            self.coding.block(dtype, codes, row, cols.start + i * RUN, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e4m3_values() {
        let check = |byte, expected: f32| assert_eq!(e4m3(byte), expected, "{byte:#x}");
        check(0, 0.0);
        check(1, 1.0 / 512.0);
        check(0x08, 1.0 / 64.0);
        check(0x38, 1.0);
        check(0xb9, -1.125);
        check(0x7e, 448.0);
        assert!(e4m3(0x7f).is_nan());
    }

    #[test]
    fn codes_of_any_width() {
        // 0, 1, 2, … in five bits each.
        let mut bytes = vec![0u8; 20];
        for i in 0..32usize {
            for bit in 0..5 {
                let at = i * 5 + bit;
                bytes[at / 8] |= ((i >> bit & 1) as u8) << (at % 8);
            }
        }
        assert!((0..32).all(|i| code_at(&bytes, 5, i) as usize == i));
    }
}
