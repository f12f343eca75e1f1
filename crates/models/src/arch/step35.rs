//! Step-3.5-Flash: windows in three layers of four, with more heads there; every head's result is gated; limited activations in
//! the last layers; corrected choice of experts beside a shared one.

use tandem_tensor::{Activation, Pick, Recipe, RopeStyle, Routing, Score, Window};

use super::{Architecture, DescribeError};
use crate::description::Grouped;
use crate::facts::key;
use crate::rope::{self, Stretched};
use crate::source::{EXPERTS, ExpertBlock, MLP, Name, Sizes, Source, StackName, name, stack};
use crate::{Attention, Axis, Description, Layer, Mlp, Norm, Origin, Role, Value};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "step35", config: &["Step3p5ForCausalLM"], describe };

const PUBLISHED_EXPERTS: [StackName; 3] = [
    stack(
        "blk.{}.ffn_gate_exps",
        "model.layers.{}.moe.gate_proj",
        "model.layers.{}.moe.experts.{e}.gate_proj",
    ),
    stack("blk.{}.ffn_up_exps", "model.layers.{}.moe.up_proj", "model.layers.{}.moe.experts.{e}.up_proj"),
    stack(
        "blk.{}.ffn_down_exps",
        "model.layers.{}.moe.down_proj",
        "model.layers.{}.moe.experts.{e}.down_proj",
    ),
];

const PUBLISHED_SHARED: [Name; 3] = [
    name("blk.{}.ffn_gate_shexp", "model.layers.{}.share_expert.gate_proj"),
    name("blk.{}.ffn_up_shexp", "model.layers.{}.share_expert.up_proj"),
    name("blk.{}.ffn_down_shexp", "model.layers.{}.share_expert.down_proj"),
];

/// As mlx-lm names them.
const CONVERTED_SHARED: [Name; 3] = [
    name("blk.{}.ffn_gate_shexp", "model.layers.{}.mlp.share_expert.gate_proj"),
    name("blk.{}.ffn_up_shexp", "model.layers.{}.mlp.share_expert.up_proj"),
    name("blk.{}.ffn_down_shexp", "model.layers.{}.mlp.share_expert.down_proj"),
];

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let layers = source.layers()?;
    let windowed = source.windowed(layers, |layer| layer.is_multiple_of(2))?;
    let window = facts.size(key("attention.sliding_window", "sliding_window"))?;
    // Those of layers without a window, and of those with one.
    let [whole, local] = sizes(source, layers, &windowed)?;
    let ropes = ropes(source, whole.head_dim, &windowed)?;
    let experts: Vec<bool> = match facts.text_opt(key("", "moe_layers_enum"))? {
        Some(listed) => {
            let listed: Vec<usize> =
                listed.split(',').filter_map(|layer| layer.trim().parse().ok()).collect();
            (0..layers).map(|layer| listed.contains(&layer)).collect()
        }
        None if facts.origin() == Origin::Gguf => {
            (0..layers).map(|layer| source.has(&format!("blk.{layer}.ffn_gate_inp.weight"))).collect()
        }
        None => (0..layers).map(|layer| layer > 0).collect(),
    };
    let first = experts.iter().position(|experts| *experts).unwrap_or(layers);
    let converted = source.has(&format!("model.layers.{first}.mlp.switch_mlp.up_proj.weight"));
    let centred = |norm: Norm| if converted { norm } else { source.centred(norm) };
    let block = block(source, layers, converted)?;
    let choice = match converted {
        true => name("blk.{}.exp_probs_b.bias", "model.layers.{}.mlp.gate.router_bias"),
        false => name("blk.{}.exp_probs_b.bias", "model.layers.{}.moe.router_bias"),
    };
    let shared = facts.size(key("expert_shared_feed_forward_length", "share_expert_dim"))?;
    let gates = facts.flag(key("attention.head_wise_gate", "use_head_wise_attn_gate"))?.unwrap_or(true);
    let limits = facts.numbers(key("swiglu_clamp_exp", "swiglu_limits"))?;
    let shared_limits = facts.numbers(key("swiglu_clamp_shexp", "swiglu_limits_shared"))?;
    let act = |limits: &[f32], layer: usize| match limits.get(layer) {
        Some(&limit) if limit > 0.0 => Activation::LimitedSilu(limit),
        _ => Activation::Silu,
    };
    let model = source.decoder("step35", &whole, ropes, |layer| {
        let sizes = if windowed[layer] { &local } else { &whole };
        let mlp = if experts[layer] {
            let mut experts = source.experts(&block, layer, sizes.hidden);
            experts.act = act(&limits, layer);
            experts.choice_bias =
                Some(source.tensor(choice, "", layer, [1, 1, block.count], Role::Replicated));
            let names = if converted { CONVERTED_SHARED } else { PUBLISHED_SHARED };
            let mut gated = source.gated(names, layer, sizes.hidden, shared);
            gated.act = act(&shared_limits, layer);
            experts.shared = Some(gated);
            Mlp::Experts(experts)
        } else {
            let mut gated = source.gated(MLP, layer, sizes.hidden, source.ffn()?);
            gated.act = act(&shared_limits, layer);
            Mlp::Gated(gated)
        };
        let attention = source.normed_attention(layer, sizes);
        let gate = name("blk.{}.attn_gate", "model.layers.{}.self_attn.g_proj");
        let by_head = Role::Column(Axis::Heads { of: sizes.heads_of(), dim: 1 });
        let attention = Grouped {
            gate: gates.then(|| source.linear(gate, layer, sizes.heads, sizes.hidden, by_head)),
            q_norm: attention.q_norm.map(centred),
            k_norm: attention.k_norm.map(centred),
            rope: Some(usize::from(windowed[layer])),
            window: windowed[layer].then_some(Window::Sliding(window)),
            ..attention
        };
        let plain = source.layer(layer, sizes, Attention::Grouped(attention), mlp);
        Ok(Layer {
            attention_norm: plain.attention_norm.map(centred),
            mlp_norm: plain.mlp_norm.map(centred),
            ..plain
        })
    })?;
    Ok(Description { final_norm: centred(model.final_norm), ..model })
}

