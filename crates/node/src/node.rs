//! One running node.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tandem_cluster::{Config, Core, Input, Member, NodeId, Shared};
use tandem_devices::{Device, DeviceError, Registry};
use tandem_engine::{Request, Sink, Ticket};
use tandem_fabric::Encryption;
use tandem_hub::Store;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};

use crate::addresses::{own_hosts, with_port};
use crate::attempts::Attempts;
use crate::commands::CommandError;
use crate::devices::Lister;
use crate::discovery::discover;
use crate::fetcher::{Fetcher, PARTIALS};
use crate::fronts::Fronts;
use crate::heart::Heart;
use crate::hex::random_bytes;
use crate::home::{Home, HomeError, Membership};
use crate::joining::join;
use crate::keeper::Keeper;
use crate::links::{Links, Terms};
use crate::listening::{bind, company, listen_as_asked, port_to_ask_for};
use crate::machine;
use crate::part::{Workers, Workshop};
use crate::placing::{Body, ClusterPlanner};
use crate::post::Post;
use crate::prober::Prober;
use crate::pulls::Pulls;
use crate::runs::Runs;
use crate::shelf::Shelf;
use crate::shell::{Durable, Event, RunningPart, Shell};
use crate::snapshot::Snapshot;
use crate::stocktaker::{Stocktaker, Unfit, keep_inventory};
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
    /// Of data links to other hosts; a link is encrypted if either of its ends wants it.
    pub encryption: Encryption,
    /// Where models compute here.
    pub device: Device,
    pub cores: Option<usize>,
    pub memory_bytes: Option<u64>,
    /// Starts a process that ends in `tandem_ranks::work`.
    pub worker: Box<dyn Fn() -> Command + Send + Sync>,
    /// Lists this machine's devices, as `tandem devices --json` does, and measures them where it gets `--measure` too; without it,
    /// models are placed on cores only.
    pub devices: Option<Lister>,
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
        "this node is already of cluster {0}, which has other nodes; `tandem up` starts it there. To join another, have one of \
         those run `tandem remove` with this node's name first"
    )]
    OtherCluster(String),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error("{0}")]
    Io(#[from] io::Error),
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
    pub fetcher: Arc<Fetcher>,
    pub pulls: Arc<Pulls>,
    look: mpsc::UnboundedSender<oneshot::Sender<()>>,
    requests: AtomicU64,
    fronts: Arc<Fronts>,
    _heart: Heart,
    ending: watch::Receiver<Option<Ending>>,
}

/// Why a node ended by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Another member removed it from the cluster.
    Removed,
    /// A fault of the program; nothing is answered any more.
    Failed(String),
}

