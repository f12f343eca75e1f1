//! How a step passes from the device to the host and back, where ranks exchange something in the middle of it.
//!
//! What a device can do and what each way costs is measured when a session is opened that exchanges anything; the fastest way
//! whose values were right is taken.

use std::time::Duration;

use crate::lanes::Lanes;

/// Rounds that are measured of each way, and those before them that are not.
const ROUNDS: usize = 32;
const UNMEASURED: usize = 4;
/// Values of a round: one row of a model.
const ROUND_LEN: usize = 4096;
/// A round that takes longer means that the way does not work.
const ROUND_MAX: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The next piece of a step is submitted while one runs; kernels on either side of an exchange write a word that the host polls,
    /// and poll, no longer than a bound, a word that the host writes.
    Flags,
    /// All pieces of a step are queued at once, or the next one while one runs, each behind a semaphore, or on Metal an event; the host
    /// polls a word that a kernel writes.
    Queued,
    /// Pieces that were recorded before are submitted again; the host polls a word that a kernel writes.
    Polled,
    /// Recorded anew, submitted and waited for, with a copy to memory that is mapped and one back.
    Waited,
}

impl Way {
    pub const ALL: [Way; 4] = [Way::Flags, Way::Queued, Way::Polled, Way::Waited];

    /// Whether a device's part in it is played here, for tests.
    pub fn is_played(self) -> bool {
        self == Way::Flags && !cfg!(target_os = "macos")
    }

    pub fn name(self) -> &'static str {
        match self {
            Way::Flags => "flags both ways",
            Way::Queued => "queued behind a semaphore or event, a word polled",
            Way::Polled => "submitted again, a word polled",
            Way::Waited => "submitted and waited for",
        }
    }
}

/// What one way costs for a round trip, or why it cannot be used.
#[derive(Clone, Debug)]
pub struct Timing {
    pub way: Way,
    /// Median and 99th percentile.
    pub found: Result<(Duration, Duration), String>,
}

impl std::fmt::Display for Timing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let micros = |time: &Duration| time.as_secs_f64() * 1e6;
        match &self.found {
            Ok((median, p99)) => {
                write!(f, "{}: {:.0} µs (p99 {:.0})", self.way.name(), micros(median), micros(p99))
            }
            Err(reason) => write!(f, "{}: {reason}", self.way.name()),
        }
    }
}

/// What each way costs; only one of them where it is given.
pub fn measure(lanes: &Lanes, only: Option<Way>) -> Vec<Timing> {
    let ways = Way::ALL.into_iter().filter(|way| only.is_none_or(|only| only == *way));
    let timed = ways.map(|way| {
        let found = lanes.rounds(way, UNMEASURED + ROUNDS, ROUND_LEN, ROUND_MAX).map(|mut times| {
            times.drain(..UNMEASURED);
            times.sort_unstable();
            (times[ROUNDS / 2], times[ROUNDS * 99 / 100])
        });
        Timing { way, found }
    });
    timed.collect()
}

/// The fastest; one that is played only where there is no other.
pub fn choose(timings: Vec<Timing>) -> Option<Timing> {
    let passed = timings.into_iter().filter(|timing| timing.found.is_ok());
    passed
        .min_by_key(|timing| (timing.way.is_played(), timing.found.as_ref().ok().map(|(median, _)| *median)))
}
