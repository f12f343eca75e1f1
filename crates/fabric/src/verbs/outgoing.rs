//! Unsafe because buffers are posted to a device.
#![allow(unsafe_code)]

use std::collections::VecDeque;

use super::{
    classes::{Class, bare_class, next_part},
    header::{self, Announcement, Credits, Header, Kind},
    lane::{Payload, Sending},
    link::{VerbsLink, tag},
    queue_pair::SendRequest,
    rules::{BULK_CHUNK_BYTES, BULK_WINDOW, EAGER_MAX, NOTE_SLOTS, Rules},
    sys::{self, Sge},
};
use crate::{Arena, LinkError, NOTE_MAX, SharedBuf};

/// Regions of a link's queue pairs.
pub(super) const USER_ARENA: usize = 0;
pub(super) const SLOT_ARENA: usize = 1;

/// Everything this side sends.
#[derive(Default)]
pub(super) struct Outgoing {
    /// Messages in the order posted; the first is number `first`.
    messages: VecDeque<Message>,
    first: u64,
    /// Of those, how many have been handed to a lane whole (long ones: announced).
    started: usize,
    /// Bytes of the next message that went ahead in parts.
    ahead: usize,

    /// Slots of the peer taken by us, and given back by it.
    taken: Credits,
    returned: Credits,

    /// Numbers of long messages announced and not yet fully posted.
    long: VecDeque<u64>,
    /// Bytes of the first of them that are posted.
    long_posted: usize,
    chunks_posted: u32,
    chunks_granted: u32,
    /// Chunks under way; `Some` on the last chunk of a message.
    chunks: VecDeque<Option<u64>>,
}

struct Message {
    buf: SharedBuf,
    done: bool,
}

impl Outgoing {
    pub fn is_idle(&self) -> bool {
        self.messages.is_empty()
    }

    pub fn has_done(&self) -> bool {
        self.messages.front().is_some_and(|m| m.done)
    }

    pub fn take_done(&mut self) -> Option<SharedBuf> {
        let message = self.messages.pop_front_if(|m| m.done)?;
        self.first += 1;
        self.started -= 1;
        Some(message.buf)
    }

    pub fn take_credits(&mut self, returned: Credits) {
        self.returned = returned;
    }

    pub fn take_grant(&mut self, chunks: u32) {
        self.chunks_granted = chunks;
    }

    fn finish(&mut self, number: u64) {
        let at = (number - self.first) as usize;
        self.messages[at].done = true;
    }

    fn number(&self, at: usize) -> u64 {
        self.first + at as u64
    }
}

impl VerbsLink {
    pub(super) fn user_arena(&self) -> &Arena {
        self.connections.bulk.region(USER_ARENA).arena()
    }

    pub(super) fn enqueue(&mut self, buf: SharedBuf) {
        self.counters.messages_sent += 1;
        self.counters.bytes_sent += buf.len() as u64;
        self.outgoing.messages.push_back(Message { buf, done: false });
    }

    /// Sends whatever can be sent now.
    pub(super) fn outgoing_step(&mut self) -> Result<(), LinkError> {
        while self.outgoing.started < self.outgoing.messages.len() && self.start_message()? {}
        self.send_chunks()?;
        self.report_credits()
    }

    /// Hands the next message to its lane; `false` if it has to wait.
    fn start_message(&mut self) -> Result<bool, LinkError> {
        let at = self.outgoing.started;
        let number = self.outgoing.number(at);
        let buf = &self.outgoing.messages[at].buf;
        let (offset, len) = (buf.arena_offset(), buf.len());
        if len > EAGER_MAX {
            // Without checksums there is none to send along.
            let checksum = if self.checksums { header::checksum(buf) } else { 0 };
            let announced = Announcement { message_bytes: len as u64, checksum };
            if !self.may_send_message(0) || !self.in_band(0, Kind::Long, 0, &announced.encode())? {
                return Ok(false);
            }
            self.outgoing.taken.messages[0] = self.outgoing.taken.messages[0].wrapping_add(1);
            self.outgoing.long.push_back(number);
            self.turn.message_sent();
        } else if self.rules == Rules::Linux && !self.checksums {
            let immediate = self.incoming.credits().to_immediate();
            if !self.may_send_message(0) || !self.bare(0, sys::WR_SEND_WITH_IMM, immediate, offset, len)? {
                return Ok(false);
            }
            self.incoming.credits_reported();
            self.turn.message_sent();
        } else if let Some(lane) = self.bare_lane(len) {
            if !self.bare(lane, sys::WR_SEND, 0, offset, len)? {
                return Ok(false);
            }
            self.turn.bare_sent();
        } else if !self.send_parts(&buf.clone())? {
            return Ok(false);
        } else {
            // The parts were copied.
            self.outgoing.finish(number);
            self.turn.message_sent();
        }
        self.outgoing.started += 1;
        Ok(true)
    }

    fn may_send_message(&self, lane: usize) -> bool {
        let out = &self.outgoing;
        let under_way = out.taken.messages[lane].wrapping_sub(out.returned.messages[lane]);
        under_way < self.connections.lanes[lane].class.message_slots
    }

