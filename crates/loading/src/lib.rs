//! What it takes to load a model: its file, its weights, its memory.
//!
//! - [`ModelFile`] is a model on disk, GGUF or safetensors: its description, its program for a shard, and the files beside it.
//! - [`FileSource`] reads a shard's slices of the weights.
//! - [`TowerPlan`] is what a model sees pictures with, where it can.
//! - [`Options`] say how to load; [`MemoryPlan`] says what that will take before anything is read.
//!
//! This crate composes `formats`, `models` and `devices`. It knows no text, no requests and no other machines.

mod facts;
mod memory;
mod model_file;
mod options;
mod tower;

pub use facts::FileSource;
pub use memory::{MemoryPlan, Promise, RankPart, available_bytes, resident_bytes, widened};
pub use model_file::{FileError, ModelFile, read, translate_config};
pub use options::{Kept, LoadError, Options, PREFILL_CHUNK};
pub use tower::{OpenTower, TowerPlan};
