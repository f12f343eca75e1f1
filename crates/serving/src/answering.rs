//! Puts one request to one loaded model.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tandem_api::{
    Answer, Delta, EmbedInput, Embeddings, Failure, GenerateRequest, Progress, Prompt, Summary,
};
use tandem_engine::{Event, Refused, Request};
use tandem_runtime::{Model, Params, PromptError, Reply, Speech, Unanswered};
use tandem_text::{Specials, check_constraint};
use tokio::sync::mpsc;

/// Puts a request to a model. The answer keeps the model in memory until it is dropped.
pub fn answer(
    model: &Arc<Model>,
    mut request: GenerateRequest,
    loading_for: Duration,
) -> Result<Answer, Failure> {
    let name = std::mem::take(&mut request.model);
    // Where a constraint would come from.
    let constrained_by = match &request.prompt {
        Prompt::Chat(chat) if !chat.tools.is_empty() && request.format.is_none() => "tools",
        _ => "response_format",
    };
    let refused = move |refused: Refused| match refused {
        Refused::BadConstraint(_) => Failure::invalid(constrained_by, refused.to_string()),
        refused => refusal(&name, refused),
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
        for next in deltas.drain(..) {
            let next = match next {
                Ok(Delta::Done(summary)) => Ok(Delta::Done(Summary { loading_for, ..summary })),
                Ok(delta) => Ok(delta),
                Err(Unanswered::Refused(refusal)) => Err(refused_later(refusal)),
                Err(Unanswered::Lost(reason)) => Err(Failure::Unavailable(reason)),
            };
            // Whoever listened has left, and the ticket with them.
            let _ = sender.send(next);
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
        refused => refusal(name, refused),
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
    if let Some(constraint) = &request.format {
        check_constraint(constraint).map_err(|error| {
            Failure::invalid("response_format", format!("the constraint cannot be used: {error}"))
        })?;
    }
    let params = Params {
        sampling: request.sampling,
        tokens_max: request.tokens_max,
        stop: request.stop,
        logprobs: request.logprobs,
        constraint: request.format,
        client: request.client,
        deadline: request.deadline,
    };
    match request.prompt {
        Prompt::Text(text) => Ok(speech.complete(&text, &params)),
        Prompt::Tokens(tokens) => Ok(speech.request(tokens, &params)),
        Prompt::Chat(chat) => speech.chat(&chat, &params).map_err(|error| {
            let field = match error {
                PromptError::Template(_)
                | PromptError::NoSight
                | PromptError::Picture(_)
                | PromptError::TooManyPictures { .. }
                | PromptError::PicturesNotShown { .. } => "messages",
                PromptError::UnknownTool { .. } => "tool_choice",
                PromptError::Grammar(_) if chat.tools.is_empty() => "response_format",
                PromptError::Grammar(_) => "tools",
            };
            Failure::invalid(field, error.to_string())
        }),
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

/// What a client is told of an engine's refusal.
fn refusal(model: &str, refused: Refused) -> Failure {
    match refused {
        Refused::TooLong { prompt, context } => Failure::TooLong { model: model.to_owned(), prompt, context },
        Refused::Busy { waiting } => Failure::Busy {
            message: format!("{waiting} requests are waiting for {model} already, the most that may"),
            // A place is likely free by then; an answer takes seconds.
            retry_after: Duration::from_secs(2),
        },
        Refused::Stopped(reason) => Failure::Unavailable(format!("{model} has stopped: {reason}")),
        Refused::UnknownToken { .. } => Failure::invalid("prompt", refused.to_string()),
        Refused::NoSight | Refused::BadPicture(_) => Failure::invalid("messages", refused.to_string()),
        Refused::UnknownBias { .. } => Failure::invalid("logit_bias", refused.to_string()),
        Refused::BadConstraint(_) => Failure::invalid("response_format", refused.to_string()),
        Refused::NotFinite(_) => Failure::Unavailable(format!("{model}: {refused}")),
        other => Failure::malformed(other.to_string()),
    }
}
