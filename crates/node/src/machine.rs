//! The machine a node runs on.

use std::process::Command;

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
