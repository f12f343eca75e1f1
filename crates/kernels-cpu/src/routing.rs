//! Which rows of a step go through which experts.
//!
//! [`Router`] chooses experts for one row; [`Assignment`] sorts all rows' choices by expert, so that an expert's
//! weights are read once for all rows that want it.

use std::ops::Range;

use tandem_tensor::{Routing, Score};

use crate::matrix::{Inputs, TILE};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub(crate) struct Choice {
    pub expert: u32,
    pub weight: f32,
}

/// One thread's working memory for choosing.
pub(crate) struct Router {
    probabilities: Vec<f32>,
    /// The same with the bias, and without the groups that do not take part.
    ranking: Vec<f32>,
    group_scores: Vec<f32>,
    best_groups: Vec<usize>,
    best: Vec<usize>,
}

impl Router {
    /// For at most so many experts.
    pub(crate) fn new(experts: usize) -> Router {
        let floats = || Vec::with_capacity(experts);
        let indices = || Vec::with_capacity(experts);
        Router {
            probabilities: floats(),
            ranking: floats(),
            group_scores: floats(),
            best_groups: indices(),
            best: indices(),
        }
    }

    pub(crate) const fn bytes(experts: usize) -> usize {
        experts * (3 * size_of::<f32>() + 2 * size_of::<usize>())
    }

    /// Fill `out`, `routing.used` long, with the choices of a row with these logits.
    pub(crate) fn choose(
        &mut self,
        routing: &Routing,
        [bias, scales]: [Option<&[f32]>; 2],
        logits: &[f32],
        out: &mut [Choice],
    ) {
        self.probabilities.clear();
        self.probabilities.extend_from_slice(logits);
        match routing.score {
            Score::Softmax => softmax(&mut self.probabilities),
            Score::SqrtSoftplus => {
                let softplus = |x: f32| x.max(0.0) + (-x.abs()).exp().ln_1p();
                self.probabilities.iter_mut().for_each(|x| *x = softplus(*x).sqrt());
            }
            Score::Sigmoid => self.probabilities.iter_mut().for_each(|x| *x = 1.0 / (1.0 + (-*x).exp())),
            Score::SoftmaxOfChosen => {}
        }
        self.ranking.clear();
        self.ranking.extend_from_slice(&self.probabilities);
        if let Some(bias) = bias {
            self.ranking.iter_mut().zip(bias).for_each(|(x, b)| *x += b);
        }
        if let Some(groups) = routing.groups {
            let len = logits.len() / groups.count;
            self.group_scores.clear();
            for group in self.ranking.chunks_exact(len) {
                best(group, groups.best, &mut self.best);
                self.group_scores.push(self.best.iter().map(|expert| group[*expert]).sum());
            }
            best(&self.group_scores, groups.used, &mut self.best_groups);
            for (index, group) in self.ranking.chunks_exact_mut(len).enumerate() {
                if !self.best_groups.contains(&index) {
                    group.fill(f32::NEG_INFINITY);
                }
            }
        }
        best(&self.ranking, routing.used, &mut self.best);
        // What was chosen is known; the room of the ranking serves for the weights.
        let weights = &mut self.ranking;
        weights.clear();
        weights.extend(self.best.iter().map(|expert| self.probabilities[*expert]));
        if routing.score == Score::SoftmaxOfChosen {
            softmax(weights);
        }
        let sum = if routing.normalise { weights.iter().sum() } else { 1.0 };
        for ((out, expert), weight) in out.iter_mut().zip(&self.best).zip(weights) {
            let scale = scales.map_or(1.0, |scales| scales[*expert]);
            *out = Choice { expert: *expert as u32, weight: *weight / sum * routing.scale * scale };
        }
    }
}

fn softmax(x: &mut [f32]) {
    let max = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    x.iter_mut().for_each(|x| *x = (*x - max).exp());
    let sum = x.iter().sum::<f32>();
    x.iter_mut().for_each(|x| *x /= sum);
}

/// The indices of the `count` largest values, best first; of equal ones the lower index.
fn best(values: &[f32], count: usize, out: &mut Vec<usize>) {
    out.clear();
    for (index, value) in values.iter().enumerate() {
        let better = |at: &usize| value.total_cmp(&values[*at]).is_gt();
        if out.len() == count && !out.last().is_some_and(better) {
            continue;
        }
        let place = out.iter().position(better).unwrap_or(out.len());
        if out.len() == count {
            out.pop();
        }
        out.insert(place, index);
    }
}

