//! The requests this node took from clients: which instance works on each, and where it goes when that is lost.

use crate::core::Action;
use crate::message::{Attempt, Message, Progress};
use crate::placement::Planner;
use crate::{Core, Generation, InstanceId, NodeId, Phase};

pub(crate) struct Fronted {
    model: String,
    asked_ms: u64,
    attempts: u32,
    /// Of these, since anything was answered.
    fruitless: u32,
    target: Option<Target>,
    /// When it last had no target.
    waiting_since_ms: u64,
    /// A generation that just lost it.
    avoid: Option<Generation>,
    avoid_until_ms: u64,
}

struct Target {
    node: NodeId,
    instance: InstanceId,
    generation: Generation,
    since_ms: u64,
}

impl Fronted {
    /// Whether that node works on it.
    pub(crate) fn is_at(&self, node: NodeId) -> bool {
        self.target.as_ref().is_some_and(|target| target.node == node)
    }
}

/// How long a request stays away from a generation that lost it and still says it is ready.
const AVOID_MS: u64 = 3000;
/// A request that was tried so often without any answer is at fault itself: nobody else should lose the model to it.
const FRUITLESS_MAX: u32 = 5;

impl<P: Planner> Core<P> {
    pub(crate) fn ask(&mut self, request: u64, model: String) {
        let fronted = Fronted {
            model,
            asked_ms: self.time_ms,
            attempts: 0,
            fruitless: 0,
            target: None,
            waiting_since_ms: self.time_ms,
            avoid: None,
            avoid_until_ms: 0,
        };
        self.requests.insert(request, fronted);
    }

    pub(crate) fn forget(&mut self, request: u64) {
        self.cancel(request);
        self.requests.remove(&request);
    }

    /// Find every waiting request a place; take those back whose place is gone.
    pub(crate) fn route(&mut self) {
        let requests: Vec<_> = self.requests.keys().copied().collect();
        if requests.is_empty() {
            return;
        }
        let reports = self.reports();
        for request in requests {
            let Some(fronted) = self.requests.get(&request) else { continue };
            if let Some(target) = &fronted.target {
                let stands = reports.iter().any(|(node, part)| {
                    *node == target.node
                        && part.leads()
                        && (&part.instance, part.generation) == (&target.instance, target.generation)
                        && part.phase == Phase::Ready
                });
                if stands {
                    continue;
                }
                self.untarget(request);
            }
            let Some(fronted) = self.requests.get(&request) else { continue };
            let avoid = fronted.avoid.filter(|_| self.time_ms < fronted.avoid_until_ms);
            let ready = reports.iter().filter(|(_, part)| {
                part.leads()
                    && part.instance.model == fronted.model
                    && part.phase == Phase::Ready
                    && Some(part.generation) != avoid
            });
            let sent_to = |instance: &InstanceId| {
                let targets = self.requests.values().filter_map(|other| other.target.as_ref());
                targets.filter(|target| target.instance == *instance).count()
            };
            // The least busy; of equals one that is here; of generations of one instance the newest.
            let best = ready.min_by_key(|(node, part)| {
                let busy = (part.busy as usize).max(sent_to(&part.instance));
                (busy, *node != self.config.me, std::cmp::Reverse(part.generation))
            });
            match best {
                Some((node, part)) => self.submit(request, *node, part.instance.clone(), part.generation),
                None => self.give_up_if_hopeless(request),
            }
        }
    }

