//! GLM-4.5, 4.6 and 4.7, and their Air versions: grouped attention over half of every head, many experts and a shared one.

use tandem_tensor::{RopeStyle, Score};

use super::deepseek::{CHOICE, SHARED, routing};
use super::{Architecture, DescribeError};
use crate::facts::key;
use crate::source::{EXPERTS, ExpertBlock, MLP, Source, name};
use crate::{Attention, Description, Layer, Mlp, Role};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "glm4moe", config: &["Glm4MoeForCausalLM"], describe };

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let facts = source.facts;
    let sizes = source.sizes()?;
    let rope = source.partial_rope(sizes.head_dim, RopeStyle::Halves, 0.5)?;
    let (count, used) = source.expert_counts("n_routed_experts")?;
    let block = ExpertBlock {
        router: name("blk.{}.ffn_gate_inp", "model.layers.{}.mlp.gate"),
        names: EXPERTS,
        count,
        width: facts.size(key("expert_feed_forward_length", "moe_intermediate_size"))?,
        routing: routing(source, count, used, Score::Sigmoid)?,
    };
    let shared = facts.count(key("expert_shared_count", "n_shared_experts"))?;
    let dense = facts.count(key("leading_dense_block_count", "first_k_dense_replace"))?;
    source.decoder("glm4moe", &sizes, vec![rope], |layer| {
        let mut attention = source.normed_attention(layer, &sizes);
        // The largest has norms on its heads, Air has none.
        for norm in [&mut attention.q_norm, &mut attention.k_norm] {
            *norm = norm.take().filter(|norm| source.has(&norm.weight.name));
        }
        let mlp = if layer < dense {
            Mlp::Gated(source.gated(MLP, layer, sizes.hidden, source.ffn()?))
        } else {
            let mut experts = source.experts(&block, layer, sizes.hidden);
            experts.choice_bias = Some(source.tensor(CHOICE, "", layer, [1, 1, count], Role::Replicated));
            if shared > 0 {
                experts.shared = Some(source.gated(SHARED, layer, sizes.hidden, block.width * shared));
            }
            Mlp::Experts(experts)
        };
        let norm = name("blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm");
        let mlp_norm = Some(source.norm(norm, layer, sizes.hidden, sizes.eps));
        Ok(Layer { mlp_norm, ..source.layer(layer, &sizes, Attention::Grouped(attention), mlp) })
    })
}
