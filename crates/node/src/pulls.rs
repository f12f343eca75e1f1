//! Who gets a model from the hub: one node for the whole cluster.
//!
//! The live node with the lowest id decides. It gives a model to the first that asks, for as long as that node lives and has
//! not said that it is over; whoever asks meanwhile is told who gets it. A new decider begins with what the inventories say.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tandem_api::{Failure, PullProgress};
use tandem_cluster::NodeId;
use tandem_hub::ModelRef;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

use crate::frame::Frame;
use crate::node::Node;
use crate::shell::Event;
use crate::snapshot::Snapshot;

/// What nodes say to each other about it. Models go by their hub's name.
#[derive(Debug, Serialize, Deserialize)]
pub enum PullWord {
    /// May I get it? The number comes back with the answer.
    May { model: String, number: u64 },
    /// This node gets it, or has it.
    Gets { node: NodeId, number: u64 },
    /// I get it no more: it is here, or will not be.
    Over { model: String, here: bool },
}

pub struct Pulls {
    me: NodeId,
    events: mpsc::UnboundedSender<Event>,
    snapshot: watch::Receiver<Arc<Snapshot>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    leases: Vec<Lease>,
    asked: HashMap<u64, oneshot::Sender<NodeId>>,
    questions: u64,
}

struct Lease {
    model: ModelRef,
    node: NodeId,
    /// A model that is complete shows in the inventory by then.
    until: Option<Instant>,
}

/// How long an inventory may take to arrive.
const SHOWN_MAX: Duration = Duration::from_secs(5);
const ANSWER_MAX: Duration = Duration::from_secs(2);
/// Deciders that may fail to answer before a node decides for itself.
const SILENCES_MAX: usize = 3;
const ASK_AGAIN: Duration = Duration::from_secs(1);
/// How long a node that has just started waits for the others.
const COMPANY_MAX: Duration = Duration::from_secs(3);

impl Pulls {
    pub fn new(
        me: NodeId,
        events: mpsc::UnboundedSender<Event>,
        snapshot: watch::Receiver<Arc<Snapshot>>,
    ) -> Pulls {
        Pulls { me, events, snapshot, state: Mutex::default() }
    }

    pub fn heard(&self, from: NodeId, word: PullWord) {
        match word {
            PullWord::May { model, number } => {
                let Ok(model) = ModelRef::named(&model) else { return };
                let node = self.decide(model, from);
                self.say(from, PullWord::Gets { node, number });
            }
            PullWord::Gets { node, number } => {
                if let Some(asked) = self.state().asked.remove(&number) {
                    let _ = asked.send(node);
                }
            }
            PullWord::Over { model, here } => {
                if let Ok(model) = ModelRef::named(&model) {
                    self.over(&model, from, here);
                }
            }
        }
    }

    /// Who gets the model, or has it; this node where nobody did.
    async fn ask(&self, model: &ModelRef) -> NodeId {
        for _ in 0..SILENCES_MAX {
            let decider = self.decider();
            if decider == self.me {
                break;
            }
            let (sender, answer) = oneshot::channel();
            let number = {
                let mut state = self.state();
                state.questions += 1;
                let number = state.questions;
                state.asked.insert(number, sender);
                number
            };
            self.say(decider, PullWord::May { model: model.to_string(), number });
            let answer = timeout(ANSWER_MAX, answer).await;
            self.state().asked.remove(&number);
            if let Ok(Ok(node)) = answer {
                return node;
            }
        }
        self.decide(model.clone(), self.me)
    }

    fn decide(&self, model: ModelRef, asker: NodeId) -> NodeId {
        let snapshot = self.snapshot.borrow().clone();
        let now = Instant::now();
        let mut state = self.state();
        state.leases.retain(|lease| {
            snapshot.live.contains(&lease.node) && lease.until.is_none_or(|until| now < until)
        });
        if let Some(holder) = holder(&snapshot, &model) {
            return holder;
        }
        let given = state.leases.iter().find(|lease| lease.model.overlaps(&model)).map(|lease| lease.node);
        if let Some(node) = given.or_else(|| puller(&snapshot, &model, self.me)) {
            return node;
        }
        state.leases.push(Lease { model, node: asker, until: None });
        asker
    }

    fn over(&self, model: &ModelRef, node: NodeId, here: bool) {
        let mut state = self.state();
        let until = Instant::now() + SHOWN_MAX;
        state.leases.retain_mut(|lease| {
            let this = lease.node == node && lease.model.overlaps(model);
            if this {
                lease.until = Some(until);
            }
            !this || here
        });
    }

