//! OpenAI's dialects, and what they share.

mod chat;
mod completions;
mod embeddings;
mod models;
mod responses;

use axum::Router;
use axum::routing::{get, post};
use serde_json::{Map, Value, json};
use std::sync::Arc;

use crate::fields::{Fields, brief};
use crate::front::Front;
use crate::pictures::from_url;
use crate::{Constraint, Content, Effort, Failure, Finish, Part, Summary, Tool, ToolCall, ToolChoice};

pub(crate) use chat::logprobs_json;

pub(crate) fn routes() -> Router<Arc<Front>> {
    Router::new()
        .route("/v1/chat/completions", post(chat::create))
        .route("/v1/completions", post(completions::create))
        .route("/v1/responses", post(responses::create))
        .route("/v1/embeddings", post(embeddings::create))
        .route("/v1/models", get(models::list))
        .route("/v1/models/{*name}", get(models::one))
}

pub(crate) fn refusal(failure: &Failure) -> Value {
    let (kind, code) = match failure {
        Failure::Invalid { .. } | Failure::Method => ("invalid_request_error", Value::Null),
        Failure::TooLong { .. } => ("invalid_request_error", "context_length_exceeded".into()),
        Failure::UnknownModel { .. } => ("invalid_request_error", "model_not_found".into()),
        Failure::NotFound(_) => ("invalid_request_error", "not_found".into()),
        Failure::BodyTooLarge { .. } => ("invalid_request_error", "body_too_large".into()),
        Failure::Slow(_) => ("invalid_request_error", "request_timeout".into()),
        Failure::Unauthorised(_) => ("invalid_request_error", "invalid_api_key".into()),
        Failure::Forbidden(_) => ("permission_error", Value::Null),
        Failure::Busy { .. } => ("rate_limit_error", "rate_limit_exceeded".into()),
        Failure::Unavailable(_) => ("server_error", "unavailable".into()),
        Failure::Internal(_) => ("server_error", Value::Null),
    };
    let field = match failure {
        Failure::Invalid { field, .. } => field.clone(),
        Failure::UnknownModel { .. } => Some("model".into()),
        Failure::TooLong { .. } => Some("messages".into()),
        _ => None,
    };
    json!({"error": {"message": failure.to_string(), "type": kind, "param": field, "code": code}})
}

/// Fields that say who asks and why, or how to bill it. They change no answer.
const METADATA: &[&str] = &[
    "user",
    "metadata",
    "safety_identifier",
    "prompt_cache_key",
    "prompt_cache_retention",
    "prompt_cache_options",
    "service_tier",
    // A guess at the answer, to make it faster.
    "prediction",
];

/// Whether the answer is streamed, and whether its usage comes with it.
fn streaming(fields: &mut Fields) -> Result<(bool, bool), Failure> {
    let stream = fields.take("stream")?.unwrap_or(false);
    let Some(mut options) = fields.object("stream_options")? else { return Ok((stream, false)) };
    if !stream {
        return Err(fields.refuse("stream_options", "needs `stream` to be true"));
    }
    let usage = options.take("include_usage")?.unwrap_or(false);
    options.ignore(&["include_obfuscation"]);
    options.finish()?;
    Ok((stream, usage))
}

fn finish_reason(finish: &Finish) -> &'static str {
    match finish {
        Finish::End | Finish::Stop(_) => "stop",
        Finish::ToolCalls => "tool_calls",
        Finish::Length | Finish::Cancelled | Finish::Deadline => "length",
    }
}

/// `usage` of the answers to each prompt in turn, as many to each.
fn usage<'a>(summaries: impl IntoIterator<Item = &'a Summary>, prompts: usize) -> Value {
    let summaries: Vec<&Summary> = summaries.into_iter().collect();
    let choices = (summaries.len() / prompts.max(1)).max(1);
    // Several answers to one prompt count it once, and as cached what was so before any of them.
    let (mut prompt, mut cached) = (0, 0);
    for answers in summaries.chunks(choices) {
        prompt += answers.iter().map(|summary| summary.prompt_tokens).max().unwrap_or(0);
        cached += answers.iter().map(|summary| summary.cached_tokens).min().unwrap_or(0);
    }
    let tokens: usize = summaries.iter().map(|summary| summary.tokens).sum();
    let reasoning: usize = summaries.iter().map(|summary| summary.reasoning_tokens).sum();
    json!({
        "prompt_tokens": prompt,
        "completion_tokens": tokens,
        "total_tokens": prompt + tokens,
        "prompt_tokens_details": {"cached_tokens": cached, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": reasoning, "audio_tokens": 0,
            "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0,
        },
    })
}

/// A text, or a list of parts that are all text.
fn text_content(fields: &mut Fields, name: &str, kinds: &[&str]) -> Result<Option<String>, Failure> {
    Ok(content(fields, name, kinds, false)?.map(|content| content.text()))
}

