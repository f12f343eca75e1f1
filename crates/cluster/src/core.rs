//! One node's state machine.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::front::Fronted;
use crate::host::{Hosted, Part, PartKey};
use crate::message::{Attempt, Beat, CacheUse, Message, PartReport, Progress, Submission};
use crate::placement::{Placed, Planner};
use crate::{Assignment, Generation, InstanceId, Inventory, Invite, Member, NodeId, Refusal, Shared, Spec};

/// What is fixed for a node's life.
#[derive(Clone, Debug)]
pub struct Config {
    pub me: NodeId,
    /// Different in every life.
    pub boot: u64,
    /// Known to this node alone; secrets of generations come from it.
    pub seed: [u8; 32],
    pub beat_ms: u64,
    /// A node not heard for this long is gone.
    pub silence_ms: u64,
    /// How long a node that just started, or hung, listens before it coordinates.
    pub settle_ms: u64,
    /// How long it waits for members that do not answer where nothing runs yet: after all nodes were started again, what is
    /// wanted should go where it was, and not on those who came first.
    pub gather_ms: u64,
    /// How long a rank may take to say that it has been assigned.
    pub assign_ms: u64,
    /// How long everything must stand still before an instance moves to a better place.
    pub improve_ms: u64,
    /// How long an evictable model must be idle.
    pub idle_ms: u64,
    /// How long a request waits for a model that does not fit; one that was being answered waits thrice that.
    pub refusal_ms: u64,
    /// How long a request waits for a model that should come.
    pub patience_ms: u64,
}

impl Config {
    pub fn new(me: NodeId, boot: u64, seed: [u8; 32]) -> Config {
        Config {
            me,
            boot,
            seed,
            beat_ms: 400,
            silence_ms: 2000,
            settle_ms: 1500,
            gather_ms: 5000,
            assign_ms: 1500,
            improve_ms: 10_000,
            idle_ms: 60_000,
            refusal_ms: 1500,
            patience_ms: 600_000,
        }
    }
}

/// What must survive a crash.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    pub shared: Shared,
    /// The highest generation given out or seen.
    pub counter: u64,
}

pub enum Input {
    /// Time has passed. Expected about ten times a second.
    Tick,
    Heard {
        from: NodeId,
        message: Message,
    },
    /// No connection to this node is left.
    Disconnected {
        node: NodeId,
    },
    Inventory(Box<Inventory>),
    /// How this node fares, for people to look at.
    Vitals(Vec<u8>),
    Worker {
        instance: InstanceId,
        generation: Generation,
        rank: usize,
        event: WorkerEvent,
    },
    /// The leader's worker on this node said its last word on an attempt.
    Served {
        attempt: Attempt,
    },
    /// What became of an attempt that this node made.
    Progressed {
        attempt: Attempt,
        progress: Progress,
    },
    /// A request of this node's own clients for an instance that is led here.
    Host(Submission),
    Want {
        model: String,
        spec: Option<Spec>,
    },
    Ask {
        request: u64,
        model: String,
    },
    /// Nobody waits for the answer any more.
    Forget {
        request: u64,
    },
    Invite {
        id: String,
        invite: Invite,
    },
    Revoke {
        id: String,
    },
    /// A node came with a valid invitation.
    Admit {
        invite: String,
        node: NodeId,
        member: Member,
    },
    /// Why [`Action::Persist`] cannot be carried out, or that it can again.
    Storage(Option<String>),
    /// This node's own name and addresses.
    Introduce {
        name: String,
        addresses: Vec<String>,
    },
    Remove {
        node: NodeId,
    },
}

pub enum WorkerEvent {
    /// It can be reached by the other ranks here.
    Seated(String),
    Progress {
        done: u64,
        total: u64,
    },
    Ready,
    Failed(String),
    /// How full the leader's cache is.
    Cache(CacheUse),
    /// How its device hands over what ranks exchange, and what that costs, for people to look at.
    HandsOver(String),
}

