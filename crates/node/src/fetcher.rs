//! Finds a model's files, or brings what is needed of them from the nearest nodes that have them.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use tandem_cluster::{NodeId, Phase};
use tandem_fabric::{Attended, Encryption, Lobby};
use tandem_runtime::ModelFile;
use tokio::sync::{mpsc, watch};

use crate::errands;
use crate::frame::{Errand, Frame, Purpose};
use crate::hex::random_bytes;
use crate::placing::Body;
use crate::shelf::Shelf;
use crate::shell::Event;
use crate::slices::{Unit, of_program, range, units};
use crate::snapshot::Snapshot;
use crate::weights::haul::Haul;
use crate::weights::partial::Partial;
use crate::weights::{Lane, Listing, Offer, WeightsError};

/// Says, from a model's headers, which of its bytes are needed.
type Units<'a> = dyn Fn(&ModelFile) -> Result<Vec<Unit>, String> + 'a;

/// Links to the nodes that send: more than one, so that one carries while another's end checks and writes, and no more than
/// there are cores for.
pub(crate) fn lanes_max() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    (cores / 2).clamp(2, 4)
}

/// A haul of less is not worth a second link.
const ONE_LANE_BYTES: u64 = 16 << 20;
/// Times all sources may be tried in vain.
const VAIN_TRIES: usize = 3;

pub struct Fetcher {
    pub me: NodeId,
    pub shelf: Arc<Shelf>,
    /// Where parts of files are kept.
    pub folder: PathBuf,
    pub events: mpsc::UnboundedSender<Event>,
    pub snapshot: watch::Receiver<Arc<Snapshot>>,
    pub hosts: Box<dyn Fn() -> Vec<IpAddr> + Send + Sync>,
    pub encryption: Encryption,
    pub busy: Busy,
}

/// One fetch at a time for each folder; what the one before still has to put on the disk is waited for.
#[derive(Default)]
pub struct Busy(Mutex<HashMap<PathBuf, Turn>>);

type Turn = Arc<Mutex<Option<JoinHandle<()>>>>;

/// What is fetched.
struct Wanted<'a> {
    model: &'a str,
    version: u64,
    /// Tokenizer, template and facts, and no weights.
    heads_only: bool,
}

/// A node that has the files, and what the link to it carried when it was measured; 0 where it was not.
struct Source {
    node: NodeId,
    bytes_per_s: f64,
}

/// Why a try ended before all was here.
enum Setback {
    /// Others may do better.
    Source { reason: String, brought: bool },
    /// Nobody would.
    Here(String),
}

impl Fetcher {
    /// A model with everything that the rank reads.
    pub fn for_rank(
        &self,
        body: &Body,
        rank: usize,
        progress: &dyn Fn(u64, u64),
        stop: &AtomicBool,
    ) -> Result<PathBuf, String> {
        if let Some(path) = self.shelf.path(&body.model, body.version) {
            self.shelf.check_later(&body.model);
            return Ok(path);
        }
        let wanted = Wanted { model: &body.model, version: body.version, heads_only: false };
        let kept = partial_of(&self.folder, &body.model, body.version).is_some();
        let path = self.fetch(&wanted, progress, stop, &|file| {
            let model = file.description().map_err(|error| error.to_string())?;
            let shards = body.blueprint.shards(file, &model).map_err(|error| error.to_string())?;
            let shard = shards.get(rank).ok_or("the blueprint has no such rank")?;
            let program = file.program(&model, shard).map_err(|error| error.to_string())?;
            let mut units = of_program(file.weights(), &program).map_err(|error| error.to_string())?;
            // The leader looks at pictures.
            let tower = file.tower_program(&model).map_err(|error| error.to_string())?;
            if let Some(tower) = tower.filter(|_| rank == 0) {
                units.extend(of_program(file.weights(), &tower).map_err(|error| error.to_string())?);
            }
            Ok(units)
        })?;
        // What came now was checked as it came.
        if kept {
            self.shelf.check_partial_later(&body.model, &folder_of(&self.folder, &body.model, body.version));
        }
        Ok(path)
    }

