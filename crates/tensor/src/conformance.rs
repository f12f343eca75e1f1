//! Small random models built by hand, and sequences to run them over: what every backend is held to the reference with.
//!
//! [`cases`], [`rarer`], [`chosen`] and [`pooled`](fn@pooled) list them; a backend's tests run each with [`compare`], and so does the self-test on a user's machine.
//! [`Adding`] sees how sums are made, of [`halved_models`] in two halves.

mod halves;
mod pooled;

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use crate::{
    Activation, Alone, Attend, AttendLatent, Backend, Batch, Blend, Buf, BufId, Cache, CacheId, CacheType,
    ChooseRuns, Curve, DType, Experts, Given, Groups, Growth, Indexer, LayerNorm, Limits, LinearPart, Op,
    Program, ReadError, Reference, Rest, RmsNorm, Rope, RopeId, RopeStyle, Routing, Rows, Runs, Score,
    Session, Slice, Span, Weight, WeightId, WeightSource, Window, quant,
};

pub use halves::{Act, Adding, halved_batches, halved_models};
pub use pooled::{Pooled, pooled};

/// A model of the Llama kind with every option that the operators have.
#[derive(Clone, Debug)]
pub struct Llama {
    pub hidden: usize,
    pub heads: usize,
    pub kv_heads: usize,
    pub key_dim: usize,
    pub value_dim: usize,
    pub ffn: usize,
    pub vocabulary: usize,
    pub layers: usize,
    pub dtype: DType,
    pub output_dtype: Option<DType>,
    /// Of what gates gate, where that is another type.
    pub up_dtype: Option<DType>,
    pub qk_norm: bool,
    pub bias: bool,
    pub sinks: bool,
    pub window: Option<Window>,
    pub growth: Option<Growth>,
    /// Layers after the first read its keys and values.
    pub keys_of_first: bool,
    /// Only some runs of keys are read.
    pub runs: Option<KeyRuns>,
    pub rope: Option<RopeStyle>,
    pub rotated_pairs: usize,
    pub rope_factors: bool,
    pub act: Activation,
    /// In place of the feed-forward layer.
    pub mixture: Option<Mixture>,
    /// In place of the attention of keys and values.
    pub latent: Option<Latent>,
    /// In place of all of that, with several streams.
    pub pooled: Option<Pooled>,
    /// Sums over columns that ranks could divide in multiples of so many are made in two parts.
    pub run: Option<usize>,
    /// Whether ranks add up what they have of a row, as where a model is divided.
    pub sums: bool,
    /// Rows may be given, what attention says passes through operators that few families have, and results are of the means of so
    /// many rows.
    pub means: Option<usize>,
    /// What attention says is added to a blend of it and of all that the stream was before.
    pub blends: bool,
}

#[derive(Clone, Debug)]
pub struct Mixture {
    pub experts: usize,
    pub inner: usize,
    pub dtype: DType,
    pub routing: Routing,
    /// Added to the router's probabilities.
    pub routing_bias: bool,
    /// Experts have scales of their own.
    pub scales: bool,
    pub biases: bool,
}

