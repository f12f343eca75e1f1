//! Steps whose ranks exchange something by flags both ways, on Metal.
//!
//! Everything goes through wgpu as in [`plain`](crate::plain), which also runs the steps that this does not suit. What is added are
//! two kernels, and memory that the host sees while the device computes. The next piece of a step is recorded and submitted while
//! one runs, so that the device goes on as soon as the host has written its flag; [`flags`](crate::flags) says how the two sides take
//! turns. By [`Way::Queued`] the next piece is behind an event besides, which the host signals when it has written the flag: the
//! device sleeps meanwhile, and may do so for as long as it takes.
//!
//! The kernels and the event are those of `metal`, which never ran on a Mac: whether they work on a device is found out by
//! [`rounds`], bound and abort included, before anything relies on them. `played` has others for software Vulkan, by which tests run
//! this lane.

use std::collections::HashMap;
use std::path::PathBuf;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tandem_tensor::Peers;
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindGroupLayoutDescriptor,
    BindGroupLayoutEntry, BindingType, Buffer, BufferBindingType, BufferDescriptor, BufferUsages,
    CommandBuffer, CommandEncoderDescriptor, ComputePass, ComputePassDescriptor, ComputePipeline,
    ComputePipelineDescriptor, PipelineCompilationOptions, PipelineLayoutDescriptor, ShaderStages,
};

use crate::claim::Claim;
use crate::device::{DeviceError, Gpu};
use crate::flags::{self, Mail, Pieces};
use crate::handover::Way;
use crate::kernels::{Key, Kind};
use crate::lane::{Exchange, Lane, Recorder, Resource, SLOTS, Step, StepError};
use crate::lanes::Room;
use crate::memory::storage;
#[cfg(target_os = "macos")]
use crate::metal::{Api, Gate, module, refusal};
use crate::plain::{Plain, PlainRecorder};
#[cfg(not(target_os = "macos"))]
use crate::played::{Api, Gate, module, refusal};

/// Threads that carry values.
pub const THREADS: u32 = 1024;
/// Words of [`Carry`].
const CARRY_WORDS: u32 = 5;
/// How long the device waits for an exchange. A command buffer that runs for some seconds is ended by the system, with all that
/// follows it; each has one wait in it.
const WAIT_MAX: Duration = Duration::from_secs(1);
/// Looks of a wait that is measured to end, and of any where none was measured.
const POLLS: u32 = 1 << 14;
/// No wait has more looks, however short they seem.
const POLLS_MAX: u32 = 1 << 23;
/// The longest steps that use flags. Those with more tokens compute so long that another rank may be later than [`WAIT_MAX`], and that
/// submitting and waiting costs little beside it.
const TOKENS_MAX: u32 = 64;
/// An exchange that took the host so long makes it likely that a later one takes longer than the device may wait; so many steps then
/// do without flags.
const LATE: Duration = Duration::from_millis(100);
const LATE_STEPS: u32 = 256;
/// Most values that one group of threads carries.
const CARRIED_MAX: usize = 1 << 20;
/// How long work is waited for that nobody wants any more.
const SETTLE_MAX: Duration = Duration::from_secs(5);

/// What carries values between buffers and the host, for one device.
pub struct FlagKernels {
    layout: BindGroupLayout,
    give: ComputePipeline,
    take: ComputePipeline,
    /// Looks that a wait may take, by how long some took.
    polls: AtomicU32,
    /// Where lanes claim their devices.
    folder: Option<PathBuf>,
}

impl FlagKernels {
    /// `folder`: where the user's other processes look too.
    pub fn new(gpu: &Gpu, folder: Option<PathBuf>) -> Result<FlagKernels, String> {
        if let Some(reason) = refusal(gpu) {
            return Err(reason.into());
        }
        let device = &gpu.device;
        // wgpu numbers the words of a dispatch first, then buffers in the order of their bindings: as the kernels have them.
        let entry = |binding| BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::COMPUTE,
            ty: BindingType::Buffer {
                ty: BufferBindingType::Storage { read_only: false },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&BindGroupLayoutDescriptor {
            label: None,
            entries: &[entry(0), entry(1)],
        });
        let pipeline_layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: CARRY_WORDS * 4,
        });
        let module = module(gpu);
        let pipeline = |name| {
            device.create_compute_pipeline(&ComputePipelineDescriptor {
                label: Some(name),
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some(name),
                compilation_options: PipelineCompilationOptions::default(),
                cache: None,
            })
        };
        let (give, take) = (pipeline("give"), pipeline("take"));
        gpu.check("compiling flags").map_err(|error| error.to_string())?;
        Ok(FlagKernels { layout, give, take, polls: AtomicU32::new(POLLS), folder })
    }
}

