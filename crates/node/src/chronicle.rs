//! What happened in the cluster, as one node saw it: joins, losses, placements, recoveries, refusals.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Serialize;
use tandem_cluster::{Generation, InstanceId, NodeId, Phase};

use crate::snapshot::Snapshot;

/// Compares what is with what was, and keeps the last of what it noticed.
#[derive(Default)]
pub struct Chronicle {
    seen: Option<Seen>,
    entries: VecDeque<Entry>,
    /// Of all entries ever.
    count: u64,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    pub number: u64,
    pub at_unix_ms: u64,
    pub weight: Weight,
    /// For people.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The beginning of its id, by which logs of other nodes call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<String>,
}

impl Entry {
    pub fn log(&self) {
        let [node, node_id, instance, generation] =
            [&self.node, &self.node_id, &self.instance, &self.generation].map(Option::as_deref);
        let text = &self.text;
        match self.weight {
            Weight::Bad => tracing::warn!(node, node_id, instance, generation, "{text}"),
            _ => tracing::info!(node, node_id, instance, generation, "{text}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    Good,
    Plain,
    Bad,
}

/// What is compared.
#[derive(Clone, PartialEq)]
struct Seen {
    members: BTreeMap<NodeId, String>,
    live: BTreeSet<NodeId>,
    instances: BTreeMap<InstanceId, Place>,
    wanted: BTreeSet<String>,
    refusals: BTreeMap<String, String>,
    /// What nodes found that should be mended.
    findings: BTreeSet<(NodeId, String)>,
}

/// Where the newest generation of an instance is.
#[derive(Clone, PartialEq)]
struct Place {
    generation: Generation,
    nodes: Vec<String>,
    state: State,
}

#[derive(Clone, PartialEq)]
enum State {
    Loading,
    Ready,
    Failed(String),
}

const KEPT_MAX: usize = 100;

impl Chronicle {
    /// The latest entries, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// What is new since the last look.
    pub fn look(&mut self, snapshot: &Snapshot, at_unix_ms: u64) -> Vec<Entry> {
        let now = Seen::of(snapshot);
        let Some(before) = self.seen.replace(now.clone()) else { return Vec::new() };
        if before == now {
            return Vec::new();
        }
        let mut notes = Vec::new();
        compare_nodes(&before, &now, &mut notes);
        compare_instances(&before, &now, &mut notes);
        for (model, reason) in &now.refusals {
            if before.refusals.get(model) != Some(reason) {
                notes.push(Note { instance: Some(model.clone()), ..Note::new(Weight::Bad, reason.clone()) });
            }
        }
        for (id, found) in now.findings.difference(&before.findings) {
            let name = snapshot.name_of(*id);
            notes.push(Note::of_node(Weight::Bad, *id, &name, &format!("should be looked at: {found}")));
        }
        let entries: Vec<_> = notes
            .into_iter()
            .map(|note| {
                self.count += 1;
                let Note { weight, text, node, node_id, instance, generation } = note;
                let number = self.count;
                Entry { number, at_unix_ms, weight, text, node, node_id, instance, generation }
            })
            .collect();
        self.entries.extend(entries.iter().cloned());
        let surplus = self.entries.len().saturating_sub(KEPT_MAX);
        self.entries.drain(..surplus);
        entries
    }
}

/// An entry before it has a number and a time.
struct Note {
    weight: Weight,
    text: String,
    node: Option<String>,
    node_id: Option<String>,
    instance: Option<String>,
    generation: Option<String>,
}

impl Note {
    fn new(weight: Weight, text: String) -> Note {
        Note { weight, text, node: None, node_id: None, instance: None, generation: None }
    }

    fn of_node(weight: Weight, id: NodeId, name: &str, what: &str) -> Note {
        let (node, node_id) = (Some(name.to_owned()), Some(id.short()));
        Note { node, node_id, ..Note::new(weight, format!("{name} {what}")) }
    }

    fn of_instance(weight: Weight, instance: &InstanceId, place: &Place, what: &str) -> Note {
        Note {
            instance: Some(instance.to_string()),
            generation: Some(place.generation.to_string()),
            ..Note::new(weight, format!("{instance} {what}"))
        }
    }
}

fn compare_nodes(before: &Seen, now: &Seen, notes: &mut Vec<Note>) {
    for (id, name) in &now.members {
        let (was_live, is_live) = (before.live.contains(id), now.live.contains(id));
        if !before.members.contains_key(id) {
            notes.push(Note::of_node(Weight::Good, *id, name, "joined"));
        } else if was_live && !is_live {
            notes.push(Note::of_node(Weight::Bad, *id, name, "is not heard any more"));
        } else if !was_live && is_live {
            notes.push(Note::of_node(Weight::Good, *id, name, "is back"));
        }
    }
    for (id, name) in before.members.iter().filter(|(id, _)| !now.members.contains_key(id)) {
        notes.push(Note::of_node(Weight::Plain, *id, name, "was removed"));
    }
}

fn compare_instances(before: &Seen, now: &Seen, notes: &mut Vec<Note>) {
    for (instance, place) in &now.instances {
        let old = before.instances.get(instance);
        let on = place.nodes.join(", ");
        if old.is_none_or(|old| old.generation != place.generation) {
            let what = if old.is_some() { "moves to" } else { "goes to" };
            notes.push(Note::of_instance(Weight::Plain, instance, place, &format!("{what} {on}")));
        }
        let same = old.filter(|old| old.generation == place.generation).map(|old| &old.state);
        if same != Some(&place.state) {
            match &place.state {
                State::Ready => {
                    notes.push(Note::of_instance(
                        Weight::Good,
                        instance,
                        place,
                        &format!("is ready on {on}"),
                    ));
                }
                State::Failed(reason) => {
                    notes.push(Note::of_instance(Weight::Bad, instance, place, &format!("failed: {reason}")));
                }
                State::Loading => {}
            }
        }
    }
    for (instance, place) in before.instances.iter().filter(|(it, _)| !now.instances.contains_key(it)) {
        let what = if now.wanted.contains(&instance.model) { "stopped" } else { "was unloaded" };
        notes.push(Note::of_instance(Weight::Plain, instance, place, what));
    }
}

impl Seen {
    fn of(snapshot: &Snapshot) -> Seen {
        let mut instances: BTreeMap<InstanceId, Place> = BTreeMap::new();
        for (_, part) in &snapshot.parts {
            let newer = instances.get(&part.instance).is_none_or(|place| place.generation < part.generation);
            if newer {
                let nodes = part.ranks.iter().map(|rank| snapshot.name_of(rank.node));
                let mut nodes: Vec<_> = nodes.collect();
                // One with several devices has several ranks.
                nodes.dedup();
                let place = Place { generation: part.generation, nodes, state: State::Loading };
                instances.insert(part.instance.clone(), place);
            }
            let Some(place) = instances.get_mut(&part.instance) else { continue };
            match &part.phase {
                _ if place.generation != part.generation => {}
                Phase::Failed(reason) => place.state = State::Failed(reason.clone()),
                Phase::Ready if part.leads() && place.state == State::Loading => place.state = State::Ready,
                _ => {}
            }
        }
        Seen {
            members: snapshot.shared.present().map(|(id, _)| (id, snapshot.name_of(id))).collect(),
            live: snapshot.live.clone(),
            instances,
            wanted: snapshot
                .shared
                .wanted
                .iter()
                .filter(|(_, it)| it.spec.is_some())
                .map(|(model, _)| model.clone())
                .collect(),
            refusals: snapshot
                .refusals
                .iter()
                .map(|(model, refusal)| (model.clone(), refusal.to_string()))
                .collect(),
            findings: snapshot
                .vitals
                .iter()
                .flat_map(|(id, told)| found(told).into_iter().map(|found| (*id, found)))
                .collect(),
        }
    }
}

fn found(vitals: &[u8]) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Told {
        #[serde(default)]
        findings: Vec<tandem_doctor::Finding>,
    }
    let told = serde_json::from_slice::<Told>(vitals).map(|told| told.findings).unwrap_or_default();
    told.into_iter().map(|finding| finding.found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_cluster::{Member, PartReport, RankPlace};

    fn node(byte: u8) -> NodeId {
        NodeId([byte; 32])
    }

    fn part(counter: u64, ranks: &[u8], rank: usize, phase: Phase) -> (NodeId, PartReport) {
        let places = ranks
            .iter()
            .map(|byte| RankPlace { node: node(*byte), bytes: 1, device: "cpu".into() })
            .collect();
        let report = PartReport {
            instance: InstanceId { model: "m".into(), index: 0 },
            generation: Generation { counter, by: node(1) },
            ranks: places,
            rank,
            score: 1.0,
            context: 1,
            phase,
            seat: None,
            busy: 0,
            idle_ms: 0,
            version: Default::default(),
            wish: Default::default(),
            cache: Default::default(),
            hands_over: None,
        };
        (node(ranks[rank]), report)
    }

    #[test]
    fn a_loss_and_its_recovery_are_told_in_order() {
        let mut snapshot = Snapshot::default();
        let mut chronicle = Chronicle::default();
        let mut told = |snapshot: &Snapshot| -> Vec<String> {
            chronicle.look(snapshot, 7).into_iter().map(|entry| entry.text).collect()
        };
        let member = |name: &str| Member { name: name.into(), ..Member::default() };
        snapshot.shared.members.insert(node(1), member("a"));
        snapshot.live.insert(node(1));
        // What was there before anyone looked did not happen now.
        assert_eq!(told(&snapshot), Vec::<String>::new());
        snapshot.shared.members.insert(node(2), member("b"));
        snapshot.live.insert(node(2));
        assert_eq!(told(&snapshot), ["b joined"]);
        let loading = || Phase::Loading { done: 0, total: 1 };
        snapshot.parts = vec![part(1, &[1, 2], 0, loading()), part(1, &[1, 2], 1, loading())];
        assert_eq!(told(&snapshot), ["m goes to a, b"]);
        snapshot.parts = vec![part(1, &[1, 2], 0, Phase::Ready), part(1, &[1, 2], 1, Phase::Ready)];
        assert_eq!(told(&snapshot), ["m is ready on a, b"]);
        assert_eq!(told(&snapshot), Vec::<String>::new());
        snapshot.live.remove(&node(2));
        snapshot.parts = vec![part(1, &[1, 2], 0, Phase::Failed("rank 1 was lost".into()))];
        assert_eq!(told(&snapshot), ["b is not heard any more", "m failed: rank 1 was lost"]);
        snapshot.parts = vec![part(2, &[1], 0, Phase::Ready)];
        assert_eq!(told(&snapshot), ["m moves to a", "m is ready on a"]);
        snapshot.live.insert(node(2));
        snapshot.parts.clear();
        assert_eq!(told(&snapshot), ["b is back", "m was unloaded"]);
    }
}
