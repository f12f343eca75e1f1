//! A program made ready for this backend: fused operators over physical buffers.
//!
//! Two things are decided here, once:
//! - A norm whose output feeds the next matrices becomes part of them ([`Source`]): with one row in the batch
//!   every thread normalises for itself and no barrier is needed in between.
//! - The residual `x += y` of a fused [`Source::AddNorm`] is written to a second buffer, which is `x` from then
//!   on: the threads that still read the old sum are not disturbed.

use std::ops::Range;

use tandem_tensor::{
    Activation, Attend, AttendChosen, AttendLatent, Blend, Blocks, BufId, Cache, CacheId, Choose, ChooseRuns,
    Connect, Convolve, Curve, DeltaRule, Experts, LayerNorm, LinearPart, Op, Pool, Program, RmsNorm, RopeId,
    Rounding, Rows, Scan, Store, Weight, WeightId,
};

/// The most streams that are mixed.
pub(crate) const STREAMS_MAX: usize = 8;

pub(crate) struct Plan {
    pub steps: Vec<Step>,
    /// The steps of [`Program::layers`].
    pub layers: Range<usize>,
    pub slots: Vec<Slot>,
    pub result: SlotId,
    pub hidden: Option<SlotId>,
}

/// Index of a physical activation buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotId(pub usize);

/// A physical activation buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub rows: Rows,
    pub width: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Embed {
        table: WeightId,
        first_row: usize,
        scale: f32,
        out: SlotId,
    },
    Place {
        out: SlotId,
    },
    Curve {
        x: SlotId,
        curve: Curve,
    },
    LayerNorm {
        x: SlotId,
        norm: LayerNorm,
        out: SlotId,
    },
    Mean {
        x: SlotId,
        len: usize,
        out: SlotId,
    },
    /// A norm that feeds something else than matrices.
    Prepare(Source),
    Add {
        x: SlotId,
        y: SlotId,
    },
    Gate {
        x: SlotId,
        gate: SlotId,
        curve: Curve,
    },
    NormRuns {
        x: SlotId,
        len: usize,
        norm: RmsNorm,
    },
    Convolve {
        op: Convolve,
        x: SlotId,
        out: SlotId,
    },
    Scan {
        op: Scan,
        /// Values, `b`, `c` and steps.
        inputs: [SlotId; 4],
        out: SlotId,
    },
    Spread {
        x: SlotId,
        out: SlotId,
    },
    Connect {
        op: Connect,
        x: SlotId,
        mixes: SlotId,
    },
    Collapse {
        x: SlotId,
        mixes: SlotId,
        out: SlotId,
    },
    Expand {
        x: SlotId,
        y: SlotId,
        mixes: SlotId,
    },
    Blend {
        op: Blend,
        of: Vec<SlotId>,
        out: SlotId,
    },
    Pool {
        op: Pool,
        /// Values and gates.
        inputs: [SlotId; 2],
        out: SlotId,
    },
    Store {
        op: Store,
        x: SlotId,
    },
    Choose {
        op: Choose,
        /// Queries and weights.
        inputs: [SlotId; 2],
        /// Of runs.
        list: Option<SlotId>,
        out: SlotId,
    },
    AttendChosen {
        op: AttendChosen,
        q: SlotId,
        list: Option<SlotId>,
        out: SlotId,
    },
    Stacked {
        x: SlotId,
        weight: WeightId,
        out: SlotId,
    },
    DeltaRule {
        op: DeltaRule,
        /// Queries, keys, values, decays and betas.
        inputs: [SlotId; 5],
        out: SlotId,
    },
    Rescale {
        x: SlotId,
        scale: f32,
        by: Option<WeightId>,
        cap: Option<f32>,
    },
    SumSquares {
        of: Vec<Option<SlotId>>,
        out: SlotId,
    },
    NormBy {
        x: SlotId,
        sums: SlotId,
        at: usize,
        len: usize,
        norm: RmsNorm,
    },
    Linear {
        input: Input,
        parts: Vec<Part>,
    },
    Gated {
        input: Input,
        gate: WeightId,
        up: WeightId,
        act: Activation,
        out: SlotId,
    },
    Experts {
        op: Experts,
        x: SlotId,
        scores: SlotId,
        out: SlotId,
    },
    Attend {
        op: Attend,
        q: SlotId,
        kv: Option<[SlotId; 2]>,
        /// The runs that are read.
        list: Option<SlotId>,
        out: SlotId,
    },
    ChooseRuns {
        op: ChooseRuns,
        q: SlotId,
        k: SlotId,
        out: SlotId,
    },
    AttendLatent {
        op: AttendLatent,
        q: SlotId,
        kv: SlotId,
        /// The indexer's queries, keys and weights.
        index: Option<[SlotId; 3]>,
        out: SlotId,
    },
    Select {
        x: SlotId,
        out: SlotId,
    },
    Slice {
        x: SlotId,
        first: usize,
        out: SlotId,
    },
    AllReduce {
        x: SlotId,
    },
    Join {
        x: SlotId,
        out: SlotId,
    },
    Send {
        x: SlotId,
    },
    Recv {
        x: SlotId,
    },
}

