//! A GPU as a [`Backend`].

use std::sync::Arc;

use tandem_tensor::{
    Activation, Attend, Backend, Footprint, Limits, Op, OpenError, Program, Session, WeightSource, Window,
};

use crate::device::{DeviceError, Gpu};
use crate::handover::{HandOver, Timing, Way};
use crate::kernels::Kernels;
use crate::plan::{Abilities, Plan, SUMS_MAX};
use crate::session::GpuSession;
use crate::step::StepWords;

#[derive(Clone)]
pub struct GpuBackend {
    gpu: Arc<Gpu>,
    kernels: Arc<Kernels>,
    way: Option<Way>,
}

impl GpuBackend {
    pub fn new(index: usize) -> Result<GpuBackend, DeviceError> {
        Ok(GpuBackend::of(Gpu::open(index)?))
    }

    /// With cooperative matrices that each thread computes for itself: for tests on devices that have none.
    pub fn with_emulated_matrices(index: usize) -> Result<GpuBackend, DeviceError> {
        Ok(GpuBackend::of(Gpu::open_with(index, true)?))
    }

    fn of(gpu: Gpu) -> GpuBackend {
        let gpu = Arc::new(gpu);
        let kernels = Arc::new(Kernels::new(Arc::clone(&gpu)));
        GpuBackend { gpu, kernels, way: None }
    }

    /// Where ranks exchange something, only this way of handing it over is tried.
    pub fn with_way(self, way: Way) -> GpuBackend {
        GpuBackend { way: Some(way), ..self }
    }

    /// What handing a step over to the host and back costs here.
    pub fn hand_overs(&self) -> Vec<Timing> {
        std::mem::take(&mut HandOver::open(&self.gpu, &self.kernels, 0, None).timings)
    }

    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// What the program has that no kernel does.
    fn unsupported(&self, program: &Program, plan: &Plan) -> Option<&'static str> {
        let binding_max = self.gpu.limits.max_storage_buffer_binding_size;
        let mixed = program.ops.iter().any(|op| match op {
            Op::GatedLinear { gate, up, .. } => program.weight(*gate).dtype != program.weight(*up).dtype,
            Op::Experts(experts) => program.weight(experts.gate).dtype != program.weight(experts.up).dtype,
            _ => false,
        });
        if mixed {
            return Some("gates and up-projections of different types");
        }
        let missing = program.ops.iter().find_map(|op| match op {
            Op::AttendLatent(op) if op.indexer.is_some() => Some("attention over chosen tokens"),
            Op::AttendLatent(op) if program.ropes[op.rope.index()].inv_freq.is_empty() => {
                Some("latent attention without rotation")
            }
            Op::Join { .. } => Some("sums in two parts"),
            Op::Attend(Attend { window: Some(Window::Chunked(_)), .. }) => Some("attention in chunks"),
            Op::Attend(Attend { growth: Some(growth), .. }) if growth.ahead != 0.0 => {
                Some("queries that grow ahead of their position")
            }
            Op::Attend(Attend { kv: None, .. }) => Some("layers that read the keys of others"),
            Op::Slice { .. } => Some("inputs of layers"),
            Op::Curve { .. } | Op::LayerNorm { .. } | Op::Mean { .. } => Some("towers of pictures"),
            Op::Experts(op) if op.routing.weighs_input => Some("experts whose input is weighed"),
            Op::Experts(op) if op.routing.scales.is_some() => Some("experts with scales of their own"),
            Op::Rescale { by: Some(_), .. } => Some("layers with a scale of their own"),
            Op::GatedLinear { act: Activation::ReluGate, .. } => Some("squared activations"),
            Op::Experts(op) if op.act == Activation::ReluGate => Some("squared activations"),
            Op::NormRuns { len, norm, .. } if program.weight(norm.weight).cols() != *len => {
                Some("norms of runs with weights of their own")
            }
            _ => None,
        });
        if missing.is_some() {
            return missing;
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
        let plan = Plan::new(&program, &limits, Abilities::of(&self.gpu));
        if let Some(what) = self.unsupported(&program, &plan) {
            return Err(OpenError::Unsupported { backend: self.name(), what });
        }
        let (gpu, kernels) = (Arc::clone(&self.gpu), Arc::clone(&self.kernels));
        GpuSession::open(gpu, kernels, program, limits, plan, self.way, weights, progress)
    }
}

impl Backend for GpuBackend {
    fn name(&self) -> String {
        format!("gpu ({}, {})", self.gpu.info.name, self.gpu.info.api)
    }

    fn footprint(&self, program: &Program, limits: &Limits) -> Footprint {
        let plan = Plan::new(program, limits, Abilities::of(&self.gpu));
        let mut footprint = plan.map.footprint();
        footprint.scratch += plan.prepared_bytes() + StepWords::len_max(program, limits) as u64 * 4;
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
