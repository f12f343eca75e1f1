//! Gemma 4: as Gemma 3, with wider heads in the layers without a window, whose values are their keys in some; values are normed, and every
//! layer's result is scaled. In the small models each layer gets values of its own for every token, and the last ones read the keys
//! and values of earlier ones; another has experts beside its dense blocks.

use tandem_tensor::{Activation, Rope, RopeStyle, Routing, Score, Window};

use super::gemma3::{gated, sandwiched};
use super::{Architecture, DescribeError};
use crate::description::{Both, Experts, Grouped, InputBlock, Inputs, RopeSource, Scales};
use crate::facts::key;
use crate::rope::{self, Stretched};
use crate::source::{ExpertBlock, Halved, Sizes, Source, StackName, name, stack};
use crate::{Axis, Description, Layer, Mlp, Norm, Origin, Role, Value};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "gemma4",
    config: &["Gemma4ForCausalLM", "Gemma4ForConditionalGeneration"],
    describe,
};

const EXPERTS: [StackName; 3] = [
    stack(
        "blk.{}.ffn_gate_exps",
        "model.layers.{}.experts.switch_glu.gate_proj",
        "model.layers.{}.experts.{e}.gate_proj",
    ),
    stack(
        "blk.{}.ffn_up_exps",
        "model.layers.{}.experts.switch_glu.up_proj",
        "model.layers.{}.experts.{e}.up_proj",
    ),
    stack(
        "blk.{}.ffn_down_exps",
        "model.layers.{}.experts.switch_glu.down_proj",
        "model.layers.{}.experts.{e}.down_proj",
    ),
];

const PUBLISHED: Halved = Halved {
    gate_up: name("blk.{}.ffn_gate_up_exps.weight", "model.layers.{}.experts.gate_up_proj"),
    down: name("", "model.layers.{}.experts.down_proj"),
    transposed: false,
};

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let layers = source.layers()?;
    let windowed = source.windowed(layers, |layer| !(layer + 1).is_multiple_of(6))?;
    let window = facts.size(key("attention.sliding_window", "sliding_window"))?;
    let sizes = sizes(source, &windowed)?;
    let shared = facts.count(key("attention.shared_kv_layers", "num_kv_shared_layers"))?;
    source.state("attention.shared_kv_layers", Value::Int(shared as i64));
    let shared_from = layers.saturating_sub(shared);
    // The last of its kind that has keys and values of its own.
    let kv_of = |layer: usize| {
        let alike = |of: &usize| windowed[*of] == windowed[layer];
        (0..shared_from).rev().find(alike).filter(|_| layer >= shared_from)
    };
    let widths = widths(source, layers, shared_from)?;
    let has_experts = match facts.origin() {
        Origin::Gguf => facts.count(key("expert_count", "num_experts"))? > 0,
        Origin::Config => facts.flag(key("", "enable_moe_block"))?.unwrap_or(false),
    };
    let experts = if has_experts { Some(expert_block(source)?) } else { None };
    source.state("expert_count", Value::Int(experts.as_ref().map_or(0, |block| block.count as i64)));
    let inputs = facts.count(key("embedding_length_per_layer_input", "hidden_size_per_layer_input"))?;
    source.state("embedding_length_per_layer_input", Value::Int(inputs as i64));
    let ropes = ropes(source, &sizes)?;
    let model = source.decoder("gemma4", &sizes[0], ropes, |layer| {
        let sizes = &sizes[layer];
        let attention = source.normed_attention(layer, sizes);
        let v =
            if shares_values(source, layer, windowed[layer])? { attention.k.clone() } else { attention.v };
        let attention = Grouped {
            v,
            v_norm: Some(source.bare_norm(layer, sizes.head_dim, sizes)),
            kv_of: kv_of(layer),
            rope: Some(usize::from(windowed[layer])),
            window: windowed[layer].then_some(Window::Sliding(window)),
            scale: 1.0,
            ..attention
        };
        let dense = gated(source, layer, sizes.hidden, widths[layer]);
        let mlp = match &experts {
            None => Mlp::Gated(dense),
            Some(block) => {
                let norm = |names| source.norm(names, layer, sizes.hidden, sizes.eps);
                Mlp::Both(Both {
                    dense,
                    dense_post_norm: norm(name(
                        "blk.{}.post_ffw_norm_1",
                        "model.layers.{}.post_feedforward_layernorm_1",
                    )),
                    router_norm: router_norm(source, layer, sizes),
                    experts_norm: norm(name(
                        "blk.{}.pre_ffw_norm_2",
                        "model.layers.{}.pre_feedforward_layernorm_2",
                    )),
                    experts: routed(source, block, layer, sizes.hidden),
                    experts_post_norm: norm(name(
                        "blk.{}.post_ffw_norm_2",
                        "model.layers.{}.post_feedforward_layernorm_2",
                    )),
                })
            }
        };
        let scale = name("blk.{}.layer_output_scale.weight", "model.layers.{}.layer_scalar");
        Ok(Layer {
            input: (inputs > 0).then(|| input_block(source, layer, sizes, inputs)),
            scale: Some(source.tensor(scale, "", layer, [1, 1, 1], Role::Replicated)),
            ..sandwiched(source, layer, sizes, attention, mlp, |norm| norm)
        })
    })?;
    let cap = facts.number_opt(key("final_logit_softcapping", "final_logit_softcapping"))?;
    let embedding = (model.hidden as f32).sqrt();
    let scales = Scales { embedding, logits_cap: cap.filter(|cap| *cap > 0.0), ..Scales::NONE };
    let inputs = (inputs > 0).then(|| layer_inputs(source, &model, &sizes[0], inputs));
    Ok(Description { scales, inputs, ..model })
}

