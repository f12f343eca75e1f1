//! How much of a step prompts may take while others wait for their next token.

use std::time::Duration;

/// Keeps prompts from stalling running answers. Prompts get a share of the time of every step, and their rows are charged with
/// what they cost, as measured. The share grows with the number of requests that wait for their first token; a single prompt
/// gets [`SHARE_MIN`], so that running answers keep more than half their speed. A batch never holds more rows of prompts than a
/// few steps' worth, so that many prompts at once do not become one long pause.
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
    /// Sequences, running or not, of which more than the next token must be computed.
    pub expectant: usize,
}

const SHARE_MIN: f32 = 0.3;
/// Of the claim that many prompts have together.
const SHARE_OF_CLAIM: f32 = 0.8;
/// Prompts may save this much: a short one is computed at once, and no answer stalls for longer.
const CREDIT_MAX_S: f32 = 0.1;
/// Nor for longer than this many steps without prompts.
const PIECE_STEPS_MAX: f32 = 3.0;
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
        let least = ROWS_MIN.min(self.rows_max);
        if self.credit_s < self.row_s * least as f32 {
            return 0;
        }
        let piece_s = self.credit_s.min(self.alone_s(decoding) * PIECE_STEPS_MAX);
        ((piece_s / self.row_s) as usize).clamp(least, self.rows_max)
    }

    /// What a step of this many sequences costs: as measured, or no less than fewer of them.
    fn alone_s(&self, decoding: usize) -> f32 {
        let fewer = self.alone_s[..=bucket(decoding)].iter().rfind(|known| **known > 0.0);
        fewer.copied().unwrap_or(0.0).max(self.row_s * decoding as f32)
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

    /// What steps take, in microseconds. No clock runs.
    #[derive(Clone, Copy)]
    struct Machine {
        step: f64,
        row: f64,
        /// For a decoded token and a prompt's row: what each token before it adds.
        seen: [f64; 2],
    }

    /// SmolLM2-135M on two cores, roughly.
    const SMALL: Machine = Machine { step: 2600.0, row: 450.0, seen: [1.2, 0.35] };

    impl Machine {
        fn plain(step: f64, row: f64) -> Machine {
            Machine { step, row, seen: [0.0; 2] }
        }

        /// A step of `decodes` answers of which each sees `seen` tokens, and `rows` of a prompt behind `before`.
        fn took_us(&self, decodes: usize, seen: usize, rows: usize, before: usize) -> f64 {
            let attending = decodes as f64 * seen as f64 * self.seen[0]
                + rows as f64 * (before as f64 + rows as f64 / 2.0) * self.seen[1];
            self.step + self.row * (decodes + rows) as f64 + attending
        }
    }

    fn observe(pacer: &mut Pacer, mix: Mix, took_us: f64) {
        pacer.observe(mix, Duration::from_nanos((took_us * 1e3) as u64));
    }

    /// The speed `decodes` running answers keep while `prompts` of 4,000 tokens are computed, beside that of the same tokens
    /// undisturbed; and how many times as long as alone, in pieces of the most rows, the prompts take.
    fn kept(machine: Machine, decodes: usize, prompts: usize) -> (f64, f64) {
        const PROMPT: usize = 4000;
        let mut pacer = Pacer::new(256);
        let mut seen = 100;
        for _ in 0..50 {
            observe(&mut pacer, Mix { decodes, ..Mix::default() }, machine.took_us(decodes, seen, 0, 0));
            seen += 1;
        }
        let (mut done, mut time_us, mut undisturbed_us, mut alone_us) = (0, 0.0, 0.0, 0.0);
        while done < PROMPT * prompts {
            let prefill_rows = pacer.rows(decodes).min(PROMPT - done % PROMPT);
            let took_us = machine.took_us(decodes, seen, prefill_rows, done % PROMPT);
            let expectant = prompts - done / PROMPT;
            observe(&mut pacer, Mix { decodes, prefill_rows, expectant }, took_us);
            time_us += took_us;
            undisturbed_us += machine.took_us(decodes, seen, 0, 0);
            alone_us += machine.took_us(0, 0, prefill_rows, done % PROMPT)
                - machine.step * (1.0 - prefill_rows as f64 / 256.0);
            done += prefill_rows;
            seen += 1;
            assert!(seen < 100_000, "the prompt is starved");
        }
        (undisturbed_us / time_us, time_us / alone_us)
    }

    #[test]
    fn a_running_answer_keeps_more_than_half_its_speed_beside_a_long_prompt() {
        let plain = |step, row, decodes| (Machine::plain(step, row), decodes);
        for (machine, decodes) in [
            (SMALL, 1),
            (SMALL, 8),
            plain(4000.0, 300.0, 1),
            plain(2000.0, 200.0, 1),
            plain(20_000.0, 5000.0, 2),
            plain(3000.0, 250.0, 16),
            plain(1000.0, 300.0, 60),
            plain(150_000.0, 30_000.0, 1),
        ] {
            let (share, times) = kept(machine, decodes, 1);
            assert!((0.6..0.8).contains(&share), "{} {decodes}: {share}", machine.step);
            assert!(times < 5.0, "{} {decodes}: the prompt takes {times} times as long", machine.step);
        }
    }

    #[test]
    fn many_prompts_get_more_than_one() {
        let ((one, _), (many, _)) = (kept(SMALL, 4, 1), kept(SMALL, 4, 12));
        assert!(many < one && many > 0.2, "{many} {one}");
    }

    /// Every step's time is a gap in each running answer.
    #[test]
    fn many_prompts_at_once_make_no_long_pause() {
        for (machine, answers, prompt) in
            [(SMALL, 64, 50), (SMALL, 64, 300), (SMALL, 16, 90), (Machine::plain(20_000.0, 2000.0), 32, 50)]
        {
            let mut pacer = Pacer::new(256);
            let (mut rows_left, mut running, mut gaps_us) = (answers * prompt, Vec::new(), Vec::new());
            let mut ended = 0;
            while ended < answers {
                let decodes = running.len();
                // As the scheduler has it: the most rows of any batch.
                let prefill_rows = pacer.rows(decodes).min(512).min(rows_left);
                let took_us = machine.took_us(decodes, prompt, prefill_rows, 0);
                let expectant = rows_left.div_ceil(prompt);
                observe(&mut pacer, Mix { decodes, prefill_rows, expectant }, took_us);
                gaps_us.extend(std::iter::repeat_n(took_us, decodes));
                rows_left -= prefill_rows;
                running.iter_mut().for_each(|tokens| *tokens += 1);
                running.retain(|tokens| *tokens < 60);
                let begun = answers - rows_left.div_ceil(prompt);
                ended = begun.min(ended + decodes - running.len());
                running.resize(begun - ended, 1);
            }
            gaps_us.sort_by(f64::total_cmp);
            let (median, longest) = (gaps_us[gaps_us.len() / 2], gaps_us[gaps_us.len() - 1]);
            assert!(longest < 4.0 * median, "{answers} of {prompt}: {longest} beside {median}");
        }
    }

    #[test]
    fn without_running_answers_prompts_are_not_held_back() {
        assert_eq!(Pacer::new(64).rows(0), usize::MAX);
        assert!(Pacer::new(8).rows(1) > 0, "small batches too");
    }
}
