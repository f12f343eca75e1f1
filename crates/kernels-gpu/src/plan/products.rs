//! Products of rows and matrices.

use tandem_tensor::{Activation, BufId, DType, Experts, LinearPart, Rows, Score, WeightId};

use super::taken::Taken;
use super::{ANY, Action, Draft, EACH, Extent, FEW, Load, ONE, Planner, Variant, activated};
use crate::kernels::{Key, Kind};
use crate::memory::{Format, Place, prepared_len, rows_max};
use crate::packing::{blocks_of, is_coded};

/// Most values of matrices that are expanded to half floats for one product.
const EXPANDED_MAX: usize = 1 << 28;
const EXPAND_THREADS: u32 = 128;
const SUM_THREADS: u32 = 256;
/// Rows of activations that a matrix-vector kernel takes at once.
const TOKENS: [u32; 4] = [1, 2, 4, FEW];
/// Rows of a matrix of floats of which tiles are few.
const NARROW: usize = 512;
const SOME: u32 = Load::Some.upto();
/// Workgroups that keep a large device busy.
const WORKGROUPS: u32 = 1056;

/// Threads that make gates and what they gate, 32 of each: what is chosen between.
const GATE_UP_THREADS: [u32; 3] = [512, 256, 1024];
/// Workgroups of products that norm their row on the way, each for itself, between which a device chooses.
const NORMING: [u32; 3] = [256, 512, 1024];
/// Rows of a matrix to a workgroup of products with some rows of activations.
const MATROWS: u32 = 16;

/// Threads of such a workgroup, which takes so many groups of eight rows of activations.
const fn threads_of(groups: u32) -> u32 {
    let threads = MATROWS * groups * 4;
    if threads < 256 { 256 } else { threads }
}

/// Parameters of a product, and how many workgroups it takes.
type Divided = (Vec<u32>, u32);

