//! `POST /v1/messages` and `/v1/messages/count_tokens`.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde_json::{Map, Value, json};

use crate::fields::{Fields, brief};
use crate::front::{Ask, Shared, random_id};
use crate::openai::check_tool_choice;
use crate::pictures::{from_base64, from_url};
use crate::sampling_fields::{set, stop_texts, top_k};
use crate::streamed::{Render, event};
use crate::whole::Whole;
use crate::{
    Chat, Constraint, Content, Delta, Effort, Failure, Finish, GenerateRequest, Message, Part, Prompt, Role,
    Summary, Tool, ToolCall, ToolChoice,
};

pub(crate) async fn create(State(front): Shared, mut ask: Ask) -> Result<Response, Failure> {
    let mut request = GenerateRequest::default();
    // Demanded by this dialect.
    let tokens_max = ask.fields.integer("max_tokens", 1, u64::MAX)?;
    request.tokens_max =
        Some(tokens_max.ok_or_else(|| ask.fields.refuse("max_tokens", "is missing, expected a number"))?
            as usize);
    request.stop = stop_texts(&mut ask.fields, "stop_sequences", 64)?;
    set(&mut request.sampling.temperature, ask.fields.number("temperature", 0.0, 2.0)?);
    set(&mut request.sampling.top_p, ask.fields.number("top_p", 0.0, 1.0)?);
    set(&mut request.sampling.top_k, top_k(&mut ask.fields, "top_k")?);
    let stream = ask.fields.take("stream")?.unwrap_or(false);
    let request = read(ask.fields, request)?;
    let (id, model) = (random_id("msg_"), request.model.clone());
    let answers = front.answers(&ask.call, vec![request]);
    if stream {
        return answers.streamed(Events { id, model, open: None, blocks: 0 }).await;
    }
    let whole = move |wholes: Vec<Whole>| {
        let whole = wholes.into_iter().next().expect("one request, one answer");
        let mut content = Vec::new();
        if !whole.reasoning.is_empty() {
            content.push(json!({"type": "thinking", "thinking": whole.reasoning, "signature": ""}));
        }
        if !whole.content.is_empty() {
            content.push(json!({"type": "text", "text": whole.content}));
        }
        for call in &whole.calls {
            content
                .push(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.object()}));
        }
        let (reason, sequence) = stop_reason(&whole.summary.finish);
        json!({
            "id": id, "type": "message", "role": "assistant", "model": model, "content": content,
            "stop_reason": reason, "stop_sequence": sequence, "usage": usage(&whole.summary),
        })
    };
    answers.whole(whole).await
}

pub(crate) async fn count_tokens(State(front): Shared, ask: Ask) -> Result<Json<Value>, Failure> {
    let request = read(ask.fields, GenerateRequest::default())?;
    let tokens = front.service.count_tokens(request).await?;
    Ok(Json(json!({"input_tokens": tokens})))
}

/// What both routes share: the conversation and its tools.
fn read(mut fields: Fields, request: GenerateRequest) -> Result<GenerateRequest, Failure> {
    let model = fields.need("model")?;
    let mut messages = Vec::new();
    if let Some(system) = text(&mut fields, "system")? {
        messages.push(Message::new(Role::System, system));
    }
    let turns = fields.objects("messages")?;
    let turns = turns.ok_or_else(|| fields.refuse("messages", "is missing, expected a list"))?;
    if turns.is_empty() {
        return Err(fields.refuse("messages", "is empty, expected at least one message"));
    }
    for turn in turns {
        turn_messages(turn, &mut messages)?;
    }
    let tools =
        fields.objects("tools")?.unwrap_or_default().into_iter().map(tool).collect::<Result<Vec<_>, _>>()?;
    let mut parallel_tool_calls = true;
    let tool_choice = match fields.object("tool_choice")? {
        None => ToolChoice::Auto,
        Some(mut choice) => {
            parallel_tool_calls = !choice.take("disable_parallel_tool_use")?.unwrap_or(false);
            match choice.need::<String>("type")?.as_str() {
                "auto" => ToolChoice::Auto,
                "none" => ToolChoice::None,
                "any" => ToolChoice::Required,
                "tool" => ToolChoice::Named(choice.need("name")?),
                _ => return Err(choice.refuse("type", "must be auto, any, tool or none")),
            }
        }
    };
    check_tool_choice(&tool_choice, &tools, |why| fields.refuse("tool_choice", why))?;
    let mut effort = match fields.object("thinking")? {
        None => Effort::Model,
        Some(mut thinking) => {
            // How many tokens to think is up to the model; `max_tokens` bounds it all.
            thinking.ignore(&["budget_tokens", "display"]);
            match thinking.need::<String>("type")?.as_str() {
                "enabled" => Effort::High,
                "adaptive" => Effort::Model,
                "disabled" => Effort::None,
                _ => return Err(thinking.refuse("type", "must be enabled, adaptive or disabled")),
            }
        }
    };
    let mut format = None;
    let mut schema_of = |mut shape: Fields| -> Result<(), Failure> {
        shape.only("type", &["json_schema".into()])?;
        format = Some(Constraint::JsonSchema(Value::Object(shape.need("schema")?).to_string()));
        Ok(())
    };
    if let Some(mut output) = fields.object("output_config")? {
        match output.take::<String>("effort")?.as_deref() {
            None => {}
            Some("low") => effort = Effort::Low,
            Some("medium") => effort = Effort::Medium,
            Some("high" | "max" | "xhigh") => effort = Effort::High,
            Some(_) => return Err(output.refuse("effort", "must be low, medium, high, xhigh or max")),
        }
        if let Some(shape) = output.object("format")? {
            schema_of(shape)?;
        }
        output.finish()?;
    }
    if let Some(shape) = fields.object("output_format")? {
        schema_of(shape)?;
    }
    // Who asks, how it is billed and what may be cached change no answer; nor does clearing a context that is sent whole.
    fields.ignore(&[
        "metadata",
        "service_tier",
        "inference_geo",
        "cache_control",
        "context_management",
        "speed",
    ]);
    fields.finish()?;
    let continues = messages.last().is_some_and(|last| {
        last.role == Role::Assistant && last.tool_calls.is_empty() && !last.content.is_empty()
    });
    Ok(GenerateRequest {
        model,
        prompt: Prompt::Chat(Chat {
            continues,
            messages,
            tools,
            tool_choice,
            parallel_tool_calls,
            effort,
            template: Map::new(),
        }),
        format,
        ..request
    })
}

