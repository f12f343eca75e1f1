//! How a step passes from the device to the host and back, where ranks exchange something in the middle of it.
//!
//! What a device can do and what each way costs is measured when a session is opened that exchanges anything; the fastest way
//! whose values were right is taken.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, Buffer, BufferDescriptor, BufferUsages, CommandBuffer,
    CommandEncoder, CommandEncoderDescriptor, ComputePassDescriptor, ComputePipeline, MapMode, PollType,
    SubmissionIndex,
};

use crate::device::{DeviceError, Gpu};
use crate::kernels::{Kernels, Key, Kind};
use crate::memory::storage;
#[cfg(not(target_os = "macos"))]
use crate::shared_memory::SharedMemory;

/// Rounds that are measured of each way, and those before them that are not.
const ROUNDS: usize = 32;
const UNMEASURED: usize = 4;
/// Values of a round: one row of a model.
const ROUND_LEN: usize = 4096;
/// A round that takes longer means that the way does not work.
const ROUND_MAX: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The next piece is already queued and waits for a semaphore; the host polls a word that a kernel writes.
    Queued,
    /// The next piece is recorded and then submitted; the host polls a word that a kernel writes.
    Polled,
    /// Submitted and waited for, with a copy to memory that is mapped and one back.
    Waited,
}

impl Way {
    pub const ALL: [Way; 3] = [Way::Queued, Way::Polled, Way::Waited];

    pub fn name(self) -> &'static str {
        match self {
            Way::Queued => "queued behind a semaphore, a word polled",
            Way::Polled => "submitted, a word polled",
            Way::Waited => "submitted and waited for",
        }
    }
}

/// What one way costs for a round trip, or why it cannot be used.
#[derive(Clone, Debug)]
pub struct Timing {
    pub way: Way,
    /// Median and 99th percentile.
    pub found: Result<(Duration, Duration), String>,
}

impl std::fmt::Display for Timing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let micros = |time: &Duration| time.as_secs_f64() * 1e6;
        match &self.found {
            Ok((median, p99)) => {
                write!(f, "{}: {:.0} µs (p99 {:.0})", self.way.name(), micros(median), micros(p99))
            }
            Err(reason) => write!(f, "{}: {reason}", self.way.name()),
        }
    }
}

pub struct HandOver {
    gpu: Arc<Gpu>,
    pub way: Way,
    pub timings: Vec<Timing>,
    /// `None` where values go through mapped buffers.
    shared: Option<Lent>,
}

/// Shared memory with the kernel that raises its flag.
struct Lent {
    memory: SharedMemory,
    pipeline: Arc<ComputePipeline>,
    bound: BindGroup,
    /// How often the kernel was recorded into what was submitted.
    raised: u32,
    held: bool,
}

