//! All-reduce and its kin over a group of ranks.
//!
//! A [`Group`] owns this rank's links to the others and carries out collectives over them: all-reduce, reduce-scatter, all-gather,
//! broadcast, send/receive, barrier; among everyone or among a [`Team`]. It picks an [`Algorithm`] from the size and the links, and
//! knows nothing of what the numbers mean, nor of how links work: that is `tandem-fabric`.
//!
//! Every rank ends up with the same bits. Every wait ends by the group's timeout; a lost rank is named to all survivors.

pub mod bench;
pub mod local;

mod algorithm;
mod board;
mod direct;
mod element;
mod error;
mod group;
mod overlap;
mod ports;
mod relay;
mod scatter;
mod scope;
mod scratch;
mod topology;
mod traffic;

pub use algorithm::Algorithm;
pub use element::{Element, Op};
pub use error::GroupError;
pub use group::{Group, GroupOptions, Team};
pub use scope::{Pending, Scope};
pub use topology::{Cost, RANKS_MAX, Topology};
pub use traffic::Traffic;
