//! Collectives by size and algorithm, comparable with the OSU benchmarks: every rank loops over the operation, and rank 0's times count.

use std::{
    fmt, io,
    process::Command,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use tandem_fabric::{
    Deadline, Lobby, Meeting, MeetingError, Rank,
    bench::{ARENA_BYTES, Cable, MEETING_TIMEOUT, Quantiles, given, in_processes},
    local::{LinkChoice, Seat},
};

use crate::{
    Algorithm, Group, GroupError, GroupOptions, Op,
    local::{JoinError, join},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    AllReduce,
    ReduceScatter,
    AllGather,
    Broadcast,
    Barrier,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Options {
    pub ranks: usize,
    pub link: LinkChoice,
    pub operation: Operation,
    /// Names of algorithms to force, for all-reduce; empty measures the group's own choice.
    pub algorithms: Vec<String>,
    /// Bytes of f32 per rank.
    pub sizes: Vec<usize>,
    pub each_ms: u64,
    /// Rank i runs on `cores[i % cores.len()]`; empty leaves it to the scheduler.
    pub cores: Vec<usize>,
    #[serde(flatten)]
    pub cable: Cable,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ranks: 2,
            link: LinkChoice::Shm,
            operation: Operation::AllReduce,
            algorithms: Vec::new(),
            sizes: vec![8, 1 << 10, 8 << 10, 16 << 10, 32 << 10, 256 << 10, 1 << 20, 16 << 20],
            each_ms: 300,
            cores: Vec::new(),
            cable: Cable::default(),
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Row {
    pub algorithm: String,
    pub bytes: usize,
    pub time_us: Quantiles,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    pub options: Options,
    pub rows: Vec<Row>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { ranks, link, operation, .. } = &self.options;
        writeln!(f, "# {operation:?} of {ranks} ranks over {link:?}, us")?;
        writeln!(
            f,
            "{:>13} {:>10} {:>10} {:>10} {:>10} {:>10}",
            "algorithm", "bytes", "min", "median", "p99", "p99.9"
        )?;
        for Row { algorithm, bytes, time_us } in &self.rows {
            let Quantiles { min, median, p99, p999, .. } = time_us;
            writeln!(f, "{algorithm:>13} {bytes:>10} {min:>10.3} {median:>10.3} {p99:>10.3} {p999:>10.3}")?;
        }
        Ok(())
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Join(#[from] JoinError),
    #[error(transparent)]
    Meeting(#[from] MeetingError),
    #[error(transparent)]
    Group(#[from] GroupError),
    #[error("the worker's report is not readable: {0}")]
    Report(#[from] serde_json::Error),
    #[error("after all-reduce, element {index} is {found}, expected {expected}")]
    Wrong { index: usize, found: f32, expected: f32 },
}

/// Measures between processes of this machine. `worker` makes the command that ends up in [`worker`].
pub fn run(options: &Options, worker: impl Fn() -> Command) -> Result<Report, BenchError> {
    let mut seats = Seat::row(options.ranks, options.link);
    for (rank, seat) in seats.iter_mut().enumerate() {
        seat.core = (!options.cores.is_empty()).then(|| options.cores[rank % options.cores.len()]);
    }
    Ok(serde_json::from_str(&in_processes(seats, options.cable, &serde_json::to_string(options)?, worker)?)?)
}

/// What a process started by [`run`] does: measures, and as rank 0 prints the report for its parent.
pub fn worker() -> Result<(), BenchError> {
    let (seat, options) = given()?;
    let options: Options = serde_json::from_str(&options)?;
    let group_options = GroupOptions { timeout: Duration::from_secs(10), ..GroupOptions::default() };
    let mut group = join(&seat, group_options)?;
    let rows = measure(&mut group, &options)?;
    if seat.rank == 0 {
        println!("{}", serde_json::to_string(&Report { options, rows })?);
    }
    group.barrier()?;
    Ok(())
}

/// Measures between machines: all call this, with the same options. Rank 0's report counts.
pub fn between(meeting: &Meeting, lobby: Lobby, me: Rank, options: &Options) -> Result<Report, BenchError> {
    let attended = meeting.attend(lobby, me, ARENA_BYTES, Deadline::after(MEETING_TIMEOUT))?;
    let links = attended.links.into_iter().map(|established| established.map(|it| it.link)).collect();
    let group_options = GroupOptions { timeout: Duration::from_secs(10), ..GroupOptions::default() };
    let mut group = Group::form(me, links, &attended.arena, group_options)?;
    let rows = measure(&mut group, options)?;
    group.barrier()?;
    Ok(Report { options: options.clone(), rows })
}

/// Measures a group; every rank calls this with the same options.
pub fn measure(group: &mut Group, options: &Options) -> Result<Vec<Row>, BenchError> {
    let mut algorithms: Vec<Option<Algorithm>> = Vec::new();
    for name in &options.algorithms {
        algorithms.push(Some(name.parse()?));
    }
    if algorithms.is_empty() {
        algorithms.push(None);
    }
    let mut rows = Vec::new();
    for algorithm in algorithms {
        group.force(algorithm);
        for &bytes in &options.sizes {
            let time_us = time(group, options, bytes / 4)?;
            let algorithm = algorithm.map_or("chosen".into(), |algorithm| algorithm.to_string());
            rows.push(Row { algorithm, bytes, time_us });
        }
    }
    group.force(None);
    Ok(rows)
}

fn time(group: &mut Group, options: &Options, count: usize) -> Result<Quantiles, BenchError> {
    let (me, ranks) = (group.rank().index(), group.size());
    let mut buf = group.arena().alloc(count * 4).map_err(GroupError::from)?;
    let mut more = group.arena().alloc(1).map_err(GroupError::from)?;
    let mut counts = vec![count / ranks; ranks];
    counts[0] += count % ranks;
    let lens: Vec<_> = counts.iter().map(|count| count * 4).collect();
    let mut samples = Vec::with_capacity(1 << 18);
    let each = Duration::from_millis(options.each_ms);
    let begin = Instant::now();
    // Batches between which rank 0 decides whether to go on, so that the decision costs nothing inside.
    let mut batch = 10;
    loop {
        for _ in 0..batch {
            let before = Instant::now();
            match options.operation {
                Operation::AllReduce => group.all_reduce::<f32>(&mut buf, count, Op::Sum)?,
                Operation::ReduceScatter => group.reduce_scatter::<f32>(&mut buf, &counts, Op::Sum)?,
                Operation::AllGather => group.all_gather(&mut buf, &lens)?,
                Operation::Broadcast => group.broadcast(&mut buf, count * 4, Rank(0))?,
                Operation::Barrier => group.barrier()?,
            }
            samples.push(before.elapsed().as_nanos() as u64);
        }
        if batch == 10 {
            samples.clear();
            // About 20 ms each, by the first ten.
            batch = (200_000 / begin.elapsed().as_micros().max(1) as usize).clamp(5, 2000);
            more[0] = (batch / 8).min(255) as u8;
            group.broadcast(&mut more, 1, Rank(0))?;
            batch = usize::from(more[0]).max(1) * 8;
        } else {
            more[0] = u8::from(begin.elapsed() < each && samples.len() + batch < samples.capacity());
            group.broadcast(&mut more, 1, Rank(0))?;
            if more[0] == 0 {
                break;
            }
        }
    }
    if options.operation == Operation::AllReduce {
        check(group, &mut buf, count, me, ranks)?;
    }
    Ok(Quantiles::of(&mut samples))
}

/// A benchmark of a wrong result is worth nothing.
fn check(
    group: &mut Group,
    buf: &mut tandem_fabric::Buf,
    count: usize,
    me: usize,
    ranks: usize,
) -> Result<(), BenchError> {
    let values = buf.view_mut::<f32>();
    values.iter_mut().enumerate().for_each(|(index, value)| *value = (index % 1000 * (me + 1)) as f32);
    group.all_reduce::<f32>(buf, count, Op::Sum)?;
    for (index, &found) in buf.view::<f32>().iter().enumerate() {
        let expected = (index % 1000 * (ranks * (ranks + 1) / 2)) as f32;
        if found != expected {
            return Err(BenchError::Wrong { index, found, expected });
        }
    }
    Ok(())
}
