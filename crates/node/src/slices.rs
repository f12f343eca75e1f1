//! Which bytes of a model's files a rank needs.

use std::collections::{BTreeMap, BTreeSet};

use tandem_formats::{FormatError, Piece, Weights};
use tandem_tensor::Program;

/// Pieces at equal distances of one file: `count` of `len` bytes, the first at `start`, each `stride` after the one before.
/// Columns of a matrix are such, and a plain range is one of them with a single piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    pub file: u32,
    pub start: u64,
    pub stride: u64,
    pub len: u32,
    pub count: u32,
}

/// What is sent, checked and, if need be, sent again at once.
pub const UNIT_BYTES: u64 = 1 << 20;

/// A unit as others see it.
pub type UnitBytes = [u8; 28];

impl Unit {
    pub fn bytes(&self) -> usize {
        self.len as usize * self.count as usize
    }

    pub fn to_bytes(self) -> UnitBytes {
        let mut bytes = [0; 28];
        bytes[..8].copy_from_slice(&self.start.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.stride.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.len.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.count.to_le_bytes());
        bytes[24..].copy_from_slice(&self.file.to_le_bytes());
        bytes
    }

    /// `None` for anything that is not within one of files of these sizes, or too much at once.
    pub fn from_bytes(bytes: &UnitBytes, file_bytes: impl Fn(u32) -> Option<u64>) -> Option<Unit> {
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let unit =
            Unit { file: short(24), start: long(0), stride: long(8), len: short(16), count: short(20) };
        let span = unit.stride.checked_mul(u64::from(unit.count.checked_sub(1)?))?;
        let end = unit.start.checked_add(span)?.checked_add(u64::from(unit.len))?;
        let bytes = u64::from(unit.len) * u64::from(unit.count);
        (end <= file_bytes(unit.file)? && (1..=UNIT_BYTES).contains(&bytes)).then_some(unit)
    }
}

/// A plain range in units.
pub fn range(file: u32, start: u64, end: u64) -> impl Iterator<Item = Unit> {
    (start..end).step_by(UNIT_BYTES as usize).map(move |at| {
        let len = (end - at).min(UNIT_BYTES) as u32;
        Unit { file, start: at, stride: 0, len, count: 1 }
    })
}

/// What the weights of `program` are read from.
pub fn of_program(weights: &dyn Weights, program: &Program) -> Result<Vec<Unit>, FormatError> {
    let mut pieces = Vec::new();
    for weight in &program.weights {
        let Some(recipe) = &weight.recipe else {
            pieces.extend(weights.pieces(&weight.name, &weight.slice)?);
            continue;
        };
        let slice = &weight.slice;
        for expert in slice.experts.clone() {
            let stored = weights.require(recipe.names.first().map_or("", String::as_str))?.dtype;
            for (name, slice) in recipe.stored_slices(stored, expert, &slice.rows, &slice.cols) {
                pieces.extend(weights.pieces(name, &slice)?);
            }
        }
    }
    Ok(units(&pieces))
}

/// Every byte of `pieces` once, in the order of the files.
pub fn units(pieces: &[Piece]) -> Vec<Unit> {
    type Stretches = BTreeSet<(u64, u64)>;
    // Of a strip its file, the distance of its rows, the first of them and their number; of a column its file, the distance of
    // its rows, and where in each it begins and how long it is.
    type Strip = (usize, u64, u64, u64);
    type Column = (usize, u64, u64, u64);
    let mut ranges: BTreeSet<(usize, u64, u64)> = BTreeSet::new();
    let mut strips: BTreeMap<Strip, Stretches> = BTreeMap::new();
    for piece in pieces {
        let Piece { file, start, stride, len, count } = *piece;
        if count > 1 && stride != len && len <= UNIT_BYTES {
            strips.entry((file, stride, start / stride, count)).or_default().insert((start % stride, len));
        } else {
            ranges.extend((0..count).map(|row| (file, start + row * stride, len)));
        }
    }
    let mut columns: BTreeMap<Column, Stretches> = BTreeMap::new();
    for ((file, stride, row, count), strip) in strips {
        for (col, len) in merged(strip) {
            columns.entry((file, stride, col, len)).or_default().insert((row, count));
        }
    }
    let mut found = Vec::new();
    let mut by_file: BTreeMap<usize, Stretches> = BTreeMap::new();
    for (file, start, len) in ranges {
        by_file.entry(file).or_default().insert((start, len));
    }
    for (file, ranges) in by_file {
        for (start, len) in merged(ranges) {
            found.extend(range(file as u32, start, start + len));
        }
    }
    for ((file, stride, col, len), rows) in columns {
        let rows_at_once = (UNIT_BYTES / len).max(1);
        for (first, count) in merged(rows) {
            for row in (0..count).step_by(rows_at_once as usize) {
                let start = (first + row) * stride + col;
                let count = (count - row).min(rows_at_once) as u32;
                found.push(Unit { file: file as u32, start, stride, len: len as u32, count });
            }
        }
    }
    found.sort_by_key(|unit| (unit.file, unit.start));
    found
}

