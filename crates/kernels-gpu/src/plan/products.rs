//! Products of rows and matrices.

use tandem_tensor::{Activation, BufId, DType, Experts, LinearPart, Rows, Score, WeightId};

use super::{ANY, Action, Draft, EACH, Extent, FEW, Load, ONE, Planner, Variant, activated};
use crate::kernels::{Key, Kind};
use crate::memory::{Format, prepared_len, rows_max};
use crate::packing::{blocks_of, is_coded};

/// Most values of matrices that are expanded to half floats for one product.
const EXPANDED_MAX: usize = 1 << 28;
const EXPAND_THREADS: u32 = 128;
const SUM_THREADS: u32 = 256;
/// Rows of activations that a matrix-vector kernel takes at once.
const TOKENS: [u32; 4] = [1, 2, 4, FEW];
/// Workgroups that keep a large device busy.
const WORKGROUPS: u32 = 1056;

/// Threads that make gates and what they gate, 32 of each.
const GATE_UP_THREADS: u32 = 512;
/// Rows of a matrix to a workgroup of products with some rows of activations.
const MATROWS: u32 = 16;

/// Threads of such a workgroup, which takes so many groups of eight rows of activations.
const fn threads_of(groups: u32) -> u32 {
    let threads = MATROWS * groups * 4;
    if threads < 256 { 256 } else { threads }
}

