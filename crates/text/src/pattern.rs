//! The regular expressions that pre-tokenisers are written in, and a matcher made for them.
//!
//! Tokenizers are published with patterns in Oniguruma's dialect: Unicode classes, class intersection, look-ahead and
//! possessive quantifiers. Engines that take all of it compile for milliseconds, which counts as start-up; engines
//! that are fast refuse look-ahead. These patterns are small and match a few characters at a time, so a plain
//! backtracking matcher over character sets is both quick to build and quick to run.
//!
//! Backtracking alone could be driven into quadratic or exponential time by text or by a hostile pattern. A search that
//! takes too many steps therefore starts over remembering every (instruction, position) that failed, which
//! bounds it by the product of the two.

use crate::char_set::CharSet;
use crate::pattern_parser::{Node, Quantifier, parse};
use hashbrown::HashSet;

/// A compiled pattern. Cheap to share; all mutable state is in [`Search`].
#[derive(Debug)]
pub(crate) struct Pattern {
    ops: Vec<Op>,
    sets: Vec<CharSet>,
    alternatives: Vec<Alternative>,
    /// ASCII characters at which no alternative can start: a search steps over them.
    skip_ascii: u128,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("pattern {pattern:?}: {why}")]
pub struct PatternError {
    pub pattern: String,
    pub why: String,
}

/// One branch of the outermost alternation, with the characters it can start with.
#[derive(Debug)]
struct Alternative {
    start: usize,
    first: First,
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Set(usize),
    /// Any number of characters of a set.
    Star {
        set: usize,
        greedy: bool,
        possessive: bool,
    },
    /// Try the next instruction first, this one if that fails (the other way round when lazy).
    Split {
        other: usize,
        greedy: bool,
    },
    Jump(usize),
    /// Runs the body that follows up to its `Match`, then goes on at `end` from the same place.
    Look {
        negate: bool,
        end: usize,
    },
    LookBehind {
        set: usize,
        negate: bool,
    },
    /// Runs the body that follows and keeps only its first way of matching.
    Atomic {
        end: usize,
    },
    LineStart,
    LineEnd,
    TextStart,
    TextEnd,
    WordBoundary {
        negate: bool,
    },
    Match,
}

/// Matches longer than this many instructions would cost more than they can be worth.
const OPS_MAX: usize = 20_000;
/// After this many steps without a match a search begins to remember what failed.
const CARELESS_STEPS_MAX: usize = 32_768;

impl Pattern {
    pub(crate) fn new(pattern: &str) -> Result<Pattern, PatternError> {
        let fail = |why: String| PatternError { pattern: pattern.chars().take(200).collect(), why };
        let parsed = parse(pattern).map_err(fail)?;
        let mut compiler = Compiler { ops: Vec::new(), sets: parsed.sets, emitted: 0 };
        let mut alternatives = Vec::new();
        let mut can_start = First::NONE;
        let branches = match parsed.root {
            Node::Alternation(branches) => branches,
            other => vec![other],
        };
        for branch in &branches {
            let start = compiler.ops.len();
            compiler.emit(branch).map_err(fail)?;
            compiler.ops.push(Op::Match);
            let (mut first, nullable) = compiler.first(branch);
            if nullable {
                first = First::ALL;
            }
            can_start = can_start.or(first);
            alternatives.push(Alternative { start, first });
        }
        Ok(Pattern { ops: compiler.ops, sets: compiler.sets, alternatives, skip_ascii: !can_start.ascii })
    }

    /// Matches nowhere.
    pub(crate) fn nothing() -> Pattern {
        Pattern { ops: Vec::new(), sets: Vec::new(), alternatives: Vec::new(), skip_ascii: u128::MAX }
    }

