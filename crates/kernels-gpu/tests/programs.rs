//! Whole small programs against the naive backend, on this machine's GPU or on a software one.

use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tandem_kernels_gpu::{GpuBackend, Way};
use tandem_tensor::conformance::{
    Case, Chosen, Latent, Llama, Mixture, Precision, Random, Sequences, cases, chosen, mixed_batches, open,
    pooled, rarer, reduced, run,
};
use tandem_tensor::{
    Activation, Alone, Backend, Batch, CacheType, DType, Draw, Lender, Op, PeerLost, Peers, Program,
    ReadError, Reference, Routing, Score, Session, Weight, WeightSource, own_lender,
};

/// Eight bits are eight bits; sums and functions differ a little more than on CPUs.
fn tolerance(case: &Case) -> f32 {
    match case.precision {
        Precision::Float => 1e-3,
        precision => precision.tolerance(),
    }
}

/// The tests divide the cases among themselves by name, so that every core has some.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Weights,
    Experts,
    Rest,
}

fn part(case: &Case) -> Part {
    match case.name.as_str() {
        name if name.starts_with("weights of") => Part::Weights,
        name if name.starts_with("experts of") => Part::Experts,
        _ => Part::Rest,
    }
}

/// `TANDEM_CASE` runs only the cases that have it in their names.
fn check(wanted: Part) {
    // One for each test: software Vulkan computes and compiles on a thread for each device.
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    check_on(&backend, cases().into_iter().filter(|case| part(case) == wanted), tolerance);
}

fn check_on(backend: &GpuBackend, cases: impl IntoIterator<Item = Case>, tolerance: impl Fn(&Case) -> f32) {
    let only = std::env::var("TANDEM_CASE").unwrap_or_default();
    let mut failed = Vec::new();
    for case in cases.into_iter().filter(|case| case.name.contains(&only)) {
        let start = Instant::now();
        if let Err(difference) = case.run(backend, tolerance(&case)) {
            println!("{}: {difference}", case.name);
            failed.push(case.name.clone());
        }
        println!("{:5.1} s  {}", start.elapsed().as_secs_f64(), case.name);
    }
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn weights_of_every_type() {
    check(Part::Weights);
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn experts_of_every_type() {
    check(Part::Experts);
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn every_operator_and_shape() {
    check(Part::Rest);
}

/// Stacks that are larger than what a kernel sees at once lie in parts: an expert in each, or some.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn stacks_of_experts_in_parts() {
    let wanted = ["experts of Q4_K", "experts of F16", "experts, gates of Q4_0 and what they gate of Q8_0"];
    for bytes in [1, 250_000] {
        let backend = GpuBackend::with_matrices_of(0, bytes, None).expect("a GPU, or Mesa's software Vulkan");
        let is_wanted = |case: &Case| wanted.contains(&case.name.as_str());
        let cases: Vec<Case> = cases().into_iter().chain(rarer()).filter(is_wanted).collect();
        assert_eq!(cases.len(), wanted.len());
        check_on(&backend, cases, tolerance);
    }
}

/// Long batches through experts in tiles of every size, where the device multiplies matrices and where it does not: whole stacks and
/// parts, weighed before and after, biases, one matrix for both products and different types.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn experts_in_tiles() {
    let (whole, part) = (u64::MAX, 1);
    let (usual, weighed) = (Routing::of(1, Score::Softmax), Routing::of(1, Score::Sigmoid));
    let weighed = Routing { weighs_input: true, ..weighed };
    let all = [60, 130];
    for (side, bytes, dtype, up_dtype, routing, act, rows) in [
        (Some(16), whole, DType::Q4_1, None, usual, Activation::Silu, &all[..]),
        (Some(16), part, DType::F16, None, weighed, Activation::Silu, &all[..1]),
        (Some(16), part, DType::Q5_0, Some(DType::BF16), usual, Activation::Gelu, &all[..1]),
        (Some(8), whole, DType::Q8_0, None, usual, Activation::ReluGate, &all[..]),
        (None, part, DType::BF16, None, weighed, Activation::Silu, &all[..1]),
        (None, whole, DType::F32, Some(DType::Q4_0), usual, Activation::Silu, &all[1..]),
    ] {
        let backend = GpuBackend::with_matrices_of(0, bytes, side).expect("a GPU, or Mesa's software Vulkan");
        let mixture = Mixture { dtype, experts: 2, inner: 96, routing, biases: true, ..Mixture::default() };
        let small = Llama { hidden: 64, vocabulary: 50, layers: 1, ..Llama::default() };
        let llama = Llama { mixture: Some(mixture), up_dtype, act, ..small };
        let limits = llama.limits(32, CacheType::F32);
        let mut sequences = Sequences::new(1, &llama, limits);
        let batches: Vec<Batch> = rows.iter().map(|rows| sequences.batch(&[(0, *rows)])).collect();
        let program = llama.program();
        let start = Instant::now();
        let expected = run(&mut *open(&Reference, &program, limits), &batches);
        let found = run(&mut *open(&backend, &program, limits), &batches);
        println!("{:5.1} s  {dtype}, {side:?}", start.elapsed().as_secs_f64());
        let tolerance = if side.is_some() { 1e-2 } else { 1e-3 };
        let name = format!("{dtype}, {up_dtype:?}, {side:?}, {routing:?}");
        tandem_tensor::conformance::check(&name, &found, &expected, tolerance);
    }
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn what_few_families_need() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    // These take long to compile, and what is special about them is how processors divide heads.
    let long = ["70 heads", "130 heads", "9 heads, Q8", "2048 chosen"];
    let cases = rarer().into_iter().chain(chosen()).chain(pooled());
    check_on(&backend, cases.filter(|case| !long.iter().any(|name| case.name.contains(name))), tolerance);
}

/// Kernels with cooperative matrices, which software Vulkan has not: products in tiles, whole and divided, and attention.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn cooperative_matrices() {
    let backend = GpuBackend::with_emulated_matrices(0, 16).expect("a GPU, or Mesa's software Vulkan");
    backend.try_matrices().unwrap();
    // The others take longer to compile.
    let wanted = [
        "long, F16 cache",
        "long latent, 20 heads, F16 cache",
        "weights of Q4_0",
        "chunks of 64",
        "given rows, window Some(Sliding(300)), 4 heads, F16",
    ];
    // Activations are half floats in such products.
    let tolerance = |case: &Case| case.precision.tolerance().max(1e-2);
    let cases = cases().into_iter().chain(rarer()).filter(|case| wanted.contains(&case.name.as_str()));
    check_on(&backend, cases, tolerance);
}

