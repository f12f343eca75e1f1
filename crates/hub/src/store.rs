//! The models on this machine.

use crate::download::hash_file;
use crate::manifest::StoredFile;
use crate::{Catalogue, HubError, HubId, Manifest, ModelRef};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A folder of model folders, `org--name--quant` each.
#[derive(Clone, Debug)]
pub struct Store {
    home: PathBuf,
}

/// A model that is here, whole.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalModel {
    pub folder: PathBuf,
    pub manifest: Manifest,
}

impl LocalModel {
    /// The file to open, or the folder of a safetensors model.
    pub fn path(&self) -> PathBuf {
        match self.manifest.files.first() {
            Some(file) if file.path.ends_with(".gguf") => self.folder.join(&file.path),
            _ => self.folder.clone(),
        }
    }

    /// Reads every file and compares it with the hash it had when it was pulled. Names the files that have changed since, or
    /// cannot be read.
    pub fn damaged(&self) -> Vec<String> {
        let intact = |file: &&StoredFile| {
            hash_file(&self.folder.join(&file.path)).is_ok_and(|hash| hash.eq_ignore_ascii_case(&file.sha256))
        };
        self.manifest.files.iter().filter(|file| !intact(file)).map(|file| file.path.clone()).collect()
    }

    /// The shortest name that finds it again.
    pub fn short_name(&self) -> String {
        let manifest = &self.manifest;
        let known = Catalogue::embedded().name_of(&manifest.hub, &manifest.quant);
        known.map_or_else(|| manifest.name(), str::to_owned)
    }
}

impl Store {
    /// `TANDEM_HOME`, else the system's place for a user's data.
    pub fn from_env() -> Result<Store, HubError> {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = if let Some(home) = set("TANDEM_HOME") {
            home
        } else if let Some(data) = set("XDG_DATA_HOME") {
            data.join("tandem")
        } else if cfg!(target_os = "macos") {
            set("HOME").ok_or(HubError::NoHome)?.join("Library/Application Support/tandem")
        } else {
            set("HOME").ok_or(HubError::NoHome)?.join(".local/share/tandem")
        };
        Ok(Store::at(home))
    }

    pub fn at(home: impl Into<PathBuf>) -> Store {
        Store { home: home.into() }
    }

    pub fn home(&self) -> &Path {
        &self.home
    }

    pub fn models_folder(&self) -> PathBuf {
        self.home.join("models")
    }

    /// All whole models, by name. Folders that cannot be read are left out: one bad folder must not hide the rest.
    pub fn list(&self) -> Result<Vec<LocalModel>, HubError> {
        let folder = self.models_folder();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(HubError::io("list", &folder)(error)),
        };
        let mut models: Vec<LocalModel> =
            entries.filter_map(|entry| whole_model(&entry.ok()?.path()).ok().flatten()).collect();
        models.sort_by_key(|model| model.manifest.name().to_ascii_lowercase());
        Ok(models)
    }

    /// The model if it is here. Asked for in no particular quantisation, any one of it will do.
    pub fn find(&self, model: &ModelRef) -> Result<Option<LocalModel>, HubError> {
        let (hub, quant) = match model {
            ModelRef::Catalogue { entry, quant } => {
                (&entry.hub, Some(quant.as_ref().unwrap_or(&entry.quant)))
            }
            ModelRef::Hub { id, quant } => (id, quant.as_ref()),
            ModelRef::Path(_) => return Ok(None),
        };
        match quant {
            Some(quant) => whole_model(&self.folder_of(hub, quant)),
            None => Ok(self.list()?.into_iter().find(|local| local.manifest.hub == *hub)),
        }
    }

    /// Deletes a model. Waits for nobody: a model that is being pulled is left alone.
    pub fn remove(&self, model: &LocalModel) -> Result<(), HubError> {
        let lock = self.lock_path(&model.folder);
        let lock_file = File::create(&lock).map_err(HubError::io("create", &lock))?;
        lock_file.try_lock().map_err(|_| HubError::Io {
            action: "remove",
            path: model.folder.clone(),
            source: std::io::Error::other("it is being pulled by another process"),
        })?;
        // The manifest first: a removal cut short leaves a partial model, not a broken one.
        let manifest = model.folder.join(Manifest::FILE_NAME);
        fs::remove_file(&manifest).map_err(HubError::io("remove", &manifest))?;
        fs::remove_dir_all(&model.folder).map_err(HubError::io("remove", &model.folder))
    }

    pub(crate) fn folder_of(&self, hub: &HubId, quant: &str) -> PathBuf {
        self.models_folder().join(format!("{}--{quant}", hub.as_str().replace('/', "--")))
    }

    /// Beside the folder and not in it, so that removing the folder does not take a held lock away.
    pub(crate) fn lock_path(&self, folder: &Path) -> PathBuf {
        let mut name = std::ffi::OsString::from(".");
        name.push(folder.file_name().unwrap_or_default());
        name.push(".lock");
        folder.with_file_name(name)
    }
}

/// The model in `folder`, unless a file of it is missing or has another size than when it was pulled.
pub(crate) fn whole_model(folder: &Path) -> Result<Option<LocalModel>, HubError> {
    let Some(manifest) = Manifest::read(folder)? else { return Ok(None) };
    let whole = manifest.files.iter().all(|file| {
        fs::metadata(folder.join(&file.path))
            .is_ok_and(|found| found.is_file() && found.len() == file.size_bytes)
    });
    Ok(whole.then(|| LocalModel { folder: folder.to_owned(), manifest }))
}
