//! gpt-oss: attention sinks, every other layer with a short window, experts with biases and a clamped activation.

use tandem_tensor::{Activation, Pick, Recipe, RopeStyle, Routing, Score, Window};

use super::{Architecture, DescribeError};
use crate::description::{Experts, Grouped};
use crate::facts::key;
use crate::source::{Name, Sizes, Source, name};
use crate::{Attention, Axis, Description, Layer, Linear, Mlp, Origin, Role, Tensor};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "gpt-oss", config: &["GptOssForCausalLM"], describe };

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let sizes = source.sizes()?;
    let rope = source.rope(sizes.head_dim, RopeStyle::Halves)?;
    let window = facts.size(key("attention.sliding_window", "sliding_window"))?;
    let limit = facts.number_or(key("", "swiglu_limit"), Activation::SWIGLU_LIMIT)?;
    if limit != Activation::SWIGLU_LIMIT {
        let found = limit.to_string();
        return Err(DescribeError::Unsupported { what: "swiglu_limit", found, supported: "7" });
    }
    let kinds = facts.texts(key("", "layer_types"))?;
    let (count, used) = source.expert_counts("num_local_experts")?;
    let width = facts.size(key("expert_feed_forward_length", "intermediate_size"))?;
    let routing = Routing::of(used, Score::SoftmaxOfChosen);
    source.decoder("gpt-oss", &sizes, vec![rope], |layer| {
        let windowed = match kinds.get(layer).map(String::as_str) {
            Some("full_attention") => false,
            Some("sliding_attention") => true,
            Some(other) => {
                let (found, supported) = (other.to_owned(), "full_attention, sliding_attention");
                return Err(DescribeError::Unsupported { what: "layer type", found, supported });
            }
            None => layer.is_multiple_of(2),
        };
        let sinks = name("blk.{}.attn_sinks.weight", "model.layers.{}.self_attn.sinks");
        let by_head = Role::Column(Axis::Heads { of: sizes.heads_of(), dim: 1 });
        let attention = Grouped {
            window: windowed.then_some(Window::Sliding(window)),
            sinks: Some(source.tensor(sinks, "", layer, [1, 1, sizes.heads], by_head)),
            ..source.attention(layer, &sizes)
        };
        let mlp = Mlp::Experts(experts(source, layer, &sizes, width, count, routing));
        let norm = name("blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm");
        let mlp_norm = Some(source.norm(norm, layer, sizes.hidden, sizes.eps));
        Ok(Layer { mlp_norm, ..source.layer(layer, &sizes, Attention::Grouped(attention), mlp) })
    })
}

fn experts(
    source: &Source,
    layer: usize,
    sizes: &Sizes,
    width: usize,
    count: usize,
    routing: Routing,
) -> Experts {
    let hidden = sizes.hidden;
    let (column, row) = (Role::Column(Axis::Ffn { width }), Role::Row(Axis::Ffn { width }));
    let router = name("blk.{}.ffn_gate_inp", "model.layers.{}.mlp.router");
    let gate = name("blk.{}.ffn_gate_exps", "model.layers.{}.mlp.experts.gate_proj");
    let up = name("blk.{}.ffn_up_exps", "model.layers.{}.mlp.experts.up_proj");
    let down = name("blk.{}.ffn_down_exps", "model.layers.{}.mlp.experts.down_proj");
    let interleaved = |first| ("gate_up_proj", Pick::every(2, first));
    let whole = ("down_proj", Pick::ALL);
    let linear = |name, [rows, cols]: [usize; 2], role, packed| Linear {
        weight: packed_weight(source, layer, name, [count, rows, cols], role, packed),
        bias: Some(packed_bias(source, layer, name, [count, rows], role, packed)),
    };
    Experts {
        count,
        router: source.linear(router, layer, count, hidden, Role::Replicated),
        router_scale: 1.0,
        routing,
        choice_bias: None,
        scales: None,
        gate: linear(gate, [width, hidden], column, interleaved(0)),
        up: linear(up, [width, hidden], column, interleaved(1)),
        down: linear(down, [hidden, width], row, whole),
        act: Activation::ClampedSwiglu,
        narrow: None,
        shared: None,
        shared_gate: None,
    }
}

/// The published files hold gate and up together, row by row in turn; unquantised ones hold them turned over.
fn packed_weight(
    source: &Source,
    layer: usize,
    name: Name,
    shape: [usize; 3],
    role: Role,
    (packed, pick): (&str, Pick),
) -> Tensor {
    let apart = source.tensor(name, ".weight", layer, shape, role);
    if source.facts.origin() == Origin::Gguf || source.has(&apart.name) {
        return apart;
    }
    let stored = format!("model.layers.{layer}.mlp.experts.{packed}");
    // Blocks lie along the rows of upright matrices; floats are stored the other way.
    let transposed = source.stored(&stored).is_some_and(|found| found.dtype.block_len() == 1);
    let (rows, cols) = if transposed { (Pick::ALL, pick) } else { (pick, Pick::ALL) };
    Tensor { recipe: Some(Recipe { rows, cols, transposed, ..Recipe::stack(vec![stored]) }), ..apart }
}

fn packed_bias(
    source: &Source,
    layer: usize,
    name: Name,
    [count, rows]: [usize; 2],
    role: Role,
    (packed, pick): (&str, Pick),
) -> Tensor {
    // One row per expert, so the features that a matrix has as rows are columns here.
    let role = match role {
        Role::Column(axis) => Role::Row(axis),
        _ => Role::Replicated,
    };
    let apart = source.tensor(name, ".bias", layer, [1, count, rows], role);
    if source.facts.origin() == Origin::Gguf || source.has(&apart.name) {
        return apart;
    }
    let stored = format!("model.layers.{layer}.mlp.experts.{packed}_bias");
    Tensor { recipe: Some(Recipe { cols: pick, ..Recipe::stack(vec![stored]) }), ..apart }
}