/// The smaller ones of Metal: products in tiles of codes and of half floats, whole and divided. Attention may do without them.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn cooperative_matrices_of_eights() {
    let backend = GpuBackend::with_emulated_matrices(0, 8).expect("a GPU, or Mesa's software Vulkan");
    backend.try_matrices().unwrap();
    let wanted = ["long, F16 cache", "weights of Q6_K", "weights of F16"];
    let tolerance = |case: &Case| case.precision.tolerance().max(1e-2);
    check_on(&backend, cases().into_iter().filter(|case| wanted.contains(&case.name.as_str())), tolerance);
    let without = backend.without(&["attention with cooperative matrices"]).unwrap();
    assert!(without.name().contains("without attention with") && without.rounds_to_halves());
    let case = cases().into_iter().find(|case| case.name == "long, F16 cache").unwrap();
    case.run(&*without, 1e-2).unwrap();
}

/// Whatever the device chooses, the results are those of the reference.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn options_give_the_same() {
    let wide = Llama { hidden: 1024, heads: 8, kv_heads: 2, ffn: 2048, layers: 1, ..Llama::default() };
    // Not whole fours of rows.
    let wide = Llama { vocabulary: 4101, ..wide };
    let narrow = Llama { hidden: 256, heads: 8, kv_heads: 2, ffn: 352, layers: 1, ..Llama::default() };
    let narrow = Llama { qk_norm: true, ..narrow };
    let wanted = ["norms of", "normed Q4_0", "Q4_0 products with", "joined", "Q4_0 products, 8 rows"];
    let latent =
        Latent { latent_dim: 64, nope_dim: 32, rope_dim: 32, value_dim: 32, dtype: DType::F32, chosen: None };
    let latent = Llama { heads: 6, latent: Some(latent), ..narrow.clone() };
    // Those of 128 rows take a minute to compile.
    let tiles = ["in tiles, 16 rows", "in tiles, 32 rows", "in tiles, 64 rows"];
    let cases = [
        (DType::F32, &narrow, None, &["over many keys"][..]),
        (DType::F32, &latent, Some(16), &["over many keys"]),
        (DType::Q5_0, &narrow, Some(16), &tiles),
        (DType::F16, &narrow, Some(16), &tiles[..1]),
        (DType::Q4_0, &wide, None, &wanted),
        (DType::F16, &wide, None, &["norms of", "normed F16", "F16 products with", "F16 products, 8 rows"]),
    ];
    for (dtype, llama, side, expected_choices) in cases {
        let backend = GpuBackend::choosing(0, side).expect("a GPU, or Mesa's software Vulkan");
        let llama = Llama { dtype, ..llama.clone() };
        let limits = llama.limits(32, CacheType::F16);
        let program = llama.program();
        let mut session = backend.session(Arc::clone(&program), limits, &Random, &|_| ()).expect("it opens");
        let choices: Vec<_> = session.choices().map(|(choice, _)| choice.clone()).collect();
        for name in expected_choices {
            assert!(choices.iter().any(|choice| choice.name.contains(name)), "{name}: {choices:#?}");
        }
        for (at, choice) in choices.iter().enumerate() {
            if choice.depth > 0 && dtype != DType::F32 {
                continue;
            }
            // The others are those of devices without matrices.
            if side.is_some() && !expected_choices.iter().any(|name| choice.name.contains(name)) {
                continue;
            }
            // Beyond the fewest runs of keys.
            let mut sequences = Sequences::new(1, &llama, limits);
            let before = if choice.depth > 0 { vec![(0, 180); 4] } else { vec![] };
            let rows = before.into_iter().chain([(0, choice.rows as usize)]);
            let batches: Vec<Batch> = rows.map(|rows| sequences.batch(&[rows])).collect();
            let expected = run(&mut *open(&Reference, &program, limits), &batches);
            for (option, name) in choice.options.iter().enumerate() {
                session.choose(at, option as u8);
                let start = Instant::now();
                let found = run(&mut session, &batches);
                let tolerance = Precision::EightBits.tolerance().max(1e-2);
                let name = format!("{dtype}, {}: {name}", choice.name);
                println!("{:5.1} s  {name}", start.elapsed().as_secs_f64());
                tandem_tensor::conformance::check(&name, &found, &expected, tolerance);
            }
            session.choose(at, 0);
        }
    }
}

