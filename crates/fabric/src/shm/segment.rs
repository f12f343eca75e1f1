//! Unsafe because a mapping is looked at as a structure.
#![allow(unsafe_code)]

use std::{
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::atomic::{AtomicU32, AtomicU64},
};

use super::{doorbell::Doorbell, ring::Ring};
use crate::{
    Side,
    mapping::{Mapping, anonymous_memory},
};

/// The memory two ends of a link share: one half written by each.
pub(super) struct Segment {
    mapping: Mapping,
    side: Side,
}

/// What one side writes and the other reads, except for the doorbell.
#[repr(C, align(128))]
pub(super) struct Half {
    pub(super) notes: Ring,
    /// Where the messages lie that this side sends.
    pub(super) messages: Ring,
    /// How many messages this side has received, in its own line: the sender's completions.
    pub(super) received: Count,
    /// Not zero once this side has closed.
    pub(super) closed: Flag,
    /// On which this side sleeps.
    pub(super) doorbell: Doorbell,
}

#[repr(C, align(128))]
pub(super) struct Count(pub(super) AtomicU64);

#[repr(C, align(128))]
pub(super) struct Flag(pub(super) AtomicU32);

const LEN: usize = size_of::<[Half; 2]>().next_multiple_of(16 << 10);

impl Segment {
    /// A new segment, all empty, and the descriptor to give to the other side.
    pub(super) fn create() -> io::Result<(Self, OwnedFd)> {
        let fd = anonymous_memory(LEN)?;
        let mapping = Mapping::of(fd.as_fd(), LEN)?;
        Ok((Self { mapping, side: Side::Lead }, fd))
    }

    /// The segment that the other side created.
    pub(super) fn open(fd: BorrowedFd<'_>) -> io::Result<Self> {
        Ok(Self { mapping: Mapping::of_whole(fd, LEN)?, side: Side::Follow })
    }

    #[inline]
    pub(super) fn ours(&self) -> &Half {
        self.half(self.side == Side::Follow)
    }

    #[inline]
    pub(super) fn theirs(&self) -> &Half {
        self.half(self.side == Side::Lead)
    }

    #[inline]
    fn half(&self, second: bool) -> &Half {
        // SAFETY: the mapping is page-aligned, long enough for both halves, and every bit pattern is a valid `Half`, which consists of
        // atomics and cells only.
        unsafe { &*self.mapping.base().cast::<Half>().as_ptr().add(usize::from(second)) }
    }
}
