//! `tandem quantize`: a GGUF file rewritten with smaller weights.

use crate::display;
use crate::failure::{Advised, Interrupted};
use crate::interrupt::Listener;
use crate::mixture::{FileType, Mixture};
use crate::progress::Progress;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tandem_formats::{Gguf, GgufWriter, Metadata};
use tandem_tensor::{DType, quant};

/// Values that one thread converts at a time: 4 MiB as floats.
const CHUNK_VALUES: usize = 1 << 20;

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
    /// The GGUF file to write
    output: PathBuf,
    /// Type of the new file, like Q4_K_M
    #[arg(long = "type", value_name = "TYPE")]
    file_type: FileType,
    /// Give every matrix the same type
    #[arg(long)]
    pure: bool,
    /// Overwrite OUTPUT
    #[arg(long)]
    force: bool,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let source = Gguf::open(&args.input)?;
    check_output(&args)?;
    let mixture =
        mixture_for(source.metadata(), args.file_type, args.pure, source.find("output.weight").is_some());
    let jobs = plan(&source, &mixture)?;
    warn_of_second_loss(&jobs);

    let mut writer = GgufWriter::new(&args.output);
    let replaced = ["general.file_type", "general.quantization_version"];
    writer.copy_metadata(source.metadata(), |key| !replaced.contains(&key))?;
    writer.set("general.quantization_version", 2u32)?;
    writer.set("general.file_type", args.file_type.id())?;
    for job in &jobs {
        let dims: Vec<usize> = job.dims.iter().map(|&dim| dim as usize).collect();
        writer.add_tensor(&job.name, job.to, &dims)?;
    }

    let listener = Listener::new(Duration::from_secs(5));
    let threads = args.threads.map_or_else(cores, usize::from);
    let total_bytes = jobs.iter().map(|job| job.from_bytes).sum();
    let mut progress = Progress::new(&args.output.display().to_string(), total_bytes, 0);
    let mut writer = writer.start().map_err(explain_full_disk)?;
    let mut converted = Vec::new();
    let (mut done_bytes, mut written_bytes) = (0, 0);
    for job in &jobs {
        let bytes = source.data(&job.name)?;
        let result = if job.from == job.to {
            bytes
        } else {
            convert(job, bytes, threads, &mut converted, &listener, |bytes| {
                progress.set(done_bytes + bytes)
            })?;
            &converted
        };
        writer.write_tensor(&job.name, result).map_err(explain_full_disk)?;
        done_bytes += job.from_bytes;
        written_bytes += result.len() as u64;
        progress.set(done_bytes);
        if listener.is_raised() {
            return Err(Interrupted("nothing was written").into());
        }
    }
    writer.finish().map_err(explain_full_disk)?;
    drop(progress);

    let mut out = std::io::stdout().lock();
    if args.json {
        let facts = json!({
            "output": args.output,
            "type": args.file_type.to_string(),
            "input_bytes": source.file_bytes(),
            "weights_bytes": written_bytes,
            "tensors": jobs.len(),
        });
        writeln!(out, "{facts:#}")?;
    } else {
        writeln!(
            out,
            "{}: {} of weights were {}",
            args.output.display(),
            display::bytes(written_bytes),
            display::bytes(total_bytes)
        )?;
        writeln!(out, "Next: tandem run {}", args.output.display())?;
    }
    Ok(())
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
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

/// One tensor's way from one type to another.
struct Job {
    name: String,
    dims: Vec<u64>,
    from: DType,
    to: DType,
    from_bytes: u64,
}

fn plan(source: &Gguf, mixture: &Mixture) -> Result<Vec<Job>> {
    let mut jobs = Vec::with_capacity(source.tensors().len());
    for tensor in source.tensors() {
        // Asking for the bytes also finds types we cannot read, before anything is written.
        let from_bytes = source.data(&tensor.name)?.len() as u64;
        let from = tensor.kind.dtype().with_context(|| format!("{}: unknown type", tensor.name))?;
        let to = mixture.choose(&tensor.name, &tensor.dims).unwrap_or(from);
        jobs.push(Job { name: tensor.name.clone(), dims: tensor.dims.clone(), from, to, from_bytes });
    }
    if jobs.is_empty() {
        bail!("{} holds no tensors", source.metadata().path().display());
    }
    Ok(jobs)
}

