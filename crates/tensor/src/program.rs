//! A lowered model: what one rank holds and what it does in a step.
//!
//! A [`Program`] is flat data. It names its weights, activation buffers, caches and rotary tables by
//! index and lists operators in order; there are no branches, and collectives are operators like any
//! other. Activations are `f32`, row-major, one row per token of the batch (or per output, see [`Rows`]).

use std::ops::Range;

use crate::{DType, Recipe, Rounding};

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

id! {
    /// Index into [`Program::weights`].
    WeightId,
    /// Index into [`Program::bufs`].
    BufId,
    /// Index into [`Program::caches`].
    CacheId,
    /// Index into [`Program::ropes`].
    RopeId,
    /// Index into [`Program::states`].
    StateId,
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub weights: Vec<Weight>,
    pub bufs: Vec<Buf>,
    pub caches: Vec<Cache>,
    /// What layers keep of a sequence whose size does not grow with it.
    pub states: Vec<State>,
    pub ropes: Vec<Rope>,
    pub ops: Vec<Op>,
    /// Where the step's result lies: one row per output, this rank's share of the vocabulary
    /// (or the hidden state, for a stage that is not the last).
    pub result: BufId,
    /// The token that the first value of a result's row is about, where results are logits.
    pub first_token: Option<u32>,
    /// The normed hidden state that the logits are computed from, one row per output; only the last stage has it.
    pub hidden: Option<BufId>,
}

impl Program {
    pub fn weight(&self, id: WeightId) -> &Weight {
        &self.weights[id.index()]
    }

    pub fn buf(&self, id: BufId) -> &Buf {
        &self.bufs[id.index()]
    }

    /// The longest window of any cache; 0 where none has one.
    pub fn window(&self) -> usize {
        self.caches.iter().filter_map(|cache| cache.window).max().unwrap_or(0)
    }

    /// The most values of a row that ranks add up, or that a stage hands to the next at once.
    pub fn exchange_width(&self) -> usize {
        let widths = self.ops.iter().filter_map(|op| match op {
            Op::AllReduce { x } | Op::Send { x } | Op::Recv { x } => Some(self.buf(*x).width),
            _ => None,
        });
        widths.max().unwrap_or(0)
    }

    /// The operators that may be run over some rows of a batch and then over the others: what lies between the embedding, or what comes
    /// from another stage, and the rows that are wanted, or go to another, up to the last sum. None where there are no sums.
    pub fn layers(&self) -> Range<usize> {
        let ops = &self.ops;
        let is_sum = |op: &Op| matches!(op, Op::AllReduce { .. });
        let begins = |op: &Op| matches!(op, Op::Embed { .. } | Op::Place { .. } | Op::Recv { .. });
        let ends = |op: &Op| matches!(op, Op::Select { .. } | Op::Send { .. });
        let mut start = ops.iter().rposition(begins).map_or(0, |at| at + 1);
        if ops.get(start).is_some_and(is_sum) {
            start += 1;
        }
        let end = ops[start..].iter().position(ends).map_or(ops.len(), |at| start + at);
        let end = ops[start..end].iter().rposition(is_sum).map_or(start, |at| start + at + 1);
        start..end
    }

    /// Bytes of all weights of this rank as stored in the file.
    pub fn weight_bytes(&self) -> u64 {
        self.weights.iter().map(Weight::bytes).sum()
    }
}

/// A tensor of the model file, or the part of it that this rank holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Its name in the file; unique among the weights of a program.
    pub name: String,
    pub dtype: DType,
    pub slice: Slice,
    /// How it is made of what the file stores, where that is not the tensor of its name.
    pub recipe: Option<Recipe>,
}

impl Weight {
    pub fn experts(&self) -> usize {
        self.slice.experts.len()
    }

    /// Output features of one matrix; 1 for a vector.
    pub fn rows(&self) -> usize {
        self.slice.rows.len()
    }

    /// Input features of one matrix, or the vector's length.
    pub fn cols(&self) -> usize {
        self.slice.cols.len()
    }

