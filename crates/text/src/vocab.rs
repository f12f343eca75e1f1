//! The tokens: their text, their kind, and which token a text is.

use crate::error::TokenizerError;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Text.
    Normal,
    /// Steers the model and is no text: `<|im_end|>`. Never made from a user's text.
    Control,
    /// Text that is cut out before anything else is tokenised: `<tool_call>`.
    Added,
    /// One byte, for characters the vocabulary lacks: `<0x0A>`.
    Byte(u8),
    /// In the list, never produced nor shown.
    Unused,
}

/// More tokens than any vocabulary has: what is beyond is a broken file, refused before memory is set aside.
pub(crate) const TOKENS_MAX: usize = 1 << 24;

/// All tokens in one arena. In a byte-level vocabulary the text of a token is the bytes it stands for.
#[derive(Debug, Default)]
pub(crate) struct Vocab {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    kinds: Vec<TokenKind>,
    /// Tokens that text can become, by that text. Control and byte tokens are never among them.
    by_text: HashTable<u32>,
    hasher: DefaultHashBuilder,
    length_max: usize,
}

impl Vocab {
    pub(crate) fn with_capacity(tokens: usize) -> Result<Vocab, TokenizerError> {
        if tokens > TOKENS_MAX {
            return Err(TokenizerError::TooManyTokens { found: tokens, max: TOKENS_MAX });
        }
        Ok(Vocab {
            bytes: Vec::with_capacity(tokens * 7),
            ends: Vec::with_capacity(tokens),
            kinds: Vec::with_capacity(tokens),
            by_text: HashTable::with_capacity(tokens),
            ..Vocab::default()
        })
    }

    /// Appends the next token; `write` adds its bytes to the arena and says whether text can become this token.
    pub(crate) fn push(
        &mut self,
        kind: TokenKind,
        write: impl FnOnce(&mut Vec<u8>) -> bool,
    ) -> Result<u32, TokenizerError> {
        let id = self.ends.len() as u32;
        let start = self.bytes.len();
        let findable = write(&mut self.bytes);
        let Ok(end) = u32::try_from(self.bytes.len()) else {
            return Err(TokenizerError::VocabularyTooLarge { id });
        };
        self.ends.push(end);
        self.kinds.push(kind);
        if findable && matches!(kind, TokenKind::Normal | TokenKind::Added) && self.bytes.len() > start {
            let text = &self.bytes[start..];
            self.length_max = self.length_max.max(text.len());
            let hash = self.hasher.hash_one(text);
            let (bytes, ends, hasher) = (&self.bytes, &self.ends, &self.hasher);
            let slice = |id: u32| &bytes[start_of(ends, id)..ends[id as usize] as usize];
            use hashbrown::hash_table::Entry;
            match self.by_text.entry(
                hash,
                |&other| slice(other) == text,
                |&other| hasher.hash_one(slice(other)),
            ) {
                Entry::Occupied(first) => {
                    return Err(TokenizerError::DuplicateToken {
                        text: String::from_utf8_lossy(text).into_owned(),
                        first: *first.get(),
                        second: id,
                    });
                }
                Entry::Vacant(place) => {
                    place.insert(id);
                }
            }
        }
        Ok(id)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of the longest token that text can become.
    pub(crate) fn length_max(&self) -> usize {
        self.length_max
    }

    pub(crate) fn text(&self, id: u32) -> &[u8] {
        match self.ends.get(id as usize) {
            Some(&end) => &self.bytes[start_of(&self.ends, id)..end as usize],
            None => &[],
        }
    }

    pub(crate) fn kind(&self, id: u32) -> TokenKind {
        self.kinds.get(id as usize).copied().unwrap_or(TokenKind::Unused)
    }

    /// The token whose text this is, if it is one.
    #[inline]
    pub(crate) fn find(&self, text: &[u8]) -> Option<u32> {
        if text.len() > self.length_max {
            return None;
        }
        let hash = self.hasher.hash_one(text);
        self.by_text.find(hash, |&id| self.text(id) == text).copied()
    }

    /// Linear, for tokens of any kind; for looking up the few with a role.
    pub(crate) fn find_any(&self, text: &[u8]) -> Option<u32> {
        (0..self.len() as u32).find(|&id| self.text(id) == text)
    }

    pub(crate) fn ids_of(&self, wanted: impl Fn(TokenKind) -> bool) -> impl Iterator<Item = u32> {
        self.kinds.iter().enumerate().filter(move |(_, kind)| wanted(**kind)).map(|(id, _)| id as u32)
    }
}

fn start_of(ends: &[u32], id: u32) -> usize {
    if id == 0 { 0 } else { ends[id as usize - 1] as usize }
}
