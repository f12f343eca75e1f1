//! One question to one loaded model.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tandem_api::{
    Alternative, Answer, Delta, EmbedInput, Embeddings, Failure, Finish, Format, GenerateRequest, Logprob,
    Progress, Prompt, Summary,
};
use tandem_engine::{Event, Refused, Request};
use tandem_runtime::{Chat, Model, Params, PromptError, Reply, Speech, check_constraint};
use tandem_text::Specials;
use tokio::sync::mpsc;

use crate::lowering;

/// Puts a request to a model. The answer keeps the model in memory until it is dropped.
pub fn answer(
    model: &Arc<Model>,
    mut request: GenerateRequest,
    loading_for: Duration,
) -> Result<Answer, Failure> {
    let name = std::mem::take(&mut request.model);
    // Where a constraint would come from.
    let constrained_by = match &request.prompt {
        Prompt::Chat { tools, .. } if !tools.is_empty() && request.format == Format::Free => "tools",
        _ => "response_format",
    };
    let (mut request, mut reply) = lower(model.speech(), request)?;
    // `tokens_max` is the most that is wanted: what the context cannot hold ends it earlier.
    let room = model.tokens().load().context.saturating_sub(request.prompt.len());
    if room > 0 {
        request.tokens_max = request.tokens_max.map(|tokens| tokens.min(room));
    }
    let (sender, receiver) = mpsc::unbounded_channel();
    let stop = Arc::new(Stop::default());
    let stopping = Arc::clone(&stop);
    let progress = Arc::new(Progress { prompt_tokens: request.prompt.len(), ..Progress::default() });
    let counted = Arc::clone(&progress);
    let mut deltas = Vec::new();
    let sink = move |event: Event| {
        counted.tokens.fetch_add(usize::from(matches!(event, Event::Token { .. })), Ordering::Relaxed);
        reply.push(event, &mut deltas);
        for delta in deltas.drain(..) {
            if let Some(delta) = translate(delta, loading_for) {
                // Whoever listened has left, and the ticket with them.
                let _ = sender.send(delta);
            }
        }
        if reply.is_stopped() {
            stopping.pull();
        }
    };
    let ticket = model.tokens().submit(request, Box::new(sink)).map_err(|refused| match refused {
        Refused::BadConstraint(_) => Failure::invalid(constrained_by, refused.to_string()),
        refused => lowering::refused(&name, refused),
    })?;
    stop.connect(ticket.canceller());
    Ok(Answer::new(receiver, (ticket, Arc::clone(model))).counted_by(progress))
}

/// How many tokens the prompt of a request has.
pub fn count_tokens(speech: &Speech, request: GenerateRequest) -> Result<usize, Failure> {
    Ok(lower(speech, request)?.0.prompt.len())
}

/// The mean of each input's hidden states, scaled to length one.
pub async fn embed(
    model: &Arc<Model>,
    name: &str,
    inputs: Vec<EmbedInput>,
    client: u64,
) -> Result<Embeddings, Failure> {
    let mut embeddings = Embeddings { vectors: Vec::with_capacity(inputs.len()), tokens: 0 };
    for input in inputs {
        let prompt = match input {
            EmbedInput::Text(text) => model.speech().tokenizer().encode_with_bos(&text, Specials::Text),
            EmbedInput::Tokens(tokens) => tokens,
        };
        embeddings.tokens += prompt.len();
        let request = Request { prompt, embed: true, tokens_max: Some(1), client, ..Request::default() };
        let (sender, mut events) = mpsc::unbounded_channel();
        let sink = move |event| {
            let _ = sender.send(event);
        };
        let _ticket = model
            .tokens()
            .submit(request, Box::new(sink))
            .map_err(|refused| lowering::refused(name, refused))?;
        let mut vector = None;
        while let Some(event) = events.recv().await {
            match event {
                Event::Hidden(values) => vector = Some(normalised(values)),
                Event::Failed(reason) => return Err(Failure::Unavailable(reason)),
                Event::Done(_) => break,
                _ => {}
            }
        }
        embeddings.vectors.push(vector.ok_or_else(|| Failure::Internal("no embedding came".into()))?);
    }
    Ok(embeddings)
}

