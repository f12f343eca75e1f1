//! What the planner knows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a model takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelFacts {
    pub layers: usize,
    /// All weights in memory.
    pub weights_bytes: u64,
    /// Of these, the embedding and the head, which pipelines put at their ends.
    pub ends_bytes: u64,
    /// Weights read for one token: less than all where experts are chosen.
    pub read_bytes: u64,
    /// Working memory of a rank that holds everything.
    pub scratch_bytes: u64,
    /// All layers together, but for those that keep only a window.
    pub cache_bytes_per_token: u64,
    /// What those take, of all sequences, and how many tokens of each they keep; 0 where there are none.
    pub window_cache_bytes: u64,
    pub window: usize,
    pub context_trained: usize,
    /// Most ranks that can share a layer.
    pub ranks_max: usize,
    /// Values of a token between layers.
    pub hidden: usize,
}

impl ModelFacts {
    /// The cache of a context of so many tokens.
    pub fn cache_bytes(&self, context: usize) -> u64 {
        context as u64 * self.cache_bytes_per_token + self.window_cache_bytes
    }
}

/// What a node has for this model.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    pub name: String,
    pub room_bytes: u64,
    /// Weights read per second.
    pub read_bytes_per_s: f64,
    /// Whether the model's file is there already.
    pub has_file: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    pub round_trip_us: f64,
    pub bytes_per_s: f64,
}

/// Measured links between machines, by their indices.
#[derive(Clone, Debug, Default)]
pub struct Links(BTreeMap<(usize, usize), Link>);

impl Links {
    pub fn set(&mut self, a: usize, b: usize, link: Link) {
        self.0.insert((a.min(b), a.max(b)), link);
    }

    /// What was measured, or what an ordinary network gives.
    pub fn get(&self, a: usize, b: usize) -> Link {
        let ordinary = Link { round_trip_us: 300.0, bytes_per_s: 1e8 };
        self.0.get(&(a.min(b), a.max(b))).copied().unwrap_or(ordinary)
    }
}
