//! The kernels' sources, put together, and compiled when first used.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

use tandem_tensor::{DType, grid_types, quant};
use wgpu::{
    BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, BufferBindingType,
    ComputePipeline, ComputePipelineDescriptor, PipelineCompilationOptions, PipelineLayoutDescriptor,
    ShaderModuleDescriptor, ShaderRuntimeChecks, ShaderSource, ShaderStages,
};

use crate::device::Gpu;
use crate::packing::{is_coded, values_of};
use crate::unroll::unroll;

macro_rules! source {
    ($name:literal) => {
        include_str!(concat!("shaders/", $name, ".wgsl"))
    };
}

/// What a kernel does. Its source is one file of `shaders/` and the pieces that file needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Embed,
    Norm,
    /// The same, of a row and what ranks exchanged.
    NormLent,
    Convert,
    Add,
    /// Rows of outputs, or means of the rows from there on.
    Select,
    /// Columns of rows.
    Slice,
    /// Rows that a batch gives.
    Place,
    LayerNorm,
    /// A few rows times a matrix.
    MatVec,
    /// More rows times a matrix.
    MatRows,
    /// One row times gates and what they gate, prepared for the next product.
    GateUp,
    /// One row, normed on the way, times matrices.
    OneRow,
    /// Many rows times a matrix.
    MatMul,
    /// Products whose depth was divided, added up.
    SumSplits,
    /// A matrix as half floats.
    Expand,
    /// Gates and what they gate.
    Gate,
    /// A stack of matrices, each with rows of its own.
    Apply,
    /// The same for many rows.
    ApplyRows,
    Rotate,
    Attend,
    /// Attention of a batch's only row, rotated on the way.
    AttendTurned,
    /// The same of any row, over many keys.
    AttendKeys,
    /// The same of one row, rotated on the way.
    AttendKeysTurned,
    /// Attention of many rows with cooperative matrices.
    Flash,
    /// The same of latent heads.
    FlashLatent,
    Reduce,
    /// What an indexer makes of a row's keys.
    Index,
    /// The keys with the highest scores.
    Choose,
    Route,
    /// One row after the other through its experts.
    Experts,
    /// Rows in the order of their experts.
    Sort,
    /// The rows of each expert together.
    ExpertRows,
    /// What the experts of a row gave, added up.
    Gather,
    /// Values times a curve of their gates.
    Curve,
    Rescale,
    NormRuns,
    SumSquares,
    NormBy,
    Convolve,
    /// A head's state, changed by row after row.
    Memory,
    /// What mixes streams.
    Connect,
    /// Streams as one row.
    Collapse,
    /// Streams mixed with each other and a row.
    Mix,
    /// Rows of several buffers in one.
    Blend,
    /// One row of every few.
    Pool,
    /// What a choice makes of a cache's rows.
    ScoreRows,
    /// The rows with the highest scores.
    ChooseRows,
    /// The highest scores of runs of rows.
    Runs,
    /// The highest scores of runs of keys, for every head by itself.
    ScoreRuns,
    /// Attention over a window, or over rows of a list.
    AttendRows,
    /// Logits that were asked for by their tokens.
    Name,
    /// The likeliest tokens.
    Candidates,
    /// Sums of exponentials.
    Total,
    /// A word for the host.
    Flag,
    /// Values to the host, or from it.
    Carry,
}

impl Kind {
    pub const ALL: [Kind; 56] = [
        Kind::Embed,
        Kind::Norm,
        Kind::NormLent,
        Kind::Convert,
        Kind::Add,
        Kind::Select,
        Kind::Slice,
        Kind::Place,
        Kind::LayerNorm,
        Kind::MatVec,
        Kind::MatRows,
        Kind::GateUp,
        Kind::OneRow,
        Kind::MatMul,
        Kind::SumSplits,
        Kind::Expand,
        Kind::Gate,
        Kind::Apply,
        Kind::ApplyRows,
        Kind::Rotate,
        Kind::Attend,
        Kind::AttendTurned,
        Kind::AttendKeys,
        Kind::AttendKeysTurned,
        Kind::Flash,
        Kind::FlashLatent,
        Kind::Reduce,
        Kind::Index,
        Kind::Choose,
        Kind::Route,
        Kind::Experts,
        Kind::Sort,
        Kind::ExpertRows,
        Kind::Gather,
        Kind::Curve,
        Kind::Rescale,
        Kind::NormRuns,
        Kind::SumSquares,
        Kind::NormBy,
        Kind::Convolve,
        Kind::Memory,
        Kind::Connect,
        Kind::Collapse,
        Kind::Mix,
        Kind::Blend,
        Kind::Pool,
        Kind::ScoreRows,
        Kind::ChooseRows,
        Kind::ScoreRuns,
        Kind::Runs,
        Kind::AttendRows,
        Kind::Name,
        Kind::Candidates,
        Kind::Total,
        Kind::Flag,
        Kind::Carry,
    ];

