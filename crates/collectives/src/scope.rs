use std::{marker::PhantomData, sync::Arc};

use tandem_fabric::{Buf, Deadline, Rank, SharedBuf};

use crate::{
    Algorithm, Element, Group, GroupError, Op, Team, board,
    direct::{self, Note},
    group::TeamInner,
    topology::RANKS_MAX,
};

/// The collectives of a [`Group`] among the members of a [`Team`]. Positions and parts are numbered in the team's rank order.
///
/// Buffers come from the group's arena. A collective that fails because a rank is lost leaves its buffer empty.
pub struct Scope<'a> {
    pub(crate) team: &'a Arc<TeamInner>,
    pub(crate) group: &'a mut Group,
}

/// An all-reduce under way. Give it to [`Group::finish`].
#[must_use]
pub struct Pending<T> {
    team: Team,
    count: usize,
    op: Op,
    stage: Stage,
    element: PhantomData<T>,
}

enum Stage {
    /// Everyone knows where our contribution lies.
    Direct(Buf),
    Board(Buf),
    /// Our contribution is on its way, and buffers are posted for the others'.
    Mesh(SharedBuf),
    /// Nothing has begun.
    Later(Buf),
}

impl Scope<'_> {
    /// Reduces the first `count` elements of everyone's `buf`; all get the result, with the same bits.
    pub fn all_reduce<T: Element>(&mut self, buf: &mut Buf, count: usize, op: Op) -> Result<(), GroupError> {
        let algorithm = self.prepare::<T>(buf, count)?;
        match algorithm {
            _ if self.team.members.len() == 1 => Ok(()),
            Algorithm::Direct => {
                let deadline = self.deadline();
                direct::announce(self, buf.arena_offset(), count * size_of::<T>(), deadline)?;
                direct::reduce::<T>(self, &mut buf.view_mut()[..count], op, deadline)
            }
            Algorithm::Board => board::all_reduce::<T>(self, &mut buf.view_mut()[..count], op),
            Algorithm::Mesh => self.lend(buf, |scope, buf| {
                let deadline = scope.deadline();
                let shared = scope.start_mesh(buf, count * size_of::<T>())?;
                scope.finish_mesh::<T>(shared, count, op, deadline)
            }),
            Algorithm::Scatter => self.lend(buf, |scope, buf| scope.scatter_gather::<T>(buf, count, op)),
            Algorithm::Ring | Algorithm::Tree | Algorithm::Hierarchical if T::NARROW => {
                self.widened::<T>(buf, count, |scope, wide| scope.relayed(algorithm, wide, count, op))
            }
            Algorithm::Ring | Algorithm::Tree | Algorithm::Hierarchical => {
                self.relayed(algorithm, buf, count, op)
            }
        }
    }

    /// Sums everyone's `values`, which may lie anywhere; all get the result, with the same bits. Long ones in the group's arena are not
    /// copied where ranks share memory.
    pub fn sum(&mut self, values: &mut [f32]) -> Result<(), GroupError> {
        let ranks = self.team.members.len();
        if ranks == 1 || values.is_empty() {
            return Ok(());
        }
        self.group.ports.check()?;
        self.no_pending()?;
        let bytes = size_of_val(values);
        let offset = self.group.arena.offset_of(values);
        match (self.choose(bytes)?, offset) {
            (Algorithm::Board, offset) if offset.is_some() || board::copies(bytes, ranks) => {
                return board::all_reduce(self, values, Op::Sum);
            }
            (Algorithm::Direct, Some(offset)) => {
                let deadline = self.deadline();
                direct::announce(self, offset, bytes, deadline)?;
                return direct::reduce(self, values, Op::Sum, deadline);
            }
            _ => {}
        }
        let mut buf = self.group.scratch.take(bytes)?;
        buf.view_mut::<f32>().copy_from_slice(values);
        self.all_reduce::<f32>(&mut buf, values.len(), Op::Sum)?;
        values.copy_from_slice(buf.view::<f32>());
        self.group.scratch.keep(buf);
        Ok(())
    }

    /// Begins an all-reduce, so that the caller can compute while bytes travel. No other collective may begin before it is finished.
    ///
    /// What goes on meanwhile depends on the algorithm. [`Algorithm::Direct`] and [`Algorithm::Board`] tell everyone where the contribution lies, so
    /// that nobody waits for this rank; the sum is made by [`Group::finish`]. [`Algorithm::Mesh`] posts everything to the links: what they
    /// move by themselves (a device, or the kernel up to the size of a socket's buffer) travels. The other algorithms pass on what
    /// arrives, which takes this thread: with them everything happens in `finish`.
    pub fn start_all_reduce<T: Element>(
        &mut self,
        buf: Buf,
        count: usize,
        op: Op,
    ) -> Result<Pending<T>, GroupError> {
        let algorithm = self.prepare::<T>(&buf, count)?;
        let bytes = count * size_of::<T>();
        let stage = match algorithm {
            _ if self.team.members.len() == 1 => Stage::Later(buf),
            Algorithm::Direct => {
                direct::announce(self, buf.arena_offset(), bytes, self.deadline())?;
                Stage::Direct(buf)
            }
            Algorithm::Board => {
                let mut buf = buf;
                board::start::<T>(self, &mut buf.view_mut()[..count])?;
                Stage::Board(buf)
            }
            Algorithm::Mesh => Stage::Mesh(self.start_mesh(buf, bytes)?),
            _ => Stage::Later(buf),
        };
        self.group.pending = true;
        Ok(Pending { team: Team { inner: self.team.clone() }, count, op, stage, element: PhantomData })
    }

    /// Reduces everyone's `buf`, cut into one part of `counts[i]` elements per member, in order; member i gets part i in its place. The
    /// other parts are left unspecified.
    pub fn reduce_scatter<T: Element>(
        &mut self,
        buf: &mut Buf,
        counts: &[usize],
        op: Op,
    ) -> Result<(), GroupError> {
        let count = self.total(counts)?;
        self.prepare::<T>(buf, count)?;
        if self.team.members.len() == 1 {
            return Ok(());
        }
        if !self.team.shape.mesh {
            return self.all_reduce::<T>(buf, count, op);
        }
        self.lend(buf, |scope, buf| {
            scope.in_parts(buf, counts, size_of::<T>(), |scope, parts| scope.scatter::<T>(parts, op))
        })
    }

    /// Everyone's `buf` is cut into one part of `lens[i]` bytes per member, in order, and member i has filled part i; all get all parts.
    pub fn all_gather(&mut self, buf: &mut Buf, lens: &[usize]) -> Result<(), GroupError> {
        let total = self.total(lens)?;
        self.prepare::<u8>(buf, total)?;
        if self.team.members.len() == 1 {
            return Ok(());
        }
        self.lend(buf, |scope, buf| {
            let deadline = scope.deadline();
            scope.in_parts(buf, lens, 1, |scope, parts| {
                if scope.team.shape.mesh { scope.gather(parts) } else { scope.flood(parts, deadline) }
            })
        })
    }

    /// Copies the first `len` bytes of `root`'s `buf` to everyone's.
    pub fn broadcast(&mut self, buf: &mut Buf, len: usize, root: Rank) -> Result<(), GroupError> {
        self.prepare::<u8>(buf, len)?;
        let root = self.position(root)?;
        if self.team.members.len() == 1 {
            return Ok(());
        }
        self.lend(buf, |scope, buf| {
            let deadline = scope.deadline();
            if !scope.team.shape.mesh {
                return scope.pass_on(buf, len, root, deadline);
            }
            if scope.team.me != root {
                let from = scope.team.members[root];
                return scope.receive_front(buf, len, from, deadline);
            }
            let shared = buf.share();
            for peer in scope.others() {
                scope.group.ports.post_send(peer, shared.slice(0..len))?;
            }
            scope.until_sent(shared, deadline)
        })
    }

    /// Sends the first `len` bytes of `buf` to `to`, a neighbour, which must call [`Scope::recv`].
    pub fn send(&mut self, buf: &mut Buf, len: usize, to: Rank) -> Result<(), GroupError> {
        self.prepare::<u8>(buf, len)?;
        self.position(to)?;
        self.lend(buf, |scope, buf| {
            let deadline = scope.deadline();
            let shared = buf.share();
            scope.group.ports.post_send(to.index(), shared.slice(0..len))?;
            scope.group.ports.wait_sent(to.index(), deadline)?;
            unique(shared)
        })
    }

    /// Receives exactly `len` bytes into the front of `buf`.
    pub fn recv(&mut self, buf: &mut Buf, len: usize, from: Rank) -> Result<(), GroupError> {
        self.prepare::<u8>(buf, len)?;
        self.position(from)?;
        self.lend(buf, |scope, buf| {
            let deadline = scope.deadline();
            scope.receive_front(buf, len, from.index(), deadline)
        })
    }

    /// Returns on no rank before all have called it.
    pub fn barrier(&mut self) -> Result<(), GroupError> {
        self.group.ports.check()?;
        self.no_pending()?;
        let deadline = self.deadline();
        let count = self.team.members.len();
        if !self.team.shape.mesh {
            return self.tree_barrier(deadline);
        }
        // In round k everyone has heard, directly or not, of 2^k ranks before it.
        let mut distance = 1;
        while distance < count {
            let to = self.team.members[(self.team.me + distance) % count];
            let from = self.team.members[(self.team.me + count - distance) % count];
            self.group.ports.send_note(to, &Note::Barrier.encode(), deadline)?;
            direct::expect(self, from, Note::Barrier, deadline)?;
            distance *= 2;
        }
        Ok(())
    }

    pub(crate) fn deadline(&self) -> Deadline {
        Deadline::after(self.group.options.timeout)
    }

    /// The ranks of the other members.
    pub(crate) fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let mut ranks = [0; RANKS_MAX];
        let mut count = 0;
        for (position, &rank) in self.team.members.iter().enumerate() {
            if position != self.team.me {
                ranks[count] = rank;
                count += 1;
            }
        }
        ranks.into_iter().take(count)
    }

    fn prepare<T: Sized>(&self, buf: &Buf, count: usize) -> Result<Algorithm, GroupError> {
        self.group.ports.check()?;
        self.no_pending()?;
        let bytes = count.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= buf.len());
        let Some(bytes) = bytes else {
            let text = format!("{count} elements do not fit a buffer of {} bytes", buf.len());
            return Err(GroupError::Usage(text));
        };
        if !buf.belongs_to(&self.group.arena) {
            return Err(GroupError::Usage("the buffer is not from the group's arena".into()));
        }
        self.choose(bytes)
    }

    fn choose(&self, bytes: usize) -> Result<Algorithm, GroupError> {
        let shape = &self.team.shape;
        match self.group.options.algorithm {
            Some(forced) if forced.possible(shape) => Ok(forced),
            Some(forced) if self.team.members.len() > 1 && self.team.members.len() == self.group.size() => {
                Err(GroupError::Usage(format!("the links of this group do not allow {forced}")))
            }
            _ => Ok(Algorithm::choose(shape, self.team.members.len(), bytes, self.group.topology.cost)),
        }
    }

    fn no_pending(&self) -> Result<(), GroupError> {
        match self.group.pending {
            true => Err(GroupError::Usage("finish the all-reduce that was started first".into())),
            false => Ok(()),
        }
    }

    fn total(&self, parts: &[usize]) -> Result<usize, GroupError> {
        let (found, expected) = (parts.len(), self.team.members.len());
        if found != expected {
            return Err(GroupError::Usage(format!("{found} parts for a team of {expected}")));
        }
        Ok(parts.iter().fold(0usize, |sum, &part| sum.saturating_add(part)))
    }

    fn position(&self, rank: Rank) -> Result<usize, GroupError> {
        let found = self.team.members.iter().position(|&member| member == rank.index());
        found.ok_or_else(|| GroupError::Usage(format!("{rank} is not in this team")))
    }

    /// Takes the caller's buffer for as long as links hold it.
    fn lend(
        &mut self,
        buf: &mut Buf,
        run: impl FnOnce(&mut Self, Buf) -> Result<Buf, GroupError>,
    ) -> Result<(), GroupError> {
        let hollow = self.group.scratch.take(0)?;
        let lent = std::mem::replace(buf, hollow);
        let back = run(self, lent)?;
        let hollow = std::mem::replace(buf, back);
        self.group.scratch.keep(hollow);
        Ok(())
    }

    /// Cuts `buf` into consecutive parts, one per member, and joins them again.
    fn in_parts(
        &mut self,
        mut buf: Buf,
        counts: &[usize],
        size: usize,
        run: impl FnOnce(&mut Self, &mut Parts) -> Result<(), GroupError>,
    ) -> Result<Buf, GroupError> {
        let mut parts: Parts = [const { None }; RANKS_MAX];
        for (part, count) in parts.iter_mut().zip(counts) {
            let rest = buf.split_off(count * size);
            *part = Some(std::mem::replace(&mut buf, rest));
        }
        run(self, &mut parts)?;
        let rest = buf;
        let mut whole: Option<Buf> = None;
        for part in parts.into_iter().flatten().chain([rest]) {
            match &mut whole {
                None => whole = Some(part),
                Some(whole) => whole.join(part).map_err(|_| scrambled())?,
            }
        }
        whole.ok_or_else(scrambled)
    }

    fn start_mesh(&mut self, buf: Buf, bytes: usize) -> Result<SharedBuf, GroupError> {
        let shared = buf.share();
        // Receives first: a link that knows of them does not write everything before it reads.
        for peer in self.others() {
            let scratch = self.group.scratch.take(bytes)?;
            self.group.ports.post_recv(peer, scratch)?;
        }
        for peer in self.others() {
            self.group.ports.post_send(peer, shared.slice(0..bytes))?;
        }
        Ok(shared)
    }

    fn finish_mesh<T: Element>(
        &mut self,
        shared: SharedBuf,
        count: usize,
        op: Op,
        deadline: Deadline,
    ) -> Result<Buf, GroupError> {
        let contributions = self.collect(count * size_of::<T>(), deadline)?;
        let mut buf = self.until_sent(shared, deadline)?;
        let from = slices_of::<T>(&contributions);
        let (me, ranks) = (self.team.me, self.team.members.len());
        T::reduce_around(op, &from[..me], &mut buf.view_mut()[..count], &from[me + 1..ranks]);
        contributions.into_iter().flatten().for_each(|buf| self.group.scratch.keep(buf));
        Ok(buf)
    }

    /// One message of `bytes` from every other member, by position.
    pub(crate) fn collect(&mut self, bytes: usize, deadline: Deadline) -> Result<Parts, GroupError> {
        let mut parts: Parts = [const { None }; RANKS_MAX];
        for position in 0..self.team.members.len() {
            if position != self.team.me {
                let peer = self.team.members[position];
                parts[position] = Some(self.group.ports.wait_received(peer, bytes, deadline)?);
            }
        }
        Ok(parts)
    }

    /// A message of exactly `len` bytes into the front of `buf`.
    pub(crate) fn receive_front(
        &mut self,
        mut buf: Buf,
        len: usize,
        from: usize,
        deadline: Deadline,
    ) -> Result<Buf, GroupError> {
        let in_memory = self.group.ports.link(from).is_some_and(|link| link.window().is_some());
        if in_memory || buf.len() == len {
            self.group.ports.post_recv(from, buf)?;
            return self.group.ports.wait_received(from, len, deadline);
        }
        // A stream would read what follows the message into the rest of the buffer.
        let rest = buf.split_off(len);
        self.group.ports.post_recv(from, buf)?;
        let mut buf = self.group.ports.wait_received(from, len, deadline)?;
        buf.join(rest).map_err(|_| scrambled())?;
        Ok(buf)
    }

    /// Waits until no link holds `shared` any more.
    fn until_sent(&mut self, shared: SharedBuf, deadline: Deadline) -> Result<Buf, GroupError> {
        for peer in self.others() {
            self.group.ports.wait_sent(peer, deadline)?;
        }
        unique(shared)
    }

    /// Runs `run` on an f32 copy, so that partial results are not rounded on the way.
    fn widened<T: Element>(
        &mut self,
        buf: &mut Buf,
        count: usize,
        run: impl FnOnce(&mut Self, &mut Buf) -> Result<(), GroupError>,
    ) -> Result<(), GroupError> {
        let mut wide = self.group.scratch.take(count * size_of::<f32>())?;
        T::load(&buf.view::<T>()[..count], wide.view_mut());
        run(self, &mut wide)?;
        T::store(wide.view(), &mut buf.view_mut::<T>()[..count]);
        self.group.scratch.keep(wide);
        Ok(())
    }

    fn relayed(
        &mut self,
        algorithm: Algorithm,
        buf: &mut Buf,
        count: usize,
        op: Op,
    ) -> Result<(), GroupError> {
        match algorithm {
            Algorithm::Hierarchical => self.hierarchical(buf, count, op),
            Algorithm::Ring => {
                let counts = even(count, self.team.members.len());
                let counts = &counts[..self.team.members.len()];
                self.lend(buf, |scope, buf| {
                    let deadline = scope.deadline();
                    scope.in_parts(buf, counts, size_of::<f32>(), |scope, parts| {
                        scope.ring(parts, op, deadline)
                    })
                })
            }
            _ => self.lend(buf, |scope, buf| {
                let deadline = scope.deadline();
                scope.tree(buf, count, op, deadline)
            }),
        }
    }
}

