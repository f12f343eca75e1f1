//! Quantised safetensors in every form, against the values that mlx makes of them.

mod scratch;

use scratch::Scratch;
use std::fs;
use std::path::{Path, PathBuf};
use tandem_formats::{Safetensors, Slice, Weights};
use tandem_tensor::{DType, quant};

/// Form, number of tensors, and the type each is offered as with the most it may differ, as a part of the largest value.
/// Q8_0 rounds to half of 1/127, and its scale to f16.
#[track_caller]
fn check(form: &str, tensors: usize, offered_as: impl Fn(&str) -> (DType, f32)) {
    let folder = oracle(form);
    let expected = Safetensors::open(folder.join("expected.safetensors")).unwrap();
    let model = Safetensors::open(&folder).unwrap();
    let exact = Safetensors::open(&folder).unwrap().exactly();
    let mut names = model.names();
    names.sort_unstable();
    let mut wanted = expected.names();
    wanted.sort_unstable();
    assert_eq!((names.len(), &names), (tensors, &wanted));
    for name in names {
        let info = model.require(name).unwrap();
        let (dtype, tolerance) = offered_as(name);
        assert_eq!(info.dtype, dtype, "{name}");
        assert_eq!(info.shape, expected.require(name).unwrap().shape, "{name}");
        let expected = values(&expected, name);
        let largest = expected.iter().fold(0f32, |most, v| most.max(v.abs()));
        let compare = |found: Vec<f32>, tolerance: f32| {
            let off = found.iter().zip(&expected).fold(0f32, |most, (a, b)| most.max((a - b).abs()));
            assert!(off <= tolerance * largest, "{name}: {off} off of {largest}");
        };
        compare(values(&model, name), tolerance);
        compare(values(&exact, name), 1e-7);
        check_slices(&model, name);
        check_slices(&exact, name);
    }
}

#[test]
fn mlx_affine() {
    check("mlx-affine", 17, |name| match name.rsplit('.').nth(1).unwrap() {
        "norm" => (DType::F32, 0.0),
        "experts" => (DType::MXFP4, 0.0),
        layer => match layer[1..2].parse().unwrap() {
            3 | 4 => (DType::Q4_1, 1e-7),
            5 => (DType::Q5_1, 1e-7),
            // Small ones that are finer than the rest; the others are stacks.
            6 | 8 if !layer.ends_with("_32") => (DType::F32, 1e-7),
            6 | 8 => (DType::Q8_0, 0.6 / 127.0),
            bits => panic!("{bits}"),
        },
    });
}

#[test]
fn mxfp4() {
    check("mxfp4", 1, |_| (DType::MXFP4, 0.0));
    check("mxfp4-packed", 1, |_| (DType::MXFP4, 0.0));
}

#[test]
fn packed_int4() {
    check("int4", 1, |_| (DType::Q4_0, 1e-7));
}

#[test]
fn mxfp8() {
    check("mxfp8", 1, |_| (DType::Q8_0, 0.6 / 127.0));
}

#[test]
fn nvfp4() {
    check("nvfp4", 3, |_| (DType::Q8_0, 0.6 / 127.0));
}

/// The exact values are checked too; as blocks, products of scales and zeros are rounded to f16.
#[test]
fn awq() {
    check("awq", 2, |name| match name {
        "model.norm.weight" => (DType::F32, 0.0),
        _ => (DType::Q4_1, 3e-4),
    });
}

#[test]
fn gptq() {
    check("gptq", 1, |_| (DType::Q4_0, 1e-7));
    // Half a unit in the last place of f16.
    check("gptq-zeros", 1, |_| (DType::Q4_1, 1.0 / 2048.0));
    check("gptq-8", 1, |_| (DType::Q8_0, 1e-7));
}

#[test]
fn fp8_in_blocks() {
    check("fp8", 1, |_| (DType::Q8_0, 0.6 / 127.0));
}

#[test]
fn codes_with_exponents_beside_them() {
    check("tiles", 2, |name| match name {
        "layers.0.attn.wq_a.weight" => (DType::Q8_0, 0.6 / 127.0),
        _ => (DType::MXFP4, 0.0),
    });
}

