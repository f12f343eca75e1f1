//! Unsafe because receive slots are posted to a device.
#![allow(unsafe_code)]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    device::Device,
    error::VerbsError,
    incoming::Incoming,
    outgoing::{Outgoing, SLOT_ARENA},
    queue_pair::QueuePair,
    rules::{self, Rules},
    slots::Slots,
    sys::{self, Wc},
};
use crate::{Buf, Completion, Counters, Kind, Link, LinkError, Lost, NOTE_MAX, Rank, Route, SharedBuf};

/// A link over two connections of one RDMA port.
///
/// The *eager* connection carries everything short, into slots that the receiver posted beforehand: notes, messages up to
/// 32 KiB, and control. Slots are counted by credits that ride on whatever goes the other way, so no SEND ever meets
/// an empty receive queue. The *bulk* connection carries long messages in chunks, from the sender's buffer straight into the
/// receiver's: announced on the eager connection, granted chunk by chunk as the receiver posts its buffer.
///
/// Under Thunderbolt's rules nothing tells of a loss, so everything eager is numbered, and only one long message at a
/// time is granted: a lost chunk then leaves its own message unfinished instead of shifting bytes into the next.
pub struct VerbsLink {
    // First, so that no device writes to buffers that are about to be someone else's.
    pub(super) eager: QueuePair,
    pub(super) bulk: QueuePair,
    pub(super) slots: Slots,
    pub(super) outgoing: Outgoing,
    pub(super) incoming: Incoming,
    pub(super) rules: Rules,
    pub(super) checksums: bool,
    pub(super) peer: Rank,
    pub(super) counters: Counters,
    pub(super) peer_closed: bool,
    pub(super) route: Option<Route>,
    /// Nothing new is started any more.
    closing: bool,
    failed: Option<LinkError>,
    device: Arc<Device>,
    looked_after: Instant,
    /// Where completions are put; kept, because clearing it on every look costs more than the look.
    done: Box<[Wc; 16]>,
}

/// What a work request was, in the top byte of its id; the rest is a slot or a count.
pub(super) mod tag {
    pub const RECEIVE_SLOT: u64 = 1 << 56;
    pub const EAGER_SEND: u64 = 2 << 56;
    pub const BULK_RECEIVE: u64 = 3 << 56;
    pub const BULK_SEND: u64 = 4 << 56;
    pub const MASK: u64 = 0xff << 56;
}

/// How often a sleeping link makes sure that its peer is there.
const LOOK_AFTER: Duration = Duration::from_millis(100);

/// How long dropping a link may wait for its farewell to be delivered.
const FAREWELL: Duration = Duration::from_millis(100);

/// Queue entries of the completion queue that serves both connections.
pub(super) fn completion_entries(rules: Rules) -> u32 {
    u32::from(receive_slots(rules)) + u32::from(outgoing_depth()) + 2 * rules::BULK_WINDOW + 16
}

pub(super) fn receive_slots(rules: Rules) -> u16 {
    rules.message_slots() + rules::NOTE_SLOTS + rules::CONTROL_SLOTS
}

pub(super) fn outgoing_depth() -> u16 {
    super::outgoing::DEPTH
}

