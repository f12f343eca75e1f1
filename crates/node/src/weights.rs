//! Weights over a link: one end asks for units of a model's files, the other sends them.
//!
//! Every answer carries a hash keyed with the errand's secret, which came over the control channel: what arrives damaged, or
//! from someone else, is noticed and asked for again.

pub mod haul;
pub mod partial;
#[cfg(test)]
mod tests;

use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_fabric::{Arena, Buf, Completion, Deadline, Link, LinkError, LinkExt, NOTE_MAX, Patience};

use crate::slices::{UNIT_BYTES, Unit, UnitBytes, units};

/// Units on their way at the same time, on one link.
pub const WINDOW: usize = 4;
/// A node that sends answers within this time.
const ANSWER_MAX: Duration = Duration::from_secs(8);
/// A node that receives may wait for its disk.
const ASK_MAX: Duration = Duration::from_secs(60);

/// Bounds what a missed wake-up costs.
const PARK_MAX: Duration = Duration::from_millis(2);

const END: u8 = 0;
const LIST: u8 = 1;
const UNIT: u8 = 2;

#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    #[error("the link to the node that sends was lost: {0}")]
    Link(#[from] LinkError),
    #[error("cannot keep the weights: {0}")]
    Io(#[from] io::Error),
    #[error("no memory for the transfer: {0}")]
    Arena(#[from] tandem_fabric::ArenaError),
    #[error("bytes {start}.. arrived damaged {tries} times")]
    Damaged { start: u64, tries: usize },
    #[error("the other node sent what was not asked for")]
    Nonsense,
    #[error("the transfer was cancelled")]
    Stopped,
}

/// A model's files, as the node that has them says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// The file to open; empty where it is the folder.
    pub open: String,
    pub files: Vec<Listed>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    pub name: String,
    pub bytes: u64,
    /// What of it must be there before anything else can be asked for; all of a small file.
    pub header_bytes: u64,
}

impl Listing {
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).unwrap_or_default()
    }
}

/// The files of a model that is here.
pub struct Offer {
    listing: Listing,
    files: Vec<File>,
    /// Beside the heads, only these; the rest of the files may not be here.
    only: Option<HashSet<UnitBytes>>,
}

/// What lies beside safetensors and is needed with them: configuration, tokenizer, template.
const BESIDE: [&str; 4] = ["json", "jinja", "model", "txt"];
const BESIDE_BYTES_MAX: u64 = 256 << 20;

impl Offer {
    pub fn of(path: &Path) -> Result<Offer, String> {
        let weights = tandem_formats::open(path).map_err(|error| error.to_string())?;
        let mut heads: Vec<_> =
            weights.files().into_iter().map(|file| (file.path, file.bytes, file.header_bytes)).collect();
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
        let is_gguf = heads.iter().any(|(path, ..)| path.extension().is_some_and(|it| it == "gguf"));
        let beside = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
        for entry in beside.flatten().filter(|_| !is_gguf) {
            let (path, found) = (entry.path(), entry.metadata().map_err(|error| error.to_string())?);
            let wanted =
                path.extension().is_some_and(|extension| BESIDE.iter().any(|known| extension == *known));
            if wanted && found.is_file() && found.len() <= BESIDE_BYTES_MAX {
                heads.push((path, found.len(), found.len()));
            }
        }
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let open = if path.is_dir() { String::new() } else { name(path) };
        let listed = heads.iter().map(|(path, bytes, header_bytes)| Listed {
            name: name(path),
            bytes: *bytes,
            header_bytes: *header_bytes,
        });
        let listing = Listing { open, files: listed.collect() };
        let files = heads.iter().map(|(path, ..)| File::open(path)).collect::<io::Result<_>>();
        Ok(Offer { listing, files: files.map_err(|error| error.to_string())?, only: None })
    }

    /// Of any files; `listing` names them in that order.
    pub fn of_opened(listing: Listing, files: Vec<File>) -> Offer {
        Offer { listing, files, only: None }
    }

