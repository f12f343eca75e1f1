//! Models with several streams, whose attention reads a window and rows that are pooled and chosen.

use std::sync::Arc;

use super::{Case, Llama, Precision, Sequences, mixed_batches};
use crate::{
    AttendChosen, Blocks, Buf, BufId, Cache, CacheId, CacheType, Choose, Connect, DType, LinearPart, Op,
    Pool, Program, RmsNorm, Rope, RopeId, RopeStyle, Rounding, Rows, Slice, State, StateId, Store, Weight,
    WeightId, Window,
};

/// In place of the attention of keys and values, and of the feed-forward layer. The window is the model's.
#[derive(Clone, Copy, Debug)]
pub struct Pooled {
    pub streams: usize,
    /// Tokens of a row.
    pub every: usize,
    /// Rows that are read.
    pub count: usize,
    /// Runs of rows that the first layer chooses for the others: how long, and how many.
    pub blocks: Option<[usize; 2]>,
    /// What the heads give is taken in so many groups.
    pub groups: usize,
    pub index_heads: usize,
    pub index_dim: usize,
    /// Of what is kept, which then is made of the embedding itself: a value near an edge would be rounded otherwise by another order of
    /// additions.
    pub rounded: bool,
    pub dtype: DType,
}

impl Llama {
    pub(super) fn pooled_program(&self, own: &Pooled) -> Arc<Program> {
        let mut program = Program::default();
        let &Llama { hidden, heads, key_dim: dim, rotated_pairs, .. } = self;
        let &Pooled { streams, every, count, groups, index_heads, index_dim, .. } = own;
        let p = &mut program;
        let buf = |p: &mut Program, rows, width| {
            p.bufs.push(Buf { rows, width });
            BufId(p.bufs.len() as u32 - 1)
        };
        let weight = |p: &mut Program, name: String, dtype, [experts, rows, cols]: [usize; 3]| {
            let slice = Slice { experts: 0..experts, rows: 0..rows, cols: 0..cols };
            p.weights.push(Weight { name, dtype, slice, recipe: None });
            WeightId(p.weights.len() as u32 - 1)
        };
        let inv_freq = |pairs: usize| (0..pairs).map(|i| 0.6f32.powi(i as i32)).collect::<Vec<_>>();
        let style = self.rope.unwrap_or(RopeStyle::Interleaved);
        for (pairs, behind) in
            [(rotated_pairs, 0), (rotated_pairs, every - 1), (index_dim / 2, 0), (index_dim / 2, every - 1)]
        {
            p.ropes.push(Rope { style, inv_freq: inv_freq(pairs), factors: None, magnitude: 1.0, behind });
        }
        let [own_rope, row_rope, index_rope, key_rope] = [0, 1, 2, 3].map(RopeId);

        let tokens = |p: &mut Program, width| buf(p, Rows::Tokens, width);
        let embedded = tokens(p, hidden);
        let x = tokens(p, streams * hidden);
        let mixes = tokens(p, Connect::width(streams));
        let [collapsed, normed, y] = [hidden; 3].map(|width| tokens(p, width));
        let [q, attended] = [heads * dim; 2].map(|width| tokens(p, width));
        let [kv, value, gate, rows] = [dim; 4].map(|width| tokens(p, width));
        let (key, index_q) = (tokens(p, index_dim), tokens(p, index_heads * index_dim));
        let weights = tokens(p, index_heads);
        let choice = tokens(p, count);
        let runs = own.blocks.map(|[_, count]| tokens(p, count));
        let narrowed = tokens(p, groups * 8);
        let last = buf(p, Rows::Outputs, hidden);
        let last_normed = buf(p, Rows::Outputs, hidden);
        let logits = buf(p, Rows::Outputs, self.vocabulary);
        (p.result, p.first_token) = (logits, Some(0));

        let table = weight(p, "embedding".into(), DType::F32, [1, self.vocabulary, hidden]);
        p.ops.push(Op::Embed { table, first_row: 0, scale: 1.0, out: embedded });
        p.ops.push(Op::Spread { x: embedded, out: x });
        let rounding = |kind: Rounding| Some(kind).filter(|_| own.rounded);
        for layer in 0..self.layers {
            let name = |name: &str| format!("{layer}.{name}");
            let linear = |p: &mut Program, from: BufId, to: &[(&str, BufId)]| {
                let parts = to.iter().map(|(part, out)| {
                    let shape = [1, p.buf(*out).width, p.buf(from).width];
                    let weight = weight(p, name(part), own.dtype, shape);
                    LinearPart { weight, bias: None, out: *out, run: None }
                });
                let parts = parts.collect();
                p.ops.push(Op::Linear { x: from, parts });
            };
            let cache = |p: &mut Program, key_dim, window, every| {
                p.caches.push(Cache { kv_heads: 1, key_dim, value_dim: 0, window, every });
                CacheId(p.caches.len() as u32 - 1)
            };
            linear(p, x, &[("mixes", mixes)]);
            let scale = weight(p, name("scale"), DType::F32, [1, 1, 3]);
            let base = weight(p, name("base"), DType::F32, [1, 1, Connect::width(streams)]);
            let connect =
                Connect { x, mixes, scale, base, streams, rounds: 1 + 3 * layer, eps: 1e-5, floor: 1e-6 };
            p.ops.push(Op::Connect(connect));
            p.ops.push(Op::Collapse { x, mixes, out: collapsed });
            let norm = RmsNorm { weight: weight(p, name("norm"), DType::F32, [1, 1, hidden]), eps: 1e-5 };
            p.ops.push(Op::Norm { x: collapsed, norm, out: normed });
            linear(p, normed, &[("q", q), ("index", index_q), ("weights", weights)]);
            let window = self.window.map_or(1, Window::len);
            let window_cache = cache(p, dim, Some(window), 1);
            if own.rounded {
                for (first, out) in [(0, kv), (1, rows)] {
                    p.ops.push(Op::Slice { x: embedded, first, out });
                }
                p.ops.push(Op::Slice { x: embedded, first: 2, out: key });
            } else {
                linear(p, normed, &[("kv", kv), ("value", value), ("gate", gate)]);
                p.states.push(State { len: 2 * every * dim });
                let state = StateId(p.states.len() as u32 - 1);
                p.ops.push(Op::Pool(Pool { x: value, gate, every, state, out: rows }));
                linear(p, rows, &[("key", key)]);
            }
            let rows_cache = cache(p, dim, None, every);
            let keys_cache = cache(p, index_dim, None, every);
            for (x, cache, rope, kind) in [
                (kv, window_cache, own_rope, Rounding::Mxfp8),
                (rows, rows_cache, row_rope, Rounding::Nvfp4),
                (key, keys_cache, key_rope, Rounding::Mxfp4),
            ] {
                p.ops.push(Op::Store(Store { x, cache, rope, rounding: rounding(kind) }));
            }
            let blocks = own.blocks.zip(runs);
            p.ops.push(Op::Choose(Choose {
                q: index_q,
                weights,
                heads: index_heads,
                cache: keys_cache,
                rope: index_rope,
                rounding: None,
                out: choice,
                blocks: blocks.map(|([len, _], list)| Blocks { len, list, chosen_here: layer == 0 }),
            }));
            let sinks = weight(p, name("sinks"), DType::F32, [1, 1, heads]);
            // The second layer has its window alone.
            let chosen = (layer != 1).then_some(crate::Chosen { cache: rows_cache, list: choice });
            p.ops.push(Op::AttendChosen(AttendChosen {
                q,
                out: attended,
                heads,
                cache: window_cache,
                window,
                rope: own_rope,
                scale: 1.0 / (dim as f32).sqrt(),
                sinks,
                chosen,
            }));
            let stack = weight(p, name("stack"), own.dtype, [groups, 8, heads * dim / groups]);
            p.ops.push(Op::Stacked { x: attended, weight: stack, out: narrowed });
            linear(p, narrowed, &[("out", y)]);
            if self.sums {
                p.ops.push(Op::AllReduce { x: y });
            }
            p.ops.push(Op::Expand { x, y, mixes });
        }
        p.ops.push(Op::Collapse { x, mixes, out: collapsed });
        p.ops.push(Op::Select { x: collapsed, out: last });
        let norm = RmsNorm { weight: weight(p, "last norm".into(), DType::F32, [1, 1, hidden]), eps: 1e-5 };
        p.ops.push(Op::Norm { x: last, norm, out: last_normed });
        let head = weight(p, "head".into(), own.dtype, [1, self.vocabulary, hidden]);
        let parts = vec![LinearPart { weight: head, bias: None, out: logits, run: None }];
        p.ops.push(Op::Linear { x: last_normed, parts });
        Arc::new(program)
    }
}

