//! One rank's program, run step by step.
//!
//! A step is one [`Pool::run`]: every thread walks the same plan and does its part of every operator, with a
//! barrier where one operator's result is another's input. How work is divided never changes what is computed:
//! any number of threads gives the same bits.

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tandem_tensor::{
    Activation, Attend, Batch, Footprint, Limits, OpenError, PeerLost, Peers, Program, Rows, Session,
};

use crate::attend::{Head, PARTITION, Partial, QUERIES, QueryTile, Scratch};
use crate::cache::CacheLayout;
use crate::cpu::Cpu;
use crate::kernels::Kernels;
use crate::matrix::{InputBuffer, InputKind, Inputs, Matrix, PANEL};
use crate::memory::{Arena, Region};
use crate::plan::{Input, Part, Plan, SlotId, Source, Step};
use crate::pool::{Pool, Team};
use crate::profile::{Kind, Profile, Stopwatch};
use crate::rope;
use crate::weights::Weights;

pub(crate) struct CpuSession {
    pool: Pool,
    state: State,
}

impl CpuSession {
    pub(crate) fn footprint(program: &Program, limits: &Limits, threads: usize) -> Footprint {
        let plan = Plan::new(program);
        let sizes = Sizes::new(program, &plan, limits, threads);
        Footprint {
            weights: Weights::bytes(program) as u64,
            cache: sizes.cache_bytes as u64,
            scratch: sizes.scratch_bytes as u64,
        }
    }

    pub(crate) fn new(
        program: Arc<Program>,
        limits: Limits,
        weights: Weights,
        pool: Pool,
        cpu: Cpu,
        profile: Option<Arc<Profile>>,
    ) -> Result<CpuSession, OpenError> {
        let plan = Plan::new(&program);
        let sizes = Sizes::new(&program, &plan, &limits, pool.threads());
        let no_memory = |what: &'static str, bytes: usize| {
            move |source| OpenError::Memory { what, bytes: bytes as u64, source }
        };
        let layouts: Vec<CacheLayout> =
            program.caches.iter().map(|cache| CacheLayout::new(cache, &limits)).collect();
        let mut arena =
            Arena::new(sizes.cache_bytes).map_err(no_memory("the key-value cache", sizes.cache_bytes))?;
        let caches = layouts.iter().map(|layout| arena.take(layout.bytes(limits.blocks))).collect();

        let mut arena =
            Arena::new(sizes.buffer_bytes).map_err(no_memory("activations", sizes.buffer_bytes))?;
        let rows = |rows| match rows {
            Rows::Tokens => limits.tokens_max,
            Rows::Outputs => limits.outputs_max,
        };
        let buffers = plan.slots.iter().map(|slot| arena.take(rows(slot.rows) * slot.width * 4)).collect();
        let angles = program.ropes.iter().map(|rope| arena.take(limits.tokens_max * rope.inv_freq.len() * 8));
        let angles = angles.collect();
        let mut inputs = Vec::new();
        for bytes in sizes.input_bytes {
            inputs.push(InputBuffer::new(bytes).map_err(no_memory("activations", bytes))?);
        }
        let inputs = inputs.try_into().ok().expect("one buffer of each kind");
        let mut threads = Vec::with_capacity(pool.threads());
        for _ in 0..pool.threads() {
            let mut inputs = Vec::new();
            for bytes in sizes.row_input_bytes {
                inputs.push(InputBuffer::new(bytes).map_err(no_memory("activations", bytes))?);
            }
            threads.push(Padded(UnsafeCell::new(ThreadState {
                inputs: inputs.try_into().ok().expect("one buffer of each kind"),
                row: vec![0.0; sizes.row_len],
                sum: vec![0.0; sizes.row_len],
                gate: vec![0.0; sizes.gate_len],
                attend: Scratch::new(sizes.queries, sizes.key_dim, sizes.value_stride),
            })));
        }
        let partial = || UnsafeCell::new(Partial::new(sizes.group, sizes.value_stride));
        Ok(CpuSession {
            pool,
            state: State {
                kernels: Kernels::of(cpu),
                cpu,
                layouts,
                caches,
                buffers,
                angles,
                inputs,
                threads,
                partials: (0..sizes.partials).map(|_| partial()).collect(),
                tilings: sizes.groups.iter().map(|group| Tiling::new(*group, limits.tokens_max)).collect(),
                partitions_max: sizes.partitions_max,
                profile,
                plan,
                weights,
                limits,
                program,
                tokens: 0,
                outputs: 0,
            },
        })
    }
}

