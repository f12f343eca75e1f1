//! `tandem inspect`: what a model file says of itself.

use crate::display::{self, Table};
use crate::locate;
use crate::mixture::FileType;
use crate::model_size::ModelSize;
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use tandem_formats::{Gguf, Metadata, Safetensors, SafetensorsTensor, Value as GgufValue, Weights};
use tandem_runtime::translate_config;

/// Arrays in the metadata are shown up to this length.
const ARRAY_SHOWN_MAX: usize = 8;

/// Show what a model file holds
///
/// Reads only the file's header: it is quick on any size, and safe on files you do not trust.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem inspect smollm2                 a model on this machine, by name
  tandem inspect model.gguf --tensors    every tensor: type, shape, size
  tandem inspect model.gguf --template   only the chat template, as it is
  tandem inspect model.gguf --json | jq .parameters
  tandem inspect --config config.json    how large a model is, without weights")]
pub struct Args {
    /// A .gguf or .safetensors file, a folder, or the name of a model on this machine
    #[arg(required_unless_present = "config")]
    model: Option<OsString>,
    /// Say how large the model of this config.json is in every quantisation
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model", "tensors", "template"])]
    config: Option<PathBuf>,
    /// List every tensor
    #[arg(long, conflicts_with = "template")]
    tensors: bool,
    /// Print the chat template and nothing else
    #[arg(long, conflicts_with = "json")]
    template: bool,
    /// Print everything as JSON; arrays of more than 8 values by their length alone
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    if let Some(config) = &args.config {
        return print_size(config, args.json);
    }
    let model = locate::parse(args.model.as_deref())?;
    let located = locate::on_this_machine(&model)?;
    let path = &located.path;
    let is_safetensors = path.is_dir() || path.extension().is_some_and(|e| e == "safetensors" || e == "json");
    let facts = if is_safetensors { safetensors_facts(path)? } else { gguf_facts(path)? };
    let mut out = std::io::stdout().lock();
    if args.template {
        let template = facts.template.with_context(|| format!("{} has no chat template", path.display()))?;
        write!(out, "{template}")?;
        return Ok(());
    }
    if args.json {
        writeln!(out, "{:#}", facts.to_json())?;
        return Ok(());
    }
    facts.print(args.tensors, &mut out)?;
    Ok(())
}

fn print_size(path: &Path, as_json: bool) -> Result<()> {
    let config = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let config = tandem_formats::parse_config(&config)
        .with_context(|| format!("{} is not valid JSON", path.display()))?;
    let translation = translate_config(&config, path)?;
    let size = ModelSize::of(&translation);
    let mut out = std::io::stdout().lock();
    if as_json {
        let files: Map<String, Value> =
            size.files.iter().map(|(name, bytes)| (name.clone(), (*bytes).into())).collect();
        let facts = json!({
            "architecture": translation.source.architecture,
            "parameters": size.parameters,
            "active_parameters": size.active,
            "read_parameters_per_token": size.read_per_token,
            "cache_bytes_per_token": size.cache_bytes_per_token,
            "window_cache_bytes_per_token": size.window_bytes_per_token,
            "window": size.window,
            "cache_bytes": size.cache_bytes(size.context as u64),
            "layers": size.layers,
            "context": size.context,
            "file_bytes": files,
        });
        writeln!(out, "{facts:#}")?;
        return Ok(());
    }
    writeln!(out, "{:<15} {}", "architecture", translation.source.architecture)?;
    writeln!(
        out,
        "{:<15} {}, of which a token uses {} and reads {}",
        "parameters",
        display::count(size.parameters),
        display::count(size.active),
        display::count(size.read_per_token)
    )?;
    writeln!(out, "{:<15} {}", "layers", size.layers)?;
    writeln!(out, "{:<15} {} tokens", "context", size.context)?;
    let windowed = match size.windowed_layers {
        0 => String::new(),
        layers => format!("; {layers} layers keep only a window of {} tokens", size.window),
    };
    writeln!(
        out,
        "{:<15} {} a token (F16), {} for the whole context{windowed}",
        "cache",
        display::bytes(size.cache_bytes_per_token),
        display::bytes(size.cache_bytes(size.context as u64))
    )?;
    writeln!(out)?;
    let mut table = Table::new(&["QUANTISATION", ">SIZE", ">BITS"]);
    for (name, bytes) in &size.files {
        let bits = *bytes as f64 * 8.0 / size.parameters as f64;
        table.row([name.clone(), display::bytes(*bytes), format!("{bits:.2}")]);
    }
    table.print(&mut out)?;
    Ok(())
}

