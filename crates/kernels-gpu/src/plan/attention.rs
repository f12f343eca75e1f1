//! Attention over the paged cache.

use tandem_tensor::{
    Attend, AttendLatent, BufId, CacheType, Growth, Indexer, Limits, RmsNorm, RopeStyle, Rows, WeightId,
    Window,
};

use super::{ANY, ATTEND_THREADS, Action, Draft, EACH, Extent, FEW, Load, ONE, Planner, Variant};
use crate::kernels::{Key, Kind};
use crate::memory::{Format, PARTS_MIN, prepared_len};

/// Up to so many runs of keys, heads that share keys go to workgroups of their own.
const SHALLOW: u32 = 4;
/// Values, and rows, that a workgroup makes where matrices are applied to many rows.
const APPLIED: u32 = 64;
const APPLIED_ROWS: u32 = 16;
/// Most scores of an indexer that there is room for, but that a few rows have theirs.
pub(super) const SCORES_MAX: usize = 1 << 24;
/// Workgroups of an indexer's kernel for all rows of a step; with more rows than this, each has no fewer.
pub(super) const INDEX_GROUPS: u32 = 1024;
pub(super) const INDEX_ROWS: u32 = 128;
/// Units of eight values of queries that an indexer's kernel holds at a time.
pub(super) const INDEX_UNITS: u32 = 512;
/// Tokens before a row for which ways over many keys are compared.
const DEEP: u32 = 8192;
/// Threads of a workgroup in which neighbours have keys of their own; first what is taken where nothing is known.
const KEYS_THREADS: [u32; 3] = [64, 128, 256];
/// Latent heads that attention with cooperative matrices takes together.
const FLASH_HEADS: u32 = 16;
/// Threads that join a head's parts.
const REDUCE_THREADS: u32 = 256;

