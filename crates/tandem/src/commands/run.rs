//! `tandem run`: a model answers, once or in a conversation.

mod chat;
mod input;
mod pictures;
mod settings;
mod wrap;

use super::bench_links::parse_link;
use super::worker;
use crate::failure::Advised;
use crate::interrupt::Listener;
use crate::progress::LoadProgress;
use crate::{display, failure, locate};
use anyhow::{Result, anyhow};
use serde_json::json;
use settings::Settings;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tandem_hub::{ModelRef, Store};
use tandem_node::NodeModel;
use tandem_node::control::{ControlError, is_running};
use tandem_ranks::{LastingGroup, LinkChoice, LocalError, LocalNodes};
use tandem_runtime::{
    CacheType, Delta, Device, Finish, Generation, LoadError, Message, Model, Options, Registry, Role, Summary,
};
use tandem_tensor::WireType;
use wrap::Wrap;

/// Chat with a model, or have it answer one prompt
///
/// With no prompt on a terminal it starts a conversation: /help lists what you can type there. With a prompt, or with
/// text on standard input, it prints the answer and nothing else. A model that is not here is pulled first. Where a node
/// runs on this machine (`tandem up`), it answers, with the models of its cluster; options that say how to load a model have it
/// loaded in this process, as --here does.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem run                                   chat with the default model
  tandem run llama3.2 \"Why is the sky blue?\"   one answer
  tandem run \"Why is the sky blue?\"            … from the default model
  tandem run smollm2 - < question.txt          the prompt from a file
  tandem run smollm2 \"Hi\" --temperature 0      always the likeliest word
  tandem run smollm2 \"Hi\" -v                   and how fast it was, on stderr
  tandem run google/gemma-3-4b-it \"Whose cat is it?\" --image cat.png
  tandem run smollm2 --raw \"Once upon a time\"  continue the text, no template

In a conversation Ctrl-C stops the answer; at the prompt it ends the program,
as do Ctrl-D and /exit.")]
pub struct Args {
    /// Catalogue name, hub id org/name[:quant], .gguf file or folder; the default model if left out
    model: Option<OsString>,
    /// What to answer; `-` reads it from standard input
    prompt: Option<String>,
    /// Show this picture with the prompt, or with the first one: a PNG or JPEG file (may be given several times)
    #[arg(long = "image", value_name = "FILE", conflicts_with = "raw")]
    images: Vec<PathBuf>,
    /// Instructions the model gets before the conversation
    #[arg(long, value_name = "TEXT")]
    system: Option<String>,
    /// Continue the prompt as plain text, without the chat template
    #[arg(long, conflicts_with = "system")]
    raw: bool,
    /// Say how long it took, on stderr
    #[arg(short, long)]
    verbose: bool,
    /// Print the answer and its facts as JSON
    #[arg(long)]
    json: bool,
    /// Load the model in this process, also where a node runs on this machine
    #[arg(long)]
    here: bool,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    load: LoadArgs,
    /// The hub's address, if the model must be pulled
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
}

/// How to load a model; shared by the commands that do.
#[derive(clap::Args)]
pub struct LoadArgs {
    /// Where to compute: auto, cpu, gpu or gpu:N
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub device: Device,
    /// Threads to compute with; one per core by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Tokens of context; by default what the model was made for, as far as memory allows
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(32..))]
    pub context: Option<u32>,
    /// Memory for the context of all requests together, in GB; by default up to half of what the weights leave free
    #[arg(long, value_name = "GB", value_parser = parse_gigabytes)]
    pub cache_memory: Option<f64>,
    /// How the keys and values of the context are kept: q8 halves the memory
    #[arg(long, value_name = "TYPE", default_value = "f16", value_parser = parse_cache_type)]
    pub cache_type: CacheType,
    /// Make sums so that the text is the same however the model is divided; reading prompts takes about 7% longer
    #[arg(long)]
    pub exact_sums: bool,
    /// Divide the model among this many nodes on this machine, each with its share of the cores
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=8))]
    local_nodes: u16,
    /// What joins local nodes: shm (shared memory) or tcp
    #[arg(long, default_value = "shm", value_parser = parse_link)]
    link: LinkChoice,
    /// What sums are while they travel between local nodes by tcp: f32, f16 or bf16
    #[arg(long, value_name = "TYPE", default_value = "f32", value_parser = parse_wire)]
    wire: WireType,
    /// Give each local node some of the layers instead of a part of every layer
    #[arg(long)]
    pipeline: bool,
    /// What each local node gets in proportion to the others, as 2,1; equal parts by default
    #[arg(long, value_name = "X,X", value_delimiter = ',')]
    shares: Vec<f64>,
    /// Add a delay to each message between local nodes, to imitate a slower link
    #[arg(long, value_name = "US", default_value_t = 0)]
    delay_us: u64,
}

