//! Eight lanes in an array: plain code that compilers turn into whatever vectors the target has.

use half::f16;

use super::Vector;

#[derive(Clone, Copy)]
pub(crate) struct Lanes([f32; 8]);

macro_rules! lanewise {
    ($a:expr, $b:expr, $f:expr) => {{
        let (a, b, f) = ($a.0, $b.0, $f);
        let mut y = [0.0; 8];
        for i in 0..8 {
            y[i] = f(a[i], b[i]);
        }
        Lanes(y)
    }};
}

impl Vector for Lanes {
    const LANES: usize = 8;
    const TILE: usize = 2;

    #[inline(always)]
    unsafe fn splat(x: f32) -> Lanes {
        Lanes([x; 8])
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Lanes {
        // SAFETY: the caller's.
        Lanes(unsafe { from.cast::<[f32; 8]>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn load_f16(from: *const u16) -> Lanes {
        // SAFETY: the caller's.
        let bits = unsafe { from.cast::<[u16; 8]>().read_unaligned() };
        Lanes(bits.map(|bits| f16::from_bits(bits).to_f32()))
    }

    #[inline(always)]
    unsafe fn load_i8(from: *const i8) -> Lanes {
        // SAFETY: the caller's.
        let values = unsafe { from.cast::<[i8; 8]>().read_unaligned() };
        Lanes(values.map(f32::from))
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller's.
        unsafe { to.cast::<[f32; 8]>().write_unaligned(self.0) }
    }

    #[inline(always)]
    unsafe fn store_f16(self, to: *mut u16) {
        // SAFETY: the caller's.
        unsafe { to.cast::<[u16; 8]>().write_unaligned(self.0.map(|x| f16::from_f32(x).to_bits())) }
    }

    #[inline(always)]
    unsafe fn add(self, y: Lanes) -> Lanes {
        lanewise!(self, y, |a: f32, b: f32| a + b)
    }

    #[inline(always)]
    unsafe fn sub(self, y: Lanes) -> Lanes {
        lanewise!(self, y, |a: f32, b: f32| a - b)
    }

    #[inline(always)]
    unsafe fn mul(self, y: Lanes) -> Lanes {
        lanewise!(self, y, |a: f32, b: f32| a * b)
    }

    #[inline(always)]
    unsafe fn div(self, y: Lanes) -> Lanes {
        lanewise!(self, y, |a: f32, b: f32| a / b)
    }

    #[inline(always)]
    unsafe fn fma(self, y: Lanes, z: Lanes) -> Lanes {
        let product = lanewise!(self, y, |a: f32, b: f32| a * b);
        lanewise!(product, z, |a: f32, b: f32| a + b)
    }

    #[inline(always)]
    unsafe fn max(self, y: Lanes) -> Lanes {
        lanewise!(self, y, |a: f32, b: f32| if a > b { a } else { b })
    }

    #[inline(always)]
    unsafe fn min(self, y: Lanes) -> Lanes {
        lanewise!(self, y, |a: f32, b: f32| if a < b { a } else { b })
    }

    #[inline(always)]
    unsafe fn round(self) -> Lanes {
        // Adding 1.5 * 2^23 leaves no bits for a fraction; right for |x| < 2^22, which is all that is asked.
        const SHIFT: f32 = 12_582_912.0;
        Lanes(self.0.map(|x| (x + SHIFT) - SHIFT))
    }

    #[inline(always)]
    unsafe fn scale2(self, n: Lanes) -> Lanes {
        lanewise!(self, n, |a: f32, n: f32| a * f32::from_bits(((n as i32 + 127) << 23) as u32))
    }

    #[inline(always)]
    unsafe fn where_at_least(self, x: Lanes, least: Lanes) -> Lanes {
        let mut y = [0.0; 8];
        for i in 0..8 {
            if x.0[i] >= least.0[i] {
                y[i] = self.0[i];
            }
        }
        Lanes(y)
    }

    #[inline(always)]
    unsafe fn sum(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }

    #[inline(always)]
    unsafe fn largest(self) -> f32 {
        self.0.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }
}
