//! What plays Metal's part of flags both ways on software Vulkan, so that tests run the lane everywhere.
//!
//! A kernel of Vulkan does not see what the host writes while it runs: a piece is kept on the host until what it waits for is there, and
//! a wait whose number is not there ends at once, as if its bound were passed.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use wgpu::{Buffer, CommandBuffer, Features, ShaderModuleDescriptor, ShaderSource};

pub use wgpu::hal::api::Vulkan as Api;

use crate::device::{DeviceError, Gpu};
use crate::flagged::THREADS;
use crate::flags::{ABORTED, GIVEN, LET_IN};
use crate::handover::Way;

pub const FEATURES: Features = Features::IMMEDIATES.union(Features::MAPPABLE_PRIMARY_BUFFERS);

/// Why a device cannot have flags.
pub fn refusal(gpu: &Gpu) -> Option<&'static str> {
    let played = gpu.info.software && gpu.device.features().contains(FEATURES);
    (!played).then_some("not on this device")
}

pub fn module(gpu: &Gpu) -> wgpu::ShaderModule {
    let threads = THREADS.min(gpu.limits.max_compute_invocations_per_workgroup);
    let source = format!(
        "const GIVEN = {GIVEN}u;\nconst LET_IN = {LET_IN}u;\nconst ABORTED = {ABORTED}u;\nconst THREADS = {threads}u;\n{}",
        include_str!("shaders/flags.wgsl")
    );
    let source = ShaderSource::Wgsl(Cow::Owned(source));
    gpu.device.create_shader_module(ShaderModuleDescriptor { label: None, source })
}

/// A piece that waits on the host.
pub struct Gate(Mutex<Option<CommandBuffer>>);

impl Gate {
    pub fn new(_: &Gpu, _: Way) -> Result<Option<Gate>, DeviceError> {
        Ok(Some(Gate(Mutex::new(None))))
    }

    pub fn submit(&self, _: &Gpu, _: &Buffer, piece: CommandBuffer) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(piece);
    }

    /// Let the piece that was submitted last begin.
    pub fn open(&self, gpu: &Gpu) {
        let piece = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(piece) = piece {
            gpu.submit([piece]);
        }
    }
}
