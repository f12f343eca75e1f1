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
    /// Tokens of one sequence.
    pub context: Option<usize>,
    /// Bytes of the whole cache, over all nodes.
    pub cache_bytes: Option<u64>,
    /// How the cache keeps keys and values; f16 where nothing is said.
    pub cache: Option<Cache>,
    /// What the values of sums are on their way between nodes; f32 where nothing is said.
    pub wire: Option<Wire>,
    /// Whether sums are made so that a text is the same however the model is divided.
    pub exact_sums: bool,
    /// The only devices to compute on, such as `cpu`, `gpu` (all of that kind) or `gpu:1`; the best of each node where nothing is said.
    pub device: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    F32,
    F16,
    BF16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cache {
    F32,
    F16,
    Q8,
}

impl Cache {
    /// What takes `f16_bytes` with f16.
    pub(crate) fn bytes(self, f16_bytes: u64) -> u64 {
        match self {
            Cache::F32 => f16_bytes * 2,
            Cache::F16 => f16_bytes,
            // 32 values take 32 bytes and a scale of two.
            Cache::Q8 => (f16_bytes * 17).div_ceil(32),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_takes_what_its_type_takes() {
        let per_token = [Cache::F32, Cache::F16, Cache::Q8].map(|cache| cache.bytes(128));
        assert_eq!(per_token, [256, 128, 68]);
    }
}
