//! A group of ranks, as a step sees it.

use std::ops::Range;

use tandem_collectives::{Algorithm, Cost, Group, GroupError, Op, Pending, Team};
use tandem_fabric::{ArenaError, Buf, Rank};
use tandem_tensor::{PeerLost, Peers, Session};

use crate::outbox::Outbox;
use crate::{Blueprint, Overlap};

/// A sum of half a batch that travels for less is waited for: computing in halves reads the weights twice.
const TRAVEL_US_MIN: f32 = 100.0;

/// This rank's place among the others: the ranks it adds with, and those before and after it.
pub struct GroupPeers {
    pub group: Group,
    /// The ranks of this stage.
    team: Team,
    /// Registered memory that values pass through; the sum under way has it.
    buf: Option<Buf>,
    pending: Option<Pending<f32>>,
    overlaps: bool,
    /// The same for those sent to the next stage, which may still be busy with the ones before.
    outbox: Outbox,
    previous: Option<Rank>,
    next: Vec<Rank>,
}

impl GroupPeers {
    /// `values_max` is the most that one operator passes on.
    pub fn new(group: Group, blueprint: &Blueprint, values_max: usize) -> Result<GroupPeers, GroupError> {
        let me = group.rank().index();
        let stage = blueprint.stage_of(me).unwrap_or(0);
        let ranks = blueprint.ranks_of(stage);
        let team = group.team(&ranks.clone().map(rank).collect::<Vec<_>>())?;
        let buf = group.arena().alloc(values_max * 4)?;
        let previous = (stage > 0).then(|| source(blueprint.ranks_of(stage - 1), me - ranks.start));
        let next = match stage + 1 < blueprint.stages.len() {
            true => {
                let after = blueprint.ranks_of(stage + 1);
                let feeds = |to: &usize| source(ranks.clone(), to - after.start).index() == me;
                after.clone().filter(feeds).map(rank).collect()
            }
            false => Vec::new(),
        };
        let slots = if next.is_empty() { 0 } else { 2 };
        let outbox = Outbox::new(&group, slots, values_max * 4)?;
        let overlaps = team.len() > 1
            && match blueprint.overlap {
                Overlap::Never => false,
                Overlap::Always => team.is_mesh(),
                // Ranks that share memory compute a sum themselves, so there is no waiting time to use. Among more than two ranks,
                // the one algorithm that can be started and finished apart sends more than the others.
                Overlap::WherePaying => {
                    let Cost { latency_us, bytes_per_us } = group.topology().cost;
                    let travel_us = latency_us + values_max as f32 / 2.0 * 4.0 / bytes_per_us.max(1.0);
                    team.is_mesh() && team.len() == 2 && !team.shares_memory() && travel_us >= TRAVEL_US_MIN
                }
            };
        Ok(GroupPeers { group, team, buf: Some(buf), pending: None, overlaps, outbox, previous, next })
    }

    /// Agrees with the ranks of this stage on whether batches run in halves: only where every rank's session can.
    pub fn agree_on_halves(&mut self, session: &dyn Session) -> Result<(), GroupError> {
        if self.overlaps {
            let mut able = [f32::from(u8::from(session.runs_in_halves()))];
            self.group.on(&self.team).sum(&mut able)?;
            self.overlaps = able[0] == self.team.len() as f32;
        }
        Ok(())
    }

    pub fn alloc(&self, bytes: usize) -> Result<Buf, ArenaError> {
        self.group.arena().alloc(bytes)
    }

    fn take_buf(&mut self) -> Result<Buf, PeerLost> {
        self.buf.take().ok_or_else(|| lost(misused("a sum is under way")))
    }
}

/// Every rank of a stage holds the whole residual, so any rank of the stage before can send it: the one at the same place, or the
/// first where that stage has fewer ranks.
fn source(before: Range<usize>, place: usize) -> Rank {
    rank(if place < before.len() { before.start + place } else { before.start })
}

pub fn rank(index: usize) -> Rank {
    Rank(index as u16)
}

impl Peers for GroupPeers {
    fn all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        self.group.on(&self.team).sum(values).map_err(lost)
    }

    fn overlaps(&self) -> bool {
        self.overlaps
    }

    fn start_all_reduce(&mut self, values: &[f32]) -> Result<(), PeerLost> {
        let mut buf = self.take_buf()?;
        buf.view_mut::<f32>()[..values.len()].copy_from_slice(values);
        // Mesh can be started and finished in separate calls. It adds in rank order, as the others do, so the bits are the same.
        self.group.force((!self.team.shares_memory()).then_some(Algorithm::Mesh));
        let begun = self.group.on(&self.team).start_all_reduce::<f32>(buf, values.len(), Op::Sum);
        self.group.force(None);
        self.pending = Some(begun.map_err(lost)?);
        Ok(())
    }

    fn finish_all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        let Some(pending) = self.pending.take() else { return Err(lost(misused("no sum has begun"))) };
        let buf = self.group.finish(pending).map_err(lost)?;
        values.copy_from_slice(&buf.view::<f32>()[..values.len()]);
        self.buf = Some(buf);
        Ok(())
    }

    fn progress(&mut self) {
        // A failure is reported by `finish_all_reduce`.
        let _ = self.group.progress();
    }

    fn send_next(&mut self, values: &[f32]) -> Result<(), PeerLost> {
        if self.next.is_empty() {
            return Ok(());
        }
        let mut buf = self.outbox.take(&mut self.group).map_err(lost)?;
        buf.view_mut::<f32>()[..values.len()].copy_from_slice(values);
        let whole = 0..values.len() * 4;
        self.outbox.send(&mut self.group, buf, &[whole], self.next.iter().copied()).map_err(lost)
    }

    fn recv_previous(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        let from = self.previous.expect("the first stage's program receives nothing");
        let mut buf = self.take_buf()?;
        self.group.recv(&mut buf, values.len() * 4, from).map_err(lost)?;
        values.copy_from_slice(&buf.view::<f32>()[..values.len()]);
        self.buf = Some(buf);
        Ok(())
    }
}

fn misused(what: &str) -> GroupError {
    GroupError::Usage(what.into())
}

pub fn lost(error: GroupError) -> PeerLost {
    match error {
        GroupError::RankLost { rank, why } => PeerLost { rank: rank.0.into(), reason: why.to_string() },
        other => PeerLost { rank: 0, reason: other.to_string() },
    }
}
