//! Unsafe because reading a clock that other processes of this host read too is a system call.
#![allow(unsafe_code)]

/// Nanoseconds of the host's monotonic clock, which is the same in every process.
pub(crate) fn now_ns() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: fills a live structure; this clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Names the running kernel: who finds the same name reads the same clock.
pub(crate) fn clock_name() -> Option<u64> {
    let boot = std::fs::read("/proc/sys/kernel/random/boot_id").ok()?;
    blake3::hash(&boot).as_bytes().first_chunk().map(|name| u64::from_le_bytes(*name))
}