/// What matrices multiply.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub source: Source,
    /// The product overwrites what its source reads, so no thread may run ahead.
    pub in_place: bool,
}

/// Where a row of values comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Plain {
        x: SlotId,
    },
    /// `norm(x)`, also written to `out` where something else reads it.
    Norm {
        x: SlotId,
        norm: RmsNorm,
        out: Option<SlotId>,
    },
    /// `sum = x + y`, then `norm(sum)`; `y` may be in two parts, and then is twice as wide as `x`.
    AddNorm {
        x: SlotId,
        y: SlotId,
        sum: SlotId,
        norm: RmsNorm,
        out: Option<SlotId>,
    },
}

impl Source {
    /// A buffer with the source's rows and width.
    pub(crate) fn x(&self) -> SlotId {
        match *self {
            Source::Plain { x } | Source::Norm { x, .. } | Source::AddNorm { x, .. } => x,
        }
    }

    fn reads(&self, slot: SlotId) -> bool {
        self.x() == slot || matches!(*self, Source::AddNorm { y, .. } if y == slot)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub weight: WeightId,
    pub bias: Option<WeightId>,
    pub out: SlotId,
    pub run: Option<usize>,
}

impl Plan {
    /// # Panics
    /// Where the program's shapes contradict each other: a mistake of the lowering.
    pub(crate) fn new(program: &Program) -> Plan {
        check_shapes(program);
        let slot = |buf: &tandem_tensor::Buf| Slot { rows: buf.rows, width: buf.width };
        let mut planner = Planner {
            program,
            current: (0..program.bufs.len()).map(SlotId).collect(),
            spare: vec![None; program.bufs.len()],
            slots: program.bufs.iter().map(slot).collect(),
        };
        let mut steps = Vec::with_capacity(program.ops.len());
        // The first operator of each step.
        let mut firsts = Vec::with_capacity(program.ops.len());
        let mut at = 0;
        while at < program.ops.len() {
            let (step, ops) = planner.step(at);
            steps.push(step);
            firsts.push(at);
            at += ops;
        }
        // No step is across an end of the layers: sums are steps of their own.
        let step_of = |op: usize| firsts.partition_point(|first| *first < op);
        let layers = program.layers();
        Plan {
            steps,
            layers: step_of(layers.start)..step_of(layers.end),
            result: planner.slot(program.result),
            hidden: program.hidden.map(|hidden| planner.slot(hidden)),
            slots: planner.slots,
        }
    }
}

struct Planner<'a> {
    program: &'a Program,
    /// Which physical buffer a program's buffer is at this point.
    current: Vec<SlotId>,
    /// The other physical buffer of those that have two.
    spare: Vec<Option<SlotId>>,
    slots: Vec<Slot>,
}

