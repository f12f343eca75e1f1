//! The fast CPU backend.
//!
//! - [`CpuBackend`] opens a program as a session whose steps run on a [`pool`] of threads.
//! - [`matrix`]: weights packed for SIMD and their product with activations, which is where the time goes.
//! - `worker`: one thread's walk through a step, and how each operator is divided among threads; `view`: the rows it is about.
//! - `attend`, `latent`: attention over the paged cache; `routing`: who goes through which expert; `norm`, `rope`,
//!   `activate`: the rest of a layer.
//! - [`cpu`] finds the machine's instruction set once; `simd` lets an algorithm be written once for all of them.
//! - [`memory`]: huge pages, because decoding is as fast as memory is read.
//!
//! This crate knows a flat program of operators and nothing above it: no files, models, tokens' meaning or ranks.

mod activate;
mod attend;
mod backend;
mod cache;
pub mod cpu;
mod indexer;
mod kernels;
mod latent;
pub mod matrix;
pub mod memory;
mod norm;
mod plan;
pub mod pool;
mod pooled;
mod rope;
mod routing;
mod session;
mod simd;
mod sizes;
mod states;
mod stopwatch;
mod tiling;
mod view;
mod weights;
mod worker;

pub use backend::CpuBackend;