fn sizes(source: &Source, layers: usize, windowed: &[bool]) -> Result<[Sizes; 2], DescribeError> {
    let facts = source.facts;
    // GGUF says it for every layer.
    let count = |gguf, config: [&'static str; 2]| -> Result<[usize; 2], DescribeError> {
        let each = facts.counts_or_one(key(gguf, ""))?;
        let of = |kind: bool| {
            let layer = windowed.iter().position(|flag| *flag == kind).unwrap_or(0);
            each.get(layer).or(each.first()).copied().filter(|count| *count > 0)
        };
        let [whole, local] = config;
        let first = match of(false) {
            Some(count) => count,
            None => facts.size(key("", whole))?,
        };
        let second = match of(true) {
            Some(count) => count,
            None => facts.size_or(key("", local), first)?,
        };
        let list = windowed.iter().map(|flag| Value::Int(if *flag { second } else { first } as i64));
        source.state(gguf, Value::List(list.collect()));
        Ok([first, second])
    };
    let heads = count(
        "attention.head_count",
        ["num_attention_heads", "attention_other_setting.num_attention_heads"],
    )?;
    let kv_heads = count(
        "attention.head_count_kv",
        ["num_attention_groups", "attention_other_setting.num_attention_groups"],
    )?;
    let hidden = facts.size(key("embedding_length", "hidden_size"))?;
    let head_dim = facts.size(key("attention.key_length", "head_dim"))?;
    let eps = facts.number_or(key("attention.layer_norm_rms_epsilon", "rms_norm_eps"), 1e-5)?;
    let of = |at: usize| {
        let (heads, kv_heads) = (heads[at], kv_heads[at]);
        if !heads.is_multiple_of(kv_heads) {
            return Err(DescribeError::UnevenHeads { heads, kv_heads });
        }
        Ok(Sizes { hidden, layers, heads, kv_heads, head_dim, eps })
    };
    Ok([of(0)?, of(1)?])
}