/// Latent heads in squares of matrices: more than a square has and fewer, all keys and chosen ones, every type of cache.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn latent_heads_in_squares() {
    let backend = GpuBackend::with_emulated_matrices(0, 16).expect("a GPU, or Mesa's software Vulkan");
    // Every score is the same, so that rounding does not change who is chosen.
    let chosen = Some(Chosen { count: 150, heads: 2, key_dim: 48, tied: true });
    for (latent_dim, rope_dim, heads, chosen, cache_type, scale) in [
        (64, 32, 5, None, CacheType::Q8, 1.0),
        (64, 32, 16, chosen, CacheType::F32, 12.0),
        (128, 64, 33, None, CacheType::F32, 12.0),
    ] {
        let latent = Latent { latent_dim, nope_dim: 16, rope_dim, value_dim: 16, dtype: DType::F32, chosen };
        let small = Llama { hidden: 64, ffn: 64, vocabulary: 50, layers: 1, ..Llama::default() };
        let llama = Llama { heads, latent: Some(latent), ..small };
        let limits = llama.limits(32, cache_type);
        let mut program = (*llama.program()).clone();
        for op in &mut program.ops {
            // So far apart that what was added up must be scaled again.
            if let Op::AttendLatent(attend) = op {
                attend.scale *= scale;
            }
        }
        let program = Arc::new(program);
        let mut sequences = Sequences::new(2, &llama, limits);
        let batches = [vec![(0, 70)], vec![(0, 80), (1, 70)], vec![(0, 3)], vec![(0, 110), (1, 60)]];
        let batches = batches.map(|rows| sequences.batch(&rows));
        let expected = run(&mut *open(&Reference, &program, limits), &batches);
        let found = run(&mut *open(&backend, &program, limits), &batches);
        tandem_tensor::conformance::check(&format!("{heads} heads"), &found, &expected, 3e-2);
    }
}

/// Scores so far apart that what attention has added up must be scaled again, with sinks and without.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn later_keys_with_higher_scores() {
    let backend = GpuBackend::with_emulated_matrices(0, 16).expect("a GPU, or Mesa's software Vulkan");
    for sinks in [false, true] {
        let llama = Llama { layers: 1, sinks, ..Llama::default() };
        let limits = llama.limits(32, CacheType::F32);
        let mut program = (*llama.program()).clone();
        for op in &mut program.ops {
            if let Op::Attend(attend) = op {
                attend.scale *= 12.0;
            }
        }
        let program = Arc::new(program);
        let mut sequences = Sequences::new(1, &llama, limits);
        let batches = [sequences.batch(&[(0, 130)]), sequences.batch(&[(0, 100)])];
        let expected = run(&mut *open(&Reference, &program, limits), &batches);
        let found = run(&mut *open(&backend, &program, limits), &batches);
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            let mean = 6.0;
            assert!((found - expected).abs() < 0.03 * mean, "{found} instead of {expected}");
        }
    }
}