impl HandOver {
    /// For exchanges of up to `len` values. `only`: the way to take, unmeasured by others.
    pub(crate) fn open(gpu: &Arc<Gpu>, kernels: &Kernels, len: usize, only: Option<Way>) -> HandOver {
        gpu.exchanging.fetch_add(1, Ordering::Relaxed);
        let shared = Lent::new(gpu, kernels, len.max(2 * ROUND_LEN));
        let mut hand_over = HandOver { gpu: Arc::clone(gpu), way: Way::Waited, timings: Vec::new(), shared };
        let scratch = storage(gpu, "round", ROUND_LEN as u64 * 4);
        let staging = gpu.device.create_buffer(&BufferDescriptor {
            label: Some("round"),
            size: ROUND_LEN as u64 * 4,
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        for way in Way::ALL {
            if only.is_none_or(|only| only == way) {
                let found = hand_over.measure(way, &scratch, &staging);
                hand_over.timings.push(Timing { way, found });
            }
        }
        let passed =
            hand_over.timings.iter().filter_map(|timing| Some((timing.found.as_ref().ok()?.0, timing.way)));
        hand_over.way = passed.min_by_key(|(median, _)| *median).map_or(Way::Waited, |(_, way)| way);
        if hand_over.way == Way::Waited {
            hand_over.shared = None;
        }
        hand_over
    }

    fn measure(
        &mut self,
        way: Way,
        scratch: &Buffer,
        staging: &Buffer,
    ) -> Result<(Duration, Duration), String> {
        let possible = match (way, &self.shared) {
            (Way::Waited, _) => true,
            (Way::Polled, shared) => shared.is_some(),
            (Way::Queued, shared) => shared.as_ref().is_some_and(|lent| lent.memory.can_queue()),
        };
        if !possible {
            return Err("not on this device".into());
        }
        self.way = way;
        let found = self.measure_rounds(scratch, staging);
        if let (Err(_), Some(lent)) = (&found, &mut self.shared) {
            // What is under way belongs to nobody.
            lent.settle(&self.gpu);
        }
        found
    }

    fn measure_rounds(&mut self, scratch: &Buffer, staging: &Buffer) -> Result<(Duration, Duration), String> {
        let mut times = Vec::with_capacity(ROUNDS);
        for round in 0..UNMEASURED + ROUNDS {
            let values: Vec<f32> = (0..ROUND_LEN).map(|i| (i * 7 + round * 13) as f32).collect();
            let (time, found) = self.round(&values, scratch, staging).map_err(|error| error.to_string())?;
            if found != values {
                return Err("not used: values were not right when the host saw them".into());
            }
            if round >= UNMEASURED {
                times.push(time);
            }
        }
        times.sort_unstable();
        Ok((times[ROUNDS / 2], times[ROUNDS * 99 / 100]))
    }

    /// Values to the device and back.
    fn round(
        &mut self,
        values: &[f32],
        scratch: &Buffer,
        staging: &Buffer,
    ) -> Result<(Duration, Vec<f32>), DeviceError> {
        let gpu = Arc::clone(&self.gpu);
        let bytes = ROUND_LEN as u64 * 4;
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        if self.way == Way::Waited {
            encoder.copy_buffer_to_buffer(scratch, 0, staging, 0, bytes);
            let start = Instant::now();
            gpu.queue.write_buffer(scratch, 0, bytemuck::cast_slice(values));
            let submission = gpu.queue.submit([encoder.finish()]);
            let mut found = vec![0.0; ROUND_LEN];
            read(&gpu, staging, &submission, ROUND_LEN, ROUND_MAX, |words| {
                found.copy_from_slice(bytemuck::cast_slice(words));
            })?;
            return Ok((start.elapsed(), found));
        }
        self.record_in(&mut encoder, scratch, 0, ROUND_LEN);
        self.record_out_at(&mut encoder, scratch, 0, ROUND_LEN, ROUND_LEN);
        let commands = self.prepare(encoder.finish());
        let lent = self.values(2 * ROUND_LEN);
        lent[..ROUND_LEN].copy_from_slice(values);
        lent[ROUND_LEN..].fill(-1.0);
        let start = Instant::now();
        self.go(commands)?;
        self.wait(ROUND_MAX)?;
        let time = start.elapsed();
        Ok((time, self.values(2 * ROUND_LEN)[ROUND_LEN..].to_vec()))
    }

    /// Whether values lie in memory that both sides see.
    pub fn shares(&self) -> bool {
        self.shared.is_some()
    }

    /// What was exchanged goes to the device.
    pub fn record_in(&self, encoder: &mut CommandEncoder, to: &Buffer, first: u64, len: usize) {
        if let Some(lent) = &self.shared
            && len > 0
        {
            let from = SharedMemory::VALUES_AT;
            encoder.copy_buffer_to_buffer(&lent.memory.buffer, from, to, first, len as u64 * 4);
        }
    }

    /// What is exchanged comes from the device, and then the host is told.
    pub fn record_out(&self, encoder: &mut CommandEncoder, from: &Buffer, first: u64, len: usize) {
        self.record_out_at(encoder, from, first, len, 0);
    }

    fn record_out_at(&self, encoder: &mut CommandEncoder, from: &Buffer, first: u64, len: usize, at: usize) {
        let Some(lent) = &self.shared else { return };
        let to = SharedMemory::VALUES_AT + at as u64 * 4;
        if len > 0 {
            encoder.copy_buffer_to_buffer(from, first, &lent.memory.buffer, to, len as u64 * 4);
        }
        let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
        pass.set_pipeline(&lent.pipeline);
        pass.set_bind_group(0, &lent.bound, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }

    /// Bring commands as far as they get before the host has done its part.
    pub fn prepare(&mut self, commands: CommandBuffer) -> Prepared {
        match &mut self.shared {
            Some(lent) if self.way == Way::Queued && self.gpu.exchanging.load(Ordering::Relaxed) == 1 => {
                lent.memory.hold_next(&self.gpu);
                lent.held = true;
                Prepared::Queued(self.gpu.queue.submit([commands]))
            }
            _ => Prepared::Recorded(commands),
        }
    }

    /// The host has done its part.
    pub fn go(&mut self, prepared: Prepared) -> Result<SubmissionIndex, DeviceError> {
        match prepared {
            Prepared::Recorded(commands) => Ok(self.gpu.queue.submit([commands])),
            Prepared::Queued(submission) => {
                let released = self.shared.as_mut().is_none_or(Lent::release);
                match released {
                    true => Ok(submission),
                    false => Err(DeviceError::Failed {
                        device: self.gpu.info.name.clone(),
                        step: "letting queued work begin",
                        reason: "the device is lost".into(),
                    }),
                }
            }
        }
    }

    /// Wait until the kernel that [`record_out`](Self::record_out) recorded has run once more.
    pub fn wait(&mut self, limit: Duration) -> Result<(), DeviceError> {
        let Some(lent) = &mut self.shared else { return Ok(()) };
        lent.raised = lent.raised.wrapping_add(1);
        let start = Instant::now();
        let mut looked = 0u32;
        // Flags only grow, and no more than one is waited for.
        while lent.memory.flag() != lent.raised {
            looked += 1;
            if self.gpu.info.software {
                // It computes on these very cores.
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
            if looked.is_multiple_of(4096) {
                self.gpu.pulse()?;
                if start.elapsed() > limit {
                    return Err(self.gpu.silent(limit));
                }
            }
        }
        Ok(())
    }

    /// The values that are exchanged; only while the device does not touch them.
    pub fn values(&mut self, len: usize) -> &mut [f32] {
        self.shared.as_mut().map_or(&mut [], |lent| lent.memory.values(len))
    }
}

impl Drop for HandOver {
    fn drop(&mut self) {
        self.shared.iter_mut().for_each(|lent| lent.settle(&self.gpu));
        self.gpu.exchanging.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Commands that the host's part comes before.
pub enum Prepared {
    Recorded(CommandBuffer),
    Queued(SubmissionIndex),
}

impl Lent {
    fn new(gpu: &Arc<Gpu>, kernels: &Kernels, len: usize) -> Option<Lent> {
        let memory = SharedMemory::new(gpu, len)?;
        let count = storage(gpu, "count", 16);
        let pipeline = kernels.compile(&Key::new(Kind::Flag, 1));
        let entries = [(2, &count), (11, &memory.buffer)]
            .map(|(binding, buffer)| BindGroupEntry { binding, resource: buffer.as_entire_binding() });
        let layout = kernels.layout(Kind::Flag);
        let bound =
            gpu.device.create_bind_group(&BindGroupDescriptor { label: None, layout, entries: &entries });
        Some(Lent { memory, pipeline, bound, raised: 0, held: false })
    }

    fn release(&mut self) -> bool {
        self.held = false;
        self.memory.release()
    }

    /// Let what is under way end: work that waits for a host that has gone would keep the device.
    fn settle(&mut self, gpu: &Gpu) {
        if self.held {
            self.release();
        }
        let idle = PollType::Wait { submission_index: None, timeout: Some(ROUND_MAX) };
        let _ = gpu.device.poll(idle);
        self.raised = self.memory.flag();
    }
}

/// Read the first `len` words of a buffer that can be mapped, once `submission` is through.
pub fn read(
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

/// Metal: what wgpu makes is not shared, and its kernels cannot write what the host sees meanwhile. There is never one.
#[cfg(target_os = "macos")]
#[allow(dead_code)]
struct SharedMemory {
    buffer: Buffer,
}

#[cfg(target_os = "macos")]
impl SharedMemory {
    const VALUES_AT: u64 = 0;

    fn new(_: &Gpu, _: usize) -> Option<SharedMemory> {
        None
    }

    fn flag(&self) -> u32 {
        0
    }

    fn values(&mut self, _: usize) -> &mut [f32] {
        &mut []
    }

    fn can_queue(&self) -> bool {
        false
    }

    fn hold_next(&self, _: &Gpu) {}

    fn release(&mut self) -> bool {
        true
    }
}