fn tool(mut fields: Fields) -> Result<Tool, Failure> {
    fields.only("type", &["custom".into()])?;
    let name = fields.need::<String>("name")?;
    if name.is_empty() || name.len() > 128 {
        return Err(fields.refuse("name", "must have 1 to 128 characters"));
    }
    let parameters = fields.need::<Map<String, Value>>("input_schema")?;
    Ok(Tool {
        name,
        description: fields.take("description")?,
        parameters: Value::Object(parameters),
        strict: fields.take("strict")?.unwrap_or(false),
    })
}

/// One of Anthropic's messages is several of ours where it holds what tools gave.
fn turn_messages(mut fields: Fields, messages: &mut Vec<Message>) -> Result<(), Failure> {
    let role = match fields.need::<String>("role")?.as_str() {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" => Role::System,
        other => {
            let shown = brief(&other.into());
            return Err(fields.refuse("role", format_args!("is {shown}, expected user or assistant")));
        }
    };
    let blocks = match fields.need::<Value>("content")? {
        Value::String(text) => {
            messages.push(Message::new(role, text));
            return Ok(());
        }
        Value::Array(blocks) => blocks,
        other => {
            let why = format!("is {}, expected a string or a list of blocks", brief(&other));
            return Err(fields.refuse("content", why));
        }
    };
    let path = fields.at("content");
    let mut message = Message { role, ..Message::default() };
    let (mut parts, mut thoughts) = (Vec::new(), Vec::new());
    for (index, block) in blocks.into_iter().enumerate() {
        let mut block = Fields::of(block, format!("{path}[{index}]"))?;
        match block.need::<String>("type")?.as_str() {
            "text" => parts.push(Part::Text(block.need("text")?)),
            "image" if role == Role::User => parts.push(picture(block)?),
            "thinking" => thoughts.push(block.need::<String>("thinking")?),
            "redacted_thinking" => {}
            "tool_use" if role == Role::Assistant => message.tool_calls.push(ToolCall {
                id: block.take("id")?,
                name: block.need("name")?,
                arguments: Value::Object(block.take("input")?.unwrap_or_default()),
            }),
            "tool_result" if role == Role::User => {
                let mut content = text(&mut block, "content")?.unwrap_or_default();
                if block.take("is_error")?.unwrap_or(false) {
                    content = format!("Error: {content}");
                }
                let tool_call_id = Some(block.need("tool_use_id")?);
                messages.push(Message { tool_call_id, ..Message::new(Role::Tool, content) });
            }
            other => {
                let shown = brief(&other.into());
                let why = format!(
                    "is {shown}, and the models here read only text, users' pictures, tool calls and their results"
                );
                return Err(block.refuse("type", why));
            }
        }
    }
    let is_text = parts.iter().all(|part| matches!(part, Part::Text(_)));
    let content = Content::Parts(parts);
    message.content = if is_text { content.text().into() } else { content };
    message.reasoning = (!thoughts.is_empty()).then(|| thoughts.join("\n"));
    let empty = message.content.is_empty() && message.tool_calls.is_empty() && message.reasoning.is_none();
    if !empty || role == Role::Assistant {
        messages.push(message);
    }
    Ok(())
}

/// A picture's file in base64: nothing is fetched from elsewhere.
fn picture(mut block: Fields) -> Result<Part, Failure> {
    let source = block.object("source")?;
    let mut source = source.ok_or_else(|| block.refuse("source", "is missing, expected an object"))?;
    match source.need::<String>("type")?.as_str() {
        "base64" => {
            source.ignore(&["media_type"]);
            let data = source.need::<String>("data")?;
            from_base64(&source, "data", &data)
        }
        "url" => {
            let url = source.need::<String>("url")?;
            from_url(&source, "url", &url)
        }
        other => {
            let shown = brief(&other.into());
            Err(source.refuse("type", format_args!("is {shown}, expected base64: no files are kept here")))
        }
    }
}

