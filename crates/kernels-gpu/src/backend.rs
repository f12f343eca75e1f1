//! A GPU as a [`Backend`].

use std::path::PathBuf;
use std::sync::Arc;

use tandem_tensor::{Backend, Footprint, Lender, Limits, Op, OpenError, Program, Session, WeightSource};

use crate::device::{DeviceError, DeviceInfo, Gpu};
use crate::fast_paths::{self, FastPath};
use crate::halves;
use crate::handover::{self, Timing, Way};
use crate::lanes::Lanes;
use crate::plan::{Abilities, Plan, SUMS_MAX};
use crate::session::GpuSession;
use crate::step::StepWords;
use crate::trial::{self, TRIED};
use crate::work::may_attend;

/// Longer batches are hardly faster: matrices are expanded once for all rows of one. Some programs are too wide for the first.
const ROWS_WANTED: [usize; 2] = [2048, 1024];

#[derive(Clone)]
pub struct GpuBackend {
    lanes: Arc<Lanes>,
    way: Option<Way>,
    /// Where things are kept for the next process.
    folder: Option<PathBuf>,
}

impl GpuBackend {
    pub fn new(index: usize) -> Result<GpuBackend, DeviceError> {
        Ok(GpuBackend::of(Gpu::open(index)?, None))
    }

    /// As [`new`](Self::new), with a folder where compiled kernels are kept for the next process, and what the device does without.
    ///
    /// Matrices are tried the first time that a driver is seen, which takes a second: one that does them wrongly does without.
    pub fn keeping(index: usize, folder: PathBuf) -> Result<GpuBackend, DeviceError> {
        let open = |without: &[FastPath]| {
            let left_out =
                |device: &DeviceInfo| [&fast_paths::left_out(&folder, device)[..], without].concat();
            Ok(GpuBackend::of(Gpu::open_with(index, None, &left_out)?, Some(folder.clone())))
        };
        let mut backend: GpuBackend = open(&[])?;
        let device = backend.gpu().info.clone();
        let passed = fast_paths::passed(&folder, &device);
        let mut wrong = Vec::new();
        for (at, path) in TRIED.into_iter().enumerate() {
            if passed.contains(&path) || !backend.uses(path) {
                continue;
            }
            // By itself: without what comes after it.
            let without = [&wrong[..], &TRIED[at + 1..]].concat();
            // What cannot be kept is tried again the next time.
            if trial::of(path, &open(&without)?).is_ok() {
                let _ = fast_paths::pass(&folder, &device, &[path]);
            } else {
                let _ = fast_paths::leave_out(&folder, &device, &[path]);
                wrong.push(path);
                backend = open(&wrong)?;
            }
        }
        Ok(backend)
    }

    /// Whether prompts are computed right with cooperative matrices, or how they differ from the reference's.
    pub fn try_matrices(&self) -> Result<(), String> {
        TRIED.into_iter().try_for_each(|path| trial::of(path, self))
    }

    /// With cooperative matrices, of squares with this side, that each thread computes for itself: for tests on devices that have none.
    pub fn with_emulated_matrices(index: usize, side: u32) -> Result<GpuBackend, DeviceError> {
        Ok(GpuBackend::of(Gpu::open_with(index, Some(side), &|_| Vec::new())?, None))
    }

    /// As if a kernel could see no more than so many bytes of matrices at once: for tests of stacks that are larger. `side`: of
    /// squares that are emulated.
    pub fn with_matrices_of(index: usize, bytes: u64, side: Option<u32>) -> Result<GpuBackend, DeviceError> {
        let mut gpu = Gpu::open_with(index, side, &|_| Vec::new())?;
        gpu.matrices_max = bytes;
        Ok(GpuBackend::of(gpu, None))
    }

    /// With steps in pieces of no more than so many multiplications: for tests.
    pub fn submitting(index: usize, submitted_max: f64) -> Result<GpuBackend, DeviceError> {
        let mut gpu = Gpu::open_with(index, None, &|_| Vec::new())?;
        gpu.submitted_max = submitted_max;
        Ok(GpuBackend::of(gpu, None))
    }

    /// With options to choose between, which software devices have not: for tests. `side`: of squares that are emulated.
    pub fn choosing(index: usize, side: Option<u32>) -> Result<GpuBackend, DeviceError> {
        let mut gpu = Gpu::open_with(index, side, &|_| Vec::new())?;
        gpu.chooses = true;
        Ok(GpuBackend::of(gpu, None))
    }

    fn of(gpu: Gpu, folder: Option<PathBuf>) -> GpuBackend {
        GpuBackend { lanes: Arc::new(Lanes::new(gpu, folder.clone())), way: None, folder }
    }

    /// Steps go this way, and where ranks exchange something no other is tried.
    pub fn with_way(self, way: Way) -> GpuBackend {
        GpuBackend { way: Some(way), ..self }
    }

    /// Keep what ranks exchange in memory from `lender`, where it lends any and the device can use it.
    pub fn with_lender(self, lender: Lender) -> GpuBackend {
        let _ = self.lanes.lender.set(lender);
        self
    }

    /// What handing a step over to the host and back costs here.
    pub fn hand_overs(&self) -> Vec<Timing> {
        handover::measure(&self.lanes, None)
    }

