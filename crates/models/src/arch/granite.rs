//! Granite 3 and 4: Llama's shape with four multipliers; with experts, and a block beside them that every row goes through;
//! in its hybrids, most layers are Mamba-2.

use tandem_tensor::{Activation, Pick, Recipe, RopeStyle, Routing, Score};

use super::mamba2::{Keys, Mamba};
use super::{Architecture, DescribeError};
use crate::description::{Experts, Gated, Grouped, Scales};
use crate::facts::key;
use crate::source::{Cut, MLP, Name, Source, name};
use crate::{Attention, Axis, Description, Linear, Mlp, Origin, Role, Tensor, Value};

pub const DENSE: Architecture = Architecture { gguf: "granite", config: &["GraniteForCausalLM"], describe };
pub const HYBRID: Architecture =
    Architecture { gguf: "granitehybrid", config: &["GraniteMoeHybridForCausalLM"], describe };
pub const EXPERTS: Architecture =
    Architecture { gguf: "granitemoe", config: &["GraniteMoeForCausalLM"], describe };

const SHARED: [Name; 3] = [
    name("blk.{}.ffn_gate_shexp", "model.layers.{}.shared_mlp.gate_proj"),
    name("blk.{}.ffn_up_shexp", "model.layers.{}.shared_mlp.up_proj"),
    name("blk.{}.ffn_down_shexp", "model.layers.{}.shared_mlp.output_linear"),
];
const KEYS: Keys = Keys {
    heads: "mamba_n_heads",
    groups: "mamba_n_groups",
    head_dim: "mamba_d_head",
    state_dim: "mamba_d_state",
    kernel: "mamba_d_conv",
    limits: [0.001, 100.0],
    norms_groups: false,
};

/// GGUF files hold its halves apart.
const SHARED_INPUT: Name = name("", "model.layers.{}.shared_mlp.input_linear");

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let sizes = source.sizes()?;
    let scans = scans(source, sizes.layers, sizes.kv_heads)?;
    let mamba = if scans.contains(&true) { Some(Mamba::of(source, &KEYS)?) } else { None };
    // GGUF files store query and key rows permuted, as Llama's do.
    let style = match facts.origin() {
        Origin::Gguf => RopeStyle::Interleaved,
        Origin::Config => RopeStyle::Halves,
    };
    let rotates = match facts.text_opt(key("", "position_embedding_type"))? {
        Some(kind) => kind != "nope",
        None => facts.flag(key("rope.scaling.finetuned", ""))?.unwrap_or(true),
    };
    source.state("rope.scaling.finetuned", Value::Bool(rotates));
    let rope = source.rope(sizes.head_dim, style)?;
    let scale = facts.number(key("attention.scale", "attention_multiplier"))?;
    let count = facts.count(key("expert_count", "num_local_experts"))?;
    let experts = match count {
        0 => None,
        _ => Some(source.expert_counts("num_local_experts")?),
    };
    let architecture = match (&mamba, count) {
        (Some(_), _) => "granitehybrid",
        (None, 0) => "granite",
        (None, _) => "granitemoe",
    };
    let model = source.decoder(architecture, &sizes, vec![rope], |layer| {
        let attention = match mamba.as_ref().filter(|_| scans[layer]) {
            Some(mamba) => Attention::Scan(mamba.layer(source, layer, sizes.hidden, sizes.eps)),
            None => Attention::Grouped(Grouped {
                rope: rotates.then_some(0),
                scale,
                ..source.attention(layer, &sizes)
            }),
        };
        let mlp = match experts {
            None => Mlp::Gated(dense(source, layer, sizes.hidden)?),
            Some((count, used)) => Mlp::Experts(mixture(source, layer, sizes.hidden, count, used)?),
        };
        Ok(source.layer(layer, &sizes, attention, mlp))
    })?;
    let scales = Scales {
        embedding: facts.number_or(key("embedding_scale", "embedding_multiplier"), 1.0)?,
        residual: facts.number_or(key("residual_scale", "residual_multiplier"), 1.0)?,
        logits: 1.0 / facts.number_or(key("logit_scale", "logits_scaling"), 1.0)?,
        logits_cap: None,
    };
    Ok(Description { scales, ..model })
}

