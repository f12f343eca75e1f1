//! What decoding a token costs where attention reads all of a long context, and where it reads what an indexer chose. One layer of
//! DeepSeek V3.2's attention (128 heads over 576 cached values; 64 heads of 128 choose 2,048 tokens), every cached row filled.
//!
//! cargo run --release -p tandem-kernels-cpu --example sparse_bench -- [threads] [steps]

use std::time::Instant;

use tandem_kernels_cpu::CpuBackend;
use tandem_tensor::conformance::{Chosen, Latent, Llama, Noise, Random, Sequences};
use tandem_tensor::{Alone, Backend, Batch, CacheType, DType, Limits, Session, Span};

const BLOCK_LEN: usize = 32;
const ROWS: usize = 512;

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse().expect("a number"));
    let (threads, steps) = (args.next().unwrap_or(2), args.next().unwrap_or(5));
    for context in [4 << 10, 32 << 10, 128 << 10] {
        let dense_s = measure(None, context, threads, steps);
        let chosen = Chosen { count: 2048, heads: 64, key_dim: 128, tied: false };
        let sparse_s = measure(Some(chosen), context, threads, steps);
        println!(
            "{context} tokens: all {:.2} ms, chosen {:.2} ms, {:.1} times faster",
            dense_s * 1e3,
            sparse_s * 1e3,
            dense_s / sparse_s
        );
    }
}

/// Seconds of one token's step, the best of `steps`.
fn measure(chosen: Option<Chosen>, context: usize, threads: usize, steps: usize) -> f64 {
    let dtype = DType::Q8_0;
    let latent = Latent { latent_dim: 512, nope_dim: 128, rope_dim: 64, value_dim: 128, dtype, chosen };
    let llama = Llama {
        hidden: 256,
        heads: 128,
        ffn: 256,
        vocabulary: 1000,
        layers: 1,
        dtype,
        latent: Some(latent),
        ..Llama::default()
    };
    let limits = Limits {
        tokens_max: ROWS,
        outputs_max: 1,
        block_len: BLOCK_LEN,
        blocks: context / BLOCK_LEN + 64,
        window: 0,
        window_blocks: 0,
        states: 0,
        context_max: context + 64 * BLOCK_LEN,
        cache_type: CacheType::F16,
    };
    let backend = CpuBackend::new().with_threads(threads);
    let mut session = backend.open(llama.program(), limits, &Random, &|_| ()).expect("enough memory");
    fill(&mut *session, &limits, llama.vocabulary);
    let mut sequences = Sequences::new(1, &llama, limits);
    sequences.pretend(0, context);
    let mut best_s = f64::INFINITY;
    for _ in 0..=steps {
        let batch = sequences.batch(&[(0, 1)]);
        let began = Instant::now();
        session.run(&batch, &mut Alone).expect("alone");
        best_s = best_s.min(began.elapsed().as_secs_f64());
    }
    best_s
}

/// A row of some token in every place of every block: each block is a short sequence of its own for that.
fn fill(session: &mut dyn Session, limits: &Limits, vocabulary: usize) {
    let mut noise = Noise(3);
    for offset in 0..BLOCK_LEN as u32 {
        let all: Vec<u32> = (0..limits.blocks as u32).collect();
        for blocks in all.chunks(ROWS) {
            let span = Span { rows: 1, start: offset, blocks: 1, window_blocks: 0, state: 0, state_from: 0 };
            let batch = Batch {
                tokens: blocks.iter().map(|_| noise.below(vocabulary) as u32).collect(),
                spans: vec![span; blocks.len()],
                blocks: blocks.to_vec(),
                ..Batch::default()
            };
            session.run(&batch, &mut Alone).expect("alone");
        }
    }
}
