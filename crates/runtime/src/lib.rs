//! One loaded model that speaks text.
//!
//! - [`ModelFile`] is a model on disk, GGUF or safetensors: its facts, tensors, tokenizer and template.
//! - [`Model`] is one in memory, with an engine running; [`Generation`] streams an answer as text.
//! - [`MemoryPlan`] says what a model will take before anything is loaded.
//!
//! This crate composes `formats`, `models`, `text`, `engine` and a backend. It knows no HTTP, no command line
//! and no other machines.

mod facts;
mod generation;
mod memory;
mod model;
mod model_file;

pub use facts::FileSource;
pub use generation::{Event, Finish, Generation, Params, Summary};
pub use memory::{MemoryPlan, available_bytes};
pub use model::{ChatError, LoadError, Model, Opened, Options};
pub use model_file::{FileError, ModelFile};

pub use tandem_engine::{Logprob, Logprobs, Refused, Sampling};
pub use tandem_tensor::CacheType;
pub use tandem_text::{Message, Role};