    /// Tells whoever decides, and whoever may have decided.
    fn tell_over(&self, model: &ModelRef, here: bool) {
        self.over(model, self.me, here);
        let snapshot = self.snapshot.borrow().clone();
        for node in snapshot.live.iter().filter(|node| **node != self.me) {
            self.say(*node, PullWord::Over { model: model.to_string(), here });
        }
    }

    fn decider(&self) -> NodeId {
        self.snapshot.borrow().live.iter().min().copied().unwrap_or(self.me)
    }

    fn say(&self, to: NodeId, word: PullWord) {
        let _ = self.events.send(Event::Send { to, frame: Frame::Pull(word) });
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A live node that has the model.
fn holder(snapshot: &Snapshot, model: &ModelRef) -> Option<NodeId> {
    let has = |id: &NodeId| {
        let names = snapshot.inventories.get(id).map(|inventory| inventory.models.keys());
        names.into_iter().flatten().any(|name| ModelRef::named(name).is_ok_and(|own| model.is_met_by(&own)))
    };
    snapshot.live.iter().copied().find(has)
}

/// A live node other than `me` that says it is getting the model.
fn puller(snapshot: &Snapshot, model: &ModelRef, me: NodeId) -> Option<NodeId> {
    let pulls = |id: &NodeId| {
        let names = snapshot.inventories.get(id).map(|inventory| inventory.pulling.iter());
        names.into_iter().flatten().any(|name| ModelRef::named(name).is_ok_and(|own| model.overlaps(&own)))
    };
    snapshot.live.iter().copied().find(|id| *id != me && pulls(id))
}

type Progress = Result<PullProgress, Failure>;

impl Node {
    /// Has the model brought into the cluster, unless it is in it; `begin` starts getting it from the hub, where that falls to
    /// this node.
    pub(crate) fn pull_once(
        &self,
        model: ModelRef,
        begin: impl FnOnce() -> mpsc::UnboundedReceiver<Progress> + Send + 'static,
    ) -> mpsc::UnboundedReceiver<Progress> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let node = self.clone();
        tokio::spawn(async move {
            let closed = sender.clone();
            tokio::select! {
                () = node.pull(&model, begin, &sender) => {}
                () = closed.closed() => {}
            }
        });
        receiver
    }

    /// Until every member is here, or long enough that some are not coming.
    pub async fn company(&self) {
        let mut watch = self.watch();
        let all = watch.wait_for(|snapshot| {
            let known = |id: &NodeId| snapshot.live.contains(id) && snapshot.inventories.contains_key(id);
            snapshot.shared.present().all(|(id, _)| known(&id))
        });
        let _ = timeout(COMPANY_MAX, all).await;
    }

    async fn pull(
        &self,
        model: &ModelRef,
        begin: impl FnOnce() -> mpsc::UnboundedReceiver<Progress>,
        sender: &mpsc::UnboundedSender<Progress>,
    ) {
        self.company().await;
        let (me, pulls) = (self.id(), &self.inner.pulls);
        let note = |text: String| {
            let _ = sender.send(Ok(PullProgress::Note(text)));
        };
        let mut told = None;
        let mut watch = self.watch();
        loop {
            let snapshot = self.snapshot();
            if let Some(holder) = holder(&snapshot, model) {
                if holder != me {
                    let name = snapshot.name_of(holder);
                    note(format!("node {name} has it, and gives the others what they need"));
                }
                let _ = sender.send(Ok(PullProgress::Done));
                return;
            }
            let node = pulls.ask(model).await;
            if node == me {
                break;
            }
            if told.replace(node) != Some(node) {
                note(format!("node {} is getting it already", snapshot.name_of(node)));
            }
            let over = watch
                .wait_for(|snapshot| holder(snapshot, model).is_some() || !snapshot.live.contains(&node));
            let _ = timeout(ASK_AGAIN, over).await;
        }
        let turn = Turn { node: self.clone(), model: model.clone(), here: false };
        self.pulling(&turn.model.to_string(), true).await;
        let mut progress = begin();
        while let Some(event) = progress.recv().await {
            match event {
                Ok(PullProgress::Done) => {
                    // Whoever hears that it is done finds it here.
                    turn.end(true).await;
                    let _ = sender.send(Ok(PullProgress::Done));
                    return;
                }
                Err(failure) => {
                    turn.end(false).await;
                    let _ = sender.send(Err(failure));
                    return;
                }
                event => _ = sender.send(event),
            }
        }
    }
}

/// This node's turn to get a model; it is over when this is dropped, however that comes about.
struct Turn {
    node: Node,
    model: ModelRef,
    here: bool,
}

impl Turn {
    async fn end(mut self, here: bool) {
        self.here = here;
        self.node.pulling(&self.model.to_string(), false).await;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.node.inner.shelf.set_pulling(&self.model.to_string(), false);
        self.node.inner.pulls.tell_over(&self.model, self.here);
    }
}
