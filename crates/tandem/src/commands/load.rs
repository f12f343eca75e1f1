//! `tandem load`: has the cluster load a model and keep it loaded.

use super::cluster_node::cache_pin;
use super::run::{gigabytes, parse_cache_type, parse_gigabytes};
use crate::failure::Advised;
use crate::locate;
use anyhow::Result;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use tandem_cluster::ModelHere;
use tandem_hub::{Hub, ModelRef, Silent, Store};
use tandem_node::control::{Order, order};
use tandem_node::{facts_of, models_of};
use tandem_plan::{Parallelism, Pins, Wire};
use tandem_runtime::{CacheType, Device};

/// Load a model in the cluster, or show where it would go
///
/// The cluster keeps it loaded, over restarts and losses of nodes, until `tandem unload`. Needs a node running on this machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem load smollm2                                  where it runs best
  tandem load smollm2 --dry-run                        stages, ranks, bytes and links, without loading
  tandem load ./model.gguf --instances 2               two copies that share the requests
  tandem load m --nodes desk,rack --parallelism pipeline --shares 1,3
  tandem load m --device cpu                           not on GPUs")]
pub struct Args {
    /// A model of the cluster, a catalogue name, or a .gguf file
    model: OsString,
    /// Copies that share the requests
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    instances: u32,
    /// Only on these nodes, all of them, in this order; further GPUs of a node by their number: desk,desk/gpu:1
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    nodes: Vec<String>,
    /// tensor: every layer divided; pipeline: layers divided; hybrid: both
    #[arg(long, value_parser = parse_parallelism)]
    parallelism: Option<Parallelism>,
    /// The nodes' parts
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    shares: Vec<f64>,
    /// Only on devices of this kind: cpu, gpu (all that nodes have), or one by its number, gpu:1; by default the best of each node
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    device: Device,
    /// Tokens of context; by default what the model was made for, as far as memory allows
    #[arg(long, value_name = "TOKENS")]
    context: Option<usize>,
    /// Memory for the context of all requests together, over all nodes, in GB; by default up to half of what the weights leave free
    #[arg(long, value_name = "GB", value_parser = parse_gigabytes)]
    cache_memory: Option<f64>,
    /// How the keys and values of the context are kept: f16, q8 (half the memory) or f32
    #[arg(long, value_name = "TYPE", value_parser = parse_cache_type)]
    cache_type: Option<CacheType>,
    /// What nodes send each other of every layer: f32, or f16 or bf16, which are half as long and rounded
    #[arg(long, value_name = "TYPE", value_parser = parse_wire)]
    wire: Option<Wire>,
    /// Make sums so that the text is the same however the model is divided; reading prompts takes about 7% longer
    #[arg(long)]
    exact_sums: bool,
    /// It may make room for another model while nobody uses it
    #[arg(long)]
    evictable: bool,
    /// Print the blueprint and load nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn parse_parallelism(text: &str) -> Result<Parallelism, String> {
    match text {
        "tensor" => Ok(Parallelism::Tensor),
        "pipeline" => Ok(Parallelism::Pipeline),
        "hybrid" => Ok(Parallelism::Hybrid),
        _ => Err("expected tensor, pipeline or hybrid".into()),
    }
}

fn parse_wire(text: &str) -> Result<Wire, String> {
    match text {
        "f32" => Ok(Wire::F32),
        "f16" => Ok(Wire::F16),
        "bf16" => Ok(Wire::BF16),
        _ => Err("expected f32, f16 or bf16".into()),
    }
}

/// Whether a node of the cluster has the model, or something the name stands for.
fn in_cluster(store: &Store, model: &str) -> Result<bool> {
    let models = models_of(&order(store.home(), &Order::State)?);
    let meant = ModelRef::named(model).ok();
    let is_it = |name: &String| {
        let own = ModelRef::named(name).ok();
        name == model || meant.as_ref().zip(own).is_some_and(|(meant, own)| meant.is_met_by(&own))
    };
    Ok(models.keys().any(is_it))
}

/// The longest beginning of a file that is fetched to learn what a model takes.
const HEAD_BYTES_MAX: u64 = 128 << 20;

/// What a model on the hub takes, from the beginnings of its files.
fn from_hub(model: &ModelRef) -> Result<ModelHere> {
    let hub = Hub::from_env(None)?;
    let folder = Scratch::new()?;
    let mut bytes = 2 << 20;
    loop {
        let path = tandem_hub::heads(&hub, model, bytes, &folder.0, &mut Silent)?;
        match facts_of(&path) {
            Ok(facts) => return Ok(facts),
            Err(_) if bytes < HEAD_BYTES_MAX => bytes *= 4,
            Err(error) => return Err(error.into()),
        }
    }
}

/// A folder that goes with this.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> std::io::Result<Scratch> {
        let folder = std::env::temp_dir().join(format!("tandem-heads-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn run(args: Args) -> Result<()> {
    let store = Store::from_env()?;
    // A name that only other nodes know is theirs to resolve.
    let parsed = ModelRef::parse(&args.model);
    let reference = parsed.as_ref().ok().cloned();
    let located = reference.as_ref().and_then(|reference| locate::on_this_machine(reference).ok());
    let known = located.is_some();
    let (model, path) = match (&reference, located) {
        (Some(ModelRef::Path(path)), Some(located)) => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (name, Some(std::path::absolute(located.path)?))
        }
        (Some(ModelRef::Path(path)), None) => {
            return Err(Advised::new(
                format!("{} is not a model file", path.display()),
                "give a .gguf file or a folder",
            )
            .into());
        }
        (_, Some(located)) => (located.name, None),
        _ => (args.model.to_string_lossy().into_owned(), None),
    };
    let pins = Pins {
        nodes: args.nodes,
        parallelism: args.parallelism,
        shares: args.shares,
        context: args.context,
        cache_bytes: args.cache_memory.map(gigabytes),
        cache: args.cache_type.map(cache_pin),
        wire: args.wire,
        exact_sums: args.exact_sums,
        device: (args.device != Device::Auto).then(|| args.device.to_string()),
    };
    if let Err(error) = parsed
        && !in_cluster(&store, &model)?
    {
        return Err(error.into());
    }
    let facts = match (args.dry_run, &known, &reference) {
        (true, false, Some(reference)) if !in_cluster(&store, &model)? => Some(from_hub(reference)?),
        _ => None,
    };
    let wanted = Order::Load {
        model: model.clone(),
        path,
        instances: args.instances,
        keep: !args.evictable,
        pins: Box::new(pins),
        dry_run: args.dry_run,
        facts,
    };
    let answer = order(store.home(), &wanted)?;
    let mut out = std::io::stdout().lock();
    match answer["plan"].as_str() {
        Some(plan) => write!(out, "{plan}")?,
        None => writeln!(out, "{model} is loaded; `tandem ps` shows where")?,
    }
    Ok(())
}
