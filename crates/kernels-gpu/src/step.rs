//! What changes from step to step, as kernels read it: one list of words.

use tandem_tensor::{Batch, Limits, Program};

use crate::plan::{ATTEND_THREADS, RUN};
use crate::sampling::{Found, Sampled};

/// Where the list of rotations' beginnings lies in the header.
const ROPES: usize = 16;

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
}

/// Words of a draw.
const DRAW: usize = 3;

/// The named tokens that this rank has logits of: output and place in its row.
pub fn named_here(program: &Program, named: &[(u32, u32)]) -> impl Iterator<Item = (u32, u32)> {
    let (first, width) = (program.first_token.unwrap_or(0), program.buf(program.result).width as u32);
    let here = named.iter().map(move |(output, token)| (*output, token.wrapping_sub(first)));
    here.filter(move |(_, index)| *index < width)
}

/// How many workgroups keep a large device busy.
const WORKGROUPS: u32 = 1024;

impl StepWords {
    /// Words that any step within `limits` takes.
    pub fn len_max(program: &Program, limits: &Limits) -> usize {
        let ropes: usize = program.ropes.iter().map(|rope| rope.inv_freq.len() * 2).sum();
        // Every sequence has an output sooner or later, so there are no more of them than outputs.
        let tables = limits.outputs_max.max(1) * limits.context_max.div_ceil(limits.block_len);
        let choices = DRAW * limits.outputs_max + 2 * Batch::NAMED_MAX;
        Self::tokens_at(program)
            + limits.tokens_max * (12 + ropes)
            + limits.outputs_max
            + tables * 2
            + choices
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
                let scale = if draw.temperature > 0.0 { 1.0 / draw.temperature } else { 0.0 };
                let stream = draw.stream();
                words.extend([scale.to_bits(), stream as u32, (stream >> 32) as u32]);
            }
            words[14] = words.len() as u32;
            let here = named_here(program, &batch.named);
            here.for_each(|(output, index)| words.extend([output, index]));
            sampled.named = (words.len() as u32 - words[14]) / 2;
            words[15] = sampled.named;
        }
        for (i, rope) in program.ropes.iter().enumerate() {
            words[ROPES + i] = words.len() as u32;
            for span in &batch.spans {
                for position in span.start..span.start + span.rows {
                    for (inv_freq, factor) in rope.inv_freq.iter().zip(&factors[i]) {
                        let angle = position as f32 * inv_freq / factor;
                        let (sin, cos) = angle.sin_cos();
                        words.extend([(cos * rope.magnitude).to_bits(), (sin * rope.magnitude).to_bits()]);
                    }
                }
            }
        }
    }
}
