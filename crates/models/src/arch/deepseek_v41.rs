//! DeepSeek V4.1: several streams mixed by hyper-connections; attention over a window and over rows that are pooled of a few tokens each
//! and chosen by an indexer; what is pooled and chosen in one layer serves those after it. Many small experts in every layer.
//!
//! llama.cpp does not know it: names in GGUF files are those it has for V4, and our own beside them.

use tandem_tensor::{Activation, Connect, Recipe, RopeStyle, Routing, Score};

use super::{Architecture, DescribeError};
use crate::description::{
    Chooser, ChosenBlocks, Connection, Heads, Pool, Pooled, PooledReads, RopeSource, Streams,
};
use crate::facts::key;
use crate::rope::stretched_from;
use crate::source::{ExpertBlock, Name, Sizes, Source, StackName, name, stack};
use crate::{Attention, Axis, Description, Layer, Linear, Mlp, Role, Tensor, Value};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "deepseek41",
    config: &["DeepseekV41ForCausalLM", "DeepseekV41ForConditionalGeneration"],
    describe,
};

/// What kernels mix.
const STREAMS_MAX: usize = 8;

const EXPERTS: [StackName; 3] = [
    stack(
        "blk.{}.ffn_gate_exps",
        "model.layers.{}.mlp.experts.switch_mlp.gate_proj",
        "model.layers.{}.mlp.experts.{e}.gate_proj",
    ),
    stack(
        "blk.{}.ffn_up_exps",
        "model.layers.{}.mlp.experts.switch_mlp.up_proj",
        "model.layers.{}.mlp.experts.{e}.up_proj",
    ),
    stack(
        "blk.{}.ffn_down_exps",
        "model.layers.{}.mlp.experts.switch_mlp.down_proj",
        "model.layers.{}.mlp.experts.{e}.down_proj",
    ),
];

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let engrams = facts.counts(key("", "engram_layer_ids"))?;
    if !engrams.is_empty() {
        let found = format!("{engrams:?}");
        return Err(DescribeError::Unsupported { what: "engram_layer_ids", found, supported: "none" });
    }
    let sizes = Sizes {
        hidden: facts.size(key("embedding_length", "hidden_size"))?,
        layers: source.layers()?,
        heads: facts.size(key("attention.head_count", "num_attention_heads"))?,
        kv_heads: 1,
        head_dim: facts.size_or(key("attention.key_length", "head_dim"), 512)?,
        eps: facts.number_or(key("attention.layer_norm_rms_epsilon", "rms_norm_eps"), 1e-20)?,
    };
    let plan = Plan::of(source, sizes.layers)?;
    let dims = Dims::of(source, &sizes)?;
    let count = key("hyper_connection.count", "hc_mult");
    let streams = Streams {
        count: if facts.value(count).is_some() { facts.size_up_to(count, STREAMS_MAX)? } else { 4 },
        rounds: facts.size_or(key("hyper_connection.sinkhorn_iterations", "hc_sinkhorn_iters"), 20)?,
        eps: sizes.eps,
        floor: facts.number_or(key("hyper_connection.epsilon", "hc_eps"), 1e-6)?,
    };
    let (count, used) = source.expert_counts("n_routed_experts")?;
    let block = ExpertBlock {
        router: name("blk.{}.ffn_gate_inp", "model.layers.{}.mlp.gate"),
        names: EXPERTS,
        count,
        width: facts.size(key("expert_feed_forward_length", "moe_intermediate_size"))?,
        routing: routing(source, used)?,
    };
    let router_scale = 1.0 / facts.number_or(key("expert_gating_temperature", "gate_temp"), 1.0)?;
    let limit = facts.number_or(key("swiglu_clamp", "swiglu_limit"), 10.0)?;
    let act = if limit > 0.0 { Activation::ClampedSilu(limit) } else { Activation::Silu };
    let ropes = ropes(source, dims.rope)?;
    let mut model = source.decoder("deepseek41", &sizes, ropes, |layer| {
        let mut experts = source.experts(&block, layer, sizes.hidden);
        // What published files call the router's bias is for the choice alone.
        experts.router.bias = None;
        let bias = name("blk.{}.exp_probs_b.bias", "model.layers.{}.mlp.gate.e_score_correction_bias");
        experts.choice_bias = Some(source.tensor(bias, "", layer, [1, 1, count], Role::Replicated));
        experts.router_scale = router_scale;
        experts.act = act;
        let mut shared = source.gated(super::deepseek::SHARED, layer, sizes.hidden, block.width);
        shared.act = act;
        experts.shared = Some(shared);
        let attention = attention(source, layer, &sizes, &dims, &plan)?;
        let connections = ["attn", "ffn"].map(|of| connection(source, layer, of, sizes.hidden, &streams));
        let connections = Some(connections);
        Ok(Layer {
            connections,
            ..source.layer(layer, &sizes, Attention::Pooled(attention), Mlp::Experts(experts))
        })
    })?;
    model.streams = Some(streams);
    Ok(model)
}

