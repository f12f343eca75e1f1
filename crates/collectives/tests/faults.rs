//! Kill, stop, cut and silence a rank in the middle of every collective: every survivor is told who is lost, in time, and nothing leaks.
//!
//! Its own `main`, because ranks are processes: the parent starts this program again for each.

use std::{
    env, fs,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use tandem_collectives::{Algorithm, Group, GroupError, GroupOptions, Op, local};
use tandem_fabric::{
    Arena, Faults, Link, Lost, MemLink, Rank,
    local::{Crew, LinkChoice, Seat},
};

const TIMEOUT: Duration = Duration::from_millis(300);
/// What a survivor may need beyond its deadline, not counting the time in which it could have run and another process did.
const SLACK: Duration = Duration::from_millis(100);

#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq)]
enum Work {
    Direct,
    Board,
    Mesh,
    Scatter,
    Ring,
    Tree,
    ReduceScatter,
    AllGather,
    Broadcast,
    SendRecv,
    Barrier,
    Started,
}

const WORK: [Work; 12] = [
    Work::Mesh,
    Work::Scatter,
    Work::Ring,
    Work::Tree,
    Work::ReduceScatter,
    Work::AllGather,
    Work::Broadcast,
    Work::SendRecv,
    Work::Barrier,
    Work::Started,
    Work::Direct,
    Work::Board,
];

impl Work {
    /// Whether it needs ranks that share memory.
    fn in_memory(self) -> bool {
        matches!(self, Work::Direct | Work::Board)
    }
}

/// What a survivor found.
#[derive(Debug, Serialize, Deserialize)]
struct Verdict {
    lost: Option<u16>,
    error: String,
    took: Took,
    leaks: Vec<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Took {
    whole: Duration,
    /// Of that, waiting for a core.
    queued: Duration,
}

impl Took {
    /// Whether it was in time, however busy the machine is: one that hangs, asleep or spinning, is not in a queue.
    fn in_time(&self) -> bool {
        self.whole.saturating_sub(self.queued) <= TIMEOUT + SLACK
    }
}

/// How long this thread has been ready to run without running, since it began.
fn queued() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let queued_ns = text.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    Duration::from_nanos(queued_ns.unwrap_or(0))
}

/// Repeats one collective until it fails.
fn work_until_lost(group: &mut Group, work: Work) -> (GroupError, Took) {
    loop {
        let (begin, before) = (Instant::now(), queued());
        if let Err(error) = once(group, work) {
            let whole = begin.elapsed();
            return (error, Took { whole, queued: queued().saturating_sub(before) });
        }
    }
}

fn once(group: &mut Group, work: Work) -> Result<(), GroupError> {
    let count = 20_000;
    let mut buf = group.arena().alloc(count * 4)?;
    let (me, ranks) = (group.rank(), group.size());
    group.force(match work {
        Work::Direct => Some(Algorithm::Direct),
        Work::Board => Some(Algorithm::Board),
        Work::Mesh | Work::Started => Some(Algorithm::Mesh),
        Work::Scatter => Some(Algorithm::Scatter),
        Work::Ring => Some(Algorithm::Ring),
        Work::Tree => Some(Algorithm::Tree),
        _ => None,
    });
    match work {
        Work::Direct | Work::Board | Work::Mesh | Work::Scatter | Work::Ring | Work::Tree => {
            group.all_reduce::<f32>(&mut buf, count, Op::Sum)
        }
        Work::ReduceScatter => group.reduce_scatter::<f32>(&mut buf, &vec![count / ranks; ranks], Op::Sum),
        Work::AllGather => group.all_gather(&mut buf, &vec![count; ranks]),
        Work::Broadcast => {
            // Every rank in turn, so that everyone waits for everyone.
            (0..ranks).try_for_each(|root| group.broadcast(&mut buf, count, Rank(root as u16)))
        }
        Work::SendRecv => {
            let next = Rank(((me.index() + 1) % ranks) as u16);
            let before = Rank(((me.index() + ranks - 1) % ranks) as u16);
            if me.index() == 0 {
                group.send(&mut buf, count, next)?;
                group.recv(&mut buf, count, before)
            } else {
                group.recv(&mut buf, count, before)?;
                group.send(&mut buf, count, next)
            }
        }
        Work::Barrier => group.barrier(),
        Work::Started => {
            let pending = group.start_all_reduce::<f32>(buf, count, Op::Sum)?;
            group.finish(pending).map(drop)
        }
    }
}

fn main() {
    if let Some(seat) = Seat::from_env() {
        return member(&seat);
    }
    let mut runs = 0;
    let begin = Instant::now();
    for round in 0..3 {
        for work in WORK {
            for link in [LinkChoice::Shm, LinkChoice::Tcp] {
                if work.in_memory() && link == LinkChoice::Tcp {
                    continue;
                }
                for signal in ["KILL", "STOP"] {
                    steadily(|| processes(work, link, signal, round));
                    runs += 1;
                }
            }
        }
    }
    println!("{runs} runs with processes, {:.1} s", begin.elapsed().as_secs_f64());
    let open = descriptors();
    for round in 0..4 {
        for work in WORK {
            if !work.in_memory() {
                steadily(|| threads(work, round, true));
                steadily(|| threads(work, round, false));
                runs += 2;
            }
        }
    }
    assert_eq!(descriptors(), open, "descriptors leaked");
    println!(
        "{runs} runs, {:.1} s: every survivor was told in time, nothing leaked",
        begin.elapsed().as_secs_f64()
    );
    assert!(runs >= 200);
}

/// Runs it, and again where the machine itself stood still meanwhile, as a guest of a busy host may: then the living are late, and
/// are taken for lost.
fn steadily(run: impl Fn() -> Result<(), String>) {
    for _ in 0..5 {
        let ended = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&ended);
        let watch = thread::spawn(move || standstill(&watched));
        let outcome = run();
        ended.store(true, Ordering::Relaxed);
        let stood = watch.join().unwrap();
        let Err(what) = outcome else { return };
        assert!(stood > SLACK / 2, "{what}");
        println!("once more, the machine stood still for {stood:?}: {what}");
    }
    panic!("the machine stands still time and again");
}

