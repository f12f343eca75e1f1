//! A folder for one test, removed with its guard, and a small model to put in it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use tandem_formats::GgufWriter;
use tandem_tensor::{DType, quant};

pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tandem-formats-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Every metadata type, and tensors of one, two and three dimensions.
#[allow(dead_code)]
pub fn write_small(path: &Path) {
    let mut writer = GgufWriter::new(path);
    writer.set("general.architecture", "llama").unwrap();
    writer.set("general.name", "tiny, mit Umlaut: ü".to_owned()).unwrap();
    writer.set("a.u8", 200u8).unwrap();
    writer.set("a.i8", -100i8).unwrap();
    writer.set("a.u16", 60_000u16).unwrap();
    writer.set("a.i16", -30_000i16).unwrap();
    writer.set("a.u32", 4_000_000_000u32).unwrap();
    writer.set("a.i32", -2_000_000_000i32).unwrap();
    writer.set("a.u64", u64::MAX).unwrap();
    writer.set("a.i64", i64::MIN).unwrap();
    writer.set("a.f32", 1.5f32).unwrap();
    writer.set("a.f64", 2.5f64).unwrap();
    writer.set("a.bool", true).unwrap();
    writer.set("tokenizer.ggml.tokens", ["<s>", "", "ein", "Wörter"].as_slice()).unwrap();
    writer.set("tokenizer.ggml.scores", [0.0f32, -1.0, -2.0, -3.5].as_slice()).unwrap();
    writer.set("a.flags", [true, false].as_slice()).unwrap();
    writer.set("a.none", [0u32; 0].as_slice()).unwrap();
    writer.set("a.nested", [[1u32, 2].as_slice(), [].as_slice(), [3].as_slice()].as_slice()).unwrap();
    writer.set("a.words", [["a", "b"].as_slice(), ["c"].as_slice()].as_slice()).unwrap();
    let tensors = small_tensors();
    for (name, dtype, dims) in &tensors {
        writer.add_tensor(name, *dtype, dims).unwrap();
    }
    let mut data = writer.start().unwrap();
    for (name, dtype, dims) in &tensors {
        data.write_tensor(name, &small_bytes(*dtype, dims)).unwrap();
    }
    data.finish().unwrap();
}

#[allow(dead_code)]
pub fn small_tensors() -> Vec<(&'static str, DType, Vec<usize>)> {
    vec![
        ("token_embd.weight", DType::Q8_0, vec![64, 5]),
        ("blk.0.attn_norm.weight", DType::F32, vec![7]),
        ("blk.0.ffn_down.weight", DType::Q4_K, vec![768, 3]),
        ("blk.0.ffn_up_exps.weight", DType::Q4_0, vec![96, 4, 3]),
        ("output.weight", DType::BF16, vec![5, 6]),
    ]
}

/// The tensor's bytes: its values count up.
#[allow(dead_code)]
pub fn small_bytes(dtype: DType, dims: &[usize]) -> Vec<u8> {
    let values: Vec<f32> = (0..dims.iter().product()).map(|i| i as f32).collect();
    let mut bytes = Vec::new();
    quant::quantize(dtype, &values, &mut bytes);
    bytes
}
