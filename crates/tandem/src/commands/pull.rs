//! `tandem pull`: brings a model to this machine.

use crate::display;
use crate::locate;
use crate::progress::{NodePullProgress, PullProgress};
use anyhow::Result;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
use tandem_hub::{Hub, ModelRef, Store};
use tandem_node::control::{ControlError, Order, order_with_progress};

/// Bring a model to this machine
///
/// The download resumes where an earlier one stopped, checks the checksum, and puts the file in place only when it is
/// whole. Where a node of a cluster runs here, the download is for the whole cluster: what another node has, or is getting,
/// is not downloaded again. Without MODEL it gets the default model.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem pull                                the default model
  tandem pull llama3.2                       a name from the catalogue
  tandem pull Qwen/Qwen3-4B-GGUF             a hub id: its best small version
  tandem pull Qwen/Qwen3-4B-GGUF:Q8_0        … or the one you name
  HF_TOKEN=hf_… tandem pull org/gated-model  a gated model

HF_ENDPOINT names another hub; HTTPS_PROXY is respected; TANDEM_HOME says where
models go.")]
pub struct Args {
    /// Catalogue name, or hub id org/name[:quant]
    model: Option<OsString>,
    /// The hub's address
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
    /// Print what was pulled as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let model = locate::parse(args.model.as_deref())?;
    let store = Store::from_env()?;
    let found = store.find(&model)?;
    let here_already = found.is_some();
    let mut notes = Vec::new();
    let local = match found {
        Some(local) => Some(local),
        // The node that runs here asks the others first, and the hub once for all of them.
        None => match through_node(&store, &model, args.endpoint.as_deref(), &mut notes) {
            Err(ControlError::NoNode(_)) => {
                let hub = Hub::from_env(args.endpoint.as_deref())?;
                Some(tandem_hub::pull(&store, &hub, &model, &mut PullProgress::new())?)
            }
            asked => {
                asked?;
                store.find(&model)?
            }
        },
    };
    let mut out = std::io::stdout().lock();
    let Some(local) = local else {
        if args.json {
            writeln!(out, "{:#}", json!({ "name": model.to_string(), "path": null, "downloaded": false }))?;
        } else {
            let where_it_is = notes.pop().unwrap_or_else(|| "another node has it".into());
            writeln!(out, "{model} is in the cluster: {where_it_is}")?;
            writeln!(out, "Next: tandem load {model}")?;
        }
        return Ok(());
    };
    if args.json {
        let manifest = serde_json::to_value(&local.manifest)?;
        let facts = json!({
            "name": local.short_name(),
            "path": local.path(),
            "downloaded": !here_already,
            "manifest": manifest,
        });
        writeln!(out, "{facts:#}")?;
    } else {
        let how = if here_already { "is here already" } else { "is here, its checksum is right" };
        let (name, size) = (local.short_name(), display::bytes(local.manifest.size_bytes()));
        writeln!(out, "{name} ({size}) {how}: {}", local.path().display())?;
        writeln!(out, "Next: tandem run {name}")?;
    }
    Ok(())
}

/// Shows what the node says while it has the model brought.
pub fn through_node(
    store: &Store,
    model: &ModelRef,
    endpoint: Option<&str>,
    notes: &mut Vec<String>,
) -> Result<Value, ControlError> {
    let set = |name| std::env::var(name).ok().filter(|value: &String| !value.trim().is_empty());
    let pull = Order::Pull {
        model: model.to_string(),
        endpoint: endpoint.map(str::to_owned).or_else(|| set("HF_ENDPOINT")),
        token: set("HF_TOKEN"),
    };
    let mut shown = NodePullProgress::default();
    order_with_progress(store.home(), &pull, |news| {
        let number = |name: &str| news[name].as_u64().unwrap_or(0);
        if let Some(note) = news["note"].as_str() {
            notes.push(note.to_owned());
            shown.note(note);
        } else if let Some(name) = news["file"].as_str() {
            shown.file(name, number("total_bytes"), number("have_bytes"));
        }
    })
}
