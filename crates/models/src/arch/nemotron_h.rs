//! Nemotron-H and Nemotron 3: Mamba-2, attention without rotation, and blocks of squared activations or experts, each with a norm of its own.
//! A block that mixes tokens and the feed-forward block after it make a layer here.

use tandem_tensor::{Activation, Groups, Routing, Score};

use super::deepseek::CHOICE;
use super::mamba2::{Keys, Mamba};
use super::{Architecture, DescribeError};
use crate::description::{Experts, Gated, Grouped};
use crate::facts::{Key, key};
use crate::source::{self, ExpertBlock, Name, Sizes, Source, name};
use crate::{Attention, Axis, Description, Layer, Mlp, Origin, Role, Value};

pub const DENSE: Architecture =
    Architecture { gguf: "nemotron_h", config: &["NemotronHForCausalLM"], describe };
pub const EXPERTS: Architecture = Architecture { gguf: "nemotron_h_moe", config: &[], describe };

const KEYS: Keys = Keys {
    heads: "mamba_num_heads",
    groups: "n_groups",
    head_dim: "mamba_head_dim",
    state_dim: "ssm_state_size",
    kernel: "conv_kernel",
    limits: [0.0, f32::INFINITY],
    norms_groups: true,
};

const NORM: Name = name("blk.{}.attn_norm", "model.layers.{}.input_layernorm");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Scan,
    Attention,
    Plain,
    Experts,
}

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let blocks = blocks(source)?;
    // Every block that mixes tokens, and the one after it where that does not.
    let mut layers: Vec<(usize, Option<usize>)> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        match (block, layers.last_mut()) {
            (Block::Scan | Block::Attention, _) => layers.push((index, None)),
            (_, Some((_, mlp @ None))) => *mlp = Some(index),
            _ => {
                let found = format!("block {index} after another of its kind");
                let supported = "one after every block of attention or Mamba-2 at most";
                return Err(DescribeError::Unsupported { what: "a feed-forward block", found, supported });
            }
        }
    }
    let hidden = facts.size(key("embedding_length", "hidden_size"))?;
    let heads = facts.size(key("attention.head_count", "num_attention_heads"))?;
    let kv_heads = facts.counts_or_one(KV_HEADS)?.into_iter().max().unwrap_or(heads);
    if kv_heads == 0 || !heads.is_multiple_of(kv_heads) {
        return Err(DescribeError::UnevenHeads { heads, kv_heads });
    }
    let eps = match facts.number_opt(key("attention.layer_norm_rms_epsilon", ""))? {
        Some(eps) => eps,
        None => facts.number(key("attention.layer_norm_epsilon", "layer_norm_epsilon"))?,
    };
    source.state("attention.layer_norm_epsilon", Value::Float(eps.into()));
    source.state("attention.layer_norm_rms_epsilon", Value::Float(eps.into()));
    let sizes = Sizes {
        hidden,
        layers: layers.len(),
        heads,
        kv_heads,
        head_dim: facts.size_or(key("attention.key_length", "head_dim"), (hidden / heads).max(1))?,
        eps,
    };
    state_blocks(source, &blocks, kv_heads)?;
    let mamba = Mamba::of(source, &KEYS)?;
    let experts = match blocks.contains(&Block::Experts) {
        true => Some(block(source, blocks.len())?),
        false => None,
    };
    let architecture = if experts.is_some() { "nemotron_h_moe" } else { "nemotron_h" };
    source.decoder(architecture, &sizes, Vec::new(), |layer| {
        let (mixer, mlp) = layers[layer];
        let norm = |at: usize| source.norm(NORM, at, hidden, sizes.eps);
        Ok(Layer {
            attention_norm: Some(norm(mixer)),
            attention: match blocks[mixer] {
                Block::Scan => Attention::Scan(mamba.layer(source, mixer, hidden, sizes.eps)),
                _ => Attention::Grouped(Grouped { rope: None, ..source.attention(mixer, &sizes) }),
            },
            attention_post_norm: None,
            mlp_norm: mlp.map(norm),
            mlp: match (mlp, &experts) {
                (None, _) => Mlp::None,
                (Some(at), Some(block)) if blocks[at] == Block::Experts => {
                    Mlp::Experts(mixture(source, block, at, hidden)?)
                }
                (Some(at), _) => {
                    let up = name("blk.{}.ffn_up", "model.layers.{}.mlp.up_proj");
                    let down = name("blk.{}.ffn_down", "model.layers.{}.mlp.down_proj");
                    Mlp::Gated(squared(source, [up, down], at, hidden, width(source)?))
                }
            },
            mlp_post_norm: None,
            input: None,
            scale: None,
            connections: None,
            blends: None,
        })
    })
}

