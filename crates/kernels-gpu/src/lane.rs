//! How a session's steps reach its device.
//!
//! All do the same: [`plain`](crate::plain) goes through wgpu on every system; on Vulkan, `vulkan` records a step once for
//! each shape and submits it again; on Metal, `flagged` submits the next piece of a step while one runs.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tandem_tensor::{BufId, PeerLost, Peers, Program, Rows};
use wgpu::Buffer;

use crate::device::DeviceError;
use crate::halves::Halved;
use crate::kernels::{Key, Kind};
use crate::plan::{Chosen, Counts, Extent, Optional};
use crate::sampling::{self, Found, Sampled};
use crate::work::{Portion, Work};

/// Steps that may be under way at once. Each has a slot for what the host writes and reads.
pub const SLOTS: usize = 2;
/// Dispatches of a step that can be timed.
pub const TIMED_MAX: u32 = 4096;

pub trait Lane: Send {
    /// Whether what ranks exchange lies in memory that was lent.
    fn lent(&self) -> bool {
        false
    }

    /// Bind what a dispatch needs. Dispatches are numbered in this order.
    fn bind(&mut self, key: &Key, resources: &[(u32, Resource)]);

    /// Submit a step; with peers, take it to its last piece.
    fn begin(&mut self, step: &Step, peers: &mut dyn Peers) -> Result<(), StepError>;

    /// Wait for the step in a slot, and read the first words of its results.
    fn end(&mut self, slot: usize, len: usize, take: &mut dyn FnMut(&[u32])) -> Result<(), DeviceError>;

    /// Read words of a buffer that no step under way writes, by the slot of a step that has ended.
    fn read(
        &mut self,
        slot: usize,
        from: &Buffer,
        first: u64,
        len: usize,
        take: &mut dyn FnMut(&[u32]),
    ) -> Result<(), DeviceError>;

    /// Run a step as one rank and tell how long each of its dispatches took. `None` where the device cannot tell.
    fn timed(&mut self, step: &Step) -> Result<Option<Vec<(Kind, Duration)>>, DeviceError>;
}

/// How long each dispatch took, from the device's clock before the first and after each. `tick`: nanoseconds of its ticks.
pub fn times_of(kinds: &[Kind], clock: &[u64], tick: f32) -> Vec<(Kind, Duration)> {
    let time = |(kind, clock): (&Kind, &[u64])| {
        let nanos = clock[1].saturating_sub(clock[0]) as f64 * f64::from(tick);
        (*kind, Duration::from_nanos(nanos as u64))
    };
    kinds.iter().zip(clock.windows(2)).map(time).collect()
}

/// A buffer, or a part of it.
pub struct Resource<'a> {
    pub buffer: &'a Buffer,
    pub offset: u64,
    pub bytes: u64,
}

/// What a lane is given to run.
pub struct Step<'a> {
    pub actions: &'a Actions,
    pub shape: Shape,
    pub slot: usize,
    /// What the step's kernels read.
    pub words: &'a [u32],
    /// Rows whose tokens are what the step before found for an output.
    pub fed: &'a [(u32, u32)],
    /// Where its layers run in halves.
    pub halves: Option<Halved<'a>>,
}

impl Step<'_> {
    /// The lists that its kernels read, and where each goes.
    pub fn lists(&self) -> impl Iterator<Item = (&[u32], &Buffer)> {
        let halves = self.halves.iter().flat_map(|halved| {
            halved.words.iter().zip(&halved.bound.parts).map(|(words, actions)| (*words, &actions.words))
        });
        std::iter::once((self.words, &self.actions.words)).chain(halves)
    }

    /// The activations that an exchange is about.
    pub fn act(&self, exchange: &Exchange) -> &Buffer {
        match (exchange.half, &self.halves) {
            (Some(half), Some(halved)) => &halved.bound.parts[half].act,
            _ => &self.actions.act,
        }
    }

    /// Let peers do their part with values that are exchanged.
    pub fn meet(
        &self,
        exchange: &Exchange,
        values: &mut [f32],
        peers: &mut dyn Peers,
    ) -> Result<(), PeerLost> {
        if exchange.half.is_none() {
            return self.actions.meet(exchange.at, values, peers);
        }
        // The device goes on meanwhile; the host has nothing else to do.
        peers.start_all_reduce(values)?;
        peers.finish_all_reduce(values)
    }
}

/// What commands are recorded to.
pub trait Recorder {
    fn dispatch(&mut self, number: usize, kind: Kind, grid: [u32; 3]);

    /// Add words to what the step gives.
    fn give(&mut self, from: &Buffer, first: u64, words: usize);
}

/// What the commands of a step depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    pub tokens: u32,
    pub outputs: u32,
    pub splits: u32,
    pub spans: u32,
    pub runs: u32,
    pub hidden: bool,
    pub sampled: Option<Sampled>,
    pub given: u32,
    /// Keys of the longest sequence, in coarse steps; none where rows are too few for that to be much work.
    pub keys: u32,
}