/// What one dispatch carries: `Carry` of `flags.metal`.
#[derive(Clone, Copy)]
struct Carry {
    /// Where the values begin in their buffer, in bytes.
    first: u64,
    /// Where they begin in the mail, in words.
    at: usize,
    len: usize,
    number: u32,
}

/// Carries values between the mail and other buffers.
struct Carrier {
    gpu: Arc<Gpu>,
    kernels: Arc<FlagKernels>,
    mail: Buffer,
    groups: HashMap<Buffer, BindGroup>,
    polls: u32,
    gate: Option<Gate>,
}

impl Carrier {
    fn new(
        gpu: &Arc<Gpu>,
        kernels: &Arc<FlagKernels>,
        room: Room,
        way: Way,
    ) -> Result<(Carrier, Mail), DeviceError> {
        let room = Room { exchanged: room.exchanged.min(CARRIED_MAX), ..room };
        let bytes = Mail::len(room.exchanged, room.results) as u64 * 4;
        let mail = gpu.device.create_buffer(&BufferDescriptor {
            label: Some("mail"),
            size: bytes,
            // Memory that can be mapped for reading is shared and cached by the host; for writing, it would be slow to read.
            usage: BufferUsages::MAP_READ | BufferUsages::STORAGE | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        // wgpu clears what nobody has written yet: now, and not when the host has.
        gpu.clear(&[&mail]);
        gpu.check("making room for exchanges")?;
        let made = map(gpu, &mail, room);
        let made =
            made.ok_or_else(|| failed(gpu, "making room for exchanges", "there is no memory for them"))?;
        let gate = Gate::new(gpu, way)?;
        let polls = kernels.polls.load(Ordering::Relaxed);
        let (gpu, kernels) = (Arc::clone(gpu), Arc::clone(kernels));
        Ok((Carrier { gpu, kernels, mail, groups: HashMap::new(), polls, gate }, made))
    }

    /// Make it possible to carry values of a buffer.
    fn bind(&mut self, buffer: &Buffer) {
        if self.groups.contains_key(buffer) {
            return;
        }
        let entries = [(0, buffer), (1, &self.mail)]
            .map(|(binding, buffer)| BindGroupEntry { binding, resource: buffer.as_entire_binding() });
        let group = self.gpu.device.create_bind_group(&BindGroupDescriptor {
            label: None,
            layout: &self.kernels.layout,
            entries: &entries,
        });
        self.groups.insert(buffer.clone(), group);
    }

    fn carry(&self, pass: &mut ComputePass<'_>, buffer: &Buffer, inward: bool, carry: Carry) {
        let group = self.groups.get(buffer).expect("what is carried was bound before");
        let words = [(carry.first / 4) as u32, carry.at as u32, carry.len as u32, carry.number, self.polls];
        pass.set_pipeline(if inward { &self.kernels.take } else { &self.kernels.give });
        pass.set_bind_group(0, group, &[]);
        pass.set_immediates(0, bytemuck::cast_slice(&words));
        pass.dispatch_workgroups(1, 1, 1);
    }

    /// Submit a piece. One `after` an exchange is kept behind the gate, where there is one.
    fn submit(&self, piece: CommandBuffer, after: bool) {
        match &self.gate {
            Some(gate) if after => gate.submit(&self.gpu, &self.mail, piece),
            _ => _ = self.gpu.submit([piece]),
        }
    }

    /// Let what was submitted begin.
    fn open(&self) {
        if let Some(gate) = &self.gate {
            gate.open(&self.gpu);
        }
    }

    /// Wait until everything that was submitted is over.
    fn settle(&self, limit: Duration) -> Result<(), DeviceError> {
        let last = self.gpu.submit([]);
        let done = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&done);
        self.gpu.queue.on_submitted_work_done(move || over.store(true, Ordering::Release));
        self.gpu.wait(&done, &last, limit)
    }
}

impl Drop for Carrier {
    /// Nothing stays behind the gate.
    fn drop(&mut self) {
        self.open();
    }
}

/// The host's view of the mail.
#[allow(unsafe_code)]
fn map(gpu: &Gpu, mail: &Buffer, room: Room) -> Option<Mail> {
    use wgpu::hal::Device;
    // SAFETY: a buffer that can be mapped lies in memory that the host sees as long as there is the buffer, which the mail keeps:
    // mapping it does nothing more on Metal and Vulkan. It is as long as `Mail::len` and was cleared.
    unsafe {
        let device = gpu.device.as_hal::<Api>()?;
        let buffer = mail.as_hal::<Api>()?;
        let mapped = device.map_buffer(&buffer, 0..mail.size()).ok().filter(|mapped| mapped.is_coherent)?;
        let words = NonNull::new(mapped.ptr.as_ptr().cast::<u32>())?;
        let (name, software) = (gpu.info.name.clone(), gpu.info.software);
        Some(Mail::new(words, room.exchanged, room.results, name, software, Box::new(mail.clone())))
    }
}

/// The lane.
pub struct Flagged {
    plain: Plain,
    carrier: Carrier,
    mail: Mail,
    slots: [Ran; SLOTS],
    way: Way,
    claim: Claim,
    /// Steps that do without flags since the other ranks were late.
    late: u32,
}

/// How a slot's step was run.
#[derive(Clone, Copy)]
enum Ran {
    Plainly,
    /// Its results are in the mail once this number is given.
    Flagged(u32),
    /// They are there.
    Over,
}

impl Flagged {
    pub fn new(
        gpu: &Arc<Gpu>,
        kernels: &Arc<FlagKernels>,
        plain: Plain,
        room: Room,
        way: Way,
    ) -> Result<Flagged, DeviceError> {
        let (carrier, mail) = Carrier::new(gpu, kernels, room, way)?;
        let claim = Claim::new(kernels.folder.as_deref(), gpu.info.index);
        let slots = [Ran::Plainly; SLOTS];
        Ok(Flagged { plain, carrier, mail, slots, way, claim, late: 0 })
    }

