//! Kimi K3: Kimi Linear whose blocks read blends of what the stream was, with gates after latent attention, decays that have a floor,
//! experts between narrow rows, and an activation of its own.

use tandem_tensor::{Activation, Blend, Map, Recipe, RopeStyle};

use super::kimi_linear::{self, Net};
use super::{Architecture, DescribeError, deepseek};
use crate::description::{Delta, Heads, Latent, Linear, Narrow, Residuals};
use crate::facts::key;
use crate::source::{Cut, ExpertBlock, MLP, Name, Sizes, Source, name};
use crate::{Attention, Axis, Description, Experts, Layer, Mlp, Origin, Role, Tensor, Value};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "kimi-k3", config: &["KimiK3ForConditionalGeneration"], describe };

/// Of the norms inside latent attention, whatever the others' is.
const LATENT_EPS: f32 = 1e-6;

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let sizes = source.latent_sizes()?;
    if facts.flag(key("", "mla_use_nope"))? == Some(false) {
        let (found, supported) = ("false".to_owned(), "true");
        return Err(DescribeError::Unsupported { what: "mla_use_nope", found, supported });
    }
    let dims = deepseek::Dims::of(source)?;
    let scale = 1.0 / ((dims.nope + dims.rope) as f32).sqrt();
    // Nothing is turned.
    let rope = source.plain_rope(0, 1.0, RopeStyle::Halves);
    let net = Net::of(source, sizes.heads)?;
    let nets = kimi_linear::nets(source, sizes.layers)?;
    let floor = facts.number_opt(key("kda.gate_lower_bound", "linear_attn_config.gate_lower_bound"))?;
    if let Some(floor) = floor.filter(|floor| *floor >= 0.0) {
        let (found, supported) = (floor.to_string(), "negative numbers");
        return Err(DescribeError::Unsupported { what: "gate_lower_bound", found, supported });
    }
    let dense = facts.count(key("leading_dense_block_count", "first_k_dense_replace"))?;
    kimi_linear::every_layer_routes(source)?;
    let converted =
        source.has(&source.name(name("", "model.layers.{}.mlp.switch_mlp.up_proj.weight"), dense));
    let mut block = kimi_linear::block(source, sizes.layers, converted)?;
    // A single one keeps its own weight.
    block.routing.normalise &= block.routing.used > 1;
    let parts = Parts {
        net,
        floor,
        act: activation(source)?,
        narrow: facts.size_opt(key("expert_latent_length", "routed_expert_hidden_size"))?,
        shared: facts.count(key("expert_shared_count", "num_shared_experts"))?,
        converted,
    };
    let every = facts.count(key("attn_res.block_size", "attn_res_block_size"))?;
    source.state("attn_res.block_size", Value::Int(every as i64));
    if every > 0 && sizes.layers.div_ceil(every) >= Blend::OF_MAX {
        let (found, supported) = (every.to_string(), "numbers that leave fewer than 64 blocks of layers");
        return Err(DescribeError::Unsupported { what: "attn_res_block_size", found, supported });
    }
    let mut model = source.decoder("kimi-k3", &sizes, vec![rope], |layer| {
        let mlp = if layer < dense {
            let gated = source.gated(MLP, layer, sizes.hidden, source.ffn()?);
            Mlp::Gated(crate::Gated { act: parts.act, ..gated })
        } else {
            Mlp::Experts(parts.experts(source, layer, &sizes, &block)?)
        };
        let attention = if nets[layer] {
            Attention::Delta(parts.delta(source, layer, &sizes)?)
        } else {
            let inner = Sizes { eps: LATENT_EPS, ..sizes };
            let latent = deepseek::attention(source, layer, &inner, &dims, scale);
            Attention::Latent(Latent { gate: gate(source, layer, &sizes, &dims)?, ..latent })
        };
        let blends = [
            name("blk.{}.attn_res_score.weight", "model.layers.{}.self_attention_res"),
            name("blk.{}.ffn_res_score.weight", "model.layers.{}.mlp_res"),
        ];
        let blends = blends.map(|names| blend(source, names, layer, sizes.hidden));
        Ok(Layer { blends: (every > 0).then_some(blends), ..source.layer(layer, &sizes, attention, mlp) })
    })?;
    if every > 0 {
        let names = name("output_res_score.weight", "model.output_attn_res");
        let result = blend(source, names, 0, sizes.hidden);
        model.residuals = Some(Residuals { every, eps: sizes.eps, result });
    }
    Ok(model)
}

fn activation(source: &Source) -> Result<Activation, DescribeError> {
    // Without a number, and with 0, these are 1 and none.
    let number = |names| Ok::<_, DescribeError>(source.facts.number_opt(names)?.filter(|by| *by != 0.0));
    let beta = number(key("activation.situ_beta", "activation_situ_beta"))?.unwrap_or(1.0);
    let linear = number(key("activation.situ_linear_beta", "activation_situ_linear_beta"))?;
    source.state("activation.situ_beta", Value::Float(beta.into()));
    source.state("activation.situ_linear_beta", Value::Float(linear.unwrap_or(0.0).into()));
    Ok(Activation::Situ { beta, linear })
}

/// The weight of a blend. Published files hold it in two parts, those of a norm and of a matrix with one row; GGUF files their product.
fn blend(source: &Source, names: Name, layer: usize, hidden: usize) -> Tensor {
    let weight = source.tensor(names, "", layer, [1, 1, hidden], Role::Replicated);
    if source.facts.origin() == Origin::Gguf {
        return weight;
    }
    let apart = ["norm", "proj"].map(|part| format!("{}_{part}.weight", weight.name));
    let older = ["norm", "proj"].map(|part| format!("{}.{part}_weight", weight.name));
    let factors = if source.has(&older[0]) { older } else { apart };
    let recipe = Recipe { map: Map::Product, ..Recipe::stack(factors.to_vec()) };
    Tensor { recipe: Some(recipe), ..weight }
}

