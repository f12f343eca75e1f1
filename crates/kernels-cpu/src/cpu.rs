//! Which instruction set the kernels use: found out once, then carried as a value.

use std::fmt;

/// An instruction set the kernels are written for, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Plain Rust: what every other level must agree with.
    Portable,
    /// x86-64 with AVX2, FMA and F16C.
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ, VL and VNNI.
    Avx512,
    /// AArch64 with the dot-product instructions.
    Neon,
    /// AArch64 with the 8-bit matrix-multiply instructions as well.
    NeonI8mm,
}

impl Level {
    pub const ALL: [Level; 5] = [Level::Portable, Level::Avx2, Level::Avx512, Level::Neon, Level::NeonI8mm];

    pub const fn name(self) -> &'static str {
        match self {
            Level::Portable => "portable",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
            Level::Neon => "neon",
            Level::NeonI8mm => "neon-i8mm",
        }
    }

    fn is_here(self) -> bool {
        match self {
            Level::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => {
                std::arch::is_x86_feature_detected!("avx2")
                    && std::arch::is_x86_feature_detected!("fma")
                    && std::arch::is_x86_feature_detected!("f16c")
            }
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                Level::Avx2.is_here()
                    && std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512bw")
                    && std::arch::is_x86_feature_detected!("avx512dq")
                    && std::arch::is_x86_feature_detected!("avx512vl")
                    && std::arch::is_x86_feature_detected!("avx512vnni")
            }
            #[cfg(target_arch = "aarch64")]
            Level::Neon => {
                std::arch::is_aarch64_feature_detected!("neon")
                    && std::arch::is_aarch64_feature_detected!("fp16")
                    && std::arch::is_aarch64_feature_detected!("dotprod")
            }
            #[cfg(target_arch = "aarch64")]
            Level::NeonI8mm => Level::Neon.is_here() && std::arch::is_aarch64_feature_detected!("i8mm"),
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Proof that this machine has an instruction set: there is no other way to make one than to ask the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu {
    level: Level,
}

impl Cpu {
    /// The best level of this machine.
    pub fn detect() -> Cpu {
        Cpu::available().last().expect("the portable level is always here")
    }

    /// `level`, if this machine has it.
    pub fn at(level: Level) -> Option<Cpu> {
        level.is_here().then_some(Cpu { level })
    }

    /// Every level of this machine, weakest first.
    pub fn available() -> impl Iterator<Item = Cpu> {
        Level::ALL.into_iter().filter_map(Cpu::at)
    }

    pub const fn level(self) -> Level {
        self.level
    }
}
