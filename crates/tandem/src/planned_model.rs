//! What the planner must know of a model that a person names, whether or not it is here.

use crate::commands::convert::mixture_for;
use crate::failure::Advised;
use crate::locate;
use crate::mixture::{FileType, Mixture};
use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::path::Path;
use tandem_hub::{Catalogue, Entry, ModelRef};
use tandem_models::{Attention, Mlp, Shard, Stored, Tensor, Tensors, Translation};
use tandem_node::{file_facts, model_facts};
use tandem_plan::{ModelFacts, RANKS_MAX};
use tandem_ranks::Exchange;
use tandem_runtime::{Device, Kept, ModelFile, Options, translate_config};
use tandem_tensor::DType;

pub struct PlannedModel {
    pub name: String,
    pub facts: ModelFacts,
    /// In other quantisations, large to small; none where the model is a file.
    pub others: Vec<(String, ModelFacts)>,
}

/// Tried where a model does not fit, large to small.
const SMALLER: [FileType; 7] = [
    FileType::Q8_0,
    FileType::Q6_K,
    FileType::Q5_K_M,
    FileType::Q4_K_M,
    FileType::IQ4_XS,
    FileType::Q3_K_M,
    FileType::Q2_K,
];

impl PlannedModel {
    /// A name of the catalogue, a `config.json`, or a model on this machine.
    pub fn named(model: &OsStr, quant: Option<FileType>) -> Result<PlannedModel> {
        if let Some(entry) = model.to_str().and_then(|name| Catalogue::embedded().get(name)) {
            return PlannedModel::of_entry(entry, quant);
        }
        let path = Path::new(model);
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let config = tandem_formats::parse_config(&text)
                .with_context(|| format!("{} is not valid JSON", path.display()))?;
            return PlannedModel::of_config(
                &path.display().to_string(),
                &config,
                quant.unwrap_or(FileType::Q4_K_M),
            );
        }
        let located =
            ModelRef::parse(model).map_err(anyhow::Error::from).and_then(|it| locate::on_this_machine(&it));
        let located = located.map_err(|error| {
            let advice = "give a name of `tandem models --available`, a model that is here, or its config.json: \
                          that is all that planning needs";
            Advised::new(format!("{error}"), advice)
        })?;
        if quant.is_some() {
            let advice = "leave --quant out, or give the model's config.json";
            return Err(Advised::new("a file has the quantisation it has", advice).into());
        }
        let file = ModelFile::open(&located.path)?;
        let facts = file_facts(&file, &Device::cpu(), Options::default().sequences_max)?;
        Ok(PlannedModel { name: located.name, facts, others: Vec::new() })
    }

    pub fn of_entry(entry: &Entry, quant: Option<FileType>) -> Result<PlannedModel> {
        // Hubs shorten the name of the one; a folder of safetensors holds halves.
        let own = match entry.quant.as_str() {
            "MXFP4" => FileType::MXFP4_MOE,
            "safetensors" => FileType::BF16,
            quant => quant.parse().map_err(anyhow::Error::msg)?,
        };
        PlannedModel::of_config(&entry.name, &entry.config, quant.unwrap_or(own))
    }

    fn of_config(name: &str, config: &serde_json::Value, quant: FileType) -> Result<PlannedModel> {
        let translation = translate_config(config, Path::new(name))?;
        let others = SMALLER.iter().filter(|other| **other != quant);
        Ok(PlannedModel {
            name: format!("{name} {quant}"),
            facts: facts_in(&translation, quant),
            others: others.map(|other| (other.to_string(), facts_in(&translation, *other))).collect(),
        })
    }
}

/// What a model would take in a quantisation, with working memory estimated.
fn facts_in(translation: &Translation, file_type: FileType) -> ModelFacts {
    let model = &translation.target;
    let stored = Quantised { translation, mixture: mixture_for(translation, file_type, false) };
    let counted = model_facts(model, |tensor| stored.bytes(tensor));
    let layers = model.layers.len();
    let divides = |ranks: &usize| Shard::divide(model, &stored, 0..layers, &vec![1.0; *ranks]).is_ok();
    let ranks_max = (2..=RANKS_MAX).rev().find(divides).unwrap_or(1);
    let options = Options::default();
    let limits = options.limits_for(Kept::by(model), model.context, 0);
    let exchange_bytes =
        Exchange::new(&limits, 1, model.hidden, model.stream_width().max(2 * model.hidden), model.vocab)
            .bytes();
    let scratch_bytes = scratch_bytes(translation);
    let sequences_max = options.sequences_max;
    ModelFacts { ranks_max, scratch_bytes, exchange_bytes, sequences_max, ..counted }
}

