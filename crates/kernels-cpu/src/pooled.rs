//! Rows that are read one by one from caches: scored for a choice, and attended with others.
//!
//! A cache may have one row for several tokens; where a row lies is said by `tandem_tensor::Cache::place`. The rest is as in
//! [`latent`](crate::latent): rows are converted once for all queries at hand.

// Kernels over raw vectors and the cache's raw memory.
#![allow(unsafe_code)]

use std::ops::Range;

use tandem_tensor::{Cache, RopeStyle};

use crate::attend::{KEYS, QueryTile, Scratch, scale};
use crate::cache::CacheLayout;
use crate::latent::{LatentHead, dots, fold};
use crate::memory::Region;
use crate::rope::{rotate, rotate_back};
use crate::simd::Vector;

/// One cache of the program, whose values are its rows.
#[derive(Clone, Copy)]
pub(crate) struct RowCache<'a> {
    pub cache: Cache,
    pub layout: CacheLayout,
    pub region: &'a Region,
    /// Tokens of a block.
    pub block_len: usize,
}

impl RowCache<'_> {
    /// The rest of a row's block from it on, at most `len`, as `f32` rows at `to`. Returns how many.
    ///
    /// # Safety
    /// The processor has `V`'s instruction set; the blocks of these rows exist and are written by nobody; `to` has room.
    #[inline(always)]
    unsafe fn widen<V: Vector>(&self, tile: &QueryTile, row: usize, len: usize, to: *mut f32) -> usize {
        let (block, at) = self.cache.place(row, self.block_len);
        // Neighbours lie side by side where every token has a row.
        let len = if self.cache.every == 1 { len.min(self.block_len - at) } else { 1 };
        // SAFETY: the caller's.
        unsafe {
            let part = self.layout.part(self.region, tile.blocks[block - tile.first_block], 0);
            self.layout.widen::<V>(part, at, len, std::ptr::null_mut(), 0, to);
        }
        len
    }
}

/// Write the row that lies first in `scratch.values`, with what follows it up to the stride.
///
/// # Safety
/// The processor has `V`'s instruction set; the row's block exists, and nobody else touches the row.
#[inline(always)]
pub(crate) unsafe fn store_row<V: Vector>(
    cache: &RowCache,
    tile: &QueryTile,
    row: usize,
    scratch: &mut Scratch,
) {
    let (block, at) = cache.cache.place(row, cache.block_len);
    // SAFETY: the caller's.
    unsafe {
        let part = cache.layout.part(cache.region, tile.blocks[block - tile.first_block], 0);
        cache.layout.store::<V>(part, at, &[], &scratch.values[..cache.layout.value_stride]);
    }
}

/// `scores[i] = Σ_h weights[h] * max(0, q[h] · row)` of the rows from `first` on. `q` is `[heads, key_dim]`.
///
/// # Safety
/// The processor has `V`'s instruction set; the rows exist and are written by nobody.
#[inline(always)]
pub(crate) unsafe fn score_rows<V: Vector>(
    cache: &RowCache,
    tile: &QueryTile,
    first: usize,
    q: &[f32],
    weights: &[f32],
    scores: &mut [f32],
    scratch: &mut Scratch,
) {
    let (stride, dim) = (cache.layout.value_stride, cache.layout.value_dim);
    for (to, from) in scratch.q.chunks_exact_mut(stride).zip(q.chunks_exact(dim)) {
        to[..dim].copy_from_slice(from);
        to[dim..].fill(0.0);
    }
    for (index, scores) in scores.chunks_mut(KEYS).enumerate() {
        let base = first + index * KEYS;
        // SAFETY: the caller's; the scratch has `KEYS` rows, and `KEYS` scores for each query.
        unsafe {
            let mut at = 0;
            while at < scores.len() {
                let to = scratch.values.as_mut_ptr().add(at * stride);
                at += cache.widen::<V>(tile, base + at, scores.len() - at, to);
            }
            let (q, rows) = (scratch.q.as_ptr(), scratch.values.as_ptr());
            dots::<V>(weights.len(), scores.len(), stride, q, rows, scratch.scores.as_mut_ptr());
        }
        scores.fill(0.0);
        for (products, weight) in scratch.scores.chunks_exact(KEYS).zip(weights) {
            for (score, product) in scores.iter_mut().zip(products) {
                *score += weight * product.max(0.0);
            }
        }
    }
}

