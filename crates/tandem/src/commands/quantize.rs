//! `tandem quantize`: a GGUF file rewritten with smaller weights.

use super::output_file::OutputFile;
use crate::conversion::{self, Contents, Conversion, Job, explain_full_disk};
use crate::interrupt::Listener;
use crate::mixture::{FileType, Mixture};
use crate::progress::Progress;
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::time::Duration;
use tandem_formats::{Gguf, GgufWriter, Metadata, Weights};
use tandem_models::RowOrder;
use tandem_runtime::FileSource;
use tandem_tensor::Weight;

/// Make a smaller copy of a GGUF model
///
/// The types and mixtures are llama.cpp's: `_S`, `_M` and `_L` keep more bits for the tensors that need them most.
/// Metadata is kept. The new file appears under its name only when it is whole.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem quantize model-f16.gguf small.gguf --type Q4_K_M
  tandem quantize model-f16.gguf small.gguf --type Q8_0 --threads 4
  tandem quantize model-f16.gguf pure.gguf --type Q4_0 --pure

Types, large to small: F32 F16 BF16 Q8_0 Q6_K Q5_K_M Q5_K_S Q5_1 Q5_0 Q4_K_M
Q4_K_S Q4_1 Q4_0 IQ4_NL IQ4_XS Q3_K_L Q3_K_M Q3_K_S Q2_K Q2_K_S
Norms and other vectors stay as they are. The output matrix gets Q6_K. Rows that
are no multiple of 256 get the next larger type that fits.")]
pub struct Args {
    /// The GGUF file to read (any part of a split one)
    input: PathBuf,
    #[command(flatten)]
    output: OutputFile,
    /// Type of the new file, like Q4_K_M
    #[arg(long = "type", value_name = "TYPE")]
    file_type: FileType,
    /// Give every matrix the same type
    #[arg(long)]
    pure: bool,
}

pub fn run(args: Args) -> Result<()> {
    let source = Gguf::open(&args.input)?;
    args.output.check(&args.input)?;
    let mixture =
        mixture_for(source.metadata(), args.file_type, args.pure, source.find("output.weight").is_some());
    let jobs = plan(&source, &mixture)?;
    conversion::warn_of_second_loss(&jobs);

    let mut writer = GgufWriter::new(&args.output.path);
    let replaced = ["general.file_type", "general.quantization_version"];
    writer.copy_metadata(source.metadata(), |key| !replaced.contains(&key))?;
    writer.set("general.quantization_version", 2u32)?;
    writer.set("general.file_type", args.file_type.id())?;
    conversion::declare(&mut writer, &jobs)?;

    let listener = Listener::new(Duration::from_secs(5));
    let total_bytes = jobs.iter().map(Job::source_bytes).sum();
    let mut progress = Progress::new(&args.output.path.display().to_string(), total_bytes, 0);
    let mut writer = writer.start().map_err(explain_full_disk)?;
    let conversion = Conversion {
        source: &FileSource(&source),
        threads: args.output.threads(),
        listener: &listener,
        interrupted: "nothing was written",
    };
    conversion.run(&jobs, &mut writer, |bytes| progress.set(bytes))?;
    tandem_hub::forget_hash(&args.output.path)?;
    writer.finish().map_err(explain_full_disk)?;
    drop(progress);
    tandem_hub::keep_hash(&args.output.path)?;
    args.output.report(&args.file_type.to_string(), &jobs)
}

/// What the rules of a mixture want to know, from a model's metadata.
pub fn mixture_for(metadata: &Metadata, file_type: FileType, pure: bool, has_output: bool) -> Mixture {
    let architecture = metadata.find::<&str>("general.architecture").ok().flatten().unwrap_or_default();
    let number = |key: &str| metadata.find::<usize>(&format!("{architecture}.{key}")).ok().flatten();
    let heads = number("attention.head_count").unwrap_or(1);
    let kv_heads = number("attention.head_count_kv").unwrap_or(heads).max(1);
    Mixture {
        file_type,
        pure,
        layers: number("block_count").unwrap_or(0),
        heads_per_kv: heads / kv_heads,
        experts: number("expert_count").unwrap_or(0),
        has_output,
    }
}

fn plan(source: &Gguf, mixture: &Mixture) -> Result<Vec<Job>> {
    let mut jobs = Vec::with_capacity(source.tensors().len());
    for tensor in source.tensors() {
        // Asking for it also finds types we cannot read, before anything is written.
        let info = source.require(&tensor.name)?;
        let to = mixture.choose(&tensor.name, &tensor.dims).unwrap_or(info.dtype);
        let slice = info.shape.whole();
        let weight = Weight { name: info.name, dtype: info.dtype, slice, recipe: None };
        let dims = tensor.dims.iter().map(|&dim| dim as usize).collect();
        let from = Contents::Stored { weight, rows: RowOrder::Same };
        jobs.push(Job { name: tensor.name.clone(), dims, to, from });
    }
    if jobs.is_empty() {
        bail!("{} holds no tensors", source.metadata().path().display());
    }
    Ok(jobs)
}
