//! A tokenizer from a `tokenizer.json`, the format of Hugging Face's `tokenizers`.
//!
//! Only what decoder models use is supported; anything else is refused by its name rather than approximated.

use crate::added_tokens::{AddedToken, AddedTokens};
use crate::bpe::{Bpe, META, Merges, NO_ID, Units, Unknown};
use crate::byte_level;
use crate::error::{TokenizerError, TokenizerWarning};
use crate::gguf_vocab::{byte_token, byte_tokens, end_of_generation};
use crate::merge_list::merge_list;
use crate::model::Model;
use crate::normalizer::Normalizer;
use crate::pattern::Pattern;
use crate::pre_tokenizers::GPT2;
use crate::splitter::{Behavior, Splitter, Stage};
use crate::tokenizer::{Prefix, Roles, Spelling, Tokenizer};
use crate::tokenizer_json_model::{AddedTokenJson, File, ModelJson, VocabJson};
use crate::unigram::Unigram;
use crate::vocab::{TokenKind, Vocab};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::OnceLock;

/// The tokens `tokenizer_config.json` gives a role, by their text.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpecialNames<'a> {
    pub bos: Option<&'a str>,
    pub eos: Option<&'a str>,
    pub unknown: Option<&'a str>,
    pub padding: Option<&'a str>,
}

impl Tokenizer {
    pub fn from_json(json: &str, names: SpecialNames) -> Result<Tokenizer, TokenizerError> {
        let file: File = serde_json::from_str(json)?;
        let mut cutting = Cutting::default();
        cutting.add(&file.pre_tokenizer)?;
        let mut normalizers = Vec::new();
        add_normalizers(&file.normalizer, &mut normalizers)?;
        let spelling = spelling(&file.decoder, cutting.byte_level)?;

        let mut warnings = Vec::new();
        let vocab = vocab(&file, cutting.byte_level)?;
        let model = model(&file.model, &vocab, cutting.byte_level, &mut warnings)?;

        let named = |name: &str| file.id_of(name);
        let (before, after) = surroundings(&file.post_processor, &named, vocab.len())?;
        let role = |name: Option<&str>| name.and_then(named);
        let unknown_name = names.unknown.or(file.model.unk_token.as_deref());
        let mut roles = Roles {
            bos: role(names.bos).or(before.first().copied()),
            eos: role(names.eos),
            unknown: role(unknown_name).or(file.model.unk_id),
            padding: role(names.padding),
            before,
            after,
            end_of_generation: Vec::new(),
        };

        let added_token = |token: &AddedTokenJson| AddedToken {
            id: token.id,
            text: token.content.clone().into_owned(),
            single_word: token.single_word,
            lstrip: token.lstrip,
            rstrip: token.rstrip,
        };
        let group = |wanted: &dyn Fn(&AddedTokenJson) -> bool| -> Vec<AddedToken> {
            file.added_tokens.iter().filter(|token| wanted(token)).map(added_token).collect()
        };
        let in_normalized = |token: &AddedTokenJson| token.normalized && !normalizers.is_empty();
        let control = group(&|token| token.special);
        let added = group(&|token| !token.special && !in_normalized(token));
        let mut added_normalized = group(&|token| !token.special && in_normalized(token));
        for token in &mut added_normalized {
            let text = Cow::Borrowed(token.text.as_str());
            token.text =
                normalizers.iter().fold(text, |text, normalizer| normalizer.apply(text)).into_owned();
        }
        roles.end_of_generation = end_of_generation(&control, [roles.eos, None, None]);
        Ok(Tokenizer {
            vocab,
            control: AddedTokens::new(control),
            added: AddedTokens::new(added),
            added_normalized: AddedTokens::new(added_normalized),
            normalizers,
            meta_spaces: cutting.meta_spaces,
            prefix: cutting.prefix,
            splitter: Splitter::new(cutting.stages),
            model,
            spelling,
            roles,
            warnings,
            control_guard: OnceLock::new(),
        })
    }
}

