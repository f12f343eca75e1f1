//! A step whose layers run over one half of its rows and then over the other, so that the device computes while sums travel.
//!
//! The layers are bound twice more. The first half uses the activations of whole steps, with lists of its own. The second half has
//! activations, prepared rows and lists of its own: its rows of what the layers read are copied there before them, and what they leave
//! comes back after them. Weights, caches and states are the same, and what the first half writes to these in a layer is submitted
//! before the second half reads it.
//!
//! The pieces are submitted in the order A1, B1, A2, B2 and so on. While the host adds up the values of one, the next one runs: it
//! needs what came back for its own half alone.

use std::ops::Range;

use tandem_tensor::{Batch, BufId, Halves, Limits, Op, Peers, Program, Rows};
use wgpu::Buffer;

use crate::lane::{Actions, Exchange, Pause, Recorder, Shape, Step};
use crate::memory::{Format, PARTS_MIN};
use crate::plan::{Abilities, Plan, reads, written};
use crate::step::StepWords;

/// What copies to and from the host are recorded to, beside commands.
pub trait PieceRecorder: Recorder {
    /// Values between a buffer of activations and where the host exchanges them.
    fn carry_exchanged(&mut self, act: &Buffer, exchange: &Exchange, inward: bool);

    fn copy_rows(&mut self, from: &Buffer, first: u64, to: &Buffer, to_first: u64, bytes: u64);
}

/// A program's layers, bound for each half of a batch.
pub struct HalvedLayers {
    /// The layers among the actions of a whole step.
    pub layers: Range<usize>,
    /// The layers alone, for each half.
    pub parts: [Actions; 2],
    /// The most values of a row that the layers sum.
    width: usize,
    /// What the second half needs of what was there before the layers, and what it leaves.
    moved: Moved,
}

impl HalvedLayers {
    pub fn new(
        program: &Program,
        layers: Range<usize>,
        parts: [Actions; 2],
        abilities: Abilities,
    ) -> HalvedLayers {
        let sums = program.ops[program.layers()].iter().filter_map(|op| match op {
            Op::AllReduce { x } => Some(program.buf(*x).width),
            _ => None,
        });
        let width = sums.max().unwrap_or(0);
        HalvedLayers { layers, parts, width, moved: Moved::new(program, abilities) }
    }
}

/// A step that is run in halves.
pub struct Halved<'a> {
    pub bound: &'a HalvedLayers,
    pub shapes: [Shape; 2],
    pub words: [&'a [u32]; 2],
}

impl Halved<'_> {
    /// Rows of the second half, between the memory of whole steps and its own.
    fn move_rows(&self, to: &mut dyn PieceRecorder, whole: &Actions, inward: bool) {
        let second = &self.bound.parts[1];
        let [before, rows] = self.shapes.map(|shape| u64::from(shape.tokens));
        for id in if inward { &self.bound.moved.taken } else { &self.bound.moved.left } {
            let width = whole.program.buf(*id).width as u64 * 4;
            let (there, here) = (whole.place(*id) + before * width, second.place(*id));
            match inward {
                true => to.copy_rows(&whole.act, there, &second.act, here, rows * width),
                false => to.copy_rows(&second.act, here, &whole.act, there, rows * width),
            }
        }
    }

    /// What a half exchanges. The second half's values lie behind the first's, however wide the sums of either are.
    fn exchange(&self, half: usize, exchange: Exchange, ahead: bool) -> Exchange {
        let place = half * self.shapes[0].tokens as usize * self.bound.width;
        Exchange { half: Some(half), place, ahead, ..exchange }
    }
}

/// The pieces of a step, in the order in which they are submitted.
pub struct Walk<'a> {
    step: &'a Step<'a>,
    alone: bool,
    /// Most work of a piece.
    work_max: f64,
    part: Part,
    /// Where rows that are not divided go on, once there was a piece of them.
    next: Option<usize>,
    /// The last exchange of these, until it is back, and of each half.
    whole: Option<Exchange>,
    halves: [Option<Exchange>; 2],
}

