//! `tandem convert`: a safetensors model made into a GGUF file.

mod vocabulary;

use super::output_file::OutputFile;
use crate::conversion::{self, Contents, Conversion, Job, Part, explain_full_disk};
use crate::interrupt::Listener;
use crate::locate;
use crate::mixture::{FileType, Mixture};
use crate::progress::Progress;
use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::time::Duration;
use tandem_formats::GgufWriter;
use tandem_models::{Attention, Shard, Translated, Translation, Value, translate_tower};
use tandem_runtime::{FileSource, ModelFile};
use tandem_tensor::{DType, Program, Weight};
use vocabulary::Vocabulary;

/// Make a GGUF file of a safetensors model
///
/// Reads a folder with config.json, safetensors and tokenizer.json, or a model by its hub id, and writes one GGUF file that
/// this program and llama.cpp run; what a model sees pictures with goes to a file beside it (mmproj-OUTPUT). Works through the tensors in pieces, so that memory does not limit the model's size. An
/// interrupted run leaves its work beside OUTPUT: the same command goes on from there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem convert ./Qwen3-4B qwen3.gguf                 in the types it has
  tandem convert ./Qwen3-4B qwen3.gguf --type Q4_K_M   … or smaller
  tandem convert Qwen/Qwen3-4B qwen3.gguf              pulled first if need be

Types, large to small: F32 F16 BF16 Q8_0 Q6_K Q5_K_M Q5_K_S Q5_1 Q5_0 Q4_K_M
Q4_K_S Q4_1 Q4_0 IQ4_NL IQ4_XS Q3_K_L Q3_K_M Q3_K_S Q2_K Q2_K_S
Norms, other vectors and the routers of experts become F32. Experts stored as
MXFP4 stay so unless F32, F16 or BF16 is asked for.")]
pub struct Args {
    /// A folder, a .safetensors file, or a hub id
    input: OsString,
    #[command(flatten)]
    output: OutputFile,
    /// Type of the new file, like Q4_K_M; without it, each matrix keeps the type it has
    #[arg(long = "type", value_name = "TYPE")]
    file_type: Option<FileType>,
    /// Give every matrix the same type
    #[arg(long, requires = "file_type")]
    pure: bool,
}

pub fn run(args: Args) -> Result<()> {
    let located = locate::or_pull(&locate::parse(Some(&args.input))?, None)?;
    args.output.check(&located.path)?;
    let file = ModelFile::open_exactly(&located.path)?;
    let translation = file.translation()?;
    let name = model_name(&located.path);
    let projector = file.tower_program(&translation.source)?.zip(translation.source.tower.as_ref());
    let projector = match projector {
        None => None,
        Some((program, tower)) => {
            let output = args.output.beside("mmproj-");
            output.check(&located.path)?;
            Some((output, program, tower))
        }
    };

    let mixture = mixture_for(&translation, args.file_type.unwrap_or(FileType::F32), args.pure);
    let program = file.program(&translation.source, &Shard::whole(&translation.source))?;
    let jobs = plan(&file, &program, &translation.tensors, |stored, name, dims| {
        type_for(stored, mixture.choose(name, dims), args.file_type)
    })?;
    conversion::warn_of_second_loss(&jobs);
    let mut writer = GgufWriter::new(&args.output.path);
    let file_type = args.file_type.map_or_else(|| prevailing(&jobs), FileType::id);
    let architecture = translation.target.architecture;
    describe(architecture, "model", &name, file_type, &mut writer)?;
    for (fact, value) in &translation.facts {
        state(&format!("{architecture}.{fact}"), value, &mut writer)?;
    }
    write_tokenizer(&file, translation.source.vocab, &mut writer)?;
    write(&file, &args.output, writer, &jobs)?;

    if let Some((output, program, tower)) = &projector {
        let (facts, tensors) = translate_tower(tower);
        let jobs = plan(&file, program, &tensors, projector_type)?;
        let mut writer = GgufWriter::new(&output.path);
        describe("clip", "mmproj", &name, prevailing(&jobs), &mut writer)?;
        for (key, value) in &facts {
            state(key, value, &mut writer)?;
        }
        write(&file, output, writer, &jobs)?;
        let _ = writeln!(std::io::stderr(), "{}: what it sees pictures with", output.path.display());
    }
    let shown = args.file_type.map_or_else(|| "as stored".to_owned(), |file_type| file_type.to_string());
    args.output.report(&shown, &jobs)
}

