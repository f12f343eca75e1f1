//! One running node.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tandem_cluster::{
    Action, Answer, Attempt, Config, Core, Generation, Input, InstanceId, Inventory, LinkMeasure, Member,
    NodeId, Shared, WorkerEvent,
};
use tandem_engine::{Event as TokenEvent, Finish, Refused, Request, Sink, Ticket, Tokens, Usage};
use tandem_fabric::Lobby;
use tandem_hub::Store;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::AbortHandle;

use crate::channel::{Channel, Claim};
use crate::discovery::discover;
use crate::errands;
use crate::fetcher::{self, Fetcher};
use crate::frame::{Errand, Frame, Purpose};
use crate::hex::random_bytes;
use crate::home::{Home, HomeError, Identity, Membership};
use crate::links::{Links, Terms, listen, reach};
use crate::part::{Part, Workshop};
use crate::placing::{Body, ClusterPlanner};
use crate::shelf::Shelf;
use crate::snapshot::Snapshot;
use crate::token::JoinToken;

/// How a node is started.
pub struct Options {
    /// Where it keeps its identity, its cluster and its models.
    pub root: PathBuf,
    /// The machine's name when not given.
    pub name: Option<String>,
    /// Where the control channel listens; any free port where that one is taken.
    pub port: u16,
    /// Only this address, instead of all of the machine's.
    pub host: Option<IpAddr>,
    /// Where to look for members, beside the local network: `host[:port]`.
    pub peers: Vec<String>,
    pub join: Option<JoinToken>,
    /// Look for members on the local network.
    pub discovery: bool,
    pub cores: Option<usize>,
    pub memory_bytes: Option<u64>,
    /// Starts a process that ends in `tandem_ranks::work`.
    pub worker: Box<dyn Fn() -> Command + Send + Sync>,
    pub sequences_max: usize,
    pub waiting_max: usize,
    /// Told to others, for people.
    pub api: Option<String>,
}

pub const DEFAULT_PORT: u16 = 48_485;

#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    #[error(transparent)]
    Home(#[from] HomeError),
    #[error("cannot listen for other nodes: {0}")]
    Listen(io::Error),
    #[error("cannot join: {0}")]
    Join(String),
    #[error(
        "this node is already of cluster {0}; `tandem up` starts it there. To join another, give it another TANDEM_HOME"
    )]
    OtherCluster(String),
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Something done to the core, at a time, with what follows from it.
type Change = Box<dyn FnOnce(&mut Core<ClusterPlanner>, u64) -> Vec<Action> + Send>;

/// What the node's one task is told.
pub enum Event {
    Input(Input),
    Answered { channel: Channel },
    Called { address: String, channel: Result<Channel, String> },
    Frame { from: NodeId, number: u64, frame: Frame },
    Closed { node: NodeId, number: u64 },
    Hint(SocketAddr),
    Join { invite: String, node: NodeId, member: Member, reply: oneshot::Sender<Result<Shared, String>> },
    With(Change),
    Ask { request: u64, model: String, body: Box<Request>, sink: Sink },
    Forget { request: u64 },
    Measured { node: NodeId, measure: Option<LinkMeasure> },
    Send { to: NodeId, frame: Frame },
}