    /// Where the next message can go without a header.
    fn bare_lane(&self, len: usize) -> Option<usize> {
        if self.checksums || self.outgoing.ahead > 0 || !self.turn.may_send_bare() {
            return None;
        }
        bare_class(self.classes(), len, self.turn.next_is_odd()).filter(|&lane| self.may_send_message(lane))
    }

    /// Sends the rest of the next message; `false` if some of it has to wait.
    fn send_parts(&mut self, message: &SharedBuf) -> Result<bool, LinkError> {
        // One bit each.
        let mut lanes = 0u8;
        let all = loop {
            let rest = &message[self.outgoing.ahead..];
            let (lane, len) = next_part(self.classes(), rest.len());
            if !self.may_send_message(lane)
                || !self.in_band(lane, Kind::Part, message.len() as u32, &rest[..len])?
            {
                break false;
            }
            self.outgoing.taken.messages[lane] = self.outgoing.taken.messages[lane].wrapping_add(1);
            lanes |= 1 << lane;
            self.outgoing.ahead += len;
            if self.outgoing.ahead == message.len() {
                self.outgoing.ahead = 0;
                break true;
            }
        };
        // Parts in one lane are posted together, which is one call of the device for all.
        while lanes != 0 {
            self.post_staged(lanes.trailing_zeros() as usize)?;
            lanes &= lanes - 1;
        }
        Ok(all)
    }

    pub(super) fn send_note(&mut self, note: &[u8]) -> Result<bool, LinkError> {
        let out = &self.outgoing;
        if out.taken.notes.wrapping_sub(out.returned.notes) >= NOTE_SLOTS
            || !self.in_band(0, Kind::Note, 0, note)?
        {
            return Ok(false);
        }
        self.outgoing.taken.notes = self.outgoing.taken.notes.wrapping_add(1);
        self.counters.notes_sent += 1;
        Ok(true)
    }

    /// Control takes no credit: its slots are set aside, and the protocol bounds how much of it can be under way.
    pub(super) fn control(&mut self, kind: Kind, value: u32) -> Result<bool, LinkError> {
        self.in_band(0, kind, value, &[])
    }

    /// Posts chunks for which the peer has posted buffers.
    fn send_chunks(&mut self) -> Result<(), LinkError> {
        while let Some(&number) = self.outgoing.long.front() {
            let out = &self.outgoing;
            // A grant is ahead of us by at most a window; anything else is nonsense, on which nothing is sent.
            let granted = out.chunks_granted.wrapping_sub(out.chunks_posted);
            if granted == 0 || granted > BULK_WINDOW || out.chunks.len() >= BULK_WINDOW as usize {
                return Ok(());
            }
            let buf = &out.messages[(number - out.first) as usize].buf;
            let start = out.long_posted;
            let len = (buf.len() - start).min(BULK_CHUNK_BYTES);
            let last = start + len == buf.len();
            let request = SendRequest {
                id: tag::BULK_SEND,
                opcode: sys::WR_SEND,
                part: self.connections.bulk.region(USER_ARENA).part(buf.arena_offset() + start, len),
                immediate: 0,
                signaled: true,
                inline: false,
            };
            // SAFETY: the buffer is shared, hence not written, and kept in `messages` until its last chunk completes; if the link
            // is dropped before, the queue pair goes first.
            if let Err(error) = unsafe { self.connections.bulk.post_sends(&[request]) } {
                return self.fail_verbs(error);
            }
            self.outgoing.chunks.push_back(last.then_some(number));
            self.outgoing.chunks_posted = self.outgoing.chunks_posted.wrapping_add(1);
            self.outgoing.long_posted = if last { 0 } else { start + len };
            if last {
                self.outgoing.long.pop_front();
            }
        }
        Ok(())
    }

    pub(super) fn chunk_sent(&mut self) {
        if let Some(Some(number)) = self.outgoing.chunks.pop_front() {
            self.outgoing.finish(number);
        }
    }

    /// Sends a header and a body; `false` if the queue or the slots are full.
    fn in_band(&mut self, lane: usize, kind: Kind, value: u32, body: &[u8]) -> Result<bool, LinkError> {
        let to = &self.connections.lanes[lane];
        let bytes = Header::BYTES + body.len();
        let inline = bytes <= to.pair.inline_bytes().min(Header::BYTES + NOTE_MAX);
        let slot = if inline || to.is_full() { None } else { self.slots.take(lane) };
        if to.is_full() || (slot.is_none() && !inline) {
            return Ok(false);
        }
        let len = bytes.max(to.class.least_bytes);
        let mut header = Header {
            kind,
            body_bytes: body.len() as u16,
            credits: self.incoming.credits(),
            stamp: self.turn.stamp(),
            checksum: 0,
            value,
        };
        if self.checksums {
            header.checksum = header.checksum_with(body);
        }
        self.incoming.credits_reported();
        let write = |into: &mut [u8]| {
            into[..Header::BYTES].copy_from_slice(&header.encode());
            into[Header::BYTES..bytes].copy_from_slice(body);
        };
        let sending = Sending { slot, message: None };
        let payload = |part| Payload { opcode: sys::WR_SEND, part, immediate: 0, inline };
        let Some(slot) = slot else {
            let mut short = [0; Header::BYTES + NOTE_MAX];
            write(&mut short);
            // Inline data is copied by the call, so no region is needed.
            let part = Sge { addr: short.as_ptr() as u64, length: len as u32, lkey: 0 };
            self.stage(lane, sending, payload(part))?;
            self.post_staged(lane)?;
            return Ok(true);
        };
        write(self.slots.outgoing(slot));
        let part = self.connections.bulk.region(SLOT_ARENA).part(self.slots.offset(slot), len);
        self.stage(lane, sending, payload(part))?;
        if kind != Kind::Part {
            self.post_staged(lane)?;
        }
        Ok(true)
    }

