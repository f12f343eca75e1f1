//! DeepSeek V2, V3, V3.1 and R1, Kimi K2 and K2.5, and GLM-4.7-Flash: latent attention and many small experts, the first layers dense.
//! Mistral Small 4 and Large 3: the same, with queries that grow with their position.
//! DeepSeek V3.2 and GLM-5: the same, with an indexer that chooses which tokens are read.

use tandem_tensor::{Groups, Pick, Recipe, Rope, RopeStyle, Routing, Score};

use super::ministral3::growth;
use super::{Architecture, DescribeError};
use crate::description::{Heads, Indexer, Latent, Linear, RopeSource};
use crate::facts::key;
use crate::source::{EXPERTS, ExpertBlock, HALVED, MLP, Name, Sizes, Source, name};
use crate::{Attention, Axis, Description, Mlp, Origin, Role, Tensor, Value, rope};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "deepseek2",
    config: &[
        "DeepseekV3ForCausalLM",
        "DeepseekV2ForCausalLM",
        "Glm4MoeLiteForCausalLM",
        "KimiK25ForConditionalGeneration",
    ],
    describe: |source| describe_as(source, "deepseek2", None),
};

pub const SPARSE: Architecture = Architecture {
    gguf: "deepseek32",
    config: &["DeepseekV32ForCausalLM"],
    describe: |source| describe_as(source, "deepseek32", Some(RopeStyle::Halves)),
};

pub const GLM_SPARSE: Architecture = Architecture {
    gguf: "glm-dsa",
    config: &["GlmMoeDsaForCausalLM"],
    describe: |source| describe_as(source, "glm-dsa", Some(RopeStyle::Interleaved)),
};

/// Published files of it name [`ministral3`](super::ministral3)'s architecture, and say within that it is this one.
pub const MISTRAL4: Architecture = Architecture {
    gguf: "mistral4",
    config: &["Mistral4ForCausalLM"],
    describe: |source| describe_as(source, "mistral4", None),
};

pub const SHARED: [Name; 3] = [
    name("blk.{}.ffn_gate_shexp", "model.layers.{}.mlp.shared_experts.gate_proj"),
    name("blk.{}.ffn_up_shexp", "model.layers.{}.mlp.shared_experts.up_proj"),
    name("blk.{}.ffn_down_shexp", "model.layers.{}.mlp.shared_experts.down_proj"),
];

pub const CHOICE: Name = name("blk.{}.exp_probs_b.bias", "model.layers.{}.mlp.gate.e_score_correction_bias");

