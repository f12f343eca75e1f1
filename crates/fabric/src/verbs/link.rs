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
    lane::Lane,
    outgoing::{Outgoing, SLOT_ARENA},
    queue_pair::QueuePair,
    rules::Rules,
    slots::Slots,
    sys::{self, Wc},
    turn::Turn,
};
use crate::{Buf, Completion, Counters, Kind, Link, LinkError, Lost, NOTE_MAX, Rank, Route, SharedBuf};

/// A link over a few connections of one RDMA port.
///
/// *Lanes* carry everything short, into slots that the receiver posted beforehand: notes, messages up to
/// 32 KiB, and control. Slots are counted by credits that ride on whatever goes the other way, so no SEND ever meets
/// an empty receive queue. On Linux one lane suffices; by Thunderbolt's rules there are some more, one for each
/// [`Class`](super::classes::Class) of receives. The *bulk* connection carries long messages in chunks, from the sender's buffer
/// straight into the receiver's: announced on the first lane, granted chunk by chunk as the receiver posts its buffer.
///
/// Under Thunderbolt's rules nothing tells of a loss, so everything short has its [`Turn`], and only one long message at a
/// time is granted: a lost chunk then leaves its own message unfinished instead of shifting bytes into the next.
pub struct VerbsLink {
    // First, so that no device writes to buffers that are about to be someone else's.
    pub(super) connections: Connections,
    pub(super) slots: Slots,
    pub(super) turn: Turn,
    /// Messages that may have arrived and wait for a buffer: the credits of all lanes.
    pub(super) arrivals_max: usize,
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
    /// Where the turn was when last looked at, and for how many looks something has been waiting for it there.
    stuck: ((u16, u8), u32),
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

    const NUMBER_BITS: u32 = 48;

    pub fn eager_send(lane: usize, number: u64) -> u64 {
        EAGER_SEND | (lane as u64) << NUMBER_BITS | number
    }

    /// Lane and number.
    pub fn of_eager_send(which: u64) -> (usize, u64) {
        ((which >> NUMBER_BITS) as usize, which & ((1 << NUMBER_BITS) - 1))
    }
}

/// How often a sleeping link makes sure that its peer is there.
const LOOK_AFTER: Duration = Duration::from_millis(100);

/// After so many looks, what should have come first is lost: nothing overtakes by that long.
const LOST_AFTER_LOOKS: u32 = 10;

/// How long dropping a link may wait for its farewell to be delivered.
const FAREWELL: Duration = Duration::from_millis(100);

/// Its queue pairs; one completion queue serves them all.
pub(super) struct Connections {
    /// At least one.
    pub lanes: Vec<Lane>,
    pub bulk: QueuePair,
}

impl VerbsLink {
    /// Over connected queue pairs, all of which know the slots' region and the user's arena, in the order of
    /// [`SLOT_ARENA`] and [`USER_ARENA`](super::outgoing::USER_ARENA). Posts the receive slots.
    pub(super) fn new(
        connections: Connections,
        slots: Slots,
        device: &Arc<Device>,
        rules: Rules,
        checksums: bool,
        peer: Rank,
    ) -> Result<Self, VerbsError> {
        let link = Self {
            turn: Turn::new(connections.lanes.len() > 1),
            arrivals_max: connections.lanes.iter().map(|lane| usize::from(lane.class.message_slots)).sum(),
            connections,
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
            stuck: ((0, 0), 0),
            done: Box::default(),
        };
        for class in 0..link.connections.lanes.len() {
            link.post_slots(link.slots.receive_slots(class))?;
        }
        Ok(link)
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    pub fn device(&self) -> &str {
        self.device.name()
    }

    pub(super) fn post_slots(&self, slots: impl Iterator<Item = u16>) -> Result<(), VerbsError> {
        let region = self.connections.bulk.region(SLOT_ARENA);
        for slot in slots {
            let Some((class, bytes)) = self.slots.receiving(slot) else { continue };
            let part = region.part(self.slots.offset(slot), bytes);
            let lane = &self.connections.lanes[class].pair;
            // SAFETY: receive slots are only read between their completion and the next post.
            unsafe { lane.post_recv(tag::RECEIVE_SLOT | u64::from(slot), part)? };
        }
        Ok(())
    }

    /// Takes what the device has finished and does what that makes possible; `false` if it had finished nothing.
    fn progress(&mut self) -> Result<bool, LinkError> {
        let mut any = false;
        loop {
            let taken = match self.connections.bulk.completions().poll(&mut self.done[..]) {
                Ok(0) if self.is_untidy() && !self.closing => return self.tidy().and(Ok(true)),
                Ok(0) => return Ok(any),
                Ok(taken) => taken,
                Err(error) => return self.fail_verbs(error),
            };
            any = true;
            for at in 0..taken {
                let completion = self.done[at];
                self.complete(&completion)?;
            }
            if !self.closing {
                self.incoming_step()?;
                self.outgoing_step()?;
            }
            if taken < self.done.len() {
                return Ok(true);
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
                let (lane, number) = tag::of_eager_send(which);
                self.eager_sent(lane, number);
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
        self.look_for_losses()?;
        self.probe()
    }

    /// What arrived ahead of its turn cannot wait for ever for what was before it.
    fn look_for_losses(&mut self) -> Result<(), LinkError> {
        let position = self.turn.position();
        if !self.incoming.holds_back() || self.stuck.0 != position {
            self.stuck = (position, 0);
            return Ok(());
        }
        self.stuck.1 += 1;
        if self.stuck.1 < LOST_AFTER_LOOKS {
            Ok(())
        } else {
            self.corrupt("something before what arrived was lost")
        }
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
        if !matches!(progress, Ok(false))
            && let Some(ready) = self.take_ready()
        {
            return Ok(Some(ready));
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
        let mut progress = Ok(false);
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
        self.connections.bulk.completions().arm();
        // What arrived before arming causes no event, so look once more.
        self.progress()?;
        if self.has_ready() || self.incoming.has_note() || self.peer_closed {
            return Ok(());
        }
        self.connections.bulk.completions().sleep(at_most);
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
        while Instant::now() < until && !(said && self.is_quiet()) {
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
