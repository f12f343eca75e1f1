//! Gemma 4, dense: as Gemma 3, with wider heads in the layers without a window, whose values are their keys; values are normed, and
//! every layer's result is scaled.

use tandem_tensor::{Activation, Rope, RopeStyle, Window};

use super::{Architecture, DescribeError};
use crate::description::{Grouped, RopeSource, Scales};
use crate::facts::key;
use crate::rope;
use crate::source::{MLP, Sizes, Source, name};
use crate::{Attention, Description, Layer, Mlp, Role};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "gemma4",
    config: &["Gemma4ForCausalLM", "Gemma4ForConditionalGeneration"],
    describe,
};

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    refuse_others(source)?;
    let layers = source.layers()?;
    let windowed = source.windowed(layers, |layer| !(layer + 1).is_multiple_of(6))?;
    let window = facts.size(key("attention.sliding_window", "sliding_window"))?;
    let shares_values = facts.flag(key("attention.k_eq_v", "attention_k_eq_v"))?.unwrap_or(false);
    let local = Sizes {
        hidden: facts.size(key("embedding_length", "hidden_size"))?,
        layers,
        heads: facts.size(key("attention.head_count", "num_attention_heads"))?,
        kv_heads: facts.size(key("attention.head_count_kv", "num_key_value_heads"))?,
        head_dim: facts.size(key("attention.key_length_swa", "head_dim"))?,
        eps: facts.number_or(key("attention.layer_norm_rms_epsilon", "rms_norm_eps"), 1e-6)?,
    };
    let kv_heads = key("attention.head_count_kv_global", "num_global_key_value_heads");
    let kv_heads = facts.size_opt(kv_heads)?.filter(|_| shares_values).unwrap_or(local.kv_heads);
    let head_dim = facts.size_or(key("attention.key_length", "global_head_dim"), local.head_dim)?;
    let whole = Sizes { kv_heads, head_dim, ..local };
    for Sizes { heads, kv_heads, .. } in [&local, &whole] {
        if !heads.is_multiple_of(*kv_heads) {
            return Err(DescribeError::UnevenHeads { heads: *heads, kv_heads: *kv_heads });
        }
    }
    let theta = key("rope.freq_base", "rope_parameters.full_attention.rope_theta");
    let local_theta = key("rope.freq_base_swa", "rope_parameters.sliding_attention.rope_theta");
    let part = key("rope.partial", "rope_parameters.full_attention.partial_rotary_factor");
    let part = facts.number_or(part, 0.25)?;
    let ropes = vec![
        partial(head_dim, facts.number_or(theta, 1e6)?, part),
        source.plain_rope(local.head_dim, facts.number_or(local_theta, 1e4)?, RopeStyle::Halves),
    ];
    let ffn = source.ffn()?;
    let model = source.decoder("gemma4", &whole, ropes, |layer| {
        let sizes = if windowed[layer] { &local } else { &whole };
        let attention = source.normed_attention(layer, sizes);
        let v = if shares_values && !windowed[layer] { attention.k.clone() } else { attention.v };
        let attention = Grouped {
            v,
            v_norm: Some(source.bare_norm(layer, sizes.head_dim, sizes)),
            rope: Some(usize::from(windowed[layer])),
            window: windowed[layer].then_some(Window::Sliding(window)),
            scale: 1.0,
            ..attention
        };
        let mut mlp = source.gated(MLP, layer, sizes.hidden, ffn);
        mlp.act = Activation::Gelu;
        let norm = |gguf, config| Some(source.norm(name(gguf, config), layer, sizes.hidden, sizes.eps));
        let scale = name("blk.{}.layer_output_scale.weight", "model.layers.{}.layer_scalar");
        Ok(Layer {
            attention_norm: norm("blk.{}.attn_norm", "model.layers.{}.input_layernorm"),
            attention: Attention::Grouped(attention),
            attention_post_norm: norm(
                "blk.{}.post_attention_norm",
                "model.layers.{}.post_attention_layernorm",
            ),
            mlp_norm: norm("blk.{}.ffn_norm", "model.layers.{}.pre_feedforward_layernorm"),
            mlp: Mlp::Gated(mlp),
            mlp_post_norm: norm("blk.{}.post_ffw_norm", "model.layers.{}.post_feedforward_layernorm"),
            scale: Some(source.tensor(scale, "", layer, [1, 1, 1], Role::Replicated)),
        })
    })?;
    let cap = facts.number_opt(key("final_logit_softcapping", "final_logit_softcapping"))?;
    let embedding = (whole.hidden as f32).sqrt();
    let scales = Scales { embedding, logits_cap: cap.filter(|cap| *cap > 0.0), ..Scales::NONE };
    Ok(Description { scales, ..model })
}

/// What the smaller models and the mixture have besides.
fn refuse_others(source: &Source) -> Result<(), DescribeError> {
    let facts = source.facts;
    let experts = facts.flag(key("", "enable_moe_block"))?.unwrap_or(false);
    let refused = [
        ("hidden_size_per_layer_input", facts.count(key("", "hidden_size_per_layer_input"))?),
        ("num_kv_shared_layers", facts.count(key("", "num_kv_shared_layers"))?),
        ("enable_moe_block", experts.into()),
    ];
    match refused.into_iter().find(|(_, found)| *found > 0) {
        Some((what, found)) => {
            let (found, supported) = (found.to_string(), "0: of Gemma 4, the dense models without it");
            Err(DescribeError::Unsupported { what, found, supported })
        }
        None => Ok(()),
    }
}

/// Pairs lie half a head apart though only the first are turned.
fn partial(head_dim: usize, theta: f32, part: f32) -> RopeSource {
    let mut inv_freq = rope::plain(head_dim, theta);
    let turned = (head_dim as f32 * part.clamp(0.0, 1.0)) as usize / 2;
    inv_freq.iter_mut().skip(turned).for_each(|frequency| *frequency = 0.0);
    let rope = Rope { style: RopeStyle::Halves, inv_freq, factors: None, magnitude: 1.0 };
    RopeSource { rope, factors: None }
}
