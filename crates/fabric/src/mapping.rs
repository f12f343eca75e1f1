//! Unsafe because it talks to the kernel about memory.
#![allow(unsafe_code)]

use std::{
    io,
    os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd},
    ptr::NonNull,
};

/// A shared, readable and writable mapping of a whole anonymous memory object; unmapped on drop.
#[derive(Debug)]
pub(crate) struct Mapping {
    base: NonNull<u8>,
    len: usize,
}

// SAFETY: a mapping is plain memory without thread affinity; access to it is governed by its users.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

/// macOS verbs refuse a memory region that crosses such a boundary.
const NO_CROSSING: usize = 4 << 30;

impl Mapping {
    /// Maps `len` bytes of `fd`, not crossing a 4 GiB boundary of the address space where `len` allows it.
    pub(crate) fn of(fd: BorrowedFd<'_>, len: usize) -> io::Result<Self> {
        let first = map(fd, len, std::ptr::null_mut())?;
        let start = first.base.as_ptr() as usize;
        if len > NO_CROSSING || start / NO_CROSSING == (start + len - 1) / NO_CROSSING {
            return Ok(first);
        }
        // The hint is the next boundary: the kernel honours it when that range is free.
        let hint = (start / NO_CROSSING + 1) * NO_CROSSING;
        let second = map(fd, len, hint as *mut libc::c_void)?;
        let start = second.base.as_ptr() as usize;
        if start / NO_CROSSING == (start + len - 1) / NO_CROSSING { Ok(second) } else { Ok(first) }
    }

    /// As [`Mapping::of`] for a descriptor from another process: an object shorter than `len` would fault on use, so it is refused.
    pub(crate) fn of_whole(fd: BorrowedFd<'_>, len: usize) -> io::Result<Self> {
        let file = std::fs::File::from(fd.try_clone_to_owned()?);
        let found = file.metadata()?.len();
        if len == 0 || found < len as u64 {
            return Err(io::Error::other(format!("the peer's memory is {found} bytes, it said {len}")));
        }
        Self::of(fd, len)
    }

    pub(crate) fn base(&self) -> NonNull<u8> {
        self.base
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: exactly the range that `map` obtained.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len) };
    }
}

fn map(fd: BorrowedFd<'_>, len: usize, hint: *mut libc::c_void) -> io::Result<Mapping> {
    // SAFETY: no MAP_FIXED, so no existing mapping is replaced.
    let base = unsafe {
        libc::mmap(hint, len, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED, fd.as_raw_fd(), 0)
    };
    if base == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    let base = NonNull::new(base.cast()).ok_or_else(|| io::Error::other("mmap gave address 0"))?;
    Ok(Mapping { base, len })
}

/// Memory that can be handed to another process by its descriptor and has no name to leak.
pub(crate) fn anonymous_memory(len: usize) -> io::Result<OwnedFd> {
    let fd = nameless()?;
    let len = libc::off_t::try_from(len).map_err(|_| io::Error::other("length over the system's limit"))?;
    // SAFETY: a descriptor we own.
    if unsafe { libc::ftruncate(fd.as_raw_fd(), len) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(fd)
}

#[cfg(target_os = "linux")]
fn nameless() -> io::Result<OwnedFd> {
    // SAFETY: a valid C string and a flag.
    let fd = unsafe { libc::memfd_create(c"tandem".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call returned a fresh descriptor.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Without memfd: a named object whose name is removed before anyone can die holding it.
#[cfg(not(target_os = "linux"))]
fn nameless() -> io::Result<OwnedFd> {
    use std::{
        ffi::CString,
        sync::atomic::{AtomicU32, Ordering},
    };
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("/tandem.{}.{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let name = CString::new(name).map_err(io::Error::other)?;
    // SAFETY: a valid C string; O_EXCL means that we own what we unlink.
    unsafe {
        let fd = libc::shm_open(name.as_ptr(), libc::O_RDWR | libc::O_CREAT | libc::O_EXCL, 0o600);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        libc::shm_unlink(name.as_ptr());
        let fd = OwnedFd::from_raw_fd(fd);
        libc::fcntl(fd.as_raw_fd(), libc::F_SETFD, libc::FD_CLOEXEC);
        Ok(fd)
    }
}
