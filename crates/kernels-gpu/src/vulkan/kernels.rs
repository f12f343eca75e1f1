//! Kernels compiled by the driver itself. What it made of them is kept in a file.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ash::vk;
use wgpu::naga;

use crate::device::Gpu;
use crate::kernels::{Compile, Key, Kind};
use crate::vulkan::Vulkan;

pub struct VulkanKernels {
    gpu: Arc<Gpu>,
    layouts: HashMap<Kind, Layout>,
    compiled: Mutex<HashMap<Key, Arc<Compiled>>>,
    cache: vk::PipelineCache,
    kept: Option<PathBuf>,
    /// Whether there are kernels that the file has not.
    new: AtomicBool,
}

/// A kernel, or why there is none.
type Compiled = OnceLock<Result<vk::Pipeline, String>>;

#[derive(Clone, Copy)]
pub struct Layout {
    pub set: vk::DescriptorSetLayout,
    pub pipeline: vk::PipelineLayout,
}

#[allow(unsafe_code)]
impl VulkanKernels {
    /// `folder`: where compiled kernels are kept. `None` where this is not Vulkan.
    pub fn new(gpu: &Arc<Gpu>, folder: Option<PathBuf>) -> Option<VulkanKernels> {
        let vulkan = gpu.vulkan.as_ref()?;
        let name = |uuid: [u8; 16]| {
            let digits: String = uuid.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("vulkan-{digits}.kernels")
        };
        let kept = folder.map(|folder| folder.join(name(vulkan.compiled_for)));
        let known = kept.as_ref().and_then(|path| unseal(std::fs::read(path).ok()?)).unwrap_or_default();
        let info = vk::PipelineCacheCreateInfo::default().initial_data(&known);
        // SAFETY: the data is what this driver gave out, whole.
        let cache = unsafe { vulkan.device.create_pipeline_cache(&info, None) }.ok()?;
        let mut layouts = HashMap::new();
        for kind in Kind::ALL {
            layouts.insert(kind, layout(vulkan, kind).ok()?);
        }
        let gpu = Arc::clone(gpu);
        Some(VulkanKernels {
            gpu,
            layouts,
            compiled: Mutex::default(),
            cache,
            kept,
            new: AtomicBool::new(false),
        })
    }

    pub fn layout(&self, kind: Kind) -> Layout {
        self.layouts[&kind]
    }

    /// The kernel, compiled now unless it was before. Several threads may compile different ones.
    pub fn pipeline(&self, key: &Key) -> Result<vk::Pipeline, String> {
        let place = {
            let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(compiled.entry(key.clone()).or_default())
        };
        place.get_or_init(|| self.build(key).map_err(|reason| format!("{:?}: {reason}", key.kind))).clone()
    }

    fn build(&self, key: &Key) -> Result<vk::Pipeline, String> {
        let Some(vulkan) = &self.gpu.vulkan else { return Err("not Vulkan".into()) };
        let source = self.gpu.source(key);
        let module = naga::front::wgsl::parse_str(&source).map_err(|error| error.to_string())?;
        let (flags, all) = (naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all());
        let checked = naga::valid::Validator::new(flags, all).validate(&module);
        let info = checked.map_err(|error| error.to_string())?;
        let entry = naga::back::spv::PipelineOptions {
            shader_stage: naga::ShaderStage::Compute,
            entry_point: "main".into(),
        };
        let spirv = naga::back::spv::write_vec(&module, &info, &vulkan.spirv, Some(&entry))
            .map_err(|error| error.to_string())?;
        let described = vk::ShaderModuleCreateInfo::default().code(&spirv);
        // SAFETY: naga checked the module, and wrote it for what the device has switched on. Indices follow from sizes that the
        // plan fixed when it made the buffers, and from a step's lists, which `step` checks; loops end.
        unsafe {
            let module = vulkan.device.create_shader_module(&described, None).map_err(|e| e.to_string())?;
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::COMPUTE)
                .module(module)
                .name(c"main");
            let threads = self.gpu.subgroup_required.filter(|_| key.has_matrices());
            let mut required = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
                .required_subgroup_size(threads.unwrap_or(0));
            let stage = match threads {
                Some(_) => stage.push_next(&mut required),
                None => stage.flags(vk::PipelineShaderStageCreateFlags::ALLOW_VARYING_SUBGROUP_SIZE),
            };
            let layout = self.layout(key.kind).pipeline;
            let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
            let made = vulkan.device.create_compute_pipelines(self.cache, &[info], None);
            vulkan.device.destroy_shader_module(module, None);
            self.new.store(true, Ordering::Relaxed);
            made.map(|made| made[0]).map_err(|(_, error)| error.to_string())
        }
    }
}

