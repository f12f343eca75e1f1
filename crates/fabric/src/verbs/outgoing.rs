//! Unsafe because buffers are posted to a device.
#![allow(unsafe_code)]

use std::collections::VecDeque;

use super::{
    header::{self, Credits, Header, Kind},
    link::{VerbsLink, tag},
    queue_pair::{POSTED_TOGETHER_MAX, SendRequest},
    rules::{BULK_CHUNK_BYTES, BULK_WINDOW, EAGER_MAX, NOTE_SLOTS, Rules},
    sys::{self, Sge},
};
use crate::{Arena, LinkError, NOTE_MAX, SharedBuf};

/// Entries of the eager connection's send queue.
pub(super) const DEPTH: u16 = 256;

/// Slots to send from, where a header and a body must lie side by side.
pub(super) const SEND_SLOTS: u16 = 64;

/// Every so many sends one asks for a completion, which retires those before it too.
const UNSIGNALED_MAX: u32 = 16;

/// Regions of a link's queue pairs.
pub(super) const USER_ARENA: usize = 0;
pub(super) const SLOT_ARENA: usize = 1;

/// Everything this side sends.
#[derive(Default)]
pub(super) struct Outgoing {
    /// Messages in the order posted; the first is number `first`.
    messages: VecDeque<Message>,
    first: u64,
    /// Of those, how many have been handed to the eager connection whole (long ones: announced).
    started: usize,
    /// Bytes of the next message that went ahead in parts.
    ahead: usize,

    /// Posted to the eager connection and not yet known to be finished; the first is number `eager_first`.
    eager: VecDeque<EagerSend>,
    eager_first: u64,
    unsignaled: u32,
    staged: Vec<SendRequest>,
    sequence: u32,
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

struct EagerSend {
    slot: Option<u16>,
    /// The message whose buffer this sends from.
    message: Option<u64>,
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