struct Facts {
    path: String,
    format: String,
    file_bytes: u64,
    /// The lines at the top, in order.
    summary: Vec<(&'static str, String)>,
    architecture: String,
    template: Option<String>,
    tensors: Vec<TensorFacts>,
    metadata: Vec<(String, Value)>,
}

struct TensorFacts {
    name: String,
    kind: String,
    /// Slowest first: rows, then columns.
    shape: Vec<u64>,
    bytes: Option<u64>,
}

impl TensorFacts {
    fn values(&self) -> u64 {
        self.shape.iter().copied().fold(1, u64::saturating_mul)
    }
}

impl Facts {
    fn parameters(&self) -> u64 {
        self.tensors.iter().map(TensorFacts::values).fold(0, u64::saturating_add)
    }

    /// Count and bytes of each type.
    fn kinds(&self) -> BTreeMap<&str, (usize, u64)> {
        let mut kinds: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
        for tensor in &self.tensors {
            let (count, bytes) = kinds.entry(&tensor.kind).or_default();
            *count += 1;
            *bytes += tensor.bytes.unwrap_or(0);
        }
        kinds
    }

    fn to_json(&self) -> Value {
        let summary: Map<String, Value> =
            self.summary.iter().map(|(key, value)| (key.replace(' ', "_"), value.clone().into())).collect();
        let tensors: Vec<Value> = self
            .tensors
            .iter()
            .map(|t| json!({ "name": t.name, "type": t.kind, "shape": t.shape, "bytes": t.bytes }))
            .collect();
        json!({
            "path": self.path,
            "format": self.format,
            "file_bytes": self.file_bytes,
            "architecture": self.architecture,
            "parameters": self.parameters(),
            "summary": summary,
            "metadata": self.metadata.iter().cloned().collect::<Map<_, _>>(),
            "chat_template": self.template,
            "tensors": tensors,
        })
    }