impl Planner<'_> {
    pub(super) fn linear(&mut self, at: usize, x: BufId, linear: &[LinearPart]) {
        // Parts of one type share a dispatch.
        let mut by_type: Vec<(DType, Vec<Part>)> = Vec::new();
        for part in linear {
            let dtype = self.program.weight(part.weight).dtype;
            let bias = self.vector_from_1(part.bias);
            let part = Part { weight: part.weight, out: self.at(part.out), bias };
            match by_type.iter_mut().find(|(known, list)| *known == dtype && list.len() < 4) {
                Some((_, list)) => list.push(part),
                None => by_type.push((dtype, vec![part])),
            }
        }
        for (_, parts) in by_type {
            self.products(x, &parts, Some(at));
        }
    }

    /// Products with matrices of one type, of the operator `at`.
    fn products(&mut self, x: BufId, parts: &[Part], at: Option<usize>) {
        self.prepare(x, parts[0].weight);
        let mut variants = Vec::new();
        let before = at.and_then(|at| self.taken_before(at, x));
        let after = at.and_then(|at| self.taken(at + 1)).filter(|taken| taken.added);
        let by_rows = self.by_rows(parts[0].weight);
        for tokens in TOKENS.into_iter().filter(|tokens| *tokens <= by_rows) {
            variants.extend(match (before, after) {
                (Some(taken), _) if tokens == 1 => {
                    let with = self.one_row(&taken, parts);
                    let shape = Shape::of(self.dtype(parts[0].weight), self.blocks(x), 1, 1);
                    let after = vec![self.mat_vec(x, parts, 1, &shape, false)];
                    self.either(&taken, with, after)
                }
                (None, Some(taken)) if tokens == 1 => {
                    let part = Part { out: self.at(taken.x), ..parts[0] };
                    let with = self.mat_vecs(x, &[part], 1, true);
                    let after = self.mat_vecs(x, parts, 1, false);
                    self.either(&taken, with, after)
                }
                _ => self.mat_vecs(x, parts, tokens, false),
            });
        }
        if self.is_narrow(parts) {
            variants.iter_mut().filter(|variant| variant.upto == FEW).for_each(|variant| variant.upto = SOME);
        }
        variants.extend(self.mat_rows(x, parts));
        variants.extend(self.mat_muls(x, parts));
        self.plan.actions.push(Action::Run { rows: self.rows(x), variants });
    }

    /// Whether tiles of a product of floats would be too few to keep the device busy, as with routers of experts.
    fn is_narrow(&self, parts: &[Part]) -> bool {
        let rows: usize = parts.iter().map(|part| self.program.weight(part.weight).rows()).sum();
        self.format(parts[0].weight, Load::Many) == Format::Float
            && !is_coded(self.dtype(parts[0].weight))
            && rows <= NARROW
    }

    /// Most rows of which products are made by matrix-vector kernels.
    fn by_rows(&self, weight: WeightId) -> u32 {
        if self.format(weight, Load::Several) == Format::Half { Load::Few.upto() } else { FEW }
    }

    /// Products with up to `tokens` rows, divided as the device chooses. `adds`: to what is there.
    fn mat_vecs(&mut self, x: BufId, parts: &[Part], tokens: u32, adds: bool) -> Vec<Variant> {
        let matrices: Vec<WeightId> = parts.iter().map(|part| part.weight).collect();
        let shapes = Shape::options(self.dtype(parts[0].weight), self.blocks(x), tokens, 1);
        let made =
            shapes.iter().map(|shape| (shape.to_string(), self.mat_vec(x, parts, tokens, shape, adds)));
        let made = made.collect();
        self.optional(self.product_name(&matrices, tokens), (tokens, 0), made)
    }

    /// Products with a row that is normed on the way, divided as the device chooses.
    fn one_row(&mut self, taken: &Taken, parts: &[Part]) -> Vec<Variant> {
        let matrices: Vec<WeightId> = parts.iter().map(|part| part.weight).collect();
        let params = |planner: &Self, rows| {
            let (mut params, groups) = planner.part_params(taken.out, parts, rows);
            params[3] = params[2];
            params[..3].copy_from_slice(&planner.taken_from(taken));
            (params, groups)
        };
        self.one_row_with(taken, &matrices, 1, None, &params)
    }

    /// Gates and what they gate, of a row that is normed on the way.
    fn one_row_gated(
        &mut self,
        taken: &Taken,
        matrices: [WeightId; 2],
        act: Activation,
        out: BufId,
    ) -> Vec<Variant> {
        let params = |planner: &Self, rows: u32| {
            let all = planner.program.weight(matrices[0]).rows() as u32;
            let mut params = planner.taken_from(taken).to_vec();
            params.extend([1, 0, all, planner.at(out), 0]);
            params.extend(matrices.iter().flat_map(|id| planner.plan.map.place(*id).planes));
            params.resize(4 + 12 * 4, 0);
            (params, all.div_ceil(rows))
        };
        self.one_row_with(taken, &matrices, 2, Some(act), &params)
    }

    /// `joined`: how many matrices make one result. `params`: of workgroups with so many rows, and how many they are.
    fn one_row_with(
        &mut self,
        taken: &Taken,
        matrices: &[WeightId],
        joined: u32,
        act: Option<Activation>,
        params: &dyn Fn(&Self, u32) -> Divided,
    ) -> Vec<Variant> {
        let weight = self.program.weight(matrices[0]);
        let all: usize = matrices.iter().map(|id| self.program.weight(*id).rows()).sum();
        let threads = (self.width(taken.out) as u32 / 8).next_power_of_two().clamp(128, 512);
        let threads = threads.min(self.abilities.threads_max);
        // Two to each subgroup of 32.
        let rows_of =
            |groups: u32| (all as u32 / joined).div_ceil(groups).next_multiple_of((threads / 16).max(4));
        let mut options = NORMING.map(rows_of).to_vec();
        options.dedup();
        let chunk = Some(self.plan.map.place(matrices[0]).chunk);
        let made = options.into_iter().map(|rows| {
            let key = Key::new(Kind::OneRow, threads).of(weight.dtype);
            let key = key.with("ROWS", rows).with("MATRICES", joined);
            let key = self.taking(act.map_or(key.clone(), |act| activated(key, act)), taken);
            let (params, groups) = params(self, rows);
            let grid = [Extent::Fixed(groups), ONE, ONE];
            let draft = Draft { key, params, chunk, cache: None, x: None, from: None, grid };
            (format!("{rows} to a workgroup"), Variant::new(1, vec![draft]))
        });
        let made = made.collect();
        self.optional(format!("normed {}", self.product_name(matrices, 1)), (1, 0), made)
    }

    fn dtype(&self, weight: WeightId) -> DType {
        self.program.weight(weight).dtype
    }

    fn blocks(&self, x: BufId) -> u32 {
        blocks_of(self.width(x)) as u32
    }

    /// What the device chooses for: products of one row with matrices of this size, or of more rows with any.
    fn product_name(&self, matrices: &[WeightId], tokens: u32) -> String {
        let weight = self.program.weight(matrices[0]);
        let rows: usize = matrices.iter().map(|id| self.program.weight(*id).rows()).sum();
        let size =
            if tokens == 1 { format!(" with {rows} by {} values", weight.cols()) } else { String::new() };
        format!("{} products{size}, {tokens} rows", weight.dtype.name())
    }

    /// A product with up to `tokens` rows.
    fn mat_vec(&self, x: BufId, parts: &[Part], tokens: u32, shape: &Shape, adds: bool) -> Variant {
        let dtype = self.dtype(parts[0].weight);
        let (params, groups) = self.part_params(x, parts, shape.rows);
        let key = shape.key(dtype, tokens, 1);
        let draft = Draft {
            key: if adds { key.with("ADDS", 1) } else { key },
            params,
            chunk: Some(self.plan.map.place(parts[0].weight).chunk),
            cache: None,
            x: Some(self.input(x, parts[0].weight, Load::of(tokens))),
            from: None,
            grid: [Extent::Fixed(groups), Extent::PerRows(tokens), ONE],
        };
        Variant::new(tokens, vec![draft])
    }

    /// Products of coded matrices with some rows, where the device has no cooperative matrices.
    fn mat_rows(&self, x: BufId, parts: &[Part]) -> Vec<Variant> {
        let dtype = self.program.weight(parts[0].weight).dtype;
        if !is_coded(dtype) || self.abilities.side > 0 {
            return Vec::new();
        }
        let (params, workgroups) = self.part_params(x, parts, MATROWS);
        let groups = [2, 4, 8].into_iter().filter(|groups| threads_of(*groups) <= self.abilities.threads_max);
        let variants = groups.map(|groups| {
            let draft = Draft {
                key: Key::new(Kind::MatRows, threads_of(groups))
                    .of(dtype)
                    .with("ROWS", MATROWS)
                    .with("GROUPS", groups),
                params: params.clone(),
                chunk: Some(self.plan.map.place(parts[0].weight).chunk),
                cache: None,
                x: Some(self.format(parts[0].weight, Load::Some)),
                from: None,
                grid: [Extent::Fixed(workgroups), Extent::PerRows(groups * 8), ONE],
            };
            Variant::new(groups * 8, vec![draft])
        });
        let mut variants: Vec<Variant> = variants.collect();
        if let Some(last) = variants.last_mut() {
            last.upto = SOME;
        }
        variants
    }

    /// Products with more rows than a matrix-vector product takes.
    fn mat_muls(&mut self, x: BufId, parts: &[Part]) -> Vec<Variant> {
        let dtype = self.program.weight(parts[0].weight).dtype;
        let format = self.format(parts[0].weight, Load::Many);
        // A tile is never deeper than what is left of a row.
        let depth = blocks_of(self.width(x)) as u32 * 32;
        let side = if format == Format::Half { self.abilities.side } else { 0 };
        // Without cooperative matrices, some rows of coded ones have a kernel of their own.
        let rows_known = is_coded(dtype) && self.abilities.side == 0;
        let least = if rows_known { SOME } else { self.by_rows(parts[0].weight) };
        let mut variants = Vec::new();
        for tile in Tile::all(side).iter().filter(|tile| tile.upto > least && depth.is_multiple_of(tile.k)) {
            if variants.last().is_some_and(|last: &Variant| last.upto == tile.upto) {
                continue;
            }
            let scratch = self.plan.map.scratch();
            let expanded =
                if tile.expanded && is_coded(dtype) { self.expanded(x, parts, tile) } else { None };
            let drafts = expanded.unwrap_or_else(|| self.tiled(x, parts, tile));
            // One variant runs at a time.
            self.plan.map.free_scratch_to(scratch);
            variants.push(Variant::new(tile.upto, drafts));
        }
        variants
    }

    /// Products in tiles. Where few tiles have few rows each, their depth is divided, so that the whole device has work.
    fn tiled(&mut self, x: BufId, parts: &[Part], tile: &Tile) -> Vec<Draft> {
        let weight = parts[0].weight;
        let dtype = self.program.weight(weight).dtype;
        let (mut params, groups) = self.part_params(x, parts, tile.n);
        let tiles = blocks_of(self.width(x)) as u32 * 32 / tile.k;
        // Larger tiles keep a device busy with fewer of them.
        let busy = WORKGROUPS * 64 / tile.n;
        let wanted = if tile.split { (busy / groups).clamp(1, tiles.div_ceil(2)) } else { 1 };
        // All splits are alike.
        let splits = (1..=wanted).rev().find(|splits| tiles.is_multiple_of(*splits)).unwrap_or(1);
        let (blocks, side) = (self.blocks(x), self.abilities.side);
        let biased = parts.iter().any(|part| part.bias > 0);
        let matrices: Vec<WeightId> = parts.iter().map(|part| part.weight).collect();
        let mut draft = Draft {
            key: self.fitted(tile.key(dtype, blocks, side), &matrices, biased),
            params: params.clone(),
            chunk: Some(self.plan.map.place(weight).chunk),
            cache: None,
            x: Some(self.format(weight, Load::Many)),
            from: None,
            grid: [Extent::PerRows(tile.t), Extent::Fixed(groups), ONE],
        };
        if splits == 1 {
            return vec![draft];
        }
        let (mut sum_params, mut sum_groups) = (vec![splits, 0, parts.len() as u32, 0], 0);
        for (i, part) in parts.iter().enumerate() {
            let width = self.program.weight(part.weight).rows() as u32;
            let made = self.plan.map.reserve((splits * tile.upto * width) as usize);
            params[4 + 8 * i + 2] = made;
            params[4 + 8 * i + 3] = 0;
            sum_params.extend([sum_groups, width, part.out, part.bias, made, tile.upto * width, 0, 0]);
            sum_groups += width.div_ceil(SUM_THREADS);
        }
        sum_params.resize(4 + 12 * 4, 0);
        // Biases are added with the splits.
        draft.key = self.fitted(tile.split_key(dtype, blocks, splits, side), &matrices, false);
        draft.params = params;
        draft.grid[2] = Extent::Fixed(splits);
        let sum = Draft {
            key: Key::new(Kind::SumSplits, SUM_THREADS),
            params: sum_params,
            chunk: None,
            cache: None,
            x: None,
            from: None,
            grid: [Extent::Fixed(sum_groups), EACH, ONE],
        };
        vec![draft, sum]
    }

    /// The kernel of tiles, knowing how they fit the matrices. `otherwise`: results do not lie, or are not left, as squares are.
    fn fitted(&self, key: Key, matrices: &[WeightId], otherwise: bool) -> Key {
        let rows = matrices.iter().map(|id| self.program.weight(*id).rows() as u32);
        let clamped = rows.clone().any(|rows| Some(rows) < key.get("TILE_N"));
        let whole = rows.clone().all(|rows| rows.is_multiple_of(4)) && key.get("SIDE") == Some(16);
        let whole = whole && !clamped && !otherwise;
        key.with("CLAMPED", clamped.into()).with("WHOLE_TILES", whole.into())
    }

    /// Products with the matrices expanded first. `None` where they are too large for that.
    fn expanded(&mut self, x: BufId, parts: &[Part], tile: &Tile) -> Option<Vec<Draft>> {
        let mut drafts = Vec::new();
        let biased = parts.iter().any(|part| part.bias > 0);
        let matrices: Vec<WeightId> = parts.iter().map(|part| part.weight).collect();
        let (mut params, groups) = self.part_params(x, parts, tile.n);
        let mut end = 0;
        for (i, part) in parts.iter().enumerate() {
            let weight = self.program.weight(part.weight);
            let values = weight.rows() * blocks_of(weight.cols()) * 32;
            let place = self.plan.map.place(part.weight);
            let units = (values / 16) as u32;
            let mut expand = place.planes.to_vec();
            expand.extend([units, (end / 8) as u32, 0, 0]);
            let groups = units.div_ceil(EXPAND_THREADS);
            let key = Key::new(Kind::Expand, EXPAND_THREADS).of(weight.dtype);
            let grid = [Extent::Fixed(groups.min(32_768)), Extent::Fixed(groups.div_ceil(32_768)), ONE];
            drafts.push(Draft {
                key,
                params: expand,
                chunk: Some(place.chunk),
                cache: None,
                x: Some(Format::Expanded),
                from: None,
                grid,
            });
            params[8 + 8 * i..12 + 8 * i].copy_from_slice(&[(end / 8) as u32, 0, 0, 0]);
            end += values;
        }
        if end > EXPANDED_MAX {
            return None;
        }
        self.room(Format::Expanded, 1, end);
        drafts.push(Draft {
            key: self.fitted(tile.key(DType::F16, self.blocks(x), self.abilities.side), &matrices, biased),
            params,
            chunk: Some(self.plan.map.chunks.len()),
            cache: None,
            x: Some(Format::Half),
            from: None,
            grid: [Extent::PerRows(tile.t), Extent::Fixed(groups), ONE],
        });
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
            params.extend(self.plan.map.place(part.weight).planes);
            groups += width.div_ceil(rows);
        }
        params.resize(4 + 12 * 4, 0);
        (params, groups)
    }

    pub(super) fn gated(
        &mut self,
        at: usize,
        x: BufId,
        gate: WeightId,
        up: WeightId,
        act: Activation,
        out: BufId,
    ) {
        let gates = self.program.weight(gate);
        if gate == up || gates.dtype != self.program.weight(up).dtype {
            return self.gated_apart(at, x, gate, up, act, out);
        }
        self.prepare(x, gate);
        self.forget(out);
        let taken = self.taken_before(at, x);
        let mut variants = self.gate_up(at, x, gate, up, act, out, taken);
        let joined = !variants.is_empty();
        let by_rows = self.by_rows(gate);
        for tokens in TOKENS.into_iter().filter(|tokens| *tokens <= by_rows && (*tokens > 1 || !joined)) {
            let mut shapes = Shape::options(gates.dtype, self.blocks(x), tokens, 2);
            let taken = taken.filter(|_| tokens == 1);
            shapes.truncate(if taken.is_some() { 1 } else { usize::MAX });
            let made = shapes
                .iter()
                .map(|shape| (shape.to_string(), self.gated_vec(x, (gate, up), act, out, tokens, shape)));
            let made = made.collect();
            let made = self.optional(self.product_name(&[gate, up], tokens), (tokens, 0), made);
            variants.extend(match taken {
                Some(taken) => {
                    let with = self.one_row_gated(&taken, [gate, up], act, out);
                    self.either(&taken, with, made)
                }
                None => made,
            });
        }
        // With more rows both products are made, then joined.
        let width = self.width(out);
        let made = self.plan.map.reserve(rows_max(self.rows(out), self.limits) * width);
        let parts =
            [Part { weight: gate, out: made, bias: 0 }, Part { weight: up, out: self.at(out), bias: 0 }];
        let mut products = self.mat_rows(x, &parts);
        products.extend(self.mat_muls(x, &parts));
        let mut least = by_rows;
        for load in Load::ALL.into_iter().filter(|load| load.upto() > by_rows) {
            let join = self.join(at, made, act, out, load);
            let all = products.iter().map(|product| product.upto).find(|upto| *upto >= load.upto());
            let taken =
                |product: &&Variant| product.upto > least && all.is_none_or(|all| product.upto <= all);
            variants.extend(products.iter().filter(taken).map(|product| {
                let drafts = product.drafts.iter().chain([&join]).cloned().collect();
                let upto = product.upto.min(load.upto());
                Variant { options: product.options.clone(), ..Variant::new(upto, drafts) }
            }));
            least = load.upto();
        }
        self.plan.actions.push(Action::Run { rows: self.rows(x), variants });
    }

    /// Gates and what they gate, of up to `tokens` rows.
    fn gated_vec(
        &self,
        x: BufId,
        (gate, up): (WeightId, WeightId),
        act: Activation,
        out: BufId,
        tokens: u32,
        shape: &Shape,
    ) -> Variant {
        let (weight, place) = (self.program.weight(gate), self.plan.map.place(gate));
        let rows = weight.rows() as u32;
        let mut params = vec![self.blocks(x), self.rows_index(x), 1, 0, 0, rows, self.at(out), 0];
        params.extend(place.planes);
        params.extend(self.plan.map.place(up).planes);
        params.resize(4 + 12 * 4, 0);
        let draft = Draft {
            key: activated(shape.key(weight.dtype, tokens, 2), act),
            params,
            chunk: Some(place.chunk),
            cache: None,
            x: Some(self.input(x, gate, Load::of(tokens))),
            from: None,
            grid: [Extent::Fixed(rows.div_ceil(shape.rows)), Extent::PerRows(tokens), ONE],
        };
        Variant::new(tokens, vec![draft])
    }

    /// Gates and what they gate as products of their own: matrices of different types, or one for both.
    fn gated_apart(
        &mut self,
        at: usize,
        x: BufId,
        gate: WeightId,
        up: WeightId,
        act: Activation,
        out: BufId,
    ) {
        self.forget(out);
        let to = self.at(out);
        let made = match gate == up {
            true => to,
            false => self.plan.map.reserve(rows_max(self.rows(out), self.limits) * self.width(out)),
        };
        if made != to {
            self.products(x, &[Part { weight: gate, out: made, bias: 0 }], None);
        }
        self.products(x, &[Part { weight: up, out: to, bias: 0 }], None);
        let join = Load::ALL.map(|load| vec![self.join(at, made, act, out, load)]);
        self.run_each(self.rows(out), join);
    }

    /// Gates, made at `made`, and what they gate, made in `out`, become one.
    fn join(&mut self, at: usize, made: u32, act: Activation, out: BufId, load: Load) -> Draft {
        let (formats, plain) = self.wanted(at, out, load);
        let format = formats.first().copied();
        let stride = prepared_len(self.program.buf(out));
        if let Some(format) = format {
            self.room(format, self.rows_of(out, load), stride);
            self.ready(load).insert(format, out);
        }
        let to = self.at(out);
        gates_joined((made, to, to), (self.width(out), stride), act, format, plain, 1)
    }

    /// Both products of one row, prepared at once for the product that follows, where nothing else reads them; with as many threads
    /// to a workgroup as the device chooses. `taken`: the norm before them.
    fn gate_up(
        &mut self,
        at: usize,
        x: BufId,
        gate: WeightId,
        up: WeightId,
        act: Activation,
        out: BufId,
        taken: Option<Taken>,
    ) -> Vec<Variant> {
        let (dtype, width) = (self.program.weight(gate).dtype, self.width(out));
        let (formats, plain) = self.wanted(at, out, Load::One);
        let fits = formats == [Format::Eight] && !plain && width.is_multiple_of(32);
        if !is_coded(dtype) || !fits {
            return Vec::new();
        }
        let from = self.input(x, gate, Load::One);
        let format = if from == Format::Eight { Format::Between } else { Format::Eight };
        self.room(format, 1, width);
        self.ready(Load::One).insert(format, out);
        let (first, second) = (self.plan.map.place(gate), self.plan.map.place(up));
        let mut threads = GATE_UP_THREADS.map(|threads| threads.min(self.abilities.threads_max)).to_vec();
        threads.dedup();
        let (blocks, stride) = (blocks_of(self.width(x)) as u32, width as u32);
        let name = format!("joined {}", self.product_name(&[gate, up], 1));
        let mut made = |taken: Option<&Taken>| {
            let made = threads.iter().map(|threads| {
                let key = Key::new(Kind::GateUp, *threads).of(dtype).with("FORMAT", format.constant());
                let key = activated(key, act);
                let mut params = match taken {
                    Some(taken) => self.taken_from(taken).to_vec(),
                    None => vec![blocks, 0, 0],
                };
                params.push(stride);
                params.extend(first.planes);
                params.extend(second.planes);
                let draft = Draft {
                    key: taken.map_or(key.clone(), |taken| self.taking(key, taken)),
                    params,
                    chunk: Some(first.chunk),
                    cache: None,
                    x: Some(format),
                    from: Some(from).filter(|_| taken.is_none()),
                    grid: [Extent::Fixed(width as u32 / 32), ONE, ONE],
                };
                (format!("{threads} threads"), Variant::new(1, vec![draft]))
            });
            let made = made.collect();
            self.optional(name.clone(), (1, 0), made)
        };
        let after = made(None);
        match taken {
            Some(taken) => {
                let with = made(Some(&taken));
                self.either(&taken, with, after)
            }
            None => after,
        }
    }

    pub(super) fn experts(&mut self, op: &Experts) {
        let (count, used) = (self.width(op.scores), op.routing.used);
        let (tokens, inner_width) = (self.limits.tokens_max, self.program.weight(op.gate).rows());
        let pairs = tokens * used;
        let chosen = self.plan.map.reserve(pairs);
        let weights = self.plan.map.reserve(pairs);
        let inner = self.plan.map.reserve(pairs * inner_width);
        let groups = op.routing.groups;
        let params = vec![
            self.at(op.scores),
            self.vector_from_1(op.routing.bias),
            chosen,
            weights,
            match op.routing.score {
                Score::Softmax => 0,
                Score::Sigmoid => 1,
                Score::SqrtSoftplus => 3,
                Score::SoftmaxOfChosen => 2,
            },
            groups.map_or(0, |groups| groups.count as u32),
            groups.map_or(0, |groups| groups.used as u32),
            groups.map_or(0, |groups| groups.best as u32),
            op.routing.normalise.into(),
            op.routing.scale.to_bits(),
            self.vector_from_1(op.routing.scales),
            0,
        ];
        let key = Key::new(Kind::Route, 128).with("EXPERTS", count as u32).with("USED", used as u32);
        let route =
            Draft { key, params, chunk: None, cache: None, x: None, from: None, grid: [EACH, ONE, ONE] };

        // Experts read what matrix-vector products do, however many rows there are.
        let mut formats = vec![self.format(op.gate, Load::One), self.format(op.up, Load::One)];
        formats.dedup();
        let drafts = Load::ALL.map(|load| {
            let mut drafts = Vec::new();
            for format in &formats {
                if self.ready(load).insert(*format, op.x) != Some(op.x) {
                    let (rows, width) = (self.rows_of(op.x, load), self.width(op.x));
                    drafts.push(self.convert(self.at(op.x), width, *format, rows, EACH));
                }
            }
            drafts
        });
        self.run_each(Rows::Tokens, drafts);
        let (first, join) = self.first_products(op, inner);
        let down_format = self.format(op.down, Load::One);
        let convert = self.convert(inner, inner_width, down_format, pairs, Extent::Rows(used as u32));
        let between = join.unwrap_or(convert);
        self.ready.iter_mut().for_each(|ready| _ = ready.remove(&down_format));
        let last = ExpertProduct {
            matrices: vec![op.down],
            biases: [op.down_bias, None],
            out: self.at(op.out),
            paired: false,
            activated: None,
            shared: !op.routing.weighs_input,
        };
        let one_by_one = |planner: &Planner<'_>, product: &ExpertProduct| {
            let weight = planner.program.weight(product.matrices[0]);
            let (blocks, rows) = (blocks_of(weight.cols()) as u32, weight.rows() as u32);
            let shape = Shape::of(weight.dtype, blocks, 1, product.matrices.len() as u32);
            let key = Key::new(Kind::Experts, shape.threads).with("ROWS", shape.rows);
            let each = if product.paired { Extent::Rows(used as u32) } else { EACH };
            let grid = [Extent::Fixed(rows.div_ceil(shape.rows)), each, ONE];
            planner.expert_product(product, key, used as u32, (chosen, weights, 0), grid)
        };
        let mut drafts = vec![route.clone()];
        drafts.extend(first.iter().flat_map(|product| one_by_one(self, product)));
        drafts.push(between.clone());
        drafts.extend(one_by_one(self, &last));
        let coded = [op.gate, op.up, op.down].iter().all(|id| is_coded(self.program.weight(*id).dtype));
        let mut variants = vec![Variant::new(FEW, drafts)];
        let tiles = self.expert_tiles_for(op, coded);
        if coded {
            let most = tiles.first().map_or(ANY, |(rows, _)| *rows);
            let kinds = if most <= SOME { vec![(most, 1)] } else { vec![(SOME, 1), (most, 4)] };
            for (upto, groups) in kinds {
                let pairs = (chosen, weights);
                let drafts = self.expert_rows(op, upto, groups, pairs, &route, &first, &between, &last);
                variants.push(Variant::new(upto, drafts));
            }
        }
        for (at, (_, tile)) in tiles.iter().enumerate() {
            let upto = tiles.get(at + 1).map_or(ANY, |(rows, _)| *rows);
            let drafts = self.expert_tiles(op, upto, tile, (chosen, weights, inner), &route);
            variants.push(Variant::new(upto, drafts));
        }
        if let Some(last) = variants.last_mut() {
            last.upto = ANY;
        }
        self.plan.actions.push(Action::Run { rows: Rows::Tokens, variants });
    }

    /// Gates and what they gate of every pair of a row and an expert, made at `inner`: one product, or two where types differ, which
    /// are then joined and prepared for the next product.
    fn first_products(&mut self, op: &Experts, inner: u32) -> (Vec<ExpertProduct>, Option<Draft>) {
        let (gate, up) = (self.program.weight(op.gate), self.program.weight(op.up));
        let product = |matrices: Vec<WeightId>, biases, out, activated| ExpertProduct {
            matrices,
            biases,
            out,
            paired: true,
            activated,
            shared: op.routing.weighs_input,
        };
        if gate.dtype == up.dtype {
            let same = op.gate == op.up && op.gate_bias == op.up_bias;
            let matrices = if same { vec![op.gate] } else { vec![op.gate, op.up] };
            return (vec![product(matrices, [op.gate_bias, op.up_bias], inner, Some(op.act))], None);
        }
        let (used, width) = (op.routing.used as u32, gate.rows());
        let pairs = self.limits.tokens_max * used as usize;
        let made = self.plan.map.reserve(pairs * width);
        let products = vec![
            product(vec![op.gate], [op.gate_bias, None], made, None),
            product(vec![op.up], [op.up_bias, None], inner, None),
        ];
        let (format, stride) = (self.format(op.down, Load::One), blocks_of(width) * 32);
        self.room(format, pairs, stride);
        let join = gates_joined((made, inner, inner), (width, stride), op.act, Some(format), false, used);
        (products, Some(join))
    }

    /// A product with the matrices of experts, by a kernel that takes rows one by one or in tiles: once for each part of a stack. The
    /// places are those of what is chosen, of its weights, and of tiles.
    fn expert_product(
        &self,
        product: &ExpertProduct,
        key: Key,
        used: u32,
        (chosen, weights, tiles): (u32, u32, u32),
        grid: [Extent; 3],
    ) -> Vec<Draft> {
        let ExpertProduct { matrices, biases, out, paired, activated: act, shared } = product;
        let weight = self.program.weight(matrices[0]);
        let places: Vec<&[Place]> = matrices.iter().map(|id| self.plan.map.places(*id)).collect();
        let (first, last) = (places[0], places[places.len() - 1]);
        let key = key
            .of(weight.dtype)
            .with("MATRICES", matrices.len() as u32)
            .with("USED", used)
            .with("PAIRED", (*paired).into())
            .with("ACTIVATED", act.is_some().into())
            .with("SHARED", (*shared).into())
            .with("PARTED", (first.len() > 1).into());
        let key = act.map_or(key.clone(), |act| activated(key, act));
        let parts = first.iter().zip(last).map(|(first, last)| {
            let mut params = [first.planes, last.planes].concat();
            params.extend([blocks_of(weight.cols()) as u32, weight.rows() as u32, chosen, weights, *out]);
            params.extend(biases.map(|bias| self.vector_from_1(bias)));
            params.extend([tiles, first.first, first.count, 0, 0]);
            Draft {
                key: key.clone(),
                params,
                chunk: Some(first.chunk),
                cache: None,
                x: Some(self.format(matrices[0], Load::One)),
                from: None,
                grid,
            }
        });
        parts.collect()
    }

    /// More rows than a few: those of each expert together, so that its matrices are read once for all of them. The places are
    /// those of the chosen experts and of their weights.
    #[allow(clippy::too_many_arguments, reason = "what the kernels for few rows are made of too")]
    fn expert_rows(
        &mut self,
        op: &Experts,
        upto: u32,
        groups: u32,
        (chosen, weights): (u32, u32),
        route: &Draft,
        first: &[ExpertProduct],
        between: &Draft,
        last: &ExpertProduct,
    ) -> Vec<Draft> {
        let scratch = self.plan.map.scratch();
        let (used, tile) = (op.routing.used as u32, groups * 8);
        let sorted = self.sorted(op, upto, tile, chosen);
        let product = |product: &ExpertProduct| {
            let rows = self.program.weight(product.matrices[0]).rows() as u32;
            let key =
                Key::new(Kind::ExpertRows, threads_of(groups)).with("ROWS", MATROWS).with("GROUPS", groups);
            let grid = [Extent::Fixed(rows.div_ceil(MATROWS)), sorted.tiled, ONE];
            self.expert_product(product, key, used, (sorted.order, weights, sorted.tiles), grid)
        };
        let mut drafts = vec![route.clone(), sorted.sort.clone()];
        drafts.extend(first.iter().flat_map(product));
        drafts.push(between.clone());
        drafts.extend(product(&ExpertProduct { out: sorted.downs, ..last.clone() }));
        drafts.push(sorted.gather);
        // One variant runs at a time.
        self.plan.map.free_scratch_to(scratch);
        drafts
    }

    /// Pairs of up to `upto` rows and their experts in the order of experts, `tile` of each together.
    fn sorted(&mut self, op: &Experts, upto: u32, tile: u32, chosen: u32) -> Sorted {
        let (count, used) = (self.width(op.scores) as u32, op.routing.used as u32);
        let (width, inner_width) = (self.width(op.out), self.program.weight(op.gate).rows());
        let pairs = self.limits.tokens_max.min(upto as usize) * used as usize;
        let places = pairs.next_multiple_of(tile as usize) + (count * tile) as usize;
        let order = self.plan.map.reserve(places);
        let tiles = self.plan.map.reserve(places / tile as usize + 1);
        let downs = self.plan.map.reserve(pairs * width.max(inner_width));
        let plain =
            |key, params, grid| Draft { key, params, chunk: None, cache: None, x: None, from: None, grid };
        let key = Key::new(Kind::Sort, self.abilities.threads_max);
        let key = key.with("EXPERTS", count).with("USED", used).with("TILE", tile);
        let sort = plain(key, vec![chosen, order, tiles, 0], [ONE, ONE, ONE]);
        let key = Key::new(Kind::Gather, 256).with("USED", used);
        let grid = [Extent::Fixed((width as u32).div_ceil(256)), EACH, ONE];
        let gather = plain(key, vec![downs, self.at(op.out), width as u32, 0], grid);
        let tiled = Extent::Tiles { per: tile, times: used, kinds: count };
        Sorted { order, tiles, downs, tiled, sort, gather }
    }

    /// Tiles for the products of many rows with experts, each with the rows beyond which it is taken: where an expert's rows, evenly
    /// chosen, are three quarters of a tile. None where products of codes are all there is.
    fn expert_tiles_for(&self, op: &Experts, coded: bool) -> Vec<(u32, Tile)> {
        let format = self.expert_format(op);
        if coded && format == Format::Float {
            return Vec::new();
        }
        let side = if format == Format::Half { self.abilities.side } else { 0 };
        let (count, used) = (self.width(op.scores) as u32, op.routing.used as u32);
        let mut tiles: Vec<(u32, Tile)> = Vec::new();
        for tile in Tile::all(side).iter().filter(|tile| tile.t >= 32 && tile.k == 32) {
            // Other kernels for more than a few rows are for codes alone.
            let least = if tiles.is_empty() && !coded { FEW } else { tile.t * 3 / 4 * count / used };
            let known = tiles.last().is_some_and(|(_, known)| known.t == tile.t);
            if !known && least.max(FEW) < self.limits.tokens_max as u32 {
                tiles.push((least.max(FEW), *tile));
            }
        }
        tiles
    }

    /// How products in tiles with experts want their input.
    fn expert_format(&self, op: &Experts) -> Format {
        let half = |id: &WeightId| self.format(*id, Load::Many) == Format::Half;
        if [op.gate, op.up, op.down].iter().all(half) { Format::Half } else { Format::Float }
    }

    /// Many rows: those of each expert in tiles. Gates and what they gate are made apart, then joined.
    fn expert_tiles(
        &mut self,
        op: &Experts,
        upto: u32,
        tile: &Tile,
        (chosen, weights, inner): (u32, u32, u32),
        route: &Draft,
    ) -> Vec<Draft> {
        let scratch = self.plan.map.scratch();
        let (used, format) = (op.routing.used as u32, self.expert_format(op));
        let sorted = self.sorted(op, upto, tile.t, chosen);
        let (inner_width, stride) = (self.program.weight(op.gate).rows(), self.width(op.x));
        let rows = self.limits.tokens_max;
        let x = self.convert(self.at(op.x), stride, format, rows, EACH);
        let stride = blocks_of(inner_width) * 32;
        self.room(format, rows * used as usize, stride);
        // Gates lie where the last products will: they are joined by then.
        let same = op.gate == op.up && op.gate_bias == op.up_bias;
        let gates = if same { inner } else { sorted.downs };
        let join =
            gates_joined((gates, inner, inner), (inner_width, stride), op.act, Some(format), false, used);
        let gate = (op.gate, op.gate_bias, gates);
        let up = (op.up, op.up_bias, inner);
        let products = match (same, self.dtype(op.gate) == self.dtype(op.up)) {
            (true, _) => vec![vec![up]],
            (_, true) => vec![vec![gate, up]],
            (_, false) => vec![vec![gate], vec![up]],
        };
        let weighs = op.routing.weighs_input;
        let product = |matrices: &[(WeightId, Option<WeightId>, u32)], paired: bool| {
            self.expert_tiled(matrices, tile, format, (used, paired, paired == weighs), weights, &sorted)
        };
        let mut drafts = vec![route.clone(), sorted.sort.clone(), x];
        drafts.extend(products.iter().flat_map(|matrices| product(matrices, true)));
        drafts.push(join);
        drafts.extend(product(&[(op.down, op.down_bias, sorted.downs)], false));
        drafts.push(sorted.gather.clone());
        self.ready.iter_mut().for_each(|ready| _ = ready.remove(&format));
        self.plan.map.free_scratch_to(scratch);
        drafts
    }

    /// Products in tiles with matrices of experts, of one type: each with its bias and where the results go. Once for each part of
    /// a stack.
    fn expert_tiled(
        &self,
        matrices: &[(WeightId, Option<WeightId>, u32)],
        tile: &Tile,
        format: Format,
        (used, paired, shared): (u32, bool, bool),
        weights: u32,
        sorted: &Sorted,
    ) -> Vec<Draft> {
        let weight = self.program.weight(matrices[0].0);
        let (blocks, rows) = (blocks_of(weight.cols()) as u32, weight.rows() as u32);
        let groups = rows.div_ceil(tile.n);
        let side = if format == Format::Half { self.abilities.side } else { 0 };
        let key = tile.key(weight.dtype, blocks, side).with("EXPERTS", 1).with("USED", used);
        let key = key.with("PAIRED", paired.into()).with("SHARED", shared.into());
        let ids: Vec<WeightId> = matrices.iter().map(|(id, ..)| *id).collect();
        let key = self.fitted(key, &ids, true);
        let parts = self.plan.map.places(matrices[0].0).iter().enumerate().map(|(at, place)| {
            let mut params = vec![blocks, 0, matrices.len() as u32, 0];
            for (i, (matrix, bias, out)) in matrices.iter().enumerate() {
                params.extend([i as u32 * groups, rows, *out, self.vector_from_1(*bias)]);
                params.extend(self.plan.map.places(*matrix)[at].planes);
            }
            params.resize(4 + 12 * 4, 0);
            params.extend([sorted.order, sorted.tiles, weights, place.first, place.count, 0, 0, 0]);
            Draft {
                key: key.clone(),
                params,
                chunk: Some(place.chunk),
                cache: None,
                x: Some(format),
                from: None,
                grid: [sorted.tiled, Extent::Fixed(groups * matrices.len() as u32), ONE],
            }
        });
        parts.collect()
    }
}

