//! Rows made of several tokens, which of them are read, and attention over those.

use std::ops::Range;
use std::sync::Arc;

use super::{ReferenceSession, best, dot, softmax};
use crate::{AttendChosen, Batch, BufId, CacheId, Choose, ChooseRuns, Pool, RopeId, RopeStyle, Span, Store};

impl ReferenceSession {
    pub(super) fn pool(&mut self, op: &Pool, batch: &Batch) {
        let (width, every) = (self.width(op.x), op.every);
        let mut out = self.take(op.out);
        let mut first = 0;
        for span in &batch.spans {
            // `[every, 2, width]`: of every token of the group its value and its gate.
            let mut group = self.state_before(op.state, span);
            for row in first..first + span.rows as usize {
                let position = span.start as usize + row - first;
                let (x, gate) = group[position % every * 2 * width..][..2 * width].split_at_mut(width);
                x.copy_from_slice(self.row(op.x, row));
                gate.copy_from_slice(self.row(op.gate, row));
                let y = &mut out[row * width..][..width];
                y.fill(0.0);
                if !(position + 1).is_multiple_of(every) {
                    continue;
                }
                for (i, y) in y.iter_mut().enumerate() {
                    let mut shares: Vec<f32> = (0..every).map(|j| group[(2 * j + 1) * width + i]).collect();
                    softmax(&mut shares, None);
                    *y = shares.iter().enumerate().map(|(j, share)| share * group[2 * j * width + i]).sum();
                }
            }
            self.keep_state(op.state, span, &group);
            first += span.rows as usize;
        }
        self.put(op.out, out);
    }

    pub(super) fn store(&mut self, op: &Store, batch: &Batch) {
        let cache = self.program.caches[op.cache.index()];
        for (span, rows) in spans(batch) {
            for row in rows.clone() {
                let position = span.start as usize + row - rows.start;
                let Some(kept) = cache.row_at(position) else { continue };
                let mut value = self.row(op.x, row).to_vec();
                self.turn(&mut value, op.rope, position, false);
                op.rounding.iter().for_each(|rounding| rounding.round(&mut value));
                let at = self.row_place(op.cache, batch, span, kept);
                self.caches[op.cache.index()].keys[at..][..value.len()].copy_from_slice(&value);
            }
        }
    }

    pub(super) fn choose_rows(&mut self, op: &Choose, batch: &Batch) {
        let cache = self.program.caches[op.cache.index()];
        let (dim, count) = (cache.key_dim, self.width(op.out));
        let mut out = self.take(op.out);
        let mut list = op.blocks.map_or(Vec::new(), |blocks| self.take(blocks.list));
        for (span, rows) in spans(batch) {
            for row in rows.clone() {
                let position = span.start as usize + row - rows.start;
                let mut scores = vec![0.0; cache.rows(position + 1)];
                for head in 0..op.heads {
                    let mut query = self.row(op.q, row)[head * dim..][..dim].to_vec();
                    self.turn(&mut query, op.rope, position, false);
                    op.rounding.iter().for_each(|rounding| rounding.round(&mut query));
                    let weight = self.row(op.weights, row)[head];
                    for (kept, score) in scores.iter_mut().enumerate() {
                        let at = self.row_place(op.cache, batch, span, kept);
                        let key = &self.caches[op.cache.index()].keys[at..][..dim];
                        *score += weight * dot(&query, key).max(0.0);
                    }
                }
                let mut rows: Vec<usize> = (0..scores.len()).collect();
                if let Some(blocks) = op.blocks {
                    let width = self.width(blocks.list);
                    let list = &mut list[row * width..][..width];
                    if blocks.chosen_here {
                        let best_of = |block: &[f32]| block.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                        let mut best_scores: Vec<f32> = scores.chunks(blocks.len).map(best_of).collect();
                        if let Some(newest) = best_scores.last_mut() {
                            *newest = f32::INFINITY;
                        }
                        write(list, best(&best_scores, width));
                    } else {
                        rows.retain(|row| list.contains(&((row / blocks.len) as f32)));
                    }
                }
                let among: Vec<f32> = rows.iter().map(|row| scores[*row]).collect();
                let chosen = best(&among, count).into_iter().map(|at| rows[at]).collect();
                write(&mut out[row * count..][..count], chosen);
            }
        }
        if let Some(blocks) = op.blocks {
            self.put(blocks.list, list);
        }
        self.put(op.out, out);
    }

    pub(super) fn choose_runs(&mut self, op: &ChooseRuns, batch: &Batch) {
        let dim = self.program.caches[op.cache.index()].key_dim;
        let mut out = self.take(op.out);
        let count = self.width(op.out) / op.heads;
        for (span, rows) in spans(batch) {
            for row in rows.clone() {
                let position = span.start as usize + row - rows.start;
                let mut key = self.row(op.k, row).to_vec();
                self.prepare(&mut key, None, Some(op.rope), position);
                let at = self.row_place(op.cache, batch, span, position);
                self.caches[op.cache.index()].keys[at..][..dim].copy_from_slice(&key);
                for head in 0..op.heads {
                    let mut query = self.row(op.q, row)[head * dim..][..dim].to_vec();
                    self.prepare(&mut query, None, Some(op.rope), position);
                    let mut scores = vec![f32::NEG_INFINITY; position / op.len + 1];
                    for kept in 0..=position {
                        let score = dot(&query, self.cached_row(op.cache, batch, span, kept));
                        scores[kept / op.len] = scores[kept / op.len].max(score);
                    }
                    scores.iter_mut().rev().take(op.local).for_each(|score| *score = f32::INFINITY);
                    write(&mut out[(row * op.heads + head) * count..][..count], best(&scores, count));
                }
            }
        }
        self.put(op.out, out);
    }

