//! AVX2 with FMA and F16C, and AVX-512F.

use std::arch::x86_64::*;

use super::Vector;

/// Eight lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256);

/// Sixteen lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m512);

const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

/// Methods that are one expression of intrinsics.
macro_rules! methods {
    ($($name:ident($($arg:tt)*) -> $out:ty { $($body:tt)* })+) => {$(
        #[inline(always)]
        unsafe fn $name($($arg)*) -> $out {
            // SAFETY: the caller's, see `Vector`: it has checked the processor and the pointer.
            unsafe { $($body)* }
        }
    )+};
}

impl Vector for Avx2 {
    const LANES: usize = 8;
    const TILE: usize = 2;

    methods! {
        splat(x: f32) -> Self { Self(_mm256_set1_ps(x)) }
        load(from: *const f32) -> Self { Self(_mm256_loadu_ps(from)) }
        load_f16(from: *const u16) -> Self { Self(_mm256_cvtph_ps(_mm_loadu_si128(from.cast()))) }
        load_i8(from: *const i8) -> Self {
            Self(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(from.cast()))))
        }
        store(self, to: *mut f32) -> () { _mm256_storeu_ps(to, self.0) }
        store_f16(self, to: *mut u16) -> () {
            _mm_storeu_si128(to.cast(), _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(self.0))
        }
        add(self, y: Self) -> Self { Self(_mm256_add_ps(self.0, y.0)) }
        sub(self, y: Self) -> Self { Self(_mm256_sub_ps(self.0, y.0)) }
        mul(self, y: Self) -> Self { Self(_mm256_mul_ps(self.0, y.0)) }
        div(self, y: Self) -> Self { Self(_mm256_div_ps(self.0, y.0)) }
        fma(self, y: Self, z: Self) -> Self { Self(_mm256_fmadd_ps(self.0, y.0, z.0)) }
        max(self, y: Self) -> Self { Self(_mm256_max_ps(self.0, y.0)) }
        min(self, y: Self) -> Self { Self(_mm256_min_ps(self.0, y.0)) }
        round(self) -> Self { Self(_mm256_round_ps::<NEAREST>(self.0)) }
        scale2(self, n: Self) -> Self {
            let exponent = _mm256_add_epi32(_mm256_cvtps_epi32(n.0), _mm256_set1_epi32(127));
            Self(_mm256_mul_ps(self.0, _mm256_castsi256_ps(_mm256_slli_epi32::<23>(exponent))))
        }
        where_at_least(self, x: Self, least: Self) -> Self {
            Self(_mm256_and_ps(self.0, _mm256_cmp_ps::<_CMP_GE_OQ>(x.0, least.0)))
        }
        sum(self) -> f32 {
            let half = _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let pair = _mm_add_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_add_ss(pair, _mm_movehdup_ps(pair)))
        }
        largest(self) -> f32 {
            let half = _mm_max_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let pair = _mm_max_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_max_ss(pair, _mm_movehdup_ps(pair)))
        }
    }
}

impl Vector for Avx512 {
    const LANES: usize = 16;
    const TILE: usize = 4;

    methods! {
        splat(x: f32) -> Self { Self(_mm512_set1_ps(x)) }
        load(from: *const f32) -> Self { Self(_mm512_loadu_ps(from)) }
        load_f16(from: *const u16) -> Self { Self(_mm512_cvtph_ps(_mm256_loadu_si256(from.cast()))) }
        load_i8(from: *const i8) -> Self {
            Self(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(from.cast()))))
        }
        store(self, to: *mut f32) -> () { _mm512_storeu_ps(to, self.0) }
        store_f16(self, to: *mut u16) -> () {
            _mm256_storeu_si256(to.cast(), _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(self.0))
        }
        add(self, y: Self) -> Self { Self(_mm512_add_ps(self.0, y.0)) }
        sub(self, y: Self) -> Self { Self(_mm512_sub_ps(self.0, y.0)) }
        mul(self, y: Self) -> Self { Self(_mm512_mul_ps(self.0, y.0)) }
        div(self, y: Self) -> Self { Self(_mm512_div_ps(self.0, y.0)) }
        fma(self, y: Self, z: Self) -> Self { Self(_mm512_fmadd_ps(self.0, y.0, z.0)) }
        max(self, y: Self) -> Self { Self(_mm512_max_ps(self.0, y.0)) }
        min(self, y: Self) -> Self { Self(_mm512_min_ps(self.0, y.0)) }
        round(self) -> Self { Self(_mm512_roundscale_ps::<NEAREST>(self.0)) }
        scale2(self, n: Self) -> Self { Self(_mm512_scalef_ps(self.0, n.0)) }
        where_at_least(self, x: Self, least: Self) -> Self {
            Self(_mm512_maskz_mov_ps(_mm512_cmp_ps_mask::<_CMP_GE_OQ>(x.0, least.0), self.0))
        }
        sum(self) -> f32 { _mm512_reduce_add_ps(self.0) }
        largest(self) -> f32 { _mm512_reduce_max_ps(self.0) }
    }
}
