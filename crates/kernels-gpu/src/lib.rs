//! The GPU backend: one kernel source, in WGSL, for Metal and Vulkan.
//!
//! - [`device`]: the GPUs of this machine, and one of them opened.
//! - `shaders/`: the kernels. [`kernels`] puts their sources together, `unroll` writes their loops out, and they are compiled.
//! - [`packing`]: how a weight of every type lies in the device's memory.
//! - `memory`: the buffers of a session: weights in chunks, activations in one arena, a cache per layer.
//! - `upload`: bytes on their way to the device.
//! - `plan`: a program turned into dispatches, with everything bound that does not change from step to step.
//! - `step`: what does change: tokens, positions, block tables, rotations.
//! - `sampling`: the few logits that a step gives.
//! - `lane`: what takes a session's steps to the device. `plain` does it through wgpu on every system; `vulkan` records a step once
//!   for each shape and submits it again; `flagged` submits pieces ahead whose kernels, of `metal`, and
//!   the host wait for each other's `flags`.
//!   `lanes` has those of one device.
//! - `handover`: how a step passes to the host and back where ranks exchange something, and what that costs.
//! - `halves`: long batches in two halves, so that the device computes while sums travel.
//! - `fast_paths`: what a device can do without, and does where it does it wrongly; `trial` finds that out for matrices.
//! - `tuning`: which of several ways a device does fastest; `kept` are the files where other processes find that.
//! - `session`: a step written, begun and ended.
//!
//! This crate knows a flat program of operators and nothing above it. Activations are rounded to eight bits in products with
//! quantised weights, as on the CPU, and to half floats in long batches; sums are in `f32`.

mod backend;
mod claim;
pub mod device;
mod device_memory;
mod emulate;
mod fast_paths;
mod flagged;
mod flags;
mod halves;
mod handover;
mod kept;
pub mod kernels;
mod lane;
mod lanes;
mod memory;
#[cfg(target_os = "macos")]
mod metal;
pub mod packing;
mod plain;
mod plan;
#[cfg(not(target_os = "macos"))]
mod played;
mod sampling;
mod session;
mod step;
mod trial;
mod tuning;
mod unroll;
mod upload;
#[cfg(not(target_os = "macos"))]
mod vulkan;
mod work;

pub use backend::GpuBackend;
pub use device::{DeviceError, DeviceInfo, Gpu};
pub use device_memory::DeviceMemory;
pub use handover::{Timing, Way};
pub use plan::Choice;
pub use session::GpuSession;
pub use tuning::Decided;