impl Planner<'_> {
    pub(super) fn attend(&mut self, at: usize, op: &Attend) {
        let cache = self.program.caches[op.cache.index()];
        let (key_dim, value_dim) = (cache.key_dim as u32, cache.value_dim as u32);
        let rotate = Rotate {
            cache: op.cache.index(),
            q: op.q,
            kv: op.kv,
            heads: op.heads as u32,
            q_dim: key_dim,
            q_norm: op.q_norm,
            k_norm: op.k_norm,
            k_bias: None,
            k_normed: key_dim,
            rotated: (0, 0),
            rope: op.rope.map(|rope| rope.index()),
            q_out: (self.at(op.q), op.heads as u32 * key_dim, key_dim, 0),
            growth: op.growth,
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
            window: op.window,
            chosen: op.runs.is_some(),
        };
        let (attend, parts, part) = self.over(&over);
        let runs = op.runs.map(|runs| {
            let count = self.width(runs.list) / cache.kv_heads;
            (runs.len as u32, self.at(runs.list), count as u32)
        });
        self.forget(op.out);
        let variants = attend.into_iter().map(|Attending { load, splits, turns, draft: attend }| {
            let result = self.attended(at, load, op.out, op.heads as u32, value_dim, op.sinks);
            let mut drafts = joined(load, splits, attend, &result, (parts, part));
            if let Some((len, list, count)) = runs {
                drafts[0].key.constants.extend([("CHOSEN", 1), ("RUN", len)]);
                drafts[0].params.extend([list, count, 0, 0]);
            }
            match turns && op.kv.is_some() && runs.is_none() {
                true => turn(&mut drafts[0], &rotate),
                false => drafts.insert(0, rotate.clone()),
            }
            Variant { splits, ..Variant::new(load.upto(), drafts) }
        });
        let variants = variants.collect();
        let variants = self.deep_options(&over, variants);
        self.plan.actions.push(Action::Run { rows: Rows::Tokens, variants });
    }

    pub(super) fn attend_latent(&mut self, op: &AttendLatent) {
        let (key, value) = (self.program.weight(op.key), self.program.weight(op.value));
        let (latent, nope, value_dim) = (key.rows() as u32, key.cols() as u32, value.rows() as u32);
        let cached = self.program.caches[op.cache.index()].key_dim as u32;
        let (rope, heads, tokens) = (cached - latent, op.heads as u32, self.limits.tokens_max);
        let query = self.plan.map.reserve(tokens * (heads * cached) as usize);
        let attended = self.plan.map.reserve(tokens * (heads * latent) as usize);
        let rotate = Rotate {
            cache: op.cache.index(),
            q: op.q,
            kv: Some([op.kv; 2]),
            heads,
            q_dim: nope + rope,
            q_norm: None,
            k_norm: Some(op.kv_norm),
            k_bias: None,
            k_normed: latent,
            rotated: (nope, latent),
            rope: Some(op.rope.index()),
            q_out: (query + latent, heads * cached, cached, nope),
            growth: op.growth,
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
            window: None,
            chosen: op.indexer.is_some(),
        };
        let (attend, parts, part) = self.over(&over);
        let chosen = op.indexer.map(|indexer| (indexer.count as u32, self.choose(&indexer)));
        let result =
            Attended { keep: true, format: None, out: attended, heads, sinks: 0, dim: latent, stride: 0 };
        let out = self.at(op.out);
        let values = self.apply(
            op.value,
            heads,
            (attended, heads * latent, latent),
            (out, heads * value_dim, value_dim),
        );
        self.forget(op.out);
        // Squares are read from half floats, sixteen heads at a time.
        let by_squares = |attending: &Attending| attending.draft.key.kind == Kind::FlashLatent;
        let halves = attend.iter().any(by_squares).then(|| {
            self.ready.iter_mut().for_each(|ready| _ = ready.remove(&Format::Half));
            let (width, rows) =
                ((heads * cached) as usize, tokens + (FLASH_HEADS as usize - 1).div_ceil(op.heads));
            self.convert(query, width, Format::Half, rows, EACH)
        });
        let variants = attend.into_iter().map(|Attending { load, splits, draft: attend, .. }| {
            let mut drafts = vec![rotate.clone(), applied(&absorb, load)];
            drafts.extend(halves.clone().filter(|_| attend.key.kind == Kind::FlashLatent));
            let mut attend = joined(load, splits, attend, &result, (parts, part));
            if let Some((count, (list, choose))) = &chosen {
                drafts.extend(choose.iter().filter(|(first, _)| *first < load.upto()).map(|(_, draft)| {
                    let mut draft = draft.clone();
                    if draft.key.kind == Kind::Index {
                        let groups = INDEX_GROUPS / load.upto().min(INDEX_ROWS);
                        draft.grid[0] = Extent::Fixed(groups);
                        draft.params.push(groups);
                    }
                    draft
                }));
                attend[0].key.constants.extend([("CHOSEN", 1), ("RUN", 1)]);
                attend[0].params.extend([*list, *count, 0, 0]);
            }
            drafts.extend(attend);
            drafts.push(applied(&values, load));
            Variant { splits, ..Variant::new(load.upto(), drafts) }
        });
        let variants = variants.collect();
        let variants = self.deep_options(&over, variants);
        self.plan.actions.push(Action::Run { rows: Rows::Tokens, variants });
    }

    /// What caches an indexer's keys and writes a list of `count` positions for every row; also where the lists lie. Each dispatch
    /// comes with the first row that it is for: scores have room for some rows at a time.
    fn choose(&mut self, op: &Indexer) -> (u32, Vec<(u32, Draft)>) {
        let (tokens, context) = (self.limits.tokens_max, self.limits.context_max);
        let cache = op.cache.index();
        let (place, key_dim) = (self.plan.map.caches[cache], self.program.caches[cache].key_dim as u32);
        let (heads, count) = (op.heads as u32, op.count as u32);
        let rotate = Rotate {
            cache,
            q: op.q,
            kv: Some([op.k; 2]),
            heads,
            q_dim: key_dim,
            q_norm: None,
            k_norm: Some(RmsNorm { weight: op.k_norm.weight, eps: op.k_norm.eps }),
            k_bias: Some(op.k_norm.bias),
            k_normed: key_dim,
            rotated: (0, 0),
            rope: Some(op.rope.index()),
            q_out: (self.at(op.q), heads * key_dim, key_dim, 0),
            growth: None,
        };
        let mut drafts = vec![(0, self.rotate(&rotate))];
        let chosen = self.plan.map.reserve(tokens * op.count);
        let rows = (SCORES_MAX / context).clamp(FEW as usize, tokens.max(FEW as usize));
        let scores = self.plan.map.reserve(rows * context);
        let units = key_dim.div_ceil(8);
        let index = Key::new(Kind::Index, ATTEND_THREADS)
            .with("KU", units)
            .with("KEY_DIM", key_dim)
            .with("AT_ONCE", (INDEX_UNITS / units).clamp(1, heads))
            .with("CACHE", cache_constant(self.limits));
        let (rows, context) = (rows as u32, context as u32);
        for row in (0..tokens as u32).step_by(rows as usize) {
            let piece = Extent::Piece { first: row, rows };
            let mut params = vec![place.keys, place.values, place.key_scales, place.value_scales];
            params.extend([self.at(op.q), self.at(op.weights), scores, context]);
            // How many workgroups share a row follows from the load.
            params.extend([heads, row, self.limits.block_len as u32]);
            let grid = [ONE, piece, ONE];
            let (key, cache) = (index.clone(), Some(cache));
            drafts.push((row, Draft { key, params, chunk: None, cache, x: None, from: None, grid }));
            let params = vec![scores, context, chosen, count, row, 0, 1, 0];
            let (key, grid) = (Key::new(Kind::Choose, self.abilities.threads_max), [piece, ONE, ONE]);
            drafts.push((row, Draft { key, params, chunk: None, cache: None, x: None, from: None, grid }));
        }
        (chosen, drafts)
    }

    /// `out[t, e] = matrix[e] · x[t, e]`; places are a beginning, and strides of rows and of matrices.
    pub(super) fn apply(&self, id: WeightId, count: u32, x: (u32, u32, u32), out: (u32, u32, u32)) -> Draft {
        let weight = self.program.weight(id);
        let place = self.plan.map.place(id);
        let (rows, cols) = (weight.rows() as u32, weight.cols() as u32);
        let mut params = place.planes.to_vec();
        params.extend([x.0, x.1, x.2, cols, out.0, out.1, out.2, rows]);
        let key = Key::new(Kind::Apply, 32).of(weight.dtype).with("ROWS", 4);
        let grid = [Extent::Fixed(rows.div_ceil(4)), Extent::Fixed(count), EACH];
        Draft { key, params, chunk: Some(place.chunk), cache: None, x: None, from: None, grid }
    }

    pub(super) fn rotate(&self, rotate: &Rotate) -> Draft {
        let cache = self.program.caches[rotate.cache];
        let place = self.plan.map.caches[rotate.cache];
        let (key_dim, value_dim) = (cache.key_dim as u32, cache.value_dim as u32);
        let rope = rotate.rope.map(|rope| &self.program.ropes[rope]);
        let norm = |norm: Option<RmsNorm>| {
            norm.map_or((0, 0), |norm| (self.vector(norm.weight) + 1, norm.eps.to_bits()))
        };
        let ((q_norm, q_eps), (k_norm, k_eps)) = (norm(rotate.q_norm), norm(rotate.k_norm));
        let kv_heads = cache.kv_heads as u32;
        let [k, v] = rotate.kv.unwrap_or([rotate.q; 2]);
        let params = vec![
            place.keys,
            place.values,
            place.key_scales,
            place.value_scales,
            self.at(rotate.q),
            self.at(k),
            self.at(v),
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
            rotate.growth.map_or(0.0, |growth| growth.rate).to_bits(),
            rotate.growth.map_or(1.0, |growth| growth.every).to_bits(),
            rotate.growth.map_or(0.0, |growth| growth.ahead).to_bits(),
            self.vector_from_1(rotate.k_bias),
        ];
        let keys = if rotate.kv.is_some() { kv_heads } else { 0 };
        let values = if value_dim > 0 { keys } else { 0 };
        let dim = rotate.q_dim.max(key_dim).max(value_dim);
        let key = Key::new(Kind::Rotate, 64)
            .with("HELD", 1)
            .with("DIM", dim)
            .with("CACHE", cache_constant(self.limits));
        let grid = [Extent::Fixed(rotate.heads + keys + values), EACH, ONE];
        Draft { key, params, chunk: None, cache: Some(rotate.cache), x: None, from: None, grid }
    }

    /// Of the variants for one row over many keys, those that the device chooses between.
    fn deep_options(&mut self, over: &Over, mut variants: Vec<Variant>) -> Vec<Variant> {
        let is_deep = |variant: &Variant| variant.upto == 1 && variant.splits == ANY;
        let first = variants.iter().position(is_deep).unwrap_or(variants.len());
        let count = variants[first..].iter().take_while(|variant| is_deep(variant)).count();
        let mut deep: Vec<(String, Variant)> = Vec::new();
        for variant in variants.splice(first..first + count, []) {
            let way = |draft: &Draft| {
                let (heads, threads) = (draft.key.get("G").unwrap_or(FLASH_HEADS), draft.key.threads);
                let how = match draft.key.kind {
                    Kind::Attend => String::new(),
                    Kind::AttendTurned => ", rotated on the way".to_owned(),
                    Kind::AttendKeys => format!(" by keys, {threads} threads"),
                    Kind::AttendKeysTurned => format!(" by keys, {threads} threads, rotated on the way"),
                    Kind::FlashLatent => " by squares".to_owned(),
                    _ => return None,
                };
                Some(format!("{heads} heads together{how}"))
            };
            let Some(name) = variant.drafts.iter().find_map(way) else { continue };
            if deep.iter().all(|(known, _)| *known != name) {
                deep.push((name, variant));
            }
        }
        let Over { heads, group, key_dim, .. } = over;
        let depth = DEEP.min((self.limits.context_max as u32).saturating_sub(1));
        let name = format!("attention of {heads} heads, {group} to a key of {key_dim}, over many keys");
        let chosen = self.optional(name, (1, depth), deep);
        variants.splice(first..first, chosen);
        variants
    }

    /// Attention itself; also where its parts lie and how long each is.
    fn over(&mut self, over: &Over) -> (Vec<Attending>, u32, u32) {
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
            over.window.map_or(0, Window::len) as u32,
            self.limits.windowed(&cache).into(),
            self.limits.block_len as u32,
        ];
        // With few keys a kernel's own length counts; with many, how often they and their values are read.
        let many = if over.key_dim > 256 { 4 } else { 8 };
        let short = [Load::One, Load::Few, Load::Several, Load::Some];
        // Heads together, and whether they are rotated on the way, that are chosen between.
        let deep: &[(u32, bool)] = match over.values_are_keys {
            true => &[(2, false), (4, false), (8, false)],
            false => &[(2, false), (2, true)],
        };
        let kinds = short.into_iter().flat_map(|load| {
            let one = load == Load::One;
            let deep = if one { deep } else { &deep[..1] };
            let deep = deep.iter().map(move |(together, turns)| (load, ANY, *turns, *together));
            [(load, 1, one, 1), (load, SHALLOW, one, 1)].into_iter().chain(deep)
        });
        let kinds = kinds.chain([(Load::Many, ANY, false, many)]);
        let mut drafts: Vec<Attending> = Vec::new();
        drafts.extend(kinds.map(|(load, splits, turns, together)| {
            let together = over.group.min(together);
            // Joining heads in turns takes less memory, so that more workgroups run at once.
            let joined = if load == Load::Many { 1 } else { together.min(2) };
            let key = Key::new(Kind::Attend, ATTEND_THREADS)
                .with("G", together)
                .with("JOINED", joined)
                .with("JOINS", together.div_ceil(joined))
                .with("KU", over.key_dim.div_ceil(8))
                .with("VU", units)
                .with("VALUE_UNITS", over.value_units)
                .with("KEY_DIM", over.key_dim)
                .with("CHUNKED", over.chunked())
                .with("CACHE", cache_constant(self.limits));
            let chunks = over.group.div_ceil(together);
            let grid = [Extent::Fixed(cache.kv_heads as u32 * chunks), Extent::Splits, EACH];
            let (params, cache) = (params.clone(), Some(over.cache));
            let draft = Draft { key, params, chunk: None, cache, x: None, from: None, grid };
            Attending { load, splits, turns, draft }
        }));
        let keys: Vec<Key> =
            KEYS_THREADS.into_iter().filter_map(|threads| self.by_keys(over, threads)).collect();
        if let Some(usual) = keys.first() {
            let by_keys = |attending: &Attending, key: &Key, turns| {
                let chunks = over.group.div_ceil(key.get("G").unwrap_or(1));
                let mut draft = Draft { key: key.clone(), ..attending.draft.clone() };
                draft.grid[0] = Extent::Fixed(cache.kv_heads as u32 * chunks);
                Attending { turns, draft, ..*attending }
            };
            let deep = |attending: &&mut Attending| {
                attending.load != Load::Many && attending.splits == ANY && !attending.turns
            };
            drafts
                .iter_mut()
                .filter(deep)
                .for_each(|attending| *attending = by_keys(attending, usual, false));
            // One row in other ways too, where the device finds those faster.
            let one = drafts.partition_point(|attending| attending.load == Load::One);
            let ways = keys.iter().flat_map(|key| [(key, false), (key, true)]).skip(1);
            let ways: Vec<_> = ways.map(|(key, turns)| by_keys(&drafts[one - 1], key, turns)).collect();
            drafts.splice(one..one, ways);
        }
        if let Some(key) = self.flash(over)
            && let Some(mut many) = drafts.pop()
        {
            let chunks = over.group / (key.threads / 32);
            many.draft.grid = [Extent::Fixed(cache.kv_heads as u32 * chunks), Extent::Splits, Extent::Runs];
            many.draft.key = key;
            drafts.extend([1, ANY].map(|splits| Attending { splits, ..many.clone() }));
        }
        if let Some(key) = self.flash_latent(over) {
            // One row over many keys too, where the device finds that faster.
            let one = drafts.partition_point(|attending| attending.load == Load::One);
            let by_squares = |attending: &Attending, splits| {
                let grid = [Extent::Fixed(over.heads.div_ceil(FLASH_HEADS)), Extent::Splits, EACH];
                let draft =
                    Draft { key: key.clone(), grid, x: Some(Format::Half), ..attending.draft.clone() };
                Attending { splits, draft, ..*attending }
            };
            if let Some(many) = drafts.pop() {
                drafts.extend([1, ANY].map(|splits| by_squares(&many, splits)));
            }
            drafts.insert(one, by_squares(&drafts[one - 1], ANY));
        }
        (drafts, parts, part)
    }

    /// Attention over many keys in which neighbours have keys of their own, where their values fit what a thread and a workgroup can hold.
    fn by_keys(&self, over: &Over, threads: u32) -> Option<Key> {
        let units = over.key_dim.div_ceil(8);
        let lanes = 1 << units.min(16).min(self.abilities.subgroup_min).ilog2();
        let each = units.div_ceil(lanes);
        let fits = over.value_dim.div_ceil(8) == units && each <= 4;
        if !fits || over.values_are_keys || over.chosen {
            return None;
        }
        // Of each head a thread holds as many units of a query and of a result.
        let together = over.group.min(4 / each);
        // As the kernel's declarations say: the most, where rows are rotated on the way.
        let gathered = threads / lanes * together * (lanes * each * 8 + 2) * 4;
        let held = (together + 2) * units * 8 * 4 + threads * 4;
        if gathered + held > self.abilities.shared_max || threads > self.abilities.threads_max {
            return None;
        }
        Some(
            Key::new(Kind::AttendKeys, threads)
                .with("G", together)
                .with("KEY_DIM", over.key_dim)
                .with("UNITS_ALL", units)
                .with("LANES", lanes)
                .with("SHUFFLES", lanes.ilog2())
                .with("UNITS", each)
                .with("AT_ONCE", if each > 1 { 2 } else { 4 })
                .with("CHUNKED", over.chunked())
                .with("CACHE", cache_constant(self.limits)),
        )
    }

    /// Attention of many rows with cooperative matrices, where the device has them and the sizes are whole squares.
    fn flash(&self, over: &Over) -> Option<Key> {
        let fits = |dim: u32| dim.is_multiple_of(16) && dim <= 128;
        let (key_dim, value_dim, side) = (over.key_dim, over.value_dim, self.abilities.attention_side);
        if side == 0 || !fits(key_dim) || !fits(value_dim) || over.values_are_keys || over.chosen {
            return None;
        }
        let fits = |heads: &u32| {
            // As the kernel's declarations say.
            let rows = (key_dim + 8) * 2 + 40 * 2 + 36 * 4 + 4;
            let tile = (key_dim.max(value_dim) + 8) * 2;
            let shared = heads * 16 * rows + 32 * tile + side * side * 4 + 16;
            over.group.is_multiple_of(*heads) && shared <= self.abilities.shared_max
        };
        let heads = (1..=4).rev().find(fits)?;
        let key = self.of_squares(Key::new(Kind::Flash, heads * 32), over);
        Some(
            key.with("NH", heads)
                .with("KEY_SQUARES", 32 / side)
                .with("KSQ", key_dim / side)
                .with("VSQ", value_dim / side)
                .with("CHUNKED", over.chunked()),
        )
    }

    /// The same of latent heads, the rows of one after the other.
    fn flash_latent(&self, over: &Over) -> Option<Key> {
        let (key_dim, value_dim, side) = (over.key_dim, over.value_dim, self.abilities.attention_side);
        if side == 0 || !over.values_are_keys {
            return None;
        }
        let fits = |parts: &u32| {
            // As the kernel's declarations say.
            let keys = side * 2;
            let tiles = (keys * (key_dim + 8) + 16 * (keys + 8)) * 2;
            let shared = tiles + parts * 16 * (keys + 4) * 4 + (keys + side * side + 16) * 4 + 16;
            key_dim.is_multiple_of(parts * side)
                && value_dim.is_multiple_of(parts * side * 2)
                && key_dim.is_multiple_of(8)
                && shared <= self.abilities.shared_max
                && parts * 64 <= self.abilities.threads_max
        };
        let parts = [4, 2].into_iter().find(fits)?;
        let key = self.of_squares(Key::new(Kind::FlashLatent, parts * 64), over);
        Some(
            key.with("PARTS", parts)
                .with("KSQ_PART", key_dim / side / parts)
                .with("VSQ_PART", value_dim / side / 2 / parts),
        )
    }

    /// What both of them are told. They take sixteen rows together.
    fn of_squares(&self, key: Key, over: &Over) -> Key {
        let side = self.abilities.attention_side;
        key.with("SIDE", side)
            .with("SINGLE", (side == 8).into())
            .with("SQUARES", 16 / side)
            .with("KEY_DIM", over.key_dim)
            .with("VALUE_DIM", over.value_dim)
            .with("CACHE", cache_constant(self.limits))
    }

    /// How the products after `at` want the result of attention.
    fn attended(
        &mut self,
        at: usize,
        load: Load,
        out: BufId,
        heads: u32,
        dim: u32,
        sinks: Option<WeightId>,
    ) -> Attended {
        let (formats, plain) = self.wanted(at, out, load);
        let stride = prepared_len(self.program.buf(out));
        // Blocks must not cross heads.
        let format = formats.first().copied().filter(|_| dim.is_multiple_of(32));
        if let Some(format) = format {
            self.room(format, self.rows_of(out, load), stride);
            self.ready(load).insert(format, out);
        }
        Attended {
            keep: plain || format.is_none(),
            format,
            out: self.at(out),
            heads,
            sinks: self.vector_from_1(sinks),
            dim,
            stride: stride as u32,
        }
    }
}