impl Planner<'_> {
    fn slot(&self, buf: BufId) -> SlotId {
        self.current[buf.index()]
    }

    /// The step that begins with operator `at`, and how many operators it covers.
    fn step(&mut self, at: usize) -> (Step, usize) {
        let program = self.program;
        let fuses = |buf: BufId| match program.ops.get(at + 1) {
            Some(Op::Linear { x, .. } | Op::GatedLinear { x, .. }) => *x == buf,
            _ => false,
        };
        let step = match &program.ops[at] {
            Op::Norm { x, norm, out } if x != out && fuses(*out) => {
                let also = self.is_read(*out, at + 2).then_some(self.slot(*out));
                let source = Source::Norm { x: self.slot(*x), norm: *norm, out: also };
                return (self.product(at + 1, source), 2);
            }
            Op::AddNorm { x, y, norm, out } if x != out && y != out && x != y && fuses(*out) => {
                let also = self.is_read(*out, at + 2).then_some(self.slot(*out));
                let (old, y) = (self.slot(*x), self.slot(*y));
                let sum = self.flip(*x);
                let source = Source::AddNorm { x: old, y, sum, norm: *norm, out: also };
                return (self.product(at + 1, source), 2);
            }
            // A sum in two parts that is only added to the residual need not be joined before.
            Op::Join { x: parts, out: y } if self.joins_in_norm(at, *y) => {
                let Some(Op::AddNorm { x, norm, out, .. }) = program.ops.get(at + 1) else {
                    unreachable!("a norm follows")
                };
                let also = self.is_read(*out, at + 3).then_some(self.slot(*out));
                let (old, y) = (self.slot(*x), self.slot(*parts));
                let sum = self.flip(*x);
                let source = Source::AddNorm { x: old, y, sum, norm: *norm, out: also };
                return (self.product(at + 2, source), 3);
            }
            Op::Join { x, out } => Step::Join { x: self.slot(*x), out: self.slot(*out) },
            Op::Norm { x, norm, out } => {
                Step::Prepare(Source::Norm { x: self.slot(*x), norm: *norm, out: Some(self.slot(*out)) })
            }
            Op::AddNorm { x, y, norm, out } => {
                let x = self.slot(*x);
                let out = Some(self.slot(*out));
                Step::Prepare(Source::AddNorm { x, y: self.slot(*y), sum: x, norm: *norm, out })
            }
            Op::Linear { x, .. } | Op::GatedLinear { x, .. } => {
                self.product(at, Source::Plain { x: self.slot(*x) })
            }
            Op::Embed { table, first_row, scale, out } => {
                Step::Embed { table: *table, first_row: *first_row, scale: *scale, out: self.slot(*out) }
            }
            Op::Place { out } => Step::Place { out: self.slot(*out) },
            Op::Curve { x, curve } => Step::Curve { x: self.slot(*x), curve: *curve },
            Op::LayerNorm { x, norm, out } => {
                Step::LayerNorm { x: self.slot(*x), norm: *norm, out: self.slot(*out) }
            }
            Op::Mean { x, len, out } => Step::Mean { x: self.slot(*x), len: *len, out: self.slot(*out) },
            Op::Add { x, y } => Step::Add { x: self.slot(*x), y: self.slot(*y) },
            Op::Gate { x, gate, curve } => {
                Step::Gate { x: self.slot(*x), gate: self.slot(*gate), curve: *curve }
            }
            Op::NormRuns { x, len, norm } => Step::NormRuns { x: self.slot(*x), len: *len, norm: *norm },
            Op::Convolve(op) => Step::Convolve { x: self.slot(op.x), out: self.slot(op.out), op: op.clone() },
            Op::Scan(op) => Step::Scan {
                inputs: [op.x, op.b, op.c, op.step].map(|buf| self.slot(buf)),
                out: self.slot(op.out),
                op: op.clone(),
            },
            Op::DeltaRule(op) => Step::DeltaRule {
                inputs: [op.q, op.k, op.v, op.decay, op.beta].map(|buf| self.slot(buf)),
                out: self.slot(op.out),
                op: op.clone(),
            },
            Op::Spread { x, out } => Step::Spread { x: self.slot(*x), out: self.slot(*out) },
            Op::Connect(op) => Step::Connect { op: *op, x: self.slot(op.x), mixes: self.slot(op.mixes) },
            Op::Collapse { x, mixes, out } => {
                Step::Collapse { x: self.slot(*x), mixes: self.slot(*mixes), out: self.slot(*out) }
            }
            Op::Expand { x, y, mixes } => {
                Step::Expand { x: self.slot(*x), y: self.slot(*y), mixes: self.slot(*mixes) }
            }
            Op::Blend(op) => Step::Blend {
                of: op.of.iter().map(|of| self.slot(*of)).collect(),
                out: self.slot(op.out),
                op: op.clone(),
            },
            Op::Pool(op) => Step::Pool {
                inputs: [op.x, op.gate].map(|buf| self.slot(buf)),
                out: self.slot(op.out),
                op: *op,
            },
            Op::Store(op) => Step::Store { op: *op, x: self.slot(op.x) },
            Op::Choose(op) => Step::Choose {
                inputs: [op.q, op.weights].map(|buf| self.slot(buf)),
                list: op.blocks.map(|blocks| self.slot(blocks.list)),
                out: self.slot(op.out),
                op: *op,
            },
            Op::AttendChosen(op) => Step::AttendChosen {
                q: self.slot(op.q),
                list: op.chosen.map(|chosen| self.slot(chosen.list)),
                out: self.slot(op.out),
                op: *op,
            },
            Op::Stacked { x, weight, out } => {
                Step::Stacked { x: self.slot(*x), weight: *weight, out: self.slot(*out) }
            }
            Op::Rescale { x, scale, by, cap } => {
                Step::Rescale { x: self.slot(*x), scale: *scale, by: *by, cap: *cap }
            }
            Op::SumSquares { of, out } => Step::SumSquares {
                of: of.iter().map(|of| of.map(|of| self.slot(of))).collect(),
                out: self.slot(*out),
            },
            Op::NormBy { x, sums, at, len, norm } => {
                Step::NormBy { x: self.slot(*x), sums: self.slot(*sums), at: *at, len: *len, norm: *norm }
            }
            Op::Attend(op) => Step::Attend {
                q: self.slot(op.q),
                kv: op.kv.map(|kv| kv.map(|buf| self.slot(buf))),
                list: op.runs.map(|runs| self.slot(runs.list)),
                out: self.slot(op.out),
                op: op.clone(),
            },
            Op::ChooseRuns(op) => {
                Step::ChooseRuns { op: *op, q: self.slot(op.q), k: self.slot(op.k), out: self.slot(op.out) }
            }
            Op::Experts(op) => Step::Experts {
                x: self.slot(op.x),
                scores: self.slot(op.scores),
                out: self.slot(op.out),
                op: op.clone(),
            },
            Op::AttendLatent(op) => Step::AttendLatent {
                q: self.slot(op.q),
                kv: self.slot(op.kv),
                index: op
                    .indexer
                    .map(|indexer| [indexer.q, indexer.k, indexer.weights].map(|buf| self.slot(buf))),
                out: self.slot(op.out),
                op: op.clone(),
            },
            Op::Select { x, out } => Step::Select { x: self.slot(*x), out: self.slot(*out) },
            Op::Slice { x, first, out } => {
                Step::Slice { x: self.slot(*x), first: *first, out: self.slot(*out) }
            }
            Op::AllReduce { x } => Step::AllReduce { x: self.slot(*x) },
            Op::Send { x } => Step::Send { x: self.slot(*x) },
            Op::Recv { x } => Step::Recv { x: self.slot(*x) },
        };
        (step, 1)
    }

    fn product(&self, at: usize, source: Source) -> Step {
        match &self.program.ops[at] {
            Op::Linear { parts, .. } => {
                let part = |part: &LinearPart| Part {
                    weight: part.weight,
                    bias: part.bias,
                    out: self.slot(part.out),
                    run: part.run,
                };
                let parts: Vec<Part> = parts.iter().map(part).collect();
                let in_place = parts.iter().any(|part| source.reads(part.out));
                Step::Linear { input: Input { source, in_place }, parts }
            }
            Op::GatedLinear { gate, up, act, out, .. } => {
                let out = self.slot(*out);
                let input = Input { source, in_place: source.reads(out) };
                Step::Gated { input, gate: *gate, up: *up, act: *act, out }
            }
            _ => unreachable!("only matrices have inputs"),
        }
    }

    /// Whether operator `at` writes `y` only for the norm after it, which a product follows.
    fn joins_in_norm(&self, at: usize, y: BufId) -> bool {
        let ops = &self.program.ops;
        match (ops.get(at + 1), ops.get(at + 2)) {
            (
                Some(Op::AddNorm { x, y: added, out, .. }),
                Some(Op::Linear { x: input, .. } | Op::GatedLinear { x: input, .. }),
            ) => *added == y && x != out && y != *out && *x != y && input == out && !self.is_read(y, at + 2),
            _ => false,
        }
    }

    /// Let `buf` live in its other physical buffer from here on.
    fn flip(&mut self, buf: BufId) -> SlotId {
        let old = self.slot(buf);
        let new = self.spare[buf.index()].unwrap_or_else(|| {
            self.slots.push(self.slots[old.0]);
            SlotId(self.slots.len() - 1)
        });
        self.spare[buf.index()] = Some(old);
        self.current[buf.index()] = new;
        new
    }

    /// Whether anything from operator `from` on reads `buf` before it is written anew.
    fn is_read(&self, buf: BufId, from: usize) -> bool {
        for op in &self.program.ops[from..] {
            let (reads, writes) = uses(op);
            if reads.contains(&buf) {
                return true;
            }
            if writes.contains(&buf) {
                return false;
            }
        }
        self.program.result == buf || self.program.hidden == Some(buf)
    }
}

