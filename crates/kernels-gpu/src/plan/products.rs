//! Products of rows and matrices.

use tandem_tensor::{Activation, BufId, DType, LinearPart, WeightId};

use super::division::{Shape, Tile};
use super::taken::Taken;
use super::{Action, Draft, EACH, Extent, FEW, Load, ONE, Planner, Variant, activated};
use crate::kernels::{Key, Kind};
use crate::memory::{Format, prepared_len, rows_max};
use crate::packing::{blocks_of, is_coded};

/// Most values of matrices that are expanded to half floats for one product.
const EXPANDED_MAX: usize = 1 << 28;
const EXPAND_THREADS: u32 = 128;
const SUM_THREADS: u32 = 256;
/// Rows of activations that a matrix-vector kernel takes at once.
const TOKENS: [u32; 4] = [1, 2, 4, FEW];
/// Rows of a matrix of floats of which tiles are few.
const NARROW: usize = 512;
pub(super) const SOME: u32 = Load::Some.upto();
/// Workgroups that keep a large device busy.
const WORKGROUPS: u32 = 1056;

/// Threads that make gates and what they gate, 32 of each: what is chosen between.
const GATE_UP_THREADS: [u32; 3] = [512, 256, 1024];
/// Workgroups of products that norm their row on the way, each for itself, between which a device chooses.
const NORMING: [u32; 3] = [256, 512, 1024];
/// Rows of a matrix to a workgroup of products with some rows of activations.
pub(super) const MATROWS: u32 = 16;

/// Threads of such a workgroup, which takes so many groups of eight rows of activations.
pub(super) const fn threads_of(groups: u32) -> u32 {
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

    pub(super) fn dtype(&self, weight: WeightId) -> DType {
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
            let made = tile.options(is_coded(dtype)).into_iter().map(|tile| {
                let scratch = self.plan.map.scratch();
                let expanded =
                    if tile.expanded && is_coded(dtype) { self.expanded(x, parts, &tile) } else { None };
                let drafts = expanded.unwrap_or_else(|| self.tiled(x, parts, &tile));
                // One variant runs at a time.
                self.plan.map.free_scratch_to(scratch);
                (tile.to_string(), Variant::new(tile.upto, drafts))
            });
            let made = made.collect();
            let name = format!("{} products in tiles, {} rows", dtype.name(), tile.upto);
            variants.extend(self.optional(name, (tile.upto, 0), made));
        }
        variants
    }

    /// Products in tiles. Where few tiles have few rows each, their depth is divided, so that the whole device has work.
    fn tiled(&mut self, x: BufId, parts: &[Part], tile: &Tile) -> Vec<Draft> {
        let weight = parts[0].weight;
        let dtype = self.program.weight(weight).dtype;
        let (mut params, groups) = self.part_params(x, parts, tile.n);
        let tiles = blocks_of(self.width(x)) as u32 * 32 / tile.k;
        // Larger tiles keep a device busy with fewer of them, those of one subgroup with more.
        let busy = WORKGROUPS * 64 / tile.n * (64 / tile.threads()).max(1);
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
    pub(super) fn fitted(&self, key: Key, matrices: &[WeightId], otherwise: bool) -> Key {
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
}

/// The kernel that makes gates and what they gate one. The places are theirs and the result's; `width` and `stride` those of a
/// row and of a prepared one; `times` how often a row of the batch counts.
pub(super) fn gates_joined(
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