/// What a step does, with everything bound.
pub struct Actions {
    pub program: Arc<Program>,
    pub list: Vec<Ready>,
    /// How much work each of them is.
    pub work: Vec<Work>,
    /// Which variants run, of those for the same rows.
    pub chosen: Arc<Chosen>,
    /// Sums that only the next action reads, a norm that adds them to a row.
    pub added: HashSet<usize>,
    /// Where each buffer of the program begins among the activations.
    pub bufs: Vec<u32>,
    pub found: Option<Found>,
    pub act: Buffer,
    pub candidates: Buffer,
    /// What [`Step::words`] go to, and where the tokens are in it.
    pub words: Buffer,
    pub tokens_at: u64,
}

pub enum Ready {
    Run { rows: Rows, variants: Vec<ReadyVariant> },
    AllReduce(BufId),
    Send(BufId),
    Recv(BufId),
    Sample(Vec<Dispatch>),
}

pub struct ReadyVariant {
    pub upto: u32,
    pub splits: u32,
    pub options: Vec<Optional>,
    pub dispatches: Vec<Dispatch>,
}

pub struct Dispatch {
    pub number: usize,
    pub kind: Kind,
    pub grid: [Extent; 3],
}

/// Where a piece of a step ends before the step does.
#[derive(Clone, Copy, Debug)]
pub enum Pause {
    /// The host takes part.
    Exchange(Exchange),
    /// It is enough to be submitted at once; the next piece begins with this action.
    Enough { next: usize },
}

impl Pause {
    pub fn exchange(self) -> Option<Exchange> {
        match self {
            Pause::Exchange(exchange) => Some(exchange),
            Pause::Enough { .. } => None,
        }
    }
}

/// Values that ranks exchange in the middle of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exchange {
    /// The action.
    pub at: usize,
    /// Where they begin among the activations, in bytes.
    pub first: u64,
    pub len: usize,
    /// Whether they leave this rank, and whether others come in their place.
    pub out: bool,
    pub back: bool,
    /// Which half of the rows they are of, where a step runs in halves. Then `at` counts the actions of that half.
    pub half: Option<usize>,
    /// Where they begin among the values that the host exchanges.
    #[cfg_attr(
        target_os = "macos",
        allow(dead_code, reason = "only the lane of Vulkan has all in one place")
    )]
    pub place: usize,
    /// Whether the next piece needs nothing of what comes back, so that it can run meanwhile.
    pub ahead: bool,
    /// The one dispatch that reads what comes back, if there is but one: it may read it where the host has it.
    pub adding: Option<usize>,
}

impl Actions {
    /// Record the actions from `from` on, up to one that the host takes part in: that one, unless it was the last.
    pub fn record<R: Recorder + ?Sized>(
        &self,
        to: &mut R,
        shape: Shape,
        from: usize,
        alone: bool,
    ) -> Option<Exchange> {
        self.record_range(to, shape, from..self.list.len(), alone, f64::INFINITY)?.exchange()
    }

    /// The same of some actions, and of no more than so much work.
    pub fn record_range<R: Recorder + ?Sized>(
        &self,
        to: &mut R,
        shape: Shape,
        range: Range<usize>,
        alone: bool,
        work_max: f64,
    ) -> Option<Pause> {
        let Shape { tokens, outputs, splits, spans, runs, sampled, given, keys, .. } = shape;
        let mut portion = Portion::new(work_max);
        for at in range {
            let action = &self.list[at];
            let (rows, variants) = match action {
                Ready::Run { rows: Rows::Tokens, variants } => (tokens, variants.as_slice()),
                Ready::Run { rows: Rows::Outputs, variants } => (outputs, variants.as_slice()),
                Ready::Sample(_) => (outputs, &[][..]),
                Ready::AllReduce(_) if alone => continue,
                _ => return self.exchanges(shape).find(|exchange| exchange.at == at).map(Pause::Exchange),
            };
            if rows == 0 {
                continue;
            }
            let work = self.work.get(at).map_or(0.0, |work| work.total(rows, keys));
            if !portion.takes(work) {
                return Some(Pause::Enough { next: at });
            }
            let dispatches = match action {
                Ready::Sample(dispatches) if sampled.is_some() => dispatches,
                _ => match self.variant(variants, rows, splits) {
                    Some(variant) => &variant.dispatches,
                    None => continue,
                },
            };
            let counts = Counts { rows, splits, spans, runs, sampled, given };
            for dispatch in dispatches {
                let grid = dispatch.grid.map(|extent| extent.count(&counts));
                if grid.iter().all(|count| *count > 0) {
                    to.dispatch(dispatch.number, dispatch.kind, grid);
                }
            }
        }
        None
    }

