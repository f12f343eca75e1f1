//! Searches for the scale (and minimum) with which a group of values loses least when rounded.
//!
//! Each tries a handful of scales near the obvious one, rounds with each, solves for the scale that fits those
//! codes best in weighted least squares, and keeps the winner.

use super::codebook::IQ4_VALUES;

/// Below this a group is all zero for our purposes: its scale would not survive being a half float.
const ZERO_BELOW: f32 = 1e-15;

/// Symmetric codes `-max_code..max_code`, each value weighing as its square: Q6_K's sub-blocks.
pub(super) fn symmetric_scale<const N: usize>(x: &[f32; N], max_code: f32) -> f32 {
    let extreme = extreme(x);
    if extreme.abs() < ZERO_BELOW {
        return 0.0;
    }
    let (mut scale, mut best) = (0.0, 0.0);
    // The obvious scale first, so that a tie keeps it.
    for step in [0, -9, -8, -7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9] {
        let inverse = -(max_code + 0.1 * step as f32) / extreme;
        let codes: [f32; N] = std::array::from_fn(|i| round(inverse * x[i]).clamp(-max_code, max_code - 1.0));
        let sum_lx = sum::<N>(|i| x[i] * x[i] * x[i] * codes[i]);
        let sum_l2 = sum::<N>(|i| x[i] * x[i] * codes[i] * codes[i]);
        if sum_l2 > 0.0 && sum_lx * sum_lx > best * sum_l2 {
            scale = sum_lx / sum_l2;
            best = scale * sum_lx;
        }
    }
    scale
}

/// As [`symmetric_scale`] for the few codes of Q3_K: improves one code at a time instead of trying scales.
pub(super) fn coarse_symmetric_scale<const N: usize>(x: &[f32; N], max_code: f32) -> f32 {
    let extreme = extreme(x);
    if extreme.abs() < ZERO_BELOW {
        return 0.0;
    }
    let inverse = -max_code / extreme;
    let code = |v: f32| round(v).clamp(-max_code, max_code - 1.0);
    let mut codes: [f32; N] = std::array::from_fn(|i| code(inverse * x[i]));
    let mut sum_lx = sum::<N>(|i| x[i] * x[i] * x[i] * codes[i]);
    let mut sum_l2 = sum::<N>(|i| x[i] * x[i] * codes[i] * codes[i]);
    for _ in 0..5 {
        let mut changed = false;
        for i in 0..N {
            let weight = x[i] * x[i];
            let others_lx = sum_lx - weight * x[i] * codes[i];
            let others_l2 = sum_l2 - weight * codes[i] * codes[i];
            if others_lx <= 0.0 {
                continue;
            }
            let better = code(x[i] * others_l2 / others_lx);
            if better == codes[i] {
                continue;
            }
            let new_lx = others_lx + weight * x[i] * better;
            let new_l2 = others_l2 + weight * better * better;
            if new_l2 > 0.0 && new_lx * new_lx * sum_l2 > sum_lx * sum_lx * new_l2 {
                (codes[i], sum_lx, sum_l2, changed) = (better, new_lx, new_l2, true);
            }
        }
        if !changed {
            break;
        }
    }
    if sum_l2 > 0.0 { sum_lx / sum_l2 } else { 0.0 }
}

/// What [`affine`] tries and how it judges.
pub(super) struct AffineSearch {
    /// Codes are `0..=max_code`.
    pub max_code: f32,
    /// The tried scales spread the range over `max_code + first + step * (0..=steps)` codes.
    pub first: f32,
    pub step: f32,
    pub steps: usize,
    /// Judge by absolute error rather than by squares.
    pub absolute: bool,
}