    fn submit(&mut self, request: u64, node: NodeId, instance: InstanceId, generation: Generation) {
        let (me, boot, since_ms) = (self.config.me, self.config.boot, self.time_ms);
        let Some(fronted) = self.requests.get_mut(&request) else { return };
        if fronted.fruitless >= FRUITLESS_MAX {
            let reason = format!(
                "{} was lost {FRUITLESS_MAX} times in a row while it worked on this request, which is not tried again",
                fronted.model
            );
            self.requests.remove(&request);
            return self.actions.push(Action::Fail { request, reason });
        }
        fronted.attempts += 1;
        fronted.fruitless += 1;
        fronted.target = Some(Target { node, instance: instance.clone(), generation, since_ms });
        let attempt = Attempt { front: me, boot, request, number: fronted.attempts };
        let asked_ms_ago = since_ms - fronted.asked_ms;
        self.actions.push(Action::Submit { to: node, attempt, instance, generation, asked_ms_ago });
    }

    /// What became of one of this node's attempts.
    pub(crate) fn progressed(&mut self, attempt: Attempt, progress: Progress) {
        if (attempt.front, attempt.boot) != (self.config.me, self.config.boot) {
            return;
        }
        let Some(fronted) = self.requests.get_mut(&attempt.request) else { return };
        let current = fronted.attempts == attempt.number;
        match progress {
            // Also of an attempt that was given up meanwhile: the client has its answer.
            Progress::Ended => self.forget(attempt.request),
            Progress::Begun if current => fronted.fruitless = 0,
            Progress::Lost if current => {
                if let Some(target) = &fronted.target {
                    fronted.avoid = Some(target.generation);
                    fronted.avoid_until_ms = self.time_ms + AVOID_MS;
                    self.untarget(attempt.request);
                }
            }
            Progress::Broken if current => self.untarget(attempt.request),
            _ => {}
        }
    }

    /// A beat came from `node`: attempts it does not work on, though it should have them by now, were lost on the way.
    pub(crate) fn check_serving(&mut self, node: NodeId) {
        let Some(beat) = self.peers.get(&node).and_then(|peer| peer.beat.as_ref()) else { return };
        let patience = self.config.beat_ms * 2;
        let lost = |request: u64, fronted: &Fronted| {
            let target = fronted.target.as_ref()?;
            let (front, boot) = (self.config.me, self.config.boot);
            let attempt = Attempt { front, boot, request, number: fronted.attempts };
            let old = self.time_ms - target.since_ms > patience;
            (target.node == node && old && !beat.serving.contains(&attempt)).then_some(request)
        };
        let lost: Vec<_> =
            self.requests.iter().filter_map(|(request, fronted)| lost(*request, fronted)).collect();
        lost.into_iter().for_each(|request| self.untarget(request));
    }

    /// Take a request back from wherever it is.
    fn untarget(&mut self, request: u64) {
        self.cancel(request);
        if let Some(fronted) = self.requests.get_mut(&request) {
            fronted.target = None;
            fronted.waiting_since_ms = self.time_ms;
        }
    }

    fn cancel(&mut self, request: u64) {
        let Some(fronted) = self.requests.get(&request) else { return };
        let Some(target) = &fronted.target else { return };
        let (front, boot) = (self.config.me, self.config.boot);
        let attempt = Attempt { front, boot, request, number: fronted.attempts };
        let node = target.node;
        if node == front {
            self.abort(attempt);
        } else {
            self.send(node, Message::Cancel { attempt });
        }
    }

    fn give_up_if_hopeless(&mut self, request: u64) {
        let Some(fronted) = self.requests.get(&request) else { return };
        let waited = self.time_ms - fronted.waiting_since_ms;
        let enough = self.config.refusal_ms * if fronted.attempts == 0 { 1 } else { 3 };
        let reason = if waited >= self.config.patience_ms {
            Some(format!("{} did not become ready in {} s", fronted.model, waited / 1000))
        } else if waited < enough {
            None
        } else if self.shared.spec(&fronted.model).is_none() {
            Some(format!("{} is not loaded; `tandem load {0}` loads it", fronted.model))
        } else {
            self.refusal(&fronted.model).map(ToString::to_string)
        };
        if let Some(reason) = reason {
            self.requests.remove(&request);
            self.actions.push(Action::Fail { request, reason });
        }
    }
}
