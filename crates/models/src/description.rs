//! A model as typed data: what its layers are, not how they are run or divided.

use tandem_tensor::{Activation, Rope};

#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    pub architecture: &'static str,
    pub hidden: usize,
    pub vocab: usize,
    /// Positions the model was trained for.
    pub context: usize,
    /// `[vocab, hidden]`
    pub embedding: Tensor,
    pub layers: Vec<Layer>,
    pub final_norm: Norm,
    /// `[vocab, hidden]`; the embedding itself where the two are tied.
    pub head: Tensor,
    /// Rotary tables that layers refer to by index.
    pub ropes: Vec<RopeSource>,
}

/// A rotary table, with its divisors if the file stores them.
#[derive(Clone, Debug, PartialEq)]
pub struct RopeSource {
    pub rope: Rope,
    pub factors: Option<Tensor>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub attention_norm: Norm,
    pub attention: Attention,
    pub mlp_norm: Norm,
    pub mlp: Mlp,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Attention {
    pub heads: usize,
    pub kv_heads: usize,
    pub head_dim: usize,
    pub q: Linear,
    pub k: Linear,
    pub v: Linear,
    pub o: Linear,
    pub q_norm: Option<Norm>,
    pub k_norm: Option<Norm>,
    /// Index into [`Description::ropes`].
    pub rope: Option<usize>,
    pub scale: f32,
    pub window: Option<usize>,
    pub sinks: Option<Tensor>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Mlp {
    /// `down(act(gate(x)) * up(x))`
    Gated { gate: Linear, up: Linear, down: Linear, act: Activation },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    pub weight: Tensor,
    pub bias: Option<Tensor>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Norm {
    pub weight: Tensor,
    pub eps: f32,
}

/// A weight: its name in the file, its whole shape, and how it is divided among ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    pub name: String,
    pub experts: usize,
    /// Output features; 1 for a vector.
    pub rows: usize,
    /// Input features, or the vector's length.
    pub cols: usize,
    pub role: Role,
}

/// A weight's sharding rule. The model never mentions ranks; this is all it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The same on every rank.
    Replicated,
    /// Output features are divided along the axis: each rank computes its own part of the result.
    Column(Axis),
    /// Input features are divided along the axis: ranks' results are summed.
    Row(Axis),
}

/// A dimension of the model that ranks share out among themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Query heads of `dim` features each; they follow their key-value heads.
    Heads {
        dim: usize,
    },
    KvHeads {
        dim: usize,
    },
    /// Inner features of the feed-forward block.
    Ffn,
    Vocab,
}
