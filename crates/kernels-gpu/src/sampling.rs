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
/// Words of what one run adds to a row's sums: the largest logit and the sum relative to it, of all tokens and of those allowed.
const SUM_WORDS: usize = 4;
const NONE: u32 = u32::MAX;

/// How much a step finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampled {
    pub top: u32,
    pub drawn: bool,
    pub named: u32,
    /// Whether what is left out is summed up.
    pub summed: bool,
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

    pub fn sums(&self) -> usize {
        self.named() + Batch::NAMED_MAX
    }

    /// Words of a row's sums.
    pub fn row_sums(&self) -> usize {
        self.runs * SUM_WORDS
    }

    pub fn parts(&self) -> usize {
        self.sums() + self.rows * self.row_sums()
    }

    pub fn words(&self) -> usize {
        self.parts() + self.rows * 2 * self.runs * TOP_MAX * 2
    }

    /// Whether and what a step looks for.
    pub fn sampled(&self, batch: &Batch) -> Option<Sampled> {
        let Batch { top, draws, named, outputs, sums, .. } = batch;
        let fits = (1..=TOP_MAX as u32).contains(top)
            && (1..=self.rows).contains(&outputs.len())
            && named.len() <= Batch::NAMED_MAX;
        let named = named.len() as u32;
        fits.then_some(Sampled { top: *top, drawn: !draws.is_empty(), named, summed: !sums.is_empty() })
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

    /// Whether anything was found of a row.
    pub fn any(words: &[u32]) -> bool {
        words[0] != NONE
    }

    /// No candidate that was not found has a larger logit.
    pub fn most(words: &[u32], sampled: Sampled) -> f32 {
        match words.as_chunks::<WORDS>().0[sampled.top as usize - 1] {
            [NONE, ..] => f32::NEG_INFINITY,
            [_, logit, _] => f32::from_bits(logit),
        }
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
        let Some(draw) = draw else { return true };
        let drawn = &candidates[TOP_MAX..];
        let mut best = f64::NEG_INFINITY;
        for [id, logit, _] in drawn.iter().filter(known) {
            let logit = f32::from_bits(*logit);
            self.put(row * width + *id as usize, logit);
            best = best.max(draw.score(first_token + id, logit));
        }
        match drawn.last() {
            Some([id, _, key]) if *id != NONE && draw.temperature > 0.0 => {
                // Whatever was not found scores no more than the last, give or take what the device rounds.
                let last = f64::from(value_of(*key));
                let rounding = 1e-4 + 1e-5 * last.abs().max(best.abs());
                best > last + rounding
            }
            _ => true,
        }
    }
}

/// The log-sum-exps of a row: of all tokens, and of those allowed at a temperature.
pub fn log_sums(words: &[u32], temperature: f32) -> (f64, f64) {
    let runs = words.as_chunks::<SUM_WORDS>().0;
    let total = |at: usize, temperature: f64| {
        let parts = runs.iter().map(|run| [run[at], run[at + 1]].map(|bits| f64::from(f32::from_bits(bits))));
        let parts = parts.filter(|[_, sum]| *sum > 0.0);
        let max = parts.clone().fold(f64::NEG_INFINITY, |max, [largest, _]| max.max(largest));
        let sum: f64 = parts.map(|[largest, sum]| sum * ((largest - max) / temperature).exp()).sum();
        if sum > 0.0 { max / temperature + sum.ln() } else { f64::NEG_INFINITY }
    };
    (total(0, 1.0), total(2, f64::from(temperature)))
}

/// The value that a key orders as.
fn value_of(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key ^ 0x8000_0000 } else { !key })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_brings_back_a_kilobyte_at_most() {
        let vocabulary = 49_152;
        let found = Found { rows: 1, runs: usize::div_ceil(vocabulary, RUN) };
        assert_eq!(ROW_WORDS * 4, 816);
        assert_eq!((ROW_WORDS + found.row_sums()) * 4, 1008, "instead of {}", vocabulary * 4);
    }

    #[test]
    fn sums_of_runs_add_up() {
        let bits = f32::to_bits;
        let words =
            [[2.0, 3.0, 1.0, 2.0], [-4.0, 1.0, 0.0, 0.0], [1.0, 1.5, 2.0, 1.0]].map(|run| run.map(bits));
        let (all, allowed) = log_sums(words.as_flattened(), 0.5);
        let expected = 3.0 * 2f64.exp() + (-4f64).exp() + 1.5 * 1f64.exp();
        assert!((all - expected.ln()).abs() < 1e-12);
        assert!((allowed - (2.0 * 2f64.exp() + 4f64.exp()).ln()).abs() < 1e-12);
        assert_eq!(log_sums(&[0; 4], 1.0).0, f64::NEG_INFINITY);
    }
}
