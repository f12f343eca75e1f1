//! The file being described, with the parts most decoder architectures are made of. An architecture composes these and
//! adds what is its own.

use std::cell::RefCell;
use std::collections::HashMap;

use tandem_tensor::{Activation, Map, Pick, Recipe, Rope, RopeStyle, Routing, Window};

use crate::arch::DescribeError;
use crate::description::{Experts, Gated, Grouped, Heads, RopeSource, Scales};
use crate::facts::key;
use crate::rope::{self, Stretched};
use crate::{
    Attention, Axis, Description, Facts, Layer, Linear, Mlp, Norm, Origin, Role, Stored, Tensor, Tensors,
    Value,
};

pub struct Source<'a> {
    pub facts: &'a dyn Facts,
    tensors: &'a dyn Tensors,
    pub place: Place,
    /// GGUF's name of every tensor named.
    gguf_names: RefCell<HashMap<String, String>>,
    gguf_facts: RefCell<Vec<(&'static str, Value)>>,
}

/// Where a file with transformers' names keeps the language model: alone, or beside a picture tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Alone,
    /// `language_model.model.layers`
    Outer,
    /// `model.language_model.layers`
    Inner,
    /// `backbone.layers`, where every block is called a mixer (Nemotron-H).
    Backbone,
    /// `layers`, and matrices are called `w` (DeepSeek V4.1 as it is published).
    Bare,
}

impl Place {
    fn of(tensors: &dyn Tensors) -> Place {
        if tensors.get("language_model.model.embed_tokens.weight").is_some() {
            Place::Outer
        } else if tensors.get("model.language_model.embed_tokens.weight").is_some() {
            Place::Inner
        } else if tensors.get("backbone.embeddings.weight").is_some() {
            Place::Backbone
        } else if tensors.get("embed.weight").is_some() {
            Place::Bare
        } else {
            Place::Alone
        }
    }

    fn name(self, name: &str) -> String {
        match (self, name.strip_prefix("model.")) {
            (Place::Outer, _) => format!("language_model.{name}"),
            (Place::Inner, Some(rest)) => format!("model.language_model.{rest}"),
            (Place::Backbone, Some("norm")) => "backbone.norm_f".to_owned(),
            (Place::Backbone, Some("embed_tokens")) => "backbone.embeddings".to_owned(),
            (Place::Backbone, Some(rest)) => {
                let mixer = [".mamba.", ".self_attn.", ".mlp."]
                    .iter()
                    .fold(rest.to_owned(), |name, block| name.replace(block, ".mixer."));
                let mixer = mixer.replace(".switch_mlp.up_proj", ".switch_mlp.fc1");
                let mixer = mixer.replace(".switch_mlp.down_proj", ".switch_mlp.fc2");
                format!("backbone.{}", mixer.replace(".input_layernorm", ".norm"))
            }
            (Place::Bare, rest) => bare(rest.unwrap_or(name)),
            _ => name.to_owned(),
        }
    }
}

/// What DeepSeek calls a tensor that others call `name`.
fn bare(name: &str) -> String {
    const WORDS: [(&str, &str); 25] = [
        ("lm_head", "head"),
        ("embed_tokens", "embed"),
        (".input_layernorm", ".attn_norm"),
        (".post_attention_layernorm", ".ffn_norm"),
        (".attn_hc.", ".hc_attn_"),
        (".ffn_hc.", ".hc_ffn_"),
        (".self_attn.sinks", ".attn.attn_sink"),
        (".compressor.kv_norm", ".compressor.norm"),
        (".compressor.gate_proj", ".compressor.wgate"),
        (".indexer.k_proj", ".indexer.wk"),
        (".q_a_proj", ".wq_a"),
        (".q_b_proj", ".wq_b"),
        (".q_a_norm", ".q_norm"),
        (".kv_proj", ".wkv"),
        (".o_a_proj", ".wo_a"),
        (".o_b_proj", ".wo_b"),
        (".gate.e_score_correction_bias", ".gate.bias"),
        (".experts.{e}.gate_proj", ".experts.{e}.w1"),
        (".experts.{e}.down_proj", ".experts.{e}.w2"),
        (".experts.{e}.up_proj", ".experts.{e}.w3"),
        (".shared_experts.gate_proj", ".shared_experts.w1"),
        (".shared_experts.down_proj", ".shared_experts.w2"),
        (".shared_experts.up_proj", ".shared_experts.w3"),
        (".self_attn.", ".attn."),
        (".mlp.", ".ffn."),
    ];
    WORDS.iter().fold(name.to_owned(), |name, (usual, own)| name.replace(usual, own))
}

