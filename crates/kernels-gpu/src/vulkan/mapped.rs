//! Memory that the host and a Vulkan device both see.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering, fence};

use ash::vk;
use tandem_tensor::Lent;

use crate::device::Gpu;
use crate::vulkan::{Import, Vulkan};

pub struct Mapped {
    gpu: Arc<Gpu>,
    pub buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    words: *mut u32,
    len: usize,
    /// Goes back once the device has let go of it.
    lent: Option<Box<dyn Lent>>,
}

// SAFETY: the pointer is to memory that this owns, and nothing in it is bound to a thread.
#[allow(unsafe_code)]
unsafe impl Send for Mapped {}

#[allow(unsafe_code)]
impl Mapped {
    /// Room for `len` words, all zero.
    pub fn new(gpu: &Arc<Gpu>, vulkan: &Vulkan, len: usize) -> Result<Mapped, vk::Result> {
        Mapped::with(gpu, vulkan, len, len as u64 * 4, None)
    }

    /// The same in memory that is lent, which must be [`lent_bytes`](Self::lent_bytes) long.
    pub fn of(
        gpu: &Arc<Gpu>,
        vulkan: &Vulkan,
        len: usize,
        lent: Box<dyn Lent>,
    ) -> Result<Mapped, vk::Result> {
        let import = vulkan.import.as_ref().ok_or(vk::Result::ERROR_EXTENSION_NOT_PRESENT)?;
        let (begin, bytes) = (lent.start().as_ptr(), (len * 4).next_multiple_of(import.alignment));
        let skipped = begin.align_offset(import.alignment);
        if skipped.saturating_add(bytes) > lent.len() {
            return Err(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE);
        }
        // SAFETY: within what is lent, see above.
        let start = unsafe { begin.add(skipped) };
        Mapped::with(gpu, vulkan, len, bytes as u64, Some((import, start.cast(), lent)))
    }

    /// Bytes to ask for, so that whole pages for `len` words are among them. `None` where nothing can be imported.
    pub fn lent_bytes(vulkan: &Vulkan, len: usize) -> Option<usize> {
        let alignment = vulkan.import.as_ref()?.alignment;
        Some((len * 4).next_multiple_of(alignment) + alignment)
    }

    fn with(
        gpu: &Arc<Gpu>,
        vulkan: &Vulkan,
        len: usize,
        size: u64,
        lent: Option<(&Import, *mut u32, Box<dyn Lent>)>,
    ) -> Result<Mapped, vk::Result> {
        const HOST: vk::ExternalMemoryHandleTypeFlags =
            vk::ExternalMemoryHandleTypeFlags::HOST_ALLOCATION_EXT;
        let device = &vulkan.device;
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER
            | vk::BufferUsageFlags::TRANSFER_SRC
            | vk::BufferUsageFlags::TRANSFER_DST;
        let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(HOST);
        let info = vk::BufferCreateInfo::default().size(size).usage(usage);
        let info = if lent.is_some() { info.push_next(&mut external) } else { info };
        // SAFETY: the device is open while `gpu` is held. Buffer and memory are made for it and belong together. Memory of the device's
        // is mapped once, zeroed, and stays mapped until it is freed; lent memory is zero and outlives the device's use of it.
        unsafe {
            let mut import = vk::ImportMemoryHostPointerInfoEXT::default().handle_type(HOST);
            let mut importable = vk::MemoryHostPointerPropertiesEXT::default();
            if let Some((functions, start, _)) = &lent {
                import = import.host_pointer(start.cast());
                let ask = functions.functions.fp().get_memory_host_pointer_properties_ext;
                ask(device.handle(), HOST, start.cast(), &mut importable).result()?;
            }
            let buffer = device.create_buffer(&info, None)?;
            let made = (|| {
                let needed = device.get_buffer_memory_requirements(buffer);
                let kinds = match &lent {
                    Some(_) if needed.size > size => 0,
                    Some(_) => needed.memory_type_bits & importable.memory_type_bits,
                    None => needed.memory_type_bits,
                };
                // Polling memory that the host does not cache would be slow.
                let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE
                    | vk::MemoryPropertyFlags::HOST_COHERENT
                    | vk::MemoryPropertyFlags::HOST_CACHED;
                let kind = (0..vulkan.memories.memory_type_count).find(|i| {
                    kinds >> i & 1 == 1
                        && vulkan.memories.memory_types[*i as usize].property_flags.contains(wanted)
                });
                let kind = kind.ok_or(vk::Result::ERROR_FEATURE_NOT_PRESENT)?;
                let info = vk::MemoryAllocateInfo::default()
                    .allocation_size(needed.size.max(size))
                    .memory_type_index(kind);
                let info = if lent.is_some() { info.push_next(&mut import) } else { info };
                let memory = device.allocate_memory(&info, None)?;
                let bound = device.bind_buffer_memory(buffer, memory, 0);
                let words = bound.and_then(|()| match &lent {
                    Some((_, start, _)) => Ok(*start),
                    None => {
                        let flags = vk::MemoryMapFlags::empty();
                        let mapped = device.map_memory(memory, 0, vk::WHOLE_SIZE, flags)?;
                        std::ptr::write_bytes(mapped.cast::<u8>(), 0, size as usize);
                        Ok(mapped.cast())
                    }
                });
                let words = words.inspect_err(|_| device.free_memory(memory, None))?;
                Ok((memory, words))
            })();
            match made {
                Ok((memory, words)) => {
                    let lent = lent.map(|(_, _, lent)| lent);
                    Ok(Mapped { gpu: Arc::clone(gpu), buffer, memory, words, len, lent })
                }
                Err(error) => {
                    device.destroy_buffer(buffer, None);
                    Err(error)
                }
            }
        }
    }

    pub fn is_lent(&self) -> bool {
        self.lent.is_some()
    }

    /// The first word, which the device changes; after it, everything is seen that the device wrote before.
    pub fn flag(&self) -> u32 {
        // SAFETY: the memory is mapped, aligned and at least a word long; the device changes it meanwhile, so it is read as
        // an atomic.
        let flag = unsafe { AtomicU32::from_ptr(self.words) }.load(Ordering::Acquire);
        fence(Ordering::SeqCst);
        flag
    }

    /// Some of the words. The caller sees to it that no work of the device that touches them is running.
    pub fn words(&mut self, first: usize, len: usize) -> &mut [u32] {
        assert!(first + len <= self.len, "{len} words from {first} in room for {}", self.len);
        // SAFETY: the room is that long, mapped and initialised.
        unsafe { std::slice::from_raw_parts_mut(self.words.add(first), len) }
    }
}

impl Drop for Mapped {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        let Some(vulkan) = &self.gpu.vulkan else { return };
        // SAFETY: whoever drops this has waited for what was submitted.
        unsafe {
            vulkan.device.destroy_buffer(self.buffer, None);
            vulkan.device.free_memory(self.memory, None);
        }
    }
}
