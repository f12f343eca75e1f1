//! How one layer's keys and values lie in memory.
//!
//! `[block][kv_head]{keys, values}`, so that one head's tokens of a block are read in one stream:
//! - keys are transposed, `[key_dim][token]`: a vector register holds one dimension of many tokens, and
//!   scores come out side by side with no horizontal sums;
//! - values are `[token][value_dim]`, rows padded to whole vectors: the weighted sum runs along a row.
//!
//! Latent rows, which are keys and values in one, lie as values do, and there are no keys.
//!
//! With 8 bits, the values are followed by `f16` scales, one per token and 32 dimensions: for keys
//! `[key_dim / 32][token]`, for values `[token][value_dim / 32]`.

// Blocks are read and written through raw pointers by several threads at once.
#![allow(unsafe_code)]

use half::f16;
use tandem_tensor::{Cache, CacheType, Limits};

use crate::memory::{ALIGNMENT, Region};
use crate::simd::{Element, LANES_MAX, Vector};

/// Values that share a scale.
const GROUP: usize = 32;

#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheLayout {
    pub kind: CacheType,
    pub kv_heads: usize,
    pub key_dim: usize,
    pub value_dim: usize,
    /// `value_dim` rounded up to whole vectors.
    pub value_stride: usize,
    /// Rows of a block.
    pub block_len: usize,
    /// Bytes of the keys of one head in one block.
    keys_bytes: usize,
    head_bytes: usize,
}

impl CacheLayout {
    pub(crate) fn new(cache: &Cache, limits: &Limits) -> CacheLayout {
        // A latent row is read along its length, as values are.
        let is_latent = cache.value_dim == 0;
        let (key_dim, value_dim) =
            if is_latent { (0, cache.key_dim) } else { (cache.key_dim, cache.value_dim) };
        let value_stride = value_dim.next_multiple_of(LANES_MAX);
        let bytes = |dim: usize| {
            let row = match limits.cache_type {
                CacheType::F32 => dim * 4,
                CacheType::F16 => dim * 2,
                CacheType::Q8 => dim + dim.div_ceil(GROUP) * 2,
            };
            (row * cache.block_rows(limits.block_len)).next_multiple_of(ALIGNMENT)
        };
        CacheLayout {
            kind: limits.cache_type,
            kv_heads: cache.kv_heads,
            key_dim,
            value_dim,
            value_stride,
            block_len: cache.block_rows(limits.block_len),
            keys_bytes: bytes(key_dim),
            head_bytes: bytes(key_dim) + bytes(value_stride),
        }
    }

    /// Bytes of the whole cache.
    pub(crate) fn bytes(&self, blocks: usize) -> usize {
        self.head_bytes * self.kv_heads * blocks
    }

    /// Bytes of keys and values of one head in one block.
    pub(crate) fn head_bytes(&self) -> usize {
        self.head_bytes
    }

    /// One head's part of one block.
    ///
    /// # Safety
    /// `region` was made for this layout and holds `block`.
    #[inline(always)]
    pub(crate) unsafe fn part(&self, region: &Region, block: u32, head: usize) -> Part {
        let at = (block as usize * self.kv_heads + head) * self.head_bytes;
        debug_assert!(at + self.head_bytes <= region.len());
        // SAFETY: the caller's.
        unsafe {
            let keys = region.as_mut_ptr().add(at);
            Part { keys, values: keys.add(self.keys_bytes) }
        }
    }

    /// Stores one token's key and value (of `key_dim` and `value_stride` values).
    ///
    /// # Safety
    /// The processor has `V`'s instruction set; `part` is of this layout and nobody else reads or writes `token`.
    #[inline(always)]
    pub(crate) unsafe fn store<V: Vector>(&self, part: Part, token: usize, key: &[f32], value: &[f32]) {
        debug_assert!(
            key.len() == self.key_dim && value.len() == self.value_stride && token < self.block_len
        );
        // SAFETY: the caller's; offsets stay inside the part by the layout's sizes.
        unsafe {
            match self.kind {
                CacheType::F32 => {
                    let keys = part.keys.cast::<f32>().add(token);
                    for (i, x) in key.iter().enumerate() {
                        *keys.add(i * self.block_len) = *x;
                    }
                    let values = part.values.cast::<f32>().add(token * self.value_stride);
                    values.copy_from_nonoverlapping(value.as_ptr(), self.value_stride);
                }
                CacheType::F16 => {
                    let keys = part.keys.cast::<u16>().add(token);
                    let mut bits = [0u16; LANES_MAX];
                    for (chunk, x) in key.chunks(LANES_MAX).enumerate() {
                        halves::<V>(x, &mut bits);
                        for i in 0..x.len() {
                            *keys.add((chunk * LANES_MAX + i) * self.block_len) = bits[i];
                        }
                    }
                    let values = part.values.cast::<u16>().add(token * self.value_stride);
                    for (chunk, x) in value.as_chunks::<LANES_MAX>().0.iter().enumerate() {
                        halves::<V>(x, &mut bits);
                        values.add(chunk * LANES_MAX).copy_from_nonoverlapping(bits.as_ptr(), LANES_MAX);
                    }
                }
                CacheType::Q8 => {
                    let keys = part.keys.cast::<i8>().add(token);
                    let scales = part.keys.add(self.key_dim * self.block_len).cast::<u16>().add(token);
                    for (group, x) in key.chunks(GROUP).enumerate() {
                        let (scale, inverse) = scale_of(x);
                        scales.add(group * self.block_len).write_unaligned(scale);
                        for (i, x) in x.iter().enumerate() {
                            *keys.add((group * GROUP + i) * self.block_len) =
                                (x * inverse).round_ties_even() as i8;
                        }
                    }
                    let values = part.values.cast::<i8>().add(token * self.value_stride);
                    let groups = self.value_stride.div_ceil(GROUP);
                    let scales = part.values.add(self.value_stride * self.block_len).cast::<u16>();
                    for (group, x) in value.chunks(GROUP).enumerate() {
                        let (scale, inverse) = scale_of(x);
                        scales.add(token * groups + group).write_unaligned(scale);
                        for (i, x) in x.iter().enumerate() {
                            *values.add(group * GROUP + i) = (x * inverse).round_ties_even() as i8;
                        }
                    }
                }
            }
        }
    }

