//! Which cached rows a token reads, and latent attention over those alone.
//!
//! Every cached row is scored by a few short heads, `PARTITION` rows at a time; the best are found without sorting, from the
//! lowest score that still counts. A chosen row is then converted by itself, and the rest is as in [`latent`](crate::latent).

// Kernels over raw vectors and the cache's raw memory.
#![allow(unsafe_code)]

use std::ops::Range;

use tandem_tensor::RopeStyle;

use crate::attend::{KEYS, PARTITION, QUERIES, QueryTile, Scratch, merge};
use crate::cache::CacheLayout;
use crate::latent::{LatentHead, dots, finish, fold, gather};
use crate::memory::Region;
use crate::norm::layer_norm;
use crate::rope::rotate;
use crate::simd::Vector;

/// What does not change from step to step: one indexer of the program.
pub(crate) struct IndexHead<'a> {
    /// Its values are the keys.
    pub layout: CacheLayout,
    pub cache: &'a Region,
    pub heads: usize,
    /// Weight, bias and epsilon.
    pub k_norm: (&'a [f32], &'a [f32], f32),
    pub rope: RopeStyle,
}

/// Append the keys of a tile's tokens.
///
/// # Safety
/// As [`append_latent`](crate::latent::append_latent).
#[inline(always)]
pub(crate) unsafe fn append_index<V: Vector>(
    head: &IndexHead,
    tile: &QueryTile,
    k: &[f32],
    scratch: &mut Scratch,
) {
    let layout = &head.layout;
    let dim = layout.value_dim;
    let to = &mut scratch.values[..layout.value_stride];
    to[dim..].fill(0.0);
    for row in 0..tile.rows {
        let key = &mut to[..dim];
        key.copy_from_slice(&k[(tile.row + row) * dim..][..dim]);
        layer_norm(key, head.k_norm);
        rotate(head.rope, tile.angles_of(row), key);
        let position = tile.position + row;
        // SAFETY: the caller's; the block exists.
        unsafe {
            let part = layout.part(head.cache, tile.block_at(position, layout), 0);
            layout.store::<V>(part, position % layout.block_len, &[], to);
        }
    }
}

/// Score one partition for the only row of a tile: `scores[i]` is that of position `partition * PARTITION + i`.
///
/// # Safety
/// As [`append_index`], which has been done for all rows of the sequence up to the tile's. `q` and `weights` are those of the tile's
/// row; the scores are of positions that it sees.
#[inline(always)]
pub(crate) unsafe fn score_index<V: Vector>(
    head: &IndexHead,
    tile: &QueryTile,
    partition: usize,
    q: &[f32],
    weights: &[f32],
    scores: &mut [f32],
    scratch: &mut Scratch,
) {
    let (layout, stride, dim) = (&head.layout, head.layout.value_stride, head.layout.value_dim);
    let segment = layout.block_len.min(KEYS);
    scores.fill(0.0);
    for first in (0..head.heads).step_by(QUERIES) {
        let heads = first..head.heads.min(first + QUERIES);
        for (to, index) in scratch.q.chunks_exact_mut(stride).zip(heads.clone()) {
            to[..dim].copy_from_slice(&q[index * dim..][..dim]);
            to[dim..].fill(0.0);
            rotate(head.rope, tile.angles, &mut to[..dim]);
        }
        for (tile_index, scores) in scores.chunks_mut(KEYS).enumerate() {
            let base = partition * PARTITION + tile_index * KEYS;
            // SAFETY: the caller's. Blocks of positions that are seen exist; the scratch has `KEYS` rows, and `KEYS` scores for each
            // query.
            unsafe {
                for index in 0..scores.len().div_ceil(segment) {
                    let position = base + index * segment;
                    let part = layout.part(head.cache, tile.block_at(position, layout), 0);
                    let rows = scratch.values.as_mut_ptr().add(index * segment * stride);
                    let none = std::ptr::null_mut();
                    layout.widen::<V>(part, position % layout.block_len, segment, none, 0, rows);
                }
                let (q, rows) = (scratch.q.as_ptr(), scratch.values.as_ptr());
                dots::<V>(heads.len(), scores.len(), stride, q, rows, scratch.scores.as_mut_ptr());
            }
            for (products, weight) in scratch.scores.chunks_exact(KEYS).zip(&weights[heads.clone()]) {
                for (score, product) in scores.iter_mut().zip(products) {
                    *score += weight * product.max(0.0);
                }
            }
        }
    }
}

/// The positions of the highest scores, as many as `chosen` has room for, ascending; of equal ones the first. `spare` is as long as
/// `scores`.
pub(crate) fn choose(scores: &[f32], spare: &mut [f32], chosen: &mut [u32]) {
    let count = chosen.len();
    if count == 0 {
        return;
    }
    spare.copy_from_slice(scores);
    let (above, least, _) = spare.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a));
    let least = *least;
    let mut equal = count - above.iter().filter(|score| score.total_cmp(&least).is_gt()).count();
    let mut chosen = chosen.iter_mut();
    for (position, score) in scores.iter().enumerate() {
        let is_chosen = match score.total_cmp(&least) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal if equal > 0 => {
                equal -= 1;
                true
            }
            _ => false,
        };
        if is_chosen && let Some(chosen) = chosen.next() {
            *chosen = position as u32;
        }
    }
}

/// As [`attend_latent`](crate::latent::attend_latent), for a tile of one row over the chosen positions. Where these are all, the
/// result is the same to the bit.
///
/// # Safety
/// As there; the row sees every chosen position.
#[inline(always)]
pub(crate) unsafe fn attend_chosen<V: Vector>(
    head: &LatentHead,
    heads: Range<usize>,
    tile: &QueryTile,
    chosen: &[u32],
    queries: &[f32],
    scratch: &mut Scratch,
) {
    let (layout, stride, count) = (&head.layout, head.stride(), heads.len());
    // SAFETY: the caller's; the scratch has `KEYS` rows.
    unsafe {
        gather(head, heads, tile, queries, scratch);
        scratch.total.clear(count, stride);
        for partition in chosen.chunks(PARTITION) {
            scratch.partial.clear(count, stride);
            for keys in partition.chunks(KEYS) {
                for (index, position) in keys.iter().enumerate() {
                    let position = *position as usize;
                    let part = layout.part(head.cache, tile.block_at(position, layout), 0);
                    let row = scratch.values.as_mut_ptr().add(index * stride);
                    let none = std::ptr::null_mut();
                    layout.widen::<V>(part, position % layout.block_len, 1, none, 0, row);
                }
                fold::<V>(head, count, keys.len(), |_| 0..keys.len(), scratch);
            }
            merge::<V>(&scratch.partial, 0, &mut scratch.total, count, stride);
        }
        finish::<V>(count, stride, scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_chosen_in_order_and_of_equal_ones_the_first() {
        let check = |scores: &[f32], count: usize, expected: &[u32]| {
            let mut chosen = vec![9; count];
            choose(scores, &mut vec![0.0; scores.len()], &mut chosen);
            assert_eq!(chosen, expected, "{scores:?}");
        };
        check(&[1.0, 3.0, 2.0, -1.0], 2, &[1, 2]);
        check(&[0.0, 1.0, 0.0, 0.0], 2, &[0, 1]);
        check(&[2.0, 2.0, 2.0], 2, &[0, 1]);
        check(&[5.0, f32::NAN, 1.0], 3, &[0, 1, 2]);
        check(&[5.0, -1.0], 2, &[0, 1]);
        check(&[5.0], 0, &[]);
    }
}
