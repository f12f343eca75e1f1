//! A batch in two halves: one computes while the sums of the other travel.
//!
//! Ranks of a group may have different backends, and their sums match only if all divide the same batches at the same row. So
//! which batches those are, and where they are cut, is said here alone; which operators are run by halves, by [`Program::layers`].

use crate::{Batch, Peers, Program, Span};

/// Fewer rows than so many at a time do not pay for reading weights twice.
const HALF_MIN: usize = 32;
/// The second half begins at a multiple of this, which products like.
const GRAIN: usize = 16;

/// A batch in two parts. The first part's rows of a sequence come before the second's, so whoever runs a layer over the first part
/// first leaves the keys and states that the second looks for.
pub struct Halves {
    /// There are sums to hide.
    sums: bool,
    /// Tokens, spans and outputs of each part alone.
    pub parts: [Batch; 2],
}

impl Halves {
    pub fn new(program: &Program) -> Halves {
        Halves { sums: !program.layers().is_empty(), parts: Default::default() }
    }

    /// The most rows of each part of a batch of up to `tokens_max`. `None` where no such batch is divided.
    pub fn rows_max(program: &Program, tokens_max: usize) -> Option<[usize; 2]> {
        let divides = tokens_max / 2 >= HALF_MIN && !program.layers().is_empty();
        divides.then(|| [cut(tokens_max), tokens_max.div_ceil(2)])
    }

    /// Divide a batch, if it is to be run in halves.
    pub fn divide(&mut self, whole: &Batch, peers: &dyn Peers) -> bool {
        let divides = self.sums
            && whole.tokens.len() / 2 >= HALF_MIN
            // Rows that see each other are not divided.
            && whole.given.is_empty()
            && peers.overlaps();
        if divides {
            self.fill(whole);
        }
        divides
    }

    fn fill(&mut self, whole: &Batch) {
        let cut = cut(whole.tokens.len()) as u32;
        let [first, second] = &mut self.parts;
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
    }
}

/// Where the second part begins.
fn cut(tokens: usize) -> usize {
    (tokens / 2).next_multiple_of(GRAIN).min(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::Llama;
    use crate::{Alone, Given, Op, PeerLost};

    struct Overlapping;

    impl Peers for Overlapping {
        fn all_reduce(&mut self, _: &mut [f32]) -> Result<(), PeerLost> {
            Ok(())
        }

        fn overlaps(&self) -> bool {
            true
        }

        fn send_next(&mut self, _: &[f32]) -> Result<(), PeerLost> {
            Ok(())
        }

        fn recv_previous(&mut self, _: &mut [f32]) -> Result<(), PeerLost> {
            Ok(())
        }
    }

    fn span(rows: u32, start: u32, blocks: u32, window_blocks: u32, state_from: u32) -> Span {
        Span { rows, start, blocks, window_blocks, state: 4, state_from }
    }

    #[test]
    fn halves_divide_spans_and_keep_their_places() {
        let whole = Batch {
            tokens: (0..80).collect(),
            spans: vec![span(1, 9, 1, 1, 7), span(70, 20, 3, 2, 7), span(9, 0, 1, 1, 7)],
            blocks: vec![5, 6, 7, 8, 9],
            window_blocks: vec![1, 2, 3, 4],
            outputs: vec![0, 47, 48, 79],
            top: 3,
            ..Batch::default()
        };
        let mut halves = Halves::new(&Llama::default().program());
        assert!(halves.divide(&whole, &Overlapping));
        let [first, second] = &halves.parts;
        assert_eq!([&first.tokens[..], &second.tokens[..]].concat(), whole.tokens);
        assert_eq!(first.spans, [span(1, 9, 1, 1, 7), span(47, 20, 3, 2, 7)]);
        // What goes on takes its state from where the first half has left it.
        assert_eq!(second.spans, [span(23, 67, 3, 2, 4), span(9, 0, 1, 1, 7)]);
        assert_eq!((&first.blocks[..], &second.blocks[..]), (&[5, 6, 7, 8][..], &[6, 7, 8, 9][..]));
        assert_eq!(second.window_blocks, [2, 3, 4]);
        assert_eq!((&first.outputs[..], &second.outputs[..]), (&[0, 47][..], &[0, 31][..]));
    }

    #[test]
    fn some_batches_are_not_divided() {
        let program = Llama::default().program();
        let mut halves = Halves::new(&program);
        let batch = |tokens: u32| Batch {
            tokens: (0..tokens).collect(),
            spans: vec![span(tokens, 0, 1, 0, 4)],
            blocks: vec![0],
            ..Batch::default()
        };
        assert!(halves.divide(&batch(64), &Overlapping));
        assert!(!halves.divide(&batch(63), &Overlapping));
        assert!(!halves.divide(&batch(64), &Alone));
        let given = vec![Given { first: 3, rows: 2, values: None }];
        assert!(!halves.divide(&Batch { given, ..batch(64) }, &Overlapping));
        let mut alone = (*program).clone();
        alone.ops.retain(|op| !matches!(op, Op::AllReduce { .. }));
        assert!(!Halves::new(&alone).divide(&batch(64), &Overlapping));
        assert_eq!((Halves::rows_max(&alone, 64), Halves::rows_max(&program, 63)), (None, None));
        for tokens_max in 64..200 {
            let most = Halves::rows_max(&program, tokens_max).unwrap();
            for tokens in 64..=tokens_max {
                assert!(cut(tokens) <= most[0] && tokens - cut(tokens) <= most[1]);
            }
        }
    }

    #[test]
    fn layers_end_in_their_last_sum() {
        let program = Llama::default().program();
        let layers = program.layers();
        let is_sum = |op: &Op| matches!(op, Op::AllReduce { .. });
        assert!(matches!(program.ops[layers.start - 1], Op::Embed { .. }));
        assert!(is_sum(&program.ops[layers.end - 1]));
        assert!(!program.ops[layers.end..].iter().any(is_sum));
        // The sum after the embedding is not theirs.
        let mut divided = (*program).clone();
        let Some(Op::Embed { out, .. }) = divided.ops.first().cloned() else { panic!("an embedding") };
        divided.ops.insert(1, Op::AllReduce { x: out });
        assert_eq!(divided.layers(), layers.start + 1..layers.end + 1);
        // A stage's layers are what comes between others.
        divided.ops[0] = Op::Recv { x: out };
        divided.ops.remove(1);
        divided.ops.push(Op::Send { x: out });
        assert_eq!(divided.layers(), layers);
    }
}
