//! A program as dispatches.
//!
//! Everything that does not change from step to step is decided here: which kernel, which constants, which buffers, which
//! parameters. What is left to a step is how many rows there are, which picks a variant of an action, and the step's lists.

mod attention;
mod choices;
mod division;
mod experts;
#[cfg(test)]
mod fits;
mod pooled;
mod products;
mod rows;
mod sampling;
mod states;
mod taken;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use tandem_tensor::{Activation, BufId, DType, Limits, Op, Program, Rows, WeightId};

use crate::device::Gpu;
use crate::kernels::Key;
use crate::memory::{Format, Map, rows_max};
use crate::packing::is_coded;
use crate::sampling::Sampled;
use crate::work::Work;

pub use choices::{Choice, Chosen, Optional};

/// What a step does, in order.
#[derive(Clone)]
pub enum Action {
    /// The first variant that takes the step's rows, of those that are chosen.
    Run {
        rows: Rows,
        variants: Vec<Variant>,
    },
    AllReduce(BufId),
    Send(BufId),
    Recv(BufId),
    /// Where few of the results are wanted.
    Sample(Vec<Draft>),
}

#[derive(Clone)]
pub struct Variant {
    /// Most rows it takes.
    pub upto: u32,
    /// Most runs of keys that attention is divided into.
    pub splits: u32,
    /// What must be chosen, where it is one way of several.
    pub options: Vec<Optional>,
    pub drafts: Vec<Draft>,
}

impl Variant {
    fn new(upto: u32, drafts: Vec<Draft>) -> Variant {
        Variant { upto, splits: ANY, options: Vec::new(), drafts }
    }
}

/// A dispatch, before its buffers exist.
#[derive(Clone, Debug)]
pub struct Draft {
    pub key: Key,
    pub params: Vec<u32>,
    /// The chunk that its matrices lie in; beyond the last, the expanded matrix.
    pub chunk: Option<usize>,
    pub cache: Option<usize>,
    /// Which prepared rows it reads or writes.
    pub x: Option<Format>,
    /// Which it reads, where it writes others.
    pub from: Option<Format>,
    pub grid: [Extent; 3],
}

/// How many workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Fixed(u32),
    /// So many for every row.
    Rows(u32),
    /// One for every so many rows.
    PerRows(u32),
    Splits,
    Spans,
    /// Runs of up to [`RUN`] neighbouring rows of a sequence.
    Runs,
    /// One for every so many tokens that were named.
    PerNamed(u32),
    /// One for the likeliest tokens, and another where there are draws.
    Choices,
    /// One where sums are wanted.
    Summed,
    /// Rows that the batch gives.
    Given,
    /// One for every row of those from the first on, up to so many.
    Piece {
        first: u32,
        rows: u32,
    },
    /// Tiles of so many rows, where every row counts `times` and each of `kinds` kinds has whole tiles.
    Tiles {
        per: u32,
        times: u32,
        kinds: u32,
    },
}

/// What the numbers of workgroups follow from.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    pub rows: u32,
    pub splits: u32,
    pub spans: u32,
    pub runs: u32,
    pub sampled: Option<Sampled>,
    pub given: u32,
}

impl Extent {
    pub fn count(self, counts: &Counts) -> u32 {
        let rows = counts.rows;
        match self {
            Extent::Fixed(count) => count,
            Extent::Rows(times) => rows * times,
            Extent::PerRows(per) => rows.div_ceil(per),
            Extent::Splits => counts.splits,
            Extent::Spans => counts.spans,
            Extent::Runs => counts.runs,
            Extent::PerNamed(per) => counts.sampled.map_or(0, |sampled| sampled.named.div_ceil(per)),
            Extent::Choices => 1 + u32::from(counts.sampled.is_some_and(|sampled| sampled.drawn)),
            Extent::Summed => u32::from(counts.sampled.is_some_and(|sampled| sampled.summed)),
            Extent::Given => counts.given,
            Extent::Piece { first, rows: most } => rows.saturating_sub(first).min(most),
            Extent::Tiles { per, times, kinds } => (rows * times).div_ceil(per) + kinds,
        }
    }
}

const ONE: Extent = Extent::Fixed(1);
const EACH: Extent = Extent::Rows(1);
const ANY: u32 = u32::MAX;
/// Threads of attention's workgroups, which are also the keys of a tile.
pub const ATTEND_THREADS: u32 = 128;
/// Rows of a sequence that attention with cooperative matrices takes together.
pub const RUN: u32 = 16;
/// Most rows that a matrix-vector product takes at once.
const FEW: u32 = 8;

