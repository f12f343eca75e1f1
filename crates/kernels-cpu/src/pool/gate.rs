//! A number that threads wait for: spinning, then yielding, then asleep.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::lock;

#[derive(Default)]
#[repr(align(128))]
pub(super) struct Gate {
    pub word: AtomicU64,
    sleepers: AtomicU32,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Gate {
    /// To be called after a change that may make a waiter's `ready` true.
    pub(super) fn wake(&self) {
        // Pairs with the increment of `sleepers`: either this sees the sleeper or it sees the change.
        fence(Ordering::SeqCst);
        if self.sleepers.load(Ordering::Relaxed) > 0 {
            drop(lock(&self.lock));
            self.changed.notify_all();
        }
    }

    /// Wait until `ready`, and say how long that took; a wait of less than a microsecond is nothing.
    pub(super) fn wait(&self, spin: Duration, patience: Duration, ready: impl Fn() -> bool) -> Duration {
        let mut began = None;
        let began = loop {
            for _ in 0..64 {
                if ready() {
                    return began.map_or(Duration::ZERO, |began: Instant| began.elapsed());
                }
                std::hint::spin_loop();
            }
            let began = *began.get_or_insert_with(Instant::now);
            let waited = began.elapsed();
            if waited > patience {
                break began;
            }
            if waited >= spin {
                thread::yield_now();
            }
        };
        let mut guard = lock(&self.lock);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        while !ready() {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
        began.elapsed()
    }

    #[cfg(test)]
    pub(super) fn has_sleepers(&self) -> bool {
        self.sleepers.load(Ordering::SeqCst) > 0
    }
}