/// Write a file with all its tensors, or go on where this was interrupted.
fn write(file: &ModelFile, output: &OutputFile, mut writer: GgufWriter, jobs: &[Job]) -> Result<()> {
    conversion::declare(&mut writer, jobs)?;
    let listener = Listener::new(Duration::from_secs(5));
    let source = file.weights().version_here().with_context(|| file.path().display().to_string())?;
    let mut writer = writer.start_or_resume(source).map_err(explain_full_disk)?;
    if writer.resumed() > 0 {
        let _ =
            writeln!(std::io::stderr(), "resuming: {} of {} tensors are done", writer.resumed(), jobs.len());
    }
    let total_bytes = jobs.iter().map(Job::source_bytes).sum();
    let mut progress = Progress::new(&output.path.display().to_string(), total_bytes, 0);
    let conversion = Conversion {
        source: &FileSource(file.weights()),
        threads: output.threads(),
        listener: &listener,
        interrupted: "the same command goes on from here",
    };
    conversion.run(jobs, &mut writer, |bytes| progress.set(bytes))?;
    tandem_hub::forget_hash(&output.path)?;
    writer.finish().map_err(explain_full_disk)?;
    drop(progress);
    tandem_hub::keep_hash(&output.path)?;
    Ok(())
}

/// What the rules of a mixture want to know of a model.
pub fn mixture_for(translation: &Translation, file_type: FileType, pure: bool) -> Mixture {
    let model = &translation.target;
    let first = model.layers.first();
    let heads_per_kv = match first.map(|layer| &layer.attention) {
        Some(Attention::Grouped(own)) => own.heads / own.kv_heads,
        // llama.cpp sees one head of keys and values that all share.
        Some(Attention::Latent(own)) => own.heads,
        Some(Attention::Pooled(own)) => own.heads,
        Some(attention @ (Attention::Delta(_) | Attention::Scan(_))) => {
            attention.heads().count / attention.heads().kv_count
        }
        None => 1,
    };
    let experts = model.layers.iter().map(|layer| layer.mlp.experts().map_or(0, |own| own.count));
    Mixture {
        file_type,
        pure,
        layers: model.layers.len(),
        heads_per_kv,
        experts: experts.max().unwrap_or(0),
        has_output: model.head.name != model.embedding.name,
    }
}

/// Columns, rows, experts, as far as there are any.
pub fn dims_of(tensor: &Translated) -> Vec<usize> {
    match (tensor.experts, tensor.rows, tensor.cols) {
        // llama.cpp wants the taps of Kimi's convolutions as vectors in a stack.
        (1, rows, cols) if tensor.name.contains(".ssm_conv1d_") => vec![cols, 1, rows],
        // ... and patches as kernels over three colours.
        (1, rows, cols) if tensor.name == "v.patch_embd.weight" => {
            let side = (cols / 3).isqrt();
            vec![side, side, 3, rows]
        }
        (1, 1, cols) => vec![cols],
        (1, rows, cols) => vec![cols, rows],
        (experts, rows, cols) => vec![cols, rows, experts],
    }
}

/// `choose` says the new type of a tensor by the one it has, its new name and its dimensions.
fn plan(
    file: &ModelFile,
    program: &Program,
    tensors: &[Translated],
    choose: impl Fn(DType, &str, &[u64]) -> DType,
) -> Result<Vec<Job>> {
    let weights: HashMap<&str, &Weight> =
        program.weights.iter().map(|weight| (weight.name.as_str(), weight)).collect();
    let weight = |name: &str| -> Result<Weight> {
        let Some(&weight) = weights.get(name) else {
            bail!("{}: tensor `{name}` is described but not used", file.path().display());
        };
        Ok(weight.clone())
    };
    let mut jobs = Vec::with_capacity(tensors.len());
    for tensor in tensors {
        let dims = dims_of(tensor);
        let wide: Vec<u64> = dims.iter().map(|&dim| dim as u64).collect();
        let (to, from) = match &tensor.contents {
            tandem_models::Contents::Computed(values) => (DType::F32, Contents::Computed(values.clone())),
            tandem_models::Contents::Stored { name, rows } => {
                let weight = weight(name)?;
                let to = choose(weight.dtype, &tensor.name, &wide);
                (to, Contents::Stored { weight, rows: *rows })
            }
            tandem_models::Contents::Parts(parts) => {
                let of = |part: &tandem_models::Part| -> Result<Part> {
                    Ok(Part { weight: weight(&part.name)?, rows: part.rows, recipe: part.recipe.clone() })
                };
                let parts: Vec<Part> = parts.iter().map(of).collect::<Result<_>>()?;
                let mut stored = parts.iter().map(|part| part.weight.dtype);
                let first = stored.next().unwrap_or(DType::F32);
                let stored = if stored.all(|dtype| dtype == first) { first } else { DType::F32 };
                (choose(stored, &tensor.name, &wide), Contents::Parts(parts))
            }
        };
        jobs.push(Job { name: tensor.name.clone(), dims, to, from });
    }
    Ok(jobs)
}

