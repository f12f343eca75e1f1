//! `tandem up`: serves the models of this machine, and of the cluster it belongs to, over HTTP.

use super::cluster_node::{ClusterArgs, Running, cache_pin};
use super::run::{LoadArgs, gigabytes};
use super::worker;
use crate::failure::Advised;
use crate::interrupt::Listener;
use crate::locate;
use crate::logging::{self, LogArgs};
use crate::progress::NodePullProgress;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tandem_api::{Keys, PullProgress, Server, Service, Settings};
use tandem_hub::{ModelRef, Store};
use tandem_node::Ending;
use tandem_plan::Pins;
use tandem_ranks::{LastingGroup, LocalError, LocalNodes};
use tandem_runtime::{CacheType, LoadError, Model, Options};
use tandem_serving::{Catalogue, LocalService, Opened, Trouble};

/// Join or found a cluster, and serve its models over HTTP
///
/// Speaks the APIs of OpenAI, Anthropic and Ollama on one port. A model is loaded when it is first asked for; models named
/// here are loaded at once.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem up                              every model in the store, on 127.0.0.1:11435
  tandem up smollm2                      … with this one loaded at once
  tandem up ./model.gguf                 … and a file that is not in the store
  tandem up --local-nodes 2              each model divided among two processes
  tandem up --join TOKEN                 join the cluster that `tandem token` made this for
  tandem key add laptop                  a key, and then
  tandem up --host 0.0.0.0               … serve the network

  curl http://127.0.0.1:11435/v1/chat/completions \\
    -d '{\"model\":\"smollm2\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}'

Point OpenAI clients at http://127.0.0.1:11435/v1, Anthropic and Ollama clients at
http://127.0.0.1:11435. /docs describes it all. Ctrl-C lets answers finish.")]
pub struct Args {
    /// Models to load at once: catalogue names, hub ids, .gguf files or folders
    models: Vec<OsString>,
    /// The address to listen on; beyond this machine's own, callers need a key
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    #[arg(long, default_value_t = 11435)]
    port: u16,
    /// Web pages from this address may call; can be given several times
    #[arg(long, value_name = "URL")]
    origin: Vec<String>,
    /// Requests answered at the same time, for each model
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=256))]
    sequences: u16,
    /// Requests that may wait for their turn; beyond these they are refused
    #[arg(long, value_name = "N", default_value_t = 256)]
    queue: u16,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    load: LoadArgs,
    /// The hub's address, for models that must be pulled
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
    #[command(flatten)]
    cluster: ClusterArgs,
}

/// How long answers in flight may take to finish after Ctrl-C.
const DRAIN: Duration = Duration::from_secs(60);

