//! Attention of some queries over one head's keys and values in the paged cache.
//!
//! In pseudo-code, for a tile of queries (all query heads that share a key head, times some rows) and
//! keys in tiles of [`KEYS`], left to right:
//!
//! ```text
//! for each tile of keys:
//!     S = Q · Kᵀ                       [queries, keys]     masked to what a query may see
//!     m' = max(m, rowmax S)
//!     P = exp(S - m'),  c = exp(m - m')
//!     l = l c + rowsum P
//!     O = O c + P · V                  [queries, value_dim]
//! out = O / l
//! ```
//!
//! 1. Both products are one kernel, [`multiply`]: rows of scalars times rows of vectors, because the cache
//!    stores keys transposed. Keys and values loaded into a register serve four queries.
//! 2. Few queries (decoding) read the cache as it is stored and convert in registers; many (prefill) share
//!    a tile converted once.
//! 3. Long sequences are cut into partitions of [`PARTITION`] keys, each with its own `m, l, O`, merged in
//!    order. One thread or many may compute the partitions: the result is the same to the bit.

// Kernels over raw vectors and the cache's raw memory.
#![allow(unsafe_code)]

use tandem_tensor::{CacheType, Growth, RopeStyle, Window};

use crate::cache::CacheLayout;
use crate::memory::{Region, prefetch_far};
use crate::norm::rms_norm;
use crate::rope::rotate;
use crate::simd::{Element, LANES_MAX, Vector, exp};

/// Keys handled between two updates of the running maximum.
pub(crate) const KEYS: usize = 64;
/// Keys of a partition; a multiple of [`KEYS`].
pub(crate) const PARTITION: usize = 512;
/// Queries of a tile: this many, or one row of all heads of a group where that is more.
pub(crate) const QUERIES: usize = 64;
/// From this many queries on, converting a tile of keys once is cheaper than in registers each time.
const CONVERT_FROM: usize = 9;

/// What does not change from step to step: one attention operator of the program.
pub(crate) struct Head<'a> {
    pub layout: CacheLayout,
    pub cache: &'a Region,
    pub heads: usize,
    pub q_norm: Option<(&'a [f32], f32)>,
    pub k_norm: Option<(&'a [f32], f32)>,
    pub rope: Option<RopeStyle>,
    pub scale: f32,
    pub growth: Option<Growth>,
    pub window: Option<Window>,
    /// One per query head.
    pub sinks: Option<&'a [f32]>,
}

impl Head<'_> {
    /// Query heads that share a key head.
    pub(crate) fn group(&self) -> usize {
        self.heads / self.layout.kv_heads
    }
}

/// Rows of one sequence that are attended together.
#[derive(Clone, Copy)]
pub(crate) struct QueryTile<'a> {
    /// First row in the batch.
    pub row: usize,
    pub rows: usize,
    /// Position of the first row.
    pub position: usize,
    /// The sequence's blocks from `first_block` on.
    pub blocks: &'a [u32],
    pub first_block: usize,
    /// `[cosines, sines]` of the tile's rows; empty without rope.
    pub angles: &'a [f32],
    /// Where its rows are given together: the end of those, up to which every one sees. 0 where they are not.
    pub until: usize,
}

impl QueryTile<'_> {
    /// Partitions of keys that some row of the tile sees.
    pub(crate) fn partitions(&self, window: Option<Window>) -> std::ops::Range<usize> {
        self.seen(window).start / PARTITION..self.seen(window).end.div_ceil(PARTITION)
    }

    /// Positions that some row of the tile sees.
    fn seen(&self, window: Option<Window>) -> std::ops::Range<usize> {
        let first = window.map_or(0, |window| window.first(self.position));
        first..(self.position + self.rows).max(self.until)
    }

    /// The block that holds `position`.
    #[inline(always)]
    pub(crate) fn block_at(&self, position: usize, layout: &CacheLayout) -> u32 {
        self.blocks[position / layout.block_len - self.first_block]
    }

    pub(crate) fn angles_of(&self, row: usize) -> &[f32] {
        let len = self.angles.len() / self.rows;
        &self.angles[row * len..][..len]
    }
}

