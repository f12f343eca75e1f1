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
    /// One tensor that holds all matrices, or one tensor for each; the two factors of a [`Map::Product`].
    pub names: Vec<String>,
    /// Where one flat matrix holds them all: how many of its rows belong to each. 0 where they are stacked.
    pub rows_per_matrix: usize,
    pub rows: Pick,
    pub cols: Pick,
    pub transposed: bool,
    /// Where a vector lies in rows of so many values, one row after the other; 0 where it does not.
    pub folded: usize,
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
    /// `x * y`, where `y` lies at the same place of a second tensor, of the same shape and type: vectors that are only used together.
    Product,
}

impl Map {
    fn of(self, x: f32) -> f32 {
        match self {
            Map::Same | Map::Product => x,
            Map::PlusOne => x + 1.0,
            Map::One => 1.0,
            Map::MinusExp => -x.exp(),
        }
    }
}

/// Runs of `run` indices, one every `step`, from `first` on. With several `lanes`, as many runs follow each other whose stored
/// places are `stride` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pick {
    pub first: usize,
    pub run: usize,
    pub step: usize,
    pub lanes: usize,
    pub stride: usize,
}

impl Pick {
    pub const ALL: Pick = Pick::runs(0, 1, 1);

    pub const fn runs(first: usize, run: usize, step: usize) -> Pick {
        Pick { first, run, step, lanes: 1, stride: 0 }
    }

    /// Every `step`-th index.
    pub const fn every(step: usize, first: usize) -> Pick {
        Pick::runs(first, 1, step)
    }

    /// Runs of `groups` groups, `lanes` to each, that are stored by lanes: the first run of every group, then the second, and
    /// so on.
    pub const fn by_lanes(first: usize, run: usize, groups: usize, lanes: usize) -> Pick {
        Pick { first, run, step: run, lanes, stride: groups * run }
    }

    fn at(self, index: usize) -> usize {
        let (run, within) = (index / self.run, index % self.run);
        self.first + run / self.lanes * self.step + run % self.lanes * self.stride + within
    }

    /// The stored indices between the least and the greatest of `wanted`.
    fn span(self, wanted: &Range<usize>) -> Range<usize> {
        if wanted.is_empty() {
            return self.first..self.first;
        }
        if self.lanes == 1 {
            return self.at(wanted.start)..self.at(wanted.end - 1) + 1;
        }
        let runs = self.parts(wanted);
        let ends = runs.map(|run| (self.at(run.start), self.at(run.end - 1) + 1));
        ends.reduce(|all, run| (all.0.min(run.0), all.1.max(run.1))).map_or(0..0, |(start, end)| start..end)
    }

    /// `wanted`, cut so that what lies in other stretches of the store is apart.
    fn parts(self, wanted: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let Range { mut start, end } = wanted.clone();
        let run = if self.lanes == 1 { usize::MAX } else { self.run };
        std::iter::from_fn(move || {
            let part = start..end.min((start / run).saturating_add(1).saturating_mul(run));
            start = part.end;
            (!part.is_empty()).then_some(part)
        })
    }

    /// How many indices there must be for `len` to be picked.
    fn stored_len(self, len: usize) -> usize {
        if self.lanes == 1 { len / self.run * self.step } else { self.lanes * self.stride }
    }

    fn is_dense(self) -> bool {
        self.run == self.step && self.lanes == 1
    }