/// Which layers pool, which choose, and where the runs of rows are chosen.
struct Plan {
    ratios: Vec<usize>,
    pools: Vec<usize>,
    chooses: Vec<usize>,
    blocks_of: Option<usize>,
}

impl Plan {
    fn of(source: &Source, layers: usize) -> Result<Plan, DescribeError> {
        let facts = source.facts;
        let mut ratios = facts.counts(key("attention.compress_ratios", "compress_ratios"))?;
        ratios.resize(layers, 0);
        if let Some(found) = ratios.iter().copied().find(|ratio| *ratio > 1 << 16) {
            return Err(DescribeError::TooMany { key: "compress_ratios".into(), found, most: 1 << 16 });
        }
        let pooling = |layers: Vec<usize>| -> Vec<usize> {
            layers.into_iter().filter(|layer| ratios.get(*layer).is_some_and(|ratio| *ratio > 0)).collect()
        };
        let pools = pooling(facts.counts(key("attention.kv_source_layers", "kv_source_layer_ids"))?);
        let chooses = pooling(facts.counts(key("attention.index_source_layers", "index_source_layer_ids"))?);
        let of = key("attention.indexer.candidate_source_layer", "candidate_source_layer_id");
        let blocks_of = match facts.value(of) {
            // None is said by a negative number.
            None | Some(Value::Int(..=-1)) => None,
            _ => Some(facts.count(of)?),
        };
        // GGUF's numbers have no sign: there it is a layer beyond the last.
        source.state(of.gguf, Value::Int(blocks_of.unwrap_or(layers) as i64));
        Ok(Plan { ratios, pools, chooses, blocks_of })
    }

    /// The last layer up to this one that does both, or one, of it.
    fn last(&self, layer: usize, is: impl Fn(usize) -> bool) -> Option<usize> {
        (0..=layer).rev().find(|layer| is(*layer))
    }

    /// What it reads must be made of as many tokens as its own.
    fn same(&self, layer: usize, of: usize) -> Result<usize, DescribeError> {
        let (found, expected) = (self.ratios[of], self.ratios[layer]);
        if found != expected {
            return Err(DescribeError::MixedRatios { layer, of, found, expected });
        }
        Ok(of)
    }
}

struct Dims {
    rope: usize,
    q_latent: usize,
    groups: usize,
    narrow: usize,
    window: usize,
    index_heads: usize,
    index_dim: usize,
    index_count: usize,
    block_len: usize,
    /// 0 where no runs are chosen.
    block_count: usize,
}

