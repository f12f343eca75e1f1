//! What the coordinator does: sees that everything wanted runs somewhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::host::PartKey;
use crate::message::{Message, PartReport};
use crate::{Assignment, Core, Generation, InstanceId, Inventory, NodeId, Phase, RankPlace, Refusal, Spec};

/// Decides where a model goes.
pub trait Planner {
    /// A placement on some of `nodes`, or why there is none.
    fn plan(&self, model: &str, spec: &Spec, nodes: &[Candidate]) -> Result<Placement, Refusal>;
}

/// A node that could take part.
#[derive(Clone)]
pub struct Candidate<'a> {
    pub id: NodeId,
    /// What is not taken by other models.
    pub room_bytes: u64,
    pub inventory: &'a Inventory,
}

pub struct Placement {
    pub ranks: Vec<RankPlace>,
    /// Higher is better; only compared between placements of one model.
    pub score: f64,
    /// Tokens a request may have.
    pub context: usize,
    /// Which version of the model's file.
    pub version: u64,
    pub body: Vec<u8>,
}

/// A generation the coordinator made or found.
pub(crate) struct Placed {
    generation: Generation,
    ranks: Vec<RankPlace>,
    score: f64,
    /// What was asked for when it was planned.
    wish: u64,
    since_ms: u64,
    /// In a row, without ever becoming ready.
    failures: u32,
    /// Since when a rank of it is known to have failed.
    failed_ms: Option<u64>,
    retry_at_ms: u64,
    improve_at_ms: u64,
}

/// A better place must be this much better: moving costs a load, and where both do not fit, a pause.
const BETTER: f64 = 1.2;
const BETTER_WITH_PAUSE: f64 = 1.5;
const RETRY_MS: u64 = 1000;
const BACKOFF_MS_MAX: u64 = 30_000;
/// After this many failures, requests are told instead of waiting.
const FAILURES_TOLD: u32 = 3;

impl<P: Planner> Core<P> {
    /// The lowest live node coordinates; not while a node it hears still hears a lower one, and not before it has had time
    /// to hear what already runs.
    fn coordinates(&self) -> bool {
        let me = self.config.me;
        let lowest = self.live().first() == Some(&me);
        let beats =
            self.peers.iter().filter(|(id, _)| self.is_live(**id)).filter_map(|(_, peer)| peer.beat.as_ref());
        let mut seen = beats.flat_map(|beat| &beat.sees);
        let all_here = self.shared.present().all(|(id, _)| self.is_here(id));
        let patience = match self.reports().is_empty() {
            true => self.config.gather_ms,
            false => self.config.settle_ms,
        };
        let settled = (self.time_ms >= patience || all_here) && self.time_ms >= self.dazed_until_ms;
        lowest && settled && !seen.any(|id| *id < me && self.shared.is_member(*id))
    }

    /// Whether the node can be planned with: what it has is known, and it hears all others.
    fn is_here(&self, id: NodeId) -> bool {
        if id == self.config.me {
            return self.inventoried;
        }
        let Some(peer) = self.peers.get(&id).filter(|_| self.is_live(id)) else { return false };
        let hears = |other| peer.beat.as_ref().is_some_and(|beat| beat.sees.contains(&other));
        peer.inventory.is_some() && self.shared.present().all(|(other, _)| hears(other))
    }

    pub(crate) fn coordinate(&mut self) {
        if !self.coordinates() {
            self.placed.clear();
            self.refusals.clear();
            return;
        }
        let wanted: Vec<_> = self
            .shared
            .wanted
            .iter()
            .filter_map(|(model, it)| Some((model.clone(), it.spec.clone()?)))
            .collect();
        let mut instances = BTreeMap::new();
        for (model, spec) in wanted {
            for index in 0..spec.instances {
                instances.insert(InstanceId { model: model.clone(), index }, spec.clone());
            }
        }
        self.placed.retain(|instance, _| instances.contains_key(instance));
        self.refusals.retain(|instance, _| instances.contains_key(instance));
        for (instance, spec) in instances {
            self.place(&instance, &spec);
        }
    }

