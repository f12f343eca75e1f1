//! Where a model goes.
//!
//! - [`plan`]: a pure function from what a model takes ([`ModelFacts`]), what nodes have ([`Machine`], [`Links`]) and what a
//!   person pinned ([`Pins`]) to a [`Plan`], or a [`Refusal`] with the numbers.
//!
//! The rule is speed and fit: of all ways to divide the model that fit with their cache, the one that decodes a single stream
//! fastest, by bytes read per token and messages per layer. This crate does no IO and knows no tensors: only sizes.

mod estimate;
mod facts;
mod pins;
mod planner;

pub use facts::{Link, Links, Machine, ModelFacts};
pub use pins::{Cache, Parallelism, Pins};
pub use planner::{Plan, PlanRank, PlanStage, Refusal, plan};
