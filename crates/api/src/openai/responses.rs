//! `POST /v1/responses`. Nothing is stored between requests: a conversation is sent whole each time.

use axum::extract::State;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::chat::logprobs_json;
use super::{METADATA, content, effort, format, past_call, text_content, tool, tool_choice};
use crate::fields::{Fields, brief};
use crate::front::{Ask, Shared, random_id};
use crate::sampling_fields::sampling;
use crate::streamed::{Render, event};
use crate::whole::{Call, Whole};
use crate::{Chat, Delta, Failure, Finish, GenerateRequest, Logprob, Message, Prompt, Role, Summary, clock};

pub(crate) async fn create(State(front): Shared, ask: Ask) -> Result<Response, Failure> {
    let asked = Asked::read(ask.fields)?;
    let answers = front.answers(&ask.call, vec![asked.request]);
    if asked.stream {
        let render = Events { head: asked.head, output: Vec::new(), open: None, sequence: 0 };
        return answers.streamed(render).await;
    }
    let whole = move |wholes: Vec<Whole>| {
        let whole = wholes.into_iter().next().expect("one request, one answer");
        let mut output = Vec::new();
        if !whole.reasoning.is_empty() {
            output.push(Item::Reasoning { id: random_id("rs_"), text: whole.reasoning }.json("completed"));
        }
        if !whole.content.is_empty() || whole.calls.is_empty() {
            let id = random_id("msg_");
            output
                .push(Item::Message { id, text: whole.content, logprobs: whole.logprobs }.json("completed"));
        }
        for call in whole.calls {
            output.push(Item::Call { id: random_id("fc_"), call }.json("completed"));
        }
        asked.head.finished(output, &whole.summary)
    };
    answers.whole(whole).await
}

struct Asked {
    request: GenerateRequest,
    stream: bool,
    head: Head,
}

impl Asked {
    fn read(mut fields: Fields) -> Result<Asked, Failure> {
        let model: String = fields.need("model")?;
        let mut messages = Vec::new();
        let instructions = fields.take::<String>("instructions")?;
        if let Some(text) = &instructions {
            messages.push(Message::new(Role::System, text.clone()));
        }
        match fields.need::<Value>("input")? {
            Value::String(text) => messages.push(Message::new(Role::User, text)),
            Value::Array(items) if !items.is_empty() => {
                for (index, item) in items.into_iter().enumerate() {
                    input_item(Fields::of(item, format!("input[{index}]"))?, &mut messages)?;
                }
            }
            other => {
                let why = format!("is {}, expected a string or a list of items", brief(&other));
                return Err(fields.refuse("input", why));
            }
        }
        let shown_tools = fields.take::<Vec<Value>>("tools")?.unwrap_or_default();
        let mut tools = Vec::new();
        for (index, entry) in shown_tools.iter().enumerate() {
            let mut entry = Fields::of(entry.clone(), format!("tools[{index}]"))?;
            entry.only("type", &["function".into()])?;
            tools.push(tool(entry)?);
        }
        let tool_choice = tool_choice(&mut fields, &tools)?;
        let parallel_tool_calls = fields.take("parallel_tool_calls")?.unwrap_or(true);
        let mut text = fields.object("text")?;
        let answer_format = match &mut text {
            Some(text) => {
                text.only("verbosity", &["medium".into()])?;
                format(text.object("format")?)?
            }
            None => None,
        };
        text.map_or(Ok(()), Fields::finish)?;
        let reasoning = match fields.object("reasoning")? {
            Some(mut reasoning) => {
                let word = reasoning.take("effort")?;
                // How the thoughts are told: we tell them whole.
                reasoning.ignore(&["summary", "generate_summary"]);
                let effort = effort(&reasoning, "effort", word)?;
                reasoning.finish()?;
                effort
            }
            None => crate::Effort::Model,
        };
        let mut logprobs = fields.integer("top_logprobs", 0, 20)?.map(|top| top as usize);
        for include in fields.texts("include", 16)? {
            match include.as_str() {
                "message.output_text.logprobs" => drop(logprobs.get_or_insert(0)),
                "reasoning.encrypted_content" => {}
                _ => {
                    return Err(
                        fields.refuse("include", format_args!("asks for `{include}`, which is not here"))
                    );
                }
            }
        }
        let sampling = sampling(&mut fields)?;
        let tokens_max = fields.integer("max_output_tokens", 1, u64::MAX)?;
        let stream = fields.take("stream")?.unwrap_or(false);
        fields.only("background", &[false.into()])?;
        fields.only("truncation", &["disabled".into()])?;
        // Clients send `true` by default; the answer says `false`.
        fields.ignore(&["store", "stream_options"]);
        let metadata = fields.take::<Map<String, Value>>("metadata")?.unwrap_or_default();
        fields.ignore(METADATA);
        for (name, why) in [
            ("previous_response_id", "cannot be used: nothing is stored here; send the whole conversation"),
            ("conversation", "cannot be used: nothing is stored here; send the whole conversation"),
        ] {
            if fields.take::<Value>(name)?.is_some() {
                return Err(fields.refuse(name, why));
            }
        }
        fields.finish()?;
        let head = Head {
            id: random_id("resp_"),
            created: clock::unix_s(),
            shown: json!({
                "model": model,
                "instructions": instructions,
                "max_output_tokens": tokens_max,
                "parallel_tool_calls": parallel_tool_calls,
                "temperature": sampling.temperature,
                "top_p": sampling.top_p,
                "tools": shown_tools,
                "metadata": metadata,
            }),
        };
        let request = GenerateRequest {
            model,
            prompt: Prompt::Chat(Chat {
                continues: false,
                messages,
                tools,
                tool_choice,
                parallel_tool_calls,
                effort: reasoning,
                template: Map::new(),
            }),
            sampling,
            tokens_max: tokens_max.map(|tokens| tokens as usize),
            logprobs,
            format: answer_format,
            ..GenerateRequest::default()
        };
        Ok(Asked { request, stream, head })
    }
}