impl Compile for VulkanKernels {
    fn compile_ahead(&self, key: &Key) {
        // A kernel that cannot be compiled is an error of the step that needs it.
        let _ = self.pipeline(key);
    }

    /// Keep what was compiled. A file that cannot be written is written next time.
    #[allow(unsafe_code)]
    fn keep(&self) {
        let (Some(vulkan), Some(path)) = (&self.gpu.vulkan, &self.kept) else { return };
        if !self.new.swap(false, Ordering::Relaxed) {
            return;
        }
        // SAFETY: the cache is this one's own.
        let Ok(data) = (unsafe { vulkan.device.get_pipeline_cache_data(self.cache) }) else { return };
        let beside = path.with_extension(format!("{}.new", std::process::id()));
        let written = path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&beside, seal(data)))
            .and_then(|()| std::fs::rename(&beside, path));
        if written.is_err() {
            let _ = std::fs::remove_file(&beside);
        }
    }
}

impl Drop for VulkanKernels {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        let Some(vulkan) = &self.gpu.vulkan else { return };
        let compiled = self.compiled.get_mut().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: sessions hold the kernels, so none is left that uses them.
        unsafe {
            for pipeline in compiled.values().filter_map(|place| place.get()?.as_ref().ok()) {
                vulkan.device.destroy_pipeline(*pipeline, None);
            }
            for layout in self.layouts.values() {
                vulkan.device.destroy_pipeline_layout(layout.pipeline, None);
                vulkan.device.destroy_descriptor_set_layout(layout.set, None);
            }
            vulkan.device.destroy_pipeline_cache(self.cache, None);
        }
    }
}

#[allow(unsafe_code)]
fn layout(vulkan: &Vulkan, kind: Kind) -> Result<Layout, vk::Result> {
    let bindings: Vec<_> = kind
        .bindings()
        .iter()
        .map(|(binding, access)| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(*binding)
                .descriptor_count(1)
                .descriptor_type(descriptor_type(*access))
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        })
        .collect();
    let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
    // SAFETY: plain descriptions, of types that every device has.
    unsafe {
        let set = vulkan.device.create_descriptor_set_layout(&info, None)?;
        let sets = [set];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
        let pipeline = vulkan.device.create_pipeline_layout(&info, None)?;
        Ok(Layout { set, pipeline })
    }
}

pub fn descriptor_type(access: char) -> vk::DescriptorType {
    match access {
        'u' => vk::DescriptorType::UNIFORM_BUFFER,
        _ => vk::DescriptorType::STORAGE_BUFFER,
    }
}

/// A driver may trust what it is given, so a file that was cut off or changed must not reach it.
fn seal(mut data: Vec<u8>) -> Vec<u8> {
    data.extend(sum(&data).to_le_bytes());
    data
}

fn unseal(mut data: Vec<u8>) -> Option<Vec<u8>> {
    let (inner, seal) = data.split_last_chunk::<8>()?;
    let len = inner.len();
    (sum(inner).to_le_bytes() == *seal).then(|| data.truncate(len)).map(|()| data)
}

/// FNV-1a.
fn sum(data: &[u8]) -> u64 {
    data.iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_not_given_to_the_driver() {
        let data: Vec<u8> = (0..200).collect();
        let sealed = seal(data.clone());
        assert_eq!(unseal(sealed.clone()), Some(data));
        assert_eq!(unseal(sealed[..150].to_vec()), None);
        assert_eq!(unseal(vec![1, 2, 3]), None);
        let mut changed = sealed;
        changed[70] ^= 1;
        assert_eq!(unseal(changed), None);
    }
}
