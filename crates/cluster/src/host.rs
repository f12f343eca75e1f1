//! What a node runs for the cluster: its parts of instances, and the attempts that their leaders answer.

use crate::core::{Action, WorkerEvent};
use crate::message::{Attempt, CacheUse, Message, PartReport, Progress, Submission};
use crate::placement::Planner;
use crate::{Assignment, Core, Generation, InstanceId, Phase};

/// How long a rank waits until all others say that they take part.
const SEATING_MS: u64 = 6000;

/// One of this node's ranks of a generation.
pub(crate) type PartKey = (InstanceId, Generation, usize);

pub(crate) struct Part {
    pub assignment: Assignment,
    pub rank: usize,
    pub phase: Phase,
    pub seat: Option<String>,
    met: bool,
    since_ms: u64,
    used_ms: u64,
    cache: CacheUse,
    hands_over: Option<String>,
}

/// An attempt that this node's leader works on.
pub(crate) struct Hosted {
    instance: InstanceId,
    generation: Generation,
}

impl<P: Planner> Core<P> {
    pub(crate) fn take_assignment(&mut self, assignment: Assignment) {
        let ranks = assignment.ranks_of(self.config.me);
        if ranks.is_empty() {
            return;
        }
        let (instance, generation) = (assignment.instance.clone(), assignment.generation);
        // Also what was here and is stopped does not start again: a generation has one owner.
        if self.highest.get(&instance).is_some_and(|highest| *highest >= generation) {
            return;
        }
        self.highest.insert(instance.clone(), generation);
        if generation.counter > self.counter {
            self.counter = generation.counter;
            self.unsaved = true;
        }
        if !assignment.overlap {
            let older: Vec<_> = self.parts.keys().filter(|(of, ..)| *of == instance).cloned().collect();
            older.iter().for_each(|key| self.stop_part(key));
        }
        for rank in ranks {
            self.actions.push(Action::Start { rank, assignment: assignment.clone() });
            let total = assignment.ranks[rank].bytes;
            let part = Part {
                assignment: assignment.clone(),
                rank,
                phase: Phase::Loading { done: 0, total },
                seat: None,
                met: false,
                since_ms: self.time_ms,
                used_ms: self.time_ms,
                cache: CacheUse::default(),
                hands_over: None,
            };
            self.parts.insert((instance.clone(), generation, rank), part);
        }
        self.announce = true;
    }

    pub(crate) fn worker_event(&mut self, key: PartKey, event: WorkerEvent) {
        let Some(part) = self.parts.get_mut(&key) else { return };
        if let Phase::Failed(_) = part.phase {
            return;
        }
        match event {
            WorkerEvent::Seated(seat) => {
                part.seat = Some(seat);
                self.announce = true;
            }
            WorkerEvent::Progress { done, total } => {
                if part.phase != Phase::Ready {
                    part.phase = Phase::Loading { done, total };
                }
            }
            WorkerEvent::Ready => {
                part.phase = Phase::Ready;
                part.used_ms = self.time_ms;
                self.announce = true;
            }
            WorkerEvent::Cache(cache) => part.cache = cache,
            WorkerEvent::HandsOver(how) => part.hands_over = Some(how),
            WorkerEvent::Failed(reason) => self.fail_part(&key, reason),
        }
    }

    /// The part stays known as failed until a newer generation takes its place.
    fn fail_part(&mut self, key: &PartKey, reason: String) {
        self.end_hosted(key);
        if let Some(part) = self.parts.get_mut(key) {
            part.phase = Phase::Failed(reason);
            part.seat = None;
            let (instance, generation, rank) = key.clone();
            self.actions.push(Action::Stop { instance, generation, rank });
            self.announce = true;
        }
    }

    pub(crate) fn stop_part(&mut self, key: &PartKey) {
        self.end_hosted(key);
        let Some(part) = self.parts.remove(key) else { return };
        if !matches!(part.phase, Phase::Failed(_)) {
            let (instance, generation, rank) = key.clone();
            self.actions.push(Action::Stop { instance, generation, rank });
        }
        self.announce = true;
    }

    /// Parts that are not wanted any more, have lost a rank, or have a ready successor.
    pub(crate) fn retire_parts(&mut self) {
        let reports = self.reports();
        let keys: Vec<_> = self.parts.keys().cloned().collect();
        for key in keys {
            let (instance, generation, _) = &key;
            let wanted =
                self.shared.spec(&instance.model).is_some_and(|spec| instance.index < spec.instances);
            let of_instance =
                || reports.iter().map(|(_, part)| part).filter(|part| part.instance == *instance);
            let newer = || of_instance().filter(|part| part.generation > *generation);
            let succeeded = newer().any(|part| part.leads() && part.phase == Phase::Ready);
            let failed = matches!(self.parts[&key].phase, Phase::Failed(_));
            if !wanted || succeeded || (failed && newer().next().is_some()) {
                self.stop_part(&key);
                continue;
            }
            let ranks = &self.parts[&key].assignment.ranks;
            let lost = ranks.iter().find(|place| !self.is_live(place.node)).map(|place| place.node);
            let reported =
                |rank| of_instance().any(|part| part.generation == *generation && part.rank == rank);
            let told = (0..ranks.len()).all(reported);
            let alone = !told && self.time_ms - self.parts[&key].since_ms > SEATING_MS;
            let broken = of_instance()
                .find(|part| part.generation == *generation && matches!(part.phase, Phase::Failed(_)))
                .map(|part| part.rank);
            let reason = match (lost, broken) {
                _ if failed => continue,
                (Some(node), _) => format!("node {} is gone", node.short()),
                // It may have failed before they met, and then no link tells of it.
                (None, Some(rank)) => format!("rank {rank} failed"),
                // Memory must not wait for ranks that were never told.
                (None, None) if alone => {
                    "the nodes of the other ranks never began to load their parts".to_owned()
                }
                (None, None) => continue,
            };
            self.fail_part(&key, reason);
        }
    }