impl Dims {
    fn of(source: &Source, sizes: &Sizes) -> Result<Dims, DescribeError> {
        let facts = source.facts;
        let groups = facts.size_or(key("attention.output_group_count", "o_groups"), 8)?;
        if !sizes.heads.is_multiple_of(groups) {
            return Err(DescribeError::UnevenOutputs { heads: sizes.heads, groups });
        }
        source.state("attention.head_count_kv", Value::Int(1));
        let index_dim = facts.size_or(key("attention.indexer.key_length", "index_head_dim"), 128)?;
        let rope = facts.size_or(key("rope.dimension_count", "qk_rope_head_dim"), 64)?;
        let most = sizes.head_dim.min(index_dim);
        if rope > most {
            let key = key("rope.dimension_count", "qk_rope_head_dim").of(facts.origin()).to_owned();
            return Err(DescribeError::TooMany { key, found: rope, most });
        }
        let block_count = key("attention.indexer.candidate_blocks", "candidate_topk_blocks");
        Ok(Dims {
            rope,
            q_latent: facts.size(key("attention.q_lora_rank", "q_lora_rank"))?,
            groups,
            narrow: facts.size(key("attention.output_lora_rank", "o_lora_rank"))?,
            window: facts.size_or(key("attention.sliding_window", "sliding_window"), 128)?,
            index_heads: facts.size_or(key("attention.indexer.head_count", "index_n_heads"), 32)?,
            index_dim,
            index_count: facts.size_or(key("attention.indexer.top_k", "index_topk"), 512)?,
            block_len: facts
                .size_or(key("attention.indexer.candidate_block_length", "candidate_block_size"), 8)?,
            block_count: match facts.value(block_count) {
                None => 2048,
                _ => facts.count(block_count)?,
            },
        })
    }
}

/// Of layers that see only a window, and of those that read pooled rows, whose table is stretched.
fn ropes(source: &Source, dims: usize) -> Result<Vec<RopeSource>, DescribeError> {
    let facts = source.facts;
    let theta = facts.number_or(key("rope.freq_base", "rope_theta"), 10_000.0)?;
    let far = facts.number_or(key("attention.compress_rope_freq_base", "compress_rope_theta"), 160_000.0)?;
    // First, since it refuses absurd sizes.
    let mut stretched = stretched_from(facts, dims, far)?;
    let plain = source.plain_rope(dims, theta, RopeStyle::Interleaved);
    // Trained without what stretching does elsewhere to the magnitude.
    stretched.magnitude = 1.0;
    Ok(vec![plain, source.rope_source(stretched, RopeStyle::Interleaved)])
}

fn routing(source: &Source, used: usize) -> Result<Routing, DescribeError> {
    /// `expert_gating_func` in GGUF.
    const FUNCTIONS: [(i64, &str, Score); 3] = [
        (1, "softmax", Score::Softmax),
        (2, "sigmoid", Score::Sigmoid),
        (4, "sqrtsoftplus", Score::SqrtSoftplus),
    ];
    let facts = source.facts;
    let stated = facts.count(key("expert_gating_func", ""))? as i64;
    let named = facts.text_opt(key("", "scoring_func"))?;
    let named = match (&named, stated) {
        (Some(named), _) => named.as_str(),
        (None, 0) => "sqrtsoftplus",
        (None, stated) => FUNCTIONS.iter().find(|(own, ..)| *own == stated).map_or("", |(_, named, _)| named),
    };
    let Some((number, _, score)) = FUNCTIONS.into_iter().find(|(_, own, _)| *own == named) else {
        let found = if named.is_empty() { stated.to_string() } else { named.to_owned() };
        let supported = "softmax (1), sigmoid (2), sqrtsoftplus (4)";
        return Err(DescribeError::Unsupported { what: "scoring_func", found, supported });
    };
    source.state("expert_gating_func", Value::Int(number));
    let normalise = facts.flag(key("expert_weights_norm", "norm_topk_prob"))?.unwrap_or(true);
    Ok(Routing {
        // A single one keeps its own weight.
        normalise: normalise && used > 1,
        scale: facts.number_or(key("expert_weights_scale", "routed_scaling_factor"), 1.5)?,
        ..Routing::of(used, score)
    })
}

