//! What every link must do, as scripts that two ends run against each other.
//!
//! A case gets a fresh link. Both ends run the same case, each its own side of it: as two threads here, as two machines in a lab. An
//! `Err` says what was found and what was expected.

use std::{thread, time::Duration};

use crate::{Arena, Buf, Completion, Deadline, Link, LinkError, LinkExt, Lost, NOTE_MAX, Side};

/// One end of a fresh link.
pub struct End {
    pub link: Box<dyn Link>,
    pub arena: Arena,
    pub side: Side,
}

/// A named script.
#[derive(Clone, Copy)]
pub struct Case {
    pub name: &'static str,
    pub run: fn(End) -> Result<(), String>,
}

/// An arena of this size suffices for every case.
pub const ARENA: usize = 200 << 20;

/// The longest message in the suite.
pub const LONGEST: usize = 64 << 20;

pub const CASES: &[Case] = &[
    Case { name: "sizes", run: sizes },
    Case { name: "largest", run: largest },
    Case { name: "many_in_flight", run: many_in_flight },
    Case { name: "both_directions", run: both_directions },
    Case { name: "slow_reader", run: slow_reader },
    Case { name: "short_into_long", run: short_into_long },
    Case { name: "notes_in_order", run: notes_in_order },
    Case { name: "note_flood", run: note_flood },
    Case { name: "lanes_are_independent", run: lanes_are_independent },
    Case { name: "overrun", run: overrun },
    Case { name: "closed_while_receiving", run: closed_while_receiving },
    Case { name: "closed_while_sending", run: closed_while_sending },
    Case { name: "closed_while_reading_notes", run: closed_while_reading_notes },
    Case { name: "closed_half_way", run: closed_half_way },
    Case { name: "delivered_before_close", run: delivered_before_close },
    Case { name: "read_after_close", run: read_after_close },
    Case { name: "last_words", run: last_words },
    Case { name: "silence", run: silence },
    Case { name: "buffers_return", run: buffers_return },
];

/// Runs every case between two threads; `make` gives the lead's and the follower's end.
pub fn run_all(make: impl Fn() -> (End, End)) {
    for case in CASES {
        run_between_threads(case, &make);
    }
}

/// Runs one case between two threads, panicking with both ends' reports if it fails.
pub fn run_between_threads(case: &Case, make: impl Fn() -> (End, End)) {
    let (lead, follow) = make();
    let (lead, follow) = thread::scope(|scope| {
        let follow = scope.spawn(move || (case.run)(follow));
        let lead = (case.run)(lead);
        (lead, follow.join().unwrap_or_else(|_| Err("panicked".into())))
    });
    assert!(lead.is_ok() && follow.is_ok(), "{}: lead {lead:?}, follow {follow:?}", case.name);
}

fn patience() -> Deadline {
    Deadline::after(Duration::from_secs(120))
}

impl End {
    fn leads(&self) -> bool {
        self.side == Side::Lead
    }

    fn alloc(&self, len: usize) -> Result<Buf, String> {
        self.arena.alloc(len).map_err(text)
    }

    /// A message whose bytes follow from its length and number.
    fn message(&self, len: usize, number: usize) -> Result<Buf, String> {
        let mut buf = self.alloc(len)?;
        fill(&mut buf, number);
        Ok(buf)
    }

    fn send(&mut self, buf: Buf) -> Result<(), String> {
        self.link.post_send(buf.share()).map_err(text)
    }

    fn post(&mut self, len: usize) -> Result<(), String> {
        let buf = self.alloc(len)?;
        self.link.post_recv(buf).map_err(text)
    }

    fn wait(&mut self) -> Result<Completion, String> {
        self.link.wait(patience()).map_err(text)
    }

    fn wait_sent(&mut self) -> Result<(), String> {
        match self.wait()? {
            Completion::Sent(buf) => {
                buf.into_unique().map(drop).map_err(|_| "a sent buffer is still shared".into())
            }
            other => Err(format!("{other:?}, expected a send to complete")),
        }
    }

