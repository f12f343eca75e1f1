//! What the machines of a cluster draw, and what that gives.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::snapshot::Snapshot;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Energy {
    /// Of all machines that tell.
    pub watts: f64,
    /// Tokens of answers for each joule since the nodes were started, where every machine tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_joule: Option<f64>,
}

/// What of a node's vitals counts here.
#[derive(Deserialize)]
struct Told {
    watts: Option<f64>,
    joules: Option<f64>,
    tokens: Option<u64>,
}

impl Energy {
    /// `None` where no machine tells. Nodes of one machine tell of the same watts.
    pub fn of(snapshot: &Snapshot) -> Option<Energy> {
        let mut machines: BTreeMap<&str, (Option<f64>, Option<f64>)> = BTreeMap::new();
        let mut tokens = 0;
        for (id, told) in &snapshot.vitals {
            let Ok(told) = serde_json::from_slice::<Told>(told) else { continue };
            tokens += told.tokens.unwrap_or(0);
            let machine = snapshot.inventories.get(id).map_or("", |inventory| &inventory.machine);
            let known = machines.entry(machine).or_default();
            // The node that was started first has counted longest.
            *known = (known.0.or(told.watts), greater(known.1, told.joules));
        }
        let watts = machines.values().filter_map(|(watts, _)| *watts).reduce(|a, b| a + b)?;
        let joules: Option<f64> = machines.values().map(|(_, joules)| *joules).sum();
        let given = joules.filter(|joules| *joules > 0.0 && tokens > 0).map(|joules| tokens as f64 / joules);
        Some(Energy { watts, tokens_per_joule: given })
    }
}

fn greater(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.into_iter().chain(b).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_cluster::{Inventory, NodeId};

    #[test]
    fn a_machine_counts_once_and_one_that_does_not_tell_spoils_the_rate() {
        let mut snapshot = Snapshot::default();
        let mut add = |byte: u8, machine: &str, told: &str| {
            let id = NodeId([byte; 32]);
            snapshot.inventories.insert(id, Inventory { machine: machine.into(), ..Inventory::default() });
            snapshot.vitals.insert(id, told.as_bytes().to_vec());
            Energy::of(&snapshot)
        };
        assert_eq!(add(1, "desk", r#"{"tokens": 10}"#), None);
        let energy = |watts, tokens_per_joule| Some(Energy { watts, tokens_per_joule });
        assert_eq!(add(1, "desk", r#"{"watts": 40, "joules": 100, "tokens": 150}"#), energy(40.0, Some(1.5)));
        assert_eq!(add(2, "desk", r#"{"watts": 40, "joules": 80, "tokens": 50}"#), energy(40.0, Some(2.0)));
        assert_eq!(add(3, "shelf", r#"{"watts": 10, "joules": 300}"#), energy(50.0, Some(0.5)));
        assert_eq!(add(4, "rack", r#"{"tokens": 9}"#), energy(50.0, None));
    }
}