    /// Writes tokens `from..from + len` of `part` as `f32`: keys to `keys[dim][at..]` with rows of `stride`
    /// values, values to `values[at..][value_stride]`.
    ///
    /// # Safety
    /// As [`store`](CacheLayout::store), and the outputs have room.
    #[inline(always)]
    pub(crate) unsafe fn widen<V: Vector>(
        &self,
        part: Part,
        from: usize,
        len: usize,
        keys: *mut f32,
        stride: usize,
        values: *mut f32,
    ) {
        // SAFETY: the caller's; offsets stay inside the part by the layout's sizes.
        unsafe {
            let value_at = from * self.value_stride;
            let value_len = len * self.value_stride;
            match self.kind {
                CacheType::F32 => {
                    let k = part.keys.cast::<f32>();
                    for dim in 0..self.key_dim {
                        widen_row::<V, f32>(k.add(dim * self.block_len + from), len, keys.add(dim * stride));
                    }
                    widen_row::<V, f32>(part.values.cast::<f32>().add(value_at), value_len, values);
                }
                CacheType::F16 => {
                    let k = part.keys.cast::<u16>();
                    for dim in 0..self.key_dim {
                        widen_row::<V, u16>(k.add(dim * self.block_len + from), len, keys.add(dim * stride));
                    }
                    widen_row::<V, u16>(part.values.cast::<u16>().add(value_at), value_len, values);
                }
                CacheType::Q8 => {
                    let k = part.keys.cast::<i8>();
                    let scales = part.keys.add(self.key_dim * self.block_len).cast::<u16>();
                    for group in 0..self.key_dim.div_ceil(GROUP) {
                        let dims = group * GROUP..self.key_dim.min((group + 1) * GROUP);
                        let scales = scales.add(group * self.block_len + from);
                        let mut i = 0;
                        while i + V::LANES <= len {
                            let scale = V::load_f16(scales.add(i));
                            for dim in dims.clone() {
                                let x = V::load_i8(k.add(dim * self.block_len + from + i));
                                x.mul(scale).store(keys.add(dim * stride + i));
                            }
                            i += V::LANES;
                        }
                        while i < len {
                            let scale = f16::from_bits(scales.add(i).read_unaligned()).to_f32();
                            for dim in dims.clone() {
                                let x = f32::from(*k.add(dim * self.block_len + from + i));
                                *keys.add(dim * stride + i) = x * scale;
                            }
                            i += 1;
                        }
                    }
                    let v = part.values.cast::<i8>();
                    let groups = self.value_stride.div_ceil(GROUP);
                    let scales = part.values.add(self.value_stride * self.block_len).cast::<u16>();
                    for token in 0..len {
                        for group in 0..groups {
                            let bits = scales.add((from + token) * groups + group).read_unaligned();
                            let scale = V::splat(f16::from_bits(bits).to_f32());
                            let end = self.value_stride.min((group + 1) * GROUP);
                            let mut i = group * GROUP;
                            while i < end {
                                let x = V::load_i8(v.add(value_at + token * self.value_stride + i));
                                x.mul(scale).store(values.add(token * self.value_stride + i));
                                i += V::LANES;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Where one head's tokens of one block lie.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub keys: *mut u8,
    pub values: *mut u8,
}

/// # Safety
/// `x` has at most `LANES_MAX` values; the processor has `V`'s instruction set.
#[inline(always)]
unsafe fn halves<V: Vector>(x: &[f32], out: &mut [u16; LANES_MAX]) {
    let mut padded = [0.0; LANES_MAX];
    padded[..x.len()].copy_from_slice(x);
    let mut i = 0;
    while i < LANES_MAX {
        // SAFETY: both arrays hold `LANES_MAX` values, a multiple of `LANES`.
        unsafe { V::load(padded.as_ptr().add(i)).store_f16(out.as_mut_ptr().add(i)) };
        i += V::LANES;
    }
}

/// # Safety
/// `from` and `to` have `len` values; the processor has `V`'s instruction set.
#[inline(always)]
unsafe fn widen_row<V: Vector, E: Element>(from: *const E, len: usize, to: *mut f32) {
    // SAFETY: the caller's; the last, partial vector goes through arrays.
    unsafe {
        let mut i = 0;
        while i + V::LANES <= len {
            E::load::<V>(from.add(i)).store(to.add(i));
            i += V::LANES;
        }
        if i < len {
            let mut padded = [std::mem::zeroed::<E>(); LANES_MAX];
            let mut wide = [0.0; LANES_MAX];
            padded.as_mut_ptr().copy_from_nonoverlapping(from.add(i), len - i);
            E::load::<V>(padded.as_ptr()).store(wide.as_mut_ptr());
            to.add(i).copy_from_nonoverlapping(wide.as_ptr(), len - i);
        }
    }
}

/// The bits of the scale that maps `x` to -127..=127, and its inverse.
#[inline(always)]
fn scale_of(x: &[f32]) -> (u16, f32) {
    let largest = x.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    let scale = f16::from_f32(largest / 127.0);
    let inverse = if scale.to_f32() > 0.0 { 1.0 / scale.to_f32() } else { 0.0 };
    (scale.to_bits(), inverse)
}
