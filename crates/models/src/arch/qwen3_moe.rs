//! Qwen3 with experts: Qwen3-30B-A3B, Qwen3-235B-A22B, Qwen3-Coder; the text of Qwen3-VL with experts.

use tandem_tensor::{RopeStyle, Routing, Score};

use super::qwen3_next::state_sections;
use super::{Architecture, DescribeError};
use crate::facts::key;
use crate::source::{EXPERTS, ExpertBlock, HALVED, Halved, MLP, Source, name};
use crate::{Attention, Description, Mlp, Origin};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "qwen3moe",
    config: &["Qwen3MoeForCausalLM"],
    describe: |source| describe_as(source, "qwen3moe"),
};

pub const VISION: Architecture = Architecture {
    gguf: "qwen3vlmoe",
    config: &["Qwen3VLMoeForConditionalGeneration"],
    describe: |source| {
        state_sections(source)?;
        describe_as(source, "qwen3vlmoe")
    },
};

fn describe_as(source: &Source, architecture: &'static str) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let sizes = source.sizes()?;
    let rope = source.rope(sizes.head_dim, RopeStyle::Halves)?;
    let (count, used) = source.expert_counts("num_experts")?;
    source.no_windows()?;
    // GGUF files do not say it: all published models of this kind normalise.
    let usual = facts.origin() == Origin::Gguf;
    let normalise = facts.flag(key("", "norm_topk_prob"))?.unwrap_or(usual);
    let block = ExpertBlock {
        router: name("blk.{}.ffn_gate_inp", "model.layers.{}.mlp.gate"),
        names: EXPERTS,
        count,
        width: facts.size(key("expert_feed_forward_length", "moe_intermediate_size"))?,
        routing: Routing { normalise, ..Routing::of(used, Score::Softmax) },
    };
    let every = facts.size_or(key("", "decoder_sparse_step"), 1)?;
    let dense = facts.counts(key("", "mlp_only_layers"))?;
    // Those of Qwen3-VL are published turned over.
    let transposed = architecture == "qwen3vlmoe" && facts.origin() == Origin::Config;
    let halved = Halved { transposed, ..HALVED };
    source.decoder(architecture, &sizes, vec![rope], |layer| {
        let mlp = if dense.contains(&layer) || !(layer + 1).is_multiple_of(every) {
            Mlp::Gated(source.gated(MLP, layer, sizes.hidden, source.ffn()?))
        } else {
            Mlp::Experts(source.halved_experts(&block, layer, sizes.hidden, halved))
        };
        let attention = Attention::Grouped(source.normed_attention(layer, &sizes));
        Ok(source.layer(layer, &sizes, attention, mlp))
    })
}