/// The rows of a step, sorted by the experts they go through.
pub(crate) struct Assignment {
    /// One per row and chosen expert: by expert, then by row.
    pub pairs: Vec<Pair>,
    /// The experts that somebody chose, ascending.
    pub groups: Vec<Group>,
    /// Where an expert's next pair goes.
    next: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pair {
    pub row: usize,
    pub weight: f32,
}

/// The rows of one expert.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub expert: usize,
    /// In [`Assignment::pairs`].
    pub pairs: Range<usize>,
    /// The room that the groups before take in a buffer of inputs (see [`Inputs::room`]).
    pub before: usize,
}

impl Assignment {
    /// For at most `pairs` choices among `experts`.
    pub(crate) fn new(experts: usize, pairs: usize) -> Assignment {
        Assignment {
            pairs: vec![Pair::default(); pairs],
            groups: Vec::with_capacity(experts.min(pairs)),
            next: Vec::with_capacity(experts),
        }
    }

    pub(crate) const fn bytes(experts: usize, pairs: usize) -> usize {
        pairs * size_of::<Pair>() + experts * (size_of::<Group>() + size_of::<usize>())
    }

    /// The most room that the inputs of `pairs` rows of `experts` groups can take.
    pub(crate) const fn room_max(experts: usize, pairs: usize) -> usize {
        // A group is padded to less than twice its rows, and by less than a tile.
        let (double, tiles) = (2 * pairs, pairs + experts * (TILE - 1));
        if double < tiles { double } else { tiles }
    }

    /// `choices` are `used` for each row.
    pub(crate) fn fill(&mut self, experts: usize, used: usize, choices: &[Choice]) {
        self.next.clear();
        self.next.resize(experts, 0);
        choices.iter().for_each(|choice| self.next[choice.expert as usize] += 1);
        self.groups.clear();
        let (mut first, mut before) = (0, 0);
        for (expert, next) in self.next.iter_mut().enumerate() {
            let count = std::mem::replace(next, first);
            if count > 0 {
                self.groups.push(Group { expert, pairs: first..first + count, before });
                before += Inputs::room(count);
                first += count;
            }
        }
        for (index, choice) in choices.iter().enumerate() {
            let next = &mut self.next[choice.expert as usize];
            self.pairs[*next] = Pair { row: index / used, weight: choice.weight };
            *next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_found_in_order() {
        let mut found = Vec::with_capacity(8);
        for (values, count, expected) in [
            (&[1.0, 3.0, 2.0][..], 2, &[1, 2][..]),
            (&[1.0, 1.0, 1.0, 2.0], 3, &[3, 0, 1]),
            (&[f32::NEG_INFINITY; 3], 2, &[0, 1]),
            (&[f32::NAN, 5.0, -1.0], 2, &[0, 1]),
            (&[4.0, 3.0], 2, &[0, 1]),
        ] {
            best(values, count, &mut found);
            assert_eq!(found, expected, "{values:?}");
        }
    }

    #[test]
    fn rows_are_sorted_by_expert() {
        let choice = |expert, weight| Choice { expert, weight };
        let choices = [choice(5, 0.1), choice(0, 0.2), choice(2, 0.3), choice(5, 0.4)];
        let mut assignment = Assignment::new(6, 4);
        assignment.fill(6, 2, &choices);
        let found: Vec<_> = assignment.groups.iter().map(|g| (g.expert, g.pairs.clone(), g.before)).collect();
        assert_eq!(found, [(0, 0..1, 0), (2, 1..2, 1), (5, 2..4, 2)]);
        let found: Vec<_> = assignment.pairs.iter().map(|pair| (pair.row, pair.weight)).collect();
        assert_eq!(found, [(0, 0.2), (1, 0.3), (0, 0.1), (1, 0.4)]);
    }

    #[test]
    fn no_sizes_of_groups_take_more_room_than_planned() {
        for sizes in [&[1, 2, 3, 5, 9, 15, 16, 17, 33][..], &[17; 4], &[1; 20], &[9; 8], &[200]] {
            let room: usize = sizes.iter().map(|n| Inputs::room(*n)).sum();
            assert!(room <= Assignment::room_max(sizes.len(), sizes.iter().sum()), "{sizes:?}");
        }
    }
}