/// The numbers every decoder has.
pub struct Sizes {
    pub hidden: usize,
    pub layers: usize,
    pub heads: usize,
    pub kv_heads: usize,
    pub head_dim: usize,
    pub eps: f32,
}

impl Sizes {
    pub fn heads_of(&self) -> Heads {
        Heads { count: self.heads, kv_count: self.kv_heads }
    }
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

/// Names of the usual gated block.
pub const MLP: [Name; 3] = [
    name("blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"),
    name("blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"),
    name("blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"),
];

/// Names of a stack of experts: all in one tensor, and in `config.json` models also one by one (`{e}` is the expert).
#[derive(Clone, Copy)]
pub struct StackName {
    pub all: Name,
    pub each: &'static str,
}

pub const fn stack(gguf: &'static str, config: &'static str, each: &'static str) -> StackName {
    StackName { all: name(gguf, config), each }
}

/// Some rows of a matrix that holds those of several.
#[derive(Clone, Copy)]
pub struct Cut {
    pub rows: usize,
    pub pick: Pick,
    /// Rows of the whole.
    pub all: usize,
}

impl Cut {
    /// `rows` that follow each other.
    pub fn run(first: usize, rows: usize, all: usize) -> Cut {
        Cut { rows, pick: Pick { first, ..Pick::ALL }, all }
    }
}

/// Where a file holds the gates and up-projections of all experts in one tensor, perhaps turned over.
#[derive(Clone, Copy)]
pub struct Halved {
    pub gate_up: Name,
    pub down: Name,
    pub transposed: bool,
}

/// The usual ones.
pub const HALVED: Halved = Halved {
    gate_up: name("blk.{}.ffn_gate_up_exps.weight", "model.layers.{}.mlp.experts.gate_up_proj"),
    down: name("", "model.layers.{}.mlp.experts.down_proj"),
    transposed: false,
};

/// What one layer's experts have in common with all others.
pub struct ExpertBlock {
    pub router: Name,
    /// Gate, up, down.
    pub names: [StackName; 3],
    pub count: usize,
    /// Inner features of one expert.
    pub width: usize,
    pub routing: Routing,
}

/// Names of the usual experts: gate, up, down.
pub const EXPERTS: [StackName; 3] = [
    stack(
        "blk.{}.ffn_gate_exps",
        "model.layers.{}.mlp.switch_mlp.gate_proj",
        "model.layers.{}.mlp.experts.{e}.gate_proj",
    ),
    stack(
        "blk.{}.ffn_up_exps",
        "model.layers.{}.mlp.switch_mlp.up_proj",
        "model.layers.{}.mlp.experts.{e}.up_proj",
    ),
    stack(
        "blk.{}.ffn_down_exps",
        "model.layers.{}.mlp.switch_mlp.down_proj",
        "model.layers.{}.mlp.experts.{e}.down_proj",
    ),
];

/// Mixtral's.
pub const BLOCK_SPARSE_EXPERTS: [StackName; 3] = [
    stack(
        "blk.{}.ffn_gate_exps",
        "model.layers.{}.block_sparse_moe.switch_mlp.gate_proj",
        "model.layers.{}.block_sparse_moe.experts.{e}.w1",
    ),
    stack(
        "blk.{}.ffn_up_exps",
        "model.layers.{}.block_sparse_moe.switch_mlp.up_proj",
        "model.layers.{}.block_sparse_moe.experts.{e}.w3",
    ),
    stack(
        "blk.{}.ffn_down_exps",
        "model.layers.{}.block_sparse_moe.switch_mlp.down_proj",
        "model.layers.{}.block_sparse_moe.experts.{e}.w2",
    ),
];

impl<'a> Source<'a> {
    pub fn new(facts: &'a dyn Facts, tensors: &'a dyn Tensors) -> Source<'a> {
        let place = Place::of(tensors);
        Source { facts, tensors, place, gguf_names: RefCell::default(), gguf_facts: RefCell::default() }
    }

