//! The GPUs of this machine.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::device_memory::{self, DeviceMemory};
use crate::emulate::without_matrices;
use crate::fast_paths::FastPath;
use crate::kernels::Key;
use crate::work::submitted_max;
use wgpu::{
    Adapter, AdapterInfo, Backends, Buffer, CommandBuffer, CommandEncoderDescriptor, DeviceDescriptor,
    DeviceType, ExperimentalFeatures, Features, Instance, InstanceDescriptor, Limits, PollType,
    SubmissionIndex,
};

/// Setting buffers up takes no longer.
const CLEAR_MAX: Duration = Duration::from_secs(60);

/// What a device is, without opening it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its number among this machine's devices, as in `gpu:N`.
    pub index: usize,
    pub name: String,
    /// `Vulkan` or `Metal`.
    pub api: String,
    pub driver: String,
    /// Whether this is a program on the CPU that acts as a GPU: good for tests, never chosen by itself.
    pub software: bool,
    /// Whether the device shares its memory with the CPU.
    pub unified: bool,
    pub memory: Option<DeviceMemory>,
    /// Why Tandem cannot use it.
    pub missing: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    #[error("there is no GPU {index}; this machine has {found}. `tandem devices` lists them")]
    NoSuchDevice { index: usize, found: usize },
    #[error("{device} cannot be used: it has no {missing}. Use `--device cpu`, or update its driver")]
    Missing { device: String, missing: String },
    #[error("{device} could not be opened: {reason}")]
    Open { device: String, reason: String },
    #[error("{device}: {step} failed: {reason}")]
    Failed { device: String, step: &'static str, reason: String },
    #[error("{device} did not finish a step in {seconds} s")]
    Silent { device: String, seconds: u64 },
}

/// Why the kernels cannot run on it: what it has not.
fn missing(adapter: &Adapter) -> Option<&'static str> {
    if !adapter.features().contains(Features::SUBGROUP) {
        return Some("subgroup operations");
    }
    // The threads that make a block of activations are of one subgroup. Metal does not say how large those are; Apple's have 32.
    let info = adapter.get_info();
    (info.backend == wgpu::Backend::Vulkan && info.subgroup_min_size < 8)
        .then_some("subgroups of eight threads")
}

/// One for the whole process: a driver that nobody uses any more puts its devices to sleep, and waking one takes half a second.
fn instance() -> &'static Instance {
    static INSTANCE: OnceLock<Instance> = OnceLock::new();
    INSTANCE.get_or_init(|| {
        let mut descriptor = InstanceDescriptor::new_without_display_handle_from_env();
        descriptor.backends = Backends::VULKAN | Backends::METAL;
        // Layers that check come only where the environment asks the driver's loader for them.
        descriptor.flags = wgpu::InstanceFlags::empty();
        Instance::new(descriptor)
    })
}

/// The devices in a fixed order: real ones first. One that two drivers offer is there once.
fn adapters() -> Vec<Adapter> {
    let mut adapters = pollster::block_on(instance().enumerate_adapters(Backends::VULKAN | Backends::METAL));
    adapters.sort_by_key(|adapter| rank(&adapter.get_info()));
    let mut known = HashSet::new();
    adapters.retain(|adapter| {
        let slot = adapter.get_info().device_pci_bus_id;
        slot.is_empty() || known.insert(slot)
    });
    adapters
}

fn rank(info: &AdapterInfo) -> u8 {
    match info.device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}

fn describe(index: usize, adapter: &Adapter) -> DeviceInfo {
    let info = adapter.get_info();
    DeviceInfo {
        index,
        name: info.name,
        api: info.backend.to_string(),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        software: info.device_type == DeviceType::Cpu,
        unified: matches!(info.device_type, DeviceType::IntegratedGpu | DeviceType::Cpu),
        memory: device_memory::of(adapter),
        missing: missing(adapter).map(str::to_owned),
    }
}

/// Every device that this machine has a driver for.
pub fn list() -> Vec<DeviceInfo> {
    adapters().iter().enumerate().map(|(index, adapter)| describe(index, adapter)).collect()
}

