//! One thread's walk through a step: every operator, this thread's part of it.

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

mod attention;
mod experts;
mod latent;

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

use tandem_tensor::{Activation, Batch, PeerLost, Peers};

use crate::matrix::{InputKind, Inputs, Matrix, PANEL};
use crate::plan::{Input, Part, SlotId, Source, Step};
use crate::pool::Team;
use crate::profile::{Kind, Stopwatch};
use crate::rope;
use crate::session::{State, ThreadState};

/// One thread in one step.
pub(crate) struct Worker<'a, 'p> {
    state: &'a State,
    batch: &'a Batch,
    team: &'a Team<'a>,
    watch: Stopwatch<'a>,
    leader: &'a Leader<'p>,
}

impl<'a, 'p> Worker<'a, 'p> {
    pub(crate) fn new(
        state: &'a State,
        batch: &'a Batch,
        team: &'a Team<'a>,
        watch: Stopwatch<'a>,
        leader: &'a Leader<'p>,
    ) -> Worker<'a, 'p> {
        Worker { state, batch, team, watch, leader }
    }

    pub(crate) fn run(&self) {
        self.turn();
        for step in &self.state.plan.steps {
            match step {
                Step::Embed { table, first_row, scale, out } => {
                    let table = self.state.weights.matrix(*table);
                    self.embed(table, *first_row, *scale, *out);
                }
                Step::Prepare(source) => {
                    for row in self.team.share(self.state.rows(source.x())) {
                        self.prepare_row(source, row, true);
                    }
                    self.barrier(Kind::Elementwise);
                }
                Step::Add { x, y } => self.add(*x, *y),
                Step::Linear { input, parts } => self.linear(input, parts),
                Step::Gated { input, gate, up, act, out } => {
                    let (gate, up) = (self.state.weights.matrix(*gate), self.state.weights.matrix(*up));
                    self.gated(input, gate, up, *act, *out);
                }
                Step::Attend { op, q, k, v, out } => self.attend(op, [*q, *k, *v], *out),
                Step::Experts { op, x, scores, out } => self.experts(op, *x, *scores, *out),
                Step::AttendLatent { op, q, kv, out } => self.attend_latent(op, *q, *kv, *out),
                Step::Select { x, out } => self.select(*x, *out),
                Step::AllReduce { x } => self.communicate(*x, |peers, values| peers.all_reduce(values)),
                Step::Send { x } => self.communicate(*x, |peers, values| peers.send_next(values)),
                Step::Recv { x } => self.communicate(*x, |peers, values| peers.recv_previous(values)),
            }
            // Only here have all threads passed the barrier that makes the loss known to all.
            let spoke = matches!(step, Step::AllReduce { .. } | Step::Send { .. } | Step::Recv { .. });
            if spoke && self.leader.lost.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    fn barrier(&self, spent_on: Kind) {
        self.watch.mark(spent_on);
        self.team.barrier();
        self.watch.mark(Kind::Waiting);
    }

    fn own(&self) -> *mut ThreadState {
        self.state.threads[self.team.index].0.get()
    }

    /// Row `row` of a buffer.
    ///
    /// # Safety
    /// While the slice lives, no thread writes to the row.
    unsafe fn row(&self, slot: SlotId, row: usize) -> &[f32] {
        debug_assert!(row < self.state.rows(slot));
        let width = self.state.width(slot);
        // SAFETY: the buffer was sized for the most rows; the rest is the caller's.
        unsafe { std::slice::from_raw_parts(self.state.values(slot).add(row * width), width) }
    }

    /// # Safety
    /// While the slice lives, no other access to the row is made.
    #[allow(clippy::mut_from_ref)]
    unsafe fn row_mut(&self, slot: SlotId, row: usize) -> &mut [f32] {
        debug_assert!(row < self.state.rows(slot));
        let width = self.state.width(slot);
        // SAFETY: as `row`.
        unsafe { std::slice::from_raw_parts_mut(self.state.values(slot).add(row * width), width) }
    }

    /// Fill the step's tables of angles.
    fn turn(&self) {
        let tokens = self.team.share(self.batch.tokens.len());
        for (rope, table) in self.state.program.ropes.iter().zip(&self.state.angles) {
            let factors = rope.factors.map(|factors| self.state.weights.vector(factors));
            let width = 2 * rope.inv_freq.len();
            let mut first = 0;
            for span in &self.batch.spans {
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
        for t in self.team.share(self.batch.tokens.len()) {
            // SAFETY: rows are divided among the threads.
            let out = unsafe { self.row_mut(out, t) };
            let row = (self.batch.tokens[t] as usize).checked_sub(first_row);
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
        let share = self.team.share(self.state.rows(x) * self.state.width(x));
        // SAFETY: values are divided among the threads.
        unsafe {
            let x = self.state.values(x).add(share.start);
            (self.state.kernels.add)(x, self.state.values(y).add(share.start), x, share.len());
        }
        self.barrier(Kind::Elementwise);
    }

    fn select(&self, x: SlotId, out: SlotId) {
        for i in self.team.share(self.batch.outputs.len()) {
            // SAFETY: rows of `out` are divided among the threads; nobody writes `x`.
            unsafe { self.row_mut(out, i).copy_from_slice(self.row(x, self.batch.outputs[i] as usize)) };
        }
        self.barrier(Kind::Elementwise);
    }

    fn communicate(&self, x: SlotId, act: impl Fn(&mut dyn Peers, &mut [f32]) -> Result<(), PeerLost>) {
        if self.team.index == 0 {
            let len = self.state.rows(x) * self.state.width(x);
            // SAFETY: the other threads wait at the barrier below, so the buffer is this thread's, and this
            // thread is the caller's own, to which the leader's cells belong.
            unsafe {
                let values = std::slice::from_raw_parts_mut(self.state.values(x), len);
                let outcome = act(&mut **self.leader.peers.get(), values);
                self.leader.lost.store(outcome.is_err(), Ordering::Relaxed);
                *self.leader.outcome.get() = outcome;
            }
        }
        self.barrier(Kind::Communication);
    }

    /// One row of a product's input, with what its source also writes where `keep`.
    fn prepare_row(&self, source: &Source, row: usize, keep: bool) -> &[f32] {
        let kernels = self.state.kernels;
        // SAFETY: this thread's own state, not borrowed elsewhere while the row is in use. Rows that are written
        // (`keep`) are this thread's share, or thread 0's alone; rows that are read are written by nobody now.
        unsafe {
            let own = &mut *self.own();
            let (x, norm, out) = match *source {
                Source::Plain { x } => return self.row(x, row),
                Source::Norm { x, norm, out } => (self.row(x, row), norm, out),
                Source::AddNorm { x, y, sum, norm, out } => {
                    let (x, y) = (self.row(x, row).as_ptr(), self.row(y, row).as_ptr());
                    let len = self.state.width(sum);
                    let to = if keep { self.row_mut(sum, row).as_mut_ptr() } else { own.sum.as_mut_ptr() };
                    (kernels.add)(x, y, to, len);
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
        let (tokens, cols) = (self.state.rows(x), self.state.width(x));
        // A single row is prepared by every thread for itself, which is cheaper than waiting for one.
        let alone = tokens == 1 && !input.in_place;
        // SAFETY: this thread's own buffers.
        let buffers = if alone { unsafe { &(*self.own()).inputs } } else { &self.state.inputs };
        let views = [InputKind::Floats, InputKind::Blocks]
            .map(|kind| kinds[kind as usize].then(|| buffers[kind as usize].view(kind, cols, tokens)));
        let rows = if alone { 0..1 } else { self.team.share(tokens) };
        for row in rows {
            let values = self.prepare_row(&input.source, row, !alone || self.team.index == 0);
            for view in views.iter().flatten() {
                // SAFETY: the buffer is this thread's own, or the row is its share.
                unsafe { view.prepare(self.state.cpu, row, 0, values) };
            }
        }
        if alone {
            self.watch.mark(Kind::Elementwise);
        } else {
            self.barrier(Kind::Elementwise);
        }
        views
    }

    fn linear(&self, input: &Input, parts: &[Part]) {
        let matrix = |part: &Part| self.state.weights.matrix(part.weight);
        let mut kinds = [false; 2];
        parts.iter().for_each(|part| kinds[matrix(part).input_kind() as usize] = true);
        let inputs = self.prepare(input, kinds);
        let tokens = self.state.rows(input.source.x());

        let panels: usize = parts.iter().map(|part| matrix(part).panels()).sum();
        self.each_chunk(panels, panels, |chunk| {
            let mut first = 0;
            for part in parts {
                let matrix = matrix(part);
                let from = chunk.start.max(first) - first;
                let to = chunk.end.min(first + matrix.panels()).saturating_sub(first);
                first += matrix.panels();
                if from >= to {
                    continue;
                }
                let width = self.state.width(part.out);
                let inputs = inputs[matrix.input_kind() as usize].expect("prepared for all parts");
                // SAFETY: panels, and with them columns of the output, are divided among the threads; the inputs
                // are prepared.
                unsafe {
                    let out = self.state.values(part.out).add(from * PANEL);
                    matrix.multiply(self.state.cpu, from..to, inputs, out, width);
                    if let Some(bias) = part.bias {
                        let bias = &self.state.weights.vector(bias)[from * PANEL..width.min(to * PANEL)];
                        for t in 0..tokens {
                            let y = out.add(t * width);
                            (self.state.kernels.add)(y, bias.as_ptr(), y, bias.len());
                        }
                    }
                }
            }
        });
        self.barrier(Kind::Linear);
    }

    fn gated(&self, input: &Input, gate: &Matrix, up: &Matrix, act: Activation, out: SlotId) {
        let mut kinds = [false; 2];
        [gate, up].iter().for_each(|matrix| kinds[matrix.input_kind() as usize] = true);
        let inputs = self.prepare(input, kinds);
        let inputs_of =
            |matrix: &Matrix| inputs[matrix.input_kind() as usize].expect("prepared for both matrices");
        let (tokens, width) = (self.state.rows(out), self.state.width(out));
        let activate = self.activation(act);
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let gates = unsafe { &mut (*self.own()).gate };
        let gates = UnsafeCell::new(gates);
        // SAFETY: as above; only the length is read.
        let room = unsafe { (**gates.get()).len() } / (tokens.max(1) * PANEL);
        self.each_chunk(gate.panels(), room, |panels| {
            let columns = panels.start * PANEL..width.min(panels.end * PANEL);
            // SAFETY: panels, and with them columns of the output, are divided among the threads; the inputs
            // are prepared; `gates` has room for the chunk and is used by one chunk at a time.
            unsafe {
                let gates = &mut **gates.get();
                let ups = self.state.values(out).add(columns.start);
                gate.multiply(
                    self.state.cpu,
                    panels.clone(),
                    inputs_of(gate),
                    gates.as_mut_ptr(),
                    columns.len(),
                );
                up.multiply(self.state.cpu, panels, inputs_of(up), ups, width);
                for (t, gate) in gates.chunks_exact(columns.len()).take(tokens).enumerate() {
                    activate(gate, std::slice::from_raw_parts_mut(ups.add(t * width), columns.len()));
                }
            }
        });
        self.barrier(Kind::GatedLinear);
    }

    fn activation(&self, act: Activation) -> unsafe fn(&[f32], &mut [f32]) {
        match act {
            Activation::Silu => self.state.kernels.silu_gate,
            Activation::Gelu => self.state.kernels.gelu_gate,
            Activation::ClampedSwiglu => self.state.kernels.clamped_gate,
        }
    }

    /// Call `work` for pieces of `0..len`, of at most `chunk_max`, until the team has done them all. Most of
    /// the work is divided beforehand, in long runs that memory likes; what is left goes to who comes first.
    fn each_chunk(&self, len: usize, chunk_max: usize, work: impl Fn(std::ops::Range<usize>)) {
        let (threads, chunk_max) = (self.team.threads, chunk_max.max(1));
        let run = if threads == 1 { len } else { len * 3 / 4 / threads };
        let first = self.team.index * run;
        for from in (first..first + run).step_by(chunk_max) {
            work(from..(first + run).min(from.saturating_add(chunk_max)));
        }
        let rest = run * threads;
        let chunk = (len - rest).div_ceil(threads * 8).clamp(1, chunk_max);
        let next = || Some(rest + self.team.ticket() * chunk).filter(|from| *from < len);
        while let Some(from) = next() {
            work(from..len.min(from + chunk));
        }
    }
}

/// What only thread 0, the caller's own, may touch; `lost` is for all.
pub(crate) struct Leader<'a> {
    peers: UnsafeCell<&'a mut dyn Peers>,
    outcome: UnsafeCell<Result<(), PeerLost>>,
    lost: AtomicBool,
}

// SAFETY: see above; the cells never leave the thread that made them.
unsafe impl Sync for Leader<'_> {}

impl<'a> Leader<'a> {
    pub(crate) fn new(peers: &'a mut dyn Peers) -> Leader<'a> {
        Leader {
            peers: UnsafeCell::new(peers),
            outcome: UnsafeCell::new(Ok(())),
            lost: AtomicBool::new(false),
        }
    }

    pub(crate) fn outcome(self) -> Result<(), PeerLost> {
        self.outcome.into_inner()
    }
}
