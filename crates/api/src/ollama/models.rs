//! `GET /api/tags`, `/api/ps`, `/api/version` and `POST /api/show`.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::front::{Ask, Shared};
use crate::{Failure, ModelCard, clock};

/// Clients compare it with the version they need; ours would tell them nothing.
const OLLAMA_VERSION: &str = "0.13.0";

pub(crate) async fn version() -> Json<Value> {
    Json(json!({"version": OLLAMA_VERSION}))
}

pub(crate) async fn tags(State(front): Shared) -> Json<Value> {
    let models: Vec<Value> = front
        .service
        .models()
        .iter()
        .map(|card| {
            json!({
                "name": card.name, "model": card.name, "size": card.size_bytes, "digest": card.digest,
                "modified_at": clock::rfc3339(card.modified_unix_s, 0), "details": details(card),
            })
        })
        .collect();
    Json(json!({"models": models}))
}

pub(crate) async fn show(State(front): Shared, mut ask: Ask) -> Result<Json<Value>, Failure> {
    // `name` is what older clients send.
    let model = ask.fields.take::<String>("model")?;
    let older = ask.fields.take::<String>("name")?;
    let name = model.or(older).ok_or_else(|| ask.fields.refuse("model", "is missing, expected a string"))?;
    ask.fields.ignore(&["verbose"]);
    ask.fields.finish()?;
    let cards = front.service.models();
    let plain = name.strip_suffix(":latest").unwrap_or(&name);
    let Some(card) = cards.iter().find(|card| card.name == plain) else {
        return Err(Failure::unknown_model(&name, cards.iter().map(|card| card.name.as_str())));
    };
    let mut capabilities = vec!["completion"];
    if card.tools {
        capabilities.push("tools");
    }
    if card.sees {
        capabilities.push("vision");
    }
    if card.thinks {
        capabilities.push("thinking");
    }
    let mut info = json!({"general.architecture": card.family, "general.parameter_count": card.parameters});
    info[format!("{}.context_length", card.family)] = card.context.into();
    Ok(Json(json!({
        "modelfile": format!("FROM {}\n", card.name), "parameters": "", "template": card.template,
        "license": "", "details": details(card), "model_info": info, "capabilities": capabilities,
        "modified_at": clock::rfc3339(card.modified_unix_s, 0),
    })))
}

pub(crate) async fn ps(State(front): Shared) -> Json<Value> {
    let cards = front.service.models();
    let models: Vec<Value> = front
        .service
        .running()
        .iter()
        .map(|running| {
            let card = cards.iter().find(|card| card.name == running.name).cloned().unwrap_or_default();
            json!({
                "name": running.name, "model": running.name, "size": running.memory_bytes, "size_vram": 0,
                "digest": card.digest, "details": details(&card), "context_length": running.context,
                // Models stay until room is needed.
                "expires_at": clock::rfc3339(clock::unix_s() + 365 * 86_400, 0),
            })
        })
        .collect();
    Json(json!({"models": models}))
}

fn details(card: &ModelCard) -> Value {
    json!({
        "parent_model": "", "format": card.format, "family": card.family, "families": [card.family],
        "parameter_size": parameter_size(card.parameters), "quantization_level": card.quantisation,
    })
}

fn parameter_size(parameters: u64) -> String {
    match parameters {
        0..1_000_000_000 => format!("{:.2}M", parameters as f64 / 1e6),
        _ => format!("{:.1}B", parameters as f64 / 1e9),
    }
}
