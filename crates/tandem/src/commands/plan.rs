//! `tandem plan`: what a model would give, on machines that need not be here.

use super::load::parse_parallelism;
use crate::display::{self, Table};
use crate::failure::Advised;
use crate::mixture::FileType;
use crate::planned_model::PlannedModel;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use tandem_hub::{Catalogue, Store};
use tandem_node::control::{ControlError, Order, order};
use tandem_plan::{
    Device, Link, Links, Outlook, Parallelism, Pins, Question, Refusal, Setup, SetupMachine, clusters, plan,
};

/// Say what a model would give, on machines that need not be here
///
/// Whether it fits, who would hold what, tokens per second with their uncertainty, where a token's time would go, and what would bring
/// more. Speeds of GPUs follow published measurements of MLX and llama.cpp on such chips; of cores, Tandem's own.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem plan llama3.3                                      on the running cluster, or this machine
  tandem plan qwen3-235b --on \"4x m3-ultra-512 tb5-mesh\"     on machines you might buy
  tandem plan deepseek-v3.1 --on machines.json              on machines and cables that a file describes
  tandem plan --models --on \"2x dgx-spark roce-200\"         which models run there, and how fast
  tandem plan gpt-oss-120b --budget 25000                   which machines for the money

A file describes machines by chip, or by cores and what they read together:
  {\"machines\": [{\"name\": \"desk\", \"chip\": \"m3-ultra\", \"memory_gb\": 512},
                {\"name\": \"rack\", \"cores\": 16, \"read_gb_per_s\": 110, \"memory_gb\": 64}],
   \"cable\": \"10gbe\", \"cables\": [{\"between\": [\"desk\", \"rack\"], \"round_trip_us\": 40, \"gb_per_s\": 3}]}")]
