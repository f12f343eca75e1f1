//! The architectures Tandem knows, and what they share.

mod llama;
mod qwen3;

use std::cell::RefCell;
use std::collections::HashMap;

use tandem_tensor::{Activation, Rope, RopeStyle};

use crate::description::RopeSource;
use crate::facts::{Key, key};
use crate::rope::inverse_frequencies;
use crate::{Attention, Axis, Description, Facts, Layer, Linear, Mlp, Norm, Origin, Role, Tensor, Tensors};

/// One architecture: the names files know it by, and how to describe a model of it.
#[derive(Clone, Copy)]
pub struct Architecture {
    /// `general.architecture` in GGUF.
    pub gguf: &'static str,
    /// `architectures[0]` in `config.json`.
    pub config: &'static [&'static str],
    pub describe: fn(&Source) -> Result<Description, DescribeError>,
}

/// Every architecture. Adding one is a file and a line here.
pub const ALL: &[Architecture] = &[llama::ARCHITECTURE, qwen3::ARCHITECTURE];

/// Describe the model that `facts` and `tensors` come from.
pub fn describe(facts: &dyn Facts, tensors: &dyn Tensors) -> Result<Description, DescribeError> {
    describe_with_names(facts, tensors).map(|(description, _)| description)
}

/// As [`describe`], with every stem of a tensor's name that was used and what GGUF calls it: what a converter needs.
pub fn describe_with_names(
    facts: &dyn Facts,
    tensors: &dyn Tensors,
) -> Result<(Description, HashMap<String, String>), DescribeError> {
    let name = facts.architecture();
    let known = ALL.iter().find(|known| match facts.origin() {
        Origin::Gguf => known.gguf == name,
        Origin::Config => known.config.contains(&name),
    });
    let known = known.ok_or_else(|| DescribeError::UnknownArchitecture {
        found: name.to_owned(),
        supported: ALL
            .iter()
            .flat_map(|known| std::iter::once(known.gguf).chain(known.config.iter().copied()))
            .collect(),
    })?;
    let source = Source { facts, tensors, gguf_names: RefCell::default() };
    let description = (known.describe)(&source)?;
    Ok((description, source.gguf_names.into_inner()))
}

#[derive(Debug, thiserror::Error)]
pub enum DescribeError {
    #[error("unknown architecture `{found}`; supported: {}", supported.join(", "))]
    UnknownArchitecture { found: String, supported: Vec<&'static str> },
    #[error("the model file does not say `{key}`, which {architecture} models need")]
    Missing { architecture: String, key: String },
    #[error("`{key}` is {found}, expected {expected}")]
    Wrong { key: String, found: String, expected: &'static str },
    #[error("{what} `{found}` is not supported; supported: {supported}")]
    Unsupported { what: &'static str, found: String, supported: &'static str },
    #[error("{heads} attention heads cannot share {kv_heads} key-value heads evenly")]
    UnevenHeads { heads: usize, kv_heads: usize },
}

/// The file being described, with the parts most decoder architectures are made of. An architecture
/// composes these and adds what is its own.
pub struct Source<'a> {
    pub facts: &'a dyn Facts,
    tensors: &'a dyn Tensors,
    /// GGUF's name for every stem asked for.
    gguf_names: RefCell<HashMap<String, String>>,
}

/// The numbers every decoder has.
pub struct Sizes {
    pub hidden: usize,
    pub layers: usize,
    pub heads: usize,
    pub kv_heads: usize,
    pub head_dim: usize,
    pub ffn: usize,
    pub eps: f32,
}

/// A tensor's name in both families; `{}` is the layer.
#[derive(Clone, Copy)]
pub struct Name {
    gguf: &'static str,
    config: &'static str,
}

pub const fn name(gguf: &'static str, config: &'static str) -> Name {
    Name { gguf, config }
}

impl Source<'_> {
    pub fn sizes(&self) -> Result<Sizes, DescribeError> {
        let hidden = self.facts.size(key("embedding_length", "hidden_size"))?;
        let heads = self.facts.size(key("attention.head_count", "num_attention_heads"))?;
        let kv_heads = self.facts.size_or(key("attention.head_count_kv", "num_key_value_heads"), heads)?;
        if !heads.is_multiple_of(kv_heads) {
            return Err(DescribeError::UnevenHeads { heads, kv_heads });
        }
        Ok(Sizes {
            hidden,
            layers: self.facts.size(key("block_count", "num_hidden_layers"))?,
            heads,
            kv_heads,
            head_dim: self.facts.size_or(key("attention.key_length", "head_dim"), (hidden / heads).max(1))?,
            ffn: self.facts.size(key("feed_forward_length", "intermediate_size"))?,
            eps: self.facts.number(key("attention.layer_norm_rms_epsilon", "rms_norm_eps"))?,
        })
    }

