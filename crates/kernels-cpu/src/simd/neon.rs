//! NEON, which every AArch64 processor has.

use std::arch::aarch64::*;
use std::arch::asm;

use super::Vector;

/// Four lanes.
#[derive(Clone, Copy)]
pub(crate) struct Neon(float32x4_t);

/// Methods that are one block of intrinsics.
macro_rules! methods {
    ($($name:ident($($arg:tt)*) -> $out:ty { $($body:tt)* })+) => {$(
        #[inline(always)]
        unsafe fn $name($($arg)*) -> $out {
            // SAFETY: the caller's, see `Vector`: it has checked the processor and the pointer.
            unsafe { $($body)* }
        }
    )+};
}

impl Vector for Neon {
    const LANES: usize = 4;
    const TILE: usize = 4;

    methods! {
        splat(x: f32) -> Self { Self(vdupq_n_f32(x)) }
        load(from: *const f32) -> Self { Self(vld1q_f32(from)) }
        load_f16(from: *const u16) -> Self {
            // The conversions are part of the base instruction set; the type of their operand is not yet stable.
            let wide: float32x4_t;
            asm!("fcvtl {0:v}.4s, {1:v}.4h", out(vreg) wide, in(vreg) vld1_u16(from), options(pure, nomem, nostack));
            Self(wide)
        }
        load_i8(from: *const i8) -> Self {
            let bytes = vreinterpret_s8_s32(vdup_n_s32(from.cast::<i32>().read_unaligned()));
            Self(vcvtq_f32_s32(vmovl_s16(vget_low_s16(vmovl_s8(bytes)))))
        }
        store(self, to: *mut f32) -> () { vst1q_f32(to, self.0) }
        store_f16(self, to: *mut u16) -> () {
            let narrow: uint16x4_t;
            asm!("fcvtn {0:v}.4h, {1:v}.4s", out(vreg) narrow, in(vreg) self.0, options(pure, nomem, nostack));
            vst1_u16(to, narrow)
        }
        add(self, y: Self) -> Self { Self(vaddq_f32(self.0, y.0)) }
        sub(self, y: Self) -> Self { Self(vsubq_f32(self.0, y.0)) }
        mul(self, y: Self) -> Self { Self(vmulq_f32(self.0, y.0)) }
        div(self, y: Self) -> Self { Self(vdivq_f32(self.0, y.0)) }
        fma(self, y: Self, z: Self) -> Self { Self(vfmaq_f32(z.0, self.0, y.0)) }
        max(self, y: Self) -> Self { Self(vmaxnmq_f32(self.0, y.0)) }
        min(self, y: Self) -> Self { Self(vminnmq_f32(self.0, y.0)) }
        round(self) -> Self { Self(vrndnq_f32(self.0)) }
        scale2(self, n: Self) -> Self {
            let exponent = vaddq_s32(vcvtq_s32_f32(n.0), vdupq_n_s32(127));
            Self(vmulq_f32(self.0, vreinterpretq_f32_s32(vshlq_n_s32::<23>(exponent))))
        }
        where_at_least(self, x: Self, least: Self) -> Self {
            Self(vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(self.0), vcgeq_f32(x.0, least.0))))
        }
        sum(self) -> f32 { vaddvq_f32(self.0) }
        largest(self) -> f32 { vmaxnmvq_f32(self.0) }
    }
}
