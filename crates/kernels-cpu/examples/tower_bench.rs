//! Time of a picture in SigLIP's shape (896² pixels, 4,096 patches, 27 layers), with random weights.
//!
//! cargo run --release -p tandem-kernels-cpu --example tower_bench -- [layers] [BF16] [threads]
//!
//! A few layers tell the time of all: each takes as long as the next.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use tandem_kernels_cpu::CpuBackend;
use tandem_tensor::conformance::Noise;
use tandem_tensor::{
    Alone, Attend, Backend, Batch, Buf, BufId, Cache, CacheId, CacheType, Curve, DType, Given, LayerNorm,
    Limits, LinearPart, Op, Profile, Program, ReadError, Rows, Slice, Span, Weight, WeightId, WeightSource,
    quant,
};

const HIDDEN: usize = 1152;
const FFN: usize = 4304;
const HEADS: usize = 16;
const PATCHES: usize = 4096;
const LAYERS: usize = 27;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |i: usize, default: &str| args.get(i).cloned().unwrap_or_else(|| default.to_owned());
    let layers: usize = arg(0, "2").parse().expect("a number of layers");
    let dtype: DType = arg(1, "BF16").parse().expect("a data type");
    let threads: usize = arg(2, "2").parse().expect("a number of threads");

    let limits = Limits {
        tokens_max: PATCHES,
        outputs_max: 1,
        block_len: 64,
        blocks: PATCHES / 64,
        window: 0,
        window_blocks: 0,
        states: 0,
        context_max: PATCHES,
        cache_type: CacheType::F32,
    };
    let profile = Arc::new(Profile::default());
    let backend = CpuBackend::new().with_threads(threads).profiled(Arc::clone(&profile));
    let program = Arc::new(program(layers, dtype));
    let mut session = backend.open(program, limits, &Random, &|_| ()).expect("enough memory");
    let mut noise = Noise(3);
    let values: Vec<f32> = (0..PATCHES * HIDDEN).map(|_| noise.value()).collect();
    let rows = PATCHES as u32;
    let blocks = limits.blocks as u32;
    let batch = Batch {
        tokens: vec![0; PATCHES],
        spans: vec![Span { rows, start: 0, blocks, window_blocks: 0, state: 0, state_from: 0 }],
        blocks: (0..blocks).collect(),
        outputs: vec![0],
        given: vec![Given { first: 0, rows, values: Some(values.into()) }],
        ..Batch::default()
    };
    for _ in 0..2 {
        profile.reset();
        let began = Instant::now();
        session.run(&batch, &mut Alone).expect("alone");
        let seconds = began.elapsed().as_secs_f64();
        let all = seconds * LAYERS as f64 / layers as f64;
        println!("{}, {dtype}: {seconds:.2} s, {all:.1} s in {LAYERS} layers  {profile}", backend.name());
    }
}

/// As `tandem_models` lowers a tower, without its ends.
fn program(layers: usize, dtype: DType) -> Program {
    let widths = [HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN, FFN];
    let bufs = widths.map(|width| Buf { rows: Rows::Tokens, width });
    let [x, h, y, q, k, v, inner] = [0, 1, 2, 3, 4, 5, 6].map(BufId);
    let out = BufId(7);
    let dim = HIDDEN / HEADS;
    let mut program = Program {
        weights: Vec::new(),
        bufs: bufs.into_iter().chain([Buf { rows: Rows::Outputs, width: HIDDEN }]).collect(),
        caches: vec![Cache { kv_heads: HEADS, key_dim: dim, value_dim: dim, window: None, every: 1 }],
        states: Vec::new(),
        ropes: Vec::new(),
        ops: vec![Op::Place { out: x }],
        result: out,
        first_token: None,
        hidden: None,
    };
    for _ in 0..layers {
        let mut weight = |dtype, rows, cols| {
            let slice = Slice { experts: 0..1, rows: 0..rows, cols: 0..cols };
            let name = program.weights.len().to_string();
            program.weights.push(Weight { name, dtype, slice, recipe: None });
            WeightId(program.weights.len() as u32 - 1)
        };
        let mut part = |rows, cols, out| LinearPart {
            weight: weight(dtype, rows, cols),
            bias: Some(weight(DType::F32, 1, rows)),
            out,
            run: None,
        };
        let parts = vec![part(HIDDEN, HIDDEN, q), part(HIDDEN, HIDDEN, k), part(HIDDEN, HIDDEN, v)];
        let (o, up, down) = (part(HIDDEN, HIDDEN, y), part(FFN, HIDDEN, inner), part(HIDDEN, FFN, y));
        let mut norm = || LayerNorm {
            weight: weight(DType::F32, 1, HIDDEN),
            bias: weight(DType::F32, 1, HIDDEN),
            eps: 1e-6,
        };
        let norms = [norm(), norm()];
        program.ops.extend([
            Op::LayerNorm { x, norm: norms[0], out: h },
            Op::Linear { x: h, parts },
            Op::Attend(Attend {
                q,
                kv: Some([k, v]),
                out: h,
                heads: HEADS,
                cache: CacheId(0),
                q_norm: None,
                k_norm: None,
                rope: None,
                scale: 1.0 / (dim as f32).sqrt(),
                growth: None,
                window: None,
                sinks: None,
                runs: None,
            }),
            Op::Linear { x: h, parts: vec![o] },
            Op::Add { x, y },
            Op::LayerNorm { x, norm: norms[1], out: h },
            Op::Linear { x: h, parts: vec![up] },
            Op::Curve { x: inner, curve: Curve::Gelu },
            Op::Linear { x: inner, parts: vec![down] },
            Op::Add { x, y },
        ]);
    }
    program.ops.push(Op::Select { x, out });
    program
}

/// Random rows.
struct Random;

impl WeightSource for Random {
    fn read(&self, weight: &Weight, _: usize, rows: Range<usize>, out: &mut [u8]) -> Result<(), ReadError> {
        let mut noise = Noise(1 + rows.start as u64);
        let scale = 1.7 / (weight.cols() as f32).sqrt();
        let values: Vec<f32> = (0..rows.len() * weight.cols()).map(|_| noise.value() * scale).collect();
        let mut bytes = Vec::new();
        quant::quantize(weight.dtype, &values, &mut bytes);
        out.copy_from_slice(&bytes);
        Ok(())
    }
}
