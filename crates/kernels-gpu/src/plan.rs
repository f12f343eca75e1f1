//! A program as dispatches.
//!
//! Everything that does not change from step to step is decided here: which kernel, which constants, which buffers, which
//! parameters. What is left to a step is how many rows there are, which picks a variant of an action, and the step's lists.

use std::collections::HashMap;

use tandem_tensor::{
    Activation, Attend, AttendLatent, BufId, CacheType, DType, Experts, Limits, LinearPart, Op, Program,
    RmsNorm, RopeStyle, Rows, Score, WeightId,
};

use crate::device::Gpu;
use crate::kernels::{Key, Kind};
use crate::memory::{Format, Map, PARTS_MIN, prepared_len, rows_max};
use crate::packing::{blocks_of, is_coded};

/// What a step does, in order.
pub enum Action {
    /// The first variant that takes the step's rows.
    Run {
        rows: Rows,
        variants: Vec<Variant>,
    },
    AllReduce(BufId),
    Send(BufId),
    Recv(BufId),
}

pub struct Variant {
    /// Most rows it takes.
    pub upto: u32,
    pub drafts: Vec<Draft>,
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
}

impl Extent {
    pub fn count(self, rows: u32, splits: u32) -> u32 {
        match self {
            Extent::Fixed(count) => count,
            Extent::Rows(times) => rows * times,
            Extent::PerRows(per) => rows.div_ceil(per),
            Extent::Splits => splits,
        }
    }
}

const ONE: Extent = Extent::Fixed(1);
const EACH: Extent = Extent::Rows(1);
const ANY: u32 = u32::MAX;
/// Variants for few rows, and for many.
const BOTH: [bool; 2] = [false, true];
/// Threads of attention's workgroups, which are also the keys of a tile.
pub const ATTEND_THREADS: u32 = 128;
/// Most rows that a matrix-vector product takes at once.
const FEW: u32 = 8;
/// Values of the largest matrix that is expanded to half floats.
const EXPANDED_MAX: usize = 1 << 28;
const EXPAND_THREADS: u32 = 128;

/// The plan, with the room it needs.
pub struct Plan {
    pub map: Map,
    pub actions: Vec<Action>,
    /// Bytes of prepared rows, by format.
    pub prepared: HashMap<Format, u64>,
}

/// What the device allows.
#[derive(Clone, Copy, Debug)]
pub struct Abilities {
    pub threads_max: u32,
    pub cooperative: bool,
}

impl Abilities {
    pub fn of(gpu: &Gpu) -> Abilities {
        Abilities {
            threads_max: gpu.limits.max_compute_invocations_per_workgroup.min(1024),
            cooperative: gpu.cooperative,
        }
    }
}

impl Plan {
    pub fn new(program: &Program, limits: &Limits, abilities: Abilities) -> Plan {
        let mut planner = Planner {
            program,
            limits,
            abilities,
            plan: Plan { map: Map::new(program, limits), actions: Vec::new(), prepared: HashMap::new() },
            ready: Default::default(),
        };
        for (at, op) in program.ops.iter().enumerate() {
            planner.op(at, op);
        }
        planner.plan
    }

    /// Bytes beside weights, cache and activations: prepared rows and their scales.
    pub fn prepared_bytes(&self) -> u64 {
        self.prepared.iter().map(|(format, bytes)| bytes + scale_bytes(*format, *bytes)).sum()
    }
}

/// Bytes of the scales of prepared rows.
pub fn scale_bytes(format: Format, bytes: u64) -> u64 {
    if format == Format::Eight { bytes / 32 * 8 } else { 0 }
}

struct Planner<'a> {
    program: &'a Program,
    limits: &'a Limits,
    abilities: Abilities,
    plan: Plan,
    /// Which buffer's rows the prepared ones are, by format, in steps of few rows and of many.
    ready: [HashMap<Format, BufId>; 2],
}