    /// A model with at least the headers: tokenizer, template and facts.
    pub fn header(&self, model: &str, version: u64) -> Result<PathBuf, String> {
        let here = self.shelf.path(model, version).or_else(|| partial_of(&self.folder, model, version));
        match here {
            Some(path) => Ok(path),
            None => {
                let wanted = Wanted { model, version, heads_only: true };
                self.fetch(&wanted, &|_, _| {}, &AtomicBool::new(false), &|_| Ok(Vec::new()))
            }
        }
    }

    fn fetch(
        &self,
        wanted: &Wanted,
        progress: &dyn Fn(u64, u64),
        stop: &AtomicBool,
        needed: &Units,
    ) -> Result<PathBuf, String> {
        let model = wanted.model;
        let folder = folder_of(&self.folder, model, wanted.version);
        let turn = Arc::clone(lock(&self.busy.0).entry(folder.clone()).or_default());
        let mut keeper = lock(&turn);
        if let Some(keeper) = keeper.take() {
            let _ = keeper.join();
        }
        let mut in_vain = 0;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(format!("the transfer of the weights of {model} was cancelled"));
            }
            let setback = match self.bring(&folder, wanted, progress, stop, needed) {
                Ok(partial) => {
                    let path = partial.path().to_owned();
                    *keeper = partial.close();
                    return Ok(path);
                }
                Err(setback) => setback,
            };
            let reason = match setback {
                Setback::Source { brought: true, .. } => {
                    in_vain = 0;
                    continue;
                }
                Setback::Source { reason, .. } => {
                    in_vain += 1;
                    reason
                }
                Setback::Here(reason) => {
                    in_vain = VAIN_TRIES;
                    reason
                }
            };
            if in_vain >= VAIN_TRIES {
                return Err(format!("the weights of {model} could not be fetched: {reason}"));
            }
        }
    }

    /// One try, over links to the nearest nodes that have the files.
    fn bring(
        &self,
        folder: &Path,
        wanted: &Wanted,
        progress: &dyn Fn(u64, u64),
        stop: &AtomicBool,
        needed: &Units,
    ) -> Result<Partial, Setback> {
        let Wanted { model, version, .. } = *wanted;
        let sources = self.sources(wanted);
        if sources.is_empty() {
            let reason = format!("no live node has the files of {model} in version {version:016x}");
            return Err(Setback::Here(reason));
        }
        let meet = |node| self.meet(node, Purpose::Weights { model: model.to_owned(), version });
        let mut met = None;
        let mut last = String::new();
        for (index, source) in sources.iter().enumerate() {
            match meet(source.node) {
                Ok(meeting) => {
                    met = Some((index, meeting));
                    break;
                }
                Err(reason) => last = reason,
            }
        }
        let Some((index, (attended, secret))) = met else {
            return Err(Setback::Source { reason: last, brought: false });
        };
        let Attended { arena, mut links, pulse: _pulse } = attended;
        let lost = |error: WeightsError| Setback::Source { reason: error.to_string(), brought: false };
        let here = |error: &dyn std::fmt::Display| Setback::Here(error.to_string());
        let mut established = links
            .pop()
            .flatten()
            .ok_or_else(|| Setback::Source { reason: "no link".into(), brought: false })?;
        let mut lane = Lane::new(&mut *established.link, &arena, &secret).map_err(lost)?;

        let listing = lane.listing().map_err(lost)?;
        let partial = Partial::open(folder, &listing).map_err(|error| here(&error))?;
        one_lane(&partial, &heads(&listing), &mut lane)?;
        let weights = tandem_formats::open(partial.path()).map_err(|error| here(&error))?;
        one_lane(&partial, &units(&weights.needed_first()), &mut lane)?;
        let file = ModelFile::open(partial.path()).map_err(|error| here(&error))?;
        if file.weights().identity().header_hash != version {
            let reason = "the other node has another version of the files".into();
            return Err(Setback::Source { reason, brought: false });
        }

        let haul = Haul::new(&partial, &needed(&file).map_err(Setback::Here)?);
        let others = match haul.total_bytes() > ONE_LANE_BYTES {
            true => more_lanes(&sources[index..], lanes_max()),
            false => Vec::new(),
        };
        let mut lanes: Vec<Box<dyn FnOnce() + Send + '_>> = vec![Box::new(|| {
            let _ = haul.run(&mut lane);
            lane.end();
        })];
        for node in others {
            let (haul, meet) = (&haul, &meet);
            lanes.push(Box::new(move || {
                // The others do without it.
                let _ = meet(node).map(|mut meeting| run_lane(haul, &mut meeting));
            }));
        }
        haul.drive(lanes, progress, stop);
        let brought = haul.fetched().bytes > 0;
        match haul.finish() {
            Ok(_) => Ok(partial),
            Err(Some(error)) => Err(here(&error)),
            Err(None) => Err(Setback::Source {
                reason: "the connections to the nodes that have the files were lost".into(),
                brought,
            }),
        }
    }

    /// Live nodes that have the file, the nearest first; the heads of it are also with those that run the model.
    fn sources(&self, wanted: &Wanted) -> Vec<Source> {
        let snapshot = self.snapshot.borrow().clone();
        let has_file = |id: &NodeId| {
            let here = snapshot.inventories.get(id).and_then(|inventory| inventory.models.get(wanted.model));
            here.is_some_and(|here| here.version == wanted.version)
        };
        let runs = |id: &NodeId| {
            snapshot.parts.iter().any(|(node, part)| {
                node == id
                    && part.instance.model == wanted.model
                    && part.version == wanted.version
                    && part.phase == Phase::Ready
            })
        };
        let has = |id: &NodeId| *id != self.me && (has_file(id) || (wanted.heads_only && runs(id)));
        let rate = |id: &NodeId| {
            let from = |a: &NodeId, b: &NodeId| {
                snapshot.inventories.get(a)?.links.get(b).map(|link| link.bytes_per_s)
            };
            from(&self.me, id).or_else(|| from(id, &self.me)).unwrap_or(0.0)
        };
        let found = snapshot.live.iter().filter(|id| has(id));
        let mut sources: Vec<_> = found.map(|id| Source { node: *id, bytes_per_s: rate(id) }).collect();
        sources.sort_by(|a, b| b.bytes_per_s.total_cmp(&a.bytes_per_s));
        sources
    }

    pub(crate) fn meet(&self, node: NodeId, purpose: Purpose) -> Result<(Attended, [u8; 32]), String> {
        let hosts = (self.hosts)();
        let lobby = Lobby::open(errands::any_address(&hosts)).map_err(|error| error.to_string())?;
        let secret = random_bytes::<32>().map_err(|error| error.to_string())?;
        let addresses: Vec<_> =
            hosts.iter().map(|host| SocketAddr::new(*host, lobby.address().port())).collect();
        let texts = addresses.iter().map(SocketAddr::to_string).collect();
        let meet = Errand { addresses: texts, secret, purpose };
        let _ = self.events.send(Event::Send { to: node, frame: Frame::Errand(meet) });
        Ok((errands::attend(lobby, errands::HOST, secret, addresses, self.encryption)?, secret))
    }
}