    pub fn row_bytes(&self) -> usize {
        self.dtype.bytes_of(self.cols()).expect("the lowering cuts at block boundaries")
    }

    pub fn bytes(&self) -> u64 {
        (self.experts() * self.rows()) as u64 * self.row_bytes() as u64
    }
}

/// A box cut from a tensor of shape `[experts, rows, cols]`; columns are contiguous in the file and
/// are cut only between blocks. A matrix has one expert, a vector also one row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    pub experts: Range<usize>,
    pub rows: Range<usize>,
    pub cols: Range<usize>,
}

impl Slice {
    pub fn matrix(rows: Range<usize>, cols: Range<usize>) -> Slice {
        Slice { experts: 0..1, rows, cols }
    }

    pub fn vector(cols: Range<usize>) -> Slice {
        Slice { experts: 0..1, rows: 0..1, cols }
    }
}

/// An activation buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buf {
    pub rows: Rows,
    /// Values per row.
    pub width: usize,
}

/// How many rows a buffer has in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rows {
    /// One per token of the batch.
    Tokens,
    /// One per row listed in `Batch::outputs`.
    Outputs,
}

/// One layer's key-value cache on this rank, kept in blocks of tokens. Latent attention stores one key and no
/// value: `value_dim` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    pub kv_heads: usize,
    pub key_dim: usize,
    pub value_dim: usize,
    /// Only so many of a sequence's last tokens are ever read: the cache has blocks of windows (`Limits::window_blocks`).
    pub window: Option<usize>,
    /// It has one row for so many tokens, made when the last of them is there; 1 in most models.
    pub every: usize,
}

impl Cache {
    /// The rows that a sequence of so many tokens has.
    pub fn rows(&self, tokens: usize) -> usize {
        tokens / self.every
    }

    /// The row that the token at `position` completes, if it does.
    pub fn row_at(&self, position: usize) -> Option<usize> {
        (position + 1).is_multiple_of(self.every).then_some(position / self.every)
    }

    /// The rows that a block of `block_len` tokens has room for.
    pub fn block_rows(&self, block_len: usize) -> usize {
        block_len.div_ceil(self.every)
    }

    /// Where a row lies: which of its sequence's blocks, and which row of that. It is in the block of the token that completes it.
    pub fn place(&self, row: usize, block_len: usize) -> (usize, usize) {
        let position = (row + 1) * self.every - 1;
        (position / block_len, position % block_len / self.every)
    }
}

/// One layer's state on this rank: so many `f32` of every place that a sequence can have (`Limits::states`). Its operator
/// reads it at `Span::state_from`, or takes zeros where the sequence begins, and writes it at `Span::state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub len: usize,
}

/// Rotary position embedding: pair `i` of a head is turned by `position * inv_freq[i] / factors[i]`, see [`Rope::angle`].
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    pub style: RopeStyle,
    /// One per pair; `2 * inv_freq.len()` leading values of a head are rotated, the rest pass through.
    pub inv_freq: Vec<f32>,
    /// Divisors stored with the weights (Llama 3 files carry them), one per pair.
    pub factors: Option<WeightId>,
    /// Multiplies sine and cosine (YaRN's attention factor; 1 elsewhere).
    pub magnitude: f32,
    /// It turns by the position so many tokens before: that of the first token of a group, in rows that are made when the last is there.
    pub behind: usize,
}