    /// Behind an event every step suits whose values can be carried. Else a step is short, by kernels that have all run before: what is
    /// compiled first, here or by another rank, is waited for longer than a device may wait.
    fn suits(&self, step: &Step) -> bool {
        struct Known<'a>(&'a Plain, bool);
        impl Recorder for Known<'_> {
            fn dispatch(&mut self, number: usize, _: Kind, _: [u32; 3]) {
                self.1 &= self.0.is_compiled(number);
            }

            fn give(&mut self, _: &Buffer, _: u64, _: usize) {}
        }
        let mut exchanges = step.actions.exchanges(step.shape);
        if !self.claim.is_sole() || exchanges.any(|exchange| exchange.len > CARRIED_MAX) {
            return false;
        }
        if self.way == Way::Queued {
            return true;
        }
        if step.shape.tokens > TOKENS_MAX || self.late > 0 {
            return false;
        }
        let mut known = Known(&self.plain, true);
        let mut from = 0;
        while let Some(exchange) = step.actions.record(&mut known, step.shape, from, false) {
            from = exchange.at + 1;
        }
        known.1
    }

    /// Wait for the results of steps before.
    fn finish(&mut self, slot: usize) -> Result<(), DeviceError> {
        let Ran::Flagged(number) = self.slots[slot] else { return Ok(()) };
        let gpu = &self.carrier.gpu;
        let waited = self.mail.wait(number, gpu.step_max(), &|| gpu.alive());
        self.slots[slot] = Ran::Over;
        waited.inspect_err(|_| self.give_up())
    }

    /// Let what was submitted end, for nothing. Where it does not, every step from now on is an error.
    fn give_up(&mut self) {
        self.mail.abort();
        self.carrier.open();
        if self.carrier.settle(SETTLE_MAX).is_ok() {
            self.mail.reset();
        }
    }

    fn run(&mut self, step: &Step, peers: &mut dyn Peers) -> Result<(), StepError> {
        (0..SLOTS).try_for_each(|slot| self.finish(slot))?;
        self.plain.write(step);
        self.carrier.bind(&step.actions.act);
        self.carrier.bind(&step.actions.candidates);
        let mut pieces = StepPieces {
            plain: &self.plain,
            carrier: &self.carrier,
            step,
            exchanged_at: self.mail.exchanged_at(),
            results_at: self.mail.results_at(step.slot),
        };
        let late = &mut self.late;
        let ran = flags::run(&mut self.mail, &mut pieces, self.carrier.gpu.step_max(), |exchange, values| {
            let start = Instant::now();
            step.actions.meet(exchange.at, values, peers)?;
            if start.elapsed() > LATE {
                *late = LATE_STEPS;
            }
            Ok(())
        });
        match ran {
            Ok(number) => self.slots[step.slot] = Ran::Flagged(number),
            Err(error) => {
                self.give_up();
                return Err(error);
            }
        }
        Ok(())
    }
}

