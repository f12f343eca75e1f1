//! A random choice that ranks can make together.

/// A draw from the softmax of a row of logits at a temperature, fixed by a seed and a position on every machine.
///
/// Every token gets a random number of its own (Gumbel noise), and the largest sum of scaled logit and noise wins: the winner is
/// distributed as the softmax. The winner of a row is the winner among the winners of its parts, so ranks that each hold a part
/// of the vocabulary need to exchange one token each, and the choice does not depend on how many they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Draw {
    /// 0 picks the largest logit.
    pub temperature: f32,
    pub seed: u64,
    pub position: u64,
}

/// Logits looked at together: few runs hold a possible winner.
const RUN: usize = 64;
/// More than any noise: the largest number below 1 that is drawn gives 37.4.
const NOISE_MAX: f64 = 38.0;

impl Draw {
    /// The winner among `logits`, of tokens `first` and on; of equals the first. `None` where none is a number above negative
    /// infinity.
    pub fn winner(&self, first: u32, logits: &[f32]) -> Option<u32> {
        let max_of =
            |run: &[f32]| run.iter().fold(f32::NEG_INFINITY, |max, x| if *x > max { *x } else { max });
        let runs = || logits.chunks(RUN).enumerate();
        let (at, max) =
            runs().map(|(at, run)| (at, max_of(run))).reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        if max == f32::NEG_INFINITY {
            return None;
        }
        let largest = at * RUN + logits[at * RUN..].iter().position(|logit| *logit == max)?;
        if self.temperature <= 0.0 || max == f32::INFINITY {
            return Some(first + largest as u32);
        }
        let scale = 1.0 / f64::from(self.temperature);
        let stream = self.stream();
        let score = |index: usize, bits: u64| f64::from(logits[index]) * scale + noise(bits);
        let mut best = (score(largest, bits(stream, first + largest as u32)), largest);
        for (at, run) in runs() {
            // What the noise must be at least for the run's largest logit to win, and the bits that give so much.
            let lead = best.0 - f64::from(max_of(run)) * scale;
            if lead > NOISE_MAX {
                continue;
            }
            let least = (-(-lead + 1e-6).exp()).exp() * (1u64 << 53) as f64;
            for (offset, logit) in run.iter().enumerate() {
                let index = at * RUN + offset;
                let bits = bits(stream, first + index as u32);
                if bits as f64 + 1.0 >= least && *logit > f32::NEG_INFINITY {
                    let found = score(index, bits);
                    if found > best.0 || (found == best.0 && index < best.1) {
                        best = (found, index);
                    }
                }
            }
        }
        Some(first + best.1 as u32)
    }

    /// What a token must have the most of to win.
    pub fn score(&self, token: u32, logit: f32) -> f64 {
        if self.temperature <= 0.0 {
            return f64::from(logit);
        }
        f64::from(logit) * (1.0 / f64::from(self.temperature)) + noise(bits(self.stream(), token))
    }

    /// What the tokens' random bits are made from, with their ids.
    pub fn stream(&self) -> u64 {
        mix(self.seed.wrapping_add((self.position + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }
}

/// A token's 53 random bits.
fn bits(stream: u64, token: u32) -> u64 {
    mix(stream.wrapping_add((u64::from(token) + 1).wrapping_mul(0xd1b5_4a32_d192_ed03))) >> 11
}

/// Gumbel noise of 53 random bits.
fn noise(bits: u64) -> f64 {
    let unit = (bits as f64 + 0.5) / (1u64 << 53) as f64;
    -(-unit.ln()).ln()
}

/// SplitMix64's finish: every bit of the input changes half of the output's.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logits(count: usize, seed: u64) -> Vec<f32> {
        (0..count as u64).map(|i| (mix(seed + i) % 2000) as f32 / 100.0 - 10.0).collect()
    }

    /// The same without leaving anything out.
    fn plain(draw: &Draw, logits: &[f32]) -> u32 {
        let score = |i: usize| {
            f64::from(logits[i]) / f64::from(draw.temperature) + noise(bits(draw.stream(), i as u32))
        };
        (0..logits.len()).reduce(|a, b| if score(b) > score(a) { b } else { a }).unwrap() as u32
    }

    #[test]
    fn the_winner_of_the_parts_is_the_winner_of_the_whole() {
        for position in 0..300 {
            for temperature in [0.3, 1.0, 2.0] {
                let logits = logits(1000, 7 * position);
                let draw = Draw { temperature, seed: 5, position };
                let whole = draw.winner(0, &logits).unwrap();
                assert_eq!(whole, plain(&draw, &logits), "at {position}, {temperature}");
                // As ranks leave it to their leader: the parts' winners, and nothing else.
                let mut left = vec![f32::NEG_INFINITY; logits.len()];
                for part in [0..1, 1..330, 330..900, 900..1000] {
                    let winner = draw.winner(part.start as u32, &logits[part]).unwrap() as usize;
                    left[winner] = logits[winner];
                }
                assert_eq!(draw.winner(0, &left), Some(whole));
            }
        }
    }

    #[test]
    fn winners_are_distributed_as_the_softmax() {
        let probabilities = [0.05, 0.5, 0.2, 0.25];
        let logits = probabilities.map(|p: f32| p.ln());
        let mut counts = [0.0; 4];
        for position in 0..40_000 {
            let draw = Draw { temperature: 1.0, seed: 1, position };
            counts[draw.winner(0, &logits).unwrap() as usize] += 1.0 / 40_000.0;
        }
        for (found, expected) in counts.iter().zip(probabilities) {
            assert!((found - expected).abs() < 0.01, "{counts:?}");
        }
    }

    #[test]
    fn what_is_no_number_does_not_win() {
        let draw = Draw { temperature: 1.0, seed: 1, position: 0 };
        let none = f32::NEG_INFINITY;
        assert_eq!(draw.winner(0, &[none, f32::NAN, 0.5, none]), Some(2));
        assert_eq!(draw.winner(0, &[none, f32::INFINITY, 0.5]), Some(1));
        assert_eq!(draw.winner(0, &[none; 100]), None);
        assert_eq!(draw.winner(0, &[]), None);
        assert_eq!(Draw::default().winner(10, &[0.0, 2.0, 2.0]), Some(11));
    }
}
