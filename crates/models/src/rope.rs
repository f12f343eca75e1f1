//! Rotary frequencies and the ways they are stretched for longer contexts.

use crate::arch::DescribeError;
use crate::facts::{Facts, Key, Origin, key};

/// What a rotary table is made of, and what the stretching does to attention besides.
pub struct Stretched {
    /// `theta^(-2i/dims)` per pair, stretched as the file asks. Llama 3's GGUF files carry the stretch as a tensor of
    /// divisors instead, which the description names.
    pub inv_freq: Vec<f32>,
    /// Multiplies sine and cosine.
    pub magnitude: f32,
    /// Multiplies the scale of attention scores, in architectures that ask for it.
    pub sharpness: f32,
    /// What GGUF calls `yarn_log_multiplier`.
    pub log_multiplier: Option<f32>,
    /// What GGUF calls `attn_factor`, where there is more to say than other facts do.
    pub attention_factor: Option<f32>,
}

impl Stretched {
    /// These frequencies, and nothing besides.
    pub fn by(inv_freq: Vec<f32>) -> Stretched {
        Stretched { inv_freq, magnitude: 1.0, sharpness: 1.0, log_multiplier: None, attention_factor: None }
    }
}

/// The base of most models.
pub const BASE: f32 = 10_000.0;

/// `theta^(-2i/dims)` per pair.
pub fn plain(dims: usize, theta: f32) -> Vec<f32> {
    let frequency = |i: usize| 1.0 / (theta as f64).powf(2.0 * i as f64 / dims as f64);
    (0..dims / 2).map(|i| frequency(i) as f32).collect()
}

/// `base` is that of files that do not say it.
pub fn stretched(facts: &dyn Facts, dims: usize, base: f32) -> Result<Stretched, DescribeError> {
    let theta = facts.number_or(key("rope.freq_base", "rope_theta"), base)?;
    stretched_from(facts, dims, theta)
}

/// As [`stretched`], where the base is known.
pub fn stretched_from(facts: &dyn Facts, dims: usize, theta: f32) -> Result<Stretched, DescribeError> {
    const DIMS_MAX: usize = 1 << 16;
    if dims > DIMS_MAX {
        return Err(DescribeError::TooMany { key: "rotary features".into(), found: dims, most: DIMS_MAX });
    }
    let plain = plain(dims, theta);
    let kind = match facts.text_opt(key("rope.scaling.type", "rope_scaling.rope_type"))? {
        Some(kind) => Some(kind),
        None => facts.text_opt(key("rope.scaling.type", "rope_scaling.type"))?,
    };
    let factor = facts.number_or(key("rope.scaling.factor", "rope_scaling.factor"), 1.0)?;
    match kind.as_deref() {
        // Phi's GGUF files have the stretch as a tensor of divisors, and do not always give it a name.
        None | Some("longrope") if facts.origin() == Origin::Gguf => {
            facts.number_opt(LONG_FROM)?;
            let magnitude = facts.number_or(key("rope.scaling.attn_factor", ""), 1.0)?;
            Ok(Stretched { magnitude, ..Stretched::by(plain) })
        }
        // Of text alone, all axes of a picture's place are the same.
        None | Some("none" | "default" | "mrope") => Ok(Stretched::by(plain)),
        Some("longrope" | "su") => {
            let (inv_freq, magnitude) = long(facts, &plain)?;
            Ok(Stretched { magnitude, attention_factor: Some(magnitude), ..Stretched::by(inv_freq) })
        }
        Some("linear") => Ok(Stretched::by(plain.iter().map(|x| x / factor).collect())),
        Some("llama3") if facts.origin() == Origin::Config => {
            Ok(Stretched::by(llama3(facts, &plain, factor)?))
        }
        Some("yarn" | "deepseek_yarn") => yarn(facts, &plain, theta, factor),
        Some(other) => Err(DescribeError::Unsupported {
            what: "rope scaling",
            found: other.to_owned(),
            supported: "none, linear, llama3, yarn, longrope",
        }),
    }
}

/// The tokens that a model with [`long`] frequencies was first trained with.
const LONG_FROM: Key = key("rope.scaling.original_context_length", "original_max_position_embeddings");

