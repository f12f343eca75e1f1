//! What the store remembers of a model it holds.

use crate::{HubError, HubId};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Written last: a folder with a manifest holds a whole model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    pub hub: HubId,
    pub quant: String,
    pub revision: String,
    pub source: Source,
    /// The first is the one to open.
    pub files: Vec<StoredFile>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    Hub { endpoint: String },
    Package { name: String, version: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredFile {
    pub path: String,
    pub size_bytes: u64,
    pub sha256: String,
}

impl Manifest {
    pub(crate) const FILE_NAME: &str = "manifest.json";

    /// `org/name:quant`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.hub, self.quant)
    }

    pub fn size_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size_bytes).sum()
    }

    pub(crate) fn read(folder: &Path) -> Result<Option<Manifest>, HubError> {
        let path = folder.join(Manifest::FILE_NAME);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(HubError::io("read", &path)(error)),
        };
        let manifest: Manifest = serde_json::from_slice(&text)
            .map_err(|error| HubError::BadManifest { path: path.clone(), reason: error.to_string() })?;
        if manifest.files.is_empty() {
            return Err(HubError::BadManifest { path, reason: "it lists no files".into() });
        }
        Ok(Some(manifest))
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), HubError> {
        let path = folder.join(Manifest::FILE_NAME);
        let temporary = folder.join("manifest.json.part");
        let text = serde_json::to_vec_pretty(self).expect("plain data");
        let mut file = File::create(&temporary).map_err(HubError::io("create", &temporary))?;
        file.write_all(&text).and_then(|()| file.sync_all()).map_err(HubError::io("write", &temporary))?;
        put_in_place(&temporary, &path)
    }
}

/// Gives a finished file its final name, so that it is there after a power cut or not at all.
pub(crate) fn put_in_place(from: &Path, to: &Path) -> Result<(), HubError> {
    fs::rename(from, to).map_err(HubError::io("rename", from))?;
    let folder = to.parent().unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(HubError::io("sync", folder))
}
