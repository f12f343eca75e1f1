//! Byte-pair encoding: join the best neighbouring pair until none is left.

use crate::vocab::Vocab;
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU8, Ordering};

/// No token: a character the vocabulary does not have.
pub(crate) const NO_ID: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct Bpe {
    pub(crate) merges: Merges,
    pub(crate) units: Units,
    /// A word that is a token stays one, whatever the merges say.
    pub(crate) ignore_merges: bool,
    pub(crate) unknown: Unknown,
    /// No token has `▁` after another character, so words can be cut before every `▁` that follows one.
    pub(crate) cut_at_meta: bool,
    /// For each token, whether its own text encodes to it: 0 not known yet, 1 yes, 2 no.
    whole: Vec<AtomicU8>,
}

/// Which pairs may be joined, and which first.
#[derive(Debug)]
pub(crate) enum Merges {
    /// Listed pairs, in the list's order.
    Pairs(HashMap<u64, Merge>),
    /// Any pair whose text is a token, the highest score first.
    Scores(Vec<f32>),
    /// Any pair whose text is a token, the lowest id first: vocabularies published without their merges.
    VocabOrder,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Merge {
    pub(crate) rank: u32,
    pub(crate) id: u32,
}

pub(crate) fn pair_key(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// What a word is cut into before merging.
#[derive(Debug)]
pub(crate) enum Units {
    Bytes(Box<[u32; 256]>),
    Chars,
}

/// What stands for a character that is no token.
#[derive(Debug)]
pub(crate) struct Unknown {
    /// The tokens for single bytes, where the vocabulary has them all.
    pub(crate) bytes: Option<Box<[u32; 256]>>,
    pub(crate) id: Option<u32>,
    /// A run of unknown characters is one unknown token.
    pub(crate) fuse: bool,
}

/// Beyond this many units a heap finds the best pair faster than looking at all of them.
const UNITS_SHORT: usize = 64;

impl Bpe {
    pub(crate) fn new(
        vocab: &Vocab,
        merges: Merges,
        units: Units,
        ignore_merges: bool,
        unknown: Unknown,
    ) -> Bpe {
        let cut_at_meta = matches!(units, Units::Chars)
            && (0..vocab.len() as u32).all(|id| !has_meta_inside(vocab.text(id)));
        let whole = std::iter::repeat_with(|| AtomicU8::new(0)).take(vocab.len()).collect();
        Bpe { merges, units, ignore_merges, unknown, cut_at_meta, whole }
    }

    pub(crate) fn encode(&self, vocab: &Vocab, word: &str, scratch: &mut Scratch, ids: &mut Vec<u32>) {
        if !self.cut_at_meta {
            return self.encode_word(vocab, word, scratch, ids);
        }
        let mut rest = word;
        while let Some(cut) = end_of_meta_word(rest) {
            self.encode_word(vocab, &rest[..cut], scratch, ids);
            rest = &rest[cut..];
        }
        self.encode_word(vocab, rest, scratch, ids);
    }

    fn encode_word(&self, vocab: &Vocab, word: &str, scratch: &mut Scratch, ids: &mut Vec<u32>) {
        let whole = vocab.find(word.as_bytes());
        let known = whole.map_or(2, |id| self.whole[id as usize].load(Ordering::Relaxed));
        if let Some(id) = whole
            && (self.ignore_merges || known == 1)
        {
            ids.push(id);
            return;
        }
        let before = ids.len();
        self.merge_word(vocab, word, scratch, ids);
        if let Some(id) = whole
            && known == 0
        {
            let same = ids[before..] == [id];
            self.whole[id as usize].store(if same { 1 } else { 2 }, Ordering::Relaxed);
        }
    }

    fn merge_word(&self, vocab: &Vocab, word: &str, scratch: &mut Scratch, ids: &mut Vec<u32>) {
        self.cut(vocab, word, &mut scratch.parts);
        if scratch.parts.len() <= UNITS_SHORT {
            self.merge_short(vocab, word.as_bytes(), &mut scratch.parts);
            for part in &scratch.parts {
                self.output(part, word.as_bytes(), ids);
            }
        } else {
            self.merge_long(vocab, word.as_bytes(), scratch);
            let mut at = 0;
            while at != END {
                self.output(&scratch.parts[at], word.as_bytes(), ids);
                at = scratch.links[at].next;
            }
        }
    }

    /// Fills `parts` with the smallest units of `word`.
    fn cut(&self, vocab: &Vocab, word: &str, parts: &mut Vec<Part>) {
        parts.clear();
        match &self.units {
            Units::Bytes(bytes) => {
                parts.extend(
                    word.bytes().enumerate().map(|(start, byte)| Part::new(start, 1, bytes[byte as usize])),
                );
            }
            Units::Chars => {
                for (start, c) in word.char_indices() {
                    let mut text = [0; 4];
                    let id = vocab.find(c.encode_utf8(&mut text).as_bytes()).unwrap_or(NO_ID);
                    match parts.last_mut() {
                        Some(last) if id == NO_ID && last.id == NO_ID && self.fuses_unknown() => {
                            last.length += c.len_utf8();
                        }
                        _ => parts.push(Part::new(start, c.len_utf8(), id)),
                    }
                }
            }
        }
    }

    fn fuses_unknown(&self) -> bool {
        self.unknown.fuse && self.unknown.bytes.is_none()
    }

    #[inline]
    fn output(&self, part: &Part, word: &[u8], ids: &mut Vec<u32>) {
        if part.id != NO_ID {
            ids.push(part.id);
        } else if let Some(bytes) = &self.unknown.bytes {
            ids.extend(word[part.start..part.start + part.length].iter().map(|&byte| bytes[byte as usize]));
        } else if let Some(id) = self.unknown.id {
            ids.push(id);
        }
    }

    /// The order (smaller first) and the token of joining two neighbours.
    #[inline]
    fn join(&self, vocab: &Vocab, word: &[u8], left: &Part, right: &Part) -> Option<Merge> {
        let text = || &word[left.start..right.start + right.length];
        match &self.merges {
            Merges::Pairs(pairs) => pairs.get(&pair_key(left.id, right.id)).copied(),
            Merges::Scores(scores) => {
                let id = vocab.find(text())?;
                Some(Merge { rank: descending(scores[id as usize]), id })
            }
            Merges::VocabOrder => vocab.find(text()).map(|id| Merge { rank: id, id }),
        }
    }

    /// Joins the best pair by looking at all of them each time: quadratic, and fastest for words.
    fn merge_short(&self, vocab: &Vocab, word: &[u8], parts: &mut Vec<Part>) {
        for i in 1..parts.len() {
            parts[i - 1].join = self.join(vocab, word, &parts[i - 1], &parts[i]);
        }
        loop {
            let mut best: Option<(usize, Merge)> = None;
            for (i, part) in parts.iter().enumerate() {
                if let Some(merge) = part.join
                    && best.is_none_or(|(_, best)| merge.rank < best.rank)
                {
                    best = Some((i, merge));
                }
            }
            let Some((i, merge)) = best else { return };
            parts[i].length += parts[i + 1].length;
            parts[i].id = merge.id;
            parts.remove(i + 1);
            parts[i].join = match parts.get(i + 1) {
                Some(next) => self.join(vocab, word, &parts[i], next),
                None => None,
            };
            if i > 0 {
                parts[i - 1].join = self.join(vocab, word, &parts[i - 1], &parts[i]);
            }
        }
    }

    /// The same by a heap of candidate pairs and a linked list of parts: n log n for words of any length.
    fn merge_long(&self, vocab: &Vocab, word: &[u8], scratch: &mut Scratch) {
        let Scratch { parts, links, heap } = scratch;
        let count = parts.len();
        links.clear();
        links.extend((0..count).map(|i| Link {
            previous: if i == 0 { END } else { i - 1 },
            next: if i + 1 == count { END } else { i + 1 },
        }));
        heap.clear();
        let candidate = |parts: &[Part], left: usize, right: usize| {
            let merge = self.join(vocab, word, &parts[left], &parts[right])?;
            let length = parts[left].length + parts[right].length;
            Some(Reverse(Candidate { rank: merge.rank, left, right, length, id: merge.id }))
        };
        heap.extend((1..count).filter_map(|i| candidate(parts, i - 1, i)));
        while let Some(Reverse(best)) = heap.pop() {
            let (left, right) = (best.left, best.right);
            // Stale: one of the two has been joined to something else since.
            let live = parts[left].length > 0 && parts[right].length > 0 && links[left].next == right;
            if !live || parts[left].length + parts[right].length != best.length {
                continue;
            }
            parts[left].length = best.length;
            parts[left].id = best.id;
            parts[right].length = 0;
            let next = links[right].next;
            links[left].next = next;
            if next != END {
                links[next].previous = left;
                heap.extend(candidate(parts, left, next));
            }
            let previous = links[left].previous;
            if previous != END {
                heap.extend(candidate(parts, previous, left));
            }
        }
    }
}

/// Working memory, reused from word to word.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    parts: Vec<Part>,
    links: Vec<Link>,
    heap: BinaryHeap<Reverse<Candidate>>,
}

/// A piece of the word: its place, its token, and what joining it with the next would give.
#[derive(Clone, Copy, Debug)]
struct Part {
    start: usize,
    length: usize,
    id: u32,
    join: Option<Merge>,
}

impl Part {
    fn new(start: usize, length: usize, id: u32) -> Part {
        Part { start, length, id, join: None }
    }
}

#[derive(Debug)]
struct Link {
    previous: usize,
    next: usize,
}

const END: usize = usize::MAX;

/// Ordered by rank, then from left to right.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    rank: u32,
    left: usize,
    right: usize,
    length: usize,
    id: u32,
}

/// Maps scores to integers such that higher scores come first.
fn descending(score: f32) -> u32 {
    let bits = score.to_bits();
    let ascending = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    !ascending
}

/// SentencePiece's visible space.
pub(crate) const META: char = '▁';
pub(crate) const META_UTF8: &[u8] = "▁".as_bytes();

fn has_meta_inside(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(after) = rest.strip_prefix(META_UTF8) {
        rest = after;
    }
    rest.windows(META_UTF8.len()).any(|window| window == META_UTF8)
}

/// Where the word that begins `text` ends: before the first `▁` that follows another character.
fn end_of_meta_word(text: &str) -> Option<usize> {
    let word = text.trim_start_matches(META);
    word.find(META).map(|length| text.len() - word.len() + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_sort_descending() {
        let mut scores = [-1.5f32, 0.0, 2.0, -0.25, f32::NEG_INFINITY];
        scores.sort_by_key(|&score| descending(score));
        assert_eq!(scores, [2.0, 0.0, -0.25, -1.5, f32::NEG_INFINITY]);
    }
}
