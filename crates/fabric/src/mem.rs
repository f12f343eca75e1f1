use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::{Buf, Completion, Counters, Kind, Link, LinkError, NOTE_MAX, Rank, SharedBuf};

/// What goes wrong on a [`MemLink`], per direction. Every fault is a field; the seed makes a run repeatable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    pub seed: u64,
    /// Each note and message arrives after a random time up to this.
    pub delay_us_max: u64,
    /// One message in this many has a random bit flipped on the way.
    pub flip_one_in: Option<u64>,
    /// After this many notes and messages the link breaks: both ends find it closed.
    pub cut_after: Option<u64>,
    /// After this many notes and messages nothing arrives any more, and nobody is told.
    pub silent_after: Option<u64>,
}

/// A link between two threads of one process, with injected faults.
pub struct MemLink {
    peer: Rank,
    wire: Arc<Wire>,
    /// Which of the two directions we send on.
    side: usize,
    checksums: bool,
    sends: VecDeque<SharedBuf>,
    receives: VecDeque<Buf>,
    /// Taken from the wire while looking for notes.
    arrived: VecDeque<(Buf, usize)>,
    failed: Option<LinkError>,
    counters: Counters,
}

/// Notes that may wait for the peer.
const NOTES_MAX: usize = 64;

struct Wire {
    state: Mutex<[Direction; 2]>,
    changed: Condvar,
}

#[derive(Default)]
struct Direction {
    faults: Faults,
    random: u64,
    carried: u64,
    notes: VecDeque<(Instant, Vec<u8>)>,
    messages: VecDeque<Flying>,
    /// Messages the receiver has copied and the sender has not been told about.
    delivered: usize,
    closed: bool,
}

struct Flying {
    due: Instant,
    buf: SharedBuf,
    checksum: Option<u32>,
    flipped_bit: Option<usize>,
}

impl MemLink {
    /// Two ends: `a` sends with `faults[0]`, `b` with `faults[1]`. With `checksums`, a flipped bit becomes an error rather than wrong bytes.
    pub fn pair(a: Rank, b: Rank, faults: [Faults; 2], checksums: bool) -> (MemLink, MemLink) {
        let direction = |faults: Faults| Direction {
            faults,
            random: faults.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            ..Direction::default()
        };
        let wire = Arc::new(Wire { state: Mutex::new(faults.map(direction)), changed: Condvar::new() });
        let end = |peer, side| MemLink {
            peer,
            wire: wire.clone(),
            side,
            checksums,
            sends: VecDeque::new(),
            receives: VecDeque::new(),
            arrived: VecDeque::new(),
            failed: None,
            counters: Counters::default(),
        };
        (end(b, 0), end(a, 1))
    }

