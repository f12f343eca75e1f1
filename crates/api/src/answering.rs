//! From a request's answers to its response: streamed as they come, or sent when they are whole.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::meter::Meter;
use crate::streamed::{Render, Streamed};
use crate::whole::Whole;
use crate::{Answer, Failure};

pub(crate) type Begun = Result<(Vec<Answer>, Meter), Failure>;

/// Answers that were asked for. They come once the model is loaded and has taken the requests.
///
/// A client that waits is sent signs of life, so that it and the proxies between keep waiting. They are also how a client
/// that has left is told from one that only closed its sending side, as some do after their request.
pub(crate) struct Answering {
    pub begun: Pin<Box<dyn Future<Output = Begun> + Send>>,
    pub silence: Silence,
}

impl Answering {
    /// Written by `render` while they come. The status is sent after the first silence, whatever comes later.
    pub async fn streamed<R: Render + Unpin>(mut self, render: R) -> Result<Response, Failure> {
        let begun = tokio::select! {
            begun = &mut self.begun => Some(begun?),
            () = self.silence.passed() => None,
        };
        let headers = [(CONTENT_TYPE, render.content_type()), (CACHE_CONTROL, "no-cache")];
        let streamed = Streamed::new(self, begun, render);
        Ok((headers, Body::from_stream(streamed)).into_response())
    }

    /// Sent as `render` has it when they are whole. The status is sent after the first silence since they began; where they fail later,
    /// the connection breaks off.
    pub async fn whole(
        self,
        render: impl FnOnce(Vec<Whole>) -> Value + Send + 'static,
    ) -> Result<Response, Failure> {
        let (answers, meter) = self.begun.await?;
        let mut silence = self.silence;
        silence.broken();
        let mut whole = Box::pin(async move { Ok(render(Whole::collect_all(answers, meter).await?)) });
        tokio::select! {
            whole = &mut whole => return Ok(Json(whole?).into_response()),
            () = silence.passed() => {}
        }
        let late = Late { whole: Some(whole), silence };
        Ok(([(CONTENT_TYPE, "application/json")], Body::from_stream(late)).into_response())
    }
}

/// Tells when nothing was sent for a while.
pub(crate) struct Silence(Interval);

impl Silence {
    pub fn new(most: Duration) -> Silence {
        let mut interval = interval(most);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        interval.reset();
        Silence(interval)
    }

    /// Something was sent.
    pub fn broken(&mut self) {
        self.0.reset();
    }

    pub fn poll_passed(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.0.poll_tick(context).map(drop)
    }

    async fn passed(&mut self) {
        self.0.tick().await;
    }
}

/// A JSON body that begins with white space until its value is there.
struct Late<F> {
    whole: Option<Pin<Box<F>>>,
    silence: Silence,
}

impl<F: Future<Output = Result<Value, Failure>>> futures_core::Stream for Late<F> {
    type Item = Result<Bytes, Failure>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(whole) = &mut self.whole else { return Poll::Ready(None) };
        if let Poll::Ready(whole) = whole.as_mut().poll(context) {
            self.whole = None;
            return Poll::Ready(Some(whole.map(|value| Bytes::from(value.to_string()))));
        }
        ready!(self.silence.poll_passed(context));
        Poll::Ready(Some(Ok(Bytes::from_static(b" "))))
    }
}

/// Bodies that are streams fail only by breaking off.
pub(crate) type Piece = Result<Bytes, Infallible>;
