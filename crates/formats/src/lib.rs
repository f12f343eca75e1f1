//! Model files: GGUF and safetensors, read by slice and written.
//!
//! - [`Weights`]: what both formats offer the loader above: tensors by name, and any slice of one read into the
//!   caller's buffer, so that a rank touches only its own bytes. [`open`] picks the format.
//! - [`Gguf`]: a GGUF model, in one file or several; its [`Metadata`] carries the architecture and the tokenizer.
//! - [`Safetensors`]: a safetensors file, or a directory of shards with its index; quantised tensors in parts are offered
//!   as one tensor of a block type.
//! - [`GgufWriter`]: writes a GGUF file tensor by tensor.
//!
//! The crate does not know what an architecture is, nor what the names of tensors mean. A damaged or hostile file
//! gives an error that names the file, the part of it and what was expected; memory taken while opening is bounded by
//! a small multiple of the file's own header.

mod config_json;
mod file;
mod gguf;
mod safetensors;
mod shown;
mod weights;

pub use config_json::parse_config;
pub use gguf::{
    Array, Element, Encode, FromValue, GgmlType, Gguf, GgufDataWriter, GgufError, GgufTensor, GgufWriteError,
    GgufWriter, Metadata, MetadataError, ShapeProblem, Value, ValueKind,
};
pub use safetensors::{Safetensors, SafetensorsError, SafetensorsTensor};
pub use tandem_tensor::Slice;
pub use weights::{FileHead, FormatError, Identity, Piece, Shape, SliceError, TensorInfo, Weights, open};
