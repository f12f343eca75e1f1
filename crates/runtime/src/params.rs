//! How to answer.

use std::time::Duration;

use tandem_engine::{Constraint, Sampling};

#[derive(Clone, Debug, Default)]
pub struct Params {
    pub sampling: Sampling,
    /// As many as the context holds when not given.
    pub tokens_max: Option<usize>,
    /// Texts that end the answer; not part of it.
    pub stop: Vec<String>,
    /// Report log-probabilities, with this many alternatives.
    pub logprobs: Option<usize>,
    /// What the answer must look like.
    pub constraint: Option<Constraint>,
    /// Who asks: requests of different clients take turns.
    pub client: u64,
    /// The answer ends this long after it was asked for.
    pub deadline: Option<Duration>,
}
