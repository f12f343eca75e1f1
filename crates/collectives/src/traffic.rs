//! How many bytes came from each other rank.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use crate::topology::RANKS_MAX;

/// Counted by the group's thread, read from any. Cheap to clone; every clone counts the same.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    got: Arc<[AtomicU64; RANKS_MAX]>,
}

impl Traffic {
    /// Bytes of messages from each rank, by its number, and of its memory that was read here, since the group was formed.
    pub fn bytes(&self) -> [u64; RANKS_MAX] {
        std::array::from_fn(|peer| self.got[peer].load(Relaxed))
    }

    /// Only the group's thread calls this.
    pub(crate) fn add(&self, peer: usize, bytes: usize) {
        let got = &self.got[peer];
        got.store(got.load(Relaxed) + bytes as u64, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use tandem_fabric::{Arena, Link, Rank, ShmLink};

    use crate::{Group, GroupOptions, Op};

    #[test]
    fn what_comes_from_another_rank_is_counted_however_it_comes() {
        let arenas = [Arena::new(1 << 20).unwrap(), Arena::new(1 << 20).unwrap()];
        let (a, b) = ShmLink::pair((Rank(0), &arenas[0]), (Rank(1), &arenas[1])).unwrap();
        let links: [Box<dyn Link>; 2] = [Box::new(a), Box::new(b)];
        let rank = |(me, (link, arena)): (usize, (Box<dyn Link>, Arena))| {
            thread::spawn(move || {
                let links = if me == 0 { vec![None, Some(link)] } else { vec![Some(link), None] };
                let mut group = Group::form(Rank(me as u16), links, &arena, GroupOptions::default()).unwrap();
                let (traffic, other) = (group.traffic(), 1 - me);
                let mut buf = arena.alloc(64 << 10).unwrap();
                // Short sums go over boards, long ones from memory to memory, messages over the link.
                for bytes in [16, 64 << 10] {
                    let before = traffic.bytes()[other];
                    group.all_reduce::<f32>(&mut buf, bytes / 4, Op::Sum).unwrap();
                    assert!(traffic.bytes()[other] >= before + bytes as u64, "{bytes}");
                }
                let before = traffic.bytes()[other];
                match me {
                    0 => group.send(&mut buf, 1000, Rank(1)).unwrap(),
                    _ => group.recv(&mut buf, 1000, Rank(0)).unwrap(),
                }
                assert_eq!(traffic.bytes()[other] - before >= 1000, me == 1);
                assert_eq!(traffic.bytes()[me], 0);
                group.barrier().unwrap();
            })
        };
        let ranks: Vec<_> = links.into_iter().zip(arenas).enumerate().map(rank).collect();
        ranks.into_iter().for_each(|rank| rank.join().unwrap());
    }
}
