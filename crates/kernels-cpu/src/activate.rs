//! The activations of gated layers.

// Kernels over raw vectors; the slices' lengths are checked on entry.
#![allow(unsafe_code)]

use tandem_tensor::Activation;

use crate::simd::{LANES_MAX, Vector, exp};

/// How a gate and what it gates become one, lane by lane.
pub(crate) trait Curve {
    /// # Safety
    /// The processor has `V`'s instruction set.
    unsafe fn at<V: Vector>(gate: V, up: V) -> V;
}

/// `gate / (1 + e^-gate) * up`
pub(crate) struct Silu;

impl Curve for Silu {
    #[inline(always)]
    unsafe fn at<V: Vector>(gate: V, up: V) -> V {
        // SAFETY: the caller's.
        unsafe { gate.div(V::splat(1.0).add(exp(V::zero().sub(gate)))).mul(up) }
    }
}

/// The tanh approximation, which is `x σ(2 √(2/π) (x + 0.044715 x³))`, times `up`.
pub(crate) struct Gelu;

impl Curve for Gelu {
    #[inline(always)]
    unsafe fn at<V: Vector>(gate: V, up: V) -> V {
        // SAFETY: the caller's.
        unsafe {
            let inner = gate.mul(gate).mul(gate).fma(V::splat(0.044_715), gate);
            gate.div(V::splat(1.0).add(exp(inner.mul(V::splat(-1.595_769))))).mul(up)
        }
    }
}

/// [`Activation::ClampedSwiglu`]
pub(crate) struct ClampedSwiglu;

impl Curve for ClampedSwiglu {
    #[inline(always)]
    unsafe fn at<V: Vector>(gate: V, up: V) -> V {
        // SAFETY: the caller's.
        unsafe {
            let limit = V::splat(Activation::SWIGLU_LIMIT);
            let gate = gate.min(limit);
            let up = up.min(limit).max(V::splat(-Activation::SWIGLU_LIMIT));
            let inner = gate.mul(V::splat(-Activation::SWIGLU_ALPHA));
            gate.div(V::splat(1.0).add(exp(inner))).mul(up.add(V::splat(1.0)))
        }
    }
}

/// `up σ(gate)`
pub(crate) struct Sigmoid;

impl Curve for Sigmoid {
    #[inline(always)]
    unsafe fn at<V: Vector>(gate: V, up: V) -> V {
        // SAFETY: the caller's.
        unsafe { up.div(V::splat(1.0).add(exp(V::zero().sub(gate)))) }
    }
}

/// [`Activation::LimitedSilu`], for the few layers that have it: no vectors.
pub(crate) fn limited_gate(limit: f32, gate: &[f32], up: &mut [f32]) {
    for (gate, up) in gate.iter().zip(up) {
        *up = (gate / (1.0 + (-gate).exp())).min(limit) * up.clamp(-limit, limit);
    }
}

/// [`Activation::ClampedSilu`]: both sides are clamped, some at a time, and then taken as usual.
///
/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
pub(crate) unsafe fn clamped_silu<V: Vector>(limit: f32, gates: &[f32], ups: &mut [f32]) {
    const PIECE: usize = 256;
    let mut clamped = [0.0; PIECE];
    for (gates, ups) in gates.chunks(PIECE).zip(ups.chunks_mut(PIECE)) {
        let clamped = &mut clamped[..gates.len()];
        clamped.iter_mut().zip(gates).for_each(|(to, gate)| *to = gate.min(limit));
        ups.iter_mut().for_each(|up| *up = up.clamp(-limit, limit));
        // SAFETY: the caller's.
        unsafe { gate::<V, Silu>(clamped, ups) };
    }
}

/// [`Activation::Situ`]; a second number of 0 leaves what is gated as it is.
///
/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
pub(crate) unsafe fn situ<V: Vector>([beta, linear]: [f32; 2], gates: &[f32], ups: &mut [f32]) {
    const PIECE: usize = 256;
    let mut bent = [0.0; PIECE];
    for (gates, ups) in gates.chunks(PIECE).zip(ups.chunks_mut(PIECE)) {
        let bent = &mut bent[..gates.len()];
        bent.copy_from_slice(gates);
        // SAFETY: the caller's.
        unsafe {
            bend::<V>(beta, bent);
            if linear != 0.0 {
                bend::<V>(linear, ups);
            }
            gate::<V, Sigmoid>(gates, ups);
        }
        ups.iter_mut().zip(bent).for_each(|(up, bent)| *up *= *bent);
    }
}

/// `x = by * tanh(x / by)`, which is `by * (2 σ(2 x / by) - 1)`.
///
/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
unsafe fn bend<V: Vector>(by: f32, x: &mut [f32]) {
    const PIECE: usize = 256;
    let mut twice = [0.0; PIECE];
    for x in x.chunks_mut(PIECE) {
        let twice = &mut twice[..x.len()];
        twice.iter_mut().zip(x.iter()).for_each(|(twice, x)| *twice = *x * (2.0 / by));
        x.fill(2.0 * by);
        // SAFETY: the caller's.
        unsafe { gate::<V, Sigmoid>(twice, x) };
        x.iter_mut().for_each(|x| *x -= by);
    }
}

/// `up = curve(gate, up)`
///
/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
pub(crate) unsafe fn gate<V: Vector, C: Curve>(gate: &[f32], up: &mut [f32]) {
    assert_eq!(gate.len(), up.len());
    let whole = gate.len() - gate.len() % V::LANES;
    // SAFETY: the caller's for the instructions; whole vectors lie below `whole`, and the rest goes
    // through arrays long enough for any vector.
    unsafe {
        let mut i = 0;
        while i < whole {
            let to = up.as_mut_ptr().add(i);
            C::at(V::load(gate.as_ptr().add(i)), V::load(to)).store(to);
            i += V::LANES;
        }
        let rest = gate.len() - whole;
        if rest > 0 {
            let (mut x, mut y) = ([0.0; LANES_MAX], [0.0; LANES_MAX]);
            x[..rest].copy_from_slice(&gate[whole..]);
            y[..rest].copy_from_slice(&up[whole..]);
            C::at(V::load(x.as_ptr()), V::load(y.as_ptr())).store(y.as_mut_ptr());
            up[whole..].copy_from_slice(&y[..rest]);
        }
    }
}
