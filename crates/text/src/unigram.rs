//! The unigram model: of all ways to cut a word into tokens, the most probable one.

use crate::vocab::Vocab;

#[derive(Debug)]
pub(crate) struct Unigram {
    scores: Vec<f64>,
    unknown: u32,
    unknown_score: f64,
    bytes: Option<Box<[u32; 256]>>,
}

/// How much less probable than the rarest token an unknown character is.
const UNKNOWN_PENALTY: f64 = 10.0;

/// The best way to reach a position: over which token from where.
#[derive(Clone, Copy)]
struct Step {
    score: f64,
    start: usize,
    id: u32,
}

impl Unigram {
    pub(crate) fn new(scores: Vec<f64>, unknown: u32, bytes: Option<Box<[u32; 256]>>) -> Unigram {
        let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
        Unigram { scores, unknown, unknown_score: lowest - UNKNOWN_PENALTY, bytes }
    }

    pub(crate) fn encode(&self, vocab: &Vocab, word: &str, ids: &mut Vec<u32>) {
        let mut best: Vec<Option<Step>> = vec![None; word.len() + 1];
        for (start, c) in word.char_indices() {
            let before = if start == 0 { 0.0 } else { best[start].map_or(0.0, |step| step.score) };
            let mut single = false;
            let ends = word[start..].char_indices().map(|(at, c)| start + at + c.len_utf8());
            for end in ends.take_while(|end| end - start <= vocab.length_max()) {
                let Some(id) = vocab.find(&word.as_bytes()[start..end]) else { continue };
                offer(&mut best[end], Step { score: before + self.scores[id as usize], start, id });
                single |= end - start == c.len_utf8();
            }
            if !single {
                let score = before + self.unknown_score;
                offer(&mut best[start + c.len_utf8()], Step { score, start, id: self.unknown });
            }
        }
        let mut path = Vec::new();
        let mut end = word.len();
        while let Some(step) = best[end] {
            path.push((step, end));
            end = step.start;
        }
        self.output(word, path.into_iter().rev(), ids);
    }

    /// A run of unknown characters is one unknown token, or the tokens of its bytes.
    fn output(&self, word: &str, path: impl Iterator<Item = (Step, usize)>, ids: &mut Vec<u32>) {
        let mut in_unknown = false;
        for (step, end) in path {
            if step.id != self.unknown {
                ids.push(step.id);
            } else if let Some(bytes) = &self.bytes {
                ids.extend(word.as_bytes()[step.start..end].iter().map(|&byte| bytes[byte as usize]));
            } else if !in_unknown {
                ids.push(self.unknown);
            }
            in_unknown = step.id == self.unknown;
        }
    }
}

fn offer(place: &mut Option<Step>, step: Step) {
    if place.is_none_or(|best| step.score > best.score) {
        *place = Some(step);
    }
}