pub fn run(args: Args) -> Result<()> {
    args.log.start();
    let store = Store::from_env()?;
    let keys = Keys::at(keys_file(&store));
    let key_required = !args.host.is_loopback();
    if key_required && keys.list()?.is_empty() {
        return Err(Advised::new(
            format!("{} can be reached by others, and there is no key yet", args.host),
            "`tandem key add NAME` makes one; without --host only this machine is served",
        )
        .into());
    }
    let options = Options {
        sequences_max: args.sequences.into(),
        waiting_max: args.queue.into(),
        ..args.load.options()
    };
    let nodes = args.load.nodes();
    let clustered = !args.cluster.alone && nodes.is_none();
    let mut catalogue = Catalogue::new(store.clone());
    let mut wanted = Vec::new();
    for model in &args.models {
        let model = locate::parse(Some(model))?;
        // Another node may have it, or be getting it.
        if clustered && !matches!(model, ModelRef::Path(_)) && store.find(&model)?.is_none() {
            wanted.push(Wanted { name: model.to_string(), path: None });
            continue;
        }
        let located = locate::or_pull(&model, args.endpoint.as_deref())?;
        let name = match &model {
            ModelRef::Path(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            _ => located.name,
        };
        catalogue.name(name.clone(), located.path.clone());
        wanted.push(Wanted { name, path: Some(std::path::absolute(located.path)?) });
    }
    let count = nodes.as_ref().map_or(1, |nodes| nodes.count);
    let open = move |path: &Path| open(path, &options, nodes.clone(), count);
    let service = LocalService::new(catalogue, store.clone(), args.endpoint.clone(), Box::new(open));
    let settings = Settings {
        key_required,
        keys: Some(keys),
        origins: args.origin.clone(),
        log: Box::new(logging::request),
        log_texts: args.log.log_texts,
        ..Settings::default()
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the server's threads")?;
    runtime.block_on(serve(&args, &store, service, clustered, settings, wanted))
}

/// A model to load at once.
struct Wanted {
    name: String,
    /// Where it is, if it is here.
    path: Option<PathBuf>,
}

pub fn keys_file(store: &Store) -> std::path::PathBuf {
    store.home().join("keys.json")
}

async fn serve(
    args: &Args,
    store: &Store,
    local: LocalService,
    clustered: bool,
    settings: Settings,
    wanted: Vec<Wanted>,
) -> Result<()> {
    let address = SocketAddr::new(args.host, args.port);
    let listener = tokio::net::TcpListener::bind(address).await.map_err(|error| {
        Advised::new(format!("cannot listen on {address}: {error}"), "choose another --port or --host")
    })?;
    let address = listener.local_addr()?;
    let running = match clustered {
        false => None,
        true => {
            let (threads, queue) = (args.load.threads.map(usize::from), args.queue.into());
            let device = args.load.device.clone();
            let api = format!("http://{address}");
            let pins = Pins {
                context: args.load.context.map(|context| context as usize),
                cache_bytes: args.load.cache_memory.map(gigabytes),
                cache: (args.load.cache_type != CacheType::F16).then(|| cache_pin(args.load.cache_type)),
                exact_sums: args.load.exact_sums,
                ..Pins::default()
            };
            let sequences = args.sequences.into();
            let totals = Arc::clone(&settings.totals);
            Some(
                args.cluster
                    .start(store, local.clone(), device, threads, sequences, queue, api, pins, totals)
                    .await?,
            )
        }
    };
    let service: Arc<dyn Service> = match &running {
        Some(Running { service, .. }) => Arc::clone(service),
        None => Arc::new(local),
    };
    for Wanted { name, path } in wanted {
        match (path, &running) {
            (Some(path), Some(Running { node, .. })) => {
                node.name_model(&name, path)?;
                node.look_again().await;
            }
            (None, _) => pull(&*service, &name).await?,
            _ => {}
        }
        service.load(name).await?;
    }
    if let Some(Running { node, .. }) = &running {
        node.settled().await;
        let members = node.snapshot().shared.present().count();
        logging::tell(&format!(
            "Node {} of cluster {} ({members} nodes); `tandem token` lets another join.",
            node.id().short(),
            &node.cluster()[..8]
        ));
    }
    if service.models().is_empty() {
        logging::tell(
            "There is no model yet: `tandem pull` brings a small one, `tandem models --available` lists others.",
        );
    }
    // A script that started us waits for this line.
    writeln!(
        std::io::stdout(),
        "Serving on http://{address} (dashboard at /, OpenAI: /v1, Anthropic, Ollama; /docs). Ctrl-C ends it."
    )?;
    let interrupted = Listener::new(DRAIN + Duration::from_secs(5));
    let stop = async {
        while !interrupted.is_raised() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        logging::tell("Finishing what was asked; Ctrl-C again ends it at once.");
    };
    let ended = async {
        match &running {
            Some(Running { node, .. }) => node.ended().await,
            None => std::future::pending().await,
        }
    };
    let mut ending = None;
    let stop = async {
        tokio::select! {
            () = stop => {}
            why = ended => ending = Some(why),
        }
        if ending == Some(Ending::Removed) {
            logging::tell("This node was removed from its cluster.");
        }
    };
    Server::with_pages(service, settings, tandem_dashboard::routes()).run(listener, stop, DRAIN).await;
    match ending {
        Some(Ending::Failed(fault)) => Err(Advised::new(
            format!("the node's own task failed, and the node cannot go on: {fault}"),
            "this is a fault of Tandem; start it again, and report what it said",
        )
        .into()),
        _ => Ok(()),
    }
}

/// Has the cluster get the model, unless one of its nodes has it, and shows how.
async fn pull(service: &dyn Service, name: &str) -> Result<()> {
    let mut progress = service.pull(name.to_owned());
    let mut shown = NodePullProgress::default();
    while let Some(news) = progress.recv().await {
        match news? {
            PullProgress::Note(note) => shown.note(&note),
            PullProgress::File { name, total_bytes, have_bytes, .. } => {
                shown.file(&name, total_bytes, have_bytes)
            }
            PullProgress::Done => break,
        }
    }
    Ok(())
}

fn open(path: &Path, options: &Options, nodes: Option<LocalNodes>, count: usize) -> Result<Opened, Trouble> {
    let opened = match nodes {
        None => Model::open(path, options, &|_, _| {}).map_err(LocalError::Load),
        Some(nodes) => {
            let command = worker::command("rank")
                .map_err(|error| Trouble { message: error.to_string(), memory: false })?;
            Model::over(path, || LastingGroup::start(path, options, &nodes, command, &|_, _| {}))
        }
    };
    match opened {
        Ok(model) => Ok(Opened { model, nodes: count }),
        Err(error) => {
            let memory = matches!(error, LocalError::Load(LoadError::Memory { .. }));
            Err(Trouble { message: error.to_string(), memory })
        }
    }
}
