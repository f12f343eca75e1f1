//! Who waits on a device.
//!
//! A kernel that waits may keep the device from other processes. Where a rank waits for another that computes on the same device,
//! neither goes on: such ranks must see each other, and do without waiting. Each lane whose ranks exchange something claims the
//! device by a lock of a file in the user's folder; who comes later finds it locked, and leaves a byte there for the first. Ranks
//! that wait for each other have all been opened before their first step.

use std::fs::File;
use std::io::Write;
use std::path::Path;

/// A lane's claim to be the only one on a device that others may wait for.
pub struct Claim {
    /// None where nobody can be asked.
    file: Option<File>,
    first: bool,
}

impl Claim {
    /// Without a folder there is nobody else. Where a file cannot be had, everybody is taken to be there.
    pub fn new(folder: Option<&Path>, device: usize) -> Claim {
        let Some(folder) = folder else { return Claim { file: None, first: true } };
        let open = || -> std::io::Result<File> {
            std::fs::create_dir_all(folder)?;
            File::options().create(true).append(true).open(folder.join(format!("gpu-{device}.lock")))
        };
        let Ok(mut file) = open() else { return Claim { file: None, first: false } };
        let first = file.try_lock().is_ok();
        match first {
            // What was left for another that is gone.
            true => _ = file.set_len(0),
            false => _ = file.write_all(&[1]),
        }
        Claim { file: Some(file), first }
    }

    /// Whether no other lane has claimed the device since.
    pub fn is_sole(&self) -> bool {
        let alone = |file: &File| file.metadata().is_ok_and(|found| found.len() == 0);
        self.first && self.file.as_ref().is_none_or(alone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_that_claim_a_device_both_see_it() {
        let folder = std::env::temp_dir().join(format!("tandem-claims-{}", std::process::id()));
        let first = Claim::new(Some(&folder), 0);
        let other_device = Claim::new(Some(&folder), 1);
        assert!(first.is_sole() && other_device.is_sole());
        let second = Claim::new(Some(&folder), 0);
        assert!(!first.is_sole() && !second.is_sole() && other_device.is_sole());
        drop((first, second));
        assert!(Claim::new(Some(&folder), 0).is_sole());
        assert!(Claim::new(None, 0).is_sole());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
