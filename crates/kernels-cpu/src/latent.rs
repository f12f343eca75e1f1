//! Attention over latent rows: one row per token that serves all heads, as key in full and as value by its first part.
//!
//! As in [`attend`](crate::attend), with a tile of rows converted once for all queries at hand:
//!
//! ```text
//! for each tile of cached rows C:           [KEYS, latent + rope]
//!     S = Q · Cᵀ                            dot products, four queries by four rows at a time
//!     P = softmax so far
//!     O = O c + P · C[.., ..latent]
//! ```
//!
//! With many heads that is arithmetic, not a matter of memory: heads, not keys, are divided among threads first.

// Kernels over raw vectors and the cache's raw memory.
#![allow(unsafe_code)]

use std::ops::Range;

use tandem_tensor::{Growth, RopeStyle};

use crate::attend::{KEYS, PARTITION, Partial, QueryTile, Scratch, Shape, merge, multiply, scale, softmax};
use crate::cache::CacheLayout;
use crate::memory::Region;
use crate::norm::rms_norm;
use crate::rope::rotate;
use crate::simd::Vector;

/// What does not change from step to step: one operator of the program.
pub(crate) struct LatentHead<'a> {
    /// Its values are the latent rows.
    pub layout: CacheLayout,
    pub cache: &'a Region,
    pub heads: usize,
    pub latent_dim: usize,
    pub kv_norm: (&'a [f32], f32),
    pub rope: RopeStyle,
    pub scale: f32,
    pub growth: Option<Growth>,
}

impl LatentHead<'_> {
    /// From one row, or query, to the next.
    pub(crate) fn stride(&self) -> usize {
        self.layout.value_stride
    }
}

/// Append the latent rows of a tile's tokens to the cache.
///
/// # Safety
/// The processor has `V`'s instruction set, the tile's blocks exist, and nobody else touches these rows' slots.
#[inline(always)]
pub(crate) unsafe fn append_latent<V: Vector>(
    head: &LatentHead,
    tile: &QueryTile,
    kv: &[f32],
    scratch: &mut Scratch,
) {
    let layout = &head.layout;
    let dim = layout.value_dim;
    let to = &mut scratch.values[..layout.value_stride];
    to[dim..].fill(0.0);
    for row in 0..tile.rows {
        let (latent, rope) = kv[(tile.row + row) * dim..][..dim].split_at(head.latent_dim);
        let (weight, eps) = head.kv_norm;
        // SAFETY: the caller's.
        unsafe { rms_norm::<V>(latent, weight, eps, &mut to[..head.latent_dim]) };
        to[head.latent_dim..dim].copy_from_slice(rope);
        rotate(head.rope, tile.angles_of(row), &mut to[head.latent_dim..dim]);
        let position = tile.position + row;
        let block = tile.block_at(position, layout);
        // SAFETY: the caller's; the block exists.
        unsafe {
            let part = layout.part(head.cache, block, 0);
            layout.store::<V>(part, position % layout.block_len, &[], to);
        }
    }
}

/// Attend a tile's queries of some heads over all that they see. `queries` is `[row of the batch, head, stride]`; the
/// results are left in `scratch.total.out`, `[row of the tile, head of heads, stride]`, of which `latent_dim` count.
///
/// # Safety
/// As [`append_latent`], which has been done for all rows of the sequence up to the tile's last.
#[inline(always)]
pub(crate) unsafe fn attend_latent<V: Vector>(
    head: &LatentHead,
    heads: Range<usize>,
    tile: &QueryTile,
    queries: &[f32],
    scratch: &mut Scratch,
) {
    let count = tile.rows * heads.len();
    // SAFETY: the caller's.
    unsafe {
        gather(head, heads.clone(), tile, queries, scratch);
        scratch.total.clear(count, head.stride());
        for partition in tile.partitions(None) {
            attend_rows::<V>(head, heads.len(), tile, partition, scratch);
            merge::<V>(&scratch.partial, 0, &mut scratch.total, count, head.stride());
        }
        finish::<V>(count, head.stride(), scratch);
    }
}