/// What must be here before anything is known of the rest.
pub(crate) fn heads(listing: &Listing) -> Vec<Unit> {
    let files = listing.files.iter().enumerate();
    files.flat_map(|(file, listed)| range(file as u32, 0, listed.header_bytes)).collect()
}

fn one_lane(partial: &Partial, units: &[Unit], lane: &mut Lane) -> Result<(), Setback> {
    let haul = Haul::new(partial, units);
    let run = haul.run(lane);
    let brought = haul.fetched().bytes > 0;
    match (haul.finish(), run) {
        (Ok(_), _) => Ok(()),
        (Err(Some(error)), _) => Err(Setback::Here(error.to_string())),
        (Err(None), run) => {
            let reason = run.map_or_else(|error| error.to_string(), |()| "some of it did not come".into());
            Err(Setback::Source { reason, brought })
        }
    }
}

/// Whom the links after the first go to: two nodes share the work where there are two, unless the second is far.
fn more_lanes(sources: &[Source], lanes_max: usize) -> Vec<NodeId> {
    let Some(first) = sources.first() else { return Vec::new() };
    let second = sources.get(1).filter(|second| second.bytes_per_s >= first.bytes_per_s / 4.0);
    let turns = [second.unwrap_or(first), first].into_iter().cycle();
    turns.take(lanes_max - 1).map(|source| source.node).collect()
}

