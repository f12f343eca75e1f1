//! One vocabulary for vectors of `f32`, so that an algorithm is written once.
//!
//! A kernel is a function generic over [`Vector`], always inlined into one wrapper per instruction
//! set (see `kernels.rs`); the wrapper carries the `target_feature` and so decides what is emitted.
//! Nothing here checks the processor: `kernels.rs` does, once.

// Vectors are loaded through raw pointers, and the wrappers promise the instruction set.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
pub(crate) mod portable;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

/// Lanes of the widest vector.
pub(crate) const LANES_MAX: usize = 16;

/// A register of `f32` lanes.
///
/// # Safety
/// All methods need a processor with the implementor's instruction set; those that take a pointer
/// read or write `LANES` values there, at any alignment.
pub(crate) trait Vector: Copy {
    const LANES: usize;
    /// Vectors of a row that a tile of four rows keeps in registers: 4 where there are 32 registers, else 2.
    const TILE: usize;

    unsafe fn splat(x: f32) -> Self;
    unsafe fn load(from: *const f32) -> Self;
    unsafe fn load_f16(from: *const u16) -> Self;
    unsafe fn load_i8(from: *const i8) -> Self;
    unsafe fn store(self, to: *mut f32);
    /// Rounded to nearest even.
    unsafe fn store_f16(self, to: *mut u16);
    unsafe fn add(self, y: Self) -> Self;
    unsafe fn sub(self, y: Self) -> Self;
    unsafe fn mul(self, y: Self) -> Self;
    unsafe fn div(self, y: Self) -> Self;
    /// `self * y + z`
    unsafe fn fma(self, y: Self, z: Self) -> Self;
    unsafe fn max(self, y: Self) -> Self;
    unsafe fn min(self, y: Self) -> Self;
    /// Nearest integer, as a float.
    unsafe fn round(self) -> Self;
    /// `self * 2^n`, for integral `n` from -126 to 127.
    unsafe fn scale2(self, n: Self) -> Self;
    /// `self` where `x >= least`, zero elsewhere.
    unsafe fn where_at_least(self, x: Self, least: Self) -> Self;
    unsafe fn sum(self) -> f32;
    unsafe fn largest(self) -> f32;

    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: as this function's own.
        unsafe { Self::splat(0.0) }
    }
}

/// A stored value that a [`Vector`] can be loaded from.
pub(crate) trait Element: Copy {
    /// # Safety
    /// As [`Vector`]'s loads.
    unsafe fn load<V: Vector>(from: *const Self) -> V;
}

impl Element for f32 {
    #[inline(always)]
    unsafe fn load<V: Vector>(from: *const f32) -> V {
        // SAFETY: the caller's.
        unsafe { V::load(from) }
    }
}

/// The bits of an `f16`.
impl Element for u16 {
    #[inline(always)]
    unsafe fn load<V: Vector>(from: *const u16) -> V {
        // SAFETY: the caller's.
        unsafe { V::load_f16(from) }
    }
}

/// `e^x` within 2 ulp; zero below -87.
///
/// 1. `x = n ln 2 + r` with `|r| <= ln 2 / 2`, the product subtracted in two parts.
/// 2. `e^r` by a polynomial of degree 6 fitted to that interval.
/// 3. `n` is added to the exponent.
///
/// # Safety
/// As [`Vector`].
#[inline(always)]
pub(crate) unsafe fn exp<V: Vector>(x: V) -> V {
    // SAFETY: the caller's.
    unsafe {
        let least = V::splat(-87.0);
        let clamped = x.max(least).min(V::splat(88.0));
        let n = clamped.mul(V::splat(std::f32::consts::LOG2_E)).round();
        let r = n.fma(V::splat(-0.693_145_75), clamped);
        let r = n.fma(V::splat(-1.428_606_8e-6), r);
        let mut p = V::splat(1.388_888_9e-3);
        for coefficient in [8.333_333e-3, 4.166_666_8e-2, 0.166_666_67, 0.5, 1.0, 1.0] {
            p = p.fma(r, V::splat(coefficient));
        }
        p.scale2(n).where_at_least(x, least)
    }
}
