//! One rank's program, run step by step.
//!
//! A step is one [`Pool::run`]: every thread walks the same plan and does its part of every operator, with a
//! barrier where one operator's result is another's input. How work is divided never changes what is computed:
//! any number of threads gives the same bits.

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

use std::cell::{Cell, UnsafeCell};
use std::sync::Arc;

use tandem_tensor::{
    Batch, Footprint, Lender, Limits, OpenError, PeerLost, Peers, Profile, Program, Rows, Session,
};

use crate::attend::{Partial, Scratch};
use crate::cache::CacheLayout;
use crate::cpu::Cpu;
use crate::kernels::Kernels;
use crate::matrix::InputBuffer;
use crate::memory::{Arena, Region};
use crate::plan::{Plan, SlotId};
use crate::pool::Pool;
use crate::routing::{Assignment, Choice, Router};
use crate::sizes::Sizes;
use crate::stopwatch::Stopwatch;
use crate::tiling::Tiling;
use crate::view::{View, ViewedHalves};
use crate::weights::Weights;
use crate::worker::{Leader, Worker};

pub(crate) struct CpuSession {
    pool: Pool,
    state: State,
    /// Of the whole batch.
    tilings: Vec<Tiling>,
    /// A batch that is run in two.
    halves: ViewedHalves,
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
        lender: Option<&Lender>,
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
        let caches = layouts.iter().zip(&program.caches);
        let caches =
            caches.map(|(layout, cache)| arena.take(layout.bytes(limits.blocks_of(cache)))).collect();
        let states = program.states.iter().map(|state| arena.take(limits.states * state.len * 4)).collect();

