//! What a client asks for and what it hears.

use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

#[derive(Clone, Debug, Default)]
pub struct Request {
    pub prompt: Vec<u32>,
    /// Tokens to produce at most; as many as the context holds when not given.
    pub tokens_max: Option<usize>,
    /// Tokens that end the answer; they are reported, as the finish reason, not as output.
    pub stop: Vec<u32>,
    pub sampling: Sampling,
    /// Report each token's log-probability and this many of the likeliest others.
    pub logprobs: Option<usize>,
    /// Also report the log-probability of every prompt token after the first.
    pub score_prompt: bool,
}

/// How the next token is picked. Applied in this order: bias and penalties on the logits, temperature,
/// then top-k, top-p and min-p on what remains.
#[derive(Clone, Debug)]
pub struct Sampling {
    /// 0 picks the likeliest token.
    pub temperature: f32,
    /// Keep the k likeliest; 0 keeps all.
    pub top_k: usize,
    /// Keep the smallest set of tokens whose probabilities sum to at least this.
    pub top_p: f32,
    /// Keep tokens at least this probable relative to the likeliest.
    pub min_p: f32,
    /// Divides (or multiplies, when negative) the logits of tokens seen in prompt or answer; 1 is none.
    pub repetition_penalty: f32,
    /// Subtracted once per occurrence in the answer.
    pub frequency_penalty: f32,
    /// Subtracted once for any token present in the answer.
    pub presence_penalty: f32,
    /// Added to these tokens' logits.
    pub logit_bias: Vec<(u32, f32)>,
    /// The same seed and request give the same answer; drawn at random when not given.
    pub seed: Option<u64>,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling {
            temperature: 0.0,
            top_k: 0,
            top_p: 1.0,
            min_p: 0.0,
            repetition_penalty: 1.0,
            frequency_penalty: 0.0,
            presence_penalty: 0.0,
            logit_bias: Vec::new(),
            seed: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Log-probabilities of prompt tokens, in order; several events when the prompt is long.
    Scored(Vec<f32>),
    Token {
        id: u32,
        logprobs: Option<Box<Logprobs>>,
    },
    Done(Usage),
    /// The session is lost; nothing more will come.
    Failed(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Logprobs {
    pub chosen: f32,
    /// The likeliest tokens, in falling order.
    pub top: Vec<Logprob>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Logprob {
    pub id: u32,
    pub logprob: f32,
}

/// How a request went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    pub finish: Finish,
    pub prompt_tokens: usize,
    /// Prompt tokens that were already in the cache.
    pub cached_tokens: usize,
    pub tokens: usize,
    /// From submission to the first token.
    pub first_token_after: Duration,
    /// From the first token to the last.
    pub decoding_for: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// One of the request's stop tokens came.
    Stop(u32),
    /// `tokens_max` or the end of the context was reached.
    Length,
    Cancelled,
}

/// Why a request was not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    #[error("the prompt is empty; give at least one token")]
    EmptyPrompt,
    #[error(
        "the prompt has {prompt} tokens and {asked} more were asked for, but the context holds {context}; \
         shorten the prompt or open the model with a larger context"
    )]
    TooLong { prompt: usize, asked: usize, context: usize },
    #[error("token {token} is not in the vocabulary of {vocab}")]
    UnknownToken { token: u32, vocab: usize },
    #[error("{name} is {found}, expected {expected}")]
    BadSampling { name: &'static str, found: f32, expected: &'static str },
    #[error("{waiting} requests are waiting already, the most that may; try again later")]
    Busy { waiting: usize },
    #[error("the engine has stopped: {0}")]
    Stopped(String),
}

impl Request {
    /// Check everything that does not depend on the engine's load.
    pub(crate) fn check(&self, context: usize, vocab: usize) -> Result<(), Refused> {
        if self.prompt.is_empty() {
            return Err(Refused::EmptyPrompt);
        }
        let asked = self.tokens_max.unwrap_or(1).max(1);
        if self.prompt.len().saturating_add(asked) > context.saturating_add(usize::from(self.score_prompt)) {
            return Err(Refused::TooLong { prompt: self.prompt.len(), asked, context });
        }
        let biased = self.sampling.logit_bias.iter().map(|(token, _)| token);
        if let Some(token) = self.prompt.iter().chain(biased).find(|token| **token as usize >= vocab) {
            return Err(Refused::UnknownToken { token: *token, vocab });
        }
        self.sampling.check()
    }
}

impl Sampling {
    fn check(&self) -> Result<(), Refused> {
        let within = |name, found: f32, range: std::ops::RangeInclusive<f32>, expected| {
            if range.contains(&found) { Ok(()) } else { Err(Refused::BadSampling { name, found, expected }) }
        };
        within("temperature", self.temperature, 0.0..=100.0, "0 to 100")?;
        within("top_p", self.top_p, 0.0..=1.0, "0 to 1")?;
        within("min_p", self.min_p, 0.0..=1.0, "0 to 1")?;
        within("repetition_penalty", self.repetition_penalty, 0.01..=100.0, "0.01 to 100")?;
        within("frequency_penalty", self.frequency_penalty, -100.0..=100.0, "-100 to 100")?;
        within("presence_penalty", self.presence_penalty, -100.0..=100.0, "-100 to 100")?;
        for (_, bias) in &self.logit_bias {
            within("logit_bias", *bias, -1000.0..=1000.0, "-1000 to 1000")?;
        }
        Ok(())
    }
}
