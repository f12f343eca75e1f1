//! The node that `tandem up` runs.

use super::run::{gigabytes, parse_gigabytes};
use super::worker;
use anyhow::{Context, Result};
use std::process::Command;
use std::sync::Arc;
use tandem_api::{Service, Totals};
use tandem_fabric::Encryption;
use tandem_hub::Store;
use tandem_node::{ClusterService, Node, Options, control};
use tandem_plan::{Cache, Pins};
use tandem_runtime::{CacheType, Device};
use tandem_serving::LocalService;

/// How this machine takes part in a cluster.
#[derive(clap::Args)]
pub struct ClusterArgs {
    /// Join the cluster that this token (from `tandem token`) is of
    #[arg(long, value_name = "TOKEN", help_heading = "Cluster")]
    pub join: Option<String>,
    /// Found the cluster that this token (from `tandem token --new`) was made for, unless this node belongs to it already
    #[arg(long, value_name = "TOKEN", help_heading = "Cluster", conflicts_with_all = ["join", "alone"])]
    pub found: Option<String>,
    /// Serve this machine's models in this one process, and take part in no cluster
    #[arg(long, help_heading = "Cluster", conflicts_with = "join")]
    pub alone: bool,
    /// A node to look for beside those on the local network; can be given several times
    #[arg(long, value_name = "HOST[:PORT]", help_heading = "Cluster")]
    pub peer: Vec<String>,
    /// What other nodes call this one; the machine's name by default
    #[arg(long, value_name = "NAME", help_heading = "Cluster")]
    pub name: Option<String>,
    /// Where nodes talk to each other; another free port is taken where it is in use
    #[arg(long, value_name = "PORT", default_value_t = tandem_node::DEFAULT_PORT, help_heading = "Cluster")]
    pub cluster_port: u16,
    /// Do not look for nodes on the local network
    #[arg(long, help_heading = "Cluster")]
    pub no_discovery: bool,
    /// Encrypt no data links, over cables that you trust; both ends of a link must say so
    #[arg(long, help_heading = "Cluster", conflicts_with = "alone")]
    pub plain_links: bool,
    /// The most memory models may take here, in GB
    #[arg(long, value_name = "GB", help_heading = "Cluster", value_parser = parse_gigabytes)]
    pub memory: Option<f64>,
}

/// In the planner's words.
pub fn cache_pin(cache: CacheType) -> Cache {
    match cache {
        CacheType::F32 => Cache::F32,
        CacheType::F16 => Cache::F16,
        CacheType::Q8 => Cache::Q8,
    }
}

/// Lists this machine's devices from a process of its own.
fn devices() -> Result<impl Fn() -> Command + Send + Sync> {
    let program = std::env::current_exe().context("cannot find this program to start it again")?;
    Ok(move || {
        let mut command = Command::new(&program);
        command.args(["devices", "--json"]);
        command
    })
}

/// A running node and what it serves.
pub struct Running {
    pub node: Node,
    pub service: Arc<dyn Service>,
}

impl ClusterArgs {
    pub async fn start(
        &self,
        store: &Store,
        local: LocalService,
        device: Device,
        threads: Option<usize>,
        sequences_max: usize,
        waiting_max: usize,
        api: String,
        pins: Pins,
        totals: Arc<Totals>,
    ) -> Result<Running> {
        if let Some(token) = &self.found {
            tandem_node::found(store.home(), &token.parse()?)?;
        }
        let options = Options {
            root: store.home().to_owned(),
            name: self.name.clone(),
            port: self.cluster_port,
            host: None,
            peers: self.peer.clone(),
            join: self.join.as_deref().map(str::parse).transpose()?,
            discovery: !self.no_discovery,
            encryption: if self.plain_links { Encryption::Never } else { Encryption::BetweenHosts },
            device,
            cores: threads,
            memory_bytes: self.memory.map(gigabytes),
            worker: Box::new(worker::command("rank")?),
            devices: Some(Box::new(devices()?)),
            sequences_max,
            waiting_max,
            api: Some(api),
        };
        let node = Node::start(options).await?;
        let service = Arc::new(ClusterService::new(node.clone(), local, pins));
        service.report(totals);
        let orders = control::listen(store.home()).context("cannot make the socket that takes orders")?;
        tokio::spawn(control::serve(orders, node.clone(), Arc::clone(&service)));
        Ok(Running { node, service })
    }
}
