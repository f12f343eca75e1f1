//! Picks the next token from a row of logits.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use tandem_tensor::{Batch, Draw, Rest};

use crate::grammar::allows;
use crate::{Logprob, Logprobs, Sampling};

/// One request's sampler: its rules, its random stream and what it has seen.
pub struct Sampler {
    sampling: Sampling,
    seed: u64,
    /// Tokens of the answer so far: where the random stream stands.
    position: u64,
    /// Occurrences in the prompt and in the answer; kept only where a penalty needs them.
    seen: HashMap<u32, Seen>,
    /// The tokens that have a bias, each once.
    biased: Vec<u32>,
}

/// What a sampler finds in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picked {
    Token(u32),
    /// The mask allows no token.
    Nothing,
    /// The row leaves out what might change the choice.
    Undecided,
}

#[derive(Clone, Copy, Default)]
struct Seen {
    in_answer: u32,
}

/// Buffers shared by all samplers of an engine, so that a step allocates nothing.
#[derive(Default)]
pub struct Scratch {
    logits: Vec<f32>,
    candidates: Vec<Candidate>,
}

#[derive(Clone, Copy)]
struct Candidate {
    id: u32,
    logit: f32,
}

impl Scratch {
    pub fn new(vocab: usize) -> Scratch {
        Scratch { logits: Vec::with_capacity(vocab), candidates: Vec::with_capacity(vocab) }
    }
}

/// With more candidates than this, whole rows are as cheap.
pub(crate) const CANDIDATES_MAX: usize = 64;
/// How far a sum of weights may be from what whole rows give: devices round.
const SUM_ROUNDING: f64 = 1e-4;

impl Sampler {
    /// The last `resumed` tokens of `prompt` are the answer so far.
    pub fn new(sampling: Sampling, prompt: &[u32], resumed: usize) -> Sampler {
        let seed = sampling.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        let mut biased: Vec<u32> = sampling.logit_bias.iter().map(|(token, _)| *token).collect();
        biased.sort_unstable();
        biased.dedup();
        let mut sampler = Sampler { sampling, seed, position: 0, seen: HashMap::new(), biased };
        let (prompt, answer) = prompt.split_at(prompt.len() - resumed);
        if sampler.sampling.repetition_penalty != 1.0 {
            sampler.seen.extend(prompt.iter().map(|token| (*token, Seen::default())));
        }
        answer.iter().for_each(|token| sampler.note(*token));
        sampler
    }

    /// Pick one of the tokens that `mask` allows and take note of it. `None` if it allows none.
    pub fn pick(&mut self, logits: &[f32], mask: Option<&[u32]>, scratch: &mut Scratch) -> Option<u32> {
        match self.pick_among(logits, mask, None, scratch) {
            Picked::Token(token) => Some(token),
            Picked::Nothing | Picked::Undecided => None,
        }
    }

    /// The same from a row that leaves out what `rest` says. Never undecided without one.
    pub(crate) fn pick_among(
        &mut self,
        logits: &[f32],
        mask: Option<&[u32]>,
        rest: Option<&Rest>,
        scratch: &mut Scratch,
    ) -> Picked {
        let token = if self.changes_logits() || mask.is_some() {
            scratch.logits.clear();
            scratch.logits.extend_from_slice(logits);
            let mut changed = std::mem::take(&mut scratch.logits);
            self.change(&mut changed);
            mask.iter().for_each(|mask| forbid(&mut changed, mask));
            let token = self.draw(&changed, rest, &mut scratch.candidates);
            scratch.logits = changed;
            token
        } else {
            self.draw(logits, rest, &mut scratch.candidates)
        };
        let Some(mut token) = token else { return Picked::Undecided };
        if let Some(mask) = mask
            && !allows(mask, token)
        {
            // Nothing allowed has a finite logit: any allowed token will do.
            match (0..logits.len() as u32).find(|token| allows(mask, *token)) {
                Some(allowed) => token = allowed,
                None => return Picked::Nothing,
            }
        }
        self.note(token);
        Picked::Token(token)
    }

