//! What happens to text before it is cut: Unicode normal forms, replacements, the SentencePiece prefix.

use crate::pattern::{Pattern, Search};
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};

#[derive(Debug)]
pub(crate) enum Normalizer {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
    Lowercase,
    Prepend(String),
    ReplaceText { from: String, to: String },
    ReplacePattern { pattern: Pattern, to: String },
    Strip { left: bool, right: bool },
}

impl Normalizer {
    pub(crate) fn apply<'t>(&self, text: Cow<'t, str>) -> Cow<'t, str> {
        match self {
            // ASCII is in every normal form.
            Normalizer::Nfc | Normalizer::Nfd | Normalizer::Nfkc | Normalizer::Nfkd if text.is_ascii() => {
                text
            }
            Normalizer::Nfc if is_nfc_quick(text.chars()) == IsNormalized::Yes => text,
            Normalizer::Nfkc if is_nfkc_quick(text.chars()) == IsNormalized::Yes => text,
            Normalizer::Nfc => text.nfc().collect(),
            Normalizer::Nfd => text.nfd().collect(),
            Normalizer::Nfkc => text.nfkc().collect(),
            Normalizer::Nfkd => text.nfkd().collect(),
            Normalizer::Lowercase => text.chars().flat_map(char::to_lowercase).collect(),
            Normalizer::Prepend(prefix) if text.is_empty() || prefix.is_empty() => text,
            Normalizer::Prepend(prefix) => Cow::Owned(format!("{prefix}{text}")),
            Normalizer::ReplaceText { from, .. } if from.is_empty() || !text.contains(from.as_str()) => text,
            Normalizer::ReplaceText { from, to } => Cow::Owned(text.replace(from.as_str(), to)),
            Normalizer::ReplacePattern { pattern, to } => replace_pattern(text, pattern, to),
            Normalizer::Strip { left, right } => {
                let mut kept = &*text;
                if *left {
                    kept = kept.trim_start();
                }
                if *right {
                    kept = kept.trim_end();
                }
                Cow::Owned(kept.to_owned())
            }
        }
    }
}

fn replace_pattern<'t>(text: Cow<'t, str>, pattern: &Pattern, to: &str) -> Cow<'t, str> {
    let mut search = Search::default();
    let mut replaced = String::new();
    let (mut done, mut from) = (0, 0);
    while from <= text.len() {
        let Some((start, end)) = pattern.find(&text, from, &mut search) else { break };
        replaced.push_str(&text[done..start]);
        replaced.push_str(to);
        done = end;
        from = if end > start { end } else { end + text[end..].chars().next().map_or(1, char::len_utf8) };
    }
    if from == 0 {
        return text;
    }
    replaced.push_str(&text[done..]);
    Cow::Owned(replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(normalizer: Normalizer, text: &str, expected: &str) {
        assert_eq!(normalizer.apply(Cow::Borrowed(text)), expected, "{normalizer:?}");
    }

    #[test]
    fn normalizes() {
        check(Normalizer::Nfc, "e\u{301}", "é");
        check(Normalizer::Nfd, "é", "e\u{301}");
        check(Normalizer::Nfkc, "ﬁ①", "fi1");
        check(Normalizer::Lowercase, "ÀB", "àb");
        check(Normalizer::Prepend("▁".into()), "", "");
        check(Normalizer::Prepend("▁".into()), "a", "▁a");
        check(Normalizer::ReplaceText { from: " ".into(), to: "▁".into() }, "a  b", "a▁▁b");
        let pattern = Pattern::new(" {2,}").unwrap();
        check(Normalizer::ReplacePattern { pattern, to: " ".into() }, "a    b c", "a b c");
        check(Normalizer::Strip { left: true, right: false }, "  a ", "a ");
    }
}