/// Stretches `(start, len)` with those that touch made one.
fn merged(stretches: BTreeSet<(u64, u64)>) -> Vec<(u64, u64)> {
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (start, len) in stretches {
        match merged.last_mut() {
            Some((first, so_far)) if start <= *first + *so_far => {
                *so_far = (*so_far).max(start + len - *first);
            }
            _ => merged.push((start, len)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_from_afar_stays_within_the_file() {
        let unit = Unit { file: 1, start: 10, stride: 100, len: 20, count: 3 };
        assert_eq!(unit.bytes(), 60);
        let read = |unit: Unit, file_bytes: u64| {
            Unit::from_bytes(&unit.to_bytes(), |file| (file == 1).then_some(file_bytes))
        };
        assert_eq!(read(unit, 230), Some(unit));
        assert_eq!(read(unit, 229), None);
        for bad in [
            Unit { count: 0, ..unit },
            Unit { file: 2, ..unit },
            Unit { start: u64::MAX, ..unit },
            Unit { stride: u64::MAX, ..unit },
            Unit { len: u32::MAX, count: u32::MAX, ..unit },
        ] {
            assert_eq!(read(bad, u64::MAX), None, "{bad:?}");
        }
        let units: Vec<_> = range(0, 5, 5 + 2 * UNIT_BYTES + 1).collect();
        assert_eq!(units.iter().map(Unit::bytes).sum::<usize>() as u64, 2 * UNIT_BYTES + 1);
        assert_eq!(units.last().unwrap().len, 1);
    }

    #[test]
    fn no_byte_comes_twice_and_none_is_left_out() {
        let piece = |file, start, stride, len, count| Piece { file, start, stride, len, count };
        let check = |pieces: &[Piece], expected: &[(u32, u64, u64, u32, u32)]| {
            let found: Vec<_> =
                units(pieces).iter().map(|it| (it.file, it.start, it.stride, it.len, it.count)).collect();
            assert_eq!(found, expected, "{pieces:?}");
        };
        // Ranges that touch or overlap, of two files.
        check(
            &[piece(0, 100, 0, 50, 1), piece(1, 0, 0, 9, 1), piece(0, 150, 0, 10, 1), piece(0, 90, 0, 20, 1)],
            &[(0, 90, 0, 70, 1), (1, 0, 0, 9, 1)],
        );
        // Columns beside each other, of the same rows; then more rows of the same columns.
        check(&[piece(0, 1010, 100, 20, 5), piece(0, 1025, 100, 15, 5)], &[(0, 1010, 100, 30, 5)]);
        check(&[piece(0, 1010, 100, 20, 5), piece(0, 1410, 100, 20, 3)], &[(0, 1010, 100, 20, 7)]);
        // Whole rows are a range.
        check(&[piece(0, 7, 30, 30, 4)], &[(0, 7, 0, 120, 1)]);
        let many = units(&[piece(0, 3, 3000, 1000, 3000)]);
        assert_eq!(many.iter().map(Unit::bytes).sum::<usize>(), 3_000_000);
        assert!(many.iter().all(|unit| unit.bytes() as u64 <= UNIT_BYTES));
    }
}
