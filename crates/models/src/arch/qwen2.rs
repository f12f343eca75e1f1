//! Qwen2 and Qwen2.5: Llama's shape with biases on queries, keys and values.

use tandem_tensor::{RopeStyle, Window};

use super::{Architecture, DescribeError};
use crate::description::Grouped;
use crate::facts::key;
use crate::source::{MLP, Source};
use crate::{Attention, Description, Mlp};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "qwen2", config: &["Qwen2ForCausalLM"], describe };

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let sizes = source.sizes()?;
    let ffn = source.ffn()?;
    let rope = source.rope(sizes.head_dim, RopeStyle::Halves)?;
    let windowed = source.facts.flag(key("", "use_sliding_window"))?.unwrap_or(false);
    let window = if windowed { source.facts.size_opt(key("", "sliding_window"))? } else { None };
    let first_windowed = source.facts.count(key("", "max_window_layers"))?;
    source.decoder("qwen2", &sizes, vec![rope], |layer| {
        let window = window.filter(|_| layer >= first_windowed).map(Window::Sliding);
        let attention = Grouped { window, ..source.attention(layer, &sizes) };
        let mlp = source.gated(MLP, layer, sizes.hidden, ffn);
        Ok(source.layer(layer, &sizes, Attention::Grouped(attention), Mlp::Gated(mlp)))
    })
}
