//! A request that a client of this node waits for.

use std::time::{Duration, Instant};

use tandem_cluster::Answer;
use tandem_engine::{Event as TokenEvent, Finish, Sink, Usage};

pub struct FrontRequest {
    sink: Sink,
    prompt_tokens: usize,
    tokens: usize,
    asked: Instant,
    first: Option<Instant>,
}

/// Marks a refusal among the reasons of failed requests, so that it can be told apart from a loss.
pub(crate) const REFUSED: &str = "refused: ";

impl FrontRequest {
    pub fn new(sink: Sink, prompt_tokens: usize) -> FrontRequest {
        FrontRequest { sink, prompt_tokens, tokens: 0, asked: Instant::now(), first: None }
    }

    /// Nobody waits for it any more.
    pub fn cancel(mut self) {
        let usage = self.usage();
        (self.sink)(TokenEvent::Done(usage));
    }

    /// Passes an answer on. True if it was the last.
    pub fn take(&mut self, answer: Answer) -> bool {
        let damaged = || TokenEvent::Failed("an answer cannot be read".into());
        let event = match answer {
            Answer::Token { id, detail } => {
                self.tokens += 1;
                self.first.get_or_insert_with(Instant::now);
                let logprobs = detail.and_then(|detail| serde_json::from_slice(&detail).ok());
                TokenEvent::Token { id, logprobs }
            }
            Answer::Other(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|_| damaged()),
            Answer::Done(bytes) => match serde_json::from_slice::<Usage>(&bytes) {
                // As the client saw it, with the pauses.
                Ok(usage) => TokenEvent::Done(Usage {
                    tokens: self.tokens,
                    prompt_tokens: self.prompt_tokens,
                    ..self.timed(usage)
                }),
                Err(_) => damaged(),
            },
            Answer::Refused(bytes) => {
                TokenEvent::Failed(format!("{REFUSED}{}", String::from_utf8_lossy(&bytes)))
            }
            Answer::Lost(reason) | Answer::Unavailable(reason) => TokenEvent::Failed(reason),
        };
        let last = event.is_last();
        (self.sink)(event);
        last
    }

    fn usage(&self) -> Usage {
        self.timed(Usage {
            finish: Finish::Cancelled,
            prompt_tokens: self.prompt_tokens,
            cached_tokens: 0,
            tokens: self.tokens,
            first_token_after: Duration::ZERO,
            decoding_for: Duration::ZERO,
        })
    }

    fn timed(&self, usage: Usage) -> Usage {
        let first = self.first.unwrap_or_else(Instant::now);
        Usage { first_token_after: first - self.asked, decoding_for: first.elapsed(), ..usage }
    }
}
