//! Threads for parallel regions of a few microseconds.
//!
//! [`Pool::run`] executes one closure in every thread, the caller's included; inside it the threads
//! meet at [`Team::barrier`]. A step of a program is one such run, so the price of an operator is a
//! barrier (a few cache-line transfers), not a hand-off. A thread that waits spins first, then lets
//! others run, then sleeps: an idle pool costs nothing.
//!
//! A panic in any thread frees the others from their barriers, is raised again in the caller, and
//! leaves the pool poisoned.

// One lifetime is erased: a job is shared with threads that outlive it, and `run` waits for them.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::UnsafeCell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering, fence};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub struct Pool {
    shared: Arc<Shared>,
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
            start: Gate::default(),
            meeting: Gate::default(),
            done: Gate::default(),
            arrived: Padded(AtomicUsize::new(0)),
            tickets: Padded(AtomicUsize::new(0)),
            poisoned: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            panic: Mutex::new(None),
            job: UnsafeCell::new(None),
        });
        let mut pool = Pool { shared, workers: Vec::with_capacity(threads - 1) };
        for index in 1..threads {
            let shared = Arc::clone(&pool.shared);
            let worker = thread::Builder::new().name(format!("kernel-{index}"));
            pool.workers.push(worker.spawn(move || shared.work(index))?);
        }
        Ok(pool)
    }

    pub fn threads(&self) -> usize {
        self.shared.threads
    }

    /// Execute `job` in every thread at once and wait for all of them.
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
        // SAFETY: no worker reads the cell between its last `done` and the next `start`, and
        // `&mut self` keeps other callers out.
        unsafe { *shared.job.get() = Some(erased) };
        shared.done.word.store(0, Ordering::Relaxed);
        shared.start.word.fetch_add(1, Ordering::Release);
        shared.start.wake();
        shared.perform(0, job);
        let others = shared.threads as u32 - 1;
        shared.done.wait(shared.spin, IN_STEP, || shared.done.word.load(Ordering::Acquire) == others);
        if shared.poisoned.load(Ordering::Relaxed) {
            let panic = lock(&shared.panic).take();
            resume_unwind(panic.unwrap_or_else(|| Box::new("a thread of the pool has panicked")));
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.start.word.fetch_add(1, Ordering::Release);
        self.shared.start.wake();
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
    pub threads: usize,
    shared: &'a Shared,
}

