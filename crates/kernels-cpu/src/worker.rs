//! One thread's walk through a step: every operator, this thread's part of it.

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

mod attention;
mod chosen;
mod experts;
mod latent;
mod pooled;
mod rows;
mod runs;
mod states;
mod streams;

use std::cell::{Cell, UnsafeCell};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use tandem_tensor::{Activation, Kind, PeerLost, Peers};

use crate::activate::limited_gate;
use crate::matrix::{InputKind, Inputs, Matrix, PANEL};
use crate::plan::{Input, Part, SlotId, Source, Step};
use crate::pool::Team;
use crate::rope;
use crate::session::{State, ThreadState};
use crate::stopwatch::Stopwatch;
use crate::view::View;

/// One thread in one step, or in the rows of one half of it.
#[derive(Clone, Copy)]
pub(crate) struct Worker<'a, 'p> {
    state: &'a State,
    view: View<'a>,
    team: &'a Team<'a>,
    watch: &'a Stopwatch<'a>,
    /// Exchanges with peers that this thread has seen.
    exchanges: &'a Cell<usize>,
    leader: &'a Leader<'p>,
}

impl<'a, 'p> Worker<'a, 'p> {
    pub(crate) fn new(
        state: &'a State,
        view: View<'a>,
        team: &'a Team<'a>,
        watch: &'a Stopwatch<'a>,
        exchanges: &'a Cell<usize>,
        leader: &'a Leader<'p>,
    ) -> Worker<'a, 'p> {
        Worker { state, view, team, watch, exchanges, leader }
    }

