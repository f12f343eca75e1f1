//! The one request that every dialect is lowered to.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_dialogue::{Chat, Constraint, Sampling};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerateRequest {
    pub model: String,
    pub prompt: Prompt,
    pub sampling: Sampling,
    /// As many as the context holds when not given.
    pub tokens_max: Option<usize>,
    /// Texts that end the answer; not part of it.
    pub stop: Vec<String>,
    /// Report each token's log-probability, with this many alternatives.
    pub logprobs: Option<usize>,
    /// What the answer must look like.
    pub format: Option<Constraint>,
    /// Whose request it is: clients get equal turns.
    pub client: u64,
    /// To be answered within this time from now; what is there by then is the answer.
    pub deadline: Option<Duration>,
}

impl Default for GenerateRequest {
    fn default() -> GenerateRequest {
        GenerateRequest {
            model: String::new(),
            prompt: Prompt::Text(String::new()),
            sampling: drawn(),
            tokens_max: None,
            stop: Vec::new(),
            logprobs: None,
            format: None,
            client: 0,
            deadline: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Prompt {
    /// A conversation, for the model's chat template.
    Chat(Chat),
    /// Text to continue.
    Text(String),
    Tokens(Vec<u32>),
}

/// Where a request says nothing, the dialects draw tokens as the model has them.
pub(crate) fn drawn() -> Sampling {
    Sampling { temperature: 1.0, ..Sampling::default() }
}
