//! A mixture of experts.
//!
//! ```text
//! choose experts for every row, sort the rows by expert
//! for each expert somebody chose:                          units: an expert and 32 of its inner columns
//!     inner[its rows] = act(gate · x, up · x), made ready for `down` at once
//! --- barrier
//! for each expert, ascending:                              units: 16 columns of the output
//!     out[its rows] += weight * (down · inner)
//! ```
//!
//! 1. A single row goes to its experts as it is, and every thread chooses for itself: two barriers in all. Of several
//!    rows, each expert's are gathered first, so that its weights are read once.
//! 2. A row's sum is over its experts in ascending order, whoever else is in the batch: its bits do not change.
//! 3. Where the sum is made in two parts, which are whole multiples, every run's sum is weighed: a part times a weight is none.

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

use std::ops::Range;

use tandem_tensor::{Experts, Kind, WeightId};

use super::Worker;
use crate::matrix::{BLOCK, InputKind, Inputs, Matrix, PANEL};
use crate::plan::{Input, SlotId, Source};
use crate::routing::{Assignment, Choice, Group, Pair};

/// Panels that make whole blocks of `down`'s input.
const PANELS_PER_BLOCK: usize = BLOCK / PANEL;

impl Worker<'_, '_> {
    pub(super) fn experts(&self, op: &Experts, x: SlotId, scores: SlotId, out: SlotId) {
        let state = self.state;
        let rows = self.rows(x);
        if rows == 0 {
            return;
        }
        let weights = [op.gate, op.up, op.down].map(|id| state.weights.matrices(id));
        let [gate, up, _] = weights;
        self.choose(op, scores);
        let mut kinds = [false; 2];
        [gate, up].iter().for_each(|matrices| kinds[matrices[0].input_kind() as usize] = true);
        let inputs = self.prepare(&Input { source: Source::Plain { x }, in_place: false }, kinds);
        let assignment = self.assign(op, rows);
        if rows > 1 {
            self.gather(assignment, inputs);
        }
        let inputs_of = |group: &Group, matrix: &Matrix| {
            let kind = matrix.input_kind();
            if rows > 1 {
                let buffer = &state.gathered[kind as usize];
                buffer.view_after(group.before, kind, matrix.cols(), group.pairs.len())
            } else {
                inputs[kind as usize].expect("prepared for both matrices")
            }
        };
        self.expert_gates(op, weights, assignment, inputs_of);
        self.expert_sums(op, weights[2], assignment, out);
    }

    /// Choose experts for this thread's share of rows, or for the only one.
    fn choose(&self, op: &Experts, scores: SlotId) {
        let (state, used) = (self.state, op.routing.used);
        let vectors = [op.routing.bias, op.routing.scales].map(|id| id.map(|id| state.weights.vector(id)));
        let rows = self.rows(scores);
        let share = if rows == 1 { 0..1 } else { self.team.share(rows) };
        for row in share {
            // SAFETY: this thread's own state, not borrowed elsewhere now; a row's choices are written by the thread
            // whose share it is, and the only row's to the thread's own list. Nobody writes the scores.
            unsafe {
                let own = &mut *self.own();
                let choices = if rows == 1 {
                    &mut own.choices[..used]
                } else {
                    let choices = state.choices.as_mut_ptr().cast::<Choice>();
                    std::slice::from_raw_parts_mut(choices.add(row * used), used)
                };
                own.router.choose(&op.routing, vectors, self.row(scores, row), choices);
            }
        }
    }

    /// The rows sorted by expert: every thread does it for itself, which is cheaper than to wait for one.
    fn assign(&self, op: &Experts, rows: usize) -> &Assignment {
        let (state, used) = (self.state, op.routing.used);
        let experts = state.weights.matrices(op.gate).len();
        // SAFETY: this thread's own state, not borrowed elsewhere now. Others' choices were written before the
        // barrier that made the inputs ready.
        unsafe {
            let own = &mut *self.own();
            let choices = if rows == 1 {
                &own.choices[..used]
            } else {
                std::slice::from_raw_parts(state.choices.as_mut_ptr().cast::<Choice>(), rows * used)
            };
            own.assignment.fill(experts, used, choices);
            &own.assignment
        }
    }

