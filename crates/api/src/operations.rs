//! What those who run the server ask: health, numbers, state, loading and unloading.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;

use crate::front::{Ask, Front, Shared};
use crate::streamed::event;
use crate::{Failure, Later, Running, openapi};

pub(crate) fn routes() -> Router<Arc<Front>> {
    Router::new()
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .route("/events", get(events))
        .route("/state", get(state))
        .route("/tandem/ps", get(running))
        .route("/tandem/load", post(load))
        .route("/tandem/unload", post(unload))
        .route("/openapi.json", get(|| async { Json(openapi::document()) }))
        .route("/docs", get(|| async { Html(openapi::page()) }))
}

async fn health(State(front): Shared) -> Response {
    let health = front.service.health();
    let status = if health.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let word = if health.ready { "ok" } else { "unavailable" };
    (status, Json(json!({"status": word, "notes": health.notes, "version": env!("CARGO_PKG_VERSION")})))
        .into_response()
}

async fn metrics(State(front): Shared) -> impl IntoResponse {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    // A service may ask its ranks, which answer between steps.
    let asked = Arc::clone(&front);
    let numbers = tokio::task::spawn_blocking(move || asked.service.metrics()).await.unwrap_or_default();
    (kind, front.totals.render(&numbers))
}

async fn state(State(front): Shared) -> Json<Value> {
    Json(front.service.state())
}

async fn running(State(front): Shared) -> Json<Value> {
    let models: Vec<Value> = front.service.running().iter().map(running_json).collect();
    Json(json!({"models": models}))
}

fn running_json(running: &Running) -> Value {
    json!({
        "name": running.name,
        "state": running.state,
        "memory_bytes": running.memory_bytes,
        "context": running.context,
        "nodes": running.nodes,
        "sequences": running.sequences,
        "waiting": running.waiting,
    })
}

async fn load(State(front): Shared, mut ask: Ask) -> Result<Json<Value>, Failure> {
    let model: String = ask.fields.need("model")?;
    ask.fields.finish()?;
    front.service.load(model.clone()).await?;
    Ok(Json(json!({"model": model, "state": "ready"})))
}

async fn unload(State(front): Shared, mut ask: Ask) -> Result<Json<Value>, Failure> {
    let model: String = ask.fields.need("model")?;
    ask.fields.finish()?;
    front.service.unload(model.clone()).await?;
    Ok(Json(json!({"model": model, "state": "unloaded"})))
}

/// The state now, then its changes, as server-sent events, until the server stops.
async fn events(State(front): Shared) -> Response {
    let changes = front.service.events();
    let mut first = String::new();
    event(&mut first, Some("state"), &front.service.state());
    let feed = Feed { next: next_change(Arc::clone(&front), changes), front, first: Some(first) };
    (
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")],
        Body::from_stream(feed),
    )
        .into_response()
}

type Changes = tokio::sync::broadcast::Receiver<Value>;
type Change = (Result<Value, RecvError>, Changes);

struct Feed {
    front: Arc<Front>,
    next: Later<'static, Change>,
    first: Option<String>,
}

fn next_change(front: Arc<Front>, mut changes: Changes) -> Later<'static, Change> {
    Box::pin(async move {
        let mut stopping = front.stopping.subscribe();
        let change = tokio::select! {
            change = changes.recv() => change,
            _ = stopping.wait_for(|stopping| *stopping) => Err(RecvError::Closed),
        };
        (change, changes)
    })
}

impl futures_core::Stream for Feed {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Bytes::from(first))));
        }
        let Poll::Ready((change, changes)) = self.next.as_mut().poll(context) else { return Poll::Pending };
        self.next = next_change(Arc::clone(&self.front), changes);
        let mut out = String::new();
        match change {
            Ok(change) => event(&mut out, Some("change"), &change),
            // Whoever fell behind starts again from the whole state.
            Err(RecvError::Lagged(_)) => event(&mut out, Some("state"), &self.front.service.state()),
            Err(RecvError::Closed) => return Poll::Ready(None),
        }
        Poll::Ready(Some(Ok(Bytes::from(out))))
    }
}
