mod connection;
mod frame;
mod method;
mod notes;
pub(crate) mod pacing;
mod seal;

use std::{collections::VecDeque, net::TcpStream, os::fd::AsRawFd, time::Duration};

use connection::{Connection, Destination};
use frame::{FRAME_MAX, Frame, next_len};
pub use method::{TcpMethod, TcpOptions};
use notes::{Notes, Trouble};
use seal::{Agreed, Seal};
pub use seal::{Cipher, Protection};

use crate::{
    Buf, Completion, Counters, Kind, Link, LinkError, Lost, NOTE_MAX, Rank, Route, Secrecy, SharedBuf,
    handshake::Admitted,
    readiness::{self, Awaited},
};

/// A link over TCP: one connection for notes, one or more for messages.
///
/// Sockets are non-blocking and polled while the caller waits, so a wake-up by the kernel is no part of the latency. Messages are cut into frames
/// that any connection may carry; short messages use the first only.
pub struct TcpLink {
    peer: Rank,
    agreed: Agreed,
    notes: Notes,
    connections: Vec<Connection>,
    sends: VecDeque<Send>,
    /// The number of the message at the front of `sends`.
    first_send: u64,
    /// Index in `sends` of the message being cut into frames.
    cutting: usize,
    inbox: Inbox,
    failed: Option<LinkError>,
    counters: Counters,
}

struct Send {
    buf: SharedBuf,
    cut: usize,
    frames_left: usize,
}

struct Receive {
    buf: Buf,
    total: Option<usize>,
    got: usize,
}

/// Posted receives, by message number.
struct Inbox {
    rank: Rank,
    receives: VecDeque<Receive>,
    first: u64,
    /// Why the sender's message cannot be taken.
    overrun: Option<LinkError>,
    several_connections: bool,
}

/// Messages at least this long are spread over all connections.
const SPREAD_MIN: usize = 2 * FRAME_MAX;

impl TcpLink {
    /// `connections` are proved: lane 0 is for notes, the others for messages.
    fn new(
        peer: Rank,
        mut connections: Vec<(TcpStream, Admitted)>,
        agreed: Agreed,
        caller: bool,
    ) -> std::io::Result<Self> {
        connections.sort_by_key(|(_, admitted)| admitted.lane);
        let mut lanes = Vec::with_capacity(connections.len());
        for (stream, admitted) in connections {
            stream.set_nodelay(true)?;
            stream.set_nonblocking(true)?;
            let seal = |outward| Seal::new(agreed, &admitted.key, outward);
            lanes.push((stream, seal(caller), seal(!caller)));
        }
        let mut lanes = lanes.into_iter();
        let (stream, out, back) =
            lanes.next().ok_or_else(|| std::io::Error::other("no connection for notes"))?;
        let notes = Notes::new(stream, out, back);
        let connections: Vec<_> =
            lanes.map(|(stream, out, back)| Connection::new(stream, out, back)).collect();
        if connections.is_empty() {
            return Err(std::io::Error::other("no connection for messages"));
        }
        let inbox = Inbox {
            rank: peer,
            receives: VecDeque::with_capacity(64),
            first: 0,
            overrun: None,
            several_connections: connections.len() > 1,
        };
        Ok(Self {
            peer,
            agreed,
            notes,
            connections,
            sends: VecDeque::with_capacity(64),
            first_send: 0,
            cutting: 0,
            inbox,
            failed: None,
            counters: Counters::default(),
        })
    }

