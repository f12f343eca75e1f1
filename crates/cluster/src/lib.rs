//! The cluster's mind: who belongs, who is alive, which models run where, and what becomes of requests when nodes are lost.
//!
//! - [`Core`]: one node's state machine. [`Core::handle`] takes an [`Input`] and the time and returns [`Action`]s; it opens no
//!   socket, reads no clock and draws no random number, so that a simulation can run whole clusters through every fault.
//! - [`Shared`]: what all nodes agree on in the end (members, wanted models, invitations). It merges in any order to the same
//!   result, so that no majority is needed: a cluster of two survives the loss of either.
//! - [`Assignment`]: one [`Generation`] of an instance: which nodes hold which ranks, under a secret of its own.
//! - [`Planner`]: decides where a model goes; this crate only decides when to ask.
//!
//! How it holds together: every node beats to every other; the lowest live node coordinates and gives every placement a
//! generation that nobody else can give; both sides of a partition may serve, on disjoint nodes, and when they meet again
//! the lower generation retires. The node that took a request keeps the tokens streamed so far and submits it again, from
//! there, wherever the model runs next.
//!
//! This crate refuses to know tensors, text, files and sockets: plans and requests are bytes to it.

mod assignment;
mod core;
mod front;
mod host;
mod inventory;
mod message;
mod node_id;
mod placement;
mod shared;

pub use assignment::{Assignment, Generation, InstanceId, Phase, RankPlace};
pub use core::{Action, Config, Core, Input, PeerView, Saved, WorkerEvent};
pub use inventory::{Inventory, LinkMeasure, ModelHere};
pub use message::{Answer, Attempt, Beat, Message, PartReport, Submission};
pub use node_id::NodeId;
pub use placement::{Candidate, Placement, Planner};
pub use shared::{Invite, InviteId, JoinRefused, Member, Shared, Spec, Wanted};