/// How many rows a step has. Kernels and what they read differ with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Load {
    One,
    Few,
    Several,
    Some,
    Many,
}

impl Load {
    const ALL: [Load; 5] = [Load::One, Load::Few, Load::Several, Load::Some, Load::Many];

    /// The load of a step with so many rows.
    fn of(rows: u32) -> Load {
        Load::ALL.into_iter().find(|load| rows <= load.upto()).unwrap_or(Load::Many)
    }

    /// Most rows of this load.
    const fn upto(self) -> u32 {
        match self {
            Load::One => 1,
            Load::Few => 4,
            Load::Several => FEW,
            Load::Some => 64,
            Load::Many => ANY,
        }
    }
}
/// Sums of squares that one kernel makes.
pub const SUMS_MAX: usize = 4;

/// The plan, with the room it needs.
pub struct Plan {
    pub map: Map,
    pub actions: Vec<Action>,
    /// How much work each of them is.
    pub work: Vec<Work>,
    /// The actions of [`Program::layers`].
    pub layers: Range<usize>,
    /// Bytes of prepared rows, by format.
    pub prepared: HashMap<Format, u64>,
    /// Sums among the actions that only the next one reads, a norm that adds them to a row.
    pub added: HashSet<usize>,
    /// What variants differ in that are for the same rows.
    pub choices: Vec<Choice>,
}

/// What the device allows.
#[derive(Clone, Copy, Debug)]
pub struct Abilities {
    pub threads_max: u32,
    /// Bytes of a workgroup's memory.
    pub shared_max: u32,
    /// The side of the squares that a subgroup multiplies at once, or 0.
    pub side: u32,
    /// The same in attention.
    pub attention_side: u32,
    /// Bytes of matrices that a kernel sees at once.
    pub matrices_max: u64,
    /// The least threads of a subgroup.
    pub subgroup_min: u32,
    /// Whether it finds out which of several ways is fastest on it.
    pub chooses: bool,
}

impl Abilities {
    pub fn of(gpu: &Gpu) -> Abilities {
        Abilities {
            threads_max: gpu.limits.max_compute_invocations_per_workgroup.min(1024),
            shared_max: gpu.limits.max_compute_workgroup_storage_size,
            side: gpu.side,
            attention_side: gpu.attention_side(),
            matrices_max: gpu.matrices_max,
            subgroup_min: gpu.subgroup_min,
            chooses: gpu.chooses,
        }
    }
}

impl Plan {
    pub fn new(program: &Program, limits: &Limits, abilities: Abilities) -> Plan {
        let mut planner = Planner {
            program,
            limits,
            abilities,
            plan: Plan {
                map: Map::new(program, limits, abilities.matrices_max),
                actions: Vec::new(),
                work: Vec::new(),
                layers: 0..0,
                prepared: HashMap::new(),
                added: HashSet::new(),
                choices: Vec::new(),
            },
            layers: program.layers(),
            ready: Default::default(),
        };
        for (at, op) in program.ops.iter().enumerate() {
            planner.pass(at);
            planner.op(at, op);
            // Where an operator becomes several actions, the first stands for all.
            let Plan { actions, work, .. } = &mut planner.plan;
            work.extend((actions.len() > work.len()).then(|| Work::of(program, op)));
            work.resize(actions.len(), Work::default());
        }
        planner.pass(program.ops.len());
        planner.sample();
        planner.plan.work.resize(planner.plan.actions.len(), Work::default());
        planner.plan
    }

    /// What the layers do with half of a long batch: never with few rows.
    pub fn layers_of_halves(&self) -> Vec<Action> {
        let mut actions = self.actions[self.layers.clone()].to_vec();
        for action in &mut actions {
            if let Action::Run { variants, .. } = action {
                variants.retain(|variant| variant.upto > FEW);
            }
        }
        actions
    }

