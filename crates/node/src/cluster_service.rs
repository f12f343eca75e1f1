//! The whole cluster's models as a service, from any of its nodes.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};
use tandem_api::{
    Answer, EmbedInput, Embeddings, Failure, GenerateRequest, Health, Later, Metric, MetricKind, ModelCard,
    PullProgress, Running, Service, Totals, UnderWay,
};
use tandem_cluster::{Input, Phase, Refusal};
use tandem_doctor::Finding;
use tandem_engine::Tokens;
use tandem_hub::ModelRef;
use tandem_plan::{ModelFacts, Pins};
use tandem_runtime::{Model, ModelFile, Speech};
use tandem_serving::{LocalService, answer, count_tokens, embed, engine_metrics, rank_metrics, unsound_note};
use tandem_vitals::Vitals;
use tokio::sync::{broadcast, mpsc};

use crate::addresses::Network;
use crate::checkup::{Checkup, EXAMINE_AGAIN, EXAMINE_EVERY};
use crate::chronicle::{Chronicle, Entry};
use crate::cluster_tokens::ClusterTokens;
use crate::commands::{CommandError, Wish};
use crate::energy::Energy;
use crate::node::{Node, unix_ms};
use crate::snapshot::Snapshot;
use crate::traffic::{Traffic, TrafficMeter};

pub struct ClusterService {
    node: Node,
    /// Knows this machine's store: cards and pulls.
    local: LocalService,
    pins: Pins,
    models: Mutex<HashMap<(String, u64), Arc<Model>>>,
    events: broadcast::Sender<Value>,
    chronicle: Arc<Mutex<Chronicle>>,
    totals: OnceLock<Arc<Totals>>,
}

/// How a node fares.
#[derive(Serialize)]
struct Fares {
    #[serde(flatten)]
    vitals: tandem_vitals::Vitals,
    #[serde(flatten)]
    counts: tandem_api::Counts,
    findings: Vec<Finding>,
    /// By this machine's clock.
    unix_ms: u64,
    networks: Vec<Network>,
    /// Bytes per second that came from other nodes, by their ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    traffic: BTreeMap<String, f64>,
}

const VITALS_EVERY: Duration = Duration::from_secs(1);
/// Nobody can follow more changes than this.
const CHANGES_EVERY: Duration = Duration::from_millis(200);

/// Models load within minutes, or never.
const LOAD_MAX: Duration = Duration::from_secs(600);
/// The resolved name says that some node has the file; the one that places models has heard so by then.
const HEARD_MAX: Duration = Duration::from_secs(3);

impl ClusterService {
    /// Models first asked for here are loaded with `pins`.
    pub fn new(node: Node, local: LocalService, pins: Pins) -> ClusterService {
        let (events, _) = broadcast::channel(64);
        let chronicle = Arc::default();
        tokio::spawn(keep_watch(node.clone(), events.clone(), Arc::clone(&chronicle)));
        ClusterService {
            node,
            local,
            pins,
            models: Mutex::default(),
            events,
            chronicle,
            totals: OnceLock::new(),
        }
    }

