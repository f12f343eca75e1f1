//! The node's one task: carries out what the core decides, and tells it what happens.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use tandem_cluster::{
    Action, CacheUse, Core, Generation, Input, InstanceId, JoinRefused, LinkMeasure, Member, Message, NodeId,
    Shared, Submission, WorkerEvent,
};
use tandem_engine::{Finish, Tokens};
use tandem_fabric::Lobby;
use tandem_ranks::RemoteEngine;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

use crate::attempts::Attempts;
use crate::channel::{Channel, ChannelError};
use crate::devices::CPU;
use crate::errands;
use crate::fetcher;
use crate::files;
use crate::frame::{Errand, Frame, Purpose};
use crate::fronts::Fronts;
use crate::home::Membership;
use crate::keeper::{Keeper, Kept};
use crate::links::{Links, Terms};
use crate::node::{Ending, unix_ms};
use crate::part::{Part, Workshop};
use crate::placing::ClusterPlanner;
use crate::prober::Prober;
use crate::pulls::Pulls;
use crate::shelf::Shelf;
use crate::snapshot::Snapshot;
use crate::stocktaker::Unfit;

/// Something done to the core, at a time, with what follows from it.
type Change = Box<dyn FnOnce(&mut Core<ClusterPlanner>, u64) -> Vec<Action> + Send>;

/// What the node's one task is told.
pub enum Event {
    Input(Input),
    Answered {
        channel: Channel,
    },
    Called {
        address: String,
        channel: Result<Channel, ChannelError>,
    },
    Frame {
        from: NodeId,
        number: u64,
        frame: Frame,
    },
    Closed {
        node: NodeId,
        number: u64,
    },
    Hint(SocketAddr),
    Join {
        invite: String,
        node: NodeId,
        member: Member,
        reply: oneshot::Sender<Result<Shared, JoinRefused>>,
    },
    With(Change),
    Forget {
        request: u64,
    },
    Measured {
        node: NodeId,
        measure: Option<LinkMeasure>,
    },
    Send {
        to: NodeId,
        frame: Frame,
    },
    /// Which ranks run here.
    Parts(oneshot::Sender<Vec<RunningPart>>),
    /// What became of a write of the membership.
    Kept(Kept),
    /// Answered once everything decided so far is on the disk.
    Settle(oneshot::Sender<Result<(), String>>),
}

/// What waits until the disk has the state that it follows from.
enum Held {
    Act(Action),
    Tell(Box<dyn FnOnce(Result<(), String>) + Send>),
}

/// A rank of a model on this node.
pub struct RunningPart {
    pub instance: String,
    pub generation: Generation,
    pub rank: usize,
    /// Where the ranks are, by their numbers.
    pub nodes: Vec<NodeId>,
    pub device: String,
    pub engine: RemoteEngine,
}

pub struct Shell {
    pub core: Core<ClusterPlanner>,
    pub terms: Arc<Terms>,
    pub membership: Membership,
    pub durable: Durable,
    pub links: Links,
    pub publish: watch::Sender<Arc<Snapshot>>,
    pub workshop: Arc<Workshop>,
    /// By instance, generation and rank.
    pub parts: HashMap<(InstanceId, Generation, usize), Part>,
    pub attempts: Attempts,
    pub fronts: Arc<Fronts>,
    /// Nodes of another version, by address.
    pub strangers: BTreeMap<String, String>,
    pub events: mpsc::UnboundedSender<Event>,
    pub started: Instant,
    pub prober: Prober,
    pub pulls: Arc<Pulls>,
    pub shelf: Arc<Shelf>,
    pub unfit: Unfit,
    /// Where parts of models' files are.
    pub partials: PathBuf,
    pub ending: watch::Sender<Option<Ending>>,
}

/// How far the disk has what was decided.
pub struct Durable {
    keeper: Keeper,
    kept: u64,
    held: Vec<(u64, Held)>,
}

impl Durable {
    pub fn new(keeper: Keeper) -> Durable {
        Durable { keeper, kept: 0, held: Vec::new() }
    }
}

/// So many addresses of other versions are told of.
const STRANGERS_MAX: usize = 64;
const TICK: Duration = Duration::from_millis(100);
const CALL_EVERY: Duration = Duration::from_millis(500);
/// The other side hangs up once it has read what it was told.
const HANG_UP_MAX: Duration = Duration::from_secs(1);

