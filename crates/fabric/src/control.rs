use std::{
    io::{self, ErrorKind, Write},
    net::TcpStream,
    os::unix::net::UnixStream,
    time::Duration,
};

use crate::{Deadline, gate::Socket};

/// The authenticated channel on which two nodes agree on a link. It carries a few small messages and is not used afterwards.
pub trait Control {
    fn send(&mut self, message: &[u8], deadline: Deadline) -> io::Result<()>;

    /// The next message; one longer than `max` is an error and is not read.
    fn recv(&mut self, max: usize, deadline: Deadline) -> io::Result<Vec<u8>>;
}

/// A [`Control`] over a stream socket: each message after its length in four bytes.
macro_rules! control {
    ($stream:ty) => {
        impl Control for $stream {
            fn send(&mut self, message: &[u8], deadline: Deadline) -> io::Result<()> {
                self.blocking(Some(deadline.remaining().max(Duration::from_millis(1))))?;
                let len = u32::try_from(message.len()).map_err(io::Error::other)?;
                self.write_all(&[&len.to_le_bytes(), message].concat())
            }

            fn recv(&mut self, max: usize, deadline: Deadline) -> io::Result<Vec<u8>> {
                let mut len = [0; 4];
                read_by(self, &mut len, deadline)?;
                let len = u32::from_le_bytes(len) as usize;
                if len > max {
                    return Err(io::Error::other(format!(
                        "a control message of {len} bytes, at most {max} expected"
                    )));
                }
                let mut message = vec![0; len];
                read_by(self, &mut message, deadline)?;
                Ok(message)
            }
        }
    };
}

control!(TcpStream);
control!(UnixStream);

/// `read_exact` under one deadline for the whole, so that a peer that drips bytes gains nothing.
fn read_by(stream: &mut impl Socket, mut into: &mut [u8], deadline: Deadline) -> io::Result<()> {
    while !into.is_empty() {
        if deadline.expired() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.blocking(Some(deadline.remaining().max(Duration::from_millis(1))))?;
        match stream.read(into) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => into = &mut into[n..],
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) if e.kind() == ErrorKind::WouldBlock => return Err(ErrorKind::TimedOut.into()),
            Err(e) => return Err(e),
        }
    }
    Ok(())
}
