//! MiniMax M2 to M2.7: norms over all query and all key heads together, half of every head rotated, many experts.

use tandem_tensor::{RopeStyle, Routing, Score};

use super::{Architecture, DescribeError};
use crate::facts::key;
use crate::source::{BLOCK_SPARSE_EXPERTS, ExpertBlock, Name, Source, name};
use crate::{Attention, Description, Mlp, Role, Value};

pub const CHOICE: Name =
    name("blk.{}.exp_probs_b.bias", "model.layers.{}.block_sparse_moe.e_score_correction_bias");

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "minimax-m2", config: &["MiniMaxM2ForCausalLM"], describe };

fn describe(source: &Source) -> Result<Description, DescribeError> {
    /// `expert_gating_func` in GGUF.
    const SIGMOID: i64 = 2;
    let facts = source.facts;
    let sizes = source.sizes()?;
    let part = facts.number_or(key("", "partial_rotary_factor"), 1.0)?.clamp(0.0, 1.0);
    let dims = (sizes.head_dim as f32 * part) as usize;
    let dims = facts.size_or(key("rope.dimension_count", "rotary_dim"), dims)?;
    source.state("rope.dimension_count", Value::Int(dims as i64));
    let rope = source.rope(dims, RopeStyle::Halves)?;
    let is_normed = facts.flag(key("", "use_qk_norm"))?.unwrap_or(true);
    if let Some(found) = facts.text_opt(key("", "scoring_func"))?.filter(|func| func != "sigmoid") {
        return Err(DescribeError::Unsupported { what: "scoring_func", found, supported: "sigmoid" });
    }
    source.state("expert_gating_func", Value::Int(SIGMOID));
    let (count, used) = source.expert_counts("num_local_experts")?;
    let width = facts.size(key("expert_feed_forward_length", "intermediate_size"))?;
    source.state("feed_forward_length", Value::Int(width as i64));
    let block = ExpertBlock {
        router: name("blk.{}.ffn_gate_inp", "model.layers.{}.block_sparse_moe.gate"),
        names: BLOCK_SPARSE_EXPERTS,
        count,
        width,
        routing: Routing { normalise: true, ..Routing::of(used, Score::Sigmoid) },
    };
    source.decoder("minimax-m2", &sizes, vec![rope], |layer| {
        let mut experts = source.experts(&block, layer, sizes.hidden);
        experts.choice_bias = Some(source.tensor(CHOICE, "", layer, [1, 1, count], Role::Replicated));
        let attention = match is_normed {
            true => source.widely_normed_attention(layer, &sizes),
            false => source.attention(layer, &sizes),
        };
        Ok(source.layer(layer, &sizes, Attention::Grouped(attention), Mlp::Experts(experts)))
    })
}
