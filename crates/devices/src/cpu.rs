//! The processor as a device.

use tandem_kernels_cpu::{CpuBackend, pool};
use tandem_tensor::Backend;

use crate::{Found, Provider, Setup};

pub(crate) struct Cpu;

impl Provider for Cpu {
    fn name(&self) -> &str {
        "cpu"
    }

    fn found(&self) -> Vec<Found> {
        vec![Found { name: CpuBackend::new().name(), ..Found::default() }]
    }

    fn open(&self, _index: usize, setup: Setup) -> Result<Box<dyn Backend>, String> {
        let mut backend = CpuBackend::new();
        if let Some(threads) = setup.threads {
            backend = backend.with_threads(threads);
        }
        if let Some(profile) = setup.profile {
            backend = backend.profiled(profile);
        }
        if let Some(lender) = setup.lender {
            backend = backend.with_lender(lender);
        }
        Ok(Box::new(backend))
    }
}

/// One thread for every core that this process may use.
pub fn default_threads() -> usize {
    pool::default_threads()
}
