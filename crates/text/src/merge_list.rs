//! A list of merges, from texts to ids.

use crate::bpe::{Merge, pair_key};
use crate::byte_level;
use crate::error::TokenizerWarning;
use crate::vocab::{TokenKind, Vocab};
use hashbrown::HashMap;

/// Looks up both sides of every merge and what they make. Those that name no tokens can never apply and are
/// left out, with a warning.
pub(crate) fn merge_list<'a>(
    vocab: &Vocab,
    byte_level: bool,
    merges: impl ExactSizeIterator<Item = (&'a [u8], &'a [u8])>,
    warnings: &mut Vec<TokenizerWarning>,
) -> HashMap<u64, Merge> {
    let mut pairs = HashMap::with_capacity(merges.len());
    let mut joined = Vec::new();
    let mut id_before = 0;
    let (mut ignored, mut first_ignored) = (0, None);
    for (rank, (left, right)) in merges.enumerate() {
        joined.clear();
        push_text(left, byte_level, &mut joined);
        let left_length = joined.len();
        push_text(right, byte_level, &mut joined);
        match resolve(vocab, &joined, left_length, id_before) {
            Some((left, right, id)) => {
                pairs.entry(pair_key(left, right)).or_insert(Merge { rank: rank as u32, id });
                id_before = id;
            }
            None => {
                ignored += 1;
                first_ignored.get_or_insert((left, right));
            }
        }
    }
    if let Some((left, right)) = first_ignored {
        let first = format!("{} {}", String::from_utf8_lossy(left), String::from_utf8_lossy(right));
        warnings.push(TokenizerWarning::MergesIgnored { count: ignored, first });
    }
    pairs
}

fn push_text(text: &[u8], byte_level: bool, joined: &mut Vec<u8>) {
    if byte_level {
        byte_level::decode_into(text, joined);
    } else {
        joined.extend_from_slice(text);
    }
}

fn resolve(vocab: &Vocab, joined: &[u8], left_length: usize, id_before: u32) -> Option<(u32, u32, u32)> {
    let left = vocab.find(&joined[..left_length])?;
    let right = vocab.find(&joined[left_length..])?;
    // Merges are mostly listed in the order of the tokens they make.
    let next = id_before + 1;
    let follows = vocab.kind(next) == TokenKind::Normal && vocab.text(next) == joined;
    let id = if follows { next } else { vocab.find(joined)? };
    Some((left, right, id))
}
