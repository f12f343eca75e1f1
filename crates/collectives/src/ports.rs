use std::{collections::VecDeque, time::Duration};

use tandem_fabric::{
    Arena, Buf, Completion, Deadline, Event, Expectation, Health, Kind, Link, LinkError, Lost, Measured,
    NOTE_MAX, Patience, ProbeError, Pulse, Rank, SharedBuf, Side, Step,
};

use crate::{GroupError, Traffic};

/// This rank's links to the others, and the waiting on them.
pub(crate) struct Ports {
    pub(crate) me: usize,
    ports: Vec<Option<Port>>,
    failed: Option<GroupError>,
    pub(crate) pulse: Option<Pulse>,
    pub(crate) traffic: Traffic,
}

struct Port {
    link: Box<dyn Link>,
    health: Health,
    /// Posted and not completed.
    sends: usize,
    receives: usize,
    received: VecDeque<(Buf, usize)>,
    notes: VecDeque<Note>,
}

#[derive(Clone, Copy)]
pub(crate) struct Note {
    pub(crate) len: usize,
    pub(crate) bytes: [u8; NOTE_MAX],
}

/// First byte of the note that tells of a lost rank. Everything else is for the algorithms.
const LOST: u8 = 0xff;
/// How long a waiter whose deadline has passed listens for word from the rank it waited for: if that one is alive, it waited for
/// someone else and says for whom.
const GRACE: Duration = Duration::from_millis(30);

impl Ports {
    pub(crate) fn new(me: usize, links: Vec<Option<Box<dyn Link>>>) -> Self {
        let port = |link: Box<dyn Link>| Port {
            health: Health::new(&*link),
            link,
            sends: 0,
            receives: 0,
            received: VecDeque::with_capacity(16),
            notes: VecDeque::with_capacity(16),
        };
        let ports = links.into_iter().map(|link| link.map(port)).collect();
        Self { me, ports, failed: None, pulse: None, traffic: Traffic::default() }
    }