/// Threads of a subgroup that multiplies matrices: kernels divide those among subgroups.
const MATRIX_THREADS: u32 = 32;

/// A device that has been opened.
pub struct Gpu {
    pub info: DeviceInfo,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) limits: Limits,
    /// The least number of threads in a subgroup: what sums over subgroups make room for.
    pub(crate) subgroup_min: u32,
    /// The side of the squares of half floats that a subgroup multiplies at once: 16, on Metal 8, or 0 where it cannot.
    pub(crate) side: u32,
    /// Whether each thread computes them in the device's stead, for tests.
    pub(crate) emulated: bool,
    /// The threads of a subgroup for which kernels with matrices are compiled, where the driver has several kinds: AMD's has. Only lanes of
    /// Vulkan can ask for it.
    pub(crate) subgroup_required: Option<u32>,
    /// Bytes of matrices that are bound at once.
    pub(crate) matrices_max: u64,
    /// Whether it finds out which of several ways is fastest on it.
    pub(crate) chooses: bool,
    pub(crate) left_out: Vec<FastPath>,
    /// Most multiplications that it is given at once.
    pub(crate) submitted_max: f64,
    /// Held by whoever submits: wgpu and the lanes of Vulkan use the same queue.
    pub(crate) submitting: Mutex<()>,
    #[cfg(not(target_os = "macos"))]
    pub(crate) vulkan: Option<crate::vulkan::Vulkan>,
    fault: Arc<Fault>,
}

/// What the driver said went wrong since it was last asked.
#[derive(Default)]
struct Fault {
    lost: AtomicBool,
    reason: Mutex<Option<String>>,
}

impl Fault {
    fn say(&self, reason: String) {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
    }
}

impl Gpu {
    pub fn open(index: usize) -> Result<Gpu, DeviceError> {
        Gpu::open_with(index, None, &|_| Vec::new())
    }

