//! What a person decided.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pins {
    /// Names of the only nodes to use, all of them, in this order; any where there are none.
    pub nodes: Vec<String>,
    pub parallelism: Option<Parallelism>,
    /// The nodes' parts, in the order of `nodes`.
    pub shares: Vec<f64>,
    /// Tokens the cache holds.
    pub context: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Parallelism {
    /// Every layer divided among all.
    Tensor,
    /// Layers divided.
    Pipeline,
    /// Layers divided among groups, and each layer within its group.
    Hybrid,
}
