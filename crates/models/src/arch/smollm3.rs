//! SmolLM3: Llama's shape, every fourth layer without rotation.

use tandem_tensor::RopeStyle;

use super::{Architecture, DescribeError};
use crate::description::Grouped;
use crate::facts::key;
use crate::source::{MLP, Source};
use crate::{Attention, Description, Mlp, Origin};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "smollm3", config: &["SmolLM3ForCausalLM"], describe };

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let sizes = source.sizes()?;
    let ffn = source.ffn()?;
    // GGUF files store query and key rows permuted, as Llama's do.
    let style = match source.facts.origin() {
        Origin::Gguf => RopeStyle::Interleaved,
        Origin::Config => RopeStyle::Halves,
    };
    let rope = source.rope(sizes.head_dim, style)?;
    source.no_windows()?;
    // One for layers that rotate, despite the name.
    let rotates = source.facts.counts(key("", "no_rope_layers"))?;
    let every = source.facts.size_or(key("", "no_rope_layer_interval"), 4)?;
    source.decoder("smollm3", &sizes, vec![rope], |layer| {
        let rotates = rotates.get(layer).map_or(!(layer + 1).is_multiple_of(every), |flag| *flag != 0);
        let attention = Grouped { rope: rotates.then_some(0), ..source.attention(layer, &sizes) };
        let mlp = Mlp::Gated(source.gated(MLP, layer, sizes.hidden, ffn));
        Ok(source.layer(layer, &sizes, Attention::Grouped(attention), mlp))
    })
}