/// The buffers an operator reads and those it overwrites in full.
fn uses(op: &Op) -> (Vec<BufId>, Vec<BufId>) {
    match op {
        Op::Embed { out, .. } => (vec![], vec![*out]),
        Op::Place { out } => (vec![*out], vec![]),
        Op::Norm { x, out, .. }
        | Op::LayerNorm { x, out, .. }
        | Op::Select { x, out }
        | Op::Mean { x, out, .. }
        | Op::Slice { x, out, .. }
        | Op::Join { x, out } => (vec![*x], vec![*out]),
        Op::AddNorm { x, y, out, .. } => (vec![*x, *y], vec![*out]),
        Op::Add { x, y } => (vec![*x, *y], vec![]),
        Op::Gate { x, gate, .. } => (vec![*x, *gate], vec![]),
        Op::Convolve(op) => (vec![op.x], vec![op.out]),
        Op::Scan(op) => (vec![op.x, op.b, op.c, op.step], vec![op.out]),
        Op::DeltaRule(op) => (vec![op.q, op.k, op.v, op.decay, op.beta], vec![op.out]),
        Op::Rescale { x, .. } | Op::NormRuns { x, .. } | Op::Curve { x, .. } => (vec![*x], vec![]),
        Op::Spread { x, out } => (vec![*x], vec![*out]),
        Op::Connect(op) => (vec![op.x, op.mixes], vec![]),
        Op::Collapse { x, mixes, out } => (vec![*x, *mixes], vec![*out]),
        Op::Expand { x, y, mixes } => (vec![*x, *y, *mixes], vec![]),
        Op::Blend(op) => (op.of.clone(), vec![op.out]),
        Op::Pool(op) => (vec![op.x, op.gate], vec![op.out]),
        Op::Store(op) => (vec![op.x], vec![]),
        Op::Choose(op) => {
            let (here, there): (Vec<_>, Vec<_>) =
                op.blocks.into_iter().partition(|blocks| blocks.chosen_here);
            let lists = |blocks: Vec<Blocks>| blocks.into_iter().map(|blocks| blocks.list);
            (
                [op.q, op.weights].into_iter().chain(lists(there)).collect(),
                std::iter::once(op.out).chain(lists(here)).collect(),
            )
        }
        Op::AttendChosen(op) => {
            (std::iter::once(op.q).chain(op.chosen.map(|chosen| chosen.list)).collect(), vec![op.out])
        }
        Op::Stacked { x, out, .. } => (vec![*x], vec![*out]),
        Op::SumSquares { of, out } => (of.iter().flatten().copied().collect(), vec![*out]),
        Op::NormBy { x, sums, .. } => (vec![*x, *sums], vec![]),
        Op::Linear { x, parts } => (vec![*x], parts.iter().map(|part| part.out).collect()),
        Op::GatedLinear { x, out, .. } => (vec![*x], vec![*out]),
        Op::Experts(op) => (vec![op.x, op.scores], vec![op.out]),
        Op::Attend(op) => {
            let list = op.runs.map(|runs| runs.list);
            (std::iter::once(op.q).chain(op.kv.into_iter().flatten()).chain(list).collect(), vec![op.out])
        }
        Op::ChooseRuns(op) => (vec![op.q, op.k], vec![op.out]),
        Op::AttendLatent(op) => {
            let index = op.indexer.map(|indexer| [indexer.q, indexer.k, indexer.weights]);
            ([op.q, op.kv].into_iter().chain(index.into_iter().flatten()).collect(), vec![op.out])
        }
        Op::AllReduce { x } | Op::Send { x } => (vec![*x], vec![]),
        Op::Recv { x } => (vec![], vec![*x]),
    }
}

