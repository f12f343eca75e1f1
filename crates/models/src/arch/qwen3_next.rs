//! Qwen3-Next, Qwen3-Coder-Next, Qwen3.5 and 3.6: three gated delta nets to every layer of attention, whose result is gated too; many
//! small experts and a shared one, or none.

use tandem_tensor::{Curve, Map, Pick, Recipe, RopeStyle, Routing, Score};

use super::{Architecture, DescribeError};
use crate::description::{Delta, Grouped, Heads};
use crate::facts::key;
use crate::source::{self, Cut, ExpertBlock, HALVED, MLP, Name, Picked, Place, Sizes, Source, name};
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
    let rope = source.partial_rope(sizes.head_dim, RopeStyle::Halves)?;
    let every = facts.size_or(key("full_attention_interval", "full_attention_interval"), 4)?;
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
    let shared = facts.count(key("expert_shared_feed_forward_length", "shared_expert_intermediate_size"))?;
    let step = facts.size_or(key("", "decoder_sparse_step"), 1)?;
    let dense = facts.counts(key("", "mlp_only_layers"))?;
    // mlx-lm stacks the experts and adds the norms' one when it converts.
    let converted =
        source.place == Place::Outer || source.has("model.layers.0.mlp.switch_mlp.up_proj.weight");
    let centred = |norm: Norm| if converted { norm } else { source.centred(norm) };
    let model = source.decoder(architecture, &sizes, vec![rope], |layer| {
        let is_dense = dense.contains(&layer) || !(layer + 1).is_multiple_of(step);
        let mlp = if let Some(block) = block.as_ref().filter(|_| !is_dense) {
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
        let attention = if (layer + 1).is_multiple_of(every) {
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
    let (of, dim) = (sizes.heads_of(), sizes.head_dim);
    let role = Role::Column(Axis::Heads { of, dim });
    let part = |names, first| {
        let pick = Pick { first, run: dim, step: 2 * dim };
        let picked = Picked { rows: of.count * dim, pick, cols: sizes.hidden };
        source.picked(names, "model.layers.{}.self_attn.q_proj", layer, picked, role)
    };
    // The queries' own name is that of the whole.
    let q = part(name("blk.{}.attn_q", "model.layers.{}.self_attn.q_proj.query"), 0);
    let gate = part(name("blk.{}.attn_gate", "model.layers.{}.self_attn.q_proj.gate"), dim);
    Grouped { q, gate: Some(gate), ..source.normed_attention(layer, sizes) }
}

/// The sizes of the delta nets.
struct Net {
    heads: Heads,
    key_dim: usize,
    value_dim: usize,
    kernel: usize,
}

impl Net {
    fn of(source: &Source) -> Result<Net, DescribeError> {
        let facts = source.facts;
        let count = facts.size(key("ssm.time_step_rank", "linear_num_value_heads"))?;
        let kv_count = facts.size(key("ssm.group_count", "linear_num_key_heads"))?;
        if !count.is_multiple_of(kv_count) {
            return Err(DescribeError::UnevenHeads { heads: count, kv_heads: kv_count });
        }
        let value_dim = facts.size_or(key("ssm.value_head_dim", "linear_value_head_dim"), 128)?;
        source.state("ssm.inner_size", Value::Int((count * value_dim) as i64));
        Ok(Net {
            heads: Heads { count, kv_count },
            key_dim: facts.size(key("ssm.state_size", "linear_key_head_dim"))?,
            value_dim,
            kernel: facts.size(key("ssm.conv_kernel", "linear_conv_kernel_dim"))?,
        })
    }

    fn layer(&self, source: &Source, layer: usize, sizes: &Sizes) -> Delta {
        const MIXED: &str = "model.layers.{}.linear_attn.in_proj_qkvz";
        const GATES: &str = "model.layers.{}.linear_attn.in_proj_ba";
        let &Net { heads: of, key_dim, value_dim, .. } = self;
        let hidden = sizes.hidden;
        let group = of.count / of.kv_count;
        let values = group * value_dim;
        let by_key = Role::Column(Axis::KvHeads { of, dim: key_dim });
        let by_value = Role::Column(Axis::Heads { of, dim: value_dim });
        let by_head = Role::Column(Axis::Heads { of, dim: 1 });
        // Every head of keys brings its query, its key, and the values and gates of its group.
        let step = 2 * key_dim + 2 * values;
        let keys = of.kv_count * key_dim;
        let channels = 2 * keys + of.count * value_dim;
        // Qwen3.5 holds queries, keys and values one after the other.
        let flat = name("", "model.layers.{}.linear_attn.in_proj_qkv");
        let is_flat = source.has(&(source.name(flat, layer) + ".weight"));
        let part = |names, first, run: usize, role| {
            let rows = run * of.kv_count;
            if is_flat && first < 2 * key_dim + values {
                let cut = Cut { first: first * of.kv_count, rows, all: channels };
                return source.fused(names, flat, layer, cut, hidden, role);
            }
            let picked = Picked { rows, pick: Pick { first, run, step }, cols: hidden };
            source.picked(names, MIXED, layer, picked, role)
        };
        let gate = |names, first| {
            let pick = Pick { first, run: group, step: 2 * group };
            source.picked(names, GATES, layer, Picked { rows: of.count, pick, cols: hidden }, by_head)
        };
        let taps = |names, first, rows, role| self.taps(source, names, layer, [first, rows, channels], role);
        let vector = |names, role| source.tensor(names, "", layer, [1, 1, of.count], role);
        let rate = vector(name("blk.{}.ssm_a", "model.layers.{}.linear_attn.A_log"), by_head);
        let recipe = Recipe { map: Map::MinusExp, ..Recipe::stack(vec![rate.name.clone()]) };
        let recipe = (source.facts.origin() == Origin::Config).then_some(recipe);
        Delta {
            heads: of,
            key_dim,
            value_dim,
            q: part(name("blk.{}.ssm_q", "model.layers.{}.linear_attn.q_proj"), 0, key_dim, by_key),
            k: part(name("blk.{}.ssm_k", "model.layers.{}.linear_attn.k_proj"), key_dim, key_dim, by_key),
            v: part(
                name("blk.{}.ssm_v", "model.layers.{}.linear_attn.v_proj"),
                2 * key_dim,
                values,
                by_value,
            ),
            z: part(
                name("blk.{}.ssm_gate", "model.layers.{}.linear_attn.in_proj_z"),
                2 * key_dim + values,
                values,
                by_value,
            ),
            z_down: None,
            curve: Curve::Silu,
            decay_down: None,
            beta: gate(name("blk.{}.ssm_beta", "model.layers.{}.linear_attn.in_proj_b"), 0),
            decay: gate(name("blk.{}.ssm_alpha", "model.layers.{}.linear_attn.in_proj_a"), group),
            taps: [
                taps(
                    name("blk.{}.ssm_conv1d_q.weight", "model.layers.{}.linear_attn.conv1d_q"),
                    0,
                    keys,
                    by_key,
                ),
                taps(
                    name("blk.{}.ssm_conv1d_k.weight", "model.layers.{}.linear_attn.conv1d_k"),
                    keys,
                    keys,
                    by_key,
                ),
                taps(
                    name("blk.{}.ssm_conv1d_v.weight", "model.layers.{}.linear_attn.conv1d_v"),
                    2 * keys,
                    of.count * value_dim,
                    by_value,
                ),
            ],
            rate: Tensor { recipe, ..rate },
            bias: vector(name("blk.{}.ssm_dt.bias", "model.layers.{}.linear_attn.dt_bias"), by_head),
            norm: source.norm(
                name("blk.{}.ssm_norm", "model.layers.{}.linear_attn.norm"),
                layer,
                value_dim,
                sizes.eps,
            ),
            o: self.output(source, layer, hidden),
        }
    }

    /// Rows `first..first + rows` of the taps of all channels.
    fn taps(
        &self,
        source: &Source,
        names: Name,
        layer: usize,
        [first, rows, all]: [usize; 3],
        role: Role,
    ) -> Tensor {
        let apart = source.tensor(names, "", layer, [1, rows, self.kernel], role);
        let stored = source.name(name("", "model.layers.{}.linear_attn.conv1d.weight"), layer);
        let recipe =
            Recipe { rows_per_matrix: all, rows: Pick { first, ..Pick::ALL }, ..Recipe::stack(vec![stored]) };
        let recipe = (source.facts.origin() == Origin::Config).then_some(recipe);
        Tensor { recipe, ..apart }
    }

    fn output(&self, source: &Source, layer: usize, hidden: usize) -> Linear {
        let names = name("blk.{}.ssm_out", "model.layers.{}.linear_attn.out_proj");
        let &Net { heads: of, value_dim: dim, .. } = self;
        source.linear(names, layer, hidden, of.count * dim, Role::Row(Axis::Heads { of, dim }))
    }
}
