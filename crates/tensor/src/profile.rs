//! Where a step's time goes, seen from the thread that leads it.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Time per kind of operator, summed over steps. A session adds to it; anyone may read it at any time.
#[derive(Debug, Default)]
pub struct Profile {
    nanos: [AtomicU64; Kind::ALL.len()],
    steps: AtomicU64,
}

/// What a stretch of a step is spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Norms, residuals, activation rounding, embeddings.
    Elementwise,
    Linear,
    GatedLinear,
    Experts,
    Attend,
    /// Layers that keep a state of fixed size.
    State,
    /// Inside [`Peers`](crate::Peers).
    Communication,
    /// At barriers, for the other threads.
    Waiting,
}

impl Kind {
    pub const ALL: [Kind; 8] = [
        Kind::Elementwise,
        Kind::Linear,
        Kind::GatedLinear,
        Kind::Experts,
        Kind::Attend,
        Kind::State,
        Kind::Communication,
        Kind::Waiting,
    ];
}

impl Profile {
    pub fn time(&self, kind: Kind) -> Duration {
        Duration::from_nanos(self.nanos[kind as usize].load(Ordering::Relaxed))
    }

    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    pub fn reset(&self) {
        self.nanos.iter().for_each(|nanos| nanos.store(0, Ordering::Relaxed));
        self.steps.store(0, Ordering::Relaxed);
    }

    pub fn count_step(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    pub fn add(&self, kind: Kind, time: Duration) {
        self.nanos[kind as usize].fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total: Duration = Kind::ALL.iter().map(|kind| self.time(*kind)).sum();
        let steps = self.steps().max(1) as f64;
        for kind in Kind::ALL {
            let time = self.time(kind).as_secs_f64();
            let share = 100.0 * time / total.as_secs_f64().max(1e-12);
            write!(f, "{kind:?} {:.1} us ({share:.1}%)  ", time * 1e6 / steps)?;
        }
        Ok(())
    }
}