    /// The kernels of a step, each once: what one row needs, then what the most rows need, then the others. Of options those that
    /// are `wanted`.
    pub fn keys(&self, wanted: impl Fn(Optional) -> bool) -> Vec<Key> {
        let order = |at: usize, count: usize| {
            if at == 0 {
                0
            } else if at + 1 == count {
                1
            } else {
                2
            }
        };
        let mut found: Vec<(usize, &Key)> = Vec::new();
        for action in &self.actions {
            match action {
                Action::Run { variants, .. } => {
                    let wanted = |variant: &&Variant| variant.options.iter().copied().all(&wanted);
                    let variants: Vec<&Variant> = variants.iter().filter(wanted).collect();
                    for (at, variant) in variants.iter().enumerate() {
                        let order = order(at, variants.len());
                        found.extend(variant.drafts.iter().map(|draft| (order, &draft.key)));
                    }
                }
                Action::Sample(drafts) => found.extend(drafts.iter().map(|draft| (0, &draft.key))),
                Action::AllReduce(_) | Action::Send(_) | Action::Recv(_) => {}
            }
        }
        found.sort_by_key(|(order, _)| *order);
        let mut known = HashSet::new();
        found.into_iter().filter(|(_, key)| known.insert(*key)).map(|(_, key)| key.clone()).collect()
    }

    /// Bytes beside weights, cache and activations: prepared rows and their scales.
    pub fn prepared_bytes(&self) -> u64 {
        self.prepared.iter().map(|(format, bytes)| bytes + scale_bytes(*format, *bytes)).sum()
    }
}

/// Bytes of the scales of prepared rows.
pub fn scale_bytes(format: Format, bytes: u64) -> u64 {
    if format.constant() == Format::Eight.constant() { bytes / 32 * 8 } else { 0 }
}

struct Planner<'a> {
    program: &'a Program,
    limits: &'a Limits,
    abilities: Abilities,
    plan: Plan,
    layers: Range<usize>,
    /// Which buffer's rows the prepared ones are, by format, for each load.
    ready: [HashMap<Format, BufId>; Load::ALL.len()],
}