    /// The log-sum-exp of a row that leaves out what `rest` says. To be asked before a token is picked, which may change others.
    pub(crate) fn log_sum_exp(&self, logits: &[f32], rest: Option<&Rest>) -> f32 {
        match rest {
            Some(rest) => self.with_changed(logits, 1.0, rest.all) as f32,
            None => log_sum_exp(logits),
        }
    }

    /// The log-sum-exp of all logits at a temperature, where `others` is that of those that are not changed.
    fn with_changed(&self, logits: &[f32], temperature: f32, others: f64) -> f64 {
        let temperature = f64::from(temperature);
        let scaled = |token: u32| f64::from(logits[token as usize]) / temperature;
        let max = self.changed().map(scaled).fold(others, f64::max);
        if !max.is_finite() {
            return max;
        }
        let sum: f64 = self.changed().map(|token| (scaled(token) - max).exp()).sum();
        max + (sum + (others - max).exp()).ln()
    }

    /// The tokens whose logits are changed, each once.
    fn changed(&self) -> impl Iterator<Item = u32> {
        let biased = self.biased.iter().filter(|token| !self.seen.contains_key(token));
        self.seen.keys().chain(biased).copied()
    }

    fn note(&mut self, token: u32) {
        self.position += 1;
        if self.has_penalties() {
            self.seen.entry(token).or_default().in_answer += 1;
        }
    }

    /// How many of the largest logits that [`named`](Self::named) leaves decide the choice, if not all of them might. Where what is
    /// left out is known (`with_rest`), they do for most rows of a nucleus.
    pub(crate) fn candidates(&self, with_rest: bool) -> Option<usize> {
        match (self.sampling.temperature == 0.0, self.sampling.top_k) {
            (true, _) => Some(1),
            (false, 0) if self.draws_from_all() => Some(1),
            (false, 0) => with_rest.then_some(CANDIDATES_MAX),
            (false, k) => Some(k).filter(|k| *k <= CANDIDATES_MAX),
        }
    }

    /// The temperature of the sum that decides the choice beside the candidates; 0 where none does.
    pub(crate) fn sum_temperature(&self) -> f32 {
        let s = &self.sampling;
        if s.top_k == 0 && s.top_p < 1.0 && s.min_p <= 0.0 { s.temperature } else { 0.0 }
    }

    /// Appends the tokens whose logits are changed, as those of `output`; false where they are too many.
    pub(crate) fn named(&self, output: u32, named: &mut Vec<(u32, u32)>) -> bool {
        if named.len() + self.biased.len() + self.seen.len() > Batch::NAMED_MAX {
            return false;
        }
        // What is said twice would be changed once.
        named.extend(self.changed().map(|token| (output, token)));
        true
    }

    /// Whether the next token is the one with the largest logit, whatever the others are.
    pub(crate) fn is_greedy(&self) -> bool {
        !self.changes_logits() && (self.sampling.temperature == 0.0 || self.sampling.top_k == 1)
    }

    /// The draw that decides the choice where [`candidates`](Self::candidates) do not.
    pub(crate) fn next_draw(&self) -> Draw {
        let temperature = if self.draws_from_all() { self.sampling.temperature } else { 0.0 };
        Draw { temperature, seed: self.seed, position: self.position }
    }

    /// Whether the choice is the winner of [`next_draw`](Self::next_draw), or one of the tokens whose logits are changed.
    pub(crate) fn draws_at_once(&self) -> bool {
        self.sampling.temperature == 0.0 || self.sampling.top_k == 1 || self.draws_from_all()
    }

    /// Whether every token may be drawn, by its probability alone.
    fn draws_from_all(&self) -> bool {
        let s = &self.sampling;
        s.temperature > 0.0 && s.top_k == 0 && s.top_p >= 1.0 && s.min_p <= 0.0
    }

    fn has_penalties(&self) -> bool {
        let s = &self.sampling;
        s.repetition_penalty != 1.0 || s.frequency_penalty != 0.0 || s.presence_penalty != 0.0
    }

    fn changes_logits(&self) -> bool {
        self.has_penalties() || !self.sampling.logit_bias.is_empty()
    }