/// Which layers are Mamba-2. GGUF files say it by how many heads of keys a layer has.
fn scans(source: &Source, layers: usize, kv_heads: usize) -> Result<Vec<bool>, DescribeError> {
    let facts = source.facts;
    let kinds = facts.texts(key("", "layer_types"))?;
    if let Some(found) = kinds.iter().find(|kind| !["attention", "mamba"].contains(&kind.as_str())) {
        let (found, supported) = (found.clone(), "attention, mamba");
        return Err(DescribeError::Unsupported { what: "layer type", found, supported });
    }
    let heads = facts.counts_or_one(key("attention.head_count_kv", ""))?;
    let is_scan = |layer: usize| match kinds.get(layer) {
        Some(kind) => kind == "mamba",
        None => heads.get(layer) == Some(&0),
    };
    let scans: Vec<bool> = (0..layers).map(is_scan).collect();
    if scans.contains(&true) {
        let heads = scans.iter().map(|scan| Value::Int(if *scan { 0 } else { kv_heads as i64 }));
        source.state("attention.head_count_kv", Value::List(heads.collect()));
    }
    Ok(scans)
}

/// Granite 4 calls its only block the shared one, and holds gate and up in one matrix.
fn dense(source: &Source, layer: usize, hidden: usize) -> Result<Gated, DescribeError> {
    let width = source.ffn()?;
    if !source.has(&(source.name(SHARED_INPUT, layer) + ".weight")) {
        return Ok(source.gated(MLP, layer, hidden, width));
    }
    let names = [MLP[0], MLP[1], name("blk.{}.ffn_down", "model.layers.{}.shared_mlp.output_linear")];
    Ok(halves(source, names, layer, hidden, width))
}

fn halves(source: &Source, names: [Name; 3], layer: usize, hidden: usize, width: usize) -> Gated {
    let column = Role::Column(Axis::Ffn { width });
    let half = |name, first| {
        source.part(name, SHARED_INPUT, layer, Cut::run(first, width, 2 * width), hidden, column)
    };
    let (gate, up) = (half(names[0], 0), half(names[1], width));
    Gated { gate, up, ..source.gated(names, layer, hidden, width) }
}

fn mixture(
    source: &Source,
    layer: usize,
    hidden: usize,
    count: usize,
    used: usize,
) -> Result<Experts, DescribeError> {
    let facts = source.facts;
    let width = facts.size(key("feed_forward_length", "intermediate_size"))?;
    let (column, row) = (Role::Column(Axis::Ffn { width }), Role::Row(Axis::Ffn { width }));
    let stack = |names: Name, rows, cols, role, whole: &'static str, first: usize, all: usize| {
        let apart = source.tensor(names, ".weight", layer, [count, rows, cols], role);
        let stored = source.name(name("", whole), layer) + ".weight";
        if source.facts.origin() == Origin::Gguf || source.has(&apart.name) {
            return Linear { weight: apart, bias: None };
        }
        let recipe = Recipe { rows: Pick::runs(first, rows, all), ..Recipe::stack(vec![stored]) };
        Linear { weight: Tensor { recipe: Some(recipe), ..apart }, bias: None }
    };
    let gate = name("blk.{}.ffn_gate_exps", "model.layers.{}.block_sparse_moe.switch_mlp.gate_proj");
    let up = name("blk.{}.ffn_up_exps", "model.layers.{}.block_sparse_moe.switch_mlp.up_proj");
    let down = name("blk.{}.ffn_down_exps", "model.layers.{}.block_sparse_moe.switch_mlp.down_proj");
    let router = name("blk.{}.ffn_gate_inp", "model.layers.{}.block_sparse_moe.router.layer");
    let shared = facts.count(key("expert_shared_feed_forward_length", "shared_intermediate_size"))?;
    Ok(Experts {
        count,
        router: source.linear(router, layer, count, hidden, Role::Replicated),
        router_scale: 1.0,
        routing: Routing::of(used, Score::SoftmaxOfChosen),
        choice_bias: None,
        scales: None,
        gate: stack(
            gate,
            width,
            hidden,
            column,
            "model.layers.{}.block_sparse_moe.input_linear",
            0,
            2 * width,
        ),
        up: stack(
            up,
            width,
            hidden,
            column,
            "model.layers.{}.block_sparse_moe.input_linear",
            width,
            2 * width,
        ),
        down: stack(down, hidden, width, row, "model.layers.{}.block_sparse_moe.output_linear", 0, hidden),
        act: Activation::Silu,
        narrow: None,
        shared: (shared > 0).then(|| halves(source, SHARED, layer, hidden, shared)),
        shared_gate: None,
    })
}
