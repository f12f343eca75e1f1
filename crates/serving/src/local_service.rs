//! Every model of this machine, loaded when it is first asked for.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tandem_api::{
    Answer, EmbedInput, Embeddings, Failure, GenerateRequest, Health, Later, Metric, ModelCard, PullProgress,
    Running, Service,
};
use tandem_hub::{Event, Hub, HubError, ModelRef, Store, Watch};
use tandem_runtime::{Model, ModelFile, Speech};
use tokio::sync::{OnceCell, broadcast, mpsc};

use crate::catalogue::{Catalogue, Known};
use crate::{answer, count_tokens, embed, engine_metrics, rank_metrics};

/// Opens the model at a path.
pub type Opener = Box<dyn Fn(&Path) -> Result<Opened, Trouble> + Send + Sync>;

pub struct Opened {
    pub model: Model,
    pub nodes: usize,
}

/// Why a model did not open.
#[derive(Clone, Debug)]
pub struct Trouble {
    pub message: String,
    /// There may be enough once another model is unloaded.
    pub memory: bool,
}

/// One process that serves the models in its store.
#[derive(Clone)]
pub struct LocalService(Arc<Inner>);

struct Inner {
    catalogue: Catalogue,
    store: Store,
    endpoint: Option<String>,
    open: Opener,
    slots: Mutex<BTreeMap<String, Arc<Slot>>>,
    events: broadcast::Sender<Value>,
}

/// A model that is loaded or about to be.
#[derive(Default)]
struct Slot {
    loaded: OnceCell<Loaded>,
    used: Mutex<Option<Instant>>,
}

struct Loaded {
    model: Arc<Model>,
    memory_bytes: u64,
    nodes: usize,
}

/// The state of a model that computed values that are not numbers.
const UNSOUND: &str = "unsound";

/// What is told of such a model.
pub fn unsound_note(model: &str) -> String {
    format!("{model} computed values that are not numbers; its weights may be damaged")
}

impl LocalService {
    pub fn new(catalogue: Catalogue, store: Store, endpoint: Option<String>, open: Opener) -> LocalService {
        let (events, _) = broadcast::channel(256);
        LocalService(Arc::new(Inner { catalogue, store, endpoint, open, slots: Mutex::default(), events }))
    }

    /// As [`Service::pull`], from another hub or with another token where they are given.
    pub fn pull_from(
        &self,
        model: String,
        endpoint: Option<String>,
        token: Option<String>,
    ) -> mpsc::UnboundedReceiver<Result<PullProgress, Failure>> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let (store, endpoint) = (self.0.store.clone(), endpoint.or_else(|| self.0.endpoint.clone()));
        tokio::task::spawn_blocking(move || {
            let mut listener = PullListener { sender: sender.clone(), file: None };
            let hub = Hub::with(endpoint.as_deref(), token.as_deref());
            let pulled = pull(&store, hub, &model, &mut listener);
            let _ = sender.send(pulled.map(|()| PullProgress::Done));
        });
        receiver
    }
}

impl Inner {
    /// The model, loaded. One load at a time per model, which goes on when whoever asked first has left.
    async fn loaded(self: &Arc<Inner>, name: &str) -> Result<(Known, Arc<Model>, Duration), Failure> {
        let known = self.catalogue.find(name)?;
        self.drop_lost(&known.name);
        let slot = Arc::clone(self.slots().entry(known.name.clone()).or_default());
        *slot.used.lock().expect("nobody panics holding this") = Some(Instant::now());
        let mut loading_for = Duration::ZERO;
        if slot.loaded.get().is_none() {
            let start = Instant::now();
            let (inner, slot, known) = (Arc::clone(self), Arc::clone(&slot), known.clone());
            let load = tokio::spawn(async move { inner.fill(&slot, &known).await });
            load.await.map_err(|error| Failure::Internal(format!("loading failed: {error}")))??;
            loading_for = start.elapsed();
        }
        let loaded = slot.loaded.get().ok_or_else(|| Failure::Unavailable(format!("{name} was unloaded")))?;
        Ok((known, Arc::clone(&loaded.model), loading_for))
    }

    /// Forgets a model whose engine has ended, as when a rank was lost: the request that found it so loads it anew.
    fn drop_lost(self: &Arc<Inner>, name: &str) {
        let lost = |slot: &Arc<Slot>| slot.loaded.get().is_some_and(|it| it.model.tokens().load().stopped);
        let mut slots = self.slots();
        if slots.get(name).is_some_and(lost) {
            let slot = slots.remove(name);
            drop(slots);
            self.tell("lost", name);
            tokio::task::spawn_blocking(move || drop(slot));
        }
    }

