//! Whole small programs against the naive backend, on this machine's GPU or on a software one.

use std::sync::Arc;
use std::time::Instant;

use tandem_kernels_gpu::{GpuBackend, Way};
use tandem_tensor::conformance::{Case, Llama, Precision, Sequences, cases, mixed_batches, open, run};
use tandem_tensor::{Backend, Batch, CacheType, Draw, Op, PeerLost, Peers, Reference};

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
    check_on(&backend, |case| part(case) == wanted, tolerance);
}

fn check_on(backend: &GpuBackend, wanted: impl Fn(&Case) -> bool, tolerance: impl Fn(&Case) -> f32) {
    let only = std::env::var("TANDEM_CASE").unwrap_or_default();
    let mut failed = Vec::new();
    for case in cases().into_iter().filter(|case| wanted(case) && case.name.contains(&only)) {
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

/// Kernels with cooperative matrices, which software Vulkan has not: products in tiles, whole and divided, and attention.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn cooperative_matrices() {
    let backend = GpuBackend::with_emulated_matrices(0).expect("a GPU, or Mesa's software Vulkan");
    // The others take longer to compile.
    let wanted = ["long, F16 cache", "weights of Q4_0"];
    // Activations are half floats in such products.
    let tolerance = |case: &Case| case.precision.tolerance().max(1e-2);
    check_on(&backend, |case| wanted.contains(&case.name.as_str()), tolerance);
}

/// Scores so far apart that what attention has added up must be scaled again, with sinks and without.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn later_keys_with_higher_scores() {
    let backend = GpuBackend::with_emulated_matrices(0).expect("a GPU, or Mesa's software Vulkan");
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

/// Batches whose tokens the batch before gives, begun before that one is finished.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn tokens_are_fed_on_the_device() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
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
    let mut session = open(&backend, &program, limits);
    let mut expected: Vec<Vec<u32>> = Vec::new();
    for (at, batch) in batches.iter().enumerate() {
        let mut batch = batch.clone();
        if let Some(last) = expected.last() {
            // The first batch has the sequences the other way around.
            batch.tokens = if at == 1 { vec![last[1], last[0]] } else { last.clone() };
        }
        expected.push(largest(&run(&mut *session, &[batch])[0]));
    }
    let mut session = open(&backend, &program, limits);
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

/// Whichever way sums are handed over, they are the same; and a rank that is lost in the middle of a step leaves nothing behind.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn every_way_of_handing_over_gives_the_same() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    let llama = Llama { layers: 2, ..Llama::default() };
    let limits = llama.limits(16, CacheType::F32);
    let batches = mixed_batches(&llama, limits);
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
    let program = Arc::new(program);
    let results = |backend: &dyn Backend| -> Vec<Vec<f32>> {
        let mut session = open(backend, &program, limits);
        let step = |batch| {
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
        tandem_tensor::conformance::check(timing.way.name(), &found, &expected, 1e-3);
        let mut session = open(&backend, &program, limits);
        assert!(session.exchanges_by().unwrap().contains(timing.way.name()));
        let lost = session.run(&batches[0], &mut Twin(2)).unwrap_err();
        assert_eq!(lost.reason, "gone");
        drop(session);
    }
    assert!(backend.hand_overs().iter().any(|timing| timing.way == Way::Waited && timing.found.is_ok()));
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