/// The devices of this machine; what `auto` takes among them is said on stderr.
pub fn devices() -> Registry {
    Registry::default().telling(Arc::new(|told| eprintln!("{told}")))
}

pub fn parse_gigabytes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(gigabytes) if gigabytes > 0.0 && gigabytes.is_finite() => Ok(gigabytes),
        _ => Err("expected gigabytes, more than 0, such as 12 or 0.5".into()),
    }
}

/// In bytes.
pub fn gigabytes(count: f64) -> u64 {
    (count * 1e9) as u64
}

pub fn parse_cache_type(text: &str) -> Result<CacheType, String> {
    match text.to_ascii_lowercase().as_str() {
        "f32" => Ok(CacheType::F32),
        "f16" => Ok(CacheType::F16),
        "q8" | "q8_0" => Ok(CacheType::Q8),
        _ => Err("expected f16, q8 or f32".into()),
    }
}

fn parse_wire(text: &str) -> Result<WireType, String> {
    match text {
        "f32" => Ok(WireType::F32),
        "f16" => Ok(WireType::F16),
        "bf16" => Ok(WireType::BF16),
        _ => Err("expected f32, f16 or bf16".into()),
    }
}

impl LoadArgs {
    pub fn options(&self) -> Options {
        Options {
            device: self.device.clone(),
            registry: devices(),
            threads: self.threads.map(usize::from),
            context: self.context.map(|context| context as usize),
            cache_bytes: self.cache_memory.map(gigabytes),
            cache_type: self.cache_type,
            exact_sums: self.exact_sums,
            ..Options::default()
        }
    }

    /// Whether anything was said of how to load.
    fn is_given(&self) -> bool {
        let Options { device, threads, context, cache_bytes, cache_type, .. } = self.options();
        let default = Options::default();
        (device, threads, context, cache_bytes, cache_type)
            != (default.device, default.threads, default.context, default.cache_bytes, default.cache_type)
            || self.exact_sums
            || self.local_nodes > 1
    }

    /// The nodes to divide the model among, if it is to be divided.
    pub fn nodes(&self) -> Option<LocalNodes> {
        (self.local_nodes > 1).then(|| LocalNodes {
            link: self.link,
            wire: self.wire,
            delay_us: self.delay_us,
            pipeline: self.pipeline,
            shares: self.shares.clone(),
            ..LocalNodes::new(self.local_nodes.into())
        })
    }
}

/// Loads a model, here or on local nodes, showing progress if it takes long.
pub fn load(path: &Path, options: &Options, nodes: Option<LocalNodes>) -> Result<Model> {
    let progress = LoadProgress::new(path);
    let report = |loaded, total| progress.set(loaded, total);
    let loaded = match nodes {
        None => Model::open(path, options, &report).map_err(LocalError::Load),
        Some(nodes) => {
            let command = worker::command("rank")?;
            Model::over(path, || LastingGroup::start(path, options, &nodes, command, &report))
        }
    };
    loaded.map_err(|error| match error {
        LocalError::Load(LoadError::Memory { .. }) => Advised::new(
            error.to_string(),
            "--context 2048 and --cache-type q8 take less memory; `tandem models --available` lists smaller models",
        )
        .into(),
        error => error.into(),
    })
}

