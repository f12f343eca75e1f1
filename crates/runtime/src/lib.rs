//! One loaded model that speaks text.
//!
//! - [`Speech`] is a model's text side, made without its weights: conversations to requests, and events to the [`Delta`]s
//!   of a [`Reply`], in the words of `dialogue`.
//! - [`Model`] is speech with what makes the tokens: an engine here, or one elsewhere. [`Generation`] streams an answer to
//!   a thread that waits for it.
//!
//! This crate composes `loading`, `text` and `engine`. It knows no HTTP, no command line
//! and no other machines.

mod chat;
mod generation;
mod grammars;
mod model;
mod params;
mod reply;
mod sight;
mod speech;
mod vocabulary;

pub use chat::PromptError;
pub use generation::Generation;
pub use grammars::grammars_at;
pub use model::{ChatError, Model};
pub use params::Params;
pub use reply::{Next, Reply, Unanswered};
pub use speech::{Speech, SpeechError};
pub use vocabulary::{tokenizer_json, tokenizer_of};

pub use tandem_devices::{Device, DeviceError, Found, Registry, Setup, cache_folder};
pub use tandem_dialogue::{
    Alternative, Chat, Constraint, Content, Delta, Effort, Finish, Logprob, Message, Part, Role, Sampling,
    Summary, Tool, ToolCall, ToolChoice,
};
pub use tandem_engine::{Load, Refused, Ticket, Tokens};
pub use tandem_loading::{
    FileError, FileSource, Kept, LoadError, MemoryPlan, ModelFile, Options, RankPart, TowerPlan,
    available_bytes, resident_bytes, translate_config,
};
pub use tandem_tensor::CacheType;
