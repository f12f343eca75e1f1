//! Why a model is not placed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{InstanceId, NodeId};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// No live node has its file. One that came a moment ago may not have been heard of yet.
    NoFile { model: String },
    /// It is not possible with the nodes there are; the planner says why, with numbers.
    Impossible(String),
    /// It was placed and failed, again and again.
    Failing { instance: InstanceId, times: u32, node: NodeId, reason: String },
    /// The node that decides cannot write its state.
    Storage { node: NodeId, fault: String },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoFile { model } => {
                write!(f, "no node has the file of {model}; `tandem pull {model}` on any of them brings it")
            }
            Refusal::Impossible(reason) => f.write_str(reason),
            Refusal::Failing { instance, times, node, reason } => {
                write!(
                    f,
                    "{instance} failed to start {times} times, the last time on node {}: {reason}",
                    node.short()
                )
            }
            Refusal::Storage { node, fault } => write!(
                f,
                "node {}, which decides where models go, cannot write its state: {fault}; make room on its disk, and it \
                 goes on by itself",
                node.short()
            ),
        }
    }
}
