//! Rotary frequencies and the ways they are stretched for longer contexts.

use crate::arch::DescribeError;
use crate::facts::{Facts, Origin, key};

/// `theta^(-2i/dims)` per pair, stretched as the file asks. Llama 3's GGUF files carry the stretch as
/// a tensor of divisors instead, which the description names.
pub fn inverse_frequencies(facts: &dyn Facts, dims: usize) -> Result<Vec<f32>, DescribeError> {
    let theta = facts.number_or(key("rope.freq_base", "rope_theta"), 10_000.0)?;
    let plain = (0..dims / 2).map(|i| 1.0 / (theta as f64).powf(2.0 * i as f64 / dims as f64));
    let plain: Vec<f32> = plain.map(|x| x as f32).collect();
    let kind = match facts.text_opt(key("rope.scaling.type", "rope_scaling.rope_type"))? {
        Some(kind) => Some(kind),
        None => facts.text_opt(key("", "rope_scaling.type"))?,
    };
    let factor = facts.number_or(key("rope.scaling.factor", "rope_scaling.factor"), 1.0)?;
    match kind.as_deref() {
        None | Some("none" | "default") => Ok(plain),
        Some("linear") => Ok(plain.iter().map(|x| x / factor).collect()),
        Some("llama3") if facts.origin() == Origin::Config => llama3(facts, &plain, factor),
        Some(other) => Err(DescribeError::Unsupported {
            what: "rope scaling",
            found: other.to_owned(),
            supported: "none, linear, llama3",
        }),
    }
}

/// Long wavelengths are divided by `factor`, short ones kept, those between blended.
fn llama3(facts: &dyn Facts, plain: &[f32], factor: f32) -> Result<Vec<f32>, DescribeError> {
    let low = facts.number(key("", "rope_scaling.low_freq_factor"))?;
    let high = facts.number(key("", "rope_scaling.high_freq_factor"))?;
    let original = facts.number(key("", "rope_scaling.original_max_position_embeddings"))?;
    let stretch = |inv_freq: &f32| {
        let wavelength = 2.0 * std::f32::consts::PI / inv_freq;
        if wavelength < original / high {
            *inv_freq
        } else if wavelength > original / low {
            inv_freq / factor
        } else {
            let smooth = (original / wavelength - low) / (high - low);
            (1.0 - smooth) * inv_freq / factor + smooth * inv_freq
        }
    };
    Ok(plain.iter().map(stretch).collect())
}
