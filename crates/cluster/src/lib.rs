//! The cluster's state machine: which nodes belong, which are alive, which models run where, and what becomes of requests when
//! nodes are lost.
//!
//! - [`Core`]: one node's state machine. [`Core::handle`] takes an [`Input`] and the time and returns [`Action`]s; it opens no
//!   socket, reads no clock and draws no random number, so that a simulation can run whole clusters through every fault.
//! - [`Shared`]: what all nodes agree on in the end (members, wanted models, invitations). It merges in any order to the same
//!   result, so that no majority is needed: a cluster of two survives the loss of either.
//! - [`Assignment`]: one [`Generation`] of an instance: which nodes hold which ranks, under a secret of its own.
//! - [`Planner`]: decides where a model goes; this crate only decides when to ask.
//! - [`Ledger`]: what the client of one request has of its answer.
//!
//! Every node beats to every other. The lowest live node coordinates, and gives every placement a generation that nobody else
//! can give. Both sides of a partition may serve, on disjoint nodes; when they meet again, the lower generation retires. The
//! node that took a request sees it through: when the instance that works on it is lost, it is submitted again, with the tokens
//! streamed so far, wherever the model runs next. The core sees attempts change state, not their tokens.
//!
//! This crate does not know tensors, text, files or sockets: plans and requests are bytes to it.

mod assignment;
mod core;
mod front;
mod host;
mod inventory;
mod ledger;
mod message;
mod node_id;
mod placement;
mod refusal;
mod shared;

pub use assignment::{Assignment, Generation, InstanceId, Phase, RankPlace};
pub use core::{Action, Config, Core, Input, PeerView, Saved, WorkerEvent};
pub use inventory::{Inventory, LinkMeasure, ModelHere};
pub use ledger::{Ledger, Verdict, WordKind};
pub use message::{Attempt, Beat, CacheUse, Message, PartReport, Progress, Submission};
pub use node_id::NodeId;
pub use placement::{Candidate, Placement, Planner};
pub use refusal::Refusal;
pub use shared::{Invite, InviteId, JoinRefused, Member, Shared, Spec, Wanted};