impl Rope {
    /// What pair `i` is turned by in the row of the token at `position`.
    pub fn angle(&self, i: usize, factor: f32, position: usize) -> f32 {
        position.saturating_sub(self.behind) as f32 * self.inv_freq[i] / factor
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RopeStyle {
    /// Pairs are `(2i, 2i + 1)`.
    Interleaved,
    /// Pairs are `(i, i + n/2)`.
    Halves,
}

/// One operator. `T` is the number of rows of its operands in this step.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// `out[t] = table[token[t]]`; a token outside this rank's rows gives zeros. `first_row` is the
    /// token id of the table's first row.
    Embed { table: WeightId, first_row: usize, scale: f32, out: BufId },
    /// Rows that the batch gives ([`Batch::given`](crate::Batch::given)) take the place of those in `out`; the others stay.
    Place { out: BufId },
    /// `out = norm(x)`
    Norm { x: BufId, norm: RmsNorm, out: BufId },
    /// `x += y`, then `out = norm(x)`: the residual and the next block's norm in one pass.
    AddNorm { x: BufId, y: BufId, norm: RmsNorm, out: BufId },
    /// `x += y`
    Add { x: BufId, y: BufId },
    /// `x[t, i] *= curve(gate[t, i / n])`: every value of a gate's row covers `n`, the ratio of the widths, of `x`'s.
    Gate { x: BufId, gate: BufId, curve: Curve },
    /// `x = curve(x)`
    Curve { x: BufId, curve: Curve },
    /// `out = norm(x)`
    LayerNorm { x: BufId, norm: LayerNorm, out: BufId },
    /// Every run of `len` values of a row is normed by itself; the weight is as long as a run, or as a row.
    NormRuns { x: BufId, len: usize, norm: RmsNorm },
    /// `x = scale * x`, and where there is a `cap`, `cap * tanh(scale * x / cap)`. `by` is one more value that the scale is
    /// multiplied by.
    Rescale { x: BufId, scale: f32, by: Option<WeightId>, cap: Option<f32> },
    /// `out[t, i] = Σ of[i][t]²`, or 0 where there is none: this rank's part of the sums that [`Op::NormBy`] divides by. An `out` that is
    /// twice as wide gets them in two parts (see [`sums`](crate::sums)).
    SumSquares { of: Vec<Option<BufId>>, out: BufId },
    /// `x[t] = x[t] / sqrt(sums[t, at] / len + eps) * weight`: a norm over rows of which this rank holds a part.
    NormBy { x: BufId, sums: BufId, at: usize, len: usize, norm: RmsNorm },
    /// `part.out = x · part.weightᵀ (+ part.bias)` for every part: matrices that share an input.
    Linear { x: BufId, parts: Vec<LinearPart> },
    /// `out = act(x · gateᵀ, x · upᵀ)`
    GatedLinear { x: BufId, gate: WeightId, up: WeightId, act: Activation, out: BufId },
    /// Send every row through the few experts its scores choose, and add up what they say.
    Experts(Experts),
    /// Normalise and rotate `q` and `k`, append `k` and `v` to the cache where there are any, attend causally; rows that
    /// are given together see those after them too.
    Attend(Attend),
    /// Attention over a compressed cache.
    AttendLatent(AttendLatent),
    /// Mix a channel's last few values.
    Convolve(Convolve),
    /// A memory of keys and values of fixed size.
    DeltaRule(DeltaRule),
    /// Another, which forgets and adds but does not correct itself.
    Scan(Scan),
    /// `out` is `x` as many times side by side as it is wider: one row becomes several streams.
    Spread { x: BufId, out: BufId },
    /// What says how streams are mixed.
    Connect(Connect),
    /// `out[t] = Σ_s mixes[t, s] * x[t, s]`: streams, as many as `x` is wider than `out`, become one row.
    Collapse { x: BufId, mixes: BufId, out: BufId },
    /// `x[t, s] = mixes[t, n + s] * y[t] + Σ_r mixes[t, 2 * n + n * r + s] * x[t, r]`: every stream of `n` takes in a row and the others.
    Expand { x: BufId, y: BufId, mixes: BufId },
    /// What rows weigh against each other, and their sum.
    Blend(Blend),
    /// One row of every few.
    Pool(Pool),
    /// Append rows to a cache.
    Store(Store),
    /// Which rows of a cache each token reads.
    Choose(Choose),
    /// Which runs of keys each token reads.
    ChooseRuns(ChooseRuns),
    /// Attention over the last tokens and over rows that were chosen.
    AttendChosen(AttendChosen),
    /// `out[t, i] = weight[i] · x[t, i]`: a row is cut in as many parts as there are matrices.
    Stacked { x: BufId, weight: WeightId, out: BufId },
    /// `out[i] = x[outputs[i]]`
    Select { x: BufId, out: BufId },
    /// `out[i]` is the mean of the `len` rows of `x` from `outputs[i]` on.
    Mean { x: BufId, len: usize, out: BufId },
    /// `out[t] = x[t, first..]`, as many values as `out` is wide.
    Slice { x: BufId, first: usize, out: BufId },
    /// Sum over the ranks of the tensor-parallel group, in rank order.
    AllReduce { x: BufId },
    /// `out[t, i] = x[t, i] + x[t, width + i]`: a sum kept in two parts (see [`sums`](crate::sums)), rounded once.
    Join { x: BufId, out: BufId },
    /// Pipeline cut: hand `x` to the next stage.
    Send { x: BufId },
    /// Pipeline cut: take `x` from the previous stage.
    Recv { x: BufId },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RmsNorm {
    pub weight: WeightId,
    pub eps: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinearPart {
    pub weight: WeightId,
    pub bias: Option<WeightId>,
    pub out: BufId,
    /// Where the sum over columns is to be the same however ranks divide them: they are divided in multiples of so many, and `out`
    /// is twice as wide and holds the sum in two parts (see [`sums`](crate::sums)).
    pub run: Option<usize>,
}

/// What a gate's value becomes before it multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    Sigmoid,
    Silu,
    /// In the tanh approximation.
    Gelu,
}

/// How a gate's value and the value it gates become one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activation {
    /// `silu(gate) * up`
    Silu,
    /// `gelu(gate) * up`, in the tanh approximation.
    Gelu,
    /// gpt-oss: `g * sigmoid(ALPHA * g) * (u + 1)`, where `g = min(gate, LIMIT)` and `u = clamp(up, -LIMIT, LIMIT)`.
    ClampedSwiglu,
    /// Step-3.5: `min(silu(gate), limit) * clamp(up, -limit, limit)`.
    LimitedSilu(f32),
    /// DeepSeek V4.1: `silu(min(gate, limit)) * clamp(up, -limit, limit)`.
    ClampedSilu(f32),
    /// Kimi K3: `bend(gate, beta) * sigmoid(gate) * bend(up, linear)`, where `bend(x, b) = b * tanh(x / b)`; without `linear`, `up` stays.
    Situ { beta: f32, linear: Option<f32> },
    /// `max(gate, 0) * up`: the square, where both are the same matrix (Nemotron-H).
    ReluGate,
}

impl Activation {
    pub const SWIGLU_ALPHA: f32 = 1.702;
    pub const SWIGLU_LIMIT: f32 = 7.0;
}

/// A mixture of experts: for every row `t`, the sum over its chosen experts `e` of
/// `weight(t, e) * (down[e] · act(gate[e] · x, up[e] · x))`, with the biases where there are any.
#[derive(Clone, Debug, PartialEq)]
pub struct Experts {
    /// `[T, hidden]`
    pub x: BufId,
    /// The router's plain logits, `[T, experts]`.
    pub scores: BufId,
    pub routing: Routing,
    /// `[experts, inner, hidden]`
    pub gate: WeightId,
    pub up: WeightId,
    /// `[experts, hidden, inner]`
    pub down: WeightId,
    /// One row per expert: `[experts, inner]` (as a matrix).
    pub gate_bias: Option<WeightId>,
    pub up_bias: Option<WeightId>,
    /// `[experts, hidden]` (as a matrix).
    pub down_bias: Option<WeightId>,
    pub act: Activation,
    /// `[T, hidden]`, or `[T, 2 * hidden]` with a `run`.
    pub out: BufId,
    /// As [`LinearPart::run`], of the columns of `down`.
    pub run: Option<usize>,
}

/// Which experts a row's scores choose, and what each one's answer weighs.
///
/// Scores become probabilities; `bias` is added for the choice alone; where there are `groups`, only experts of the best
/// groups may be chosen; the `used` best are. Of equal ones the lower index wins. An expert weighs its probability
/// (without the bias), divided by the sum of the chosen ones where `normalise` asks for it, times `scale` and the expert's own
/// of `scales`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Routing {
    pub used: usize,
    pub score: Score,
    /// `[experts]`
    pub bias: Option<WeightId>,
    pub groups: Option<Groups>,
    pub normalise: bool,
    pub scale: f32,
    /// `[experts]`
    pub scales: Option<WeightId>,
    /// The weight multiplies what an expert reads instead of what it says.
    pub weighs_input: bool,
}

