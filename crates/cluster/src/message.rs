//! What nodes say to each other.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{Assignment, Generation, InstanceId, Inventory, NodeId, Phase, RankPlace, Refusal, Shared};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message {
    Beat(Beat),
    /// All that the sender knows of the shared state.
    Shared(Shared),
    /// Asks for the inventory.
    Inventory,
    Inventoried(Box<Inventory>),
    /// Take a rank. Meant for the life of the node that began with `boot`.
    Assign {
        boot: u64,
        assignment: Box<Assignment>,
    },
    Submit(Submission),
    Cancel {
        attempt: Attempt,
    },
    /// An attempt came to nothing here; the request can go on elsewhere.
    Lost {
        attempt: Attempt,
        reason: String,
    },
}

/// A request for the leader of an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    pub attempt: Attempt,
    pub instance: InstanceId,
    pub generation: Generation,
    /// The request, as the worker reads it.
    pub body: Vec<u8>,
    /// Tokens the client has.
    pub answered: Vec<u32>,
    /// Whatever time the client gave it has run since.
    pub asked_ms_ago: u64,
}

/// A node's state, said often: whoever falls silent is gone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beat {
    /// Different in every life of a node.
    pub boot: u64,
    /// Counts the beats of a life, so that a late one changes nothing.
    pub number: u64,
    pub shared_digest: u64,
    pub inventory_digest: u64,
    /// The nodes it hears.
    pub sees: BTreeSet<NodeId>,
    pub parts: Vec<PartReport>,
    /// Why instances could not be placed, where the sender coordinates.
    pub refusals: BTreeMap<InstanceId, Refusal>,
    /// Attempts of the addressee that run here.
    pub serving: BTreeSet<Attempt>,
    /// How the sender fares, for people to look at; nothing is decided by it.
    pub vitals: Vec<u8>,
}

/// A node's part in an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartReport {
    pub instance: InstanceId,
    pub generation: Generation,
    pub ranks: Vec<RankPlace>,
    pub rank: usize,
    pub score: f64,
    /// Tokens a request may have.
    pub context: usize,
    /// Which version of the model's file it runs from.
    pub version: u64,
    /// What was asked for when it was placed.
    pub wish: u64,
    pub phase: Phase,
    /// Where the other ranks find this one.
    pub seat: Option<String>,
    /// Requests running or waiting, where this is the leader.
    pub busy: u32,
    /// For how long nobody has used it.
    pub idle_ms: u64,
    /// Where this is the leader: how full its cache is.
    pub cache: CacheUse,
    /// How its device hands over what ranks exchange, for people to look at.
    pub hands_over: Option<String>,
}

/// Tokens of all requests that a cache holds, and that it can hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheUse {
    pub used_tokens: u64,
    pub tokens: u64,
}

impl PartReport {
    pub fn leads(&self) -> bool {
        self.rank == 0
    }
}

/// One try at a request. A node that starts anew forgets its requests, and so has other attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Attempt {
    pub front: NodeId,
    pub boot: u64,
    pub request: u64,
    pub number: u32,
}

/// What became of an attempt, for the node that made it. The words of the answer go past the core, over the attempt's own stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The first word came.
    Begun,
    /// The last word came: it is answered, or refused for good.
    Ended,
    /// The instance is gone; the request can go on elsewhere.
    Lost,
    /// Some of its words did not arrive, though the instance may be well.
    Broken,
}
