//! What can be wrong with a tokenizer's description.

use crate::pattern::PatternError;

#[derive(Debug, thiserror::Error)]
pub enum TokenizerError {
    #[error(
        "tokenizer model {found:?} is not supported; supported are \"gpt2\" (byte-level BPE), \"llama\" \
         and \"gemma4\" (SentencePiece BPE), \"t5\" (Unigram)"
    )]
    UnknownModel { found: String },
    #[error("the vocabulary is empty; the file carries no tokenizer.ggml.tokens")]
    NoTokens,
    #[error("{found} tokens are listed, at most {max} are accepted; the file is broken or hostile")]
    TooManyTokens { found: usize, max: usize },
    #[error("the texts of the tokens up to {id} exceed 4 GiB; the file is broken or hostile")]
    VocabularyTooLarge { id: u32 },
    #[error("tokens {first} and {second} have the same text {text:?}; each text may occur once")]
    DuplicateToken { text: String, first: u32, second: u32 },
    #[error("{what} is token {id}, but there are only {tokens} tokens")]
    IdOutOfRange { what: &'static str, id: u64, tokens: usize },
    #[error("{what} has {found} entries for {tokens} tokens; one per token is needed")]
    WrongCount { what: &'static str, found: usize, tokens: usize },
    #[error("a SentencePiece vocabulary needs tokenizer.ggml.scores, and there are none")]
    NoScores,
    #[error(
        "{what} is set, which no tokenizer here can honour; only Unigram vocabularies without it are supported"
    )]
    UnsupportedKey { what: &'static str },
    #[error("tokenizer.json: {0}")]
    Json(#[from] serde_json::Error),
    #[error("tokenizer.json: {what} is not supported")]
    Unsupported { what: String },
    #[error("tokenizer.json: {0}")]
    Inconsistent(String),
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

/// Something odd that does not keep the tokenizer from working; show it to the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenizerWarning {
    #[error("pre-tokeniser {found:?} is not known: the default rules are used, and answers may be worse")]
    UnknownPreTokenizer { found: String },
    #[error("the file names no pre-tokeniser: the default rules are used, and answers may be worse")]
    NoPreTokenizer,
    #[error("{count} merges name tokens that do not exist and are ignored; the first is {first:?}")]
    MergesIgnored { count: usize, first: String },
    #[error(
        "token {id} {text:?} looks like a control token and is treated as one, though it is not marked so"
    )]
    ControlByName { id: u32, text: String },
}