/// Where pairs of rows and experts lie in the order of experts, and what sorts them and adds up what they give.
struct Sorted {
    order: u32,
    /// How many tiles there are, and the expert of each.
    tiles: u32,
    /// A row for each pair, as wide as any.
    downs: u32,
    tiled: Extent,
    sort: Draft,
    gather: Draft,
}

/// A product with matrices of experts.
#[derive(Clone)]
struct ExpertProduct {
    /// Gates and what they gate, or one.
    matrices: Vec<WeightId>,
    biases: [Option<WeightId>; 2],
    out: u32,
    /// A result for each pair of a row and an expert; else those of a row are added up.
    paired: bool,
    /// How gates and what they gate become one, where they do.
    activated: Option<Activation>,
    /// Whether it is weighed by the expert's share.
    shared: bool,
}

/// The kernel that makes gates and what they gate one. The places are theirs and the result's; `width` and `stride` those of a
/// row and of a prepared one; `times` how often a row of the batch counts.
fn gates_joined(
    (gate, up, out): (u32, u32, u32),
    (width, stride): (usize, usize),
    act: Activation,
    format: Option<Format>,
    keep: bool,
    times: u32,
) -> Draft {
    let key =
        Key::new(Kind::Gate, 64).with("KEEP", keep.into()).with("FORMAT", format.map_or(0, Format::constant));
    let params = vec![gate, up, out, width as u32, stride as u32, 0, 0, 0];
    let grid = [Extent::Fixed((stride as u32 / 4).div_ceil(64)), Extent::Rows(times), ONE];
    Draft { key: activated(key, act), params, chunk: None, cache: None, x: format, from: None, grid }
}

