//! The registry of backends: the one place where a device's name becomes a [`Backend`].
//!
//! - [`Device`] is a choice: `auto`, `cpu`, `gpu`, `gpu:1`. It travels from the command line to the process that computes.
//! - [`Registry`] knows the [`Provider`]s of this program, and opens the backend that a choice stands for.
//! - [`Setup`] is what any backend may be given: threads, a profile, memory that other ranks see.
//!
//! To add a kind of device, implement [`Provider`] for it and add a line to [`Registry::default`]. No crate above this one
//! names a backend.

mod cpu;
mod device;
mod gpu;
mod registry;

pub use cpu::default_threads;
pub use device::{Device, DeviceError};
pub use gpu::cache_folder;
pub use registry::{Found, Opened, Provider, RankDevice, Registry, Setup, Teller};

pub use tandem_tensor::Backend;
