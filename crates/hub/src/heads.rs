//! The beginnings of a model's files, without the rest: enough to know what the model takes.

use crate::http::{Fault, Method};
use crate::{Hub, HubError, HubId, ModelRef, RepoFile, Selection, Watch};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Writes the first `bytes` of each of the model's files to `folder`, as sparse files of their full size. Returns what to open.
pub fn heads(
    hub: &Hub,
    model: &ModelRef,
    bytes: u64,
    folder: &Path,
    watch: &mut dyn Watch,
) -> Result<PathBuf, HubError> {
    let (id, quant) = match model {
        ModelRef::Catalogue { entry, quant } => (&entry.hub, Some(quant.as_ref().unwrap_or(&entry.quant))),
        ModelRef::Hub { id, quant } => (id, quant.as_ref()),
        ModelRef::Path(path) => return Ok(path.clone()),
    };
    let repository = hub.repository(id, watch)?;
    let selection = Selection::choose(id.as_str(), &repository.files, quant.map(String::as_str))?;
    for file in &selection.files {
        head(hub, id, &repository.revision, file, bytes, folder, watch)?;
    }
    match selection.files.first() {
        Some(file) if file.path.ends_with(".gguf") => Ok(folder.join(&file.path)),
        _ => Ok(folder.to_owned()),
    }
}

fn head(
    hub: &Hub,
    id: &HubId,
    revision: &str,
    file: &RepoFile,
    bytes: u64,
    folder: &Path,
    watch: &mut dyn Watch,
) -> Result<(), HubError> {
    let url = hub.file_url(id, revision, &file.path)?;
    let identity = hub.identify(id, &url, file, watch)?;
    let wanted = bytes.min(identity.size_bytes);
    let path = folder.join(&file.path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(HubError::io("create", parent))?;
    }
    let head = hub.http.persist(watch, || {
        let range = ("range", format!("bytes=0-{}", wanted.saturating_sub(1)));
        let answer = hub.http.send(Method::Get, &url, &[range])?;
        if !matches!(answer.response.status().as_u16(), 200 | 206) {
            return Err(hub.fault(id, &answer));
        }
        let url = answer.url;
        let mut head = Vec::new();
        let body = answer.response.into_body().into_reader();
        body.take(wanted).read_to_end(&mut head).map_err(|error| hub.http.lost(&url, error))?;
        Ok::<_, Fault>(head)
    })?;
    let mut out = File::create(&path).map_err(HubError::io("create", &path))?;
    out.write_all(&head).and_then(|()| out.set_len(identity.size_bytes)).map_err(HubError::io("write", &path))
}