/// One partition of [`attend_latent`] for a tile of one row and some heads, for another thread's [`merge_latent`].
///
/// # Safety
/// As [`attend_latent`]; `out` has room for all heads, and those of `heads` are nobody else's.
#[inline(always)]
pub(crate) unsafe fn attend_latent_partition<V: Vector>(
    head: &LatentHead,
    heads: Range<usize>,
    tile: &QueryTile,
    partition: usize,
    queries: &[f32],
    out: &mut Partial,
    scratch: &mut Scratch,
) {
    let (count, stride) = (heads.len(), head.stride());
    // SAFETY: the caller's.
    unsafe {
        gather(head, heads.clone(), tile, queries, scratch);
        attend_rows::<V>(head, count, tile, partition, scratch);
    }
    out.max[heads.clone()].copy_from_slice(&scratch.partial.max[..count]);
    out.sum[heads.clone()].copy_from_slice(&scratch.partial.sum[..count]);
    out.out[heads.start * stride..heads.end * stride].copy_from_slice(&scratch.partial.out[..count * stride]);
}

/// The rest of [`attend_latent`] once all partitions are done, in order.
///
/// # Safety
/// As [`attend_latent`].
#[inline(always)]
pub(crate) unsafe fn merge_latent<V: Vector>(
    head: &LatentHead,
    heads: Range<usize>,
    partials: &[Partial],
    scratch: &mut Scratch,
) {
    scratch.total.clear(heads.len(), head.stride());
    // SAFETY: the caller's.
    unsafe {
        for partial in partials {
            merge::<V>(partial, heads.start, &mut scratch.total, heads.len(), head.stride());
        }
        finish::<V>(heads.len(), head.stride(), scratch);
    }
}

/// Scale the tile's queries into `scratch.q`.
#[inline(always)]
pub(crate) unsafe fn gather(
    head: &LatentHead,
    heads: Range<usize>,
    tile: &QueryTile,
    queries: &[f32],
    scratch: &mut Scratch,
) {
    let len = heads.len() * head.stride();
    for row in 0..tile.rows {
        let from = &queries[((tile.row + row) * head.heads + heads.start) * head.stride()..][..len];
        let to = &mut scratch.q[row * len..][..len];
        let growth = head.growth.map_or(1.0, |growth| growth.at(tile.position + row));
        let scale = head.scale * growth;
        to.iter_mut().zip(from).for_each(|(to, from)| *to = from * scale);
    }
}

/// `m, l, O` of the queries in `scratch.q`, `heads` for each row of the tile, over one partition, into `scratch.partial`.
#[inline(always)]
unsafe fn attend_rows<V: Vector>(
    head: &LatentHead,
    heads: usize,
    tile: &QueryTile,
    partition: usize,
    scratch: &mut Scratch,
) {
    let (layout, stride) = (&head.layout, head.stride());
    let count = tile.rows * heads;
    scratch.partial.clear(count, stride);
    let end = (tile.position + tile.rows).min((partition + 1) * PARTITION);
    let segment = layout.block_len.min(KEYS);
    for base in (partition * PARTITION..end).step_by(KEYS) {
        let to = (end - base).min(KEYS);
        // SAFETY: the caller's. Blocks of positions below `end` exist; the scratch has `KEYS` rows, and `KEYS` scores
        // for each query.
        unsafe {
            for index in 0..to.div_ceil(segment) {
                let position = base + index * segment;
                let part = layout.part(head.cache, tile.block_at(position, layout), 0);
                let rows = scratch.values.as_mut_ptr().add(index * segment * stride);
                let none = std::ptr::null_mut();
                layout.widen::<V>(part, position % layout.block_len, segment, none, 0, rows);
            }
            let seen = |query: usize| 0..to.min((tile.position + query / heads + 1).saturating_sub(base));
            fold::<V>(head, count, to, seen, scratch);
        }
    }
}

