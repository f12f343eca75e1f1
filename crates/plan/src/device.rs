//! What computes: a GPU, or the cores of a machine.

use serde::{Deserialize, Serialize};

/// A device as its maker describes it; [`crate::Constants`] say what of this is reached where nobody measured it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Device {
    pub kind: DeviceKind,
    /// From its memory: by data sheet for GPUs, as measured for cores.
    pub read_bytes_per_s: f64,
    /// Multiplications and additions, each counted, of 16-bit floats.
    pub flops_per_s: f64,
    /// What Tandem reached on it, where that was measured.
    #[serde(default)]
    pub reached: Option<Reached>,
}

/// What Tandem itself was measured to reach on a device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reached {
    /// Of weights, while decoding.
    pub read_bytes_per_s: f64,
    /// Of keys and values, while decoding.
    pub cache_bytes_per_s: f64,
    /// In prompts.
    pub flops_per_s: f64,
    /// Of that again, for experts, where that was measured.
    #[serde(default)]
    pub expert_flops: Option<f64>,
    /// What a plain layer costs beyond its bytes.
    pub layer_s: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceKind {
    /// The cores of a machine, running Tandem.
    Cpu,
    /// A GPU that multiplies matrices on its ordinary units: Apple's up to M4.
    ShaderGpu,
    /// The same, made of two chips: Apple's Ultra.
    TwinShaderGpu,
    /// A GPU with units of their own for matrices: NVIDIA's, AMD's.
    MatrixGpu,
}

impl Device {
    /// So many cores that together read so much, where only that was measured.
    pub fn cpu(cores: usize, read_bytes_per_s: f64) -> Device {
        let flops_per_s = CORE_FLOPS_PER_S * (cores.max(1) as f64).powf(CORES_TOGETHER);
        Device { kind: DeviceKind::Cpu, read_bytes_per_s, flops_per_s, reached: None }
    }
}

/// What Tandem's prefill reaches on one core with AVX-512, and how it grows with cores (bench/scale/RESULTS.md: 145 tokens/s of the
/// 1.2B shape on one core, 1316 on sixteen).
const CORE_FLOPS_PER_S: f64 = 0.28e12;
const CORES_TOGETHER: f64 = 0.8;
