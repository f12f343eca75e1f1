//! An answer, from token events to what a client is shown.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_engine::{Event, Logprob, Usage};
use tandem_text::{Detokenizer, StopMatcher, Tokenizer};

/// The next part of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Delta {
    /// More of the answer, in whole characters.
    Content(String),
    /// More of what the model thinks before it answers.
    Reasoning(String),
    /// The model wants a tool called; its arguments follow.
    ToolCall {
        index: usize,
        id: String,
        name: String,
    },
    /// More of the JSON text of a tool call's arguments.
    Arguments {
        index: usize,
        json: String,
    },
    /// How likely a token was, where that was asked for; its text comes in other deltas.
    Logprobs(Box<TokenLogprobs>),
    /// The mean of the prompt's hidden states, where that was asked for.
    Hidden(Vec<f32>),
    Done(Summary),
    Failed(String),
}

impl Delta {
    /// Whether nothing comes after this.
    pub fn is_last(&self) -> bool {
        matches!(self, Delta::Done(_) | Delta::Failed(_))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokenLogprobs {
    pub token: TokenLogprob,
    /// The likeliest, in falling order.
    pub top: Vec<TokenLogprob>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokenLogprob {
    pub id: u32,
    /// What the token stands for; not always whole characters.
    pub bytes: Vec<u8>,
    pub logprob: f32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub finish: Finish,
    pub prompt_tokens: usize,
    pub cached_tokens: usize,
    pub tokens: usize,
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
    Length,
    Cancelled,
    /// The request's time was over.
    Deadline,
}

/// Turns one request's events into deltas. It neither waits nor starts anything: whoever drives it hands it events and
/// cancels the request once it [`is_stopped`](Reply::is_stopped).
pub struct Reply {
    tokenizer: Arc<Tokenizer>,
    detokenizer: Detokenizer<Arc<Tokenizer>>,
    stops: Vec<String>,
    matcher: StopMatcher,
    stopped_by: Option<String>,
}

impl Reply {
    pub(crate) fn new(tokenizer: Arc<Tokenizer>, stops: Vec<String>) -> Reply {
        Reply {
            // An answer continues its prompt.
            detokenizer: Detokenizer::continuing(Arc::clone(&tokenizer)),
            tokenizer,
            matcher: StopMatcher::new(stops.clone()),
            stops,
            stopped_by: None,
        }
    }

    /// A stop text came: the request can be cancelled. Its `Done` still makes the last delta.
    pub fn is_stopped(&self) -> bool {
        self.stopped_by.is_some()
    }

    /// Take an event; what it means is appended to `deltas`.
    pub fn push(&mut self, event: Event, deltas: &mut Vec<Delta>) {
        match event {
            Event::Scored(_) => {}
            Event::Hidden(values) => deltas.push(Delta::Hidden(values)),
            Event::Token { id, logprobs } => {
                if self.is_stopped() {
                    return;
                }
                if let Some(logprobs) = logprobs {
                    let named = |id, logprob| self.named(Logprob { id, logprob });
                    let token = named(id, logprobs.chosen);
                    let top = logprobs.top.iter().map(|other| named(other.id, other.logprob)).collect();
                    deltas.push(Delta::Logprobs(Box::new(TokenLogprobs { token, top })));
                }
                let flow = self.matcher.push(self.detokenizer.push(id));
                if !flow.text.is_empty() {
                    deltas.push(Delta::Content(flow.text.to_owned()));
                }
                self.stopped_by = flow.stopped_by.map(|index| self.stops[index].clone());
            }
            Event::Done(usage) => {
                if !self.is_stopped() {
                    let flow = self.matcher.push(self.detokenizer.finish());
                    let mut rest = flow.text.to_owned();
                    self.stopped_by = flow.stopped_by.map(|index| self.stops[index].clone());
                    if !self.is_stopped() {
                        rest.push_str(self.matcher.finish());
                    }
                    if !rest.is_empty() {
                        deltas.push(Delta::Content(rest));
                    }
                }
                let summary = self.summary(usage);
                deltas.push(Delta::Done(summary));
            }
            Event::Failed(reason) => deltas.push(Delta::Failed(reason)),
        }
    }

    fn named(&self, token: Logprob) -> TokenLogprob {
        let Logprob { id, logprob } = token;
        TokenLogprob { id, bytes: self.tokenizer.piece(id).into_owned(), logprob }
    }

    fn summary(&self, usage: Usage) -> Summary {
        use tandem_engine::Finish as Ended;
        let finish = match (&self.stopped_by, usage.finish) {
            (Some(text), _) => Finish::Stop(text.clone()),
            (None, Ended::Stop(_) | Ended::Complete) => Finish::End,
            (None, Ended::Length) => Finish::Length,
            (None, Ended::Cancelled) => Finish::Cancelled,
            (None, Ended::Deadline) => Finish::Deadline,
        };
        Summary {
            finish,
            prompt_tokens: usage.prompt_tokens,
            cached_tokens: usage.cached_tokens,
            tokens: usage.tokens,
            first_token_after: usage.first_token_after,
            decoding_for: usage.decoding_for,
        }
    }
}