    /// The whole step; its layers by halves where there are any.
    pub(crate) fn run(&self, halves: Option<[View<'a>; 2]>) {
        self.turn();
        let plan = &self.state.plan;
        let Some(halves) = halves else { return drop(self.walk(&plan.steps)) };
        let (first, rest) = plan.steps.split_at(plan.layers.start);
        let (layers, last) = rest.split_at(plan.layers.len());
        // What is lost has been said.
        let _ = self
            .walk(first)
            .and_then(|()| self.in_turns(layers, halves.map(|view| Worker { view, ..*self })))
            .and_then(|()| self.walk(last));
    }

    /// Steps that end in a sum, over one half and then the other: while the one's sum is made, the other computes.
    fn in_turns(&self, steps: &[Step], halves: [Worker<'a, 'p>; 2]) -> Result<(), Lost> {
        let mut flying = None;
        for stretch in steps.split_inclusive(|step| matches!(step, Step::AllReduce { .. })) {
            for half in &halves {
                let Some((Step::AllReduce { x }, before)) = stretch.split_last() else {
                    unreachable!("the plan's layers end in a sum")
                };
                half.walk(before)?;
                let sum = (half, *x);
                self.exchange(flying.replace(sum), Some(sum))?;
            }
        }
        self.exchange(flying, None)
    }

    fn walk(&self, steps: &[Step]) -> Result<(), Lost> {
        for step in steps {
            match step {
                Step::Embed { table, first_row, scale, out } => {
                    let table = self.state.weights.matrix(*table);
                    self.embed(table, *first_row, *scale, *out);
                }
                Step::Prepare(source) => {
                    self.team.each_chunk(self.rows(source.x()), usize::MAX, |rows| {
                        for row in rows {
                            self.prepare_row(source, row, true);
                        }
                    });
                    self.barrier(Kind::Elementwise);
                }
                Step::Place { out } => self.place(*out),
                Step::Curve { x, curve } => self.curve(*x, *curve),
                Step::LayerNorm { x, norm, out } => self.layer_norm(*x, *norm, *out),
                Step::Mean { x, len, out } => self.mean(*x, *len, *out),
                Step::Add { x, y } => self.add(*x, *y),
                Step::Gate { x, gate, curve } => self.gate(*x, *gate, *curve),
                Step::NormRuns { x, len, norm } => self.norm_runs(*x, *len, *norm),
                Step::Convolve { op, x, out } => self.convolve(op, *x, *out),
                Step::DeltaRule { op, inputs, out } => self.delta_rule(op, *inputs, *out),
                Step::Scan { op, inputs, out } => self.scan(op, *inputs, *out),
                Step::Spread { x, out } => self.spread(*x, *out),
                Step::Connect { op, x, mixes } => self.connect(op, *x, *mixes),
                Step::Collapse { x, mixes, out } => self.collapse(*x, *mixes, *out),
                Step::Expand { x, y, mixes } => self.expand(*x, *y, *mixes),
                Step::Blend { op, of, out } => self.blend(op, of, *out),
                Step::Pool { op, inputs, out } => self.pool(op, *inputs, *out),
                Step::Store { op, x } => self.store(op, *x),
                Step::Choose { op, inputs, list, out } => self.choose_rows(op, *inputs, *list, *out),
                Step::AttendChosen { op, q, list, out } => self.attend_listed(op, *q, *list, *out),
                Step::Stacked { x, weight, out } => self.stacked(*x, *weight, *out),
                Step::Rescale { x, scale, by, cap } => {
                    let by = by.map_or(1.0, |by| self.state.weights.vector(by)[0]);
                    self.rescale(*x, scale * by, *cap);
                }
                Step::SumSquares { of, out } => self.sum_squares(of, *out),
                Step::NormBy { x, sums, at, len, norm } => self.norm_by(*x, *sums, *at, *len, *norm),
                Step::Linear { input, parts } => self.linear(input, parts),
                Step::Gated { input, gate, up, act, out } => {
                    let (gate, up) = (self.state.weights.matrix(*gate), self.state.weights.matrix(*up));
                    self.gated(input, gate, up, *act, *out);
                }
                Step::Attend { op, q, kv, list, out } => self.attend(op, *q, *kv, *list, *out),
                Step::ChooseRuns { op, q, k, out } => self.choose_runs(op, [*q, *k], *out),
                Step::Experts { op, x, scores, out } => self.experts(op, *x, *scores, *out),
                Step::AttendLatent { op, q, kv, index, out } => {
                    self.attend_latent(op, *q, *kv, *index, *out);
                }
                Step::Join { x, out } => self.join(*x, *out),
                Step::Select { x, out } => self.select(*x, *out),
                Step::Slice { x, first, out } => self.slice(*x, *first, *out),
                Step::AllReduce { x } => {
                    // SAFETY: the other threads wait.
                    let act = |peers: &mut dyn Peers| peers.all_reduce(unsafe { self.whole(*x) });
                    self.communicate(act)?;
                }
                Step::Send { x } => {
                    // SAFETY: the other threads wait.
                    let act = |peers: &mut dyn Peers| peers.send_next(unsafe { self.whole(*x) });
                    self.communicate(act)?;
                }
                Step::Recv { x } => {
                    // SAFETY: the other threads wait.
                    let act = |peers: &mut dyn Peers| peers.recv_previous(unsafe { self.whole(*x) });
                    self.communicate(act)?;
                }
            }
        }
        Ok(())
    }

    fn barrier(&self, spent_on: Kind) {
        self.watch.mark(spent_on);
        if self.leader.progress(self.team) {
            self.watch.mark(Kind::Communication);
        }
        match spent_on {
            Kind::Linear | Kind::GatedLinear | Kind::Experts if !self.leader.in_halves => {
                self.team.barrier_after_chunks();
            }
            _ => self.team.barrier(),
        }
        self.watch.mark(Kind::Waiting);
    }

    fn rows(&self, slot: SlotId) -> usize {
        self.view.rows(self.state.plan.slots[slot.0].rows)
    }

    fn values(&self, slot: SlotId) -> *mut f32 {
        let first = self.view.first(self.state.plan.slots[slot.0].rows);
        // SAFETY: the buffer was sized for the most rows, and the view's are among them.
        unsafe { self.state.values(slot).add(first * self.state.width(slot)) }
    }

    fn own(&self) -> *mut ThreadState {
        self.state.threads[self.team.index].0.get()
    }

    /// Row `row` of a buffer.
    ///
    /// # Safety
    /// While the slice lives, no thread writes to the row.
    unsafe fn row(&self, slot: SlotId, row: usize) -> &[f32] {
        debug_assert!(row < self.rows(slot));
        let width = self.state.width(slot);
        // SAFETY: the buffer was sized for the most rows; the rest is the caller's.
        unsafe { std::slice::from_raw_parts(self.values(slot).add(row * width), width) }
    }

    /// # Safety
    /// While the slice lives, no other access to the row is made.
    #[allow(clippy::mut_from_ref)]
    unsafe fn row_mut(&self, slot: SlotId, row: usize) -> &mut [f32] {
        debug_assert!(row < self.rows(slot));
        let width = self.state.width(slot);
        // SAFETY: as `row`.
        unsafe { std::slice::from_raw_parts_mut(self.values(slot).add(row * width), width) }
    }

    /// Fill the step's tables of angles.
    fn turn(&self) {
        let tokens = self.team.share(self.view.batch.tokens.len());
        for (rope, table) in self.state.program.ropes.iter().zip(&self.state.angles) {
            let factors = rope.factors.map(|factors| self.state.weights.vector(factors));
            let width = 2 * rope.inv_freq.len();
            let mut first = 0;
            for span in &self.view.batch.spans {
                let rows = first..first + span.rows as usize;
                for row in rows.start.max(tokens.start)..rows.end.min(tokens.end) {
                    let position = span.start as usize + row - rows.start;
                    // SAFETY: the table has `tokens_max` rows, and this thread alone writes its share of them.
                    let out = unsafe {
                        let to = table.as_mut_ptr().cast::<f32>().add(row * width);
                        std::slice::from_raw_parts_mut(to, width)
                    };
                    rope::angles(rope, factors, position, out);
                }
                first = rows.end;
            }
        }
        self.barrier(Kind::Elementwise);
    }

    fn embed(&self, table: &Matrix, first_row: usize, scale: f32, out: SlotId) {
        for t in self.team.share(self.view.batch.tokens.len()) {
            // SAFETY: rows are divided among the threads.
            let out = unsafe { self.row_mut(out, t) };
            let row = (self.view.batch.tokens[t] as usize).checked_sub(first_row);
            match row.filter(|row| *row < table.rows()) {
                Some(row) => {
                    table.row_into(row, out);
                    if scale != 1.0 {
                        out.iter_mut().for_each(|x| *x *= scale);
                    }
                }
                None => out.fill(0.0),
            }
        }
        self.barrier(Kind::Elementwise);
    }

    fn add(&self, x: SlotId, y: SlotId) {
        let share = self.team.share(self.rows(x) * self.state.width(x));
        // SAFETY: values are divided among the threads.
        unsafe {
            let x = self.values(x).add(share.start);
            (self.state.kernels.add)(x, self.values(y).add(share.start), x, share.len());
        }
        self.barrier(Kind::Elementwise);
    }

    fn join(&self, x: SlotId, out: SlotId) {
        let width = self.state.width(out);
        for row in self.team.share(self.rows(out)) {
            // SAFETY: rows of `out` are divided among the threads; nobody writes `x`.
            unsafe {
                let (parts, out) = (self.row(x, row).as_ptr(), self.row_mut(out, row).as_mut_ptr());
                (self.state.kernels.add)(parts, parts.add(width), out, width);
            }
        }
        self.barrier(Kind::Elementwise);
    }

    fn select(&self, x: SlotId, out: SlotId) {
        for i in self.team.share(self.view.batch.outputs.len()) {
            // SAFETY: rows of `out` are divided among the threads; nobody writes `x`.
            unsafe { self.row_mut(out, i).copy_from_slice(self.row(x, self.view.batch.outputs[i] as usize)) };
        }
        self.barrier(Kind::Elementwise);
    }

    fn slice(&self, x: SlotId, first: usize, out: SlotId) {
        for row in self.team.share(self.rows(out)) {
            // SAFETY: rows of `out` are divided among the threads; nobody writes `x`.
            unsafe {
                let out = self.row_mut(out, row);
                out.copy_from_slice(&self.row(x, row)[first..][..out.len()]);
            }
        }
        self.barrier(Kind::Elementwise);
    }

    /// All rows of a buffer.
    ///
    /// # Safety
    /// While the slice lives, no other access to the buffer is made.
    #[allow(clippy::mut_from_ref)]
    unsafe fn whole(&self, slot: SlotId) -> &mut [f32] {
        let len = self.rows(slot) * self.state.width(slot);
        // SAFETY: as `row`.
        unsafe { std::slice::from_raw_parts_mut(self.values(slot), len) }
    }

    /// Finish one half's sum, and begin the other's.
    fn exchange(
        &self,
        finish: Option<(&Worker<'a, 'p>, SlotId)>,
        begin: Option<(&Worker<'a, 'p>, SlotId)>,
    ) -> Result<(), Lost> {
        // SAFETY: see `communicate`.
        self.communicate(|peers| unsafe {
            if let Some((half, x)) = finish {
                peers.finish_all_reduce(half.whole(x))?;
            }
            if let Some((half, x)) = begin {
                peers.start_all_reduce(half.whole(x))?;
            }
            // SAFETY: only thread 0 runs this.
            *self.leader.flying.get() = begin.is_some();
            Ok(())
        })
    }

    /// Let thread 0 `act` while the others wait, so that all buffers are its own.
    fn communicate(&self, act: impl FnOnce(&mut dyn Peers) -> Result<(), PeerLost>) -> Result<(), Lost> {
        let exchange = self.exchanges.get() + 1;
        self.exchanges.set(exchange);
        if self.team.index == 0 {
            // SAFETY: this thread is the caller's own, to which the leader's cells belong.
            unsafe {
                let outcome = act(&mut **self.leader.peers.get());
                if outcome.is_err() {
                    self.leader.lost_in.store(exchange, Ordering::Relaxed);
                }
                *self.leader.outcome.get() = outcome;
            }
        }
        self.watch.mark(Kind::Communication);
        self.team.barrier();
        self.watch.mark(Kind::Waiting);
        // Here all threads have passed the barrier that makes a loss known to all. Thread 0 may already have lost the next exchange.
        if self.leader.lost_in.load(Ordering::Relaxed) == exchange { Err(Lost) } else { Ok(()) }
    }

    /// One row of a product's input, with what its source also writes where `keep`.
    fn prepare_row(&self, source: &Source, row: usize, keep: bool) -> &[f32] {
        let kernels = self.state.kernels;
        // SAFETY: this thread's own state, not borrowed elsewhere while the row is in use. Rows that are written
        // (`keep`) are this thread's chunk, or thread 0's alone; rows that are read are written by nobody now.
        unsafe {
            let own = &mut *self.own();
            let (x, norm, out) = match *source {
                Source::Plain { x } => return self.row(x, row),
                Source::Norm { x, norm, out } => (self.row(x, row), norm, out),
                Source::AddNorm { x, y, sum, norm, out } => {
                    let (x, y) = (self.row(x, row).as_ptr(), self.row(y, row));
                    let len = self.state.width(sum);
                    let to = if keep { self.row_mut(sum, row).as_mut_ptr() } else { own.sum.as_mut_ptr() };
                    if y.len() == len {
                        (kernels.add)(x, y.as_ptr(), to, len);
                    } else {
                        // In two parts; `to` may be `x`.
                        let joined = own.row.as_mut_ptr();
                        (kernels.add)(y.as_ptr(), y.as_ptr().add(len), joined, len);
                        (kernels.add)(x, joined, to, len);
                    }
                    (std::slice::from_raw_parts(to.cast_const(), len), norm, out)
                }
            };
            let to = &mut own.row[..x.len()];
            (kernels.rms_norm)(x, self.state.weights.vector(norm.weight), norm.eps, to);
            if let Some(out) = out.filter(|_| keep) {
                self.row_mut(out, row).copy_from_slice(to);
            }
            to
        }
    }

    /// The input of a product, in the kinds that its weights want.
    fn prepare(&self, input: &Input, kinds: [bool; 2]) -> [Option<Inputs<'_>>; 2] {
        let x = input.source.x();
        let (tokens, cols) = (self.rows(x), self.state.width(x));
        // A single row is prepared by every thread for itself, which is cheaper than waiting for one.
        let alone = tokens == 1 && !input.in_place;
        // SAFETY: this thread's own buffers.
        let buffers = if alone { unsafe { &(*self.own()).inputs } } else { &self.state.inputs };
        let views = [InputKind::Floats, InputKind::Blocks]
            .map(|kind| kinds[kind as usize].then(|| buffers[kind as usize].view(kind, cols, tokens)));
        let prepare = |row: usize| {
            let values = self.prepare_row(&input.source, row, !alone || self.team.index == 0);
            for view in views.iter().flatten() {
                // SAFETY: the buffer is this thread's own, or the row is.
                unsafe { view.prepare(self.state.cpu, row, 0, values) };
            }
        };
        if alone {
            prepare(0);
            self.watch.mark(Kind::Elementwise);
        } else {
            self.team.each_chunk(tokens, usize::MAX, |rows| rows.for_each(prepare));
            self.barrier(Kind::Elementwise);
        }
        views
    }

    fn linear(&self, input: &Input, parts: &[Part]) {
        let matrix = |part: &Part| self.state.weights.matrix(part.weight);
        let mut kinds = [false; 2];
        parts.iter().for_each(|part| kinds[matrix(part).input_kind() as usize] = true);
        let inputs = self.prepare(input, kinds);
        let tokens = self.rows(input.source.x());

        let panels: usize = parts.iter().map(|part| matrix(part).panels()).sum();
        let multiply = |chunk: Range<usize>| {
            let mut first = 0;
            for part in parts {
                let matrix = matrix(part);
                let from = chunk.start.max(first) - first;
                let to = chunk.end.min(first + matrix.panels()).saturating_sub(first);
                first += matrix.panels();
                if from >= to {
                    continue;
                }
                let (rows, width) = (matrix.rows(), self.state.width(part.out));
                let inputs = inputs[matrix.input_kind() as usize].expect("prepared for all parts");
                let bias = part
                    .bias
                    .map(|bias| &self.state.weights.vector(bias)[from * PANEL..rows.min(to * PANEL)]);
                // SAFETY: panels, and with them columns of the output, are divided among the threads; the inputs
                // are prepared.
                unsafe {
                    let out = self.values(part.out).add(from * PANEL);
                    match part.run {
                        None => matrix.multiply(self.state.cpu, from..to, inputs, out, width),
                        Some(run) => {
                            let cpu = self.state.cpu;
                            matrix.multiply_in_parts(cpu, from..to, inputs, run, None, out, width, rows);
                        }
                    }
                    let Some(bias) = bias else { continue };
                    for t in 0..tokens {
                        let y = out.add(t * width);
                        match part.run {
                            None => (self.state.kernels.add)(y, bias.as_ptr(), y, bias.len()),
                            Some(_) => {
                                let (kernels, second) = (self.state.kernels, y.add(rows));
                                (kernels.add_split)(bias.as_ptr(), 1.0, false, y, second, bias.len());
                            }
                        }
                    }
                }
            }
        };
        match inputs.iter().flatten().any(Inputs::are_far) {
            true => self.team.each_long_chunk(panels, multiply),
            false => self.team.each_chunk(panels, panels, multiply),
        }
        self.barrier(Kind::Linear);
    }

    fn gated(&self, input: &Input, gate: &Matrix, up: &Matrix, act: Activation, out: SlotId) {
        let mut kinds = [false; 2];
        [gate, up].iter().for_each(|matrix| kinds[matrix.input_kind() as usize] = true);
        let inputs = self.prepare(input, kinds);
        let inputs_of =
            |matrix: &Matrix| inputs[matrix.input_kind() as usize].expect("prepared for both matrices");
        let (tokens, width) = (self.rows(out), self.state.width(out));
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let gates = unsafe { &mut (*self.own()).gate };
        let gates = UnsafeCell::new(gates);
        // SAFETY: as above; only the length is read.
        let room = unsafe { (**gates.get()).len() } / (tokens.max(1) * PANEL);
        self.team.each_chunk(gate.panels(), room, |panels| {
            let columns = panels.start * PANEL..width.min(panels.end * PANEL);
            // SAFETY: panels, and with them columns of the output, are divided among the threads; the inputs
            // are prepared; `gates` has room for the chunk and is used by one chunk at a time.
            unsafe {
                let gates = &mut **gates.get();
                let ups = self.values(out).add(columns.start);
                gate.multiply(
                    self.state.cpu,
                    panels.clone(),
                    inputs_of(gate),
                    gates.as_mut_ptr(),
                    columns.len(),
                );
                let same = std::ptr::eq(gate, up);
                if !same {
                    up.multiply(self.state.cpu, panels, inputs_of(up), ups, width);
                }
                for (t, gate) in gates.chunks_exact(columns.len()).take(tokens).enumerate() {
                    let up = std::slice::from_raw_parts_mut(ups.add(t * width), columns.len());
                    if same {
                        up.copy_from_slice(gate);
                    }
                    self.activate(act, gate, up);
                }
            }
        });
        self.barrier(Kind::GatedLinear);
    }

    fn activate(&self, act: Activation, gate: &[f32], up: &mut [f32]) {
        let kernels = self.state.kernels;
        // SAFETY: the kernels were chosen for this processor.
        unsafe {
            match act {
                Activation::Silu => (kernels.silu_gate)(gate, up),
                Activation::Gelu => (kernels.gelu_gate)(gate, up),
                Activation::ClampedSwiglu => (kernels.clamped_gate)(gate, up),
                Activation::LimitedSilu(limit) => limited_gate(limit, gate, up),
                Activation::ClampedSilu(limit) => (kernels.clamped_silu)(limit, gate, up),
                Activation::Situ { beta, linear } => (kernels.situ)([beta, linear.unwrap_or(0.0)], gate, up),
                Activation::ReluGate => up.iter_mut().zip(gate).for_each(|(up, gate)| *up *= gate.max(0.0)),
            }
        }
    }
}

/// A peer is lost, as the leader's outcome says.
struct Lost;

/// What only thread 0, the caller's own, may touch; `lost_in` and `in_halves` are for all.
pub(crate) struct Leader<'a> {
    peers: UnsafeCell<&'a mut dyn Peers>,
    outcome: UnsafeCell<Result<(), PeerLost>>,
    /// A sum has begun and is not finished.
    flying: UnsafeCell<bool>,
    /// The number of the exchange in which a peer was lost.
    lost_in: AtomicUsize,
    /// The step is run in halves: between them thread 0 has sums to move, and the others wait for that too.
    in_halves: bool,
}

// SAFETY: see above; the cells never leave the thread that made them.
unsafe impl Sync for Leader<'_> {}

impl<'a> Leader<'a> {
    pub(crate) fn new(peers: &'a mut dyn Peers, in_halves: bool) -> Leader<'a> {
        Leader {
            peers: UnsafeCell::new(peers),
            outcome: UnsafeCell::new(Ok(())),
            flying: UnsafeCell::new(false),
            lost_in: AtomicUsize::new(usize::MAX),
            in_halves,
        }
    }

    /// Keep a sum moving, if one is under way and this is thread 0.
    fn progress(&self, team: &Team) -> bool {
        // SAFETY: thread 0's own.
        let moves = team.index == 0 && unsafe { *self.flying.get() };
        if moves {
            // SAFETY: as above.
            unsafe { (**self.peers.get()).progress() };
        }
        moves
    }

    pub(crate) fn outcome(self) -> Result<(), PeerLost> {
        self.outcome.into_inner()
    }
}
