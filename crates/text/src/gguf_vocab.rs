//! A tokenizer from the metadata of a GGUF file.

use crate::added_tokens::{AddedToken, AddedTokens};
use crate::bpe::{Bpe, META, Merges, NO_ID, Units, Unknown};
use crate::byte_level;
use crate::error::{TokenizerError, TokenizerWarning};
use crate::merge_list::merge_list;
use crate::model::Model;
use crate::normalizer::Normalizer;
use crate::pre_tokenizers::PreTokenizer;
use crate::splitter::Splitter;
use crate::tokenizer::{Prefix, Roles, Spelling, Tokenizer};
use crate::unigram::Unigram;
use crate::vocab::{TokenKind, Vocab};
use std::sync::OnceLock;

/// What a GGUF file says about its tokenizer, under `tokenizer.ggml.*`. Strings are borrowed from the file.
#[derive(Clone, Debug, Default)]
pub struct GgufVocab<'a> {
    /// `model`: `gpt2`, `llama`, `gemma4` or `t5`.
    pub model: &'a str,
    /// `pre`: which rules cut text into words.
    pub pre: Option<&'a str>,
    pub tokens: Vec<&'a [u8]>,
    /// `scores`: one for each token, or none.
    pub scores: Vec<f32>,
    /// `token_type`: one for each token, or none.
    pub token_types: Vec<i32>,
    pub merges: Vec<&'a [u8]>,
    pub bos: Option<u32>,
    pub eos: Option<u32>,
    pub eot: Option<u32>,
    pub eom: Option<u32>,
    pub unknown: Option<u32>,
    pub padding: Option<u32>,
    pub add_bos: Option<bool>,
    pub add_eos: Option<bool>,
    pub add_space_prefix: Option<bool>,
    /// `remove_extra_whitespaces`
    pub joins_spaces: Option<bool>,
    /// Whether there is a `precompiled_charsmap`.
    pub maps_characters: bool,
}

/// Tokens known by their spelling to end a turn, whatever the file says of them.
const END_OF_TURN: &[&str] = &[
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|flush|>",
    "<|calls|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "</s>",
    "<|eom_id|>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "[EOS]",
    "<|end_of_text|>",
    "<end_of_utterance>",
    "<eos>",
    "<turn|>",
    "<|tool_response>",
    "<｜end▁of▁sentence｜>",
    "[e~[",
];

impl Tokenizer {
    pub fn from_gguf(source: &GgufVocab) -> Result<Tokenizer, TokenizerError> {
        source.check()?;
        match source.model {
            "gpt2" => source.byte_level(),
            "llama" | "gemma4" => source.sentence_piece(),
            "t5" => source.unigram(),
            other => Err(TokenizerError::UnknownModel { found: other.to_owned() }),
        }
    }
}

