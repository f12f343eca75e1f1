//! Steps through wgpu: recorded anew each time, on every system.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tandem_tensor::Peers;
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindingResource, Buffer, BufferBinding, BufferDescriptor,
    BufferUsages, CommandBuffer, CommandEncoder, CommandEncoderDescriptor, ComputePass,
    ComputePassDescriptor, ComputePipeline, Features, MapMode, QuerySet, QuerySetDescriptor, QueryType,
    SubmissionIndex,
};

use crate::claim::Claim;
use crate::device::{DeviceError, Gpu};
use crate::halves::{PieceRecorder, Walk};
use crate::kernels::{Kernels, Key, Kind};
use crate::lane::{
    Actions, Exchange, Lane, Pause, Recorder, Resource, SLOTS, Shape, Step, StepError, TIMED_MAX, times_of,
};
use crate::lanes::Room;
use crate::memory::storage;

pub struct Plain {
    gpu: Arc<Gpu>,
    kernels: Arc<Kernels>,
    bound: Vec<Bound>,
    room: Room,
    slots: [Slot; SLOTS],
    exchanged: Vec<f32>,
    /// Commands recorded ahead, for a step of the same shape as the last in the other slot.
    ahead: Option<(Shape, usize, Vec<CommandBuffer>)>,
    /// So that others do not wait on the device for this one.
    _claim: Option<Claim>,
}

struct Slot {
    /// What is copied here can be read by the host.
    staging: Buffer,
    /// Of all pieces.
    submissions: Vec<SubmissionIndex>,
}

struct Bound {
    key: Key,
    pipeline: OnceLock<Arc<ComputePipeline>>,
    group: BindGroup,
}

impl Plain {
    pub fn new(gpu: Arc<Gpu>, kernels: Arc<Kernels>, room: Room) -> Plain {
        let slots = [(); SLOTS].map(|()| Slot {
            staging: readable(&gpu, room.results.max(room.exchanged) as u64 * 4),
            submissions: Vec::new(),
        });
        Plain {
            gpu,
            kernels,
            bound: Vec::new(),
            room,
            slots,
            exchanged: Vec::new(),
            ahead: None,
            _claim: None,
        }
    }

    pub fn claiming(self, claim: Option<Claim>) -> Plain {
        Plain { _claim: claim, ..self }
    }

    /// Bring what a step's kernels read to the device, before what is submitted next.
    pub fn write(&self, step: &Step) {
        assert!(
            step.words.len() <= self.room.words,
            "{} words in room for {}",
            step.words.len(),
            self.room.words
        );
        for (words, to) in step.lists() {
            self.gpu.queue.write_buffer(to, 0, bytemuck::cast_slice(words));
        }
    }