    /// See that one instance runs.
    fn place(&mut self, instance: &InstanceId, spec: &Spec) {
        let reports: Vec<_> =
            self.reports().into_iter().filter(|(_, part)| part.instance == *instance).collect();
        self.adopt(instance, &reports);
        let now = self.time_ms;
        let (generation, ranks) = match self.placed.get(instance) {
            Some(placed) if !placed.ranks.is_empty() => (placed.generation, placed.ranks.clone()),
            Some(placed) if now < placed.retry_at_ms => return,
            _ => return self.assign(instance, spec, 0),
        };
        let of_current = || reports.iter().filter(|(_, part)| part.generation == generation);
        let silent = |rank: usize| !of_current().any(|(_, part)| part.rank == rank);
        // When a partition heals, its nodes are heard one after the other: one that a rank of the same generation hears is not lost
        // before it has had time to be heard here.
        let heard_of = |node| {
            let beats = of_current().filter_map(|(at, _)| self.peers.get(at)?.beat.as_ref());
            beats.into_iter().any(|beat| beat.sees.contains(&node))
        };
        let fresh = self.placed.get(instance).is_some_and(|it| now - it.since_ms <= self.config.settle_ms);
        let stands = |node| self.is_live(node) || (fresh && heard_of(node));
        let lost = ranks.iter().any(|place| !stands(place.node));
        let Some(placed) = self.placed.get_mut(instance) else { return };
        if placed.wish != spec.wish() && !lost {
            return self.move_as_asked(instance, spec);
        }
        let missing = now - placed.since_ms > self.config.assign_ms && (0..ranks.len()).any(silent);
        let failed = of_current().find_map(|(node, part)| match &part.phase {
            Phase::Failed(reason) => Some((*node, reason.clone())),
            _ => None,
        });
        if !lost && !missing && failed.is_none() {
            if of_current().count() == ranks.len() && of_current().all(|(_, part)| part.phase == Phase::Ready)
            {
                placed.failures = 0;
                self.refusals.remove(instance);
                self.improve(instance, spec);
            }
            return;
        }
        // A node that left is no fault of the placement.
        let failures = if lost { 0 } else { placed.failures };
        if now < placed.retry_at_ms {
            return;
        }
        // Ranks often fail because a node went silent that is not yet taken for gone: whoever is planned with was heard since.
        let failed_ms = *placed.failed_ms.get_or_insert(now);
        let me = self.config.me;
        let heard = |node| {
            node == me
                || self.peers.get(&node).and_then(|peer| peer.heard_ms).is_some_and(|at| at >= failed_ms)
        };
        if !lost && !ranks.iter().all(|place| heard(place.node)) {
            return;
        }
        if let (true, Some((node, reason))) = (failures >= FAILURES_TOLD, failed) {
            let (instance, times) = (instance.clone(), failures);
            let refusal = Refusal::Failing { instance: instance.clone(), times, node, reason };
            self.refusals.insert(instance, refusal);
        }
        self.assign(instance, spec, failures + 1);
    }

    /// Take over what others placed: the newest generation counts.
    fn adopt(&mut self, instance: &InstanceId, reports: &[(NodeId, PartReport)]) {
        let Some((_, newest)) = reports.iter().max_by_key(|(_, part)| part.generation) else { return };
        let known = self.placed.get(instance);
        if known.is_none_or(|placed| placed.generation < newest.generation) {
            let placed = Placed {
                generation: newest.generation,
                ranks: newest.ranks.clone(),
                score: newest.score,
                wish: newest.wish,
                since_ms: self.time_ms,
                failures: 0,
                failed_ms: None,
                retry_at_ms: 0,
                improve_at_ms: self.time_ms + self.config.improve_ms,
            };
            self.placed.insert(instance.clone(), placed);
        }
    }

