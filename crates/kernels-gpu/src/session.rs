//! A step on the device: what it reads is written, it is begun, and its results are taken.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tandem_tensor::{
    Alone, Batch, Draw, Halves, Limits, OpenError, PeerLost, Peers, Program, Rest, Session, WeightSource,
};
use wgpu::{Buffer, BufferDescriptor, BufferUsages};

use crate::device::{DeviceError, Gpu};
use crate::halves::{self, HalvedLayers, SessionHalves};
use crate::handover::{self, Timing, Way};
use crate::kernels::{Compiling, Key, Kind};
use crate::lane::{Actions, Dispatch, Lane, Ready, ReadyVariant, Resource, SLOTS, Shape, Step, StepError};
use crate::lanes::{Lanes, Room};
use crate::memory::{Format, Memory, PARTS_MIN, rows_max, storage};
use crate::plan::{Abilities, Action, Choice, Chosen, Draft, Plan, Variant, scale_bytes};
use crate::sampling;
use crate::step::{StepWords, named_here};
use crate::tuning::{self, Decided};

/// Parameters of a dispatch begin at multiples of this.
const PARAMS_ALIGN: usize = 256;

pub struct GpuSession {
    /// First: what it submitted is over before the buffers go.
    lane: Box<dyn Lane>,
    actions: Actions,
    /// Where there are sums to hide.
    halves: Option<SessionHalves>,
    choices: Vec<Choice>,
    decided: Vec<Decided>,
    chosen: Arc<Chosen>,
    bound: Bound,
    /// Ends with the session.
    _compiling: Compiling,
    program: Arc<Program>,
    limits: Limits,
    next_slot: usize,
    words: StepWords,
    /// Divisors of each rotation's frequencies.
    factors: Vec<Vec<f32>>,
    kv_heads: u32,
    rows: sampling::Rows,
    rests: Vec<Rest>,
    /// The slot of the last step that has ended, and the tokens that were named in it.
    ended: (usize, Vec<(u32, u32)>),
    hidden: Vec<f32>,
    /// Where ranks exchange something, by which way and what that costs.
    hand_over: Option<Timing>,
    /// Steps that were begun and have not ended, the oldest first.
    flying: VecDeque<Flight>,
}

/// A step that was begun.
struct Flight {
    shape: Shape,
    slot: usize,
    draws: Vec<Draw>,
    /// Outputs, and places in their rows.
    named: Vec<(u32, u32)>,
    masked: Vec<u32>,
    sums: Vec<f32>,
}

/// The buffers that a session's lane has bound.
struct Bound {
    memory: Memory,
    chosen: Arc<Chosen>,
    unused: (Buffer, Buffer),
    /// Of whole steps, and of each half of steps that are divided; with the parameters of their dispatches.
    buffers: Vec<(StepBuffers, Buffer)>,
    /// Dispatches.
    count: usize,
}

/// What actions are bound to beside weights and caches.
#[derive(Clone)]
struct StepBuffers {
    act: Buffer,
    words: Buffer,
    prepared: HashMap<Format, (Buffer, Buffer)>,
}

