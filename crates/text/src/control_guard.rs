//! Keeps what users write from becoming control tokens on its way through a chat template.
//!
//! A template is a program: it trims, cuts and joins what it is given, so that afterwards nobody knows which character
//! came from whom. Before rendering, the guard therefore puts a mark in front of characters of untrusted text, but only
//! where they could take part in spelling a control token; afterwards it takes the marks out and knows where
//! no control token may be read. Text without such spellings passes unchanged, and with it the template's every decision.

use crate::tokenizer::Segment;
use aho_corasick::AhoCorasick;
use std::borrow::Cow;

/// Code points that Unicode reserves for internal use and never assigns: one that occurs in no input serves as the mark.
const MARKS: std::ops::RangeInclusive<char> = '\u{fdd0}'..='\u{fdef}';

pub(crate) fn is_mark(c: char) -> bool {
    MARKS.contains(&c)
}

/// The marks that occur in some texts.
#[derive(Debug, Default)]
pub(crate) struct MarkSet(u32);

impl MarkSet {
    pub(crate) fn of(text: &str) -> MarkSet {
        let mut set = MarkSet::default();
        set.add(text);
        set
    }

    pub(crate) fn add(&mut self, text: &str) {
        // All marks are written EF B7 xx; ordinary text has hardly any of these bytes.
        if text.as_bytes().contains(&0xEF) {
            for c in text.chars().filter(|&c| is_mark(c)) {
                self.0 |= 1 << (c as u32 - *MARKS.start() as u32);
            }
        }
    }

    /// A mark that does not occur. With all of them taken, somebody is playing tricks.
    pub(crate) fn free(&self) -> Option<char> {
        MARKS.into_iter().find(|&mark| self.0 >> (mark as u32 - *MARKS.start() as u32) & 1 == 0)
    }
}

/// Knows the spellings of a tokenizer's control tokens.
#[derive(Debug)]
pub(crate) struct ControlGuard {
    texts: Vec<String>,
    /// Finds all of them, overlapping ones included.
    automaton: Option<AhoCorasick>,
}

impl ControlGuard {
    pub(crate) fn new<'a>(texts: impl Iterator<Item = &'a str>) -> ControlGuard {
        let texts: Vec<String> = texts.map(str::to_owned).collect();
        let automaton = if texts.is_empty() { None } else { AhoCorasick::new(&texts).ok() };
        ControlGuard { texts, automaton }
    }

    /// Puts `mark` before every character of `text` that would have to be trusted for a control token to arise.
    pub(crate) fn mark<'t>(&self, text: &'t str, mark: char) -> Cow<'t, str> {
        let places = self.places(text);
        if places.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut marked = String::with_capacity(text.len() + places.len() * mark.len_utf8());
        let mut done = 0;
        for place in places {
            marked.push_str(&text[done..place]);
            marked.push(mark);
            done = place;
        }
        marked.push_str(&text[done..]);
        Cow::Owned(marked)
    }

    /// Where to put marks, in order.
    fn places(&self, text: &str) -> Vec<usize> {
        let mut places = Vec::new();
        let (Some(automaton), Some(last)) = (&self.automaton, text.chars().next_back()) else {
            return places;
        };
        // Control tokens that lie within the text.
        places.extend(automaton.find_overlapping_iter(text).map(|found| found.start()));
        // A plain word can be part of one only if the template itself writes what is around it, and templates
        // compare such words: `type == "object"`.
        if !is_plain_word(text) {
            // One that starts before this text and ends in or after it.
            if self.texts.iter().any(|control| continues(control, text)) {
                places.push(0);
            }
            // One that starts in it and ends after it.
            if self.texts.iter().any(|control| begins(control, text)) {
                places.push(text.len() - last.len_utf8());
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

fn is_plain_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

/// Does `text` start with the rest of `control`, or is it all within that rest?
fn continues(control: &str, text: &str) -> bool {
    control.char_indices().skip(1).any(|(at, _)| {
        let rest = &control[at..];
        text.starts_with(rest) || rest.starts_with(text)
    })
}

/// Does `text` end with a beginning of `control`?
fn begins(control: &str, text: &str) -> bool {
    control.char_indices().skip(1).any(|(at, _)| text.ends_with(&control[..at]))
}

/// Takes the marks out again. The characters after them are untrusted.
pub(crate) fn segments(rendered: &str, mark: char) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut push = |text: &str, trusted: bool| {
        if text.is_empty() {
            return;
        }
        match segments.last_mut() {
            Some(last) if last.trusted == trusted => last.text.push_str(text),
            _ => segments.push(Segment { text: text.to_owned(), trusted }),
        }
    };
    let mut parts = rendered.split(mark);
    push(parts.next().unwrap_or_default(), true);
    for part in parts {
        let length = part.chars().next().map_or(0, char::len_utf8);
        push(&part[..length], false);
        push(&part[length..], true);
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let guard = ControlGuard::new(["<|end|>", "<s>", "█"].into_iter());
        assert_eq!(guard.mark(text, '^'), expected, "{text:?}");
    }

    #[test]
    fn marks_only_what_could_spell_a_control_token() {
        check("plain text, a < b, x|>y and <|en", "plain text, a < b, x|>y and <|e^n");
        check("a <b> <|end|", "a <b> <|end^|");
        check("say <|end|> and <s>", "say ^<|end|> and ^<s>");
        check("d|> rest", "^d|> rest");
        check("> quoted", "^> quoted");
        check("end", "end");
        check("|end", "^|end");
        check("a█", "a^█");
        check("", "");
        check("Endless", "Endless");
    }

    #[test]
    fn marks_become_segments() {
        let segment = |text: &str, trusted| Segment { text: text.into(), trusted };
        let expected =
            [segment("a", true), segment("<", false), segment("|end|>b", true), segment("cd", false)];
        assert_eq!(segments("a^<|end|>b^c^d^", '^'), expected);
        assert_eq!(segments("", '^'), []);
    }
}
