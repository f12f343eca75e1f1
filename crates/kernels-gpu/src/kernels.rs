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
use crate::emulate::without_matrices;
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
    Convert,
    Add,
    Select,
    /// A few rows times a matrix.
    MatVec,
    /// More rows times a matrix.
    MatRows,
    /// One row times gates and what they gate, prepared for the next product.
    GateUp,
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
    /// Attention of many rows with cooperative matrices.
    Flash,
    Reduce,
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
    /// Logits that were asked for by their tokens.
    Name,
    /// The likeliest tokens.
    Candidates,
    /// A word for the host.
    Flag,
}

impl Kind {
    pub const ALL: [Kind; 34] = [
        Kind::Embed,
        Kind::Norm,
        Kind::Convert,
        Kind::Add,
        Kind::Select,
        Kind::MatVec,
        Kind::MatRows,
        Kind::GateUp,
        Kind::MatMul,
        Kind::SumSplits,
        Kind::Expand,
        Kind::Gate,
        Kind::Apply,
        Kind::ApplyRows,
        Kind::Rotate,
        Kind::Attend,
        Kind::AttendTurned,
        Kind::Flash,
        Kind::Reduce,
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
        Kind::Name,
        Kind::Candidates,
        Kind::Flag,
    ];

    /// What it binds: the binding's number and `r` for reading, `w` for writing too, `u` for its parameters.
    fn bindings(self) -> &'static [(u32, char)] {
        match self {
            Kind::Embed => &[(0, 'r'), (1, 'r'), (2, 'w'), (5, 'u'), (6, 'r')],
            Kind::Norm => &[(2, 'w'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r'), (7, 'r')],
            Kind::Convert | Kind::Gate => &[(2, 'w'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r')],
            Kind::Add
            | Kind::Select
            | Kind::Sort
            | Kind::Gather
            | Kind::Curve
            | Kind::Rescale
            | Kind::SumSquares => &[(2, 'w'), (5, 'u'), (6, 'r')],
            Kind::MatVec | Kind::MatRows | Kind::Experts | Kind::ExpertRows | Kind::MatMul => {
                &[(0, 'r'), (1, 'r'), (2, 'w'), (3, 'r'), (4, 'r'), (5, 'u'), (6, 'r'), (7, 'r')]
            }
            Kind::GateUp => {
                &[(0, 'r'), (1, 'r'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r'), (9, 'r'), (10, 'r')]
            }
            Kind::Apply | Kind::ApplyRows => &[(0, 'r'), (1, 'r'), (2, 'w'), (5, 'u'), (6, 'r')],
            Kind::Expand => &[(0, 'r'), (1, 'r'), (3, 'w'), (5, 'u'), (6, 'r')],
            Kind::Rotate => &[(2, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (8, 'w')],
            Kind::Attend => &[(2, 'w'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (8, 'r')],
            Kind::AttendTurned => &[(2, 'w'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (8, 'w')],
            Kind::Flash => &[(2, 'w'), (3, 'w'), (5, 'u'), (6, 'r'), (7, 'r'), (8, 'r')],
            Kind::Reduce => &[(2, 'w'), (3, 'w'), (4, 'w'), (5, 'u'), (6, 'r'), (7, 'r')],
            Kind::Route | Kind::SumSplits | Kind::NormRuns | Kind::NormBy => {
                &[(2, 'w'), (5, 'u'), (6, 'r'), (7, 'r')]
            }
            Kind::Flag => &[(2, 'w'), (11, 'w')],
            Kind::Name | Kind::Candidates => &[(2, 'w'), (5, 'u'), (6, 'r'), (11, 'w')],
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

    /// The kernel's WGSL. `subgroup_min`: the least threads of a subgroup.
    pub fn source(&self, subgroup_min: u32) -> String {
        let mut out = String::new();
        if self.get("SUB_T").is_some() || self.kind == Kind::Flash {
            out += "enable f16;\nenable wgpu_cooperative_matrix;\n";
        }
        let constant = |out: &mut String, name: &str, value: u32| {
            // Writing to a string cannot fail.
            let _ = match name {
                "ADD" | "KEEP" | "DELTA" | "MERGE" => writeln!(out, "const {name} = {};", value != 0),
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
        out += source!("common");
        let halves = self.dtype == Some(DType::F16) && self.get("SUB_T").is_some();
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
        }
        if self.get("WHOLE") == Some(1) && self.kind != Kind::Flash {
            out += source!("prepare");
            out += source!("give");
        }
        let coded = self.dtype.is_some_and(is_coded);
        let parts: &[&str] = match self.kind {
            Kind::Embed => &[source!("embed")],
            Kind::Norm => &[source!("sums"), source!("prepare"), source!("norm")],
            Kind::Convert => &[source!("prepare"), source!("convert")],
            Kind::Add => &[source!("add")],
            Kind::Select => &[source!("select")],
            Kind::MatVec if coded => &[source!("matvec_q8")],
            Kind::MatVec => &[source!("matvec_f32")],
            Kind::MatRows => &[source!("matrows")],
            Kind::GateUp => &[source!("prepare"), source!("gate_up")],
            Kind::MatMul if halves => &[
                source!("matmul_head"),
                source!("matmul_cooperative"),
                source!("matmul_halves"),
                source!("matmul_end"),
            ],
            Kind::MatMul if self.get("SUB_T").is_some() => &[
                source!("matmul_head"),
                source!("matmul_cooperative"),
                source!("matmul_coded"),
                source!("matmul_end"),
            ],
            Kind::MatMul => &[source!("matmul_head"), source!("matmul_plain")],
            Kind::SumSplits => &[source!("sum_splits")],
            Kind::Expand => &[source!("expand")],
            Kind::Gate => &[source!("prepare"), source!("gate")],
            Kind::Apply => &[source!("apply")],
            Kind::ApplyRows => &[source!("apply_rows")],
            Kind::Rotate => &[source!("sums"), source!("cache"), source!("turn"), source!("rotate")],
            Kind::Attend => &[source!("cache"), source!("cache_read"), source!("cached"), source!("attend")],
            Kind::AttendTurned => &[
                source!("sums"),
                source!("cache"),
                source!("cache_written"),
                source!("turn"),
                source!("cached"),
                source!("attend"),
            ],
            Kind::Flash => &[source!("cache"), source!("cache_read"), source!("cached"), source!("flash")],
            Kind::Reduce => &[source!("sums"), source!("prepare"), source!("give"), source!("reduce")],
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
            Kind::Name => &[source!("name")],
            Kind::Candidates => &[source!("candidates")],
            Kind::Experts if coded => &[source!("product_q8"), source!("experts")],
            Kind::Experts => &[source!("product_f32"), source!("experts")],
        };
        parts.iter().for_each(|part| out += &unroll(part, &|name| self.get(name)));
        out
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

    pub fn bindings(&self, kind: Kind) -> impl Iterator<Item = u32> {
        kind.bindings().iter().map(|(binding, _)| *binding)
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
        let mut source = key.source(self.gpu.subgroup_min);
        if self.gpu.emulated && source.contains("coop_mat") {
            source = without_matrices(&source);
        }
        let module = self.module(source);
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

/// Threads that compile kernels before a step needs them, in the order given.
pub(crate) struct Compiling {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Compiling {
    const THREADS_MAX: usize = 4;

    pub fn start(kernels: &Arc<Kernels>, keys: Vec<Key>) -> Compiling {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (stop, next, keys) =
            (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)), Arc::new(keys));
        let threads = (0..(cores / 2).clamp(1, Self::THREADS_MAX)).map(|_| {
            let (kernels, stop, next, keys) =
                (Arc::clone(kernels), Arc::clone(&stop), Arc::clone(&next), Arc::clone(&keys));
            std::thread::spawn(move || {
                while let Some(key) = keys.get(next.fetch_add(1, Ordering::Relaxed))
                    && !stop.load(Ordering::Relaxed)
                {
                    kernels.compile(key);
                }
            })
        });
        Compiling { threads: threads.collect(), stop }
    }
}

impl Drop for Compiling {
    /// The kernels begun are compiled to the end: a driver does not like to be left in the middle.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
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
    let tiled = |threads, t: u32, n: u32, k: u32| {
        Key::new(Kind::MatMul, threads).with("TILE_T", t).with("TILE_N", n).with("TILE_K", k)
    };
    let cooperative = |dtype, loads_x, loads_w| {
        let key = tiled(128, 128, 128, 32).of(dtype).with("SUB_T", 64).with("SUB_N", 64);
        let key = key.with("SQUARES_T", 4).with("SQUARES_N", 4).with("DEPTH", 2).with("SPLIT_ROWS", 0);
        key.with("LOADS_X", loads_x).with("LOADS_W", loads_w)
    };
    let candidates = |merge| {
        let key = Key::new(Kind::Candidates, 256).with("MERGE", merge).with("RUN", 4096);
        key.with("TOP_MAX", 64).with("DRAWN", 4)
    };
    let mut samples = vec![
        ("norm", prepared(Kind::Norm, 256).with("PER", 4).with("BY_FOURS", 1).with("ADD", 1)),
        ("convert", Key::new(Kind::Convert, 64).with("FORMAT", 3)),
        ("add", Key::new(Kind::Add, 256)),
        ("select", Key::new(Kind::Select, 256)),
        ("gate", prepared(Kind::Gate, 64)),
        ("rotate", cached(Kind::Rotate, 64).with("HELD", 1).with("DIM", 128)),
        ("reduce", prepared(Kind::Reduce, 256).with("FOURS", 32)),
        ("sum-splits", Key::new(Kind::SumSplits, 256)),
        ("sort", Key::new(Kind::Sort, 256).with("EXPERTS", 64).with("USED", 8).with("TILE", 32)),
        ("gather", Key::new(Kind::Gather, 256).with("USED", 8)),
        ("curve", Key::new(Kind::Curve, 256).with("CURVE", 1)),
        ("rescale", Key::new(Kind::Rescale, 256)),
        ("norm-runs", Key::new(Kind::NormRuns, 64)),
        ("sum-squares", Key::new(Kind::SumSquares, 256)),
        ("norm-by", Key::new(Kind::NormBy, 256)),
        ("convolve", Key::new(Kind::Convolve, 64).with("KEEP", 0)),
        ("convolve-keep", Key::new(Kind::Convolve, 64).with("KEEP", 1)),
        ("delta-rule", Key::new(Kind::Memory, 128).with("KEYS", 128).with("COLUMNS", 32).with("DELTA", 1)),
        ("scan", Key::new(Kind::Memory, 128).with("KEYS", 128).with("COLUMNS", 32).with("DELTA", 0)),
        ("flag", Key::new(Kind::Flag, 1)),
        ("name", Key::new(Kind::Name, 64)),
        ("candidates", candidates(0)),
        ("candidates-merge", candidates(1)),
        ("route", Key::new(Kind::Route, 128).with("EXPERTS", 64).with("USED", 8)),
        ("embed", Key::new(Kind::Embed, 64).of(DType::Q4_0)),
        ("expand", Key::new(Kind::Expand, 128).of(DType::Q6_K)),
        ("gate-up", Key::new(Kind::GateUp, 256).of(DType::Q4_K).with("FORMAT", 1)),
        ("matrows", Key::new(Kind::MatRows, 256).of(DType::Q6_K).with("ROWS", 16).with("GROUPS", 2)),
        (
            "expert-rows",
            Key::new(Kind::ExpertRows, 256)
                .of(DType::Q4_K)
                .with("ROWS", 16)
                .with("GROUPS", 4)
                .with("MATRICES", 2)
                .with("USED", 8),
        ),
        ("apply", matrix(Kind::Apply, 32).of(DType::Q8_0)),
        ("apply-rows", Key::new(Kind::ApplyRows, 64).of(DType::Q8_0).with("NT", 16)),
        ("experts", matrix(Kind::Experts, 128).of(DType::Q4_K).with("MATRICES", 2).with("USED", 8)),
        ("experts-down", matrix(Kind::Experts, 128).of(DType::F16).with("MATRICES", 1).with("USED", 8)),
        ("matmul", tiled(256, 64, 64, 32).of(DType::F16)),
        ("matmul-cooperative", cooperative(DType::Q4_0, 4, 2)),
        ("matmul-halves", cooperative(DType::F16, 8, 8)),
    ]
    .into_iter()
    .map(|(name, key)| (name.to_owned(), key))
    .collect::<Vec<_>>();
    let flash = Key::new(Kind::Flash, 128).with("NH", 4).with("KSQ", 8).with("VSQ", 8).with("CACHE", 1);
    let flash = flash.with("KEY_DIM", 128).with("VALUE_DIM", 128);
    samples.push(("flash".to_owned(), flash.clone()));
    let flash = flash.with("WHOLE", 1).with("KEEP", 0).with("FORMAT", 3);
    samples.push(("flash-whole".to_owned(), flash));
    for (name, cache) in [("f32", 0), ("f16", 1), ("q8", 2)] {
        let key = Key::new(Kind::Attend, 128)
            .with("G", 4)
            .with("JOINED", 4)
            .with("JOINS", 1)
            .with("KU", 16)
            .with("VU", 16);
        let key = key.with("VALUE_UNITS", 16).with("KEY_DIM", 128).with("CACHE", cache);
        samples.push((format!("attend-{name}"), key));
    }
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
