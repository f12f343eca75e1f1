//! Activations made ready for multiplication.
//!
//! Float weights take them as they are; quantised ones take them in blocks of eight-bit codes with a scale, the
//! way llama.cpp rounds them for its 32-value types:
//!
//! ```text
//! d = max |x| / 127;  code = round(x / d);  scale = f16(d);  sum = f16(d * Σ code)
//! ```
//!
//! Tokens are interleaved in tiles, block by block (or column by column), so that a kernel that works on a tile
//! reaches all of it from one pointer: `[tile][block][token of the tile]`.

// Threads share the preparation of one buffer.
#![allow(unsafe_code)]

use std::io;
use std::marker::PhantomData;

use half::f16;

use super::format::BLOCK;
use crate::cpu::{Cpu, Level};
use crate::memory::Region;

/// Most tokens in a tile.
pub const TILE: usize = 16;

/// What a weight's type wants its inputs to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// `f32`, for the float types.
    Floats,
    /// [`InputBlock`]s, for the quantised types.
    Blocks,
}

/// 32 activations of one token.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(16))]
pub struct InputBlock {
    pub codes: [i8; BLOCK],
    pub scale: f32,
    /// `-8 * Σ code` of either half of the block: where accumulators start for weights with an offset of 8.
    pub minus_8_sums: [i32; 2],
    /// `scale * Σ code`, for weights with a minimum.
    pub sum: f32,
}

impl InputBlock {
    /// The definition; faster versions give the same bits.
    pub fn quantize(x: &[f32; BLOCK]) -> InputBlock {
        let largest = x.iter().fold(0.0, |largest: f32, x| largest.max(x.abs()));
        let d = largest / 127.0;
        let inverse = if d > 0.0 { 1.0 / d } else { 0.0 };
        let codes = x.map(|x| (x * inverse).round_ties_even() as i8);
        let sums =
            [0, BLOCK / 2].map(|half| codes[half..][..BLOCK / 2].iter().map(|x| i32::from(*x)).sum::<i32>());
        InputBlock {
            codes,
            scale: half_precision(d),
            minus_8_sums: sums.map(|sum| -8 * sum),
            sum: half_precision(d * (sums[0] + sums[1]) as f32),
        }
    }
}

/// `x` with the precision of a half float but not its range.
pub(super) fn half_precision(x: f32) -> f32 {
    let rounded = f16::from_f32(x).to_f32();
    if rounded.is_infinite() { x } else { rounded }
}

/// Memory for the inputs of one multiplication at a time.
pub struct InputBuffer {
    region: Region,
}

impl InputBuffer {
    /// Room for [`Inputs::bytes`].
    pub fn new(bytes: usize) -> io::Result<InputBuffer> {
        Ok(InputBuffer { region: Region::new(bytes)? })
    }

    /// A view of the buffer as inputs of the given shape, to be filled by [`Inputs::prepare`].
    ///
    /// # Panics
    /// Where the buffer is too small, or `cols` not a whole number of blocks.
    pub fn view(&self, kind: InputKind, cols: usize, tokens: usize) -> Inputs<'_> {
        self.view_after(0, kind, cols, tokens)
    }

    /// As [`view`](InputBuffer::view), behind inputs of as many columns that take the room of `before` tokens (see
    /// [`Inputs::room`]).
    ///
    /// # Panics
    /// As `view`.
    pub fn view_after(&self, before: usize, kind: InputKind, cols: usize, tokens: usize) -> Inputs<'_> {
        let start = before * Inputs::bytes(kind, cols, 1);
        let bytes = start + Inputs::bytes(kind, cols, tokens);
        assert!(bytes <= self.region.len(), "inputs of {bytes} bytes in a buffer of {}", self.region.len());
        assert!(
            kind == InputKind::Floats || cols.is_multiple_of(BLOCK),
            "{cols} columns are not whole blocks"
        );
        // SAFETY: `start` lies in the region.
        let base = unsafe { self.region.as_mut_ptr().add(start) };
        Inputs { kind, cols, tokens, base, _buffer: PhantomData }
    }

    /// Prepare whole tokens; `x` is `[tokens, cols]`.
    pub fn fill(&mut self, cpu: Cpu, kind: InputKind, cols: usize, x: &[f32]) -> Inputs<'_> {
        let inputs = self.view(kind, cols, x.len() / cols.max(1));
        for (token, x) in x.chunks_exact(cols.max(1)).enumerate() {
            // SAFETY: the buffer is borrowed mutably, so no other view of it is left.
            unsafe { inputs.prepare(cpu, token, 0, x) };
        }
        inputs
    }
}

/// The prepared activations of some tokens.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    kind: InputKind,
    cols: usize,
    tokens: usize,
    base: *mut u8,
    _buffer: PhantomData<&'a InputBuffer>,
}

// SAFETY: a view only reads and writes under the conditions of its unsafe methods, which speak of threads.
unsafe impl Send for Inputs<'_> {}
// SAFETY: as above.
unsafe impl Sync for Inputs<'_> {}

impl<'a> Inputs<'a> {
    /// Bytes that a buffer needs for the shape.
    pub const fn bytes(kind: InputKind, cols: usize, tokens: usize) -> usize {
        let tokens = Inputs::room(tokens);
        match kind {
            InputKind::Floats => tokens * cols * 4,
            InputKind::Blocks => tokens * (cols / BLOCK) * size_of::<InputBlock>(),
        }
    }