/// The kernels write through raw pointers by these shapes.
fn check_shapes(program: &Program) {
    let same = |a: BufId, b: BufId, width: usize| {
        let (a, b) = (program.buf(a), program.buf(b));
        assert!(a.rows == b.rows && b.width == width, "buffers of {a:?} and {b:?}, width {width} expected");
    };
    let vector = |id: WeightId, len: usize| {
        let weight = program.weight(id);
        assert_eq!(weight.experts() * weight.rows() * weight.cols(), len, "length of `{}`", weight.name);
    };
    let matrix = |id: WeightId, x: BufId, out: BufId, run: Option<usize>| {
        let weight = program.weight(id);
        assert!(
            weight.experts() == 1 && weight.cols() == program.buf(x).width,
            "`{}` does not fit its input",
            weight.name
        );
        same(x, out, weight.rows() * if run.is_some() { 2 } else { 1 });
        run.iter().for_each(|run| check_run(weight, *run));
    };
    for op in &program.ops {
        match op {
            Op::Embed { table, out, .. } => {
                assert_eq!(program.weight(*table).cols(), program.buf(*out).width, "width of the embedding");
                assert_eq!(program.buf(*out).rows, Rows::Tokens, "an embedding has a row per token");
            }
            Op::Norm { x, norm, out } => {
                same(*x, *out, program.buf(*x).width);
                vector(norm.weight, program.buf(*x).width);
            }
            Op::AddNorm { x, y, norm, out } => {
                same(*x, *y, program.buf(*x).width);
                same(*x, *out, program.buf(*x).width);
                vector(norm.weight, program.buf(*x).width);
            }
            Op::Place { out } => {
                assert_eq!(program.buf(*out).rows, Rows::Tokens, "rows are given for tokens");
            }
            Op::LayerNorm { x, norm, out } => {
                same(*x, *out, program.buf(*x).width);
                [norm.weight, norm.bias].into_iter().for_each(|id| vector(id, program.buf(*x).width));
            }
            Op::Mean { x, len, out } => {
                let (x, out) = (program.buf(*x), program.buf(*out));
                assert!(
                    *len > 0 && x.rows == Rows::Tokens && out.rows == Rows::Outputs && x.width == out.width,
                    "the mean of {len} rows of {x:?} in {out:?}"
                );
            }
            Op::Curve { .. } => {}
            Op::Add { x, y } => same(*x, *y, program.buf(*x).width),
            Op::NormRuns { x, len, norm } => {
                assert!(*len > 0 && program.buf(*x).width.is_multiple_of(*len), "runs of {len}");
                let weight = program.weight(norm.weight);
                let one = weight.experts() * weight.rows() * weight.cols();
                assert!([*len, program.buf(*x).width].contains(&one), "length of `{}`", weight.name);
            }
            Op::Convolve(op) => {
                let (x, weight) = (program.buf(op.x), program.weight(op.weight));
                same(op.x, op.out, x.width);
                assert!(op.x != op.out && x.rows == Rows::Tokens, "a convolution has a row per token");
                assert!(
                    weight.experts() == 1
                        && weight.rows() == x.width
                        && program.states[op.state.index()].len == (weight.cols() - 1) * x.width,
                    "`{}` for {} channels",
                    weight.name,
                    x.width
                );
                op.bias.iter().for_each(|bias| vector(*bias, x.width));
            }
            Op::DeltaRule(op) => check_delta_rule(program, op),
            Op::Spread { x, out } => {
                let (x, out) = (program.buf(*x), program.buf(*out));
                assert!(x.rows == out.rows && out.width.is_multiple_of(x.width), "{x:?} spread in {out:?}");
            }
            Op::Connect(op) => {
                let x = program.buf(op.x);
                assert!(
                    (1..=STREAMS_MAX).contains(&op.streams) && x.width.is_multiple_of(op.streams),
                    "{} streams in {x:?}",
                    op.streams
                );
                same(op.x, op.mixes, Connect::width(op.streams));
                vector(op.scale, 3);
                vector(op.base, Connect::width(op.streams));
            }
            Op::Collapse { x, mixes, out: y } | Op::Expand { x, y, mixes } => {
                let (streams, row) = (program.buf(*x), program.buf(*y));
                let n = streams.width / row.width;
                assert!(
                    n * row.width == streams.width && n <= STREAMS_MAX && streams.rows == row.rows && x != y,
                    "{streams:?} with rows of {row:?}"
                );
                same(*x, *mixes, Connect::width(n));
            }
            Op::Blend(op) => {
                let width = program.buf(op.out).width;
                op.of.iter().for_each(|of| same(op.out, *of, width));
                assert!(
                    (1..=Blend::OF_MAX).contains(&op.of.len()) && !op.of.contains(&op.out),
                    "a blend of {} rows",
                    op.of.len()
                );
                vector(op.weight, width);
            }
            Op::Pool(op) => {
                let width = program.buf(op.x).width;
                same(op.x, op.gate, width);
                same(op.x, op.out, width);
                assert!(
                    ![op.x, op.gate].contains(&op.out)
                        && program.buf(op.x).rows == Rows::Tokens
                        && op.every > 0,
                    "a pool has a row per token"
                );
                assert_eq!(program.states[op.state.index()].len, 2 * op.every * width, "length of the state");
            }
            Op::Store(op) => {
                let x = program.buf(op.x);
                check_rows(program, op.cache, op.rope, op.rounding, x.width);
                assert_eq!(x.rows, Rows::Tokens, "rows are kept of tokens");
            }
            Op::Choose(op) => {
                let key_dim = program.caches[op.cache.index()].key_dim;
                check_rows(program, op.cache, op.rope, op.rounding, key_dim);
                same(op.q, op.weights, op.heads);
                same(op.weights, op.q, op.heads * key_dim);
                let (out, q) = (program.buf(op.out), program.buf(op.q));
                assert!(out.rows == q.rows && q.rows == Rows::Tokens && out.width > 0, "a choice in {out:?}");
                if let Some(blocks) = op.blocks {
                    let list = program.buf(blocks.list);
                    assert!(
                        list.rows == q.rows && list.width > 0 && blocks.len > 0 && blocks.list != op.out,
                        "runs of {} in {list:?}",
                        blocks.len
                    );
                }
            }
            Op::AttendChosen(op) => {
                let key_dim = program.caches[op.cache.index()].key_dim;
                check_rows(program, op.cache, op.rope, None, key_dim);
                assert!(
                    op.window > 0
                        && program.caches[op.cache.index()].every == 1
                        && program.buf(op.q).rows == Rows::Tokens,
                    "a window of {}",
                    op.window
                );
                assert_eq!(program.buf(op.q).width, op.heads * key_dim, "width of the queries");
                same(op.q, op.out, op.heads * key_dim);
                vector(op.sinks, op.heads);
                if let Some(chosen) = op.chosen {
                    check_rows(program, chosen.cache, op.rope, None, key_dim);
                    assert_eq!(program.buf(chosen.list).rows, Rows::Tokens, "a list for every token");
                }
            }
            Op::Stacked { x, weight, out } => {
                let weight = program.weight(*weight);
                assert_eq!(program.buf(*x).width, weight.experts() * weight.cols(), "`{}`", weight.name);
                assert_eq!(program.buf(*x).rows, Rows::Tokens, "stacked matrices have a row per token");
                same(*x, *out, weight.experts() * weight.rows());
            }
            Op::Scan(op) => check_scan(program, op),
            Op::Gate { x, gate, .. } => {
                let (x, gate) = (program.buf(*x), program.buf(*gate));
                assert!(
                    x.rows == gate.rows && gate.width > 0 && x.width.is_multiple_of(gate.width),
                    "a gate of {gate:?} for {x:?}"
                );
            }
            Op::Rescale { by, .. } => by.iter().for_each(|by| vector(*by, 1)),
            Op::SumSquares { of, out } => {
                let out = program.buf(*out);
                let rows = of.iter().flatten().all(|of| program.buf(*of).rows == out.rows);
                assert!(rows && [of.len(), 2 * of.len()].contains(&out.width), "sums of {of:?} in {out:?}");
            }
            Op::NormBy { x, sums, at, norm, .. } => {
                let (own, sums) = (program.buf(*x), program.buf(*sums));
                assert!(own.rows == sums.rows && *at < sums.width, "a norm of {own:?} by {sums:?}");
                vector(norm.weight, own.width);
            }
            Op::Linear { x, parts } => {
                for part in parts {
                    matrix(part.weight, *x, part.out, part.run);
                    if let Some(bias) = part.bias {
                        vector(bias, program.weight(part.weight).rows());
                    }
                }
            }
            Op::GatedLinear { x, gate, up, out, .. } => {
                matrix(*gate, *x, *out, None);
                matrix(*up, *x, *out, None);
            }
            Op::Attend(op) => {
                let cache = &program.caches[op.cache.index()];
                assert!(
                    cache.kv_heads > 0 && op.heads.is_multiple_of(cache.kv_heads),
                    "{} heads over {} key heads",
                    op.heads,
                    cache.kv_heads
                );
                assert_eq!(program.buf(op.q).rows, Rows::Tokens, "attention has a row per token");
                assert_eq!(program.buf(op.q).width, op.heads * cache.key_dim, "width of the queries");
                if let Some([k, v]) = op.kv {
                    same(op.q, k, cache.kv_heads * cache.key_dim);
                    same(op.q, v, cache.kv_heads * cache.value_dim);
                }
                same(op.q, op.out, op.heads * cache.value_dim);
                op.q_norm.iter().chain(&op.k_norm).for_each(|norm| vector(norm.weight, cache.key_dim));
                if let Some(rope) = op.rope {
                    let rope = &program.ropes[rope.index()];
                    assert!(2 * rope.inv_freq.len() <= cache.key_dim, "more rotated values than a head has");
                    rope.factors.iter().for_each(|factors| vector(*factors, rope.inv_freq.len()));
                }
                op.sinks.iter().for_each(|sinks| vector(*sinks, op.heads));
                if let Some(runs) = op.runs {
                    let list = program.buf(runs.list);
                    assert!(
                        runs.len > 0
                            && op.window.is_none()
                            && list.rows == Rows::Tokens
                            && list.width > 0
                            && list.width.is_multiple_of(cache.kv_heads),
                        "{runs:?} in {list:?}"
                    );
                }
            }
            Op::ChooseRuns(op) => {
                let dim = program.caches[op.cache.index()].key_dim;
                check_rows(program, op.cache, op.rope, None, dim);
                assert_eq!(program.caches[op.cache.index()].every, 1, "a row for every token");
                let out = program.buf(op.out).width;
                assert!(op.heads > 0 && out.is_multiple_of(op.heads) && op.len > 0, "{op:?}");
                assert!((1..=out / op.heads).contains(&op.local), "{op:?}");
                same(op.q, op.k, dim);
                same(op.k, op.q, op.heads * dim);
                same(op.q, op.out, out);
            }
            Op::Select { x, out } => {
                assert_eq!(program.buf(*x).width, program.buf(*out).width, "width of the selection");
                assert_eq!(program.buf(*x).rows, Rows::Tokens, "rows are selected from those of tokens");
                assert_eq!(program.buf(*out).rows, Rows::Outputs, "a selection has a row per output");
            }
            Op::Slice { x, first, out } => {
                let (x, out) = (program.buf(*x), program.buf(*out));
                assert!(x.rows == out.rows && first + out.width <= x.width, "{out:?} from {first} of {x:?}");
            }
            Op::Experts(op) => check_experts(program, op),
            Op::AttendLatent(op) => check_latent(program, op),
            Op::Join { x, out } => {
                let (x, out) = (program.buf(*x), program.buf(*out));
                assert!(x.rows == out.rows && x.width == 2 * out.width, "{x:?} joined in {out:?}");
            }
            Op::AllReduce { .. } | Op::Send { .. } | Op::Recv { .. } => {}
        }
    }
}

