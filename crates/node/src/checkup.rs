//! What should be mended on this node's machine, looked for now and then.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tandem_doctor::{Finding, Remembered, ThisSystem, Weight, examine_cluster, examine_machine, unreachable};

use crate::cluster_service::state_of;
use crate::node::Node;

/// The latest findings.
#[derive(Default)]
pub struct Checkup {
    findings: Mutex<Vec<Finding>>,
}

pub const EXAMINE_EVERY: Duration = Duration::from_secs(300);
const KEPT: &str = "doctor.json";

impl Checkup {
    pub fn findings(&self) -> Vec<Finding> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads files, runs programs and calls other nodes: not to be called from a task.
    pub fn examine(&self, node: &Node) {
        let snapshot = node.snapshot();
        let (state, own) = (state_of(&snapshot), snapshot.name_of(node.id()));
        let home = &node.inner.home;
        let kept = std::fs::read(home.folder().join(KEPT)).ok();
        let mut remembered: Remembered =
            kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let before = remembered.clone();
        let mut findings = examine_machine(&ThisSystem, home.folder());
        // Who is missing and which versions run is seen by everybody.
        findings.extend(
            examine_cluster(&state, Some(&own), &mut remembered).into_iter().filter(|it| it.check == "link"),
        );
        findings.extend(unreachable(&state, &own));
        findings.retain(|finding| finding.weight == Weight::Bad);
        if remembered != before {
            // What is not kept is learnt again.
            let _ = serde_json::to_vec(&remembered).map(|bytes| home.write(KEPT, &bytes));
        }
        *self.findings.lock().unwrap_or_else(PoisonError::into_inner) = findings;
    }
}