impl Routing {
    /// The `used` best, which weigh their probabilities.
    pub const fn of(used: usize, score: Score) -> Routing {
        Routing {
            used,
            score,
            bias: None,
            groups: None,
            normalise: false,
            scale: 1.0,
            scales: None,
            weighs_input: false,
        }
    }
}

/// How a router's logits become probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Softmax,
    Sigmoid,
    /// `sqrt(ln(1 + e^x))`
    SqrtSoftplus,
    /// The logits themselves choose; the softmax is over the chosen ones.
    SoftmaxOfChosen,
}

/// Experts in `count` runs of equal length, of which the best `used` take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    pub count: usize,
    pub used: usize,
    /// A group is as good as the sum of its `best` highest experts (DeepSeek-V2: 1, V3: 2).
    pub best: usize,
}

/// Grouped-query attention over the paged cache; `heads` is a multiple of `cache.kv_heads`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attend {
    /// `[T, heads * key_dim]`
    pub q: BufId,
    /// `[T, kv_heads * key_dim]` and `[T, kv_heads * value_dim]`; none where the cache is another layer's, which has added its own.
    pub kv: Option<[BufId; 2]>,
    /// `[T, heads * value_dim]`
    pub out: BufId,
    pub heads: usize,
    pub cache: CacheId,
    /// Per-head norms applied before the rotation (Qwen3).
    pub q_norm: Option<RmsNorm>,
    pub k_norm: Option<RmsNorm>,
    pub rope: Option<RopeId>,
    /// Multiplies `q · k`.
    pub scale: f32,
    /// Multiplies the query of a late token besides.
    pub growth: Option<Growth>,
    /// How far back a token sees, where that is not to the first.
    pub window: Option<Window>,
    /// One logit per head that takes part in the softmax and contributes no value.
    pub sinks: Option<WeightId>,
    /// Where a token reads only some runs of what it sees; there is no window then.
    pub runs: Option<Runs>,
}