impl GpuSession {
    pub(crate) fn open(
        lanes: &Lanes,
        program: Arc<Program>,
        limits: Limits,
        plan: Plan,
        way: Option<Way>,
        source: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<GpuSession, OpenError> {
        let gpu = &*lanes.gpu;
        let bytes = plan.map.footprint().total();
        let failed = |error: DeviceError| OpenError::Memory {
            what: "the GPU",
            bytes,
            source: std::io::Error::other(error.to_string()),
        };
        let exchanged = exchanged(&plan, &program, &limits);
        let hand_over = (exchanged > 0).then(|| handover::choose(handover::measure(lanes, way))).flatten();
        let way = hand_over.as_ref().map(|timing| timing.way).or(way).unwrap_or_else(|| lanes.way_alone());
        // A software device compiles on the very cores that it computes with.
        let threads = if gpu.info.software { 0 } else { Compiling::threads() };
        let (folder, chosen) = (lanes.folder.as_deref(), Arc::new(Chosen::new(&plan.choices)));
        let known = tuning::known(folder, &gpu.info, &plan.choices);
        known.iter().enumerate().for_each(|(choice, option)| chosen.set(choice, option.unwrap_or(0)));
        let tunes = gpu.chooses && !gpu.info.software && tuning::is_worth_it(&program);
        let asked = |choice: usize| tunes && known[choice].is_none();
        let mut keys = plan.keys(|optional| asked(optional.choice) || chosen.takes(optional));
        if cfg!(not(target_os = "macos")) && exchanged > 0 && matches!(way, Way::Queued | Way::Polled) {
            keys.extend(keys.iter().filter_map(Key::lent).collect::<Vec<_>>());
        }
        let compiling = Compiling::start(lanes.compiler(way), keys, threads);
        let memory = Memory::allocate(gpu, &plan.map);
        gpu.check("allocation").map_err(failed)?;
        memory.load(gpu, &plan.map, &program, source, progress)?;
        gpu.check("loading weights").map_err(failed)?;
        let second = halves::second_plan(&program, &limits, Abilities::of(gpu));
        let words_max: Vec<usize> = std::iter::once(StepWords::len_max(&program, &limits))
            .chain(second.iter().flat_map(|_| halves::words_max(&program, &limits)).flatten())
            .collect();
        let words: Vec<Buffer> = words_max.iter().map(|len| storage(gpu, "step", *len as u64 * 4)).collect();
        let widths = [Some(program.result), program.hidden];
        let widths = widths.iter().flatten().map(|id| program.buf(*id).width);
        let results = widths.sum::<usize>() * limits.outputs_max.max(1);
        let room = Room {
            words: words.iter().map(|words| (words.size() / 4) as usize).sum(),
            results: results + plan.map.found.map_or(0, |found| found.parts()),
            exchanged,
        };
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
        let mut lane = lanes.open(room, way).map_err(failed)?;
        let whole = StepBuffers {
            act: memory.act.clone(),
            words: words[0].clone(),
            prepared: prepared(gpu, &plan, &HashMap::new()),
        };
        let mut bound = Bound::new(gpu, memory, &chosen);
        let actions = bound.bind(gpu, &mut *lane, &program, &plan, &plan.actions, whole.clone());
        let halves = second.map(|second| {
            let first_buffers = StepBuffers { words: words[1].clone(), ..whole.clone() };
            let second_buffers = StepBuffers {
                act: storage(gpu, "activations", second.map.act_len as u64 * 4),
                words: words[2].clone(),
                prepared: prepared(gpu, &second, &whole.prepared),
            };
            let mut bind = |plan: &Plan, buffers| {
                bound.bind(gpu, &mut *lane, &program, plan, &plan.layers_of_halves(), buffers)
            };
            let parts = [bind(&plan, first_buffers), bind(&second, second_buffers)];
            let layers = HalvedLayers::new(&program, plan.layers.clone(), parts, Abilities::of(gpu));
            SessionHalves::new(&program, &limits, layers)
        });
        let zeroed = bound.buffers.iter().flat_map(|(buffers, _)| {
            let prepared = buffers.prepared.values().flat_map(|(rows, scales)| [rows, scales]);
            [&buffers.act, &buffers.words].into_iter().chain(prepared)
        });
        let zeroed = zeroed.chain([&bound.memory.found]).chain(&bound.memory.caches);
        gpu.clear(&zeroed.collect::<Vec<_>>());
        gpu.check("set-up").map_err(failed)?;
        let mut session = GpuSession {
            kv_heads: program.caches.iter().map(|cache| cache.kv_heads as u32).min().unwrap_or(1),
            lane,
            actions,
            halves,
            bound,
            _compiling: compiling,
            next_slot: 0,
            words: StepWords::default(),
            factors,
            rows: sampling::Rows::default(),
            rests: Vec::new(),
            ended: (0, Vec::new()),
            flying: VecDeque::new(),
            hidden: Vec::new(),
            hand_over,
            program,
            limits,
            choices: Vec::new(),
            decided: Vec::new(),
            chosen,
        };
        if tunes {
            let undecided: Vec<usize> = (0..known.len()).filter(|choice| known[*choice].is_none()).collect();
            session.decided = tuning::tune(&mut session, &plan.choices, &undecided);
            let found = session.decided.iter().map(|Decided { choice, .. }| *choice);
            let found = found.map(|choice| (&plan.choices[choice], session.chosen.option(choice)));
            tuning::keep(folder, &gpu.info, &found.collect::<Vec<_>>());
        }
        session.choices = plan.choices;
        Ok(session)
    }

    /// Between what there is to choose, and which option is taken.
    pub fn choices(&self) -> impl Iterator<Item = (&Choice, u8)> {
        self.choices.iter().enumerate().map(|(choice, what)| (what, self.chosen.option(choice)))
    }

    /// What was decided when the session was opened: the choice's number, and how its options compared (see [`Decided`]).
    pub fn decided(&self) -> &[Decided] {
        &self.decided
    }

    /// Take an option of a choice, by their numbers.
    pub fn choose(&mut self, choice: usize, option: u8) {
        self.chosen.set(choice, option);
    }

    pub(crate) fn chosen(&self) -> &Chosen {
        &self.chosen
    }

    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Run a step and tell how long each of its dispatches took on the device, in order. `None` where the device cannot tell.
    pub fn timed(&mut self, batch: &Batch) -> Result<Option<Vec<(Kind, Duration)>>, DeviceError> {
        let shape = self.fill(batch);
        let (actions, words) = (&self.actions, self.words.words.as_slice());
        self.lane.timed(&Step { actions, shape, slot: self.next_slot, words, fed: &[], halves: None })
    }

    /// Submit a step; with peers, take it to its last piece.
    fn begin(&mut self, batch: &Batch, peers: &mut dyn Peers) -> Result<(), StepError> {
        let shape = self.fill(batch);
        self.bound.memory.touch();
        let slot = self.next_slot;
        self.next_slot = (slot + 1) % SLOTS;
        let halves = self.halves.as_mut();
        let halves = halves
            .and_then(|halves| halves.divide(&self.program, batch, peers, &self.factors, self.kv_heads));
        let (actions, words) = (&self.actions, self.words.words.as_slice());
        self.lane.begin(&Step { actions, shape, slot, words, fed: &batch.fed, halves }, peers)?;
        let (draws, named) = (batch.draws.clone(), named_here(&self.program, &batch.named).collect());
        let masked = batch.masks.iter().map(|mask| mask.output).collect();
        let sums = batch.sums.clone();
        self.flying.push_back(Flight { shape, slot, draws, named, masked, sums });
        Ok(())
    }

    /// What the step's kernels read.
    fn fill(&mut self, batch: &Batch) -> Shape {
        let parts = self.limits.tokens_max.max(PARTS_MIN) as u32;
        self.words.fill(&self.program, batch, self.actions.found, &self.factors, self.kv_heads, parts);
        self.words.shape(batch.hidden && self.program.hidden.is_some())
    }

    /// Wait for the oldest step that was begun, and take its results.
    fn end(&mut self) -> Result<(), DeviceError> {
        let Some(Flight { shape, slot, draws, named, masked, sums }) = self.flying.pop_front() else {
            return Ok(());
        };
        let rests = &mut self.rests;
        rests.clear();
        let mut hidden = std::mem::take(&mut self.hidden);
        let mut rows = std::mem::take(&mut self.rows);
        let (result, states) = (self.actions.result_words(shape), self.actions.hidden_words(shape));
        let outputs = shape.outputs as usize;
        let width = self.program.buf(self.program.result).width;
        let first_token = self.program.first_token.unwrap_or(0);
        let (mut undecided, mut empty) = (Vec::new(), Vec::new());
        hidden.clear();
        if outputs == 0 {
            rows.fill(&[]);
        }
        let ended = self.lane.end(slot, result + states, &mut |words| {
            hidden.extend_from_slice(bytemuck::cast_slice(&words[result..]));
            let Some(sampled) = shape.sampled else {
                return rows.fill(bytemuck::cast_slice(&words[..result]));
            };
            rows.clear(outputs * width);
            for (row, found) in words.chunks_exact(sampling::ROW_WORDS).take(outputs).enumerate() {
                if !rows.take(row, width, first_token, found, sampled, draws.get(row)) {
                    undecided.push(row);
                } else if !sampling::Rows::any(found) && masked.contains(&(row as u32)) {
                    empty.push(row);
                }
                let most = sampling::Rows::most(found, sampled);
                rests.push(Rest { most, all: f64::NAN, allowed: f64::NAN });
            }
            let (values, totals) = words[outputs * sampling::ROW_WORDS..result].split_at(named.len());
            for ((row, index), bits) in named.iter().zip(values) {
                rows.put(*row as usize * width + *index as usize, f32::from_bits(*bits));
            }
            let totals = totals.chunks_exact((totals.len() / outputs.max(1)).max(1));
            for ((rest, totals), temperature) in rests.iter_mut().zip(totals).zip(&sums) {
                (rest.all, rest.allowed) = sampling::log_sums(totals, *temperature);
            }
        });
        (self.rows, self.hidden, self.ended) = (rows, hidden, (slot, named));
        ended?;
        // A mask that allows nothing with a finite logit: the other logits show whether the row is sound, unless a named one does.
        let finite = |row: usize, index: u32| self.rows.values[row * width + index as usize].is_finite();
        let named = |row: usize| {
            self.ended.1.iter().any(|(output, index)| *output as usize == row && finite(row, *index))
        };
        empty.retain(|row| !named(*row));
        undecided.iter().chain(&empty).try_for_each(|row| self.fetch_row(*row))
    }

    /// All values of one row of the last step, where few did not decide the choice.
    fn fetch_row(&mut self, row: usize) -> Result<(), DeviceError> {
        let width = self.program.buf(self.program.result).width;
        let (slot, named) = (self.ended.0, self.ended.1.as_slice());
        let rows = &mut self.rows;
        let known: Vec<(usize, f32)> = named
            .iter()
            .filter(|(output, _)| *output as usize == row)
            .map(|(_, index)| row * width + *index as usize)
            .map(|at| (at, rows.values[at]))
            .collect();
        let from = self.actions.place(self.program.result) + (row * width) as u64 * 4;
        self.lane.read(slot, &self.actions.act, from, width, &mut |words| {
            rows.put_row(row * width, bytemuck::cast_slice(words));
        })?;
        known.iter().for_each(|(at, value)| rows.put(*at, *value));
        if let Some(rest) = self.rests.get_mut(row) {
            rest.most = f32::NEG_INFINITY;
        }
        Ok(())
    }
}

impl Session for GpuSession {
    fn run(&mut self, batch: &Batch, peers: &mut dyn Peers) -> Result<(), PeerLost> {
        self.begin(batch, peers)?;
        self.finish()
    }