impl Planner<'_> {
    fn op(&mut self, at: usize, op: &Op) {
        self.plan.map.free_scratch();
        match op {
            Op::Embed { table, first_row, scale, out } => self.embed(*table, *first_row, *scale, *out),
            Op::Norm { x, norm, out } => self.norm(at, *x, None, *norm, *out),
            Op::AddNorm { x, y, norm, out } => self.norm(at, *x, Some(*y), *norm, *out),
            Op::Add { x, y } => self.add(*x, *y),
            Op::Linear { x, parts } => self.linear(*x, parts),
            Op::GatedLinear { x, gate, up, act, out } => self.gated(at, *x, *gate, *up, *act, *out),
            Op::Experts(op) => self.experts(op),
            Op::Attend(op) => self.attend(at, op),
            Op::AttendLatent(op) => self.attend_latent(op),
            Op::Select { x, out } => self.select(*x, *out),
            Op::AllReduce { x } => self.plan.actions.push(Action::AllReduce(*x)),
            Op::Send { x } => self.plan.actions.push(Action::Send(*x)),
            Op::Recv { x } => self.plan.actions.push(Action::Recv(*x)),
            // Refused when a model is opened; what it takes is planned without them.
            _ => {}
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

    fn run(&mut self, rows: Rows, drafts: Vec<Draft>) {
        self.plan.actions.push(Action::Run { rows, variants: vec![Variant { upto: ANY, drafts }] });
    }

    /// An action whose dispatches differ between few rows and many.
    fn run_both(&mut self, rows: Rows, [few, many]: [Vec<Draft>; 2]) {
        let variants = vec![Variant { upto: FEW, drafts: few }, Variant { upto: ANY, drafts: many }];
        self.plan.actions.push(Action::Run { rows, variants });
    }

    fn forget(&mut self, buf: BufId) {
        self.ready.iter_mut().for_each(|ready| ready.retain(|_, ready| *ready != buf));
    }

    /// How products with this weight want their input.
    fn format(&self, weight: WeightId, many: bool) -> Format {
        format_of(self.program, weight, many, self.abilities)
    }

    /// Rows of a buffer in steps of few rows or of many.
    fn rows_of(&self, buf: BufId, many: bool) -> usize {
        if many { rows_max(self.rows(buf), self.limits) } else { FEW as usize }
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
    fn wanted(&self, at: usize, buf: BufId, many: bool) -> (Vec<Format>, bool) {
        let mut formats = Vec::new();
        let mut plain = self.program.hidden == Some(buf) || self.program.result == buf;
        for op in &self.program.ops[at + 1..] {
            for (read, format) in reads(self.program, op, many, self.abilities) {
                if read == buf {
                    match format {
                        Some(format) if !formats.contains(&format) => formats.push(format),
                        Some(_) => {}
                        None => plain = true,
                    }
                }
            }
            if written(op).contains(&buf) {
                break;
            }
        }
        plain |= formats.len() > 1;
        (formats, plain)
    }

    fn embed(&mut self, table: WeightId, first_row: usize, scale: f32, out: BufId) {
        let weight = self.program.weight(table);
        let place = self.plan.map.places[&table];
        let width = self.width(out);
        let units = blocks_of(width) as u32 * 2;
        let mut params = place.planes.to_vec();
        params.extend([first_row as u32, weight.rows() as u32, width as u32, self.at(out)]);
        params.extend([scale.to_bits(), 0, 0, 0]);
        let key = Key::new(Kind::Embed, 64).of(weight.dtype);
        let grid = [Extent::Fixed(units.div_ceil(64)), EACH, ONE];
        let draft = Draft { key, params, chunk: Some(place.chunk), cache: None, x: None, grid };
        self.run(Rows::Tokens, vec![draft]);
    }

    fn norm(&mut self, at: usize, x: BufId, y: Option<BufId>, norm: RmsNorm, out: BufId) {
        let width = self.width(out);
        let threads = (width.div_ceil(4) as u32).next_power_of_two().clamp(32, self.abilities.threads_max);
        let stride = prepared_len(self.program.buf(out)) as u32;
        self.forget(out);
        self.forget(x);
        let drafts = BOTH.map(|many| {
            let (formats, plain) = self.wanted(at, out, many);
            let format = formats.first().copied();
            let key = Key::new(Kind::Norm, threads)
                .with("PER", (width as u32).div_ceil(threads * 4))
                .with("ADD", y.is_some().into())
                .with("KEEP", plain.into())
                .with("FORMAT", format.map_or(0, Format::constant));
            let params = vec![
                self.at(x),
                y.map_or(0, |y| self.at(y)),
                self.at(out),
                self.vector(norm.weight),
                width as u32,
                stride,
                norm.eps.to_bits(),
                0,
            ];
            if let Some(format) = format {
                self.room(format, self.rows_of(out, many), stride as usize);
                self.ready[usize::from(many)].insert(format, out);
            }
            vec![Draft { key, params, chunk: None, cache: None, x: format, grid: [EACH, ONE, ONE] }]
        });
        self.run_both(self.rows(out), drafts);
    }

    fn add(&mut self, x: BufId, y: BufId) {
        let width = self.width(x) as u32;
        let params = vec![self.at(x), self.at(y), width, 0];
        let grid = [Extent::Fixed(width.div_ceil(256)), EACH, ONE];
        let key = Key::new(Kind::Add, 256);
        self.run(self.rows(x), vec![Draft { key, params, chunk: None, cache: None, x: None, grid }]);
    }

    fn select(&mut self, x: BufId, out: BufId) {
        let width = self.width(x) as u32;
        let params = vec![self.at(x), self.at(out), width, 0];
        let grid = [Extent::Fixed(width.div_ceil(256)), EACH, ONE];
        let key = Key::new(Kind::Select, 256);
        self.run(Rows::Outputs, vec![Draft { key, params, chunk: None, cache: None, x: None, grid }]);
    }

    /// Prepare `x` for products with `weight` unless it is.
    fn prepare(&mut self, x: BufId, weight: WeightId) {
        let drafts = BOTH.map(|many| {
            let format = self.format(weight, many);
            if self.ready[usize::from(many)].insert(format, x) == Some(x) {
                return vec![];
            }
            vec![self.convert(self.at(x), self.width(x), format, self.rows_of(x, many), EACH)]
        });
        if drafts.iter().any(|drafts| !drafts.is_empty()) {
            self.run_both(self.rows(x), drafts);
        }
    }

    fn convert(&mut self, first: u32, width: usize, format: Format, rows: usize, each: Extent) -> Draft {
        let stride = blocks_of(width) * 32;
        self.room(format, rows, stride);
        let params = vec![first, width as u32, stride as u32, 0];
        let grid = [Extent::Fixed((stride as u32 / 4).div_ceil(64)), each, ONE];
        let key = Key::new(Kind::Convert, 64).with("FORMAT", format.constant());
        Draft { key, params, chunk: None, cache: None, x: Some(format), grid }
    }

    fn linear(&mut self, x: BufId, parts: &[LinearPart]) {
        // Parts of one type share a dispatch.
        let mut by_type: Vec<(DType, Vec<Part>)> = Vec::new();
        for part in parts {
            let dtype = self.program.weight(part.weight).dtype;
            let bias = self.vector_from_1(part.bias);
            let part = Part { weight: part.weight, out: self.at(part.out), bias };
            match by_type.iter_mut().find(|(known, list)| *known == dtype && list.len() < 4) {
                Some((_, list)) => list.push(part),
                None => by_type.push((dtype, vec![part])),
            }
        }
        for (_, parts) in by_type {
            self.prepare(x, parts[0].weight);
            let mut variants: Vec<Variant> =
                TOKENS.iter().map(|tokens| self.mat_vec(x, &parts, *tokens)).collect();
            let many = self.mat_muls(x, &parts);
            variants.extend(many);
            self.plan.actions.push(Action::Run { rows: self.rows(x), variants });
        }
    }

    /// A product with up to `tokens` rows.
    fn mat_vec(&self, x: BufId, parts: &[Part], tokens: u32) -> Variant {
        let (blocks, dtype) = (blocks_of(self.width(x)) as u32, self.program.weight(parts[0].weight).dtype);
        let shape = Shape::of(dtype, blocks, tokens, 1);
        let (params, groups) = self.part_params(x, parts, shape.rows);
        let draft = Draft {
            key: shape.key(dtype, tokens, 1),
            params,
            chunk: Some(self.plan.map.places[&parts[0].weight].chunk),
            cache: None,
            x: Some(self.format(parts[0].weight, false)),
            grid: [Extent::Fixed(groups), Extent::PerRows(tokens), ONE],
        };
        Variant { upto: tokens, drafts: vec![draft] }
    }

    /// Products with more rows than a matrix-vector product takes.
    fn mat_muls(&mut self, x: BufId, parts: &[Part]) -> Vec<Variant> {
        let dtype = self.program.weight(parts[0].weight).dtype;
        let format = self.format(parts[0].weight, true);
        // A tile is never deeper than what is left of a row.
        let depth = blocks_of(self.width(x)) as u32 * 32;
        let tiles = Tile::all(format == Format::Half).iter().filter(|tile| depth.is_multiple_of(tile.k));
        let mut variants = Vec::new();
        for tile in tiles {
            if tile.expanded && is_coded(dtype) {
                let Some(drafts) = self.expanded(x, parts, tile) else { continue };
                variants.push(Variant { upto: tile.upto, drafts });
                continue;
            }
            let (params, groups) = self.part_params(x, parts, tile.n);
            let draft = Draft {
                key: tile.key(dtype),
                params,
                chunk: Some(self.plan.map.places[&parts[0].weight].chunk),
                cache: None,
                x: Some(format),
                grid: [Extent::PerRows(tile.t), Extent::Fixed(groups), ONE],
            };
            variants.push(Variant { upto: tile.upto, drafts: vec![draft] });
        }
        // Where nothing could be expanded, the last tile takes the rest.
        if let Some(last) = variants.last_mut() {
            last.upto = ANY;
        }
        variants
    }

    /// Products with each matrix expanded first. `None` where one is too large for that.
    fn expanded(&mut self, x: BufId, parts: &[Part], tile: &Tile) -> Option<Vec<Draft>> {
        let chunk = self.plan.map.chunks.len();
        let mut drafts = Vec::new();
        for part in parts {
            let weight = self.program.weight(part.weight);
            let values = weight.rows() * blocks_of(weight.cols()) * 32;
            if values > EXPANDED_MAX {
                return None;
            }
            self.room(Format::Expanded, 1, values);
            let place = self.plan.map.places[&part.weight];
            let units = (values / 16) as u32;
            let mut params = place.planes.to_vec();
            params.extend([units, 0, 0, 0]);
            let groups = units.div_ceil(EXPAND_THREADS);
            let key = Key::new(Kind::Expand, EXPAND_THREADS).of(weight.dtype);
            let grid = [Extent::Fixed(groups.min(32_768)), Extent::Fixed(groups.div_ceil(32_768)), ONE];
            let from = Some(place.chunk);
            drafts.push(Draft { key, params, chunk: from, cache: None, x: Some(Format::Expanded), grid });
            let (mut params, groups) = self.part_params(x, std::slice::from_ref(part), tile.n);
            params[8..12].fill(0);
            drafts.push(Draft {
                key: tile.key(DType::F16),
                params,
                chunk: Some(chunk),
                cache: None,
                x: Some(Format::Half),
                grid: [Extent::PerRows(tile.t), Extent::Fixed(groups), ONE],
            });
        }
        Some(drafts)
    }

    /// Parameters of products with `parts`, and how many workgroups they take, each with `rows` rows of a matrix.
    fn part_params(&self, x: BufId, parts: &[Part], rows: u32) -> (Vec<u32>, u32) {
        let blocks = blocks_of(self.width(x)) as u32;
        let mut params = vec![blocks, self.rows_index(x), parts.len() as u32, 0];
        let mut groups = 0;
        for part in parts {
            let width = self.program.weight(part.weight).rows() as u32;
            params.extend([groups, width, part.out, part.bias]);
            params.extend(self.plan.map.places[&part.weight].planes);
            groups += width.div_ceil(rows);
        }
        params.resize(4 + 12 * 4, 0);
        (params, groups)
    }

    fn gated(&mut self, at: usize, x: BufId, gate: WeightId, up: WeightId, act: Activation, out: BufId) {
        let gates = self.program.weight(gate);
        self.prepare(x, gate);
        let (first, second) = (self.plan.map.places[&gate], self.plan.map.places[&up]);
        let blocks = blocks_of(self.width(x)) as u32;
        let rows = gates.rows() as u32;
        let few = TOKENS.into_iter().map(|tokens| {
            let shape = Shape::of(gates.dtype, blocks, tokens, 2);
            let mut params = vec![blocks, self.rows_index(x), 1, 0, 0, rows, self.at(out), 0];
            params.extend(first.planes);
            params.extend(second.planes);
            params.resize(4 + 12 * 4, 0);
            let draft = Draft {
                key: shape.key(gates.dtype, tokens, 2).with("ACTIVATION", activation(act)),
                params,
                chunk: Some(first.chunk),
                cache: None,
                x: Some(self.format(gate, false)),
                grid: [Extent::Fixed(rows.div_ceil(shape.rows)), Extent::PerRows(tokens), ONE],
            };
            Variant { upto: tokens, drafts: vec![draft] }
        });
        let mut variants: Vec<Variant> = few.collect();
        // With many rows both products are made, then joined.
        let width = self.width(out);
        let made = self.plan.map.reserve(rows_max(self.rows(out), self.limits) * width);
        let parts =
            [Part { weight: gate, out: made, bias: 0 }, Part { weight: up, out: self.at(out), bias: 0 }];
        let (formats, plain) = self.wanted(at, out, true);
        let format = formats.first().copied();
        let stride = prepared_len(self.program.buf(out));
        let key = Key::new(Kind::Gate, 64)
            .with("KEEP", plain.into())
            .with("FORMAT", format.map_or(0, Format::constant))
            .with("ACTIVATION", activation(act));
        let params = vec![made, self.at(out), self.at(out), width as u32, stride as u32, 0, 0, 0];
        let grid = [Extent::Fixed((stride as u32 / 4).div_ceil(64)), EACH, ONE];
        let join = Draft { key, params, chunk: None, cache: None, x: format, grid };
        let many = self.mat_muls(x, &parts);
        for mut variant in many {
            variant.drafts.push(join.clone());
            variants.push(variant);
        }
        self.plan.actions.push(Action::Run { rows: self.rows(x), variants });
        self.forget(out);
        if let Some(format) = format {
            self.room(format, rows_max(self.rows(out), self.limits), stride);
            self.ready[1].insert(format, out);
        }
    }

    fn rows_index(&self, buf: BufId) -> u32 {
        match self.rows(buf) {
            Rows::Tokens => 0,
            Rows::Outputs => 1,
        }
    }

    fn experts(&mut self, op: &Experts) {
        let gates = self.program.weight(op.gate);
        let (count, used) = (self.width(op.scores), op.routing.used);
        let tokens = self.limits.tokens_max;
        let chosen = self.plan.map.reserve(tokens * used);
        let weights = self.plan.map.reserve(tokens * used);
        let inner = self.plan.map.reserve(tokens * used * gates.rows());
        let groups = op.routing.groups;
        let params = vec![
            self.at(op.scores),
            self.vector_from_1(op.routing.bias),
            chosen,
            weights,
            match op.routing.score {
                Score::Softmax => 0,
                Score::Sigmoid => 1,
                Score::SoftmaxOfChosen => 2,
            },
            groups.map_or(0, |groups| groups.count as u32),
            groups.map_or(0, |groups| groups.used as u32),
            groups.map_or(0, |groups| groups.best as u32),
            op.routing.normalise.into(),
            op.routing.scale.to_bits(),
            0,
            0,
        ];
        let key = Key::new(Kind::Route, 128).with("EXPERTS", count as u32).with("USED", used as u32);
        let route = Draft { key, params, chunk: None, cache: None, x: None, grid: [EACH, ONE, ONE] };

        let expert =
            |planner: &Planner<'_>, matrices: &[WeightId], out: u32, biases: [Option<WeightId>; 2], each| {
                let weight = planner.program.weight(matrices[0]);
                let places: Vec<_> = matrices.iter().map(|id| planner.plan.map.places[id]).collect();
                let (blocks, rows) = (blocks_of(weight.cols()) as u32, weight.rows() as u32);
                let shape = Shape::of(weight.dtype, blocks, 1, matrices.len() as u32);
                let mut params = places[0].planes.to_vec();
                params.extend(places.last().expect("one at least").planes);
                params.extend([blocks, rows, chosen, weights, out]);
                params.extend(biases.map(|bias| planner.vector_from_1(bias)));
                params.push(0);
                let key = Key::new(Kind::Experts, shape.threads)
                    .of(weight.dtype)
                    .with("ROWS", shape.rows)
                    .with("MATRICES", matrices.len() as u32)
                    .with("USED", used as u32)
                    .with("ACTIVATION", activation(op.act));
                let grid = [Extent::Fixed(rows.div_ceil(shape.rows)), each, ONE];
                let x = Some(planner.format(matrices[0], false));
                Draft { key, params, chunk: Some(places[0].chunk), cache: None, x, grid }
            };
        // Rows go one by one however many there are, so they are prepared as for few.
        let format = self.format(op.gate, false);
        let drafts = BOTH.map(|many| {
            if self.ready[usize::from(many)].insert(format, op.x) == Some(op.x) {
                return vec![];
            }
            vec![self.convert(self.at(op.x), self.width(op.x), format, self.rows_of(op.x, many), EACH)]
        });
        self.run_both(Rows::Tokens, drafts);
        let gate =
            expert(self, &[op.gate, op.up], inner, [op.gate_bias, op.up_bias], Extent::Rows(used as u32));
        let down_format = self.format(op.down, false);
        let convert =
            self.convert(inner, gates.rows(), down_format, tokens * used, Extent::Rows(used as u32));
        self.ready.iter_mut().for_each(|ready| _ = ready.remove(&down_format));
        let down = expert(self, &[op.down], self.at(op.out), [op.down_bias, None], EACH);
        self.run(Rows::Tokens, vec![route, gate, convert, down]);
    }

    fn attend(&mut self, at: usize, op: &Attend) {
        let cache = self.program.caches[op.cache.index()];
        let (key_dim, value_dim) = (cache.key_dim as u32, cache.value_dim as u32);
        let rotate = Rotate {
            cache: op.cache.index(),
            q: op.q,
            k: op.k,
            v: op.v,
            heads: op.heads as u32,
            q_dim: key_dim,
            q_norm: op.q_norm,
            k_norm: op.k_norm,
            k_normed: key_dim,
            rotated: (0, 0),
            rope: op.rope.map(|rope| rope.index()),
            q_out: (self.at(op.q), op.heads as u32 * key_dim, key_dim, 0),
        };
        let rotate = self.rotate(&rotate);
        let group = (op.heads / cache.kv_heads) as u32;
        let over = Over {
            cache: op.cache.index(),
            q: self.at(op.q),
            heads: op.heads as u32,
            group,
            key_dim,
            value_dim,
            value_units: value_dim.div_ceil(8),
            values_are_keys: false,
            scale: op.scale,
            window: op.window.unwrap_or(0) as u32,
        };
        let (attend, parts, part) = self.over(&over);
        self.forget(op.out);
        let drafts = BOTH.map(|many| {
            let attend = attend[usize::from(many)].clone();
            let reduce = self.reduce(at, many, op.out, parts, part, op.heads as u32, value_dim, op.sinks);
            vec![rotate.clone(), attend, reduce]
        });
        self.run_both(Rows::Tokens, drafts);
    }

    fn attend_latent(&mut self, op: &AttendLatent) {
        let (key, value) = (self.program.weight(op.key), self.program.weight(op.value));
        let (latent, nope, value_dim) = (key.rows() as u32, key.cols() as u32, value.rows() as u32);
        let cached = self.program.caches[op.cache.index()].key_dim as u32;
        let (rope, heads, tokens) = (cached - latent, op.heads as u32, self.limits.tokens_max);
        let query = self.plan.map.reserve(tokens * (heads * cached) as usize);
        let attended = self.plan.map.reserve(tokens * (heads * latent) as usize);
        let rotate = Rotate {
            cache: op.cache.index(),
            q: op.q,
            k: op.kv,
            v: op.kv,
            heads,
            q_dim: nope + rope,
            q_norm: None,
            k_norm: Some(op.kv_norm),
            k_normed: latent,
            rotated: (nope, latent),
            rope: Some(op.rope.index()),
            q_out: (query + latent, heads * cached, cached, nope),
        };
        let rotate = self.rotate(&rotate);
        let q = self.at(op.q);
        let absorb = self.apply(
            op.key,
            heads,
            (q, heads * (nope + rope), nope + rope),
            (query, heads * cached, cached),
        );
        let over = Over {
            cache: op.cache.index(),
            q: query,
            heads,
            group: heads,
            key_dim: cached,
            value_dim: latent,
            value_units: cached.div_ceil(8),
            values_are_keys: true,
            scale: op.scale,
            window: 0,
        };
        let (attend, parts, part) = self.over(&over);
        let reduce_key = Key::new(Kind::Reduce, 64).with("KEEP", 1).with("FORMAT", 0);
        let params = vec![parts, attended, heads, 0, latent, part, 0, 0];
        let grid = [Extent::Fixed(heads), EACH, ONE];
        let reduce = Draft { key: reduce_key, params, chunk: None, cache: None, x: None, grid };
        let out = self.at(op.out);
        let values = self.apply(
            op.value,
            heads,
            (attended, heads * latent, latent),
            (out, heads * value_dim, value_dim),
        );
        self.forget(op.out);
        let drafts =
            attend.map(|attend| vec![rotate.clone(), absorb.clone(), attend, reduce.clone(), values.clone()]);
        self.run_both(Rows::Tokens, drafts);
    }

    /// `out[t, e] = matrix[e] · x[t, e]`; places are a beginning, and strides of rows and of matrices.
    fn apply(&self, id: WeightId, count: u32, x: (u32, u32, u32), out: (u32, u32, u32)) -> Draft {
        let weight = self.program.weight(id);
        let place = self.plan.map.places[&id];
        let (rows, cols) = (weight.rows() as u32, weight.cols() as u32);
        let mut params = place.planes.to_vec();
        params.extend([x.0, x.1, x.2, cols, out.0, out.1, out.2, rows]);
        let key = Key::new(Kind::Apply, 32).of(weight.dtype).with("ROWS", 4);
        let grid = [Extent::Fixed(rows.div_ceil(4)), Extent::Fixed(count), EACH];
        Draft { key, params, chunk: Some(place.chunk), cache: None, x: None, grid }
    }

    fn rotate(&self, rotate: &Rotate) -> Draft {
        let cache = self.program.caches[rotate.cache];
        let place = self.plan.map.caches[rotate.cache];
        let (key_dim, value_dim) = (cache.key_dim as u32, cache.value_dim as u32);
        let rope = rotate.rope.map(|rope| &self.program.ropes[rope]);
        let norm = |norm: Option<RmsNorm>| {
            norm.map_or((0, 0), |norm| (self.vector(norm.weight) + 1, norm.eps.to_bits()))
        };
        let ((q_norm, q_eps), (k_norm, k_eps)) = (norm(rotate.q_norm), norm(rotate.k_norm));
        let kv_heads = cache.kv_heads as u32;
        let params = vec![
            place.keys,
            place.values,
            place.key_scales,
            place.value_scales,
            self.at(rotate.q),
            self.at(rotate.k),
            self.at(rotate.v),
            rotate.heads,
            kv_heads,
            rotate.q_dim,
            key_dim,
            value_dim,
            q_norm,
            k_norm,
            rotate.k_normed,
            rotate.rotated.0,
            rotate.rotated.1,
            rope.map_or(0, |rope| rope.inv_freq.len() as u32),
            rotate.rope.unwrap_or(0) as u32,
            rope.is_some_and(|rope| rope.style == RopeStyle::Halves).into(),
            q_eps,
            k_eps,
            self.limits.windowed(&cache).into(),
            self.limits.block_len as u32,
            rotate.q_out.0,
            rotate.q_out.1,
            rotate.q_out.2,
            rotate.q_out.3,
        ];
        let values = if value_dim > 0 { kv_heads } else { 0 };
        let dim = rotate.q_dim.max(key_dim).max(value_dim);
        let key = Key::new(Kind::Rotate, 64).with("DIM", dim).with("CACHE", cache_constant(self.limits));
        let grid = [Extent::Fixed(rotate.heads + kv_heads + values), EACH, ONE];
        Draft { key, params, chunk: None, cache: Some(rotate.cache), x: None, grid }
    }

    /// Attention itself, for few rows and for many; also where its parts lie and how long each is.
    fn over(&mut self, over: &Over) -> ([Draft; 2], u32, u32) {
        let units = over.value_dim.div_ceil(8);
        let part = units * 8 + 2;
        let rows = self.limits.tokens_max.max(PARTS_MIN);
        let parts = self.plan.map.reserve(rows * (over.heads * part) as usize);
        let place = self.plan.map.caches[over.cache];
        let cache = self.program.caches[over.cache];
        let (values, value_scales) = match over.values_are_keys {
            true => (place.keys, place.key_scales),
            false => (place.values, place.value_scales),
        };
        let params = vec![
            place.keys,
            values,
            place.key_scales,
            value_scales,
            over.q,
            parts,
            over.heads,
            cache.kv_heads as u32,
            over.scale.to_bits(),
            over.window,
            self.limits.windowed(&cache).into(),
            self.limits.block_len as u32,
        ];
        let drafts = BOTH.map(|many| {
            // With few rows a kernel's own length counts; with many, how often keys and values are read.
            let together = over.group.min(match (many, over.key_dim > 256) {
                (false, _) => 2,
                (true, true) => 4,
                (true, false) => 8,
            });
            // Joining heads one by one takes less memory, so that more workgroups run at once.
            let joined = if many { 1 } else { together };
            let key = Key::new(Kind::Attend, ATTEND_THREADS)
                .with("G", together)
                .with("JOINED", joined)
                .with("JOINS", together.div_ceil(joined))
                .with("KU", over.key_dim.div_ceil(8))
                .with("VU", units)
                .with("VALUE_UNITS", over.value_units)
                .with("KEY_DIM", over.key_dim)
                .with("CACHE", cache_constant(self.limits));
            let chunks = over.group.div_ceil(together);
            let grid = [Extent::Fixed(cache.kv_heads as u32 * chunks), Extent::Splits, EACH];
            Draft { key, params: params.clone(), chunk: None, cache: Some(over.cache), x: None, grid }
        });
        (drafts, parts, part)
    }

    fn reduce(
        &mut self,
        at: usize,
        many: bool,
        out: BufId,
        parts: u32,
        part: u32,
        heads: u32,
        dim: u32,
        sinks: Option<WeightId>,
    ) -> Draft {
        let (formats, plain) = self.wanted(at, out, many);
        let stride = prepared_len(self.program.buf(out));
        // Blocks must not cross heads.
        let format = formats.first().copied().filter(|_| dim.is_multiple_of(32));
        if let Some(format) = format {
            self.room(format, self.rows_of(out, many), stride);
            self.ready[usize::from(many)].insert(format, out);
        }
        let keep = plain || format.is_none();
        let params = vec![parts, self.at(out), heads, self.vector_from_1(sinks), dim, part, stride as u32, 0];
        let key = Key::new(Kind::Reduce, 64)
            .with("KEEP", keep.into())
            .with("FORMAT", format.map_or(0, Format::constant));
        let grid = [Extent::Fixed(heads), EACH, ONE];
        Draft { key, params, chunk: None, cache: None, x: format, grid }
    }
}

struct Rotate {
    cache: usize,
    q: BufId,
    k: BufId,
    v: BufId,
    heads: u32,
    q_dim: u32,
    q_norm: Option<RmsNorm>,
    k_norm: Option<RmsNorm>,
    k_normed: u32,
    /// Where the rotation of queries and of keys begins.
    rotated: (u32, u32),
    rope: Option<usize>,
    /// Where queries go: a beginning, strides of rows and heads, and from which of their values on.
    q_out: (u32, u32, u32, u32),
}

struct Over {
    cache: usize,
    q: u32,
    heads: u32,
    /// Query heads that share a key head.
    group: u32,
    key_dim: u32,
    value_dim: u32,
    /// Units of eight in a stored row of values.
    value_units: u32,
    values_are_keys: bool,
    scale: f32,
    window: u32,
}

/// A matrix of a product with several: where its result goes, and its bias, from 1 on.
struct Part {
    weight: WeightId,
    out: u32,
    bias: u32,
}

/// Rows of activations that a matrix-vector kernel takes at once.
const TOKENS: [u32; 4] = [1, 2, 4, FEW];

/// How a product with many rows is divided into tiles.
struct Tile {
    /// Most rows of a batch that it is for.
    upto: u32,
    t: u32,
    n: u32,
    k: u32,
    /// What a subgroup makes, with cooperative matrices.
    sub: Option<(u32, u32)>,
    /// Whether coded matrices are expanded first.
    expanded: bool,
}

impl Tile {
    fn all(cooperative: bool) -> &'static [Tile] {
        if cooperative {
            &[
                Tile { upto: 32, t: 32, n: 32, k: 128, sub: Some((16, 16)), expanded: false },
                Tile { upto: 64, t: 64, n: 64, k: 64, sub: Some((32, 32)), expanded: false },
                Tile { upto: 128, t: 128, n: 128, k: 32, sub: Some((64, 64)), expanded: false },
                Tile { upto: ANY, t: 128, n: 128, k: 32, sub: Some((64, 64)), expanded: true },
            ]
        } else {
            &[Tile { upto: ANY, t: 64, n: 64, k: 32, sub: None, expanded: false }]
        }
    }

    fn threads(&self) -> u32 {
        match self.sub {
            None => self.t / 4 * (self.n / 4),
            Some((t, n)) => self.t / t * (self.n / n) * 32,
        }
    }

    fn key(&self, dtype: DType) -> Key {
        let tiled = |threads| {
            let key = Key::new(Kind::MatMul, threads).of(dtype);
            key.with("TILE_T", self.t).with("TILE_N", self.n).with("TILE_K", self.k)
        };
        match self.sub {
            None => tiled(self.threads()),
            Some((t, n)) => tiled(self.threads())
                .with("SUB_T", t)
                .with("SUB_N", n)
                .with("SQUARES_T", t / 16)
                .with("SQUARES_N", n / 16)
                .with("DEPTH", self.k / 16)
                .with("LOADS_X", self.t * self.k / 8 / self.threads())
                .with("LOADS_W", self.n * self.k / 16 / self.threads()),
        }
    }
}