/// One row, and a few, over more keys than a few runs hold.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn rows_that_see_many_keys() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    let llama = Llama { layers: 1, heads: 6, kv_heads: 2, hidden: 64, ffn: 64, ..Llama::default() };
    for cache_type in [CacheType::F16, CacheType::Q8, CacheType::F32] {
        let limits = llama.limits(32, cache_type);
        let mut sequences = Sequences::new(2, &llama, limits);
        let mut rows = vec![[(0, 110), (1, 90)]; 7];
        rows.extend([[(0, 1), (1, 3)]; 2]);
        let mut batches: Vec<Batch> = rows.iter().map(|rows| sequences.batch(rows)).collect();
        batches.extend([(); 2].map(|()| sequences.batch(&[(0, 1)])));
        let program = llama.program();
        let expected = run(&mut *open(&Reference, &program, limits), &batches);
        let found = run(&mut *open(&backend, &program, limits), &batches);
        let tolerance = match cache_type {
            CacheType::F32 if !backend.rounds_to_halves() => 1e-3,
            _ => 1e-2,
        };
        tandem_tensor::conformance::check(&format!("{cache_type:?}"), &found, &expected, tolerance);
    }
}

/// A model with little in it but a vocabulary of several runs.
fn talker() -> Llama {
    Llama { hidden: 64, ffn: 64, vocabulary: 9000, layers: 1, ..Llama::default() }
}

/// The largest logits, the winners of draws and named tokens are those of whole rows.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn few_logits_are_those_that_decide() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    let (llama, none) = (talker(), f32::NEG_INFINITY);
    let limits = llama.limits(16, CacheType::F32);
    let batches = mixed_batches(&llama, limits);
    let program = llama.program();
    let whole = run(&mut *open(&backend, &program, limits), &batches);
    for (top, temperature, name) in [(1, 0.0, false), (64, 0.0, true), (1, 1.0, false), (3, 0.02, true)] {
        let mut session = open(&backend, &program, limits);
        for (step, (batch, whole)) in batches.iter().zip(&whole).enumerate() {
            let mut batch = Batch { top, ..batch.clone() };
            if temperature > 0.0 {
                let draw = |position| Draw { temperature, seed: 7, position };
                batch.draws = (0..batch.outputs.len() as u64).map(draw).collect();
            }
            let rows: Vec<&[f32]> = whole.chunks(llama.vocabulary).collect();
            let largest =
                |row: &[f32]| (0..row.len()).rev().max_by(|a, b| row[*a].total_cmp(&row[*b])).unwrap();
            if name {
                // One of them would have been the choice.
                let named =
                    |(i, row): (usize, &&[f32])| [0, 8999, largest(row)].map(|id| (i as u32, id as u32));
                batch.named = rows.iter().enumerate().flat_map(named).collect();
            }
            let found = run(&mut *session, std::slice::from_ref(&batch)).remove(0);
            for (i, (found, row)) in found.chunks(llama.vocabulary).zip(&rows).enumerate() {
                let (mut found, mut row) = (found.to_vec(), row.to_vec());
                for (_, id) in batch.named.iter().filter(|(output, _)| *output == i as u32) {
                    assert_eq!(found[*id as usize], row[*id as usize], "step {step}, token {id}");
                    (found[*id as usize], row[*id as usize]) = (none, none);
                }
                if let Some(draw) = batch.draws.get(i) {
                    assert_eq!(draw.winner(0, &found), draw.winner(0, &row), "step {step}, draw {i}");
                }
                assert!(found.iter().filter(|value| **value > none).count() <= top as usize + 4);
                for n in 0..top {
                    let next = largest(&row);
                    assert_eq!(found[next], row[next], "step {step}, row {i}, place {n}");
                    row[next] = none;
                }
            }
        }
    }
}

/// Ask for few logits of every output: each under another mask, with a temperature of its own for its sum.
fn ask(batch: &mut Batch, vocabulary: usize, top: u32, temperature: f32, name: bool) {
    batch.top = top;
    let outputs = batch.outputs.len() as u32;
    for output in 0..outputs {
        let mut words = vec![0u32; vocabulary.div_ceil(32)];
        let mut allow = |id: usize| words[id / 32] |= 1 << (id % 32);
        match output {
            // A few, up to the last.
            0 => (2..vocabulary).step_by(7).chain([vocabulary - 1]).for_each(&mut allow),
            // One, and then none.
            1 => allow(vocabulary - 2),
            2 => {}
            _ => continue,
        }
        // What lies beyond the last word is not allowed.
        let len = if output == 0 { words.len() } else { words.len() - usize::from(output == 2) };
        batch.push_mask(output, temperature > 0.0 && output == 0 && top < 64, &words[..len]);
    }
    if temperature > 0.0 {
        let draw =
            |position| Draw { temperature: if position == 3 { 0.0 } else { temperature }, seed: 7, position };
        batch.draws = (0..u64::from(outputs)).map(draw).collect();
    }
    if name {
        batch.named = (0..outputs).flat_map(|output| [(output, 9), (output, 16)]).collect();
    }
    batch.sums = (0..outputs).map(|output| [0.7, 1.0, 0.0, 1.5][output as usize % 4]).collect();
}