fn normalised(mut values: Vec<f32>) -> Vec<f32> {
    let length = values.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        values.iter_mut().for_each(|x| *x /= length);
    }
    values
}

fn lower(speech: &Speech, request: GenerateRequest) -> Result<(Request, Reply), Failure> {
    let constraint = lowering::constraint(request.format);
    if let Some(constraint) = &constraint {
        check_constraint(constraint).map_err(|error| {
            Failure::invalid("response_format", format!("the constraint cannot be used: {error}"))
        })?;
    }
    let params = Params {
        sampling: lowering::sampling(request.sampling),
        tokens_max: request.tokens_max,
        stop: request.stop,
        logprobs: request.logprobs,
        constraint,
        client: request.client,
        deadline: request.deadline,
    };
    match request.prompt {
        Prompt::Text(text) => Ok(speech.complete(&text, &params)),
        Prompt::Tokens(tokens) => Ok(speech.request(tokens, &params)),
        Prompt::Chat { messages, tools, tool_choice, parallel_tool_calls, effort, template } => {
            let chat = Chat {
                messages: messages.into_iter().map(lowering::message).collect(),
                tools: tools.iter().map(lowering::tool).collect(),
                tool_choice: lowering::tool_choice(tool_choice),
                one_call: !parallel_tool_calls,
                strict: tools.iter().filter(|tool| tool.strict).map(|tool| tool.name.clone()).collect(),
                effort: lowering::effort(effort),
                extra: template,
            };
            speech.chat(&chat, &params).map_err(|error| {
                let field = match error {
                    PromptError::Template(_) => "messages",
                    PromptError::UnknownTool { .. } => "tool_choice",
                    PromptError::Grammar(_) if chat.tools.is_empty() => "response_format",
                    PromptError::Grammar(_) => "tools",
                };
                Failure::invalid(field, error.to_string())
            })
        }
    }
}

fn translate(delta: tandem_runtime::Delta, loading_for: Duration) -> Option<Result<Delta, Failure>> {
    use tandem_runtime::Delta as Spoken;
    let alternative = |token: tandem_runtime::TokenLogprob| Alternative {
        id: token.id,
        bytes: token.bytes,
        logprob: token.logprob,
    };
    Some(Ok(match delta {
        Spoken::Content(text) => Delta::Content(text),
        Spoken::Reasoning(text) => Delta::Reasoning(text),
        Spoken::ToolCall { index, id, name } => Delta::ToolCall { index, id, name },
        Spoken::Arguments { index, json } => Delta::ToolArguments { index, piece: json },
        Spoken::Logprobs(token) => Delta::Logprob(Logprob {
            token: alternative(token.token),
            top: token.top.into_iter().map(alternative).collect(),
        }),
        Spoken::Hidden(_) => return None,
        Spoken::Done(summary) => Delta::Done(Summary {
            finish: finish(summary.finish),
            prompt_tokens: summary.prompt_tokens,
            cached_tokens: summary.cached_tokens,
            tokens: summary.tokens,
            reasoning_tokens: summary.reasoning_tokens,
            loading_for,
            first_token_after: summary.first_token_after,
            decoding_for: summary.decoding_for,
        }),
        Spoken::Failed(reason) => return Some(Err(Failure::Unavailable(reason))),
    }))
}

fn finish(finish: tandem_runtime::Finish) -> Finish {
    use tandem_runtime::Finish as Spoken;
    match finish {
        Spoken::End => Finish::End,
        Spoken::Stop(text) => Finish::Stop(text),
        Spoken::ToolCalls => Finish::ToolCalls,
        Spoken::Length => Finish::Length,
        Spoken::Cancelled | Spoken::Deadline => Finish::Cancelled,
    }
}

/// A way for events to cancel their own request, whose ticket exists only after the first may have come.
#[derive(Default)]
struct Stop {
    pulled: AtomicBool,
    cancel: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl Stop {
    fn pull(&self) {
        self.pulled.store(true, Ordering::SeqCst);
        if let Some(cancel) = self.cancel.get() {
            cancel();
        }
    }

    fn connect(&self, cancel: impl Fn() + Send + Sync + 'static) {
        let _ = self.cancel.set(Box::new(cancel));
        if self.pulled.load(Ordering::SeqCst) {
            self.pull();
        }
    }
}
