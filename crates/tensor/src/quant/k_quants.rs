//! Super-blocks of 256 values in sub-blocks of 16 or 32. A half float `d` (and `dmin`) scales the sub-blocks' own
//! small integer scales (and minimums).

use super::fit::{self, AffineSearch};
use super::{half_at, inverse, put_half};

// Q2_K: scales [u8; 16] | qs [u8; 64] | d f16 | dmin f16, sixteen sub-blocks of 16.
// scales[i]: low nibble the scale, high nibble the minimum of sub-block i.
// Each half of 128 values has 32 bytes of qs: byte l holds values l, l+32, l+64, l+96 in two bits each, lowest first.
// value = d * scale * q - dmin * minimum

pub(super) fn read_q2_k(block: &[u8; 84], y: &mut [f32; 256]) {
    let (d, dmin) = (half_at(block, 80), half_at(block, 82));
    for i in 0..256 {
        let scale = block[i / 16];
        let q = two_bits(&block[16..80], i);
        y[i] = d * (scale & 15) as f32 * q as f32 - dmin * (scale >> 4) as f32;
    }
}

pub(super) fn write_q2_k(x: &[f32; 256], block: &mut [u8; 84]) {
    const SEARCH: AffineSearch =
        AffineSearch { max_code: 3.0, first: -0.5, step: 0.1, steps: 15, absolute: true };
    let subs: &[[f32; 16]] = x.as_chunks().0;
    let mut scales = [0f32; 16];
    let mut mins = [0f32; 16];
    for i in 0..16 {
        (scales[i], mins[i]) = fit::affine(&subs[i], &subs[i].map(f32::abs), &SEARCH);
    }
    let (max_scale, max_min) = (largest(&scales), largest(&mins));
    let d = put_half(block, 80, max_scale / 15.0);
    let dmin = put_half(block, 82, max_min / 15.0);
    for i in 0..16 {
        let scale = fit::round(15.0 * inverse(max_scale) * scales[i]) as u8;
        let min = fit::round(15.0 * inverse(max_min) * mins[i]) as u8;
        block[i] = scale | min << 4;
        let codes = codes(&subs[i], d * scale as f32, dmin * min as f32, 0.0, 3.0);
        for (j, code) in codes.into_iter().enumerate() {
            put_two_bits(&mut block[16..80], 16 * i + j, code);
        }
    }
}

// Q3_K: hmask [u8; 32] | qs [u8; 64] | scales [u8; 12] | d f16, sixteen sub-blocks of 16.
// The low two bits of the codes lie as in Q2_K; the third bit of value i is bit i / 32 of hmask[i % 32].
// Sub-block i has a 6-bit scale: its low nibble is nibble i / 8 of scales[i % 8], its high two bits are
// bits 2(i / 4).. of scales[8 + i % 4].
// value = d * (scale - 32) * (q - 4)

pub(super) fn read_q3_k(block: &[u8; 110], y: &mut [f32; 256]) {
    let d = half_at(block, 108);
    for i in 0..256 {
        let sub = i / 16;
        let low = block[96 + sub % 8] >> (4 * (sub / 8)) & 15;
        let high = block[104 + sub % 4] >> (2 * (sub / 4)) & 3;
        let q = two_bits(&block[32..96], i) | (block[i % 32] >> (i / 32) & 1) << 2;
        y[i] = d * ((low | high << 4) as i32 - 32) as f32 * (q as i32 - 4) as f32;
    }
}

pub(super) fn write_q3_k(x: &[f32; 256], block: &mut [u8; 110]) {
    let subs: &[[f32; 16]] = x.as_chunks().0;
    let mut scales = [0f32; 16];
    for i in 0..16 {
        scales[i] = fit::coarse_symmetric_scale(&subs[i], 4.0);
    }
    let inverse_d = -32.0 * inverse(fit::extreme(&scales));
    let d = put_half(block, 108, inverse(inverse_d));
    for i in 0..16 {
        let scale = fit::round(inverse_d * scales[i]).clamp(-32.0, 31.0);
        let stored = (scale as i32 + 32) as u8;
        block[96 + i % 8] |= (stored & 15) << (4 * (i / 8));
        block[104 + i % 4] |= stored >> 4 << (2 * (i / 4));
        let codes = codes(&subs[i], d * scale, 0.0, -4.0, 3.0);
        for (j, code) in codes.into_iter().enumerate() {
            let at = 16 * i + j;
            put_two_bits(&mut block[32..96], at, code & 3);
            block[at % 32] |= code >> 2 << (at / 32);
        }
    }
}

