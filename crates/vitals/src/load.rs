//! How busy the cores are.

use std::path::Path;

/// Between two readings.
#[derive(Default)]
pub struct Busy {
    /// Idle and all ticks of the reading before.
    before: Option<(u64, u64)>,
}

impl Busy {
    pub fn read(&mut self, root: &Path) -> Option<f64> {
        let told = std::fs::read_to_string(root.join("proc/stat")).ok()?;
        let first = told.lines().next()?.strip_prefix("cpu ")?;
        let ticks: Vec<u64> = first.split_whitespace().filter_map(|word| word.parse().ok()).take(8).collect();
        // user nice system idle iowait irq softirq steal
        let (idle, all) = (ticks.get(3)? + ticks.get(4)?, ticks.iter().sum::<u64>());
        let (idle_before, all_before) = self.before.replace((idle, all))?;
        let passed = all.checked_sub(all_before).filter(|passed| *passed > 0)?;
        Some(1.0 - (idle.saturating_sub(idle_before) as f64 / passed as f64).clamp(0.0, 1.0))
    }
}
