//! The vocabulary of requests and answers, shared by everything from the HTTP dialects down to the engine.
//!
//! - [`Chat`]: a conversation that wants an answer, with its [`Message`]s and [`Tool`]s.
//! - [`Sampling`] and [`Constraint`]: how the answer's tokens are picked, and what it must look like.
//! - [`Delta`]: the next part of an answer; the last is `Done` with a [`Summary`].
//!
//! Plain data. It knows no tokens' texts, no templates, no HTTP.

mod chat;
mod constraint;
mod delta;
mod message;
mod sampling;

pub use chat::{Chat, Effort, Tool, ToolChoice};
pub use constraint::Constraint;
pub use delta::{Alternative, Delta, Finish, Logprob, Summary};
pub use message::{Content, Message, Part, Role, ToolCall};
pub use sampling::Sampling;
