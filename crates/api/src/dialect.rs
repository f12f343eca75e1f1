//! Which dialect a path belongs to, for what all paths share: the shape of a refusal.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::{Failure, anthropic, ollama, openai};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    OpenAi,
    Anthropic,
    Ollama,
}

impl Dialect {
    pub fn of(path: &str) -> Dialect {
        if path.starts_with("/v1/messages") {
            Dialect::Anthropic
        } else if path.starts_with("/api/") {
            Dialect::Ollama
        } else {
            Dialect::OpenAi
        }
    }

    pub fn refusal(self, failure: &Failure, request_id: &str) -> Response {
        let status = StatusCode::from_u16(failure.status()).expect("our own codes are codes");
        let body = match self {
            Dialect::OpenAi => openai::refusal(failure),
            Dialect::Anthropic => anthropic::refusal(failure, Some(request_id)),
            Dialect::Ollama => ollama::refusal(failure),
        };
        let mut response = (status, Json(body)).into_response();
        let headers = response.headers_mut();
        match failure {
            Failure::Busy { retry_after, .. } => {
                let seconds = retry_after.as_secs_f64().ceil().max(1.0) as u64;
                headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            Failure::Unavailable(_) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(5));
            }
            Failure::Unauthorised(_) => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            // What was not read of the body must not be taken for the next request.
            Failure::Slow(_) | Failure::BodyTooLarge { .. } => {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}

/// A handler fails with this; the dialect's shape is given on the way out.
impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
        response.extensions_mut().insert(Refused(self));
        response
    }
}

#[derive(Clone)]
pub(crate) struct Refused(pub Failure);
