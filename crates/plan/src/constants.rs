//! What devices reach of what their makers state, and what a layer costs beyond its bytes.

use crate::{Device, DeviceKind};

/// Fifteen numbers. Those of GPUs are fitted to published measurements of MLX and llama.cpp, those of cores to Tandem's own runs;
/// `backtest` holds the values here to the fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// Of the stated bandwidth, what reading weights reaches on a GPU.
    pub weights_read: f64,
    /// Of that again, where the GPU is two chips.
    pub twin_read: f64,
    /// Of the stated bandwidth, what reading the cache of keys and values reaches.
    pub cache_read: f64,
    /// Launches and small kernels of one plain layer, on one Apple chip.
    pub layer_s: f64,
    /// The same on two chips, as a multiple.
    pub twin_layer: f64,
    /// The same on a GPU with matrix units, as a multiple.
    pub matrix_layer: f64,
    /// What a layer with experts costs on top, as a multiple.
    pub expert_layer: f64,
    /// What a layer with latent attention costs on top, as a multiple.
    pub latent_layer: f64,
    /// Of the stated arithmetic, what a prompt reaches without matrix units.
    pub shader_flops: f64,
    /// With matrix units.
    pub matrix_flops: f64,
    /// Of that again, for experts, each of which sees few of a prompt's tokens.
    pub expert_flops: f64,
    /// A GPU hands a sum over and waits for it, beyond the cable's own time: for each doubling of ranks.
    pub gpu_sum_s: f64,
    /// Cores: of the measured bandwidth, what reading weights reaches.
    pub cpu_read: f64,
    /// Cores: what a layer costs beyond its bytes.
    pub cpu_layer_s: f64,
    /// Cores: making and waiting for a sum, for each doubling of ranks.
    pub cpu_sum_s: f64,
}

impl Constants {
    pub const FITTED: Constants = Constants {
        weights_read: 0.807,
        twin_read: 0.930,
        cache_read: 0.684,
        layer_s: 46.9e-6,
        twin_layer: 1.947,
        matrix_layer: 0.505,
        expert_layer: 0.871,
        latent_layer: 0.609,
        shader_flops: 0.745,
        matrix_flops: 0.376,
        expert_flops: 0.744,
        gpu_sum_s: 15.16e-6,
        cpu_read: 0.9,
        cpu_layer_s: 8e-6,
        cpu_sum_s: 5e-6,
    };

    /// Weights per second.
    pub(crate) fn weights_bytes_per_s(&self, device: &Device) -> f64 {
        if let Some(reached) = device.reached {
            return reached.read_bytes_per_s.max(1.0);
        }
        let share = match device.kind {
            DeviceKind::Cpu => self.cpu_read,
            DeviceKind::ShaderGpu | DeviceKind::MatrixGpu => self.weights_read,
            DeviceKind::TwinShaderGpu => self.weights_read * self.twin_read,
        };
        (device.read_bytes_per_s * share).max(1.0)
    }

    /// Keys and values per second.
    pub(crate) fn cache_bytes_per_s(&self, device: &Device) -> f64 {
        match device.reached {
            Some(reached) => reached.cache_bytes_per_s.max(1.0),
            None => (device.read_bytes_per_s * self.cache_read).max(1.0),
        }
    }

    /// What one plain layer costs beyond its bytes.
    pub(crate) fn layer_s(&self, device: &Device) -> f64 {
        if let Some(reached) = device.reached {
            return reached.layer_s.max(0.0);
        }
        match device.kind {
            DeviceKind::Cpu => self.cpu_layer_s,
            DeviceKind::ShaderGpu => self.layer_s,
            DeviceKind::TwinShaderGpu => self.layer_s * self.twin_layer,
            DeviceKind::MatrixGpu => self.layer_s * self.matrix_layer,
        }
    }

    /// Of a prompt's arithmetic, what experts reach.
    pub(crate) fn expert_flops(&self, device: &Device) -> f64 {
        device.reached.and_then(|reached| reached.expert_flops).unwrap_or(self.expert_flops).max(1e-3)
    }

    /// Multiplications and additions of a prompt.
    pub(crate) fn flops_per_s(&self, device: &Device) -> f64 {
        if let Some(reached) = device.reached {
            return reached.flops_per_s.max(1.0);
        }
        let share = match device.kind {
            DeviceKind::Cpu => 1.0,
            DeviceKind::ShaderGpu | DeviceKind::TwinShaderGpu => self.shader_flops,
            DeviceKind::MatrixGpu => self.matrix_flops,
        };
        (device.flops_per_s * share).max(1.0)
    }

    /// One doubling of the ranks that make a sum.
    pub(crate) fn sum_s(&self, device: &Device) -> f64 {
        if device.kind == DeviceKind::Cpu { self.cpu_sum_s } else { self.gpu_sum_s }
    }
}
