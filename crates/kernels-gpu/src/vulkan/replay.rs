//! The lane of Vulkan: commands recorded once for each shape of a step, and submitted again.
//!
//! A kernel at the end of each piece of a step raises a flag in memory that the host polls. Where ranks exchange something, the
//! pieces after the first are either submitted when the host has done its part, or all at once, each behind a semaphore.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use ash::vk;
use tandem_tensor::{Lender, Peers};
use wgpu::Buffer;
use wgpu::hal::api::Vulkan as Api;

use crate::device::{DeviceError, Gpu};
use crate::halves::{PieceRecorder, Walk};
use crate::handover::Way;
use crate::kernels::{Key, Kind};
use crate::lane::{
    Exchange, Lane, Pause, Recorder, Resource, SLOTS, Shape, Step, StepError, TIMED_MAX, times_of,
};
use crate::lanes::Room;
use crate::memory::storage;
use crate::vulkan::Vulkan;
use crate::vulkan::kernels::{VulkanKernels, descriptor_type};
use crate::vulkan::mapped::Mapped;

/// Words before everything else; the first is the device's flag.
const HEAD: usize = 64;
/// Shapes of steps whose commands are kept.
const KNOWN_MAX: usize = 64;
/// Descriptor sets of a pool.
const POOL_SETS: u32 = 256;
/// Most buffers of one kernel.
const BINDINGS_MAX: u32 = 10;
/// Values are carried between the activations and the host's memory by a kernel where they are no more than this: a copy begins later.
const CARRIED_MAX: usize = 1 << 16;
const CARRY_THREADS: u32 = 256;
/// Words of a step are copied in multiples of this, so that growing lists seldom change the commands.
const WORDS_STEP: usize = 256;
/// How long work is waited for that nobody wants any more.
const SETTLE_MAX: Duration = Duration::from_secs(2);

pub struct Replay {
    gpu: Arc<Gpu>,
    kernels: Arc<VulkanKernels>,
    pools: Vec<vk::DescriptorPool>,
    bound: Vec<Bound>,
    /// Norms that add what was exchanged, from where it lies, by the number of the dispatch they stand for.
    adding: HashMap<usize, Bound>,
    /// Raises the flag.
    flag: Bound,
    /// Carry values inwards and outwards, by where they begin among the activations, in bytes, and how many they are.
    carriers: HashMap<(u64, usize), [Bound; 2]>,
    _count: Buffer,
    mail: Mapped,
    /// Values that ranks exchange: where their links send from and add up, where that memory could be had.
    exchanged: Mapped,
    room: Room,
    slots: [Slot; SLOTS],
    way: Way,
    /// What queued pieces wait for, and the value that was last let through.
    gate: vk::Semaphore,
    let_through: u64,
    /// Steps that are over.
    done: vk::Semaphore,
    submitted: u64,
    /// How often the flag will have been raised once everything submitted is over.
    raised: u32,
    /// Why something could not be set up: an error of the first step.
    failed: Option<String>,
}

/// Where each kind of words lies in the memory that both sides see.
impl Room {
    fn words_at(&self, slot: usize) -> usize {
        HEAD + slot * (self.words + self.results)
    }

    fn results_at(&self, slot: usize) -> usize {
        self.words_at(slot) + self.words
    }

    fn total(&self) -> usize {
        self.words_at(SLOTS)
    }
}

struct Bound {
    key: Key,
    pipeline: OnceLock<vk::Pipeline>,
    set: vk::DescriptorSet,
}

struct Slot {
    pool: vk::CommandPool,
    known: HashMap<Recorded, Vec<Piece>>,
    /// What the flag is when the slot's step is over, and the count of steps.
    flag: u32,
    step: u64,
}

/// What commands were recorded for.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Recorded {
    shape: Shape,
    /// Which options were taken.
    chosen: u64,
    words: usize,
    fed: Vec<(u32, u32)>,
    alone: bool,
    /// The same of each half.
    halves: Option<[(Shape, usize); 2]>,
}

impl Recorded {
    fn new(step: &Step, alone: bool) -> Recorded {
        let mut copied = step.lists().map(|(words, to)| copied(words, to));
        let words = copied.next().unwrap_or(0);
        let halves = step.halves.as_ref().map(|halved| halved.shapes);
        let halves = halves.map(|shapes| shapes.map(|shape| (shape, copied.next().unwrap_or(0))));
        let chosen = step.actions.chosen.all();
        Recorded { shape: step.shape, chosen, words, fed: step.fed.to_vec(), alone, halves }
    }
}

/// How many words of a list are copied to the device. In the host's memory, lists lie that far apart.
fn copied(words: &[u32], to: &Buffer) -> usize {
    words.len().next_multiple_of(WORDS_STEP).min((to.size() / 4) as usize)
}

#[derive(Clone, Copy)]
struct Piece {
    commands: vk::CommandBuffer,
    /// What the host does after it.
    exchange: Option<Exchange>,
    /// Whether the host is told when it is over.
    raises: bool,
}

