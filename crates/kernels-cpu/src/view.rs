//! The rows that a walk through a step is about: all of a batch, or a half of it.

use tandem_tensor::{Batch, Rows, Span};

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

/// Rows of a half begin at multiples of this, which products like.
const GRAIN: usize = 16;

/// A batch in two parts. The first part's rows of a sequence come before the second's, so whoever runs a layer over the first part
/// first leaves the keys that the second looks for.
pub(crate) struct Halves {
    batches: [Batch; 2],
    tilings: [Vec<Tiling>; 2],
}

impl Halves {
    pub(crate) fn new(groups: &[usize], tokens_max: usize) -> Halves {
        let tilings = || groups.iter().map(|group| Tiling::new(*group, tokens_max)).collect();
        Halves { batches: Default::default(), tilings: [tilings(), tilings()] }
    }

    pub(crate) fn fill(&mut self, whole: &Batch) {
        let cut = (whole.tokens.len() / 2).next_multiple_of(GRAIN).min(whole.tokens.len()) as u32;
        let [first, second] = &mut self.batches;
        first.clear();
        second.clear();
        first.tokens.extend_from_slice(&whole.tokens[..cut as usize]);
        second.tokens.extend_from_slice(&whole.tokens[cut as usize..]);
        let (mut row, mut blocks, mut window_blocks) = (0, &whole.blocks[..], &whole.window_blocks[..]);
        for span in &whole.spans {
            let (own, rest) = blocks.split_at(span.blocks as usize);
            let (own_window, window_rest) = window_blocks.split_at(span.window_blocks as usize);
            let before = cut.saturating_sub(row).min(span.rows);
            for (part, rows, start) in
                [(&mut *first, before, span.start), (&mut *second, span.rows - before, span.start + before)]
            {
                if rows > 0 {
                    // The second part goes on from what the first left.
                    let state_from = if start == span.start { span.state_from } else { span.state };
                    part.spans.push(Span { rows, start, state_from, ..*span });
                    part.blocks.extend_from_slice(own);
                    part.window_blocks.extend_from_slice(own_window);
                }
            }
            (row, blocks, window_blocks) = (row + span.rows, rest, window_rest);
        }
        for &output in &whole.outputs {
            match output.checked_sub(cut) {
                None => first.outputs.push(output),
                Some(output) => second.outputs.push(output),
            }
        }
        for (tilings, batch) in self.tilings.iter_mut().zip(&self.batches) {
            tilings.iter_mut().for_each(|tiling| tiling.fill(batch));
        }
    }

    pub(crate) fn views(&self) -> [View<'_>; 2] {
        let [first, second] = &self.batches;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_divide_spans_and_keep_their_places() {
        let span = |rows, start, blocks, window_blocks| Span {
            rows,
            start,
            blocks,
            window_blocks,
            state: 0,
            state_from: 0,
        };
        let whole = Batch {
            tokens: (0..80).collect(),
            spans: vec![span(1, 9, 1, 1), span(70, 20, 3, 2), span(9, 0, 1, 1)],
            blocks: vec![5, 6, 7, 8, 9],
            window_blocks: vec![1, 2, 3, 4],
            outputs: vec![0, 47, 48, 79],
            top: 3,
            ..Batch::default()
        };
        let mut halves = Halves::new(&[4], 128);
        halves.fill(&whole);
        let [first, second] = halves.views();
        assert_eq!((first.first_token, second.first_token, second.first_output), (0, 48, 2));
        assert_eq!([&first.batch.tokens[..], &second.batch.tokens[..]].concat(), whole.tokens);
        assert_eq!(first.batch.spans, [span(1, 9, 1, 1), span(47, 20, 3, 2)]);
        assert_eq!(second.batch.spans, [span(23, 67, 3, 2), span(9, 0, 1, 1)]);
        assert_eq!(
            (&first.batch.blocks[..], &second.batch.blocks[..]),
            (&[5, 6, 7, 8][..], &[6, 7, 8, 9][..])
        );
        assert_eq!(second.batch.window_blocks, [2, 3, 4]);
        assert_eq!((&first.batch.outputs[..], &second.batch.outputs[..]), (&[0, 47][..], &[0, 31][..]));
    }
}
