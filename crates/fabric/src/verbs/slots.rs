//! Unsafe because a device writes to the slots; who may touch one when is decided by the link's posts and completions.
#![allow(unsafe_code)]

use std::ops::Range;

use crate::{Arena, ArenaError};

/// Equal pieces of registered memory: the first `receive` of them for arriving SENDs, the others for outgoing ones.
pub(super) struct Slots {
    arena: Arena,
    slot_bytes: usize,
    receive: u16,
    free: Vec<u16>,
}

impl Slots {
    pub fn new(slot_bytes: usize, receive: u16, send: u16) -> Result<Self, ArenaError> {
        let arena = Arena::new(slot_bytes * usize::from(receive + send))?;
        Ok(Self { arena, slot_bytes, receive, free: (receive..receive + send).collect() })
    }

    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    pub fn slot_bytes(&self) -> usize {
        self.slot_bytes
    }

    pub fn receive_count(&self) -> u16 {
        self.receive
    }

    pub fn offset(&self, slot: u16) -> usize {
        usize::from(slot) * self.slot_bytes
    }

    /// Takes a slot to send from.
    pub fn take(&mut self) -> Option<u16> {
        self.free.pop()
    }

    pub fn give_back(&mut self, slot: u16) {
        self.free.push(slot);
    }

    /// What a device wrote to a receive slot. Only between its completion and posting it again.
    pub fn received(&self, slot: u16, range: Range<usize>) -> &[u8] {
        assert!(slot < self.receive && range.start <= range.end && range.end <= self.slot_bytes);
        // SAFETY: the range lies within the slot, and the device is done with it.
        unsafe {
            let start = self.arena.base().as_ptr().add(self.offset(slot) + range.start);
            std::slice::from_raw_parts(start, range.len())
        }
    }

    /// A slot obtained from `take` and not yet posted.
    pub fn outgoing(&mut self, slot: u16) -> &mut [u8] {
        assert!(slot >= self.receive && self.offset(slot) + self.slot_bytes <= self.arena.len());
        // SAFETY: within the arena; a taken slot is nobody else's until it is posted.
        unsafe {
            let start = self.arena.base().as_ptr().add(self.offset(slot));
            std::slice::from_raw_parts_mut(start, self.slot_bytes)
        }
    }
}