    /// Tells the others and those who look how this node fares and what is asked of it.
    pub fn report(&self, totals: Arc<Totals>) {
        let _ = self.totals.set(Arc::clone(&totals));
        let node = self.node.clone();
        tokio::spawn(async move {
            let mut gauges = tandem_vitals::Gauges::new();
            let mut meter = TrafficMeter::default();
            let checkup: Arc<Checkup> = Arc::default();
            let (mut examined, mut looked): (Option<Instant>, _) = (None, Default::default());
            let mut every = tokio::time::interval(VITALS_EVERY);
            every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                every.tick().await;
                // A member or a link more is a reason to look.
                let looks = Checkup::looks(&node.snapshot());
                let again = if looks == looked { EXAMINE_EVERY } else { EXAMINE_AGAIN };
                if examined.is_none_or(|at| at.elapsed() > again) {
                    (examined, looked) = (Some(Instant::now()), looks);
                    let (checkup, node) = (Arc::clone(&checkup), node.clone());
                    tokio::task::spawn_blocking(move || checkup.examine(&node));
                }
                let (counts, findings) = (totals.counts(), checkup.findings());
                let parts = node.ask_for_parts().await.unwrap_or_default();
                let traffic = meter.read(&parts, Instant::now()).into_iter();
                let traffic = traffic.map(|(from, rate)| (from.to_string(), rate.round())).collect();
                let (unix_ms, networks) = (unix_ms(), checkup.networks());
                let vitals = Fares { vitals: gauges.read(), counts, findings, unix_ms, networks, traffic };
                node.input(Input::Vitals(serde_json::to_vec(&vitals).unwrap_or_default()));
            }
        });
    }

    /// What [`Service::state`] gives, and what is asked of this node now: for a terminal.
    pub(crate) fn state_with_requests(&self) -> Value {
        let mut state = self.state();
        let asked = self.totals.get().map(|totals| totals.under_way()).unwrap_or_default();
        state["requests"] = asked.iter().map(UnderWay::to_json).collect();
        state
    }

    /// The name as the cluster knows it, and which version of the file.
    fn resolve(&self, name: &str) -> Result<(String, Known), Failure> {
        let known = known_models(&self.node.snapshot());
        let plain = name.strip_suffix(":latest").unwrap_or(name);
        let meant = ModelRef::named(plain).ok();
        let is_meant = |name: &str| {
            meant.as_ref().zip(ModelRef::named(name).ok()).is_some_and(|(meant, own)| meant.is_met_by(&own))
        };
        let found = known.iter().find(|(known, _)| known.eq_ignore_ascii_case(plain));
        let found = found.or_else(|| known.iter().find(|(known, _)| is_meant(known)));
        match found {
            Some((name, known)) => Ok((name.clone(), *known)),
            None => Err(Failure::unknown_model(name, known.keys().map(String::as_str))),
        }
    }

    /// The model's text side here, its tokens anywhere.
    async fn model(&self, name: &str) -> Result<(String, Arc<Model>), Failure> {
        let (name, here) = self.resolve(name)?;
        let key = (name.clone(), here.version);
        if let Some(model) = self.models.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok((name, Arc::clone(model)));
        }
        let node = self.node.clone();
        let model = name.clone();
        let speech = tokio::task::spawn_blocking(move || {
            let path = node.header_of(&model, here.version).map_err(Failure::Unavailable)?;
            let unreadable = |error: &dyn std::fmt::Display| {
                Failure::Unavailable(format!("{model} cannot be read: {error}"))
            };
            let file = ModelFile::open(&path).map_err(|error| unreadable(&error))?;
            Speech::of(&file).map_err(|error| unreadable(&error))
        });
        let speech =
            speech.await.map_err(|error| Failure::Internal(format!("reading {name} failed: {error}")))??;
        let tokens = ClusterTokens { node: self.node.clone(), model: name.clone() };
        let model = Arc::new(Model::new(Arc::new(speech), Arc::new(tokens)));
        self.models.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&model));
        Ok((name, model))
    }

    /// Until the model is ready: its name, a file here with its header, and the tokens that a request may have.
    pub(crate) async fn open(&self, model: &str) -> Result<(String, PathBuf, usize), Failure> {
        let (name, known) = self.resolve(model)?;
        let (node, of) = (self.node.clone(), name.clone());
        let header = tokio::task::spawn_blocking(move || node.header_of(&of, known.version)).await;
        let header = header
            .map_err(|error| Failure::Internal(format!("reading {name} failed: {error}")))?
            .map_err(Failure::Unavailable)?;
        self.ready(&name).await?;
        let context = ClusterTokens { node: self.node.clone(), model: name.clone() }.load().context;
        Ok((name, header, context))
    }

    /// The hub is asked once for the whole cluster: what a node has, or is getting, is not pulled again. The hub's address and
    /// the token are those this node was started with, unless given.
    pub(crate) fn pull_from(
        &self,
        model: String,
        endpoint: Option<String>,
        token: Option<String>,
    ) -> mpsc::UnboundedReceiver<Result<PullProgress, Failure>> {
        let local = self.local.clone();
        let plain = model.strip_suffix(":latest").unwrap_or(&model);
        match ModelRef::named(plain) {
            Ok(named) => self.node.pull_once(named, move || local.pull_from(model, endpoint, token)),
            // It says what is wrong with the name.
            Err(_) => local.pull(model),
        }
    }

    /// Until some instance is ready; loads the model where nobody wanted it yet. Says how long that took.
    async fn ready(&self, name: &str) -> Result<Duration, Failure> {
        let begin = Instant::now();
        let is_ready = |snapshot: &Snapshot| {
            snapshot
                .parts
                .iter()
                .any(|(_, part)| part.instance.model == name && part.leads() && part.phase == Phase::Ready)
        };
        let snapshot = self.node.snapshot();
        if is_ready(&snapshot) {
            return Ok(Duration::ZERO);
        }
        let fresh = snapshot.shared.spec(name).is_none();
        if fresh {
            self.node.want(name, &Wish { pins: self.pins.clone(), ..Wish::default() });
            self.node.settled().await;
        }
        let mut watch = self.node.watch();
        let decided = watch.wait_for(|snapshot| {
            let refusal = snapshot.refusals.get(name);
            let early =
                |refusal: &Refusal| matches!(refusal, Refusal::NoFile { .. }) && begin.elapsed() < HEARD_MAX;
            is_ready(snapshot) || refusal.is_some_and(|refusal| !early(refusal))
        });
        let decided = tokio::time::timeout(LOAD_MAX, decided).await;
        let snapshot = match decided {
            Ok(Ok(snapshot)) => snapshot.clone(),
            Ok(Err(_)) => return Err(Failure::Unavailable("this node is shutting down".into())),
            Err(_) => {
                return Err(Failure::Unavailable(format!("{name} did not load in {} s", LOAD_MAX.as_secs())));
            }
        };
        if is_ready(&snapshot) {
            return Ok(begin.elapsed());
        }
        // A wish that nobody but this request had does not stay.
        if fresh {
            self.node.unwant(name);
        }
        Err(Failure::Unavailable(snapshot.refusals.get(name).map(ToString::to_string).unwrap_or_default()))
    }
}