/// How much longer than asked the longest of many short sleeps was.
fn standstill(ended: &AtomicBool) -> Duration {
    let step = Duration::from_millis(5);
    let mut longest = Duration::ZERO;
    while !ended.load(Ordering::Relaxed) {
        let begin = Instant::now();
        thread::sleep(step);
        longest = longest.max(begin.elapsed().saturating_sub(step));
    }
    longest
}

/// A rank: works until someone is lost, and reports.
fn member(seat: &Seat) {
    let work: Work = serde_json::from_str(&env::var("WORK").unwrap()).unwrap();
    let open = descriptors();
    let options = GroupOptions { timeout: Duration::from_secs(60), ..GroupOptions::default() };
    let mut group = local::join(seat, options).unwrap();
    // Generous while starting on a busy machine, strict from here.
    group.barrier().unwrap();
    fs::write(ready_file(seat.rank), "").unwrap();
    group.set_timeout(TIMEOUT);
    let (error, took) = work_until_lost(&mut group, work);
    let total = group.arena().len();
    let arena = group.arena().clone();
    drop(group);
    let mut leaks = Vec::new();
    if arena.free() != total {
        leaks.push(format!("{} bytes of the arena", total - arena.free()));
    }
    drop(arena);
    if descriptors() != open {
        leaks.push(format!("{} descriptors, {open} before", descriptors()));
    }
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    if maps.contains("memfd:tandem") {
        leaks.push("a shared mapping".into());
    }
    let lost = match &error {
        GroupError::RankLost { rank, .. } => Some(rank.0),
        _ => None,
    };
    let verdict = Verdict { lost, error: error.to_string(), took, leaks };
    println!("{}", serde_json::to_string(&verdict).unwrap());
}

fn ready_file(rank: u16) -> String {
    format!("{}/ready-{rank}", env::var("READY").unwrap())
}

