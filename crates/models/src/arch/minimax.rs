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
    let rope = source
        .rope(facts.size_or(key("rope.dimension_count", "rotary_dim"), sizes.head_dim)?, RopeStyle::Halves)?;
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
        let attention = Attention::Grouped(source.widely_normed_attention(layer, &sizes));
        Ok(source.layer(layer, &sizes, attention, Mlp::Experts(experts)))
    })
}
