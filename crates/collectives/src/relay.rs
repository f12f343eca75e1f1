use tandem_fabric::{Buf, Deadline, Rank};

use crate::{
    Element, GroupError, Op, Scope,
    direct::{self, Note},
    scope::{Parts, scrambled, unique},
};

/// Bytes passed on at a time along a tree: while one chunk is combined, the next travels.
const CHUNK: usize = 256 << 10;

/// Algorithms for groups that are no full mesh, and for hosts of several ranks. They reduce f32 only: narrower types are widened before.
impl Scope<'_> {
    /// n−1 steps in which slices travel once around and are summed on the way, n−1 in which the sums do.
    pub(crate) fn ring(&mut self, parts: &mut Parts, op: Op, deadline: Deadline) -> Result<(), GroupError> {
        let (me, count) = (self.team.me, self.team.members.len());
        let next = self.team.members[(me + 1) % count];
        let before = self.team.members[(me + count - 1) % count];
        for step in 0..count - 1 {
            let (out, back) = ((me + count - step) % count, (me + 2 * count - step - 1) % count);
            let sent = parts[out].take().ok_or_else(scrambled)?.share();
            self.group.ports.post_send(next, sent.clone())?;
            let len = parts[back].as_ref().map_or(0, |part| part.len());
            let scratch = self.group.scratch.take(len)?;
            self.group.ports.post_recv(before, scratch)?;
            let partial = self.group.ports.wait_received(before, len, deadline)?;
            let own = parts[back].as_mut().ok_or_else(scrambled)?;
            f32::combine(op, own.view_mut(), partial.view());
            self.group.scratch.keep(partial);
            self.group.ports.wait_sent(next, deadline)?;
            parts[out] = Some(unique(sent)?);
        }
        for step in 0..count - 1 {
            let (out, back) = ((me + 1 + count - step) % count, (me + count - step) % count);
            let sent = parts[out].take().ok_or_else(scrambled)?.share();
            self.group.ports.post_send(next, sent.clone())?;
            let part = parts[back].take().ok_or_else(scrambled)?;
            let len = part.len();
            self.group.ports.post_recv(before, part)?;
            parts[back] = Some(self.group.ports.wait_received(before, len, deadline)?);
            self.group.ports.wait_sent(next, deadline)?;
            parts[out] = Some(unique(sent)?);
        }
        Ok(())
    }

    /// Sums go up the tree and the result comes down, chunk by chunk.
    pub(crate) fn tree(
        &mut self,
        mut buf: Buf,
        count: usize,
        op: Op,
        deadline: Deadline,
    ) -> Result<Buf, GroupError> {
        let mut rest = buf.split_off(count * size_of::<f32>());
        let mut chunks = Vec::with_capacity(buf.len() / CHUNK + 1);
        while buf.len() > CHUNK {
            let tail = buf.split_off(CHUNK);
            chunks.push(std::mem::replace(&mut buf, tail));
        }
        chunks.push(buf);
        let tree = &self.team.shape.tree;
        let parent = tree.parent[self.team.me].map(|position| self.team.members[position]);
        let children: Vec<_> = tree.children(self.team.me).map(|child| self.team.members[child]).collect();
        for &child in &children {
            for chunk in &chunks {
                let scratch = self.group.scratch.take(chunk.len())?;
                self.group.ports.post_recv(child, scratch)?;
            }
        }
        let mut lent = Vec::with_capacity(chunks.len());
        for mut chunk in chunks {
            for &child in &children {
                let partial = self.group.ports.wait_received(child, chunk.len(), deadline)?;
                f32::combine(op, chunk.view_mut(), partial.view());
                self.group.scratch.keep(partial);
            }
            let shared = chunk.share();
            if let Some(parent) = parent {
                self.group.ports.post_send(parent, shared.clone())?;
            }
            lent.push(shared);
        }
        if let Some(parent) = parent {
            self.group.ports.wait_sent(parent, deadline)?;
            let mut lens = Vec::with_capacity(lent.len());
            for shared in lent.drain(..) {
                let chunk = unique(shared)?;
                lens.push(chunk.len());
                self.group.ports.post_recv(parent, chunk)?;
            }
            for len in lens {
                let shared = self.group.ports.wait_received(parent, len, deadline)?.share();
                for &child in &children {
                    self.group.ports.post_send(child, shared.clone())?;
                }
                lent.push(shared);
            }
        } else {
            for shared in &lent {
                for &child in &children {
                    self.group.ports.post_send(child, shared.clone())?;
                }
            }
        }
        for &child in &children {
            self.group.ports.wait_sent(child, deadline)?;
        }
        for shared in lent.into_iter().rev() {
            let mut chunk = unique(shared)?;
            chunk.join(rest).map_err(|_| scrambled())?;
            rest = chunk;
        }
        Ok(rest)
    }

    /// Within each host, then between the first ranks of the hosts, then within each host again.
    pub(crate) fn hierarchical(&mut self, buf: &mut Buf, count: usize, op: Op) -> Result<(), GroupError> {
        let ranks = |positions: &[usize]| -> Vec<Rank> {
            positions.iter().map(|&position| Rank(self.team.members[position] as u16)).collect()
        };
        let hosts = &self.team.shape.hosts;
        let host = hosts.iter().find(|host| host.contains(&self.team.me)).ok_or_else(scrambled)?;
        let leaders: Vec<_> = hosts.iter().map(|host| host[0]).collect();
        let leader = Rank(self.team.members[host[0]] as u16);
        let here = self.group.team(&ranks(host))?;
        let between = if host[0] == self.team.me { Some(self.group.team(&ranks(&leaders))?) } else { None };
        self.group.on(&here).all_reduce::<f32>(buf, count, op)?;
        if let Some(between) = between {
            self.group.on(&between).all_reduce::<f32>(buf, count, op)?;
        }
        self.group.on(&here).broadcast(buf, count * size_of::<f32>(), leader)
    }

    /// Every part goes from its owner to everyone, along the tree.
    pub(crate) fn flood(&mut self, parts: &mut Parts, deadline: Deadline) -> Result<(), GroupError> {
        for position in 0..self.team.members.len() {
            let part = parts[position].take().ok_or_else(scrambled)?;
            let len = part.len();
            parts[position] = Some(self.pass_on(part, len, position, deadline)?);
        }
        Ok(())
    }

    /// Broadcast along the tree, from any member.
    pub(crate) fn pass_on(
        &mut self,
        buf: Buf,
        len: usize,
        root: usize,
        deadline: Deadline,
    ) -> Result<Buf, GroupError> {
        let tree = &self.team.shape.tree;
        let me = self.team.me;
        let from = toward(&tree.parent, me, root);
        let to: Vec<_> = tree
            .children(me)
            .chain(tree.parent[me])
            .filter(|&position| Some(position) != from)
            .map(|position| self.team.members[position])
            .collect();
        let buf = match from {
            Some(from) => self.receive_front(buf, len, self.team.members[from], deadline)?,
            None => buf,
        };
        let shared = buf.share();
        for &peer in &to {
            self.group.ports.post_send(peer, shared.slice(0..len))?;
        }
        for &peer in &to {
            self.group.ports.wait_sent(peer, deadline)?;
        }
        unique(shared)
    }

    pub(crate) fn tree_barrier(&mut self, deadline: Deadline) -> Result<(), GroupError> {
        let tree = &self.team.shape.tree;
        let parent = tree.parent[self.team.me].map(|position| self.team.members[position]);
        let children: Vec<_> = tree.children(self.team.me).map(|child| self.team.members[child]).collect();
        for &child in &children {
            direct::expect(self, child, Note::Barrier, deadline)?;
        }
        if let Some(parent) = parent {
            self.group.ports.send_note(parent, &Note::Barrier.encode(), deadline)?;
            direct::expect(self, parent, Note::Barrier, deadline)?;
        }
        for &child in &children {
            self.group.ports.send_note(child, &Note::Barrier.encode(), deadline)?;
        }
        Ok(())
    }
}

/// The neighbour of `me` on the way to `root`; `None` at the root itself.
fn toward(parent: &[Option<usize>], me: usize, root: usize) -> Option<usize> {
    let mut at = root;
    while at != me {
        match parent[at] {
            Some(up) if up == me => return Some(at),
            Some(up) => at = up,
            None => return parent[me],
        }
    }
    None
}
