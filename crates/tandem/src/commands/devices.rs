//! `tandem devices`: what this machine can compute on.

use crate::display::{self, Table};
use anyhow::Result;
use serde_json::{Value, json};
use std::io::Write;
use tandem_runtime::{Device, Found, Registry, available_bytes};

/// List what this machine can compute on
///
/// `--device auto` takes the first that is listed for models and has room for the one it is asked for.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem devices
  tandem devices --json
  tandem run smollm2 --device gpu:1 \"Hi\"    compute on the second GPU")]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let registry = Registry::default();
    for (kind, why) in registry.out_of_reach() {
        eprintln!("{kind}: {why}");
    }
    let found = registry.found();
    let mut out = std::io::stdout().lock();
    if args.json {
        let facts: Vec<_> = found.iter().map(|(device, found)| facts(device, found)).collect();
        writeln!(out, "{:#}", json!(facts))?;
        return Ok(());
    }
    let mut table = Table::new(&["DEVICE", "NAME", "API", "DRIVER", ">FREE", ">MEMORY", "USED FOR"]);
    for (device, found) in &found {
        let bytes = |count: Option<u64>| count.map_or_else(|| "–".into(), display::bytes);
        table.row([
            device.to_string(),
            found.name.clone(),
            found.api.clone(),
            found.driver.clone(),
            bytes(free_bytes(found)),
            bytes(found.total_bytes),
            used_for(found),
        ]);
    }
    table.print(&mut out)?;
    Ok(())
}

/// A device without memory of its own takes the machine's.
fn free_bytes(found: &Found) -> Option<u64> {
    found.free_bytes.or_else(available_bytes)
}

fn used_for(found: &Found) -> String {
    match &found.drawback {
        None => "models".into(),
        Some(drawback) if found.software => format!("only when named: {drawback}"),
        Some(drawback) => format!("nothing: {drawback}"),
    }
}

pub fn facts(device: &Device, found: &Found) -> Value {
    json!({
        "device": device.to_string(),
        "name": found.name,
        "api": found.api,
        "driver": found.driver,
        "free_bytes": free_bytes(found),
        "total_bytes": found.total_bytes,
        "software": found.software,
        "used_for": used_for(found),
    })
}
