//! An answer as it is being written.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The next part of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Delta {
    /// More of the answer, in whole characters.
    Content(String),
    /// More of what the model thinks before it answers.
    Reasoning(String),
    /// A call begins. Its arguments, JSON text, come in pieces.
    ToolCall {
        index: usize,
        id: String,
        name: String,
    },
    ToolArguments {
        index: usize,
        piece: String,
    },
    /// One token of the answer, where log-probabilities were asked for; its text comes in the other deltas.
    Logprob(Logprob),
    Done(Summary),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Logprob {
    pub token: Alternative,
    /// The likeliest tokens, in falling order.
    pub top: Vec<Alternative>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    pub id: u32,
    /// A token may be a part of a character.
    pub bytes: Vec<u8>,
    pub logprob: f32,
}

/// How an answer went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub finish: Finish,
    pub prompt_tokens: usize,
    /// Prompt tokens that were already in the cache.
    pub cached_tokens: usize,
    pub tokens: usize,
    /// Of these, how many were thought.
    pub reasoning_tokens: usize,
    /// Loading the model, where the request had to wait for it.
    pub loading_for: Duration,
    /// From submission to the first token.
    pub first_token_after: Duration,
    /// From the first token to the last.
    pub decoding_for: Duration,
}

impl Summary {
    /// Decoding speed, once there are two tokens to measure between.
    pub fn tokens_per_second(&self) -> Option<f64> {
        (self.tokens > 1).then(|| (self.tokens - 1) as f64 / self.decoding_for.as_secs_f64())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Finish {
    /// The model ended its turn.
    End,
    /// This stop text came.
    Stop(String),
    /// It ends with calls of tools.
    ToolCalls,
    /// The most tokens, or the end of the context.
    Length,
    /// Somebody stopped it.
    Cancelled,
    /// The request's time was over.
    Deadline,
}
