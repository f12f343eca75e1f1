//! A batch run in two halves, one computing while the other's sum is made, gives the bits of one run.

use tandem_kernels_cpu::CpuBackend;
use tandem_tensor::CacheType;
use tandem_tensor::conformance::{Act, Adding, Llama, Sequences, halved_batches, halved_models, open};

#[test]
fn two_halves_give_the_bits_of_one_run() {
    for llama in halved_models() {
        let limits = llama.limits(16, CacheType::F16);
        let batches = halved_batches(&llama, limits);
        let results = |threads: usize, overlap: bool| {
            let mut session = open(&CpuBackend::new().with_threads(threads), &llama.program(), limits);
            let mut peers = Adding { overlap, ..Adding::default() };
            let results: Vec<Vec<f32>> = batches
                .iter()
                .map(|batch| {
                    session.run(batch, &mut peers).unwrap();
                    session.result().to_vec()
                })
                .collect();
            (results, peers)
        };
        let (expected, _) = results(1, false);
        for threads in [1, 3] {
            let (found, peers) = results(threads, true);
            assert!(found == expected, "{threads} threads, {llama:?}");
            // Two layers of two sums; in the last batch nothing is divided.
            assert_eq!((peers.count(Act::Sum), peers.count(Act::Finish)), (4, 16));
            assert!(peers.moved > 16, "nobody moved what was under way");
        }
    }
}

#[test]
fn a_peer_lost_between_halves_ends_the_step() {
    let llama = Llama::default();
    let limits = llama.limits(16, CacheType::F32);
    let batch = Sequences::new(1, &llama, limits).batch(&[(0, 80)]);
    for threads in [1, 3] {
        for sums in 0..8 {
            let mut session = open(&CpuBackend::new().with_threads(threads), &llama.program(), limits);
            let mut peers = Adding { overlap: true, lost_after: Some(sums), ..Adding::default() };
            let lost = session.run(&batch, &mut peers).unwrap_err();
            assert_eq!((lost.rank, peers.count(Act::Finish)), (2, sums));
        }
    }
}