/// A cache of rows of `width` values that are keys and values in one.
fn check_rows(program: &Program, cache: CacheId, rope: RopeId, rounding: Option<Rounding>, width: usize) {
    let cache = program.caches[cache.index()];
    assert!(
        cache.kv_heads == 1 && cache.value_dim == 0 && cache.key_dim == width && cache.every > 0,
        "rows of {width} in {cache:?}"
    );
    assert!(cache.window.is_none() || cache.every == 1, "a window over pooled rows");
    let rotated = 2 * program.ropes[rope.index()].inv_freq.len();
    assert!(rotated <= width, "more rotated values than a row has");
    assert!(
        rounding.is_none_or(|rounding| width.is_multiple_of(rounding.block_len())),
        "rows of {width} rounded by {rounding:?}"
    );
}

/// Runs are whole blocks, and whole groups of those that share a header.
fn check_run(weight: &Weight, run: usize) {
    assert!(
        run > 0 && run.is_multiple_of(weight.dtype.block_len()),
        "`{}` of {} in runs of {run} columns",
        weight.name,
        weight.dtype
    );
}

fn check_experts(program: &Program, op: &Experts) {
    let (x, scores, out) = (program.buf(op.x), program.buf(op.scores), program.buf(op.out));
    let [gate, up, down] = [op.gate, op.up, op.down].map(|id| program.weight(id));
    let shape = |weight: &Weight| [weight.experts(), weight.rows(), weight.cols()];
    let (experts, inner) = (gate.experts(), gate.rows());
    assert!(
        shape(gate) == [experts, inner, x.width]
            && shape(up) == shape(gate)
            && shape(down) == [experts, x.width, inner],
        "experts of shapes {:?}, {:?} and {:?} over rows of {}",
        shape(gate),
        shape(up),
        shape(down),
        x.width
    );
    let out_width = x.width * if op.run.is_some() { 2 } else { 1 };
    assert!(
        out.rows == x.rows && out.width == out_width && scores.rows == x.rows && scores.width == experts,
        "buffers of {x:?}, {scores:?}, {out:?}"
    );
    op.run.iter().for_each(|run| check_run(down, *run));
    assert!((1..=experts).contains(&op.routing.used), "{} of {experts} experts", op.routing.used);
    if let Some(groups) = op.routing.groups {
        assert!(groups.count > 0 && experts.is_multiple_of(groups.count), "{experts} experts in {groups:?}");
    }
    for (bias, len) in [
        (op.gate_bias, experts * inner),
        (op.up_bias, experts * inner),
        (op.down_bias, experts * x.width),
        (op.routing.bias, experts),
        (op.routing.scales, experts),
    ] {
        if let Some(bias) = bias {
            let weight = program.weight(bias);
            assert_eq!(weight.experts() * weight.rows() * weight.cols(), len, "length of `{}`", weight.name);
        }
    }
}