    pub fn gpu(&self) -> &Gpu {
        &self.lanes.gpu
    }

    fn uses(&self, path: FastPath) -> bool {
        let gpu = self.gpu();
        match path {
            FastPath::Matrices => gpu.side > 0 && !gpu.emulated,
            FastPath::Attention => gpu.attention_side() > 0 && !gpu.emulated,
            FastPath::Replay => self.lanes.way_alone() == Way::Polled,
        }
    }

    /// What the program has that no kernel does.
    fn unsupported(&self, program: &Program, plan: &Plan) -> Option<&'static str> {
        let binding_max = self.gpu().limits.max_storage_buffer_binding_size;
        // Sums that are the same in every division: products here differ with the number of rows.
        if program.ops.iter().any(|op| matches!(op, Op::Join { .. })) {
            return Some("sums in two parts");
        }
        if program.ops.iter().any(|op| matches!(op, Op::SumSquares { of, .. } if of.len() > SUMS_MAX)) {
            return Some("norms over this many rows at once");
        }
        if plan.map.chunks.iter().any(|bytes| *bytes > binding_max) {
            return Some("matrices larger than the device can bind at once");
        }
        if plan
            .map
            .caches
            .iter()
            .map(|cache| cache.bytes)
            .chain(plan.map.states.iter().copied())
            .any(|bytes| bytes > binding_max)
        {
            return Some("a cache this large; choose a smaller context");
        }
        if plan.map.act_len as u64 * 4 > binding_max {
            return Some("batches this large");
        }
        None
    }
}

impl GpuBackend {
    /// As [`Backend::open`], for those who want more of a session than its interface.
    pub fn session(
        &self,
        program: Arc<Program>,
        limits: Limits,
        weights: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<GpuSession, OpenError> {
        let plan = Plan::new(&program, &limits, Abilities::of(self.gpu()));
        if let Some(what) = self.unsupported(&program, &plan) {
            return Err(OpenError::Unsupported { backend: self.name(), what });
        }
        GpuSession::open(&self.lanes, program, limits, plan, self.way, weights, progress)
    }
}

impl Backend for GpuBackend {
    fn name(&self) -> String {
        let Gpu { info, left_out, .. } = self.gpu();
        let without: String = left_out.iter().map(|path| format!(", without {}", path.name())).collect();
        format!("gpu ({}, {}{without})", info.name, info.api)
    }

    fn fast_paths(&self) -> Vec<&'static str> {
        FastPath::ALL.into_iter().filter(|path| self.uses(*path)).map(FastPath::name).collect()
    }

    fn without(&self, paths: &[&str]) -> Result<Box<dyn Backend>, String> {
        let gpu = self.gpu();
        let left_out = [FastPath::named(paths), gpu.left_out.clone()].concat();
        let emulated = gpu.emulated.then_some(gpu.side);
        let gpu = Gpu::open_with(gpu.info.index, emulated, &|_| left_out.clone());
        let gpu = gpu.map_err(|error| error.to_string())?;
        Ok(Box::new(GpuBackend::of(gpu, self.folder.clone())))
    }

    fn leave_out(&self, paths: &[&str]) -> Result<(), String> {
        let folder = self.folder.as_ref().ok_or("there is no folder to keep that in")?;
        let kept = fast_paths::leave_out(folder, &self.gpu().info, &FastPath::named(paths));
        kept.map_err(|error| format!("it cannot be kept in {}: {error}", folder.display()))
    }

    fn rounds_to_halves(&self) -> bool {
        self.gpu().side > 0
    }

    fn exchange_ways(&self) -> Vec<String> {
        let found = self.hand_overs().into_iter().filter(|timing| !timing.way.is_played());
        found.map(|timing| timing.to_string()).collect()
    }

    fn rows_wanted(&self, program: &Program, limits: &Limits) -> usize {
        // Without matrices, attention of more rows over many keys may take a slow device longer than its driver lets one kernel run.
        if self.gpu().info.software || self.gpu().side == 0 {
            return limits.tokens_max;
        }
        let possible = |rows: &usize| {
            let limits = Limits { tokens_max: *rows, ..*limits };
            let plan = Plan::new(program, &limits, Abilities::of(self.gpu()));
            *rows <= limits.context_max
                && self.unsupported(program, &plan).is_none()
                && may_attend(&self.gpu().info, &plan.work, *rows, limits.context_max)
        };
        ROWS_WANTED.into_iter().find(possible).unwrap_or(0).max(limits.tokens_max)
    }

    fn footprint(&self, program: &Program, limits: &Limits) -> Footprint {
        let plan = Plan::new(program, limits, Abilities::of(self.gpu()));
        let mut footprint = plan.map.footprint();
        footprint.scratch += plan.prepared_bytes() + StepWords::len_max(program, limits) as u64 * 4;
        footprint.scratch += halves::bytes(program, limits, Abilities::of(self.gpu()));
        footprint
    }

    fn open(
        &self,
        program: Arc<Program>,
        limits: Limits,
        weights: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Box<dyn Session>, OpenError> {
        Ok(Box::new(self.session(program, limits, weights, progress)?))
    }
}
