//! Batches that run in two halves, and peers that see how their sums are made.

use super::{Chosen, Latent, Llama, Mixture, Sequences};
use crate::{Batch, DType, Limits, PeerLost, Peers, RopeStyle, Window};

/// Models of two layers with two sums each.
pub fn halved_models() -> [Llama; 4] {
    let latent = Latent {
        latent_dim: 48,
        nope_dim: 16,
        rope_dim: 8,
        value_dim: 16,
        dtype: DType::F32,
        chosen: Some(Chosen { count: 60, heads: 6, key_dim: 19, tied: false }),
    };
    [
        Llama { dtype: DType::Q4_0, qk_norm: true, bias: true, ..Llama::default() },
        Llama {
            window: Some(Window::Sliding(40)),
            sinks: true,
            rope: Some(RopeStyle::Halves),
            ..Llama::default()
        },
        Llama { mixture: Some(Mixture::default()), ..Llama::default() },
        Llama { latent: Some(latent), ..Llama::default() },
    ]
}

/// Two batches that are divided, and one with too little to divide. In the second, the cut lies within the second span, which goes on
/// with a sequence.
pub fn halved_batches(llama: &Llama, limits: Limits) -> [Batch; 3] {
    let mut sequences = Sequences::new(3, llama, limits);
    [&[(0, 170)][..], &[(1, 30), (0, 79), (2, 1)], &[(0, 1), (1, 1)]].map(|rows| sequences.batch(rows))
}

/// Adds to what is summed, at once or in two acts, and keeps what was asked of it, in order.
#[derive(Default)]
pub struct Adding {
    pub overlap: bool,
    /// After so many sums nobody answers.
    pub lost_after: Option<usize>,
    /// With how many values.
    pub seen: Vec<(Act, usize)>,
    /// How often what was under way was moved.
    pub moved: usize,
    /// What is under way.
    pub begun: Option<Vec<f32>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Sum,
    Start,
    Finish,
}

impl Adding {
    pub fn count(&self, act: Act) -> usize {
        self.seen.iter().filter(|(seen, _)| *seen == act).count()
    }

    fn sum(&mut self, act: Act, values: &mut [f32]) -> Result<(), PeerLost> {
        if self.lost_after == Some(self.count(Act::Sum) + self.count(Act::Finish)) {
            return Err(PeerLost { rank: 2, reason: "its cable was cut".into() });
        }
        values.iter_mut().for_each(|value| *value += 0.25);
        self.seen.push((act, values.len()));
        Ok(())
    }
}

impl Peers for Adding {
    fn all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        assert!(self.begun.is_none(), "another sum is under way");
        self.sum(Act::Sum, values)
    }

    fn overlaps(&self) -> bool {
        self.overlap
    }

    fn start_all_reduce(&mut self, values: &[f32]) -> Result<(), PeerLost> {
        assert!(self.begun.replace(values.to_vec()).is_none(), "another sum is under way");
        self.seen.push((Act::Start, values.len()));
        Ok(())
    }

    fn finish_all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        assert!(self.begun.take().unwrap() == values, "what is summed was changed meanwhile");
        self.sum(Act::Finish, values)
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
