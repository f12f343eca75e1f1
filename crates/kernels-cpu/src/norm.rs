//! Norms of a row, and sums of rows.

// Kernels over raw vectors; every caller passes rows of equal length.
#![allow(unsafe_code)]

use tandem_tensor::sums;

use crate::simd::Vector;

/// `out = x / rms(x) * weight`
///
/// # Safety
/// The processor has `V`'s instruction set.
#[inline(always)]
pub(crate) unsafe fn rms_norm<V: Vector>(x: &[f32], weight: &[f32], eps: f32, out: &mut [f32]) {
    let len = x.len();
    assert!(weight.len() == len && out.len() == len);
    let (x, weight, out) = (x.as_ptr(), weight.as_ptr(), out.as_mut_ptr());
    let whole = len - len % V::LANES;
    // SAFETY: the caller's for the instructions; all accesses are below `len`.
    unsafe {
        let mut squares = [V::zero(); 4];
        let mut i = 0;
        while i + 4 * V::LANES <= len {
            for (lane, sum) in squares.iter_mut().enumerate() {
                let value = V::load(x.add(i + lane * V::LANES));
                *sum = value.fma(value, *sum);
            }
            i += 4 * V::LANES;
        }
        while i < whole {
            let value = V::load(x.add(i));
            squares[0] = value.fma(value, squares[0]);
            i += V::LANES;
        }
        let mut sum = squares[0].add(squares[1]).add(squares[2].add(squares[3])).sum();
        for i in whole..len {
            sum += *x.add(i) * *x.add(i);
        }
        let scale = 1.0 / (sum / len as f32 + eps).sqrt();
        let scales = V::splat(scale);
        let mut i = 0;
        while i < whole {
            V::load(x.add(i)).mul(scales.mul(V::load(weight.add(i)))).store(out.add(i));
            i += V::LANES;
        }
        for i in whole..len {
            *out.add(i) = *x.add(i) * (scale * *weight.add(i));
        }
    }
}

/// `x = (x - mean(x)) / deviation(x) * weight + bias`
pub(crate) fn layer_norm(x: &mut [f32], (weight, bias, eps): (&[f32], &[f32], f32)) {
    let len = x.len() as f32;
    let mean = x.iter().sum::<f32>() / len;
    let variance = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / len;
    let scale = 1.0 / (variance + eps).sqrt();
    for ((x, weight), bias) in x.iter_mut().zip(weight).zip(bias) {
        *x = (*x - mean) * scale * weight + bias;
    }
}

/// `out = x + y`
///
/// # Safety
/// The processor has `V`'s instruction set, and the three have `len` values each; `out` may be `x`.
#[inline(always)]
pub(crate) unsafe fn add<V: Vector>(x: *const f32, y: *const f32, out: *mut f32, len: usize) {
    let whole = len - len % V::LANES;
    // SAFETY: the caller's; all accesses are below `len`.
    unsafe {
        let mut i = 0;
        while i < whole {
            V::load(x.add(i)).add(V::load(y.add(i))).store(out.add(i));
            i += V::LANES;
        }
        for i in whole..len {
            *out.add(i) = *x.add(i) + *y.add(i);
        }
    }
}

/// Cut `factor * x` in two and add up the parts; those of the `first` are what there is to begin with.
///
/// # Safety
/// The processor has `V`'s instruction set, and the three have `len` values each.
#[inline(always)]
pub(crate) unsafe fn add_split<V: Vector>(
    x: *const f32,
    factor: f32,
    first: bool,
    coarse: *mut f32,
    fine: *mut f32,
    len: usize,
) {
    let whole = len - len % V::LANES;
    // SAFETY: the caller's; all accesses are below `len`.
    unsafe {
        let (weighed, factors) = (factor != 1.0, V::splat(factor));
        let (to_coarse, to_fine) = (V::splat(sums::TO_COARSE), V::splat(sums::TO_FINE));
        let mut i = 0;
        while i < whole {
            let mut x = V::load(x.add(i));
            if weighed {
                x = x.mul(factors);
            }
            let mut parts = [x.add(to_coarse).sub(to_coarse), V::zero()];
            parts[1] = x.sub(parts[0]).add(to_fine).sub(to_fine);
            if !first {
                parts = [V::load(coarse.add(i)).add(parts[0]), V::load(fine.add(i)).add(parts[1])];
            }
            parts[0].store(coarse.add(i));
            parts[1].store(fine.add(i));
            i += V::LANES;
        }
        for i in whole..len {
            let parts = sums::split(factor * *x.add(i));
            let before = if first { [0.0; 2] } else { [*coarse.add(i), *fine.add(i)] };
            *coarse.add(i) = before[0] + parts[0];
            *fine.add(i) = before[1] + parts[1];
        }
    }
}

/// `out += factor * x`
///
/// # Safety
/// The processor has `V`'s instruction set, and both have `len` values.
#[inline(always)]
pub(crate) unsafe fn add_scaled<V: Vector>(x: *const f32, factor: f32, out: *mut f32, len: usize) {
    let whole = len - len % V::LANES;
    // SAFETY: the caller's; all accesses are below `len`.
    unsafe {
        let factors = V::splat(factor);
        let mut i = 0;
        while i < whole {
            V::load(x.add(i)).fma(factors, V::load(out.add(i))).store(out.add(i));
            i += V::LANES;
        }
        for i in whole..len {
            *out.add(i) += factor * *x.add(i);
        }
    }
}
