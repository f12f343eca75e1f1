//! Sums that are the same bits however they are divided.
//!
//! A sum over columns is made of runs, each added up by one rank in one order. Floats added in another order give another result, so
//! every run's sum is cut in two parts, multiples of [`COARSE`] and of [`FINE`], and each kind is added by itself. Whole multiples add
//! up exactly while they fit into the 24 bits of an `f32`: coarse parts up to 2^15 of runs up to 2^13, fine ones for 64 runs at worst
//! and for thousands as they are in practice. So neither the order nor the division matters; the two are joined once, at the end. Beyond these
//! limits the sum is as good as any other.

/// What the first part of a sum is a multiple of.
pub const COARSE: f32 = 1.0 / 512.0;
/// What the second part is a multiple of.
pub const FINE: f32 = 1.0 / 268_435_456.0;

/// Added and taken away again, these leave a multiple of [`COARSE`], or of [`FINE`]: the last bit of such a number is worth as much.
pub const TO_COARSE: f32 = 1.5 * 8_388_608.0 * COARSE;
pub const TO_FINE: f32 = 1.5 * 8_388_608.0 * FINE;

/// The two parts of a run's sum.
pub fn split(x: f32) -> [f32; 2] {
    let coarse = (x + TO_COARSE) - TO_COARSE;
    let fine = ((x - coarse) + TO_FINE) - TO_FINE;
    [coarse, fine]
}

/// The two parts of `Σ x²`, for values of which ranks hold whole runs of eight.
pub fn of_squares(x: &[f32]) -> [f32; 2] {
    x.chunks(8).fold([0.0; 2], |sum, run| {
        let [coarse, fine] = split(run.iter().map(|x| x * x).sum());
        [sum[0] + coarse, sum[1] + fine]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::Noise;

    #[test]
    fn parts_are_multiples_and_add_up() {
        let mut noise = Noise(1);
        for exponent in -30..14 {
            for _ in 0..1000 {
                let x = noise.value() * 2f32.powi(exponent);
                let [coarse, fine] = split(x);
                assert_eq!((coarse / COARSE).fract(), 0.0, "{x}");
                assert_eq!((fine / FINE).fract(), 0.0, "{x}");
                assert!(fine.abs() <= COARSE / 2.0 && (x - coarse - fine).abs() <= FINE / 2.0, "{x}");
            }
        }
    }

    #[test]
    fn any_division_and_order_gives_the_same_bits() {
        let mut noise = Noise(2);
        let runs: Vec<f32> = (0..600).map(|i| noise.value() * 2f32.powi(i % 20 - 10)).collect();
        let sum = |parts: &[&[f32]]| {
            let mut whole = [0.0; 2];
            for part in parts {
                let mut own = [0.0; 2];
                for run in *part {
                    let [coarse, fine] = split(*run);
                    own = [own[0] + coarse, own[1] + fine];
                }
                whole = [whole[0] + own[0], whole[1] + own[1]];
            }
            whole[0] + whole[1]
        };
        let expected = sum(&[&runs]);
        let exact: f64 = runs.iter().map(|run| f64::from(*run)).sum();
        assert!((f64::from(expected) - exact).abs() < 1e-4, "{expected} {exact}");
        for cut in [1, 77, 300, 599] {
            let (a, b) = runs.split_at(cut);
            assert_eq!(sum(&[a, b]).to_bits(), expected.to_bits());
            assert_eq!(sum(&[b, a]).to_bits(), expected.to_bits());
            let (b, c) = b.split_at(b.len() / 2);
            assert_eq!(sum(&[c, a, b]).to_bits(), expected.to_bits());
        }
        let plain = |mut runs: Vec<f32>| {
            let forwards: f32 = runs.iter().sum();
            runs.reverse();
            (forwards, runs.iter().sum::<f32>())
        };
        let (forwards, backwards) = plain(runs);
        assert_ne!(
            forwards.to_bits(),
            backwards.to_bits(),
            "plain sums depend on the order, or this shows nothing"
        );
    }

    #[test]
    fn what_is_not_finite_stays_so() {
        for x in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            let [coarse, fine] = split(x);
            assert!(!(coarse + fine).is_finite());
        }
        let [coarse, fine] = split(3e38);
        assert_eq!(coarse + fine, 3e38);
    }
}