    /// Of files that are here in part: what tells of a model without its weights.
    pub fn of_heads(path: &Path) -> Result<Offer, String> {
        let weights = tandem_formats::open(path).map_err(|error| error.to_string())?;
        let first = units(&weights.needed_first()).into_iter().map(Unit::to_bytes).collect();
        Ok(Offer { only: Some(first), ..Offer::of(path)? })
    }

    /// Sends what is asked for until the other side has enough.
    pub fn send(&self, link: &mut dyn Link, arena: &Arena, secret: &[u8; 32]) -> Result<(), WeightsError> {
        self.send_tampered(link, arena, secret, &mut |_| true)
    }

    /// `tamper` may change an answer after it was hashed, and end it all.
    fn send_tampered(
        &self,
        link: &mut dyn Link,
        arena: &Arena,
        secret: &[u8; 32],
        tamper: &mut dyn FnMut(&mut [u8]) -> bool,
    ) -> Result<(), WeightsError> {
        let mut note = [0; NOTE_MAX];
        let mut posted = 0;
        let mut gathered = Vec::new();
        loop {
            let len = until(link, Deadline::after(ASK_MAX), |link| link.try_recv_note(&mut note))?;
            let deadline = Deadline::after(ASK_MAX);
            let asked = note[1..].first_chunk::<28>().filter(|_| len == 29);
            let mut buf = match (note[0], asked) {
                (END, _) => break,
                (LIST, _) => {
                    let bytes = self.listing.to_bytes();
                    let mut buf = arena.alloc(bytes.len())?;
                    buf.copy_from_slice(&bytes);
                    buf
                }
                (UNIT, Some(asked)) => {
                    let bytes_here = |file: u32| {
                        let listed = self.listing.files.get(file as usize)?;
                        let some = self.only.as_ref().is_some_and(|only| !only.contains(asked));
                        Some(if some { listed.header_bytes } else { listed.bytes })
                    };
                    let unit = Unit::from_bytes(asked, bytes_here).ok_or(WeightsError::Nonsense)?;
                    while posted >= WINDOW {
                        until(link, deadline, |link| link.poll())?;
                        posted -= 1;
                    }
                    let mut buf = arena.alloc(unit.bytes())?;
                    read_unit(&self.files[unit.file as usize], &unit, &mut buf, &mut gathered)?;
                    buf
                }
                _ => return Err(WeightsError::Nonsense),
            };
            let hash = blake3::keyed_hash(secret, &buf);
            if !tamper(&mut buf) {
                return Err(WeightsError::Nonsense);
            }
            link.send_note(hash.as_bytes(), deadline)?;
            link.post_send(buf.share())?;
            posted += 1;
        }
        while posted > 0 {
            until(link, Deadline::after(ASK_MAX), |link| link.poll())?;
            posted -= 1;
        }
        Ok(())
    }
}

/// Until `look` finds something. Others have work for the core meanwhile: nobody spins here.
fn until<T>(
    link: &mut dyn Link,
    deadline: Deadline,
    mut look: impl FnMut(&mut dyn Link) -> Result<Option<T>, LinkError>,
) -> Result<T, LinkError> {
    loop {
        if let Some(found) = look(link)? {
            return Ok(found);
        }
        if deadline.expired() {
            return Err(Patience::until(deadline).silent(link.peer()));
        }
        link.park(deadline.remaining().min(PARK_MAX))?;
    }
}

/// Short strides are read with the gaps, which costs less than a read for each piece.
fn read_unit(file: &File, unit: &Unit, out: &mut [u8], gathered: &mut Vec<u8>) -> io::Result<()> {
    const SHORT: u64 = 16 << 10;
    const GATHER_BYTES: u64 = 256 << 10;
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
    // Few enough rows at a time that they are still in the cache when they are picked from.
    let rows_at_once = (GATHER_BYTES / unit.stride.max(1)).clamp(1, u64::from(unit.count)) as usize;
    for (batch, out) in out.chunks_mut(rows_at_once * piece).enumerate() {
        let rows = out.len() / piece;
        let first = (batch * rows_at_once) as u64;
        // The last row ends with its piece: what follows may lie beyond the end of the file.
        gathered.resize((rows - 1) * unit.stride as usize + piece, 0);
        file.read_exact_at(gathered, unit.start + first * unit.stride)?;
        for (row, out) in out.chunks_exact_mut(piece).enumerate() {
            let at = row * unit.stride as usize;
            out.copy_from_slice(&gathered[at..at + piece]);
        }
    }
    Ok(())
}

