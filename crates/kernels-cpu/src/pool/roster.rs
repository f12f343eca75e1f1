//! Which threads take part.
//!
//! Between two barriers everyone waits for the last. A thread whose core is also used by another program stands still for
//! milliseconds at a time, and with it the whole team: then fewer threads are faster. So while the team loses more time by waiting
//! than a thread fewer would cost it, a thread sits out, asleep, which leaves a core to the other program and the other cores to the
//! team. After a while it is tried again.
//!
//! It is the team that is judged. Whom it waits for says little: the system moves threads from core to core.

use std::time::{Duration, Instant};

/// A thread of `n` brings an `n`th of the speed; it sits out when waiting costs nearly as much, this share of it.
const WORTH: f64 = 0.8;
/// So much time must be lost beyond that; less while a thread is being tried.
const DEBT_MAX: Duration = Duration::from_millis(10);
const DEBT_MAX_ON_TRIAL: Duration = Duration::from_millis(3);
/// For how long a thread sits out at first; twice as long each time that it has to leave again soon.
const AWAY_MIN: Duration = Duration::from_millis(100);
const AWAY_MAX: Duration = Duration::from_millis(3200);
const SOON: Duration = Duration::from_secs(10);
/// Runs of so much time make a trial. One thread is tried at a time.
const TRIAL: Duration = Duration::from_millis(60);

pub(super) struct Roster {
    members: Vec<Member>,
    /// Numbers of the threads that take part; the caller's, 0, is first and always does.
    present: Vec<usize>,
    /// What waiting has cost beyond what it may.
    debt: Duration,
    /// The thread that is being tried, and for how much longer.
    trial: Option<(usize, Duration)>,
}

#[derive(Clone, Copy, Default)]
struct Member {
    /// How long it sat out last.
    away: Duration,
    /// While it sits out.
    until: Option<Instant>,
    /// When it came back last.
    back: Option<Instant>,
}

impl Roster {
    pub(super) fn new(threads: usize) -> Roster {
        Roster {
            members: vec![Member::default(); threads],
            present: (0..threads).collect(),
            debt: Duration::ZERO,
            trial: None,
        }
    }

    /// The threads of the next run, by number; their places here are their seats.
    pub(super) fn present(&self) -> &[usize] {
        &self.present
    }

    /// A run begins: whoever sat out long enough comes back, one at a time.
    pub(super) fn begin(&mut self, now: Instant) {
        if self.present.len() == self.members.len() || self.trial.is_some() {
            return;
        }
        let is_back = |member: &Member| member.until.is_some_and(|until| until <= now);
        if let Some(thread) = self.members.iter().position(is_back) {
            self.members[thread].until = None;
            self.members[thread].back = Some(now);
            let seat = self.present.partition_point(|other| *other < thread);
            self.present.insert(seat, thread);
            self.trial = Some((thread, TRIAL));
            self.debt = Duration::ZERO;
        }
    }

    /// A run has ended that `took` so long and in which each seat was waited for as long as `lost` says.
    pub(super) fn end(&mut self, now: Instant, took: Duration, lost: impl Fn(usize) -> Duration) {
        let seats = self.present.len();
        if seats == 1 {
            return;
        }
        let lost_by_all: Duration = (0..seats).map(&lost).sum();
        self.debt = (self.debt + lost_by_all).saturating_sub(took.mul_f64(WORTH / seats as f64));
        let debt_max = if self.trial.is_some() { DEBT_MAX_ON_TRIAL } else { DEBT_MAX };
        if self.debt > debt_max {
            // The caller cannot sit out; another that does leaves it a core.
            let latest = (1..seats).rev().max_by_key(|seat| lost(*seat)).expect("there are two");
            let thread = self.present.remove(self.trial.map_or(latest, |(thread, _)| self.seat(thread)));
            let member = &mut self.members[thread];
            let soon = member.back.is_some_and(|back| now - back < SOON);
            member.away = if soon { AWAY_MAX.min(2 * member.away) } else { AWAY_MIN };
            member.until = Some(now + member.away);
            self.debt = Duration::ZERO;
            self.trial = None;
        } else if let Some((thread, left)) = self.trial {
            self.trial = left.checked_sub(took).map(|left| (thread, left));
        }
    }

    fn seat(&self, thread: usize) -> usize {
        self.present.partition_point(|other| *other < thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Duration = Duration::from_millis(20);

    /// Runs of [`STEP`] on `cores`, where a thread too many costs `lost` of it; how many threads took part in each.
    fn play(roster: &mut Roster, now: &mut Instant, runs: usize, cores: usize, lost: Duration) -> Vec<usize> {
        let mut counts = Vec::new();
        for _ in 0..runs {
            roster.begin(*now);
            let present = roster.present().to_vec();
            assert!(present[0] == 0 && present.is_sorted());
            counts.push(present.len());
            *now += STEP;
            let late = present.len() > cores;
            roster.end(*now, STEP, |seat| if late && seat == 0 { lost } else { Duration::ZERO });
        }
        counts
    }

    #[test]
    fn as_many_take_part_as_have_a_core() {
        for (threads, cores, lost) in
            [(2, 1, STEP / 2), (4, 3, STEP * 3 / 5), (16, 12, STEP / 2), (3, 1, STEP)]
        {
            let (mut roster, mut now) = (Roster::new(threads), Instant::now());
            let counts = play(&mut roster, &mut now, 2000, cores, lost);
            assert_eq!(counts[0], threads);
            let mean = counts[100..].iter().sum::<usize>() as f64 / 1900.0;
            assert!((cores as f64..cores as f64 + 0.1).contains(&mean), "{mean} of {threads} on {cores}");
            // The other programs end: within the longest absence and trials for all, all are back and stay.
            let counts = play(&mut roster, &mut now, 300, threads, lost);
            assert!(counts[250..].iter().all(|count| *count == threads), "{counts:?}");
        }
    }

    /// A trial may end well by chance: then the thread is not tried more often than before.
    #[test]
    fn a_core_that_is_free_at_times_is_not_tried_all_the_time() {
        let (mut roster, mut now) = (Roster::new(2), Instant::now());
        let mut counts = Vec::new();
        for _ in 0..300 {
            counts.extend(play(&mut roster, &mut now, 6, 2, STEP));
            counts.extend(play(&mut roster, &mut now, 6, 1, STEP));
        }
        let mean = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
        assert!(mean < 1.1, "{mean}");
    }

    #[test]
    fn a_wait_now_and_then_costs_no_thread() {
        let (mut roster, mut now) = (Roster::new(2), Instant::now());
        for _ in 0..100 {
            assert_eq!(play(&mut roster, &mut now, 1, 0, STEP * 4 / 5), [2]);
            assert_eq!(play(&mut roster, &mut now, 1, 2, STEP), [2]);
        }
        assert_eq!(play(&mut roster, &mut now, 100, 0, STEP / 3), [2; 100], "two are still faster");
    }
}
