//! Weights from another node: only the bytes that are needed, each unit checked, into a sparse file that looks like the whole.
//!
//! Units carry a hash keyed with the errand's secret, which came over the control channel: what arrives damaged, or from
//! someone else, is noticed and asked for again. What has arrived is logged, so that a transfer can go on where it ended.

use std::collections::{HashSet, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tandem_fabric::{Arena, Completion, Deadline, Link, LinkError, LinkExt, NOTE_MAX};

use crate::slices::{UNIT_BYTES, Unit};

/// Units on their way at the same time.
const WINDOW: usize = 6;
/// Times a unit is asked for.
const TRIES: usize = 4;
const SILENCE_MAX: Duration = Duration::from_secs(20);
/// The log is written after so much, once the data is on the disk.
const SYNC_BYTES: usize = 256 << 20;

const END: u8 = 0;
const SIZES: u8 = 1;
const UNIT: u8 = 2;

#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    #[error("the link to the node that sends was lost: {0}")]
    Link(#[from] LinkError),
    #[error("cannot keep the weights: {0}")]
    Io(#[from] io::Error),
    #[error("no memory for the transfer: {0}")]
    Arena(#[from] tandem_fabric::ArenaError),
    #[error("bytes {start}.. arrived damaged {TRIES} times")]
    Damaged { start: u64 },
    #[error("the other node sent what was not asked for")]
    Nonsense,
}

/// What a transfer took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fetched {
    pub bytes: u64,
    /// Units that arrived damaged and were asked for again.
    pub damaged: usize,
}

/// Sends what is asked for until the other side has enough.
pub fn send(
    link: &mut dyn Link,
    arena: &Arena,
    secret: &[u8; 32],
    path: &Path,
    header_bytes: u64,
) -> Result<(), WeightsError> {
    send_tampered(link, arena, secret, path, header_bytes, &mut |_| {})
}

fn send_tampered(
    link: &mut dyn Link,
    arena: &Arena,
    secret: &[u8; 32],
    path: &Path,
    header_bytes: u64,
    tamper: &mut dyn FnMut(&mut [u8]),
) -> Result<(), WeightsError> {
    let file = File::open(path)?;
    let file_bytes = file.metadata()?.len();
    let mut note = [0; NOTE_MAX];
    let mut posted = 0;
    let mut gathered = Vec::new();
    loop {
        let deadline = Deadline::after(SILENCE_MAX);
        let len = link.recv_note(&mut note, deadline)?;
        match (note[0], len) {
            (END, _) => break,
            (SIZES, _) => {
                let mut sizes = [0; 16];
                sizes[..8].copy_from_slice(&file_bytes.to_le_bytes());
                sizes[8..].copy_from_slice(&header_bytes.to_le_bytes());
                link.send_note(&sizes, deadline)?;
            }
            (UNIT, 25) => {
                let asked = std::array::from_fn(|i| note[1 + i]);
                let unit = Unit::from_bytes(&asked, file_bytes).ok_or(WeightsError::Nonsense)?;
                while posted >= WINDOW {
                    link.wait(deadline)?;
                    posted -= 1;
                }
                let mut buf = arena.alloc(unit.bytes())?;
                read_unit(&file, &unit, &mut buf[..unit.bytes()], &mut gathered)?;
                let hash = blake3::keyed_hash(secret, &buf[..unit.bytes()]);
                tamper(&mut buf[..unit.bytes()]);
                link.send_note(hash.as_bytes(), deadline)?;
                link.post_send(buf.share().slice(0..unit.bytes()))?;
                posted += 1;
            }
            _ => return Err(WeightsError::Nonsense),
        }
    }
    while posted > 0 {
        link.wait(Deadline::after(SILENCE_MAX))?;
        posted -= 1;
    }
    Ok(())
}

/// Short strides are read with the gaps, which costs less than a read for each piece.
fn read_unit(file: &File, unit: &Unit, out: &mut [u8], gathered: &mut Vec<u8>) -> io::Result<()> {
    const SHORT: u64 = 16 << 10;
    let piece = unit.len as usize;
    if unit.count == 1 {
        return file.read_exact_at(out, unit.start);
    }
    if unit.stride > SHORT {
        for (row, out) in out.chunks_exact_mut(piece).enumerate() {
            file.read_exact_at(out, unit.start + row as u64 * unit.stride)?;
        }
        return Ok(());
    }
    gathered.resize((unit.end() - unit.start) as usize, 0);
    file.read_exact_at(gathered, unit.start)?;
    for (row, out) in out.chunks_exact_mut(piece).enumerate() {
        let at = row * unit.stride as usize;
        out.copy_from_slice(&gathered[at..at + piece]);
    }
    Ok(())
}

/// A file that is being filled, and the log of what it holds.
pub struct Partial {
    path: PathBuf,
    file: File,
    log: File,
    have: HashSet<[u8; 24]>,
    unlogged: Vec<[u8; 24]>,
    unsynced: usize,
}

impl Partial {
    pub fn open(path: &Path) -> io::Result<Partial> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        let mut log =
            OpenOptions::new().create(true).append(true).read(true).open(path.with_extension("have"))?;
        let mut bytes = Vec::new();
        log.read_to_end(&mut bytes)?;
        let have = bytes.as_chunks::<24>().0.iter().copied().collect();
        Ok(Partial { path: path.to_owned(), file, log, have, unlogged: Vec::new(), unsynced: 0 })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How large the whole is and how much of it is header, as the other node says; the file gets that size.
    pub fn sizes(&self, link: &mut dyn Link) -> Result<(u64, u64), WeightsError> {
        let deadline = Deadline::after(SILENCE_MAX);
        link.send_note(&[SIZES], deadline)?;
        let mut note = [0; NOTE_MAX];
        if link.recv_note(&mut note, deadline)? != 16 {
            return Err(WeightsError::Nonsense);
        }
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| note[at + i]));
        let (file_bytes, header_bytes) = (long(0), long(8));
        if header_bytes > file_bytes {
            return Err(WeightsError::Nonsense);
        }
        if self.file.metadata()?.len() != file_bytes {
            self.file.set_len(file_bytes)?;
        }
        Ok((file_bytes, header_bytes))
    }

    /// Brings the units that are not here yet. `progress` hears bytes done and bytes in all.
    pub fn fetch(
        &mut self,
        link: &mut dyn Link,
        arena: &Arena,
        secret: &[u8; 32],
        units: &[Unit],
        progress: &dyn Fn(u64, u64),
    ) -> Result<Fetched, WeightsError> {
        let missing = units.iter().filter(|unit| !self.have.contains(&unit.to_bytes()));
        let mut waiting: VecDeque<(Unit, usize)> = missing.map(|unit| (*unit, 1)).collect();
        let total: u64 = waiting.iter().map(|(unit, _)| unit.bytes() as u64).sum();
        let mut asked: VecDeque<(Unit, usize)> = VecDeque::new();
        let mut fetched = Fetched::default();
        let mut spare = Vec::new();
        for _ in 0..WINDOW.min(waiting.len()) {
            spare.push(arena.alloc(UNIT_BYTES as usize)?);
        }
        while !waiting.is_empty() || !asked.is_empty() {
            let deadline = Deadline::after(SILENCE_MAX);
            while asked.len() < WINDOW
                && !spare.is_empty()
                && let Some((unit, tries)) = waiting.pop_front()
            {
                if let Some(buf) = spare.pop() {
                    link.post_recv(buf)?;
                }
                let mut note = [UNIT; 25];
                note[1..].copy_from_slice(&unit.to_bytes());
                link.send_note(&note, deadline)?;
                asked.push_back((unit, tries));
            }
            let mut note = [0; NOTE_MAX];
            if link.recv_note(&mut note, deadline)? != 32 {
                return Err(WeightsError::Nonsense);
            }
            let Completion::Received { buf, len } = link.wait(deadline)? else {
                return Err(WeightsError::Nonsense);
            };
            let Some((unit, tries)) = asked.pop_front() else { return Err(WeightsError::Nonsense) };
            let hash: [u8; 32] = std::array::from_fn(|i| note[i]);
            let whole = len == unit.bytes()
                && blake3::keyed_hash(secret, &buf[..len]) == blake3::Hash::from_bytes(hash);
            if whole {
                for (row, piece) in buf[..len].chunks_exact(unit.len as usize).enumerate() {
                    self.file.write_all_at(piece, unit.start + row as u64 * unit.stride)?;
                }
                fetched.bytes += len as u64;
                self.note(unit)?;
                progress(fetched.bytes, total);
            } else if tries < TRIES {
                fetched.damaged += 1;
                waiting.push_back((unit, tries + 1));
            } else {
                return Err(WeightsError::Damaged { start: unit.start });
            }
            spare.push(buf);
        }
        self.flush()?;
        Ok(fetched)
    }

    /// The other side may go.
    pub fn end(link: &mut dyn Link) {
        let _ = link.send_note(&[END], Deadline::after(Duration::from_secs(1)));
    }

    fn note(&mut self, unit: Unit) -> io::Result<()> {
        self.unlogged.push(unit.to_bytes());
        self.unsynced += unit.bytes();
        if self.unsynced >= SYNC_BYTES { self.flush() } else { Ok(()) }
    }

    /// The log never says more than the disk has.
    fn flush(&mut self) -> io::Result<()> {
        if self.unlogged.is_empty() {
            return Ok(());
        }
        self.file.sync_data()?;
        self.log.write_all(self.unlogged.as_flattened())?;
        self.log.sync_data()?;
        self.have.extend(self.unlogged.drain(..));
        self.unsynced = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slices::range;
    use tandem_fabric::{Faults, MemLink, Rank};

    #[test]
    fn only_what_is_asked_for_comes_damaged_units_come_again_and_a_transfer_goes_on() {
        let folder = std::env::temp_dir().join(format!("tandem-weights-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (source, target) = (folder.join("source"), folder.join("target.gguf"));
        let bytes: Vec<u8> =
            (0..5_000_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        std::fs::write(&source, &bytes).unwrap();
        let columns = Unit { start: 2_000_100, stride: 1000, len: 300, count: 2000 };
        let units: Vec<_> = range(0, 1_500_000).chain([columns]).collect();

        let exchange = |units: &[Unit]| {
            let (mut near, mut far) = MemLink::pair(Rank(0), Rank(1), [Faults::default(); 2], false);
            std::thread::scope(|scope| {
                let sender = scope.spawn(|| {
                    let arena = Arena::new(16 << 20).unwrap();
                    let mut sent = 0;
                    let mut tamper = |bytes: &mut [u8]| {
                        sent += 1;
                        if sent == 2 {
                            bytes[77] ^= 1;
                        }
                    };
                    send_tampered(&mut far, &arena, &[3; 32], &source, 1000, &mut tamper).unwrap();
                });
                let arena = Arena::new(16 << 20).unwrap();
                let mut partial = Partial::open(&target).unwrap();
                assert_eq!(partial.sizes(&mut near).unwrap(), (5_000_000, 1000));
                let fetched = partial.fetch(&mut near, &arena, &[3; 32], units, &|_, _| {}).unwrap();
                Partial::end(&mut near);
                sender.join().unwrap();
                fetched
            })
        };
        let wanted: u64 = units.iter().map(|unit| unit.bytes() as u64).sum();
        assert_eq!(exchange(&units[..1]), Fetched { bytes: 1 << 20, damaged: 0 });
        let rest = exchange(&units);
        assert_eq!(
            rest,
            Fetched { bytes: wanted - (1 << 20), damaged: 1 },
            "what was here did not come again"
        );
        let found = std::fs::read(&target).unwrap();
        assert_eq!(found.len(), bytes.len());
        assert!(found[..1_500_000] == bytes[..1_500_000]);
        for row in 0..2000 {
            let at = 2_000_100 + row * 1000;
            assert!(found[at..at + 300] == bytes[at..at + 300]);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
