//! Norms of one row that the product after them does on the way. Such a norm takes less time than its kernel takes to begin, so
//! every workgroup of the product does it for itself; what it adds to the row, the product before it adds.

use tandem_tensor::{BufId, Op, RmsNorm};

use super::{Load, Planner, reads, written};
use crate::kernels::Key;
use crate::memory::Format;
use crate::packing::blocks_of;

/// Bytes of a workgroup's memory that the product needs besides the row.
const SHARED_BESIDE: usize = 12 << 10;

/// A norm that a product does on the way.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    /// The row, and what it is once it is normed.
    pub x: BufId,
    pub out: BufId,
    pub norm: RmsNorm,
    /// Whether the product before it adds to the row.
    pub added: bool,
}

impl Planner<'_> {
    /// The norm that the operator `at` is, where the product after it may do it.
    pub(super) fn taken(&self, at: usize) -> Option<Taken> {
        let (x, y, norm, out) = match *self.program.ops.get(at)? {
            Op::Norm { x, norm, out } => (x, None, norm, out),
            Op::AddNorm { x, y, norm, out } => (x, Some(y), norm, out),
            _ => return None,
        };
        let dtype = |id| self.program.weight(id).dtype;
        let (next, after) = self.program.ops[at + 1..].split_first()?;
        let is_product = match next {
            Op::Linear { x, .. } => *x == out,
            Op::GatedLinear { x, gate, up, .. } => *x == out && gate != up && dtype(*gate) == dtype(*up),
            _ => false,
        };
        let (formats, plain) = self.wanted(at, out, Load::One);
        let shared = match formats[..] {
            [Format::Eight] => blocks_of(self.width(out)) * 40,
            [Format::Float] => blocks_of(self.width(out)) * 128,
            _ => return None,
        };
        let fits = shared + SHARED_BESIDE <= self.abilities.shared_max as usize
            && self.width(out).is_multiple_of(4)
            && self.rows(x) == self.rows(out);
        let alone = !self.is_read(out, after) && y.is_none_or(|y| self.is_made_for(at, y));
        (is_product && !plain && fits && alone).then_some(Taken { x, out, norm, added: y.is_some() })
    }

    /// Whether the product before the norm `at` makes `y` for that norm alone.
    fn is_made_for(&self, at: usize, y: BufId) -> bool {
        let Some(Op::Linear { x, parts }) = at.checked_sub(1).map(|before| &self.program.ops[before]) else {
            return false;
        };
        let is_product = parts.len() == 1 && parts[0].out == y && self.rows(*x) == self.rows(y);
        let kept = [Some(self.program.result), self.program.hidden].contains(&Some(y));
        is_product
            && !kept
            && self.part_of(at - 1) == self.part_of(at)
            && !self.is_read(y, &self.program.ops[at + 1..])
            && self.taken_before(at - 1, *x).is_none()
    }

    /// Whether one of these operators reads what `buf` has before the first of them.
    fn is_read(&self, buf: BufId, ops: &[Op]) -> bool {
        let is_read = |op: &Op| reads(self.program, op, self.abilities).contains(&buf);
        let next = ops.iter().find(|op| is_read(op) || written(op).contains(&buf));
        next.is_some_and(is_read)
    }

    /// The norm that the product `at` of `x` does on the way.
    pub(super) fn taken_before(&self, at: usize, x: BufId) -> Option<Taken> {
        self.taken(at.checked_sub(1)?).filter(|taken| taken.out == x)
    }

    /// The kernel, which norms a row on the way.
    pub(super) fn taking(&self, key: Key, taken: &Taken) -> Key {
        let blocks = blocks_of(self.width(taken.out)) as u32;
        let fours = (blocks * 8).div_ceil(key.threads);
        key.with("TAKEN", blocks).with("FOURS", fours).with("EPS", taken.norm.eps.to_bits())
    }

    /// Where such a kernel finds the row.
    pub(super) fn taken_from(&self, taken: &Taken) -> [u32; 3] {
        [self.at(taken.x), self.vector(taken.norm.weight), self.width(taken.out) as u32]
    }
}