#[allow(unsafe_code)]
impl Replay {
    pub fn new(
        gpu: &Arc<Gpu>,
        kernels: &Arc<VulkanKernels>,
        room: Room,
        way: Way,
        lender: Option<&Lender>,
    ) -> Result<Replay, DeviceError> {
        let room = Room { words: room.words.next_multiple_of(WORDS_STEP), ..room };
        let made = |error: vk::Result| failed(gpu, "making room for steps", error);
        let vulkan = vulkan(gpu);
        let mail = Mapped::new(gpu, vulkan, room.total()).map_err(made)?;
        let lent = lender.filter(|_| room.exchanged > 0).and_then(|lend| {
            let lent = lend(Mapped::lent_bytes(vulkan, room.exchanged)?)?;
            Mapped::of(gpu, vulkan, room.exchanged, lent).ok()
        });
        let exchanged = match lent {
            Some(lent) => lent,
            None => Mapped::new(gpu, vulkan, room.exchanged.max(1)).map_err(made)?,
        };
        let pool = vk::CommandPoolCreateInfo::default().queue_family_index(vulkan.family);
        let semaphore = || {
            let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
            let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
            // SAFETY: a plain description; the device has such semaphores, see `Vulkan::of`.
            unsafe { vulkan.device.create_semaphore(&info, None) }
        };
        let slot = || {
            // SAFETY: a plain description.
            let pool = unsafe { vulkan.device.create_command_pool(&pool, None) }?;
            Ok(Slot { pool, known: HashMap::new(), flag: 0, step: 0 })
        };
        let slots = [slot().map_err(made)?, slot().map_err(made)?];
        let count = storage(gpu, "count", 16);
        gpu.clear(&[&count]);
        let flag =
            Bound { key: Key::new(Kind::Flag, 1), pipeline: OnceLock::new(), set: vk::DescriptorSet::null() };
        let mut replay = Replay {
            kernels: Arc::clone(kernels),
            pools: Vec::new(),
            bound: Vec::new(),
            adding: HashMap::new(),
            flag,
            carriers: HashMap::new(),
            mail,
            exchanged,
            room,
            slots,
            way,
            gate: semaphore().map_err(made)?,
            let_through: 0,
            done: semaphore().map_err(made)?,
            submitted: 0,
            raised: 0,
            failed: None,
            _count: count.clone(),
            gpu: Arc::clone(gpu),
        };
        let buffers = [(2, raw(&count), 0, vk::WHOLE_SIZE), (11, replay.mail.buffer, 0, HEAD as u64 * 4)];
        replay.flag.set = replay.set(Kind::Flag, &buffers).map_err(made)?;
        if room.exchanged > 0 {
            vulkan.exchanging.fetch_add(1, Ordering::Relaxed);
        }
        Ok(replay)
    }

    fn vulkan(&self) -> &Vulkan {
        vulkan(&self.gpu)
    }

    /// A descriptor set with buffers in it: binding, buffer, where in it, how many bytes.
    fn set(
        &mut self,
        kind: Kind,
        buffers: &[(u32, vk::Buffer, u64, u64)],
    ) -> Result<vk::DescriptorSet, vk::Result> {
        let layouts = [self.kernels.layout(kind).set];
        let device = &vulkan(&self.gpu).device;
        // SAFETY: sets are written before any command uses them, with buffers that the session keeps as long as this lane.
        unsafe {
            let allocate = |pool: &vk::DescriptorPool| {
                let info =
                    vk::DescriptorSetAllocateInfo::default().descriptor_pool(*pool).set_layouts(&layouts);
                device.allocate_descriptor_sets(&info).map(|sets| sets[0])
            };
            let set = match self.pools.last().map(allocate) {
                Some(Ok(set)) => set,
                // The pool is full, or there is none.
                _ => {
                    let size = |ty, each| {
                        vk::DescriptorPoolSize::default().ty(ty).descriptor_count(POOL_SETS * each)
                    };
                    let sizes = [
                        size(vk::DescriptorType::STORAGE_BUFFER, BINDINGS_MAX),
                        size(vk::DescriptorType::UNIFORM_BUFFER, 1),
                    ];
                    let info = vk::DescriptorPoolCreateInfo::default().max_sets(POOL_SETS).pool_sizes(&sizes);
                    self.pools.push(device.create_descriptor_pool(&info, None)?);
                    self.pools.last().map(allocate).unwrap_or(Err(vk::Result::ERROR_OUT_OF_POOL_MEMORY))?
                }
            };
            let infos: Vec<_> = buffers
                .iter()
                .map(|(_, buffer, offset, range)| {
                    [vk::DescriptorBufferInfo::default().buffer(*buffer).offset(*offset).range(*range)]
                })
                .collect();
            let accesses = kind.bindings();
            let writes: Vec<_> = buffers
                .iter()
                .zip(&infos)
                .map(|((binding, ..), info)| {
                    let access =
                        accesses.iter().find(|(known, _)| known == binding).map_or('r', |found| found.1);
                    vk::WriteDescriptorSet::default()
                        .dst_set(set)
                        .dst_binding(*binding)
                        .descriptor_type(descriptor_type(access))
                        .buffer_info(info)
                })
                .collect();
            device.update_descriptor_sets(&writes, &[]);
            Ok(set)
        }
    }

