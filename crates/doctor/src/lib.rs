//! What is wrong with a machine or a cluster, why it matters, and what mends it.
//!
//! - [`Finding`]: one check's result, for people and for scripts.
//! - [`examine_machine`]: what this machine's files and programs tell ([`System`] reads them, so that tests can hand in what
//!   other machines said).
//! - [`examine_cluster`]: what a node's view of its cluster tells: versions, clocks, frames, links, who is out of reach.
//!
//! It changes nothing on the machine. It knows the cluster only as the JSON that a node serves.

mod cluster;
mod finding;
mod linux;
mod macos;
mod system;

pub use cluster::{Remembered, examine_cluster, examine_strain, unreachable};
pub use finding::{Finding, Weight};
pub use system::{System, ThisSystem};

use std::path::Path;

/// Everything that can be told of one machine; `home` is where its models lie.
pub fn examine_machine(system: &dyn System, home: &Path) -> Vec<Finding> {
    let mut findings = vec![disk(system, home)];
    if system.is_macos() {
        findings.extend(macos::examine(system));
    } else {
        findings.extend(linux::examine(system));
    }
    findings
}

const DISK_MIN_BYTES: u64 = 2_000_000_000;
const DISK_FEW_BYTES: u64 = 20_000_000_000;

fn disk(system: &dyn System, home: &Path) -> Finding {
    let why = "models are kept there; a download or a node's own state that does not fit fails";
    let told = system.run("df", &["-Pk", &home.to_string_lossy()]);
    let Some((free, total)) = told.as_deref().and_then(free_of_df) else {
        return Finding::plain(
            "disk",
            format!("`df` does not tell what is free below {}", home.display()),
            why,
        );
    };
    let found = format!("{} of {} free below {}", gigabytes(free), gigabytes(total), home.display());
    match free {
        free if free < DISK_MIN_BYTES => Finding::bad("disk", found, why)
            .mend("`tandem models --remove NAME` frees room; TANDEM_HOME can be on another disk"),
        free if free < DISK_FEW_BYTES => Finding::plain("disk", found, why),
        _ => Finding::good("disk", found, why),
    }
}

/// Free and all bytes, from POSIX's format: the second line's second and fourth column, in units of 1024.
fn free_of_df(told: &str) -> Option<(u64, u64)> {
    let numbers: Vec<u64> =
        told.lines().nth(1)?.split_whitespace().filter_map(|word| word.parse().ok()).take(3).collect();
    let [total, _, free] = numbers[..] else { return None };
    Some((free * 1024, total * 1024))
}

fn gigabytes(bytes: u64) -> String {
    match bytes {
        bytes if bytes >= 10_000_000_000 => format!("{:.0} GB", bytes as f64 / 1e9),
        bytes if bytes >= 100_000_000 => format!("{:.1} GB", bytes as f64 / 1e9),
        bytes => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests;
