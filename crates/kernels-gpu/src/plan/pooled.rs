//! Streams that are mixed, and attention over rows that are pooled and chosen.

use tandem_tensor::{
    AttendChosen, Blend, BufId, CacheId, Choose, ChooseRuns, Connect, Pool, RopeId, RopeStyle, Rounding,
    Rows, Store, WeightId,
};

use super::attention::{INDEX_GROUPS, INDEX_ROWS, INDEX_UNITS, Rotate, SCORES_MAX, applied, cache_constant};
use super::{ATTEND_THREADS, Draft, EACH, Extent, FEW, Load, ONE, Planner};
use crate::kernels::{Key, Kind};

/// Threads of an attention over listed rows, and most heads that one workgroup takes.
const THREADS: u32 = 64;
const HEADS: u32 = 4;

impl Planner<'_> {
    pub(super) fn spread(&mut self, x: BufId, out: BufId) {
        self.slice(x, 0, out);
    }

    pub(super) fn connect(&mut self, op: &Connect) {
        let params = vec![
            self.at(op.x),
            self.width(op.x) as u32,
            self.at(op.mixes),
            self.vector(op.scale),
            self.vector(op.base),
            op.rounds as u32,
            op.eps.to_bits(),
            op.floor.to_bits(),
        ];
        let key = Key::new(Kind::Connect, 256).with("N", op.streams as u32);
        let grid = [EACH, ONE, ONE];
        self.run(self.rows(op.x), vec![plain(key, params, grid)]);
    }

    pub(super) fn collapse(&mut self, x: BufId, mixes: BufId, out: BufId) {
        let width = self.width(out) as u32;
        let params = vec![self.at(x), self.at(mixes), self.at(out), width];
        let key = Key::new(Kind::Collapse, 256).with("N", self.width(x) as u32 / width);
        let grid = [Extent::Fixed(width.div_ceil(256)), EACH, ONE];
        self.run(self.rows(out), vec![plain(key, params, grid)]);
    }

    pub(super) fn mix(&mut self, x: BufId, y: BufId, mixes: BufId) {
        let width = self.width(y) as u32;
        let params = vec![self.at(x), self.at(y), self.at(mixes), width];
        let key = Key::new(Kind::Mix, 256).with("N", self.width(x) as u32 / width);
        let grid = [Extent::Fixed(width.div_ceil(256)), EACH, ONE];
        self.run(self.rows(y), vec![plain(key, params, grid)]);
    }

    pub(super) fn blend(&mut self, op: &Blend) {
        let mut params =
            vec![self.at(op.out), self.width(op.out) as u32, self.vector(op.weight), op.eps.to_bits()];
        params.extend(op.of.iter().map(|of| self.at(*of)));
        params.resize(params.len().next_multiple_of(4), 0);
        let key = Key::new(Kind::Blend, 256).with("COUNT", op.of.len() as u32);
        let grid = [EACH, ONE, ONE];
        self.run(self.rows(op.out), vec![plain(key, params, grid)]);
    }

    /// The results first, which read the state; then the state itself.
    pub(super) fn pool(&mut self, op: &Pool) {
        let width = self.width(op.x) as u32;
        let params = vec![self.at(op.x), self.at(op.gate), self.at(op.out), width, op.every as u32, 0, 0, 0];
        let drafts = [(0, EACH), (1, Extent::Spans)].map(|(keep, each)| Draft {
            cache: Some(self.state(op.state)),
            ..plain(
                Key::new(Kind::Pool, 64).with("KEEP", keep),
                params.clone(),
                [Extent::Fixed(width.div_ceil(64)), each, ONE],
            )
        });
        self.run(Rows::Tokens, drafts.to_vec());
    }

    pub(super) fn store(&mut self, op: &Store) {
        let rotate = self.turned(op.cache, op.x, 0, Some([op.x; 2]), op.rope, op.rounding);
        self.run(Rows::Tokens, vec![rotate]);
    }

    /// Queries are turned and rounded where they lie; then rows are scored and chosen, some of the batch's at a time, for whose scores there is
    /// room.
    pub(super) fn choose_rows(&mut self, op: &Choose) {
        let (tokens, context) = (self.limits.tokens_max, self.limits.context_max);
        let cache = self.program.caches[op.cache.index()];
        let place = self.plan.map.caches[op.cache.index()];
        let (heads, key_dim) = (op.heads as u32, cache.key_dim as u32);
        let rotate = self.turned(op.cache, op.q, heads, None, op.rope, op.rounding);
        let rows = (SCORES_MAX / context).clamp(FEW as usize, tokens.max(FEW as usize));
        let scores = self.plan.map.reserve(rows * context);
        let here = op.blocks.filter(|blocks| blocks.chosen_here);
        let runs_stride = here.map_or(0, |blocks| context.div_ceil(blocks.len));
        let runs = self.plan.map.reserve(rows * runs_stride);
        let units = key_dim.div_ceil(8);
        let listed = op.blocks.filter(|blocks| !blocks.chosen_here);
        let list = listed.map_or(0, |blocks| self.at(blocks.list));
        let among = |key: Key| {
            let key = key.with("EVERY", cache.every as u32).with("LISTED", listed.is_some().into());
            match op.blocks {
                None => key,
                Some(blocks) => {
                    key.with("RUN", blocks.len as u32).with("LIST_WIDTH", self.width(blocks.list) as u32)
                }
            }
        };
        let score = among(Key::new(Kind::ScoreRows, ATTEND_THREADS))
            .with("BLOCK_ROWS", cache.block_rows(self.limits.block_len) as u32)
            .with("KU", units)
            .with("KEY_DIM", key_dim)
            .with("AT_ONCE", (INDEX_UNITS / units).clamp(1, heads))
            .with("CACHE", cache_constant(self.limits));
        let threads = self.abilities.threads_max;
        let (rows, context) = (rows as u32, context as u32);
        let drafts = Load::ALL.map(|load| {
            let groups = INDEX_GROUPS / load.upto().min(INDEX_ROWS);
            let mut drafts = vec![rotate.clone()];
            for row in (0..tokens as u32).step_by(rows as usize).take_while(|row| *row < load.upto()) {
                let piece = Extent::Piece { first: row, rows };
                let mut params = vec![place.keys, place.values, place.key_scales, place.value_scales];
                params.extend([self.at(op.q), self.at(op.weights), scores, context]);
                params.extend([heads, row, self.limits.block_len as u32, list, groups, 0, 0, 0]);
                let grid = [Extent::Fixed(groups), piece, ONE];
                let cache = Some(op.cache.index());
                drafts.push(Draft { cache, ..plain(score.clone(), params, grid) });
                let choose = |scores, stride, to: BufId, key: Key| {
                    let params = vec![scores, stride, self.at(to), self.width(to) as u32, row, list, 1, 0];
                    plain(key, params, [piece, ONE, ONE])
                };
                let key = among(Key::new(Kind::ChooseRows, threads)).with("ROWS", 1);
                drafts.push(choose(scores, context, op.out, key));
                if let Some(blocks) = here {
                    let stride = runs_stride as u32;
                    let params = vec![scores, context, runs, stride, row, 0, 0, 0];
                    drafts.push(plain(among(Key::new(Kind::Runs, 256)), params, [piece, ONE, ONE]));
                    let key = among(Key::new(Kind::ChooseRows, threads)).with("RUNS", 1);
                    drafts.push(choose(runs, stride, blocks.list, key));
                }
            }
            drafts
        });
        self.run_each(Rows::Tokens, drafts);
    }

    /// As [`Self::choose_rows`], of runs of keys and for every head by itself; this step's keys are stored first.
    pub(super) fn choose_runs(&mut self, op: &ChooseRuns) {
        let (tokens, id) = (self.limits.tokens_max, op.cache.index());
        let (place, key_dim) = (self.plan.map.caches[id], self.program.caches[id].key_dim as u32);
        let (heads, run) = (op.heads as u32, op.len as u32);
        let rotate = self.rotate(&Rotate {
            cache: id,
            q: op.q,
            kv: Some([op.k; 2]),
            heads,
            q_dim: key_dim,
            q_norm: None,
            k_norm: None,
            k_bias: None,
            k_normed: key_dim,
            rotated: (0, 0),
            rope: Some(op.rope.index()),
            q_out: (self.at(op.q), heads * key_dim, key_dim, 0),
            growth: None,
        });
        let stride = self.limits.context_max.div_ceil(op.len);
        let rows = (SCORES_MAX / (op.heads * stride)).clamp(FEW as usize, tokens.max(FEW as usize));
        let scores = self.plan.map.reserve(rows * op.heads * stride);
        let count = (self.width(op.out) / op.heads) as u32;
        let score = Key::new(Kind::ScoreRuns, ATTEND_THREADS)
            .with("RUN", run)
            .with("KU", key_dim.div_ceil(8))
            .with("KEY_DIM", key_dim)
            .with("CACHE", cache_constant(self.limits));
        let choose = Key::new(Kind::ChooseRows, self.abilities.threads_max)
            .with("EVERY", 1)
            .with("LISTED", 0)
            .with("RUN", run)
            .with("RUNS", 1);
        let (rows, stride) = (rows as u32, stride as u32);
        let drafts = Load::ALL.map(|load| {
            let groups = INDEX_GROUPS / load.upto().min(INDEX_ROWS);
            let mut drafts = vec![rotate.clone()];
            for row in (0..tokens as u32).step_by(rows as usize).take_while(|row| *row < load.upto()) {
                let piece = Extent::Piece { first: row, rows };
                let mut params = vec![place.keys, place.values, place.key_scales, place.value_scales];
                params.extend([self.at(op.q), scores, stride, heads, row]);
                params.extend([self.limits.block_len as u32, op.local as u32, groups]);
                let grid = [Extent::Fixed(groups), piece, Extent::Fixed(heads)];
                drafts.push(Draft { cache: Some(id), ..plain(score.clone(), params, grid) });
                let params = vec![scores, stride, self.at(op.out), count, row, 0, heads, 0];
                drafts.push(plain(choose.clone(), params, [piece, Extent::Fixed(heads), ONE]));
            }
            drafts
        });
        self.run_each(Rows::Tokens, drafts);
    }

    /// Over the window, and then over the listed rows where there are any: they lie in different caches.
    pub(super) fn attend_listed(&mut self, op: &AttendChosen) {
        let cache = self.program.caches[op.cache.index()];
        let (heads, dim) = (op.heads as u32, cache.key_dim as u32);
        let units = dim.div_ceil(8);
        let rotate = self.turned(op.cache, op.q, heads, None, op.rope, None);
        let parts = self.plan.map.reserve(self.limits.tokens_max * (heads * (units * 8 + 2)) as usize);
        let rope = &self.program.ropes[op.rope.index()];
        // Queries, weights and places of rows, as the kernel's declarations say, beside what sums need.
        let room = self.abilities.shared_max.saturating_sub(1024 + THREADS * 4);
        let together = heads.min(HEADS).min((room / (units * 32 + THREADS * 4)).max(1));
        let over = |id: CacheId, list: Option<BufId>, first: bool, last: bool| {
            let (cache, place) = (self.program.caches[id.index()], self.plan.map.caches[id.index()]);
            let mut params = vec![place.keys, place.values, place.key_scales, place.value_scales];
            params.extend([self.at(op.q), self.at(op.out), parts, heads]);
            params.extend([list.map_or(0, |list| self.at(list)), op.window as u32]);
            params.extend([self.limits.windowed(&cache).into(), self.limits.block_len as u32]);
            params.extend([op.scale.to_bits(), self.vector(op.sinks), op.rope.index() as u32]);
            params.push((rope.style == RopeStyle::Halves).into());
            let mut key = Key::new(Kind::AttendRows, THREADS)
                .with("G", together)
                .with("KU", units)
                .with("PER", units.div_ceil(THREADS))
                .with("KEY_DIM", dim)
                .with("PAIRS", rope.inv_freq.len() as u32)
                .with("FIRST", first.into())
                .with("LAST", last.into())
                .with("CACHE", cache_constant(self.limits));
            if let Some(list) = list {
                key = key
                    .with("LISTED", 1)
                    .with("LIST_WIDTH", self.width(list) as u32)
                    .with("EVERY", cache.every as u32)
                    .with("BLOCK_ROWS", cache.block_rows(self.limits.block_len) as u32);
            }
            let grid = [Extent::Fixed(heads.div_ceil(together)), EACH, ONE];
            Draft { cache: Some(id.index()), ..plain(key, params, grid) }
        };
        let mut drafts = vec![rotate, over(op.cache, None, true, op.chosen.is_none())];
        drafts.extend(op.chosen.map(|chosen| over(chosen.cache, Some(chosen.list), false, true)));
        self.run(Rows::Tokens, drafts);
    }

    pub(super) fn stacked(&mut self, x: BufId, weight: WeightId, out: BufId) {
        let stack = self.program.weight(weight);
        let (count, rows, cols) = (stack.experts() as u32, stack.rows() as u32, stack.cols() as u32);
        let draft =
            self.apply(weight, count, (self.at(x), count * cols, cols), (self.at(out), count * rows, rows));
        self.run_each(Rows::Tokens, Load::ALL.map(|load| vec![applied(&draft, load)]));
    }

    /// Rows of a cache, or heads of queries where they lie, with their last values turned, and rounded.
    fn turned(
        &self,
        cache: CacheId,
        q: BufId,
        heads: u32,
        kv: Option<[BufId; 2]>,
        rope: RopeId,
        rounding: Option<Rounding>,
    ) -> Draft {
        let own = self.program.caches[cache.index()];
        let dim = own.key_dim as u32;
        let turned = dim - 2 * self.program.ropes[rope.index()].inv_freq.len() as u32;
        let mut draft = self.rotate(&Rotate {
            cache: cache.index(),
            q,
            kv,
            heads,
            q_dim: dim,
            q_norm: None,
            k_norm: None,
            k_bias: None,
            k_normed: dim,
            rotated: (turned, turned),
            rope: Some(rope.index()),
            q_out: (self.at(q), heads * dim, dim, 0),
            growth: None,
        });
        let rounding = rounding.map_or(0, |rounding| match rounding {
            Rounding::Mxfp8 => 1,
            Rounding::Mxfp4 => 2,
            Rounding::Nvfp4 => 3,
        });
        draft.key = draft.key.with("ROUNDING", rounding);
        if own.every > 1 && kv.is_some() {
            let rows = own.block_rows(self.limits.block_len) as u32;
            draft.key = draft.key.with("EVERY", own.every as u32).with("BLOCK_ROWS", rows);
        }
        draft
    }
}

/// A dispatch that reads no matrices and no prepared rows.
fn plain(key: Key, params: Vec<u32>, grid: [Extent; 3]) -> Draft {
    Draft { key, params, chunk: None, cache: None, x: None, from: None, grid }
}
