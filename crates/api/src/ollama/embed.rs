//! `POST /api/embed`, and `/api/embeddings`, its older form.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use std::time::Instant;

use crate::front::{Ask, Shared};
use crate::{EmbedInput, Failure};

const INPUTS_MAX: usize = 2048;

pub(crate) async fn create(State(front): Shared, ask: Ask) -> Result<Json<Value>, Failure> {
    let start = Instant::now();
    let mut fields = ask.fields;
    let model: String = fields.need("model")?;
    let inputs = fields.texts("input", INPUTS_MAX)?;
    if inputs.is_empty() || inputs.iter().any(String::is_empty) {
        return Err(fields.refuse("input", "must be a string or a list of strings, none empty"));
    }
    // A text that is too long is refused with the numbers, whatever this says.
    fields.ignore(&["truncate", "keep_alive"]);
    // None of the options changes an embedding.
    fields.ignore(&["options"]);
    fields.finish()?;
    let inputs = inputs.into_iter().map(EmbedInput::Text).collect();
    let embeddings = front.service.embed(model.clone(), inputs, ask.call.client).await?;
    Ok(Json(json!({
        "model": model, "embeddings": embeddings.vectors, "prompt_eval_count": embeddings.tokens,
        "total_duration": start.elapsed().as_nanos() as u64, "load_duration": 0,
    })))
}

pub(crate) async fn create_old(State(front): Shared, ask: Ask) -> Result<Json<Value>, Failure> {
    let mut fields = ask.fields;
    let model: String = fields.need("model")?;
    let prompt: String = fields.need("prompt")?;
    if prompt.is_empty() {
        return Err(fields.refuse("prompt", "is empty, expected a text"));
    }
    fields.ignore(&["keep_alive", "options"]);
    fields.finish()?;
    let embeddings = front.service.embed(model, vec![EmbedInput::Text(prompt)], ask.call.client).await?;
    Ok(Json(json!({"embedding": embeddings.vectors.first()})))
}