    pub(super) fn attend_chosen(&mut self, op: &AttendChosen, batch: &Batch) {
        let dim = self.program.caches[op.cache.index()].key_dim;
        let mut out = self.take(op.out);
        for (span, rows) in spans(batch) {
            for row in rows.clone() {
                let position = span.start as usize + row - rows.start;
                let window = (position + 1).saturating_sub(op.window)..position + 1;
                let mut seen: Vec<&[f32]> =
                    window.map(|kept| self.cached_row(op.cache, batch, span, kept)).collect();
                if let Some(chosen) = op.chosen {
                    let list = self.row(chosen.list, row).iter().filter(|kept| **kept >= 0.0);
                    seen.extend(list.map(|kept| self.cached_row(chosen.cache, batch, span, *kept as usize)));
                }
                for head in 0..op.heads {
                    let mut query = self.row(op.q, row)[head * dim..][..dim].to_vec();
                    self.turn(&mut query, op.rope, position, false);
                    let mut scores: Vec<f32> = seen.iter().map(|key| dot(&query, key) * op.scale).collect();
                    softmax(&mut scores, Some(self.weights[op.sinks.index()][head]));
                    let y = &mut out[(row * op.heads + head) * dim..][..dim];
                    y.fill(0.0);
                    for (value, score) in seen.iter().zip(scores) {
                        y.iter_mut().zip(*value).for_each(|(y, v)| *y += score * v);
                    }
                    self.turn(y, op.rope, position, true);
                }
            }
        }
        self.put(op.out, out);
    }

    fn row(&self, buf: BufId, row: usize) -> &[f32] {
        let width = self.width(buf);
        &self.bufs[buf.index()][row * width..][..width]
    }

    fn cached_row(&self, cache: CacheId, batch: &Batch, span: SpanAt, kept: usize) -> &[f32] {
        let at = self.row_place(cache, batch, span, kept);
        &self.caches[cache.index()].keys[at..][..self.program.caches[cache.index()].key_dim]
    }

    /// Where a row of a sequence begins in a cache.
    fn row_place(&self, id: CacheId, batch: &Batch, span: SpanAt, kept: usize) -> usize {
        let cache = self.program.caches[id.index()];
        let (block, at) = cache.place(kept, self.limits.block_len);
        let block = match self.limits.windowed(&cache) {
            true => batch.window_blocks[span.window_table + block - span.window_first()],
            false => batch.blocks[span.table + block],
        };
        (block as usize * cache.block_rows(self.limits.block_len) + at) * cache.key_dim
    }

    /// Rotate the last values of a row, or turn them back.
    fn turn(&self, row: &mut [f32], rope: RopeId, position: usize, back: bool) {
        let program = Arc::clone(&self.program);
        let rope = &program.ropes[rope.index()];
        let pairs = rope.inv_freq.len();
        let len = row.len();
        let row = &mut row[len - 2 * pairs..];
        for i in 0..pairs {
            let factor = rope.factors.map_or(1.0, |id| self.weights[id.index()][i]);
            let angle = rope.angle(i, factor, position);
            let (sin, cos) = (angle.sin() * rope.magnitude, angle.cos() * rope.magnitude);
            let sin = if back { -sin } else { sin };
            let (a, b) = match rope.style {
                RopeStyle::Interleaved => (2 * i, 2 * i + 1),
                RopeStyle::Halves => (i, i + pairs),
            };
            (row[a], row[b]) = (row[a] * cos - row[b] * sin, row[a] * sin + row[b] * cos);
        }
    }
}

/// A span, and where its block tables begin.
#[derive(Clone, Copy)]
struct SpanAt<'a> {
    span: &'a Span,
    table: usize,
    window_table: usize,
}

impl std::ops::Deref for SpanAt<'_> {
    type Target = Span;

    fn deref(&self) -> &Span {
        self.span
    }
}

/// The spans of a batch and their rows.
fn spans(batch: &Batch) -> impl Iterator<Item = (SpanAt<'_>, Range<usize>)> {
    let (mut row, mut table, mut window_table) = (0, 0, 0);
    batch.spans.iter().map(move |span| {
        let at = SpanAt { span, table, window_table };
        let rows = row..row + span.rows as usize;
        row = rows.end;
        table += span.blocks as usize;
        window_table += span.window_blocks as usize;
        (at, rows)
    })
}

/// Numbers in order, and -1 where there are no more.
fn write(list: &mut [f32], mut numbers: Vec<usize>) {
    numbers.sort_unstable();
    list.fill(-1.0);
    list.iter_mut().zip(numbers).for_each(|(to, number)| *to = number as f32);
}