    fn check(&self) -> Result<(), LinkError> {
        match &self.failed {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    fn take_message(&mut self) -> Result<(), LinkError> {
        let wire = self.wire.clone();
        let mut state = wire.lock();
        let back = &mut state[1 - self.side];
        let due = back.messages.front().is_some_and(|flying| flying.due <= Instant::now());
        if !due || self.receives.is_empty() {
            return Ok(());
        }
        let (Some(mut buf), Some(flying)) = (self.receives.pop_front(), back.messages.pop_front()) else {
            return Ok(());
        };
        let len = flying.buf.len();
        if len > buf.len() {
            let error = LinkError::Overrun { rank: self.peer, message_len: len, buffer_len: buf.len() };
            return self.fail(error);
        }
        buf[..len].copy_from_slice(&flying.buf);
        if let Some(bit) = flying.flipped_bit {
            buf[bit / 8] ^= 1 << (bit % 8);
        }
        if flying.checksum.is_some_and(|sum| sum != crc32c::crc32c(&buf[..len])) {
            self.counters.checksum_errors += 1;
            let what = format!("a message of {len} bytes does not match its checksum");
            return self.fail(LinkError::Corrupt { rank: self.peer, kind: Kind::Mem, what });
        }
        // The handle goes before the sender hears of it, so that it can have its buffer back whole.
        drop(flying);
        back.delivered += 1;
        wire.changed.notify_all();
        self.counters.messages_received += 1;
        self.counters.bytes_received += len as u64;
        self.arrived.push_back((buf, len));
        Ok(())
    }

    fn fail<T>(&mut self, error: LinkError) -> Result<T, LinkError> {
        Err(self.failed.get_or_insert(error).clone())
    }
}

impl Wire {
    fn lock(&self) -> MutexGuard<'_, [Direction; 2]> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Direction {
    fn next_random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    /// When something sent now arrives; `None` if it never does. Breaks the wire when its time has come.
    fn carry(&mut self) -> Option<Instant> {
        self.carried += 1;
        if self.faults.cut_after.is_some_and(|n| self.carried > n) {
            self.closed = true;
            return None;
        }
        if self.faults.silent_after.is_some_and(|n| self.carried > n) {
            return None;
        }
        let delay_us = match self.faults.delay_us_max {
            0 => 0,
            max => self.next_random() % (max + 1),
        };
        Some(Instant::now() + Duration::from_micros(delay_us))
    }
}

impl Link for MemLink {
    fn kind(&self) -> Kind {
        Kind::Mem
    }

    fn peer(&self) -> Rank {
        self.peer
    }

    fn max_message(&self) -> usize {
        usize::MAX
    }

    fn post_send(&mut self, buf: SharedBuf) -> Result<(), LinkError> {
        self.check()?;
        self.counters.messages_sent += 1;
        self.counters.bytes_sent += buf.len() as u64;
        self.sends.push_back(buf.clone());
        let mut state = self.wire.lock();
        let out = &mut state[self.side];
        if let Some(due) = out.carry() {
            let checksum = self.checksums.then(|| crc32c::crc32c(&buf));
            let flip = out.faults.flip_one_in.is_some_and(|n| out.next_random().is_multiple_of(n.max(1)));
            let flipped_bit = (flip && !buf.is_empty()).then(|| out.next_random() as usize % (buf.len() * 8));
            out.messages.push_back(Flying { due, buf, checksum, flipped_bit });
        }
        self.wire.changed.notify_all();
        Ok(())
    }

    fn post_recv(&mut self, buf: Buf) -> Result<(), LinkError> {
        self.check()?;
        self.receives.push_back(buf);
        Ok(())
    }

    fn poll(&mut self) -> Result<Option<Completion>, LinkError> {
        self.check()?;
        let wire = self.wire.clone();
        let mut state = wire.lock();
        let closed = state.iter().any(|direction| direction.closed);
        let out = &mut state[self.side];
        if out.delivered > 0 {
            out.delivered -= 1;
            return Ok(self.sends.pop_front().map(Completion::Sent));
        }
        drop(state);
        if self.arrived.is_empty() {
            self.take_message()?;
        }
        if let Some((buf, len)) = self.arrived.pop_front() {
            return Ok(Some(Completion::Received { buf, len }));
        }
        let state = wire.lock();
        let waiting = !(self.sends.is_empty() && self.receives.is_empty());
        if closed && waiting && state[1 - self.side].messages.is_empty() {
            return self.fail(LinkError::closed(self.peer));
        }
        Ok(None)
    }

    fn try_send_note(&mut self, note: &[u8]) -> Result<bool, LinkError> {
        self.check()?;
        if note.len() > NOTE_MAX {
            return Err(LinkError::TooLong { len: note.len(), max: NOTE_MAX });
        }
        let wire = self.wire.clone();
        let mut state = wire.lock();
        let closed = state.iter().any(|direction| direction.closed);
        let out = &mut state[self.side];
        if out.notes.len() >= NOTES_MAX {
            self.counters.retries += 1;
            return if closed { self.fail(LinkError::closed(self.peer)) } else { Ok(false) };
        }
        if let Some(due) = out.carry() {
            out.notes.push_back((due, note.to_vec()));
        }
        self.counters.notes_sent += 1;
        wire.changed.notify_all();
        Ok(true)
    }

    fn try_recv_note(&mut self, into: &mut [u8; NOTE_MAX]) -> Result<Option<usize>, LinkError> {
        if self.failed.is_none() {
            self.take_message()?;
        }
        let wire = self.wire.clone();
        let mut state = wire.lock();
        let closed = state.iter().any(|direction| direction.closed);
        let back = &mut state[1 - self.side];
        match back.notes.front() {
            Some((due, _)) if *due > Instant::now() => return Ok(None),
            None if closed || self.failed.is_some() => return self.fail(LinkError::closed(self.peer)),
            _ => {}
        }
        Ok(back.notes.pop_front().map(|(_, note)| {
            into[..note.len()].copy_from_slice(&note);
            self.counters.notes_received += 1;
            note.len()
        }))
    }

    fn park(&mut self, at_most: Duration) -> Result<(), LinkError> {
        self.check()?;
        self.counters.parks += 1;
        let state = self.wire.lock();
        let back = &state[1 - self.side];
        let next_due = back
            .notes
            .front()
            .map(|(due, _)| *due)
            .into_iter()
            .chain(back.messages.front().map(|flying| flying.due))
            .min();
        let sleep = match next_due {
            Some(due) => at_most.min(due.saturating_duration_since(Instant::now())),
            None => at_most,
        };
        if state[self.side].delivered == 0 && !sleep.is_zero() {
            drop(self.wire.changed.wait_timeout(state, sleep));
        }
        Ok(())
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

impl Drop for MemLink {
    fn drop(&mut self) {
        let mut state = self.wire.lock();
        state[self.side].closed = true;
        // Their buffers are ours, and go back to our arena now.
        state[self.side].messages.clear();
        drop(state);
        self.wire.changed.notify_all();
    }
}