    /// Record commands.
    fn record(
        &self,
        slot: usize,
        write: impl FnOnce(&mut Commands<'_>),
    ) -> Result<vk::CommandBuffer, DeviceError> {
        let device = &self.vulkan().device;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(self.slots[slot].pool)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // The host sees that a step is over before the driver says so, and submits its commands again.
        let begin =
            vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::SIMULTANEOUS_USE);
        let error = |error: vk::Result| failed(&self.gpu, "recording a step", error);
        // SAFETY: the pool is used by this thread alone, see `&mut self` of all that leads here; what is recorded lives as long
        // as the lane and its session.
        unsafe {
            let commands = device.allocate_command_buffers(&info).map_err(error)?[0];
            device.begin_command_buffer(commands, &begin).map_err(error)?;
            let given = self.room.results_at(slot) as u64 * 4;
            let mut recorder = Commands {
                lane: self,
                commands,
                given,
                after_copy: true,
                adding: None,
                failed: None,
                times: None,
            };
            write(&mut recorder);
            let reason = recorder.failed.take();
            device.end_command_buffer(commands).map_err(error)?;
            match reason {
                None => Ok(commands),
                Some(reason) => Err(DeviceError::Failed {
                    device: self.gpu.info.name.clone(),
                    step: "compiling a kernel",
                    reason,
                }),
            }
        }
    }

    /// Make what carries values between these and the host's memory.
    fn carrier(&mut self, act: &Buffer, first: u64, len: usize) -> Result<(), DeviceError> {
        if len == 0 || len > CARRIED_MAX || self.carriers.contains_key(&(first, len)) {
            return Ok(());
        }
        let bytes = len as u64 * 4;
        let set =
            self.set(Kind::Carry, &[(2, raw(act), first, bytes), (11, self.exchanged.buffer, 0, bytes)]);
        let set = set.map_err(|error| failed(&self.gpu, "recording a step", error))?;
        let bound = |inward| Bound {
            key: Key::new(Kind::Carry, CARRY_THREADS).with("INWARD", inward),
            pipeline: OnceLock::new(),
            set,
        };
        self.carriers.insert((first, len), [bound(1), bound(0)]);
        Ok(())
    }

    /// The pieces of a step.
    fn pieces(&mut self, step: &Step, recorded: &Recorded) -> Result<Vec<Piece>, DeviceError> {
        if !recorded.alone {
            for exchange in step.actions.exchanges(step.shape) {
                self.carrier(&step.actions.act, exchange.first, exchange.len)?;
            }
        }
        let mut pieces: Vec<Piece> = Vec::new();
        let mut walk = Walk::new(step, recorded.alone, self.gpu.submitted_max);
        loop {
            let (mut pause, mut exchange, mut raises) = (None, None, true);
            let commands = self.record(step.slot, |to| {
                if pieces.is_empty() {
                    self.record_words(to, step);
                }
                pause = walk.record(to);
                if pause.is_none() {
                    step.actions.record_results(to, step.shape);
                }
                // What comes in takes the place of what came in before, which this piece may still have to read.
                exchange = pause.and_then(Pause::exchange);
                raises = exchange.is_none_or(|exchange| exchange.out) || !pieces.is_empty();
                if raises {
                    to.raise();
                }
            })?;
            pieces.push(Piece { commands, exchange, raises });
            if pause.is_none() {
                return Ok(pieces);
            }
        }
    }

    /// What the step's kernels read, where the device finds it.
    fn write(&mut self, step: &Step) {
        let mut at = self.room.words_at(step.slot);
        for (words, to) in step.lists() {
            self.mail.words(at, words.len()).copy_from_slice(words);
            at += copied(words, to);
        }
    }

    /// What the step's kernels read goes to the device, with tokens from the step before.
    fn record_words(&self, to: &mut Commands<'_>, step: &Step) {
        let words = raw(&step.actions.words);
        let mut from = self.room.words_at(step.slot) as u64 * 4;
        for (list, words) in step.lists() {
            let bytes = copied(list, words) as u64 * 4;
            to.copy(self.mail.buffer, from, raw(words), 0, bytes);
            from += bytes;
        }
        let found = raw(&step.actions.candidates);
        for (from, at) in step.actions.fed(step.fed) {
            to.copy(found, from, words, at, 4);
        }
    }

