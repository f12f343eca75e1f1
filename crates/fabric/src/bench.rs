//! Latency and bandwidth of a link by message size, comparable with perftest and the OSU benchmarks.

use std::{
    collections::VecDeque,
    fmt, io,
    process::Command,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use crate::{
    Arena, Buf, Completion, Deadline, Encryption, Link, LinkError, LinkExt, Lobby, Meeting, MeetingError,
    NOTE_MAX, Rank, Side,
    local::{Crew, LinkChoice, Seat, SeatError},
};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Options {
    pub link: LinkChoice,
    /// Message sizes in bytes.
    pub sizes: Vec<usize>,
    /// How long to measure each size, for latency and for bandwidth.
    pub each_ms: u64,
    /// Cores for the two processes.
    pub cores: Option<[usize; 2]>,
    #[serde(flatten)]
    pub cable: Cable,
}

/// What the links of a benchmark agree on beyond their kind.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Cable {
    pub delay_us: u64,
    pub checksums: bool,
    pub encrypted: bool,
    pub connections: u8,
}

impl Default for Cable {
    fn default() -> Self {
        Self { delay_us: 0, checksums: false, encrypted: false, connections: 1 }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            link: LinkChoice::Shm,
            sizes: vec![8, 64, 1 << 10, 8 << 10, 32 << 10, 256 << 10, 1 << 20, 16 << 20],
            each_ms: 300,
            cores: None,
            cable: Cable::default(),
        }
    }
}

/// One size.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Row {
    pub bytes: usize,
    /// Half a round trip.
    pub latency_us: Quantiles,
    pub gigabytes_per_s: f64,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Quantiles {
    pub min: f64,
    pub median: f64,
    pub p99: f64,
    pub p999: f64,
    pub samples: usize,
}

impl Quantiles {
    /// Of times in nanoseconds, in microseconds; sorts `samples_ns`.
    pub fn of(samples_ns: &mut [u64]) -> Self {
        samples_ns.sort_unstable();
        let at = |q: f64| match samples_ns.len() {
            0 => 0.0,
            n => samples_ns[((n - 1) as f64 * q) as usize] as f64 / 1000.0,
        };
        Self { min: at(0.0), median: at(0.5), p99: at(0.99), p999: at(0.999), samples: samples_ns.len() }
    }

