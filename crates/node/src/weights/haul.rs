//! Units on their way to a file over several links at once, perhaps from several nodes.
//!
//! Links take units from one list as fast as they bring them, each on a thread of its own that also checks and writes what it
//! brings. What a lost link had asked for goes back to the list, for the others.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::partial::Partial;
use super::{Lane, WeightsError};
use crate::slices::Unit;

/// Times a unit is asked for.
const TRIES: usize = 4;
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// What a transfer took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fetched {
    pub bytes: u64,
    /// Units that arrived damaged and were asked for again.
    pub damaged: usize,
}

pub struct Haul<'a> {
    partial: &'a Partial,
    total: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<(Unit, usize)>,
    under_way: usize,
    lanes: usize,
    fetched: Fetched,
    /// Ends it, whatever links are left.
    failed: Option<WeightsError>,
}

impl<'a> Haul<'a> {
    /// Of those of `units` that are missing.
    pub fn new(partial: &'a Partial, units: &[Unit]) -> Haul<'a> {
        let missing = partial.missing(units);
        let total = missing.iter().map(|unit| unit.bytes() as u64).sum();
        let waiting = missing.into_iter().map(|unit| (unit, 1)).collect();
        let state = Mutex::new(State { waiting, ..State::default() });
        Haul { partial, total, state, changed: Condvar::new() }
    }

    pub fn total_bytes(&self) -> u64 {
        self.total
    }

    pub fn fetched(&self) -> Fetched {
        self.state().fetched
    }

    /// Runs `lanes`, each of which should end in [`Haul::run`], until all is here or no lane is left. `progress` hears bytes
    /// done and bytes in all. It fails once `stop` is set.
    pub fn drive<L: FnOnce() + Send>(&self, lanes: Vec<L>, progress: &dyn Fn(u64, u64), stop: &AtomicBool) {
        self.state().lanes = lanes.len();
        std::thread::scope(|scope| {
            for lane in lanes {
                scope.spawn(move || {
                    lane();
                    self.state().lanes -= 1;
                    self.changed.notify_all();
                });
            }
            let mut state = self.state();
            while !state.is_over() && state.lanes > 0 {
                (state, _) =
                    self.changed.wait_timeout(state, PROGRESS_EVERY).unwrap_or_else(PoisonError::into_inner);
                let done = state.fetched.bytes;
                if stop.load(Ordering::Relaxed) && !state.is_over() {
                    state.failed = Some(WeightsError::Stopped);
                    self.changed.notify_all();
                }
                drop(state);
                progress(done, self.total);
                state = self.state();
            }
        });
    }

    /// Brings units over one link until none is left, the link is lost, or the haul failed.
    pub fn run(&self, lane: &mut Lane) -> Result<(), WeightsError> {
        let brought = self.bring(lane);
        let mut state = self.state();
        for given_back in lane.unanswered() {
            state.under_way -= 1;
            state.waiting.push_front(given_back);
        }
        self.changed.notify_all();
        brought
    }

    /// What came; the error where some of it did not, with the reason if it was not the links.
    pub fn finish(self) -> Result<Fetched, Option<WeightsError>> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.failed {
            Some(error) => Err(Some(error)),
            None if state.is_over() => Ok(state.fetched),
            None => Err(None),
        }
    }

    fn bring(&self, lane: &mut Lane) -> Result<(), WeightsError> {
        loop {
            while lane.has_room()
                && let Some((unit, tries)) = self.take(lane.under_way() == 0)
            {
                lane.ask(unit, tries)?;
            }
            if lane.under_way() == 0 {
                return Ok(());
            }
            let arrived = lane.next()?;
            let written = arrived.bytes().map(|bytes| self.partial.write(&arrived.unit, bytes));
            let mut state = self.state();
            state.under_way -= 1;
            match written {
                Some(Ok(())) => state.fetched.bytes += arrived.unit.bytes() as u64,
                Some(Err(error)) => state.failed = Some(error.into()),
                None if arrived.tries < TRIES => {
                    state.fetched.damaged += 1;
                    state.waiting.push_back((arrived.unit, arrived.tries + 1));
                }
                None => {
                    state.failed = Some(WeightsError::Damaged { start: arrived.unit.start, tries: TRIES });
                }
            }
            if state.is_over() || !state.waiting.is_empty() {
                self.changed.notify_all();
            }
            drop(state);
            lane.done_with(arrived);
        }
    }

    /// The next unit to ask for. A link that is `idle` waits for what others may have to give back.
    fn take(&self, idle: bool) -> Option<(Unit, usize)> {
        let mut state = self.state();
        loop {
            if state.is_over() {
                return None;
            }
            if let Some(next) = state.waiting.pop_front() {
                state.under_way += 1;
                return Some(next);
            }
            if !idle {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_over(&self) -> bool {
        self.failed.is_some() || (self.waiting.is_empty() && self.under_way == 0)
    }
}