    /// Give the instance a new generation, if it fits anywhere.
    fn assign(&mut self, instance: &InstanceId, spec: &Spec, failures: u32) {
        match self.plan(instance, spec, false, &[]) {
            Ok(placement) => {
                if failures < FAILURES_TOLD {
                    self.refusals.remove(instance);
                }
                self.give(instance, spec, placement, failures, false);
            }
            Err(reason) => {
                // Where room is made, whoever asked waits for it.
                if self.evict_for(instance, spec) {
                    self.refusals.remove(instance);
                } else {
                    self.refusals.insert(instance.clone(), reason);
                }
                let retry_at_ms = self.time_ms + RETRY_MS;
                // Remembered so that the planner is not asked at every beat.
                let none = Generation { counter: 0, by: self.config.me };
                let placed = self.placed.entry(instance.clone()).or_insert(Placed {
                    generation: none,
                    ranks: Vec::new(),
                    score: 0.0,
                    wish: spec.wish(),
                    since_ms: self.time_ms,
                    failures: 0,
                    failed_ms: None,
                    retry_at_ms,
                    improve_at_ms: 0,
                });
                placed.retry_at_ms = retry_at_ms;
            }
        }
    }

    /// It runs, but something else was asked for since: other nodes, shares or context. The present generation serves until the
    /// next is ready, where there is room for both.
    fn move_as_asked(&mut self, instance: &InstanceId, spec: &Spec) {
        if self.placed.get(instance).is_none_or(|placed| self.time_ms < placed.retry_at_ms) {
            return;
        }
        for beside in [true, false] {
            match self.plan(instance, spec, beside, &[]) {
                Ok(placement) => {
                    self.refusals.remove(instance);
                    return self.give(instance, spec, placement, 0, beside);
                }
                Err(reason) => _ = self.refusals.insert(instance.clone(), reason),
            }
        }
        if let Some(placed) = self.placed.get_mut(instance) {
            placed.retry_at_ms = self.time_ms + RETRY_MS;
        }
    }

    fn give(
        &mut self,
        instance: &InstanceId,
        spec: &Spec,
        placement: Placement,
        failures: u32,
        overlap: bool,
    ) {
        self.counter += 1;
        self.unsaved = true;
        let generation = Generation { counter: self.counter, by: self.config.me };
        let secret = {
            let mut hasher = blake3::Hasher::new_keyed(&self.config.seed);
            hasher.update(&generation.counter.to_le_bytes()).update(&self.config.boot.to_le_bytes());
            *hasher.finalize().as_bytes()
        };
        let backoff = if failures <= 1 { 0 } else { (250 << failures.min(7)).min(BACKOFF_MS_MAX) };
        let placed = Placed {
            generation,
            ranks: placement.ranks.clone(),
            score: placement.score,
            wish: spec.wish(),
            since_ms: self.time_ms,
            failures,
            failed_ms: None,
            retry_at_ms: self.time_ms + backoff,
            improve_at_ms: self.time_ms + self.config.improve_ms,
        };
        self.placed.insert(instance.clone(), placed);
        let Placement { ranks, score, context, version, body } = placement;
        let (instance, wish) = (instance.clone(), spec.wish());
        let assignment =
            Assignment { instance, generation, ranks, score, context, version, wish, body, secret, overlap };
        let nodes: BTreeSet<_> = assignment.ranks.iter().map(|place| place.node).collect();
        for node in nodes {
            if node == self.config.me {
                self.take_assignment(assignment.clone());
            } else if let Some(beat) = self.peers.get(&node).and_then(|peer| peer.beat.as_ref()) {
                let message = Message::Assign { boot: beat.boot, assignment: Box::new(assignment.clone()) };
                self.send(node, message);
            }
        }
    }

