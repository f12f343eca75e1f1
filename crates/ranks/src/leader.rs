//! Rank 0: a session that makes the others step along.

use std::ops::Range;
use std::time::Duration;

use tandem_collectives::{Group, GroupError};
use tandem_models::Shard;
use tandem_tensor::{Batch, PeerLost, Peers, Program, Session};

use crate::Blueprint;
use crate::worker::Ranks;

/// The whole model as one session: its own part, and through the group everyone else's.
pub struct Leader {
    own: Box<dyn Session>,
    ranks: Ranks,
    /// Ranks of the last stage and their parts of the vocabulary; this rank may be among them.
    parts: Vec<(usize, Range<usize>)>,
    vocab: usize,
    logits: Vec<f32>,
    on_lost: Box<dyn Fn(&PeerLost) + Send>,
}

impl Leader {
    /// Waits until every rank is loaded. `on_lost` hears when a step fails, before whoever asked for it does.
    pub fn new(
        blueprint: &Blueprint,
        shards: &[Shard],
        group: Group,
        own: Box<dyn Session>,
        program: &Program,
        load_timeout: Duration,
        step_timeout: Duration,
        on_lost: impl Fn(&PeerLost) + Send + 'static,
    ) -> Result<Leader, GroupError> {
        let mut ranks = Ranks::new(blueprint, group, program, step_timeout)?;
        ranks.peers.group.set_timeout(load_timeout);
        ranks.peers.group.barrier()?;
        ranks.peers.group.set_timeout(step_timeout);
        let last = blueprint.ranks_of(blueprint.stages.len() - 1);
        let parts: Vec<_> = last.map(|rank| (rank, shards[rank].vocab.clone())).collect();
        let vocab = parts.iter().map(|(_, part)| part.len()).sum();
        let logits = Vec::with_capacity(vocab * blueprint.outputs_max);
        Ok(Leader { own, ranks, parts, vocab, logits, on_lost: Box::new(on_lost) })
    }
}

impl Session for Leader {
    fn run(&mut self, batch: &Batch, _peers: &mut dyn Peers) -> Result<(), PeerLost> {
        self.step(batch).inspect_err(|lost| (self.on_lost)(lost))
    }

    fn result(&self) -> &[f32] {
        &self.logits
    }
}

impl Leader {
    fn step(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        self.ranks.tell(batch)?;
        self.own.run(batch, &mut self.ranks.peers)?;
        let rows = batch.outputs.len();
        self.logits.resize(rows * self.vocab, 0.0);
        for (rank, part) in &self.parts {
            let width = part.len();
            let from = match rank {
                0 => self.own.result(),
                _ => self.ranks.take(*rank, rows * width)?,
            };
            for (row, values) in from.chunks_exact(width).enumerate() {
                self.logits[row * self.vocab + part.start..][..width].copy_from_slice(values);
            }
        }
        Ok(())
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        // They notice anyway when this process or the link goes.
        let _ = self.ranks.tell_stop();
    }
}
