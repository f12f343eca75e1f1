//! Rows that are pooled of several tokens, chosen, and attended.
//!
//! ```text
//! pool                                                            units: channels
//! store                                                           units: rows
//! rotate and round the queries of a choice                        units: a row and a head
//! --- barrier
//! for as many rows at a time as there are threads:
//!     score what each may choose                                  units: a row and a partition
//!     --- barrier
//!     choose                                                      units: rows
//!     --- barrier
//! attend                                                          units: a row and some heads
//! ```

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

use tandem_tensor::{AttendChosen, CacheId, Choose, Kind, Pool, Store, WeightId};

use super::Worker;
use super::chosen::row_tile;
use super::latent::stacked;
use crate::attend::{PARTITION, QUERIES, QueryTile};
use crate::indexer::choose;
use crate::plan::SlotId;
use crate::pooled::{RowCache, RowHead};
use crate::rope;

/// Fewer heads at a time do not pay for converting the cache's rows.
const HEADS_MIN: usize = 4;

impl Worker<'_, '_> {
    pub(super) fn pool(&self, op: &Pool, [x, gate]: [SlotId; 2], out: SlotId) {
        let (width, every) = (self.state.width(x), op.every);
        let share = self.team.share(width);
        let mut first = 0;
        for span in self.view.batch.spans.iter().filter(|_| !share.is_empty()) {
            let (start, rows) = (span.start as usize, span.rows as usize);
            // SAFETY: channels are divided among the threads, of the rows, of the output and of the states; places of a sequence that goes on
            // are its own, and a place that is only read is written by nobody in this step.
            unsafe {
                let (from, to) = self.places(op.state, span, 2 * every * width);
                // The value and the gate of the token at a position of the group at hand.
                let at = |position: usize, channel: usize| match position.checked_sub(start) {
                    Some(row) => {
                        let at = (first + row) * width + channel;
                        [*self.values(x).add(at), *self.values(gate).add(at)]
                    }
                    None => {
                        let at = position % every * 2 * width + channel;
                        [*from.add(at), *from.add(at + width)]
                    }
                };
                for row in 0..rows {
                    let position = start + row;
                    let out = self.values(out).add((first + row) * width);
                    let is_last = (position + 1).is_multiple_of(every);
                    for channel in share.clone() {
                        let mut y = 0.0;
                        if is_last {
                            let group = position + 1 - every..position + 1;
                            let gates = group.clone().map(|position| at(position, channel)[1]);
                            let most = gates.fold(f32::NEG_INFINITY, f32::max);
                            let mut sum = 0.0;
                            for position in group {
                                let [x, gate] = at(position, channel);
                                let share = (gate - most).exp();
                                sum += share;
                                y += share * x;
                            }
                            y /= sum;
                        }
                        *out.add(channel) = y;
                    }
                }
                let end = start + rows;
                for position in end / every * every..end {
                    let to = to.add(position % every * 2 * width);
                    for channel in share.clone() {
                        let [x, gate] = at(position, channel);
                        *to.add(channel) = x;
                        *to.add(width + channel) = gate;
                    }
                }
            }
            first += rows;
        }
        self.barrier(Kind::State);
    }

