//! `tandem models`: what is on this machine, what the catalogue knows, and removal.

use crate::display::{self, Table};
use crate::failure::Advised;
use crate::locate;
use crate::model_size::ModelSize;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use tandem_formats::Gguf;
use tandem_hub::{Catalogue, Entry, HubError, LocalModel, ModelRef, Store, is_intact};
use tandem_node::control::{Order, order};
use tandem_node::{damaged_partials, models_of};
use tandem_runtime::{available_bytes, translate_config};

/// List the models on this machine
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem models                     what is here
  tandem models --available         what pull and run know by name
  tandem models --verify            compare the files with their hashes
  tandem models --verify m.gguf     … of a file that `tandem convert` wrote
  tandem models --remove llama3.2   delete one
  tandem models --json | jq '.[].path'")]
pub struct Args {
    /// List the models of the catalogue: sizes, licences, the memory they need
    #[arg(long, conflicts_with = "remove")]
    available: bool,
    /// Read all files of this model, or of every model, and compare them with their hashes
    #[arg(long, value_name = "MODEL", num_args = 0..=1, conflicts_with_all = ["available", "remove"])]
    verify: Option<Option<OsString>>,
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
    if let Some(model) = &args.verify {
        return verify(&store, model.as_deref(), args.json);
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
    let elsewhere = elsewhere(store, &models);
    if models.is_empty() && elsewhere.is_empty() {
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
    if !models.is_empty() {
        table.print(&mut out)?;
    }
    for (name, nodes) in elsewhere {
        writeln!(out, "{name} is in the cluster, on {}", nodes.join(", "))?;
    }
    Ok(())
}

/// Where a node runs here: models that only other nodes of its cluster have, and which ones.
fn elsewhere(store: &Store, here: &[LocalModel]) -> BTreeMap<String, Vec<String>> {
    let mut models = order(store.home(), &Order::State).map(|state| models_of(&state)).unwrap_or_default();
    models.retain(|name, _| !here.iter().any(|model| model.short_name() == *name));
    models
}

/// Fails where a file is not what was pulled, converted or fetched from another node.
fn verify(store: &Store, model: Option<&OsStr>, as_json: bool) -> Result<()> {
    let stored = |model: LocalModel| (model.short_name(), "pulled", model.damaged());
    let checked: Vec<(String, &str, Vec<String>)> = match model
        .map(|model| locate::parse(Some(model)))
        .transpose()?
    {
        None => {
            let partials = damaged_partials(store.home()).into_iter();
            let fetched = partials.map(|(name, damaged)| (name, "fetched from other nodes", damaged));
            store.list()?.into_iter().map(stored).chain(fetched).collect()
        }
        Some(ModelRef::Path(path)) => {
            let Some(intact) = is_intact(&path) else {
                let advice = "`tandem convert` and `tandem quantize` keep one; `sha256sum FILE > FILE.sha256` makes one now";
                return Err(
                    Advised::new(format!("there is no hash beside {}", path.display()), advice).into()
                );
            };
            let name = path.display().to_string();
            vec![(name.clone(), "written", if intact { Vec::new() } else { vec![name] })]
        }
        Some(model) => {
            let found = store.find(&model)?.ok_or_else(|| HubError::NotLocal { name: model.to_string() })?;
            vec![stored(found)]
        }
    };
    let mut out = std::io::stdout().lock();
    if as_json {
        let facts = checked.iter().map(|(name, _, files)| json!({ "name": name, "damaged": files }));
        writeln!(out, "{:#}", Value::from_iter(facts))?;
    }
    let mut damaged = Vec::new();
    for (name, how, files) in &checked {
        match files.is_empty() {
            true if as_json => {}
            true => writeln!(out, "{name} is what was {how}")?,
            false => damaged.push(format!("not what was {how}: {name} ({})", files.join(", "))),
        }
    }
    if damaged.is_empty() {
        return Ok(());
    }
    drop(out);
    Err(Advised::new(
        damaged.join("; "),
        "`tandem models --remove MODEL` and `tandem pull MODEL` bring a pulled one anew; what came from other nodes is fetched again \
         when the model is next loaded",
    )
    .into())
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

/// Tokens of context that the memory in the list is for, where the model has as many.
const CONTEXT_LISTED: u64 = 16_384;

/// What the list says of one model: from its file where it is here, else from what its publisher says of it.
struct Known<'a> {
    entry: &'a Entry,
    here: Option<&'a LocalModel>,
    size: ModelSize,
    file_bytes: u64,
    context: u64,
}

impl Known<'_> {
    /// All that can be described; of the others, why not.
    fn all<'a>(entries: &'a [Entry], here: &'a [LocalModel]) -> (Vec<Known<'a>>, Vec<String>) {
        let (mut known, mut others) = (Vec::new(), Vec::new());
        for entry in entries {
            match Known::new(entry, here) {
                Ok(model) => known.push(model),
                Err(error) => others.push(format!("{}: {error:#}", entry.name)),
            }
        }
        (known, others)
    }

