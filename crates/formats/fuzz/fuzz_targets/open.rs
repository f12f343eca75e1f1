//! Opens the input as a model file of either format and reads all of it.
//!
//!     cd crates/formats && cargo +nightly fuzz run open fuzz/corpus/open fuzz/seeds -- -rss_limit_mb=512 -max_total_time=60

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use tandem_formats::{Gguf, Safetensors, Slice, Weights};

/// One file per process, rewritten for each input, in a folder with a config that makes quantised tensors readable.
static PATH: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("tandem-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the temporary folder takes another");
    let config = r#"{"quantization":{"bits":3,"group_size":32,"b":{"bits":8,"group_size":64}}}"#;
    fs::write(folder.join("config.json"), config).expect("the temporary folder takes a small file");
    folder.join("input")
});

fuzz_target!(|bytes: &[u8]| {
    fs::write(&*PATH, bytes).expect("the temporary folder takes a small file");
    if let Ok(model) = Gguf::open(&*PATH) {
        for (_, value) in model.metadata().iter() {
            let _ = format!("{value:?}");
        }
        use_up(&model, bytes.len());
    }
    if let Ok(model) = Safetensors::open(&*PATH) {
        use_up(&model, bytes.len());
        use_up(&model.exactly(), bytes.len());
    }
});

fn use_up(model: &dyn Weights, file_bytes: usize) {
    model.identity();
    for name in model.names() {
        let Ok(info) = model.require(name) else { continue };
        assert!(info.bytes() <= 11 * file_bytes);
        model.read_all(name).expect("what opened reads");
        let slice = Slice { rows: info.shape.rows / 2..info.shape.rows, ..info.shape.whole() };
        let mut out = vec![0; info.slice_bytes(&slice).expect("within the shape")];
        model.read(name, &slice, &mut out).expect("what opened reads by slice");
    }
}