    fn halved(self) -> Self {
        let Self { min, median, p99, p999, samples } = self;
        Self { min: min / 2.0, median: median / 2.0, p99: p99 / 2.0, p999: p999 / 2.0, samples }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    pub link: String,
    pub options: Options,
    pub rows: Vec<Row>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# {} link, one way, us", self.link)?;
        writeln!(
            f,
            "{:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
            "bytes", "min", "median", "p99", "p99.9", "GB/s"
        )?;
        for row in &self.rows {
            let Quantiles { min, median, p99, p999, .. } = row.latency_us;
            let (bytes, rate) = (row.bytes, row.gigabytes_per_s);
            writeln!(f, "{bytes:>10} {min:>10.3} {median:>10.3} {p99:>10.3} {p999:>10.3} {rate:>10.2}")?;
        }
        Ok(())
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Seat(#[from] SeatError),
    #[error(transparent)]
    Meeting(#[from] MeetingError),
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Arena(#[from] crate::ArenaError),
    #[error("the worker's report is not readable: {0}")]
    Report(#[from] serde_json::Error),
}

const VARIABLE: &str = "TANDEM_BENCH";

/// Measures between two processes of this machine. `worker` makes the command that ends up in [`worker`].
pub fn run(options: &Options, worker: impl Fn() -> Command) -> Result<Report, BenchError> {
    let mut seats = Seat::row(2, options.link);
    for (rank, seat) in seats.iter_mut().enumerate() {
        seat.core = options.cores.map(|cores| cores[rank]);
    }
    Ok(serde_json::from_str(&in_processes(seats, options.cable, &serde_json::to_string(options)?, worker)?)?)
}

/// What rank 0 prints, of processes that are given `options` and meet over `cable`.
pub fn in_processes(
    mut seats: Vec<Seat>,
    cable: Cable,
    options: &str,
    worker: impl Fn() -> Command,
) -> io::Result<String> {
    for seat in &mut seats {
        seat.terms.delay_us = cable.delay_us;
        seat.terms.checksums = cable.checksums;
        seat.terms.connections = cable.connections;
        if cable.encrypted {
            seat.terms.encryption = Encryption::Always;
        }
    }
    let crew = Crew::start(&seats, |_| {
        let mut command = worker();
        command.env(VARIABLE, options);
        command
    })?;
    Ok(crew.finish()?.swap_remove(0))
}

/// The place and the options of a process that [`in_processes`] started.
pub fn given() -> io::Result<(Seat, String)> {
    let missing = || io::Error::other("this process was not started by a benchmark");
    let seat = Seat::from_env().ok_or_else(missing)?;
    Ok((seat, std::env::var(VARIABLE).map_err(io::Error::other)?))
}

/// What a process started by [`run`] does: measures, and as rank 0 prints the report for its parent.
pub fn worker() -> Result<(), BenchError> {
    let (seat, options) = given()?;
    let options: Options = serde_json::from_str(&options)?;
    let (arena, mut links) = seat.take(Deadline::after(Duration::from_secs(10)))?;
    let side = if seat.rank == 0 { Side::Lead } else { Side::Follow };
    let link =
        links.iter_mut().find_map(Option::take).ok_or_else(|| io::Error::other("no link to measure"))?;
    let kind = link.kind.to_string();
    let mut link = link.link;
    let rows = measure(&mut *link, &arena, side, &options)?;
    if side == Side::Lead {
        println!("{}", serde_json::to_string(&Report { link: kind, options, rows })?);
    }
    Ok(())
}

/// Measures between two machines: both call this, with the same options. Rank 0's report counts.
pub fn between(meeting: &Meeting, lobby: Lobby, me: Rank, options: &Options) -> Result<Report, BenchError> {
    let mut attended = meeting.attend(lobby, me, ARENA_BYTES, Deadline::after(MEETING_TIMEOUT))?;
    let link = attended.links.iter_mut().find_map(Option::take);
    let mut link = link.ok_or_else(|| io::Error::other("a link has two ends: name two nodes"))?;
    let side = if me == Rank(0) { Side::Lead } else { Side::Follow };
    let rows = measure(&mut *link.link, &attended.arena, side, options)?;
    Ok(Report { link: link.kind.to_string(), options: options.clone(), rows })
}

/// For the largest messages, several under way.
pub const ARENA_BYTES: usize = 256 << 20;
/// The other machine's command is typed by hand.
pub const MEETING_TIMEOUT: Duration = Duration::from_secs(120);

/// Measures one link; both ends call this with the same options.
pub fn measure(
    link: &mut dyn Link,
    arena: &Arena,
    side: Side,
    options: &Options,
) -> Result<Vec<Row>, BenchError> {
    let each = Duration::from_millis(options.each_ms);
    let mut rows = Vec::new();
    for &bytes in &options.sizes {
        let mut probe =
            Probe { link: &mut *link, arena, side, received: VecDeque::new(), sent: VecDeque::new() };
        let latency_us =
            if bytes <= NOTE_MAX { probe.note_latency(bytes, each)? } else { probe.latency(bytes, each)? };
        let gigabytes_per_s = probe.bandwidth(bytes, each)?;
        rows.push(Row { bytes, latency_us: latency_us.halved(), gigabytes_per_s });
    }
    Ok(rows)
}

/// The two ends of one measurement. The lead decides when to stop: the first byte of what it sends is 0 for the last time.
struct Probe<'a> {
    link: &'a mut dyn Link,
    arena: &'a Arena,
    side: Side,
    received: VecDeque<Buf>,
    sent: VecDeque<Buf>,
}

/// Round trips before measuring.
const WARM_UP: usize = 200;

fn patience() -> Deadline {
    Deadline::after(Duration::from_secs(10))
}

impl Probe<'_> {
    fn note_latency(&mut self, bytes: usize, each: Duration) -> Result<Quantiles, BenchError> {
        let bytes = bytes.max(1);
        let mut note = [1; NOTE_MAX];
        let mut answer = [0; NOTE_MAX];
        if self.side == Side::Follow {
            loop {
                self.link.recv_note(&mut answer, patience())?;
                self.link.send_note(&answer[..bytes], patience())?;
                if answer[0] == 0 {
                    return Ok(Quantiles::of(&mut []));
                }
            }
        }
        let mut samples = Vec::with_capacity(1 << 20);
        let begin = Instant::now();
        let mut before = begin;
        let mut count = 0;
        loop {
            let last = count > WARM_UP && (before - begin > each || samples.len() == samples.capacity());
            note[0] = u8::from(!last);
            self.link.send_note(&note[..bytes], patience())?;
            self.link.recv_note(&mut answer, patience())?;
            let now = Instant::now();
            if count >= WARM_UP {
                samples.push((now - before).as_nanos() as u64);
            }
            before = now;
            count += 1;
            if last {
                return Ok(Quantiles::of(&mut samples));
            }
        }
    }

    fn latency(&mut self, bytes: usize, each: Duration) -> Result<Quantiles, BenchError> {
        let mut out = self.arena.alloc(bytes)?;
        out.fill(1);
        let mut spare = self.arena.alloc(bytes)?;
        let mut samples = Vec::with_capacity(1 << 18);
        let begin = Instant::now();
        let mut before = begin;
        for count in 0.. {
            self.link.post_recv(spare)?;
            let last;
            if self.side == Side::Lead {
                last = count > WARM_UP / 10 && before - begin > each;
                out[0] = u8::from(!last);
                self.link.post_send(out.share())?;
                spare = self.take_received()?;
            } else {
                spare = self.take_received()?;
                last = spare[0] == 0;
                self.link.post_send(out.share())?;
            }
            out = self.take_sent()?;
            let now = Instant::now();
            if count >= WARM_UP / 10 {
                samples.push((now - before).as_nanos() as u64);
            }
            before = now;
            if last {
                break;
            }
        }
        Ok(Quantiles::of(&mut samples))
    }

    /// The lead streams with several messages in flight; the clock stops when the follower says that it has the last.
    fn bandwidth(&mut self, bytes: usize, each: Duration) -> Result<f64, BenchError> {
        let bytes = bytes.max(1);
        let flying = ((32 << 20) / bytes).clamp(2, 32);
        let mut note = [0; NOTE_MAX];
        if self.side == Side::Follow {
            for _ in 0..flying {
                self.link.post_recv(self.arena.alloc(bytes)?)?;
            }
            self.link.send_note(b"go", patience())?;
            loop {
                let buf = self.take_received()?;
                if buf[0] == 0 {
                    break;
                }
                self.link.post_recv(buf)?;
            }
            self.link.send_note(b"got it", patience())?;
            // What is still posted would swallow the messages of the next measurement: have it filled.
            for _ in 1..flying {
                self.take_received()?;
            }
            return Ok(0.0);
        }
        for _ in 0..flying {
            let mut buf = self.arena.alloc(bytes)?;
            buf.fill(1);
            self.sent.push_back(buf);
        }
        self.link.recv_note(&mut note, patience())?;
        let mut begin = Instant::now();
        let mut messages = 0u64;
        let mut warm = false;
        let seconds = loop {
            let mut buf = self.take_sent()?;
            // Once around, every page has been touched on both sides: measure from here.
            if !warm && messages == 2 * flying as u64 {
                (warm, messages, begin) = (true, 0, Instant::now());
            }
            let last = warm && begin.elapsed() > each;
            buf[0] = u8::from(!last);
            self.link.post_send(buf.share())?;
            messages += 1;
            if last {
                self.link.recv_note(&mut note, patience())?;
                break begin.elapsed().as_secs_f64();
            }
        };
        for _ in 1..flying {
            let buf = self.take_sent()?;
            self.link.post_send(buf.share())?;
        }
        for _ in 0..flying {
            self.take_sent()?;
        }
        Ok(messages as f64 * bytes as f64 / seconds / 1e9)
    }

    fn take_received(&mut self) -> Result<Buf, BenchError> {
        loop {
            if let Some(buf) = self.received.pop_front() {
                return Ok(buf);
            }
            self.step()?;
        }
    }

    fn take_sent(&mut self) -> Result<Buf, BenchError> {
        loop {
            if let Some(buf) = self.sent.pop_front() {
                return Ok(buf);
            }
            self.step()?;
        }
    }

    fn step(&mut self) -> Result<(), BenchError> {
        match self.link.wait(patience())? {
            Completion::Received { buf, .. } => self.received.push_back(buf),
            Completion::Sent(shared) => {
                if let Ok(buf) = shared.into_unique() {
                    self.sent.push_back(buf);
                }
            }
        }
        Ok(())
    }
}
