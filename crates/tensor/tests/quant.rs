//! Quantised blocks against files made by llama.cpp and its Python package (`golden/make.py`).

use std::fs;
use std::path::{Path, PathBuf};
use tandem_tensor::DType;
use tandem_tensor::quant::{dequantize, quantize};

#[test]
fn stored_blocks_read_bit_for_bit() {
    for dtype in DType::ALL {
        let expected = floats(&format!("{dtype}.values"));
        let mut read = vec![0.0; expected.len()];
        dequantize(dtype, &bytes(&format!("{dtype}.blocks")), &mut read);
        for (i, (read, expected)) in read.iter().zip(&expected).enumerate() {
            assert_eq!(read.to_bits(), expected.to_bits(), "{dtype} value {i}: {read} is not {expected}");
        }
    }
}

#[test]
fn types_without_a_search_pack_byte_for_byte() {
    for dtype in DType::ALL.into_iter().filter(|&dtype| !searches(dtype)) {
        let mut packed = Vec::new();
        quantize(dtype, &floats("values.f32"), &mut packed);
        let expected = bytes(&format!("{dtype}.packed"));
        for (i, (block, expected)) in
            packed.chunks(dtype.block_bytes()).zip(expected.chunks(dtype.block_bytes())).enumerate()
        {
            assert_eq!(block, expected, "{dtype} block {i}");
        }
    }
}

/// The last bit of a sum decides between equally good scales, so the loss is compared and not the bytes.
#[test]
fn searched_types_lose_no_more_than_llama_cpp() {
    let values = floats("values.f32");
    for dtype in DType::ALL.into_iter().filter(|&dtype| searches(dtype) && !dtype.is_grid()) {
        let mut packed = Vec::new();
        quantize(dtype, &values, &mut packed);
        // Each character of values by itself, so that none hides behind a larger one.
        for at in (0..values.len()).step_by(256) {
            let ours = loss(dtype, &packed, &values, at);
            let theirs = loss(dtype, &bytes(&format!("{dtype}.packed")), &values, at);
            assert!(ours <= theirs * 1.002, "{dtype} values {at}..: we lose {ours}, llama.cpp {theirs}");
        }
    }
}

#[test]
fn packed_values_stay_near() {
    // Some tables have only even numbers of signs: a value may have to turn over.
    for dtype in DType::ALL.into_iter().filter(|dtype| !dtype.is_grid()) {
        let values = floats("values.f32");
        let mut once = vec![0.0; values.len()];
        let mut packed = Vec::new();
        quantize(dtype, &values, &mut packed);
        dequantize(dtype, &packed, &mut once);
        let worst = values.iter().zip(&once).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst <= 0.8, "{dtype}: a value moved by {worst}");
    }
}

#[test]
fn values_no_float_can_scale_do_not_panic() {
    for dtype in DType::ALL {
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE / 4.0] {
            let mut values = floats("values.f32");
            values[3] = odd;
            values[700] = odd;
            let mut packed = Vec::new();
            quantize(dtype, &values, &mut packed);
            dequantize(dtype, &packed, &mut values);
        }
    }
}

#[test]
#[should_panic(expected = "no whole number of Q4_K blocks")]
fn half_a_block_is_the_callers_mistake() {
    quantize(DType::Q4_K, &[0.0; 128], &mut Vec::new());
}

fn searches(dtype: DType) -> bool {
    dtype.block_len() == 256 || dtype == DType::IQ4_NL
}

/// Sum of squared errors over the 256 values from `at`.
fn loss(dtype: DType, packed: &[u8], values: &[f32], at: usize) -> f64 {
    let mut read = vec![0.0; values.len()];
    dequantize(dtype, packed, &mut read);
    (at..at + 256).map(|i| (read[i] as f64 - values[i] as f64).powi(2)).sum()
}

fn floats(name: &str) -> Vec<f32> {
    bytes(name).as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

fn bytes(name: &str) -> Vec<u8> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
