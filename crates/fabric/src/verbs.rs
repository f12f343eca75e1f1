//! The verbs link: RDMA devices through the system's verbs library, loaded at run time.
//!
//! [`VerbsMethod`] finds the cable to a peer and opens a [`VerbsLink`] over it. Two sets of [`Rules`] exist: reliable connections
//! on Linux, and what macOS allows over Thunderbolt. `sys` is the library's ABI; `device`, `region`, `completion_queue` and
//! `queue_pair` make its objects safe to own, each keeping alive what it is made from; the rest is the link's protocol, which
//! [`VerbsLink`] describes. Nothing here knows who the peer is or whether it may connect: offers come over a
//! control channel that has settled that.

mod classes;
mod completion_queue;
mod device;
mod error;
mod header;
mod incoming;
mod lane;
#[cfg(test)]
mod layout;
mod link;
mod method;
mod offer;
mod outgoing;
mod queue_pair;
mod region;
mod rules;
mod slots;
mod sys;
mod turn;

pub use device::{Device, Gid, Port, device_names};
pub use error::VerbsError;
pub use link::VerbsLink;
pub use method::{VerbsMethod, VerbsOptions};
pub use rules::Rules;
