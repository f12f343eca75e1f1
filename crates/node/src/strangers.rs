//! Callers that have not yet shown who they are: a bounded number, and of each address only some of them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone, Default)]
pub struct Strangers {
    by_address: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A stranger's place, free again when this is dropped.
pub struct Place {
    address: IpAddr,
    strangers: Strangers,
}

const ALL_MAX: usize = 128;
/// So that one address cannot keep all others out.
const PER_ADDRESS_MAX: usize = 16;

impl Strangers {
    pub fn let_in(&self, address: IpAddr) -> Option<Place> {
        let address = address.to_canonical();
        let mut by_address = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        let of_this = by_address.get(&address).copied().unwrap_or(0);
        if of_this >= PER_ADDRESS_MAX || by_address.values().sum::<usize>() >= ALL_MAX {
            return None;
        }
        by_address.insert(address, of_this + 1);
        Some(Place { address, strangers: self.clone() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut by_address = self.strangers.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = by_address.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                by_address.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_does_not_keep_others_out() {
        let strangers = Strangers::default();
        let address = |last: u8| IpAddr::from([10, 0, 0, last]);
        let mut places: Vec<_> = (0..100).filter_map(|_| strangers.let_in(address(1))).collect();
        assert_eq!(places.len(), PER_ADDRESS_MAX);
        places.extend(strangers.let_in(address(2)));
        assert_eq!(places.len(), PER_ADDRESS_MAX + 1);
        places.extend((3..=255).filter_map(|last| strangers.let_in(address(last))));
        assert_eq!(places.len(), ALL_MAX);
        drop(places);
        assert!(strangers.let_in(address(1)).is_some());
        assert!(strangers.by_address.lock().unwrap().is_empty());
    }
}