/// The pieces of a step.
struct StepPieces<'a> {
    plain: &'a Plain,
    carrier: &'a Carrier,
    step: &'a Step<'a>,
    exchanged_at: usize,
    results_at: usize,
}

impl Pieces for StepPieces<'_> {
    fn submit(
        &mut self,
        after: Option<(Exchange, u32)>,
        number: u32,
    ) -> Result<Option<Exchange>, DeviceError> {
        let (Step { actions, shape, slot, .. }, at) = (self.step, self.exchanged_at);
        let (recorder, given) = (self.plain.recorder(*slot), self.results_at);
        let mut to = FlagRecorder { recorder, carrier: self.carrier, given };
        let values = |exchange: &Exchange, carried: bool, number| {
            let len = if carried { exchange.len } else { 0 };
            Carry { first: exchange.first, at, len, number }
        };
        if let Some((exchange, number)) = after {
            to.carry(&actions.act, true, values(&exchange, exchange.back, number));
        }
        let from = after.map_or(0, |(exchange, _)| exchange.at + 1);
        let next = actions.record(&mut to, *shape, from, false);
        let carry = match &next {
            Some(exchange) => values(exchange, exchange.out, number),
            None => {
                actions.record_results(&mut to, *shape);
                Carry { first: 0, at, len: 0, number }
            }
        };
        to.carry(&actions.act, false, carry);
        self.carrier.submit(to.recorder.finish(), after.is_some());
        self.carrier.gpu.check("a step")?;
        Ok(next)
    }

    fn open(&self) {
        self.carrier.open();
    }

    fn alive(&self) -> Result<(), DeviceError> {
        self.carrier.gpu.alive()
    }
}

struct FlagRecorder<'a> {
    recorder: PlainRecorder<'a>,
    carrier: &'a Carrier,
    /// Where the next results go, in the mail's words.
    given: usize,
}

impl FlagRecorder<'_> {
    fn carry(&mut self, buffer: &Buffer, inward: bool, carry: Carry) {
        self.carrier.carry(self.recorder.pass(), buffer, inward, carry);
    }
}

impl Recorder for FlagRecorder<'_> {
    fn dispatch(&mut self, number: usize, kind: Kind, grid: [u32; 3]) {
        self.recorder.dispatch(number, kind, grid);
    }

    fn give(&mut self, from: &Buffer, first: u64, words: usize) {
        let carry = Carry { first, at: self.given, len: words, number: 0 };
        self.carry(from, false, carry);
        self.given += words;
    }
}

impl Lane for Flagged {
    fn bind(&mut self, key: &Key, resources: &[(u32, Resource)]) {
        self.plain.bind(key, resources);
    }

    fn begin(&mut self, step: &Step, peers: &mut dyn Peers) -> Result<(), StepError> {
        if self.mail.aborted().is_some() {
            let reason = "an exchange was given up before, and its work has not ended";
            return Err(failed(&self.carrier.gpu, "a step", reason).into());
        }
        if !peers.is_alone() && step.halves.is_none() && self.suits(step) {
            self.carrier.gpu.alive()?;
            return self.run(step, peers);
        }
        self.slots[step.slot] = Ran::Plainly;
        self.late = self.late.saturating_sub(1);
        self.plain.begin(step, peers)
    }

    fn end(&mut self, slot: usize, len: usize, take: &mut dyn FnMut(&[u32])) -> Result<(), DeviceError> {
        if let Ran::Plainly = self.slots[slot] {
            return self.plain.end(slot, len, take);
        }
        self.finish(slot)?;
        let at = self.mail.results_at(slot);
        if len > 0 {
            take(self.mail.values(at, len));
        }
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
        self.plain.read(slot, from, first, len, take)
    }

    fn timed(&mut self, step: &Step) -> Result<Option<Vec<(Kind, Duration)>>, DeviceError> {
        self.plain.timed(step)
    }
}

impl Drop for Flagged {
    /// Nothing goes on waiting.
    fn drop(&mut self) {
        self.mail.abort();
    }
}

