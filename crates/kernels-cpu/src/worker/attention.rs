//! Attention: units of work are a tile of queries and a key head, long ones divided by partitions of keys.

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

use std::ops::Range;

use tandem_tensor::{Attend, Kind, RopeId};

use super::Worker;
use crate::attend::{Head, Partial, QueryTile};
use crate::plan::SlotId;
use crate::sizes::UNITS_PER_THREAD;
use crate::tiling::{Tile, Tiling};

impl Worker<'_, '_> {
    pub(super) fn attend(
        &self,
        op: &Attend,
        q: SlotId,
        kv: Option<[SlotId; 2]>,
        list: Option<SlotId>,
        out: SlotId,
    ) {
        let state = self.state;
        let layout = state.layouts[op.cache.index()];
        let norm = |norm: tandem_tensor::RmsNorm| (state.weights.vector(norm.weight), norm.eps);
        let rope = op.rope.map(|rope| &state.program.ropes[rope.index()]);
        let head = Head {
            layout,
            cache: &state.caches[op.cache.index()],
            heads: op.heads,
            q_norm: op.q_norm.map(norm),
            k_norm: op.k_norm.map(norm),
            rope: rope.map(|rope| rope.style),
            scale: op.scale,
            growth: op.growth,
            window: op.window,
            sinks: op.sinks.map(|sinks| state.weights.vector(sinks)),
        };
        let tiling = self.tiling(head.group());
        let windowed = state.limits.windowed(&state.program.caches[op.cache.index()]);
        let tile = |index: usize| self.query_tile(&tiling.tiles[index], op.rope, windowed);
        // SAFETY: nobody writes these buffers in this operator.
        let values = |slot| unsafe {
            std::slice::from_raw_parts(self.values(slot).cast_const(), self.rows(slot) * state.width(slot))
        };
        let (q, kv) = (values(q), kv.map(|kv| kv.map(values)));
        let out = self.values(out);
        let kernels = state.kernels;
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let scratch = unsafe { &mut (*self.own()).attend };

        let kv_heads = layout.kv_heads;
        let units = tiling.tiles.len() * kv_heads;
        let partitions = |tile: &QueryTile| tile.partitions(op.window);
        let split = self.team.threads > 1
            && units < UNITS_PER_THREAD * self.team.threads
            && tiling.single
            && (0..tiling.tiles.len()).any(|index| partitions(&tile(index)).len() > 1);

        // SAFETY, of all calls of kernels below: `kernels` were chosen for this processor; a unit (a tile and a key
        // head) is one thread's between two barriers, and units write disjoint slots of the cache and disjoint
        // parts of the output. A block that is written in a step is read in it by its own sequence only.
        if tiling.whole && !split && op.runs.is_none() {
            while let Some(unit) = self.team.ticket(units) {
                let (tile, kv_head) = (tile(unit / kv_heads), unit % kv_heads);
                // SAFETY: see above; the unit's rows are all of its sequence's.
                unsafe {
                    if let Some([k, v]) = kv {
                        (kernels.append)(&head, kv_head, &tile, k, v, scratch);
                    }
                    (kernels.attend)(&head, kv_head, &tile, q, out, scratch);
                }
            }
            return self.barrier(Kind::Attend);
        }

        if let Some([k, v]) = kv {
            for unit in self.team.share(units) {
                // SAFETY: see above.
                unsafe { (kernels.append)(&head, unit % kv_heads, &tile(unit / kv_heads), k, v, scratch) };
            }
            self.barrier(Kind::Attend);
        }
        if let Some(runs) = op.runs.zip(list)
            && self.attend_runs(&head, runs, op.rope, tiling, q, out)
        {
            return;
        }
        if split {
            let most = (0..tiling.tiles.len()).map(|index| partitions(&tile(index)).len()).max().unwrap_or(0);
            while let Some(item) = self.team.ticket(units * most) {
                let (unit, index) = (item / most, item % most);
                let (tile, kv_head) = (tile(unit / kv_heads), unit % kv_heads);
                let Some(partition) = partitions(&tile).nth(index) else { continue };
                // SAFETY: see above; the ticket makes the partial this thread's.
                unsafe {
                    let partial = &mut *state.partials[unit * state.partitions_max + index].get();
                    (kernels.attend_partition)(&head, kv_head, &tile, partition, q, partial, scratch);
                }
            }
            self.barrier(Kind::Attend);
            for unit in self.team.share(units) {
                let (tile, kv_head) = (tile(unit / kv_heads), unit % kv_heads);
                let partials = &state.partials[unit * state.partitions_max..][..partitions(&tile).len()];
                // SAFETY: see above; since the barrier nobody writes the partials, so they may be read as what
                // the cells hold.
                unsafe {
                    let partials =
                        std::slice::from_raw_parts(partials.as_ptr().cast::<Partial>(), partials.len());
                    (kernels.attend_merged)(&head, kv_head, &tile, partials, out, scratch);
                }
            }
        } else {
            // Head by head, whose keys stay near; later tiles see more of them, and come first.
            let tiles = tiling.tiles.len();
            while let Some(unit) = self.team.ticket(units) {
                let (tile, kv_head) = (tile(tiles - 1 - unit % tiles), unit / tiles);
                // SAFETY: see above.
                unsafe { (kernels.attend)(&head, kv_head, &tile, q, out, scratch) };
            }
        }
        self.barrier(Kind::Attend);
    }

    /// The queries of this step in tiles, for groups of so many heads.
    pub(super) fn tiling(&self, group: usize) -> &Tiling {
        let tiling = self.view.tilings.iter().find(|tiling| tiling.group == group);
        tiling.expect("there is a tiling for every group size")
    }

    pub(super) fn query_tile(&self, tile: &Tile, rope: Option<RopeId>, windowed: bool) -> QueryTile<'_> {
        let (blocks, first_block) = if windowed {
            (&self.view.batch.window_blocks[tile.window_blocks.clone()], tile.window_first)
        } else {
            (&self.view.batch.blocks[tile.blocks.clone()], 0)
        };
        QueryTile {
            row: tile.row,
            rows: tile.rows,
            position: tile.position,
            blocks,
            first_block,
            until: tile.until,
            angles: rope.map_or(&[][..], |id| self.angles(id, tile.row..tile.row + tile.rows)),
        }
    }

    /// Cosines and sines of some rows.
    pub(super) fn angles(&self, id: RopeId, rows: Range<usize>) -> &[f32] {
        let width = 2 * self.state.program.ropes[id.index()].inv_freq.len();
        // SAFETY: the table has a row for every token and is not written after the step's first barrier.
        unsafe {
            let first = self.view.first_token + rows.start;
            let from = self.state.angles[id.index()].as_mut_ptr().cast::<f32>().add(first * width);
            std::slice::from_raw_parts(from, rows.len() * width)
        }
    }
}
