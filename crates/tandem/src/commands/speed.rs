//! What a device reaches: bytes of weights a second, multiplications a second, and the time of a step that does next to
//! nothing.

use anyhow::Result;
use serde_json::{Value, json};
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;
use tandem_plan::{Constants, Reached};
use tandem_runtime::Found;
use tandem_tensor::conformance::{Llama, Noise};
use tandem_tensor::{
    Alone, Backend, Batch, Buf, BufId, CacheType, DType, Limits, LinearPart, Op, Program, ReadError, Rows,
    Session, Slice, Span, Weight, WeightId, WeightSource, quant,
};

pub struct Speed {
    /// From handing over a step to having its result, where there is next to nothing to compute.
    pub step_us: f64,
    /// How a step passes to other ranks and back, where the device has several ways.
    pub exchanges_by: Option<String>,
    pub products: Vec<Products>,
    /// Rows of the long batch.
    pub rows: usize,
}

/// Large matrices of one type.
pub struct Products {
    pub dtype: DType,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Times one row.
    pub gb_per_s: f64,
    /// Times many rows.
    pub tflops: f64,
}

const TYPES: [DType; 6] = [DType::Q4_0, DType::Q4_K, DType::Q6_K, DType::MXFP4, DType::Q8_0, DType::F16];

/// Sizes of matrices: `inner` rows of `hidden`, and back, so many of each.
#[derive(Clone, Copy)]
pub struct Size {
    hidden: usize,
    inner: usize,
    pairs: usize,
    rows: usize,
}

const TINY: Size = Size { hidden: 64, inner: 64, pairs: 1, rows: 1 };
/// For software devices, which take their time.
const SMALL: Size = Size { hidden: 1024, inner: 4096, pairs: 2, rows: 64 };
/// For processors: more than their caches hold.
const WIDE: Size = Size { rows: 64, ..MIDDLE };
/// Of matrices that models have; loaded in a moment.
const MIDDLE: Size = Size { hidden: 4096, inner: 14336, pairs: 2, rows: 512 };
const LARGE: Size = Size { hidden: 8192, inner: 28672, pairs: 2, rows: 1024 };

impl Size {
    /// What shows how fast a device is.
    pub fn telling(found: &Found) -> Size {
        match (found.software, found.api.is_empty()) {
            (true, _) => SMALL,
            (false, true) => WIDE,
            (false, false) => LARGE,
        }
    }
}

/// Layers whose time is divided by their number.
const LAYERS: usize = 12;

pub fn measure(backend: &dyn Backend, size: Size) -> Result<Speed, String> {
    let mut tiny = Chain::open(backend, TINY, DType::F32)?;
    let step = tiny.seconds(1)?;
    let mut products = Vec::new();
    for dtype in TYPES {
        products.push(self::products(backend, size, dtype, step)?);
    }
    let exchanges_by = Chain::exchanging(backend)?.session.exchanges_by();
    Ok(Speed { step_us: step * 1e6, exchanges_by, products, rows: size.rows })
}

/// What a planner asks of a device, within a few seconds.
pub fn reached(backend: &dyn Backend, slow: bool) -> Result<Reached, String> {
    let size = if slow { SMALL } else { MIDDLE };
    let products = products(backend, size, DType::Q4_0, Chain::open(backend, TINY, DType::F32)?.seconds(1)?)?;
    let layers = |layers| {
        let llama = Llama { layers, ..Llama::default() };
        Chain::of(backend, TINY, Arc::unwrap_or_clone(llama.program()))?.seconds(1)
    };
    let read_bytes_per_s = products.gb_per_s * 1e9;
    let Constants { cache_read, weights_read, .. } = Constants::FITTED;
    Ok(Reached {
        read_bytes_per_s,
        cache_bytes_per_s: read_bytes_per_s * cache_read / weights_read,
        flops_per_s: products.tflops * 1e12,
        expert_flops: None,
        layer_s: ((layers(1 + LAYERS)? - layers(1)?) / LAYERS as f64).max(0.0),
    })
}

fn products(backend: &dyn Backend, size: Size, dtype: DType, step: f64) -> Result<Products, String> {
    let mut chain = Chain::open(backend, size, dtype)?;
    let (one, many) = (chain.seconds(1)?, chain.seconds(size.rows)?);
    let weights = (2 * size.pairs * size.hidden * size.inner) as f64;
    Ok(Products {
        dtype,
        bytes: chain.bytes,
        // What a step takes in any case is told by itself. Where it is most of the time, it is not known well enough.
        gb_per_s: chain.bytes as f64 / (one - step).max(one / 2.0) / 1e9,
        tflops: 2.0 * weights * size.rows as f64 / many / 1e12,
    })
}

impl Speed {
    pub fn json(&self) -> Value {
        let products = self.products.iter().map(|products| {
            json!({
                "type": products.dtype.name(),
                "bytes": products.bytes,
                "gb_per_s": products.gb_per_s,
                "tflops": products.tflops,
            })
        });
        json!({
            "step_us": self.step_us,
            "exchanges_by": self.exchanges_by,
            "rows": self.rows,
            "products": products.collect::<Vec<_>>(),
        })
    }