    /// `emulated`: the side of squares that each thread multiplies for itself. `left_out`: the fast paths that a device does without.
    pub(crate) fn open_with(
        index: usize,
        emulated: Option<u32>,
        left_out: &dyn Fn(&DeviceInfo) -> Vec<FastPath>,
    ) -> Result<Gpu, DeviceError> {
        let mut adapters = adapters();
        if index >= adapters.len() {
            return Err(DeviceError::NoSuchDevice { index, found: adapters.len() });
        }
        let adapter = adapters.swap_remove(index);
        let info = describe(index, &adapter);
        if let Some(missing) = &info.missing {
            return Err(DeviceError::Missing { device: info.name, missing: missing.clone() });
        }
        let left_out = left_out(&info);
        let needed = Features::EXPERIMENTAL_COOPERATIVE_MATRIX | Features::SHADER_F16;
        let cooperative = !left_out.contains(&FastPath::Matrices)
            && adapter.features().contains(needed)
            && emulated.is_none();
        // Emulated matrices need no subgroups; that the device's own can be asked for is tried with them.
        let threads = emulated.map_or(MATRIX_THREADS, |_| adapter.get_info().subgroup_max_size);
        let whole = emulated.is_none() && subgroups_are_whole(&adapter);
        let able = !whole && !left_out.contains(&FastPath::Replay) && can_require(&adapter, threads);
        let subgroup_required = able.then_some(threads);
        let side = if cooperative && (whole || able) { side_of_matrices(&adapter) } else { 0 };
        let cooperative = side > 0;
        let wanted = Features::SUBGROUP
            | Features::SHADER_F16
            | Features::TIMESTAMP_QUERY
            | Features::TIMESTAMP_QUERY_INSIDE_PASSES
            | if cooperative { Features::EXPERIMENTAL_COOPERATIVE_MATRIX } else { Features::empty() };
        #[cfg(target_os = "macos")]
        let wanted = wanted | crate::metal::FEATURES;
        #[cfg(not(target_os = "macos"))]
        let wanted = wanted | if info.software { crate::played::FEATURES } else { Features::empty() };
        let limits = adapter.limits();
        let subgroup_min = adapter.get_info().subgroup_min_size.max(4);
        let descriptor = DeviceDescriptor {
            label: Some("tandem"),
            required_features: wanted & adapter.features(),
            required_limits: limits.clone(),
            experimental_features: experimental(cooperative),
            ..DeviceDescriptor::default()
        };
        #[cfg(target_os = "macos")]
        let opened = pollster::block_on(adapter.request_device(&descriptor));
        #[cfg(not(target_os = "macos"))]
        let opened = crate::vulkan::open(&adapter, &descriptor);
        let (device, queue) = opened
            .map_err(|error| DeviceError::Open { device: info.name.clone(), reason: error.to_string() })?;
        let fault = Arc::new(Fault::default());
        let heard = Arc::clone(&fault);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| heard.say(error.to_string())));
        let heard = Arc::clone(&fault);
        device.set_device_lost_callback(move |reason, text| {
            heard.lost.store(true, Ordering::Release);
            heard.say(format!("the device was lost ({reason:?}): {text}"));
        });
        #[cfg(not(target_os = "macos"))]
        let vulkan = match left_out.contains(&FastPath::Replay) {
            true => None,
            false => crate::vulkan::Vulkan::of(&device),
        };
        // Other lanes cannot ask for subgroups.
        #[cfg(not(target_os = "macos"))]
        let side = if subgroup_required.is_some() && vulkan.is_none() { 0 } else { side };
        Ok(Gpu {
            chooses: !info.software,
            submitted_max: submitted_max(&info),
            info,
            #[cfg(not(target_os = "macos"))]
            vulkan,
            subgroup_required,
            device,
            queue,
            matrices_max: limits.max_storage_buffer_binding_size,
            limits,
            subgroup_min,
            side: emulated.unwrap_or(side),
            emulated: emulated.is_some(),
            left_out,
            submitting: Mutex::new(()),
            fault,
        })
    }

    /// The side of squares in attention.
    pub(crate) fn attention_side(&self) -> u32 {
        if self.left_out.contains(&FastPath::Attention) { 0 } else { self.side }
    }

    /// Give the device up, as when it is lost: every step from now on is an error.
    pub fn give_up(&self) {
        self.device.destroy();
        self.fault.lost.store(true, Ordering::Release);
    }

    /// An error where the device was lost.
    pub(crate) fn alive(&self) -> Result<(), DeviceError> {
        match self.fault.lost.load(Ordering::Acquire) {
            false => Ok(()),
            true => Err(DeviceError::Failed {
                device: self.info.name.clone(),
                step: "a step",
                reason: "the device was lost".into(),
            }),
        }
    }

    /// Submit through wgpu.
    pub(crate) fn submit(&self, commands: impl IntoIterator<Item = CommandBuffer>) -> SubmissionIndex {
        let _turn = self.submitting.lock().unwrap_or_else(PoisonError::into_inner);
        self.queue.submit(commands)
    }

    /// Make all words of buffers zero, and wait until everything that wgpu was given is over.
    pub(crate) fn clear(&self, buffers: &[&Buffer]) {
        let mut encoder = self.device.create_command_encoder(&CommandEncoderDescriptor::default());
        buffers.iter().for_each(|buffer| encoder.clear_buffer(buffer, 0, None));
        let submission = self.submit([encoder.finish()]);
        let wait = PollType::Wait { submission_index: Some(submission), timeout: Some(CLEAR_MAX) };
        // What went wrong is said by `check`.
        let _ = self.device.poll(wait);
    }

    /// A kernel's source for this device.
    pub(crate) fn source(&self, key: &Key) -> String {
        let source = key.source(self.subgroup_min);
        if self.emulated && source.contains("coop_mat") { without_matrices(&source) } else { source }
    }

    /// What went wrong since the last call, as an error of `step`.
    pub(crate) fn check(&self, step: &'static str) -> Result<(), DeviceError> {
        match self.fault.reason.lock().unwrap_or_else(PoisonError::into_inner).take() {
            None => Ok(()),
            Some(reason) => Err(DeviceError::Failed { device: self.info.name.clone(), step, reason }),
        }
    }

    /// How long it may finish nothing of a step; longer, and it hangs. One that is a program compiles kernels meanwhile.
    pub(crate) fn step_max(&self) -> Duration {
        Duration::from_secs(if self.info.software { 600 } else { 60 })
    }

    pub(crate) fn silent(&self, limit: Duration) -> DeviceError {
        DeviceError::Silent { device: self.info.name.clone(), seconds: limit.as_secs() }
    }

    /// Wait until a submission is through; no longer than `limit`.
    pub(crate) fn pass(&self, submission: &SubmissionIndex, limit: Duration) -> Result<(), DeviceError> {
        let start = Instant::now();
        loop {
            let (submission_index, timeout) = (Some(submission.clone()), Some(Duration::from_millis(100)));
            if self.device.poll(PollType::Wait { submission_index, timeout }).is_ok() {
                return Ok(());
            }
            self.check("a step")?;
            if start.elapsed() > limit {
                return Err(self.silent(limit));
            }
        }
    }

    /// Wait until `done`, which callbacks of the device set once `submission` is through; no longer than `limit`.
    pub(crate) fn wait(
        &self,
        done: &AtomicBool,
        submission: &SubmissionIndex,
        limit: Duration,
    ) -> Result<(), DeviceError> {
        let start = Instant::now();
        loop {
            // Polling answers sooner than a wait of the system; a software device computes on these very cores.
            let patient = self.info.software || start.elapsed() > Duration::from_millis(50);
            let poll = match patient {
                true => PollType::Wait {
                    submission_index: Some(submission.clone()),
                    timeout: Some(Duration::from_millis(100)),
                },
                false => PollType::Poll,
            };
            // A timeout is not an error here: the limit below decides.
            let _ = self.device.poll(poll);
            if done.load(Ordering::Acquire) {
                return Ok(());
            }
            self.check("a step")?;
            if start.elapsed() > limit {
                return Err(self.silent(limit));
            }
            if !patient {
                std::hint::spin_loop();
            }
        }
    }
}

