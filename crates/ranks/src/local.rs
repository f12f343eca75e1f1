//! A group of worker processes on this machine.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Sender, channel};

use tandem_devices::{RankDevice, Setup, default_threads};
use tandem_engine::{Load, RankReport, Refused, Request, Sink, Ticket, Tokens};
pub use tandem_fabric::local::LinkChoice;
use tandem_fabric::{LinkTerms, Meeting, usable_cores};
use tandem_loading::{
    Kept, LoadError, MemoryPlan, ModelFile, Options, Promise, RankPart, TowerPlan, available_bytes,
};
use tandem_models::{Description, Shard};
use tandem_tensor::{Limits, WireType};

use crate::{
    Blueprint, BlueprintError, Exchange, Failure, News, Overlap, Ready, RemoteEngine, Spent, Stage, Task,
    WorkerProcess,
};

/// How many ranks, and what lies between them.
#[derive(Clone, Debug)]
pub struct LocalNodes {
    pub count: usize,
    pub link: LinkChoice,
    /// Added to every message, to imitate a slower link.
    pub delay_us: u64,
    /// Layers divided among the nodes, instead of every layer.
    pub pipeline: bool,
    /// What each node gets in proportion to the others; equal parts where there are none.
    pub shares: Vec<f64>,
    pub overlap: Overlap,
    /// What the values of sums travel as, over links other than shared memory.
    pub wire: WireType,
}

