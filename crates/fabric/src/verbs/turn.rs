use super::header::{Header, Kind};

/// In which order things that arrive over several connections are to be taken, and when a message needs no header.
///
/// Headers are numbered, and so are messages; every header tells how many messages went before it. What arrives ahead of its turn is kept.
///
/// A message that fills its frames to the last byte would need a frame more for its header, which on a short message costs
/// more than anything else. It may go without one, *bare*, if the receiver can know its number and its sender what arrived:
///
/// * Its number: bare messages of even and odd numbers have connections of their own, and one is only sent while at most one
///   message before it is not known to have arrived. So the receiver, expecting number n, gets n or n+1, and can tell which. A lost
///   message is never taken for the next.
/// * What arrived: headers say it. A bare message is only sent if exactly one message arrived that its sender has not yet told
///   of, so it stands for one more.
///
/// Two sides that answer each other, or exchange messages in step, need no headers but those that return credits; a stream in
/// one direction has them all.
#[derive(Debug, Default)]
pub(super) struct Turn {
    /// There is more than one connection, hence no order among arrivals.
    several: bool,
    headers_sent: u16,
    headers_taken: u16,
    /// Messages, modulo 256: credits allow far fewer under way.
    sent: u8,
    taken: u8,
    /// How many of `sent` the peer is known to have taken.
    known: u8,
    /// How many of `taken` the peer knows of, once it has all we sent.
    told: u8,
}

/// What a header says about order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Modulo 2^16.
    pub header: u16,
    /// Messages sent before this.
    pub messages: u8,
    /// Messages of the peer taken.
    pub taken: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Now,
    /// Something before it is still under way, or lost.
    Early,
    /// Not even what is under way could explain it.
    Wrong,
}

impl Turn {
    pub fn new(several: bool) -> Self {
        Self { several, ..Self::default() }
    }

    /// For a header that will be sent.
    pub fn stamp(&mut self) -> Stamp {
        let stamp = Stamp { header: self.headers_sent, messages: self.sent, taken: self.taken };
        self.headers_sent = self.headers_sent.wrapping_add(1);
        self.told = self.taken;
        stamp
    }

    /// A whole message was sent, the last of its headers included.
    pub fn message_sent(&mut self) {
        self.sent = self.sent.wrapping_add(1);
    }

    pub fn may_send_bare(&self) -> bool {
        self.several && self.sent.wrapping_sub(self.known) <= 1 && self.taken.wrapping_sub(self.told) == 1
    }

    /// Whether the next message sent has an odd number.
    pub fn next_is_odd(&self) -> bool {
        self.sent % 2 == 1
    }

    pub fn bare_sent(&mut self) {
        self.told = self.told.wrapping_add(1);
        self.message_sent();
    }

    pub fn place(&self, header: &Header) -> Place {
        let ahead = header.stamp.header.wrapping_sub(self.headers_taken);
        let messages_ahead = header.stamp.messages.wrapping_sub(self.taken) as i8;
        let carries_message = matches!(header.kind, Kind::Part | Kind::Long);
        match (ahead, messages_ahead) {
            (0, 0) => Place::Now,
            (0, ..0) if !carries_message => Place::Now,
            (0..=255, _) if self.several && !(ahead == 0 && messages_ahead < 0) => Place::Early,
            _ => Place::Wrong,
        }
    }

    pub fn place_of_bare(&self, odd: bool) -> Place {
        if (self.taken % 2 == 1) == odd { Place::Now } else { Place::Early }
    }

    pub fn header_taken(&mut self, stamp: Stamp) {
        self.headers_taken = self.headers_taken.wrapping_add(1);
        // A bare message that overtook this may have told more.
        if stamp.taken.wrapping_sub(self.known) <= self.sent.wrapping_sub(self.known) {
            self.known = stamp.taken;
        }
    }

    /// A whole message was taken.
    pub fn message_taken(&mut self) {
        self.taken = self.taken.wrapping_add(1);
    }

    /// What a bare message tells, before it is taken.
    pub fn bare_told(&mut self) {
        if self.known != self.sent {
            self.known = self.known.wrapping_add(1);
        }
    }