/// Any slice holds what the whole holds there.
fn check_slices(model: &Safetensors, name: &str) {
    let info = model.require(name).unwrap();
    let whole = model.read_all(name).unwrap();
    let (shape, row_bytes) = (info.shape, info.row_bytes());
    let block = info.dtype.block_len();
    let byte_of = |col: usize| col / block * info.dtype.block_bytes();
    let middle = shape.cols / 2 / block * block;
    for (experts, rows, cols) in [
        (shape.experts - 1..shape.experts, shape.rows / 2..shape.rows, 0..middle),
        (0..shape.experts, 0..shape.rows.div_ceil(2), middle..shape.cols),
        (0..1, 0..shape.rows, block..shape.cols),
        (0..1, 0..0, 0..shape.cols),
    ] {
        let mut expected = Vec::new();
        for expert in experts.clone() {
            for row in rows.clone() {
                let start = (expert * shape.rows + row) * row_bytes;
                expected.extend_from_slice(&whole[start + byte_of(cols.start)..start + byte_of(cols.end)]);
            }
        }
        let slice = Slice { experts, rows, cols };
        let mut found = vec![0; info.slice_bytes(&slice).unwrap()];
        model.read(name, &slice, &mut found).unwrap();
        assert_eq!(found, expected, "{name} {slice:?}");
    }
}

#[test]
fn what_does_not_fit_together_is_named() {
    let scratch = Scratch::new();
    let check = |config: &str, header: &str, expected: &str| {
        fs::write(scratch.path("config.json"), config).unwrap();
        write(&scratch.path("model.safetensors"), header);
        let model = Safetensors::open(scratch.path("")).map_err(|error| error.to_string());
        let error = model.and_then(|model| model.require("w.weight").map_err(|error| error.to_string()));
        let error = error.unwrap_err();
        assert!(error.contains(expected), "got `{error}`, expected `…{expected}…`");
    };
    let mlx = r#"{"quantization":{"bits":4,"group_size":32}}"#;
    let words = |cols: u64| entry("w.weight", "U32", &[2, cols]);
    let halves = |part: &str, cols: u64| entry(&format!("w.{part}"), "F16", &[2, cols]);
    let all = |parts: &[String]| parts.join(",");
    check(mlx, &all(&[words(4), halves("scales", 1)]), "is quantised (U32), but there is no `w.biases`");
    check(mlx, &words(4), "is of type U32, which is not supported");
    check("{}", &all(&[words(4), halves("scales", 1)]), "without `quantization` in config.json");
    check(
        mlx,
        &all(&[words(5), halves("scales", 1), halves("biases", 1)]),
        "expected 5 × 32 bits to hold a whole number of groups of 32 in 4 bits",
    );
    check(
        mlx,
        &all(&[words(4), halves("scales", 1), entry("w.biases", "F16", &[1, 1])]),
        "tensor `w.biases` has shape [1, 1]; expected 2 × 1 scales for each of 1 matrices of `w.weight`",
    );
    check(
        mlx,
        &all(&[words(4), halves("scales", 1), entry("w.biases", "F32", &[2, 1])]),
        "expected the type of its scales, F16",
    );
    check(
        mlx,
        &all(&[words(4), entry("w.scales", "U8", &[2, 1]), halves("biases", 1)]),
        "tensor `w.scales` has shape [2, 1]; expected 2 × 1 scales",
    );
    check("{", &words(4), "config.json is not valid JSON");
    check(
        r#"{"quantization_config":{"quant_method":"aqlm"}}"#,
        &words(4),
        "quantisation `aqlm` is not supported; supported: fp8 (E4M3), mxfp4 (compressed-tensors too), mxfp8",
    );
    let awq = r#"{"quantization_config":{"quant_method":"awq","bits":4,"group_size":32}}"#;
    let codes = |inputs: u64| entry("w.qweight", "I32", &[inputs, 1]);
    check(awq, &codes(32), "there is no `w.scales`");
    let scales = entry("w.scales", "F16", &[1, 8]);
    check(awq, &all(&[codes(32), scales.clone()]), "there is no `w.qzeros`");
    let zeros = |words: u64| entry("w.qzeros", "I32", &[1, words]);
    check(awq, &all(&[codes(32), scales.clone(), zeros(2)]), "expected 1 × 1 words (I32)");
    check(awq, &all(&[codes(33), scales.clone(), zeros(1)]), "whole groups of 32 inputs");
    check("{}", &all(&[codes(32), scales, zeros(1)]), "without `quantization_config` in config.json");
    check("{}", &entry("w.weight", "F8_E4M3", &[2, 32]), "there is no `w.weight_scale_inv`");
    let fp8 = [entry("w.weight", "F8_E4M3", &[130, 32]), entry("w.weight_scale_inv", "F32", &[1, 1])];
    let many = [entry("w.weight", "F8_E4M3", &[130, 32]), entry("w.weight_scale_inv", "F32", &[3, 2])];
    write(&scratch.path("model.safetensors"), &all(&fp8));
    check("{}", &all(&many), "expected 2 × 1 scales");
    let packed = |cols: u64, groups: u64| {
        all(&[
            entry("w.weight_packed", "I32", &[2, cols]),
            entry("w.weight_scale", "BF16", &[2, groups]),
            entry("w.weight_shape", "I64", &[2]),
        ])
    };
    // The shape's bytes are zero here.
    check(
        "{}",
        &packed(4, 1),
        "tensor `w.weight_shape` has shape [2]; expected at most 3 dimensions, none 0",
    );
    check("{}", &entry("w.weight_packed", "I32", &[2, 4]), "there is no `w.weight_scale`");
    check("{}", &entry("w.weight_blocks", "U8", &[2, 1, 16]), "there is no `w.weight_scales`");
    let blocks = all(&[entry("w.weight_blocks", "U8", &[2, 1, 15]), entry("w.weight_scales", "U8", &[2, 1])]);
    check("{}", &blocks, "expected blocks of 16 bytes");
}

