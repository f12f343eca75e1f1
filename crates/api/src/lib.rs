//! The HTTP APIs of OpenAI, Anthropic and Ollama, over one [`Service`].
//!
//! - A *dialect* (`openai/chat`, `openai/responses`, `anthropic/messages`, `ollama/chat`, …) is one file: it reads its own
//!   fields, lowers them to a [`GenerateRequest`], and renders [`Delta`]s in its own shape, streamed or whole.
//! - [`Service`] is whatever answers: one process, local nodes, or a cluster.
//! - [`Server`] serves all dialects on one socket; every request passes the same gate (`front`).
//! - [`Failure`] says why a request is refused or fails; each dialect writes it as its clients expect.
//!
//! A field of a request is honoured or refused by name, never ignored: only what is known to change no answer (`user`,
//! `metadata`, …) is let through.
//!
//! This crate knows HTTP and JSON. It knows no tokenizer, no tensors and no peers.

#[cfg(test)]
extern crate self as tandem_api;

mod answer;
mod answering;
mod anthropic;
mod clock;
mod connections;
mod dialect;
mod failure;
mod feed;
mod fields;
mod front;
mod gate;
mod keys;
mod management;
mod meter;
mod ollama;
mod openai;
mod openapi;
mod operations;
mod pictures;
mod pulls;
mod request;
mod sampling_fields;
mod server;
mod service;
mod streamed;
mod whole;

pub use answer::{Answer, Progress};
pub use failure::Failure;
pub use front::Settings;
pub use keys::{Key, KeyError, KeyLimits, Keys};
pub use meter::{Counts, Totals, UnderWay};
pub use request::{GenerateRequest, Prompt};
pub use server::Server;
pub use service::{
    EmbedInput, Embeddings, Health, Later, Metric, MetricKind, ModelCard, PullProgress, Running, Service,
};

pub use tandem_dialogue::{
    Alternative, Chat, Constraint, Content, Delta, Effort, Finish, Logprob, Message, Part, Role, Sampling,
    Summary, Tool, ToolCall, ToolChoice,
};
