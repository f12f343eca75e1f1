//! Qwen3-Next, Qwen3-Coder-Next, Qwen3.5 and 3.6: three gated delta nets to every layer of attention, whose result is gated too; many
//! small experts and a shared one, or none.

use tandem_tensor::{Curve, Pick, Recipe, RopeStyle, Routing, Score};

use super::{Architecture, DescribeError};
use crate::description::{Delta, Grouped, Heads};
use crate::facts::key;
use crate::source::{self, Cut, ExpertBlock, HALVED, MLP, Name, Place, Sizes, Source, name};
use crate::{Attention, Axis, Description, Layer, Linear, Mlp, Norm, Origin, Role, Tensor, Value};

pub const NEXT: Architecture =
    Architecture { gguf: "qwen3next", config: &["Qwen3NextForCausalLM"], describe };
pub const DENSE: Architecture = Architecture {
    gguf: "qwen35",
    config: &["Qwen3_5ForConditionalGeneration", "Qwen3_5ForCausalLM"],
    describe,
};
pub const EXPERTS: Architecture = Architecture {
    gguf: "qwen35moe",
    config: &["Qwen3_5MoeForConditionalGeneration", "Qwen3_5MoeForCausalLM"],
    describe,
};

const SHARED: [Name; 3] = [
    name("blk.{}.ffn_gate_shexp", "model.layers.{}.mlp.shared_expert.gate_proj"),
    name("blk.{}.ffn_up_shexp", "model.layers.{}.mlp.shared_expert.up_proj"),
    name("blk.{}.ffn_down_shexp", "model.layers.{}.mlp.shared_expert.down_proj"),
];

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let sizes = source.sizes()?;
    let rope = source.partial_rope(sizes.head_dim, RopeStyle::Halves, 0.25)?;
    let every = facts.size_or(key("full_attention_interval", "full_attention_interval"), 4)?;
    let attends = attends(source, sizes.layers, every)?;
    let net = Net::of(source)?;
    let block = match facts.count(key("expert_count", "num_experts"))? {
        0 => None,
        _ => Some(experts(source)?),
    };
    let architecture = match (facts.architecture(), &block) {
        ("qwen3next" | "Qwen3NextForCausalLM", _) => "qwen3next",
        (_, None) => "qwen35",
        (_, Some(_)) => "qwen35moe",
    };
    if architecture != "qwen3next" {
        state_sections(source)?;
    }
    let shared = facts.count(key("expert_shared_feed_forward_length", "shared_expert_intermediate_size"))?;
    let step = facts.size_or(key("", "decoder_sparse_step"), 1)?;
    let dense = facts.counts(key("", "mlp_only_layers"))?;
    // mlx-lm stacks the experts and adds the norms' one when it converts.
    let is_dense = |layer: usize| dense.contains(&layer) || !(layer + 1).is_multiple_of(step);
    let first = (0..sizes.layers).find(|layer| !is_dense(*layer)).unwrap_or(0);
    let converted = source.place == Place::Outer
        || source.has(&format!("model.layers.{first}.mlp.switch_mlp.up_proj.weight"));
    let centred = |norm: Norm| if converted { norm } else { source.centred(norm) };
    let model = source.decoder(architecture, &sizes, vec![rope], |layer| {
        let mlp = if let Some(block) = block.as_ref().filter(|_| !is_dense(layer)) {
            let mut experts = source.halved_experts(block, layer, sizes.hidden, HALVED);
            if shared > 0 {
                let gate = name("blk.{}.ffn_gate_inp_shexp", "model.layers.{}.mlp.shared_expert_gate");
                experts.shared = Some(source.gated(SHARED, layer, sizes.hidden, shared));
                experts.shared_gate = Some(source.linear(gate, layer, 1, sizes.hidden, Role::Replicated));
            }
            Mlp::Experts(experts)
        } else {
            Mlp::Gated(source.gated(MLP, layer, sizes.hidden, source.ffn()?))
        };
        let attention = if attends[layer] {
            let attention = attention(source, layer, &sizes);
            Attention::Grouped(Grouped {
                q_norm: attention.q_norm.map(centred),
                k_norm: attention.k_norm.map(centred),
                ..attention
            })
        } else {
            Attention::Delta(net.layer(source, layer, &sizes))
        };
        let plain = source.layer(layer, &sizes, attention, mlp);
        let post = name("blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm");
        Ok(Layer {
            attention_norm: plain.attention_norm.map(centred),
            mlp_norm: Some(centred(source.norm(post, layer, sizes.hidden, sizes.eps))),
            ..plain
        })
    })?;
    Ok(Description { final_norm: centred(model.final_norm), ..model })
}

