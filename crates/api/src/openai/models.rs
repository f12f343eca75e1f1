//! `GET /v1/models`, which Anthropic's clients ask for too.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use serde_json::{Value, json};

use crate::front::Shared;
use crate::{Failure, ModelCard, clock};

pub(crate) async fn list(State(front): Shared, headers: HeaderMap) -> Json<Value> {
    let cards = front.service.models();
    if for_anthropic(&headers) {
        let data: Vec<Value> = cards.iter().map(anthropic_card).collect();
        let edge = |card: Option<&ModelCard>| card.map(|card| card.name.clone());
        return Json(json!({
            "data": data, "has_more": false,
            "first_id": edge(cards.first()), "last_id": edge(cards.last()),
        }));
    }
    let data: Vec<Value> = cards.iter().map(card).collect();
    Json(json!({"object": "list", "data": data}))
}

pub(crate) async fn one(
    State(front): Shared,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Value>, Failure> {
    let cards = front.service.models();
    match cards.iter().find(|card| card.name == name) {
        Some(found) => Ok(Json(if for_anthropic(&headers) { anthropic_card(found) } else { card(found) })),
        None => Err(Failure::unknown_model(&name, cards.iter().map(|card| card.name.as_str()))),
    }
}

fn for_anthropic(headers: &HeaderMap) -> bool {
    headers.contains_key("anthropic-version")
}

fn card(card: &ModelCard) -> Value {
    json!({
        "id": card.name, "object": "model", "created": card.modified_unix_s, "owned_by": "tandem",
        "context_length": card.context,
    })
}

fn anthropic_card(card: &ModelCard) -> Value {
    json!({
        "type": "model", "id": card.name, "display_name": card.name,
        "created_at": clock::rfc3339(card.modified_unix_s, 0),
    })
}