    pub fn recorder(&self, slot: usize) -> PlainRecorder<'_> {
        let encoder = self.gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        PlainRecorder { lane: self, encoder, pass: None, slot, given: 0, times: None }
    }

    /// Whether the kernel of a dispatch was compiled before.
    pub fn is_compiled(&self, number: usize) -> bool {
        self.bound[number].pipeline.get().is_some()
    }

    /// The pieces of a whole step without the host's part in it.
    fn commands(&self, actions: &Actions, shape: Shape, slot: usize) -> Vec<CommandBuffer> {
        let (mut pieces, mut from) = (Vec::new(), 0);
        loop {
            let mut recorder = self.recorder(slot);
            let range = from..actions.list.len();
            let pause = actions.record_range(&mut recorder, shape, range, true, self.gpu.submitted_max);
            if pause.is_none() {
                actions.record_results(&mut recorder, shape);
            }
            pieces.push(recorder.finish());
            match pause {
                Some(Pause::Enough { next }) => from = next,
                _ => return pieces,
            }
        }
    }

    /// Take tokens from what the step before found, which may still be running.
    fn feed(&self, step: &Step) -> Option<CommandBuffer> {
        if step.fed.is_empty() {
            return None;
        }
        let mut encoder = self.recorder(step.slot).encoder;
        for (from, to) in step.actions.fed(step.fed) {
            encoder.copy_buffer_to_buffer(&step.actions.candidates, from, &step.actions.words, to, 4);
        }
        Some(encoder.finish())
    }

    /// Where the host reads what a step gives or exchanges. No other step is under way where ranks exchange something, so the second
    /// half's values go to the other slot's: what is mapped must not be in use.
    fn staging(&self, slot: usize, half: Option<usize>) -> &Buffer {
        &self.slots[(slot + half.unwrap_or(0)) % SLOTS].staging
    }

    /// Submit the next pieces of a step, up to what the host does after them; it waits for all but the last.
    fn submit_next(
        &self,
        step: &Step,
        walk: &mut Walk<'_>,
    ) -> Result<(Option<Exchange>, SubmissionIndex), DeviceError> {
        let mut before: Option<SubmissionIndex> = None;
        loop {
            let mut recorder = self.recorder(step.slot);
            let pause = walk.record(&mut recorder);
            if pause.is_none() {
                step.actions.record_results(&mut recorder, step.shape);
            }
            let submission = self.gpu.submit([recorder.finish()]);
            if let Some(before) = &before {
                self.gpu.pass(before, self.gpu.step_max())?;
            }
            match pause {
                Some(Pause::Enough { .. }) => before = Some(submission),
                _ => return Ok((pause.and_then(Pause::exchange), submission)),
            }
        }
    }

    /// What is exchanged is copied to memory that is mapped for it, and back.
    fn begin_with(&mut self, step: &Step, peers: &mut dyn Peers) -> Result<SubmissionIndex, StepError> {
        let mut walk = Walk::new(step, false, self.gpu.submitted_max);
        let mut ahead = None;
        loop {
            let (exchange, submission) = match ahead.take() {
                Some(next) => next,
                None => self.submit_next(step, &mut walk)?,
            };
            let Some(exchange) = exchange else { return Ok(submission) };
            if exchange.ahead {
                ahead = Some(self.submit_next(step, &mut walk)?);
            }
            let mut values = std::mem::take(&mut self.exchanged);
            values.resize(exchange.len, 0.0);
            if exchange.out && exchange.len > 0 {
                let staging = self.staging(step.slot, exchange.half);
                read(&self.gpu, staging, &submission, exchange.len, self.gpu.step_max(), |found| {
                    values.copy_from_slice(bytemuck::cast_slice(found));
                })?;
            }
            step.meet(&exchange, &mut values, peers)?;
            if exchange.back {
                let bytes = bytemuck::cast_slice(&values);
                self.gpu.queue.write_buffer(step.act(&exchange), exchange.first, bytes);
            }
            self.exchanged = values;
        }
    }
}

impl Lane for Plain {
    fn bind(&mut self, key: &Key, resources: &[(u32, Resource)]) {
        let entries: Vec<_> = resources
            .iter()
            .map(|(binding, Resource { buffer, offset, bytes })| {
                let size = std::num::NonZeroU64::new(*bytes);
                let resource = BindingResource::Buffer(BufferBinding { buffer, offset: *offset, size });
                BindGroupEntry { binding: *binding, resource }
            })
            .collect();
        let layout = self.kernels.layout(key.kind);
        let descriptor = BindGroupDescriptor { label: None, layout, entries: &entries };
        let group = self.gpu.device.create_bind_group(&descriptor);
        self.bound.push(Bound { key: key.clone(), pipeline: OnceLock::new(), group });
    }

    fn begin(&mut self, step: &Step, peers: &mut dyn Peers) -> Result<(), StepError> {
        self.gpu.alive()?;
        self.write(step);
        self.slots[step.slot].submissions.clear();
        if peers.is_alone() {
            let (shape, slot) = (step.shape, step.slot);
            let ready = self.ahead.take().filter(|(known, to, _)| (*known, *to) == (shape, slot));
            let commands =
                ready.map_or_else(|| self.commands(step.actions, shape, slot), |(.., commands)| commands);
            let mut fed = self.feed(step);
            let submitted = commands
                .into_iter()
                .map(|commands| self.gpu.submit(fed.take().into_iter().chain([commands])));
            self.slots[slot].submissions = submitted.collect();
            // The next step is likely to be of this shape: record it while this one runs.
            if shape.tokens <= 64 {
                let next = (slot + 1) % SLOTS;
                self.ahead = Some((shape, next, self.commands(step.actions, shape, next)));
            }
        } else {
            let submission = self.begin_with(step, peers)?;
            self.slots[step.slot].submissions.push(submission);
        }
        Ok(())
    }

