//! Memory that the host and a Vulkan device both see, and a semaphore that lets queued work begin.

use std::sync::atomic::{AtomicU32, Ordering, fence};

use ash::vk;
use wgpu::hal::api::Vulkan;
use wgpu::{Buffer, BufferDescriptor, BufferUsages};

use crate::device::Gpu;

/// Words before the values; the first is the device's flag.
const HEAD: usize = 64;

pub struct SharedMemory {
    /// The memory as the device binds it; it is freed with the last reference to this.
    pub buffer: Buffer,
    words: *mut u32,
    len: usize,
    device: ash::Device,
    /// What queued work waits for, and the value that was last let through; where the device has such semaphores.
    semaphore: Option<vk::Semaphore>,
    value: u64,
}

// SAFETY: the pointer is to memory that this owns together with the buffer, and nothing in it is bound to a thread.
#[allow(unsafe_code)]
unsafe impl Send for SharedMemory {}

#[allow(unsafe_code)]
impl SharedMemory {
    /// Where values begin, in bytes.
    pub const VALUES_AT: u64 = HEAD as u64 * 4;

    /// Room for `len` values. `None` where the device is not Vulkan's or has no such memory.
    pub fn new(gpu: &Gpu, len: usize) -> Option<SharedMemory> {
        let size = (HEAD + len) as u64 * 4;
        // SAFETY: the device is used while `gpu` holds it open. Buffer and memory are made for it, belong together and go to
        // wgpu as a whole; the memory is mapped once, zeroed, and stays mapped until it is freed.
        unsafe {
            let hal = gpu.device.as_hal::<Vulkan>()?;
            let device = hal.raw_device().clone();
            let instance = hal.shared_instance().raw_instance();
            let physical = hal.raw_physical_device();
            let usage = vk::BufferUsageFlags::STORAGE_BUFFER
                | vk::BufferUsageFlags::TRANSFER_SRC
                | vk::BufferUsageFlags::TRANSFER_DST;
            let info = vk::BufferCreateInfo::default().size(size).usage(usage);
            let buffer = device.create_buffer(&info, None).ok()?;
            let needed = device.get_buffer_memory_requirements(buffer);
            let memories = instance.get_physical_device_memory_properties(physical);
            // Polling memory that the host does not cache would be slow.
            let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE
                | vk::MemoryPropertyFlags::HOST_COHERENT
                | vk::MemoryPropertyFlags::HOST_CACHED;
            let kind = (0..memories.memory_type_count).find(|i| {
                needed.memory_type_bits >> i & 1 == 1
                    && memories.memory_types[*i as usize].property_flags.contains(wanted)
            });
            let allocated = kind.and_then(|kind| {
                let info =
                    vk::MemoryAllocateInfo::default().allocation_size(needed.size).memory_type_index(kind);
                device.allocate_memory(&info, None).ok()
            });
            let Some(memory) = allocated else {
                device.destroy_buffer(buffer, None);
                return None;
            };
            let mapped = device
                .bind_buffer_memory(buffer, memory, 0)
                .and_then(|()| device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()));
            let Ok(mapped) = mapped else {
                device.destroy_buffer(buffer, None);
                device.free_memory(memory, None);
                return None;
            };
            std::ptr::write_bytes(mapped.cast::<u8>(), 0, size as usize);
            let semaphore = timeline(instance, physical, &device);
            let owned = wgpu::hal::vulkan::Buffer::from_raw_managed(buffer, memory, 0, needed.size);
            let descriptor = BufferDescriptor {
                label: Some("exchanged"),
                size,
                usage: BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            };
            let buffer = gpu.device.create_buffer_from_hal::<Vulkan>(owned, &descriptor);
            let words = mapped.cast::<u32>();
            Some(SharedMemory { buffer, words, len, device, semaphore, value: 0 })
        }
    }

    /// The device's flag, after which everything that it wrote before is seen.
    pub fn flag(&self) -> u32 {
        // SAFETY: the memory is mapped, aligned and at least a word long; the device changes it meanwhile, so it is read as
        // an atomic.
        let flag = unsafe { AtomicU32::from_ptr(self.words) }.load(Ordering::Acquire);
        fence(Ordering::SeqCst);
        flag
    }

    /// The values. The caller sees to it that no work of the device that touches them is running.
    pub fn values(&mut self, len: usize) -> &mut [f32] {
        assert!(len <= self.len, "{len} values in room for {}", self.len);
        // SAFETY: the room is that long, mapped and initialised, and floats may have any bits.
        unsafe { std::slice::from_raw_parts_mut(self.words.add(HEAD).cast::<f32>(), len) }
    }

    pub fn can_queue(&self) -> bool {
        self.semaphore.is_some()
    }

    /// What is submitted next begins after the next [`release`](Self::release).
    pub fn hold_next(&self, gpu: &Gpu) {
        let Some(semaphore) = self.semaphore else { return };
        // SAFETY: the queue is only told what its next submission waits for; the semaphore lives until that is through.
        if let Some(queue) = unsafe { gpu.queue.as_hal::<Vulkan>() } {
            queue.add_wait_semaphore(semaphore, Some(self.value + 1), vk::PipelineStageFlags::ALL_COMMANDS);
        }
    }

    /// Let what was held begin. False where the device is lost.
    pub fn release(&mut self) -> bool {
        let Some(semaphore) = self.semaphore else { return true };
        self.value += 1;
        let info = vk::SemaphoreSignalInfo::default().semaphore(semaphore).value(self.value);
        // SAFETY: a timeline semaphore of this device, signalled with a value beyond its last.
        unsafe { self.device.signal_semaphore(&info) }.is_ok()
    }
}

/// A timeline semaphore, where the device has such.
#[allow(unsafe_code)]
fn timeline(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    device: &ash::Device,
) -> Option<vk::Semaphore> {
    let mut known = vk::PhysicalDeviceTimelineSemaphoreFeatures::default();
    let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
    // SAFETY: the physical device belongs to the instance, the device was made from it, and wgpu enables the feature where
    // there is one; signalling by the host is part of Vulkan 1.2.
    unsafe {
        let version = instance.get_physical_device_properties(physical).api_version;
        let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut known);
        instance.get_physical_device_features2(physical, &mut features);
        if version < vk::API_VERSION_1_2 || known.timeline_semaphore == vk::FALSE {
            return None;
        }
        device.create_semaphore(&vk::SemaphoreCreateInfo::default().push_next(&mut kind), None).ok()
    }
}

impl Drop for SharedMemory {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if let Some(semaphore) = self.semaphore.take() {
            // SAFETY: whoever drops this has waited for what was submitted, see `HandOver`.
            unsafe { self.device.destroy_semaphore(semaphore, None) };
        }
    }
}