/// One thread's working memory.
pub(crate) struct Scratch {
    /// Prepared queries, `[queries, key_dim]`.
    pub q: Vec<f32>,
    /// `[queries, KEYS]`
    pub scores: Vec<f32>,
    keys: Vec<f32>,
    pub values: Vec<f32>,
    /// The partition at hand, and the merger of those before.
    pub partial: Partial,
    pub total: Partial,
}

/// `m, l, O` of some queries.
pub(crate) struct Partial {
    pub max: Vec<f32>,
    pub sum: Vec<f32>,
    /// `[queries, value_stride]`
    pub out: Vec<f32>,
}

impl Partial {
    pub(crate) fn new(queries: usize, value_stride: usize) -> Partial {
        Partial { max: vec![0.0; queries], sum: vec![0.0; queries], out: vec![0.0; queries * value_stride] }
    }

    pub(crate) fn clear(&mut self, queries: usize, value_stride: usize) {
        self.max[..queries].fill(f32::NEG_INFINITY);
        self.sum[..queries].fill(0.0);
        self.out[..queries * value_stride].fill(0.0);
    }
}

impl Scratch {
    /// For tiles of `queries` queries over caches whose keys and values have at most these sizes.
    pub(crate) fn new(queries: usize, key_dim: usize, value_stride: usize) -> Scratch {
        Scratch {
            q: vec![0.0; queries * key_dim],
            scores: vec![0.0; queries * KEYS],
            keys: vec![0.0; key_dim * KEYS],
            values: vec![0.0; KEYS * value_stride],
            partial: Partial::new(queries, value_stride),
            total: Partial::new(queries, value_stride),
        }
    }

    /// What the last whole attention found, a row per query.
    pub(crate) fn results(&self) -> &[f32] {
        &self.total.out
    }

    pub(crate) const fn bytes(queries: usize, key_dim: usize, value_stride: usize) -> usize {
        let partial = queries * (2 + value_stride);
        4 * (queries * (key_dim + KEYS) + (key_dim + value_stride) * KEYS + 2 * partial)
    }
}

/// Append keys and values of a tile's rows to the cache, for one key head.
///
/// # Safety
/// The processor has `V`'s instruction set, the tile's blocks exist, and nobody else touches these rows' slots.
#[inline(always)]
pub(crate) unsafe fn append<V: Vector>(
    head: &Head,
    kv_head: usize,
    tile: &QueryTile,
    k: &[f32],
    v: &[f32],
    scratch: &mut Scratch,
) {
    let layout = &head.layout;
    let (key_dim, value_dim) = (layout.key_dim, layout.value_dim);
    let key = &mut scratch.keys[..key_dim];
    let value = &mut scratch.values[..layout.value_stride];
    value[value_dim..].fill(0.0);
    for row in 0..tile.rows {
        let at = (tile.row + row) * layout.kv_heads + kv_head;
        let k = &k[at * key_dim..][..key_dim];
        // SAFETY: the caller's.
        unsafe { prepare::<V>(k, head.k_norm, head.rope, tile.angles_of(row), key) };
        value[..value_dim].copy_from_slice(&v[at * value_dim..][..value_dim]);
        let position = tile.position + row;
        let block = tile.block_at(position, layout);
        // SAFETY: the caller's; the block exists.
        unsafe {
            let part = layout.part(head.cache, block, kv_head);
            layout.store::<V>(part, position % layout.block_len, key, value);
        }
    }
}

/// Attend a tile's queries of one key head over all that they see and write `out[row, head]`.
///
/// # Safety
/// As [`append`], which has been done for all rows of the sequence that the tile sees.
#[inline(always)]
pub(crate) unsafe fn attend<V: Vector>(
    head: &Head,
    kv_head: usize,
    tile: &QueryTile,
    q: &[f32],
    out: *mut f32,
    scratch: &mut Scratch,
) {
    let (group, stride) = (head.group(), head.layout.value_stride);
    let queries = tile.rows * group;
    // SAFETY: the caller's.
    unsafe {
        gather::<V>(head, kv_head, tile, q, scratch);
        scratch.total.clear(queries, stride);
        for partition in tile.partitions(head.window) {
            attend_keys::<V>(head, kv_head, tile, partition, scratch);
            merge::<V>(&scratch.partial, 0, &mut scratch.total, queries, stride);
        }
        finish::<V>(head, kv_head, tile, &mut scratch.total, out);
    }
}

