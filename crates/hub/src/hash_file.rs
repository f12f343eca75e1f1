//! The hash of a file that was not pulled, kept beside it as `sha256sum` would: `model.gguf.sha256`.

use crate::HubError;
use crate::download::hash_file;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Reads the file and keeps its hash beside it.
pub fn keep_hash(file: &Path) -> Result<(), HubError> {
    let beside = beside(file);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let text = format!("{}  {name}\n", hash_file(file)?);
    fs::write(&beside, text).map_err(HubError::io("write", &beside))
}

/// Forgets a hash, before the file becomes another.
pub fn forget_hash(file: &Path) -> Result<(), HubError> {
    let beside = beside(file);
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(HubError::io("remove", &beside)(error)),
        _ => Ok(()),
    }
}

/// Reads the file and compares it with the hash that was kept; `None` where there is none.
pub fn is_intact(file: &Path) -> Option<bool> {
    let text = fs::read_to_string(beside(file)).ok()?;
    let kept = text.split_whitespace().next()?;
    Some(hash_file(file).is_ok_and(|hash| hash.eq_ignore_ascii_case(kept)))
}

fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".sha256");
    PathBuf::from(name)
}
