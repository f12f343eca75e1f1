//! Unsafe because messages are copied out of another process's memory.
#![allow(unsafe_code)]

mod door;
mod doorbell;
mod method;
mod ring;
mod segment;

use std::{
    collections::VecDeque,
    os::{fd::AsFd, unix::net::UnixStream},
    ptr,
    sync::atomic::Ordering,
    time::Duration,
};

pub use method::ShmMethod;
use ring::{Reader, Writer};
use segment::Segment;

use crate::{
    Arena, Buf, Completion, Counters, Deadline, Kind, Link, LinkError, NOTE_MAX, Rank, SharedBuf, Side,
    Window,
    descriptors::{self, peer_hung_up},
    mapping::Mapping,
};

/// A link between two processes of one host through shared memory.
///
/// Each side maps a small segment with two rings per direction, one per lane, and the other's whole arena. A message is not copied into a
/// ring: its place in the sender's arena is, and the receiver copies it from there straight into the posted buffer. A unix socket is
/// held open beside it: the kernel closes it when a process dies, however it dies.
pub struct ShmLink {
    peer: Rank,
    arena: Arena,
    window: Window,
    segment: Segment,
    socket: UnixStream,
    notes_out: Writer,
    notes_in: Reader,
    messages_out: Writer,
    messages_in: Reader,
    /// Posted; the first `announced` of them have been written to the ring.
    sends: VecDeque<SharedBuf>,
    announced: usize,
    /// How many of our messages the peer is known to have received.
    acknowledged: u64,
    receives: VecDeque<Buf>,
    received: u64,
    /// Copied while looking for notes.
    arrived: VecDeque<(Buf, usize)>,
    failed: Option<LinkError>,
    counters: Counters,
}

/// Where a message lies in the sender's arena.
#[derive(Clone, Copy)]
struct Place {
    offset: u64,
    len: u64,
}

impl Place {
    const BYTES: usize = 16;

    fn encode(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..].copy_from_slice(&self.len.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (offset, len) = bytes.split_first_chunk::<8>()?;
        let (len, []) = len.split_first_chunk::<8>()? else { return None };
        Some(Self { offset: u64::from_le_bytes(*offset), len: u64::from_le_bytes(*len) })
    }
}

impl ShmLink {
    /// Two ends in one process, for tests and threads.
    pub fn pair(
        (a, arena_a): (Rank, &Arena),
        (b, arena_b): (Rank, &Arena),
    ) -> Result<(ShmLink, ShmLink), LinkError> {
        let refused = |e: std::io::Error| LinkError::System { call: "socketpair", why: e.to_string() };
        let (one, two) = UnixStream::pair().map_err(refused)?;
        let deadline = Deadline::after(Duration::from_secs(5));
        // The lead does not wait for the follower before it has sent everything, so one thread can play both.
        let lead = Opening::lead(one, arena_a, b, deadline).map_err(refused)?;
        let follow = Opening::follow(two, arena_b, a, deadline).map_err(refused)?;
        Ok((lead.finish().map_err(refused)?, follow))
    }

    /// Opens a link over a connected unix socket whose other end does the same. The socket's peer must be trusted already.
    pub fn over(
        socket: UnixStream,
        side: Side,
        arena: &Arena,
        peer: Rank,
        deadline: Deadline,
    ) -> std::io::Result<ShmLink> {
        match side {
            Side::Lead => Opening::lead(socket, arena, peer, deadline)?.finish(),
            Side::Follow => Opening::follow(socket, arena, peer, deadline),
        }
    }