impl GgufVocab<'_> {
    fn check(&self) -> Result<(), TokenizerError> {
        let tokens = self.tokens.len();
        if tokens == 0 {
            return Err(TokenizerError::NoTokens);
        }
        for (what, found) in [
            ("tokenizer.ggml.scores", self.scores.len()),
            ("tokenizer.ggml.token_type", self.token_types.len()),
        ] {
            if found != 0 && found != tokens {
                return Err(TokenizerError::WrongCount { what, found, tokens });
            }
        }
        let roles = [
            ("tokenizer.ggml.bos_token_id", self.bos),
            ("tokenizer.ggml.eos_token_id", self.eos),
            ("tokenizer.ggml.eot_token_id", self.eot),
            ("tokenizer.ggml.eom_token_id", self.eom),
            ("tokenizer.ggml.unknown_token_id", self.unknown),
            ("tokenizer.ggml.padding_token_id", self.padding),
        ];
        for (what, id) in roles {
            if let Some(id) = id
                && id as usize >= tokens
            {
                return Err(TokenizerError::IdOutOfRange { what, id: id.into(), tokens });
            }
        }
        Ok(())
    }

    /// Byte-level BPE: GPT-2 and nearly everything since.
    fn byte_level(&self) -> Result<Tokenizer, TokenizerError> {
        let mut warnings = Vec::new();
        let rules = match self.pre {
            None | Some("") => {
                warnings.push(TokenizerWarning::NoPreTokenizer);
                PreTokenizer::default_rules()
            }
            Some(name) => PreTokenizer::named(name).unwrap_or_else(|| {
                warnings.push(TokenizerWarning::UnknownPreTokenizer { found: name.to_owned() });
                PreTokenizer::default_rules()
            }),
        };
        let vocab = self.vocab(&mut warnings, |kind, text, bytes| match kind {
            TokenKind::Normal => byte_level::decode_into(text, bytes),
            _ => {
                bytes.extend_from_slice(text);
                false
            }
        })?;
        let merges = self.merges(&vocab, true, &mut warnings);
        let mut bytes = Box::new([NO_ID; 256]);
        for byte in 0..=255u8 {
            bytes[byte as usize] = vocab.find(&[byte]).unwrap_or(NO_ID);
        }
        let unknown = Unknown { bytes: None, id: None, fuse: false };
        let model = Model::Bpe(Bpe::new(&vocab, merges, Units::Bytes(bytes), rules.ignore_merges, unknown));
        let mut tokenizer = self.assemble(vocab, model, rules.add_bos, warnings);
        tokenizer.splitter = Splitter::new(rules.stages());
        Ok(tokenizer)
    }

    /// SentencePiece BPE, which joins by scores (Llama 2, Mistral) or by a list of merges (Gemma 4).
    fn sentence_piece(&self) -> Result<Tokenizer, TokenizerError> {
        let by_scores = self.model == "llama";
        if by_scores && self.scores.is_empty() {
            return Err(TokenizerError::NoScores);
        }
        let mut warnings = Vec::new();
        let vocab = self.vocab(&mut warnings, |kind, text, bytes| {
            bytes.extend_from_slice(text);
            kind == TokenKind::Normal
        })?;
        let unknown = Unknown { bytes: byte_tokens(&vocab), id: self.unknown.or(Some(0)), fuse: false };
        let merges = match by_scores {
            true => Merges::Scores(self.scores.clone()),
            false => self.merges(&vocab, false, &mut warnings),
        };
        let model = Model::Bpe(Bpe::new(&vocab, merges, Units::Chars, false, unknown));
        let mut tokenizer = self.assemble(vocab, model, true, warnings);
        let add_prefix = self.add_space_prefix.unwrap_or(by_scores);
        if add_prefix {
            tokenizer.normalizers.push(Normalizer::Prepend("▁".into()));
        }
        tokenizer.normalizers.push(Normalizer::ReplaceText { from: " ".into(), to: "▁".into() });
        tokenizer.spelling = Spelling::Meta { strip_first_space: add_prefix };
        Ok(tokenizer)
    }

    /// SentencePiece's other model, which T5 brought to GGUF.
    fn unigram(&self) -> Result<Tokenizer, TokenizerError> {
        if self.scores.is_empty() {
            return Err(TokenizerError::NoScores);
        }
        for (what, there) in [
            ("tokenizer.ggml.precompiled_charsmap", self.maps_characters),
            ("tokenizer.ggml.remove_extra_whitespaces", self.joins_spaces == Some(true)),
        ] {
            if there {
                return Err(TokenizerError::UnsupportedKey { what });
            }
        }
        let mut warnings = Vec::new();
        let vocab = self.vocab(&mut warnings, |kind, text, bytes| {
            bytes.extend_from_slice(text);
            kind == TokenKind::Normal
        })?;
        let scores = self.scores.iter().map(|&score| score.into()).collect();
        let unknown = self.unknown.unwrap_or(2).min(vocab.len() as u32 - 1);
        let model = Model::Unigram(Unigram::new(scores, unknown, byte_tokens(&vocab)));
        let mut tokenizer = self.assemble(vocab, model, false, warnings);
        let add_prefix = self.add_space_prefix.unwrap_or(true);
        tokenizer.meta_spaces = true;
        if add_prefix {
            tokenizer.prefix = Prefix::Always(META.into());
        }
        tokenizer.spelling = Spelling::Meta { strip_first_space: add_prefix };
        Ok(tokenizer)
    }

    fn vocab(
        &self,
        warnings: &mut Vec<TokenizerWarning>,
        write: impl Fn(TokenKind, &[u8], &mut Vec<u8>) -> bool,
    ) -> Result<Vocab, TokenizerError> {
        let mut vocab = Vocab::with_capacity(self.tokens.len())?;
        for (id, &text) in self.tokens.iter().enumerate() {
            let mut kind = self.token_types.get(id).map_or(TokenKind::Normal, |&code| kind_of(code, text));
            // Gemma 4 has `</s>` for text that is struck through.
            let is_text = self.model == "gemma4" && text == b"</s>";
            if kind != TokenKind::Control && ends_turn(text) && !is_text {
                kind = TokenKind::Control;
                let text = String::from_utf8_lossy(text).into_owned();
                warnings.push(TokenizerWarning::ControlByName { id: id as u32, text });
            }
            vocab.push(kind, |bytes| write(kind, text, bytes))?;
        }
        Ok(vocab)
    }

    fn merges(&self, vocab: &Vocab, byte_level: bool, warnings: &mut Vec<TokenizerWarning>) -> Merges {
        if self.merges.is_empty() {
            return Merges::VocabOrder;
        }
        Merges::Pairs(merge_list(
            vocab,
            byte_level,
            self.merges.iter().map(|text| merge_sides(text)),
            warnings,
        ))
    }

    fn assemble(
        &self,
        vocab: Vocab,
        model: Model,
        add_bos: bool,
        warnings: Vec<TokenizerWarning>,
    ) -> Tokenizer {
        let group = |wanted: TokenKind| {
            let token = |id| Some(AddedToken::new(id, String::from_utf8(vocab.text(id).to_vec()).ok()?));
            AddedTokens::new(vocab.ids_of(|kind| kind == wanted).filter_map(token).collect())
        };
        let (control, added) = (group(TokenKind::Control), group(TokenKind::Added));
        let (bos, eos) = match self.model {
            "llama" => (self.bos.or(Some(1)), self.eos.or(Some(2))),
            _ => (self.bos, self.eos),
        };
        let exists = |id: &u32| (*id as usize) < vocab.len();
        let (bos, eos) = (bos.filter(exists), eos.filter(exists));
        let mut roles = Roles { bos, eos, unknown: self.unknown, padding: self.padding, ..Roles::default() };
        roles.before.extend(bos.filter(|_| self.add_bos.unwrap_or(add_bos)));
        roles.after.extend(eos.filter(|_| self.add_eos.unwrap_or(false)));
        roles.end_of_generation = end_of_generation(control.tokens(), [eos, self.eot, self.eom]);
        Tokenizer {
            vocab,
            control,
            added,
            added_normalized: AddedTokens::default(),
            normalizers: Vec::new(),
            meta_spaces: false,
            prefix: Prefix::None,
            splitter: Splitter::default(),
            model,
            spelling: Spelling::Bytes,
            roles,
            warnings,
            control_guard: OnceLock::new(),
        }
    }
}