    /// `tokens`, rounded up to whole tiles.
    pub const fn room(tokens: usize) -> usize {
        tokens.next_multiple_of(tile_of(tokens))
    }

    pub const fn kind(&self) -> InputKind {
        self.kind
    }

    /// Whether they are floats, and more than a core's own caches hold: then each call of a product brings them from afar.
    pub fn are_far(&self) -> bool {
        const NEAR_BYTES: usize = 2 << 20;
        self.kind == InputKind::Floats && Inputs::bytes(self.kind, self.cols, self.tokens) > NEAR_BYTES
    }

    pub const fn cols(&self) -> usize {
        self.cols
    }

    pub const fn tokens(&self) -> usize {
        self.tokens
    }

    /// Prepare the columns from `first_col` on of one token; `x` is those columns. Parts of a token may be prepared
    /// one by one and by several threads, or by each thread all over again into a buffer of its own.
    ///
    /// # Safety
    /// While this runs, no other thread reads or prepares the same part.
    ///
    /// # Panics
    /// Where the part lies outside, or is not whole blocks.
    pub unsafe fn prepare(&self, cpu: Cpu, token: usize, first_col: usize, x: &[f32]) {
        assert!(token < self.tokens && first_col <= self.cols && x.len() <= self.cols - first_col);
        match self.kind {
            InputKind::Floats => {
                let (to, stride) = self.floats(token);
                for (i, x) in x.iter().enumerate() {
                    // SAFETY: `first_col + i < cols`, and by contract nobody else is here.
                    unsafe { *to.add((first_col + i) * stride) = *x };
                }
            }
            InputKind::Blocks => {
                assert!(first_col.is_multiple_of(BLOCK) && x.len().is_multiple_of(BLOCK));
                let (to, stride) = self.blocks(token);
                // SAFETY: the blocks of the part lie in the buffer, and by contract nobody else is there.
                unsafe {
                    let to = to.add(first_col / BLOCK * stride);
                    match cpu.level() {
                        #[cfg(target_arch = "x86_64")]
                        Level::Avx512 | Level::Avx2 => super::x86_64::quantize(x.as_chunks().0, to, stride),
                        #[cfg(target_arch = "aarch64")]
                        Level::Neon | Level::NeonI8mm => {
                            super::aarch64::quantize(x.as_chunks().0, to, stride)
                        }
                        _ => {
                            for (i, x) in x.as_chunks().0.iter().enumerate() {
                                *to.add(i * stride) = InputBlock::quantize(x);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Take over what was prepared for token `from` of `other`.
    ///
    /// # Safety
    /// While this runs, no other thread reads or prepares `token`, nor prepares `from` of `other`.
    ///
    /// # Panics
    /// Where there is no such token, or the inputs differ in kind or columns.
    pub unsafe fn copy(&self, token: usize, other: Inputs<'_>, from: usize) {
        assert!(
            token < self.tokens && from < other.tokens && self.kind == other.kind && self.cols == other.cols
        );
        // SAFETY: both tokens have these blocks (or columns), and by contract nobody else is there.
        unsafe {
            match self.kind {
                InputKind::Floats => copy_strided(other.floats(from), self.floats(token), self.cols),
                InputKind::Blocks => copy_strided(other.blocks(from), self.blocks(token), self.cols / BLOCK),
            }
        }
    }

    /// Block `block` of `token`.
    ///
    /// # Panics
    /// Where there is no such block.
    pub fn block(&self, token: usize, block: usize) -> InputBlock {
        assert!(self.kind == InputKind::Blocks && token < self.tokens && block < self.cols / BLOCK);
        let (blocks, stride) = self.blocks(token);
        // SAFETY: the block lies in the buffer.
        unsafe { *blocks.add(block * stride) }
    }

    /// The first block of `token`, and how many blocks on the next one is.
    pub(super) fn blocks(&self, token: usize) -> (*mut InputBlock, usize) {
        debug_assert!(self.kind == InputKind::Blocks && token < self.tokens);
        let tile = tile_of(self.tokens);
        let at = token / tile * tile * (self.cols / BLOCK) + token % tile;
        // SAFETY: `Inputs::bytes` counts whole tiles of blocks.
        (unsafe { self.base.cast::<InputBlock>().add(at) }, tile)
    }

    /// The first value of `token`, and how many values on the next one is.
    pub(super) fn floats(&self, token: usize) -> (*mut f32, usize) {
        debug_assert!(self.kind == InputKind::Floats && token < self.tokens);
        let tile = tile_of(self.tokens);
        let at = token / tile * tile * self.cols + token % tile;
        // SAFETY: `Inputs::bytes` counts whole tiles of columns.
        (unsafe { self.base.cast::<f32>().add(at) }, tile)
    }
}

/// # Safety
/// Both have `len` values, each with its own stride.
unsafe fn copy_strided<T: Copy>(
    (from, from_stride): (*mut T, usize),
    (to, to_stride): (*mut T, usize),
    len: usize,
) {
    for i in 0..len {
        // SAFETY: the caller's.
        unsafe { *to.add(i * to_stride) = *from.add(i * from_stride) };
    }
}

/// Tokens interleaved in a tile: as many as there are, up to [`TILE`], so that a single token's inputs are dense.
const fn tile_of(tokens: usize) -> usize {
    if tokens >= TILE {
        TILE
    } else if tokens == 0 {
        1
    } else {
        tokens.next_power_of_two()
    }
}