fn check_output(args: &Args) -> Result<()> {
    let (input, output) = (&args.input, &args.output);
    if output.is_dir() {
        let message = format!("{} is a folder", output.display());
        return Err(Advised::new(message, "name the file to write").into());
    }
    if output.file_name().is_none() {
        bail!("{} is no name for a file", output.display());
    }
    if output.exists() {
        let same = |path: &Path| path.canonicalize().ok();
        if same(input) == same(output) {
            bail!("{} is the file to read; write to another one", output.display());
        }
        if !args.force {
            let message = format!("{} exists", output.display());
            return Err(Advised::new(message, "--force overwrites it").into());
        }
    }
    Ok(())
}

fn warn_of_second_loss(jobs: &[Job]) {
    let lossy = jobs.iter().find(|job| job.from != job.to && job.from.block_len() > 1);
    if let Some(job) = lossy {
        let _ = writeln!(
            std::io::stderr(),
            "note: the weights are quantised already (`{}` is {}); converting them again loses quality twice",
            display::line(&job.name, 60),
            job.from
        );
    }
}

/// Converts a tensor into `out`, its chunks shared out among threads.
fn convert(
    job: &Job,
    bytes: &[u8],
    threads: usize,
    out: &mut Vec<u8>,
    listener: &Listener,
    mut on_progress: impl FnMut(u64),
) -> Result<()> {
    // A chunk is a whole number of blocks of either type: all block lengths divide it.
    let values: u64 = job.dims.iter().product();
    let size = |dtype: DType, values: usize| values / dtype.block_len() * dtype.block_bytes();
    out.clear();
    out.resize(size(job.to, values as usize), 0);
    let pairs = bytes.chunks(size(job.from, CHUNK_VALUES)).zip(out.chunks_mut(size(job.to, CHUNK_VALUES)));
    let pairs = Mutex::new(pairs);
    let done_bytes = AtomicU64::new(0);
    let bad: Mutex<Option<f32>> = Mutex::new(None);
    let work = |report: &mut dyn FnMut(u64)| {
        let (mut floats, mut blocks) = (Vec::new(), Vec::new());
        loop {
            let next = pairs.lock().map(|mut pairs| pairs.next());
            let Ok(Some((from, to))) = next else { return };
            if listener.is_raised() {
                return;
            }
            floats.resize(from.len() / job.from.block_bytes() * job.from.block_len(), 0.0);
            quant::dequantize(job.from, from, &mut floats);
            if let Some(value) = floats.iter().find(|value| !value.is_finite()) {
                if let Ok(mut bad) = bad.lock() {
                    *bad = Some(*value);
                }
                return;
            }
            blocks.clear();
            quant::quantize(job.to, &floats, &mut blocks);
            to.copy_from_slice(&blocks);
            report(done_bytes.fetch_add(from.len() as u64, Ordering::Relaxed) + from.len() as u64);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| work(&mut |_| ()));
        }
        work(&mut on_progress);
    });
    if listener.is_raised() {
        return Err(Interrupted("nothing was written").into());
    }
    if let Ok(Some(value)) = bad.into_inner() {
        bail!("tensor `{}` holds {value}; the input file is damaged", job.name);
    }
    Ok(())
}

pub fn explain_full_disk(error: tandem_formats::GgufWriteError) -> anyhow::Error {
    use std::io::ErrorKind::{
        FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
    };
    let tandem_formats::GgufWriteError::Io { path, source } = &error else { return error.into() };
    let path = path.display();
    match source.kind() {
        StorageFull | QuotaExceeded | FileTooLarge => Advised::new(
            format!("the disk is full (or a quota or file size limit is reached) while writing {path}"),
            "the unfinished file was removed; free some space and run the same command again",
        )
        .into(),
        PermissionDenied | ReadOnlyFilesystem => {
            Advised::new(format!("cannot write {path}: {source}"), "write to a folder you may write to")
                .into()
        }
        _ => error.into(),
    }
}