    pub fn into_gguf_names(self) -> HashMap<String, String> {
        self.gguf_names.into_inner()
    }

    /// Of models whose heads share latent rows: what is said of keys and of the heads' width means something else there.
    pub fn latent_sizes(&self) -> Result<Sizes, DescribeError> {
        Ok(Sizes {
            hidden: self.facts.size(key("embedding_length", "hidden_size"))?,
            layers: self.layers()?,
            heads: self.facts.size(key("attention.head_count", "num_attention_heads"))?,
            kv_heads: 1,
            head_dim: 0,
            eps: self.facts.number(key("attention.layer_norm_rms_epsilon", "rms_norm_eps"))?,
        })
    }

    pub fn sizes(&self) -> Result<Sizes, DescribeError> {
        let hidden = self.facts.size(key("embedding_length", "hidden_size"))?;
        let heads = self.facts.size(key("attention.head_count", "num_attention_heads"))?;
        // Hybrids say it for every layer, 0 where there are no keys.
        let kv_heads = self.facts.counts_or_one(key("attention.head_count_kv", "num_key_value_heads"))?;
        let kv_heads = kv_heads.into_iter().max().unwrap_or(heads);
        if kv_heads == 0 || !heads.is_multiple_of(kv_heads) {
            return Err(DescribeError::UnevenHeads { heads, kv_heads });
        }
        Ok(Sizes {
            hidden,
            layers: self.layers()?,
            heads,
            kv_heads,
            head_dim: self.facts.size_or(key("attention.key_length", "head_dim"), (hidden / heads).max(1))?,
            eps: self.facts.number(key("attention.layer_norm_rms_epsilon", "rms_norm_eps"))?,
        })
    }

    /// How many layers; bounded, since a description takes memory for each.
    pub fn layers(&self) -> Result<usize, DescribeError> {
        let layers = self.facts.size_up_to(key("block_count", "num_hidden_layers"), 1000)?;
        // GGUF counts those that guess further tokens, which nothing here uses.
        let guessing = self.facts.count(key("nextn_predict_layers", ""))?;
        Ok(layers.saturating_sub(guessing).max(1))
    }

    /// Which layers see only a window; `default` of files that do not say.
    pub fn windowed(
        &self,
        layers: usize,
        default: impl Fn(usize) -> bool,
    ) -> Result<Vec<bool>, DescribeError> {
        let kinds = self.facts.texts(key("", "layer_types"))?;
        let stated = self.facts.counts(key("attention.sliding_window_pattern", ""))?;
        let windowed = |layer: usize| match (kinds.get(layer).map(String::as_str), stated.get(layer)) {
            (Some(kind), _) => kind == "sliding_attention",
            (None, Some(flag)) => *flag != 0,
            (None, None) => default(layer),
        };
        let windowed: Vec<bool> = (0..layers).map(windowed).collect();
        let flags = windowed.iter().map(|flag| Value::Int((*flag).into())).collect();
        self.state("attention.sliding_window_pattern", Value::List(flags));
        Ok(windowed)
    }

    /// The windows of layers, in families of which only the later ones have one, and only where the file says so.
    pub fn late_windows(&self, layers: usize) -> Result<Vec<Option<Window>>, DescribeError> {
        if self.facts.flag(key("", "use_sliding_window"))? != Some(true) {
            return Ok(vec![None; layers]);
        }
        let window = self.facts.size_opt(key("", "sliding_window"))?.map(Window::Sliding);
        let kinds = self.facts.texts(key("", "layer_types"))?;
        let first = match self.facts.value(key("", "max_window_layers")) {
            None => 28,
            Some(_) => self.facts.count(key("", "max_window_layers"))?,
        };
        let windowed = |layer: usize| match kinds.get(layer) {
            Some(kind) => kind == "sliding_attention",
            None => layer >= first,
        };
        Ok((0..layers).map(|layer| window.filter(|_| windowed(layer))).collect())
    }

    /// Families that could have windows, but of which none has.
    pub fn no_windows(&self) -> Result<(), DescribeError> {
        if self.facts.flag(key("", "use_sliding_window"))? != Some(true) {
            return Ok(());
        }
        let (what, found) = ("use_sliding_window", "true".to_owned());
        Err(DescribeError::Unsupported { what, found, supported: "false" })
    }

