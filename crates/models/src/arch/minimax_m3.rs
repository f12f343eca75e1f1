//! MiniMax M3: half of every head rotated, many experts beside a shared one, and layers that read only some runs of the keys they see. Its
//! picture tower is not used.

use tandem_tensor::{Activation, RopeStyle, Routing, Score};

use super::minimax::CHOICE;
use super::{Architecture, DescribeError};
use crate::description::{Gated, Grouped, RunChooser};
use crate::facts::key;
use crate::source::{BLOCK_SPARSE_EXPERTS, ExpertBlock, MLP, Name, Sizes, Source, name};
use crate::{Attention, Axis, Description, Layer, Mlp, Norm, Origin, Role, Value};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "minimax-m3",
    config: &[
        "MiniMaxM3SparseForConditionalGeneration",
        "MiniMaxM3SparseForCausalLM",
        "MiniMaxM3VLForConditionalGeneration",
    ],
    describe,
};

const SHARED: [Name; 3] = [
    name("blk.{}.ffn_gate_shexp", "model.layers.{}.block_sparse_moe.shared_experts.gate_proj"),
    name("blk.{}.ffn_up_shexp", "model.layers.{}.block_sparse_moe.shared_experts.up_proj"),
    name("blk.{}.ffn_down_shexp", "model.layers.{}.block_sparse_moe.shared_experts.down_proj"),
];

/// What some files call the usual gated block.
const DENSE: [Name; 3] = [
    name("blk.{}.ffn_gate", "model.layers.{}.block_sparse_moe.gate_proj"),
    name("blk.{}.ffn_up", "model.layers.{}.block_sparse_moe.up_proj"),
    name("blk.{}.ffn_down", "model.layers.{}.block_sparse_moe.down_proj"),
];

fn describe(source: &Source) -> Result<Description, DescribeError> {
    /// `expert_gating_func` in GGUF.
    const SIGMOID: i64 = 2;
    let facts = source.facts;
    let sizes = source.sizes()?;
    let part = facts.number_or(key("", "partial_rotary_factor"), 0.5)?;
    let part = (sizes.head_dim as f32 * part.clamp(0.0, 1.0)) as usize;
    let rotated = facts.size_or(key("rope.dimension_count", "rotary_dim"), part)?;
    source.state("rope.dimension_count", Value::Int(rotated as i64));
    let rope = source.rope_with_base(rotated, RopeStyle::Halves, 5e6)?;
    check_activation(source)?;

    let (count, used) = source.expert_counts("num_local_experts")?;
    let width = facts.size(key("expert_feed_forward_length", "intermediate_size"))?;
    let shared = match facts.origin() {
        Origin::Gguf => width * facts.size(key("expert_shared_count", ""))?,
        Origin::Config => facts.size(key("", "shared_intermediate_size"))?,
    };
    let dense = facts.size_opt(key("feed_forward_length", "dense_intermediate_size"))?;
    source.state("expert_gating_func", Value::Int(SIGMOID));
    source.state("expert_weights_norm", Value::Bool(true));
    source.state("expert_shared_count", Value::Int((shared / width) as i64));
    let block = ExpertBlock {
        router: name("blk.{}.ffn_gate_inp", "model.layers.{}.block_sparse_moe.gate"),
        names: BLOCK_SPARSE_EXPERTS,
        count,
        width,
        routing: Routing {
            normalise: true,
            scale: facts.number_or(key("expert_weights_scale", "routed_scaling_factor"), 2.0)?,
            ..Routing::of(used, Score::Sigmoid)
        },
    };
    let kinds = Kinds::of(source, sizes.layers)?;
    let runs = RunSizes::of(source, &sizes, rotated)?;
    let is_plain = facts.flag(key("", "use_gemma_norm"))? == Some(false);
    let norm = |norm: Norm| if is_plain { norm } else { source.centred(norm) };
    let has_head_norms = facts.flag(key("", "use_qk_norm"))? != Some(false);
    let model = source.decoder("minimax-m3", &sizes, vec![rope], |layer| {
        let attention = match has_head_norms {
            true => source.normed_attention(layer, &sizes),
            false => source.attention(layer, &sizes),
        };
        let runs = runs.as_ref().filter(|_| kinds.chooses[layer]);
        let attention = Grouped {
            q_norm: attention.q_norm.map(norm),
            k_norm: attention.k_norm.map(norm),
            runs: runs.map(|runs| chooser(source, layer, &sizes, runs, norm)),
            ..attention
        };
        let act = Activation::ClampedSwiglu;
        let mlp = if kinds.has_experts[layer] {
            let mut experts = source.experts(&block, layer, sizes.hidden);
            experts.act = act;
            experts.choice_bias = Some(source.tensor(CHOICE, "", layer, [1, 1, count], Role::Replicated));
            experts.shared = Some(Gated { act, ..source.gated(SHARED, layer, sizes.hidden, shared) });
            Mlp::Experts(experts)
        } else {
            let is_within = source.has(&(source.name(DENSE[0], layer) + ".weight"));
            let names = if is_within { DENSE } else { MLP };
            let dense = match dense {
                Some(dense) => dense,
                None => facts.size(key("feed_forward_length", "dense_intermediate_size"))?,
            };
            Mlp::Gated(Gated { act, ..source.gated(names, layer, sizes.hidden, dense) })
        };
        let layer = source.layer(layer, &sizes, Attention::Grouped(attention), mlp);
        let (attention_norm, mlp_norm) = (layer.attention_norm.map(norm), layer.mlp_norm.map(norm));
        Ok(Layer { attention_norm, mlp_norm, ..layer })
    })?;
    Ok(Description { final_norm: norm(model.final_norm), ..model })
}

