//! How much of a step prompts may take while others wait for their next token.

use std::time::Duration;

/// Keeps long prompts from stalling running answers. Time is the currency: prompts earn a share of every step and spend
/// what their rows cost, as measured. Whoever waits for a first token has as good a claim as whoever waits for the next
/// one, but a single prompt never gets more than [`SHARE_MIN`], so that running answers keep more than half their speed.
pub(crate) struct Pacer {
    rows_max: usize,
    credit_s: f32,
    /// What a prompt's row costs; 0 until known.
    row_s: f32,
    /// What a step costs that only decodes this many sequences; 0 where not known.
    alone_s: [f32; BUCKETS],
}

/// What a batch was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mix {
    pub decodes: usize,
    pub prefill_rows: usize,
    /// Sequences that wait for their first token, running or not.
    pub expectant: usize,
}

const SHARE_MIN: f32 = 0.3;
/// Of the claim that many prompts have together.
const SHARE_OF_CLAIM: f32 = 0.8;
/// Prompts may save this much: a short one is computed at once, and no answer stalls for longer.
const CREDIT_MAX_S: f32 = 0.1;
/// Fewer rows are not worth a matrix product of their own.
const ROWS_MIN: usize = 32;
/// Until costs are known.
const ROWS_GUESSED: usize = 64;
const BUCKETS: usize = 32;
/// How fast estimates follow the measurements.
const GAIN: f32 = 0.2;

impl Pacer {
    pub fn new(rows_max: usize) -> Pacer {
        Pacer { rows_max, credit_s: CREDIT_MAX_S, row_s: 0.0, alone_s: [0.0; BUCKETS] }
    }

    /// Rows of prompts the next batch may have, beside sequences that decode.
    pub fn rows(&self, decoding: usize) -> usize {
        if decoding == 0 {
            return usize::MAX;
        }
        if self.row_s == 0.0 {
            return ROWS_GUESSED.min(self.rows_max);
        }
        let rows = (self.credit_s / self.row_s).max(0.0) as usize;
        if rows < ROWS_MIN.min(self.rows_max) { 0 } else { rows.min(self.rows_max) }
    }

    /// Learn from a batch that took this long.
    pub fn observe(&mut self, mix: Mix, took: Duration) {
        let took_s = took.as_secs_f32();
        let Mix { decodes, prefill_rows, expectant } = mix;
        if decodes == 0 {
            if prefill_rows >= ROWS_MIN {
                follow(&mut self.row_s, took_s / prefill_rows as f32);
            }
            self.earn(took_s);
            return;
        }
        let alone_s = &mut self.alone_s[bucket(decodes)];
        if prefill_rows == 0 {
            follow(alone_s, took_s);
        } else {
            let spent_s = match *alone_s {
                0.0 => took_s * prefill_rows as f32 / (prefill_rows + decodes) as f32,
                alone_s => (took_s - alone_s).max(0.0),
            };
            follow(&mut self.row_s, spent_s / prefill_rows as f32);
            self.credit_s -= spent_s;
        }
        let claim = if expectant > 1 { expectant as f32 / (expectant + decodes) as f32 } else { 0.0 };
        self.earn(took_s * (claim * SHARE_OF_CLAIM).max(SHARE_MIN));
    }

    fn earn(&mut self, credit_s: f32) {
        // Enough for a piece, however slow the machine; and no debt that takes for ever to pay.
        let most_s = CREDIT_MAX_S.max(self.row_s * ROWS_MIN as f32);
        self.credit_s = (self.credit_s + credit_s).clamp(-2.0 * most_s, most_s);
    }
}

/// Exact for few sequences, coarser for many.
fn bucket(decodes: usize) -> usize {
    let bucket = if decodes <= 16 { decodes } else { 16 + (decodes - 16) / 8 };
    bucket.min(BUCKETS - 1)
}

fn follow(estimate: &mut f32, measured: f32) {
    *estimate = if *estimate == 0.0 { measured } else { *estimate + GAIN * (measured - *estimate) };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a machine takes that needs `fixed_us` for a step and `row_us` for each row.
    fn took(fixed_us: u64, row_us: u64, rows: usize) -> Duration {
        Duration::from_micros(fixed_us + row_us * rows as u64)
    }

    /// The speed `decodes` running sequences keep while `prompts` of 4,000 tokens are computed, and how many batches that
    /// takes.
    fn kept(fixed_us: u64, row_us: u64, decodes: usize, prompts: usize) -> (f64, usize) {
        let mut pacer = Pacer::new(256);
        for _ in 0..50 {
            pacer.observe(Mix { decodes, ..Mix::default() }, took(fixed_us, row_us, decodes));
        }
        let (mut left, mut time, mut batches) = (4000 * prompts, Duration::ZERO, 0);
        while left > 0 {
            let prefill_rows = pacer.rows(decodes).min(left);
            let took = took(fixed_us, row_us, decodes + prefill_rows);
            pacer.observe(Mix { decodes, prefill_rows, expectant: left.div_ceil(4000) }, took);
            left -= prefill_rows;
            time += took;
            batches += 1;
            assert!(batches < 100_000, "the prompt is starved");
        }
        let undisturbed = time.as_secs_f64() / took(fixed_us, row_us, decodes).as_secs_f64();
        (batches as f64 / undisturbed, batches)
    }

    #[test]
    fn a_running_answer_keeps_half_its_speed_beside_a_long_prompt() {
        for (fixed_us, row_us, decodes) in
            [(4000, 300, 1), (2000, 200, 1), (20_000, 5000, 2), (3000, 250, 16), (1000, 300, 60)]
        {
            let (share, _) = kept(fixed_us, row_us, decodes, 1);
            assert!((0.55..0.8).contains(&share), "{fixed_us} {row_us} {decodes}: {share}");
        }
    }

    #[test]
    fn many_prompts_get_more_than_one() {
        let (one, _) = kept(4000, 300, 4, 1);
        let (many, _) = kept(4000, 300, 4, 12);
        assert!(many < one && many > 0.2, "{many} {one}");
    }

    #[test]
    fn without_running_answers_prompts_are_not_held_back() {
        assert_eq!(Pacer::new(64).rows(0), usize::MAX);
        assert!(Pacer::new(8).rows(1) > 0, "small batches too");
    }
}
