//! Text to token ids and back.

use crate::added_tokens::{AddedTokens, Fragment};
use crate::bpe::{self, META_UTF8};
use crate::control_guard::ControlGuard;
use crate::detokenizer::Detokenizer;
use crate::error::TokenizerWarning;
use crate::model::Model;
use crate::normalizer::Normalizer;
use crate::pattern::Search;
use crate::splitter::Splitter;
use crate::vocab::{TokenKind, Vocab};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// A model's tokenizer, made by [`Tokenizer::from_gguf`] or [`Tokenizer::from_json`].
///
/// Immutable and shareable between threads.
#[derive(Debug)]
pub struct Tokenizer {
    pub(crate) vocab: Vocab,
    /// Control tokens; they are looked for in trusted text only.
    pub(crate) control: AddedTokens,
    /// Added tokens that are looked for in the text as it comes.
    pub(crate) added: AddedTokens,
    /// Added tokens that are looked for in normalised text.
    pub(crate) added_normalized: AddedTokens,
    pub(crate) normalizers: Vec<Normalizer>,
    /// Spaces become `▁`.
    pub(crate) meta_spaces: bool,
    pub(crate) prefix: Prefix,
    pub(crate) splitter: Splitter,
    pub(crate) model: Model,
    pub(crate) spelling: Spelling,
    pub(crate) roles: Roles,
    pub(crate) warnings: Vec<TokenizerWarning>,
    pub(crate) control_guard: OnceLock<ControlGuard>,
}

/// Whether strings that spell control tokens become them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specials {
    /// They do: for templates, which are ours.
    Parse,
    /// They stay text: for everything a user wrote.
    Text,
}

/// A stretch of a prompt. Only trusted text can contain control tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub text: String,
    pub trusted: bool,
}

/// What is put before a stretch of text ahead of cutting it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    None,
    /// This string, unless the text starts with it already.
    Always(String),
    /// The same, at the very beginning only.
    First(String),
}

/// How the texts of tokens become text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As they are: bytes.
    Bytes,
    /// `▁` is a space; the first one may belong to the tokenizer, not the text.
    Meta { strip_first_space: bool },
}

/// Tokens with a role, and what belongs around a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roles {
    pub(crate) bos: Option<u32>,
    pub(crate) eos: Option<u32>,
    pub(crate) unknown: Option<u32>,
    pub(crate) padding: Option<u32>,
    pub(crate) before: Vec<u32>,
    pub(crate) after: Vec<u32>,
    pub(crate) end_of_generation: Vec<u32>,
}

impl Tokenizer {
    /// The tokens of `text`, nothing added before or after.
    pub fn encode(&self, text: &str, specials: Specials) -> Vec<u32> {
        let mut ids = Vec::with_capacity(text.len() / 3 + 4);
        match specials {
            Specials::Parse => self.encode_into(text, &[(0..text.len(), true)], &mut ids),
            Specials::Text => self.encode_into(text, &[(0..text.len(), false)], &mut ids),
        }
        ids
    }

    /// The tokens of `text` between what the model wants around a prompt, such as a BOS token.
    pub fn encode_with_bos(&self, text: &str, specials: Specials) -> Vec<u32> {
        let mut ids = self.roles.before.clone();
        ids.extend(self.encode(text, specials));
        ids.extend(&self.roles.after);
        ids
    }

    /// The tokens of a rendered prompt: the same as those of the whole text with control tokens parsed,
    /// except that no control token is made of anything untrusted.
    pub fn encode_segments(&self, segments: &[Segment]) -> Vec<u32> {
        let mut text = String::with_capacity(segments.iter().map(|segment| segment.text.len()).sum());
        let mut runs: Vec<(Range<usize>, bool)> = Vec::new();
        for segment in segments {
            let start = text.len();
            text.push_str(&segment.text);
            match runs.last_mut() {
                Some((range, trusted)) if *trusted == segment.trusted => range.end = text.len(),
                _ => runs.push((start..text.len(), segment.trusted)),
            }
        }
        let mut ids = Vec::with_capacity(text.len() / 3 + 4);
        self.encode_into(&text, &runs, &mut ids);
        ids
    }

    /// The text of `ids`; control tokens have none. Bytes that are no UTF-8 become U+FFFD.
    pub fn decode(&self, ids: &[u32]) -> String {
        let mut detokenizer = Detokenizer::new(self);
        let mut text = String::new();
        for &id in ids {
            text.push_str(detokenizer.push(id));
        }
        text.push_str(detokenizer.finish());
        text
    }

