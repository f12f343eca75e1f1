//! Weights that a file stores in another shape than the operators want.
//!
//! Files in the transformers library's layout hold one tensor per expert, or the gates and the up-projections of all
//! experts interleaved, or all heads' keys and values in one matrix. A [`Recipe`] says which stored values a weight
//! is made of; [`Recipe::read`] fetches any rows of it, touching only what it needs.

use std::ops::Range;

use crate::{DType, Slice, quant};

/// Matrix `e` of a weight is cut from one stored matrix: the rows that `rows` picks, the columns that `cols` picks, then
/// turned over where `transposed`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// One tensor that holds all matrices, or one tensor for each.
    pub names: Vec<String>,
    /// Where one flat matrix holds them all: how many of its rows belong to each. 0 where they are stacked.
    pub rows_per_matrix: usize,
    pub rows: Pick,
    pub cols: Pick,
    pub transposed: bool,
    pub map: Map,
}

/// What becomes of every stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Map {
    Same,
    /// `x + 1`: some models hold their norms less one.
    PlusOne,
    /// 1, whatever was stored: norms that have no weights.
    One,
    /// `-e^x`: how fast states decay.
    MinusExp,
}

impl Map {
    fn of(self, x: f32) -> f32 {
        match self {
            Map::Same => x,
            Map::PlusOne => x + 1.0,
            Map::One => 1.0,
            Map::MinusExp => -x.exp(),
        }
    }
}

/// Runs of `run` indices, one every `step`, from `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pick {
    pub first: usize,
    pub run: usize,
    pub step: usize,
}

impl Pick {
    pub const ALL: Pick = Pick { first: 0, run: 1, step: 1 };

    /// Every `step`-th index.
    pub const fn every(step: usize, first: usize) -> Pick {
        Pick { first, run: 1, step }
    }

    fn at(self, index: usize) -> usize {
        self.first + index / self.run * self.step + index % self.run
    }

    /// The stored indices between the first and the last of `wanted`.
    fn span(self, wanted: &Range<usize>) -> Range<usize> {
        let start = self.at(wanted.start);
        if wanted.is_empty() { start..start } else { start..self.at(wanted.end - 1) + 1 }
    }

    /// How many indices there must be for `len` to be picked.
    fn stored_len(self, len: usize) -> usize {
        len / self.run * self.step
    }

    fn is_dense(self) -> bool {
        self.run == self.step
    }
}

impl Recipe {
    /// One stored tensor per matrix.
    pub fn stack(names: Vec<String>) -> Recipe {
        Recipe {
            names,
            rows_per_matrix: 0,
            rows: Pick::ALL,
            cols: Pick::ALL,
            transposed: false,
            map: Map::Same,
        }
    }

    /// How the weight's values are typed, given how the file stores them. Blocks lie along stored rows: where those are
    /// torn apart, the values are unpacked.
    pub fn dtype(&self, stored: DType) -> DType {
        if self.map != Map::Same {
            DType::F32
        } else if stored.block_len() > 1 && (self.transposed || self.cols != Pick::ALL) {
            DType::F16
        } else {
            stored
        }
    }

    /// What each stored tensor must look like, `[experts, rows, cols]`, for a weight of the given shape.
    pub fn stored_shape(&self, [experts, rows, cols]: [usize; 3]) -> [usize; 3] {
        let (rows, cols) = if self.transposed { (cols, rows) } else { (rows, cols) };
        let stacked = self.names.len() == 1 && self.rows_per_matrix == 0;
        let rows = if self.rows_per_matrix > 0 {
            experts * self.rows_per_matrix
        } else {
            self.rows.stored_len(rows)
        };
        [if stacked { experts } else { 1 }, rows, self.cols.stored_len(cols)]
    }

    /// The stored tensor, and the part of it, that rows and columns of matrix `expert` of the weight are cut from.
    pub fn stored_slice(
        &self,
        stored: DType,
        expert: usize,
        rows: &Range<usize>,
        cols: &Range<usize>,
    ) -> (&str, Slice) {
        let (name, matrix) = match self.names.as_slice() {
            [all] => (all, if self.rows_per_matrix == 0 { expert } else { 0 }),
            each => (&each[expert], 0),
        };
        let (wanted_rows, wanted_cols) = if self.transposed { (cols, rows) } else { (rows, cols) };
        let down = Pick { first: self.rows.first + expert * self.rows_per_matrix, ..self.rows };
        let mut slice = Slice {
            experts: matrix..matrix + 1,
            rows: down.span(wanted_rows),
            cols: self.cols.span(wanted_cols),
        };
        if !self.is_plain() {
            let block = stored.block_len();
            slice.cols = slice.cols.start / block * block..slice.cols.end.next_multiple_of(block);
        }
        (name, slice)
    }