/// An item of a conversation: a message, a call, what a call gave, or thoughts.
fn input_item(mut item: Fields, messages: &mut Vec<Message>) -> Result<(), Failure> {
    let kind = item.take::<String>("type")?.unwrap_or_else(|| "message".into());
    match kind.as_str() {
        "message" => {
            let role = match item.need::<String>("role")?.as_str() {
                "system" => Role::System,
                "developer" => Role::Developer,
                "user" => Role::User,
                "assistant" => Role::Assistant,
                _ => return Err(item.refuse("role", "must be system, developer, user or assistant")),
            };
            let kinds = ["input_text", "output_text", "text", "refusal"];
            let content = content(&mut item, "content", &kinds, role == Role::User)?
                .ok_or_else(|| item.refuse("content", "is missing, expected a string or a list of parts"))?;
            let reasoning = thoughts_before(messages, role);
            messages.push(Message { role, content, reasoning, ..Message::default() });
        }
        "function_call" => {
            let call = past_call(Some(item.need("call_id")?), item.need("name")?, item.need("arguments")?);
            // Calls of one turn belong to one message.
            match messages.last_mut() {
                Some(last) if last.role == Role::Assistant => last.tool_calls.push(call),
                _ => messages.push(Message {
                    role: Role::Assistant,
                    tool_calls: vec![call],
                    ..Message::default()
                }),
            }
        }
        "function_call_output" => {
            let content = text_content(&mut item, "output", &["input_text", "output_text", "text"])?
                .ok_or_else(|| item.refuse("output", "is missing, expected a string"))?;
            let tool_call_id = Some(item.need("call_id")?);
            messages.push(Message { tool_call_id, ..Message::new(Role::Tool, content) });
        }
        "reasoning" => {
            let text = text_content(&mut item, "content", &["reasoning_text", "text"])?.unwrap_or_default();
            if !text.is_empty() {
                let reasoning = Some(text);
                messages.push(Message { role: Role::Assistant, reasoning, ..Message::default() });
            }
        }
        _ => {
            let why = "must be message, function_call, function_call_output or reasoning";
            return Err(item.refuse("type", why));
        }
    }
    Ok(())
}

