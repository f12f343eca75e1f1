//! `tandem bench fabric` and `tandem bench collective`: links and groups between processes of this machine, or between
//! machines that are named.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};

use anyhow::{Context, Result, ensure};
use tandem_collectives::bench as collective;
use tandem_fabric::bench as fabric;
use tandem_fabric::local::LinkChoice;
use tandem_fabric::{Encryption, LinkTerms, Lobby, Meeting, Rank, usable_cores};

use super::worker;

/// What lies between the processes; shared by both commands.
#[derive(clap::Args)]
pub struct LinkArgs {
    /// shm or tcp; between machines the best there is, by default
    #[arg(long, value_parser = parse_link)]
    link: Option<LinkChoice>,
    /// Measure between machines: where each waits, in order. Run the same command on all, with their own --me
    #[arg(
        long,
        value_name = "HOST:PORT,HOST:PORT",
        value_delimiter = ',',
        requires = "me",
        help_heading = "Machines"
    )]
    nodes: Vec<String>,
    /// Which of --nodes this machine is, counting from 0
    #[arg(long, value_name = "N", requires = "nodes", help_heading = "Machines")]
    me: Option<u16>,
    /// What node 0 printed: only who knows it may take part
    #[arg(long, value_name = "HEX", requires = "nodes", help_heading = "Machines")]
    secret: Option<String>,
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
    /// Encrypt every message, also within this machine (TCP); between machines it is done anyway
    #[arg(long)]
    encrypted: bool,
    /// Encrypt nothing between machines, over a cable that you trust
    #[arg(long, conflicts_with = "encrypted")]
    plain_links: bool,
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
        link: args.link(),
        sizes: args.sizes.clone().unwrap_or(default.sizes),
        each_ms: args.each_ms,
        cores: (cores.len() == 2).then(|| [cores[0], cores[1]]),
        cable: args.cable(),
    };
    let report = match args.meeting("fabric")? {
        Some((meeting, lobby, me)) => fabric::between(&meeting, lobby, me, &options)?,
        None => fabric::run(&options, worker::command("fabric")?)?,
    };
    print(args, &report, serde_json::to_value(&report)?)
}

pub fn collective(args: &LinkArgs, ranks: usize, algorithms: &[String]) -> Result<()> {
    let default = collective::Options::default();
    let ranks = if args.nodes.is_empty() { ranks } else { args.nodes.len() };
    let options = collective::Options {
        ranks,
        link: args.link(),
        algorithms: algorithms.to_vec(),
        sizes: args.sizes.clone().unwrap_or_else(|| default.sizes.clone()),
        each_ms: args.each_ms,
        cores: args.cores_for(ranks),
        cable: args.cable(),
        ..default
    };
    let report = match args.meeting("collective")? {
        Some((meeting, lobby, me)) => collective::between(&meeting, lobby, me, &options)?,
        None => collective::run(&options, worker::command("collective")?)?,
    };
    print(args, &report, serde_json::to_value(&report)?)
}

impl LinkArgs {
    fn cable(&self) -> fabric::Cable {
        fabric::Cable {
            delay_us: self.delay_us,
            checksums: self.checksums,
            encrypted: self.encrypted,
            connections: self.connections,
        }
    }

    fn link(&self) -> LinkChoice {
        self.link.unwrap_or(if self.nodes.is_empty() { LinkChoice::Shm } else { LinkChoice::Best })
    }

    /// Where the named machines meet; none is named for a measurement on this one.
    fn meeting(&self, what: &str) -> Result<Option<(Meeting, Lobby, Rank)>> {
        let Some(me) = self.me else { return Ok(None) };
        ensure!(
            usize::from(me) < self.nodes.len(),
            "--me is {me}, but --nodes names {} machines, counted from 0",
            self.nodes.len()
        );
        let mut addresses = Vec::new();
        for node in &self.nodes {
            let found = node
                .to_socket_addrs()
                .with_context(|| format!("cannot find `{node}`; expected HOST:PORT"))?;
            addresses.push(found.collect::<Vec<_>>());
        }
        let secret = match (&self.secret, me) {
            (Some(hex), _) => parse_secret(hex)?,
            (None, 0) => Meeting::new_secret(),
            (None, _) => {
                anyhow::bail!("--secret is missing; start node 0 first: it prints the others' command")
            }
        };
        if self.secret.is_none() {
            let hex: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
            let nodes = self.nodes.join(",");
            for other in 1..self.nodes.len() {
                eprintln!(
                    "on {}: tandem bench {what} --nodes {nodes} --me {other} --secret {hex}",
                    self.nodes[other]
                );
            }
        }
        let own = addresses[usize::from(me)].first().context("a node without an address")?;
        let any =
            if own.is_ipv6() { IpAddr::V6(Ipv6Addr::UNSPECIFIED) } else { Ipv4Addr::UNSPECIFIED.into() };
        let host = if own.ip().is_loopback() { own.ip() } else { any };
        let lobby = Lobby::at(SocketAddr::new(host, own.port()))
            .with_context(|| format!("cannot wait for the others on port {}", own.port()))?;
        let terms = LinkTerms {
            link: self.link(),
            delay_us: self.delay_us,
            checksums: self.checksums,
            encryption: match (self.encrypted, self.plain_links) {
                (true, _) => Encryption::Always,
                (false, true) => Encryption::Never,
                (false, false) => Encryption::BetweenHosts,
            },
            connections: self.connections,
        };
        Ok(Some((Meeting::under(secret, addresses, terms), lobby, Rank(me))))
    }

    /// The cores asked for, or the first ones where there are enough for a core each.
    fn cores_for(&self, ranks: usize) -> Vec<usize> {
        if !self.cores.is_empty() {
            return self.cores.clone();
        }
        usable_cores().get(..ranks).unwrap_or_default().to_vec()
    }
}

fn parse_secret(hex: &str) -> Result<[u8; 32]> {
    let byte = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let bytes: Option<Vec<u8>> = (0..64).step_by(2).map(byte).collect();
    let bytes = bytes.filter(|_| hex.len() == 64).and_then(|bytes| bytes.try_into().ok());
    bytes.context("--secret is not what node 0 printed: expected 64 hexadecimal digits")
}

fn print(args: &LinkArgs, report: &impl std::fmt::Display, json: serde_json::Value) -> Result<()> {
    if args.me.is_some_and(|me| me > 0) {
        eprintln!("measured; node 0 has the table");
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    match args.json {
        true => writeln!(out, "{json}")?,
        false => write!(out, "{report}")?,
    }
    Ok(())
}