    /// Submit batches of commands: each waits for a value of the gate, where it has one, and the last says that all is over
    /// where `last`.
    fn submit(&mut self, pieces: &[(vk::CommandBuffer, Option<u64>)], last: bool) -> Result<(), DeviceError> {
        self.submitted += u64::from(last);
        let stages = [vk::PipelineStageFlags::ALL_COMMANDS];
        let (gate, done, over) = ([self.gate], [self.done], [self.submitted]);
        let waits: Vec<[u64; 1]> = pieces.iter().map(|(_, value)| [value.unwrap_or(0)]).collect();
        let commands: Vec<[vk::CommandBuffer; 1]> = pieces.iter().map(|(commands, _)| [*commands]).collect();
        let mut values: Vec<_> = waits
            .iter()
            .zip(pieces)
            .enumerate()
            .map(|(at, (wait, (_, value)))| {
                let info = vk::TimelineSemaphoreSubmitInfo::default();
                let info = if value.is_some() { info.wait_semaphore_values(wait) } else { info };
                if last && at + 1 == pieces.len() { info.signal_semaphore_values(&over) } else { info }
            })
            .collect();
        let infos: Vec<_> = values
            .iter_mut()
            .zip(&commands)
            .zip(pieces)
            .enumerate()
            .map(|(at, ((values, commands), (_, value)))| {
                let info = vk::SubmitInfo::default();
                let info = if commands[0] == vk::CommandBuffer::null() {
                    info
                } else {
                    info.command_buffers(commands)
                };
                let info = if value.is_some() {
                    info.wait_semaphores(&gate).wait_dst_stage_mask(&stages)
                } else {
                    info
                };
                let info = if last && at + 1 == pieces.len() { info.signal_semaphores(&done) } else { info };
                info.push_next(values)
            })
            .collect();
        let vulkan = self.vulkan();
        let _turn = self.gpu.submitting.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the queue is used by one thread at a time; commands and semaphores live until the lane has settled.
        let submitted = unsafe { vulkan.device.queue_submit(vulkan.queue, &infos, vk::Fence::null()) };
        submitted.map_err(|error| failed(&self.gpu, "submitting a step", error))
    }

    /// Let queued pieces begin that wait for values up to this.
    fn let_through(&mut self, value: u64) -> Result<(), DeviceError> {
        debug_assert!(value > self.let_through, "{value} after {}", self.let_through);
        self.let_through = value;
        let info = vk::SemaphoreSignalInfo::default().semaphore(self.gate).value(value);
        // SAFETY: a timeline semaphore of this device, signalled with a value beyond its last.
        let signalled = unsafe { self.vulkan().device.signal_semaphore(&info) };
        signalled.map_err(|error| failed(&self.gpu, "letting queued work begin", error))
    }

    /// Wait until the flag has been raised this often. `limit`: between one time and the next.
    fn wait(&self, raised: u32, limit: Duration) -> Result<(), DeviceError> {
        let (mut heard, mut known) = (Instant::now(), self.mail.flag());
        let mut looked = 0u32;
        while (self.mail.flag().wrapping_sub(raised) as i32) < 0 {
            looked = looked.wrapping_add(1);
            match (self.gpu.info.software, looked) {
                (false, _) => std::hint::spin_loop(),
                // It computes on these very cores.
                (true, ..1000) => std::thread::yield_now(),
                (true, _) => std::thread::sleep(Duration::from_micros(50)),
            }
            let seldom = if self.gpu.info.software { 64 } else { 4096 };
            if looked.is_multiple_of(seldom) {
                self.gpu.alive()?;
                self.over()?;
                if self.mail.flag() != known {
                    (heard, known) = (Instant::now(), self.mail.flag());
                }
                if heard.elapsed() > limit {
                    return Err(self.gpu.silent(limit));
                }
            }
        }
        Ok(())
    }

    /// How many steps are over. An error where the device is lost.
    fn over(&self) -> Result<u64, DeviceError> {
        // SAFETY: a timeline semaphore of this device.
        let value = unsafe { self.vulkan().device.get_semaphore_counter_value(self.done) };
        value.map_err(|error| failed(&self.gpu, "a step", error))
    }

    /// Wait, asleep, until so many steps are over.
    fn sleep(&self, steps: u64, limit: Duration) -> Result<bool, DeviceError> {
        let (semaphores, values) = ([self.done], [steps]);
        let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
        // SAFETY: a timeline semaphore of this device.
        let waited = unsafe { self.vulkan().device.wait_semaphores(&info, limit.as_nanos() as u64) };
        match waited {
            Ok(()) => Ok(true),
            Err(vk::Result::TIMEOUT) => Ok(false),
            Err(error) => Err(failed(&self.gpu, "a step", error)),
        }
    }

    /// Let everything that was submitted end.
    fn settle(&mut self) -> Result<(), DeviceError> {
        self.submit(&[(vk::CommandBuffer::null(), None)], true)?;
        match self.sleep(self.submitted, SETTLE_MAX)? {
            true => Ok(()),
            false => Err(self.gpu.silent(SETTLE_MAX)),
        }
    }