    /// Whether blocks of so many indices are picked whole.
    fn keeps(self, block: usize) -> bool {
        self == Pick::ALL
            || [self.first, self.run, self.step, self.stride].iter().all(|at| at.is_multiple_of(block))
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
            folded: 0,
            map: Map::Same,
        }
    }

    /// How the weight's values are typed, given how the file stores them. Blocks lie along stored rows: where those are
    /// torn apart, the values are unpacked.
    pub fn dtype(&self, stored: DType) -> DType {
        if self.map != Map::Same {
            DType::F32
        } else if stored.block_len() > 1 && !self.keeps_blocks(stored.block_len()) {
            DType::F16
        } else {
            stored
        }
    }

    fn keeps_blocks(&self, block: usize) -> bool {
        !self.transposed && self.folded == 0 && self.cols.keeps(block)
    }

    /// What each stored tensor must look like, `[experts, rows, cols]`, for a weight of the given shape.
    pub fn stored_shape(&self, [experts, rows, cols]: [usize; 3]) -> [usize; 3] {
        if self.folded > 0 {
            return [experts, cols.div_ceil(self.folded), self.folded];
        }
        let (rows, cols) = if self.transposed { (cols, rows) } else { (rows, cols) };
        let stacked = self.names.len() == 1 && self.rows_per_matrix == 0;
        let rows = if self.rows_per_matrix > 0 {
            experts * self.rows_per_matrix
        } else {
            self.rows.stored_len(rows)
        };
        [if stacked { experts } else { 1 }, rows, self.cols.stored_len(cols)]
    }

    /// Where a value of the weight is stored: matrix, row and column.
    pub fn place(&self, [expert, row, col]: [usize; 3]) -> [usize; 3] {
        if let Some(at) = col.checked_div(self.folded) {
            return [expert, at, col % self.folded];
        }
        let (row, col) = if self.transposed { (col, row) } else { (row, col) };
        let matrix = if self.names.len() == 1 && self.rows_per_matrix == 0 { expert } else { 0 };
        [matrix, self.rows.at(row) + expert * self.rows_per_matrix, self.cols.at(col)]
    }

    /// Whether every row of the weight lies in one stored row.
    pub fn is_by_rows(&self) -> bool {
        !self.transposed && self.folded == 0
    }

    /// Whether every row of the weight is a stored row, as it is.
    pub fn keeps_rows(&self) -> bool {
        self.is_by_rows() && self.cols == Pick::ALL && self.map == Map::Same
    }

    /// The stored tensors, and the parts of them, that rows and columns of matrix `expert` of the weight are made of.
    pub fn stored_slices(
        &self,
        stored: DType,
        expert: usize,
        rows: &Range<usize>,
        cols: &Range<usize>,
    ) -> Vec<(&str, Slice)> {
        let names = std::iter::once(self.stored_name(expert)).chain(self.factor());
        let slice = |rows| self.stored_slice(stored, expert, &rows, cols);
        names.flat_map(|name| self.row_parts(rows).map(move |rows| (name, slice(rows)))).collect()
    }

    /// The second tensor of a product.
    fn factor(&self) -> Option<&str> {
        self.names.get(1).filter(|_| self.map == Map::Product).map(String::as_str)
    }

    fn stored_name(&self, expert: usize) -> &str {
        match self.names.as_slice() {
            [all] => all,
            each => &each[expert],
        }
    }

    /// Rows of the weight that are fetched together.
    fn row_parts(&self, rows: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let pick = if self.transposed { Pick::ALL } else { self.rows };
        pick.parts(rows)
    }

    fn stored_slice(&self, stored: DType, expert: usize, rows: &Range<usize>, cols: &Range<usize>) -> Slice {
        let matrix = if self.names.len() == 1 && self.rows_per_matrix == 0 { expert } else { 0 };
        if let Some(first) = cols.start.checked_div(self.folded) {
            let rows = first..cols.end.div_ceil(self.folded);
            return Slice { experts: matrix..matrix + 1, rows, cols: 0..self.folded };
        }
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
        slice
    }

    /// Whether stored rows are taken as they are.
    fn is_plain(&self) -> bool {
        !self.transposed && self.folded == 0 && self.cols.is_dense() && self.map == Map::Same
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
        let row_bytes = out.len() / rows.len().max(1);
        let mut out = out;
        for part in self.row_parts(&rows) {
            let (filled, rest) = out.split_at_mut(part.len() * row_bytes);
            self.read_part(stored, expert, part, cols.clone(), filled, &mut fetch)?;
            out = rest;
        }
        Ok(())
    }

    fn read_part<E>(
        &self,
        stored: DType,
        expert: usize,
        rows: Range<usize>,
        cols: Range<usize>,
        out: &mut [u8],
        fetch: &mut impl FnMut(&str, &Slice, &mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let name = self.stored_name(expert);
        let slice = self.stored_slice(stored, expert, &rows, &cols);
        let is_dense = self.rows.is_dense() || self.rows.lanes > 1;
        if self.is_plain() && is_dense {
            return fetch(name, &slice, out);
        }
        let block = stored.block_len();
        let row_bytes = slice.cols.len() / block * stored.block_bytes();
        let mut bytes = vec![0; slice.rows.len() * row_bytes];
        fetch(name, &slice, &mut bytes)?;
        // Where a value of the weight lies among those fetched: row and column.
        let at = |row: usize, col: usize| {
            let [_, row, col] = self.place([expert, rows.start + row, cols.start + col]);
            (row - slice.rows.start, col - slice.cols.start)
        };
        if self.is_plain() {
            // Whole rows, some left out: fetched together, since the gaps are as small as the rows.
            for (row, out) in out.chunks_exact_mut(row_bytes.max(1)).enumerate() {
                out.copy_from_slice(&bytes[at(row, 0).0 * row_bytes..][..row_bytes]);
            }
            return Ok(());
        }
        if self.map == Map::Same && self.keeps_blocks(block) {
            let len = stored.block_bytes();
            let blocks = cols.len() / block;
            for (index, out) in out.chunks_exact_mut(len).enumerate() {
                let (row, col) = at(index / blocks, index % blocks * block);
                out.copy_from_slice(&bytes[row * row_bytes + col / block * len..][..len]);
            }
            return Ok(());
        }
        let mut values = vec![0.0; slice.rows.len() * slice.cols.len()];
        quant::dequantize(stored, &bytes, &mut values);
        if let Some(name) = self.factor() {
            let mut factors = vec![0.0; values.len()];
            fetch(name, &slice, &mut bytes)?;
            quant::dequantize(stored, &bytes, &mut factors);
            values.iter_mut().zip(factors).for_each(|(value, factor)| *value *= factor);
        }
        let mut picked = Vec::with_capacity(rows.len() * cols.len());
        for row in 0..rows.len() {
            for col in 0..cols.len() {
                let (row, col) = at(row, col);
                picked.push(self.map.of(values[row * slice.cols.len() + col]));
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
        let pick = Pick::runs(0, 2, 3);
        let recipe = Recipe { rows: pick, ..Recipe::stack(vec!["0".into()]) };
        assert_eq!(recipe.stored_shape([1, 6, 2]), [1, 9, 2]);
        check(&recipe, DType::F32, [1, 9, 2], (0, 1..4, 0..1), &[10.0, 30.0, 40.0]);
        let last = Recipe { rows: Pick::every(3, 2), ..recipe };
        check(&last, DType::F32, [1, 9, 2], (0, 1..3, 0..2), &[50.0, 51.0, 80.0, 81.0]);
    }

    #[test]
    fn one_is_added_in_full_precision() {
        let recipe = Recipe { map: Map::PlusOne, ..Recipe::stack(vec!["0".into()]) };
        assert_eq!(recipe.dtype(DType::BF16), DType::F32);
        check(&recipe, DType::BF16, [1, 1, 4], (0, 0..1, 1..4), &[2.0, 3.0, 4.0]);
        check(&recipe, DType::F32, [1, 1, 4], (0, 0..1, 1..4), &[2.0, 3.0, 4.0]);
    }

    #[test]
    fn factors_are_multiplied_in_full_precision() {
        let recipe = Recipe { map: Map::Product, ..Recipe::stack(vec!["2".into(), "10".into()]) };
        assert_eq!((recipe.dtype(DType::BF16), recipe.stored_shape([1, 1, 4])), (DType::F32, [1, 1, 4]));
        check(&recipe, DType::BF16, [1, 1, 4], (0, 0..1, 1..4), &[33.0, 48.0, 65.0]);
        let slices = recipe.stored_slices(DType::BF16, 0, &(0..1), &(0..4));
        assert_eq!(slices.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["2", "10"]);
    }

    #[test]
    fn blocks_that_are_torn_apart_are_unpacked() {
        let recipe = Recipe { transposed: true, ..Recipe::stack(vec!["1000".into()]) };
        assert_eq!(recipe.dtype(DType::Q8_0), DType::F16);
        // Rows 33..35 of the weight are columns of the second block.
        check(&recipe, DType::Q8_0, [1, 3, 64], (0, 33..35, 1..3), &[1043.0, 1053.0, 1044.0, 1054.0]);
    }

    #[test]
    fn runs_stored_by_lanes_come_back_to_their_groups() {
        // Two groups of three heads with two rows each, after a row of something else: stored are the first heads of both groups,
        // then the second, then the third.
        let rows = Pick::by_lanes(1, 2, 2, 3);
        let recipe = Recipe { rows_per_matrix: 13, rows, ..Recipe::stack(vec!["0".into()]) };
        assert_eq!(recipe.stored_shape([1, 12, 2]), [1, 13, 2]);
        let stored_rows = [1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12];
        let values = stored_rows.map(|row| 10.0 * row as f32);
        check(&recipe, DType::F32, [1, 13, 2], (0, 0..12, 0..1), &values);
        check(&recipe, DType::F32, [1, 13, 2], (0, 3..8, 0..1), &values[3..8]);
        let cols = Recipe { cols: Pick::by_lanes(0, 2, 2, 3), ..Recipe::stack(vec!["0".into()]) };
        assert_eq!(cols.stored_shape([1, 2, 12]), [1, 2, 12]);
        check(&cols, DType::F32, [1, 2, 12], (0, 1..2, 2..8), &[14.0, 15.0, 18.0, 19.0, 12.0, 13.0]);
        assert_eq!(cols.place([0, 1, 2]), [0, 1, 4]);
    }

    #[test]
    fn blocks_that_move_whole_stay_packed() {
        let recipe = Recipe { cols: Pick::by_lanes(0, 32, 2, 2), ..Recipe::stack(vec!["1000".into()]) };
        assert_eq!(recipe.dtype(DType::Q8_0), DType::Q8_0);
        assert_eq!(recipe.dtype(DType::Q4_K), DType::F16);
        let expected: Vec<f32> = (64..96).chain(32..64).map(|col| 1010.0 + col as f32).collect();
        check(&recipe, DType::Q8_0, [1, 2, 128], (0, 1..2, 32..96), &expected);
    }

    #[test]
    fn a_folded_vector_is_flat() {
        let recipe = Recipe { folded: 3, ..Recipe::stack(vec!["0".into()]) };
        assert_eq!(recipe.stored_shape([1, 1, 6]), [1, 2, 3]);
        check(&recipe, DType::F32, [1, 2, 3], (0, 0..1, 0..6), &[0.0, 1.0, 2.0, 10.0, 11.0, 12.0]);
        check(&recipe, DType::F32, [1, 2, 3], (0, 0..1, 2..4), &[2.0, 10.0]);
        assert_eq!(recipe.place([0, 0, 4]), [0, 1, 1]);
    }
}