impl LocalNodes {
    /// Equal parts of every layer over the best link.
    pub fn new(count: usize) -> LocalNodes {
        LocalNodes {
            count,
            link: LinkChoice::Shm,
            delay_us: 0,
            pipeline: false,
            shares: Vec::new(),
            overlap: Overlap::default(),
            wire: WireType::default(),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    #[error("cannot start a worker: {0}")]
    Start(#[from] io::Error),
    #[error(transparent)]
    Failed(#[from] Failure),
    #[error("{nodes} nodes cannot divide {layers} layers; use at most {layers}")]
    TooFewLayers { nodes: usize, layers: usize },
    #[error("{shares} shares for {nodes} nodes; give each node one, a number above 0")]
    Shares { shares: usize, nodes: usize },
    #[error("the stages have {ranks} ranks, but there are {nodes} nodes; give each node one rank")]
    RankCount { ranks: usize, nodes: usize },
}

/// A model on several processes of this machine, which answers token requests until a rank is lost. All of the processes end
/// when this is dropped.
pub struct LocalGroup {
    engine: RemoteEngine,
    plan: MemoryPlan,
    ready: Vec<Ready>,
    workers: Vec<WorkerProcess>,
    /// Of each rank, while it lives.
    _promises: Vec<Promise>,
}

impl LocalGroup {
    /// Starts the processes and waits until the model is loaded. `worker` makes the command for each, which must end in
    /// [`work`](crate::work) on its standard input; `progress` hears bytes loaded and bytes in all.
    pub fn start(
        path: &Path,
        options: &Options,
        nodes: &LocalNodes,
        worker: impl Fn() -> Command,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<LocalGroup, LocalError> {
        let file = ModelFile::open(path).map_err(LoadError::from)?;
        let model = file.description().map_err(LoadError::from)?;
        let stages = stages(model.layers.len(), model.last_cut(), nodes)?;
        LocalGroup::start_stages(path, options, nodes, stages, worker, progress)
    }

    /// As `start`, divided into these stages, which have as many ranks in all as there are nodes.
    pub fn start_stages(
        path: &Path,
        options: &Options,
        nodes: &LocalNodes,
        stages: Vec<Stage>,
        worker: impl Fn() -> Command,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<LocalGroup, LocalError> {
        let cores = default_threads();
        let threads = options.threads.unwrap_or((cores / nodes.count).max(1));
        let file = ModelFile::open(path).map_err(LoadError::from)?;
        let model = file.description().map_err(LoadError::from)?;
        let (mut blueprint, plan, devices) = plan(&file, &model, options, stages, threads)?;
        if blueprint.ranks() != nodes.count {
            return Err(LocalError::RankCount { ranks: blueprint.ranks(), nodes: nodes.count });
        }
        blueprint.wire = nodes.wire;
        blueprint.overlap = match nodes.overlap {
            Overlap::WherePaying if nodes.delay_us == 0 || threads < OVERLAP_THREADS_MIN => Overlap::Never,
            chosen => chosen,
        };

        let (news, heard) = channel();
        let mut workers: Vec<WorkerProcess> = Vec::with_capacity(nodes.count);
        for rank in 0..nodes.count {
            let first = workers.first().map(WorkerProcess::engine);
            workers.push(WorkerProcess::start(worker(), HERE, listener(rank, news.clone(), first))?);
        }
        let terms = LinkTerms { link: nodes.link, delay_us: nodes.delay_us, ..LinkTerms::default() };
        let usable = usable_cores();
        let enough = nodes.count * threads <= usable.len();
        let addresses = workers.iter().map(|worker| vec![worker.address()]).collect();
        let meeting = Meeting::new(addresses, terms);
        for (rank, worker) in workers.iter().enumerate() {
            // Cores of its own for each where there are enough; otherwise the system places threads.
            let own = usable.get(rank * threads..(rank + 1) * threads).filter(|_| enough);
            worker.join(&Task {
                blueprint: blueprint.clone(),
                rank,
                model: path.to_owned(),
                device: devices[rank].device.clone(),
                threads,
                cores: own.unwrap_or_default().to_vec(),
                meeting: meeting.clone(),
                waiting_max: options.waiting_max,
            })?;
        }
        drop(news);
        let promise = |worker: &WorkerProcess| Promise::new(worker.id(), plan.footprint.total());
        let promises = workers.iter().map(promise).collect();

        let mut loading = vec![(0, 0); nodes.count];
        let mut ready: Vec<Option<Ready>> = vec![None; nodes.count];
        while ready.iter().any(Option::is_none) {
            let (rank, news) = heard.recv().map_err(|_| io::Error::other("all workers ended"))?;
            match news {
                News::Progress { loaded, total } => {
                    loading[rank] = (loaded, total);
                    let sum = |of: fn(&(u64, u64)) -> u64| loading.iter().map(of).sum();
                    progress(sum(|rank| rank.0), sum(|rank| rank.1));
                }
                News::Ready(facts) => ready[rank] = Some(facts),
                News::Failed(failure) => return Err(failure.into()),
            }
        }
        let engine = workers[0].engine();
        let ready: Vec<Ready> = ready.into_iter().flatten().collect();
        Ok(LocalGroup { engine, plan, ready, workers, _promises: promises })
    }

    /// Answers requests, and says who was lost when it no longer does.
    pub fn engine(&self) -> &RemoteEngine {
        &self.engine
    }

    /// The plan of the rank that decided how many tokens the caches hold.
    pub fn memory(&self) -> &MemoryPlan {
        &self.plan
    }

    /// What each rank has become.
    pub fn ranks(&self) -> &[Ready] {
        &self.ready
    }

    /// Where each rank's time went since this was last asked.
    pub fn spent(&self) -> Vec<Spent> {
        self.workers.iter().map(|worker| worker.spent().unwrap_or_default()).collect()
    }

    /// The processes' ids, by rank.
    pub fn processes(&self) -> Vec<u32> {
        self.workers.iter().map(WorkerProcess::id).collect()
    }
}

impl Tokens for LocalGroup {
    fn submit(&self, request: Request, events: Sink) -> Result<Ticket, Refused> {
        self.engine.submit(request, events)
    }

    fn load(&self) -> Load {
        self.engine.load()
    }

    fn ranks(&self) -> Vec<RankReport> {
        self.workers.iter().map(|worker| worker.engine().report().unwrap_or_default()).collect()
    }
}

/// Below this many threads, computing in halves while a delayed message travels costs more (weights are read twice) than it saves.
const OVERLAP_THREADS_MIN: usize = 4;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Passes news on while somebody waits for them, and lets the group's engine know of a loss.
fn listener(
    rank: usize,
    to: Sender<(usize, News)>,
    engine: Option<RemoteEngine>,
) -> impl FnMut(News) + Send + 'static {
    move |news| {
        if let (News::Failed(failure), Some(engine)) = (&news, &engine) {
            engine.fail(failure);
        }
        let _ = to.send((rank, news));
    }
}

/// Who gets what, how many tokens of context that leaves room for, and the devices that they compute on.
fn plan(
    file: &ModelFile,
    model: &Description,
    options: &Options,
    stages: Vec<Stage>,
    threads: usize,
) -> Result<(Blueprint, MemoryPlan, Vec<RankDevice>), LocalError> {
    let whole = file.program(model, &Shard::whole(model)).map_err(LoadError::from)?;
    let setup = Setup { threads: Some(threads), wanted_bytes: whole.weight_bytes(), ..Setup::default() };
    let ranks = stages.iter().map(|stage| stage.shares.len()).sum();
    let (device, devices) =
        options.registry.open_for(&options.device, ranks, setup).map_err(LoadError::from)?;
    let limits = options.limits_for(Kept::by(model), model.context, 0);
    let blueprint = |limits: &Limits| {
        let mut blueprint = Blueprint::new(file, stages.clone(), limits);
        blueprint.exact_sums = options.exact_sums && device.backend.sums_exactly();
        blueprint
    };
    let shards = blueprint(&limits).shards(file, model)?;
    let programs = shards.iter().map(|shard| file.program(model, shard)).collect::<Result<Vec<_>, _>>();
    let programs = programs.map_err(LoadError::from)?;
    let here = available_bytes().unwrap_or(u64::MAX) / shards.len() as u64;
    let tower = TowerPlan::of(file, model).map_err(LoadError::from)?;
    let tower = tower.map_or(0, |tower| tower.footprint(&*device.backend).total());
    let parts = programs.iter().zip(&shards).enumerate().map(|(rank, (program, shard))| {
        let (sum_width, vocab) = (program.exchange_width(), shard.vocab.len());
        let exchange = Exchange::new(&limits, stages.len(), model.hidden, sum_width, vocab).bytes();
        let exchange = if shards.len() > 1 { exchange } else { 0 };
        // The leader looks at pictures.
        let available = devices[rank].free_bytes.unwrap_or(here);
        RankPart { program, beside: exchange + if rank == 0 { tower } else { 0 }, available }
    });
    let parts: Vec<_> = parts.collect();
    let (plan, limits) = MemoryPlan::new(&*device.backend, &parts, options, model)
        .map_err(|plan| LoadError::Memory { plan, limit: device.limit.clone() })?;
    let mut blueprint = blueprint(&limits);
    blueprint.sequences_max = options.sequences_max;
    Ok((blueprint, plan, devices))
}

/// No stage begins after `last_cut`, where there is one.
fn stages(layers: usize, last_cut: Option<usize>, nodes: &LocalNodes) -> Result<Vec<Stage>, LocalError> {
    let shares = match nodes.shares.len() {
        0 => vec![1.0; nodes.count],
        _ => nodes.shares.clone(),
    };
    if shares.len() != nodes.count || !shares.iter().all(|share| share.is_finite() && *share > 0.0) {
        return Err(LocalError::Shares { shares: shares.len(), nodes: nodes.count });
    }
    if !nodes.pipeline {
        return Ok(vec![Stage { layers: 0..layers, shares }]);
    }
    let parts = last_cut.map_or(layers, |last| layers.min(last + 1));
    if nodes.count > parts {
        return Err(LocalError::TooFewLayers { nodes: nodes.count, layers: parts });
    }
    let total: f64 = shares.iter().sum();
    let (mut before, mut first) = (0.0, 0);
    let stage = |(node, share): (usize, &f64)| {
        before += share;
        // Everyone gets a layer, and leaves one for each that comes after.
        let end = (layers as f64 * before / total).round() as usize;
        let end = match nodes.count - 1 - node {
            0 => layers,
            after => end.clamp(first + 1, parts - after),
        };
        let layers = first..end;
        first = end;
        Stage { layers, shares: vec![1.0] }
    };
    Ok(shares.iter().enumerate().map(stage).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts(layers: usize, shares: &[f64]) -> Vec<usize> {
        let nodes = LocalNodes { pipeline: true, shares: shares.to_vec(), ..LocalNodes::new(shares.len()) };
        stages(layers, None, &nodes).unwrap().iter().map(|stage| stage.layers.len()).collect()
    }

    #[test]
    fn layers_are_divided_by_shares() {
        assert_eq!(cuts(30, &[1.0, 1.0]), [15, 15]);
        assert_eq!(cuts(30, &[2.0, 1.0]), [20, 10]);
        assert_eq!(cuts(16, &[1.0, 2.0, 5.0]), [2, 4, 10]);
        // Of layers that must stay together, none is parted from the others.
        let nodes = LocalNodes { pipeline: true, ..LocalNodes::new(2) };
        let together = stages(30, Some(3), &nodes).unwrap();
        assert_eq!(together.iter().map(|stage| stage.layers.clone()).collect::<Vec<_>>(), [0..3, 3..30]);
        // Nobody is left without a layer.
        assert_eq!(cuts(4, &[1.0, 1000.0, 1.0, 1.0]), [1, 1, 1, 1]);
        assert_eq!(cuts(5, &[1e-9, 1.0, 1e-9]), [1, 3, 1]);
    }

    #[test]
    fn shares_that_fit_no_node_are_refused() {
        for shares in [&[1.0][..], &[1.0, 0.0], &[1.0, -1.0], &[1.0, f64::NAN], &[1.0, 1.0, 1.0]] {
            let nodes = LocalNodes { shares: shares.to_vec(), ..LocalNodes::new(2) };
            assert!(
                matches!(stages(8, None, &nodes), Err(LocalError::Shares { nodes: 2, .. })),
                "{shares:?}"
            );
        }
    }
}
