//! SigLIP, the tower that Gemma 3 sees with.

use tandem_tensor::Recipe;

use super::DescribeError;
use crate::facts::key;
use crate::source::Source;
use crate::tower::{PictureTokens, Tower, TowerLayer};
use crate::{Linear, Norm, Origin, Role, Tensor};

/// What a file calls the tower's tensors.
#[derive(Clone, Copy)]
enum Names {
    Gguf {
        /// Old files call the two matrices of a block by each other's names.
        swapped: bool,
    },
    /// What published names begin with: the tower's, and those of what projects its results, which is Gemma's.
    Published(&'static str, &'static str),
}

impl Names {
    /// `None` where the file has no tower.
    fn of(source: &Source) -> Option<Names> {
        if source.facts.origin() == Origin::Gguf {
            let hidden = source.stored("v.patch_embd.weight")?.rows;
            let up = source.stored("v.blk.0.ffn_up.weight");
            let swapped = up.is_some_and(|up| up.rows == hidden && up.cols != hidden);
            return Some(Names::Gguf { swapped });
        }
        // Files of different years.
        let places = [
            ("vision_tower.vision_model.", "multi_modal_projector."),
            ("model.vision_tower.vision_model.", "model.multi_modal_projector."),
            ("model.vision_tower.", "model.multi_modal_projector."),
        ];
        let has_patches = |tower: &str| source.has(&format!("{tower}embeddings.patch_embedding.weight"));
        let found = places.into_iter().find(|(tower, _)| has_patches(tower));
        found.map(|(tower, projector)| Names::Published(tower, projector))
    }

    fn tower(self, gguf: &str, published: &str) -> String {
        match self {
            Names::Gguf { .. } => format!("v.{gguf}"),
            Names::Published(tower, _) => format!("{tower}{published}"),
        }
    }

    fn layer(self, layer: usize, gguf: &str, published: &str) -> String {
        self.tower(&format!("blk.{layer}.{gguf}"), &format!("encoder.layers.{layer}.{published}"))
    }

    fn projector(self, gguf: &str, published: &str) -> String {
        match self {
            Names::Gguf { .. } => format!("mm.{gguf}"),
            Names::Published(_, projector) => format!("{projector}{published}"),
        }
    }

    /// Of the first and the second matrix of a block.
    fn block(self) -> [&'static str; 2] {
        match self {
            Names::Gguf { swapped: true } => ["ffn_down", "ffn_up"],
            _ => ["ffn_up", "ffn_down"],
        }
    }
}

/// The tower beside the language model, where the file has one, for a model of so many hidden features.
pub(super) fn tower(source: &Source, model_hidden: usize) -> Result<Option<Tower>, DescribeError> {
    let Some(names) = Names::of(source) else { return Ok(None) };
    let facts = source.facts;
    let hidden = facts.size(key("clip.vision.embedding_length", "vision_config.hidden_size"))?;
    let heads = facts.size(key("clip.vision.attention.head_count", "vision_config.num_attention_heads"))?;
    if !hidden.is_multiple_of(heads) {
        return Err(DescribeError::Unsupported {
            what: "a tower's number of heads",
            found: heads.to_string(),
            supported: "divisors of its `hidden_size`",
        });
    }
    let ffn = facts.size(key("clip.vision.feed_forward_length", "vision_config.intermediate_size"))?;
    let layers = facts.size_up_to(key("clip.vision.block_count", "vision_config.num_hidden_layers"), 1000)?;
    let size = facts.size_up_to(key("clip.vision.image_size", "vision_config.image_size"), 4096)?;
    let patch = facts.size_up_to(key("clip.vision.patch_size", "vision_config.patch_size"), size)?;
    let side = size / patch;
    // GGUF files say how many patches of a side become one row's.
    let rows = match facts.origin() {
        Origin::Gguf => (side / facts.size_or(key("clip.vision.projector.scale_factor", ""), SQUARE)?).pow(2),
        Origin::Config => facts.size_or(key("", "mm_tokens_per_image"), 256)?,
    };
    let pooled = rows.isqrt();
    if !size.is_multiple_of(patch) || pooled == 0 || pooled * pooled != rows || !side.is_multiple_of(pooled) {
        return Err(DescribeError::Unsupported {
            what: "a picture of pixels, patches and rows",
            found: format!("{size}, {patch} and {rows}"),
            supported: "whole patches in a side, and whole squares of them in a row",
        });
    }
    for name in ["clip.vision.image_mean", "clip.vision.image_std"] {
        let found = facts.numbers(key(name, ""))?;
        if found.iter().any(|value| *value != MIDDLE) {
            let (what, found) = ("`image_mean` or `image_std`", format!("{found:?}"));
            return Err(DescribeError::Unsupported { what, found, supported: "0.5 for every colour" });
        }
    }
    let eps = facts
        .number_or(key("clip.vision.attention.layer_norm_epsilon", "vision_config.layer_norm_eps"), 1e-6)?;
    let token = |name, default| facts.size_or(key("", name), default).map(|id| id as u32);
    // GGUF files know them by their texts alone.
    let tokens = match facts.origin() {
        Origin::Gguf => None,
        Origin::Config => Some(PictureTokens {
            begin: token("boi_token_index", 255_999)?,
            row: token("image_token_index", 262_144)?,
            end: token("eoi_token_index", 256_000)?,
        }),
    };
    let sizes = Sizes { hidden, heads, ffn, layers, size, patch, rows, eps, model_hidden };
    let tower = sizes.tower(names, tokens);
    Ok(Some(Tower { out_norm: source.centred(tower.out_norm), ..tower }))
}

