//! Answers as a body that is written while they come.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Bytes;

use crate::answering::{Answering, Begun, Piece, Silence};
use crate::meter::Meter;
use crate::{Answer, Delta, Failure};

/// How a dialect writes a stream. It appends text to `out`; the shell sends it.
pub(crate) trait Render: Send + Sync + 'static {
    fn begin(&mut self, _out: &mut String) {}
    fn push(&mut self, choice: usize, delta: Delta, out: &mut String);
    /// All answers are done.
    fn end(&mut self, _out: &mut String) {}
    /// The status is long sent: the failure is told in the stream.
    fn fail(&mut self, failure: &Failure, out: &mut String);
    /// Written when nothing else was for a while, so that proxies and clients keep waiting.
    fn idle(&mut self, out: &mut String);
    fn content_type(&self) -> &'static str {
        "text/event-stream"
    }
}

/// The answers of one request, interleaved as they come.
pub(crate) struct Streamed<R> {
    /// Until the answers have begun.
    pending: Option<Pin<Box<dyn Future<Output = Begun> + Send>>>,
    answers: Vec<Answer>,
    /// How many are not yet done.
    open: usize,
    meter: Option<Meter>,
    render: R,
    silence: Silence,
    begun: bool,
    ended: bool,
}

impl<R: Render + Unpin> Streamed<R> {
    pub fn new(answering: Answering, begun: Option<(Vec<Answer>, Meter)>, render: R) -> Streamed<R> {
        let Answering { begun: future, silence } = answering;
        let pending = begun.is_none().then_some(future);
        let (answers, meter) = begun.map_or((Vec::new(), None), |(answers, meter)| (answers, Some(meter)));
        let open = answers.len();
        Streamed { pending, answers, open, meter, render, silence, begun: false, ended: false }
    }

    /// Appends what has come since the last time.
    fn advance(&mut self, context: &mut Context<'_>, out: &mut String) {
        if !self.begun {
            self.begun = true;
            self.render.begin(out);
        }
        if let Some(pending) = &mut self.pending {
            let Poll::Ready(begun) = pending.as_mut().poll(context) else { return };
            self.pending = None;
            match begun {
                Ok((answers, meter)) => {
                    self.open = answers.len();
                    (self.answers, self.meter) = (answers, Some(meter));
                }
                Err(failure) => return self.fail(&failure, out),
            }
        }
        for choice in 0..self.answers.len() {
            while let Poll::Ready(Some(next)) = self.answers[choice].poll_next(context) {
                match next {
                    Ok(delta) => {
                        self.meter.iter_mut().for_each(|meter| meter.observe(choice, &delta));
                        self.open -= usize::from(matches!(delta, Delta::Done(_)));
                        self.render.push(choice, delta, out);
                    }
                    Err(failure) => return self.fail(&failure, out),
                }
            }
        }
        if self.open == 0 {
            self.ended = true;
            self.render.end(out);
            self.answers.clear();
        }
    }

    fn fail(&mut self, failure: &Failure, out: &mut String) {
        self.meter.iter_mut().for_each(|meter| meter.failed(failure));
        self.render.fail(failure, out);
        self.ended = true;
        // The others stop too.
        self.answers.clear();
    }
}

impl<R: Render + Unpin> futures_core::Stream for Streamed<R> {
    type Item = Piece;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let mut out = String::new();
        self.advance(context, &mut out);
        if out.is_empty() && !self.ended && self.silence.poll_passed(context).is_ready() {
            self.render.idle(&mut out);
        }
        if !out.is_empty() {
            self.silence.broken();
            return Poll::Ready(Some(Ok(Bytes::from(out))));
        }
        if self.ended { Poll::Ready(None) } else { Poll::Pending }
    }
}

/// Appends one server-sent event.
pub(crate) fn event(out: &mut String, name: Option<&str>, data: &serde_json::Value) {
    if let Some(name) = name {
        out.push_str("event: ");
        out.push_str(name);
        out.push('\n');
    }
    out.push_str("data: ");
    out.push_str(&data.to_string());
    out.push_str("\n\n");
}