/// Experts in one stack have a scale each (Mistral 4); rows may have an exponent for every 32 values (MiniMax M3).
#[test]
fn fp8_of_stacks_and_of_short_runs() {
    const ONE: u8 = 0x38;
    let scratch = Scratch::new();
    let path = scratch.path("model.safetensors");
    let read = |config: &str, entries: &[String], scales: &[u8]| {
        fs::write(scratch.path("config.json"), config).unwrap();
        write(&path, &entries.join(","));
        let mut bytes = fs::read(&path).unwrap();
        let end = bytes.len();
        bytes[end - scales.len()..].copy_from_slice(scales);
        let codes = end - scales.len() - 2 * 64..end - scales.len();
        bytes[codes].fill(ONE);
        fs::write(&path, bytes).unwrap();
        values(&Safetensors::open(&path).unwrap().exactly(), "w.weight")
    };
    let halves: Vec<u8> = [0x3f80u16, 0x4000].iter().flat_map(|scale| scale.to_le_bytes()).collect();
    let stack = [entry("w.weight", "F8_E4M3", &[2, 2, 32]), entry("w.weight_scale_inv", "BF16", &[2, 1, 1])];
    let found = read(r#"{"quantization_config":{"quant_method":"fp8"}}"#, &stack, &halves);
    assert_eq!(found, [[1.0; 64], [2.0; 64]].concat());
    let runs = [entry("w.weight", "F8_E4M3", &[2, 64]), entry("w.weight_scale_inv", "U8", &[2, 2])];
    let found = read(r#"{"quantization_config":{"quant_method":"mxfp8"}}"#, &runs, &[127, 128, 129, 126]);
    assert_eq!(found, [[1.0; 32], [2.0; 32], [4.0; 32], [0.5; 32]].concat());
}

fn values(model: &Safetensors, name: &str) -> Vec<f32> {
    let info = model.require(name).unwrap();
    let mut out = vec![0.0; info.shape.experts * info.shape.rows * info.shape.cols];
    quant::dequantize(info.dtype, &model.read_all(name).unwrap(), &mut out);
    out
}

fn oracle(form: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/quantised").join(form)
}

/// `name|type|shape`, placed by `write`.
fn entry(name: &str, kind: &str, shape: &[u64]) -> String {
    let shape: Vec<String> = shape.iter().map(u64::to_string).collect();
    format!("{name}|{kind}|{}", shape.join("x"))
}

/// A file of these entries, all zeros.
fn write(path: &Path, entries: &str) {
    let mut at = 0;
    let mut json = Vec::new();
    for entry in entries.split(',') {
        let [name, kind, shape] = entry.split('|').collect::<Vec<_>>()[..] else { panic!("{entry}") };
        let dims: Vec<u64> = shape.split('x').map(|dim| dim.parse().unwrap()).collect();
        let element = match kind {
            "I64" => 8,
            "U32" | "I32" | "F32" => 4,
            "F16" | "BF16" => 2,
            _ => 1,
        };
        let end = at + element * dims.iter().product::<u64>();
        json.push(format!(r#""{name}":{{"dtype":"{kind}","shape":{dims:?},"data_offsets":[{at},{end}]}}"#));
        at = end;
    }
    let json = format!("{{{}}}", json.join(","));
    let data = vec![0; at as usize];
    fs::write(path, [&(json.len() as u64).to_le_bytes()[..], json.as_bytes(), &data].concat()).unwrap();
}
