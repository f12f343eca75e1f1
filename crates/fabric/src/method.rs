use crate::{Deadline, Kind, Link};

/// One way to open a link between two processes that share an authenticated control channel.
///
/// [`establish`](crate::establish) walks a list of methods, the same list on both sides, and for each:
/// 1. calls [`Method::offer`] on both sides and exchanges the results over the control channel;
/// 2. if both offered, calls [`Method::connect`] on both sides with the other's offer;
/// 3. exchanges whether that worked. This doubles as a barrier: when `establish` returns, both sides have finished
///    `connect`, so anything that must exist before the first send (posted receives, credits) belongs in `connect`.
///
/// If either side fails, the link of the other is dropped and the next method is tried.
pub trait Method {
    fn kind(&self) -> Kind;

    /// What the other side needs to know to connect, at most [`OFFER_MAX`] bytes; or, in words for the user, why this
    /// method is not available here. Must not take longer than `deadline`.
    fn offer(&mut self, deadline: Deadline) -> Result<Vec<u8>, String>;

    /// Connects, given the peer's offer (bytes from the network: parse with care). Both sides run this at the same time.
    fn connect(&mut self, peer_offer: &[u8], side: Side, deadline: Deadline)
    -> Result<Box<dyn Link>, String>;
}

/// The longest offer in bytes.
pub const OFFER_MAX: usize = 4096;

/// Breaks the symmetry between the two ends: the lower rank leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Lead,
    Follow,
}
