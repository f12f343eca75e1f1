//! Experts: which of them a row takes, and the products with their matrices.

use tandem_tensor::{Activation, Experts, Rows, Score, WeightId};

use super::division::{Shape, Tile};
use super::products::{MATROWS, SOME, gates_joined, threads_of};
use super::{ANY, Action, Draft, EACH, Extent, FEW, Load, ONE, Planner, Variant, activated};
use crate::kernels::{Key, Kind};
use crate::memory::{Format, Place};
use crate::packing::{blocks_of, is_coded};

impl Planner<'_> {
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
