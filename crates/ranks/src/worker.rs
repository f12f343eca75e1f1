//! What every rank but the leader does.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tandem_collectives::{Group, GroupError};
use tandem_fabric::Buf;
use tandem_loading::{FileError, FileSource, ModelFile};
use tandem_tensor::{Backend, Batch, Limits, OpenError, PeerLost, Program, Session};

use crate::message::{self, Order};
use crate::outbox::Outbox;
use crate::peers::{GroupPeers, lost, rank};
use crate::results::{Wanted, write_part};
use crate::{Blueprint, BlueprintError};

/// How long a worker waits for the next order. A lost leader is noticed much sooner, by its pulse.
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

/// Step along with the leader until it says stop or a rank is lost. `vocab` are the tokens whose logits this rank computes; `ready`
/// is called once all ranks are loaded.
pub fn serve(
    blueprint: &Blueprint,
    group: Group,
    mut session: Box<dyn Session>,
    program: &Program,
    vocab: Range<usize>,
    load_timeout: Duration,
    step_timeout: Duration,
    ready: impl FnOnce(),
) -> Result<(), WorkerError> {
    let width = program.buf(program.result).width;
    let mut ranks = Ranks::new(blueprint, group, program, width, step_timeout)?;
    ranks.peers.group.set_timeout(load_timeout);
    ranks.peers.group.barrier()?;
    ranks.peers.agree_on_halves(&*session)?;
    ready();
    let gives_results = ranks.gives_results(blueprint);
    // All ranks of a stage compute the same hidden states: the first of the last stage sends them. The leader needs none sent.
    let last = blueprint.ranks_of(blueprint.stages.len() - 1);
    let gives_hidden = last.start == ranks.peers.group.rank().index();
    let me = ranks.peers.group.rank().index() as u32;
    let mut batch = Batch::default();
    while ranks.hear(&mut batch)? {
        session.run(&batch, &mut ranks.peers).map_err(|lost| lost.said_by(me))?;
        if gives_results {
            let asked = batch.hidden && gives_hidden;
            let hidden = session.hidden().filter(|_| asked).unwrap_or_default();
            ranks.give(session.result(), &vocab, &batch, hidden)?;
        }
    }
    Ok(())
}

/// The sizes of what ranks exchange.
pub struct Exchange {
    /// Values of a sum, or of what goes to the next stage.
    values_max: usize,
    order_bytes: usize,
    result_bytes: usize,
    /// One for each batch that may be under way, and one to write the next into.
    slots: usize,
}

impl Exchange {
    /// `sum_width`: the values of a row that ranks add up. `part_width`: the most values of a row of results that one rank sends.
    pub fn new(
        limits: &Limits,
        stages: usize,
        hidden: usize,
        sum_width: usize,
        part_width: usize,
    ) -> Exchange {
        let sequences = limits.outputs_max;
        let tables = if limits.window > 0 { 2 } else { 1 };
        let blocks = tables * sequences * limits.context_max.div_ceil(limits.block_len);
        let words = message::batch_words(limits.tokens_max, sequences, blocks, limits.outputs_max);
        let hidden_width = if stages > 1 { hidden } else { 0 };
        Exchange {
            values_max: hidden.max(sum_width) * limits.tokens_max,
            order_bytes: (words * 4).max(message::FIRST_BYTES),
            result_bytes: (part_width + hidden_width) * limits.outputs_max * 4,
            slots: stages + 1,
        }
    }

    /// The memory that this takes on one rank, at most: its own sum, one from each of two others, and orders and results both ways.
    pub fn bytes(&self) -> u64 {
        (3 * 4 * self.values_max + (self.slots + 1) * self.order_bytes.max(self.result_bytes)) as u64
    }
}

/// A rank among the others, with the buffers for orders and results.
pub(crate) struct Ranks {
    pub peers: GroupPeers,
    /// What comes in: orders, or at the leader results.
    inbox: Buf,
    /// What goes out: results, or at the leader orders.
    outbox: Outbox,
    step_timeout: Duration,
}