/// One partition of [`attend`], for another thread's [`attend_merged`].
///
/// # Safety
/// As [`attend`].
#[inline(always)]
pub(crate) unsafe fn attend_partition<V: Vector>(
    head: &Head,
    kv_head: usize,
    tile: &QueryTile,
    partition: usize,
    q: &[f32],
    out: &mut Partial,
    scratch: &mut Scratch,
) {
    let queries = tile.rows * head.group();
    // SAFETY: the caller's.
    unsafe {
        gather::<V>(head, kv_head, tile, q, scratch);
        attend_keys::<V>(head, kv_head, tile, partition, scratch);
    }
    out.max[..queries].copy_from_slice(&scratch.partial.max[..queries]);
    out.sum[..queries].copy_from_slice(&scratch.partial.sum[..queries]);
    let len = queries * head.layout.value_stride;
    out.out[..len].copy_from_slice(&scratch.partial.out[..len]);
}

/// The rest of [`attend`] once all partitions of the tile are done, in order.
///
/// # Safety
/// As [`attend`].
#[inline(always)]
pub(crate) unsafe fn attend_merged<V: Vector>(
    head: &Head,
    kv_head: usize,
    tile: &QueryTile,
    partials: &[Partial],
    out: *mut f32,
    scratch: &mut Scratch,
) {
    let (queries, stride) = (tile.rows * head.group(), head.layout.value_stride);
    scratch.total.clear(queries, stride);
    // SAFETY: the caller's.
    unsafe {
        for partial in partials {
            merge::<V>(partial, 0, &mut scratch.total, queries, stride);
        }
        finish::<V>(head, kv_head, tile, &mut scratch.total, out);
    }
}

/// Normalise, rotate and scale the tile's queries into `scratch.q`.
#[inline(always)]
unsafe fn gather<V: Vector>(head: &Head, kv_head: usize, tile: &QueryTile, q: &[f32], scratch: &mut Scratch) {
    let (group, dim) = (head.group(), head.layout.key_dim);
    for row in 0..tile.rows {
        let growth = head.growth.map_or(1.0, |growth| growth.at(tile.position + row));
        let scale = head.scale * growth;
        for g in 0..group {
            let from = &q[((tile.row + row) * head.heads + kv_head * group + g) * dim..][..dim];
            let to = &mut scratch.q[(row * group + g) * dim..][..dim];
            // SAFETY: the caller's.
            unsafe { prepare::<V>(from, head.q_norm, head.rope, tile.angles_of(row), to) };
            to.iter_mut().for_each(|x| *x *= scale);
        }
    }
}

#[inline(always)]
unsafe fn prepare<V: Vector>(
    from: &[f32],
    norm: Option<(&[f32], f32)>,
    rope: Option<RopeStyle>,
    angles: &[f32],
    to: &mut [f32],
) {
    match norm {
        // SAFETY: the caller's.
        Some((weight, eps)) => unsafe { rms_norm::<V>(from, weight, eps, to) },
        None => to.copy_from_slice(from),
    }
    if let Some(style) = rope {
        rotate(style, angles, to);
    }
}