/// Patches of a side that become one row's, unless something else is said.
pub(crate) const SQUARE: usize = 4;
/// Grey, and what a full colour is from it.
const MIDDLE: f32 = 0.5;

/// The same tower by the names that it has in GGUF files.
pub(crate) fn in_gguf(tower: &Tower) -> Tower {
    let Tower { hidden, heads, size, patch, rows, eps, .. } = *tower;
    let ffn = tower.layers.first().map_or(0, |layer| layer.up.weight.rows);
    let (layers, model_hidden) = (tower.layers.len(), tower.out.weight.rows);
    let sizes = Sizes { hidden, heads, ffn, layers, size, patch, rows, eps, model_hidden };
    sizes.tower(Names::Gguf { swapped: false }, None)
}

struct Sizes {
    hidden: usize,
    heads: usize,
    ffn: usize,
    layers: usize,
    size: usize,
    patch: usize,
    rows: usize,
    eps: f32,
    model_hidden: usize,
}

impl Sizes {
    fn tower(&self, names: Names, tokens: Option<PictureTokens>) -> Tower {
        let &Sizes { hidden, heads, ffn, size, patch, rows, eps, .. } = self;
        let linear = |name: String, rows: usize, cols: usize| Linear {
            weight: tensor(format!("{name}.weight"), rows, cols),
            bias: Some(tensor(format!("{name}.bias"), 1, rows)),
        };
        let norm = |name: String| Linear {
            weight: tensor(format!("{name}.weight"), 1, hidden),
            bias: Some(tensor(format!("{name}.bias"), 1, hidden)),
        };
        let [first, second] = names.block();
        let layer = |layer: usize| {
            let square = |gguf, published| linear(names.layer(layer, gguf, published), hidden, hidden);
            TowerLayer {
                attention_norm: norm(names.layer(layer, "ln1", "layer_norm1")),
                q: square("attn_q", "self_attn.q_proj"),
                k: square("attn_k", "self_attn.k_proj"),
                v: square("attn_v", "self_attn.v_proj"),
                o: square("attn_out", "self_attn.out_proj"),
                mlp_norm: norm(names.layer(layer, "ln2", "layer_norm2")),
                up: linear(names.layer(layer, first, "mlp.fc1"), ffn, hidden),
                down: linear(names.layer(layer, second, "mlp.fc2"), hidden, ffn),
            }
        };
        let out = names.projector("input_projection.weight", "mm_input_projection_weight");
        let turned = Recipe { transposed: true, ..Recipe::stack(vec![out.clone()]) };
        let out_norm = names.projector("soft_emb_norm.weight", "mm_soft_emb_norm.weight");
        let positions = names.tower("position_embd.weight", "embeddings.position_embedding.weight");
        Tower {
            size,
            patch,
            rows,
            mean: MIDDLE,
            deviation: MIDDLE,
            hidden,
            heads,
            patches: linear(
                names.tower("patch_embd", "embeddings.patch_embedding"),
                hidden,
                3 * patch * patch,
            ),
            positions: tensor(positions, (size / patch).pow(2), hidden),
            layers: (0..self.layers).map(layer).collect(),
            norm: norm(names.tower("post_ln", "post_layernorm")),
            eps,
            out_norm: Norm { weight: tensor(out_norm, 1, hidden), eps },
            out: Linear {
                weight: Tensor { recipe: Some(turned), ..tensor(out, self.model_hidden, hidden) },
                bias: None,
            },
            tokens,
        }
    }
}

fn tensor(name: String, rows: usize, cols: usize) -> Tensor {
    Tensor { name, recipe: None, experts: 1, rows, cols, role: Role::Replicated }
}