/// Hold what a session gives of `batch` to what it gives of the whole rows.
fn check_reduced(session: &mut dyn Session, batch: &Batch, whole: &[f32], reference: &[f32], what: &str) {
    session.run(batch, &mut Alone).unwrap();
    let (few, rests) = reduced(batch, whole);
    let (_, nearly) = reduced(batch, reference);
    let width = whole.len() / batch.outputs.len();
    assert_eq!(session.rests().len(), batch.outputs.len(), "{what}");
    for output in 0..batch.outputs.len() {
        let row = |rows: &[f32]| rows[output * width..][..width].to_vec();
        let (found, few, whole) = (row(session.result()), row(&few), row(whole));
        // What is wanted is there; what else is there is what the whole row has.
        for (id, found) in found.iter().enumerate() {
            let same = |value: f32| found.to_bits() == value.to_bits() || (found.is_nan() && value.is_nan());
            let left_out = few[id] == f32::NEG_INFINITY && *found == f32::NEG_INFINITY;
            assert!(left_out || same(whole[id]), "{what}, output {output}, token {id}: {found}");
            assert!(few[id] == f32::NEG_INFINITY || same(few[id]), "{what}, output {output}, token {id}");
        }
        let mask = batch.masks().find(|(mask, _)| mask.output as usize == output).map(|(_, words)| words);
        let allowed =
            |id: usize| mask.is_none_or(|words| words.get(id / 32).is_some_and(|w| w >> (id % 32) & 1 == 1));
        let named = |id: usize| batch.named.contains(&(output as u32, id as u32));
        if let Some(draw) = batch.draws.get(output) {
            let among = |row: &[f32]| -> Vec<f32> {
                let keep = |(id, value): (usize, &f32)| {
                    if allowed(id) && !named(id) { *value } else { f32::NEG_INFINITY }
                };
                row.iter().enumerate().map(keep).collect()
            };
            assert_eq!(
                draw.winner(0, &among(&found)),
                draw.winner(0, &among(&whole)),
                "{what}, draw {output}"
            );
        }
        let (rest, expected, nearly) = (session.rests()[output], rests[output], nearly[output]);
        let count = found.iter().filter(|value| **value > f32::NEG_INFINITY).count();
        if count < width {
            assert!(count <= batch.top as usize + 4 + 2, "{what}, output {output}: {count}");
            let same = rest.most.to_bits() == expected.most.to_bits()
                || rest.most.is_nan() && expected.most.is_nan();
            assert!(same, "{what}, output {output}: {rest:?}, expected {expected:?}");
        } else {
            assert_eq!(rest.most, f32::NEG_INFINITY, "{what}, output {output}");
        }
        let near = |a: f64, b: f64, by: f64| a == b || (a - b).abs() < by;
        let same = near(rest.all, expected.all, 1e-5) && near(rest.all, nearly.all, 1e-3);
        assert!(same, "{what}, output {output}: {rest:?}, expected {expected:?}, {nearly:?}");
        if batch.sums[output] > 0.0 {
            let same = near(rest.allowed, expected.allowed, 1e-5) && near(rest.allowed, nearly.allowed, 1e-3);
            assert!(same, "{what}, output {output}: {rest:?}, expected {expected:?}, {nearly:?}");
        }
        // A row can be had whole.
        session.fetch(output).unwrap();
        let fetched = row(session.result());
        for (id, (found, whole)) in fetched.iter().zip(&whole).enumerate() {
            assert!(
                found.to_bits() == whole.to_bits() || (found.is_nan() && whole.is_nan()),
                "{what}, fetched {id}"
            );
        }
    }
}

/// Few logits under masks, and the sums of all, are those of whole rows.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn masks_and_sums_are_those_of_whole_rows() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    for (vocabulary, backend) in [(9001, backend.clone()), (77, backend.with_way(Way::Waited))] {
        let llama = Llama { vocabulary, ..talker() };
        let limits = llama.limits(16, CacheType::F32);
        let batches = mixed_batches(&llama, limits);
        let program = llama.program();
        let whole = run(&mut *open(&backend, &program, limits), &batches);
        let reference = run(&mut *open(&Reference, &program, limits), &batches);
        let mut session = open(&backend, &program, limits);
        assert!(session.reduces());
        for (top, temperature, name) in [(1, 0.0, false), (64, 1.0, true), (3, 0.3, true), (1, 1.0, false)] {
            // Sequences begin anew.
            for (step, batch) in batches.iter().enumerate() {
                let mut batch = batch.clone();
                ask(&mut batch, vocabulary, top, temperature, name);
                let what = format!("vocabulary {vocabulary}, top {top}, step {step}");
                check_reduced(&mut *session, &batch, &whole[step], &reference[step], &what);
            }
        }
    }
}

