//! Links between the ranks of a distributed program, at microsecond latency.
//!
//! One interface, [`Link`], over four transports: RDMA verbs, shared memory, TCP, and an in-process link with injected faults
//! for tests. This crate knows how bytes get from one rank to one other rank, how memory is registered for that
//! ([`Arena`]), and how to notice that the other rank is gone. It refuses to know what the bytes mean and that there may be
//! more than two ranks: that is `tandem-collectives`.
//!
//! * [`Arena`] hands out [`Buf`]s, which are registered memory with one owner. Posting one to a link takes it away; its
//!   completion gives it back.
//! * [`Link`] moves notes (small, copied) and messages (any size, from buffers).
//! * [`Health`] measures a link and says what is wrong with it.
//! * [`Method`] opens a link; [`establish`] picks the best one both sides can use. [`Meeting`] does so between all processes of a group,
//!   and its [`Pulse`] says who is alive from then on.

pub mod bench;
pub mod conformance;
pub mod local;

mod affinity;
mod arena;
mod bundle;
mod control;
mod deadline;
mod delayed;
mod descriptors;
mod error;
mod establish;
mod gate;
mod handshake;
mod health;
mod histogram;
mod link;
mod mapping;
mod meeting;
mod mem;
mod method;
mod monotonic;
mod pulse;
mod rank;
mod readiness;
mod route;
mod secrecy;
mod secret;
mod shm;
mod tcp;
pub mod verbs;
mod wait;
mod window;

pub use affinity::{pin_to_core, pin_to_cores, usable_cores};
pub use arena::{Arena, ArenaError, Buf, SharedBuf};
pub use bundle::{Bundle, BundleError};
pub use control::Control;
pub use deadline::Deadline;
pub use delayed::Delayed;
pub use error::{LinkError, Lost};
pub use establish::{EstablishError, Established, establish};
pub use health::{Event, Expectation, Health, Measured, ProbeError};
pub use histogram::Histogram;
pub use link::{Completion, Counters, Kind, Link, NOTE_MAX};
pub use meeting::{Attended, Encryption, LinkTerms, Lobby, Meeting, MeetingError};
pub use mem::{Faults, MemLink};
pub use method::{Method, OFFER_MAX, Side};
pub use pulse::Pulse;
pub use rank::Rank;
pub use route::Route;
pub use secrecy::Secrecy;
pub use secret::Secret;
pub use shm::{ShmLink, ShmMethod};
pub use tcp::{Cipher, Protection, TcpLink, TcpMethod, TcpOptions};
pub use wait::{LinkExt, Patience, Step};
pub use window::Window;