/// The two kinds of layers turn other parts of a head, and by other angles; only those without a window are stretched.
fn ropes(
    source: &Source,
    head_dim: usize,
    windowed: &[bool],
) -> Result<Vec<crate::description::RopeSource>, DescribeError> {
    let facts = source.facts;
    let thetas = match facts.value(key("", "rope_theta")) {
        Some(Value::List(_)) => facts.numbers(key("", "rope_theta"))?,
        _ => vec![facts.number_or(key("rope.freq_base", "rope_theta"), 10_000.0)?],
    };
    let parts = facts.numbers(key("", "partial_rotary_factors"))?;
    let first = |kind: bool| windowed.iter().position(|flag| *flag == kind).unwrap_or(0);
    let theta = |kind| thetas.get(first(kind)).or(thetas.first()).copied().unwrap_or(10_000.0);
    let dims = |kind| {
        let part = parts.get(first(kind)).copied().unwrap_or(1.0);
        (head_dim as f32 * part.clamp(0.0, 1.0)) as usize
    };
    let local_theta = facts.number_or(key("rope.freq_base_swa", ""), theta(true))?;
    // GGUF says twice what layers without a window turn, and the others turn all of that.
    let (local_dims, dims) = match facts.size_opt(key("rope.dimension_count", ""))? {
        None if facts.origin() == Origin::Config => (dims(true), dims(false)),
        said => {
            let said = said.unwrap_or(head_dim);
            (facts.size_or(key("rope.dimension_count_swa", ""), said)?, said / 2)
        }
    };
    source.state("rope.freq_base", Value::Float(theta(false).into()));
    source.state("rope.freq_base_swa", Value::Float(local_theta.into()));
    source.state("rope.dimension_count", Value::Int(2 * dims as i64));
    source.state("rope.dimension_count_swa", Value::Int(local_dims as i64));
    // Which kinds are stretched: all that are named, or all. GGUF files mean those without a window.
    let named = facts.texts(key("", "yarn_only_types"))?;
    let stretched = |kind: &str, dims, theta| match named.is_empty() || named.iter().any(|name| name == kind)
    {
        true => rope::stretched_from(facts, dims, theta),
        false => Ok(Stretched::by(rope::plain(dims, theta))),
    };
    let whole = stretched("full_attention", dims, theta(false))?;
    let mut whole = source.rope_source(whole, RopeStyle::Halves);
    // GGUF has a factor for each pair of whichever layers turn more.
    if let Some(factors) = whole.factors.as_mut().filter(|_| facts.origin() == Origin::Gguf) {
        let cols = Pick::runs(0, factors.cols, local_dims.max(dims) / 2);
        factors.recipe = Some(Recipe { cols, ..Recipe::stack(vec![factors.name.clone()]) });
    }
    let local = match facts.origin() {
        Origin::Gguf => source.plain_rope(local_dims, local_theta, RopeStyle::Halves),
        Origin::Config => {
            source.rope_source(stretched("sliding_attention", local_dims, local_theta)?, RopeStyle::Halves)
        }
    };
    Ok(vec![whole, local])
}

fn block(source: &Source, layers: usize, converted: bool) -> Result<ExpertBlock, DescribeError> {
    let facts = source.facts;
    let count = facts.size_up_to(key("expert_count", "moe_num_experts"), (1 << 18) / layers)?;
    let used = facts.size(key("expert_used_count", "moe_top_k"))?;
    if used > count {
        return Err(DescribeError::TooFewExperts { count, used });
    }
    let usual = if facts.origin() == Origin::Config { 3.0 } else { 1.0 };
    let scale = facts.number_or(key("expert_weights_scale", "moe_router_scaling_factor"), usual)?;
    source.state("expert_weights_scale", Value::Float(scale.into()));
    Ok(ExpertBlock {
        router: match converted {
            true => name("blk.{}.ffn_gate_inp", "model.layers.{}.mlp.gate.gate"),
            false => name("blk.{}.ffn_gate_inp", "model.layers.{}.moe.gate"),
        },
        names: if converted { EXPERTS } else { PUBLISHED_EXPERTS },
        count,
        width: facts.size(key("expert_feed_forward_length", "moe_intermediate_size"))?,
        routing: Routing {
            normalise: facts.flag(key("expert_weights_norm", "norm_expert_weight"))?.unwrap_or(true),
            scale,
            ..Routing::of(used, Score::Sigmoid)
        },
    })
}
