//! Qwen3 dense: Llama's shape with a norm on every query and key head. The text of Qwen3-VL: the same, without its picture tower.

use tandem_tensor::RopeStyle;

use super::qwen3_next::state_sections;
use super::{Architecture, DescribeError};
use crate::description::Grouped;
use crate::source::{MLP, Source};
use crate::{Attention, Description, Mlp};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "qwen3",
    config: &["Qwen3ForCausalLM"],
    describe: |source| describe_as(source, "qwen3"),
};

pub const VISION: Architecture = Architecture {
    gguf: "qwen3vl",
    config: &["Qwen3VLForConditionalGeneration"],
    describe: |source| {
        state_sections(source)?;
        describe_as(source, "qwen3vl")
    },
};

fn describe_as(source: &Source, architecture: &'static str) -> Result<Description, DescribeError> {
    let sizes = source.sizes()?;
    let ffn = source.ffn()?;
    let rope = source.rope(sizes.head_dim, RopeStyle::Halves)?;
    let windows = source.late_windows(sizes.layers)?;
    source.decoder(architecture, &sizes, vec![rope], |layer| {
        let attention = Grouped { window: windows[layer], ..source.normed_attention(layer, &sizes) };
        let mlp = Mlp::Gated(source.gated(MLP, layer, sizes.hidden, ffn));
        Ok(source.layer(layer, &sizes, Attention::Grouped(attention), mlp))
    })
}
