//! Gemma 3: norms before and after every block, five layers with a window and a rotation of their own to each without.

use tandem_tensor::{Activation, RopeStyle, Window};

use super::{Architecture, DescribeError, siglip};
use crate::description::{Gated, Grouped, Scales};
use crate::facts::key;
use crate::source::{MLP, Sizes, Source, name};
use crate::{Attention, Description, Layer, Mlp, Norm, Origin, Value, rope};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "gemma3",
    config: &["Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"],
    describe,
};

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    // Files that hold a picture tower too leave out what has these values.
    let heads = facts.size_or(key("attention.head_count", "num_attention_heads"), 8)?;
    let kv_heads = facts.size_or(key("attention.head_count_kv", "num_key_value_heads"), 4)?;
    if !heads.is_multiple_of(kv_heads) {
        return Err(DescribeError::UnevenHeads { heads, kv_heads });
    }
    let sizes = Sizes {
        hidden: facts.size(key("embedding_length", "hidden_size"))?,
        layers: source.layers()?,
        heads,
        kv_heads,
        head_dim: facts.size_or(key("attention.key_length", "head_dim"), 256)?,
        eps: facts.number_or(key("attention.layer_norm_rms_epsilon", "rms_norm_eps"), 1e-6)?,
    };
    let ffn = source.ffn()?;
    let whole = source.rope_with_base(sizes.head_dim, RopeStyle::Halves, 1e6)?;
    // Newer files say it with all else about rotation.
    let local = match facts.number_opt(key("rope.local_freq_base", "rope_local_base_freq"))? {
        Some(local) => local,
        None => facts.number_or(key("", "rope_parameters.sliding_attention.rope_theta"), rope::BASE)?,
    };
    source.state("rope.local_freq_base", Value::Float(local.into()));
    let local = source.plain_rope(sizes.head_dim, local, RopeStyle::Halves);
    let window = facts.size_or(key("attention.sliding_window", "sliding_window"), 1024)?;
    let every = facts.size_or(key("attention.sliding_window_pattern", "sliding_window_pattern"), 6)?;
    let kinds = facts.texts(key("", "layer_types"))?;
    // GGUF files do not say it; of the published models only the 27B has another.
    let scalar = match (facts.origin(), sizes.layers) {
        (Origin::Config, _) => 256.0,
        (Origin::Gguf, 62) => (sizes.hidden / sizes.heads) as f32,
        (Origin::Gguf, _) => sizes.head_dim as f32,
    };
    if let Some(cap) = facts.number_opt(key("", "attn_logit_softcapping"))? {
        let (what, found) = ("attn_logit_softcapping", cap.to_string());
        return Err(DescribeError::Unsupported { what, found, supported: "none" });
    }
    let logits_cap = facts.number_opt(key("final_logit_softcapping", "final_logit_softcapping"))?;
    let logits_cap = logits_cap.filter(|cap| *cap > 0.0);
    let scale = 1.0 / facts.number_or(key("", "query_pre_attn_scalar"), scalar)?.sqrt();
    let model = source.decoder("gemma3", &sizes, vec![whole, local], |layer| {
        let windowed = match kinds.get(layer) {
            Some(kind) => kind == "sliding_attention",
            None => !(layer + 1).is_multiple_of(every),
        };
        let attention = source.normed_attention(layer, &sizes);
        let attention = Grouped {
            q_norm: attention.q_norm.map(|norm| source.centred(norm)),
            k_norm: attention.k_norm.map(|norm| source.centred(norm)),
            rope: Some(usize::from(windowed)),
            window: windowed.then_some(Window::Sliding(window)),
            scale,
            ..attention
        };
        let mlp = Mlp::Gated(gated(source, layer, sizes.hidden, ffn));
        Ok(sandwiched(source, layer, &sizes, attention, mlp, |norm| source.centred(norm)))
    })?;
    let final_norm = source.centred(model.final_norm);
    // Trained with the square root rounded to bfloat16.
    let embedding = (sizes.hidden as f32).sqrt();
    let embedding = f32::from_bits((embedding.to_bits() + 0x8000) & 0xffff_0000);
    let tower = siglip::tower(source, sizes.hidden)?;
    Ok(Description { final_norm, scales: Scales { embedding, logits_cap, ..Scales::NONE }, tower, ..model })
}

/// A feed-forward block of Gemma's.
pub(super) fn gated(source: &Source, layer: usize, hidden: usize, width: usize) -> Gated {
    Gated { act: Activation::Gelu, ..source.gated(MLP, layer, hidden, width) }
}

/// A layer with norms before and after both blocks.
pub(super) fn sandwiched(
    source: &Source,
    layer: usize,
    sizes: &Sizes,
    attention: Grouped,
    mlp: Mlp,
    norm: impl Fn(Norm) -> Norm,
) -> Layer {
    let norm = |names| Some(norm(source.norm(names, layer, sizes.hidden, sizes.eps)));
    Layer {
        attention_norm: norm(name("blk.{}.attn_norm", "model.layers.{}.input_layernorm")),
        attention: Attention::Grouped(attention),
        attention_post_norm: norm(name(
            "blk.{}.post_attention_norm",
            "model.layers.{}.post_attention_layernorm",
        )),
        mlp_norm: norm(name("blk.{}.ffn_norm", "model.layers.{}.pre_feedforward_layernorm")),
        mlp,
        mlp_post_norm: norm(name("blk.{}.post_ffw_norm", "model.layers.{}.post_feedforward_layernorm")),
        input: None,
        scale: None,
        connections: None,
        blends: None,
    }
}
