//! Threads for parallel regions of a few microseconds.
//!
//! [`Pool::run`] executes one closure in every thread that takes part, the caller's included; inside it the threads
//! meet at [`Team::barrier`]. A step of a program is one such run, so the price of an operator is a
//! barrier (a few cache-line transfers), not a hand-off. A thread that waits spins first, then lets
//! others run, then sleeps: an idle pool costs nothing.
//!
//! - `claims`: between two barriers, chunks of the work go to who gets to them.
//! - `roster`: where cores are taken away by other programs, fewer threads take part.
//! - `gate`: what threads wait at.
//!
//! A panic in any thread frees the others from their barriers, is raised again in the caller, and
//! leaves the pool poisoned.

// One lifetime is erased: a job is shared with threads that outlive it, and `run` waits for them.
#![allow(unsafe_code)]

mod claims;
mod gate;
mod roster;

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use self::claims::Claims;
use self::gate::Gate;
use self::roster::Roster;

pub struct Pool {
    shared: Arc<Shared>,
    roster: Roster,
    workers: Vec<JoinHandle<()>>,
}

impl Pool {
    /// A pool of `threads` threads, of which the caller of [`run`](Pool::run) is one.
    pub fn new(threads: usize) -> io::Result<Pool> {
        let threads = threads.max(1);
        let crowded = threads > thread::available_parallelism().map_or(1, usize::from);
        let shared = Arc::new(Shared {
            threads,
            spin: if crowded { Duration::ZERO } else { Duration::from_micros(60) },
            calls: (0..threads).map(|_| Call::default()).collect(),
            meeting: Gate::default(),
            last: AtomicUsize::new(0),
            done: Gate::default(),
            arrived: Padded(AtomicUsize::new(0)),
            claims: Claims::new(threads + 1),
            lost_nanos: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            poisoned: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            panic: Mutex::new(None),
            job: UnsafeCell::new(None),
        });
        let mut pool =
            Pool { shared, roster: Roster::new(threads), workers: Vec::with_capacity(threads - 1) };
        for index in 1..threads {
            let shared = Arc::clone(&pool.shared);
            let worker = thread::Builder::new().name(format!("kernel-{index}"));
            pool.workers.push(worker.spawn(move || shared.work(index))?);
        }
        Ok(pool)
    }

    /// The most threads that take part in a run.
    pub fn threads(&self) -> usize {
        self.shared.threads
    }

    /// Execute `job` in every thread that takes part at once and wait for all of them.
    ///
    /// # Panics
    /// With the panic of a thread that panicked, now or in an earlier run.
    pub fn run(&mut self, job: impl Fn(&Team) + Sync) {
        let shared = &*self.shared;
        assert!(!shared.poisoned.load(Ordering::Relaxed), "a thread of this pool has panicked before");
        let job: &(dyn Fn(&Team) + Sync) = &job;
        // SAFETY: only the lifetime changes. The threads drop the reference before they count
        // themselves in `done`, and this function does not return before all have.
        let erased = unsafe { std::mem::transmute::<&(dyn Fn(&Team) + Sync), Job>(job) };
        // SAFETY: no worker reads the cell between its last `done` and its next call, and
        // `&mut self` keeps other callers out.
        unsafe { *shared.job.get() = Some(erased) };
        let began = Instant::now();
        self.roster.begin(began);
        let present = self.roster.present();
        shared.done.word.store(0, Ordering::Relaxed);
        // A run begins with a barrier that all have passed: what was claimed before counts no more.
        let epoch = shared.meeting.word.fetch_add(1, Ordering::Relaxed) + 1;
        for (seat, thread) in present.iter().enumerate().skip(1) {
            shared.calls[*thread].make(seat, present.len());
        }
        present[1..].iter().for_each(|thread| shared.calls[*thread].gate.wake());
        shared.perform(Team { index: 0, threads: present.len(), epoch: Cell::new(epoch), shared }, job);
        let others = present.len() as u64 - 1;
        shared.done.wait(shared.spin, IN_STEP, || shared.done.word.load(Ordering::Acquire) == others);
        if shared.poisoned.load(Ordering::Relaxed) {
            let panic = lock(&shared.panic).take();
            resume_unwind(panic.unwrap_or_else(|| Box::new("a thread of the pool has panicked")));
        }
        let now = Instant::now();
        let lost = |seat: usize| Duration::from_nanos(shared.lost_nanos[seat].load(Ordering::Relaxed));
        self.roster.end(now, now - began, lost);
        shared.lost_nanos.iter().for_each(|lost| lost.store(0, Ordering::Relaxed));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        for call in &self.shared.calls[1..] {
            call.make(0, 0);
            call.gate.wake();
        }
        for worker in self.workers.drain(..) {
            // A worker's panics are caught and reported by `run`; there is nothing left to hear.
            let _ = worker.join();
        }
    }
}