    /// Headers and messages taken so far: does not change while what is next does not come.
    pub fn position(&self) -> (u16, u8) {
        (self.headers_taken, self.taken)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::verbs::header::Credits;

    fn header(kind: Kind, stamp: Stamp) -> Header {
        Header { kind, body_bytes: 0, credits: Credits::default(), stamp, checksum: 0, value: 0 }
    }

    /// What travels: `None` is bare. The number is what a real receiver does not get to see.
    type Thing = (Option<Header>, u64);

    struct End {
        turn: Turn,
        sent: u64,
        taken: u64,
        bare: u64,
        held: Vec<(Thing, bool)>,
        /// Towards this end, per connection: with headers, bare even, bare odd.
        arriving: [VecDeque<Thing>; 3],
    }

    impl End {
        fn new() -> Self {
            let held = Vec::new();
            Self { turn: Turn::new(true), sent: 0, taken: 0, bare: 0, held, arriving: Default::default() }
        }

        fn send(&mut self, to: &mut End, kind: Kind, loses: bool) {
            let odd = self.turn.next_is_odd();
            let (lane, thing) = if kind == Kind::Part && self.turn.may_send_bare() {
                self.turn.bare_sent();
                self.bare += 1;
                (1 + usize::from(odd), (None, self.sent))
            } else {
                let header = header(kind, self.turn.stamp());
                if kind == Kind::Part {
                    self.turn.message_sent();
                }
                (0, (Some(header), self.sent))
            };
            self.sent += u64::from(kind == Kind::Part);
            if !loses {
                to.arriving[lane].push_back(thing);
            }
        }

        fn place(&self, (header, _): &Thing, odd: bool) -> Place {
            match header {
                Some(header) => self.turn.place(header),
                None => self.turn.place_of_bare(odd),
            }
        }

        fn arrive(&mut self, lane: usize) {
            let Some(thing) = self.arriving[lane].pop_front() else { return };
            self.held.push((thing, lane == 2));
            while let Some(at) = self.held.iter().position(|(t, odd)| self.place(t, *odd) == Place::Now) {
                let ((header, number), _) = self.held.swap_remove(at);
                match header {
                    Some(header) => {
                        self.turn.header_taken(header.stamp);
                        if header.kind != Kind::Part {
                            continue;
                        }
                    }
                    None => self.turn.bare_told(),
                }
                self.turn.message_taken();
                assert_eq!(number, self.taken, "taken for another message");
                self.taken += 1;
            }
            assert!(self.held.iter().all(|(t, odd)| self.place(t, *odd) == Place::Early));
        }
    }

    /// Two ends send and receive at random, connections overtake each other, and now and then something is lost: messages are still taken in the order
    /// sent, up to the first lost one.
    #[test]
    fn nothing_is_taken_for_something_else() {
        for seed in 1..=300u64 {
            let mut state = seed;
            let mut random = |below: u64| {
                // xorshift64
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state % below
            };
            let loss = if seed % 3 == 0 { 100 } else { u64::MAX };
            let (mut a, mut b) = (End::new(), End::new());
            for _ in 0..2000 {
                let (from, to) = if random(2) == 0 { (&mut a, &mut b) } else { (&mut b, &mut a) };
                match random(5) {
                    // Mostly in step, at times far ahead; credits bound what is under way.
                    0 if from.sent < to.taken + 60 && (from.sent <= from.taken || random(8) == 0) => {
                        let kind = if random(5) == 0 { Kind::Note } else { Kind::Part };
                        from.send(to, kind, random(loss) == 0);
                    }
                    _ => to.arrive(random(3) as usize),
                }
            }
            for lane in (0..3).cycle().take(900) {
                a.arrive(lane);
                b.arrive(lane);
            }
            if loss == u64::MAX {
                assert_eq!((a.taken, b.taken), (b.sent, a.sent), "seed {seed}");
                assert!(a.bare > 10 && b.bare > 10, "seed {seed}: {} and {}", a.bare, b.bare);
            }
        }
    }

    #[test]
    fn answers_and_exchanges_need_no_headers() {
        let (mut a, mut b) = (End::new(), End::new());
        for _ in 0..300 {
            a.send(&mut b, Kind::Part, false);
            (0..3).for_each(|lane| b.arrive(lane));
            b.send(&mut a, Kind::Part, false);
            (0..3).for_each(|lane| a.arrive(lane));
        }
        assert_eq!((a.bare, b.bare), (299, 300));
        for _ in 0..300 {
            a.send(&mut b, Kind::Part, false);
            b.send(&mut a, Kind::Part, false);
            (0..3).for_each(|lane| a.arrive(lane));
            (0..3).for_each(|lane| b.arrive(lane));
        }
        // The change from one to the other costs a few.
        assert!(a.bare >= 590 && b.bare >= 590, "{} and {}", a.bare, b.bare);
        // A stream has headers, and afterwards answers do without again.
        for _ in 0..20 {
            a.send(&mut b, Kind::Part, false);
        }
        let before = a.bare;
        (0..60).for_each(|at| b.arrive(at % 3));
        for _ in 0..50 {
            b.send(&mut a, Kind::Part, false);
            (0..3).for_each(|lane| a.arrive(lane));
            a.send(&mut b, Kind::Part, false);
            (0..3).for_each(|lane| b.arrive(lane));
        }
        assert!(a.bare > before + 40, "{} after {before}", a.bare);
    }

    #[test]
    fn one_connection_keeps_order_so_a_gap_is_a_loss() {
        let turn = Turn::new(false);
        let at = |header, messages| Stamp { header, messages, taken: 0 };
        assert_eq!(turn.place(&header(Kind::Note, at(0, 0))), Place::Now);
        assert_eq!(turn.place(&header(Kind::Note, at(1, 0))), Place::Wrong);
        assert_eq!(turn.place(&header(Kind::Part, at(0, 1))), Place::Wrong);
        assert!(!turn.may_send_bare());
        let turn = Turn::new(true);
        assert_eq!(turn.place(&header(Kind::Part, at(0, 1))), Place::Early);
        assert_eq!(turn.place(&header(Kind::Part, at(0, 255))), Place::Wrong);
        assert_eq!(turn.place(&header(Kind::Note, at(1000, 0))), Place::Wrong);
    }
}