/// Values to the device and back, again and again, and how long each time took; what came back must be what went. Before that, that
/// a wait ends by itself, and what is queued behind it.
pub fn rounds(
    gpu: &Arc<Gpu>,
    kernels: &Arc<FlagKernels>,
    way: Way,
    count: usize,
    len: usize,
    limit: Duration,
) -> Result<Vec<Duration>, String> {
    let text = |error: DeviceError| error.to_string();
    let room = Room { words: 0, results: 0, exchanged: len };
    let (mut carrier, mut mail) = Carrier::new(gpu, kernels, room, way).map_err(text)?;
    // What the device is given goes to one half of this, and what it gives comes from the other, which is what it was given a round
    // before.
    let scratch = storage(gpu, "round", 2 * len as u64 * 4);
    gpu.clear(&[&scratch]);
    carrier.bind(&scratch);
    let polls = measured_polls(&mut carrier, &mut mail, &scratch)?;
    kernels.polls.store(polls, Ordering::Relaxed);
    carrier.polls = polls;
    let sent = |round: usize| (0..len).map(move |i| (i * 7 + round * 13) as f32);
    let (mut times, mut right, mut start) = (Vec::with_capacity(count), true, Instant::now());
    let mut pieces =
        Rounds { carrier: &carrier, scratch: &scratch, at: mail.exchanged_at(), len, count, done: 0 };
    let ran = flags::run(&mut mail, &mut pieces, limit, |exchange, values| {
        let round = exchange.at;
        if round > 0 {
            times.push(start.elapsed());
        }
        right &= round < 2 || values.iter().copied().eq(sent(round - 2));
        values.iter_mut().zip(sent(round)).for_each(|(value, sent)| *value = sent);
        start = Instant::now();
        Ok(())
    });
    let last = match ran {
        Ok(number) => mail.wait(number, limit, &|| gpu.alive()).map_err(text),
        Err(StepError::Device(error)) => Err(text(error)),
        Err(StepError::Peer(_)) => Err("not used: an exchange was lost".into()),
    };
    last.inspect_err(|_| mail.abort())?;
    match right {
        true => Ok(times),
        false => Err("not used: values were not right when the host saw them".into()),
    }
}

/// One round after the other.
struct Rounds<'a> {
    carrier: &'a Carrier,
    scratch: &'a Buffer,
    at: usize,
    len: usize,
    count: usize,
    done: usize,
}

impl Pieces for Rounds<'_> {
    fn submit(
        &mut self,
        after: Option<(Exchange, u32)>,
        number: u32,
    ) -> Result<Option<Exchange>, DeviceError> {
        let (gpu, at, len) = (&self.carrier.gpu, self.at, self.len);
        let half = |round: usize| (round % 2 * len) as u64 * 4;
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
        if let Some((exchange, number)) = after {
            let carry = Carry { first: half(exchange.at), at, len, number };
            self.carrier.carry(&mut pass, self.scratch, true, carry);
        }
        let carry = Carry { first: half(self.done), at, len, number };
        self.carrier.carry(&mut pass, self.scratch, false, carry);
        drop(pass);
        self.carrier.submit(encoder.finish(), after.is_some());
        gpu.check("a round")?;
        let next = Exchange {
            at: self.done,
            first: half(self.done),
            len,
            out: true,
            back: true,
            ..Exchange::default()
        };
        self.done += 1;
        // One more than are timed: the first has none before it.
        Ok((next.at <= self.count).then_some(next))
    }

    fn open(&self) {
        self.carrier.open();
    }

    fn alive(&self) -> Result<(), DeviceError> {
        self.carrier.gpu.alive()
    }
}

/// Have the device wait for what never comes, twice: the first wait must end by its bound, and the second at once. How many looks a
/// wait may have, by how long that took.
fn measured_polls(carrier: &mut Carrier, mail: &mut Mail, scratch: &Buffer) -> Result<u32, String> {
    let gpu = &carrier.gpu;
    let [first, second] = [mail.next(), mail.next()];
    let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
    let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
    for number in [first, second] {
        let carry = Carry { first: 0, at: mail.exchanged_at(), len: 0, number };
        carrier.carry(&mut pass, scratch, true, carry);
        carrier.carry(&mut pass, scratch, false, carry);
    }
    drop(pass);
    let start = Instant::now();
    gpu.submit([encoder.finish()]);
    carrier.settle(SETTLE_MAX).map_err(|error| error.to_string())?;
    let time = start.elapsed();
    // A wait that had not seen the abort would have written its own number.
    if mail.aborted() != Some(first) || mail.is_given(second) || mail.is_given(first) {
        return Err("not used: a wait of the device did not end as it should".into());
    }
    mail.reset();
    let polls = f64::from(POLLS) * WAIT_MAX.as_secs_f64() / time.as_secs_f64().max(1e-6);
    Ok((polls as u32).clamp(POLLS, POLLS_MAX))
}

fn failed(gpu: &Gpu, step: &'static str, reason: &str) -> DeviceError {
    DeviceError::Failed { device: gpu.info.name.clone(), step, reason: reason.into() }
}