    fn check(&self) -> Result<(), LinkError> {
        match &self.failed {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// The link has failed. A note that came before, perhaps since the last look, is heard all the same.
    #[cold]
    fn last_note(&mut self, into: &mut [u8; NOTE_MAX], trouble: Trouble) -> Result<Option<usize>, LinkError> {
        self.trouble(trouble);
        self.try_recv_note(into)
    }

    #[cold]
    fn trouble(&mut self, trouble: Trouble) -> LinkError {
        let rank = self.peer;
        let error = match trouble {
            _ if self.inbox.overrun.is_some() => self.inbox.overrun.take().unwrap_or(LinkError::closed(rank)),
            Trouble::Closed => LinkError::closed(rank),
            Trouble::Io(e) if is_closed(&e) => LinkError::closed(rank),
            Trouble::Io(e) => LinkError::PeerLost { rank, why: Lost::Transport(e.to_string()) },
            Trouble::Damaged(what) => {
                self.counters.checksum_errors += 1;
                LinkError::Corrupt { rank, kind: Kind::Tcp, what }
            }
        };
        self.failed.get_or_insert(error).clone()
    }

    /// Hands frames of posted messages to the connections and those to the kernel.
    fn push_out(&mut self) -> Result<(), Trouble> {
        // Writing and reading in turns, a frame at a time, keeps what is under way in the caches.
        let in_turns = self.inbox.incomplete().is_some();
        loop {
            let mut cut_any = false;
            for index in 0..self.connections.len() {
                while self.connections[index].has_room() && !(in_turns && self.connections[index].sending()) {
                    let Some(send) = self.sends.get_mut(self.cutting) else { break };
                    // Later connections join only for long messages, after the first frame has announced the length.
                    if index > 0 && (send.buf.len() < SPREAD_MIN || send.cut == 0) {
                        break;
                    }
                    let len = next_len(send.buf.len() - send.cut);
                    let frame = Frame {
                        message: self.first_send + self.cutting as u64,
                        total: send.buf.len() as u64,
                        offset: send.cut as u64,
                        len: len as u32,
                    };
                    self.connections[index].push(frame, send.buf.slice(send.cut..send.cut + len));
                    send.cut += len;
                    cut_any = true;
                    if send.cut == send.buf.len() {
                        self.cutting += 1;
                    }
                }
            }
            let mut finished = 0;
            for connection in &mut self.connections {
                let (sends, first) = (&mut self.sends, self.first_send);
                connection.flush(|message| {
                    finished += 1;
                    if let Some(send) = sends.get_mut((message - first) as usize) {
                        send.frames_left -= 1;
                    }
                })?;
            }
            if !cut_any || finished == 0 || in_turns {
                return Ok(());
            }
        }
    }

    /// With `all`, goes on after the first message that is complete.
    fn pull_in(&mut self, all: bool) -> Result<(), Trouble> {
        let spread = self.inbox.incomplete().is_some_and(|r| r.total.is_some_and(|n| n >= SPREAD_MIN));
        let readers = if spread { self.connections.len() } else { 1 };
        for connection in &mut self.connections[..readers] {
            while connection.receive(&mut self.inbox)? {
                if !all && self.inbox.front_complete() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn take_sent(&mut self) -> Option<SharedBuf> {
        if self.sends.front()?.frames_left > 0 {
            return None;
        }
        self.first_send += 1;
        self.cutting -= 1;
        self.sends.pop_front().map(|send| send.buf)
    }

    fn progress(&mut self) -> Result<Option<Completion>, Trouble> {
        if !self.sends.is_empty() {
            self.push_out()?;
            if let Some(buf) = self.take_sent() {
                return Ok(Some(Completion::Sent(buf)));
            }
        }
        if self.notes.unsent() {
            self.notes.flush()?;
        }
        if !self.inbox.receives.is_empty() {
            if !self.inbox.front_complete() {
                self.pull_in(false)?;
            }
            if let Some((buf, len)) = self.inbox.take() {
                self.counters.messages_received += 1;
                self.counters.bytes_received += len as u64;
                return Ok(Some(Completion::Received { buf, len }));
            }
        }
        Ok(None)
    }
}

impl Inbox {
    fn front_complete(&self) -> bool {
        self.receives.front().is_some_and(|receive| receive.total == Some(receive.got))
    }

    fn incomplete(&mut self) -> Option<&mut Receive> {
        self.receives.iter_mut().find(|receive| receive.total != Some(receive.got))
    }

    fn take(&mut self) -> Option<(Buf, usize)> {
        if !self.front_complete() {
            return None;
        }
        self.first += 1;
        self.receives.pop_front().map(|receive| (receive.buf, receive.got))
    }
}

impl Destination for Inbox {
    fn buffer(&mut self, frame: &Frame) -> Result<Option<&mut Buf>, Trouble> {
        let Some(index) = frame.message.checked_sub(self.first) else {
            return Err(Trouble::Damaged(format!("message {} came twice", frame.message)));
        };
        let Some(receive) = usize::try_from(index).ok().and_then(|index| self.receives.get_mut(index)) else {
            return Ok(None);
        };
        let (message_len, buffer_len) = (frame.total as usize, receive.buf.len());
        if message_len > buffer_len {
            self.overrun = Some(LinkError::Overrun { rank: self.rank, message_len, buffer_len });
            return Err(Trouble::Closed);
        }
        if *receive.total.get_or_insert(message_len) != message_len {
            return Err(Trouble::Damaged(format!("message {} changed its length", frame.message)));
        }
        Ok(Some(&mut receive.buf))
    }

    fn guess(&mut self) -> Option<&mut [u8]> {
        let several_connections = self.several_connections;
        let receive = self.incomplete()?;
        let end = receive.total.unwrap_or(receive.buf.len());
        if several_connections && end >= SPREAD_MIN {
            return None;
        }
        let end = end.min(receive.got + FRAME_MAX);
        Some(&mut receive.buf[receive.got..end])
    }

    fn arrived(&mut self, frame: &Frame) {
        let index = (frame.message - self.first) as usize;
        if let Some(receive) = self.receives.get_mut(index) {
            receive.got += frame.len as usize;
        }
    }
}

impl Link for TcpLink {
    fn kind(&self) -> Kind {
        Kind::Tcp
    }

    fn peer(&self) -> Rank {
        self.peer
    }

    fn max_message(&self) -> usize {
        usize::MAX
    }

    fn post_send(&mut self, buf: SharedBuf) -> Result<(), LinkError> {
        self.check()?;
        self.counters.messages_sent += 1;
        self.counters.bytes_sent += buf.len() as u64;
        let frames_left = frame::count(buf.len());
        self.sends.push_back(Send { buf, cut: 0, frames_left });
        self.push_out().map_err(|trouble| self.trouble(trouble))
    }

    fn post_recv(&mut self, buf: Buf) -> Result<(), LinkError> {
        self.check()?;
        self.inbox.receives.push_back(Receive { buf, total: None, got: 0 });
        Ok(())
    }

    fn poll(&mut self) -> Result<Option<Completion>, LinkError> {
        self.check()?;
        self.progress().map_err(|trouble| self.trouble(trouble))
    }

    fn try_send_note(&mut self, note: &[u8]) -> Result<bool, LinkError> {
        self.check()?;
        if note.len() > NOTE_MAX {
            return Err(LinkError::TooLong { len: note.len(), max: NOTE_MAX });
        }
        let sent = self.notes.send(note).map_err(|trouble| self.trouble(trouble))?;
        if sent {
            self.counters.notes_sent += 1;
        } else {
            self.counters.retries += 1;
        }
        Ok(sent)
    }

    fn try_recv_note(&mut self, into: &mut [u8; NOTE_MAX]) -> Result<Option<usize>, LinkError> {
        if let Some(error) = &self.failed {
            // The note connection has its own stream: what had arrived there is still good.
            return match self.notes.recv(into) {
                Ok(Some(len)) => Ok(Some(len)),
                _ => Err(error.clone()),
            };
        }
        if self.notes.unsent()
            && let Err(trouble) = self.notes.flush()
        {
            return self.last_note(into, trouble);
        }
        let found = self.notes.recv(into).map_err(|trouble| self.trouble(trouble))?;
        if found.is_some() {
            self.counters.notes_received += 1;
            return Ok(found);
        }
        // The peer may be waiting for a message to be taken before it sends the note.
        let progress = (!self.sends.is_empty()).then(|| self.push_out());
        let progress = progress.unwrap_or(Ok(()));
        let progress = progress
            .and_then(|()| if self.inbox.incomplete().is_some() { self.pull_in(true) } else { Ok(()) });
        match progress {
            Ok(()) => Ok(None),
            Err(trouble) => self.last_note(into, trouble),
        }
    }

    fn park(&mut self, at_most: Duration) -> Result<(), LinkError> {
        self.check()?;
        self.counters.parks += 1;
        let receiving = !self.inbox.receives.is_empty();
        let mut awaited = Vec::with_capacity(1 + self.connections.len());
        awaited.push(Awaited { fd: self.notes.stream().as_raw_fd(), read: true, write: self.notes.unsent() });
        for connection in &self.connections {
            let fd = connection.stream().as_raw_fd();
            awaited.push(Awaited { fd, read: receiving, write: connection.sending() });
        }
        readiness::wait(&awaited, at_most);
        Ok(())
    }

    fn secrecy(&self) -> Secrecy {
        match self.agreed {
            Agreed::Encrypted(cipher) => Secrecy::Encrypted(cipher),
            _ if pacing::same_host(self.notes.stream()) => Secrecy::WithinHost,
            _ => Secrecy::Clear,
        }
    }

    fn routes(&self) -> Vec<Route> {
        Route::of(self.notes.stream()).into_iter().collect()
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

fn is_closed(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected};
    matches!(error.kind(), BrokenPipe | ConnectionReset | ConnectionAborted | NotConnected)
}