/// `token_type` as GGUF numbers them.
fn kind_of(code: i32, text: &[u8]) -> TokenKind {
    match code {
        2 | 3 => TokenKind::Control,
        4 => TokenKind::Added,
        5 => TokenKind::Unused,
        6 => byte_token(text).map_or(TokenKind::Unused, TokenKind::Byte),
        _ => TokenKind::Normal,
    }
}

fn ends_turn(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'<' | b'[' | b'_'))
        && END_OF_TURN.iter().any(|known| known.as_bytes() == text)
}

/// Splits `left right`. The first byte belongs to the left side even if it is a space.
fn merge_sides(text: &[u8]) -> (&[u8], &[u8]) {
    let space = text.iter().skip(1).position(|&byte| byte == b' ').map_or(text.len(), |at| at + 1);
    (&text[..space], text.get(space + 1..).unwrap_or_default())
}

/// The byte that a spelling like `<0x0A>` stands for.
pub(crate) fn byte_token(text: &[u8]) -> Option<u8> {
    let digits = text.strip_prefix(b"<0x")?.strip_suffix(b">")?;
    if digits.len() != 2 {
        return None;
    }
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// The byte tokens, if there is one for every byte.
pub(crate) fn byte_tokens(vocab: &Vocab) -> Option<Box<[u32; 256]>> {
    let mut ids = Box::new([NO_ID; 256]);
    for id in vocab.ids_of(|kind| matches!(kind, TokenKind::Byte(_))) {
        if let TokenKind::Byte(byte) = vocab.kind(id) {
            ids[byte as usize] = id;
        }
    }
    (!ids.contains(&NO_ID)).then_some(ids)
}

/// The tokens among `control` that are known to end a turn, and those that the file gives that role.
pub(crate) fn end_of_generation(control: &[AddedToken], given: [Option<u32>; 3]) -> Vec<u32> {
    let named = |name: &str| control.iter().find(|token| token.text == name).map(|token| token.id);
    let mut ids: Vec<u32> = END_OF_TURN.iter().filter_map(|name| named(name)).collect();
    // Where the format tells the end of an answer from the end of one of its messages, only the former ends generation.
    if named("<|call|>").and(named("<|return|>")).or(named("<|calls|>").and(named("<|flush|>"))).is_some() {
        ids.retain(|&id| Some(id) != named("<|end|>"));
    }
    ids.extend(given.into_iter().flatten());
    ids.sort_unstable();
    ids.dedup();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenizer::Specials;
    use crate::tokenizer_json::SpecialNames;
    use serde_json::json;

    /// Gemma 4's form: merges by a list, spaces as `▁`, bytes for what is no token. As its `tokenizer.json` would have it.
    #[test]
    fn a_list_of_merges_beside_byte_tokens() {
        let mut tokens: Vec<String> =
            ["<unk>", "<bos>", "<eos>", "▁", "a", "b", "c", "\n", "ab", "▁a", "bc", "▁ab", "\n\n"]
                .map(String::from)
                .to_vec();
        let words = tokens.len();
        tokens.extend((0..256).map(|byte| format!("<0x{byte:02X}>")));
        // The vocabulary's order would join `ab` first.
        let merges = ["b c", "▁ a", "a b", "▁a b", "\n \n"];
        let kind = |id: usize| match id {
            0 => 2,
            1 | 2 => 3,
            _ if id >= words => 6,
            _ => 1,
        };
        let source = GgufVocab {
            model: "gemma4",
            tokens: tokens.iter().map(|token| token.as_bytes()).collect(),
            token_types: (0..tokens.len()).map(kind).collect(),
            merges: merges.iter().map(|merge| merge.as_bytes()).collect(),
            bos: Some(1),
            eos: Some(2),
            unknown: Some(0),
            ..GgufVocab::default()
        };
        let told = Tokenizer::from_gguf(&source).unwrap();
        let ids: serde_json::Map<_, _> =
            tokens.iter().enumerate().map(|(id, token)| (token.clone(), json!(id))).collect();
        let file = json!({
            "normalizer": { "type": "Replace", "pattern": { "String": " " }, "content": "▁" },
            "decoder": { "type": "Sequence", "decoders": [
                { "type": "Replace", "pattern": { "String": "▁" }, "content": " " },
                { "type": "ByteFallback" }, { "type": "Fuse" }
            ] },
            "added_tokens": [],
            "model": {
                "type": "BPE", "byte_fallback": true, "unk_token": "<unk>", "fuse_unk": true,
                "vocab": ids, "merges": merges,
            },
        });
        let own = Tokenizer::from_json(&file.to_string(), SpecialNames::default()).unwrap();
        for text in ["abc", " abc ab", "a\n\nb\n c", "aéb 🚀", ""] {
            let ids = told.encode(text, Specials::Text);
            assert_eq!(ids, own.encode(text, Specials::Text), "{text:?}");
        }
        assert_eq!(told.encode("abc", Specials::Text), [4, 10]);
    }
}
