//! Llama 2 and 3.x, Mistral, SmolLM2 and the many that follow them; with experts, Mixtral (which GGUF files call llama too).

use tandem_tensor::{RopeStyle, Routing, Score, Window};

use super::{Architecture, DescribeError};
use crate::description::Grouped;
use crate::facts::key;
use crate::source::{BLOCK_SPARSE_EXPERTS, ExpertBlock, MLP, Source, name};
use crate::{Attention, Description, Mlp, Origin, Value, rope};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "llama",
    config: &["LlamaForCausalLM", "MistralForCausalLM", "MixtralForCausalLM"],
    describe,
};

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let sizes = source.sizes()?;
    let ffn = source.ffn()?;
    // GGUF files store these models' query and key rows permuted so that pairs lie side by side.
    let style = match facts.origin() {
        Origin::Gguf => RopeStyle::Interleaved,
        Origin::Config => RopeStyle::Halves,
    };
    let experts = match facts.count(key("expert_count", "num_local_experts"))? {
        0 => None,
        _ => Some(mixtral(source, ffn)?),
    };
    let is_mixtral = facts.origin() == Origin::Config && experts.is_some();
    let base = if is_mixtral { 1e6 } else { rope::BASE };
    let rope = source.rope_with_base(sizes.head_dim, style, base)?;
    let window = window(source)?;
    let kinds = facts.texts(key("", "layer_types"))?;
    source.decoder("llama", &sizes, vec![rope], |layer| {
        let mlp = match &experts {
            None => Mlp::Gated(source.gated(MLP, layer, sizes.hidden, ffn)),
            Some(block) => Mlp::Experts(source.experts(block, layer, sizes.hidden)),
        };
        let is_whole = kinds.get(layer).is_some_and(|kind| kind != "sliding_attention");
        let window = window.filter(|_| !is_whole).map(Window::Sliding);
        let attention = Grouped { window, ..source.attention(layer, &sizes) };
        Ok(source.layer(layer, &sizes, Attention::Grouped(attention), mlp))
    })
}

/// Llama's own files may name one that they do not use, unless they say which layers do.
fn window(source: &Source) -> Result<Option<usize>, DescribeError> {
    let facts = source.facts;
    let names = key("attention.sliding_window", "sliding_window");
    let is_unused =
        facts.architecture() == "LlamaForCausalLM" && facts.texts(key("", "layer_types"))?.is_empty();
    if is_unused && facts.value(names).is_some() {
        source.state(names.gguf, Value::Int(0));
        return Ok(None);
    }
    Ok(Some(facts.count(names)?).filter(|window| *window > 0))
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
