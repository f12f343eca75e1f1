//! AVX2: two registers follow the 16 rows of a panel, one for each half of it.
//!
//! ```text
//! for panel, for tile of up to 8 tokens:
//!     for block, for half panel: unpack eight registers of codes, 8 rows x 4 columns each
//!         for token of the tile:
//!             dot = -offset * Σ x + Σ_v codes[v] * x[4 v ..]
//!             y[token] += scale * (x.scale * dot)
//! ```
//!
//! 1. `vpmaddubsw` multiplies unsigned by signed bytes and adds neighbours into 16 bits, where it saturates. Codes of up
//!    to four, five and six bits leave room to add eight, four and two such results before they are widened.
//! 2. Eight-bit codes leave none and could saturate at once. They are made signed; their sign moves over from the
//!    activation, whose magnitude takes the unsigned side.
//! 3. Lines are asked for ahead, as in AVX-512.

use std::arch::x86_64::*;

use tandem_tensor::DType;

use crate::matrix::Task;
use crate::matrix::format::{BLOCK, Codes, Format, GROUP, PANEL, Scales, index_of};
use crate::matrix::inputs::InputBlock;
use crate::matrix::tile::{Tile, ask_ahead, ask_ahead_floats, for_each_block_tile, for_each_float_tile};

/// # Safety
/// As [`crate::matrix::Matrix::multiply`], on a processor with AVX2, FMA and F16C.
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

/// Rows in a register.
const LANES: usize = PANEL / 2;

unsafe fn multiply_blocks<const D: usize>(task: &Task) {
    for_each_block_tile(task, |tile| {
        // SAFETY: as this function's own; the tile is a part of the task.
        unsafe {
            match tile.tokens {
                8.. => blocks::<D, 8>(tile),
                4.. => blocks::<D, 4>(tile),
                2.. => blocks::<D, 2>(tile),
                _ => blocks::<D, 1>(tile),
            }
        }
    });
}

/// The product for `N` tokens; returns `N`.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn blocks<const D: usize, const N: usize>(tile: &Tile<InputBlock>) -> usize {
    let format = const { Format::at(D) };
    let block_bytes = const { Format::at(D).block_bytes() };
    let mut sums = [[_mm256_setzero_ps(); N]; 2];
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
                for side in 0..2 {
                    let block = Block::unpack::<D>(header, at, side);
                    for n in 0..N {
                        sums[side][n] = block.add_to::<D>(sums[side][n], x.add(n));
                    }
                }
                at = at.add(block_bytes);
                x = x.add(tile.stride);
            }
            group = at;
        }
        blocks_left -= blocks;
    }
    for n in 0..N {
        // SAFETY: as this function's own.
        unsafe { store(tile, n, 0, [sums[0][n], sums[1][n]]) };
    }
    N
}

/// Store the rows of panel `p` that exist, for token `n`.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn store<X>(tile: &Tile<X>, n: usize, p: usize, sums: [__m256; 2]) {
    // SAFETY: by contract the output has these rows for every token, and they are ours.
    unsafe {
        let out = tile.out.add(n * tile.out_stride + p * PANEL);
        let rows = (tile.rows - p * PANEL).min(PANEL);
        if rows == PANEL {
            _mm256_storeu_ps(out, sums[0]);
            _mm256_storeu_ps(out.add(LANES), sums[1]);
        } else {
            let mut all = [0.0f32; PANEL];
            _mm256_storeu_ps(all.as_mut_ptr(), sums[0]);
            _mm256_storeu_ps(all.as_mut_ptr().add(LANES), sums[1]);
            std::ptr::copy_nonoverlapping(all.as_ptr(), out, rows);
        }
    }
}

/// 8 rows x 32 columns in registers.
struct Block {
    /// Four columns each.
    codes: [__m256i; 8],
    /// For either half of the columns; the same where they share one.
    scale: [__m256; 2],
    min: [__m256; 2],
}

