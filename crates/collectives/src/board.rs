//! All-reduce of a few kilobytes among ranks that have each other's arenas mapped. Unsafe because the memory is other processes'.
//!
//! Every rank has a board in its arena, which it alone writes and all others read. Telling everyone something is one store, however many
//! they are, and nobody waits for a line that another writes to.
//!
//! 1. Everyone posts where its contribution lies.
//! 2. Each rank owns one slice: it reduces that slice of all contributions, in rank order, onto its board, and posts that it has.
//! 3. Everyone copies the others' slices from their boards. A slice of our own contribution is read only by its owner, so it can
//!    be written over as soon as that one has posted.
//!
//! Where reading everything costs less than another round of posts, contributions are put on the board and step 2 is everyone's, for all
//! slices; there is no step 3. Such a contribution stays untouched for two rounds: whoever posts the next one has read this one. For
//! the same reason posts of even and odd rounds have lines of their own.
#![allow(unsafe_code)]

use std::{
    ptr::NonNull,
    slice,
    sync::atomic::{AtomicU64, Ordering},
};

use tandem_fabric::{Buf, Deadline};

use crate::{
    Element, GroupError, Op, Scope,
    direct::{Note, mismatch, receive},
    scope::{even, scrambled},
    topology::RANKS_MAX,
};

/// This rank's board for one team, and where the others' lie.
pub(crate) struct Board {
    /// One bit per rank of the group.
    team: u32,
    face: Buf,
    slots: [Buf; 2],
    result: Buf,
    round: u64,
    /// By position in the team, in their arenas.
    offsets: [u64; RANKS_MAX],
}

/// What others read of a board. All zero is a board nobody has posted on.
#[repr(C)]
struct Face {
    contributions: [Post; 2],
    reduced: Post,
}

#[repr(C, align(128))]
struct Post {
    round: AtomicU64,
    offset: AtomicU64,
    bytes: AtomicU64,
}

/// Bytes of one round; what is longer takes several.
const ROUND_MAX: usize = 256 << 10;
/// See [`suits`].
const BYTES_PER_RANK: usize = 512;
/// Bytes that one rank rather reads than waits another time.
const READ_MAX: usize = 8 << 10;
/// Bytes of a contribution on the board itself: of two ranks, each reads more than this faster if they share out.
const SLOT: usize = 2 << 10;
const RESULT_AT: usize = size_of::<Face>() + 2 * SLOT;

/// Whether a board is the better way for so many bytes of so many ranks: it saves a note to each of them, and what it costs is a copy of the
/// result. Measured on 16 cores, where the two are as fast as each other at about this length.
pub(crate) fn suits(bytes: usize, ranks: usize) -> bool {
    bytes <= BYTES_PER_RANK * ranks
}

/// Whether everyone reads everything.
fn in_one_step(bytes: usize, ranks: usize) -> bool {
    bytes <= SLOT && bytes * (ranks - 1) <= READ_MAX
}

/// Whether `values` may lie anywhere; if not they must be in the group's arena.
pub(crate) fn copies(bytes: usize, ranks: usize) -> bool {
    in_one_step(bytes, ranks)
}

/// Reduces everyone's `values`.
pub(crate) fn all_reduce<T: Element>(
    scope: &mut Scope<'_>,
    values: &mut [T],
    op: Op,
) -> Result<(), GroupError> {
    start(scope, values)?;
    finish(scope, values, op)
}

/// Step 1 of the first round.
pub(crate) fn start<T: Element>(scope: &mut Scope<'_>, values: &mut [T]) -> Result<(), GroupError> {
    // A round in which nobody waits would not keep contributions from being written over.
    if values.is_empty() {
        return Ok(());
    }
    let deadline = scope.deadline();
    let mut board = Board::of(scope, deadline)?;
    let (first, _) = values.split_at_mut(values.len().min(ROUND_MAX / size_of::<T>()));
    let posted = board.post(scope, first);
    scope.group.boards.push(board);
    posted
}

/// Everything after [`start`].
pub(crate) fn finish<T: Element>(scope: &mut Scope<'_>, values: &mut [T], op: Op) -> Result<(), GroupError> {
    if values.is_empty() {
        return Ok(());
    }
    let deadline = scope.deadline();
    let mut board = Board::of(scope, deadline)?;
    let done = board.finish(scope, values, op, deadline);
    scope.group.boards.push(board);
    done
}

