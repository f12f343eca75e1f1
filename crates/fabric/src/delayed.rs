use std::{collections::VecDeque, thread, time::Duration};

use crate::{
    Buf, Completion, Counters, Kind, Link, LinkError, NOTE_MAX, Rank, Route, SharedBuf,
    monotonic::{clock_name, now_ns},
};

/// A link whose every note and message takes at least `delay` longer: for seeing, on one machine, what a slower link would do.
///
/// What the link below delivers is held back at the receiver until `delay` after it was sent, so that the delay passes while the
/// receiver computes, as on a wire. Both ends must be wrapped: the sender says when it sent. Between hosts, whose clocks differ, the
/// delay is counted from when the receiver first sees it. The window is hidden, since memory has no such delay.
pub struct Delayed<L> {
    inner: L,
    delay_ns: u64,
    notes: VecDeque<Held>,
    messages: VecDeque<(u64, Completion)>,
    /// When messages were sent that have not arrived, by number.
    stamps: VecDeque<(u64, u64)>,
    posted: u64,
    arrived: u64,
    one_clock: bool,
    /// The second half of a note whose first is sent.
    rest: Option<(usize, [u8; NOTE_MAX])>,
    /// The first half of a note whose second has not come.
    half: Option<Held>,
    /// Found while looking for notes.
    sent: Option<Completion>,
}

struct Held {
    due_ns: u64,
    len: usize,
    bytes: [u8; NOTE_MAX],
}

/// What stands at the end of every note below.
#[derive(Clone, Copy)]
enum Mark {
    /// A note, or the second half of one.
    Note = 0,
    FirstHalf = 1,
    /// The number of a message, and when it was sent.
    Message = 2,
    /// By which clock the sender counts.
    Clock = 3,
}

const MARK: usize = 9;
const ROOM: usize = NOTE_MAX - MARK;
const HELD_MAX: usize = 64;

impl<L: Link> Delayed<L> {
    pub fn new(inner: L, delay: Duration) -> Self {
        let mut link = Self {
            inner,
            delay_ns: u64::try_from(delay.as_nanos()).unwrap_or(u64::MAX),
            notes: VecDeque::with_capacity(HELD_MAX),
            messages: VecDeque::with_capacity(HELD_MAX),
            stamps: VecDeque::with_capacity(HELD_MAX),
            posted: 0,
            arrived: 0,
            one_clock: false,
            rest: None,
            half: None,
            sent: None,
        };
        if let Some(clock) = clock_name() {
            // A link that fails will say so when it is used.
            let _ = link.send_marked(&clock.to_le_bytes(), Mark::Clock);
        }
        link
    }

    fn send_marked(&mut self, bytes: &[u8], mark: Mark) -> Result<bool, LinkError> {
        let mut note = [0; NOTE_MAX];
        let (body, end) = note.split_at_mut(bytes.len());
        body.copy_from_slice(bytes);
        end[0] = mark as u8;
        end[1..MARK].copy_from_slice(&now_ns().to_le_bytes());
        self.inner.try_send_note(&note[..bytes.len() + MARK])
    }

    /// Whether no half note is left over.
    fn send_rest(&mut self) -> Result<bool, LinkError> {
        if let Some((len, bytes)) = self.rest {
            if !self.send_marked(&bytes[..len], Mark::Note)? {
                return Ok(false);
            }
            self.rest = None;
        }
        Ok(true)
    }

    fn due(&self, sent_ns: u64) -> u64 {
        let now = now_ns();
        let from = if self.one_clock { sent_ns.min(now) } else { now };
        from.saturating_add(self.delay_ns)
    }

