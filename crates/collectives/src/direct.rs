//! All-reduce where everyone's arena is mapped everywhere. Unsafe because the memory is other processes'.
//!
//! 1. Everyone tells everyone where its contribution lies.
//! 2. Each rank owns one slice: it reduces that slice of all contributions, in rank order, and writes the result into all of
//!    them. No element is touched by two ranks.
//! 3. Everyone tells everyone that it has finished.
//!
//! Nothing is copied, but everyone sends everyone two notes: this is for what is long, and [`crate::board`] for the rest.
#![allow(unsafe_code)]

use std::{ptr::NonNull, slice};

use tandem_fabric::{Deadline, Rank};

use crate::{Element, GroupError, Op, Scope, element::BLOCK, scope::even, topology::RANKS_MAX};

/// What ranks tell each other on the note lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Note {
    Ready {
        offset: u64,
        bytes: u64,
    },
    Done,
    Barrier,
    /// Where this rank's board lies.
    Board {
        offset: u64,
    },
}

impl Note {
    const BYTES: usize = 17;

    pub(crate) fn encode(self) -> [u8; Self::BYTES] {
        let mut note = [0; Self::BYTES];
        let (tag, offset, bytes) = match self {
            Note::Ready { offset, bytes } => (1, offset, bytes),
            Note::Done => (2, 0, 0),
            Note::Barrier => (3, 0, 0),
            Note::Board { offset } => (4, offset, 0),
        };
        note[0] = tag;
        note[1..9].copy_from_slice(&offset.to_le_bytes());
        note[9..].copy_from_slice(&bytes.to_le_bytes());
        note
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (&[tag], rest) = bytes.split_first_chunk::<1>()?;
        let (offset, rest) = rest.split_first_chunk::<8>()?;
        let (len, []) = rest.split_first_chunk::<8>()? else { return None };
        let (offset, bytes) = (u64::from_le_bytes(*offset), u64::from_le_bytes(*len));
        match tag {
            1 => Some(Note::Ready { offset, bytes }),
            2 => Some(Note::Done),
            3 => Some(Note::Barrier),
            4 => Some(Note::Board { offset }),
            _ => None,
        }
    }
}

/// The next note from `peer`, whatever it is.
pub(crate) fn receive(scope: &mut Scope<'_>, peer: usize, deadline: Deadline) -> Result<Note, GroupError> {
    let note = scope.group.ports.wait_note(peer, deadline)?;
    Note::decode(&note.bytes[..note.len]).ok_or_else(|| mismatch(peer, "its note is not one of ours".into()))
}

/// Waits for exactly `expected` from `peer`.
pub(crate) fn expect(
    scope: &mut Scope<'_>,
    peer: usize,
    expected: Note,
    deadline: Deadline,
) -> Result<(), GroupError> {
    let found = receive(scope, peer, deadline)?;
    if found == expected {
        return Ok(());
    }
    Err(mismatch(peer, format!("it says {found:?} where {expected:?} was expected")))
}

pub(crate) fn mismatch(peer: usize, what: String) -> GroupError {
    GroupError::Mismatch { with: Rank(peer as u16), what }
}

/// Step 1, our half.
pub(crate) fn announce(
    scope: &mut Scope<'_>,
    offset: usize,
    bytes: usize,
    deadline: Deadline,
) -> Result<(), GroupError> {
    let ready = Note::Ready { offset: offset as u64, bytes: bytes as u64 }.encode();
    for peer in scope.others() {
        scope.group.ports.send_note(peer, &ready, deadline)?;
    }
    Ok(())
}

/// Steps 1 (the others' half) to 3, on `values` that were announced: the part of the arena at that offset.
pub(crate) fn reduce<T: Element>(
    scope: &mut Scope<'_>,
    values: &mut [T],
    op: Op,
    deadline: Deadline,
) -> Result<(), GroupError> {
    let (me, ranks) = (scope.team.me, scope.team.members.len());
    let count = values.len();
    let bytes = size_of_val(values);
    let own = NonNull::new(values.as_mut_ptr()).ok_or_else(crate::scope::scrambled)?;
    let mut places = [own; RANKS_MAX];
    for position in 0..ranks {
        if position == me {
            continue;
        }
        let peer = scope.team.members[position];
        let Note::Ready { offset, bytes: theirs } = receive(scope, peer, deadline)? else {
            return Err(mismatch(peer, "it is not in an all-reduce".into()));
        };
        places[position] = place(scope, peer, offset, theirs, bytes)?;
    }
    let counts = even(count, ranks);
    let start: usize = counts[..me].iter().sum();
    // SAFETY: every place holds `count` elements: ours `values`, the others' checked against their windows, which live as long as the links. Each
    // rank is inside this collective with its buffer and touches only its own slice until everyone is done.
    unsafe { reduce_slice::<T>(op, &places[..ranks], start, counts[me]) };
    for (position, &peer) in scope.team.members.iter().enumerate() {
        if position != me {
            // What we read of theirs, and what they write to ours.
            scope.group.ports.traffic.add(peer, (counts[me] + counts[position]) * size_of::<T>());
        }
    }
    let done = Note::Done.encode();
    for peer in scope.others() {
        scope.group.ports.send_note(peer, &done, deadline)?;
    }
    for peer in scope.others() {
        expect(scope, peer, Note::Done, deadline)?;
    }
    Ok(())
}

/// Where `peer`'s contribution lies in this process, if that is what we expect of it.
fn place<T>(
    scope: &Scope<'_>,
    peer: usize,
    offset: u64,
    theirs: u64,
    bytes: usize,
) -> Result<NonNull<T>, GroupError> {
    if theirs != bytes as u64 {
        return Err(mismatch(peer, format!("it reduces {theirs} bytes, we {bytes}")));
    }
    let window = scope.group.ports.link(peer).and_then(|link| link.window());
    let place = window.and_then(|window| window.range(usize::try_from(offset).ok()?, bytes));
    let place = place.filter(|place| place.cast::<T>().is_aligned());
    Ok(place.ok_or_else(|| mismatch(peer, "its buffer is outside its arena".into()))?.cast())
}

/// Reduces elements `start..start + count` of all `places` in order and writes the result to all of them.
///
/// # Safety
/// Every place holds that many aligned elements, and nobody else touches them meanwhile.
unsafe fn reduce_slice<T: Element>(op: Op, places: &[NonNull<T>], start: usize, count: usize) {
    let mut sums = [0.0; BLOCK];
    let end = start + count;
    let mut at = start;
    while at < end {
        let len = BLOCK.min(end - at);
        let sums = &mut sums[..len];
        for (position, place) in places.iter().enumerate() {
            // SAFETY: by the contract above.
            let from = unsafe { slice::from_raw_parts(place.as_ptr().add(at), len) };
            if position == 0 { T::load(from, sums) } else { T::combine(op, sums, from) }
        }
        for place in places {
            // SAFETY: by the contract above; the shared slices of this block are gone.
            T::store(sums, unsafe { slice::from_raw_parts_mut(place.as_ptr().add(at), len) });
        }
        at += len;
    }
}