/// A handle to a running node; the node ends when the last one is dropped.
#[derive(Clone)]
pub struct Node {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub id: NodeId,
    pub home: Arc<Home>,
    pub membership: Membership,
    pub port: u16,
    pub events: mpsc::UnboundedSender<Event>,
    pub snapshot: watch::Receiver<Arc<Snapshot>>,
    pub shelf: Arc<Shelf>,
    fetcher: Arc<Fetcher>,
    look: mpsc::UnboundedSender<oneshot::Sender<()>>,
    requests: AtomicU64,
    tasks: Vec<AbortHandle>,
    expelled: watch::Receiver<bool>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

impl Node {
    /// Starts the node: founds a cluster, joins one with a token, or goes on in the one it knows.
    pub async fn start(options: Options) -> Result<Node, NodeError> {
        let home = Arc::new(Home::open(&options.root)?);
        // A node that knows nobody and has invited nobody is reached from its own machine only.
        let known = home.membership()?.is_some_and(|it| it.saved.shared.has_company(unix_ms()));
        let open = options.host.is_some() || options.join.is_some() || known;
        let first = options.host.or((!open).then_some(Ipv4Addr::LOCALHOST.into()));
        let listener = bind(first, options.port).await.map_err(NodeError::Listen)?;
        let port = listener.local_addr()?.port();
        let own_host = options.host;
        let hosts = move || own_hosts(own_host);
        let name = options.name.clone().unwrap_or_else(machine_name);
        let addresses: Vec<_> =
            hosts().into_iter().map(|host| SocketAddr::new(host, port).to_string()).collect();
        let peers: Vec<_> = options.peers.iter().map(|peer| with_port(peer)).collect();

        let mut identity = home.identity()?;
        let membership = match (home.membership()?, &options.join) {
            (Some(membership), None) => membership,
            (Some(membership), Some(token)) if membership.cluster == token.cluster => membership,
            (Some(membership), Some(_)) => return Err(NodeError::OtherCluster(membership.cluster.0)),
            (None, None) => Membership::found()?,
            (None, Some(token)) => {
                let member =
                    Member { version: 1, name: name.clone(), addresses: addresses.clone(), removed: false };
                let joined = join(&home, &mut identity, token, member, &peers, options.discovery).await;
                joined.map_err(NodeError::Join)?
            }
        };
        home.save(&membership)?;

        let (events, incoming) = mpsc::unbounded_channel();
        let boot = u64::from_le_bytes(random_bytes()?);
        let config = Config::new(identity.id, boot, random_bytes()?);
        let core = Core::new(config, membership.saved.clone(), ClusterPlanner);
        let (publish, snapshot) = watch::channel(Arc::new(Snapshot::of(&core)));
        let key = membership.key().ok_or_else(|| NodeError::Join("the cluster's key is damaged".into()))?;
        let terms = Arc::new(Terms {
            identity: identity.clone(),
            cluster: membership.cluster.hash(),
            key,
            snapshot: snapshot.clone(),
            events: events.clone(),
        });
        let store = Store::at(&options.root);
        let shelf = Arc::new(Shelf::new(store));
        for (name, path) in read_named(&home) {
            shelf.name(&name, path);
        }
        let fetcher = Arc::new(Fetcher {
            me: identity.id,
            shelf: Arc::clone(&shelf),
            folder: options.root.join("partial"),
            events: events.clone(),
            snapshot: snapshot.clone(),
            hosts: Box::new(hosts),
        });
        let finder = Arc::clone(&fetcher);
        let workshop = Arc::new(Workshop {
            worker: options.worker,
            file: Box::new(move |body: &Body, rank, progress| finder.for_rank(body, rank, progress)),
            hosts: Box::new(hosts),
            sequences_max: options.sequences_max,
            waiting_max: options.waiting_max,
        });
        let (expel, expelled) = watch::channel(false);
        let mut links = Links::default();
        peers.into_iter().for_each(|peer| links.hint(peer));
        let facts = Facts {
            shelf: Arc::clone(&shelf),
            name: name.clone(),
            cores: options.cores,
            memory_bytes: options.memory_bytes,
            api: options.api,
            links: Arc::default(),
            held_bytes: Arc::default(),
        };
        let shell = Shell {
            core,
            terms: Arc::clone(&terms),
            home: Arc::clone(&home),
            membership: membership.clone(),
            links,
            publish,
            workshop,
            parts: HashMap::new(),
            tickets: Arc::default(),
            fronts: HashMap::new(),
            events: events.clone(),
            started: Instant::now(),
            measuring: HashSet::new(),
            measured: BTreeMap::new(),
            link_measures: Arc::clone(&facts.links),
            held_bytes: Arc::clone(&facts.held_bytes),
            shelf: Arc::clone(&shelf),
            expel,
        };
        let (look, looks) = mpsc::unbounded_channel();
        let introduce = Input::Introduce { name, addresses };
        let _ = events.send(Event::Input(introduce));
        let mut tasks = vec![
            tokio::spawn(shell.run(incoming)).abort_handle(),
            tokio::spawn(listen_as_asked(listener, Arc::clone(&terms), open)).abort_handle(),
            tokio::spawn(keep_inventory(facts, events.clone(), looks)).abort_handle(),
        ];
        if options.discovery {
            let (found, mut hints) = mpsc::channel(64);
            let to = events.clone();
            let seek = async move {
                company(&terms, open).await;
                discover(terms.cluster, port, found).await;
            };
            tasks.push(tokio::spawn(seek).abort_handle());
            let pass = async move {
                while let Some(address) = hints.recv().await {
                    let _ = to.send(Event::Hint(address));
                }
            };
            tasks.push(tokio::spawn(pass).abort_handle());
        }
        let requests = AtomicU64::new(1);
        let id = identity.id;
        let inner = Inner {
            id,
            home,
            membership,
            port,
            events,
            snapshot,
            shelf,
            fetcher,
            look,
            requests,
            tasks,
            expelled,
        };
        Ok(Node { inner: Arc::new(inner) })
    }