/// Runs of `len` tokens, as [`ChooseRuns`] lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    pub len: usize,
    /// `[T, kv_heads * count]`
    pub list: BufId,
}

impl Runs {
    /// The keys that the token at `position` reads, of up to `count` runs of which its own is the last.
    pub fn keys(&self, position: usize, count: usize) -> usize {
        let own = position % self.len + 1;
        (position / self.len).min(count - 1) * self.len + own
    }
}

/// What a token sees of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Window {
    /// Itself and so many less one before it.
    Sliding(usize),
    /// Tokens come in chunks of this length: those of its own chunk, up to itself.
    Chunked(usize),
}

impl Window {
    /// The most tokens that one sees.
    #[allow(clippy::len_without_is_empty, reason = "a token sees itself")]
    pub fn len(self) -> usize {
        match self {
            Window::Sliding(len) | Window::Chunked(len) => len,
        }
    }

    /// The first token that the one at `position` sees.
    pub fn first(self, position: usize) -> usize {
        match self {
            Window::Sliding(len) => (position + 1).saturating_sub(len),
            Window::Chunked(len) => position / len * len,
        }
    }
}

/// A causal convolution of every channel by itself: `out[t, c] = silu(bias[c] + Σ_j weight[c, j] * x[t - kernel + 1 + j, c])`.
///
/// The state holds the last `kernel - 1` rows before this step's, oldest first: `[kernel - 1, channels]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Convolve {
    /// `[T, channels]`
    pub x: BufId,
    /// `[channels, kernel]`
    pub weight: WeightId,
    /// `[channels]`
    pub bias: Option<WeightId>,
    pub state: StateId,
    /// `[T, channels]`; another buffer than `x`.
    pub out: BufId,
}