/// How many products of `vpmaddubsw` fit into 16 bits.
const fn room(format: &Format) -> usize {
    match format.codes {
        _ if format.offset == 128 => 0,
        Codes::Two | Codes::TwoOne if format.table.is_none() => 8,
        Codes::Four if format.table.is_none() => 8,
        Codes::Two | Codes::TwoOne | Codes::Four | Codes::FourOne => 4,
        Codes::FourTwo => 2,
        Codes::Eight => 0,
    }
}

impl Block {
    #[inline]
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn unpack<const D: usize>(header: *const u8, at: *const u8, side: usize) -> Block {
        // SAFETY: by contract the block is at `at`, in the group with this header.
        unsafe {
            let (scale, min) = scales::<D>(header, at, side);
            let codes = at.add(const { Format::at(D).scale_bytes() });
            Block { codes: unpack_codes::<D>(codes.add(32 * side)), scale, min }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn add_to<const D: usize>(&self, sum: __m256, x: *const InputBlock) -> __m256 {
        let format = const { Format::at(D) };
        // SAFETY: by contract `x` is a prepared block.
        unsafe {
            let x_scale = _mm256_set1_ps((*x).scale);
            if format.has_halves() {
                let low = _mm256_cvtepi32_ps(self.dot::<D>(x, 0, 4));
                let high = _mm256_cvtepi32_ps(self.dot::<D>(x, 4, 8));
                let mut y = _mm256_fmadd_ps(self.scale[1], high, _mm256_mul_ps(self.scale[0], low));
                if format.has_min() {
                    // `min` is already divided by -8.
                    for half in 0..2 {
                        let sum = _mm256_set1_ps((*x).minus_8_sums[half] as f32);
                        y = _mm256_fmadd_ps(self.min[half], sum, y);
                    }
                }
                _mm256_fmadd_ps(x_scale, y, sum)
            } else {
                let dot = _mm256_cvtepi32_ps(self.dot::<D>(x, 0, 8));
                let sum = _mm256_fmadd_ps(self.scale[0], _mm256_mul_ps(x_scale, dot), sum);
                if format.has_min() {
                    _mm256_fmadd_ps(self.min[0], _mm256_set1_ps((*x).sum), sum)
                } else {
                    sum
                }
            }
        }
    }

    /// The dot product of the vectors from `first` to `end`: half a block, or all of it.
    #[inline]
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn dot<const D: usize>(&self, x: *const InputBlock, first: usize, end: usize) -> __m256i {
        let format = const { Format::at(D) };
        let room = const { room(&Format::at(D)) };
        let ones = _mm256_set1_epi16(1);
        // SAFETY: by contract `x` is a prepared block.
        unsafe {
            let words = (&raw const (*x).codes).cast::<i32>();
            let sums = (*x).minus_8_sums;
            let start = if end - first == 8 { sums[0] + sums[1] } else { sums[first / 4] };
            let mut dot = match format.offset {
                0 | 128 => _mm256_setzero_si256(),
                offset => _mm256_set1_epi32(start / 8 * offset),
            };
            if room == 0 {
                for v in first..end {
                    let x = _mm256_set1_epi32(words.add(v).read_unaligned());
                    let products =
                        _mm256_maddubs_epi16(_mm256_abs_epi8(x), _mm256_sign_epi8(self.codes[v], x));
                    dot = _mm256_add_epi32(dot, _mm256_madd_epi16(products, ones));
                }
            } else {
                let mut pairs = _mm256_setzero_si256();
                for v in first..end {
                    let x = _mm256_set1_epi32(words.add(v).read_unaligned());
                    pairs = _mm256_add_epi16(pairs, _mm256_maddubs_epi16(self.codes[v], x));
                    if (v + 1) % room == 0 || v + 1 == end {
                        dot = _mm256_add_epi32(dot, _mm256_madd_epi16(pairs, ones));
                        pairs = _mm256_setzero_si256();
                    }
                }
            }
            dot
        }
    }
}

/// The codes of a block, four columns to a register; eight-bit ones signed. `codes` points to this side's half of the
/// first line.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn unpack_codes<const D: usize>(codes: *const u8) -> [__m256i; 8] {
    let format = const { Format::at(D) };
    let mut values = [_mm256_setzero_si256(); 8];
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
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()));
            for v in 0..8 {
                values[v] = _mm256_shuffle_epi8(table, values[v]);
            }
        }
        if format.offset == 128 {
            for v in 0..8 {
                values[v] = _mm256_xor_si256(values[v], _mm256_set1_epi8(i8::MIN));
            }
        }
    }
    values
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn line(codes: *const u8, j: usize) -> __m256i {
    // SAFETY: by contract the line is there to read.
    unsafe { _mm256_loadu_si256(codes.add(64 * j).cast()) }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn four_bits(codes: *const u8, v: usize) -> __m256i {
    // SAFETY: as `line`.
    let line = unsafe { line(codes, v % 4) };
    let nibbles = if v < 4 { line } else { _mm256_srli_epi16::<4>(line) };
    _mm256_and_si256(nibbles, _mm256_set1_epi8(15))
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn two_bits(codes: *const u8, v: usize) -> __m256i {
    // SAFETY: as `line`.
    let line = unsafe { line(codes, v / 4) };
    join(_mm256_setzero_si256(), line, 2 * (v % 4), 0, 3)
}

/// `low | high`, where `high` is the bits of `plane` from `from` on, moved to `to`, of which `keep` are kept.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn join(low: __m256i, plane: __m256i, from: usize, to: usize, keep: i8) -> __m256i {
    let moved = if from > to {
        _mm256_srl_epi16(plane, _mm_cvtsi32_si128((from - to) as i32))
    } else {
        _mm256_sll_epi16(plane, _mm_cvtsi32_si128((to - from) as i32))
    };
    _mm256_or_si256(low, _mm256_and_si256(moved, _mm256_set1_epi8(keep)))
}

/// The scales and minimums of the block at `at` for one side; minimums per half are divided by -8, to go with `minus_8_sums`.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn scales<const D: usize>(
    header: *const u8,
    at: *const u8,
    side: usize,
) -> ([__m256; 2], [__m256; 2]) {
    let format = const { Format::at(D) };
    let none = _mm256_setzero_ps();
    // SAFETY: by contract the block is at `at`, in the group with this header.
    unsafe {
        match format.scales {
            Scales::Half => ([halves(at, 0, side); 2], [none; 2]),
            Scales::HalfMin => ([halves(at, 0, side); 2], [halves(at, 1, side); 2]),
            Scales::Exponent => {
                // 2^(e - 128); the two subnormal ones count as zero.
                let e = _mm256_subs_epu16(bytes(at, 0, side), _mm256_set1_epi32(1));
                ([_mm256_castsi256_ps(_mm256_slli_epi32::<23>(e)); 2], [none; 2])
            }
            Scales::Super => {
                let scale = _mm256_cvtepi32_ps(signed_bytes(at, 0, side));
                let d = _mm256_mul_ps(halves(header, 0, side), _mm256_set1_ps(const { Format::at(D).unit }));
                ([_mm256_mul_ps(d, scale); 2], [none; 2])
            }
            Scales::SuperMin => {
                let scale = _mm256_cvtepi32_ps(bytes(at, 0, side));
                let min = _mm256_cvtepi32_ps(bytes(at, 16, side));
                let dmin = _mm256_sub_ps(none, halves(header, 1, side));
                ([_mm256_mul_ps(halves(header, 0, side), scale); 2], [_mm256_mul_ps(dmin, min); 2])
            }
            Scales::Super16 => {
                let d = _mm256_mul_ps(halves(header, 0, side), _mm256_set1_ps(const { Format::at(D).unit }));
                let low = _mm256_cvtepi32_ps(signed_bytes(at, 0, side));
                let high = _mm256_cvtepi32_ps(signed_bytes(at, 16, side));
                ([_mm256_mul_ps(d, low), _mm256_mul_ps(d, high)], [none; 2])
            }
            Scales::SuperMin16 => {
                let d = halves(header, 0, side);
                let dmin = _mm256_mul_ps(halves(header, 1, side), _mm256_set1_ps(0.125));
                let (mut scale, mut min) = ([none; 2], [none; 2]);
                for half in 0..2 {
                    let pair = bytes(at, 16 * half, side);
                    let low = _mm256_and_si256(pair, _mm256_set1_epi32(15));
                    scale[half] = _mm256_mul_ps(d, _mm256_cvtepi32_ps(low));
                    min[half] = _mm256_mul_ps(dmin, _mm256_cvtepi32_ps(_mm256_srli_epi32::<4>(pair)));
                }
                (scale, min)
            }
        }
    }
}

