//! A service that answers at once, and counts what it has not seen the end of.
#![allow(dead_code)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tandem_api::*;
use tokio::sync::{broadcast, mpsc};
use tower::ServiceExt;

/// Answers `hello` with an echo, `call` with a tool call, `endless` without end, what begins with `slow` after a while, two
/// of `pair` together, and fails on `fail`.
pub struct Fake {
    /// Answers that nobody has dropped.
    pub held: Arc<AtomicUsize>,
    pub last: std::sync::Mutex<Option<GenerateRequest>>,
    pub changes: Changes,
    /// Two requests that wait for each other.
    pub pair: tokio::sync::Barrier,
}

impl Default for Fake {
    fn default() -> Fake {
        let pair = tokio::sync::Barrier::new(2);
        Fake { held: Arc::default(), last: Default::default(), changes: Changes::default(), pair }
    }
}

/// Where changes of state are told.
pub struct Changes(pub broadcast::Sender<Value>);

impl Default for Changes {
    fn default() -> Changes {
        Changes(broadcast::channel(4).0)
    }
}

pub struct Held(Arc<AtomicUsize>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

pub const CONTEXT: usize = 100;

impl Fake {
    fn hold(&self) -> Held {
        self.held.fetch_add(1, SeqCst);
        Held(Arc::clone(&self.held))
    }
}

fn said(prompt: &Prompt) -> String {
    match prompt {
        Prompt::Text(text) => text.clone(),
        Prompt::Tokens(tokens) => format!("{} tokens", tokens.len()),
        Prompt::Chat(chat) => chat.messages.last().map(|last| last.content.text()).unwrap_or_default(),
    }
}

impl Service for Fake {
    fn models(&self) -> Vec<ModelCard> {
        vec![
            ModelCard {
                name: "tiny".into(),
                context: CONTEXT,
                family: "llama".into(),
                ..ModelCard::default()
            },
            ModelCard { name: "org/large:Q4_0".into(), ..ModelCard::default() },
        ]
    }

    fn generate(&self, request: GenerateRequest) -> Later<'_, Result<Answer, Failure>> {
        Box::pin(async move {
            if !self.models().iter().any(|card| card.name == request.model) {
                return Err(Failure::unknown_model(&request.model, ["tiny", "org/large:Q4_0"]));
            }
            let said = said(&request.prompt);
            let words = said.split_whitespace().count();
            if words > CONTEXT {
                let model = request.model;
                return Err(Failure::TooLong { model, prompt: words, context: CONTEXT });
            }
            if said == "busy" {
                let message = "2 requests are waiting already".into();
                return Err(Failure::Busy { message, retry_after: Duration::from_millis(1500) });
            }
            if said.starts_with("slow") {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            if said == "slow refusal" {
                return Err(Failure::Unavailable("there is no room".into()));
            }
            if said == "pair" {
                self.pair.wait().await;
            }
            *self.last.lock().unwrap() = Some(request.clone());
            let (sender, receiver) = mpsc::unbounded_channel();
            let send = |delta| drop(sender.send(delta));
            let mut finish = Finish::End;
            match said.as_str() {
                "fail" => {
                    send(Ok(Delta::Content("so far".into())));
                    send(Err(Failure::Unavailable("rank 1 was lost".into())));
                }
                "call" => {
                    send(Ok(Delta::Reasoning("Let me look.".into())));
                    send(Ok(Delta::ToolCall { index: 0, id: "call_0".into(), name: "look".into() }));
                    for piece in ["{\"at\":", "\"sky\"}"] {
                        send(Ok(Delta::ToolArguments { index: 0, piece: piece.into() }));
                    }
                    finish = Finish::ToolCalls;
                }
                _ => {
                    for word in said.split_inclusive(' ') {
                        if request.logprobs.is_some() {
                            let token = Alternative {
                                id: 1,
                                bytes: word.as_bytes().to_vec(),
                                logprob: f32::NEG_INFINITY,
                            };
                            send(Ok(Delta::Logprob(Logprob { top: vec![token.clone()], token })));
                        }
                        send(Ok(Delta::Content(word.into())));
                    }
                }
            }
            if said == "endless" {
                // The sender lives as long as somebody listens.
                let progress = Arc::new(Progress { prompt_tokens: 7, tokens: AtomicUsize::new(1) });
                return Ok(Answer::new(receiver, (self.hold(), sender)).counted_by(progress));
            }
            if let Some(stop) = request.stop.first() {
                finish = Finish::Stop(stop.clone());
            }
            let _ = sender.send(Ok(Delta::Done(Summary {
                finish,
                prompt_tokens: 7,
                cached_tokens: 3,
                tokens: words,
                reasoning_tokens: 0,
                loading_for: Duration::ZERO,
                first_token_after: Duration::from_millis(1),
                decoding_for: Duration::from_millis(2),
            })));
            Ok(Answer::new(receiver, self.hold()))
        })
    }

    fn count_tokens(&self, request: GenerateRequest) -> Later<'_, Result<usize, Failure>> {
        Box::pin(async move { Ok(said(&request.prompt).split_whitespace().count()) })
    }

    fn embed(
        &self,
        model: String,
        inputs: Vec<EmbedInput>,
        _: u64,
    ) -> Later<'_, Result<Embeddings, Failure>> {
        Box::pin(async move {
            if model != "tiny" {
                return Err(Failure::unknown_model(&model, ["tiny"]));
            }
            Ok(Embeddings { vectors: vec![vec![0.6, 0.8]; inputs.len()], tokens: inputs.len() })
        })
    }

    fn pull(&self, model: String) -> mpsc::UnboundedReceiver<Result<PullProgress, Failure>> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let _ = match model.as_str() {
            "tiny" => sender.send(Ok(PullProgress::Done)),
            other => sender.send(Err(Failure::unknown_model(other, ["tiny"]))),
        };
        receiver
    }

    fn load(&self, model: String) -> Later<'_, Result<(), Failure>> {
        Box::pin(async move {
            if model == "tiny" { Ok(()) } else { Err(Failure::unknown_model(&model, ["tiny"])) }
        })
    }

    fn preview(&self, model: String) -> Later<'_, Result<Value, Failure>> {
        Box::pin(async move { Ok(json!({"model": model})) })
    }

    fn invite(&self, lasting: Duration, uses: u32) -> Later<'_, Result<Value, Failure>> {
        Box::pin(
            async move { Ok(json!({"token": "tandem1-", "lasting_s": lasting.as_secs(), "uses": uses})) },
        )
    }

    fn unload(&self, model: String) -> Later<'_, Result<(), Failure>> {
        self.load(model)
    }

    fn running(&self) -> Vec<Running> {
        vec![Running { name: "tiny".into(), context: CONTEXT, state: "ready".into(), ..Running::default() }]
    }

    fn state(&self) -> Value {
        json!({"nodes": 1})
    }

    fn events(&self) -> broadcast::Receiver<Value> {
        self.changes.0.subscribe()
    }

    fn metrics(&self) -> Vec<Metric> {
        let metric = |name, value| {
            let labels = vec![("model", "ti\"ny".to_owned())];
            Metric { name, help: "…", kind: MetricKind::Gauge, labels, value }
        };
        vec![metric("requests_waiting", 2.0), metric("links", 1.0), metric("requests_waiting", 3.0)]
    }

    fn health(&self) -> Health {
        Health { ready: true, notes: Vec::new() }
    }
}