impl Group {
    /// Ends an all-reduce that was started, and gives the buffer back with the result.
    pub fn finish<T: Element>(&mut self, pending: Pending<T>) -> Result<Buf, GroupError> {
        self.pending = false;
        self.ports.check()?;
        let Pending { team, count, op, stage, .. } = pending;
        let mut scope = self.on(&team);
        let deadline = scope.deadline();
        match stage {
            Stage::Direct(mut buf) => {
                direct::reduce::<T>(&mut scope, &mut buf.view_mut()[..count], op, deadline)?;
                Ok(buf)
            }
            Stage::Board(mut buf) => {
                board::finish::<T>(&mut scope, &mut buf.view_mut()[..count], op)?;
                Ok(buf)
            }
            Stage::Mesh(shared) => scope.finish_mesh::<T>(shared, count, op, deadline),
            Stage::Later(mut buf) => {
                scope.all_reduce::<T>(&mut buf, count, op)?;
                Ok(buf)
            }
        }
    }
}

pub(crate) type Parts = [Option<Buf>; RANKS_MAX];

/// What lies in `parts`, by position; nothing where there is none.
pub(crate) fn slices_of<T: Element>(parts: &Parts) -> [&[T]; RANKS_MAX] {
    std::array::from_fn(|position| parts[position].as_ref().map_or(&[][..], |part| part.view()))
}

pub(crate) fn unique(shared: SharedBuf) -> Result<Buf, GroupError> {
    shared.into_unique().map_err(|_| GroupError::Usage("a link still holds the buffer".into()))
}

pub(crate) fn scrambled() -> GroupError {
    GroupError::Usage("the parts of a buffer were mixed up; this is a bug".into())
}

/// `count` elements in `ranks` parts of nearly equal size, cut at cache lines where there are enough.
pub(crate) fn even(count: usize, ranks: usize) -> [usize; RANKS_MAX] {
    let mut counts = [0; RANKS_MAX];
    let grain = if count >= ranks * 64 { 32 } else { 1 };
    let mut start = 0;
    for (i, part) in counts.iter_mut().enumerate().take(ranks) {
        let end = if i + 1 == ranks { count } else { count * (i + 1) / ranks / grain * grain };
        *part = end - start;
        start = end;
    }
    counts
}
