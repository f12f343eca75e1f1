use std::{
    fmt,
    time::{Duration, Instant},
};

use crate::{
    Arena, Buf, Completion, Counters, Deadline, Histogram, Kind, Link, LinkError, LinkExt, NOTE_MAX, Side,
};

/// What a link gives, measured at its start and whenever it is idle, against what its kind should give.
///
/// Both ends call [`Health::probe`] at the same time, since it takes two; [`Health::events`] is local.
#[derive(Debug, Clone)]
pub struct Health {
    kind: Kind,
    round_trip: Histogram,
    /// Bytes per second of each probe, newest last.
    rates: Vec<f64>,
    latest: Option<Measured>,
    best: Option<Measured>,
    counters: Counters,
    counters_before: Counters,
}

/// One probe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The median.
    pub round_trip: Duration,
    pub bytes_per_s: f64,
}

/// What a healthy link of a kind reaches at least.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expectation {
    pub round_trip_max: Duration,
    pub bytes_per_s_min: f64,
}

impl Expectation {
    /// Half of what a plain example of the kind gives. Thunderbolt 5 carries 80 Gb/s and RDMA over it about 70; a cable or port that fell back to
    /// 40 Gb/s is below the bound.
    pub fn of(kind: Kind) -> Self {
        let (round_trip_us, gigabytes_per_s) = match kind {
            Kind::Verbs => (40, 5.5),
            Kind::Shm => (5, 2.0),
            Kind::Tcp => (1500, 0.1),
            Kind::Mem => (100, 0.2),
        };
        Self { round_trip_max: Duration::from_micros(round_trip_us), bytes_per_s_min: gigabytes_per_s * 1e9 }
    }
}

/// Something worth telling the user.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Less than the kind should give.
    Slow { kind: Kind, bytes_per_s: f64, expected: f64 },
    /// Less than half of what this very link gave before.
    Slowed { kind: Kind, bytes_per_s: f64, before: f64 },
    /// A round trip longer than the kind should take.
    Late { kind: Kind, round_trip: Duration, expected: Duration },
    /// Sends that had to be repeated since the last look.
    Retries { kind: Kind, count: u64 },
    /// Damaged bytes since the last look.
    Damage { kind: Kind, count: u64 },
}

impl fmt::Display for Event {
    /// What was found, what was expected, what to do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gigabits = |bytes_per_s: f64| bytes_per_s * 8.0 / 1e9;
        match self {
            Event::Slow { kind, bytes_per_s, expected } => {
                let (found, expected) = (gigabits(*bytes_per_s), gigabits(*expected));
                write!(
                    f,
                    "the {kind} link gives {found:.1} Gb/s, at least {expected:.1} expected: {}",
                    advice(*kind)
                )
            }
            Event::Slowed { kind, bytes_per_s, before } => {
                let (found, before) = (gigabits(*bytes_per_s), gigabits(*before));
                write!(
                    f,
                    "the {kind} link fell from {before:.1} to {found:.1} Gb/s: check for heat, other traffic, and {}",
                    advice(*kind)
                )
            }
            Event::Late { kind, round_trip, expected } => write!(
                f,
                "a round trip over {kind} takes {:.1} us, at most {} expected: check for load on either machine and power saving",
                round_trip.as_nanos() as f64 / 1000.0,
                expected.as_micros()
            ),
            Event::Retries { kind, count } => {
                write!(
                    f,
                    "{count} sends over {kind} had to wait or be repeated: the peer is slow or the link loses"
                )
            }
            Event::Damage { kind, count } => {
                write!(f, "{count} damaged messages over {kind}: replace the cable, then check memory")
            }
        }
    }
}

fn advice(kind: Kind) -> &'static str {
    match kind {
        Kind::Verbs => {
            "use a Thunderbolt 5 cable (80 Gb/s; a Thunderbolt 4 or USB4 cable gives 40), plugged directly, one port per bus"
        }
        Kind::Tcp => "see whether the two ends use the interface you expect, and its negotiated speed",
        Kind::Shm | Kind::Mem => "see what else uses this machine's memory and cores",
    }
}

const PINGS: usize = 64;
const CHUNK: usize = 1 << 20;
const CHUNKS: usize = 8;