impl Planner<'_> {
    pub(super) fn linear(&mut self, x: BufId, parts: &[LinearPart]) {
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
            variants.extend(self.mat_rows(x, &parts));
            variants.extend(self.mat_muls(x, &parts));
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
            x: Some(self.input(x, parts[0].weight, if tokens == 1 { Load::One } else { Load::Few })),
            from: None,
            grid: [Extent::Fixed(groups), Extent::PerRows(tokens), ONE],
        };
        Variant::new(tokens, vec![draft])
    }

    /// Products of coded matrices with some rows, where the device has no cooperative matrices.
    fn mat_rows(&self, x: BufId, parts: &[Part]) -> Vec<Variant> {
        let dtype = self.program.weight(parts[0].weight).dtype;
        if !is_coded(dtype) || self.abilities.cooperative {
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
                chunk: Some(self.plan.map.places[&parts[0].weight].chunk),
                cache: None,
                x: Some(self.format(parts[0].weight, Load::Some)),
                from: None,
                grid: [Extent::Fixed(workgroups), Extent::PerRows(groups * 8), ONE],
            };
            Variant::new(groups * 8, vec![draft])
        });
        let mut variants: Vec<Variant> = variants.collect();
        if let Some(last) = variants.last_mut() {
            last.upto = Load::Some.upto();
        }
        variants
    }

    /// Products with more rows than a matrix-vector product takes.
    fn mat_muls(&mut self, x: BufId, parts: &[Part]) -> Vec<Variant> {
        let dtype = self.program.weight(parts[0].weight).dtype;
        let format = self.format(parts[0].weight, Load::Many);
        // A tile is never deeper than what is left of a row.
        let depth = blocks_of(self.width(x)) as u32 * 32;
        let tiles = Tile::all(format == Format::Half).iter().filter(|tile| depth.is_multiple_of(tile.k));
        // Without cooperative matrices, some rows of coded ones have a kernel of their own.
        let rows_known = is_coded(dtype) && !self.abilities.cooperative;
        let least = if rows_known { Load::Some.upto() } else { FEW };
        let mut variants = Vec::new();
        for tile in tiles.filter(|tile| tile.upto > least) {
            let scratch = self.plan.map.scratch();
            let expanded =
                if tile.expanded && is_coded(dtype) { self.expanded(x, parts, tile) } else { None };
            let drafts = expanded.unwrap_or_else(|| self.tiled(x, parts, tile));
            variants.push(Variant::new(tile.upto, drafts));
            // One variant runs at a time.
            self.plan.map.free_scratch_to(scratch);
        }
        variants
    }

    /// Products in tiles. Where few tiles have few rows each, their depth is divided, so that the whole device has work.
    fn tiled(&mut self, x: BufId, parts: &[Part], tile: &Tile) -> Vec<Draft> {
        let weight = parts[0].weight;
        let dtype = self.program.weight(weight).dtype;
        let (mut params, groups) = self.part_params(x, parts, tile.n);
        let tiles = blocks_of(self.width(x)) as u32 * 32 / tile.k;
        let wanted = if tile.split { (WORKGROUPS / groups).clamp(1, tiles.div_ceil(2)) } else { 1 };
        let each = tiles.div_ceil(wanted);
        let splits = tiles.div_ceil(each);
        let mut draft = Draft {
            key: tile.key(dtype, 0),
            params: params.clone(),
            chunk: Some(self.plan.map.places[&weight].chunk),
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
        params[3] = each * tile.k / 32;
        draft.key = tile.key(dtype, tile.upto);
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

    /// Products with the matrices expanded first. `None` where they are too large for that.
    fn expanded(&mut self, x: BufId, parts: &[Part], tile: &Tile) -> Option<Vec<Draft>> {
        let mut drafts = Vec::new();
        let (mut params, groups) = self.part_params(x, parts, tile.n);
        let mut end = 0;
        for (i, part) in parts.iter().enumerate() {
            let weight = self.program.weight(part.weight);
            let values = weight.rows() * blocks_of(weight.cols()) * 32;
            let place = self.plan.map.places[&part.weight];
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
            key: tile.key(DType::F16, 0),
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
            params.extend(self.plan.map.places[&part.weight].planes);
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
        self.prepare(x, gate);
        self.forget(out);
        let mut variants: Vec<Variant> = self.gate_up(at, x, gate, up, act, out).into_iter().collect();
        let (first, second) = (self.plan.map.places[&gate], self.plan.map.places[&up]);
        let blocks = blocks_of(self.width(x)) as u32;
        let rows = gates.rows() as u32;
        variants.extend(TOKENS.into_iter().map(|tokens| {
            let shape = Shape::of(gates.dtype, blocks, tokens, 2);
            let mut params = vec![blocks, self.rows_index(x), 1, 0, 0, rows, self.at(out), 0];
            params.extend(first.planes);
            params.extend(second.planes);
            params.resize(4 + 12 * 4, 0);
            let draft = Draft {
                key: activated(shape.key(gates.dtype, tokens, 2), act),
                params,
                chunk: Some(first.chunk),
                cache: None,
                x: Some(self.format(gate, Load::Few)),
                from: None,
                grid: [Extent::Fixed(rows.div_ceil(shape.rows)), Extent::PerRows(tokens), ONE],
            };
            Variant::new(tokens, vec![draft])
        }));
        // With more rows both products are made, then joined.
        let width = self.width(out);
        let made = self.plan.map.reserve(rows_max(self.rows(out), self.limits) * width);
        let parts =
            [Part { weight: gate, out: made, bias: 0 }, Part { weight: up, out: self.at(out), bias: 0 }];
        let mut products = self.mat_rows(x, &parts);
        products.extend(self.mat_muls(x, &parts));
        let mut least = FEW;
        for load in [Load::Some, Load::Many] {
            let join = self.join(at, made, act, out, load);
            for product in products.iter().filter(|product| product.upto > least) {
                let drafts = product.drafts.iter().chain([&join]).cloned().collect();
                variants.push(Variant::new(product.upto.min(load.upto()), drafts));
                if product.upto >= load.upto() {
                    break;
                }
            }
            least = load.upto();
        }
        self.plan.actions.push(Action::Run { rows: self.rows(x), variants });
    }

    /// Gates, made at `made`, and what they gate, made in `out`, become one.
    fn join(&mut self, at: usize, made: u32, act: Activation, out: BufId, load: Load) -> Draft {
        let (formats, plain) = self.wanted(at, out, load);
        let format = formats.first().copied();
        let (width, stride) = (self.width(out) as u32, prepared_len(self.program.buf(out)));
        let key = Key::new(Kind::Gate, 64)
            .with("KEEP", plain.into())
            .with("FORMAT", format.map_or(0, Format::constant));
        let params = vec![made, self.at(out), self.at(out), width, stride as u32, 0, 0, 0];
        let grid = [Extent::Fixed((stride as u32 / 4).div_ceil(64)), EACH, ONE];
        if let Some(format) = format {
            self.room(format, self.rows_of(out, load), stride);
            self.ready(load).insert(format, out);
        }
        Draft { key: activated(key, act), params, chunk: None, cache: None, x: format, from: None, grid }
    }

    /// Both products of one row, prepared at once for the product that follows, where nothing else reads them.
    fn gate_up(
        &mut self,
        at: usize,
        x: BufId,
        gate: WeightId,
        up: WeightId,
        act: Activation,
        out: BufId,
    ) -> Option<Variant> {
        let (dtype, width) = (self.program.weight(gate).dtype, self.width(out));
        let (formats, plain) = self.wanted(at, out, Load::One);
        let fits = formats == [Format::Eight] && !plain && width.is_multiple_of(32);
        if !is_coded(dtype) || !fits || self.input(x, gate, Load::One) != Format::Eight {
            return None;
        }
        let (first, second) = (self.plan.map.places[&gate], self.plan.map.places[&up]);
        let mut params = vec![blocks_of(self.width(x)) as u32, width as u32, 0, 0];
        params.extend(first.planes);
        params.extend(second.planes);
        self.room(Format::Between, 1, width);
        self.ready(Load::One).insert(Format::Between, out);
        let threads = GATE_UP_THREADS.min(self.abilities.threads_max);
        let draft = Draft {
            key: activated(
                Key::new(Kind::GateUp, threads).of(dtype).with("FORMAT", Format::Between.constant()),
                act,
            ),
            params,
            chunk: Some(first.chunk),
            cache: None,
            x: Some(Format::Between),
            from: Some(Format::Eight),
            grid: [Extent::Fixed(width as u32 / 32), ONE, ONE],
        };
        Some(Variant::new(1, vec![draft]))
    }

    pub(super) fn experts(&mut self, op: &Experts) {
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
        let route =
            Draft { key, params, chunk: None, cache: None, x: None, from: None, grid: [EACH, ONE, ONE] };

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
                    .with("USED", used as u32);
                let key = activated(key, op.act);
                let grid = [Extent::Fixed(rows.div_ceil(shape.rows)), each, ONE];
                let x = Some(planner.format(matrices[0], Load::Few));
                Draft { key, params, chunk: Some(places[0].chunk), cache: None, x, from: None, grid }
            };
        // Experts read what matrix-vector products do, however many rows there are.
        let format = self.format(op.gate, Load::Few);
        let drafts = Load::ALL.map(|load| {
            if self.ready(load).insert(format, op.x) == Some(op.x) {
                return vec![];
            }
            vec![self.convert(self.at(op.x), self.width(op.x), format, self.rows_of(op.x, load), EACH)]
        });
        self.run_each(Rows::Tokens, drafts);
        let gate =
            expert(self, &[op.gate, op.up], inner, [op.gate_bias, op.up_bias], Extent::Rows(used as u32));
        let down_format = self.format(op.down, Load::Few);
        let convert =
            self.convert(inner, gates.rows(), down_format, tokens * used, Extent::Rows(used as u32));
        self.ready.iter_mut().for_each(|ready| _ = ready.remove(&down_format));
        let down = expert(self, &[op.down], self.at(op.out), [op.down_bias, None], EACH);
        let coded = |id: WeightId| is_coded(self.program.weight(id).dtype);
        let variants = if coded(op.gate) && coded(op.down) {
            let mut variants = vec![Variant::new(FEW, vec![route.clone(), gate, convert.clone(), down])];
            for (load, groups) in [(Load::Some, 1), (Load::Many, 4)] {
                let scratch = self.plan.map.scratch();
                let drafts = self.expert_rows(op, load, groups, (chosen, weights, inner), [&route, &convert]);
                variants.push(Variant::new(load.upto(), drafts));
                self.plan.map.free_scratch_to(scratch);
            }
            variants
        } else {
            vec![Variant::new(ANY, vec![route, gate, convert, down])]
        };
        self.plan.actions.push(Action::Run { rows: Rows::Tokens, variants });
    }

    /// More rows than a few: those of each expert together, so that its matrices are read once for all of them. The places are
    /// those of the chosen experts, of their weights, and of what the first products give.
    fn expert_rows(
        &mut self,
        op: &Experts,
        load: Load,
        groups: u32,
        (chosen, weights, inner): (u32, u32, u32),
        [route, convert]: [&Draft; 2],
    ) -> Vec<Draft> {
        let (count, used) = (self.width(op.scores) as u32, op.routing.used as u32);
        let (tile, width) = (groups * 8, self.width(op.out));
        let pairs = self.limits.tokens_max.min(load.upto() as usize) * used as usize;
        let places = pairs.next_multiple_of(tile as usize) + (count * tile) as usize;
        let order = self.plan.map.reserve(places);
        let tiles = self.plan.map.reserve(places / tile as usize + 1);
        let downs = self.plan.map.reserve(pairs * width);
        let plain =
            |key, params, grid| Draft { key, params, chunk: None, cache: None, x: None, from: None, grid };
        let key = Key::new(Kind::Sort, 256).with("EXPERTS", count).with("USED", used).with("TILE", tile);
        let sort = plain(key, vec![chosen, order, tiles, 0], [ONE, ONE, ONE]);
        let product = |matrices: &[WeightId], out: u32, biases: [Option<WeightId>; 2]| {
            let weight = self.program.weight(matrices[0]);
            let at: Vec<_> = matrices.iter().map(|id| self.plan.map.places[id]).collect();
            let rows = weight.rows() as u32;
            let mut params = at[0].planes.to_vec();
            params.extend(at.last().expect("one at least").planes);
            params.extend([blocks_of(weight.cols()) as u32, rows, order, weights, out]);
            params.extend(biases.map(|bias| self.vector_from_1(bias)));
            params.push(tiles);
            let key = Key::new(Kind::ExpertRows, threads_of(groups))
                .of(weight.dtype)
                .with("ROWS", MATROWS)
                .with("GROUPS", groups)
                .with("MATRICES", matrices.len() as u32)
                .with("USED", used);
            Draft {
                key: activated(key, op.act),
                params,
                chunk: Some(at[0].chunk),
                cache: None,
                x: Some(self.format(matrices[0], Load::Few)),
                from: None,
                grid: [
                    Extent::Fixed(rows.div_ceil(MATROWS)),
                    Extent::Tiles { per: tile, times: used, kinds: count },
                    ONE,
                ],
            }
        };
        let gate = product(&[op.gate, op.up], inner, [op.gate_bias, op.up_bias]);
        let down = product(&[op.down], downs, [op.down_bias, None]);
        let key = Key::new(Kind::Gather, 256).with("USED", used);
        let grid = [Extent::Fixed((width as u32).div_ceil(256)), EACH, ONE];
        let gather = plain(key, vec![downs, self.at(op.out), width as u32, 0], grid);
        vec![route.clone(), sort, gate, convert.clone(), down, gather]
    }
}

/// A matrix of a product with several: where its result goes, and its bias, from 1 on.
struct Part {
    weight: WeightId,
    out: u32,
    bias: u32,
}

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
    /// Whether the depth may be divided.
    split: bool,
}

