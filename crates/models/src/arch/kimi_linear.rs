//! Kimi Linear: three delta nets whose states forget each part of a key at its own rate to every layer of latent attention without
//! rotation; many small experts and a shared one.

use tandem_tensor::{Curve, Groups, Rope, RopeStyle, Routing, Score};

use super::deepseek::{self, Dims};
use super::{Architecture, DescribeError};
use crate::description::{Delta, Heads, RopeSource};
use crate::facts::key;
use crate::source::{BLOCK_SPARSE_EXPERTS, EXPERTS, ExpertBlock, MLP, Name, Sizes, Source, name};
use crate::{Attention, Axis, Description, Mlp, Origin, Role, Tensor, Value};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "kimi-linear", config: &["KimiLinearForCausalLM"], describe };

pub const SHARED: [Name; 3] = [
    name("blk.{}.ffn_gate_shexp", "model.layers.{}.block_sparse_moe.shared_experts.gate_proj"),
    name("blk.{}.ffn_up_shexp", "model.layers.{}.block_sparse_moe.shared_experts.up_proj"),
    name("blk.{}.ffn_down_shexp", "model.layers.{}.block_sparse_moe.shared_experts.down_proj"),
];

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let sizes = source.latent_sizes()?;
    let dims = Dims::of(source)?;
    let scale = 1.0 / ((dims.nope + dims.rope) as f32).sqrt();
    // Nothing is turned.
    let rope =
        Rope { style: RopeStyle::Halves, inv_freq: Vec::new(), factors: None, magnitude: 1.0, behind: 0 };
    let rope = RopeSource { rope, factors: None };
    let net = Net::of(source, sizes.heads)?;
    let nets = nets(source, sizes.layers)?;
    let dense = facts.count(key("leading_dense_block_count", "first_k_dense_replace"))?;
    every_layer_routes(source)?;
    // As mlx-lm names them.
    let converted = source.has(&format!("model.layers.{dense}.mlp.switch_mlp.up_proj.weight"));
    let block = block(source, sizes.layers, converted)?;
    let shared = facts.count(key("expert_shared_count", "num_shared_experts"))?;
    if let Some(context) = facts.size_opt(key("", "model_max_length"))? {
        source.state("context_length", Value::Int(context as i64));
    }
    source.decoder("kimi-linear", &sizes, vec![rope], |layer| {
        let mlp = if layer < dense {
            Mlp::Gated(source.gated(MLP, layer, sizes.hidden, source.ffn()?))
        } else {
            let mut experts = source.experts(&block, layer, sizes.hidden);
            experts.choice_bias = choice_bias(source, layer, block.count, converted);
            if shared > 0 {
                let names = if converted { deepseek::SHARED } else { SHARED };
                experts.shared = Some(source.gated(names, layer, sizes.hidden, block.width * shared));
            }
            Mlp::Experts(experts)
        };
        let attention = if nets[layer] {
            Attention::Delta(net.layer(source, layer, &sizes))
        } else {
            Attention::Latent(deepseek::attention(source, layer, &sizes, &dims, scale))
        };
        Ok(source.layer(layer, &sizes, attention, mlp))
    })
}

/// All but the dense ones at the beginning.
pub fn every_layer_routes(source: &Source) -> Result<(), DescribeError> {
    let every = source.facts.size_or(key("", "moe_layer_freq"), 1)?;
    if every != 1 {
        let (found, supported) = (every.to_string(), "1");
        return Err(DescribeError::Unsupported { what: "moe_layer_freq", found, supported });
    }
    Ok(())
}

/// Of the router's choice alone, where the file has it.
pub fn choice_bias(source: &Source, layer: usize, count: usize, converted: bool) -> Option<Tensor> {
    let names = match converted {
        true => name("blk.{}.exp_probs_b.bias", "model.layers.{}.mlp.e_score_correction_bias"),
        false => {
            name("blk.{}.exp_probs_b.bias", "model.layers.{}.block_sparse_moe.gate.e_score_correction_bias")
        }
    };
    let beside = name("blk.{}.exp_probs_b.bias", "model.layers.{}.block_sparse_moe.e_score_correction_bias");
    let names = if source.has(&source.name(names, layer)) { names } else { beside };
    let bias = source.tensor(names, "", layer, [1, 1, count], Role::Replicated);
    source.has(&bias.name).then_some(bias)
}

/// Which layers are delta nets. GGUF files say 0 heads of keys of them.
pub fn nets(source: &Source, layers: usize) -> Result<Vec<bool>, DescribeError> {
    // Counted from one.
    let listed = source.facts.counts(key("", "linear_attn_config.kda_layers"))?;
    let heads = source.facts.counts_or_one(key("attention.head_count_kv", ""))?;
    let is_net = |layer: usize| match source.facts.origin() {
        Origin::Gguf => heads.get(layer) == Some(&0),
        Origin::Config => listed.contains(&(layer + 1)),
    };
    let nets: Vec<bool> = (0..layers).map(is_net).collect();
    let heads = nets.iter().map(|is_net| Value::Int((!is_net).into()));
    source.state("attention.head_count_kv", Value::List(heads.collect()));
    Ok(nets)
}