    fn change(&self, logits: &mut [f32]) {
        let s = &self.sampling;
        for (token, bias) in &s.logit_bias {
            logits[*token as usize] += bias;
        }
        for (token, seen) in &self.seen {
            let logit = &mut logits[*token as usize];
            *logit = if *logit > 0.0 { *logit / s.repetition_penalty } else { *logit * s.repetition_penalty };
            if seen.in_answer > 0 {
                *logit -= s.frequency_penalty * seen.in_answer as f32 + s.presence_penalty;
            }
        }
    }

    /// `None` where what the row leaves out might change the choice.
    fn draw(&self, logits: &[f32], rest: Option<&Rest>, candidates: &mut Vec<Candidate>) -> Option<u32> {
        let s = &self.sampling;
        if self.draws_from_all() {
            return Some(self.next_draw().winner(0, logits).unwrap_or_else(|| argmax(logits)));
        }
        if self.draws_at_once() {
            return Some(argmax(logits));
        }
        // The candidates of a cut among k are all known.
        let rest = rest.filter(|_| s.top_k == 0);
        // Everything below works on logits divided by the temperature; probabilities are relative to the
        // likeliest token's, which is what min-p compares with and what cancels in the draw.
        let max = largest(logits);
        let weight = |logit: f32| ((logit - max) / s.temperature).exp();
        let floor = if s.min_p > 0.0 { max + s.min_p.ln() * s.temperature } else { f32::NEG_INFINITY };
        if s.min_p > 0.0 && rest.is_some_and(|rest| rest.most >= floor) {
            return None;
        }
        candidates.clear();
        // Of logits above this, none is left out.
        let known = |logit: f32| rest.is_none_or(|rest| logit > rest.most);
        let kept = logits.iter().enumerate().filter(|(_, logit)| **logit >= floor && known(**logit));
        candidates.extend(kept.map(|(id, logit)| Candidate { id: id as u32, logit: *logit }));
        if candidates.is_empty() {
            if rest.is_some_and(|rest| rest.most > f32::NEG_INFINITY) {
                return None;
            }
            return Some(argmax(logits));
        }
        let by_logit = |a: &Candidate, b: &Candidate| b.logit.total_cmp(&a.logit).then(a.id.cmp(&b.id));
        if s.top_k > 0 && s.top_k <= candidates.len() {
            if s.top_k < candidates.len() {
                candidates.select_nth_unstable_by(s.top_k - 1, by_logit);
                candidates.truncate(s.top_k);
            }
            if s.top_k <= CANDIDATES_MAX {
                // The draw must not depend on how many others there were, or were left out.
                candidates.sort_unstable_by(by_logit);
            }
        }
        let total = if s.top_p < 1.0 {
            let weights = candidates.iter().map(|c| weight(c.logit));
            let (goal, goal_max) = match rest.filter(|_| s.min_p <= 0.0) {
                Some(rest) => {
                    let sum = self.with_changed(logits, s.temperature, rest.allowed);
                    let sum = (sum - f64::from(max) / f64::from(s.temperature)).exp();
                    let goal = |rounding: f64| (sum * (1.0 + rounding)) as f32 * s.top_p;
                    (goal(-SUM_ROUNDING), goal(SUM_ROUNDING))
                }
                None => {
                    // The sum of a whole vocabulary must not depend on its order: single precision would lose what is small.
                    let all = s.top_k == 0;
                    let sum = if all { weights.map(f64::from).sum::<f64>() as f32 } else { weights.sum() };
                    (sum * s.top_p, sum * s.top_p)
                }
            };
            // Sorting the whole vocabulary is the cost here: sort the head, and more only if it is too short.
            let mut sorted = 0;
            let mut head = 64;
            let (mut sum, mut keep) = (0.0, 0);
            while keep == 0 || (sum < goal && keep < candidates.len()) {
                if keep == sorted {
                    head = head.min(candidates.len() - sorted);
                    let rest = &mut candidates[sorted..];
                    if head < rest.len() {
                        rest.select_nth_unstable_by(head - 1, by_logit);
                    }
                    rest[..head].sort_unstable_by(by_logit);
                    sorted += head;
                    head *= 8;
                }
                sum += weight(candidates[keep].logit);
                keep += 1;
            }
            candidates.truncate(keep);
            // Whatever the sum of all is exactly, the same must be kept.
            if rest.is_some() && sum < goal_max {
                return None;
            }
            sum
        } else {
            candidates.iter().map(|c| weight(c.logit)).sum()
        };
        let mut left = unit(self.seed, self.position) * total;
        for candidate in candidates.iter() {
            left -= weight(candidate.logit);
            if left < 0.0 {
                return Some(candidate.id);
            }
        }
        // Rounding can leave a sliver: it belongs to the last token that has any weight.
        let last = candidates.iter().rev().find(|c| weight(c.logit) > 0.0);
        Some(last.map_or_else(|| argmax(logits), |c| c.id))
    }
}

