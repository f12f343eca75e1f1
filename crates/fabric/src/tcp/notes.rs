use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
};

use super::{frame::TAG, pacing, seal::Seal};
use crate::NOTE_MAX;

/// The note lane: a connection of its own, so that notes never wait behind messages.
///
/// A note is `[len, 0, 0, 0]`, the bytes, and a tag of [`TAG`] bytes if the link is protected.
pub(super) struct Notes {
    stream: TcpStream,
    seal_out: Seal,
    seal_in: Seal,
    tag: usize,
    /// Accepted but not yet taken by the kernel: at most one note.
    unsent: Vec<u8>,
    /// Bytes `start..end` have been read and not parsed.
    read: Box<[u8; 4096]>,
    start: usize,
    end: usize,
}

#[derive(Debug)]
pub(super) enum Trouble {
    Closed,
    Io(std::io::Error),
    Damaged(String),
}

const HEAD: usize = 4;

impl Notes {
    pub(super) fn new(stream: TcpStream, seal_out: Seal, seal_in: Seal) -> Self {
        let tag = if matches!(seal_in, Seal::None) { 0 } else { TAG };
        pacing::unpaced_within_host(&stream);
        Self {
            stream,
            seal_out,
            seal_in,
            tag,
            unsent: Vec::with_capacity(HEAD + NOTE_MAX + TAG),
            read: Box::new([0; 4096]),
            start: 0,
            end: 0,
        }
    }

    pub(super) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    pub(super) fn unsent(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// `note` must not be longer than `NOTE_MAX`.
    pub(super) fn send(&mut self, note: &[u8]) -> Result<bool, Trouble> {
        if !self.flush()? {
            return Ok(false);
        }
        let mut frame = [0; HEAD + NOTE_MAX + TAG];
        frame[0] = note.len() as u8;
        let end = HEAD + note.len();
        frame[HEAD..end].copy_from_slice(note);
        if self.tag > 0 {
            let (head, payload) = frame[..end].split_at_mut(HEAD);
            let tag = self.seal_out.close(head, payload);
            frame[end..end + TAG].copy_from_slice(&tag);
        }
        let whole = end + self.tag;
        // Into `unsent` even when it will be sent whole would cost a copy of a few bytes only, but this is the hot path.
        let sent = self.write(&frame[..whole])?;
        self.unsent.extend_from_slice(&frame[sent..whole]);
        Ok(true)
    }

    /// Whether nothing is left over.
    pub(super) fn flush(&mut self) -> Result<bool, Trouble> {
        if self.unsent.is_empty() {
            return Ok(true);
        }
        let unsent = std::mem::take(&mut self.unsent);
        let sent = self.write(&unsent);
        self.unsent = unsent;
        self.unsent.drain(..sent?);
        Ok(self.unsent.is_empty())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<usize, Trouble> {
        match self.stream.write(bytes) {
            Ok(n) => Ok(n),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(0),
            Err(e) => Err(Trouble::Io(e)),
        }
    }

    pub(super) fn recv(&mut self, into: &mut [u8; NOTE_MAX]) -> Result<Option<usize>, Trouble> {
        if let Some(len) = self.parse(into)? {
            return Ok(Some(len));
        }
        if self.start > 0 {
            self.read.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        match self.stream.read(&mut self.read[self.end..]) {
            Ok(0) => Err(Trouble::Closed),
            Ok(n) => {
                self.end += n;
                self.parse(into)
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(None),
            Err(e) => Err(Trouble::Io(e)),
        }
    }

    fn parse(&mut self, into: &mut [u8; NOTE_MAX]) -> Result<Option<usize>, Trouble> {
        let bytes = &mut self.read[self.start..self.end];
        let Some(&[len, a, b, c]) = bytes.first_chunk::<HEAD>() else { return Ok(None) };
        let len = usize::from(len);
        if len > NOTE_MAX || [a, b, c] != [0; 3] {
            return Err(Trouble::Damaged(format!("a note starts with {:02x?}", [len as u8, a, b, c])));
        }
        if bytes.len() < HEAD + len + self.tag {
            return Ok(None);
        }
        let (head, rest) = bytes.split_at_mut(HEAD);
        let (payload, rest) = rest.split_at_mut(len);
        if self.tag > 0 {
            let tag = rest.first_chunk::<TAG>().copied().unwrap_or_default();
            if !self.seal_in.open(head, payload, &tag) {
                return Err(Trouble::Damaged("a note does not match its seal".into()));
            }
        }
        into[..len].copy_from_slice(payload);
        self.start += HEAD + len + self.tag;
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        Ok(Some(len))
    }
}
