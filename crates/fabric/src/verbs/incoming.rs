//! Unsafe because buffers are posted to a device.
#![allow(unsafe_code)]

use std::collections::VecDeque;

use super::{
    classes::{Class, bare_class},
    header::{self, Announcement, Credits, Header, Kind},
    lane::Lane,
    link::{VerbsLink, tag},
    outgoing::USER_ARENA,
    rules::{BULK_CHUNK_BYTES, BULK_WINDOW, EAGER_MAX, NOTE_SLOTS, Rules},
    sys::{self, Wc},
    turn::Place,
};
use crate::{Buf, LinkError, NOTE_MAX};

/// Slots that may wait to be posted again.
const EMPTYING_MAX: usize = 4;

/// Everything this side receives.
#[derive(Default)]
pub(super) struct Incoming {
    /// Buffers in the order posted; the first is number `first`.
    buffers: VecDeque<Expected>,
    first: u64,
    /// Of those, how many have their message, or the announcement of it.
    matched: usize,
    /// Arrived and not yet matched with a buffer.
    arrivals: VecDeque<Arrival>,
    notes: VecDeque<Lying>,
    /// Arrived ahead of their turn.
    early: Vec<Landed>,
    /// Bytes of the next message that arrived in parts.
    partial: usize,

    /// Slots whose contents are no longer needed, to be posted again when there is time.
    emptying: Vec<(Option<u16>, Pool)>,
    /// Slots posted again, and how many of them the peer was told of.
    emptied: Credits,
    reported: Credits,

    /// Numbers of buffers that wait for chunks not yet posted.
    long: VecDeque<u64>,
    /// Bytes of the first of them for which chunks are posted.
    long_posted: usize,
    chunks_posted: u32,
    grant_due: bool,
    /// Chunks posted: whose, how long, and whether the last.
    chunks: VecDeque<Chunk>,
}

struct Expected {
    buf: Buf,
    /// The message's length, once known.
    len: usize,
    filled: usize,
    checksum: u32,
    done: bool,
}

/// Bytes in a receive slot.
#[derive(Clone, Copy)]
struct Lying {
    slot: u16,
    start: usize,
    len: usize,
}

/// A SEND in a receive slot.
#[derive(Clone, Copy)]
struct Landed {
    slot: u16,
    class: &'static Class,
    /// `None` before a bare message.
    header: Option<Header>,
}

/// What a slot's place was set aside for.
#[derive(Clone, Copy)]
pub(super) enum Pool {
    Notes,
    /// Of a class.
    Messages(usize),
    Control,
}

enum Arrival {
    Part { lying: Lying, message_len: usize },
    Long { message_len: usize, checksum: u32 },
}

struct Chunk {
    buffer: u64,
    len: usize,
    last: bool,
}

impl Incoming {
    pub fn is_idle(&self) -> bool {
        self.buffers.is_empty()
    }

    pub fn expect(&mut self, buf: Buf) {
        self.buffers.push_back(Expected { buf, len: 0, filled: 0, checksum: 0, done: false });
    }

    pub fn has_done(&self) -> bool {
        self.buffers.front().is_some_and(|b| b.done)
    }

    pub fn take_done(&mut self) -> Option<(Buf, usize)> {
        let done = self.buffers.pop_front_if(|b| b.done)?;
        self.first += 1;
        self.matched -= 1;
        Some((done.buf, done.len))
    }

    pub fn has_note(&self) -> bool {
        !self.notes.is_empty()
    }

    pub fn holds_back(&self) -> bool {
        !self.early.is_empty()
    }

    pub fn credits(&self) -> Credits {
        self.emptied
    }

    pub fn credits_reported(&mut self) {
        self.reported = self.emptied;
    }

    /// Whether a quarter of a pool waits to be reported: rare enough to cost little, early enough that the peer never stalls.
    pub fn credits_due(&self, lanes: &[Lane]) -> bool {
        let (emptied, reported) = (&self.emptied, &self.reported);
        if emptied == reported {
            return false;
        }
        let due = |at: usize| emptied.messages[at].wrapping_sub(reported.messages[at]);
        emptied.notes.wrapping_sub(reported.notes) >= NOTE_SLOTS / 4
            || lanes.iter().enumerate().any(|(at, lane)| due(at) >= lane.class.message_slots / 4)
    }
}

