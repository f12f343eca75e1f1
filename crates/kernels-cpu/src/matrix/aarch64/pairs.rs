//! Two tokens at a time with `smmla`: a 2 x 8 by 8 x 2 product of bytes.

use std::arch::aarch64::*;
use std::arch::asm;

use super::{Block, QUADS, for_each_quad, start, store};
use crate::matrix::format::Format;
use crate::matrix::inputs::InputBlock;
use crate::matrix::tile::Tile;

/// The product for `P` pairs of tokens; returns how many tokens that is.
///
/// # Safety
/// As [`super::blocks`], on a processor with `smmla`.
#[target_feature(enable = "neon,dotprod,i8mm")]
pub(super) unsafe fn blocks<const D: usize, const P: usize>(tile: &Tile<InputBlock>) -> usize {
    // For every quad its rows 0 and 1, then 2 and 3: `[row 0 token 0, row 0 token 1, row 1 token 0, row 1 token 1]`.
    let mut sums = [[[vdupq_n_f32(0.0); 2]; P]; QUADS];
    // SAFETY: as this function's own; the inputs have as many blocks as the panel, `stride` apart.
    unsafe {
        for_each_quad::<D>(tile, 2 * P, |quad, block, x| {
            let rows = Rows::zip(block);
            for p in 0..P {
                let pair = Pair::load::<D>(x.add(2 * p));
                for r in 0..2 {
                    sums[quad][p][r] = rows.add_to::<D>(sums[quad][p][r], r, &pair);
                }
            }
        });
        for p in 0..P {
            let mut tokens = [[vdupq_n_f32(0.0); QUADS]; 2];
            for quad in 0..QUADS {
                let [low, high] = sums[quad][p];
                tokens[0][quad] = vuzp1q_f32(low, high);
                tokens[1][quad] = vuzp2q_f32(low, high);
            }
            store(tile, 2 * p, 0, tokens[0]);
            store(tile, 2 * p + 1, 0, tokens[1]);
        }
    }
    2 * P
}

/// A quad with eight columns of two rows to a register.
struct Rows {
    /// By pair of rows, then by eight columns.
    codes: [[int8x16_t; 4]; 2],
    /// By pair of rows, then by half of the columns: `[row 0, row 0, row 1, row 1]`.
    scale: [[float32x4_t; 2]; 2],
    min: [[float32x4_t; 2]; 2],
}

impl Rows {
    #[inline(always)]
    unsafe fn zip(block: &Block) -> Rows {
        // SAFETY: every AArch64 processor has NEON.
        unsafe {
            let mut codes = [[vdupq_n_s8(0); 4]; 2];
            for k in 0..4 {
                let low = vreinterpretq_s32_s8(block.codes[2 * k]);
                let high = vreinterpretq_s32_s8(block.codes[2 * k + 1]);
                codes[0][k] = vreinterpretq_s8_s32(vzip1q_s32(low, high));
                codes[1][k] = vreinterpretq_s8_s32(vzip2q_s32(low, high));
            }
            let twice = |x: [float32x4_t; 2]| [x.map(|x| vzip1q_f32(x, x)), x.map(|x| vzip2q_f32(x, x))];
            Rows { codes, scale: twice(block.scale), min: twice(block.min) }
        }
    }

    #[inline(always)]
    unsafe fn add_to<const D: usize>(&self, sum: float32x4_t, r: usize, pair: &Pair) -> float32x4_t {
        let format = const { Format::at(D) };
        // SAFETY: the caller's, who has the instruction.
        unsafe {
            let mut dots = pair.starts;
            for k in 0..4 {
                dots[k / 2] = smmla(dots[k / 2], self.codes[r][k], pair.codes[k]);
            }
            if format.has_halves() {
                let [low, high] = [vcvtq_f32_s32(dots[0]), vcvtq_f32_s32(dots[1])];
                let mut y = vfmaq_f32(vmulq_f32(self.scale[r][0], low), self.scale[r][1], high);
                if format.has_min() {
                    for half in 0..2 {
                        y = vfmaq_f32(y, self.min[r][half], pair.minus_8_sums[half]);
                    }
                }
                vfmaq_f32(sum, pair.scale, y)
            } else {
                let dot = vcvtq_f32_s32(vaddq_s32(dots[0], dots[1]));
                let sum = vfmaq_f32(sum, self.scale[r][0], vmulq_f32(pair.scale, dot));
                if format.has_min() { vfmaq_f32(sum, self.min[r][0], pair.sum) } else { sum }
            }
        }
    }
}

/// A block of two tokens. What there is one of per token is laid out `[token 0, token 1, token 0, token 1]`.
struct Pair {
    /// Eight columns of either token to a register.
    codes: [int8x16_t; 4],
    /// Of the integer sums of either half.
    starts: [int32x4_t; 2],
    scale: float32x4_t,
    sum: float32x4_t,
    minus_8_sums: [float32x4_t; 2],
}

impl Pair {
    #[inline(always)]
    unsafe fn load<const D: usize>(x: *const InputBlock) -> Pair {
        // SAFETY: by contract two prepared blocks lie side by side.
        unsafe {
            let (a, b) = (x, x.add(1));
            let mut codes = [vdupq_n_s8(0); 4];
            for k in 0..4 {
                let eight = |x: *const InputBlock| vld1_s8((&raw const (*x).codes).cast::<i8>().add(8 * k));
                codes[k] = vcombine_s8(eight(a), eight(b));
            }
            let floats = |a: f32, b: f32| vld1q_f32([a, b, a, b].as_ptr());
            let start = |half| {
                let (a, b) = (start::<D>(a, half), start::<D>(b, half));
                vld1q_s32([a, b, a, b].as_ptr())
            };
            let eighths =
                |half: usize| floats((*a).minus_8_sums[half] as f32, (*b).minus_8_sums[half] as f32);
            Pair {
                codes,
                starts: [start(0), start(1)],
                scale: floats((*a).scale, (*b).scale),
                sum: floats((*a).sum, (*b).sum),
                minus_8_sums: [eighths(0), eighths(1)],
            }
        }
    }
}

/// `sum + a · bᵀ`, where `a` and `b` are two rows of eight bytes each.
#[inline(always)]
unsafe fn smmla(mut sum: int32x4_t, a: int8x16_t, b: int8x16_t) -> int32x4_t {
    // SAFETY: the caller has the instruction; it touches these registers only.
    unsafe {
        asm!(
            ".arch_extension i8mm",
            "smmla {sum:v}.4s, {a:v}.16b, {b:v}.16b",
            sum = inout(vreg) sum,
            a = in(vreg) a,
            b = in(vreg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}