/// One thread's view of the run it takes part in.
pub struct Team<'a> {
    /// From 0 (the caller) to `threads - 1`.
    pub index: usize,
    /// How many take part in this run.
    pub threads: usize,
    /// The number of the last barrier.
    epoch: Cell<u64>,
    shared: &'a Shared,
}

impl Team<'_> {
    /// Wait until every thread is here; what each wrote before is then seen by all.
    pub fn barrier(&self) {
        self.meet();
    }

    /// As [`barrier`](Team::barrier), after [`each_chunk`](Team::each_chunk): there all are done at about the same time, and whoever
    /// keeps the others waiting has lost its core to another program. Where that is the rule, later runs have fewer threads.
    pub fn barrier_after_chunks(&self) {
        let waited = self.meet();
        if waited >= LATE_MIN {
            // Everyone notes what it lost itself, so that the sum is what one of them lost on average.
            let nanos = waited.as_nanos() as u64 / (self.threads as u64 - 1);
            let last = self.shared.last.load(Ordering::Relaxed);
            self.shared.lost_nanos[last].fetch_add(nanos, Ordering::Relaxed);
        }
    }

    /// How long the others were waited for.
    fn meet(&self) -> Duration {
        let shared = self.shared;
        let (epoch, next) = (self.epoch.get(), self.epoch.get() + 1);
        self.epoch.set(next);
        if self.threads == 1 {
            shared.meeting.word.store(next, Ordering::Relaxed);
            return Duration::ZERO;
        }
        if shared.arrived.0.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            shared.arrived.0.store(0, Ordering::Relaxed);
            shared.last.store(self.index, Ordering::Relaxed);
            shared.meeting.word.store(next, Ordering::Release);
            shared.meeting.wake();
            return Duration::ZERO;
        }
        let waited = shared.meeting.wait(shared.spin, IN_STEP, || {
            shared.meeting.word.load(Ordering::Acquire) != epoch || shared.poisoned.load(Ordering::Relaxed)
        });
        if shared.poisoned.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Released));
        }
        waited
    }

    /// The next of `0..len` handed out to the whole team since the last barrier, until all are taken.
    pub fn ticket(&self, len: usize) -> Option<usize> {
        self.shared.claims.next(self.shared.threads, self.epoch.get(), len)
    }

    /// Call `work` for chunks of `0..len`, none longer than `chunk_max`, until the team has taken them all. Every thread goes forwards
    /// through a part of its own, in long runs that memory likes, and then helps those that are not done. Once between two barriers.
    pub fn each_chunk(&self, len: usize, chunk_max: usize, work: impl Fn(Range<usize>)) {
        self.each_of_chunks(len, CHUNKS, chunk_max, work);
    }

    /// As [`each_chunk`](Team::each_chunk), where a thread's part is so few chunks that what each of them reads anew does not count.
    pub fn each_long_chunk(&self, len: usize, work: impl Fn(Range<usize>)) {
        self.each_of_chunks(len, LONG_CHUNKS, usize::MAX, work);
    }

    fn each_of_chunks(&self, len: usize, chunks: usize, chunk_max: usize, work: impl Fn(Range<usize>)) {
        // Alone there is nobody to leave anything to.
        let chunks = if self.threads == 1 { 1 } else { self.threads * chunks };
        let chunk = len.div_ceil(chunks).clamp(1, chunk_max.max(1));
        for turn in 0..self.threads {
            let owner = (self.index + turn) % self.threads;
            let part = len * owner / self.threads..len * (owner + 1) / self.threads;
            while let Some(taken) =
                self.shared.claims.next(owner, self.epoch.get(), part.len().div_ceil(chunk))
            {
                let from = part.start + taken * chunk;
                work(from..part.end.min(from + chunk));
            }
        }
    }

    /// This thread's part of `0..len` when it is divided evenly: for what takes less time than a wait.
    pub fn share(&self, len: usize) -> Range<usize> {
        len * self.index / self.threads..len * (self.index + 1) / self.threads
    }
}

/// The processors this process may use, counting two hardware threads of one core once where the
/// system tells.
pub fn default_threads() -> usize {
    let available = thread::available_parallelism().map_or(1, usize::from);
    available.min(physical_cores().unwrap_or(available))
}

