//! An answer, from token events to what a client is shown.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use tandem_dialogue::{Alternative, Delta, Finish, Logprob, Summary};
use tandem_engine::{Event, Refused, Usage};
use tandem_text::{
    AnswerFormat, AnswerParser, AnswerPart, Calls, Detokenizer, StopMatcher, TokenKind, Tokenizer,
};

/// Why an answer ends without its last delta.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unanswered {
    /// The request cannot be answered, here or anywhere.
    #[error(transparent)]
    Refused(Refused),
    /// Whatever made the tokens is lost.
    #[error("the model stopped answering: {0}")]
    Lost(String),
}

/// What comes next of an answer.
pub type Next = Result<Delta, Unanswered>;

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
    pub fn push(&mut self, event: Event, deltas: &mut Vec<Next>) {
        match event {
            Event::Scored(_) | Event::Hidden(_) => {}
            Event::Token { id, logprobs } => {
                if self.is_stopped() {
                    return;
                }
                if let Some(logprobs) = logprobs {
                    let named = |id, logprob| self.named(id, logprob);
                    let token = named(id, logprobs.chosen);
                    let top = logprobs.top.iter().map(|other| named(other.id, other.logprob)).collect();
                    deltas.push(Ok(Delta::Logprob(Logprob { token, top })));
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
                deltas.push(Ok(Delta::Done(summary)));
            }
            Event::Refused(refused) => deltas.push(Err(Unanswered::Refused(refused))),
            Event::Failed(reason) => deltas.push(Err(Unanswered::Lost(reason))),
        }
    }

    /// More text of the answer.
    fn text(&mut self, text: &str, deltas: &mut Vec<Next>) {
        match &mut self.parser {
            Some(parser) => {
                parser.push(text, &mut self.parts);
                self.parts(deltas);
            }
            None => self.content(text, deltas),
        }
    }

    fn parts(&mut self, deltas: &mut Vec<Next>) {
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
                AnswerPart::Reasoning(text) => deltas.push(Ok(Delta::Reasoning(text))),
                AnswerPart::Call { name, id } => {
                    let id = id.unwrap_or_else(|| call_id(self.short_ids));
                    deltas.push(Ok(Delta::ToolCall { index: self.calls, id, name }));
                    self.calls += 1;
                }
                AnswerPart::Arguments(json) => {
                    let index = self.calls.saturating_sub(1);
                    deltas.push(Ok(Delta::ToolArguments { index, piece: json }));
                }
            }
        }
    }

    /// Content is what stop texts are looked for in.
    fn content(&mut self, text: &str, deltas: &mut Vec<Next>) {
        let flow = self.matcher.push(text);
        if !flow.text.is_empty() {
            deltas.push(Ok(Delta::Content(flow.text.to_owned())));
        }
        self.stopped_by = flow.stopped_by.map(|index| self.stops[index].clone());
    }

    /// Content that was held back because a stop text might have begun.
    fn flush(&mut self, deltas: &mut Vec<Next>) {
        let rest = if self.is_stopped() { "" } else { self.matcher.finish() };
        if !rest.is_empty() {
            deltas.push(Ok(Delta::Content(rest.to_owned())));
        }
    }

    fn named(&self, id: u32, logprob: f32) -> Alternative {
        Alternative { id, bytes: self.tokenizer.piece(id).into_owned(), logprob }
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
            loading_for: Duration::ZERO,
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
