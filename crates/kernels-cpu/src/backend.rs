//! The CPU as a [`Backend`].

use std::sync::Arc;

use tandem_tensor::{Backend, Footprint, Lender, Limits, OpenError, Profile, Program, Session, WeightSource};

use crate::cpu::{Cpu, Level};
use crate::pool::{self, Pool};
use crate::session::CpuSession;
use crate::weights::Weights;

#[derive(Clone)]
pub struct CpuBackend {
    cpu: Cpu,
    threads: usize,
    profile: Option<Arc<Profile>>,
    lender: Option<Lender>,
}

impl Default for CpuBackend {
    fn default() -> CpuBackend {
        CpuBackend::new()
    }
}

impl CpuBackend {
    /// The machine's best instructions, and a thread for every core this process may use.
    pub fn new() -> CpuBackend {
        CpuBackend { cpu: Cpu::detect(), threads: pool::default_threads(), profile: None, lender: None }
    }

    pub fn with_threads(self, threads: usize) -> CpuBackend {
        CpuBackend { threads: threads.max(1), ..self }
    }

    /// Only the instructions of `cpu`: for tests and comparisons.
    pub fn with_cpu(self, cpu: Cpu) -> CpuBackend {
        CpuBackend { cpu, ..self }
    }

    /// Let the sessions opened from here on add their times to `profile`.
    pub fn profiled(self, profile: Arc<Profile>) -> CpuBackend {
        CpuBackend { profile: Some(profile), ..self }
    }

    /// Keep activations in memory from `lender` where it lends any, so that what ranks exchange need not be copied.
    pub fn with_lender(self, lender: Lender) -> CpuBackend {
        CpuBackend { lender: Some(lender), ..self }
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    pub fn level(&self) -> Level {
        self.cpu.level()
    }
}

impl Backend for CpuBackend {
    fn name(&self) -> String {
        format!("cpu ({}, {} threads)", self.level(), self.threads)
    }

    fn sums_exactly(&self) -> bool {
        true
    }

    fn footprint(&self, program: &Program, limits: &Limits) -> Footprint {
        CpuSession::footprint(program, limits, self.threads)
    }

    fn open(
        &self,
        program: Arc<Program>,
        limits: Limits,
        weights: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Box<dyn Session>, OpenError> {
        let mut pool = Pool::new(self.threads).map_err(|source| OpenError::Memory {
            what: "threads",
            bytes: self.threads as u64,
            source,
        })?;
        let weights = Weights::load(&program, weights, progress, &mut pool)?;
        let profile = self.profile.clone();
        let lender = self.lender.as_ref();
        Ok(Box::new(CpuSession::new(program, limits, weights, pool, self.cpu, profile, lender)?))
    }
}
