//! GPUs, by Vulkan or Metal, as devices.

use std::path::PathBuf;

use tandem_kernels_gpu::{DeviceInfo, GpuBackend, device};
use tandem_tensor::Backend;

use crate::{Found, Provider, Setup};

pub(crate) struct Gpu;

impl Provider for Gpu {
    fn name(&self) -> &str {
        "gpu"
    }

    fn found(&self) -> Vec<Found> {
        device::list().into_iter().map(described).collect()
    }

    fn out_of_reach(&self) -> Option<&'static str> {
        cfg!(target_env = "musl").then_some(
            "this is the static build, which loads no libraries and so reaches no GPU; take the build for glibc (linux-gnu)",
        )
    }

    fn open(&self, index: usize, setup: Setup) -> Result<Box<dyn Backend>, String> {
        let backend = match cache_folder() {
            Some(folder) => GpuBackend::keeping(index, folder),
            None => GpuBackend::new(index),
        };
        let mut backend = backend.map_err(|error| error.to_string())?;
        if let Some(lender) = setup.lender {
            backend = backend.with_lender(lender);
        }
        Ok(Box::new(backend))
    }
}

/// Where compiled kernels and measured speeds are kept: with what else the user's programs can make again.
pub fn cache_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(caches.join("tandem"))
}

fn described(info: DeviceInfo) -> Found {
    let drawback = match (&info.missing, info.software) {
        (Some(missing), _) => Some(format!("it has no {missing}")),
        (None, true) => Some("it is a program on the CPU, for tests".into()),
        (None, false) => None,
    };
    Found {
        name: info.name,
        api: info.api,
        driver: info.driver,
        free_bytes: info.memory.map(|memory| memory.free),
        total_bytes: info.memory.map(|memory| memory.total),
        software: info.software,
        drawback,
    }
}
