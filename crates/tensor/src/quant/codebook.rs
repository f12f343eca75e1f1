//! 4-bit indices into a table of 16 values, spaced closer where weights are frequent.
//!
//! Within each run of 32 values, byte `j` holds value `j` in its low nibble and value `j + 16` in its high one.

use super::{fit, half_at, inverse, put_half};

/// The 16 values of IQ4_NL and IQ4_XS, in units of the block's scale.
pub const IQ4_VALUES: [i8; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

/// The 16 values of MXFP4 (4-bit floats, E2M1), doubled so that they are whole: use with half the scale.
pub const MXFP4_DOUBLED_VALUES: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

/// Half of the power of two an MXFP4 exponent byte stands for: 2^(e - 128).
pub fn mxfp4_half_scale(exponent: u8) -> f32 {
    // 2^-128 and 2^-127 are subnormal: their bit is in the mantissa.
    let bits = if exponent < 2 { 0x0020_0000 << exponent } else { (exponent as u32 - 1) << 23 };
    f32::from_bits(bits)
}

// IQ4_NL: d f16 | qs [u8; 16].  value = d * IQ4_VALUES[q]

pub(super) fn read_iq4_nl(block: &[u8; 18], y: &mut [f32; 32]) {
    let d = half_at(block, 0);
    look_up(&block[2..], d, &IQ4_VALUES, y);
}

pub(super) fn write_iq4_nl(x: &[f32; 32], block: &mut [u8; 18]) {
    let d = fit::iq4_scale(x);
    put_half(block, 0, d);
    put_nearest(x, inverse(d), &mut block[2..]);
}

// IQ4_XS: d f16 | scales_h u16 | scales_l [u8; 4] | qs [u8; 128], eight sub-blocks of 32.
// Sub-block i has the 6-bit scale ls = nibble i of scales_l | bits 2i, 2i+1 of scales_h << 4.
// value = d * (ls - 32) * IQ4_VALUES[q]

pub(super) fn read_iq4_xs(block: &[u8; 136], y: &mut [f32; 256]) {
    let d = half_at(block, 0);
    let scales_h = u16::from_le_bytes([block[2], block[3]]);
    for (i, y) in y.as_chunks_mut().0.iter_mut().enumerate() {
        let low = block[4 + i / 2] >> (4 * (i % 2)) & 15;
        let high = (scales_h >> (2 * i) & 3) as u8;
        let scale = d * ((low | high << 4) as i32 - 32) as f32;
        look_up(&block[8 + 16 * i..24 + 16 * i], scale, &IQ4_VALUES, y);
    }
}

pub(super) fn write_iq4_xs(x: &[f32; 256], block: &mut [u8; 136]) {
    let subs: &[[f32; 32]] = x.as_chunks().0;
    let mut scales = [0f32; 8];
    for (scale, sub) in scales.iter_mut().zip(subs) {
        *scale = fit::iq4_scale(sub);
    }
    let d = -fit::extreme(&scales) / 32.0;
    put_half(block, 0, d);
    let id = inverse(d);
    let mut scales_h = 0u16;
    for (i, sub) in subs.iter().enumerate() {
        let scale = fit::round(id * scales[i]).clamp(-32.0, 31.0);
        let stored = (scale as i32 + 32) as u16;
        block[4 + i / 2] |= ((stored & 15) as u8) << (4 * (i % 2));
        scales_h |= stored >> 4 << (2 * i);
        put_nearest(sub, inverse(d * scale), &mut block[8 + 16 * i..24 + 16 * i]);
    }
    block[2..4].copy_from_slice(&scales_h.to_le_bytes());
}

// MXFP4: e u8 | qs [u8; 16].  value = 2^(e - 128) * MXFP4_DOUBLED_VALUES[q]

pub(super) fn read_mxfp4(block: &[u8; 17], y: &mut [f32; 32]) {
    look_up(&block[1..], mxfp4_half_scale(block[0]), &MXFP4_DOUBLED_VALUES, y);
}

pub(super) fn write_mxfp4(x: &[f32; 32], block: &mut [u8; 17]) {
    let max = fit::extreme(x).abs();
    // The largest value is 6 = 1.5 * 2^2, so the exponent of the largest weight maps two below.
    block[0] = if max > 0.0 { (max.log2().floor() - 2.0 + 127.0) as u8 } else { 0 };
    let scale = mxfp4_half_scale(block[0]);
    let nearest = |v: f32| {
        let mut best = (0, f32::INFINITY);
        for (q, &value) in MXFP4_DOUBLED_VALUES.iter().enumerate() {
            let error = (value as f32 * scale - v).abs();
            if error < best.1 {
                best = (q as u8, error);
            }
        }
        best.0
    };
    for j in 0..16 {
        block[1 + j] = nearest(x[j]) | nearest(x[j + 16]) << 4;
    }
}

fn look_up(qs: &[u8], scale: f32, values: &[i8; 16], y: &mut [f32; 32]) {
    for (j, &byte) in qs.iter().enumerate() {
        y[j] = scale * values[(byte & 15) as usize] as f32;
        y[j + 16] = scale * values[(byte >> 4) as usize] as f32;
    }
}

fn put_nearest(x: &[f32; 32], inverse_scale: f32, qs: &mut [u8]) {
    for j in 0..16 {
        qs[j] = fit::iq4_index(x[j] * inverse_scale) | fit::iq4_index(x[j + 16] * inverse_scale) << 4;
    }
}
