//! The interface to whatever serves the models.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{broadcast, mpsc};

use crate::{Answer, Failure, GenerateRequest};

pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What serves models: one process, local nodes or a cluster. Futures are dropped when the client leaves.
pub trait Service: Send + Sync + 'static {
    /// Every model a request may name, loaded or not.
    fn models(&self) -> Vec<ModelCard>;

    /// Answers, loading the model first where it is not.
    fn generate(&self, request: GenerateRequest) -> Later<'_, Result<Answer, Failure>>;

    /// How many tokens the request's prompt has. Loads no weights.
    fn count_tokens(&self, request: GenerateRequest) -> Later<'_, Result<usize, Failure>>;

    fn embed(
        &self,
        model: String,
        inputs: Vec<EmbedInput>,
        client: u64,
    ) -> Later<'_, Result<Embeddings, Failure>>;

    /// Brings a model here; progress ends with `Done` or a failure. Dropping the receiver stops it.
    fn pull(&self, model: String) -> mpsc::UnboundedReceiver<Result<PullProgress, Failure>>;

    fn load(&self, model: String) -> Later<'_, Result<(), Failure>>;

    fn unload(&self, model: String) -> Later<'_, Result<(), Failure>>;

    /// Where a model would go if it were loaded now, and how fast it would be.
    fn preview(&self, _model: String) -> Later<'_, Result<Value, Failure>> {
        Box::pin(async { Err(no_cluster()) })
    }

    /// What lets nodes join, without what makes them worth anything.
    fn invitations(&self) -> Result<Vec<Value>, Failure> {
        Err(no_cluster())
    }

    /// A new one, for so many nodes.
    fn invite(&self, _lasting: Duration, _uses: u32) -> Later<'_, Result<Value, Failure>> {
        Box::pin(async { Err(no_cluster()) })
    }

    fn revoke(&self, _invitation: String) -> Later<'_, Result<(), Failure>> {
        Box::pin(async { Err(no_cluster()) })
    }

    /// Puts a node out of the cluster.
    fn remove(&self, _node: String) -> Later<'_, Result<(), Failure>> {
        Box::pin(async { Err(no_cluster()) })
    }

    /// What is loaded now.
    fn running(&self) -> Vec<Running>;

    /// The state of the cluster, as the dashboard shows it.
    fn state(&self) -> Value;

    /// Changes of it, each a JSON object with the members that are different now.
    fn events(&self) -> broadcast::Receiver<Value>;

    /// Numbers of its own for `/metrics`.
    fn metrics(&self) -> Vec<Metric>;

    fn health(&self) -> Health;
}

fn no_cluster() -> Failure {
    Failure::NotFound(
        "this server takes part in no cluster; start `tandem up` without --alone and --local-nodes".into(),
    )
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelCard {
    pub name: String,
    pub size_bytes: u64,
    pub modified_unix_s: u64,
    pub family: String,
    pub parameters: u64,
    pub quantisation: String,
    /// Tokens; what the model was made for.
    pub context: usize,
    /// Empty where it does not speak in turns.
    pub template: String,
    pub tools: bool,
    pub thinks: bool,
    /// Whether it can be shown pictures.
    pub sees: bool,
    /// `gguf` or `safetensors`.
    pub format: String,
    pub digest: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Running {
    pub name: String,
    /// Its weights, all ranks together.
    pub memory_bytes: u64,
    /// Tokens a request may have.
    pub context: usize,
    pub nodes: usize,
    pub sequences: usize,
    pub waiting: usize,
    /// `loading`, `ready`, `unsound` (it computed values that are not numbers), `failed: …`.
    pub state: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EmbedInput {
    Text(String),
    Tokens(Vec<u32>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Embeddings {
    /// One for each input.
    pub vectors: Vec<Vec<f32>>,
    pub tokens: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PullProgress {
    Note(String),
    File { name: String, digest: String, total_bytes: u64, have_bytes: u64 },
    Done,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Without the `tandem_` before it; units last, as in `cache_hit_tokens_total`.
    pub name: &'static str,
    pub help: &'static str,
    pub kind: MetricKind,
    pub labels: Vec<(&'static str, String)>,
    pub value: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    Counter,
    Gauge,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Health {
    pub ready: bool,
    /// Why not, or what is not as it should be.
    pub notes: Vec<String>,
}
