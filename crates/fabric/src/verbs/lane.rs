use std::collections::VecDeque;

use super::{
    classes::Class,
    link::tag,
    queue_pair::{POSTED_TOGETHER_MAX, QueuePair, SendRequest},
    sys::Sge,
};

/// A connection for short things, and what is under way on it.
pub(super) struct Lane {
    pub pair: QueuePair,
    pub class: Class,
    /// Posted or in line, and not yet known to be finished; the first is number `first`.
    sends: VecDeque<Sending>,
    first: u64,
    unsignaled: u32,
    /// In line to be posted.
    pub staged: Vec<SendRequest>,
}

/// What comes back when a SEND is finished.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sending {
    pub slot: Option<u16>,
    /// The message whose buffer this sends from.
    pub message: Option<u64>,
}

/// What is sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Payload {
    pub opcode: i32,
    pub part: Sge,
    pub immediate: u32,
    pub inline: bool,
}

impl Lane {
    pub fn new(pair: QueuePair, class: Class) -> Self {
        Self { pair, class, sends: VecDeque::new(), first: 0, unsignaled: 0, staged: Vec::new() }
    }

    pub fn is_full(&self) -> bool {
        self.sends.len() >= usize::from(self.class.send_depth)
    }

    /// Whether nothing is under way.
    pub fn is_quiet(&self) -> bool {
        self.sends.is_empty()
    }

    /// Whether a completion is to come.
    pub fn awaits_completion(&self) -> bool {
        self.sends.len() > self.unsignaled as usize
    }

    /// Makes the next SEND ask for a completion.
    pub fn signal_next(&mut self) {
        self.unsignaled = self.class.signal_every;
    }

    /// Puts a SEND in line; `true` if it is time to post. `lane` is this one's number.
    pub fn stage(&mut self, lane: usize, sending: Sending, payload: Payload) -> bool {
        // A buffer must come back soon; a slot may wait for its neighbours.
        let signaled = sending.message.is_some() || self.unsignaled + 1 >= self.class.signal_every;
        self.unsignaled = if signaled { 0 } else { self.unsignaled + 1 };
        let number = self.first + self.sends.len() as u64;
        self.sends.push_back(sending);
        let Payload { opcode, part, immediate, inline } = payload;
        let id = tag::eager_send(lane, number);
        self.staged.push(SendRequest { id, opcode, part, immediate, signaled, inline });
        self.staged.len() == POSTED_TOGETHER_MAX
    }

    /// The next SEND that is finished because the one with this number completed.
    pub fn retire(&mut self, number: u64) -> Option<Sending> {
        if self.first > number {
            return None;
        }
        let sending = self.sends.pop_front()?;
        self.first += 1;
        Some(sending)
    }
}
