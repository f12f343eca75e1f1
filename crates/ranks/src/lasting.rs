//! A group of processes that is started again when one of them is lost.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use tandem_engine::{Event, Load, RankReport, Refused, Request, Sink, Ticket, Tokens};
use tandem_loading::Options;

use crate::{LocalError, LocalGroup, LocalNodes};

/// A [`LocalGroup`] that outlives its processes. When one is killed or hangs, all are started again, and requests go on from the
/// tokens they have, as they do in a cluster.
pub struct LastingGroup {
    shared: Arc<Shared>,
}

struct Shared {
    start: Box<dyn Fn() -> Result<LocalGroup, LocalError> + Send + Sync>,
    state: Mutex<State>,
}

struct State {
    group: Current,
    /// Requests whose group was lost.
    waiting: Vec<Flight>,
    /// As last known.
    load: Load,
}

enum Current {
    Running(Arc<LocalGroup>),
    Starting,
    /// It could not be started again.
    Ended(String),
}

/// A request and what has come of it so far.
struct Flight {
    request: Request,
    submitted: Instant,
    answered: Vec<u32>,
    /// Scores of the prompt that were told, and how many of those the group at hand tells again.
    scored: usize,
    told: usize,
    /// Losses since the last token: a request that takes its group down is not tried for ever.
    losses: usize,
    events: Sink,
    handle: Arc<Mutex<Handle>>,
}

/// How whoever asked stops a request, whichever group it is on.
#[derive(Default)]
struct Handle {
    cancelled: bool,
    ticket: Option<Ticket>,
}

/// The most losses in a row that a request without a new token may see.
const LOSSES_MAX: usize = 2;

impl LastingGroup {
    /// As [`LocalGroup::start`]; `progress` hears of the first time only.
    pub fn start(
        path: &Path,
        options: &Options,
        nodes: &LocalNodes,
        worker: impl Fn() -> Command + Send + Sync + 'static,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<LastingGroup, LocalError> {
        let group = LocalGroup::start(path, options, nodes, &worker, progress)?;
        let (path, nodes) = (path.to_owned(), nodes.clone());
        // Another context would refuse what the first one took.
        let options = Options { context: Some(group.memory().context), ..options.clone() };
        let start = move || LocalGroup::start(&path, &options, &nodes, &worker, &|_, _| {});
        let load = group.load();
        let state = State { group: Current::Running(Arc::new(group)), waiting: Vec::new(), load };
        Ok(LastingGroup { shared: Arc::new(Shared { start: Box::new(start), state: Mutex::new(state) }) })
    }

    /// The processes' ids, by rank; none while they are being started again.
    pub fn processes(&self) -> Vec<u32> {
        match &self.shared.state().group {
            Current::Running(group) => group.processes(),
            _ => Vec::new(),
        }
    }
}

impl Tokens for LastingGroup {
    fn submit(&self, mut request: Request, events: Sink) -> Result<Ticket, Refused> {
        // What is drawn again after a loss must come out the same.
        request.sampling.seed.get_or_insert_with(rand_seed);
        let handle = Arc::<Mutex<Handle>>::default();
        let flight = Flight {
            request,
            submitted: Instant::now(),
            answered: Vec::new(),
            scored: 0,
            told: 0,
            losses: 0,
            events,
            handle: Arc::clone(&handle),
        };
        self.shared.launch(flight).map_err(|back| back.1)?;
        Ok(Ticket::new(move || {
            let mut handle = lock(&handle);
            handle.cancelled = true;
            if let Some(ticket) = &handle.ticket {
                ticket.cancel();
            }
        }))
    }

    fn load(&self) -> Load {
        let mut state = self.shared.state();
        let state = &mut *state;
        match &state.group {
            // A group that was lost is started again with the next request.
            Current::Running(group) => state.load = Load { stopped: false, ..group.load() },
            Current::Starting => state.load.waiting = state.waiting.len(),
            Current::Ended(_) => state.load.stopped = true,
        }
        state.load
    }