/// The first of the largest logits.
pub fn argmax(logits: &[f32]) -> u32 {
    let max = largest(logits);
    logits.iter().position(|logit| *logit == max).unwrap_or(0) as u32
}

/// Whether a row has a largest logit and none that is no number. Others may be minus infinity, as where only the largest were
/// gathered.
pub(crate) fn is_sound(logits: &[f32]) -> bool {
    largest(logits).is_finite() && !logits.iter().fold(false, |bad, logit| bad | logit.is_nan())
}

/// The largest logit, in lanes so that it compiles to vector instructions: one chain of comparisons over a whole vocabulary
/// would take longer than a layer of a small model.
fn largest(logits: &[f32]) -> f32 {
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let (chunks, rest) = logits.as_chunks::<32>();
    let lanes = chunks.iter().fold([f32::NEG_INFINITY; 32], |mut lanes, chunk| {
        lanes.iter_mut().zip(chunk).for_each(|(lane, logit)| *lane = larger(*lane, *logit));
        lanes
    });
    lanes.iter().chain(rest).copied().fold(f32::NEG_INFINITY, larger)
}

/// `ln p(token)` under the plain softmax of `logits`.
pub fn logprob(logits: &[f32], token: u32) -> f32 {
    logits[token as usize] - log_sum_exp(logits)
}

/// The chosen token's log-probability and the `top` likeliest, where `total` is the log-sum-exp of all.
pub(crate) fn logprobs(
    logits: &[f32],
    token: u32,
    top: usize,
    total: f32,
    scratch: &mut Scratch,
) -> Logprobs {
    let candidates = &mut scratch.candidates;
    candidates.clear();
    candidates
        .extend(logits.iter().enumerate().map(|(id, logit)| Candidate { id: id as u32, logit: *logit }));
    let by_logit = |a: &Candidate, b: &Candidate| b.logit.total_cmp(&a.logit).then(a.id.cmp(&b.id));
    let top = top.min(candidates.len());
    if 0 < top && top < candidates.len() {
        candidates.select_nth_unstable_by(top - 1, by_logit);
    }
    candidates.truncate(top);
    candidates.sort_unstable_by(by_logit);
    Logprobs {
        chosen: logits[token as usize] - total,
        top: candidates.iter().map(|c| Logprob { id: c.id, logprob: c.logit - total }).collect(),
    }
}

fn log_sum_exp(logits: &[f32]) -> f32 {
    let max = largest(logits);
    let sum: f64 = logits.iter().map(|logit| f64::from((logit - max).exp())).sum();
    max + sum.ln() as f32
}

/// Set the logits of all tokens that are not in the mask to minus infinity.
fn forbid(logits: &mut [f32], mask: &[u32]) {
    let words = mask.iter().copied().chain(std::iter::repeat(0));
    for (logits, word) in logits.chunks_mut(32).zip(words) {
        match word {
            u32::MAX => {}
            0 => logits.fill(f32::NEG_INFINITY),
            word => {
                for (bit, logit) in logits.iter_mut().enumerate() {
                    if word >> bit & 1 == 0 {
                        *logit = f32::NEG_INFINITY;
                    }
                }
            }
        }
    }
}

