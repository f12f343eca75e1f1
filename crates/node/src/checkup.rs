//! What should be mended on this node's machine, looked for now and then.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tandem_doctor::{Finding, Remembered, ThisSystem, Weight, examine_cluster, examine_machine, unreachable};

use crate::addresses::{Network, networks};
use crate::cluster_service::state_of;
use crate::node::Node;
use crate::snapshot::Snapshot;

/// The latest findings.
#[derive(Default)]
pub struct Checkup {
    findings: Mutex<Vec<Finding>>,
    networks: Mutex<Vec<Network>>,
}

pub const EXAMINE_EVERY: Duration = Duration::from_secs(300);
/// At the earliest, where something is new.
pub const EXAMINE_AGAIN: Duration = Duration::from_secs(10);
const KEPT: &str = "doctor.json";
/// Each node tells of its own.
const OWN: [&str; 2] = ["link", "peers"];
/// Everybody sees these: one node tells of them for all.
const COMMON: [&str; 3] = ["versions", "clocks", "mtu"];

impl Checkup {
    pub fn findings(&self) -> Vec<Finding> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn networks(&self) -> Vec<Network> {
        self.networks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many there are of what is looked at in the cluster.
    pub fn looks(snapshot: &Snapshot) -> (usize, usize, usize) {
        let links = snapshot.inventories.values().map(|inventory| inventory.links.len()).sum();
        (snapshot.live.len(), links, snapshot.strangers.len())
    }

    /// Reads files, runs programs and calls other nodes: not to be called from a task.
    pub fn examine(&self, node: &Node) {
        *self.networks.lock().unwrap_or_else(PoisonError::into_inner) = networks();
        let snapshot = node.snapshot();
        let mut state = state_of(&snapshot);
        state["self"] = node.id().to_string().into();
        let own = snapshot.name_of(node.id());
        let home = &node.inner.home;
        let kept = std::fs::read(home.folder().join(KEPT)).ok();
        let mut remembered: Remembered =
            kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let before = remembered.clone();
        let mut findings = examine_machine(&ThisSystem, home.folder());
        let speaks_for_all = snapshot.live.first() == Some(&node.id());
        findings.extend(examine_cluster(&state, Some(&own), &mut remembered).into_iter().filter(|it| {
            OWN.contains(&it.check.as_str()) || (speaks_for_all && COMMON.contains(&it.check.as_str()))
        }));
        findings.extend(unreachable(&state, &own));
        findings.retain(|finding| finding.weight == Weight::Bad);
        if remembered != before {
            // What is not kept is learnt again.
            let _ = serde_json::to_vec(&remembered).map(|bytes| home.write(KEPT, &bytes));
        }
        *self.findings.lock().unwrap_or_else(PoisonError::into_inner) = findings;
    }
}