/// The end of a link that asks.
pub struct Lane<'a> {
    link: &'a mut dyn Link,
    secret: &'a [u8; 32],
    spare: Vec<Buf>,
    asked: VecDeque<(Unit, usize)>,
}

/// A unit that came, with how often it was asked for; no bytes where they are damaged.
pub struct Arrived {
    pub unit: Unit,
    pub tries: usize,
    buf: Buf,
    len: Option<usize>,
}

impl Arrived {
    pub fn bytes(&self) -> Option<&[u8]> {
        self.len.map(|len| &self.buf[..len])
    }
}

impl<'a> Lane<'a> {
    pub fn new(
        link: &'a mut dyn Link,
        arena: &Arena,
        secret: &'a [u8; 32],
    ) -> Result<Lane<'a>, WeightsError> {
        let spare = (0..WINDOW).map(|_| arena.alloc(UNIT_BYTES as usize)).collect::<Result<_, _>>()?;
        Ok(Lane { link, secret, spare, asked: VecDeque::new() })
    }

    /// Asked for before any unit.
    pub fn listing(&mut self) -> Result<Listing, WeightsError> {
        let buf = self.spare.pop().ok_or(WeightsError::Nonsense)?;
        self.link.post_recv(buf)?;
        self.link.send_note(&[LIST], Deadline::after(ANSWER_MAX))?;
        let (buf, len) = self.answer()?;
        let listing = len.and_then(|len| postcard::from_bytes(&buf[..len]).ok());
        self.spare.push(buf);
        listing.ok_or(WeightsError::Nonsense)
    }

    /// Whether another unit may be asked for before one has come.
    pub fn has_room(&self) -> bool {
        !self.spare.is_empty()
    }

    pub fn under_way(&self) -> usize {
        self.asked.len()
    }

    pub fn ask(&mut self, unit: Unit, tries: usize) -> Result<(), WeightsError> {
        self.asked.push_back((unit, tries));
        let buf = self.spare.pop().ok_or(WeightsError::Nonsense)?;
        self.link.post_recv(buf)?;
        let mut note = [UNIT; 1 + size_of::<UnitBytes>()];
        note[1..].copy_from_slice(&unit.to_bytes());
        Ok(self.link.send_note(&note, Deadline::after(ANSWER_MAX))?)
    }

    /// The oldest unit that was asked for.
    pub fn next(&mut self) -> Result<Arrived, WeightsError> {
        let (buf, len) = self.answer()?;
        let (unit, tries) = self.asked.pop_front().ok_or(WeightsError::Nonsense)?;
        Ok(Arrived { unit, tries, buf, len: len.filter(|len| *len == unit.bytes()) })
    }

    /// Its memory is needed for the next.
    pub fn done_with(&mut self, arrived: Arrived) {
        self.spare.push(arrived.buf);
    }

    /// What was asked for and did not come.
    pub fn unanswered(&mut self) -> impl Iterator<Item = (Unit, usize)> {
        self.asked.drain(..)
    }

    /// The other side may go.
    pub fn end(self) {
        let _ = self.link.send_note(&[END], Deadline::after(Duration::from_secs(1)));
    }

    /// A message and its length, where it is as it was sent.
    fn answer(&mut self) -> Result<(Buf, Option<usize>), WeightsError> {
        let deadline = Deadline::after(ANSWER_MAX);
        let mut note = [0; NOTE_MAX];
        if until(self.link, deadline, |link| link.try_recv_note(&mut note))? != 32 {
            return Err(WeightsError::Nonsense);
        }
        let Completion::Received { buf, len } = until(self.link, deadline, |link| link.poll())? else {
            return Err(WeightsError::Nonsense);
        };
        let hash: [u8; 32] = std::array::from_fn(|i| note[i]);
        let whole = blake3::keyed_hash(self.secret, &buf[..len]) == blake3::Hash::from_bytes(hash);
        Ok((buf, whole.then_some(len)))
    }
}