pub fn run(mut args: Args) -> Result<()> {
    let stdin_is_terminal = std::io::stdin().is_terminal();
    let (model, prompt) = understand(args.model.take(), args.prompt.take());
    let store = Store::from_env()?;
    let meant = locate::parse(model.as_deref());
    // A name that means nothing here may be known to the cluster.
    let meant = match meant.is_err() && (args.here || !is_running(store.home())) {
        true => Ok(meant?),
        false => meant,
    };
    let prompt = match prompt.as_deref() {
        Some("-") => Some(read_stdin()?),
        Some(prompt) => Some(prompt.to_owned()),
        None if stdin_is_terminal => None,
        None => Some(read_stdin()?),
    };
    if prompt.as_ref().is_some_and(|prompt| prompt.trim().is_empty() && !args.raw) {
        return Err(Advised::new(
            "the prompt is empty",
            "give a prompt, or none at all to start a conversation",
        )
        .into());
    }
    if prompt.is_none() && (args.raw || args.json) {
        let help = "give a prompt, or `-` to read it from standard input";
        return Err(Advised::new("--raw and --json answer one prompt, and there is none", help).into());
    }
    let pictures = args.images.iter().map(|path| pictures::read(path)).collect::<Result<Vec<_>>>()?;
    let asked = match args.here || args.load.is_given() || matches!(meant, Ok(ModelRef::Path(_))) {
        true => None,
        false => from_node(&store, model.as_deref(), meant.as_ref().ok(), args.endpoint.as_deref())?,
    };
    let (model, name) = match asked {
        Some(NodeModel { name, header, tokens }) => {
            if args.verbose {
                eprintln!(
                    "The node on this machine answers; --here loads the model in this process instead."
                );
            }
            (Model::over(&header, || Ok::<_, LoadError>(tokens))?, name)
        }
        None => {
            let located = locate::or_pull(&meant?, args.endpoint.as_deref())?;
            (load(&located.path, &args.load.options(), args.load.nodes())?, located.name)
        }
    };
    match prompt {
        Some(prompt) => answer_once(&args, &model, &prompt, pictures),
        None => {
            let history = store.home().join("history");
            let chat = chat::Chat::new(&model, &name, args.system, args.settings, args.verbose);
            chat.showing(pictures).run(&history)
        }
    }
}

/// The model, as the node that runs here serves it; none where no node runs. What the cluster lacks is brought first.
fn from_node(
    store: &Store,
    text: Option<&OsStr>,
    meant: Option<&ModelRef>,
    endpoint: Option<&str>,
) -> Result<Option<NodeModel>> {
    let typed = text.map(|text| text.to_string_lossy().into_owned());
    let name = typed.or_else(|| meant.map(ToString::to_string)).unwrap_or_default();
    match (NodeModel::open(store.home(), &name), meant) {
        (Err(ControlError::NoNode(_)), _) => return Ok(None),
        (Err(_), Some(meant)) => _ = super::pull::through_node(store, meant, endpoint, &mut Vec::new())?,
        (opened, _) => return Ok(Some(opened?)),
    }
    Ok(Some(NodeModel::open(store.home(), &name)?))
}

/// A lone argument that reads like a sentence is a prompt for the default model.
fn understand(model: Option<OsString>, prompt: Option<String>) -> (Option<OsString>, Option<String>) {
    if let (Some(text), None) = (model.as_deref().and_then(OsStr::to_str), &prompt)
        && (text == "-" || (text.contains(char::is_whitespace) && !Path::new(text).exists()))
    {
        return (None, Some(text.to_owned()));
    }
    (model, prompt)
}

fn read_stdin() -> Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|error| {
        anyhow!("standard input is not UTF-8 text, from byte {} on", error.utf8_error().valid_up_to())
    })
}