impl Session for CpuSession {
    fn run(&mut self, batch: &Batch, peers: &mut dyn Peers) -> Result<(), PeerLost> {
        let state = &mut self.state;
        check(batch, &state.limits);
        (state.tokens, state.outputs) = (batch.tokens.len(), batch.outputs.len());
        for tiling in &mut state.tilings {
            tiling.fill(batch);
        }
        let state = &self.state;
        let leader = Leader {
            peers: UnsafeCell::new(peers),
            outcome: UnsafeCell::new(Ok(())),
            lost: AtomicBool::new(false),
        };
        self.pool.run(|team| {
            let profile = state.profile.as_deref().filter(|_| team.index == 0);
            Worker { state, batch, team, watch: Stopwatch::new(profile), leader: &leader }.run();
        });
        if let Some(profile) = &self.state.profile {
            profile.count_step();
        }
        leader.outcome.into_inner()
    }

    fn result(&self) -> &[f32] {
        let state = &self.state;
        let len = state.rows(state.plan.result) * state.plan.slots[state.plan.result.0].width;
        // SAFETY: no step is running while `self` is borrowed, and the buffer was sized for the most rows.
        unsafe { std::slice::from_raw_parts(state.values(state.plan.result), len) }
    }
}

/// Everything a step reads and writes.
struct State {
    program: Arc<Program>,
    plan: Plan,
    limits: Limits,
    cpu: Cpu,
    kernels: &'static Kernels,
    weights: Weights,
    layouts: Vec<CacheLayout>,
    caches: Vec<Region>,
    /// By [`SlotId`].
    buffers: Vec<Region>,
    /// Per rope: `[tokens_max, cosines and sines]` of the step's rows.
    angles: Vec<Region>,
    /// Prepared inputs of a product, by [`InputKind`].
    inputs: [InputBuffer; 2],
    threads: Vec<Padded<UnsafeCell<ThreadState>>>,
    /// `[tile][kv_head][partition]` of an attention that is divided by partitions.
    partials: Vec<UnsafeCell<Partial>>,
    tilings: Vec<Tiling>,
    partitions_max: usize,
    profile: Option<Arc<Profile>>,
    /// Of the last step.
    tokens: usize,
    outputs: usize,
}

// SAFETY: in a step, thread `i` alone uses `threads[i]`; each of `partials` is used by the one thread that holds
// its ticket, and after a barrier by the one that merges it. The rest is shared memory (`Region`, `InputBuffer`)
// accessed through raw pointers as said at each place, or not changed in a step.
unsafe impl Sync for State {}

impl State {
    fn rows(&self, slot: SlotId) -> usize {
        match self.plan.slots[slot.0].rows {
            Rows::Tokens => self.tokens,
            Rows::Outputs => self.outputs,
        }
    }

    fn width(&self, slot: SlotId) -> usize {
        self.plan.slots[slot.0].width
    }

    fn values(&self, slot: SlotId) -> *mut f32 {
        self.buffers[slot.0].as_mut_ptr().cast()
    }
}

/// What a thread has for itself.
struct ThreadState {
    /// Inputs of a product with one row, by [`InputKind`].
    inputs: [InputBuffer; 2],
    /// A row after its norm, and the residual sum before it.
    row: Vec<f32>,
    sum: Vec<f32>,
    /// `[tokens, rows]` of some panels of a gate.
    gate: Vec<f32>,
    attend: Scratch,
}

