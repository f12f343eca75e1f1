use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use crate::{Buf, Completion, Counters, Kind, Link, LinkError, NOTE_MAX, Rank, SharedBuf};

/// A link whose every note and message takes at least `delay` longer: for seeing, on one machine, what a slower link would do.
///
/// What the link below delivers is held back at the receiver, counted from when the receiver first sees it. The window is
/// hidden, since memory has no such delay.
pub struct Delayed<L> {
    inner: L,
    delay: Duration,
    notes: VecDeque<(Instant, usize, [u8; NOTE_MAX])>,
    messages: VecDeque<(Instant, Completion)>,
    /// Found while looking for notes.
    sent: Option<Completion>,
}

impl<L: Link> Delayed<L> {
    pub fn new(inner: L, delay: Duration) -> Self {
        Self {
            inner,
            delay,
            notes: VecDeque::with_capacity(64),
            messages: VecDeque::with_capacity(64),
            sent: None,
        }
    }

    /// Takes everything from the link below, so that the delay is counted from its arrival on both lanes.
    fn pull(&mut self) -> Result<Option<Completion>, LinkError> {
        let mut note = [0; NOTE_MAX];
        while self.notes.len() < 64
            && let Some(len) = self.inner.try_recv_note(&mut note)?
        {
            self.notes.push_back((Instant::now() + self.delay, len, note));
        }
        while let Some(completion) = self.inner.poll()? {
            match completion {
                Completion::Sent(_) => return Ok(Some(completion)),
                Completion::Received { .. } => {
                    self.messages.push_back((Instant::now() + self.delay, completion));
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
        self.inner.post_send(buf)
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
        if self.messages.front().is_some_and(|(due, _)| *due <= Instant::now()) {
            return Ok(self.messages.pop_front().map(|(_, completion)| completion));
        }
        // What arrived before the link failed is still delivered, when its time comes.
        if self.messages.is_empty() { pulled } else { Ok(None) }
    }

    fn try_send_note(&mut self, note: &[u8]) -> Result<bool, LinkError> {
        self.inner.try_send_note(note)
    }

    fn try_recv_note(&mut self, into: &mut [u8; NOTE_MAX]) -> Result<Option<usize>, LinkError> {
        // The peer may be waiting for a message to be taken before it sends the note.
        if self.sent.is_none()
            && let Ok(sent) = self.pull()
        {
            self.sent = sent;
        }
        let mut note = [0; NOTE_MAX];
        while self.notes.len() < 64 {
            match self.inner.try_recv_note(&mut note) {
                Ok(Some(len)) => self.notes.push_back((Instant::now() + self.delay, len, note)),
                Ok(None) => break,
                Err(_) if !self.notes.is_empty() => break,
                Err(error) => return Err(error),
            }
        }
        if self.notes.front().is_some_and(|(due, ..)| *due <= Instant::now())
            && let Some((_, len, note)) = self.notes.pop_front()
        {
            *into = note;
            return Ok(Some(len));
        }
        Ok(None)
    }

    fn park(&mut self, at_most: Duration) -> Result<(), LinkError> {
        let notes = self.notes.front().map(|(due, ..)| *due);
        let messages = self.messages.front().map(|(due, _)| *due);
        match notes.into_iter().chain(messages).min() {
            Some(due) => {
                std::thread::sleep(at_most.min(due.saturating_duration_since(Instant::now())));
                Ok(())
            }
            None => self.inner.park(at_most),
        }
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }
}
