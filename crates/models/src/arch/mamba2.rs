//! Mamba-2 layers, which several families have between their layers of attention.

use super::DescribeError;
use crate::description::{Heads, Scan};
use crate::facts::key;
use crate::source::{Cut, Name, Source, name};
use crate::{Axis, Linear, Norm, Role, Value};

/// The sizes of such layers.
pub struct Mamba {
    heads: Heads,
    head_dim: usize,
    state_dim: usize,
    kernel: usize,
    limits: [f32; 2],
    norm_groups: usize,
}

/// How a family's `config.json` calls these sizes, and the limits it means where it does not say them.
pub struct Keys {
    pub heads: &'static str,
    pub groups: &'static str,
    pub head_dim: &'static str,
    pub state_dim: &'static str,
    pub kernel: &'static str,
    pub limits: [f32; 2],
    /// Whether every group of heads is normed by itself.
    pub norms_groups: bool,
}

impl Mamba {
    pub fn of(source: &Source, keys: &Keys) -> Result<Mamba, DescribeError> {
        let facts = source.facts;
        let count = facts.size(key("ssm.time_step_rank", keys.heads))?;
        let kv_count = facts.size_or(key("ssm.group_count", keys.groups), 1)?;
        if !count.is_multiple_of(kv_count) {
            return Err(DescribeError::UnevenHeads { heads: count, kv_heads: kv_count });
        }
        let head_dim = match facts.size_opt(key("ssm.inner_size", ""))? {
            Some(inner) => (inner / count).max(1),
            None => facts.size(key("", keys.head_dim))?,
        };
        source.state("ssm.inner_size", Value::Int((count * head_dim) as i64));
        let limits = facts.numbers(key("", "time_step_limit"))?;
        Ok(Mamba {
            heads: Heads { count, kv_count },
            norm_groups: if keys.norms_groups { kv_count } else { 1 },
            head_dim,
            state_dim: facts.size(key("ssm.state_size", keys.state_dim))?,
            kernel: facts.size(key("ssm.conv_kernel", keys.kernel))?,
            limits: match limits[..] {
                [least, most] if least <= most => [least, most],
                _ => keys.limits,
            },
        })
    }

    pub fn layer(&self, source: &Source, layer: usize, hidden: usize, eps: f32) -> Scan {
        const WHOLE: Name = name("blk.{}.ssm_in", "model.layers.{}.mamba.in_proj");
        let &Mamba { heads: of, head_dim, state_dim, limits, .. } = self;
        let (inner, states) = (of.count * head_dim, of.kv_count * state_dim);
        let by_head = Role::Column(Axis::Heads { of, dim: head_dim });
        let by_group = Role::Column(Axis::KvHeads { of, dim: state_dim });
        let each = Role::Column(Axis::Heads { of, dim: 1 });
        let all = 2 * inner + 2 * states + of.count;
        let part = |gguf, config, first, rows, role| {
            source.part(name(gguf, config), WHOLE, layer, Cut::run(first, rows, all), hidden, role)
        };
        let vector = |gguf, config| source.tensor(name(gguf, config), "", layer, [1, 1, of.count], each);
        let rate = source.rate(name("blk.{}.ssm_a", "model.layers.{}.mamba.A_log"), layer, of.count, each);
        let norm = name("blk.{}.ssm_norm", "model.layers.{}.mamba.norm");
        let norm = source.tensor(norm, ".weight", layer, [1, 1, inner], by_head);
        let output = name("blk.{}.ssm_out", "model.layers.{}.mamba.out_proj");
        let channels = inner + 2 * states;
        let taps = |gguf, config, first, rows, role| {
            self.taps(source, name(gguf, config), layer, Cut::run(first, rows, channels), role)
        };
        let (b, c) = (2 * inner, 2 * inner + states);
        Scan {
            heads: of,
            head_dim,
            state_dim,
            z: part("blk.{}.ssm_in_z", "model.layers.{}.mamba.z_proj", 0, inner, by_head),
            x: part("blk.{}.ssm_in_x", "model.layers.{}.mamba.x_proj", inner, inner, by_head),
            b: part("blk.{}.ssm_in_b", "model.layers.{}.mamba.b_proj", b, states, by_group),
            c: part("blk.{}.ssm_in_c", "model.layers.{}.mamba.c_proj", c, states, by_group),
            step: part("blk.{}.ssm_in_dt", "model.layers.{}.mamba.dt_proj", c + states, of.count, each),
            taps: [
                taps("blk.{}.ssm_conv1d_x", "model.layers.{}.mamba.conv1d_x", 0, inner, by_head),
                taps("blk.{}.ssm_conv1d_b", "model.layers.{}.mamba.conv1d_b", inner, states, by_group),
                taps(
                    "blk.{}.ssm_conv1d_c",
                    "model.layers.{}.mamba.conv1d_c",
                    inner + states,
                    states,
                    by_group,
                ),
            ],
            rate: source.folded(rate, 1),
            bias: vector("blk.{}.ssm_dt.bias", "model.layers.{}.mamba.dt_bias"),
            skip: source.folded(vector("blk.{}.ssm_d", "model.layers.{}.mamba.D"), 1),
            // Granite norms all heads together whatever its groups.
            norm_groups: self.norm_groups,
            norm: Norm { weight: source.folded(norm, inner / of.kv_count), eps },
            o: source.linear(output, layer, hidden, inner, Role::Row(Axis::Heads { of, dim: head_dim })),
            limits,
        }
    }

    /// Some channels' taps and biases.
    fn taps(&self, source: &Source, names: Name, layer: usize, cut: Cut, role: Role) -> Linear {
        const WHOLE: Name = name("blk.{}.ssm_conv1d", "model.layers.{}.mamba.conv1d");
        let weight = source.tensor(names, ".weight", layer, [1, cut.rows, self.kernel], role);
        let bias = source.tensor(names, ".bias", layer, [1, 1, cut.rows], role);
        let has_bias = source.has(&(source.name(WHOLE, layer) + ".bias"));
        Linear {
            weight: source.cut_rows(weight, WHOLE, layer, cut),
            bias: has_bias.then(|| source.cut_bias(bias, WHOLE, layer, cut)),
        }
    }
}
