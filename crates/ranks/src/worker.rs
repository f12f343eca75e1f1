//! What every rank but the leader does.

use std::sync::Arc;
use std::time::Duration;

use tandem_collectives::{Group, GroupError};
use tandem_fabric::Buf;
use tandem_runtime::{FileError, FileSource, ModelFile};
use tandem_tensor::{Backend, Batch, OpenError, PeerLost, Program, Session};

use crate::message::{self, Order};
use crate::peers::{GroupPeers, lost, rank};
use crate::{Blueprint, BlueprintError};

/// A worker waits this long for the next order; a leader that is lost is noticed soon all the same.
const IDLE: Duration = Duration::from_secs(365 * 24 * 3600);

#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Group(#[from] GroupError),
    #[error(transparent)]
    Lost(#[from] PeerLost),
    #[error("the leader sent an order that makes no sense; it may be of another version")]
    BadOrder,
}

/// Open the part of `blueprint` that belongs to `rank`, reading only that rank's slices.
pub fn open_rank(
    blueprint: &Blueprint,
    file: &ModelFile,
    rank: usize,
    backend: &dyn Backend,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(Box<dyn Session>, Arc<Program>), WorkerError> {
    let model = file.description()?;
    let shards = blueprint.shards(file, &model)?;
    let no_rank = BlueprintError::NoSuchRank { rank, ranks: shards.len() };
    let shard = shards.into_iter().nth(rank).ok_or(no_rank)?;
    let program = Arc::new(file.program(&model, &shard)?);
    let session =
        backend.open(Arc::clone(&program), blueprint.limits(), &FileSource(file.weights()), progress)?;
    Ok((session, program))
}

/// Step along with the leader until it says stop or a rank is lost. `ready` is called once all ranks are loaded.
pub fn serve(
    blueprint: &Blueprint,
    group: Group,
    mut session: Box<dyn Session>,
    program: &Program,
    load_timeout: Duration,
    step_timeout: Duration,
    ready: impl FnOnce(),
) -> Result<(), WorkerError> {
    let mut ranks = Ranks::new(blueprint, group, program, step_timeout)?;
    ranks.peers.group.set_timeout(load_timeout);
    ranks.peers.group.barrier()?;
    ready();
    let gives_results = ranks.gives_results(blueprint);
    let mut batch = Batch::default();
    while ranks.hear(&mut batch)? {
        session.run(&batch, &mut ranks.peers)?;
        if gives_results {
            ranks.give(session.result())?;
        }
    }
    Ok(())
}

/// A rank among the others, with the buffers for orders and results.
pub(crate) struct Ranks {
    pub peers: GroupPeers,
    order: Buf,
    results: Buf,
    step_timeout: Duration,
}

impl Ranks {
    pub fn new(
        blueprint: &Blueprint,
        group: Group,
        program: &Program,
        step_timeout: Duration,
    ) -> Result<Ranks, GroupError> {
        let limits = blueprint.limits();
        let widest = program.bufs.iter().map(|buf| buf.width).max().unwrap_or(0);
        let hidden = program.bufs.first().map_or(0, |buf| buf.width);
        let peers = GroupPeers::new(group, blueprint, hidden * limits.tokens_max)?;
        let sequences = limits.outputs_max;
        let blocks = sequences * limits.context_max.div_ceil(limits.block_len);
        let words = message::batch_words(limits.tokens_max, sequences, blocks, limits.outputs_max);
        Ok(Ranks {
            order: peers.alloc((words * 4).max(message::FIRST_BYTES))?,
            results: peers.alloc(widest * limits.outputs_max * 4)?,
            peers,
            step_timeout,
        })
    }

    /// Whether this rank is of the last stage, and so holds part of the logits.
    pub fn gives_results(&self, blueprint: &Blueprint) -> bool {
        blueprint.ranks_of(blueprint.stages.len() - 1).contains(&self.peers.group.rank().index())
    }

    /// Wait for the leader's next order; false when it is to stop.
    fn hear(&mut self, batch: &mut Batch) -> Result<bool, WorkerError> {
        self.peers.group.set_timeout(IDLE);
        self.peers.group.broadcast(&mut self.order, message::FIRST_BYTES, rank(0))?;
        self.peers.group.set_timeout(self.step_timeout);
        let (order, bytes) = message::read_header(self.order.view::<u32>()).ok_or(WorkerError::BadOrder)?;
        if let Order::Stop = order {
            return Ok(false);
        }
        if bytes > self.order.len() {
            return Err(WorkerError::BadOrder);
        }
        self.continue_order(bytes)?;
        message::read_batch(&self.order.view::<u32>()[..bytes / 4], batch).ok_or(WorkerError::BadOrder)?;
        Ok(true)
    }

    /// Tell the others to run `batch`.
    pub fn tell(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        let bytes = message::write_batch(batch, self.order.view_mut::<u32>());
        self.peers.group.broadcast(&mut self.order, message::FIRST_BYTES, rank(0)).map_err(lost)?;
        self.continue_order(bytes).map_err(lost)
    }

    pub fn tell_stop(&mut self) -> Result<(), GroupError> {
        if self.order.len() < message::FIRST_BYTES {
            // A broken group kept the buffer, and everyone knows.
            return Ok(());
        }
        message::write_stop(self.order.view_mut::<u32>());
        self.peers.group.broadcast(&mut self.order, message::FIRST_BYTES, rank(0))
    }

    /// The rest of an order that is longer than its first message.
    fn continue_order(&mut self, bytes: usize) -> Result<(), GroupError> {
        if bytes <= message::FIRST_BYTES {
            return Ok(());
        }
        let mut rest = self.order.split_off(message::FIRST_BYTES);
        let sent = self.peers.group.broadcast(&mut rest, bytes - message::FIRST_BYTES, rank(0));
        let _ = self.order.join(rest);
        sent
    }

    /// Hand this rank's part of the logits to the leader.
    fn give(&mut self, logits: &[f32]) -> Result<(), GroupError> {
        self.results.view_mut::<f32>()[..logits.len()].copy_from_slice(logits);
        self.peers.group.send(&mut self.results, logits.len() * 4, rank(0))
    }

    /// Take `values` logits from `from`.
    pub fn take(&mut self, from: usize, values: usize) -> Result<&[f32], PeerLost> {
        self.peers.group.recv(&mut self.results, values * 4, rank(from)).map_err(lost)?;
        Ok(&self.results.view::<f32>()[..values])
    }
}