pub fn block(source: &Source, layers: usize, converted: bool) -> Result<ExpertBlock, DescribeError> {
    let facts = source.facts;
    let count = facts.size_up_to(key("expert_count", "num_experts"), (1 << 18) / layers)?;
    let used = facts.size(key("expert_used_count", "num_experts_per_token"))?;
    if used > count {
        return Err(DescribeError::TooFewExperts { count, used });
    }
    // GGUF's numbers for them.
    const SOFTMAX: i64 = 1;
    const SIGMOID: i64 = 2;
    let said = facts.count(key("expert_gating_func", ""))? as i64;
    let score = match facts.text_opt(key("", "moe_router_activation_func"))?.as_deref() {
        None if said == SOFTMAX => Score::Softmax,
        None | Some("sigmoid") => Score::Sigmoid,
        Some("softmax") => Score::Softmax,
        Some(other) => {
            let (found, supported) = (other.to_owned(), "sigmoid, softmax");
            return Err(DescribeError::Unsupported { what: "moe_router_activation_func", found, supported });
        }
    };
    let func = if score == Score::Softmax { SOFTMAX } else { SIGMOID };
    source.state("expert_gating_func", Value::Int(func));
    let groups = facts.size_or(key("expert_group_count", "num_expert_group"), 1)?;
    let groups_used = facts.size_or(key("expert_group_used_count", "topk_group"), 1)?;
    if !count.is_multiple_of(groups) || groups_used > groups {
        return Err(DescribeError::UnevenGroups { experts: count, groups, used: groups_used });
    }
    let best = 2.min(count / groups);
    Ok(ExpertBlock {
        router: match converted {
            true => name("blk.{}.ffn_gate_inp", "model.layers.{}.mlp.gate"),
            false => name("blk.{}.ffn_gate_inp", "model.layers.{}.block_sparse_moe.gate"),
        },
        names: if converted { EXPERTS } else { BLOCK_SPARSE_EXPERTS },
        count,
        width: facts.size(key("expert_feed_forward_length", "moe_intermediate_size"))?,
        routing: Routing {
            groups: (groups_used < groups).then_some(Groups { count: groups, used: groups_used, best }),
            normalise: facts.flag(key("expert_weights_norm", "moe_renormalize"))?.unwrap_or(true),
            scale: facts.number_or(key("expert_weights_scale", "routed_scaling_factor"), 1.0)?,
            ..Routing::of(used, score)
        },
    })
}

/// The sizes of the delta nets.
pub struct Net {
    pub heads: usize,
    pub dim: usize,
    pub kernel: usize,
}

impl Net {
    /// GGUF files that do not say have as many heads in the nets as in attention.
    pub fn of(source: &Source, heads: usize) -> Result<Net, DescribeError> {
        let facts = source.facts;
        Ok(Net {
            heads: facts.size_or(key("kda.head_count", "linear_attn_config.num_heads"), heads)?,
            dim: facts.size(key("kda.head_dim", "linear_attn_config.head_dim"))?,
            kernel: facts.size_or(key("ssm.conv_kernel", "linear_attn_config.short_conv_kernel_size"), 4)?,
        })
    }

    pub fn layer(&self, source: &Source, layer: usize, sizes: &Sizes) -> Delta {
        let &Net { heads, dim, kernel } = self;
        let hidden = sizes.hidden;
        let of = Heads { count: heads, kv_count: heads };
        let by_head = Role::Column(Axis::Heads { of, dim });
        let each = Role::Column(Axis::Heads { of, dim: 1 });
        let linear =
            |gguf, config, rows, cols, role| source.linear(name(gguf, config), layer, rows, cols, role);
        let whole = |gguf, config| linear(gguf, config, heads * dim, hidden, by_head);
        let narrow = |gguf, config| linear(gguf, config, dim, hidden, Role::Replicated);
        let widened = |gguf, config| linear(gguf, config, heads * dim, dim, by_head);
        let taps = |gguf, published, converted| {
            let is_converted = source.has(&source.name(name("", converted), layer));
            let names = name(gguf, if is_converted { converted } else { published });
            source.tensor(names, "", layer, [1, heads * dim, kernel], by_head)
        };
        let rate = name("blk.{}.ssm_a", "model.layers.{}.self_attn.A_log");
        let bias = name("blk.{}.ssm_dt.bias", "model.layers.{}.self_attn.dt_bias");
        let norm = name("blk.{}.ssm_norm", "model.layers.{}.self_attn.o_norm");
        Delta {
            heads: of,
            key_dim: dim,
            value_dim: dim,
            q: whole("blk.{}.attn_q", "model.layers.{}.self_attn.q_proj"),
            k: whole("blk.{}.attn_k", "model.layers.{}.self_attn.k_proj"),
            v: whole("blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"),
            z: widened("blk.{}.ssm_g_b", "model.layers.{}.self_attn.g_b_proj"),
            z_down: Some(narrow("blk.{}.ssm_g_a", "model.layers.{}.self_attn.g_a_proj")),
            curve: Curve::Sigmoid,
            beta: linear("blk.{}.ssm_beta", "model.layers.{}.self_attn.b_proj", heads, hidden, each),
            decay: widened("blk.{}.ssm_f_b", "model.layers.{}.self_attn.f_b_proj"),
            decay_down: Some(narrow("blk.{}.ssm_f_a", "model.layers.{}.self_attn.f_a_proj")),
            taps: [
                taps(
                    "blk.{}.ssm_conv1d_q.weight",
                    "model.layers.{}.self_attn.q_conv1d.weight",
                    "model.layers.{}.self_attn.q_conv.conv.weight",
                ),
                taps(
                    "blk.{}.ssm_conv1d_k.weight",
                    "model.layers.{}.self_attn.k_conv1d.weight",
                    "model.layers.{}.self_attn.k_conv.conv.weight",
                ),
                taps(
                    "blk.{}.ssm_conv1d_v.weight",
                    "model.layers.{}.self_attn.v_conv1d.weight",
                    "model.layers.{}.self_attn.v_conv.conv.weight",
                ),
            ],
            rate: source.folded(source.rate(rate, layer, heads, each), 1),
            bias: source.tensor(bias, "", layer, [1, 1, heads * dim], by_head),
            floor: None,
            norm: source.norm(norm, layer, dim, sizes.eps),
            o: source.attention_output(layer, hidden, of, dim),
        }
    }
}