/// Let attention of a batch's only row do what `rotate` does: no other row waits for its key.
fn turn(attend: &mut Draft, rotate: &Draft) {
    let (heads, dim) = (attend.key.get("G").unwrap_or(1), rotate.key.get("DIM").unwrap_or(1));
    attend.key.kind = match attend.key.kind {
        Kind::AttendKeys => Kind::AttendKeysTurned,
        _ => Kind::AttendTurned,
    };
    attend.key.constants.extend([("TURNED", 1), ("HELD", heads + 2), ("DIM", dim)]);
    attend.params.extend_from_slice(&rotate.params[4..]);
}

/// Matrices applied to rows, as it is done for a load.
pub(super) fn applied(draft: &Draft, load: Load) -> Draft {
    if load != Load::Many {
        return draft.clone();
    }
    let mut many = draft.clone();
    many.key =
        Key { kind: Kind::ApplyRows, threads: APPLIED, constants: vec![("NT", APPLIED_ROWS)], ..many.key };
    let rows = draft.params[draft.params.len() - 1];
    many.grid[0] = Extent::Fixed(rows.div_ceil(APPLIED));
    many.grid[2] = Extent::PerRows(APPLIED_ROWS);
    many
}

/// Attention and what makes its result: itself, where there is one run of keys; else another kernel joins the parts.
fn joined(
    load: Load,
    splits: u32,
    mut attend: Draft,
    result: &Attended,
    (parts, part): (u32, u32),
) -> Vec<Draft> {
    let Attended { keep, format, out, heads, sinks, dim, stride } = *result;
    let prepared =
        |key: Key| key.with("KEEP", keep.into()).with("FORMAT", format.map_or(0, Format::constant));
    if splits == 1 {
        attend.key = prepared(attend.key.with("WHOLE", 1));
        attend.params.extend([out, sinks, dim, stride]);
        attend.x = format.or(attend.x);
        return vec![attend];
    }
    attend.params.extend([0; 4]);
    let fours = dim.div_ceil(4);
    // With many rows there are few parts.
    let threads = if load == Load::Many { fours.next_multiple_of(32) } else { REDUCE_THREADS };
    let key = prepared(Key::new(Kind::Reduce, threads).with("FOURS", fours));
    let params = vec![parts, out, heads, sinks, dim, part, stride, 0];
    let grid = [Extent::Fixed(heads), EACH, ONE];
    vec![attend, Draft { key, params, chunk: None, cache: None, x: format, from: None, grid }]
}

