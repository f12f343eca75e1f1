//! Who takes which chunk of the work between two barriers.
//!
//! Every seat has a counter of the chunks of its part that were taken. Its owner takes them from its own cache line, one after
//! another, so that memory is read forwards; who is done with its own takes from the others'. A counter is never reset: it says
//! which barrier it was last used after, and counts from nothing after the next.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Padded;

/// Bits of a counter that count chunks; those above are the barrier's number.
const CHUNK_BITS: u32 = 24;
const CHUNK_MASK: u64 = (1 << CHUNK_BITS) - 1;

pub(super) struct Claims {
    counters: Vec<Padded<AtomicU64>>,
}

impl Claims {
    pub(super) fn new(counters: usize) -> Claims {
        // Barriers are numbered from one, so that these are of another.
        Claims { counters: (0..counters).map(|_| Padded(AtomicU64::new(0))).collect() }
    }

    /// The next of `0..chunks` of this counter since barrier `epoch`, unless all are taken.
    ///
    /// # Panics
    /// Where there are more chunks than a counter can count.
    pub(super) fn next(&self, counter: usize, epoch: u64, chunks: usize) -> Option<usize> {
        assert!(chunks as u64 <= CHUNK_MASK, "{chunks} chunks of work are too many");
        let epoch = epoch & (u64::MAX >> CHUNK_BITS);
        let counter = &self.counters[counter].0;
        let mut found = counter.load(Ordering::Relaxed);
        loop {
            let taken = if found >> CHUNK_BITS == epoch { found & CHUNK_MASK } else { 0 };
            if taken >= chunks as u64 {
                return None;
            }
            let claimed = epoch << CHUNK_BITS | (taken + 1);
            match counter.compare_exchange_weak(found, claimed, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(taken as usize),
                Err(other) => found = other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_given_once_and_anew_after_a_barrier() {
        let claims = Claims::new(2);
        for epoch in [1, 2, u64::MAX, u64::MAX.wrapping_add(1)] {
            for counter in [0, 1] {
                let taken: Vec<_> = std::iter::from_fn(|| claims.next(counter, epoch, 3)).collect();
                assert_eq!(taken, [0, 1, 2], "after barrier {epoch}");
                assert_eq!(claims.next(counter, epoch, 3), None);
            }
        }
        assert_eq!(claims.next(0, 7, 0), None);
    }
}
