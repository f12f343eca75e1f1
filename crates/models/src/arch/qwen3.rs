//! Qwen3 dense: Llama's shape with a norm on every query and key head.

use tandem_tensor::RopeStyle;

use super::{Architecture, DescribeError};
use crate::source::{MLP, Source};
use crate::{Attention, Description, Mlp};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "qwen3", config: &["Qwen3ForCausalLM"], describe };

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let sizes = source.sizes()?;
    let ffn = source.ffn()?;
    let rope = source.rope(sizes.head_dim, RopeStyle::Halves)?;
    source.decoder("qwen3", &sizes, vec![rope], |layer| {
        let attention = Attention::Grouped(source.normed_attention(layer, &sizes));
        let mlp = Mlp::Gated(source.gated(MLP, layer, sizes.hidden, ffn));
        Ok(source.layer(layer, &sizes, attention, mlp))
    })
}