#[cfg(target_os = "linux")]
fn physical_cores() -> Option<usize> {
    // SAFETY: an all-zero set is a valid `cpu_set_t`, and the call writes at most its size.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        (libc::sched_getaffinity(0, size_of_val(&set), &mut set) == 0).then_some(set)?
    };
    let mut cores = std::collections::BTreeSet::new();
    for cpu in 0..libc::CPU_SETSIZE as usize {
        // SAFETY: `cpu` is below the set's size.
        if unsafe { libc::CPU_ISSET(cpu, &set) } {
            let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
            cores.insert(std::fs::read_to_string(path).ok()?);
        }
    }
    (!cores.is_empty()).then_some(cores.len())
}

#[cfg(not(target_os = "linux"))]
fn physical_cores() -> Option<usize> {
    None
}

/// How long a thread inside a run stays ready before it sleeps: another may be waiting for a peer.
const IN_STEP: Duration = Duration::from_millis(1);
/// The same between runs.
const BETWEEN_STEPS: Duration = Duration::from_micros(150);
/// A shorter wait is part of the work.
const LATE_MIN: Duration = Duration::from_micros(50);
/// A thread's part is taken in so many chunks. A core that is slow, or was taken away, holds the others up for one at most.
const CHUNKS: usize = 24;
const LONG_CHUNKS: usize = 3;

type Job = &'static (dyn Fn(&Team) + Sync);

/// The panic of a thread freed from a barrier because another panicked.
struct Released;

struct Shared {
    threads: usize,
    /// How long to spin without letting others run; zero with more threads than processors.
    spin: Duration,
    /// To each thread.
    calls: Vec<Call>,
    /// Its word counts barriers.
    meeting: Gate,
    /// The seat of who came last to the last barrier.
    last: AtomicUsize,
    /// Its word counts the workers that have finished this run.
    done: Gate,
    arrived: Padded<AtomicUsize>,
    /// Of every seat, and one more for tickets.
    claims: Claims,
    /// In this run, by seat: how long it was waited for.
    lost_nanos: Vec<AtomicU64>,
    poisoned: AtomicBool,
    stop: AtomicBool,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    job: UnsafeCell<Option<Job>>,
}

/// Calls a thread to a run.
#[derive(Default)]
struct Call {
    /// Its word counts the calls.
    gate: Gate,
    seat: AtomicUsize,
    threads: AtomicUsize,
}

impl Call {
    /// To be followed by a wake of the gate.
    fn make(&self, seat: usize, threads: usize) {
        self.seat.store(seat, Ordering::Relaxed);
        self.threads.store(threads, Ordering::Relaxed);
        self.gate.word.fetch_add(1, Ordering::Release);
    }
}

// SAFETY: everything but `job` is `Sync`, and `job` is written only while no worker reads it (see `run`).
unsafe impl Sync for Shared {}

impl Shared {
    fn work(&self, thread: usize) {
        let call = &self.calls[thread];
        for calls in 0.. {
            call.gate.wait(self.spin, BETWEEN_STEPS, || call.gate.word.load(Ordering::Acquire) != calls);
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let team = Team {
                index: call.seat.load(Ordering::Relaxed),
                threads: call.threads.load(Ordering::Relaxed),
                // No barrier is passed without this thread, so all read the same.
                epoch: Cell::new(self.meeting.word.load(Ordering::Relaxed)),
                shared: self,
            };
            // SAFETY: the call was heard with acquire after `run` wrote the cell; it is not written
            // again before this thread counts itself in `done`.
            if let Some(job) = unsafe { *self.job.get() } {
                self.perform(team, job);
            }
            self.done.word.fetch_add(1, Ordering::AcqRel);
            self.done.wake();
        }
    }

    fn perform(&self, team: Team<'_>, job: &(dyn Fn(&Team) + Sync)) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| job(&team))) {
            if !panic.is::<Released>() {
                lock(&self.panic).get_or_insert(panic);
            }
            self.poisoned.store(true, Ordering::SeqCst);
            self.meeting.wake();
        }
    }
}

/// Keeps two values out of one cache line (and out of the pair of lines that is fetched together).
#[repr(align(128))]
struct Padded<T>(T);