/// The side of the largest squares of half floats that the device multiplies and adds up in floats, of those that there are kernels for.
fn side_of_matrices(adapter: &Adapter) -> u32 {
    use wgpu::CooperativeScalarType::{F16, F32};
    let shapes = adapter.cooperative_matrix_properties();
    let has = |side: &u32| {
        shapes.iter().any(|shape| {
            [shape.m_size, shape.n_size, shape.k_size] == [*side; 3]
                && (shape.ab_type, shape.cr_type) == (F16, F32)
        })
    };
    [16, 8].into_iter().find(has).unwrap_or(0)
}

/// Whether every subgroup has as many threads as kernels with matrices count on. Metal does not say; those of Apple's GPUs have.
fn subgroups_are_whole(adapter: &Adapter) -> bool {
    let info = adapter.get_info();
    let apple = info.backend == wgpu::Backend::Metal && info.device_type == DeviceType::IntegratedGpu;
    apple || [info.subgroup_min_size, info.subgroup_max_size] == [MATRIX_THREADS; 2]
}

/// Whether kernels can be compiled for subgroups of so many threads.
#[cfg(not(target_os = "macos"))]
fn can_require(adapter: &Adapter, threads: u32) -> bool {
    crate::vulkan::can_require_subgroups(adapter, threads)
}

#[cfg(target_os = "macos")]
fn can_require(_: &Adapter, _: u32) -> bool {
    false
}

#[allow(unsafe_code)]
fn experimental(cooperative: bool) -> ExperimentalFeatures {
    match cooperative {
        // SAFETY: the one experimental feature taken is cooperative matrices, whose kernels use them in uniform control
        // flow and within the bounds of their tiles; a device that computes them wrongly is found by the self-test.
        true => unsafe { ExperimentalFeatures::enabled() },
        false => ExperimentalFeatures::disabled(),
    }
}
