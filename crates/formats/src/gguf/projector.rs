//! The file that a model sees pictures with: GGUF models have it beside them.

use super::metadata::{Metadata, Value};
use std::path::{Path, PathBuf};

/// Taken in this order where a model has several, which differ in the type of their weights.
const PREFERENCE: [&str; 3] = ["f16", "bf16", "f32"];

/// Files in the model's folder that may be projectors, the best first.
pub fn candidates(model: &Path) -> Vec<PathBuf> {
    let folder = model.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| name(path).starts_with("mmproj") && name(path).ends_with(".gguf"));
    let rank = |path: &Path| {
        let name = name(path);
        let stem = name.trim_end_matches(".gguf");
        PREFERENCE.iter().position(|kind| stem.ends_with(&format!("-{kind}"))).unwrap_or(PREFERENCE.len())
    };
    found.sort_by_key(|path| (rank(path), path.clone()));
    found
}

/// Whether a file says that it is a projector for this model.
pub fn is_for(file: &Metadata, model: &Metadata) -> bool {
    let text = |of: &Metadata, key: &str| of.find::<&str>(key).ok().flatten().map(str::to_owned);
    let number = |of: &Metadata, key: &str| of.value(key).and_then(Value::as_integer);
    let Some(architecture) = text(model, "general.architecture") else { return false };
    let kind = text(file, "clip.projector_type").or_else(|| text(file, "clip.vision.projector_type"));
    let width = number(file, "clip.vision.projection_dim");
    text(file, "general.architecture").is_some_and(|own| own == "clip")
        && kind.is_some_and(|kind| kind == architecture)
        && width == number(model, &format!("{architecture}.embedding_length"))
}