    pub fn print(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "step     {:.0} µs to submit and wait", self.step_us)?;
        if let Some(way) = &self.exchanges_by {
            writeln!(out, "ranks    a step passes to other ranks and back {way}")?;
        }
        for products in &self.products {
            writeln!(
                out,
                "{:<8} {:.1} GB/s times one row, {:.2} TFLOPS times {} rows ({:.2} GB of weights)",
                products.dtype.name(),
                products.gb_per_s,
                products.tflops,
                self.rows,
                products.bytes as f64 / 1e9,
            )?;
        }
        Ok(())
    }
}

/// A program of matrix products, one after the other.
struct Chain {
    session: Box<dyn Session>,
    bytes: u64,
}

const BLOCK: usize = 32;
const VOCABULARY: usize = 32;

impl Chain {
    fn open(backend: &dyn Backend, size: Size, dtype: DType) -> Result<Chain, String> {
        Chain::of(backend, size, program(size, dtype))
    }

    /// One whose last step is summed over ranks.
    fn exchanging(backend: &dyn Backend) -> Result<Chain, String> {
        let mut program = program(TINY, DType::F32);
        program.ops.push(Op::AllReduce { x: program.result });
        Chain::of(backend, TINY, program)
    }

    fn of(backend: &dyn Backend, size: Size, program: Program) -> Result<Chain, String> {
        let matrices = program.weights.iter().filter(|weight| weight.name != TABLE && weight.name != HEAD);
        let bytes = matrices.map(|weight| weight.bytes()).sum();
        let limits = Limits {
            tokens_max: size.rows,
            outputs_max: 1,
            block_len: BLOCK,
            blocks: size.rows.div_ceil(BLOCK),
            window: 0,
            window_blocks: 0,
            states: 0,
            context_max: size.rows.next_multiple_of(BLOCK),
            cache_type: CacheType::F16,
        };
        let session = backend.open(Arc::new(program), limits, &Repeated, &|_| {});
        Ok(Chain { session: session.map_err(|error| error.to_string())?, bytes })
    }

    /// The median time of a step over so many rows.
    fn seconds(&mut self, rows: usize) -> Result<f64, String> {
        let blocks = rows.div_ceil(BLOCK) as u32;
        let batch = Batch {
            tokens: (0..rows).map(|row| (row % VOCABULARY) as u32).collect(),
            spans: vec![Span {
                rows: rows as u32,
                start: 0,
                blocks,
                window_blocks: 0,
                state: 0,
                state_from: 0,
            }],
            blocks: (0..blocks).collect(),
            outputs: vec![rows as u32 - 1],
            ..Batch::default()
        };
        let mut times = Vec::new();
        let start = Instant::now();
        // The first compiles kernels.
        while times.len() < 3 || (times.len() < 51 && start.elapsed().as_secs_f64() < 1.0) {
            let start = Instant::now();
            self.session.run(&batch, &mut Alone).map_err(|error| error.to_string())?;
            times.push(start.elapsed().as_secs_f64());
        }
        times.remove(0);
        times.sort_by(f64::total_cmp);
        Ok(times[times.len() / 2])
    }
}

const TABLE: &str = "table";
const HEAD: &str = "head";

fn program(size: Size, dtype: DType) -> Program {
    let mut program = Program::default();
    let buf = |program: &mut Program, rows, width| {
        program.bufs.push(Buf { rows, width });
        BufId(program.bufs.len() as u32 - 1)
    };
    let weight = |program: &mut Program, name: &str, dtype, rows, cols| {
        let slice = Slice::matrix(0..rows, 0..cols);
        program.weights.push(Weight { name: name.into(), dtype, slice, recipe: None });
        WeightId(program.weights.len() as u32 - 1)
    };
    let x = buf(&mut program, Rows::Tokens, size.hidden);
    let inner = buf(&mut program, Rows::Tokens, size.inner);
    let last = buf(&mut program, Rows::Outputs, size.hidden);
    let result = buf(&mut program, Rows::Outputs, VOCABULARY);
    program.result = result;
    let table = weight(&mut program, TABLE, DType::F32, VOCABULARY, size.hidden);
    program.ops.push(Op::Embed { table, first_row: 0, scale: 1.0, out: x });
    let product = |program: &mut Program, name: &str, dtype, x, cols, out| {
        let rows = program.buf(out).width;
        let weight = weight(program, name, dtype, rows, cols);
        program.ops.push(Op::Linear { x, parts: vec![LinearPart { weight, bias: None, out, run: None }] });
    };
    for pair in 0..size.pairs {
        product(&mut program, &format!("{pair}.up"), dtype, x, size.hidden, inner);
        product(&mut program, &format!("{pair}.down"), dtype, inner, size.inner, x);
    }
    program.ops.push(Op::Select { x, out: last });
    product(&mut program, HEAD, DType::F32, last, size.hidden, result);
    program
}

/// Random weights, the same in every row: made quickly, and no smaller to read.
struct Repeated;

impl WeightSource for Repeated {
    fn read(&self, weight: &Weight, _: usize, rows: Range<usize>, out: &mut [u8]) -> Result<(), ReadError> {
        let mut noise = Noise(weight.name.len() as u64);
        let scale = 1.7 / (weight.cols() as f32).sqrt();
        let values: Vec<f32> = (0..weight.cols()).map(|_| noise.value() * scale).collect();
        let mut row = Vec::new();
        quant::quantize(weight.dtype, &values, &mut row);
        debug_assert_eq!(out.len(), row.len() * rows.len());
        out.chunks_exact_mut(row.len()).for_each(|out| out.copy_from_slice(&row));
        Ok(())
    }
}
