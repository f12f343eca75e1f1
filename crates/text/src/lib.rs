//! Everything between text and token ids: tokenizers, streaming detokenisation, stop strings, chat templates.
//!
//! The crate knows no file formats (a GGUF file's facts come in as a plain [`GgufVocab`], a `tokenizer.json` as its text),
//! no tensors and no network.
//!
//! - [`Tokenizer`]: text to ids and back. Built from GGUF metadata or `tokenizer.json`; both become one pipeline of
//!   added tokens, normalisers, a splitter and a model.
//! - [`Detokenizer`] and [`StopMatcher`]: a stream of ids to a stream of text, in whole characters, up to a stop string.
//! - [`ChatTemplate`]: a conversation to a prompt, by the Jinja template that comes with a model.
//! - [`AnswerParser`]: an answer's text to content, thoughts and calls of tools, by the model's [`AnswerFormat`].
//! - [`Grammar`]: which tokens may come next in an answer that must obey a [`Constraint`]; [`ShapedAnswer`] makes such constraints in a
//!   model's own format of thoughts and calls.
//!
//! What a user wrote never becomes a control token: [`Specials::Text`] for plain text, [`Segment`]s for prompts made by
//! a template.

mod added_tokens;
mod answer_format;
mod answer_parser;
mod bpe;
mod byte_level;
mod call_object;
mod char_set;
mod chat_template;
mod control_guard;
mod detokenizer;
mod error;
mod gguf_vocab;
mod grammar;
mod grammar_cost;
mod merge_list;
mod message;
mod model;
mod normalizer;
mod pattern;
mod pattern_parser;
mod pre_tokenizers;
mod python_json;
mod shaped_answer;
mod splitter;
mod stop_matcher;
mod strftime;
mod tiktoken;
mod tokenizer;
mod tokenizer_json;
mod tokenizer_json_model;
mod unigram;
mod vocab;

pub use answer_format::{AnswerFormat, Calls, Thoughts};
pub use answer_parser::{AnswerParser, Part as AnswerPart};
pub use chat_template::{ChatRequest, ChatTemplate, ChatTemplateError, FALLBACK_TEMPLATE};
pub use detokenizer::Detokenizer;
pub use error::{TokenizerError, TokenizerWarning};
pub use gguf_vocab::GgufVocab;
pub use grammar::{Grammar, GrammarError, GrammarMaker};
pub use grammar_cost::check_constraint;
pub use pattern::PatternError;
pub use pre_tokenizers::pre_tokenizer_names;
pub use shaped_answer::{Prelude, ShapedAnswer};
pub use stop_matcher::{Flow, StopMatcher};
pub use tiktoken::tiktoken_json;
pub use tokenizer::{Segment, Specials, Tokenizer};
pub use tokenizer_json::SpecialNames;
pub use vocab::TokenKind;

pub use tandem_dialogue::{Constraint, Content, Message, Part, Role, ToolCall, ToolChoice};
