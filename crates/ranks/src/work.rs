//! The life of a worker process.

use std::collections::HashMap;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tandem_collectives::{Cost, Group, GroupError, GroupOptions, Traffic};
use tandem_devices::{DeviceError, Opened, Registry, Setup};
use tandem_engine::{Config, Constraint, Engine, Grammar, Grammars, Handle, Sight, Ticket, Tokens};
use tandem_fabric::{Deadline, Established, Lobby, Meeting, MeetingError, Rank, pin_to_cores};
use tandem_loading::{FileError, ModelFile, PREFILL_CHUNK, TowerPlan, available_bytes, widened};
use tandem_models::Shard;
use tandem_tensor::{Kind, PeerLost, Profile, WireType};

use crate::protocol::{Frames, FromWorker, Heard, LinkReport, ToWorker, write_frame};
use crate::registered::lender;
use crate::{
    BlueprintError, Cable, Exchange, Failure, Leader, Ready, Spent, Task, WorkerError, open_rank, serve,
};

/// Be a worker until whoever is at the other end of standard input, a socket made by
/// [`WorkerProcess::start`](crate::WorkerProcess::start), goes away. What it prints goes nowhere.
///
/// `grammars` reads a model's vocabulary, which this crate does not know, so that rank 0 can constrain answers.
pub fn work(grammars: MakeGrammars) -> io::Result<()> {
    work_with(&Registry::default(), grammars)
}

/// What constrains the answers of the model at a path.
pub type MakeGrammars = fn(&Path) -> Result<Arc<dyn Grammars>, String>;

/// As [`work`], with these kinds of devices for the task to name.
pub fn work_with(registry: &Registry, grammars: MakeGrammars) -> io::Result<()> {
    let stream = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let worker = Arc::new(Worker {
        reports: Mutex::new(stream.try_clone()?),
        engine: OnceLock::new(),
        traffic: OnceLock::new(),
        profile: Arc::default(),
        registry: registry.clone(),
        grammars,
    });
    let (lobbies, lobby) = channel();
    let (tasks, task) = channel();
    std::thread::Builder::new().name("rank".into()).spawn({
        let worker = Arc::clone(&worker);
        move || worker.compute(&lobby, &task)
    })?;
    worker.attend(&stream, &lobbies, &tasks)
}

struct Worker {
    reports: Mutex<UnixStream>,
    /// Of rank 0, once it is loaded.
    engine: OnceLock<Handle>,
    /// With how many ranks, once they have met.
    traffic: OnceLock<(Traffic, usize)>,
    profile: Arc<Profile>,
    registry: Registry,
    grammars: MakeGrammars,
}

/// How long ranks wait for each other to come together, and then for the slowest to load.
const MEET_MAX: Duration = Duration::from_secs(60);
const LOAD_MAX: Duration = Duration::from_secs(3600);
/// The longest that a rank may compute while others wait for it. A lost one is noticed long before, by its pulse.
const STEP_MAX: Duration = Duration::from_secs(600);
/// The least room for activations, orders and results that other ranks see. Pages of it are taken as they are used, and those are
/// in the plan ([`Exchange::bytes`]); but an RDMA adapter pins all of it, so that its limit (`ulimit -l`) must allow so much.
const ARENA_BYTES_MIN: u64 = 512 << 20;
const PROGRESS_EVERY: Duration = Duration::from_millis(50);