/// Which layers attend. GGUF files may say which do not.
fn attends(source: &Source, layers: usize, every: usize) -> Result<Vec<bool>, DescribeError> {
    let kinds = source.facts.texts(key("", "layer_types"))?;
    let nets = source.facts.counts(key("attention.recurrent_layers", ""))?;
    let attends = |layer: usize| match (kinds.get(layer), nets.get(layer)) {
        (Some(kind), _) => kind != "linear_attention",
        (None, Some(is_net)) => *is_net == 0,
        (None, None) => (layer + 1).is_multiple_of(every),
    };
    let attends: Vec<bool> = (0..layers).map(attends).collect();
    let nets = attends.iter().map(|attends| Value::Int((!attends).into())).collect();
    source.state("attention.recurrent_layers", Value::List(nets));
    Ok(attends)
}

/// How pairs of rotated features are shared among a picture's axes, which llama.cpp must know of text models too.
pub fn state_sections(source: &Source) -> Result<(), DescribeError> {
    let mut sections = source.facts.counts(key("rope.dimension_sections", "rope_scaling.mrope_section"))?;
    if sections.is_empty() {
        sections = vec![11, 11, 10];
    }
    sections.resize(4, 0);
    let sections = sections.into_iter().map(|pairs| Value::Int(pairs as i64));
    source.state("rope.dimension_sections", Value::List(sections.collect()));
    Ok(())
}

fn experts(source: &Source) -> Result<ExpertBlock, DescribeError> {
    let facts = source.facts;
    let (count, used) = source.expert_counts("num_experts")?;
    let normalise = facts.flag(key("expert_weights_norm", "norm_topk_prob"))?.unwrap_or(true);
    Ok(ExpertBlock {
        router: name("blk.{}.ffn_gate_inp", "model.layers.{}.mlp.gate"),
        names: source::EXPERTS,
        count,
        width: facts.size(key("expert_feed_forward_length", "moe_intermediate_size"))?,
        routing: Routing { normalise, ..Routing::of(used, Score::Softmax) },
    })
}

/// A head's query is followed by its gate in one matrix.
fn attention(source: &Source, layer: usize, sizes: &Sizes) -> Grouped {
    const WHOLE: Name = name("blk.{}.attn_q", "model.layers.{}.self_attn.q_proj");
    let (of, dim) = (sizes.heads_of(), sizes.head_dim);
    let role = Role::Column(Axis::Heads { of, dim });
    let part = |names, first| {
        let rows = of.count * dim;
        let cut = Cut { rows, pick: Pick::runs(first, dim, 2 * dim), all: 2 * rows };
        source.part(names, WHOLE, layer, cut, sizes.hidden, role)
    };
    let q = part(name("blk.{}.attn_q_query", "model.layers.{}.self_attn.q_proj.query"), 0);
    let gate = part(name("blk.{}.attn_q_gate", "model.layers.{}.self_attn.q_proj.gate"), dim);
    Grouped { q, gate: Some(gate), ..source.normed_attention(layer, sizes) }
}

/// The sizes of the delta nets.
struct Net {
    heads: Heads,
    key_dim: usize,
    value_dim: usize,
    kernel: usize,
    /// Qwen3.5's GGUF files hold heads of values by lanes: the first of every group, then the second, and so on.
    by_lanes: bool,
    /// Qwen3-Next holds what makes beta and decay in one matrix.
    has_both_gates: bool,
}

impl Net {
    fn of(source: &Source) -> Result<Net, DescribeError> {
        let facts = source.facts;
        let count = facts.size(key("ssm.time_step_rank", "linear_num_value_heads"))?;
        let kv_count = facts.size(key("ssm.group_count", "linear_num_key_heads"))?;
        if !count.is_multiple_of(kv_count) {
            return Err(DescribeError::UnevenHeads { heads: count, kv_heads: kv_count });
        }
        let value_dim = match facts.size_opt(key("ssm.inner_size", ""))? {
            Some(inner) => (inner / count).max(1),
            None => facts.size_or(key("", "linear_value_head_dim"), 128)?,
        };
        source.state("ssm.inner_size", Value::Int((count * value_dim) as i64));
        let is_next = ["qwen3next", "Qwen3NextForCausalLM"].contains(&facts.architecture());
        Ok(Net {
            by_lanes: facts.origin() == Origin::Gguf && !is_next && count > kv_count,
            has_both_gates: is_next,
            heads: Heads { count, kv_count },
            key_dim: facts.size(key("ssm.state_size", "linear_key_head_dim"))?,
            value_dim,
            kernel: facts.size(key("ssm.conv_kernel", "linear_conv_kernel_dim"))?,
        })
    }

