//! Latent attention over chosen rows.
//!
//! ```text
//! append the new keys                                             units: tiles
//! --- barrier
//! for as many rows at a time as there are threads:
//!     score what each sees                                        units: a row and a partition
//!     --- barrier
//!     choose                                                      units: rows
//!     --- barrier
//! ```

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

use tandem_tensor::{Indexer, Kind};

use super::Worker;
use crate::attend::PARTITION;
use crate::indexer::{IndexHead, choose};
use crate::plan::SlotId;
use crate::tiling::{Tile, Tiling};

impl Worker<'_, '_> {
    /// Append this step's keys and choose what every row reads; false where all rows read all that they see. The threads have
    /// met when this returns.
    pub(super) fn choose_tokens(&self, op: &Indexer, [q, k, weights]: [SlotId; 3], tiling: &Tiling) -> bool {
        let state = self.state;
        let head = IndexHead {
            layout: state.layouts[op.cache.index()],
            cache: &state.caches[op.cache.index()],
            heads: op.heads,
            k_norm: (
                state.weights.vector(op.k_norm.weight),
                state.weights.vector(op.k_norm.bias),
                op.k_norm.eps,
            ),
            rope: state.program.ropes[op.rope.index()].style,
        };
        let tokens = self.rows(k);
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let scratch = unsafe { &mut (*self.own()).attend };
        // SAFETY: nobody writes the buffer in this operator.
        let k = unsafe { std::slice::from_raw_parts(self.values(k), tokens * state.width(k)) };
        for index in self.team.share(tiling.tiles.len()) {
            let tile = self.query_tile(&tiling.tiles[index], Some(op.rope), false);
            // SAFETY: the kernels were chosen for this processor; rows are divided among the threads.
            unsafe { (state.kernels.append_index)(&head, &tile, k, scratch) };
        }
        self.barrier(Kind::Elementwise);

        let sees = |row: usize| row_tile(tiling, row).position + 1;
        let most = tiling.tiles.iter().map(|tile| tile.position + tile.rows).max().unwrap_or(0);
        if most <= op.count {
            return false;
        }
        let context = state.limits.context_max;
        let scores = state.index_scores.as_mut_ptr().cast::<f32>();
        let partitions = most.div_ceil(PARTITION);
        for first in (0..tokens).step_by(self.team.threads) {
            let rows = first..tokens.min(first + self.team.threads);
            while let Some(unit) = self.team.ticket(rows.len() * partitions) {
                let (at, partition) = (unit / partitions, unit % partitions);
                let row = first + at;
                let positions = partition * PARTITION..sees(row).min((partition + 1) * PARTITION);
                if sees(row) <= op.count || positions.is_empty() {
                    continue;
                }
                let tile = row_tile(tiling, row);
                let tile = self.query_tile(&tile, Some(op.rope), false);
                // SAFETY: the ticket makes these scores this thread's; nobody writes queries, weights and keys now.
                unsafe {
                    let scores = std::slice::from_raw_parts_mut(
                        scores.add(at * context + positions.start),
                        positions.len(),
                    );
                    let (q, weights) = (self.row(q, row), self.row(weights, row));
                    (state.kernels.score_index)(&head, &tile, partition, q, weights, scores, scratch);
                }
            }
            self.barrier(Kind::Attend);
            let at = self.team.index;
            if at < rows.len() {
                let (row, sees) = (first + at, sees(first + at));
                // SAFETY: a row is one thread's, and so are its scores now; what they are sorted in is this thread's own.
                unsafe {
                    let chosen = state.chosen.as_mut_ptr().cast::<u32>().add(row * op.count);
                    let chosen = std::slice::from_raw_parts_mut(chosen, op.count.min(sees));
                    if sees <= op.count {
                        chosen.iter_mut().zip(0..).for_each(|(chosen, position)| *chosen = position);
                    } else {
                        let scores = std::slice::from_raw_parts(scores.add(at * context), sees);
                        choose(scores, &mut (&mut (*self.own()).index_spare)[..sees], chosen);
                    }
                }
            }
            self.barrier(Kind::Attend);
        }
        true
    }

    /// What [`Self::choose_tokens`] found for a row.
    pub(super) fn chosen(&self, op: &Indexer, tile: &Tile) -> &[u32] {
        let len = op.count.min(tile.position + 1);
        // SAFETY: the rows have room, and nobody writes them after `choose_tokens`.
        unsafe {
            let chosen = self.state.chosen.as_mut_ptr().cast::<u32>().add(tile.row * op.count);
            std::slice::from_raw_parts(chosen, len)
        }
    }
}

/// A row by itself.
pub(super) fn row_tile(tiling: &Tiling, row: usize) -> Tile {
    let after = tiling.tiles.partition_point(|tile| tile.row <= row);
    let tile = &tiling.tiles[after - 1];
    Tile { row, rows: 1, position: tile.position + row - tile.row, ..tile.clone() }
}
