//! One model over several ranks.
//!
//! - [`Blueprint`]: which rank holds which part of which model. It leaves no choices to those who carry it out.
//! - [`Leader`]: rank 0's session. It looks like any other to the engine, and makes the others step along.
//! - [`serve`]: what every other rank does until it is told to stop.
//! - [`local`]: ranks as processes of this machine.
//!
//! This crate knows groups and programs; it refuses to know text, requests, and how processes find each other.

mod blueprint;
mod leader;
pub mod local;
mod message;
mod peers;
mod worker;

pub use blueprint::{Blueprint, BlueprintError, Stage};
pub use leader::Leader;
pub use worker::{WorkerError, open_rank, serve};