/// Random weights but for the embedding of one token, which is also its row of the output.
struct Damaged {
    token: usize,
    with: f32,
}

impl WeightSource for Damaged {
    fn read(
        &self,
        weight: &Weight,
        expert: usize,
        rows: std::ops::Range<usize>,
        out: &mut [u8],
    ) -> Result<(), ReadError> {
        Random.read(weight, expert, rows.clone(), out)?;
        if weight.name == "embedding" && rows.contains(&self.token) {
            let bytes = weight.row_bytes();
            let row = &mut out[(self.token - rows.start) * bytes..][..bytes];
            row.chunks_exact_mut(4).for_each(|value| value.copy_from_slice(&self.with.to_le_bytes()));
        }
        Ok(())
    }
}

/// Logits that are no numbers are seen, also where a mask does not allow their tokens.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn what_is_no_number_is_seen_under_a_mask() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    let llama = talker();
    let limits = llama.limits(16, CacheType::F32);
    let mut sequences = Sequences::new(3, &llama, limits);
    let batch = sequences.batch(&[(0, 3), (1, 2), (2, 4)]);
    let token = (4200..).find(|token| !batch.tokens.contains(token)).unwrap() as usize;
    let damaged = Damaged { token, with: f32::NAN };
    let mut session = backend.open(llama.program(), limits, &damaged, &|_| ()).unwrap();
    for temperature in [0.0, 1.0] {
        let mut batch = batch.clone();
        ask(&mut batch, llama.vocabulary, 2, temperature, true);
        assert!(batch.masks().all(|(_, words)| words[token / 32] >> (token % 32) & 1 == 0));
        session.run(&batch, &mut Alone).unwrap();
        for row in session.result().chunks_exact(llama.vocabulary) {
            assert!(row[token].is_nan());
            assert!(row.iter().filter(|value| **value > f32::NEG_INFINITY).count() <= 2 + 4 + 2);
        }
    }
}

/// Batches whose tokens the batch before gives, begun before that one is finished.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn tokens_are_fed_on_the_device() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    // What goes through wgpu is what other systems have.
    for backend in [backend.clone(), backend.with_way(Way::Waited)] {
        feed_tokens(&backend);
    }
}

fn feed_tokens(backend: &GpuBackend) {
    let llama = talker();
    let limits = llama.limits(16, CacheType::F32);
    let mut sequences = Sequences::new(2, &llama, limits);
    let mut batches = vec![sequences.batch(&[(0, 5), (1, 3)])];
    batches.extend((0..4).map(|_| sequences.batch(&[(1, 1), (0, 1)])));
    batches.iter_mut().for_each(|batch| batch.top = 1);
    let largest = |rows: &[f32]| -> Vec<u32> {
        rows.chunks(llama.vocabulary).map(|row| Draw::default().winner(0, row).unwrap()).collect()
    };
    let program = llama.program();
    let mut session = open(backend, &program, limits);
    let mut expected: Vec<Vec<u32>> = Vec::new();
    for (at, batch) in batches.iter().enumerate() {
        let mut batch = batch.clone();
        if let Some(last) = expected.last() {
            // The first batch has the sequences the other way around.
            batch.tokens = if at == 1 { vec![last[1], last[0]] } else { last.clone() };
        }
        expected.push(largest(&run(&mut *session, &[batch])[0]));
    }
    let mut session = open(backend, &program, limits);
    assert!(session.feeds());
    session.start(&batches[0]).unwrap();
    for (at, batch) in batches.iter().enumerate().skip(1) {
        let fed = if at == 1 { vec![(0, 1), (1, 0)] } else { vec![(0, 0), (1, 1)] };
        session.start(&Batch { tokens: vec![0, 0], fed, ..batch.clone() }).unwrap();
        session.finish().unwrap();
        assert_eq!(largest(session.result()), expected[at - 1], "step {}", at - 1);
    }
    session.finish().unwrap();
    assert_eq!(largest(session.result()), expected[4]);
}

/// Another rank that always has the same values, which fails after so many sums.
struct Twin(usize);

impl Peers for Twin {
    fn all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        self.0 = self.0.checked_sub(1).ok_or(PeerLost { rank: 1, reason: "gone".into() })?;
        values.iter_mut().for_each(|value| *value += *value);
        Ok(())
    }

    fn send_next(&mut self, _: &[f32]) -> Result<(), PeerLost> {
        unreachable!("there is one stage")
    }

    fn recv_previous(&mut self, _: &mut [f32]) -> Result<(), PeerLost> {
        unreachable!("there is one stage")
    }
}

