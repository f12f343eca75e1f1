//! Unsafe because it lends memory to the kernel, and writes it past the caches.
#![allow(unsafe_code)]

use std::{
    arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128},
    collections::VecDeque,
    io,
    net::TcpStream,
    ops::Range,
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
    ptr::{self, NonNull},
};

use super::frame::FRAME_MAX;

/// Frames at least this long go by the tray.
pub(super) const TRAY_MIN: usize = 64 << 10;

/// A slot begins on a page.
const SLOT: usize = FRAME_MAX.next_multiple_of(4 << 10);
/// As many as fit one large page.
const SLOTS: usize = (2 << 20) / SLOT;
const BYTES: usize = 2 << 20;

/// Pages that a socket sends from without a copy of the kernel's, where both ends are on one host.
///
/// There the other core reads what this one copied into the kernel's buffers, and to write over lines that another core has read is slow:
/// 2.3 GB/s where the cores share no cache, 9 GB/s where they do. Stores that pass the caches by make 28 GB/s of either. So the
/// copy is made here with such stores, and the socket is given the pages, where that is cheaper ([`Costs`](super::costs::Costs)). They may not change until the peer has read
/// them, which its own frames tell ([`Frame::taken`](super::frame::Frame)); while no slot is free, frames go the ordinary way, so nobody ever
/// waits for that word.
pub(super) struct Tray {
    pages: Pages,
    pipe: [OwnedFd; 2],
    /// Numbers of the frames that lie in slots, in order; the last lies in the slot before `next`.
    lent: VecDeque<u64>,
    next: usize,
    /// Bytes in the pipe: those of the front frame that follow what was sent.
    in_pipe: usize,
}

/// A slot that holds a frame's payload of `len` bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    slot: usize,
    pub(super) len: usize,
}

impl Tray {
    pub(super) fn new() -> io::Result<Self> {
        let pages = Pages::new()?;
        let mut ends = [0; 2];
        // SAFETY: room for two descriptors.
        if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC | libc::O_NONBLOCK) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call returned two fresh descriptors.
        let pipe = ends.map(|fd| unsafe { OwnedFd::from_raw_fd(fd) });
        // A frame at once. If it is refused, a frame takes several calls.
        // SAFETY: a descriptor we own.
        unsafe { libc::fcntl(pipe[1].as_raw_fd(), libc::F_SETPIPE_SZ, 512 << 10) };
        Ok(Self { pages, pipe, lent: VecDeque::with_capacity(SLOTS), next: 0, in_pipe: 0 })
    }

    /// Copies the payload of frame `number` to a slot, if one is free. `payload` must not be longer than a frame's.
    pub(super) fn place(&mut self, number: u64, payload: &[u8]) -> Option<Placed> {
        if self.lent.len() == SLOTS {
            return None;
        }
        let placed = Placed { slot: self.next, len: payload.len() };
        self.lent.push_back(number);
        self.next = (self.next + 1) % SLOTS;
        copy_past_caches(payload, self.pages.slot_mut(placed));
        Some(placed)
    }

    /// The peer has received the first `taken` frames.
    pub(super) fn release(&mut self, taken: u64) {
        while self.lent.front().is_some_and(|&number| number < taken) {
            self.lent.pop_front();
        }
    }

    pub(super) fn bytes(&self, placed: Placed) -> &[u8] {
        self.pages.slot(placed)
    }

    /// Gives the bytes from `sent` on to the socket; returns how many it took. Slots are sent in order, each to its end. After an error other
    /// than `WouldBlock` and `Interrupted` the rest can still be written from [`Tray::bytes`].
    pub(super) fn send(&mut self, placed: Placed, sent: usize, stream: &TcpStream) -> io::Result<usize> {
        if self.in_pipe == 0 {
            self.in_pipe = self.lend(placed, sent)?;
        }
        let more = if self.in_pipe < placed.len - sent { libc::SPLICE_F_MORE } else { 0 };
        // SAFETY: two live descriptors, no offsets.
        let sent = unsafe {
            libc::splice(
                self.pipe[0].as_raw_fd(),
                ptr::null_mut(),
                stream.as_raw_fd(),
                ptr::null_mut(),
                self.in_pipe,
                libc::SPLICE_F_NONBLOCK | more,
            )
        };
        let sent = usize::try_from(sent).map_err(|_| io::Error::last_os_error())?;
        self.in_pipe -= sent;
        Ok(sent)
    }

    /// Puts references to the pages into the pipe.
    fn lend(&self, placed: Placed, sent: usize) -> io::Result<usize> {
        let bytes = &self.pages.slot(placed)[sent..];
        let part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
        // SAFETY: one live range, which is not written before `release` says that everyone has read it.
        let lent = unsafe { libc::vmsplice(self.pipe[1].as_raw_fd(), &part, 1, libc::SPLICE_F_NONBLOCK) };
        usize::try_from(lent).map_err(|_| io::Error::last_os_error())
    }
}