/// `m, l, O` of the queries in `scratch.q` over one partition, into `scratch.partial`.
#[inline(always)]
unsafe fn attend_keys<V: Vector>(
    head: &Head,
    kv_head: usize,
    tile: &QueryTile,
    partition: usize,
    scratch: &mut Scratch,
) {
    let layout = &head.layout;
    let (group, dim, stride) = (head.group(), layout.key_dim, layout.value_stride);
    let queries = tile.rows * group;
    scratch.partial.clear(queries, stride);
    let seen = tile.seen(head.window);
    let first = seen.start.max(partition * PARTITION);
    let end = seen.end.min((partition + 1) * PARTITION);
    let direct = match layout.kind {
        CacheType::F32 => true,
        CacheType::F16 => queries < CONVERT_FROM,
        CacheType::Q8 => false,
    } && layout.block_len.is_multiple_of(LANES_MAX);

    // A segment is one block's tokens, or a tile's part of a large block.
    let segment = layout.block_len.min(KEYS);
    let mut base = first / KEYS * KEYS;
    while base < end {
        if layout.block_len <= KEYS {
            ask_ahead(head, kv_head, tile, base + KEYS);
        }
        let (from, to) = (first.max(base) - base, end.min(base + KEYS) - base);
        let segments = from / segment..to.div_ceil(segment);
        // SAFETY: the caller's. The segments' blocks exist because positions below `end` do; rows of the
        // scratch are `KEYS` long and segments lie within them.
        unsafe {
            let part = |index: usize| {
                let position = base + index * segment;
                let block = tile.block_at(position, layout);
                (layout.part(head.cache, block, kv_head), position % layout.block_len)
            };
            let q = scratch.q.as_ptr();
            let scores = scratch.scores.as_mut_ptr();
            if direct {
                for index in segments.clone() {
                    let (part, offset) = part(index);
                    let to = scores.add(index * segment);
                    let shape = Shape { rows: queries, depth: dim, width: segment };
                    match layout.kind {
                        CacheType::F32 => {
                            let keys = part.keys.cast::<f32>().add(offset);
                            multiply::<V, f32, false>(shape, q, dim, keys, layout.block_len, to, KEYS);
                        }
                        _ => {
                            let keys = part.keys.cast::<u16>().add(offset);
                            multiply::<V, u16, false>(shape, q, dim, keys, layout.block_len, to, KEYS);
                        }
                    }
                }
            } else {
                for index in segments.clone() {
                    let (part, offset) = part(index);
                    let keys = scratch.keys.as_mut_ptr().add(index * segment);
                    let values = scratch.values.as_mut_ptr().add(index * segment * stride);
                    layout.widen::<V>(part, offset, segment, keys, KEYS, values);
                }
                let (first, end) = (from / V::LANES * V::LANES, to.next_multiple_of(V::LANES));
                let shape = Shape { rows: queries, depth: dim, width: end - first };
                let keys = scratch.keys.as_ptr().add(first);
                multiply::<V, f32, false>(shape, q, dim, keys, KEYS, scores.add(first), KEYS);
            }

            let partial = &mut scratch.partial;
            for query in 0..queries {
                let position = tile.position + query / group;
                let oldest = head.window.map_or(0, |window| window.first(position));
                let end = (position + 1).max(tile.until);
                let seen = from.max(oldest.saturating_sub(base))..to.min(end.saturating_sub(base));
                let row = &mut scratch.scores[query * KEYS..][..KEYS];
                let shrink =
                    softmax::<V>(row, from..to, seen, &mut partial.max[query], &mut partial.sum[query]);
                if shrink != 1.0 {
                    scale::<V>(&mut partial.out[query * stride..][..stride], shrink);
                }
            }

            let scores = scratch.scores.as_ptr();
            let out = partial.out.as_mut_ptr();
            if direct {
                for index in segments {
                    let (part, offset) = part(index);
                    let at = from.max(index * segment);
                    let depth = to.min((index + 1) * segment) - at;
                    let shape = Shape { rows: queries, depth, width: stride };
                    let row = (offset + at - index * segment) * stride;
                    match layout.kind {
                        CacheType::F32 => {
                            let values = part.values.cast::<f32>().add(row);
                            multiply::<V, f32, true>(
                                shape,
                                scores.add(at),
                                KEYS,
                                values,
                                stride,
                                out,
                                stride,
                            );
                        }
                        _ => {
                            let values = part.values.cast::<u16>().add(row);
                            multiply::<V, u16, true>(
                                shape,
                                scores.add(at),
                                KEYS,
                                values,
                                stride,
                                out,
                                stride,
                            );
                        }
                    }
                }
            } else {
                let shape = Shape { rows: queries, depth: to - from, width: stride };
                let values = scratch.values.as_ptr().add(from * stride);
                multiply::<V, f32, true>(shape, scores.add(from), KEYS, values, stride, out, stride);
            }
        }
        base += KEYS;
    }
}