/// A model whose products of one matrix are summed over ranks.
fn with_sums(llama: &Llama) -> Arc<Program> {
    let mut program = (*llama.program()).clone();
    let summed = |op: Op| match &op {
        Op::Linear { parts, .. } if parts.len() == 1 => {
            let sum = Op::AllReduce { x: parts[0].out };
            vec![op, sum]
        }
        _ => vec![op],
    };
    program.ops = program.ops.into_iter().flat_map(summed).collect();
    let sums = program.ops.iter().filter(|op| matches!(op, Op::AllReduce { .. })).count();
    assert!(sums > 3, "{sums} sums");
    Arc::new(program)
}

/// Whichever way sums are handed over, they are the same; and a rank that is lost in the middle of a step leaves nothing behind.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn every_way_of_handing_over_gives_the_same() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    let llama = Llama { layers: 2, ..Llama::default() };
    let limits = llama.limits(16, CacheType::F32);
    let batches = mixed_batches(&llama, limits);
    let program = with_sums(&llama);
    let results = |backend: &dyn Backend| -> Vec<Vec<f32>> {
        let mut session = open(backend, &program, limits);
        // Twice: flags are for steps whose kernels have run before.
        let step = |batch| {
            session.run(batch, &mut Twin(usize::MAX)).unwrap();
            session.run(batch, &mut Twin(usize::MAX)).unwrap();
            session.result().to_vec()
        };
        batches.iter().map(step).collect()
    };
    let expected = results(&Reference);
    for timing in backend.hand_overs() {
        println!("{timing}");
        if timing.found.is_err() {
            continue;
        }
        let backend = backend.clone().with_way(timing.way);
        let found = results(&backend);
        let tolerance = if backend.rounds_to_halves() { 1e-2 } else { 1e-3 };
        tandem_tensor::conformance::check(timing.way.name(), &found, &expected, tolerance);
        let mut session = open(&backend, &program, limits);
        assert!(session.exchanges_by().unwrap().contains(timing.way.name()));
        session.run(&batches[0], &mut Twin(usize::MAX)).unwrap();
        let lost = session.run(&batches[0], &mut Twin(2)).unwrap_err();
        assert_eq!(lost.reason, "gone");
        session.run(&batches[0], &mut Twin(usize::MAX)).unwrap();
        let found = [session.result().to_vec()];
        tandem_tensor::conformance::check(timing.way.name(), &found, &expected[..1], tolerance);
        drop(session);
    }
    assert!(backend.hand_overs().iter().any(|timing| timing.way == Way::Waited && timing.found.is_ok()));
}

/// Steps that are submitted in many pieces, alone and with others, give what whole ones give.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn pieces_give_what_whole_steps_give() {
    let llama = Llama { layers: 2, ..Llama::default() };
    let limits = llama.limits(16, CacheType::F32);
    let batches = mixed_batches(&llama, limits);
    let (program, summed) = (llama.program(), with_sums(&llama));
    let results = |backend: &dyn Backend| -> Vec<Vec<f32>> {
        let (mut session, mut sharing) = (open(backend, &program, limits), open(backend, &summed, limits));
        let step = |batch| {
            session.run(batch, &mut Alone).unwrap();
            sharing.run(batch, &mut Twin(usize::MAX)).unwrap();
            [session.result(), sharing.result()].concat()
        };
        batches.iter().map(step).collect()
    };
    let expected = results(&Reference);
    for way in [Way::Queued, Way::Polled, Way::Waited] {
        // One product each.
        let backend = GpuBackend::submitting(0, 1.0).expect("a GPU, or Mesa's software Vulkan").with_way(way);
        let tolerance = if backend.rounds_to_halves() { 1e-2 } else { 1e-3 };
        tandem_tensor::conformance::check(way.name(), &results(&backend), &expected, tolerance);
        feed_tokens(&backend);
    }
}

/// A stage before this one that has sent everything, each time other values. This one has one rank.
struct Before(usize);

impl Peers for Before {
    fn all_reduce(&mut self, _: &mut [f32]) -> Result<(), PeerLost> {
        Ok(())
    }

    fn send_next(&mut self, _: &[f32]) -> Result<(), PeerLost> {
        unreachable!("this is the last stage")
    }

    fn recv_previous(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        self.0 += 1;
        let value = |i: usize| ((i * 31 + self.0 * 17) % 97) as f32 / 97.0 - 0.5;
        values.iter_mut().enumerate().for_each(|(i, own)| *own = value(i));
        Ok(())
    }
}