    fn check(&self) -> Result<(), LinkError> {
        match &self.failed {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    #[cold]
    fn fail<T>(&mut self, error: LinkError) -> Result<T, LinkError> {
        Err(self.failed.get_or_insert(error).clone())
    }

    /// Writes the places of posted messages to the ring while there is room.
    fn announce(&mut self) {
        let mut any = false;
        while let Some(buf) = self.sends.get(self.announced) {
            let place = Place { offset: buf.arena_offset() as u64, len: buf.len() as u64 };
            if !self.messages_out.push(&self.segment.ours().messages, &place.encode()) {
                break;
            }
            self.announced += 1;
            any = true;
        }
        if any {
            self.segment.theirs().doorbell.ring();
        }
    }

    fn take_acknowledged(&mut self) -> Option<SharedBuf> {
        let done = self.segment.theirs().received.0.load(Ordering::Acquire);
        if done == self.acknowledged || self.announced == 0 {
            return None;
        }
        self.acknowledged += 1;
        self.announced -= 1;
        self.sends.pop_front()
    }

    fn take_message(&mut self) -> Result<Option<(Buf, usize)>, LinkError> {
        if self.receives.is_empty() {
            return Ok(None);
        }
        let mut entry = [0; NOTE_MAX];
        let Some(len) = self.messages_in.pop(&self.segment.theirs().messages, &mut entry) else {
            return Ok(None);
        };
        let Some((place, from)) = Place::decode(&entry[..len]).and_then(|place| {
            let range =
                self.window.range(usize::try_from(place.offset).ok()?, usize::try_from(place.len).ok()?)?;
            Some((place, range))
        }) else {
            let what = "a message outside the sender's arena".into();
            return self.fail(LinkError::Corrupt { rank: self.peer, kind: Kind::Shm, what });
        };
        let len = place.len as usize;
        let Some(mut buf) = self.receives.pop_front() else { return Ok(None) };
        if len > buf.len() {
            let (message_len, buffer_len) = (len, buf.len());
            return self.fail(LinkError::Overrun { rank: self.peer, message_len, buffer_len });
        }
        // SAFETY: `from` is `len` bytes of the peer's arena, which the peer does not write while the message is in flight (it gave its
        // buffer away); `buf` is ours and at least as long; the two are different mappings.
        unsafe { ptr::copy_nonoverlapping(from.as_ptr(), buf.as_mut_ptr(), len) };
        self.received += 1;
        self.counters.messages_received += 1;
        self.counters.bytes_received += len as u64;
        self.segment.ours().received.0.store(self.received, Ordering::Release);
        self.segment.theirs().doorbell.ring();
        Ok(Some((buf, len)))
    }

    /// Whether a look now would find something.
    fn ready(&self) -> bool {
        let theirs = self.segment.theirs();
        self.notes_in.ready(&theirs.notes)
            || (!self.receives.is_empty() && self.messages_in.ready(&theirs.messages))
            || (self.announced > 0 && theirs.received.0.load(Ordering::Acquire) != self.acknowledged)
            || theirs.closed.0.load(Ordering::Acquire) != 0
    }

    fn peer_closed(&self) -> bool {
        self.segment.theirs().closed.0.load(Ordering::Acquire) != 0
    }
}

impl Link for ShmLink {
    fn kind(&self) -> Kind {
        Kind::Shm
    }

    fn peer(&self) -> Rank {
        self.peer
    }

    fn max_message(&self) -> usize {
        usize::MAX
    }

    fn post_send(&mut self, buf: SharedBuf) -> Result<(), LinkError> {
        self.check()?;
        if !buf.belongs_to(&self.arena) {
            return Err(LinkError::ForeignBuffer);
        }
        self.counters.messages_sent += 1;
        self.counters.bytes_sent += buf.len() as u64;
        self.sends.push_back(buf);
        self.announce();
        Ok(())
    }

    fn post_recv(&mut self, buf: Buf) -> Result<(), LinkError> {
        self.check()?;
        self.receives.push_back(buf);
        Ok(())
    }

    fn poll(&mut self) -> Result<Option<Completion>, LinkError> {
        self.check()?;
        if self.announced < self.sends.len() {
            self.announce();
        }
        // Read before the rings: what the peer sent before closing is still delivered.
        let closed = self.peer_closed();
        if let Some(buf) = self.take_acknowledged() {
            return Ok(Some(Completion::Sent(buf)));
        }
        if let Some((buf, len)) = self.arrived.pop_front() {
            return Ok(Some(Completion::Received { buf, len }));
        }
        if let Some((buf, len)) = self.take_message()? {
            return Ok(Some(Completion::Received { buf, len }));
        }
        if closed && !(self.sends.is_empty() && self.receives.is_empty()) {
            return self.fail(LinkError::closed(self.peer));
        }
        Ok(None)
    }

    #[inline]
    fn try_send_note(&mut self, note: &[u8]) -> Result<bool, LinkError> {
        self.check()?;
        if note.len() > NOTE_MAX {
            return Err(LinkError::TooLong { len: note.len(), max: NOTE_MAX });
        }
        if !self.notes_out.push(&self.segment.ours().notes, note) {
            self.counters.retries += 1;
            return if self.peer_closed() { self.fail(LinkError::closed(self.peer)) } else { Ok(false) };
        }
        self.counters.notes_sent += 1;
        self.segment.theirs().doorbell.ring();
        Ok(true)
    }

    #[inline]
    fn try_recv_note(&mut self, into: &mut [u8; NOTE_MAX]) -> Result<Option<usize>, LinkError> {
        let closed = self.peer_closed();
        let found = self.notes_in.pop(&self.segment.theirs().notes, into);
        if found.is_some() {
            self.counters.notes_received += 1;
            return Ok(found);
        }
        self.check()?;
        if closed {
            return self.fail(LinkError::closed(self.peer));
        }
        // The peer may be waiting for a message to be taken before it sends the note.
        if self.announced < self.sends.len() {
            self.announce();
        }
        if let Some(arrived) = self.take_message()? {
            self.arrived.push_back(arrived);
        }
        Ok(None)
    }

    fn park(&mut self, at_most: Duration) -> Result<(), LinkError> {
        self.check()?;
        self.counters.parks += 1;
        self.segment.ours().doorbell.sleep(at_most, || self.ready());
        // A peer that died rather than closed: whatever it finished sending is visible by now, so let that be taken first.
        if !self.ready() && peer_hung_up(self.socket.as_fd()) && !self.ready() {
            return self.fail(LinkError::closed(self.peer));
        }
        Ok(())
    }

    fn window(&self) -> Option<&Window> {
        Some(&self.window)
    }

    #[inline]
    fn nudge(&mut self) {
        self.segment.theirs().doorbell.ring();
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

impl Drop for ShmLink {
    fn drop(&mut self) {
        self.segment.ours().closed.0.store(1, Ordering::Release);
        self.segment.theirs().doorbell.ring();
    }
}

/// A lead that has sent its descriptors and waits for the follower's.
struct Opening {
    socket: UnixStream,
    arena: Arena,
    peer: Rank,
    segment: Segment,
    deadline: Deadline,
}

impl Opening {
    fn lead(socket: UnixStream, arena: &Arena, peer: Rank, deadline: Deadline) -> std::io::Result<Self> {
        let (segment, fd) = Segment::create()?;
        let len = (arena.len() as u64).to_le_bytes();
        descriptors::send(&socket, &len, [fd.as_fd(), arena.fd()])?;
        Ok(Self { socket, arena: arena.clone(), peer, segment, deadline })
    }

    fn follow(socket: UnixStream, arena: &Arena, peer: Rank, deadline: Deadline) -> std::io::Result<ShmLink> {
        let len = (arena.len() as u64).to_le_bytes();
        descriptors::send(&socket, &len, [arena.fd()])?;
        let (len, [fd, theirs]) = descriptors::recv::<2>(&socket, deadline)?;
        let segment = Segment::open(fd.as_fd())?;
        let window = window(theirs.as_fd(), len)?;
        ShmLink::new(socket, arena.clone(), peer, segment, window)
    }

    fn finish(self) -> std::io::Result<ShmLink> {
        let (len, [theirs]) = descriptors::recv::<1>(&self.socket, self.deadline)?;
        let window = window(theirs.as_fd(), len)?;
        ShmLink::new(self.socket, self.arena, self.peer, self.segment, window)
    }
}

fn window(fd: std::os::fd::BorrowedFd<'_>, len: u64) -> std::io::Result<Window> {
    let len = usize::try_from(len).map_err(std::io::Error::other)?;
    Ok(Window::new(Mapping::of_whole(fd, len)?))
}

impl ShmLink {
    fn new(
        socket: UnixStream,
        arena: Arena,
        peer: Rank,
        segment: Segment,
        window: Window,
    ) -> std::io::Result<Self> {
        socket.set_nonblocking(true)?;
        Ok(Self {
            peer,
            arena,
            window,
            segment,
            socket,
            notes_out: Writer::default(),
            notes_in: Reader::default(),
            messages_out: Writer::default(),
            messages_in: Reader::default(),
            sends: VecDeque::with_capacity(64),
            announced: 0,
            acknowledged: 0,
            receives: VecDeque::with_capacity(64),
            received: 0,
            arrived: VecDeque::with_capacity(64),
            failed: None,
            counters: Counters::default(),
        })
    }
}
