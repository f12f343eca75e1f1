//! A model's files while they are being filled: sparse files that look like the whole, and a log of what they hold.
//!
//! Data is written by whoever has it; a thread of its own has it put on the disk now and then and logs it afterwards, so that
//! the log never says more than the disk has, and nobody waits for the disk. A transfer that ended goes on from the log. The log
//! keeps a checksum of each unit, so that what was damaged on the disk can be found and fetched again.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use super::{Listing, WeightsError};
use crate::slices::{Unit, UnitBytes};

/// The log is written after so much.
const SYNC_BYTES: usize = 256 << 20;
const LOG: &str = ".have";
/// What to open, and the files, for whoever finds the folder later.
const OPEN: &str = ".open";
const LISTING: &str = ".files";
/// Of one entry of the log: the unit and the checksum of its bytes.
const ENTRY_BYTES: usize = 32;
/// Goes into the log's name, so that logs of other forms are not read.
const FORM: &[u8] = b"unit and crc32c";
const FILES_MAX: usize = 10_000;
const FILE_BYTES_MAX: u64 = 1 << 46;

pub struct Partial {
    path: PathBuf,
    /// The kernel has writers of one file wait for each other spinning; here they sleep, and others have the core.
    files: Vec<Mutex<File>>,
    held: Mutex<Held>,
    keeper: Option<(Sender<Vec<Entry>>, JoinHandle<()>)>,
}

type Entry = [u8; ENTRY_BYTES];

fn entry(unit: &Unit, checksum: u32) -> Entry {
    let mut entry = [0; ENTRY_BYTES];
    entry[..28].copy_from_slice(&unit.to_bytes());
    entry[28..].copy_from_slice(&checksum.to_le_bytes());
    entry
}

fn unit_of(entry: &Entry) -> UnitBytes {
    std::array::from_fn(|at| entry[at])
}

#[derive(Default)]
struct Held {
    units: HashSet<UnitBytes>,
    unlogged: Vec<Entry>,
    unlogged_bytes: usize,
}

impl Partial {
    /// The files of `listing` in `folder`, with what is there of them already.
    pub fn open(folder: &Path, listing: &Listing) -> Result<Partial, WeightsError> {
        check(listing)?;
        std::fs::create_dir_all(folder)?;
        let open = |name: &str| {
            OpenOptions::new().create(true).truncate(false).read(true).write(true).open(folder.join(name))
        };
        let mut log = open(LOG)?;
        let mut bytes = Vec::new();
        log.read_to_end(&mut bytes)?;
        // A log of other files is of no use.
        let name = log_name(listing);
        let mut units = HashSet::new();
        match bytes.split_first_chunk() {
            Some((found, entries)) if *found == name => {
                let (entries, torn) = entries.as_chunks();
                units.extend(entries.iter().map(unit_of));
                log.set_len((bytes.len() - torn.len()) as u64)?;
            }
            _ => {
                log.set_len(0)?;
                log.write_all_at(&name, 0)?;
            }
        }
        let mut files = Vec::with_capacity(listing.files.len());
        for listed in &listing.files {
            let file = open(&listed.name)?;
            if file.metadata()?.len() != listed.bytes {
                file.set_len(listed.bytes)?;
            }
            files.push(file);
        }
        let kept = files.iter().map(File::try_clone).collect::<io::Result<Vec<_>>>()?;
        let log = OpenOptions::new().append(true).open(folder.join(LOG))?;
        std::fs::write(folder.join(OPEN), &listing.open)?;
        std::fs::write(folder.join(LISTING), listing.to_bytes())?;
        let (batches, waiting) = channel();
        let thread = std::thread::spawn(move || keep(&kept, log, &waiting));
        let path = if listing.open.is_empty() { folder.to_owned() } else { folder.join(&listing.open) };
        let files = files.into_iter().map(Mutex::new).collect();
        let held = Mutex::new(Held { units, ..Held::default() });
        Ok(Partial { path, files, held, keeper: Some((batches, thread)) })
    }

    /// What to open of the files that an earlier transfer left in `folder`.
    pub fn left_in(folder: &Path) -> Option<PathBuf> {
        let open = std::fs::read_to_string(folder.join(OPEN)).ok()?;
        Some(if open.is_empty() { folder.to_owned() } else { folder.join(open) })
    }

