//! GPUs, by Vulkan or Metal, as devices.

use std::path::PathBuf;

use tandem_kernels_gpu::{DeviceInfo, DeviceMemory, GpuBackend, device};
use tandem_tensor::Backend;
use tandem_vitals::{wired_limit_command, wired_limit_mb_max};

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
        unified: info.unified,
        limit: info.memory.and_then(limit),
        software: info.software,
        drawback,
    }
}

fn limit(memory: DeviceMemory) -> Option<String> {
    let DeviceMemory { total, machine, .. } = memory;
    let machine = machine.filter(|machine| total >> 20 < wired_limit_mb_max(*machine))?;
    let (total, all) = (total as f64 / 1e9, machine as f64 / 1e9);
    let command = wired_limit_command(machine);
    Some(format!(
        "macOS lets the GPU have {total:.1} of {all:.1} GB; `{command}` gives it more until the next start"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_keeps_from_a_gpu_is_said() {
        let of = |total_gib: u64, machine_gib: Option<u64>| {
            let total = total_gib << 30;
            limit(DeviceMemory { total, free: total, machine: machine_gib.map(|machine| machine << 30) })
        };
        assert_eq!(
            of(384, Some(512)).as_deref(),
            Some(
                "macOS lets the GPU have 412.3 of 549.8 GB; `sudo sysctl iogpu.wired_limit_mb=482264` \
                 gives it more until the next start"
            )
        );
        assert_eq!(of(480, Some(512)), None);
        assert_eq!(of(141, None), None);
    }
}