/// `scores[h * stride + run]` is the highest `q[h] · row` of the run's rows up to the tile's position, for some runs of `len` rows. `q` is
/// `[heads, key_dim]`.
///
/// # Safety
/// As [`score_rows`]; the scores have room for these runs of every head, and nobody else accesses them.
#[allow(clippy::too_many_arguments)]
#[inline(always)]
pub(crate) unsafe fn score_runs<V: Vector>(
    cache: &RowCache,
    tile: &QueryTile,
    len: usize,
    runs: Range<usize>,
    q: &[f32],
    scores: *mut f32,
    stride: usize,
    scratch: &mut Scratch,
) {
    let (row_len, dim) = (cache.layout.value_stride, cache.layout.value_dim);
    let heads = q.len() / dim;
    for (to, from) in scratch.q.chunks_exact_mut(row_len).zip(q.chunks_exact(dim)) {
        to[..dim].copy_from_slice(from);
        to[dim..].fill(0.0);
    }
    for run in runs {
        let end = ((run + 1) * len).min(tile.position + 1);
        for head in 0..heads {
            // SAFETY: the caller's.
            unsafe { *scores.add(head * stride + run) = f32::NEG_INFINITY };
        }
        for base in (run * len..end).step_by(KEYS) {
            let rows = KEYS.min(end - base);
            // SAFETY: the caller's; the scratch has `KEYS` rows, and `KEYS` scores for each query.
            unsafe {
                let mut at = 0;
                while at < rows {
                    let to = scratch.values.as_mut_ptr().add(at * row_len);
                    at += cache.widen::<V>(tile, base + at, rows - at, to);
                }
                let (q, values) = (scratch.q.as_ptr(), scratch.values.as_ptr());
                dots::<V>(heads, rows, row_len, q, values, scratch.scores.as_mut_ptr());
                for (head, products) in scratch.scores.chunks_exact(KEYS).enumerate().take(heads) {
                    let most = products[..rows].iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    let score = scores.add(head * stride + run);
                    *score = (*score).max(most);
                }
            }
        }
    }
}

/// What does not change from step to step: one operator of the program.
pub(crate) struct RowHead<'a> {
    pub window: RowCache<'a>,
    pub window_len: usize,
    /// Where rows are chosen from.
    pub chosen: Option<RowCache<'a>>,
    pub rope: RopeStyle,
    pub scale: f32,
    /// One for every head.
    pub sinks: &'a [f32],
}

/// Attend the heads `heads` of one row over its window and the rows in `list`, up to the first that is negative. The tiles are of that row, with
/// the blocks of either cache. `q` and `out` are those of the heads.
///
/// # Safety
/// The processor has `V`'s instruction set; the rows exist and are written by nobody.
#[inline(always)]
pub(crate) unsafe fn attend_listed<V: Vector>(
    head: &RowHead,
    heads: Range<usize>,
    [tile, all]: [&QueryTile; 2],
    list: &[f32],
    q: &[f32],
    out: &mut [f32],
    scratch: &mut Scratch,
) {
    let layout = head.window.layout;
    let (stride, dim, count) = (layout.value_stride, layout.value_dim, heads.len());
    let turned = dim - tile.angles.len();
    for (to, from) in scratch.q.chunks_exact_mut(stride).zip(q.chunks_exact(dim)) {
        to[..dim].copy_from_slice(from);
        to[dim..].fill(0.0);
        rotate(head.rope, tile.angles, &mut to[turned..dim]);
        to[..dim].iter_mut().for_each(|x| *x *= head.scale);
    }
    let latent = LatentHead {
        layout,
        cache: head.window.region,
        heads: count,
        latent_dim: dim,
        kv_norm: (&[], 0.0),
        rope: head.rope,
        scale: head.scale,
        growth: None,
    };
    scratch.partial.clear(count, stride);
    let seen = (tile.position + 1).saturating_sub(head.window_len)..tile.position + 1;
    // SAFETY: the caller's; the scratch has `KEYS` rows.
    unsafe {
        for base in seen.clone().step_by(KEYS) {
            let (mut at, len) = (0, (seen.end - base).min(KEYS));
            while at < len {
                let to = scratch.values.as_mut_ptr().add(at * stride);
                at += head.window.widen::<V>(tile, base + at, len - at, to);
            }
            fold::<V>(&latent, count, len, |_| 0..len, scratch);
        }
        if let Some(cache) = &head.chosen {
            let listed = list.iter().position(|row| *row < 0.0).unwrap_or(list.len());
            for rows in list[..listed].chunks(KEYS) {
                for (at, row) in rows.iter().enumerate() {
                    cache.widen::<V>(all, *row as usize, 1, scratch.values.as_mut_ptr().add(at * stride));
                }
                fold::<V>(&latent, count, rows.len(), |_| 0..rows.len(), scratch);
            }
        }
        for (query, to) in out.chunks_exact_mut(dim).enumerate() {
            let (max, sum, sink) =
                (scratch.partial.max[query], scratch.partial.sum[query], head.sinks[heads.start + query]);
            let most = max.max(sink);
            let factor = (max - most).exp() / (sum * (max - most).exp() + (sink - most).exp());
            let result = &mut scratch.partial.out[query * stride..][..stride];
            scale::<V>(result, factor);
            to.copy_from_slice(&result[..dim]);
            rotate_back(head.rope, tile.angles, &mut to[turned..]);
        }
    }
}