/// What the shell must do, in this order.
#[derive(Debug)]
pub enum Action {
    /// Durable before a generation that this node made is given out by one of the actions that follow, and before whoever asked
    /// for the change is told that it holds. Other actions need not wait.
    Persist(Saved),
    Send {
        to: NodeId,
        message: Message,
    },
    Start {
        rank: usize,
        assignment: Assignment,
    },
    /// Every rank's seat is known.
    Meet {
        instance: InstanceId,
        generation: Generation,
        rank: usize,
        seats: Vec<String>,
    },
    Stop {
        instance: InstanceId,
        generation: Generation,
        rank: usize,
    },
    /// Send a request, with the tokens that its client has by now, to the node that leads this generation: as a
    /// [`Message::Submit`], or as an [`Input::Host`] where that is this node.
    Submit {
        to: NodeId,
        attempt: Attempt,
        instance: InstanceId,
        generation: Generation,
        asked_ms_ago: u64,
    },
    /// To the leader's worker on this node.
    Host(Submission),
    Abort {
        attempt: Attempt,
        instance: InstanceId,
        generation: Generation,
    },
    /// Nothing serves this request; whoever asked here is told why.
    Fail {
        request: u64,
        reason: String,
    },
    /// Close every connection with this node, which is no member any more.
    Cut {
        node: NodeId,
    },
    /// This node itself was removed.
    Expelled,
}

/// What is known of another node.
#[derive(Clone, Debug, Default)]
pub struct PeerView {
    pub(crate) heard_ms: Option<u64>,
    pub beat: Option<Beat>,
    pub inventory: Option<Inventory>,
    inventory_digest: u64,
}

pub struct Core<P> {
    pub(crate) config: Config,
    pub(crate) planner: P,
    pub(crate) shared: Shared,
    shared_digest: u64,
    pub(crate) counter: u64,
    /// This node's own time: it stands still while the node hangs, and never runs backwards.
    pub(crate) time_ms: u64,
    clock_ms: Option<u64>,
    /// Until when this node, which hung, listens before it coordinates.
    pub(crate) dazed_until_ms: u64,
    pub(crate) peers: BTreeMap<NodeId, PeerView>,
    live: BTreeSet<NodeId>,
    pub(crate) stable_since_ms: u64,
    pub(crate) inventory: Inventory,
    inventory_digest: u64,
    /// Whether the shell has looked what there is.
    pub(crate) inventoried: bool,
    vitals: Vec<u8>,
    pub(crate) parts: BTreeMap<PartKey, Part>,
    /// The highest generation this node was ever given of each instance, in this life.
    pub(crate) highest: BTreeMap<InstanceId, Generation>,
    pub(crate) hosted: BTreeMap<Attempt, Hosted>,
    pub(crate) placed: BTreeMap<InstanceId, Placed>,
    pub(crate) refusals: BTreeMap<InstanceId, Refusal>,
    pub(crate) requests: BTreeMap<u64, Fronted>,
    pub(crate) actions: Vec<Action>,
    pub(crate) unsaved: bool,
    /// Something others should hear of now.
    pub(crate) announce: bool,
    beats: u64,
    beat_due_ms: u64,
    expelled: bool,
    /// Why what is decided cannot be kept.
    pub(crate) storage_fault: Option<String>,
}

impl<P: Planner> Core<P> {
    pub fn new(config: Config, saved: Saved, planner: P) -> Core<P> {
        let inventory = Inventory::default();
        Core {
            inventory_digest: crate::shared::digest(&inventory),
            inventory,
            inventoried: false,
            vitals: Vec::new(),
            config,
            planner,
            shared_digest: saved.shared.digest(),
            shared: saved.shared,
            counter: saved.counter,
            time_ms: 0,
            clock_ms: None,
            dazed_until_ms: 0,
            peers: BTreeMap::new(),
            live: BTreeSet::new(),
            stable_since_ms: 0,
            parts: BTreeMap::new(),
            highest: BTreeMap::new(),
            hosted: BTreeMap::new(),
            placed: BTreeMap::new(),
            refusals: BTreeMap::new(),
            requests: BTreeMap::new(),
            actions: Vec::new(),
            unsaved: false,
            announce: false,
            beats: 0,
            beat_due_ms: 0,
            expelled: false,
            storage_fault: None,
        }
    }

