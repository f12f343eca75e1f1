//! Ollama's dialect.

mod chat;
mod embed;
mod generate;
mod models;
mod pull;

use axum::Router;
use axum::routing::{get, post};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Instant;

use crate::fields::{Fields, brief};
use crate::front::Front;
use crate::pictures::from_base64;
use crate::sampling_fields::{seed, set, stop_texts, top_k};
use crate::{Constraint, Content, Effort, Failure, Finish, GenerateRequest, Part, Sampling, Summary, clock};

pub(crate) fn routes() -> Router<Arc<Front>> {
    Router::new()
        .route("/api/chat", post(chat::create))
        .route("/api/generate", post(generate::create))
        .route("/api/embed", post(embed::create))
        .route("/api/embeddings", post(embed::create_old))
        .route("/api/tags", get(models::tags))
        .route("/api/show", post(models::show))
        .route("/api/ps", get(models::ps))
        .route("/api/version", get(models::version))
        .route("/api/pull", post(pull::create))
}

pub(crate) fn refusal(failure: &Failure) -> Value {
    json!({"error": failure.to_string()})
}

/// What chat and generate share. These are Ollama's own defaults.
struct Asked {
    request: GenerateRequest,
    stream: bool,
    effort: Effort,
    /// Nothing is left of the model afterwards.
    unload: bool,
}

impl Asked {
    /// Reads all but the prompt.
    fn read(fields: &mut Fields, front: &Front) -> Result<Asked, Failure> {
        let model: String = fields.need("model")?;
        let mut request = GenerateRequest {
            sampling: Sampling {
                temperature: 0.8,
                top_k: 40,
                top_p: 0.9,
                repetition_penalty: 1.1,
                ..Sampling::default()
            },
            ..GenerateRequest::default()
        };
        if let Some(options) = fields.object("options")? {
            let context =
                front.service.running().iter().find(|running| running.name == model).map(|m| m.context);
            read_options(options, context, &mut request)?;
        }
        request.model = model;
        request.format = match fields.take::<Value>("format")? {
            None => None,
            Some(Value::String(word)) if word.is_empty() => None,
            Some(Value::String(word)) if word == "json" => Some(Constraint::JsonObject),
            Some(schema @ Value::Object(_)) => Some(Constraint::JsonSchema(schema.to_string())),
            Some(_) => return Err(fields.refuse("format", "must be \"json\" or a JSON schema")),
        };
        let effort = match fields.take::<Value>("think")? {
            None => Effort::Model,
            Some(Value::Bool(false)) => Effort::None,
            Some(Value::Bool(true)) => Effort::High,
            Some(Value::String(word)) => match word.as_str() {
                "low" => Effort::Low,
                "medium" => Effort::Medium,
                "high" => Effort::High,
                _ => return Err(fields.refuse("think", "must be true, false, low, medium or high")),
            },
            Some(_) => return Err(fields.refuse("think", "must be true, false, low, medium or high")),
        };
        let logprobs = fields.take::<bool>("logprobs")?.unwrap_or(false);
        let top = fields.integer("top_logprobs", 0, 20)?;
        request.logprobs = logprobs.then(|| top.unwrap_or(0) as usize);
        let unload = match fields.take::<Value>("keep_alive")? {
            Some(Value::Number(zero)) => zero.as_f64() == Some(0.0),
            Some(Value::String(time)) => time == "0" || time == "0s",
            _ => false,
        };
        Ok(Asked { request, stream: fields.take("stream")?.unwrap_or(true), effort, unload })
    }
}