impl Service for ClusterService {
    fn models(&self) -> Vec<ModelCard> {
        let mut cards = self.local.models();
        let names: BTreeMap<_, _> = known_models(&self.node.snapshot());
        cards.retain(|card| names.contains_key(&card.name));
        for (name, Known { bytes, context, .. }) in names {
            if !cards.iter().any(|card| card.name == name) {
                cards.push(ModelCard { name, size_bytes: bytes, context, ..ModelCard::default() });
            }
        }
        cards
    }

    fn generate(&self, request: GenerateRequest) -> Later<'_, Result<Answer, Failure>> {
        Box::pin(async move {
            let (name, model) = self.model(&request.model).await?;
            let loading_for = self.ready(&name).await?;
            let request = GenerateRequest { model: name.clone(), ..request };
            // Templates and tokenizers of long prompts take their time.
            let span = tracing::Span::current();
            let answered =
                tokio::task::spawn_blocking(move || span.in_scope(|| answer(&model, request, loading_for)));
            let answered = answered.await;
            let answered =
                answered.map_err(|error| Failure::Internal(format!("the request failed: {error}")))??;
            begun(answered).await
        })
    }

    fn count_tokens(&self, request: GenerateRequest) -> Later<'_, Result<usize, Failure>> {
        Box::pin(async move {
            let (_, model) = self.model(&request.model).await?;
            let counted = tokio::task::spawn_blocking(move || count_tokens(model.speech(), request)).await;
            counted.map_err(|error| Failure::Internal(format!("the request failed: {error}")))?
        })
    }

    fn embed(
        &self,
        model: String,
        inputs: Vec<EmbedInput>,
        client: u64,
    ) -> Later<'_, Result<Embeddings, Failure>> {
        Box::pin(async move {
            let (name, model) = self.model(&model).await?;
            self.ready(&name).await?;
            embed(&model, &name, inputs, client).await
        })
    }

    fn pull(&self, model: String) -> mpsc::UnboundedReceiver<Result<PullProgress, Failure>> {
        self.pull_from(model, None, None)
    }

    fn load(&self, model: String) -> Later<'_, Result<(), Failure>> {
        Box::pin(async move {
            let (name, _) = self.resolve(&model)?;
            // What was said when this node was started goes before what was wanted earlier.
            let said = self.pins != Pins::default();
            if said || self.node.snapshot().shared.spec(&name).is_none() {
                self.node.want(&name, &Wish { keep: true, pins: self.pins.clone(), ..Wish::default() });
                self.node.settled().await;
            }
            self.ready(&name).await.map(drop)
        })
    }

    fn preview(&self, model: String) -> Later<'_, Result<Value, Failure>> {
        Box::pin(async move {
            let (name, _) = self.resolve(&model)?;
            let wish = Wish { pins: self.pins.clone(), ..Wish::default() };
            let (plan, devices, _) = self
                .node
                .plan(&name, &wish, None)
                .map_err(|error| Failure::Unavailable(error.to_string()))?;
            let mut ranks = Vec::new();
            for stage in &plan.stages {
                for rank in &stage.ranks {
                    ranks.push(json!({
                        "node": rank.name, "share": rank.share, "bytes": rank.bytes,
                        "layers": [stage.layers.start, stage.layers.end],
                    }));
                }
            }
            Ok(json!({
                "model": name, "context": plan.context, "tokens_per_s": plan.prediction.decode.tokens_per_s(), "ranks": ranks,
                "stages": plan.stages.len(), "devices": devices,
            }))
        })
    }

    fn invitations(&self) -> Result<Vec<Value>, Failure> {
        let snapshot = self.node.snapshot();
        let invites = snapshot.shared.invites.iter().map(|(id, invite)| {
            json!({
                "id": id, "expires_unix_ms": invite.expires_unix_ms, "revoked": invite.revoked,
                "used": invite.used.len(), "uses_max": invite.uses_max,
            })
        });
        Ok(invites.collect())
    }

    fn invite(&self, lasting: Duration, uses: u32) -> Later<'_, Result<Value, Failure>> {
        Box::pin(async move {
            let token = self.node.invite(lasting, uses).await.map_err(commanded)?;
            Ok(json!({ "token": token.to_string(), "id": token.id() }))
        })
    }

    fn revoke(&self, invitation: String) -> Later<'_, Result<(), Failure>> {
        Box::pin(async move { self.node.revoke(&invitation).await.map_err(commanded) })
    }

    fn remove(&self, node: String) -> Later<'_, Result<(), Failure>> {
        Box::pin(async move { self.node.remove(&node).await.map(drop).map_err(commanded) })
    }

    fn unload(&self, model: String) -> Later<'_, Result<(), Failure>> {
        Box::pin(async move {
            let (name, _) = self.resolve(&model)?;
            if self.node.snapshot().shared.spec(&name).is_none() {
                return Err(Failure::NotFound(format!("{name} is not loaded")));
            }
            self.node.unwant(&name);
            Ok(())
        })
    }

    fn running(&self) -> Vec<Running> {
        let snapshot = self.node.snapshot();
        let mut running: BTreeMap<_, Running> = BTreeMap::new();
        for (_, part) in &snapshot.parts {
            let entry = running.entry((&part.instance, part.generation)).or_insert_with(|| Running {
                name: part.instance.model.clone(),
                memory_bytes: part.ranks.iter().map(|place| place.bytes).sum(),
                context: part.context,
                nodes: part.ranks.len(),
                state: "loading".into(),
                ..Running::default()
            });
            if part.leads() {
                entry.sequences = part.busy as usize;
            }
            match &part.phase {
                Phase::Ready if part.leads() => entry.state = "ready".into(),
                Phase::Failed(reason) => entry.state = format!("failed: {reason}"),
                _ => {}
            }
        }
        running.into_values().collect()
    }

    fn state(&self) -> Value {
        let mut state = state_of(&self.node.snapshot());
        state["cluster"] = self.node.cluster().into();
        state["self"] = self.node.id().to_string().into();
        let chronicle = self.chronicle.lock().unwrap_or_else(PoisonError::into_inner);
        state["events"] = chronicle.entries().map(|entry| json!(entry)).collect();
        state
    }

    fn events(&self) -> broadcast::Receiver<Value> {
        self.events.subscribe()
    }

    fn metrics(&self) -> Vec<Metric> {
        let snapshot = self.node.snapshot();
        let gauge = |name, help, labels, value| Metric { name, help, kind: MetricKind::Gauge, labels, value };
        let members = snapshot.shared.present().count() as f64;
        let mut metrics = vec![
            gauge("cluster_members", "Nodes that belong to the cluster.", vec![], members),
            gauge("cluster_live_nodes", "Nodes that this node hears.", vec![], snapshot.live.len() as f64),
        ];
        if let Some(Ok(fares)) =
            snapshot.vitals.get(&self.node.id()).map(|told| serde_json::from_slice::<Vitals>(told))
        {
            let told = [
                (
                    "watts",
                    "Of this machine's processors and accelerators, as far as they tell.",
                    MetricKind::Gauge,
                    fares.watts,
                ),
                ("joules_total", "What that makes since the start.", MetricKind::Counter, fares.joules),
                (
                    "temperature_celsius",
                    "Of the hottest that computes here.",
                    MetricKind::Gauge,
                    fares.temperature_c,
                ),
            ];
            metrics.extend(told.into_iter().filter_map(|(name, help, kind, value)| {
                Some(Metric { name, help, kind, labels: vec![], value: value? })
            }));
        }
        if let Some(energy) = Energy::of(&snapshot) {
            metrics.push(gauge("cluster_watts", "Of all machines that tell.", vec![], energy.watts));
            let given = energy.tokens_per_joule;
            let help = "Tokens of the cluster's answers for each joule since its nodes were started.";
            metrics.extend(given.map(|given| gauge("cluster_tokens_per_joule", help, vec![], given)));
        }
        let parts = self.node.parts();
        for part in &parts {
            let labels = vec![
                ("model", part.instance.clone()),
                ("rank", part.rank.to_string()),
                ("device", part.device.clone()),
            ];
            metrics.push(gauge("rank_device", "Where a rank of this node computes.", labels, 1.0));
            for (from, bytes) in
                part.engine.traffic_bytes().into_iter().enumerate().filter(|(from, _)| *from != part.rank)
            {
                let labels = vec![
                    ("model", part.instance.clone()),
                    ("rank", part.rank.to_string()),
                    ("from", from.to_string()),
                ];
                let (name, help) =
                    ("rank_received_bytes_total", "What came to a rank of this node from another rank.");
                metrics.push(Metric { name, help, kind: MetricKind::Counter, labels, value: bytes as f64 });
            }
        }
        let own = snapshot.inventories.get(&self.node.id()).map(crate::devices::told).unwrap_or_default();
        for device in own {
            let labels = vec![("device", device.device), ("name", device.name)];
            let (name, help) = ("device_room_bytes", "What models may take of a device's own memory.");
            metrics.extend(device.room_bytes.map(|room| gauge(name, help, labels, room as f64)));
        }
        let leading = parts.iter().filter(|part| part.rank == 0);
        let engines = leading.map(|part| (part.instance.clone(), part.engine.load()));
        metrics.extend(engine_metrics(&engines.collect::<Vec<_>>()));
        let ranks =
            parts.iter().filter_map(|part| Some((part.instance.clone(), part.rank, part.engine.report()?)));
        metrics.extend(rank_metrics(&ranks.collect::<Vec<_>>()));
        for (from, inventory) in &snapshot.inventories {
            for (to, link) in &inventory.links {
                let labels = || {
                    vec![
                        ("from", snapshot.name_of(*from)),
                        ("to", snapshot.name_of(*to)),
                        ("transport", link.transport.clone()),
                    ]
                };
                metrics.push(gauge("link_round_trip_us", "As last measured.", labels(), link.round_trip_us));
                metrics.push(gauge("link_bytes_per_s", "As last measured.", labels(), link.bytes_per_s));
            }
        }
        metrics
    }

    fn health(&self) -> Health {
        let snapshot = self.node.snapshot();
        let gone = snapshot.shared.present().filter(|(id, _)| !snapshot.live.contains(id));
        let mut notes: Vec<_> =
            gone.map(|(id, _)| format!("node {} is not reachable", snapshot.name_of(id))).collect();
        notes.extend(snapshot.refusals.values().map(ToString::to_string));
        notes.extend(self.node.inner.shelf.damages());
        notes.extend(snapshot.storage_fault.iter().map(|fault| format!("this node's disk: {fault}")));
        let parts = self.node.parts();
        let unsound = parts.iter().filter(|part| part.rank == 0 && part.engine.load().unsound);
        notes.extend(unsound.map(|part| unsound_note(&part.instance)));
        Health { ready: true, notes }
    }
}

