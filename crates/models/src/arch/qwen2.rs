//! Qwen2 and Qwen2.5: Llama's shape with biases on queries, keys and values.

use tandem_tensor::RopeStyle;

use super::{Architecture, DescribeError};
use crate::description::Grouped;
use crate::source::{MLP, Source};
use crate::{Attention, Description, Mlp, Origin, rope};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "qwen2", config: &["Qwen2ForCausalLM"], describe };

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let sizes = source.sizes()?;
    let ffn = source.ffn()?;
    let base = if source.facts.origin() == Origin::Config { 1e6 } else { rope::BASE };
    let rope = source.rope_with_base(sizes.head_dim, RopeStyle::Halves, base)?;
    let windows = source.late_windows(sizes.layers)?;
    source.decoder("qwen2", &sizes, vec![rope], |layer| {
        let attention = Grouped { window: windows[layer], ..source.attention(layer, &sizes) };
        let mlp = source.gated(MLP, layer, sizes.hidden, ffn);
        Ok(source.layer(layer, &sizes, Attention::Grouped(attention), Mlp::Gated(mlp)))
    })
}