    fn exchanges_by(&self) -> Option<String> {
        let lent = if self.lane.lent() { ", in memory that links send from" } else { "" };
        self.hand_over.as_ref().map(|timing| format!("{timing}{lent}"))
    }

    /// Where results are logits, the likeliest tokens are found on the device.
    fn feeds(&self) -> bool {
        self.actions.found.is_some()
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

    /// Where results are logits.
    fn reduces(&self) -> bool {
        self.actions.found.is_some()
    }

    fn rests(&self) -> &[Rest] {
        &self.rests
    }

    fn fetch(&mut self, output: usize) -> Result<(), PeerLost> {
        if !self.flying.is_empty() {
            return Err(PeerLost::itself("a row was asked for after another step had begun".into()));
        }
        if output < self.rests.len() {
            self.fetch_row(output).map_err(StepError::Device)?;
        }
        Ok(())
    }

    fn runs_in_halves(&self) -> bool {
        self.halves.is_some() || Halves::rows_max(&self.program, self.limits.tokens_max).is_none()
    }

    fn hidden(&self) -> Option<&[f32]> {
        self.program.hidden.map(|_| self.hidden.as_slice())
    }
}

/// Most values that ranks exchange at once.
fn exchanged(plan: &Plan, program: &Program, limits: &Limits) -> usize {
    let exchanged = plan.actions.iter().filter_map(|action| match action {
        Action::AllReduce(id) | Action::Send(id) | Action::Recv(id) => {
            let buf = program.buf(*id);
            Some(buf.width * rows_max(buf.rows, limits))
        }
        Action::Run { .. } | Action::Sample(_) => None,
    });
    exchanged.max().unwrap_or(0)
}

/// Prepared rows. A matrix is expanded where `shared` has room for that: who comes next expands another.
fn prepared(
    gpu: &Gpu,
    plan: &Plan,
    shared: &HashMap<Format, (Buffer, Buffer)>,
) -> HashMap<Format, (Buffer, Buffer)> {
    let room = |(format, bytes): (&Format, &u64)| {
        let made = || {
            let scales = scale_bytes(*format, *bytes);
            (storage(gpu, "prepared", *bytes), storage(gpu, "scales", scales))
        };
        let shared = shared.get(format).filter(|_| *format == Format::Expanded);
        (*format, shared.cloned().unwrap_or_else(made))
    };
    plan.prepared.iter().map(room).collect()
}

impl Bound {
    fn new(gpu: &Gpu, memory: Memory, chosen: &Arc<Chosen>) -> Bound {
        let unused = (storage(gpu, "unused", 16), storage(gpu, "unused", 16));
        Bound { memory, chosen: Arc::clone(chosen), unused, buffers: Vec::new(), count: 0 }
    }

