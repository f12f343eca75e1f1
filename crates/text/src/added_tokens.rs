//! Tokens that are cut out of the text before it is tokenised.

use aho_corasick::{AhoCorasick, MatchKind};
use std::ops::Range;

#[derive(Clone, Debug)]
pub(crate) struct AddedToken {
    pub(crate) id: u32,
    pub(crate) text: String,
    /// Matches only where no letter or digit touches it.
    pub(crate) single_word: bool,
    /// Takes the white space before it along.
    pub(crate) lstrip: bool,
    /// Takes the white space after it along.
    pub(crate) rstrip: bool,
}

impl AddedToken {
    pub(crate) fn new(id: u32, text: String) -> AddedToken {
        AddedToken { id, text, single_word: false, lstrip: false, rstrip: false }
    }
}

/// A piece of text that is still to be tokenised, or a token that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fragment {
    Text(Range<usize>),
    Token(u32),
}

/// Finds the tokens of one group in a text: the leftmost, of those that start there the longest.
#[derive(Debug, Default)]
pub(crate) struct AddedTokens {
    tokens: Vec<AddedToken>,
    automaton: Option<AhoCorasick>,
}

impl AddedTokens {
    pub(crate) fn new(tokens: Vec<AddedToken>) -> AddedTokens {
        let tokens: Vec<AddedToken> = tokens.into_iter().filter(|token| !token.text.is_empty()).collect();
        let texts = tokens.iter().map(|token| token.text.as_bytes());
        let automaton = if tokens.is_empty() {
            None
        } else {
            // Fails only beyond 2³¹ states; tokens are far fewer.
            AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(texts).ok()
        };
        AddedTokens { tokens, automaton }
    }

    pub(crate) fn tokens(&self) -> &[AddedToken] {
        &self.tokens
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Cuts `text[range]` into fragments.
    pub(crate) fn cut(&self, text: &str, range: Range<usize>, fragments: &mut Vec<Fragment>) {
        let mut done = range.start;
        if let Some(automaton) = &self.automaton {
            for found in automaton.find_iter(&text[range.clone()]) {
                let token = &self.tokens[found.pattern().as_usize()];
                let (mut start, mut end) = (range.start + found.start(), range.start + found.end());
                // A neighbour that strips may have taken the beginning already.
                if start < done || token.single_word && !stands_alone(text, start, end) {
                    continue;
                }
                if token.lstrip {
                    start = done + text[done..start].trim_end().len();
                }
                if token.rstrip {
                    end = range.end - text[end..range.end].trim_start().len();
                }
                push_text(done..start, fragments);
                fragments.push(Fragment::Token(token.id));
                done = end;
            }
        }
        push_text(done..range.end, fragments);
    }
}

fn push_text(range: Range<usize>, fragments: &mut Vec<Fragment>) {
    if !range.is_empty() {
        fragments.push(Fragment::Text(range));
    }
}

fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    !text[..start].chars().next_back().is_some_and(is_word)
        && !text[end..].chars().next().is_some_and(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(tokens: Vec<AddedToken>, text: &str) -> Vec<String> {
        let mut fragments = Vec::new();
        AddedTokens::new(tokens).cut(text, 0..text.len(), &mut fragments);
        let show = |fragment: &Fragment| match fragment {
            Fragment::Text(range) => text[range.clone()].to_owned(),
            Fragment::Token(id) => format!("#{id}"),
        };
        fragments.iter().map(show).collect()
    }

    #[test]
    fn cuts_tokens_out() {
        let plain = |id, text: &str| AddedToken::new(id, text.into());
        assert_eq!(cut(vec![plain(1, "<a>"), plain(2, "<a><b>")], "x<a><b><a>y"), ["x", "#2", "#1", "y"]);
        let strips = AddedToken { lstrip: true, rstrip: true, ..plain(1, "<m>") };
        assert_eq!(cut(vec![strips], "a <m>  b"), ["a", "#1", "b"]);
        let word = AddedToken { single_word: true, ..plain(1, "is") };
        assert_eq!(cut(vec![word], "this is it"), ["this ", "#1", " it"]);
        assert_eq!(cut(vec![plain(1, "")], "ab"), ["ab"]);
    }
}
