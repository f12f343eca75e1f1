//! Operators that touch each row once: gates, scales and norms over parts of rows.

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

use tandem_tensor::sums::of_squares;
use tandem_tensor::{Curve, Kind, LayerNorm, RmsNorm};

use super::Worker;
use crate::norm::layer_norm;
use crate::plan::SlotId;

impl Worker<'_, '_> {
    pub(super) fn gate(&self, x: SlotId, gate: SlotId, curve: Curve) {
        let covered = self.state.width(x) / self.state.width(gate);
        let share = self.team.share(self.rows(gate) * self.state.width(gate));
        // SAFETY: values of the gate, and with them those of `x` that they cover, are divided among the threads.
        let (x, gate) = unsafe {
            let x = self.values(x).add(share.start * covered);
            let gate = self.values(gate).add(share.start);
            (
                std::slice::from_raw_parts_mut(x, share.len() * covered),
                std::slice::from_raw_parts(gate.cast_const(), share.len()),
            )
        };
        let kernel = self.gate_kernel(curve);
        if covered == 1 {
            // SAFETY: the kernels were chosen for this processor.
            unsafe { kernel(gate, x) };
        } else {
            for (x, gate) in x.chunks_exact_mut(covered).zip(gate) {
                let mut factor = [1.0];
                // SAFETY: as above.
                unsafe { kernel(&[*gate], &mut factor) };
                x.iter_mut().for_each(|x| *x *= factor[0]);
            }
        }
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn place(&self, out: SlotId) {
        let width = self.state.width(out);
        for given in &self.view.batch.given {
            let Some(values) = &given.values else { continue };
            assert_eq!(values.len(), given.rows as usize * width, "values of rows of {width}");
            for row in self.team.share(given.rows as usize) {
                // SAFETY: rows are divided among the threads.
                let to = unsafe { self.row_mut(out, given.first as usize + row) };
                to.copy_from_slice(&values[row * width..][..width]);
            }
        }
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn curve(&self, x: SlotId, curve: Curve) {
        let share = self.team.share(self.rows(x) * self.state.width(x));
        // SAFETY: values are divided among the threads.
        let x = unsafe { std::slice::from_raw_parts_mut(self.values(x).add(share.start), share.len()) };
        let kernel = self.gate_kernel(curve);
        let mut factors = [0.0; 256];
        for x in x.chunks_mut(factors.len()) {
            let factors = &mut factors[..x.len()];
            factors.fill(1.0);
            // SAFETY: the kernels were chosen for this processor.
            unsafe { kernel(x, factors) };
            x.copy_from_slice(factors);
        }
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn layer_norm(&self, x: SlotId, norm: LayerNorm, out: SlotId) {
        let (weight, bias) = (self.state.weights.vector(norm.weight), self.state.weights.vector(norm.bias));
        for row in self.team.share(self.rows(x)) {
            // SAFETY: rows are divided among the threads, and `out` may be `x`: only one slice lives at a time.
            unsafe {
                if x != out {
                    let from = self.row(x, row);
                    self.row_mut(out, row).copy_from_slice(from);
                }
                layer_norm(self.row_mut(out, row), (weight, bias, norm.eps));
            }
        }
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn mean(&self, x: SlotId, len: usize, out: SlotId) {
        for i in self.team.share(self.rows(out)) {
            // SAFETY: rows of `out` are divided among the threads; nobody writes `x`.
            unsafe {
                let (out, first) = (self.row_mut(out, i), self.view.batch.outputs[i] as usize);
                assert!(first + len <= self.rows(x), "the mean of rows that do not exist");
                out.fill(0.0);
                for row in first..first + len {
                    out.iter_mut().zip(self.row(x, row)).for_each(|(y, x)| *y += x);
                }
                out.iter_mut().for_each(|y| *y /= len as f32);
            }
        }
        self.barrier(Kind::Elementwise);
    }

    /// What multiplies values by a curve of others.
    fn gate_kernel(&self, curve: Curve) -> unsafe fn(&[f32], &mut [f32]) {
        match curve {
            Curve::Sigmoid => self.state.kernels.sigmoid_gate,
            Curve::Silu => self.state.kernels.silu_gate,
            Curve::Gelu => self.state.kernels.gelu_gate,
        }
    }

    pub(super) fn norm_runs(&self, x: SlotId, len: usize, norm: RmsNorm) {
        let weight = self.state.weights.vector(norm.weight);
        let share = self.team.share(self.rows(x) * self.state.width(x) / len);
        // SAFETY: runs are divided among the threads; the row is this thread's own.
        let (x, row) = unsafe {
            let x = self.values(x).add(share.start * len);
            let own = &mut *self.own();
            (std::slice::from_raw_parts_mut(x, share.len() * len), &mut own.row[..len])
        };
        let weights = weight.chunks_exact(len).cycle().skip(share.start % (weight.len() / len));
        for (run, weight) in x.chunks_exact_mut(len).zip(weights) {
            // SAFETY: the kernels were chosen for this processor.
            unsafe { (self.state.kernels.rms_norm)(run, weight, norm.eps, row) };
            run.copy_from_slice(row);
        }
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn rescale(&self, x: SlotId, scale: f32, cap: Option<f32>) {
        let share = self.team.share(self.rows(x) * self.state.width(x));
        // SAFETY: values are divided among the threads.
        let x = unsafe { std::slice::from_raw_parts_mut(self.values(x).add(share.start), share.len()) };
        match cap {
            None => x.iter_mut().for_each(|x| *x *= scale),
            Some(cap) => x.iter_mut().for_each(|x| *x = cap * (*x * scale / cap).tanh()),
        }
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn sum_squares(&self, of: &[Option<SlotId>], out: SlotId) {
        for row in self.team.share(self.rows(out)) {
            // SAFETY: rows of `out` are divided among the threads; nobody writes what is summed.
            unsafe {
                let sums = self.row_mut(out, row);
                let in_parts = sums.len() == 2 * of.len();
                for (i, slot) in of.iter().enumerate() {
                    let x = slot.map_or(&[][..], |slot| self.row(slot, row));
                    if in_parts {
                        [sums[i], sums[of.len() + i]] = of_squares(x);
                    } else {
                        sums[i] = x.iter().map(|x| x * x).sum();
                    }
                }
            }
        }
        self.barrier(Kind::Elementwise);
    }

    pub(super) fn norm_by(&self, x: SlotId, sums: SlotId, at: usize, len: usize, norm: RmsNorm) {
        let weight = self.state.weights.vector(norm.weight);
        for row in self.team.share(self.rows(x)) {
            // SAFETY: rows of `x` are divided among the threads; nobody writes the sums.
            let (x, sum) = unsafe { (self.row_mut(x, row), self.row(sums, row)[at]) };
            let scale = 1.0 / (sum / len as f32 + norm.eps).sqrt();
            x.iter_mut().zip(weight).for_each(|(x, w)| *x *= scale * w);
        }
        self.barrier(Kind::Elementwise);
    }
}
