use tandem_fabric::{Kind, Rank};

use crate::GroupError;

/// Ranks in one group, at most.
pub const RANKS_MAX: usize = 16;

/// Who is linked to whom and by what, and what the slowest link costs. The same on every rank.
#[derive(Debug, Clone, PartialEq)]
pub struct Topology {
    size: usize,
    /// `wires[a][b]`: how `a` sees its link to `b`.
    wires: [[Wire; RANKS_MAX]; RANKS_MAX],
    pub cost: Cost,
}

/// What the choice of algorithm needs to know of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    None,
    /// Shared memory: the peer's arena is mapped here.
    Memory,
    Other,
}

/// The cost of a message of n bytes: `latency_us + n / bytes_per_us`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    pub latency_us: f32,
    pub bytes_per_us: f32,
}

impl Default for Cost {
    /// A TCP link of 10 Gb/s.
    fn default() -> Self {
        Self { latency_us: 20.0, bytes_per_us: 1250.0 }
    }
}

impl Topology {
    /// What one rank sees.
    pub(crate) fn seen_from(me: usize, kinds: &[Option<(Kind, bool)>], cost: Cost) -> Self {
        let mut wires = [[Wire::None; RANKS_MAX]; RANKS_MAX];
        for (peer, kind) in kinds.iter().enumerate() {
            wires[me][peer] = match kind {
                None => Wire::None,
                Some((_, true)) => Wire::Memory,
                Some((_, false)) => Wire::Other,
            };
        }
        Self { size: kinds.len(), wires, cost }
    }

    pub(crate) const BYTES: usize = RANKS_MAX * RANKS_MAX + 8;

    pub(crate) fn encode(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (byte, wire) in bytes.iter_mut().zip(self.wires.as_flattened()) {
            *byte = *wire as u8;
        }
        let cost = &mut bytes[RANKS_MAX * RANKS_MAX..];
        cost[..4].copy_from_slice(&self.cost.latency_us.to_le_bytes());
        cost[4..].copy_from_slice(&self.cost.bytes_per_us.to_le_bytes());
        bytes
    }

    /// Adds what a neighbour knows; the worse cost counts.
    pub(crate) fn merge(&mut self, theirs: &[u8; Self::BYTES]) {
        for (wire, byte) in self.wires.as_flattened_mut().iter_mut().zip(theirs) {
            match byte {
                1 => *wire = Wire::Memory,
                2 => *wire = Wire::Other,
                _ => {}
            }
        }
        let number = |at: usize| {
            let at = RANKS_MAX * RANKS_MAX + at;
            f32::from_le_bytes([theirs[at], theirs[at + 1], theirs[at + 2], theirs[at + 3]])
        };
        self.cost.latency_us = self.cost.latency_us.max(number(0));
        self.cost.bytes_per_us = self.cost.bytes_per_us.min(number(4));
    }

    pub(crate) fn linked(&self, a: usize, b: usize) -> bool {
        self.wires[a][b] != Wire::None && self.wires[b][a] != Wire::None
    }

    fn in_memory(&self, a: usize, b: usize) -> bool {
        self.wires[a][b] == Wire::Memory && self.wires[b][a] == Wire::Memory
    }

    /// Whether two ranks are linked.
    pub fn has(&self, a: Rank, b: Rank) -> bool {
        a.index() < self.size && b.index() < self.size && self.linked(a.index(), b.index())
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// What `members` can do with their links, or why they cannot work together.
    pub(crate) fn shape(&self, members: &[usize]) -> Result<Shape, GroupError> {
        let all = |test: &dyn Fn(usize, usize) -> bool| {
            members.iter().enumerate().all(|(i, &a)| members[..i].iter().all(|&b| test(a, b)))
        };
        let count = members.len();
        let ring = (0..count).all(|i| count < 2 || self.linked(members[i], members[(i + 1) % count]));
        Ok(Shape {
            mesh: all(&|a, b| self.linked(a, b)),
            memory: all(&|a, b| self.in_memory(a, b)),
            ring,
            tree: self.tree(members)?,
            hosts: self.hosts(members),
        })
    }

    /// Breadth-first from the first member; positions within `members`.
    fn tree(&self, members: &[usize]) -> Result<Tree, GroupError> {
        let mut tree = Tree { parent: vec![None; members.len()], order: vec![0] };
        let mut next = 0;
        while let Some(&from) = tree.order.get(next) {
            for to in 1..members.len() {
                if tree.parent[to].is_none() && self.linked(members[from], members[to]) {
                    tree.parent[to] = Some(from);
                    tree.order.push(to);
                }
            }
            next += 1;
        }
        if tree.order.len() == members.len() {
            return Ok(tree);
        }
        let cut: Vec<_> =
            (0..members.len()).filter(|i| !tree.order.contains(i)).map(|i| members[i]).collect();
        Err(GroupError::Usage(format!("ranks {cut:?} have no path of links to rank {}", members[0])))
    }

    /// Members that share memory, transitively, grouped by their first; positions within `members`.
    fn hosts(&self, members: &[usize]) -> Vec<Vec<usize>> {
        let mut hosts: Vec<Vec<usize>> = Vec::new();
        for position in 0..members.len() {
            let near = |host: &&mut Vec<usize>| {
                host.iter().all(|&other| self.in_memory(members[position], members[other]))
            };
            match hosts.iter_mut().find(near) {
                Some(host) => host.push(position),
                None => hosts.push(vec![position]),
            }
        }
        hosts
    }
}

/// What a team's links allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) mesh: bool,
    /// Every pair shares memory.
    pub(crate) memory: bool,
    /// Each member is linked to the next, and the last to the first.
    pub(crate) ring: bool,
    pub(crate) tree: Tree,
    pub(crate) hosts: Vec<Vec<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) parent: Vec<Option<usize>>,
    /// Parents before children.
    pub(crate) order: Vec<usize>,
}

impl Tree {
    pub(crate) fn children(&self, of: usize) -> impl Iterator<Item = usize> {
        self.order.iter().copied().filter(move |&child| self.parent[child] == Some(of))
    }
}
