//! What a client asks for and what it hears.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_dialogue::{Constraint, Sampling};

use crate::Picture;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RequestId(pub u64);

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub prompt: Vec<u32>,
    /// Pictures in the prompt, in order.
    pub pictures: Vec<Picture>,
    /// How many tokens at the end of `prompt` are really the answer so far. Penalties, the constraint, the random
    /// stream and the count of tokens go on from there as if the answer had never been interrupted; with a seed given, it
    /// is the same answer. Only tokens after these are reported.
    pub resumed: usize,
    /// Tokens to produce at most, resumed ones included. The engine produces as many as the context holds where that is less, or
    /// where this is not given.
    pub tokens_max: Option<usize>,
    /// Tokens that end the answer; they are reported, as the finish reason, not as output.
    pub stop: Vec<u32>,
    pub sampling: Sampling,
    /// Report each token's log-probability and this many of the likeliest others.
    pub logprobs: Option<usize>,
    /// Also report the log-probability of every prompt token after the first.
    pub score_prompt: bool,
    /// Report the mean of the prompt's hidden states and produce no tokens.
    pub embed: bool,
    /// What the answer must look like. The engine hands it to its [`Grammars`](crate::Grammars) as it is.
    pub constraint: Option<Constraint>,
    /// Who asks: requests of different clients take turns.
    pub client: u64,
    /// The answer ends this long after it was submitted, with what there is by then.
    pub deadline: Option<Duration>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// Log-probabilities of prompt tokens, in order; several events when the prompt is long.
    Scored(Vec<f32>),
    Token {
        id: u32,
        logprobs: Option<Box<Logprobs>>,
    },
    /// The mean over the prompt of the final hidden states.
    Hidden(Vec<f32>),
    Done(Usage),
    /// This request cannot go on, here or anywhere: asked again, it would end the same way. Nothing more will come.
    Refused(Refused),
    /// Whatever made the tokens is lost; nothing more will come. The request can go on elsewhere.
    Failed(String),
}

impl Event {
    /// Whether nothing comes after this.
    pub fn is_last(&self) -> bool {
        matches!(self, Event::Done(_) | Event::Refused(_) | Event::Failed(_))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Logprobs {
    pub chosen: f32,
    /// The likeliest tokens, in falling order.
    pub top: Vec<Logprob>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Logprob {
    pub id: u32,
    pub logprob: f32,
}

/// How a request went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub finish: Finish,
    pub prompt_tokens: usize,
    /// Prompt tokens that were already in the cache.
    pub cached_tokens: usize,
    /// Of the whole answer, resumed ones included.
    pub tokens: usize,
    /// From submission to the first token.
    pub first_token_after: Duration,
    /// From the first token to the last.
    pub decoding_for: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Finish {
    /// One of the request's stop tokens came.
    Stop(u32),
    /// `tokens_max` or the end of the context was reached.
    Length,
    /// The constraint is met and allows nothing more.
    Complete,
    Cancelled,
    /// The request's time was over.
    Deadline,
}

/// Why a request was not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error, Serialize, Deserialize)]
pub enum Refused {
    #[error("the prompt is empty; give at least one token")]
    EmptyPrompt,
    #[error(
        "the prompt has {prompt} tokens, but the context holds {context}, of which at least one is for the answer; \
         shorten the prompt or open the model with a larger context"
    )]
    TooLong { prompt: usize, context: usize },
    #[error("token {token} of the prompt is not in the vocabulary of {vocab}")]
    UnknownToken { token: u32, vocab: usize },
    #[error("token {token} of `logit_bias` is not in the vocabulary of {vocab}")]
    UnknownBias { token: u32, vocab: usize },
    #[error("{name} is {found}, expected {expected}")]
    BadSampling { name: Cow<'static, str>, found: f32, expected: Cow<'static, str> },
    #[error("{0} cannot be asked for together")]
    Conflict(Cow<'static, str>),
    #[error(
        "{resumed} tokens are to be resumed, but the prompt has {prompt}; one at least must come before them"
    )]
    BadResume { resumed: usize, prompt: usize },
    #[error("the constraint cannot be used: {0}")]
    BadConstraint(String),
    #[error("this model was opened without {0}")]
    Unsupported(Cow<'static, str>),
    #[error("{waiting} requests are waiting already, the most that may; try again later")]
    Busy { waiting: usize },
    #[error(
        "the model computed {0} that are not numbers; its weights may be damaged: `tandem pull` fetches them again"
    )]
    NotFinite(Cow<'static, str>),
    #[error("the engine has stopped: {0}")]
    Stopped(String),
    #[error(
        "this model sees no pictures here: it was loaded without what it would see them with; choose another model"
    )]
    NoSight,
    #[error("a picture of the prompt cannot be used: {0}")]
    BadPicture(String),
}

impl Request {
    /// Check everything that does not depend on the engine's load.
    pub(crate) fn check(&self, context: usize, vocab: usize) -> Result<(), Refused> {
        if self.prompt.is_empty() {
            return Err(Refused::EmptyPrompt);
        }
        if self.resumed >= self.prompt.len() {
            return Err(Refused::BadResume { resumed: self.resumed, prompt: self.prompt.len() });
        }
        if self.score_prompt && (self.resumed > 0 || self.embed) {
            return Err(Refused::Conflict(
                "scores of the prompt, and embeddings or a resumed answer,".into(),
            ));
        }
        if self.score_prompt && !self.pictures.is_empty() {
            return Err(Refused::Conflict("scores of the prompt and pictures".into()));
        }
        if self.embed && self.resumed > 0 {
            return Err(Refused::Conflict("embeddings and a resumed answer".into()));
        }
        // `tokens_max` is the most that is wanted: where the context holds fewer, the answer is shorter. Resumed tokens are
        // answer, not prompt.
        let prompt = self.prompt.len() - self.resumed;
        if prompt + usize::from(!self.score_prompt && !self.embed) > context {
            return Err(Refused::TooLong { prompt, context });
        }
        if let Some(token) = self.prompt.iter().find(|token| **token as usize >= vocab) {
            return Err(Refused::UnknownToken { token: *token, vocab });
        }
        let biased = self.sampling.logit_bias.iter().map(|(token, _)| *token);
        if let Some(token) = biased.into_iter().find(|token| *token as usize >= vocab) {
            return Err(Refused::UnknownBias { token, vocab });
        }
        check_sampling(&self.sampling)
    }
}

fn check_sampling(sampling: &Sampling) -> Result<(), Refused> {
    let within = |name, found: f32, range: std::ops::RangeInclusive<f32>, expected: &'static str| {
        if range.contains(&found) {
            return Ok(());
        }
        Err(Refused::BadSampling { name: Cow::Borrowed(name), found, expected: Cow::Borrowed(expected) })
    };
    within("temperature", sampling.temperature, 0.0..=100.0, "0 to 100")?;
    within("top_p", sampling.top_p, 0.0..=1.0, "0 to 1")?;
    within("min_p", sampling.min_p, 0.0..=1.0, "0 to 1")?;
    within("repetition_penalty", sampling.repetition_penalty, 0.01..=100.0, "0.01 to 100")?;
    within("frequency_penalty", sampling.frequency_penalty, -100.0..=100.0, "-100 to 100")?;
    within("presence_penalty", sampling.presence_penalty, -100.0..=100.0, "-100 to 100")?;
    for (_, bias) in &sampling.logit_bias {
        within("logit_bias", *bias, -1000.0..=1000.0, "-1000 to 1000")?;
    }
    Ok(())
}
