//! What goes over the links between nodes, as the ranks that run here count it.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use serde_json::{Value, json};
use tandem_cluster::{Generation, NodeId};

use crate::shell::RunningPart;
use crate::snapshot::Snapshot;

/// Remembers the counters between two readings.
#[derive(Default)]
pub struct TrafficMeter {
    before: HashMap<(String, Generation, usize), Vec<u64>>,
    read: Option<Instant>,
}

impl TrafficMeter {
    /// Bytes per second that came from each other node since the reading before; nodes from which nothing came are left out.
    pub fn read(&mut self, parts: &[RunningPart], now: Instant) -> BTreeMap<NodeId, f64> {
        let since_s = self.read.replace(now).map_or(0.0, |before| (now - before).as_secs_f64());
        let mut came: BTreeMap<NodeId, u64> = BTreeMap::new();
        let mut counted = HashMap::new();
        for part in parts {
            let key = (part.instance.clone(), part.generation, part.rank);
            let here = part.nodes.get(part.rank);
            let counts = part.engine.traffic_bytes();
            if let Some(before) = self.before.get(&key) {
                for (rank, node) in part.nodes.iter().enumerate().filter(|(_, node)| Some(*node) != here) {
                    let [now, before] =
                        [&counts, before].map(|counts| counts.get(rank).copied().unwrap_or(0));
                    *came.entry(*node).or_default() += now.saturating_sub(before);
                }
            }
            counted.insert(key, counts);
        }
        self.before = counted;
        let rates = came.into_iter().filter(|(_, bytes)| *bytes > 0 && since_s > 0.0);
        rates.map(|(node, bytes)| (node, bytes as f64 / since_s)).collect()
    }
}

/// What each pair of nodes told, both ways together.
#[derive(Default)]
pub struct Traffic {
    pairs: BTreeMap<(NodeId, NodeId), f64>,
}

impl Traffic {
    /// What `node` said of itself: bytes per second by the ids of those they came from.
    pub fn add(&mut self, node: NodeId, told: &Value) {
        for (other, rate) in told.as_object().into_iter().flatten() {
            let Some((other, rate)) = other.parse::<NodeId>().ok().zip(rate.as_f64()) else { continue };
            *self.pairs.entry((node.min(other), node.max(other))).or_default() += rate;
        }
    }

    pub fn to_json(&self, snapshot: &Snapshot) -> Value {
        let pairs = self.pairs.iter().map(|((a, b), rate)| {
            json!({ "between": [snapshot.name_of(*a), snapshot.name_of(*b)], "bytes_per_s": rate.round() })
        });
        pairs.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_cluster::Member;

    #[test]
    fn both_ends_of_a_link_count_together() {
        let [a, b, c] = [1, 2, 3].map(|byte| NodeId([byte; 32]));
        let mut snapshot = Snapshot::default();
        for (id, name) in [(a, "a"), (b, "b"), (c, "c")] {
            snapshot.shared.members.insert(id, Member { name: name.into(), ..Member::default() });
        }
        let mut traffic = Traffic::default();
        traffic.add(b, &json!({ a.to_string(): 100.0, c.to_string(): 7.0, "nobody": 5.0 }));
        traffic.add(a, &json!({ b.to_string(): 20.0 }));
        let told = json!([{"between": ["a", "b"], "bytes_per_s": 120.0}, {"between": ["b", "c"], "bytes_per_s": 7.0}]);
        assert_eq!(traffic.to_json(&snapshot), told);
    }
}