/// Thoughts that were sent as an item of their own belong to the message after them.
fn thoughts_before(messages: &mut Vec<Message>, role: Role) -> Option<String> {
    let only_thoughts = messages.last().is_some_and(|last| {
        last.role == Role::Assistant && last.content.is_empty() && last.tool_calls.is_empty()
    });
    if role == Role::Assistant && only_thoughts { messages.pop()?.reasoning } else { None }
}

/// The response as it looks in every event.
struct Head {
    id: String,
    created: u64,
    /// What is repeated from the request.
    shown: Value,
}

impl Head {
    fn response(&self, status: &str, output: Vec<Value>) -> Value {
        let mut response = json!({
            "id": self.id, "object": "response", "created_at": self.created, "status": status,
            "background": false, "error": null, "incomplete_details": null, "output": output,
            "previous_response_id": null, "reasoning": {"effort": null, "summary": null}, "store": false,
            "text": {"format": {"type": "text"}}, "tool_choice": "auto", "truncation": "disabled",
            "usage": null, "user": null,
        });
        if let (Some(response), Some(shown)) = (response.as_object_mut(), self.shown.as_object()) {
            response.extend(shown.clone());
        }
        response
    }

    fn finished(&self, output: Vec<Value>, summary: &Summary) -> Value {
        let cut = match summary.finish {
            Finish::Length => Some("max_output_tokens"),
            Finish::Cancelled | Finish::Deadline => Some("deadline"),
            _ => None,
        };
        let mut response = self.response(if cut.is_some() { "incomplete" } else { "completed" }, output);
        if let Some(reason) = cut {
            response["incomplete_details"] = json!({"reason": reason});
        }
        response["usage"] = json!({
            "input_tokens": summary.prompt_tokens,
            "input_tokens_details": {"cached_tokens": summary.cached_tokens},
            "output_tokens": summary.tokens,
            "output_tokens_details": {"reasoning_tokens": summary.reasoning_tokens},
            "total_tokens": summary.prompt_tokens + summary.tokens,
        });
        response
    }
}

/// A part of the output.
enum Item {
    Reasoning { id: String, text: String },
    Message { id: String, text: String, logprobs: Vec<Logprob> },
    Call { id: String, call: Call },
}

impl Item {
    fn id(&self) -> &str {
        match self {
            Item::Reasoning { id, .. } | Item::Message { id, .. } | Item::Call { id, .. } => id,
        }
    }

    fn json(&self, status: &str) -> Value {
        match self {
            Item::Reasoning { id, text } => json!({
                "type": "reasoning", "id": id, "status": status, "summary": [],
                "content": [{"type": "reasoning_text", "text": text}],
            }),
            Item::Message { id, .. } => json!({
                "type": "message", "id": id, "status": status, "role": "assistant",
                "content": if status == "in_progress" { json!([]) } else { json!([self.part()]) },
            }),
            Item::Call { id, call } => json!({
                "type": "function_call", "id": id, "status": status, "call_id": call.id, "name": call.name,
                "arguments": call.arguments,
            }),
        }
    }

    /// A message's only part.
    fn part(&self) -> Value {
        let (text, logprobs) = match self {
            Item::Message { text, logprobs, .. } => (text.as_str(), logprobs.as_slice()),
            _ => ("", [].as_slice()),
        };
        json!({"type": "output_text", "text": text, "annotations": [], "logprobs": logprobs_json(logprobs)})
    }
}

struct Events {
    head: Head,
    output: Vec<Value>,
    /// The item being written.
    open: Option<Item>,
    sequence: u64,
}

impl Events {
    fn send(&mut self, kind: &str, mut data: Value, out: &mut String) {
        data["type"] = kind.into();
        data["sequence_number"] = self.sequence.into();
        self.sequence += 1;
        event(out, Some(kind), &data);
    }

    /// An event about the open item.
    fn send_item(&mut self, kind: &str, mut data: Value, out: &mut String) {
        data["output_index"] = self.output.len().into();
        if let Some(item) = &self.open {
            data["item_id"] = item.id().into();
        }
        self.send(kind, data, out);
    }