/// GGUF files say nothing of it.
fn check_activation(source: &Source) -> Result<(), DescribeError> {
    let known = [
        ("swiglu_alpha", Activation::SWIGLU_ALPHA, "1.702"),
        ("swiglu_limit", Activation::SWIGLU_LIMIT, "7"),
    ];
    for (what, usual, supported) in known {
        let found = source.facts.number_or(key("", what), usual)?;
        if (found - usual).abs() > 1e-6 {
            return Err(DescribeError::Unsupported { what, found: found.to_string(), supported });
        }
    }
    Ok(())
}

/// What each layer is.
struct Kinds {
    has_experts: Vec<bool>,
    chooses: Vec<bool>,
}

impl Kinds {
    fn of(source: &Source, layers: usize) -> Result<Kinds, DescribeError> {
        let facts = source.facts;
        let lead = facts.count(key("leading_dense_block_count", ""))?;
        let of = |names: &[String], flags: &[usize], other: &str, layer: usize| {
            names.get(layer).map(|name| name != other).or(flags.get(layer).map(|flag| *flag != 0))
        };
        let mlps = facts.texts(key("", "mlp_layer_types"))?;
        let mlp_flags = facts.counts(key("", "moe_layer_freq"))?;
        let attentions = facts.texts(key("", "layer_types"))?;
        let flags = facts.counts(key("", "sparse_attention_config.sparse_attention_freq"))?;
        let index = name("blk.{}.indexer.q_proj", "");
        let has_experts = |layer| of(&mlps, &mlp_flags, "dense", layer).unwrap_or(layer >= lead);
        let has_experts: Vec<bool> = (0..layers).map(has_experts).collect();
        let chooses = (0..layers).map(|layer| match facts.origin() {
            Origin::Gguf => source.has(&(source.name(index, layer) + ".weight")),
            Origin::Config => of(&attentions, &flags, "full_attention", layer).unwrap_or(true),
        });
        let leading = has_experts.iter().take_while(|has| !**has).count();
        source.state("leading_dense_block_count", Value::Int(leading as i64));
        Ok(Kinds { chooses: chooses.collect(), has_experts })
    }
}

struct RunSizes {
    key_dim: usize,
    len: usize,
    count: usize,
    local: usize,
}

