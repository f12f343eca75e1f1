//! A step on the device: recorded, submitted, waited for.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tandem_tensor::{
    Alone, Batch, BufId, Draw, Limits, OpenError, PeerLost, Peers, Program, Rows, Session, WeightSource,
};
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, Buffer, BufferBinding, BufferDescriptor, BufferUsages,
    CommandBuffer, CommandEncoder, CommandEncoderDescriptor, ComputePassDescriptor, ComputePipeline,
    Features, MapMode, QuerySet, QuerySetDescriptor, QueryType, SubmissionIndex,
};

use crate::device::{DeviceError, Gpu};
use crate::handover::{HandOver, Way, read};
use crate::kernels::{Compiling, Kernels, Key, Kind};
use crate::memory::{Format, Memory, PARTS_MIN, storage};
use crate::plan::{Action, Counts, Draft, Extent, Plan, Variant, scale_bytes};
use crate::sampling::{self, Found, Sampled};
use crate::step::{StepWords, named_here};

/// A step that takes longer than this is given up: the device hangs.
const STEP_MAX: Duration = Duration::from_secs(60);
/// Dispatches of a step that can be timed.
const QUERIES_MAX: u32 = 4096;
/// Parameters of a dispatch begin at multiples of this.
const PARAMS_ALIGN: usize = 256;

pub struct GpuSession {
    gpu: Arc<Gpu>,
    kernels: Arc<Kernels>,
    /// Ends with the session.
    _compiling: Option<Compiling>,
    program: Arc<Program>,
    limits: Limits,
    actions: Vec<Ready>,
    memory: Memory,
    bufs: Vec<u32>,
    step_buffer: Buffer,
    /// What is copied here can be read by the host.
    staging: [Buffer; 2],
    next_slot: usize,
    words: StepWords,
    /// Divisors of each rotation's frequencies.
    factors: Vec<Vec<f32>>,
    kv_heads: u32,
    rows: sampling::Rows,
    hidden: Vec<f32>,
    exchanged: Vec<f32>,
    /// Where ranks exchange something.
    hand_over: Option<HandOver>,
    found: Option<Found>,
    /// Steps that were begun and have not ended, the oldest first.
    flying: VecDeque<Flight>,
    /// Commands recorded ahead, for a step of the same shape as the last, with its results in the other staging buffer.
    ahead: Option<(Shape, usize, CommandBuffer)>,
}

/// A step that was begun.
struct Flight {
    shape: Shape,
    /// Which staging buffer gets its results.
    slot: usize,
    submission: SubmissionIndex,
    draws: Vec<Draw>,
    /// Outputs, and places in their rows.
    named: Vec<(u32, u32)>,
}

/// An action with everything bound.
enum Ready {
    Run { rows: Rows, variants: Vec<ReadyVariant> },
    AllReduce(BufId),
    Send(BufId),
    Recv(BufId),
    Sample(Vec<Dispatch>),
}

struct ReadyVariant {
    upto: u32,
    splits: u32,
    dispatches: Vec<Dispatch>,
}

struct Dispatch {
    key: Key,
    pipeline: OnceLock<Arc<ComputePipeline>>,
    bound: BindGroup,
    grid: [Extent; 3],
}

/// Values that ranks exchange in the middle of a step.
#[derive(Clone, Copy, Debug)]
struct Exchange {
    /// Where they begin among the activations, in bytes.
    first: u64,
    len: usize,
    /// Whether they leave this rank, and whether others come in their place.
    out: bool,
    back: bool,
}

/// What the commands of a step depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    tokens: u32,
    outputs: u32,
    splits: u32,
    spans: u32,
    runs: u32,
    hidden: bool,
    sampled: Option<Sampled>,
}

