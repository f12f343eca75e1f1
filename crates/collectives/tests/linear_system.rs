//! Runs the example, which has to pass HPL's check on every number of ranks. Its own `main`, because ranks are processes.

#[allow(dead_code)]
#[path = "../examples/linear_system.rs"]
mod linear_system;

use tandem_fabric::local::{LinkChoice, Seat};

fn main() {
    if let Some(seat) = Seat::from_env() {
        return linear_system::member(&seat).unwrap();
    }
    for (unknowns, ranks, link) in [
        (1, 1, LinkChoice::Shm),
        (130, 1, LinkChoice::Shm),
        (300, 2, LinkChoice::Shm),
        (641, 2, LinkChoice::Tcp),
        (333, 3, LinkChoice::Tcp),
    ] {
        let said = linear_system::start(unknowns, ranks, link).unwrap();
        assert!(said.contains("PASSED"), "{said}");
        print!("{said}");
    }
}