    /// The pieces of a step, one after the other.
    fn run(&mut self, step: &Step, pieces: &[Piece], peers: &mut dyn Peers) -> Result<(), StepError> {
        // Sessions on one device share its queue: where several exchange, none may keep it waiting.
        let queued = self.way == Way::Queued
            && pieces.iter().any(|piece| piece.exchange.is_some())
            && step.halves.is_none()
            && self.vulkan().exchanging.load(Ordering::Relaxed) == 1;
        let first = self.let_through;
        let end = first + pieces.len() as u64 - 1;
        let raised = self.raised;
        if queued {
            let follows = |at: usize| at > 0 && pieces[at - 1].exchange.is_some();
            let gated = |at: usize| follows(at).then(|| first + at as u64);
            let all: Vec<_> =
                pieces.iter().enumerate().map(|(at, piece)| (piece.commands, gated(at))).collect();
            // What waits for nothing would become one with what it follows, if a driver got both in one call.
            let mut from = 0;
            for upto in (1..=all.len()).filter(|upto| *upto == all.len() || !follows(*upto)) {
                self.submit(&all[from..upto], upto == all.len())?;
                from = upto;
            }
            self.raised = raised.wrapping_add(pieces.iter().filter(|piece| piece.raises).count() as u32);
        }
        let (mut flag, mut submitted) = (raised, 0);
        for (at, piece) in pieces.iter().enumerate() {
            flag = flag.wrapping_add(u32::from(piece.raises));
            // The other half's piece runs while this one's values travel.
            let upto = at + usize::from(piece.exchange.is_some_and(|exchange| exchange.ahead));
            while !queued && submitted <= upto {
                let next = pieces[submitted];
                submitted += 1;
                self.submit(&[(next.commands, None)], submitted == pieces.len())?;
                self.raised = self.raised.wrapping_add(u32::from(next.raises));
            }
            let Some(exchange) = piece.exchange else { continue };
            let met = self.meet(step, exchange, piece.raises.then_some(flag), peers);
            if queued {
                // Where a peer is lost, what is queued runs to its end, for nothing.
                self.let_through(if met.is_ok() { first + at as u64 + 1 } else { end })?;
            }
            met?;
        }
        let slot = &mut self.slots[step.slot];
        (slot.flag, slot.step) = (self.raised, self.submitted);
        Ok(())
    }

    /// The host's part between two pieces.
    fn meet(
        &mut self,
        step: &Step,
        exchange: Exchange,
        flag: Option<u32>,
        peers: &mut dyn Peers,
    ) -> Result<(), StepError> {
        if let Some(flag) = flag {
            self.wait(flag, self.gpu.step_max())?;
        }
        let values = self.exchanged.words(exchange.place, exchange.len);
        Ok(step.meet(&exchange, bytemuck::cast_slice_mut(values), peers)?)
    }

    /// Forget what was recorded for a slot when there is too much of it.
    fn tidy(&mut self, slot: usize) -> Result<(), DeviceError> {
        if self.slots[slot].known.len() < KNOWN_MAX {
            return Ok(());
        }
        self.settle()?;
        self.slots[slot].known.clear();
        let flags = vk::CommandPoolResetFlags::empty();
        // SAFETY: nothing of the pool is under way any more.
        let reset = unsafe { self.vulkan().device.reset_command_pool(self.slots[slot].pool, flags) };
        reset.map_err(|error| failed(&self.gpu, "recording a step", error))
    }

    /// Submit commands that are needed once, and wait for them.
    fn once(&mut self, slot: usize, commands: vk::CommandBuffer) -> Result<(), DeviceError> {
        let submitted = self.submit(&[(commands, None)], true);
        let waited = submitted.and_then(|()| match self.sleep(self.submitted, self.gpu.step_max())? {
            true => Ok(()),
            false => Err(self.gpu.silent(self.gpu.step_max())),
        });
        if waited.is_ok() {
            // SAFETY: it is over.
            unsafe { self.vulkan().device.free_command_buffers(self.slots[slot].pool, &[commands]) };
        }
        waited
    }
}

impl Lane for Replay {
    fn lent(&self) -> bool {
        self.exchanged.is_lent()
    }

    fn bind(&mut self, key: &Key, resources: &[(u32, Resource)]) {
        let buffers: Vec<_> = resources
            .iter()
            .map(|(binding, resource)| (*binding, raw(resource.buffer), resource.offset, resource.bytes))
            .collect();
        let set = self.set(key.kind, &buffers).unwrap_or_else(|error| {
            self.failed.get_or_insert_with(|| error.to_string());
            vk::DescriptorSet::null()
        });
        if let Some(key) = key.lent().filter(|_| self.room.exchanged > 0) {
            let lent = (11, self.exchanged.buffer, 0, vk::WHOLE_SIZE);
            match self.set(key.kind, &[buffers, vec![lent]].concat()) {
                Ok(set) => {
                    let bound = Bound { key, pipeline: OnceLock::new(), set };
                    self.adding.insert(self.bound.len(), bound);
                }
                Err(error) => drop(self.failed.get_or_insert_with(|| error.to_string())),
            }
        }
        self.bound.push(Bound { key: key.clone(), pipeline: OnceLock::new(), set });
    }