        let mut arena = match lender.and_then(|lend| lend(sizes.buffer_bytes)) {
            Some(memory) => Arena::lent(memory),
            None => Arena::new(sizes.buffer_bytes).map_err(no_memory("activations", sizes.buffer_bytes))?,
        };
        let rows = |rows| match rows {
            Rows::Tokens => limits.tokens_max,
            Rows::Outputs => limits.outputs_max,
        };
        let buffers = plan.slots.iter().map(|slot| arena.take(rows(slot.rows) * slot.width * 4)).collect();
        let angles = program.ropes.iter().map(|rope| arena.take(limits.tokens_max * rope.inv_freq.len() * 8));
        let angles = angles.collect();
        let inputs_of = |bytes: [usize; 2]| -> Result<[InputBuffer; 2], OpenError> {
            let one = |bytes| InputBuffer::new(bytes).map_err(no_memory("activations", bytes));
            Ok([one(bytes[0])?, one(bytes[1])?])
        };
        let region = |bytes| Region::new(bytes).map_err(no_memory("activations", bytes));
        let latent_queries = region(sizes.latent_query_bytes)?;
        let choices = region(sizes.choices * size_of::<Choice>())?;
        let (index_scores, chosen) =
            (region(sizes.index_scores * pool.threads() * 4)?, region(sizes.chosen * 4)?);
        let mut threads = Vec::with_capacity(pool.threads());
        for _ in 0..pool.threads() {
            threads.push(Padded(UnsafeCell::new(ThreadState {
                inputs: inputs_of(sizes.row_input_bytes)?,
                row: vec![0.0; sizes.row_len],
                sum: vec![0.0; sizes.row_len],
                gate: vec![0.0; sizes.gate_len],
                up: vec![0.0; sizes.up_len],
                taps: vec![0.0; sizes.taps],
                router: Router::new(sizes.experts),
                choices: vec![Choice::default(); sizes.used],
                assignment: Assignment::new(sizes.experts, sizes.choices),
                attend: Scratch::new(sizes.queries, sizes.key_dim, sizes.value_stride),
                index_spare: vec![0.0; sizes.index_scores],
                run_blocks: vec![0; sizes.run_blocks],
            })));
        }
        let partial = || UnsafeCell::new(Partial::new(sizes.group, sizes.value_stride));
        Ok(CpuSession {
            pool,
            tilings: sizes.groups.iter().map(|group| Tiling::new(*group, limits.tokens_max)).collect(),
            halves: ViewedHalves::new(&program, &sizes.groups, limits.tokens_max),
            state: State {
                kernels: Kernels::of(cpu),
                cpu,
                layouts,
                caches,
                states,
                zeros: vec![0.0; sizes.channels],
                buffers,
                angles,
                inputs: inputs_of(sizes.input_bytes)?,
                gathered: inputs_of(sizes.gathered_bytes)?,
                inner: inputs_of(sizes.inner_bytes)?,
                choices,
                threads,
                partials: (0..sizes.partials).map(|_| partial()).collect(),
                partitions_max: sizes.partitions_max,
                latent_queries,
                index_scores,
                chosen,
                latent_partials: (0..sizes.latent_partials)
                    .map(|_| UnsafeCell::new(Partial::new(sizes.latent_heads, sizes.value_stride)))
                    .collect(),
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
    fn runs_in_halves(&self) -> bool {
        true
    }

    fn run(&mut self, batch: &Batch, peers: &mut dyn Peers) -> Result<(), PeerLost> {
        let state = &mut self.state;
        assert!(state.program.states.is_empty() || state.limits.states > 0, "no place for states");
        check(batch, &state.limits, state.program.window());
        (state.tokens, state.outputs) = (batch.tokens.len(), batch.outputs.len());
        for tiling in &mut self.tilings {
            tiling.fill(batch);
        }
        let in_halves = self.halves.divide(batch, peers);
        let state = &self.state;
        let whole = View { batch, tilings: &self.tilings, first_token: 0, first_output: 0 };
        let halves = in_halves.then(|| self.halves.views());
        let leader = Leader::new(peers, in_halves);
        self.pool.run(|team| {
            let watch = Stopwatch::new(state.profile.as_deref().filter(|_| team.index == 0));
            let exchanges = Cell::new(0);
            Worker::new(state, whole, team, &watch, &exchanges, &leader).run(halves);
        });
        if let Some(profile) = &self.state.profile {
            profile.count_step();
        }
        leader.outcome()
    }

    fn result(&self) -> &[f32] {
        self.state.whole(self.state.plan.result)
    }

    fn hidden(&self) -> Option<&[f32]> {
        self.state.plan.hidden.map(|hidden| self.state.whole(hidden))
    }
}

/// Everything a step reads and writes.
pub(crate) struct State {
    pub program: Arc<Program>,
    pub plan: Plan,
    pub limits: Limits,
    pub cpu: Cpu,
    pub kernels: &'static Kernels,
    pub weights: Weights,
    pub layouts: Vec<CacheLayout>,
    pub caches: Vec<Region>,
    /// `[place, len]` of every state of the program.
    pub states: Vec<Region>,
    /// What a convolution finds before a sequence's first row.
    pub zeros: Vec<f32>,
    /// By [`SlotId`].
    pub buffers: Vec<Region>,
    /// Per rope: `[tokens_max, cosines and sines]` of the step's rows.
    pub angles: Vec<Region>,
    /// Prepared inputs of a product, by [`InputKind`].
    pub inputs: [InputBuffer; 2],
    /// The same of stacked matrices: of each expert's rows together and between its matrices; of each head of latent
    /// attention, before and after.
    pub gathered: [InputBuffer; 2],
    pub inner: [InputBuffer; 2],
    /// [`Choice`]s of all rows.
    pub choices: Region,
    pub threads: Vec<Padded<UnsafeCell<ThreadState>>>,
    /// `[tile][kv_head][partition]` of an attention that is divided by partitions.
    pub partials: Vec<UnsafeCell<Partial>>,
    pub partitions_max: usize,
    /// `[tokens, heads, stride]` of an attention over latent rows, and one [`Partial`] of all heads for each partition.
    pub latent_queries: Region,
    pub latent_partials: Vec<UnsafeCell<Partial>>,
    /// `[thread, context_max]`: one row's scores at a time; and `[tokens, count]`, the positions that indexers chose.
    pub index_scores: Region,
    pub chosen: Region,
    pub profile: Option<Arc<Profile>>,
    /// Of the last step.
    pub tokens: usize,
    pub outputs: usize,
}

// SAFETY: in a step, thread `i` alone uses `threads[i]`; each of `partials` is used by the one thread that holds
// its ticket, and after a barrier by the one that merges it. The rest is shared memory (`Region`, `InputBuffer`)
// accessed through raw pointers as said at each place, or not changed in a step.
unsafe impl Sync for State {}

impl State {
    /// All rows of a buffer, between steps.
    fn whole(&self, slot: SlotId) -> &[f32] {
        let rows = match self.plan.slots[slot.0].rows {
            Rows::Tokens => self.tokens,
            Rows::Outputs => self.outputs,
        };
        let len = rows * self.width(slot);
        // SAFETY: only sessions call this, while no step runs, and the buffer was sized for the most rows.
        unsafe { std::slice::from_raw_parts(self.values(slot), len) }
    }

    pub(crate) fn width(&self, slot: SlotId) -> usize {
        self.plan.slots[slot.0].width
    }

    pub(crate) fn values(&self, slot: SlotId) -> *mut f32 {
        self.buffers[slot.0].as_mut_ptr().cast()
    }
}

/// What a thread has for itself.
pub(crate) struct ThreadState {
    /// Inputs of a product with one row, by [`InputKind`].
    pub inputs: [InputBuffer; 2],
    /// A row after its norm, and the residual sum before it.
    pub row: Vec<f32>,
    pub sum: Vec<f32>,
    /// `[tokens, rows]` of some panels of a gate.
    pub gate: Vec<f32>,
    /// The same of the other side, and of what experts say.
    pub up: Vec<f32>,
    /// A convolution's weights, `[kernel, channels]` of this thread's.
    pub taps: Vec<f32>,
    pub router: Router,
    /// Of the only row of a step.
    pub choices: Vec<Choice>,
    pub assignment: Assignment,
    pub attend: Scratch,
    /// Scores of a row, out of order.
    pub index_spare: Vec<f32>,
    /// The blocks of the runs that a row reads.
    pub run_blocks: Vec<u32>,
}

#[repr(align(128))]
pub(crate) struct Padded<T>(pub T);

/// A batch is followed through raw pointers, so a wrong one must not get that far.
///
/// # Panics
/// Where the batch contradicts itself or the session's limits: a mistake of the scheduler.
fn check(batch: &Batch, limits: &Limits, window: usize) {
    let window = if limits.window == 0 { 0 } else { window };
    assert!(window <= limits.window, "a window of {window} tokens, at most {}", limits.window);
    assert!(batch.tokens.len() <= limits.tokens_max, "more tokens than the session was opened for");
    assert!(batch.outputs.len() <= limits.outputs_max, "more outputs than the session was opened for");
    let (mut rows, mut blocks, mut window_blocks) = (0, 0, 0);
    for span in &batch.spans {
        let end = span.start as usize + span.rows as usize;
        assert!(end <= limits.context_max, "a sequence of {end} tokens, at most {}", limits.context_max);
        assert!(end <= span.blocks as usize * limits.block_len, "too few blocks for {end} tokens");
        rows += span.rows as usize;
        blocks += span.blocks as usize;
        window_blocks += span.window_blocks as usize;
        let seen = (span.start as usize + 1).saturating_sub(window);
        assert!(
            limits.states == 0 || span.state.max(span.state_from) < limits.states as u32,
            "a state that does not exist"
        );
        assert!(span.window_blocks <= span.blocks, "more blocks of a window than of its sequence");
        assert!(
            window == 0 || span.window_first() * limits.block_len <= seen,
            "too few blocks for a window from {seen} on"
        );
    }
    assert!(window == 0 || window_blocks == batch.window_blocks.len(), "spans do not cover the windows");
    assert!(
        window == 0 || batch.window_blocks.iter().all(|block| (*block as usize) < limits.window_blocks),
        "a block of windows that does not exist"
    );
    assert!(rows == batch.tokens.len() && blocks == batch.blocks.len(), "spans do not cover the batch");
    assert!(
        batch.blocks.iter().all(|block| (*block as usize) < limits.blocks),
        "a block that does not exist"
    );
    assert!(batch.outputs.iter().all(|row| (*row as usize) < rows), "an output of a row that does not exist");
    let mut given = batch.given.iter().map(|given| given.first..given.first + given.rows).peekable();
    let (mut first, mut before) = (0, 0);
    for span in &batch.spans {
        let end = first + span.rows;
        while let Some(run) = given.next_if(|run| run.start < end) {
            assert!(before <= run.start && run.end <= end, "rows are given outside of a span, or twice");
            before = run.end;
        }
        first = end;
    }
    assert!(given.next().is_none(), "rows are given that do not exist");
}
