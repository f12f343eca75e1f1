use std::{collections::VecDeque, time::Duration};

use crate::{Buf, Completion, Counters, Kind, Link, LinkError, NOTE_MAX, Rank, Route, SharedBuf};

/// Several links to the same peer used as one: notes and short messages travel on the first, long messages on all at once.
///
/// The sender announces how it cut each message as a note on the second link, whose note lane is not needed otherwise; the receiver
/// then posts the parts of its buffer accordingly.
pub struct Bundle {
    links: Vec<Box<dyn Link>>,
    /// Share of a long message that each link carries.
    shares: Vec<f64>,
    announcements: VecDeque<Cut>,
    sends: VecDeque<Sending>,
    first_send: u64,
    receives: VecDeque<Buf>,
    incoming: VecDeque<Incoming>,
    first_incoming: u64,
    /// For each link, the messages whose parts it carries, in order.
    carried_out: Vec<VecDeque<u64>>,
    carried_in: Vec<VecDeque<u64>>,
    failed: Option<LinkError>,
    counters: Counters,
}

/// Lengths of the parts of one message, by link.
#[derive(Clone, Copy)]
struct Cut {
    lens: [u64; LINKS_MAX],
}

struct Sending {
    buf: SharedBuf,
    parts_left: usize,
}

struct Incoming {
    parts: [Option<Buf>; LINKS_MAX],
    /// What of the buffer the message does not reach.
    rest: Option<Buf>,
    len: usize,
    parts_left: usize,
}

/// Cables between two machines, at most.
pub const LINKS_MAX: usize = 8;
/// Below this the second link's latency costs more than its bandwidth gives.
const SPREAD_MIN: usize = 256 << 10;

impl Bundle {
    /// `links` lead to the same peer, in the same order on both ends; `rates` are their measured bandwidths in any unit.
    pub fn new(links: Vec<Box<dyn Link>>, rates: &[f64]) -> Result<Self, BundleError> {
        let count = links.len();
        if !(2..=LINKS_MAX).contains(&count) || rates.len() != count {
            return Err(BundleError::Count { links: count, rates: rates.len() });
        }
        if let Some(other) = links.iter().find(|link| link.peer() != links[0].peer()) {
            return Err(BundleError::Peers { one: links[0].peer(), other: other.peer() });
        }
        let total: f64 = rates.iter().map(|rate| rate.max(0.0)).sum();
        let share = |rate: &f64| if total > 0.0 { rate.max(0.0) / total } else { 1.0 / count as f64 };
        Ok(Self {
            links,
            shares: rates.iter().map(share).collect(),
            announcements: VecDeque::with_capacity(64),
            sends: VecDeque::with_capacity(64),
            first_send: 0,
            receives: VecDeque::with_capacity(64),
            incoming: VecDeque::with_capacity(64),
            first_incoming: 0,
            carried_out: vec![VecDeque::with_capacity(64); count],
            carried_in: vec![VecDeque::with_capacity(64); count],
            failed: None,
            counters: Counters::default(),
        })
    }

    fn cut(&self, len: usize) -> Cut {
        let mut lens = [0; LINKS_MAX];
        lens[0] = len as u64;
        if len >= SPREAD_MIN {
            for (part, share) in lens.iter_mut().zip(&self.shares).skip(1) {
                // Whole cache lines, so that every part starts on one.
                *part = (len as f64 * share) as u64 / 128 * 128;
            }
            lens[0] = len as u64 - lens[1..].iter().sum::<u64>();
            // The first part must end on a line too; what it lacks goes to the last.
            let odd = lens[0] % 128;
            lens[0] -= odd;
            lens[self.links.len() - 1] += odd;
        }
        Cut { lens }
    }

    fn note_failure(&mut self, error: LinkError) -> LinkError {
        self.failed.get_or_insert(error).clone()
    }

