//! Phi-3 and Phi-4: Llama's shape with queries, keys and values in one matrix, and gate and up in another.

use tandem_tensor::{RopeStyle, Window};

use super::{Architecture, DescribeError};
use crate::description::Grouped;
use crate::facts::key;
use crate::source::{Cut, MLP, Name, Source, name};
use crate::{Attention, Axis, Description, Mlp, Role};

pub const ARCHITECTURE: Architecture = Architecture { gguf: "phi3", config: &["Phi3ForCausalLM"], describe };

const QKV: Name = name("blk.{}.attn_qkv", "model.layers.{}.self_attn.qkv_proj");
/// GGUF calls both halves by the name of one.
const GATE_UP: Name = name("blk.{}.ffn_up", "model.layers.{}.mlp.gate_up_proj");

fn describe(source: &Source) -> Result<Description, DescribeError> {
    let sizes = source.sizes()?;
    let ffn = source.ffn()?;
    let rope = source.partial_rope(sizes.head_dim, RopeStyle::Halves, 1.0)?;
    let context = source.facts.size(key("context_length", "max_position_embeddings"))?;
    // GGUF files say 0 where there is none.
    let window = source.facts.count(key("attention.sliding_window", "sliding_window"))?;
    let window = Some(window).filter(|window| (1..context).contains(window));
    let (of, dim, hidden) = (sizes.heads_of(), sizes.head_dim, sizes.hidden);
    let all = (of.count + 2 * of.kv_count) * dim;
    source.decoder("phi3", &sizes, vec![rope], |layer| {
        let plain = source.attention(layer, &sizes);
        let part = |name, first: usize, heads: usize, role| {
            source.part(name, QKV, layer, Cut::run(first * dim, heads * dim, all), hidden, role)
        };
        let kv = Role::Column(Axis::KvHeads { of, dim });
        let attention = Grouped {
            q: part(
                name("blk.{}.attn_q", "model.layers.{}.self_attn.q_proj"),
                0,
                of.count,
                Role::Column(Axis::Heads { of, dim }),
            ),
            k: part(name("blk.{}.attn_k", "model.layers.{}.self_attn.k_proj"), of.count, of.kv_count, kv),
            v: part(
                name("blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"),
                of.count + of.kv_count,
                of.kv_count,
                kv,
            ),
            window: window.map(Window::Sliding),
            ..plain
        };
        let mut mlp = source.gated(MLP, layer, hidden, ffn);
        let column = Role::Column(Axis::Ffn { width: ffn });
        let half =
            |name, first| source.part(name, GATE_UP, layer, Cut::run(first, ffn, 2 * ffn), hidden, column);
        (mlp.gate, mlp.up) = (half(MLP[0], 0), half(MLP[1], ffn));
        Ok(source.layer(layer, &sizes, Attention::Grouped(attention), Mlp::Gated(mlp)))
    })
}
