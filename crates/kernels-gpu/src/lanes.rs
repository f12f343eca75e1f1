//! The lanes that a device has, with their kernels.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tandem_tensor::Lender;

use crate::claim::Claim;
use crate::device::{DeviceError, Gpu};
use crate::flagged::{self, FlagKernels, Flagged};
use crate::handover::Way;
use crate::kernels::{Compile, Kernels};
use crate::lane::Lane;
use crate::plain::{self, Plain};
#[cfg(not(target_os = "macos"))]
use crate::vulkan::{self, Replay, VulkanKernels};

pub struct Lanes {
    pub gpu: Arc<Gpu>,
    plain: Arc<Kernels>,
    #[cfg(not(target_os = "macos"))]
    vulkan: Option<Arc<VulkanKernels>>,
    flags: OnceLock<Result<Arc<FlagKernels>, String>>,
    /// Lends memory that the links of ranks know.
    pub lender: OnceLock<Lender>,
    pub folder: Option<PathBuf>,
}

/// How many words of each kind a lane has room for.
#[derive(Clone, Copy)]
pub struct Room {
    pub words: usize,
    pub results: usize,
    pub exchanged: usize,
}

impl Lanes {
    /// `folder`: where compiled kernels are kept, and processes of the user that wait on a device find each other.
    pub fn new(gpu: Gpu, folder: Option<PathBuf>) -> Lanes {
        let gpu = Arc::new(gpu);
        Lanes {
            plain: Arc::new(Kernels::new(Arc::clone(&gpu))),
            #[cfg(not(target_os = "macos"))]
            vulkan: VulkanKernels::new(&gpu, folder.clone()).map(Arc::new),
            flags: OnceLock::new(),
            lender: OnceLock::new(),
            folder,
            gpu,
        }
    }

    /// The lane for a way of handing over, which must be one that the device has.
    pub fn open(&self, room: Room, way: Way) -> Result<Box<dyn Lane>, DeviceError> {
        #[cfg(not(target_os = "macos"))]
        if let (Some(kernels), Way::Queued | Way::Polled) = (&self.vulkan, way) {
            return Ok(Box::new(Replay::new(&self.gpu, kernels, room, way, self.lender.get())?));
        }
        let plain = Plain::new(Arc::clone(&self.gpu), Arc::clone(&self.plain), room);
        if let Way::Flags | Way::Queued = way
            && let Ok(kernels) = self.flags()
        {
            return Ok(Box::new(Flagged::new(&self.gpu, &kernels, plain, room, way)?));
        }
        let exchanges = room.exchanged > 0 && self.flags().is_ok();
        let claim = exchanges.then(|| Claim::new(self.folder.as_deref(), self.gpu.info.index));
        Ok(Box::new(plain.claiming(claim)))
    }

    /// The kernels of flags, or why the device cannot have them.
    fn flags(&self) -> Result<Arc<FlagKernels>, String> {
        self.flags.get_or_init(|| FlagKernels::new(&self.gpu, self.folder.clone()).map(Arc::new)).clone()
    }

    /// The way of steps that exchange nothing.
    pub fn way_alone(&self) -> Way {
        #[cfg(not(target_os = "macos"))]
        if self.vulkan.is_some() {
            return Way::Polled;
        }
        Way::Waited
    }

    /// What compiles the kernels of a lane.
    pub fn compiler(&self, way: Way) -> Arc<dyn Compile> {
        #[cfg(not(target_os = "macos"))]
        if let (Some(kernels), Way::Queued | Way::Polled) = (&self.vulkan, way) {
            return Arc::clone(kernels) as Arc<dyn Compile>;
        }
        let _ = way;
        Arc::clone(&self.plain) as Arc<dyn Compile>
    }

    /// How long it takes to bring `len` values to the device and back, `count` times; or why it cannot be done this way.
    pub fn rounds(
        &self,
        way: Way,
        count: usize,
        len: usize,
        limit: Duration,
    ) -> Result<Vec<Duration>, String> {
        if way == Way::Waited {
            if self.gpu.subgroup_required.is_some() && self.gpu.side > 0 && !self.gpu.emulated {
                return Err("not used: matrices need subgroups of a size that this way cannot ask for".into());
            }
            return plain::rounds(&self.gpu, count, len, limit);
        }
        #[cfg(not(target_os = "macos"))]
        if let (Some(kernels), Way::Queued | Way::Polled) = (&self.vulkan, way) {
            return vulkan::rounds(&self.gpu, kernels, way, count, len, limit, self.lender.get());
        }
        if let Way::Flags | Way::Queued = way {
            return flagged::rounds(&self.gpu, &self.flags()?, way, count, len, limit);
        }
        Err("not on this device".into())
    }
}
