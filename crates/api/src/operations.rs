//! What those who run the server ask: health, numbers, state, loading and unloading.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::front::{Ask, Front, Shared};
use crate::{Failure, Health, Running, feed, openapi};

pub(crate) fn routes() -> Router<Arc<Front>> {
    Router::new()
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .route("/events", get(feed::events))
        .route("/state", get(state))
        .route("/tandem/ps", get(running))
        .route("/tandem/preview", post(preview))
        .route("/tandem/load", post(load))
        .route("/tandem/unload", post(unload))
        .route("/openapi.json", get(|| async { Json(openapi::document()) }))
        .route("/docs", get(|| async { Html(openapi::page()) }))
}

async fn health(State(front): Shared) -> Response {
    // A service may ask its ranks, and wait.
    let asked = tokio::task::spawn_blocking(move || front.service.health()).await;
    let health = asked.unwrap_or_else(|error| Health { ready: false, notes: vec![error.to_string()] });
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

/// Where a model would go if it were loaded now, and how fast it would be.
async fn preview(State(front): Shared, mut ask: Ask) -> Result<Json<Value>, Failure> {
    let model: String = ask.fields.need("model")?;
    ask.fields.finish()?;
    front.service.preview(model).await.map(Json)
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