    /// Sends the next message whole, from where it lies.
    fn bare(
        &mut self,
        lane: usize,
        opcode: i32,
        immediate: u32,
        offset: usize,
        len: usize,
    ) -> Result<bool, LinkError> {
        let to = &self.connections.lanes[lane].pair;
        if self.connections.lanes[lane].is_full() {
            return Ok(false);
        }
        let inline = len <= to.inline_bytes();
        let part = to.region(USER_ARENA).part(offset, len);
        let number = self.outgoing.number(self.outgoing.started);
        let sending = Sending { slot: None, message: (!inline).then_some(number) };
        self.stage(lane, sending, Payload { opcode, part, immediate, inline })?;
        self.post_staged(lane)?;
        self.outgoing.taken.messages[lane] = self.outgoing.taken.messages[lane].wrapping_add(1);
        if inline {
            self.outgoing.finish(number);
        }
        Ok(true)
    }

    /// Puts a send in line; whoever calls this calls `post_staged` before the memory of its part may change.
    fn stage(&mut self, lane: usize, sending: Sending, payload: Payload) -> Result<(), LinkError> {
        let Class { least_bytes, slot_bytes, .. } = self.connections.lanes[lane].class;
        if self.rules == Rules::Thunderbolt
            && !(least_bytes..=slot_bytes).contains(&(payload.part.length as usize))
        {
            return self.corrupt("a SEND that would not span the frames of its receive");
        }
        let time_to_post = self.connections.lanes[lane].stage(lane, sending, payload);
        if time_to_post { self.post_staged(lane) } else { Ok(()) }
    }

    /// Posts what is in line.
    fn post_staged(&mut self, lane: usize) -> Result<(), LinkError> {
        let lane = &mut self.connections.lanes[lane];
        if lane.staged.is_empty() {
            return Ok(());
        }
        // SAFETY: inline data is copied by the call, and still there: it is posted in the call that staged it. Other data lies in slots
        // that were taken, or in shared buffers kept in `messages`, both until the completion; if the link is dropped before, the
        // queue pair goes first.
        let posted = unsafe { lane.pair.post_sends(&lane.staged) };
        lane.staged.clear();
        match posted {
            Ok(()) => Ok(()),
            Err(error) => self.fail_verbs(error),
        }
    }

    /// A send completed, and with it all before it on the same lane.
    pub(super) fn eager_sent(&mut self, lane: usize, number: u64) {
        let Some(lane) = self.connections.lanes.get_mut(lane) else { return };
        while let Some(sent) = lane.retire(number) {
            if let Some(slot) = sent.slot {
                self.slots.give_back(slot);
            }
            if let Some(message) = sent.message {
                self.outgoing.finish(message);
            }
        }
    }

    /// Whether no lane has anything under way.
    pub(super) fn is_quiet(&self) -> bool {
        self.connections.lanes.iter().all(|lane| lane.is_quiet())
    }

    pub(super) fn classes(&self) -> &'static [Class] {
        &self.rules.classes()[..self.connections.lanes.len()]
    }

    /// Tells the peer of emptied slots when nothing else went its way for a while.
    pub(super) fn report_credits(&mut self) -> Result<(), LinkError> {
        if self.incoming.credits_due(&self.connections.lanes) && !self.peer_closed {
            self.control(Kind::Credit, 0)?;
        }
        Ok(())
    }

    /// The last thing said; its completion retires everything before it.
    pub(super) fn farewell(&mut self) -> Result<bool, LinkError> {
        self.connections.lanes[0].signal_next();
        self.control(Kind::Close, 0)
    }

    /// On a reliable connection, a write of nothing is acknowledged by the peer's device without its process: if it fails,
    /// the connection's other end no longer exists. Needless while something else waits for its completion.
    pub(super) fn probe(&mut self) -> Result<(), LinkError> {
        let lane = &mut self.connections.lanes[0];
        if self.rules != Rules::Linux || lane.awaits_completion() || lane.is_full() {
            return Ok(());
        }
        lane.signal_next();
        let part = Sge { addr: 0, length: 0, lkey: 0 };
        let payload = Payload { opcode: sys::WR_RDMA_WRITE, part, immediate: 0, inline: false };
        self.stage(0, Sending::default(), payload)?;
        self.post_staged(0)
    }
}
