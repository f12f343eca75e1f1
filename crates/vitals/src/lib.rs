//! What a machine tells of itself while it runs: memory, load, heat, power.
//!
//! - [`Gauges`]: reads them again and again, and remembers what a rate needs.
//! - [`Vitals`]: one reading. What the system does not tell is absent, never guessed.
//!
//! Files are read below a root, so that recorded trees of other machines can be read in tests. What needs another program
//! (`nvidia-smi`, `powermetrics`) is asked now and then by a thread of its own: some answer slowly.
//!
//! This crate knows no cluster, no models and no sockets.

mod energy;
mod heat;
mod load;
mod memory;
mod programs;

pub use memory::{wired_limit_command, wired_limit_mb_max};

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use energy::Rapl;
use load::Busy;
use programs::Programs;

/// One reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vitals {
    pub memory_bytes: u64,
    pub memory_used_bytes: u64,
    /// Of all cores together, 0 to 1, since the reading before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy: Option<f64>,
    /// The hottest of processor and accelerators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature_c: Option<f64>,
    /// Of processor packages and accelerators together, as far as they tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watts: Option<f64>,
    /// What that makes since the first reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joules: Option<f64>,
}

/// The gauges of this machine.
pub struct Gauges {
    root: PathBuf,
    read: Option<Instant>,
    busy: Busy,
    rapl: Rapl,
    programs: Programs,
    joules: f64,
}

impl Gauges {
    pub fn new() -> Gauges {
        Gauges { programs: Programs::start(), ..Gauges::below(Path::new("/")) }
    }

    /// Of the machine whose files lie below `root`; asks no programs.
    pub fn below(root: &Path) -> Gauges {
        Gauges {
            root: root.to_owned(),
            read: None,
            busy: Busy::default(),
            rapl: Rapl::default(),
            programs: Programs::default(),
            joules: 0.0,
        }
    }

    pub fn read(&mut self) -> Vitals {
        let now = Instant::now();
        let since_s = self.read.replace(now).map(|before| (now - before).as_secs_f64());
        let told = self.programs.last();
        let (memory_bytes, memory_used_bytes) = memory::read(&self.root).unwrap_or_default();
        let packages = self.rapl.read(&self.root, since_s);
        let devices = heat::device_watts(&self.root);
        let watts = sum([packages, devices, told.watts]);
        if let (Some(watts), Some(since_s)) = (watts, since_s) {
            self.joules += watts * since_s;
        }
        Vitals {
            memory_bytes,
            memory_used_bytes,
            busy: self.busy.read(&self.root),
            temperature_c: highest([heat::celsius(&self.root), told.temperature_c]),
            watts,
            joules: watts.map(|_| self.joules),
        }
    }
}

impl Default for Gauges {
    fn default() -> Gauges {
        Gauges::new()
    }
}

/// `None` only where nothing is known.
fn sum<const N: usize>(parts: [Option<f64>; N]) -> Option<f64> {
    parts.into_iter().flatten().reduce(|a, b| a + b)
}

fn highest<const N: usize>(parts: [Option<f64>; N]) -> Option<f64> {
    parts.into_iter().flatten().reduce(f64::max)
}

/// The number in a file of the kernel's.
fn number(path: &Path) -> Option<f64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

fn text(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

#[cfg(test)]
mod tests;
