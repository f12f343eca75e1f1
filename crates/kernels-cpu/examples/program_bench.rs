//! Speed of whole steps with random weights, and where the time goes.
//!
//! cargo run --release -p tandem-kernels-cpu --example program_bench -- [small|1b|moe|latent] [Q4_0] [threads] [context] [f16] [steps] [run]
//!
//! With a `run`, sums that ranks could divide are made in two parts, of runs of so many columns.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tandem_kernels_cpu::CpuBackend;
use tandem_tensor::conformance::{Latent, Llama, Mixture, Noise, Sequences};
use tandem_tensor::{
    Activation, Alone, Backend, Batch, CacheType, DType, Limits, Profile, ReadError, RopeStyle, Routing,
    Session, Span, Weight, WeightSource, quant,
};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |i: usize, default: &str| args.get(i).cloned().unwrap_or_else(|| default.to_owned());
    let dtype: DType = arg(1, "Q4_0").parse().expect("a data type");
    let threads: usize = arg(2, "1").parse().expect("a number of threads");
    let context: usize = arg(3, "64").parse().expect("a number of tokens");
    let cache_type = match arg(4, "f16").as_str() {
        "f32" => CacheType::F32,
        "q8" => CacheType::Q8,
        _ => CacheType::F16,
    };
    let steps: usize = arg(5, "32").parse().expect("a number of steps");
    let run: usize = arg(6, "0").parse().expect("a number of columns");
    let mixture = Mixture {
        experts: 64,
        inner: 768,
        dtype,
        routing: Routing { used: 8, ..Mixture::default().routing },
        ..Mixture::default()
    };
    // Its rows are too short for blocks of 256.
    let short = if dtype.block_len() > 32 { DType::Q5_0 } else { dtype };
    let many_experts = Llama {
        hidden: 2048,
        heads: 32,
        kv_heads: 4,
        key_dim: 128,
        value_dim: 128,
        rotated_pairs: 64,
        vocabulary: 49152,
        layers: 8,
        dtype,
        mixture: Some(mixture),
        ..Llama::default()
    };
    let llama = match arg(0, "small").as_str() {
        "moe" => many_experts,
        "latent" => Llama {
            heads: 16,
            latent: Some(Latent {
                latent_dim: 512,
                nope_dim: 128,
                rope_dim: 64,
                value_dim: 128,
                dtype: short,
                chosen: None,
            }),
            ..many_experts
        },
        "1b" => Llama {
            hidden: 2048,
            heads: 32,
            kv_heads: 8,
            ffn: 8192,
            vocabulary: 49152,
            layers: 16,
            dtype,
            ..Llama::default()
        },
        _ => Llama {
            hidden: 576,
            heads: 9,
            kv_heads: 3,
            ffn: 1536,
            vocabulary: 49152,
            layers: 30,
            dtype,
            output_dtype: Some(DType::Q8_0),
            rope: Some(RopeStyle::Interleaved),
            act: Activation::Silu,
            ..Llama::default()
        },
    };
    let llama = Llama { run: (run > 0).then_some(run), ..llama };
    let limits = Limits {
        tokens_max: 512,
        outputs_max: 16,
        block_len: 32,
        blocks: (context + 4096) / 32,
        window: 0,
        window_blocks: 0,
        states: 0,
        context_max: context + 4096,
        cache_type,
    };
    let profile = Arc::new(Profile::default());
    let backend = CpuBackend::new().with_threads(threads).profiled(Arc::clone(&profile));
    let program = llama.program();
    let began = Instant::now();
    let source = Repeated(Mutex::default());
    let mut session = backend.open(Arc::clone(&program), limits, &source, &|_| ()).expect("enough memory");
    let footprint = backend.footprint(&program, &limits);
    println!(
        "{}: weights {} MB, cache {} MB, scratch {} MB, opened in {:.2} s",
        backend.name(),
        footprint.weights / 1_000_000,
        footprint.cache / 1_000_000,
        footprint.scratch / 1_000_000,
        began.elapsed().as_secs_f64()
    );
    let session = &mut *session;
    // One row in every block: a page of the cache is cleared when it is first used.
    let every_block = Batch {
        tokens: vec![0; limits.blocks],
        spans: vec![
            Span { rows: 1, start: 0, blocks: 1, window_blocks: 0, state: 0, state_from: 0 };
            limits.blocks
        ],
        blocks: (0..limits.blocks as u32).collect(),
        outputs: vec![],
        ..Batch::default()
    };
    session.run(&every_block, &mut Alone).expect("alone");
    let mut sequences = Sequences::new(16, &llama, limits);
    sequences.pretend(0, context);
    measure("decode 1", session, &profile, steps, || sequences.batch(&[(0, 1)]));
    let eight: Vec<_> = (1..9).map(|i| (i, 1)).collect();
    measure("decode 8", session, &profile, 16, || sequences.batch(&eight));
    measure("prefill 256", session, &profile, 2, || sequences.batch(&[(9, 256)]));
    let mut sequences = Sequences::new(16, &llama, limits);
    measure("prefill 512", session, &profile, 1, || sequences.batch(&[(0, 512)]));
}

fn measure(
    name: &str,
    session: &mut dyn Session,
    profile: &Profile,
    steps: usize,
    mut batch: impl FnMut() -> tandem_tensor::Batch,
) {
    if steps > 8 {
        session.run(&batch(), &mut Alone).expect("alone");
    }
    profile.reset();
    let (mut tokens, mut best_s) = (0, f64::INFINITY);
    let began = Instant::now();
    for _ in 0..steps {
        let batch = batch();
        let step = Instant::now();
        session.run(&batch, &mut Alone).expect("alone");
        best_s = best_s.min(step.elapsed().as_secs_f64());
        tokens += batch.tokens.len();
    }
    let mean_s = began.elapsed().as_secs_f64();
    println!(
        "{name}: {:.1} tokens/s (best step {:.1})  {profile}",
        tokens as f64 / mean_s,
        tokens as f64 / steps as f64 / best_s
    );
}

/// A few random rows of every shape, over and over.
struct Repeated(Mutex<HashMap<(DType, usize), Rows>>);

type Rows = Arc<Vec<u8>>;

impl WeightSource for Repeated {
    fn read(&self, weight: &Weight, _: usize, rows: Range<usize>, out: &mut [u8]) -> Result<(), ReadError> {
        const ROWS: usize = 16;
        let mut known = self.0.lock().expect("no panics");
        let bytes = known.entry((weight.dtype, weight.cols())).or_insert_with(|| {
            let mut noise = Noise(1);
            let scale = if weight.rows() == 1 { 1.0 } else { 1.7 / (weight.cols() as f32).sqrt() };
            let values: Vec<f32> = (0..ROWS * weight.cols()).map(|_| noise.value() * scale).collect();
            let mut bytes = Vec::new();
            quant::quantize(weight.dtype, &values, &mut bytes);
            Arc::new(bytes)
        });
        let bytes = Arc::clone(bytes);
        drop(known);
        for (row, out) in rows.zip(out.chunks_exact_mut(weight.row_bytes())) {
            out.copy_from_slice(&bytes[row % ROWS * weight.row_bytes()..][..weight.row_bytes()]);
        }
        Ok(())
    }
}