    /// The bytes a token stands for in text; its own spelling for a control token. Empty for ids that do not exist.
    pub fn piece(&self, id: u32) -> Cow<'_, [u8]> {
        let text = self.vocab.text(id);
        match (self.vocab.kind(id), self.spelling) {
            (TokenKind::Byte(byte), _) => Cow::Owned(vec![byte]),
            (TokenKind::Normal, Spelling::Meta { .. }) => unescape_meta(text),
            _ => Cow::Borrowed(text),
        }
    }

    /// How many tokens there are.
    pub fn token_count(&self) -> usize {
        self.vocab.len()
    }

    pub fn kind(&self, id: u32) -> TokenKind {
        self.vocab.kind(id)
    }

    /// The token spelled `text`, of whatever kind; for looking up control tokens by name.
    pub fn token_named(&self, text: &str) -> Option<u32> {
        let control =
            self.control.tokens().iter().chain(self.added.tokens()).chain(self.added_normalized.tokens());
        control
            .filter(|token| token.text == text)
            .map(|token| token.id)
            .next()
            .or_else(|| self.vocab.find_any(text.as_bytes()))
    }

    pub fn bos(&self) -> Option<u32> {
        self.roles.bos
    }

    pub fn eos(&self) -> Option<u32> {
        self.roles.eos
    }

    pub fn unknown(&self) -> Option<u32> {
        self.roles.unknown
    }

    pub fn padding(&self) -> Option<u32> {
        self.roles.padding
    }

    /// Whether [`Tokenizer::encode_with_bos`] begins with BOS.
    pub fn adds_bos(&self) -> bool {
        self.roles.bos.is_some_and(|bos| self.roles.before.contains(&bos))
    }

    /// The tokens after which the model has nothing more to say: EOS and what ends a turn.
    pub fn end_of_generation(&self) -> &[u32] {
        &self.roles.end_of_generation
    }

    /// What was odd about the tokenizer's description.
    pub fn warnings(&self) -> &[TokenizerWarning] {
        &self.warnings
    }

    /// Knows the spellings of all control tokens. Made when a template is first used.
    pub(crate) fn control_guard(&self) -> &ControlGuard {
        let texts = || self.control.tokens().iter().map(|token| token.text.as_str());
        self.control_guard.get_or_init(|| ControlGuard::new(texts()))
    }

    /// `runs` cover `text` and say which parts may contain control tokens.
    fn encode_into(&self, text: &str, runs: &[(Range<usize>, bool)], ids: &mut Vec<u32>) {
        let mut fragments = Vec::new();
        for (range, trusted) in runs {
            let mut found = Vec::new();
            if *trusted {
                self.control.cut(text, range.clone(), &mut found);
            } else if !range.is_empty() {
                found.push(Fragment::Text(range.clone()));
            }
            // Text on both sides of a change of trust is one text: merges must not see the seam.
            for fragment in found {
                match (fragments.last_mut(), fragment) {
                    (Some(Fragment::Text(before)), Fragment::Text(range)) => before.end = range.end,
                    (_, fragment) => fragments.push(fragment),
                }
            }
        }
        let mut scratch = Scratch::default();
        let mut cuts = Vec::new();
        for fragment in &fragments {
            match fragment {
                Fragment::Token(id) => ids.push(*id),
                Fragment::Text(range) if self.added.is_empty() => {
                    self.encode_text(&text[range.clone()], range.start == 0, &mut scratch, ids);
                }
                Fragment::Text(range) => {
                    cuts.clear();
                    self.added.cut(text, range.clone(), &mut cuts);
                    for cut in &cuts {
                        match cut {
                            Fragment::Token(id) => ids.push(*id),
                            Fragment::Text(range) => {
                                self.encode_text(&text[range.clone()], range.start == 0, &mut scratch, ids);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Text without control tokens or added tokens other than those in normalised text.
    fn encode_text(&self, text: &str, first: bool, scratch: &mut Scratch, ids: &mut Vec<u32>) {
        let text =
            self.normalizers.iter().fold(Cow::Borrowed(text), |text, normalizer| normalizer.apply(text));
        if self.added_normalized.is_empty() {
            return self.encode_words(&text, first, scratch, ids);
        }
        let mut cuts = Vec::new();
        self.added_normalized.cut(&text, 0..text.len(), &mut cuts);
        for cut in cuts {
            match cut {
                Fragment::Token(id) => ids.push(id),
                Fragment::Text(range) => {
                    let first = first && range.start == 0;
                    self.encode_words(&text[range], first, scratch, ids);
                }
            }
        }
    }

    fn encode_words(&self, text: &str, first: bool, scratch: &mut Scratch, ids: &mut Vec<u32>) {
        let text = match self.meta_spaces {
            true if text.contains(' ') => Cow::Owned(text.replace(' ', "▁")),
            _ => Cow::Borrowed(text),
        };
        let text = match &self.prefix {
            Prefix::Always(prefix) if !text.starts_with(prefix.as_str()) => {
                Cow::Owned(format!("{prefix}{text}"))
            }
            Prefix::First(prefix) if first && !text.starts_with(prefix.as_str()) => {
                Cow::Owned(format!("{prefix}{text}"))
            }
            _ => text,
        };
        let Scratch { search, bpe } = scratch;
        self.splitter.split(&text, search, &mut |word| self.model.encode(&self.vocab, word, bpe, ids));
    }
}

/// Working memory of one call, reused from word to word.
#[derive(Default)]
struct Scratch {
    search: Search,
    bpe: bpe::Scratch,
}

fn unescape_meta(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = text.windows(META_UTF8.len()).position(|window| window == META_UTF8) else {
        return Cow::Borrowed(text);
    };
    let mut unescaped = text[..first].to_vec();
    let mut rest = &text[first..];
    while let Some(&byte) = rest.first() {
        match rest.strip_prefix(META_UTF8) {
            Some(after) => {
                unescaped.push(b' ');
                rest = after;
            }
            None => {
                unescaped.push(byte);
                rest = &rest[1..];
            }
        }
    }
    Cow::Owned(unescaped)
}