    /// Whether nothing is under way on the eager connection.
    pub fn is_quiet(&self) -> bool {
        self.eager.is_empty()
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
        self.eager.region(USER_ARENA).arena()
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

    /// Hands the next message to the eager connection; `false` if it has to wait.
    fn start_message(&mut self) -> Result<bool, LinkError> {
        let at = self.outgoing.started;
        let number = self.outgoing.number(at);
        let buf = &self.outgoing.messages[at].buf;
        let (offset, len) = (buf.arena_offset(), buf.len());
        if len > EAGER_MAX {
            // Without checksums there is none to send along.
            let sum = if self.checksums { header::checksum(buf) } else { 0 };
            if !self.may_send_message() || !self.in_band(Kind::Long, len as u64, &sum.to_le_bytes())? {
                return Ok(false);
            }
            self.outgoing.taken.messages = self.outgoing.taken.messages.wrapping_add(1);
            self.outgoing.long.push_back(number);
        } else if self.rules == Rules::Linux && !self.checksums {
            if !self.may_send_message() || !self.bare(offset, len, number)? {
                return Ok(false);
            }
            self.outgoing.taken.messages = self.outgoing.taken.messages.wrapping_add(1);
        } else {
            let buf = buf.clone();
            let body_max = self.slots.slot_bytes() - Header::BYTES;
            while {
                let rest = &buf[self.outgoing.ahead..];
                let part = &rest[..rest.len().min(body_max)];
                if !self.may_send_message() || !self.in_band(Kind::Part, len as u64, part)? {
                    self.post_staged()?;
                    return Ok(false);
                }
                self.outgoing.taken.messages = self.outgoing.taken.messages.wrapping_add(1);
                self.outgoing.ahead += part.len();
                self.outgoing.ahead < len
            } {}
            self.post_staged()?;
            // The parts were copied.
            self.outgoing.ahead = 0;
            self.outgoing.finish(number);
        }
        self.outgoing.started += 1;
        Ok(true)
    }

    fn may_send_message(&self) -> bool {
        let out = &self.outgoing;
        out.taken.messages.wrapping_sub(out.returned.messages) < self.rules.message_slots()
    }

    pub(super) fn send_note(&mut self, note: &[u8]) -> Result<bool, LinkError> {
        let out = &self.outgoing;
        if out.taken.notes.wrapping_sub(out.returned.notes) >= NOTE_SLOTS
            || !self.in_band(Kind::Note, 0, note)?
        {
            return Ok(false);
        }
        self.outgoing.taken.notes = self.outgoing.taken.notes.wrapping_add(1);
        self.counters.notes_sent += 1;
        Ok(true)
    }

    /// Control takes no credit: its slots are set aside, and the protocol bounds how much of it can be under way.
    pub(super) fn control(&mut self, kind: Kind, value: u64) -> Result<bool, LinkError> {
        self.in_band(kind, value, &[])
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
                part: self.bulk.region(USER_ARENA).part(buf.arena_offset() + start, len),
                immediate: 0,
                signaled: true,
                inline: false,
            };
            // SAFETY: the buffer is shared, hence not written, and kept in `messages` until its last chunk completes; if the link
            // is dropped before, the queue pair goes first.
            if let Err(error) = unsafe { self.bulk.post_sends(&[request]) } {
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
    fn in_band(&mut self, kind: Kind, value: u64, body: &[u8]) -> Result<bool, LinkError> {
        if self.outgoing.eager.len() >= usize::from(DEPTH) {
            return Ok(false);
        }
        let mut header = Header {
            kind,
            body_bytes: body.len() as u16,
            credits: self.incoming.credits(),
            sequence: self.outgoing.sequence,
            checksum: 0,
            value,
        };
        if self.checksums {
            header.checksum = header.checksum_with(body);
        }
        let len = Header::BYTES + body.len();
        let mut short = [0; Header::BYTES + NOTE_MAX];
        let (slot, part) = if len <= self.eager.inline_bytes().min(short.len()) {
            short[..Header::BYTES].copy_from_slice(&header.encode());
            short[Header::BYTES..len].copy_from_slice(body);
            // Inline data is copied by the call below, so no region is needed.
            (None, Sge { addr: short.as_ptr() as u64, length: len as u32, lkey: 0 })
        } else {
            let Some(slot) = self.slots.take() else { return Ok(false) };
            let bytes = self.slots.outgoing(slot);
            bytes[..Header::BYTES].copy_from_slice(&header.encode());
            bytes[Header::BYTES..len].copy_from_slice(body);
            (Some(slot), self.eager.region(SLOT_ARENA).part(self.slots.offset(slot), len))
        };
        self.post_eager(EagerSend { slot, message: None }, sys::WR_SEND, part, 0, slot.is_none())?;
        // Parts of one message are posted together, which is one call of the device for all.
        if kind != Kind::Part || slot.is_none() {
            self.post_staged()?;
        }
        Ok(true)
    }

    /// Sends a whole message from where it lies.
    fn bare(&mut self, offset: usize, len: usize, number: u64) -> Result<bool, LinkError> {
        if self.outgoing.eager.len() >= usize::from(DEPTH) {
            return Ok(false);
        }
        let inline = len <= self.eager.inline_bytes();
        let part = self.eager.region(USER_ARENA).part(offset, len);
        let message = (!inline).then_some(number);
        let immediate = self.incoming.credits().to_immediate();
        self.post_eager(EagerSend { slot: None, message }, sys::WR_SEND_WITH_IMM, part, immediate, inline)?;
        self.post_staged()?;
        if inline {
            self.outgoing.finish(number);
        }
        Ok(true)
    }

    /// Puts a send in line; whoever calls this calls `post_staged` before the memory of `part` may change.
    fn post_eager(
        &mut self,
        send: EagerSend,
        opcode: i32,
        part: Sge,
        immediate: u32,
        inline: bool,
    ) -> Result<(), LinkError> {
        let out = &mut self.outgoing;
        // A buffer must come back soon; a slot may wait for its neighbours.
        let signaled = send.message.is_some() || out.unsignaled + 1 >= UNSIGNALED_MAX;
        let id = tag::EAGER_SEND | (out.eager_first + out.eager.len() as u64);
        let request = SendRequest { id, opcode, part, immediate, signaled, inline };
        out.staged.push(request);
        out.unsignaled = if signaled { 0 } else { out.unsignaled + 1 };
        out.eager.push_back(send);
        if opcode != sys::WR_RDMA_WRITE {
            out.sequence = out.sequence.wrapping_add(1);
            self.incoming.credits_reported();
        }
        if self.outgoing.staged.len() == POSTED_TOGETHER_MAX { self.post_staged() } else { Ok(()) }
    }

    /// Posts what is in line.
    fn post_staged(&mut self) -> Result<(), LinkError> {
        if self.outgoing.staged.is_empty() {
            return Ok(());
        }
        // SAFETY: inline data is copied by the call, and still there: it is posted in the call that staged it. Other data lies in slots
        // that were taken, or in shared buffers kept in `messages`, both until the completion; if the link is dropped before, the
        // queue pair goes first.
        let posted = unsafe { self.eager.post_sends(&self.outgoing.staged) };
        self.outgoing.staged.clear();
        match posted {
            Ok(()) => Ok(()),
            Err(error) => self.fail_verbs(error),
        }
    }

    /// A send completed, and with it all before it.
    pub(super) fn eager_sent(&mut self, number: u64) {
        let out = &mut self.outgoing;
        while out.eager_first <= number {
            let Some(sent) = out.eager.pop_front() else { return };
            out.eager_first += 1;
            if let Some(slot) = sent.slot {
                self.slots.give_back(slot);
            }
            if let Some(message) = sent.message {
                out.finish(message);
            }
        }
    }

    /// Tells the peer of emptied slots when nothing else went its way for a while.
    pub(super) fn report_credits(&mut self) -> Result<(), LinkError> {
        if self.incoming.credits_due(self.rules) && !self.peer_closed {
            self.control(Kind::Credit, 0)?;
        }
        Ok(())
    }

    /// The last thing said; its completion retires everything before it.
    pub(super) fn farewell(&mut self) -> Result<bool, LinkError> {
        self.outgoing.unsignaled = UNSIGNALED_MAX;
        self.control(Kind::Close, 0)
    }

    /// On a reliable connection, a write of nothing is acknowledged by the peer's device without its process: if it fails,
    /// the connection's other end no longer exists. Needless while something else waits for its completion.
    pub(super) fn probe(&mut self) -> Result<(), LinkError> {
        let out = &mut self.outgoing;
        let waiting = out.eager.len() > out.unsignaled as usize;
        if self.rules != Rules::Linux || waiting || out.eager.len() >= usize::from(DEPTH) {
            return Ok(());
        }
        out.unsignaled = UNSIGNALED_MAX;
        let nothing = Sge { addr: 0, length: 0, lkey: 0 };
        self.post_eager(EagerSend { slot: None, message: None }, sys::WR_RDMA_WRITE, nothing, 0, false)?;
        self.post_staged()
    }
}