    pub fn handle(&mut self, input: Input, clock_ms: u64) -> Vec<Action> {
        self.pass_time(clock_ms);
        match input {
            Input::Tick => {}
            Input::Heard { from, message } => self.hear(from, message),
            Input::Disconnected { node } => {
                if let Some(peer) = self.peers.get_mut(&node) {
                    peer.heard_ms = None;
                }
            }
            Input::Inventory(inventory) => {
                self.inventory_digest = crate::shared::digest(&inventory);
                self.inventory = *inventory;
                self.inventoried = true;
                // Sent at once, so that a model can be placed as soon as it is wanted.
                let others: Vec<_> = self.others().collect();
                for to in others {
                    self.send(to, Message::Inventoried(Box::new(self.inventory.clone())));
                }
            }
            Input::Vitals(vitals) => self.vitals = vitals,
            Input::Worker { instance, generation, rank, event } => {
                self.worker_event((instance, generation, rank), event);
            }
            Input::Served { attempt } => self.served(attempt),
            Input::Progressed { attempt, progress } => self.progressed(attempt, progress),
            Input::Host(submission) => {
                if submission.attempt.front == self.config.me {
                    self.host(submission);
                }
            }
            Input::Want { model, spec } => {
                if self.shared.spec(&model) != spec.as_ref() {
                    self.placed.retain(|instance, _| instance.model != model);
                    self.shared.want(&model, self.config.me, spec);
                    self.share();
                }
            }
            Input::Ask { request, model } => self.ask(request, model),
            Input::Forget { request } => self.forget(request),
            Input::Invite { id, invite } => {
                self.shared.invites.insert(id, invite);
                self.share();
            }
            Input::Revoke { id } => {
                if let Some(invite) = self.shared.invites.get_mut(&id) {
                    invite.revoked = true;
                    self.share();
                }
            }
            Input::Admit { invite, node, member } => {
                if let Some(invite) = self.shared.invites.get_mut(&invite) {
                    invite.used.insert(node);
                }
                self.shared.members.entry(node).or_insert(member);
                self.share();
            }
            Input::Storage(fault) => self.storage_fault = fault,
            Input::Introduce { name, addresses } => {
                let own = self.shared.members.entry(self.config.me).or_default();
                if (&own.name, &own.addresses) != (&name, &addresses) {
                    let version = own.version + 1;
                    *own = Member { version, name, addresses, removed: own.removed };
                    self.share();
                }
            }
            Input::Remove { node } => {
                if let Some(member) = self.shared.members.get_mut(&node) {
                    member.removed = true;
                    // It knows the tokens of the others, and must not come in again with one.
                    self.shared.invites.values_mut().for_each(|invite| invite.revoked = true);
                    // The removed node hears of it as well, before it is cut off.
                    self.send(node, Message::Shared(self.shared.clone()));
                    self.share();
                }
            }
        }
        self.think();
        let mut actions = std::mem::take(&mut self.actions);
        if std::mem::take(&mut self.unsaved) {
            let saved = Saved { shared: self.shared.clone(), counter: self.counter };
            actions.insert(0, Action::Persist(saved));
        }
        actions
    }

    /// Everything that follows from the state as it is now.
    fn think(&mut self) {
        if !self.shared.is_member(self.config.me) && self.shared.members.contains_key(&self.config.me) {
            if !std::mem::replace(&mut self.expelled, true) {
                let parts: Vec<_> = self.parts.keys().cloned().collect();
                parts.into_iter().for_each(|key| self.stop_part(&key));
                self.actions.push(Action::Expelled);
            }
            return;
        }
        self.notice_removals();
        self.refresh_live();
        self.retire_parts();
        self.coordinate();
        self.meet_ranks();
        self.drop_orphans();
        self.route();
        if self.announce || self.time_ms >= self.beat_due_ms {
            self.announce = false;
            self.beat_due_ms = self.time_ms + self.config.beat_ms;
            self.beat();
        }
    }

