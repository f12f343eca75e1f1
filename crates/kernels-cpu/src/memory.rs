//! Memory for weights: one mapping in huge pages, handed out piece by piece.
//!
//! A core that streams weights from 4 KiB pages spends a third of its time in page-table walks; from 2 MiB pages
//! it reads at the speed of the memory. Where huge pages are not to be had the mapping is an ordinary one.

// Mappings come as raw pointers, and regions of one mapping are written by several threads.
#![allow(unsafe_code)]

use std::io;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::Barrier;
use std::time::Instant;

use tandem_tensor::Lent;

/// Bytes of a huge page on the machines we know.
const HUGE_PAGE: usize = 2 << 20;

/// Regions begin at multiples of this.
pub use tandem_tensor::ALIGNMENT;

/// A private anonymous mapping: zero until written, given back to the system when dropped.
struct Mapping {
    /// What the system gave, and its size.
    raw: NonNull<u8>,
    raw_len: usize,
    /// The first huge-page boundary inside.
    start: NonNull<u8>,
}

// SAFETY: a mapping is plain memory, tied to no thread; access to it is governed by the `Region`s.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    fn new(len: usize) -> io::Result<Mapping> {
        let too_large = || io::Error::new(io::ErrorKind::OutOfMemory, "the size overflows");
        let body = len.max(1).checked_next_multiple_of(ALIGNMENT).ok_or_else(too_large)?;
        // Small mappings stay small: a huge page for a few kilobytes is waste.
        let align = if body >= HUGE_PAGE { HUGE_PAGE } else { 1 };
        let raw_len = body.checked_add(align).ok_or_else(too_large)?;
        // SAFETY: a new anonymous mapping at an address of the system's choice touches nothing that exists.
        let raw = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                raw_len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if raw == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let raw = NonNull::new(raw.cast::<u8>()).ok_or_else(|| io::Error::other("mapped at address zero"))?;
        let skip = raw.as_ptr().align_offset(align);
        // SAFETY: `skip < align`, and the mapping is `align` bytes longer than the body.
        let start = unsafe { raw.add(skip) };
        #[cfg(target_os = "linux")]
        if align == HUGE_PAGE {
            // SAFETY: the range lies in the mapping just made. A refusal only means ordinary pages.
            unsafe { libc::madvise(start.as_ptr().cast(), body, libc::MADV_HUGEPAGE) };
        }
        Ok(Mapping { raw, raw_len, start })
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: exactly what `mmap` gave; no region is left, or it would hold this mapping.
        unsafe { libc::munmap(self.raw.as_ptr().cast(), self.raw_len) };
    }
}

/// Memory from which regions are taken, first to last.
pub struct Arena {
    keeper: Arc<dyn Send + Sync>,
    start: NonNull<u8>,
    used: usize,
    len: usize,
}

impl Arena {
    /// Room for `len` bytes, of which none is touched yet.
    pub fn new(len: usize) -> io::Result<Arena> {
        let mapping = Mapping::new(len)?;
        Ok(Arena { start: mapping.start, keeper: Arc::new(mapping), used: 0, len })
    }

    /// The same in memory that was lent.
    pub fn lent(memory: Box<dyn Lent>) -> Arena {
        Arena { start: memory.start(), len: memory.len(), keeper: Arc::new(memory), used: 0 }
    }

    /// The arena bytes that a region of `len` bytes takes.
    pub const fn bytes_for(len: usize) -> usize {
        len.next_multiple_of(ALIGNMENT)
    }

    /// The next `len` bytes, zeroed and aligned to [`ALIGNMENT`].
    ///
    /// # Panics
    /// Where the arena was made too small: the caller sums [`Arena::bytes_for`] beforehand.
    pub fn take(&mut self, len: usize) -> Region {
        let end = self.used + Arena::bytes_for(len);
        assert!(end <= Arena::bytes_for(self.len), "an arena of {} bytes cannot hold {end}", self.len);
        // SAFETY: `used <= len`, so the result lies in the memory.
        let start = unsafe { self.start.add(self.used) };
        self.used = end;
        Region { _keeper: Arc::clone(&self.keeper), start, len }
    }
}

/// Bytes of an [`Arena`] that belong to one owner.
pub struct Region {
    _keeper: Arc<dyn Send + Sync>,
    start: NonNull<u8>,
    len: usize,
}