    fn layer(&self, source: &Source, layer: usize, sizes: &Sizes) -> Delta {
        let &Net { heads: of, key_dim, value_dim, .. } = self;
        let hidden = sizes.hidden;
        let by_key = Role::Column(Axis::KvHeads { of, dim: key_dim });
        let by_value = Role::Column(Axis::Heads { of, dim: value_dim });
        let by_head = Role::Column(Axis::Heads { of, dim: 1 });
        let [q, k, v, z] = self.mixed(source, layer, hidden, [by_key, by_value]);
        let [beta, decay] = self.gates(source, layer, hidden, by_head);
        let rate = name("blk.{}.ssm_a", "model.layers.{}.linear_attn.A_log");
        let bias = name("blk.{}.ssm_dt.bias", "model.layers.{}.linear_attn.dt_bias");
        let norm = name("blk.{}.ssm_norm", "model.layers.{}.linear_attn.norm");
        Delta {
            heads: of,
            key_dim,
            value_dim,
            q,
            k,
            v,
            z,
            z_down: None,
            curve: Curve::Silu,
            decay_down: None,
            beta,
            decay,
            taps: self.taps(source, layer, [by_key, by_value]),
            rate: self.heads_of_cols(source.rate(rate, layer, of.count, by_head), 1),
            bias: self.heads_of_cols(source.tensor(bias, "", layer, [1, 1, of.count], by_head), 1),
            floor: None,
            norm: source.norm(norm, layer, value_dim, sizes.eps),
            o: self.output(source, layer, hidden),
        }
    }

    /// What makes queries, keys, values and the gates of results.
    fn mixed(
        &self,
        source: &Source,
        layer: usize,
        hidden: usize,
        [by_key, by_value]: [Role; 2],
    ) -> [Linear; 4] {
        // Queries, keys and values one after the other.
        const FLAT: Name = name("blk.{}.attn_qkv", "model.layers.{}.linear_attn.in_proj_qkv");
        // Or every head of keys brings its query, its key, and the values and gates of its group.
        const MIXED: &str = "model.layers.{}.linear_attn.in_proj_qkvz";
        const OLD_MIXED: &str = "blk.{}.ssm_in";
        let &Net { heads: of, key_dim, value_dim, .. } = self;
        let is_gguf = source.facts.origin() == Origin::Gguf;
        let is_flat = match source.facts.origin() {
            Origin::Gguf => !source.has(&(source.name(name(OLD_MIXED, ""), layer) + ".weight")),
            Origin::Config => source.has(&(source.name(FLAT, layer) + ".weight")),
        };
        let (keys, values) = (of.kv_count * key_dim, of.count * value_dim);
        let group = values / of.kv_count;
        let parts = [
            ("blk.{}.attn_qkv_q", "model.layers.{}.linear_attn.q_proj", 0, key_dim, by_key),
            ("blk.{}.attn_qkv_k", "model.layers.{}.linear_attn.k_proj", key_dim, key_dim, by_key),
            ("blk.{}.attn_qkv_v", "model.layers.{}.linear_attn.v_proj", 2 * key_dim, group, by_value),
            (
                "blk.{}.attn_gate",
                "model.layers.{}.linear_attn.in_proj_z",
                2 * key_dim + group,
                group,
                by_value,
            ),
        ];
        parts.map(|(gguf, config, first, run, role)| {
            let (names, rows) = (name(gguf, config), run * of.kv_count);
            let is_gate = first > 2 * key_dim;
            if is_flat && is_gate {
                let apart = source.linear(names, layer, rows, hidden, role);
                return Linear { weight: self.heads_of_rows(apart.weight, value_dim), ..apart };
            }
            if is_flat {
                let pick = self.picked(first * of.kv_count, first == 2 * key_dim, value_dim);
                return source.part(
                    names,
                    FLAT,
                    layer,
                    Cut { rows, pick, all: 2 * keys + values },
                    hidden,
                    role,
                );
            }
            // What a GGUF file made of this one calls the whole.
            let whole = match (is_gguf, is_gate) {
                (true, _) => OLD_MIXED,
                (false, true) => "blk.{}.attn_gate",
                (false, false) => "blk.{}.attn_qkv",
            };
            let pick = Pick::runs(first, run, 2 * key_dim + 2 * group);
            let cut = Cut { rows, pick, all: (2 * keys).saturating_add(2 * values) };
            source.part(names, name(whole, MIXED), layer, cut, hidden, role)
        })
    }