/// The gated delta rule (Qwen3-Next). A head's state `S` maps keys to values and is changed by every token:
///
/// - `q` and `k` are divided by their lengths (`sqrt(Σ x² + 1e-6)`), `q` also by `sqrt(key_dim)`
/// - `g = exp(rate * softplus(decay + bias))`, or with a `floor`, `g = exp(floor * sigmoid(-rate * (decay + bias)))`; `b = sigmoid(beta)`
/// - `S = g S`, then `S += k (b (v - S k))`, and `out = S q`
///
/// `heads` is a multiple of the heads of `q` and `k`, which are shared by runs of them. Where `decay` has `key_dim` values for
/// each head, `g` is one number for each part of a key.
/// The state is `[heads, key_dim, value_dim]`.
#[derive(Clone, Debug, PartialEq)]
pub struct DeltaRule {
    /// `[T, key_heads * key_dim]`
    pub q: BufId,
    pub k: BufId,
    /// `[T, heads * value_dim]`
    pub v: BufId,
    /// `[T, heads]`, or `[T, heads * key_dim]`
    pub decay: BufId,
    /// `[T, heads]`
    pub beta: BufId,
    /// `[heads]`, negative
    pub rate: WeightId,
    /// As wide as `decay`.
    pub bias: WeightId,
    /// The least that the logarithm of `g` can be, negative, where there is one (Kimi K3).
    pub floor: Option<f32>,
    pub state: StateId,
    pub heads: usize,
    pub key_heads: usize,
    /// `[T, heads * value_dim]`
    pub out: BufId,
}

impl DeltaRule {
    /// Added to the sum of squares of a key or query.
    pub const EPS: f32 = 1e-6;
}

/// A selective state space (Mamba-2). A head's state `S` is changed by every token:
///
/// - `d = clamp(softplus(step + bias), least, most)`
/// - `S = exp(rate * d) S + b (d x)`, and `out = c S + skip x`
///
/// `heads` is a multiple of the groups of `b` and `c`, which are shared by runs of them. The state is
/// `[heads, state_dim, head_dim]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// `[T, heads * head_dim]`
    pub x: BufId,
    /// `[T, groups * state_dim]`
    pub b: BufId,
    pub c: BufId,
    /// `[T, heads]`
    pub step: BufId,
    /// `[heads]`, negative
    pub rate: WeightId,
    /// `[heads]`
    pub bias: WeightId,
    pub skip: WeightId,
    pub least: f32,
    pub most: f32,
    pub state: StateId,
    pub heads: usize,
    pub groups: usize,
    /// `[T, heads * head_dim]`
    pub out: BufId,
}

/// Queries that grow with their position: `1 + rate * ln(1 + floor((position + ahead) / every))`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    pub rate: f32,
    pub every: f32,
    pub ahead: f32,
}

impl Growth {
    pub fn at(&self, position: usize) -> f32 {
        1.0 + self.rate * (1.0 + ((position as f32 + self.ahead) / self.every).floor()).ln()
    }
}