impl Planner<'_> {
    /// Before an operator: where the layers begin or end, the number of rows may change, and what is prepared does not pass.
    fn pass(&mut self, at: usize) {
        let (layers, actions) = (self.layers.clone(), self.plan.actions.len());
        if at == layers.start {
            self.plan.layers.start = actions;
        }
        if at == layers.end {
            self.plan.layers.end = actions;
        }
        if at == layers.start || at == layers.end {
            self.ready.iter_mut().for_each(HashMap::clear);
        }
    }

    fn op(&mut self, at: usize, op: &Op) {
        self.plan.map.free_scratch_to(0);
        match op {
            Op::Embed { table, first_row, scale, out } => self.embed(*table, *first_row, *scale, *out),
            Op::Norm { x, norm, out } => self.norm(at, *x, None, *norm, *out),
            Op::AddNorm { x, y, norm, out } => self.norm(at, *x, Some(*y), *norm, *out),
            Op::Add { x, y } => self.add(*x, *y),
            Op::Linear { x, parts } => self.linear(at, *x, parts),
            Op::GatedLinear { x, gate, up, act, out } => self.gated(at, *x, *gate, *up, *act, *out),
            Op::Experts(op) => self.experts(op),
            Op::Attend(op) => self.attend(at, op),
            Op::AttendLatent(op) => self.attend_latent(op),
            Op::Select { x, out } => self.mean(*x, 1, *out),
            Op::Mean { x, len, out } => self.mean(*x, *len, *out),
            Op::Slice { x, first, out } => self.slice(*x, *first, *out),
            Op::Curve { x, curve } => self.curve(*x, None, *curve),
            Op::LayerNorm { x, norm, out } => self.layer_norm(*x, *norm, *out),
            Op::Place { out } => self.place(*out),
            Op::AllReduce { x } => {
                if self.is_added(at, *x) {
                    self.plan.added.insert(self.plan.actions.len());
                }
                self.plan.actions.push(Action::AllReduce(*x));
            }
            Op::Send { x } => self.plan.actions.push(Action::Send(*x)),
            Op::Recv { x } => self.plan.actions.push(Action::Recv(*x)),
            // Refused when a program is opened.
            Op::Join { .. } => {}
            Op::Gate { x, gate, curve } => self.curve(*x, Some(*gate), *curve),
            Op::Rescale { x, scale, by, cap } => self.rescale(*x, *scale, *by, *cap),
            Op::NormRuns { x, len, norm } => self.norm_runs(*x, *len, *norm),
            Op::SumSquares { of, out } => self.sum_squares(of, *out),
            Op::NormBy { x, sums, at, len, norm } => self.norm_by(*x, *sums, *at, *len, *norm),
            Op::Convolve(op) => self.convolve(op),
            Op::DeltaRule(op) => self.delta_rule(op),
            Op::Scan(op) => self.scan(op),
            Op::Spread { x, out } => self.spread(*x, *out),
            Op::Connect(op) => self.connect(op),
            Op::Collapse { x, mixes, out } => self.collapse(*x, *mixes, *out),
            Op::Expand { x, y, mixes } => self.mix(*x, *y, *mixes),
            Op::Blend(op) => self.blend(op),
            Op::Pool(op) => self.pool(op),
            Op::Store(op) => self.store(op),
            Op::Choose(op) => self.choose_rows(op),
            Op::ChooseRuns(op) => self.choose_runs(op),
            Op::AttendChosen(op) => self.attend_listed(op),
            Op::Stacked { x, weight, out } => self.stacked(*x, *weight, *out),
        }
        // What is written is no longer what was prepared.
        if !matches!(
            op,
            Op::Norm { .. }
                | Op::AddNorm { .. }
                | Op::GatedLinear { .. }
                | Op::Attend(_)
                | Op::AttendLatent(_)
        ) {
            for buf in written(op) {
                self.forget(buf);
            }
        }
    }

    /// Whether the sum of `x`, the operator `at`, is added to a row by the next one and read by no other.
    fn is_added(&self, at: usize, x: BufId) -> bool {
        let Some((Op::AddNorm { y, .. }, after)) = self.program.ops[at + 1..].split_first() else {
            return false;
        };
        let is_read = |op: &Op| reads(self.program, op, self.abilities).contains(&x);
        let next = after.iter().find(|op| is_read(op) || written(op).contains(&x));
        let kept = [Some(self.program.result), self.program.hidden].contains(&Some(x));
        *y == x && !kept && next.is_none_or(|op| !is_read(op))
    }

    fn run(&mut self, rows: Rows, drafts: Vec<Draft>) {
        self.plan.actions.push(Action::Run { rows, variants: vec![Variant::new(ANY, drafts)] });
    }

    /// An action whose dispatches differ with the load.
    fn run_each(&mut self, rows: Rows, drafts: [Vec<Draft>; Load::ALL.len()]) {
        let variants =
            Load::ALL.into_iter().zip(drafts).map(|(load, drafts)| Variant::new(load.upto(), drafts));
        self.plan.actions.push(Action::Run { rows, variants: variants.collect() });
    }

    fn ready(&mut self, load: Load) -> &mut HashMap<Format, BufId> {
        &mut self.ready[load as usize]
    }

    fn forget(&mut self, buf: BufId) {
        self.ready.iter_mut().for_each(|ready| ready.retain(|_, ready| *ready != buf));
    }

    /// How products with this weight want their input.
    fn format(&self, weight: WeightId, load: Load) -> Format {
        format_of(self.program, weight, load, self.abilities)
    }

    /// Most rows of a buffer at a load.
    fn rows_of(&self, buf: BufId, load: Load) -> usize {
        rows_max(self.rows(buf), self.limits).min(load.upto() as usize)
    }

    fn width(&self, buf: BufId) -> usize {
        self.program.buf(buf).width
    }

    fn rows(&self, buf: BufId) -> Rows {
        self.program.buf(buf).rows
    }

    fn at(&self, buf: BufId) -> u32 {
        self.plan.map.buf(buf)
    }

    fn vector(&self, id: WeightId) -> u32 {
        self.plan.map.vectors[&id]
    }

    /// A vector that may be missing: its place from 1 on.
    fn vector_from_1(&self, id: Option<WeightId>) -> u32 {
        id.map_or(0, |id| self.vector(id) + 1)
    }

    /// Make room for `rows` prepared rows of `len` values.
    fn room(&mut self, format: Format, rows: usize, len: usize) {
        let bytes = (rows * len * format.bytes()) as u64;
        let room = self.plan.prepared.entry(format).or_default();
        *room = (*room).max(bytes);
    }

    /// The formats in which the operators after `at` want what it wrote to `buf`, the first of them first; and whether any
    /// reads it as it is.
    fn wanted(&self, at: usize, buf: BufId, load: Load) -> (Vec<Format>, bool) {
        let mut formats = Vec::new();
        let mut plain = self.program.hidden == Some(buf) || self.program.result == buf;
        // Formats in which rows of another buffer take the place of these.
        let mut replaced = Vec::new();
        let part = self.part_of(at);
        for (next, op) in self.program.ops.iter().enumerate().skip(at + 1) {
            let passes = self.part_of(next) != part;
            for (read, format) in reads_by(self.program, op, load, self.abilities) {
                match format {
                    Some(format) if read != buf => replaced.push(format),
                    Some(_) if passes => plain = true,
                    Some(format) => {
                        plain |= replaced.contains(&format);
                        if !formats.contains(&format) {
                            formats.push(format);
                        }
                    }
                    None => plain |= read == buf,
                }
            }
            if written(op).contains(&buf) {
                break;
            }
        }
        plain |= formats.len() > 1;
        (formats, plain)
    }

    /// Whether an operator comes before the layers, among them or after them.
    fn part_of(&self, at: usize) -> (bool, bool) {
        (at < self.layers.start, at < self.layers.end)
    }

    fn rows_index(&self, buf: BufId) -> u32 {
        match self.rows(buf) {
            Rows::Tokens => 0,
            Rows::Outputs => 1,
        }
    }
}

