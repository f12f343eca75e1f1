//! `tandem pull`: brings a model to this machine.

use crate::display;
use crate::locate;
use crate::progress::PullProgress;
use anyhow::Result;
use serde_json::json;
use std::ffi::OsString;
use std::io::Write;
use tandem_hub::{Hub, Store};

/// Bring a model to this machine
///
/// The download resumes where an earlier one stopped, checks the checksum, and puts the file in place only when it is
/// whole. Without MODEL it gets the default model.
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
    let (store, hub) = (Store::from_env()?, Hub::from_env(args.endpoint.as_deref())?);
    let here_already = store.find(&model)?.is_some();
    let local = tandem_hub::pull(&store, &hub, &model, &mut PullProgress::new())?;
    let mut out = std::io::stdout().lock();
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