fn read_options(
    mut options: Fields,
    context: Option<usize>,
    request: &mut GenerateRequest,
) -> Result<(), Failure> {
    let sampling = &mut request.sampling;
    set(&mut sampling.temperature, options.number("temperature", 0.0, 100.0)?);
    set(&mut sampling.top_p, options.number("top_p", 0.0, 1.0)?);
    set(&mut sampling.min_p, options.number("min_p", 0.0, 1.0)?);
    set(&mut sampling.top_k, top_k(&mut options, "top_k")?);
    set(&mut sampling.repetition_penalty, options.number("repeat_penalty", 0.01, 10.0)?);
    set(&mut sampling.presence_penalty, options.number("presence_penalty", -2.0, 2.0)?);
    set(&mut sampling.frequency_penalty, options.number("frequency_penalty", -2.0, 2.0)?);
    sampling.seed = seed(&mut options)?;
    request.stop = stop_texts(&mut options, "stop", 64)?;
    request.tokens_max = match options.take::<i64>("num_predict")? {
        Some(0) => return Err(options.refuse("num_predict", "is 0, expected 1 or more, or -1 for no limit")),
        // As many as there is room for.
        None | Some(..0) => None,
        Some(tokens) => Some(tokens as usize),
    };
    if let (Some(asked), Some(context)) = (options.integer("num_ctx", 1, u64::MAX)?, context)
        && asked > context as u64
    {
        let why = format!("is {asked}, but the model is loaded with a context of {context} tokens");
        return Err(options.refuse("num_ctx", why));
    }
    // Penalties look at the whole text.
    options.only("repeat_last_n", &[(-1).into()])?;
    options.only("mirostat", &[0.into()])?;
    // How the machine is used changes no answer.
    options.ignore(&[
        "num_keep",
        "num_batch",
        "num_gpu",
        "main_gpu",
        "use_mmap",
        "use_mlock",
        "num_thread",
        "numa",
        "low_vram",
        "f16_kv",
    ]);
    options.finish()
}

/// The fields of the last object: why it ended, and how long it took.
fn last(summary: &Summary, start: Instant) -> Map<String, Value> {
    let reason = match summary.finish {
        Finish::Length | Finish::Cancelled | Finish::Deadline => "length",
        Finish::End | Finish::Stop(_) | Finish::ToolCalls => "stop",
    };
    let fields = json!({
        "done": true,
        "done_reason": reason,
        "total_duration": start.elapsed().as_nanos() as u64,
        "load_duration": summary.loading_for.as_nanos() as u64,
        "prompt_eval_count": summary.prompt_tokens,
        "prompt_eval_duration": summary.first_token_after.as_nanos() as u64,
        "eval_count": summary.tokens,
        "eval_duration": summary.decoding_for.as_nanos() as u64,
    });
    match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// An object of the stream: these come one to a line.
fn line(model: &str, fields: Value, out: &mut String) {
    out.push_str(&object(model, fields).to_string());
    out.push('\n');
}

fn object(model: &str, fields: Value) -> Value {
    let mut object = json!({"model": model, "created_at": clock::now(), "done": false});
    if let (Some(object), Value::Object(fields)) = (object.as_object_mut(), fields) {
        object.extend(fields);
    }
    object
}

/// A request without a prompt loads the model, or unloads it.
async fn load_only(front: &Front, asked: Asked, mut answer: Value) -> Result<Value, Failure> {
    let model = asked.request.model;
    if asked.unload {
        // One that is not loaded is as wanted.
        match front.service.unload(model.clone()).await {
            Ok(()) | Err(Failure::NotFound(_)) => {}
            Err(failure) => return Err(failure),
        }
    } else {
        front.service.load(model.clone()).await?;
    }
    answer["done"] = true.into();
    answer["done_reason"] = if asked.unload { "unload" } else { "load" }.into();
    Ok(object(&model, answer))
}

/// `images`: files in base64.
fn pictures(fields: &mut Fields) -> Result<Vec<Part>, Failure> {
    let images = fields.take::<Vec<Value>>("images")?.unwrap_or_default();
    let image = |(index, image): (usize, Value)| match image {
        Value::String(text) => from_base64(fields, &format!("images[{index}]"), &text),
        other => {
            let shown = brief(&other);
            Err(fields.refuse(&format!("images[{index}]"), format_args!("is {shown}, expected a string")))
        }
    };
    images.into_iter().enumerate().map(image).collect()
}

/// What is said about pictures comes after them.
fn shown(mut pictures: Vec<Part>, text: String) -> Content {
    if pictures.is_empty() {
        return text.into();
    }
    if !text.is_empty() {
        pictures.push(Part::Text(text));
    }
    Content::Parts(pictures)
}
