//! `tandem devices`: what this machine can compute on.

use super::speed;
use crate::display::{self, Table};
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use tandem_plan::Reached;
use tandem_runtime::{Device, Found, Registry, Setup, available_bytes, cache_folder};

/// List what this machine can compute on
///
/// `--device auto` takes the first that is listed for models and has room for the one it is asked for.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem devices
  tandem devices --json
  tandem devices --measure                   how fast each GPU is, which `tandem up` divides models by
  tandem run smollm2 --device gpu:1 \"Hi\"    compute on the second GPU")]
pub struct Args {
    /// Measure how fast GPUs are: a few seconds each. What was measured is kept, and listed from then on
    #[arg(long)]
    measure: bool,
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
    let mut speeds = Speeds::kept();
    if args.measure {
        for (device, found) in found.iter().filter(|(device, _)| *device != Device::cpu()) {
            match measured(&registry, device, found) {
                Ok(reached) => drop(speeds.0.insert(Speeds::key(found), reached)),
                Err(reason) => eprintln!("{device}: not measured: {reason}"),
            }
        }
        speeds.keep();
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let facts: Vec<_> = found
            .iter()
            .map(|(device, found)| {
                let mut facts = facts(device, found);
                facts["reached"] = json!(speeds.of(found));
                facts
            })
            .collect();
        writeln!(out, "{:#}", json!(facts))?;
        return Ok(());
    }
    let mut table =
        Table::new(&["DEVICE", "NAME", "API", "DRIVER", ">FREE", ">MEMORY", ">READS", "USED FOR"]);
    for (device, found) in &found {
        let bytes = |count: Option<u64>| count.map_or_else(|| "–".into(), display::bytes);
        table.row([
            device.to_string(),
            found.name.clone(),
            found.api.clone(),
            found.driver.clone(),
            bytes(free_bytes(found)),
            bytes(found.total_bytes),
            speeds
                .of(found)
                .map_or_else(|| "–".into(), |reached| format!("{:.0} GB/s", reached.read_bytes_per_s / 1e9)),
            used_for(found),
        ]);
    }
    table.print(&mut out)?;
    for (device, limit) in found.iter().filter_map(|(device, found)| Some((device, found.limit.as_ref()?))) {
        writeln!(out, "{device}: {limit}")?;
    }
    Ok(())
}

fn measured(registry: &Registry, device: &Device, found: &Found) -> Result<Reached, String> {
    let opened = registry.open(device, Setup::default()).map_err(|error| error.to_string())?;
    speed::reached(&*opened.backend, found.software)
}

/// What devices were measured to reach, by name and driver.
#[derive(Default)]
struct Speeds(BTreeMap<String, Reached>);

impl Speeds {
    fn file() -> Option<PathBuf> {
        Some(cache_folder()?.join("speeds.json"))
    }

    fn kept() -> Speeds {
        let read = Speeds::file().and_then(|file| std::fs::read(file).ok());
        Speeds(read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default())
    }

    /// What cannot be kept is measured again.
    fn keep(&self) {
        if let (Some(file), Ok(bytes)) = (Speeds::file(), serde_json::to_vec(&self.0)) {
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = std::fs::write(file, bytes);
        }
    }

    fn key(found: &Found) -> String {
        format!("{}, {}, {}", found.name, found.api, found.driver)
    }

    fn of(&self, found: &Found) -> Option<&Reached> {
        self.0.get(&Speeds::key(found))
    }
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
        "unified": found.unified,
        "limit": found.limit,
        "software": found.software,
        "used_for": used_for(found),
    })
}