// Q4_K: d f16 | dmin f16 | scales [u8; 12] | qs [u8; 128], eight sub-blocks of 32.
// `scale_and_min` says how the twelve bytes hold eight 6-bit scales and eight 6-bit minimums.
// Each 64 values have 32 bytes of qs: the first 32 values in the low nibbles, the next 32 in the high ones.
// value = d * scale * q - dmin * minimum

pub(super) fn read_q4_k(block: &[u8; 144], y: &mut [f32; 256]) {
    let (d, dmin) = (half_at(block, 0), half_at(block, 2));
    for i in 0..256 {
        let (scale, min) = scale_and_min(&block[4..16], i / 32);
        let q = nibble(&block[16..], i);
        y[i] = d * scale as f32 * q as f32 - dmin * min as f32;
    }
}

pub(super) fn write_q4_k(x: &[f32; 256], block: &mut [u8; 144]) {
    const SEARCH: AffineSearch =
        AffineSearch { max_code: 15.0, first: -1.0, step: 0.1, steps: 20, absolute: false };
    let subs = put_scales_and_mins(x, &SEARCH, &mut block[..16]);
    for (sub, (scale, min)) in subs.into_iter().enumerate() {
        let codes = codes::<32>(&x.as_chunks().0[sub], scale, min, 0.0, 15.0);
        for (j, code) in codes.into_iter().enumerate() {
            put_nibble(&mut block[16..], 32 * sub + j, code);
        }
    }
}

// Q5_K: d f16 | dmin f16 | scales [u8; 12] | qh [u8; 32] | qs [u8; 128].
// As Q4_K; the fifth bit of value i is bit i / 32 of qh[i % 32].

pub(super) fn read_q5_k(block: &[u8; 176], y: &mut [f32; 256]) {
    let (d, dmin) = (half_at(block, 0), half_at(block, 2));
    for i in 0..256 {
        let (scale, min) = scale_and_min(&block[4..16], i / 32);
        let q = nibble(&block[48..], i) | (block[16 + i % 32] >> (i / 32) & 1) << 4;
        y[i] = d * scale as f32 * q as f32 - dmin * min as f32;
    }
}

pub(super) fn write_q5_k(x: &[f32; 256], block: &mut [u8; 176]) {
    const SEARCH: AffineSearch =
        AffineSearch { max_code: 31.0, first: -0.5, step: 0.1, steps: 15, absolute: false };
    let subs = put_scales_and_mins(x, &SEARCH, &mut block[..16]);
    for (sub, (scale, min)) in subs.into_iter().enumerate() {
        let codes = codes::<32>(&x.as_chunks().0[sub], scale, min, 0.0, 31.0);
        for (j, code) in codes.into_iter().enumerate() {
            put_nibble(&mut block[48..], 32 * sub + j, code & 15);
            block[16 + j] |= code >> 4 << sub;
        }
    }
}

// Q6_K: ql [u8; 128] | qh [u8; 64] | scales [i8; 16] | d f16, sixteen sub-blocks of 16.
// Each half of 128 values has 64 bytes of ql (values l and l+64 in byte l's nibbles) and 32 bytes of qh
// (the high two bits of values l, l+32, l+64, l+96 in byte l, as the codes of Q2_K).
// value = d * scale * (q - 32)

pub(super) fn read_q6_k(block: &[u8; 210], y: &mut [f32; 256]) {
    let d = half_at(block, 208);
    for i in 0..256 {
        let low = block[64 * (i / 128) + i % 64] >> (4 * (i / 64 % 2)) & 15;
        let q = low | two_bits(&block[128..192], i) << 4;
        let scale = block[192 + i / 16] as i8;
        y[i] = d * scale as f32 * (q as i32 - 32) as f32;
    }
}

