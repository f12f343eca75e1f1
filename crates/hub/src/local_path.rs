//! A path that a person gave as a model.

use crate::HubError;
use std::fs;
use std::path::{Path, PathBuf};

/// The file or folder to open for `path`: itself, or the one model that a folder holds.
pub fn model_at(path: &Path) -> Result<PathBuf, HubError> {
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(HubError::NoSuchPath { path: path.to_owned() });
        }
        Err(error) => return Err(HubError::io("read", path)(error)),
    };
    if found.is_file() {
        return Ok(path.to_owned());
    }
    if !found.is_dir() {
        return Err(HubError::NotAModel { path: path.to_owned() });
    }
    let entries = fs::read_dir(path).map_err(HubError::io("list", path))?;
    let mut names: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    names.sort();
    let has_extension =
        |name: &Path, extension: &str| name.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension));
    // The first of several: of a split model, that is the part to open.
    if let Some(gguf) = names.iter().find(|name| has_extension(name, "gguf")) {
        return Ok(gguf.clone());
    }
    if names.iter().any(|name| has_extension(name, "safetensors")) {
        return Ok(path.to_owned());
    }
    Err(HubError::NotAModel { path: path.to_owned() })
}
