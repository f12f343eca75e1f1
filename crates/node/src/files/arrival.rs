//! The node that wants the files.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, UNIX_EPOCH};

use tandem_cluster::NodeId;
use tandem_fabric::Attended;

use super::{Entry, Manifest, is_below};
use crate::fetcher::{Fetcher, heads, lanes_max, run_lane};
use crate::frame::Purpose;
use crate::slices::{Unit, range};
use crate::weights::haul::Haul;
use crate::weights::partial::Partial;
use crate::weights::{Lane, Listing, WeightsError};

/// Times a node is asked again that brought nothing.
const VAIN_TRIES: usize = 3;

/// What came.
pub struct Copied {
    pub files: usize,
    pub bytes: u64,
    pub to: PathBuf,
}

/// Copies `path` of `node` to `to`, or into it where that is a folder. What was fetched by an earlier try is kept beside it and not
/// fetched again; nothing gets its name before all of it is here.
pub fn copy(
    fetcher: &Fetcher,
    node: NodeId,
    path: &str,
    to: &Path,
    progress: &dyn Fn(u64, u64),
    stop: &AtomicBool,
) -> Result<Copied, String> {
    let cannot = |error: io::Error| format!("cannot write {}: {error}", to.display());
    let to = match (to.is_dir(), Path::new(path).file_name()) {
        (true, Some(name)) => to.join(name),
        _ => to.to_owned(),
    };
    let name = to.file_name().ok_or_else(|| format!("{} has no name", to.display()))?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".tandem-cp");
    let stage = to.with_file_name(hidden);
    fs::create_dir_all(&stage).map_err(cannot)?;
    let lock = File::create(stage.join(".lock")).map_err(cannot)?;
    lock.try_lock().map_err(|_| format!("{} is being copied to already", to.display()))?;
    let mut in_vain = 0;
    let (manifest, listing) = loop {
        match bring(fetcher, node, path, &stage, progress, stop) {
            Ok(whole) => break whole,
            Err(Setback::Final(reason)) => {
                let _ = fs::remove_dir(&stage);
                return Err(reason);
            }
            Err(Setback::Lost { brought: true, .. }) => in_vain = 0,
            Err(Setback::Lost { reason, .. }) if in_vain + 1 == VAIN_TRIES => {
                return Err(format!("{reason}; what came is kept, and the same command goes on from there"));
            }
            Err(Setback::Lost { .. }) => in_vain += 1,
        }
    };
    settle(&manifest, &listing, &stage, &to).map_err(cannot)?;
    let bytes = manifest.entries.iter().map(|entry| entry.bytes).sum();
    Ok(Copied { files: manifest.entries.len(), bytes, to })
}

enum Setback {
    Final(String),
    /// Worth another try.
    Lost {
        reason: String,
        brought: bool,
    },
}

/// One try to have everything on the stage.
fn bring(
    fetcher: &Fetcher,
    node: NodeId,
    path: &str,
    stage: &Path,
    progress: &dyn Fn(u64, u64),
    stop: &AtomicBool,
) -> Result<(Manifest, Listing), Setback> {
    let lost = |reason: String| Setback::Lost { reason, brought: false };
    let meet = || fetcher.meet(node, Purpose::Files { path: path.to_owned() });
    let (Attended { arena, mut links, pulse: _pulse }, secret) = meet().map_err(lost)?;
    let mut established = links.pop().flatten().ok_or_else(|| lost("no link was made".into()))?;
    let broken = |error: WeightsError| lost(error.to_string());
    let mut lane = Lane::new(&mut *established.link, &arena, &secret).map_err(broken)?;
    let listing = lane.listing().map_err(broken)?;
    let partial = Partial::open(stage, &listing).map_err(|error| Setback::Final(error.to_string()))?;
    let head = Haul::new(&partial, &heads(&listing));
    head.run(&mut lane).map_err(broken)?;
    head.finish().map_err(|error| lost(error.map_or("it did not come".into(), |error| error.to_string())))?;
    let manifest = read_manifest(stage, &listing).map_err(Setback::Final)?;

    let units: Vec<Unit> = listing
        .files
        .iter()
        .enumerate()
        .skip(1)
        .flat_map(|(file, listed)| range(file as u32, 0, listed.bytes))
        .collect();
    let haul = Haul::new(&partial, &units);
    let mut lanes: Vec<Box<dyn FnOnce() + Send + '_>> = vec![Box::new(|| {
        let _ = haul.run(&mut lane);
        lane.end();
    })];
    if haul.total_bytes() > 16 << 20 {
        for _ in 1..lanes_max() {
            let (haul, meet) = (&haul, &meet);
            // The others do without it.
            lanes.push(Box::new(move || drop(meet().map(|mut meeting| run_lane(haul, &mut meeting)))));
        }
    }
    haul.drive(lanes, progress, stop);
    let brought = haul.fetched().bytes > 0;
    match haul.finish() {
        Ok(_) => Ok((manifest, listing)),
        Err(Some(error)) => Err(Setback::Final(error.to_string())),
        Err(None) => Err(Setback::Lost { reason: "the node that sent was lost".into(), brought }),
    }
}

