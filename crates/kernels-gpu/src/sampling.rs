//! What a step gives where not all logits are wanted: the likeliest tokens, the best of a draw, and those that were named.
//!
//! The device finds them, so that a step brings back a few words of each row instead of a vocabulary.

use tandem_tensor::{Batch, Draw, Limits, Program};

/// With more than this wanted, all values are.
pub const TOP_MAX: usize = 64;
/// Candidates of a draw. The device rounds their scores, so the host decides among them.
pub const DRAWN: usize = 4;
/// Values that one workgroup goes through.
pub const RUN: usize = 4096;
/// Rows that are gone through; of more, all values are brought back.
const ROWS_MAX: usize = 256;
/// Words of a candidate: token, logit, and the key of what it was chosen by.
const WORDS: usize = 3;
/// Words of a row's candidates.
pub const ROW_WORDS: usize = (TOP_MAX + DRAWN) * WORDS;
const NONE: u32 = u32::MAX;

/// How much a step finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampled {
    pub top: u32,
    pub drawn: bool,
    pub named: u32,
}

/// Where the parts of what is found lie in its buffer, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub rows: usize,
    pub runs: usize,
}

impl Found {
    /// `None` where the program's results are no logits.
    pub fn new(program: &Program, limits: &Limits) -> Option<Found> {
        program.first_token?;
        let runs = program.buf(program.result).width.div_ceil(RUN);
        Some(Found { rows: limits.outputs_max.clamp(1, ROWS_MAX), runs })
    }

    pub fn named(&self) -> usize {
        self.rows * ROW_WORDS
    }

    pub fn parts(&self) -> usize {
        self.named() + Batch::NAMED_MAX
    }

    pub fn words(&self) -> usize {
        self.parts() + self.rows * 2 * self.runs * TOP_MAX * 2
    }

    /// Whether and what a step looks for.
    pub fn sampled(&self, batch: &Batch) -> Option<Sampled> {
        let Batch { top, draws, named, outputs, .. } = batch;
        let fits = (1..=TOP_MAX as u32).contains(top)
            && (1..=self.rows).contains(&outputs.len())
            && named.len() <= Batch::NAMED_MAX;
        let named = named.len() as u32;
        fits.then_some(Sampled { top: *top, drawn: !draws.is_empty(), named })
    }
}

/// Rows of logits of which most are negative infinity.
#[derive(Default)]
pub struct Rows {
    pub values: Vec<f32>,
    /// Where something else was written, unless that is everywhere.
    written: Vec<usize>,
    everywhere: bool,
}

impl Rows {
    /// All values of all rows.
    pub fn fill(&mut self, values: &[f32]) {
        self.values.clear();
        self.values.extend_from_slice(values);
        self.everywhere = true;
    }

    pub fn clear(&mut self, len: usize) {
        if self.everywhere {
            self.values.fill(f32::NEG_INFINITY);
        }
        for at in self.written.drain(..) {
            if let Some(value) = self.values.get_mut(at) {
                *value = f32::NEG_INFINITY;
            }
        }
        self.everywhere = false;
        self.values.resize(len, f32::NEG_INFINITY);
    }

    pub fn put(&mut self, at: usize, value: f32) {
        if let Some(place) = self.values.get_mut(at) {
            *place = value;
            self.written.push(at);
        }
    }

    pub fn put_row(&mut self, at: usize, row: &[f32]) {
        self.values[at..][..row.len()].copy_from_slice(row);
        self.everywhere = true;
    }

    /// Take what was found of row `row`, `width` values long. False where its draw cannot be decided by that.
    pub fn take(
        &mut self,
        row: usize,
        width: usize,
        first_token: u32,
        words: &[u32],
        sampled: Sampled,
        draw: Option<&Draw>,
    ) -> bool {
        let candidates = words.as_chunks::<WORDS>().0;
        let known = |candidate: &&[u32; WORDS]| candidate[0] != NONE;
        for [id, logit, _] in candidates[..sampled.top as usize].iter().filter(known) {
            self.put(row * width + *id as usize, f32::from_bits(*logit));
        }
        let Some(draw) = draw.filter(|draw| draw.temperature > 0.0) else { return true };
        let drawn = &candidates[TOP_MAX..];
        let mut best = f64::NEG_INFINITY;
        for [id, logit, _] in drawn.iter().filter(known) {
            let logit = f32::from_bits(*logit);
            self.put(row * width + *id as usize, logit);
            best = best.max(draw.score(first_token + id, logit));
        }
        match drawn.last() {
            Some([id, _, key]) if *id != NONE => {
                // Whatever was not found scores no more than the last, give or take what the device rounds.
                let last = f64::from(value_of(*key));
                let rounding = 1e-4 + 1e-5 * last.abs().max(best.abs());
                best > last + rounding
            }
            _ => true,
        }
    }
}

/// The value that a key orders as.
fn value_of(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key ^ 0x8000_0000 } else { !key })
}
