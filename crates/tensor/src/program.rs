//! A lowered model: what one rank holds and what it does in a step.
//!
//! A [`Program`] is flat data. It names its weights, activation buffers, caches and rotary tables by
//! index and lists operators in order; there are no branches, and collectives are operators like any
//! other. Activations are `f32`, row-major, one row per token of the batch (or per output, see [`Rows`]).

use std::ops::Range;

use crate::DType;

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
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub weights: Vec<Weight>,
    pub bufs: Vec<Buf>,
    pub caches: Vec<Cache>,
    pub ropes: Vec<Rope>,
    pub ops: Vec<Op>,
    /// Where the step's result lies: one row per output, this rank's share of the vocabulary
    /// (or the hidden state, for a stage that is not the last).
    pub result: BufId,
}

impl Program {
    pub fn weight(&self, id: WeightId) -> &Weight {
        &self.weights[id.index()]
    }

    pub fn buf(&self, id: BufId) -> &Buf {
        &self.bufs[id.index()]
    }

    /// Bytes of all weights of this rank as stored in the file.
    pub fn weight_bytes(&self) -> u64 {
        self.weights.iter().map(Weight::bytes).sum()
    }
}

/// A tensor of the model file, or the part of it that this rank holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Its name in the file.
    pub name: String,
    pub dtype: DType,
    pub slice: Slice,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// One per token of the batch.
    Tokens,
    /// One per row listed in `Batch::outputs`.
    Outputs,
}

/// One layer's key-value cache on this rank, kept in blocks of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    pub kv_heads: usize,
    pub key_dim: usize,
    pub value_dim: usize,
}

/// Rotary position embedding: pair `i` of a head is turned by `position * inv_freq[i] / factors[i]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    pub style: RopeStyle,
    /// One per pair; `2 * inv_freq.len()` leading values of a head are rotated, the rest pass through.
    pub inv_freq: Vec<f32>,
    /// Divisors stored with the weights (Llama 3 files carry them), one per pair.
    pub factors: Option<WeightId>,
    /// Multiplies sine and cosine (YaRN's attention factor; 1 elsewhere).
    pub magnitude: f32,
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
    /// `out = norm(x)`
    Norm { x: BufId, norm: RmsNorm, out: BufId },
    /// `x += y`, then `out = norm(x)`: the residual and the next block's norm in one pass.
    AddNorm { x: BufId, y: BufId, norm: RmsNorm, out: BufId },
    /// `x += y`
    Add { x: BufId, y: BufId },
    /// `part.out = x · part.weightᵀ (+ part.bias)` for every part: matrices that share an input.
    Linear { x: BufId, parts: Vec<LinearPart> },
    /// `out = act(x · gateᵀ) ⊙ (x · upᵀ)`
    GatedLinear { x: BufId, gate: WeightId, up: WeightId, act: Activation, out: BufId },
    /// Normalise and rotate `q` and `k`, append `k` and `v` to the cache, attend causally.
    Attend(Attend),
    /// `out[i] = x[outputs[i]]`
    Select { x: BufId, out: BufId },
    /// Sum over the ranks of the tensor-parallel group, in rank order.
    AllReduce { x: BufId },
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    Silu,
    /// The tanh approximation.
    Gelu,
}

/// Grouped-query attention over the paged cache; `heads` is a multiple of `cache.kv_heads`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attend {
    /// `[T, heads * key_dim]`
    pub q: BufId,
    /// `[T, kv_heads * key_dim]`
    pub k: BufId,
    /// `[T, kv_heads * value_dim]`
    pub v: BufId,
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
    /// A token sees itself and the `window - 1` before it.
    pub window: Option<usize>,
    /// One logit per head that takes part in the softmax and contributes no value.
    pub sinks: Option<WeightId>,
}
