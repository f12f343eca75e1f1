//! Unsafe because a device writes to the slots; who may touch one when is decided by the link's posts and completions.
#![allow(unsafe_code)]

use std::ops::Range;

use super::classes::Class;
use crate::{Arena, ArenaError};

/// Pieces of registered memory, by class: some for arriving SENDs, others for outgoing ones.
pub(super) struct Slots {
    arena: Arena,
    places: Vec<Place>,
    /// Free ones to send from, by class.
    free: Vec<Vec<u16>>,
}

struct Place {
    offset: usize,
    bytes: usize,
    class: u8,
    receives: bool,
}

impl Slots {
    pub fn new(classes: &[Class]) -> Result<Self, ArenaError> {
        let (mut places, mut free, mut end) = (Vec::new(), Vec::new(), 0);
        for (at, class) in classes.iter().enumerate() {
            let first_to_send = places.len() as u16 + class.receive_slots;
            for slot in 0..class.receive_slots + class.send_slots {
                let receives = slot < class.receive_slots;
                places.push(Place { offset: end, bytes: class.slot_bytes, class: at as u8, receives });
                end += class.slot_bytes;
            }
            free.push((first_to_send..places.len() as u16).collect());
        }
        Ok(Self { arena: Arena::new(end)?, places, free })
    }

    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    pub fn offset(&self, slot: u16) -> usize {
        self.places[usize::from(slot)].offset
    }

    /// The class of a receive slot and its length; `None` if there is no such slot.
    pub fn receiving(&self, slot: u16) -> Option<(usize, usize)> {
        let place = self.places.get(usize::from(slot)).filter(|place| place.receives)?;
        Some((usize::from(place.class), place.bytes))
    }

    /// All receive slots of a class.
    pub fn receive_slots(&self, class: usize) -> impl Iterator<Item = u16> + '_ {
        let of_class = move |slot: &u16| self.receiving(*slot).is_some_and(|(found, _)| found == class);
        (0..self.places.len() as u16).filter(of_class)
    }

    /// Takes a slot to send from.
    pub fn take(&mut self, class: usize) -> Option<u16> {
        self.free[class].pop()
    }

    pub fn give_back(&mut self, slot: u16) {
        self.free[usize::from(self.places[usize::from(slot)].class)].push(slot);
    }

    /// What a device wrote to a receive slot. Only between its completion and posting it again.
    pub fn received(&self, slot: u16, range: Range<usize>) -> &[u8] {
        let place = &self.places[usize::from(slot)];
        assert!(place.receives && range.start <= range.end && range.end <= place.bytes);
        // SAFETY: the range lies within the slot, and the device is done with it.
        unsafe {
            let start = self.arena.base().as_ptr().add(place.offset + range.start);
            std::slice::from_raw_parts(start, range.len())
        }
    }

    /// A slot obtained from `take` and not yet posted.
    pub fn outgoing(&mut self, slot: u16) -> &mut [u8] {
        let place = &self.places[usize::from(slot)];
        assert!(!place.receives);
        // SAFETY: within the arena; a taken slot is nobody else's until it is posted.
        unsafe {
            let start = self.arena.base().as_ptr().add(place.offset);
            std::slice::from_raw_parts_mut(start, place.bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::Rules;

    #[test]
    fn slots_lie_side_by_side_and_belong_to_one_class() {
        let classes = Rules::Thunderbolt.classes();
        let mut slots = Slots::new(classes).unwrap();
        let mut end = 0;
        for place in &slots.places {
            assert_eq!((place.offset, place.bytes), (end, classes[usize::from(place.class)].slot_bytes));
            end += place.bytes;
        }
        assert!(end <= slots.arena.len());
        for (at, class) in classes.iter().enumerate() {
            assert_eq!(slots.receive_slots(at).count(), usize::from(class.receive_slots));
            let taken: Vec<u16> = std::iter::from_fn(|| slots.take(at)).collect();
            assert_eq!(taken.len(), usize::from(class.send_slots));
            for slot in taken {
                assert_eq!(slots.receiving(slot), None);
                assert_eq!(slots.outgoing(slot).len(), class.slot_bytes);
                slots.give_back(slot);
            }
        }
        assert_eq!(slots.receiving(u16::MAX), None);
    }
}
