use std::{fmt, time::Duration};

use crate::{Buf, LinkError, Rank, Route, Secrecy, SharedBuf, Window};

/// The longest note in bytes, on every link.
pub const NOTE_MAX: usize = 112;

/// What a link is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Verbs,
    Shm,
    Tcp,
    Mem,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Verbs => "verbs",
            Kind::Shm => "shm",
            Kind::Tcp => "tcp",
            Kind::Mem => "mem",
        })
    }
}

/// An ordered, reliable connection between this rank and one peer.
///
/// A link has two lanes, independent of each other; within a lane order is kept.
///
/// * **Notes**: up to [`NOTE_MAX`] bytes, copied on the call, no buffer needed. For synchronisation,
///   headers and credits; the lowest latency the link has. A peer that does not take its notes makes
///   `try_send_note` return `false` after a bounded number (at least 32), never an error.
/// * **Messages**: any length from 0 to [`Link::max_message`], from registered buffers. The n-th message
///   sent fills the n-th buffer the peer posted, and may be shorter than it. A message waits, without
///   limit and without being dropped, until its buffer is posted. Posting takes the buffer and
///   the completion gives it back, so a buffer in flight cannot be touched.
///
/// Nothing here blocks except [`Link::park`]. Progress on both lanes is made inside `poll` and
/// `try_recv_note`, so that waiting on one lane never holds up the other; a link may only advance when one of them is called. Sends complete in the order
/// posted, and so do receives; sends and receives complete independently of each other. `Sent` means the buffer may be reused, not
/// that the peer has the bytes.
///
/// A link that failed stays failed and says the same each time. Dropping a link closes it at once:
/// messages not yet completed may be lost, the peer finds `PeerLost { why: Closed }` after taking
/// what had arrived. Posted buffers return to their arena when the link is dropped.
///
/// Nobody spins for ever: callers use the blocking forms in [`LinkExt`](crate::LinkExt), which spin, yield, then park,
/// and turn an expired deadline into `PeerLost`.
pub trait Link: Send {
    fn kind(&self) -> Kind;

    /// Who is at the other end.
    fn peer(&self) -> Rank;

    /// The longest message in bytes.
    fn max_message(&self) -> usize;

    /// Starts sending `buf` as one message. An error leaves nothing posted.
    fn post_send(&mut self, buf: SharedBuf) -> Result<(), LinkError>;

    /// Offers `buf` for the next message that has no buffer yet. An error leaves nothing posted.
    fn post_recv(&mut self, buf: Buf) -> Result<(), LinkError>;

    /// Makes progress; returns the next completion if there is one.
    fn poll(&mut self) -> Result<Option<Completion>, LinkError>;

    /// Sends a note if there is room for it now. Panics never; longer than `NOTE_MAX` is `TooLong`.
    fn try_send_note(&mut self, note: &[u8]) -> Result<bool, LinkError>;

    /// Takes the next note if one has arrived; returns its length. Notes that arrived before the link failed can still be taken
    /// after it: they may say why the peer left.
    fn try_recv_note(&mut self, into: &mut [u8; NOTE_MAX]) -> Result<Option<usize>, LinkError>;

    /// Sleeps until something may have happened on this link, or for `at_most`. May return early. This is the slow
    /// path: here a link also checks whether its peer is still there, and fails if not.
    fn park(&mut self, at_most: Duration) -> Result<(), LinkError>;

    /// The peer's arena mapped into this process, where the link can do that.
    fn window(&self) -> Option<&Window> {
        None
    }

    /// Wakes the peer if it sleeps, after something was written to memory that it sees through its window. One that falls asleep at this very moment
    /// may be missed, and looks when its sleep ends.
    fn nudge(&mut self) {}

    /// Who could read what it carries. No adapter encrypts what verbs send.
    fn secrecy(&self) -> Secrecy {
        match self.kind() {
            Kind::Shm | Kind::Mem => Secrecy::WithinHost,
            Kind::Verbs | Kind::Tcp => Secrecy::Clear,
        }
    }

    /// The addresses between which it travels; none where it does not leave the host. A [`Pulse`](crate::Pulse) beats there too, since a peer that is alive
    /// may be cut off on this way and heard on another.
    fn routes(&self) -> Vec<Route> {
        Vec::new()
    }

    /// What the link has counted so far.
    fn counters(&self) -> Counters;
}

/// A finished post: the buffer comes back.
#[derive(Debug)]
pub enum Completion {
    Sent(SharedBuf),
    /// `buf[..len]` is the message.
    Received {
        buf: Buf,
        len: usize,
    },
}

/// Totals since the link was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    pub messages_sent: u64,
    pub messages_received: u64,
    pub bytes_sent: u64,
    pub bytes_received: u64,
    pub notes_sent: u64,
    pub notes_received: u64,
    /// Sends that had to be repeated (verbs) or found no room (others).
    pub retries: u64,
    pub checksum_errors: u64,
    /// Sleeps in `park`: each is at least one system call.
    pub parks: u64,
}

impl<L: Link + ?Sized> Link for Box<L> {
    fn kind(&self) -> Kind {
        (**self).kind()
    }
    fn peer(&self) -> Rank {
        (**self).peer()
    }
    fn max_message(&self) -> usize {
        (**self).max_message()
    }
    fn post_send(&mut self, buf: SharedBuf) -> Result<(), LinkError> {
        (**self).post_send(buf)
    }
    fn post_recv(&mut self, buf: Buf) -> Result<(), LinkError> {
        (**self).post_recv(buf)
    }
    fn poll(&mut self) -> Result<Option<Completion>, LinkError> {
        (**self).poll()
    }
    fn try_send_note(&mut self, note: &[u8]) -> Result<bool, LinkError> {
        (**self).try_send_note(note)
    }
    fn try_recv_note(&mut self, into: &mut [u8; NOTE_MAX]) -> Result<Option<usize>, LinkError> {
        (**self).try_recv_note(into)
    }
    fn park(&mut self, at_most: Duration) -> Result<(), LinkError> {
        (**self).park(at_most)
    }
    fn window(&self) -> Option<&Window> {
        (**self).window()
    }
    fn nudge(&mut self) {
        (**self).nudge()
    }
    fn secrecy(&self) -> Secrecy {
        (**self).secrecy()
    }
    fn routes(&self) -> Vec<Route> {
        (**self).routes()
    }
    fn counters(&self) -> Counters {
        (**self).counters()
    }
}
