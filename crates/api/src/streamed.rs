//! Answers as a body that is written while they come.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use tokio::time::{Interval, MissedTickBehavior, interval};

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
    fn idle(&mut self, _out: &mut String) {}
    fn content_type(&self) -> &'static str {
        "text/event-stream"
    }
}

/// The answers of one request, interleaved as they come.
pub(crate) struct Streamed<R> {
    answers: Vec<Answer>,
    /// How many are not yet done.
    open: usize,
    render: R,
    meter: Meter,
    idle: Interval,
    begun: bool,
    ended: bool,
}

const IDLE_AFTER: Duration = Duration::from_secs(10);

impl<R: Render + Unpin> Streamed<R> {
    pub fn response(answers: Vec<Answer>, render: R, meter: Meter) -> Response {
        let mut idle = interval(IDLE_AFTER);
        idle.set_missed_tick_behavior(MissedTickBehavior::Delay);
        idle.reset();
        let headers = [(CONTENT_TYPE, render.content_type()), (CACHE_CONTROL, "no-cache")];
        let open = answers.len();
        let streamed = Streamed { answers, open, render, meter, idle, begun: false, ended: false };
        (headers, Body::from_stream(streamed)).into_response()
    }

    /// Appends what has come since the last time.
    fn advance(&mut self, context: &mut Context<'_>, out: &mut String) {
        if !self.begun {
            self.begun = true;
            self.render.begin(out);
        }
        for choice in 0..self.answers.len() {
            while let Poll::Ready(Some(next)) = self.answers[choice].poll_next(context) {
                match next {
                    Ok(delta) => {
                        self.meter.observe(choice, &delta);
                        self.open -= usize::from(matches!(delta, Delta::Done(_)));
                        self.render.push(choice, delta, out);
                    }
                    Err(failure) => {
                        self.meter.failed(&failure);
                        self.render.fail(&failure, out);
                        self.ended = true;
                        // The others stop too.
                        self.answers.clear();
                        return;
                    }
                }
            }
        }
        if self.open == 0 {
            self.ended = true;
            self.render.end(out);
            self.answers.clear();
        }
    }
}

impl<R: Render + Unpin> futures_core::Stream for Streamed<R> {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let mut out = String::new();
        self.advance(context, &mut out);
        if out.is_empty() && !self.ended && self.idle.poll_tick(context).is_ready() {
            self.render.idle(&mut out);
            // Registers with the timer for the next silence.
            let _ = self.idle.poll_tick(context);
        }
        if !out.is_empty() {
            self.idle.reset();
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
