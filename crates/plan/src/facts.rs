//! What the planner knows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Device;

/// What a model takes. Nodes tell each other; what an older one does not say counts as nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelFacts {
    pub layers: usize,
    /// The last layer that a stage may begin with, where those after it must stay with it.
    pub last_cut: Option<usize>,
    /// All weights in memory.
    pub weights_bytes: u64,
    /// Of these, the embedding and the head, which pipelines put at their ends.
    pub ends_bytes: u64,
    /// Weights read for one token: of experts, those that are chosen; of the embedding, nothing.
    pub read_bytes: u64,
    /// Of these, what every rank of a tensor group reads whole.
    pub replicated_bytes: u64,
    /// Working memory of a rank that holds everything.
    pub scratch_bytes: u64,
    /// What a rank keeps beside that to exchange values with others.
    pub exchange_bytes: u64,
    /// All layers together, but for those that keep only a window.
    pub cache_bytes_per_token: u64,
    /// What those take, of all sequences, and how many tokens of each they keep; 0 where there are none.
    pub window_cache_bytes: u64,
    pub window: usize,
    /// Whether layers keep states too; what these take is counted with the windows.
    pub states: bool,
    /// Most sequences decoded together, for which windows and states are counted; 0 where an older node did not say.
    pub sequences_max: usize,
    pub context_trained: usize,
    /// Most ranks that can share a layer.
    pub ranks_max: usize,
    /// Values of a token between layers.
    pub hidden: usize,
    /// As many times these as one stage hands to the next at most; 0 is one.
    pub rows_sent: usize,
    /// Sums that ranks make beyond two of every layer, in all layers together.
    pub more_sums: usize,
    pub experts: ExpertFacts,
    /// Layers whose attention is latent: they run more kernels.
    pub latent_layers: usize,
    /// Parameters that multiply every token of a prompt, without experts and head.
    pub dense_parameters: u64,
    /// Multiplications and additions of one token with one token of its context.
    pub attend_flops: u64,
}

/// Routed experts; all zero where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExpertFacts {
    /// Layers that have them.
    pub layers: usize,
    /// Of one layer.
    pub count: usize,
    /// Chosen for a token.
    pub used: usize,
    /// All experts of all layers.
    pub bytes: u64,
    pub parameters: u64,
}

impl ExpertFacts {
    /// Of all experts, the part that one token uses.
    pub fn used_part(&self) -> f64 {
        self.used as f64 / self.count.max(1) as f64
    }

    /// Of all experts, the part that at least one of so many tokens uses, if they choose evenly.
    pub fn touched_part(&self, tokens: usize) -> f64 {
        1.0 - (1.0 - self.used_part()).powf(tokens as f64)
    }
}

impl ModelFacts {
    /// The most stages that its layers can be cut into.
    pub fn stages_max(&self) -> usize {
        self.last_cut.map_or(self.layers, |last| self.layers.min(last + 1))
    }

    /// The cache of a context of so many tokens.
    pub fn cache_bytes(&self, context: usize) -> u64 {
        context as u64 * self.cache_bytes_per_token + self.window_cache_bytes
    }
}

/// What a node has for this model: one device, which becomes one rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    pub name: String,
    pub room_bytes: u64,
    pub device: Device,
    /// Whether the model's file is there already.
    pub has_file: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    pub round_trip_us: f64,
    pub bytes_per_s: f64,
}

/// Links between machines, by their indices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Links(BTreeMap<(usize, usize), Link>);

impl Links {
    pub fn set(&mut self, a: usize, b: usize, link: Link) {
        self.0.insert((a.min(b), a.max(b)), link);
    }

    /// The same link between every two of `count` machines.
    pub fn mesh(count: usize, link: Link) -> Links {
        let mut links = Links::default();
        for a in 0..count {
            for b in a + 1..count {
                links.set(a, b, link);
            }
        }
        links
    }

    /// What was measured, or what an ordinary network gives.
    pub fn get(&self, a: usize, b: usize) -> Link {
        let ordinary = Link { round_trip_us: 300.0, bytes_per_s: 1e8 };
        self.0.get(&(a.min(b), a.max(b))).copied().unwrap_or(ordinary)
    }
}