/// GGUF says both for every block, 0 for those that are of another kind.
const KV_HEADS: Key = key("attention.head_count_kv", "num_key_value_heads");
const WIDTH: Key = key("feed_forward_length", "intermediate_size");

/// Of blocks without experts.
fn width(source: &Source) -> Result<usize, DescribeError> {
    let widest = source.facts.counts_or_one(WIDTH)?.into_iter().max().filter(|width| *width > 0);
    widest.map_or_else(|| source.facts.size(WIDTH), Ok)
}

fn state_blocks(source: &Source, blocks: &[Block], kv_heads: usize) -> Result<(), DescribeError> {
    let facts = source.facts;
    let expert = facts.counts_or_one(key("expert_feed_forward_length", "moe_intermediate_size"))?;
    let expert = expert.into_iter().max().unwrap_or(0);
    let plain = if blocks.contains(&Block::Plain) { width(source)? } else { 0 };
    let of = |number: fn(Block, [usize; 3]) -> usize| {
        let numbers = blocks.iter().map(|block| number(*block, [kv_heads, plain, expert]) as i64);
        Value::List(numbers.map(Value::Int).collect())
    };
    source.state(KV_HEADS.gguf, of(|block, [heads, ..]| if block == Block::Attention { heads } else { 0 }));
    source.state(
        WIDTH.gguf,
        of(|block, [_, plain, expert]| match block {
            Block::Plain => plain,
            Block::Experts => expert,
            Block::Scan | Block::Attention => 0,
        }),
    );
    Ok(())
}

/// What the blocks are.
fn blocks(source: &Source) -> Result<Vec<Block>, DescribeError> {
    let facts = source.facts;
    if facts.origin() == Origin::Gguf {
        let (heads, widths) = (facts.counts_or_one(KV_HEADS)?, facts.counts_or_one(WIDTH)?);
        let of = |numbers: &[usize], layer: usize| match numbers {
            [all] => *all,
            each => each.get(layer).copied().unwrap_or(0),
        };
        let block = |layer: usize| match (of(&heads, layer), of(&widths, layer)) {
            (0, 0) => Block::Scan,
            (_, 0) => Block::Attention,
            _ if source.has(&format!("blk.{layer}.ffn_gate_inp.weight")) => Block::Experts,
            _ => Block::Plain,
        };
        return Ok((0..source.layers()?).map(block).collect());
    }
    let pattern = facts.text_opt(key("", "hybrid_override_pattern"))?;
    let kinds: Vec<String> = match pattern {
        Some(pattern) => pattern.chars().map(String::from).collect(),
        None => {
            let kinds = facts.texts(key("", "layers_block_type"))?;
            if kinds.is_empty() { facts.texts(key("", "layer_types"))? } else { kinds }
        }
    };
    let blocks = kinds.iter().map(|kind| match kind.as_str() {
        "M" | "mamba" | "linear_attention" => Ok(Block::Scan),
        "*" | "attention" | "full_attention" => Ok(Block::Attention),
        "-" | "mlp" => Ok(Block::Plain),
        "E" | "moe" => Ok(Block::Experts),
        other => Err(DescribeError::Unsupported {
            what: "layer type",
            found: other.to_owned(),
            supported: "M, *, -, E",
        }),
    });
    let blocks: Vec<Block> = blocks.collect::<Result<_, _>>()?;
    // A description takes memory for each.
    const MOST: usize = 1000;
    if blocks.is_empty() || blocks.len() > MOST {
        let key = "hybrid_override_pattern".to_owned();
        return Err(DescribeError::TooMany { key, found: blocks.len(), most: MOST });
    }
    source.state("block_count", Value::Int(blocks.len() as i64));
    Ok(blocks)
}