/// Take the first `rows` of `scratch.values` into `scratch.partial`, for the first `count` queries in `scratch.q`, each of which sees some.
///
/// # Safety
/// As [`attend_latent`].
#[inline(always)]
pub(crate) unsafe fn fold<V: Vector>(
    head: &LatentHead,
    count: usize,
    rows: usize,
    seen: impl Fn(usize) -> Range<usize>,
    scratch: &mut Scratch,
) {
    let stride = head.stride();
    // SAFETY: the caller's; there are `KEYS` scores for each query.
    unsafe {
        let (q, values) = (scratch.q.as_ptr(), scratch.values.as_ptr());
        dots::<V>(count, rows, stride, q, values, scratch.scores.as_mut_ptr());
        let partial = &mut scratch.partial;
        for query in 0..count {
            let row = &mut scratch.scores[query * KEYS..][..KEYS];
            let (max, sum) = (&mut partial.max[query], &mut partial.sum[query]);
            let shrink = softmax::<V>(row, 0..rows, seen(query), max, sum);
            if shrink != 1.0 {
                scale::<V>(&mut partial.out[query * stride..][..stride], shrink);
            }
        }
        let shape = Shape { rows: count, depth: rows, width: head.latent_dim.next_multiple_of(V::LANES) };
        let (scores, out) = (scratch.scores.as_ptr(), partial.out.as_mut_ptr());
        multiply::<V, f32, true>(shape, scores, KEYS, values, stride, out, stride);
    }
}

#[inline(always)]
pub(crate) unsafe fn finish<V: Vector>(count: usize, stride: usize, scratch: &mut Scratch) {
    for query in 0..count {
        let factor = 1.0 / scratch.total.sum[query];
        // SAFETY: the caller's.
        unsafe { scale::<V>(&mut scratch.total.out[query * stride..][..stride], factor) };
    }
}

/// `scores[query * KEYS + row] = q[query] · rows[row]`, all of `depth` values. Each is summed in the same order whatever
/// its neighbours.
#[inline(always)]
pub(crate) unsafe fn dots<V: Vector>(
    queries: usize,
    count: usize,
    depth: usize,
    q: *const f32,
    rows: *const f32,
    scores: *mut f32,
) {
    let mut row = 0;
    while row < count {
        let width = if row + 4 <= count { 4 } else { 1 };
        let mut query = 0;
        while query < queries {
            // SAFETY: the caller's.
            unsafe {
                let (q, rows) = (q.add(query * depth), rows.add(row * depth));
                let scores = scores.add(query * KEYS + row);
                query += match (queries - query, width) {
                    (4.., 4) if V::TILE == 4 => dot_tile::<V, 4, 4>(depth, q, rows, scores),
                    (2.., 4) => dot_tile::<V, 2, 4>(depth, q, rows, scores),
                    (_, 4) => dot_tile::<V, 1, 4>(depth, q, rows, scores),
                    (4.., _) => dot_tile::<V, 4, 1>(depth, q, rows, scores),
                    _ => dot_tile::<V, 1, 1>(depth, q, rows, scores),
                };
            }
        }
        row += width;
    }
}

/// Returns `Q`.
#[inline(always)]
unsafe fn dot_tile<V: Vector, const Q: usize, const R: usize>(
    depth: usize,
    q: *const f32,
    rows: *const f32,
    scores: *mut f32,
) -> usize {
    // SAFETY: the caller's: there are `Q` queries and `R` rows of `depth` values, which are whole vectors.
    unsafe {
        let mut sums = [[V::zero(); R]; Q];
        let mut i = 0;
        while i < depth {
            let mut x = [V::zero(); R];
            for r in 0..R {
                x[r] = V::load(rows.add(r * depth + i));
            }
            for n in 0..Q {
                let y = V::load(q.add(n * depth + i));
                for r in 0..R {
                    sums[n][r] = y.fma(x[r], sums[n][r]);
                }
            }
            i += V::LANES;
        }
        for n in 0..Q {
            for r in 0..R {
                *scores.add(n * KEYS + r) = sums[n][r].sum();
            }
        }
    }
    Q
}