    fn begin(&mut self, step: &Step, peers: &mut dyn Peers) -> Result<(), StepError> {
        if let Some(reason) = self.failed.clone() {
            let device = self.gpu.info.name.clone();
            return Err(DeviceError::Failed { device, step: "binding buffers", reason }.into());
        }
        self.gpu.alive()?;
        self.write(step);
        let recorded = Recorded::new(step, peers.is_alone());
        let pieces = match self.slots[step.slot].known.remove(&recorded) {
            Some(pieces) => pieces,
            None => {
                self.tidy(step.slot)?;
                self.pieces(step, &recorded)?
            }
        };
        let ran = self.run(step, &pieces, peers);
        self.slots[step.slot].known.insert(recorded, pieces);
        ran
    }

    fn end(&mut self, slot: usize, len: usize, take: &mut dyn FnMut(&[u32])) -> Result<(), DeviceError> {
        let Slot { flag, step, .. } = self.slots[slot];
        let start = Instant::now();
        // When the device last finished something.
        let (mut heard, mut known) = (start, self.mail.flag());
        // Polling answers sooner than the system; a software device computes on these very cores.
        let patience = if self.gpu.info.software { Duration::ZERO } else { Duration::from_millis(50) };
        loop {
            if self.mail.flag().wrapping_sub(flag) as i32 >= 0 {
                break;
            }
            self.gpu.alive()?;
            if self.mail.flag() != known {
                (heard, known) = (Instant::now(), self.mail.flag());
            }
            if start.elapsed() < patience {
                (0..64).for_each(|_| std::hint::spin_loop());
            } else if !self.sleep(step, Duration::from_millis(100))? && heard.elapsed() > self.gpu.step_max()
            {
                return Err(self.gpu.silent(self.gpu.step_max()));
            }
        }
        take(self.mail.words(self.room.results_at(slot), len));
        Ok(())
    }

    fn read(
        &mut self,
        slot: usize,
        from: &Buffer,
        first: u64,
        len: usize,
        take: &mut dyn FnMut(&[u32]),
    ) -> Result<(), DeviceError> {
        let commands = self.record(slot, |to| to.give(from, first, len))?;
        self.once(slot, commands)?;
        take(self.mail.words(self.room.results_at(slot), len));
        Ok(())
    }

    #[allow(unsafe_code)]
    fn timed(&mut self, step: &Step) -> Result<Option<Vec<(Kind, Duration)>>, DeviceError> {
        self.write(step);
        let info =
            vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(TIMED_MAX);
        let error = |error: vk::Result| failed(&self.gpu, "timing a step", error);
        // SAFETY: queries are reset before they are written, and destroyed when nothing is under way.
        let queries = unsafe { self.vulkan().device.create_query_pool(&info, None) }.map_err(error)?;
        let mut kinds = Vec::new();
        let commands = self.record(step.slot, |to| {
            self.record_words(to, step);
            to.time(queries);
            step.actions.record(to, step.shape, 0, true);
            kinds = to.times.take().map_or_else(Vec::new, |(_, kinds)| kinds);
        });
        let ran = commands.and_then(|commands| self.once(step.slot, commands));
        let mut ticks = vec![0u64; kinds.len() + 1];
        let device = &self.vulkan().device;
        // SAFETY: as above; as many were written as are read.
        let found = unsafe {
            let wait = vk::QueryResultFlags::WAIT | vk::QueryResultFlags::TYPE_64;
            let found = ran.and_then(|()| {
                let read = device.get_query_pool_results(queries, 0, &mut ticks, wait);
                read.map_err(|error| failed(&self.gpu, "timing a step", error))
            });
            if found.is_ok() {
                device.destroy_query_pool(queries, None);
            }
            found
        };
        found?;
        Ok(Some(times_of(&kinds, &ticks, self.vulkan().tick)))
    }
}

impl Drop for Replay {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if self.room.exchanged > 0 {
            self.vulkan().exchanging.fetch_sub(1, Ordering::Relaxed);
        }
        // What is still running after that long is left to the system.
        if let Err(DeviceError::Silent { .. }) = self.settle() {
            return;
        }
        let vulkan = vulkan(&self.gpu);
        // SAFETY: everything that was submitted is over, or the device is lost.
        unsafe {
            for slot in &self.slots {
                vulkan.device.destroy_command_pool(slot.pool, None);
            }
            for pool in &self.pools {
                vulkan.device.destroy_descriptor_pool(*pool, None);
            }
            vulkan.device.destroy_semaphore(self.gate, None);
            vulkan.device.destroy_semaphore(self.done, None);
        }
    }
}

