//! A request that a client of this node waits for.

use std::time::{Duration, Instant};

use tandem_cluster::Answer;
use tandem_engine::{Event as TokenEvent, Finish, Request, Sink, Usage};

pub struct FrontRequest {
    sink: Sink,
    prompt_tokens: usize,
    tokens: usize,
    asked: Instant,
    first: Option<Instant>,
    deadline: Option<Duration>,
}

/// Whoever works on a request ends it at its deadline; where nobody does, it is ended here, this much later.
const GRACE: Duration = Duration::from_secs(1);

impl FrontRequest {
    pub fn new(sink: Sink, request: &Request) -> FrontRequest {
        FrontRequest {
            sink,
            prompt_tokens: request.prompt.len(),
            tokens: 0,
            asked: Instant::now(),
            first: None,
            deadline: request.deadline,
        }
    }

    pub fn is_overdue(&self) -> bool {
        self.deadline.is_some_and(|deadline| self.asked.elapsed() > deadline + GRACE)
    }

    /// Nothing more comes.
    pub fn end(mut self, finish: Finish) {
        let usage = self.usage(finish);
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
                serde_json::from_slice(&bytes).map_or_else(|_| damaged(), TokenEvent::Refused)
            }
            Answer::Lost(reason) | Answer::Unavailable(reason) => TokenEvent::Failed(reason),
        };
        let last = event.is_last();
        (self.sink)(event);
        last
    }

    fn usage(&self, finish: Finish) -> Usage {
        self.timed(Usage {
            finish,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_nobody_works_on_ends_at_its_deadline() {
        let (sender, events) = std::sync::mpsc::channel();
        let request = Request { deadline: Some(Duration::from_secs(2)), ..Request::default() };
        let sink = move |event| sender.send(event).unwrap();
        let mut front = FrontRequest::new(Box::new(sink), &request);
        assert!(!front.is_overdue());
        front.asked -= Duration::from_secs(4);
        assert!(front.is_overdue());
        front.end(Finish::Deadline);
        let ended = events.recv().unwrap();
        assert!(matches!(ended, TokenEvent::Done(usage) if usage.finish == Finish::Deadline), "{ended:?}");
    }
}