fn commanded(error: CommandError) -> Failure {
    match error {
        CommandError::NoSuchNode { .. } | CommandError::NoSuchToken(_) => {
            Failure::NotFound(error.to_string())
        }
        _ => Failure::Unavailable(error.to_string()),
    }
}

/// Follows the node: writes down what happens, and tells those who look what is different now.
async fn keep_watch(node: Node, events: broadcast::Sender<Value>, chronicle: Arc<Mutex<Chronicle>>) {
    let mut watch = node.watch();
    let mut last = serde_json::Map::new();
    while watch.changed().await.is_ok() {
        let snapshot = watch.borrow_and_update().clone();
        let mut change = serde_json::Map::new();
        {
            let mut chronicle = chronicle.lock().unwrap_or_else(PoisonError::into_inner);
            let news = chronicle.look(&snapshot, unix_ms());
            news.iter().for_each(Entry::log);
            if !news.is_empty() {
                change.insert("events".into(), chronicle.entries().map(|entry| json!(entry)).collect());
            }
        }
        // Whoever comes later begins with the whole state.
        if events.receiver_count() > 0
            && let Value::Object(state) = state_of(&snapshot)
        {
            change.extend(state.iter().filter(|(name, value)| last.get(*name) != Some(value)).map(own));
            last = state;
        } else {
            last.clear();
        }
        if !change.is_empty() {
            let _ = events.send(Value::Object(change));
        }
        tokio::time::sleep(CHANGES_EVERY).await;
    }
}