/// The kernel with its activation.
fn activated(key: Key, act: Activation) -> Key {
    match act {
        Activation::Silu => key.with("ACTIVATION", 0),
        Activation::Gelu => key.with("ACTIVATION", 1),
        Activation::ClampedSwiglu => key.with("ACTIVATION", 2),
        Activation::ReluGate => key.with("ACTIVATION", 4),
        Activation::LimitedSilu(limit) => key.with("ACTIVATION", 3).with("LIMIT", limit.to_bits()),
        Activation::ClampedSilu(limit) => key.with("ACTIVATION", 5).with("LIMIT", limit.to_bits()),
        Activation::Situ { beta, linear } => {
            let key = key.with("ACTIVATION", 6).with("BENT", 1).with("LIMIT", beta.to_bits());
            linear.into_iter().fold(key, |key, linear| key.with("LINEAR", linear.to_bits()))
        }
    }
}

/// How products with a weight want their input.
fn format_of(program: &Program, id: WeightId, load: Load, abilities: Abilities) -> Format {
    let dtype = program.weight(id).dtype;
    // Half floats would lose what weights in floats have.
    let halves = abilities.side > 0 && dtype != DType::F32;
    match (load, is_coded(dtype)) {
        (Load::One | Load::Few | Load::Several, true) => Format::Eight,
        // A tile of 16 rows takes less time than eight rows one by one.
        (Load::Several, false) if halves && abilities.side == 16 => Format::Half,
        (Load::Some | Load::Many, _) if halves => Format::Half,
        (Load::Some, true) => Format::Eight,
        _ => Format::Float,
    }
}

