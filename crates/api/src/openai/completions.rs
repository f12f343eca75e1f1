//! `POST /v1/completions`: plain text to be continued.

use axum::extract::State;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::chat::{CHOICES_MAX, finite};
use super::{METADATA, finish_reason, format, streaming, usage};
use crate::fields::Fields;
use crate::front::{Ask, Shared, random_id};
use crate::sampling_fields::{sampling, stop_texts};
use crate::streamed::{Render, event};
use crate::whole::Whole;
use crate::{Alternative, Delta, Failure, GenerateRequest, Logprob, Prompt, Summary, clock};

pub(crate) async fn create(State(front): Shared, ask: Ask) -> Result<Response, Failure> {
    let asked = Completion::read(ask.fields)?;
    let Completion { request, prompts, choices, stream, stream_usage, echo } = asked;
    let head = Head { id: random_id("cmpl-"), created: clock::unix_s(), model: request.model.clone() };
    let mut requests = Vec::new();
    let mut echoes = Vec::new();
    for prompt in &prompts {
        for choice in 0..choices {
            requests.push(GenerateRequest { prompt: prompt.clone(), ..request.choice(choice) });
            echoes.push(match prompt {
                Prompt::Text(text) if echo => text.clone(),
                _ => String::new(),
            });
        }
    }
    let count = requests.len();
    let answers = front.answers(&ask.call, requests);
    if stream {
        let pending = vec![Vec::new(); count];
        let render = Chunks {
            head,
            usage: stream_usage,
            prompts: prompts.len(),
            echoes,
            pending,
            summaries: vec![None; count],
        };
        return answers.streamed(render).await;
    }
    let whole = move |wholes: Vec<Whole>| {
        let choices: Vec<Value> = wholes
            .iter()
            .zip(&echoes)
            .enumerate()
            .map(|(index, (whole, echo))| {
                json!({
                    "index": index,
                    "text": format!("{echo}{}", whole.content),
                    "logprobs": logprobs(&whole.logprobs, echo.len()),
                    "finish_reason": finish_reason(&whole.summary.finish),
                })
            })
            .collect();
        let usage = usage(wholes.iter().map(|whole| &whole.summary), prompts.len());
        head.completion(choices.into(), Some(usage))
    };
    answers.whole(whole).await
}

struct Completion {
    request: GenerateRequest,
    prompts: Vec<Prompt>,
    choices: usize,
    stream: bool,
    stream_usage: bool,
    echo: bool,
}

/// Prompts of one request, each with its own answers.
const PROMPTS_MAX: usize = 64;

impl Completion {
    fn read(mut fields: Fields) -> Result<Completion, Failure> {
        let model = fields.need("model")?;
        let prompts = prompts(&mut fields)?;
        let sampling = sampling(&mut fields)?;
        let logprobs = fields.integer("logprobs", 0, 20)?;
        let echo = fields.take("echo")?.unwrap_or(false);
        if echo && logprobs.is_some() {
            return Err(fields.refuse("echo", "cannot be combined with `logprobs` on this server"));
        }
        if echo && prompts.iter().any(|prompt| matches!(prompt, Prompt::Tokens(_))) {
            return Err(fields.refuse("echo", "needs prompts that are text"));
        }
        let choices = fields.integer("n", 1, CHOICES_MAX)?.unwrap_or(1);
        if let Some(best_of) = fields.integer("best_of", 1, CHOICES_MAX)?
            && best_of != choices
        {
            return Err(
                fields.refuse("best_of", format_args!("is {best_of}; only as many as `n` are supported"))
            );
        }
        let request = GenerateRequest {
            model,
            sampling,
            // OpenAI's own default.
            tokens_max: Some(fields.integer("max_tokens", 1, u64::MAX)?.unwrap_or(16) as usize),
            stop: stop_texts(&mut fields, "stop", 16)?,
            logprobs: logprobs.map(|top| top as usize),
            format: format(fields.object("response_format")?)?,
            ..GenerateRequest::default()
        };
        let (stream, stream_usage) = streaming(&mut fields)?;
        fields.ignore(METADATA);
        fields.finish()?;
        Ok(Completion { request, prompts, choices: choices as usize, stream, stream_usage, echo })
    }
}

