//! `POST /api/pull`.

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::front::{Ask, Shared};
use crate::{Failure, PullProgress};

pub(crate) async fn create(State(front): Shared, mut ask: Ask) -> Result<Response, Failure> {
    let model = ask.fields.take::<String>("model")?;
    let older = ask.fields.take::<String>("name")?;
    let name = model.or(older).ok_or_else(|| ask.fields.refuse("model", "is missing, expected a string"))?;
    let stream = ask.fields.take("stream")?.unwrap_or(true);
    // The hub is only spoken to over connections it can vouch for.
    ask.fields.only("insecure", &[false.into()])?;
    ask.fields.finish()?;
    let mut progress = front.service.pull(name);
    if stream {
        let lines = Lines { progress, ended: false };
        return Ok(([(CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response());
    }
    while let Some(next) = progress.recv().await {
        if next? == PullProgress::Done {
            break;
        }
    }
    Ok(Json(json!({"status": "success"})).into_response())
}

struct Lines {
    progress: UnboundedReceiver<Result<PullProgress, Failure>>,
    ended: bool,
}

impl futures_core::Stream for Lines {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        self.progress.poll_recv(context).map(|next| {
            self.ended = !matches!(next, Some(Ok(PullProgress::Note(_) | PullProgress::File { .. })));
            Some(Ok(Bytes::from(format!("{}\n", status(&next?)))))
        })
    }
}

fn status(progress: &Result<PullProgress, Failure>) -> Value {
    match progress {
        Ok(PullProgress::Note(note)) => json!({"status": note}),
        Ok(PullProgress::File { name, digest, total_bytes, have_bytes }) => json!({
            "status": format!("pulling {name}"), "digest": digest, "total": total_bytes, "completed": have_bytes,
        }),
        Ok(PullProgress::Done) => json!({"status": "success"}),
        Err(failure) => super::refusal(failure),
    }
}