    fn wait_received(&mut self, len: usize, number: usize) -> Result<(), String> {
        match self.wait().map_err(|error| format!("message {number}: {error}"))? {
            Completion::Received { buf, len: got } => check(&buf, got, len, number),
            other => Err(format!("{other:?}, expected a message")),
        }
    }

    fn note(&mut self, note: &[u8]) -> Result<(), String> {
        self.link.send_note(note, patience()).map_err(text)
    }

    fn expect_note(&mut self, expected: &[u8]) -> Result<(), String> {
        let mut into = [0; NOTE_MAX];
        let found = self.link.recv_note(&mut into, patience());
        let len = found.map_err(|error| format!("{error}, expected the note {expected:?}"))?;
        if into[..len] == *expected {
            Ok(())
        } else {
            Err(format!("note {:?}, expected {expected:?}", &into[..len]))
        }
    }

    /// Waits for the other end's last word, so that closing cannot take anything away from it.
    fn part(mut self) -> Result<(), String> {
        self.note(b"bye")?;
        self.expect_note(b"bye")?;
        // The second exchange: the first one's `bye` has certainly been read when ours is answered.
        if self.leads() {
            self.note(b"end")?
        } else {
            self.expect_note(b"end")?
        }
        Ok(())
    }

    fn expect_closed(&mut self, found: Result<Completion, LinkError>) -> Result<(), String> {
        let peer = self.link.peer();
        let lost = |error: &LinkError| matches!(error, LinkError::PeerLost { rank, why: Lost::Closed | Lost::Transport(_) } if *rank == peer);
        match found {
            Err(error) if lost(&error) => {}
            other => return Err(format!("{other:?}, expected the peer to be lost")),
        }
        match self.link.poll() {
            Err(error) if lost(&error) => {}
            other => return Err(format!("{other:?} after the link failed, expected the same error")),
        }
        match self.link.try_recv_note(&mut [0; NOTE_MAX]) {
            Err(error) if lost(&error) => Ok(()),
            other => Err(format!("{other:?} after the link failed, expected the same error")),
        }
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn fill(bytes: &mut [u8], number: usize) {
    let mut state = number as u64 + 1;
    for chunk in bytes.chunks_mut(8) {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        chunk.copy_from_slice(&state.to_le_bytes()[..chunk.len()]);
    }
}

fn check(buf: &Buf, got: usize, len: usize, number: usize) -> Result<(), String> {
    let mut expected = vec![0; len];
    fill(&mut expected, number);
    match () {
        () if got != len => Err(format!("message {number} has {got} bytes, expected {len}")),
        () if buf[..got] != expected => Err(format!("message {number} of {len} bytes differs")),
        () => Ok(()),
    }
}

fn sizes(mut end: End) -> Result<(), String> {
    let sizes = [
        0, 1, 2, 3, 7, 8, 63, 64, 65, 111, 112, 113, 127, 128, 129, 1023, 4095, 4096, 4097, 8192, 16_381,
        32_768, 65_535, 65_536, 65_537, 262_143, 262_144, 262_145, 524_289, 1_048_573, 3_000_001,
    ];
    for (number, len) in sizes.into_iter().enumerate() {
        let buf = end.message(len, number)?;
        if end.leads() {
            end.send(buf)?;
            end.wait_sent()?;
            end.post(len)?;
            end.wait_received(len, number + 1000)?;
        } else {
            end.post(len)?;
            end.wait_received(len, number)?;
            let answer = end.message(len, number + 1000)?;
            end.send(answer)?;
            end.wait_sent()?;
        }
    }
    end.part()
}

fn largest(mut end: End) -> Result<(), String> {
    let len = LONGEST.min(end.link.max_message()) - 3;
    if end.leads() {
        let buf = end.message(len, 1)?;
        end.send(buf)?;
        end.wait_sent()?;
    } else {
        end.post(len)?;
        end.wait_received(len, 1)?;
    }
    end.part()
}

fn many_in_flight(mut end: End) -> Result<(), String> {
    let len = |number: usize| number * 37 % 5000;
    let count = 400;
    for number in 0..count {
        end.post(5000)?;
        let buf = end.message(len(number), number)?;
        end.send(buf)?;
    }
    let (mut sent, mut received) = (0, 0);
    while sent < count || received < count {
        match end.wait()? {
            Completion::Sent(_) => sent += 1,
            Completion::Received { buf, len: got } => {
                check(&buf, got, len(received), received)?;
                received += 1;
            }
        }
    }
    end.part()
}

fn both_directions(mut end: End) -> Result<(), String> {
    let len = (8 << 20) + 13;
    for round in 0..3 {
        let buf = end.message(len, round)?;
        end.send(buf)?;
        end.post(len)?;
        let mut left = 2;
        while left > 0 {
            if let Completion::Received { buf, len: got } = end.wait()? {
                check(&buf, got, len, round)?;
            }
            left -= 1;
        }
    }
    end.part()
}

fn slow_reader(mut end: End) -> Result<(), String> {
    let (count, len) = (300, 64 << 10);
    if end.leads() {
        for number in 0..count {
            let buf = end.message(len, number)?;
            end.send(buf)?;
        }
        end.note(b"all posted")?;
        for _ in 0..count {
            end.wait_sent()?;
        }
    } else {
        end.expect_note(b"all posted")?;
        for number in 0..count {
            end.post(len)?;
            end.wait_received(len, number)?;
        }
    }
    end.part()
}

fn short_into_long(mut end: End) -> Result<(), String> {
    let lens = [5, 0, 100_000, 1, 1, 1, 299_999, 300_000, 0, 64];
    for (number, len) in lens.into_iter().enumerate() {
        if end.leads() {
            let buf = end.message(len, number)?;
            end.send(buf)?;
        } else {
            end.post(300_000)?;
        }
    }
    for (number, len) in lens.into_iter().enumerate() {
        if end.leads() { end.wait_sent()? } else { end.wait_received(len, number)? }
    }
    end.part()
}

fn notes_in_order(mut end: End) -> Result<(), String> {
    let mut note = [0; NOTE_MAX];
    for number in 0..5000usize {
        let len = number % (NOTE_MAX + 1);
        fill(&mut note[..len], number);
        if end.leads() { end.note(&note[..len])? } else { end.expect_note(&note[..len])? }
    }
    for number in 0..500usize {
        fill(&mut note, number);
        if end.leads() {
            end.note(&note)?;
            end.expect_note(&note[..7])?;
        } else {
            end.expect_note(&note)?;
            end.note(&note[..7])?;
        }
    }
    match end.link.try_send_note(&[0; NOTE_MAX + 1]) {
        Err(LinkError::TooLong { .. }) => end.part(),
        other => Err(format!("{other:?} for a note that is too long")),
    }
}

fn note_flood(mut end: End) -> Result<(), String> {
    if end.leads() {
        let mut accepted = 0u32;
        // Some links hold megabytes; what matters is that a limit is an answer, not an error.
        while accepted < 20_000 && end.link.try_send_note(&accepted.to_le_bytes()).map_err(text)? {
            accepted += 1;
        }
        if accepted < 32 {
            return Err(format!("only {accepted} notes were accepted, expected at least 32"));
        }
        let buf = end.message(4, 0)?;
        let mut buf = buf;
        buf.copy_from_slice(&accepted.to_le_bytes());
        end.send(buf)?;
        end.wait_sent()?;
    } else {
        end.post(4)?;
        let Completion::Received { buf, .. } = end.wait()? else { return Err("expected a message".into()) };
        let count = buf.first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        for number in 0..count {
            end.expect_note(&number.to_le_bytes())?;
        }
    }
    end.part()
}

fn lanes_are_independent(mut end: End) -> Result<(), String> {
    let len = 4 << 20;
    if end.leads() {
        // A message nobody has posted a buffer for must not hold up notes, and the other way round.
        let buf = end.message(len, 0)?;
        end.send(buf)?;
        for _ in 0..100 {
            end.note(b"ping")?;
            end.expect_note(b"pong")?;
        }
        end.note(b"unread")?;
        end.note(b"now post")?;
        end.wait_sent()?;
    } else {
        for _ in 0..100 {
            end.expect_note(b"ping")?;
            end.note(b"pong")?;
        }
        end.post(len)?;
        end.wait_received(len, 0)?;
        end.expect_note(b"unread")?;
        end.expect_note(b"now post")?;
    }
    end.part()
}

fn overrun(mut end: End) -> Result<(), String> {
    if end.leads() {
        let buf = end.message(100, 0)?;
        end.send(buf)?;
        // The other end closes; whether our send completed first is not defined.
        let mut found = end.link.wait(patience());
        if found.is_ok() {
            end.link.post_recv(end.alloc(1)?).map_err(text)?;
            found = end.link.wait(patience());
        }
        end.expect_closed(found)
    } else {
        end.post(99)?;
        match end.link.wait(patience()) {
            Err(LinkError::Overrun { message_len: 100, buffer_len: 99, .. }) => Ok(()),
            other => Err(format!("{other:?}, expected an overrun")),
        }
    }
}

fn closed_while_receiving(mut end: End) -> Result<(), String> {
    if end.leads() {
        end.expect_note(b"go")?;
        return Ok(());
    }
    end.post(100)?;
    end.note(b"go")?;
    let found = end.link.wait(patience());
    end.expect_closed(found)
}

fn closed_while_sending(mut end: End) -> Result<(), String> {
    if end.leads() {
        end.expect_note(b"go")?;
        return Ok(());
    }
    end.note(b"go")?;
    let buf = end.message(8 << 20, 0)?.share();
    // Posting fails at once where the link already knows, later where it does not.
    for _ in 0..20 {
        if let Err(error) = end.link.post_send(buf.clone()) {
            return end.expect_closed(Err(error));
        }
    }
    let mut found = end.link.wait(patience());
    for _ in 0..20 {
        if found.is_ok() {
            found = end.link.wait(patience());
        }
    }
    end.expect_closed(found)
}

fn closed_while_reading_notes(mut end: End) -> Result<(), String> {
    if end.leads() {
        end.note(b"last")?;
        end.expect_note(b"go")?;
        return Ok(());
    }
    end.expect_note(b"last")?;
    end.note(b"go")?;
    let found = end.link.recv_note(&mut [0; NOTE_MAX], patience());
    match found {
        Err(error) => end.expect_closed(Err(error)),
        Ok(len) => Err(format!("a note of {len} bytes from nowhere")),
    }
}

fn closed_half_way(mut end: End) -> Result<(), String> {
    let len = 16 << 20;
    if end.leads() {
        for number in 0..4 {
            let buf = end.message(len, number)?;
            end.send(buf)?;
        }
        end.expect_note(b"got one")?;
        return Ok(());
    }
    end.post(len)?;
    end.wait_received(len, 0)?;
    end.note(b"got one")?;
    for _ in 0..8 {
        // Posting fails at once where the link already knows, later where it does not.
        let buf = end.alloc(len)?;
        if let Err(error) = end.link.post_recv(buf) {
            return end.expect_closed(Err(error));
        }
        if let Err(error) = end.link.wait(patience()) {
            return end.expect_closed(Err(error));
        }
    }
    Err("more messages than were sent".into())
}

fn delivered_before_close(mut end: End) -> Result<(), String> {
    if end.leads() {
        end.expect_note(b"posted")?;
        for number in 0..10 {
            let buf = end.message(1000, number)?;
            end.send(buf)?;
            end.note(&[number as u8])?;
        }
        for _ in 0..10 {
            end.wait_sent()?;
        }
        return Ok(());
    }
    for _ in 0..11 {
        end.post(1000)?;
    }
    end.note(b"posted")?;
    for number in 0..10 {
        end.wait_received(1000, number)?;
    }
    for number in 0..10 {
        end.expect_note(&[number])?;
    }
    let found = end.link.wait(patience());
    end.expect_closed(found)
}

/// One end sends and leaves before the other looks at anything. With the farewell these are as many things as some links take in one look.
fn read_after_close(mut end: End) -> Result<(), String> {
    const COUNT: usize = 15;
    if end.leads() {
        end.expect_note(b"posted")?;
        for number in 0..COUNT {
            let buf = end.message(1000, number)?;
            end.send(buf)?;
        }
        for _ in 0..COUNT {
            end.wait_sent()?;
        }
        return Ok(());
    }
    for _ in 0..COUNT + 1 {
        end.post(1000)?;
    }
    end.note(b"posted")?;
    // Sooner, it would see less at once; nothing else depends on it.
    std::thread::sleep(Duration::from_millis(100));
    for number in 0..COUNT {
        end.wait_received(1000, number)?;
    }
    let found = end.link.wait(patience());
    end.expect_closed(found)
}

fn last_words(mut end: End) -> Result<(), String> {
    if end.leads() {
        end.expect_note(b"ready")?;
        return end.note(b"why I leave");
    }
    end.post(10)?;
    end.note(b"ready")?;
    match end.link.wait(patience()) {
        Err(LinkError::PeerLost { .. }) => {}
        other => return Err(format!("{other:?}, expected the peer to be lost")),
    }
    let mut into = [0; NOTE_MAX];
    // A link with a delay may still hold it back.
    let mut found = end.link.try_recv_note(&mut into);
    while matches!(found, Ok(None)) {
        thread::yield_now();
        found = end.link.try_recv_note(&mut into);
    }
    match found {
        Ok(Some(len)) if into[..len] == *b"why I leave" => {}
        other => return Err(format!("{other:?}, expected the note sent before closing")),
    }
    match end.link.try_recv_note(&mut into) {
        Err(LinkError::PeerLost { .. }) => Ok(()),
        other => Err(format!("{other:?} after the last note, expected the error")),
    }
}

fn silence(mut end: End) -> Result<(), String> {
    if end.leads() {
        // Says nothing until told that the other end has given up.
        end.expect_note(b"gave up")?;
        return end.note(b"heard");
    }
    let peer = end.link.peer();
    end.post(10)?;
    let deadline = Deadline::after(Duration::from_millis(30));
    match end.link.wait(deadline) {
        Err(LinkError::PeerLost { rank, why: Lost::Silent { .. } }) if rank == peer && deadline.expired() => {
        }
        other => return Err(format!("{other:?}, expected silence to end at the deadline")),
    }
    let deadline = Deadline::after(Duration::from_millis(30));
    match end.link.recv_note(&mut [0; NOTE_MAX], deadline) {
        Err(LinkError::PeerLost { why: Lost::Silent { .. }, .. }) if deadline.expired() => {}
        other => return Err(format!("{other:?}, expected silence to end at the deadline")),
    }
    // Silence is the waiter's verdict, not the link's: it still works.
    end.note(b"gave up")?;
    end.expect_note(b"heard")
}

fn buffers_return(mut end: End) -> Result<(), String> {
    let free = end.arena.free();
    for number in 0..20 {
        let buf = end.message(100_000, number)?;
        end.send(buf)?;
        if number < 5 {
            end.post(100_000)?;
        }
    }
    for number in 0..5 {
        loop {
            if let Completion::Received { buf, len } = end.wait()? {
                check(&buf, len, 100_000, number)?;
                break;
            }
        }
    }
    end.note(b"enough")?;
    end.expect_note(b"enough")?;
    let arena = end.arena.clone();
    drop(end);
    match arena.free() {
        now if now == free => Ok(()),
        now => Err(format!("{} bytes of the arena are lost", free - now)),
    }
}
