//! Reference conversion between stored blocks and `f32`: plain scalar code, the oracle for every fast kernel.
//!
//! The byte layouts are those of GGUF files, written out above each pair of functions. Reading is bit-exact with
//! llama.cpp; writing searches the scales the same way its quantiser does without an importance matrix.
//!
//! - [`blocks32`]: Q4_0 Q4_1 Q5_0 Q5_1 Q8_0, 32 values and one scale.
//! - [`k_quants`]: Q2_K to Q6_K, 256 values in sub-blocks whose scales are themselves quantised.
//! - [`codebook`]: IQ4_NL IQ4_XS MXFP4, 4-bit indices into a table of values.
//! - [`grids`]: IQ1_S to IQ3_S, TQ1_0 and TQ2_0, small whole numbers chosen together from a table.
//! - [`fit`]: the searches for the scale that loses least, shared by the writers.

mod blocks32;
mod codebook;
mod fit;
mod grids;
mod k_quants;

use crate::{DType, grid_types};
use half::{bf16, f16};

/// Values of [`codebook`] types by 4-bit index, for kernels that look them up.
pub use codebook::{IQ4_VALUES, MXFP4_DOUBLED_VALUES, mxfp4_half_scale};
/// The whole numbers and scales of [`grids`] types, for kernels that pack them.
pub use grids::{
    Decoded, IQ1_VALUES, IQ2_VALUES, IQ3_S_VALUES, IQ3_XXS_VALUES, TERNARY_VALUES, decode, unit,
};

/// Writes the values stored in `bytes` to `out`.
///
/// # Panics
/// Where `out` is not a whole number of blocks, or `bytes` is not exactly those blocks: the caller's mistake.
pub fn dequantize(dtype: DType, bytes: &[u8], out: &mut [f32]) {
    assert_eq!(
        dtype.bytes_of(out.len()),
        Some(bytes.len()),
        "{} bytes do not hold {} values of {dtype}",
        bytes.len(),
        out.len()
    );
    match dtype {
        DType::F32 => read_blocks(bytes, out, |b, y: &mut [f32; 1]| y[0] = f32::from_le_bytes(*b)),
        DType::F16 => read_blocks(bytes, out, |b, y: &mut [f32; 1]| y[0] = f16::from_le_bytes(*b).to_f32()),
        DType::BF16 => read_blocks(bytes, out, |b, y: &mut [f32; 1]| y[0] = bf16::from_le_bytes(*b).to_f32()),
        DType::Q4_0 => read_blocks(bytes, out, blocks32::read_q4_0),
        DType::Q4_1 => read_blocks(bytes, out, blocks32::read_q4_1),
        DType::Q5_0 => read_blocks(bytes, out, blocks32::read_q5_0),
        DType::Q5_1 => read_blocks(bytes, out, blocks32::read_q5_1),
        DType::Q8_0 => read_blocks(bytes, out, blocks32::read_q8_0),
        DType::Q2_K => read_blocks(bytes, out, k_quants::read_q2_k),
        DType::Q3_K => read_blocks(bytes, out, k_quants::read_q3_k),
        DType::Q4_K => read_blocks(bytes, out, k_quants::read_q4_k),
        DType::Q5_K => read_blocks(bytes, out, k_quants::read_q5_k),
        DType::Q6_K => read_blocks(bytes, out, k_quants::read_q6_k),
        DType::IQ4_NL => read_blocks(bytes, out, codebook::read_iq4_nl),
        DType::IQ4_XS => read_blocks(bytes, out, codebook::read_iq4_xs),
        DType::MXFP4 => read_blocks(bytes, out, codebook::read_mxfp4),
        grid_types!() => grids::read(dtype, bytes, out),
    }
}

/// Appends `values`, quantised, to `out`.
///
/// # Panics
/// Where `values` is not a whole number of blocks: the caller's mistake.
pub fn quantize(dtype: DType, values: &[f32], out: &mut Vec<u8>) {
    let bytes = dtype.bytes_of(values.len());
    let bytes =
        bytes.unwrap_or_else(|| panic!("{} values are no whole number of {dtype} blocks", values.len()));
    let start = out.len();
    out.resize(start + bytes, 0);
    let out = &mut out[start..];
    match dtype {
        DType::F32 => write_blocks(values, out, |x: &[f32; 1], b| *b = x[0].to_le_bytes()),
        DType::F16 => write_blocks(values, out, |x: &[f32; 1], b| *b = f16::from_f32(x[0]).to_le_bytes()),
        DType::BF16 => write_blocks(values, out, |x: &[f32; 1], b| *b = bf16::from_f32(x[0]).to_le_bytes()),
        DType::Q4_0 => write_blocks(values, out, blocks32::write_q4_0),
        DType::Q4_1 => write_blocks(values, out, blocks32::write_q4_1),
        DType::Q5_0 => write_blocks(values, out, blocks32::write_q5_0),
        DType::Q5_1 => write_blocks(values, out, blocks32::write_q5_1),
        DType::Q8_0 => write_blocks(values, out, blocks32::write_q8_0),
        DType::Q2_K => write_blocks(values, out, k_quants::write_q2_k),
        DType::Q3_K => write_blocks(values, out, k_quants::write_q3_k),
        DType::Q4_K => write_blocks(values, out, k_quants::write_q4_k),
        DType::Q5_K => write_blocks(values, out, k_quants::write_q5_k),
        DType::Q6_K => write_blocks(values, out, k_quants::write_q6_k),
        DType::IQ4_NL => write_blocks(values, out, codebook::write_iq4_nl),
        DType::IQ4_XS => write_blocks(values, out, codebook::write_iq4_xs),
        DType::MXFP4 => write_blocks(values, out, codebook::write_mxfp4),
        grid_types!() => grids::write(dtype, values, out),
    }
}

fn read_blocks<const BYTES: usize, const LEN: usize>(
    bytes: &[u8],
    out: &mut [f32],
    read: impl Fn(&[u8; BYTES], &mut [f32; LEN]),
) {
    for (block, values) in bytes.as_chunks().0.iter().zip(out.as_chunks_mut().0) {
        read(block, values);
    }
}

/// `write` gets the block zeroed.
fn write_blocks<const BYTES: usize, const LEN: usize>(
    values: &[f32],
    out: &mut [u8],
    write: impl Fn(&[f32; LEN], &mut [u8; BYTES]),
) {
    for (values, block) in values.as_chunks().0.iter().zip(out.as_chunks_mut().0) {
        write(values, block);
    }
}

/// The half float at `block[at..at + 2]`.
fn half_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

/// Stores `value` as a half float at `block[at..at + 2]`, and gives back what a reader will see there.
fn put_half(block: &mut [u8], at: usize, value: f32) -> f32 {
    let half = f16::from_f32(value);
    block[at..at + 2].copy_from_slice(&half.to_le_bytes());
    half.to_f32()
}

/// `1 / x`, or zero where there is nothing to scale.
fn inverse(x: f32) -> f32 {
    if x != 0.0 { 1.0 / x } else { 0.0 }
}