impl VerbsLink {
    /// A SEND landed in a receive slot.
    pub(super) fn slot_arrived(&mut self, slot: u16, done: &Wc) -> Result<(), LinkError> {
        let len = done.byte_len as usize;
        let Some((class, slot_bytes)) = self.slots.receiving(slot).filter(|(_, bytes)| len <= *bytes) else {
            return self.corrupt("a completion that leaves its slot");
        };
        if done.wc_flags & sys::WC_WITH_IMM != 0 {
            self.outgoing.take_credits(Credits::from_immediate(u32::from_be(done.imm_data)));
            return self.part_arrived(Lying { slot, start: 0, len }, len);
        }
        let landed = if len == slot_bytes && bare_class(self.classes(), len, false).is_some() {
            Landed { slot, class: &self.classes()[class], header: None }
        } else {
            match self.header_in(slot, len) {
                Ok(header) => Landed { slot, class: &self.classes()[class], header: Some(header) },
                Err(what) => return self.corrupt(what),
            }
        };
        match self.place(&landed) {
            Place::Now => self.take(landed)?,
            Place::Early => {
                self.incoming.early.push(landed);
                return Ok(());
            }
            Place::Wrong => return self.corrupt("messages before one that arrived were lost"),
        }
        while let Some(at) = self.incoming.early.iter().position(|landed| self.place(landed) == Place::Now) {
            let landed = self.incoming.early.swap_remove(at);
            self.take(landed)?;
        }
        Ok(())
    }