/// Of every layer: those without a window may have wider heads, and fewer keys.
fn sizes(source: &Source, windowed: &[bool]) -> Result<Vec<Sizes>, DescribeError> {
    let facts = source.facts;
    let hidden = facts.size(key("embedding_length", "hidden_size"))?;
    let heads = facts.size(key("attention.head_count", "num_attention_heads"))?;
    let eps = facts.number_or(key("attention.layer_norm_rms_epsilon", "rms_norm_eps"), 1e-6)?;
    let local_dim = facts.size(key("attention.key_length_swa", "head_dim"))?;
    let head_dim = facts.size_or(key("attention.key_length", "global_head_dim"), local_dim)?;
    for (key, dim) in [
        ("attention.value_length", head_dim),
        ("attention.value_length_swa", local_dim),
        ("rope.dimension_count", head_dim),
        ("rope.dimension_count_swa", local_dim),
    ] {
        source.state(key, Value::Int(dim as i64));
    }
    // GGUF files say it for every layer where there are two.
    let stated = facts.counts_or_one(key("attention.head_count_kv", "num_key_value_heads"))?;
    let global = facts.size_opt(key("", "num_global_key_value_heads"))?;
    let global = global.filter(|_| facts.flag(key("", "attention_k_eq_v")).ok().flatten() == Some(true));
    let sizes = windowed.iter().enumerate().map(|(layer, is_windowed)| {
        let stated = stated.get(layer).or(stated.first()).copied().unwrap_or(heads);
        let kv_heads = global.filter(|_| !is_windowed).unwrap_or(stated);
        if kv_heads == 0 || !heads.is_multiple_of(kv_heads) {
            return Err(DescribeError::UnevenHeads { heads, kv_heads });
        }
        let head_dim = if *is_windowed { local_dim } else { head_dim };
        Ok(Sizes { hidden, layers: windowed.len(), heads, kv_heads, head_dim, eps })
    });
    let sizes: Vec<Sizes> = sizes.collect::<Result<_, _>>()?;
    let all = sizes.iter().map(|sizes| Value::Int(sizes.kv_heads as i64)).collect();
    source.state("attention.head_count_kv", Value::List(all));
    Ok(sizes)
}

/// Whether a layer's values are its keys.
fn shares_values(source: &Source, layer: usize, windowed: bool) -> Result<bool, DescribeError> {
    match source.facts.origin() {
        Origin::Gguf => Ok(!source.has(&format!("blk.{layer}.attn_v.weight"))),
        Origin::Config => Ok(!windowed && source.facts.flag(key("", "attention_k_eq_v"))?.unwrap_or(false)),
    }
}

/// Inner features of every layer's dense block: twice as many where keys and values are another layer's, in some models.
fn widths(source: &Source, layers: usize, shared_from: usize) -> Result<Vec<usize>, DescribeError> {
    let facts = source.facts;
    let names = key("feed_forward_length", "intermediate_size");
    let stated = match facts.value(names) {
        Some(Value::List(_)) => facts.counts(names)?,
        _ => vec![source.ffn()?; layers],
    };
    let doubled = facts.flag(key("", "use_double_wide_mlp"))?.unwrap_or(false) && shared_from > 0;
    let width = |(layer, width): (usize, usize)| match doubled && layer >= shared_from {
        true => 2 * width,
        false => width,
    };
    let widths: Vec<usize> = stated.into_iter().enumerate().map(width).collect();
    if let Some(found) = Some(widths.len()).filter(|found| *found != layers || widths.contains(&0)) {
        let key = "feed_forward_length".to_owned();
        let (found, expected) = (format!("{found} widths"), "a positive one for every layer");
        return Err(DescribeError::Wrong { key, found, expected });
    }
    if doubled {
        let all = widths.iter().map(|width| Value::Int(*width as i64)).collect();
        source.state("feed_forward_length", Value::List(all));
    }
    Ok(widths)
}