/// A text, or a list of blocks that are all text.
fn text(fields: &mut Fields, name: &str) -> Result<Option<String>, Failure> {
    match fields.take::<Value>(name)? {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(Value::Array(blocks)) => {
            let path = fields.at(name);
            let mut texts = Vec::new();
            for (index, block) in blocks.into_iter().enumerate() {
                let mut block = Fields::of(block, format!("{path}[{index}]"))?;
                if block.need::<String>("type")? != "text" {
                    return Err(block.refuse("type", "must be text: the models here read nothing else"));
                }
                texts.push(block.need::<String>("text")?);
            }
            Ok(Some(texts.join("\n")))
        }
        Some(other) => {
            Err(fields
                .refuse(name, format_args!("is {}, expected a string or a list of blocks", brief(&other))))
        }
    }
}

fn stop_reason(finish: &Finish) -> (&'static str, Option<&str>) {
    match finish {
        Finish::End => ("end_turn", None),
        Finish::Stop(text) => ("stop_sequence", Some(text)),
        Finish::ToolCalls => ("tool_use", None),
        Finish::Length | Finish::Cancelled | Finish::Deadline => ("max_tokens", None),
    }
}

/// Cached tokens are counted apart from the others here.
fn usage(summary: &Summary) -> Value {
    json!({
        "input_tokens": summary.prompt_tokens - summary.cached_tokens.min(summary.prompt_tokens),
        "cache_read_input_tokens": summary.cached_tokens,
        "cache_creation_input_tokens": 0,
        "output_tokens": summary.tokens,
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Block {
    Thinking,
    Text,
    Tool,
}

struct Events {
    id: String,
    model: String,
    open: Option<Block>,
    /// How many were begun.
    blocks: usize,
}

impl Events {
    fn send(&self, kind: &str, mut data: Value, out: &mut String) {
        data["type"] = kind.into();
        event(out, Some(kind), &data);
    }

    fn open(&mut self, kind: Block, block: Value, out: &mut String) {
        self.close(out);
        self.open = Some(kind);
        self.send("content_block_start", json!({"index": self.blocks, "content_block": block}), out);
        self.blocks += 1;
    }

    fn close(&mut self, out: &mut String) {
        if self.open.is_none() {
            return;
        }
        if self.open == Some(Block::Thinking) {
            self.delta(json!({"type": "signature_delta", "signature": ""}), out);
        }
        self.open = None;
        self.send("content_block_stop", json!({"index": self.blocks - 1}), out);
    }

    fn delta(&self, delta: Value, out: &mut String) {
        self.send(
            "content_block_delta",
            json!({"index": self.blocks.saturating_sub(1), "delta": delta}),
            out,
        );
    }
}

impl Render for Events {
    fn begin(&mut self, out: &mut String) {
        let message = json!({
            "id": self.id, "type": "message", "role": "assistant", "model": self.model, "content": [],
            "stop_reason": null, "stop_sequence": null,
            "usage": {"input_tokens": 0, "output_tokens": 0},
        });
        self.send("message_start", json!({"message": message}), out);
    }

    fn push(&mut self, _: usize, delta: Delta, out: &mut String) {
        match delta {
            Delta::Content(text) => {
                if self.open != Some(Block::Text) {
                    self.open(Block::Text, json!({"type": "text", "text": ""}), out);
                }
                self.delta(json!({"type": "text_delta", "text": text}), out);
            }
            Delta::Reasoning(text) => {
                if self.open != Some(Block::Thinking) {
                    let block = json!({"type": "thinking", "thinking": "", "signature": ""});
                    self.open(Block::Thinking, block, out);
                }
                self.delta(json!({"type": "thinking_delta", "thinking": text}), out);
            }
            Delta::ToolCall { id, name, .. } => {
                self.open(Block::Tool, json!({"type": "tool_use", "id": id, "name": name, "input": {}}), out);
            }
            Delta::ToolArguments { piece, .. } => {
                self.delta(json!({"type": "input_json_delta", "partial_json": piece}), out);
            }
            // This dialect has no field to ask for them.
            Delta::Logprob(_) => {}
            Delta::Done(summary) => {
                self.close(out);
                let (reason, sequence) = stop_reason(&summary.finish);
                let delta = json!({"stop_reason": reason, "stop_sequence": sequence});
                self.send("message_delta", json!({"delta": delta, "usage": usage(&summary)}), out);
                self.send("message_stop", json!({}), out);
            }
        }
    }

    fn fail(&mut self, failure: &Failure, out: &mut String) {
        event(out, Some("error"), &super::refusal(failure, None));
    }

    fn idle(&mut self, out: &mut String) {
        self.send("ping", json!({}), out);
    }
}
