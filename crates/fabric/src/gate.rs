use std::{
    io::{self, ErrorKind, Read, Write},
    net::{TcpListener, TcpStream},
    os::{
        fd::{AsFd, AsRawFd},
        unix::net::{UnixListener, UnixStream},
    },
    time::{Duration, Instant},
};

use crate::{
    Deadline,
    handshake::{ANSWER, Admitted, Caller, Guest, Terms, Verdict},
    readiness::wait_readable,
};

/// How many strangers may be half-way through a handshake; the oldest gives way to the next.
const PENDING_MAX: usize = 16;
/// How long one handshake may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// A stream socket that handshakes run over.
pub(crate) trait Socket: Read + Write + AsFd + Sized {
    fn blocking(&self, timeout: Option<Duration>) -> io::Result<()>;
    fn nonblocking(&self) -> io::Result<()>;
}

pub(crate) trait Listener: AsFd {
    type Stream: Socket;
    fn next(&self) -> io::Result<Self::Stream>;
}

/// Waits on `listener` for `wanted` connections that prove the secret, in any order. Whatever else knocks is dropped without a word.
pub(crate) fn admit<L: Listener>(
    listener: &L,
    wanted: usize,
    terms: &Terms,
    deadline: Deadline,
) -> io::Result<Vec<(L::Stream, Admitted)>> {
    struct Knock<S> {
        stream: S,
        guest: Guest,
        since: Instant,
    }
    let mut pending: Vec<Knock<L::Stream>> = Vec::with_capacity(PENDING_MAX);
    let mut admitted: Vec<(L::Stream, Admitted)> = Vec::with_capacity(wanted);
    while admitted.len() < wanted {
        if deadline.expired() {
            let got = admitted.len();
            return Err(io::Error::new(
                ErrorKind::TimedOut,
                format!("{got} of {wanted} connections came in time"),
            ));
        }
        match listener.next() {
            Ok(stream) => {
                stream.nonblocking()?;
                if pending.len() == PENDING_MAX {
                    pending.remove(0);
                }
                pending.push(Knock { stream, guest: Guest::new(), since: Instant::now() });
            }
            // A knock that went away before it was answered, or too many open files: neither is the caller's problem yet.
            Err(e) if !matches!(e.kind(), ErrorKind::WouldBlock) => {}
            Err(_) => {}
        }
        let mut i = 0;
        while let Some(knock) = pending.get_mut(i) {
            match attend(&mut knock.stream, &mut knock.guest, terms) {
                Some(Verdict::Admit(who)) if admitted.iter().all(|(_, other)| other.lane != who.lane) => {
                    let knock = pending.remove(i);
                    knock.stream.blocking(None)?;
                    admitted.push((knock.stream, who));
                }
                Some(Verdict::More) if knock.since.elapsed() < PATIENCE => i += 1,
                _ => drop(pending.remove(i)),
            }
        }
        let fds: Vec<_> = std::iter::once(listener.as_fd().as_raw_fd())
            .chain(pending.iter().map(|knock| knock.stream.as_fd().as_raw_fd()))
            .collect();
        if admitted.len() < wanted {
            wait_readable(&fds, deadline.remaining().min(Duration::from_millis(100)));
        }
    }
    Ok(admitted)
}

/// Reads what one guest has sent; `More` when it must send more, `None` when it is gone.
fn attend(stream: &mut impl Socket, guest: &mut Guest, terms: &Terms) -> Option<Verdict> {
    let mut bytes = [0; 128];
    loop {
        match stream.read(&mut bytes[..guest.wants()]) {
            Ok(0) => return None,
            Ok(n) => match guest.feed(&bytes[..n], terms) {
                Verdict::More => {}
                // A fresh socket has room for this; if not, the guest is not one of ours.
                Verdict::Answer(answer) => {
                    if stream.write(&answer).ok()? != ANSWER {
                        return None;
                    }
                }
                verdict => return Some(verdict),
            },
            Err(e) if e.kind() == ErrorKind::WouldBlock => return Some(Verdict::More),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

/// The caller's side: proves the secret over a fresh connection to a gate.
pub(crate) fn call(
    stream: &mut impl Socket,
    lane: u8,
    terms: &Terms,
    deadline: Deadline,
) -> io::Result<Admitted> {
    let caller = Caller::new(terms, lane);
    let left = deadline.remaining().min(PATIENCE).max(Duration::from_millis(1));
    stream.blocking(Some(left))?;
    stream.write_all(&caller.greeting)?;
    let mut answer = [0; ANSWER];
    stream.read_exact(&mut answer)?;
    let (confirmation, admitted) = caller
        .confirm(&answer, terms)
        .ok_or_else(|| io::Error::other("whoever answered does not know the secret"))?;
    stream.write_all(&confirmation)?;
    stream.blocking(None)?;
    Ok(admitted)
}

macro_rules! socket {
    ($stream:ty, $listener:ty) => {
        impl Socket for $stream {
            fn blocking(&self, timeout: Option<Duration>) -> io::Result<()> {
                self.set_nonblocking(false)?;
                self.set_read_timeout(timeout)?;
                self.set_write_timeout(timeout)
            }
            fn nonblocking(&self) -> io::Result<()> {
                self.set_nonblocking(true)
            }
        }

        impl Listener for $listener {
            type Stream = $stream;
            fn next(&self) -> io::Result<$stream> {
                self.set_nonblocking(true)?;
                self.accept().map(|(stream, _)| stream)
            }
        }
    };
}

socket!(TcpStream, TcpListener);
socket!(UnixStream, UnixListener);