    /// The first match at or after `from`, as a byte range of `text`.
    #[inline]
    pub(crate) fn find(&self, text: &str, from: usize, search: &mut Search) -> Option<(usize, usize)> {
        search.steps = 0;
        search.failed = None;
        let bytes = text.as_bytes();
        let mut at = from;
        loop {
            while at < bytes.len() && bytes[at] < 128 && self.skip_ascii >> bytes[at] & 1 == 1 {
                at += 1;
            }
            if let Some(end) = self.match_at(text, at, search) {
                return Some((at, end));
            }
            if at >= bytes.len() {
                return None;
            }
            at += char_at(text, at).map_or(1, char::len_utf8);
        }
    }

    fn match_at(&self, text: &str, at: usize, search: &mut Search) -> Option<usize> {
        let first_byte = text.as_bytes().get(at).copied();
        for alternative in &self.alternatives {
            if !alternative.first.admits(first_byte) {
                continue;
            }
            match self.run(alternative.start, text, at, search) {
                Outcome::Matched(end) => return Some(end),
                Outcome::Failed => {}
                Outcome::TooManySteps => {
                    search.failed = Some(HashSet::new());
                    if let Outcome::Matched(end) = self.run(alternative.start, text, at, search) {
                        return Some(end);
                    }
                }
            }
        }
        None
    }

    /// Runs from instruction `pc` at byte `at` until a `Match`.
    fn run(&self, pc: usize, text: &str, at: usize, search: &mut Search) -> Outcome {
        let base = search.stack.len();
        let outcome = self.run_from(pc, text, at, base, search);
        search.stack.truncate(base);
        outcome
    }

    fn run_from(
        &self,
        mut pc: usize,
        text: &str,
        mut at: usize,
        base: usize,
        search: &mut Search,
    ) -> Outcome {
        loop {
            search.steps += 1;
            if search.steps > CARELESS_STEPS_MAX && search.failed.is_none() {
                return Outcome::TooManySteps;
            }
            // A state seen before without reaching `Match` cannot reach it now either.
            let seen = match &mut search.failed {
                Some(failed) => !failed.insert((pc, at)),
                None => false,
            };
            let next = if seen { None } else { self.step(pc, text, at, search) };
            match next {
                Some(Next::Go(next_pc, next_at)) => (pc, at) = (next_pc, next_at),
                Some(Next::Matched) => return Outcome::Matched(at),
                Some(Next::TooManySteps) => return Outcome::TooManySteps,
                None => {
                    if search.stack.len() == base {
                        return Outcome::Failed;
                    }
                    let Some(frame) = search.stack.last_mut() else { return Outcome::Failed };
                    (pc, at) = (frame.pc, frame.at);
                    if frame.at > frame.at_min {
                        frame.at = char_before(text, frame.at);
                    } else {
                        search.stack.pop();
                    }
                }
            }
        }
    }