impl RunSizes {
    /// The published config has these in a section of their own, files that were saved anew have them flat.
    fn of(source: &Source, sizes: &Sizes, rotated: usize) -> Result<Option<RunSizes>, DescribeError> {
        /// Runs are whole blocks of the cache.
        const BLOCK: usize = 32;
        let facts = source.facts;
        // GGUF's name, the section's, the flat one.
        let size = |gguf, nested, flat| match facts.size_opt(key(gguf, nested)) {
            Ok(None) => facts.size_opt(key(gguf, flat)),
            found => found,
        };
        let needed = |gguf, nested, flat| match size(gguf, nested, flat) {
            Ok(None) => facts.size(key(gguf, flat)),
            Ok(Some(size)) => Ok(size),
            Err(error) => Err(error),
        };
        let [block_size, block_section] =
            ["attention.indexer.block_size", "sparse_attention_config.sparse_block_size"];
        let Some(len) = size(block_size, block_section, "index_block_size")? else { return Ok(None) };
        let heads = needed(
            "attention.indexer.head_count",
            "sparse_attention_config.sparse_num_index_heads",
            "index_n_heads",
        )?;
        let key_dim = needed(
            "attention.indexer.key_length",
            "sparse_attention_config.sparse_index_dim",
            "index_head_dim",
        )?;
        let count = needed(
            "attention.indexer.top_k",
            "sparse_attention_config.sparse_topk_blocks",
            "index_topk_blocks",
        )?;
        let local = size(
            "attention.indexer.local_blocks",
            "sparse_attention_config.sparse_local_block",
            "index_local_blocks",
        )?;
        let local = local.unwrap_or(1);
        let unsupported = |what, found: usize, supported| {
            Err(DescribeError::Unsupported { what, found: found.to_string(), supported })
        };
        if heads != sizes.kv_heads {
            return unsupported("index_n_heads", heads, "as many as key-value heads");
        }
        if key_dim < rotated {
            return unsupported("index_head_dim", key_dim, "no less than rotary_dim");
        }
        if !len.is_multiple_of(BLOCK) {
            return unsupported("index_block_size", len, "multiples of 32");
        }
        if local > count {
            return unsupported("index_local_blocks", local, "up to index_topk_blocks");
        }
        for (name, value) in [
            ("attention.indexer.head_count", heads),
            ("attention.indexer.key_length", key_dim),
            ("attention.indexer.top_k", count),
            ("attention.indexer.block_size", len),
            ("attention.indexer.local_blocks", local),
        ] {
            source.state(name, Value::Int(value as i64));
        }
        Ok(Some(RunSizes { key_dim, len, count, local }))
    }
}

fn chooser(
    source: &Source,
    layer: usize,
    sizes: &Sizes,
    runs: &RunSizes,
    norm: impl Fn(Norm) -> Norm,
) -> RunChooser {
    let &RunSizes { key_dim, len, count, local } = runs;
    let of = sizes.heads_of();
    let by_head = Role::Column(Axis::KvHeads { of, dim: key_dim });
    let q = name("blk.{}.indexer.q_proj", "model.layers.{}.self_attn.index_q_proj");
    let k = name("blk.{}.indexer.k_proj", "model.layers.{}.self_attn.index_k_proj");
    let q_norm = name("blk.{}.indexer.q_norm", "model.layers.{}.self_attn.index_q_norm");
    let k_norm = name("blk.{}.indexer.k_norm", "model.layers.{}.self_attn.index_k_norm");
    RunChooser {
        key_dim,
        q: source.linear(q, layer, sizes.kv_heads * key_dim, sizes.hidden, by_head),
        k: source.linear(k, layer, key_dim, sizes.hidden, Role::Replicated),
        q_norm: norm(source.norm(q_norm, layer, key_dim, sizes.eps)),
        k_norm: norm(source.norm(k_norm, layer, key_dim, sizes.eps)),
        len,
        count,
        local,
    }
}