    pub(crate) fn check(&self) -> Result<(), GroupError> {
        match &self.failed {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    pub(crate) fn kind(&self, peer: usize) -> Option<Kind> {
        self.ports.get(peer)?.as_ref().map(|port| port.link.kind())
    }

    pub(crate) fn link(&self, peer: usize) -> Option<&dyn Link> {
        self.ports.get(peer)?.as_ref().map(|port| &*port.link)
    }

    pub(crate) fn link_mut(&mut self, peer: usize) -> Option<&mut Box<dyn Link>> {
        self.ports.get_mut(peer)?.as_mut().map(|port| &mut port.link)
    }

    /// Measures the link to `peer`, which does the same; what it gives and what is wrong with it.
    pub(crate) fn probe(
        &mut self,
        peer: usize,
        arena: &Arena,
        side: Side,
        deadline: Deadline,
    ) -> Result<Option<(Measured, Vec<Event>)>, GroupError> {
        let Some(Some(Port { link, health, .. })) = self.ports.get_mut(peer) else { return Ok(None) };
        match health.probe(&mut **link, arena, side, deadline) {
            Ok(measured) => Ok(Some((measured, health.events(Expectation::of(link.kind()))))),
            Err(ProbeError::Link(error)) => Err(self.link_failed(peer, error)),
            Err(ProbeError::Arena(error)) => Err(error.into()),
        }
    }

    fn port(&mut self, peer: usize) -> Result<&mut Port, GroupError> {
        let missing = GroupError::NoLink { to: Rank(peer as u16) };
        self.ports.get_mut(peer).and_then(Option::as_mut).ok_or(missing)
    }

    pub(crate) fn post_send(&mut self, peer: usize, buf: SharedBuf) -> Result<(), GroupError> {
        let port = self.port(peer)?;
        match port.link.post_send(buf) {
            Ok(()) => {
                port.sends += 1;
                Ok(())
            }
            Err(error) => Err(self.link_failed(peer, error)),
        }
    }

    pub(crate) fn post_recv(&mut self, peer: usize, buf: Buf) -> Result<(), GroupError> {
        let port = self.port(peer)?;
        match port.link.post_recv(buf) {
            Ok(()) => {
                port.receives += 1;
                Ok(())
            }
            Err(error) => Err(self.link_failed(peer, error)),
        }
    }

    /// Takes what the links have finished; nothing is waited for.
    pub(crate) fn pump(&mut self) -> Result<(), GroupError> {
        for peer in 0..self.ports.len() {
            let Some(port) = &mut self.ports[peer] else { continue };
            while port.sends + port.receives > 0 {
                match port.link.poll() {
                    Ok(Some(Completion::Sent(buf))) => {
                        port.sends -= 1;
                        drop(buf);
                    }
                    Ok(Some(Completion::Received { buf, len })) => {
                        port.receives -= 1;
                        self.traffic.add(peer, len);
                        port.received.push_back((buf, len));
                    }
                    Ok(None) => break,
                    Err(error) => return Err(self.link_failed(peer, error)),
                }
            }
        }
        Ok(())
    }

    /// The next message from `peer`, which must be `len` bytes long.
    pub(crate) fn wait_received(
        &mut self,
        peer: usize,
        len: usize,
        deadline: Deadline,
    ) -> Result<Buf, GroupError> {
        let (buf, got) = self.wait(peer, deadline, |ports| {
            ports.pump()?;
            Ok(ports.port(peer)?.received.pop_front())
        })?;
        if got == len {
            return Ok(buf);
        }
        let what = format!("its message has {got} bytes, {len} were expected");
        Err(GroupError::Mismatch { with: Rank(peer as u16), what })
    }

    /// Waits until everything posted to `peer` has been sent.
    pub(crate) fn wait_sent(&mut self, peer: usize, deadline: Deadline) -> Result<(), GroupError> {
        self.wait_sent_before(0, peer, deadline)
    }

    /// Waits until everything posted to `peer` has been sent, but for the last `later` messages.
    pub(crate) fn wait_sent_before(
        &mut self,
        later: usize,
        peer: usize,
        deadline: Deadline,
    ) -> Result<(), GroupError> {
        self.wait(peer, deadline, |ports| {
            ports.pump()?;
            Ok((ports.port(peer)?.sends <= later).then_some(()))
        })
    }

    /// Waits until no link holds `shared`.
    pub(crate) fn reclaim(
        &mut self,
        shared: SharedBuf,
        last: usize,
        deadline: Deadline,
    ) -> Result<Buf, GroupError> {
        let mut shared = Some(shared);
        self.wait(last, deadline, |ports| {
            let Some(held) = shared.take() else { return Ok(None) };
            match held.into_unique() {
                Ok(buf) => Ok(Some(buf)),
                Err(held) => {
                    shared = Some(held);
                    ports.pump()?;
                    Ok(None)
                }
            }
        })
    }

    pub(crate) fn send_note(
        &mut self,
        peer: usize,
        note: &[u8],
        deadline: Deadline,
    ) -> Result<(), GroupError> {
        self.wait(peer, deadline, |ports| match ports.port(peer)?.link.try_send_note(note) {
            Ok(sent) => Ok(sent.then_some(())),
            Err(error) => Err(ports.link_failed(peer, error)),
        })
    }

    pub(crate) fn wait_note(&mut self, peer: usize, deadline: Deadline) -> Result<Note, GroupError> {
        self.wait(peer, deadline, |ports| {
            let port = ports.port(peer)?;
            if let Some(note) = port.notes.pop_front() {
                return Ok(Some(note));
            }
            let mut note = Note { len: 0, bytes: [0; NOTE_MAX] };
            match port.link.try_recv_note(&mut note.bytes) {
                Ok(Some(len)) if note.bytes[0] != LOST || len < 3 => {
                    note.len = len;
                    ports.traffic.add(peer, len);
                    Ok(Some(note))
                }
                Ok(Some(_)) => Err(ports.told(peer, &note)),
                Ok(None) => Ok(None),
                Err(error) => Err(ports.link_failed(peer, error)),
            }
        })
    }

    fn wait<T>(
        &mut self,
        on: usize,
        deadline: Deadline,
        mut look: impl FnMut(&mut Self) -> Result<Option<T>, GroupError>,
    ) -> Result<T, GroupError> {
        let mut patience = Patience::until(deadline);
        loop {
            if let Some(found) = look(self)? {
                return Ok(found);
            }
            match patience.step() {
                Step::Look => {}
                Step::Park(at_most) => self.park(on, at_most, || false)?,
                Step::Expired => return Err(self.expired(on, deadline)),
            }
        }
    }

    /// Waits until `found` sees what `peer` has written to memory.
    pub(crate) fn wait_for_memory(
        &mut self,
        peer: usize,
        found: impl Fn() -> bool,
        deadline: Deadline,
    ) -> Result<(), GroupError> {
        let mut patience = Patience::until(deadline);
        while !found() {
            match patience.step() {
                Step::Look => {}
                Step::Park(at_most) => {
                    let port = self.port(peer)?;
                    let mut note = Note { len: 0, bytes: [0; NOTE_MAX] };
                    match port.link.try_recv_note(&mut note.bytes) {
                        Ok(Some(len)) if note.bytes[0] == LOST && len >= 3 => {
                            return Err(self.told(peer, &note));
                        }
                        Ok(Some(len)) => port.notes.push_back(Note { len, ..note }),
                        Ok(None) => {}
                        // It may have left after it wrote.
                        Err(_) if found() => return Ok(()),
                        Err(error) => return Err(self.link_failed(peer, error)),
                    }
                    self.park(peer, at_most, &found)?;
                }
                Step::Expired => return Err(self.expired(peer, deadline)),
            }
        }
        Ok(())
    }

    /// Wakes those of `peers` that sleep, after something was written to memory that they look at.
    pub(crate) fn nudge(&mut self, peers: &[usize]) {
        for &peer in peers {
            if let Some(Some(port)) = self.ports.get_mut(peer) {
                port.link.nudge();
            }
        }
    }

    /// Sleeps for a while, unless `on` is gone and has not left what is waited for: a note, or what `found` sees.
    fn park(&mut self, on: usize, at_most: Duration, found: impl Fn() -> bool) -> Result<(), GroupError> {
        // Notes first: a rank that left may have said why.
        self.listen()?;
        if let Some((rank, why)) = self.pulse.as_ref().and_then(Pulse::lost) {
            return Err(self.lose(rank, why));
        }
        // Make progress on every link: another rank may wait for bytes that pass through here.
        let busy = |port: &Port| port.sends + port.receives > 0;
        let others = self.ports.iter().flatten().filter(|port| busy(port)).count();
        let at_most = if others > 1 { at_most.min(Duration::from_micros(200)) } else { at_most };
        let port = self.port(on)?;
        match port.link.park(at_most) {
            Ok(()) => Ok(()),
            Err(_) if !port.notes.is_empty() || found() => Ok(()),
            Err(error) => Err(self.link_failed(on, error)),
        }
    }

    /// Looks for word of a lost rank on every link; other notes are kept for later.
    fn listen(&mut self) -> Result<(), GroupError> {
        for peer in 0..self.ports.len() {
            let Some(port) = &mut self.ports[peer] else { continue };
            let mut note = Note { len: 0, bytes: [0; NOTE_MAX] };
            // A link's failure matters only to those who need that link; they will find it.
            while port.notes.len() < 64
                && let Ok(Some(len)) = port.link.try_recv_note(&mut note.bytes)
            {
                note.len = len;
                if len >= 3 && note.bytes[0] == LOST {
                    return Err(self.told(peer, &note));
                }
                port.notes.push_back(note);
            }
        }
        Ok(())
    }

    fn told(&mut self, by: usize, note: &Note) -> GroupError {
        let rank = Rank(u16::from_le_bytes([note.bytes[1], note.bytes[2]]));
        let why = Lost::Reported { by: Rank(by as u16) };
        // A rank that reports us as lost cannot be reached from here.
        let (rank, why) = if rank.index() == self.me {
            (Rank(by as u16), Lost::Transport("it does not hear us".into()))
        } else {
            (rank, why)
        };
        self.lose(rank, why)
    }

    #[cold]
    fn link_failed(&mut self, peer: usize, error: LinkError) -> GroupError {
        if let Some(failed) = &self.failed {
            return failed.clone();
        }
        // The peer's last note may say that it left because another rank was lost.
        if let Some(word) = self.last_words(peer) {
            return self.told(peer, &word);
        }
        match error {
            LinkError::PeerLost { rank, why } => self.lose(rank, why),
            LinkError::Corrupt { rank, .. } => self.lose(rank, Lost::Transport(error.to_string())),
            LinkError::Overrun { rank, message_len, buffer_len } => {
                let what = format!("it sent {message_len} bytes where {buffer_len} were expected");
                let error = GroupError::Mismatch { with: rank, what };
                self.failed.get_or_insert(error).clone()
            }
            other => GroupError::Link(other),
        }
    }

    fn last_words(&mut self, peer: usize) -> Option<Note> {
        let link = &mut self.ports.get_mut(peer)?.as_mut()?.link;
        let mut note = Note { len: 0, bytes: [0; NOTE_MAX] };
        while let Ok(Some(len)) = link.try_recv_note(&mut note.bytes) {
            if len >= 3 && note.bytes[0] == LOST {
                return Some(note);
            }
        }
        None
    }

    /// The deadline passed while waiting for `on`. Either it is stopped, or it waits for someone who is: tell everyone, then listen.
    #[cold]
    fn expired(&mut self, on: usize, deadline: Deadline) -> GroupError {
        let suspect = Rank(on as u16);
        let waited = deadline.waited();
        self.tell(suspect);
        let grace = Deadline::after(GRACE);
        while !grace.expired() {
            if let Some(word) = self.last_words(on) {
                let blamed = u16::from_le_bytes([word.bytes[1], word.bytes[2]]);
                if usize::from(blamed) != self.me {
                    return self.told(on, &word);
                }
            }
            let Ok(port) = self.port(on) else { break };
            if port.link.park(Duration::from_millis(1)).is_err() {
                break;
            }
        }
        self.lose(suspect, Lost::Silent { waited })
    }

    fn lose(&mut self, rank: Rank, why: Lost) -> GroupError {
        if self.failed.is_none() {
            self.tell(rank);
        }
        self.failed.get_or_insert(GroupError::RankLost { rank, why }).clone()
    }

    fn tell(&mut self, lost: Rank) {
        let [low, high] = lost.0.to_le_bytes();
        for (peer, port) in self.ports.iter_mut().enumerate() {
            if let Some(port) = port
                && peer != lost.index()
            {
                // Best effort: whoever cannot hear this finds out by its own deadline.
                let _ = port.link.try_send_note(&[LOST, low, high]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_fabric::{Faults, MemLink};

    /// A rank may be done with a barrier, and gone, while another still sleeps between two looks for its note.
    #[test]
    fn what_a_rank_said_before_it_left_is_heard() {
        let (near, mut far) = MemLink::pair(Rank(0), Rank(1), [Faults::default(); 2], false);
        let mut ports = Ports::new(0, vec![None, Some(Box::new(near))]);
        assert!(far.try_send_note(b"done").unwrap());
        drop(far);
        ports.park(1, Duration::ZERO, || false).unwrap();
        let deadline = Deadline::after(Duration::from_secs(60));
        assert_eq!(ports.wait_note(1, deadline).unwrap().bytes[..4], *b"done");
        assert!(matches!(ports.wait_note(1, deadline), Err(GroupError::RankLost { rank: Rank(1), .. })));
    }

    /// The same holds for a rank that has written its part of a sum.
    #[test]
    fn what_a_rank_wrote_before_it_left_is_found() {
        let (near, far) = MemLink::pair(Rank(0), Rank(1), [Faults::default(); 2], false);
        let mut ports = Ports::new(0, vec![None, Some(Box::new(near))]);
        drop(far);
        ports.park(1, Duration::ZERO, || true).unwrap();
        assert!(ports.check().is_ok());
        assert!(ports.park(1, Duration::ZERO, || false).is_err());
    }
}
