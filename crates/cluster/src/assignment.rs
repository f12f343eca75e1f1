//! One generation of an instance.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::NodeId;

/// One copy of a model that should run; several copies share the load.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct InstanceId {
    pub model: String,
    pub index: u32,
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.index == 0 {
            f.write_str(&self.model)
        } else {
            write!(f, "{}#{}", self.model, self.index + 1)
        }
    }
}

/// Unique by construction: nobody but `by` gives out its generations, and `by` never gives out a counter twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Generation {
    pub counter: u64,
    pub by: NodeId,
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.counter, self.by.short())
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankPlace {
    pub node: NodeId,
    pub bytes: u64,
    /// Where it computes there: `cpu`, `gpu:1`.
    pub device: String,
}

/// Who holds what of one generation; rank 0 leads. It leaves no choices to those who carry it out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    pub instance: InstanceId,
    pub generation: Generation,
    pub ranks: Vec<RankPlace>,
    /// The planner's measure of how well this serves.
    pub score: f64,
    /// Tokens a request may have.
    pub context: usize,
    /// Which version of the model's file.
    pub version: u64,
    /// Tells apart what was asked for ([`Spec::wish`](crate::Spec::wish)) when this was planned.
    pub wish: u64,
    /// The planner's blueprint.
    pub body: Vec<u8>,
    /// Data links of this generation are opened under this, so that ranks of another cannot mix in.
    pub secret: [u8; 32],
    /// Serve with the generation before until this one is ready.
    pub overlap: bool,
}

impl Assignment {
    /// The ranks of a node: one for each of its devices that takes part.
    pub fn ranks_of(&self, node: NodeId) -> Vec<usize> {
        (0..self.ranks.len()).filter(|rank| self.ranks[*rank].node == node).collect()
    }

    pub fn leader(&self) -> Option<NodeId> {
        self.ranks.first().map(|place| place.node)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    Loading { done: u64, total: u64 },
    Ready,
    Failed(String),
}
