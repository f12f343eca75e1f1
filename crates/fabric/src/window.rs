//! Unsafe because the memory belongs to another process.
#![allow(unsafe_code)]

use std::ptr::NonNull;

use crate::mapping::Mapping;

/// A peer's whole arena, mapped into this process.
///
/// It only hands out raw pointers: whether the peer is using a range right now is a matter of the protocol above, which must agree with
/// the peer, through notes, on who touches what and when.
#[derive(Debug)]
pub struct Window {
    mapping: Mapping,
}

impl Window {
    pub(crate) fn new(mapping: Mapping) -> Self {
        Self { mapping }
    }

    /// The address here of the peer's `offset..offset + len`, or `None` where that leaves the arena.
    pub fn range(&self, offset: usize, len: usize) -> Option<NonNull<u8>> {
        let end = offset.checked_add(len)?;
        if end > self.mapping.len() {
            return None;
        }
        // SAFETY: `offset` is within the mapping, which lives as long as `self`.
        Some(unsafe { self.mapping.base().add(offset) })
    }

    pub fn len(&self) -> usize {
        self.mapping.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
