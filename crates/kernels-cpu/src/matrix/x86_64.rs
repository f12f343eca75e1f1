//! Kernels for x86-64.

// Intrinsics, and outputs shared between threads.
#![allow(unsafe_code)]

pub(super) mod avx2;
pub(super) mod avx512;

use std::arch::x86_64::*;

use super::format::BLOCK;
use super::inputs::InputBlock;

/// [`InputBlock::quantize`] for consecutive blocks of one token, written `stride` blocks apart.
///
/// # Safety
/// The processor has AVX2 and F16C, and `to` is good for these blocks.
#[target_feature(enable = "avx2,fma,f16c")]
pub(super) unsafe fn quantize(x: &[[f32; BLOCK]], to: *mut InputBlock, stride: usize) {
    let magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(i32::MAX));
    for (i, x) in x.iter().enumerate() {
        // Plain loops: closures do not inherit the instruction set and would be calls.
        let mut v = [_mm256_setzero_ps(); 4];
        let mut a = [_mm256_setzero_ps(); 4];
        for j in 0..4 {
            // SAFETY: `x` is 32 floats.
            v[j] = unsafe { _mm256_loadu_ps(x.as_ptr().add(8 * j)) };
            a[j] = _mm256_and_ps(v[j], magnitude);
        }
        let a = _mm256_max_ps(_mm256_max_ps(a[0], a[1]), _mm256_max_ps(a[2], a[3]));
        let a = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
        let a = _mm_max_ps(a, _mm_movehl_ps(a, a));
        let largest = _mm_cvtss_f32(_mm_max_ss(a, _mm_movehdup_ps(a)));
        let d = largest / 127.0;
        let inverse = _mm256_set1_ps(if d > 0.0 { 1.0 / d } else { 0.0 });
        // Conversion rounds to nearest even.
        let mut q = [_mm256_setzero_si256(); 4];
        for j in 0..4 {
            q[j] = _mm256_cvtps_epi32(_mm256_mul_ps(v[j], inverse));
        }
        let mut sums = [0; 2];
        for half in 0..2 {
            let q = _mm256_add_epi32(q[2 * half], q[2 * half + 1]);
            let s = _mm_add_epi32(_mm256_castsi256_si128(q), _mm256_extracti128_si256::<1>(q));
            let s = _mm_add_epi32(s, _mm_shuffle_epi32::<0b01_00_11_10>(s));
            sums[half] = _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32::<0b10_11_00_01>(s)));
        }
        // Packing works within 128-bit halves; the permutation puts the words back in order.
        let words = [_mm256_packs_epi32(q[0], q[1]), _mm256_packs_epi32(q[2], q[3])];
        let bytes = _mm256_packs_epi16(words[0], words[1]);
        let bytes = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        // SAFETY: by contract the block is there and ours; its codes are 32 bytes.
        unsafe {
            let to = to.add(i * stride);
            _mm256_storeu_si256((&raw mut (*to).codes).cast(), bytes);
            (*to).scale = half_precision(d);
            (*to).minus_8_sums = [-8 * sums[0], -8 * sums[1]];
            (*to).sum = half_precision(d * (sums[0] + sums[1]) as f32);
        }
    }
}

/// [`inputs::half_precision`](super::inputs::half_precision) in two instructions.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn half_precision(x: f32) -> f32 {
    let rounded = _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm_set_ss(x))));
    if rounded.is_infinite() { x } else { rounded }
}