/// Commands that are being recorded. Each waits for those before it.
struct Commands<'a> {
    lane: &'a Replay,
    commands: vk::CommandBuffer,
    /// Where the next results go, in bytes.
    given: u64,
    /// Whether the last command was a copy, or must be taken for one.
    after_copy: bool,
    /// The dispatch that reads what was exchanged from where it lies.
    adding: Option<usize>,
    /// Why a kernel is missing.
    failed: Option<String>,
    /// Where the times after dispatches go, and what they were.
    times: Option<(vk::QueryPool, Vec<Kind>)>,
}

#[allow(unsafe_code)]
impl Commands<'_> {
    fn device(&self) -> &ash::Device {
        &self.lane.vulkan().device
    }

    /// What comes now, a copy or a dispatch, sees what was written before, on the device and, of what was submitted, by the host.
    fn barrier(&mut self, copies: bool) {
        let shader = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::AccessFlags::SHADER_WRITE);
        let transfer = (vk::PipelineStageFlags::TRANSFER, vk::AccessFlags::TRANSFER_WRITE);
        let reads =
            vk::AccessFlags::SHADER_READ | vk::AccessFlags::TRANSFER_READ | vk::AccessFlags::UNIFORM_READ;
        // Between dispatches nothing but what kernels wrote need be waited for: a narrower barrier may cost less.
        let (stages, written, used) = match copies || self.after_copy {
            true => (shader.0 | transfer.0, shader.1 | transfer.1, shader.1 | transfer.1 | reads),
            false => (shader.0, shader.1, shader.1 | vk::AccessFlags::SHADER_READ),
        };
        self.after_copy = copies;
        let memory = [vk::MemoryBarrier::default().src_access_mask(written).dst_access_mask(used)];
        let none = vk::DependencyFlags::empty();
        // SAFETY: commands are being recorded.
        unsafe { self.device().cmd_pipeline_barrier(self.commands, stages, stages, none, &memory, &[], &[]) };
    }

    fn copy(&mut self, from: vk::Buffer, at: u64, to: vk::Buffer, to_at: u64, bytes: u64) {
        if bytes == 0 {
            return;
        }
        self.barrier(true);
        let region = [vk::BufferCopy::default().src_offset(at).dst_offset(to_at).size(bytes)];
        // SAFETY: the plan and `Room` made both buffers long enough.
        unsafe { self.device().cmd_copy_buffer(self.commands, from, to, &region) };
    }

    fn run(&mut self, bound: &Bound, [x, y, z]: [u32; 3]) {
        let pipeline = match bound.pipeline.get() {
            Some(pipeline) => *pipeline,
            None => match self.lane.kernels.pipeline(&bound.key) {
                Ok(pipeline) => *bound.pipeline.get_or_init(|| pipeline),
                Err(reason) => {
                    self.failed.get_or_insert(reason);
                    return;
                }
            },
        };
        // What the host reads once it sees the flag is waited for as widely as was tried.
        self.after_copy |= bound.key.kind == Kind::Flag;
        self.barrier(false);
        let layout = self.lane.kernels.layout(bound.key.kind).pipeline;
        let (device, commands) = (self.device(), self.commands);
        // SAFETY: the set was made for the kernel's layout, and both live as long as the lane.
        unsafe {
            let point = vk::PipelineBindPoint::COMPUTE;
            device.cmd_bind_pipeline(commands, point, pipeline);
            device.cmd_bind_descriptor_sets(commands, point, layout, 0, &[bound.set], &[]);
            device.cmd_dispatch(commands, x, y, z);
        }
    }

    /// Values between the activations and the host's memory.
    fn carry(&mut self, act: vk::Buffer, first: u64, len: usize, inward: bool) {
        let lane = self.lane;
        if let Some(bound) = lane.carriers.get(&(first, len)) {
            return self.run(&bound[usize::from(!inward)], [(len as u32).div_ceil(CARRY_THREADS), 1, 1]);
        }
        let (exchanged, bytes) = (lane.exchanged.buffer, len as u64 * 4);
        match inward {
            true => self.copy(exchanged, 0, act, first, bytes),
            false => self.copy(act, first, exchanged, 0, bytes),
        }
    }

    /// Tell the host that everything before this is over.
    fn raise(&mut self) {
        let lane = self.lane;
        self.run(&lane.flag, [1, 1, 1]);
    }

    /// Take the time now and after every dispatch.
    fn time(&mut self, queries: vk::QueryPool) {
        // SAFETY: the pool has this many queries.
        unsafe { self.device().cmd_reset_query_pool(self.commands, queries, 0, TIMED_MAX) };
        self.times = Some((queries, Vec::new()));
        self.write_time(queries, 0);
    }

    fn write_time(&self, queries: vk::QueryPool, at: u32) {
        let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
        // SAFETY: the query was reset and is written once.
        unsafe { self.device().cmd_write_timestamp(self.commands, stage, queries, at) };
    }
}