impl Node {
    /// Starts the node: founds a cluster, joins one with a token, or goes on in the one it knows.
    pub async fn start(options: Options) -> Result<Node, NodeError> {
        // What there is for `auto` is listed by a process of its own.
        if options.device != Device::Auto {
            Registry::default().check(&options.device)?;
        }
        let home = Arc::new(Home::open(&options.root)?);
        // A node that knows nobody and has invited nobody is reached from its own machine only.
        let mut identity = home.identity()?;
        let before = home.membership()?;
        let known = before.as_ref().is_some_and(|it| it.saved.shared.has_company(unix_ms()));
        let open = options.host.is_some() || options.join.is_some() || known;
        let first = options.host.or((!open).then_some(Ipv4Addr::LOCALHOST.into()));
        let own_host = options.host;
        let hosts = move || own_hosts(own_host);
        let members = before.iter().flat_map(|it| it.saved.shared.present());
        let (own, others): (Vec<_>, Vec<_>) = members.partition(|(id, _)| *id == identity.id);
        let addresses = |of: &[(NodeId, &Member)]| -> Vec<String> {
            of.iter().flat_map(|(_, member)| member.addresses.clone()).collect()
        };
        let invited_to = options.join.iter().flat_map(|token| token.addresses.clone());
        let others: Vec<_> = addresses(&others).into_iter().chain(invited_to).collect();
        let port = port_to_ask_for(options.port, &hosts(), &addresses(&own), &others);
        let listener = bind(first, port).await.map_err(NodeError::Listen)?;
        let port = listener.local_addr()?.port();
        let asked = options.name.clone().unwrap_or_else(machine::name);
        let addresses: Vec<_> =
            hosts().into_iter().map(|host| SocketAddr::new(host, port).to_string()).collect();
        let peers: Vec<_> = options.peers.iter().map(|peer| with_port(peer)).collect();

        let membership = match (before, &options.join) {
            (Some(membership), None) => membership,
            (Some(membership), Some(token)) if membership.cluster == token.cluster => membership,
            (Some(membership), Some(_)) if membership.saved.shared.present().count() > 1 => {
                return Err(NodeError::OtherCluster(membership.cluster.0));
            }
            (None, None) => Membership::found()?,
            // A cluster of this node alone is left behind.
            (_, Some(token)) => {
                let member =
                    Member { version: 1, name: asked.clone(), addresses: addresses.clone(), removed: false };
                let joined = join(&home, &mut identity, token, member, &peers, options.discovery).await;
                joined.map_err(NodeError::Join)?
            }
        };
        home.save(&membership)?;
        let shared = &membership.saved.shared;
        let name = options.name.unwrap_or_else(|| free_name(asked, shared, identity.id));

        let (events, incoming) = mpsc::unbounded_channel();
        let boot = u64::from_le_bytes(random_bytes()?);
        let config = Config::new(identity.id, boot, random_bytes()?);
        let core = Core::new(config, membership.saved.clone(), ClusterPlanner);
        let (publish, snapshot) = watch::channel(Arc::new(Snapshot::of(&core)));
        let key = membership.key().ok_or_else(|| NodeError::Join("the cluster's key is damaged".into()))?;
        let fronts = Arc::new(Fronts::new(events.clone(), Handle::current()));
        let post = Post::default();
        let terms = Arc::new(Terms {
            identity: identity.clone(),
            cluster: membership.cluster.hash(),
            key,
            snapshot: snapshot.clone(),
            events: events.clone(),
            fronts: Arc::clone(&fronts),
        });
        let store = Store::at(&options.root);
        // What a model takes is counted as cores would hold it: a driver opened here could end the node.
        let counted = if options.device == Device::Auto { Device::cpu() } else { options.device.clone() };
        let shelf = Arc::new(Shelf::new(store, counted, options.sequences_max));
        let unfit: Unfit = Arc::default();
        for (name, path) in read_named(&home) {
            shelf.name(&name, path);
        }
        let fetcher = Arc::new(Fetcher {
            me: identity.id,
            shelf: Arc::clone(&shelf),
            folder: options.root.join(PARTIALS),
            events: events.clone(),
            snapshot: snapshot.clone(),
            hosts: Box::new(hosts),
            encryption: options.encryption,
            busy: Default::default(),
        });
        let pulls = Arc::new(Pulls::new(identity.id, events.clone(), snapshot.clone()));
        let finder = Arc::clone(&fetcher);
        let workers = Workers::default();
        let workshop = Arc::new(Workshop {
            worker: options.worker,
            file: Box::new(move |body: &Body, rank, progress, stop| {
                finder.for_rank(body, rank, progress, stop)
            }),
            hosts: Box::new(hosts),
            encryption: options.encryption,
            device: options.device.clone(),
            waiting_max: options.waiting_max,
            workers: workers.clone(),
        });
        let (ending, ended) = watch::channel(None);
        let prober = Prober::new(&home, &membership.saved.shared, options.encryption);
        let runs = Arc::new(Runs::open(&home));
        let stocktaker = Stocktaker {
            home: Arc::clone(&home),
            shelf: Arc::clone(&shelf),
            name: name.clone(),
            cores: options.cores,
            memory_bytes: options.memory_bytes,
            devices: options.devices,
            device: options.device.clone(),
            unfit: Arc::clone(&unfit),
            api: options.api,
            links: Arc::clone(&prober.measures),
            runs: Arc::clone(&runs),
            workers,
        };
        let shell = Shell {
            core,
            terms: Arc::clone(&terms),
            membership: membership.clone(),
            durable: Durable::new(Keeper::start(Arc::clone(&home), {
                let events = events.clone();
                move |kept| _ = events.send(Event::Kept(kept))
            })),
            links: Links::to(peers, post.clone()),
            publish,
            workshop,
            parts: HashMap::new(),
            attempts: Attempts::new(identity.id, events.clone(), Arc::clone(&fronts), post, runs),
            fronts: Arc::clone(&fronts),
            strangers: BTreeMap::new(),
            events: events.clone(),
            started: Instant::now(),
            prober,
            pulls: Arc::clone(&pulls),
            partials: fetcher.folder.clone(),
            shelf: Arc::clone(&shelf),
            unfit,
            ending: ending.clone(),
        };
        let (look, looks) = mpsc::unbounded_channel();
        let introduce = Input::Introduce { name, addresses };
        let _ = events.send(Event::Input(introduce));
        let heart = Heart::start()?;
        let failing = Arc::clone(&fronts);
        let running = heart.spawn(shell.run(incoming));
        let (listener, listening_terms) = (listener.into_std()?, Arc::clone(&terms));
        heart.spawn(async move {
            if let Ok(listener) = TcpListener::from_std(listener) {
                listen_as_asked(listener, listening_terms, open).await;
            }
        });
        heart.spawn(keep_inventory(stocktaker, events.clone(), looks));
        heart.spawn(async move {
            if let Err(error) = running.await
                && let Ok(panic) = error.try_into_panic()
            {
                failing.fail_all("the node that was asked failed");
                let _ = ending.send(Some(Ending::Failed(panic_text(&*panic))));
            }
        });
        if options.discovery {
            let (found, mut hints) = mpsc::channel(64);
            let to = events.clone();
            let seek = async move {
                company(&terms, open).await;
                discover(terms.cluster, port, found).await;
            };
            heart.spawn(seek);
            let pass = async move {
                while let Some(address) = hints.recv().await {
                    let _ = to.send(Event::Hint(address));
                }
            };
            heart.spawn(pass);
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
            pulls,
            look,
            requests,
            fronts,
            _heart: heart,
            ending: ended,
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

    /// Resolves once this node was removed from its cluster, or cannot go on.
    pub async fn ended(&self) -> Ending {
        let mut ending = self.inner.ending.clone();
        let ended = ending.wait_for(Option::is_some).await;
        ended
            .ok()
            .and_then(|ended| ended.clone())
            .unwrap_or_else(|| Ending::Failed("its task is gone".into()))
    }

    pub fn input(&self, input: Input) {
        let _ = self.inner.events.send(Event::Input(input));
    }

    /// Until everything asked of this node before has been taken in, and shows in its snapshot.
    pub async fn settled(&self) {
        self.with(|_| ()).await;
    }

    /// As [`Node::settled`], and until all of it is on the disk.
    pub(crate) async fn kept(&self) -> Result<(), CommandError> {
        let (reply, answer) = oneshot::channel();
        self.inner.events.send(Event::Settle(reply)).map_err(|_| CommandError::Ended)?;
        answer.await.map_err(|_| CommandError::Ended)?.map_err(CommandError::NotKept)
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

    /// Ranks that run here. Not to be called from a task.
    pub(crate) fn parts(&self) -> Vec<RunningPart> {
        self.ask_for_parts().blocking_recv().unwrap_or_default()
    }

    pub(crate) fn ask_for_parts(&self) -> oneshot::Receiver<Vec<RunningPart>> {
        let (reply, parts) = oneshot::channel();
        let _ = self.inner.events.send(Event::Parts(reply));
        parts
    }

    /// Asks for tokens of a model, wherever it runs. The ticket takes the request back.
    pub(crate) fn ask(&self, model: String, mut body: Request, sink: Sink) -> Ticket {
        // A request that moves to another instance must go on drawing the same numbers.
        if body.sampling.seed.is_none() {
            body.sampling.seed = random_bytes().ok().map(u64::from_le_bytes);
        }
        let request = self.inner.requests.fetch_add(1, Ordering::Relaxed);
        // Connects the API's id of the request, which is the span's, with the cluster's.
        tracing::debug!(front = %self.inner.id.short(), number = request, model, "asks the cluster");
        self.inner.fronts.begin(request, &body, sink);
        self.input(Input::Ask { request, model });
        let events = self.inner.events.clone();
        Ticket::new(move || {
            let _ = events.send(Event::Forget { request });
        })
    }

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

/// `name`, with a number behind it where another member is called that: several nodes may run on one machine.
fn free_name(name: String, shared: &Shared, me: NodeId) -> String {
    let taken = |name: &str| shared.present().any(|(id, member)| id != me && member.name == name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(name)
}

const NAMED: &str = "models.json";

fn read_named(home: &Home) -> BTreeMap<String, PathBuf> {
    let read = std::fs::read(home.folder().join(NAMED)).ok();
    read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".into())
}

pub(crate) fn unix_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_one_machine_get_names_of_their_own() {
        let mut shared = Shared::default();
        let ids = [1, 2, 3].map(|byte| NodeId([byte; 32]));
        for (id, expected) in ids.into_iter().zip(["desk", "desk-2", "desk-3"]) {
            let name = free_name("desk".into(), &shared, id);
            assert_eq!(name, expected);
            shared.members.insert(id, Member { name, ..Member::default() });
        }
        // Started again, a node keeps its name.
        assert_eq!(ids.map(|id| free_name("desk".into(), &shared, id)), ["desk", "desk-2", "desk-3"]);
    }
}
