//! Token ids to text, one at a time.

use crate::tokenizer::{Spelling, Tokenizer};
use crate::vocab::TokenKind;
use std::ops::Deref;

/// Turns a stream of tokens into a stream of text that never ends inside a character.
///
/// The pieces concatenated are what [`Tokenizer::decode`] returns for all tokens at once. `T` is `&Tokenizer` or
/// `Arc<Tokenizer>`.
#[derive(Debug)]
pub struct Detokenizer<T> {
    tokenizer: T,
    /// Bytes of a character that is not complete yet; at most three.
    pending: Vec<u8>,
    text: String,
    strip_space: bool,
    show_control: bool,
}

impl<T: Deref<Target = Tokenizer>> Detokenizer<T> {
    /// For text that stands on its own: a SentencePiece tokenizer's leading space is left out.
    pub fn new(tokenizer: T) -> Detokenizer<T> {
        let strip_space = matches!(tokenizer.spelling, Spelling::Meta { strip_first_space: true });
        Detokenizer { tokenizer, pending: Vec::new(), text: String::new(), strip_space, show_control: false }
    }

    /// For text that continues other text: a leading space is part of it.
    pub fn continuing(tokenizer: T) -> Detokenizer<T> {
        Detokenizer { strip_space: false, ..Detokenizer::new(tokenizer) }
    }

    /// Control tokens appear as they are spelled, for parsers of tool calls and reasoning that look for them.
    pub fn showing_control(self) -> Detokenizer<T> {
        Detokenizer { show_control: true, ..self }
    }

    /// Takes the next token and returns the text that became certain.
    pub fn push(&mut self, id: u32) -> &str {
        self.text.clear();
        let hidden = match self.tokenizer.kind(id) {
            TokenKind::Control => !self.show_control,
            TokenKind::Unused => true,
            _ => false,
        };
        if !hidden {
            let piece = self.tokenizer.piece(id);
            let mut bytes = &*piece;
            if self.strip_space && !bytes.is_empty() {
                bytes = bytes.strip_prefix(b" ").unwrap_or(bytes);
                self.strip_space = false;
            }
            if self.pending.is_empty() {
                let rest = push_valid(bytes, &mut self.text);
                self.pending.extend_from_slice(rest);
            } else {
                self.pending.extend_from_slice(bytes);
                let rest = push_valid(&self.pending, &mut self.text).len();
                self.pending.drain(..self.pending.len() - rest);
            }
        }
        &self.text
    }

    /// What is left when no more tokens come: U+FFFD for a character that was never completed.
    pub fn finish(&mut self) -> &str {
        self.text.clear();
        if !self.pending.is_empty() {
            self.pending.clear();
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
        &self.text
    }
}

/// Appends the complete characters of `bytes`, U+FFFD for what can never become one, and returns an incomplete end.
fn push_valid<'b>(bytes: &'b [u8], text: &mut String) -> &'b [u8] {
    let mut rest = bytes;
    loop {
        match std::str::from_utf8(rest) {
            Ok(valid) => {
                text.push_str(valid);
                return &[];
            }
            Err(error) => {
                let (valid, invalid) = rest.split_at(error.valid_up_to());
                text.push_str(std::str::from_utf8(valid).unwrap_or_default());
                match error.error_len() {
                    None => return invalid,
                    Some(length) => {
                        text.push(char::REPLACEMENT_CHARACTER);
                        rest = &invalid[length..];
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_bytes_equal_the_whole() {
        let samples: [&[u8]; 6] = [
            "héllo 👩‍👩‍👧 日本".as_bytes(),
            b"a\xF0\x9F\x98",
            b"\xFF\xFEx",
            b"\xE2\x82A\xE2\x82\xAC",
            b"\xF0\x80\x80\x80",
            b"",
        ];
        for bytes in samples {
            let whole = String::from_utf8_lossy(bytes);
            for step in 1..5 {
                let (mut text, mut pending) = (String::new(), Vec::new());
                for chunk in bytes.chunks(step) {
                    pending.extend_from_slice(chunk);
                    let rest = push_valid(&pending, &mut text).to_vec();
                    pending = rest;
                    assert!(pending.len() < 4);
                }
                if !pending.is_empty() {
                    text.push(char::REPLACEMENT_CHARACTER);
                }
                assert_eq!(text, whole, "{bytes:?} by {step}");
            }
        }
    }
}