    /// One instruction; `None` when it does not match here.
    #[inline]
    fn step(&self, pc: usize, text: &str, at: usize, search: &mut Search) -> Option<Next> {
        let go = |pc, at| Some(Next::Go(pc, at));
        let holds = |condition: bool| condition.then_some(Next::Go(pc + 1, at));
        match self.ops[pc] {
            Op::Set(set) => {
                let c = char_at(text, at)?;
                if self.sets[set].contains(c) { go(pc + 1, at + c.len_utf8()) } else { None }
            }
            Op::Star { set, greedy: true, possessive } if possessive || search.failed.is_none() => {
                let set = &self.sets[set];
                let mut end = at;
                while let Some(c) = char_at(text, end)
                    && set.contains(c)
                {
                    end += c.len_utf8();
                }
                if end > at && !possessive {
                    search.stack.push(Frame { pc: pc + 1, at: char_before(text, end), at_min: at });
                }
                go(pc + 1, end)
            }
            // Character by character, so that every position is a state that can be remembered.
            Op::Star { set, greedy, .. } => {
                let more = char_at(text, at).filter(|&c| self.sets[set].contains(c));
                let Some(c) = more else { return go(pc + 1, at) };
                let (again, on) = ((pc, at + c.len_utf8()), (pc + 1, at));
                let (first, later) = if greedy { (again, on) } else { (on, again) };
                search.stack.push(Frame { pc: later.0, at: later.1, at_min: later.1 });
                go(first.0, first.1)
            }
            Op::Split { other, greedy } => {
                let (first, later) = if greedy { (pc + 1, other) } else { (other, pc + 1) };
                search.stack.push(Frame { pc: later, at, at_min: at });
                go(first, at)
            }
            Op::Jump(to) => go(to, at),
            Op::Look { negate, end } => match self.run_body(pc + 1, text, at, search) {
                Outcome::Matched(_) => (!negate).then_some(Next::Go(end, at)),
                Outcome::Failed => negate.then_some(Next::Go(end, at)),
                Outcome::TooManySteps => Some(Next::TooManySteps),
            },
            Op::Atomic { end } => match self.run_body(pc + 1, text, at, search) {
                Outcome::Matched(at) => go(end, at),
                Outcome::Failed => None,
                Outcome::TooManySteps => Some(Next::TooManySteps),
            },
            Op::LookBehind { set, negate } => {
                let before = at > 0
                    && char_at(text, char_before(text, at)).is_some_and(|c| self.sets[set].contains(c));
                holds(before != negate)
            }
            Op::LineStart => holds(at == 0 || text.as_bytes()[at - 1] == b'\n'),
            Op::LineEnd => holds(at == text.len() || text.as_bytes()[at] == b'\n'),
            Op::TextStart => holds(at == 0),
            Op::TextEnd => holds(at == text.len()),
            Op::WordBoundary { negate } => {
                let before = at > 0 && char_at(text, char_before(text, at)).is_some_and(is_word);
                let after = char_at(text, at).is_some_and(is_word);
                holds((before != after) != negate)
            }
            Op::Match => Some(Next::Matched),
        }
    }

    /// A look-around or atomic body remembers its own failures: what it matched is no failure of the whole.
    fn run_body(&self, pc: usize, text: &str, at: usize, search: &mut Search) -> Outcome {
        let outer = search.failed.take();
        if outer.is_some() {
            search.failed = Some(HashSet::new());
        }
        let outcome = self.run(pc, text, at, search);
        search.failed = outer;
        outcome
    }
}

/// The working memory of a search, reused from one to the next.
#[derive(Debug, Default)]
pub(crate) struct Search {
    stack: Vec<Frame>,
    steps: usize,
    failed: Option<HashSet<(usize, usize)>>,
}

/// A choice to come back to: continue at `pc` from `at`, then from each earlier character down to `at_min`.
#[derive(Debug)]
struct Frame {
    pc: usize,
    at: usize,
    at_min: usize,
}

enum Next {
    Go(usize, usize),
    Matched,
    TooManySteps,
}

enum Outcome {
    Matched(usize),
    Failed,
    TooManySteps,
}

/// What a branch can start with.
#[derive(Clone, Copy, Debug)]
struct First {
    ascii: u128,
    wide: bool,
    /// Can it match at the end of the text?
    end: bool,
}

impl First {
    const NONE: First = First { ascii: 0, wide: false, end: false };
    const ALL: First = First { ascii: u128::MAX, wide: true, end: true };

    fn or(self, other: First) -> First {
        First { ascii: self.ascii | other.ascii, wide: self.wide | other.wide, end: self.end | other.end }
    }

    #[inline]
    fn admits(&self, byte: Option<u8>) -> bool {
        match byte {
            Some(byte) if byte < 128 => self.ascii >> byte & 1 == 1,
            Some(_) => self.wide,
            None => self.end,
        }
    }
}

struct Compiler {
    ops: Vec<Op>,
    sets: Vec<CharSet>,
    /// Nodes visited, repetitions counted each time: empty ones cost time too.
    emitted: usize,
}

