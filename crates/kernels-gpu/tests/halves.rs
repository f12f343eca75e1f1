//! A batch run in two halves, the device computing one while the other's sum is made, gives what one run gives.

use tandem_kernels_gpu::{GpuBackend, Way};
use tandem_tensor::conformance::{
    Act, Adding, Llama, Precision, Sequences, check, halved_batches, halved_models, open,
};
use tandem_tensor::{Backend, CacheType, DType, Limits, Op};

fn backend() -> GpuBackend {
    GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan")
}

/// The ways that the device has.
fn ways(backend: &GpuBackend) -> Vec<Way> {
    let found = backend.hand_overs().into_iter().filter(|timing| timing.found.is_ok());
    found.map(|timing| timing.way).collect()
}

fn results(backend: &GpuBackend, llama: &Llama, overlap: bool) -> (Vec<Vec<f32>>, Adding) {
    let limits = llama.limits(16, CacheType::F16);
    let mut session = open(backend, &llama.program(), limits);
    assert!(session.runs_in_halves());
    let mut peers = Adding { overlap, ..Adding::default() };
    let step = |batch| {
        session.run(batch, &mut peers).unwrap();
        session.result().to_vec()
    };
    let results = halved_batches(llama, limits).iter().map(step).collect();
    (results, peers)
}

/// Two sums in each of two layers, of both halves in turns.
fn in_turns(rows: [usize; 2], width: usize) -> impl Iterator<Item = (Act, usize)> {
    let layer =
        rows.into_iter().flat_map(move |rows| [Act::Start, Act::Finish].map(|act| (act, rows * width)));
    std::iter::repeat_n(layer, 4).flatten()
}

fn tolerance(llama: &Llama, backend: &GpuBackend) -> f32 {
    let precision = match llama.dtype {
        DType::F32 if backend.rounds_to_halves() => Precision::Half,
        DType::F32 => Precision::Float,
        _ => Precision::EightBits,
    };
    precision.tolerance()
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn two_halves_give_what_one_run_gives() {
    let backend = backend();
    let ways = ways(&backend);
    assert!(ways.contains(&Way::Waited), "{ways:?}");
    for (at, llama) in halved_models().iter().enumerate() {
        // One model on every way, the others on that of each lane.
        let wanted = |way: &&Way| at == 0 || [Way::Polled, Way::Waited].contains(way);
        for way in ways.iter().filter(wanted) {
            let backend = backend.clone().with_way(*way);
            let (expected, whole) = results(&backend, llama, false);
            let (found, halves) = results(&backend, llama, true);
            let (name, most) = (format!("{} {llama:?}", way.name()), tolerance(llama, &backend));
            // Both are so long that the same kernels are taken; in the others activations may be rounded more coarsely in halves.
            check(&name, &found[..1], &expected[..1], if backend.rounds_to_halves() { 1e-2 } else { 1e-4 });
            check(&name, &found, &expected, most);
            assert!(whole.seen.iter().all(|(act, _)| *act == Act::Sum), "{way:?}");
            let sums = (Act::Sum, 2 * llama.hidden);
            let expected: Vec<_> = in_turns([96, 74], llama.hidden)
                .chain(in_turns([64, 46], llama.hidden))
                .chain([sums; 4])
                .collect();
            assert_eq!(halves.seen, expected, "{way:?}");
        }
    }
}

/// Both halves expand their matrices in the same place.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn halves_with_cooperative_matrices() {
    let backend = GpuBackend::with_emulated_matrices(0, 16).expect("a GPU, or Mesa's software Vulkan");
    // They take long.
    let [llama, ..] = halved_models();
    let llama = Llama { layers: 1, hidden: 128, ffn: 128, ..llama };
    let limits = llama.limits(16, CacheType::F16);
    let batch = Sequences::new(1, &llama, limits).batch(&[(0, 140)]);
    let found = [false, true].map(|overlap| {
        let mut session = open(&backend, &llama.program(), limits);
        let mut peers = Adding { overlap, ..Adding::default() };
        session.run(&batch, &mut peers).unwrap();
        assert_eq!(peers.count(Act::Finish), if overlap { 4 } else { 0 });
        session.result().to_vec()
    });
    check("cooperative matrices", &found[..1], &found[1..], 1e-2);
}

/// A peer lost at any sum ends the step with that error. The session can go on, and be dropped.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn a_peer_lost_between_halves_ends_the_step() {
    let backend = backend();
    let llama = Llama::default();
    let limits = llama.limits(16, CacheType::F32);
    let batch = Sequences::new(1, &llama, limits).batch(&[(0, 80)]);
    for way in ways(&backend) {
        let backend = backend.clone().with_way(way);
        let mut session = open(&backend, &llama.program(), limits);
        let mut overlapping = Adding { overlap: true, ..Adding::default() };
        session.run(&batch, &mut overlapping).unwrap();
        let expected = [session.result().to_vec()];
        for sums in 0..8 {
            let mut peers = Adding { overlap: true, lost_after: Some(sums), ..Adding::default() };
            let lost = session.run(&batch, &mut peers).unwrap_err();
            assert_eq!((lost.rank, peers.count(Act::Finish)), (2, sums), "{way:?}");
        }
        session.run(&batch, &mut overlapping).unwrap();
        assert!([session.result().to_vec()] == expected, "{way:?}");
        // What is left of a step goes with the session.
        let mut peers = Adding { overlap: true, lost_after: Some(3), ..Adding::default() };
        session.run(&batch, &mut peers).unwrap_err();
    }
}

/// What the second half takes is counted before it is taken, and only where something can be divided.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn halves_are_counted() {
    let backend = backend();
    let llama = Llama::default();
    let limits = llama.limits(16, CacheType::F32);
    let program = llama.program();
    let mut alone = (*program).clone();
    alone.ops.retain(|op| !matches!(op, Op::AllReduce { .. }));
    let scratch = |program, tokens_max| backend.footprint(program, &Limits { tokens_max, ..limits }).scratch;
    assert!(scratch(&program, 512) > scratch(&alone, 512) * 5 / 4);
    assert!(scratch(&program, 512) < scratch(&alone, 512) * 2);
    assert_eq!(scratch(&program, 63), scratch(&alone, 63));
}