impl Health {
    pub fn new(link: &dyn Link) -> Self {
        let counters = link.counters();
        Self {
            kind: link.kind(),
            round_trip: Histogram::default(),
            rates: Vec::new(),
            latest: None,
            best: None,
            counters,
            counters_before: counters,
        }
    }

    /// Measures the link: some round trips, then a few megabytes in each direction. It must be idle, with nothing posted.
    pub fn probe(
        &mut self,
        link: &mut dyn Link,
        arena: &Arena,
        side: Side,
        deadline: Deadline,
    ) -> Result<Measured, ProbeError> {
        let mut trips = Histogram::default();
        let mut note = [0; NOTE_MAX];
        for _ in 0..PINGS {
            let begin = Instant::now();
            if side == Side::Lead {
                link.send_note(b"ping", deadline)?;
                link.recv_note(&mut note, deadline)?;
            } else {
                link.recv_note(&mut note, deadline)?;
                link.send_note(b"ping", deadline)?;
            }
            trips.record(begin.elapsed());
            self.round_trip.record(begin.elapsed());
        }
        let chunk = CHUNK.min(link.max_message());
        let bytes_per_s = match side {
            Side::Lead => {
                let out = stream_out(link, arena, chunk, deadline)?;
                stream_in(link, arena, chunk, deadline)?;
                out
            }
            Side::Follow => {
                stream_in(link, arena, chunk, deadline)?;
                stream_out(link, arena, chunk, deadline)?
            }
        };
        let measured = Measured { round_trip: trips.median(), bytes_per_s };
        self.record(measured);
        self.counters = link.counters();
        Ok(measured)
    }

    fn record(&mut self, measured: Measured) {
        if self.rates.len() == 64 {
            self.rates.remove(0);
        }
        self.rates.push(measured.bytes_per_s);
        self.latest = Some(measured);
        let best = self.best.get_or_insert(measured);
        best.round_trip = best.round_trip.min(measured.round_trip);
        best.bytes_per_s = best.bytes_per_s.max(measured.bytes_per_s);
    }

    /// Takes note of what the link has counted since, without measuring.
    pub fn observe(&mut self, link: &dyn Link) {
        self.counters = link.counters();
    }

    pub fn latest(&self) -> Option<Measured> {
        self.latest
    }

    pub fn round_trips(&self) -> &Histogram {
        &self.round_trip
    }

    /// Bytes per second of the last probes, newest last.
    pub fn rates(&self) -> &[f64] {
        &self.rates
    }