fn own((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

/// Waits for the first word of an answer, so that a refusal is one, and not a broken stream.
async fn begun(mut answer: Answer) -> Result<Answer, Failure> {
    let first = match answer.next().await {
        Some(Ok(first)) => first,
        Some(Err(failure)) => return Err(failure),
        None => {
            return Err(Failure::Internal(
                "the model stopped before the first token of the answer; ask again".into(),
            ));
        }
    };
    let (sender, receiver) = mpsc::unbounded_channel();
    let progress = answer.progress();
    let _ = sender.send(Ok(first));
    let task = tokio::spawn(async move {
        while let Some(next) = answer.next().await {
            if sender.send(next).is_err() {
                return;
            }
        }
    });
    Ok(Answer::new(receiver, CancelOnDrop(task)).counted_by(progress))
}

struct CancelOnDrop(tokio::task::JoinHandle<()>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A model of the cluster.
#[derive(Clone, Copy)]
struct Known {
    version: u64,
    bytes: u64,
    /// What it was made for.
    context: usize,
}

/// Every model that some live node has, or that runs though nobody who has its file is left.
fn known_models(snapshot: &Snapshot) -> BTreeMap<String, Known> {
    let running = snapshot.parts.iter().filter(|(_, part)| part.leads() && part.phase == Phase::Ready);
    let running = running.map(|(_, part)| {
        let bytes = part.ranks.iter().map(|place| place.bytes).sum();
        (part.instance.model.clone(), Known { version: part.version, bytes, context: part.context })
    });
    let live = snapshot.inventories.iter().filter(|(id, _)| snapshot.live.contains(id));
    let on_disk = live.flat_map(|(_, inventory)| &inventory.models).map(|(name, here)| {
        let facts = serde_json::from_slice::<ModelFacts>(&here.facts).ok();
        let context = facts.map_or(0, |facts| facts.context_trained);
        (name.clone(), Known { version: here.version, bytes: here.bytes, context })
    });
    running.chain(on_disk).collect()
}

pub fn state_of(snapshot: &Snapshot) -> Value {
    let nodes: Vec<_> = snapshot
        .shared
        .present()
        .map(|(id, member)| {
            let inventory = snapshot.inventories.get(&id).cloned().unwrap_or_default();
            let links: Vec<_> = inventory
                .links
                .iter()
                .filter(|(to, _)| snapshot.shared.is_member(**to))
                .map(|(to, link)| {
                    json!({
                        "to": snapshot.name_of(*to), "round_trip_us": (link.round_trip_us * 10.0).round() / 10.0,
                        "bytes_per_s": link.bytes_per_s.round(), "transport": link.transport,
                    })
                })
                .collect();
            json!({
                "id": id.to_string(), "name": snapshot.name_of(id), "live": snapshot.live.contains(&id), "addresses": member.addresses,
                "software": inventory.software, "cores": inventory.cores, "memory_bytes": inventory.memory_bytes,
                "read_bytes_per_s": inventory.read_bytes_per_s,
                "machine": inventory.machine,
                "accelerators": inventory.accelerators, "devices": crate::devices::told(&inventory), "models": inventory.models.keys().collect::<Vec<_>>(), "links": links,
                "api": inventory.api, "pulling": inventory.pulling,
            })
        })
        .collect();
    let mut instances: BTreeMap<_, Value> = BTreeMap::new();
    for (node, part) in &snapshot.parts {
        let (state, done, total) = match &part.phase {
            Phase::Loading { done, total } => ("loading".to_owned(), *done, *total),
            Phase::Ready => ("ready".to_owned(), 0, 0),
            Phase::Failed(reason) => (format!("failed: {reason}"), 0, 0),
        };
        let entry = instances.entry((&part.instance, part.generation)).or_insert_with(|| {
            json!({
                "model": part.instance.model, "instance": part.instance.index, "generation": part.generation.to_string(),
                "context": part.context, "ranks": [], "requests": 0,
                // Until the rank that leads says otherwise.
                "state": "its leading node is not heard",
            })
        });
        if part.leads() {
            entry["state"] = state.clone().into();
            entry["requests"] = part.busy.into();
            entry["cache_tokens"] = part.cache.tokens.into();
            entry["cache_used_tokens"] = part.cache.used_tokens.into();
        }
        if let Some(ranks) = entry["ranks"].as_array_mut() {
            let place = part.ranks.get(part.rank);
            let (bytes, device) = place.map_or((0, ""), |place| (place.bytes, place.device.as_str()));
            ranks.push(json!({
                "rank": part.rank, "node": snapshot.name_of(*node), "bytes": bytes, "device": device, "state": state,
                "loaded_bytes": done, "total_bytes": total, "hands_over": part.hands_over,
            }));
        }
    }
    let refused: BTreeMap<_, _> =
        snapshot.refusals.iter().map(|(model, refusal)| (model, refusal.to_string())).collect();
    let wanted: Vec<_> =
        snapshot.shared.wanted.iter().filter(|(_, it)| it.spec.is_some()).map(|(model, _)| model).collect();
    let mut models: BTreeMap<&String, Value> = BTreeMap::new();
    for (id, inventory) in snapshot.inventories.iter().filter(|(id, _)| snapshot.live.contains(id)) {
        for (name, here) in &inventory.models {
            let model =
                models.entry(name).or_insert_with(|| json!({"name": name, "bytes": here.bytes, "nodes": []}));
            if let Some(nodes) = model["nodes"].as_array_mut() {
                nodes.push(snapshot.name_of(*id).into());
            }
        }
    }
    let (mut vitals, mut findings, mut traffic) = (serde_json::Map::new(), Vec::new(), Traffic::default());
    for (id, told) in &snapshot.vitals {
        let Ok(Value::Object(mut told)) = serde_json::from_slice(told) else { continue };
        if let Some(Value::Array(found)) = told.remove("findings") {
            findings.extend(found.into_iter().filter(Value::is_object).map(|mut finding| {
                finding["node"] = snapshot.name_of(*id).into();
                finding
            }));
        }
        traffic.add(*id, &told.remove("traffic").unwrap_or_default());
        vitals.insert(id.to_string(), Value::Object(told));
    }
    json!({
        "nodes": nodes, "instances": instances.into_values().collect::<Vec<_>>(), "wanted": wanted, "refused": refused,
        "storage_fault": snapshot.storage_fault, "strangers": snapshot.strangers,
        "models": models.into_values().collect::<Vec<_>>(), "vitals": vitals, "energy": Energy::of(snapshot),
        "findings": findings, "traffic": traffic.to_json(snapshot),
    })
}