    fn ranks(&self) -> Vec<RankReport> {
        let group = match &self.shared.state().group {
            Current::Running(group) => Arc::clone(group),
            _ => return Vec::new(),
        };
        Tokens::ranks(&*group)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Submits a request to the group that runs, or lets it wait for one. What is refused comes back.
    fn launch(self: &Arc<Shared>, mut flight: Flight) -> Result<(), Box<(Flight, Refused)>> {
        loop {
            let group = {
                let mut state = self.state();
                match &state.group {
                    Current::Running(group) => Arc::clone(group),
                    Current::Starting => {
                        state.waiting.push(flight);
                        return Ok(());
                    }
                    Current::Ended(reason) => {
                        let refused = Refused::Stopped(reason.clone());
                        return Err(Box::new((flight, refused)));
                    }
                }
            };
            flight.told = flight.scored;
            let (request, handle) = (flight.resumed(), Arc::clone(&flight.handle));
            // Whoever takes it out decides what becomes of it: the sink, or this function where it is refused.
            let place = Arc::new(Mutex::new(Some(flight)));
            let sink = sink(Arc::downgrade(self), Arc::downgrade(&group), Arc::clone(&place));
            let refused = match group.submit(request, sink) {
                Ok(ticket) => {
                    let mut handle = lock(&handle);
                    if handle.cancelled {
                        ticket.cancel();
                    }
                    handle.ticket = Some(ticket);
                    return Ok(());
                }
                Err(refused) => refused,
            };
            let Some(back) = lock(&place).take() else { return Ok(()) };
            if group.engine().failure().is_none() {
                return Err(Box::new((back, refused)));
            }
            flight = back;
            self.restart(&group);
        }
    }

    /// The same for a request that was taken before, which can only fail.
    fn launch_or_fail(self: &Arc<Shared>, flight: Flight) {
        if let Err(back) = self.launch(flight) {
            let (mut flight, refused) = *back;
            (flight.events)(Event::Refused(refused));
        }
    }

    /// Starts the group again, unless somebody else has.
    fn restart(self: &Arc<Shared>, lost: &Arc<LocalGroup>) {
        let mut state = self.state();
        if !matches!(&state.group, Current::Running(group) if Arc::ptr_eq(group, lost)) {
            return;
        }
        let old = std::mem::replace(&mut state.group, Current::Starting);
        drop(state);
        let shared = Arc::clone(self);
        std::thread::spawn(move || {
            // Its memory is needed.
            drop(old);
            let started = (shared.start)();
            let mut state = shared.state();
            state.group = match started {
                Ok(group) => Current::Running(Arc::new(group)),
                Err(error) => Current::Ended(error.to_string()),
            };
            let waiting = std::mem::take(&mut state.waiting);
            drop(state);
            for flight in waiting {
                shared.launch_or_fail(flight);
            }
        });
    }

    /// A request whose group was lost.
    fn lost(self: &Arc<Shared>, mut flight: Flight, group: Weak<LocalGroup>, reason: String) {
        flight.losses += 1;
        if flight.losses > LOSSES_MAX {
            (flight.events)(Event::Failed(reason));
            return;
        }
        if let Some(group) = group.upgrade() {
            self.restart(&group);
            // The last reference may be this one, and a group waits for the thread that this runs on.
            std::thread::spawn(move || drop(group));
        }
        self.launch_or_fail(flight);
    }
}

/// Passes events on, and keeps what a new group must know.
fn sink(shared: Weak<Shared>, group: Weak<LocalGroup>, place: Arc<Mutex<Option<Flight>>>) -> Sink {
    Box::new(move |mut event| {
        let mut place = lock(&place);
        let Some(flight) = place.as_mut() else { return };
        match &mut event {
            Event::Token { id, .. } => {
                flight.answered.push(*id);
                flight.losses = 0;
            }
            Event::Scored(scores) => {
                // A new group begins with those that were told already.
                let told = flight.told.min(scores.len());
                flight.told -= told;
                scores.drain(..told);
                flight.scored += scores.len();
            }
            Event::Failed(reason) => {
                let was_lost = group.upgrade().is_none_or(|group| {
                    let lost = group.engine().failure().is_some();
                    std::thread::spawn(move || drop(group));
                    lost
                });
                let (reason, flight) = (reason.clone(), place.take());
                drop(place);
                match (was_lost, shared.upgrade(), flight) {
                    (true, Some(shared), Some(flight)) => shared.lost(flight, group.clone(), reason),
                    (_, _, Some(mut flight)) => (flight.events)(event),
                    _ => {}
                }
                return;
            }
            _ => {}
        }
        (flight.events)(event);
    })
}

impl Flight {
    /// What a new group is asked for: the rest of the answer, in the rest of the time.
    fn resumed(&self) -> Request {
        let mut request = self.request.clone();
        request.prompt.extend_from_slice(&self.answered);
        request.resumed += self.answered.len();
        request.deadline = request.deadline.map(|whole| whole.saturating_sub(self.submitted.elapsed()));
        // Scores are told before the first token.
        request.score_prompt &= self.answered.is_empty();
        request
    }
}

fn rand_seed() -> u64 {
    use std::hash::BuildHasher;
    std::hash::RandomState::new().hash_one(0)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
