//! One model over several ranks.
//!
//! - [`Blueprint`]: which rank holds which part of which model. It leaves no choices to those who carry it out.
//! - [`WorkerProcess`]: one rank as a process, seen from whoever started it; [`work`] is what it does. A [`Task`] tells it
//!   what to be, and rank 0's [`RemoteEngine`] answers token requests.
//! - [`LocalGroup`]: all ranks on this machine; [`LastingGroup`] starts them again when one is lost.
//! - [`Leader`] and [`serve`]: the step across ranks. Rank 0's session looks like any other to the engine, and makes the
//!   others step along.
//!
//! This crate knows groups and programs; it refuses to know text, and how nodes find each other.

mod blueprint;
mod lasting;
mod leader;
mod local;
mod message;
mod outbox;
mod peers;
mod protocol;
mod registered;
mod remote_engine;
mod results;
mod work;
mod worker;
mod worker_process;

pub use blueprint::{Blueprint, BlueprintError, Cable, Overlap, Stage};
pub use lasting::LastingGroup;
pub use leader::Leader;
pub use local::{LinkChoice, LocalError, LocalGroup, LocalNodes};
pub use protocol::{Failure, LinkReport, Ready, Spent, Task};
pub use remote_engine::RemoteEngine;
pub use work::{MakeGrammars, work, work_with};
pub use worker::{Exchange, WorkerError, open_rank, serve};
pub use worker_process::{News, WorkerProcess};
