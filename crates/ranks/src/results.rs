//! One rank's part of the results, and all parts together.
//!
//! A part of `k` values a row travels as `k` ids and then `k` values; one of all values as those alone.

use std::ops::Range;

use tandem_tensor::{Batch, Draw};

/// How many values of every row are wanted; 0 for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    top: usize,
    /// Whether the winner of a draw is too, which comes after the largest.
    drawn: bool,
}

impl Wanted {
    pub fn of(batch: &Batch) -> Wanted {
        match batch.named.is_empty() {
            true => Wanted { top: batch.top as usize, drawn: !batch.draws.is_empty() },
            // As the others are told.
            false => Wanted { top: 0, drawn: false },
        }
    }

    fn values(self) -> usize {
        self.top + usize::from(self.drawn)
    }

    /// Whether all values of a row travel: all are wanted, or so many that ids cost more than they save.
    fn whole(self, width: usize) -> bool {
        self.top == 0 || 2 * self.values() >= width
    }

    /// The words a part takes.
    pub fn part_words(self, rows: usize, width: usize) -> usize {
        if self.whole(width) { rows * width } else { rows * 2 * self.values() }
    }
}

/// Writes the part of `rows` that others need. `part`: the tokens they are about; `draws`: one for each row, or none.
pub fn write_part(rows: &[f32], part: &Range<usize>, wanted: Wanted, draws: &[Draw], words: &mut [u32]) {
    let width = part.len();
    if wanted.whole(width) {
        words.iter_mut().zip(rows).for_each(|(word, value)| *word = value.to_bits());
        return;
    }
    let count = wanted.values();
    for (index, (row, words)) in rows.chunks_exact(width).zip(words.chunks_exact_mut(2 * count)).enumerate() {
        let (ids, values) = words.split_at_mut(count);
        largest(row, &mut ids[..wanted.top], &mut values[..wanted.top]);
        if let Some(draw) = draws.get(index) {
            let winner = draw.winner(part.start as u32, row).map_or(0, |id| id as usize - part.start);
            (ids[count - 1], values[count - 1]) = (winner as u32, row[winner].to_bits());
        }
    }
}

/// The ids and bits of a row's largest values, in falling order; of equal ones the first.
fn largest(row: &[f32], ids: &mut [u32], values: &mut [u32]) {
    let top = ids.len();
    values.fill(f32::NEG_INFINITY.to_bits());
    ids.fill(0);
    let mut least = f32::NEG_INFINITY;
    let mut offer = |id: usize, value: f32| {
        let mut at = top - 1;
        while at > 0 && f32::from_bits(values[at - 1]) < value {
            (ids[at], values[at]) = (ids[at - 1], values[at - 1]);
            at -= 1;
        }
        (ids[at], values[at]) = (id as u32, value.to_bits());
        f32::from_bits(values[top - 1])
    };
    // Few runs hold anything large: look at whole ones first, in a loop that is vectorised.
    for (run, chunk) in row.chunks(RUN).enumerate() {
        let max = chunk.iter().fold(f32::NEG_INFINITY, |max, value| if *value > max { *value } else { max });
        if max > least {
            for (at, value) in chunk.iter().enumerate() {
                if *value > least {
                    least = offer(run * RUN + at, *value);
                }
            }
        }
    }
}

const RUN: usize = 64;

/// Rows of the whole vocabulary, put together from parts. What no part says is negative infinity.
pub struct Results {
    vocab: usize,
    values: Vec<f32>,
    rows: usize,
    /// Where the last results left something else than negative infinity, unless that is everywhere.
    written: Vec<usize>,
    everywhere: bool,
}

impl Results {
    pub fn new(vocab: usize, rows_max: usize) -> Results {
        Results {
            vocab,
            values: Vec::with_capacity(vocab * rows_max),
            rows: 0,
            written: Vec::with_capacity(1024),
            everywhere: false,
        }
    }

    /// Begin anew, with `rows` rows.
    pub fn clear(&mut self, rows: usize, wanted: Wanted) {
        self.rows = rows;
        if self.everywhere && wanted.top > 0 {
            self.values.fill(f32::NEG_INFINITY);
        }
        for at in self.written.drain(..) {
            self.values[at] = f32::NEG_INFINITY;
        }
        self.everywhere = wanted.top == 0;
        if self.values.len() < rows * self.vocab {
            self.values.resize(rows * self.vocab, f32::NEG_INFINITY);
        }
    }

