//! Anthropic's dialect.

mod messages;

use axum::Router;
use axum::routing::post;
use serde_json::{Value, json};
use std::sync::Arc;

use crate::Failure;
use crate::front::Front;

pub(crate) fn routes() -> Router<Arc<Front>> {
    Router::new()
        .route("/v1/messages", post(messages::create))
        .route("/v1/messages/count_tokens", post(messages::count_tokens))
}

pub(crate) fn refusal(failure: &Failure, request_id: Option<&str>) -> Value {
    let kind = match failure {
        Failure::Invalid { .. } | Failure::TooLong { .. } | Failure::Method | Failure::Slow(_) => {
            "invalid_request_error"
        }
        Failure::Unauthorised(_) => "authentication_error",
        Failure::Forbidden(_) => "permission_error",
        Failure::UnknownModel { .. } | Failure::NotFound(_) => "not_found_error",
        Failure::BodyTooLarge { .. } => "request_too_large",
        Failure::Busy { .. } => "rate_limit_error",
        Failure::Unavailable(_) => "overloaded_error",
        Failure::Internal(_) => "api_error",
    };
    json!({
        "type": "error",
        "error": {"type": kind, "message": failure.to_string()},
        "request_id": request_id,
    })
}
