//! Kernels for x86-64.

// Intrinsics, and outputs shared between threads.
#![allow(unsafe_code)]

pub(super) mod avx2;
pub(super) mod avx512;

use std::arch::x86_64::*;

use super::format::BLOCK;
use super::inputs::{InputBlock, half_precision};

/// [`InputBlock::quantize`] for consecutive blocks of one token, written `stride` blocks apart.
///
/// # Safety
/// The processor has AVX2 and F16C, and `to` is good for these blocks.
#[target_feature(enable = "avx2,fma,f16c")]
pub(super) unsafe fn quantize(x: &[[f32; BLOCK]], to: *mut InputBlock, stride: usize) {
    let magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(i32::MAX));
    for (i, x) in x.iter().enumerate() {
        // SAFETY: `x` is 32 floats.
        let v: [__m256; 4] = std::array::from_fn(|j| unsafe { _mm256_loadu_ps(x.as_ptr().add(8 * j)) });
        let a = v.map(|v| _mm256_and_ps(v, magnitude));
        let a = _mm256_max_ps(_mm256_max_ps(a[0], a[1]), _mm256_max_ps(a[2], a[3]));
        let a = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
        let a = _mm_max_ps(a, _mm_movehl_ps(a, a));
        let largest = _mm_cvtss_f32(_mm_max_ss(a, _mm_movehdup_ps(a)));
        let d = largest / 127.0;
        let inverse = _mm256_set1_ps(if d > 0.0 { 1.0 / d } else { 0.0 });
        // Conversion rounds to nearest even.
        let q = v.map(|v| _mm256_cvtps_epi32(_mm256_mul_ps(v, inverse)));
        let halves = [_mm256_add_epi32(q[0], q[1]), _mm256_add_epi32(q[2], q[3])];
        let sums = halves.map(|q| {
            let s = _mm_add_epi32(_mm256_castsi256_si128(q), _mm256_extracti128_si256::<1>(q));
            let s = _mm_add_epi32(s, _mm_shuffle_epi32::<0b01_00_11_10>(s));
            _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32::<0b10_11_00_01>(s)))
        });
        // Packing works within 128-bit halves; the permutation puts the words back in order.
        let words = [_mm256_packs_epi32(q[0], q[1]), _mm256_packs_epi32(q[2], q[3])];
        let bytes = _mm256_packs_epi16(words[0], words[1]);
        let bytes = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        // SAFETY: by contract the block is there and ours; its codes are 32 bytes.
        unsafe {
            let to = to.add(i * stride);
            _mm256_storeu_si256((&raw mut (*to).codes).cast(), bytes);
            (*to).scale = half_precision(d);
            (*to).minus_8_sums = sums.map(|sum| -8 * sum);
            (*to).sum = half_precision(d * (sums[0] + sums[1]) as f32);
        }
    }
}
