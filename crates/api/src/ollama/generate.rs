//! `POST /api/generate`.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use std::time::Instant;

use super::{Asked, last, line, load_only, object, pictures, shown};
use crate::front::{Ask, Shared};
use crate::openai::logprobs_json;
use crate::streamed::Render;
use crate::whole::Whole;
use crate::{Chat, Delta, Failure, Logprob, Message, Prompt, Role, ToolChoice};

pub(crate) async fn create(State(front): Shared, ask: Ask) -> Result<Response, Failure> {
    let start = Instant::now();
    let mut fields = ask.fields;
    let mut asked = Asked::read(&mut fields, &front)?;
    let prompt = fields.take::<String>("prompt")?.unwrap_or_default();
    let system = fields.take::<String>("system")?.filter(|system| !system.is_empty());
    let raw = fields.take("raw")?.unwrap_or(false);
    for (name, why) in [
        (
            "template",
            "cannot be set: the model's own template is used; send `raw` to write the prompt yourself",
        ),
        ("suffix", "cannot be used: the models here only continue text"),
        ("context", "cannot be used: nothing is kept between requests; use /api/chat for conversations"),
    ] {
        match fields.take::<Value>(name)? {
            None => {}
            Some(Value::String(text)) if text.is_empty() => {}
            Some(_) => return Err(fields.refuse(name, why)),
        }
    }
    let pictures = pictures(&mut fields)?;
    if raw && !pictures.is_empty() {
        return Err(fields.refuse("images", "cannot be used with `raw`: the model's template shows pictures"));
    }
    fields.finish()?;
    if prompt.is_empty() && pictures.is_empty() {
        return Ok(Json(load_only(&front, asked, json!({"response": ""})).await?).into_response());
    }
    asked.request.prompt = if raw {
        Prompt::Text(prompt)
    } else {
        let mut messages = Vec::new();
        messages.extend(system.map(|content| Message::new(Role::System, content)));
        messages.push(Message { content: shown(pictures, prompt), ..Message::default() });
        Prompt::Chat(Chat {
            continues: false,
            messages,
            tools: Vec::new(),
            tool_choice: ToolChoice::None,
            parallel_tool_calls: true,
            effort: asked.effort,
            template: Map::new(),
        })
    };
    let model = asked.request.model.clone();
    let answers = front.answers(&ask.call, vec![asked.request]);
    if asked.stream {
        return answers.streamed(Lines { model, start, logprobs: Vec::new() }).await;
    }
    let whole = move |wholes: Vec<Whole>| {
        let whole = wholes.into_iter().next().expect("one request, one answer");
        let mut answer = last(&whole.summary, start);
        answer.insert("response".into(), whole.content.into());
        if !whole.reasoning.is_empty() {
            answer.insert("thinking".into(), whole.reasoning.into());
        }
        if !whole.logprobs.is_empty() {
            answer.insert("logprobs".into(), logprobs_json(&whole.logprobs));
        }
        object(&model, Value::Object(answer))
    };
    answers.whole(whole).await
}

struct Lines {
    model: String,
    start: Instant,
    logprobs: Vec<Logprob>,
}

impl Render for Lines {
    fn push(&mut self, _: usize, delta: Delta, out: &mut String) {
        let mut fields = match delta {
            Delta::Content(text) => json!({"response": text}),
            Delta::Reasoning(text) => json!({"response": "", "thinking": text}),
            Delta::Logprob(logprob) => return self.logprobs.push(logprob),
            Delta::ToolCall { .. } | Delta::ToolArguments { .. } => return,
            Delta::Done(summary) => {
                let mut fields = last(&summary, self.start);
                fields.insert("response".into(), "".into());
                Value::Object(fields)
            }
        };
        if !self.logprobs.is_empty() {
            fields["logprobs"] = logprobs_json(&std::mem::take(&mut self.logprobs));
        }
        line(&self.model, fields, out);
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
