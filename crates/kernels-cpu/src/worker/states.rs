//! Layers that keep a state of fixed size: units of work are a sequence and some channels, or a sequence and a head.

// Threads write disjoint parts of shared buffers; what is disjoint is said at each place.
#![allow(unsafe_code)]

use tandem_tensor::{Convolve, DeltaRule, Kind, Scan, Span, StateId};

use super::Worker;
use crate::plan::SlotId;
use crate::states::{Delta, Scanned};

/// Taps of the longest convolution.
const KERNEL_MAX: usize = 8;

impl Worker<'_, '_> {
    pub(super) fn convolve(&self, op: &Convolve, x: SlotId, out: SlotId) {
        let (state, channels) = (self.state, self.state.width(x));
        let weight = state.weights.vector(op.weight);
        let kernel = weight.len() / channels;
        assert!((2..=KERNEL_MAX).contains(&kernel), "a convolution of {kernel} taps");
        let share = self.team.share(channels);
        let len = share.len();
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let taps = unsafe { &mut (*self.own()).taps };
        // Transposed, so that channels are lanes.
        let taps = &mut taps[..kernel * len];
        for (j, taps) in taps.chunks_exact_mut(len.max(1)).enumerate() {
            taps.iter_mut().zip(share.clone()).for_each(|(tap, c)| *tap = weight[c * kernel + j]);
        }
        let zeros = &state.zeros[..len];
        let bias = op.bias.map_or(zeros, |bias| &state.weights.vector(bias)[share.clone()]);
        let mut row = 0;
        for span in self.view.batch.spans.iter().filter(|_| len > 0) {
            let rows = span.rows as usize;
            // SAFETY: channels are divided among the threads, of the rows, of the output and of the states; places of
            // a sequence that goes on are its own, and a place that is only read is written by nobody in this step.
            unsafe {
                let (from, to) = self.places(op.state, span, (kernel - 1) * channels);
                let before = |age: usize| match span.start {
                    0 => zeros,
                    // The last row before this step has age 1.
                    _ => slice(from, (kernel - 1 - age) * channels + share.start, len),
                };
                let new = |t: usize| slice(self.values(x), (row + t) * channels + share.start, len);
                let at = |t: usize| if t < kernel - 1 { before(kernel - 1 - t) } else { new(t + 1 - kernel) };
                for t in 0..rows {
                    let window: [&[f32]; KERNEL_MAX] = std::array::from_fn(|j| at(t + j.min(kernel - 1)));
                    let out = slice_mut(self.values(out), (row + t) * channels + share.start, len);
                    (state.kernels.convolve)(&window[..kernel], taps, bias, out);
                }
                // Oldest first: a row moves down before the one after it is written over.
                for j in 0..kernel - 1 {
                    let kept = at(rows + j).as_ptr();
                    std::ptr::copy(kept, to.add(j * channels + share.start), len);
                }
            }
            row += rows;
        }
        self.barrier(Kind::State);
    }

    pub(super) fn delta_rule(&self, op: &DeltaRule, inputs: [SlotId; 5], out: SlotId) {
        let state = self.state;
        let [q, k, v, decay, beta] = inputs;
        let (key_dim, value_dim) = (state.width(q) / op.key_heads, state.width(v) / op.heads);
        let (group, decays) = (op.heads / op.key_heads, state.width(decay) / op.heads);
        let (rate, bias) = (state.weights.vector(op.rate), state.weights.vector(op.bias));
        let len = key_dim * value_dim;
        // SAFETY: this thread's own, and borrowed nowhere else in this operator.
        let own = unsafe { &mut *self.own() };
        let (unit_q, rest) = own.row.split_at_mut(key_dim);
        let (unit_k, rest) = rest.split_at_mut(key_dim);
        let factors = &mut rest[..decays];
        let found = &mut own.gate[..value_dim];
        let units = self.view.batch.spans.len() * op.heads;
        for unit in self.team.share(units) {
            let (index, head) = (unit / op.heads, unit % op.heads);
            let span = &self.view.batch.spans[index];
            let row: usize = self.view.batch.spans[..index].iter().map(|span| span.rows as usize).sum();
            // SAFETY: heads of sequences are divided among the threads, of the output and of the states; nobody writes
            // the inputs.
            let memory = unsafe { self.memory(op.state, span, head, op.heads, len) };
            for row in row..row + span.rows as usize {
                // SAFETY: see above.
                let of = |slot: SlotId, head: usize, dim: usize| unsafe {
                    slice(self.values(slot), row * state.width(slot) + head * dim, dim)
                };
                unit_length(of(q, head / group, key_dim), 1.0 / (key_dim as f32).sqrt(), unit_q);
                unit_length(of(k, head / group, key_dim), 1.0, unit_k);
                let biases = &bias[head * decays..][..decays];
                for ((factor, x), bias) in factors.iter_mut().zip(of(decay, head, decays)).zip(biases) {
                    *factor = match op.floor {
                        None => (rate[head] * softplus(x + bias)).exp(),
                        Some(floor) => (floor / (1.0 + (rate[head] * (x + bias)).exp())).exp(),
                    };
                }
                let beta = 1.0 / (1.0 + (-of(beta, head, 1)[0]).exp());
                let v = of(v, head, value_dim);
                let token = Delta { q: unit_q, k: unit_k, v, decay: factors, beta };
                // SAFETY: see above; the kernels were chosen for this processor.
                unsafe {
                    let out = slice_mut(self.values(out), (row * op.heads + head) * value_dim, value_dim);
                    (state.kernels.delta_step)(memory, &token, found, out);
                }
            }
        }
        self.barrier(Kind::State);
    }

