//! Every kernel is valid, and what it becomes for Metal is kept in `tests/msl/`, so that changes can be read.
//!
//! `TANDEM_WRITE_MSL=1 cargo test -p tandem-kernels-gpu --test msl` writes the files anew; with `TANDEM_WRITE_SPV=FOLDER` what it
//! becomes for Vulkan is written too, for `spirv-val`.

use std::path::Path;

use naga::Module;
use naga::back::{msl, spv};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use tandem_kernels_gpu::kernels::{Key, samples, typed_samples};

fn valid(name: &str, key: &Key) -> (Module, ModuleInfo) {
    let source = key.source(8);
    let module = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&source)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator.validate(&module);
    let info = info.unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&source)));
    (module, info)
}

/// Types have names of their own, which must not meet those of a kernel.
#[test]
fn every_kernel_is_valid_with_every_type() {
    let keys: Vec<_> = typed_samples().collect();
    assert!(keys.len() > 200);
    keys.iter().for_each(|(name, key)| _ = valid(name, key));
}

#[test]
fn every_kernel_is_valid_and_kept() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/msl");
    let write = std::env::var_os("TANDEM_WRITE_MSL").is_some();
    let mut changed = Vec::new();
    for (name, key) in samples() {
        let (module, info) = valid(&name, &key);
        let options = msl::Options {
            lang_version: (3, 1),
            fake_missing_bindings: true,
            zero_initialize_workgroup_memory: false,
            ..msl::Options::default()
        };
        let (text, _) = msl::write_string(&module, &info, &options, &msl::PipelineOptions::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        // For Vulkan: it can be written, which devices without cooperative matrices would not show.
        let options = spv::Options { lang_version: (1, 6), ..spv::Options::default() };
        let words = spv::write_vec(&module, &info, &options, None);
        let words = words.unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Some(folder) = std::env::var_os("TANDEM_WRITE_SPV") {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            std::fs::write(Path::new(&folder).join(format!("{name}.spv")), bytes).unwrap();
        }
        let file = folder.join(format!("{name}.metal"));
        if write {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &text).unwrap();
        } else if std::fs::read_to_string(&file).ok().as_deref() != Some(&text) {
            changed.push(name);
        }
    }
    assert!(
        changed.is_empty(),
        "{changed:?} became other kernels for Metal; if that is meant, write them anew as this file says, and read the change"
    );
}