fn answer_once(args: &Args, model: &Model, prompt: &str, pictures: Vec<Vec<u8>>) -> Result<()> {
    let params = args.settings.params();
    let generation = if args.raw {
        model.complete(prompt, &params)?
    } else {
        let mut messages = Vec::new();
        messages.extend(args.system.as_deref().map(|system| Message::new(Role::System, system)));
        messages.push(pictures::message(prompt, pictures));
        model.chat(&messages, &params)?
    };
    let answer = stream(generation, !args.json)?;
    if args.json {
        let summary = &answer.summary;
        let facts = json!({
            "text": answer.text,
            "finish": finish_name(&summary.finish),
            "prompt_tokens": summary.prompt_tokens,
            "cached_tokens": summary.cached_tokens,
            "tokens": summary.tokens,
            "first_token_ms": summary.first_token_after.as_secs_f64() * 1e3,
            "tokens_per_second": summary.tokens_per_second(),
        });
        writeln!(std::io::stdout(), "{facts:#}")?;
    }
    if args.verbose {
        print_speed(&answer.summary);
    }
    if answer.summary.finish == Finish::Cancelled {
        return Err(failure::Interrupted("the answer is cut short").into());
    }
    Ok(())
}

/// A step of a large model can take a while, and cannot be cut short.
const STOPPED_WITHIN: Duration = Duration::from_secs(10);

struct Answer {
    text: String,
    summary: Summary,
}

/// Takes an answer to its end, printing it as it comes. Ctrl-C stops it, also while the prompt is still being read.
fn stream(generation: Generation, print: bool) -> Result<Answer> {
    let listener = Listener::new(STOPPED_WITHIN);
    let cancel = generation.canceller();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                if listener.is_raised() {
                    return cancel();
                }
                std::thread::park_timeout(Duration::from_millis(20));
            }
        });
        let answer = take_answer(generation, print);
        done.store(true, Ordering::SeqCst);
        watcher.thread().unpark();
        answer
    })
}

fn take_answer(generation: Generation, print: bool) -> Result<Answer> {
    let mut out = std::io::stdout().lock();
    let mut wrap = if out.is_terminal() { terminal_width().map(Wrap::new) } else { None };
    let mut text = String::new();
    for delta in generation {
        match delta? {
            Delta::Content(more) => {
                if print {
                    // What a model says must not steer the terminal; a pipe gets it as it is.
                    match &mut wrap {
                        Some(wrap) => out.write_all(wrap.push(&display::printable(&more)).as_bytes())?,
                        None => out.write_all(more.as_bytes())?,
                    }
                    out.flush()?;
                }
                text.push_str(&more);
            }
            Delta::Done(summary) => {
                if print {
                    let rest = wrap.as_mut().map_or_else(String::new, Wrap::finish);
                    let end = if text.ends_with('\n') { "" } else { "\n" };
                    write!(out, "{rest}{end}")?;
                }
                return Ok(Answer { text, summary });
            }
            _ => {}
        }
    }
    Err(anyhow!("the answer ended early"))
}

fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| width.0.into())
}

fn print_speed(summary: &Summary) {
    let speed =
        summary.tokens_per_second().map_or_else(String::new, |speed| format!(" at {speed:.1} tokens/s"));
    let _ = writeln!(
        std::io::stderr(),
        "prompt {} tokens ({} from the cache), first token after {:.0} ms, {} tokens{speed}, ended by {}",
        summary.prompt_tokens,
        summary.cached_tokens,
        summary.first_token_after.as_secs_f64() * 1e3,
        summary.tokens,
        finish_name(&summary.finish),
    );
}

fn finish_name(finish: &Finish) -> &'static str {
    match finish {
        Finish::End => "end",
        Finish::Stop(_) => "stop",
        Finish::ToolCalls => "tool calls",
        Finish::Length => "length",
        Finish::Cancelled => "cancelled",
        Finish::Deadline => "deadline",
    }
}
