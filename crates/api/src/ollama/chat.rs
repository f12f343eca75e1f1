//! `POST /api/chat`.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use std::time::Instant;

use super::{Asked, last, line, load_only, object, pictures, shown};
use crate::fields::Fields;
use crate::front::{Ask, Shared};
use crate::openai::logprobs_json;
use crate::streamed::Render;
use crate::whole::{Call, Whole};
use crate::{Chat, Delta, Failure, Logprob, Message, Prompt, Role, Tool, ToolCall, ToolChoice};

pub(crate) async fn create(State(front): Shared, ask: Ask) -> Result<Response, Failure> {
    let start = Instant::now();
    let mut fields = ask.fields;
    let mut asked = Asked::read(&mut fields, &front)?;
    let messages = fields.objects("messages")?.unwrap_or_default();
    let messages: Vec<Message> = messages.into_iter().map(message).collect::<Result<_, _>>()?;
    let tools =
        fields.objects("tools")?.unwrap_or_default().into_iter().map(tool).collect::<Result<_, _>>()?;
    fields.finish()?;
    if messages.is_empty() {
        let answer = json!({"message": {"role": "assistant", "content": ""}});
        return Ok(Json(load_only(&front, asked, answer).await?).into_response());
    }
    asked.request.prompt = Prompt::Chat(Chat {
        continues: false,
        messages,
        tools,
        tool_choice: ToolChoice::Auto,
        parallel_tool_calls: true,
        effort: asked.effort,
        template: Map::new(),
    });
    let model = asked.request.model.clone();
    let answers = front.answers(&ask.call, vec![asked.request]);
    if asked.stream {
        let render = Lines { model, start, calls: Vec::new(), logprobs: Vec::new() };
        return answers.streamed(render).await;
    }
    let whole = move |wholes: Vec<Whole>| {
        let whole = wholes.into_iter().next().expect("one request, one answer");
        let mut message = json!({"role": "assistant", "content": whole.content});
        if !whole.reasoning.is_empty() {
            message["thinking"] = whole.reasoning.into();
        }
        if !whole.calls.is_empty() {
            message["tool_calls"] = whole.calls.iter().map(call_json).collect();
        }
        let mut answer = last(&whole.summary, start);
        answer.insert("message".into(), message);
        if !whole.logprobs.is_empty() {
            answer.insert("logprobs".into(), logprobs_json(&whole.logprobs));
        }
        object(&model, Value::Object(answer))
    };
    answers.whole(whole).await
}

fn message(mut fields: Fields) -> Result<Message, Failure> {
    let role = match fields.need::<String>("role")?.as_str() {
        "system" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" => Role::Tool,
        _ => return Err(fields.refuse("role", "must be system, user, assistant or tool")),
    };
    let pictures = pictures(&mut fields)?;
    if !pictures.is_empty() && role != Role::User {
        return Err(fields.refuse("images", "may only be in messages of users"));
    }
    let mut tool_calls = Vec::new();
    for mut call in fields.objects("tool_calls")?.unwrap_or_default() {
        let function = call.object("function")?;
        let mut function =
            function.ok_or_else(|| call.refuse("function", "is missing, expected an object"))?;
        let arguments = Value::Object(function.take("arguments")?.unwrap_or_default());
        tool_calls.push(ToolCall { id: call.take("id")?, name: function.need("name")?, arguments });
    }
    Ok(Message {
        role,
        content: shown(pictures, fields.take::<String>("content")?.unwrap_or_default()),
        reasoning: fields.take("thinking")?,
        tool_calls,
        tool_call_id: fields.take("tool_call_id")?,
        name: fields.take("tool_name")?.or(fields.take("name")?),
    })
}

fn tool(mut fields: Fields) -> Result<Tool, Failure> {
    fields.only("type", &["function".into()])?;
    let function = fields.object("function")?;
    let mut function = function.ok_or_else(|| fields.refuse("function", "is missing, expected an object"))?;
    let parameters = function.take::<Map<String, Value>>("parameters")?;
    Ok(Tool {
        name: function.need("name")?,
        description: function.take("description")?,
        parameters: parameters.map_or_else(|| json!({"type": "object", "properties": {}}), Value::Object),
        strict: false,
    })
}

fn call_json(call: &Call) -> Value {
    json!({"id": call.id, "function": {"name": call.name, "arguments": call.object()}})
}

/// One object a line. Calls are written whole, once their arguments are.
struct Lines {
    model: String,
    start: Instant,
    calls: Vec<Call>,
    logprobs: Vec<Logprob>,
}

impl Lines {
    fn message(&mut self, message: Value, out: &mut String) {
        let mut fields = json!({"message": message});
        if !self.logprobs.is_empty() {
            fields["logprobs"] = logprobs_json(&std::mem::take(&mut self.logprobs));
        }
        line(&self.model, fields, out);
    }

    fn write_calls(&mut self, out: &mut String) {
        if !self.calls.is_empty() {
            let calls: Value = std::mem::take(&mut self.calls).iter().map(call_json).collect();
            self.message(json!({"role": "assistant", "content": "", "tool_calls": calls}), out);
        }
    }
}

impl Render for Lines {
    fn push(&mut self, _: usize, delta: Delta, out: &mut String) {
        match delta {
            Delta::Content(text) => self.message(json!({"role": "assistant", "content": text}), out),
            Delta::Reasoning(text) => {
                self.message(json!({"role": "assistant", "content": "", "thinking": text}), out);
            }
            Delta::ToolCall { id, name, .. } => {
                self.write_calls(out);
                self.calls.push(Call { id, name, arguments: String::new() });
            }
            Delta::ToolArguments { piece, .. } => {
                if let Some(call) = self.calls.last_mut() {
                    call.arguments.push_str(&piece);
                }
            }
            Delta::Logprob(logprob) => self.logprobs.push(logprob),
            Delta::Done(summary) => {
                self.write_calls(out);
                let mut fields = last(&summary, self.start);
                fields.insert("message".into(), json!({"role": "assistant", "content": ""}));
                line(&self.model, Value::Object(fields), out);
            }
        }
    }

    fn fail(&mut self, failure: &Failure, out: &mut String) {
        out.push_str(&super::refusal(failure).to_string());
        out.push('\n');
    }

    /// White space before the next line's value.
    fn idle(&mut self, out: &mut String) {
        out.push(' ');
    }

    fn content_type(&self) -> &'static str {
        "application/x-ndjson"
    }
}