impl Team<'_> {
    /// Wait until every thread is here; what each wrote before is then seen by all.
    pub fn barrier(&self) {
        let shared = self.shared;
        if shared.threads == 1 {
            shared.tickets.0.store(0, Ordering::Relaxed);
            return;
        }
        let seen = shared.meeting.word.load(Ordering::Relaxed);
        if shared.arrived.0.fetch_add(1, Ordering::AcqRel) + 1 == shared.threads {
            shared.arrived.0.store(0, Ordering::Relaxed);
            shared.tickets.0.store(0, Ordering::Relaxed);
            shared.meeting.word.store(seen.wrapping_add(1), Ordering::Release);
            shared.meeting.wake();
            return;
        }
        shared.meeting.wait(shared.spin, IN_STEP, || {
            shared.meeting.word.load(Ordering::Acquire) != seen || shared.poisoned.load(Ordering::Relaxed)
        });
        if shared.poisoned.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Released));
        }
    }

    /// The next of the numbers 0, 1, 2, … handed out to the whole team since the last barrier.
    pub fn ticket(&self) -> usize {
        self.shared.tickets.0.fetch_add(1, Ordering::Relaxed)
    }

    /// This thread's part of `0..len` when it is divided evenly.
    pub fn share(&self, len: usize) -> std::ops::Range<usize> {
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

type Job = &'static (dyn Fn(&Team) + Sync);

/// The panic of a thread freed from a barrier because another panicked.
struct Released;

struct Shared {
    threads: usize,
    /// How long to spin without letting others run; zero with more threads than processors.
    spin: Duration,
    /// Its word counts runs.
    start: Gate,
    /// Its word counts barriers.
    meeting: Gate,
    /// Its word counts the workers that have finished this run.
    done: Gate,
    arrived: Padded<AtomicUsize>,
    tickets: Padded<AtomicUsize>,
    poisoned: AtomicBool,
    stop: AtomicBool,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    job: UnsafeCell<Option<Job>>,
}

// SAFETY: everything but `job` is `Sync`, and `job` is written only while no worker reads it (see `run`).
unsafe impl Sync for Shared {}

impl Shared {
    fn work(&self, index: usize) {
        let mut runs = 0;
        loop {
            self.start.wait(self.spin, BETWEEN_STEPS, || self.start.word.load(Ordering::Acquire) != runs);
            runs = runs.wrapping_add(1);
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            // SAFETY: `start` was passed with acquire after `run` wrote the cell; it is not written
            // again before this thread counts itself in `done`.
            if let Some(job) = unsafe { *self.job.get() } {
                self.perform(index, job);
            }
            self.done.word.fetch_add(1, Ordering::AcqRel);
            self.done.wake();
        }
    }

    fn perform(&self, index: usize, job: &(dyn Fn(&Team) + Sync)) {
        let team = Team { index, threads: self.threads, shared: self };
        // The closing barrier also leaves the tickets at zero for the next run.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| {
            job(&team);
            team.barrier();
        })) {
            if !panic.is::<Released>() {
                lock(&self.panic).get_or_insert(panic);
            }
            self.poisoned.store(true, Ordering::SeqCst);
            self.meeting.wake();
        }
    }
}

/// A word to wait on: spinning, then yielding, then asleep.
#[derive(Default)]
#[repr(align(128))]
struct Gate {
    word: AtomicU32,
    sleepers: AtomicU32,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Gate {
    /// To be called after a change that may make a waiter's `ready` true.
    fn wake(&self) {
        // Pairs with the increment of `sleepers`: either this sees the sleeper or it sees the change.
        fence(Ordering::SeqCst);
        if self.sleepers.load(Ordering::Relaxed) > 0 {
            drop(lock(&self.lock));
            self.changed.notify_all();
        }
    }

    fn wait(&self, spin: Duration, patience: Duration, ready: impl Fn() -> bool) {
        let mut began = None;
        loop {
            for _ in 0..64 {
                if ready() {
                    return;
                }
                std::hint::spin_loop();
            }
            let waited = began.get_or_insert_with(Instant::now).elapsed();
            if waited > patience {
                break;
            }
            if waited >= spin {
                thread::yield_now();
            }
        }
        let mut guard = lock(&self.lock);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        while !ready() {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
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
                        assert!(cells.iter().all(|cell| cell.load(Ordering::Relaxed) == round));
                        team.barrier();
                    }
                });
            }
        }
    }

    #[test]
    fn tickets_and_shares_cover_each_item_once() {
        let mut pool = Pool::new(3).unwrap();
        let taken: Vec<AtomicUsize> = (0..100).map(|_| AtomicUsize::new(0)).collect();
        let shared: Vec<AtomicUsize> = (0..100).map(|_| AtomicUsize::new(0)).collect();
        for round in 1..5 {
            pool.run(|team| {
                for _ in 0..2 {
                    loop {
                        let item = team.ticket();
                        if item >= taken.len() {
                            break;
                        }
                        taken[item].fetch_add(1, Ordering::Relaxed);
                    }
                    team.share(100).for_each(|item| {
                        shared[item].fetch_add(1, Ordering::Relaxed);
                    });
                    team.barrier();
                }
            });
            assert!(taken.iter().chain(&shared).all(|count| count.load(Ordering::Relaxed) == 2 * round));
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
            while pool.shared.start.sleepers.load(Ordering::SeqCst) == 0 {
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