    /// Reads what an earlier transfer left in `folder` and compares it with its checksums. Names the files that were damaged since, whose
    /// damaged units are forgotten: the next transfer brings them again, and whatever else was logged meanwhile.
    pub fn damaged(folder: &Path) -> io::Result<Vec<String>> {
        let listing = std::fs::read(folder.join(LISTING))?;
        let listing: Listing = postcard::from_bytes(&listing).map_err(io::Error::other)?;
        let log = std::fs::read(folder.join(LOG))?;
        let name = log_name(&listing);
        let Some((_, entries)) = log.split_first_chunk().filter(|(found, _)| **found == name) else {
            return Ok(Vec::new());
        };
        let files = listing.files.iter().map(|listed| File::open(folder.join(&listed.name)));
        let files = files.collect::<io::Result<Vec<_>>>()?;
        let (mut sound, mut damaged) = (name.to_vec(), std::collections::BTreeSet::new());
        let mut bytes = Vec::new();
        for found in entries.as_chunks::<ENTRY_BYTES>().0 {
            let size = |file: u32| listing.files.get(file as usize).map(|listed| listed.bytes);
            let Some(unit) = Unit::from_bytes(&unit_of(found), size) else { continue };
            bytes.resize(unit.bytes(), 0);
            let mut rows = bytes.chunks_exact_mut(unit.len as usize).enumerate();
            let file = &files[unit.file as usize];
            let read = rows.try_for_each(|(row, piece)| {
                file.read_exact_at(piece, unit.start + row as u64 * unit.stride)
            });
            match read.is_ok() && entry(&unit, crc32c::crc32c(&bytes)) == *found {
                true => sound.extend_from_slice(found),
                false => _ = damaged.insert(listing.files[unit.file as usize].name.clone()),
            }
        }
        if !damaged.is_empty() {
            let temporary = folder.join(format!("{LOG}.new"));
            std::fs::write(&temporary, sound)?;
            std::fs::rename(temporary, folder.join(LOG))?;
        }
        Ok(damaged.into_iter().collect())
    }

    /// What to open.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Those of `units` that are not here yet.
    pub fn missing(&self, units: &[Unit]) -> Vec<Unit> {
        let held = self.held();
        units.iter().filter(|unit| !held.units.contains(&unit.to_bytes())).copied().collect()
    }

    /// Takes a unit that was found to be whole.
    pub fn write(&self, unit: &Unit, bytes: &[u8]) -> io::Result<()> {
        let file = self.files.get(unit.file as usize).ok_or(io::ErrorKind::NotFound)?;
        let file = file.lock().unwrap_or_else(PoisonError::into_inner);
        for (row, piece) in bytes.chunks_exact(unit.len as usize).enumerate() {
            file.write_all_at(piece, unit.start + row as u64 * unit.stride)?;
        }
        drop(file);
        let mut held = self.held();
        held.units.insert(unit.to_bytes());
        held.unlogged.push(entry(unit, crc32c::crc32c(bytes)));
        held.unlogged_bytes += bytes.len();
        if held.unlogged_bytes >= SYNC_BYTES {
            self.hand_over(&mut held);
        }
        Ok(())
    }

    /// What came will be logged by and by; the thread ends when that is done.
    pub fn close(mut self) -> Option<JoinHandle<()>> {
        self.hand_over(&mut self.held());
        self.keeper.take().map(|(_, thread)| thread)
    }

    fn hand_over(&self, held: &mut Held) {
        held.unlogged_bytes = 0;
        let units = std::mem::take(&mut held.unlogged);
        if let Some((batches, _)) = &self.keeper
            && !units.is_empty()
        {
            let _ = batches.send(units);
        }
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        self.hand_over(&mut self.held());
        if let Some((batches, thread)) = self.keeper.take() {
            drop(batches);
            let _ = thread.join();
        }
    }
}

/// Of a listing, what its log begins with.
fn log_name(listing: &Listing) -> [u8; 32] {
    *blake3::Hasher::new().update(FORM).update(&listing.to_bytes()).finalize().as_bytes()
}

/// Logs each batch once the disk has it. What cannot be logged is fetched again some day.
fn keep(files: &[File], mut log: File, batches: &Receiver<Vec<Entry>>) {
    while let Ok(units) = batches.recv() {
        let kept = files.iter().try_for_each(File::sync_data);
        let logged = kept.and_then(|()| log.write_all(units.as_flattened())).and_then(|()| log.sync_data());
        if logged.is_err() {
            return;
        }
    }
}

/// Another node must not make us write where we did not mean to.
fn check(listing: &Listing) -> Result<(), WeightsError> {
    let plain = |name: &str| {
        let mut parts = Path::new(name).components();
        let single = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
        single && !name.starts_with('.') && !name.ends_with('/') && name.len() <= 255
    };
    let names: HashSet<&str> = listing.files.iter().map(|file| file.name.as_str()).collect();
    let sound = listing
        .files
        .iter()
        .all(|file| plain(&file.name) && file.header_bytes <= file.bytes && file.bytes <= FILE_BYTES_MAX);
    let opened = listing.open.is_empty() || names.contains(listing.open.as_str());
    let distinct = names.len() == listing.files.len() && (1..=FILES_MAX).contains(&names.len());
    if sound && opened && distinct { Ok(()) } else { Err(WeightsError::Nonsense) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Listed;

    #[test]
    fn a_listing_leads_nowhere_else() {
        let listing = |name: &str, open: &str| Listing {
            open: open.to_owned(),
            files: vec![Listed { name: name.to_owned(), bytes: 10, header_bytes: 1 }],
        };
        assert!(check(&listing("a.gguf", "a.gguf")).is_ok() && check(&listing("a.gguf", "")).is_ok());
        for name in ["../a", "/a", "a/b", ".have", "", ".", "a/"] {
            assert!(check(&listing(name, "")).is_err(), "{name}");
        }
        assert!(check(&listing("a", "b")).is_err());
        let mut twice = listing("a", "");
        twice.files.push(twice.files[0].clone());
        assert!(check(&twice).is_err());
        assert!(check(&Listing { open: String::new(), files: Vec::new() }).is_err());
    }
}