    /// What is wrong, compared with `expected` and with this link's own past. Counted troubles are told once.
    pub fn events(&mut self, expected: Expectation) -> Vec<Event> {
        let kind = self.kind;
        let mut events = Vec::new();
        if let (Some(latest), Some(best)) = (self.latest, self.best) {
            if latest.bytes_per_s < expected.bytes_per_s_min {
                let (bytes_per_s, expected) = (latest.bytes_per_s, expected.bytes_per_s_min);
                events.push(Event::Slow { kind, bytes_per_s, expected });
            }
            if latest.bytes_per_s < best.bytes_per_s / 2.0 {
                let (bytes_per_s, before) = (latest.bytes_per_s, best.bytes_per_s);
                events.push(Event::Slowed { kind, bytes_per_s, before });
            }
            if latest.round_trip > expected.round_trip_max {
                let (round_trip, expected) = (latest.round_trip, expected.round_trip_max);
                events.push(Event::Late { kind, round_trip, expected });
            }
        }
        let since = |now: u64, before: u64| now.saturating_sub(before);
        let retries = since(self.counters.retries, self.counters_before.retries);
        // A full queue now and then is flow control; every tenth send is not.
        let sent = since(self.counters.messages_sent, self.counters_before.messages_sent)
            + since(self.counters.notes_sent, self.counters_before.notes_sent);
        if retries > 10 && retries > sent / 10 {
            events.push(Event::Retries { kind, count: retries });
        }
        let damage = since(self.counters.checksum_errors, self.counters_before.checksum_errors);
        if damage > 0 {
            events.push(Event::Damage { kind, count: damage });
        }
        self.counters_before = self.counters;
        events
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Arena(#[from] crate::ArenaError),
}

/// Sends a few chunks; the rate until the peer says that it has them.
fn stream_out(
    link: &mut dyn Link,
    arena: &Arena,
    chunk: usize,
    deadline: Deadline,
) -> Result<f64, ProbeError> {
    let mut note = [0; NOTE_MAX];
    let mut buf = arena.alloc(chunk)?;
    buf.fill(0x5a);
    let shared = buf.share();
    link.recv_note(&mut note, deadline)?;
    let begin = Instant::now();
    for _ in 0..CHUNKS {
        link.post_send(shared.clone())?;
    }
    for _ in 0..CHUNKS {
        link.wait(deadline)?;
    }
    link.recv_note(&mut note, deadline)?;
    Ok((CHUNKS * chunk) as f64 / begin.elapsed().as_secs_f64().max(1e-9))
}

fn stream_in(link: &mut dyn Link, arena: &Arena, chunk: usize, deadline: Deadline) -> Result<(), ProbeError> {
    let mut spare: Vec<Buf> = Vec::new();
    for _ in 0..2 {
        link.post_recv(arena.alloc(chunk)?)?;
    }
    link.send_note(b"go", deadline)?;
    for received in 0..CHUNKS {
        if let Completion::Received { buf, .. } = link.wait(deadline)? {
            if received + 2 < CHUNKS { link.post_recv(buf)? } else { spare.push(buf) }
        }
    }
    link.send_note(b"got it", deadline)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::{Faults, MemLink, Rank};

    fn health(measured: &[(u64, f64)]) -> Health {
        let (link, _peer) = MemLink::pair(Rank(0), Rank(1), [Faults::default(); 2], false);
        let mut health = Health { kind: Kind::Verbs, ..Health::new(&link) };
        for &(us, gigabytes) in measured {
            health.record(Measured { round_trip: Duration::from_micros(us), bytes_per_s: gigabytes * 1e9 });
        }
        health
    }

    #[test]
    fn events_name_what_is_wrong() {
        let expected = Expectation::of(Kind::Verbs);
        assert_eq!(health(&[(9, 8.5)]).events(expected), []);
        // A cable that negotiated 40 Gb/s.
        let events = health(&[(9, 4.4)]).events(expected);
        assert!(matches!(events[..], [Event::Slow { .. }]), "{events:?}");
        assert!(events[0].to_string().contains("Thunderbolt 5 cable"), "{}", events[0]);
        // One that lost more than half of its rate.
        let events = health(&[(9, 14.0), (9, 6.0)]).events(expected);
        assert!(matches!(events[..], [Event::Slowed { .. }]), "{events:?}");
        let events = health(&[(300, 8.0)]).events(expected);
        assert!(matches!(events[..], [Event::Late { .. }]), "{events:?}");
    }

    #[test]
    fn counted_troubles_are_told_once() {
        let mut health = health(&[]);
        health.counters.checksum_errors = 2;
        health.counters.retries = 50;
        health.counters.messages_sent = 100;
        let events = health.events(Expectation::of(Kind::Verbs));
        assert!(
            matches!(events[..], [Event::Retries { count: 50, .. }, Event::Damage { count: 2, .. }]),
            "{events:?}"
        );
        assert_eq!(health.events(Expectation::of(Kind::Verbs)), []);
    }

    #[test]
    fn a_probe_measures_both_ends() {
        let (mut a, mut b) = MemLink::pair(Rank(0), Rank(1), [Faults::default(); 2], false);
        let deadline = Deadline::after(Duration::from_secs(20));
        let arena = Arena::new(16 << 20).unwrap();
        let total = arena.free();
        thread::scope(|scope| {
            let other =
                scope.spawn(|| Health::new(&b).probe(&mut b, &arena, Side::Follow, deadline).unwrap());
            let mut health = Health::new(&a);
            let here = health.probe(&mut a, &arena, Side::Lead, deadline).unwrap();
            let there = other.join().unwrap();
            assert!(here.bytes_per_s > 0.0 && there.bytes_per_s > 0.0 && here.round_trip > Duration::ZERO);
            assert_eq!(health.round_trips().count(), PINGS as u64);
        });
        assert_eq!(arena.free(), total);
    }
}
