//! Who holds what.

use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tandem_formats::Identity;
use tandem_loading::{FileError, ModelFile};
use tandem_models::{Description, Shard};
use tandem_tensor::{CacheType, Limits, WireType};

/// A model's division among ranks: a list of stages, each a tensor-parallel group. Ranks are counted through the
/// stages; rank 0 leads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blueprint {
    /// Size of the file and hash of its header, which must be the same everywhere.
    pub file_bytes: u64,
    pub header_hash: u64,
    pub stages: Vec<Stage>,
    pub tokens_max: usize,
    pub outputs_max: usize,
    pub block_len: usize,
    pub blocks: usize,
    pub window: usize,
    pub window_blocks: usize,
    #[serde(default)]
    pub states: usize,
    pub context_max: usize,
    /// Most sequences decoded together.
    pub sequences_max: usize,
    pub overlap: Overlap,
    /// Whether sums are made so that results do not depend on the division, if all ranks' devices can.
    pub exact_sums: bool,
    /// The slowest link between two of the ranks, as far as links were measured.
    pub cable: Option<Cable>,
    /// What the values of sums travel as between hosts.
    #[serde(default)]
    pub wire: WireType,
    pub cache_type: CacheType,
}

/// Whether long batches are run in two halves, one computing while the other's sum travels. Results are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overlap {
    #[default]
    WherePaying,
    Always,
    Never,
}

/// A link as it was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cable {
    pub round_trip_us: f64,
    pub bytes_per_s: f64,
}

impl Cable {
    /// The worse of two, in either respect.
    pub fn slower(self, other: Cable) -> Cable {
        Cable {
            round_trip_us: self.round_trip_us.max(other.round_trip_us),
            bytes_per_s: self.bytes_per_s.min(other.bytes_per_s),
        }
    }
}

/// A run of layers and each rank's share of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    pub layers: Range<usize>,
    pub shares: Vec<f64>,
}

#[derive(Debug, thiserror::Error)]
pub enum BlueprintError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "{path} is another version of the model here: {found_bytes} bytes and header {found_hash:016x}, expected \
         {expected_bytes} and {expected_hash:016x}; copy the leader's file"
    )]
    OtherVersion { path: PathBuf, found_bytes: u64, found_hash: u64, expected_bytes: u64, expected_hash: u64 },
    #[error("the blueprint has {ranks} ranks, but rank {rank} was asked for")]
    NoSuchRank { rank: usize, ranks: usize },
    #[error("the stages do not cover layers 0..{layers} one after the other: {stages:?}")]
    Uncovered { layers: usize, stages: Vec<Range<usize>> },
}

impl Blueprint {
    pub fn new(file: &ModelFile, stages: Vec<Stage>, limits: &Limits) -> Blueprint {
        Blueprint::of(file.weights().identity(), stages, limits)
    }

    /// For a file that need not be here. As many sequences are decoded together as a batch has outputs, until fewer are asked for.
    pub fn of(identity: Identity, stages: Vec<Stage>, limits: &Limits) -> Blueprint {
        let Identity { bytes, header_hash } = identity;
        Blueprint {
            file_bytes: bytes,
            header_hash,
            stages,
            tokens_max: limits.tokens_max,
            outputs_max: limits.outputs_max,
            block_len: limits.block_len,
            blocks: limits.blocks,
            window: limits.window,
            window_blocks: limits.window_blocks,
            states: limits.states,
            context_max: limits.context_max,
            sequences_max: limits.outputs_max,
            overlap: Overlap::default(),
            exact_sums: false,
            cable: None,
            wire: WireType::default(),
            cache_type: limits.cache_type,
        }
    }

    pub fn ranks(&self) -> usize {
        self.stages.iter().map(|stage| stage.shares.len()).sum()
    }

    pub fn limits(&self) -> Limits {
        Limits {
            tokens_max: self.tokens_max,
            outputs_max: self.outputs_max,
            block_len: self.block_len,
            blocks: self.blocks,
            window: self.window,
            window_blocks: self.window_blocks,
            states: self.states,
            context_max: self.context_max,
            cache_type: self.cache_type,
        }
    }

    /// The ranks of stage `index`.
    pub(crate) fn ranks_of(&self, index: usize) -> Range<usize> {
        let before: usize = self.stages[..index].iter().map(|stage| stage.shares.len()).sum();
        before..before + self.stages[index].shares.len()
    }

    /// The stage that `rank` belongs to.
    pub(crate) fn stage_of(&self, rank: usize) -> Option<usize> {
        (0..self.stages.len()).find(|index| self.ranks_of(*index).contains(&rank))
    }

    /// Every rank's shard, refusing a file that is not the one planned for and a plan that does not fit the model.
    pub fn shards(&self, file: &ModelFile, model: &Description) -> Result<Vec<Shard>, BlueprintError> {
        let found = file.weights().identity();
        if (found.bytes, found.header_hash) != (self.file_bytes, self.header_hash) {
            return Err(BlueprintError::OtherVersion {
                path: file.path().to_owned(),
                found_bytes: found.bytes,
                found_hash: found.header_hash,
                expected_bytes: self.file_bytes,
                expected_hash: self.header_hash,
            });
        }
        let starts = self.stages.iter().map(|stage| stage.layers.start);
        let ends = std::iter::once(0).chain(self.stages.iter().map(|stage| stage.layers.end));
        let joined = starts.zip(ends).all(|(start, end)| start == end);
        let last = self.stages.last().map(|stage| stage.layers.end);
        if !joined || last != Some(model.layers.len()) {
            let stages = self.stages.iter().map(|stage| stage.layers.clone()).collect();
            return Err(BlueprintError::Uncovered { layers: model.layers.len(), stages });
        }
        let mut shards = Vec::with_capacity(self.ranks());
        for stage in &self.stages {
            let divided = file.divide(model, stage.layers.clone(), &stage.shares)?;
            shards.extend(divided.into_iter().map(|shard| Shard { exact_sums: self.exact_sums, ..shard }));
        }
        Ok(shards)
    }
}