/// What comes in twice without anything going out in between is taken before the next takes its place.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn handing_over_keeps_what_came_first() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    let llama = Llama::default();
    let limits = llama.limits(16, CacheType::F32);
    let batches = mixed_batches(&llama, limits);
    let mut program = (*llama.program()).clone();
    let (Op::Embed { out: x, .. }, Op::Norm { out, .. }) = (program.ops[0].clone(), &program.ops[1]) else {
        panic!("a model begins with other operators");
    };
    // The second is written over by the norm.
    let received = [Op::Recv { x }, Op::Recv { x: *out }];
    program.ops.splice(..1, received);
    let program = Arc::new(program);
    let results = |backend: &dyn Backend| -> Vec<Vec<f32>> {
        let (mut session, mut peers) = (open(backend, &program, limits), Before(0));
        let step = |batch| {
            session.run(batch, &mut peers).unwrap();
            session.result().to_vec()
        };
        batches.iter().map(step).collect()
    };
    let expected = results(&Reference);
    for timing in backend.hand_overs().into_iter().filter(|timing| timing.found.is_ok()) {
        let backend = backend.clone().with_way(timing.way);
        let tolerance = if backend.rounds_to_halves() { 1e-2 } else { 1e-3 };
        tandem_tensor::conformance::check(timing.way.name(), &results(&backend), &expected, tolerance);
    }
}

/// Adds as [`Twin`] does, and wants the values in memory that was lent.
struct Lending<'a>(&'a Mutex<Vec<Range<usize>>>);

impl Peers for Lending<'_> {
    fn all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        let at = values.as_ptr().addr();
        let lent = self.0.lock().unwrap();
        assert!(lent.iter().any(|range| range.contains(&at)), "{at:#x} is in none of {lent:x?}");
        Twin(1).all_reduce(values)
    }

    fn send_next(&mut self, _: &[f32]) -> Result<(), PeerLost> {
        unreachable!("there is one stage")
    }

    fn recv_previous(&mut self, _: &mut [f32]) -> Result<(), PeerLost> {
        unreachable!("there is one stage")
    }
}

/// What ranks exchange lies where their links send from, and goes back when the session ends.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn handing_over_happens_in_memory_that_is_lent() {
    let llama = Llama { layers: 2, ..Llama::default() };
    let limits = llama.limits(16, CacheType::F32);
    let (batches, program) = (mixed_batches(&llama, limits), with_sums(&llama));
    let mut reference = open(&Reference, &program, limits);
    for way in [Way::Polled, Way::Queued] {
        let lent = Arc::new(Mutex::new(Vec::new()));
        let (own, heard) = (own_lender(), Arc::clone(&lent));
        let lender: Lender = Arc::new(move |len| {
            let memory = own(len)?;
            let start = memory.start().as_ptr().addr();
            heard.lock().unwrap().push(start..start + len);
            Some(memory)
        });
        let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan").with_way(way);
        let backend = backend.with_lender(lender);
        let mut session = open(&backend, &program, limits);
        assert!(session.exchanges_by().unwrap().ends_with("in memory that links send from"));
        let tolerance = if backend.rounds_to_halves() { 1e-2 } else { 1e-3 };
        for batch in &batches {
            session.run(batch, &mut Lending(&lent)).unwrap();
            reference.run(batch, &mut Twin(usize::MAX)).unwrap();
            let (found, expected) = ([session.result().to_vec()], [reference.result().to_vec()]);
            tandem_tensor::conformance::check(way.name(), &found, &expected, tolerance);
        }
    }
}

/// A step after the device is lost is an error that names it, also where a step is under way.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn a_lost_device_is_an_error() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    let llama = Llama { layers: 1, ..Llama::default() };
    let limits = llama.limits(16, CacheType::F32);
    let batches = mixed_batches(&llama, limits);
    let mut session = open(&backend, &llama.program(), limits);
    session.start(&batches[0]).unwrap();
    backend.gpu().give_up();
    let lost = session
        .start(&batches[1])
        .and_then(|()| session.finish())
        .and_then(|()| session.finish())
        .unwrap_err();
    assert_eq!(lost.rank, PeerLost::ITSELF);
    assert!(lost.reason.contains(&backend.gpu().info.name), "{lost}");
    assert_eq!(lost.said_by(3).rank, 3);
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn a_device_does_without_what_was_left_out() {
    let folder = std::env::temp_dir().join(format!("tandem-without-{}", std::process::id()));
    let backend = GpuBackend::keeping(0, folder.clone()).expect("a GPU, or Mesa's software Vulkan");
    let paths = backend.fast_paths();
    let case = cases().into_iter().next().unwrap();
    let without = backend.without(&paths).unwrap();
    assert_eq!(without.fast_paths(), Vec::<&str>::new());
    case.run(&*without, 1e-2).unwrap();
    // Every process from now on.
    backend.leave_out(&paths).unwrap();
    let next = GpuBackend::keeping(0, folder.clone()).unwrap();
    assert_eq!(next.fast_paths(), Vec::<&str>::new());
    assert!(paths.iter().all(|path| next.name().contains(&format!("without {path}"))), "{}", next.name());
    std::fs::remove_dir_all(&folder).unwrap();
}