impl VerbsLink {
    /// Over connected queue pairs, both of which know the slots' region and the user's arena, in the order of
    /// [`SLOT_ARENA`] and [`USER_ARENA`](super::outgoing::USER_ARENA). Posts the receive slots.
    pub(super) fn new(
        (eager, bulk): (QueuePair, QueuePair),
        slots: Slots,
        device: &Arc<Device>,
        rules: Rules,
        checksums: bool,
        peer: Rank,
    ) -> Result<Self, VerbsError> {
        let link = Self {
            eager,
            bulk,
            slots,
            outgoing: Outgoing::default(),
            incoming: Incoming::default(),
            rules,
            checksums,
            peer,
            counters: Counters::default(),
            peer_closed: false,
            route: None,
            closing: false,
            failed: None,
            device: device.clone(),
            looked_after: Instant::now(),
            done: Box::default(),
        };
        link.post_slots(0..link.slots.receive_count())?;
        Ok(link)
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    pub fn device(&self) -> &str {
        self.device.name()
    }

    pub(super) fn post_slots(&self, slots: impl Iterator<Item = u16>) -> Result<(), VerbsError> {
        let region = self.eager.region(SLOT_ARENA);
        for slot in slots {
            let part = region.part(self.slots.offset(slot), self.slots.slot_bytes());
            // SAFETY: receive slots are only read between their completion and the next post.
            unsafe { self.eager.post_recv(tag::RECEIVE_SLOT | u64::from(slot), part)? };
        }
        Ok(())
    }

    /// Takes what the device has finished and does what that makes possible.
    fn progress(&mut self) -> Result<(), LinkError> {
        loop {
            let taken = match self.eager.completions().poll(&mut self.done[..]) {
                Ok(0) if self.is_untidy() && !self.closing => return self.tidy(),
                Ok(0) => return Ok(()),
                Ok(taken) => taken,
                Err(error) => return self.fail_verbs(error),
            };
            for at in 0..taken {
                let completion = self.done[at];
                self.complete(&completion)?;
            }
            if !self.closing {
                self.incoming_step()?;
                self.outgoing_step()?;
            }
            if taken < self.done.len() {
                return Ok(());
            }
        }
    }

    fn complete(&mut self, done: &Wc) -> Result<(), LinkError> {
        if done.status != sys::WC_SUCCESS {
            return self.fail_completion(done);
        }
        let which = done.wr_id & !tag::MASK;
        match done.wr_id & tag::MASK {
            tag::RECEIVE_SLOT => self.slot_arrived(which as u16, done),
            tag::EAGER_SEND => {
                self.eager_sent(which);
                Ok(())
            }
            tag::BULK_RECEIVE => self.chunk_arrived(done.byte_len as usize),
            tag::BULK_SEND => {
                self.chunk_sent();
                Ok(())
            }
            _ => self.corrupt("a completion that nothing was posted for"),
        }
    }

    /// On the slow path: is the cable in, and does the peer's end still exist?
    fn look_after(&mut self) -> Result<(), LinkError> {
        if self.looked_after.elapsed() < LOOK_AFTER {
            return Ok(());
        }
        self.looked_after = Instant::now();
        if !self.device.is_active() {
            let why = format!("the port of {} went down; is the cable plugged in?", self.device.name());
            return self.fail(LinkError::PeerLost { rank: self.peer, why: Lost::Transport(why) });
        }
        self.probe()
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    fn check(&self) -> Result<(), LinkError> {
        match &self.failed {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    #[cold]
    pub(super) fn fail<T>(&mut self, error: LinkError) -> Result<T, LinkError> {
        Err(self.failed.get_or_insert(error).clone())
    }

    #[cold]
    pub(super) fn fail_verbs<T>(&mut self, error: VerbsError) -> Result<T, LinkError> {
        let why = Lost::Transport(error.to_string());
        self.fail(LinkError::PeerLost { rank: self.peer, why })
    }

    #[cold]
    pub(super) fn corrupt<T>(&mut self, what: &str) -> Result<T, LinkError> {
        self.counters.checksum_errors += 1;
        self.fail(LinkError::Corrupt { rank: self.peer, kind: Kind::Verbs, what: what.into() })
    }

    #[cold]
    fn fail_completion(&mut self, done: &Wc) -> Result<(), LinkError> {
        // After the peer's farewell its connections are gone: what is still under way to it cannot succeed.
        if self.peer_closed {
            return Ok(());
        }
        if done.status == sys::WC_RETRY_EXC_ERR {
            let why = "it no longer acknowledges: its process ended, or the cable was pulled".into();
            return self.fail(LinkError::PeerLost { rank: self.peer, why: Lost::Transport(why) });
        }
        let why =
            format!("{}: {} (vendor code {})", self.device.name(), status_name(done.status), done.vendor_err);
        self.fail(LinkError::PeerLost { rank: self.peer, why: Lost::Transport(why) })
    }

    fn check_ours(&self, ours: bool) -> Result<(), LinkError> {
        if ours { Ok(()) } else { Err(LinkError::ForeignBuffer) }
    }
}

impl Link for VerbsLink {
    fn kind(&self) -> Kind {
        Kind::Verbs
    }

    fn peer(&self) -> Rank {
        self.peer
    }

    fn max_message(&self) -> usize {
        1 << 40
    }

    fn post_send(&mut self, buf: SharedBuf) -> Result<(), LinkError> {
        self.check()?;
        self.check_ours(buf.belongs_to(self.user_arena()))?;
        if buf.len() > self.max_message() {
            return Err(LinkError::TooLong { len: buf.len(), max: self.max_message() });
        }
        if self.peer_closed {
            return self.fail(LinkError::closed(self.peer));
        }
        self.enqueue(buf);
        self.outgoing_step()
    }

    fn post_recv(&mut self, buf: Buf) -> Result<(), LinkError> {
        self.check()?;
        self.check_ours(buf.belongs_to(self.user_arena()))?;
        self.incoming.expect(buf);
        self.incoming_step()
    }

    fn poll(&mut self) -> Result<Option<Completion>, LinkError> {
        // What was finished before the link failed is still handed out.
        if let Some(ready) = self.take_ready() {
            return Ok(Some(ready));
        }
        self.check()?;
        let progress = self.progress();
        let ready = self.take_ready();
        if ready.is_some() {
            return Ok(ready);
        }
        progress?;
        if self.peer_closed && !(self.outgoing.is_idle() && self.incoming.is_idle()) {
            return self.fail(LinkError::closed(self.peer));
        }
        Ok(None)
    }

    fn try_send_note(&mut self, note: &[u8]) -> Result<bool, LinkError> {
        self.check()?;
        if note.len() > NOTE_MAX {
            return Err(LinkError::TooLong { len: note.len(), max: NOTE_MAX });
        }
        if self.peer_closed {
            return self.fail(LinkError::closed(self.peer));
        }
        if self.send_note(note)? {
            return Ok(true);
        }
        self.progress()?;
        let sent = self.send_note(note)?;
        self.counters.retries += u64::from(!sent);
        Ok(sent)
    }

    fn try_recv_note(&mut self, into: &mut [u8; NOTE_MAX]) -> Result<Option<usize>, LinkError> {
        let mut progress = Ok(());
        if !self.incoming.has_note() {
            progress = self.check().and_then(|()| self.progress());
        }
        // Notes that arrived before the link failed may say why it did.
        let found = self.take_note(into);
        if found.is_some() {
            return Ok(found);
        }
        progress?;
        if self.peer_closed { self.fail(LinkError::closed(self.peer)) } else { Ok(None) }
    }

    fn park(&mut self, at_most: Duration) -> Result<(), LinkError> {
        self.check()?;
        self.counters.parks += 1;
        self.look_after()?;
        self.eager.completions().arm();
        // What arrived before arming causes no event, so look once more.
        self.progress()?;
        if self.has_ready() || self.incoming.has_note() || self.peer_closed {
            return Ok(());
        }
        self.eager.completions().sleep(at_most);
        Ok(())
    }

    fn routes(&self) -> Vec<Route> {
        self.route.into_iter().collect()
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

impl VerbsLink {
    fn take_ready(&mut self) -> Option<Completion> {
        if let Some(buf) = self.outgoing.take_done() {
            return Some(Completion::Sent(buf));
        }
        let (buf, len) = self.incoming.take_done()?;
        self.counters.messages_received += 1;
        self.counters.bytes_received += len as u64;
        Some(Completion::Received { buf, len })
    }

    fn has_ready(&self) -> bool {
        self.outgoing.has_done() || self.incoming.has_done()
    }
}

impl Drop for VerbsLink {
    /// Says farewell. On a reliable connection its delivery means that everything posted before it was delivered too.
    fn drop(&mut self) {
        // A link that failed for a reason of our own still says so: the peer is there to hear it.
        if matches!(self.failed, Some(LinkError::PeerLost { .. })) || self.peer_closed {
            return;
        }
        self.closing = true;
        let until = Instant::now() + FAREWELL;
        let mut said = false;
        while Instant::now() < until && !(said && self.outgoing.is_quiet()) {
            if !said {
                said = match self.farewell() {
                    Ok(said) => said,
                    Err(_) => return,
                };
            }
            if self.progress().is_err() {
                return;
            }
            std::thread::yield_now();
        }
    }
}

fn status_name(status: i32) -> &'static str {
    const NAMES: [&str; 22] = [
        "success",
        "local length error",
        "local queue pair error",
        "local end-to-end context error",
        "local protection error",
        "flushed after an earlier error",
        "memory window error",
        "bad response",
        "local access error",
        "the peer refused the request",
        "the peer refused access",
        "the peer failed to execute the request",
        "retries exceeded",
        "the peer posted no receive",
        "local domain violation",
        "invalid read request",
        "aborted by the peer",
        "invalid context number",
        "invalid context state",
        "fatal device error",
        "response timeout",
        "general error",
    ];
    usize::try_from(status).ok().and_then(|i| NAMES.get(i)).copied().unwrap_or("unknown status")
}
