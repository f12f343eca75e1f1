//! Several streams where others have one: units of work are rows, or values of rows.

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

use std::ops::Range;

use tandem_tensor::{Blend, Connect, Kind};

use super::Worker;
use crate::plan::{STREAMS_MAX, SlotId};

/// Values of a stream that are mixed at a time.
const PIECE: usize = 64;

impl Worker<'_, '_> {
    pub(super) fn spread(&self, x: SlotId, out: SlotId) {
        let width = self.state.width(x);
        for row in self.team.share(self.rows(x)) {
            // SAFETY: rows of `out` are divided among the threads; nobody writes `x`.
            unsafe {
                let from = self.row(x, row);
                self.row_mut(out, row)
                    .chunks_exact_mut(width)
                    .for_each(|stream| stream.copy_from_slice(from));
            }
        }
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn connect(&self, op: &Connect, x: SlotId, mixes: SlotId) {
        let weights = &self.state.weights;
        let (scale, base) = (weights.vector(op.scale), weights.vector(op.base));
        for row in self.team.share(self.rows(x)) {
            // SAFETY: rows of `mixes` are divided among the threads; nobody writes `x`.
            let (x, mixes) = unsafe { (self.row(x, row), self.row_mut(mixes, row)) };
            let norm = 1.0 / (sum_squares(x) / x.len() as f32 + op.eps).sqrt();
            mix(op, norm, scale, base, mixes);
        }
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn collapse(&self, x: SlotId, mixes: SlotId, out: SlotId) {
        let width = self.state.width(out);
        self.each_run(out, |row, columns| {
            // SAFETY: values of `out` are divided among the threads; nobody writes the others.
            let (x, mixes, out) =
                unsafe { (self.row(x, row), self.row(mixes, row), self.run_mut(out, row, &columns)) };
            out.fill(0.0);
            for (stream, mix) in x.chunks_exact(width).zip(mixes) {
                out.iter_mut().zip(&stream[columns.clone()]).for_each(|(y, x)| *y += mix * x);
            }
        });
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn blend(&self, op: &Blend, of: &[SlotId], out: SlotId) {
        let weight = self.state.weights.vector(op.weight);
        for row in self.team.share(self.rows(out)) {
            let mut shares = [0.0; Blend::OF_MAX];
            let shares = &mut shares[..of.len()];
            for (share, slot) in shares.iter_mut().zip(of) {
                // SAFETY: nobody writes them.
                let x = unsafe { self.row(*slot, row) };
                *share = dot(x, weight) / (sum_squares(x) / x.len() as f32 + op.eps).sqrt();
            }
            let most = shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            shares.iter_mut().for_each(|share| *share = (*share - most).exp());
            let sum = shares.iter().sum::<f32>();
            // SAFETY: rows of `out` are divided among the threads; nobody writes the others.
            let y = unsafe { self.row_mut(out, row) };
            y.fill(0.0);
            for (share, slot) in shares.iter().zip(of) {
                // SAFETY: as above.
                let (share, x) = (share / sum, unsafe { self.row(*slot, row) });
                y.iter_mut().zip(x).for_each(|(y, x)| *y += share * x);
            }
        }
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn expand(&self, x: SlotId, y: SlotId, mixes: SlotId) {
        let width = self.state.width(y);
        let n = self.state.width(x) / width;
        self.each_run(y, |row, columns| {
            // SAFETY: values of rows, and with them those of every stream, are divided among the threads; nobody writes the others.
            let (y, mixes) = unsafe { (self.row(y, row), self.row(mixes, row)) };
            for first in columns.clone().step_by(PIECE) {
                let columns = first..columns.end.min(first + PIECE);
                let mut before = [[0.0; PIECE]; STREAMS_MAX];
                for (r, before) in before.iter_mut().enumerate().take(n) {
                    let from = r * width + columns.start..r * width + columns.end;
                    // SAFETY: as above.
                    before[..columns.len()].copy_from_slice(unsafe { self.run_mut(x, row, &from) });
                }
                for s in 0..n {
                    let to = s * width + columns.start..s * width + columns.end;
                    // SAFETY: as above.
                    let to = unsafe { self.run_mut(x, row, &to) };
                    to.iter_mut().zip(&y[columns.clone()]).for_each(|(x, y)| *x = mixes[n + s] * y);
                    for (r, before) in before.iter().enumerate().take(n) {
                        let share = mixes[2 * n + n * r + s];
                        to.iter_mut().zip(before).for_each(|(x, before)| *x += share * before);
                    }
                }
            }
        });
        self.barrier(Kind::Elementwise);
    }

    /// This thread's share of a buffer's values, row by row.
    fn each_run(&self, slot: SlotId, work: impl Fn(usize, Range<usize>)) {
        let width = self.state.width(slot);
        let share = self.team.share(self.rows(slot) * width);
        let mut at = share.start;
        while at < share.end {
            let (row, first) = (at / width, at % width);
            let end = width.min(first + share.end - at);
            work(row, first..end);
            at += end - first;
        }
    }

    /// Some values of a row.
    ///
    /// # Safety
    /// While the slice lives, no other access to them is made.
    #[allow(clippy::mut_from_ref)]
    unsafe fn run_mut(&self, slot: SlotId, row: usize, columns: &Range<usize>) -> &mut [f32] {
        debug_assert!(row < self.rows(slot) && columns.end <= self.state.width(slot));
        // SAFETY: the buffer was sized for the most rows; the rest is the caller's.
        unsafe {
            let first = self.values(slot).add(row * self.state.width(slot) + columns.start);
            std::slice::from_raw_parts_mut(first, columns.len())
        }
    }
}

fn sum_squares(x: &[f32]) -> f32 {
    dot(x, x)
}

/// In lanes, whose sums are added up at the end.
fn dot(x: &[f32], y: &[f32]) -> f32 {
    const LANES: usize = 16;
    let (whole, rest) = x.as_chunks::<LANES>();
    let (others, others_rest) = y.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (x, y) in whole.iter().zip(others) {
        sums.iter_mut().zip(x.iter().zip(y)).for_each(|(sum, (x, y))| *sum += x * y);
    }
    sums.iter().sum::<f32>() + rest.iter().zip(others_rest).map(|(x, y)| x * y).sum::<f32>()
}

/// A row of logits becomes what streams are mixed by.
fn mix(op: &Connect, norm: f32, scale: &[f32], base: &[f32], row: &mut [f32]) {
    let n = op.streams;
    for (i, (mix, base)) in row.iter_mut().zip(base).enumerate() {
        *mix = *mix * norm * scale[(i / n).min(2)] + base;
    }
    let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
    let (pre, rest) = row.split_at_mut(n);
    let (post, comb) = rest.split_at_mut(n);
    pre.iter_mut().for_each(|x| *x = sigmoid(*x) + op.floor);
    post.iter_mut().for_each(|x| *x = 2.0 * sigmoid(*x));
    for row in comb.chunks_exact_mut(n) {
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        row.iter_mut().for_each(|x| *x = (*x - most).exp());
        let sum = row.iter().sum::<f32>();
        row.iter_mut().for_each(|x| *x = *x / sum + op.floor);
    }
    for round in 0..op.rounds {
        if round > 0 {
            for row in comb.chunks_exact_mut(n) {
                let sum = row.iter().sum::<f32>() + op.floor;
                row.iter_mut().for_each(|x| *x /= sum);
            }
        }
        for column in 0..n {
            let sum = (0..n).map(|row| comb[row * n + column]).sum::<f32>() + op.floor;
            (0..n).for_each(|row| comb[row * n + column] /= sum);
        }
    }
}
