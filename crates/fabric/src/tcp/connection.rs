use std::{
    collections::VecDeque,
    io::{ErrorKind, IoSlice, IoSliceMut, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use super::{
    costs::Costs,
    frame::{Frame, HEADER, SEALED, TAG},
    notes::Trouble,
    pacing,
    seal::Seal,
    tray::{Placed, TRAY_MIN, Tray, send_more},
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
    /// Frames queued so far, and frames received whole.
    queued: u64,
    received: u64,
    /// Whether long frames may go by a tray, which the first of them makes.
    lending: bool,
    tray: Option<Tray>,
    costs: Costs,
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
    /// What it took to place the payload.
    placing: Duration,
}

enum Payload {
    Shared(SharedBuf),
    Private(Vec<u8>),
    Placed(Placed),
}

impl Payload {
    fn len(&self) -> usize {
        match self {
            Payload::Shared(buf) => buf.len(),
            Payload::Private(bytes) => bytes.len(),
            Payload::Placed(placed) => placed.len,
        }
    }

    fn bytes<'a>(&'a self, tray: Option<&'a Tray>) -> &'a [u8] {
        match self {
            Payload::Shared(buf) => buf,
            Payload::Private(bytes) => bytes,
            Payload::Placed(placed) => tray.map_or(&[], |tray| tray.bytes(*placed)),
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
            // What is encrypted has been copied already.
            lending: pacing::same_host(&stream) && !seal_out.rewrites(),
            tray: None,
            costs: Costs::default(),
            stream,
            seal_out,
            seal_in,
            out: VecDeque::with_capacity(BATCH),
            queued: 0,
            received: 0,
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

    /// How many frames have been received whole.
    pub(super) fn received(&self) -> u64 {
        self.received
    }

    /// Queues a frame; `payload` is exactly the frame's bytes.
    pub(super) fn push(&mut self, frame: Frame, payload: SharedBuf) {
        let sealed = frame.encode();
        let mut header = [0; HEADER];
        header[..SEALED].copy_from_slice(&sealed);
        let mut placing = Duration::ZERO;
        let (tag, payload) = if self.seal_out.rewrites() {
            let mut copy = self.spare.pop().unwrap_or_default();
            copy.clear();
            copy.extend_from_slice(&payload);
            (self.seal_out.close(&sealed, &mut copy), Payload::Private(copy))
        } else {
            let tag = self.seal_out.tag(&sealed, &payload);
            let placed = self.place(&payload, &mut placing);
            (tag, placed.map_or(Payload::Shared(payload), Payload::Placed))
        };
        header[SEALED..].copy_from_slice(&tag);
        self.queued += 1;
        self.out.push_back(Outgoing { header, payload, sent: 0, message: frame.message, placing });
    }

    fn place(&mut self, payload: &[u8], took: &mut Duration) -> Option<Placed> {
        if !self.lending || payload.len() < TRAY_MIN || !self.costs.lend() {
            return None;
        }
        if self.tray.is_none() {
            self.tray = Tray::new().ok();
            self.lending = self.tray.is_some();
        }
        let begin = Instant::now();
        let placed = self.tray.as_mut()?.place(self.queued, payload);
        *took = begin.elapsed();
        placed
    }

    /// Gives the kernel what it takes; `done` is told the message number of every frame finished.
    pub(super) fn flush(&mut self, mut done: impl FnMut(u64)) -> Result<(), Trouble> {
        while let Some(front) = self.out.front_mut() {
            let begin = (self.lending && front.payload.len() >= TRAY_MIN).then(Instant::now);
            let lent = match (&front.payload, &mut self.tray) {
                (Payload::Placed(placed), Some(tray)) if self.lending => Some(match front.sent {
                    sent @ ..HEADER => send_more(&self.stream, &front.header[sent..]),
                    sent => tray.send(*placed, sent - HEADER, &self.stream),
                }),
                _ => None,
            };
            let was_lent = lent.is_some();
            let mut sent = match lent.unwrap_or_else(|| self.write()) {
                Ok(n) => n,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                // Whether it is the connection that failed, an ordinary write will tell.
                Err(_) if was_lent => {
                    self.lending = false;
                    continue;
                }
                Err(e) => return Err(Trouble::Io(e)),
            };
            if let (Some(begin), Some(front)) = (begin, self.out.front_mut()) {
                self.costs.add(was_lent, begin.elapsed() + std::mem::take(&mut front.placing), sent);
            }
            while let Some(front) = self.out.front_mut() {
                let left = HEADER + front.payload.len() - front.sent;
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

    /// The frames up to the first that is lent, in one call.
    fn write(&mut self) -> std::io::Result<usize> {
        let mut parts = [IoSlice::new(&[]); 2 * BATCH];
        let mut used = 0;
        for (outgoing, pair) in self.out.iter().zip(parts.chunks_exact_mut(2)) {
            if self.lending && matches!(outgoing.payload, Payload::Placed(_)) {
                break;
            }
            let header_sent = outgoing.sent.min(HEADER);
            pair[0] = IoSlice::new(&outgoing.header[header_sent..]);
            pair[1] =
                IoSlice::new(&outgoing.payload.bytes(self.tray.as_ref())[outgoing.sent - header_sent..]);
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
            self.received += 1;
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
        let sent = self.queued - self.out.len() as u64;
        if frame.taken > sent {
            return Err(Trouble::Damaged(format!("{} frames taken of {sent} sent", frame.taken)));
        }
        if let Some(tray) = &mut self.tray {
            tray.release(frame.taken);
        }
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

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::Arena;
    use std::net::TcpListener;

    const LEN: usize = 100_003;

    /// A buffer per message, each of one frame.
    struct Taken {
        bufs: Vec<Buf>,
        arrived: usize,
    }

    impl Destination for Taken {
        fn buffer(&mut self, frame: &Frame) -> Result<Option<&mut Buf>, Trouble> {
            Ok(self.bufs.get_mut(frame.message as usize))
        }
        fn guess(&mut self) -> Option<&mut [u8]> {
            None
        }
        fn arrived(&mut self, _frame: &Frame) {
            self.arrived += 1;
        }
    }

    fn pair() -> (Connection, Connection) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (there, _) = listener.accept().unwrap();
        let connection = |stream: TcpStream| {
            stream.set_nonblocking(true).unwrap();
            let mut connection = Connection::new(stream, Seal::None, Seal::None);
            // As if lending had proved the cheaper way by far.
            connection.costs.add(false, Duration::from_secs(1), LEN);
            connection.costs.add(true, Duration::ZERO, LEN);
            connection
        };
        (connection(here), connection(there))
    }

    /// Sends `count` messages of their own bytes, taking them from the other side only when the socket is full.
    fn send(from: &mut Connection, to: &mut Connection, arena: &Arena, count: usize, seed: usize) {
        let buf = |_| arena.alloc(LEN).unwrap();
        let mut taken = Taken { bufs: (0..count).map(buf).collect(), arrived: 0 };
        let mut pushed = 0;
        while taken.arrived < count {
            while pushed < count && from.has_room() {
                let mut payload = arena.alloc(LEN).unwrap();
                payload.fill((seed + pushed) as u8);
                let frame = Frame {
                    message: pushed as u64,
                    total: LEN as u64,
                    offset: 0,
                    len: LEN as u32,
                    taken: from.received(),
                };
                from.push(frame, payload.share());
                pushed += 1;
            }
            from.flush(|_| {}).unwrap();
            if pushed == count || !from.has_room() {
                to.receive(&mut taken).unwrap();
            }
        }
        for (number, buf) in taken.bufs.iter().enumerate() {
            assert!(buf.iter().all(|&byte| byte == (seed + number) as u8), "message {number}");
        }
    }

    #[test]
    fn lent_pages_are_not_written_before_they_are_taken() {
        let arena = Arena::new(32 << 20).unwrap();
        let (mut here, mut there) = pair();
        for round in 0..3 {
            // Nothing comes back that would free a slot: the first few are lent, the others copied.
            send(&mut here, &mut there, &arena, 60, 7 * round);
            assert!(here.tray.is_some() && here.lending, "frames were lent");
            // This frees them.
            send(&mut there, &mut here, &arena, 1, 100);
        }
        for round in 0..50 {
            send(&mut here, &mut there, &arena, 3, round);
            send(&mut there, &mut here, &arena, 3, 2 * round);
        }
    }

    #[test]
    fn more_taken_than_sent_is_damage() {
        let arena = Arena::new(1 << 20).unwrap();
        let (mut here, mut there) = pair();
        let frame = Frame { message: 0, total: 1, offset: 0, len: 1, taken: 1 };
        here.push(frame, arena.alloc(1).unwrap().share());
        here.flush(|_| {}).unwrap();
        let mut taken = Taken { bufs: vec![arena.alloc(1).unwrap()], arrived: 0 };
        let damage = loop {
            match there.receive(&mut taken) {
                Ok(false) => {}
                other => break other,
            }
        };
        assert!(matches!(damage, Err(Trouble::Damaged(_))));
    }
}