/// `index_style` is how an indexer's heads are rotated, in models that have one.
fn describe_as(
    source: &Source,
    architecture: &'static str,
    index_style: Option<RopeStyle>,
) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let sizes = source.latent_sizes()?;
    let dims = Dims::of(source)?;
    let stretched = source.stretched(dims.rope, rope::BASE)?;
    let scale = stretched.sharpness / ((dims.nope + dims.rope) as f32).sqrt();
    let style = style(source, "rope_interleave", RopeStyle::Interleaved)?;
    let mut ropes = vec![source.rope_source(stretched, style)];
    let index = index_style.map(|style| IndexSizes::of(source, style)).transpose()?;
    if let Some(index) = &index {
        let rope = ropes[0].clone();
        ropes.push(RopeSource { rope: Rope { style: index.style, ..rope.rope }, ..rope });
    }
    let growth = growth(source)?;

    // V2's and Mistral's default, and what GGUF files older than the key mean; that of all others.
    let is_softmax = match facts.origin() {
        Origin::Gguf => facts.architecture() != "glm-dsa",
        Origin::Config => architecture == "mistral4" || facts.architecture() == "DeepseekV2ForCausalLM",
    };
    let default = if is_softmax { Score::Softmax } else { Score::Sigmoid };
    let (count, used) = source.expert_counts("n_routed_experts")?;
    let block = ExpertBlock {
        router: name("blk.{}.ffn_gate_inp", "model.layers.{}.mlp.gate"),
        names: EXPERTS,
        count,
        width: facts.size(key("expert_feed_forward_length", "moe_intermediate_size"))?,
        routing: routing(source, count, used, default)?,
    };
    let shared = facts.count(key("expert_shared_count", "n_shared_experts"))?;
    let dense = facts.count(key("leading_dense_block_count", "first_k_dense_replace"))?;
    if facts.size_or(key("", "moe_layer_freq"), 1)? != 1 {
        let found = facts.size(key("", "moe_layer_freq"))?.to_string();
        return Err(DescribeError::Unsupported { what: "moe_layer_freq", found, supported: "1" });
    }
    source.decoder(architecture, &sizes, ropes, |layer| {
        let mlp = if layer < dense {
            Mlp::Gated(source.gated(MLP, layer, sizes.hidden, source.ffn()?))
        } else {
            let mut experts = source.halved_experts(&block, layer, sizes.hidden, HALVED);
            let bias = source.tensor(CHOICE, "", layer, [1, 1, count], Role::Replicated);
            experts.choice_bias = source.has(&bias.name).then_some(bias);
            if shared > 0 {
                experts.shared = Some(source.gated(SHARED, layer, sizes.hidden, block.width * shared));
            }
            Mlp::Experts(experts)
        };
        let mut attention = Latent { growth, ..attention(source, layer, &sizes, &dims, scale) };
        if let (Some(index), Some((down, _))) = (&index, &attention.q_down) {
            attention.indexer = Some(indexer(source, layer, sizes.hidden, down.weight.rows, index));
        }
        Ok(source.layer(layer, &sizes, Attention::Latent(attention), mlp))
    })
}

/// Whether pairs lie side by side: `usual` where the file does not say it.
fn style(source: &Source, name: &'static str, usual: RopeStyle) -> Result<RopeStyle, DescribeError> {
    Ok(match source.facts.flag(key("", name))? {
        Some(true) => RopeStyle::Interleaved,
        Some(false) => RopeStyle::Halves,
        None => usual,
    })
}

struct IndexSizes {
    style: RopeStyle,
    heads: usize,
    key_dim: usize,
    count: usize,
}

impl IndexSizes {
    fn of(source: &Source, style: RopeStyle) -> Result<IndexSizes, DescribeError> {
        // The queries of both are made of this narrow step.
        source.facts.size(key("attention.q_lora_rank", "q_lora_rank"))?;
        Ok(IndexSizes {
            style: self::style(source, "indexer_rope_interleave", style)?,
            heads: source.facts.size(key("attention.indexer.head_count", "index_n_heads"))?,
            key_dim: source.facts.size(key("attention.indexer.key_length", "index_head_dim"))?,
            count: source.facts.size(key("attention.indexer.top_k", "index_topk"))?,
        })
    }
}

fn indexer(source: &Source, layer: usize, hidden: usize, narrow: usize, sizes: &IndexSizes) -> Indexer {
    let &IndexSizes { heads, key_dim, count, .. } = sizes;
    let linear = |names, rows, cols| source.linear(names, layer, rows, cols, Role::Replicated);
    let norm = name("blk.{}.indexer.k_norm", "model.layers.{}.self_attn.indexer.k_norm");
    let norm_of = |suffix| source.tensor(norm, suffix, layer, [1, 1, key_dim], Role::Replicated);
    let q = name("blk.{}.indexer.attn_q_b", "model.layers.{}.self_attn.indexer.wq_b");
    let k = name("blk.{}.indexer.attn_k", "model.layers.{}.self_attn.indexer.wk");
    let weights = name("blk.{}.indexer.proj", "model.layers.{}.self_attn.indexer.weights_proj");
    Indexer {
        heads,
        key_dim,
        count,
        q: linear(q, heads * key_dim, narrow),
        k: linear(k, key_dim, hidden),
        k_norm: Linear { weight: norm_of(".weight"), bias: Some(norm_of(".bias")) },
        eps: 1e-6,
        weights: linear(weights, heads, hidden),
        rope: 1,
    }
}

