//! Rank 0: what an engine drives, with the other ranks behind it.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

use tandem_collectives::{Group, GroupError};
use tandem_engine::Stepper;
use tandem_models::Shard;
use tandem_tensor::{Batch, Draw, PeerLost, Program, Rest, Session};

use crate::Blueprint;
use crate::results::{Results, Wanted, write_part};
use crate::worker::Ranks;

/// The whole model: this rank's own session, and through the group everyone else's.
pub struct Leader {
    own: Box<dyn Session>,
    ranks: Ranks,
    /// Ranks of the last stage and their parts of the vocabulary; this rank may be among them.
    parts: Vec<(usize, Range<usize>)>,
    results: Results,
    /// This rank's own part, as the others send theirs.
    part: Vec<u32>,
    /// Hidden states of the last batch that asked for them, where another stage has them.
    hidden: Option<Vec<f32>>,
    hidden_width: usize,
    flying: VecDeque<Flight>,
    /// Lists of batches that have ended, reused.
    spare_draws: Vec<Vec<Draw>>,
    depth: usize,
    /// Whether there are no other ranks.
    alone: bool,
    on_lost: Box<dyn Fn(&PeerLost) + Send>,
}

/// A batch under way: its outputs, what is wanted of each, and how many words of hidden states.
struct Flight {
    rows: usize,
    wanted: Wanted,
    /// Of the rows of this rank, where it holds part of the logits.
    draws: Vec<Draw>,
    hidden: usize,
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
        let last = blueprint.ranks_of(blueprint.stages.len() - 1);
        let parts: Vec<_> = last.map(|rank| (rank, shards[rank].vocab.clone())).collect();
        // In a pipeline the leader's own program knows nothing as wide as the vocabulary.
        let part_width = parts.iter().map(|(_, part)| part.len()).max().unwrap_or(0);
        let mut ranks = Ranks::new(blueprint, group, program, part_width, step_timeout)?;
        ranks.peers.group.set_timeout(load_timeout);
        ranks.peers.group.barrier()?;
        ranks.peers.agree_on_halves(&*own)?;
        ranks.peers.group.set_timeout(step_timeout);
        let vocab = parts.iter().map(|(_, part)| part.len()).sum();
        let alone = shards.len() == 1;
        Ok(Leader {
            own,
            ranks,
            parts,
            results: Results::new(vocab, if alone { 0 } else { blueprint.outputs_max }),
            part: Vec::new(),
            hidden: (blueprint.stages.len() > 1).then(Vec::new),
            hidden_width: program.bufs.first().map_or(0, |buf| buf.width),
            flying: VecDeque::with_capacity(blueprint.stages.len()),
            spare_draws: Vec::with_capacity(blueprint.stages.len()),
            depth: blueprint.stages.len(),
            alone,
            on_lost: Box::new(on_lost),
        })
    }
}

impl Stepper for Leader {
    fn depth(&self) -> usize {
        self.depth
    }

    fn start(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        if self.alone {
            // What it gives is what there is: nothing is to be put together.
            let begun = self.own.start(batch).map_err(|lost| lost.said_by(0));
            return begun.inspect_err(|lost| (self.on_lost)(lost));
        }
        let rows = batch.outputs.len();
        let hidden = if batch.hidden && self.hidden.is_some() { rows * self.hidden_width } else { 0 };
        let mut draws = self.spare_draws.pop().unwrap_or_default();
        draws.clear();
        draws.extend_from_slice(&batch.draws);
        self.flying.push_back(Flight { rows, wanted: Wanted::of(batch), draws, hidden });
        let begun = self.ranks.tell(batch).and_then(|()| self.own.run(batch, &mut self.ranks.peers));
        let begun = begun.map_err(|lost| lost.said_by(0));
        begun.inspect_err(|lost| (self.on_lost)(lost))
    }

    fn finish(&mut self) -> Result<(), PeerLost> {
        let finished = match self.alone {
            true => self.own.finish().map_err(|lost| lost.said_by(0)),
            false => self.gather(),
        };
        finished.inspect_err(|lost| (self.on_lost)(lost))
    }

    fn feeds(&self) -> bool {
        self.alone && self.own.feeds()
    }

    fn result(&self) -> &[f32] {
        if self.alone { self.own.result() } else { self.results.values() }
    }

    /// Ranks that divide a vocabulary send all their values for what needs this: they are told of no masks and no sums.
    fn reduces(&self) -> bool {
        self.alone && self.own.reduces()
    }

    fn rests(&self) -> &[Rest] {
        if self.alone { self.own.rests() } else { &[] }
    }

    fn fetch(&mut self, output: usize) -> Result<(), PeerLost> {
        let fetched = self.own.fetch(output).map_err(|lost| lost.said_by(0));
        fetched.inspect_err(|lost| (self.on_lost)(lost))
    }

    /// Where the first stage is the last, every rank of it has the whole state.
    fn hidden(&self) -> Option<&[f32]> {
        self.hidden.as_deref().or_else(|| self.own.hidden())
    }
}

impl Leader {
    /// Put together the results of the oldest batch under way.
    fn gather(&mut self) -> Result<(), PeerLost> {
        let Some(Flight { rows, wanted, draws, hidden }) = self.flying.pop_front() else { return Ok(()) };
        self.results.clear(rows, wanted);
        for (at, (rank, part)) in self.parts.iter().enumerate() {
            let words = wanted.part_words(rows, part.len());
            let from = match rank {
                0 => {
                    self.part.resize(words, 0);
                    write_part(self.own.result(), part, wanted, &draws, &mut self.part);
                    &self.part
                }
                // The first of them brings the hidden states behind its part.
                _ => {
                    let more = if at == 0 { hidden } else { 0 };
                    let (part, states) = self.ranks.take(*rank, words + more)?.split_at(words);
                    if let Some(hidden) = self.hidden.as_mut().filter(|_| at == 0) {
                        hidden.clear();
                        hidden.extend(states.iter().map(|bits| f32::from_bits(*bits)));
                    }
                    part
                }
            };
            self.results.add(part, wanted, from);
        }
        self.spare_draws.push(draws);
        Ok(())
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        // They notice anyway when this process or the link goes.
        let _ = self.ranks.tell_stop();
    }
}
