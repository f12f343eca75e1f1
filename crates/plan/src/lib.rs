//! Where a model goes, and what it will give.
//!
//! - [`plan`]: a pure function from what a model takes ([`ModelFacts`]), what nodes have ([`Machine`], [`Links`]) and what a
//!   person pinned ([`Pins`]) to a [`Plan`], or a [`Refusal`] with the numbers.
//! - [`cache_room`]: how many tokens the cache of a model holds, wherever it is loaded.
//! - `predictor`: how fast a division is and where a token's time goes, from bytes, arithmetic, layers and links. Its
//!   [`Constants`] are fitted to published measurements; `backtest` fits them anew without each source and compares.
//! - [`Run`]: what was measured in this cluster, which corrects predictions ([`plan_knowing`]).
//! - [`Setup`]: machines and cables that need not be here, by the names of [`Hardware`]; [`Outlook`]: what a model would give on them.
//!
//! The rule is speed and fit: of all ways to divide the model that fit with their cache, the one that decodes a single stream
//! fastest. This crate does no IO and knows no tensors: only sizes.

#[cfg(test)]
mod backtest;
mod cache_room;
mod constants;
mod device;
mod experience;
mod facts;
mod hardware;
mod outlook;
mod pins;
mod planner;
mod predictor;
mod setup;
#[cfg(test)]
mod snapshot;

pub use cache_room::{CONTEXT_MIN, CacheRoom, CacheWish, NoRoom, SEQUENCES_MAX, cache_room, room_bytes};
pub use constants::Constants;
pub use device::{Device, DeviceKind, Reached};
pub use experience::{Ratios, Run};
pub use facts::{ExpertFacts, Link, Links, Machine, ModelFacts};
pub use hardware::{Cable, Chip, Hardware};
pub use outlook::{Answer, Choice, Energy, Outlook, Question, clusters};
pub use pins::{Cache, Parallelism, Pins, Wire};
pub use planner::{Plan, PlanRank, PlanStage, RANKS_MAX, Refusal, plan, plan_knowing};
pub use predictor::{Prediction, TokenTime, Workload};
pub use setup::{Setup, SetupError, SetupMachine};