pub struct Dims {
    pub nope: usize,
    pub rope: usize,
    latent: usize,
    pub value: usize,
    q_latent: Option<usize>,
}

impl Dims {
    /// GGUF says how long keys and values are as the cache would see them, and as the heads do; older files the latter only.
    pub fn of(source: &Source) -> Result<Dims, DescribeError> {
        let facts = source.facts;
        let rope = facts.size(key("rope.dimension_count", "qk_rope_head_dim"))?;
        let latent = facts.size(key("attention.kv_lora_rank", "kv_lora_rank"))?;
        let key_length = facts.size_opt(key("attention.key_length", ""))?;
        let key_length = facts.size_opt(key("attention.key_length_mla", ""))?.or(key_length);
        let value_length = facts.size_opt(key("attention.value_length", ""))?;
        let value_length = facts.size_opt(key("attention.value_length_mla", ""))?.or(value_length);
        let nope = match key_length {
            Some(whole) if whole > rope => whole - rope,
            Some(_) => facts.size(key("attention.key_length_mla", ""))?,
            None => facts.size(key("attention.key_length_mla", "qk_nope_head_dim"))?,
        };
        let value = match value_length {
            Some(value) => value,
            None => facts.size(key("attention.value_length_mla", "v_head_dim"))?,
        };
        let whole = |n: usize| Value::Int(n as i64);
        source.state("attention.head_count_kv", Value::Int(1));
        source.state("attention.key_length", whole(latent + rope));
        source.state("attention.value_length", whole(latent));
        source.state("attention.key_length_mla", whole(nope + rope));
        source.state("attention.value_length_mla", whole(value));
        let q_latent = facts.size_opt(key("attention.q_lora_rank", "q_lora_rank"))?;
        Ok(Dims { nope, rope, latent, value, q_latent })
    }
}

pub fn attention(source: &Source, layer: usize, sizes: &Sizes, dims: &Dims, scale: f32) -> Latent {
    let &Dims { nope, rope, latent, value, q_latent } = dims;
    let &Sizes { hidden, heads, eps, .. } = sizes;
    let of = Heads { count: heads, kv_count: heads };
    let by_head = Role::Column(Axis::Heads { of, dim: nope + rope });
    let q_down = q_latent.map(|len| {
        let down = name("blk.{}.attn_q_a", "model.layers.{}.self_attn.q_a_proj");
        let norm = name("blk.{}.attn_q_a_norm", "model.layers.{}.self_attn.q_a_layernorm");
        (source.linear(down, layer, len, hidden, Role::Replicated), source.norm(norm, layer, len, eps))
    });
    let (q, q_cols) = match q_latent {
        Some(len) => (name("blk.{}.attn_q_b", "model.layers.{}.self_attn.q_b_proj"), len),
        None => (name("blk.{}.attn_q", "model.layers.{}.self_attn.q_proj"), hidden),
    };
    let kv = name("blk.{}.attn_kv_a_mqa", "model.layers.{}.self_attn.kv_a_proj_with_mqa");
    let kv_norm = name("blk.{}.attn_kv_a_norm", "model.layers.{}.self_attn.kv_a_layernorm");
    // All heads' keys and values in one matrix, where the file does not hold them apart.
    let flat = name("blk.{}.attn_kv_b", "model.layers.{}.self_attn.kv_b_proj");
    let part = |names, [rows, cols]: [usize; 2], recipe: Recipe| {
        let apart = source.tensor(
            names,
            ".weight",
            layer,
            [heads, rows, cols],
            Role::Stack(Axis::Heads { of, dim: 1 }),
        );
        let is_flat = match source.facts.origin() {
            Origin::Gguf => source.has(&recipe.names[0]),
            Origin::Config => !source.has(&apart.name),
        };
        Tensor { recipe: is_flat.then_some(recipe), ..apart }
    };
    let rows = |first| source.head_rows(flat, layer, nope + value, first);
    Latent {
        heads,
        nope_dim: nope,
        rope_dim: rope,
        latent_dim: latent,
        value_dim: value,
        q_down,
        q: source.linear(q, layer, heads * (nope + rope), q_cols, by_head),
        kv: source.linear(kv, layer, latent + rope, hidden, Role::Replicated),
        kv_norm: source.norm(kv_norm, layer, latent, eps),
        key: part(
            name("blk.{}.attn_k_b", "model.layers.{}.self_attn.embed_q"),
            [latent, nope],
            Recipe { transposed: true, cols: Pick::ALL, ..rows(0) },
        ),
        value: part(
            name("blk.{}.attn_v_b", "model.layers.{}.self_attn.unembed_out"),
            [value, latent],
            rows(nope),
        ),
        gate: None,
        o: source.attention_output(layer, hidden, of, value),
        rope: 0,
        scale,
        growth: None,
        indexer: None,
    }
}