#[repr(align(128))]
struct Padded<T>(T);

/// What only thread 0, the caller's own, may touch; `lost` is for all.
struct Leader<'a> {
    peers: UnsafeCell<&'a mut dyn Peers>,
    outcome: UnsafeCell<Result<(), PeerLost>>,
    lost: AtomicBool,
}

// SAFETY: see above; the cells never leave the thread that made them.
unsafe impl Sync for Leader<'_> {}

/// Queries cut into tiles, for one size of group.
struct Tiling {
    group: usize,
    tiles: Vec<Tile>,
    /// Every sequence is one tile.
    whole: bool,
    /// Every tile is one row.
    single: bool,
}

struct Tile {
    row: usize,
    rows: usize,
    position: usize,
    /// In `Batch::blocks`.
    blocks: std::ops::Range<usize>,
}

impl Tiling {
    fn new(group: usize, tokens_max: usize) -> Tiling {
        Tiling { group, tiles: Vec::with_capacity(tokens_max), whole: true, single: true }
    }

    const fn rows_max(group: usize) -> usize {
        if group < QUERIES { QUERIES / group } else { 1 }
    }

    fn fill(&mut self, batch: &Batch) {
        self.tiles.clear();
        let (mut row, mut block) = (0, 0);
        for span in &batch.spans {
            let blocks = block..block + span.blocks as usize;
            let mut done = 0;
            while done < span.rows as usize {
                let rows = (span.rows as usize - done).min(Tiling::rows_max(self.group));
                let position = span.start as usize + done;
                self.tiles.push(Tile { row: row + done, rows, position, blocks: blocks.clone() });
                done += rows;
            }
            row += span.rows as usize;
            block = blocks.end;
        }
        self.whole = self.tiles.len() == batch.spans.len();
        self.single = self.tiles.iter().all(|tile| tile.rows == 1);
    }
}

/// One thread in one step.
struct Worker<'a, 'p> {
    state: &'a State,
    batch: &'a Batch,
    team: &'a Team<'a>,
    watch: Stopwatch<'a>,
    leader: &'a Leader<'p>,
}