#[derive(Debug, thiserror::Error)]
enum WorkError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Meeting(#[from] MeetingError),
    #[error(transparent)]
    Group(#[from] GroupError),
    #[error(transparent)]
    Worker(#[from] WorkerError),
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(
        "not enough memory on the node of rank {rank}: weights {} MB, cache {} MB, working memory {} MB, but {} MB are \
         free; give it a smaller share, or choose a smaller context{}",
        weights / 1_000_000, cache / 1_000_000, scratch / 1_000_000, available / 1_000_000,
        limit.as_ref().map_or_else(String::new, |limit| format!("; {limit}"))
    )]
    Memory {
        rank: usize,
        weights: u64,
        cache: u64,
        scratch: u64,
        available: u64,
        /// How the device is given more, where the system keeps some from it.
        limit: Option<String>,
    },
}

impl WorkError {
    /// The rank whose loss this is.
    fn lost(&self) -> Option<usize> {
        match self {
            WorkError::Meeting(MeetingError::Absent { rank, .. } | MeetingError::Establish { rank, .. }) => {
                Some(rank.index())
            }
            WorkError::Group(GroupError::RankLost { rank, .. })
            | WorkError::Worker(WorkerError::Group(GroupError::RankLost { rank, .. })) => Some(rank.index()),
            WorkError::Worker(WorkerError::Lost(PeerLost { rank, .. })) => Some(*rank as usize),
            _ => None,
        }
    }
}

impl Worker {
    fn report(&self, report: &FromWorker) {
        let reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        // If nobody listens, the other thread finds out and ends the process.
        let _ = write_frame(&mut &*reports, report);
    }

    /// Hear orders until there is nobody to give any.
    fn attend(
        self: &Arc<Worker>,
        stream: &UnixStream,
        lobbies: &Sender<Lobby>,
        tasks: &Sender<Task>,
    ) -> io::Result<()> {
        let mut frames = Frames::new(stream);
        let tickets: Arc<Tickets> = Arc::default();
        loop {
            let order = match frames.next()? {
                Heard::Message(order) => order,
                Heard::Nothing => continue,
                Heard::End => return Ok(()),
            };
            match order {
                ToWorker::Listen { address } => {
                    let lobby = Lobby::open(address)?;
                    self.report(&FromWorker::Listening { address: lobby.address() });
                    let _ = lobbies.send(lobby);
                }
                ToWorker::Join(task) => drop(tasks.send(*task)),
                ToWorker::Ping => {
                    let engine = self.engine.get();
                    // A rank whose engine has ended is of no use, though its process lives.
                    if let Some(reason) = engine.and_then(Handle::ended) {
                        self.report(&FromWorker::Failed(Failure { lost: None, reason }));
                    }
                    let traffic =
                        self.traffic.get().map(|(traffic, ranks)| traffic.bytes()[..*ranks].to_vec());
                    let traffic_bytes = traffic.unwrap_or_default();
                    self.report(&FromWorker::Pong { load: engine.map(Tokens::load), traffic_bytes });
                }
                ToWorker::Measure => self.report(&FromWorker::Spent(self.spent())),
                ToWorker::Submit { id, request } => {
                    tickets.begin(id);
                    if request.constraint.is_none() && request.pictures.is_empty() {
                        self.submit(id, *request, &tickets);
                        continue;
                    }
                    // Compiling a grammar and looking at pictures take their time, and pings are to be answered meanwhile.
                    let (worker, tickets) = (Arc::clone(self), Arc::clone(&tickets));
                    let name = "submission".to_owned();
                    std::thread::Builder::new()
                        .name(name)
                        .spawn(move || worker.submit(id, *request, &tickets))?;
                }
                ToWorker::Cancel { id } => tickets.end(id),
            }
        }
    }

    fn spent(&self) -> Spent {
        let us = |kind| self.profile.time(kind).as_secs_f64() * 1e6;
        let all: f64 = Kind::ALL.into_iter().map(us).sum();
        let (exchanging_us, waiting_us) = (us(Kind::Communication), us(Kind::Waiting));
        let spent = Spent {
            steps: self.profile.steps(),
            computing_us: all - exchanging_us - waiting_us,
            kinds_us: Kind::ALL.into_iter().map(|kind| (format!("{kind:?}"), us(kind))).collect(),
            exchanging_us,
            waiting_us,
            resident_bytes: resident_bytes(),
        };
        self.profile.reset();
        spent
    }

    fn submit(self: &Arc<Worker>, id: u64, request: tandem_engine::Request, tickets: &Arc<Tickets>) {
        let Some(engine) = self.engine.get() else {
            tickets.end(id);
            let refused = tandem_engine::Refused::Stopped("the model is not loaded yet".into());
            return self.report(&FromWorker::Refused { id, refused });
        };
        let (worker, done) = (Arc::clone(self), Arc::clone(tickets));
        let taken = engine.submit(
            request,
            Box::new(move |event| {
                let last = event.is_last();
                worker.report(&FromWorker::Event { id, event });
                if last {
                    done.end(id);
                }
            }),
        );
        match taken {
            Ok(ticket) => {
                self.report(&FromWorker::Taken { id });
                tickets.taken(id, ticket);
            }
            Err(refused) => {
                tickets.end(id);
                self.report(&FromWorker::Refused { id, refused });
            }
        }
    }

    fn compute(self: &Arc<Worker>, lobby: &Receiver<Lobby>, task: &Receiver<Task>) {
        let (Ok(lobby), Ok(task)) = (lobby.recv(), task.recv()) else { return };
        let rank = task.rank;
        if let Err(error) = self.be(lobby, task) {
            let reason = match &error {
                WorkError::Group(_) | WorkError::Worker(WorkerError::Group(_) | WorkerError::Lost(_)) => {
                    error.to_string()
                }
                own => format!("rank {rank}: {own}"),
            };
            self.report(&FromWorker::Failed(Failure { lost: error.lost(), reason }));
        }
    }

    /// Become the task's rank and serve until told to stop. Everything that can be refused is refused before the ranks
    /// meet, and so before any of them loads.
    fn be(self: &Arc<Worker>, lobby: Lobby, task: Task) -> Result<(), WorkError> {
        if !task.cores.is_empty() {
            pin_to_cores(&task.cores)?;
        }
        let mut blueprint = task.blueprint.clone();
        let file = ModelFile::open(&task.model)?;
        let model = file.description()?;
        let shards = blueprint.shards(&file, &model)?;
        let no_rank = BlueprintError::NoSuchRank { rank: task.rank, ranks: shards.len() };
        let shard = shards.get(task.rank).ok_or(no_rank)?;
        let program = file.program(&model, &Shard { exact_sums: false, ..shard.clone() })?;
        let arena = Arc::default();
        let setup = Setup {
            threads: Some(task.threads),
            profile: Some(Arc::clone(&self.profile)),
            lender: Some(lender(&arena)),
            wanted_bytes: program.weight_bytes(),
        };
        let Opened { backend, free_bytes, limit, .. } = self.registry.open(&task.device, setup)?;
        // Parts that are rounded on the way would not be exact.
        blueprint.exact_sums &= backend.sums_exactly() && blueprint.wire == WireType::F32;
        let shard = &Shard { exact_sums: blueprint.exact_sums, ..shard.clone() };
        let program = file.program(&model, shard)?;
        let available = free_bytes.or_else(available_bytes);
        if let (1, Some(available)) = (shards.len(), available) {
            blueprint.tokens_max = widened(&*backend, &program, blueprint.limits(), available).tokens_max;
        }
        let mut needed = backend.footprint(&program, &blueprint.limits());
        if shards.len() > 1 {
            let (stages, sum_width) = (blueprint.stages.len(), program.exchange_width());
            let vocab = shard.vocab.len();
            needed.scratch +=
                Exchange::new(&blueprint.limits(), stages, model.hidden, sum_width, vocab).bytes();
        }
        // What it sees pictures with works beside the rank, in memory that no other rank sees.
        let mut tower = None;
        if task.rank == 0
            && let Some(plan) = TowerPlan::of(&file, &model)?
        {
            let setup = Setup { threads: Some(task.threads), ..Setup::default() };
            let beside = self.registry.open(&task.device, setup)?.backend;
            let own = plan.footprint(&*beside);
            needed.weights += own.weights;
            needed.scratch += own.cache + own.scratch;
            tower = Some((plan, beside));
        }
        if let Some(available) = available
            && needed.total() > available
        {
            let (weights, cache, scratch) = (needed.weights, needed.cache, needed.scratch);
            return Err(WorkError::Memory { rank: task.rank, weights, cache, scratch, available, limit });
        }
        let of_tower = tower.as_ref().map_or(0, |(plan, _)| plan.program().weight_bytes());
        let total = program.weight_bytes() + of_tower;
        drop(program);
        // Sums keep a buffer for every other rank, and what they give back is found again.
        let arena_bytes = ARENA_BYTES_MIN.max(2 * needed.scratch);

        let me = Rank(task.rank as u16);
        let attended = task.meeting.attend(lobby, me, arena_bytes as usize, Deadline::after(MEET_MAX))?;
        let _ = arena.set(attended.arena.clone());
        let links =
            attended.links.iter().enumerate().filter_map(|(to, link)| Some(describe(to, link.as_ref()?)));
        let links = links.collect();
        let raw = attended.links.into_iter().map(|link| link.map(|link| link.link)).collect();
        let options = GroupOptions {
            timeout: MEET_MAX,
            cost: cost(blueprint.cable, &task.meeting),
            ..GroupOptions::default()
        };
        let mut group = Group::form(me, raw, &attended.arena, options)?;
        group.watch(attended.pulse);
        let _ = self.traffic.set((group.traffic(), group.size()));
        if task.blueprint.exact_sums {
            // Ranks that add up their parts must make them alike.
            let mut able = [f32::from(u8::from(blueprint.exact_sums))];
            group.sum(&mut able)?;
            blueprint.exact_sums = able[0] == shards.len() as f32;
        }
        let blueprint = &blueprint;

        let progress =
            Progress { worker: self, total, loaded: AtomicU64::new(0), last: Mutex::new(Instant::now()) };
        let (session, program) =
            open_rank(blueprint, &file, task.rank, &*backend, &|bytes| progress.add(bytes))?;
        let exchanges_by = session.exchanges_by();
        let ready = || {
            self.report(&FromWorker::Ready(Ready {
                links,
                exchanges_by,
                weights_bytes: needed.weights,
                cache_bytes: needed.cache,
                scratch_bytes: needed.scratch,
                resident_bytes: resident_bytes(),
            }));
        };
        if task.rank > 0 {
            return Ok(serve(
                blueprint,
                group,
                session,
                &program,
                shard.vocab.clone(),
                LOAD_MAX,
                STEP_MAX,
                ready,
            )?);
        }
        let tower = tower.map(|(plan, beside)| plan.open(&file, &*beside, &|bytes| progress.add(bytes)));
        let tower = tower.transpose().map_err(WorkerError::from)?;
        let worker = Arc::downgrade(self);
        let on_lost = move |lost: &PeerLost| {
            if let Some(worker) = worker.upgrade() {
                let failure = Failure { lost: Some(lost.rank as usize), reason: lost.to_string() };
                worker.report(&FromWorker::Failed(failure));
            }
        };
        let leader = Leader::new(blueprint, &shards, group, session, &program, LOAD_MAX, STEP_MAX, on_lost)?;
        let config = Config {
            limits: blueprint.limits(),
            vocab: model.vocab,
            sequences_max: blueprint.sequences_max,
            prefill_chunk: PREFILL_CHUNK,
            waiting_max: task.waiting_max,
        };
        let mut engine = Engine::new(Box::new(leader), config).with_grammars(Arc::new(LateGrammars {
            model: task.model.clone(),
            make: self.grammars,
            made: OnceLock::new(),
        }));
        if let Some(tower) = tower {
            let (rows, bytes) = (tower.rows(), tower.picture_bytes());
            let look = move |picture: &[u8]| tower.look(picture).map_err(|lost| lost.to_string());
            engine = engine.with_sight(Sight::new(rows, bytes, look));
        }
        let _ = self.engine.set(Handle::spawn(engine)?);
        ready();
        Ok(())
    }
}

/// The requests that were sent here and are not done.
#[derive(Default)]
struct Tickets {
    /// Without a ticket while the engine has not taken it yet.
    of: Mutex<HashMap<u64, Option<Ticket>>>,
}

impl Tickets {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Option<Ticket>>> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, id: u64) {
        self.lock().insert(id, None);
    }

    /// A request that was cancelled or done meanwhile gets no place for its ticket, whose end cancels it.
    fn taken(&self, id: u64, ticket: Ticket) {
        let unwanted = match self.lock().get_mut(&id) {
            Some(place) => place.replace(ticket),
            None => Some(ticket),
        };
        drop(unwanted);
    }

    fn end(&self, id: u64) {
        // Dropped once the lock is let go: a ticket tells the engine.
        let ended = self.lock().remove(&id);
        drop(ended);
    }
}

