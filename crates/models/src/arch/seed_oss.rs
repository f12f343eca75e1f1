//! Seed-OSS: Llama's shape with biases on queries, keys and values.

use tandem_tensor::RopeStyle;

use super::{Architecture, DescribeError};
use crate::source::{MLP, Source, name};
use crate::{Attention, Description, Layer, Mlp};

pub const ARCHITECTURE: Architecture =
    Architecture { gguf: "seed_oss", config: &["SeedOssForCausalLM"], describe };

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let sizes = source.sizes()?;
    let ffn = source.ffn()?;
    let rope = source.rope(sizes.head_dim, RopeStyle::Halves)?;
    source.decoder("seed_oss", &sizes, vec![rope], |layer| {
        let attention = Attention::Grouped(source.attention(layer, &sizes));
        let mlp = Mlp::Gated(source.gated(MLP, layer, sizes.hidden, ffn));
        let norm = name("blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm");
        let mlp_norm = Some(source.norm(norm, layer, sizes.hidden, sizes.eps));
        Ok(Layer { mlp_norm, ..source.layer(layer, &sizes, attention, mlp) })
    })
}
