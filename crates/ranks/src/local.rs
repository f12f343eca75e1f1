//! Ranks as processes of this machine.

use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_collectives::local::{JoinError, join};
use tandem_collectives::{GroupError, GroupOptions};
pub use tandem_fabric::local::LinkChoice;
use tandem_fabric::local::{Crew, Seat};
use tandem_kernels_cpu::CpuBackend;
use tandem_runtime::{LoadError, MemoryPlan, Model, Opened, Options, available_bytes};
use tandem_tensor::{Batch, PeerLost, Peers, Session};

use crate::{Blueprint, BlueprintError, Leader, Stage, WorkerError, open_rank, serve};

/// How many ranks, and what lies between them.
#[derive(Clone, Debug)]
pub struct LocalNodes {
    pub count: usize,
    pub link: LinkChoice,
    /// Added to every message, to imitate a slower link.
    pub delay_us: u64,
    /// Layers divided among the nodes, instead of every layer.
    pub pipeline: bool,
}

/// What a worker process is started for; its one argument.
#[derive(Debug, Serialize, Deserialize)]
struct Task {
    blueprint: Blueprint,
    threads: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    #[error(transparent)]
    Worker(#[from] WorkerError),
    #[error("cannot start a worker: {0}")]
    Start(io::Error),
    #[error(transparent)]
    Join(#[from] JoinError),
    #[error(transparent)]
    Group(#[from] GroupError),
    #[error("this process was not started as a worker")]
    NoSeat,
    #[error("the worker's task cannot be read: {0}")]
    Task(#[from] serde_json::Error),
    #[error("{nodes} nodes cannot divide {layers} layers; use at most {layers}")]
    TooFewLayers { nodes: usize, layers: usize },
}

/// How long ranks wait for each other inside a step.
const STEP_TIMEOUT: Duration = Duration::from_secs(2);
/// How long the leader waits for the slowest rank to load its slices.
const LOAD_TIMEOUT: Duration = Duration::from_secs(600);

/// Load a model on several local ranks: this process is the first, `worker` makes the command for each other one, which
/// must end in [`work`] with the argument appended here.
pub fn open(
    path: &Path,
    options: &Options,
    nodes: &LocalNodes,
    worker: impl Fn() -> Command,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Model, LocalError> {
    let cores = CpuBackend::new().threads();
    let threads = options.threads.unwrap_or((cores / nodes.count).max(1));
    let backend = CpuBackend::new().with_threads(threads);
    Model::open_with(path, options, |file, model, limits| {
        let stages = stages(model.layers.len(), nodes)?;
        let available = available_bytes().unwrap_or(u64::MAX) / nodes.count as u64;
        let draft = Blueprint::new(file, stages.clone(), &limits);
        let shards = draft.shards(file, model)?;
        // Every rank's cache holds the same tokens: the one with the least room decides how many.
        let mut planned: Option<(MemoryPlan, _)> = None;
        for shard in &shards {
            let program = file.program(model, shard).map_err(LoadError::from)?;
            let context =
                Some(planned.as_ref().map_or(options.context, |(plan, _)| Some(plan.context))).flatten();
            let plan = MemoryPlan::new(&backend, &program, limits, context, model.context, available)
                .map_err(|plan| LoadError::Memory { plan })?;
            if planned.as_ref().is_none_or(|(before, _)| plan.0.context <= before.context) {
                planned = Some(plan);
            }
        }
        let (plan, limits) = planned.expect("a blueprint has a rank");
        let blueprint = Blueprint::new(file, stages, &limits);

        let mut seats = Seat::row(nodes.count, nodes.link);
        for seat in &mut seats {
            seat.delay_us = nodes.delay_us;
            // One core each where that is what every node has; otherwise the system places threads.
            seat.core = (threads == 1 && nodes.count <= cores).then_some(seat.rank.into());
        }
        let task = serde_json::to_string(&Task { blueprint: blueprint.clone(), threads })?;
        let crew = Crew::start(&seats[1..], |_| {
            let mut command = worker();
            command.arg(&task);
            command
        })
        .map_err(LocalError::Start)?;
        let group = join(&seats[0], GroupOptions { timeout: LOAD_TIMEOUT, ..GroupOptions::default() })?;
        let total: u64 = file.program(model, &shards[0]).map_err(LoadError::from)?.weight_bytes();
        let loaded = std::sync::atomic::AtomicU64::new(0);
        let report = |bytes: u64| {
            let before = loaded.fetch_add(bytes, std::sync::atomic::Ordering::Relaxed);
            progress(before + bytes, total);
        };
        let (session, program) = open_rank(&blueprint, file, 0, &backend, &report)?;
        let leader = Leader::new(&blueprint, &shards, group, session, &program, LOAD_TIMEOUT, STEP_TIMEOUT)?;
        Ok(Opened { session: Box::new(Crewed { leader, _crew: crew }), plan, limits })
    })
}

/// The life of a worker process.
pub fn work(task: &str) -> Result<(), LocalError> {
    let seat = Seat::from_env().ok_or(LocalError::NoSeat)?;
    let task: Task = serde_json::from_str(task)?;
    let group = join(&seat, GroupOptions { timeout: LOAD_TIMEOUT, ..GroupOptions::default() })?;
    let file = tandem_runtime::ModelFile::open(&task.blueprint.model).map_err(LoadError::from)?;
    let backend = CpuBackend::new().with_threads(task.threads);
    let (session, program) = open_rank(&task.blueprint, &file, seat.rank.into(), &backend, &|_| {})?;
    Ok(serve(&task.blueprint, group, session, &program, STEP_TIMEOUT)?)
}

fn stages(layers: usize, nodes: &LocalNodes) -> Result<Vec<Stage>, LocalError> {
    if !nodes.pipeline {
        return Ok(vec![Stage { layers: 0..layers, shares: vec![1.0; nodes.count] }]);
    }
    if nodes.count > layers {
        return Err(LocalError::TooFewLayers { nodes: nodes.count, layers });
    }
    let cut = |node: usize| layers * node / nodes.count;
    Ok((0..nodes.count).map(|node| Stage { layers: cut(node)..cut(node + 1), shares: vec![1.0] }).collect())
}

/// A leader with the processes it leads; the leader goes first, so that they end by themselves.
struct Crewed {
    leader: Leader,
    _crew: Crew,
}

impl Session for Crewed {
    fn run(&mut self, batch: &Batch, peers: &mut dyn Peers) -> Result<(), PeerLost> {
        self.leader.run(batch, peers)
    }

    fn result(&self) -> &[f32] {
        self.leader.result()
    }
}