impl Tile {
    fn all(cooperative: bool) -> &'static [Tile] {
        if cooperative {
            // Of codes a thread expands sixteen at a time: with more it has too much to hold.
            &[
                Tile { upto: 16, t: 16, n: 64, k: 64, sub: Some((16, 16)), expanded: false, split: true },
                Tile { upto: 32, t: 32, n: 64, k: 32, sub: Some((32, 16)), expanded: false, split: true },
                Tile { upto: 64, t: 64, n: 64, k: 32, sub: Some((32, 32)), expanded: false, split: true },
                Tile { upto: 128, t: 128, n: 128, k: 32, sub: Some((64, 64)), expanded: false, split: true },
                Tile { upto: ANY, t: 128, n: 128, k: 32, sub: Some((64, 64)), expanded: true, split: false },
            ]
        } else {
            &[Tile { upto: ANY, t: 64, n: 64, k: 32, sub: None, expanded: false, split: false }]
        }
    }

    fn threads(&self) -> u32 {
        match self.sub {
            None => self.t / 4 * (self.n / 4),
            Some((t, n)) => self.t / t * (self.n / n) * 32,
        }
    }

    /// `split_rows`: rows of a split's results, where there are splits.
    fn key(&self, dtype: DType, split_rows: u32) -> Key {
        let tiled = |threads| {
            let key = Key::new(Kind::MatMul, threads).of(dtype);
            key.with("TILE_T", self.t).with("TILE_N", self.n).with("TILE_K", self.k)
        };
        // Values that a thread loads at once.
        let (x_each, w_each) = if dtype == DType::F16 { (4, 4) } else { (8, 16) };
        match self.sub {
            None => tiled(self.threads()),
            Some((t, n)) => tiled(self.threads())
                .with("SUB_T", t)
                .with("SUB_N", n)
                .with("SQUARES_T", t / 16)
                .with("SQUARES_N", n / 16)
                .with("SPLIT_ROWS", split_rows)
                .with("DEPTH", self.k / 16)
                .with("LOADS_X", self.t * self.k / x_each / self.threads())
                .with("LOADS_W", self.n * self.k / w_each / self.threads()),
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