impl Compiler {
    fn emit(&mut self, node: &Node) -> Result<(), String> {
        self.emitted += 1;
        if self.emitted > OPS_MAX {
            return Err(format!("it expands to more than {OPS_MAX} instructions"));
        }
        match node {
            Node::Empty => {}
            Node::Set(set) => self.ops.push(Op::Set(*set)),
            Node::LineStart => self.ops.push(Op::LineStart),
            Node::LineEnd => self.ops.push(Op::LineEnd),
            Node::TextStart => self.ops.push(Op::TextStart),
            Node::TextEnd => self.ops.push(Op::TextEnd),
            Node::WordBoundary { negate } => self.ops.push(Op::WordBoundary { negate: *negate }),
            Node::LookBehind { set, negate } => self.ops.push(Op::LookBehind { set: *set, negate: *negate }),
            Node::Concat(nodes) => nodes.iter().try_for_each(|node| self.emit(node))?,
            Node::LookAhead { negate, body } => {
                self.emit_body(body, |end| Op::Look { negate: *negate, end })?;
            }
            Node::Atomic(body) => self.emit_body(body, |end| Op::Atomic { end })?,
            Node::Alternation(branches) => self.emit_branches(branches)?,
            Node::Repeat { body, quantifier } => self.emit_repeat(body, *quantifier)?,
        }
        Ok(())
    }

    fn emit_body(&mut self, body: &Node, op: impl Fn(usize) -> Op) -> Result<(), String> {
        let at = self.ops.len();
        self.ops.push(Op::Match);
        self.emit(body)?;
        self.ops.push(Op::Match);
        self.ops[at] = op(self.ops.len());
        Ok(())
    }

    fn emit_branches(&mut self, branches: &[Node]) -> Result<(), String> {
        let mut jumps = Vec::new();
        for (i, branch) in branches.iter().enumerate() {
            let split = self.ops.len();
            let last = i + 1 == branches.len();
            if !last {
                self.ops.push(Op::Match);
            }
            self.emit(branch)?;
            if !last {
                jumps.push(self.ops.len());
                self.ops.push(Op::Match);
                self.ops[split] = Op::Split { other: self.ops.len(), greedy: true };
            }
        }
        for jump in jumps {
            self.ops[jump] = Op::Jump(self.ops.len());
        }
        Ok(())
    }

    fn emit_repeat(&mut self, body: &Node, quantifier: Quantifier) -> Result<(), String> {
        let Quantifier { min, max, greedy, possessive } = quantifier;
        if possessive && !matches!((body, max), (Node::Set(_), None)) {
            let plain = Quantifier { possessive: false, ..quantifier };
            let repeat = Node::Repeat { body: Box::new(body.clone()), quantifier: plain };
            return self.emit_body(&repeat, |end| Op::Atomic { end });
        }
        for _ in 0..min {
            self.emit(body)?;
        }
        match (max, body) {
            (None, Node::Set(set)) => self.ops.push(Op::Star { set: *set, greedy, possessive }),
            (None, _) if self.first(body).1 => {
                return Err(
                    "a repetition without bound of something that can be empty is not supported".into()
                );
            }
            (None, _) => {
                let split = self.ops.len();
                self.ops.push(Op::Match);
                self.emit(body)?;
                self.ops.push(Op::Jump(split));
                self.ops[split] = Op::Split { other: self.ops.len(), greedy };
            }
            (Some(max), _) => {
                let mut splits = Vec::new();
                for _ in min..max {
                    splits.push(self.ops.len());
                    self.ops.push(Op::Match);
                    self.emit(body)?;
                }
                for split in splits {
                    self.ops[split] = Op::Split { other: self.ops.len(), greedy };
                }
            }
        }
        Ok(())
    }

