//! One loaded model that speaks text.
//!
//! - [`ModelFile`] is a model on disk, GGUF or safetensors: its facts, tensors, tokenizer and template.
//! - [`Speech`] is a model's text side, made without its weights: conversations to requests, and events to the [`Delta`]s
//!   of a [`Reply`].
//! - [`Model`] is speech with what makes the tokens: an engine here, or one elsewhere. [`Generation`] streams an answer to
//!   a thread that waits for it.
//! - [`MemoryPlan`] says what a model will take before anything is loaded.
//!
//! This crate composes `formats`, `models`, `text`, `engine` and a backend. It knows no HTTP, no command line
//! and no other machines.

mod chat;
mod facts;
mod generation;
mod grammars;
mod memory;
mod model;
mod model_file;
mod params;
mod reply;
mod speech;

pub use chat::{Chat, Effort, PromptError};
pub use facts::FileSource;
pub use generation::Generation;
pub use grammars::grammars_of;
pub use memory::{MemoryPlan, available_bytes};
pub use model::{ChatError, LoadError, Model, Opened, Options, PREFILL_CHUNK};
pub use model_file::{FileError, ModelFile, translate_config};
pub use params::Params;
pub use reply::{Delta, Finish, Reply, Summary, TokenLogprob, TokenLogprobs};
pub use speech::{Speech, SpeechError};

pub use tandem_devices::{Device, DeviceError, Registry};
pub use tandem_engine::{Constraint, Load, Refused, Sampling, Ticket, Tokens};
pub use tandem_tensor::CacheType;
pub use tandem_text::{Content, Message, Role, ToolCall, ToolChoice};