/// LongRoPE: every pair is divided by a number of its own, and attention made sharper for the longer context. Files have another
/// list for texts within the original context; that one is not used, so that what is kept of a text holds however long it grows.
fn long(facts: &dyn Facts, plain: &[f32]) -> Result<(Vec<f32>, f32), DescribeError> {
    let factors = key("", "rope_scaling.long_factor");
    let by = facts.numbers(factors)?;
    if by.len() != plain.len() || by.contains(&0.0) {
        return Err(DescribeError::Unsupported {
            what: "rope_scaling.long_factor",
            found: format!("{} numbers", by.len()),
            supported: "a number above 0 for every rotated pair",
        });
    }
    let context = facts.number(key("context_length", "max_position_embeddings"))?;
    let original = match facts.number_opt(LONG_FROM)? {
        Some(original) => original,
        None => facts.number(key("", "rope_scaling.original_max_position_embeddings"))?,
    };
    let longer = context / original;
    let sharper = if longer <= 1.0 { 1.0 } else { (1.0 + longer.ln() / original.ln()).sqrt() };
    let magnitude = facts.number_or(key("", "rope_scaling.attention_factor"), sharper)?;
    Ok((plain.iter().zip(&by).map(|(inv_freq, by)| inv_freq / by).collect(), magnitude))
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

/// YaRN: pairs that turn more than `beta_fast` times within the original context are kept, those that turn less than
/// `beta_slow` times are divided by `factor`, those between blended by their index; attention is made sharper to match.
fn yarn(facts: &dyn Facts, plain: &[f32], theta: f32, factor: f32) -> Result<Stretched, DescribeError> {
    let original =
        key("rope.scaling.original_context_length", "rope_scaling.original_max_position_embeddings");
    let original = facts.number(original)?;
    let fast = facts.number_or(key("rope.scaling.yarn_beta_fast", "rope_scaling.beta_fast"), 32.0)?;
    let slow = facts.number_or(key("rope.scaling.yarn_beta_slow", "rope_scaling.beta_slow"), 1.0)?;
    let dims = 2.0 * plain.len() as f32;
    let index =
        |turns: f32| dims * (original / (turns * 2.0 * std::f32::consts::PI)).ln() / (2.0 * theta.ln());
    let (mut low, mut high) = (index(fast), index(slow));
    // gpt-oss was trained without; its GGUF files do not say so.
    let truncates = facts.origin() == Origin::Config || facts.architecture() != "gpt-oss";
    if facts.flag(key("rope.scaling.yarn_truncate", "rope_scaling.truncate"))?.unwrap_or(truncates) {
        (low, high) = (low.floor(), high.ceil());
    }
    (low, high) = (low.max(0.0), high.min(dims - 1.0));
    let width = if low == high { 0.001 } else { high - low };
    let blend = |(i, inv_freq): (usize, &f32)| {
        let stretched = ((i as f32 - low) / width).clamp(0.0, 1.0);
        inv_freq / factor * stretched + inv_freq * (1.0 - stretched)
    };
    let inv_freq = plain.iter().enumerate().map(blend).collect();

    let grown = |by: f32| if factor <= 1.0 { 1.0 } else { 0.1 * by * factor.ln() + 1.0 };
    if facts.origin() == Origin::Gguf {
        let log_multiplier = facts.number_opt(key("rope.scaling.yarn_log_multiplier", ""))?;
        let by = log_multiplier.unwrap_or(0.0) / 0.1;
        let magnitude = facts.number_or(key("rope.scaling.attn_factor", ""), 1.0)?
            * if by == 0.0 { grown(1.0) } else { 1.0 };
        let sharpness = grown(by) * grown(by);
        return Ok(Stretched { inv_freq, magnitude, sharpness, log_multiplier, attention_factor: None });
    }
    let all = facts.number_opt(key("", "rope_scaling.mscale_all_dim"))?;
    let some = facts.number_or(key("", "rope_scaling.mscale"), 1.0)?;
    let sharp = grown(all.unwrap_or(0.0));
    let magnitude = facts.number_or(key("", "rope_scaling.attention_factor"), grown(some) / sharp)?;
    let log_multiplier = all.map(|all| 0.1 * all);
    Ok(Stretched { inv_freq, magnitude, sharpness: sharp * sharp, log_multiplier, attention_factor: None })
}
