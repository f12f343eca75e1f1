use std::{fmt, str::FromStr};

use crate::{
    GroupError, board,
    topology::{Cost, Shape},
};

/// How an all-reduce is carried out. All of them leave identical bits on every rank, and the same bits every time.
///
/// `Direct`, `Board`, `Mesh` and `Scatter` add in rank order and so agree with each other to the bit; `Ring`, `Tree` and `Hierarchical` add in an
/// order of their own, fixed by the topology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    /// Shared memory: each rank reduces its slice where it lies in everyone's arena, and writes the result there.
    Direct,
    /// Shared memory: each rank reduces its slice onto a board of its own, from which all copy it; or everyone reads everything.
    Board,
    /// Everyone sends everything to everyone.
    Mesh,
    /// Reduce-scatter, then all-gather.
    Scatter,
    /// Around a ring, a slice at a time.
    Ring,
    /// Up a tree and down again, in chunks.
    Tree,
    /// Within each host through memory, between hosts by one rank of each.
    Hierarchical,
}

impl Algorithm {
    pub const ALL: [Algorithm; 7] = [
        Algorithm::Direct,
        Algorithm::Board,
        Algorithm::Mesh,
        Algorithm::Scatter,
        Algorithm::Ring,
        Algorithm::Tree,
        Algorithm::Hierarchical,
    ];

    pub(crate) fn possible(self, shape: &Shape) -> bool {
        match self {
            Algorithm::Direct | Algorithm::Board => shape.memory,
            Algorithm::Mesh | Algorithm::Scatter => shape.mesh,
            Algorithm::Ring => shape.ring,
            Algorithm::Tree => true,
            Algorithm::Hierarchical => {
                let several = shape.hosts.len() > 1 && shape.hosts.iter().any(|host| host.len() > 1);
                several && shape.mesh
            }
        }
    }

    /// The fastest by a simple model: a message of n bytes takes latency + n / rate, a rank sends one byte at a time, and combining costs a
    /// pass over what is combined.
    pub(crate) fn choose(shape: &Shape, ranks: usize, bytes: usize, cost: Cost) -> Algorithm {
        if shape.memory {
            return if board::suits(bytes, ranks) { Algorithm::Board } else { Algorithm::Direct };
        }
        let ranks = ranks as f32;
        let transfer = bytes as f32 / cost.bytes_per_us.max(1.0);
        let pass = bytes as f32 / COMBINED_BYTES_PER_US;
        let time = |algorithm: Algorithm| match algorithm {
            Algorithm::Direct | Algorithm::Board => 0.0,
            Algorithm::Mesh => cost.latency_us + (ranks - 1.0) * (transfer + pass),
            Algorithm::Scatter => 2.0 * cost.latency_us + 2.0 * (ranks - 1.0) / ranks * transfer,
            Algorithm::Ring => 2.0 * (ranks - 1.0) * (cost.latency_us + transfer / ranks),
            Algorithm::Tree => 2.0 * (ranks - 1.0).max(1.0) * cost.latency_us + 2.0 * transfer,
            Algorithm::Hierarchical => {
                let hosts = shape.hosts.len() as f32;
                1.2 * cost.latency_us + (hosts - 1.0).min(2.0 * (hosts - 1.0) / hosts + 1.0) * transfer
            }
        };
        let possible = Algorithm::ALL.into_iter().filter(|algorithm| algorithm.possible(shape));
        possible.min_by(|a, b| time(*a).total_cmp(&time(*b))).unwrap_or(Algorithm::Tree)
    }
}

/// Measured on a server's core, in a near cache, and only for the choice: over TCP, two ranks share out what is over 400 KB.
const COMBINED_BYTES_PER_US: f32 = 40_000.0;

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Algorithm::Direct => "direct",
            Algorithm::Board => "board",
            Algorithm::Mesh => "mesh",
            Algorithm::Scatter => "scatter",
            Algorithm::Ring => "ring",
            Algorithm::Tree => "tree",
            Algorithm::Hierarchical => "hierarchical",
        })
    }
}

impl FromStr for Algorithm {
    type Err = GroupError;

    fn from_str(text: &str) -> Result<Self, GroupError> {
        Algorithm::ALL.into_iter().find(|algorithm| algorithm.to_string() == text).ok_or_else(|| {
            let known = Algorithm::ALL.map(|algorithm| algorithm.to_string()).join(", ");
            GroupError::Usage(format!("no algorithm is called {text:?}; there are {known}"))
        })
    }
}