impl Ranks {
    /// `part_width`: the most values of a row of results that this rank sends, or takes from another.
    pub fn new(
        blueprint: &Blueprint,
        group: Group,
        program: &Program,
        part_width: usize,
        step_timeout: Duration,
    ) -> Result<Ranks, GroupError> {
        let hidden = program.bufs.first().map_or(0, |buf| buf.width);
        let Exchange { values_max, order_bytes, result_bytes, slots } = Exchange::new(
            &blueprint.limits(),
            blueprint.stages.len(),
            hidden,
            program.exchange_width(),
            part_width,
        );
        let peers = GroupPeers::new(group, blueprint, values_max)?;
        let leads = peers.group.rank().index() == 0;
        let (inward, outward) = if leads { (result_bytes, order_bytes) } else { (order_bytes, result_bytes) };
        let outbox = Outbox::new(&peers.group, slots, outward)?;
        Ok(Ranks { inbox: peers.alloc(inward)?, outbox, peers, step_timeout })
    }

    /// Whether this rank is of the last stage, and so holds part of the logits.
    pub fn gives_results(&self, blueprint: &Blueprint) -> bool {
        blueprint.ranks_of(blueprint.stages.len() - 1).contains(&self.peers.group.rank().index())
    }

    /// Wait for the leader's next order; false when it is to stop.
    fn hear(&mut self, batch: &mut Batch) -> Result<bool, WorkerError> {
        self.peers.group.set_timeout(IDLE);
        self.peers.group.recv(&mut self.inbox, message::FIRST_BYTES, rank(0))?;
        self.peers.group.set_timeout(self.step_timeout);
        let (order, bytes) = message::read_header(self.inbox.view::<u32>()).ok_or(WorkerError::BadOrder)?;
        if let Order::Stop = order {
            return Ok(false);
        }
        if bytes > self.inbox.len() {
            return Err(WorkerError::BadOrder);
        }
        if bytes > message::FIRST_BYTES {
            let mut rest = self.inbox.split_off(message::FIRST_BYTES);
            self.peers.group.recv(&mut rest, bytes - message::FIRST_BYTES, rank(0))?;
            self.inbox.join(rest).map_err(|_| WorkerError::BadOrder)?;
        }
        message::read_batch(&self.inbox.view::<u32>()[..bytes / 4], batch).ok_or(WorkerError::BadOrder)?;
        Ok(true)
    }

    /// Tell the others to run `batch`; they hear when they have finished what they were told before.
    pub fn tell(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        self.order(|words| message::write_batch(batch, words)).map_err(lost)
    }

    pub fn tell_stop(&mut self) -> Result<(), GroupError> {
        self.order(|words| {
            message::write_stop(words);
            message::FIRST_BYTES
        })
    }

    fn order(&mut self, write: impl FnOnce(&mut [u32]) -> usize) -> Result<(), GroupError> {
        let group = &mut self.peers.group;
        let mut buf = self.outbox.take(group)?;
        let bytes = write(buf.view_mut::<u32>());
        let cuts = [0..message::FIRST_BYTES, message::FIRST_BYTES..bytes.max(message::FIRST_BYTES)];
        let others = (1..group.size()).map(rank);
        self.outbox.send(group, buf, &cuts, others)
    }

    /// Hand this rank's part of the results, and hidden states where they are asked for, to the leader.
    fn give(
        &mut self,
        rows: &[f32],
        vocab: &Range<usize>,
        batch: &Batch,
        hidden: &[f32],
    ) -> Result<(), GroupError> {
        let group = &mut self.peers.group;
        let mut buf = self.outbox.take(group)?;
        let wanted = Wanted::of(batch);
        let words = wanted.part_words(rows.len() / vocab.len().max(1), vocab.len());
        let (part, rest) = buf.view_mut::<u32>().split_at_mut(words);
        write_part(rows, vocab, wanted, &batch.draws, part);
        rest.iter_mut().zip(hidden).for_each(|(word, value)| *word = value.to_bits());
        let whole = 0..(words + hidden.len()) * 4;
        self.outbox.send(group, buf, std::slice::from_ref(&whole), std::iter::once(rank(0)))
    }

    /// Take a part of the results from `from`.
    pub fn take(&mut self, from: usize, words: usize) -> Result<&[u32], PeerLost> {
        if words > 0 {
            self.peers.group.recv(&mut self.inbox, words * 4, rank(from)).map_err(lost)?;
        }
        Ok(&self.inbox.view::<u32>()[..words])
    }
}
