//! Latent attention.
//!
//! ```text
//! append the new latent rows; rotate the queries' last part       units: rows; a row and a head
//! --- barrier
//! (choose what is read: see `chosen`)
//! queries = key[head] · q_nope                                    units: a head and 16 of its outputs
//! --- barrier
//! attend, and make the results ready for `value` at once          units: a tile of rows and some heads
//! --- barrier                                                     (or partitions of a long sequence, then heads)
//! out = value[head] · result                                      units: a head and 16 of its outputs
//! ```

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

use std::ops::Range;

use tandem_tensor::{AttendLatent, Kind};

use super::Worker;
use super::chosen::row_tile;
use super::experts::each_piece;
use crate::attend::{Partial, QUERIES, QueryTile};
use crate::latent::LatentHead;
use crate::matrix::{InputBuffer, Inputs, Matrix, PANEL};
use crate::plan::SlotId;
use crate::rope::rotate;

/// Fewer heads at a time do not pay for converting the cache's rows.
const HEADS_MIN: usize = 4;

impl Worker<'_, '_> {
    pub(super) fn attend_latent(
        &self,
        op: &AttendLatent,
        q: SlotId,
        kv: SlotId,
        index: Option<[SlotId; 3]>,
        out: SlotId,
    ) {
        let state = self.state;
        let (keys, values) = (state.weights.matrices(op.key), state.weights.matrices(op.value));
        let head = LatentHead {
            layout: state.layouts[op.cache.index()],
            cache: &state.caches[op.cache.index()],
            heads: op.heads,
            latent_dim: keys[0].rows(),
            kv_norm: (state.weights.vector(op.kv_norm.weight), op.kv_norm.eps),
            rope: state.program.ropes[op.rope.index()].style,
            scale: op.scale,
            growth: op.growth,
        };
        let tiling = self.tiling(op.heads);
        let tile = |index: usize| self.query_tile(&tiling.tiles[index], Some(op.rope), false);
        let (tokens, stride) = (self.rows(q), head.stride());
        if tokens == 0 {
            return;
        }
        let chooses = op.indexer.as_ref().zip(index).filter(|(indexer, index)| {
            // What this thread has for itself is borrowed below.
            self.choose_tokens(indexer, *index, tiling)
        });
        let queries = state.latent_queries.as_mut_ptr().cast::<f32>();
        let key_inputs = |head: usize| stacked(&state.gathered, keys, head, tokens);
        let value_inputs = |head: usize| stacked(&state.inner, values, head, tokens);

        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let scratch = unsafe { &mut (*self.own()).attend };
        // SAFETY: nobody writes the buffer in this operator.
        let kv = unsafe { std::slice::from_raw_parts(self.values(kv), tokens * state.width(kv)) };
        for index in self.team.share(tiling.tiles.len()) {
            // SAFETY: the kernels were chosen for this processor; rows are divided among the threads.
            unsafe { (state.kernels.append_latent)(&head, &tile(index), kv, scratch) };
        }
        let nope_dim = keys[0].cols();
        let dim = state.width(q) / op.heads;
        for index in self.team.share(tokens * op.heads) {
            let (row, at) = (index / op.heads, index % op.heads);
            // SAFETY: nobody writes `q`; rows of the inputs and of the queries are divided among the threads.
            unsafe {
                let (nope, rope) = self.row(q, row)[at * dim..][..dim].split_at(nope_dim);
                key_inputs(at).prepare(state.cpu, row, 0, nope);
                let to = queries.add(index * stride + head.latent_dim);
                let to = std::slice::from_raw_parts_mut(to, stride - head.latent_dim);
                to[..rope.len()].copy_from_slice(rope);
                to[rope.len()..].fill(0.0);
                rotate(head.rope, self.angles(op.rope, row..row + 1), to);
            }
        }
        self.barrier(Kind::Elementwise);

        // SAFETY: the queries have room for all rows and heads, and the first part of each is nobody's but this
        // product's; its inputs are ready.
        unsafe { self.stacked_product(keys, key_inputs, queries, stride) };
        self.barrier(Kind::Linear);

        // SAFETY: since the barrier nobody writes the queries.
        let queries = unsafe { std::slice::from_raw_parts(queries, tokens * op.heads * stride) };
        let prepare_values = |tile: &QueryTile, heads: Range<usize>, results: &[f32]| {
            for (index, result) in results.chunks_exact(stride).take(tile.rows * heads.len()).enumerate() {
                let (row, at) = (tile.row + index / heads.len(), heads.start + index % heads.len());
                // SAFETY: a row and a head are one thread's.
                unsafe { value_inputs(at).prepare(state.cpu, row, 0, &result[..head.latent_dim]) };
            }
        };
        let tiles = tiling.tiles.len();
        let partitions = tile(0).partitions(None).len();
        if let Some((indexer, _)) = chooses {
            let most = QUERIES.min(op.heads);
            let block = (op.heads * tokens).div_ceil(self.team.threads).clamp(HEADS_MIN.min(most), most);
            let blocks = op.heads.div_ceil(block);
            while let Some(unit) = self.team.ticket(tokens * blocks) {
                let (row, at) = (row_tile(tiling, unit / blocks), unit % blocks * block);
                let heads = at..op.heads.min(at + block);
                let (tile, chosen) = (self.query_tile(&row, None, false), self.chosen(indexer, &row));
                // SAFETY: as above; a row and some heads are one thread's.
                unsafe {
                    let attend = state.kernels.attend_chosen;
                    attend(&head, heads.clone(), &tile, chosen, queries, scratch);
                }
                prepare_values(&tile, heads, scratch.results());
            }
        } else if tokens == 1 && self.team.threads > 1 && partitions >= self.team.threads {
            let tile = tile(0);
            while let Some(partition) = self.team.ticket(partitions) {
                for heads in pieces(op.heads, QUERIES) {
                    // SAFETY: as above; the ticket makes the partial this thread's.
                    unsafe {
                        let partial = &mut *state.latent_partials[partition].get();
                        let attend = state.kernels.attend_latent_partition;
                        attend(&head, heads, &tile, partition, queries, partial, scratch);
                    }
                }
            }
            self.barrier(Kind::Attend);
            let share = self.team.share(op.heads);
            for heads in pieces(share.len(), QUERIES) {
                let heads = share.start + heads.start..share.start + heads.end;
                let partials = &state.latent_partials[..partitions];
                // SAFETY: since the barrier nobody writes the partials, so they may be read as what the cells hold.
                unsafe {
                    let partials =
                        std::slice::from_raw_parts(partials.as_ptr().cast::<Partial>(), partials.len());
                    (state.kernels.merge_latent)(&head, heads.clone(), partials, scratch);
                }
                prepare_values(&tile, heads, scratch.results());
            }
        } else {
            let most = QUERIES.min(op.heads);
            let block = (op.heads * tiles).div_ceil(self.team.threads).clamp(HEADS_MIN.min(most), most);
            let blocks = op.heads.div_ceil(block);
            // Later tiles see more: the longest first.
            while let Some(unit) = self.team.ticket(tiles * blocks) {
                let (tile, at) = (tile(tiles - 1 - unit / blocks), unit % blocks * block);
                let heads = at..op.heads.min(at + block);
                // SAFETY: as above; a tile and some heads are one thread's.
                unsafe { (state.kernels.attend_latent)(&head, heads.clone(), &tile, queries, scratch) };
                prepare_values(&tile, heads, scratch.results());
            }
        }
        self.barrier(Kind::Attend);

        // SAFETY: the output has room for all rows and heads; the inputs are ready.
        unsafe { self.stacked_product(values, value_inputs, self.values(out), values[0].rows()) };
        self.barrier(Kind::Linear);
    }

