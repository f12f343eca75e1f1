//! Pre-tokenisation: cutting text into the words that are encoded one by one.

use crate::pattern::{Pattern, PatternError, Search};
use std::borrow::Cow;
use std::sync::OnceLock;

/// A series of cuts, each applied to the pieces of the one before.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    stages: Vec<Stage>,
}

#[derive(Debug)]
pub(crate) struct Stage {
    pattern: LazyPattern,
    behavior: Behavior,
    /// The pattern describes what is between the matches.
    invert: bool,
}

/// What becomes of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behavior {
    Isolated,
    Removed,
    MergedWithPrevious,
    MergedWithNext,
    Contiguous,
}

impl Stage {
    /// Compiled when first used. For patterns known to be good.
    pub(crate) fn isolated(pattern: &'static str) -> Stage {
        Stage {
            pattern: LazyPattern { source: Cow::Borrowed(pattern), compiled: OnceLock::new() },
            behavior: Behavior::Isolated,
            invert: false,
        }
    }

    pub(crate) fn new(pattern: &str, behavior: Behavior, invert: bool) -> Result<Stage, PatternError> {
        let compiled = OnceLock::from(Pattern::new(pattern)?);
        let pattern = LazyPattern { source: Cow::Owned(pattern.to_owned()), compiled };
        Ok(Stage { pattern, behavior, invert })
    }

    /// The pieces of `text`, empty ones left out.
    fn cut<'t>(&self, text: &'t str, search: &mut Search, emit: &mut dyn FnMut(&mut Search, &'t str)) {
        let pattern = self.pattern.get();
        if self.behavior == Behavior::Isolated {
            each_match(pattern, text, search, |search, _, start, end| {
                if end > start {
                    emit(search, &text[start..end]);
                }
            });
            return;
        }
        let mut cuts: Vec<(bool, usize, usize)> = Vec::new();
        each_match(pattern, text, search, |_, is_match, start, end| {
            cuts.push((is_match != self.invert, start, end))
        });
        let mut pieces: Vec<(bool, usize, usize)> = Vec::new();
        let mut previous_match = false;
        let backwards = self.behavior == Behavior::MergedWithNext;
        if backwards {
            cuts.reverse();
        }
        for (is_match, start, end) in cuts {
            let joins = match self.behavior {
                Behavior::Removed if is_match => continue,
                Behavior::Removed | Behavior::Isolated => false,
                Behavior::Contiguous => is_match == previous_match,
                Behavior::MergedWithPrevious | Behavior::MergedWithNext => is_match && !previous_match,
            };
            match pieces.last_mut() {
                Some(last) if joins && backwards => last.1 = start,
                Some(last) if joins => last.2 = end,
                _ => pieces.push((is_match, start, end)),
            }
            previous_match = is_match;
        }
        if backwards {
            pieces.reverse();
        }
        for (_, start, end) in pieces {
            if end > start {
                emit(search, &text[start..end]);
            }
        }
    }
}

impl Splitter {
    pub(crate) fn new(stages: Vec<Stage>) -> Splitter {
        Splitter { stages }
    }

    pub(crate) fn split<'t>(&self, text: &'t str, search: &mut Search, emit: &mut dyn FnMut(&'t str)) {
        split_by(&self.stages, text, search, emit);
    }
}

fn split_by<'t>(stages: &[Stage], text: &'t str, search: &mut Search, emit: &mut dyn FnMut(&'t str)) {
    match stages {
        [] => emit(text),
        [stage] => stage.cut(text, search, &mut |_, piece| emit(piece)),
        [stage, rest @ ..] => {
            stage.cut(text, search, &mut |search, piece| split_by(rest, piece, search, emit))
        }
    }
}

/// Calls `on_cut(search, is_match, start, end)` for every match and for every gap between them.
fn each_match(
    pattern: &Pattern,
    text: &str,
    search: &mut Search,
    mut on_cut: impl FnMut(&mut Search, bool, usize, usize),
) {
    let mut done = 0;
    let mut from = 0;
    while from <= text.len() {
        let Some((start, end)) = pattern.find(text, from, search) else { break };
        if start > done {
            on_cut(search, false, done, start);
        }
        on_cut(search, true, start, end);
        done = end;
        // An empty match only marks a place to cut; look for the next one a character further.
        from = if end > start { end } else { end + text[end..].chars().next().map_or(1, char::len_utf8) };
    }
    if done < text.len() {
        on_cut(search, false, done, text.len());
    }
}

#[derive(Debug)]
struct LazyPattern {
    source: Cow<'static, str>,
    compiled: OnceLock<Pattern>,
}

impl LazyPattern {
    fn get(&self) -> &Pattern {
        self.compiled.get_or_init(|| Pattern::new(&self.source).unwrap_or_else(|_| Pattern::nothing()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, behavior: Behavior, invert: bool, text: &str, expected: &[&str]) {
        let splitter = Splitter::new(vec![Stage::new(pattern, behavior, invert).unwrap()]);
        let mut pieces = Vec::new();
        splitter.split(text, &mut Search::default(), &mut |piece| pieces.push(piece));
        assert_eq!(pieces, expected, "{behavior:?}");
    }

    #[test]
    fn matches_stay_go_or_join() {
        let text = "the-final--countdown";
        check("-", Behavior::Removed, false, text, &["the", "final", "countdown"]);
        check("-", Behavior::Isolated, false, text, &["the", "-", "final", "-", "-", "countdown"]);
        check("-", Behavior::MergedWithPrevious, false, text, &["the-", "final-", "-", "countdown"]);
        check("-", Behavior::MergedWithNext, false, text, &["the", "-final", "-", "-countdown"]);
        check("-", Behavior::Contiguous, false, text, &["the", "-", "final", "--", "countdown"]);
        check("[a-z]+", Behavior::Removed, true, text, &["the", "final", "countdown"]);
        check(r"(?=(?:\d{3})+(?!\d))", Behavior::Isolated, false, "x1234567", &["x1", "234", "567"]);
    }
}
