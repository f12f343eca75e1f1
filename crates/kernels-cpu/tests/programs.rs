//! Whole small programs against the naive backend, at every instruction set of this machine.

use tandem_kernels_cpu::CpuBackend;
use tandem_kernels_cpu::cpu::Cpu;
use tandem_tensor::conformance::{
    Case, Chosen, Latent, Llama, Mixture, Precision, Sequences, cases, check, chosen, mixed_batches, open,
    pooled, rarer, run,
};
use tandem_tensor::{Backend, CacheType, DType, Reference};

/// Cases that run the same kernels as the others over more shapes. Emulated processors leave them out.
const MORE_SHAPES: [&str; 6] =
    ["long", "no rope", "a key head for each", "odd sizes", "weights of", "experts of"];

fn check_cases(more_shapes: bool) {
    let wanted = |name: &str| MORE_SHAPES.iter().any(|begins| name.starts_with(begins)) == more_shapes;
    for case in cases().into_iter().filter(|case| wanted(&case.name)) {
        let expected = case.expected();
        for cpu in Cpu::available() {
            let backend = CpuBackend::new().with_cpu(cpu).with_threads(2);
            if let Err(difference) = case.run_against(&backend, &expected, case.precision.tolerance()) {
                panic!("{} on {}: {difference}", case.name, backend.name());
            }
        }
    }
}

#[test]
fn every_operator() {
    check_cases(false);
}

#[test]
fn more_shapes() {
    check_cases(true);
}

#[test]
fn what_few_families_need() {
    check_on_every_set(rarer());
}

#[test]
fn only_chosen_rows_are_read() {
    check_on_every_set(chosen());
}

#[test]
fn pooled_rows_are_chosen() {
    check_on_every_set(pooled());
}

fn check_on_every_set(cases: Vec<Case>) {
    for case in cases {
        let expected = case.expected();
        for cpu in Cpu::available() {
            let with = |threads| {
                let backend = CpuBackend::new().with_cpu(cpu).with_threads(threads);
                run(&mut *open(&backend, &case.llama.program(), case.limits), &case.batches)
            };
            let found = with(1);
            check(
                &format!("{} on {}", case.name, cpu.level()),
                &found,
                &expected,
                case.precision.tolerance(),
            );
            assert!(with(2) == found, "{}: threads change the result", case.name);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_latent_bits() {
    let cases = cases();
    let case = cases.iter().find(|case| case.name.starts_with("long latent")).unwrap();
    let with = |threads| {
        let backend = CpuBackend::new().with_threads(threads);
        run(&mut *open(&backend, &case.llama.program(), case.limits), &case.batches)
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

/// What ranks would add up is kept in two parts, also over experts and with biases.
#[test]
fn sums_in_parts_agree_with_the_reference_and_on_any_number_of_threads() {
    for (dtype, columns, experts) in
        [(DType::F32, 32, true), (DType::Q4_0, 64, false), (DType::Q4_K, 256, true)]
    {
        let mixture = experts.then(|| Mixture { dtype, inner: 512, biases: true, ..Mixture::default() });
        let llama = Llama { dtype, bias: true, mixture, run: Some(columns), ..Llama::default() };
        let (program, limits) = (llama.program(), llama.limits(16, CacheType::F16));
        let batches = mixed_batches(&llama, limits);
        // Experts are chosen by what eight bits left: there only a plain sum on the same processor can be compared with.
        let plain = Llama { run: None, ..llama.clone() }.program();
        let reference = run(&mut *open(&Reference, &program, limits), &batches);
        for cpu in Cpu::available() {
            let with = |threads| {
                let backend = CpuBackend::new().with_cpu(cpu).with_threads(threads);
                run(&mut *open(&backend, &program, limits), &batches)
            };
            let one = with(1);
            assert!(with(3) == one, "3 threads, {dtype}, {}", cpu.level());
            let name = format!("{dtype}, experts {experts}, {}", cpu.level());
            let backend = CpuBackend::new().with_cpu(cpu).with_threads(2);
            check(&name, &one, &run(&mut *open(&backend, &plain, limits), &batches), 0.01);
            let precision = if dtype == DType::F32 { Precision::Half } else { Precision::EightBits };
            if dtype == DType::F32 || !experts {
                check(&name, &one, &reference, precision.tolerance());
            }
        }
    }
}

#[test]
fn company_does_not_change_a_sequence() {
    let mixture = Mixture { dtype: DType::Q4_0, inner: 256, ..Mixture::default() };
    let latent = Latent {
        latent_dim: 64,
        nope_dim: 32,
        rope_dim: 16,
        value_dim: 32,
        dtype: DType::Q8_0,
        chosen: None,
    };
    let chosen =
        Latent { chosen: Some(Chosen { count: 25, heads: 6, key_dim: 35, tied: false }), ..latent.clone() };
    for (mixture, latent) in [(None, None), (Some(mixture), None), (None, Some(latent)), (None, Some(chosen))]
    {
        alone_as_in_company(&Llama { dtype: DType::Q4_0, mixture, latent, ..Llama::default() });
    }
}

fn alone_as_in_company(llama: &Llama) {
    let (program, limits) = (llama.program(), llama.limits(16, CacheType::F16));
    for cpu in Cpu::available() {
        let backend = CpuBackend::new().with_cpu(cpu).with_threads(2);
        // Three sequences prefilled and decoded together …
        let mut together = Sequences::new(3, llama, limits);
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
    let whole = Sequences::new(1, &llama, limits).batch(&[(0, 150)]);
    let mut chunks = Sequences::new(1, &llama, limits);
    let chunks: Vec<_> = [40, 1, 64, 45].iter().map(|rows| chunks.batch(&[(0, *rows)])).collect();
    assert_eq!(chunks.iter().flat_map(|batch| batch.tokens.clone()).collect::<Vec<_>>(), whole.tokens);
    let backend = CpuBackend::new().with_threads(2);
    let found = run(&mut *open(&backend, &program, limits), &chunks);
    let expected = run(&mut *open(&backend, &program, limits), &[whole]);
    check("chunks", &found[3..], &expected, Precision::Float.tolerance());
}