/// How a matrix-vector product is divided.
struct Shape {
    threads: u32,
    /// Rows of the matrix to a workgroup.
    rows: u32,
}

impl Shape {
    fn of(dtype: DType, blocks: u32, tokens: u32, matrices: u32) -> Shape {
        let units = if is_coded(dtype) { blocks } else { blocks * 4 };
        let threads = match units {
            0..48 => 32,
            96.. if tokens == 1 => 128,
            _ => 64,
        };
        let rows = if tokens >= 4 || threads == 32 { 4 } else { 2 };
        Shape { threads, rows: if matrices == 2 { rows / 2 } else { rows } }
    }

    fn key(&self, dtype: DType, tokens: u32, matrices: u32) -> Key {
        Key::new(Kind::MatVec, self.threads)
            .of(dtype)
            .with("ROWS", self.rows)
            .with("NT", tokens)
            .with("MATRICES", matrices)
    }
}

fn cache_constant(limits: &Limits) -> u32 {
    match limits.cache_type {
        CacheType::F32 => 0,
        CacheType::F16 => 1,
        CacheType::Q8 => 2,
    }
}

fn activation(act: Activation) -> u32 {
    match act {
        Activation::Silu => 0,
        Activation::Gelu => 1,
        Activation::ClampedSwiglu => 2,
        // Refused when a model is opened.
        Activation::LimitedSilu(_) => 0,
    }
}

