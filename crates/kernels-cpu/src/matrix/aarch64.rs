//! Kernels for AArch64 with the dot-product instructions, and with those for 8-bit matrices where there are any.
//!
//! A register holds a quad: four of a panel's 16 rows, four columns each.
//!
//! ```text
//! for panel, for tile of up to 4 tokens:
//!     for block, for quad: unpack eight registers of codes, 4 rows x 4 columns each
//!         for token of the tile:
//!             dot = -offset * Σ x + Σ_v codes[v] * x[4 v ..]          one `sdot` each
//!             y[token] += scale * (x.scale * dot)
//! ```
//!
//! 1. `sdot` takes its four activations from any lane of a register, so a block's 32 are loaded twice 16 at a time.
//! 2. Codes are at most seven bits and so positive as signed bytes; eight-bit ones are made signed.
//! 3. With `smmla` ([`pairs`]) two tokens share every product: columns are zipped to eight per row, and a register
//!    of sums is two rows by two tokens. The same sums in the same order give the same bits.
//!
//! The new instructions are written in assembly, because their intrinsics are not stable yet.

// Intrinsics, assembly, and outputs shared between threads.
#![allow(unsafe_code)]

mod pairs;

use std::arch::aarch64::*;
use std::arch::asm;

use tandem_tensor::DType;

use super::Task;
use super::format::{BLOCK, Codes, Format, GROUP, PANEL, Scales, index_of};
use super::inputs::{InputBlock, half_precision};
use super::tile::{Tile, ask_ahead, ask_ahead_floats, for_each_block_tile, for_each_float_tile};