/// All tokens by id, those of the model and those added to it.
fn vocab(file: &File, byte_level: bool) -> Result<Vocab, TokenizerError> {
    let count = file.model.vocab.len() + file.added_tokens.len();
    let last = file.model.vocab.last_id().max(file.added_tokens.iter().map(|token| token.id).max());
    let Some(last) = last else { return Err(TokenizerError::NoTokens) };
    // A few ids may be missing; memory for many more than there are tokens is not set aside.
    if last as usize > count * 2 + 65_536 {
        return Err(TokenizerError::IdOutOfRange { what: "the last token", id: last.into(), tokens: count });
    }
    let byte_fallback = file.model.byte_fallback.unwrap_or(false);
    // Text, kind, and whether it is part of the model, where merges can make it.
    let mut entries: Vec<Option<(&str, TokenKind, bool)>> = vec![None; last as usize + 1];
    for (text, id) in file.model.vocab.entries() {
        let kind = match byte_token(text.as_bytes()) {
            Some(byte) if byte_fallback => TokenKind::Byte(byte),
            _ => TokenKind::Normal,
        };
        if let Some((other, ..)) = entries[id as usize].replace((text, kind, true)) {
            let why = format!("tokens {other:?} and {text:?} have the same id {id}");
            return Err(TokenizerError::Inconsistent(why));
        }
    }
    for token in &file.added_tokens {
        let kind = if token.special { TokenKind::Control } else { TokenKind::Added };
        let entry = &mut entries[token.id as usize];
        let in_model = entry.is_some_and(|(text, ..)| text == token.content);
        *entry = Some((&token.content, kind, in_model));
    }
    let mut vocab = Vocab::with_capacity(entries.len())?;
    for entry in entries {
        let (text, kind, in_model) = entry.unwrap_or(("", TokenKind::Unused, false));
        vocab.push(kind, |bytes| {
            if byte_level && in_model && kind != TokenKind::Control {
                return byte_level::decode_into(text.as_bytes(), bytes);
            }
            bytes.extend_from_slice(text.as_bytes());
            in_model
        })?;
    }
    Ok(vocab)
}

fn model(
    json: &ModelJson,
    vocab: &Vocab,
    byte_level: bool,
    warnings: &mut Vec<TokenizerWarning>,
) -> Result<Model, TokenizerError> {
    let kind = match (json.kind.as_deref(), &json.vocab) {
        (Some(kind), _) => kind,
        (None, VocabJson::Ids(_)) if json.merges.is_some() => "BPE",
        (None, VocabJson::Scores(_)) => "Unigram",
        (None, _) => "",
    };
    let byte_fallback = json.byte_fallback.unwrap_or(false);
    match (kind, &json.vocab) {
        ("BPE", VocabJson::Ids(ids)) => {
            refuse_set(&json.continuing_subword_prefix, "continuing_subword_prefix")?;
            refuse_set(&json.end_of_word_suffix, "end_of_word_suffix")?;
            if json.dropout.is_some_and(|dropout| dropout > 0.0) {
                return Err(unsupported("BPE with dropout"));
            }
            let unknown_id = match &json.unk_token {
                None => None,
                Some(name) => ids.iter().find(|(text, _)| text == name).map(|&(_, id)| id),
            };
            let units = if byte_level {
                let mut bytes = Box::new([NO_ID; 256]);
                for byte in 0..=255u8 {
                    bytes[byte as usize] = vocab.find(&[byte]).unwrap_or(NO_ID);
                }
                Units::Bytes(bytes)
            } else {
                Units::Chars
            };
            let unknown = Unknown {
                bytes: if byte_fallback { byte_tokens(vocab) } else { None },
                id: unknown_id,
                fuse: json.fuse_unk.unwrap_or(false),
            };
            let pairs = json.merges.as_ref().map(|merges| merges.pairs()).unwrap_or_default();
            let pairs = pairs.iter().map(|(left, right)| (left.as_bytes(), right.as_bytes()));
            let merges = Merges::Pairs(merge_list(vocab, byte_level, pairs, warnings));
            Ok(Model::Bpe(Bpe::new(vocab, merges, units, json.ignore_merges.unwrap_or(false), unknown)))
        }
        ("Unigram", VocabJson::Scores(entries)) => {
            let Some(unknown) = json.unk_id.filter(|&id| (id as usize) < entries.len()) else {
                return Err(TokenizerError::Inconsistent(
                    "the Unigram model's unk_id is missing or no token".into(),
                ));
            };
            if byte_level {
                return Err(unsupported("a Unigram model after ByteLevel"));
            }
            let mut scores = vec![0.0; vocab.len()];
            for (place, (_, score)) in scores.iter_mut().zip(entries) {
                *place = *score;
            }
            let bytes = if byte_fallback { byte_tokens(vocab) } else { None };
            Ok(Model::Unigram(Unigram::new(scores, unknown, bytes)))
        }
        (kind, _) => Err(unsupported(&format!("model {kind:?}"))),
    }
}

/// What the pre-tokeniser says.
#[derive(Debug)]
struct Cutting {
    stages: Vec<Stage>,
    prefix: Prefix,
    meta_spaces: bool,
    byte_level: bool,
}

impl Default for Cutting {
    fn default() -> Cutting {
        Cutting { stages: Vec::new(), prefix: Prefix::None, meta_spaces: false, byte_level: false }
    }
}