fn processes(work: Work, link: LinkChoice, signal: &str, round: usize) -> Result<(), String> {
    let ranks = 3;
    let victim = (round + work as usize) % ranks;
    let place = env::temp_dir().join(format!("tandem-faults-{}", std::process::id()));
    fs::create_dir_all(&place).unwrap();
    let mut seats = Seat::row(ranks, link);
    seats.iter_mut().for_each(|seat| seat.arena_bytes = 8 << 20);
    let program = env::current_exe().unwrap();
    let mut crew = Crew::start(&seats, |_| {
        let mut command = Command::new(&program);
        command.env("WORK", serde_json::to_string(&work).unwrap()).env("READY", &place);
        command
    })
    .unwrap();
    let begin = Instant::now();
    while (0..ranks).any(|rank| !place.join(format!("ready-{rank}")).exists()) {
        assert!(begin.elapsed() < Duration::from_secs(120), "the group did not form");
        thread::sleep(Duration::from_millis(1));
    }
    // Somewhere in the middle of the work.
    thread::sleep(Duration::from_micros(500 + 1700 * (round as u64 * 7 + work as u64) % 9000));
    let mut children = std::mem::take(crew.children_mut());
    let mut lost = children.remove(victim);
    let pid = lost.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
    let what = format!("{work:?} over {link:?}, {signal} of rank {victim}, round {round}");
    let mut outcome = Ok(());
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{what}: a survivor crashed");
        let text = String::from_utf8_lossy(&output.stdout);
        let verdict: Verdict = serde_json::from_str(text.trim()).unwrap();
        assert!(verdict.leaks.is_empty(), "{what}: {verdict:?}");
        if verdict.lost != Some(victim as u16) || !verdict.took.in_time() {
            outcome = Err(format!("{what}: {verdict:?}"));
        }
    }
    lost.kill().unwrap();
    lost.wait().unwrap();
    fs::remove_dir_all(&place).unwrap();
    outcome
}

/// In one process: all cables of a rank are cut, or go silent, after some traffic.
fn threads(work: Work, round: usize, cut: bool) -> Result<(), String> {
    let ranks = 4;
    let victim = (round + work as usize) % ranks;
    let arenas: Vec<_> = (0..ranks).map(|_| Arena::new(8 << 20).unwrap()).collect();
    let mut links: Vec<Vec<Option<Box<dyn Link>>>> =
        (0..ranks).map(|_| (0..ranks).map(|_| None).collect()).collect();
    for a in 0..ranks {
        for b in a + 1..ranks {
            let mut faults = Faults { seed: round as u64, delay_us_max: 20, ..Faults::default() };
            if a == victim || b == victim {
                let after = Some(10 + 7 * round as u64 + work as u64);
                if cut { faults.cut_after = after } else { faults.silent_after = after }
            }
            let (one, two) = MemLink::pair(Rank(a as u16), Rank(b as u16), [faults, faults], true);
            links[a][b] = Some(Box::new(one));
            links[b][a] = Some(Box::new(two));
        }
    }
    let mut outcome = Ok(());
    thread::scope(|scope| {
        let handles: Vec<_> = links
            .into_iter()
            .zip(&arenas)
            .enumerate()
            .map(|(me, (links, arena))| {
                scope.spawn(move || {
                    let options =
                        GroupOptions { timeout: Duration::from_secs(60), ..GroupOptions::default() };
                    let mut group = Group::form(Rank(me as u16), links, arena, options).unwrap();
                    group.set_timeout(TIMEOUT);
                    let result = work_until_lost(&mut group, work);
                    drop(group);
                    result
                })
            })
            .collect();
        let what =
            format!("{work:?}, rank {victim} {}, round {round}", if cut { "cut off" } else { "silent" });
        for (rank, handle) in handles.into_iter().enumerate() {
            let (error, took) = handle.join().unwrap();
            if !took.in_time() {
                outcome = Err(format!("{what}: rank {rank} took {took:?}: {error}"));
            }
            assert!(matches!(error, GroupError::RankLost { .. }), "{what}: rank {rank}: {error}");
            // A cable has two ends: which of them is lost is a matter of view, except that a rank does not lose itself.
            let GroupError::RankLost { rank: lost, why } = error else { continue };
            assert!(lost.index() != rank, "{what}: rank {rank} lost itself: {why}");
            let _: Lost = why;
        }
    });
    for arena in &arenas {
        assert_eq!(arena.free(), arena.len(), "buffers leaked");
    }
    outcome
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").map_or(0, |entries| entries.count())
}
