//! `POST /v1/chat/completions`.

use axum::extract::State;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::{
    METADATA, content, effort, finish_reason, format, past_call, streaming, tool, tool_choice, usage,
};
use crate::fields::{Fields, brief};
use crate::front::{Ask, Shared, random_id};
use crate::sampling_fields::{sampling, stop_texts};
use crate::streamed::{Render, event};
use crate::whole::Whole;
use crate::{Alternative, Delta, Failure, GenerateRequest, Logprob, Message, Prompt, Role, Summary, clock};

pub(crate) async fn create(State(front): Shared, ask: Ask) -> Result<Response, Failure> {
    let chat = Chat::read(ask.fields)?;
    let requests = (0..chat.choices).map(|choice| chat.request.choice(choice)).collect();
    let answers = front.answers(&ask.call, requests);
    let head = Head { id: random_id("chatcmpl-"), created: clock::unix_s(), model: chat.request.model };
    if chat.stream {
        let render = Chunks { head, usage: chat.stream_usage, states: Vec::new(), choices: chat.choices };
        return answers.streamed(render).await;
    }
    answers.whole(move |wholes| completion(&head, &wholes)).await
}

/// A request as the client wrote it.
#[derive(Debug)]
pub(super) struct Chat {
    pub request: GenerateRequest,
    choices: usize,
    stream: bool,
    stream_usage: bool,
}

impl GenerateRequest {
    /// The same request for another answer: a given seed gives each its own.
    pub(super) fn choice(&self, choice: usize) -> GenerateRequest {
        let mut request = self.clone();
        request.sampling.seed = request.sampling.seed.map(|seed| seed.wrapping_add(choice as u64));
        request
    }
}

/// More answers than this to one request are better asked for in several.
pub(super) const CHOICES_MAX: u64 = 16;

impl Chat {
    pub fn read(mut fields: Fields) -> Result<Chat, Failure> {
        let model = fields.need("model")?;
        let messages = fields.objects("messages")?;
        let messages = messages.ok_or_else(|| fields.refuse("messages", "is missing, expected a list"))?;
        if messages.is_empty() {
            return Err(fields.refuse("messages", "is empty, expected at least one message"));
        }
        let messages = messages.into_iter().map(message).collect::<Result<_, _>>()?;
        let mut tools = Vec::new();
        for mut entry in fields.objects("tools")?.unwrap_or_default() {
            entry.only("type", &["function".into()])?;
            let function = entry.object("function")?;
            tools.push(tool(
                function.ok_or_else(|| entry.refuse("function", "is missing, expected an object"))?,
            )?);
        }
        let tool_choice = tool_choice(&mut fields, &tools)?;
        let sampling = sampling(&mut fields)?;
        let tokens_max = fields.integer("max_completion_tokens", 1, u64::MAX)?;
        let tokens_max = tokens_max.or(fields.integer("max_tokens", 1, u64::MAX)?);
        let logprobs = fields.take::<bool>("logprobs")?.unwrap_or(false);
        let top_logprobs = fields.integer("top_logprobs", 0, 20)?;
        if top_logprobs.is_some_and(|top| top > 0) && !logprobs {
            return Err(fields.refuse("top_logprobs", "needs `logprobs` to be true"));
        }
        let word = fields.take("reasoning_effort")?;
        let request = GenerateRequest {
            model,
            prompt: Prompt::Chat(crate::Chat {
                continues: false,
                messages,
                tools,
                tool_choice,
                parallel_tool_calls: fields.take("parallel_tool_calls")?.unwrap_or(true),
                effort: effort(&fields, "reasoning_effort", word)?,
                template: fields.take("chat_template_kwargs")?.unwrap_or_default(),
            }),
            sampling,
            tokens_max: tokens_max.map(|tokens| tokens as usize),
            stop: stop_texts(&mut fields, "stop", 16)?,
            logprobs: logprobs.then(|| top_logprobs.unwrap_or(0) as usize),
            format: format(fields.object("response_format")?)?,
            ..GenerateRequest::default()
        };
        let choices = fields.integer("n", 1, CHOICES_MAX)?.unwrap_or(1) as usize;
        let (stream, stream_usage) = streaming(&mut fields)?;
        fields.only("store", &[false.into()])?;
        fields.only("modalities", &[json!(["text"])])?;
        fields.only("verbosity", &["medium".into()])?;
        fields.ignore(METADATA);
        fields.finish()?;
        Ok(Chat { request, choices, stream, stream_usage })
    }
}

fn message(mut fields: Fields) -> Result<Message, Failure> {
    let role = match fields.need::<String>("role")?.as_str() {
        "system" => Role::System,
        "developer" => Role::Developer,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" => Role::Tool,
        other => {
            let shown = brief(&other.into());
            let why = format!("is {shown}, expected system, developer, user, assistant or tool");
            return Err(fields.refuse("role", why));
        }
    };
    let content = content(&mut fields, "content", &["text", "refusal"], role == Role::User)?;
    let mut tool_calls = Vec::new();
    for mut call in fields.objects("tool_calls")?.unwrap_or_default() {
        let function = call.object("function")?;
        let mut function =
            function.ok_or_else(|| call.refuse("function", "is missing, expected an object"))?;
        let arguments = function.take::<String>("arguments")?.unwrap_or_default();
        tool_calls.push(past_call(call.take("id")?, function.need("name")?, arguments));
    }
    if content.is_none() && role != Role::Assistant {
        return Err(fields.refuse("content", "is missing, expected a string or a list of parts"));
    }
    let reasoning = fields.take("reasoning_content")?.or(fields.take("reasoning")?);
    Ok(Message {
        role,
        content: content.unwrap_or_default(),
        reasoning,
        tool_calls,
        tool_call_id: fields.take("tool_call_id")?,
        name: fields.take("name")?,
    })
}