    pub(super) fn store(&self, op: &Store, x: SlotId) {
        let state = self.state;
        let cache = self.row_cache(op.cache);
        let rope = &state.program.ropes[op.rope.index()];
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let own = unsafe { &mut *self.own() };
        for row in self.team.share(self.rows(x)) {
            let tile = self.row_of(row, op.cache);
            let Some(kept) = cache.cache.row_at(tile.position) else { continue };
            // SAFETY: nobody writes the buffer in this operator; a row of the cache is made of one of the batch's, which are divided among the
            // threads.
            unsafe {
                let from = self.row(x, row);
                let (to, rest) = own.attend.values[..cache.layout.value_stride].split_at_mut(from.len());
                to.copy_from_slice(from);
                rest.fill(0.0);
                let angles = self.angles(op.rope, row..row + 1);
                rope::rotate(rope.style, angles, &mut to[from.len() - angles.len()..]);
                op.rounding.iter().for_each(|rounding| rounding.round(to));
                (state.kernels.store_row)(&cache, &tile, kept, &mut own.attend);
            }
        }
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn choose_rows(
        &self,
        op: &Choose,
        [q, weights]: [SlotId; 2],
        list: Option<SlotId>,
        out: SlotId,
    ) {
        let state = self.state;
        let (cache, tokens) = (self.row_cache(op.cache), self.rows(q));
        let dim = cache.layout.value_dim;
        let style = state.program.ropes[op.rope.index()].style;
        for unit in self.team.share(tokens * op.heads) {
            let (row, head) = (unit / op.heads, unit % op.heads);
            let angles = self.angles(op.rope, row..row + 1);
            // SAFETY: heads of rows are divided among the threads.
            let query = unsafe {
                std::slice::from_raw_parts_mut(self.values(q).add((row * op.heads + head) * dim), dim)
            };
            rope::rotate(style, angles, &mut query[dim - angles.len()..]);
            op.rounding.iter().for_each(|rounding| rounding.round(query));
        }
        self.barrier(Kind::Elementwise);

        let room = state.limits.context_max;
        let scores = state.index_scores.as_mut_ptr().cast::<f32>();
        let count = state.width(out);
        // What a row may choose from, and whether that is more than it takes.
        let task = |row: usize| {
            let seen = cache.cache.rows(self.row_of(row, op.cache).position + 1);
            let runs = op.blocks.map_or(0, |blocks| seen.div_ceil(blocks.len));
            match (op.blocks, list) {
                (Some(blocks), Some(list)) if !blocks.chosen_here => {
                    // SAFETY: nobody writes the list of runs where it is only read.
                    let list = unsafe { self.row(list, row) };
                    let listed = list.iter().position(|run| *run < 0.0).unwrap_or(list.len());
                    let list = &list[..listed];
                    let beyond = list.last().map_or(0, |run| {
                        (*run as usize + 1) * blocks.len - seen.min((*run as usize + 1) * blocks.len)
                    });
                    let among = listed * blocks.len - beyond;
                    Task { seen, among, runs: Some((blocks.len, list)), scored: among > count }
                }
                (Some(_), Some(list)) => {
                    Task { seen, among: seen, runs: None, scored: seen > count || runs > state.width(list) }
                }
                _ => Task { seen, among: seen, runs: None, scored: seen > count },
            }
        };
        for first in (0..tokens).step_by(self.team.threads) {
            let rows = first..tokens.min(first + self.team.threads);
            let partitions = rows.clone().map(|row| task(row).among).max().unwrap_or(0).div_ceil(PARTITION);
            while let Some(unit) = self.team.ticket(rows.len() * partitions) {
                let (at, partition) = (unit / partitions, unit % partitions);
                let (row, task) = (first + at, task(first + at));
                if !task.scored {
                    continue;
                }
                let tile = self.row_of(row, op.cache);
                // SAFETY: this thread's own; the ticket makes these scores this thread's; nobody writes queries, weights and keys now.
                unsafe {
                    let scratch = &mut (*self.own()).attend;
                    let (q, weights) = (self.row(q, row), self.row(weights, row));
                    let mut score = |number: usize, at_score: usize, len: usize| {
                        let scores = std::slice::from_raw_parts_mut(scores.add(at * room + at_score), len);
                        (state.kernels.score_rows)(&cache, &tile, number, q, weights, scores, scratch);
                    };
                    match task.runs {
                        None => {
                            let part = partition * PARTITION..task.among.min((partition + 1) * PARTITION);
                            if !part.is_empty() {
                                score(part.start, part.start, part.len());
                            }
                        }
                        // As many runs as lie in the partition with their first row.
                        Some((len, list)) => {
                            let from = (partition * PARTITION).div_ceil(len);
                            let to = ((partition + 1) * PARTITION).div_ceil(len).min(list.len());
                            for (index, run) in list.iter().enumerate().take(to).skip(from) {
                                let number = *run as usize * len;
                                score(number, index * len, len.min(task.seen - number));
                            }
                        }
                    }
                }
            }
            self.barrier(Kind::Attend);
            let at = self.team.index;
            if at < rows.len() {
                let (row, task) = (first + at, task(first + at));
                // SAFETY: a row is one thread's, and so are its scores, its lists and a part of `chosen` now; what they are sorted in is this
                // thread's own.
                unsafe {
                    let scores = std::slice::from_raw_parts_mut(scores.add(at * room), task.among);
                    let width = count.max(list.map_or(0, |list| state.width(list)));
                    let chosen = state.chosen.as_mut_ptr().cast::<u32>().add(at * width);
                    let chosen = std::slice::from_raw_parts_mut(chosen, width);
                    let spare = &mut (*self.own()).index_spare;
                    let taken = best(scores, task.scored, spare, &mut chosen[..count]);
                    write(self.row_mut(out, row), taken.iter().map(|at| task.number(*at as usize)));
                    if let (Some(blocks), Some(list)) = (op.blocks.filter(|blocks| blocks.chosen_here), list)
                    {
                        let runs = task.seen.div_ceil(blocks.len);
                        let width = state.width(list);
                        if task.scored {
                            // The highest of every run, in the place of scores that were read.
                            for run in 0..runs {
                                let of = run * blocks.len..task.seen.min((run + 1) * blocks.len);
                                let most = scores[of].iter().copied().fold(f32::NEG_INFINITY, f32::max);
                                scores[run] = if run + 1 == runs { f32::INFINITY } else { most };
                            }
                        }
                        let scored = runs > width;
                        let taken = best(&scores[..runs], scored, spare, &mut chosen[..width]);
                        write(self.row_mut(list, row), taken.iter().map(|run| *run as usize));
                    }
                }
            }
            self.barrier(Kind::Attend);
        }
    }

    pub(super) fn attend_listed(&self, op: &AttendChosen, q: SlotId, list: Option<SlotId>, out: SlotId) {
        let state = self.state;
        let tokens = self.rows(q);
        let head = RowHead {
            window: self.row_cache(op.cache),
            window_len: op.window,
            chosen: op.chosen.map(|chosen| self.row_cache(chosen.cache)),
            rope: state.program.ropes[op.rope.index()].style,
            scale: op.scale,
            sinks: state.weights.vector(op.sinks),
        };
        let dim = head.window.layout.value_dim;
        let most = QUERIES.min(op.heads);
        let block = (op.heads * tokens).div_ceil(self.team.threads).clamp(HEADS_MIN.min(most), most);
        let blocks = op.heads.div_ceil(block);
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let scratch = unsafe { &mut (*self.own()).attend };
        while let Some(unit) = self.team.ticket(tokens * blocks) {
            let (row, at) = (unit / blocks, unit % blocks * block);
            let heads = at..op.heads.min(at + block);
            let mut tile = self.row_of(row, op.cache);
            tile.angles = self.angles(op.rope, row..row + 1);
            let all = op.chosen.map_or(tile, |chosen| self.row_of(row, chosen.cache));
            // SAFETY: a row and some heads are one thread's; nobody writes queries, lists and caches now.
            unsafe {
                let list = list.map_or(&[][..], |list| self.row(list, row));
                let q = &self.row(q, row)[heads.start * dim..heads.end * dim];
                let out = self.values(out).add((row * op.heads + heads.start) * dim);
                let out = std::slice::from_raw_parts_mut(out, heads.len() * dim);
                (state.kernels.attend_listed)(&head, heads, [&tile, &all], list, q, out, scratch);
            }
        }
        self.barrier(Kind::Attend);
    }

    /// `out[row, i] = weight[i] · x[row, i]`
    pub(super) fn stacked(&self, x: SlotId, weight: WeightId, out: SlotId) {
        let matrices = self.state.weights.matrices(weight);
        let (tokens, cols) = (self.rows(x), matrices[0].cols());
        let inputs = |index: usize| stacked(&self.state.inner, matrices, index, tokens);
        for unit in self.team.share(tokens * matrices.len()) {
            let (row, index) = (unit / matrices.len(), unit % matrices.len());
            // SAFETY: nobody writes `x`; rows of the inputs are divided among the threads.
            unsafe {
                inputs(index).prepare(self.state.cpu, row, 0, &self.row(x, row)[index * cols..][..cols])
            };
        }
        self.barrier(Kind::Elementwise);
        // SAFETY: the output has room for all rows and matrices; the inputs are ready.
        unsafe { self.stacked_product(matrices, inputs, self.values(out), matrices[0].rows()) };
        self.barrier(Kind::Linear);
    }

    pub(super) fn row_cache(&self, id: CacheId) -> RowCache<'_> {
        let state = self.state;
        RowCache {
            cache: state.program.caches[id.index()],
            layout: state.layouts[id.index()],
            region: &state.caches[id.index()],
            block_len: state.limits.block_len,
        }
    }