    /// However the clock jumps, time passes forwards and in small steps: a node that hung does not take the others for dead
    /// before it has read what they sent meanwhile.
    fn pass_time(&mut self, clock_ms: u64) {
        let passed = clock_ms.saturating_sub(self.clock_ms.unwrap_or(clock_ms));
        self.clock_ms = Some(clock_ms);
        self.time_ms += passed.min(self.config.beat_ms);
        if passed > self.config.silence_ms {
            // The others took this node for gone: what it knows of them is old, and so is what they sent before they did.
            self.dazed_until_ms = self.time_ms + self.config.settle_ms;
        }
    }

    fn hear(&mut self, from: NodeId, message: Message) {
        if !self.shared.is_member(from) {
            // Removed, or admitted by a peer a moment ago: nobody is told by itself that it belongs.
            return;
        }
        match message {
            Message::Beat(beat) => self.hear_beat(from, beat),
            Message::Shared(shared) => self.learn(&shared),
            Message::Inventory => self.send(from, Message::Inventoried(Box::new(self.inventory.clone()))),
            Message::Inventoried(inventory) => {
                let peer = self.peers.entry(from).or_default();
                peer.inventory_digest = crate::shared::digest(&inventory);
                peer.inventory = Some(*inventory);
            }
            Message::Assign { boot, assignment } => {
                if boot == self.config.boot && assignment.generation.by == from {
                    self.take_assignment(*assignment);
                }
            }
            Message::Submit(submission) => {
                if submission.attempt.front == from {
                    self.host(submission);
                }
            }
            Message::Cancel { attempt } => {
                if attempt.front == from {
                    self.abort(attempt);
                }
            }
            Message::Lost { attempt, .. } => {
                let current = self.requests.get(&attempt.request).is_some_and(|it| it.is_at(from));
                if current {
                    self.progressed(attempt, Progress::Lost);
                }
            }
        }
    }

    fn hear_beat(&mut self, from: NodeId, beat: Beat) {
        let peer = self.peers.entry(from).or_default();
        let newer = peer.beat.as_ref().is_none_or(|old| old.boot != beat.boot || old.number < beat.number);
        if !newer {
            return;
        }
        peer.heard_ms = Some(self.time_ms);
        let stale_inventory = peer.inventory.is_none() || peer.inventory_digest != beat.inventory_digest;
        let other_life = peer.beat.as_ref().is_some_and(|old| old.boot != beat.boot);
        let counter = beat.parts.iter().map(|part| part.generation.counter).max().unwrap_or(0);
        let shared_digest = beat.shared_digest;
        peer.beat = Some(beat);
        if other_life {
            self.abort_where(|attempt, hosted_boot| attempt.front == from && hosted_boot);
        }
        if counter > self.counter {
            self.counter = counter;
            self.unsaved = true;
        }
        if stale_inventory {
            self.send(from, Message::Inventory);
        }
        if shared_digest != self.shared_digest {
            self.send(from, Message::Shared(self.shared.clone()));
        }
        self.check_serving(from);
    }

    fn learn(&mut self, theirs: &Shared) {
        if self.shared.merge(theirs) {
            self.shared_digest = self.shared.digest();
            self.unsaved = true;
        }
    }

    /// The shared state changed here: everyone hears at once.
    pub(crate) fn share(&mut self) {
        self.unsaved = true;
        self.shared_digest = self.shared.digest();
        let others: Vec<_> = self.others().collect();
        for to in others {
            self.send(to, Message::Shared(self.shared.clone()));
        }
    }

