//! The rows that a walk through a step is about: all of a batch, or a half of it.

use tandem_tensor::{Batch, Halves, Peers, Program, Rows};

use crate::tiling::Tiling;

/// Consecutive rows of a step's buffers.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    /// Tokens, spans and outputs of these rows alone.
    pub batch: &'a Batch,
    pub tilings: &'a [Tiling],
    /// Where they begin in buffers of tokens, and of outputs.
    pub first_token: usize,
    pub first_output: usize,
}

impl View<'_> {
    pub(crate) fn rows(&self, rows: Rows) -> usize {
        match rows {
            Rows::Tokens => self.batch.tokens.len(),
            Rows::Outputs => self.batch.outputs.len(),
        }
    }

    pub(crate) fn first(&self, rows: Rows) -> usize {
        match rows {
            Rows::Tokens => self.first_token,
            Rows::Outputs => self.first_output,
        }
    }
}

/// A batch in two parts, with what attention needs of each.
pub(crate) struct ViewedHalves {
    halves: Halves,
    tilings: [Vec<Tiling>; 2],
}

impl ViewedHalves {
    pub(crate) fn new(program: &Program, groups: &[usize], tokens_max: usize) -> ViewedHalves {
        let tilings = || groups.iter().map(|group| Tiling::new(*group, tokens_max)).collect();
        ViewedHalves { halves: Halves::new(program), tilings: [tilings(), tilings()] }
    }

    /// Divide a batch, if it is to be run in halves.
    pub(crate) fn divide(&mut self, whole: &Batch, peers: &dyn Peers) -> bool {
        let divides = self.halves.divide(whole, peers);
        if divides {
            for (tilings, batch) in self.tilings.iter_mut().zip(&self.halves.parts) {
                tilings.iter_mut().for_each(|tiling| tiling.fill(batch));
            }
        }
        divides
    }

    pub(crate) fn views(&self) -> [View<'_>; 2] {
        let [first, second] = &self.halves.parts;
        let [first_tilings, second_tilings] = &self.tilings;
        [
            View { batch: first, tilings: first_tilings, first_token: 0, first_output: 0 },
            View {
                batch: second,
                tilings: second_tilings,
                first_token: first.tokens.len(),
                first_output: first.outputs.len(),
            },
        ]
    }
}