    /// The characters a node can start with, and whether it can match nothing at all.
    fn first(&self, node: &Node) -> (First, bool) {
        match node {
            Node::Set(set) => {
                let set = &self.sets[*set];
                (First { ascii: set.ascii(), wide: set.has_wide(), end: false }, false)
            }
            Node::Concat(nodes) => {
                let mut first = First::NONE;
                for node in nodes {
                    let (more, nullable) = self.first(node);
                    first = first.or(more);
                    if !nullable {
                        return (first, false);
                    }
                }
                (first, true)
            }
            Node::Alternation(branches) => {
                branches.iter().fold((First::NONE, false), |(first, nullable), branch| {
                    let (more, empty) = self.first(branch);
                    (first.or(more), nullable | empty)
                })
            }
            Node::Repeat { body, quantifier } => {
                let (first, nullable) = self.first(body);
                (first, nullable || quantifier.min == 0)
            }
            Node::Atomic(body) => self.first(body),
            _ => (First::NONE, true),
        }
    }
}

#[inline]
fn char_at(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at) {
        Some(&byte) if byte < 128 => Some(byte as char),
        _ => text.get(at..)?.chars().next(),
    }
}

#[inline]
fn char_before(text: &str, mut at: usize) -> usize {
    at -= 1;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<'t>(pattern: &str, text: &'t str) -> Vec<&'t str> {
        let pattern = Pattern::new(pattern).unwrap();
        let mut search = Search::default();
        let mut found = Vec::new();
        let mut at = 0;
        while let Some((start, end)) = pattern.find(text, at, &mut search) {
            found.push(&text[start..end]);
            at = if end > start { end } else { end + 1 };
            if at > text.len() {
                break;
            }
        }
        found
    }

    #[track_caller]
    fn check(pattern: &str, text: &str, expected: &[&str]) {
        assert_eq!(pieces(pattern, text), expected, "{pattern} on {text:?}");
    }

    #[test]
    fn matches_like_a_backtracking_engine() {
        check(r"a|ab", "abab", &["a", "a"]);
        check(r"\s+(?!\S)|\s+", "a   b  ", &["  ", " ", "  "]);
        check(r"(?i:'s|'LL)", "It's he'lL", &["'s", "'lL"]);
        check(r"\p{N}{1,3}", "12345", &["123", "45"]);
        check(r"x+?y|x*", "xxy", &["xxy", ""]);
        check(r"[a-z&&[^m-p]]+", "almost", &["al", "st"]);
        check(r"a++a|b", "aaab", &["b"]);
        check(r"(?>a|ab)c|b", "abc", &["b"]);
        check(r"(?<!\S)b", "b ab b", &["b", "b"]);
        check(r"\d{1,3}(?=(?:\d{3})*\b)", "1234567", &["1", "234", "567"]);
        check(r"(?:ab|c){2}", "abcabx", &["abc"]);
        check(r"[^\]\[]+", "a]b[c", &["a", "b", "c"]);
        check(r"^a|b$", "ab\nab", &["a", "b", "a", "b"]);
    }

    #[test]
    fn refuses_by_name() {
        for (pattern, why) in [
            ("(a", "closed"),
            ("[a", "closed"),
            (r"(a)\1", r"\1"),
            ("(a*)*", "empty"),
            ("a{9999999}", "more"),
            ("*", "nothing to repeat"),
        ] {
            let error = Pattern::new(pattern).unwrap_err();
            assert!(error.why.contains(why), "{pattern}: {error}");
        }
    }

    #[test]
    fn hostile_patterns_and_texts_take_bounded_time() {
        let spaces = " ".repeat(200_000) + "x";
        check(r"\s+$", &spaces, &[]);
        assert_eq!(pieces(r"(?:a|aa)+$", &("a".repeat(5_000) + "b")), Vec::<&str>::new());
        assert_eq!(pieces(r"(?:a+a+)+b", &"a".repeat(2_000)), Vec::<&str>::new());
        assert_eq!(pieces(r"\s*[\r\n]+|\s+(?!\S)|\s+", &spaces).len(), 2);
    }
}
