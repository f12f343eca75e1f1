use std::{
    hint, thread,
    time::{Duration, Instant},
};

use crate::{Completion, Deadline, Link, LinkError, Lost, NOTE_MAX, Rank};

/// How a wait passes its time: first it spins, because an answer usually comes within microseconds; then it yields the
/// core between looks, because the peer may need it; then it sleeps.
#[derive(Debug)]
pub struct Patience {
    deadline: Deadline,
    looks: u32,
    /// Set at the first look at the clock, which is not the first look at the link.
    since: Option<Instant>,
}

/// What to do before looking again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Look,
    /// Sleep in [`Link::park`] for at most this long.
    Park(Duration),
    Expired,
}

/// Looks between two looks at the clock, which costs more than a look.
const LOOKS_PER_CLOCK: u32 = 64;
const SPIN: Duration = Duration::from_micros(40);
const YIELD: Duration = Duration::from_millis(1);
/// Bounds what a missed wake-up costs, and how late a dead peer is noticed.
const PARK_MAX: Duration = Duration::from_millis(2);

impl Patience {
    pub fn until(deadline: Deadline) -> Self {
        Self { deadline, looks: 0, since: None }
    }

    /// Call after each look that found nothing.
    #[inline]
    pub fn step(&mut self) -> Step {
        self.looks = self.looks.wrapping_add(1);
        if !self.looks.is_multiple_of(LOOKS_PER_CLOCK) && self.looks < 1 << 30 {
            hint::spin_loop();
            return Step::Look;
        }
        self.slow_step()
    }

    #[cold]
    fn slow_step(&mut self) -> Step {
        let now = Instant::now();
        let waited = now - *self.since.get_or_insert(now);
        if waited < SPIN {
            return Step::Look;
        }
        if self.deadline.expired() {
            return Step::Expired;
        }
        // From here on every step comes here.
        self.looks = LOOKS_PER_CLOCK - 1;
        if waited < YIELD {
            thread::yield_now();
            return Step::Look;
        }
        Step::Park(PARK_MAX.min(self.deadline.remaining()))
    }

    /// The error for an expired wait on `rank`.
    pub fn silent(&self, rank: Rank) -> LinkError {
        LinkError::PeerLost { rank, why: Lost::Silent { waited: self.deadline.waited() } }
    }
}

/// The blocking forms of [`Link`]'s calls. Each returns by its deadline, with `PeerLost` if the peer did not do its part.
pub trait LinkExt: Link {
    /// The next completion.
    fn wait(&mut self, deadline: Deadline) -> Result<Completion, LinkError> {
        self.until(deadline, |link| link.poll())
    }

    fn send_note(&mut self, note: &[u8], deadline: Deadline) -> Result<(), LinkError> {
        self.until(deadline, |link| Ok(link.try_send_note(note)?.then_some(())))
    }

    /// The next note; returns its length.
    fn recv_note(&mut self, into: &mut [u8; NOTE_MAX], deadline: Deadline) -> Result<usize, LinkError> {
        self.until(deadline, |link| link.try_recv_note(into))
    }

    /// Repeats `look` until it finds something.
    fn until<T>(
        &mut self,
        deadline: Deadline,
        mut look: impl FnMut(&mut Self) -> Result<Option<T>, LinkError>,
    ) -> Result<T, LinkError> {
        let mut patience = Patience::until(deadline);
        loop {
            if let Some(found) = look(self)? {
                return Ok(found);
            }
            match patience.step() {
                Step::Look => {}
                Step::Park(at_most) => self.park(at_most)?,
                Step::Expired => return Err(patience.silent(self.peer())),
            }
        }
    }
}

impl<L: Link + ?Sized> LinkExt for L {}
