//! An answer, from token events to what a client is shown.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_engine::{Event, Logprob, Refused, Usage};
use tandem_text::{
    AnswerFormat, AnswerParser, AnswerPart, Calls, Detokenizer, StopMatcher, TokenKind, Tokenizer,
};

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
    /// The request cannot be answered, here or anywhere.
    Refused(Refused),
    /// Whatever made the tokens is lost.
    Failed(String),
}

impl Delta {
    /// Whether nothing comes after this.
    pub fn is_last(&self) -> bool {
        matches!(self, Delta::Done(_) | Delta::Refused(_) | Delta::Failed(_))
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
    /// Of these, how many were thought.
    pub reasoning_tokens: usize,
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
    /// The model ended its turn with calls of tools.
    ToolCalls,
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
    /// Without one, all text is content.
    parser: Option<AnswerParser>,
    /// Control tokens the parser wants to see.
    marks: Vec<u32>,
    short_ids: bool,
    parts: Vec<AnswerPart>,
    calls: usize,
    reasoning_tokens: usize,
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
            parser: None,
            marks: Vec::new(),
            short_ids: false,
            parts: Vec::new(),
            calls: 0,
            reasoning_tokens: 0,
        }
    }

    /// Part the answer into content, thoughts and calls.
    pub(crate) fn parsed_by(mut self, parser: AnswerParser, format: AnswerFormat) -> Reply {
        let marks = format.marks().iter().copied().chain(format.thought_marks());
        self.marks = marks.filter_map(|mark| self.tokenizer.token_named(mark)).collect();
        // Mistral's templates insist on ids of nine letters.
        self.short_ids = matches!(format.calls, Calls::MistralList | Calls::MistralArgs);
        self.parser = Some(parser);
        self
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
                if self.parser.as_ref().is_some_and(AnswerParser::is_thinking) {
                    self.reasoning_tokens += 1;
                }
                let is_mark = self.tokenizer.kind(id) == TokenKind::Control && self.marks.contains(&id);
                let text = match is_mark {
                    true => {
                        let mut text = self.detokenizer.finish().to_owned();
                        text.push_str(&String::from_utf8_lossy(&self.tokenizer.piece(id)));
                        text
                    }
                    false => self.detokenizer.push(id).to_owned(),
                };
                self.text(&text, deltas);
            }
            Event::Done(usage) => {
                if !self.is_stopped() {
                    let rest = self.detokenizer.finish().to_owned();
                    self.text(&rest, deltas);
                    if let Some(parser) = &mut self.parser {
                        parser.finish(&mut self.parts);
                        self.parts(deltas);
                    }
                    self.flush(deltas);
                }
                let summary = self.summary(usage);
                deltas.push(Delta::Done(summary));
            }
            Event::Refused(refused) => deltas.push(Delta::Refused(refused)),
            Event::Failed(reason) => deltas.push(Delta::Failed(reason)),
        }
    }

    /// More text of the answer.
    fn text(&mut self, text: &str, deltas: &mut Vec<Delta>) {
        match &mut self.parser {
            Some(parser) => {
                parser.push(text, &mut self.parts);
                self.parts(deltas);
            }
            None => self.content(text, deltas),
        }
    }

    fn parts(&mut self, deltas: &mut Vec<Delta>) {
        for part in std::mem::take(&mut self.parts) {
            if self.is_stopped() {
                return;
            }
            match part {
                AnswerPart::Content(text) => {
                    self.content(&text, deltas);
                    continue;
                }
                _ => self.flush(deltas),
            }
            match part {
                AnswerPart::Content(_) => {}
                AnswerPart::Reasoning(text) => deltas.push(Delta::Reasoning(text)),
                AnswerPart::Call { name, id } => {
                    let id = id.unwrap_or_else(|| call_id(self.short_ids));
                    deltas.push(Delta::ToolCall { index: self.calls, id, name });
                    self.calls += 1;
                }
                AnswerPart::Arguments(json) => {
                    deltas.push(Delta::Arguments { index: self.calls.saturating_sub(1), json });
                }
            }
        }
    }

    /// Content is what stop texts are looked for in.
    fn content(&mut self, text: &str, deltas: &mut Vec<Delta>) {
        let flow = self.matcher.push(text);
        if !flow.text.is_empty() {
            deltas.push(Delta::Content(flow.text.to_owned()));
        }
        self.stopped_by = flow.stopped_by.map(|index| self.stops[index].clone());
    }

    /// Content that was held back because a stop text might have begun.
    fn flush(&mut self, deltas: &mut Vec<Delta>) {
        let rest = if self.is_stopped() { "" } else { self.matcher.finish() };
        if !rest.is_empty() {
            deltas.push(Delta::Content(rest.to_owned()));
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
            (None, Ended::Stop(_) | Ended::Complete) if self.calls > 0 => Finish::ToolCalls,
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
            reasoning_tokens: self.reasoning_tokens,
            first_token_after: usage.first_token_after,
            decoding_for: usage.decoding_for,
        }
    }
}

/// An id that no other call has.
fn call_id(short: bool) -> String {
    const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let length = if short { 9 } else { 24 };
    let letters = (0..length).map(|_| {
        let random = RandomState::new().hash_one(length);
        char::from(LETTERS[(random % LETTERS.len() as u64) as usize])
    });
    let prefix = if short { "" } else { "call_" };
    prefix.chars().chain(letters).collect()
}
