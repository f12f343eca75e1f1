//! Qwen3 dense: Llama's shape with a norm on every query and key head.

use tandem_tensor::RopeStyle;

use super::{Architecture, DescribeError, Source, name};
use crate::{Attention, Description};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "qwen3", config: &["Qwen3ForCausalLM"], describe };

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let sizes = source.sizes()?;
    let rope = source.rope(sizes.head_dim, RopeStyle::Halves)?;
    let head_norm = |names, layer| Some(source.norm(names, layer, sizes.head_dim, sizes.eps));
    source.decoder("qwen3", &sizes, vec![rope], |layer| {
        let attention = Attention {
            q_norm: head_norm(name("blk.{}.attn_q_norm", "model.layers.{}.self_attn.q_norm"), layer),
            k_norm: head_norm(name("blk.{}.attn_k_norm", "model.layers.{}.self_attn.k_norm"), layer),
            ..source.attention(layer, &sizes)
        };
        source.layer(layer, &sizes, attention, source.gated_mlp(layer, &sizes))
    })
}
