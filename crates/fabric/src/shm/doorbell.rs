//! Unsafe because sleeping on a word of shared memory is a system call.
#![allow(unsafe_code)]

use std::{
    sync::atomic::{AtomicU32, Ordering, fence},
    time::Duration,
};

/// A word in shared memory on which one side sleeps until the other rings.
///
/// Ringing costs a fence and a load of a line that only changes when someone falls asleep; the system call is made only then.
#[repr(C, align(128))]
pub(super) struct Doorbell {
    asleep: AtomicU32,
}

impl Doorbell {
    /// Wakes the sleeper, if there is one. Call after publishing what it waits for.
    #[inline]
    pub(super) fn ring(&self) {
        // Orders the publication before the load: either we see the sleeper, or it sees what we published.
        fence(Ordering::SeqCst);
        if self.asleep.load(Ordering::Relaxed) != 0 {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        self.asleep.store(0, Ordering::Relaxed);
        sys::wake(&self.asleep);
    }

    /// Sleeps until rung or for `at_most`, unless `ready` holds already.
    pub(super) fn sleep(&self, at_most: Duration, ready: impl FnOnce() -> bool) {
        self.asleep.store(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        if !ready() {
            sys::wait(&self.asleep, 1, at_most);
        }
        self.asleep.store(0, Ordering::Relaxed);
    }
}

#[cfg(target_os = "linux")]
mod sys {
    use super::*;

    pub(super) fn wait(word: &AtomicU32, expected: u32, at_most: Duration) {
        let timeout = libc::timespec {
            tv_sec: i64::try_from(at_most.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: libc::c_long::from(at_most.subsec_nanos() as i32),
        };
        // SAFETY: a live word and timespec. Every outcome (woken, timed out, value changed, signal) means "look again".
        unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, expected, &timeout) };
    }

    pub(super) fn wake(word: &AtomicU32) {
        // SAFETY: a live word.
        unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, 1) };
    }
}

#[cfg(target_os = "macos")]
mod sys {
    use super::*;

    const SHARED: u32 = 1;
    const CLOCK_MACH_ABSOLUTE_TIME: u32 = 32;

    // Public since macOS 14.4; <os/os_sync_wait_on_address.h>.
    unsafe extern "C" {
        fn os_sync_wait_on_address_with_timeout(
            addr: *mut libc::c_void,
            value: u64,
            size: usize,
            flags: u32,
            clock: u32,
            timeout_ns: u64,
        ) -> libc::c_int;
        fn os_sync_wake_by_address_any(addr: *mut libc::c_void, size: usize, flags: u32) -> libc::c_int;
    }

    pub(super) fn wait(word: &AtomicU32, expected: u32, at_most: Duration) {
        let timeout_ns = u64::try_from(at_most.as_nanos()).unwrap_or(u64::MAX).max(1);
        // SAFETY: a live word of four bytes. Every outcome means "look again".
        unsafe {
            os_sync_wait_on_address_with_timeout(
                word.as_ptr().cast(),
                expected.into(),
                4,
                SHARED,
                CLOCK_MACH_ABSOLUTE_TIME,
                timeout_ns,
            )
        };
    }

    pub(super) fn wake(word: &AtomicU32) {
        // SAFETY: a live word of four bytes.
        unsafe { os_sync_wake_by_address_any(word.as_ptr().cast(), 4, SHARED) };
    }
}
