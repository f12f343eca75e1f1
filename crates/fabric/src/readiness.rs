//! Unsafe because `poll` is a system call.
#![allow(unsafe_code)]

use std::{os::fd::RawFd, time::Duration};

/// What one descriptor is awaited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Awaited {
    pub(crate) fd: RawFd,
    pub(crate) read: bool,
    pub(crate) write: bool,
}

/// Sleeps until one of `fds` has something to read (or is closed), or for `at_most`.
pub(crate) fn wait_readable(fds: &[RawFd], at_most: Duration) {
    let awaited: Vec<_> = fds.iter().map(|&fd| Awaited { fd, read: true, write: false }).collect();
    wait(&awaited, at_most);
}

/// Sleeps until one of the descriptors is ready, or for `at_most`, rounded up to milliseconds.
pub(crate) fn wait(awaited: &[Awaited], at_most: Duration) {
    let mut polls: Vec<_> = awaited
        .iter()
        .map(|a| libc::pollfd {
            fd: a.fd,
            events: if a.read { libc::POLLIN } else { 0 } | if a.write { libc::POLLOUT } else { 0 },
            revents: 0,
        })
        .collect();
    let ms = libc::c_int::try_from(at_most.as_millis().max(1)).unwrap_or(libc::c_int::MAX);
    // SAFETY: a live array of that length; every outcome means "look again".
    unsafe { libc::poll(polls.as_mut_ptr(), polls.len() as libc::nfds_t, ms) };
}