/// Rows of a prompt that run together, each with what a layer holds at once, and the results of some of them.
fn scratch_bytes(translation: &Translation) -> u64 {
    const ROWS: usize = 512;
    const OUTPUTS: usize = 64;
    let model = &translation.target;
    let widest = model.layers.iter().map(|layer| {
        let heads = match &layer.attention {
            Attention::Grouped(own) => (own.heads + 2 * own.kv_heads) * own.head_dim,
            Attention::Latent(own) => {
                let gate = if own.gate.is_some() { own.value_dim } else { 0 };
                own.heads * (own.latent_dim + own.nope_dim + own.rope_dim + own.value_dim + gate)
            }
            Attention::Pooled(own) => {
                let lists = own.chooser.as_ref().map_or(0, |own| {
                    own.heads * own.key_dim + own.count + own.blocks.map_or(0, |blocks| blocks.count)
                });
                2 * own.heads * own.head_dim + 6 * own.head_dim + own.o.weight.cols + lists
            }
            // Before and after their convolutions.
            Attention::Delta(own) => {
                4 * own.heads.kv_count * own.key_dim + 4 * own.heads.count * own.value_dim
            }
            Attention::Scan(own) => {
                4 * own.heads.kv_count * own.state_dim + 4 * own.heads.count * own.head_dim
            }
        };
        let mlp = match &layer.mlp {
            Mlp::None => 0,
            Mlp::Gated(own) => 2 * own.up.weight.rows,
            Mlp::Experts(own) => own.routing.used * (2 * own.up.weight.rows + own.down.weight.rows),
            Mlp::Both(own) => {
                let experts = &own.experts;
                2 * own.dense.up.weight.rows
                    + experts.routing.used * (2 * experts.up.weight.rows + model.hidden)
            }
        };
        heads + mlp
    });
    let inputs = model.inputs.as_ref().map_or(0, |inputs| 2 * inputs.table.cols);
    // What the stream was, in models that keep it.
    let kept = model.residuals.as_ref().map_or(0, |own| own.kept_before(model.layers.len()) + 1);
    let row = (4 + kept) * model.hidden + model.stream_width() + widest.max().unwrap_or(0) + inputs;
    (4 * (ROWS * row + OUTPUTS * model.vocab)) as u64
}

/// A file that does not exist, as quantising would write it.
struct Quantised<'a> {
    translation: &'a Translation,
    mixture: Mixture,
}

impl Quantised<'_> {
    fn dtype(&self, name: &str, (experts, rows, cols): (usize, usize, usize)) -> DType {
        let dims = [cols, rows, experts].map(|dim| dim as u64);
        let dims = &dims[..1 + usize::from(rows > 1 || experts > 1) + usize::from(experts > 1)];
        self.mixture.choose(name, dims).unwrap_or(DType::F32)
    }

    fn bytes(&self, tensor: &Tensor) -> u64 {
        let (experts, rows, cols) = (tensor.experts, tensor.rows, tensor.cols);
        let cut = tensor.recipe.as_ref().and_then(|recipe| {
            let whole = self.get(recipe.names.first()?)?;
            Some(recipe.dtype(whole.dtype))
        });
        let dtype = cut.unwrap_or_else(|| self.dtype(&tensor.name, (experts, rows, cols)));
        let row = cols.div_ceil(dtype.block_len()) * dtype.block_bytes();
        (experts * rows) as u64 * row as u64
    }
}

impl Tensors for Quantised<'_> {
    fn get(&self, name: &str) -> Option<Stored> {
        let tensor = self.translation.tensors.iter().find(|tensor| tensor.name == name)?;
        let (experts, rows, cols) = (tensor.experts, tensor.rows, tensor.cols);
        Some(Stored { dtype: self.dtype(name, (experts, rows, cols)), experts, rows, cols })
    }
}