    /// What makes beta and decay.
    fn gates(&self, source: &Source, layer: usize, hidden: usize, role: Role) -> [Linear; 2] {
        let count = self.heads.count;
        let group = count / self.heads.kv_count;
        let gguf = if self.has_both_gates { "blk.{}.ssm_ba" } else { "" };
        let whole = name(gguf, "model.layers.{}.linear_attn.in_proj_ba");
        let part = |names, first| {
            let cut = Cut { rows: count, pick: Pick::runs(first, group, 2 * group), all: 2 * count };
            let part = source.part(names, whole, layer, cut, hidden, role);
            Linear { weight: self.heads_of_rows(part.weight, 1), ..part }
        };
        [
            part(name("blk.{}.ssm_beta", "model.layers.{}.linear_attn.in_proj_b"), 0),
            part(name("blk.{}.ssm_alpha", "model.layers.{}.linear_attn.in_proj_a"), group),
        ]
    }

    /// Of the channels of queries, keys and values.
    fn taps(&self, source: &Source, layer: usize, [by_key, by_value]: [Role; 2]) -> [Tensor; 3] {
        const WHOLE: Name = name("blk.{}.ssm_conv1d", "model.layers.{}.linear_attn.conv1d");
        let &Net { heads: of, key_dim, value_dim, kernel, .. } = self;
        let (keys, values) = (of.kv_count * key_dim, of.count * value_dim);
        let parts = [
            ("blk.{}.ssm_conv1d_q", "model.layers.{}.linear_attn.conv1d_q", 0, keys, by_key),
            ("blk.{}.ssm_conv1d_k", "model.layers.{}.linear_attn.conv1d_k", keys, keys, by_key),
            ("blk.{}.ssm_conv1d_v", "model.layers.{}.linear_attn.conv1d_v", 2 * keys, values, by_value),
        ];
        parts.map(|(gguf, config, first, rows, role)| {
            let apart = source.tensor(name(gguf, config), ".weight", layer, [1, rows, kernel], role);
            let pick = self.picked(first, first == 2 * keys, value_dim);
            source.cut_rows(apart, WHOLE, layer, Cut { rows, pick, all: 2 * keys + values })
        })
    }

    fn output(&self, source: &Source, layer: usize, hidden: usize) -> Linear {
        let names = name("blk.{}.ssm_out", "model.layers.{}.linear_attn.out_proj");
        let &Net { heads: of, value_dim: dim, .. } = self;
        let plain = source.linear(names, layer, hidden, of.count * dim, Role::Row(Axis::Heads { of, dim }));
        Linear { weight: self.heads_of_cols(plain.weight, dim), ..plain }
    }

    /// Where heads of values of `dim` rows are from `first` on; other rows follow each other.
    fn picked(&self, first: usize, is_values: bool, dim: usize) -> Pick {
        let Heads { count, kv_count } = self.heads;
        match self.by_lanes && is_values {
            true => Pick::by_lanes(first, dim, kv_count, count / kv_count),
            false => Pick { first, ..Pick::ALL },
        }
    }

    /// A tensor whose rows are heads of values.
    fn heads_of_rows(&self, tensor: Tensor, dim: usize) -> Tensor {
        if !self.by_lanes {
            return tensor;
        }
        let recipe = Recipe { rows: self.picked(0, true, dim), ..Recipe::stack(vec![tensor.name.clone()]) };
        Tensor { recipe: Some(recipe), ..tensor }
    }

    /// A tensor whose columns are.
    fn heads_of_cols(&self, tensor: Tensor, dim: usize) -> Tensor {
        if !self.by_lanes {
            return tensor;
        }
        let recipe = Recipe { cols: self.picked(0, true, dim), ..Recipe::stack(vec![tensor.name.clone()]) };
        Tensor { recipe: Some(recipe), ..tensor }
    }
}