impl GpuSession {
    pub(crate) fn open(
        gpu: Arc<Gpu>,
        kernels: Arc<Kernels>,
        program: Arc<Program>,
        limits: Limits,
        plan: Plan,
        way: Option<Way>,
        source: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<GpuSession, OpenError> {
        let failed = |error: DeviceError| OpenError::Memory {
            what: "the GPU",
            bytes: plan.map.footprint().total(),
            source: std::io::Error::other(error.to_string()),
        };
        // A software device compiles on the very cores that it computes with.
        let compiling = (!gpu.info.software).then(|| Compiling::start(&kernels, plan.keys()));
        let memory = Memory::allocate(&gpu, &plan.map);
        gpu.check("allocation").map_err(failed)?;
        memory.load(&gpu, &plan.map, &program, source, progress)?;
        gpu.check("loading weights").map_err(failed)?;
        let step_buffer = storage(&gpu, "step", StepWords::len_max(&program, &limits) as u64 * 4);
        let widths = [Some(program.result), program.hidden];
        let widths = widths.iter().flatten().map(|id| program.buf(*id).width);
        let read_back = widths.sum::<usize>() * limits.outputs_max.max(1);
        let exchanged = program.bufs.iter().map(|buf| buf.width).max().unwrap_or(1) * limits.tokens_max;
        let found = plan.map.found;
        let hand_over = exchanges(&plan).then(|| HandOver::open(&gpu, &kernels, exchanged, way));
        let read_back = read_back + found.map_or(0, |found| found.parts());
        let staging = [(); 2].map(|()| {
            gpu.device.create_buffer(&BufferDescriptor {
                label: Some("results"),
                size: read_back.max(if exchanges(&plan) { exchanged } else { 0 }) as u64 * 4,
                usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        let factors = program.ropes.iter().map(|rope| match rope.factors {
            None => Ok(vec![1.0; rope.inv_freq.len()]),
            Some(id) => {
                let weight = program.weight(id);
                let mut bytes = vec![0; weight.row_bytes()];
                let read = source.read(weight, 0, 0..1, &mut bytes);
                read.map_err(|source| OpenError::Read { weight: weight.name.clone(), source })?;
                let mut values = vec![0.0; weight.cols()];
                tandem_tensor::quant::dequantize(weight.dtype, &bytes, &mut values);
                Ok(values)
            }
        });
        let factors = factors.collect::<Result<_, OpenError>>()?;
        let bufs = plan.map.bufs.clone();
        let actions = bind(&gpu, &kernels, plan, &memory, &step_buffer);
        gpu.check("set-up").map_err(|error| OpenError::Memory {
            what: "the GPU",
            bytes: 0,
            source: std::io::Error::other(error.to_string()),
        })?;
        Ok(GpuSession {
            kv_heads: program.caches.iter().map(|cache| cache.kv_heads as u32).min().unwrap_or(1),
            gpu,
            kernels,
            _compiling: compiling,
            actions,
            memory,
            bufs,
            step_buffer,
            staging,
            next_slot: 0,
            words: StepWords::default(),
            factors,
            rows: sampling::Rows::default(),
            found,
            flying: VecDeque::new(),
            hidden: Vec::new(),
            exchanged: Vec::new(),
            hand_over,
            ahead: None,
            program,
            limits,
        })
    }

    fn shape(&self, batch: &Batch) -> Shape {
        Shape {
            tokens: self.words.tokens,
            outputs: self.words.outputs,
            splits: self.words.splits,
            spans: self.words.spans,
            runs: self.words.runs,
            hidden: batch.hidden && self.program.hidden.is_some(),
            sampled: self.words.sampled,
        }
    }

    /// Record the actions from `from` on, up to one that the host takes part in. Returns where it stopped.
    fn record(
        &self,
        encoder: &mut CommandEncoder,
        shape: Shape,
        from: usize,
        alone: bool,
        mut times: Option<(&QuerySet, &mut Vec<Kind>)>,
    ) -> usize {
        let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
        if let Some((queries, _)) = &times {
            pass.write_timestamp(queries, 0);
        }
        for (at, action) in self.actions.iter().enumerate().skip(from) {
            let Shape { tokens, outputs, splits, spans, runs, sampled, .. } = shape;
            let (rows, variants) = match action {
                Ready::Run { rows: Rows::Tokens, variants } => (tokens, variants.as_slice()),
                Ready::Run { rows: Rows::Outputs, variants } => (outputs, variants.as_slice()),
                Ready::Sample(_) => (outputs, &[][..]),
                Ready::AllReduce(_) if alone => continue,
                _ => return at,
            };
            if rows == 0 {
                continue;
            }
            let takes = |variant: &&ReadyVariant| rows <= variant.upto && splits <= variant.splits;
            let dispatches = match action {
                Ready::Sample(dispatches) if sampled.is_some() => dispatches,
                _ => match variants.iter().find(takes) {
                    Some(variant) => &variant.dispatches,
                    None => continue,
                },
            };
            let counts = Counts { rows, splits, spans, runs, sampled };
            for dispatch in dispatches {
                let pipeline = dispatch.pipeline.get_or_init(|| self.kernels.compile(&dispatch.key));
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, &dispatch.bound, &[]);
                let [x, y, z] = dispatch.grid.map(|extent| extent.count(&counts));
                if x * y * z == 0 {
                    continue;
                }
                pass.dispatch_workgroups(x, y, z);
                if let Some((queries, kinds)) = &mut times
                    && (kinds.len() as u32) < QUERIES_MAX - 1
                {
                    kinds.push(dispatch.key.kind);
                    pass.write_timestamp(queries, kinds.len() as u32);
                }
            }
        }
        self.actions.len()
    }

    /// Copy what the step gives to where the host can read it.
    fn record_results(&self, encoder: &mut CommandEncoder, shape: Shape, slot: usize) {
        let mut to = 0;
        let mut copy = |from: &Buffer, first: u64, words: usize| {
            if words > 0 {
                let bytes = words as u64 * 4;
                encoder.copy_buffer_to_buffer(from, first, &self.staging[slot], to, bytes);
                to += bytes;
            }
        };
        let act = |id: BufId| u64::from(self.bufs[id.index()]) * 4;
        match (shape.sampled, self.found) {
            (Some(sampled), Some(found)) => {
                copy(&self.memory.found, 0, shape.outputs as usize * sampling::ROW_WORDS);
                copy(&self.memory.found, found.named() as u64 * 4, sampled.named as usize);
            }
            _ => copy(&self.memory.act, act(self.program.result), self.result_words(shape)),
        }
        if let Some(hidden) = self.program.hidden {
            copy(&self.memory.act, act(hidden), self.hidden_words(shape));
        }
    }

    fn encoder(&self) -> CommandEncoder {
        self.gpu.device.create_command_encoder(&CommandEncoderDescriptor::default())
    }

    /// Run a step and tell how long each of its dispatches took on the device, in order. `None` where the device cannot tell.
    pub fn timed(&mut self, batch: &Batch) -> Result<Option<Vec<(Kind, Duration)>>, DeviceError> {
        if !self.gpu.device.features().contains(Features::TIMESTAMP_QUERY_INSIDE_PASSES) {
            return Ok(None);
        }
        let shape = self.write_step(batch);
        let queries = self.gpu.device.create_query_set(&QuerySetDescriptor {
            label: None,
            ty: QueryType::Timestamp,
            count: QUERIES_MAX,
        });
        let bytes = u64::from(QUERIES_MAX) * 8;
        let buffer = |usage| {
            let descriptor = BufferDescriptor { label: None, size: bytes, usage, mapped_at_creation: false };
            self.gpu.device.create_buffer(&descriptor)
        };
        let resolved = buffer(BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC);
        let read = buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        let mut kinds = Vec::new();
        let mut encoder = self.encoder();
        self.record(&mut encoder, shape, 0, true, Some((&queries, &mut kinds)));
        let count = kinds.len() as u32 + 1;
        encoder.resolve_query_set(&queries, 0..count, &resolved, 0);
        encoder.copy_buffer_to_buffer(&resolved, 0, &read, 0, bytes);
        let submission = self.gpu.queue.submit([encoder.finish()]);
        let done = Arc::new(AtomicBool::new(false));
        let mapped = Arc::clone(&done);
        read.slice(..).map_async(MapMode::Read, move |_| mapped.store(true, Ordering::Release));
        self.gpu.wait(&done, &submission, STEP_MAX)?;
        self.gpu.check("a step")?;
        let view = read.slice(..).get_mapped_range().map_err(|error| DeviceError::Failed {
            device: self.gpu.info.name.clone(),
            step: "reading times",
            reason: error.to_string(),
        })?;
        let ticks: &[u64] = bytemuck::cast_slice(&view);
        let period = f64::from(self.gpu.queue.get_timestamp_period());
        let times = kinds.iter().enumerate().map(|(i, kind)| {
            let nanos = ticks[i + 1].saturating_sub(ticks[i]) as f64 * period;
            (*kind, Duration::from_nanos(nanos as u64))
        });
        Ok(Some(times.collect()))
    }

    /// A whole step without the host's part in it.
    fn commands(&self, shape: Shape, slot: usize) -> CommandBuffer {
        let mut encoder = self.encoder();
        self.record(&mut encoder, shape, 0, true, None);
        self.record_results(&mut encoder, shape, slot);
        encoder.finish()
    }

    /// Read the first `len` words of a staging buffer, once what was submitted is done.
    fn fetch(
        &self,
        slot: usize,
        submission: &SubmissionIndex,
        len: usize,
        take: impl FnMut(&[u32]),
    ) -> Result<(), DeviceError> {
        if len == 0 {
            return Ok(());
        }
        read(&self.gpu, &self.staging[slot], submission, len, STEP_MAX, take)
    }

    /// Submit a step; with peers, take it to its last piece.
    fn begin(&mut self, batch: &Batch, peers: &mut dyn Peers) -> Result<(), StepError> {
        let shape = self.write_step(batch);
        let slot = self.next_slot;
        self.next_slot = (slot + 1) % self.staging.len();
        let submission = if peers.is_alone() {
            let ready = self.ahead.take().filter(|(known, to, _)| (*known, *to) == (shape, slot));
            let commands = ready.map_or_else(|| self.commands(shape, slot), |(.., commands)| commands);
            let submission = self.gpu.queue.submit(self.feed(batch).into_iter().chain([commands]));
            // The next step is likely to be of this shape: record it while this one runs.
            if shape.tokens <= 64 {
                self.ahead = Some((shape, self.next_slot, self.commands(shape, self.next_slot)));
            }
            submission
        } else {
            self.step_with(shape, slot, peers)?
        };
        let (draws, named) = (batch.draws.clone(), named_here(&self.program, &batch.named).collect());
        self.flying.push_back(Flight { shape, slot, submission, draws, named });
        Ok(())
    }

    /// Write what the step's kernels read.
    fn write_step(&mut self, batch: &Batch) -> Shape {
        let parts = self.limits.tokens_max.max(PARTS_MIN) as u32;
        self.words.fill(&self.program, batch, self.found, &self.factors, self.kv_heads, parts);
        self.gpu.queue.write_buffer(&self.step_buffer, 0, bytemuck::cast_slice(&self.words.words));
        self.shape(batch)
    }

    /// Take tokens from what the step before found, which may still be running.
    fn feed(&self, batch: &Batch) -> Option<CommandBuffer> {
        if batch.fed.is_empty() {
            return None;
        }
        let mut encoder = self.encoder();
        let tokens = StepWords::tokens_at(&self.program) as u64;
        for (row, output) in &batch.fed {
            let from = *output as u64 * sampling::ROW_WORDS as u64 * 4;
            let to = (tokens + u64::from(*row)) * 4;
            encoder.copy_buffer_to_buffer(&self.memory.found, from, &self.step_buffer, to, 4);
        }
        Some(encoder.finish())
    }

    /// A step in pieces: what ranks exchange goes through the host.
    fn step_with(
        &mut self,
        shape: Shape,
        slot: usize,
        peers: &mut dyn Peers,
    ) -> Result<SubmissionIndex, StepError> {
        match self.hand_over.take() {
            Some(mut hand_over) if hand_over.shares() => {
                let stepped = self.step_shared(shape, slot, &mut hand_over, peers);
                self.hand_over = Some(hand_over);
                stepped
            }
            hand_over => {
                self.hand_over = hand_over;
                self.step_waited(shape, slot, peers)
            }
        }
    }

    /// What is exchanged lies where both the host and the device see it.
    fn step_shared(
        &self,
        shape: Shape,
        slot: usize,
        hand_over: &mut HandOver,
        peers: &mut dyn Peers,
    ) -> Result<SubmissionIndex, StepError> {
        let (commands, mut at) = self.piece(shape, slot, hand_over, None);
        let mut submission = self.gpu.queue.submit([commands]);
        while let Some(exchange) = self.exchange(at, shape) {
            // While the device computes, the piece after the exchange is recorded.
            let (commands, next) = self.piece(shape, slot, hand_over, Some((at, exchange)));
            let prepared = hand_over.prepare(commands);
            if exchange.out {
                hand_over.wait(STEP_MAX)?;
            }
            let values = hand_over.values(exchange.len);
            match &self.actions[at] {
                Ready::AllReduce(_) => peers.all_reduce(values)?,
                Ready::Send(_) => peers.send_next(values)?,
                _ => peers.recv_previous(values)?,
            }
            submission = hand_over.go(prepared)?;
            at = next;
        }
        Ok(submission)
    }

    /// What comes after an exchange, or at first, up to the next exchange or the step's end; and where that is.
    fn piece(
        &self,
        shape: Shape,
        slot: usize,
        hand_over: &HandOver,
        after: Option<(usize, Exchange)>,
    ) -> (CommandBuffer, usize) {
        let mut encoder = self.encoder();
        if let Some((_, exchange)) = after.filter(|(_, exchange)| exchange.back) {
            hand_over.record_in(&mut encoder, &self.memory.act, exchange.first, exchange.len);
        }
        let at = self.record(&mut encoder, shape, after.map_or(0, |(at, _)| at + 1), false, None);
        match self.exchange(at, shape) {
            Some(exchange) if exchange.out => {
                hand_over.record_out(&mut encoder, &self.memory.act, exchange.first, exchange.len);
            }
            Some(_) => {}
            None => self.record_results(&mut encoder, shape, slot),
        }
        (encoder.finish(), at)
    }

    /// What an action exchanges; `None` after the last one.
    fn exchange(&self, at: usize, shape: Shape) -> Option<Exchange> {
        let (id, out, back) = match self.actions.get(at)? {
            Ready::AllReduce(id) => (*id, true, true),
            Ready::Send(id) => (*id, true, false),
            Ready::Recv(id) => (*id, false, true),
            Ready::Run { .. } | Ready::Sample(_) => {
                unreachable!("recording stops only where the host takes part")
            }
        };
        let buf = self.program.buf(id);
        let rows = if buf.rows == Rows::Tokens { shape.tokens } else { shape.outputs };
        let first = u64::from(self.bufs[id.index()]) * 4;
        Some(Exchange { first, len: buf.width * rows as usize, out, back })
    }

    /// What is exchanged is copied to memory that is mapped for it, and back.
    fn step_waited(
        &mut self,
        shape: Shape,
        slot: usize,
        peers: &mut dyn Peers,
    ) -> Result<SubmissionIndex, StepError> {
        let mut at = 0;
        loop {
            let mut encoder = self.encoder();
            at = self.record(&mut encoder, shape, at, false, None);
            let Some(Exchange { first, len, out, back }) = self.exchange(at, shape) else {
                self.record_results(&mut encoder, shape, slot);
                return Ok(self.gpu.queue.submit([encoder.finish()]));
            };
            let mut values = std::mem::take(&mut self.exchanged);
            values.resize(len, 0.0);
            if out && len > 0 {
                let bytes = len as u64 * 4;
                encoder.copy_buffer_to_buffer(&self.memory.act, first, &self.staging[slot], 0, bytes);
            }
            let submission = self.gpu.queue.submit([encoder.finish()]);
            if out {
                self.fetch(slot, &submission, len, |found| {
                    values.copy_from_slice(bytemuck::cast_slice(found));
                })?;
            }
            match &self.actions[at] {
                Ready::AllReduce(_) => peers.all_reduce(&mut values)?,
                Ready::Send(_) => peers.send_next(&values)?,
                _ => peers.recv_previous(&mut values)?,
            }
            if back {
                self.gpu.queue.write_buffer(&self.memory.act, first, bytemuck::cast_slice(&values));
            }
            self.exchanged = values;
            at += 1;
        }
    }

    /// Wait for the oldest step that was begun, and take its results.
    fn end(&mut self) -> Result<(), DeviceError> {
        let Some(Flight { shape, slot, submission, draws, named }) = self.flying.pop_front() else {
            return Ok(());
        };
        let mut hidden = std::mem::take(&mut self.hidden);
        let mut rows = std::mem::take(&mut self.rows);
        let (result, states) = (self.result_words(shape), self.hidden_words(shape));
        let outputs = shape.outputs as usize;
        let width = self.program.buf(self.program.result).width;
        let first_token = self.program.first_token.unwrap_or(0);
        let mut undecided = Vec::new();
        hidden.clear();
        if outputs == 0 {
            rows.fill(&[]);
        }
        let fetched = self.fetch(slot, &submission, result + states, |words| {
            hidden.extend_from_slice(bytemuck::cast_slice(&words[result..]));
            let Some(sampled) = shape.sampled else {
                return rows.fill(bytemuck::cast_slice(&words[..result]));
            };
            rows.clear(outputs * width);
            for (row, found) in words.chunks_exact(sampling::ROW_WORDS).take(outputs).enumerate() {
                if !rows.take(row, width, first_token, found, sampled, draws.get(row)) {
                    undecided.push(row);
                }
            }
            for ((row, index), bits) in named.iter().zip(&words[outputs * sampling::ROW_WORDS..]) {
                rows.put(*row as usize * width + *index as usize, f32::from_bits(*bits));
            }
        });
        let fetched = fetched.and_then(|()| {
            undecided.iter().try_for_each(|row| self.fetch_row(*row, width, slot, &named, &mut rows))
        });
        (self.rows, self.hidden) = (rows, hidden);
        if result + states == 0 {
            // Nothing to read: still, the step must be over before its lists are written again.
            let done = Arc::new(AtomicBool::new(false));
            let over = Arc::clone(&done);
            self.gpu.queue.on_submitted_work_done(move || over.store(true, Ordering::Release));
            self.gpu.wait(&done, &submission, STEP_MAX)?;
        }
        fetched
    }

    /// All values of one row of the last step, where few did not decide a draw.
    fn fetch_row(
        &self,
        row: usize,
        width: usize,
        slot: usize,
        named: &[(u32, u32)],
        rows: &mut sampling::Rows,
    ) -> Result<(), DeviceError> {
        let mut encoder = self.encoder();
        let from = u64::from(self.bufs[self.program.result.index()]) * 4 + (row * width) as u64 * 4;
        encoder.copy_buffer_to_buffer(&self.memory.act, from, &self.staging[slot], 0, width as u64 * 4);
        let submission = self.gpu.queue.submit([encoder.finish()]);
        let known: Vec<(usize, f32)> = named
            .iter()
            .filter(|(output, _)| *output as usize == row)
            .map(|(_, index)| row * width + *index as usize)
            .map(|at| (at, rows.values[at]))
            .collect();
        self.fetch(slot, &submission, width, |words| rows.put_row(row * width, bytemuck::cast_slice(words)))?;
        known.iter().for_each(|(at, value)| rows.put(*at, *value));
        Ok(())
    }

    fn result_words(&self, shape: Shape) -> usize {
        match shape.sampled {
            Some(sampled) => shape.outputs as usize * sampling::ROW_WORDS + sampled.named as usize,
            None => self.program.buf(self.program.result).width * shape.outputs as usize,
        }
    }

    fn hidden_words(&self, shape: Shape) -> usize {
        let width = self.program.hidden.filter(|_| shape.hidden).map_or(0, |id| self.program.buf(id).width);
        width * shape.outputs as usize
    }
}

/// Why a step failed.
enum StepError {
    Device(DeviceError),
    Peer(PeerLost),
}

impl From<DeviceError> for StepError {
    fn from(error: DeviceError) -> StepError {
        StepError::Device(error)
    }
}

impl From<StepError> for PeerLost {
    fn from(error: StepError) -> PeerLost {
        match error {
            StepError::Peer(lost) => lost,
            StepError::Device(error) => PeerLost::itself(error.to_string()),
        }
    }
}

impl From<PeerLost> for StepError {
    fn from(error: PeerLost) -> StepError {
        StepError::Peer(error)
    }
}

impl Session for GpuSession {
    fn run(&mut self, batch: &Batch, peers: &mut dyn Peers) -> Result<(), PeerLost> {
        self.begin(batch, peers)?;
        self.finish()
    }

    fn exchanges_by(&self) -> Option<String> {
        let hand_over = self.hand_over.as_ref()?;
        let chosen = hand_over.timings.iter().find(|timing| timing.way == hand_over.way)?;
        Some(chosen.to_string())
    }

    /// Where results are logits, the likeliest tokens are found on the device.
    fn feeds(&self) -> bool {
        self.found.is_some()
    }

    fn start(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        Ok(self.begin(batch, &mut Alone)?)
    }

    fn finish(&mut self) -> Result<(), PeerLost> {
        Ok(self.end().map_err(StepError::Device)?)
    }

    fn result(&self) -> &[f32] {
        &self.rows.values
    }

    fn hidden(&self) -> Option<&[f32]> {
        self.program.hidden.map(|_| self.hidden.as_slice())
    }
}

fn exchanges(plan: &Plan) -> bool {
    plan.actions.iter().any(|action| !matches!(action, Action::Run { .. } | Action::Sample(_)))
}

/// Make the buffers that are left, and bind everything.
fn bind(gpu: &Gpu, kernels: &Kernels, plan: Plan, memory: &Memory, step: &Buffer) -> Vec<Ready> {
    // All parameters in one buffer.
    let mut params: Vec<u8> = Vec::new();
    let mut places = Vec::new();
    for draft in drafts(&plan) {
        let bytes: &[u8] = bytemuck::cast_slice(&draft.params);
        places.push((params.len() as u64, bytes.len() as u64));
        params.extend_from_slice(bytes);
        params.resize(params.len().next_multiple_of(PARAMS_ALIGN), 0);
    }
    let uniform = gpu.device.create_buffer(&BufferDescriptor {
        label: Some("parameters"),
        size: params.len().max(PARAMS_ALIGN) as u64,
        usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&uniform, 0, &params);
    let prepared: HashMap<Format, (Buffer, Buffer)> = plan
        .prepared
        .iter()
        .map(|(format, bytes)| {
            let scales = scale_bytes(*format, *bytes);
            (*format, (storage(gpu, "prepared", *bytes), storage(gpu, "scales", scales)))
        })
        .collect();
    let unused = (storage(gpu, "unused", 16), storage(gpu, "unused", 16));
    let mut places = places.into_iter();
    let mut bound = |draft: Draft| {
        let (offset, size) = places.next().expect("one for every draft");
        let rows_of = |format: Option<Format>| format.map_or(&unused, |format| &prepared[&format]);
        let ((x, scales), (from, from_scales)) = (rows_of(draft.x), rows_of(draft.from));
        let resource = |binding: u32| {
            let buffer = match binding {
                0 | 1 => {
                    let chunk = draft.chunk.expect("kernels with a matrix have its chunk");
                    memory.chunks.get(chunk).unwrap_or_else(|| &prepared[&Format::Expanded].0)
                }
                2 => &memory.act,
                3 => x,
                4 => scales,
                5 => {
                    let size = std::num::NonZeroU64::new(size);
                    return wgpu::BindingResource::Buffer(BufferBinding { buffer: &uniform, offset, size });
                }
                6 => step,
                7 => &memory.vectors,
                11 => &memory.found,
                9 => from,
                10 => from_scales,
                _ => &memory.caches[draft.cache.expect("kernels of attention have a cache")],
            };
            buffer.as_entire_binding()
        };
        let bindings = kernels.bindings(draft.key.kind);
        let entries: Vec<_> =
            bindings.map(|binding| BindGroupEntry { binding, resource: resource(binding) }).collect();
        let layout = kernels.layout(draft.key.kind);
        let descriptor = BindGroupDescriptor { label: None, layout, entries: &entries };
        let bound = gpu.device.create_bind_group(&descriptor);
        Dispatch { key: draft.key, pipeline: OnceLock::new(), bound, grid: draft.grid }
    };
    let ready = |action: Action| match action {
        Action::Run { rows, variants } => Ready::Run {
            rows,
            variants: variants
                .into_iter()
                .map(|Variant { upto, splits, drafts }| {
                    let dispatches = drafts.into_iter().map(&mut bound).collect();
                    ReadyVariant { upto, splits, dispatches }
                })
                .collect(),
        },
        Action::AllReduce(id) => Ready::AllReduce(id),
        Action::Send(id) => Ready::Send(id),
        Action::Recv(id) => Ready::Recv(id),
        Action::Sample(drafts) => Ready::Sample(drafts.into_iter().map(&mut bound).collect()),
    };
    plan.actions.into_iter().map(ready).collect()
}

fn drafts(plan: &Plan) -> impl Iterator<Item = &Draft> {
    plan.actions.iter().flat_map(|action| {
        let (variants, drafts): (&[Variant], &[Draft]) = match action {
            Action::Run { variants, .. } => (variants, &[]),
            Action::Sample(drafts) => (&[], drafts),
            _ => (&[], &[]),
        };
        variants.iter().flat_map(|variant| &variant.drafts).chain(drafts)
    })
}