    /// Inner features of the dense feed-forward block.
    pub fn ffn(&self) -> Result<usize, DescribeError> {
        self.facts.size(key("feed_forward_length", "intermediate_size"))
    }

    /// Embedding, layers, final norm and head; tied where the file has no head of its own.
    pub fn decoder(
        &self,
        architecture: &'static str,
        sizes: &Sizes,
        ropes: Vec<RopeSource>,
        layer: impl Fn(usize) -> Result<Layer, DescribeError>,
    ) -> Result<Description, DescribeError> {
        self.check_activation(architecture)?;
        let embedding = name("token_embd", "model.embed_tokens");
        let head = name("output", "lm_head");
        let vocab = match self.tensors.get(&(self.name(embedding, 0) + ".weight")) {
            Some(stored) => stored.rows,
            None => self.facts.size(key("vocab_size", "vocab_size"))?,
        };
        let own_head = self.tensors.get(&(self.name(head, 0) + ".weight")).is_some()
            || self.facts.flag(key("", "tie_word_embeddings"))? == Some(false);
        let table =
            |name| self.tensor(name, ".weight", 0, [1, vocab, sizes.hidden], Role::Column(Axis::Vocab));
        Ok(Description {
            architecture,
            hidden: sizes.hidden,
            vocab,
            context: match self.facts.size_opt(key("", "model_max_length"))? {
                // Kimi Linear's name for it.
                Some(context) if self.facts.value(key("", "max_position_embeddings")).is_none() => context,
                _ => self.facts.size(key("context_length", "max_position_embeddings"))?,
            },
            embedding: table(embedding),
            scales: Scales::NONE,
            inputs: None,
            streams: None,
            residuals: None,
            tower: None,
            layers: (0..sizes.layers).map(layer).collect::<Result<_, _>>()?,
            final_norm: self.norm(name("output_norm", "model.norm"), 0, sizes.hidden, sizes.eps),
            head: table(if own_head { head } else { embedding }),
            ropes,
            gguf_facts: self.gguf_facts.take(),
        })
    }

