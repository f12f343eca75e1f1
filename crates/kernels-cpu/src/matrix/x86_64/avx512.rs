//! AVX-512 with VNNI: one register follows the 16 rows of a panel.
//!
//! ```text
//! for panel, for tile of up to 16 tokens:
//!     for block: unpack eight registers of codes, 16 rows x 4 columns each      (1)
//!         for token of the tile:
//!             dot = -offset * Σ x                                               (2)
//!             for v in 0..8: dot += codes[v] * x[4 v ..]   (vpdpbusd)           (3)
//!             y[token] += scale * (x.scale * dot)
//! ```
//!
//! 1. Unpacking is paid once for all tokens of a tile, whose sums stay in registers.
//! 2. `vpdpbusd` multiplies unsigned by signed bytes, so codes stay unsigned and their offset is a starting value
//!    that was computed with the inputs.
//! 3. Four activations are broadcast by the instruction's own memory operand; two chains hide its latency.
//! 4. With few tokens the loop waits for memory: lines are asked for well ahead, across the ends of panels, because
//!    panels follow one another.

use std::arch::x86_64::*;

use tandem_tensor::DType;

use crate::matrix::Task;
use crate::matrix::format::{BLOCK, Codes, Format, GROUP, PANEL, Scales, index_of};
use crate::matrix::inputs::{InputBlock, TILE};
use crate::matrix::tile::{Tile, ask_ahead, ask_ahead_floats, for_each_block_tile, for_each_float_tile};

/// # Safety
/// As [`crate::matrix::Matrix::multiply`], on a processor with AVX-512 F, BW, DQ, VL and VNNI.
pub(in crate::matrix) unsafe fn multiply(dtype: DType, task: &Task) {
    macro_rules! kernel {
        ($($kind:ident: $($name:ident)+;)+) => {
            match dtype {
                // SAFETY: as this function's own.
                $($(DType::$name => unsafe { $kind::<{ index_of(DType::$name) }>(task) },)+)+
            }
        };
    }
    kernel! {
        multiply_floats: F32 F16 BF16;
        multiply_blocks: Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL IQ4_XS MXFP4
            IQ1_S IQ1_M IQ2_XXS IQ2_XS IQ2_S IQ3_XXS IQ3_S TQ1_0 TQ2_0;
    }
}

unsafe fn multiply_blocks<const D: usize>(task: &Task) {
    for_each_block_tile(task, |tile| {
        // SAFETY: as this function's own; the tile is a part of the task.
        unsafe {
            match tile.tokens {
                16.. => blocks::<D, 16>(tile),
                8.. => blocks::<D, 8>(tile),
                4.. => blocks::<D, 4>(tile),
                2.. => blocks::<D, 2>(tile),
                _ => blocks::<D, 1>(tile),
            }
        }
    });
}

/// The product for `N` tokens; returns `N`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn blocks<const D: usize, const N: usize>(tile: &Tile<InputBlock>) -> usize {
    let format = const { Format::at(D) };
    let block_bytes = const { Format::at(D).block_bytes() };
    let mut sums = [_mm512_setzero_ps(); N];
    let mut group = tile.panel;
    let mut x = tile.x;
    let mut blocks_left = tile.cols / BLOCK;
    while blocks_left > 0 {
        let blocks = GROUP.min(blocks_left);
        // SAFETY: a group is its header and then its blocks, all in the panel; so is what is read of them. The
        // inputs have as many blocks as the panel, `stride` apart.
        unsafe {
            let header = group;
            let mut at = group.add(format.header_bytes());
            for _ in 0..blocks {
                ask_ahead(at, block_bytes, N);
                let block = Block::unpack::<D>(header, at);
                for n in 0..N {
                    sums[n] = block.add_to::<D>(sums[n], x.add(n));
                }
                at = at.add(block_bytes);
                x = x.add(tile.stride);
            }
            group = at;
        }
        blocks_left -= blocks;
    }
    for n in 0..N {
        // SAFETY: by contract the output has these rows for every token, and they are ours.
        unsafe { _mm512_mask_storeu_ps(tile.out.add(n * tile.out_stride), row_mask(tile.rows), sums[n]) };
    }
    N
}

