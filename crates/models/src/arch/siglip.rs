//! SigLIP, the tower that Gemma 3 sees with.

use tandem_tensor::Recipe;

use super::DescribeError;
use crate::facts::key;
use crate::source::Source;
use crate::tower::{PictureTokens, Tower, TowerLayer};
use crate::{Linear, Norm, Origin, Role, Tensor};

/// The tower beside the language model, where the file has one, for a model of so many hidden features. What projects its results is
/// Gemma's.
pub(super) fn tower(source: &Source, model_hidden: usize) -> Result<Option<Tower>, DescribeError> {
    if source.facts.origin() == Origin::Gguf {
        return Ok(None);
    }
    // Files of different years.
    let places = [
        ("vision_tower.vision_model.", "multi_modal_projector."),
        ("model.vision_tower.vision_model.", "model.multi_modal_projector."),
        ("model.vision_tower.", "model.multi_modal_projector."),
    ];
    let has_patches = |tower: &str| source.has(&format!("{tower}embeddings.patch_embedding.weight"));
    let Some((place, projector)) = places.into_iter().find(|(tower, _)| has_patches(tower)) else {
        return Ok(None);
    };
    let facts = source.facts;
    let hidden = facts.size(key("", "vision_config.hidden_size"))?;
    let heads = facts.size(key("", "vision_config.num_attention_heads"))?;
    if !hidden.is_multiple_of(heads) {
        return Err(DescribeError::Unsupported {
            what: "a tower's number of heads",
            found: heads.to_string(),
            supported: "divisors of its `hidden_size`",
        });
    }
    let ffn = facts.size(key("", "vision_config.intermediate_size"))?;
    let layers = facts.size_up_to(key("", "vision_config.num_hidden_layers"), 1000)?;
    let size = facts.size_up_to(key("", "vision_config.image_size"), 4096)?;
    let patch = facts.size_up_to(key("", "vision_config.patch_size"), size)?;
    let rows = facts.size_or(key("", "mm_tokens_per_image"), 256)?;
    let (side, pooled) = (size / patch, rows.isqrt());
    if !size.is_multiple_of(patch) || pooled * pooled != rows || !side.is_multiple_of(pooled) {
        return Err(DescribeError::Unsupported {
            what: "a picture of pixels, patches and rows",
            found: format!("{size}, {patch} and {rows}"),
            supported: "whole patches in a side, and whole squares of them in a row",
        });
    }
    let eps = facts.number_or(key("", "vision_config.layer_norm_eps"), 1e-6)?;
    let token = |name, default| facts.size_or(key("", name), default).map(|id| id as u32);
    let linear = |name: String, rows: usize, cols: usize| Linear {
        weight: tensor(format!("{place}{name}.weight"), rows, cols),
        bias: Some(tensor(format!("{place}{name}.bias"), 1, rows)),
    };
    let norm = |name: String| Linear {
        weight: tensor(format!("{place}{name}.weight"), 1, hidden),
        ..linear(name, hidden, 1)
    };
    let layer = |layer: usize| {
        let name = |name: &str| format!("encoder.layers.{layer}.{name}");
        TowerLayer {
            attention_norm: norm(name("layer_norm1")),
            q: linear(name("self_attn.q_proj"), hidden, hidden),
            k: linear(name("self_attn.k_proj"), hidden, hidden),
            v: linear(name("self_attn.v_proj"), hidden, hidden),
            o: linear(name("self_attn.out_proj"), hidden, hidden),
            mlp_norm: norm(name("layer_norm2")),
            up: linear(name("mlp.fc1"), ffn, hidden),
            down: linear(name("mlp.fc2"), hidden, ffn),
        }
    };
    let out_norm = tensor(format!("{projector}mm_soft_emb_norm.weight"), 1, hidden);
    let out = format!("{projector}mm_input_projection_weight");
    let turned = Recipe { transposed: true, ..Recipe::stack(vec![out.clone()]) };
    Ok(Some(Tower {
        size,
        patch,
        rows,
        mean: 0.5,
        deviation: 0.5,
        hidden,
        heads,
        patches: linear("embeddings.patch_embedding".to_owned(), hidden, 3 * patch * patch),
        positions: tensor(format!("{place}embeddings.position_embedding.weight"), side * side, hidden),
        layers: (0..layers).map(layer).collect(),
        norm: norm("post_layernorm".to_owned()),
        eps,
        out_norm: source.centred(Norm { weight: out_norm, eps }),
        out: Linear {
            weight: Tensor { recipe: Some(turned), ..tensor(out, model_hidden, hidden) },
            bias: None,
        },
        tokens: PictureTokens {
            begin: token("boi_token_index", 255_999)?,
            row: token("image_token_index", 262_144)?,
            end: token("eoi_token_index", 256_000)?,
        },
    }))
}

fn tensor(name: String, rows: usize, cols: usize) -> Tensor {
    Tensor { name, recipe: None, experts: 1, rows, cols, role: Role::Replicated }
}