pub struct Args {
    /// A name of `tandem models --available`, a model that is here, or a config.json
    #[arg(required_unless_present = "models")]
    model: Option<OsString>,
    /// Machines and the cable between them, or a file that describes them
    #[arg(long, value_name = "MACHINES")]
    on: Option<String>,
    /// Rank the known models on these machines
    #[arg(long, conflicts_with_all = ["model", "budget"])]
    models: bool,
    /// Rank clusters that so many dollars buy
    #[arg(long, value_name = "DOLLARS", value_parser = parse_dollars, conflicts_with = "on")]
    budget: Option<f64>,
    /// Another quantisation than the catalogue's
    #[arg(long, value_name = "TYPE")]
    quant: Option<FileType>,
    /// Tokens of context
    #[arg(long, value_name = "TOKENS")]
    context: Option<usize>,
    /// tensor: every layer divided; pipeline: layers divided; hybrid: both
    #[arg(long, value_parser = parse_parallelism)]
    parallelism: Option<Parallelism>,
    /// Dollars for a kilowatt-hour
    #[arg(long, value_name = "DOLLARS", default_value = "0.30", value_parser = parse_dollars)]
    kwh: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn parse_dollars(text: &str) -> Result<f64, String> {
    let dollars = text.trim_start_matches('$').replace(['_', ','], "").parse::<f64>().ok();
    dollars
        .filter(|it| it.is_finite() && *it >= 0.0)
        .ok_or_else(|| "expected an amount, such as 25000".into())
}

pub fn run(args: Args) -> Result<()> {
    let pins = Pins { context: args.context, parallelism: args.parallelism, ..Pins::default() };
    let mut out = std::io::stdout().lock();
    if args.models {
        return rank_models(&setup(args.on.as_deref())?, &args, &pins, &mut out);
    }
    let Some(model) = &args.model else { unreachable!("clap asks for it") };
    let model = PlannedModel::named(model, args.quant)?;
    if let Some(budget) = args.budget {
        return rank_clusters(&model, budget, &args, &pins, &mut out);
    }
    let setup = setup(args.on.as_deref())?;
    let outlook = Outlook::new(&Question {
        model: model.name.clone(),
        facts: &model.facts,
        others: &model.others,
        setup: &setup,
        pins: &pins,
        kwh_usd: args.kwh,
    });
    match args.json {
        true => writeln!(out, "{:#}", serde_json::to_value(&outlook)?)?,
        false => write!(out, "{outlook}")?,
    }
    Ok(())
}

fn rank_models(setup: &Setup, args: &Args, pins: &Pins, out: &mut impl Write) -> Result<()> {
    let mut ranked = Vec::new();
    for entry in Catalogue::embedded().entries() {
        let model = PlannedModel::of_entry(entry, args.quant)?;
        let planned = plan(&model.facts, &setup.machines(), &setup.links, pins);
        ranked.push((model, planned));
    }
    // What fits comes first, and of that the largest, which knows most.
    ranked.sort_by_key(|(model, planned)| (planned.is_err(), std::cmp::Reverse(parameters(model))));
    if args.json {
        let models: Vec<Value> = ranked
            .iter()
            .map(|(model, planned)| match planned {
                Ok(plan) => json!({
                    "model": model.name,
                    "fits": true,
                    "weights_bytes": model.facts.weights_bytes,
                    "machines": plan.stages.iter().map(|stage| stage.ranks.len()).sum::<usize>(),
                    "context": plan.context,
                    "decode_tokens_per_s": plan.prediction.decode.tokens_per_s(),
                    "prefill_tokens_per_s": plan.prediction.prefill.tokens_per_s(),
                    "uncertainty": setup.uncertainty(),
                }),
                Err(refusal) => json!({
                    "model": model.name,
                    "fits": false,
                    "weights_bytes": model.facts.weights_bytes,
                    "why": refusal.to_string(),
                }),
            })
            .collect();
        writeln!(out, "{:#}", Value::from(models))?;
        return Ok(());
    }
    let mut table = Table::new(&["MODEL", ">WEIGHTS", ">MACHINES", ">CONTEXT", ">ANSWERS", ">PROMPTS", ""]);
    for (model, planned) in &ranked {
        let weights = display::bytes(model.facts.weights_bytes);
        match planned {
            Ok(plan) => table.row([
                model.name.clone(),
                weights,
                plan.stages.iter().map(|stage| stage.ranks.len()).sum::<usize>().to_string(),
                plan.context.to_string(),
                format!("{:.1} tokens/s", plan.prediction.decode.tokens_per_s()),
                format!("{:.0} tokens/s", plan.prediction.prefill.tokens_per_s()),
                String::new(),
            ]),
            Err(refusal) => {
                let why = if matches!(refusal, Refusal::TooBig { .. }) {
                    "does not fit".into()
                } else {
                    refusal.to_string()
                };
                table.row([model.name.clone(), weights, "–".into(), "–".into(), "–".into(), "–".into(), why]);
            }
        }
    }
    table.print(out)?;
    writeln!(out, "\nSpeeds are for one stream, ±{:.0}%.", setup.uncertainty() * 100.0)?;
    Ok(())
}

fn parameters(model: &PlannedModel) -> u64 {
    model.facts.dense_parameters + model.facts.experts.parameters
}

fn rank_clusters(
    model: &PlannedModel,
    budget: f64,
    args: &Args,
    pins: &Pins,
    out: &mut impl Write,
) -> Result<()> {
    let choices = clusters(&model.facts, budget, pins);
    if args.json {
        writeln!(out, "{:#}", json!({ "model": model.name, "clusters": choices }))?;
        return Ok(());
    }
    if choices.is_empty() {
        return Err(Advised::new(
            format!("${budget:.0} buys no machines, of those with a known price, that hold {}", model.name),
            "a smaller quantisation (`--quant`), a smaller model, or a larger budget",
        )
        .into());
    }
    writeln!(out, "{} for ${budget:.0}, fastest first; each next one is cheaper\n", model.name)?;
    let mut table = Table::new(&["MACHINES", ">PRICE", ">ANSWERS", ">PROMPTS", ">AT MOST"]);
    for choice in &choices {
        table.row([
            choice.what.clone(),
            choice.price_usd.map_or_else(String::new, |price| format!("${price:.0}")),
            format!("{:.1} tokens/s", choice.decode_tokens_per_s),
            format!("{:.0} tokens/s", choice.prefill_tokens_per_s),
            choice.watts_max.map_or_else(String::new, |watts| format!("{watts:.0} W")),
        ]);
    }
    table.print(out)?;
    writeln!(
        out,
        "\nLaunch prices, cables not counted. `tandem plan MODEL --on \"MACHINES\"` says more of one."
    )?;
    Ok(())
}

/// What was described, or the running cluster, or this machine.
fn setup(on: Option<&str>) -> Result<Setup> {
    if let Some(on) = on {
        let path = Path::new(on);
        if path.is_file() {
            let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {on}"))?;
            return Setup::from_json(&text).with_context(|| on.to_owned());
        }
        return Ok(Setup::parse(on)?);
    }
    match order(Store::from_env()?.home(), &Order::State) {
        Ok(state) => Ok(running(&state["nodes"])),
        Err(ControlError::NoNode(_)) => this_machine(),
        Err(error) => Err(error.into()),
    }
}

/// The cluster that runs, as it measured itself. Nodes of one machine share what it reads.
fn running(nodes: &Value) -> Setup {
    let live = |node: &&Value| node["live"].as_bool() == Some(true);
    let nodes: Vec<&Value> = nodes.as_array().into_iter().flatten().filter(live).collect();
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let machines = nodes.iter().map(|node| {
        let sharing = nodes.iter().filter(|other| other["machine"] == node["machine"]).count().max(1);
        let cores = node["cores"].as_u64().unwrap_or(1) as usize / sharing;
        let room_bytes = node["memory_bytes"].as_u64().unwrap_or(0) / sharing as u64;
        SetupMachine {
            name: node["name"].as_str().unwrap_or_default().to_owned(),
            chip: None,
            memory_gb: room_bytes / 1_000_000_000,
            room_bytes,
            device: Device::cpu(cores, number(&node["read_bytes_per_s"]) / sharing as f64),
        }
    });
    let mut links = Links::default();
    for (a, node) in nodes.iter().enumerate() {
        for link in node["links"].as_array().into_iter().flatten() {
            if let Some(b) = nodes.iter().position(|other| other["name"] == link["to"]).filter(|b| *b != a) {
                let (round_trip_us, bytes_per_s) =
                    (number(&link["round_trip_us"]), number(&link["bytes_per_s"]));
                links.set(a, b, Link { round_trip_us, bytes_per_s });
            }
        }
    }
    Setup { machines: machines.collect(), links, cable: None }
}

fn this_machine() -> Result<Setup> {
    let cores = std::thread::available_parallelism()?.get();
    let room_bytes =
        tandem_runtime::available_bytes().context("the system does not say how much memory is free")?;
    let read = tandem_kernels_cpu::memory::read_bandwidth_of(cores, (256 << 20) / cores.clamp(1, 16), 3)
        .context("cannot measure how fast memory is read here")?;
    let machine = SetupMachine {
        name: "this machine".into(),
        chip: None,
        memory_gb: room_bytes / 1_000_000_000,
        room_bytes: room_bytes / 10 * 9,
        device: Device::cpu(cores, read * 1e9),
    };
    Ok(Setup { machines: vec![machine], links: Links::default(), cable: None })
}