/// Uniform in `[0, 1)`: the number at `position` of the stream that `seed` fixes on every machine. SplitMix64's, a small
/// and well-studied generator whose state is a counter, so that a stream can be taken up anywhere.
fn unit(seed: u64, position: u64) -> f32 {
    let mut z = seed.wrapping_add((position + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z >> 40) as f32 / (1u32 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each token comes in many draws.
    fn frequencies(sampling: Sampling, logits: &[f32]) -> Vec<f32> {
        let mut sampler = Sampler::new(Sampling { seed: Some(7), ..sampling }, &[], 0);
        let mut scratch = Scratch::default();
        let mut counts = vec![0.0; logits.len()];
        const DRAWS: usize = 20_000;
        for _ in 0..DRAWS {
            counts[sampler.pick(logits, None, &mut scratch).unwrap() as usize] += 1.0 / DRAWS as f32;
        }
        counts
    }

    fn check(sampling: Sampling, probabilities: &[f32], expected: &[f32]) {
        let logits: Vec<f32> = probabilities.iter().map(|p| p.ln()).collect();
        let found = frequencies(sampling, &logits);
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() < 0.02 && (*expected > 0.0 || *found == 0.0),
                "{found} {expected}"
            );
        }
    }

    #[test]
    fn draws_follow_the_distribution_and_its_cuts() {
        let p = [0.1, 0.4, 0.2, 0.3];
        let plain = Sampling { temperature: 1.0, ..Sampling::default() };
        check(plain.clone(), &p, &p);
        check(Sampling { temperature: 0.0, ..plain.clone() }, &p, &[0.0, 1.0, 0.0, 0.0]);
        check(Sampling { top_k: 2, ..plain.clone() }, &p, &[0.0, 4.0 / 7.0, 0.0, 3.0 / 7.0]);
        check(Sampling { top_p: 0.75, ..plain.clone() }, &p, &[0.0, 4.0 / 9.0, 2.0 / 9.0, 3.0 / 9.0]);
        check(Sampling { top_p: 0.0, ..plain.clone() }, &p, &[0.0, 1.0, 0.0, 0.0]);
        check(Sampling { min_p: 0.6, ..plain.clone() }, &p, &[0.0, 4.0 / 7.0, 0.0, 3.0 / 7.0]);
        let squared: Vec<f32> = p.iter().map(|p| p * p / 0.3).collect();
        check(Sampling { temperature: 0.5, ..plain }, &p, &squared);
    }

    #[test]
    fn top_p_works_beyond_the_first_sorted_run() {
        let logits = vec![0.0; 1000];
        let sampling = Sampling { temperature: 1.0, top_p: 0.5, ..Sampling::default() };
        let found = frequencies(sampling, &logits);
        assert_eq!(found.iter().filter(|f| **f > 0.0).count(), 500);
    }

    #[test]
    fn a_draw_among_k_does_not_depend_on_what_is_left_out() {
        let logits: Vec<f32> = (0..300).map(|i| (i as f32 * 0.7).sin() * 3.0).collect();
        let mut order: Vec<usize> = (0..300).collect();
        order.sort_by(|a, b| logits[*b].total_cmp(&logits[*a]));
        let mut few = vec![f32::NEG_INFINITY; 300];
        order[..20].iter().for_each(|id| few[*id] = logits[*id]);
        let sampling =
            Sampling { temperature: 1.0, top_k: 20, min_p: 0.2, seed: Some(3), ..Sampling::default() };
        let [mut whole, mut sparse] = [(); 2].map(|()| Sampler::new(sampling.clone(), &[], 0));
        let mut scratch = Scratch::default();
        for _ in 0..200 {
            assert_eq!(whole.pick(&logits, None, &mut scratch), sparse.pick(&few, None, &mut scratch));
        }
    }

    #[test]
    fn penalties_and_bias_change_the_choice() {
        let mut scratch = Scratch::default();
        let mut pick = |sampling: Sampling, prompt: &[u32], logits: &[f32], times: usize| {
            let mut sampler = Sampler::new(sampling, prompt, 0);
            (0..times).map(|_| sampler.pick(logits, None, &mut scratch).unwrap()).collect::<Vec<_>>()
        };
        let s = Sampling::default;
        assert_eq!(pick(Sampling { logit_bias: vec![(0, 5.0)], ..s() }, &[], &[1.0, 2.0], 1), [0]);
        assert_eq!(pick(Sampling { repetition_penalty: 3.0, ..s() }, &[1], &[1.0, 2.0], 1), [0]);
        assert_eq!(pick(Sampling { repetition_penalty: 3.0, ..s() }, &[1], &[-2.0, -1.0], 1), [0]);
        assert_eq!(pick(Sampling { presence_penalty: 0.5, ..s() }, &[1], &[1.7, 2.0], 4), [1, 0, 1, 1]);
        assert_eq!(pick(Sampling { frequency_penalty: 0.5, ..s() }, &[], &[1.7, 2.0], 4), [1, 0, 1, 0]);
    }

    #[test]
    fn the_same_seed_gives_the_same_stream() {
        let logits: Vec<f32> = (0..100).map(|i| (i as f32 * 0.7).sin()).collect();
        let stream = |seed| {
            let sampling = Sampling { temperature: 1.0, seed: Some(seed), ..Sampling::default() };
            let mut sampler = Sampler::new(sampling, &[], 0);
            let mut scratch = Scratch::default();
            (0..50).map(|_| sampler.pick(&logits, None, &mut scratch).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(stream(1), stream(1));
        assert_ne!(stream(1), stream(2));
    }

    #[test]
    fn a_resumed_sampler_goes_on_where_the_other_stopped() {
        let logits: Vec<f32> = (0..100).map(|i| (i as f32 * 0.7).sin()).collect();
        let sampling = Sampling {
            temperature: 1.0,
            repetition_penalty: 1.3,
            frequency_penalty: 0.4,
            seed: Some(5),
            ..Sampling::default()
        };
        let mut scratch = Scratch::default();
        let mut pick = |sampler: &mut Sampler, count: usize| {
            (0..count).map(|_| sampler.pick(&logits, None, &mut scratch).unwrap()).collect::<Vec<_>>()
        };
        let mut whole = Sampler::new(sampling.clone(), &[1, 2], 0);
        let (first, second) = (pick(&mut whole, 20), pick(&mut whole, 20));
        let mut resumed = Sampler::new(sampling, &[&[1, 2], &*first].concat(), 20);
        assert_eq!(pick(&mut resumed, 20), second);
    }

    #[test]
    fn only_allowed_tokens_are_picked() {
        let mut scratch = Scratch::default();
        let mask = [0, 0b1010];
        for logits in
            [vec![1.0; 70], vec![f32::NAN; 70], vec![f32::NEG_INFINITY; 70], vec![f32::INFINITY; 70]]
        {
            for temperature in [0.0, 1.0] {
                let sampling = Sampling { temperature, top_p: 0.9, min_p: 0.1, ..Sampling::default() };
                let mut sampler = Sampler::new(sampling, &[], 0);
                let token = sampler.pick(&logits, Some(&mask), &mut scratch).unwrap();
                assert!([33, 35].contains(&token), "{token}");
                assert_eq!(sampler.pick(&logits, Some(&[0]), &mut scratch), None);
            }
        }
    }

    #[test]
    fn logits_that_are_not_numbers_still_give_a_token() {
        let mut scratch = Scratch::default();
        for logits in [[f32::NAN; 4], [f32::NEG_INFINITY; 4], [f32::INFINITY; 4]] {
            let sampling = Sampling { temperature: 1.0, top_p: 0.9, top_k: 3, ..Sampling::default() };
            assert!(Sampler::new(sampling, &[], 0).pick(&logits, None, &mut scratch).unwrap() < 4);
        }
    }

    #[test]
    fn logprobs_are_a_distribution_in_falling_order() {
        let logits = [0.1f32.ln(), 0.6f32.ln(), 0.3f32.ln()];
        let found = logprobs(&logits, 0, 2, log_sum_exp(&logits), &mut Scratch::default());
        assert!((found.chosen - 0.1f32.ln()).abs() < 1e-5);
        assert_eq!(found.top.iter().map(|l| l.id).collect::<Vec<_>>(), [1, 2]);
        assert!((found.top[0].logprob - 0.6f32.ln()).abs() < 1e-5);
    }
}
