//! Weights that a file stores in another shape than the operators want.
//!
//! Files in the transformers library's layout hold one tensor per expert, or the gates and the up-projections of all
//! experts interleaved, or all heads' keys and values in one matrix. A [`Recipe`] says which stored values a weight
//! is made of; [`Recipe::read`] fetches any rows of it, touching only what it needs.

use std::ops::Range;

use crate::{DType, Slice, quant};

/// Matrix `e` of a weight is cut from one stored matrix: every `rows.step`-th row from `rows.first` on, every
/// `cols.step`-th column, then turned over where `transposed`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// One tensor that holds all matrices, or one tensor for each.
    pub names: Vec<String>,
    /// Where one flat matrix holds them all: how many of its rows belong to each. 0 where they are stacked.
    pub rows_per_matrix: usize,
    pub rows: Pick,
    pub cols: Pick,
    pub transposed: bool,
}

/// Every `step`-th index from `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pick {
    pub first: usize,
    pub step: usize,
}

impl Pick {
    pub const ALL: Pick = Pick { first: 0, step: 1 };

    /// The stored indices between the first and the last of `wanted`.
    fn span(self, wanted: &Range<usize>) -> Range<usize> {
        let start = self.first + wanted.start * self.step;
        if wanted.is_empty() { start..start } else { start..self.first + (wanted.end - 1) * self.step + 1 }
    }
}

impl Recipe {
    /// One stored tensor per matrix.
    pub fn stack(names: Vec<String>) -> Recipe {
        Recipe { names, rows_per_matrix: 0, rows: Pick::ALL, cols: Pick::ALL, transposed: false }
    }

    /// How the weight's values are typed, given how the file stores them. Blocks lie along stored rows: where those are
    /// torn apart, the values are unpacked.
    pub fn dtype(&self, stored: DType) -> DType {
        if stored.block_len() > 1 && (self.transposed || self.cols != Pick::ALL) {
            DType::F16
        } else {
            stored
        }
    }

    /// What each stored tensor must look like, `[experts, rows, cols]`, for a weight of the given shape.
    pub fn stored_shape(&self, [experts, rows, cols]: [usize; 3]) -> [usize; 3] {
        let (rows, cols) = if self.transposed { (cols, rows) } else { (rows, cols) };
        let stacked = self.names.len() == 1 && self.rows_per_matrix == 0;
        let rows =
            if self.rows_per_matrix > 0 { experts * self.rows_per_matrix } else { rows * self.rows.step };
        [if stacked { experts } else { 1 }, rows, cols * self.cols.step]
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
        let (name, matrix) = match self.names.as_slice() {
            [all] => (all, if self.rows_per_matrix == 0 { expert } else { 0 }),
            each => (&each[expert], 0),
        };
        let (wanted_rows, wanted_cols) = if self.transposed { (&cols, &rows) } else { (&rows, &cols) };
        let down = Pick { first: self.rows.first + expert * self.rows_per_matrix, ..self.rows };
        let mut slice = Slice {
            experts: matrix..matrix + 1,
            rows: down.span(wanted_rows),
            cols: self.cols.span(wanted_cols),
        };
        let plain = !self.transposed && self.cols.step == 1;
        if plain && down.step == 1 {
            return fetch(name, &slice, out);
        }
        let block = stored.block_len();
        if plain {
            // Whole rows, some left out: fetched together, since the gaps are as small as the rows.
            let row_bytes = slice.cols.len() / block * stored.block_bytes();
            let mut bytes = vec![0; slice.rows.len() * row_bytes];
            fetch(name, &slice, &mut bytes)?;
            let kept = bytes.chunks_exact(row_bytes.max(1)).step_by(down.step);
            out.chunks_exact_mut(row_bytes.max(1)).zip(kept).for_each(|(out, row)| out.copy_from_slice(row));
            return Ok(());
        }
        let skipped = slice.cols.start % block;
        let len = slice.cols.len();
        slice.cols = slice.cols.start - skipped..(slice.cols.end.div_ceil(block) * block);
        let row_bytes = slice.cols.len() / block * stored.block_bytes();
        let mut bytes = vec![0; slice.rows.len() * row_bytes];
        fetch(name, &slice, &mut bytes)?;
        let mut values = vec![0.0; slice.rows.len() * slice.cols.len()];
        quant::dequantize(stored, &bytes, &mut values);
        let row = |at: usize| &values[at * down.step * slice.cols.len() + skipped..][..len];
        let (height, width) = (rows.len(), cols.len());
        let mut picked = Vec::with_capacity(height * width);
        for r in 0..height {
            for c in 0..width {
                let (r, c) = if self.transposed { (c, r) } else { (r, c) };
                picked.push(row(r)[c * self.cols.step]);
            }
        }
        let mut written = Vec::with_capacity(out.len());
        quant::quantize(self.dtype(stored), &picked, &mut written);
        out.copy_from_slice(&written);
        Ok(())
    }
}
