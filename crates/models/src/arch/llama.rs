//! Llama 2 and 3.x, Mistral, SmolLM2 and the many that follow them.

use tandem_tensor::RopeStyle;

use super::{Architecture, DescribeError, Source};
use crate::facts::key;
use crate::{Attention, Description, Origin};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "llama", config: &["LlamaForCausalLM", "MistralForCausalLM"], describe };

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let sizes = source.sizes()?;
    // GGUF files store these models' query and key rows permuted so that pairs lie side by side.
    let style = match source.facts.origin() {
        Origin::Gguf => RopeStyle::Interleaved,
        Origin::Config => RopeStyle::Halves,
    };
    let rope = source.rope(sizes.head_dim, style)?;
    let window = source.window(key("attention.sliding_window", "sliding_window"))?;
    source.decoder("llama", &sizes, vec![rope], |layer| {
        let attention = Attention { window, ..source.attention(layer, &sizes) };
        source.layer(layer, &sizes, attention, source.gated_mlp(layer, &sizes))
    })
}