pub(crate) fn run_lane(haul: &Haul, meeting: &mut (Attended, [u8; 32])) -> Result<(), WeightsError> {
    let (Attended { arena, links, .. }, secret) = meeting;
    let Some(established) = links.last_mut().and_then(Option::as_mut) else { return Ok(()) };
    let mut lane = Lane::new(&mut *established.link, arena, secret)?;
    let run = haul.run(&mut lane);
    lane.end();
    run
}

/// The other side of it: sends pieces of a model's files to the node that asked. Where only a part of them is here, for a rank
/// that runs, their heads can be had.
pub fn serve(
    shelf: &Shelf,
    partials: &Path,
    attended: Attended,
    secret: &[u8; 32],
    model: &str,
    version: u64,
) -> Result<(), String> {
    let offer = match shelf.path(model, version) {
        Some(path) => Offer::of(&path)?,
        None => {
            Offer::of_heads(&partial_of(partials, model, version).ok_or("the file is not here any more")?)?
        }
    };
    let Attended { arena, mut links, pulse: _pulse } = attended;
    let mut established = links.swap_remove(usize::from(errands::HOST)).ok_or("no link was made")?;
    offer.send(&mut *established.link, &arena, secret).map_err(|error| error.to_string())
}

/// What was fetched from other nodes, by folder, with the files that were damaged since.
pub fn damaged_partials(home: &Path) -> Vec<(String, Vec<String>)> {
    let folders = std::fs::read_dir(home.join(PARTIALS)).into_iter().flatten().flatten();
    let mut found: Vec<_> = folders
        .filter_map(|folder| {
            let damaged = Partial::damaged(&folder.path()).ok()?;
            Some((folder.file_name().to_string_lossy().into_owned(), damaged))
        })
        .collect();
    found.sort();
    found
}

/// Where parts of models' files are kept, in a node's home.
pub const PARTIALS: &str = "partial";

/// Where parts of a model's files are kept.
fn folder_of(partials: &Path, model: &str, version: u64) -> PathBuf {
    let name: String = model.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    partials.join(format!("{name}-{version:016x}"))
}

/// What an earlier fetch left of these files, with their heads at least.
fn partial_of(partials: &Path, model: &str, version: u64) -> Option<PathBuf> {
    let path = Partial::left_in(&folder_of(partials, model, version))?;
    let weights = tandem_formats::open(&path).ok()?;
    (weights.identity().header_hash == version).then_some(path)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_near_sources_share_and_a_far_one_is_left_out() {
        let source = |name: u8, bytes_per_s: f64| Source { node: NodeId([name; 32]), bytes_per_s };
        let lanes = |sources: &[Source]| -> Vec<u8> {
            more_lanes(sources, 4).into_iter().map(|NodeId(bytes)| bytes[0]).collect()
        };
        assert_eq!(lanes(&[source(1, 0.0)]), [1, 1, 1]);
        assert_eq!(lanes(&[source(1, 4e9), source(2, 2e9), source(3, 1e9)]), [2, 1, 2]);
        assert_eq!(lanes(&[source(1, 4e9), source(2, 5e8)]), [1, 1, 1]);
        assert!(lanes(&[]).is_empty());
    }
}
