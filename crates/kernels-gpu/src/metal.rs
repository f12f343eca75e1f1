//! Metal's part of flags both ways: the kernels, in Metal's own language, and an event that keeps a piece of a step from beginning.
//!
//! Read against wgpu 30's and wgpu-hal's sources; never run on a Mac.

mod residency;

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use objc2::rc::Retained;
use objc2::runtime::ProtocolObject;
use objc2_metal::{MTLCommandBuffer, MTLDevice, MTLSharedEvent};
use wgpu::{
    Buffer, CommandBuffer, CommandEncoderDescriptor, Features, PassthroughShaderEntryPoint,
    ShaderModuleDescriptorPassthrough,
};

pub use residency::Residency;
pub use wgpu::hal::api::Metal as Api;

use crate::device::{DeviceError, Gpu};
use crate::flagged::THREADS;
use crate::flags::{ABORTED, GIVEN, HEAD, LET_IN};
use crate::handover::Way;

/// What wgpu must let us do: kernels in Metal's language, with a few words for each dispatch, in buffers that the host sees too.
pub const FEATURES: Features =
    Features::PASSTHROUGH_SHADERS.union(Features::IMMEDIATES).union(Features::MAPPABLE_PRIMARY_BUFFERS);

/// Why a device cannot have flags.
pub fn refusal(gpu: &Gpu) -> Option<&'static str> {
    if !gpu.device.features().contains(FEATURES) {
        return Some("not on this device");
    }
    (!gpu.info.unified).then_some("not used: the device has memory of its own")
}

/// The kernels. One that does not compile, as before macOS 15, is an error of [`Gpu::check`].
#[allow(unsafe_code)]
pub fn module(gpu: &Gpu) -> wgpu::ShaderModule {
    let source = format!(
        "#define GIVEN {GIVEN}\n#define LET_IN {LET_IN}\n#define ABORTED {ABORTED}\n#define THREADS {THREADS}\n{}",
        include_str!("metal/flags.metal")
    );
    let entry =
        |name| PassthroughShaderEntryPoint { name: Cow::Borrowed(name), workgroup_size: (THREADS, 1, 1) };
    let descriptor = ShaderModuleDescriptorPassthrough {
        entry_points: Cow::Owned(vec![entry("give"), entry("take")]),
        msl: Some(Cow::Owned(source)),
        ..ShaderModuleDescriptorPassthrough::default()
    };
    // SAFETY: the kernels touch no words but those that they are told, and their loops end.
    unsafe { gpu.device.create_shader_module_passthrough(descriptor) }
}

/// What keeps a piece from beginning.
pub struct Gate {
    event: Retained<ProtocolObject<dyn MTLSharedEvent>>,
    /// What the piece that was submitted last waits for.
    value: AtomicU64,
}

impl Gate {
    /// By flags alone there is none.
    #[allow(unsafe_code)]
    pub fn new(gpu: &Gpu, way: Way) -> Result<Option<Gate>, DeviceError> {
        if way != Way::Queued {
            return Ok(None);
        }
        // SAFETY: the device is only asked for an event.
        let event =
            unsafe { gpu.device.as_hal::<Api>().and_then(|device| device.raw_device().newSharedEvent()) };
        let event = event.ok_or_else(|| DeviceError::Failed {
            device: gpu.info.name.clone(),
            step: "making an event",
            reason: "the device has none".into(),
        })?;
        Ok(Some(Gate { event, value: AtomicU64::new(0) }))
    }

    /// Submit a piece that uses the mail, behind the gate.
    pub fn submit(&self, gpu: &Gpu, mail: &Buffer, piece: CommandBuffer) {
        let gate = self.shut(gpu, mail);
        gpu.submit([gate, piece]);
    }

    /// Let the piece that was submitted last begin.
    pub fn open(&self, _: &Gpu) {
        self.event.setSignaledValue(self.value.load(Ordering::Relaxed));
    }

    /// Commands that wait for the event, and then touch the mail: so what comes after them and uses the mail waits too, which Metal
    /// sees to for commands of one queue.
    #[allow(unsafe_code)]
    fn shut(&self, gpu: &Gpu, mail: &Buffer) -> CommandBuffer {
        use wgpu::hal::CommandEncoder;
        let value = self.value.fetch_add(1, Ordering::Relaxed) + 1;
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        // SAFETY: this encoder is used for nothing else, and left to wgpu to end. The word that is cleared has no other use.
        unsafe {
            encoder.as_hal_mut::<Api, _, ()>(|encoder| {
                let (Some(encoder), Some(mail)) = (encoder, mail.as_hal::<Api>()) else { return };
                if let Some(commands) = encoder.raw_command_buffer() {
                    commands.encodeWaitForEvent_value(self.event.as_ref(), value);
                }
                encoder.clear_buffer(&mail, (HEAD as u64 - 1) * 4..HEAD as u64 * 4);
            });
        }
        encoder.finish()
    }
}
