//! The machine that models are lowered to.
//!
//! - [`DType`] and [`quant`]: how values are stored, and plain code to read and write every format.
//! - [`Program`]: a model lowered to a flat list of operators for one rank.
//! - [`Backend`] and [`Session`]: what loads a program's weights and runs it over a [`Batch`].
//! - [`Halves`]: how a batch is divided in two, so that one computes while the sums of the other travel.
//! - [`sums`]: how a sum that ranks divide is the same however they do.
//! - [`Profile`] and [`Lender`]: what a session may be given: a place to add its times to, and memory that other ranks see.
//! - [`Reference`]: the naive backend, the oracle for every fast one, and [`conformance`], what they are held to it with.
//!
//! This crate knows no SIMD and no GPU, no files and no architectures.

mod backend;
pub mod conformance;
mod draw;
mod dtype;
mod halves;
mod lent;
mod parcel;
mod profile;
mod program;
pub mod quant;
mod recipe;
mod reference;
mod rounding;
pub mod sums;

pub use backend::{
    Alone, Backend, Batch, CacheType, Footprint, Given, Limits, Mask, OpenError, PeerLost, Peers, ReadError,
    Rest, Session, Span, WeightSource,
};
pub use draw::Draw;
pub use dtype::{DType, UnknownDType};
pub use halves::Halves;
pub use lent::{ALIGNMENT, Lender, Lent, own_lender};
pub use parcel::{BegunSum, Parcel, ParcelMemory, WireType, pack, unpack};
pub use profile::{Kind, Profile};
pub use program::{
    Activation, Attend, AttendChosen, AttendLatent, Blend, Blocks, Buf, BufId, Cache, CacheId, Choose,
    ChooseRuns, Chosen, Connect, Convolve, Curve, DeltaRule, Experts, Groups, Growth, Indexer, LayerNorm,
    LinearPart, Op, Pool, Program, RmsNorm, Rope, RopeId, RopeStyle, Routing, Rows, Runs, Scan, Score, Slice,
    State, StateId, Store, Weight, WeightId, Window,
};
pub use recipe::{Map, Pick, Recipe};
pub use reference::Reference;
pub use rounding::Rounding;
