use std::{
    collections::VecDeque,
    io::{ErrorKind, IoSlice, IoSliceMut, Read, Write},
    net::TcpStream,
};

use super::{
    frame::{Frame, HEADER, SEALED, TAG},
    notes::Trouble,
    pacing,
    seal::Seal,
};
use crate::{Buf, SharedBuf};

/// Frames given to the kernel in one call.
const BATCH: usize = 4;

/// One connection of the message lane.
pub(super) struct Connection {
    stream: TcpStream,
    seal_out: Seal,
    seal_in: Seal,
    out: VecDeque<Outgoing>,
    /// Private copies for encryption, reused.
    spare: Vec<Vec<u8>>,
    header: [u8; HEADER],
    header_got: usize,
    /// The frame whose header is complete, and how much of its payload has come.
    frame: Option<(Frame, usize)>,
    /// Bytes read beyond a frame that was shorter than its buffer; parsed before the socket is read again.
    carry: VecDeque<u8>,
}

struct Outgoing {
    header: [u8; HEADER],
    payload: Payload,
    sent: usize,
    message: u64,
}

enum Payload {
    Shared(SharedBuf),
    Private(Vec<u8>),
}

impl Payload {
    fn bytes(&self) -> &[u8] {
        match self {
            Payload::Shared(buf) => buf,
            Payload::Private(bytes) => bytes,
        }
    }
}

/// Where incoming frames go: the buffers posted to the link.
pub(super) trait Destination {
    /// The buffer for `frame`, or `None` if it is not posted yet.
    fn buffer(&mut self, frame: &Frame) -> Result<Option<&mut Buf>, Trouble>;
    /// Where the next frame on this connection will probably go.
    fn guess(&mut self) -> Option<&mut [u8]>;
    /// `frame` has arrived whole.
    fn arrived(&mut self, frame: &Frame);
}

impl Connection {
    pub(super) fn new(stream: TcpStream, seal_out: Seal, seal_in: Seal) -> Self {
        pacing::unpaced_within_host(&stream);
        Self {
            stream,
            seal_out,
            seal_in,
            out: VecDeque::with_capacity(BATCH),
            spare: Vec::new(),
            header: [0; HEADER],
            header_got: 0,
            frame: None,
            carry: VecDeque::new(),
        }
    }

    pub(super) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    pub(super) fn sending(&self) -> bool {
        !self.out.is_empty()
    }

    pub(super) fn has_room(&self) -> bool {
        self.out.len() < BATCH
    }

    /// Queues a frame; `payload` is exactly the frame's bytes.
    pub(super) fn push(&mut self, frame: Frame, payload: SharedBuf) {
        let sealed = frame.encode();
        let mut header = [0; HEADER];
        header[..SEALED].copy_from_slice(&sealed);
        let (tag, payload) = if self.seal_out.rewrites() {
            let mut copy = self.spare.pop().unwrap_or_default();
            copy.clear();
            copy.extend_from_slice(&payload);
            (self.seal_out.close(&sealed, &mut copy), Payload::Private(copy))
        } else {
            (self.seal_out.tag(&sealed, &payload), Payload::Shared(payload))
        };
        header[SEALED..].copy_from_slice(&tag);
        self.out.push_back(Outgoing { header, payload, sent: 0, message: frame.message });
    }

    /// Gives the kernel what it takes; `done` is told the message number of every frame finished.
    pub(super) fn flush(&mut self, mut done: impl FnMut(u64)) -> Result<(), Trouble> {
        while !self.out.is_empty() {
            let mut sent = match self.write() {
                Ok(n) => n,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(Trouble::Io(e)),
            };
            while let Some(front) = self.out.front_mut() {
                let left = HEADER + front.payload.bytes().len() - front.sent;
                if sent < left {
                    front.sent += sent;
                    break;
                }
                sent -= left;
                done(front.message);
                if let Some(Outgoing { payload: Payload::Private(copy), .. }) = self.out.pop_front() {
                    self.spare.push(copy);
                }
            }
        }
        Ok(())
    }