/// `down(relu(up(x))²)`: a gated block whose gate is the same matrix.
fn squared(source: &Source, [up, down]: [Name; 2], layer: usize, hidden: usize, width: usize) -> Gated {
    let up = source.linear(up, layer, width, hidden, Role::Column(Axis::Ffn { width }));
    Gated {
        gate: up.clone(),
        up,
        down: source.linear(down, layer, hidden, width, Role::Row(Axis::Ffn { width })),
        act: Activation::ReluGate,
    }
}

fn block(source: &Source, blocks: usize) -> Result<ExpertBlock, DescribeError> {
    let facts = source.facts;
    let count = facts.size_up_to(key("expert_count", "n_routed_experts"), (1 << 18) / blocks)?;
    let used = facts.size(key("expert_used_count", "num_experts_per_tok"))?;
    if used > count {
        return Err(DescribeError::TooFewExperts { count, used });
    }
    if let Some(size) = facts.size_opt(key("moe_latent_size", "moe_latent_size"))? {
        let (what, found) = ("moe_latent_size", size.to_string());
        return Err(DescribeError::Unsupported { what, found, supported: "experts as wide as the model" });
    }
    let groups = facts.size_or(key("expert_group_count", "n_group"), 1)?;
    let groups_used = facts.size_or(key("expert_group_used_count", "topk_group"), 1)?;
    if !count.is_multiple_of(groups) || groups_used > groups {
        return Err(DescribeError::UnevenGroups { experts: count, groups, used: groups_used });
    }
    let best = 2.min(count / groups);
    Ok(ExpertBlock {
        router: name("blk.{}.ffn_gate_inp", "model.layers.{}.mlp.gate"),
        names: source::EXPERTS,
        count,
        width: facts.size(key("expert_feed_forward_length", "moe_intermediate_size"))?,
        routing: Routing {
            groups: (groups_used < groups).then_some(Groups { count: groups, used: groups_used, best }),
            normalise: facts.flag(key("expert_weights_norm", "norm_topk_prob"))?.unwrap_or(true),
            scale: facts.number_or(key("expert_weights_scale", "routed_scaling_factor"), 1.0)?,
            ..Routing::of(used, Score::Sigmoid)
        },
    })
}

fn mixture(
    source: &Source,
    block: &ExpertBlock,
    layer: usize,
    hidden: usize,
) -> Result<Experts, DescribeError> {
    let facts = source.facts;
    let mut experts = source.experts(block, layer, hidden);
    experts.gate = experts.up.clone();
    experts.act = Activation::ReluGate;
    experts.choice_bias = Some(source.tensor(CHOICE, "", layer, [1, 1, block.count], Role::Replicated));
    if facts.count(key("expert_shared_count", "n_shared_experts"))? > 0 {
        let width = key("expert_shared_feed_forward_length", "moe_shared_expert_intermediate_size");
        let up = name("blk.{}.ffn_up_shexp", "model.layers.{}.mlp.shared_experts.up_proj");
        let down = name("blk.{}.ffn_down_shexp", "model.layers.{}.mlp.shared_experts.down_proj");
        experts.shared = Some(squared(source, [up, down], layer, hidden, facts.size(width)?));
    }
    Ok(experts)
}