    fn notice_removals(&mut self) {
        let gone: Vec<_> = self.peers.keys().filter(|id| !self.shared.is_member(**id)).copied().collect();
        for node in gone {
            self.peers.remove(&node);
            self.actions.push(Action::Cut { node });
        }
    }

    fn refresh_live(&mut self) {
        let silence = self.config.silence_ms;
        let heard = |peer: &PeerView| peer.heard_ms.is_some_and(|at| self.time_ms - at <= silence);
        let mut live: BTreeSet<_> =
            self.peers.iter().filter(|(_, peer)| heard(peer)).map(|(id, _)| *id).collect();
        live.insert(self.config.me);
        if live != self.live {
            self.live = live;
            self.stable_since_ms = self.time_ms;
            self.announce = true;
        }
    }

    fn beat(&mut self) {
        self.beats += 1;
        let parts = self.own_reports();
        let others: Vec<_> = self.others().collect();
        for to in others {
            let serving = self.hosted.keys().filter(|attempt| attempt.front == to).copied().collect();
            let beat = Beat {
                boot: self.config.boot,
                number: self.beats,
                shared_digest: self.shared_digest,
                inventory_digest: self.inventory_digest,
                sees: self.live.clone(),
                parts: parts.clone(),
                refusals: self.refusals.clone(),
                serving,
                vitals: self.vitals.clone(),
            };
            self.send(to, Message::Beat(beat));
        }
    }

    pub(crate) fn send(&mut self, to: NodeId, message: Message) {
        self.actions.push(Action::Send { to, message });
    }

    fn others(&self) -> impl Iterator<Item = NodeId> {
        self.shared.present().map(|(id, _)| id).filter(|id| *id != self.config.me)
    }

    pub(crate) fn is_live(&self, node: NodeId) -> bool {
        self.live.contains(&node)
    }

    /// Every part that this node and the live ones it hears have.
    pub(crate) fn reports(&self) -> Vec<(NodeId, PartReport)> {
        let own = self.own_reports().into_iter().map(|part| (self.config.me, part));
        let theirs = self.peers.iter().filter(|(id, _)| self.is_live(**id)).flat_map(|(id, peer)| {
            peer.beat.iter().flat_map(|beat| beat.parts.iter().cloned()).map(|part| (*id, part))
        });
        own.chain(theirs).collect()
    }

    /// How long an evictable model must be idle, from now on.
    pub fn set_idle_ms(&mut self, idle_ms: u64) {
        self.config.idle_ms = idle_ms;
    }

    // What the shell may look at.

    pub fn me(&self) -> NodeId {
        self.config.me
    }

    pub fn planner(&self) -> &P {
        &self.planner
    }

    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    pub fn live(&self) -> &BTreeSet<NodeId> {
        &self.live
    }

    pub fn storage_fault(&self) -> Option<&String> {
        self.storage_fault.as_ref()
    }

    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    pub fn peer(&self, node: NodeId) -> Option<&PeerView> {
        self.peers.get(&node)
    }

    /// How a node fares, as it last said.
    pub fn vitals(&self, node: NodeId) -> &[u8] {
        if node == self.config.me {
            return &self.vitals;
        }
        self.peers.get(&node).and_then(|peer| peer.beat.as_ref()).map_or(&[], |beat| &beat.vitals)
    }

    /// All parts of all instances, as far as this node hears.
    pub fn instances(&self) -> Vec<(NodeId, PartReport)> {
        self.reports()
    }

    /// Why a model, or one of several instances of it, is not placed, as the coordinator says.
    pub fn refusal(&self, model: &str) -> Option<&Refusal> {
        let coordinator = self.live.first().copied().unwrap_or(self.config.me);
        let refusals = match coordinator == self.config.me {
            true => &self.refusals,
            false => &self.peers.get(&coordinator)?.beat.as_ref()?.refusals,
        };
        refusals.iter().find(|(instance, _)| instance.model == model).map(|(_, reason)| reason)
    }
}
