//! Whole small programs against the naive backend, at every instruction set of this machine.

mod llama;

use llama::{
    Latent, Llama, Mixture, check, compare, compare_batches, long_batches, mixed_batches, open, run,
};
use tandem_kernels_cpu::CpuBackend;
use tandem_kernels_cpu::cpu::Cpu;
use tandem_tensor::{Activation, CacheType, DType, Groups, RopeStyle, Routing, Score};

/// Float weights differ only by the order of sums.
const FLOAT: f32 = 2e-4;
/// Keys and values rounded to half floats.
const HALF: f32 = 1e-2;
/// Activations (and a cache) of eight bits.
const EIGHT_BITS: f32 = 0.12;

#[test]
fn plain() {
    compare("plain", &Llama::default(), 16, CacheType::F32, FLOAT);
}

#[test]
fn long_sequences() {
    for (cache_type, window, tolerance) in
        [(CacheType::F32, None, FLOAT), (CacheType::F16, Some(530), HALF), (CacheType::Q8, None, EIGHT_BITS)]
    {
        let llama = Llama { layers: 1, window, sinks: window.is_some(), ..Llama::default() };
        let limits = llama.limits(32, cache_type);
        compare_batches("long", &llama, limits, &long_batches(&llama, limits), tolerance);
    }
}

#[test]
fn half_rope_qk_norm_and_bias() {
    let llama = Llama {
        rope: Some(RopeStyle::Halves),
        qk_norm: true,
        bias: true,
        rope_factors: true,
        rotated_pairs: 24,
        act: Activation::Gelu,
        ..Llama::default()
    };
    compare("options", &llama, 32, CacheType::F32, FLOAT);
}

#[test]
fn windows_and_sinks() {
    for (window, block_len) in [(1, 16), (5, 8), (64, 32), (100, 128)] {
        let llama = Llama { window: Some(window), sinks: true, ..Llama::default() };
        compare(&format!("window {window}"), &llama, block_len, CacheType::F32, FLOAT);
    }
}

#[test]
fn no_rope_and_many_groups() {
    let llama = Llama { rope: None, heads: 9, kv_heads: 1, sinks: true, ..Llama::default() };
    compare("multi-query", &llama, 64, CacheType::F32, FLOAT);
    let llama = Llama { heads: 3, kv_heads: 3, ..Llama::default() };
    compare("multi-head", &llama, 64, CacheType::F32, FLOAT);
}

#[test]
fn odd_sizes() {
    let llama = Llama {
        hidden: 50,
        heads: 6,
        kv_heads: 2,
        key_dim: 22,
        value_dim: 19,
        ffn: 77,
        vocabulary: 101,
        rotated_pairs: 9,
        qk_norm: true,
        bias: true,
        ..Llama::default()
    };
    for block_len in [1, 2, 8, 16, 256] {
        compare(&format!("odd, blocks of {block_len}"), &llama, block_len, CacheType::F32, FLOAT);
    }
}

#[test]
fn cache_types() {
    for (block_len, key_dim) in [(4, 64), (32, 64), (128, 80)] {
        let llama = Llama { key_dim, value_dim: key_dim, ..Llama::default() };
        compare("half cache", &llama, block_len, CacheType::F16, HALF);
        compare("eight-bit cache", &llama, block_len, CacheType::Q8, EIGHT_BITS);
    }
    let odd = Llama { key_dim: 50, value_dim: 35, rotated_pairs: 20, ..Llama::default() };
    compare("odd half cache", &odd, 16, CacheType::F16, HALF);
    compare("odd eight-bit cache", &odd, 16, CacheType::Q8, EIGHT_BITS);
}

#[test]
fn weight_types() {
    for dtype in DType::ALL {
        let tolerance = match dtype {
            DType::F32 | DType::F16 | DType::BF16 => FLOAT,
            _ => EIGHT_BITS,
        };
        compare(&dtype.to_string(), &Llama { dtype, ..Llama::default() }, 16, CacheType::F32, tolerance);
    }
    let mixed = Llama { dtype: DType::Q4_0, output_dtype: Some(DType::F16), ..Llama::default() };
    compare("mixed", &mixed, 16, CacheType::F16, EIGHT_BITS);
}

