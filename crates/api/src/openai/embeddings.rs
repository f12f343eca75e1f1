//! `POST /v1/embeddings`: the mean of a decoder model's final hidden states, scaled to length one.

use axum::Json;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::METADATA;
use super::completions::tokens;
use crate::fields::Fields;
use crate::front::{Ask, Shared};
use crate::{EmbedInput, Failure};

const INPUTS_MAX: usize = 2048;

pub(crate) async fn create(State(front): Shared, ask: Ask) -> Result<Json<Value>, Failure> {
    let mut fields = ask.fields;
    let model: String = fields.need("model")?;
    let inputs = inputs(&mut fields)?;
    let base64 = match fields.take::<String>("encoding_format")?.as_deref() {
        None | Some("float") => false,
        Some("base64") => true,
        Some(_) => return Err(fields.refuse("encoding_format", "must be float or base64")),
    };
    let dimensions = fields.integer("dimensions", 1, u64::MAX)?;
    fields.ignore(METADATA);
    fields.finish()?;
    let embeddings = front.service.embed(model.clone(), inputs, ask.call.client).await?;
    if let (Some(asked), Some(vector)) = (dimensions, embeddings.vectors.first())
        && asked != vector.len() as u64
    {
        let why = format!(
            "`dimensions` is {asked}, but {model} makes {}; its embeddings cannot be shortened",
            vector.len()
        );
        return Err(Failure::invalid("dimensions", why));
    }
    let data: Vec<Value> = embeddings
        .vectors
        .iter()
        .enumerate()
        .map(|(index, vector)| {
            let embedding = if base64 {
                let bytes: Vec<u8> = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
                STANDARD.encode(bytes).into()
            } else {
                json!(vector)
            };
            json!({"object": "embedding", "index": index, "embedding": embedding})
        })
        .collect();
    let usage = json!({"prompt_tokens": embeddings.tokens, "total_tokens": embeddings.tokens});
    Ok(Json(json!({"object": "list", "data": data, "model": model, "usage": usage})))
}

/// As for completions: texts or token ids, one or several.
fn inputs(fields: &mut Fields) -> Result<Vec<EmbedInput>, Failure> {
    let expected =
        "must be a string, a list of strings, token ids, or a list of lists of token ids, none empty";
    let wrong = |fields: &Fields| fields.refuse("input", expected);
    let list = match fields.need::<Value>("input")? {
        Value::String(text) => vec![Value::String(text)],
        Value::Array(list) if list.first().is_some_and(Value::is_number) => vec![Value::Array(list)],
        Value::Array(list) if !list.is_empty() => list,
        _ => return Err(wrong(fields)),
    };
    if list.len() > INPUTS_MAX {
        return Err(
            fields.refuse("input", format_args!("has {} inputs, expected at most {INPUTS_MAX}", list.len()))
        );
    }
    let inputs: Option<Vec<EmbedInput>> = list
        .into_iter()
        .map(|input| match input {
            Value::String(text) if !text.is_empty() => Some(EmbedInput::Text(text)),
            Value::Array(list) if !list.is_empty() => tokens(&list).map(EmbedInput::Tokens),
            _ => None,
        })
        .collect();
    inputs.ok_or_else(|| wrong(fields))
}