    pub(super) fn scan(&self, op: &Scan, [x, b, c, step]: [SlotId; 4], out: SlotId) {
        let state = self.state;
        let (head_dim, state_dim) = (state.width(x) / op.heads, state.width(b) / op.groups);
        let group = op.heads / op.groups;
        let [rate, bias, skip] = [op.rate, op.bias, op.skip].map(|id| state.weights.vector(id));
        let units = self.view.batch.spans.len() * op.heads;
        for unit in self.team.share(units) {
            let (index, head) = (unit / op.heads, unit % op.heads);
            let span = &self.view.batch.spans[index];
            let row: usize = self.view.batch.spans[..index].iter().map(|span| span.rows as usize).sum();
            // SAFETY: as in `delta_rule`.
            let memory = unsafe { self.memory(op.state, span, head, op.heads, state_dim * head_dim) };
            for row in row..row + span.rows as usize {
                // SAFETY: as in `delta_rule`; the kernels were chosen for this processor.
                unsafe {
                    let of = |slot: SlotId, head: usize, dim: usize| {
                        slice(self.values(slot), row * state.width(slot) + head * dim, dim)
                    };
                    let step = softplus(of(step, head, 1)[0] + bias[head]).clamp(op.least, op.most);
                    let token = Scanned {
                        x: of(x, head, head_dim),
                        b: of(b, head / group, state_dim),
                        c: of(c, head / group, state_dim),
                        step,
                        decay: (rate[head] * step).exp(),
                        skip: skip[head],
                    };
                    let out = slice_mut(self.values(out), (row * op.heads + head) * head_dim, head_dim);
                    (state.kernels.scan_step)(memory, &token, out);
                }
            }
        }
        self.barrier(Kind::State);
    }

    /// One head's part, `len` values of so many, of a sequence's state: as this step finds it, where it is to be left.
    ///
    /// # Safety
    /// Nobody else touches it while the slice lives. A place that is only read is written by nobody in this step.
    #[allow(clippy::mut_from_ref)]
    unsafe fn memory(
        &self,
        state: StateId,
        span: &Span,
        head: usize,
        heads: usize,
        len: usize,
    ) -> &mut [f32] {
        // SAFETY: the state has this part for each head; the rest is the caller's.
        unsafe {
            let (from, to) = self.places(state, span, heads * len);
            let (from, to) = (from.add(head * len), to.add(head * len));
            match span.start {
                0 => std::ptr::write_bytes(to, 0, len),
                _ if from != to.cast_const() => std::ptr::copy_nonoverlapping(from, to, len),
                _ => {}
            }
            std::slice::from_raw_parts_mut(to, len)
        }
    }

    /// Where a sequence's state is read and written.
    ///
    /// # Safety
    /// The state has `len` values.
    pub(super) unsafe fn places(&self, state: StateId, span: &Span, len: usize) -> (*const f32, *mut f32) {
        let first = self.state.states[state.index()].as_mut_ptr().cast::<f32>();
        // SAFETY: the session checked that the places exist.
        unsafe {
            (first.add(span.state_from as usize * len).cast_const(), first.add(span.state as usize * len))
        }
    }
}

/// # Safety
/// The values exist, and nobody writes them while the slice lives.
unsafe fn slice<'a>(from: *const f32, first: usize, len: usize) -> &'a [f32] {
    // SAFETY: the caller's.
    unsafe { std::slice::from_raw_parts(from.add(first), len) }
}

/// # Safety
/// The values exist, and nobody else touches them while the slice lives.
unsafe fn slice_mut<'a>(from: *mut f32, first: usize, len: usize) -> &'a mut [f32] {
    // SAFETY: the caller's.
    unsafe { std::slice::from_raw_parts_mut(from.add(first), len) }
}

fn unit_length(x: &[f32], scale: f32, out: &mut [f32]) {
    let squares: f32 = x.iter().map(|x| x * x).sum();
    let scale = scale / (squares + DeltaRule::EPS).sqrt();
    out.iter_mut().zip(x).for_each(|(out, x)| *out = x * scale);
}

/// `ln(1 + e^x)`
fn softplus(x: f32) -> f32 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