/// A text, a list of texts, a list of token ids, or a list of such lists.
fn prompts(fields: &mut Fields) -> Result<Vec<Prompt>, Failure> {
    let expected = "must be a string, a list of strings, token ids, or a list of lists of token ids";
    let wrong = |fields: &Fields| fields.refuse("prompt", expected);
    let list = match fields.need::<Value>("prompt")? {
        Value::String(text) => return Ok(vec![Prompt::Text(text)]),
        Value::Array(list) if !list.is_empty() => list,
        _ => return Err(wrong(fields)),
    };
    if list[0].is_number() {
        return Ok(vec![Prompt::Tokens(tokens(&list).ok_or_else(|| wrong(fields))?)]);
    }
    if list.len() > PROMPTS_MAX {
        let why = format!("has {} prompts, expected at most {PROMPTS_MAX}", list.len());
        return Err(fields.refuse("prompt", why));
    }
    let prompts: Option<Vec<Prompt>> = list
        .into_iter()
        .map(|prompt| match prompt {
            Value::String(text) => Some(Prompt::Text(text)),
            Value::Array(list) => tokens(&list).map(Prompt::Tokens),
            _ => None,
        })
        .collect();
    prompts.ok_or_else(|| wrong(fields))
}

pub(super) fn tokens(list: &[Value]) -> Option<Vec<u32>> {
    list.iter().map(|id| id.as_u64()?.try_into().ok()).collect()
}

struct Head {
    id: String,
    created: u64,
    model: String,
}

impl Head {
    fn completion(&self, choices: Value, usage: Option<Value>) -> Value {
        let mut completion = json!({
            "id": self.id, "object": "text_completion", "created": self.created, "model": self.model,
            "choices": choices, "system_fingerprint": null,
        });
        if let Some(usage) = usage {
            completion["usage"] = usage;
        }
        completion
    }
}

/// Parallel lists, the way this old API writes them.
fn logprobs(tokens: &[Logprob], mut offset: usize) -> Value {
    if tokens.is_empty() {
        return Value::Null;
    }
    let text = |token: &Alternative| String::from_utf8_lossy(&token.bytes).into_owned();
    let mut offsets = Vec::new();
    for token in tokens {
        offsets.push(offset);
        offset += token.token.bytes.len();
    }
    let top: Vec<Value> = tokens
        .iter()
        .map(|token| {
            let entries: Map<String, Value> =
                token.top.iter().map(|other| (text(other), finite(other.logprob).into())).collect();
            entries.into()
        })
        .collect();
    json!({
        "tokens": tokens.iter().map(|token| text(&token.token)).collect::<Vec<_>>(),
        "token_logprobs": tokens.iter().map(|token| finite(token.token.logprob)).collect::<Vec<_>>(),
        "top_logprobs": top,
        "text_offset": offsets,
    })
}

struct Chunks {
    head: Head,
    usage: bool,
    prompts: usize,
    echoes: Vec<String>,
    /// Log-probabilities of tokens whose text has not come yet, by choice.
    pending: Vec<Vec<Logprob>>,
    /// By choice.
    summaries: Vec<Option<Summary>>,
}

impl Chunks {
    fn chunk(&mut self, choice: usize, text: &str, finish: Option<&str>, out: &mut String) {
        let pending = std::mem::take(&mut self.pending[choice]);
        let choices = json!([{"index": choice, "text": text, "logprobs": logprobs(&pending, 0), "finish_reason": finish}]);
        event(out, None, &self.head.completion(choices, self.usage.then_some(Value::Null)));
    }
}

impl Render for Chunks {
    fn begin(&mut self, out: &mut String) {
        for (choice, echo) in std::mem::take(&mut self.echoes).iter().enumerate() {
            if !echo.is_empty() {
                self.chunk(choice, echo, None, out);
            }
        }
    }

    fn push(&mut self, choice: usize, delta: Delta, out: &mut String) {
        match delta {
            Delta::Content(text) => self.chunk(choice, &text, None, out),
            Delta::Logprob(logprob) => self.pending[choice].push(logprob),
            Delta::Done(summary) => {
                self.chunk(choice, "", Some(finish_reason(&summary.finish)), out);
                self.summaries[choice] = Some(summary);
            }
            // Plain text has neither thoughts nor calls.
            Delta::Reasoning(_) | Delta::ToolCall { .. } | Delta::ToolArguments { .. } => {}
        }
    }

    fn end(&mut self, out: &mut String) {
        if self.usage {
            let usage = usage(self.summaries.iter().flatten(), self.prompts);
            event(out, None, &self.head.completion(json!([]), Some(usage)));
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
