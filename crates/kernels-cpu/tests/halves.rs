//! A batch run in two halves, one computing while the other's sum is made, gives the bits of one run.

use tandem_kernels_cpu::CpuBackend;
use tandem_tensor::conformance::{Chosen, Latent, Llama, Mixture, Sequences, open};
use tandem_tensor::{CacheType, DType, PeerLost, Peers, RopeStyle, Window};

/// Adds to what is summed, at once or in two acts, and counts both.
#[derive(Default)]
struct Counting {
    overlap: bool,
    begun: Option<Vec<f32>>,
    whole: usize,
    halves: usize,
    moved: usize,
    /// After so many sums nobody answers.
    lost_after: Option<usize>,
}

impl Counting {
    fn sum(&self, values: &mut [f32]) -> Result<(), PeerLost> {
        if self.lost_after == Some(self.whole + self.halves) {
            return Err(PeerLost { rank: 2, reason: "its cable was cut".into() });
        }
        values.iter_mut().for_each(|value| *value += 0.25);
        Ok(())
    }
}

impl Peers for Counting {
    fn all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        assert!(self.begun.is_none(), "another sum is under way");
        self.sum(values)?;
        self.whole += 1;
        Ok(())
    }

    fn overlaps(&self) -> bool {
        self.overlap
    }

    fn start_all_reduce(&mut self, values: &[f32]) -> Result<(), PeerLost> {
        assert!(self.begun.replace(values.to_vec()).is_none(), "another sum is under way");
        Ok(())
    }

    fn finish_all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        assert!(self.begun.take().unwrap() == values, "what is summed was changed meanwhile");
        self.sum(values)?;
        self.halves += 1;
        Ok(())
    }

    fn progress(&mut self) {
        assert!(self.begun.is_some(), "nothing is under way");
        self.moved += 1;
    }

    fn send_next(&mut self, _: &[f32]) -> Result<(), PeerLost> {
        unreachable!("the program sends nothing")
    }

    fn recv_previous(&mut self, _: &mut [f32]) -> Result<(), PeerLost> {
        unreachable!("the program receives nothing")
    }
}

#[test]
fn two_halves_give_the_bits_of_one_run() {
    let latent = Latent {
        latent_dim: 48,
        nope_dim: 16,
        rope_dim: 8,
        value_dim: 16,
        dtype: DType::F32,
        chosen: Some(Chosen { count: 60, heads: 6, key_dim: 19 }),
    };
    let models = [
        Llama { dtype: DType::Q4_0, qk_norm: true, bias: true, ..Llama::default() },
        Llama {
            window: Some(Window::Sliding(40)),
            sinks: true,
            rope: Some(RopeStyle::Halves),
            ..Llama::default()
        },
        Llama { mixture: Some(Mixture::default()), ..Llama::default() },
        Llama { latent: Some(latent), ..Llama::default() },
    ];
    for llama in models {
        let limits = llama.limits(16, CacheType::F16);
        let mut sequences = Sequences::new(3, &llama, limits);
        let batches = [
            sequences.batch(&[(0, 100)]),
            // The cut lies within the second span, which goes on with a sequence; then there is too little to divide.
            sequences.batch(&[(1, 30), (0, 79), (2, 1)]),
            sequences.batch(&[(0, 1), (1, 1)]),
        ];
        let results = |threads: usize, overlap: bool| {
            let mut session = open(&CpuBackend::new().with_threads(threads), &llama.program(), limits);
            let mut peers = Counting { overlap, ..Counting::default() };
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
            assert_eq!((peers.whole, peers.halves), (4, 16));
            assert!(peers.moved > peers.halves, "nobody moved what was under way");
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
            let mut peers = Counting { overlap: true, lost_after: Some(sums), ..Counting::default() };
            let lost = session.run(&batch, &mut peers).unwrap_err();
            assert_eq!((lost.rank, peers.halves), (2, sums));
        }
    }
}
