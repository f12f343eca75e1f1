//! `tandem bench fabric` and `tandem bench collective`: links and groups between processes of this machine.

use std::io::Write;

use anyhow::Result;
use tandem_collectives::bench as collective;
use tandem_fabric::bench as fabric;
use tandem_fabric::local::LinkChoice;

use super::worker;

/// What lies between the processes; shared by both commands.
#[derive(clap::Args)]
pub struct LinkArgs {
    /// shm or tcp
    #[arg(long, default_value = "shm", value_parser = parse_link)]
    link: LinkChoice,
    /// Message sizes in bytes
    #[arg(long, value_name = "BYTES,BYTES", value_delimiter = ',')]
    sizes: Option<Vec<usize>>,
    /// Milliseconds to measure each size
    #[arg(long, value_name = "MS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=60_000))]
    each_ms: u64,
    /// Cores to run on, one per process; the first ones by default
    #[arg(long, value_name = "CORE,CORE", value_delimiter = ',')]
    cores: Vec<usize>,
    /// Added to each message, to imitate a slower link
    #[arg(long, value_name = "US", default_value_t = 0)]
    delay_us: u64,
    /// Check every message with a checksum (TCP)
    #[arg(long)]
    checksums: bool,
    /// Encrypt every message (TCP)
    #[arg(long)]
    encrypted: bool,
    /// Connections per link for large messages (TCP)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16))]
    connections: u8,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn parse_link(text: &str) -> Result<LinkChoice, String> {
    match text {
        "shm" => Ok(LinkChoice::Shm),
        "tcp" => Ok(LinkChoice::Tcp),
        _ => Err("expected shm or tcp".into()),
    }
}

pub fn fabric(args: &LinkArgs) -> Result<()> {
    let cores = args.cores_for(2);
    let default = fabric::Options::default();
    let options = fabric::Options {
        link: args.link,
        sizes: args.sizes.clone().unwrap_or(default.sizes),
        each_ms: args.each_ms,
        cores: (cores.len() == 2).then(|| [cores[0], cores[1]]),
        delay_us: args.delay_us,
        checksums: args.checksums,
        encrypted: args.encrypted,
        connections: args.connections,
    };
    let report = fabric::run(&options, worker::command("fabric")?)?;
    print(args, &report, serde_json::to_value(&report)?)
}

pub fn collective(args: &LinkArgs, ranks: usize, algorithms: &[String]) -> Result<()> {
    let default = collective::Options::default();
    let options = collective::Options {
        ranks,
        link: args.link,
        algorithms: algorithms.to_vec(),
        sizes: args.sizes.clone().unwrap_or_else(|| default.sizes.clone()),
        each_ms: args.each_ms,
        cores: args.cores_for(ranks),
        delay_us: args.delay_us,
        checksums: args.checksums,
        encrypted: args.encrypted,
        connections: args.connections,
        ..default
    };
    let report = collective::run(&options, worker::command("collective")?)?;
    print(args, &report, serde_json::to_value(&report)?)
}

impl LinkArgs {
    /// The cores asked for, or the first ones where there are enough for a core each.
    fn cores_for(&self, ranks: usize) -> Vec<usize> {
        if !self.cores.is_empty() {
            return self.cores.clone();
        }
        if ranks <= super::quantize::cores() { (0..ranks).collect() } else { Vec::new() }
    }
}

fn print(args: &LinkArgs, report: &impl std::fmt::Display, json: serde_json::Value) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match args.json {
        true => writeln!(out, "{json}")?,
        false => write!(out, "{report}")?,
    }
    Ok(())
}
