//! Groups of small whole numbers, chosen together from a table: IQ1_S to IQ3_S; and TQ1_0 and TQ2_0, whose values are -1, 0
//! and 1 and need no table.
//!
//! A block of 256 values is read in two steps: [`decode`] gives whole numbers, a small scale for each 16 of them and one for
//! all, whose product a value is; kernels pack those. What is written here is made for tests and for models that are divided
//! or converted again: scales fit the largest value, and no point of the table is weighed by importance.

use std::sync::LazyLock;

use super::{half_at, put_half};
use crate::DType;

/// A block's values are `d * unit(dtype) * scales[i / 16] * values[i]`.
pub struct Decoded {
    pub d: f32,
    pub scales: [i8; 16],
    pub values: [i8; 256],
}

/// The values of the types, by the codes that kernels pack: two bits of magnitude and one of sign, or three and one.
pub const IQ2_VALUES: [i8; 16] = [8, 25, 43, 0, -8, -25, -43, 0, 0, 0, 0, 0, 0, 0, 0, 0];
pub const IQ3_XXS_VALUES: [i8; 16] = [4, 12, 20, 28, 36, 44, 52, 62, -4, -12, -20, -28, -36, -44, -52, -62];
pub const IQ3_S_VALUES: [i8; 16] = [1, 3, 5, 7, 9, 11, 13, 15, -1, -3, -5, -7, -9, -11, -13, -15];
/// Eighths: -1, 0 and 1, each an eighth more or less.
pub const IQ1_VALUES: [i8; 16] = [-7, 1, 9, 0, -9, -1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Of TQ1_0 and TQ2_0.
pub const TERNARY_VALUES: [i8; 16] = [-1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Written by `oracles/grids.py`.
static POINTS: &[u8; 2 * 4608] = include_bytes!("grids.bin");

/// A type's table: where it begins, how many points it has, of how many values, and the magnitudes these are of.
struct Grid {
    first: usize,
    points: usize,
    len: usize,
    values: &'static [i8; 16],
    /// See [`unit`].
    unit: f32,
    /// The largest small scale, which is `2 * stored + 1`.
    scale_max: i32,
    /// Values that share a small scale.
    run: usize,
}

impl Grid {
    const fn of(dtype: DType) -> Option<Grid> {
        Some(match dtype {
            DType::IQ2_XXS => Grid::new(0, 256, 8, &IQ2_VALUES, 0.125, 31, 32),
            DType::IQ2_XS => Grid::new(256, 512, 8, &IQ2_VALUES, 0.125, 31, 16),
            DType::IQ2_S => Grid::new(768, 1024, 8, &IQ2_VALUES, 0.125, 31, 16),
            DType::IQ3_XXS => Grid::new(1792, 256, 4, &IQ3_XXS_VALUES, 0.25, 31, 32),
            DType::IQ3_S => Grid::new(2048, 512, 4, &IQ3_S_VALUES, 1.0, 31, 32),
            DType::IQ1_S => Grid::new(2560, 2048, 8, &IQ1_VALUES, 0.125, 15, 32),
            DType::IQ1_M => Grid::new(2560, 2048, 8, &IQ1_VALUES, 0.125, 15, 16),
            _ => return None,
        })
    }

    const fn new(
        first: usize,
        points: usize,
        len: usize,
        values: &'static [i8; 16],
        unit: f32,
        scale_max: i32,
        run: usize,
    ) -> Grid {
        Grid { first, points, len, values, unit, scale_max, run }
    }

    /// The index of value `j` of a point among the magnitudes.
    fn index(&self, point: usize, j: usize) -> usize {
        let at = 2 * (self.first + point);
        let word = u16::from_le_bytes([POINTS[at], POINTS[at + 1]]) as usize;
        if self.len == 8 { word >> (2 * j) & 3 } else { word >> (3 * j) & 7 }
    }

    /// The value `j` of a point whose sign (or whose eighth) is turned where `turned`.
    fn value(&self, point: usize, j: usize, turned: bool) -> i8 {
        let half = if self.len == 8 { 4 } else { 8 };
        self.values[self.index(point, j) + if turned { half } else { 0 }]
    }
}

/// What whole numbers of the type are multiplied by: their tables are in eighths, or in quarters.
pub const fn unit(dtype: DType) -> f32 {
    match Grid::of(dtype) {
        Some(grid) => grid.unit,
        None => 1.0,
    }
}

/// Every point's values, unturned, for the search for the nearest.
static UNTURNED: LazyLock<Vec<[f32; 8]>> = LazyLock::new(|| {
    let kinds = [DType::IQ2_XXS, DType::IQ2_XS, DType::IQ2_S, DType::IQ3_XXS, DType::IQ3_S, DType::IQ1_S];
    let grids = kinds.into_iter().filter_map(Grid::of);
    let values = grids.flat_map(|grid| {
        (0..grid.points).map(move |point| {
            let value = |j: usize| if j < grid.len { grid.value(point, j, false) } else { 0 };
            std::array::from_fn(|j| f32::from(value(j)))
        })
    });
    values.collect()
});

/// The eighth sign is that which makes their number even.
fn signs(seven: u32) -> u8 {
    let seven = (seven & 127) as u8;
    seven | ((seven.count_ones() as u8 & 1) << 7)
}

/// One block of any type of this module.
pub fn decode(dtype: DType, block: &[u8]) -> Decoded {
    let mut out = Decoded { d: 0.0, scales: [1; 16], values: [0; 256] };
    match dtype {
        DType::TQ1_0 => decode_tq1(block, &mut out),
        DType::TQ2_0 => {
            out.d = half_at(block, 64);
            for (i, value) in out.values.iter_mut().enumerate() {
                *value = (block[32 * (i / 128) + i % 32] >> (2 * (i / 32 % 4)) & 3) as i8 - 1;
            }
        }
        _ => decode_grid(dtype, &Grid::of(dtype).expect("a type of this module"), block, &mut out),
    }
    out
}

// TQ1_0: qs [u8; 48] | qh [u8; 4] | d f16. A byte holds five values in base three (those of qh four), as a fraction of 256:
// times three, what is carried out is the next value. Value `n` of byte `j` is that of run `n` of its bytes.
fn decode_tq1(block: &[u8], out: &mut Decoded) {
    out.d = half_at(block, 52);
    let mut at = 0;
    for (first, bytes, values) in [(0, 32, 5), (32, 16, 5), (48, 4, 4)] {
        for n in 0..values {
            for &byte in &block[first..first + bytes] {
                let fraction = byte.wrapping_mul([1, 3, 9, 27, 81][n]);
                out.values[at] = ((fraction as u16 * 3) >> 8) as i8 - 1;
                at += 1;
            }
        }
    }
}

// IQ2_XXS: d f16 | for each 32 values: 4 points u8 [4] | 7 signs of each, 4 bits of scale: u32
// IQ2_XS:  d f16 | points of 9 bits, 7 signs: u16 [32] | scales of 16 values, nibbles [8]
// IQ2_S:   d f16 | points u8 [32] | signs u8 [32] | bits 8, 9 of the points [8] | scales of 16, nibbles [8]
// IQ3_XXS: d f16 | points u8 [64] | for each 32: 7 signs of each 8, 4 bits of scale: u32 [8]
// IQ3_S:   d f16 | points u8 [64] | bit 8 of the points [8] | signs u8 [32] | scales of 32, nibbles [4]
// IQ1_S:   d f16 | points u8 [32] | for each 32: bits 8 to 10 of each, 3 bits of scale, the eighth's sign: u16 [8]
// IQ1_M:   points u8 [32] | for each 8: bits 8 to 10, the eighth's sign: nibbles [16] | scales of 16, 3 bits each, and in
//          the top nibbles the f16 that scales all: u16 [4]
fn decode_grid(dtype: DType, grid: &Grid, block: &[u8], out: &mut Decoded) {
    let word = |at: usize| u16::from_le_bytes([block[at], block[at + 1]]);
    let long = |at: usize| u32::from(word(at)) | u32::from(word(at + 2)) << 16;
    let nibble = |at: usize, i: usize| block[at + i / 2] >> (4 * (i % 2)) & 15;
    out.d = if dtype == DType::IQ1_M {
        let bits = (0..4).map(|i| (word(48 + 2 * i) >> 12) << (4 * i)).fold(0, |all, part| all | part);
        half::f16::from_bits(bits).to_f32()
    } else {
        half_at(block, 0)
    };
    for (i, scale) in out.scales.iter_mut().enumerate() {
        let stored = match dtype {
            DType::IQ2_XXS => (long(6 + 8 * (i / 2)) >> 28) as u8,
            DType::IQ2_XS => nibble(66, i),
            DType::IQ2_S => nibble(74, i),
            DType::IQ3_XXS => (long(66 + 4 * (i / 2)) >> 28) as u8,
            DType::IQ3_S => nibble(106, i / 2),
            DType::IQ1_S => (word(34 + 2 * (i / 2)) >> 12 & 7) as u8,
            _ => (word(48 + 2 * (i / 4)) >> (3 * (i % 4)) & 7) as u8,
        };
        *scale = 2 * stored as i8 + 1;
    }
    // Eight values at a time: the signs of all of them, and the point (or two) they are.
    for (i, values) in out.values.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let (turned, points) = match dtype {
            DType::IQ2_XXS => {
                let group = 2 + 8 * (i / 4);
                (signs(long(group + 4) >> (7 * (i % 4))), [block[group + i % 4] as usize, 0])
            }
            DType::IQ2_XS => {
                let word = word(2 + 2 * i);
                (signs(u32::from(word >> 9)), [(word & 511) as usize, 0])
            }
            DType::IQ2_S => {
                let high = (block[66 + i / 4] >> (2 * (i % 4)) & 3) as usize;
                (block[34 + i], [block[2 + i] as usize | high << 8, 0])
            }
            DType::IQ3_XXS => {
                let turned = signs(long(66 + 4 * (i / 4)) >> (7 * (i % 4)));
                (turned, [block[2 + 2 * i] as usize, block[3 + 2 * i] as usize])
            }
            DType::IQ3_S => {
                let point = |n: usize| {
                    let high = (block[66 + n / 8] >> (n % 8) & 1) as usize;
                    block[2 + n] as usize | high << 8
                };
                (block[74 + i], [point(2 * i), point(2 * i + 1)])
            }
            DType::IQ1_S => {
                let word = word(34 + 2 * (i / 4));
                let high = (word >> (3 * (i % 4)) & 7) as usize;
                (if word >> 15 == 0 { 0 } else { 255 }, [block[2 + i] as usize | high << 8, 0])
            }
            _ => {
                let high = nibble(32, i);
                let turned = if high & 8 == 0 { 0 } else { 255 };
                (turned, [block[i] as usize | ((high & 7) as usize) << 8, 0])
            }
        };
        for (j, value) in values.iter_mut().enumerate() {
            *value = grid.value(points[j / grid.len], j % grid.len, turned >> j & 1 == 1);
        }
    }
}

pub(super) fn read(dtype: DType, bytes: &[u8], out: &mut [f32]) {
    let unit = unit(dtype);
    let blocks = bytes.chunks_exact(dtype.block_bytes()).zip(out.as_chunks_mut::<256>().0);
    for (block, out) in blocks {
        let Decoded { d, scales, values } = decode(dtype, block);
        for (i, out) in out.iter_mut().enumerate() {
            *out = d * unit * f32::from(scales[i / 16]) * f32::from(values[i]);
        }
    }
}

pub(super) fn write(dtype: DType, values: &[f32], out: &mut [u8]) {
    let blocks = values.as_chunks::<256>().0.iter().zip(out.chunks_exact_mut(dtype.block_bytes()));
    for (values, block) in blocks {
        match Grid::of(dtype) {
            None => write_ternary(dtype, values, block),
            Some(grid) => write_grid(dtype, &grid, values, block),
        }
    }
}

/// The largest magnitude; nothing where no half float could scale it.
fn largest(values: &[f32]) -> f32 {
    let most = values.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
    if most.is_finite() && most < 65_000.0 { most } else { 0.0 }
}

fn write_ternary(dtype: DType, values: &[f32; 256], block: &mut [u8]) {
    let d = put_half(block, if dtype == DType::TQ1_0 { 52 } else { 64 }, largest(values));
    let digit = |i: usize| {
        let x = if d > 0.0 { values[i] / d } else { 0.0 };
        (x.round().clamp(-1.0, 1.0) + 1.0) as u16
    };
    if dtype == DType::TQ2_0 {
        for i in 0..256 {
            block[32 * (i / 128) + i % 32] |= (digit(i) as u8) << (2 * (i / 32 % 4));
        }
        return;
    }
    let mut at = 0;
    for (first, bytes, digits) in [(0, 32, 5), (32, 16, 5), (48, 4, 4)] {
        for j in 0..bytes {
            let number = (0..5)
                .fold(0, |number, n| number * 3 + if n < digits { digit(at + n * bytes + j) } else { 0 });
            // As a fraction of 256, rounded up.
            block[first + j] = ((number * 256).div_ceil(243)) as u8;
        }
        at += digits * bytes;
    }
}

fn write_grid(dtype: DType, grid: &Grid, values: &[f32; 256], block: &mut [u8]) {
    let most = f32::from(grid.values.iter().copied().max().unwrap_or(1));
    let wanted: Vec<f32> = values.chunks_exact(grid.run).map(|run| largest(run) / most).collect();
    let d = largest(&wanted) / grid.scale_max as f32;
    let stored = half::f16::from_f32(d / grid.unit);
    let d = stored.to_f32() * grid.unit;
    let scale_of = |i: usize| {
        let scale = if d > 0.0 { wanted[i] / d } else { 0.0 };
        ((scale - 1.0) / 2.0).round().clamp(0.0, ((grid.scale_max - 1) / 2) as f32) as u8
    };
    let put_word = |block: &mut [u8], at: usize, word: u16| {
        let word = word | u16::from_le_bytes([block[at], block[at + 1]]);
        block[at..at + 2].copy_from_slice(&word.to_le_bytes());
    };
    let put_long = |block: &mut [u8], at: usize, long: u32| {
        put_word(block, at, long as u16);
        put_word(block, at + 2, (long >> 16) as u16);
    };
    if dtype == DType::IQ1_M {
        (0..4).for_each(|i| put_word(block, 48 + 2 * i, (stored.to_bits() >> (4 * i) & 15) << 12));
    } else {
        block[..2].copy_from_slice(&stored.to_le_bytes());
    }
    for i in 0..256 / grid.run {
        let scale = scale_of(i);
        match dtype {
            DType::IQ2_XXS => put_long(block, 6 + 8 * i, u32::from(scale) << 28),
            DType::IQ3_XXS => put_long(block, 66 + 4 * i, u32::from(scale) << 28),
            DType::IQ1_S => put_word(block, 34 + 2 * i, u16::from(scale) << 12),
            DType::IQ1_M => put_word(block, 48 + 2 * (i / 4), u16::from(scale) << (3 * (i % 4))),
            DType::IQ2_XS => block[66 + i / 2] |= scale << (4 * (i % 2)),
            DType::IQ2_S => block[74 + i / 2] |= scale << (4 * (i % 2)),
            _ => block[106 + i / 2] |= scale << (4 * (i % 2)),
        }
    }
    let is_iq1 = matches!(dtype, DType::IQ1_S | DType::IQ1_M);
    let even_signs = matches!(dtype, DType::IQ2_XXS | DType::IQ2_XS | DType::IQ3_XXS);
    // IQ1_S turns the eighths of 32 values together: as they would rather have it on the whole.
    let turns: Vec<bool> = values.chunks_exact(32).map(|run| run.iter().sum::<f32>() < 0.0).collect();
    for (i, x) in values.as_chunks::<8>().0.iter().enumerate() {
        let scale = d * f32::from(2 * scale_of(i * 8 / grid.run) + 1);
        let x: [f32; 8] = x.map(|x| if scale > 0.0 && x.is_finite() { x / scale } else { 0.0 });
        let (turned, targets) = if is_iq1 {
            (if turns[i / 4] { 255 } else { 0 }, x)
        } else {
            let mut turned = (0..8).fold(0u8, |bits, j| bits | u8::from(x[j] < 0.0) << j);
            if even_signs && turned.count_ones() % 2 == 1 {
                let least = (0..8).min_by(|a, b| x[*a].abs().total_cmp(&x[*b].abs())).unwrap_or(0);
                turned ^= 1 << least;
            }
            (turned, x)
        };
        let nearest = |part: usize| {
            // What an unturned point would have to be.
            let target = |j: usize| {
                let x = targets[part * grid.len + j];
                match turned >> (part * grid.len + j) & 1 {
                    0 => x,
                    _ if is_iq1 => x + 2.0,
                    _ => -x,
                }
            };
            let target: [f32; 8] = std::array::from_fn(|j| if j < grid.len { target(j) } else { 0.0 });
            let points = UNTURNED[grid.first..][..grid.points].iter().enumerate();
            let losses = points.map(|(point, values)| {
                let loss = values.iter().zip(&target).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
                (loss, point)
            });
            losses.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, point)| point)
        };
        let point = nearest(0);
        match dtype {
            DType::IQ2_XXS => {
                block[2 + 8 * (i / 4) + i % 4] = point as u8;
                put_long(block, 6 + 8 * (i / 4), u32::from(turned & 127) << (7 * (i % 4)));
            }
            DType::IQ2_XS => put_word(block, 2 + 2 * i, point as u16 | u16::from(turned & 127) << 9),
            DType::IQ2_S => {
                block[2 + i] = point as u8;
                block[34 + i] = turned;
                block[66 + i / 4] |= ((point >> 8) as u8) << (2 * (i % 4));
            }
            DType::IQ3_XXS => {
                (block[2 + 2 * i], block[3 + 2 * i]) = (point as u8, nearest(1) as u8);
                put_long(block, 66 + 4 * (i / 4), u32::from(turned & 127) << (7 * (i % 4)));
            }
            DType::IQ3_S => {
                for (n, point) in [point, nearest(1)].into_iter().enumerate() {
                    let n = 2 * i + n;
                    block[2 + n] = point as u8;
                    block[66 + n / 8] |= ((point >> 8) as u8) << (n % 8);
                }
                block[74 + i] = turned;
            }
            DType::IQ1_S => {
                block[2 + i] = point as u8;
                let word = ((point >> 8) as u16) << (3 * (i % 4)) | u16::from(turned & 1) << 15;
                put_word(block, 34 + 2 * (i / 4), word);
            }
            _ => {
                block[i] = point as u8;
                block[32 + i / 2] |= ((point >> 8) as u8 | (turned & 1) << 3) << (4 * (i % 2));
            }
        }
    }
}
