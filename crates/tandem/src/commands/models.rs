//! `tandem models`: what is on this machine, what the catalogue knows, and removal.

use crate::display::{self, Table};
use crate::locate;
use anyhow::Result;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
use tandem_formats::Gguf;
use tandem_hub::{Catalogue, HubError, LocalModel, Store};

/// List the models on this machine
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem models                     what is here
  tandem models --available         names that pull and run know
  tandem models --remove llama3.2   delete one
  tandem models --json | jq '.[].path'")]
pub struct Args {
    /// List the catalogue's names instead
    #[arg(long, conflicts_with = "remove")]
    available: bool,
    /// Delete this model from this machine
    #[arg(long, value_name = "MODEL")]
    remove: Option<OsString>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let store = Store::from_env()?;
    if let Some(model) = &args.remove {
        let model = locate::parse(Some(model))?;
        let local = store.find(&model)?.ok_or_else(|| HubError::NotLocal { name: model.to_string() })?;
        store.remove(&local)?;
        let freed_bytes = local.manifest.size_bytes();
        let mut out = std::io::stdout().lock();
        if args.json {
            writeln!(out, "{:#}", json!({ "removed": local.manifest.name(), "freed_bytes": freed_bytes }))?;
        } else {
            writeln!(
                out,
                "{} is removed; {} are free again",
                local.short_name(),
                display::bytes(freed_bytes)
            )?;
        }
        return Ok(());
    }
    if args.available { available(&store, args.json) } else { local(&store, args.json) }
}

fn local(store: &Store, as_json: bool) -> Result<()> {
    let models = store.list()?;
    let mut out = std::io::stdout().lock();
    if as_json {
        let models: Vec<Value> = models
            .iter()
            .map(|model| {
                json!({
                    "name": model.short_name(),
                    "hub": model.manifest.hub,
                    "quant": model.manifest.quant,
                    "size_bytes": model.manifest.size_bytes(),
                    "context": context_of(model),
                    "revision": model.manifest.revision,
                    "path": model.path(),
                })
            })
            .collect();
        writeln!(out, "{:#}", Value::from(models))?;
        return Ok(());
    }
    if models.is_empty() {
        writeln!(out, "No models in {}.", store.models_folder().display())?;
        writeln!(
            out,
            "Next: `tandem run` gets the default model; `tandem models --available` lists others."
        )?;
        return Ok(());
    }
    let mut table = Table::new(&["NAME", ">SIZE", "QUANT", ">CONTEXT", "PATH"]);
    for model in &models {
        table.row([
            model.short_name(),
            display::bytes(model.manifest.size_bytes()),
            model.manifest.quant.clone(),
            context_of(model).map_or_else(|| "?".into(), |context| context.to_string()),
            model.path().display().to_string(),
        ]);
    }
    table.print(&mut out)?;
    Ok(())
}

/// The longest text the model was made for, if its file opens and says.
fn context_of(model: &LocalModel) -> Option<u64> {
    let path = model.path();
    if path.is_dir() {
        let config: Value = serde_json::from_slice(&std::fs::read(path.join("config.json")).ok()?).ok()?;
        return config["max_position_embeddings"].as_u64();
    }
    let gguf = Gguf::open(path).ok()?;
    let architecture = gguf.metadata().get_str("general.architecture").ok()?.to_owned();
    gguf.metadata().find(&format!("{architecture}.context_length")).ok()?
}

fn available(store: &Store, as_json: bool) -> Result<()> {
    let here = store.list()?;
    let is_here = |name: &str| here.iter().any(|model| model.short_name() == name);
    let mut out = std::io::stdout().lock();
    let entries = Catalogue::embedded().entries();
    if as_json {
        let entries: Vec<Value> = entries
            .iter()
            .map(|entry| {
                json!({
                    "name": entry.name,
                    "about": entry.about,
                    "licence": entry.licence,
                    "hub": entry.hub,
                    "quant": entry.quant,
                    "here": is_here(&entry.name),
                })
            })
            .collect();
        writeln!(out, "{:#}", Value::from(entries))?;
        return Ok(());
    }
    let mut table = Table::new(&["NAME", "HUB ID", "LICENCE", "HERE"]);
    for entry in entries {
        table.row([
            entry.name.clone(),
            format!("{}:{}", entry.hub, entry.quant),
            entry.licence.clone(),
            if is_here(&entry.name) { "yes".into() } else { String::new() },
        ]);
    }
    table.print(&mut out)?;
    writeln!(out, "\nAny other model: tandem pull org/name[:quant]")?;
    Ok(())
}