    fn header_in(&self, slot: u16, len: usize) -> Result<Header, &'static str> {
        let header = Header::decode(self.slots.received(slot, 0..len))?;
        if self.checksums {
            let end = Header::BYTES + usize::from(header.body_bytes);
            if header.checksum != header.checksum_with(self.slots.received(slot, Header::BYTES..end)) {
                return Err("a wrong checksum");
            }
        }
        Ok(header)
    }

    fn place(&self, landed: &Landed) -> Place {
        match &landed.header {
            Some(header) => self.turn.place(header),
            None => self.turn.place_of_bare(landed.class.odd),
        }
    }

    /// Takes what has its turn.
    fn take(&mut self, landed: Landed) -> Result<(), LinkError> {
        let slot = landed.slot;
        let Some(header) = landed.header else {
            self.turn.bare_told();
            let len = landed.class.slot_bytes;
            return self.part_arrived(Lying { slot, start: 0, len }, len);
        };
        self.turn.header_taken(header.stamp);
        self.outgoing.take_credits(header.credits);
        let lying = Lying { slot, start: Header::BYTES, len: usize::from(header.body_bytes) };
        match header.kind {
            Kind::Note => {
                if lying.len > NOTE_MAX || self.incoming.notes.len() >= usize::from(NOTE_SLOTS) {
                    return self.corrupt("a note over the limit");
                }
                self.incoming.notes.push_back(lying);
                Ok(())
            }
            Kind::Part => self.part_arrived(lying, header.value as usize),
            Kind::Long => {
                let body = self.slots.received(slot, lying.start..lying.start + lying.len);
                let Some(Announcement { message_bytes, checksum }) = Announcement::decode(body) else {
                    return self.corrupt("an announcement cut short");
                };
                let Ok(message_len) = usize::try_from(message_bytes) else {
                    return self.corrupt("a message longer than memory");
                };
                if message_len <= EAGER_MAX {
                    return self.corrupt("an announcement of a short message");
                }
                self.turn.message_taken();
                self.release(Some(slot), Pool::Control)?;
                self.arrived(Arrival::Long { message_len, checksum })
            }
            Kind::Grant => {
                self.outgoing.take_grant(header.value);
                self.release(Some(slot), Pool::Control)
            }
            Kind::Credit => self.release(Some(slot), Pool::Control),
            Kind::Close => {
                self.peer_closed = true;
                self.release(Some(slot), Pool::Control)
            }
        }
    }

    fn part_arrived(&mut self, lying: Lying, message_len: usize) -> Result<(), LinkError> {
        let arrived = self.incoming.partial + lying.len;
        if message_len > EAGER_MAX || arrived > message_len || (lying.len == 0 && message_len > 0) {
            return self.corrupt("a part that does not fit its message");
        }
        let last = arrived == message_len;
        self.incoming.partial = if last { 0 } else { arrived };
        if last {
            self.turn.message_taken();
        }
        self.arrived(Arrival::Part { lying, message_len })
    }

    fn arrived(&mut self, arrival: Arrival) -> Result<(), LinkError> {
        if self.incoming.arrivals.len() >= self.arrivals_max {
            return self.corrupt("more messages than credits");
        }
        self.incoming.arrivals.push_back(arrival);
        Ok(())
    }

    /// Brings arrivals and buffers together, and posts buffers for the chunks of long messages.
    pub(super) fn incoming_step(&mut self) -> Result<(), LinkError> {
        while self.incoming.matched < self.incoming.buffers.len() {
            let Some(arrival) = self.incoming.arrivals.pop_front() else { break };
            self.meet(arrival)?;
        }
        self.post_chunks()?;
        if self.incoming.grant_due && !self.peer_closed {
            self.incoming.grant_due = !self.control(Kind::Grant, self.incoming.chunks_posted)?;
        }
        Ok(())
    }

    fn meet(&mut self, arrival: Arrival) -> Result<(), LinkError> {
        let at = self.incoming.matched;
        let number = self.incoming.first + at as u64;
        let expected = &mut self.incoming.buffers[at];
        let message_len = match arrival {
            Arrival::Part { message_len, .. } | Arrival::Long { message_len, .. } => message_len,
        };
        if message_len > expected.buf.len() {
            let buffer_len = expected.buf.len();
            return self.fail(LinkError::Overrun { rank: self.peer, message_len, buffer_len });
        }
        match arrival {
            Arrival::Part { lying, .. } => {
                let end = expected.filled + lying.len;
                if end > message_len || (expected.filled > 0 && expected.len != message_len) {
                    return self.corrupt("a part that does not continue its message");
                }
                let bytes = self.slots.received(lying.slot, lying.start..lying.start + lying.len);
                expected.buf[expected.filled..end].copy_from_slice(bytes);
                expected.filled = end;
                expected.len = message_len;
                if end == message_len {
                    expected.done = true;
                    self.incoming.matched += 1;
                }
                let class = self.slots.receiving(lying.slot).map_or(0, |(class, _)| class);
                self.release(Some(lying.slot), Pool::Messages(class))
            }
            Arrival::Long { checksum, .. } => {
                if expected.filled > 0 {
                    return self.corrupt("a message that ends early");
                }
                expected.len = message_len;
                expected.checksum = checksum;
                self.incoming.matched += 1;
                self.incoming.long.push_back(number);
                // Its slot is back already; its place among the messages is free only now.
                self.release(None, Pool::Messages(0))
            }
        }
    }

    fn post_chunks(&mut self) -> Result<(), LinkError> {
        while let Some(&number) = self.incoming.long.front() {
            let incoming = &self.incoming;
            let start = incoming.long_posted;
            let one_at_a_time = self.rules == Rules::Thunderbolt && start == 0 && !incoming.chunks.is_empty();
            if incoming.chunks.len() >= BULK_WINDOW as usize || one_at_a_time {
                return Ok(());
            }
            let expected = &incoming.buffers[(number - incoming.first) as usize];
            let len = (expected.len - start).min(BULK_CHUNK_BYTES);
            let last = start + len == expected.len;
            let part =
                self.connections.bulk.region(USER_ARENA).part(expected.buf.arena_offset() + start, len);
            // SAFETY: the buffer is ours alone, kept untouched in `buffers` until all its chunks completed; if the link is dropped
            // before, the queue pair goes first.
            if let Err(error) = unsafe { self.connections.bulk.post_recv(tag::BULK_RECEIVE, part) } {
                return self.fail_verbs(error);
            }
            let incoming = &mut self.incoming;
            incoming.chunks.push_back(Chunk { buffer: number, len, last });
            incoming.chunks_posted = incoming.chunks_posted.wrapping_add(1);
            incoming.grant_due = true;
            incoming.long_posted = if last { 0 } else { start + len };
            if last {
                incoming.long.pop_front();
            }
        }
        Ok(())
    }

    pub(super) fn chunk_arrived(&mut self, len: usize) -> Result<(), LinkError> {
        let Some(chunk) = self.incoming.chunks.pop_front() else {
            return self.corrupt("a chunk that nothing was posted for");
        };
        if chunk.len != len {
            return self.corrupt("a chunk of the wrong length");
        }
        if !chunk.last {
            return Ok(());
        }
        let expected = &mut self.incoming.buffers[(chunk.buffer - self.incoming.first) as usize];
        if self.checksums && header::checksum(&expected.buf[..expected.len]) != expected.checksum {
            return self.corrupt("a wrong checksum of a long message");
        }
        expected.done = true;
        Ok(())
    }

    pub(super) fn take_note(&mut self, into: &mut [u8; NOTE_MAX]) -> Option<usize> {
        let Lying { slot, start, len } = self.incoming.notes.pop_front()?;
        into[..len].copy_from_slice(self.slots.received(slot, start..start + len));
        self.counters.notes_received += 1;
        if !self.has_failed() {
            // If this fails, the next call says so; the note is good.
            let _ = self.release(Some(slot), Pool::Notes);
        }
        Some(len)
    }

    /// Puts a slot in line to be posted again. Not done at once: whoever waits for the message should have it first.
    fn release(&mut self, slot: Option<u16>, pool: Pool) -> Result<(), LinkError> {
        self.incoming.emptying.push((slot, pool));
        if self.incoming.emptying.len() < EMPTYING_MAX { Ok(()) } else { self.tidy() }
    }

    /// Whether `tidy` has something to do.
    pub(super) fn is_untidy(&self) -> bool {
        !self.incoming.emptying.is_empty()
    }

    /// Posts emptied slots again and lets the peer know if it is time.
    pub(super) fn tidy(&mut self) -> Result<(), LinkError> {
        let slots = self.incoming.emptying.iter().filter_map(|(slot, _)| *slot);
        if let Err(error) = self.post_slots(slots) {
            return self.fail_verbs(error);
        }
        let emptied = &mut self.incoming.emptied;
        for (_, pool) in self.incoming.emptying.drain(..) {
            match pool {
                Pool::Notes => emptied.notes = emptied.notes.wrapping_add(1),
                Pool::Messages(class) => {
                    emptied.messages[class] = emptied.messages[class].wrapping_add(1);
                }
                Pool::Control => {}
            }
        }
        self.report_credits()
    }
}
