//! A group of ranks, as a step sees it.

use std::ops::Range;

use half::{bf16, f16};
use tandem_collectives::{Algorithm, Cost, Group, GroupError, Op, Pending, Team};
use tandem_fabric::{ArenaError, Buf, Rank};
use tandem_tensor::{BegunSum, Parcel, ParcelMemory, PeerLost, Peers, Session, WireType, pack, unpack};

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
    pending: Option<Sum>,
    wire: WireType,
    overlaps: bool,
    /// The same for those sent to the next stage, which may still be busy with the ones before.
    outbox: Outbox,
    previous: Option<Rank>,
    next: Vec<Rank>,
}

/// A sum under way, by what its values travel as.
enum Sum {
    F32(Pending<f32>),
    F16(Pending<f16>),
    BF16(Pending<bf16>),
}

/// Registered memory of a parcel.
struct Registered(Buf);

impl ParcelMemory for Registered {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
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
        // What stays within a host does not travel.
        let wire = if team.shares_memory() { WireType::F32 } else { blueprint.wire };
        Ok(GroupPeers { group, team, buf: Some(buf), pending: None, wire, overlaps, outbox, previous, next })
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

    fn begin(&mut self, buf: Buf, len: usize, wire: WireType) -> Result<(), GroupError> {
        // Mesh can be started and finished in separate calls. It adds in rank order, as the others do, so the bits are the same.
        self.group.force((!self.team.shares_memory()).then_some(Algorithm::Mesh));
        let mut scope = self.group.on(&self.team);
        let begun = match wire {
            WireType::F32 => scope.start_all_reduce(buf, len, Op::Sum).map(Sum::F32),
            WireType::F16 => scope.start_all_reduce(buf, len, Op::Sum).map(Sum::F16),
            WireType::BF16 => scope.start_all_reduce(buf, len, Op::Sum).map(Sum::BF16),
        };
        self.group.force(None);
        self.pending = Some(begun?);
        Ok(())
    }

    /// The buffer of the sum under way, with its result, and what the values travelled as.
    fn end(&mut self) -> Result<(Buf, WireType), GroupError> {
        match self.pending.take().ok_or_else(|| misused("no sum has begun"))? {
            Sum::F32(pending) => Ok((self.group.finish(pending)?, WireType::F32)),
            Sum::F16(pending) => Ok((self.group.finish(pending)?, WireType::F16)),
            Sum::BF16(pending) => Ok((self.group.finish(pending)?, WireType::BF16)),
        }
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
        if self.wire == WireType::F32 || self.team.len() == 1 {
            return self.group.on(&self.team).sum(values).map_err(lost);
        }
        let mut buf = self.take_buf()?;
        pack(self.wire, values, &mut buf);
        let mut scope = self.group.on(&self.team);
        match self.wire {
            WireType::F16 => scope.all_reduce::<f16>(&mut buf, values.len(), Op::Sum),
            _ => scope.all_reduce::<bf16>(&mut buf, values.len(), Op::Sum),
        }
        .map_err(lost)?;
        unpack(self.wire, &buf, values);
        self.buf = Some(buf);
        Ok(())
    }

    fn wire(&self) -> WireType {
        self.wire
    }

    fn parcel(&mut self, len: usize) -> Result<Parcel, PeerLost> {
        let buf = self.alloc(len * self.wire.bytes()).map_err(|error| lost(error.into()))?;
        Ok(Parcel::new(Box::new(Registered(buf)), len, self.wire))
    }

    fn begin_sum(&mut self, parcel: Parcel) -> Result<BegunSum, PeerLost> {
        let (len, wire) = (parcel.len(), parcel.wire());
        let memory = parcel.into_memory().downcast::<Registered>();
        let Registered(buf) = *memory.map_err(|_| lost(misused("the parcel is of other peers")))?;
        self.begin(buf, len, wire).map_err(lost)?;
        Ok(BegunSum(None))
    }

    fn finish_sum(&mut self, _: BegunSum) -> Result<Parcel, PeerLost> {
        let (buf, wire) = self.end().map_err(lost)?;
        let len = buf.len() / wire.bytes();
        Ok(Parcel::new(Box::new(Registered(buf)), len, wire))
    }

    fn overlaps(&self) -> bool {
        self.overlaps
    }

    fn start_all_reduce(&mut self, values: &[f32]) -> Result<(), PeerLost> {
        let mut buf = self.take_buf()?;
        pack(self.wire, values, &mut buf);
        self.begin(buf, values.len(), self.wire).map_err(lost)
    }

    fn finish_all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        let (buf, wire) = self.end().map_err(lost)?;
        unpack(wire, &buf, values);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stage;
    use std::thread;
    use tandem_collectives::GroupOptions;
    use tandem_fabric::{Arena, Link, ShmLink};
    use tandem_formats::Identity;
    use tandem_loading::Options;

    /// Two ranks that put their numbers into parcels, and what each then has.
    fn sums(wire: WireType, values: [[f32; 3]; 2]) -> [[f32; 3]; 2] {
        let arenas = [Arena::new(4 << 20).unwrap(), Arena::new(4 << 20).unwrap()];
        let (a, b) = ShmLink::pair((Rank(0), &arenas[0]), (Rank(1), &arenas[1])).unwrap();
        let identity = Identity { bytes: 0, header_hash: 0 };
        let stages = vec![Stage { layers: 0..1, shares: vec![1.0; 2] }];
        let blueprint = Blueprint::of(identity, stages, &Options::default().limits());
        let run = |me: usize, link: Box<dyn Link>| {
            let mut links = vec![None, None];
            links[1 - me] = Some(link);
            let group = Group::form(rank(me), links, &arenas[me], GroupOptions::default()).unwrap();
            let mut peers = GroupPeers::new(group, &blueprint, 1024).unwrap();
            peers.wire = wire;
            let mut parcel = peers.parcel(3).unwrap();
            let mut found = [0.0; 3];
            // The parcel goes round again and again.
            for _ in 0..3 {
                parcel.put(&values[me]);
                let begun = peers.begin_sum(parcel).unwrap();
                peers.progress();
                parcel = peers.finish_sum(begun).unwrap();
                assert_eq!((parcel.len(), parcel.wire()), (3, wire));
                parcel.get(&mut found);
            }
            // Values that lie elsewhere give the same.
            let mut copied = values[me];
            peers.all_reduce(&mut copied).unwrap();
            assert_eq!(copied, found);
            assert!(peers.begin_sum(Parcel::own(3, wire)).is_err(), "memory that no link knows");
            found
        };
        thread::scope(|scope| {
            let other = scope.spawn(|| run(1, Box::new(b)));
            [run(0, Box::new(a)), other.join().unwrap()]
        })
    }

    #[test]
    fn parcels_are_added_as_what_they_travel_as() {
        let values = [[1.0, 0.333_333_3, 40_000.0], [2.0, 0.333_333_3, 40_000.0]];
        for (wire, expected) in [
            (WireType::F32, [3.0, 0.666_666_6, 80_000.0]),
            (WireType::F16, [3.0, 0.666_503_9, f32::INFINITY]),
            (WireType::BF16, [3.0, 0.667_968_75, 79_872.0]),
        ] {
            assert_eq!(sums(wire, values), [expected, expected], "{wire:?}");
        }
    }
}
