//! The power of processor packages, from RAPL's counters of energy.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::{entries, number, text};

/// Remembers the counters between two readings.
#[derive(Default)]
pub struct Rapl {
    /// Microjoules, by zone.
    before: BTreeMap<PathBuf, f64>,
}

impl Rapl {
    /// Watts since the reading before; `None` where the counters cannot be read, as without root since 2020.
    pub fn read(&mut self, root: &Path, since_s: Option<f64>) -> Option<f64> {
        let mut watts = None;
        for zone in entries(&root.join("sys/class/powercap")) {
            // Parts of a package are counted in it.
            if !text(&zone.join("name")).is_some_and(|name| name.starts_with("package")) {
                continue;
            }
            let Some(now) = number(&zone.join("energy_uj")) else { continue };
            let Some(before) = self.before.insert(zone.clone(), now) else { continue };
            let Some(since_s) = since_s.filter(|since_s| *since_s > 0.0) else { continue };
            let wraps_at = number(&zone.join("max_energy_range_uj")).unwrap_or(0.0);
            let spent = if now >= before { now - before } else { now + wraps_at - before };
            if spent >= 0.0 {
                *watts.get_or_insert(0.0) += spent / 1e6 / since_s;
            }
        }
        watts
    }
}
