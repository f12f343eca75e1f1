//! Steps on Vulkan: commands recorded once for each shape of a step and submitted again.
//!
//! wgpu opens the device, makes the buffers and loads the weights; what is submitted for every token goes to the driver itself.
//! wgpu records every command anew, which takes the host longer than the device computes where a step is in pieces.
//!
//! - [`kernels`]: the same sources as everywhere, compiled with a cache that lasts.
//! - [`mapped`]: memory that the host and the device both see, the device's or lent.
//! - [`replay`]: the lane.

mod kernels;
mod mapped;
mod replay;

use std::collections::HashSet;
use std::sync::atomic::AtomicUsize;

use ash::ext::external_memory_host;
use ash::vk;
use wgpu::hal::api::Vulkan as Api;
use wgpu::naga::back::spv;
use wgpu::naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use wgpu::{Adapter, Device, DeviceDescriptor, Features, Queue, RequestDeviceError};

pub use kernels::VulkanKernels;
pub use replay::{Replay, rounds};

/// What wgpu opened, as the driver knows it.
pub struct Vulkan {
    device: ash::Device,
    queue: vk::Queue,
    family: u32,
    memories: vk::PhysicalDeviceMemoryProperties,
    /// Nanoseconds of a tick of the device's clock.
    tick: f32,
    spirv: spv::Options<'static>,
    /// Which driver compiled kernels are for.
    compiled_for: [u8; 16],
    /// Sessions whose steps are in pieces. They share a queue: where there are several, none may keep it waiting.
    exchanging: AtomicUsize,
    /// How memory of the host's is imported, where the driver does that.
    import: Option<Import>,
}

struct Import {
    functions: external_memory_host::Device,
    /// What is imported begins at a multiple of this, and is as long.
    alignment: usize,
}

/// Open a device through wgpu, on Vulkan with what lets it use the host's memory where the driver can.
#[allow(unsafe_code)]
pub fn open(
    adapter: &Adapter,
    descriptor: &DeviceDescriptor<'_>,
) -> Result<(Device, Queue), RequestDeviceError> {
    // SAFETY: the device is opened as wgpu would open it, with one more extension that the driver says it has.
    unsafe {
        let hal = adapter.as_hal::<Api>();
        let imports = |adapter: &wgpu::hal::vulkan::Adapter| {
            adapter.physical_device_capabilities().supports_extension(external_memory_host::NAME)
        };
        if let Some(hal) = hal.filter(|hal| imports(hal)) {
            let DeviceDescriptor { required_features, required_limits, memory_hints, .. } = descriptor;
            let with_import = Box::new(|args: wgpu::hal::vulkan::CreateDeviceCallbackArgs<'_, '_, '_>| {
                args.extensions.push(external_memory_host::NAME);
            });
            let opened =
                hal.open_with_callback(*required_features, required_limits, memory_hints, Some(with_import));
            if let Ok(opened) = opened {
                return adapter.create_device_from_hal(opened, descriptor);
            }
        }
    }
    pollster::block_on(adapter.request_device(descriptor))
}

/// Whether kernels can be compiled for subgroups of so many threads, where a driver would otherwise choose how many.
#[allow(unsafe_code)]
pub fn can_require_subgroups(adapter: &Adapter, threads: u32) -> bool {
    let mut control = vk::PhysicalDeviceSubgroupSizeControlFeatures::default();
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
    // SAFETY: the handles are used while the adapter is held, and only read; versions before 1.3 may not know what is asked.
    unsafe {
        let Some(hal) = adapter.as_hal::<Api>() else { return false };
        let (instance, physical) = (hal.shared_instance().raw_instance(), hal.raw_physical_device());
        if instance.get_physical_device_properties(physical).api_version < vk::API_VERSION_1_3 {
            return false;
        }
        let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut control);
        instance.get_physical_device_features2(physical, &mut features);
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut sizes);
        instance.get_physical_device_properties2(physical, &mut properties);
    }
    control.subgroup_size_control != vk::FALSE
        && sizes.required_subgroup_size_stages.contains(vk::ShaderStageFlags::COMPUTE)
        && (sizes.min_subgroup_size..=sizes.max_subgroup_size).contains(&threads)
}

