//! Llama 4: three layers that see only their chunk of the text to each that sees all of it without a rotation, and an expert, chosen
//! by the sigmoid that its input is multiplied by, beside a shared one.

use tandem_tensor::{Growth, RopeStyle, Routing, Score, Window};

use super::{Architecture, DescribeError};
use crate::description::Grouped;
use crate::facts::key;
use crate::source::{ExpertBlock, Halved, Name, Source, StackName, name, stack};
use crate::{Attention, Description, Mlp, Origin, Value};

pub const ARCHITECTURE: Architecture = Architecture {
    gguf: "llama4",
    config: &["Llama4ForConditionalGeneration", "Llama4ForCausalLM"],
    describe,
};

const MLP: [Name; 3] = [
    name("blk.{}.ffn_gate", "model.layers.{}.feed_forward.gate_proj"),
    name("blk.{}.ffn_up", "model.layers.{}.feed_forward.up_proj"),
    name("blk.{}.ffn_down", "model.layers.{}.feed_forward.down_proj"),
];

const SHARED: [Name; 3] = [
    name("blk.{}.ffn_gate_shexp", "model.layers.{}.feed_forward.shared_expert.gate_proj"),
    name("blk.{}.ffn_up_shexp", "model.layers.{}.feed_forward.shared_expert.up_proj"),
    name("blk.{}.ffn_down_shexp", "model.layers.{}.feed_forward.shared_expert.down_proj"),
];

const EXPERTS: [StackName; 3] = [
    stack(
        "blk.{}.ffn_gate_exps",
        "model.layers.{}.feed_forward.experts.gate_proj",
        "model.layers.{}.feed_forward.experts.{e}.gate_proj",
    ),
    stack(
        "blk.{}.ffn_up_exps",
        "model.layers.{}.feed_forward.experts.up_proj",
        "model.layers.{}.feed_forward.experts.{e}.up_proj",
    ),
    stack(
        "blk.{}.ffn_down_exps",
        "model.layers.{}.feed_forward.experts.down_proj",
        "model.layers.{}.feed_forward.experts.{e}.down_proj",
    ),
];

const PUBLISHED: Halved = Halved {
    gate_up: name("", "model.layers.{}.feed_forward.experts.gate_up_proj"),
    down: name("", "model.layers.{}.feed_forward.experts.down_proj"),
    transposed: true,
};

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let sizes = source.sizes()?;
    let rope = source.rope(sizes.head_dim, RopeStyle::Interleaved)?;
    // GGUF files say neither: all published models have these.
    let chunk = facts.size_or(key("attention.chunk_size", "attention_chunk_size"), 8192)?;
    let growth = Growth {
        rate: facts.number_or(key("attention.temperature_scale", "attn_scale"), 0.1)?,
        every: facts.number_or(key("attention.temperature_length", "floor_scale"), 8192.0)?,
        ahead: 1.0,
    };
    let grows =
        !matches!(facts.value(key("", "attn_temperature_tuning")), Some(Value::Bool(false) | Value::Int(0)));
    // One for layers that rotate, despite the name.
    let rotates = facts.counts(key("", "no_rope_layers"))?;
    let (count, used) = source.expert_counts("num_local_experts")?;
    let normed = match facts.origin() {
        Origin::Gguf => count != 128,
        Origin::Config => facts.flag(key("", "use_qk_norm"))?.unwrap_or(true),
    };
    let block = ExpertBlock {
        router: name("blk.{}.ffn_gate_inp", "model.layers.{}.feed_forward.router"),
        names: EXPERTS,
        count,
        width: facts.size(key("expert_feed_forward_length", "intermediate_size"))?,
        routing: Routing { weighs_input: true, ..Routing::of(used, Score::Sigmoid) },
    };
    let ffn = facts.size(key("feed_forward_length", "intermediate_size_mlp"))?;
    let every = facts.size_or(key("interleave_moe_layer_step", "interleave_moe_layer_step"), 1)?;
    // Which layers have experts, in files that list them.
    let listed = facts.counts(key("", "moe_layers"))?;
    source.decoder("llama4", &sizes, vec![rope], |layer| {
        let rotates = rotates.get(layer).map_or(!(layer + 1).is_multiple_of(4), |flag| *flag != 0);
        // A rotation changes no lengths: norms after it, as these are, may as well come before.
        let norm = || (rotates && normed).then(|| source.bare_norm(layer, sizes.head_dim, &sizes));
        let attention = Grouped {
            q_norm: norm(),
            k_norm: norm(),
            rope: rotates.then_some(0),
            window: rotates.then_some(Window::Chunked(chunk)),
            growth: Some(growth).filter(|_| grows && !rotates),
            ..source.attention(layer, &sizes)
        };
        let routed = match listed.is_empty() {
            true => (layer + 1).is_multiple_of(every),
            false => listed.contains(&layer),
        };
        let mlp = if routed {
            let mut experts = source.halved_experts(&block, layer, sizes.hidden, PUBLISHED);
            experts.shared = Some(source.gated(SHARED, layer, sizes.hidden, block.width));
            Mlp::Experts(experts)
        } else {
            Mlp::Gated(source.gated(MLP, layer, sizes.hidden, ffn))
        };
        Ok(source.layer(layer, &sizes, Attention::Grouped(attention), mlp))
    })
}