/// Reads the model's vocabulary when the first constraint comes; most requests have none.
struct LateGrammars {
    model: PathBuf,
    make: MakeGrammars,
    made: OnceLock<Result<Arc<dyn Grammars>, String>>,
}

impl Grammars for LateGrammars {
    fn compile(&self, constraint: &Constraint) -> Result<Box<dyn Grammar>, String> {
        self.made
            .get_or_init(|| (self.make)(&self.model))
            .as_ref()
            .map_err(String::clone)?
            .compile(constraint)
    }
}

/// What a message costs, where the cable was measured or a delay is added; otherwise the group goes by the kinds of its links.
fn cost(cable: Option<Cable>, meeting: &Meeting) -> Option<Cost> {
    let delay_us = meeting.terms.delay_us as f32;
    let measured = cable.map(|cable| Cost {
        latency_us: cable.round_trip_us as f32 / 2.0,
        bytes_per_us: (cable.bytes_per_s / 1e6) as f32,
    });
    let known = measured.or((delay_us > 0.0).then(Cost::default))?;
    Some(Cost { latency_us: known.latency_us + delay_us, ..known })
}

fn describe(to: usize, link: &Established) -> LinkReport {
    let reasons = link.reasons.iter().map(|(kind, why)| format!("{kind}: {why}")).collect();
    LinkReport { to, kind: link.kind.to_string(), secrecy: link.secrecy.to_string(), reasons }
}

