//! Blocks of 32 values with one scale `d`, and for the `_1` types a minimum `m`, both f16.
//!
//! 4-bit codes: byte `j` of `qs` holds value `j` in its low nibble and value `j + 16` in its high one.
//! The fifth bit of value `j` is bit `j` of the little-endian `qh`.

use super::{half_at, inverse, put_half};

// Q4_0: d f16 | qs [u8; 16].  value = d * (q - 8)

pub(super) fn read_q4_0(block: &[u8; 18], y: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for (j, &byte) in block[2..].iter().enumerate() {
        y[j] = ((byte & 15) as i32 - 8) as f32 * d;
        y[j + 16] = ((byte >> 4) as i32 - 8) as f32 * d;
    }
}

pub(super) fn write_q4_0(x: &[f32; 32], block: &mut [u8; 18]) {
    // The extreme value takes code 0, the one end without a mirror image: the scale carries its sign.
    let d = extreme(x) / -8.0;
    put_half(block, 0, d);
    let id = inverse(d);
    let code = |v: f32| ((v * id + 8.5) as u8).min(15);
    for j in 0..16 {
        block[2 + j] = code(x[j]) | code(x[j + 16]) << 4;
    }
}

// Q4_1: d f16 | m f16 | qs [u8; 16].  value = d * q + m

pub(super) fn read_q4_1(block: &[u8; 20], y: &mut [f32; 32]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    for (j, &byte) in block[4..].iter().enumerate() {
        y[j] = (byte & 15) as f32 * d + m;
        y[j + 16] = (byte >> 4) as f32 * d + m;
    }
}

pub(super) fn write_q4_1(x: &[f32; 32], block: &mut [u8; 20]) {
    let (min, max) = range(x);
    let d = (max - min) / 15.0;
    put_half(block, 0, d);
    put_half(block, 2, min);
    let id = inverse(d);
    let code = |v: f32| (((v - min) * id + 0.5) as u8).min(15);
    for j in 0..16 {
        block[4 + j] = code(x[j]) | code(x[j + 16]) << 4;
    }
}

// Q5_0: d f16 | qh u32 | qs [u8; 16].  value = d * (q - 16)

pub(super) fn read_q5_0(block: &[u8; 22], y: &mut [f32; 32]) {
    let d = half_at(block, 0);
    let qh = fifth_bits(&block[2..6]);
    for (j, &byte) in block[6..].iter().enumerate() {
        let low = (byte & 15) as u32 | (qh >> j & 1) << 4;
        let high = (byte >> 4) as u32 | (qh >> (j + 16) & 1) << 4;
        y[j] = (low as i32 - 16) as f32 * d;
        y[j + 16] = (high as i32 - 16) as f32 * d;
    }
}

pub(super) fn write_q5_0(x: &[f32; 32], block: &mut [u8; 22]) {
    let d = extreme(x) / -16.0;
    put_half(block, 0, d);
    let id = inverse(d);
    put_five_bits(&mut block[2..], |j| ((x[j] * id + 16.5) as u8).min(31));
}

// Q5_1: d f16 | m f16 | qh u32 | qs [u8; 16].  value = d * q + m

pub(super) fn read_q5_1(block: &[u8; 24], y: &mut [f32; 32]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    let qh = fifth_bits(&block[4..8]);
    for (j, &byte) in block[8..].iter().enumerate() {
        let low = (byte & 15) as u32 | (qh >> j & 1) << 4;
        let high = (byte >> 4) as u32 | (qh >> (j + 16) & 1) << 4;
        y[j] = low as f32 * d + m;
        y[j + 16] = high as f32 * d + m;
    }
}

pub(super) fn write_q5_1(x: &[f32; 32], block: &mut [u8; 24]) {
    let (min, max) = range(x);
    let d = (max - min) / 31.0;
    put_half(block, 0, d);
    put_half(block, 2, min);
    let id = inverse(d);
    put_five_bits(&mut block[4..], |j| (((x[j] - min) * id + 0.5) as u8).min(31));
}

// Q8_0: d f16 | qs [i8; 32].  value = d * q

pub(super) fn read_q8_0(block: &[u8; 34], y: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for (y, &byte) in y.iter_mut().zip(&block[2..]) {
        *y = (byte as i8) as f32 * d;
    }
}

pub(super) fn write_q8_0(x: &[f32; 32], block: &mut [u8; 34]) {
    let d = extreme(x).abs() / 127.0;
    put_half(block, 0, d);
    let id = inverse(d);
    for (byte, &v) in block[2..].iter_mut().zip(x) {
        *byte = (v * id).round() as i8 as u8;
    }
}

fn fifth_bits(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Fills `qh | qs` at the start of `out` with the 32 codes.
fn put_five_bits(out: &mut [u8], code: impl Fn(usize) -> u8) {
    let mut qh = 0u32;
    for j in 0..16 {
        let (low, high) = (code(j), code(j + 16));
        out[4 + j] = low & 15 | high << 4;
        qh |= (low as u32 >> 4) << j | (high as u32 >> 4) << (j + 16);
    }
    out[..4].copy_from_slice(&qh.to_le_bytes());
}

/// The value of largest magnitude, with its sign; the first of equals.
fn extreme(x: &[f32; 32]) -> f32 {
    x.iter().fold(0.0, |best: f32, &v| if v.abs() > best.abs() { v } else { best })
}

fn range(x: &[f32; 32]) -> (f32, f32) {
    x.iter().fold((f32::MAX, f32::MIN), |(min, max), &v| (v.min(min), v.max(max)))
}
