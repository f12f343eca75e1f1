//! One rank's part of the results, and all parts together.
//!
//! A part of `k` values a row travels as `k` ids and then `k` values; one of all values as those alone.

use std::ops::Range;

/// The words a part takes.
pub fn part_words(rows: usize, width: usize, top: usize) -> usize {
    if whole(width, top) { rows * width } else { rows * 2 * top }
}

/// Whether all values of a row travel: all are wanted, or so many that ids cost more than they save.
fn whole(width: usize, top: usize) -> bool {
    top == 0 || 2 * top >= width
}

/// Writes the part of `rows` that others need.
pub fn write_part(rows: &[f32], width: usize, top: usize, words: &mut [u32]) {
    if whole(width, top) {
        words.iter_mut().zip(rows).for_each(|(word, value)| *word = value.to_bits());
        return;
    }
    for (row, words) in rows.chunks_exact(width).zip(words.chunks_exact_mut(2 * top)) {
        let (ids, values) = words.split_at_mut(top);
        largest(row, ids, values);
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
    pub fn clear(&mut self, rows: usize, top: usize) {
        self.rows = rows;
        if self.everywhere && top > 0 {
            self.values.fill(f32::NEG_INFINITY);
        }
        for at in self.written.drain(..) {
            self.values[at] = f32::NEG_INFINITY;
        }
        self.everywhere = top == 0;
        if self.values.len() < rows * self.vocab {
            self.values.resize(rows * self.vocab, f32::NEG_INFINITY);
        }
    }

    /// Take the part of the vocabulary that `words` hold.
    pub fn add(&mut self, part: &Range<usize>, top: usize, words: &[u32]) {
        let width = part.len();
        if whole(width, top) {
            self.everywhere = true;
            for (row, words) in words.chunks_exact(width.max(1)).enumerate() {
                let to = &mut self.values[row * self.vocab + part.start..][..width];
                to.iter_mut().zip(words).for_each(|(to, word)| *to = f32::from_bits(*word));
            }
            return;
        }
        for (row, words) in words.chunks_exact(2 * top).enumerate() {
            let (ids, values) = words.split_at(top);
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
                results.clear(rows.len(), top);
                for cut in cuts {
                    let own: Vec<f32> = rows.iter().flat_map(|row| row[cut.clone()].to_vec()).collect();
                    let mut words = vec![0; part_words(rows.len(), cut.len(), top)];
                    write_part(&own, cut.len(), top, &mut words);
                    results.add(cut, top, &words);
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
    fn values_that_are_no_numbers_do_no_harm() {
        let row = [f32::NAN, 1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 2.0, 0.0, 0.0, 0.0, 0.0];
        let found = &gathered(&[&row], std::slice::from_ref(&(0..10)), &[2])[0];
        assert_eq!((found[2], found[5]), (f32::INFINITY, 2.0));
    }
}