#[derive(Clone, Copy)]
enum Part {
    /// Where the layers are divided.
    Before,
    Half(usize),
    /// All there is, or what is left.
    Whole {
        from: usize,
    },
}

impl<'a> Walk<'a> {
    /// `alone`: whether it is one rank's, with no others. `work_max`: most work of a piece.
    pub fn new(step: &'a Step<'a>, alone: bool, work_max: f64) -> Walk<'a> {
        let part = if step.halves.is_some() { Part::Before } else { Part::Whole { from: 0 } };
        Walk { step, alone, work_max, part, next: None, whole: None, halves: [None; 2] }
    }

    /// Record the next piece; `None` when there is nothing after it.
    pub fn record(&mut self, to: &mut dyn PieceRecorder) -> Option<Pause> {
        let actions = self.step.actions;
        let pause = match (self.part, &self.step.halves) {
            (Part::Before, Some(halved)) => {
                let pause = self.record_whole(to, 0..halved.bound.layers.start);
                pause.or_else(|| {
                    halved.move_rows(to, actions, true);
                    self.record_half(to, halved, 0)
                })
            }
            (Part::Half(half), Some(halved)) => self.record_half(to, halved, half),
            (Part::Whole { from }, Some(halved)) if self.halves[0].is_some() => {
                for half in 0..2 {
                    self.bring(to, half, halved);
                }
                self.halves = [None; 2];
                halved.move_rows(to, actions, false);
                // What was exchanged before the layers is there.
                (self.whole, self.next) = (None, None);
                self.record_whole(to, from..actions.list.len())
            }
            (Part::Whole { from }, _) => self.record_whole(to, from..actions.list.len()),
            (_, None) => None,
        };
        if let Some(exchange) = pause.and_then(Pause::exchange).filter(|exchange| exchange.out) {
            to.carry_exchanged(self.step.act(&exchange), &exchange, false);
        }
        pause
    }

    fn record_whole(&mut self, to: &mut dyn PieceRecorder, range: Range<usize>) -> Option<Pause> {
        let actions = self.step.actions;
        if let Some(mut exchange) = self.whole.take().filter(|exchange| exchange.back) {
            // What reads it may be the halves'.
            exchange.adding = exchange.adding.filter(|_| range.contains(&(exchange.at + 1)));
            to.carry_exchanged(&actions.act, &exchange, true);
        }
        let from = self.next.unwrap_or(range.start);
        let pause = actions.record_range(to, self.step.shape, from..range.end, self.alone, self.work_max);
        self.whole = pause.and_then(Pause::exchange);
        self.next = match pause {
            Some(Pause::Exchange(exchange)) => Some(exchange.at + 1),
            Some(Pause::Enough { next }) => Some(next),
            None => None,
        };
        pause
    }

    fn record_half(&mut self, to: &mut dyn PieceRecorder, halved: &Halved<'_>, half: usize) -> Option<Pause> {
        let actions = &halved.bound.parts[half];
        self.bring(to, half, halved);
        let from = self.halves[half].map_or(0, |exchange| exchange.at + 1);
        let exchange = actions.record(to, halved.shapes[half], from, false)?;
        let last = half == 1 && exchange.at + 1 == actions.list.len();
        self.part = match last {
            true => Part::Whole { from: halved.bound.layers.end },
            false => Part::Half(1 - half),
        };
        let exchange = halved.exchange(half, exchange, !last);
        self.halves[half] = Some(exchange);
        Some(Pause::Exchange(exchange))
    }

    /// What came back for a half goes to its activations.
    fn bring(&self, to: &mut dyn PieceRecorder, half: usize, halved: &Halved<'_>) {
        if let Some(exchange) = &self.halves[half] {
            to.carry_exchanged(&halved.bound.parts[half].act, exchange, true);
        }
    }
}