impl Recorder for Commands<'_> {
    fn dispatch(&mut self, number: usize, kind: Kind, grid: [u32; 3]) {
        let lane = self.lane;
        let bound = if self.adding == Some(number) { &lane.adding[&number] } else { &lane.bound[number] };
        self.run(bound, grid);
        if let Some((queries, kinds)) = &mut self.times
            && (kinds.len() as u32) < TIMED_MAX - 1
        {
            kinds.push(kind);
            let (queries, at) = (*queries, kinds.len() as u32);
            self.write_time(queries, at);
        }
    }

    fn give(&mut self, from: &Buffer, first: u64, words: usize) {
        let bytes = words as u64 * 4;
        self.copy(raw(from), first, self.lane.mail.buffer, self.given, bytes);
        self.given += bytes;
    }
}

impl PieceRecorder for Commands<'_> {
    fn carry_exchanged(&mut self, act: &Buffer, exchange: &Exchange, inward: bool) {
        let (lane, act, first, len) = (self.lane, raw(act), exchange.first, exchange.len);
        if inward && len <= CARRIED_MAX {
            self.adding = exchange.adding.filter(|number| lane.adding.contains_key(number));
            if self.adding.is_some() {
                return;
            }
        }
        if exchange.half.is_none() {
            return self.carry(act, first, len, inward);
        }
        let (place, bytes) = (exchange.place as u64 * 4, len as u64 * 4);
        match inward {
            true => self.copy(lane.exchanged.buffer, place, act, first, bytes),
            false => self.copy(act, first, lane.exchanged.buffer, place, bytes),
        }
    }

    fn copy_rows(&mut self, from: &Buffer, first: u64, to: &Buffer, to_first: u64, bytes: u64) {
        self.copy(raw(from), first, raw(to), to_first, bytes);
    }
}

/// Values to the device and back, again and again, and how long each time took; what came back must be what went.
pub fn rounds(
    gpu: &Arc<Gpu>,
    kernels: &Arc<VulkanKernels>,
    way: Way,
    count: usize,
    len: usize,
    limit: Duration,
    lender: Option<&Lender>,
) -> Result<Vec<Duration>, String> {
    let room = Room { words: 0, results: 0, exchanged: len };
    // What the device is given goes to one half of this, and what it gives comes from the other, which is what it was given
    // a round before. It goes after the lane.
    let scratch = storage(gpu, "round", 2 * len as u64 * 4);
    let mut lane = Replay::new(gpu, kernels, room, way, lender).map_err(|error| error.to_string())?;
    let bytes = len as u64 * 4;
    for first in [0, bytes] {
        lane.carrier(&scratch, first, len).map_err(|error| error.to_string())?;
    }
    let commands = [0, bytes].map(|first| {
        lane.record(0, |to| {
            to.carry(raw(&scratch), first, len, true);
            to.carry(raw(&scratch), bytes - first, len, false);
            to.raise();
        })
    });
    let [even, odd] = commands;
    let commands = [even.map_err(|error| error.to_string())?, odd.map_err(|error| error.to_string())?];
    let sent = |round: usize| (0..len).map(move |i| ((i * 7 + round * 13) as f32).to_bits());
    let mut round = |round: usize| -> Result<(Duration, bool), DeviceError> {
        let commands = commands[round % 2];
        let next = lane.let_through + 1;
        if way == Way::Queued {
            lane.submit(&[(commands, Some(next))], true)?;
        }
        lane.exchanged.words(0, len).iter_mut().zip(sent(round)).for_each(|(word, sent)| *word = sent);
        let start = Instant::now();
        match way {
            Way::Queued => lane.let_through(next)?,
            _ => lane.submit(&[(commands, None)], true)?,
        }
        lane.raised = lane.raised.wrapping_add(1);
        lane.wait(lane.raised, limit)?;
        let time = start.elapsed();
        let found = lane.exchanged.words(0, len);
        Ok((time, round == 0 || found.iter().copied().eq(sent(round - 1))))
    };
    let mut times = Vec::with_capacity(count);
    for at in 0..count {
        match round(at).map_err(|error| error.to_string())? {
            (time, true) => times.push(time),
            (_, false) => return Err("not used: values were not right when the host saw them".into()),
        }
    }
    Ok(times)
}

/// The driver's name of a buffer.
#[allow(unsafe_code)]
fn raw(buffer: &Buffer) -> vk::Buffer {
    // SAFETY: the session that lends buffers to a lane keeps them as long as the lane.
    unsafe { buffer.as_hal::<Api>().map_or(vk::Buffer::null(), |buffer| buffer.raw_handle()) }
}

fn vulkan(gpu: &Gpu) -> &Vulkan {
    gpu.vulkan.as_ref().expect("lanes of Vulkan are made for its devices alone")
}

fn failed(gpu: &Gpu, step: &'static str, error: vk::Result) -> DeviceError {
    DeviceError::Failed { device: gpu.info.name.clone(), step, reason: error.to_string() }
}