    async fn fill(self: &Arc<Inner>, slot: &Arc<Slot>, known: &Known) -> Result<(), Failure> {
        let filled = slot
            .loaded
            .get_or_try_init(|| async {
                self.tell("loading", &known.name);
                let opened = loop {
                    let (inner, path) = (Arc::clone(self), known.path.clone());
                    let opened = tokio::task::spawn_blocking(move || (inner.open)(&path)).await;
                    match opened.map_err(|error| Failure::Internal(format!("loading failed: {error}")))? {
                        Ok(opened) => break opened,
                        Err(trouble) if trouble.memory && self.evict(&known.name).await => {}
                        Err(trouble) => {
                            let message = format!("{} cannot be loaded: {}", known.name, trouble.message);
                            return Err(Failure::Unavailable(message));
                        }
                    }
                };
                let Opened { model, nodes } = opened;
                let memory_bytes = self.catalogue.card(known).size_bytes;
                Ok(Loaded { model: Arc::new(model), memory_bytes, nodes })
            })
            .await
            .map(|_| ());
        match &filled {
            Ok(()) => self.tell("ready", &known.name),
            Err(_) => {
                // The next request tries again.
                self.slots().retain(|_, other| !Arc::ptr_eq(other, slot));
                self.tell("failed", &known.name);
            }
        }
        filled
    }

    /// Unloads the idle model that was not used for longest, if there is one.
    async fn evict(&self, for_model: &str) -> bool {
        let mut idle: Vec<(Option<Instant>, String)> = self
            .slots()
            .iter()
            .filter(|(name, slot)| {
                let load = slot.loaded.get().map(|loaded| loaded.model.tokens().load());
                name.as_str() != for_model && load.is_some_and(|load| load.running + load.waiting == 0)
            })
            .map(|(name, slot)| (*slot.used.lock().expect("nobody panics holding this"), name.clone()))
            .collect();
        idle.sort();
        match idle.into_iter().next() {
            Some((_, name)) => self.unload(&name).await.is_ok(),
            None => false,
        }
    }

    async fn unload(&self, name: &str) -> Result<(), Failure> {
        let known = self.catalogue.find(name)?;
        let Some(slot) = self.slots().remove(&known.name) else {
            return Err(Failure::NotFound(format!("{} is not loaded", known.name)));
        };
        // Answers on their way keep the model until they are done. Dropping it waits for its threads.
        let _ = tokio::task::spawn_blocking(move || drop(slot)).await;
        self.tell("unloaded", &known.name);
        Ok(())
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<Slot>>> {
        self.slots.lock().expect("nobody panics holding this")
    }

    /// Those who look hear what is different now, and what happened.
    fn tell(&self, what: &str, model: &str) {
        let Value::Object(mut change) = self.state() else { return };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let entry = json!({"at_unix_ms": now.as_millis() as u64, "weight": "plain", "text": format!("{model}: {what}")});
        change.insert("events".into(), json!([entry]));
        let _ = self.events.send(Value::Object(change));
    }

    /// In the shape of a cluster's, with this machine as its only node.
    fn state(&self) -> Value {
        let own = "this machine";
        let instance = |model: Running| {
            let parts = model.nodes.max(1);
            let rank = |rank: usize| json!({"rank": rank, "node": own, "bytes": model.memory_bytes / parts as u64, "state": model.state});
            json!({
                "model": model.name, "instance": 0, "state": model.state, "context": model.context,
                "requests": model.sequences + model.waiting, "ranks": (0..parts).map(rank).collect::<Vec<_>>(),
            })
        };
        let instances: Vec<_> = self.running().into_iter().map(instance).collect();
        let model = |card: ModelCard| json!({"name": card.name, "bytes": card.size_bytes, "nodes": [own]});
        let models: Vec<_> = self.catalogue.cards().into_iter().map(model).collect();
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let node = json!({
            "id": own, "name": own, "live": true, "cores": cores, "software": env!("CARGO_PKG_VERSION"), "links": [],
        });
        json!({"nodes": [node], "instances": instances, "models": models, "self": own, "wanted": [], "refused": {}})
    }

    fn running(&self) -> Vec<Running> {
        let describe = |(name, slot): (&String, &Arc<Slot>)| match slot.loaded.get() {
            None => Running { name: name.clone(), state: "loading".into(), ..Running::default() },
            Some(loaded) => {
                let load = loaded.model.tokens().load();
                Running {
                    name: name.clone(),
                    memory_bytes: loaded.memory_bytes,
                    context: load.context,
                    nodes: loaded.nodes,
                    sequences: load.running,
                    waiting: load.waiting,
                    state: if load.unsound { UNSOUND } else { "ready" }.into(),
                }
            }
        };
        self.slots().iter().map(describe).collect()
    }
}

impl Service for LocalService {
    fn models(&self) -> Vec<ModelCard> {
        self.0.catalogue.cards()
    }

    fn generate(&self, request: GenerateRequest) -> Later<'_, Result<Answer, Failure>> {
        Box::pin(async move {
            let (known, model, loading_for) = self.0.loaded(&request.model).await?;
            let request = GenerateRequest { model: known.name, ..request };
            // Templates and tokenizers of long prompts take their time.
            let answer = tokio::task::spawn_blocking(move || answer(&model, request, loading_for)).await;
            answer.map_err(|error| Failure::Internal(format!("the request failed: {error}")))?
        })
    }