impl Board {
    /// The team's board, set up the first time; the caller puts it back.
    fn of(scope: &mut Scope<'_>, deadline: Deadline) -> Result<Board, GroupError> {
        let team = scope.team.members.iter().fold(0, |team, rank| team | 1 << rank);
        if let Some(found) = scope.group.boards.iter().position(|board| board.team == team) {
            return Ok(scope.group.boards.swap_remove(found));
        }
        let ranks = scope.team.members.len();
        // The last slice is the longest, by less than two cache lines of its elements.
        let result_len = ROUND_MAX / ranks + 512;
        let mut face = scope.group.arena.alloc(RESULT_AT + result_len)?;
        let result = face.split_off(RESULT_AT);
        let second = face.split_off(RESULT_AT - SLOT);
        let first = face.split_off(size_of::<Face>());
        face.fill(0);
        let mut offsets = [face.arena_offset() as u64; RANKS_MAX];
        let here = Note::Board { offset: offsets[scope.team.me] }.encode();
        for peer in scope.others() {
            scope.group.ports.send_note(peer, &here, deadline)?;
        }
        for (position, &peer) in scope.team.members.iter().enumerate() {
            if position != scope.team.me {
                let Note::Board { offset } = receive(scope, peer, deadline)? else {
                    return Err(mismatch(peer, "it does not begin to sum".into()));
                };
                offsets[position] = offset;
            }
        }
        Ok(Self { team, face, slots: [first, second], result, round: 0, offsets })
    }

    fn post<T: Element>(&mut self, scope: &mut Scope<'_>, values: &mut [T]) -> Result<(), GroupError> {
        self.round += 1;
        let bytes = size_of_val(values);
        let offset = if in_one_step(bytes, scope.team.members.len()) {
            let slot = &mut self.slots[(self.round % 2) as usize];
            slot[..bytes].copy_from_slice(bytemuck::cast_slice(values));
            slot.arena_offset()
        } else {
            scope.group.arena.offset_of(values).ok_or_else(scrambled)?
        };
        let (round, turn) = (self.round, self.turn());
        let post = &self.own_face().contributions[turn];
        post.offset.store(offset as u64, Ordering::Relaxed);
        post.bytes.store(bytes as u64, Ordering::Relaxed);
        post.round.store(round, Ordering::Release);
        scope.group.ports.nudge(&scope.team.members);
        Ok(())
    }

    fn finish<T: Element>(
        &mut self,
        scope: &mut Scope<'_>,
        values: &mut [T],
        op: Op,
        deadline: Deadline,
    ) -> Result<(), GroupError> {
        let ranks = scope.team.members.len();
        for (index, values) in values.chunks_mut(ROUND_MAX / size_of::<T>()).enumerate() {
            if index > 0 {
                self.post(scope, values)?;
            }
            let places = self.places(scope, values, deadline)?;
            if in_one_step(size_of_val(values), ranks) {
                // SAFETY: every place holds as many values: ours in its slot, the others' checked against their windows, which live as long
                // as the links. Nobody writes to a contribution on its board until everyone has posted the next.
                let from = unsafe { slices(&places[..ranks], 0, values.len()) };
                T::reduce(op, &from[..ranks], values);
                for peer in scope.others() {
                    scope.group.ports.traffic.add(peer, size_of_val(values));
                }
            } else {
                self.by_slices(scope, values, &places, op, deadline)?;
            }
        }
        Ok(())
    }

