//! Fast ways of computing that a device can do without, and which of them it must: a driver may offer what it does wrongly.
//!
//! What turned out to be wrong is kept by name, driver and version of Tandem in a file of the user's cache folder, so that other processes
//! do without it too, and a newer driver or newer kernels are tried again. So is what was tried and right.

use std::io;
use std::path::Path;

use crate::device::DeviceInfo;
use crate::kept;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FastPath {
    /// Attention with cooperative matrices.
    Attention,
    /// Matrices of half floats that a subgroup multiplies at once.
    Matrices,
    /// Steps that are recorded once and submitted again, past wgpu.
    Replay,
}

impl FastPath {
    /// What needs another comes before it.
    pub const ALL: [FastPath; 3] = [FastPath::Attention, FastPath::Matrices, FastPath::Replay];

    pub fn name(self) -> &'static str {
        match self {
            FastPath::Attention => "attention with cooperative matrices",
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
    named(folder, FILE, device)
}

/// Keep what a device does without from now on.
pub fn leave_out(folder: &Path, device: &DeviceInfo, paths: &[FastPath]) -> io::Result<()> {
    kept::add(folder, FILE, device, &names(paths))
}

/// What was tried on a device and right.
pub fn passed(folder: &Path, device: &DeviceInfo) -> Vec<FastPath> {
    named(folder, PASSED, device)
}

/// Keep that something was.
pub fn pass(folder: &Path, device: &DeviceInfo, paths: &[FastPath]) -> io::Result<()> {
    kept::add(folder, PASSED, device, &names(paths))
}

fn named(folder: &Path, file: &str, device: &DeviceInfo) -> Vec<FastPath> {
    let lines = kept::lines(folder, file, device);
    FastPath::named(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

fn names(paths: &[FastPath]) -> Vec<String> {
    paths.iter().map(|path| path.name().to_owned()).collect()
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
        assert_eq!(std::fs::read_to_string(folder.join(FILE)).unwrap().lines().count(), FastPath::ALL.len());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