#[test]
fn experts() {
    let plain = Mixture::default().routing;
    let routings = [
        plain,
        Routing { score: Score::Sigmoid, scale: 2.5, ..plain },
        Routing { score: Score::SoftmaxOfChosen, normalise: false, used: 1, ..plain },
        Routing { normalise: false, used: 8, ..plain },
        Routing { groups: Some(Groups { count: 4, used: 2, best: 2 }), score: Score::Sigmoid, ..plain },
        Routing { groups: Some(Groups { count: 2, used: 1, best: 1 }), ..plain },
    ];
    for (i, routing) in routings.into_iter().enumerate() {
        let odd = i % 2 == 1;
        let mixture = Mixture {
            inner: if odd { 77 } else { 96 },
            routing,
            routing_bias: odd,
            biases: i % 3 == 0,
            ..Mixture::default()
        };
        let act = [Activation::Silu, Activation::ClampedSwiglu, Activation::Gelu][i % 3];
        let hidden = if odd { 50 } else { 256 };
        let llama = Llama { hidden, act, mixture: Some(mixture), ..Llama::default() };
        compare(&format!("{routing:?}"), &llama, 16, CacheType::F32, FLOAT);
    }
}

#[test]
fn experts_of_every_type() {
    for dtype in DType::ALL {
        let tolerance = match dtype {
            DType::F32 | DType::F16 | DType::BF16 => FLOAT,
            _ => EIGHT_BITS,
        };
        // One layer, so that rounding does not change who is chosen.
        let mixture = Mixture { dtype, inner: 256, biases: true, ..Mixture::default() };
        let llama = Llama { layers: 1, mixture: Some(mixture), ..Llama::default() };
        compare(&format!("experts of {dtype}"), &llama, 16, CacheType::F32, tolerance);
    }
}

#[test]
fn latent_attention() {
    let plain = Latent { latent_dim: 96, nope_dim: 32, rope_dim: 16, value_dim: 32, dtype: DType::F32 };
    let odd = Latent { latent_dim: 37, nope_dim: 21, rope_dim: 6, value_dim: 19, dtype: DType::F32 };
    let small = Llama { hidden: 64, ffn: 64, vocabulary: 50, layers: 1, ..Llama::default() };
    for (latent, heads, rope, block_len, cache_type, tolerance) in [
        (&plain, 4, RopeStyle::Interleaved, 16, CacheType::F32, FLOAT),
        (&plain, 9, RopeStyle::Halves, 128, CacheType::Q8, EIGHT_BITS),
        (&plain, 16, RopeStyle::Halves, 32, CacheType::F16, HALF),
        (&odd, 1, RopeStyle::Halves, 1, CacheType::F16, HALF),
        (&odd, 3, RopeStyle::Interleaved, 8, CacheType::Q8, EIGHT_BITS),
        (&odd, 70, RopeStyle::Interleaved, 16, CacheType::F32, FLOAT),
    ] {
        let llama = Llama { heads, rope: Some(rope), latent: Some(latent.clone()), ..small.clone() };
        let name = format!("{latent:?}, {heads} heads, {cache_type:?}");
        compare(&name, &llama, block_len, cache_type, tolerance);
    }
    for dtype in [DType::F16, DType::Q8_0, DType::Q5_0] {
        let llama = Llama { latent: Some(Latent { dtype, ..plain.clone() }), ..small.clone() };
        let tolerance = if dtype == DType::F16 { FLOAT } else { EIGHT_BITS };
        compare(&format!("latent {dtype}"), &llama, 32, CacheType::F32, tolerance);
    }
}