    /// Ask the planner. With `beside`, the instance's present generation keeps its memory; models `without` count as gone. A
    /// generation must be on the disk before it is given out, so there is none while the disk takes nothing.
    fn plan(
        &self,
        instance: &InstanceId,
        spec: &Spec,
        beside: bool,
        without: &[String],
    ) -> Result<Placement, Refusal> {
        if let Some(fault) = &self.storage_fault {
            return Err(Refusal::Storage { node: self.config.me, fault: fault.clone() });
        }
        let mut taken: BTreeMap<(NodeId, PartKey), u64> = BTreeMap::new();
        for (node, part) in self.reports() {
            if !matches!(part.phase, Phase::Failed(_)) {
                let bytes = part.ranks.get(part.rank).map_or(0, |place| place.bytes);
                taken.insert((node, (part.instance, part.generation, part.rank)), bytes);
            }
        }
        // What was assigned and not yet reported.
        for (of, placed) in &self.placed {
            if self.time_ms - placed.since_ms <= self.config.assign_ms {
                for (rank, place) in placed.ranks.iter().enumerate() {
                    let key = (of.clone(), placed.generation, rank);
                    taken.entry((place.node, key)).or_insert(place.bytes);
                }
            }
        }
        let mut nodes: Vec<Candidate> = Vec::new();
        for id in self.live() {
            let inventory = match *id == self.config.me {
                true => Some(&self.inventory),
                false => self.peers.get(id).and_then(|peer| peer.inventory.as_ref()),
            };
            // Ranks talk to each other: every one of them must hear all the others.
            let hears = |a: &NodeId, b: &NodeId| {
                let beat = self.peers.get(a).and_then(|peer| peer.beat.as_ref());
                *a == self.config.me || beat.is_some_and(|beat| beat.sees.contains(b))
            };
            let in_touch = nodes.iter().all(|other| hears(id, &other.id) && hears(&other.id, id));
            let Some(inventory) = inventory.filter(|_| in_touch && self.shared.is_member(*id)) else {
                continue;
            };
            let others = taken.iter().filter(|((node, (of, ..)), _)| {
                node == id && (beside || of != instance) && !without.contains(&of.model)
            });
            let room_bytes = inventory.memory_bytes.saturating_sub(others.map(|(_, bytes)| bytes).sum());
            nodes.push(Candidate { id: *id, room_bytes, inventory });
        }
        self.planner.plan(&instance.model, spec, &nodes)
    }

    /// Once all has been quiet for a while, move to a clearly better place: a node that came back is used again.
    fn improve(&mut self, instance: &InstanceId, spec: &Spec) {
        let now = self.time_ms;
        let improve_ms = self.config.improve_ms;
        let quiet = now - self.stable_since_ms >= improve_ms;
        let Some(placed) = self.placed.get_mut(instance) else { return };
        if !quiet || now < placed.improve_at_ms {
            return;
        }
        placed.improve_at_ms = now + improve_ms;
        for (beside, better) in [(true, BETTER), (false, BETTER_WITH_PAUSE)] {
            let Ok(placement) = self.plan(instance, spec, beside, &[]) else { continue };
            let Some(placed) = self.placed.get_mut(instance) else { return };
            // How much memory it would take depends on what is free just now.
            let places = |ranks: &[RankPlace]| {
                ranks.iter().map(|place| (place.node, place.device.clone())).collect::<Vec<_>>()
            };
            if places(&placement.ranks) == places(&placed.ranks) {
                // Where it is; only what is known of that has changed.
                placed.score = placement.score;
            } else if placement.score > placed.score * better {
                self.give(instance, spec, placement, 0, beside);
                return;
            }
        }
    }

    /// Something does not fit: lets evictable models go that are idle, the longest idle first, if it fits without them. Whether
    /// room is being made.
    fn evict_for(&mut self, instance: &InstanceId, spec: &Spec) -> bool {
        let reports = self.reports();
        // Of several instances, the one used last counts.
        let mut idle_ms: BTreeMap<&str, u64> = BTreeMap::new();
        let mut kept = BTreeSet::from([instance.model.as_str()]);
        for (_, part) in reports.iter().filter(|(_, part)| part.leads()) {
            let model = part.instance.model.as_str();
            let evictable = self.shared.spec(model).is_some_and(|spec| spec.evictable);
            let idle = part.phase == Phase::Ready && part.busy == 0 && part.idle_ms >= self.config.idle_ms;
            if !evictable || !idle {
                kept.insert(model);
            }
            let so_far = idle_ms.entry(model).or_insert(u64::MAX);
            *so_far = part.idle_ms.min(*so_far);
        }
        let mut idle: Vec<_> = idle_ms.into_iter().filter(|(model, _)| !kept.contains(model)).collect();
        idle.sort_by_key(|(_, idle_ms)| std::cmp::Reverse(*idle_ms));
        let idle: Vec<String> = idle.into_iter().map(|(model, _)| model.to_owned()).collect();
        let fits = |count: &usize| self.plan(instance, spec, false, &idle[..*count]).is_ok();
        let Some(count) = (1..=idle.len()).find(fits) else { return false };
        for model in &idle[..count] {
            self.shared.want(model, self.config.me, None);
        }
        self.share();
        true
    }
}
