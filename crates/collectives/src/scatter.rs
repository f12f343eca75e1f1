use tandem_fabric::{Buf, SharedBuf};

use crate::{
    Element, GroupError, Op, Scope,
    scope::{Parts, even, scrambled, slices_of, unique},
    topology::RANKS_MAX,
};

/// Bytes per rank and segment of a long all-reduce: whole cache lines, and not more than one frame of a TCP link.
const SEGMENT: usize = 261_824;

/// A stretch of a vector, cut into one part per member, on its way.
struct Segment {
    parts: Parts,
    /// Lengths of the parts, which are away at times.
    lens: [usize; RANKS_MAX],
    lent: [Option<SharedBuf>; RANKS_MAX],
}

impl Segment {
    fn new(parts: Parts) -> Self {
        let lens = std::array::from_fn(|position| parts[position].as_ref().map_or(0, |part| part.len()));
        Self { parts, lens, lent: [const { None }; RANKS_MAX] }
    }
}

/// Reduce-scatter and all-gather, each in two halves: what is started travels while something else is finished.
impl Scope<'_> {
    /// An all-reduce of both. What arrives is combined while it is in the cache, and the next segment travels meanwhile.
    pub(crate) fn scatter_gather<T: Element>(
        &mut self,
        mut buf: Buf,
        count: usize,
        op: Op,
    ) -> Result<Buf, GroupError> {
        let mut tail = buf.split_off(count * size_of::<T>());
        let mut segments = self.segments::<T>(buf, count);
        let last = segments.len() - 1;
        self.start_scatter(&mut segments[0])?;
        for now in 0..=last {
            let (before, after) = (usize::from(now > 0), usize::from(now < last));
            if now < last {
                self.start_scatter(&mut segments[now + 1])?;
            }
            // What was posted since: the gathering of the segment before, the scattering of the next.
            self.finish_scatter::<T>(&mut segments[now], op, before + after)?;
            self.start_gather(&mut segments[now])?;
            if now > 0 {
                self.finish_gather(&mut segments[now - 1], after + 1)?;
            }
        }
        self.finish_gather(&mut segments[last], 0)?;
        for segment in segments.into_iter().rev() {
            for mut part in segment.parts.into_iter().flatten().rev() {
                part.join(tail).map_err(|_| scrambled())?;
                tail = part;
            }
        }
        Ok(tail)
    }

    fn segments<T: Element>(&self, mut buf: Buf, count: usize) -> Vec<Segment> {
        let ranks = self.team.members.len();
        let size = ranks * SEGMENT / size_of::<T>();
        let mut segments = Vec::with_capacity(count / size + 1);
        let mut left = count;
        while segments.is_empty() || left > 0 {
            let now = if left > size + size / 2 { size } else { left };
            left -= now;
            let mut parts: Parts = [const { None }; RANKS_MAX];
            for (part, count) in parts.iter_mut().zip(even(now, ranks)).take(ranks) {
                let rest = buf.split_off(count * size_of::<T>());
                *part = Some(std::mem::replace(&mut buf, rest));
            }
            segments.push(Segment::new(parts));
        }
        segments
    }

    /// Everyone sends part i to member i, which reduces what it gets into its own part.
    pub(crate) fn scatter<T: Element>(&mut self, parts: &mut Parts, op: Op) -> Result<(), GroupError> {
        let mut segment = Segment::new(std::mem::replace(parts, [const { None }; RANKS_MAX]));
        self.start_scatter(&mut segment)?;
        self.finish_scatter::<T>(&mut segment, op, 0)?;
        *parts = segment.parts;
        Ok(())
    }

    /// Everyone sends its own part to all and receives theirs in place.
    pub(crate) fn gather(&mut self, parts: &mut Parts) -> Result<(), GroupError> {
        let mut segment = Segment::new(std::mem::replace(parts, [const { None }; RANKS_MAX]));
        self.start_gather(&mut segment)?;
        self.finish_gather(&mut segment, 0)?;
        *parts = segment.parts;
        Ok(())
    }

    /// Sends part i to member i, and is ready for the others' contributions to our own.
    fn start_scatter(&mut self, segment: &mut Segment) -> Result<(), GroupError> {
        let me = self.team.me;
        for (position, &peer) in self.team.members.iter().enumerate() {
            if position != me {
                let scratch = self.group.scratch.take(segment.lens[me])?;
                self.group.ports.post_recv(peer, scratch)?;
                let shared = segment.parts[position].take().ok_or_else(scrambled)?.share();
                self.group.ports.post_send(peer, shared.clone())?;
                segment.lent[position] = Some(shared);
            }
        }
        Ok(())
    }

    /// Reduces what comes into our own part. `later` messages to each other member were posted since the start.
    fn finish_scatter<T: Element>(
        &mut self,
        segment: &mut Segment,
        op: Op,
        later: usize,
    ) -> Result<(), GroupError> {
        let deadline = self.deadline();
        let (me, ranks) = (self.team.me, self.team.members.len());
        let own = segment.parts[me].as_mut().ok_or_else(scrambled)?;
        let contributions = self.collect(own.len(), deadline)?;
        let from = slices_of::<T>(&contributions);
        T::reduce_around(op, &from[..me], own.view_mut(), &from[me + 1..ranks]);
        contributions.into_iter().flatten().for_each(|buf| self.group.scratch.keep(buf));
        for (position, &peer) in self.team.members.iter().enumerate() {
            if let Some(shared) = segment.lent[position].take() {
                self.group.ports.wait_sent_before(later, peer, deadline)?;
                segment.parts[position] = Some(unique(shared)?);
            }
        }
        Ok(())
    }

    /// Sends our own part to all, and is ready for theirs in their places.
    fn start_gather(&mut self, segment: &mut Segment) -> Result<(), GroupError> {
        let me = self.team.me;
        let own = segment.parts[me].take().ok_or_else(scrambled)?.share();
        for (position, &peer) in self.team.members.iter().enumerate() {
            if position != me {
                let part = segment.parts[position].take().ok_or_else(scrambled)?;
                self.group.ports.post_recv(peer, part)?;
                self.group.ports.post_send(peer, own.clone())?;
            }
        }
        segment.lent[me] = Some(own);
        Ok(())
    }

    /// As `finish_scatter`.
    fn finish_gather(&mut self, segment: &mut Segment, later: usize) -> Result<(), GroupError> {
        let deadline = self.deadline();
        let me = self.team.me;
        for (position, &peer) in self.team.members.iter().enumerate() {
            if position != me {
                let len = segment.lens[position];
                segment.parts[position] = Some(self.group.ports.wait_received(peer, len, deadline)?);
            }
        }
        for peer in self.others() {
            self.group.ports.wait_sent_before(later, peer, deadline)?;
        }
        segment.parts[me] = Some(unique(segment.lent[me].take().ok_or_else(scrambled)?)?);
        Ok(())
    }
}