/// Tells of loading, not too often.
struct Progress<'a> {
    worker: &'a Worker,
    total: u64,
    loaded: AtomicU64,
    last: Mutex<Instant>,
}

impl Progress<'_> {
    fn add(&self, bytes: u64) {
        let loaded = self.loaded.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if loaded >= self.total || last.elapsed() >= PROGRESS_EVERY {
            *last = Instant::now();
            self.worker.report(&FromWorker::Progress { loaded, total: self.total });
        }
    }
}

/// What this process holds.
fn resident_bytes() -> Option<u64> {
    tandem_loading::resident_bytes(std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_fabric::LinkTerms;

    #[test]
    fn a_measured_cable_says_what_a_message_costs() {
        let meeting = |delay_us| Meeting::new(Vec::new(), LinkTerms { delay_us, ..LinkTerms::default() });
        let fast = Cable { round_trip_us: 10.0, bytes_per_s: 5e9 };
        let slow = Cable { round_trip_us: 3.0, bytes_per_s: 1e8 };
        let found = cost(Some(fast.slower(slow)), &meeting(0)).unwrap();
        assert_eq!((found.latency_us, found.bytes_per_us), (5.0, 100.0));
        let found = cost(Some(fast), &meeting(200)).unwrap();
        assert_eq!((found.latency_us, found.bytes_per_us), (205.0, 5000.0));
        // Nothing is known: the group goes by the kinds of its links.
        assert_eq!(cost(None, &meeting(0)), None);
    }
}