/// Sends without pushing: more follows.
pub(super) fn send_more(stream: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
    let flags = libc::MSG_MORE | libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
    // SAFETY: a live socket and a live range.
    let sent = unsafe { libc::send(stream.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), flags) };
    usize::try_from(sent).map_err(|_| io::Error::last_os_error())
}

/// Private memory, in one large page where the system has one. The kernel keeps pages that are still being sent when this is dropped.
struct Pages {
    base: NonNull<u8>,
}

// SAFETY: plain memory without thread affinity.
unsafe impl Send for Pages {}

impl Pages {
    fn new() -> io::Result<Self> {
        let (read_write, private) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: no MAP_FIXED, so no existing mapping is replaced.
        let base = unsafe { libc::mmap(ptr::null_mut(), BYTES, read_write, private, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // Wishes: large pages, no copies for child processes, and everything there before anybody takes the time.
        for wish in [libc::MADV_HUGEPAGE, libc::MADV_DONTFORK, libc::MADV_POPULATE_WRITE] {
            // SAFETY: the range just mapped.
            unsafe { libc::madvise(base, BYTES, wish) };
        }
        let base = NonNull::new(base.cast()).ok_or_else(|| io::Error::other("mmap gave address 0"))?;
        Ok(Self { base })
    }

    fn range(placed: Placed) -> Range<usize> {
        let start = placed.slot % SLOTS * SLOT;
        start..start + placed.len.min(SLOT)
    }

    fn slot(&self, placed: Placed) -> &[u8] {
        let Range { start, end } = Self::range(placed);
        // SAFETY: a range within the mapping; `&self` excludes writers.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr().add(start), end - start) }
    }

    fn slot_mut(&mut self, placed: Placed) -> &mut [u8] {
        let Range { start, end } = Self::range(placed);
        // SAFETY: a range within the mapping; `&mut self` excludes everyone else.
        unsafe { std::slice::from_raw_parts_mut(self.base.as_ptr().add(start), end - start) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: exactly the range that `new` mapped.
        unsafe { libc::munmap(self.base.as_ptr().cast(), BYTES) };
    }
}

/// `to` is as long as `from` and starts on a page.
fn copy_past_caches(from: &[u8], to: &mut [u8]) {
    const STEP: usize = 64;
    let whole = from.len().min(to.len()) / STEP * STEP;
    for at in (0..whole).step_by(STEP) {
        // SAFETY: `at + STEP` is within both, and `to + at` is a multiple of 16.
        unsafe {
            let source = from.as_ptr().add(at).cast::<__m128i>();
            let target = to.as_mut_ptr().add(at).cast::<__m128i>();
            let line: [__m128i; 4] = std::array::from_fn(|i| _mm_loadu_si128(source.add(i)));
            for (i, part) in line.into_iter().enumerate() {
                _mm_stream_si128(target.add(i), part);
            }
        }
    }
    to[whole..].copy_from_slice(&from[whole..]);
    // The stores must be done before the peer is told of them.
    // SAFETY: every x86-64 has it.
    unsafe { _mm_sfence() };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{io::Read, net::TcpListener};

    #[test]
    fn slots_are_lent_until_taken() {
        let mut tray = Tray::new().unwrap();
        let placed: Vec<_> =
            (0..SLOTS).map(|i| tray.place(3 * i as u64, &vec![i as u8; FRAME_MAX - i]).unwrap()).collect();
        assert!(tray.place(100, &[0; 100]).is_none());
        tray.release(3);
        assert!(tray.place(100, &[77; 100]).is_some(), "frame 0 was taken");
        assert!(tray.place(101, &[0; 100]).is_none(), "frame 3 was not");
        for (i, &placed) in placed.iter().enumerate().skip(1) {
            assert!(tray.bytes(placed).iter().all(|&byte| byte == i as u8));
        }
        tray.release(102);
        assert_eq!((0..).take_while(|&i| tray.place(200 + i, &[1]).is_some()).count(), SLOTS);
    }

    #[test]
    fn what_was_lent_arrives_though_the_tray_is_gone() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let out = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut back, _) = listener.accept().unwrap();
        let payload: Vec<u8> = (0..50_001u32).map(|i| (i % 251) as u8).collect();
        let mut tray = Tray::new().unwrap();
        let placed = tray.place(0, &payload).unwrap();
        let mut sent = send_more(&out, b"head").unwrap() - 4;
        while sent < payload.len() {
            sent += tray.send(placed, sent, &out).unwrap();
        }
        drop((tray, out));
        let mut got = Vec::new();
        back.read_to_end(&mut got).unwrap();
        assert_eq!(got[..4], *b"head");
        assert!(got[4..] == payload[..]);
    }
}