impl Cutting {
    fn add(&mut self, json: &Value) -> Result<(), TokenizerError> {
        if json.is_null() {
            return Ok(());
        }
        let kind = kind(json)?;
        if self.byte_level && kind != "Sequence" {
            return Err(unsupported(&format!("pre-tokenizer {kind:?} after ByteLevel")));
        }
        match kind {
            "Sequence" => list(json, "pretokenizers")?.iter().try_for_each(|part| self.add(part))?,
            "ByteLevel" => {
                if flag(json, "add_prefix_space", true) {
                    if !self.stages.is_empty() {
                        return Err(unsupported(
                            "pre-tokenizer ByteLevel with add_prefix_space after another one",
                        ));
                    }
                    self.prefix = Prefix::Always(" ".into());
                }
                if flag(json, "use_regex", true) {
                    self.stages.push(Stage::isolated(GPT2));
                }
                self.byte_level = true;
            }
            "Split" => {
                let pattern = pattern_source(&json["pattern"])?;
                self.stages.push(Stage::new(&pattern, behavior(json)?, flag(json, "invert", false))?);
            }
            "Digits" => {
                let each = flag(json, "individual_digits", false);
                let behavior = if each { Behavior::Isolated } else { Behavior::Contiguous };
                self.stages.push(Stage::new(r"\p{N}", behavior, false)?);
            }
            "Punctuation" => {
                let behavior = if json["behavior"].is_null() { Behavior::Isolated } else { behavior(json)? };
                self.stages.push(Stage::new(r"[\p{P}!-/:-@\[-`{-~]", behavior, false)?);
            }
            "Whitespace" => self.stages.push(Stage::new(r"\w+|[^\w\s]+", Behavior::Removed, true)?),
            "WhitespaceSplit" => self.stages.push(Stage::new(r"\s", Behavior::Removed, false)?),
            "CharDelimiterSplit" => {
                let delimiter = regex_syntax::escape(text(json, "delimiter")?);
                self.stages.push(Stage::new(&delimiter, Behavior::Removed, false)?);
            }
            "Metaspace" => {
                require_meta(json)?;
                if !self.stages.is_empty() {
                    return Err(unsupported("pre-tokenizer Metaspace after another one"));
                }
                self.meta_spaces = true;
                self.prefix = match prepend_scheme(json)? {
                    "always" => Prefix::Always(META.into()),
                    "first" => Prefix::First(META.into()),
                    _ => Prefix::None,
                };
                if flag(json, "split", true) {
                    self.stages.push(Stage::new("▁", Behavior::MergedWithNext, false)?);
                }
            }
            other => return Err(unsupported(&format!("pre-tokenizer {other:?}"))),
        }
        Ok(())
    }
}

fn add_normalizers(json: &Value, normalizers: &mut Vec<Normalizer>) -> Result<(), TokenizerError> {
    if json.is_null() {
        return Ok(());
    }
    normalizers.push(match kind(json)? {
        "Sequence" => {
            let parts = list(json, "normalizers")?;
            return parts.iter().try_for_each(|part| add_normalizers(part, normalizers));
        }
        "NFC" => Normalizer::Nfc,
        "NFD" => Normalizer::Nfd,
        "NFKC" => Normalizer::Nfkc,
        "NFKD" => Normalizer::Nfkd,
        "Lowercase" => Normalizer::Lowercase,
        "Prepend" => Normalizer::Prepend(text(json, "prepend")?.to_owned()),
        "Replace" => {
            let to = text(json, "content")?.to_owned();
            match json["pattern"]["String"].as_str() {
                Some(from) => Normalizer::ReplaceText { from: from.to_owned(), to },
                None => Normalizer::ReplacePattern {
                    pattern: Pattern::new(&pattern_source(&json["pattern"])?)?,
                    to,
                },
            }
        }
        "Strip" => {
            Normalizer::Strip { left: flag(json, "strip_left", true), right: flag(json, "strip_right", true) }
        }
        "StripAccents" => Normalizer::ReplacePattern { pattern: Pattern::new(r"\p{Mn}")?, to: String::new() },
        other => return Err(unsupported(&format!("normalizer {other:?}"))),
    });
    Ok(())
}

/// The ids before and after a text.
fn surroundings(
    json: &Value,
    named: &dyn Fn(&str) -> Option<u32>,
    tokens: usize,
) -> Result<(Vec<u32>, Vec<u32>), TokenizerError> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    if json.is_null() {
        return Ok((before, after));
    }
    match kind(json)? {
        "ByteLevel" => {}
        "Sequence" => {
            for part in list(json, "processors")? {
                let (first, last) = surroundings(part, named, tokens)?;
                before.splice(0..0, first);
                after.extend(last);
            }
        }
        "TemplateProcessing" => {
            let mut seen_text = false;
            for piece in list(json, "single")? {
                if piece["Sequence"].is_object() {
                    seen_text = true;
                    continue;
                }
                let name = text(&piece["SpecialToken"], "id")?;
                let ids = json["special_tokens"][name]["ids"].as_array();
                let ids = ids.ok_or_else(|| missing(&format!("post_processor.special_tokens.{name}.ids")))?;
                for id in ids {
                    let id = id.as_u64().filter(|&id| id < tokens as u64);
                    let id =
                        id.ok_or_else(|| missing(&format!("a valid id of {name:?} in post_processor")))?;
                    if seen_text { &mut after } else { &mut before }.push(id as u32);
                }
            }
        }
        "RobertaProcessing" | "BertProcessing" => {
            before.extend(json["cls"][0].as_str().and_then(named));
            after.extend(json["sep"][0].as_str().and_then(named));
        }
        other => return Err(unsupported(&format!("post-processor {other:?}"))),
    }
    Ok((before, after))
}

