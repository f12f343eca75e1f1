//! Unsafe because slots are raw shared memory, written by one process and read by another.
#![allow(unsafe_code)]

use std::{
    cell::UnsafeCell,
    ptr,
    sync::atomic::{AtomicU32, Ordering},
};

use crate::NOTE_MAX;

pub(super) const SLOTS: u32 = 64;
/// The reader tells the writer about freed slots this often, to keep that line out of the way.
const RETURN_EVERY: u32 = SLOTS / 4;

/// A single-producer single-consumer ring in shared memory. All zero is the empty ring.
///
/// The writer fills a slot and then stores its ticket (position + 1) into `ticket`; the reader waits for exactly that ticket, so
/// data and signal travel in the same cache line when the data are short.
#[repr(C, align(128))]
pub(super) struct Ring {
    freed: Line,
    slots: [Slot; SLOTS as usize],
}

#[repr(C, align(128))]
struct Line(AtomicU32);

#[repr(C, align(128))]
struct Slot {
    ticket: AtomicU32,
    len: UnsafeCell<u32>,
    bytes: UnsafeCell<[u8; NOTE_MAX]>,
}

// SAFETY: cells are written before the ticket's release store and read after its acquire load.
unsafe impl Sync for Ring {}

/// The writer's private position.
#[derive(Debug, Default)]
pub(super) struct Writer {
    next: u32,
    freed: u32,
}

impl Writer {
    /// Copies `bytes` into the ring if there is room. `bytes` must not be longer than `NOTE_MAX`.
    #[inline]
    pub(super) fn push(&mut self, ring: &Ring, bytes: &[u8]) -> bool {
        if self.next.wrapping_sub(self.freed) >= SLOTS {
            self.freed = ring.freed.0.load(Ordering::Acquire);
            if self.next.wrapping_sub(self.freed) >= SLOTS {
                return false;
            }
        }
        let slot = &ring.slots[(self.next % SLOTS) as usize];
        let len = bytes.len().min(NOTE_MAX);
        // SAFETY: the reader has freed this slot and looks at it only after the ticket below; `len` fits.
        unsafe {
            *slot.len.get() = len as u32;
            ptr::copy_nonoverlapping(bytes.as_ptr(), slot.bytes.get().cast(), len);
        }
        self.next = self.next.wrapping_add(1);
        slot.ticket.store(self.next, Ordering::Release);
        true
    }
}

/// The reader's private position.
#[derive(Debug, Default)]
pub(super) struct Reader {
    next: u32,
}

impl Reader {
    #[inline]
    pub(super) fn ready(&self, ring: &Ring) -> bool {
        let slot = &ring.slots[(self.next % SLOTS) as usize];
        slot.ticket.load(Ordering::Acquire) == self.next.wrapping_add(1)
    }

    /// Copies the next entry out if there is one; returns its length.
    #[inline]
    pub(super) fn pop(&mut self, ring: &Ring, into: &mut [u8; NOTE_MAX]) -> Option<usize> {
        let slot = &ring.slots[(self.next % SLOTS) as usize];
        if slot.ticket.load(Ordering::Acquire) != self.next.wrapping_add(1) {
            // An entry over 56 bytes spans two lines: ask for the second while waiting for the first.
            prefetch(slot.bytes.get().cast::<u8>().wrapping_add(64));
            return None;
        }
        // SAFETY: the ticket says that the writer has finished this slot; it will not touch it until it is freed. The length is
        // the other process's word, hence the limit.
        let len = unsafe {
            let len = (*slot.len.get() as usize).min(NOTE_MAX);
            ptr::copy_nonoverlapping(slot.bytes.get().cast(), into.as_mut_ptr(), len);
            len
        };
        self.next = self.next.wrapping_add(1);
        if self.next.is_multiple_of(RETURN_EVERY) {
            ring.freed.0.store(self.next, Ordering::Release);
        }
        Some(len)
    }
}

#[inline]
fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint; any address is allowed.
    unsafe {
        std::arch::x86_64::_mm_prefetch(address.cast(), std::arch::x86_64::_MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_bounds() {
        // SAFETY: all zero is the empty ring.
        let ring: Box<Ring> = unsafe { Box::new_zeroed().assume_init() };
        let (mut writer, mut reader) = (Writer::default(), Reader::default());
        let mut into = [0; NOTE_MAX];
        assert_eq!(reader.pop(&ring, &mut into), None);
        let (mut sent, mut taken) = (0u32, 0u32);
        for round in 0..200 {
            while writer.push(&ring, &sent.to_le_bytes()[..(sent % 5) as usize]) {
                sent += 1;
            }
            assert!(sent - taken >= SLOTS - RETURN_EVERY && sent - taken <= SLOTS);
            for _ in 0..(round % 70) {
                let Some(len) = reader.pop(&ring, &mut into) else { break };
                assert_eq!(into[..len], taken.to_le_bytes()[..(taken % 5) as usize]);
                taken += 1;
            }
        }
        assert!(taken > 1000);
    }
}