fn ropes(source: &Source, sizes: &[Sizes]) -> Result<Vec<RopeSource>, DescribeError> {
    let facts = source.facts;
    let theta = key("rope.freq_base", "rope_parameters.full_attention.rope_theta");
    let theta = facts.number_or(theta, 1e6)?;
    let local_theta = key("rope.freq_base_swa", "rope_parameters.sliding_attention.rope_theta");
    let local_theta = facts.number_or(local_theta, 1e4)?;
    let dims = || sizes.iter().map(|sizes| sizes.head_dim);
    let (wide, narrow) = (dims().max().unwrap_or(2), dims().min().unwrap_or(2));
    let whole = match facts.origin() {
        // Of pairs that are not turned, a tensor of divisors leaves next to nothing.
        Origin::Gguf => {
            let inv_freq = rope::plain(wide, theta);
            let plain = Stretched::by(inv_freq);
            source.rope_source(plain, RopeStyle::Halves)
        }
        Origin::Config => {
            check_rotation(source, "rope_parameters.full_attention.rope_type", "proportional")?;
            check_rotation(source, "rope_parameters.sliding_attention.rope_type", "default")?;
            let part = key("", "rope_parameters.full_attention.partial_rotary_factor");
            partial(wide, theta, facts.number_or(part, 0.25)?)
        }
    };
    Ok(vec![whole, source.plain_rope(narrow, local_theta, RopeStyle::Halves)])
}

fn check_rotation(source: &Source, what: &'static str, supported: &'static str) -> Result<(), DescribeError> {
    match source.facts.text_opt(key("", what))? {
        Some(found) if found != supported => Err(DescribeError::Unsupported { what, found, supported }),
        _ => Ok(()),
    }
}

/// Pairs lie half a head apart though only the first are turned.
fn partial(head_dim: usize, theta: f32, part: f32) -> RopeSource {
    let mut inv_freq = rope::plain(head_dim, theta);
    let turned = (head_dim as f32 * part.clamp(0.0, 1.0)) as usize / 2;
    inv_freq.iter_mut().skip(turned).for_each(|frequency| *frequency = 0.0);
    let rope = Rope { style: RopeStyle::Halves, inv_freq, factors: None, magnitude: 1.0, behind: 0 };
    RopeSource { rope, factors: None }
}

fn expert_block(source: &Source) -> Result<ExpertBlock, DescribeError> {
    let (count, used) = source.expert_counts_by("num_experts", "top_k_experts")?;
    Ok(ExpertBlock {
        router: name("blk.{}.ffn_gate_inp", "model.layers.{}.router.proj"),
        names: EXPERTS,
        count,
        width: source.facts.size(key("expert_feed_forward_length", "moe_intermediate_size"))?,
        routing: Routing::of(used, Score::SoftmaxOfChosen),
    })
}

fn routed(source: &Source, block: &ExpertBlock, layer: usize, hidden: usize) -> Experts {
    let scales = name("blk.{}.ffn_down_exps.scale", "model.layers.{}.router.per_expert_scale");
    Experts {
        act: Activation::Gelu,
        router_scale: 1.0 / (hidden as f32).sqrt(),
        scales: Some(source.tensor(scales, "", layer, [1, 1, block.count], Role::Replicated)),
        ..source.halved_experts(block, layer, hidden, PUBLISHED)
    }
}

fn router_norm(source: &Source, layer: usize, sizes: &Sizes) -> Norm {
    let scale = name("blk.{}.ffn_gate_inp.scale", "model.layers.{}.router.scale");
    let weight = source.tensor(scale, "", layer, [1, 1, sizes.hidden], Role::Replicated);
    Norm { weight, eps: sizes.eps }
}

fn input_block(source: &Source, layer: usize, sizes: &Sizes, dim: usize) -> InputBlock {
    let whole = Role::Replicated;
    let gate = name("blk.{}.inp_gate", "model.layers.{}.per_layer_input_gate");
    let out = name("blk.{}.proj", "model.layers.{}.per_layer_projection");
    let norm = name("blk.{}.post_norm", "model.layers.{}.post_per_layer_input_norm");
    InputBlock {
        gate: source.linear(gate, layer, dim, sizes.hidden, whole),
        out: source.linear(out, layer, sizes.hidden, dim, whole),
        norm: source.norm(norm, layer, sizes.hidden, sizes.eps),
    }
}

fn layer_inputs(source: &Source, model: &Description, sizes: &Sizes, dim: usize) -> Inputs {
    let width = sizes.layers * dim;
    let table = name("per_layer_token_embd", "model.embed_tokens_per_layer");
    let projection = name("per_layer_model_proj", "model.per_layer_model_projection");
    let norm = source.norm(name("per_layer_proj_norm", "model.per_layer_projection_norm"), 0, dim, sizes.eps);
    Inputs {
        dim,
        table: source.tensor(table, ".weight", 0, [1, model.vocab, width], Role::LayerTable { dim }),
        table_scale: (dim as f32).sqrt(),
        projection: source.linear(projection, 0, width, sizes.hidden, Role::Column(Axis::Layers { dim })),
        // The projection is to be divided by the root of the width, which the norm does not see but for this.
        norm: Norm { eps: norm.eps * sizes.hidden as f32, ..norm },
        scale: std::f32::consts::FRAC_1_SQRT_2,
    }
}