impl Region {
    /// A region with a mapping of its own.
    pub fn new(len: usize) -> io::Result<Region> {
        Ok(Arena::new(len)?.take(len))
    }

    /// For writers that share the region between threads.
    pub fn as_mut_ptr(&self) -> *mut u8 {
        self.start.as_ptr()
    }
}

// SAFETY: a region is the only way to its bytes, like a `Box<[u8]>`.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Deref for Region {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the bytes are mapped and zeroed, live as long as `_keeper`, and are this region's alone.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for Region {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as `deref`, and `&mut self` excludes other access.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

/// The rate, in GB/s (10^9 bytes), at which `threads` cores together read memory that no cache holds: the best of
/// several passes over huge pages with a plain loop. This is what decoding can at best reach.
pub fn read_bandwidth(threads: usize) -> io::Result<f64> {
    read_bandwidth_of(threads, 256 << 20, 6)
}

/// As [`read_bandwidth`], over so much memory and so often.
pub fn read_bandwidth_of(threads: usize, bytes_per_thread: usize, passes: usize) -> io::Result<f64> {
    let threads = threads.max(1);
    let mut regions = Vec::new();
    for _ in 0..threads {
        regions.push(Region::new(bytes_per_thread)?);
    }
    let barrier = Barrier::new(threads);
    let times = std::thread::scope(|scope| {
        let workers: Vec<_> = regions
            .iter_mut()
            .map(|region| {
                let barrier = &barrier;
                scope.spawn(move || {
                    region.fill(1);
                    let pass = |_| {
                        barrier.wait();
                        let start = Instant::now();
                        std::hint::black_box(sum_words(region));
                        (start, Instant::now())
                    };
                    (0..passes).map(pass).collect::<Vec<_>>()
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("reading cannot panic")).collect::<Vec<_>>()
    });
    let best_s = (0..passes)
        .map(|pass| {
            let start = times.iter().map(|times| times[pass].0).min();
            let end = times.iter().map(|times| times[pass].1).max();
            end.zip(start).map_or(f64::INFINITY, |(end, start)| (end - start).as_secs_f64())
        })
        .fold(f64::INFINITY, f64::min);
    Ok((threads * bytes_per_thread) as f64 / best_s / 1e9)
}

/// Touches every cache line, with the lines ahead already asked for.
fn sum_words(bytes: &[u8]) -> u64 {
    const AHEAD: usize = 4096;
    let mut sums = [0u64; 4];
    for chunk in bytes.as_chunks::<256>().0 {
        for (i, line) in chunk.as_chunks::<64>().0.iter().enumerate() {
            prefetch(line.as_ptr().wrapping_add(AHEAD));
            let words: &[[u8; 8]] = line.as_chunks().0;
            for word in words {
                sums[i] = sums[i].wrapping_add(u64::from_ne_bytes(*word));
            }
        }
    }
    sums.iter().fold(0, |sum, x| sum.wrapping_add(*x))
}

/// Ask for the cache line at `at`, which need not exist, in the nearest cache.
#[inline(always)]
pub(crate) fn prefetch(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address is harmless; SSE is part of x86-64.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch of any address is harmless.
    unsafe {
        std::arch::asm!("prfm pldl1strm, [{}]", in(reg) at, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = at;
}

/// As [`prefetch`], but only into the second-level cache, which has more misses in flight.
#[inline(always)]
pub(crate) fn prefetch_far(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address is harmless; SSE is part of x86-64.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(at.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch of any address is harmless.
    unsafe {
        std::arch::asm!("prfm pldl2strm, [{}]", in(reg) at, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = at;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_aligned_zeroed_and_apart() {
        let mut arena = Arena::new(Arena::bytes_for(100) + Arena::bytes_for(3 << 20)).unwrap();
        let mut a = arena.take(100);
        let mut b = arena.take(3 << 20);
        drop(arena);
        assert!(a.as_ptr().addr().is_multiple_of(ALIGNMENT) && b.as_ptr().addr().is_multiple_of(ALIGNMENT));
        assert!(a.iter().chain(b.iter()).all(|byte| *byte == 0));
        a.fill(1);
        b.fill(2);
        assert!(a.iter().all(|byte| *byte == 1) && b.iter().all(|byte| *byte == 2));
    }

    #[test]
    fn an_absurd_size_is_an_error() {
        assert!(Arena::new(usize::MAX - 5).is_err());
        assert!(Arena::new(1 << 60).is_err());
    }
}