/// What another node says of its files; it must not make us write where we did not mean to.
fn read_manifest(stage: &Path, listing: &Listing) -> Result<Manifest, String> {
    let nonsense = || "the other node's list of files makes no sense".to_owned();
    let first = listing.files.first().ok_or_else(nonsense)?;
    let bytes = fs::read(stage.join(&first.name)).map_err(|error| error.to_string())?;
    let manifest: Manifest = postcard::from_bytes(&bytes).map_err(|_| nonsense())?;
    if let Some(refused) = manifest.refused {
        let _ = fs::remove_dir_all(stage);
        return Err(refused);
    }
    match is_sound(&manifest, listing) {
        true => Ok(manifest),
        false => Err(nonsense()),
    }
}

fn is_sound(manifest: &Manifest, listing: &Listing) -> bool {
    let (entries, files) = (&manifest.entries, &listing.files[1..]);
    let names: BTreeSet<&Path> = entries.iter().map(|entry| Path::new(&entry.path)).collect();
    // No file is where another wants a folder.
    let inside = |path: &Path| path.ancestors().skip(1).any(|above| names.contains(above));
    entries.len() == files.len()
        && entries.len() == names.len()
        && (manifest.folder || entries.len() == 1)
        && entries.iter().zip(files).all(|(entry, file)| entry.bytes == file.bytes)
        && names.iter().all(|path| is_below(path) && !inside(path))
}

/// Gives every file its name.
fn settle(manifest: &Manifest, listing: &Listing, stage: &Path, to: &Path) -> io::Result<()> {
    for (entry, listed) in manifest.entries.iter().zip(&listing.files[1..]) {
        let (from, to) =
            (stage.join(&listed.name), if manifest.folder { to.join(&entry.path) } else { to.to_owned() });
        finish(&from, entry)?;
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::rename(from, to)?;
    }
    fs::remove_dir_all(stage)
}

fn finish(path: &Path, entry: &Entry) -> io::Result<()> {
    let file = File::options().write(true).open(path)?;
    if entry.executable {
        let mode = file.metadata()?.permissions().mode();
        // Whoever may read it may run it.
        file.set_permissions(fs::Permissions::from_mode(mode | (mode & 0o444) >> 2))?;
    }
    file.set_modified(UNIX_EPOCH + Duration::from_nanos(entry.modified_unix_ns))?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Listed;

    #[test]
    fn a_list_of_files_leads_nowhere_else() {
        let entry =
            |path: &str| Entry { path: path.into(), bytes: 3, modified_unix_ns: 0, executable: false };
        let file = |name: String| Listed { name, bytes: 3, header_bytes: 0 };
        let check = |folder: bool, paths: &[&str]| {
            let manifest =
                Manifest { refused: None, folder, entries: paths.iter().copied().map(entry).collect() };
            let names = ["manifest".to_owned()]
                .into_iter()
                .chain(paths.iter().enumerate().map(|(i, _)| format!("file-{i}")));
            is_sound(&manifest, &Listing { open: String::new(), files: names.map(file).collect() })
        };
        assert!(check(true, &["a", "b/c", "b/d", ".hidden"]) && check(false, &["a"]));
        for paths in [&["../a"][..], &["/a"], &["a/../../b"], &[""], &["."], &["a", "a"], &["a", "a/b"]] {
            assert!(!check(true, paths), "{paths:?}");
        }
        assert!(!check(false, &["a", "b"]));
    }
}
