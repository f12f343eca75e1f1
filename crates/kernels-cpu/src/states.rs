//! One token's change of a state of fixed size.

// Kernels over raw vectors; lengths are checked on entry.
#![allow(unsafe_code)]

use crate::activate::{self, Silu};
use crate::simd::{LANES_MAX, Vector};

/// `out[c] = silu(bias[c] + Σ_j weight[j, c] * rows[j][c])`
///
/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
pub(crate) unsafe fn convolve<V: Vector>(rows: &[&[f32]], weight: &[f32], bias: &[f32], out: &mut [f32]) {
    let channels = out.len();
    assert!(bias.len() == channels && weight.len() == rows.len() * channels);
    assert!(rows.iter().all(|row| row.len() == channels));
    let whole = channels - channels % V::LANES;
    let mut sums = [0.0; 512];
    // SAFETY: the caller's for the instructions; all accesses are below `channels`.
    unsafe {
        let mut c = 0;
        while c < whole {
            let mut sum = V::load(bias.as_ptr().add(c));
            for (j, row) in rows.iter().enumerate() {
                sum = V::load(row.as_ptr().add(c)).fma(V::load(weight.as_ptr().add(j * channels + c)), sum);
            }
            sum.store(out.as_mut_ptr().add(c));
            c += V::LANES;
        }
        for c in whole..channels {
            // As in whole vectors, so that a channel's bits do not depend on how many there are.
            let mut sum = V::splat(bias[c]);
            for (j, row) in rows.iter().enumerate() {
                sum = V::splat(row[c]).fma(V::splat(weight[j * channels + c]), sum);
            }
            let mut lanes = [0.0; LANES_MAX];
            sum.store(lanes.as_mut_ptr());
            out[c] = lanes[0];
        }
        // `x σ(x)`: a gate that opens for itself.
        for out in out.chunks_mut(sums.len()) {
            let sums = &mut sums[..out.len()];
            sums.copy_from_slice(out);
            out.fill(1.0);
            activate::gate::<V, Silu>(sums, out);
        }
    }
}

/// What one token brings to one head's state: see `tandem_tensor::Scan`.
pub(crate) struct Scanned<'a> {
    pub x: &'a [f32],
    pub b: &'a [f32],
    pub c: &'a [f32],
    pub step: f32,
    pub decay: f32,
    pub skip: f32,
}

/// Change `state`, `[state_dim, head_dim]`, and read it in the same pass.
///
/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
pub(crate) unsafe fn scan_step<V: Vector>(state: &mut [f32], token: &Scanned, out: &mut [f32]) {
    let head_dim = token.x.len();
    assert!(
        state.len() == token.b.len() * head_dim && token.c.len() == token.b.len() && out.len() == head_dim
    );
    let whole = head_dim - head_dim % V::LANES;
    out.iter_mut().zip(token.x).for_each(|(out, x)| *out = token.skip * x);
    // SAFETY: the caller's for the instructions; all accesses are below the lengths checked above.
    unsafe {
        for (i, row) in state.chunks_exact_mut(head_dim).enumerate() {
            let (add, read) = (token.b[i] * token.step, token.c[i]);
            let (adds, reads, decays) = (V::splat(add), V::splat(read), V::splat(token.decay));
            let mut j = 0;
            while j < whole {
                let kept = V::load(row.as_ptr().add(j)).mul(decays);
                let s = V::load(token.x.as_ptr().add(j)).fma(adds, kept);
                s.store(row.as_mut_ptr().add(j));
                s.fma(reads, V::load(out.as_ptr().add(j))).store(out.as_mut_ptr().add(j));
                j += V::LANES;
            }
            for j in whole..head_dim {
                row[j] = token.decay * row[j] + add * token.x[j];
                out[j] += read * row[j];
            }
        }
    }
}

/// What one token brings to one head's state: see `tandem_tensor::DeltaRule`.
pub(crate) struct Delta<'a> {
    /// Of unit length, the query also scaled.
    pub q: &'a [f32],
    pub k: &'a [f32],
    pub v: &'a [f32],
    /// One for all of a key, or one for each part.
    pub decay: &'a [f32],
    pub beta: f32,
}

/// Change `state`, `[key_dim, value_dim]`, and read it. `found` is working memory as long as `out`.
///
/// 1. One pass lets the state decay and looks up the key; a second writes the change and looks up the query.
/// 2. Values are the vectors' lanes, so that neither pass adds up within a vector.
///
/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
pub(crate) unsafe fn delta_step<V: Vector>(
    state: &mut [f32],
    token: &Delta,
    found: &mut [f32],
    out: &mut [f32],
) {
    let (key_dim, value_dim) = (token.k.len(), token.v.len());
    assert!(
        state.len() == key_dim * value_dim
            && token.q.len() == key_dim
            && [1, key_dim].contains(&token.decay.len())
            && found.len() == value_dim
            && out.len() == value_dim
    );
    let decay = |i: usize| token.decay[i % token.decay.len()];
    let whole = value_dim - value_dim % V::LANES;
    // SAFETY: the caller's for the instructions; all accesses are below the lengths checked above.
    unsafe {
        found.fill(0.0);
        for (i, row) in state.chunks_exact_mut(value_dim).enumerate() {
            let (g, k) = (decay(i), token.k[i]);
            let (gs, ks) = (V::splat(g), V::splat(k));
            let mut j = 0;
            while j < whole {
                let s = V::load(row.as_ptr().add(j)).mul(gs);
                s.store(row.as_mut_ptr().add(j));
                s.fma(ks, V::load(found.as_ptr().add(j))).store(found.as_mut_ptr().add(j));
                j += V::LANES;
            }
            for j in whole..value_dim {
                row[j] *= g;
                found[j] += row[j] * k;
            }
        }
        found.iter_mut().zip(token.v).for_each(|(found, v)| *found = token.beta * (v - *found));
        out.fill(0.0);
        for (i, row) in state.chunks_exact_mut(value_dim).enumerate() {
            let (k, q) = (token.k[i], token.q[i]);
            let (ks, qs) = (V::splat(k), V::splat(q));
            let mut j = 0;
            while j < whole {
                let s = V::load(found.as_ptr().add(j)).fma(ks, V::load(row.as_ptr().add(j)));
                s.store(row.as_mut_ptr().add(j));
                s.fma(qs, V::load(out.as_ptr().add(j))).store(out.as_mut_ptr().add(j));
                j += V::LANES;
            }
            for j in whole..value_dim {
                row[j] += found[j] * k;
                out[j] += row[j] * q;
            }
        }
    }
}
