//! Model architectures as typed descriptions, and one lowering to a flat program.
//!
//! - [`Facts`] is what a model file says of itself (GGUF metadata or `config.json`), [`Tensors`] which
//!   tensors it holds.
//! - An architecture (one file under `arch/`) turns those into a [`Description`]: layers, shapes, and every
//!   weight with its name in the file and its [`Role`], from which its sharding follows.
//! - [`translate`] tells a model of the transformers library's layout as a GGUF file would.
//! - [`lower`] turns a description and one rank's [`Shard`] into a `Program`.
//!
//! To add an architecture: one file under `arch/`, one line in [`arch::ALL`].
//! This crate knows no sockets, no file formats and no SIMD.

pub mod arch;
mod description;
mod facts;
mod lower;
mod rope;
mod shard;
mod source;
mod tower;
mod translation;

pub use arch::{DescribeError, describe, describe_with_names};
pub use description::{
    Attention, Axis, Delta, Description, Experts, Gated, Grouped, Heads, Latent, Layer, Linear, Mlp, Norm,
    Pooled, Role, Scales, Scan, Streams, Tensor,
};
pub use facts::{Facts, Key, Origin, Value};
pub use lower::{LowerError, lower, lower_tower};
pub use shard::{DivideError, Shard};
pub use source::Source;
pub use tower::{PictureTokens, Tower, TowerLayer};
pub use translation::{
    Contents, Part, RowOrder, TranslateError, Translated, Translation, translate, translate_tower,
};

use tandem_tensor::DType;

/// The tensors of a model file, by name.
pub trait Tensors {
    fn get(&self, name: &str) -> Option<Stored>;
}

/// A tensor as the file holds it. A vector has one row, a matrix one expert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    pub dtype: DType,
    pub experts: usize,
    pub rows: usize,
    pub cols: usize,
}