    /// Take the part of the vocabulary that `words` hold.
    pub fn add(&mut self, part: &Range<usize>, wanted: Wanted, words: &[u32]) {
        let width = part.len();
        if wanted.whole(width) {
            self.everywhere = true;
            for (row, words) in words.chunks_exact(width.max(1)).enumerate() {
                let to = &mut self.values[row * self.vocab + part.start..][..width];
                to.iter_mut().zip(words).for_each(|(to, word)| *to = f32::from_bits(*word));
            }
            return;
        }
        for (row, words) in words.chunks_exact(2 * wanted.values()).enumerate() {
            let (ids, values) = words.split_at(wanted.values());
            for (id, value) in ids.iter().zip(values) {
                let (id, value) = (*id as usize, f32::from_bits(*value));
                if id < width && value > f32::NEG_INFINITY {
                    let at = row * self.vocab + part.start + id;
                    self.values[at] = value;
                    self.written.push(at);
                }
            }
        }
    }

    pub fn values(&self) -> &[f32] {
        &self.values[..self.rows * self.vocab]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(rows: &[&[f32]], cuts: &[Range<usize>], tops: &[usize]) -> Vec<Vec<f32>> {
        let vocab = rows[0].len();
        let mut results = Results::new(vocab, rows.len());
        tops.iter()
            .map(|&top| {
                let wanted = Wanted { top, drawn: false };
                results.clear(rows.len(), wanted);
                for cut in cuts {
                    let own: Vec<f32> = rows.iter().flat_map(|row| row[cut.clone()].to_vec()).collect();
                    let mut words = vec![0; wanted.part_words(rows.len(), cut.len())];
                    write_part(&own, cut, wanted, &[], &mut words);
                    results.add(cut, wanted, &words);
                }
                results.values().to_vec()
            })
            .collect()
    }

    #[test]
    fn the_largest_of_all_parts_are_among_the_results() {
        let row: Vec<f32> = (0..1000).map(|i| ((i * 7919) % 1009) as f32).collect();
        let other: Vec<f32> = row.iter().rev().copied().collect();
        let cuts = [0..300, 300..301, 301..1000];
        let all = gathered(&[&row, &other], &cuts, &[0, 5, 1, 0, 3]);
        assert_eq!(all[0], [row.clone(), other.clone()].concat());
        assert_eq!(all[3], all[0], "nothing is left of the sparse results between");
        let mut sorted = row.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        for (found, top) in [(&all[1], 5), (&all[2], 1), (&all[4], 3)] {
            for (found, row) in found.chunks(1000).zip([&row, &other]) {
                for (i, value) in row.iter().enumerate() {
                    let wanted = *value >= sorted[top - 1];
                    assert!(found[i] == *value || (!wanted && found[i] == f32::NEG_INFINITY), "{top} {i}");
                }
                assert!(found.iter().filter(|value| value.is_finite()).count() <= 3 * top);
            }
        }
    }

    #[test]
    fn a_draw_gives_the_same_token_from_parts() {
        let row: Vec<f32> = (0..4000).map(|i| ((i * 7919) % 1009) as f32 / 60.0).collect();
        let wanted = Wanted { top: 1, drawn: true };
        let mut results = Results::new(row.len(), 1);
        for position in 0..200 {
            let draws = [Draw { temperature: 1.0, seed: 3, position }];
            results.clear(1, wanted);
            for cut in [0..1500, 1500..1510, 1510..4000] {
                let mut words = vec![0; wanted.part_words(1, cut.len())];
                assert!(words.len() <= 10);
                write_part(&row[cut.clone()], &cut, wanted, &draws, &mut words);
                results.add(&cut, wanted, &words);
            }
            assert_eq!(draws[0].winner(0, results.values()), draws[0].winner(0, &row), "at {position}");
        }
    }

    #[test]
    fn values_that_are_no_numbers_do_no_harm() {
        let row = [f32::NAN, 1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 2.0, 0.0, 0.0, 0.0, 0.0];
        let found = &gathered(&[&row], std::slice::from_ref(&(0..10)), &[2])[0];
        assert_eq!((found[2], found[5]), (f32::INFINITY, 2.0));
    }
}