    /// What it binds: the binding's number and `r` for reading, `w` for writing too, `u` for its parameters.
    pub(crate) fn bindings(self) -> &'static [(u32, char)] {
        match self {
            Kind::Embed => &[(0, 'r'), (1, 'r'), (2, 'w'), (5, 'u'), (6, 'r')],
            Kind::Norm => &[(2, 'w'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r'), (7, 'r')],
            Kind::NormLent => &[(2, 'w'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (11, 'r')],
            Kind::Convert | Kind::Gate => &[(2, 'w'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r')],
            Kind::Add
            | Kind::Select
            | Kind::Sort
            | Kind::Gather
            | Kind::Curve
            | Kind::Slice
            | Kind::Place
            | Kind::Choose
            | Kind::ChooseRows
            | Kind::Runs
            | Kind::Collapse
            | Kind::Mix
            | Kind::SumSquares => &[(2, 'w'), (5, 'u'), (6, 'r')],
            Kind::MatVec | Kind::MatRows | Kind::Experts | Kind::ExpertRows | Kind::MatMul => {
                &[(0, 'r'), (1, 'r'), (2, 'w'), (3, 'r'), (4, 'r'), (5, 'u'), (6, 'r'), (7, 'r')]
            }
            Kind::OneRow => &[(0, 'r'), (1, 'r'), (2, 'w'), (5, 'u'), (6, 'r'), (7, 'r')],
            Kind::GateUp => &[
                (0, 'r'),
                (1, 'r'),
                (2, 'w'),
                (3, 'w'),
                (4, 'w'),
                (5, 'u'),
                (6, 'r'),
                (7, 'r'),
                (9, 'r'),
                (10, 'r'),
            ],
            Kind::Apply | Kind::ApplyRows => &[(0, 'r'), (1, 'r'), (2, 'w'), (5, 'u'), (6, 'r')],
            Kind::Expand => &[(0, 'r'), (1, 'r'), (3, 'w'), (5, 'u'), (6, 'r')],
            Kind::Rotate => &[(2, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (8, 'w')],
            Kind::Attend => &[(2, 'w'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (8, 'r')],
            Kind::AttendTurned => &[(2, 'w'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (8, 'w')],
            Kind::AttendKeys => &[(2, 'w'), (5, 'u'), (6, 'r'), (8, 'r')],
            Kind::AttendKeysTurned => &[(2, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (8, 'w')],
            Kind::Flash => &[(2, 'w'), (3, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (8, 'r')],
            Kind::FlashLatent => &[(2, 'w'), (3, 'r'), (5, 'u'), (6, 'r'), (8, 'r')],
            Kind::Reduce => &[(2, 'w'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r'), (7, 'r')],
            Kind::Route
            | Kind::SumSplits
            | Kind::Rescale
            | Kind::LayerNorm
            | Kind::NormRuns
            | Kind::Connect
            | Kind::Blend
            | Kind::NormBy => &[(2, 'w'), (5, 'u'), (6, 'r'), (7, 'r')],
            Kind::Index | Kind::ScoreRows | Kind::ScoreRuns => &[(2, 'w'), (5, 'u'), (6, 'r'), (8, 'r')],
            Kind::Pool => &[(2, 'w'), (5, 'u'), (6, 'r'), (8, 'w')],
            Kind::AttendRows => &[(2, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (8, 'r')],
            Kind::Flag | Kind::Carry => &[(2, 'w'), (11, 'w')],
            Kind::Name | Kind::Candidates | Kind::Total => &[(2, 'w'), (5, 'u'), (6, 'r'), (11, 'w')],
            Kind::Convolve | Kind::Memory => &[(2, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (8, 'w')],
        }
    }
}

/// A kernel with everything that is decided before it is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    pub kind: Kind,
    /// The type of its matrix, where it has one.
    pub dtype: Option<DType>,
    /// Threads of a workgroup.
    pub threads: u32,
    /// Constants of the source, by name.
    pub constants: Vec<(&'static str, u32)>,
}

impl Key {
    pub fn new(kind: Kind, threads: u32) -> Key {
        Key { kind, dtype: None, threads, constants: Vec::new() }
    }

    pub fn of(self, dtype: DType) -> Key {
        Key { dtype: Some(dtype), ..self }
    }

    pub fn with(mut self, name: &'static str, value: u32) -> Key {
        self.constants.push((name, value));
        self
    }

    pub fn get(&self, name: &str) -> Option<u32> {
        self.constants.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    /// Whether its subgroups multiply matrices.
    pub(crate) fn has_matrices(&self) -> bool {
        self.get("SIDE").is_some()
    }

    /// Of a norm that adds to its rows, the one that reads what it adds where ranks exchanged it.
    pub(crate) fn lent(&self) -> Option<Key> {
        let adds = self.kind == Kind::Norm && self.get("ADD") == Some(1) && self.get("BY_FOURS") == Some(1);
        adds.then(|| Key { kind: Kind::NormLent, ..self.clone() }.with("LENT", 1))
    }

    /// The kernel's WGSL. `subgroup_min`: the least threads of a subgroup.
    pub fn source(&self, subgroup_min: u32) -> String {
        let mut out = String::new();
        let side = self.get("SIDE");
        // Half floats are there where matrices are, and matrices are expanded for those.
        let has_halves = self.has_matrices() || self.kind == Kind::Expand;
        if has_halves {
            out += "enable f16;\n";
        }
        if self.has_matrices() {
            out += "enable wgpu_cooperative_matrix;\n";
        }
        let constant = |out: &mut String, name: &str, value: u32| {
            // Writing to a string cannot fail.
            let _ = match name {
                "ADD" | "KEEP" | "DELTA" | "MERGE" | "PAIRED" | "ACTIVATED" | "SHARED" => {
                    writeln!(out, "const {name} = {};", value != 0)
                }
                _ => writeln!(out, "const {name} = {value}u;"),
            };
        };
        constant(&mut out, "WG", self.threads);
        constant(&mut out, "SUBGROUPS", self.threads.div_ceil(subgroup_min));
        for (name, value) in &self.constants {
            constant(&mut out, name, *value);
        }
        for name in ["ACTIVATION", "LIMIT"].into_iter().filter(|name| self.get(name).is_none()) {
            constant(&mut out, name, 0);
        }
        out += &unroll(source!("common"), &|name| self.get(name));
        let halves = self.dtype == Some(DType::F16) && side.is_some();
        if halves {
            out += source!("weight_halves");
        } else if let Some(dtype) = self.dtype {
            out += source!("weight_head");
            if let Some(values) = values_of(dtype) {
                let words =
                    values.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(word.map(|x| x as u8)));
                let words: Vec<String> = words.map(|word| format!("{word}u")).collect();
                let _ = writeln!(out, "const VALUES = vec4<u32>({});", words.join(", "));
                constant(&mut out, "UNIT", quant::unit(dtype).to_bits());
            }
            weight_sources(dtype).iter().for_each(|part| out += part);
            out += match is_coded(dtype) {
                true => source!("weight_dot"),
                false => source!("weight_dot_float"),
            };
            if is_coded(dtype) {
                out += source!("weight_blocks");
            }
            if has_halves {
                out += if is_coded(dtype) { source!("halves_dot") } else { source!("halves_float") };
            }
        }
        let coded = self.dtype.is_some_and(is_coded);
        let constant_of = |name: &str| if name == "CODED" { Some(coded.into()) } else { self.get(name) };
        let whole = self.get("WHOLE") == Some(1) && !self.has_matrices();
        let prepares = whole
            || matches!(
                self.kind,
                Kind::Norm | Kind::NormLent | Kind::Convert | Kind::GateUp | Kind::Gate | Kind::Reduce
            );
        let taken = self.get("TAKEN").is_some();
        if prepares || (taken && coded) {
            out += source!("quantised");
        }
        if prepares {
            out += source!("prepare");
        }
        if whole || self.kind == Kind::Reduce {
            out += source!("give");
        }
        if taken {
            out += source!("sums");
            out += &unroll(source!("taken"), &constant_of);
        }
        if self.get("ROUNDING").is_some_and(|rounding| rounding > 0) {
            out += source!("rounding");
        }
        if self.get("BLOCK_ROWS").is_some() {
            out += source!("pooled");
        }
        let parts: &[&str] = match self.kind {
            Kind::Embed => &[source!("embed")],
            Kind::Norm | Kind::NormLent => &[source!("sums"), source!("norm")],
            Kind::Convert => &[source!("convert")],
            Kind::Add => &[source!("add")],
            Kind::Select => &[source!("select")],
            Kind::Slice => &[source!("slice")],
            Kind::Place => &[source!("place")],
            Kind::LayerNorm => &[source!("sums"), source!("layer_norm")],
            Kind::Index => &[
                source!("cache"),
                source!("cache_read"),
                source!("cached"),
                source!("index"),
                source!("scored"),
            ],
            Kind::Choose => &[source!("choose")],
            Kind::ChooseRows => &[source!("listed"), source!("choose")],
            Kind::ScoreRows => &[
                source!("cache"),
                source!("cache_read"),
                source!("cached"),
                source!("listed"),
                source!("score_rows"),
                source!("scored"),
            ],
            Kind::Runs => &[source!("listed"), source!("runs")],
            Kind::ScoreRuns => &[
                source!("sums"),
                source!("cache"),
                source!("cache_read"),
                source!("cached"),
                source!("score_runs"),
            ],
            Kind::AttendRows => &[
                source!("sums"),
                source!("cache"),
                source!("cache_read"),
                source!("cached"),
                source!("attend_rows"),
            ],
            Kind::Connect => &[source!("sums"), source!("connect")],
            Kind::Collapse => &[source!("collapse")],
            Kind::Mix => &[source!("mix")],
            Kind::Blend => &[source!("sums"), source!("blend")],
            Kind::Pool => &[source!("spans"), source!("pool")],
            Kind::MatVec if coded => &[source!("matvec_q8")],
            Kind::MatVec => &[source!("matvec_f32")],
            Kind::MatRows => &[source!("matrows")],
            Kind::GateUp => &[source!("gate_up")],
            Kind::OneRow => &[source!("one_row")],
            Kind::MatMul if halves => &[
                source!("matmul_head"),
                source!("matmul_cooperative"),
                source!("matmul_halves"),
                source!("matmul_end"),
            ],
            Kind::MatMul if side.is_some() => &[
                source!("matmul_head"),
                source!("matmul_cooperative"),
                source!("matmul_coded"),
                source!("matmul_end"),
            ],
            Kind::MatMul => &[source!("matmul_head"), source!("matmul_plain")],
            Kind::SumSplits => &[source!("sum_splits")],
            Kind::Expand => &[source!("expand")],
            Kind::Gate => &[source!("gate")],
            Kind::Apply => &[source!("apply")],
            Kind::ApplyRows => &[source!("apply_rows")],
            Kind::Rotate => &[source!("sums"), source!("cache"), source!("turn"), source!("rotate")],
            Kind::Attend => &[source!("cache"), source!("cache_read"), source!("cached"), source!("attend")],
            Kind::AttendTurned => &[
                source!("sums"),
                source!("cache"),
                source!("cache_written"),
                source!("turn"),
                source!("turned"),
                source!("cached"),
                source!("attend"),
            ],
            Kind::AttendKeys => {
                &[source!("cache"), source!("cache_read"), source!("cached"), source!("attend_keys")]
            }
            Kind::AttendKeysTurned => &[
                source!("sums"),
                source!("cache"),
                source!("cache_written"),
                source!("turn"),
                source!("turned"),
                source!("cached"),
                source!("attend_keys"),
            ],
            Kind::Flash => &[source!("cache"), source!("cache_read"), source!("cached"), source!("flash")],
            Kind::FlashLatent => {
                &[source!("cache"), source!("cache_read"), source!("cached"), source!("flash_latent")]
            }
            Kind::Reduce => &[source!("sums"), source!("reduce")],
            Kind::Route => &[source!("sums"), source!("route")],
            Kind::Sort => &[source!("sort")],
            Kind::ExpertRows => &[source!("expert_rows")],
            Kind::Gather => &[source!("gather")],
            Kind::Curve => &[source!("curve")],
            Kind::Rescale => &[source!("rescale")],
            Kind::NormRuns => &[source!("sums"), source!("norm_runs")],
            Kind::SumSquares => &[source!("sums"), source!("sum_squares")],
            Kind::NormBy => &[source!("norm_by")],
            Kind::Convolve => &[source!("spans"), source!("convolve")],
            Kind::Memory => &[source!("sums"), source!("spans"), source!("memory")],
            Kind::Flag => &[source!("flag")],
            Kind::Carry => &[source!("carry")],
            Kind::Name => &[source!("name")],
            Kind::Candidates => &[source!("allowed"), source!("candidates")],
            Kind::Total => &[source!("allowed"), source!("total")],
            Kind::Experts if coded => &[source!("product_q8"), source!("experts")],
            Kind::Experts => &[source!("product_f32"), source!("experts")],
        };
        parts.iter().for_each(|part| out += &unroll(part, &constant_of));
        // Kernels are written for the larger squares.
        if side == Some(8) { out.replace("coop_mat16x16", "coop_mat8x8") } else { out }
    }
}

fn weight_sources(dtype: DType) -> &'static [&'static str] {
    match dtype {
        DType::F32 => &[source!("weight_f32")],
        DType::F16 => &[source!("weight_f16")],
        DType::BF16 => &[source!("weight_bf16")],
        DType::Q4_0 => &[source!("weight_q4_0")],
        DType::Q4_1 => &[source!("weight_q4_1")],
        DType::Q5_0 => &[source!("weight_q5_0")],
        DType::Q5_1 => &[source!("weight_q5_1")],
        DType::Q8_0 => &[source!("weight_q8_0")],
        DType::Q2_K => &[source!("weight_q2_k")],
        DType::Q3_K => &[source!("weight_q3_k")],
        DType::Q4_K => &[source!("weight_k"), source!("weight_q4_k")],
        DType::Q5_K => &[source!("weight_k"), source!("weight_q5_k")],
        DType::Q6_K => &[source!("weight_q6_k")],
        DType::IQ4_NL => &[source!("weight_iq4"), source!("look_up"), source!("weight_iq4_nl")],
        DType::IQ4_XS => &[source!("weight_iq4"), source!("look_up"), source!("weight_iq4_xs")],
        DType::MXFP4 => &[source!("weight_mxfp4")],
        grid_types!() => &[source!("look_up"), source!("weight_grid")],
    }
}

/// The compiled kernels of one device.
pub(crate) struct Kernels {
    gpu: Arc<Gpu>,
    layouts: HashMap<Kind, BindGroupLayout>,
    compiled: Mutex<HashMap<Key, Arc<OnceLock<Arc<ComputePipeline>>>>>,
}

impl Kernels {
    pub fn new(gpu: Arc<Gpu>) -> Kernels {
        let layouts = Kind::ALL.into_iter().map(|kind| {
            let entries: Vec<_> =
                kind.bindings().iter().map(|(binding, access)| entry(*binding, *access)).collect();
            let descriptor = BindGroupLayoutDescriptor { label: None, entries: &entries };
            (kind, gpu.device.create_bind_group_layout(&descriptor))
        });
        let layouts = layouts.collect();
        Kernels { gpu, layouts, compiled: Mutex::default() }
    }

    pub fn layout(&self, kind: Kind) -> &BindGroupLayout {
        &self.layouts[&kind]
    }

    /// The kernel, compiled now unless it was before. Several threads may compile different ones.
    pub fn compile(&self, key: &Key) -> Arc<ComputePipeline> {
        let place = {
            let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(compiled.entry(key.clone()).or_default())
        };
        Arc::clone(place.get_or_init(|| Arc::new(self.build(key))))
    }

    fn build(&self, key: &Key) -> ComputePipeline {
        let device = &self.gpu.device;
        let module = self.module(self.gpu.source(key));
        let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
            bind_group_layouts: &[Some(self.layout(key.kind))],
            ..PipelineLayoutDescriptor::default()
        });
        device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: None,
            layout: Some(&layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..PipelineCompilationOptions::default()
            },
            cache: None,
        })
    }

    /// Checked in builds for tests; without checks where speed counts.
    #[allow(unsafe_code)]
    fn module(&self, source: String) -> wgpu::ShaderModule {
        let descriptor =
            ShaderModuleDescriptor { label: None, source: ShaderSource::Wgsl(Cow::Owned(source)) };
        if cfg!(debug_assertions) {
            return self.gpu.device.create_shader_module(descriptor);
        }
        // SAFETY: the kernels' indices follow from sizes that the plan fixed when it made their buffers, and from a step's
        // lists, which `step` checks; their loops end.
        unsafe { self.gpu.device.create_shader_module_trusted(descriptor, ShaderRuntimeChecks::unchecked()) }
    }
}

/// Who compiles kernels.
pub trait Compile: Send + Sync {
    /// Compile a kernel unless it was before. Several threads may compile different ones.
    fn compile_ahead(&self, key: &Key);

    /// Keep what was compiled for the next process.
    fn keep(&self) {}
}

impl Compile for Kernels {
    fn compile_ahead(&self, key: &Key) {
        self.compile(key);
    }
}

/// Threads that compile kernels before a step needs them, in the order given.
pub(crate) struct Compiling {
    kernels: Arc<dyn Compile>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Compiling {
    const THREADS_MAX: usize = 4;

    /// As many threads as leave cores to those who load the weights.
    pub fn threads() -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (cores / 2).clamp(1, Self::THREADS_MAX)
    }

    /// On `threads` threads; with none, kernels are compiled when a step needs them.
    pub fn start(kernels: Arc<dyn Compile>, keys: Vec<Key>, threads: usize) -> Compiling {
        let (stop, next, keys) =
            (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)), Arc::new(keys));
        let left = Arc::new(AtomicUsize::new(threads));
        let threads = (0..threads).map(|_| {
            let (kernels, stop, next, keys, left) = (
                Arc::clone(&kernels),
                Arc::clone(&stop),
                Arc::clone(&next),
                Arc::clone(&keys),
                Arc::clone(&left),
            );
            std::thread::spawn(move || {
                while let Some(key) = keys.get(next.fetch_add(1, Ordering::Relaxed))
                    && !stop.load(Ordering::Relaxed)
                {
                    kernels.compile_ahead(key);
                }
                if left.fetch_sub(1, Ordering::AcqRel) == 1 {
                    kernels.keep();
                }
            })
        });
        Compiling { threads: threads.collect(), stop, kernels }
    }
}

impl Drop for Compiling {
    /// The kernels begun are compiled to the end: a driver does not like to be left in the middle.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        self.kernels.keep();
    }
}

fn entry(binding: u32, access: char) -> BindGroupLayoutEntry {
    let ty = match access {
        'u' => BufferBindingType::Uniform,
        access => BufferBindingType::Storage { read_only: access == 'r' },
    };
    BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    }
}

/// One of every kernel, and of every type of weights where that makes a difference, by name.
pub fn samples() -> Vec<(String, Key)> {
    let matrix = |kind, threads| Key::new(kind, threads).with("ROWS", 2);
    let cached = |kind, threads| Key::new(kind, threads).with("CACHE", 1);
    let prepared = |kind, threads| Key::new(kind, threads).with("KEEP", 0).with("FORMAT", 1);
    let taken = |key: Key, fours| key.with("TAKEN", 128).with("FOURS", fours).with("EPS", 1e-5f32.to_bits());
    let one_row = |dtype, matrices| {
        let key = Key::new(Kind::OneRow, 512).of(dtype).with("ROWS", 32).with("MATRICES", matrices);
        taken(key, 2)
    };
    let tiled = |threads, t: u32, n: u32, k: u32| {
        Key::new(Kind::MatMul, threads).with("TILE_T", t).with("TILE_N", n).with("TILE_K", k)
    };
    let cooperative = |dtype, w_each: u32| {
        let key = tiled(128, 128, 128, 32).of(dtype).with("SUB_T", 64).with("SUB_N", 64).with("SIDE", 16);
        let key = key.with("SQUARES_T", 4).with("SQUARES_N", 4).with("DEPTH", 2).with("SPLIT_ROWS", 0);
        let key = key.with("BLOCKS", 128).with("SPLIT", 128);
        let whole = (w_each == 32).into();
        let key = key.with("W_EACH", w_each).with("W_FOURS", w_each / 4).with("WHOLE_BLOCKS", whole);
        key.with("LOADS_X", 8).with("LOADS_W", 32 / w_each)
    };
    let eights = |dtype, w_each: u32| {
        let key = tiled(128, 64, 64, 32).of(dtype).with("SUB_T", 32).with("SUB_N", 32).with("SIDE", 8);
        let key = key.with("SINGLE", 1).with("SQUARES_T", 4).with("SQUARES_N", 4).with("DEPTH", 4);
        let key = key.with("BLOCKS", 128).with("SPLIT", 128);
        let key = key.with("SPLIT_ROWS", 0).with("LOADS_X", 4).with("LOADS_W", 16 / w_each);
        key.with("W_EACH", w_each).with("W_FOURS", w_each / 4)
    };
    let expert =
        |dtype, matrices| matrix(Kind::Experts, 128).of(dtype).with("MATRICES", matrices).with("USED", 8);
    let down = |parted| {
        let key = expert(DType::F16, 1).with("PAIRED", 0).with("ACTIVATED", 0);
        key.with("SHARED", 1).with("PARTED", parted)
    };
    let of_experts = |key: Key, paired: u32| {
        key.with("EXPERTS", 1).with("USED", 8).with("PAIRED", paired).with("SHARED", 1 - paired)
    };
    let rotated =
        |rounding| cached(Kind::Rotate, 64).with("HELD", 1).with("DIM", 512).with("ROUNDING", rounding);
    let scored = |kind, threads| {
        let key = cached(kind, threads).with("EVERY", 4).with("BLOCK_ROWS", 4).with("LISTED", 1);
        key.with("RUN", 8).with("LIST_WIDTH", 2048)
    };
    let attended = |listed| {
        let key = cached(Kind::AttendRows, 64).with("G", 4).with("KU", 64).with("PER", 1);
        let key = key.with("KEY_DIM", 512).with("PAIRS", 32).with("LISTED", listed);
        key.with("LIST_WIDTH", 512).with("EVERY", 4).with("BLOCK_ROWS", 4)
    };
    let candidates = |merge| {
        let key = Key::new(Kind::Candidates, 256).with("MERGE", merge).with("RUN", 4096);
        key.with("TOP_MAX", 64).with("DRAWN", 4)
    };
    let mut samples = vec![
        ("norm", prepared(Kind::Norm, 256).with("PER", 4).with("BY_FOURS", 1).with("ADD", 1)),
        (
            "norm-lent",
            prepared(Kind::NormLent, 256).with("PER", 4).with("BY_FOURS", 1).with("ADD", 1).with("LENT", 1),
        ),
        ("convert", Key::new(Kind::Convert, 64).with("FORMAT", 3)),
        ("add", Key::new(Kind::Add, 256)),
        ("select", Key::new(Kind::Select, 256)),
        ("gate", prepared(Kind::Gate, 64)),
        (
            "gate-bent",
            prepared(Kind::Gate, 64)
                .with("ACTIVATION", 6)
                .with("BENT", 1)
                .with("LIMIT", 4f32.to_bits())
                .with("LINEAR", 25f32.to_bits()),
        ),
        ("rotate", cached(Kind::Rotate, 64).with("HELD", 1).with("DIM", 128)),
        ("reduce", prepared(Kind::Reduce, 256).with("FOURS", 32)),
        ("sum-splits", Key::new(Kind::SumSplits, 256)),
        ("sort", Key::new(Kind::Sort, 256).with("EXPERTS", 64).with("USED", 8).with("TILE", 32)),
        ("gather", Key::new(Kind::Gather, 256).with("USED", 8)),
        ("curve", Key::new(Kind::Curve, 256).with("CURVE", 1).with("OWN", 0)),
        ("curve-own", Key::new(Kind::Curve, 256).with("CURVE", 2).with("OWN", 1)),
        ("slice", Key::new(Kind::Slice, 256)),
        ("place", Key::new(Kind::Place, 256)),
        ("layer-norm", Key::new(Kind::LayerNorm, 256)),
        ("index", cached(Kind::Index, 128).with("KU", 16).with("KEY_DIM", 128).with("AT_ONCE", 32)),
        ("choose", Key::new(Kind::Choose, 1024)),
        ("rescale", Key::new(Kind::Rescale, 256)),
        ("norm-runs", Key::new(Kind::NormRuns, 64)),
        ("sum-squares", Key::new(Kind::SumSquares, 256)),
        ("norm-by", Key::new(Kind::NormBy, 256)),
        ("convolve", Key::new(Kind::Convolve, 64).with("KEEP", 0)),
        ("convolve-keep", Key::new(Kind::Convolve, 64).with("KEEP", 1)),
        ("delta-rule", Key::new(Kind::Memory, 128).with("KEYS", 128).with("COLUMNS", 32).with("DELTA", 1)),
        ("scan", Key::new(Kind::Memory, 128).with("KEYS", 128).with("COLUMNS", 32).with("DELTA", 0)),
        ("connect", Key::new(Kind::Connect, 256).with("N", 4)),
        ("collapse", Key::new(Kind::Collapse, 256).with("N", 4)),
        ("mix", Key::new(Kind::Mix, 256).with("N", 4)),
        ("blend", Key::new(Kind::Blend, 256).with("COUNT", 9)),
        ("pool", Key::new(Kind::Pool, 64).with("KEEP", 0)),
        ("pool-keep", Key::new(Kind::Pool, 64).with("KEEP", 1)),
        ("store-rows", rotated(3).with("EVERY", 4).with("BLOCK_ROWS", 4)),
        ("store-window", rotated(1)),
        ("score-rows", scored(Kind::ScoreRows, 128).with("KU", 16).with("KEY_DIM", 128).with("AT_ONCE", 32)),
        ("choose-rows", scored(Kind::ChooseRows, 1024).with("ROWS", 1)),
        ("choose-runs", scored(Kind::ChooseRows, 1024).with("RUNS", 1)),
        ("runs", scored(Kind::Runs, 256)),
        ("score-runs", cached(Kind::ScoreRuns, 128).with("RUN", 128).with("KU", 16).with("KEY_DIM", 128)),
        ("attend-window", attended(0).with("FIRST", 1).with("LAST", 0)),
        ("attend-listed", attended(1).with("FIRST", 0).with("LAST", 1)),
        ("flag", Key::new(Kind::Flag, 1)),
        ("carry-in", Key::new(Kind::Carry, 256).with("INWARD", 1)),
        ("carry-out", Key::new(Kind::Carry, 256).with("INWARD", 0)),
        ("name", Key::new(Kind::Name, 64)),
        ("candidates", candidates(0)),
        ("candidates-merge", candidates(1)),
        ("total", Key::new(Kind::Total, 256).with("RUN", 4096)),
        ("route", Key::new(Kind::Route, 128).with("EXPERTS", 64).with("USED", 8)),
        ("embed", Key::new(Kind::Embed, 64).of(DType::Q4_0)),
        ("expand", Key::new(Kind::Expand, 128).of(DType::Q6_K)),
        ("gate-up", Key::new(Kind::GateUp, 256).of(DType::Q4_K).with("FORMAT", 1)),
        ("gate-up-taken", taken(Key::new(Kind::GateUp, 256).of(DType::Q4_K).with("FORMAT", 1), 4)),
        ("one-row", one_row(DType::Q4_0, 1)),
        ("one-row-halves", one_row(DType::F16, 2)),
        (
            "matvec-added",
            matrix(Kind::MatVec, 128).of(DType::Q4_0).with("NT", 1).with("MATRICES", 1).with("ADDS", 1),
        ),
        (
            "matvec-gathered",
            Key::new(Kind::MatVec, 64)
                .of(DType::Q4_0)
                .with("ROWS", 4)
                .with("NT", 8)
                .with("MATRICES", 1)
                .with("GATHERS", 1),
        ),
        ("matrows", Key::new(Kind::MatRows, 256).of(DType::Q6_K).with("ROWS", 16).with("GROUPS", 2)),
        (
            "expert-rows",
            Key::new(Kind::ExpertRows, 256)
                .of(DType::Q4_K)
                .with("ROWS", 16)
                .with("GROUPS", 4)
                .with("MATRICES", 2)
                .with("USED", 8)
                .with("PAIRED", 1)
                .with("ACTIVATED", 1)
                .with("SHARED", 0),
        ),
        ("apply", matrix(Kind::Apply, 32).of(DType::Q8_0)),
        ("apply-rows", Key::new(Kind::ApplyRows, 64).of(DType::Q8_0).with("NT", 16)),
        ("experts", expert(DType::Q4_K, 2).with("PAIRED", 1).with("ACTIVATED", 1).with("SHARED", 0)),
        ("experts-down", down(0)),
        ("experts-down-parted", down(1)),
        ("matmul", tiled(256, 64, 64, 32).of(DType::F16)),
        ("matmul-cooperative", cooperative(DType::Q4_0, 32)),
        ("matmul-whole", cooperative(DType::Q4_0, 32).with("WHOLE_TILES", 1)),
        ("matmul-ahead", cooperative(DType::Q4_K, 32).with("AHEAD", 1)),
        ("matmul-halves", cooperative(DType::F16, 4)),
        ("expert-tiles", of_experts(tiled(256, 64, 64, 32).of(DType::F16), 1)),
        ("expert-tiles-cooperative", of_experts(cooperative(DType::Q4_K, 32), 1)),
        ("expert-tiles-halves", of_experts(cooperative(DType::F16, 4), 0)),
        ("expert-tiles-eights", of_experts(eights(DType::Q4_K, 16), 0)),
        ("matmul-eights", eights(DType::Q4_K, 16)),
        ("matmul-eights-halves", eights(DType::F16, 4)),
    ]
    .into_iter()
    .map(|(name, key)| (name.to_owned(), key))
    .collect::<Vec<_>>();
    let squares = |key: Key, side: u32, dims: (u32, u32)| {
        let key = key.with("SIDE", side).with("SINGLE", (side == 8).into()).with("SQUARES", 16 / side);
        key.with("CACHE", 1).with("KEY_DIM", dims.0).with("VALUE_DIM", dims.1)
    };
    for (name, side, heads, parts) in [("", 16, 4, 4), ("-eights", 8, 2, 4)] {
        let flash = squares(Key::new(Kind::Flash, heads * 32).with("NH", heads), side, (128, 128));
        let flash = flash.with("KEY_SQUARES", 32 / side).with("KSQ", 128 / side).with("VSQ", 128 / side);
        let whole = flash.clone().with("WHOLE", 1).with("KEEP", 0).with("FORMAT", 3);
        samples.extend([(format!("flash{name}"), flash), (format!("flash-whole{name}"), whole)]);
        let latent = Key::new(Kind::FlashLatent, parts * 64).with("PARTS", parts);
        let latent = squares(latent, side, (576, 512)).with("KSQ_PART", 576 / side / parts);
        let latent = latent.with("VSQ_PART", 256 / side / parts);
        let chosen = latent.clone().with("WHOLE", 1).with("CHOSEN", 1);
        samples.extend([
            (format!("flash-latent{name}"), latent),
            (format!("flash-latent-chosen{name}"), chosen),
        ]);
    }
    for (name, cache) in [("f32", 0), ("f16", 1), ("q8", 2)] {
        let key = Key::new(Kind::Attend, 128)
            .with("G", 4)
            .with("JOINED", 4)
            .with("JOINS", 1)
            .with("KU", 16)
            .with("VU", 16);
        let key = key.with("VALUE_UNITS", 16).with("KEY_DIM", 128).with("CACHE", cache);
        samples.push((format!("attend-{name}"), key.clone()));
        if cache == 1 {
            samples.push(("attend-chunked".to_owned(), key.clone().with("CHUNKED", 1)));
            samples.push(("attend-chosen".to_owned(), key.with("CHOSEN", 1).with("RUN", 128)));
        }
    }
    let keys = cached(Kind::AttendKeys, 64).with("G", 4).with("KEY_DIM", 128).with("UNITS_ALL", 16);
    let keys = keys.with("LANES", 16).with("SHUFFLES", 4).with("UNITS", 1).with("AT_ONCE", 4);
    samples.push(("attend-keys".to_owned(), keys.clone()));
    let turned = Key { kind: Kind::AttendKeysTurned, threads: 128, ..keys };
    let turned = turned.with("TURNED", 1).with("HELD", 6).with("DIM", 128);
    samples.push(("attend-keys-turned".to_owned(), turned));
    let whole = prepared(Kind::AttendTurned, 128)
        .with("TURNED", 1)
        .with("HELD", 3)
        .with("DIM", 128)
        .with("G", 1)
        .with("JOINED", 1)
        .with("JOINS", 1)
        .with("WHOLE", 1);
    let whole = whole.with("KU", 16).with("VU", 16).with("VALUE_UNITS", 16);
    samples.push(("attend-whole".to_owned(), whole.with("KEY_DIM", 128).with("CACHE", 1)));
    for dtype in DType::ALL {
        let key = matrix(Kind::MatVec, 128).of(dtype).with("NT", 1).with("MATRICES", 1);
        samples.push((format!("matvec-{}", dtype.name().to_lowercase()), key));
    }
    samples
}

/// The kernels with a matrix, of every type that it may have there.
pub fn typed_samples() -> impl Iterator<Item = (String, Key)> {
    samples().into_iter().flat_map(|(name, key)| {
        let takes = |dtype: &DType| match key.dtype {
            // Matrices of half floats have a kernel of their own in tiles, all others share one.
            Some(known) if key.get("SIDE").is_some() => (known == DType::F16) == (*dtype == DType::F16),
            Some(known) => is_coded(known) == is_coded(*dtype),
            None => false,
        };
        let of = |dtype| (format!("{name} of {dtype}"), Key { dtype: Some(dtype), ..key.clone() });
        DType::ALL.into_iter().filter(takes).map(of).collect::<Vec<_>>()
    })
}