pub(super) fn write_q6_k(x: &[f32; 256], block: &mut [u8; 210]) {
    let subs: &[[f32; 16]] = x.as_chunks().0;
    let mut scales = [0f32; 16];
    for i in 0..16 {
        scales[i] = fit::symmetric_scale(&subs[i], 32.0);
    }
    let inverse_d = -128.0 * inverse(fit::extreme(&scales));
    let d = put_half(block, 208, inverse(inverse_d));
    for i in 0..16 {
        let scale = fit::round(inverse_d * scales[i]).clamp(-128.0, 127.0);
        block[192 + i] = scale as i8 as u8;
        let codes = codes(&subs[i], d * scale, 0.0, -32.0, 31.0);
        for (j, code) in codes.into_iter().enumerate() {
            let at = 16 * i + j;
            block[64 * (at / 128) + at % 64] |= (code & 15) << (4 * (at / 64 % 2));
            put_two_bits(&mut block[128..192], at, code >> 4);
        }
    }
}

/// The two bits of value `i` in 64 bytes, laid out as in Q2_K.
fn two_bits(bytes: &[u8], i: usize) -> u8 {
    bytes[32 * (i / 128) + i % 32] >> (2 * (i / 32 % 4)) & 3
}

fn put_two_bits(bytes: &mut [u8], i: usize, code: u8) {
    bytes[32 * (i / 128) + i % 32] |= code << (2 * (i / 32 % 4));
}

/// The four bits of value `i` in 128 bytes, laid out as in Q4_K.
fn nibble(bytes: &[u8], i: usize) -> u8 {
    bytes[32 * (i / 64) + i % 32] >> (4 * (i / 32 % 2)) & 15
}

fn put_nibble(bytes: &mut [u8], i: usize, code: u8) {
    bytes[32 * (i / 64) + i % 32] |= code << (4 * (i / 32 % 2));
}

/// The 6-bit scale and minimum of sub-block `i` of eight.
///
/// Bytes 0..4 hold the scales and bytes 4..8 the minimums of sub-blocks 0..4 in their low six bits. For sub-blocks
/// 4..8, bytes 8..12 hold the low nibbles (scale low, minimum high), and the two bits left free in bytes 0..8 the rest.
fn scale_and_min(bytes: &[u8], i: usize) -> (u8, u8) {
    if i < 4 {
        (bytes[i] & 63, bytes[i + 4] & 63)
    } else {
        (bytes[i + 4] & 15 | bytes[i - 4] >> 6 << 4, bytes[i + 4] >> 4 | bytes[i] >> 6 << 4)
    }
}

fn put_scale_and_min(bytes: &mut [u8], i: usize, scale: u8, min: u8) {
    if i < 4 {
        bytes[i] |= scale;
        bytes[i + 4] |= min;
    } else {
        bytes[i + 4] |= scale & 15 | min << 4;
        bytes[i - 4] |= scale >> 4 << 6;
        bytes[i] |= min >> 4 << 6;
    }
}

/// Fills `d | dmin | scales` of Q4_K and Q5_K, and gives the scale and minimum a reader will see for each sub-block.
fn put_scales_and_mins(x: &[f32; 256], search: &AffineSearch, head: &mut [u8]) -> [(f32, f32); 8] {
    let subs: &[[f32; 32]] = x.as_chunks().0;
    let mut scales = [0f32; 8];
    let mut mins = [0f32; 8];
    for i in 0..8 {
        let mean_square = subs[i].iter().map(|v| v * v).sum::<f32>() / 32.0;
        let weights = subs[i].map(|v| mean_square.sqrt() + v.abs());
        (scales[i], mins[i]) = fit::affine(&subs[i], &weights, search);
    }
    let (max_scale, max_min) = (largest(&scales), largest(&mins));
    let d = put_half(head, 0, max_scale / 63.0);
    let dmin = put_half(head, 2, max_min / 63.0);
    std::array::from_fn(|i| {
        let scale = fit::round(63.0 * inverse(max_scale) * scales[i]) as u8;
        let min = fit::round(63.0 * inverse(max_min) * mins[i]) as u8;
        let (scale, min) = (scale.min(63), min.min(63));
        put_scale_and_min(&mut head[4..16], i, scale, min);
        (d * scale as f32, dmin * min as f32)
    })
}

/// The codes of a sub-block under its final scale and minimum, counted from the lowest.
fn codes<const N: usize>(x: &[f32; N], scale: f32, min: f32, lowest: f32, highest: f32) -> [u8; N] {
    if scale == 0.0 {
        return [-lowest as u8; N];
    }
    x.map(|v| (fit::round((v + min) / scale).clamp(lowest, highest) - lowest) as u8)
}

fn largest(x: &[f32]) -> f32 {
    x.iter().fold(0.0, |max: f32, &v| v.max(max))
}