    pub fn id(&self) -> NodeId {
        self.inner.id
    }

    pub fn port(&self) -> u16 {
        self.inner.port
    }

    pub fn cluster(&self) -> &str {
        &self.inner.membership.cluster.0
    }

    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.inner.snapshot.borrow().clone()
    }

    /// Changes of what [`Node::snapshot`] gives.
    pub fn watch(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.inner.snapshot.clone()
    }

    /// Resolves once this node has been removed from its cluster.
    pub async fn expelled(&self) {
        let mut expelled = self.inner.expelled.clone();
        let _ = expelled.wait_for(|gone| *gone).await;
    }

    pub fn input(&self, input: Input) {
        let _ = self.inner.events.send(Event::Input(input));
    }

    /// Until everything asked of this node before has been taken in, and shows in its snapshot.
    pub async fn settled(&self) {
        self.with(|_| ()).await;
    }

    /// Runs `look` where the core is.
    pub async fn with<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Core<ClusterPlanner>) -> T + Send + 'static,
    ) -> Option<T> {
        let (reply, answer) = oneshot::channel();
        let event = Event::With(Box::new(move |core, _| {
            let _ = reply.send(look(core));
            Vec::new()
        }));
        self.inner.events.send(event).ok()?;
        answer.await.ok()
    }

    /// Asks for tokens of a model, wherever it runs. The ticket takes the request back.
    pub(crate) fn ask(&self, model: String, mut body: Request, sink: Sink) -> Ticket {
        // A request that moves to another instance must go on drawing the same numbers.
        if body.sampling.seed.is_none() {
            body.sampling.seed = random_bytes().ok().map(u64::from_le_bytes);
        }
        let request = self.inner.requests.fetch_add(1, Ordering::Relaxed);
        let _ = self.inner.events.send(Event::Ask { request, model, body: Box::new(body), sink });
        let events = self.inner.events.clone();
        Ticket::new(move || {
            let _ = events.send(Event::Forget { request });
        })
    }
}

/// The node's one task: carries out what the core decides.
struct Shell {
    core: Core<ClusterPlanner>,
    terms: Arc<Terms>,
    home: Arc<Home>,
    membership: Membership,
    links: Links,
    publish: watch::Sender<Arc<Snapshot>>,
    workshop: Arc<Workshop>,
    parts: HashMap<(InstanceId, Generation), Part>,
    /// `None` while the worker has not answered yet whether it takes the request.
    tickets: Arc<Mutex<HashMap<Attempt, Option<Ticket>>>>,
    fronts: HashMap<u64, FrontRequest>,
    events: mpsc::UnboundedSender<Event>,
    started: Instant,
    measuring: HashSet<NodeId>,
    measured: BTreeMap<NodeId, Instant>,
    link_measures: Arc<Mutex<BTreeMap<NodeId, LinkMeasure>>>,
    held_bytes: Arc<AtomicU64>,
    shelf: Arc<Shelf>,
    expel: watch::Sender<bool>,
}

struct FrontRequest {
    sink: Sink,
    prompt_tokens: usize,
    tokens: usize,
    asked: Instant,
    first: Option<Instant>,
}

const TICK: Duration = Duration::from_millis(100);
const CALL_EVERY: Duration = Duration::from_millis(500);
const MEASURE_AGAIN: Duration = Duration::from_secs(300);