fn check_scan(program: &Program, op: &Scan) {
    let [x, b, c, step, out] = [op.x, op.b, op.c, op.step, op.out].map(|id| program.buf(id));
    let bufs = [x, b, c, step, out];
    assert!(
        bufs.iter().all(|buf| buf.rows == Rows::Tokens)
            && op.groups > 0
            && op.heads.is_multiple_of(op.groups)
            && x.width.is_multiple_of(op.heads)
            && b.width.is_multiple_of(op.groups)
            && c.width == b.width
            && out.width == x.width
            && step.width == op.heads,
        "{} heads over {} groups with buffers of {bufs:?}",
        op.heads,
        op.groups
    );
    let len = x.width * (b.width / op.groups);
    assert_eq!(program.states[op.state.index()].len, len, "length of the state");
    for id in [op.rate, op.bias, op.skip] {
        let weight = program.weight(id);
        let len = weight.experts() * weight.rows() * weight.cols();
        assert_eq!(len, op.heads, "length of `{}`", weight.name);
    }
}

fn check_delta_rule(program: &Program, op: &DeltaRule) {
    let [q, k, v, decay, beta, out] = [op.q, op.k, op.v, op.decay, op.beta, op.out].map(|id| program.buf(id));
    let bufs = [q, k, v, decay, beta, out];
    assert!(
        bufs.iter().all(|buf| buf.rows == Rows::Tokens)
            && op.key_heads > 0
            && op.heads.is_multiple_of(op.key_heads)
            && q.width.is_multiple_of(op.key_heads)
            && k.width == q.width
            && v.width.is_multiple_of(op.heads)
            && out.width == v.width
            && beta.width == op.heads,
        "{} heads over {} with buffers of {bufs:?}",
        op.heads,
        op.key_heads
    );
    let (key_dim, value_dim) = (q.width / op.key_heads, v.width / op.heads);
    assert!([op.heads, op.heads * key_dim].contains(&decay.width), "decays in {decay:?}");
    assert_eq!(program.states[op.state.index()].len, op.heads * key_dim * value_dim, "length of the state");
    let len = |id: WeightId| {
        let weight = program.weight(id);
        weight.experts() * weight.rows() * weight.cols()
    };
    assert!(len(op.rate) == op.heads && len(op.bias) == decay.width, "rates and biases of decays");
}

