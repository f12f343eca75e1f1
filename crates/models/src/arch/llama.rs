//! Llama 2 and 3.x, Mistral, SmolLM2 and the many that follow them; with experts, Mixtral (which GGUF files call llama too).

use tandem_tensor::{RopeStyle, Routing, Score, Window};

use super::{Architecture, DescribeError};
use crate::description::Grouped;
use crate::facts::key;
use crate::source::{BLOCK_SPARSE_EXPERTS, ExpertBlock, MLP, Source, name};
use crate::{Attention, Description, Mlp, Origin};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "llama",
    config: &["LlamaForCausalLM", "MistralForCausalLM", "MixtralForCausalLM"],
    describe,
};

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let sizes = source.sizes()?;
    let ffn = source.ffn()?;
    // GGUF files store these models' query and key rows permuted so that pairs lie side by side.
    let style = match source.facts.origin() {
        Origin::Gguf => RopeStyle::Interleaved,
        Origin::Config => RopeStyle::Halves,
    };
    let rope = source.rope(sizes.head_dim, style)?;
    let window = source.facts.size_opt(key("attention.sliding_window", "sliding_window"))?;
    let experts = match source.facts.count(key("expert_count", "num_local_experts"))? {
        0 => None,
        _ => Some(mixtral(source, ffn)?),
    };
    source.decoder("llama", &sizes, vec![rope], |layer| {
        let mlp = match &experts {
            None => Mlp::Gated(source.gated(MLP, layer, sizes.hidden, ffn)),
            Some(block) => Mlp::Experts(source.experts(block, layer, sizes.hidden)),
        };
        let attention = Grouped { window: window.map(Window::Sliding), ..source.attention(layer, &sizes) };
        Ok(source.layer(layer, &sizes, Attention::Grouped(attention), mlp))
    })
}

fn mixtral(source: &Source, width: usize) -> Result<ExpertBlock, DescribeError> {
    let (count, used) = source.expert_counts("num_local_experts")?;
    Ok(ExpertBlock {
        router: name("blk.{}.ffn_gate_inp", "model.layers.{}.block_sparse_moe.gate"),
        names: BLOCK_SPARSE_EXPERTS,
        count,
        width,
        routing: Routing::of(used, Score::SoftmaxOfChosen),
    })
}
