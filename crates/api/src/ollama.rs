//! Ollama's dialect.

use axum::Router;
use serde_json::{Value, json};
use std::sync::Arc;

use crate::Failure;
use crate::front::Front;

pub(crate) fn routes() -> Router<Arc<Front>> {
    Router::new()
}

pub(crate) fn refusal(failure: &Failure) -> Value {
    json!({"error": failure.to_string()})
}