/// Ask for the tile of keys and values from `position` on: blocks lie apart, and at the start of each the processor's own
/// prefetching knows nothing.
#[inline(always)]
fn ask_ahead(head: &Head, kv_head: usize, tile: &QueryTile, position: usize) {
    let layout = &head.layout;
    let seen = tile.position + tile.rows;
    for position in (position..seen.min(position + KEYS)).step_by(layout.block_len) {
        // SAFETY: the block exists, because positions below `seen` do.
        let part = unsafe { layout.part(head.cache, tile.block_at(position, layout), kv_head) };
        for line in (0..layout.head_bytes()).step_by(64) {
            prefetch_far(part.keys.wrapping_add(line));
        }
    }
}

/// Turns one query's scores into weights relative to the running maximum: zero outside `seen`. Gives back
/// the factor by which what was summed before has shrunk.
#[inline(always)]
pub(crate) unsafe fn softmax<V: Vector>(
    row: &mut [f32],
    keys: std::ops::Range<usize>,
    seen: std::ops::Range<usize>,
    max: &mut f32,
    sum: &mut f32,
) -> f32 {
    if seen.is_empty() {
        row[keys].fill(0.0);
        return 1.0;
    }
    let (first, end) = (keys.start / V::LANES * V::LANES, keys.end.next_multiple_of(V::LANES));
    row[first..seen.start].fill(f32::NEG_INFINITY);
    row[seen.end..end].fill(f32::NEG_INFINITY);
    let row = row.as_mut_ptr();
    // SAFETY: the caller's; `end` is at most `KEYS`, the row's length, which is a multiple of `LANES`.
    unsafe {
        let mut largest = V::load(row.add(first));
        let mut i = first + V::LANES;
        while i < end {
            largest = largest.max(V::load(row.add(i)));
            i += V::LANES;
        }
        let before = *max;
        *max = before.max(largest.largest());
        let minus_max = V::splat(-*max);
        let mut total = V::zero();
        let mut i = first;
        while i < end {
            let weight = exp(V::load(row.add(i)).add(minus_max));
            weight.store(row.add(i));
            total = total.add(weight);
            i += V::LANES;
        }
        let shrink = if before == *max { 1.0 } else { (before - *max).exp() };
        *sum = *sum * shrink + total.sum();
        shrink
    }
}

#[inline(always)]
pub(crate) unsafe fn scale<V: Vector>(x: &mut [f32], factor: f32) {
    debug_assert!(x.len().is_multiple_of(V::LANES));
    // SAFETY: the caller's; value rows are whole vectors.
    unsafe {
        let factor = V::splat(factor);
        let mut i = 0;
        while i < x.len() {
            let at = x.as_mut_ptr().add(i);
            V::load(at).mul(factor).store(at);
            i += V::LANES;
        }
    }
}

/// `total += part`, both relative to their own maxima, for the queries of `part` from `first` on.
///
/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
pub(crate) unsafe fn merge<V: Vector>(
    part: &Partial,
    first: usize,
    total: &mut Partial,
    queries: usize,
    stride: usize,
) {
    for query in 0..queries {
        let from = first + query;
        if part.max[from] == f32::NEG_INFINITY {
            continue;
        }
        let max = total.max[query].max(part.max[from]);
        let (old, new) = ((total.max[query] - max).exp(), (part.max[from] - max).exp());
        total.max[query] = max;
        total.sum[query] = total.sum[query] * old + part.sum[from] * new;
        let (from, to) = (&part.out[from * stride..][..stride], &mut total.out[query * stride..][..stride]);
        // SAFETY: the caller's; value rows are whole vectors.
        unsafe {
            let (old, new) = (V::splat(old), V::splat(new));
            let mut i = 0;
            while i < stride {
                let at = to.as_mut_ptr().add(i);
                V::load(at).mul(old).add(V::load(from.as_ptr().add(i)).mul(new)).store(at);
                i += V::LANES;
            }
        }
    }
}

/// Divide by the sum, sinks included, and write the rows out.
#[inline(always)]
unsafe fn finish<V: Vector>(
    head: &Head,
    kv_head: usize,
    tile: &QueryTile,
    total: &mut Partial,
    out: *mut f32,
) {
    let (group, stride, dim) = (head.group(), head.layout.value_stride, head.layout.value_dim);
    for query in 0..tile.rows * group {
        let (row, index) = (tile.row + query / group, kv_head * group + query % group);
        let mut factor = 1.0 / total.sum[query];
        if let Some(sinks) = head.sinks {
            let max = total.max[query].max(sinks[index]);
            let grown = (total.max[query] - max).exp();
            factor = grown / (total.sum[query] * grown + (sinks[index] - max).exp());
        }
        let from = &mut total.out[query * stride..][..stride];
        // SAFETY: the caller's; rows and heads of the output are disjoint between calls.
        unsafe {
            scale::<V>(from, factor);
            out.add((row * head.heads + index) * dim).copy_from_nonoverlapping(from.as_ptr(), dim);
        }
    }
}

