//! `tandem bench`: how fast this machine runs a model, and how fast its memory is.

use super::bench_links::{self, LinkArgs};
use super::bench_scale::{self, ScaleArgs};
use super::run::{LoadArgs, load};
use crate::display;
use crate::failure::Interrupted;
use crate::interrupt::Listener;
use crate::locate;
use anyhow::{Context, Result, anyhow};
use serde_json::json;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};
use tandem_engine::{Event, Request, Stream, Usage};
use tandem_runtime::{Device, Model, ModelFile};

/// Measure how fast this machine runs a model
///
/// A prompt of random words is read (prefill), then words are generated (decode). With --batch, so many conversations
/// are decoded together.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  tandem bench                          the default model, all cores
  tandem bench --model model.gguf --threads 1
  tandem bench --model model.gguf --batch 8 --json
  tandem bench scale --nodes 1,2        how much faster two nodes are than one
  tandem bench memory --threads 2       how fast memory can be read: the limit"
)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// Catalogue name, hub id, .gguf file or folder; the default model if left out
    #[arg(long, short)]
    model: Option<OsString>,
    /// Prompt tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    prefill: u32,
    /// Generated tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..))]
    decode: u32,
    /// Conversations at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    batch: u32,
    #[command(flatten)]
    load: LoadArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum What {
    /// Measure how fast memory can be read
    Memory {
        /// Threads to read with; all cores by default
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Measure how speed grows with the number of nodes
    Scale(ScaleArgs),
    /// Measure latency and bandwidth of a link between two processes here
    Fabric(LinkArgs),
    /// Measure all-reduce between processes here
    Collective {
        #[command(flatten)]
        links: LinkArgs,
        /// Processes
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=16))]
        ranks: u16,
        /// Algorithms to force, as direct,mesh,ring; the group's own choice by default
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        algorithms: Vec<String>,
    },
}

pub fn run(args: Args) -> Result<()> {
    match &args.what {
        Some(What::Memory { threads, json }) => memory(threads.map_or_else(super::cores, usize::from), *json),
        Some(What::Scale(scale)) => bench_scale::scale(scale),
        Some(What::Fabric(links)) => bench_links::fabric(links),
        Some(What::Collective { links, ranks, algorithms }) => {
            bench_links::collective(links, usize::from(*ranks), algorithms)
        }
        None => model(&args),
    }
}

fn memory(threads: usize, as_json: bool) -> Result<()> {
    let gb_per_s =
        tandem_kernels_cpu::memory::read_bandwidth(threads).context("cannot get memory to read")?;
    let mut out = std::io::stdout().lock();
    match as_json {
        true => writeln!(out, "{}", json!({ "gb_per_s": gb_per_s }))?,
        false => writeln!(out, "{threads} threads read {gb_per_s:.1} GB/s")?,
    }
    Ok(())
}

fn model(args: &Args) -> Result<()> {
    let located = locate::or_pull(&locate::parse(args.model.as_deref())?, None)?;
    let (prefill, decode, batch) = (args.prefill as usize, args.decode as usize, args.batch as usize);
    let mut options = args.load.options();
    options.sequences_max = batch.max(1);
    let weights_bytes_per_token = bytes_per_token(&located.path)?;
    let device = options.registry.resolve(&options.device, weights_bytes_per_token)?;
    // A GPU compiles its kernels when they are first used, and they differ with the size of a batch.
    let (warm, warm_batch) = if device == Device::cpu() { (prefill.min(32), 1) } else { (prefill, batch) };
    // Whole blocks for each, and room for the warm-up.
    let room = |batch: usize, tokens: usize| batch * (tokens + 64).next_multiple_of(64);
    options.context.get_or_insert(room(batch, prefill + decode) + room(warm_batch, warm + 4));
    let start = Instant::now();
    let model = load(&located.path, &options, args.load.nodes())?;
    let load_ms = start.elapsed().as_secs_f64() * 1e3;
    let bench = Bench { model: &model, listener: Listener::new(Duration::from_secs(2)) };
    bench.measure(warm, 4, warm_batch, 0)?;
    let Speed { prefill_tps, decode_tps } = bench.measure(prefill, decode, batch, 1)?;
    let rss_bytes = peak_resident_bytes();

    let mut out = std::io::stdout().lock();
    if args.json {
        let facts = json!({
            "prefill_tps": prefill_tps,
            "decode_tps": decode_tps,
            "load_ms": load_ms,
            "weights_bytes_per_token": weights_bytes_per_token,
            "rss_bytes": rss_bytes,
        });
        writeln!(out, "{facts}")?;
        return Ok(());
    }
    if device == Device::cpu() {
        let threads = args.load.threads.map_or_else(super::cores, usize::from);
        writeln!(out, "{} with {threads} threads", located.name)?;
    } else {
        writeln!(out, "{} on {device}", located.name)?;
    }
    writeln!(out, "  prefill  {prefill_tps:>9.1} tokens/s  ({batch} × {prefill} tokens)")?;
    writeln!(out, "  decode   {decode_tps:>9.1} tokens/s  ({batch} × {decode} tokens)")?;
    let rate = weights_bytes_per_token as f64 * decode_tps / batch as f64;
    writeln!(
        out,
        "  weights  {:>9} per step, {}/s while decoding",
        display::bytes(weights_bytes_per_token),
        display::bytes(rate as u64)
    )?;
    writeln!(out, "  load     {load_ms:>9.0} ms")?;
    if let Some(rss_bytes) = rss_bytes {
        writeln!(out, "  memory   {:>9} at most", display::bytes(rss_bytes))?;
    }
    writeln!(out, "Next: tandem bench memory   how close that is to what memory allows")?;
    Ok(())
}