/// This side of the half floats in place `slot`.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn halves(from: *const u8, slot: usize, side: usize) -> __m256 {
    // SAFETY: by contract they are there to read.
    unsafe { _mm256_cvtph_ps(_mm_loadu_si128(from.add(32 * slot + 16 * side).cast())) }
}

/// This side of the 16 bytes at `first`.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn bytes(from: *const u8, first: usize, side: usize) -> __m256i {
    // SAFETY: by contract they are there to read.
    unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(from.add(first + 8 * side).cast())) }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn signed_bytes(from: *const u8, first: usize, side: usize) -> __m256i {
    // SAFETY: by contract they are there to read.
    unsafe { _mm256_cvtepi8_epi32(_mm_loadl_epi64(from.add(first + 8 * side).cast())) }
}

/// As the blocks, with columns in their place: `y[token] += w[col] * x[token][col]`.
unsafe fn multiply_floats<const D: usize>(task: &Task) {
    let panels = if task.inputs.tokens() < 4 { 2 } else { 1 };
    for_each_float_tile(task, panels, |tile| {
        // SAFETY: as this function's own; the tile is a part of the task.
        unsafe {
            match (tile.tokens, tile.rows > PANEL) {
                // Twelve sums, two weights and an activation fill the registers.
                (6.., _) => floats::<D, 6, 1>(tile),
                (4.., _) => floats::<D, 4, 1>(tile),
                (2.., false) => floats::<D, 2, 1>(tile),
                (2.., true) => floats::<D, 2, 2>(tile),
                (_, false) => floats::<D, 1, 1>(tile),
                (_, true) => floats::<D, 1, 2>(tile),
            }
        }
    });
}