/// # Safety
/// As [`crate::matrix::Matrix::multiply`], on a processor with the dot-product instructions, and those for 8-bit
/// matrices where `i8mm`.
pub(super) unsafe fn multiply(dtype: DType, task: &Task, i8mm: bool) {
    macro_rules! kernel {
        ($($kind:ident: $($name:ident)+;)+) => {
            match dtype {
                // SAFETY: as this function's own.
                $($(DType::$name => unsafe { $kind::<{ index_of(DType::$name) }>(task, i8mm) },)+)+
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
const LANES: usize = 4;
/// Registers that follow a panel.
const QUADS: usize = PANEL / LANES;

unsafe fn multiply_blocks<const D: usize>(task: &Task, i8mm: bool) {
    for_each_block_tile(task, |tile| {
        // SAFETY: as this function's own; the tile is a part of the task.
        unsafe {
            match tile.tokens {
                4.. if i8mm => pairs::blocks::<D, 2>(tile),
                2.. if i8mm => pairs::blocks::<D, 1>(tile),
                4.. => blocks::<D, 4>(tile),
                2.. => blocks::<D, 2>(tile),
                _ => blocks::<D, 1>(tile),
            }
        }
    });
}

/// The product for `N` tokens; returns `N`.
#[target_feature(enable = "neon,dotprod")]
unsafe fn blocks<const D: usize, const N: usize>(tile: &Tile<InputBlock>) -> usize {
    let mut sums = [[vdupq_n_f32(0.0); N]; QUADS];
    // SAFETY: as this function's own; the inputs have as many blocks as the panel, `stride` apart.
    unsafe {
        for_each_quad::<D>(tile, N, |quad, block, x| {
            for n in 0..N {
                sums[quad][n] = block.add_to::<D>(sums[quad][n], x.add(n));
            }
        });
        for n in 0..N {
            store(tile, n, 0, std::array::from_fn(|quad| sums[quad][n]));
        }
    }
    N
}

/// Unpacks every block of the tile's panel, for a kernel of `tokens` tokens, and calls `work` with its four quads in
/// turn and the block's inputs.
#[inline(always)]
unsafe fn for_each_quad<const D: usize>(
    tile: &Tile<InputBlock>,
    tokens: usize,
    mut work: impl FnMut(usize, &Block, *const InputBlock),
) {
    let format = const { Format::at(D) };
    let block_bytes = const { Format::at(D).block_bytes() };
    let mut group = tile.panel;
    let mut x = tile.x;
    let mut blocks_left = tile.cols / BLOCK;
    while blocks_left > 0 {
        let blocks = GROUP.min(blocks_left);
        // SAFETY: a group is its header and then its blocks, all in the panel; so is what is read of them.
        unsafe {
            let header = group;
            let mut at = group.add(format.header_bytes());
            for _ in 0..blocks {
                ask_ahead(at, block_bytes, tokens);
                for quad in 0..QUADS {
                    work(quad, &Block::unpack::<D>(header, at, quad), x);
                }
                at = at.add(block_bytes);
                x = x.add(tile.stride);
            }
            group = at;
        }
        blocks_left -= blocks;
    }
}

/// Store the rows of panel `p` that exist, for token `n`.
#[inline(always)]
unsafe fn store<X>(tile: &Tile<X>, n: usize, p: usize, sums: [float32x4_t; QUADS]) {
    // SAFETY: by contract the output has these rows for every token, and they are ours.
    unsafe {
        let mut all = [0.0; PANEL];
        for quad in 0..QUADS {
            vst1q_f32(all.as_mut_ptr().add(LANES * quad), sums[quad]);
        }
        let out = tile.out.add(n * tile.out_stride + p * PANEL);
        std::ptr::copy_nonoverlapping(all.as_ptr(), out, (tile.rows - p * PANEL).min(PANEL));
    }
}

/// 4 rows x 32 columns in registers.
struct Block {
    /// Four columns each.
    codes: [int8x16_t; 8],
    /// For either half of the columns; the same where they share one.
    scale: [float32x4_t; 2],
    min: [float32x4_t; 2],
}

impl Block {
    #[inline(always)]
    unsafe fn unpack<const D: usize>(header: *const u8, at: *const u8, quad: usize) -> Block {
        // SAFETY: by contract the block is at `at`, in the group with this header.
        unsafe {
            let (scale, min) = scales::<D>(header, at, quad);
            let codes = at.add(const { Format::at(D).scale_bytes() } + 16 * quad);
            Block { codes: unpack_codes::<D>(codes), scale, min }
        }
    }

    #[inline(always)]
    unsafe fn add_to<const D: usize>(&self, sum: float32x4_t, x: *const InputBlock) -> float32x4_t {
        let format = const { Format::at(D) };
        // SAFETY: by contract `x` is a prepared block.
        unsafe {
            let codes = (&raw const (*x).codes).cast::<i8>();
            let dots = [
                self.dot(vdupq_n_s32(start::<D>(x, 0)), 0, vld1q_s8(codes)),
                self.dot(vdupq_n_s32(start::<D>(x, 1)), 4, vld1q_s8(codes.add(16))),
            ];
            let x_scale = vdupq_n_f32((*x).scale);
            if format.has_halves() {
                let [low, high] = [vcvtq_f32_s32(dots[0]), vcvtq_f32_s32(dots[1])];
                let mut y = vfmaq_f32(vmulq_f32(self.scale[0], low), self.scale[1], high);
                if format.has_min() {
                    // `min` is already divided by -8.
                    for half in 0..2 {
                        y = vfmaq_f32(y, self.min[half], vdupq_n_f32((*x).minus_8_sums[half] as f32));
                    }
                }
                vfmaq_f32(sum, x_scale, y)
            } else {
                let dot = vcvtq_f32_s32(vaddq_s32(dots[0], dots[1]));
                let sum = vfmaq_f32(sum, self.scale[0], vmulq_f32(x_scale, dot));
                if format.has_min() { vfmaq_f32(sum, self.min[0], vdupq_n_f32((*x).sum)) } else { sum }
            }
        }
    }

    /// Half a block's dot product: four registers of codes from `first` on with 16 activations.
    #[inline(always)]
    unsafe fn dot(&self, dot: int32x4_t, first: usize, x: int8x16_t) -> int32x4_t {
        // SAFETY: the caller's, who has the instruction.
        unsafe {
            let dot = sdot::<0>(dot, self.codes[first], x);
            let dot = sdot::<1>(dot, self.codes[first + 1], x);
            let dot = sdot::<2>(dot, self.codes[first + 2], x);
            sdot::<3>(dot, self.codes[first + 3], x)
        }
    }
}

/// Where the integer sum of one half of a block begins, so that codes need not be shifted by their offset.
#[inline(always)]
unsafe fn start<const D: usize>(x: *const InputBlock, half: usize) -> i32 {
    match const { Format::at(D).offset } {
        0 | 128 => 0,
        // SAFETY: by contract `x` is a prepared block.
        offset => unsafe { (*x).minus_8_sums[half] / 8 * offset },
    }
}

/// `sum + Σ codes * x[4 * LANE ..][.. 4]`, four columns for each of four rows.
#[inline(always)]
unsafe fn sdot<const LANE: u32>(mut sum: int32x4_t, codes: int8x16_t, x: int8x16_t) -> int32x4_t {
    // SAFETY: the caller has the instruction; it touches these registers only.
    unsafe {
        asm!(
            ".arch_extension dotprod",
            "sdot {sum:v}.4s, {codes:v}.16b, {x:v}.4b[{lane}]",
            sum = inout(vreg) sum,
            codes = in(vreg) codes,
            x = in(vreg) x,
            lane = const LANE,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}

/// The codes of a block, four columns to a register, as signed bytes. `codes` points to this quad's part of the
/// first line.
#[inline(always)]
unsafe fn unpack_codes<const D: usize>(codes: *const u8) -> [int8x16_t; 8] {
    let format = const { Format::at(D) };
    // SAFETY: by contract the lines of the block are there to read.
    unsafe {
        let mut values = [vdupq_n_u8(0); 8];
        for v in 0..8 {
            values[v] = match format.codes {
                Codes::Eight => line(codes, v),
                Codes::Four => four_bits(codes, v),
                Codes::FourOne => vorrq_u8(four_bits(codes, v), bits(line(codes, 4), v, 4, 0x10)),
                Codes::FourTwo => {
                    vorrq_u8(four_bits(codes, v), bits(line(codes, 4 + v / 4), 2 * (v % 4), 4, 0x30))
                }
                Codes::Two => two_bits(codes, v),
                Codes::TwoOne => vorrq_u8(two_bits(codes, v), bits(line(codes, 2), v, 2, 4)),
            };
            if let Some(table) = const { Format::at(D).table } {
                values[v] = vqtbl1q_u8(vld1q_u8(table.as_ptr()), values[v]);
            }
            if format.offset == 128 {
                values[v] = veorq_u8(values[v], vdupq_n_u8(128));
            }
        }
        values.map(|values| vreinterpretq_s8_u8(values))
    }
}

#[inline(always)]
unsafe fn line(codes: *const u8, j: usize) -> uint8x16_t {
    // SAFETY: by contract the line is there to read.
    unsafe { vld1q_u8(codes.add(64 * j)) }
}

#[inline(always)]
unsafe fn four_bits(codes: *const u8, v: usize) -> uint8x16_t {
    // SAFETY: as `line`.
    unsafe { bits(line(codes, v % 4), if v < 4 { 0 } else { 4 }, 0, 15) }
}

#[inline(always)]
unsafe fn two_bits(codes: *const u8, v: usize) -> uint8x16_t {
    // SAFETY: as `line`.
    unsafe { bits(line(codes, v / 4), 2 * (v % 4), 0, 3) }
}

/// The bits of `plane` from `from` on, moved to `to`, of which `keep` are kept.
#[inline(always)]
unsafe fn bits(plane: uint8x16_t, from: usize, to: usize, keep: u8) -> uint8x16_t {
    // SAFETY: every AArch64 processor has NEON.
    unsafe { vandq_u8(vshlq_u8(plane, vdupq_n_s8(to as i8 - from as i8)), vdupq_n_u8(keep)) }
}

/// The scales and minimums of the block at `at` for one quad; minimums per half are divided by -8, to go with
/// `minus_8_sums`.
#[inline(always)]
unsafe fn scales<const D: usize>(
    header: *const u8,
    at: *const u8,
    quad: usize,
) -> ([float32x4_t; 2], [float32x4_t; 2]) {
    let format = const { Format::at(D) };
    // SAFETY: by contract the block is at `at`, in the group with this header.
    unsafe {
        let none = vdupq_n_f32(0.0);
        match format.scales {
            Scales::Half => ([halves(at, 0, quad); 2], [none; 2]),
            Scales::HalfMin => ([halves(at, 0, quad); 2], [halves(at, 1, quad); 2]),
            Scales::Exponent => {
                // 2^(e - 128); the two subnormal ones count as zero.
                let e = vqsubq_u32(bytes(at, 0, quad), vdupq_n_u32(1));
                ([vreinterpretq_f32_u32(vshlq_n_u32::<23>(e)); 2], [none; 2])
            }
            Scales::Super => {
                let scale = vcvtq_f32_s32(signed_bytes(at, 0, quad));
                let d = vmulq_f32(halves(header, 0, quad), vdupq_n_f32(const { Format::at(D).unit }));
                ([vmulq_f32(d, scale); 2], [none; 2])
            }
            Scales::SuperMin => {
                let scale = vcvtq_f32_u32(bytes(at, 0, quad));
                let min = vcvtq_f32_u32(bytes(at, 16, quad));
                let dmin = vnegq_f32(halves(header, 1, quad));
                ([vmulq_f32(halves(header, 0, quad), scale); 2], [vmulq_f32(dmin, min); 2])
            }
            Scales::Super16 => {
                let d = vmulq_f32(halves(header, 0, quad), vdupq_n_f32(const { Format::at(D).unit }));
                let low = vcvtq_f32_s32(signed_bytes(at, 0, quad));
                let high = vcvtq_f32_s32(signed_bytes(at, 16, quad));
                ([vmulq_f32(d, low), vmulq_f32(d, high)], [none; 2])
            }
            Scales::SuperMin16 => {
                let d = halves(header, 0, quad);
                let dmin = vmulq_f32(halves(header, 1, quad), vdupq_n_f32(0.125));
                let (mut scale, mut min) = ([none; 2], [none; 2]);
                for half in 0..2 {
                    let pair = bytes(at, 16 * half, quad);
                    scale[half] = vmulq_f32(d, vcvtq_f32_u32(vandq_u32(pair, vdupq_n_u32(15))));
                    min[half] = vmulq_f32(dmin, vcvtq_f32_u32(vshrq_n_u32::<4>(pair)));
                }
                (scale, min)
            }
        }
    }
}

/// This quad of the half floats in place `slot`.
#[inline(always)]
unsafe fn halves(from: *const u8, slot: usize, quad: usize) -> float32x4_t {
    // SAFETY: by contract they are there to read.
    unsafe { widen(from.add(32 * slot + 8 * quad)) }
}

/// Four half floats.
#[inline(always)]
unsafe fn widen(from: *const u8) -> float32x4_t {
    let wide: float32x4_t;
    // SAFETY: by contract they are there to read. The conversion is part of the base instruction set.
    unsafe {
        let halves = vreinterpret_u16_u8(vld1_u8(from));
        asm!(
            "fcvtl {0:v}.4s, {1:v}.4h",
            out(vreg) wide,
            in(vreg) halves,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    wide
}

/// This quad of the 16 bytes at `first`.
#[inline(always)]
unsafe fn bytes(from: *const u8, first: usize, quad: usize) -> uint32x4_t {
    // SAFETY: by contract they are there to read.
    unsafe {
        let four = from.add(first + LANES * quad).cast::<u32>().read_unaligned();
        vmovl_u16(vget_low_u16(vmovl_u8(vreinterpret_u8_u32(vdup_n_u32(four)))))
    }
}

#[inline(always)]
unsafe fn signed_bytes(from: *const u8, first: usize, quad: usize) -> int32x4_t {
    // SAFETY: by contract they are there to read.
    unsafe {
        let four = from.add(first + LANES * quad).cast::<i32>().read_unaligned();
        vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_s32(vdup_n_s32(four)))))
    }
}

/// As the blocks, with columns in their place: `y[token] += w[col] * x[token][col]`.
unsafe fn multiply_floats<const D: usize>(task: &Task, _: bool) {
    let panels = if task.inputs.tokens() < 4 { 2 } else { 1 };
    for_each_float_tile(task, panels, |tile| {
        // SAFETY: as this function's own; the tile is a part of the task.
        unsafe {
            match (tile.tokens, tile.rows > PANEL) {
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
#[target_feature(enable = "neon")]
unsafe fn floats<const D: usize, const N: usize, const P: usize>(tile: &Tile<f32>) -> usize {
    let size = const { DType::ALL[D].block_bytes() };
    let mut sums = [[[vdupq_n_f32(0.0); QUADS]; N]; P];
    // SAFETY: a panel has a line (or half of one) for every column, and the inputs a value per token.
    unsafe {
        let mut x = tile.x;
        for col in 0..tile.cols {
            for p in 0..P {
                let at = tile.panel.add(p * tile.panel_bytes + col * PANEL * size);
                if size == 4 || col % 2 == 0 {
                    ask_ahead_floats(at, N);
                }
                for quad in 0..QUADS {
                    let w = load::<D>(at.add(LANES * quad * size));
                    for n in 0..N {
                        sums[p][n][quad] = vfmaq_f32(sums[p][n][quad], w, vdupq_n_f32(*x.add(n)));
                    }
                }
            }
            x = x.add(tile.stride);
        }
        for p in 0..P {
            for n in 0..N {
                store(tile, n, p, sums[p][n]);
            }
        }
    }
    N
}

/// A quad of a column.
#[inline(always)]
unsafe fn load<const D: usize>(at: *const u8) -> float32x4_t {
    // SAFETY: by contract the column is there to read.
    unsafe {
        match DType::ALL[D] {
            DType::F32 => vreinterpretq_f32_u8(vld1q_u8(at)),
            DType::F16 => widen(at),
            _ => vreinterpretq_f32_u32(vshll_n_u16::<16>(vreinterpret_u16_u8(vld1_u8(at)))),
        }
    }
}

/// [`InputBlock::quantize`] for consecutive blocks of one token, written `stride` blocks apart.
///
/// # Safety
/// `to` is good for these blocks.
#[target_feature(enable = "neon")]
pub(super) unsafe fn quantize(x: &[[f32; BLOCK]], to: *mut InputBlock, stride: usize) {
    for (i, x) in x.iter().enumerate() {
        // SAFETY: `x` is 32 floats, and by contract the block is there and ours; its codes are 32 bytes.
        unsafe {
            let mut v = [vdupq_n_f32(0.0); 8];
            let mut largest = vdupq_n_f32(0.0);
            for j in 0..8 {
                v[j] = vld1q_f32(x.as_ptr().add(4 * j));
                largest = vmaxnmq_f32(largest, vabsq_f32(v[j]));
            }
            let d = vmaxnmvq_f32(largest) / 127.0;
            let inverse = vdupq_n_f32(if d > 0.0 { 1.0 / d } else { 0.0 });
            // Conversion rounds to nearest even.
            let q = v.map(|v| vcvtnq_s32_f32(vmulq_f32(v, inverse)));
            let to = to.add(i * stride);
            let mut sums = [0; 2];
            for half in 0..2 {
                let q = &q[4 * half..][..4];
                sums[half] = vaddvq_s32(vaddq_s32(vaddq_s32(q[0], q[1]), vaddq_s32(q[2], q[3])));
                let low = vcombine_s16(vqmovn_s32(q[0]), vqmovn_s32(q[1]));
                let high = vcombine_s16(vqmovn_s32(q[2]), vqmovn_s32(q[3]));
                let codes = vcombine_s8(vqmovn_s16(low), vqmovn_s16(high));
                vst1q_s8((&raw mut (*to).codes).cast::<i8>().add(16 * half), codes);
            }
            (*to).scale = half_precision(d);
            (*to).minus_8_sums = sums.map(|sum| -8 * sum);
            (*to).sum = half_precision(d * (sums[0] + sums[1]) as f32);
        }
    }
}