/// 16 rows x 32 columns in registers.
struct Block {
    /// Four columns each.
    codes: [__m512i; 8],
    /// For either half; the same where halves share one.
    scale: [__m512; 2],
    min: [__m512; 2],
}

impl Block {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
    unsafe fn unpack<const D: usize>(header: *const u8, at: *const u8) -> Block {
        // SAFETY: by contract the block is at `at`, in the group with this header.
        unsafe {
            let (scale, min) = scales::<D>(header, at);
            let codes = at.add(const { Format::at(D).scale_bytes() });
            Block { codes: unpack_codes::<D>(codes), scale, min }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
    unsafe fn add_to<const D: usize>(&self, sum: __m512, x: *const InputBlock) -> __m512 {
        let format = const { Format::at(D) };
        // SAFETY: by contract `x` is a prepared block; the rest is arithmetic on registers.
        unsafe {
            let words = (&raw const (*x).codes).cast::<i32>();
            let mut dots = [_mm512_setzero_si512(); 2];
            for half in 0..2 {
                if format.offset != 0 {
                    let start = _mm512_set1_epi32((*x).minus_8_sums[half]);
                    dots[half] = match format.offset {
                        4 => _mm512_srai_epi32::<1>(start),
                        8 => start,
                        16 => _mm512_slli_epi32::<1>(start),
                        32 => _mm512_slli_epi32::<2>(start),
                        _ => _mm512_slli_epi32::<4>(start),
                    };
                }
                for v in 4 * half..4 * half + 4 {
                    let x = _mm512_set1_epi32(words.add(v).read_unaligned());
                    dots[half] = _mm512_dpbusd_epi32(dots[half], self.codes[v], x);
                }
            }
            let x_scale = _mm512_set1_ps((*x).scale);
            if format.has_halves() {
                let y = _mm512_mul_ps(self.scale[0], _mm512_cvtepi32_ps(dots[0]));
                let mut y = _mm512_fmadd_ps(self.scale[1], _mm512_cvtepi32_ps(dots[1]), y);
                if format.has_min() {
                    // `min` is already divided by -8.
                    for half in 0..2 {
                        let sum = _mm512_set1_ps((*x).minus_8_sums[half] as f32);
                        y = _mm512_fmadd_ps(self.min[half], sum, y);
                    }
                }
                _mm512_fmadd_ps(x_scale, y, sum)
            } else {
                let dot = _mm512_cvtepi32_ps(_mm512_add_epi32(dots[0], dots[1]));
                let sum = _mm512_fmadd_ps(self.scale[0], _mm512_mul_ps(x_scale, dot), sum);
                if format.has_min() {
                    _mm512_fmadd_ps(self.min[0], _mm512_set1_ps((*x).sum), sum)
                } else {
                    sum
                }
            }
        }
    }
}

/// The codes of a block, four columns to a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn unpack_codes<const D: usize>(codes: *const u8) -> [__m512i; 8] {
    let format = const { Format::at(D) };
    let mut values = [_mm512_setzero_si512(); 8];
    // SAFETY: by contract the lines of the block are there to read.
    unsafe {
        for v in 0..8 {
            values[v] = match format.codes {
                Codes::Eight => line(codes, v),
                Codes::Four => four_bits(codes, v),
                Codes::FourOne => join(four_bits(codes, v), line(codes, 4), v, 4, 0x10),
                Codes::FourTwo => join(four_bits(codes, v), line(codes, 4 + v / 4), 2 * (v % 4), 4, 0x30),
                Codes::Two => two_bits(codes, v),
                Codes::TwoOne => join(two_bits(codes, v), line(codes, 2), v, 2, 4),
            };
        }
        if let Some(table) = const { Format::at(D).table } {
            let table = _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast()));
            for v in 0..8 {
                values[v] = _mm512_shuffle_epi8(table, values[v]);
            }
        }
    }
    values
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn line(codes: *const u8, j: usize) -> __m512i {
    // SAFETY: by contract the line is there to read.
    unsafe { _mm512_loadu_si512(codes.add(64 * j).cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn four_bits(codes: *const u8, v: usize) -> __m512i {
    // SAFETY: as `line`.
    let line = unsafe { line(codes, v % 4) };
    let nibbles = if v < 4 { line } else { _mm512_srli_epi16::<4>(line) };
    _mm512_and_si512(nibbles, _mm512_set1_epi8(15))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn two_bits(codes: *const u8, v: usize) -> __m512i {
    // SAFETY: as `line`.
    let line = unsafe { line(codes, v / 4) };
    join(_mm512_setzero_si512(), line, 2 * (v % 4), 0, 3)
}

/// `low | high`, where `high` is the bits of `plane` from `from` on, moved to `to`, of which `keep` are kept.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
fn join(low: __m512i, plane: __m512i, from: usize, to: usize, keep: i8) -> __m512i {
    let moved = if from > to {
        _mm512_srl_epi16(plane, _mm_cvtsi32_si128((from - to) as i32))
    } else {
        _mm512_sll_epi16(plane, _mm_cvtsi32_si128((to - from) as i32))
    };
    // low | (moved & keep)
    _mm512_ternarylogic_epi32::<0b1111_1000>(low, moved, _mm512_set1_epi8(keep))
}

/// The scales and minimums of the block at `at`; minimums per half are divided by -8, to go with `minus_8_sums`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn scales<const D: usize>(header: *const u8, at: *const u8) -> ([__m512; 2], [__m512; 2]) {
    let format = const { Format::at(D) };
    let none = _mm512_setzero_ps();
    // SAFETY: by contract the block is at `at`, in the group with this header.
    unsafe {
        match format.scales {
            Scales::Half => ([halves(at, 0); 2], [none; 2]),
            Scales::HalfMin => ([halves(at, 0); 2], [halves(at, 1); 2]),
            Scales::Exponent => {
                // 2^(e - 128); the two subnormal ones count as zero.
                let e = _mm512_subs_epu16(bytes(at, 0), _mm512_set1_epi32(1));
                ([_mm512_castsi512_ps(_mm512_slli_epi32::<23>(e)); 2], [none; 2])
            }
            Scales::Super => {
                let scale = _mm512_cvtepi32_ps(signed_bytes(at, 0));
                let d = _mm512_mul_ps(halves(header, 0), _mm512_set1_ps(const { Format::at(D).unit }));
                ([_mm512_mul_ps(d, scale); 2], [none; 2])
            }
            Scales::SuperMin => {
                let scale = _mm512_cvtepi32_ps(bytes(at, 0));
                let min = _mm512_cvtepi32_ps(bytes(at, 16));
                let dmin = _mm512_sub_ps(none, halves(header, 1));
                ([_mm512_mul_ps(halves(header, 0), scale); 2], [_mm512_mul_ps(dmin, min); 2])
            }
            Scales::Super16 => {
                let d = _mm512_mul_ps(halves(header, 0), _mm512_set1_ps(const { Format::at(D).unit }));
                let low = _mm512_cvtepi32_ps(signed_bytes(at, 0));
                let high = _mm512_cvtepi32_ps(signed_bytes(at, 16));
                ([_mm512_mul_ps(d, low), _mm512_mul_ps(d, high)], [none; 2])
            }
            Scales::SuperMin16 => {
                let d = halves(header, 0);
                let dmin = _mm512_mul_ps(halves(header, 1), _mm512_set1_ps(0.125));
                let (mut scale, mut min) = ([none; 2], [none; 2]);
                for half in 0..2 {
                    let pair = bytes(at, 16 * half);
                    let low = _mm512_and_si512(pair, _mm512_set1_epi32(15));
                    scale[half] = _mm512_mul_ps(d, _mm512_cvtepi32_ps(low));
                    min[half] = _mm512_mul_ps(dmin, _mm512_cvtepi32_ps(_mm512_srli_epi32::<4>(pair)));
                }
                (scale, min)
            }
        }
    }
}

/// The half floats in place `slot`, one per row.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn halves(from: *const u8, slot: usize) -> __m512 {
    // SAFETY: by contract they are there to read.
    unsafe { _mm512_cvtph_ps(_mm256_loadu_si256(from.add(32 * slot).cast())) }
}

/// The 16 bytes at `first`, one per row.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn bytes(from: *const u8, first: usize) -> __m512i {
    // SAFETY: by contract they are there to read.
    unsafe { _mm512_cvtepu8_epi32(_mm_loadu_si128(from.add(first).cast())) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn signed_bytes(from: *const u8, first: usize) -> __m512i {
    // SAFETY: by contract they are there to read.
    unsafe { _mm512_cvtepi8_epi32(_mm_loadu_si128(from.add(first).cast())) }
}

/// As the blocks, with columns in their place: `y[token] += w[col] * x[token][col]`.
///
/// A single sum per row would wait for the latency of each addition, longer than the weights take to arrive, so even
/// and odd columns have sums of their own. A whole tile needs all registers for one kind and goes over the panel twice.
unsafe fn multiply_floats<const D: usize>(task: &Task) {
    for_each_float_tile(task, 1, |tile| {
        // SAFETY: as this function's own; the tile is a part of the task.
        unsafe {
            match tile.tokens {
                16.. => floats::<D, 16>(tile),
                8.. => floats::<D, 8>(tile),
                4.. => floats::<D, 4>(tile),
                2.. => floats::<D, 2>(tile),
                _ => floats::<D, 1>(tile),
            }
        }
    });
}

/// The product for `N` tokens; returns `N`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn floats<const D: usize, const N: usize>(tile: &Tile<f32>) -> usize {
    let mut sums = [[_mm512_setzero_ps(); N]; 2];
    // SAFETY: only columns that exist are added.
    unsafe {
        if N == TILE {
            for odd in 0..2 {
                for col in (odd..tile.cols).step_by(2) {
                    add_column::<D, N>(tile, col, &mut sums[odd]);
                }
            }
        } else {
            for col in (1..tile.cols).step_by(2) {
                add_column::<D, N>(tile, col - 1, &mut sums[0]);
                add_column::<D, N>(tile, col, &mut sums[1]);
            }
            if !tile.cols.is_multiple_of(2) {
                add_column::<D, N>(tile, tile.cols - 1, &mut sums[0]);
            }
        }
    }
    for n in 0..N {
        let sum = _mm512_add_ps(sums[0][n], sums[1][n]);
        // SAFETY: by contract the output has these rows for every token, and they are ours.
        unsafe { _mm512_mask_storeu_ps(tile.out.add(n * tile.out_stride), row_mask(tile.rows), sum) };
    }
    N
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn add_column<const D: usize, const N: usize>(tile: &Tile<f32>, col: usize, sums: &mut [__m512; N]) {
    let size = const { DType::ALL[D].block_bytes() };
    // SAFETY: by contract the column exists: a panel has a line (or half of one) for it, and the inputs a value per
    // token.
    unsafe {
        let at = tile.panel.add(col * PANEL * size);
        // A single token reads line after line, and asking ahead only gets in the way.
        if N > 1 && (size == 4 || col.is_multiple_of(2)) {
            ask_ahead_floats(at, N);
        }
        let w = load::<D>(at);
        let x = tile.x.add(col * tile.stride);
        for n in 0..N {
            sums[n] = _mm512_fmadd_ps(w, _mm512_set1_ps(*x.add(n)), sums[n]);
        }
    }
}

/// The first `rows` rows of a panel.
fn row_mask(rows: usize) -> u16 {
    (0xffff_u32 >> (PANEL - rows.min(PANEL))) as u16
}

/// One column of a panel.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")]
unsafe fn load<const D: usize>(at: *const u8) -> __m512 {
    // SAFETY: by contract the column is there to read.
    unsafe {
        match DType::ALL[D] {
            DType::F32 => _mm512_loadu_ps(at.cast()),
            DType::F16 => _mm512_cvtph_ps(_mm256_loadu_si256(at.cast())),
            _ => {
                let halves = _mm512_cvtepu16_epi32(_mm256_loadu_si256(at.cast()));
                _mm512_castsi512_ps(_mm512_slli_epi32::<16>(halves))
            }
        }
    }
}