/// `default` is what a file means that does not say how scores become probabilities.
pub fn routing(
    source: &Source,
    experts: usize,
    used: usize,
    default: Score,
) -> Result<Routing, DescribeError> {
    /// `expert_gating_func` in GGUF.
    const SOFTMAX: usize = 1;
    const SIGMOID: usize = 2;
    let facts = source.facts;
    let unsupported = |what, found: String, supported| DescribeError::Unsupported { what, found, supported };
    let func = facts.count(key("expert_gating_func", ""))?;
    let func = match facts.text_opt(key("", "scoring_func"))?.as_deref() {
        Some("sigmoid") => SIGMOID,
        Some("softmax") => SOFTMAX,
        Some(other) => return Err(unsupported("scoring_func", other.to_owned(), "softmax, sigmoid")),
        None if func == 0 && default == Score::Sigmoid => SIGMOID,
        None if func == 0 => SOFTMAX,
        None => func,
    };
    source.state("expert_gating_func", Value::Int(func as i64));
    let is_mistral = matches!(
        facts.architecture(),
        "mistral4" | "Mistral4ForCausalLM" | "Mistral3ForConditionalGeneration"
    );
    let (score, best) = match func {
        SOFTMAX if is_mistral => (Score::Softmax, 2),
        SOFTMAX => (Score::Softmax, 1),
        SIGMOID => (Score::Sigmoid, 2),
        other => {
            return Err(unsupported("expert_gating_func", other.to_string(), "1 (softmax), 2 (sigmoid)"));
        }
    };
    let is_config = facts.origin() == Origin::Config;
    let normalise = facts.flag(key("expert_weights_norm", "norm_topk_prob"))?;
    let normalise = normalise.unwrap_or(is_config && default == Score::Sigmoid);
    source.state("expert_weights_norm", Value::Bool(normalise));
    let groups = match facts.text_opt(key("", "topk_method"))?.as_deref() {
        Some("greedy" | "gready") => None,
        None if is_config && default == Score::Softmax && !is_mistral => None,
        None | Some("group_limited_greedy" | "noaux_tc") => {
            let count = facts.size_or(key("expert_group_count", "n_group"), 1)?;
            let used = facts.size_or(key("expert_group_used_count", "topk_group"), 1)?;
            if !experts.is_multiple_of(count) || used > count {
                return Err(DescribeError::UnevenGroups { experts, groups: count, used });
            }
            (used < count).then_some(Groups { count, used, best: best.min(experts / count) })
        }
        Some(other) => {
            let supported = "greedy, group_limited_greedy, noaux_tc";
            return Err(unsupported("topk_method", other.to_owned(), supported));
        }
    };
    if groups.is_some_and(|groups| groups.used * (experts / groups.count) < used) {
        return Err(DescribeError::TooFewExperts { count: experts, used });
    }
    Ok(Routing {
        groups,
        normalise,
        scale: facts.number_or(key("expert_weights_scale", "routed_scaling_factor"), 1.0)?,
        ..Routing::of(used, score)
    })
}
