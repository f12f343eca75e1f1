//! The state now, then its changes, as server-sent events, until the server stops.
//!
//! `state` is the whole of it, `change` the members of it that are different now; `activity` says what is asked of this
//! server, once a second while that changes.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::time::{Instant, sleep_until};

use crate::front::{Front, Shared};
use crate::streamed::event;
use crate::{Later, UnderWay};

const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Whoever hears nothing for much longer may take the connection for lost.
const SILENT_MAX: Duration = Duration::from_secs(10);

pub(crate) async fn events(State(front): Shared) -> Response {
    let changes = front.service.events();
    let mut first = String::new();
    event(&mut first, Some("state"), &front.service.state());
    let listener =
        Listener { front, changes, activity: Value::Null, spoke: Instant::now(), look: Instant::now() };
    let feed = Feed { next: Box::pin(listener.next()), first: Some(first) };
    (
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")],
        Body::from_stream(feed),
    )
        .into_response()
}

/// What is asked of this server now.
fn activity(front: &Front) -> Value {
    let requests: Vec<Value> = front.totals.under_way().iter().map(UnderWay::to_json).collect();
    json!({"requests": requests, "counts": front.totals.counts(), "pulls": front.pulls.state()})
}

/// One page that looks.
struct Listener {
    front: Arc<Front>,
    changes: Receiver<Value>,
    /// As last told.
    activity: Value,
    spoke: Instant,
    look: Instant,
}

impl Listener {
    /// The next thing to say; `None` at the end.
    async fn next(mut self) -> (Option<String>, Listener) {
        let mut out = String::new();
        let mut stopping = self.front.stopping.subscribe();
        while out.is_empty() {
            tokio::select! {
                change = self.changes.recv() => match change {
                    Ok(change) => event(&mut out, Some("change"), &change),
                    // Whoever fell behind starts again from the whole state.
                    Err(RecvError::Lagged(_)) => event(&mut out, Some("state"), &self.front.service.state()),
                    Err(RecvError::Closed) => return (None, self),
                },
                _ = stopping.wait_for(|stopping| *stopping) => return (None, self),
                () = sleep_until(self.look) => {
                    self.look = Instant::now() + LOOK_EVERY;
                    let now = activity(&self.front);
                    if now != self.activity {
                        event(&mut out, Some("activity"), &now);
                        self.activity = now;
                    } else if self.spoke.elapsed() >= SILENT_MAX {
                        out.push_str(":\n\n");
                    }
                }
            }
        }
        self.spoke = Instant::now();
        (Some(out), self)
    }
}

struct Feed {
    next: Later<'static, (Option<String>, Listener)>,
    first: Option<String>,
}

impl futures_core::Stream for Feed {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Bytes::from(first))));
        }
        let Poll::Ready((said, listener)) = self.next.as_mut().poll(context) else { return Poll::Pending };
        self.next = Box::pin(listener.next());
        Poll::Ready(said.map(|said| Ok(Bytes::from(said))))
    }
}