    /// Whether stored rows are taken as they are.
    fn is_plain(&self) -> bool {
        !self.transposed && self.cols.is_dense() && self.map == Map::Same
    }

    /// Fill `out` with rows and columns of matrix `expert` of the weight. `fetch` reads a slice of a stored
    /// tensor in its own type, `stored`.
    pub fn read<E>(
        &self,
        stored: DType,
        expert: usize,
        rows: Range<usize>,
        cols: Range<usize>,
        out: &mut [u8],
        mut fetch: impl FnMut(&str, &Slice, &mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (name, slice) = self.stored_slice(stored, expert, &rows, &cols);
        if self.is_plain() && self.rows.is_dense() {
            return fetch(name, &slice, out);
        }
        // Where a picked row lies among those fetched.
        let wanted_rows = if self.transposed { &cols } else { &rows };
        let at = |row: usize| self.rows.at(wanted_rows.start + row) - self.rows.at(wanted_rows.start);
        let block = stored.block_len();
        if self.is_plain() {
            // Whole rows, some left out: fetched together, since the gaps are as small as the rows.
            let row_bytes = slice.cols.len() / block * stored.block_bytes();
            let mut bytes = vec![0; slice.rows.len() * row_bytes];
            fetch(name, &slice, &mut bytes)?;
            for (row, out) in out.chunks_exact_mut(row_bytes.max(1)).enumerate() {
                out.copy_from_slice(&bytes[at(row) * row_bytes..][..row_bytes]);
            }
            return Ok(());
        }
        let wanted = self.cols.span(if self.transposed { &rows } else { &cols });
        let (skipped, len) = (wanted.start - slice.cols.start, wanted.len());
        let row_bytes = slice.cols.len() / block * stored.block_bytes();
        let mut bytes = vec![0; slice.rows.len() * row_bytes];
        fetch(name, &slice, &mut bytes)?;
        let mut values = vec![0.0; slice.rows.len() * slice.cols.len()];
        quant::dequantize(stored, &bytes, &mut values);
        let row = |index: usize| &values[at(index) * slice.cols.len() + skipped..][..len];
        let col = |index: usize, first: usize| self.cols.at(first + index) - self.cols.at(first);
        let first_col = if self.transposed { rows.start } else { cols.start };
        let (height, width) = (rows.len(), cols.len());
        let mut picked = Vec::with_capacity(height * width);
        for r in 0..height {
            for c in 0..width {
                let (r, c) = if self.transposed { (c, r) } else { (r, c) };
                picked.push(self.map.of(row(r)[col(c, first_col)]));
            }
        }
        let mut written = Vec::with_capacity(out.len());
        quant::quantize(self.dtype(stored), &picked, &mut written);
        out.copy_from_slice(&written);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Read `rows` and `cols` of matrix `expert` from stored tensors of `shape` whose value at `[e, r, c]` is
    /// `100 e + 10 r + c`, in the type given.
    fn check(
        recipe: &Recipe,
        dtype: DType,
        shape: [usize; 3],
        (expert, rows, cols): (usize, Range<usize>, Range<usize>),
        expected: &[f32],
    ) {
        let fetch = |name: &str, slice: &Slice, out: &mut [u8]| -> Result<(), ()> {
            assert!(
                slice.experts.end <= shape[0] && slice.rows.end <= shape[1] && slice.cols.end <= shape[2]
            );
            let base: f32 = name.parse().unwrap();
            let mut bytes = Vec::new();
            for row in slice.rows.clone() {
                let at = |col: usize| base + (100 * slice.experts.start + 10 * row + col) as f32;
                let values: Vec<f32> = slice.cols.clone().map(at).collect();
                quant::quantize(dtype, &values, &mut bytes);
            }
            out.copy_from_slice(&bytes);
            Ok(())
        };
        let to = recipe.dtype(dtype);
        let mut bytes = vec![0; rows.len() * to.bytes_of(cols.len()).unwrap()];
        let values = rows.len() * cols.len();
        recipe.read(dtype, expert, rows, cols, &mut bytes, fetch).unwrap();
        let mut found = vec![0.0; values];
        quant::dequantize(to, &bytes, &mut found);
        let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 0.01 * b.abs());
        assert!(found.len() == expected.len() && close, "{found:?}, expected {expected:?}");
    }

    #[test]
    fn a_stack_takes_each_matrix_from_its_own_tensor() {
        let recipe = Recipe::stack(vec!["1000".into(), "2000".into()]);
        assert_eq!(recipe.stored_shape([2, 3, 4]), [1, 3, 4]);
        check(&recipe, DType::F32, [1, 3, 4], (1, 1..3, 2..4), &[2012.0, 2013.0, 2022.0, 2023.0]);
    }

    #[test]
    fn interleaved_rows_are_parted() {
        let odd = Pick::every(2, 1);
        let recipe = Recipe { rows: odd, ..Recipe::stack(vec!["0".into()]) };
        assert_eq!(recipe.stored_shape([2, 3, 4]), [2, 6, 4]);
        check(&recipe, DType::F16, [2, 6, 4], (1, 1..3, 0..2), &[130.0, 131.0, 150.0, 151.0]);
        let turned = Recipe { cols: odd, transposed: true, ..Recipe::stack(vec!["0".into()]) };
        assert_eq!(turned.stored_shape([2, 3, 4]), [2, 4, 6]);
        check(&turned, DType::BF16, [2, 4, 6], (0, 1..3, 2..4), &[23.0, 33.0, 25.0, 35.0]);
    }

    #[test]
    fn heads_are_cut_from_a_flat_matrix() {
        // Two heads of 2 + 3 rows.
        let keys = Recipe { rows_per_matrix: 5, transposed: true, ..Recipe::stack(vec!["0".into()]) };
        let values = Recipe { rows: Pick { first: 2, ..Pick::ALL }, transposed: false, ..keys.clone() };
        assert_eq!(keys.stored_shape([2, 4, 2]), [1, 10, 4]);
        assert_eq!(values.stored_shape([2, 3, 4]), [1, 10, 4]);
        check(&keys, DType::F32, [1, 10, 4], (1, 2..4, 0..2), &[52.0, 62.0, 53.0, 63.0]);
        check(&values, DType::F32, [1, 10, 4], (1, 1..3, 0..2), &[80.0, 81.0, 90.0, 91.0]);
    }

    #[test]
    fn runs_of_rows_are_picked() {
        // Three heads of 2 + 1 rows: the first two of each.
        let pick = Pick { first: 0, run: 2, step: 3 };
        let recipe = Recipe { rows: pick, ..Recipe::stack(vec!["0".into()]) };
        assert_eq!(recipe.stored_shape([1, 6, 2]), [1, 9, 2]);
        check(&recipe, DType::F32, [1, 9, 2], (0, 1..4, 0..1), &[10.0, 30.0, 40.0]);
        let last = Recipe { rows: Pick { first: 2, run: 1, step: 3 }, ..recipe };
        check(&last, DType::F32, [1, 9, 2], (0, 1..3, 0..2), &[50.0, 51.0, 80.0, 81.0]);
    }

    #[test]
    fn one_is_added_in_full_precision() {
        let recipe = Recipe { map: Map::PlusOne, ..Recipe::stack(vec!["0".into()]) };
        assert_eq!(recipe.dtype(DType::BF16), DType::F32);
        check(&recipe, DType::BF16, [1, 1, 4], (0, 0..1, 1..4), &[2.0, 3.0, 4.0]);
    }

    #[test]
    fn blocks_that_are_torn_apart_are_unpacked() {
        let recipe = Recipe { transposed: true, ..Recipe::stack(vec!["1000".into()]) };
        assert_eq!(recipe.dtype(DType::Q8_0), DType::F16);
        // Rows 33..35 of the weight are columns of the second block.
        check(&recipe, DType::Q8_0, [1, 3, 64], (0, 33..35, 1..3), &[1043.0, 1053.0, 1044.0, 1054.0]);
    }
}