fn connection(source: &Source, layer: usize, of: &str, hidden: usize, streams: &Streams) -> Connection {
    let n = streams.count;
    let names: [Name; 3] = match of {
        "attn" => [
            name("blk.{}.hc_attn_fn.weight", "model.layers.{}.attn_hc.fn"),
            name("blk.{}.hc_attn_scale.weight", "model.layers.{}.attn_hc.scale"),
            name("blk.{}.hc_attn_base.weight", "model.layers.{}.attn_hc.base"),
        ],
        _ => [
            name("blk.{}.hc_ffn_fn.weight", "model.layers.{}.ffn_hc.fn"),
            name("blk.{}.hc_ffn_scale.weight", "model.layers.{}.ffn_hc.scale"),
            name("blk.{}.hc_ffn_base.weight", "model.layers.{}.ffn_hc.base"),
        ],
    };
    let tensor = |name, rows, cols| source.tensor(name, "", layer, [1, rows, cols], Role::Replicated);
    let width = Connect::width(n);
    Connection {
        mix: Linear { weight: tensor(names[0], width, n * hidden), bias: None },
        scale: tensor(names[1], 1, 3),
        base: tensor(names[2], 1, width),
    }
}

fn attention(
    source: &Source,
    layer: usize,
    sizes: &Sizes,
    dims: &Dims,
    plan: &Plan,
) -> Result<Pooled, DescribeError> {
    let &Sizes { hidden, heads, head_dim, eps, .. } = sizes;
    let &Dims { groups, narrow, q_latent, .. } = dims;
    let of = Heads { count: groups, kv_count: groups };
    let in_group = heads / groups;
    let whole = |names, rows, cols| source.linear(names, layer, rows, cols, Role::Replicated);
    let norm = |names, len| source.norm(names, layer, len, eps);
    let every = plan.ratios[layer];
    let pool = plan.pools.contains(&layer).then(|| Pool {
        kv: whole(
            name("blk.{}.attn_compressor_kv", "model.layers.{}.self_attn.compressor.kv_proj"),
            head_dim,
            hidden,
        ),
        gate: (every > 1).then(|| {
            let names = name("blk.{}.attn_compressor_gate", "model.layers.{}.self_attn.compressor.gate_proj");
            whole(names, head_dim, hidden)
        }),
        norm: norm(
            name("blk.{}.attn_compressor_norm", "model.layers.{}.self_attn.compressor.kv_norm"),
            head_dim,
        ),
    });
    let chooser =
        plan.chooses.contains(&layer).then(|| chooser(source, layer, sizes, dims, plan)).transpose()?;
    let pooled = plan.last(layer, |layer| plan.pools.contains(&layer)).filter(|_| every > 0);
    let choice = plan.last(layer, |layer| plan.chooses.contains(&layer)).filter(|_| every > 0);
    // A choice among no keys chooses nothing.
    let is_empty = |of: usize| keys_of(plan, of).is_none();
    let reads = match (pooled, choice) {
        (Some(rows_of), Some(choice_of)) if !is_empty(choice_of) => {
            Some(PooledReads { rows_of: plan.same(layer, rows_of)?, choice_of: plan.same(layer, choice_of)? })
        }
        _ => None,
    };
    let by_group = |dim| Role::Column(Axis::Heads { of, dim });
    Ok(Pooled {
        heads,
        head_dim,
        q_down: whole(name("blk.{}.attn_q_a", "model.layers.{}.self_attn.q_a_proj"), q_latent, hidden),
        q_norm: norm(name("blk.{}.attn_q_a_norm", "model.layers.{}.self_attn.q_a_norm"), q_latent),
        q: source.linear(
            name("blk.{}.attn_q_b", "model.layers.{}.self_attn.q_b_proj"),
            layer,
            heads * head_dim,
            q_latent,
            by_group(in_group * head_dim),
        ),
        kv: whole(name("blk.{}.attn_kv", "model.layers.{}.self_attn.kv_proj"), head_dim, hidden),
        kv_norm: norm(name("blk.{}.attn_kv_a_norm", "model.layers.{}.self_attn.kv_norm"), head_dim),
        sinks: source.tensor(
            name("blk.{}.attn_sinks.weight", "model.layers.{}.self_attn.sinks"),
            "",
            layer,
            [1, 1, heads],
            by_group(in_group),
        ),
        narrow: narrowed(source, layer, [groups, narrow, in_group * head_dim], of),
        o: source.linear(
            name("blk.{}.attn_output_b", "model.layers.{}.self_attn.o_b_proj"),
            layer,
            hidden,
            groups * narrow,
            Role::Row(Axis::Heads { of, dim: narrow }),
        ),
        window: dims.window,
        rope: usize::from(every > 0),
        scale: 1.0 / (head_dim as f32).sqrt(),
        every: every.max(1),
        pool,
        chooser: chooser.flatten(),
        reads,
    })
}