fn check_latent(program: &Program, op: &AttendLatent) {
    let cache = program.caches[op.cache.index()];
    let [q, kv, out] = [op.q, op.kv, op.out].map(|id| program.buf(id));
    let (key, value) = (program.weight(op.key), program.weight(op.value));
    let (latent_dim, nope_dim) = (key.rows(), key.cols());
    assert!(
        cache.kv_heads == 1 && cache.value_dim == 0 && cache.key_dim >= latent_dim,
        "a latent cache of {cache:?} for {latent_dim} values"
    );
    let rope_dim = cache.key_dim - latent_dim;
    assert!(
        key.experts() == op.heads && value.experts() == op.heads && value.cols() == latent_dim,
        "projections {:?} and {:?} for {} heads",
        key.slice,
        value.slice,
        op.heads
    );
    assert!(
        [q, kv, out].iter().all(|buf| buf.rows == Rows::Tokens)
            && q.width == op.heads * (nope_dim + rope_dim)
            && kv.width == cache.key_dim
            && out.width == op.heads * value.rows(),
        "buffers of {q:?}, {kv:?} and {out:?}"
    );
    let norm = program.weight(op.kv_norm.weight);
    assert_eq!(norm.experts() * norm.rows() * norm.cols(), latent_dim, "length of `{}`", norm.name);
    let rotated = |rope: RopeId| 2 * program.ropes[rope.index()].inv_freq.len();
    assert!(rotated(op.rope) <= rope_dim, "more rotated values than there are");
    let Some(indexer) = op.indexer else { return };
    let index_cache = program.caches[indexer.cache.index()];
    let [q, k, weights] = [indexer.q, indexer.k, indexer.weights].map(|id| program.buf(id));
    let dim = index_cache.key_dim;
    assert!(
        index_cache == Cache { kv_heads: 1, key_dim: dim, value_dim: 0, window: None, every: 1 }
            && [q, k, weights].iter().all(|buf| buf.rows == Rows::Tokens)
            && (q.width, k.width, weights.width) == (indexer.heads * dim, dim, indexer.heads)
            && indexer.count > 0
            && rotated(indexer.rope) <= dim,
        "an indexer {indexer:?} over {index_cache:?} with buffers of {q:?}, {k:?} and {weights:?}"
    );
    for id in [indexer.k_norm.weight, indexer.k_norm.bias] {
        let weight = program.weight(id);
        assert_eq!(weight.experts() * weight.rows() * weight.cols(), dim, "length of `{}`", weight.name);
    }
}
