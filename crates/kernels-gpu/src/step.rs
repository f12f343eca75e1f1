//! What changes from step to step, as kernels read it: one list of words.

use tandem_tensor::{Batch, Limits, Op, Program};

use crate::lane::Shape;
use crate::plan::{ATTEND_THREADS, RUN};
use crate::sampling::{Found, Sampled};

/// Where the list of rotations' beginnings lies in the header.
const ROPES: usize = 21;

/// The words of a step.
#[derive(Default)]
pub struct StepWords {
    pub words: Vec<u32>,
    pub tokens: u32,
    pub outputs: u32,
    pub spans: u32,
    /// Runs of neighbouring rows of a sequence.
    pub runs: u32,
    /// Runs of keys that attention is divided into.
    pub splits: u32,
    /// What is looked for among the logits, where not all are wanted.
    pub sampled: Option<Sampled>,
    /// Rows whose values the batch brings.
    pub given: u32,
    /// As [`Shape::keys`].
    pub keys: u32,
}

/// Words of a draw.
const DRAW: usize = 3;

/// The named tokens that this rank has logits of: output and place in its row.
pub fn named_here(program: &Program, named: &[(u32, u32)]) -> impl Iterator<Item = (u32, u32)> {
    let (first, width) = (program.first_token.unwrap_or(0), program.buf(program.result).width as u32);
    let here = named.iter().map(move |(output, token)| (*output, token.wrapping_sub(first)));
    here.filter(move |(_, index)| *index < width)
}

/// Words of a mask over all tokens up to the last that this rank has logits of.
fn mask_words(program: &Program) -> usize {
    let end = program.first_token.unwrap_or(0) as usize + program.buf(program.result).width;
    end.div_ceil(32)
}

/// How wide rows are that a batch gives, where the program has a place for them.
fn placed(program: &Program) -> Option<usize> {
    program.ops.iter().find_map(|op| match op {
        Op::Place { out } => Some(program.buf(*out).width),
        _ => None,
    })
}

/// What logits are multiplied with; 0 where there is no temperature.
fn inverse(temperature: f32) -> f32 {
    if temperature > 0.0 { 1.0 / temperature } else { 0.0 }
}

/// How many workgroups keep a large device busy.
const WORKGROUPS: u32 = 1024;

/// With no more rows attention is little work, however many keys there are.
const FEW_ROWS: u32 = 64;

impl StepWords {
    /// Words that any step within `limits` takes.
    pub fn len_max(program: &Program, limits: &Limits) -> usize {
        let ropes: usize = program.ropes.iter().map(|rope| rope.inv_freq.len() * 2).sum();
        // Every sequence has an output sooner or later, so there are no more of them than outputs.
        let tables = limits.outputs_max.max(1) * limits.context_max.div_ceil(limits.block_len);
        // Draws, masks and sums are there for as many rows as are gone through.
        let rows = Found::new(program, limits).map_or(0, |found| found.rows);
        let choices = (DRAW + 2 + mask_words(program)) * rows + 2 * Batch::NAMED_MAX;
        let given = placed(program).unwrap_or(0);
        Self::tokens_at(program)
            + limits.tokens_max * (14 + ropes + given)
            + limits.outputs_max
            + tables * 2
            + choices
    }

    /// What the commands of the step depend on.
    pub fn shape(&self, hidden: bool) -> Shape {
        Shape {
            tokens: self.tokens,
            outputs: self.outputs,
            splits: self.splits,
            spans: self.spans,
            runs: self.runs,
            hidden,
            sampled: self.sampled,
            given: self.given,
            keys: self.keys,
        }
    }

    /// Where the tokens begin.
    pub fn tokens_at(program: &Program) -> usize {
        (ROPES + program.ropes.len()).next_multiple_of(16)
    }

