//! Fast ways of computing that a device can do without, and which of them it must: a driver may offer what it does wrongly.
//!
//! What turned out to be wrong is kept by name and driver in a file of the user's cache folder, so that other processes do without it too,
//! and a newer driver is tried again. So is what was tried and right.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use crate::device::DeviceInfo;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FastPath {
    /// Matrices of half floats that a subgroup multiplies at once.
    Matrices,
    /// Steps that are recorded once and submitted again, past wgpu.
    Replay,
}

impl FastPath {
    pub const ALL: [FastPath; 2] = [FastPath::Matrices, FastPath::Replay];

    pub fn name(self) -> &'static str {
        match self {
            FastPath::Matrices => "cooperative matrices",
            FastPath::Replay => "recorded steps",
        }
    }

    pub fn named(names: &[&str]) -> Vec<FastPath> {
        FastPath::ALL.into_iter().filter(|path| names.contains(&path.name())).collect()
    }
}

const FILE: &str = "left-out.txt";
const PASSED: &str = "tried.txt";

/// What a device does without. Nothing where no file says otherwise.
pub fn left_out(folder: &Path, device: &DeviceInfo) -> Vec<FastPath> {
    kept(folder, FILE, device)
}

/// Keep what a device does without from now on.
pub fn leave_out(folder: &Path, device: &DeviceInfo, paths: &[FastPath]) -> io::Result<()> {
    keep(folder, FILE, device, paths)
}

/// What was tried on a device and right.
pub fn passed(folder: &Path, device: &DeviceInfo) -> Vec<FastPath> {
    kept(folder, PASSED, device)
}

/// Keep that something was.
pub fn pass(folder: &Path, device: &DeviceInfo, paths: &[FastPath]) -> io::Result<()> {
    keep(folder, PASSED, device, paths)
}

fn kept(folder: &Path, file: &str, device: &DeviceInfo) -> Vec<FastPath> {
    let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
    let own = text.lines().filter_map(|line| line.strip_prefix(&key(device)));
    FastPath::named(&own.collect::<Vec<_>>())
}

fn keep(folder: &Path, file: &str, device: &DeviceInfo, paths: &[FastPath]) -> io::Result<()> {
    let mut text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
    let known = kept(folder, file, device);
    for path in paths.iter().filter(|path| !known.contains(path)) {
        let _ = writeln!(text, "{}{}", key(device), path.name());
    }
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(file), text)
}

/// What a line of a device begins with.
fn key(device: &DeviceInfo) -> String {
    format!("{}, {}, {}: ", device.name, device.api, device.driver).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_kept_by_driver() {
        let folder = std::env::temp_dir().join(format!("tandem-left-out-{}", std::process::id()));
        let device = |driver: &str| DeviceInfo {
            index: 0,
            name: "A GPU".into(),
            api: "vulkan".into(),
            driver: driver.into(),
            software: false,
            unified: false,
            memory: None,
            missing: None,
        };
        assert_eq!(left_out(&folder, &device("1.0")), []);
        leave_out(&folder, &device("1.0"), &[FastPath::Replay]).unwrap();
        leave_out(&folder, &device("1.0"), &FastPath::ALL).unwrap();
        assert_eq!(left_out(&folder, &device("1.0")), FastPath::ALL);
        assert_eq!(left_out(&folder, &device("1.1")), []);
        assert_eq!(passed(&folder, &device("1.0")), []);
        pass(&folder, &device("1.0"), &[FastPath::Matrices]).unwrap();
        assert_eq!(passed(&folder, &device("1.0")), [FastPath::Matrices]);
        assert_eq!(passed(&folder, &device("1.1")), []);
        assert_eq!(std::fs::read_to_string(folder.join(FILE)).unwrap().lines().count(), 2);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
