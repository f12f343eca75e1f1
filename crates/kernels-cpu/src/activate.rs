//! The activations of gated layers.

// Kernels over raw vectors; the slices' lengths are checked on entry.
#![allow(unsafe_code)]

use crate::simd::{LANES_MAX, Vector, exp};

/// A function applied lane by lane.
pub(crate) trait Curve {
    /// # Safety
    /// The processor has `V`'s instruction set.
    unsafe fn at<V: Vector>(x: V) -> V;
}

/// `x / (1 + e^-x)`
pub(crate) struct Silu;

impl Curve for Silu {
    #[inline(always)]
    unsafe fn at<V: Vector>(x: V) -> V {
        // SAFETY: the caller's.
        unsafe { x.div(V::splat(1.0).add(exp(V::zero().sub(x)))) }
    }
}

/// The tanh approximation, which is `x σ(2 √(2/π) (x + 0.044715 x³))`.
pub(crate) struct Gelu;

impl Curve for Gelu {
    #[inline(always)]
    unsafe fn at<V: Vector>(x: V) -> V {
        // SAFETY: the caller's.
        unsafe {
            let inner = x.mul(x).mul(x).fma(V::splat(0.044_715), x);
            x.div(V::splat(1.0).add(exp(inner.mul(V::splat(-1.595_769)))))
        }
    }
}

/// `up = curve(gate) * up`
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
            C::at(V::load(gate.as_ptr().add(i))).mul(V::load(to)).store(to);
            i += V::LANES;
        }
        let rest = gate.len() - whole;
        if rest > 0 {
            let (mut x, mut y) = ([0.0; LANES_MAX], [0.0; LANES_MAX]);
            x[..rest].copy_from_slice(&gate[whole..]);
            y[..rest].copy_from_slice(&up[whole..]);
            C::at(V::load(x.as_ptr())).mul(V::load(y.as_ptr())).store(y.as_mut_ptr());
            up[whole..].copy_from_slice(&y[..rest]);
        }
    }
}
