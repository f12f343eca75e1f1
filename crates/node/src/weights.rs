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
    use crate::errands::{GUEST, HOST};
    use crate::slices::{of_program, range};
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Instant;
    use tandem_fabric::{Attended, LinkTerms, Lobby, Meeting, Rank};
    use tandem_ranks::LinkChoice;
    use tandem_runtime::ModelFile;

    const SECRET: [u8; 32] = [3; 32];
    const ARENA_BYTES: usize = 32 << 20;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("tandem-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    /// Runs both ends of a real TCP link.
    fn over_tcp<T>(
        host: impl FnOnce(&mut dyn Link, &Arena) -> T,
        guest: impl FnOnce(&mut dyn Link, &Arena) + Send,
    ) -> T {
        let open = || Lobby::open(IpAddr::V4(Ipv4Addr::LOCALHOST)).unwrap();
        let lobbies = [open(), open()];
        let addresses = lobbies.iter().map(|lobby| vec![lobby.address()]).collect();
        let terms = LinkTerms { link: LinkChoice::Tcp, ..LinkTerms::default() };
        let meeting = Meeting::new(addresses, terms);
        let attend = |lobby, me: u16| {
            let deadline = Deadline::after(SILENCE_MAX);
            let attended = meeting.attend(lobby, Rank(me), ARENA_BYTES, deadline).unwrap();
            let Attended { arena, mut links, pulse } = attended;
            (arena, links.swap_remove(usize::from(1 - me)).unwrap().link, pulse)
        };
        let [near, far] = lobbies;
        std::thread::scope(|scope| {
            let attend = &attend;
            let other = scope.spawn(move || {
                let (arena, mut link, _pulse) = attend(far, GUEST);
                guest(&mut *link, &arena);
            });
            let (arena, mut link, _pulse) = attend(near, HOST);
            let done = host(&mut *link, &arena);
            other.join().unwrap();
            done
        })
    }

    /// Fetches `units`; the second that is sent arrives damaged.
    fn exchange(source: &Path, target: &Path, header_bytes: u64, units: &[Unit]) -> Fetched {
        over_tcp(
            |link, arena| {
                let mut partial = Partial::open(target).unwrap();
                let file_bytes = source.metadata().unwrap().len();
                assert_eq!(partial.sizes(link).unwrap(), (file_bytes, header_bytes));
                let fetched = partial.fetch(link, arena, &SECRET, units, &|_, _| {}).unwrap();
                Partial::end(link);
                fetched
            },
            |link, arena| {
                let mut sent = 0;
                let mut tamper = |bytes: &mut [u8]| {
                    sent += 1;
                    if sent == 2 {
                        bytes[77] ^= 1;
                    }
                };
                send_tampered(link, arena, &SECRET, source, header_bytes, &mut tamper).unwrap();
            },
        )
    }

    #[test]
    fn only_what_is_asked_for_comes_damaged_units_come_again_and_a_transfer_goes_on() {
        let folder = Folder::new("weights");
        let (source, target) = (folder.0.join("source"), folder.0.join("target.gguf"));
        let bytes: Vec<u8> =
            (0..5_000_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        std::fs::write(&source, &bytes).unwrap();
        let columns = Unit { start: 2_000_100, stride: 1000, len: 300, count: 2000 };
        let units: Vec<_> = range(0, 1_500_000).chain([columns]).collect();
        let wanted: u64 = units.iter().map(|unit| unit.bytes() as u64).sum();
        let first = exchange(&source, &target, 1000, &units[..1]);
        assert_eq!(first, Fetched { bytes: 1 << 20, damaged: 0 });
        let rest = exchange(&source, &target, 1000, &units);
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
    }

    /// The header, which every node needs, and the bytes of one of two ranks.
    fn half(source: &Path) -> (u64, Vec<Unit>) {
        let file = ModelFile::open(source).unwrap();
        let model = file.description().unwrap();
        let shards = file.divide(&model, 0..model.layers.len(), &[1.0, 1.0]).unwrap();
        let program = file.program(&model, &shards[1]).unwrap();
        let gguf = file.gguf().unwrap();
        let header_bytes = gguf.header_bytes().unwrap();
        (header_bytes, range(0, header_bytes).chain(of_program(gguf, &program).unwrap()).collect())
    }

    #[test]
    fn a_second_node_fetches_its_half_of_a_model() {
        let source = std::env::var_os("TANDEM_SMOLLM2")
            .expect("TANDEM_SMOLLM2 must name the SmolLM2 GGUF file; `cargo xtask test` sets it");
        let (folder, source) = (Folder::new("half"), PathBuf::from(source));
        let target = folder.0.join("half.gguf");
        let (header_bytes, units) = half(&source);
        let fetched = exchange(&source, &target, header_bytes, &units);
        let whole = source.metadata().unwrap().len() - header_bytes;
        let weights = fetched.bytes - header_bytes;
        println!("{weights} of {whole} bytes of weights, and a header of {header_bytes}");
        assert_eq!(fetched.damaged, 1);
        assert!((0.45..0.55).contains(&(weights as f64 / whole as f64)), "{weights} of {whole}");
        let (found, expected) = (std::fs::read(&target).unwrap(), std::fs::read(&source).unwrap());
        for unit in units {
            for row in 0..u64::from(unit.count) {
                let start = (unit.start + row * unit.stride) as usize;
                let piece = start..start + unit.len as usize;
                assert!(found[piece.clone()] == expected[piece], "{unit:?}");
            }
        }
    }

    /// A transfer against what the link itself carries, in turns: `TANDEM_WEIGHTS` names the file,
    /// `cargo test --release -p tandem-node --lib rate -- --ignored --nocapture`.
    #[test]
    #[ignore = "a measurement"]
    fn rate_of_a_transfer() {
        let source =
            PathBuf::from(std::env::var_os("TANDEM_WEIGHTS").expect("TANDEM_WEIGHTS names a GGUF file"));
        let folder = Folder::new("rate");
        let (header_bytes, units) = half(&source);
        let total: u64 = units.iter().map(|unit| unit.bytes() as u64).sum();
        let _in_page_cache = std::fs::read(&source).unwrap();
        for turn in 0..5 {
            let raw = raw_rate(total);
            let target = folder.0.join(format!("{turn}.gguf"));
            let rate = over_tcp(
                |link, arena| {
                    let mut partial = Partial::open(&target).unwrap();
                    partial.sizes(link).unwrap();
                    let begin = Instant::now();
                    let fetched = partial.fetch(link, arena, &SECRET, &units, &|_, _| {}).unwrap();
                    let rate = fetched.bytes as f64 / begin.elapsed().as_secs_f64();
                    Partial::end(link);
                    rate
                },
                |link, arena| send(link, arena, &SECRET, &source, header_bytes).unwrap(),
            );
            std::fs::remove_file(&target).unwrap();
            println!(
                "{total} bytes: link {:.2} GB/s, transfer {:.2} GB/s, {:.0}%",
                raw / 1e9,
                rate / 1e9,
                rate / raw * 100.0
            );
        }
    }

    /// Messages of a unit's size, with as many on their way as a transfer has.
    fn raw_rate(total: u64) -> f64 {
        let count = total.div_ceil(UNIT_BYTES) as usize;
        over_tcp(
            |link, arena| {
                let begin = Instant::now();
                for _ in 0..WINDOW.min(count) {
                    link.post_recv(arena.alloc(UNIT_BYTES as usize).unwrap()).unwrap();
                }
                for got in 1..=count {
                    let Completion::Received { buf, .. } = link.wait(Deadline::after(SILENCE_MAX)).unwrap()
                    else {
                        panic!("nothing was sent")
                    };
                    if got + WINDOW <= count {
                        link.post_recv(buf).unwrap();
                    }
                }
                let rate = (count as u64 * UNIT_BYTES) as f64 / begin.elapsed().as_secs_f64();
                Partial::end(link);
                rate
            },
            |link, arena| {
                let mut spare: Vec<_> =
                    (0..WINDOW).map(|_| arena.alloc(UNIT_BYTES as usize).unwrap().share()).collect();
                for _ in 0..count {
                    let buf = spare.pop().unwrap_or_else(|| {
                        let Completion::Sent(buf) = link.wait(Deadline::after(SILENCE_MAX)).unwrap() else {
                            panic!("nothing was sent back")
                        };
                        buf
                    });
                    link.post_send(buf).unwrap();
                }
                link.recv_note(&mut [0; NOTE_MAX], Deadline::after(SILENCE_MAX)).unwrap();
            },
        )
    }
}