/// The matrices of blocks keep the type they have; llama.cpp wants the rest in F32.
fn projector_type(stored: DType, name: &str, dims: &[u64]) -> DType {
    if name.starts_with("v.blk.") && dims.len() == 2 { stored } else { DType::F32 }
}

/// `chosen` is what the mixture says: nothing for vectors and routers, which llama.cpp wants in F32.
fn type_for(stored: DType, chosen: Option<DType>, file_type: Option<FileType>) -> DType {
    let floats = |dtype: DType| dtype.block_len() == 1;
    match (chosen, file_type) {
        (None, _) => DType::F32,
        (Some(_), None) => stored,
        // Four bits that were trained as such: any other type of the size only loses.
        (Some(chosen), Some(_)) if stored == DType::MXFP4 && !floats(chosen) => stored,
        (Some(chosen), Some(_)) => chosen,
    }
}

/// `general.file_type` by the type that holds most values.
fn prevailing(jobs: &[Job]) -> u32 {
    let mut values: HashMap<DType, usize> = HashMap::new();
    for job in jobs {
        *values.entry(job.to).or_default() += job.dims.iter().product::<usize>();
    }
    let most = values.into_iter().max_by_key(|(dtype, values)| (*values, *dtype)).map(|(dtype, _)| dtype);
    most.and_then(FileType::of_base).map_or(FileType::F32.id(), FileType::id)
}

fn describe(
    architecture: &str,
    kind: &str,
    name: &str,
    file_type: u32,
    writer: &mut GgufWriter,
) -> Result<()> {
    writer.set("general.architecture", architecture)?;
    writer.set("general.type", kind)?;
    writer.set("general.name", name)?;
    writer.set("general.quantization_version", 2u32)?;
    writer.set("general.file_type", file_type)?;
    Ok(())
}

fn state(key: &str, value: &Value, writer: &mut GgufWriter) -> Result<()> {
    match value {
        Value::Int(number) if is_real(key) => writer.set(key, *number as f32)?,
        Value::Int(number) => {
            let number = u32::try_from(*number).with_context(|| format!("{key} is {number}"))?;
            writer.set(key, number)?;
        }
        Value::Float(number) => writer.set(key, *number as f32)?,
        Value::Bool(flag) => writer.set(key, *flag)?,
        Value::Text(text) => writer.set(key, text.as_str())?,
        Value::List(items) if items.iter().any(|item| matches!(item, Value::Float(_))) => {
            let number = |item: &Value| match item {
                Value::Int(number) => Some(*number as f32),
                Value::Float(number) => Some(*number as f32),
                _ => None,
            };
            let numbers: Option<Vec<f32>> = items.iter().map(number).collect();
            let numbers = numbers.with_context(|| format!("{key} is a list of other than numbers"))?;
            writer.set(key, numbers.as_slice())?;
        }
        Value::List(items) => {
            let number = |item: &Value| match item {
                Value::Int(number) => u32::try_from(*number).ok(),
                _ => None,
            };
            let numbers: Option<Vec<u32>> = items.iter().map(number).collect();
            let numbers = numbers.with_context(|| format!("{key} is a list of other than whole numbers"))?;
            writer.set(key, numbers.as_slice())?;
        }
    }
    Ok(())
}

/// GGUF tells whole and real numbers apart where JSON does not.
fn is_real(fact: &str) -> bool {
    ["epsilon", "freq_base", "scaling.factor", "attn_factor", "scale"].iter().any(|end| fact.ends_with(end))
        || fact.contains("yarn_")
}

fn write_tokenizer(file: &ModelFile, rows: usize, writer: &mut GgufWriter) -> Result<()> {
    let Some(json) = tandem_runtime::tokenizer_json(file)? else {
        let _ = writeln!(
            std::io::stderr(),
            "note: there is no tokenizer.json or tiktoken.model; the file will hold no vocabulary and takes token ids only"
        );
        // What llama.cpp writes and reads in that case.
        writer.set("tokenizer.ggml.model", "no_vocab")?;
        return Ok(());
    };
    Vocabulary::new(&json, &tandem_runtime::tokenizer_of(file)?, rows)
        .with_context(|| file.path().display().to_string())?
        .write(writer)?;
    if let Some(template) = file.template()? {
        writer.set("tokenizer.chat_template", template)?;
    }
    Ok(())
}

fn model_name(path: &Path) -> String {
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    let folder = folder.and_then(|folder| folder.canonicalize().ok());
    let name = folder.as_deref().and_then(Path::file_name).unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
