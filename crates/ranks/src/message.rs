//! What the leader tells the others: the next batch, or to stop.
//!
//! One message of [`FIRST_BYTES`] carries a whole decode step; a longer batch continues in a second.

use tandem_tensor::{Batch, Draw, Given, Span};

/// The size of the first message.
pub const FIRST_BYTES: usize = 4096;
/// Kind, total words, the lengths of the batch's seven lists, how many values of a result are wanted, and whether hidden states are.
const HEADER: usize = 11;
/// Of a span.
const SPAN: usize = 6;
/// Of a draw.
const DRAW: usize = 5;
/// Of rows that are given, which come in by the leader: the others hear which they are.
const GIVEN: usize = 2;

const RUN: u32 = 1;
const STOP: u32 = 2;

/// Write a batch; returns the bytes used.
pub fn write_batch(batch: &Batch, words: &mut [u32]) -> usize {
    let blocks = [batch.blocks.len(), batch.window_blocks.len()];
    // Where tokens are named, all values travel.
    let (top, draws) =
        if batch.named.is_empty() { (batch.top, batch.draws.as_slice()) } else { (0, &[][..]) };
    let lens = [
        batch.tokens.len(),
        batch.spans.len(),
        blocks[0],
        blocks[1],
        batch.outputs.len(),
        draws.len(),
        batch.given.len(),
    ];
    let of_lists = [1, SPAN, 1, 1, 1, DRAW, GIVEN];
    let total = HEADER + lens.iter().zip(of_lists).map(|(len, words)| len * words).sum::<usize>();
    words[0] = RUN;
    words[1] = total as u32;
    words[2..9].copy_from_slice(&lens.map(|len| len as u32));
    words[9] = top;
    words[10] = u32::from(batch.hidden);
    let mut rest = &mut words[HEADER..total];
    let mut put = |values: &[u32]| {
        let (front, back) = std::mem::take(&mut rest).split_at_mut(values.len());
        front.copy_from_slice(values);
        rest = back;
    };
    put(&batch.tokens);
    for span in &batch.spans {
        put(&[span.rows, span.start, span.blocks, span.window_blocks, span.state, span.state_from]);
    }
    put(&batch.blocks);
    put(&batch.window_blocks);
    put(&batch.outputs);
    for Draw { temperature, seed, position } in draws {
        let halves = |long: u64| [long as u32, (long >> 32) as u32];
        let ([seed_low, seed_high], [low, high]) = (halves(*seed), halves(*position));
        put(&[temperature.to_bits(), seed_low, seed_high, low, high]);
    }
    for given in &batch.given {
        put(&[given.first, given.rows]);
    }
    total * 4
}

pub fn write_stop(words: &mut [u32]) {
    words[0] = STOP;
    words[1] = HEADER as u32;
}

/// The most words a batch within these limits takes.
pub fn batch_words(tokens: usize, spans: usize, blocks: usize, outputs: usize) -> usize {
    HEADER + (1 + GIVEN) * tokens + SPAN * spans + blocks + (1 + DRAW) * outputs
}

pub enum Order {
    Run,
    Stop,
}

/// What the first message asks for, and how many bytes the whole has. `None` for anything but what is written above.
pub fn read_header(words: &[u32]) -> Option<(Order, usize)> {
    let order = match words[0] {
        RUN => Order::Run,
        STOP => Order::Stop,
        _ => return None,
    };
    Some((order, words[1] as usize * 4))
}

/// Read a whole batch message. `None` where the lengths disagree.
pub fn read_batch(words: &[u32], batch: &mut Batch) -> Option<()> {
    batch.clear();
    let lens: [usize; 7] = std::array::from_fn(|i| words[2 + i] as usize);
    batch.top = words[9];
    batch.hidden = words[10] != 0;
    let [tokens, spans, blocks, window_blocks, outputs, draws, given] = lens;
    let mut rest = words.get(HEADER..)?;
    let mut take = |len: usize| {
        let front;
        (front, rest) = rest.split_at_checked(len)?;
        Some(front)
    };
    batch.tokens.extend_from_slice(take(tokens)?);
    let span = |words: &[u32; SPAN]| {
        let [rows, start, blocks, window_blocks, state, state_from] = *words;
        Span { rows, start, blocks, window_blocks, state, state_from }
    };
    batch.spans.extend(take(spans.checked_mul(SPAN)?)?.as_chunks().0.iter().map(span));
    batch.blocks.extend_from_slice(take(blocks)?);
    batch.window_blocks.extend_from_slice(take(window_blocks)?);
    batch.outputs.extend_from_slice(take(outputs)?);
    let draw = |words: &[u32; DRAW]| {
        let long = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let [temperature, seed_low, seed_high, low, high] = *words;
        let (seed, position) = (long(seed_low, seed_high), long(low, high));
        Draw { temperature: f32::from_bits(temperature), seed, position }
    };
    batch.draws.extend(take(draws.checked_mul(DRAW)?)?.as_chunks().0.iter().map(draw));
    let run = |&[first, rows]: &[u32; GIVEN]| Given { first, rows, values: None };
    batch.given.extend(take(given.checked_mul(GIVEN)?)?.as_chunks().0.iter().map(run));
    if draws != 0 && draws != outputs {
        return None;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_survives_the_wire() {
        let batch = Batch {
            tokens: (0..100).collect(),
            spans: vec![
                Span { rows: 99, start: 5, blocks: 4, window_blocks: 2, state: 3, state_from: 1 },
                Span { rows: 1, start: 7, blocks: 1, window_blocks: 1, state: 2, state_from: 2 },
            ],
            blocks: vec![9, 8, 7, 6, 5],
            window_blocks: vec![1, 2, 3],
            outputs: vec![98, 99],
            top: 3,
            draws: vec![Draw { temperature: 0.7, seed: u64::MAX - 3, position: 1 << 40 }, Draw::default()],
            hidden: true,
            given: vec![
                Given { first: 3, rows: 40, values: None },
                Given { first: 50, rows: 9, values: None },
            ],
            ..Batch::default()
        };
        let mut words = vec![0; 1000];
        let bytes = write_batch(&batch, &mut words);
        let (order, found) = read_header(&words).unwrap();
        assert!(matches!(order, Order::Run));
        assert_eq!(bytes, found);
        let mut read = Batch::default();
        read_batch(&words[..bytes / 4], &mut read).unwrap();
        assert_eq!(read, batch);
        assert!(read_batch(&words[..bytes / 4 - 1], &mut read).is_none());
        let bytes = write_batch(&Batch { named: vec![(0, 7)], ..batch }, &mut words);
        read_batch(&words[..bytes / 4], &mut read).unwrap();
        assert_eq!((read.top, read.draws.len()), (0, 0), "all values travel where some are named");
    }
}