/// The result of attention: whether it is kept, how it is prepared for the next product, and where it goes.
struct Attended {
    keep: bool,
    format: Option<Format>,
    out: u32,
    heads: u32,
    /// From 1 on.
    sinks: u32,
    dim: u32,
    stride: u32,
}

pub(super) struct Rotate {
    pub cache: usize,
    pub q: BufId,
    /// None where keys and values are another layer's.
    pub kv: Option<[BufId; 2]>,
    pub heads: u32,
    pub q_dim: u32,
    pub q_norm: Option<RmsNorm>,
    pub k_norm: Option<RmsNorm>,
    /// Keys are centred before they are normed, and this is added.
    pub k_bias: Option<WeightId>,
    pub k_normed: u32,
    /// Where the rotation of queries and of keys begins.
    pub rotated: (u32, u32),
    pub rope: Option<usize>,
    /// Where queries go: a beginning, strides of rows and heads, and from which of their values on.
    pub q_out: (u32, u32, u32, u32),
    pub growth: Option<Growth>,
}

/// Attention for a load, and for how many splits at most.
#[derive(Clone)]
struct Attending {
    load: Load,
    splits: u32,
    /// Whether it does what `rotate` does, where that is one row: with many workgroups, too many would do it again.
    turns: bool,
    draft: Draft,
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
    window: Option<Window>,
    /// Whether only some keys are read.
    chosen: bool,
}

impl Over {
    fn chunked(&self) -> u32 {
        matches!(self.window, Some(Window::Chunked(_))).into()
    }
}

pub(super) fn cache_constant(limits: &Limits) -> u32 {
    match limits.cache_type {
        CacheType::F32 => 0,
        CacheType::F16 => 1,
        CacheType::Q8 => 2,
    }
}