/// `c[rows, width] = a[rows, depth] · b[depth, width]`
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub rows: usize,
    pub depth: usize,
    /// Whole vectors.
    pub width: usize,
}

/// The product of `shape`, added to `c` where `ADD`. Each result is summed over the depth in order, whatever
/// the other rows: a query's result does not depend on its company.
#[inline(always)]
pub(crate) unsafe fn multiply<V: Vector, E: Element, const ADD: bool>(
    shape: Shape,
    a: *const f32,
    a_stride: usize,
    b: *const E,
    b_stride: usize,
    c: *mut f32,
    c_stride: usize,
) {
    let vectors = shape.width / V::LANES;
    debug_assert!(shape.width.is_multiple_of(V::LANES));
    // SAFETY: the caller's: the three matrices have `shape`.
    unsafe {
        let mut vector = 0;
        while vector < vectors {
            let wide = V::TILE == 4 && vector + 4 <= vectors;
            let pair = vector + 2 <= vectors;
            let at = vector * V::LANES;
            let mut row = 0;
            while row < shape.rows {
                let (a, b, c) = (a.add(row * a_stride), b.add(at), c.add(row * c_stride + at));
                // Eight rows by two vectors fill the registers as four by four do.
                let most = if V::TILE == 4 && pair && !wide { 8 } else { 4 };
                let rows = match shape.rows - row {
                    left if left >= most => most,
                    left => left.min(4),
                };
                macro_rules! tile {
                    ($rows:literal, $vectors:literal) => {
                        tile::<V, E, $rows, $vectors, ADD>(shape.depth, a, a_stride, b, b_stride, c, c_stride)
                    };
                }
                match (rows, wide, pair) {
                    (8, _, _) => tile!(8, 2),
                    (4, true, _) => tile!(4, 4),
                    (3, true, _) => tile!(3, 4),
                    (2, true, _) => tile!(2, 4),
                    (_, true, _) => tile!(1, 4),
                    (4, _, true) => tile!(4, 2),
                    (3, _, true) => tile!(3, 2),
                    (2, _, true) => tile!(2, 2),
                    (_, _, true) => tile!(1, 2),
                    (4, _, _) => tile!(4, 1),
                    (3, _, _) => tile!(3, 1),
                    (2, _, _) => tile!(2, 1),
                    _ => tile!(1, 1),
                }
                row += rows;
            }
            vector += if wide {
                4
            } else if pair {
                2
            } else {
                1
            };
        }
    }
}

#[inline(always)]
unsafe fn tile<V: Vector, E: Element, const ROWS: usize, const VECTORS: usize, const ADD: bool>(
    depth: usize,
    a: *const f32,
    a_stride: usize,
    b: *const E,
    b_stride: usize,
    c: *mut f32,
    c_stride: usize,
) {
    // SAFETY: the caller's.
    unsafe {
        let mut sums = [[V::zero(); VECTORS]; ROWS];
        if ADD {
            for row in 0..ROWS {
                for vector in 0..VECTORS {
                    sums[row][vector] = V::load(c.add(row * c_stride + vector * V::LANES));
                }
            }
        }
        for k in 0..depth {
            let mut x = [V::zero(); VECTORS];
            for vector in 0..VECTORS {
                x[vector] = E::load::<V>(b.add(k * b_stride + vector * V::LANES));
            }
            for row in 0..ROWS {
                let y = V::splat(*a.add(row * a_stride + k));
                for vector in 0..VECTORS {
                    sums[row][vector] = y.fma(x[vector], sums[row][vector]);
                }
            }
        }
        for row in 0..ROWS {
            for vector in 0..VECTORS {
                sums[row][vector].store(c.add(row * c_stride + vector * V::LANES));
            }
        }
    }
}