    /// Where everyone's contribution to this round lies, once it is posted.
    fn places<T: Element>(
        &mut self,
        scope: &mut Scope<'_>,
        values: &mut [T],
        deadline: Deadline,
    ) -> Result<[NonNull<T>; RANKS_MAX], GroupError> {
        let bytes = size_of_val(values);
        let (round, turn, me) = (self.round, self.turn(), scope.team.me);
        let own = if in_one_step(bytes, scope.team.members.len()) {
            self.slots[turn].as_mut_ptr().cast()
        } else {
            values.as_mut_ptr()
        };
        let mut places = [NonNull::new(own).ok_or_else(scrambled)?; RANKS_MAX];
        for (position, &peer) in scope.team.members.iter().enumerate() {
            if position == me {
                continue;
            }
            let face = window::<Face>(scope, peer, self.offsets[position], size_of::<Face>())?;
            // SAFETY: a face in the peer's window, which lives as long as the link; it consists of atomics only.
            let post = unsafe { &face.as_ref().contributions[turn] };
            let posted = || post.round.load(Ordering::Acquire) == round;
            scope.group.ports.wait_for_memory(peer, posted, deadline)?;
            let theirs = post.bytes.load(Ordering::Relaxed);
            if theirs != bytes as u64 {
                return Err(mismatch(peer, format!("it reduces {theirs} bytes, we {bytes}")));
            }
            places[position] = window(scope, peer, post.offset.load(Ordering::Relaxed), bytes)?;
        }
        Ok(places)
    }

    /// Steps 2 and 3.
    fn by_slices<T: Element>(
        &mut self,
        scope: &mut Scope<'_>,
        values: &mut [T],
        places: &[NonNull<T>; RANKS_MAX],
        op: Op,
        deadline: Deadline,
    ) -> Result<(), GroupError> {
        let (me, ranks) = (scope.team.me, scope.team.members.len());
        let counts = even(values.len(), ranks);
        let start = |position: usize| counts[..position].iter().sum::<usize>();
        let own = start(me)..start(me) + counts[me];
        // SAFETY: as in `finish`; only we read this slice until we post that it is reduced, and nobody writes to it.
        let from = unsafe { slices(&places[..ranks], own.start, counts[me]) };
        let result = &mut self.result.view_mut::<T>()[..counts[me]];
        T::reduce(op, &from[..ranks], result);
        values[own].copy_from_slice(result);
        let round = self.round;
        self.own_face().reduced.round.store(round, Ordering::Release);
        scope.group.ports.nudge(&scope.team.members);
        // Beginning with the next one, so that not everyone reads from the same rank at a time.
        for position in (me + 1..ranks).chain(0..me) {
            let peer = scope.team.members[position];
            let bytes = counts[position] * size_of::<T>();
            let face = window::<Face>(scope, peer, self.offsets[position], RESULT_AT + bytes)?;
            // SAFETY: as in `places`.
            let reduced = unsafe { &face.as_ref().reduced.round };
            let posted = || reduced.load(Ordering::Acquire) == round;
            scope.group.ports.wait_for_memory(peer, posted, deadline)?;
            // SAFETY: within the window; the peer writes to its result again only when everyone has posted the next round.
            let theirs = unsafe {
                let result = face.cast::<u8>().add(RESULT_AT).cast::<T>();
                slice::from_raw_parts(result.as_ptr(), counts[position])
            };
            values[start(position)..][..counts[position]].copy_from_slice(theirs);
            scope.group.ports.traffic.add(peer, bytes + counts[me] * size_of::<T>());
        }
        Ok(())
    }

    fn turn(&self) -> usize {
        (self.round % 2) as usize
    }

    fn own_face(&mut self) -> &Face {
        // SAFETY: the buffer is aligned to 128 bytes and as long as a face, which consists of atomics only.
        unsafe { &*self.face.as_mut_ptr().cast() }
    }
}

/// `len` bytes at `offset` of the peer's arena, as seen here.
fn window<T>(scope: &Scope<'_>, peer: usize, offset: u64, len: usize) -> Result<NonNull<T>, GroupError> {
    let window = scope.group.ports.link(peer).and_then(|link| link.window());
    let place = window.and_then(|window| window.range(usize::try_from(offset).ok()?, len));
    let place = place.map(NonNull::cast::<T>).filter(|place| place.is_aligned());
    place.ok_or_else(|| mismatch(peer, "what it posted is outside its arena".into()))
}

/// Elements `start..start + count` at each of the places.
///
/// # Safety
/// Every place holds that many, and nobody writes to them meanwhile.
unsafe fn slices<'a, T>(places: &[NonNull<T>], start: usize, count: usize) -> [&'a [T]; RANKS_MAX] {
    let mut slices: [&[T]; RANKS_MAX] = [&[]; RANKS_MAX];
    for (slice, place) in slices.iter_mut().zip(places) {
        // SAFETY: the caller's contract.
        *slice = unsafe { slice::from_raw_parts(place.as_ptr().add(start), count) };
    }
    slices
}
