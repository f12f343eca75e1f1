//! Values as narrow types would hold them.

/// Values rounded as a narrow type would hold them, in blocks that have a scale each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Eight bits (e4m3), 32 values to a scale, which is a power of two.
    Mxfp8,
    /// Four bits (e2m1), 32 values to a scale, which is a power of two.
    Mxfp4,
    /// Four bits (e2m1), 16 values to a scale in eight bits (e4m3).
    Nvfp4,
}

impl Rounding {
    pub const fn block_len(self) -> usize {
        match self {
            Rounding::Mxfp8 | Rounding::Mxfp4 => 32,
            Rounding::Nvfp4 => 16,
        }
    }

    /// Round a row, which is made of whole blocks.
    pub fn round(self, row: &mut [f32]) {
        for block in row.chunks_exact_mut(self.block_len()) {
            let most = block.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            match self {
                Rounding::Mxfp8 => {
                    let scale = power_of_two_from(most.max(1e-4) / E4M3_MAX);
                    block.iter_mut().for_each(|x| *x = e4m3(*x / scale) * scale);
                }
                Rounding::Mxfp4 => {
                    let scale = power_of_two_from(most.max(E2M1_MAX * f32::MIN_POSITIVE) / E2M1_MAX);
                    block.iter_mut().for_each(|x| *x = e2m1(*x / scale) * scale);
                }
                Rounding::Nvfp4 => {
                    let scale = e4m3(most.max(E2M1_MAX * E4M3_MIN) / E2M1_MAX);
                    block.iter_mut().for_each(|x| *x = e2m1(*x / scale) * scale);
                }
            }
        }
    }
}

const E4M3_MAX: f32 = 448.0;
const E4M3_MIN: f32 = 1.0 / 512.0;
const E2M1_MAX: f32 = 6.0;

/// The least power of two that is not below `x`, a normal number.
fn power_of_two_from(x: f32) -> f32 {
    const MANTISSA: u32 = (1 << 23) - 1;
    f32::from_bits((x.to_bits() + MANTISSA) & !MANTISSA)
}

/// The nearest value with so many bits of mantissa, whose steps are no finer than those at `least`, a power of two; of two that are as
/// near, the even one.
fn narrowed(x: f32, bits: i32, least: f32, most: f32) -> f32 {
    const EXPONENT: u32 = 0xff << 23;
    let power = f32::from_bits(x.abs().max(least).to_bits() & EXPONENT);
    let step = power / (1 << bits) as f32;
    ((x / step).round_ties_even() * step).clamp(-most, most)
}

fn e4m3(x: f32) -> f32 {
    narrowed(x, 3, 1.0 / 64.0, E4M3_MAX)
}

fn e2m1(x: f32) -> f32 {
    narrowed(x, 1, 1.0, E2M1_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_to_the_nearest_even_code() {
        let fours = [0.25, 0.26, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 5.1, -0.75];
        let rounded = [0.0, 0.5, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 6.0, -1.0];
        for (x, expected) in fours.into_iter().zip(rounded) {
            assert_eq!(e2m1(x), expected, "{x}");
        }
        for (x, expected) in
            [(1.0625, 1.0), (1.1875, 1.25), (447.0, 448.0), (0.001, 0.001953125), (17.0, 16.0)]
        {
            assert_eq!(e4m3(x), expected, "{x}");
        }
        for (x, expected) in [(1.0, 1.0), (1.0001, 2.0), (0.75, 1.0), (3.0, 4.0)] {
            assert_eq!(power_of_two_from(x), expected, "{x}");
        }
    }

    /// What fits the codes stays as it is.
    #[test]
    fn rounding_twice_is_rounding_once() {
        for rounding in [Rounding::Mxfp8, Rounding::Mxfp4, Rounding::Nvfp4] {
            let mut row: Vec<f32> = (0..64).map(|i| ((i * 37 % 64) as f32 - 31.5) * 0.37).collect();
            let before = row.clone();
            rounding.round(&mut row);
            assert_ne!(row, before, "{rounding:?}");
            let once = row.clone();
            rounding.round(&mut row);
            assert_eq!(row, once, "{rounding:?}");
        }
    }
}
