//! Ministral 3: Mistral's shape, stretched by YaRN, with queries that grow with their position.

use tandem_tensor::{Growth, RopeStyle, Window};

use super::{Architecture, DescribeError, deepseek};
use crate::description::Grouped;
use crate::facts::key;
use crate::source::{MLP, Source};
use crate::{Attention, Description, Mlp, Origin, Value};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "mistral3",
    config: &["Ministral3ForCausalLM", "Mistral3ForConditionalGeneration"],
    describe,
};

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    // Beside a picture tower, the next generation's models have the name of this one.
    if facts.text_opt(key("", "text_config.model_type"))?.as_deref() == Some("mistral4") {
        return (deepseek::MISTRAL4.describe)(source);
    }
    let sizes = source.sizes()?;
    let ffn = source.ffn()?;
    // GGUF files store query and key rows permuted, as Llama's do.
    let style = match facts.origin() {
        Origin::Gguf => RopeStyle::Interleaved,
        Origin::Config => RopeStyle::Halves,
    };
    let rope = source.rope(sizes.head_dim, style)?;
    // Other families' GGUF files hold a tenth of it.
    if let Some(all) = facts.number_opt(key("", "rope_scaling.mscale_all_dim"))? {
        source.state("rope.scaling.yarn_log_multiplier", Value::Float(all.into()));
    }
    let growth = growth(source)?;
    let window = facts.size_opt(key("attention.sliding_window", "sliding_window"))?;
    let kinds = facts.texts(key("", "layer_types"))?;
    source.decoder("mistral3", &sizes, vec![rope], |layer| {
        let windowed = kinds.get(layer).is_some_and(|kind| kind == "sliding_attention");
        let window = window.filter(|_| windowed).map(Window::Sliding);
        let attention = Grouped { growth, window, ..source.attention(layer, &sizes) };
        let mlp = Mlp::Gated(source.gated(MLP, layer, sizes.hidden, ffn));
        Ok(source.layer(layer, &sizes, Attention::Grouped(attention), mlp))
    })
}

/// How queries grow with their position, where a file says that they do.
pub fn growth(source: &Source) -> Result<Option<Growth>, DescribeError> {
    let facts = source.facts;
    // Mistral Small 3, in files that hold a picture tower too, has none.
    let rate =
        facts.number_or(key("attention.temperature_scale", "rope_scaling.llama_4_scaling_beta"), 0.0)?;
    if rate <= 0.0 {
        return Ok(None);
    }
    let original =
        key("rope.scaling.original_context_length", "rope_scaling.original_max_position_embeddings");
    let every = match facts.size_opt(key("attention.temperature_length", ""))? {
        Some(every) => every,
        None => facts.size(original)?,
    };
    // Readers of latent attention's files want it apart.
    source.state("attention.temperature_length", Value::Int(every as i64));
    Ok(Some(Growth { rate, every: every as f32, ahead: 0.0 }))
}