    fn count_tokens(&self, request: GenerateRequest) -> Later<'_, Result<usize, Failure>> {
        Box::pin(async move {
            let known = self.0.catalogue.find(&request.model)?;
            let slot = self.0.slots().get(&known.name).cloned();
            let counted = tokio::task::spawn_blocking(move || {
                if let Some(loaded) = slot.as_ref().and_then(|slot| slot.loaded.get()) {
                    return count_tokens(loaded.model.speech(), request);
                }
                let unreadable = |error: &dyn std::fmt::Display| {
                    Failure::Unavailable(format!("{} cannot be read: {error}", known.name))
                };
                let file = ModelFile::open(&known.path).map_err(|error| unreadable(&error))?;
                count_tokens(&Speech::of(&file).map_err(|error| unreadable(&error))?, request)
            });
            counted.await.map_err(|error| Failure::Internal(format!("the request failed: {error}")))?
        })
    }

    fn embed(
        &self,
        model: String,
        inputs: Vec<EmbedInput>,
        client: u64,
    ) -> Later<'_, Result<Embeddings, Failure>> {
        Box::pin(async move {
            let (known, model, _) = self.0.loaded(&model).await?;
            embed(&model, &known.name, inputs, client).await
        })
    }

    fn pull(&self, model: String) -> mpsc::UnboundedReceiver<Result<PullProgress, Failure>> {
        self.pull_from(model, None, None)
    }

    fn load(&self, model: String) -> Later<'_, Result<(), Failure>> {
        Box::pin(async move { self.0.loaded(&model).await.map(drop) })
    }

    fn unload(&self, model: String) -> Later<'_, Result<(), Failure>> {
        Box::pin(async move { self.0.unload(&model).await })
    }

    fn running(&self) -> Vec<Running> {
        self.0.running()
    }

    fn state(&self) -> Value {
        self.0.state()
    }

    fn events(&self) -> broadcast::Receiver<Value> {
        self.0.events.subscribe()
    }

    fn metrics(&self) -> Vec<Metric> {
        let models: Vec<(String, Arc<Model>)> = self
            .0
            .slots()
            .iter()
            .filter_map(|(name, slot)| Some((name.clone(), Arc::clone(&slot.loaded.get()?.model))))
            .collect();
        let engines = models.iter().map(|(name, model)| (name.clone(), model.tokens().load()));
        let mut metrics = engine_metrics(&engines.collect::<Vec<_>>());
        let ranks = models.iter().flat_map(|(name, model)| {
            model.tokens().ranks().into_iter().enumerate().map(|(rank, report)| (name.clone(), rank, report))
        });
        metrics.extend(rank_metrics(&ranks.collect::<Vec<_>>()));
        metrics
    }

    fn health(&self) -> Health {
        let unsound = self.running().into_iter().filter(|model| model.state == UNSOUND);
        Health { ready: true, notes: unsound.map(|model| unsound_note(&model.name)).collect() }
    }
}

fn pull(
    store: &Store,
    hub: Result<Hub, HubError>,
    name: &str,
    watch: &mut PullListener,
) -> Result<(), Failure> {
    let plain = name.strip_suffix(":latest").unwrap_or(name);
    let failed = |error: HubError| match error {
        HubError::UnknownName { name, nearest } => Failure::UnknownModel { name, nearest },
        HubError::BadId { .. } => Failure::invalid("model", error.to_string()),
        HubError::NoSuchRepo { .. } | HubError::NoSuchFile { .. } | HubError::NoSuchQuant { .. } => {
            Failure::NotFound(error.to_string())
        }
        other => Failure::Unavailable(other.to_string()),
    };
    let model = ModelRef::parse(plain.as_ref()).map_err(failed)?;
    if let ModelRef::Path(_) = model {
        return Err(Failure::invalid("model", "`model` is a path; only models of the hub are pulled"));
    }
    tandem_hub::pull(store, &hub.map_err(failed)?, &model, watch).map(drop).map_err(failed)
}

/// Passes a pull's progress on, and stops it when nobody listens.
struct PullListener {
    sender: mpsc::UnboundedSender<Result<PullProgress, Failure>>,
    file: Option<(String, u64)>,
}

impl Watch for PullListener {
    fn event(&mut self, event: Event<'_>) {
        let have = |name: &str, total_bytes, have_bytes| PullProgress::File {
            name: name.to_owned(),
            digest: name.to_owned(),
            total_bytes,
            have_bytes,
        };
        let progress = match event {
            Event::Note(note) => PullProgress::Note(note.to_owned()),
            Event::Start { name, size_bytes, have_bytes, .. } => {
                self.file = Some((name.to_owned(), size_bytes));
                have(name, size_bytes, have_bytes)
            }
            Event::Have { bytes } => match &self.file {
                Some((name, size_bytes)) => have(name, *size_bytes, bytes),
                None => return,
            },
            Event::Finish { name } => PullProgress::Note(format!("{name} is complete")),
        };
        let _ = self.sender.send(Ok(progress));
    }

    fn cancelled(&self) -> bool {
        self.sender.is_closed()
    }
}
