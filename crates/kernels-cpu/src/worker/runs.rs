//! Attention over chosen runs of keys.
//!
//! ```text
//! append the new keys of the choice                               units: rows
//! --- barrier
//! for as many rows at a time as there are threads:
//!     score the runs that each sees                               units: a row and some runs
//!     --- barrier
//!     choose                                                      units: rows
//!     --- barrier
//! attend                                                          units: a row and a key head
//! ```
//!
//! Runs are whole blocks of the cache, and a row's own is the last of them: attention sees the chosen blocks as a shorter sequence.

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

use tandem_tensor::{ChooseRuns, Kind, RopeId, Runs};

use super::Worker;
use super::chosen::row_tile;
use super::pooled::{best, write};
use crate::attend::{Head, PARTITION, QueryTile};
use crate::plan::SlotId;
use crate::rope;
use crate::tiling::Tiling;

impl Worker<'_, '_> {
    pub(super) fn choose_runs(&self, op: &ChooseRuns, [q, k]: [SlotId; 2], out: SlotId) {
        let state = self.state;
        let (cache, tokens) = (self.row_cache(op.cache), self.rows(q));
        let (dim, style) = (cache.layout.value_dim, state.program.ropes[op.rope.index()].style);
        let count = state.width(out) / op.heads;
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let own = unsafe { &mut *self.own() };
        for row in self.team.share(tokens) {
            let tile = self.row_of(row, op.cache);
            let angles = self.angles(op.rope, row..row + 1);
            let (key, rest) = own.attend.values[..cache.layout.value_stride].split_at_mut(dim);
            // SAFETY: nobody writes the keys; rows of them, of the queries and of the cache are divided among the threads.
            unsafe {
                key.copy_from_slice(self.row(k, row));
                rest.fill(0.0);
                rope::rotate(style, angles, key);
                (state.kernels.store_row)(&cache, &tile, tile.position, &mut own.attend);
                for query in self.row_mut(q, row).chunks_exact_mut(dim) {
                    rope::rotate(style, angles, query);
                }
            }
        }
        self.barrier(Kind::Elementwise);

        let runs = |row: usize| self.row_of(row, op.cache).position / op.len + 1;
        let (room, piece) = (state.limits.context_max.div_ceil(op.len), PARTITION.div_ceil(op.len));
        let scores = state.index_scores.as_mut_ptr().cast::<f32>();
        for first in (0..tokens).step_by(self.team.threads) {
            let rows = first..tokens.min(first + self.team.threads);
            let pieces = rows.clone().map(runs).max().unwrap_or(0).div_ceil(piece);
            while let Some(unit) = self.team.ticket(rows.len() * pieces) {
                let (at, row) = (unit / pieces, first + unit / pieces);
                let some = unit % pieces * piece..runs(row).min((unit % pieces + 1) * piece);
                if runs(row) <= count || some.is_empty() {
                    continue;
                }
                let tile = self.row_of(row, op.cache);
                // SAFETY: the ticket makes these scores this thread's; nobody writes queries and keys now.
                unsafe {
                    let scores = scores.add(at * op.heads * room);
                    let score = state.kernels.score_runs;
                    score(&cache, &tile, op.len, some, self.row(q, row), scores, room, &mut own.attend);
                }
            }
            self.barrier(Kind::Attend);
            let at = self.team.index;
            if at < rows.len() {
                let (row, runs) = (first + at, runs(first + at));
                for head in 0..op.heads {
                    // SAFETY: a row is one thread's, and so are its scores and its list now.
                    unsafe {
                        let scores = scores.add((at * op.heads + head) * room);
                        let scores = std::slice::from_raw_parts_mut(scores, runs);
                        scores.iter_mut().rev().take(op.local).for_each(|score| *score = f32::INFINITY);
                        let chosen = &mut own.run_blocks[..count];
                        let taken = best(scores, runs > count, &mut own.index_spare, chosen);
                        let list = &mut self.row_mut(out, row)[head * count..][..count];
                        write(list, taken.iter().map(|run| *run as usize));
                    }
                }
            }
            self.barrier(Kind::Attend);
        }
    }

    /// Attend over the chosen runs, where some row does not read all that it sees; false where all rows do. Keys and values are
    /// appended.
    pub(super) fn attend_runs(
        &self,
        head: &Head,
        (runs, list): (Runs, SlotId),
        rope: Option<RopeId>,
        tiling: &Tiling,
        q: &[f32],
        out: *mut f32,
    ) -> bool {
        let state = self.state;
        let (kv_heads, block_len) = (head.layout.kv_heads, state.limits.block_len);
        let count = state.width(list) / kv_heads;
        let most = tiling.tiles.iter().map(|tile| tile.position + tile.rows).max().unwrap_or(0);
        if most <= count * runs.len {
            return false;
        }
        let blocks_of_run = runs.len / block_len;
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let own = unsafe { &mut *self.own() };
        while let Some(unit) = self.team.ticket(self.rows(list) * kv_heads) {
            let (row, kv_head) = (unit / kv_heads, unit % kv_heads);
            let tile = self.query_tile(&row_tile(tiling, row), rope, false);
            // SAFETY: nobody writes the list in this operator.
            let list = unsafe { &self.row(list, row)[kv_head * count..][..count] };
            let mut len = 0;
            for run in list.iter().take_while(|run| **run >= 0.0) {
                let first = *run as usize * blocks_of_run;
                let blocks = &tile.blocks[first..tile.blocks.len().min(first + blocks_of_run)];
                own.run_blocks[len..][..blocks.len()].copy_from_slice(blocks);
                len += blocks.len();
            }
            let position = runs.keys(tile.position, count) - 1;
            let tile = QueryTile { position, blocks: &own.run_blocks[..len], ..tile };
            // SAFETY: the kernels were chosen for this processor; a row and a key head are one thread's; keys and values are there.
            unsafe { (state.kernels.attend)(head, kv_head, &tile, q, out, &mut own.attend) };
        }
        self.barrier(Kind::Attend);
        true
    }
}