    /// The variant that runs.
    fn variant<'a>(&self, variants: &'a [ReadyVariant], rows: u32, splits: u32) -> Option<&'a ReadyVariant> {
        let takes = |variant: &&ReadyVariant| rows <= variant.upto && splits <= variant.splits;
        let is_chosen =
            |variant: &&ReadyVariant| variant.options.iter().all(|option| self.chosen.takes(*option));
        variants.iter().filter(takes).find(is_chosen)
    }

    /// The one dispatch that reads the sum that an action makes: a norm, which adds it to a row.
    fn adding(&self, at: usize, shape: Shape) -> Option<usize> {
        let Ready::Run { rows, variants } = self.list.get(at + 1)? else { return None };
        let rows = if *rows == Rows::Tokens { shape.tokens } else { shape.outputs };
        let variant = self.variant(variants, rows, shape.splits)?;
        let dispatch = variant.dispatches.first()?;
        (rows > 0 && self.added.contains(&at)).then_some(dispatch.number)
    }

    /// What ranks exchange in a step.
    pub fn exchanges(&self, shape: Shape) -> impl Iterator<Item = Exchange> {
        self.list.iter().enumerate().filter_map(move |(at, action)| match action {
            Ready::AllReduce(id) => Some(self.exchange(at, *id, true, true, shape)),
            Ready::Send(id) => Some(self.exchange(at, *id, true, false, shape)),
            Ready::Recv(id) => Some(self.exchange(at, *id, false, true, shape)),
            Ready::Run { .. } | Ready::Sample(_) => None,
        })
    }

    /// Record that what the step gives goes to where the host can read it.
    pub fn record_results(&self, to: &mut dyn Recorder, shape: Shape) {
        let mut give = |from: &Buffer, first: u64, words: usize| {
            if words > 0 {
                to.give(from, first, words);
            }
        };
        match (shape.sampled, self.found) {
            (Some(sampled), Some(found)) => {
                give(&self.candidates, 0, shape.outputs as usize * sampling::ROW_WORDS);
                give(&self.candidates, found.named() as u64 * 4, sampled.named as usize);
                let sums = if sampled.summed { shape.outputs as usize * found.row_sums() } else { 0 };
                give(&self.candidates, found.sums() as u64 * 4, sums);
            }
            _ => give(&self.act, self.place(self.program.result), self.result_words(shape)),
        }
        if let Some(hidden) = self.program.hidden {
            give(&self.act, self.place(hidden), self.hidden_words(shape));
        }
    }

    /// Let peers do their part with values that are exchanged.
    pub fn meet(&self, at: usize, values: &mut [f32], peers: &mut dyn Peers) -> Result<(), PeerLost> {
        match &self.list[at] {
            Ready::AllReduce(_) => peers.all_reduce(values),
            Ready::Send(_) => peers.send_next(values),
            _ => peers.recv_previous(values),
        }
    }

    fn exchange(&self, at: usize, id: BufId, out: bool, back: bool, shape: Shape) -> Exchange {
        let buf = self.program.buf(id);
        let rows = if buf.rows == Rows::Tokens { shape.tokens } else { shape.outputs };
        let (first, len) = (self.place(id), buf.width * rows as usize);
        let adding = self.adding(at, shape);
        Exchange { at, first, len, out, back, adding, ..Exchange::default() }
    }

    /// Where a buffer begins among the activations, in bytes.
    pub fn place(&self, id: BufId) -> u64 {
        u64::from(self.bufs[id.index()]) * 4
    }

    /// Copies that take tokens from what the step before found: from where, and to where among the step's words, in bytes.
    pub fn fed(&self, fed: &[(u32, u32)]) -> impl Iterator<Item = (u64, u64)> {
        let copy = |(row, output): &(u32, u32)| {
            let from = u64::from(*output) * sampling::ROW_WORDS as u64 * 4;
            (from, (self.tokens_at + u64::from(*row)) * 4)
        };
        fed.iter().map(copy)
    }

    pub fn result_words(&self, shape: Shape) -> usize {
        match shape.sampled {
            Some(sampled) => {
                let sums = self.found.filter(|_| sampled.summed).map_or(0, |found| found.row_sums());
                shape.outputs as usize * (sampling::ROW_WORDS + sums) + sampled.named as usize
            }
            None => self.program.buf(self.program.result).width * shape.outputs as usize,
        }
    }

    pub fn hidden_words(&self, shape: Shape) -> usize {
        let width = self.program.hidden.filter(|_| shape.hidden).map_or(0, |id| self.program.buf(id).width);
        width * shape.outputs as usize
    }
}

/// Why a step failed.
pub enum StepError {
    Device(DeviceError),
    Peer(PeerLost),
}

impl From<DeviceError> for StepError {
    fn from(error: DeviceError) -> StepError {
        StepError::Device(error)
    }
}

impl From<PeerLost> for StepError {
    fn from(error: PeerLost) -> StepError {
        StepError::Peer(error)
    }
}

impl From<StepError> for PeerLost {
    fn from(error: StepError) -> PeerLost {
        match error {
            StepError::Peer(lost) => lost,
            StepError::Device(error) => PeerLost::itself(error.to_string()),
        }
    }
}
