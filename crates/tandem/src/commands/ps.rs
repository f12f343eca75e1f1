//! `tandem ps`: what is loaded, and where.

use crate::display::{self, Table};
use anyhow::Result;
use std::io::Write;
use tandem_hub::Store;
use tandem_node::control::{Order, order};

/// List the models that are loaded in the cluster
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem ps
  tandem ps -v     # also how GPUs hand over to other ranks
  tandem ps --json")]
pub struct Args {
    /// Also say how each device hands over what ranks exchange, and what that costs
    #[arg(short, long)]
    verbose: bool,
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let state = order(Store::from_env()?.home(), &Order::State)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let shown = serde_json::json!({
            "instances": state["instances"], "wanted": state["wanted"], "refused": state["refused"],
            "energy": state["energy"],
        });
        writeln!(out, "{shown:#}")?;
        return Ok(());
    }
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let mut table =
        Table::new(&["MODEL", "STATE", ">CONTEXT", ">CACHE USED", ">FREE", ">REQUESTS", "NODES", ">MEMORY"]);
    for instance in state["instances"].as_array().into_iter().flatten() {
        let ranks = || instance["ranks"].as_array().into_iter().flatten();
        let bytes: f64 = ranks().filter_map(|rank| rank["bytes"].as_f64()).sum();
        let at = |rank: &serde_json::Value| match text(&rank["device"]).as_str() {
            "" | "cpu" => text(&rank["node"]),
            device => format!("{} ({device})", text(&rank["node"])),
        };
        let nodes: Vec<_> = ranks().map(at).collect();
        let tokens = |name: &str| instance[name].as_u64().unwrap_or(0);
        let mut state = text(&instance["state"]);
        if state == "loading" {
            let sum = |name: &str| ranks().filter_map(|rank| rank[name].as_f64()).sum::<f64>();
            state = format!("loading {:.0}%", 100.0 * sum("loaded_bytes") / sum("total_bytes").max(1.0));
        }
        table.row([
            text(&instance["model"]),
            state,
            instance["context"].to_string(),
            tokens("cache_used_tokens").to_string(),
            tokens("cache_tokens").saturating_sub(tokens("cache_used_tokens")).to_string(),
            instance["requests"].as_u64().unwrap_or(0).to_string(),
            nodes.join(", "),
            format!("{:.2} GB", bytes / 1e9),
        ]);
    }
    table.print(&mut out)?;
    // What lies between nodes that share a model, and who could read it.
    let shared: Vec<Vec<String>> = state["instances"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|instance| {
            instance["ranks"].as_array().into_iter().flatten().map(|rank| text(&rank["node"])).collect()
        })
        .collect();
    for node in state["nodes"].as_array().into_iter().flatten() {
        let here = text(&node["name"]);
        for link in node["links"].as_array().into_iter().flatten() {
            let there = text(&link["to"]);
            if shared.iter().any(|nodes| nodes.contains(&here) && nodes.contains(&there)) && here < there {
                writeln!(out, "{here} – {there}: {}", text(&link["transport"]))?;
            }
        }
    }
    if args.verbose {
        for instance in state["instances"].as_array().into_iter().flatten() {
            for rank in instance["ranks"].as_array().into_iter().flatten() {
                if let Some(how) = rank["hands_over"].as_str() {
                    let (model, node) = (text(&instance["model"]), text(&rank["node"]));
                    writeln!(out, "{model} on {node} ({}): {how}", text(&rank["device"]))?;
                }
            }
        }
    }
    if let Some(power) = display::power(&state) {
        writeln!(out, "{power}")?;
    }
    for (model, reason) in state["refused"].as_object().into_iter().flatten() {
        writeln!(out, "{model}: {}", text(reason))?;
    }
    Ok(())
}