    /// `factors`: each rotation's divisors. `parts`: most parts of a softmax for one head. `heads`: the least key heads of
    /// any layer.
    pub fn fill(
        &mut self,
        program: &Program,
        batch: &Batch,
        found: Option<Found>,
        factors: &[Vec<f32>],
        heads: u32,
        parts: u32,
    ) {
        self.sampled = found.and_then(|found| found.sampled(batch));
        let words = &mut self.words;
        words.clear();
        words.resize(Self::tokens_at(program), 0);
        self.tokens = batch.tokens.len() as u32;
        self.outputs = batch.outputs.len() as u32;
        (words[0], words[1]) = (self.tokens, self.outputs);
        let longest = batch.spans.iter().map(|span| span.start + span.rows).max().unwrap_or(1);
        // Commands are recorded anew where this changes.
        self.keys = if self.tokens > FEW_ROWS { longest.next_power_of_two() } else { 0 };
        let wanted =
            (WORKGROUPS / (heads * self.tokens).max(1)).clamp(1, (parts / self.tokens.max(1)).max(1));
        let keys = longest.div_ceil(wanted).next_multiple_of(ATTEND_THREADS);
        self.splits = longest.div_ceil(keys);
        (words[2], words[3]) = (keys, self.splits);

        words[4] = words.len() as u32;
        words.extend_from_slice(&batch.tokens);
        words[5] = words.len() as u32;
        for span in &batch.spans {
            words.extend(span.start..span.start + span.rows);
        }
        // Where what a row sees ends: those that are given together see each other.
        words[16] = words.len() as u32;
        words.extend_from_within(words[5] as usize..words[16] as usize);
        let ends = words[16] as usize;
        words[ends..].iter_mut().for_each(|end| *end += 1);
        for given in &batch.given {
            let rows = &mut words[ends + given.first as usize..][..given.rows as usize];
            let end = rows.last().copied().unwrap_or(0);
            rows.fill(end);
        }
        // Rows whose values this rank has.
        words[17] = words.len() as u32;
        let brought = batch.given.iter().filter(|given| given.values.is_some());
        words.extend(brought.flat_map(|given| given.first..given.first + given.rows));
        self.given = words.len() as u32 - words[17];
        // Block tables, and for every row where its own begins.
        words[6] = words.len() as u32;
        words.resize(words.len() + batch.tokens.len() * 2, 0);
        words[7] = words[6] + self.tokens;
        let (plain, windowed) = (words[6] as usize, words[7] as usize);
        let tables = words.len() as u32;
        words.extend_from_slice(&batch.blocks);
        let window_tables = words.len() as u32;
        words.extend_from_slice(&batch.window_blocks);
        let (mut row, mut block, mut window_block) = (0, 0, 0);
        for span in &batch.spans {
            // A window's table begins with a later block of the sequence.
            let window = (window_tables + window_block).wrapping_sub(span.window_first() as u32);
            for _ in 0..span.rows {
                words[plain + row] = tables + block;
                words[windowed + row] = window;
                row += 1;
            }
            block += span.blocks;
            window_block += span.window_blocks;
        }
        words[8] = words.len() as u32;
        words.extend_from_slice(&batch.outputs);
        // Spans, and for every row which it belongs to.
        self.spans = batch.spans.len() as u32;
        words[9] = words.len() as u32;
        let mut row = 0;
        for span in &batch.spans {
            words.extend([row, span.rows, span.start, span.state, span.state_from]);
            row += span.rows;
        }
        words[11] = words.len() as u32;
        let (mut row, runs) = (0, words.len());
        for span in &batch.spans {
            for first in (0..span.rows).step_by(RUN as usize) {
                words.extend([row + first, (span.rows - first).min(RUN)]);
            }
            row += span.rows;
        }
        self.runs = ((words.len() - runs) / 2) as u32;
        words[10] = words.len() as u32;
        for (i, span) in batch.spans.iter().enumerate() {
            words.extend(std::iter::repeat_n(i as u32, span.rows as usize));
        }
        if let Some(sampled) = &mut self.sampled {
            words[12] = sampled.top;
            words[13] = words.len() as u32;
            for draw in &batch.draws {
                let stream = draw.stream();
                words.extend([inverse(draw.temperature).to_bits(), stream as u32, (stream >> 32) as u32]);
            }
            words[14] = words.len() as u32;
            let here = named_here(program, &batch.named);
            here.for_each(|(output, index)| words.extend([output, index]));
            sampled.named = (words.len() as u32 - words[14]) / 2;
            words[15] = sampled.named;
            // For every output where its mask begins, or 0. The highest bit says that it is for draws only.
            if !batch.masks.is_empty() {
                let (table, len) = (words.len(), mask_words(program));
                words[19] = table as u32;
                words.resize(table + batch.outputs.len(), 0);
                for (mask, allowed) in batch.masks().filter(|(mask, _)| mask.output < self.outputs) {
                    words[table + mask.output as usize] =
                        words.len() as u32 | u32::from(mask.draws_only) << 31;
                    let end = words.len() + len;
                    words.extend(&allowed[..allowed.len().min(len)]);
                    words.resize(end, 0);
                }
            }
            words[20] = words.len() as u32;
            words.extend(batch.sums.iter().map(|temperature| inverse(*temperature).to_bits()));
        }
        for (i, rope) in program.ropes.iter().enumerate() {
            words[ROPES + i] = words.len() as u32;
            for span in &batch.spans {
                for position in span.start..span.start + span.rows {
                    for (pair, factor) in factors[i].iter().enumerate().take(rope.inv_freq.len()) {
                        let angle = rope.angle(pair, *factor, position as usize);
                        let (sin, cos) = angle.sin_cos();
                        words.extend([(cos * rope.magnitude).to_bits(), (sin * rope.magnitude).to_bits()]);
                    }
                }
            }
        }
        words[18] = words.len() as u32;
        if self.given > 0 && placed(program).is_some() {
            let values = batch.given.iter().filter_map(|given| given.values.as_deref());
            words.extend(values.flatten().map(|value| value.to_bits()));
        }
    }
}