impl Worker<'_, '_> {
    fn run(&self) {
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
        let activate = match act {
            Activation::Silu => self.state.kernels.silu_gate,
            Activation::Gelu => self.state.kernels.gelu_gate,
        };
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

    /// Call `work` for pieces of `0..len`, of at most `chunk_max`, until the team has done them all. Most of
    /// the work is divided beforehand, in long runs that memory likes; what is left goes to who comes first.
    fn each_chunk(&self, len: usize, chunk_max: usize, work: impl Fn(std::ops::Range<usize>)) {
        let (threads, chunk_max) = (self.team.threads, chunk_max.max(1));
        let run = if threads == 1 { len } else { len * 3 / 4 / threads };
        let first = self.team.index * run;
        for from in (first..first + run).step_by(chunk_max) {
            work(from..(first + run).min(from + chunk_max));
        }
        let rest = run * threads;
        let chunk = (len - rest).div_ceil(threads * 8).clamp(1, chunk_max);
        let next = || Some(rest + self.team.ticket() * chunk).filter(|from| *from < len);
        while let Some(from) = next() {
            work(from..len.min(from + chunk));
        }
    }

    fn attend(&self, op: &Attend, [q, k, v]: [SlotId; 3], out: SlotId) {
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
            window: op.window,
            sinks: op.sinks.map(|sinks| state.weights.vector(sinks)),
        };
        let tiling = state.tilings.iter().find(|tiling| tiling.group == head.group());
        let tiling = tiling.expect("there is a tiling for every group size");
        let tile = |index: usize| {
            let tile = &tiling.tiles[index];
            let angles = op.rope.map_or(&[][..], |id| {
                let width = 2 * state.program.ropes[id.index()].inv_freq.len();
                // SAFETY: the table has a row for every token and is not written after the step's first barrier.
                unsafe {
                    let from = state.angles[id.index()].as_mut_ptr().cast::<f32>().add(tile.row * width);
                    std::slice::from_raw_parts(from, tile.rows * width)
                }
            });
            QueryTile {
                row: tile.row,
                rows: tile.rows,
                position: tile.position,
                blocks: &self.batch.blocks[tile.blocks.clone()],
                angles,
            }
        };
        // SAFETY: nobody writes these buffers in this operator.
        let [q, k, v] = [q, k, v].map(|slot| unsafe {
            std::slice::from_raw_parts(state.values(slot), state.rows(slot) * state.width(slot))
        });
        let out = state.values(out);
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
        if tiling.whole && !split {
            while let Some(unit) = Some(self.team.ticket()).filter(|unit| *unit < units) {
                let (tile, kv_head) = (tile(unit / kv_heads), unit % kv_heads);
                // SAFETY: see above; the unit's rows are all of its sequence's.
                unsafe {
                    (kernels.append)(&head, kv_head, &tile, k, v, scratch);
                    (kernels.attend)(&head, kv_head, &tile, q, out, scratch);
                }
            }
            return self.barrier(Kind::Attend);
        }

        for unit in self.team.share(units) {
            // SAFETY: see above.
            unsafe { (kernels.append)(&head, unit % kv_heads, &tile(unit / kv_heads), k, v, scratch) };
        }
        self.barrier(Kind::Attend);
        if split {
            let most = (0..tiling.tiles.len()).map(|index| partitions(&tile(index)).len()).max().unwrap_or(0);
            while let Some(item) = Some(self.team.ticket()).filter(|item| *item < units * most) {
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
            // Later tiles see more keys: the longest first.
            while let Some(unit) = Some(self.team.ticket()).filter(|unit| *unit < units) {
                let unit = units - 1 - unit;
                let (tile, kv_head) = (tile(unit / kv_heads), unit % kv_heads);
                // SAFETY: see above.
                unsafe { (kernels.attend)(&head, kv_head, &tile, q, out, scratch) };
            }
        }
        self.barrier(Kind::Attend);
    }
}

/// With fewer units of attention than this per thread, long sequences are divided as well.
const UNITS_PER_THREAD: usize = 4;

/// The most that a step can need.
struct Sizes {
    cache_bytes: usize,
    buffer_bytes: usize,
    /// By [`InputKind`], for all tokens and for one.
    input_bytes: [usize; 2],
    row_input_bytes: [usize; 2],
    row_len: usize,
    gate_len: usize,
    /// Distinct numbers of query heads per key head.
    groups: Vec<usize>,
    group: usize,
    queries: usize,
    key_dim: usize,
    value_stride: usize,
    partitions_max: usize,
    partials: usize,
    scratch_bytes: usize,
}

impl Sizes {
    fn new(program: &Program, plan: &Plan, limits: &Limits, threads: usize) -> Sizes {
        let rows = |slot: SlotId| match plan.slots[slot.0].rows {
            Rows::Tokens => limits.tokens_max,
            Rows::Outputs => limits.outputs_max,
        };
        let mut sizes = Sizes {
            cache_bytes: 0,
            buffer_bytes: 0,
            input_bytes: [0; 2],
            row_input_bytes: [0; 2],
            row_len: 0,
            gate_len: 0,
            groups: Vec::new(),
            group: 0,
            queries: 0,
            key_dim: 0,
            value_stride: 0,
            partitions_max: limits.context_max.div_ceil(PARTITION),
            partials: 0,
            scratch_bytes: 0,
        };
        for (slot, id) in plan.slots.iter().zip(0..) {
            sizes.buffer_bytes += Arena::bytes_for(rows(SlotId(id)) * slot.width * 4);
        }
        for rope in &program.ropes {
            sizes.buffer_bytes += Arena::bytes_for(limits.tokens_max * rope.inv_freq.len() * 8);
        }
        for cache in &program.caches {
            let layout = CacheLayout::new(cache, limits);
            sizes.cache_bytes += Arena::bytes_for(layout.bytes(limits.blocks));
            sizes.key_dim = sizes.key_dim.max(layout.key_dim);
            sizes.value_stride = sizes.value_stride.max(layout.value_stride);
        }
        for step in &plan.steps {
            let (input, weights) = match step {
                Step::Linear { input, parts } => (input, parts.iter().map(|part| part.weight).collect()),
                Step::Gated { input, gate, up, out, .. } => {
                    let panels = GATE_PANELS.min(plan.slots[out.0].width.div_ceil(PANEL));
                    sizes.gate_len = sizes.gate_len.max(rows(*out) * panels * PANEL);
                    (input, vec![*gate, *up])
                }
                Step::Prepare(source) => {
                    sizes.row_len = sizes.row_len.max(plan.slots[source.x().0].width);
                    continue;
                }
                Step::Attend { op, .. } => {
                    let group = op.heads / program.caches[op.cache.index()].kv_heads;
                    if !sizes.groups.contains(&group) {
                        sizes.groups.push(group);
                    }
                    sizes.group = sizes.group.max(group);
                    sizes.queries = sizes.queries.max(group * Tiling::rows_max(group));
                    continue;
                }
                _ => continue,
            };
            let x = input.source.x();
            let width = plan.slots[x.0].width;
            sizes.row_len = sizes.row_len.max(width);
            for weight in weights {
                let kind = crate::matrix::input_kind(program.weight(weight).dtype);
                let at = kind as usize;
                // Fewer tokens can take more room: short tiles are padded to powers of two.
                sizes.input_bytes[at] =
                    sizes.input_bytes[at].max(Inputs::bytes(kind, width, rows(x).next_power_of_two()));
                sizes.row_input_bytes[at] = sizes.row_input_bytes[at].max(Inputs::bytes(kind, width, 1));
            }
        }
        if threads > 1 && !sizes.groups.is_empty() {
            sizes.partials = UNITS_PER_THREAD * threads * sizes.partitions_max;
        }
        let partial_bytes = sizes.group * (sizes.value_stride + 2) * 4;
        let thread_bytes = sizes.row_input_bytes.iter().sum::<usize>()
            + (2 * sizes.row_len + sizes.gate_len) * 4
            + Scratch::bytes(sizes.queries, sizes.key_dim, sizes.value_stride);
        sizes.scratch_bytes = sizes.buffer_bytes
            + sizes.input_bytes.iter().sum::<usize>()
            + sizes.partials * partial_bytes
            + threads * thread_bytes;
        sizes
    }
}

/// Panels of a gate that a thread computes at a time when the batch is full.
const GATE_PANELS: usize = 8;

/// A batch is followed through raw pointers, so a wrong one must not get that far.
///
/// # Panics
/// Where the batch contradicts itself or the session's limits: a mistake of the scheduler.
fn check(batch: &Batch, limits: &Limits) {
    assert!(batch.tokens.len() <= limits.tokens_max, "more tokens than the session was opened for");
    assert!(batch.outputs.len() <= limits.outputs_max, "more outputs than the session was opened for");
    let (mut rows, mut blocks) = (0, 0);
    for span in &batch.spans {
        let end = span.start as usize + span.rows as usize;
        assert!(end <= limits.context_max, "a sequence of {end} tokens, at most {}", limits.context_max);
        assert!(end <= span.blocks as usize * limits.block_len, "too few blocks for {end} tokens");
        rows += span.rows as usize;
        blocks += span.blocks as usize;
    }
    assert!(rows == batch.tokens.len() && blocks == batch.blocks.len(), "spans do not cover the batch");
    assert!(
        batch.blocks.iter().all(|block| (*block as usize) < limits.blocks),
        "a block that does not exist"
    );
    assert!(batch.outputs.iter().all(|row| (*row as usize) < rows), "an output of a row that does not exist");
}