/// Published files hold the matrices of all groups in one.
fn narrowed(source: &Source, layer: usize, shape: [usize; 3], of: Heads) -> Tensor {
    let names = name("blk.{}.attn_output_a", "model.layers.{}.self_attn.o_a_proj");
    let role = Role::Stack(Axis::Heads { of, dim: 1 });
    let apart = source.tensor(names, ".weight", layer, shape, role);
    let is_flat = source.stored(&apart.name).is_some_and(|stored| stored.experts != shape[0]);
    let recipe = Recipe { rows_per_matrix: shape[1], ..Recipe::stack(vec![apart.name.clone()]) };
    Tensor { recipe: is_flat.then_some(recipe), ..apart }
}

/// The layer whose keys a choice in `layer` is among.
fn keys_of(plan: &Plan, layer: usize) -> Option<usize> {
    plan.last(layer, |layer| plan.pools.contains(&layer) && plan.chooses.contains(&layer))
}

/// None where there are no keys to choose by.
fn chooser(
    source: &Source,
    layer: usize,
    sizes: &Sizes,
    dims: &Dims,
    plan: &Plan,
) -> Result<Option<Chooser>, DescribeError> {
    let &Dims { index_heads: heads, index_dim: key_dim, index_count: count, q_latent, .. } = dims;
    let linear = |names, rows, cols| source.linear(names, layer, rows, cols, Role::Replicated);
    let Some(keys_of) = keys_of(plan, layer) else { return Ok(None) };
    let blocks_of = plan.blocks_of.filter(|of| *of <= layer && dims.block_count > 0);
    let blocks_of = blocks_of.filter(|of| plan.chooses.contains(of));
    let blocks = match blocks_of {
        None => None,
        Some(of) => {
            Some(ChosenBlocks { len: dims.block_len, count: dims.block_count, of: plan.same(layer, of)? })
        }
    };
    let keys = plan.pools.contains(&layer).then(|| {
        let k = name("blk.{}.indexer.attn_k", "model.layers.{}.self_attn.indexer.k_proj");
        let k_norm = name("blk.{}.indexer.k_norm", "model.layers.{}.self_attn.indexer.k_norm");
        (linear(k, key_dim, sizes.head_dim), source.norm(k_norm, layer, key_dim, sizes.eps))
    });
    let q = name("blk.{}.indexer.attn_q_b", "model.layers.{}.self_attn.indexer.q_b_proj");
    let weights = name("blk.{}.indexer.proj", "model.layers.{}.self_attn.indexer.weights_proj");
    Ok(Some(Chooser {
        heads,
        key_dim,
        count,
        q: linear(q, heads * key_dim, q_latent),
        weights: linear(weights, heads, sizes.hidden),
        keys,
        keys_of: plan.same(layer, keys_of)?,
        blocks,
    }))
}