/// The product for `N` tokens and `P` panels; returns `N`.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn floats<const D: usize, const N: usize, const P: usize>(tile: &Tile<f32>) -> usize {
    let size = const { DType::ALL[D].block_bytes() };
    let mut sums = [[[_mm256_setzero_ps(); 2]; N]; P];
    let mut x = tile.x;
    for col in 0..tile.cols {
        // SAFETY: a panel has a line (or half of one) for every column, and the inputs a value per token.
        unsafe {
            for p in 0..P {
                let at = tile.panel.add(p * tile.panel_bytes + col * PANEL * size);
                if size == 4 || col % 2 == 0 {
                    ask_ahead_floats(at, N);
                }
                let w = [load::<D>(at), load::<D>(at.add(LANES * size))];
                for n in 0..N {
                    let x = _mm256_set1_ps(*x.add(n));
                    sums[p][n][0] = _mm256_fmadd_ps(w[0], x, sums[p][n][0]);
                    sums[p][n][1] = _mm256_fmadd_ps(w[1], x, sums[p][n][1]);
                }
            }
            x = x.add(tile.stride);
        }
    }
    for p in 0..P {
        for n in 0..N {
            // SAFETY: as this function's own.
            unsafe { store(tile, n, p, sums[p][n]) };
        }
    }
    N
}

/// Half a column of a panel.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn load<const D: usize>(at: *const u8) -> __m256 {
    // SAFETY: by contract the column is there to read.
    unsafe {
        match DType::ALL[D] {
            DType::F32 => _mm256_loadu_ps(at.cast()),
            DType::F16 => _mm256_cvtph_ps(_mm_loadu_si128(at.cast())),
            _ => {
                let halves = _mm256_cvtepu16_epi32(_mm_loadu_si128(at.cast()));
                _mm256_castsi256_ps(_mm256_slli_epi32::<16>(halves))
            }
        }
    }
}