    fn end(&mut self, slot: usize, len: usize, take: &mut dyn FnMut(&[u32])) -> Result<(), DeviceError> {
        let Slot { staging, submissions } = &self.slots[slot];
        let Some((submission, before)) = submissions.split_last() else { return Ok(()) };
        before.iter().try_for_each(|submission| self.gpu.pass(submission, self.gpu.step_max()))?;
        if len > 0 {
            return read(&self.gpu, staging, submission, len, self.gpu.step_max(), take);
        }
        // Nothing to read: still, the step must be over before its lists are written again.
        let done = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&done);
        self.gpu.queue.on_submitted_work_done(move || over.store(true, Ordering::Release));
        self.gpu.wait(&done, submission, self.gpu.step_max())
    }

    fn read(
        &mut self,
        slot: usize,
        from: &Buffer,
        first: u64,
        len: usize,
        take: &mut dyn FnMut(&[u32]),
    ) -> Result<(), DeviceError> {
        let mut recorder = self.recorder(slot);
        recorder.give(from, first, len);
        let commands = recorder.finish();
        let submission = self.gpu.submit([commands]);
        read(&self.gpu, &self.slots[slot].staging, &submission, len, self.gpu.step_max(), take)
    }

    fn timed(&mut self, step: &Step) -> Result<Option<Vec<(Kind, Duration)>>, DeviceError> {
        if !self.gpu.device.features().contains(Features::TIMESTAMP_QUERY_INSIDE_PASSES) {
            return Ok(None);
        }
        self.write(step);
        let queries = self.gpu.device.create_query_set(&QuerySetDescriptor {
            label: None,
            ty: QueryType::Timestamp,
            count: TIMED_MAX,
        });
        let bytes = u64::from(TIMED_MAX) * 8;
        let resolved = self.gpu.device.create_buffer(&BufferDescriptor {
            label: None,
            size: bytes,
            usage: BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let staging = readable(&self.gpu, bytes);
        let mut recorder = self.recorder(step.slot);
        recorder.pass().write_timestamp(&queries, 0);
        recorder.times = Some((&queries, Vec::new()));
        step.actions.record(&mut recorder, step.shape, 0, true);
        let kinds = recorder.times.take().map_or_else(Vec::new, |(_, kinds)| kinds);
        recorder.pass = None;
        recorder.encoder.resolve_query_set(&queries, 0..kinds.len() as u32 + 1, &resolved, 0);
        recorder.encoder.copy_buffer_to_buffer(&resolved, 0, &staging, 0, bytes);
        let commands = recorder.finish();
        let submission = self.gpu.submit([commands]);
        let period = self.gpu.queue.get_timestamp_period();
        let mut times = Vec::new();
        read(&self.gpu, &staging, &submission, TIMED_MAX as usize * 2, self.gpu.step_max(), |words| {
            let ticks: &[u64] = bytemuck::cast_slice(words);
            times = times_of(&kinds, ticks, period);
        })?;
        Ok(Some(times))
    }
}

pub struct PlainRecorder<'a> {
    lane: &'a Plain,
    encoder: CommandEncoder,
    /// The pass that dispatches are in; copies are between passes.
    pass: Option<ComputePass<'static>>,
    slot: usize,
    given: u64,
    /// Where the times after dispatches go, and what they were.
    times: Option<(&'a QuerySet, Vec<Kind>)>,
}

impl PlainRecorder<'_> {
    pub fn pass(&mut self) -> &mut ComputePass<'static> {
        let begin = || self.encoder.begin_compute_pass(&ComputePassDescriptor::default()).forget_lifetime();
        self.pass.get_or_insert_with(begin)
    }

    pub fn finish(mut self) -> CommandBuffer {
        self.pass = None;
        self.encoder.finish()
    }
}

