//! `tandem nodes`: who belongs to the cluster.

use crate::display::Table;
use anyhow::Result;
use std::io::Write;
use tandem_hub::Store;
use tandem_node::control::{Order, order};

/// List the cluster's nodes and the links between them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem nodes
  tandem nodes --json")]
pub struct Args {
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let state = order(Store::from_env()?.home(), &Order::State)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", state["nodes"])?;
        return Ok(());
    }
    let nodes = || state["nodes"].as_array().into_iter().flatten();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let mut table = Table::new(&[
        "NAME",
        "ID",
        "STATE",
        ">CORES",
        ">MEMORY",
        ">READS",
        ">MODELS",
        "VERSION",
        "ACCELERATORS",
    ]);
    for node in nodes() {
        let live = if node["live"].as_bool() == Some(true) { "live" } else { "gone" };
        let memory = node["memory_bytes"].as_f64().unwrap_or(0.0) / 1e9;
        // Those that models may be placed on, or what else is plugged in.
        let devices = node["devices"].as_array().into_iter().flatten();
        let mut accelerators: Vec<_> = devices
            .map(|device| {
                let room = device["room_bytes"]
                    .as_u64()
                    .map_or(String::new(), |room| format!(", {} free", crate::display::bytes(room)));
                format!("{}: {}{room}", text(&device["device"]), text(&device["name"]))
            })
            .collect();
        if accelerators.is_empty() {
            accelerators = node["accelerators"].as_array().into_iter().flatten().map(text).collect();
        }
        table.row([
            text(&node["name"]),
            text(&node["id"]).chars().take(8).collect(),
            live.to_owned(),
            node["cores"].to_string(),
            format!("{memory:.1} GB"),
            format!("{:.0} GB/s", node["read_bytes_per_s"].as_f64().unwrap_or(0.0) / 1e9),
            node["models"].as_array().map_or(0, Vec::len).to_string(),
            text(&node["software"]),
            accelerators.join(", "),
        ]);
    }
    table.print(&mut out)?;
    let mut links = Table::new(&["LINK", "TRANSPORT", ">ROUND TRIP", ">RATE"]);
    let mut any = false;
    for node in nodes() {
        for link in node["links"].as_array().into_iter().flatten() {
            any = true;
            links.row([
                format!("{} – {}", text(&node["name"]), text(&link["to"])),
                text(&link["transport"]),
                format!("{:.0} µs", link["round_trip_us"].as_f64().unwrap_or(0.0)),
                format!("{:.2} GB/s", link["bytes_per_s"].as_f64().unwrap_or(0.0) / 1e9),
            ]);
        }
    }
    if any {
        writeln!(out)?;
        links.print(&mut out)?;
    }
    Ok(())
}