/// The buffers an operator reads, and in which format where a product reads them.
fn reads_by(program: &Program, op: &Op, load: Load, abilities: Abilities) -> Vec<(BufId, Option<Format>)> {
    let format = |id: WeightId| Some(format_of(program, id, load, abilities));
    match op {
        Op::Embed { .. } | Op::Place { .. } | Op::Recv { .. } => vec![],
        Op::Norm { x, .. }
        | Op::Select { x, .. }
        | Op::Slice { x, .. }
        | Op::Curve { x, .. }
        | Op::LayerNorm { x, .. }
        | Op::Mean { x, .. }
        | Op::AllReduce { x }
        | Op::Send { x }
        | Op::Join { x, .. } => vec![(*x, None)],
        Op::AddNorm { x, y, .. } | Op::Add { x, y } => vec![(*x, None), (*y, None)],
        Op::Linear { x, parts } => parts.iter().map(|part| (*x, format(part.weight))).collect(),
        Op::GatedLinear { x, gate, up, .. } => vec![(*x, format(*gate)), (*x, format(*up))],
        Op::Experts(op) => {
            // Its other product takes the place of the prepared rows: who comes after it prepares them again.
            vec![
                (op.x, None),
                (op.x, Some(format_of(program, op.gate, Load::One, abilities))),
                (op.x, Some(format_of(program, op.up, Load::One, abilities))),
                (op.scores, None),
            ]
        }
        Op::Attend(op) => {
            let list = op.runs.map(|runs| runs.list);
            let kv = op.kv.into_iter().flatten();
            std::iter::once(op.q).chain(kv).chain(list).map(|buf| (buf, None)).collect()
        }
        Op::AttendLatent(op) => {
            let chosen = op.indexer.into_iter().flat_map(|indexer| [indexer.q, indexer.k, indexer.weights]);
            [op.q, op.kv].into_iter().chain(chosen).map(|buf| (buf, None)).collect()
        }
        Op::Gate { x, gate, .. } => vec![(*x, None), (*gate, None)],
        Op::NormRuns { x, .. } | Op::Rescale { x, .. } => vec![(*x, None)],
        Op::SumSquares { of, .. } => of.iter().flatten().map(|of| (*of, None)).collect(),
        Op::NormBy { x, sums, .. } => vec![(*x, None), (*sums, None)],
        Op::Convolve(op) => vec![(op.x, None)],
        Op::DeltaRule(op) => [op.q, op.k, op.v, op.decay, op.beta].map(|buf| (buf, None)).to_vec(),
        Op::Scan(op) => [op.x, op.b, op.c, op.step].map(|buf| (buf, None)).to_vec(),
        Op::Spread { x, .. } | Op::Stacked { x, .. } => vec![(*x, None)],
        Op::Connect(op) => vec![(op.x, None), (op.mixes, None)],
        Op::Collapse { x, mixes, .. } => vec![(*x, None), (*mixes, None)],
        Op::Expand { x, y, mixes } => [*x, *y, *mixes].map(|buf| (buf, None)).to_vec(),
        Op::Blend(op) => op.of.iter().map(|of| (*of, None)).collect(),
        Op::Pool(op) => vec![(op.x, None), (op.gate, None)],
        Op::Store(op) => vec![(op.x, None)],
        Op::ChooseRuns(op) => vec![(op.q, None), (op.k, None)],
        Op::Choose(op) => {
            let list = op.blocks.filter(|blocks| !blocks.chosen_here).map(|blocks| blocks.list);
            [op.q, op.weights].into_iter().chain(list).map(|buf| (buf, None)).collect()
        }
        Op::AttendChosen(op) => {
            let list = op.chosen.map(|chosen| chosen.list);
            std::iter::once(op.q).chain(list).map(|buf| (buf, None)).collect()
        }
    }
}

/// The buffers an operator reads.
pub fn reads(program: &Program, op: &Op, abilities: Abilities) -> Vec<BufId> {
    reads_by(program, op, Load::Many, abilities).into_iter().map(|(buf, _)| buf).collect()
}

pub fn written(op: &Op) -> Vec<BufId> {
    match op {
        Op::Embed { out, .. }
        | Op::Norm { out, .. }
        | Op::GatedLinear { out, .. }
        | Op::Join { out, .. }
        | Op::Select { out, .. }
        | Op::LayerNorm { out, .. }
        | Op::Mean { out, .. }
        | Op::Place { out }
        | Op::Slice { out, .. } => {
            vec![*out]
        }
        Op::AddNorm { x, out, .. } => vec![*x, *out],
        Op::Add { x, .. } | Op::AllReduce { x } | Op::Recv { x } => vec![*x],
        Op::Linear { parts, .. } => parts.iter().map(|part| part.out).collect(),
        Op::Experts(op) => vec![op.out],
        Op::Attend(op) => vec![op.out],
        Op::AttendLatent(op) => vec![op.out],
        Op::Gate { x, .. }
        | Op::Curve { x, .. }
        | Op::NormRuns { x, .. }
        | Op::Rescale { x, .. }
        | Op::NormBy { x, .. } => {
            vec![*x]
        }
        Op::SumSquares { out, .. } => vec![*out],
        Op::Convolve(op) => vec![op.out],
        Op::DeltaRule(op) => vec![op.out],
        Op::Scan(op) => vec![op.out],
        Op::Spread { out, .. } | Op::Collapse { out, .. } | Op::Stacked { out, .. } => vec![*out],
        Op::Connect(op) => vec![op.mixes],
        Op::Expand { x, .. } => vec![*x],
        Op::Blend(op) => vec![op.out],
        Op::Pool(op) => vec![op.out],
        Op::Store(_) => vec![],
        Op::Choose(op) => {
            let list = op.blocks.filter(|blocks| blocks.chosen_here).map(|blocks| blocks.list);
            std::iter::once(op.out).chain(list).collect()
        }
        Op::ChooseRuns(op) => vec![op.q, op.out],
        Op::AttendChosen(op) => vec![op.out],
        Op::Send { .. } => vec![],
    }
}
