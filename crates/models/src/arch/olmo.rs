//! OLMo 2 and 3: norms only after the blocks and over all heads together; OLMo 3 has windows in three layers of four.

use tandem_tensor::{RopeStyle, Window};

use super::{Architecture, DescribeError};
use crate::description::Grouped;
use crate::facts::key;
use crate::source::{MLP, Source, name};
use crate::{Attention, Description, Layer, Mlp};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "olmo2", config: &["Olmo3ForCausalLM", "Olmo2ForCausalLM"], describe };

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let sizes = source.sizes()?;
    let ffn = source.ffn()?;
    let whole = source.rope(sizes.head_dim, RopeStyle::Halves)?;
    let theta = facts.number_or(key("rope.freq_base", "rope_theta"), 10_000.0)?;
    // Layers with a window are not stretched.
    let local = source.plain_rope(sizes.head_dim, theta, RopeStyle::Halves);
    let window = facts.size_opt(key("attention.sliding_window", "sliding_window"))?;
    let kinds = facts.texts(key("", "layer_types"))?;
    source.decoder("olmo2", &sizes, vec![whole, local], |layer| {
        let windowed = match kinds.get(layer).map(String::as_str) {
            Some("full_attention") => false,
            Some("sliding_attention") => true,
            Some(other) => {
                let (found, supported) = (other.to_owned(), "full_attention, sliding_attention");
                return Err(DescribeError::Unsupported { what: "layer type", found, supported });
            }
            None => !(layer + 1).is_multiple_of(4),
        };
        let window = window.filter(|_| windowed);
        let attention = Grouped {
            rope: Some(usize::from(window.is_some())),
            window: window.map(Window::Sliding),
            ..source.widely_normed_attention(layer, &sizes)
        };
        let norm = |gguf, config| Some(source.norm(name(gguf, config), layer, sizes.hidden, sizes.eps));
        Ok(Layer {
            attention_norm: None,
            attention: Attention::Grouped(attention),
            attention_post_norm: norm(
                "blk.{}.post_attention_norm",
                "model.layers.{}.post_attention_layernorm",
            ),
            mlp_norm: None,
            mlp: Mlp::Gated(source.gated(MLP, layer, sizes.hidden, ffn)),
            mlp_post_norm: norm("blk.{}.post_ffw_norm", "model.layers.{}.post_feedforward_layernorm"),
            input: None,
            scale: None,
            connections: None,
            blends: None,
        })
    })
}
