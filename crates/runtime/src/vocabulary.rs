//! A model file's tokenizer.

use tandem_formats::{Gguf, MetadataError};
use tandem_loading::{FileError, ModelFile, read};
use tandem_text::{GgufVocab, SpecialNames, Tokenizer, tiktoken_json};

use crate::SpeechError;

pub fn tokenizer_of(file: &ModelFile) -> Result<Tokenizer, SpeechError> {
    let wrong = |source| SpeechError::Tokenizer { file: file.path().to_owned(), source };
    let Some(gguf) = file.gguf() else {
        let json = match tokenizer_json(file)? {
            Some(json) => json,
            None => read(&file.tokenizer_path())?,
        };
        let config = file.tokenizer_config()?;
        // A token is written as its text, or as an object that holds it.
        let text = |role: &str| {
            let token = config.get(role)?;
            token.as_str().or_else(|| token.get("content")?.as_str())
        };
        let names = SpecialNames {
            bos: text("bos_token"),
            eos: text("eos_token"),
            unknown: text("unk_token"),
            padding: text("pad_token"),
        };
        return Tokenizer::from_json(&json, names).map_err(wrong);
    };
    Tokenizer::from_gguf(&gguf_vocab(gguf).map_err(FileError::from)?).map_err(wrong)
}

/// The `tokenizer.json` of a folder, if it has a tokenizer in that form or in tiktoken's.
pub fn tokenizer_json(file: &ModelFile) -> Result<Option<String>, SpeechError> {
    let tiktoken = file.tiktoken_path();
    if file.tokenizer_path().exists() || !tiktoken.exists() {
        let path = file.tokenizer_path();
        return Ok(if path.exists() { Some(read(&path)?) } else { None });
    }
    let json = tiktoken_json(read(&tiktoken)?.as_bytes(), &file.tokenizer_config()?);
    json.map(Some).map_err(|source| SpeechError::Tokenizer { file: tiktoken, source })
}

fn gguf_vocab(gguf: &Gguf) -> Result<GgufVocab<'_>, MetadataError> {
    let metadata = gguf.metadata();
    let key = |name: &str| format!("tokenizer.ggml.{name}");
    let strings = |name: &str| -> Result<Vec<&[u8]>, MetadataError> {
        let array = metadata.find::<tandem_formats::Array>(&key(name))?;
        Ok(array
            .and_then(|array| array.strs())
            .map(|strs| strs.map(str::as_bytes).collect())
            .unwrap_or_default())
    };
    let list = |name: &str| metadata.find::<tandem_formats::Array>(&key(name));
    Ok(GgufVocab {
        model: metadata.get_str(&key("model"))?,
        pre: metadata.find(&key("pre"))?,
        tokens: strings("tokens")?,
        scores: list("scores")?.and_then(|array| array.to_vec()).unwrap_or_default(),
        token_types: list("token_type")?.and_then(|array| array.to_vec()).unwrap_or_default(),
        merges: strings("merges")?,
        bos: metadata.find(&key("bos_token_id"))?,
        eos: metadata.find(&key("eos_token_id"))?,
        eot: metadata.find(&key("eot_token_id"))?,
        eom: metadata.find(&key("eom_token_id"))?,
        unknown: metadata.find(&key("unknown_token_id"))?,
        padding: metadata.find(&key("padding_token_id"))?,
        add_bos: metadata.find(&key("add_bos_token"))?,
        add_eos: metadata.find(&key("add_eos_token"))?,
        add_space_prefix: metadata.find(&key("add_space_prefix"))?,
        joins_spaces: metadata.find(&key("remove_extra_whitespaces"))?,
        maps_characters: list("precompiled_charsmap")?.is_some_and(|map| !map.is_empty()),
    })
}