impl Shell {
    pub async fn run(mut self, mut incoming: mpsc::UnboundedReceiver<Event>) {
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
                    self.look_at_caches();
                    self.input(Input::Tick);
                    self.end_overdue();
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
                match channel {
                    Ok(channel) => {
                        self.strangers.remove(&address);
                        self.opened(channel, true);
                    }
                    Err(error @ ChannelError::OtherVersion { .. }) => {
                        let told = error.to_string();
                        if self.strangers.len() < STRANGERS_MAX && self.strangers.get(&address) != Some(&told)
                        {
                            tracing::warn!(address, "{told}");
                            self.strangers.insert(address, told);
                        }
                    }
                    Err(_) => {}
                }
            }
            Event::Frame { from, number, frame } => {
                if self.links.is_current(from, number) {
                    match frame {
                        Frame::Core(message) => self.input(Input::Heard { from, message }),
                        Frame::Errand(errand) => self.errand(from, errand),
                        Frame::Refused(JoinRefused::Removed) => self.hear_removal(from),
                        Frame::Pull(word) => self.pulls.heard(from, word),
                        _ => {}
                    }
                }
            }
            Event::Closed { node, number } => {
                if self.links.closed(node, number) {
                    self.input(Input::Disconnected { node });
                }
            }
            Event::Hint(address) => self.links.hint(address),
            Event::Join { invite, node, member, reply } => {
                let decision = self.core.shared().check_invite(&invite, node, unix_ms());
                match &decision {
                    Ok(()) => self.input(Input::Admit { invite, node, member }),
                    Err(refused) => {
                        tracing::warn!(node_id = node.short(), invite, "a join was refused: {refused}");
                    }
                }
                let answer = decision.map(|()| self.core.shared().clone());
                self.once_kept(Held::Tell(Box::new(move |kept| {
                    let _ = reply.send(kept.map_err(JoinRefused::NotKept).and(answer));
                })));
            }
            Event::With(change) => {
                let now = self.clock_ms();
                let actions = change(&mut self.core, now);
                actions.into_iter().for_each(|action| self.act(action));
            }
            Event::Forget { request } => self.end(request, Finish::Cancelled),
            Event::Send { to, frame } => self.links.send(to, &frame),
            Event::Measured { node, measure } => self.prober.measured(node, measure),
            Event::Parts(reply) => {
                let parts = self.parts.iter().filter_map(|((instance, generation, _), part)| {
                    Some(RunningPart {
                        instance: instance.to_string(),
                        generation: *generation,
                        rank: part.rank,
                        nodes: part.place.nodes.clone(),
                        device: part.device().to_owned(),
                        engine: part.engine()?,
                    })
                });
                let _ = reply.send(parts.collect());
            }
            Event::Kept(kept) => self.hear_kept(kept),
            Event::Settle(reply) => self.once_kept(Held::Tell(Box::new(move |kept| {
                let _ = reply.send(kept);
            }))),
        }
    }

    /// Does it once the disk has everything that was decided so far.
    fn once_kept(&mut self, held: Held) {
        let number = self.durable.keeper.given();
        match (held, self.durable.kept >= number) {
            (Held::Act(action), true) => self.carry_out(action),
            (Held::Tell(tell), true) => tell(Ok(())),
            (held, false) => self.durable.held.push((number, held)),
        }
    }

    fn hear_kept(&mut self, kept: Kept) {
        let fault = kept.as_ref().err().cloned();
        if fault.as_ref() != self.core.storage_fault() {
            if let Some(fault) = &fault {
                tracing::warn!("{fault}; it is tried again until it works");
            }
            self.input(Input::Storage(fault.clone()));
        }
        // What waits for a state that cannot be written is not done: the core decides anew once the disk takes it.
        let upto = kept.unwrap_or(u64::MAX);
        if fault.is_none() {
            self.durable.kept = upto;
        }
        let (ready, held) =
            std::mem::take(&mut self.durable.held).into_iter().partition(|(number, _)| *number <= upto);
        self.durable.held = held;
        let ready: Vec<(u64, Held)> = ready;
        for (_, held) in ready {
            match (held, &fault) {
                (Held::Act(action), None) => self.carry_out(action),
                (Held::Tell(tell), None) => tell(Ok(())),
                (Held::Tell(tell), Some(fault)) => tell(Err(fault.clone())),
                (Held::Act(Action::Start { rank, assignment }), Some(fault)) => {
                    let (instance, generation) = (assignment.instance, assignment.generation);
                    let event = WorkerEvent::Failed(fault.clone());
                    self.input(Input::Worker { instance, generation, rank, event });
                }
                (Held::Act(_), Some(_)) => {}
            }
        }
    }

    /// A request needs no more answers.
    fn end(&mut self, request: u64, finish: Finish) {
        if self.fronts.end(request, finish) {
            self.input(Input::Forget { request });
        }
    }

    /// Where this node leads an instance, others are told how full its cache is, with the next beat.
    fn look_at_caches(&mut self) {
        let leading = self.parts.iter().filter(|(_, part)| part.rank == 0);
        let seen: Vec<_> = leading
            .filter_map(|((instance, generation, _), part)| {
                let load = part.engine()?.load();
                let tokens = |blocks: usize| (blocks * load.block_len) as u64;
                let cache = CacheUse { used_tokens: tokens(load.blocks_used), tokens: tokens(load.blocks) };
                Some((instance.clone(), *generation, cache))
            })
            .collect();
        for (instance, generation, cache) in seen {
            let event = WorkerEvent::Cache(cache);
            self.input(Input::Worker { instance, generation, rank: 0, event });
        }
    }

    fn end_overdue(&mut self) {
        self.fronts.overdue().into_iter().for_each(|request| self.end(request, Finish::Deadline));
    }

    fn opened(&mut self, mut channel: Channel, outgoing: bool) {
        // The key to the cluster is not enough: a removed node has it too.
        match self.core.shared().members.get(&channel.remote) {
            Some(member) if !member.removed => {
                self.strangers.retain(|address, _| !member.addresses.contains(address));
                self.links.add(&self.terms, channel, outgoing);
            }
            // It was not there when it was removed.
            Some(_) => {
                let told = Frame::Refused(JoinRefused::Removed).to_bytes();
                tokio::spawn(async move {
                    let _ = channel.writer.send(&told).await;
                    let _ = timeout(HANG_UP_MAX, channel.reader.next()).await;
                });
            }
            None => {}
        }
    }

    /// A member says that this node was removed.
    fn hear_removal(&mut self, from: NodeId) {
        let mut shared = self.core.shared().clone();
        shared.members.entry(self.core.me()).or_default().removed = true;
        self.input(Input::Heard { from, message: Message::Shared(shared) });
    }

    /// A device that cannot load a model is not given it again.
    fn note_unfit(&self, instance: &InstanceId, generation: Generation, rank: usize) {
        let part = self.parts.get(&(instance.clone(), generation, rank));
        let Some(part) = part.filter(|part| !part.was_ready()) else { return };
        let device = part.device().to_owned();
        if device != CPU {
            tracing::warn!(%instance, %generation, device, "could not be loaded on this device, and is not placed there again");
            self.unfit
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert((device, instance.model.clone()));
        }
    }

    fn input(&mut self, input: Input) {
        if let Input::Worker { instance, generation, rank, event } = &input {
            match event {
                WorkerEvent::Failed(_) => self.note_unfit(instance, *generation, *rank),
                WorkerEvent::Ready => {
                    if let Some(part) = self.parts.get(&(instance.clone(), *generation, *rank)) {
                        part.set_ready();
                    }
                }
                _ => {}
            }
        }
        let now = self.clock_ms();
        // What comes with every request changes nothing that anybody looks at before the next tick.
        let often = matches!(
            input,
            Input::Tick
                | Input::Vitals(_)
                | Input::Ask { .. }
                | Input::Forget { .. }
                | Input::Host(_)
                | Input::Served { .. }
                | Input::Progressed { .. }
                | Input::Worker { event: WorkerEvent::Progress { .. } | WorkerEvent::Cache(_), .. }
                | Input::Heard {
                    message: Message::Lost { .. } | Message::Submit(_) | Message::Cancel { .. },
                    ..
                }
        );
        let actions = self.core.handle(input, now);
        actions.into_iter().for_each(|action| self.act(action));
        if !often {
            self.look_around();
        }
    }

    fn clock_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn look_around(&mut self) {
        let strangers = self.strangers.clone();
        let _ = self.publish.send(Arc::new(Snapshot { strangers, ..Snapshot::of(&self.core) }));
    }

    fn act(&mut self, action: Action) {
        let given_out = match &action {
            Action::Start { assignment, .. } => Some(assignment.generation),
            Action::Send { message: Message::Assign { assignment, .. }, .. } => Some(assignment.generation),
            _ => None,
        };
        // A node that forgot a generation would give it out twice.
        match given_out.is_some_and(|generation| generation.by == self.core.me()) {
            true => self.once_kept(Held::Act(action)),
            false => self.carry_out(action),
        }
    }

    fn carry_out(&mut self, action: Action) {
        match action {
            Action::Persist(saved) => {
                self.membership.saved = saved;
                self.durable.keeper.keep(Some(self.membership.clone()));
            }
            Action::Send { to, message } => self.links.send(to, &Frame::Core(message)),
            Action::Start { rank, assignment } => {
                let key = (assignment.instance.clone(), assignment.generation, rank);
                let events = self.events.clone();
                let (instance, generation, _) = key.clone();
                let report = move |event: WorkerEvent| {
                    let _ = events.send(Event::Input(Input::Worker {
                        instance: instance.clone(),
                        generation,
                        rank,
                        event,
                    }));
                };
                self.parts.insert(key, Part::start(Arc::clone(&self.workshop), rank, assignment, report));
            }
            Action::Meet { instance, generation, rank, seats } => {
                if let Some(part) = self.parts.get(&(instance, generation, rank)) {
                    part.meet(seats);
                }
            }
            Action::Stop { instance, generation, rank } => {
                self.durable.held.retain(|(_, held)| match held {
                    Held::Act(Action::Start { rank: of, assignment }) => {
                        (&assignment.instance, assignment.generation, *of) != (&instance, generation, rank)
                    }
                    _ => true,
                });
                self.parts.remove(&(instance, generation, rank));
            }
            Action::Submit { to, attempt, instance, generation, asked_ms_ago } => {
                let (front, number, at) = (attempt.front.short(), attempt.request, attempt.number);
                let node_id = to.short();
                match at {
                    1 => {
                        tracing::debug!(front, number, attempt = at, node_id, %instance, %generation, "a request is sent")
                    }
                    _ => {
                        tracing::info!(front, number, attempt = at, node_id, %instance, %generation, "a request goes on")
                    }
                }
                let submission = self.fronts.submission(attempt, to, instance, generation, asked_ms_ago);
                match submission {
                    Some(submission) if to == self.core.me() => {
                        let _ = self.events.send(Event::Input(Input::Host(submission)));
                    }
                    Some(submission) => self.links.send(to, &Frame::Core(Message::Submit(submission))),
                    // It ended a moment ago, and the core is about to hear of it.
                    None => {}
                }
            }
            Action::Host(submission) => {
                let Submission { attempt, instance, generation, .. } = &submission;
                let (front, number, attempt) = (attempt.front.short(), attempt.request, attempt.number);
                tracing::debug!(front, number, attempt, %instance, %generation, "a request is taken");
                let key = (submission.instance.clone(), submission.generation, 0);
                let part = self.parts.get(&key);
                self.attempts
                    .submit(submission, part.and_then(|part| Some((part.engine()?, part.place.clone()))));
            }
            Action::Abort { attempt, .. } => self.attempts.abort(attempt),
            Action::Fail { request, reason } => self.fronts.fail(request, reason),
            Action::Cut { node } => self.links.cut(node),
            Action::Expelled => {
                self.durable.keeper.keep(None);
                let ending = self.ending.clone();
                self.once_kept(Held::Tell(Box::new(move |_| _ = ending.send(Some(Ending::Removed)))));
            }
        }
    }

    /// While nothing is asked, the links are measured.
    fn measure_one(&mut self) {
        let busy = !self.fronts.is_empty() || self.core.instances().iter().any(|(_, part)| part.busy > 0);
        if busy {
            return;
        }
        let begun =
            self.prober.begin(self.core.me(), self.core.live(), &(self.workshop.hosts)(), &self.events);
        if let Some((node, errand)) = begun {
            self.links.send(node, &Frame::Errand(errand));
        }
    }

    /// Another node waits for this one.
    fn errand(&mut self, from: NodeId, errand: Errand) {
        let Errand { addresses, secret, purpose } = errand;
        let hosts = (self.workshop.hosts)();
        let Ok(lobby) = Lobby::open(errands::any_address(&hosts)) else { return };
        let addresses = addresses.iter().filter_map(|address| address.parse().ok()).collect();
        let (events, shelf, partials) = (self.events.clone(), Arc::clone(&self.shelf), self.partials.clone());
        if purpose == Purpose::Probe {
            self.prober.expect(from);
        }
        let encryption = self.workshop.encryption;
        std::thread::spawn(move || {
            let attended = errands::attend(lobby, errands::GUEST, secret, addresses, encryption);
            match purpose {
                Purpose::Probe => {
                    let measure = attended.and_then(|attended| errands::probe(attended, errands::GUEST)).ok();
                    let _ = events.send(Event::Measured { node: from, measure });
                }
                Purpose::Strain { seconds } => {
                    let lasting = Duration::from_secs(u64::from(seconds));
                    let _ = attended.and_then(|attended| errands::strain(attended, errands::GUEST, lasting));
                }
                Purpose::Weights { model, version } => {
                    // Whoever asked notices a failure by the silence, and asks another node.
                    let _ = attended.and_then(|attended| {
                        fetcher::serve(&shelf, &partials, attended, &secret, &model, version)
                    });
                }
                Purpose::Files { path } => {
                    let shared = partials.with_file_name(files::SHARED);
                    let _ = attended.and_then(|attended| files::serve(&shared, &path, attended, &secret));
                }
            }
        });
    }
}