    /// Files may name another activation than their family has.
    fn check_activation(&self, architecture: &str) -> Result<(), DescribeError> {
        let (keys, known, supported): (&[&'static str], &[&str], _) = match architecture {
            "gemma3" | "gemma4" => (
                &["hidden_activation", "hidden_act"],
                &["gelu_pytorch_tanh", "gelu_new"],
                "gelu_pytorch_tanh",
            ),
            "kimi-k3" => (&["hidden_act"], &["situ"], "situ"),
            "minimax-m3" => (&["hidden_act"], &["swigluoai"], "swigluoai"),
            "nemotron_h" | "nemotron_h_moe" => (&["mlp_hidden_act"], &["relu2"], "relu2"),
            _ => (&["hidden_act"], &["silu", "swish"], "silu"),
        };
        for &what in keys {
            if let Some(found) = self.facts.text_opt(key("", what))?
                && !known.contains(&found.as_str())
            {
                return Err(DescribeError::Unsupported { what, found, supported });
            }
        }
        Ok(())
    }

    /// Grouped-query attention with the usual names; biases are taken where the file has them.
    pub fn attention(&self, layer: usize, sizes: &Sizes) -> Grouped {
        let &Sizes { hidden, heads, kv_heads, head_dim: dim, .. } = sizes;
        let of = sizes.heads_of();
        let q = Role::Column(Axis::Heads { of, dim });
        let kv = Role::Column(Axis::KvHeads { of, dim });
        let linear =
            |gguf, config, rows, cols, role| self.linear(name(gguf, config), layer, rows, cols, role);
        Grouped {
            heads,
            kv_heads,
            head_dim: dim,
            q: linear("blk.{}.attn_q", "model.layers.{}.self_attn.q_proj", heads * dim, hidden, q),
            k: linear("blk.{}.attn_k", "model.layers.{}.self_attn.k_proj", kv_heads * dim, hidden, kv),
            v: linear("blk.{}.attn_v", "model.layers.{}.self_attn.v_proj", kv_heads * dim, hidden, kv),
            kv_of: None,
            o: self.attention_output(layer, hidden, of, dim),
            gate: None,
            q_norm: None,
            k_norm: None,
            v_norm: None,
            rope: Some(0),
            scale: 1.0 / (dim as f32).sqrt(),
            growth: None,
            window: None,
            sinks: None,
            runs: None,
        }
    }

    /// As [`Self::attention`], with a norm on every query and key head.
    pub fn normed_attention(&self, layer: usize, sizes: &Sizes) -> Grouped {
        let norm = |names| Some(self.norm(names, layer, sizes.head_dim, sizes.eps));
        Grouped {
            q_norm: norm(name("blk.{}.attn_q_norm", "model.layers.{}.self_attn.q_norm")),
            k_norm: norm(name("blk.{}.attn_k_norm", "model.layers.{}.self_attn.k_norm")),
            ..self.attention(layer, sizes)
        }
    }

    /// As [`Self::normed_attention`], with norms over all heads of a token together.
    pub fn widely_normed_attention(&self, layer: usize, sizes: &Sizes) -> Grouped {
        let &Sizes { heads, kv_heads, head_dim: dim, eps, .. } = sizes;
        let of = sizes.heads_of();
        let norm = |names, len: usize, axis| {
            let weight = self.tensor(names, ".weight", layer, [1, 1, len], Role::Column(axis));
            Some(Norm { weight, eps })
        };
        let q = name("blk.{}.attn_q_norm", "model.layers.{}.self_attn.q_norm");
        let k = name("blk.{}.attn_k_norm", "model.layers.{}.self_attn.k_norm");
        Grouped {
            q_norm: norm(q, heads * dim, Axis::Heads { of, dim }),
            k_norm: norm(k, kv_heads * dim, Axis::KvHeads { of, dim }),
            ..self.attention(layer, sizes)
        }
    }

    pub fn attention_output(&self, layer: usize, hidden: usize, of: Heads, dim: usize) -> Linear {
        let name = name("blk.{}.attn_output", "model.layers.{}.self_attn.o_proj");
        self.linear(name, layer, hidden, of.count * dim, Role::Row(Axis::Heads { of, dim }))
    }

    /// A gated feed-forward block of the given width.
    pub fn gated(&self, names: [Name; 3], layer: usize, hidden: usize, width: usize) -> Gated {
        let (column, row) = (Role::Column(Axis::Ffn { width }), Role::Row(Axis::Ffn { width }));
        Gated {
            gate: self.linear(names[0], layer, width, hidden, column),
            up: self.linear(names[1], layer, width, hidden, column),
            down: self.linear(names[2], layer, hidden, width, row),
            act: Activation::Silu,
        }
    }

    /// Gated experts without biases.
    pub fn experts(&self, block: &ExpertBlock, layer: usize, hidden: usize) -> Experts {
        let &ExpertBlock { router, names, count, width, routing } = block;
        let (column, row) = (Role::Column(Axis::Ffn { width }), Role::Row(Axis::Ffn { width }));
        let stack = |name, rows, cols, role| Linear {
            weight: self.stacked(name, layer, [count, rows, cols], role),
            bias: None,
        };
        Experts {
            count,
            router: self.linear(router, layer, count, hidden, Role::Replicated),
            router_scale: 1.0,
            routing,
            choice_bias: None,
            scales: None,
            gate: stack(names[0], width, hidden, column),
            up: stack(names[1], width, hidden, column),
            down: stack(names[2], hidden, width, row),
            act: Activation::Silu,
            narrow: None,
            shared: None,
            shared_gate: None,
        }
    }

    /// A matrix that is cut from one that holds several, where the file holds that.
    pub fn part(&self, part: Name, whole: Name, layer: usize, cut: Cut, cols: usize, role: Role) -> Linear {
        let apart = self.linear(part, layer, cut.rows, cols, role);
        Linear { weight: self.cut_rows(apart.weight, whole, layer, cut), bias: apart.bias }
    }

    /// As [`Self::part`], of any matrix: `apart` is its name where it lies alone.
    pub fn cut_rows(&self, apart: Tensor, whole: Name, layer: usize, cut: Cut) -> Tensor {
        self.cut_from(
            apart,
            whole,
            ".weight",
            layer,
            |stored| stored.rows == cut.rows,
            |name| Recipe { rows_per_matrix: cut.all, rows: cut.pick, ..Recipe::stack(vec![name]) },
        )
    }

    /// As [`Self::cut_rows`], of the values of a bias.
    pub fn cut_bias(&self, apart: Tensor, whole: Name, layer: usize, cut: Cut) -> Tensor {
        self.cut_from(
            apart,
            whole,
            ".bias",
            layer,
            |stored| stored.cols == cut.rows,
            |name| Recipe {
                cols: Pick::runs(cut.pick.first, cut.rows, cut.all),
                ..Recipe::stack(vec![name])
            },
        )
    }

    fn cut_from(
        &self,
        apart: Tensor,
        whole: Name,
        suffix: &str,
        layer: usize,
        is_part: impl Fn(Stored) -> bool,
        recipe: impl Fn(String) -> Recipe,
    ) -> Tensor {
        let whole_name = self.name(whole, layer);
        // A GGUF file made of this one will hold the whole.
        if self.facts.origin() == Origin::Config && !whole.gguf.is_empty() {
            let gguf = whole.gguf.replace("{}", &layer.to_string()) + suffix;
            self.gguf_names.borrow_mut().insert(apart.name.clone(), gguf);
        }
        // GGUF's name of the whole is that of a part, in some models.
        if whole_name.is_empty() || self.stored(&apart.name).is_some_and(is_part) {
            return apart;
        }
        Tensor { recipe: Some(recipe(whole_name + suffix)), ..apart }
    }

    /// A vector that GGUF files hold in rows of `len` values.
    pub fn folded(&self, vector: Tensor, len: usize) -> Tensor {
        if self.facts.origin() == Origin::Config {
            return vector;
        }
        let recipe = Recipe { folded: len, ..Recipe::stack(vec![vector.name.clone()]) };
        Tensor { recipe: Some(recipe), ..vector }
    }

    /// How fast states decay. GGUF files hold the rate itself, others its logarithm.
    pub fn rate(&self, names: Name, layer: usize, heads: usize, role: Role) -> Tensor {
        let rate = self.tensor(names, "", layer, [1, 1, heads], role);
        if self.facts.origin() == Origin::Gguf {
            return rate;
        }
        // Some hold it as a column, and more of them than there are heads.
        let stored = self.stored(&rate.name);
        let transposed = stored.is_some_and(|stored| stored.rows > 1);
        let found = stored.map_or(heads, |stored| stored.rows.max(stored.cols));
        let pick = if found > heads { Pick::runs(0, heads, found) } else { Pick::ALL };
        let (rows, cols) = if transposed { (pick, Pick::ALL) } else { (Pick::ALL, pick) };
        let recipe =
            Recipe { map: Map::MinusExp, rows, cols, transposed, ..Recipe::stack(vec![rate.name.clone()]) };
        Tensor { recipe: Some(recipe), ..rate }
    }

    /// Experts of which published files hold gate and up in one tensor.
    pub fn halved_experts(
        &self,
        block: &ExpertBlock,
        layer: usize,
        hidden: usize,
        halved: Halved,
    ) -> Experts {
        let mut experts = self.experts(block, layer, hidden);
        let (width, transposed) = (block.width, halved.transposed);
        let [whole, down] = [halved.gate_up, halved.down].map(|name| self.name(name, layer));
        if self.has(&whole) && block.count > 1 {
            let half = |first| {
                let pick = Pick::runs(first, width, 2 * width);
                let (rows, cols) = if transposed { (Pick::ALL, pick) } else { (pick, Pick::ALL) };
                Recipe { rows, cols, transposed, ..Recipe::stack(vec![whole.clone()]) }
            };
            experts.gate.weight.recipe = Some(half(0));
            experts.up.weight.recipe = Some(half(width));
            let down = Recipe { transposed, ..Recipe::stack(vec![down]) };
            experts.down.weight.recipe = Some(down).filter(|_| self.facts.origin() == Origin::Config);
        }
        experts
    }

    /// A norm over `len` values that has no weights.
    pub fn bare_norm(&self, layer: usize, len: usize, sizes: &Sizes) -> Norm {
        // Of the norm before, which is longer, only the length counts.
        let of = self.name(name("blk.{}.attn_norm", "model.layers.{}.input_layernorm"), layer) + ".weight";
        let cols = Pick::runs(0, len, sizes.hidden);
        let weight = Tensor {
            name: format!("{of}, {len} ones"),
            recipe: Some(Recipe { map: Map::One, cols, ..Recipe::stack(vec![of]) }),
            experts: 1,
            rows: 1,
            cols: len,
            role: Role::Replicated,
        };
        Norm { weight, eps: sizes.eps }
    }

    /// A norm whose stored weights lack the one that is added to them; GGUF files have it added.
    pub fn centred(&self, norm: Norm) -> Norm {
        if self.facts.origin() == Origin::Gguf {
            return norm;
        }
        let recipe = Recipe { map: Map::PlusOne, ..Recipe::stack(vec![norm.weight.name.clone()]) };
        Norm { weight: Tensor { recipe: Some(recipe), ..norm.weight }, ..norm }
    }

    /// How many experts there are and how many a row uses.
    pub fn expert_counts(&self, count: &'static str) -> Result<(usize, usize), DescribeError> {
        self.expert_counts_by(count, "num_experts_per_tok")
    }

    /// As [`Self::expert_counts`], of models that call both otherwise.
    pub fn expert_counts_by(
        &self,
        count: &'static str,
        used: &'static str,
    ) -> Result<(usize, usize), DescribeError> {
        // A description names them all.
        const NAMED_MAX: usize = 1 << 18;
        let count = self.facts.size_up_to(key("expert_count", count), NAMED_MAX / self.layers()?)?;
        let used = self.facts.size(key("expert_used_count", used))?;
        if used > count {
            return Err(DescribeError::TooFewExperts { count, used });
        }
        Ok((count, used))
    }

    /// Pre-norm layer: norm, attention, norm, feed-forward.
    pub fn layer(&self, layer: usize, sizes: &Sizes, attention: Attention, mlp: Mlp) -> Layer {
        let norm = |names| self.norm(names, layer, sizes.hidden, sizes.eps);
        Layer {
            attention_norm: Some(norm(name("blk.{}.attn_norm", "model.layers.{}.input_layernorm"))),
            attention,
            attention_post_norm: None,
            mlp_norm: Some(norm(name("blk.{}.ffn_norm", "model.layers.{}.post_attention_layernorm"))),
            mlp,
            mlp_post_norm: None,
            input: None,
            scale: None,
            connections: None,
            blends: None,
        }
    }

    pub fn linear(&self, name: Name, layer: usize, rows: usize, cols: usize, role: Role) -> Linear {
        // A row-divided matrix gives partial sums of whole outputs: its bias is whole too.
        let bias_role = if matches!(role, Role::Row(_)) { Role::Replicated } else { role };
        let bias = self.tensor(name, ".bias", layer, [1, 1, rows], bias_role);
        Linear {
            weight: self.tensor(name, ".weight", layer, [1, rows, cols], role),
            bias: self.has(&bias.name).then_some(bias),
        }
    }

    pub fn norm(&self, name: Name, layer: usize, len: usize, eps: f32) -> Norm {
        Norm { weight: self.tensor(name, ".weight", layer, [1, 1, len], Role::Replicated), eps }
    }

    /// Matrices that the file holds in one tensor or one by one.
    fn stacked(&self, name: StackName, layer: usize, shape: [usize; 3], role: Role) -> Tensor {
        let all = self.tensor(name.all, ".weight", layer, shape, role);
        // GGUF files older than stacks call them `blk.0.ffn_gate.7.weight`.
        let pattern = match self.facts.origin() {
            Origin::Gguf => name.all.gguf.replace("_exps", ".{e}"),
            Origin::Config => self.place.name(name.each),
        };
        let pattern = pattern.replace("{}", &layer.to_string()) + ".weight";
        let each = (0..shape[0]).map(|expert| pattern.replace("{e}", &expert.to_string()));
        let is_gguf = self.facts.origin() == Origin::Gguf;
        if self.has(&all.name) || is_gguf && !self.has(&pattern.replace("{e}", "0")) {
            return all;
        }
        Tensor { recipe: Some(Recipe::stack(each.collect())), ..all }
    }

    /// One of the two halves of a flat matrix that holds `heads` runs of rows.
    pub fn head_rows(&self, flat: Name, layer: usize, rows_per_head: usize, first: usize) -> Recipe {
        Recipe {
            rows_per_matrix: rows_per_head,
            rows: Pick { first, ..Pick::ALL },
            ..Recipe::stack(vec![self.name(flat, layer) + ".weight"])
        }
    }

    pub fn tensor(
        &self,
        name: Name,
        suffix: &str,
        layer: usize,
        [experts, rows, cols]: [usize; 3],
        role: Role,
    ) -> Tensor {
        let own = self.name(name, layer) + suffix;
        let gguf = name.gguf.replace("{}", &layer.to_string()) + suffix;
        self.gguf_names.borrow_mut().insert(own.clone(), gguf);
        Tensor { name: own, recipe: None, experts, rows, cols, role }
    }

    pub fn has(&self, tensor: &str) -> bool {
        self.tensors.get(tensor).is_some()
    }

    pub fn stored(&self, tensor: &str) -> Option<Stored> {
        self.tensors.get(tensor)
    }

    /// The rotary table of the whole model, over the first `dims` features of a head.
    pub fn rope(&self, dims: usize, style: RopeStyle) -> Result<RopeSource, DescribeError> {
        self.rope_with_base(dims, style, rope::BASE)
    }

    /// As [`Self::rope`], for models that leave out the base where it is this one.
    pub fn rope_with_base(
        &self,
        dims: usize,
        style: RopeStyle,
        base: f32,
    ) -> Result<RopeSource, DescribeError> {
        let dims = self.facts.size_or(key("rope.dimension_count", ""), dims)?;
        Ok(self.rope_source(self.stretched(dims, base)?, style))
    }

    /// As [`Self::rope`], over the part of a head that the file says; `usual` is that of files that do not.
    pub fn partial_rope(
        &self,
        head_dim: usize,
        style: RopeStyle,
        usual: f32,
    ) -> Result<RopeSource, DescribeError> {
        let part = self.facts.number_or(key("", "partial_rotary_factor"), usual)?;
        let dims = (head_dim as f32 * part.clamp(0.0, 1.0)) as usize;
        self.state("rope.dimension_count", Value::Int(dims as i64));
        self.rope(dims, style)
    }

    /// A rotary table that nothing stretches.
    pub fn plain_rope(&self, dims: usize, theta: f32, style: RopeStyle) -> RopeSource {
        let rope =
            Rope { style, inv_freq: rope::plain(dims, theta), factors: None, magnitude: 1.0, behind: 0 };
        RopeSource { rope, factors: None }
    }

    pub fn rope_source(&self, stretched: Stretched, style: RopeStyle) -> RopeSource {
        let Stretched { inv_freq, magnitude, .. } = stretched;
        let shape = [1, 1, inv_freq.len()];
        let factors = [name("rope_freqs", "rope_freqs"), name("rope_factors_long", "")].map(|name| {
            let factors = self.tensor(name, ".weight", 0, shape, Role::Replicated);
            self.has(&factors.name).then_some(factors)
        });
        let factors = factors.into_iter().flatten().next();
        RopeSource { rope: Rope { style, inv_freq, factors: None, magnitude, behind: 0 }, factors }
    }

    /// `base` is that of files that do not say it.
    pub fn stretched(&self, dims: usize, base: f32) -> Result<Stretched, DescribeError> {
        let stretched = rope::stretched(self.facts, dims, base)?;
        if self.facts.origin() == Origin::Config && self.facts.value(key("", "rope_theta")).is_none() {
            self.state("rope.freq_base", Value::Float(base.into()));
        }
        if let Some(multiplier) = stretched.log_multiplier {
            self.state("rope.scaling.yarn_log_multiplier", Value::Float(multiplier.into()));
        }
        if let Some(factor) = stretched.attention_factor {
            self.state("rope.scaling.attn_factor", Value::Float(factor.into()));
        }
        Ok(stretched)
    }

    /// State a fact that only GGUF has, or has in another form; what was stated of it before is forgotten.
    pub fn state(&self, key: &'static str, value: Value) {
        let mut facts = self.gguf_facts.borrow_mut();
        facts.retain(|(stated, _)| *stated != key);
        facts.push((key, value));
    }

    /// The name of this file's family.
    pub fn name(&self, name: Name, layer: usize) -> String {
        let pattern = match self.facts.origin() {
            Origin::Gguf => name.gguf.to_owned(),
            Origin::Config => self.place.name(name.config),
        };
        pattern.replace("{}", &layer.to_string())
    }
}