    /// A row by itself, with its blocks of a cache and no angles.
    pub(super) fn row_of(&self, row: usize, cache: CacheId) -> QueryTile<'_> {
        let windowed = self.state.limits.windowed(&self.state.program.caches[cache.index()]);
        self.query_tile(&row_tile(self.tiling(1), row), None, windowed)
    }
}

/// What one row of the batch chooses from.
struct Task<'a> {
    /// Rows of the cache that it sees, and how many of them are in the runs it chooses from.
    seen: usize,
    among: usize,
    /// Where these are not all: how long a run is, and which they are.
    runs: Option<(usize, &'a [f32])>,
    /// Whether there are more than are taken.
    scored: bool,
}

impl Task<'_> {
    /// The number of the row that has a score.
    fn number(&self, at: usize) -> usize {
        self.runs.map_or(at, |(len, list)| list[at / len] as usize * len + at % len)
    }
}

/// The places of the highest scores in order; all of them where there is room.
pub(super) fn best<'c>(scores: &[f32], scored: bool, spare: &mut [f32], chosen: &'c mut [u32]) -> &'c [u32] {
    let len = chosen.len().min(scores.len());
    let chosen = &mut chosen[..len];
    if scored && scores.len() > len {
        choose(scores, &mut spare[..scores.len()], chosen);
    } else {
        chosen.iter_mut().zip(0..).for_each(|(chosen, at)| *chosen = at);
    }
    chosen
}

/// Numbers in order, and -1 where there are no more.
pub(super) fn write(list: &mut [f32], numbers: impl Iterator<Item = usize>) {
    let mut numbers = numbers.map(|number| number as f32);
    list.iter_mut().for_each(|to| *to = numbers.next().unwrap_or(-1.0));
}
