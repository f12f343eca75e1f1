//! The model that is served.

use std::path::{Path, PathBuf};

use tandem_formats::{Gguf, GgufWriter, TensorInfo, Weights};
use tandem_tensor::{DType, quant};

/// SmolLM2 with its weights widened to f16: only the order of sums differs between divisions then.
pub fn widened(folder: &Path) -> PathBuf {
    let source = std::env::var_os("TANDEM_SMOLLM2")
        .expect("TANDEM_SMOLLM2 must name the SmolLM2 GGUF file; `cargo xtask test` sets it");
    let source = Gguf::open(PathBuf::from(source)).unwrap();
    let path = folder.join("smollm2-f16.gguf");
    let mut writer = GgufWriter::new(&path);
    writer.copy_metadata(source.metadata(), |_| true).unwrap();
    let tensors: Vec<_> = source.names().iter().map(|name| source.tensor(name).unwrap().unwrap()).collect();
    let dtype = |tensor: &TensorInfo| if tensor.shape.rows == 1 { DType::F32 } else { DType::F16 };
    for tensor in &tensors {
        let dims = [tensor.shape.cols, tensor.shape.rows];
        let dims = if tensor.shape.rows == 1 { &dims[..1] } else { &dims[..] };
        writer.add_tensor(&tensor.name, dtype(tensor), dims).unwrap();
    }
    let mut writer = writer.start().unwrap();
    for tensor in &tensors {
        let mut values = vec![0.0; tensor.shape.rows * tensor.shape.cols];
        quant::dequantize(tensor.dtype, &source.read_all(&tensor.name).unwrap(), &mut values);
        let mut bytes = Vec::new();
        quant::quantize(dtype(tensor), &values, &mut bytes);
        writer.write_tensor(&tensor.name, &bytes).unwrap();
    }
    writer.finish().unwrap();
    path
}