    /// Bring the inputs of every expert's rows together.
    fn gather(&self, assignment: &Assignment, inputs: [Option<Inputs<'_>>; 2]) {
        let share = self.team.share(assignment.pairs.len());
        for group in &assignment.groups {
            for view in inputs.iter().flatten() {
                let buffer = &self.state.gathered[view.kind() as usize];
                let gathered = buffer.view_after(group.before, view.kind(), view.cols(), group.pairs.len());
                for pair in group.pairs.start.max(share.start)..group.pairs.end.min(share.end) {
                    let token = pair - group.pairs.start;
                    // SAFETY: pairs are divided among the threads; the inputs are ready.
                    unsafe { gathered.copy(token, *view, assignment.pairs[pair].row) };
                }
            }
        }
        self.barrier(Kind::Elementwise);
    }

    fn expert_gates<'i>(
        &self,
        op: &Experts,
        [gate, up, down]: [&[Matrix]; 3],
        assignment: &Assignment,
        inputs_of: impl Fn(&Group, &Matrix) -> Inputs<'i>,
    ) {
        let state = self.state;
        let (inner, cpu) = (gate[0].rows(), state.cpu);
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let (gates, ups, len) = unsafe {
            let own = &mut *self.own();
            (own.gate.as_mut_ptr(), own.up.as_mut_ptr(), own.up.len())
        };
        let blocks = inner.div_ceil(BLOCK);
        self.team.each_chunk(assignment.groups.len() * blocks, usize::MAX, |chunk| {
            each_piece(chunk, blocks, |index, blocks| {
                let group = &assignment.groups[index];
                let (rows, expert) = (group.pairs.len(), group.expert);
                let inner_inputs = self.inner_inputs(&down[expert], group);
                let room = (len / (rows * BLOCK)).max(1);
                for first in blocks.clone().step_by(room) {
                    let end = blocks.end.min(first + room);
                    let columns = first * BLOCK..inner.min(end * BLOCK);
                    let panels = first * PANELS_PER_BLOCK..gate[expert].panels().min(end * PANELS_PER_BLOCK);
                    let width = columns.len();
                    // SAFETY: blocks of an expert, and with them columns of its inner rows, are divided among the
                    // threads; the inputs are prepared; `gates` and `ups` have room for the columns of all rows.
                    unsafe {
                        let (gate, up) = (&gate[expert], &up[expert]);
                        gate.multiply(cpu, panels.clone(), inputs_of(group, gate), gates, width);
                        if std::ptr::eq(gate, up) {
                            ups.copy_from_nonoverlapping(gates, rows * width);
                        } else {
                            up.multiply(cpu, panels, inputs_of(group, up), ups, width);
                        }
                        if op.routing.weighs_input {
                            // Both are linear: what the input is multiplied by, they are.
                            for (row, pair) in assignment.pairs[group.pairs.clone()].iter().enumerate() {
                                for part in [gates, ups] {
                                    let part = std::slice::from_raw_parts_mut(part.add(row * width), width);
                                    part.iter_mut().for_each(|x| *x *= pair.weight);
                                }
                            }
                        }
                        self.add_bias(op.gate_bias, expert * inner + columns.start, gates, rows, width);
                        self.add_bias(op.up_bias, expert * inner + columns.start, ups, rows, width);
                        for row in 0..rows {
                            let gate = std::slice::from_raw_parts(gates.add(row * width), width);
                            let up = std::slice::from_raw_parts_mut(ups.add(row * width), width);
                            self.activate(op.act, gate, up);
                            inner_inputs.prepare(cpu, row, columns.start, up);
                        }
                    }
                }
            });
        });
        self.barrier(Kind::Experts);
    }

    fn expert_sums(&self, op: &Experts, down: &[Matrix], assignment: &Assignment, out: SlotId) {
        let state = self.state;
        if let Some(run) = op.run {
            return self.expert_sums_in_parts(op, run, down, assignment, out);
        }
        let (rows, hidden) = (self.rows(out), state.width(out));
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let (sums, len) = unsafe {
            let own = &mut *self.own();
            (own.up.as_mut_ptr(), own.up.len())
        };
        self.team.each_chunk(down[0].panels(), usize::MAX, |panels| {
            let columns = panels.start * PANEL..hidden.min(panels.end * PANEL);
            for row in 0..rows {
                // SAFETY: columns of the output are divided among the threads.
                unsafe { self.values(out).add(row * hidden + columns.start).write_bytes(0, columns.len()) };
            }
            for group in &assignment.groups {
                let down = &down[group.expert];
                let room = (len / (group.pairs.len() * PANEL)).max(1);
                for first in panels.clone().step_by(room) {
                    let panels = first..panels.end.min(first + room);
                    let columns = first * PANEL..hidden.min(panels.end * PANEL);
                    let width = columns.len();
                    // SAFETY: columns of the output are divided among the threads; the inputs were prepared before
                    // the barrier; `sums` has room for the columns of all rows.
                    unsafe {
                        down.multiply(state.cpu, panels, self.inner_inputs(down, group), sums, width);
                        let bias = group.expert * hidden + columns.start;
                        self.add_bias(op.down_bias, bias, sums, group.pairs.len(), width);
                        for (index, pair) in assignment.pairs[group.pairs.clone()].iter().enumerate() {
                            let out = self.values(out).add(pair.row * hidden + columns.start);
                            let weight = after(op, pair);
                            (state.kernels.add_scaled)(sums.add(index * width), weight, out, width);
                        }
                    }
                }
            }
        });
        self.barrier(Kind::Experts);
    }