struct Bench<'a> {
    model: &'a Model,
    listener: Listener,
}

struct Speed {
    prefill_tps: f64,
    decode_tps: f64,
}

impl Bench<'_> {
    /// Reads each prompt by itself, which leaves it in the prefix cache; then decodes all together from there.
    fn measure(&self, prefill: usize, decode: usize, batch: usize, salt: usize) -> Result<Speed> {
        let prompts: Vec<Vec<u32>> =
            (0..batch).map(|sequence| self.prompt(prefill, sequence, salt)).collect();
        let mut prefill_for = Duration::ZERO;
        if batch > 1 {
            for prompt in &prompts {
                prefill_for += self.finish(self.start(prompt, 1)?)?.first_token_after;
            }
        }
        let running =
            prompts.iter().map(|prompt| self.start(prompt, decode + 1)).collect::<Result<Vec<_>>>()?;
        // They run in step, so the first to be waited for is about the last to end.
        let done = running.into_iter().map(|stream| self.finish(stream)).collect::<Result<Vec<_>>>()?;
        if batch == 1 {
            prefill_for = done[0].first_token_after;
        }
        let tokens: usize = done.iter().map(|usage| usage.tokens.saturating_sub(1)).sum();
        let decoding_for = done.iter().map(|usage| usage.decoding_for).max().unwrap_or_default();
        Ok(Speed {
            prefill_tps: (batch * prefill) as f64 / prefill_for.as_secs_f64(),
            decode_tps: tokens as f64 / decoding_for.as_secs_f64(),
        })
    }

    /// By token ids, and with no token that would end it early.
    fn start(&self, prompt: &[u32], tokens: usize) -> Result<Stream> {
        let request = Request { prompt: prompt.to_vec(), tokens_max: Some(tokens), ..Request::default() };
        Ok(self.model.tokens().stream(request)?)
    }

    fn finish(&self, stream: Stream) -> Result<Usage> {
        for event in stream {
            if self.listener.is_raised() {
                return Err(Interrupted("nothing was measured").into());
            }
            match event {
                Event::Done(usage) => return Ok(usage),
                Event::Refused(refused) => return Err(anyhow!("{refused}")),
                Event::Failed(reason) => return Err(anyhow!("the model stopped: {reason}")),
                Event::Token { .. } | Event::Scored(_) | Event::Hidden(_) => {}
            }
        }
        Err(anyhow!("the measurement ended early"))
    }

    /// Ordinary words in no order; no two prompts begin alike, or the second would come from the prefix cache.
    fn prompt(&self, tokens: usize, sequence: usize, salt: usize) -> Vec<u32> {
        let vocabulary = self.model.tokenizer().token_count().max(2);
        let words = vocabulary * 4 / 5;
        let first = vocabulary / 40;
        (0..tokens).map(|i| (first + (i * 7919 + sequence * 31 + salt * 977) % words) as u32).collect()
    }
}

/// Weights read for one token: all, but an embedding of which one row is looked up.
fn bytes_per_token(path: &Path) -> Result<u64> {
    let file = ModelFile::open(path)?;
    let weights = file.weights();
    let names = weights.names();
    let has_output = names.iter().any(|name| matches!(*name, "output.weight" | "lm_head.weight"));
    let looked_up =
        |name: &str| has_output && matches!(name, "token_embd.weight" | "model.embed_tokens.weight");
    let mut bytes = 0;
    for name in names.iter().filter(|name| !looked_up(name)) {
        bytes += weights.require(name)?.bytes() as u64;
    }
    Ok(bytes)
}

/// The most memory this process has held so far.
fn peak_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