    /// Embedding, layers, final norm and head; tied where the file has no head of its own.
    pub fn decoder(
        &self,
        architecture: &'static str,
        sizes: &Sizes,
        ropes: Vec<RopeSource>,
        layer: impl Fn(usize) -> Layer,
    ) -> Result<Description, DescribeError> {
        let table = |name: String, vocab: usize| Tensor {
            name,
            experts: 1,
            rows: vocab,
            cols: sizes.hidden,
            role: Role::Column(Axis::Vocab),
        };
        let embedding = self.name(name("token_embd", "model.embed_tokens"), 0) + ".weight";
        let head = self.name(name("output", "lm_head"), 0) + ".weight";
        let vocab = match self.tensors.get(&embedding) {
            Some(stored) => stored.rows,
            None => self.facts.size(key("vocab_size", "vocab_size"))?,
        };
        let head = if self.tensors.get(&head).is_some() { head } else { embedding.clone() };
        Ok(Description {
            architecture,
            hidden: sizes.hidden,
            vocab,
            context: self.facts.size(key("context_length", "max_position_embeddings"))?,
            embedding: table(embedding, vocab),
            layers: (0..sizes.layers).map(layer).collect(),
            final_norm: self.norm(name("output_norm", "model.norm"), 0, sizes.hidden, sizes.eps),
            head: table(head, vocab),
            ropes,
        })
    }

    /// Grouped-query attention with the usual names; biases are taken where the file has them.
    pub fn attention(&self, layer: usize, sizes: &Sizes) -> Attention {
        let &Sizes { hidden, heads, kv_heads, head_dim: dim, .. } = sizes;
        let q = Role::Column(Axis::Heads { dim });
        let kv = Role::Column(Axis::KvHeads { dim });
        let o = Role::Row(Axis::Heads { dim });
        Attention {
            heads,
            kv_heads,
            head_dim: dim,
            q: self.linear(
                name("blk.{}.attn_q", "model.layers.{}.self_attn.q_proj"),
                layer,
                heads * dim,
                hidden,
                q,
            ),
            k: self.linear(
                name("blk.{}.attn_k", "model.layers.{}.self_attn.k_proj"),
                layer,
                kv_heads * dim,
                hidden,
                kv,
            ),
            v: self.linear(
                name("blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"),
                layer,
                kv_heads * dim,
                hidden,
                kv,
            ),
            o: self.linear(
                name("blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"),
                layer,
                hidden,
                heads * dim,
                o,
            ),
            q_norm: None,
            k_norm: None,
            rope: Some(0),
            scale: 1.0 / (dim as f32).sqrt(),
            window: None,
            sinks: None,
        }
    }

    /// The gated feed-forward block with the usual names.
    pub fn gated_mlp(&self, layer: usize, sizes: &Sizes) -> Mlp {
        let (hidden, ffn) = (sizes.hidden, sizes.ffn);
        let column = Role::Column(Axis::Ffn);
        Mlp::Gated {
            gate: self.linear(
                name("blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"),
                layer,
                ffn,
                hidden,
                column,
            ),
            up: self.linear(name("blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"), layer, ffn, hidden, column),
            down: self.linear(
                name("blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"),
                layer,
                hidden,
                ffn,
                Role::Row(Axis::Ffn),
            ),
            act: Activation::Silu,
        }
    }

    /// Pre-norm layer: norm, attention, norm, feed-forward.
    pub fn layer(&self, layer: usize, sizes: &Sizes, attention: Attention, mlp: Mlp) -> Layer {
        Layer {
            attention_norm: self.norm(
                name("blk.{}.attn_norm", "model.layers.{}.input_layernorm"),
                layer,
                sizes.hidden,
                sizes.eps,
            ),
            attention,
            mlp_norm: self.norm(
                name("blk.{}.ffn_norm", "model.layers.{}.post_attention_layernorm"),
                layer,
                sizes.hidden,
                sizes.eps,
            ),
            mlp,
        }
    }

    pub fn linear(&self, name: Name, layer: usize, rows: usize, cols: usize, role: Role) -> Linear {
        let stem = self.name(name, layer);
        let bias = Tensor {
            name: format!("{stem}.bias"),
            experts: 1,
            rows: 1,
            cols: rows,
            // A row-divided matrix gives partial sums of whole outputs: its bias is whole too.
            role: if matches!(role, Role::Row(_)) { Role::Replicated } else { role },
        };
        Linear {
            weight: Tensor { name: format!("{stem}.weight"), experts: 1, rows, cols, role },
            bias: self.tensors.get(&bias.name).map(|_| bias),
        }
    }

    pub fn norm(&self, name: Name, layer: usize, len: usize, eps: f32) -> Norm {
        Norm { weight: self.vector(self.name(name, layer) + ".weight", len), eps }
    }

    /// The rotary table of the whole model, over the first `dims` features of a head.
    pub fn rope(&self, dims: usize, style: RopeStyle) -> Result<RopeSource, DescribeError> {
        let dims = self.facts.size_or(key("rope.dimension_count", ""), dims)?;
        let factors = self.vector("rope_freqs.weight".into(), dims / 2);
        Ok(RopeSource {
            rope: Rope {
                style,
                inv_freq: inverse_frequencies(self.facts, dims)?,
                factors: None,
                magnitude: 1.0,
            },
            factors: self.tensors.get(&factors.name).map(|_| factors),
        })
    }

    /// A window in tokens, where the file sets one.
    pub fn window(&self, key: Key) -> Result<Option<usize>, DescribeError> {
        self.facts.size_opt(key)
    }

    fn vector(&self, name: String, len: usize) -> Tensor {
        Tensor { name, experts: 1, rows: 1, cols: len, role: Role::Replicated }
    }

    fn name(&self, name: Name, layer: usize) -> String {
        let pattern = match self.facts.origin() {
            Origin::Gguf => name.gguf,
            Origin::Config => name.config,
        };
        let own = pattern.replace("{}", &layer.to_string());
        let gguf = name.gguf.replace("{}", &layer.to_string());
        self.gguf_names.borrow_mut().insert(own.clone(), gguf);
        own
    }
}
