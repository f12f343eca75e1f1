//! Which bytes of a model's file a rank needs.

use tandem_formats::Gguf;
use tandem_tensor::Program;

/// Pieces at equal distances: `count` of `len` bytes, the first at `start`, each `stride` after the one before. Columns of a
/// matrix are such, and a plain range is one of them with a single piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    pub start: u64,
    pub stride: u64,
    pub len: u32,
    pub count: u32,
}

/// What is sent, checked and, if need be, sent again at once.
pub const UNIT_BYTES: u64 = 1 << 20;

impl Unit {
    pub fn bytes(&self) -> usize {
        self.len as usize * self.count as usize
    }

    pub fn end(&self) -> u64 {
        self.start + self.stride * u64::from(self.count.saturating_sub(1)) + u64::from(self.len)
    }

    pub fn to_bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.start.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.stride.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.len.to_le_bytes());
        bytes[20..].copy_from_slice(&self.count.to_le_bytes());
        bytes
    }

    /// `None` for anything that is not within a file of `file_bytes`, or too much at once.
    pub fn from_bytes(bytes: &[u8; 24], file_bytes: u64) -> Option<Unit> {
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let unit = Unit { start: long(0), stride: long(8), len: short(16), count: short(20) };
        let span = unit.stride.checked_mul(u64::from(unit.count.checked_sub(1)?))?;
        let end = unit.start.checked_add(span)?.checked_add(u64::from(unit.len))?;
        let bytes = u64::from(unit.len) * u64::from(unit.count);
        (end <= file_bytes && (1..=UNIT_BYTES).contains(&bytes)).then_some(unit)
    }
}

/// A plain range in units.
pub fn range(start: u64, end: u64) -> impl Iterator<Item = Unit> {
    (start..end).step_by(UNIT_BYTES as usize).map(move |at| {
        let len = (end - at).min(UNIT_BYTES) as u32;
        Unit { start: at, stride: 0, len, count: 1 }
    })
}

/// What the weights of `program` are read from. `None` where that cannot be told apart: then all of the file is needed.
pub fn of_program(file: &Gguf, program: &Program) -> Option<Vec<Unit>> {
    let mut units = Vec::new();
    for weight in &program.weights {
        if weight.recipe.is_some() {
            return None;
        }
        let start = file.offset(&weight.name)?;
        let dims = &file.find(&weight.name)?.dims;
        let dim = |i: usize| dims.get(i).copied().unwrap_or(1);
        let bytes_of = |cols: usize| weight.dtype.bytes_of(cols).map(|bytes| bytes as u64);
        let row_bytes = bytes_of(dim(0) as usize)?;
        let slice = &weight.slice;
        let whole_rows = slice.cols.len() as u64 == dim(0);
        for expert in slice.experts.clone() {
            let rows_start = start + (expert as u64 * dim(1) + slice.rows.start as u64) * row_bytes;
            if whole_rows {
                units.extend(range(rows_start, rows_start + slice.rows.len() as u64 * row_bytes));
                continue;
            }
            let (first, piece) = (rows_start + bytes_of(slice.cols.start)?, bytes_of(slice.cols.len())?);
            let rows_at_once = (UNIT_BYTES / piece).max(1);
            let rows = slice.rows.len() as u64;
            for row in (0..rows).step_by(rows_at_once as usize) {
                let count = (rows - row).min(rows_at_once) as u32;
                units.push(Unit {
                    start: first + row * row_bytes,
                    stride: row_bytes,
                    len: piece as u32,
                    count,
                });
            }
        }
    }
    Some(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_from_afar_stays_within_the_file() {
        let unit = Unit { start: 10, stride: 100, len: 20, count: 3 };
        assert_eq!((unit.bytes(), unit.end()), (60, 230));
        assert_eq!(Unit::from_bytes(&unit.to_bytes(), 230), Some(unit));
        assert_eq!(Unit::from_bytes(&unit.to_bytes(), 229), None);
        for bad in [
            Unit { count: 0, ..unit },
            Unit { start: u64::MAX, ..unit },
            Unit { stride: u64::MAX, ..unit },
            Unit { len: u32::MAX, count: u32::MAX, ..unit },
        ] {
            assert_eq!(Unit::from_bytes(&bad.to_bytes(), u64::MAX), None, "{bad:?}");
        }
        let units: Vec<_> = range(5, 5 + 2 * UNIT_BYTES + 1).collect();
        assert_eq!(units.iter().map(Unit::bytes).sum::<usize>() as u64, 2 * UNIT_BYTES + 1);
        assert_eq!(units.last().unwrap().len, 1);
    }
}
