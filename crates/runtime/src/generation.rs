//! An answer as it is being written.

use std::sync::Arc;
use std::time::Duration;

use tandem_engine::{Logprobs, Sampling, Stream, Usage};
use tandem_text::{Detokenizer, StopMatcher, Tokenizer};

/// How to answer.
#[derive(Clone, Debug, Default)]
pub struct Params {
    pub sampling: Sampling,
    /// As many as the context holds when not given.
    pub tokens_max: Option<usize>,
    /// Texts that end the answer; not part of it.
    pub stop: Vec<String>,
    /// Report log-probabilities, with this many alternatives.
    pub logprobs: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// More of the answer, in whole characters.
    Text(String),
    /// A token and its log-probabilities, where they were asked for; its text comes in `Text` events.
    Logprobs {
        token: u32,
        logprobs: Box<Logprobs>,
    },
    Done(Summary),
    Failed(String),
}

#[derive(Clone, Debug, PartialEq)]
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model ended its turn.
    End,
    /// This stop text came.
    Stop(String),
    Length,
    Cancelled,
}

/// Streams one answer. Dropping it stops the work.
pub struct Generation {
    stream: Stream,
    detokenizer: Detokenizer<Arc<Tokenizer>>,
    stops: Vec<String>,
    matcher: StopMatcher,
    stopped_by: Option<String>,
    queue: std::collections::VecDeque<Event>,
    done: bool,
}

impl Generation {
    pub(crate) fn new(stream: Stream, tokenizer: Arc<Tokenizer>, stops: Vec<String>) -> Generation {
        Generation {
            stream,
            // An answer continues its prompt.
            detokenizer: Detokenizer::continuing(tokenizer),
            matcher: StopMatcher::new(stops.clone()),
            stops,
            stopped_by: None,
            queue: std::collections::VecDeque::new(),
            done: false,
        }
    }

    /// Stop soon; `Done` still comes.
    pub fn cancel(&self) {
        self.stream.cancel();
    }

    /// A way to cancel from elsewhere, such as a signal handler's thread.
    pub fn canceller(&self) -> impl Fn() + Send + 'static {
        self.stream.canceller()
    }

    /// The whole answer.
    pub fn text(self) -> Result<(String, Summary), String> {
        let mut text = String::new();
        for event in self {
            match event {
                Event::Text(more) => text.push_str(&more),
                Event::Logprobs { .. } => {}
                Event::Done(summary) => return Ok((text, summary)),
                Event::Failed(reason) => return Err(reason),
            }
        }
        Err("the answer ended early".into())
    }

    fn take(&mut self, event: tandem_engine::Event) {
        match event {
            tandem_engine::Event::Scored(_) => {}
            tandem_engine::Event::Token { id, logprobs } => {
                if self.stopped_by.is_some() {
                    return;
                }
                if let Some(logprobs) = logprobs {
                    self.queue.push_back(Event::Logprobs { token: id, logprobs });
                }
                let flow = self.matcher.push(self.detokenizer.push(id));
                if !flow.text.is_empty() {
                    self.queue.push_back(Event::Text(flow.text.to_owned()));
                }
                if let Some(index) = flow.stopped_by {
                    self.stopped_by = Some(self.stops[index].clone());
                    self.stream.cancel();
                }
            }
            tandem_engine::Event::Done(usage) => {
                if self.stopped_by.is_none() {
                    let flow = self.matcher.push(self.detokenizer.finish());
                    let mut rest = flow.text.to_owned();
                    if let Some(index) = flow.stopped_by {
                        self.stopped_by = Some(self.stops[index].clone());
                    } else {
                        rest.push_str(self.matcher.finish());
                    }
                    if !rest.is_empty() {
                        self.queue.push_back(Event::Text(rest));
                    }
                }
                let summary = self.summary(usage);
                self.queue.push_back(Event::Done(summary));
            }
            tandem_engine::Event::Failed(reason) => self.queue.push_back(Event::Failed(reason)),
        }
    }

    fn summary(&mut self, usage: Usage) -> Summary {
        let finish = match (self.stopped_by.take(), usage.finish) {
            (Some(text), _) => Finish::Stop(text),
            (None, tandem_engine::Finish::Stop(_)) => Finish::End,
            (None, tandem_engine::Finish::Length) => Finish::Length,
            (None, tandem_engine::Finish::Cancelled) => Finish::Cancelled,
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

impl Iterator for Generation {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        if self.done {
            return None;
        }
        while self.queue.is_empty() {
            let event = self.stream.next()?;
            self.take(event);
        }
        let event = self.queue.pop_front()?;
        self.done = matches!(event, Event::Done(_) | Event::Failed(_));
        Some(event)
    }
}