impl Shell {
    async fn run(mut self, mut incoming: mpsc::UnboundedReceiver<Event>) {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut called = Instant::now() - CALL_EVERY;
        loop {
            tokio::select! {
                event = incoming.recv() => match event {
                    Some(event) => self.handle(event),
                    None => return,
                },
                _ = tick.tick() => {
                    self.input(Input::Tick);
                    self.look_around();
                    if called.elapsed() >= CALL_EVERY {
                        called = Instant::now();
                        let members: Vec<_> = self.core.shared().present().map(|(id, member)| (id, member.clone())).collect();
                        self.links.call_missing(&self.terms, members.iter().map(|(id, member)| (*id, member)));
                        self.measure_one();
                    }
                }
            }
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Input(input) => self.input(input),
            Event::Answered { channel } => self.opened(channel, false),
            Event::Called { address, channel } => {
                self.links.called(&address, channel.as_ref().ok().map(|channel| channel.remote));
                if let Ok(channel) = channel {
                    self.opened(channel, true);
                }
            }
            Event::Frame { from, number, frame } => {
                if self.links.is_current(from, number) {
                    match frame {
                        Frame::Core(message) => self.input(Input::Heard { from, message }),
                        Frame::Errand(errand) => self.errand(from, errand),
                        _ => {}
                    }
                }
            }
            Event::Closed { node, number } => {
                if self.links.closed(node, number) {
                    self.input(Input::Disconnected { node });
                }
            }
            Event::Hint(address) => self.links.hint(address.to_string()),
            Event::Join { invite, node, member, reply } => {
                let decision = self.core.shared().check_invite(&invite, node, unix_ms());
                if decision.is_ok() {
                    self.input(Input::Admit { invite, node, member });
                    self.look_around();
                }
                let _ = reply.send(
                    decision.map(|()| self.core.shared().clone()).map_err(|refused| refused.to_string()),
                );
            }
            Event::With(change) => {
                let now = self.clock_ms();
                let actions = change(&mut self.core, now);
                actions.into_iter().for_each(|action| self.act(action));
            }
            Event::Ask { request, model, body, sink } => {
                let front = FrontRequest {
                    sink,
                    prompt_tokens: body.prompt.len(),
                    tokens: 0,
                    asked: Instant::now(),
                    first: None,
                };
                self.fronts.insert(request, front);
                let body = serde_json::to_vec(&*body).unwrap_or_default();
                self.input(Input::Ask { request, model, body });
            }
            Event::Forget { request } => {
                if let Some(mut front) = self.fronts.remove(&request) {
                    let usage = front.usage();
                    (front.sink)(TokenEvent::Done(usage));
                    self.input(Input::Forget { request });
                }
            }
            Event::Send { to, frame } => self.links.send(to, &frame),
            Event::Measured { node, measure } => {
                self.measuring.remove(&node);
                if let Some(measure) = measure {
                    lock(&self.link_measures).insert(node, measure);
                }
            }
        }
    }

    fn opened(&mut self, channel: Channel, outgoing: bool) {
        // The key to the cluster is not enough: a removed node has it too.
        if self.core.shared().is_member(channel.remote) {
            self.links.add(&self.terms, channel, outgoing);
        }
    }

    fn input(&mut self, input: Input) {
        let now = self.clock_ms();
        let tell_at_once = matches!(
            input,
            Input::Invite { .. }
                | Input::Revoke { .. }
                | Input::Remove { .. }
                | Input::Want { .. }
                | Input::Introduce { .. }
                | Input::Inventory(_)
        );
        let actions = self.core.handle(input, now);
        actions.into_iter().for_each(|action| self.act(action));
        if tell_at_once {
            self.look_around();
        }
    }