    /// Once every rank of a generation has a seat, each is told all of them.
    pub(crate) fn meet_ranks(&mut self) {
        if self.parts.values().all(|part| part.met) {
            return;
        }
        let reports = self.reports();
        for (key, part) in &mut self.parts {
            if part.met || part.seat.is_none() {
                continue;
            }
            let of_key = || {
                reports.iter().filter(|(_, other)| (&other.instance, &other.generation) == (&key.0, &key.1))
            };
            let seat = |rank| of_key().find(|(_, other)| other.rank == rank)?.1.seat.clone();
            let seats: Option<Vec<_>> = (0..part.assignment.ranks.len()).map(seat).collect();
            if let Some(seats) = seats {
                part.met = true;
                let (instance, generation, rank) = key.clone();
                self.actions.push(Action::Meet { instance, generation, rank, seats });
            }
        }
    }

    pub(crate) fn own_reports(&self) -> Vec<PartReport> {
        let report = |part: &Part| {
            let Assignment { instance, generation, ranks, score, context, version, wish, .. } =
                &part.assignment;
            let busy =
                self.hosted.values().filter(|it| (&it.instance, it.generation) == (instance, *generation));
            let busy = busy.count() as u32;
            PartReport {
                instance: instance.clone(),
                generation: *generation,
                ranks: ranks.clone(),
                rank: part.rank,
                score: *score,
                context: *context,
                version: *version,
                wish: *wish,
                phase: part.phase.clone(),
                seat: part.seat.clone(),
                busy,
                idle_ms: if busy > 0 { 0 } else { self.time_ms - part.used_ms },
                cache: part.cache,
                hands_over: part.hands_over.clone(),
            }
        };
        self.parts.values().map(report).collect()
    }

    /// Take an attempt for an instance led here; what cannot be served is said to be lost, and tried elsewhere.
    pub(crate) fn host(&mut self, submission: Submission) {
        let Submission { attempt, generation, .. } = submission;
        let instance = submission.instance.clone();
        let same_request = |other: &Attempt| {
            (other.front, other.boot, other.request) == (attempt.front, attempt.boot, attempt.request)
        };
        if self.hosted.keys().any(|other| same_request(other) && other.number >= attempt.number) {
            return;
        }
        self.abort_where(|other, _| same_request(other));
        let part = self.parts.get_mut(&(instance.clone(), generation, 0));
        let Some(part) = part.filter(|part| part.phase == Phase::Ready) else {
            return self.tell_lost(attempt, "this node does not run that copy of the model any more");
        };
        part.used_ms = self.time_ms;
        self.hosted.insert(attempt, Hosted { instance, generation });
        self.actions.push(Action::Host(submission));
    }

    /// The worker has said its last word on an attempt.
    pub(crate) fn served(&mut self, attempt: Attempt) {
        let Some(hosted) = self.hosted.remove(&attempt) else { return };
        if let Some(part) = self.parts.get_mut(&(hosted.instance, hosted.generation, 0)) {
            part.used_ms = self.time_ms;
        }
    }

    fn tell_lost(&mut self, attempt: Attempt, reason: &str) {
        if attempt.front == self.config.me {
            self.progressed(attempt, Progress::Lost);
        } else {
            self.send(attempt.front, Message::Lost { attempt, reason: reason.to_owned() });
        }
    }

    /// The part is gone: its attempts go on elsewhere.
    fn end_hosted(&mut self, key: &PartKey) {
        let of_part = |hosted: &Hosted| (&hosted.instance, &hosted.generation) == (&key.0, &key.1);
        let ended: Vec<_> =
            self.hosted.iter().filter(|(_, hosted)| of_part(hosted)).map(|(id, _)| *id).collect();
        for attempt in ended {
            self.hosted.remove(&attempt);
            self.tell_lost(attempt, "the instance stopped");
        }
    }

    pub(crate) fn abort(&mut self, attempt: Attempt) {
        if let Some(Hosted { instance, generation, .. }) = self.hosted.remove(&attempt) {
            self.actions.push(Action::Abort { attempt, instance, generation });
        }
    }

    /// Abort the attempts that `which` picks; it also hears whether the attempt is of an earlier life of its front.
    pub(crate) fn abort_where(&mut self, which: impl Fn(&Attempt, bool) -> bool) {
        let earlier = |attempt: &Attempt| {
            let beat = self.peers.get(&attempt.front).and_then(|peer| peer.beat.as_ref());
            beat.is_some_and(|beat| beat.boot != attempt.boot)
        };
        let picked: Vec<_> =
            self.hosted.keys().filter(|attempt| which(attempt, earlier(attempt))).copied().collect();
        picked.into_iter().for_each(|attempt| self.abort(attempt));
    }

    /// Attempts whose front is gone need no answer.
    pub(crate) fn drop_orphans(&mut self) {
        let gone: Vec<_> =
            self.hosted.keys().filter(|attempt| !self.is_live(attempt.front)).copied().collect();
        gone.into_iter().for_each(|attempt| self.abort(attempt));
    }
}