    fn pull_notes(&mut self) -> Result<(), LinkError> {
        let mut note = [0; NOTE_MAX];
        while self.notes.len() < HELD_MAX
            && let Some(whole) = self.inner.try_recv_note(&mut note)?
        {
            let Some(len) = whole.checked_sub(MARK) else {
                let what = "a note without its time; is the other end delayed too?".into();
                return Err(LinkError::Corrupt { rank: self.peer(), kind: self.kind(), what });
            };
            let number_at = |at: usize| note[at..].first_chunk().map_or(0, |n| u64::from_le_bytes(*n));
            let sent_ns = number_at(len + 1);
            match note[len] {
                mark if mark == Mark::Clock as u8 => self.one_clock = clock_name() == Some(number_at(0)),
                mark if mark == Mark::Message as u8 => {
                    if self.one_clock && self.stamps.len() < HELD_MAX && number_at(0) >= self.arrived {
                        self.stamps.push_back((number_at(0), sent_ns));
                    }
                }
                mark => {
                    let first = self.half.take();
                    let mut held = first.unwrap_or_else(|| Held {
                        due_ns: self.due(sent_ns),
                        len: 0,
                        bytes: [0; NOTE_MAX],
                    });
                    let len = len.min(NOTE_MAX - held.len);
                    held.bytes[held.len..held.len + len].copy_from_slice(&note[..len]);
                    held.len += len;
                    match mark == Mark::FirstHalf as u8 {
                        true => self.half = Some(held),
                        false => self.notes.push_back(held),
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes everything from the link below, so that where clocks differ the delay is counted from its arrival.
    fn pull(&mut self) -> Result<Option<Completion>, LinkError> {
        self.send_rest()?;
        self.pull_notes()?;
        while let Some(completion) = self.inner.poll()? {
            match completion {
                Completion::Sent(_) => return Ok(Some(completion)),
                Completion::Received { .. } => {
                    // The word of when it was sent may have found no room, or be behind notes that nobody takes.
                    while self.stamps.front().is_some_and(|(number, _)| *number < self.arrived) {
                        self.stamps.pop_front();
                    }
                    let stamp = self.stamps.pop_front_if(|(number, _)| *number == self.arrived);
                    let due_ns = self.due(stamp.map_or(u64::MAX, |(_, sent_ns)| sent_ns));
                    self.arrived += 1;
                    self.messages.push_back((due_ns, completion));
                }
            }
        }
        Ok(None)
    }
}

impl<L: Link> Link for Delayed<L> {
    fn kind(&self) -> Kind {
        self.inner.kind()
    }

    fn peer(&self) -> Rank {
        self.inner.peer()
    }

    fn max_message(&self) -> usize {
        self.inner.max_message()
    }

    fn post_send(&mut self, buf: SharedBuf) -> Result<(), LinkError> {
        let number = self.posted.to_le_bytes();
        if self.rest.is_none() {
            // First, so that it is there when the message is. If there is no room, the receiver counts from the arrival.
            self.send_marked(&number, Mark::Message)?;
        }
        self.inner.post_send(buf)?;
        self.posted += 1;
        Ok(())
    }

    fn post_recv(&mut self, buf: Buf) -> Result<(), LinkError> {
        self.inner.post_recv(buf)
    }

    fn poll(&mut self) -> Result<Option<Completion>, LinkError> {
        if let Some(sent) = self.sent.take() {
            return Ok(Some(sent));
        }
        let pulled = self.pull();
        if let Ok(Some(sent)) = pulled {
            return Ok(Some(sent));
        }
        if self.messages.front().is_some_and(|(due_ns, _)| *due_ns <= now_ns()) {
            return Ok(self.messages.pop_front().map(|(_, completion)| completion));
        }
        // What arrived before the link failed is still delivered, when its time comes.
        if self.messages.is_empty() { pulled } else { Ok(None) }
    }

    fn try_send_note(&mut self, note: &[u8]) -> Result<bool, LinkError> {
        if note.len() > NOTE_MAX {
            return Err(LinkError::TooLong { len: note.len(), max: NOTE_MAX });
        }
        if !self.send_rest()? {
            return Ok(false);
        }
        if note.len() <= ROOM {
            return self.send_marked(note, Mark::Note);
        }
        let (first, second) = note.split_at(ROOM);
        let sent = self.send_marked(first, Mark::FirstHalf)?;
        if sent {
            let mut rest = [0; NOTE_MAX];
            rest[..second.len()].copy_from_slice(second);
            self.rest = Some((second.len(), rest));
            self.send_rest()?;
        }
        Ok(sent)
    }

    fn try_recv_note(&mut self, into: &mut [u8; NOTE_MAX]) -> Result<Option<usize>, LinkError> {
        // The peer may be waiting for a message to be taken before it sends the note.
        if self.sent.is_none()
            && let Ok(sent) = self.pull()
        {
            self.sent = sent;
        }
        let pulled = self.pull_notes();
        if self.notes.front().is_some_and(|held| held.due_ns <= now_ns())
            && let Some(held) = self.notes.pop_front()
        {
            *into = held.bytes;
            return Ok(Some(held.len));
        }
        if self.notes.is_empty() { pulled.map(|()| None) } else { Ok(None) }
    }

    fn park(&mut self, at_most: Duration) -> Result<(), LinkError> {
        let notes = self.notes.front().map(|held| held.due_ns);
        let messages = self.messages.front().map(|(due_ns, _)| *due_ns);
        match notes.into_iter().chain(messages).min() {
            Some(due_ns) => {
                thread::sleep(at_most.min(Duration::from_nanos(due_ns.saturating_sub(now_ns()))));
                Ok(())
            }
            None => self.inner.park(at_most),
        }
    }

    fn secrecy(&self) -> crate::Secrecy {
        self.inner.secrecy()
    }

    fn routes(&self) -> Vec<Route> {
        self.inner.routes()
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, ShmLink};

    /// Two ends, and an arena of the second's.
    fn ends(delay: Duration) -> (Delayed<ShmLink>, Delayed<ShmLink>, [Arena; 2]) {
        let arenas = [Arena::new(1 << 16).unwrap(), Arena::new(1 << 16).unwrap()];
        let (a, b) = ShmLink::pair((Rank(0), &arenas[0]), (Rank(1), &arenas[1])).unwrap();
        (Delayed::new(a, delay), Delayed::new(b, delay), arenas)
    }

    #[test]
    fn the_delay_passes_while_nobody_looks() {
        let delay = Duration::from_millis(5);
        let (mut a, mut b, arenas) = ends(delay);
        b.post_recv(arenas[1].alloc(10).unwrap()).unwrap();
        a.post_send(arenas[0].alloc(10).unwrap().share()).unwrap();
        for len in [0, 50, ROOM, ROOM + 1, NOTE_MAX] {
            assert!(a.try_send_note(&[7; NOTE_MAX][..len]).unwrap());
        }
        let sent = now_ns();
        while now_ns() < sent + delay.as_nanos() as u64 {
            thread::yield_now();
        }
        // Everything is there at the first look.
        assert!(matches!(b.poll().unwrap(), Some(Completion::Received { len: 10, .. })));
        let mut note = [0; NOTE_MAX];
        for len in [0, 50, ROOM, ROOM + 1, NOTE_MAX] {
            assert_eq!(b.try_recv_note(&mut note).unwrap(), Some(len));
            assert_eq!(note[..len], [7; NOTE_MAX][..len]);
        }
    }

    #[test]
    fn nothing_comes_before_its_time() {
        let (mut a, mut b, arenas) = ends(Duration::from_secs(3600));
        b.post_recv(arenas[1].alloc(10).unwrap()).unwrap();
        a.post_send(arenas[0].alloc(10).unwrap().share()).unwrap();
        assert!(a.try_send_note(b"early").unwrap());
        for _ in 0..100 {
            assert!(b.poll().unwrap().is_none());
            assert_eq!(b.try_recv_note(&mut [0; NOTE_MAX]).unwrap(), None);
        }
    }
}