impl Default for Mixture {
    fn default() -> Mixture {
        let routing = Routing { normalise: true, ..Routing::of(3, Score::Softmax) };
        Mixture {
            experts: 8,
            inner: 96,
            dtype: DType::F32,
            routing,
            routing_bias: false,
            scales: false,
            biases: false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Latent {
    pub latent_dim: usize,
    pub nope_dim: usize,
    /// An even number.
    pub rope_dim: usize,
    pub value_dim: usize,
    pub dtype: DType,
    /// Where a query reads only some of the cached rows.
    pub chosen: Option<Chosen>,
}

/// How many runs of so many keys are read, and how many of these are the newest.
#[derive(Clone, Copy, Debug)]
pub struct KeyRuns {
    pub len: usize,
    pub count: usize,
    pub local: usize,
    /// Values of a key that they are chosen by.
    pub key_dim: usize,
}

/// What an indexer chooses, and how.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    pub count: usize,
    pub heads: usize,
    pub key_dim: usize,
    /// Whether all scores are the same.
    pub tied: bool,
}

impl Default for Llama {
    fn default() -> Llama {
        Llama {
            hidden: 256,
            heads: 4,
            kv_heads: 2,
            key_dim: 64,
            value_dim: 64,
            ffn: 512,
            vocabulary: 200,
            layers: 2,
            dtype: DType::F32,
            output_dtype: None,
            up_dtype: None,
            qk_norm: false,
            bias: false,
            sinks: false,
            window: None,
            growth: None,
            keys_of_first: false,
            runs: None,
            rope: Some(RopeStyle::Interleaved),
            rotated_pairs: 32,
            rope_factors: false,
            act: Activation::Silu,
            mixture: None,
            latent: None,
            pooled: None,
            run: None,
            sums: true,
            means: None,
            blends: false,
        }
    }
}

impl Llama {
    pub fn program(&self) -> Arc<Program> {
        if let Some(pooled) = &self.pooled {
            return self.pooled_program(pooled);
        }
        let mut program = Program::default();
        let buf = |program: &mut Program, rows, width| {
            program.bufs.push(Buf { rows, width });
            BufId(program.bufs.len() as u32 - 1)
        };
        let x = buf(&mut program, Rows::Tokens, self.hidden);
        let y = buf(&mut program, Rows::Tokens, self.hidden);
        let normed = buf(&mut program, Rows::Tokens, self.hidden);
        let (q_dim, k_dim, out_dim) = match &self.latent {
            Some(latent) => {
                (latent.nope_dim + latent.rope_dim, latent.latent_dim + latent.rope_dim, latent.value_dim)
            }
            None => (self.key_dim, self.kv_heads * self.key_dim, self.value_dim),
        };
        let q = buf(&mut program, Rows::Tokens, self.heads * q_dim);
        let k = buf(&mut program, Rows::Tokens, k_dim);
        let v = buf(&mut program, Rows::Tokens, self.kv_heads * self.value_dim);
        let attended = buf(&mut program, Rows::Tokens, self.heads * out_dim);
        let scores =
            buf(&mut program, Rows::Tokens, self.mixture.as_ref().map_or(1, |mixture| mixture.experts));
        let ffn = buf(&mut program, Rows::Tokens, self.ffn);
        let last = buf(&mut program, Rows::Outputs, self.hidden);
        let logits = buf(&mut program, Rows::Outputs, self.vocabulary);
        program.result = logits;
        program.first_token = Some(0);
        // What ranks would add up, and where it lies afterwards.
        let partial = match self.run {
            Some(_) => buf(&mut program, Rows::Tokens, 2 * self.hidden),
            None => y,
        };
        let add_up = |p: &mut Program| {
            if self.sums {
                p.ops.push(Op::AllReduce { x: partial });
            }
            if partial != y {
                p.ops.push(Op::Join { x: partial, out: y });
            }
        };

        let matrix = |program: &mut Program, name: String, dtype, rows, cols| {
            program.weights.push(Weight {
                name,
                dtype,
                slice: Slice::matrix(0..rows, 0..cols),
                recipe: None,
            });
            WeightId(program.weights.len() as u32 - 1)
        };
        let vector = |program: &mut Program, name: String, len| {
            program.weights.push(Weight {
                name,
                dtype: DType::F32,
                slice: Slice::vector(0..len),
                recipe: None,
            });
            WeightId(program.weights.len() as u32 - 1)
        };
        let stack = |program: &mut Program, name: String, dtype, experts, rows, cols| {
            program.weights.push(Weight {
                name,
                dtype,
                slice: Slice { experts: 0..experts, rows: 0..rows, cols: 0..cols },
                recipe: None,
            });
            WeightId(program.weights.len() as u32 - 1)
        };
        let norm = |program: &mut Program, name: String, len| RmsNorm {
            weight: vector(program, format!("{name}_norm"), len),
            eps: 1e-5,
        };

        if let Some(style) = self.rope {
            let factors = self
                .rope_factors
                .then(|| vector(&mut program, "rope_factors_norm".into(), self.rotated_pairs));
            let pairs = self.latent.as_ref().map_or(self.rotated_pairs, |latent| latent.rope_dim / 2);
            let inv_freq = (0..pairs).map(|i| 1e4_f32.powf(-(i as f32) / pairs as f32)).collect();
            program.ropes.push(Rope { style, inv_freq, factors, magnitude: 1.0, behind: 0 });
        } else if self.latent.is_some() {
            let style = RopeStyle::Halves;
            program.ropes.push(Rope {
                style,
                inv_freq: Vec::new(),
                factors: None,
                magnitude: 1.0,
                behind: 0,
            });
        }
        let table = matrix(
            &mut program,
            "embedding".into(),
            self.output_dtype.unwrap_or(self.dtype),
            self.vocabulary,
            self.hidden,
        );
        program.ops.push(Op::Embed { table, first_row: 0, scale: 1.0, out: x });
        if self.means.is_some() {
            program.ops.push(Op::Place { out: x });
        }
        let mut kept = Vec::new();
        for layer in 0..self.layers {
            let p = &mut program;
            p.caches.push(match &self.latent {
                Some(_) => Cache { kv_heads: 1, key_dim: k_dim, value_dim: 0, window: None, every: 1 },
                None => Cache {
                    kv_heads: self.kv_heads,
                    key_dim: self.key_dim,
                    value_dim: self.value_dim,
                    window: self.window.map(Window::len),
                    every: 1,
                },
            });
            let attend_cache = CacheId(p.caches.len() as u32 - 1);
            let own_keys = layer == 0 || !self.keys_of_first;
            let first = norm(p, format!("{layer}.attend"), self.hidden);
            p.ops.push(if layer == 0 {
                Op::Norm { x, norm: first, out: normed }
            } else {
                Op::AddNorm { x, y, norm: first, out: normed }
            });
            let linear = |p: &mut Program, name: &str, cols, out: BufId| {
                let (rows, run) = match self.run {
                    Some(run) if out == partial => (self.hidden, Some(run)),
                    _ => (p.buf(out).width, None),
                };
                let weight = matrix(p, format!("{layer}.{name}"), self.dtype, rows, cols);
                let bias = self.bias.then(|| vector(p, format!("{layer}.{name}_bias"), rows));
                LinearPart { weight, bias, out, run }
            };
            let mut parts = vec![linear(p, "q", self.hidden, q), linear(p, "k", self.hidden, k)];
            if self.latent.is_none() {
                parts.push(linear(p, "v", self.hidden, v));
            }
            p.ops.push(Op::Linear { x: normed, parts });
            let q_norm = self.qk_norm.then(|| norm(p, format!("{layer}.q"), self.key_dim));
            let k_norm = self.qk_norm.then(|| norm(p, format!("{layer}.k"), self.key_dim));
            let sinks = self.sinks.then(|| vector(p, format!("{layer}.sinks"), self.heads));
            let runs = self.runs.map(|KeyRuns { len, count, local, key_dim }| {
                let [q, k, list] = [self.kv_heads * key_dim, key_dim, self.kv_heads * count].map(|width| {
                    p.bufs.push(Buf { rows: Rows::Tokens, width });
                    BufId(p.bufs.len() as u32 - 1)
                });
                let parts = [("run_q", q), ("run_k", k)];
                let parts = parts.map(|(name, out)| linear(p, name, self.hidden, out)).to_vec();
                p.ops.push(Op::Linear { x: normed, parts });
                p.caches.push(Cache { kv_heads: 1, key_dim, value_dim: 0, window: None, every: 1 });
                let cache = CacheId(p.caches.len() as u32 - 1);
                let (heads, rope) = (self.kv_heads, RopeId(0));
                p.ops.push(Op::ChooseRuns(ChooseRuns { q, k, heads, cache, rope, len, local, out: list }));
                Runs { len, list }
            });
            let attend = if let Some(latent) = &self.latent {
                let name = |part: &str| format!("{layer}.latent_{part}");
                let indexer = latent.chosen.map(|Chosen { count, heads, key_dim, tied }| {
                    let [q, k, weights] = [heads * key_dim, key_dim, heads].map(|width| {
                        p.bufs.push(Buf { rows: Rows::Tokens, width });
                        BufId(p.bufs.len() as u32 - 1)
                    });
                    let weigh = if tied { "index_weights_zero" } else { "index_weights" };
                    let parts = [("index_q", q), ("index_k", k), (weigh, weights)];
                    let parts = parts.map(|(name, out)| linear(p, name, self.hidden, out)).to_vec();
                    p.ops.push(Op::Linear { x: normed, parts });
                    let k_norm = LayerNorm {
                        weight: vector(p, name("index_norm"), key_dim),
                        bias: vector(p, name("index_norm_bias"), key_dim),
                        eps: 1e-6,
                    };
                    p.caches.push(Cache { kv_heads: 1, key_dim, value_dim: 0, window: None, every: 1 });
                    let cache = CacheId(p.caches.len() as u32 - 1);
                    Indexer { q, k, weights, heads, cache, k_norm, rope: RopeId(0), count }
                });
                let (inner, value_dim, nope_dim) = (latent.latent_dim, latent.value_dim, latent.nope_dim);
                Op::AttendLatent(AttendLatent {
                    q,
                    kv: k,
                    out: attended,
                    heads: self.heads,
                    cache: attend_cache,
                    kv_norm: norm(p, name("kv"), inner),
                    key: stack(p, name("key"), latent.dtype, self.heads, inner, nope_dim),
                    value: stack(p, name("value"), latent.dtype, self.heads, value_dim, inner),
                    rope: RopeId(0),
                    scale: 1.0 / (q_dim as f32).sqrt(),
                    growth: self.growth,
                    indexer,
                })
            } else {
                Op::Attend(Attend {
                    q,
                    kv: own_keys.then_some([k, v]),
                    out: attended,
                    heads: self.heads,
                    cache: if own_keys { attend_cache } else { CacheId(0) },
                    q_norm,
                    k_norm,
                    rope: self.rope.map(|_| RopeId(0)),
                    scale: 1.0 / (self.key_dim as f32).sqrt(),
                    growth: self.growth,
                    window: self.window,
                    sinks,
                    runs,
                })
            };
            p.ops.push(attend);
            let parts = vec![linear(p, "o", self.heads * out_dim, partial)];
            p.ops.push(Op::Linear { x: attended, parts });
            add_up(p);
            if self.means.is_some() {
                p.bufs.push(Buf { rows: Rows::Tokens, width: self.hidden / 2 });
                let part = BufId(p.bufs.len() as u32 - 1);
                let weight = vector(p, format!("{layer}.layer_norm"), self.hidden);
                let bias = vector(p, format!("{layer}.layer_norm_bias"), self.hidden);
                let by = vector(p, format!("{layer}.by_norm"), 1);
                let runs = norm(p, format!("{layer}.runs"), self.hidden);
                p.ops.extend([
                    Op::LayerNorm { x: y, norm: LayerNorm { weight, bias, eps: 1e-5 }, out: y },
                    Op::Slice { x: y, first: 3, out: part },
                    Op::Curve { x: part, curve: Curve::Gelu },
                    Op::Gate { x: y, gate: part, curve: Curve::Gelu },
                    Op::Gate { x: y, gate: part, curve: Curve::Sigmoid },
                    Op::NormRuns { x: y, len: self.hidden / 2, norm: runs },
                    Op::Rescale { x: y, scale: 0.7, by: Some(by), cap: Some(2.0) },
                ]);
            }
            if self.blends {
                let mut new = || {
                    p.bufs.push(Buf { rows: Rows::Tokens, width: self.hidden });
                    BufId(p.bufs.len() as u32 - 1)
                };
                let (before, out) = (new(), new());
                kept.push(before);
                let of = kept.iter().copied().chain([y]).collect();
                let weight = vector(p, format!("{layer}.blend"), self.hidden);
                p.ops.extend([
                    Op::Slice { x, first: 0, out: before },
                    Op::Blend(Blend { of, weight, eps: 1e-5, out }),
                    Op::Add { x: y, y: out },
                ]);
            }
            let second = norm(p, format!("{layer}.ffn"), self.hidden);
            p.ops.push(Op::AddNorm { x, y, norm: second, out: normed });
            if let Some(mixture) = &self.mixture {
                let name = |part: &str| format!("{layer}.experts_{part}");
                let (count, inner, hidden) = (mixture.experts, mixture.inner, self.hidden);
                let router = matrix(p, format!("{layer}.router"), DType::F32, count, hidden);
                let parts = vec![LinearPart { weight: router, bias: None, out: scores, run: None }];
                p.ops.push(Op::Linear { x: normed, parts });
                let bias = |p: &mut Program, part: &str, len| {
                    mixture.biases.then(|| matrix(p, name(part), DType::F32, count, len))
                };
                let mut routing = mixture.routing;
                routing.bias = mixture.routing_bias.then(|| vector(p, name("routing_bias"), count));
                routing.scales = mixture.scales.then(|| vector(p, name("scales"), count));
                let gate = stack(p, name("gate"), mixture.dtype, count, inner, hidden);
                let up = match self.act {
                    Activation::ReluGate => gate,
                    _ => {
                        let dtype = self.up_dtype.unwrap_or(mixture.dtype);
                        stack(p, name("up"), dtype, count, inner, hidden)
                    }
                };
                let experts = Experts {
                    x: normed,
                    scores,
                    routing,
                    gate,
                    up,
                    down: stack(p, name("down"), mixture.dtype, count, hidden, inner),
                    gate_bias: bias(p, "gate_bias", inner),
                    up_bias: bias(p, "up_bias", inner),
                    down_bias: bias(p, "down_bias", hidden),
                    act: self.act,
                    out: partial,
                    run: self.run,
                };
                p.ops.push(Op::Experts(experts));
            } else {
                let gate = matrix(p, format!("{layer}.gate"), self.dtype, self.ffn, self.hidden);
                let up = match self.act {
                    Activation::ReluGate => gate,
                    _ => {
                        let dtype = self.up_dtype.unwrap_or(self.dtype);
                        matrix(p, format!("{layer}.up"), dtype, self.ffn, self.hidden)
                    }
                };
                p.ops.push(Op::GatedLinear { x: normed, gate, up, act: self.act, out: ffn });
                let parts = vec![linear(p, "down", self.ffn, partial)];
                p.ops.push(Op::Linear { x: ffn, parts });
            }
            add_up(p);
        }
        let p = &mut program;
        p.ops.push(Op::Add { x, y });
        match self.means {
            // What follows is the same for a row and its multiples; a curve is not.
            Some(len) => {
                p.ops.extend([Op::Mean { x, len, out: last }, Op::Curve { x: last, curve: Curve::Silu }]);
            }
            None => p.ops.push(Op::Select { x, out: last }),
        }
        let output_norm = norm(p, "output".into(), self.hidden);
        let rows = Buf { rows: Rows::Outputs, width: self.hidden };
        p.bufs.push(rows);
        let normed_last = BufId(p.bufs.len() as u32 - 1);
        p.ops.push(Op::Norm { x: last, norm: output_norm, out: normed_last });
        // The output matrix is the embedding again, under an id of its own.
        let tied = matrix(
            p,
            "embedding".into(),
            self.output_dtype.unwrap_or(self.dtype),
            self.vocabulary,
            self.hidden,
        );
        let parts = vec![LinearPart { weight: tied, bias: None, out: logits, run: None }];
        p.ops.push(Op::Linear { x: normed_last, parts });
        Arc::new(program)
    }

    pub fn limits(&self, block_len: usize, cache_type: CacheType) -> Limits {
        Limits {
            tokens_max: 200,
            outputs_max: 20,
            block_len,
            blocks: 4096 / block_len,
            window: self.window.map_or(0, Window::len),
            window_blocks: 640 / block_len + 5,
            states: if self.pooled.is_some() { 8 } else { 0 },
            context_max: 2048,
            cache_type,
        }
    }
}

/// Random weights: a function of name, row and column.
pub struct Random;

impl WeightSource for Random {
    fn read(
        &self,
        weight: &Weight,
        expert: usize,
        rows: Range<usize>,
        out: &mut [u8],
    ) -> Result<(), ReadError> {
        let mut bytes = Vec::with_capacity(out.len());
        for row in rows {
            let seed =
                weight.name.bytes().fold(expert as u64, |hash, byte| hash.wrapping_mul(31) ^ u64::from(byte));
            let mut noise = Noise(seed ^ ((weight.slice.rows.start + row) as u64) << 32);
            let values: Vec<f32> = (0..weight.slice.cols.end)
                .map(|_| noise.value())
                .skip(weight.slice.cols.start)
                .map(|x| match weight.name.as_str() {
                    name if name.ends_with("norm") => 1.0 + 0.2 * x,
                    name if name.ends_with("zero") => 0.0,
                    "embedding" => x,
                    _ if weight.rows() == 1 => x,
                    _ => x * 1.7 / (weight.cols() as f32).sqrt(),
                })
                .collect();
            quant::quantize(weight.dtype, &values, &mut bytes);
        }
        out.copy_from_slice(&bytes);
        Ok(())
    }
}

/// Uniform in -1..1.
pub struct Noise(pub u64);

impl Noise {
    pub fn value(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((self.value() + 1.0) / 2.0 * n as f32) as usize % n
    }
}

/// Sequences that grow step by step, with blocks handed out in no order.
pub struct Sequences {
    limits: Limits,
    vocabulary: usize,
    noise: Noise,
    free: Vec<u32>,
    tokens: Vec<usize>,
    tables: Vec<Vec<u32>>,
    /// The same for windows, which give back what they have passed.
    window_free: Vec<u32>,
    windows: Vec<VecDeque<u32>>,
}

impl Sequences {
    pub fn new(count: usize, llama: &Llama, limits: Limits) -> Sequences {
        let mut noise = Noise(7);
        let mut shuffled = |count: usize| {
            let mut free: Vec<u32> = (0..count as u32).collect();
            for i in (1..free.len()).rev() {
                free.swap(i, noise.below(i + 1));
            }
            free
        };
        let (free, window_free) = (shuffled(limits.blocks), shuffled(limits.window_blocks));
        Sequences {
            limits,
            vocabulary: llama.vocabulary,
            noise,
            free,
            tokens: vec![0; count],
            tables: vec![Vec::new(); count],
            window_free,
            windows: vec![VecDeque::new(); count],
        }
    }

    /// Let sequence `i` be `tokens` longer without running anything.
    pub fn pretend(&mut self, i: usize, tokens: usize) {
        self.batch(&[(i, tokens)]);
    }

    /// A batch that gives sequence `i` the next `rows` tokens for every `(i, rows)`; the last row of each is wanted.
    pub fn batch(&mut self, grow: &[(usize, usize)]) -> Batch {
        let mut batch = Batch::default();
        for (i, rows) in grow.iter().copied() {
            batch.tokens.extend((0..rows).map(|_| self.noise.below(self.vocabulary) as u32));
            let start = self.tokens[i];
            self.tokens[i] += rows;
            while self.tables[i].len() * self.limits.block_len < self.tokens[i] {
                self.tables[i].push(self.free.pop().expect("enough blocks"));
                if self.limits.window > 0 {
                    self.windows[i].push_back(self.window_free.pop().expect("enough blocks of windows"));
                }
            }
            batch.spans.push(Span {
                rows: rows as u32,
                start: start as u32,
                blocks: self.tables[i].len() as u32,
                window_blocks: self.windows[i].len() as u32,
                state: i as u32,
                state_from: i as u32,
            });
            batch.blocks.extend(&self.tables[i]);
            batch.window_blocks.extend(&self.windows[i]);
            batch.outputs.push(batch.tokens.len() as u32 - 1);
        }
        for (i, _) in grow.iter().copied() {
            let seen = (self.tokens[i] + 1).saturating_sub(self.limits.window) / self.limits.block_len;
            while self.tables[i].len() - self.windows[i].len() < seen {
                let Some(block) = self.windows[i].pop_front() else { break };
                self.window_free.push(block);
            }
        }
        batch
    }
}

pub fn open(backend: &dyn Backend, program: &Arc<Program>, limits: Limits) -> Box<dyn Session> {
    backend.open(Arc::clone(program), limits, &Random, &|_| ()).expect("random weights can be read")
}

/// Results of all steps.
pub fn run(session: &mut dyn Session, batches: &[Batch]) -> Vec<Vec<f32>> {
    let step = |batch: &Batch| {
        session.run(batch, &mut Alone).expect("no peers to lose");
        session.result().to_vec()
    };
    batches.iter().map(step).collect()
}

/// What a session that reduces gives of whole rows: the largest values, the winners of draws and what was named; the others are
/// negative infinity. Naive, to hold sessions to it and to stand in for one.
pub fn reduced(batch: &Batch, whole: &[f32]) -> (Vec<f32>, Vec<Rest>) {
    let width = whole.len() / batch.outputs.len().max(1);
    let mut few = vec![f32::NEG_INFINITY; whole.len()];
    let mut rests = Vec::new();
    for (output, row) in whole.chunks_exact(width.max(1)).enumerate() {
        let few = &mut few[output * width..][..width];
        let named =
            |id: usize| batch.named.iter().any(|(of, token)| *of as usize == output && *token as usize == id);
        let mask = batch.masks().find(|(mask, _)| mask.output as usize == output);
        let allowed = |id: usize| {
            mask.is_none_or(|(_, words)| words.get(id / 32).is_some_and(|word| word >> (id % 32) & 1 == 1))
        };
        let limits_top = mask.is_some_and(|(mask, _)| !mask.draws_only);
        let counts = |id: usize, limited: bool| {
            !named(id) && row[id] > f32::NEG_INFINITY && (!limited || allowed(id) || row[id] == f32::INFINITY)
        };
        let seen = |id: usize| counts(id, limits_top) || (row[id].is_nan() && !named(id));
        let mut ids: Vec<usize> = (0..width).filter(|id| seen(*id)).collect();
        let drawable = |id: usize| if counts(id, true) { row[id] } else { f32::NEG_INFINITY };
        let drawable: Vec<f32> = (0..width).map(drawable).collect();
        // What is no number comes first.
        let key = |id: usize| if row[id].is_nan() { f32::NAN } else { row[id] };
        ids.sort_by(|a, b| key(*b).total_cmp(&key(*a)).then(a.cmp(b)));
        let top = batch.top as usize;
        ids.iter().take(top).for_each(|id| few[*id] = row[*id]);
        let most = ids.get(top.max(1) - 1).map_or(f32::NEG_INFINITY, |id| row[*id]);
        if let Some(winner) = batch.draws.get(output).and_then(|draw| draw.winner(0, &drawable)) {
            few[winner as usize] = row[winner as usize];
        }
        (0..width).filter(|id| named(*id)).for_each(|id| few[id] = row[id]);
        let log_sum_exp = |temperature: f32, counts: &dyn Fn(usize) -> bool| {
            let scaled = |id: usize| f64::from(row[id]) / f64::from(temperature);
            let counted =
                || (0..width).filter(|id| !named(*id) && counts(*id) && row[*id].is_finite()).map(scaled);
            let max = counted().fold(f64::NEG_INFINITY, f64::max);
            max + counted().map(|value| (value - max).exp()).sum::<f64>().ln()
        };
        let temperature = batch.sums.get(output).copied().unwrap_or(0.0);
        let or_none = |sum: f64| if sum.is_nan() { f64::NEG_INFINITY } else { sum };
        rests.push(Rest {
            most,
            all: or_none(log_sum_exp(1.0, &|_| true)),
            allowed: or_none(log_sum_exp(temperature, &allowed)),
        });
    }
    (few, rests)
}

/// Prefill in chunks, and decoding of some sequences while others begin.
pub fn mixed_batches(llama: &Llama, limits: Limits) -> Vec<Batch> {
    let mut sequences = Sequences::new(4, llama, limits);
    vec![
        sequences.batch(&[(0, 1)]),
        sequences.batch(&[(1, 37), (0, 1)]),
        sequences.batch(&[(1, 1), (2, 100), (0, 1), (3, 5)]),
        sequences.batch(&[(0, 1), (1, 1), (2, 1), (3, 1)]),
        sequences.batch(&[(2, 3), (3, 2), (1, 1)]),
    ]
}

/// One sequence that grows beyond a partition, then another beside it.
pub fn long_batches(llama: &Llama, limits: Limits) -> Vec<Batch> {
    let mut sequences = Sequences::new(2, llama, limits);
    let mut batches: Vec<Batch> = [150, 199, 190].iter().map(|rows| sequences.batch(&[(0, *rows)])).collect();
    batches.push(sequences.batch(&[(0, 1)]));
    batches.push(sequences.batch(&[(0, 1), (1, 1)]));
    batches
}

/// The largest error of each step must be at most `tolerance` of the step's root mean square.
pub fn differ(found: &[Vec<f32>], expected: &[Vec<f32>], tolerance: f32) -> Result<(), String> {
    if found.len() != expected.len() {
        return Err(format!("{} steps, expected {}", found.len(), expected.len()));
    }
    for (step, (found, expected)) in found.iter().zip(expected).enumerate() {
        if found.len() != expected.len() {
            return Err(format!("step {step}: {} values, expected {}", found.len(), expected.len()));
        }
        let rms = (expected.iter().map(|x| x * x).sum::<f32>() / expected.len() as f32).sqrt();
        for (x, y) in found.iter().zip(expected) {
            let error = (x - y).abs() / rms;
            // Also where `x` is no number.
            if error.is_nan() || error > tolerance {
                return Err(format!(
                    "step {step}: {x} instead of {y}, off by {error} of the mean, {tolerance} allowed"
                ));
            }
        }
    }
    Ok(())
}

/// # Panics
/// Where the results differ by more than `tolerance`.
pub fn check(name: &str, found: &[Vec<f32>], expected: &[Vec<f32>], tolerance: f32) {
    if let Err(difference) = differ(found, expected, tolerance) {
        panic!("{name}: {difference}");
    }
}

/// A model, and what it is run over.
pub struct Case {
    pub name: String,
    pub llama: Llama,
    pub limits: Limits,
    pub batches: Vec<Batch>,
    pub precision: Precision,
}

/// What rounding a case allows for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Only the order of sums differs.
    Float,
    /// Keys and values are half floats.
    Half,
    /// Activations, or the cache, have eight bits.
    EightBits,
}

impl Precision {
    fn of(dtype: DType) -> Precision {
        match dtype {
            DType::F32 | DType::F16 | DType::BF16 => Precision::Float,
            _ => Precision::EightBits,
        }
    }

