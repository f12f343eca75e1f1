//! Messages whose sender does not wait until they are sent.

use tandem_collectives::{Group, GroupError};
use tandem_fabric::{Buf, Rank, SharedBuf};

/// Registered buffers that take turns: one is filled and sent while those before it are still on their way.
pub struct Outbox {
    slots: Vec<Option<Slot>>,
    next: usize,
}

enum Slot {
    Free(Buf),
    /// With the last of those it was sent to.
    Sent(SharedBuf, Rank),
}

impl Outbox {
    /// `count` buffers of `bytes`.
    pub fn new(group: &Group, count: usize, bytes: usize) -> Result<Outbox, GroupError> {
        let slot = |_| Ok(Some(Slot::Free(group.arena().alloc(bytes)?)));
        Ok(Outbox { slots: (0..count).map(slot).collect::<Result<_, GroupError>>()?, next: 0 })
    }

    /// The next buffer, once what it held has been sent.
    pub fn take(&mut self, group: &mut Group) -> Result<Buf, GroupError> {
        match self.slots[self.next].take() {
            Some(Slot::Free(buf)) => Ok(buf),
            Some(Slot::Sent(shared, last)) => group.reclaim(shared, last),
            // It was taken and not sent, or lost with its group.
            None => Err(GroupError::Usage("a message was left unsent".into())),
        }
    }

    /// Sends what was written into the buffer taken last: `cuts` of it, each as a message, to all of `to`.
    pub fn send(
        &mut self,
        group: &mut Group,
        buf: Buf,
        cuts: &[std::ops::Range<usize>],
        to: impl Iterator<Item = Rank>,
    ) -> Result<(), GroupError> {
        let shared = buf.share();
        let mut last = None;
        for rank in to {
            for cut in cuts.iter().filter(|cut| !cut.is_empty()) {
                group.post(shared.slice(cut.clone()), rank)?;
            }
            last = Some(rank);
        }
        self.slots[self.next] = Some(match last {
            Some(rank) => Slot::Sent(shared, rank),
            None => Slot::Free(
                shared.into_unique().map_err(|_| GroupError::Usage("a buffer has two owners".into()))?,
            ),
        });
        self.next = (self.next + 1) % self.slots.len();
        Ok(())
    }
}