    fn new<'a>(entry: &'a Entry, here: &'a [LocalModel]) -> Result<Known<'a>> {
        let size = ModelSize::of(&translate_config(&entry.config, Path::new(&entry.name))?);
        let here = here.iter().find(|model| model.short_name() == entry.name);
        // Hubs shorten the name of the one; a folder of safetensors holds halves.
        let quant = match entry.quant.as_str() {
            "MXFP4" => "MXFP4_MOE",
            "safetensors" => "BF16",
            quant => quant,
        };
        let file_bytes = match here {
            Some(model) => model.manifest.size_bytes(),
            None => size.file_bytes(quant).unwrap_or(0),
        };
        let context = here.and_then(context_of).unwrap_or(size.context as u64);
        Ok(Known { entry, here, size, file_bytes, context })
    }

    /// Weights and the cache of a conversation.
    fn memory_bytes(&self) -> u64 {
        self.file_bytes + self.size.cache_bytes(self.context.min(CONTEXT_LISTED))
    }
}

fn available(store: &Store, as_json: bool) -> Result<()> {
    let here = store.list()?;
    let (known, others) = Known::all(Catalogue::embedded().entries(), &here);
    for other in others {
        eprintln!("not listed: {other}");
    }
    let free_bytes = available_bytes();
    let fits = |model: &Known| free_bytes.map(|free| model.memory_bytes() <= free);
    let mut out = std::io::stdout().lock();
    if as_json {
        let entries: Vec<Value> = known
            .iter()
            .map(|model| {
                let entry = model.entry;
                let gguf = model.size.files.iter().filter(|(name, _)| !name.starts_with("MLX"));
                json!({
                    "name": entry.name,
                    "about": entry.about,
                    "licence": entry.licence,
                    "hub": entry.hub,
                    "quant": entry.quant,
                    "here": model.here.is_some(),
                    "parameters": model.size.parameters,
                    "active_parameters": model.size.active,
                    "size_bytes": model.file_bytes,
                    "quantisations": gguf.cloned().collect::<BTreeMap<_, _>>(),
                    "context": model.context,
                    "cache_bytes_per_token": model.size.cache_bytes_per_token,
                    "memory_bytes": model.memory_bytes(),
                    "fits": fits(model),
                })
            })
            .collect();
        writeln!(out, "{:#}", Value::from(entries))?;
        return Ok(());
    }
    let mut table = Table::new(&[
        "NAME",
        ">PARAMETERS",
        "QUANT",
        ">SIZE",
        ">AS Q8_0",
        ">CONTEXT",
        ">MEMORY",
        "FITS",
        "LICENCE",
        "HERE",
    ]);
    for model in &known {
        let ModelSize { parameters, active, .. } = model.size;
        let parameters = match active < parameters {
            true => format!("{}, {} at a time", display::count(parameters), display::count(active)),
            false => display::count(parameters),
        };
        let mark = |yes: bool| if yes { "yes".to_owned() } else { String::new() };
        table.row([
            model.entry.name.clone(),
            parameters,
            model.entry.quant.clone(),
            display::bytes(model.file_bytes),
            model.size.file_bytes("Q8_0").map_or_else(String::new, display::bytes),
            model.context.to_string(),
            display::bytes(model.memory_bytes()),
            fits(model).map_or_else(|| "?".into(), mark),
            model.entry.licence.clone(),
            mark(model.here.is_some()),
        ]);
    }
    table.print(&mut out)?;
    writeln!(out)?;
    let free =
        free_bytes.map_or_else(String::new, |free| format!("; {} are free here", display::bytes(free)));
    writeln!(out, "MEMORY is for the weights and {CONTEXT_LISTED} tokens of context{free}.")?;
    writeln!(
        out,
        "Another quantisation: tandem pull NAME:Q8_0. Any other model: tandem pull org/name[:quant]"
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_nothing_here_describes_leaves_the_others_listed() {
        let mut entries = Catalogue::embedded().entries().to_vec();
        entries[1].config["architectures"] = json!(["TomorrowForCausalLM"]);
        let (known, others) = Known::all(&entries, &[]);
        assert_eq!(known.len(), entries.len() - 1);
        assert_eq!(others.len(), 1);
        let expected = format!("{}: unknown architecture `TomorrowForCausalLM`", entries[1].name);
        assert!(others[0].contains(&expected), "{}", others[0]);
    }
}