/// How products with a weight want their input, in steps of few rows or of many.
fn format_of(program: &Program, id: WeightId, many: bool, abilities: Abilities) -> Format {
    let dtype = program.weight(id).dtype;
    match (many, is_coded(dtype)) {
        // Half floats would lose what these weights have.
        (true, _) if abilities.cooperative && dtype != DType::F32 => Format::Half,
        (false, true) => Format::Eight,
        _ => Format::Float,
    }
}

/// The buffers an operator reads, and in which format where a product reads them.
fn reads(program: &Program, op: &Op, many: bool, abilities: Abilities) -> Vec<(BufId, Option<Format>)> {
    let format = |id: WeightId| Some(format_of(program, id, many, abilities));
    match op {
        Op::Embed { .. } | Op::Recv { .. } => vec![],
        Op::Norm { x, .. } | Op::Select { x, .. } | Op::AllReduce { x } | Op::Send { x } => vec![(*x, None)],
        Op::AddNorm { x, y, .. } | Op::Add { x, y } => vec![(*x, None), (*y, None)],
        Op::Linear { x, parts } => parts.iter().map(|part| (*x, format(part.weight))).collect(),
        Op::GatedLinear { x, gate, .. } => vec![(*x, format(*gate))],
        Op::Experts(op) => {
            vec![(op.x, Some(format_of(program, op.gate, false, abilities))), (op.scores, None)]
        }
        Op::Attend(op) => vec![(op.q, None), (op.k, None), (op.v, None)],
        Op::AttendLatent(op) => vec![(op.q, None), (op.kv, None)],
        _ => vec![],
    }
}

fn written(op: &Op) -> Vec<BufId> {
    match op {
        Op::Embed { out, .. }
        | Op::Norm { out, .. }
        | Op::GatedLinear { out, .. }
        | Op::Select { out, .. } => {
            vec![*out]
        }
        Op::AddNorm { x, out, .. } => vec![*x, *out],
        Op::Add { x, .. } | Op::AllReduce { x } | Op::Recv { x } => vec![*x],
        Op::Linear { parts, .. } => parts.iter().map(|part| part.out).collect(),
        Op::Experts(op) => vec![op.out],
        Op::Attend(op) => vec![op.out],
        Op::AttendLatent(op) => vec![op.out],
        Op::Send { .. } => vec![],
        _ => vec![],
    }
}
