use std::time::{Duration, Instant};

/// The moment by which a wait must have ended. Every wait in this crate takes one.
///
/// ```
/// use std::time::Duration;
/// use tandem_fabric::Deadline;
/// let deadline = Deadline::after(Duration::from_secs(2));
/// assert!(!deadline.expired());
/// assert!(deadline.remaining() <= Duration::from_secs(2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    started: Instant,
    at: Instant,
}

impl Deadline {
    pub fn after(allowed: Duration) -> Self {
        let started = Instant::now();
        // A caller who says "practically never" should not overflow the clock.
        let year = Duration::from_secs(365 * 24 * 3600);
        Self { started, at: started + allowed.min(year) }
    }

    pub fn expired(&self) -> bool {
        Instant::now() >= self.at
    }

    /// Time left; zero once expired.
    pub fn remaining(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// How long the wait has lasted, for messages.
    pub fn waited(&self) -> Duration {
        self.started.elapsed()
    }
}