#[test]
fn long_latent_sequences() {
    let latent = Latent { latent_dim: 48, nope_dim: 16, rope_dim: 8, value_dim: 16, dtype: DType::F32 };
    let small = Llama { hidden: 64, ffn: 64, vocabulary: 50, layers: 1, ..Llama::default() };
    let llama = Llama { latent: Some(latent), heads: 5, ..small };
    let limits = llama.limits(32, CacheType::F32);
    let mut sequences = llama::Sequences::new(2, &llama, limits);
    let mut batches: Vec<_> =
        [200, 200, 200, 200, 200, 60].iter().map(|rows| sequences.batch(&[(0, *rows)])).collect();
    batches.push(sequences.batch(&[(0, 1)]));
    batches.push(sequences.batch(&[(0, 1), (1, 1)]));
    compare_batches("long latent", &llama, limits, &batches, FLOAT);
    let with = |threads| {
        let backend = CpuBackend::new().with_threads(threads);
        run(&mut *open(&backend, &llama.program(), limits), &batches)
    };
    let one = with(1);
    for threads in [2, 3, 7] {
        assert!(with(threads) == one, "{threads} threads");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for dtype in [DType::F32, DType::Q4_0, DType::Q4_K] {
        for cache_type in [CacheType::F16, CacheType::Q8] {
            let mixture = Mixture { dtype, inner: 256, ..Mixture::default() };
            let mixture = (cache_type == CacheType::Q8).then_some(mixture);
            let llama = Llama { dtype, sinks: true, bias: true, mixture, ..Llama::default() };
            let (program, limits) = (llama.program(), llama.limits(16, cache_type));
            let batches = mixed_batches(&llama, limits);
            for cpu in Cpu::available() {
                let with = |threads| {
                    let backend = CpuBackend::new().with_cpu(cpu).with_threads(threads);
                    run(&mut *open(&backend, &program, limits), &batches)
                };
                let one = with(1);
                for threads in [2, 3, 5] {
                    assert!(
                        with(threads) == one,
                        "{threads} threads, {dtype}, {cache_type:?}, {}",
                        cpu.level()
                    );
                }
            }
        }
    }
}

#[test]
fn company_does_not_change_a_sequence() {
    let mixture = Mixture { dtype: DType::Q4_0, inner: 256, ..Mixture::default() };
    let latent = Latent { latent_dim: 64, nope_dim: 32, rope_dim: 16, value_dim: 32, dtype: DType::Q8_0 };
    for (mixture, latent) in [(None, None), (Some(mixture), None), (None, Some(latent))] {
        alone_as_in_company(&Llama { dtype: DType::Q4_0, mixture, latent, ..Llama::default() });
    }
}

fn alone_as_in_company(llama: &Llama) {
    let (program, limits) = (llama.program(), llama.limits(16, CacheType::F16));
    for cpu in Cpu::available() {
        let backend = CpuBackend::new().with_cpu(cpu).with_threads(2);
        // Three sequences prefilled and decoded together …
        let mut together = llama::Sequences::new(3, llama, limits);
        let batches: Vec<_> = [vec![(0, 30), (1, 7), (2, 50)], vec![(0, 1), (1, 1), (2, 1)]]
            .iter()
            .map(|grow| together.batch(grow))
            .collect();
        let found = run(&mut *open(&backend, &program, limits), &batches);
        // … and the same tokens one sequence at a time, in the same blocks.
        let mut session = open(&backend, &program, limits);
        for i in 0..3 {
            for (batch, found) in batches.iter().zip(&found) {
                let alone = only(batch, i);
                session.run(&alone, &mut tandem_tensor::Alone).unwrap();
                let expected = &found[i * llama.vocabulary..][..llama.vocabulary];
                assert!(session.result() == expected, "sequence {i}, {}", cpu.level());
            }
        }
    }
}

/// Span `index` of `batch` as a batch of its own.
fn only(batch: &tandem_tensor::Batch, index: usize) -> tandem_tensor::Batch {
    let before = &batch.spans[..index];
    let row = before.iter().map(|span| span.rows as usize).sum::<usize>();
    let block = before.iter().map(|span| span.blocks as usize).sum::<usize>();
    let span = batch.spans[index];
    tandem_tensor::Batch {
        tokens: batch.tokens[row..][..span.rows as usize].to_vec(),
        spans: vec![span],
        blocks: batch.blocks[block..][..span.blocks as usize].to_vec(),
        window_blocks: Vec::new(),
        outputs: vec![span.rows - 1],
        ..tandem_tensor::Batch::default()
    }
}

#[test]
fn a_prompt_in_chunks_is_the_prompt_at_once() {
    let llama = Llama::default();
    let (program, limits) = (llama.program(), llama.limits(16, CacheType::F32));
    let whole = llama::Sequences::new(1, &llama, limits).batch(&[(0, 150)]);
    let mut chunks = llama::Sequences::new(1, &llama, limits);
    let chunks: Vec<_> = [40, 1, 64, 45].iter().map(|rows| chunks.batch(&[(0, *rows)])).collect();
    assert_eq!(chunks.iter().flat_map(|batch| batch.tokens.clone()).collect::<Vec<_>>(), whole.tokens);
    let backend = CpuBackend::new().with_threads(2);
    let found = run(&mut *open(&backend, &program, limits), &chunks);
    let expected = run(&mut *open(&backend, &program, limits), &[whole]);
    check("chunks", &found[3..], &expected, FLOAT);
}
