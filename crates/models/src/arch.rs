//! The architectures Tandem knows.

mod deepseek;
mod deepseek_v41;
mod gemma3;
mod gemma4;
mod glm4_moe;
mod gpt_oss;
mod granite;
mod kimi_k3;
mod kimi_linear;
mod llama;
mod llama4;
mod mamba2;
mod minimax;
mod minimax_m3;
mod ministral3;
mod nemotron_h;
mod olmo;
mod phi3;
mod qwen2;
mod qwen3;
mod qwen3_moe;
mod qwen3_next;
mod seed_oss;
pub(crate) mod siglip;
mod smollm3;
mod step35;

use std::collections::{HashMap, HashSet};

use crate::source::Source;
use crate::{Description, Facts, Origin, Tensor, Tensors};

/// One architecture: the names files know it by, and how to describe a model of it.
#[derive(Clone, Copy)]
pub struct Architecture {
    /// `general.architecture` in GGUF.
    pub gguf: &'static str,
    /// `architectures[0]` in `config.json`.
    pub config: &'static [&'static str],
    pub describe: fn(&Source) -> Result<Description, DescribeError>,
}

/// Every architecture. Adding one is a file and a line here.
pub const ALL: &[Architecture] = &[
    llama::ARCHITECTURE,
    llama4::ARCHITECTURE,
    qwen2::ARCHITECTURE,
    qwen3::ARCHITECTURE,
    qwen3::VISION,
    qwen3_moe::ARCHITECTURE,
    qwen3_moe::VISION,
    qwen3_next::NEXT,
    qwen3_next::DENSE,
    qwen3_next::EXPERTS,
    deepseek::ARCHITECTURE,
    deepseek::SPARSE,
    deepseek::GLM_SPARSE,
    deepseek::MISTRAL4,
    deepseek_v41::ARCHITECTURE,
    gpt_oss::ARCHITECTURE,
    glm4_moe::ARCHITECTURE,
    minimax::ARCHITECTURE,
    minimax_m3::ARCHITECTURE,
    gemma3::ARCHITECTURE,
    gemma4::ARCHITECTURE,
    ministral3::ARCHITECTURE,
    smollm3::ARCHITECTURE,
    phi3::ARCHITECTURE,
    granite::DENSE,
    granite::EXPERTS,
    granite::HYBRID,
    olmo::ARCHITECTURE,
    seed_oss::ARCHITECTURE,
    step35::ARCHITECTURE,
    kimi_linear::ARCHITECTURE,
    kimi_k3::ARCHITECTURE,
    nemotron_h::DENSE,
    nemotron_h::EXPERTS,
];

/// Describe the model that `facts` and `tensors` come from.
pub fn describe(facts: &dyn Facts, tensors: &dyn Tensors) -> Result<Description, DescribeError> {
    describe_with_names(facts, tensors).map(|(description, _)| description)
}

/// As [`describe`], with what GGUF calls every tensor: what a converter needs.
pub fn describe_with_names(
    facts: &dyn Facts,
    tensors: &dyn Tensors,
) -> Result<(Description, HashMap<String, String>), DescribeError> {
    let name = facts.architecture();
    let known = ALL.iter().find(|known| match facts.origin() {
        Origin::Gguf => known.gguf == name,
        Origin::Config => known.config.contains(&name),
    });
    let known = known.ok_or_else(|| DescribeError::UnknownArchitecture {
        found: name.to_owned(),
        supported: ALL
            .iter()
            .flat_map(|known| std::iter::once(known.gguf).chain(known.config.iter().copied()))
            .collect(),
    })?;
    let source = Source::new(facts, tensors);
    let description = (known.describe)(&source)?;
    check_biases(&description, tensors)?;
    Ok((description, source.into_gguf_names()))
}

/// A file may have a bias where its family has none: leaving that out would give other results.
fn check_biases(model: &Description, tensors: &dyn Tensors) -> Result<(), DescribeError> {
    let described = model.tensors();
    let names = |tensor: &&'_ Tensor| match &tensor.recipe {
        Some(recipe) => recipe.names.clone(),
        None => vec![tensor.name.clone()],
    };
    let used: HashSet<String> = described.iter().flat_map(names).collect();
    for stem in used.iter().filter_map(|name| name.strip_suffix(".weight")) {
        let bias = format!("{stem}.bias");
        if !used.contains(&bias) && tensors.get(&bias).is_some() {
            return Err(DescribeError::UnknownBias { name: bias, architecture: model.architecture });
        }
    }
    Ok(())
}

#[derive(Debug, thiserror::Error)]
pub enum DescribeError {
    #[error("unknown architecture `{found}`; supported: {}", supported.join(", "))]
    UnknownArchitecture { found: String, supported: Vec<&'static str> },
    #[error("the model file does not say `{key}`, which {architecture} models need")]
    Missing { architecture: String, key: String },
    #[error("`{key}` is {found}, expected {expected}")]
    Wrong { key: String, found: String, expected: &'static str },
    #[error("`{key}` is {found}, expected at most {most}")]
    TooMany { key: String, found: usize, most: usize },
    #[error("{what} `{found}` is not supported; supported: {supported}")]
    Unsupported { what: &'static str, found: String, supported: &'static str },
    #[error("{heads} attention heads cannot share {kv_heads} key-value heads evenly")]
    UnevenHeads { heads: usize, kv_heads: usize },
    #[error("the model uses {used} experts at a time but has {count}")]
    TooFewExperts { count: usize, used: usize },
    #[error("{heads} attention heads cannot form {groups} groups of equal length")]
    UnevenOutputs { heads: usize, groups: usize },
    #[error(
        "layer {layer} reads rows that layer {of} pools of {found} tokens each, but its own are of {expected}; all must be the same"
    )]
    MixedRatios { layer: usize, of: usize, found: usize, expected: usize },
    #[error("{experts} experts cannot form {groups} groups of which {used} are used")]
    UnevenGroups { experts: usize, groups: usize, used: usize },
    #[error("the model file has `{name}`, but {architecture} models have no such bias; it is not supported")]
    UnknownBias { name: String, architecture: &'static str },
}