    fn clock_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn look_around(&mut self) {
        let parts = self.core.instances();
        let held = parts.iter().filter(|(node, _)| *node == self.core.me());
        let held = held.filter_map(|(_, part)| part.ranks.get(part.rank)).map(|place| place.bytes).sum();
        self.held_bytes.store(held, Ordering::Relaxed);
        let _ = self.publish.send(Arc::new(Snapshot::of(&self.core)));
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Persist(saved) => {
                self.membership.saved = saved;
                if let Err(error) = self.home.save(&self.membership) {
                    // Without its memory a node must not go on giving out generations.
                    eprintln!("tandem: {error}");
                    std::process::exit(1);
                }
            }
            Action::Send { to, message } => self.links.send(to, &Frame::Core(message)),
            Action::Start { rank, assignment } => {
                let key = (assignment.instance.clone(), assignment.generation);
                let events = self.events.clone();
                let (instance, generation) = key.clone();
                let report = move |event: WorkerEvent| {
                    let _ = events.send(Event::Input(Input::Worker {
                        instance: instance.clone(),
                        generation,
                        event,
                    }));
                };
                self.parts.insert(key, Part::start(Arc::clone(&self.workshop), rank, assignment, report));
            }
            Action::Meet { instance, generation, seats } => {
                if let Some(part) = self.parts.get(&(instance, generation)) {
                    part.meet(seats);
                }
            }
            Action::Stop { instance, generation } => _ = self.parts.remove(&(instance, generation)),
            Action::Submit { attempt, instance, generation, body, answered } => {
                let engine = self.parts.get(&(instance, generation)).and_then(Part::engine);
                self.submit(attempt, engine, &body, &answered);
            }
            Action::Abort { attempt, .. } => drop(lock(&self.tickets).remove(&attempt)),
            Action::Emit { request, answer } => self.emit(request, answer),
            Action::Cut { node } => self.links.cut(node),
            Action::Expelled => {
                let _ = self.home.forget_membership();
                let _ = self.expel.send(true);
            }
        }
    }

    /// Hand an attempt to the worker that leads here.
    fn submit(
        &self,
        attempt: Attempt,
        engine: Option<tandem_ranks::RemoteEngine>,
        body: &[u8],
        answered: &[u32],
    ) {
        let events = self.events.clone();
        let tell = move |answer| {
            let _ = events.send(Event::Input(Input::Engine { attempt, answer }));
        };
        let Some(engine) = engine else { return tell(Answer::Lost("the worker is gone".into())) };
        let request: Request = match serde_json::from_slice(body) {
            Ok(request) => request,
            Err(error) => {
                return tell(refused(&Refused::Stopped(format!("the request cannot be read: {error}"))));
            }
        };
        let request = resumed(request, answered);
        let tickets = Arc::clone(&self.tickets);
        lock(&tickets).insert(attempt, None);
        // Taking a request is a round trip to the worker.
        tokio::task::spawn_blocking(move || {
            let (sink_tell, sink_tickets, watched) = (tell.clone(), Arc::clone(&tickets), engine.clone());
            let sink = move |event: TokenEvent| {
                let last = event.is_last();
                let lost = || watched.failure().is_some();
                sink_tell(match event {
                    TokenEvent::Token { id, logprobs } => {
                        let detail = logprobs.and_then(|logprobs| serde_json::to_vec(&logprobs).ok());
                        Answer::Token { id, detail }
                    }
                    TokenEvent::Done(usage) => Answer::Done(serde_json::to_vec(&usage).unwrap_or_default()),
                    TokenEvent::Failed(reason) if lost() => Answer::Lost(reason),
                    TokenEvent::Failed(reason) => refused(&Refused::Stopped(reason)),
                    other => Answer::Other(serde_json::to_vec(&other).unwrap_or_default()),
                });
                if last {
                    lock(&sink_tickets).remove(&attempt);
                }
            };
            match engine.submit(request, Box::new(sink)) {
                Ok(ticket) => {
                    // Aborted, or done, while it was being taken: the ticket goes, and the request with it.
                    if let Some(place) = lock(&tickets).get_mut(&attempt) {
                        *place = Some(ticket);
                    }
                }
                Err(refusal) => {
                    lock(&tickets).remove(&attempt);
                    let lost = engine.failure().is_some() || matches!(refusal, Refused::Stopped(_));
                    tell(if lost { Answer::Lost(refusal.to_string()) } else { refused(&refusal) });
                }
            }
        });
    }

    fn emit(&mut self, request: u64, answer: Answer) {
        let Some(front) = self.fronts.get_mut(&request) else { return };
        let damaged = || TokenEvent::Failed("an answer cannot be read".into());
        let event = match answer {
            Answer::Token { id, detail } => {
                front.tokens += 1;
                front.first.get_or_insert_with(Instant::now);
                let logprobs = detail.and_then(|detail| serde_json::from_slice(&detail).ok());
                TokenEvent::Token { id, logprobs }
            }
            Answer::Other(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|_| damaged()),
            Answer::Done(bytes) => match serde_json::from_slice::<Usage>(&bytes) {
                // As the client saw it, with the pauses.
                Ok(usage) => TokenEvent::Done(Usage {
                    tokens: front.tokens,
                    prompt_tokens: front.prompt_tokens,
                    ..front.timed(usage)
                }),
                Err(_) => damaged(),
            },
            Answer::Refused(bytes) => {
                TokenEvent::Failed(format!("{REFUSED}{}", String::from_utf8_lossy(&bytes)))
            }
            Answer::Lost(reason) | Answer::Unavailable(reason) => TokenEvent::Failed(reason),
        };
        let last = event.is_last();
        (front.sink)(event);
        if last {
            self.fronts.remove(&request);
        }
    }

    /// While nothing is asked, measure the link to one node that was not measured for long. The lower id begins.
    fn measure_one(&mut self) {
        if !self.measuring.is_empty()
            || !self.fronts.is_empty()
            || self.core.instances().iter().any(|(_, part)| part.busy > 0)
        {
            return;
        }
        let me = self.core.me();
        let old = |at: &Instant| at.elapsed() > MEASURE_AGAIN;
        let due = |node: &&NodeId| **node > me && self.measured.get(node).is_none_or(old);
        let Some(node) = self.core.live().iter().find(due).copied() else { return };
        self.measured.insert(node, Instant::now());
        let hosts = (self.workshop.hosts)();
        let Ok(lobby) = Lobby::open(errands::any_address(&hosts)) else { return };
        let Ok(secret) = random_bytes::<32>() else { return };
        let addresses: Vec<_> =
            hosts.iter().map(|host| SocketAddr::new(*host, lobby.address().port())).collect();
        self.measuring.insert(node);
        let texts = addresses.iter().map(SocketAddr::to_string).collect();
        let meet = Errand { addresses: texts, secret, purpose: Purpose::Probe };
        self.links.send(node, &Frame::Errand(meet));
        let events = self.events.clone();
        std::thread::spawn(move || {
            let attended = errands::attend(lobby, errands::HOST, secret, addresses);
            let measure = attended.and_then(|attended| errands::probe(attended, errands::HOST)).ok();
            let _ = events.send(Event::Measured { node, measure });
        });
    }

    /// Another node waits for this one.
    fn errand(&mut self, from: NodeId, errand: Errand) {
        let Errand { addresses, secret, purpose } = errand;
        let hosts = (self.workshop.hosts)();
        let Ok(lobby) = Lobby::open(errands::any_address(&hosts)) else { return };
        let addresses = addresses.iter().filter_map(|address| address.parse().ok()).collect();
        let (events, shelf) = (self.events.clone(), Arc::clone(&self.shelf));
        if purpose == Purpose::Probe {
            self.measuring.insert(from);
        }
        std::thread::spawn(move || {
            let attended = errands::attend(lobby, errands::GUEST, secret, addresses);
            match purpose {
                Purpose::Probe => {
                    let measure = attended.and_then(|attended| errands::probe(attended, errands::GUEST)).ok();
                    let _ = events.send(Event::Measured { node: from, measure });
                }
                Purpose::Weights { model, version } => {
                    // Whoever asked notices a failure by the silence, and asks another node.
                    let _ = attended
                        .and_then(|attended| fetcher::serve(&shelf, attended, &secret, &model, version));
                }
            }
        });
    }
}