    /// What the CPU backend is held to.
    pub const fn tolerance(self) -> f32 {
        match self {
            Precision::Float => 2e-4,
            Precision::Half => 1e-2,
            Precision::EightBits => 0.12,
        }
    }
}

impl Case {
    /// Prefill in chunks, and decoding of some sequences while others begin.
    fn mixed(
        name: impl Into<String>,
        llama: Llama,
        block_len: usize,
        cache_type: CacheType,
        precision: Precision,
    ) -> Case {
        let limits = llama.limits(block_len, cache_type);
        let batches = mixed_batches(&llama, limits);
        Case { name: name.into(), llama, limits, batches, precision }
    }

    /// What the reference gives, which takes most of a case's time.
    pub fn expected(&self) -> Vec<Vec<f32>> {
        run(&mut *open(&Reference, &self.llama.program(), self.limits), &self.batches)
    }

    /// Run it on `backend` and compare it with the reference.
    pub fn run(&self, backend: &dyn Backend, tolerance: f32) -> Result<(), String> {
        self.run_against(backend, &self.expected(), tolerance)
    }

    pub fn run_against(
        &self,
        backend: &dyn Backend,
        expected: &[Vec<f32>],
        tolerance: f32,
    ) -> Result<(), String> {
        let program = self.llama.program();
        let session = backend.open(Arc::clone(&program), self.limits, &Random, &|_| ());
        let mut session = session.map_err(|error| error.to_string())?;
        let mut found = Vec::new();
        for batch in &self.batches {
            session.run(batch, &mut Alone).map_err(|error| error.to_string())?;
            found.push(session.result().to_vec());
        }
        differ(&found, expected, tolerance)
    }
}

/// Every operator, type and option, and odd shapes.
pub fn cases() -> Vec<Case> {
    use Precision::{EightBits, Float, Half};
    let mixed = |name: &str, llama, block_len, cache_type, precision| {
        Case::mixed(name, llama, block_len, cache_type, precision)
    };
    let plain = Llama::default;
    let mut cases = vec![mixed("plain", plain(), 16, CacheType::F32, Float)];
    for (cache_type, window, precision) in [
        (CacheType::F32, None, Float),
        (CacheType::F16, Some(Window::Sliding(530)), Half),
        (CacheType::Q8, None, EightBits),
    ] {
        let llama = Llama { layers: 1, window, sinks: window.is_some(), ..plain() };
        let limits = llama.limits(32, cache_type);
        let batches = long_batches(&llama, limits);
        cases.push(Case { name: format!("long, {cache_type:?} cache"), llama, limits, batches, precision });
    }
    let options = Llama {
        rope: Some(RopeStyle::Halves),
        qk_norm: true,
        bias: true,
        rope_factors: true,
        rotated_pairs: 24,
        act: Activation::Gelu,
        ..plain()
    };
    cases.push(mixed("half rope, norms of queries and keys, biases", options, 32, CacheType::F32, Float));
    for (window, block_len) in [(1, 16), (5, 8), (64, 32), (100, 128)] {
        let llama = Llama { window: Some(Window::Sliding(window)), sinks: true, ..plain() };
        cases.push(mixed(&format!("window of {window}"), llama, block_len, CacheType::F32, Float));
    }
    let many = Llama { rope: None, heads: 9, kv_heads: 1, sinks: true, ..plain() };
    cases.push(mixed("no rope, one key head for all", many, 64, CacheType::F32, Float));
    let each = Llama { heads: 3, kv_heads: 3, ..plain() };
    cases.push(mixed("a key head for each", each, 64, CacheType::F32, Float));
    let odd = Llama {
        hidden: 50,
        heads: 6,
        kv_heads: 2,
        key_dim: 22,
        value_dim: 19,
        ffn: 77,
        vocabulary: 101,
        rotated_pairs: 9,
        qk_norm: true,
        bias: true,
        ..plain()
    };
    for block_len in [1, 2, 8, 16, 256] {
        let name = format!("odd sizes, blocks of {block_len}");
        cases.push(mixed(&name, odd.clone(), block_len, CacheType::F32, Float));
    }
    for (block_len, key_dim) in [(4, 64), (32, 64), (128, 80)] {
        let llama = Llama { key_dim, value_dim: key_dim, ..plain() };
        cases.push(mixed(
            &format!("half cache of {key_dim}"),
            llama.clone(),
            block_len,
            CacheType::F16,
            Half,
        ));
        cases.push(mixed(
            &format!("eight-bit cache of {key_dim}"),
            llama,
            block_len,
            CacheType::Q8,
            EightBits,
        ));
    }
    let odd = Llama { key_dim: 50, value_dim: 35, rotated_pairs: 20, ..plain() };
    cases.push(mixed("odd half cache", odd.clone(), 16, CacheType::F16, Half));
    cases.push(mixed("odd eight-bit cache", odd, 16, CacheType::Q8, EightBits));
    for dtype in DType::ALL {
        let llama = Llama { dtype, sums: false, ..plain() };
        cases.push(mixed(&format!("weights of {dtype}"), llama, 16, CacheType::F32, Precision::of(dtype)));
    }
    let two = Llama { dtype: DType::Q4_0, output_dtype: Some(DType::F16), ..plain() };
    cases.push(mixed("weights of two types", two, 16, CacheType::F16, EightBits));
    cases.extend(mixtures());
    cases.extend(latents());
    cases
}

fn mixtures() -> Vec<Case> {
    let mut cases = Vec::new();
    let plain = Mixture::default().routing;
    let routings = [
        plain,
        Routing { score: Score::Sigmoid, scale: 2.5, ..plain },
        Routing { score: Score::SoftmaxOfChosen, normalise: false, used: 1, ..plain },
        Routing { normalise: false, used: 8, ..plain },
        Routing { groups: Some(Groups { count: 4, used: 2, best: 2 }), score: Score::Sigmoid, ..plain },
        Routing { groups: Some(Groups { count: 2, used: 1, best: 1 }), ..plain },
    ];
    for (i, routing) in routings.into_iter().enumerate() {
        let odd = i % 2 == 1;
        let mixture = Mixture {
            inner: if odd { 77 } else { 96 },
            routing,
            routing_bias: odd,
            biases: i % 3 == 0,
            ..Mixture::default()
        };
        let act = [Activation::Silu, Activation::ClampedSwiglu, Activation::Gelu][i % 3];
        let hidden = if odd { 50 } else { 256 };
        let llama = Llama { hidden, act, mixture: Some(mixture), ..Llama::default() };
        cases.push(Case::mixed(format!("{routing:?}"), llama, 16, CacheType::F32, Precision::Float));
    }
    for dtype in DType::ALL {
        // One layer, so that rounding does not change who is chosen.
        let mixture = Mixture { dtype, inner: 256, biases: true, ..Mixture::default() };
        let llama = Llama { layers: 1, mixture: Some(mixture), ..Llama::default() };
        let name = format!("experts of {dtype}");
        cases.push(Case::mixed(name, llama, 16, CacheType::F32, Precision::of(dtype)));
    }
    cases
}

fn latents() -> Vec<Case> {
    use Precision::{EightBits, Float, Half};
    let mut cases = Vec::new();
    let plain =
        Latent { latent_dim: 96, nope_dim: 32, rope_dim: 16, value_dim: 32, dtype: DType::F32, chosen: None };
    let odd = Latent { latent_dim: 37, nope_dim: 21, rope_dim: 6, value_dim: 19, ..plain.clone() };
    let small = Llama { hidden: 64, ffn: 64, vocabulary: 50, layers: 1, ..Llama::default() };
    for (latent, heads, rope, block_len, cache_type, precision) in [
        (&plain, 4, RopeStyle::Interleaved, 16, CacheType::F32, Float),
        (&plain, 9, RopeStyle::Halves, 128, CacheType::Q8, EightBits),
        (&plain, 16, RopeStyle::Halves, 32, CacheType::F16, Half),
        (&odd, 1, RopeStyle::Halves, 1, CacheType::F16, Half),
        (&odd, 3, RopeStyle::Interleaved, 8, CacheType::Q8, EightBits),
        (&odd, 70, RopeStyle::Interleaved, 16, CacheType::F32, Float),
    ] {
        let llama = Llama { heads, rope: Some(rope), latent: Some(latent.clone()), ..small.clone() };
        let name = format!("{latent:?}, {heads} heads, {cache_type:?}");
        cases.push(Case::mixed(name, llama, block_len, cache_type, precision));
    }
    for dtype in [DType::F16, DType::Q8_0, DType::Q5_0] {
        let llama = Llama { latent: Some(Latent { dtype, ..plain.clone() }), ..small.clone() };
        let name = format!("latent {dtype}");
        cases.push(Case::mixed(name, llama, 32, CacheType::F32, Precision::of(dtype)));
    }
    let latent = Latent { latent_dim: 48, nope_dim: 16, rope_dim: 8, value_dim: 16, ..plain.clone() };
    // As whole squares of matrices, and some heads beside the last of them.
    let squares = Latent { latent_dim: 128, rope_dim: 64, ..plain };
    for (latent, heads, cache_type, precision) in
        [(latent, 5, CacheType::F32, Float), (squares, 20, CacheType::F16, Half)]
    {
        let llama = Llama { latent: Some(latent), heads, ..small.clone() };
        let limits = llama.limits(32, cache_type);
        let mut sequences = Sequences::new(2, &llama, limits);
        let mut batches: Vec<_> =
            [200, 200, 200, 200, 200, 60].iter().map(|rows| sequences.batch(&[(0, *rows)])).collect();
        batches.push(sequences.batch(&[(0, 1)]));
        batches.push(sequences.batch(&[(0, 1), (1, 1)]));
        let name = format!("long latent, {heads} heads, {cache_type:?} cache");
        cases.push(Case { name, llama, limits, batches, precision });
    }
    cases
}

/// What few families need, but for [`chosen`].
pub fn rarer() -> Vec<Case> {
    let case = |name: String, llama, block_len, cache_type, precision| {
        Case::mixed(name, llama, block_len, cache_type, precision)
    };
    let mut cases = Vec::new();
    for (len, block_len) in [(1, 16), (5, 8), (64, 32), (100, 128)] {
        let llama = Llama { window: Some(Window::Chunked(len)), ..Llama::default() };
        cases.push(case(format!("chunks of {len}"), llama, block_len, CacheType::F32, Precision::Float));
    }
    for (biases, dtype) in [(false, DType::F32), (true, DType::F32), (false, DType::Q4_0)] {
        let routing = Routing { weighs_input: true, ..Routing::of(2, Score::Sigmoid) };
        let inner = if dtype == DType::F32 { 77 } else { 96 };
        let mixture = Mixture { routing, biases, dtype, inner, ..Mixture::default() };
        let llama = Llama { layers: 1, mixture: Some(mixture), ..Llama::default() };
        let name = format!("weighed inputs of {dtype}, biases {biases}");
        cases.push(case(name, llama, 16, CacheType::F32, Precision::of(dtype)));
    }
    let routing = Routing::of(4, Score::SoftmaxOfChosen);
    let mixture = Mixture { routing, scales: true, ..Mixture::default() };
    let llama = Llama { mixture: Some(mixture), ..Llama::default() };
    cases.push(case("experts with scales".into(), llama, 16, CacheType::F32, Precision::Float));
    for (name, dtype, up_dtype) in [
        ("squared activations of floats", DType::F32, None),
        ("squared activations of Q4_0", DType::Q4_0, None),
        ("gates of Q4_0 and what they gate of Q8_0", DType::Q4_0, Some(DType::Q8_0)),
        ("gates of Q5_0 and what they gate of F16", DType::Q5_0, Some(DType::F16)),
    ] {
        let act = if up_dtype.is_none() { Activation::ReluGate } else { Activation::Silu };
        let plain = Llama { hidden: 64, ffn: 96, vocabulary: 50, layers: 1, ..Llama::default() };
        let llama = Llama { dtype, up_dtype, act, ..plain.clone() };
        cases.push(case(name.into(), llama, 16, CacheType::F32, Precision::of(dtype)));
        let mixture = Some(Mixture { dtype, biases: up_dtype.is_some(), ..Mixture::default() });
        let llama = Llama { up_dtype, act, mixture, ..plain };
        cases.push(case(format!("experts, {name}"), llama, 16, CacheType::F32, Precision::of(dtype)));
    }
    for (heads, key_dim, cache_type, precision) in
        [(6, 22, CacheType::F32, Precision::Float), (4, 64, CacheType::F16, Precision::Half)]
    {
        let growth = Some(Growth { rate: 0.3, every: 8.0, ahead: 1.0 });
        let small = Llama { hidden: 64, ffn: 64, vocabulary: 50, rotated_pairs: 9, ..Llama::default() };
        let llama = Llama { heads, key_dim, qk_norm: true, growth, keys_of_first: true, layers: 3, ..small };
        let name = format!("keys of the first layer, queries that grow, {cache_type:?}");
        cases.push(case(name, llama, 16, cache_type, precision));
    }
    let latent =
        Latent { latent_dim: 37, nope_dim: 21, rope_dim: 6, value_dim: 19, dtype: DType::F32, chosen: None };
    let small = Llama { hidden: 64, ffn: 64, vocabulary: 50, layers: 1, rope: None, ..Llama::default() };
    let llama = Llama { latent: Some(latent.clone()), ..small.clone() };
    cases.push(case("latent, without rotation".into(), llama, 16, CacheType::F32, Precision::Float));
    let growth = Some(Growth { rate: 0.3, every: 8.0, ahead: 0.0 });
    let llama = Llama { latent: Some(latent), growth, rope: Some(RopeStyle::Halves), ..small };
    cases.push(case("latent, queries that grow".into(), llama, 16, CacheType::F32, Precision::Float));
    for (len, count, local, block_len, cache_type, precision) in [
        (16, 3, 1, 16, CacheType::F32, Precision::Float),
        (32, 5, 2, 8, CacheType::F32, Precision::Float),
        // Rounding may change who is chosen: many, so that one more or less says little.
        (32, 14, 1, 32, CacheType::F16, Precision::EightBits),
    ] {
        let runs = Some(KeyRuns { len, count, local, key_dim: 19 });
        let small =
            Llama { hidden: 64, ffn: 64, vocabulary: 50, layers: 1, rotated_pairs: 9, ..Llama::default() };
        let llama = Llama { key_dim: 22, value_dim: 19, runs, ..small };
        let limits = llama.limits(block_len, cache_type);
        let mut batches = mixed_batches(&llama, limits);
        let mut sequences = Sequences::new(2, &llama, limits);
        batches.extend([200, 200, 170].map(|rows| sequences.batch(&[(0, rows)])));
        batches.push(sequences.batch(&[(0, 1)]));
        batches.push(sequences.batch(&[(0, 1), (1, 1)]));
        let name = format!("{count} runs of {len} keys, {cache_type:?}");
        cases.push(Case { name, llama, limits, batches, precision });
    }
    let small =
        Llama { hidden: 50, ffn: 64, vocabulary: 50, rotated_pairs: 9, layers: 5, ..Llama::default() };
    let llama = Llama { key_dim: 22, value_dim: 19, blends: true, ..small };
    cases.push(case("blends of the stream".into(), llama, 16, CacheType::F32, Precision::Float));
    for (linear, dtype) in [(None, DType::F32), (Some(3.0), DType::F32), (Some(25.0), DType::Q8_0)] {
        let act = Activation::Situ { beta: 2.0, linear };
        let llama = Llama { act, dtype, layers: 1, ..Llama::default() };
        let name = format!("bent activations of {dtype}, {linear:?}");
        cases.push(case(name, llama, 16, CacheType::F32, Precision::of(dtype)));
        let mixture =
            Mixture { dtype, inner: if dtype == DType::F32 { 77 } else { 96 }, ..Mixture::default() };
        let llama = Llama { act, mixture: Some(mixture), layers: 1, ..Llama::default() };
        let name = format!("experts, bent activations of {dtype}, {linear:?}");
        cases.push(case(name, llama, 16, CacheType::F32, Precision::of(dtype)));
    }
    cases.extend(given());
    cases.push(means());
    cases
}

/// Rows with values of their own, operators that towers have, and means of rows.
fn means() -> Case {
    let (hidden, len) = (50, 3);
    let small = Llama { hidden, ffn: 64, vocabulary: 50, rotated_pairs: 9, ..Llama::default() };
    let llama = Llama { key_dim: 22, value_dim: 19, means: Some(len), ..small };
    let limits = llama.limits(16, CacheType::F32);
    let mut sequences = Sequences::new(2, &llama, limits);
    let mut noise = Noise(3);
    let mut with = |grow: &[(usize, usize)], given: &[(u32, u32)]| {
        let given = given.iter().map(|&(first, rows)| {
            let values = (0..rows as usize * hidden).map(|_| noise.value()).collect();
            Given { first, rows, values: Some(values) }
        });
        let mut batch = Batch { given: given.collect(), ..sequences.batch(grow) };
        batch.outputs = (0..batch.tokens.len() as u32).step_by(len).take(limits.outputs_max).collect();
        for given in &batch.given {
            let rows = given.first as usize..(given.first + given.rows) as usize;
            batch.tokens[rows].fill(Given::TOKEN_MIN);
        }
        batch
    };
    let batches = vec![
        with(&[(0, 3)], &[(1, 2)]),
        with(&[(0, 30), (1, 60)], &[(0, 20), (31, 1), (40, 50)]),
        with(&[(1, 3)], &[]),
    ];
    Case { name: "given values and means".into(), llama, limits, batches, precision: Precision::Float }
}

/// Rows that see each other: at the beginning, among others, across partitions, beside a sequence that has none.
fn given() -> Vec<Case> {
    let case = |(window, heads, block_len, cache_type): (Option<usize>, usize, usize, CacheType)| {
        let window = window.map(Window::Sliding);
        let llama =
            Llama { hidden: 64, ffn: 64, vocabulary: 50, layers: 1, window, heads, ..Llama::default() };
        let limits = llama.limits(block_len, cache_type);
        let mut sequences = Sequences::new(3, &llama, limits);
        let mut with = |grow: &[(usize, usize)], given: &[(u32, u32)]| {
            let given = given.iter().map(|&(first, rows)| Given { first, rows, values: None });
            Batch { given: given.collect(), ..sequences.batch(grow) }
        };
        let mut batches = vec![
            with(&[(0, 30)], &[(0, 30)]),
            with(&[(0, 1), (1, 120)], &[(4, 70), (80, 1), (81, 40)]),
            with(&[(0, 60), (1, 1), (2, 9)], &[(1, 20), (30, 30), (62, 8)]),
            with(&[(0, 1), (1, 1), (2, 1)], &[]),
        ];
        // Many heads are tried with few keys.
        if heads < 64 {
            batches.extend([190, 199].map(|rows| with(&[(0, rows)], &[(5, 150)])));
            batches.push(with(&[(0, 150)], &[(10, 130)]));
        }
        // Every row's own result, not the last one's alone.
        for batch in &mut batches {
            let rows = batch.tokens.len() as u32;
            batch.outputs = (0..rows).step_by((rows as usize).div_ceil(limits.outputs_max)).collect();
        }
        let precision = if cache_type == CacheType::F32 { Precision::Float } else { Precision::Half };
        Case {
            name: format!("given rows, window {window:?}, {heads} heads, {cache_type:?}"),
            llama,
            limits,
            batches,
            precision,
        }
    };
    let kinds = [
        (None, 4, 16, CacheType::F32),
        (Some(24), 4, 16, CacheType::F32),
        (Some(100), 2, 8, CacheType::F32),
        (None, 130, 32, CacheType::F32),
        (Some(300), 4, 32, CacheType::F16),
    ];
    kinds.into_iter().map(case).collect()
}

/// Latent attention over chosen rows: before and beyond the count, alone and beside others.
pub fn chosen() -> Vec<Case> {
    use Precision::{EightBits, Float, Half};
    let latent =
        Latent { latent_dim: 40, nope_dim: 16, rope_dim: 8, value_dim: 12, dtype: DType::F32, chosen: None };
    let small = Llama { hidden: 64, ffn: 64, vocabulary: 50, layers: 1, ..Llama::default() };
    let mut cases = Vec::new();
    let tied = Some(Chosen { count: 30, heads: 6, key_dim: 19, tied: true });
    let llama = Llama { latent: Some(Latent { chosen: tied, ..latent.clone() }), ..small.clone() };
    cases.push(Case::mixed("30 chosen of equals", llama, 16, CacheType::F32, Float));
    for (count, heads, block_len, cache_type, precision) in [
        (1, 3, 16, CacheType::F32, Float),
        (30, 4, 1, CacheType::F32, Float),
        (66, 70, 128, CacheType::F32, Float),
        (550, 5, 32, CacheType::F32, Float),
        (2048, 5, 32, CacheType::F16, Half),
        // Rounding may change who is chosen: many, so that one more or less says little.
        (500, 5, 16, CacheType::F16, EightBits),
        (500, 9, 8, CacheType::Q8, EightBits),
    ] {
        let chosen = Some(Chosen { count, heads: 6, key_dim: 19, tied: false });
        let latent = Some(Latent { chosen, ..latent.clone() });
        let llama = Llama { heads, latent, ..small.clone() };
        let limits = llama.limits(block_len, cache_type);
        let mut batches = mixed_batches(&llama, limits);
        let mut sequences = Sequences::new(2, &llama, limits);
        batches.extend([200, 200, 170].map(|rows| sequences.batch(&[(0, rows)])));
        batches.push(sequences.batch(&[(0, 1)]));
        batches.push(sequences.batch(&[(0, 1), (1, 1)]));
        let name = format!("{count} chosen, {heads} heads, {cache_type:?}");
        cases.push(Case { name, llama, limits, batches, precision });
    }
    cases
}