fn spelling(json: &Value, byte_level: bool) -> Result<Spelling, TokenizerError> {
    if byte_level {
        // Byte-level tokens spell bytes whatever decoder is named.
        return Ok(Spelling::Bytes);
    }
    let mut found = None;
    if !json.is_null() {
        add_spelling(json, &mut found)?;
    }
    found.ok_or_else(|| unsupported("a decoder that does not turn ▁ into a space"))
}

fn add_spelling(json: &Value, found: &mut Option<Spelling>) -> Result<(), TokenizerError> {
    match kind(json)? {
        "Sequence" => return list(json, "decoders")?.iter().try_for_each(|part| add_spelling(part, found)),
        "Fuse" | "ByteFallback" => {}
        "Replace" if json["pattern"]["String"] == "▁" && json["content"] == " " => {
            found.get_or_insert(Spelling::Meta { strip_first_space: false });
        }
        "Strip" if json["content"] == " " && json["start"].as_u64() <= Some(1) && json["stop"] == 0 => {
            *found = Some(Spelling::Meta { strip_first_space: json["start"] == 1 });
        }
        "Metaspace" => {
            require_meta(json)?;
            *found = Some(Spelling::Meta { strip_first_space: prepend_scheme(json)? != "never" });
        }
        other => return Err(unsupported(&format!("decoder {other:?} with these settings"))),
    }
    Ok(())
}

fn behavior(json: &Value) -> Result<Behavior, TokenizerError> {
    Ok(match text(json, "behavior")? {
        "Isolated" => Behavior::Isolated,
        "Removed" => Behavior::Removed,
        "MergedWithPrevious" => Behavior::MergedWithPrevious,
        "MergedWithNext" => Behavior::MergedWithNext,
        "Contiguous" => Behavior::Contiguous,
        other => return Err(unsupported(&format!("behavior {other:?}"))),
    })
}

fn pattern_source(json: &Value) -> Result<Cow<'_, str>, TokenizerError> {
    match (json["Regex"].as_str(), json["String"].as_str()) {
        (Some(regex), _) => Ok(Cow::Borrowed(regex)),
        (None, Some(literal)) => Ok(Cow::Owned(regex_syntax::escape(literal))),
        (None, None) => Err(missing("a pattern (Regex or String)")),
    }
}

fn prepend_scheme(json: &Value) -> Result<&str, TokenizerError> {
    match (json["prepend_scheme"].as_str(), json["add_prefix_space"].as_bool()) {
        (Some(scheme @ ("always" | "first" | "never")), _) => Ok(scheme),
        (Some(other), _) => Err(unsupported(&format!("prepend_scheme {other:?}"))),
        (None, Some(false)) => Ok("never"),
        (None, _) => Ok("always"),
    }
}

fn require_meta(json: &Value) -> Result<(), TokenizerError> {
    match json["replacement"].as_str() {
        Some("▁") => Ok(()),
        other => Err(unsupported(&format!("Metaspace with replacement {other:?}"))),
    }
}

fn refuse_set(value: &Option<String>, name: &str) -> Result<(), TokenizerError> {
    match value.as_deref() {
        None | Some("") => Ok(()),
        Some(_) => Err(unsupported(&format!("BPE with {name}"))),
    }
}

fn kind(json: &Value) -> Result<&str, TokenizerError> {
    text(json, "type")
}

fn text<'j>(json: &'j Value, key: &str) -> Result<&'j str, TokenizerError> {
    json[key].as_str().ok_or_else(|| missing(&format!("a string {key:?}")))
}

fn list<'j>(json: &'j Value, key: &str) -> Result<&'j [Value], TokenizerError> {
    json[key].as_array().map(Vec::as_slice).ok_or_else(|| missing(&format!("a list {key:?}")))
}

fn flag(json: &Value, key: &str, default: bool) -> bool {
    json[key].as_bool().unwrap_or(default)
}

fn missing(what: &str) -> TokenizerError {
    TokenizerError::Inconsistent(format!("{what} is missing"))
}

fn unsupported(what: &str) -> TokenizerError {
    TokenizerError::Unsupported { what: what.to_owned() }
}