impl Recorder for PlainRecorder<'_> {
    fn dispatch(&mut self, number: usize, kind: Kind, [x, y, z]: [u32; 3]) {
        let bound = &self.lane.bound[number];
        let pipeline = bound.pipeline.get_or_init(|| self.lane.kernels.compile(&bound.key));
        let pass = self.pass();
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &bound.group, &[]);
        pass.dispatch_workgroups(x, y, z);
        if let Some((queries, mut kinds)) = self.times.take() {
            if (kinds.len() as u32) < TIMED_MAX - 1 {
                kinds.push(kind);
                self.pass().write_timestamp(queries, kinds.len() as u32);
            }
            self.times = Some((queries, kinds));
        }
    }

    fn give(&mut self, from: &Buffer, first: u64, words: usize) {
        self.pass = None;
        let bytes = words as u64 * 4;
        let staging = self.lane.staging(self.slot, None);
        self.encoder.copy_buffer_to_buffer(from, first, staging, self.given, bytes);
        self.given += bytes;
    }
}

impl PieceRecorder for PlainRecorder<'_> {
    /// What comes back was written before.
    fn carry_exchanged(&mut self, act: &Buffer, exchange: &Exchange, inward: bool) {
        if !inward && exchange.len > 0 {
            self.pass = None;
            let (staging, bytes) = (self.lane.staging(self.slot, exchange.half), exchange.len as u64 * 4);
            self.encoder.copy_buffer_to_buffer(act, exchange.first, staging, 0, bytes);
        }
    }

    fn copy_rows(&mut self, from: &Buffer, first: u64, to: &Buffer, to_first: u64, bytes: u64) {
        self.pass = None;
        self.encoder.copy_buffer_to_buffer(from, first, to, to_first, bytes);
    }
}

/// Values to the device and back, again and again, and how long each time took; what came back must be what went.
pub fn rounds(gpu: &Gpu, count: usize, len: usize, limit: Duration) -> Result<Vec<Duration>, String> {
    let bytes = len as u64 * 4;
    let (scratch, staging) = (storage(gpu, "round", bytes), readable(gpu, bytes));
    let round = |round: usize| {
        let values: Vec<u32> = (0..len).map(|i| (i * 7 + round * 13) as u32).collect();
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&scratch, 0, &staging, 0, bytes);
        let start = Instant::now();
        gpu.queue.write_buffer(&scratch, 0, bytemuck::cast_slice(&values));
        let submission = gpu.submit([encoder.finish()]);
        let mut right = false;
        read(gpu, &staging, &submission, len, limit, |words| right = words == values)
            .map_err(|error| error.to_string())?;
        match right {
            true => Ok(start.elapsed()),
            false => Err("not used: values were not right when the host saw them".into()),
        }
    };
    (0..count).map(round).collect()
}

fn readable(gpu: &Gpu, bytes: u64) -> Buffer {
    gpu.device.create_buffer(&BufferDescriptor {
        label: Some("results"),
        size: bytes.max(4),
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Read the first `len` words of a buffer that can be mapped, once `submission` is through.
fn read(
    gpu: &Gpu,
    buffer: &Buffer,
    submission: &SubmissionIndex,
    len: usize,
    limit: Duration,
    mut take: impl FnMut(&[u32]),
) -> Result<(), DeviceError> {
    let slice = buffer.slice(..len as u64 * 4);
    let done = Arc::new(AtomicBool::new(false));
    let mapped = Arc::clone(&done);
    slice.map_async(MapMode::Read, move |_| mapped.store(true, Ordering::Release));
    gpu.wait(&done, submission, limit)?;
    gpu.check("a step")?;
    let view = slice.get_mapped_range().map_err(|error| DeviceError::Failed {
        device: gpu.info.name.clone(),
        step: "reading results",
        reason: error.to_string(),
    })?;
    take(bytemuck::cast_slice(&view));
    drop(view);
    buffer.unmap();
    Ok(())
}
