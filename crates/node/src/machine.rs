//! The machine a node runs on.

use std::process::Command;

use serde::{Deserialize, Serialize};
use tandem_kernels_cpu::memory::read_bandwidth_of;

use crate::home::Home;

pub fn name() -> String {
    let text = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let text = text.or_else(|| String::from_utf8(Command::new("hostname").output().ok()?.stdout).ok());
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).unwrap_or_else(|| "node".into())
}

/// The same for all nodes of one machine.
pub fn id() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    boot.map_or_else(|_| name(), |text| text.trim().to_owned())
}

/// What was measured, and for how many cores.
#[derive(Serialize, Deserialize)]
struct Measured {
    cores: usize,
    read_bytes_per_s: f64,
}

const MEASURED: &str = "memory.json";
/// More than caches hold, and little enough for any machine that runs models.
const MEASURE_BYTES: usize = 256 << 20;

/// How fast so many cores read memory: measured once, in a moment, and kept. 0 where that is not possible.
pub fn read_bytes_per_s(home: &Home, cores: usize) -> f64 {
    let kept = std::fs::read(home.folder().join(MEASURED)).ok();
    let kept = kept.and_then(|bytes| serde_json::from_slice::<Measured>(&bytes).ok());
    if let Some(kept) = kept.filter(|kept| kept.cores == cores) {
        return kept.read_bytes_per_s;
    }
    let room = tandem_runtime::available_bytes().unwrap_or(0);
    if room < 8 * MEASURE_BYTES as u64 {
        return 0.0;
    }
    let share = (MEASURE_BYTES / cores.max(1)).clamp(16 << 20, 128 << 20);
    let Ok(gigabytes_per_s) = read_bandwidth_of(cores, share, 3) else { return 0.0 };
    let measured = Measured { cores, read_bytes_per_s: (gigabytes_per_s * 1e9).round() };
    // What cannot be kept is measured again.
    let _ = serde_json::to_vec(&measured).map(|bytes| home.write(MEASURED, &bytes));
    measured.read_bytes_per_s
}
