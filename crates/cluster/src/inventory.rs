//! What a node has.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::NodeId;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inventory {
    pub name: String,
    pub software: String,
    pub cores: u32,
    /// What models may take in all, counting what they take now.
    pub memory_bytes: u64,
    /// What its cores together read from memory; 0 where that was not measured.
    pub read_bytes_per_s: f64,
    pub accelerators: Vec<String>,
    /// Models on disk, by name.
    pub models: BTreeMap<String, ModelHere>,
    /// Models that are on their way here from the hub.
    pub pulling: BTreeSet<String>,
    /// As measured from this node.
    pub links: BTreeMap<NodeId, LinkMeasure>,
    /// Where its HTTP API listens.
    pub api: Option<String>,
    /// For the planner: what else than cores it computes on.
    pub devices: Vec<u8>,
    /// For the planner: what models gave where this node led them.
    pub runs: Vec<u8>,
    /// Names the machine, so that nodes of one machine find their shared memory.
    pub machine: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelHere {
    pub bytes: u64,
    /// Tells apart versions of the file.
    pub version: u64,
    /// For the planner: what it must know of the model.
    pub facts: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkMeasure {
    pub round_trip_us: f64,
    pub bytes_per_s: f64,
    pub transport: String,
}
