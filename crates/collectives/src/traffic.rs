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