/// Multi-head latent attention (DeepSeek). The cache holds per token one normed latent vector and one rotated key
/// part shared by all heads; each head's keys and values would be `key` and `value` applied to the latent, so they are
/// applied to the query and to the result instead:
///
/// - `latent, k_rope = kv`; the cache gets `norm(latent), rotate(k_rope)`
/// - `q_nope, q_rope = q[h]`; the query is `key[h] · q_nope, rotate(q_rope)`
/// - `out[h] = value[h] · Σ softmax(scale * query · cached) * cached[..latent_dim]`
///
/// `latent_dim` and `nope_dim` are the rows and columns of one head's `key`; `rope_dim` is the rest of the cache's `key_dim`.
#[derive(Clone, Debug, PartialEq)]
pub struct AttendLatent {
    /// `[T, heads * (nope_dim + rope_dim)]`
    pub q: BufId,
    /// `[T, latent_dim + rope_dim]`
    pub kv: BufId,
    /// `[T, heads * value_dim]`
    pub out: BufId,
    pub heads: usize,
    /// One head of `latent_dim + rope_dim` values and no values of its own.
    pub cache: CacheId,
    pub kv_norm: RmsNorm,
    /// `[heads, latent_dim, nope_dim]`
    pub key: WeightId,
    /// `[heads, value_dim, latent_dim]`
    pub value: WeightId,
    /// Rotates the last `rope_dim` values of each query head and of `kv`.
    pub rope: RopeId,
    /// Multiplies `query · cached`.
    pub scale: f32,
    /// Multiplies the query of a late token besides.
    pub growth: Option<Growth>,
    /// Where a query reads only some of what is cached.
    pub indexer: Option<Indexer>,
}

/// Which cached rows a token's queries read (DeepSeek V3.2): the `count` of the highest scores, or all while there are no more.
///
/// - its own cache gets `rotate(norm(k))`, one row per token
/// - `score = Σ_h weights[h] * max(0, rotate(q[h]) · cached)`
///
/// Of equal scores the earlier token's is taken. Rows are read in the order of their tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indexer {
    /// `[T, heads * key_dim]`
    pub q: BufId,
    /// `[T, key_dim]`
    pub k: BufId,
    /// `[T, heads]`
    pub weights: BufId,
    pub heads: usize,
    /// One head of `key_dim` values and no values of its own.
    pub cache: CacheId,
    pub k_norm: LayerNorm,
    pub rope: RopeId,
    pub count: usize,
}

/// `(x - mean(x)) / sqrt(variance(x) + eps) * weight + bias`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerNorm {
    pub weight: WeightId,
    pub bias: WeightId,
    pub eps: f32,
}

/// How `n` streams are mixed (hyper-connections, DeepSeek V4.1). A row of `mixes` holds logits and becomes what [`Op::Collapse`] and
/// [`Op::Expand`] read; with `m = mixes * scale / sqrt(mean(x²) + eps) + base`, whose scale is one of three by the part it is in:
///
/// - `n` values `sigmoid(m) + floor`: what every stream weighs
/// - `n` values `2 * sigmoid(m)`: what every stream takes of a block's result
/// - `n` rows of `n` values `softmax(m) + floor`, whose columns and rows are in turn divided by their sums plus `floor`: columns `rounds`
///   times, rows once less
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Connect {
    /// `[T, n * hidden]`
    pub x: BufId,
    /// `[T, (2 + n) * n]`: the product of `x`, not normed.
    pub mixes: BufId,
    /// `[3]`
    pub scale: WeightId,
    /// `[(2 + n) * n]`
    pub base: WeightId,
    pub streams: usize,
    pub rounds: usize,
    pub eps: f32,
    pub floor: f32,
}

impl Connect {
    /// Values of a row of mixes.
    pub const fn width(streams: usize) -> usize {
        (2 + streams) * streams
    }
}

/// Rows of several buffers in one (attention residuals, Kimi K3): `out[t] = Σ_i softmax_i(weight · norm(of[i][t])) * of[i][t]`, where
/// `norm(x) = x / sqrt(mean(x²) + eps)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Blend {
    /// `[T, width]` each.
    pub of: Vec<BufId>,
    /// `[width]`
    pub weight: WeightId,
    pub eps: f32,
    /// `[T, width]`; another buffer than these.
    pub out: BufId,
}

impl Blend {
    /// Buffers that one may be of.
    pub const OF_MAX: usize = 64;
}

/// One row of every `every` tokens: `out[t] = Σ_j softmax_j(gate[j]) * x[j]`, by values, over the tokens `j` of the group that `t`
/// completes. The rows of other tokens are zero.
///
/// The state holds what came of a group that is not complete: `[every, 2, width]`, of each of its tokens `x` and `gate`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pool {
    /// `[T, width]`
    pub x: BufId,
    pub gate: BufId,
    pub every: usize,
    pub state: StateId,
    /// `[T, width]`; another buffer than these.
    pub out: BufId,
}