    /// `out[row][i * width ..] = matrices[i] · inputs_of(i)[row]` for every matrix `i`.
    ///
    /// # Safety
    /// `out` has these values, which nobody else accesses; the inputs are prepared.
    pub(super) unsafe fn stacked_product<'i>(
        &self,
        matrices: &[Matrix],
        inputs_of: impl Fn(usize) -> Inputs<'i>,
        out: *mut f32,
        width: usize,
    ) {
        let panels = matrices[0].panels();
        self.team.each_chunk(matrices.len() * panels, usize::MAX, |chunk| {
            each_piece(chunk, panels, |index, panels| {
                // SAFETY: the caller's; matrices and panels are divided among the threads.
                unsafe {
                    let out = out.add(index * width + panels.start * PANEL);
                    let stride = matrices.len() * width;
                    matrices[index].multiply(self.state.cpu, panels, inputs_of(index), out, stride);
                }
            });
        });
    }
}

/// The inputs of matrix `index` of a stack, in buffers by kind.
pub(super) fn stacked<'b>(
    buffers: &'b [InputBuffer; 2],
    matrices: &[Matrix],
    index: usize,
    tokens: usize,
) -> Inputs<'b> {
    let kind = matrices[index].input_kind();
    buffers[kind as usize].view_after(index * Inputs::room(tokens), kind, matrices[index].cols(), tokens)
}

/// `0..len` in pieces of at most `most`.
fn pieces(len: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    (0..len).step_by(most).map(move |first| first..len.min(first + most))
}