/// Buffers whose rows the second half takes over before the layers, and leaves after them.
struct Moved {
    taken: Vec<BufId>,
    left: Vec<BufId>,
}

impl Moved {
    fn new(program: &Program, abilities: Abilities) -> Moved {
        let Range { start, end } = program.layers();
        let ops = &program.ops;
        let buffers = |wanted: &dyn Fn(BufId) -> bool| {
            let all = (0..program.bufs.len() as u32).map(BufId);
            all.filter(|id| wanted(*id)).collect::<Vec<_>>()
        };
        let writes = |range: Range<usize>, id| ops[range].iter().any(|op| written(op).contains(&id));
        let uses = |range: Range<usize>, id| {
            ops[range.clone()].iter().any(|op| reads(program, op, abilities).contains(&id))
                || writes(range, id)
        };
        let result = |id| program.result == id || program.hidden == Some(id);
        Moved {
            taken: buffers(&|id| writes(0..start, id) && uses(start..end, id)),
            left: buffers(&|id| writes(start..end, id) && (uses(end..ops.len(), id) || result(id))),
        }
    }
}

/// The plan of the second half, in memory of its own; `None` where no batch is divided.
pub fn second_plan(program: &Program, limits: &Limits, abilities: Abilities) -> Option<Plan> {
    let [_, rows] = Halves::rows_max(program, limits.tokens_max)?;
    let by_tokens = |id: BufId| program.buf(id).rows == Rows::Tokens;
    let layers = &program.ops[program.layers()];
    let divisible = |op| written(op).into_iter().chain(reads(program, op, abilities)).all(by_tokens);
    // It has nothing to do with outputs.
    let limits = Limits { tokens_max: rows, outputs_max: 0, ..*limits };
    layers.iter().all(divisible).then(|| Plan::new(program, &limits, abilities))
}

/// Most words of the lists of each half.
pub fn words_max(program: &Program, limits: &Limits) -> Option<[usize; 2]> {
    let rows = Halves::rows_max(program, limits.tokens_max)?;
    Some(rows.map(|tokens_max| StepWords::len_max(program, &Limits { tokens_max, ..*limits })))
}

/// What running in halves takes beside everything else. The matrix that is expanded is the first half's.
pub fn bytes(program: &Program, limits: &Limits, abilities: Abilities) -> u64 {
    let Some(mut plan) = second_plan(program, limits, abilities) else { return 0 };
    plan.prepared.remove(&Format::Expanded);
    let words: usize = words_max(program, limits).iter().flatten().sum();
    (plan.map.act_len + words) as u64 * 4 + plan.prepared_bytes()
}

/// The halves of a session's batches.
pub struct SessionHalves {
    halves: Halves,
    layers: HalvedLayers,
    words: [StepWords; 2],
    /// Most parts of a softmax for one head.
    parts: [u32; 2],
}

impl SessionHalves {
    pub fn new(program: &Program, limits: &Limits, layers: HalvedLayers) -> SessionHalves {
        let second = limits.tokens_max.div_ceil(2);
        SessionHalves {
            halves: Halves::new(program),
            layers,
            words: Default::default(),
            parts: [limits.tokens_max, second].map(|tokens| tokens.max(PARTS_MIN) as u32),
        }
    }

    /// Divide a batch, if it is to be run in halves. `factors` and `heads` as in [`StepWords::fill`].
    pub fn divide(
        &mut self,
        program: &Program,
        batch: &Batch,
        peers: &dyn Peers,
        factors: &[Vec<f32>],
        heads: u32,
    ) -> Option<Halved<'_>> {
        if !self.halves.divide(batch, peers) {
            return None;
        }
        for ((words, part), parts) in self.words.iter_mut().zip(&self.halves.parts).zip(self.parts) {
            words.fill(program, part, None, factors, heads, parts);
        }
        let [first, second] = &self.words;
        Some(Halved {
            bound: &self.layers,
            shapes: [first.shape(false), second.shape(false)],
            words: [&first.words, &second.words],
        })
    }
}