impl FrontRequest {
    fn usage(&self) -> Usage {
        self.timed(Usage {
            finish: Finish::Cancelled,
            prompt_tokens: self.prompt_tokens,
            cached_tokens: 0,
            tokens: self.tokens,
            first_token_after: Duration::ZERO,
            decoding_for: Duration::ZERO,
        })
    }

    fn timed(&self, usage: Usage) -> Usage {
        let first = self.first.unwrap_or_else(Instant::now);
        Usage { first_token_after: first - self.asked, decoding_for: first.elapsed(), ..usage }
    }
}

/// Marks a refusal among the reasons of failed requests, so that it can be told apart from a loss.
pub(crate) const REFUSED: &str = "refused: ";

fn refused(refusal: &Refused) -> Answer {
    Answer::Refused(serde_json::to_vec(refusal).unwrap_or_default())
}

/// The request with what was already answered.
fn resumed(mut request: Request, answered: &[u32]) -> Request {
    request.prompt.extend_from_slice(answered);
    request.resumed += answered.len();
    request
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn unix_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

/// How long a joining node looks for a member that lets it in.
const JOIN_MAX: Duration = Duration::from_secs(15);
const REFUSALS_MAX: usize = 8;

async fn join(
    home: &Home,
    identity: &mut Identity,
    token: &JoinToken,
    member: Member,
    peers: &[String],
    discovery: bool,
) -> Result<Membership, String> {
    let (found, mut hints) = mpsc::channel(64);
    // Port 0: this node is no member yet, and nobody should call it.
    let beacons = discovery.then(|| tokio::spawn(discover(token.cluster.hash(), 0, found)));
    let mut addresses: Vec<String> = token.addresses.iter().chain(peers).cloned().collect();
    let deadline = Instant::now() + JOIN_MAX;
    let mut last =
        "no member of the cluster was found; is one running, and reachable from here? `--peer host` names it"
            .to_owned();
    let mut refusals = 0;
    let result = 'search: loop {
        while let Ok(hint) = hints.try_recv() {
            let hint = hint.to_string();
            if !addresses.contains(&hint) && !hint.ends_with(":0") {
                addresses.push(hint);
            }
        }
        for address in &addresses {
            match ask_to_join(address, identity, token, &member).await {
                Ok(Ok(membership)) => break 'search Ok(membership),
                Ok(Err(reason)) if reason.contains("removed") => {
                    *identity = home.new_identity().map_err(|error| error.to_string())?;
                    last = reason;
                }
                Ok(Err(reason)) => break 'search Err(reason),
                Err(reason) => {
                    refusals += usize::from(reason.contains("did not let us in"));
                    last = format!("{address}: {reason}");
                }
            }
        }
        // A token that is good reaches every member within a moment.
        if refusals >= REFUSALS_MAX {
            break Err(last);
        }
        if Instant::now() >= deadline {
            break Err(last);
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    };
    if let Some(beacons) = beacons {
        beacons.abort();
    }
    result
}

/// The outer error is worth another try, the inner one is the cluster's answer.
async fn ask_to_join(
    address: &str,
    identity: &Identity,
    token: &JoinToken,
    member: &Member,
) -> Result<Result<Membership, String>, String> {
    let claim = Claim::Invited(token.invite);
    let channel = reach(address, identity, claim, &token.key).await;
    let mut channel = match channel {
        Ok(channel) => channel,
        Err(error @ crate::channel::ChannelError::OtherVersion { .. }) => return Ok(Err(error.to_string())),
        Err(error) => return Err(error.to_string()),
    };
    let text = |error: crate::channel::ChannelError| error.to_string();
    channel.writer.send(&Frame::Join(member.clone()).to_bytes()).await.map_err(text)?;
    let bytes = tokio::time::timeout(Duration::from_secs(3), channel.reader.next()).await;
    let bytes = bytes.map_err(|_| "no answer came".to_owned())?.map_err(text)?;
    match Frame::from_bytes(&bytes) {
        Some(Frame::Welcome(welcome)) => {
            let saved = tandem_cluster::Saved { shared: welcome.shared, counter: 0 };
            Ok(Ok(Membership::new(token.cluster.clone(), welcome.key, saved)))
        }
        Some(Frame::Refused(reason)) => Ok(Err(reason)),
        _ => Err("the answer makes no sense".into()),
    }
}

/// What the inventory is gathered from.
struct Facts {
    shelf: Arc<Shelf>,
    name: String,
    cores: Option<usize>,
    memory_bytes: Option<u64>,
    api: Option<String>,
    links: Arc<Mutex<BTreeMap<NodeId, LinkMeasure>>>,
    /// By this node's parts.
    held_bytes: Arc<AtomicU64>,
}

/// Small changes of free memory are not worth telling everyone.
const MEMORY_STEP: u64 = 64 << 20;
const LOOK_EVERY: Duration = Duration::from_secs(2);

async fn keep_inventory(
    facts: Facts,
    events: mpsc::UnboundedSender<Event>,
    mut looks: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
) {
    let mut asked: Option<oneshot::Sender<()>> = None;
    let facts = Arc::new(facts);
    let mut last = None;
    loop {
        let look = Arc::clone(&facts);
        let Ok(inventory) = tokio::task::spawn_blocking(move || look.inventory()).await else { return };
        if last.as_ref() != Some(&inventory) {
            last = Some(inventory.clone());
            let _ = events.send(Event::Input(Input::Inventory(Box::new(inventory))));
        }
        if let Some(asked) = asked.take() {
            let _ = asked.send(());
        }
        tokio::select! {
            next = looks.recv() => match next {
                Some(next) => asked = Some(next),
                None => return,
            },
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

impl Facts {
    fn inventory(&self) -> Inventory {
        let system_cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let free = tandem_runtime::available_bytes().unwrap_or(8 << 30);
        let room = (free + self.held_bytes.load(Ordering::Relaxed)) / 10 * 9;
        let memory = self.memory_bytes.map_or(room, |most| most.min(room));
        Inventory {
            name: self.name.clone(),
            software: env!("CARGO_PKG_VERSION").to_owned(),
            cores: self.cores.unwrap_or(system_cores) as u32,
            memory_bytes: memory
                .next_multiple_of(MEMORY_STEP)
                .saturating_sub(MEMORY_STEP)
                .max(memory.min(MEMORY_STEP)),
            accelerators: Vec::new(),
            models: self.shelf.list(),
            pulling: self.shelf.pulling(),
            links: lock(&self.links).clone(),
            api: self.api.clone(),
            machine: machine_id(),
            data_hosts: Vec::new(),
        }
    }
}

/// Until others may come: from the start where `open`, otherwise once somebody is invited.
async fn company(terms: &Terms, open: bool) {
    let mut snapshot = terms.snapshot.clone();
    if !open {
        let _ = snapshot.wait_for(|snapshot| snapshot.shared.has_company(unix_ms())).await;
    }
}

/// Listens on this machine alone, and on all its interfaces once others may come.
async fn listen_as_asked(listener: TcpListener, terms: Arc<Terms>, open: bool) {
    if open {
        return listen(listener, terms).await;
    }
    let Ok(address) = listener.local_addr() else { return };
    tokio::select! {
        () = listen(listener, Arc::clone(&terms)) => {}
        () = company(&terms, open) => {}
    }
    // The port is this node's own until a moment ago, and its address is already in the invitation.
    loop {
        match bind_any(address.port()).await {
            Ok(listener) => return listen(listener, terms).await,
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn bind_any(port: u16) -> io::Result<TcpListener> {
    match TcpListener::bind(("::", port)).await {
        Ok(listener) => Ok(listener),
        Err(_) => TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).await,
    }
}

async fn bind(host: Option<IpAddr>, port: u16) -> io::Result<TcpListener> {
    let any = |port| async move {
        match host {
            Some(host) => TcpListener::bind((host, port)).await,
            None => bind_any(port).await,
        }
    };
    match any(port).await {
        // Several nodes on one machine.
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => any(0).await,
        other => other,
    }
}

/// Addresses others may reach, ordinary ones first; the machine's own only where there is no other.
fn own_hosts(only: Option<IpAddr>) -> Vec<IpAddr> {
    if let Some(host) = only {
        return vec![host];
    }
    let link_local = |ip: &IpAddr| match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    };
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let mut hosts: Vec<_> = interfaces
        .iter()
        .map(if_addrs::Interface::ip)
        .filter(|ip| !ip.is_loopback() && !link_local(ip))
        .collect();
    hosts.sort_by_key(|ip| ip.is_ipv6());
    hosts.dedup();
    if hosts.is_empty() {
        hosts.push(Ipv4Addr::LOCALHOST.into());
    }
    hosts
}

/// `host`, `host:port`, an IPv6 address with or without brackets.
fn with_port(peer: &str) -> String {
    if let Ok(ip) = peer.trim_matches(['[', ']']).parse::<IpAddr>() {
        return SocketAddr::new(ip, DEFAULT_PORT).to_string();
    }
    let has_port = peer.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    if has_port { peer.to_owned() } else { format!("{peer}:{DEFAULT_PORT}") }
}

fn machine_name() -> String {
    let text = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let text = text.or_else(|| String::from_utf8(Command::new("hostname").output().ok()?.stdout).ok());
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).unwrap_or_else(|| "node".into())
}

/// The same for all nodes of one machine.
fn machine_id() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    boot.map_or_else(|_| machine_name(), |text| text.trim().to_owned())
}

const NAMED: &str = "models.json";

fn read_named(home: &Home) -> BTreeMap<String, PathBuf> {
    let read = std::fs::read(home.folder().join(NAMED)).ok();
    read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

impl Node {
    /// A file with at least the header of this version of a model.
    pub(crate) fn header_of(&self, model: &str, version: u64) -> Result<PathBuf, String> {
        self.inner.fetcher.header(model, version)
    }

    /// Looks for new models at once.
    pub async fn look_again(&self) {
        let (done, looked) = oneshot::channel();
        if self.inner.look.send(done).is_ok() {
            let _ = looked.await;
            self.settled().await;
        }
    }

    /// Tells the others that this node gets a model from the hub, or no longer does.
    pub(crate) async fn pulling(&self, model: &str, pulling: bool) {
        self.inner.shelf.set_pulling(model, pulling);
        self.look_again().await;
    }

    /// Gives a file that is not in the store a name that requests can use, here and after a restart.
    pub fn name_model(&self, name: &str, path: PathBuf) -> Result<(), HomeError> {
        self.inner.shelf.name(name, path);
        let named = serde_json::to_vec(&self.inner.shelf.named()).unwrap_or_default();
        self.inner.home.write(NAMED, &named)
    }
}