struct Head {
    id: String,
    created: u64,
    model: String,
}

fn completion(head: &Head, wholes: &[Whole]) -> Value {
    let choices: Vec<Value> = wholes
        .iter()
        .enumerate()
        .map(|(index, whole)| {
            let calls: Vec<Value> = whole
                .calls
                .iter()
                .map(|call| {
                    json!({
                        "id": call.id, "type": "function",
                        "function": {"name": call.name, "arguments": call.arguments},
                    })
                })
                .collect();
            let silent = whole.content.is_empty() && !calls.is_empty();
            let mut message = json!({
                "role": "assistant",
                "content": if silent { Value::Null } else { whole.content.as_str().into() },
                "refusal": null,
            });
            if !whole.reasoning.is_empty() {
                message["reasoning_content"] = whole.reasoning.as_str().into();
            }
            if !calls.is_empty() {
                message["tool_calls"] = calls.into();
            }
            json!({
                "index": index,
                "message": message,
                "logprobs": logprobs(&whole.logprobs),
                "finish_reason": finish_reason(&whole.summary.finish),
            })
        })
        .collect();
    json!({
        "id": head.id, "object": "chat.completion", "created": head.created, "model": head.model,
        "choices": choices,
        "usage": usage(wholes.iter().map(|whole| &whole.summary), 1),
        "system_fingerprint": null,
    })
}

/// `null` where none were asked for.
fn logprobs(tokens: &[Logprob]) -> Value {
    if tokens.is_empty() {
        return Value::Null;
    }
    json!({"content": logprobs_json(tokens), "refusal": null})
}

/// Each token with those that might have come instead.
pub(crate) fn logprobs_json(tokens: &[Logprob]) -> Value {
    tokens
        .iter()
        .map(|token| {
            let mut entry = alternative(&token.token);
            entry["top_logprobs"] = token.top.iter().map(alternative).collect();
            entry
        })
        .collect()
}

fn alternative(token: &Alternative) -> Value {
    json!({
        "token": String::from_utf8_lossy(&token.bytes),
        "logprob": finite(token.logprob),
        "bytes": token.bytes,
    })
}

/// JSON has no infinity; this is what OpenAI writes for what cannot be.
pub(super) fn finite(logprob: f32) -> f64 {
    if logprob.is_finite() { f64::from(logprob) } else { -9999.0 }
}

/// The stream's chunks.
struct Chunks {
    head: Head,
    usage: bool,
    choices: usize,
    states: Vec<Choice>,
}

/// What is kept of a choice between its deltas.
#[derive(Default)]
struct Choice {
    logprobs: Vec<Logprob>,
    summary: Option<Summary>,
}

impl Chunks {
    fn chunk(&self, choice: usize, delta: Value, logprobs: Value, finish: Option<&str>, out: &mut String) {
        let choice = json!({"index": choice, "delta": delta, "logprobs": logprobs, "finish_reason": finish});
        self.write(json!([choice]), Value::Null, out);
    }

    fn write(&self, choices: Value, usage: Value, out: &mut String) {
        let Head { id, created, model } = &self.head;
        let mut chunk = json!({
            "id": id, "object": "chat.completion.chunk", "created": created, "model": model,
            "system_fingerprint": null, "choices": choices,
        });
        if self.usage {
            chunk["usage"] = usage;
        }
        event(out, None, &chunk);
    }
}

impl Render for Chunks {
    fn begin(&mut self, out: &mut String) {
        for choice in 0..self.choices {
            self.states.push(Choice::default());
            self.chunk(choice, json!({"role": "assistant", "content": ""}), Value::Null, None, out);
        }
    }

    fn push(&mut self, choice: usize, delta: Delta, out: &mut String) {
        let mut take = || logprobs(&std::mem::take(&mut self.states[choice].logprobs));
        match delta {
            Delta::Content(text) => {
                let logprobs = take();
                self.chunk(choice, json!({"content": text}), logprobs, None, out);
            }
            Delta::Reasoning(text) => {
                let logprobs = take();
                self.chunk(choice, json!({"reasoning_content": text}), logprobs, None, out);
            }
            Delta::ToolCall { index, id, name } => {
                let function = json!({"name": name, "arguments": ""});
                let call = json!({"index": index, "id": id, "type": "function", "function": function});
                self.chunk(choice, json!({"tool_calls": [call]}), Value::Null, None, out);
            }
            Delta::ToolArguments { index, piece } => {
                let call = json!({"index": index, "function": {"arguments": piece}});
                self.chunk(choice, json!({"tool_calls": [call]}), Value::Null, None, out);
            }
            Delta::Logprob(logprob) => self.states[choice].logprobs.push(logprob),
            Delta::Done(summary) => {
                let logprobs = take();
                let finish = finish_reason(&summary.finish);
                self.chunk(choice, Value::Object(Map::new()), logprobs, Some(finish), out);
                self.states[choice].summary = Some(summary);
            }
        }
    }

    fn end(&mut self, out: &mut String) {
        if self.usage {
            let summaries = self.states.iter().filter_map(|state| state.summary.as_ref());
            self.write(json!([]), usage(summaries, 1), out);
        }
        out.push_str("data: [DONE]\n\n");
    }

    fn fail(&mut self, failure: &Failure, out: &mut String) {
        event(out, None, &super::refusal(failure));
    }

    fn idle(&mut self, out: &mut String) {
        out.push_str(": still working\n\n");
    }
}
