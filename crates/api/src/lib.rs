//! The HTTP APIs people's tools already speak, over one [`Service`].
//!
//! - A *dialect* (`openai_chat`, `openai_completions`, `openai_responses`, `anthropic`, `ollama`, …) is one file: it reads its
//!   own fields, lowers them to a [`GenerateRequest`], and renders [`Delta`]s in its own shape, streamed or whole.
//! - [`Service`] is whatever answers: one process, local nodes, or a cluster.
//! - [`Failure`] is every way to say no; each dialect words it as its clients expect.
//!
//! A field of a request is honoured or refused by name, never ignored: only what is known to change no answer (`user`,
//! `metadata`, …) is let through.
//!
//! This crate knows HTTP and JSON. It knows no tokenizer, no tensors and no peers.

mod answer;
mod failure;
mod request;
mod service;

pub use answer::{Alternative, Answer, Delta, Finish, Logprob, Summary};
pub use failure::Failure;
pub use request::{
    Content, Effort, Format, GenerateRequest, Message, Part, Prompt, Role, Sampling, Tool, ToolCall,
    ToolChoice,
};
pub use service::{
    EmbedInput, Embeddings, Health, Later, Metric, MetricKind, ModelCard, PullProgress, Running, Service,
};