/// The cache gets `round(rotate(x[t]))` of every token that completes a row of it. The last values of a row are rotated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Store {
    /// `[T, key_dim]`
    pub x: BufId,
    /// One head and no values of its own.
    pub cache: CacheId,
    pub rope: RopeId,
    pub rounding: Option<Rounding>,
}

/// Which rows of a cache a token's queries read: the `count` of the highest scores, or all while there are no more.
///
/// `score = Σ_h weights[h] * max(0, round(rotate(q[h])) · cached)`, of rows that are complete with the token. The last values of a query are
/// rotated. Of equal scores the earlier row's is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choose {
    /// `[T, heads * key_dim]`
    pub q: BufId,
    /// `[T, heads]`
    pub weights: BufId,
    pub heads: usize,
    /// One head of `key_dim` values and no values of its own.
    pub cache: CacheId,
    pub rope: RopeId,
    pub rounding: Option<Rounding>,
    /// `[T, count]`: the numbers of the chosen rows, ascending, and then -1.
    pub out: BufId,
    pub blocks: Option<Blocks>,
}

/// Runs of rows that are chosen as a whole, by the highest score in each; the newest always.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocks {
    /// Rows of a run.
    pub len: usize,
    /// `[T, count]`: the numbers of the chosen runs, ascending, and then -1.
    pub list: BufId,
    /// Whether they are chosen here, beside the rows; otherwise rows are chosen only from those that were.
    pub chosen_here: bool,
}

/// Which runs of `len` tokens a token reads (MiniMax M3): for each head the `count` of the highest scores, or all while there are no
/// more.
///
/// - the cache gets `rotate(k)`, one row per token
/// - a run is as good as the best `rotate(q[h]) · cached` of its tokens that are seen; the `local` newest are always read
///
/// The first values of queries and keys are rotated. Of equal scores the earlier run's is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChooseRuns {
    /// `[T, heads * key_dim]`
    pub q: BufId,
    /// `[T, key_dim]`
    pub k: BufId,
    pub heads: usize,
    /// One head of `key_dim` values and no values of its own.
    pub cache: CacheId,
    pub rope: RopeId,
    /// Tokens of a run: a multiple of a block's.
    pub len: usize,
    /// From 1 to `count`.
    pub local: usize,
    /// `[T, heads * count]`: of each head the numbers of the chosen runs, ascending, and then -1.
    pub out: BufId,
}

/// Attention over the last `window` tokens of one cache and the chosen rows of another; keys are the values.
///
/// - `query = rotate(q[h])`, of which the last values are rotated
/// - `out[h] = rotate back(Σ softmax(scale * query · cached) * cached)`, with a logit of `sinks` that contributes no value
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttendChosen {
    /// `[T, heads * key_dim]`
    pub q: BufId,
    /// `[T, heads * key_dim]`
    pub out: BufId,
    pub heads: usize,
    /// One head and no values of its own, as that of `chosen`.
    pub cache: CacheId,
    pub window: usize,
    pub rope: RopeId,
    pub scale: f32,
    /// `[heads]`
    pub sinks: WeightId,
    pub chosen: Option<Chosen>,
}

/// Rows of a cache, as [`Choose`] lists them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    pub cache: CacheId,
    /// `[T, count]`
    pub list: BufId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lie_in_the_block_of_the_token_that_completes_them() {
        for every in [1, 3, 4, 16, 40] {
            let cache = Cache { kv_heads: 1, key_dim: 8, value_dim: 0, window: None, every };
            let mut taken = std::collections::HashSet::new();
            for row in 0..100 {
                let (block, at) = cache.place(row, 16);
                assert!(at < cache.block_rows(16) && taken.insert((block, at)), "row {row} of {every}");
                assert_eq!(cache.row_at((row + 1) * every - 1), Some(row));
            }
            assert_eq!(cache.rows(100 * every), 100);
        }
    }
}