/// A matrix of a product with several: where its result goes, and its bias, from 1 on.
#[derive(Clone, Copy)]
struct Part {
    weight: WeightId,
    out: u32,
    bias: u32,
}

/// How a product with many rows is divided into tiles.
#[derive(Clone, Copy)]
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
    /// Whether the depth may be divided.
    split: bool,
}

impl Tile {
    /// With squares of this side, `t` rows by `n` rows of the matrix, of which subgroups make `sub`.
    const fn new(upto: u32, (t, n, k): (u32, u32, u32), sub: (u32, u32)) -> Tile {
        Tile { upto, t, n, k, sub: Some(sub), expanded: false, split: true }
    }

    /// `side`: of the squares that the device multiplies at once, or 0.
    fn all(side: u32) -> &'static [Tile] {
        match side {
            // Of codes a thread expands sixteen at a time: with more it has too much to hold.
            16 => {
                &const {
                    [
                        Tile::new(16, (16, 64, 64), (16, 16)),
                        // Of two for as many rows, the first whose depth fits.
                        Tile::new(32, (32, 128, 64), (32, 32)),
                        Tile::new(32, (32, 64, 32), (32, 16)),
                        Tile::new(64, (64, 64, 32), (32, 32)),
                        Tile::new(128, (128, 128, 32), (64, 64)),
                        Tile { expanded: true, split: false, ..Tile::new(ANY, (128, 128, 32), (64, 64)) },
                    ]
                }
            }
            8 => {
                &const {
                    [
                        Tile::new(32, (32, 64, 32), (16, 32)),
                        Tile::new(64, (64, 64, 32), (32, 32)),
                        Tile { split: false, ..Tile::new(ANY, (64, 64, 32), (32, 32)) },
                    ]
                }
            }
            _ => &const { [Tile { split: false, sub: None, ..Tile::new(ANY, (64, 64, 32), (0, 0)) }] },
        }
    }

    fn threads(&self) -> u32 {
        match self.sub {
            None => self.t / 4 * (self.n / 4),
            Some((t, n)) => self.t / t * (self.n / n) * 32,
        }
    }

    /// For rows of so many blocks.
    fn key(&self, dtype: DType, blocks: u32, side: u32) -> Key {
        self.split_key(dtype, blocks, 1, side)
    }

    fn split_key(&self, dtype: DType, blocks: u32, splits: u32, side: u32) -> Key {
        let tiled = |threads| {
            let key = Key::new(Kind::MatMul, threads).of(dtype);
            key.with("TILE_T", self.t).with("TILE_N", self.n).with("TILE_K", self.k)
        };
        // Values of the matrix that a thread loads at once; of x four.
        let whole_blocks = (self.n * self.k / 32).is_multiple_of(self.threads());
        let w_each = if dtype == DType::F16 { 4 } else { 16 << u32::from(whole_blocks) };
        match self.sub {
            None => tiled(self.threads()),
            Some((t, n)) => tiled(self.threads())
                .with("SUB_T", t)
                .with("SUB_N", n)
                .with("SIDE", side)
                .with("SINGLE", (side == 8).into())
                .with("SQUARES_T", t / side)
                .with("SQUARES_N", n / side)
                .with("SPLIT_ROWS", if splits > 1 { self.upto } else { 0 })
                .with("BLOCKS", blocks)
                .with("SPLIT", blocks / splits)
                .with("DEPTH", self.k / side)
                .with("LOADS_X", self.t * self.k / 4 / self.threads())
                .with("LOADS_W", self.n * self.k / w_each / self.threads())
                .with("W_EACH", w_each)
                .with("W_FOURS", w_each / 4)
                .with("WHOLE_BLOCKS", whole_blocks.into()),
        }
    }
}