/// A server over a fake, without a socket.
pub struct Bench {
    pub fake: Arc<Fake>,
    pub server: Server,
}

impl Bench {
    pub fn new(settings: Settings) -> Bench {
        let fake = Arc::new(Fake::default());
        Bench { server: Server::new(Arc::clone(&fake) as Arc<dyn Service>, settings), fake }
    }

    pub async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.server.router().oneshot(request).await.unwrap()
    }

    /// The status and the whole body.
    pub async fn post(&self, path: &str, body: impl Into<Body>) -> (u16, String) {
        let response = self.send(Request::post(path).body(body.into()).unwrap()).await;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    pub async fn get(&self, path: &str) -> (u16, String) {
        let response = self.send(Request::get(path).body(Body::empty()).unwrap()).await;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    /// A JSON answer with status 200.
    pub async fn ask(&self, path: &str, body: Value) -> Value {
        let (status, text) = self.post(path, body.to_string()).await;
        assert_eq!(status, 200, "{path} {body}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// The data of a stream's events.
    pub async fn stream(&self, path: &str, body: Value) -> Vec<Value> {
        let (status, text) = self.post(path, body.to_string()).await;
        assert_eq!(status, 200, "{path} {body}: {text}");
        text.lines()
            .map(|line| line.strip_prefix("data: ").unwrap_or(line))
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    pub fn asked(&self) -> GenerateRequest {
        self.fake.last.lock().unwrap().clone().unwrap()
    }
}
