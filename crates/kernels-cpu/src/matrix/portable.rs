//! Multiplication in plain Rust: what the packed layout and the prepared inputs mean.
//!
//! ```text
//! for panel, for tile of tokens:
//!     y[token][row] = 0
//!     for block of 32 columns, in order:
//!         for row, for token:
//!             dot = Σ (code[row] - offset) * x.code         (integers, exact)
//!             y[token][row] += scale[row] * (x.scale * dot)
//!             y[token][row] += min[row] * x.sum             (types with a minimum)
//! ```
//!
//! Every kernel adds up a token's blocks in this order with one running sum per row, so a result depends neither on
//! the number of threads nor on what other tokens are in the batch.

// The output is shared between threads, hence a raw pointer.
#![allow(unsafe_code)]

use std::ops::Range;

use half::{bf16, f16};
use tandem_tensor::{DType, quant};

use super::Task;
use super::format::{BLOCK, Codes, Format, GROUP, PANEL, Scales};
use super::inputs::{InputBlock, TILE};

/// # Safety
/// As [`super::Matrix::multiply`].
pub(super) unsafe fn multiply(dtype: DType, task: &Task) {
    let panel_count = task.rows.div_ceil(PANEL);
    for panel in 0..panel_count {
        // SAFETY: the task's panels follow one another.
        let bytes = unsafe {
            std::slice::from_raw_parts(task.panels.add(panel * task.panel_bytes), task.panel_bytes)
        };
        let rows = PANEL.min(task.rows - panel * PANEL);
        for first in (0..task.inputs.tokens()).step_by(TILE) {
            let tokens = TILE.min(task.inputs.tokens() - first);
            let whole = task.inputs.cols();
            let runs: Vec<_> = task.runs.map_or(vec![(0, whole, 0)], |runs| runs.of(whole).collect());
            for (col, cols, byte) in runs {
                let mut sums = [[0.0; PANEL]; TILE];
                // SAFETY: by contract the inputs are prepared and nobody writes them.
                unsafe {
                    let (bytes, sums) = (&bytes[byte..], &mut sums[..tokens]);
                    match Format::of(dtype) {
                        Some(format) => add_blocks(&format, bytes, task, first, col..col + cols, sums),
                        None => add_floats(dtype, bytes, task, first, col..col + cols, sums),
                    }
                }
                for (i, sums) in sums[..tokens].iter().enumerate() {
                    // SAFETY: by contract the output has these rows for every token, and they are ours.
                    unsafe {
                        let out = task.out.add((first + i) * task.stride + panel * PANEL);
                        match task.runs {
                            None => std::ptr::copy_nonoverlapping(sums.as_ptr(), out, rows),
                            Some(runs) => {
                                let factor = runs.factor.map_or(1.0, |factor| factor(first + i));
                                (runs.add)(sums.as_ptr(), factor, col == 0, out, out.add(runs.second), rows);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// # Safety
/// The inputs are prepared and nobody writes them.
unsafe fn add_blocks(
    format: &Format,
    panel: &[u8],
    task: &Task,
    first: usize,
    cols: Range<usize>,
    sums: &mut [[f32; PANEL]],
) {
    let (x, stride) = task.inputs.blocks(first);
    for (block, b) in Blocks::new(format, panel, cols.len()).zip(cols.start / BLOCK..) {
        // SAFETY: tokens of a tile lie side by side, and there are as many blocks as in the panel.
        let x = unsafe { std::slice::from_raw_parts(x.add(b * stride), sums.len()) };
        for row in 0..PANEL {
            let codes = block.codes(row);
            let scale = block.scale(row);
            for (x, sums) in x.iter().zip(sums.iter_mut()) {
                sums[row] += dot(format, &codes, &scale, x);
            }
        }
    }
}

fn dot(format: &Format, codes: &[u8; BLOCK], scale: &Scale, x: &InputBlock) -> f32 {
    let dots = [0, 1].map(|half| {
        let range = half * BLOCK / 2..(half + 1) * BLOCK / 2;
        let products = codes[range.clone()].iter().zip(&x.codes[range]);
        let dot: i32 = products.map(|(w, x)| i32::from(*w) * i32::from(*x)).sum();
        dot + x.minus_8_sums[half] / 8 * format.offset
    });
    if format.has_halves() {
        let minus_eighth = -0.125 * x.scale;
        (0..2)
            .map(|half| {
                scale.scale[half] * (x.scale * dots[half] as f32)
                    + scale.min[half] * (minus_eighth * x.minus_8_sums[half] as f32)
            })
            .sum()
    } else {
        scale.scale[0] * (x.scale * (dots[0] + dots[1]) as f32) + scale.min[0] * x.sum
    }
}

/// # Safety
/// The inputs are prepared and nobody writes them.
unsafe fn add_floats(
    dtype: DType,
    panel: &[u8],
    task: &Task,
    first: usize,
    cols: Range<usize>,
    sums: &mut [[f32; PANEL]],
) {
    let (x, stride) = task.inputs.floats(first);
    for col in cols.clone() {
        // SAFETY: tokens of a tile lie side by side, and there are as many columns as in the panel.
        let x = unsafe { std::slice::from_raw_parts(x.add(col * stride), sums.len()) };
        let w: [f32; PANEL] = std::array::from_fn(|row| float(dtype, panel, col - cols.start, row));
        for (x, sums) in x.iter().zip(sums.iter_mut()) {
            for row in 0..PANEL {
                sums[row] += w[row] * x;
            }
        }
    }
}

fn float(dtype: DType, panel: &[u8], col: usize, row: usize) -> f32 {
    let at = col * PANEL + row;
    match dtype {
        DType::F16 => f16::from_le_bytes(panel.as_chunks().0[at]).to_f32(),
        DType::BF16 => bf16::from_le_bytes(panel.as_chunks().0[at]).to_f32(),
        _ => f32::from_le_bytes(panel.as_chunks().0[at]),
    }
}

/// Write row `row` of a panel, as floats, to `out`.
pub(super) fn row_into(dtype: DType, panel: &[u8], row: usize, out: &mut [f32]) {
    let Some(format) = Format::of(dtype) else {
        out.iter_mut().enumerate().for_each(|(col, out)| *out = float(dtype, panel, col, row));
        return;
    };
    let cols = out.len();
    for (block, out) in Blocks::new(&format, panel, cols).zip(out.as_chunks_mut::<BLOCK>().0) {
        let codes = block.codes(row);
        let scale = block.scale(row);
        for (i, out) in out.iter_mut().enumerate() {
            let half = if format.has_halves() { i / (BLOCK / 2) } else { 0 };
            *out = scale.scale[half] * (i32::from(codes[i]) - format.offset) as f32 + scale.min[half];
        }
    }
}

/// The blocks of a panel, in order.
struct Blocks<'a> {
    format: &'a Format,
    panel: &'a [u8],
    /// Of the group that `panel` begins with.
    blocks: usize,
    next: usize,
    blocks_left: usize,
}

impl<'a> Blocks<'a> {
    fn new(format: &'a Format, panel: &'a [u8], cols: usize) -> Blocks<'a> {
        let blocks_left = cols / BLOCK;
        Blocks { format, panel, blocks: GROUP.min(blocks_left), next: 0, blocks_left }
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        if self.blocks_left == 0 {
            return None;
        }
        if self.next == self.blocks {
            self.panel = &self.panel[self.format.group_bytes(self.blocks)..];
            self.blocks = GROUP.min(self.blocks_left);
            self.next = 0;
        }
        let (header, blocks) = self.panel.split_at(self.format.header_bytes());
        let block = &blocks[self.next * self.format.block_bytes()..][..self.format.block_bytes()];
        let (scales, codes) = block.split_at(self.format.scale_bytes());
        let block = Block { format: self.format, header, scales, codes };
        self.next += 1;
        self.blocks_left -= 1;
        Some(block)
    }
}

/// 32 columns of a panel.
struct Block<'a> {
    format: &'a Format,
    /// Of the whole group.
    header: &'a [u8],
    scales: &'a [u8],
    codes: &'a [u8],
}

/// Of one row in one block, for either half.
struct Scale {
    scale: [f32; 2],
    min: [f32; 2],
}

impl Block<'_> {
    /// The codes of one row.
    fn codes(&self, row: usize) -> [u8; BLOCK] {
        let line = |j: usize, i: usize| self.codes[64 * j + 4 * row + i];
        let four = |v: usize, i: usize| line(v % 4, i) >> (4 * (v / 4)) & 15;
        let two = |plane: usize, v: usize, i: usize| line(plane + v / 4, i) >> (2 * (v % 4)) & 3;
        let one = |plane: usize, v: usize, i: usize| line(plane, i) >> v & 1;
        let mut codes: [u8; BLOCK] = std::array::from_fn(|col| {
            let (v, i) = (col / 4, col % 4);
            match self.format.codes {
                Codes::Two => two(0, v, i),
                Codes::TwoOne => two(0, v, i) | one(2, v, i) << 2,
                Codes::Four => four(v, i),
                Codes::FourOne => four(v, i) | one(4, v, i) << 4,
                Codes::FourTwo => four(v, i) | two(4, v, i) << 4,
                Codes::Eight => line(v, i),
            }
        });
        if let Some(table) = &self.format.table {
            codes.iter_mut().for_each(|code| *code = table[*code as usize]);
        }
        codes
    }

    fn scale(&self, row: usize) -> Scale {
        let half = |bytes: &[u8], slot: usize| {
            let at = 2 * (slot * PANEL + row);
            f16::from_le_bytes([bytes[at], bytes[at + 1]]).to_f32()
        };
        let byte = |slot: usize| self.scales[slot * PANEL + row];
        let (scale, min) = match self.format.scales {
            Scales::Half => ([half(self.scales, 0); 2], [0.0; 2]),
            Scales::HalfMin => ([half(self.scales, 0); 2], [half(self.scales, 1); 2]),
            Scales::Exponent => ([quant::mxfp4_half_scale(byte(0)); 2], [0.0; 2]),
            Scales::Super => {
                ([half(self.header, 0) * self.format.unit * f32::from(byte(0) as i8); 2], [0.0; 2])
            }
            Scales::SuperMin => (
                [half(self.header, 0) * f32::from(byte(0)); 2],
                [-half(self.header, 1) * f32::from(byte(1)); 2],
            ),
            Scales::Super16 => {
                let d = half(self.header, 0) * self.format.unit;
                ([0, 1].map(|slot| d * f32::from(byte(slot) as i8)), [0.0; 2])
            }
            Scales::SuperMin16 => (
                [0, 1].map(|slot| half(self.header, 0) * f32::from(byte(slot) & 15)),
                [0, 1].map(|slot| -half(self.header, 1) * f32::from(byte(slot) >> 4)),
            ),
        };
        Scale { scale, min }
    }
}