/// The `(scale, min)`, both not negative, for which `scale * code - min` fits best under `weights`.
pub(super) fn affine<const N: usize>(x: &[f32; N], weights: &[f32; N], search: &AffineSearch) -> (f32, f32) {
    let (low, high) = x.iter().fold((x[0], x[0]), |(low, high), &v| (v.min(low), v.max(high)));
    let low = low.min(0.0);
    if low == high {
        return (0.0, -low);
    }
    // Codes counted from `low`, `levels` of them up to the highest value.
    let codes_from = |low: f32, levels: f32| -> [f32; N] {
        let inverse = levels / (high - low);
        std::array::from_fn(|i| round(inverse * (x[i] - low)).clamp(0.0, search.max_code))
    };
    let error_of = |codes: &[f32; N], scale: f32, min: f32| {
        if search.absolute {
            sum::<N>(|i| weights[i] * (scale * codes[i] + min - x[i]).abs())
        } else {
            sum::<N>(|i| weights[i] * (scale * codes[i] + min - x[i]) * (scale * codes[i] + min - x[i]))
        }
    };

    let sum_w = sum::<N>(|i| weights[i]);
    let sum_x = sum::<N>(|i| weights[i] * x[i]);
    let mut best = ((high - low) / search.max_code, low);
    let mut best_error = error_of(&codes_from(low, search.max_code), best.0, best.1);
    for step in 0..=search.steps {
        // From the best minimum so far: a better one found early makes the later tries better too.
        let codes = codes_from(best.1, search.first + search.step * step as f32 + search.max_code);
        let sum_l = sum::<N>(|i| weights[i] * codes[i]);
        let sum_l2 = sum::<N>(|i| weights[i] * codes[i] * codes[i]);
        let sum_xl = sum::<N>(|i| weights[i] * codes[i] * x[i]);
        let determinant = sum_w * sum_l2 - sum_l * sum_l;
        if determinant <= 0.0 {
            continue;
        }
        let mut scale = (sum_w * sum_xl - sum_x * sum_l) / determinant;
        let mut min = (sum_l2 * sum_x - sum_l * sum_xl) / determinant;
        if min > 0.0 {
            (scale, min) = (sum_xl / sum_l2, 0.0);
        }
        let error = error_of(&codes, scale, min);
        if error < best_error {
            (best, best_error) = ((scale, min), error);
        }
    }
    (best.0, -best.1)
}

/// The best scale for 32 values coded by [`IQ4_VALUES`], each weighing as its square.
pub(super) fn iq4_scale(x: &[f32; 32]) -> f32 {
    let extreme = extreme(x);
    if extreme.abs() < ZERO_BELOW {
        return 0.0;
    }
    let first = IQ4_VALUES[0] as f32;
    let (mut scale, mut best) = (0.0, 0.0);
    let mut consider = |inverse: f32| {
        let values: [f32; 32] =
            std::array::from_fn(|i| IQ4_VALUES[iq4_index(inverse * x[i]) as usize] as f32);
        let sum_qx = sum::<32>(|i| x[i] * x[i] * x[i] * values[i]);
        let sum_q2 = sum::<32>(|i| x[i] * x[i] * values[i] * values[i]);
        if sum_q2 > 0.0 && sum_qx * sum_qx > best * sum_q2 {
            scale = sum_qx / sum_q2;
            best = scale * sum_qx;
        }
    };
    // The extreme value at either end of the lopsided table, then neighbours of the longer end.
    consider(-first / extreme);
    for step in -7..=7 {
        consider((first + step as f32) / extreme);
    }
    scale
}

/// The index of the nearest of [`IQ4_VALUES`]; the upper of two equally near.
pub(super) fn iq4_index(v: f32) -> u8 {
    /// Halfway between neighbours.
    const BOUNDS: [f32; 15] = {
        let mut bounds = [0.0; 15];
        let mut i = 0;
        while i < 15 {
            bounds[i] = (IQ4_VALUES[i] as f32 + IQ4_VALUES[i + 1] as f32) / 2.0;
            i += 1;
        }
        bounds
    };
    BOUNDS.iter().map(|&bound| (v >= bound) as u8).sum()
}

/// The value of largest magnitude, with its sign; the first of equals.
pub(super) fn extreme(x: &[f32]) -> f32 {
    x.iter().fold(0.0, |best: f32, &v| if v.abs() > best.abs() { v } else { best })
}

/// Nearest whole number, ties to even, for magnitudes below 2^22, where it needs no library call and vectorises;
/// larger ones come out no smaller than that, and every caller clamps.
pub(super) fn round(v: f32) -> f32 {
    const SHIFT: f32 = 12_582_912.0; // 1.5 * 2^23: adding it pushes the fraction out of the mantissa.
    (v + SHIFT) - SHIFT
}

/// Sum of `f(0..N)` over eight running sums, which lets the compiler use vector registers.
fn sum<const N: usize>(f: impl Fn(usize) -> f32) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0f32; LANES];
    for start in (0..N).step_by(LANES) {
        for lane in 0..LANES {
            sums[lane] += f(start + lane);
        }
    }
    sums.iter().sum()
}
