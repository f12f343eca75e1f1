//! One question to one loaded model.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
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
    let refused = move |refused: Refused| match refused {
        Refused::BadConstraint(_) => Failure::invalid(constrained_by, refused.to_string()),
        refused => lowering::refused(&name, refused),
    };
    let (request, mut reply) = lower(model.speech(), request)?;
    let (sender, receiver) = mpsc::unbounded_channel();
    let stop = Arc::new(Stop::default());
    let stopping = Arc::clone(&stop);
    let progress = Arc::new(Progress { prompt_tokens: request.prompt.len(), ..Progress::default() });
    let counted = Arc::clone(&progress);
    let mut deltas = Vec::new();
    let refused_later = refused.clone();
    let sink = move |event: Event| {
        counted.tokens.fetch_add(usize::from(matches!(event, Event::Token { .. })), Ordering::Relaxed);
        reply.push(event, &mut deltas);
        for delta in deltas.drain(..) {
            if let Some(delta) = translate(delta, loading_for, &refused_later) {
                // Whoever listened has left, and the ticket with them.
                let _ = sender.send(delta);
            }
        }
        if reply.is_stopped() {
            stopping.pull();
        }
    };
    let ticket = model.tokens().submit(request, Box::new(sink)).map_err(refused)?;
    stop.connect(ticket.canceller());
    Ok(Answer::new(receiver, (ticket, Arc::clone(model))).counted_by(progress))
}

/// How many tokens the prompt of a request has.
pub fn count_tokens(speech: &Speech, request: GenerateRequest) -> Result<usize, Failure> {
    Ok(lower(speech, request)?.0.prompt.len())
}

/// The mean of each input's hidden states, scaled to length one. Several inputs are computed at a time.
pub async fn embed(
    model: &Arc<Model>,
    name: &str,
    inputs: Vec<EmbedInput>,
    client: u64,
) -> Result<Embeddings, Failure> {
    let left = Arc::new(AtomicBool::new(false));
    let _leaving = Leaving(Arc::clone(&left));
    let (model, name) = (Arc::clone(model), name.to_owned());
    // Tokenising long inputs takes its time, and so may handing them to another process.
    let embedded = tokio::task::spawn_blocking(move || embed_all(&model, &name, inputs, client, &left)).await;
    embedded.map_err(|error| Failure::Internal(format!("the request failed: {error}")))?
}

/// Inputs under way at a time: enough to fill batches, too few to fill the queue for others.
const EMBEDDING_MAX: usize = 16;

/// Returns early where whoever asked has `left`.
fn embed_all(
    model: &Model,
    name: &str,
    inputs: Vec<EmbedInput>,
    client: u64,
    left: &AtomicBool,
) -> Result<Embeddings, Failure> {
    let refused = |refused: Refused| match refused {
        Refused::UnknownToken { .. } | Refused::EmptyPrompt => Failure::invalid("input", refused.to_string()),
        refused => lowering::refused(name, refused),
    };
    let count = inputs.len();
    let mut inputs = inputs.into_iter().enumerate();
    let mut embeddings = Embeddings { vectors: vec![Vec::new(); count], tokens: 0 };
    let (sender, events) = channel();
    let mut tickets = HashMap::new();
    let mut done = 0;
    while done < count {
        while tickets.len() < EMBEDDING_MAX
            && let Some((index, input)) = inputs.next()
        {
            let prompt = match input {
                EmbedInput::Text(text) => model.speech().tokenizer().encode_with_bos(&text, Specials::Text),
                EmbedInput::Tokens(tokens) => tokens,
            };
            embeddings.tokens += prompt.len();
            let request = Request { prompt, embed: true, client, ..Request::default() };
            let sender = sender.clone();
            let sink = move |event| drop(sender.send((index, event)));
            tickets.insert(index, model.tokens().submit(request, Box::new(sink)).map_err(refused)?);
        }
        let Ok((index, event)) = events.recv() else { break };
        match event {
            _ if left.load(Ordering::Relaxed) => break,
            Event::Hidden(values) => embeddings.vectors[index] = normalised(values),
            Event::Refused(refusal) => return Err(refused(refusal)),
            Event::Failed(reason) => return Err(Failure::Unavailable(reason)),
            Event::Done(_) => {
                tickets.remove(&index);
                done += 1;
            }
            Event::Token { .. } | Event::Scored(_) => {}
        }
    }
    match embeddings.vectors.iter().all(|vector| !vector.is_empty()) {
        true => Ok(embeddings),
        false => Err(Failure::Internal("no embedding came".into())),
    }
}

/// Says so when whoever waits has left.
struct Leaving(Arc<AtomicBool>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
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
        Prompt::Chat { messages, tools, tool_choice, parallel_tool_calls, effort, template, continues } => {
            let chat = Chat {
                continues,
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

fn translate(
    delta: tandem_runtime::Delta,
    loading_for: Duration,
    refused: &impl Fn(Refused) -> Failure,
) -> Option<Result<Delta, Failure>> {
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
        Spoken::Refused(refusal) => return Some(Err(refused(refusal))),
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
