//! Models of this machine as a service for the HTTP APIs.
//!
//! - [`answer`], [`count_tokens`] and [`embed`]: what the API asks, put to one loaded model, wherever its tokens are made.
//! - [`engine_metrics`], [`rank_metrics`]: what engines and ranks tell of themselves, for `/metrics`.
//! - [`LocalService`]: every model in the store, loaded when it is first asked for.
//!
//! This crate stands between `api` and `runtime`. It knows no HTTP, no sockets and no ranks: whoever starts it says how a
//! model is opened.

mod answering;
mod catalogue;
mod local_service;
mod metrics;

pub use answering::{answer, count_tokens, embed};
pub use catalogue::{Catalogue, Known};
pub use local_service::{LocalService, Opened, Opener, Trouble, unsound_note};
pub use metrics::{engine_metrics, rank_metrics};