impl Vulkan {
    /// `None` where this is not Vulkan, or one without timeline semaphores.
    #[allow(unsafe_code)]
    pub fn of(device: &wgpu::Device) -> Option<Vulkan> {
        let features = device.features();
        // SAFETY: the handles are used while the caller holds the device open, and only read here.
        unsafe {
            let hal = device.as_hal::<Api>()?;
            let instance = hal.shared_instance().raw_instance();
            let physical = hal.raw_physical_device();
            let properties = instance.get_physical_device_properties(physical);
            let mut semaphores = vk::PhysicalDeviceTimelineSemaphoreFeatures::default();
            let mut dots = vk::PhysicalDeviceShaderIntegerDotProductFeatures::default();
            let mut small = vk::PhysicalDeviceShaderFloat16Int8Features::default();
            let mut known =
                vk::PhysicalDeviceFeatures2::default().push_next(&mut semaphores).push_next(&mut small);
            if properties.api_version >= vk::API_VERSION_1_3 {
                known = known.push_next(&mut dots);
            }
            if properties.api_version < vk::API_VERSION_1_2 {
                return None;
            }
            instance.get_physical_device_features2(physical, &mut known);
            if semaphores.timeline_semaphore == vk::FALSE {
                return None;
            }
            let version = if properties.api_version >= vk::API_VERSION_1_3 { (1, 6) } else { (1, 5) };
            let dots = dots.shader_integer_dot_product != vk::FALSE;
            let spirv = spirv(features, version, dots, small.shader_int8 != vk::FALSE);
            let import = hal.enabled_device_extensions().contains(&external_memory_host::NAME).then(|| {
                let mut host = vk::PhysicalDeviceExternalMemoryHostPropertiesEXT::default();
                let mut known = vk::PhysicalDeviceProperties2::default().push_next(&mut host);
                instance.get_physical_device_properties2(physical, &mut known);
                Import {
                    functions: external_memory_host::Device::new(instance, hal.raw_device()),
                    alignment: host.min_imported_host_pointer_alignment as usize,
                }
            });
            Some(Vulkan {
                device: hal.raw_device().clone(),
                queue: hal.raw_queue(),
                family: hal.queue_family_index(),
                memories: instance.get_physical_device_memory_properties(physical),
                tick: properties.limits.timestamp_period,
                spirv,
                compiled_for: properties.pipeline_cache_uuid,
                exchanging: AtomicUsize::new(0),
                import,
            })
        }
    }
}

/// How kernels are written for the driver: with what wgpu switched on, and with bounds checked in builds for tests.
fn spirv(features: Features, lang_version: (u8, u8), dots: bool, int8: bool) -> spv::Options<'static> {
    use spv::Capability;
    let mut capabilities = HashSet::from([
        Capability::Shader,
        Capability::GroupNonUniform,
        Capability::GroupNonUniformVote,
        Capability::GroupNonUniformArithmetic,
        Capability::GroupNonUniformBallot,
        Capability::GroupNonUniformShuffle,
        Capability::GroupNonUniformShuffleRelative,
        Capability::GroupNonUniformQuad,
    ]);
    if features.contains(Features::SHADER_F16) {
        capabilities.insert(Capability::Float16);
    }
    if features.contains(Features::EXPERIMENTAL_COOPERATIVE_MATRIX) {
        capabilities.extend([Capability::CooperativeMatrixKHR, Capability::VulkanMemoryModel]);
    }
    if dots {
        capabilities.extend([
            Capability::DotProductInputAllKHR,
            Capability::DotProductInput4x8BitKHR,
            Capability::DotProductInput4x8BitPackedKHR,
            Capability::DotProductKHR,
        ]);
    }
    if int8 {
        capabilities.insert(Capability::Int8);
    }
    let checked = cfg!(debug_assertions);
    let policy = if checked { BoundsCheckPolicy::Restrict } else { BoundsCheckPolicy::Unchecked };
    spv::Options {
        lang_version,
        flags: spv::WriterFlags::empty(),
        capabilities: Some(capabilities.into_iter().collect()),
        bounds_check_policies: BoundsCheckPolicies {
            index: policy,
            buffer: policy,
            image_load: policy,
            binding_array: policy,
        },
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        force_loop_bounding: checked,
        emit_int_div_checks: checked,
        // Kernels have no inputs of half floats, and not every device could have them.
        use_storage_input_output_16: false,
        ..spv::Options::default()
    }
}
