//! How much memory a device has, and how much of it is free.

use wgpu::Adapter;

/// Bytes of a device's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceMemory {
    pub total: u64,
    pub free: u64,
    /// All of the machine's, where the system lets the device have only `total` of it unless it is told otherwise.
    pub machine: Option<u64>,
}

/// The memory that the device computes in, as its driver tells.
#[cfg(not(target_os = "macos"))]
#[allow(unsafe_code)]
pub fn of(adapter: &Adapter) -> Option<DeviceMemory> {
    use ash::vk;
    // SAFETY: the adapter is only asked for its properties and outlives the question.
    let adapter = unsafe { adapter.as_hal::<wgpu::hal::api::Vulkan>() }?;
    let instance = adapter.shared_instance().raw_instance();
    let device = adapter.raw_physical_device();
    let mut budget = vk::PhysicalDeviceMemoryBudgetPropertiesEXT::default();
    // SAFETY: the device belongs to the instance; without the extension, the driver leaves the budget at zero.
    let heaps = unsafe {
        let mut properties = vk::PhysicalDeviceMemoryProperties2::default().push_next(&mut budget);
        instance.get_physical_device_memory_properties2(device, &mut properties);
        properties.memory_properties
    };
    let local = |index: &usize| heaps.memory_heaps[*index].flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL);
    // The largest heap of its own: others are windows into it, or the host's.
    let largest =
        (0..heaps.memory_heap_count as usize).filter(local).max_by_key(|i| heaps.memory_heaps[*i].size)?;
    let total = heaps.memory_heaps[largest].size;
    let free = match budget.heap_budget[largest] {
        0 => total,
        budgeted => budgeted.saturating_sub(budget.heap_usage[largest]),
    };
    Some(DeviceMemory { total, free, machine: None })
}

/// macOS lets the GPU have three quarters of memory, or what `iogpu.wired_limit_mb` says where that is set.
#[cfg(target_os = "macos")]
pub fn of(_adapter: &Adapter) -> Option<DeviceMemory> {
    let number = |name: &str| -> Option<u64> {
        let output = std::process::Command::new("sysctl").args(["-n", name]).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    let memory = number("hw.memsize")?;
    let total = match number("iogpu.wired_limit_mb") {
        Some(limit) if limit > 0 => limit << 20,
        _ => memory / 4 * 3,
    };
    Some(DeviceMemory { total, free: total, machine: Some(memory) })
}
