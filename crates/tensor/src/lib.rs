//! The machine that models are lowered to.
//!
//! - [`DType`] and [`quant`]: how values are stored, and plain code to read and write every format.
//! - [`Program`]: a model lowered to a flat list of operators for one rank.
//! - [`Backend`] and [`Session`]: what loads a program's weights and runs it over a [`Batch`].
//! - [`Reference`]: the naive backend, the oracle for every fast one.
//!
//! This crate knows no SIMD and no GPU, no files and no architectures.

mod backend;
mod dtype;
mod program;
pub mod quant;
mod reference;

pub use backend::{
    Alone, Backend, Batch, CacheType, Footprint, Limits, OpenError, PeerLost, Peers, ReadError, Session,
    Span, WeightSource,
};
pub use dtype::{DType, UnknownDType};
pub use program::{
    Activation, Attend, Buf, BufId, Cache, CacheId, LinearPart, Op, Program, RmsNorm, Rope, RopeId,
    RopeStyle, Rows, Slice, Weight, WeightId,
};
pub use reference::Reference;