    /// Bind some actions of a plan, in their order.
    fn bind(
        &mut self,
        gpu: &Gpu,
        lane: &mut dyn Lane,
        program: &Arc<Program>,
        plan: &Plan,
        actions: &[Action],
        buffers: StepBuffers,
    ) -> Actions {
        let parameters = parameters(gpu, actions);
        let (mut number, mut params_at) = (self.count, 0);
        let mut bound = |draft: &Draft| {
            let rows_of =
                |format: Option<Format>| format.map_or(&self.unused, |format| &buffers.prepared[&format]);
            let ((x, scales), (from, from_scales)) = (rows_of(draft.x), rows_of(draft.from));
            let params = draft.params.len() as u64 * 4;
            let resource = |binding: u32| {
                let buffer = match binding {
                    0 | 1 => {
                        let chunk = draft.chunk.expect("kernels with a matrix have its chunk");
                        let expanded = || &buffers.prepared[&Format::Expanded].0;
                        self.memory.chunks.get(chunk).unwrap_or_else(expanded)
                    }
                    2 => &buffers.act,
                    3 => x,
                    4 => scales,
                    5 => return Resource { buffer: &parameters, offset: params_at, bytes: params },
                    6 => &buffers.words,
                    7 => &self.memory.vectors,
                    11 => &self.memory.found,
                    9 => from,
                    10 => from_scales,
                    _ => &self.memory.caches[draft.cache.expect("kernels of attention have a cache")],
                };
                Resource { buffer, offset: 0, bytes: buffer.size() }
            };
            let bindings = draft.key.kind.bindings().iter();
            let resources: Vec<_> = bindings.map(|(binding, _)| (*binding, resource(*binding))).collect();
            lane.bind(&draft.key, &resources);
            params_at += params.next_multiple_of(PARAMS_ALIGN as u64);
            number += 1;
            Dispatch { number: number - 1, kind: draft.key.kind, grid: draft.grid }
        };
        let ready = |action: &Action| match action {
            Action::Run { rows, variants } => Ready::Run {
                rows: *rows,
                variants: variants
                    .iter()
                    .map(|Variant { upto, splits, options, drafts }| {
                        let dispatches = drafts.iter().map(&mut bound).collect();
                        ReadyVariant { upto: *upto, splits: *splits, options: options.clone(), dispatches }
                    })
                    .collect(),
            },
            Action::AllReduce(id) => Ready::AllReduce(*id),
            Action::Send(id) => Ready::Send(*id),
            Action::Recv(id) => Ready::Recv(*id),
            Action::Sample(drafts) => Ready::Sample(drafts.iter().map(&mut bound).collect()),
        };
        let list = actions.iter().map(ready).collect();
        let actions = Actions {
            program: Arc::clone(program),
            list,
            work: if self.count == 0 { plan.work.clone() } else { Vec::new() },
            chosen: Arc::clone(&self.chosen),
            // Halves are for long batches, whose sums go to the device anyway, and are submitted layer by layer.
            added: if self.count == 0 { plan.added.clone() } else { HashSet::new() },
            bufs: plan.map.bufs.clone(),
            found: plan.map.found,
            act: buffers.act.clone(),
            candidates: self.memory.found.clone(),
            words: buffers.words.clone(),
            tokens_at: StepWords::tokens_at(program) as u64,
        };
        self.count = number;
        self.buffers.push((buffers, parameters));
        actions
    }
}

/// The parameters of all dispatches.
fn parameters(gpu: &Gpu, actions: &[Action]) -> Buffer {
    let mut params: Vec<u8> = Vec::new();
    for draft in drafts(actions) {
        params.extend_from_slice(bytemuck::cast_slice(&draft.params));
        params.resize(params.len().next_multiple_of(PARAMS_ALIGN), 0);
    }
    let parameters = gpu.device.create_buffer(&BufferDescriptor {
        label: Some("parameters"),
        size: params.len().max(PARAMS_ALIGN) as u64,
        usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&parameters, 0, &params);
    parameters
}

fn drafts(actions: &[Action]) -> impl Iterator<Item = &Draft> {
    actions.iter().flat_map(|action| {
        let (variants, drafts): (&[Variant], &[Draft]) = match action {
            Action::Run { variants, .. } => (variants, &[]),
            Action::Sample(drafts) => (&[], drafts),
            _ => (&[], &[]),
        };
        variants.iter().flat_map(|variant| &variant.drafts).chain(drafts)
    })
}