/// How a matrix-vector product is divided.
#[derive(Clone, Copy)]
struct Shape {
    threads: u32,
    /// Rows of the matrix to a workgroup.
    rows: u32,
    /// Whether a thread adds up a result of the whole workgroup, in place of subgroups.
    gathers: bool,
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let gathered = if self.gathers { ", gathered" } else { "" };
        write!(f, "{} threads for {} rows{gathered}", self.threads, self.rows)
    }
}

impl Shape {
    /// What is chosen between; first what is taken where nothing is known.
    fn options(dtype: DType, blocks: u32, tokens: u32, matrices: u32) -> Vec<Shape> {
        let usual = Shape::of(dtype, blocks, tokens, matrices);
        let other = |threads, rows: u32, gathers| Shape { threads, rows: rows / matrices, gathers };
        match tokens {
            _ if blocks < 32 => vec![usual],
            1 => vec![usual, other(128, 4, false), other(256, 2, false)],
            FEW if is_coded(dtype) => vec![other(32, 4, true), usual],
            FEW => vec![usual, other(128, 4, false)],
            _ => vec![usual],
        }
    }

    fn of(dtype: DType, blocks: u32, tokens: u32, matrices: u32) -> Shape {
        let units = if is_coded(dtype) { blocks } else { blocks * 4 };
        let threads = match units {
            0..48 => 32,
            96.. if tokens == 1 => 128,
            _ => 64,
        };
        let rows = if tokens >= 4 || threads == 32 { 4 } else { 2 };
        Shape { threads, rows: if matrices == 2 { rows / 2 } else { rows }, gathers: false }
    }

    fn key(&self, dtype: DType, tokens: u32, matrices: u32) -> Key {
        let key = Key::new(Kind::MatVec, self.threads)
            .of(dtype)
            .with("ROWS", self.rows)
            .with("NT", tokens)
            .with("MATRICES", matrices);
        if self.gathers { key.with("GATHERS", 1) } else { key }
    }
}