    fn open(&mut self, item: Item, out: &mut String) {
        self.close(out);
        let data = json!({"output_index": self.output.len(), "item": item.json("in_progress")});
        self.send("response.output_item.added", data, out);
        let part = matches!(item, Item::Message { .. }).then(|| item.part());
        self.open = Some(item);
        if let Some(part) = part {
            self.send_item("response.content_part.added", json!({"content_index": 0, "part": part}), out);
        }
    }

    fn close(&mut self, out: &mut String) {
        let Some(item) = &self.open else { return };
        let done = item.json("completed");
        match item {
            Item::Message { text, logprobs, .. } => {
                let data = json!({"content_index": 0, "text": text, "logprobs": logprobs_json(logprobs)});
                let part = item.part();
                self.send_item("response.output_text.done", data, out);
                self.send_item("response.content_part.done", json!({"content_index": 0, "part": part}), out);
            }
            Item::Reasoning { text, .. } => {
                let data = json!({"content_index": 0, "text": text});
                self.send_item("response.reasoning_text.done", data, out);
            }
            Item::Call { call, .. } => {
                let data = json!({"name": call.name, "arguments": call.arguments});
                self.send_item("response.function_call_arguments.done", data, out);
            }
        }
        self.send("response.output_item.done", json!({"output_index": self.output.len(), "item": done}), out);
        self.output.push(done);
        self.open = None;
    }
}

impl Render for Events {
    fn begin(&mut self, out: &mut String) {
        let response = self.head.response("in_progress", Vec::new());
        self.send("response.created", json!({"response": response}), out);
        self.send("response.in_progress", json!({"response": response}), out);
    }

    fn push(&mut self, _: usize, delta: Delta, out: &mut String) {
        match delta {
            Delta::Content(more) => {
                if !matches!(self.open, Some(Item::Message { .. })) {
                    let (id, text) = (random_id("msg_"), String::new());
                    self.open(Item::Message { id, text, logprobs: Vec::new() }, out);
                }
                if let Some(Item::Message { text, .. }) = &mut self.open {
                    text.push_str(&more);
                }
                let data = json!({"content_index": 0, "delta": more, "logprobs": []});
                self.send_item("response.output_text.delta", data, out);
            }
            Delta::Reasoning(more) => {
                if !matches!(self.open, Some(Item::Reasoning { .. })) {
                    self.open(Item::Reasoning { id: random_id("rs_"), text: String::new() }, out);
                }
                if let Some(Item::Reasoning { text, .. }) = &mut self.open {
                    text.push_str(&more);
                }
                self.send_item(
                    "response.reasoning_text.delta",
                    json!({"content_index": 0, "delta": more}),
                    out,
                );
            }
            Delta::ToolCall { id, name, .. } => {
                let call = Call { id, name, arguments: String::new() };
                self.open(Item::Call { id: random_id("fc_"), call }, out);
            }
            Delta::ToolArguments { piece, .. } => {
                if let Some(Item::Call { call, .. }) = &mut self.open {
                    call.arguments.push_str(&piece);
                }
                self.send_item("response.function_call_arguments.delta", json!({"delta": piece}), out);
            }
            Delta::Logprob(logprob) => {
                if !matches!(self.open, Some(Item::Message { .. })) {
                    let (id, text) = (random_id("msg_"), String::new());
                    self.open(Item::Message { id, text, logprobs: Vec::new() }, out);
                }
                if let Some(Item::Message { logprobs, .. }) = &mut self.open {
                    logprobs.push(logprob);
                }
            }
            Delta::Done(summary) => {
                self.close(out);
                let response = self.head.finished(std::mem::take(&mut self.output), &summary);
                let kind = match response["status"].as_str() {
                    Some("incomplete") => "response.incomplete",
                    _ => "response.completed",
                };
                self.send(kind, json!({"response": response}), out);
            }
        }
    }

    fn fail(&mut self, failure: &Failure, out: &mut String) {
        let mut response = self.head.response("failed", Vec::new());
        response["error"] = json!({"code": "server_error", "message": failure.to_string()});
        self.send("response.failed", json!({"response": response}), out);
    }

    fn idle(&mut self, out: &mut String) {
        out.push_str(": still working\n\n");
    }
}