    fn expert_sums_in_parts(
        &self,
        op: &Experts,
        run: usize,
        down: &[Matrix],
        assignment: &Assignment,
        out: SlotId,
    ) {
        let (state, kernels) = (self.state, self.state.kernels);
        let (rows, hidden) = (self.rows(out), down[0].rows());
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let (sums, len) = unsafe {
            let own = &mut *self.own();
            (own.up.as_mut_ptr(), own.up.len())
        };
        // SAFETY: by the shapes of the output, which has two parts of these columns in every row.
        let parts_of = |row: usize, column: usize| unsafe {
            let first = self.values(out).add(row * 2 * hidden + column);
            [first, first.add(hidden)]
        };
        self.team.each_chunk(down[0].panels(), usize::MAX, |panels| {
            let columns = panels.start * PANEL..hidden.min(panels.end * PANEL);
            for row in 0..rows {
                for part in parts_of(row, columns.start) {
                    // SAFETY: columns of the output are divided among the threads.
                    unsafe { part.write_bytes(0, columns.len()) };
                }
            }
            for group in &assignment.groups {
                let down = &down[group.expert];
                // Both parts of a panel's columns of all rows: there is room for eight panels of one part.
                let room = (len / (group.pairs.len() * 2 * PANEL)).max(1);
                for first in panels.clone().step_by(room) {
                    let panels = first..panels.end.min(first + room);
                    let columns = first * PANEL..hidden.min(panels.end * PANEL);
                    let width = columns.len();
                    let bias = op.down_bias.map(|bias| {
                        &state.weights.vector(bias)[group.expert * hidden + columns.start..][..width]
                    });
                    let (inputs, pairs) =
                        (self.inner_inputs(down, group), &assignment.pairs[group.pairs.clone()]);
                    let weight = |index: usize| after(op, &pairs[index]);
                    // SAFETY: columns of the output are divided among the threads; the inputs were prepared before
                    // the barrier; `sums` has room for both parts of the columns of all rows.
                    unsafe {
                        down.multiply_in_parts(
                            state.cpu,
                            panels,
                            inputs,
                            run,
                            Some(&weight),
                            sums,
                            2 * width,
                            width,
                        );
                        for (index, pair) in pairs.iter().enumerate() {
                            let own = sums.add(index * 2 * width);
                            if let Some(bias) = bias {
                                (kernels.add_split)(
                                    bias.as_ptr(),
                                    after(op, pair),
                                    false,
                                    own,
                                    own.add(width),
                                    width,
                                );
                            }
                            let [first, second] = parts_of(pair.row, columns.start);
                            (kernels.add)(first, own, first, width);
                            (kernels.add)(second, own.add(width), second, width);
                        }
                    }
                }
            }
        });
        self.barrier(Kind::Experts);
    }

    /// Where the input of `down` lies for a group's rows.
    fn inner_inputs(&self, down: &Matrix, group: &Group) -> Inputs<'_> {
        let kind: InputKind = down.input_kind();
        self.state.inner[kind as usize].view_after(group.before, kind, down.cols(), group.pairs.len())
    }

    /// Add the values of `bias` from `first` on to `rows` rows of `width` values.
    ///
    /// # Safety
    /// `to` has them, and they are this thread's.
    unsafe fn add_bias(&self, bias: Option<WeightId>, first: usize, to: *mut f32, rows: usize, width: usize) {
        let Some(bias) = bias else { return };
        let bias = &self.state.weights.vector(bias)[first..][..width];
        for row in 0..rows {
            // SAFETY: the caller's.
            unsafe {
                let to = to.add(row * width);
                (self.state.kernels.add)(to, bias.as_ptr(), to, width);
            }
        }
    }
}

/// What an expert's result is multiplied by.
fn after(op: &Experts, pair: &Pair) -> f32 {
    if op.routing.weighs_input { 1.0 } else { pair.weight }
}

/// Cut a run of `0..groups * len` where one group ends and the next begins.
pub(super) fn each_piece(run: Range<usize>, len: usize, mut work: impl FnMut(usize, Range<usize>)) {
    let mut at = run.start;
    while at < run.end {
        let (group, first) = (at / len, at % len);
        let end = len.min(first + run.end - at);
        work(group, first..end);
        at += end - first;
    }
}