    /// Moves everything that can move, on all links.
    fn progress(&mut self) -> Result<(), LinkError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.advance().map_err(|error| self.note_failure(error))
    }

    fn advance(&mut self) -> Result<(), LinkError> {
        while let Some(cut) = self.announcements.front() {
            if !self.links[1].try_send_note(&cut.encode())? {
                break;
            }
            self.announcements.pop_front();
        }
        let mut note = [0; NOTE_MAX];
        while !self.receives.is_empty()
            && let Some(len) = self.links[1].try_recv_note(&mut note)?
        {
            let cut = Cut::decode(&note[..len]).ok_or_else(|| self.malformed())?;
            self.accept(&cut)?;
        }
        for index in 0..self.links.len() {
            // A link that carries nothing for us is not asked: it may be slow to answer.
            while !(self.carried_out[index].is_empty() && self.carried_in[index].is_empty())
                && let Some(completion) = self.links[index].poll()?
            {
                match completion {
                    Completion::Sent(part) => {
                        drop(part);
                        if let Some(number) = self.carried_out[index].pop_front()
                            && let Some(send) = self.sends.get_mut((number - self.first_send) as usize)
                        {
                            send.parts_left -= 1;
                        }
                    }
                    Completion::Received { buf, len } => {
                        if len != buf.len() {
                            return Err(self.malformed());
                        }
                        if let Some(number) = self.carried_in[index].pop_front()
                            && let Some(incoming) =
                                self.incoming.get_mut((number - self.first_incoming) as usize)
                        {
                            incoming.parts[index] = Some(buf);
                            incoming.parts_left -= 1;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Posts the parts of the next buffer as the sender has cut its message.
    fn accept(&mut self, cut: &Cut) -> Result<(), LinkError> {
        let Some(mut buf) = self.receives.pop_front() else { return Ok(()) };
        let total = cut.lens.iter().fold(0u64, |sum, len| sum.saturating_add(*len));
        let len = usize::try_from(total).unwrap_or(usize::MAX);
        if len > buf.len() {
            let (message_len, buffer_len) = (len, buf.len());
            return Err(LinkError::Overrun { rank: self.peer(), message_len, buffer_len });
        }
        if cut.lens[self.links.len()..].iter().any(|len| *len > 0) {
            return Err(self.malformed());
        }
        let number = self.first_incoming + self.incoming.len() as u64;
        let mut incoming = Incoming { parts: [const { None }; LINKS_MAX], rest: None, len, parts_left: 0 };
        for (index, &part) in cut.lens.iter().enumerate().take(self.links.len()) {
            let rest = buf.split_off(part as usize);
            let part = std::mem::replace(&mut buf, rest);
            if part.is_empty() && index > 0 {
                continue;
            }
            self.links[index].post_recv(part)?;
            self.carried_in[index].push_back(number);
            incoming.parts_left += 1;
        }
        incoming.rest = Some(buf);
        self.incoming.push_back(incoming);
        Ok(())
    }

    fn take_received(&mut self) -> Result<Option<(Buf, usize)>, LinkError> {
        if self.incoming.front().is_none_or(|incoming| incoming.parts_left > 0) {
            return Ok(None);
        }
        let Some(incoming) = self.incoming.pop_front() else { return Ok(None) };
        self.first_incoming += 1;
        let mut whole: Option<Buf> = None;
        for part in incoming.parts.into_iter().flatten().chain(incoming.rest) {
            match &mut whole {
                None => whole = Some(part),
                Some(whole) => whole.join(part).map_err(|_| self.malformed())?,
            }
        }
        Ok(whole.map(|buf| (buf, incoming.len)))
    }

    fn malformed(&self) -> LinkError {
        let what = "the parts of a message do not fit their announcement".into();
        LinkError::Corrupt { rank: self.peer(), kind: self.kind(), what }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    #[error("{links} links with {rates} rates: a bundle has 2 to {LINKS_MAX} links and a rate for each")]
    Count { links: usize, rates: usize },
    #[error("the links lead to {one} and to {other}; a bundle has one peer")]
    Peers { one: Rank, other: Rank },
}

impl Cut {
    fn encode(&self) -> [u8; LINKS_MAX * 8] {
        let mut note = [0; LINKS_MAX * 8];
        for (bytes, len) in note.chunks_exact_mut(8).zip(self.lens) {
            bytes.copy_from_slice(&len.to_le_bytes());
        }
        note
    }

    fn decode(note: &[u8]) -> Option<Self> {
        let (chunks, []) = note.as_chunks::<8>() else { return None };
        let lens: &[[u8; 8]; LINKS_MAX] = chunks.try_into().ok()?;
        Some(Self { lens: lens.map(u64::from_le_bytes) })
    }
}

impl Link for Bundle {
    fn kind(&self) -> Kind {
        self.links[0].kind()
    }

    fn peer(&self) -> Rank {
        self.links[0].peer()
    }

    fn max_message(&self) -> usize {
        // Every link may have to carry nearly all of a message, if the others are that slow.
        self.links.iter().map(|link| link.max_message()).min().unwrap_or(0)
    }

    fn post_send(&mut self, buf: SharedBuf) -> Result<(), LinkError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let cut = self.cut(buf.len());
        let number = self.first_send + self.sends.len() as u64;
        let mut start = 0;
        let mut parts_left = 0;
        for (index, &len) in cut.lens.iter().enumerate().take(self.links.len()) {
            let end = start + len as usize;
            if len > 0 || index == 0 {
                let posted = self.links[index].post_send(buf.slice(start..end));
                posted.map_err(|error| self.note_failure(error))?;
                self.carried_out[index].push_back(number);
                parts_left += 1;
            }
            start = end;
        }
        self.counters.messages_sent += 1;
        self.counters.bytes_sent += buf.len() as u64;
        self.sends.push_back(Sending { buf, parts_left });
        self.announcements.push_back(cut);
        self.progress()
    }

    fn post_recv(&mut self, buf: Buf) -> Result<(), LinkError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.receives.push_back(buf);
        Ok(())
    }

    fn poll(&mut self) -> Result<Option<Completion>, LinkError> {
        let progress = self.progress();
        if self.sends.front().is_some_and(|send| send.parts_left == 0) {
            self.first_send += 1;
            return Ok(self.sends.pop_front().map(|send| Completion::Sent(send.buf)));
        }
        if let Some((buf, len)) = self.take_received()? {
            self.counters.messages_received += 1;
            self.counters.bytes_received += len as u64;
            return Ok(Some(Completion::Received { buf, len }));
        }
        progress.map(|()| None)
    }

    fn try_send_note(&mut self, note: &[u8]) -> Result<bool, LinkError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.links[0].try_send_note(note)
    }

    fn try_recv_note(&mut self, into: &mut [u8; NOTE_MAX]) -> Result<Option<usize>, LinkError> {
        match self.links[0].try_recv_note(into) {
            Ok(None) => self.progress().map(|()| None),
            Err(error) => Err(self.note_failure(error)),
            found => found,
        }
    }

    fn park(&mut self, at_most: Duration) -> Result<(), LinkError> {
        // News may come on any of them.
        let each = (at_most / self.links.len() as u32).min(Duration::from_micros(200));
        for index in 0..self.links.len() {
            let parked = self.links[index].park(each);
            parked.map_err(|error| self.note_failure(error))?;
        }
        Ok(())
    }

    fn routes(&self) -> Vec<Route> {
        self.links.iter().flat_map(|link| link.routes()).collect()
    }

    fn counters(&self) -> Counters {
        let mut total = self.counters;
        for link in &self.links {
            let counters = link.counters();
            total.retries += counters.retries;
            total.checksum_errors += counters.checksum_errors;
            total.parks += counters.parks;
        }
        let notes = self.links[0].counters();
        total.notes_sent = notes.notes_sent;
        total.notes_received = notes.notes_received;
        total
    }
}
