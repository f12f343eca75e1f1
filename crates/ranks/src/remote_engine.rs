//! An engine in another process.

use std::collections::HashMap;
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tandem_engine::{Event, Load, RankReport, Refused, Request, Sink, Ticket, Tokens};

use crate::protocol::{FromWorker, Spent, ToWorker, write_frame};
use crate::{Failure, Ready};

/// Rank 0's engine, from outside its process. Cheap to clone; every clone is the same engine.
#[derive(Clone)]
pub struct RemoteEngine {
    shared: Arc<Shared>,
}

struct Shared {
    stream: Mutex<UnixStream>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    rank: Option<usize>,
    next_id: u64,
    /// Requests that were sent and neither taken nor refused.
    asked: HashMap<u64, Sender<Result<(), Refused>>>,
    sinks: HashMap<u64, Arc<Mutex<Sink>>>,
    load: Option<Load>,
    traffic_bytes: Vec<u64>,
    measuring: Option<Sender<Spent>>,
    /// Made when the rank is ready; times are added whenever a report is asked for.
    report: Option<RankReport>,
    failure: Option<Failure>,
}

/// Handles what the worker says about requests.
pub(crate) struct Replies {
    shared: Arc<Shared>,
}

/// A rank that is too busy to say where its time goes is not waited for.
const MEASURED_WITHIN: Duration = Duration::from_secs(2);

impl RemoteEngine {
    pub(crate) fn new(stream: UnixStream) -> (RemoteEngine, Replies) {
        let shared = Arc::new(Shared { stream: Mutex::new(stream), state: Mutex::default() });
        (RemoteEngine { shared: Arc::clone(&shared) }, Replies { shared })
    }

    pub(crate) fn send(&self, message: &ToWorker) -> io::Result<()> {
        let stream = self.shared.stream.lock().unwrap_or_else(PoisonError::into_inner);
        write_frame(&mut &*stream, message)
    }

    pub(crate) fn set_rank(&self, rank: usize) {
        self.shared.state().rank = Some(rank);
    }

    pub(crate) fn rank(&self) -> Option<usize> {
        self.shared.state().rank
    }

    /// Why the engine has ended, if it has.
    pub fn failure(&self) -> Option<Failure> {
        self.shared.state().failure.clone()
    }

    /// Ends every request, now and from now on. The first reason holds.
    pub fn fail(&self, failure: &Failure) {
        let mut state = self.shared.state();
        let first = state.failure.get_or_insert_with(|| failure.clone()).clone();
        state.asked.clear();
        state.measuring = None;
        let sinks: Vec<_> = state.sinks.drain().collect();
        drop(state);
        for (_, sink) in sinks {
            sink.lock().unwrap_or_else(PoisonError::into_inner)(Event::Failed(first.reason.clone()));
        }
    }

    /// Where the rank's time went since the last call.
    pub(crate) fn spent(&self) -> Option<Spent> {
        let (sender, answer) = channel();
        let mut state = self.shared.state();
        if state.failure.is_some() {
            return None;
        }
        state.measuring = Some(sender);
        drop(state);
        self.send(&ToWorker::Measure).ok()?;
        answer.recv_timeout(MEASURED_WITHIN).ok()
    }

    pub(crate) fn set_ready(&self, ready: &Ready) {
        self.shared.state().report = Some(RankReport {
            links: ready.links.iter().map(|link| (link.to, link.kind.clone())).collect(),
            exchanges_by: ready.exchanges_by.clone(),
            resident_bytes: ready.resident_bytes,
            ..RankReport::default()
        });
    }

    /// How the rank fares, once it is ready; as last known where it does not say.
    pub fn report(&self) -> Option<RankReport> {
        self.shared.state().report.as_ref()?;
        let spent = self.spent().unwrap_or_default();
        let mut state = self.shared.state();
        let report = state.report.as_mut()?;
        report.computing_us += spent.computing_us;
        report.exchanging_us += spent.exchanging_us;
        report.resident_bytes = spent.resident_bytes.or(report.resident_bytes);
        Some(report.clone())
    }

    /// Bytes that came to this rank from each rank so far, by its number, as it last said; empty before it has met them.
    pub fn traffic_bytes(&self) -> Vec<u64> {
        self.shared.state().traffic_bytes.clone()
    }

    fn stopped(&self) -> Refused {
        let failure = self.failure();
        Refused::Stopped(
            failure.map_or_else(|| "its process does not answer".into(), |failure| failure.reason),
        )
    }
}

impl Tokens for RemoteEngine {
    fn submit(&self, request: Request, events: Sink) -> Result<Ticket, Refused> {
        let (taken, answer) = channel();
        let id = {
            let mut state = self.shared.state();
            if state.failure.is_some() {
                drop(state);
                return Err(self.stopped());
            }
            state.next_id += 1;
            let id = state.next_id;
            state.asked.insert(id, taken);
            state.sinks.insert(id, Arc::new(Mutex::new(events)));
            id
        };
        let sent = self.send(&ToWorker::Submit { id, request: Box::new(request) });
        let answer = sent.ok().and_then(|()| answer.recv().ok()).unwrap_or_else(|| Err(self.stopped()));
        if let Err(refused) = answer {
            self.shared.state().sinks.remove(&id);
            return Err(refused);
        }
        let engine = self.clone();
        Ok(Ticket::new(move || {
            let _ = engine.send(&ToWorker::Cancel { id });
        }))
    }

    fn load(&self) -> Load {
        let state = self.shared.state();
        let load = state.load.unwrap_or_default();
        // Only this process submits, so it knows best how many there are.
        let waiting = state.sinks.len().saturating_sub(load.running);
        Load { waiting, stopped: state.failure.is_some(), ..load }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Replies {
    pub fn hear(&self, reply: FromWorker) {
        let answered = |id, answer| {
            if let Some(asked) = self.shared.state().asked.remove(&id) {
                let _ = asked.send(answer);
            }
        };
        match reply {
            FromWorker::Taken { id } => answered(id, Ok(())),
            FromWorker::Refused { id, refused } => answered(id, Err(refused)),
            FromWorker::Spent(spent) => {
                if let Some(measuring) = self.shared.state().measuring.take() {
                    let _ = measuring.send(spent);
                }
            }
            FromWorker::Pong { load, traffic_bytes } => {
                let mut state = self.shared.state();
                (state.load, state.traffic_bytes) = (load, traffic_bytes);
            }
            FromWorker::Event { id, event } => {
                let sink = {
                    let mut state = self.shared.state();
                    if event.is_last() { state.sinks.remove(&id) } else { state.sinks.get(&id).cloned() }
                };
                // Outside the lock: a sink may submit again.
                if let Some(sink) = sink {
                    sink.lock().unwrap_or_else(PoisonError::into_inner)(event);
                }
            }
            _ => {}
        }
    }
}