/// Whether a file has something: config files say so, GGUF files have the tensor.
fn has(source: &Source, said: &'static str, tensor: Name, layer: usize) -> Result<bool, DescribeError> {
    Ok(match source.facts.origin() {
        Origin::Gguf => source.has(&(source.name(tensor, layer) + ".weight")),
        Origin::Config => source.facts.flag(key("", said))? == Some(true),
    })
}

/// What multiplies the results of latent attention.
fn gate(
    source: &Source,
    layer: usize,
    sizes: &Sizes,
    dims: &deepseek::Dims,
) -> Result<Option<Linear>, DescribeError> {
    let names = name("blk.{}.attn_gate", "model.layers.{}.self_attn.g_proj");
    let of = Heads { count: sizes.heads, kv_count: sizes.heads };
    let role = Role::Column(Axis::Heads { of, dim: dims.value });
    let is_gated = has(source, "mla_use_output_gate", names, layer)?;
    Ok(is_gated.then(|| source.linear(names, layer, sizes.heads * dims.value, sizes.hidden, role)))
}

/// What is the same in all layers of a kind.
struct Parts {
    net: Net,
    floor: Option<f32>,
    act: Activation,
    narrow: Option<usize>,
    shared: usize,
    converted: bool,
}

impl Parts {
    fn delta(&self, source: &Source, layer: usize, sizes: &Sizes) -> Result<Delta, DescribeError> {
        let Net { heads, dim, .. } = self.net;
        let of = Heads { count: heads, kv_count: heads };
        let each = Role::Column(Axis::Heads { of, dim: 1 });
        let by_head = Role::Column(Axis::Heads { of, dim });
        let rate = name("blk.{}.ssm_a", "model.layers.{}.self_attn.A_log");
        let mut delta = Delta {
            rate: source.rate(rate, layer, heads, each),
            floor: self.floor,
            ..self.net.layer(source, layer, sizes)
        };
        // One matrix instead of two narrow ones.
        let names = name("blk.{}.ssm_g", "model.layers.{}.self_attn.g_proj");
        if has(source, "linear_attn_config.use_full_rank_gate", names, layer)? {
            delta.z = source.linear(names, layer, heads * dim, sizes.hidden, by_head);
            delta.z_down = None;
        }
        // As mlx-lm converts it: queries, keys and values in one.
        let whole = name("", "model.layers.{}.self_attn.qkv_proj");
        let conv = name("", "model.layers.{}.self_attn.qkv_conv.conv");
        if source.has(&(source.name(whole, layer) + ".weight")) {
            let run = |i| Cut::run(i * heads * dim, heads * dim, 3 * heads * dim);
            let linears = [&mut delta.q, &mut delta.k, &mut delta.v];
            for (i, (linear, taps)) in linears.into_iter().zip(&mut delta.taps).enumerate() {
                linear.weight = source.cut_rows(linear.weight.clone(), whole, layer, run(i));
                *taps = source.cut_rows(taps.clone(), conv, layer, run(i));
            }
        }
        Ok(delta)
    }

    fn experts(
        &self,
        source: &Source,
        layer: usize,
        sizes: &Sizes,
        block: &ExpertBlock,
    ) -> Result<Experts, DescribeError> {
        let mut experts = source.experts(block, layer, self.narrow.unwrap_or(sizes.hidden));
        experts.router = source.linear(block.router, layer, block.count, sizes.hidden, Role::Replicated);
        experts.act = self.act;
        experts.choice_bias = kimi_linear::choice_bias(source, layer, block.count, self.converted);
        if let Some(width) = self.narrow {
            experts.narrow = Some(self.narrow(source, layer, sizes, width)?);
        }
        if self.shared > 0 {
            let names = if self.converted { deepseek::SHARED } else { kimi_linear::SHARED };
            let shared = source.gated(names, layer, sizes.hidden, block.width * self.shared);
            experts.shared = Some(crate::Gated { act: self.act, ..shared });
        }
        Ok(experts)
    }

    fn narrow(
        &self,
        source: &Source,
        layer: usize,
        sizes: &Sizes,
        width: usize,
    ) -> Result<Narrow, DescribeError> {
        let names: [Name; 3] = match self.converted {
            true => [
                name("blk.{}.ffn_routed_down", "model.layers.{}.mlp.routed_expert_down_proj"),
                name("blk.{}.ffn_routed_norm", "model.layers.{}.mlp.routed_expert_norm"),
                name("blk.{}.ffn_routed_up", "model.layers.{}.mlp.routed_expert_up_proj"),
            ],
            false => [
                name("blk.{}.ffn_routed_down", "model.layers.{}.block_sparse_moe.routed_expert_down_proj"),
                name("blk.{}.ffn_routed_norm", "model.layers.{}.block_sparse_moe.routed_expert_norm"),
                name("blk.{}.ffn_routed_up", "model.layers.{}.block_sparse_moe.routed_expert_up_proj"),
            ],
        };
        let normed = has(source, "latent_moe_use_norm", names[1], layer)?;
        let row = Role::Row(Axis::Ffn { width });
        Ok(Narrow {
            down: source.linear(names[0], layer, width, sizes.hidden, Role::Replicated),
            norm: normed.then(|| source.norm(names[1], layer, width, sizes.eps)),
            up: source.linear(names[2], layer, sizes.hidden, width, row),
        })
    }
}