/// The mutexes here guard no invariant that a panic could break.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_runs_and_barriers_order_their_work() {
        for threads in [1, 2, 3, 5] {
            let mut pool = Pool::new(threads).unwrap();
            let cells: Vec<AtomicUsize> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
            for _ in 0..50 {
                cells.iter().for_each(|cell| cell.store(0, Ordering::Relaxed));
                pool.run(|team| {
                    for round in 1..20 {
                        cells[team.index].store(round, Ordering::Relaxed);
                        team.barrier();
                        // On a busy machine some may sit out.
                        let present = &cells[..team.threads];
                        assert!(present.iter().all(|cell| cell.load(Ordering::Relaxed) == round));
                        team.barrier();
                    }
                });
            }
        }
    }

    #[test]
    fn tickets_chunks_and_shares_cover_each_item_once() {
        for (threads, chunk_max) in [(1, 7), (1, usize::MAX), (3, usize::MAX), (3, 1), (5, 4)] {
            let mut pool = Pool::new(threads).unwrap();
            let counters = || -> Vec<AtomicUsize> { (0..100).map(|_| AtomicUsize::new(0)).collect() };
            let (taken, chunked, shared, long) = (counters(), counters(), counters(), counters());
            for round in 1..5 {
                pool.run(|team| {
                    for _ in 0..2 {
                        while let Some(item) = team.ticket(taken.len()) {
                            taken[item].fetch_add(1, Ordering::Relaxed);
                        }
                        team.each_chunk(chunked.len(), chunk_max, |chunk| {
                            assert!(!chunk.is_empty() && chunk.len() <= chunk_max);
                            for item in &chunked[chunk] {
                                item.fetch_add(1, Ordering::Relaxed);
                            }
                        });
                        team.each_chunk(0, chunk_max, |_| panic!("a chunk of nothing"));
                        team.share(shared.len()).for_each(|item| {
                            shared[item].fetch_add(1, Ordering::Relaxed);
                        });
                        team.barrier();
                        team.each_long_chunk(long.len(), |chunk| {
                            for item in &long[chunk] {
                                item.fetch_add(1, Ordering::Relaxed);
                            }
                        });
                        team.barrier();
                    }
                });
                let all = taken.iter().chain(&chunked).chain(&shared).chain(&long);
                assert!(all.into_iter().all(|count| count.load(Ordering::Relaxed) == 2 * round));
            }
        }
    }

    /// What a thread on a core that was taken away does not get to, the others do.
    #[test]
    fn a_thread_that_stands_still_holds_up_one_chunk() {
        let mut pool = Pool::new(3).unwrap();
        let (done, by_the_still) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|team| {
            team.each_chunk(1000, usize::MAX, |chunk| {
                if team.index == 1 {
                    by_the_still.fetch_add(chunk.len(), Ordering::Relaxed);
                    while done.load(Ordering::Relaxed) < 1000 - chunk.len() {
                        thread::yield_now();
                    }
                }
                done.fetch_add(chunk.len(), Ordering::Relaxed);
            });
        });
        assert_eq!(done.into_inner(), 1000);
        assert!(by_the_still.into_inner() <= 1000 / 3 / 20);
    }

    /// Waits for work decide how many take part; other waits do not.
    #[test]
    fn a_thread_that_is_waited_for_sits_out() {
        for (chunks, expected) in [(true, 1), (false, 2)] {
            let mut pool = Pool::new(2).unwrap();
            let late = Duration::from_millis(20);
            for _ in 0..2 {
                pool.run(|team| {
                    if team.index == 1 {
                        let began = Instant::now();
                        while began.elapsed() < late {
                            thread::yield_now();
                        }
                    }
                    if chunks { team.barrier_after_chunks() } else { team.barrier() }
                });
            }
            assert_eq!(pool.roster.present().len(), expected);
        }
    }

    #[test]
    fn wakes_after_a_long_pause() {
        let mut pool = Pool::new(2).unwrap();
        for _ in 0..3 {
            let ran = AtomicUsize::new(0);
            pool.run(|_| {
                ran.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(ran.into_inner(), 2);
            while !pool.shared.calls[1].gate.has_sleepers() {
                thread::yield_now();
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_poisons() {
        for culprit in 0..3 {
            let mut pool = Pool::new(3).unwrap();
            let run = |pool: &mut Pool| {
                catch_unwind(AssertUnwindSafe(|| {
                    pool.run(|team| {
                        if team.index == culprit {
                            resume_unwind(Box::new("deliberate"));
                        }
                        team.barrier();
                    });
                }))
            };
            let panic = run(&mut pool).unwrap_err();
            assert_eq!(*panic.downcast::<&str>().unwrap(), "deliberate");
            assert!(run(&mut pool).is_err());
        }
    }
}
