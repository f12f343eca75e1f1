//! The GPU backend: one kernel source, in WGSL, for Metal and Vulkan.
//!
//! - [`device`]: the GPUs of this machine, and one of them opened.
//! - `shaders/`: the kernels. [`kernels`] puts their sources together, `unroll` writes their loops out, and they are compiled.
//! - [`packing`]: how a weight of every type lies in the device's memory.
//! - `memory`: the buffers of a session: weights in chunks, activations in one arena, a cache per layer.
//! - `plan`: a program turned into dispatches, with everything bound that does not change from step to step.
//! - `step`: what does change: tokens, positions, block tables, rotations.
//! - `sampling`: the few logits that a step gives.
//! - `handover`: how a step passes to the host and back where ranks exchange something.
//! - `session`: a step recorded, submitted and waited for.
//!
//! This crate knows a flat program of operators and nothing above it. Activations are rounded to eight bits in products with
//! quantised weights, as on the CPU, and to half floats in long batches; sums are in `f32`.

mod backend;
pub mod device;
mod device_memory;
mod emulate;
mod handover;
pub mod kernels;
mod memory;
pub mod packing;
mod plan;
mod sampling;
mod session;
#[cfg(not(target_os = "macos"))]
mod shared_memory;
mod step;
mod unroll;

pub use backend::GpuBackend;
pub use device::{DeviceError, DeviceInfo, Gpu};
pub use device_memory::DeviceMemory;
pub use handover::{Timing, Way};
pub use session::GpuSession;