    fn print(&self, with_tensors: bool, out: &mut impl Write) -> Result<()> {
        let line = |out: &mut dyn Write, key: &str, value: &str| {
            writeln!(out, "{key:<15} {}", display::line(value, 160))
        };
        line(out, "file", &self.path)?;
        line(out, "format", &format!("{}, {}", self.format, display::bytes(self.file_bytes)))?;
        line(out, "architecture", &self.architecture)?;
        line(out, "parameters", &display::count(self.parameters()))?;
        for (key, value) in &self.summary {
            line(out, key, value)?;
        }
        let template = match &self.template {
            Some(template) => format!("{} characters (--template prints it)", template.chars().count()),
            None => "none".into(),
        };
        line(out, "chat template", &template)?;
        let kinds = self.kinds();
        let kinds =
            kinds.iter().map(|(kind, (count, bytes))| format!("{count} {kind} ({})", display::bytes(*bytes)));
        let kinds: Vec<String> = kinds.collect();
        line(out, "tensors", &format!("{}: {}", self.tensors.len(), kinds.join(", ")))?;

        if with_tensors {
            writeln!(out)?;
            let mut table = Table::new(&["TENSOR", "TYPE", ">SHAPE", ">SIZE"]);
            for tensor in &self.tensors {
                let shape: Vec<String> = tensor.shape.iter().map(u64::to_string).collect();
                let size = tensor.bytes.map_or_else(|| "?".into(), display::bytes);
                table.row([tensor.name.clone(), tensor.kind.clone(), shape.join(" × "), size]);
            }
            table.print(out)?;
        } else if !self.metadata.is_empty() {
            writeln!(out)?;
            let mut table = Table::new(&["METADATA", "VALUE"]);
            for (key, value) in &self.metadata {
                let value = match value {
                    Value::String(text) => text.clone(),
                    Value::Object(array) if array.contains_key("array_of") => {
                        format!("[{} × {}]", array["length"], array["array_of"].as_str().unwrap_or_default())
                    }
                    other => other.to_string(),
                };
                table.row([key.clone(), display::line(&value, 80)]);
            }
            table.print(out)?;
        }
        Ok(())
    }
}

fn gguf_facts(path: &Path) -> Result<Facts> {
    let gguf = Gguf::open(path)?;
    let metadata = gguf.metadata();
    let text = |key: &str| metadata.find::<&str>(key).ok().flatten().map(str::to_owned);
    let architecture = text("general.architecture").unwrap_or_else(|| "not stated".into());
    let number = |key: &str| metadata.find::<u64>(&format!("{architecture}.{key}")).ok().flatten();

    let mut summary = Vec::new();
    for (label, key) in [("name", "general.name"), ("licence", "general.license")] {
        summary.extend(text(key).map(|value| (label, value)));
    }
    if let Ok(Some(id)) = metadata.find::<u32>("general.file_type") {
        let name =
            FileType::from_id(id).map_or_else(|| format!("type {id}"), |file_type| file_type.to_string());
        summary.push(("quantisation", name));
    }
    summary.extend(number("context_length").map(|context| ("context", format!("{context} tokens"))));
    summary.extend(number("block_count").map(|layers| ("layers", layers.to_string())));
    summary.extend(number("embedding_length").map(|width| ("hidden size", width.to_string())));
    summary.extend(number("feed_forward_length").map(|width| ("feed forward", width.to_string())));
    if let Some(heads) = number("attention.head_count") {
        let kv = number("attention.head_count_kv").unwrap_or(heads);
        summary.push(("heads", format!("{heads}, {kv} for keys and values")));
    }
    summary.extend(number("expert_count").map(|experts| ("experts", experts.to_string())));
    summary.extend(tokenizer_line(metadata).map(|line| ("tokenizer", line)));

    let tensors = gguf.tensors().iter().map(|tensor| TensorFacts {
        name: tensor.name.clone(),
        kind: tensor.kind.to_string(),
        shape: tensor.dims.iter().rev().copied().collect(),
        bytes: tensor.bytes,
    });
    Ok(Facts {
        path: path.display().to_string(),
        format: format!("GGUF version {}", gguf.version()),
        file_bytes: gguf.file_bytes(),
        summary,
        architecture: architecture.clone(),
        template: text("tokenizer.chat_template"),
        tensors: tensors.collect(),
        metadata: metadata.iter().map(|(key, value)| (key.to_owned(), json_of(value))).collect(),
    })
}

/// `gpt2 (smollm), 49152 tokens, bos 1 <|im_start|>, eos 2 <|im_end|>`.
fn tokenizer_line(metadata: &Metadata) -> Option<String> {
    let model = metadata.find::<&str>("tokenizer.ggml.model").ok()??;
    let tokens = metadata.get_array("tokenizer.ggml.tokens").ok();
    let mut line = model.to_owned();
    if let Ok(Some(pre)) = metadata.find::<&str>("tokenizer.ggml.pre") {
        line.push_str(&format!(" ({pre})"));
    }
    line.push_str(&format!(", {} tokens", tokens.map_or(0, |tokens| tokens.len())));
    for (label, key) in [("bos", "tokenizer.ggml.bos_token_id"), ("eos", "tokenizer.ggml.eos_token_id")] {
        let Ok(Some(id)) = metadata.find::<u32>(key) else { continue };
        line.push_str(&format!(", {label} {id}"));
        if let Some(GgufValue::Str(text)) = tokens.and_then(|tokens| tokens.get(id as usize)) {
            line.push_str(&format!(" {text}"));
        }
    }
    Some(line)
}

fn json_of(value: GgufValue<'_>) -> Value {
    match value {
        GgufValue::Bool(value) => value.into(),
        GgufValue::Str(value) => value.into(),
        // By way of its shortest spelling: 1e-5, not 9.999999747378752e-6.
        GgufValue::F32(value) => value.to_string().parse::<f64>().map_or(Value::Null, |value| json!(value)),
        GgufValue::F64(value) => json!(value),
        GgufValue::Array(array) if array.len() <= ARRAY_SHOWN_MAX => array.iter().map(json_of).collect(),
        GgufValue::Array(array) => json!({ "array_of": array.kind().to_string(), "length": array.len() }),
        // Whole numbers of GGUF have at most 64 bits.
        integer => integer.as_integer().map_or(Value::Null, |value| {
            u64::try_from(value).map_or_else(|_| json!(value as i64), |value| json!(value))
        }),
    }
}

fn safetensors_facts(path: &Path) -> Result<Facts> {
    let model = Safetensors::open(path)?;
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
    let read_json = |name: &str| -> Option<Value> {
        serde_json::from_slice(&std::fs::read(folder.join(name)).ok()?).ok()
    };
    let config = read_json("config.json").unwrap_or_default();
    let mut summary = Vec::new();
    for (label, key) in [
        ("context", "max_position_embeddings"),
        ("layers", "num_hidden_layers"),
        ("hidden size", "hidden_size"),
        ("feed forward", "intermediate_size"),
        ("heads", "num_attention_heads"),
        ("vocabulary", "vocab_size"),
    ] {
        summary.extend(config[key].as_u64().map(|value| (label, value.to_string())));
    }
    let template = std::fs::read_to_string(folder.join("chat_template.jinja"))
        .ok()
        .or_else(|| Some(read_json("tokenizer_config.json")?["chat_template"].as_str()?.to_owned()));
    // Quantised tensors lie in several parts; they are shown as the whole they are read as.
    let offered = model.names().into_iter().map(|name| match model.tensor(name) {
        Ok(Some(info)) => {
            let shape = [info.shape.experts, info.shape.rows, info.shape.cols].map(|dim| dim as u64);
            let first = shape.iter().position(|&dim| dim > 1).unwrap_or(2);
            let (kind, bytes) = (info.dtype.to_string(), Some(info.bytes() as u64));
            TensorFacts { name: name.to_owned(), kind, shape: shape[first..].to_vec(), bytes }
        }
        _ => {
            let stored = model.find(name);
            TensorFacts {
                name: name.to_owned(),
                kind: stored.map_or_else(|| "?".into(), |stored| stored.kind.clone()),
                shape: stored.map_or_else(Vec::new, |stored| stored.dims.clone()),
                bytes: stored.map(SafetensorsTensor::bytes),
            }
        }
    });
    let tensors: Vec<TensorFacts> = offered.collect();
    let file_bytes = model.tensors().iter().map(SafetensorsTensor::bytes).fold(0, u64::saturating_add);
    let metadata = match config {
        Value::Object(config) => config.into_iter().collect(),
        _ => Vec::new(),
    };
    let architecture = metadata.iter().find(|(key, _): &&(String, Value)| key == "model_type");
    Ok(Facts {
        path: path.display().to_string(),
        format: "safetensors".into(),
        file_bytes,
        summary,
        architecture: architecture.and_then(|(_, kind)| kind.as_str()).unwrap_or("not stated").to_owned(),
        template,
        tensors,
        metadata,
    })
}