    /// All queued frames, in one call.
    fn write(&mut self) -> std::io::Result<usize> {
        let mut parts = [IoSlice::new(&[]); 2 * BATCH];
        let mut used = 0;
        for (outgoing, pair) in self.out.iter().zip(parts.chunks_exact_mut(2)) {
            let header_sent = outgoing.sent.min(HEADER);
            pair[0] = IoSlice::new(&outgoing.header[header_sent..]);
            pair[1] = IoSlice::new(&outgoing.payload.bytes()[outgoing.sent - header_sent..]);
            used += 2;
        }
        self.stream.write_vectored(&parts[..used])
    }

    /// Reads what has arrived until a frame is complete, its buffer is missing, or nothing is left. Returns whether a frame was completed.
    pub(super) fn receive(&mut self, to: &mut impl Destination) -> Result<bool, Trouble> {
        loop {
            let Some((frame, got)) = self.frame else {
                if !self.read_header(to)? {
                    return Ok(false);
                }
                continue;
            };
            let Some(buf) = to.buffer(&frame)? else { return Ok(false) };
            // Bounds were checked by `Frame::decode` and by `buffer`.
            let payload = &mut buf[frame.offset as usize..][..frame.len as usize];
            if got < payload.len() {
                let n = read(&mut self.stream, &mut self.carry, &mut [IoSliceMut::new(&mut payload[got..])])?;
                if n == 0 {
                    return Ok(false);
                }
                self.frame = Some((frame, got + n));
                continue;
            }
            let (sealed, tag) = self.header.split_at(SEALED);
            let tag: &[u8; TAG] = tag.first_chunk().unwrap_or(&[0; TAG]);
            if !self.seal_in.open(sealed, payload, tag) {
                return Err(Trouble::Damaged(format!(
                    "bytes {}..{} of message {} do not match their seal",
                    frame.offset,
                    frame.offset + u64::from(frame.len),
                    frame.message
                )));
            }
            self.frame = None;
            self.header_got = 0;
            to.arrived(&frame);
            return Ok(true);
        }
    }

    /// Whether progress was made. Reads a guessed payload in the same call; what turns out to be something else is carried over.
    fn read_header(&mut self, to: &mut impl Destination) -> Result<bool, Trouble> {
        let guess = to.guess().unwrap_or(&mut []);
        let rest = &mut self.header[self.header_got..];
        let header_left = rest.len();
        let mut parts = [IoSliceMut::new(rest), IoSliceMut::new(guess)];
        let n = read(&mut self.stream, &mut self.carry, &mut parts)?;
        self.header_got += n.min(header_left);
        if self.header_got < HEADER {
            return Ok(n > 0);
        }
        let sealed = self.header.first_chunk::<SEALED>().unwrap_or(&[0; SEALED]);
        let frame = Frame::decode(sealed).map_err(|e| Trouble::Damaged(e.to_string()))?;
        let beyond = n - header_left;
        let mut got = 0;
        if beyond > 0 {
            let guess = to.guess().unwrap_or(&mut []);
            let start = guess.as_ptr();
            got = beyond.min(frame.len as usize);
            for &byte in guess[got..beyond].iter().rev() {
                self.carry.push_front(byte);
            }
            // The guess was the right place exactly if it starts where the frame's payload does.
            let right = match to.buffer(&frame)? {
                Some(buf) => buf[frame.offset as usize..].as_ptr() == start,
                None => false,
            };
            if !right {
                let guess = to.guess().unwrap_or(&mut []);
                for &byte in guess[..got].iter().rev() {
                    self.carry.push_front(byte);
                }
                got = 0;
            }
        }
        self.frame = Some((frame, got));
        Ok(true)
    }
}

/// From the carried bytes if there are any, else from the socket. 0 means nothing is there now.
fn read(
    stream: &mut TcpStream,
    carry: &mut VecDeque<u8>,
    parts: &mut [IoSliceMut<'_>],
) -> Result<usize, Trouble> {
    if !carry.is_empty() {
        return carry.read_vectored(parts).map_err(Trouble::Io);
    }
    loop {
        match stream.read_vectored(parts) {
            Ok(0) => return Err(Trouble::Closed),
            Ok(n) => return Ok(n),
            Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(0),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(Trouble::Io(e)),
        }
    }
}