/// A text, or a list of parts: texts, and pictures where these may be.
fn content(fields: &mut Fields, name: &str, texts: &[&str], sees: bool) -> Result<Option<Content>, Failure> {
    let parts = match fields.take::<Value>(name)? {
        None => return Ok(None),
        Some(Value::String(text)) => return Ok(Some(text.into())),
        Some(Value::Array(parts)) => parts,
        Some(other) => {
            let shown = brief(&other);
            return Err(fields.refuse(name, format_args!("is {shown}, expected a string or a list of parts")));
        }
    };
    let path = fields.at(name);
    let mut read = Vec::with_capacity(parts.len());
    for (index, part) in parts.into_iter().enumerate() {
        let mut part = Fields::of(part, format!("{path}[{index}]"))?;
        let kind = part.need::<String>("type")?;
        read.push(match kind.as_str() {
            "image_url" | "input_image" if sees => picture(part)?,
            "image_url" | "input_image" => {
                return Err(
                    part.refuse("type", format_args!("is \"{kind}\", which only messages of users may have"))
                );
            }
            kind if !texts.contains(&kind) => {
                let why = format!("is \"{kind}\", and the models here read only text and pictures");
                return Err(part.refuse("type", why));
            }
            "refusal" => Part::Text(part.need("refusal")?),
            _ => Part::Text(part.need("text")?),
        });
    }
    let is_text = read.iter().all(|part| matches!(part, Part::Text(_)));
    let content = Content::Parts(read);
    Ok(Some(if is_text { content.text().into() } else { content }))
}

/// A picture as chat completions have it, an object with a URL, or as responses do, a URL. How much detail is wanted changes nothing:
/// models here see every picture at one size.
fn picture(mut part: Fields) -> Result<Part, Failure> {
    part.ignore(&["detail"]);
    match part.need::<Value>("image_url")? {
        Value::String(url) => from_url(&part, "image_url", &url),
        object => {
            let mut object = Fields::of(object, part.at("image_url"))?;
            object.ignore(&["detail"]);
            let url = object.need::<String>("url")?;
            from_url(&object, "url", &url)
        }
    }
}

/// A function as both dialects describe it: nested in chat completions, flat in responses.
fn tool(mut fields: Fields) -> Result<Tool, Failure> {
    let name = fields.need::<String>("name")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.:/".contains(c);
    if name.is_empty() || name.len() > 128 || !name.chars().all(plain) {
        return Err(fields.refuse("name", "must have 1 to 128 letters, digits, `_`, `-`, `.`, `:` or `/`"));
    }
    let parameters = match fields.take::<Map<String, Value>>("parameters")? {
        Some(schema) => Value::Object(schema),
        None => json!({"type": "object", "properties": {}}),
    };
    Ok(Tool {
        name,
        description: fields.take("description")?,
        parameters,
        strict: fields.take("strict")?.unwrap_or(false),
    })
}

/// `none`, `auto`, `required`, or an object that names a function.
fn tool_choice(fields: &mut Fields, tools: &[Tool]) -> Result<ToolChoice, Failure> {
    let choice = match fields.take::<Value>("tool_choice")? {
        None => return Ok(ToolChoice::Auto),
        Some(Value::String(word)) => match word.as_str() {
            "auto" => ToolChoice::Auto,
            "none" => ToolChoice::None,
            "required" => ToolChoice::Required,
            _ => return Err(fields.refuse("tool_choice", "must be none, auto, required or a function")),
        },
        Some(value) => {
            let mut choice = Fields::of(value, fields.at("tool_choice"))?;
            choice.only("type", &["function".into()])?;
            let name = match choice.object("function")? {
                Some(mut function) => function.need::<String>("name")?,
                None => choice.need::<String>("name")?,
            };
            ToolChoice::Named(name)
        }
    };
    check_tool_choice(&choice, tools, |why| fields.refuse("tool_choice", why))?;
    Ok(choice)
}

/// What is demanded must be possible.
pub(crate) fn check_tool_choice(
    choice: &ToolChoice,
    tools: &[Tool],
    refuse: impl Fn(String) -> Failure,
) -> Result<(), Failure> {
    match choice {
        ToolChoice::Required if tools.is_empty() => {
            Err(refuse("demands a call, but there are no `tools`".into()))
        }
        ToolChoice::Named(name) if !tools.iter().any(|tool| tool.name == *name) => {
            Err(refuse(format!("names `{name}`, which is not among `tools`")))
        }
        _ => Ok(()),
    }
}

fn effort(fields: &Fields, name: &str, word: Option<String>) -> Result<Effort, Failure> {
    Ok(match word.as_deref() {
        None => Effort::Model,
        Some("none") => Effort::None,
        Some("minimal" | "low") => Effort::Low,
        Some("medium") => Effort::Medium,
        Some("high" | "xhigh") => Effort::High,
        Some(_) => return Err(fields.refuse(name, "must be none, minimal, low, medium, high or xhigh")),
    })
}

/// The format an answer must have, as `response_format` or `text.format` says it.
fn format(fields: Option<Fields>) -> Result<Option<Constraint>, Failure> {
    let Some(mut fields) = fields else { return Ok(None) };
    let kind = fields.need::<String>("type")?;
    match kind.as_str() {
        "text" => Ok(None),
        "json_object" => Ok(Some(Constraint::JsonObject)),
        "json_schema" => {
            // Nested in chat completions, flat in responses.
            let mut inner = match fields.object("json_schema")? {
                Some(inner) => inner,
                None => fields,
            };
            Ok(Some(Constraint::JsonSchema(Value::Object(inner.need("schema")?).to_string())))
        }
        // Extensions.
        "regex" => Ok(Some(Constraint::Regex(fields.need("regex")?))),
        "grammar" => Ok(Some(Constraint::Lark(fields.need("grammar")?))),
        _ => Err(fields.refuse("type", "must be text, json_object, json_schema, regex or grammar (Lark)")),
    }
}

/// Arguments are JSON in a string; a text that is none stays a text.
fn call_arguments(text: String) -> Value {
    if text.trim().is_empty() {
        return json!({});
    }
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

fn past_call(id: Option<String>, name: String, arguments: String) -> ToolCall {
    ToolCall { id, name, arguments: call_arguments(arguments) }
}