/// Rows that are pooled of some tokens, chosen among all or among chosen runs, and rounded.
pub fn pooled() -> Vec<Case> {
    use Precision::{EightBits, Float, Half};
    let own = Pooled {
        streams: 4,
        every: 4,
        count: 12,
        blocks: Some([3, 5]),
        groups: 2,
        index_heads: 6,
        index_dim: 20,
        rounded: false,
        dtype: DType::F32,
    };
    let small = Llama {
        hidden: 72,
        heads: 4,
        key_dim: 24,
        rotated_pairs: 4,
        vocabulary: 50,
        layers: 3,
        window: Some(Window::Sliding(9)),
        ..Llama::default()
    };
    let case = |name: &str, own: Pooled, llama: &Llama, block_len, cache_type, precision| {
        let llama = Llama { pooled: Some(own), ..llama.clone() };
        Case::mixed(format!("pooled, {name}"), llama, block_len, cache_type, precision)
    };
    let mut cases = vec![
        case("4 tokens to a row", own, &small, 16, CacheType::F32, Float),
        case("every token a row", Pooled { every: 1, ..own }, &small, 8, CacheType::F32, Float),
        // Rows that no block has a whole number of, and longer ones than blocks.
        case("3 tokens to a row", Pooled { every: 3, ..own }, &small, 8, CacheType::F32, Float),
        case(
            "20 tokens to a row",
            Pooled { every: 20, blocks: None, ..own },
            &small,
            8,
            CacheType::F32,
            Float,
        ),
    ];
    let other =
        Llama { heads: 6, rope: Some(RopeStyle::Halves), window: Some(Window::Sliding(80)), ..small.clone() };
    let single = Pooled { streams: 1, groups: 3, blocks: None, count: 200, ..own };
    cases.push(case("one stream", single, &other, 16, CacheType::F32, Float));
    // Rounding may change who is chosen: all are.
    let all = Pooled { count: 200, blocks: None, ..own };
    cases.push(case("half floats", Pooled { dtype: DType::F16, ..all }, &small, 16, CacheType::F16, Half));
    cases.push(case("eight bits", Pooled { ..all }, &small, 16, CacheType::Q8, EightBits));
    let wide = Llama { key_dim: 64, ..small.clone() };
    let long = Llama { key_dim: 520, rotated_pairs: 32, layers: 1, ..small.clone() };
    cases.push(case("long rows", Pooled { index_dim: 128, ..own }, &long, 16, CacheType::F32, Float));
    let rounded = Pooled { rounded: true, index_dim: 32, ..own };
    cases.push(case("rounded", rounded, &wide, 16, CacheType::F32, Float));
    let llama = Llama { pooled: Some(Pooled { every: 1, count: 70, blocks: Some([8, 20]), ..own }), ..small };
    let limits = llama.limits(32, CacheType::F32);
    let mut batches = mixed_batches(&llama, limits);
    let mut sequences = Sequences::new(2, &llama, limits);
    batches.extend([200, 200, 190].map(|rows| sequences.batch(&[(0, rows)])));
    batches.push(sequences.batch(&[(0, 1)]));
    batches.push(sequences.batch(&[(0, 1), (1, 1)]));
    cases.push(Case { name: "pooled, long".into(), llama, limits, batches, precision: Float });
    cases
}
